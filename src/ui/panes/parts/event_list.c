/* The rows of a list of events, and its cursor. */
#include "ui/panes/parts/event_list.h"

#include <string.h>

/* ---- reading ---- */

static struct history_subject subject_of(uint32_t tag)
{
    static const enum subject_kind kind[] = {[THING_P] = SUBJECT_P, [THING_M] = SUBJECT_M, [THING_G] = SUBJECT_G};
    return (struct history_subject){.kind = kind[thing_kind(tag)], .id = thing_id(tag)};
}

static bool is_wanted(const struct event_list *l, struct history *h, const struct history_event *e)
{
    return l->wanted ? l->wanted(l, h, e) : l->details || ev_desc[e->ev.kind].level == EV_CORE;
}

/* Nothing is about a G before the event that makes it. */
static void note_birth(struct event_list *l, const struct history_event *e)
{
    if (e->ev.kind != EV_G_CREATE || tag_of('G', e->ev.g) != l->only)
        return;
    l->oldest = e->number - 1;
    l->partly = false;
}

/* Where nothing was found, nothing is looked for again until the next list_read(): a frame asks several times. */
static uint64_t look_for(struct event_list *l, struct history *h, uint64_t n, int step)
{
    struct history_event e;
    uint64_t from = n;
    n = step > 0 && n <= l->oldest ? l->oldest + 1 : n;
    while (n > l->oldest && n <= l->newest) {
        if (l->only) {
            struct history_subject s = subject_of(l->only);
            n = history_chain(h, &s, n, step < 0 ? l->oldest + 1 : l->newest, step);
        }
        if (!n || !history_get(h, n, &e))
            break;
        if (l->only)
            note_birth(l, &e);
        if (is_wanted(l, h, &e))
            return n;
        n += (uint64_t)(int64_t)step; /* below 1 it wraps to 0, which ends the loop */
    }
    if (step < 0 && from > l->oldest && from <= l->newest)
        l->oldest = from;
    return 0;
}

/* Returns the nearest of the events found, from n on in this direction; 0: none. */
static uint64_t found_from(const struct list_found *f, uint64_t n, int step)
{
    int i = 0;
    while (i < f->n && f->at[i] > n)
        i++;
    i -= step > 0 && (i == f->n || f->at[i] < n);
    return i >= 0 && i < f->n ? f->at[i] : 0;
}

/* A search back from n has ended at `next` (0: nowhere). */
static void note_found(struct list_found *f, uint64_t n, uint64_t next)
{
    if (f->low > f->high || n != f->low - 1)
        *f = (struct list_found){.low = n + 1, .high = n};
    if (!next || f->n == LIST_ROWS)
        return;
    f->at[f->n++] = next;
    f->low = next;
}

static uint64_t next_wanted(struct event_list *l, struct history *h, uint64_t n, int step)
{
    struct list_found *f = &l->found;
    if (n >= f->low && n <= f->high) {
        uint64_t found = found_from(f, n, step);
        if (found)
            return found;
        n = step < 0 ? f->low - 1 : f->high + 1;
    }
    uint64_t next = look_for(l, h, n, step);
    if (step < 0)
        note_found(f, n, next);
    return next;
}

uint64_t list_next(struct event_list *l, struct history *h, uint64_t n, int step)
{
    uint64_t best = next_wanted(l, h, n, step);
    for (int i = 0; i < l->nextra; i++) {
        uint64_t x = l->extra[i];
        if (step > 0 ? x >= n && (!best || x < best) : x <= n && x > best)
            best = x;
    }
    return best;
}

bool list_copy(struct history *h, uint64_t number, struct session_event *out)
{
    struct history_event e;
    if (!history_get(h, number, &e))
        return false;
    *out = (struct session_event){.number = e.number, .m = e.m, .ev = e.ev};
    if (e.len)
        memcpy(out->text, e.text, e.len < sizeof out->text ? e.len : sizeof out->text - 1);
    return true;
}

/* Walks n listed events from `at`, fewer if there are no more. */
static uint64_t walk(struct event_list *l, struct history *h, uint64_t at, int64_t n)
{
    int step = n < 0 ? -1 : 1;
    for (; at && n; n -= step) {
        uint64_t next = list_next(l, h, at + (uint64_t)(int64_t)step, step);
        if (!next)
            break;
        at = next;
    }
    return at;
}

/* Returns the listed event at or before n, else the one after it; 0: nothing is listed. */
static uint64_t snap(struct event_list *l, struct history *h, uint64_t n)
{
    n = n > l->newest ? l->newest : n;
    uint64_t at = list_next(l, h, n, -1);
    return at ? at : list_next(l, h, n > l->oldest ? n : l->oldest + 1, 1);
}

static void move_cursor(struct event_list *l, struct history *h)
{
    uint64_t from = l->free && l->cursor ? l->cursor : l->shown;
    l->free = l->free || l->by || l->end;
    if (l->end)
        from = l->end < 0 ? l->oldest + 1 : l->newest;
    l->cursor = walk(l, h, snap(l, h, from), l->by);
    l->by = l->end = 0;
}

/* Reads the rows from `top` on. Returns whether the cursor is among them. */
static bool read_rows(struct event_list *l, struct history *h, int rows)
{
    struct spawn_history all = {.h = h, .last = l->newest};
    uint64_t n = l->top;
    l->n = 0;
    l->at = -1;
    while (n && l->n < rows && list_copy(h, n, &l->row[l->n])) {
        l->told[l->n] = l->folds && !l->only ? spawn_tells(spawn_read_history, &all, (int64_t)n, -1) : (struct spawn_told){0};
        l->at = n == l->cursor ? l->n : l->at;
        l->n++;
        n = list_next(l, h, n + 1, 1);
    }
    return l->at >= 0;
}

/* Chooses the first row so that the cursor is visible. If the cursor was not moved, up to a third of the rows show later events, below the
 * cursor. */
static void choose_top(struct event_list *l, struct history *h, int rows)
{
    uint64_t at = l->cursor;
    int below = 0;
    for (uint64_t next; below < rows / 3 && !l->free && (next = list_next(l, h, at + 1, 1)); below++)
        at = next;
    l->top = walk(l, h, l->cursor, -(rows - 1 - below));
}

/* The events that one frame looks through for those about one subject, while the run continues: some 2 ms. More would hold up the run,
 * because the events that it makes wait until the frame has been read. Paused, and where the cursor was moved, the list is whole. */
enum { LIVE_EVENTS = 200000 };

uint64_t list_oldest(const struct view *v, const struct history *h)
{
    uint64_t oldest = history_oldest(h), events = history_events(h);
    bool live = !v->st.paused && !v->st.ended;
    return live && events - oldest > LIVE_EVENTS ? events - LIVE_EVENTS : oldest;
}

void list_read(struct event_list *l, const struct view *v, int rows, struct history *h)
{
    rows = rows < LIST_ROWS ? rows : LIST_ROWS;
    if (v->st.events != l->shown && v->st.paused)
        l->free = false;
    l->shown = v->st.events;
    l->newest = history_events(h);
    l->oldest = l->only && !l->free ? list_oldest(v, h) : history_oldest(h);
    l->partly = l->oldest > history_oldest(h);
    l->found = (struct list_found){0};
    struct spawn_history all = {.h = h, .last = l->newest};
    l->boot = l->folds && !l->only ? boot_read(spawn_read_history, &all) : (struct boot){0};
    move_cursor(l, h);
    l->top = l->free && l->top <= l->cursor ? snap(l, h, l->top) : l->free ? l->cursor : 0;
    if (!read_rows(l, h, rows))
        choose_top(l, h, rows);
    else if (l->n < rows)
        l->top = walk(l, h, l->top, -(rows - l->n));
    read_rows(l, h, rows);
}

struct reading {
    struct event_list *l;
    const struct view *v;
    int rows;
};

static void read_list(struct history *h, void *ctx)
{
    struct reading *r = ctx;
    list_read(r->l, r->v, r->rows, h);
}

/* A list that leaves out the events before it says what they come to. */
const char *list_sentence(const struct event_list *l, const struct view *v, int i, char buf[SENTENCE_BYTES])
{
    const struct session_event *e = &l->row[i];
    bool nobody = l->folds && e->ev.kind == EV_SPIN_STOP && e->ev.c == SPIN_STOP_NO_IDLE_P;
    if (l->boot.at && e->number == (uint64_t)l->boot.at)
        return boot_sentence(v, l->boot, buf);
    if (l->told[i].n > 1)
        return spawns_sentence(v, e, l->told[i], buf);
    return nobody ? tx(v->lang, TX_NOBODY_WOKEN) : sentence_of(v, e, buf);
}

static void find_text(struct event_list *l, const struct view *v)
{
    char buf[SENTENCE_BYTES];
    for (int i = 0; i < l->n; i++)
        l->hit[i] = strcasestr(list_sentence(l, v, i, buf), v->text);
}

void list_prepare(struct event_list *l, const struct view *v, int rows, const struct pane_source *from)
{
    struct reading r = {l, v, rows};
    uint64_t number[LIST_ROWS];
    if (!from->query(from->session, read_list, &r))
        l->n = 0;
    for (int i = 0; i < l->n; i++)
        number[i] = l->row[i].number;
    memset(l->hit, 0, sizeof l->hit);
    if (v->text && v->text[0])
        find_text(l, v);
    else if (v->pattern && v->pattern[0])
        from->matches(from->session, v->pattern, number, l->n, l->hit);
}

/* ---- drawing ---- */

void list_mark(const struct event_list *l, struct canvas *c, struct rect in, int i, int y)
{
    if (l->row[i].number == l->shown)
        canvas_put(c, in, in.x, y, ROLE_focus, 0x25b6);
    for (int x = in.x; l->free && i == l->at && x < in.x + in.w; x++)
        c->cell[y * c->w + x].chosen = true;
}

void list_text(struct canvas *c, struct rect in, int x, int y, int width, enum role role, const char *text)
{
    if (width < 2 || y < in.y || y >= in.y + in.h)
        return;
    canvas_text(c, (struct rect){x, y, width, 1}, x, y, role, text);
}

/* ---- keys ---- */

struct pane_request list_key_move(const struct pane *p, const struct view *v, int by)
{
    struct event_list *l = p->state;
    (void)v;
    if (by == SCROLL_END || by == -SCROLL_END) {
        l->end = by > 0 ? 1 : -1;
        l->by = 0;
    } else {
        l->by += scroll_rows(by, p->in.h);
    }
    return (struct pane_request){.taken = true};
}

static struct pane_request go(struct event_list *l)
{
    if (l->at < 0)
        return (struct pane_request){.taken = true};
    const struct session_event *e = &l->row[l->at];
    uint64_t to = l->free ? e->number : 0; /* a cursor that was not moved is where the screen is */
    l->free = false;
    return (struct pane_request){.taken = true, .go_to = to, .select = e->ev.g ? tag_of('G', e->ev.g) : 0};
}

struct pane_request list_key_enter(const struct pane *p, const struct view *v, int by)
{
    (void)v;
    (void)by;
    return go(p->state);
}

struct pane_request list_click(struct event_list *l, int i)
{
    if (i < 0 || i >= l->n)
        return (struct pane_request){.taken = true};
    if (i == l->at && l->free)
        return go(l);
    l->cursor = l->row[i].number;
    l->at = i;
    l->free = true;
    return (struct pane_request){.taken = true};
}
