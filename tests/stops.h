/* Free runs that are stopped at random moments. At each stop all that the Ms did is in the log, so the folded model equals the runtime's memory. */
#ifndef GMPSCOPE_TESTS_STOPS_H
#define GMPSCOPE_TESTS_STOPS_H

#include "engine/audit.h"
#include "prog.h"

#include <unistd.h>

struct stops {
    long run;                       /* which one it is: it chooses the seed, the number of Ps and the moments */
    void (*check)(struct sched *s); /* called at each stop; NULL: nothing */
    struct audit_result audit;
    uint64_t objects; /* that were compared */
};

static inline void compare_at_stop(struct stops *t, struct sched *s, struct result *r, long stop)
{
    struct snapshot rt = {0}, md = {0};
    if (t->check)
        t->check(s);
    drain(s, LOG_AT_REST, r);
    CHECK_INT(log_consumed(rt_log(s)), log_appended(rt_log(s)));
    CHECK(rt_snapshot(s, &rt) && model_snapshot(r->md, &md));
    t->objects += rt.nobject;
    if (audit_compare(&rt, &md, &t->audit) != 0)
        t_fail(__FILE__, __LINE__, "run %ld, stop %ld: %s", t->run, stop, t->audit.first);
    snapshot_fini(&rt);
    snapshot_fini(&md);
}

/* cfg: what differs between the tests. */
static inline void stop_at_random(struct stops *t, struct rt_config cfg)
{
    cfg.gomaxprocs = (uint32_t)(t->run % 4 + 1);
    cfg.runq_size = 256;
    cfg.max_threads = 10000;
    cfg.start_tick = 4;
    cfg.generation = GO1_20;
    cfg.seed = (uint64_t)t->run;
    cfg.mode = MODE_FREE;
    struct result r = {.md = model_new(&(struct model_config){.runq_size = 256, .start_tick = 4, .seed = cfg.seed})};
    struct sched *s = rt_new(&cfg);
    CHECK(r.md && s);
    CHECK_INT(rt_start(s), 0);
    for (long stop = 0; stop < 40 && !rt_ended(s, NULL); stop++) {
        conductor_run(rt_conductor(s));
        usleep((useconds_t)((t->run + stop) % 7 * 10));
        conductor_pause(rt_conductor(s));
        CHECK(conductor_wait_stopped(rt_conductor(s), -1));
        compare_at_stop(t, s, &r, stop);
    }
    rt_stop(s);
    rt_free(s);
    model_free(r.md);
}

#endif
