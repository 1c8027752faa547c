/* Package math/rand. Without a source each number is a decision of the run.
 *
 * A source with a seed starts from a table of 607 numbers, which is the state of an additive lagged Fibonacci generator after 7.8e12 steps from seed 1
 * (Go's gen_cooked.go takes hours). The generator is linear: step n is x^n modulo x^607 - x^334 - 1 applied to the first state, and x^n takes 43 squarings.
 */
#include "scenario/vm/vm_internal.h"

enum { LENGTH = 607, TAP = 273, SHIFT = LENGTH - TAP, PRIME = 2147483647 };
#define STEPS UINT64_C(7800000000000)

struct polynomial {
    uint64_t c[2 * LENGTH];
};

static void reduce(struct polynomial *p, int degree)
{
    for (int i = degree; i >= LENGTH; i--) {
        p->c[i - LENGTH] += p->c[i];
        p->c[i - TAP] += p->c[i];
        p->c[i] = 0;
    }
}

static void times_x(struct polynomial *p)
{
    memmove(p->c + 1, p->c, LENGTH * sizeof *p->c);
    p->c[0] = 0;
    reduce(p, LENGTH);
}

static void square(struct polynomial *p, struct polynomial *room)
{
    memset(room, 0, sizeof *room);
    for (int i = 0; i < LENGTH; i++)
        for (int k = 0; k < LENGTH; k++)
            room->c[i + k] += p->c[i] * p->c[k];
    reduce(room, 2 * LENGTH - 2);
    *p = *room;
}

/* The state after srand(1), oldest number first. */
static void first_state(uint64_t s[LENGTH])
{
    uint64_t x = 1, v[LENGTH];
    for (int i = -20; i < LENGTH; i++) {
        x = x * 48271 % PRIME;
        if (i < 0)
            continue;
        v[i] = x << 20;
        x = x * 48271 % PRIME;
        v[i] ^= x << 10;
        x = x * 48271 % PRIME;
        v[i] ^= x;
    }
    for (int k = 0; k < LENGTH; k++)
        s[k] = v[(SHIFT + LENGTH - 1 - k) % LENGTH];
}

static bool needs_table(const struct form *f)
{
    for (size_t i = 0; i < f->string.n; i++)
        if (strcmp(f->string.v[i].s, "math/rand.cook") == 0)
            return true;
    return false;
}

void form_cook(struct form *f)
{
    uint64_t s[LENGTH];
    struct polynomial *p = needs_table(f) ? arena_alloc(&f->a, 2 * sizeof *p) : NULL;
    int64_t *table = p ? arena_alloc(&f->a, LENGTH * sizeof *table) : NULL;
    if (!table)
        return;
    p->c[0] = 1;
    for (uint64_t bit = UINT64_C(1) << 43; bit; bit >>= 1) {
        square(p, p + 1);
        if (STEPS & bit)
            times_x(p);
    }
    first_state(s);
    for (uint64_t k = 0; k < LENGTH; k++) {
        uint64_t sum = 0;
        for (int i = 0; i < LENGTH; i++)
            sum += p->c[i] * s[i];
        /* the number of step STEPS + k - (LENGTH - 1), which is where the generator, going down, has put it */
        table[(SHIFT + 2 * LENGTH - 1 - k - STEPS % LENGTH) % LENGTH] = (int64_t)sum;
        times_x(p);
    }
    f->cooked = table;
}

/* func cook(table *[607]int64) */
bool vm_sys_cook(struct vg *g, int64_t *f)
{
    int64_t *table = vm_at(g, f[0], LENGTH);
    if (table && g->vm->f->cooked)
        memcpy(table, g->vm->f->cooked, LENGTH * sizeof *table);
    return table;
}

/* func draw(n uint32) uint32 */
bool vm_sys_draw(struct vg *g, int64_t *f)
{
    (void)g;
    f[0] = rt_decide(DECIDE_DRAW, (uint32_t)f[1]);
    return true;
}

/* func bits() uint64: the upper half is a decision */
bool vm_sys_random(struct vg *g, int64_t *f)
{
    (void)g;
    uint64_t low = rt_random() >> 32;
    f[0] = (int64_t)((uint64_t)rt_decide(DECIDE_DRAW, UINT32_MAX) << 32 | low);
    return true;
}
