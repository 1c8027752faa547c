/* A grid of cells.
 *
 * Everything that is shown passes through here, so clipping, wide glyphs and the plain-ASCII fallback are handled in one place. A pane may
 * draw anywhere and pass any text; the grid stays well formed: a cell of width 2 is followed by its right half (width 0), and no half
 * occurs alone. Only put_cell() writes cells, and it preserves this.
 */
#include "canvas/canvas.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const role_name[ROLES] = {
#define X(name) #name,
    CANVAS_ROLES(X)
#undef X
};

enum { ELLIPSIS = 0x2026 };
static const struct cell blank = {.ch = ' ', .role = ROLE_plain, .width = 1};

bool canvas_init(struct canvas *c, int w, int h)
{
    *c = (struct canvas){0};
    return canvas_resize(c, w, h);
}

/* The contents are lost; the caller draws everything again. */
bool canvas_resize(struct canvas *c, int w, int h)
{
    w = w < 0 ? 0 : w;
    h = h < 0 ? 0 : h;
    size_t n = (size_t)w * (size_t)h;
    struct cell *cell = malloc(n ? n * sizeof *cell : 1);
    if (!cell)
        return false;
    free(c->cell);
    c->cell = cell;
    c->w = w;
    c->h = h;
    canvas_clear(c);
    return true;
}

void canvas_fini(struct canvas *c)
{
    free(c->cell);
    *c = (struct canvas){0};
}

void canvas_clear(struct canvas *c)
{
    size_t n = (size_t)c->w * (size_t)c->h, done = n > 0;
    c->cursor = (struct canvas_cursor){0};
    if (n)
        c->cell[0] = blank;
    for (size_t more; done < n; done += more) { /* copies the part that is blank already */
        more = done < n - done ? done : n - done;
        memcpy(c->cell + done, c->cell, more * sizeof *c->cell);
    }
}

/* Returns an ASCII character for each glyph that this program draws, and any other character unchanged. */
static uint32_t to_ascii(uint32_t ch)
{
    static const struct {
        uint32_t from, to;
    } map[] = {
        {0x2500, '-'}, {0x2550, '='}, {0x2501, '-'}, {0x2503, '|'}, {0x2513, '+'}, {0x251b, '+'}, {0x2508, '-'}, {0x2502, '|'},
        {0x256d, '+'}, {0x256e, '+'}, {0x2570, '+'}, {0x256f, '+'}, {0x251c, '+'}, {0x2524, '+'}, {0x252c, '+'}, {0x2534, '+'},
        {0x253c, '+'}, {0x2574, '-'}, {0x2576, '-'}, {0x2713, '+'}, {0x2717, 'x'}, {0x25c0, '<'}, {0x25b6, '>'}, {0x25b2, '^'},
        {0x25bc, 'v'}, {0x2190, '<'}, {0x2192, '>'}, {0x2191, '^'}, {0x2193, 'v'}, {0xb7, '.'},   {0x2026, '~'}, {0xb5, 'u'},
        {0x2581, '_'}, {0x2582, '.'}, {0x2583, ':'}, {0x2584, '-'}, {0x2585, '='}, {0x2586, '+'}, {0x2587, '*'}, {0x2588, '#'},
        {0x2591, ','}, {0x2592, ';'}, {0x2593, '&'}, {0x250a, '|'}, {0x22ee, ':'}, {0x25cf, '*'}, {0x25cb, 'o'}, {0x2014, '-'},
        {0xd7, 'x'},   {0x2264, '<'},
    };
    for (size_t i = 0; i < sizeof map / sizeof *map; i++)
        if (map[i].from == ch)
            return map[i].to;
    return ch;
}

/* Returns what stands for ch in a text, where there is room for two characters; NULL: to_ascii() has it. */
static const char *two_ascii(uint32_t ch)
{
    return ch == 0x2026 ? ".." : ch == 0x2192 ? "->" : ch == 0x2264 ? "<=" : ch == 0x2265 ? ">=" : NULL;
}

/* Writes a cell; (x, y) is within the canvas. Half of a wide glyph that stays becomes blank. */
static void put_cell(struct canvas *c, int x, int y, struct cell cell)
{
    struct cell *row = c->cell + (size_t)y * (size_t)c->w;
    if (row[x].width == 0 && x > 0)
        row[x - 1] = blank;
    int last = x + (cell.width == 2);
    if (row[last].width == 2 && last + 1 < c->w)
        row[last + 1] = blank;
    row[x] = cell;
    if (cell.width == 2)
        row[last] = (struct cell){.tag = cell.tag, .role = cell.role};
}

static struct rect clipped(const struct canvas *c, struct rect r)
{
    int x1 = r.x + r.w, y1 = r.y + r.h;
    r.x = r.x < 0 ? 0 : r.x;
    r.y = r.y < 0 ? 0 : r.y;
    r.w = (x1 > c->w ? c->w : x1) - r.x;
    r.h = (y1 > c->h ? c->h : y1) - r.y;
    return r;
}

static bool inside(struct rect r, int x, int y)
{
    return x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;
}

/* Writes the cell if it is within clip, which is within the canvas. A wide glyph of which one half is outside becomes a blank. */
static void put_clipped(struct canvas *c, struct rect clip, int x, int y, enum role role, uint32_t ch, int width)
{
    if (width == 2 && inside(clip, x, y) && inside(clip, x + 1, y)) {
        put_cell(c, x, y, (struct cell){.ch = ch & CELL_CH, .tag = c->tag, .role = role, .width = 2});
        return;
    }
    for (int i = 0; i < width; i++)
        if (inside(clip, x + i, y))
            put_cell(c, x + i, y, (struct cell){.ch = width == 2 ? ' ' : ch & CELL_CH, .tag = c->tag, .role = role, .width = 1});
}

void canvas_mark(struct canvas *c, struct rect clip, int x, int y, int n)
{
    clip = clipped(c, clip);
    for (int i = x; i < x + n; i++)
        if (inside(clip, i, y)) {
            struct cell *cell = &c->cell[(size_t)y * (size_t)c->w + (size_t)i];
            cell->mark = cell->ch != ' ';
        }
}

int canvas_text(struct canvas *c, struct rect clip, int x, int y, enum role role, const char *utf8)
{
    clip = clipped(c, clip);
    int from = x, end = clip.x + clip.w;
    bool cut = false;
    for (size_t len = strlen(utf8), n; len; utf8 += n, len -= n) {
        if (*utf8 >= ' ' && *utf8 <= '~') { /* the common case */
            n = 1;
            if (inside(clip, x, y))
                put_cell(c, x, y, (struct cell){.ch = (unsigned char)*utf8, .tag = c->tag, .role = role, .width = 1});
            cut |= x >= end && *utf8 != ' ';
            x++;
            continue;
        }
        uint32_t ch = utf8_next(utf8, len, &n);
        int width = cp_width(ch);
        if (width == 0)
            continue; /* a cell holds one code point, so combining marks are dropped */
        if (cp_unsafe(ch))
            ch = '?';
        const char *two = c->ascii ? two_ascii(ch) : NULL;
        if (two) {
            put_clipped(c, clip, x++, y, role, (unsigned char)two[0], 1);
            ch = (unsigned char)two[1];
        } else if (c->ascii) {
            ch = to_ascii(ch);
        }
        if (x < end)
            put_clipped(c, clip, x, y, role, ch, width);
        cut |= x + width > end;
        x += width;
    }
    if (cut && from < end)
        put_clipped(c, clip, end - 1, y, ROLE_dim, c->ascii ? to_ascii(ELLIPSIS) : ELLIPSIS, 1);
    return x;
}

int canvas_printf(struct canvas *c, struct rect clip, int x, int y, enum role role, const char *fmt, ...)
{
    char buf[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    return canvas_text(c, clip, x, y, role, buf);
}

void canvas_right(struct canvas *c, struct rect clip, int x, int y, enum role role, const char *utf8)
{
    canvas_text(c, clip, x - canvas_width(c, utf8) + 1, y, role, utf8);
}

int canvas_width(const struct canvas *c, const char *utf8)
{
    int w = text_width(utf8);
    for (size_t len = strlen(utf8), n; c->ascii && len; utf8 += n, len -= n)
        w += two_ascii(utf8_next(utf8, len, &n)) != NULL;
    return w;
}

void canvas_cursor(struct canvas *c, int x, int y, bool seen)
{
    if (x >= 0 && x < c->w && y >= 0 && y < c->h)
        c->cursor = (struct canvas_cursor){true, seen, x, y};
}

/* Writes n cells; each lies (dx, dy) from the one before. */
static void put_line(struct canvas *c, struct rect clip, int x, int y, int dx, int dy, int n, enum role role, uint32_t ch)
{
    int width = cp_width(ch);
    if (cp_unsafe(ch) || width == 0)
        ch = '?', width = 1;
    ch = c->ascii ? to_ascii(ch) : ch;
    clip = clipped(c, clip);
    for (int i = 0; i < n; i++)
        put_clipped(c, clip, x + i * dx, y + i * dy, role, ch, width);
}

void canvas_put(struct canvas *c, struct rect clip, int x, int y, enum role role, uint32_t ch)
{
    put_line(c, clip, x, y, 0, 0, 1, role, ch);
}

void canvas_hline(struct canvas *c, struct rect clip, int x, int y, int n, enum role role, uint32_t ch)
{
    put_line(c, clip, x, y, 1, 0, n, role, ch);
}

void canvas_vline(struct canvas *c, struct rect clip, int x, int y, int n, enum role role, uint32_t ch)
{
    put_line(c, clip, x, y, 0, 1, n, role, ch);
}

/* Writes the title as in "╭ Title ───╮": with a blank on each side, between the corners. The second one may be next to the corner. */
static void box_title(struct canvas *c, struct rect r, const char *title)
{
    struct rect clip = {r.x + 1, r.y, r.w - 3, 1};
    if (!title || !*title || clip.w < 3)
        return;
    canvas_put(c, clip, clip.x, r.y, ROLE_title, ' ');
    int x = canvas_text(c, clip, clip.x + 1, r.y, ROLE_title, title), end = clip.x + clip.w;
    canvas_put(c, r, x < end ? x : end, r.y, ROLE_title, ' ');
}

struct rect canvas_box(struct canvas *c, struct rect r, enum role border, const char *title)
{
    struct rect in = {r.x + 1, r.y + 1, r.w > 2 ? r.w - 2 : 0, r.h > 2 ? r.h - 2 : 0};
    if (r.w < 2 || r.h < 2)
        return in;
    int x1 = r.x + r.w - 1, y1 = r.y + r.h - 1;
    canvas_hline(c, r, r.x + 1, r.y, r.w - 2, border, 0x2500);
    canvas_hline(c, r, r.x + 1, y1, r.w - 2, border, 0x2500);
    canvas_vline(c, r, r.x, r.y + 1, r.h - 2, border, 0x2502);
    canvas_vline(c, r, x1, r.y + 1, r.h - 2, border, 0x2502);
    canvas_put(c, r, r.x, r.y, border, 0x256d);
    canvas_put(c, r, x1, r.y, border, 0x256e);
    canvas_put(c, r, r.x, y1, border, 0x2570);
    canvas_put(c, r, x1, y1, border, 0x256f);
    box_title(c, r, title);
    return in;
}

/* Writes a row as UTF-8 without its trailing blanks. Returns the end. */
static char *dump_row(const struct cell *row, int w, char *out)
{
    while (w > 0 && row[w - 1].ch == ' ' && row[w - 1].width == 1)
        w--;
    for (int x = 0; x < w; x++)
        if (row[x].width)
            out += utf8_put(row[x].ch, out);
    *out++ = '\n';
    return out;
}

char *canvas_dump(const struct canvas *c)
{
    char *text = malloc((size_t)c->w * (size_t)c->h * 4 + (size_t)c->h + 1), *out = text;
    if (!text)
        return NULL;
    for (int y = 0; y < c->h; y++)
        out = dump_row(c->cell + (size_t)y * (size_t)c->w, c->w, out);
    *out = '\0';
    return text;
}
