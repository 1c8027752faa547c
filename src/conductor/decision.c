/* The decisions of a lockstep run (base/choice.h): which M goes next, and everything else that is left to chance.
 * All of them pass through here and are numbered. They can be chosen: from a list given at the start, or by the
 * controller while stopped.
 *
 * Every decision takes its number from its random stream whether it is chosen or not, so a choice changes only its
 * own outcome. Choices that differ from the seed's pick are kept; the list kept so far, given to another run, makes
 * the same run. One array holds both: [0, kept) was taken, [at, n) is given and still ahead.
 *
 * A stop comes right after a decision about the next M, before anything was done, so the controller can still take
 * it back: it moves the baton. In a single turn (conductor_step_turn), other decisions are held open before their M
 * continues with the outcome; such a stop is not part of the course either.
 *
 * All data here belong to the baton, or to the controller while stopped. */
#include "conductor/conductor_internal.h"
#include <stdlib.h>

/* --- the list ----------------------------------------------------------------------------------------------------- */

/* Returns the given choice for the current decision, or NULL. */
static const struct choice *take_given(struct decisions *d)
{
    if (d->at >= d->list.n || d->list.v[d->at].decision != d->n)
        return NULL;
    return &d->list.v[d->at++];
}

/* Keeps a choice. If memory runs out, the run continues as chosen, but its choices can no longer be listed. */
static void keep_choice(struct decisions *d, struct choice c)
{
    if (d->kept < d->at)
        d->list.v[d->kept++] = c;
    else if (vec_push(&d->list, c))
        d->at = ++d->kept;
    else
        d->lost = true;
}

/* Drops the given choices ahead: they belong to a course that is left here. */
static void forget_given(struct decisions *d)
{
    d->list.n = d->at;
}

static void leave_course(struct decisions *d)
{
    forget_given(d);
    /* relaxed: never reset; partner: conductor_departed(), at any time */
    atomic_store_explicit(&d->departed, true, memory_order_relaxed);
}

/* Takes back the choice kept for decision n, if it is the last. */
static void unkeep_choice(struct decisions *d, uint64_t n)
{
    if (d->kept && d->list.v[d->kept - 1].decision == n)
        d->kept--;
}

/* Stops the run, because a given choice is impossible. If the run is resumed, the seed decides from here on. */
static void refuse_choice(struct conductor *c, struct choice was, enum decision_kind kind, uint32_t n)
{
    struct decisions *d = &c->decisions;
    forget_given(d);
    d->refused = (struct refused_choice){was, kind, n};
    /* release: the fields; pairs with conductor_refused() */
    atomic_store_explicit(&d->has_refused, true, memory_order_release);
    control_step_over(c, true);
}

void refuse_course(struct conductor *c)
{
    refuse_choice(c, (struct choice){0}, DECIDE_M, 0);
}

/* --- which M goes next -------------------------------------------------------------------------------------------- */

struct waiter *ready_by_id(const struct conductor *c, uint32_t id)
{
    for (uint32_t i = 0; i < c->nready; i++)
        if (c->ready[i]->id == id)
            return c->ready[i];
    return NULL;
}

/* *stall: the seed's stall, and then the given one. */
static struct waiter *given_m(struct conductor *c, struct waiter *seeds, uint32_t *stall)
{
    const struct choice *g = take_given(&c->decisions);
    if (!g)
        return seeds;
    uint32_t class = g->kind == DECIDE_STALL ? g->pick % STALL_PICK : 0;
    bool fits = g->kind == DECIDE_M || (class && class < STALL_CLASSES);
    struct waiter *w = fits ? ready_by_id(c, class ? g->pick / STALL_PICK : g->pick) : NULL;
    if (!w)
        refuse_choice(c, *g, DECIDE_M, c->nready);
    else
        *stall = class;
    return w ? w : seeds;
}

/* The M that gives way, if it may continue and does not wait for others in a loop; else the next one by number. */
static struct waiter *calm_m(const struct conductor *c, const struct waiter *w)
{
    struct waiter *next = NULL, *first = c->ready[0];
    bool continues = w && w->ready_at != NOWHERE && !w->spins;
    for (uint32_t i = 0; i < c->nready; i++) {
        struct waiter *r = c->ready[i];
        if (r == w)
            r->spins = false;
        first = r->id < first->id ? r : first;
        if (w && r->id > w->id && (!next || r->id < next->id))
            next = r;
    }
    return continues ? c->ready[w->ready_at] : next ? next : first;
}

static struct waiter *seeds_m(struct conductor *c, const struct waiter *w)
{
    if (c->nready == 1)
        return c->ready[0];
    if (c->pace.way)
        return c->pace.way == WAY_SINGLE ? pace_single(c, w) : pace_first(c);
    if (c->cfg.calm)
        return calm_m(c, w);
    return c->ready[c->cfg.fine ? fine_pick(c, w) : prng_below(&c->rand, c->nready)];
}

static struct choice m_choice(uint64_t n, const struct waiter *w, uint32_t stall)
{
    return stall ? (struct choice){n, w->id * STALL_PICK + stall, DECIDE_STALL} : (struct choice){n, w->id, DECIDE_M};
}

struct waiter *decide_m(struct conductor *c, const struct waiter *giving, uint32_t *stall)
{
    struct decisions *d = &c->decisions;
    uint32_t due = giving ? stalls_due(c) : 0;
    bool alone = c->nready == 1 && !due;
    struct waiter *seeds = seeds_m(c, giving);
    d->seeds_m = seeds->id;
    d->seeds_stall = *stall = due;
    d->last_m = alone ? 0 : ++d->n;
    const struct course *course = c->cfg.course;
    struct waiter *w = course && !course->records ? course_m(c, seeds, giving) : alone ? seeds : given_m(c, seeds, stall);
    if (alone)
        return seeds;
    if (course && course->records)
        course_record(c, DECIDE_M, c->nready, w->id);
    if (d->focus && d->turn == TURN_ALONE && d->focus->ready_at != NOWHERE && (d->focus != w || *stall)) {
        leave_course(d);
        w = d->focus;
        *stall = 0;
    }
    if (w != seeds || *stall != due)
        keep_choice(d, m_choice(d->n, w, *stall));
    return w;
}

/* --- other decisions ---------------------------------------------------------------------------------------------- */

static uint32_t given_outcome(struct conductor *c, enum decision_kind kind, uint32_t n, uint32_t seeds)
{
    const struct choice *g = take_given(&c->decisions);
    if (g && (g->kind != kind || g->pick >= n)) {
        refuse_choice(c, *g, kind, n);
        g = NULL;
    }
    return g ? g->pick : seeds;
}

uint32_t conductor_decide(struct waiter *w, enum decision_kind kind, uint32_t n, uint32_t seeds)
{
    struct conductor *c = w->c;
    struct decisions *d = &c->decisions;
    if (n < 2 || !in_lockstep(c))
        return seeds;
    d->n++;
    seeds = c->cfg.calm ? 0 : seeds;
    bool records = c->cfg.course && c->cfg.course->records;
    uint32_t pick = c->cfg.course && !records ? course_outcome(c, kind, n, seeds) : given_outcome(c, kind, n, seeds);
    if (records)
        course_record(c, kind, n, pick);
    if (d->focus == w && d->turn != TURN_AS_DECIDED && !c->held && !c->inside) {
        /* the single turn ends before the decision, so that the controller can read it and choose */
        d->open = (struct decision){.number = d->n, .m = w->id, .kind = kind, .n = n, .seeds = seeds, .pick = pick};
        d->is_open = true;
        w->kind = WAIT_GATE;
        w->deadline = -1;
        decision_turn_over(w);
        wait_to_move(w);
        d->is_open = false;
        pick = d->open.pick;
    }
    if (pick != seeds)
        keep_choice(d, (struct choice){d->n, pick, kind});
    return pick;
}

/* A decision about a time. */
static uint32_t class_of(struct conductor *c, enum decision_kind kind, uint32_t n, uint32_t seeds)
{
    c->decisions.n++;
    uint32_t pick = given_outcome(c, kind, n, seeds);
    if (pick != seeds)
        keep_choice(&c->decisions, (struct choice){c->decisions.n, pick, kind});
    return pick;
}

int64_t decide_wake(struct conductor *c)
{
    if (!c->cfg.stalls)
        return 0;
    return stall_ns[class_of(c, DECIDE_WAKE, STALL_CLASSES, stalls_late(c))];
}

int64_t decide_time(struct conductor *c, enum decision_kind kind)
{
    return choice_time_ns(class_of(c, kind, TIME_CLASSES, kind == DECIDE_CALL ? stalls_call(c) : stalls_slack(c)));
}

/* --- a single turn ------------------------------------------------------------------------------------------------ */

void decision_turn_over(struct waiter *w)
{
    w->c->decisions.focus = NULL;
    control_step_over(w->c, true);
}

/* --- the controller ------------------------------------------------------------------------------------------------ */

bool conductor_decision_now(struct conductor *c, struct decision *out)
{
    const struct decisions *d = &c->decisions;
    /* relaxed: stopped */
    struct waiter *holder = atomic_load_explicit(&c->holder, memory_order_relaxed);
    if (conductor_was_free(c) || !conductor_alive(c) || !conductor_is_stopped(c) || !holder || d->within)
        return false;
    *out = d->is_open
               ? d->open
               : (struct decision){
                     .number = d->last_m, .m = holder->id, .kind = DECIDE_M, .n = c->nready, .seeds = d->seeds_m, .pick = holder->id};
    return true;
}

uint32_t conductor_ready(struct conductor *c, uint32_t *ids, uint32_t max)
{
    for (uint32_t i = 0; i < c->nready && i < max; i++)
        ids[i] = c->ready[i]->id;
    return c->nready;
}

static bool choose_m(struct conductor *c, const struct decision *now, uint32_t pick)
{
    struct decisions *d = &c->decisions;
    uint32_t stall = pick >> 31 ? (pick & ~(1u << 31)) % STALL_PICK : 0, id = pick >> 31 ? (pick & ~(1u << 31)) / STALL_PICK : pick;
    struct waiter *w = ready_by_id(c, id);
    if (!w || stall >= STALL_CLASSES || (stall && !now->number))
        return false;
    if (pick == now->pick)
        return true;
    leave_course(d);
    unkeep_choice(d, now->number);
    d->at = d->kept;
    forget_given(d);
    if (stall) {
        d->ordered = w;
        d->ordered_class = stall;
    } else {
        lockstep_give(c, w);
    }
    if (id != d->seeds_m || stall != d->seeds_stall)
        keep_choice(d, m_choice(now->number, w, stall));
    return true;
}

bool conductor_choose(struct conductor *c, uint32_t pick)
{
    struct decision now;
    if (!conductor_decision_now(c, &now))
        return false;
    if (now.kind == DECIDE_M)
        return choose_m(c, &now, pick);
    if (pick >= now.n)
        return false;
    if (pick != now.pick)
        leave_course(&c->decisions);
    c->decisions.open.pick = pick;
    return true;
}

void conductor_forget_choices(struct conductor *c)
{
    forget_given(&c->decisions);
}

bool conductor_departed(struct conductor *c)
{
    /* relaxed: partner of leave_course() */
    return atomic_load_explicit(&c->decisions.departed, memory_order_relaxed);
}

bool conductor_step_turn(struct conductor *c, enum turn turn)
{
    struct decision now;
    if (!conductor_decision_now(c, &now))
        return false;
    c->decisions.focus = atomic_load_explicit(&c->holder, memory_order_relaxed); /* relaxed: stopped */
    c->decisions.turn = turn;
    conductor_run(c);
    return true;
}

uint32_t conductor_stalled(const struct conductor *c)
{
    return c->stalls.now;
}

uint64_t conductor_decisions(struct conductor *c)
{
    return c->decisions.n;
}

bool conductor_choices(struct conductor *c, bool ahead, struct choices *out)
{
    const struct decisions *d = &c->decisions;
    struct choices kept = {.v = d->list.v, .n = d->kept}, given = {.v = d->list.v ? d->list.v + d->at : NULL, .n = d->list.n - d->at};
    return !d->lost && choices_copy(&kept, out) && (!ahead || choices_copy(&given, out));
}

size_t conductor_choices_ahead(struct conductor *c, struct choice *first)
{
    const struct decisions *d = &c->decisions;
    if (d->at < d->list.n)
        *first = d->list.v[d->at];
    return d->list.n - d->at;
}

bool conductor_refused(struct conductor *c, struct refused_choice *out)
{
    /* acquire: pairs with refuse_choice() */
    if (!atomic_load_explicit(&c->decisions.has_refused, memory_order_acquire))
        return false;
    *out = c->decisions.refused;
    return true;
}
