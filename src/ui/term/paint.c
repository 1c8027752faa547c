/* See paint.h.
 *
 * What curses would do too, but at a tenth of its price: it looks each colour and each way of the cursor up anew, and sends a frame
 * in twenty writes, each of which wakes the terminal. A frame here is one string. */
#include "ui/term/paint.h"

#include "base/text.h"
#include "ui/term/themes.h"

#include <stdlib.h>
#include <string.h>

enum { NEAR = 4 }; /* so many cells are rather written again than jumped over */

static void put(struct paint *p, const char *bytes, size_t n)
{
    if (p->n + n > p->room) {
        size_t room = (p->n + n) * 2;
        char *out = realloc(p->out, room);
        if (!out) {
            p->lost = true;
            return;
        }
        p->out = out;
        p->room = room;
    }
    memcpy(p->out + p->n, bytes, n);
    p->n += n;
}

static void put_text(struct paint *p, const char *text)
{
    if (*text)
        put(p, text, strlen(text));
}

static bool same_look(const struct cell *a, const struct cell *b)
{
    return a->role == b->role && a->chosen == b->chosen && a->mark == b->mark;
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
    return memcmp(a, b, sizeof *a) == 0 || (a->ch == b->ch && a->width == b->width && same_look(a, b)); /* but for the tag */
}

static int attr_of(const struct pens *pens, const struct cell *cell)
{
    return (pens->look[cell->role] | (cell->mark ? LOOK_UNDERLINE : 0)) ^ (cell->chosen ? LOOK_REVERSE : 0);
}

/* Switches single attributes on only: off goes all at once, as not every terminal can do it one by one. */
static void put_look(struct paint *p, const struct pens *pens, int role, int attr)
{
    const char *color = pens->color[role];
    bool same = p->role >= 0 && strcmp(color, pens->color[p->role]) == 0;
    if (attr == p->attr && (same || color[0])) {
        put_text(p, same ? "" : color);
    } else {
        put_text(p, pens->plain);
        for (int i = 0; i < PEN_ATTRS; i++)
            put_text(p, attr & 1 << i ? pens->attr[i] : "");
        put_text(p, color);
    }
    p->role = role;
    p->attr = attr;
}

/* A blank looks the same in every colour. */
static void put_cell(struct paint *p, const struct pens *pens, const struct cell *cell)
{
    const int seen = LOOK_REVERSE | LOOK_UNDERLINE;
    char bytes[4] = "??";
    int attr = attr_of(pens, cell), n = cell->width;
    bool blank = cell->ch == ' ' && p->role >= 0 && !((attr | p->attr) & seen);
    if (!blank && (cell->role != p->role || attr != p->attr))
        put_look(p, pens, cell->role, attr);
    if (pens->utf8 || cell->ch < 0x7f)
        n = utf8_put(cell->ch, bytes);
    put(p, bytes, (size_t)n);
    p->x += cell->width;
}

/* Brings the cursor to (x, y), over what lies between if that is little. */
static void go_to(struct paint *p, const struct pens *pens, const struct cell *row, int x, int y)
{
    char bytes[PEN_BYTES];
    bool near = p->y == y && p->x >= 0 && p->x <= x && x - p->x <= NEAR;
    for (int i = p->x; near && i < x; i++)
        near = row[i].width == 1;
    while (near && p->x < x)
        put_cell(p, pens, &row[p->x]);
    if (!near)
        put(p, bytes, pens->move(bytes, x, y));
    p->x = x;
    p->y = y;
}

/* A wide glyph is sent as a whole: when its right half changed, the left is sent. */
static void paint_row(struct paint *p, const struct pens *pens, const struct canvas *c, int y)
{
    const struct cell *now = c->cell + (size_t)y * (size_t)c->w;
    struct cell *was = p->shown.cell + (size_t)y * (size_t)c->w;
    if (memcmp(was, now, (size_t)c->w * sizeof *now) == 0)
        return;
    int end = c->w - (pens->keeps_corner && y == c->h - 1);
    for (int x = 0; x < end; x++) {
        bool right = now[x].width == 2 && x + 1 < end && !same_cell(&now[x + 1], &was[x + 1]);
        if (now[x].width == 0 || (!right && same_cell(&now[x], &was[x])))
            continue;
        go_to(p, pens, now, x, y);
        put_cell(p, pens, &now[x]);
    }
    if (p->x >= c->w)
        p->x = -1; /* terminals do not agree on where the cursor is behind the last column */
    memcpy(was, now, (size_t)c->w * sizeof *now);
}

/* Nothing on the screen, and that known. */
static bool begin_anew(struct paint *p, const struct pens *pens, const struct canvas *c)
{
    if ((p->shown.w != c->w || p->shown.h != c->h) && !canvas_resize(&p->shown, c->w, c->h))
        return false;
    canvas_clear(&p->shown);
    if (!pens->clear[0]) /* what no cell is */
        memset(p->shown.cell, 0, (size_t)c->w * (size_t)c->h * sizeof *p->shown.cell);
    put_text(p, pens->plain);
    put_text(p, pens->clear);
    return true;
}

static void end_frame(struct paint *p, const struct pens *pens, const struct canvas *c, const char *end)
{
    char bytes[PEN_BYTES];
    put_text(p, pens->plain);
    put(p, bytes, pens->move(bytes, c->w - 1, c->h - 1)); /* where a cursor that can not be hidden disturbs least */
    put_text(p, end);
    if (p->lost) {
        p->n = 0;
        p->known = false;
    }
}

void paint_frame(struct paint *p, const struct pens *pens, const struct canvas *c, const char *begin, const char *end)
{
    p->n = 0;
    p->lost = false;
    p->x = p->role = -1;
    p->attr = 0;
    put_text(p, begin);
    size_t empty = p->n;
    bool known = p->known && p->shown.w == c->w && p->shown.h == c->h;
    if (!known && !begin_anew(p, pens, c)) {
        p->n = 0;
        return;
    }
    p->known = true;
    for (int y = 0; y < c->h; y++)
        paint_row(p, pens, c, y);
    if (p->n == empty)
        p->n = 0;
    else
        end_frame(p, pens, c, end);
}

void paint_anew(struct paint *p)
{
    p->known = false;
}

void paint_fini(struct paint *p)
{
    canvas_fini(&p->shown);
    free(p->out);
    *p = (struct paint){0};
}
