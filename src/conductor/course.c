/* Follows and writes down the course of a run (base/course.h), in place of the seed's decisions. All data belong to the baton. */
#include "conductor/conductor_internal.h"

void conductor_touch(struct waiter *w, uint64_t foot)
{
    if (w->c->cfg.course)
        foot_add(&w->c->cfg.course->now, foot);
}

void conductor_depends(struct waiter *w)
{
    conductor_touch(w, FOOT_ALL);
    if (w->c->cfg.course)
        w->c->cfg.course->depends = true;
}

void conductor_alike(struct waiter *w, uint32_t outcomes)
{
    if (w->c->cfg.course)
        w->c->cfg.course->alike = outcomes;
}

/* Ends the step that is being made. wakes: Ms whose next step depends on it leave the sleep set. */
static void end_step(struct course *k, bool wakes)
{
    if (!k->of_m)
        return;
    struct course_step *s = &k->step.v[k->of_m - 1];
    s->foot = k->reduces && !k->depends && s->pick != k->sysmon ? k->now : (struct foot){.writes = FOOT_ALL};
    for (uint32_t m = 0; wakes && m < COURSE_MS; m++)
        if (k->asleep >> m & 1 && foot_meets(&k->foot[m], &s->foot))
            k->asleep &= ~(1u << m);
    k->of_m = 0;
    k->now = (struct foot){0};
}

void conductor_course_ends(struct waiter *w)
{
    struct course *k = w->c->cfg.course;
    if (!k || k->over)
        return;
    k->now.writes = FOOT_ALL;
    end_step(k, true);
    k->over = true;
}

static void give_up(struct conductor *c, bool *why)
{
    *why = true;
    c->cfg.course->over = true;
    refuse_course(c);
}

/* Adds a decision. Returns its number from 0, or SIZE_MAX if the run cannot continue. */
static size_t add_step(struct conductor *c, struct course_step s)
{
    struct course *k = c->cfg.course;
    if (k->step.n >= COURSE_STEPS)
        return give_up(c, &k->too_large), SIZE_MAX;
    if (!vec_push(&k->step, s))
        return give_up(c, &k->lost), SIZE_MAX;
    return k->step.n - 1;
}

/* The Ms that may go next. */
static uint32_t ready_set(struct conductor *c)
{
    uint32_t set = 0, sysmon = c->cfg.course->sysmon;
    for (uint32_t i = 0; i < c->nready; i++) {
        if (c->ready[i]->id >= COURSE_MS)
            return give_up(c, &c->cfg.course->too_large), 0;
        set |= 1u << c->ready[i]->id;
    }
    return sysmon < COURSE_MS && set >> sysmon & 1 ? 1u << sysmon : set;
}

/* The given pick, or the M that gives way if it may continue: the fewest switches; else the first that may. */
static uint32_t pick_m(const struct course *k, size_t at, uint32_t may, const struct waiter *giving)
{
    if (at < k->ngiven)
        return k->given[at];
    return giving && giving->id < COURSE_MS && may >> giving->id & 1 ? giving->id : (uint32_t)__builtin_ctz(may);
}

void course_record(struct conductor *c, enum decision_kind kind, uint32_t n, uint32_t pick)
{
    uint32_t ready = 0;
    for (uint32_t i = 0; kind == DECIDE_M && i < c->nready; i++)
        ready |= c->ready[i]->id < COURSE_MS ? 1u << c->ready[i]->id : 0;
    if (!c->cfg.course->over)
        (void)add_step(c, (struct course_step){.kind = kind, .pick = pick, .n = n, .ready = ready});
}

struct waiter *course_m(struct conductor *c, struct waiter *seeds, const struct waiter *giving)
{
    struct course *k = c->cfg.course;
    if (k->over)
        return seeds;
    size_t at = k->step.n;
    end_step(k, at >= k->ngiven); /* the sleep set holds from the last given pick on */
    uint32_t ready = ready_set(c), asleep = at < k->ngiven ? 0 : k->asleep, may = ready & ~asleep;
    if (!may && !k->over)
        give_up(c, &k->blocked);
    if (k->over)
        return seeds;
    uint32_t id = pick_m(k, at, may, giving);
    if (!(ready >> (id % COURSE_MS) & 1)) {
        give_up(c, &k->astray);
        return seeds;
    }
    if (add_step(
            c,
            (struct course_step){
                .kind = DECIDE_M, .pick = id, .n = (uint32_t)__builtin_popcount(ready), .ready = ready, .asleep = k->asleep & ready}) ==
        SIZE_MAX)
        return seeds;
    k->of_m = at + 1;
    return ready_by_id(c, id);
}

uint32_t course_outcome(struct conductor *c, enum decision_kind kind, uint32_t n, uint32_t seeds)
{
    struct course *k = c->cfg.course;
    if (k->over)
        return seeds;
    size_t at = k->step.n;
    uint32_t pick = at < k->ngiven ? k->given[at] : 0, alike = k->alike;
    k->alike = 0;
    if (pick >= n) {
        give_up(c, &k->astray);
        return seeds;
    }
    return add_step(c, (struct course_step){.kind = kind, .pick = pick, .n = n, .ready = alike, .asleep = k->asleep}) == SIZE_MAX
               ? seeds
               : pick;
}
