/* What timers do when they are due, and the operations that make them (Go: time.AfterFunc, NewTimer and NewTicker; goFunc and
 * sendTime below them).
 *
 * They run in check_timers(): on g0 of an M that looks for work, or on the stack of a timerproc. Neither may wait, so a send gives up if no
 * G receives and the buffer is full: a ticker loses the ticks that no G takes.
 */
#include "runtime/timers/handle.h"
#include "runtime/sched/race.h"
#include <stdlib.h>

/* Stores the argument with the G that runs on m, or with m itself if m is on g0. */
static void set_newarg(struct m *m, void *arg, void (*release)(void *), uint32_t size)
{
    struct g *gp = curg(m);
    *(gp ? &gp->newarg : &m->newarg) = arg;
    *(gp ? &gp->newrelease : &m->newrelease) = release;
    *(gp ? &gp->newsize : &m->newsize) = size;
}

void timer_arg_taken(struct m *m, const struct timer *t)
{
    if (t->what == TIMER_GO)
        set_newarg(m, NULL, NULL, 0);
}

void timer_arg_held(struct m *m, const struct timer *t)
{
    if (t->what == TIMER_GO && t->owned)
        set_newarg(m, t->owner->arg, NULL, t->owner->size);
    else if (t->what == TIMER_GO)
        set_newarg(m, t->arg, t->release, 0);
}

void timer_run(struct m *m, const struct timer *t)
{
    m->racectx = t->race;
    switch (t->what) {
    case TIMER_WAKE:
        fetch_stack(t->g);
        ready(m, t->g);
        break;
    case TIMER_SEND: /* sends the current time, as Go's timers do */
        if (t->owned)
            handle_send(m, t);
        else
            chan_offer(m, t->c, nanotime(m));
        break;
    case TIMER_GO:
        newproc_timer(m, t->owned ? t->owner->fn : t->fn, t->owned ? t->owner->prog : t->prog);
        break;
    }
    if (t->race && !t->period)
        racenote(m, NULL, NOTE_END, 0);
    m->racectx = 0;
}

/* The timer runs for the G that makes it. m->racectx is that of a timer whose G is being made only while this M runs it. */
uint32_t race_timer(struct m *m)
{
    if (!m->sched->cfg.races)
        return 0;
    uint32_t race = RACE_TIMER + atomic_fetch_add_explicit(&m->sched->racetimers, 1, memory_order_relaxed); /* only uniqueness matters */
    racenote(m, NULL, NOTE_FORK, race);
    return race;
}

/* Go's when(): the time ns from now; a time in the past counts as now. */
int64_t when(struct m *m, int64_t ns)
{
    int64_t now = nanotime(m);
    if (ns <= 0)
        return now;
    return ns > INT64_MAX - now ? INT64_MAX : now + ns;
}

/* On a G stack; does not switch. */
void rt_after(int64_t ns, rt_fn *fn, void *arg, void (*release)(void *), uint32_t prog)
{
    struct timer t = {.what = TIMER_GO, .prog = prog, .fn = fn, .arg = arg, .release = release};
    timer_arg_held(getm(), &t);
    safepoint();
    t.when = when(getm(), ns);
    t.race = race_timer(getm());
    addtimer(getm(), &t);
}

/* On a G stack; does not switch. */
void rt_timer(struct hchan *c, int64_t ns)
{
    safepoint();
    struct timer t = {.what = TIMER_SEND, .when = when(getm(), ns), .c = c};
    t.race = race_timer(getm());
    addtimer(getm(), &t);
}

/* On a G stack; does not switch. */
void rt_ticker(struct hchan *c, int64_t ns)
{
    safepoint();
    if (ns <= 0)
        fatalpanic("non-positive interval for NewTicker");
    struct timer t = {.what = TIMER_SEND, .when = when(getm(), ns), .period = ns, .c = c};
    t.race = race_timer(getm());
    addtimer(getm(), &t);
}
