/* Which rows are shown if not all fit.
 *
 * Of Ps, most rows are a window on the list, so that few rows change their place while the run continues. The window follows the selected
 * row. A few rows are for Ps outside of the window that matter now: what the event that the marks are about names, the row of the selected G,
 * and then what earlier sentences name. Ms have no window: those that act come first, then those that run a G, are in a system call, or spin.
 * The rows are in the order of the ids; a list may ask for lines that say how many are left out between them. All of it is a function of the
 * events and of the selection.
 */
#include "ui/panes/panes.h"

#include <stdio.h>
#include <string.h>

enum { ROWS_KNOWN = 16384 }; /* max_threads is 10,000 */

struct chosen {
    const struct view *v;
    const struct row_list *l;
    bool gaps;       /* with a line where rows are left out */
    int room, lines; /* lines that there are, and those that are used */
    int n;           /* rows that exist: id[0] … id[n - 1] */
    uint32_t id[ROWS_KNOWN];
    bool taken[ROWS_KNOWN];
};

static void list_rows(struct chosen *k)
{
    for (uint32_t id = 0; id < k->l->n && k->n < ROWS_KNOWN; id++)
        if (k->l->exists(k->v, id))
            k->id[k->n++] = id;
}

static uint32_t m_p(const struct model *md, uint32_t m)
{
    const struct model_m *mm = model_m(md, m);
    return mm ? mm->p : EV_NONE;
}

static uint32_t g_p(const struct model *md, uint32_t g)
{
    const struct model_g *mg = model_g(md, g);
    if (!mg)
        return EV_NONE;
    return mg->place == PLACE_RUNQ || mg->place == PLACE_RUNNEXT ? mg->where : mg->place == PLACE_RUNNING ? m_p(md, mg->where) : EV_NONE;
}

uint32_t thing_p(const struct model *md, uint32_t tag)
{
    uint32_t id = thing_id(tag), kind = thing_kind(tag);
    return !md || kind == THING_NONE ? EV_NONE : kind == THING_P ? id : kind == THING_M ? m_p(md, id) : g_p(md, id);
}

static uint32_t selected_id(const struct view *v, const struct row_list *l)
{
    return thing_kind(v->selected) == l->kind ? thing_id(v->selected) : EV_NONE;
}

/* Returns the index of a row, -1: there is none. */
static int find_row(const struct chosen *k, uint32_t id)
{
    for (int i = 0; i < k->n; i++)
        if (k->id[i] == id)
            return i;
    return -1;
}

/* The rows that are kept free for what matters now. */
static int pins(int room)
{
    return room <= 3 ? room : room < 8 ? 2 : 3;
}

enum { ROOM_FOR_ENDS = 8 };

/* Returns true if the rows that are left out before row i, or after the last one (i == n), need a line. At the ends only a high list has one. */
static bool is_gap(const struct chosen *k, int i, int rows_before)
{
    bool inside = rows_before > 0 && i < k->n;
    return k->gaps && i > 0 && !k->taken[i - 1] && (inside || k->room >= ROOM_FOR_ENDS);
}

/* Returns the lines that the taken rows need, with those for the gaps. */
static int lines_of(const struct chosen *k)
{
    int rows = 0, gaps = 0;
    for (int i = 0; i <= k->n; i++) {
        if (i < k->n && !k->taken[i])
            continue;
        gaps += is_gap(k, i, rows);
        rows++;
    }
    return rows - 1 + gaps;
}

static bool is_between(const struct chosen *k, int i)
{
    return (i == 0 || k->taken[i - 1]) && (i == k->n - 1 || k->taken[i + 1]);
}

/* Takes a row if there is room. If there is none, a row can still have the line of a gap that was for it alone. */
static void take(struct chosen *k, int i)
{
    if (i < 0 || k->taken[i] || (k->lines >= k->room && !is_between(k, i)))
        return;
    k->taken[i] = true;
    int lines = lines_of(k);
    k->taken[i] = lines <= k->room;
    if (k->taken[i])
        k->lines = lines;
}

static void take_window(struct chosen *k, int size)
{
    int at = find_row(k, selected_id(k->v, k->l)), first = at - size / 2;
    first = first > k->n - size ? k->n - size : first;
    first = at < 0 || first < 0 ? 0 : first;
    for (int i = first; i < first + size; i++)
        take(k, i);
}

/* Takes the rows that the event names. */
static void take_named(struct chosen *k, const struct session_event *e)
{
    for (int i = 0; i < k->n; i++)
        if (event_names(e, k->l->kind << THING_SHIFT | k->id[i]))
            take(k, i);
}

/* Takes the Ms that run a G, then those in a system call, then those that spin. */
static void take_busy(struct chosen *k)
{
    static const enum m_doing busy[] = {MD_RUN, MD_SYSCALL, MD_SPIN};
    for (size_t b = 0; b < sizeof busy / sizeof *busy; b++)
        for (int i = 0; i < k->n; i++)
            if (model_m_doing(k->v->md, k->id[i]) == busy[b])
                take(k, i);
}

/* Takes the selected row, then the rows that the event of the marks names. */
static void take_first(struct chosen *k)
{
    int now = event_now(k->v);
    take(k, find_row(k, selected_id(k->v, k->l)));
    if (now >= 0)
        take_named(k, &k->v->ev[now]);
}

/* Returns how many of these rows fit. */
static int count_first(struct chosen *k, bool gaps)
{
    int n = 0;
    k->gaps = gaps;
    take_first(k);
    for (int i = 0; i < k->n; i++) {
        n += k->taken[i];
        k->taken[i] = false;
    }
    k->lines = 0;
    return n;
}

/* Takes, in this order: the selected row; the rows that the event of the marks names; in a list of Ps, the P of the selection; in a list of Ms,
 * those that are busy; the rows that earlier sentences name; the remaining rows from the top. */
static void take_pins(struct chosen *k)
{
    const struct view *v = k->v;
    int now = event_now(v);
    take_first(k);
    if (k->l->kind == THING_P)
        take(k, find_row(k, thing_p(v->md, v->selected)));
    else
        take_busy(k);
    for (int i = now - 1; i >= 0 && k->lines < k->room; i--)
        if (event_listed(v, i))
            take_named(k, &v->ev[i]);
    for (int i = 0; i < k->n; i++)
        take(k, i);
}

/* Returns the rows of the window: what is not kept for other rows, each of which may have a gap above it. */
static int window_size(const struct chosen *k)
{
    int room = k->room, size = k->gaps ? room - (room < ROOM_FOR_ENDS ? 4 : room < 12 ? 6 : 8) : room - pins(room);
    return k->n <= room ? k->n : k->l->kind == THING_M || size < 0 ? 0 : size;
}

static void number_lines(struct rows *r, const struct chosen *k)
{
    uint32_t left_out = 0;
    for (int i = 0; i <= k->n; i++) {
        bool row = i < k->n && k->taken[i];
        if (i < k->n && !row) {
            left_out++;
            continue;
        }
        if (is_gap(k, i, r->n))
            r->gap[r->ngaps++] = (struct row_gap){r->lines++, left_out};
        if (row) {
            r->id[r->n] = k->id[i];
            r->line[r->n++] = r->lines++;
        }
        left_out = 0;
    }
}

static void choose(struct rows *r, struct chosen *k, bool gaps, int room)
{
    *r = (struct rows){0};
    k->room = room < 0 ? 0 : room > ROWS_MAX ? ROWS_MAX : room;
    list_rows(k);
    gaps = gaps && k->n > k->room && count_first(k, true) == count_first(k, false);
    k->gaps = gaps;
    take_window(k, window_size(k));
    take_pins(k);
    number_lines(r, k);
    r->hidden = (uint32_t)(k->n - r->n);
}

void rows_choose(struct rows *r, const struct view *v, const struct row_list *l, int room)
{
    struct chosen k = {.v = v, .l = l};
    choose(r, &k, false, room);
}

void rows_choose_with_gaps(struct rows *r, const struct view *v, const struct row_list *l, int room)
{
    struct chosen k = {.v = v, .l = l};
    choose(r, &k, true, room);
}

void rows_title(const struct rows *r, char *title, size_t size)
{
    size_t at = strlen(title);
    if (r->hidden && at < size)
        snprintf(title + at, size - at, " +%u", r->hidden);
}

struct pane_request rows_move(const struct view *v, const struct row_list *l, int by)
{
    struct chosen k = {.v = v, .l = l};
    uint32_t id = selected_id(v, l);
    if (!v->md || id == EV_NONE)
        return (struct pane_request){.taken = false};
    list_rows(&k);
    int at = find_row(&k, id), to = at + by;
    bool there = at >= 0 && to >= 0 && to < k.n;
    return (struct pane_request){.taken = true, .select = there ? l->kind << THING_SHIFT | k.id[to] : 0};
}

bool row_is_lit(const struct view *v, uint32_t tag)
{
    int now = event_now(v);
    return now >= 0 && event_names(&v->ev[now], tag);
}

void draw_lit(struct canvas *c, struct rect in, int y)
{
    canvas_put(c, in, in.x, y, ROLE_focus, 0x25b6);
}
