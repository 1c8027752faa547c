/* Timers before the Ps owned them (Go: timerproc; one heap up to 1.9, 64 buckets in 1.10 to 1.13).
 *
 * Each heap has a runtime G that runs the timers that are due. It then sleeps in a wait that the scheduler treats as a system call: its P
 * is handed off, and its thread waits until the first deadline. So every timer costs two thread switches, and a busy program needs one more
 * thread for each bucket. Therefore 1.14 moved the timers to the Ps (golang.org/issue/27707).
 *
 * A heap has the format of time.c and is kept in the struct p with its number: bucket = P's id % 64, so with fewer Ps the higher buckets
 * are never used. Go 1.0 has no P; its one heap is in the only struct p, which no M runs.
 */
#include "runtime/sched/proc.h"
#include <stdlib.h>

struct timerbucket { /* under its heap's timerslock */
    struct p *heap;
    struct g *gp; /* its timerproc; NULL: not made yet */
    bool created;
    bool sleeping;     /* gp waits in waitnote until the first deadline */
    bool rescheduling; /* gp is parked: there is no timer */
    struct note waitnote;
};

bool timerproc_init(struct sched *s)
{
    uint32_t n = s->gen->timer_buckets;
    if (n == 0)
        return true;
    s->buckets = calloc(n, sizeof *s->buckets);
    for (uint32_t i = 0; s->buckets && i < n; i++)
        s->buckets[i].heap = &s->allp[i];
    if (!s->gen->has_p)
        s->allp[0].id = EV_NO_P;
    return s->buckets != NULL;
}

struct p *timerproc_heap(struct m *m)
{
    struct sched *s = m->sched;
    return &s->allp[m->p ? m->p->id % s->gen->timer_buckets : 0];
}

/* What the G of tb does next, decided under the lock: park, sleep until *when, or check again. */
enum next { NEXT_PARK, NEXT_SLEEP, NEXT_LOOK };

static enum next next_step(struct m *m, struct timerbucket *tb, int64_t *when)
{
    if (tb->heap->ntimers == 0) {
        tb->rescheduling = true;
        return NEXT_PARK;
    }
    *when = tb->heap->timerheap[0].when;
    if (*when <= nanotime(m))
        return NEXT_LOOK;
    tb->sleeping = true;
    note_clear(&tb->waitnote);
    return NEXT_SLEEP;
}

/* notetsleepg: for the scheduler, the G is in a system call. */
static void sleep_until(struct m *m, struct timerbucket *tb, int64_t when)
{
    entersyscall(m, CALL_SYSCALL, true);
    int64_t now = nanotime(m);
    if (when > now)
        note_sleep_for(m->w, &tb->waitnote, when - now);
    exitsyscall(m);
}

/* The body of a timerproc G. Never returns. */
static void timerproc(void *arg)
{
    struct timerbucket *tb = arg;
    for (;;) {
        struct m *m = getm(); /* read again: the G slept */
        int64_t now = 0, when = 0;
        bool ran;
        check_timers(m, tb->heap, &now, &ran);
        lock(m, &tb->heap->timerslock);
        tb->sleeping = false;
        enum next next = next_step(m, tb, &when);
        if (next == NEXT_PARK) {
            gopark(&tb->heap->timerslock, WAIT_REASON_TIMER_GOROUTINE_IDLE, 0);
            continue;
        }
        unlock(m, &tb->heap->timerslock);
        if (next == NEXT_SLEEP)
            sleep_until(m, tb, when);
    }
}

/* Makes the G of a heap that gets its first timer. */
static void start(struct m *m, struct timerbucket *tb)
{
    struct g *gp = newsystemg(m, timerproc, tb, SYSG_TIMERPROC);
    if (!gp)
        no_stack(m);
    lock(m, &tb->heap->timerslock);
    tb->gp = gp;
    unlock(m, &tb->heap->timerslock);
    m->sched->gen->put(m, gp, WAKEP_TIMER);
}

/* Called after a timer was added. If it is the first to fire, wakes the heap's G. No locks held. */
void timerproc_kick(struct m *m, struct p *pp, int64_t when, bool first)
{
    struct timerbucket *tb = &m->sched->buckets[pp - m->sched->allp];
    struct g *gp = NULL;
    (void)when;
    if (!first)
        return;
    lock(m, &pp->timerslock);
    bool created = tb->created;
    tb->created = true;
    if (tb->sleeping) {
        tb->sleeping = false;
        note_wakeup(m->w, &tb->waitnote);
    }
    if (tb->rescheduling) {
        tb->rescheduling = false;
        gp = tb->gp;
    }
    unlock(m, &pp->timerslock);
    if (gp)
        ready(m, gp);
    if (!created)
        start(m, tb);
}
