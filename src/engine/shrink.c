/* See shrink.h. */
#include "engine/shrink.h"
#include <stdlib.h>

#define EARLIER 12u /* by how many decisions a choice is moved forward at most */

static bool goes_on(struct shrink *s)
{
    s->stopped = s->stopped || (s->stops && s->stops(s->ctx));
    return !s->stopped && s->spent < s->most;
}

static size_t size_of(const struct shrink *s, const struct choices *best)
{
    return s->events ? best->n : SIZE_MAX; /* nothing has failed yet */
}

/* Runs with the list, which it takes. If what counted of it is better than *best, it becomes *best. Returns: true then. */
static bool better(struct shrink *s, struct choices list, struct choices *best)
{
    struct shrink_try t = {.with = list, .cap = s->cap};
    bool fails = s->fails(s->ctx, &t);
    s->runs++;
    s->spent += t.events;
    size_t n = size_of(s, best);
    if (!fails || t.with.n > n || (t.with.n == n && t.events >= s->events)) {
        vec_free(&t.with);
        return false;
    }
    vec_free(best);
    *best = t.with;
    s->events = t.events;
    if (s->keeps)
        s->keeps(s->ctx, best, s->events);
    return true;
}

/* Tries the list without n choices from `from` on. */
static bool without(struct shrink *s, struct choices *best, size_t from, size_t n)
{
    struct choices less = {0};
    for (size_t i = 0; i < best->n; i++)
        if ((i < from || i >= from + n) && !vec_push(&less, best->v[i])) {
            vec_free(&less);
            return false;
        }
    return better(s, less, best);
}

/* Leaves out parts of the list, from its end: a choice that is left out changes the numbers of the decisions after it. */
static void leave_out(struct shrink *s, struct choices *best)
{
    for (size_t size = best->n; size > 0 && goes_on(s); size /= 2)
        for (size_t end = best->n; end > 0 && goes_on(s);) {
            size_t from = size < end ? end - size : 0;
            (void)without(s, best, from, end - from);
            end = from < best->n ? from : best->n;
        }
}

/* Tries choice i at earlier decisions: fewer events lie before it. */
static bool move_earlier(struct shrink *s, struct choices *best, size_t i)
{
    for (uint32_t by = EARLIER; by > 0 && goes_on(s); by--) {
        struct choices moved = {0};
        if (best->v[i].decision <= by || (i && best->v[i].decision - by <= best->v[i - 1].decision) || !choices_copy(best, &moved))
            continue;
        moved.v[i].decision -= by;
        if (better(s, moved, best))
            return true;
    }
    return false;
}

/* --- short lists ------------------------------------------------------------------------------------------------------ */

#define SHORT 400u /* events of the runs in which pairs are looked for: the failure may come early */
#define NEAR 120u  /* decisions between the two choices of a pair */

/* Tries the list and, if it does not fail, with `left` more choices after its last one. */
static void try_short(struct shrink *s, const struct choices *list, unsigned left, struct choices *best)
{
    struct course seen = {.records = true};
    struct shrink_try t = {.seen = &seen, .cap = s->cap};
    if (!choices_copy(list, &t.with))
        return;
    (void)s->fails(s->ctx, &t);
    s->runs++;
    s->spent += t.events;
    vec_free(&t.with);
    size_t from = list->n ? list->v[list->n - 1].decision : 0, to = list->n && seen.step.n > from + NEAR ? from + NEAR : seen.step.n;
    for (size_t i = from; i < to && goes_on(s); i++) {
        const struct course_step *of = &seen.step.v[i];
        for (uint32_t pick = 0; pick < COURSE_MS; pick++) {
            struct choices more = {0};
            bool last = left == 1, other = pick != of->pick && (of->kind == DECIDE_M ? of->ready >> pick & 1 : pick < of->n);
            bool worth = last ? goes_on(s) && (!list->n || size_of(s, best) > 2) : size_of(s, best) > list->n + left;
            if (!other || !worth || !choices_copy(list, &more))
                continue;
            if (!vec_push(&more, ((struct choice){.decision = i + 1, .kind = of->kind, .pick = pick}))) {
                vec_free(&more);
            } else if (last) {
                (void)better(s, more, best);
            } else {
                try_short(s, &more, left - 1, best);
                vec_free(&more);
            }
        }
    }
    vec_free(&seen.step);
}

/* Tries no choice, each single one, then pairs. */
static void find_short(struct shrink *s, struct choices *best)
{
    const struct choices none = {0};
    uint64_t most = s->most;
    (void)better(s, none, best);
    if (size_of(s, best) > 1)
        try_short(s, &none, 1, best);
    s->fewest = size_of(s, best) <= 1 && goes_on(s);
    s->most = s->spent + 4 * most;
    s->cap = SHORT;
    if (size_of(s, best) > 2)
        try_short(s, &none, 2, best);
    s->cap = 0;
    s->most = s->spent + most; /* for what follows */
}

bool shrink_choices(struct shrink *s, struct choices *list)
{
    struct choices best = {0};
    (void)better(s, *list, &best);
    *list = (struct choices){0};
    find_short(s, &best);
    bool fails = s->events, progress = best.n > 0;
    while (progress && goes_on(s)) {
        size_t n = best.n;
        uint64_t events = s->events;
        leave_out(s, &best);
        for (size_t i = 0; i < best.n; i++)
            (void)move_earlier(s, &best, i);
        progress = best.n < n || s->events < events;
    }
    *list = best;
    return fails;
}
