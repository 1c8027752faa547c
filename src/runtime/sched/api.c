/* The functions of runtime.h that only pass a call on. */
#include "runtime/gc/gc.h"
#include "runtime/sched/point.h"
#include "runtime/sched/race.h"
#include "runtime/stack/stack.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct conductor *rt_conductor(struct sched *s)
{
    return s->cond;
}

struct log *rt_log(struct sched *s)
{
    return s->log;
}

bool rt_ended(struct sched *s, int *how)
{
    int v = atomic_load_explicit(&s->ended, memory_order_acquire); /* pairs with program_end() */
    if (v && how)
        *how = v - 1;
    return v != 0;
}

const char *rt_throw_text(struct sched *s)
{
    return atomic_load_explicit(&s->throwtext, memory_order_acquire); /* pairs with throw() */
}

const char *rt_lack_text(struct sched *s)
{
    return atomic_load_explicit(&s->lacktext, memory_order_acquire); /* pairs with lack() */
}

void rt_no_memory(const char *what)
{
    lack(getm(), what, ENOMEM);
}

void rt_no_way(const char *what)
{
    lack(getm(), what, 0);
}

uint64_t rt_random(void)
{
    struct sched *s = getm()->sched;
    struct prng r;
    /* relaxed: only a number is taken. In lockstep one M at a time comes here */
    prng_seed(&r, s->cfg.seed, PRNG_PROGRAM + atomic_fetch_add_explicit(&s->draws, 1, memory_order_relaxed));
    return prng_next(&r);
}

uint32_t rt_decide(enum decision_kind kind, uint32_t n)
{
    return n < 2 ? 0 : conductor_decide(getm()->w, kind, n, (uint32_t)((rt_random() >> 32) * n >> 32));
}

void rt_tend(struct sched *s)
{
    stackpool_tend(s->stacks);
}

struct sched *rt_self_sched(void)
{
    return getm()->sched;
}

uint32_t rt_goid(void)
{
    return goid(getg());
}

uint32_t rt_mid(void)
{
    return getm()->id;
}

uint32_t rt_pid(void)
{
    struct p *pp = getm()->p;
    return pp ? pp->id : EV_NONE;
}

void *rt_arg(void)
{
    return getg()->arg;
}

void rt_reach(uint32_t line, uint32_t col, uint32_t op)
{
    struct m *m = getm();
    enum run_places places = m->sched->cfg.places;
    if (places == PLACES_EVENTS)
        emit(m, ev_of(m, EV_G_OP, goid(curg(m)), line, col, op, 0));
    else if (places == PLACES_SHOWN || !conductor_was_free(m->sched->cond))
        emit_place(m, ev_of(m, EV_G_OP, goid(curg(m)), line, col, op, true));
}

bool rt_line(uint32_t line, uint32_t col, uint32_t op, bool arrives)
{
    struct m *m = getm();
    enum run_places places = m->sched->cfg.places;
    bool event = arrives && places == PLACES_EVENTS;
    if (!event && conductor_was_free(m->sched->cond) && !(conductor_attention(m->hot) & ATTN_WATCHED))
        return false;
    if (event)
        emit(m, ev_of(m, EV_G_OP, goid(curg(m)), line, col, op, 0));
    else
        emit_place(m, ev_of(m, EV_G_OP, goid(curg(m)), line, col, op, NOTE_PLACE | (arrives ? PLACE_ARRIVES : 0)));
    if (conductor_attention(m->hot) & ATTN_WATCHED) /* at a breakpoint the G stays at the line, so that people see its variables there */
        conductor_rest_here(m->w);
    return true;
}

void rt_at(uint32_t op)
{
    getg()->op = op;
}

int64_t rt_now(void)
{
    return conductor_now(getm()->w);
}

void rt_access(uint32_t variable, enum ev_note how)
{
    racenote(getm(), NULL, how, variable);
}

void rt_sync(uint32_t object, enum ev_note how)
{
    racenote(getm(), NULL, how, object);
}

/* Points of the program: a G that passes more of them under a mutex has its lock logged, so that the screen shows since when. */
#define HELD_POINTS 8

void point_slow(struct m *m)
{
    if (m->repeat.open && ++m->repeat.points > HELD_POINTS)
        deferred_publish(m, false);
    conductor_gate(m->w);
    if (gc_marking(getm()->sched))
        gc_assist();
}

/* The last step of `go`: the argument is newarg of the G that m runs. */
static uint32_t go(struct m *m, rt_fn *fn, uint32_t prog, uint32_t i)
{
    uint32_t id = newproc(m, fn, prog, i, NULL);
    if (id == 0)
        no_stack(m);
    return id;
}

uint32_t rt_go(rt_fn *fn, void *arg, void (*release)(void *), uint32_t prog, uint32_t i)
{
    struct g *by = curg(getm());
    by->newarg = arg; /* before the safe point, where the runtime may end */
    by->newrelease = release;
    struct m *m = safe_getm_gc();
    return go(m, fn, prog, i);
}

/* An argument that does not fit into its G. */
struct large_arg {
    struct sched *s;
    size_t size;
    _Alignas(max_align_t) char arg[];
};

static void free_large_arg(void *arg)
{
    struct large_arg *a = (void *)((char *)arg - offsetof(struct large_arg, arg));
    memory_give(a->s, MEMORY_G, sizeof *a + a->size);
    free(a);
}

/* The runtime may end at the safe point, and nothing owns a small argument yet. */
uint32_t rt_go_copy(rt_fn *fn, const void *arg, size_t size, uint32_t prog, uint32_t i)
{
    if (size > G_ROOM) {
        struct m *m = getm();
        memory_need(m, MEMORY_G, sizeof(struct large_arg) + size);
        struct large_arg *copy = malloc(sizeof *copy + size);
        if (!copy)
            rt_no_memory("cannot allocate memory for a goroutine");
        *copy = (struct large_arg){m->sched, size};
        return rt_go(fn, memcpy(copy->arg, arg, size), free_large_arg, prog, i);
    }
    struct m *m = safe_getm_gc();
    curg(m)->newarg = (void *)(uintptr_t)arg;
    curg(m)->newsize = (uint32_t)size;
    return go(m, fn, prog, i);
}
