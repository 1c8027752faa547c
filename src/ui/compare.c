/* Two runs on one screen: next to each other, one above the other, or on a small terminal one at a time. Below them is the table of
 * counters; the last row has the keys.
 *
 * Each run is drawn by a layout into its part of the screen, without the layout's row of keys. What differs between the runs is marked:
 * diff_runs() finds it once a frame.
 */
#include "ui/frame.h"

#include "ui/boxes/boxes.h"
#include "ui/input/keys.h"
#include "ui/panes/counters.h"
#include "ui/panes/verdict.h"

#include <limits.h>
#include <stdio.h>

enum way { NEXT_TO, ABOVE, ONE, WAYS };

struct areas {
    enum way way;
    const struct layout *layout; /* of each side */
    uint32_t without;            /* its panes that are left out: left_out() */
    struct rect side[SIDES], table;
    int line; /* x of the line between both, 0: none */
};

/* ---- where things are ---- */

/* Picks a layout that is higher than the area: its row of keys is not drawn, and with one run above the other, nor is the row of the population. */
static const struct layout *pick(const struct ui *u, enum way way, int w, int h)
{
    enum { KEYS = 1, POPULATION = 1 };
    return layouts_pick(&u->layouts, w, h + KEYS + (way == ABOVE ? POPULATION : 0));
}

static int frame_rows(const struct ui *u)
{
    struct layout_pane p = {.rect = {0, 0, 9, 9}};
    return 9 - pane_inside(&u->canvas, &p).h;
}

/* Panes with a box need no line between the runs. */
static int width_of(const struct ui *u, enum way way, int h)
{
    bool line = frame_rows(u) < 2 && pick(u, way, (u->w - 1) / 2, h);
    return way == NEXT_TO ? (u->w - line) / 2 : u->w;
}

static void put_sides(const struct ui *u, struct areas *a, int h)
{
    int w = width_of(u, a->way, h);
    a->side[LEFT] = a->side[RIGHT] = (struct rect){0, 0, w, h};
    a->line = 0;
    if (a->way == NEXT_TO) {
        a->side[RIGHT].x = u->w - w;
        a->line = u->w > 2 * w && frame_rows(u) < 2 ? w : 0;
    } else if (a->way == ABOVE) {
        a->side[LEFT].h = h / 2;
        a->side[RIGHT] = (struct rect){0, h / 2, w, h - h / 2};
    }
}

/* Returns true if both runs fit in this way. The table gets the remaining rows: at most a third of the screen, and at least two, for
 * counters and for times. */
static bool fits(const struct ui *u, enum way way, struct areas *a)
{
    int inner = u->counters ? counters_rows(u->w - 2) : verdict_rows(u->w - frame_rows(u));
    int room = u->h - 1, frame = frame_rows(u), most = frame + inner, least = frame + 2;
    int share = way == ONE ? 2 * room / 5 : room / 3;
    most = most > share ? share : most;
    a->way = way;
    for (int table = most < least ? least : most; table >= least; table--) {
        put_sides(u, a, room - table);
        if ((a->layout = pick(u, way, a->side[LEFT].w, a->side[LEFT].h))) {
            a->table = (struct rect){0, room - table, u->w, table};
            return true;
        }
    }
    return false;
}

static bool find_areas(const struct ui *u, struct areas *a)
{
    for (enum way way = NEXT_TO; way < WAYS; way++)
        if (fits(u, way, a))
            return true;
    return false;
}

/* Computes the smallest terminal for both runs, and for one. */
static void least(const struct ui *u, int *both, int *one, int *h)
{
    layouts_least(&u->layouts, one, h);
    *both = 2 * *one;
    *h += 1 + 2; /* the screen's row of keys takes the place of the layout's; a rule and two rows of the table */
}

/* ---- drawing ---- */

static struct view side_view(struct ui *u, int side)
{
    struct view v = ui_view(u, side);
    v.settings_text = u->run[side].settings_text;
    v.side = tx(u->lang, side == LEFT ? TX_LEFT : TX_RIGHT);
    return v;
}

static int solve_side(const struct areas *a, uint32_t without, struct rect r, int dock, struct layout_pane *pane, int max)
{
    uint32_t hides = without | (dock ? dock_hides(r.h) : 0);
    int n = layout_solve_cut(a->layout, (struct layout_cut){hides, 0, 0}, r.w, r.h + 1 - dock, pane, max);
    bool row = n && pane[n - 1].kind == PANE_keys; /* the screen's row of keys takes the place of the layout's */
    return row ? n : layout_solve_cut(a->layout, (struct layout_cut){hides, 0, 0}, r.w, r.h - dock, pane, max);
}

/* Where not all Ps of both runs would have a row, panes that say less about two runs give theirs: the output, the population, and if there would
 * be fewer than FEW rows, what is next to the threads, too. Both sides show the same panes. */
static uint32_t left_out(const struct ui *u, const struct view v[SIDES], const struct areas *a)
{
    static const uint32_t give[] = {0, 1u << PANE_output, 1u << PANE_output | 1u << PANE_population,
                                    1u << PANE_output | 1u << PANE_population | 1u << PANE_threads | 1u << PANE_global_queue};
    enum { GIVES = sizeof give / sizeof *give, FEW = 4 };
    struct layout_pane pane[PANES_MAX];
    int k = 0;
    for (int i = 0; i < SIDES; i++) {
        bool fits = false;
        for (int m = k; m < GIVES && !fits; m++) {
            int n = solve_side(a, give[m], a->side[i], dock_rows(u, a->side[i].h), pane, PANES_MAX);
            int np = v[i].md ? (int)model_np(v[i].md) : 0, enough = m + 2 < GIVES || np < FEW ? np : FEW;
            fits = true; /* also where no pane shows Ps */
            for (int p = 0; p < n; p++)
                if (pane[p].kind == PANE_processors)
                    fits = pane_inside(&u->canvas, &pane[p]).h > enough;
            k = m;
        }
    }
    return give[k];
}

/* Appends the side's panes to those that are placed, and draws them. */
static void draw_side(struct ui *u, int side, const struct view *v, const struct areas *a)
{
    struct rect r = a->side[side];
    struct placed *p = &u->placed;
    struct view shown = *v;
    struct pane_source from = ui_source(u, side);
    struct layout_pane *pane = &p->pane[p->n];
    const struct layout *l = a->layout;
    int dock = dock_rows(u, r.h);
    int n = solve_side(a, a->without, r, dock, pane, PANES_MAX - p->n - 1), kept = 0;
    if (side == LEFT || u->placed.one)
        frame_note_fallback(u, l, r.w, r.h + 1);
    for (int i = 0; i < n; i++) {
        if (pane[i].kind == PANE_keys)
            continue;
        pane[kept] = pane[i];
        pane[kept].rect.x += r.x;
        pane[kept++].rect.y += r.y;
    }
    p->docked = dock;
    if (dock)
        pane[kept++] = dock_pane(u, (struct layout_rect){r.x, r.y + r.h - dock, r.w, dock});
    shown.focused = ui_focused(u, p->n + kept);
    shown.on_screen = panes_kinds(&u->canvas, pane, kept);
    panes_prepare(&shown, &u->canvas, pane, kept, &from);
    panes_draw(&shown, &u->canvas, pane, kept);
    p->n += kept;
    if (dock)
        dock_hint(u, &pane[kept - 1]);
    p->of_left += side == LEFT ? kept : 0;
}

/* Writes how to see the other run. Says why that one is stopped if the badge of the run shown does not say why, and if there is room. */
static void hint_of_one(struct ui *u, const struct view v[SIDES], char *buf, size_t size)
{
    enum { TITLE_W = 44 };
    int both, one, h;
    char words[SIDES][STOP_TEXT];
    const struct view *other = &v[!u->right_shown];
    buf[0] = '\0';
    for (int i = 0; i < SIDES; i++)
        stop_words(&v[i].st.stop, u->lang, words[i], sizeof words[i]);
    least(u, &both, &one, &h);
    if (other->st.paused && *words[!u->right_shown] && !*words[u->right_shown])
        snprintf(buf, size, tx(u->lang, TX_COMPARE_OTHER), other->side, words[!u->right_shown]);
    if (!buf[0] || text_width(buf) > u->w - TITLE_W)
        snprintf(buf, size, tx(u->lang, TX_COMPARE_ONE), both, h);
}

/* Writes what is the same in both runs. */
static void hint_text(struct ui *u, const struct view *v, char *buf, size_t size)
{
    char pace[48], seed[64] = "";
    const char *generation = v->diff.generation ? "" : v->st.generation;
    if (!v->diff.seed)
        snprintf(seed, sizeof seed, tx(u->lang, TX_SEED), (unsigned long long)v->st.seed);
    snprintf(buf, size, "%s%s%s%s%s", generation, *generation ? " · " : "", seed, *seed ? " · " : "", pace_text(v, pace, sizeof pace));
}

static void draw_keys(struct ui *u, struct view *v)
{
    struct key_hint hint[KEY_HINTS_MAX];
    struct layout_pane row = pane_standard(PANE_keys, (struct layout_rect){0, u->h - 1, u->w, 1});
    frame_place_note(u);
    v->hint = hint;
    v->nhints = key_hints(u, hint);
    panes_draw(v, &u->canvas, &row, 1);
}

static void draw_too_small(struct ui *u)
{
    u->placed.nothing = true;
    int both, w, h;
    char text[128];
    least(u, &both, &w, &h);
    snprintf(text, sizeof text, tx(u->lang, TX_TOO_SMALL), u->w, u->h, w, h);
    canvas_text(&u->canvas, (struct rect){0, 0, u->w, u->h}, 0, 0, ROLE_error, text);
}

void compare_draw(struct ui *u)
{
    struct areas a;
    char hint[128 + STOP_TEXT];
    struct view v[SIDES] = {side_view(u, LEFT), side_view(u, RIGHT)};
    u->placed.one = false;
    if (!find_areas(u, &a)) {
        draw_too_small(u);
        return;
    }
    u->placed.one = a.way == ONE;
    a.without = left_out(u, v, &a);
    diff_runs(&v[LEFT], &v[RIGHT]);
    for (int i = 0; i < SIDES; i++)
        if (a.way != ONE || i == u->right_shown)
            draw_side(u, i, &v[i], &a);
    select_draw(&u->select, &u->canvas, u->placed.pane, u->placed.n);
    if (a.line)
        canvas_vline(&u->canvas, (struct rect){0, 0, u->w, u->h}, a.line, 0, a.table.y, ROLE_border, 0x2502);
    if (u->placed.one)
        hint_of_one(u, v, hint, sizeof hint);
    else
        hint_text(u, &v[LEFT], hint, sizeof hint);
    if (u->counters)
        counters_draw(&v[LEFT], &v[RIGHT], &u->canvas, a.table, hint);
    else
        verdict_draw(&(struct verdict_facts){{&v[LEFT], &v[RIGHT]}, &u->verdict, u->cfg->subject}, &u->canvas, a.table, hint);
    draw_keys(u, &v[LEFT]);
}
