/* Why a G is not running: a chain of causes, each with the event that says so. */
#include "ui/panes/life.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct chain {
    struct causes *to;
    const struct view *v;
    struct history *h;
};

__attribute__((format(printf, 3, 4))) static void add(struct chain *k, uint64_t event, const char *fmt, ...)
{
    va_list ap;
    if (k->to->n == CAUSES_MAX)
        return;
    struct cause *c = &k->to->v[k->to->n++];
    c->event = event;
    va_start(ap, fmt);
    vsnprintf(c->text, sizeof c->text, fmt, ap);
    va_end(ap);
}

/* Returns the last event up to the state shown that put the G into its state; 0: none. */
static uint64_t last_of(const struct chain *k, uint32_t g)
{
    struct history_subject s = {.kind = SUBJECT_G, .id = g};
    struct history_event e;
    uint64_t n = k->v->st.events;
    while (n && (n = history_chain(k->h, &s, n, 1, -1))) {
        if (history_get(k->h, n, &e) && life_state_after(g, &e.ev) >= 0)
            return n;
        n--;
    }
    return 0;
}

static const char *since_text(const struct chain *k, int64_t since, char *buf, size_t size)
{
    return duration_text(k->v->st.time > since ? k->v->st.time - since : 0, buf, size);
}

/* Adds an event to the chain, in the words of its sentence; 0: none. */
static void add_event(struct chain *k, uint64_t event)
{
    struct session_event e;
    char buf[SENTENCE_BYTES];
    if (event && list_copy(k->h, event, &e))
        add(k, event, "%s", sentence_of(k->v, &e, buf));
}

static void add_running(struct chain *k, uint32_t m, uint32_t g)
{
    char name[EV_G_NAME], time[32];
    const struct model_g *mg = model_g(k->v->md, g);
    if (mg)
        add(k, last_of(k, g), tx(k->v->lang, TX_WHY_M_RUNS), m, ev_g_name(g, name), since_text(k, mg->since, time, sizeof time));
}

/* What keeps the P from running the Gs of its queue. */
static void add_p(struct chain *k, uint32_t p)
{
    const struct model_p *mp = model_p(k->v->md, p);
    const struct model_m *m = mp && mp->status == P_RUNNING ? model_m(k->v->md, mp->m) : NULL;
    if (m && m->curg)
        add_running(k, mp->m, m->curg);
    else if (m)
        add(k, 0, tx(k->v->lang, m->spinning ? TX_WHY_M_SPINS : TX_WHY_M_SCHEDULES), mp->m, p);
    else if (mp && mp->status == P_SYSCALL)
        add(k, 0, tx(k->v->lang, TX_WHY_P_SYSCALL), p);
    else if (mp && mp->status == P_GCSTOP)
        add(k, 0, tx(k->v->lang, TX_WHY_P_STOPPED), p);
    else if (mp)
        add(k, 0, tx(k->v->lang, TX_WHY_P_IDLE), p);
}

/* Adds which Ms or Ps could take a G from a queue. */
static void add_helpers(struct chain *k)
{
    const struct model *md = k->v->md;
    uint32_t spinning = model_nmspinning(md), idle = model_idlep(md, NULL);
    if (spinning)
        add(k, 0, tx(k->v->lang, TX_WHY_SPINNERS), spinning);
    else if (idle)
        add(k, 0, tx(k->v->lang, TX_WHY_IDLE_PS), idle);
    else if (!k->v->st.no_p)
        add(k, 0, "%s", tx(k->v->lang, TX_WHY_ALL_BUSY));
}

static uint32_t place_in_globq(const struct model *md, uint32_t g)
{
    const uint32_t *q;
    uint32_t n = model_globq(md, &q);
    for (uint32_t i = 0; i < n; i++)
        if (q[i] == g)
            return i + 1;
    return 0;
}

static void runnable(struct chain *k, const struct model_g *g, const char *name, const char *time)
{
    const struct view *v = k->v;
    const struct model_p *p = g->place == PLACE_RUNQ || g->place == PLACE_RUNNEXT ? model_p(v->md, g->where) : NULL;
    uint64_t event = last_of(k, g->id);
    if (g->place == PLACE_RUNQ && p)
        add(k, event, tx(v->lang, TX_WHY_RUNQ), name, time, g->slot - p->head + 1, p->tail - p->head, g->where);
    else if (g->place == PLACE_RUNNEXT)
        add(k, event, tx(v->lang, TX_WHY_RUNNEXT), name, time, g->where);
    else if (g->place == PLACE_GLOBQ)
        add(k, event, tx(v->lang, TX_WHY_GLOBQ), name, time, place_in_globq(v->md, g->id), model_globq(v->md, NULL));
    else if (g->place == PLACE_DISABLED)
        add(k, event, tx(v->lang, TX_WHY_DISABLED), name, time);
    else
        add(k, event, tx(v->lang, TX_WHY_HAND), name, time, g->where);
    if (p)
        add_p(k, g->where);
    if (p || g->place == PLACE_GLOBQ)
        add_helpers(k);
}

static void add_timer(struct chain *k, uint32_t g)
{
    char time[32];
    for (uint32_t p = 0; p < model_np(k->v->md); p++) {
        const struct model_p *mp = model_p(k->v->md, p);
        for (uint32_t i = 0; mp && i < mp->ntimers; i++)
            if (mp->timers[i].g == g)
                add(k, 0, tx(k->v->lang, TX_WHY_TIMER), p, time_text(mp->timers[i].when, time, sizeof time));
    }
}

void causes_of(struct causes *to, uint32_t id, const struct view *v, struct history *h)
{
    struct chain k = {to, v, h};
    char name[EV_G_NAME], time[32];
    const struct model_g *g = v->md && id ? model_g(v->md, id) : NULL;
    to->n = 0;
    if (!g)
        return;
    ev_g_name(g->id, name);
    since_text(&k, g->since, time, sizeof time);
    if (g->status == G_RUNNABLE)
        runnable(&k, g, name, time);
    else if (g->status == G_WAITING)
        add(&k, last_of(&k, g->id), tx(v->lang, TX_WHY_WAITS), name, time);
    else if (g->status == G_SYSCALL)
        add(&k, last_of(&k, g->id), tx(v->lang, TX_WHY_SYSCALL), name, time);
    else if (g->status == G_RUNNING)
        add(&k, last_of(&k, g->id), tx(v->lang, TX_WHY_RUNS), name, time);
    else
        add(&k, last_of(&k, g->id), tx(v->lang, TX_WHY_ENDED), name, time);
    if (g->status == G_WAITING || g->status == G_DEAD)
        add_event(&k, last_of(&k, g->id));
    if (g->status == G_WAITING)
        add_timer(&k, g->id);
}
