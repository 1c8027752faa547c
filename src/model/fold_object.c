/* The fold of object events. They have no sequence numbers, so that the fast paths of the runtime need none. In free mode two of them may come in the
 * wrong order. So each says by how much a number changes, or has a number of its object: changes of a channel and locks of a mutex are numbered.
 * Each may stand for several operations (eventlog/repeat.h).
 *
 * g_op is here, too: it says which operation of its program a G has reached. */
#include "model/fold_internal.h"

/* Returns the event's object for writing; NULL: *r says why. */
static struct model_object *object_of(const struct fold *f, enum offer *r)
{
    struct ev_object o = ev_object(f->e);
    struct model_object *to = object_mut(f->md, o);
    *r = to ? OFFER_APPLIED : !object_can_be(f->md, o) ? fold_broken(f, "no object can have this number") : fold_lacks(f);
    if (to)
        to->seen = true;
    return to;
}

enum offer fold_chan_op(const struct fold *f)
{
    enum offer r;
    struct model_object *o = object_of(f, &r);
    if (!o)
        return r;
    if ((f->e->b & 0xffff) == CHAN_OP_MAKE) {
        o->cap = f->e->c;
        return r;
    }
    o->closed |= (f->e->b & 0xffff) == CHAN_OP_CLOSE; /* whatever came before it: no later change opens a channel */
    if (!is_serial_before(o->changes, f->e->d))
        return r; /* a later change has come before it */
    o->n = (int32_t)f->e->c;
    o->changes = f->e->d;
    return r;
}

static void comes(const struct fold *f, struct model_object *o)
{
    o->held++;
    o->holder = f->e->g;
    o->since = f->e->time;
}

static void leaves(struct model_object *o)
{
    if (--o->held <= 0)
        o->holder = 0;
}

/* Applies lock `number`, unless a later lock was applied before it. */
static void lock_begins(const struct fold *f, struct model_object *o, uint32_t number)
{
    if (!is_serial_before(o->changes, number))
        return;
    o->changes = number;
    o->holder = f->e->g;
    o->since = f->e->time;
}

/* The mutex is held if its last lock has not ended. */
static void lock_ends(struct model_object *o, uint32_t number)
{
    if (is_serial_before(o->ended, number))
        o->ended = number;
}

enum offer fold_mutex_op(const struct fold *f)
{
    enum offer r;
    struct model_object *o = object_of(f, &r);
    if (!o)
        return r;
    enum mutex_op op = f->e->b & 0xffff;
    if (op == MUTEX_OP_STARVE || op == MUTEX_OP_NORMAL)
        o->starving += op == MUTEX_OP_STARVE ? 1 : -1;
    else if (op != MUTEX_OP_UNLOCK)
        lock_begins(f, o, f->e->d);
    if (op == MUTEX_OP_UNLOCK || op == MUTEX_OP_PAIR)
        lock_ends(o, f->e->d);
    o->held = is_serial_before(o->ended, o->changes);
    if (!o->held)
        o->holder = 0;
    return r;
}

enum offer fold_rwmutex_op(const struct fold *f)
{
    enum offer r;
    struct model_object *o = object_of(f, &r);
    if (!o)
        return r;
    enum rwmutex_op op = f->e->b & 0xffff;
    if (op == RWMUTEX_OP_LOCK)
        comes(f, o);
    else if (op == RWMUTEX_OP_UNLOCK)
        leaves(o);
    else if (op != RWMUTEX_OP_RPAIR)
        o->n += op == RWMUTEX_OP_RLOCK ? 1 : -1;
    return r;
}

enum offer fold_waitgroup_op(const struct fold *f)
{
    enum offer r;
    struct model_object *o = object_of(f, &r);
    if (o)
        o->n = (int32_t)((uint32_t)o->n + f->e->b * (f->e->d ? f->e->d : 1));
    return r;
}

enum offer fold_conn_op(const struct fold *f)
{
    enum offer r;
    struct model_object *o = object_of(f, &r);
    if (!o)
        return r;
    int32_t *n = f->e->b >> 16 == CONN_END_A ? &o->n : &o->n2;
    uint32_t by = (f->e->b & 0xffff) == CONN_OP_WRITE ? f->e->c : -f->e->c;
    *n = (int32_t)((uint32_t)*n + by);
    return r;
}

enum offer fold_select_case(const struct fold *f)
{
    return cases_add(f->md, (struct select_case){f->e->g, f->e->a, f->e->b == SELECT_OP_SEND}) ? OFFER_APPLIED : fold_lacks(f);
}

/* A G logs it itself, so only a G that runs can have reached an operation. A trace with anything else is not ours to judge. */
static bool note_place(struct model *md, uint32_t id, uint32_t op)
{
    const struct model_g *g = g_find(md, id);
    return !g || g->status == G_DEAD || gpage_set_op(md, id, op);
}

enum offer fold_g_op(const struct fold *f)
{
    return note_place(f->md, f->e->g, f->e->c) ? OFFER_APPLIED : fold_lacks(f);
}

bool model_place(struct model *md, uint32_t g, uint32_t op)
{
    if (md->oom || (!md->front && !gpages_unfold(md)) || !note_place(md, g, op))
        md->oom = true;
    return !md->oom;
}
