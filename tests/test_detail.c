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

/* ---- object events ---- */

static struct mutex *mu;
static struct rwmutex *rw;
static struct hchan *values;

static uint32_t carried, tries; /* steal_try: those that core events carry, and those that were recorded */

/* Takes the tries that were not recorded out of the event that carries them. */
static struct ev without_tries(struct ev e)
{
    uint32_t *at = e.kind == EV_G_START ? &e.c : e.kind == EV_M_PARK ? &e.b : &(uint32_t){0};
    carried += *at;
    *at = 0;
    return e;
}

static void remember_core(uint32_t m, const struct ev *e)
{
    nextra += ev_level_of[e->kind] == EV_DETAIL;
    tries += e->kind == EV_STEAL_TRY;
    if (ev_level_of[e->kind] != EV_CORE)
        return;
    CHECK(nevents[which_run] < MOST);
    events[which_run][nevents[which_run]++] = (struct seen){m, without_tries(*e)};
}

static void uses_objects(void *arg)
{
    (void)arg;
    for (int i = 0; i < TURNS; i++) {
        rt_mutex_lock(mu);
        rt_compute(1000, false);
        rt_mutex_unlock(mu);
        rt_rwmutex_rlock(rw);
        rt_gosched();
        rt_rwmutex_runlock(rw);
        rt_chan_send(values, i);
    }
    rt_rwmutex_lock(rw);
    rt_rwmutex_unlock(rw);
    rt_waitgroup_add(wg, -1);
}

static void starts_users(void *arg)
{
    (void)arg;
    struct sched *s = rt_self_sched();
    struct rt_case receive;
    wg = rt_waitgroup_new(s, 1);
    mu = rt_mutex_new(s, 1);
    rw = rt_rwmutex_new(s, 1);
    values = rt_chan_new(s, 1, 3);
    rt_waitgroup_add(wg, WORKERS);
    for (int i = 0; i < WORKERS; i++)
        go(uses_objects, i);
    for (int i = 0; i < WORKERS * TURNS; i++) {
        receive = (struct rt_case){.c = values};
        CHECK_INT(rt_select(&receive, 1, true), 0);
    }
    rt_waitgroup_wait(wg);
}

/* Whether details are recorded or not, all core events are the same, with the same times. Without details they carry the tries to steal. */
TEST(object_events_change_nothing)
{
    prog_taken = remember_core;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        nevents[0] = nevents[1] = nextra = 0;
        carried = tries = 0;
        for (which_run = 0; which_run < 2; which_run++) {
            fresh();
            prog_level = which_run == 0 ? EV_CORE : EV_DETAIL;
            CHECK_INT(run((struct how){MODE_LOCKSTEP, seed, 3}, starts_users).how, ENDED_MAIN_RETURNED);
        }
        CHECK(nextra > WORKERS * TURNS * 5);
        CHECK(tries > 0);
        CHECK(carried <= tries && tries - carried <= 3 * 16); /* at the end of a run, each M may be in the middle of a search */
        CHECK_INT(nevents[0], nevents[1]);
        for (int i = 0; i < nevents[0]; i++)
            CHECK(events[0][i].m == events[1][i].m && !memcmp(&events[0][i].ev, &events[1][i].ev, sizeof(struct ev)));
    }
}
