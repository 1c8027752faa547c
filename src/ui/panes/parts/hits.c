/* Marks what is searched for in a text that was drawn. The text is read back from the cells, because wrapping has spread it over rows. */
#include "ui/panes/parts/hits.h"

#include "base/text.h"

#include <string.h>

enum { HIT_CELLS = 1024 };

/* The glyphs of some rows in the order of reading. A row's end is a blank that has no cell. */
struct glyphs {
    uint32_t ch[HIT_CELLS];
    int cell[HIT_CELLS], n; /* cell: -1 at a row's end */
};

static void add(struct glyphs *g, uint32_t ch, int cell)
{
    if (g->n == HIT_CELLS)
        return;
    g->ch[g->n] = ch >= 'A' && ch <= 'Z' ? ch | 0x20 : ch;
    g->cell[g->n++] = cell;
}

static void read_row(const struct canvas *c, struct rect r, int y, struct glyphs *g)
{
    int end = r.x + r.w;
    while (end > r.x && c->cell[y * c->w + end - 1].ch == ' ')
        end--;
    for (int x = r.x; x < end; x++)
        if (c->cell[y * c->w + x].width)
            add(g, c->cell[y * c->w + x].ch, y * c->w + x);
    add(g, ' ', -1);
}

/* Returns the end of the match that begins at `at`, or -1. Where wide glyphs are wrapped, the row's end is no blank of the text. */
static int match_at(const struct glyphs *g, int at, const char *text)
{
    size_t len = strlen(text), n;
    for (size_t i = 0; i < len; at++) {
        if (at >= g->n)
            return -1;
        uint32_t cp = utf8_next(text + i, len - i, &n);
        bool same = (cp >= 'A' && cp <= 'Z' ? cp | 0x20 : cp) == g->ch[at];
        if (!same && g->cell[at] >= 0)
            return -1;
        i += same ? n : 0;
    }
    return at;
}

bool hits_mark(struct canvas *c, struct rect r, const char *text)
{
    struct glyphs g = {.n = 0};
    bool any = false;
    int right = r.x + r.w < c->w ? r.x + r.w : c->w, bottom = r.y + r.h < c->h ? r.y + r.h : c->h;
    for (int y = r.y; y < bottom && *text; y++)
        read_row(c, (struct rect){r.x, y, right - r.x, 1}, y, &g);
    for (int i = 0; i < g.n; i++) {
        int end = g.cell[i] < 0 ? -1 : match_at(&g, i, text);
        for (int k = i; k < end; k++)
            if (g.cell[k] >= 0)
                c->cell[g.cell[k]].role = ROLE_focus;
        any |= end > i;
        i = end > i ? end - 1 : i;
    }
    return any;
}
