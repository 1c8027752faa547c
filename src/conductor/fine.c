/* With --fine: who goes next, when there is a point before nearly every atomic operation.
 *
 * A uniform draw at each point explores poorly there: two Ms that advance step by step in turn are never far apart, and the
 * schedules that break lock-free code are of another kind. One M stops between two operations and another one does a great deal
 * before it goes on; two or three such places are enough for nearly every bug that was ever found so. Therefore the seed chooses
 * one of several ways:
 *
 *   uniform   each able M with the same chance
 *   sticky    the holder goes on, and gives way every so often, at random
 *   ranked    each M has a random rank, the highest able one goes on; every so often, at random, the holder is ranked below
 *             all others. This is probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010)
 *             with changes all along instead of a fixed number: a run's length is not known beforehand, and a holder that waits
 *             in a loop for someone ranked below it must give way some time
 *
 * How often is drawn too: changes after 4 points meet what lies close together, after 1,000 what takes long.
 * All of it is the baton's, and a function of the seed and the course.
 */
#include "conductor/conductor_internal.h"

/* Changes come 1 to 2 * stretch - 1 points apart. */
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
    f->way = way == 0 ? FINE_UNIFORM : way < 3 ? FINE_STICKY : FINE_RANKED;
    f->stretch = f->way == FINE_STICKY ? sticky[prng_below(&f->rand, 3)] : ranked[prng_below(&f->rand, 5)];
    f->left = next_change(f);
}

int64_t fine_rank(struct conductor *c)
{
    return c->cfg.fine && in_lockstep(c) ? prng_below(&c->fine.rand, 1u << 30) : 0;
}

static uint32_t highest(const struct conductor *c)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < c->nable; i++)
        if (c->able[i]->rank > c->able[best]->rank)
            best = i;
    return best;
}

uint32_t fine_draw(struct conductor *c, const struct waiter *w)
{
    struct fine *f = &c->fine;
    if (f->way == FINE_STICKY && w && w->able_at != NOWHERE && prng_below(&f->rand, f->stretch) != 0)
        return w->able_at;
    if (f->way != FINE_RANKED)
        return prng_below(&f->rand, c->nable);
    uint32_t first = highest(c);
    if (--f->left)
        return first;
    f->left = next_change(f);
    c->able[first]->rank = --f->lowest;
    return highest(c);
}
