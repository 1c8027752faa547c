/* The arrows of the pane `processors`, in the gutter between the rings and their lengths. Each starts after the ring of the P that Gs leave,
 * goes to its lane, and ends in a head at the ring that they come to. An arrow of one P alone is drawn on its row. */
#include "ui/panes/parts/arrows.h"
#include "ui/panes/parts/processors.h"

#include <stdio.h>
#include <string.h>

/* Returns the row of a P, -1 if it is hidden. */
static int row_of(const struct places *pl, uint32_t p)
{
    for (int i = 0; i < pl->rows.n; i++)
        if (pl->rows.id[i] == p)
            return i;
    return -1;
}

/* The gutter: for each cell the directions in which arrows leave it, so that arrows that meet are drawn as a junction. */
enum { UP = 1, RIGHT = 2, DOWN = 4, LEFT = 8, GUTTER_MAX = 16, LINES_MAX = 2 * ROWS_MAX };
struct gutter {
    uint8_t way[LINES_MAX][GUTTER_MAX], role[LINES_MAX][GUTTER_MAX];
};

static void way(struct gutter *g, int x, int y, uint8_t ways, enum role role)
{
    if (x < 0 || x >= GUTTER_MAX || y < 0 || y >= LINES_MAX)
        return;
    g->way[y][x] |= ways;
    g->role[y][x] = (uint8_t)role;
}

static void draw_gutter(struct canvas *c, struct rect in, const struct processors_columns *k, const struct gutter *g)
{
    static const uint32_t glyph[16] = {
        [UP | DOWN] = 0x2502,        [LEFT | RIGHT] = 0x2500,        [LEFT | DOWN] = 0x256e,       [LEFT | UP] = 0x256f,
        [LEFT | UP | DOWN] = 0x2524, [LEFT | RIGHT | DOWN] = 0x252c, [LEFT | RIGHT | UP] = 0x2534, [LEFT | RIGHT | UP | DOWN] = 0x253c,
    };
    struct rect clip = {k->gutter, in.y, k->gutter_w - 1, in.h};
    for (int y = 0; y < in.h && y < LINES_MAX; y++)
        for (int x = 0; x < clip.w; x++)
            if (g->way[y][x])
                canvas_put(c, clip, k->gutter + x, in.y + y, (enum role)g->role[y][x], glyph[g->way[y][x]]);
}

/* Where the pane is drawn. */
struct place {
    struct canvas *c;
    struct rect in;
    const struct processors_columns *k;
    const struct places *pl;
};

/* Draws the part of a tail or head between the ring's last cell and the gutter. Returns where it begins. */
static int draw_reach(const struct place *p, int row, enum role role)
{
    int x = p->pl->end[row] < p->k->gutter ? p->pl->end[row] : p->k->gutter;
    canvas_hline(p->c, p->in, x, processors_y(p->pl, row), p->k->gutter - x, role, 0x2500);
    return x;
}

/* A line between two rows: the newest arrow of this pair, and how many Gs each of the equally fresh arrows moved. The number is at the
 * tail, or at the head if several arrows leave the same row. */
struct flight {
    enum arrow_kind kind;
    uint32_t from, to;
    int row_from, row_to;
    bool shared;
    enum role role;
    char label[24];
};

static int find_flight(const struct flight *f, int n, const struct arrow *a)
{
    int i = 0;
    while (i < n && (f[i].kind != a->kind || f[i].from != a->from || f[i].to != a->to))
        i++;
    return i;
}

/* Is it drawn on the row of one P? */
static bool is_on_one_row(const struct flight *f)
{
    return f->row_from == f->row_to;
}

/* Adds the number of Gs; "4+2" if an older arrow of the same pair is equally fresh. Of a wake-up, the M. */
static void add_label(struct flight *f, const struct arrow *a)
{
    char older[24];
    snprintf(older, sizeof older, "%s", f->label);
    if (a->kind == ARROW_HANDOFF)
        snprintf(f->label, sizeof f->label, "M%u▶M%u", a->giver % 100000, a->n % 100000);
    else if (a->kind == ARROW_WAKE)
        snprintf(f->label, sizeof f->label, "M%u", a->n);
    else
        snprintf(f->label, sizeof f->label, "%u%s%.8s", a->n, *older ? "+" : "", older);
}

/* Lists the flights, newest first. While the run is running, older arrows of the same pair add their number if they are equally fresh
 * ("4+2"). At a stop, only the newest counts. */
static int flights_of(const struct view *v, const struct places *pl, struct flight f[ARROWS_MAX])
{
    struct arrow arrow[ARROWS_MAX];
    int n = 0;
    for (int i = arrows_of(v, arrow) - 1; i >= 0; i--) {
        const struct arrow *a = &arrow[i];
        bool one = a->from == a->to;
        struct flight new = {a->kind, a->from, a->to, row_of(pl, a->from), row_of(pl, a->to), false, arrow_role(a), ""};
        int at = find_flight(f, n, a);
        if (a->kind == ARROW_STEAL && model_p(v->md, a->to) && model_p(v->md, a->to)->status == P_IDLE)
            continue; /* the Gs that were stolen are no longer there */
        if (new.row_from < 0 || new.row_to < 0 || (new.row_from == new.row_to && !one))
            continue;
        if (at == n)
            f[n++] = new;
        else if (f[at].role != new.role || v->st.paused)
            continue;
        add_label(&f[at], a);
    }
    return n;
}

/* Has a newer arrow the same row for itself? */
static bool is_covered(const struct flight *f, int i)
{
    for (int j = 0; j < i; j++)
        if (is_on_one_row(&f[j]) && f[j].row_from == f[i].row_from)
            return true;
    return false;
}

static void find_shared(struct flight *f, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            f[i].shared |= i != j && !is_on_one_row(&f[i]) && !is_on_one_row(&f[j]) &&
                           (f[i].row_from == f[j].row_from || f[i].row_from == f[j].row_to);
}

static void draw_ends(const struct place *p, const struct flight *f)
{
    int from = processors_y(p->pl, f->row_from), to = processors_y(p->pl, f->row_to);
    draw_reach(p, f->row_from, f->role);
    int x = draw_reach(p, f->row_to, f->role), y = f->shared ? to : from;
    canvas_put(p->c, p->in, x, to, f->role, 0x25c0);
    canvas_text(p->c, (struct rect){p->k->gutter, y, p->k->gutter_w - 1, 1}, p->k->gutter + (strlen(f->label) <= 2), y, f->role, f->label);
}

/* Draws an arrow of one P: Gs go to the global queue ("─3─▶Q") or come from it ("◀─3─Q"), an M comes to this P ("◀─M5"),
 * or the P goes from one M to another ("M0▶M5"). */
static void draw_one_row(const struct place *p, const struct flight *f)
{
    int y = processors_y(p->pl, f->row_from), end = p->k->gutter + p->k->gutter_w - 2;
    if (f->kind == ARROW_HANDOFF) { /* its Gs stay in the ring */
        canvas_text(p->c, (struct rect){p->k->gutter, y, p->k->gutter_w - 1, 1}, p->k->gutter, y, f->role, f->label);
        return;
    }
    int x = draw_reach(p, f->row_from, f->role);
    canvas_hline(p->c, p->in, p->k->gutter, y, end - p->k->gutter, f->role, 0x2500);
    if (f->kind == ARROW_TO_GLOBQ)
        canvas_put(p->c, p->in, end - 1, y, f->role, 0x25b6);
    else
        canvas_put(p->c, p->in, x, y, f->role, 0x25c0);
    if (f->kind == ARROW_WAKE)
        canvas_put(p->c, p->in, end, y, f->role, ' ');
    else
        canvas_put(p->c, p->in, end, y, f->role, 'Q');
    canvas_text(p->c, (struct rect){p->k->gutter, y, p->k->gutter_w - 3, 1}, p->k->gutter + 1, y, f->role, f->label);
}

/* Draws an arrow from the gutter's left edge to the lane, along it, and back. */
static void trace_arrow(struct gutter *g, const struct place *p, const struct flight *f, int lane)
{
    int from = processors_y(p->pl, f->row_from) - p->in.y, to = processors_y(p->pl, f->row_to) - p->in.y;
    int top = from < to ? from : to, bottom = from < to ? to : from;
    for (int x = 0; x < lane; x++) {
        way(g, x, from, LEFT | RIGHT, f->role);
        way(g, x, to, LEFT | RIGHT, f->role);
    }
    way(g, lane, top, LEFT | DOWN, f->role);
    way(g, lane, bottom, LEFT | UP, f->role);
    for (int y = top + 1; y < bottom; y++)
        way(g, lane, y, UP | DOWN, f->role);
}

void processors_arrows(const struct view *v, struct canvas *c, struct rect in, const struct processors_columns *k, const struct places *pl)
{
    struct flight f[ARROWS_MAX];
    struct span span[ARROWS_MAX];
    struct gutter g = {0};
    const struct place place = {c, in, k, pl};
    enum { FIRST_LANE = 4 }; /* the number is to its left */
    int n = flights_of(v, pl, f);
    for (int i = 0; i < n; i++) {
        bool down = f[i].row_from < f[i].row_to;
        span[i] = (struct span){down ? f[i].row_from : f[i].row_to, down ? f[i].row_to : f[i].row_from, 0};
    }
    arrows_lanes(span, n);
    find_shared(f, n);
    for (int i = n - 1; i >= 0; i--)
        if (is_on_one_row(&f[i]) && !is_covered(f, i))
            draw_one_row(&place, &f[i]);
    for (int i = n - 1; i >= 0; i--)
        if (!is_on_one_row(&f[i]) && FIRST_LANE + span[i].lane < k->gutter_w - 1)
            trace_arrow(&g, &place, &f[i], FIRST_LANE + span[i].lane);
    draw_gutter(c, in, k, &g);
    for (int i = n - 1; i >= 0; i--)
        if (!is_on_one_row(&f[i]) && FIRST_LANE + span[i].lane < k->gutter_w - 1)
            draw_ends(&place, &f[i]);
}
