/* Runs a program form on the real runtime, for test_vm.c and the fuzz target. */
#ifndef GMPSCOPE_TESTS_VM_H
#define GMPSCOPE_TESTS_VM_H

#include "runtime/runtime.h"
#include "scenario/vm/vm.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct form_run {
    int how;        /* ENDED_…; -1: it was stopped */
    char said[400]; /* panic or fatal error */
    int64_t last;   /* time of the last event */
    uint32_t kinds[EV_KINDS];
    uint32_t reads, writes; /* notes of races */
};

static enum offer form_take(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    struct form_run *r = ctx;
    (void)m;
    r->reads += ev_note(e) == NOTE_READ;
    r->writes += ev_note(e) == NOTE_WRITE;
    if (ev_is_place(e))
        return OFFER_APPLIED;
    r->last = e->time > r->last ? e->time : r->last;
    r->kinds[e->kind]++;
    if (len && e->kind == EV_FATAL) {
        size_t n = len < sizeof r->said - 1 ? len : sizeof r->said - 1;
        memcpy(r->said, text, n);
        r->said[n] = '\0';
    }
    return OFFER_APPLIED;
}

/* Runs it until it ends, for at most `turns` looks, each of which waits a little. cfg: what differs from an ordinary run. */
static struct form_run form_run(const struct form *f, struct rt_config cfg, uint64_t memory, int turns)
{
    struct form_run r = {.how = -1};
    struct vm *vm = vm_new(f, memory);
    cfg.runq_size = 256;
    cfg.max_threads = 100;
    cfg.preempt_slice = 10000000;
    if (!vm || !vm_watch(vm, &cfg))
        abort();
    cfg.main_fn = vm_main;
    cfg.main_arg = vm_start_of(vm);
    struct sched *s = rt_new(&cfg);
    if (!s || rt_start(s))
        abort();
    conductor_run(rt_conductor(s));
    for (bool over = false; !over && turns-- > 0;) {
        struct log_sink sink = {.ctx = &r, .offer = form_take};
        over = (rt_ended(s, &r.how) && conductor_wait_stopped(rt_conductor(s), 0)) || rt_lack_text(s) || rt_throw_text(s);
        while (log_drain(rt_log(s), over ? LOG_AT_REST : LOG_BY_SEQUENCE, &sink, 100000) > 0)
            ;
        if (!over)
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL); /* waits for no condition; the loop does */
    }
    if (rt_throw_text(s))
        abort(); /* a broken invariant of the runtime */
    rt_stop(s);
    rt_free(s);
    vm_free(vm);
    return r;
}

#endif
