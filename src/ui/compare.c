/* Two runs: beside each other, or one above the other, or on a small terminal one at a time; below them the table of what both have
 * counted, in the last row the keys.
 *
 * Each run is drawn by a layout as ever, into its part of the screen, but for the row of keys. What is not the same on the other side is
 * marked, as a change is elsewhere (view.other).
 */
#include "ui/compare.h"

#include "ui/ui.h"

#include <stdio.h>
#include <string.h>

enum { LEFT, RIGHT, SIDES };
enum way { BESIDE, ABOVE, ONE, WAYS };

struct places {
    enum way way;
    struct rect side[SIDES], table;
    int line;                            /* x of the line between both, 0: none */
};

/* ---- where things are ---- */

/* A layout's row of keys is not drawn. */
static const struct layout *pick(const struct ui *u, int w, int h)
{
    return layouts_pick(&u->layouts, w, h + 1);
}

static int frame_rows(const struct ui *u)
{
    struct layout_pane p = {.rect = {0, 0, 9, 9}};
    return 9 - pane_inside(&u->canvas, &p).h;
}

/* Boxes need no line between them. */
static int width_of(const struct ui *u, enum way way, int h)
{
    bool line = frame_rows(u) < 2 && pick(u, (u->w - 1) / 2, h);
    return way == BESIDE ? (u->w - line) / 2 : u->w;
}

static void put_sides(const struct ui *u, struct places *p, int h)
{
    int w = width_of(u, p->way, h);
    p->side[LEFT] = p->side[RIGHT] = (struct rect){0, 0, w, h};
    p->line = 0;
    if (p->way == BESIDE) {
        p->side[RIGHT].x = u->w - w;
        p->line = u->w > 2 * w && frame_rows(u) < 2 ? w : 0;
    } else if (p->way == ABOVE) {
        p->side[LEFT].h = h / 2;
        p->side[RIGHT] = (struct rect){0, h / 2, w, h - h / 2};
    }
}

/* The table has as many rows as the runs leave to it, a third of the screen at most; two at least, for counters and for times. */
static bool fits(const struct ui *u, enum way way, struct places *p)
{
    int room = u->h - 1, frame = frame_rows(u), most = frame + counters_rows(u->w - 2), least = frame + 2;
    int share = room / (way == ONE ? 4 : 3);
    most = most > share ? share : most;
    p->way = way;
    for (int table = most < least ? least : most; table >= least; table--) {
        put_sides(u, p, room - table);
        if (pick(u, p->side[LEFT].w, p->side[LEFT].h)) {
            p->table = (struct rect){0, room - table, u->w, table};
            return true;
        }
    }
    return false;
}

static bool find_places(const struct ui *u, struct places *p)
{
    for (enum way way = BESIDE; way < WAYS; way++)
        if (fits(u, way, p))
            return true;
    return false;
}

/* The smallest terminal for both of them, and for one. */
static void least(const struct ui *u, int *beside, int *one, int *h)
{
    layouts_least(&u->layouts, one, h);
    *beside = 2 * *one;
    *h += 1 + 2; /* its row of keys is that of the screen; a rule and two rows of the table */
}

/* ---- drawing ---- */

static struct view one_view(const struct ui *u, const struct ui *side)
{
    struct view v = ui_view(side);
    v.base = NULL;
    v.base_lines = v.base_events = UINT64_MAX;
    v.lang = u->lang;
    v.told = side->cfg->told;
    v.side = tx(u->lang, side == u ? TX_LEFT : TX_RIGHT);
    return v;
}

static void draw_side(struct ui *u, const struct view *v, struct rect r)
{
    struct layout_pane pane[PANES_MAX];
    const struct layout *l = pick(u, r.w, r.h);
    int n = layout_solve(l, r.w, r.h + 1, pane, PANES_MAX), shown = 0;
    ui_tell_fallback(u, l, r.w, r.h + 1);
    for (int i = 0; i < n; i++) {
        if (pane[i].kind == PANE_keys)
            continue;
        pane[shown] = pane[i];
        pane[shown].rect.x += r.x;
        pane[shown++].rect.y += r.y;
    }
    panes_draw(v, &u->canvas, pane, shown);
    for (int i = 0; i < shown && u->npanes < PANES_MAX; i++)
        u->pane[u->npanes++] = pane[i];
}

static void draw_line(struct ui *u, int x, int h)
{
    if (x)
        canvas_vline(&u->canvas, (struct rect){0, 0, u->w, u->h}, x, 0, h, ROLE_border, 0x2502);
}

/* That of both; "": each has its own, in its first line. */
static const char *pair_generation(const struct ui *u)
{
    const char *left = u->st.generation, *right = u->other->st.generation;
    return left && right && strcmp(left, right) == 0 ? left : "";
}

/* What is the same for both, or how to see both. */
static void hint_text(const struct ui *u, const struct places *p, char *buf, size_t size)
{
    int beside, one, h;
    char pace[48], seed[64] = "";
    if (p->way == ONE) {
        least(u, &beside, &one, &h);
        snprintf(buf, size, tx(u->lang, TX_COMPARE_ONE), beside, h);
        return;
    }
    struct view v = ui_view(u);
    v.lang = u->lang;
    if (u->st.seed == u->other->st.seed)
        snprintf(seed, sizeof seed, tx(u->lang, TX_SEED), (unsigned long long)u->st.seed);
    snprintf(buf, size, "%s%s%s%s%s", pair_generation(u), *pair_generation(u) ? " · " : "", seed, *seed ? " · " : "",
             pace_text(&v, pace, sizeof pace));
}

static void draw_keys(struct ui *u, struct view *v)
{
    struct layout_pane keys = pane_standard(PANE_keys, (struct layout_rect){0, u->h - 1, u->w, 1});
    v->st.ended = u->st.ended && u->other->st.ended;
    panes_draw(v, &u->canvas, &keys, 1);
}

static void draw_too_small(struct ui *u)
{
    int beside, w, h;
    char text[128];
    least(u, &beside, &w, &h);
    snprintf(text, sizeof text, tx(u->lang, TX_TOO_SMALL), u->w, u->h, w, h);
    canvas_text(&u->canvas, (struct rect){0, 0, u->w, u->h}, 0, 0, ROLE_error, text);
}

void compare_draw(struct ui *u)
{
    struct places p;
    char hint[128];
    struct view v[SIDES] = {one_view(u, u), one_view(u, u->other)};
    if (!find_places(u, &p)) {
        draw_too_small(u);
        return;
    }
    for (int i = 0; i < SIDES; i++) {
        v[i].other = &v[!i];
        v[i].base = v[!i].md;
    }
    for (int i = 0; i < SIDES; i++)
        if (p.way != ONE || i == u->turned)
            draw_side(u, &v[i], p.side[i]);
    select_draw(&u->select, &u->canvas, u->pane, u->npanes);
    draw_line(u, p.line, p.table.y);
    hint_text(u, &p, hint, sizeof hint);
    counters_draw(&v[LEFT], &v[RIGHT], &u->canvas, p.table, hint);
    draw_keys(u, &v[LEFT]);
    for (int i = 0; i < SIDES; i++)
        if (u->inspect && (p.way != ONE || i == u->turned))
            inspect_draw(u, i == LEFT ? u : u->other, p.side[i]);
}

bool compare_turn(struct ui *u)
{
    struct places p;
    if (!find_places(u, &p) || p.way != ONE)
        return false;
    u->turned = !u->turned;
    return true;
}
