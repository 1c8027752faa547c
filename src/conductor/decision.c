/* The draws of a lockstep run (base/choice.h): who goes next, and what else is left to chance. All pass through here, are
 * numbered, and can be chosen: from a list that was given at the start, or by the controller while the world is stopped.
 *
 * Every draw takes its number from its stream whether it is chosen or not, so a choice changes nothing but its own outcome.
 * What differs from the seed's pick is kept; the list kept so far, given to another run, makes the same run. One array holds
 * both: [0, kept) was taken, [at, n) is given and lies ahead.
 *
 * A stop comes right after a draw of the next M, with nothing done since, so the controller may still take it back: it
 * moves the baton. Other draws are held open before their M goes on with them, if that M makes a single turn
 * (conductor_step_turn); a stop there is no part of the course either.
 *
 * All data here belong to the baton, or to the controller while stopped.
 */
#include "conductor/conductor_internal.h"
#include <stdlib.h>

/* --- the list ----------------------------------------------------------------------------------------------------- */

/* The given choice for the draw that is due, or NULL. */
static const struct choice *given(struct draws *d)
{
    if (d->at >= d->list.n || d->list.v[d->at].draw != d->n)
        return NULL;
    return &d->list.v[d->at++];
}

/* Out of memory: the run goes on as chosen, but cannot be told any more. */
static void keep(struct draws *d, struct choice c)
{
    if (d->kept < d->at)
        d->list.v[d->kept++] = c;
    else if (vec_push(&d->list, c))
        d->at = ++d->kept;
    else
        d->lost = true;
}

/* The given ones ahead belong to a course that is left here. */
static void forget_ahead(struct draws *d)
{
    d->list.n = d->at;
}

static void depart(struct draws *d)
{
    forget_ahead(d);
    d->departed = true;
}

/* Takes back what was kept about draw n, if it is the last. */
static void unkeep(struct draws *d, uint64_t n)
{
    if (d->kept && d->list.v[d->kept - 1].draw == n)
        d->kept--;
}

/* A given choice that cannot be: the world stops, and goes on from here as the seed says if it is told to. */
static void refuse(struct conductor *c, struct choice was, enum decision_kind kind, uint32_t n)
{
    struct draws *d = &c->draws;
    forget_ahead(d);
    d->refused = (struct conductor_refused){was, kind, n};
    /* release: the fields; pairs with conductor_refused() */
    atomic_store_explicit(&d->has_refused, true, memory_order_release);
    control_step_over(c, true);
}

/* --- who goes next ------------------------------------------------------------------------------------------------ */

static struct waiter *able_by_id(const struct conductor *c, uint32_t id)
{
    for (uint32_t i = 0; i < c->nable; i++)
        if (c->able[i]->id == id)
            return c->able[i];
    return NULL;
}

static struct waiter *given_m(struct conductor *c, struct waiter *seeds)
{
    const struct choice *g = given(&c->draws);
    if (!g)
        return seeds;
    struct waiter *w = g->kind == DRAW_M ? able_by_id(c, g->pick) : NULL;
    if (!w)
        refuse(c, *g, DRAW_M, c->nable);
    return w ? w : seeds;
}

static struct waiter *seeds_m(struct conductor *c, const struct waiter *w)
{
    if (c->nable == 1)
        return c->able[0];
    return c->able[c->cfg.fine ? fine_draw(c, w) : prng_below(&c->draw, c->nable)];
}

struct waiter *draw_m(struct conductor *c, const struct waiter *giving)
{
    struct draws *d = &c->draws;
    bool alone = c->nable == 1;
    struct waiter *seeds = seeds_m(c, giving);
    d->seeds_m = seeds->id;
    d->last_m = alone ? 0 : ++d->n;
    if (alone)
        return seeds;
    struct waiter *w = given_m(c, seeds);
    if (d->focus && d->turn == TURN_ALONE && d->focus->able_at != NOWHERE && d->focus != w) {
        depart(d);
        w = d->focus;
    }
    if (w != seeds)
        keep(d, (struct choice){d->n, w->id, DRAW_M});
    return w;
}

/* --- the others --------------------------------------------------------------------------------------------------- */

static uint32_t given_outcome(struct conductor *c, enum decision_kind kind, uint32_t n, uint32_t seeds)
{
    const struct choice *g = given(&c->draws);
    if (g && (g->kind != kind || g->pick >= n)) {
        refuse(c, *g, kind, n);
        g = NULL;
    }
    return g ? g->pick : seeds;
}

/* w makes a single turn, and here chance decides: the turn ends before, for the controller to look and choose. */
static uint32_t hold_open(struct waiter *w, enum decision_kind kind, uint32_t n, uint32_t seeds, uint32_t pick)
{
    struct draws *d = &w->c->draws;
    d->open = (struct conductor_decision){.number = d->n, .m = w->id, .kind = kind, .n = n, .seeds = seeds, .pick = pick};
    d->is_open = true;
    w->kind = WAIT_GATE;
    w->deadline = -1;
    draw_turn_over(w);
    go_on(w);
    d->is_open = false;
    return d->open.pick;
}

uint32_t conductor_decide(struct waiter *w, enum decision_kind kind, uint32_t n, uint32_t seeds)
{
    struct conductor *c = w->c;
    struct draws *d = &c->draws;
    if (n < 2 || !in_lockstep(c))
        return seeds;
    d->n++;
    uint32_t pick = given_outcome(c, kind, n, seeds);
    if (d->focus == w && d->turn != TURN_AS_DRAWN && !c->held && !c->inside)
        pick = hold_open(w, kind, n, seeds, pick);
    if (pick != seeds)
        keep(d, (struct choice){d->n, pick, kind});
    return pick;
}

/* --- a single turn ------------------------------------------------------------------------------------------------ */

void draw_turn_over(struct waiter *w)
{
    w->c->draws.focus = NULL;
    control_step_over(w->c, true);
}

/* --- the controller ------------------------------------------------------------------------------------------------ */

bool conductor_decision_now(struct conductor *c, struct conductor_decision *out)
{
    const struct draws *d = &c->draws;
    /* relaxed: stopped */
    struct waiter *holder = atomic_load_explicit(&c->holder, memory_order_relaxed);
    if (conductor_was_free(c) || !conductor_alive(c) || !conductor_is_stopped(c) || !holder)
        return false;
    *out = d->is_open ? d->open : (struct conductor_decision){.number = d->last_m, .m = holder->id, .kind = DRAW_M, .n = c->nable,
                                                     .seeds = d->seeds_m, .pick = holder->id};
    return true;
}

uint32_t conductor_able(struct conductor *c, uint32_t *ids, uint32_t max)
{
    for (uint32_t i = 0; i < c->nable && i < max; i++)
        ids[i] = c->able[i]->id;
    return c->nable;
}

static bool choose_m(struct conductor *c, const struct conductor_decision *now, uint32_t id)
{
    struct draws *d = &c->draws;
    struct waiter *w = able_by_id(c, id);
    if (!w)
        return false;
    if (id == now->pick)
        return true;
    depart(d);
    unkeep(d, now->number);
    d->at = d->kept;
    forget_ahead(d);
    lockstep_give(c, w);
    if (id != d->seeds_m)
        keep(d, (struct choice){now->number, id, DRAW_M});
    return true;
}

bool conductor_choose(struct conductor *c, uint32_t pick)
{
    struct conductor_decision now;
    if (!conductor_decision_now(c, &now))
        return false;
    if (now.kind == DRAW_M)
        return choose_m(c, &now, pick);
    if (pick >= now.n)
        return false;
    if (pick != now.pick)
        depart(&c->draws);
    c->draws.open.pick = pick;
    return true;
}

void conductor_forget_choices(struct conductor *c)
{
    forget_ahead(&c->draws);
}

bool conductor_departed(struct conductor *c) { return c->draws.departed; }

bool conductor_step_turn(struct conductor *c, enum conductor_turn turn)
{
    struct conductor_decision now;
    if (!conductor_decision_now(c, &now))
        return false;
    c->draws.focus = atomic_load_explicit(&c->holder, memory_order_relaxed); /* relaxed: stopped */
    c->draws.turn = turn;
    conductor_run(c);
    return true;
}

uint64_t conductor_decisions(struct conductor *c) { return c->draws.n; }

bool conductor_choices(struct conductor *c, bool ahead, struct choices *out)
{
    const struct draws *d = &c->draws;
    struct choices kept = {.v = d->list.v, .n = d->kept}, given = {.v = d->list.v ? d->list.v + d->at : NULL, .n = d->list.n - d->at};
    return !d->lost && choices_copy(&kept, out) && (!ahead || choices_copy(&given, out));
}

size_t conductor_choices_ahead(struct conductor *c, struct choice *first)
{
    const struct draws *d = &c->draws;
    if (d->at < d->list.n)
        *first = d->list.v[d->at];
    return d->list.n - d->at;
}

bool conductor_refused(struct conductor *c, struct conductor_refused *out)
{
    /* acquire: pairs with refuse() */
    if (!atomic_load_explicit(&c->draws.has_refused, memory_order_acquire))
        return false;
    *out = c->draws.refused;
    return true;
}
