/* Dead Gs. A P keeps up to 64; when its list is full, half of them go to the global list (Go: gfput, gfget, malg). */
#include "runtime/sched/proc.h"
#include "runtime/stack/stack.h"
#include <errno.h>
#include <string.h>

static void push(struct g **list, struct g *gp)
{
    gp->schedlink = *list;
    *list = gp;
}

static struct g *pop(struct g **list)
{
    struct g *gp = *list;
    if (gp) {
        *list = gp->schedlink;
        gp->schedlink = NULL;
    }
    return gp;
}

/* relaxed: changed under gflock; gfget() reads it as a hint without the lock */
static uint32_t global_n(struct sched *s)
{
    return atomic_load_explicit(&s->gfree.n, memory_order_relaxed);
}

static void set_global_n(struct sched *s, uint32_t n)
{
    atomic_store_explicit(&s->gfree.n, n, memory_order_relaxed);
}

/* Both: caller holds gflock. */
static void push_global(struct sched *s, struct g *gp)
{
    push(&s->gfree.list, gp);
    ahead_of(&s->gfree.ahead, gp);
    set_global_n(s, global_n(s) + 1);
}

static struct g *pop_global(struct sched *s)
{
    struct g *gp = pop(&s->gfree.list);
    if (!gp)
        return NULL;
    set_global_n(s, global_n(s) - 1);
    fetch(gp->ahead, 3);
    fetch((char *)gp - 384, 6); /* where its first frames will be */
    return gp;
}

/* A struct g is at the top of its own stack, so a parked G that has used little stack costs only one page. If all of them began at the
 * same offset in a page, they would share a few sets of the cache. So each is moved down by some lines. */
#define COLOURS 37u /* cache lines; the space above the G in its page stays unused */

static struct g *carve(void *stack, size_t size, uint32_t n)
{
    uintptr_t top = (uintptr_t)stack + size - n * 11 % COLOURS * CACHE_LINE;
    struct g *gp = (struct g *)((top - sizeof *gp) & ~(uintptr_t)(CACHE_LINE - 1));
    memset(gp, 0, sizeof *gp);
    ctx_make(&gp->ctx, stack, (size_t)((char *)gp - (char *)stack), gstart);
    return gp;
}

/* In free mode the kernel prepares new stacks without the lock, so that other Ms need not wait for it. In lockstep this would be one more
 * baton point for nothing. Caller holds gflock. */
static void prepare_stacks(struct m *m)
{
    struct sched *s = m->sched;
    struct stackrun run;
    if (conductor_mode(s->cond) != MODE_FREE || !stackpool_cut(s->stacks, &run))
        return;
    unlock(m, &s->gflock);
    stackpool_prepare(s->stacks, &run);
    lock(m, &s->gflock);
    stackpool_add(s->stacks, &run);
}

/* Returns a new G with a stack, linked into allgs. */
static __attribute__((noinline)) struct g *malg(struct m *m)
{
    struct sched *s = m->sched;
    size_t size;
    struct g *gp = NULL;
    memory_need(m, MEMORY_G, STACK_G_BYTES);
    lock(m, &s->gflock);
    prepare_stacks(m);
    void *stack = stackpool_get(s->stacks, &size);
    if (stack) {
        gp = carve(stack, size, s->nallgs);
        gp->slot = s->nallgs++;
        gp->status = G_DEAD;
        gp->allnext = s->allgs;
        s->allgs = gp;
    }
    unlock(m, &s->gflock);
    return gp;
}

_Noreturn void no_stack(struct m *m)
{
    struct sched *s = m->sched;
    lock(m, &s->gflock);
    int err;
    const char *why = stackpool_lacks(s->stacks, &err);
    unlock(m, &s->gflock);
    lack(m, why, err);
}

/* Takes a dead G from the global list, the only one if there are no Ps. */
static __attribute__((noinline)) struct g *gfget_global(struct m *m)
{
    struct sched *s = m->sched;
    lock(m, &s->gflock);
    struct g *gp = pop_global(s);
    unlock(m, &s->gflock);
    return gp ? gp : malg(m);
}

/* Moves dead Gs from the global list to pp's list. */
static __attribute__((noinline)) void refill(struct m *m, struct p *pp)
{
    struct sched *s = m->sched;
    explore_touch(m, FOOT_READS | FOOT_LOCK(s->gflock.rank));
    if (global_n(s) == 0)
        return;
    lock(m, &s->gflock);
    for (; pp->gfree.n < GFREE_BATCH && s->gfree.list; pp->gfree.n++)
        push(&pp->gfree.list, pop_global(s));
    unlock(m, &s->gflock);
}

/* Caller: the owner of m.p, or the first M at the start, which has no P. */
struct g *gfget(struct m *m)
{
    struct p *pp = m->p;
    if (!pp)
        return m->sched->gen->has_p ? malg(m) : gfget_global(m);
    if (!pp->gfree.list)
        refill(m, pp);
    struct g *gp = pop(&pp->gfree.list);
    if (!gp)
        return malg(m);
    pp->gfree.n--;
    return gp;
}

/* Moves all dead Gs of pp, which goes out of use, to the global list. Caller: the world is stopped. */
void gfpurge(struct m *m, struct p *pp)
{
    struct sched *s = m->sched;
    lock(m, &s->gflock);
    for (; pp->gfree.list; pp->gfree.n--)
        push_global(s, pop(&pp->gfree.list));
    unlock(m, &s->gflock);
}

/* Returns how many Gs are on the free lists. Caller: no M is left. */
uint32_t gfree_count(const struct sched *s)
{
    uint32_t n = atomic_load_explicit(&s->gfree.n, memory_order_relaxed);
    for (uint32_t i = 0; s->allp && i < s->nallp; i++)
        n += s->allp[i].gfree.n;
    return n;
}

static __attribute__((noinline)) void put_global_list(struct m *m, struct g *gp)
{
    struct sched *s = m->sched;
    lock(m, &s->gflock);
    push_global(s, gp);
    unlock(m, &s->gflock);
}

/* Moves the surplus of pp's list to the global list. */
static __attribute__((noinline)) void spill(struct m *m, struct p *pp)
{
    struct sched *s = m->sched;
    lock(m, &s->gflock);
    for (; pp->gfree.n >= GFREE_BATCH; pp->gfree.n--)
        push_global(s, pop(&pp->gfree.list));
    unlock(m, &s->gflock);
}

/* Puts gp, which is dead, on the list of m.p. Caller: the owner of m.p, on g0. */
void gfput(struct m *m, struct g *gp)
{
    struct p *pp = m->p;
    if (!pp) {
        put_global_list(m, gp);
        return;
    }
    push(&pp->gfree.list, gp);
    if (++pp->gfree.n >= GFREE_LOCAL)
        spill(m, pp);
}
