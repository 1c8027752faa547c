/* Why a runnable G is still not running: what the log says about its place in a queue. */
#include "ui/panes/parts/life.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { COUNTED = 1 << 16 }; /* at most so many events are searched for what was taken: a few ms */

void cause_add(struct causes *to, uint64_t event, const char *fmt, ...)
{
    va_list ap;
    if (to->n == CAUSES_MAX)
        return;
    struct cause *c = &to->v[to->n++];
    c->event = event;
    c->brief = 0;
    va_start(ap, fmt);
    vsnprintf(c->text, sizeof c->text, fmt, ap);
    va_end(ap);
}

/* What was taken from queues since an event. */
struct taken {
    uint32_t p;           /* from the queue of this P, */
    uint32_t own, stolen; /* by itself, by thieves */
    uint64_t to;
};

static bool counts(void *ctx, const struct history_event *e)
{
    struct taken *t = ctx;
    if (e->number > t->to)
        return true; /* enough */
    if (e->ev.kind == EV_STEAL)
        t->stolen += e->ev.a == t->p ? (uint32_t)ev_value(&e->ev, e->m, ev_field(EV_STEAL, "n", 1)) : 0;
    else if (e->ev.p == t->p)
        t->own++;
    return false;
}

/* Returns false if there is too much to count. */
static bool count_taken(struct taken *t, struct history *h, uint64_t from)
{
    static const bool kinds[EV_KINDS] = {[EV_RUNQ_GET] = true, [EV_RUNNEXT_GET] = true, [EV_STEAL] = true};
    struct history_search all = {counts, t, kinds, COUNTED};
    uint64_t next;
    if (from > t->to || t->to - from > COUNTED)
        return false;
    history_search(h, from, 1, &all, &next);
    return true;
}

/* Returns true if this event of the G names its new place, or the M or P that took it. */
static bool is_put(const struct ev *e, uint32_t g)
{
    if (e->kind == EV_RUNNEXT_PUT)
        return e->g == g;
    return e->g == g && (e->kind == EV_RUNQ_PUT || e->kind == EV_RUNQ_OVERFLOW || e->kind == EV_GLOBQ_PUT);
}

static bool is_taken(const struct ev *e, uint32_t g)
{
    return e->g == g && (e->kind == EV_RUNQ_GET || e->kind == EV_RUNNEXT_GET || e->kind == EV_GLOBQ_GET || e->kind == EV_STEAL ||
                         e->kind == EV_RUNQ_POP || e->kind == EV_M_NEXTG);
}

struct moves {
    struct history_event put, got;
};

/* Returns the last event after `since` that put the G into a queue, and the last one that took it out. */
static struct moves find_moves(struct history *h, uint32_t g, uint64_t since, uint64_t now)
{
    struct moves m = {0};
    struct history_subject s = {.kind = SUBJECT_G, .id = g};
    struct history_event e;
    for (uint64_t n = now; n >= since && (n = history_chain(h, &s, n, since, -1)) && history_get(h, n, &e); n--) {
        if (!m.put.number && is_put(&e.ev, g))
            m.put = e;
        if (!m.got.number && !m.put.number && is_taken(&e.ev, g))
            m.got = e;
        if (m.put.number || n == since)
            break;
    }
    return m;
}

/* Returns true if the G is still where the event put it. A batch may have moved it since, without naming it. */
static bool still_there(const struct model_g *g, const struct ev *put)
{
    switch (g->place) {
    case PLACE_RUNQ:
        return put->kind == EV_RUNQ_PUT && put->p == g->where && put->a == g->slot;
    case PLACE_RUNNEXT:
        return put->kind == EV_RUNNEXT_PUT && put->p == g->where;
    case PLACE_GLOBQ:
        return put->kind == EV_GLOBQ_PUT || put->kind == EV_RUNQ_OVERFLOW;
    default:
        return false;
    }
}

/* Returns true if the G was taken from where the event put it. */
static bool from_there(const struct ev *got, const struct ev *put)
{
    switch (got->kind) {
    case EV_RUNQ_GET:
        return put->kind == EV_RUNQ_PUT && put->p == got->p && put->a == got->a;
    case EV_RUNNEXT_GET:
        return put->kind == EV_RUNNEXT_PUT && put->p == got->p;
    case EV_STEAL:
        return (put->kind == EV_RUNQ_PUT || put->kind == EV_RUNNEXT_PUT) && put->p == got->a;
    case EV_GLOBQ_GET:
        return put->kind == EV_GLOBQ_PUT || put->kind == EV_RUNQ_OVERFLOW;
    default:
        return false;
    }
}

static void add_event(struct causes *to, const struct view *v, enum text_id text, const struct history_event *e, struct history *h)
{
    struct session_event shown;
    char buf[SENTENCE_BYTES];
    if (e->number && list_copy(h, e->number, &shown))
        cause_add(to, e->number, tx(v->lang, text), sentence_of(v, &shown, buf));
}

/* Adds the P that comes first to the round in which it looks into the global queue before its own. */
static void add_look(struct causes *to, const struct view *v)
{
    enum { PERIOD = 61 };
    if (is_partial(v)) /* the ticks of the Ps are not known */
        return;
    uint32_t first = EV_NO_P, least = PERIOD;
    for (uint32_t p = 0; p < model_np(v->md); p++) {
        const struct model_p *mp = model_p(v->md, p);
        uint32_t left = (PERIOD - mp->schedtick % PERIOD) % PERIOD;
        if (mp->status == P_RUNNING && !model_p_in_call(v->md, p) && left < least) {
            least = left;
            first = p;
        }
    }
    if (first != EV_NO_P && !v->st.no_tick61)
        cause_add(to, 0, tx(v->lang, TX_WHY_LOOK_61), first, least);
    else if (!v->st.no_p)
        cause_add(to, 0, "%s", tx(v->lang, TX_WHY_LOOK));
}

void causes_of_runnable(struct causes *to, const struct model_g *g, uint64_t since, const struct view *v, struct history *h)
{
    struct history_event began = {0};
    if (!since || !history_get(h, since, &began))
        return;
    add_event(to, v, TX_WHY_SINCE, &began, h);
    struct moves m = find_moves(h, g->id, since, v->st.events);
    struct history_event put = m.put, got = m.got;
    bool hand = g->place == PLACE_IN_TRANSIT && got.number;
    bool known = put.number && (hand ? from_there(&got.ev, &put.ev) : !got.number && still_there(g, &put.ev));
    bool global = known && (put.ev.kind == EV_GLOBQ_PUT || put.ev.kind == EV_RUNQ_OVERFLOW);
    if (known && put.number != since)
        add_event(to, v, TX_WHY_PUT, &put, h);
    if (hand)
        add_event(to, v, TX_WHY_GOT, &got, h);
    struct taken t = {.p = hand && global ? got.ev.p : put.ev.p, .to = hand ? got.number - 1 : v->st.events};
    if (known && (v->st.paused || v->st.ended) && !v->st.no_p && t.p != EV_NO_P && count_taken(&t, h, put.number + 1))
        cause_add(to, 0, tx(v->lang, TX_WHY_TAKEN), t.p, t.p, t.own, t.stolen);
    if (g->place == PLACE_GLOBQ)
        add_look(to, v);
}
