/* Asks a policy: calls its functions, checks what they answer, and ends the run with its name if one of them crashes or does not return.
 *
 * A call runs on the stack of its M or of a G. If it faults, the signal's handler jumps out of it, back into ask(). A call that does not return is
 * found by a timer: each M that asks has one, which ticks four times in each second of the M's CPU time and looks whether the call is still the same. The jump leaves
 * what the policy has begun, and perhaps a lock of the C library; so the run ends then. */
#include "runtime/sched/ask.h"
#include "base/fault.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TICK_NS 250000000 /* CPU time */
#define TICKS 2           /* in which a call must have returned */
#define TICK SIGTRAP      /* Ms block no signal of faults (m.c) */

/* A question and its answer. */
struct question {
    enum asked_of_policy asked;
    struct policy_view view;
    uint32_t p, a, b, c; /* p: the P that it is about */
    int64_t answer;
};

static void answer(const struct gmpscope_policy *is, struct question *q)
{
    switch (q->asked) {
    case ASKED_NEXT_PLACE:
        q->answer = (int64_t)is->next_place(&q->view);
        break;
    case ASKED_PUT:
        q->answer = (int64_t)is->put(&q->view, (enum policy_why)q->a);
        break;
    case ASKED_STEAL_AMOUNT:
        q->answer = is->steal_amount(q->a);
        break;
    case ASKED_GLOBAL_BATCH:
        q->answer = is->global_batch(q->a, q->b, q->c);
        break;
    case ASKED_MAY_SPIN:
        q->answer = is->may_spin(q->a, q->b);
        break;
    case ASKED_VICTIM:
        q->answer = is->victim(&q->view, q->a, q->b);
        break;
    case ASKED_SLICE:
        q->answer = is->slice(&q->view);
        break;
    }
}

/* ---- calls that do not return ---- */

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, TICK};
enum { FAULTS = sizeof faults / sizeof *faults };
static struct sigaction before[FAULTS]; /* what else handles them, written once */

/* On the thread of the fault. */
static bool take_fault(int sig)
{
    struct m *m = getm();
    bool asks = m && m->asks.running;
    if (sig != TICK && !asks)
        return false;
    if (sig == TICK) {
        if (!m || !m->asks.timer)
            return false;
        bool same = asks && m->asks.seen == m->asks.calls;
        m->asks.seen = m->asks.calls;
        m->asks.ticks = same ? m->asks.ticks + 1 : 0;
        if (m->asks.ticks < TICKS)
            return true;
    }
    siglongjmp(m->asks.back, sig);
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
    if (fault_taken(sig))
        return;
    for (int i = 0; i < FAULTS; i++) {
        if (faults[i] != sig)
            continue;
        if (before[i].sa_flags & SA_SIGINFO)
            before[i].sa_sigaction(sig, info, context);
        else
            sigaction(sig, &before[i], NULL); /* the default, and the instruction faults again */
        if (!(before[i].sa_flags & SA_SIGINFO) && sig == SIGABRT)
            raise(sig);
    }
}

void ask_init(struct sched *s)
{
    static bool done; /* one thread makes instances with policies */
    struct sigaction sa = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
    if (!has_policy(s) || done)
        return;
    done = true;
    fault_taker(take_fault);
    for (int i = 0; i < FAULTS; i++)
        sigaction(faults[i], &sa, &before[i]);
}

static void begin_ticks(struct m *m)
{
    struct sigevent to = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = TICK};
    struct itimerspec each = {{.tv_nsec = TICK_NS}, {.tv_nsec = TICK_NS}};
    to._sigev_un._tid = gettid();
    m->asks.timer = timer_create(CLOCK_THREAD_CPUTIME_ID, &to, &m->asks.ticker) == 0 && timer_settime(m->asks.ticker, 0, &each, NULL) == 0;
}

void ask_fini(struct m *m)
{
    if (m->asks.timer)
        timer_delete(m->asks.ticker);
}

static _Noreturn void broke(struct m *m, enum asked_of_policy asked, int sig)
{
    char text[200];
    m->asks.running = false;
    if (sig == TICK)
        snprintf(text, sizeof text, "policy %s: %s() does not return", m->sched->cfg.policy->name, ev_word(FT_ASKED, asked));
    else
        snprintf(text, sizeof text, "policy %s: %s() crashed (%s)", m->sched->cfg.policy->name, ev_word(FT_ASKED, asked), strsignal(sig));
    program_end(m, ENDED_FATAL, FATAL_FATAL, text);
    stand_still(m);
}

static int64_t ask(struct m *m, struct question *q)
{
    int sig;
    if (!m->asks.timer)
        begin_ticks(m);
    m->asks.calls++;
    if ((sig = sigsetjmp(m->asks.back, 0)))
        broke(m, q->asked, sig);
    m->asks.running = true;
    answer(m->sched->cfg.policy, q);
    m->asks.running = false;
    return q->answer;
}

/* ---- questions ---- */

/* The points are like those of Go's own looks at what other Ms change. */
static struct policy_view view_of(struct m *m, const struct p *pp, int64_t now)
{
    const struct sched *s = m->sched;
    explore_at(m, FOOT_READS | FOOT_IDLE | FOOT_SPINNING | FOOT_QUEUE(pp->id));
    /* relaxed and acquire, all: hints, except what the owner of pp alone writes */
    uint32_t h = atomic_load_explicit(&pp->runqhead, memory_order_acquire);
    uint32_t len = atomic_load_explicit(&pp->runqtail, memory_order_acquire) - h;
    return (struct policy_view){
        .procs = gomaxprocs(s),
        .p = pp->id,
        .tick = atomic_load_explicit(&pp->schedtick, memory_order_relaxed),
        .ring_len = len > s->cfg.runq_size ? 0 : len,
        .ring_size = s->cfg.runq_size,
        .global_len = runqsize(s),
        .spinning = SPIN_COUNT(atomic_load_explicit(&s->spin, memory_order_relaxed)),
        .idle_procs = atomic_load_explicit(&s->npidle, memory_order_relaxed),
        .has_runnext = atomic_load_explicit(&pp->runnext, memory_order_relaxed) != NULL,
        .now = now,
    };
}

/* Logs that the answer is not possible, and returns Go's. */
static int64_t replace(struct m *m, const struct question *q, int64_t go)
{
    int64_t said = q->answer < INT32_MIN ? INT32_MIN : q->answer > INT32_MAX ? INT32_MAX : q->answer;
    struct ev e = ev_on(q->p, EV_POLICY_WRONG, 0, q->asked, (uint32_t)said, 0, 0);
    ev_set_cd(&e, go);
    emit(m, e);
    return go;
}

static enum policy_place go_next_place(const struct policy_view *v)
{
    if (v->tick % 61 == 0 && v->global_len)
        return POLICY_GLOBAL;
    return v->has_runnext ? POLICY_RUNNEXT : v->ring_len ? POLICY_RING_HEAD : v->global_len ? POLICY_GLOBAL : POLICY_STEAL;
}

enum policy_place ask_next_place(struct m *m)
{
    struct question q = {.asked = ASKED_NEXT_PLACE, .p = m->p->id, .view = view_of(m, m->p, nanotime(m))};
    const struct policy_view *v = &q.view;
    if (!m->sched->cfg.policy->next_place)
        return go_next_place(v);
    const bool possible[] = {
        [POLICY_RUNNEXT] = v->has_runnext,
        [POLICY_RING_HEAD] = v->ring_len,
        [POLICY_RING_TAIL] = v->ring_len,
        [POLICY_GLOBAL] = v->global_len,
        [POLICY_STEAL] = !v->has_runnext && !v->ring_len};
    int64_t place = ask(m, &q);
    bool good = place >= 0 && place <= POLICY_STEAL && possible[place];
    return (enum policy_place)(good ? place : replace(m, &q, go_next_place(v)));
}

enum policy_place ask_put(struct m *m, enum policy_why why, enum policy_place go)
{
    struct question q = {.asked = ASKED_PUT, .p = m->p->id, .a = why};
    if (!m->sched->cfg.policy->put)
        return go;
    q.view = view_of(m, m->p, nanotime(m));
    int64_t place = ask(m, &q);
    return (enum policy_place)(place == POLICY_RUNNEXT || place == POLICY_RING_TAIL || place == POLICY_GLOBAL ? place : replace(m, &q, go));
}

uint32_t ask_steal_amount(struct m *m, uint32_t victim_len)
{
    struct question q = {.asked = ASKED_STEAL_AMOUNT, .p = m->p->id, .a = victim_len};
    uint32_t go = victim_len - victim_len / 2;
    if (!m->sched->cfg.policy->steal_amount || !victim_len ||
        victim_len > m->sched->cfg.runq_size) /* more: its ends are of different moments */
        return go;
    int64_t n = ask(m, &q);
    return (uint32_t)(n > 0 && n <= victim_len ? n : replace(m, &q, go));
}

uint32_t ask_global_batch(struct m *m, uint32_t len, uint32_t go)
{
    uint32_t size = m->sched->cfg.runq_size;
    struct question q = {.asked = ASKED_GLOBAL_BATCH, .p = m->p->id, .a = len, .b = gomaxprocs(m->sched), .c = size};
    if (!m->sched->cfg.policy->global_batch)
        return go;
    int64_t n = ask(m, &q);
    return (uint32_t)(n > 0 && n <= len && n <= size / 2 ? n : replace(m, &q, go));
}

bool ask_may_spin(struct m *m, uint32_t spinning, uint32_t busy, bool go)
{
    struct question q = {.asked = ASKED_MAY_SPIN, .p = m->p->id, .a = spinning, .b = busy};
    return m->sched->cfg.policy->may_spin ? ask(m, &q) != 0 : go;
}

uint32_t ask_victim(struct m *m, uint32_t look, uint32_t random, uint32_t go)
{
    struct question q = {.asked = ASKED_VICTIM, .p = m->p->id, .a = look, .b = random};
    if (!m->sched->cfg.policy->victim)
        return go;
    q.view = view_of(m, m->p, nanotime(m));
    int64_t p = ask(m, &q);
    return (uint32_t)(p < q.view.procs ? p : replace(m, &q, go));
}

int64_t ask_slice(struct m *m, const struct p *pp, int64_t now)
{
    struct question q = {.asked = ASKED_SLICE, .p = pp->id};
    int64_t go = m->sched->cfg.preempt_slice;
    if (!m->sched->cfg.policy->slice)
        return go;
    q.view = view_of(m, pp, now);
    int64_t ns = ask(m, &q);
    return ns >= 1000 ? ns : replace(m, &q, go);
}
