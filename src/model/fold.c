/* The fold: what each event does to the state, to the letter of eventlog/README.md.
 *
 * model_offer() asks in this order: is the record sane, may its M log anything now, do its tickets hold; then the event's own
 * function checks what else must be true and only then changes things. So an event is applied as a whole or not at all. The
 * tickets are found in the table of events and moved on here, in one place: no function below can forget one.
 *
 * NOT_YET means: some event that is still to come must be folded first. BROKEN means that no event can ever make it right.
 * An M's hand is filled by its own events, which come in order: what is missing there is broken. What others put into it (a locked G,
 * m_wake_locked) they put there before they release the P that M then acquires.
 */
#include "model/fold_impl.h"

#include <stdarg.h>
#include <stdio.h>

int fold_broken(const struct fold *f, const char *fmt, ...)
{
    const struct ev *e = f->e;
    const char *name = e->kind < EV_KINDS ? ev_desc[e->kind].name : "?";
    char *buf = f->md->error;
    size_t size = sizeof f->md->error;
    int n = snprintf(buf, size, "%lld M%u %s g=%u: ", (long long)e->time, f->m, name, e->g);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(buf + n, size - (size_t)n, fmt, ap);
    va_end(ap);
    return FOLD_BROKEN;
}

/* ---- tickets ---- */

static int ticket_next(const struct fold *f, const char *whose, uint32_t last, uint32_t t)
{
    if (t == last + 1)
        return FOLD_APPLIED;
    if (is_serial_before(last, t))
        return FOLD_NOT_YET;
    return fold_broken(f, "%s ticket %u was used before, the last is %u", whose, t, last);
}

static int ticket_g(const struct fold *f, uint32_t t)
{
    const struct mg *g = model_g(f->md, f->e->g);
    if (!g)
        return FOLD_NOT_YET;
    if (f->e->kind == EV_RUNNEXT_GET || f->e->kind == EV_M_NEXTG)
        return number_now(f, "G's ticket", g->seq, t);
    return ticket_next(f, "G's", g->seq, t);
}

/* A syscall_enter where there is no P, and a syscall_exit that did not take its old P back change no P. */
static bool has_p_ticket(const struct ev *e, uint32_t t)
{
    if (e->p == EV_NO_P && e->kind == EV_SYSCALL_ENTER)
        return false;
    return t != 0 || e->kind != EV_SYSCALL_EXIT || e->d == XH_OLD_P;
}

/* The first procresize comes before there is a lock to be taken. */
static bool has_lock_ticket(const struct ev *e, uint32_t t)
{
    return t != 0 || e->kind != EV_PROCRESIZE || e->a != 0;
}

static int ticket_check(const struct fold *f, enum ev_ftype type, uint32_t t)
{
    struct model *md = f->md;
    int r;
    switch (type) {
    case T_G:
        return ticket_g(f, t);
    case T_P:
        if (!has_p_ticket(f->e, t))
            return FOLD_APPLIED;
        r = find_p(f, f->e->p);
        return r ? r : ticket_next(f, "P's", md->p[f->e->p].seq, t);
    case T_LOCK:
        if (!has_lock_ticket(f->e, t))
            return FOLD_APPLIED;
        return ticket_next(f, "sched.lock's", md->lockseq, t);
    case T_SPIN:
        return ticket_next(f, "nmspinning's", md->spinseq, t);
    case T_OUT:
        return ticket_next(f, "the output's", md->outseq, t);
    case T_TIMER:
        r = heap_of(f) ? FOLD_APPLIED : find_p(f, timer_heap(f->e));
        return r ? r : ticket_next(f, "the heap's", heap_of(f)->timerseq, t);
    default:
        return FOLD_APPLIED;
    }
}

static void ticket_take(const struct fold *f, enum ev_ftype type, uint32_t t)
{
    struct model *md = f->md;
    switch (type) {
    case T_G:
        model_g_mut(md, f->e->g)->seq = t;
        break;
    case T_P:
        if (has_p_ticket(f->e, t))
            md->p[f->e->p].seq = t;
        break;
    case T_LOCK:
        if (has_lock_ticket(f->e, t))
            md->lockseq = t;
        break;
    case T_SPIN:
        md->spinseq = t;
        break;
    case T_OUT:
        md->outseq = t;
        break;
    case T_TIMER:
        heap_of(f)->timerseq = t;
        break;
    default:
        break;
    }
}

static int tickets_check(const struct fold *f)
{
    const struct ev_field *field = ev_desc[f->e->kind].field;
    for (int i = 0; i < EV_FIELDS && field[i].name; i++) {
        if (!EV_IS_TICKET(field[i].type))
            continue;
        int r = ticket_check(f, field[i].type, (uint32_t)ev_value(f->e, f->m, &field[i]));
        if (r)
            return r;
    }
    return FOLD_APPLIED;
}

static void tickets_take(const struct fold *f)
{
    const struct ev_field *field = ev_desc[f->e->kind].field;
    for (int i = 0; i < EV_FIELDS && field[i].name; i++)
        if (EV_IS_TICKET(field[i].type))
            ticket_take(f, field[i].type, (uint32_t)ev_value(f->e, f->m, &field[i]));
}

/* ---- the table; a kind that is not in it changes nothing but its tickets ---- */

static int (*const fold_of[EV_KINDS])(const struct fold *) = {
    [EV_G_CREATE] = fold_g_create,
    [EV_G_START] = fold_g_start,
    [EV_G_PARK] = fold_g_park,
    [EV_G_YIELD] = fold_g_yield,
    [EV_G_PREEMPT] = fold_g_yield,
    [EV_G_END] = fold_g_end,
    [EV_G_READY] = fold_g_ready,
    [EV_RUNNEXT_PUT] = fold_runnext_put,
    [EV_RUNNEXT_GET] = fold_runnext_get,
    [EV_RUNQ_PUT] = fold_runq_put,
    [EV_RUNQ_GET] = fold_runq_get,
    [EV_RUNQ_OVERFLOW] = fold_runq_overflow,
    [EV_GLOBQ_PUT] = fold_globq_put,
    [EV_GLOBQ_GET] = fold_globq_get,
    [EV_STEAL] = fold_steal,
    [EV_G_DISABLE] = fold_g_disable,
    [EV_SCHED_ENABLE_USER] = fold_sched_enable_user,
    [EV_SPIN_START] = fold_spin_start,
    [EV_SPIN_STOP] = fold_spin_stop,
    [EV_WAKEP] = fold_wakep,
    [EV_NEEDSPINNING] = fold_needspinning,
    [EV_M_NEXTG] = fold_m_nextg,
    [EV_M_START] = fold_m_start,
    [EV_M_PARK] = fold_m_park,
    [EV_M_WAKE] = fold_m_wake,
    [EV_G_LOCK_M] = fold_g_lock_m,
    [EV_G_UNLOCK_M] = fold_g_unlock_m,
    [EV_M_PARK_LOCKED] = fold_m_park_locked,
    [EV_M_WAKE_LOCKED] = fold_m_wake_locked,
    [EV_M_EXIT] = fold_m_exit,
    [EV_PROCRESIZE] = fold_procresize,
    [EV_STW_START] = fold_stw_start,
    [EV_P_GCSTOP] = fold_p_gcstop,
    [EV_STW_END] = fold_stw_end,
    [EV_P_DESTROY] = fold_p_destroy,
    [EV_RUNQ_POP] = fold_runq_pop,
    [EV_RUNQ_DRAIN] = fold_runq_drain,
    [EV_TIMER_MOVE] = fold_timer_move,
    [EV_P_ACQUIRE] = fold_p_acquire,
    [EV_P_RELEASE] = fold_p_release,
    [EV_P_IDLE] = fold_p_idle,
    [EV_P_TAKE] = fold_p_take,
    [EV_RETAKE] = fold_retake,
    [EV_SYSCALL_ENTER] = fold_syscall_enter,
    [EV_SYSCALL_BLOCK] = fold_syscall_block,
    [EV_SYSCALL_EXIT] = fold_syscall_exit,
    [EV_NETPOLL_WAIT] = fold_netpoll_wait,
    [EV_NETPOLL_READY] = fold_netpoll_ready,
    [EV_TIMER_ADD] = fold_timer_add,
    [EV_TIMER_FIRE] = fold_timer_fire,
    [EV_FATAL] = fold_fatal,
    [EV_PROGRAM_END] = fold_program_end,
    [EV_TIME_JUMP] = fold_time_jump,
    [EV_HANDOFF] = fold_handoff,
};

/* checkdead runs while its M is already on the idle list: what it says is said by a blocked M. And it is an M that goes to sleep or
 * leaves which tells that nobody can go on. */
static bool may_come_from_idle(uint8_t kind)
{
    return kind == EV_DEADLOCK || kind == EV_FATAL || kind == EV_PROGRAM_END || kind == EV_TIME_JUMP;
}

static int check_m(const struct fold *f)
{
    bool started = f->mm && f->mm->started;
    if (f->e->kind == EV_M_START) {
        if (f->m > ID_MAX)
            return fold_broken(f, "no M can have this number");
        return started ? fold_broken(f, "M%u has started already", f->m) : FOLD_APPLIED;
    }
    if (started && f->mm->exited && !may_come_from_idle(f->e->kind))
        return fold_broken(f, "M%u has exited", f->m);
    if (!started || ((f->mm->blocked || f->mm->idlelocked > 0) && !may_come_from_idle(f->e->kind)))
        return FOLD_NOT_YET;
    return FOLD_APPLIED;
}

static int try_fold(const struct fold *f)
{
    if (f->md->oom)
        return fold_broken(f, "out of memory");
    if (f->e->kind >= EV_KINDS)
        return fold_broken(f, "there is no event %u", f->e->kind);
    int r = check_m(f);
    if (r || (r = tickets_check(f)))
        return r;
    r = fold_of[f->e->kind] ? fold_of[f->e->kind](f) : FOLD_APPLIED;
    if (r)
        return r;
    tickets_take(f);
    return f->md->oom ? fold_broken(f, "out of memory") : FOLD_APPLIED;
}

int model_offer(struct model *md, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    (void)text; /* what was printed is no part of the scheduler's state */
    (void)len;
    struct fold f = {.md = md, .m = m, .mm = m < md->nm ? &md->m[m] : NULL, .e = e};
    enum m_doing before = model_m_doing(md, m);
    int r = try_fold(&f);
    if (r)
        return r;
    md->events++;
    if (e->time > md->time)
        md->time = e->time;
    if (m < md->nm && model_m_doing(md, m) != before)
        md->m[m].since = e->time;
    count_event(md, e);
    return FOLD_APPLIED;
}
