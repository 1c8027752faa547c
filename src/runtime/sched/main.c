/* What the runtime starts before main.main (Go: main and init in proc.go, gcenable, createfing, and what the packages of the standard library
 * start in their init functions). Only with rt_config.boot: a bare run has main alone.
 *
 * The collector's three Gs have run when main.main begins, because main waits for two of them; here it waits for all. The others have not: they are
 * in the ring and in runnext of main's P, and the program's first `go` pushes them on. None of these Gs has anything to do here. Each waits for
 * ever, with Go's reason, and checkdead() does not count it. They take numbers of goroutines, as in Go, although they have names of their own.
 */
#include "runtime/sched/proc.h"
#include "runtime/sync/fdmutex.h"
#include <errno.h>
#include <stdlib.h>

struct starter {
    uint32_t label, gens;
    enum wait_reason reason;
    enum run_boot least;
};
static const struct starter early[] = {
    {SYSG_FORCEGC, ALL_GENERATIONS, WAIT_REASON_FORCE_GC_IDLE, BOOT_PRINT},
    {SYSG_SWEEP, ALL_GENERATIONS, WAIT_REASON_GC_SWEEP_WAIT, BOOT_PRINT},
    {SYSG_SCAVENGE, ALL_GENERATIONS, WAIT_REASON_GC_SCAVENGE_WAIT, BOOT_PRINT},
};
/* In the order in which they are started. The finalizer G is made by createfing(): package os sets finalizers on its three files. */
static const struct starter late[] = {
    {SYSG_MAXPROCS, SINCE(GO1_25), WAIT_REASON_UPDATE_GOMAXPROCS_IDLE, BOOT_PRINT},
    {SYSG_FINALIZER, ALL_GENERATIONS, WAIT_REASON_FINALIZER_WAIT, BOOT_FMT},
    {SYSG_CLEANUP, SINCE(GO1_25), WAIT_REASON_CLEANUP_WAIT, BOOT_NET},
    {SYSG_CLEANUP, BETWEEN(GO1_23, GO1_24), WAIT_REASON_CHAN_RECEIVE, BOOT_NET}, /* of package unique, which had a G of its own */
};

uint32_t calls_before_main(const struct sched *s)
{
    return s->cfg.boot == BOOT_PRINT ? 0 : s->gen->calls_before_main;
}

static void wait_for_ever(const struct starter *of)
{
    for (;;)
        gopark(NULL, of->reason, 0);
}

static void run_early(void *arg)
{
    semrelease(getm()->sched->bootsema, false);
    wait_for_ever(arg);
}

static void run_late(void *arg)
{
    wait_for_ever(arg);
}

static void start(const struct starter *of, rt_fn *fn)
{
    struct m *m = getm();
    struct sched *s = m->sched;
    if (s->cfg.boot < of->least || !(of->gens >> s->cfg.generation & 1) || (of->label == SYSG_MAXPROCS && !rt_starts_updater(&s->cfg)))
        return;
    if (of->label == SYSG_FINALIZER) {
        createfing(m);
        return;
    }
    struct g *gp = newsystemg(m, fn, (void *)(uintptr_t)of, of->label);
    if (!gp)
        no_stack(m);
    s->gen->put(m, gp, WAKEP_NEW_G);
}

/* On main's stack. */
static void runtime_main(void *arg)
{
    struct sched *s = getm()->sched;
    s->booting = true;
    conductor_hold_stalls(s->cond, true); /* they are for the program */
    for (size_t i = 0; i < sizeof early / sizeof *early; i++)
        start(&early[i], run_early);
    for (size_t i = 0; i < sizeof early / sizeof *early; i++)
        semacquire(s->bootsema, false, WAIT_REASON_CHAN_RECEIVE, 0);
    for (size_t i = 0; i < sizeof late / sizeof *late; i++)
        start(&late[i], run_late);
    s->booting = false;
    conductor_hold_stalls(s->cond, false);
    s->cfg.main_fn(arg);
}

struct g *boot_main(struct m *m)
{
    struct sched *s = m->sched;
    struct g *gp = NULL;
    s->bootsema = calloc(1, sizeof *s->bootsema); /* not on main's stack: a late thread is still releasing it when main has returned */
    s->outputs = calloc(2, sizeof *s->outputs);
    if (!s->bootsema || !s->outputs)
        lack(m, "cannot allocate memory for the start of the program", ENOMEM);
    sema_init(s->bootsema, RANK_SEMA);
    sema_init(&s->outputs[0].sema, RANK_SEMA);
    sema_init(&s->outputs[1].sema, RANK_SEMA);
    if (newproc(m, s->cfg.boot == BOOT_BARE ? s->cfg.main_fn : runtime_main, s->cfg.main_prog, 0, &gp) == 0)
        no_stack(m);
    gp->arg = s->cfg.main_arg;
    return gp;
}
