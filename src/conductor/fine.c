/* With --fine: which M goes next, when there is a point before nearly every atomic operation.
 *
 * A uniform decision at each point explores poorly there. Two Ms that take turns step by step are never far apart,
 * but other schedules break lock-free code: one M stops between two operations, and another one does a lot before
 * the first continues. Two or three such places are enough for nearly every bug ever found this way. Therefore the
 * seed chooses one of several ways, unless cfg.way names one:
 *
 *   uniform  each ready M has the same chance
 *   sticky   the holder continues, and gives way now and then, at random
 *   ranked   each M has a random rank, and the highest ready one runs; now and then, at random, the holder gets the
 *            lowest rank of all. This is probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi,
 *            Nagarakatte, ASPLOS 2010), but with changes throughout the run instead of a fixed number: the length of
 *            a run is not known in advance, and a holder that loops until a lower-ranked M acts must give way some
 *            time
 * The distance between changes is random, too: changes after 4 points find bugs whose steps are close together, changes after 1,000 find
 * those that take long. All of this is a function of the seed and the course, and belongs to the baton. */
#include "conductor/conductor_internal.h"

/* Returns the distance to the next change: 1 to 2 * stretch - 1 points. */
static uint32_t next_change(struct fine *f)
{
    return 1 + prng_below(&f->rand, 2 * f->stretch - 1);
}

void fine_init(struct conductor *c)
{
    static const uint32_t sticky[] = {3, 8, 32}, ranked[] = {4, 16, 64, 256, 1024};
    struct fine *f = &c->fine;
    prng_seed(&f->rand, c->cfg.seed, PRNG_FINE);
    uint32_t way = prng_below(&f->rand, 8);
    f->way = c->cfg.way ? c->cfg.way : way == 0 ? WAY_UNIFORM : way < 3 ? WAY_STICKY : WAY_RANKED;
    f->stretch = f->way == WAY_STICKY ? sticky[prng_below(&f->rand, 3)] : ranked[prng_below(&f->rand, 5)];
    f->left = next_change(f);
}

int64_t fine_rank(struct conductor *c)
{
    return c->cfg.fine && in_lockstep(c) ? prng_below(&c->fine.rand, 1u << 30) : 0;
}

static uint32_t highest(const struct conductor *c)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < c->nready; i++)
        if (c->ready[i]->rank > c->ready[best]->rank)
            best = i;
    return best;
}

uint32_t fine_pick(struct conductor *c, const struct waiter *w)
{
    struct fine *f = &c->fine;
    if (f->way == WAY_STICKY && w && w->ready_at != NOWHERE && prng_below(&f->rand, f->stretch) != 0)
        return w->ready_at;
    if (f->way != WAY_RANKED)
        return prng_below(&f->rand, c->nready);
    uint32_t first = highest(c);
    if (--f->left)
        return first;
    f->left = next_change(f);
    c->ready[first]->rank = --f->lowest;
    return highest(c);
}
