/* Checks work conservation whenever lockstep time is about to jump. No M can continue then, so a runnable G next to an idle P would wait
 * until an M happens to find it.
 *
 * Exempt: the time while the world is stopped, while an M has no CPU or is late in waking (--stalls), and after the program has ended; Gs that must wait (disabled user Gs, and Gs locked to an M);
 * and a spinning M that sleeps 3 µs before it steals a runnext, because it will take the G.
 *
 * The known limits of each version of Go (eventlog/known_limits.h) are recognised by the place of the G and by how it became runnable.
 */
#include "model/fold_internal.h"

#include <stdarg.h>
#include <stdio.h>

struct left_alone {
    uint32_t n, ways, unknown;
}; /* number of Gs; the KNOWN(…) that explain some of them; a G that none of these explains, or 0 */

/* Keeps the first violation in this language, because it is the cause. */
void model_break(struct model *md, enum lang lang, const char *fmt, ...)
{
    if (md->violation[lang][0])
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(md->violation[lang], sizeof md->violation[lang], fmt, ap);
    va_end(ap);
}

const char *model_violation(const struct model *md, enum lang lang)
{
    return md->violation[lang][0] ? md->violation[lang] : NULL;
}

bool model_strands(const struct model *md)
{
    return md->stranded;
}

static bool is_locked(const struct model *md, uint32_t g)
{
    for (uint32_t i = 0; i < md->nm; i++)
        if (md->m[i].lockedg == g)
            return true;
    return false;
}

/* Returns the set of known ways in which this G may have been left at its place. */
static uint32_t explained_by(const struct model *md, const struct model_g *g)
{
    if (g->place == PLACE_GLOBQ)
        return g->beside_idle ? KNOWN(go_issue_55160) : 0;
    if (g->place != PLACE_RUNQ && g->place != PLACE_RUNNEXT)
        return 0;
    return md->dropped | (g->came == EV_NETPOLL_READY ? KNOWN(go_issue_63555) : 0);
}

static void look_at(struct left_alone *l, const struct model *md, uint32_t id)
{
    const struct model_g *g = g_find(md, id);
    if (!g || is_locked(md, id) || (md->users_disabled && !ev_is_system_g(id)))
        return;
    uint32_t ways = explained_by(md, g) & md->cfg.known;
    l->n++;
    l->ways |= ways;
    if (!ways && !l->unknown)
        l->unknown = id;
}

static struct left_alone look_at_all(const struct model *md)
{
    struct left_alone l = {0};
    for (uint32_t i = 0; i < md->globq.n; i++)
        look_at(&l, md, *deque_at(&md->globq, i));
    for (uint32_t i = 0; i < md->np; i++) {
        if (md->p[i].runnext)
            look_at(&l, md, md->p[i].runnext);
        for (uint32_t k = md->p[i].head; k != md->p[i].tail; k++)
            look_at(&l, md, *ring_slot(md, &md->p[i], k));
    }
    for (uint32_t i = 0; i < md->nm; i++)
        for (uint32_t k = 0; k < md->m[i].transit_n; k++)
            look_at(&l, md, md->m[i].transit[k]);
    return l;
}

/* In a generation without Ps: true if fewer Gs run than may run. */
static bool has_idle_p(const struct model *md)
{
    return md->np ? md->npidle > 0 : md->count_g[G_RUNNING] < md->procs;
}

static void count_known(struct counters *c, uint32_t ways)
{
    c->stranded++;
#define X(name) c->name += !!(ways & KNOWN(name));
    KNOWN_LIST(X)
#undef X
}

/* ---- what is recorded to recognise the known ways ---- */

/* Records whether a P is idle when a G that gave up its P goes into the global queue: the M that dropped that P has checked the queue
 * before. While the world is being stopped no P is idle. Those without work become idle when it starts again; the M that dropped one
 * spins until then and does not check the queue again. */
void conserve_yielded(const struct fold *f, struct model_g *g)
{
    g->beside_idle = (f->md->npidle > 0 || f->md->gcwaiting) && (g->came == EV_G_YIELD || g->came == EV_G_PREEMPT);
}

static bool any_local(const struct model *md)
{
    for (uint32_t i = 0; i < md->np; i++)
        if (md->p[i].runnext || md->p[i].head != md->p[i].tail)
            return true;
    return false;
}

/* Records how a P became idle while other Ps had Gs queued and no M searched. */
void conserve_p_idle(const struct fold *f)
{
    struct model *md = f->md;
    bool handed = md->handed == f->e->p;
    md->handed = EV_NONE;
    if (md->dropped & KNOWN(wakep_race)) /* the cause is known */
        return;
    /* With events out of order (--fine) it is unknown whether there was work at that time. */
    if (!md->cfg.exact || (md->nmspinning == 0 && any_local(md)))
        md->dropped |= handed ? KNOWN(handoff_race) : KNOWN(go_issue_45867);
}

/* An M searches all queues now, so a G that is left later has another cause. */
void conserve_searched(struct model *md)
{
    md->dropped = 0;
}

/* A wakep that found no idle P no longer counts as spinning. */
void conserve_given_up(struct model *md)
{
    if (md->demand_gone && md->nmspinning == 0)
        md->dropped |= KNOWN(wakep_race);
    md->demand_gone = false;
}

enum offer fold_handoff(const struct fold *f)
{
    f->md->handed = f->e->a == HANDOFF_IDLE || f->e->a == HANDOFF_SWITCHED_OFF ? f->e->p : EV_NONE;
    return OFFER_APPLIED;
}

/* ---- the checks ---- */

enum offer fold_time_jump(const struct fold *f)
{
    struct model *md = f->md;
    if (f->e->a) /* an M has no CPU or is late in waking: it may be the one that will run the G */
        return OFFER_APPLIED;
    if (md->count_g[G_RUNNABLE] == md->disabled.n || !has_idle_p(md) || md->gcwaiting || md->nmspinning || md->over)
        return OFFER_APPLIED;
    struct left_alone l = look_at_all(md);
    if (l.n == 0)
        return OFFER_APPLIED;
    count_known(&md->counters, l.ways);
    char name[EV_G_NAME];
    if (!l.unknown || (md->cfg.known & KNOWN_SWITCH))
        return OFFER_APPLIED;
    md->stranded |= !md->violation[LANG_EN][0];
    ev_g_name(l.unknown, name);
    model_break(md, LANG_EN, "%s can run and %s is idle, but time jumps: no M was woken for it", name, md->np ? "a P" : "a CPU");
    model_break(md, LANG_ZH, "%s 可以运行，又有空闲的 %s，时间却跳过去了：没有唤醒 M 来运行它", name, md->np ? "P" : "CPU");
    return OFFER_APPLIED;
}

/* A spinning M has no local work: neither when it starts to spin nor when it acquires a P while spinning (Go: "schedule: spinning with
 * local work"). Unless it has found a G: the last look at the global queue (1.22) takes a batch and then starts to spin. Checked only if events arrive
 * in the order in which they happened. */
void judge_spinning(const struct fold *f)
{
    const struct model_p *p = f->mm->p == EV_NONE ? NULL : &f->md->p[f->mm->p];
    if (f->md->cfg.exact && p && f->mm->spinning && !f->mm->transit_n && (p->head != p->tail || p->runnext)) {
        model_break(f->md, LANG_EN, "M%u spins, but P%u has work of its own", f->m, f->mm->p);
        model_break(f->md, LANG_ZH, "M%u 在自旋，可是 P%u 自己就有活可干", f->m, f->mm->p);
    }
}
