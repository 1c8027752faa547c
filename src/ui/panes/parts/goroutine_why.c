/* Why a G is not running: a chain of causes, each with the event that says so.
 *
 * The chain follows the G that this one waits for, by model/waits.h. It ends at a G that does not wait, where several Gs could release the last one,
 * or at a circle. */
#include "model/waits.h"
#include "ui/panes/parts/life.h"

#include <stdio.h>
#include <string.h>

struct chain {
    struct causes *to;
    const struct view *v;
    struct history *h;
    struct waits *w; /* NULL: not needed, or not known */
    int n;           /* the Gs so far */
};

#define add(k, event, ...) cause_add((k)->to, event, __VA_ARGS__)

/* Returns the last event up to the state shown that put the G into its state; 0: none, or one frame does not look back so far. */
static uint64_t last_of(const struct chain *k, uint32_t g)
{
    struct history_subject s = {.kind = SUBJECT_G, .id = g};
    struct history_event e;
    uint64_t n = k->h ? k->v->st.events : 0, oldest = k->h ? list_oldest(k->v, k->h) : 0;
    while (n > oldest && (n = history_chain(k->h, &s, n, oldest + 1, -1))) {
        if (history_get(k->h, n, &e) && life_state_after(g, &e.ev) >= 0)
            return n;
        n--;
    }
    return 0;
}

static void add_running(struct chain *k, uint32_t m, uint32_t g)
{
    char name[EV_G_NAME], time[32];
    const struct model_g *mg = model_g(k->v->md, g);
    if (!mg)
        return;
    since_text(k->v, mg->since, time, sizeof time);
    if (not_known(k->v, KNOW_G_SINCE, g))
        snprintf(time, sizeof time, "?");
    add(k, last_of(k, g), tx(k->v->lang, TX_WHY_M_RUNS), m, ev_g_name(g, name), time);
}

/* The M that left the P when it entered a system call, or still has it there. */
static void add_syscall(struct chain *k, uint32_t p)
{
    char name[EV_G_NAME], time[32];
    uint32_t id = p_syscall_m(k->v, p);
    const struct model_m *m = id == EV_NONE ? NULL : model_m(k->v->md, id);
    const struct model_g *g = m && m->curg ? model_g(k->v->md, m->curg) : NULL;
    if (g)
        add(k, last_of(k, g->id), tx(k->v->lang, m->wired ? TX_WHY_M_WIRED : TX_WHY_M_SYSCALL), id, p, ev_g_name(g->id, name),
            since_text(k->v, g->since, time, sizeof time));
    else
        add(k, 0, tx(k->v->lang, TX_WHY_P_SYSCALL), p);
}

/* What keeps the P from running the Gs of its queue. */
static void add_p(struct chain *k, uint32_t p)
{
    const struct model_p *mp = model_p(k->v->md, p);
    if (mp && (mp->status == P_UNKNOWN || not_known(k->v, KNOW_P_M, p))) {
        add(k, 0, tx(k->v->lang, TX_WHY_P_UNKNOWN), p);
        return;
    }
    const struct model_m *m = mp && mp->status == P_RUNNING ? model_m(k->v->md, mp->m) : NULL;
    if (mp && model_p_in_call(k->v->md, p))
        add_syscall(k, p);
    else if (m && m->curg)
        add_running(k, mp->m, m->curg);
    else if (m && not_known(k->v, KNOW_M_STATE, mp->m))
        add(k, 0, tx(k->v->lang, TX_WHY_M_UNKNOWN), mp->m);
    else if (m)
        add(k, 0, tx(k->v->lang, m->spinning ? TX_WHY_M_SPINS : TX_WHY_M_SCHEDULES), mp->m, p);
    else if (mp && mp->status == P_GCSTOP)
        add(k, 0, tx(k->v->lang, TX_WHY_P_STOPPED), p);
    else if (mp)
        add(k, 0, tx(k->v->lang, TX_WHY_P_IDLE), p);
}

/* Has the run ended with a G that waits next to an idle P? Then nothing mends that any more. */
static bool is_lost(const struct view *v)
{
    return (v->st.failed || v->st.over) && !v->st.back && model_counters(v->md)->stranded;
}

/* Adds which Ms or Ps could take a G from a queue. */
static void add_helpers(struct chain *k)
{
    const struct model *md = k->v->md;
    uint32_t spinning = model_nmspinning(md), idle = model_npidle(md);
    if (not_known(k->v, KNOW_SPINNING, 0) || not_known(k->v, KNOW_IDLE_P_N, 0))
        return;
    if (spinning)
        add(k, 0, tx(k->v->lang, TX_WHY_SPINNERS), spinning);
    else if (idle)
        add(k, 0, tx(k->v->lang, is_lost(k->v) ? TX_WHY_LOST : TX_WHY_IDLE_PS), idle);
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

/* Says in which queue the G is. A place that is derived is said to be. */
static void add_place(struct chain *k, const struct model_g *g, const char *name, const char *time)
{
    const struct view *v = k->v;
    const struct model_p *p = g->place == PLACE_RUNQ ? model_p(v->md, g->where) : NULL;
    bool derived = model_knows(v->md, KNOW_G_PLACE, g->id) == KNOWN_DERIVED;
    char text[200] = "";
    if (p)
        snprintf(text, sizeof text, tx(v->lang, TX_WHY_RUNQ), name, time, g->slot - p->head + 1, p->tail - p->head, g->where);
    else if (g->place == PLACE_RUNNEXT)
        snprintf(text, sizeof text, tx(v->lang, TX_WHY_RUNNEXT), name, time, g->where);
    else if (g->place == PLACE_GLOBQ)
        snprintf(text, sizeof text, tx(v->lang, TX_WHY_GLOBQ), name, time, place_in_globq(v->md, g->id), model_globq(v->md, NULL));
    add(k, last_of(k, g->id), tx(v->lang, derived ? TX_WHY_DERIVED : TX_WHY_FACT), text);
}

static void runnable(struct chain *k, const struct model_g *g, const char *name, const char *time)
{
    const struct view *v = k->v;
    const struct model_p *p = g->place == PLACE_RUNQ || g->place == PLACE_RUNNEXT ? model_p(v->md, g->where) : NULL;
    uint64_t event = last_of(k, g->id);
    if (g->place == PLACE_UNKNOWN)
        add(k, event, tx(v->lang, TX_WHY_QUEUE_UNKNOWN), name, time);
    else if (p || g->place == PLACE_GLOBQ)
        add_place(k, g, name, time);
    else if (g->place == PLACE_DISABLED)
        add(k, event, tx(v->lang, TX_WHY_DISABLED), name, time);
    else
        add(k, event, tx(v->lang, TX_WHY_HAND), name, time, g->where);
    if (k->h && k->n == 0)
        causes_of_runnable(k->to, g, event, v, k->h);
    if (model_knows(v->md, KNOW_G_PLACE, g->id) == KNOWN_DERIVED)
        return; /* what keeps that P from running it would look like a fact */
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

/* ---- what a waiting G waits for ---- */

/* Says what the G waits for and who could release it, in the words of model/waits.h, or if nothing is known of that, by the event of its wait. */
static void waiting(struct chain *k, const struct model_g *g, const char *name, const char *time)
{
    struct session_event e;
    struct wait wait;
    char buf[SENTENCE_BYTES], clause[CAUSE_BYTES];
    uint64_t event = last_of(k, g->id);
    if (not_known(k->v, KNOW_G_REASON, g->id)) {
        add(k, event, tx(k->v->lang, TX_WHY_REASON_UNKNOWN), name, time);
    } else if (k->w && waits_of(k->w, g->id, &wait) && wait.reason != WAIT_REASON_SLEEP) {
        size_t len = strlen(waits_say(k->w, g->id, NAMES_G, k->v->lang, clause, sizeof clause));
        snprintf(clause + len, sizeof clause - len, "%s", tx(k->v->lang, TX_STOP));
        add(k, event, tx(k->v->lang, TX_WHY_WAITS), clause, time);
        k->to->v[k->to->n - 1].brief = strlen(clause);
    } else if (event && list_copy(k->h, event, &e)) {
        add(k, event, tx(k->v->lang, TX_WHY_WAITS), sentence_of(k->v, &e, buf), time);
    } else {
        add(k, 0, tx(k->v->lang, TX_WHY_WAITING), name, time);
    }
    add_timer(k, g->id);
}

static void ended(struct chain *k, const struct model_g *g, const char *name, const char *time)
{
    enum lang lang = k->v->lang;
    if (k->n > 0)
        add(k, last_of(k, g->id), tx(lang, TX_WHY_HOLDER_ENDED), name, time);
    else if (k->v->st.time > g->since)
        add(k, last_of(k, g->id), tx(lang, TX_WHY_ENDED), name, time);
    else
        add(k, last_of(k, g->id), tx(lang, TX_WHY_ENDED_NOW), name);
}

/* ---- the chain ---- */

/* Adds why this G does not run. */
static void add_g(struct chain *k, const struct model_g *g)
{
    const struct view *v = k->v;
    char name[EV_G_NAME], time[32];
    ev_g_name(g->id, name);
    since_text(k->v, g->since, time, sizeof time);
    if (not_known(v, KNOW_G_SINCE, g->id))
        snprintf(time, sizeof time, "?");
    if (g->status == G_WAITING)
        waiting(k, g, name, time);
    else if (g->status == G_RUNNABLE)
        runnable(k, g, name, time);
    else if (g->status == G_SYSCALL)
        add(k, last_of(k, g->id), tx(v->lang, TX_WHY_SYSCALL), name, time);
    else if (g->status == G_RUNNING && model_ended(v->md) >= 0)
        add(k, last_of(k, g->id), tx(v->lang, TX_WHY_RAN), name);
    else if (g->status == G_RUNNING)
        add(k, last_of(k, g->id), tx(v->lang, TX_WHY_RUNS), name, time);
    else if (g->status == G_UNKNOWN)
        add(k, last_of(k, g->id), tx(v->lang, TX_WHY_G_UNKNOWN), name);
    else
        ended(k, g, name, time);
}

/* Returns true if nothing can ever wake a G. The counts come first: they cost less than a look at each G. */
static bool all_wait(const struct model *md)
{
    enum { LOOKED_AT = 10000 };
    uint32_t g = 0;
    int n = 0;
    if (model_count_g(md, G_RUNNING) + model_count_g(md, G_RUNNABLE) + model_count_g(md, G_SYSCALL))
        return false;
    for (uint32_t p = 0; p < model_np(md); p++)
        if (model_p(md, p)->ntimers)
            return false;
    while ((g = model_next_live(md, g)) && ++n < LOOKED_AT)
        if (model_g(md, g)->reason == WAIT_REASON_IO_WAIT)
            return false;
    return n < LOOKED_AT;
}

static void add_end(struct chain *k, const struct wait_chain *c)
{
    const struct model *md = k->v->md;
    struct wait wait;
    if (model_g(md, c->g[c->n - 1])->status != G_WAITING || is_partial(k->v))
        return;
    else if (all_wait(md))
        add(k, 0, "%s", tx(k->v->lang, TX_WHY_DEADLOCK));
    else if (k->w && waits_of(k->w, c->g[0], &wait) && wait.stuck)
        add(k, 0, "%s", tx(k->v->lang, TX_WHY_LEAKED));
}

static struct waits *waits_seen(const struct view *v)
{
    enum { LOOKED_AT = 10000 };
    return waits_new(&(struct waits_config){
        .md = v->md,
        .flow = v->flow,
        .reach = v->reach,
        .nreach = v->nreach,
        .objects = model_knows(v->md, KNOW_OBJECTS, 0) != KNOWN_NOT,
        .most = LOOKED_AT});
}

void causes_of(struct causes *to, uint32_t id, const struct view *v, struct history *h)
{
    struct chain k = {.to = to, .v = v, .h = h};
    struct wait_chain c = {.g = {id}, .n = 1, .circle = 1};
    const struct model_g *g = v->md && id ? model_g(v->md, id) : NULL;
    char text[CAUSE_BYTES];
    to->n = 0;
    if (!g)
        return;
    if (h && (v->flow || v->reach) && g->status == G_WAITING)
        k.w = waits_seen(v);
    if (k.w)
        waits_chain(k.w, id, &c);
    bool circle = k.w && c.circle < c.n;
    if (circle) /* the answer comes first: the rest may not fit */
        add(&k, 0, "%s", waits_say_names(&c, v->lang, text, sizeof text));
    for (; k.n < (int)c.n && to->n < CAUSES_MAX && (g = model_g(v->md, c.g[k.n])); k.n++)
        add_g(&k, g);
    if (!circle)
        add_end(&k, &c);
    waits_free(k.w);
}

uint32_t waiting_g(const struct view *v)
{
    struct wait_chain circle;
    struct waits *w = waits_seen(v);
    uint32_t g = !w ? 0 : waits_circle(w, &circle) ? circle.g[0] : waits_next(w, 0);
    waits_free(w);
    return g;
}
