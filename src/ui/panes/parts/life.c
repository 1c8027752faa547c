/* Reads the life of one G from the history: the rows of its list, the batches that moved it, the strip of its states. */
#include "ui/panes/parts/life.h"

#include "model/report/report_tracks.h"

#include <stdio.h>
#include <string.h>

int life_state_after(uint32_t g, const struct ev *e)
{
    return e->g == g ? track_status_after(e) : -1;
}

/* Does the event move the G, change its state, or ask it to stop? */
static bool moves(uint32_t g, const struct ev *e)
{
    if (e->kind == EV_RUNNEXT_PUT && e->a == g)
        return true;
    switch (e->kind) {
    case EV_RUNNEXT_PUT:
    case EV_RUNNEXT_GET:
    case EV_RUNQ_PUT:
    case EV_RUNQ_GET:
    case EV_RUNQ_OVERFLOW:
    case EV_RUNQ_POP:
    case EV_GLOBQ_PUT:
    case EV_GLOBQ_GET:
    case EV_STEAL:
    case EV_M_NEXTG:
    case EV_G_DISABLE:
    case EV_PREEMPT_REQUEST:
        return e->g == g;
    default:
        return life_state_after(g, e) >= 0;
    }
}

static bool wanted(const struct event_list *l, struct history *h, const struct history_event *e)
{
    (void)h;
    return moves(thing_id(l->only), &e->ev);
}

static bool changes_state(const struct event_list *l, struct history *h, const struct history_event *e)
{
    (void)h;
    return life_state_after(thing_id(l->only), &e->ev) >= 0;
}

static bool is_live(const struct view *v)
{
    return !v->st.paused && !v->st.ended;
}

/* ---- batches that do not name the G ---- */

enum { SCAN_MOST = 40000, SCAN_LIVE = 4000 }; /* events: a few ms; while the run continues, each frame scans */

static void add_extra(struct life *life, uint64_t event, const struct model_g *g)
{
    struct event_list *l = &life->list;
    if (l->nextra == LIST_EXTRAS)
        return;
    life->went[l->nextra].place = g->place;
    life->went[l->nextra].where = g->where;
    l->extra[l->nextra++] = event;
}

/* Folds events `from` to `to`, and adds those that moved the G without naming it. */
static void scan(struct life *life, struct history *h, uint64_t from, uint64_t to)
{
    struct model *md = NULL;
    struct history_event e;
    if (!history_move(h, &md, from - 1))
        return;
    for (uint64_t n = from; n <= to && history_get(h, n, &e); n++) {
        const struct model_g *g = model_g(md, life->g);
        struct model_g was = g ? *g : (struct model_g){0};
        if (model_offer(md, e.m, &e.ev, e.text, e.len) != OFFER_APPLIED)
            break;
        g = model_g(md, life->g);
        bool moved = g && was.id && (g->place != was.place || g->where != was.where);
        if (moved && !moves(life->g, &e.ev))
            add_extra(life, n, g);
    }
    model_free(md);
    life->scanned_from = from;
    life->scanned_to = to;
}

/* Returns whether the extra rows have changed. */
static bool find_extras(struct life *life, const struct view *v, struct history *h)
{
    const struct event_list *l = &life->list;
    uint64_t from = l->row[0].number, to = l->row[l->n - 1].number, most = is_live(v) ? SCAN_LIVE : SCAN_MOST;
    int had = l->nextra;
    if (to - from > most || (from >= life->scanned_from && to <= life->scanned_to && life->scanned_to))
        return false;
    life->list.nextra = 0;
    scan(life, h, from, to);
    return had || l->nextra;
}

/* ---- how long each state lasted ---- */

/* The event before n that changed the state, and its time; 0: none. changes: lists the changes of state. */
static uint64_t state_before(struct event_list *changes, struct history *h, uint64_t n, int *state, int64_t *since)
{
    struct history_event e;
    uint64_t at = n > 1 ? list_next(changes, h, n - 1, -1) : 0;
    if (!at || !history_get(h, at, &e))
        return 0;
    *state = life_state_after(thing_id(changes->only), &e.ev);
    *since = e.ev.time;
    return at;
}

static void note_rows(struct life *life, struct event_list *changes, struct history *h)
{
    const struct event_list *l = &life->list;
    int state = G_IDLE;
    int64_t since = 0;
    if (l->n && !state_before(changes, h, l->row[0].number, &state, &since))
        state = G_IDLE;
    for (int i = 0; i < l->n; i++) {
        const struct session_event *e = &l->row[i];
        int next = life_state_after(life->g, &e->ev);
        life->note[i] = (struct move_note){.place = PLACE_DEAD};
        for (int k = 0; k < l->nextra; k++)
            if (l->extra[k] == e->number)
                life->note[i] = (struct move_note){.place = life->went[k].place, .where = life->went[k].where};
        if (next < 0)
            continue;
        life->note[i].was = (uint8_t)state;
        life->note[i].lasted = e->ev.time - since;
        state = next;
        since = e->ev.time;
    }
}

/* ---- the strip ---- */

/* LIVE_MOST: while the run continues, because then each frame reads them again. STRIP_EVENTS: some 10 ms. */
enum { CHANGES_MOST = 4000, LIVE_MOST = 200, STRIP_EVENTS = 1 << 20 };

struct change {
    int64_t time;
    uint8_t state;
};

static int column_of(const struct life *life, int64_t time, int64_t end)
{
    int64_t length = end - life->begins;
    double at = length > 0 ? (double)(time - life->begins) / (double)length * life->columns : 0;
    return at < 0 ? 0 : at >= life->columns ? life->columns - 1 : (int)at;
}

static void read_strip(struct life *life, struct event_list *changes, const struct view *v, struct history *h)
{
    static struct change all[CHANGES_MOST];
    int first = CHANGES_MOST, least = CHANGES_MOST - (is_live(v) ? LIVE_MOST : CHANGES_MOST), state;
    int64_t end = v->st.newest_time, since;
    uint64_t n = changes->newest + 1;
    if (changes->newest - changes->oldest > STRIP_EVENTS) {
        changes->oldest = changes->newest - STRIP_EVENTS;
        changes->partly = true;
    }
    while (first > least && (n = state_before(changes, h, n, &state, &since))) /* the latest changes of state */
        all[--first] = (struct change){since, (uint8_t)state};
    life->partly = changes->partly || is_partial(v) || (first == least && n && state_before(changes, h, n, &state, &since));
    memset(life->total, 0, sizeof life->total);
    memset(life->strip, G_IDLE, sizeof life->strip);
    life->begins = first < CHANGES_MOST ? all[first].time : end;
    for (int i = first; i < CHANGES_MOST; i++) {
        int64_t to = i + 1 < CHANGES_MOST ? all[i + 1].time : end;
        int64_t until = i + 1 < CHANGES_MOST && to < v->st.time ? to : v->st.time;
        life->total[all[i].state] += until > all[i].time ? until - all[i].time : 0;
        for (int x = column_of(life, all[i].time, end); x <= column_of(life, to, end) && x < life->columns; x++)
            life->strip[x] = all[i].state;
    }
    life->strip_at = life->list.newest;
    life->total_at = v->st.time;
    life->strip_columns = life->columns;
}

void life_read(struct life *life, const struct view *v, int rows, int columns, struct history *h)
{
    struct event_list *l = &life->list;
    l->wanted = wanted;
    life->columns = columns < STRIP_MAX ? columns : STRIP_MAX;
    list_read(l, v, rows, h);
    if (l->n && find_extras(life, v, h))
        list_read(l, v, rows, h);
    struct event_list changes = {.only = l->only, .wanted = changes_state, .oldest = l->oldest, .newest = l->newest, .partly = l->partly};
    note_rows(life, &changes, h);
    if (life->strip_at != l->newest || life->total_at != v->st.time || life->strip_columns != life->columns)
        read_strip(life, &changes, v, h);
    life->now = column_of(life, v->st.time, v->st.newest_time);
}

char *since_text(const struct view *v, int64_t since, char *buf, size_t size)
{
    if (v->st.time > since)
        return duration_text(v->st.time - since, buf, size);
    snprintf(buf, size, "0 ns"); /* a bare 0 reads like a count */
    return buf;
}
