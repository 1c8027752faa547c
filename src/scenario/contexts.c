/* Contexts: what package context does, with its locks, channels, timers and order (context.go).
 *
 * Each has a mutex and a channel among those of the run, behind the declared ones. A child that is registered with its parent says so itself, under
 * the parent's mutex. The timer of a timeout starts a G that cancels.
 */
#include "runtime/sched/point.h"
#include "scenario/scenario_internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 32 /* children below each other: cancel() needs the G's stack for each */

enum { CANCELED = 1, DEADLINE_EXCEEDED };
struct context {
    atomic_bool made, asked; /* asked: its channel is made */
    _Atomic int err;
    uint32_t parent, depth;    /* parent: number + 1, 0: the background */
    _Atomic uint32_t child_of; /* the same, while it is registered there. Relaxed: written and found under the parent's mutex */
    bool timed, limited;       /* it has a deadline of its own; or one of a parent */
    int64_t deadline;
    struct handle *timer; /* under its own mutex */
};

struct context *contexts_new(const struct scenario *sc)
{
    return calloc(object_total(sc, NS_CONTEXTS) + (size_t)1, sizeof(struct context));
}

void nil_pointer(void)
{
    rt_panic("runtime error: invalid memory address or nil pointer dereference");
}

static struct mutex *mutex_of(const struct scenario_run *r, uint32_t i)
{
    return r->mutex[object_total(r->sc, NS_MUTEXES) + object_total(r->sc, NS_ONCES) + i];
}

static struct hchan *chan_of(const struct scenario_run *r, uint32_t i)
{
    return r->chan[object_total(r->sc, NS_CHANNELS) + i];
}

/* Notes that a G reads or writes an atomic variable of the context, which orders what comes before and after it. */
static void note(const struct scenario_run *r, uint32_t i, bool write)
{
    uint32_t number = UINT32_C(1) << 31 | (r->sc->y->shared_count + mutex_total(r->sc) + i);
    rt_touch(number, write);
    if (r->races)
        rt_sync(number, write ? NOTE_RELEASE_MERGE : NOTE_ACQUIRE);
}

static struct context *made(struct scenario_run *r, uint32_t i)
{
    if (!atomic_load_explicit(&r->context[i].made, memory_order_acquire)) /* acquire: pairs with the store in context_make() */
        nil_pointer();
    return &r->context[i];
}

static int err_of(const struct scenario_run *r, uint32_t i)
{
    note(r, i, false);
    return atomic_load_explicit(&r->context[i].err, memory_order_acquire); /* acquire: pairs with the store in cancel_self() */
}

struct hchan *context_done(struct scenario_run *r, uint32_t i)
{
    struct context *c = made(r, i);
    note(r, i, false);
    if (!atomic_load_explicit(&c->asked, memory_order_acquire)) { /* acquire: pairs with the store below */
        rt_mutex_lock(mutex_of(r, i));
        note(r, i, true);
        atomic_store_explicit(&c->asked, true, memory_order_release); /* release: pairs with the load above */
        rt_mutex_unlock(mutex_of(r, i));
    }
    return chan_of(r, i);
}

/* Since Go 1.25 the error is an atomic variable. */
int64_t context_err(struct scenario_run *r, uint32_t i)
{
    made(r, i);
    if (UNTIL(GO1_24) >> r->generation & 1) {
        rt_mutex_lock(mutex_of(r, i));
        int err = err_of(r, i);
        rt_mutex_unlock(mutex_of(r, i));
        return err;
    }
    int err = err_of(r, i);
    if (err)
        rt_chan_recv(context_done(r, i), &(int64_t){0});
    return err;
}

static void cancel(struct scenario_run *r, uint32_t i, bool leave, int err);

static bool is_child(const struct scenario_run *r, uint32_t k, uint32_t parent)
{
    return atomic_load_explicit(&r->context[k].child_of, memory_order_relaxed) == parent + 1; /* relaxed: struct context */
}

static void set_child(struct scenario_run *r, uint32_t k, uint32_t of)
{
    atomic_store_explicit(&r->context[k].child_of, of, memory_order_relaxed); /* relaxed: struct context */
}

/* In the order of a range over a map: any may be the first. Locks: i's. */
static void cancel_children(struct scenario_run *r, uint32_t i, int err)
{
    uint32_t n = 0, all = object_total(r->sc, NS_CONTEXTS);
    for (uint32_t k = 0; k < all; k++)
        n += is_child(r, k, i);
    uint32_t skip = n > 1 ? rt_decide(DECIDE_ORDER, n) : 0;
    for (uint32_t k = 0, seen = 0, left = n; left; k = (k + 1) % all) {
        if (!is_child(r, k, i) || seen++ < skip)
            continue;
        cancel(r, k, false, err);
        set_child(r, k, 0);
        left--;
    }
}

/* cancelCtx.cancel */
static void cancel_self(struct scenario_run *r, uint32_t i, int err)
{
    rt_mutex_lock(mutex_of(r, i));
    if (err_of(r, i) == 0) {
        note(r, i, true);
        atomic_store_explicit(&r->context[i].err, err, memory_order_release); /* release: pairs with the load in err_of() */
        rt_chan_close(chan_of(r, i));
        cancel_children(r, i, err);
    }
    rt_mutex_unlock(mutex_of(r, i));
}

/* timerCtx.cancel, or the same without a timer */
static void cancel(struct scenario_run *r, uint32_t i, bool leave, int err)
{
    struct context *c = &r->context[i];
    cancel_self(r, i, err);
    if (leave && c->parent) {
        rt_mutex_lock(mutex_of(r, c->parent - 1));
        set_child(r, i, 0);
        rt_mutex_unlock(mutex_of(r, c->parent - 1));
    }
    if (!c->timed)
        return;
    rt_mutex_lock(mutex_of(r, i));
    if (c->timer)
        rt_func_stop(c->timer);
    c->timer = NULL;
    rt_mutex_unlock(mutex_of(r, i));
}

void context_cancel(struct scenario_run *r, uint32_t i)
{
    made(r, i);
    cancel(r, i, true, CANCELED);
}

/* An rt_fn: the G that a timeout starts. */
static void time_out(void *arg)
{
    struct start *s = arg;
    cancel(s->run, (uint32_t)s->var[0], true, DEADLINE_EXCEEDED);
}

/* propagateCancel: a parent that is cancelled cancels the child now. */
static void follow(struct scenario_run *r, uint32_t i, uint32_t parent)
{
    context_done(r, parent);
    int err = err_of(r, parent);
    if (!err) {
        rt_mutex_lock(mutex_of(r, parent));
        err = err_of(r, parent);
        set_child(r, i, err ? 0 : parent + 1);
        rt_mutex_unlock(mutex_of(r, parent));
    }
    if (err)
        cancel(r, i, false, err);
}

static void start_timer(struct scenario_run *r, uint32_t i, int64_t ns)
{
    union {
        struct start start;
        char room[sizeof(struct start) + sizeof(int64_t)];
    } d = {.start = {.run = r, .prog = r->sc->nprog}};
    d.start.var[0] = i;
    rt_mutex_lock(mutex_of(r, i));
    if (err_of(r, i) == 0)
        r->context[i].timer = rt_func_new(ns, time_out, &d, sizeof d, r->sc->nprog);
    rt_mutex_unlock(mutex_of(r, i));
}

/* Ends the run, because gmpscope has one context for each name. */
static void made_again(const struct scenario_run *r, uint32_t i, uint32_t line)
{
    char text[200];
    const char *done = r->sc->info.objects.of[OBJ_CHAN].name[object_total(r->sc, NS_CHANNELS) + i]; /* NAME.done */
    snprintf(text, sizeof text,
             "line %u: the context %.*s is made again; gmpscope has one for each name: use another name, or an array with \"count\"", line,
             (int)(strlen(done) - strlen(".done")), done);
    rt_no_way(text);
}

void context_make(struct scenario_run *r, uint32_t i, uint32_t parent, int64_t ns, uint32_t line)
{
    struct context *c = &r->context[i], *p = parent ? &r->context[parent - 1] : NULL;
    /* acquire: pairs with the store below */
    if (p && !atomic_load_explicit(&p->made, memory_order_acquire))
        rt_panic("cannot create context from nil parent");
    if (atomic_load_explicit(&c->made, memory_order_acquire)) /* as above */
        made_again(r, i, line);
    c->parent = parent;
    c->depth = p ? p->depth + 1 : 0;
    if (c->depth > DEEPEST)
        rt_no_way("contexts are children of each other too deeply: at most 32");
    int64_t deadline = rt_now() + ns;
    bool limited = p && p->limited;
    c->timed = ns >= 0 && !(limited && p->deadline < deadline);
    c->limited = c->timed || limited;
    c->deadline = c->timed ? deadline : limited ? p->deadline : 0;
    if (p)
        follow(r, i, parent - 1);
    int64_t left = deadline - rt_now();
    if (c->timed && left <= 0)
        cancel(r, i, true, DEADLINE_EXCEEDED);
    else if (c->timed)
        start_timer(r, i, left);
    atomic_store_explicit(&c->made, true, memory_order_release); /* release: pairs with the loads in made() and above */
}
