/* A partial model: its source does not see everything (model_config.lacks).
 *
 * An event says more than what it changes: a G that starts was runnable, and its M had a P and no G. partial_suppose() makes that true before
 * the event is folded, as far as nothing else is known; then the functions of live events fold it. What is known is never changed, so an
 * event that contradicts it is still broken. partial_learn() then forgets what the event has made uncertain. Both cost a live run nothing.
 * Rejected: "may be unknown" in the functions of live events. No line here would go, since each of them says what its event presupposes, and
 * every event of a live run would ask.
 *
 * Sequence numbers: 0 stands for the next one, for sources that have none and offer their events in order. The first other number of a G, a P
 * or a lock is taken as it is.
 *
 * The events may come from a stranger's file: each value is checked before it is used. */
#include "model/replay.h"
#include "model/suppose.h"

enum { OBJECTS_MAX = 1 << 22 };
#define TIME_MAX (INT64_MAX / 4)

/* ---- the kinds ---- */

static enum offer on_curg(struct fold *f, struct ev *e)
{
    (void)e;
    suppose_curg(f, G_RUNNING);
    return OFFER_APPLIED;
}

/* A G of a C thread that called into Go ends in its call. */
static enum offer on_end(struct fold *f, struct ev *e)
{
    struct model_g *g = f->mm->curg == e->g ? g_mut(f->md, e->g) : NULL;
    suppose_curg(f, G_RUNNING);
    if (g && g->status == G_SYSCALL) {
        state_of_g(f, g, G_RUNNING);
        f->mm->syscall = false;
        f->mm->oldp = EV_NONE;
    }
    return OFFER_APPLIED;
}

static enum offer on_unlock(struct fold *f, struct ev *e)
{
    suppose_curg(f, G_RUNNING);
    if (!f->mm->lockedg)
        f->mm->lockedg = e->g;
    return OFFER_APPLIED;
}

static enum offer on_create(struct fold *f, struct ev *e)
{
    (void)f;
    e->b = e->b == EV_NONE ? FN_UNKNOWN : e->b;
    return OFFER_APPLIED;
}

static enum offer on_start(struct fold *f, struct ev *e)
{
    if (f->mm->curg && (f->mm->lacks & LACKS(KNOW_M_G))) {
        struct model_g *other = g_mut(f->md, f->mm->curg);
        displace_g(f->md, other);
        state_of_g(f, other, G_UNKNOWN);
    }
    suppose_hand(f, e->g);
    const struct model_g *g = g_find(f->md, e->g);
    if (g && (g->lacks & G_LACKS_SINCE)) { /* for how long it waited is not known */
        g_mut(f->md, e->g)->since = e->time;
        f->md->lacks |= LACKS(KNOW_WAITS);
    }
    return OFFER_APPLIED;
}

static enum offer on_ready(struct fold *f, struct ev *e)
{
    struct model_g *g = know_g(f->md, e->g);
    if (g && g->status == G_UNKNOWN) {
        displace_g(f->md, g);
        state_of_g(f, g, G_WAITING);
        put_at(g, PLACE_WAITING, 0, 0);
    }
    return OFFER_APPLIED;
}

static enum offer on_hand(struct fold *f, struct ev *e)
{
    suppose_hand(f, e->g);
    return OFFER_APPLIED;
}

static enum offer on_syscall_exit(struct fold *f, struct ev *e)
{
    suppose_curg(f, G_SYSCALL);
    if (e->d == EXITSYSCALL_IDLE_P && e->p != EV_NO_P)
        return suppose_p(f, e->p);
    suppose_no_p(f);
    return e->d == EXITSYSCALL_OLD_P ? suppose_p_state(f, e->p, P_SYSCALL) : OFFER_APPLIED;
}

static enum offer on_runnext_put(struct fold *f, struct ev *e)
{
    suppose_hand(f, e->g);
    return suppose_runnext(f, e->p, e->a);
}

static enum offer on_runnext_get(struct fold *f, struct ev *e)
{
    return suppose_runnext(f, e->p, e->g);
}

static enum offer on_runq_put(struct fold *f, struct ev *e)
{
    struct model_p *p = know_p(f->md, e->p);
    suppose_hand(f, e->g);
    if (p)
        suppose_tail(f, p, e->a, 1);
    return p ? OFFER_APPLIED : fold_broken(f, "there is no P%u", e->p);
}

static enum offer on_runq_get(struct fold *f, struct ev *e)
{
    return suppose_ring(f, e->p, e->a, 1, e->g);
}

static enum offer on_runq_overflow(struct fold *f, struct ev *e)
{
    suppose_hand(f, e->g);
    return suppose_ring(f, e->p, e->b, e->a - 1, 0);
}

static enum offer on_runq_drain(struct fold *f, struct ev *e)
{
    enum offer r = suppose_p_state(f, e->p, P_GCSTOP);
    return r ? r : suppose_ring(f, e->p, e->b, e->a, 0);
}

static enum offer on_runq_pop(struct fold *f, struct ev *e)
{
    struct model_p *p = know_p(f->md, e->p);
    if (!p)
        return fold_broken(f, "there is no P%u", e->p);
    suppose_tail(f, p, e->a + 1, 0);
    if (p_lacks(p, KNOW_P_HEAD) && p->head == p->tail)
        suppose_slots(f, p, p->head - 1, p->tail);
    if (p->tail == e->a + 1 && p->head != p->tail && !*ring_slot(f->md, p, e->a) && g_open(f, e->g, G_RUNNABLE)) {
        *ring_slot(f->md, p, e->a) = e->g;
        suppose_at(f, e->g, PLACE_RUNQ, e->p, e->a);
    }
    return suppose_p_state(f, e->p, P_GCSTOP);
}

static enum offer on_steal(struct fold *f, struct ev *e)
{
    uint32_t from = e->a & 0xffff, n = e->b >> 1;
    struct model_p *thief = know_p(f->md, e->p);
    enum offer r = e->b & 1 ? suppose_runnext(f, from, e->g) : suppose_ring(f, from, e->c, n, e->g);
    if (r || !thief)
        return r ? r : fold_broken(f, "there is no P%u", e->p);
    thief = &f->md->p[e->p];
    const struct model_g *g = g_find(f->md, e->g);
    if ((e->b & 1) && !e->c && g)
        e->c = g->seq;
    if (!(e->b & 1) && n > 1 && from != e->p)
        suppose_tail(f, thief, e->d, n - 1);
    return OFFER_APPLIED;
}

static enum offer on_globq_put(struct fold *f, struct ev *e)
{
    if (e->g)
        suppose_hand(f, e->g);
    uint32_t at = e->g ? transit_find(f->mm, e->g) : 0;
    for (uint32_t n = f->mm->transit_n - at; n < e->a && e->a <= f->md->cfg.runq_size && !f->md->oom; n++)
        transit_add(f->md, f->mm, 0);
    return OFFER_APPLIED;
}

static enum offer on_globq_get(struct fold *f, struct ev *e)
{
    struct deque *q = &f->md->globq;
    bool open = (f->md->lacks & LACKS(KNOW_GLOBQ_LEN)) != 0;
    if (e->a > f->md->cfg.runq_size)
        return fold_broken(f, "%u Gs from the global queue", e->a);
    if (open && (q->n == 0 || (*deque_at(q, 0) && *deque_at(q, 0) != e->g)))
        deque_push_front(f->md, q, 0); /* it was in front of those that are known */
    while (open && q->n < e->a && !f->md->oom)
        deque_push_back(f->md, q, 0);
    if (q->n && !*deque_at(q, 0) && g_open(f, e->g, G_RUNNABLE)) {
        q->v[q->off] = e->g;
        suppose_at(f, e->g, PLACE_GLOBQ, 0, 0);
    }
    return OFFER_APPLIED;
}

static enum offer on_spin(struct fold *f, struct ev *e)
{
    if (f->mm->lacks & LACKS(KNOW_M_STATE))
        f->mm->spinning = e->kind == EV_SPIN_STOP && e->c != SPIN_STOP_NO_IDLE_P;
    if (f->md->lacks & LACKS(KNOW_SPINNING))
        f->md->nmspinning = e->kind == EV_WAKEP ? 0 : e->kind == EV_SPIN_START ? e->a - 1 : e->a + 1;
    f->md->lacks &= ~LACKS(KNOW_SPINNING);
    return OFFER_APPLIED;
}

static enum offer on_m_park(struct fold *f, struct ev *e)
{
    (void)e;
    suppose_no_p(f);
    if (f->mm->p != EV_NONE || (f->mm->curg && !(f->mm->lacks & LACKS(KNOW_M_G))))
        return fold_broken(f, "M%u still has a P or a G", f->m);
    if (f->mm->curg)
        displace_g(f->md, g_mut(f->md, f->mm->curg));
    return OFFER_APPLIED;
}

static enum offer on_m_wake(struct fold *f, struct ev *e)
{
    struct model *md = f->md;
    if (!know_m(md, e->a) || e->a == f->m)
        return fold_broken(f, "M%u cannot be woken", e->a);
    f->mm = &md->m[f->m];
    struct model_m *mm = &md->m[e->a];
    bool open = (mm->lacks & LACKS(KNOW_M_STATE)) != 0, top = md->idlem.n && *deque_at(&md->idlem, 0) == e->a;
    if (!top && (open || mm->blocked) && (md->lacks & LACKS(KNOW_IDLE_M))) {
        deque_remove(&md->idlem, e->a);
        deque_push_front(md, &md->idlem, e->a);
        mm->guess |= LACKS(KNOW_M_STATE);
    }
    mm->lacks &= ~LACKS(KNOW_M_STATE);
    return OFFER_APPLIED;
}

static enum offer on_park_locked(struct fold *f, struct ev *e)
{
    suppose_no_p(f);
    if (!f->mm->lockedg)
        f->mm->lockedg = e->g;
    return OFFER_APPLIED;
}

static enum offer on_wake_locked(struct fold *f, struct ev *e)
{
    if (!know_m(f->md, e->a))
        return fold_broken(f, "no M can have the number %u", e->a);
    f->mm = &f->md->m[f->m];
    suppose_hand(f, e->g);
    if (!f->md->m[e->a].lockedg)
        f->md->m[e->a].lockedg = e->g;
    return OFFER_APPLIED;
}

static enum offer on_nextg(struct fold *f, struct ev *e)
{
    if (!know_m(f->md, e->b))
        return fold_broken(f, "no M can have the number %u", e->b);
    f->mm = &f->md->m[f->m];
    struct fold by = *f;
    by.m = e->b;
    by.mm = &f->md->m[e->b];
    suppose_hand(&by, e->g);
    return OFFER_APPLIED;
}

static enum offer on_acquire(struct fold *f, struct ev *e)
{
    enum offer r = suppose_p_state(f, e->p, P_IDLE);
    suppose_no_p(f);
    if (!r && (f->md->lacks & LACKS(KNOW_IDLE_P)) && deque_remove(&f->md->idlep, e->p) && f->md->npidle)
        f->md->npidle--;
    return r;
}

static enum offer on_release(struct fold *f, struct ev *e)
{
    return suppose_p(f, e->p);
}

static enum offer on_p_idle(struct fold *f, struct ev *e)
{
    return suppose_p_state(f, e->p, P_IDLE);
}

static enum offer on_p_take(struct fold *f, struct ev *e)
{
    struct model *md = f->md;
    enum offer r = suppose_p_state(f, e->p, P_IDLE);
    bool top = md->idlep.n && *deque_at(&md->idlep, 0) == e->p;
    if (r || top || !(md->lacks & LACKS(KNOW_IDLE_P)))
        return r;
    bool listed = deque_remove(&md->idlep, e->p);
    if (!listed && (md->npidle == 0 || (md->lacks & LACKS(KNOW_IDLE_P_N))))
        md->npidle++;
    deque_push_front(md, &md->idlep, e->p);
    return OFFER_APPLIED;
}

static enum offer on_retake(struct fold *f, struct ev *e)
{
    return suppose_p_state(f, e->p, P_SYSCALL);
}

static enum offer on_gcstop(struct fold *f, struct ev *e)
{
    bool syscall = e->c == GCSTOP_SYSCALL || e->c == GCSTOP_ENTERSYSCALL;
    if (!f->md->gcwaiting) { /* nobody saw who began */
        f->md->gcwaiting = true;
        f->md->world = (struct model_world){WORLD_STOPS, f->md->world.phase, f->m, 0, e->time};
    }
    return e->c == GCSTOP_STOPPER ? suppose_p(f, e->p) : suppose_p_state(f, e->p, syscall ? P_SYSCALL : P_IDLE);
}

static enum offer on_procresize(struct fold *f, struct ev *e)
{
    struct model *md = f->md;
    if (e->b > EV_MAX_P || e->a > EV_MAX_P)
        return fold_broken(f, "%u Ps", e->b);
    if (e->a == 0 && md->np == 0)
        suppose_no_p(f);
    else if (e->a > md->np && !know_p(md, e->a - 1))
        return fold_broken(f, "there are %u Ps", md->np);
    for (uint32_t i = 0; e->a && i < md->np; i++)
        if (md->p[i].status == P_UNKNOWN)
            md->p[i].status = P_GCSTOP;
    return OFFER_APPLIED;
}

/* The timer is in the heap. */
static enum offer suppose_timer(struct fold *f, uint32_t heap, struct snap_timer t)
{
    struct model_p *p = heap == EV_NO_P ? &f->md->heap : know_p(f->md, heap);
    if (!p)
        return fold_broken(f, "there is no P%u", heap);
    bool open = heap == EV_NO_P || p_lacks(p, KNOW_P_TIMERS);
    if (open && !timers_remove(p, &t))
        timers_insert(f->md, p, t);
    else if (open)
        timers_insert(f->md, p, t);
    return OFFER_APPLIED;
}

static enum offer on_timer_add(struct fold *f, struct ev *e)
{
    return e->p == EV_NO_P || know_p(f->md, e->p) ? OFFER_APPLIED : fold_broken(f, "there is no P%u", e->p);
}

static enum offer on_timer_fire(struct fold *f, struct ev *e)
{
    return suppose_timer(f, e->b & 0xffff, (struct snap_timer){ev_cd(e), e->g, e->b >> 16 & 0xff, 0, (uint8_t)(e->b >> 24)});
}

static enum offer on_timer_move(struct fold *f, struct ev *e)
{
    if (e->p == EV_NO_P || !know_p(f->md, e->p) || (e->b & 0xffff) == EV_NO_P)
        return fold_broken(f, "there is no such P");
    return suppose_timer(f, e->b & 0xffff, (struct snap_timer){ev_cd(e), e->g, e->b >> 16 & 3, 0, (uint8_t)(e->b >> 24)});
}

/* The timer is in the heap; the time that it had is not known. */
static enum offer on_timer_mark(struct fold *f, struct ev *e)
{
    uint32_t chan = e->b >> 8 & TIMER_ID_MAX;
    return suppose_timer(f, e->p, (struct snap_timer){ev_cd(e), e->g, e->b >> 4 & 3, e->b >> 6 & 1, chan & TIMER_ID_MAX});
}

/* OF_P: the record's P is its subject; else it is the M's own. STATE: the G has a new state, and since when is known. CURG: which G its M has is known
 * afterwards; DOES: what its M does, too. QUEUE: a queue has become longer or shorter, which the source may not record. */
enum { OF_P = 1, STATE = 2, CURG = 4, DOES = 8, QUEUE = 16, NEEDS_P = 32, NEEDS_G = 64 };
static const struct {
    enum offer (*suppose)(struct fold *f, struct ev *e);
    uint8_t traits;
} kinds[EV_KINDS] = {
    [EV_G_CREATE] = {on_create, STATE | QUEUE},
    [EV_G_START] = {on_start, STATE | CURG | DOES | QUEUE},
    [EV_G_PARK] = {on_curg, STATE | CURG | DOES},
    [EV_G_YIELD] = {on_curg, STATE | CURG | DOES | QUEUE},
    [EV_G_PREEMPT] = {on_curg, STATE | CURG | DOES | QUEUE},
    [EV_G_END] = {on_end, STATE | CURG | DOES},
    [EV_G_READY] = {on_ready, STATE | QUEUE},
    [EV_SYSCALL_ENTER] = {on_curg, STATE | CURG | DOES},
    [EV_SYSCALL_BLOCK] = {on_curg, STATE | CURG | DOES},
    [EV_SYSCALL_EXIT] = {on_syscall_exit, OF_P | STATE | CURG | DOES | QUEUE},
    [EV_RUNNEXT_PUT] = {on_runnext_put, OF_P | NEEDS_P | NEEDS_G},
    [EV_RUNNEXT_GET] = {on_runnext_get, OF_P | NEEDS_P | NEEDS_G},
    [EV_RUNQ_PUT] = {on_runq_put, OF_P | NEEDS_P | NEEDS_G},
    [EV_RUNQ_GET] = {on_runq_get, OF_P | NEEDS_P | NEEDS_G},
    [EV_RUNQ_OVERFLOW] = {on_runq_overflow, NEEDS_P | NEEDS_G},
    [EV_GLOBQ_PUT] = {on_globq_put, 0},
    [EV_GLOBQ_GET] = {on_globq_get, NEEDS_G},
    [EV_STEAL] = {on_steal, NEEDS_P | NEEDS_G},
    [EV_STEAL_TRY] = {NULL, 0},
    [EV_G_DISABLE] = {on_hand, NEEDS_G},
    [EV_SPIN_START] = {on_spin, DOES},
    [EV_SPIN_STOP] = {on_spin, DOES},
    [EV_WAKEP] = {on_spin, 0},
    [EV_M_NEXTG] = {on_nextg, NEEDS_G},
    [EV_M_START] = {NULL, DOES | CURG},
    [EV_M_PARK] = {on_m_park, CURG | DOES},
    [EV_M_WAKE] = {on_m_wake, 0},
    [EV_G_LOCK_M] = {on_curg, CURG | DOES},
    [EV_G_UNLOCK_M] = {on_unlock, CURG | DOES},
    [EV_M_PARK_LOCKED] = {on_park_locked, DOES},
    [EV_M_WAKE_LOCKED] = {on_wake_locked, NEEDS_G},
    [EV_M_EXIT] = {on_m_park, CURG | DOES},
    [EV_PROCRESIZE] = {on_procresize, OF_P},
    [EV_P_GCSTOP] = {on_gcstop, OF_P | NEEDS_P},
    [EV_P_DESTROY] = {NULL, OF_P | NEEDS_P},
    [EV_RUNQ_POP] = {on_runq_pop, OF_P | NEEDS_P | NEEDS_G},
    [EV_RUNQ_DRAIN] = {on_runq_drain, OF_P | NEEDS_P},
    [EV_SAFE_POINT] = {NULL, OF_P},
    [EV_PREEMPT_REQUEST] = {NULL, OF_P},
    [EV_POLICY_WRONG] = {NULL, OF_P},
    [EV_TIMER_MOVE] = {on_timer_move, OF_P | NEEDS_P},
    [EV_P_ACQUIRE] = {on_acquire, OF_P | NEEDS_P},
    [EV_P_RELEASE] = {on_release, OF_P | NEEDS_P},
    [EV_P_IDLE] = {on_p_idle, OF_P | NEEDS_P},
    [EV_P_TAKE] = {on_p_take, OF_P | NEEDS_P},
    [EV_RETAKE] = {on_retake, OF_P | NEEDS_P},
    [EV_HANDOFF] = {NULL, OF_P},
    [EV_NETPOLL_WAIT] = {NULL, DOES},
    [EV_NETPOLL_READY] = {NULL, DOES},
    [EV_TIMER_ADD] = {on_timer_add, OF_P},
    [EV_TIMER_FIRE] = {on_timer_fire, 0},
    [EV_TIMER_MARK] = {on_timer_mark, OF_P | NEEDS_P},
    [EV_TIMER_DROP] = {on_timer_mark, OF_P | NEEDS_P},
};

/* ---- before and after an event ---- */

static bool value_fits(const struct ev_field *field, int64_t v)
{
    switch (field->type) {
    case FT_P:
        return v < EV_MAX_P || v == EV_NO_P || v == (int64_t)EV_NONE;
    case FT_M:
        return v < PARTIAL_MS || v == (int64_t)EV_NONE;
    case FT_G:
    case FT_HOLDER:
    case FT_SEEN:
        return v <= ID_MAX;
    case FT_TIME:
    case FT_DUR:
        return v >= -TIME_MAX && v <= TIME_MAX;
    default:
        return ev_words(field->type) == 0 || (v >= 0 && v < ev_words(field->type));
    }
}

/* Checks every value that the event has, so that nothing reads outside of a table. */
static enum offer check_fields(const struct fold *f)
{
    const struct ev *e = f->e;
    if (e->time < 0 || e->time > TIME_MAX || f->m >= PARTIAL_MS || e->g > ID_MAX || (e->p >= EV_MAX_P && e->p != EV_NO_P))
        return fold_broken(f, "no run has such a time, M, P or G");
    if (ev_object(e).id > OBJECTS_MAX)
        return fold_broken(f, "no object can have this number");
    for (int i = 0; i < EV_FIELDS && ev_desc[e->kind].field[i].name; i++) {
        const struct ev_field *field = &ev_desc[e->kind].field[i];
        if (ev_has(e, field) && !EV_IS_SEQ(field->type) && !value_fits(field, ev_value(e, f->m, field)))
            return fold_broken(f, "%s cannot be %lld", field->name, (long long)ev_value(e, f->m, field));
    }
    return OFFER_APPLIED;
}

/* Returns the last sequence number of what the field counts; NULL: it counts nothing here. */
static uint32_t *last_seq(struct fold *f, const struct ev *e, enum ev_ftype type)
{
    const struct model_g *g = type == T_G ? g_find(f->md, e->g) : NULL;
    bool p = e->p < f->md->npall && !(e->kind == EV_SYSCALL_EXIT && e->d != EXITSYSCALL_OLD_P);
    switch (type) {
    case T_G:
        return g && g->fn != MODEL_FORGOTTEN ? &g_mut(f->md, e->g)->seq : NULL;
    case T_P:
        return p ? &f->md->p[e->p].seq : NULL;
    case T_LOCK:
        return e->kind == EV_PROCRESIZE && e->a == 0 ? NULL : &f->md->lockseq;
    case T_SPIN:
        return &f->md->spinseq;
    case T_OUT:
        return &f->md->outseq;
    case T_TIMER:
        f->e = e;
        return heap_of(f) ? &heap_of(f)->timerseq : NULL;
    default:
        return NULL;
    }
}

static void suppose_seqs(struct fold *f, struct ev *e)
{
    for (int i = 0; i < EV_FIELDS && ev_desc[e->kind].field[i].name; i++) {
        const struct ev_field *field = &ev_desc[e->kind].field[i];
        uint32_t *last = EV_IS_SEQ(field->type) ? last_seq(f, e, field->type) : NULL;
        uint32_t *word = field->word == W_A ? &e->a : field->word == W_B ? &e->b : field->word == W_C ? &e->c : &e->d;
        uint32_t step = field->type == T_G && (e->kind == EV_RUNNEXT_GET || e->kind == EV_M_NEXTG) ? 0 : 1;
        if (last && *word == 0)
            *word = *last + step;
        else if (last && *last == 0)
            *last = *word - step;
    }
}

enum offer partial_suppose(struct fold *f, struct ev *e)
{
    struct model *md = f->md;
    enum offer r = check_fields(f);
    if (!r && md->replays)
        replay_before(f);
    if (r || ev_has_trait(e->kind, EV_SEEN) || e->kind == EV_M_START)
        return r;
    if (!know_m(md, f->m))
        return fold_lacks(f);
    f->mm = &md->m[f->m];
    uint8_t traits = kinds[e->kind].traits;
    if (((traits & NEEDS_P) && e->p == EV_NO_P) || ((traits & NEEDS_G) && e->g == 0))
        return fold_broken(f, "it has no P or no G");
    bool awake = !f->mm->exited && e->kind != EV_TIME_JUMP && e->kind != EV_M_STALL && e->kind != EV_DEADLOCK && e->kind != EV_FATAL &&
                 e->kind != EV_PROGRAM_END;
    if (awake && (md->cfg.lacks & LACKS(KNOW_M_STATE)) && (f->mm->blocked || f->mm->netpoll || f->mm->idlelocked)) {
        deque_remove(&md->idlem, f->m); /* the source does not record what wakes it */
        f->mm->blocked = f->mm->netpoll = false;
        f->mm->idlelocked = 0;
    }
    if (e->p == EV_NO_P && (e->kind == EV_G_START || e->kind == EV_SYSCALL_ENTER) && f->mm->p != EV_NONE)
        e->p = (uint16_t)f->mm->p; /* the source does not say it */
    if (!(traits & OF_P) && e->p != EV_NO_P && (r = suppose_p(f, e->p)))
        return r;
    if (kinds[e->kind].suppose && (r = kinds[e->kind].suppose(f, e)))
        return md->oom ? fold_lacks(f) : r;
    suppose_seqs(f, e);
    return md->oom ? fold_lacks(f) : OFFER_APPLIED;
}

/* Gs have moved between queues that the source does not record, so counts no longer hold. */
static void forget_counts(struct model *md)
{
    for (uint32_t i = 0; i < md->np; i++) {
        struct model_p *p = &md->p[i];
        if (p_lacks(p, KNOW_P_LEN) || md->replays || !(md->cfg.lacks & LACKS(KNOW_P_LEN)))
            continue;
        p->lacks |= LACKS(KNOW_P_LEN);
        while (p->head != p->tail && !*ring_slot(md, p, p->head)) /* the Gs that were counted, but not seen */
            p->head++;
    }
    while (!md->replays && (md->cfg.lacks & LACKS(KNOW_GLOBQ_LEN)) && md->globq.n && !*deque_at(&md->globq, 0))
        deque_drop_front(&md->globq, 1);
    md->lacks |= md->cfg.lacks & ((md->replays ? 0 : LACKS(KNOW_GLOBQ_LEN)) | LACKS(KNOW_SPINNING) | LACKS(KNOW_IDLE_P_N));
    md->counted = false;
}

static void learn_g(const struct fold *f)
{
    struct model_g *g = g_mut(f->md, f->e->g);
    if (f->e->kind == EV_G_CREATE)
        g->lacks = g->fn == FN_UNKNOWN ? G_LACKS_FN : 0;
    g->lacks &= (uint8_t) ~(G_LACKS_SINCE | G_GUESS);
    if (f->e->kind == EV_G_PARK)
        g->lacks = (uint8_t)(g->reason ? g->lacks & ~G_LACKS_REASON : g->lacks | G_LACKS_REASON);
}

void partial_learn(const struct fold *f)
{
    struct model *md = f->md;
    uint8_t traits = kinds[f->e->kind].traits;
    const struct model_g *g = traits & STATE ? g_find(md, f->e->g) : NULL;
    if (ev_has_trait(f->e->kind, EV_SEEN) || f->m >= md->nm)
        return;
    struct model_m *mm = &md->m[f->m];
    if (g && g->fn != MODEL_FORGOTTEN)
        learn_g(f);
    if (traits & CURG)
        mm->lacks &= ~LACKS(KNOW_M_G);
    if (traits & DOES)
        mm->lacks &= ~LACKS(KNOW_M_STATE);
    if (f->e->kind == EV_M_START)
        mm->lacks |= md->cfg.lacks & LACKS(KNOW_M_SEARCH);
    if (md->cfg.lacks & LACKS(KNOW_M_STATE))
        mm->lacks = mm->curg ? mm->lacks & ~LACKS(KNOW_M_STATE) : mm->lacks | LACKS(KNOW_M_STATE);
    if (f->e->kind == EV_PROCRESIZE) {
        md->lacks &= ~LACKS(KNOW_PS);
        md->guess &= ~LACKS(KNOW_PS);
        for (uint32_t i = 0; i < md->np; i++)
            md->p[i].lacks |= md->cfg.lacks & KNOW_OF_P & ~LACKS(KNOW_P_STATE);
    }
    while ((md->cfg.lacks & LACKS(KNOW_G_PLACE)) && mm->transit_n) { /* into a queue that is not recorded */
        if (mm->transit[0])
            put_at(g_mut(md, mm->transit[0]), PLACE_UNKNOWN, EV_NONE, 0);
        transit_remove(mm, 0, 1);
    }
    if ((traits & QUEUE) && md->counted)
        forget_counts(md);
}
