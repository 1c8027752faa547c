/* A detail event that is logged with emit() takes no gate, no time and no decision: with it, all other events of a lockstep run are the same, with
 * the same times. So a new detail event changes no published seed and no --choices. */
#include "runtime/sched/proc.h"
#include "prog.h"

enum { MOST = 20000, WORKERS = 6, TURNS = 20 };

struct seen {
    uint32_t m;
    struct ev ev;
};
static struct seen events[2][MOST];
static int nevents[2], nextra;
static int which_run; /* of the two runs: without and with the extra events */
static bool with_gate;

/* The value of `stage` that no other event of these programs has. */
#define EXTRA FIND_FINALIZER

static void remember(uint32_t m, const struct ev *e)
{
    if (e->kind == EV_FIND_STAGE && e->a == EXTRA) {
        nextra++;
        return;
    }
    CHECK(nevents[which_run] < MOST);
    events[which_run][nevents[which_run]++] = (struct seen){m, *e};
}

static void log_extra(void)
{
    struct m *m = getm();
    if (which_run == 0)
        return;
    if (with_gate)
        emit_gate(m, ev_of(m, EV_FIND_STAGE, 0, EXTRA, 0, 0, 0));
    else
        emit(m, ev_of(m, EV_FIND_STAGE, 0, EXTRA, 0, 0, 0));
}

static void works(void *arg)
{
    (void)arg;
    for (int i = 0; i < TURNS; i++) {
        log_extra();
        rt_gosched();
        log_extra();
        rt_compute(3000, false);
    }
    rt_waitgroup_add(wg, -1);
}

static void starts_workers(void *arg)
{
    (void)arg;
    wg = rt_waitgroup_new(rt_self_sched(), 0);
    rt_waitgroup_add(wg, WORKERS);
    for (int i = 0; i < WORKERS; i++)
        go(works, i);
    rt_waitgroup_wait(wg);
}

/* Returns true if both runs have the same events, the extra ones aside. */
static bool same_course(uint64_t seed, uint32_t procs)
{
    nextra = nevents[0] = nevents[1] = 0;
    prog_taken = remember;
    for (which_run = 0; which_run < 2; which_run++) {
        fresh();
        CHECK_INT(run((struct how){MODE_LOCKSTEP, seed, procs}, starts_workers).how, ENDED_MAIN_RETURNED);
    }
    CHECK_INT(nextra, WORKERS * TURNS * 2);
    if (nevents[0] != nevents[1])
        return false;
    for (int i = 0; i < nevents[0]; i++)
        if (events[0][i].m != events[1][i].m || memcmp(&events[0][i].ev, &events[1][i].ev, sizeof(struct ev)))
            return false;
    return true;
}

TEST(a_detail_event_without_a_gate_changes_nothing)
{
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (uint32_t procs = 1; procs <= 4; procs++)
            CHECK(same_course(seed, procs));
}

/* The test above can fail. */
TEST(one_with_a_gate_changes_the_course)
{
    with_gate = true;
    CHECK(!same_course(1, 2));
}
