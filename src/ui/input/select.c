/* Selecting with keys and mouse. Labels are found on the canvas by the tags of their cells, so panes need not know about it. A G, M or P
 * stays selected while it moves; keys start from its label that is nearest to the last place. */
#include "ui/input/select.h"

#include <stdlib.h>

struct spot {
    int x, y;
    uint32_t tag;
};

/* Returns the tag of the G, M or P that the cell shows, else 0. Rows of a box have tags, too, and a key that follows the one that closed a
 * box may come before the next frame. */
static uint32_t thing_in(const struct cell *cell)
{
    uint32_t kind = thing_kind(cell->tag);
    return kind == THING_P || kind == THING_M || kind == THING_G ? cell->tag : 0;
}

/* Finds the next label within r, in reading order from `at` on. Returns false if there is none. */
static bool next_spot(const struct canvas *c, struct rect r, struct spot *at)
{
    for (; at->y < r.y + r.h && at->y < c->h; at->y++, at->x = r.x)
        for (; at->x < r.x + r.w && at->x < c->w; at->x++) {
            const struct cell *cell = &c->cell[at->y * c->w + at->x];
            at->tag = thing_in(cell);
            bool begins = at->tag && (at->x == r.x || cell[-1].tag != at->tag);
            if (begins)
                return true;
        }
    return false;
}

#define EACH_SPOT(at, c, r) for (struct spot at = {(r).x, (r).y, 0}; next_spot(c, r, &at); at.x++)

int select_pane(const struct selection *s, const struct layout_pane *pane, int n)
{
    int nth = 0;
    for (int i = 0; i < n; i++)
        if ((int)pane[i].kind == s->pane && nth++ == s->nth)
            return i;
    return -1;
}

static const struct layout_pane *focused(const struct selection *s, const struct layout_pane *pane, int n)
{
    int i = select_pane(s, pane, n);
    return i < 0 ? NULL : &pane[i];
}

/* It is kept by kind and number, so that it survives a change of the layout. */
void select_focus(struct selection *s, const struct layout_pane *pane, int at)
{
    s->pane = (int)pane[at].kind;
    s->nth = 0;
    for (int i = 0; i < at; i++)
        s->nth += pane[i].kind == pane[at].kind;
}

static struct rect area(const struct selection *s, const struct canvas *c, const struct layout_pane *pane, int n)
{
    const struct layout_pane *p = focused(s, pane, n);
    return p ? pane_rect(p) : (struct rect){0, 0, c->w, c->h};
}

/* Finds the label of what is selected that is nearest to the last place. Returns false if there is none. */
static bool find_selected(struct selection *s, const struct canvas *c, struct rect r)
{
    int best = -1, x = 0, y = 0;
    EACH_SPOT(at, c, r)
    {
        int away = abs(at.x - s->x) + 4 * abs(at.y - s->y);
        if (at.tag == s->tag && (best < 0 || away < best)) {
            best = away;
            x = at.x;
            y = at.y;
        }
    }
    if (best >= 0) {
        s->x = x;
        s->y = y;
    }
    return best >= 0;
}

static void select_spot(struct selection *s, const struct spot *at)
{
    s->tag = at->tag;
    s->x = at->x;
    s->y = at->y;
}

static bool select_first(struct selection *s, const struct canvas *c, struct rect r)
{
    EACH_SPOT(at, c, r)
    {
        select_spot(s, &at);
        return true;
    }
    return false;
}

/* Returns the distance of a label in the direction, -1 if it lies elsewhere. Left and right stay in the row; up and down prefer the nearest
 * row. */
static int distance(const struct selection *s, const struct spot *at, int dx, int dy)
{
    if (dx)
        return at->y == s->y && (at->x - s->x) * dx > 0 ? abs(at->x - s->x) : -1;
    return (at->y - s->y) * dy > 0 ? 1000 * abs(at->y - s->y) + abs(at->x - s->x) : -1;
}

static void focus_first(struct selection *s, const struct canvas *c, const struct layout_pane *pane, int n)
{
    s->pane = -1;
    for (int i = 0; i < n; i++)
        EACH_SPOT(at, c, pane_rect(&pane[i]))
        {
            select_focus(s, pane, i);
            return;
        }
}

void select_move(struct selection *s, const struct canvas *c, const struct layout_pane *pane, int n, int dx, int dy)
{
    struct spot to = {0};
    int best = -1;
    if (!focused(s, pane, n))
        focus_first(s, c, pane, n);
    struct rect r = area(s, c, pane, n);
    if (!s->tag || !find_selected(s, c, r)) {
        select_first(s, c, r);
        return;
    }
    EACH_SPOT(at, c, r)
    {
        int d = at.tag == s->tag ? -1 : distance(s, &at, dx, dy); /* a ghost and its G are one thing */
        if (d >= 0 && (best < 0 || d < best)) {
            best = d;
            to = at;
        }
    }
    if (best >= 0)
        select_spot(s, &to);
}

/* A pane can have the focus if something in it can be selected, or if it has keys of its own. A pane with a cursor may ask what is selected,
 * so that stays. */
static bool enter(struct selection *s, const struct canvas *c, const struct layout_pane *pane)
{
    const struct pane_key *key;
    if (pane_has_cursor(pane->kind) || select_first(s, c, pane_rect(pane)))
        return true;
    if (!pane_keys_of(pane->kind, &key))
        return false;
    s->tag = 0;
    return true;
}

void select_next_pane(struct selection *s, const struct canvas *c, const struct layout_pane *pane, int n, int by)
{
    int at = select_pane(s, pane, n);
    for (int i = 0; i < n; i++) {
        at = at < 0 ? (by > 0 ? 0 : n - 1) : (at + by + n) % n;
        if (enter(s, c, &pane[at])) {
            select_focus(s, pane, at);
            return;
        }
    }
}

int select_pane_at(const struct layout_pane *pane, int n, int x, int y)
{
    for (int i = n; i-- > 0;) {
        struct rect r = pane_rect(&pane[i]);
        if (x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h)
            return i;
    }
    return -1;
}

void select_click(struct selection *s, const struct canvas *c, const struct layout_pane *pane, int n, int x, int y)
{
    if (x < 0 || y < 0 || x >= c->w || y >= c->h)
        return;
    int at = select_pane_at(pane, n, x, y);
    if (at >= 0)
        select_focus(s, pane, at);
    s->tag = thing_in(&c->cell[y * c->w + x]);
    s->x = x;
    s->y = y;
}

/* The first cell of what is selected, otherwise the corner of the pane. */
static void place_cursor(struct canvas *c, struct rect r)
{
    int x = r.x, y = r.y;
    for (int i = r.w * r.h; i-- > 0;) {
        int at_x = r.x + i % r.w, at_y = r.y + i / r.w;
        if (at_x < c->w && at_y < c->h && c->cell[at_y * c->w + at_x].chosen)
            x = at_x, y = at_y;
    }
    canvas_cursor(c, x, y, false);
}

void select_draw(const struct selection *s, struct canvas *c, const struct layout_pane *pane, int n)
{
    const struct layout_pane *p = focused(s, pane, n);
    for (int i = 0; s->tag && i < c->w * c->h; i++)
        c->cell[i].chosen |= c->cell[i].tag == s->tag;
    if (!p)
        return;
    place_cursor(c, pane_rect(p));
    for (int y = p->rect.y; y < p->rect.y + p->rect.h && y < c->h; y++)
        for (int x = p->rect.x; x < p->rect.x + p->rect.w && x < c->w; x++)
            if (c->cell[y * c->w + x].role == ROLE_border)
                c->cell[y * c->w + x].role = ROLE_focus;
}
