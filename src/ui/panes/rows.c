/* Which rows are shown if not all fit.
 *
 * Of Ps, most rows are a window on the list, so that few rows change their place while the run continues. The window follows the selected
 * row. A few rows are for Ps outside of the window that matter now: what the newest sentence names, the row of the selected G, and then what
 * earlier sentences name. Ms have no window: those that act come first, then those that run a G, are in a system call, or spin. The rows
 * are in the order of the ids. All of it is a function of the events and of the selection.
 */
#include "ui/panes/panes.h"

#include <stdio.h>
#include <string.h>

enum { ROWS_KNOWN = 16384 }; /* max_threads is 10,000 */

struct chosen {
    const struct view *v;
    const struct row_list *l;
    int n; /* rows that exist: id[0] … id[n - 1] */
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

static void take_window(struct chosen *k, int size)
{
    int at = find_row(k, selected_id(k->v, k->l)), first = at - size / 2;
    first = first > k->n - size ? k->n - size : first;
    first = at < 0 || first < 0 ? 0 : first;
    for (int i = first; i < first + size; i++)
        k->taken[i] = true;
}

/* Takes the rows that the event names, at most `left`. Returns how many are left then. */
static int take_named(struct chosen *k, const struct session_event *e, int left)
{
    for (int i = 0; i < k->n && left; i++)
        if (!k->taken[i] && event_names(e, k->l->kind << THING_SHIFT | k->id[i])) {
            k->taken[i] = true;
            left--;
        }
    return left;
}

static int take_row(struct chosen *k, uint32_t id, int left)
{
    int i = find_row(k, id);
    if (i < 0 || !left || k->taken[i])
        return left;
    k->taken[i] = true;
    return left - 1;
}

/* Takes the Ms that run a G, then those in a system call, then those that spin. */
static int take_busy(struct chosen *k, int left)
{
    static const enum m_doing busy[] = {MD_RUN, MD_SYSCALL, MD_SPIN};
    for (size_t b = 0; b < sizeof busy / sizeof *busy; b++)
        for (int i = 0; i < k->n && left; i++)
            if (model_m_doing(k->v->md, k->id[i]) == busy[b])
                left = take_row(k, k->id[i], left);
    return left;
}

/* Takes, in this order: the selected row; the rows that the newest sentence names; in a list of Ps, the P of the selection; in a list of Ms,
 * those that are busy; the rows that earlier sentences name; the remaining rows from the top. */
static void take_pins(struct chosen *k, int left)
{
    const struct view *v = k->v;
    int newest = newest_listed(v);
    left = take_row(k, selected_id(v, k->l), left);
    if (newest >= 0)
        left = take_named(k, &v->ev[newest], left);
    if (k->l->kind == THING_P)
        left = take_row(k, thing_p(v->md, v->selected), left);
    else
        left = take_busy(k, left);
    for (int i = newest - 1; i >= 0 && left; i--)
        if (event_listed(v, i))
            left = take_named(k, &v->ev[i], left);
    for (int i = 0; i < k->n && left; i++)
        left = take_row(k, k->id[i], left);
}

void rows_choose(struct rows *r, const struct view *v, const struct row_list *l, int room)
{
    struct chosen k = {.v = v, .l = l};
    *r = (struct rows){0};
    list_rows(&k);
    room = room < 0 ? 0 : room > ROWS_MAX ? ROWS_MAX : room;
    int size = k.n <= room ? k.n : l->kind == THING_M ? 0 : room - pins(room);
    take_window(&k, size);
    take_pins(&k, room - size);
    for (int i = 0; i < k.n; i++)
        if (k.taken[i])
            r->id[r->n++] = k.id[i];
    r->hidden = (uint32_t)(k.n - r->n);
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
    int newest = newest_listed(v);
    return newest >= 0 && event_names(&v->ev[newest], tag);
}

void draw_lit(struct canvas *c, struct rect in, int y)
{
    canvas_put(c, in, in.x, y, ROLE_focus, 0x25b6);
}
