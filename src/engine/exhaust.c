/* See exhaust.h. */
#include "engine/exhaust.h"
#include <stdlib.h>
#include <string.h>

const struct text exhaust_state_text[] = {
    [EXHAUST_GOES_ON] = {{"more schedules were left", "还有调度没有试"}},
    [EXHAUST_ALL_TRIED] = {{"all were tried", "全都试过了"}},
    [EXHAUST_CUT] = {{"a schedule reached the limit before the program ended (--limit, --max-events)",
                      "有一种调度在程序结束前到达了上限（--limit、--max-events）"}},
    [EXHAUST_TOO_LARGE] = {{"a schedule has too many threads or steps", "有一种调度的线程或步骤太多"}},
    [EXHAUST_LACKS] = {{"out of memory", "内存不足"}},
    [EXHAUST_ASTRAY] = {{"a schedule could not be repeated", "有一种调度无法重现"}},
    [EXHAUST_BROKEN] = {{"a schedule broke an invariant, crashed or hung", "有一种调度破坏了不变式、崩溃或卡住"}},
};

#define UNIT_CHOICES 6u /* between Ms, before a unit begins: enough units to share, few enough to make the first run of each */

void exhaust_init(struct exhaust *x, bool reduces, uint32_t part, uint32_t of)
{
    *x = (struct exhaust){.course = {.reduces = reduces}, .part = part, .of = of};
}

void exhaust_fini(struct exhaust *x)
{
    vec_free(&x->node);
    vec_free(&x->pick);
    vec_free(&x->course.step);
}

/* Sets what the next run is given: the picks of the branch, and who sleeps at its last decision. */
void exhaust_begin(struct exhaust *x)
{
    struct course *k = &x->course;
    x->pick.n = 0;
    k->asleep = 0;
    for (size_t i = 0; i < x->node.n; i++)
        if (!vec_push(&x->pick, x->node.v[i].of.pick))
            x->state = EXHAUST_LACKS;
    if (x->node.n) {
        const struct exhaust_node *last = &x->node.v[x->node.n - 1];
        k->asleep = last->of.asleep | last->done;
        memcpy(k->foot, last->foot, sizeof k->foot);
    }
    k->given = x->pick.v;
    k->ngiven = x->pick.n;
    k->step.n = k->of_m = 0;
    k->now = (struct foot){0};
    k->alike = 0; /* the last run may have ended between noting and taking it */
    k->depends = k->over = k->blocked = k->too_large = k->lost = k->astray = false;
}

/* Adds what the run has decided after the given picks, and the footprints of all its steps. */
static void take_course(struct exhaust *x)
{
    const struct course *k = &x->course;
    if (k->step.n < x->node.n)
        x->state = EXHAUST_ASTRAY;
    for (size_t i = 0; i < k->step.n && x->state == EXHAUST_GOES_ON; i++) {
        const struct course_step *s = &k->step.v[i];
        struct exhaust_node *have = i < x->node.n ? &x->node.v[i] : NULL, fresh = {.of = *s};
        if (have && (have->of.kind != s->kind || have->of.n != s->n || have->of.ready != s->ready || have->of.pick != s->pick)) {
            x->state = EXHAUST_ASTRAY;
        } else if (have) {
            have->of.foot.writes |= s->foot.writes;
            have->of.foot.reads |= s->foot.reads;
        } else {
            memcpy(fresh.foot, k->foot, sizeof fresh.foot);
            if (!vec_push(&x->node, fresh))
                x->state = EXHAUST_LACKS;
        }
    }
}

/* Goes to the next alternative of the last decision. Returns: false if it has none left. */
static bool turn(struct exhaust_node *n)
{
    if (n->of.kind != DECIDE_M) {
        do
            n->of.pick++;
        while (n->of.pick < n->of.n && n->of.pick < 32 && n->of.ready >> n->of.pick & 1);
        return n->of.pick < n->of.n;
    }
    n->done |= 1u << n->of.pick;
    n->foot[n->of.pick] = n->of.foot;
    uint32_t left = n->of.ready & ~n->done & ~n->of.asleep;
    if (!left)
        return false;
    n->of.pick = (uint32_t)__builtin_ctz(left);
    n->of.foot = (struct foot){0};
    return true;
}

/* Returns the first node of the unit that begins in this branch. A branch with fewer choices is a unit by itself. */
static size_t unit_begins(const struct exhaust *x)
{
    uint32_t choices = 0;
    for (size_t i = 0; i < x->node.n; i++)
        if (x->node.v[i].of.kind == DECIDE_M && x->node.v[i].of.n > 1 && choices++ == UNIT_CHOICES)
            return i;
    return x->node.n;
}

/* Deals the unit that begins to a part, and leaves out what another part tries. */
static void deal(struct exhaust *x)
{
    x->foreign = false;
    if (x->in_unit)
        return;
    x->unit = x->units++;
    x->unit_at = unit_begins(x);
    x->foreign = x->unit % x->of != x->part - 1;
    if (x->foreign)
        x->node.n = x->unit_at;
}

bool exhaust_next(struct exhaust *x)
{
    const struct course *k = &x->course;
    x->runs++;
    x->blocked += k->blocked;
    if (k->lost || k->too_large || k->astray || !k->over)
        x->state = k->lost ? EXHAUST_LACKS : k->astray ? EXHAUST_ASTRAY : k->too_large ? EXHAUST_TOO_LARGE : EXHAUST_CUT;
    if (x->state == EXHAUST_GOES_ON)
        take_course(x);
    if (x->state != EXHAUST_GOES_ON)
        return false;
    deal(x);
    while (x->node.n && !turn(&x->node.v[x->node.n - 1]))
        x->node.n--;
    x->in_unit = x->node.n > x->unit_at;
    if (!x->node.n)
        x->state = EXHAUST_ALL_TRIED;
    return x->node.n != 0;
}
