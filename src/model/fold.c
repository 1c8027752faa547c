/* The fold: applies each event to the state, as eventlog/README.md defines it.
 *
 * model_offer() checks in this order: the record, whether its M may log now, the sequence numbers. Then the event's own function checks all
 * other conditions before it changes anything, so an event is applied as a whole or not at all. The table of events says where the sequence
 * numbers are; this file checks and advances them in one place, so no event's function can forget one. apply() is compiled once for each
 * kind, with its sequence numbers, its function and its fields as constants.
 *
 * OFFER_NOT_YET: an event that is still to come must be folded first. OFFER_BROKEN: no later event can make this one valid. The Gs in
 * transit on an M come from the M's own events, which arrive in order, so a missing G is broken. Another M may add a G (a locked one,
 * m_wake_locked); it does so before it releases the P that this M then acquires.
 */
#include "model/count_event.h"
#include "model/fold_internal.h"
#include "model/replay.h"

/* ---- sequence numbers ---- */

static ALWAYS_INLINE enum offer seq_next(const struct fold *f, const char *whose, uint32_t last, uint32_t t)
{
    if (t == last + 1)
        return OFFER_APPLIED;
    if (is_serial_before(last, t))
        return OFFER_NOT_YET;
    return fold_broken(f, "%s sequence number %u was used before, the last is %u", whose, t, last);
}

static ALWAYS_INLINE enum offer seq_of_g(const struct fold *f, enum ev_kind kind, uint32_t t)
{
    if (!f->g)
        return g_find(f->md, f->e->g) ? fold_broken(f, "G%u ended long ago", f->e->g) : OFFER_NOT_YET;
    if (kind == EV_RUNNEXT_GET || kind == EV_M_NEXTG)
        return number_now(f, "G's sequence number", f->g->seq, t);
    return seq_next(f, "G's", f->g->seq, t);
}

/* Returns false for events that change no P: a syscall_enter without a P, and a syscall_exit that does not take back its old P. */
static ALWAYS_INLINE bool has_p_seq(const struct ev *e, enum ev_kind kind, uint32_t t)
{
    if (kind == EV_SYSCALL_ENTER && e->p == EV_NO_P)
        return false;
    return kind != EV_SYSCALL_EXIT || t != 0 || e->d == EXITSYSCALL_OLD_P;
}

/* Returns false for the first procresize, which takes no lock. */
static ALWAYS_INLINE bool has_lock_seq(const struct ev *e, enum ev_kind kind, uint32_t t)
{
    return kind != EV_PROCRESIZE || t != 0 || e->a != 0;
}

static ALWAYS_INLINE enum offer seq_check(const struct fold *f, enum ev_kind kind, enum ev_ftype type, uint32_t t)
{
    struct model *md = f->md;
    enum offer r;
    switch (type) {
    case T_G:
        return seq_of_g(f, kind, t);
    case T_P:
        if (!has_p_seq(f->e, kind, t))
            return OFFER_APPLIED;
        r = find_p(f, f->e->p);
        return r ? r : seq_next(f, "P's", md->p[f->e->p].seq, t);
    case T_LOCK:
        if (!has_lock_seq(f->e, kind, t))
            return OFFER_APPLIED;
        return seq_next(f, "sched.lock's", md->lockseq, t);
    case T_SPIN:
        return seq_next(f, "nmspinning's", md->spinseq, t);
    case T_OUT:
        return seq_next(f, "the output's", md->outseq, t);
    case T_TIMER:
        r = heap_of(f) ? OFFER_APPLIED : find_p(f, timer_heap(f->e));
        return r ? r : seq_next(f, "the heap's", heap_of(f)->timerseq, t);
    default:
        return OFFER_APPLIED;
    }
}

static ALWAYS_INLINE void seq_advance(const struct fold *f, enum ev_kind kind, enum ev_ftype type, uint32_t t)
{
    struct model *md = f->md;
    switch (type) {
    case T_G:
        f->g->seq = t;
        break;
    case T_P:
        if (has_p_seq(f->e, kind, t))
            md->p[f->e->p].seq = t;
        break;
    case T_LOCK:
        if (has_lock_seq(f->e, kind, t))
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

/* A sequence number is a whole word of the record (SEQ in events.def). */
static ALWAYS_INLINE uint32_t seq_word(const struct ev *e, enum ev_word word)
{
    return word == W_A ? e->a : word == W_B ? e->b : word == W_C ? e->c : e->d;
}

/* True if field i of a kind is a sequence number. The compiler knows the answer. */
static ALWAYS_INLINE bool is_seq(const struct ev_field *field, int i)
{
    return field[i].name && EV_IS_SEQ(field[i].type);
}

static ALWAYS_INLINE enum offer seqs_check(const struct fold *f, enum ev_kind kind, const struct ev_field *field)
{
    enum offer r = OFFER_APPLIED;
    UNROLL(EV_FIELDS)
    for (int i = 0; i < EV_FIELDS; i++)
        if (is_seq(field, i) && !r)
            r = seq_check(f, kind, field[i].type, seq_word(f->e, field[i].word));
    return r;
}

static ALWAYS_INLINE void seqs_advance(const struct fold *f, enum ev_kind kind, const struct ev_field *field)
{
    UNROLL(EV_FIELDS)
    for (int i = 0; i < EV_FIELDS; i++)
        if (is_seq(field, i))
            seq_advance(f, kind, field[i].type, seq_word(f->e, field[i].word));
}

/* ---- the table: a kind without a row changes only its sequence numbers ---- */

enum { NEEDS_G = 1, MOVES = 2 }; /* its function uses the event's G; it may change what its M does (enum m_doing) */
static const struct {
    fold_event *fold;
    uint8_t traits;
} kinds[EV_KINDS] = {
    [EV_G_CREATE] = {fold_g_create, 0},
    [EV_G_START] = {fold_g_start, NEEDS_G | MOVES},
    [EV_G_PARK] = {fold_g_park, NEEDS_G | MOVES},
    [EV_G_YIELD] = {fold_g_yield, NEEDS_G | MOVES},
    [EV_G_PREEMPT] = {fold_g_yield, NEEDS_G | MOVES},
    [EV_G_END] = {fold_g_end, NEEDS_G | MOVES},
    [EV_G_READY] = {fold_g_ready, NEEDS_G},
    [EV_RUNNEXT_PUT] = {fold_runnext_put, NEEDS_G},
    [EV_RUNNEXT_GET] = {fold_runnext_get, NEEDS_G},
    [EV_RUNQ_PUT] = {fold_runq_put, NEEDS_G},
    [EV_RUNQ_GET] = {fold_runq_get, NEEDS_G},
    [EV_RUNQ_OVERFLOW] = {fold_runq_overflow, 0},
    [EV_GLOBQ_PUT] = {fold_globq_put, 0},
    [EV_GLOBQ_GET] = {fold_globq_get, 0},
    [EV_STEAL] = {fold_steal, NEEDS_G},
    [EV_G_DISABLE] = {fold_g_disable, NEEDS_G},
    [EV_SCHED_ENABLE_USER] = {fold_sched_enable_user, 0},
    [EV_SPIN_START] = {fold_spin_start, MOVES},
    [EV_SPIN_STOP] = {fold_spin_stop, MOVES},
    [EV_WAKEP] = {fold_wakep, 0},
    [EV_NEEDSPINNING] = {fold_needspinning, 0},
    [EV_M_NEXTG] = {fold_m_nextg, NEEDS_G},
    [EV_M_START] = {fold_m_start, MOVES},
    [EV_M_PARK] = {fold_m_park, MOVES},
    [EV_M_WAKE] = {fold_m_wake, 0},
    [EV_G_LOCK_M] = {fold_g_lock_m, NEEDS_G},
    [EV_G_UNLOCK_M] = {fold_g_unlock_m, NEEDS_G},
    [EV_M_PARK_LOCKED] = {fold_m_park_locked, MOVES},
    [EV_M_WAKE_LOCKED] = {fold_m_wake_locked, NEEDS_G},
    [EV_M_EXIT] = {fold_m_exit, MOVES},
    [EV_PROCRESIZE] = {fold_procresize, 0},
    [EV_GC_PHASE] = {fold_gc_phase, 0},
    [EV_STW_START] = {fold_stw_start, 0},
    [EV_P_GCSTOP] = {fold_p_gcstop, 0},
    [EV_STW_END] = {fold_stw_end, 0},
    [EV_P_DESTROY] = {fold_p_destroy, 0},
    [EV_RUNQ_POP] = {fold_runq_pop, NEEDS_G},
    [EV_RUNQ_DRAIN] = {fold_runq_drain, 0},
    [EV_TIMER_MOVE] = {fold_timer_move, 0},
    [EV_P_ACQUIRE] = {fold_p_acquire, 0},
    [EV_P_RELEASE] = {fold_p_release, 0},
    [EV_P_IDLE] = {fold_p_idle, 0},
    [EV_P_TAKE] = {fold_p_take, 0},
    [EV_RETAKE] = {fold_retake, 0},
    [EV_SYSCALL_ENTER] = {fold_syscall_enter, NEEDS_G | MOVES},
    [EV_SYSCALL_BLOCK] = {fold_syscall_block, NEEDS_G | MOVES},
    [EV_SYSCALL_EXIT] = {fold_syscall_exit, NEEDS_G | MOVES},
    [EV_NETPOLL_WAIT] = {fold_netpoll_wait, MOVES},
    [EV_NETPOLL_READY] = {fold_netpoll_ready, MOVES},
    [EV_TIMER_ADD] = {fold_timer_add, 0},
    [EV_TIMER_FIRE] = {fold_timer_fire, 0},
    [EV_TIMER_MARK] = {fold_timer_mark, 0},
    [EV_TIMER_DROP] = {fold_timer_drop, 0},
    [EV_FATAL] = {fold_fatal, 0},
    [EV_PROGRAM_END] = {fold_program_end, 0},
    [EV_TIME_JUMP] = {fold_time_jump, 0},
    [EV_HANDOFF] = {fold_handoff, 0},
    [EV_CHAN_OP] = {fold_chan_op, 0},
    [EV_MUTEX_OP] = {fold_mutex_op, 0},
    [EV_RWMUTEX_OP] = {fold_rwmutex_op, 0},
    [EV_WAITGROUP_OP] = {fold_waitgroup_op, 0},
    [EV_CONN_OP] = {fold_conn_op, 0},
    [EV_SELECT_CASE] = {fold_select_case, 0},
    [EV_G_OP] = {fold_g_op, 0},
    [EV_M_STALL] = {fold_m_stall, 0},
    [EV_M_LATE] = {fold_m_late, 0},
    [EV_G_SEEN] = {fold_g_seen, 0},
    [EV_P_SEEN] = {fold_p_seen, 0},
    [EV_M_SEEN] = {fold_m_seen, 0},
    [EV_COUNT_SEEN] = {fold_count_seen, 0},
    [EV_LOOK_P] = {fold_look_fact, 0},
    [EV_LOOK_M] = {fold_look_fact, 0},
    [EV_LOOK_G] = {fold_look_fact, 0},
    [EV_LOOK_QUEUE] = {fold_look_fact, 0},
    [EV_LOOK_IN] = {fold_look_fact, 0},
    [EV_LOOK] = {fold_look, 0},
};

/* True for events of an M that is already on the idle list: checkdead() runs there, the last M to sleep or exit logs the jump of the time, and
 * in Go 1.0 an M that stops for the world wakes the one that waits for that. */
static ALWAYS_INLINE bool may_come_from_idle(uint8_t kind)
{
    return kind == EV_DEADLOCK || kind == EV_FATAL || kind == EV_PROGRAM_END || kind == EV_TIME_JUMP || kind == EV_M_LATE;
}

/* Checks whether the M may log this event, and with it the rest of its record: no event of a record starts the M or puts it to sleep. */
static ALWAYS_INLINE enum offer check_m(const struct fold *f)
{
    uint8_t kind = f->e->kind;
    bool started = f->mm && f->mm->started;
    if (kind == EV_M_STALL) /* at any time, even before its M has logged anything */
        return OFFER_APPLIED;
    if (kind == EV_M_START) {
        if (f->m > ID_AHEAD + f->md->counters.m_created)
            return fold_broken(f, "no M can have this number");
        return started ? fold_broken(f, "M%u has started already", f->m) : OFFER_APPLIED;
    }
    if (started && f->mm->exited && !may_come_from_idle(kind))
        return fold_broken(f, "M%u has exited", f->m);
    if (!started || ((f->mm->blocked || f->mm->idlelocked > 0) && !may_come_from_idle(kind)))
        return OFFER_NOT_YET;
    return OFFER_APPLIED;
}

static ALWAYS_INLINE bool needs_g(enum ev_kind kind, const struct ev_field *field)
{
    bool needed = kinds[kind].traits & NEEDS_G;
    UNROLL(EV_FIELDS)
    for (int i = 0; i < EV_FIELDS; i++)
        needed |= is_seq(field, i) && field[i].type == T_G;
    return needed;
}

/* Returns the event's G for writing, NULL if it is not known. An event of a record is often about the same G as the one before it. */
static ALWAYS_INLINE struct model_g *g_of(const struct fold *f)
{
    if (f->g && f->g->id == f->e->g)
        return f->g;
    const struct model_g *g = g_find(f->md, f->e->g);
    return g && g->fn != MODEL_FORGOTTEN ? g_mut(f->md, f->e->g) : NULL;
}

/* True if an M that searches has a G now. */
static ALWAYS_INLINE bool takes_g(enum ev_kind kind)
{
    return kind == EV_RUNNEXT_GET || kind == EV_RUNQ_GET || kind == EV_GLOBQ_GET || kind == EV_STEAL || kind == EV_M_NEXTG ||
           kind == EV_GC_WORKER || kind == EV_NETPOLL_READY;
}

/* Returns false for what Ms and Ps do while no G moves: they search, sleep, wake and wait, and the time passes. A place (g_op) is not always recorded. */
static ALWAYS_INLINE bool moves_g(enum ev_kind kind)
{
    bool search = kind == EV_FIND_STAGE || kind == EV_STEAL_TRY || kind == EV_RECHECK || kind == EV_SPIN_START || kind == EV_SPIN_STOP ||
                  kind == EV_WAKEP || kind == EV_NEEDSPINNING || kind == EV_TIMER_STEAL || kind == EV_LOCK_WAIT;
    bool m = kind == EV_M_START || kind == EV_M_PARK || kind == EV_M_WAKE || kind == EV_M_EXIT || kind == EV_P_ACQUIRE ||
             kind == EV_P_RELEASE || kind == EV_P_IDLE || kind == EV_P_TAKE || kind == EV_HANDOFF;
    bool watch = kind == EV_NETPOLL_WAIT || kind == EV_NETPOLL_READY || kind == EV_NETPOLL_BREAK || kind == EV_SYSMON_TICK ||
                 kind == EV_PREEMPT_REQUEST || kind == EV_TIME_JUMP || kind == EV_G_OP || kind == EV_M_STALL || kind == EV_M_LATE ||
                 kind == EV_POLICY_WRONG;
    return !search && !m && !watch;
}

/* True for what an M may log while it still runs the function of a timer, and for what the conductor logs for it. */
static ALWAYS_INLINE bool in_timer(enum ev_kind kind)
{
    return kind == EV_TIMER_ADD || kind == EV_TIMER_MARK || kind == EV_TIMER_DROP || kind == EV_CHAN_OP || kind == EV_LOCK_WAIT ||
           kind == EV_M_STALL || kind == EV_M_LATE || kind == EV_TIME_JUMP || kind == EV_POLICY_WRONG;
}

/* Returns why an event is not applied. If there was no memory for a copy of its G, what was checked is not that G. */
static __attribute__((noinline)) enum offer not_applied(const struct fold *f, enum offer r)
{
    return f->md->oom ? fold_lacks(f) : r;
}

/* Makes the G of a g_create. */
static ALWAYS_INLINE enum offer make_g(struct fold *f)
{
    uint64_t most = EV_SYSTEM_G + EV_SYSTEM_GS + ID_AHEAD + f->md->counters.goroutines; /* a live run counts its Gs (ev_user_g) */
    if (f->e->g == 0 || f->e->g > ID_MAX || (f->e->g > most && !f->md->cfg.lacks))
        return fold_broken(f, "no G can have this number");
    if (f->e->b == MODEL_FORGOTTEN)
        return fold_broken(f, "no program can have this number");
    if (g_find(f->md, f->e->g))
        return fold_broken(f, "there is a G%u already", f->e->g);
    f->g = model_g_add(f->md, f->e->g);
    return f->g ? OFFER_APPLIED : fold_lacks(f);
}

/* Applies one event. Kind and fields are constants for the compiler; e->kind is not, because any store of a byte might change it. */
static ALWAYS_INLINE enum offer apply(struct fold *f, enum ev_kind kind, const struct ev_field *field)
{
    struct model *md = f->md;
    const struct ev *e = f->e;
    if (e->kind != kind)
        __builtin_unreachable();
    if (needs_g(kind, field))
        f->g = g_of(f);
    enum offer r = seqs_check(f, kind, field);
    if (r || (kind == EV_G_CREATE && (r = make_g(f))))
        return not_applied(f, r);
    enum m_doing before =
        (kinds[kind].traits & MOVES) && f->mm ? m_doing(f->mm) : MD_NONE; /* check_m(): the M has started, or this event starts it */
    if (kinds[kind].fold && (r = kinds[kind].fold(f)))
        return not_applied(f, r);
    seqs_advance(f, kind, field);
    if (md->oom)
        return fold_lacks(f);
    md->events++;
    if (e->time > md->time)
        md->time = e->time;
    if (moves_g(kind))
        md->moved = e->time;
    if ((kinds[kind].traits & MOVES) && m_doing(&md->m[f->m]) != before)
        md->m[f->m].since = e->time;
    if (kind == EV_TIMER_FIRE)
        md->m[f->m].fires = (e->b >> 16 & 0xff) != TIMER_WAKE;
    else if (f->mm && !in_timer(kind))
        md->m[f->m].fires = false;
    count_event(f, kind);
    if (kind == EV_STEAL || kind == EV_STEAL_TRY)
        meters_steal(f);
    if (kind == EV_FIND_STAGE || kind == EV_STEAL_TRY || kind == EV_RECHECK)
        search_step_add(f);
    if (takes_g(kind))
        search_took(f);
    if (ev_ends_round((int)kind))
        search_end(f);
    if (kind == EV_G_END)
        model_g_ended(md, e->g);
    return OFFER_APPLIED;
}

#define F(name, type, word, shift, bits) F_IF(0, name, type, word, shift, bits)
#define F_IF(only, name, type, word, shift, bits) \
    { \
        name, type, W_##word, shift, bits, only \
    }
#define EVENT(id, name, level, traits, go, meaning, en, zh, next_en, next_zh, ...) \
    static enum offer apply_##id(struct fold *f) \
    { \
        static const struct ev_field field[EV_FIELDS] = {__VA_ARGS__}; \
        return apply(f, EV_##id, field); \
    }
#include "eventlog/events.def"
#undef EVENT
#undef F
#undef F_IF

static enum offer (*const apply_of[EV_KINDS])(struct fold *) = {
#define EVENT(id, ...) [EV_##id] = apply_##id,
#include "eventlog/events.def"
#undef EVENT
};

/* ---- records: one function for each row of records.def ---- */

/* Applies the next event, before `end`, if it is of this kind. Returns false if it is not, or cannot be applied now: offered by itself it says
 * why. */
static ALWAYS_INLINE bool step(struct fold *f, const struct ev *end, enum ev_kind kind, enum offer (*apply_it)(struct fold *))
{
    if (f->e + 1 == end || f->e[1].kind != kind)
        return false;
    f->e++;
    if (apply_it(f) == OFFER_APPLIED)
        return true;
    f->e--;
    return false;
}

#define THEN(id) \
    if (!step(f, end, EV_##id, apply_##id)) \
        return OFFER_APPLIED;
#define MAYBE(id) \
    if (f->e + 1 != end && f->e[1].kind == EV_##id) \
    THEN(id)
#define MANY(id) \
    while (f->e + 1 != end && f->e[1].kind == EV_##id) \
    THEN(id)
/* Applies the event at f->e and those before `end` that continue its record. Afterwards f->e is the last one that was applied. */
#define RECORD(first, steps) \
    static FLATTEN enum offer record_##first(struct fold *f, const struct ev *end) \
    { \
        enum offer r = apply_##first(f); \
        if (r) \
            return r; \
        steps return OFFER_APPLIED; \
    }
#include "eventlog/records.def"
#undef RECORD

static enum offer (*const record_of[EV_KINDS])(struct fold *, const struct ev *end) = {
#define RECORD(first, steps) [EV_##first] = record_##first,
#include "eventlog/records.def"
#undef RECORD
};

/* ---- offers ---- */

/* Fills f, and checks what does not depend on the kind: that there is such an event, and that the M may log now. */
static ALWAYS_INLINE enum offer begin(struct fold *f, struct model *md, uint32_t m, const struct ev *e)
{
    *f = (struct fold){.md = md, .m = m, .mm = m < md->nm ? &md->m[m] : NULL, .e = e};
    if (md->oom || (!md->front && !gpages_unfold(md)))
        return fold_lacks(f);
    return e->kind < EV_KINDS ? check_m(f) : fold_broken(f, "there is no event %u", e->kind);
}

/* Offers an event to a partial model. Its events come in order, so what cannot be applied now never can. */
static __attribute__((noinline)) enum offer offer_partial(struct model *md, uint32_t m, const struct ev *e)
{
    struct ev copy = *e;
    struct fold f = {.md = md, .m = m, .e = &copy};
    if (md->oom || (!md->front && !gpages_unfold(md)))
        return fold_lacks(&f);
    if (e->kind >= EV_KINDS)
        return fold_broken(&f, "there is no event %u", e->kind);
    enum offer r = partial_suppose(&f, &copy);
    bool seen = ev_has_trait(e->kind, EV_SEEN);
    if (r || (!seen && (r = begin(&f, md, m, &copy))) || (r = apply_of[e->kind](&f)))
        return r == OFFER_NOT_YET ? fold_broken(&f, "what must come before it is missing") : r;
    partial_learn(&f);
    if (md->replays)
        replay_after(&f);
    return md->oom ? fold_lacks(&f) : OFFER_APPLIED;
}

enum offer model_offer(struct model *md, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    (void)text; /* printed text is not part of the scheduler's state */
    (void)len;
    struct fold f;
    if (md->cfg.lacks)
        return offer_partial(md, m, e);
    enum offer r = begin(&f, md, m, e);
    return r ? r : apply_of[e->kind](&f);
}

/* True if there is an event at e, and it begins a record that is applied together with the events before it. What a G was made ready from is
 * known of the last one only. Readers find a new G by the first event. */
static ALWAYS_INLINE bool goes_on(const struct ev *e, const struct ev *end)
{
    return e != end && e->kind < EV_KINDS && record_of[e->kind] && e->kind != EV_G_READY && e->kind != EV_G_CREATE;
}

enum offer model_offer_record(struct model *md, uint32_t m, const struct ev *e, uint32_t *n)
{
    struct fold f;
    const struct ev *end = e + *n;
    if (e->kind >= EV_KINDS || !record_of[e->kind] || md->cfg.lacks) {
        *n = 1;
        return model_offer(md, m, e, NULL, 0);
    }
    enum offer r = begin(&f, md, m, e);
    if (r) {
        *n = 1;
        return r;
    }
    *n = 0;
    do {
        r = record_of[f.e->kind](&f, end);
        if (r)
            break;
        f.e++;
        *n = (uint32_t)(f.e - e);
    } while (goes_on(f.e, end));
    return *n ? OFFER_APPLIED : r;
}
