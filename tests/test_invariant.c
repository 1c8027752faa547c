/* Each invariant notices when it is broken. A sound state is made through the fold and then changed in memory; or an
 * event is offered that breaks one. */
#include "folding.h"

static char why[160];

/* P0 runs G1; G2 is its runnext, G3 in its ring, G4 in the global queue; P1 is idle. */
static struct model *sound(void)
{
    struct model *md = boot();
    OFFER(md, APPLIED, 0, EV_G_CREATE, 0, 2, 1, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_RUNNEXT_PUT, 0, 2, 0, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_CREATE, 0, 3, 1, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_RUNQ_PUT, 0, 3, 0, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_CREATE, 0, 4, 1, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_GLOBQ_PUT, 0, 4, 1, QUEUE_TAIL, 1, 0);
    if (!model_check(md, why, sizeof why))
        t_fail(__FILE__, __LINE__, "a sound state is refused: %s", why);
    return md;
}

/* Checks that the state is refused with a text that contains `part`. */
static void refused(struct model *md, const char *part)
{
    CHECK(!model_check(md, why, sizeof why));
    if (!strstr(why, part))
        t_fail(__FILE__, __LINE__, "\"%s\" does not say \"%s\"", why, part);
    model_free(md);
}

TEST(a_g_in_two_rings)
{
    struct model *md = sound();
    md->p[0].ring[0] = 2; /* it is runnext already */
    refused(md, "G2 is in two places");
}

TEST(a_g_in_no_queue)
{
    struct model *md = sound();
    md->p[0].runnext = 0;
    refused(md, "runnable, but");
}

TEST(a_queued_g_that_does_not_want_to_run)
{
    struct model *md = sound();
    g_mut(md, 3)->status = G_WAITING;
    refused(md, "G3 is in a queue but not runnable");
}

TEST(an_idle_p_with_work)
{
    struct model *md = sound();
    md->p[1].runnext = 2;
    md->p[0].runnext = 0;
    g_mut(md, 2)->where = 1;
    refused(md, "P1 is on the idle list with work");
}

TEST(a_p_and_an_m_that_do_not_agree)
{
    struct model *md = sound();
    md->p[0].m = EV_NONE;
    refused(md, "P0 runs, but its M is not with it");
    md = sound();
    md->p[1].m = 0;
    refused(md, "P1 does not run, but has M0");
}

TEST(counts_that_do_not_agree)
{
    struct model *md = sound();
    md->npidle = 2;
    refused(md, "npidle is 2");
    md = sound();
    md->nmspinning = 1;
    refused(md, "nmspinning is 1, but 0 Ms spin");
    md = sound();
    md->count_g[G_RUNNING] = 3;
    refused(md, "3 Gs run on 2 Ps");
}

TEST(a_sleeping_m_with_a_g)
{
    struct model *md = sound();
    md->m[0].blocked = true;
    refused(md, "M0 sleeps with a P or a G");
}

TEST(a_wake_up_in_flight_is_counted)
{
    struct model *md = sound();
    OFFER(md, APPLIED, 0, EV_WAKEP, 0, 0, WAKEP_NEW_G, 1, 0, 0);
    CHECK(model_check(md, why, sizeof why));
    OFFER(md, APPLIED, 1, EV_M_START, NOP, 0, 1, 0, 0, 0); /* it has started and spins */
    CHECK(model_check(md, why, sizeof why));
    model_free(md);
}

/* ---- what is judged at an event ---- */

/* In sound() G2, G3 and G4 can run, P1 is idle, and no M is on its way. */
static void jump(struct model *md)
{
    OFFER(md, APPLIED, 0, EV_TIME_JUMP, 0, 0, 0, 0, 0, 0);
}

static void left_alone(struct model *md, const char *part)
{
    jump(md);
    const char *what = model_violation(md, LANG_EN);
    if (!what || !strstr(what, part))
        t_fail(__FILE__, __LINE__, "\"%s\" does not say \"%s\"", what ? what : "", part);
    CHECK_INT(model_counters(md)->stranded, 1);
    model_free(md);
}

static void fine(struct model *md)
{
    jump(md);
    CHECK_STR(model_violation(md, LANG_EN) ? model_violation(md, LANG_EN) : "", "");
    CHECK_INT(model_counters(md)->stranded, 0);
    model_free(md);
}

TEST(a_jump_of_time_past_a_g_and_an_idle_p)
{
    left_alone(sound(), "G4 can run and a P is idle");
}

TEST(a_jump_that_is_right)
{
    struct model *md = sound(); /* an M is on its way */
    OFFER(md, APPLIED, 0, EV_WAKEP, 0, 0, WAKEP_NEW_G, 1, 0, 0);
    fine(md);
    md = sound(); /* no P is idle */
    OFFER(md, APPLIED, 0, EV_P_TAKE, 1, 0, 2, 2, 0, 0);
    fine(md);
    md = sound(); /* the world is being stopped */
    OFFER(md, APPLIED, 0, EV_STW_START, 0, 0, STW_USER, 2, 0, 0);
    fine(md);
    md = sound(); /* the program dies */
    OFFER(md, APPLIED, 0, EV_FATAL, 0, 1, 0, FATAL_FATAL, 0, 0);
    fine(md);
    md = boot(); /* nothing can run */
    fine(md);
}

/* The M that logs it may be about to sleep or to end; an M that has not started may not log it. */
TEST(a_sleeper_logs_the_jump)
{
    struct model *md = boot2();
    OFFER(md, APPLIED, 1, EV_P_RELEASE, 1, 0, 4, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_P_IDLE, 1, 0, 5, 2, 0, 0);
    OFFER(md, APPLIED, 1, EV_M_PARK, NOP, 0, 3, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_TIME_JUMP, NOP, 0, 0, 0, 0, 0);
    OFFER(md, NOT_YET, 2, EV_TIME_JUMP, NOP, 0, 0, 0, 0, 0);
    model_free(md);
}

TEST(gs_that_must_wait_by_rule)
{
    struct model *md = boot();
    OFFER(md, APPLIED, 0, EV_G_CREATE, 0, 2, 1, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_DISABLE, 0, 2, 1, 0, 0, 0);
    fine(md);
    md = boot2();
    OFFER(md, APPLIED, 1, EV_P_RELEASE, 1, 0, 4, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_P_IDLE, 1, 0, 5, 2, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_LOCK_M, 0, 1, 3, 1, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_YIELD, 0, 1, 4, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_GLOBQ_PUT, 0, 1, 1, QUEUE_TAIL, 3, 0);
    fine(md);
}

static const uint32_t all_ways =
    KNOWN(go_issue_55160) | KNOWN(go_issue_63555) | KNOWN(go_issue_45867) | KNOWN(handoff_race) | KNOWN(wakep_race);

/* The jump is counted under its known way and breaks nothing; without the way it breaks the invariant. */
static void known_as(struct model *(*state)(uint32_t known), int counter, uint32_t way)
{
    struct model *md = state(way);
    jump(md);
    CHECK_STR(model_violation(md, LANG_EN) ? model_violation(md, LANG_EN) : "", "");
    CHECK_INT(counter_get(model_counters(md), counter), 1);
    CHECK_INT(model_counters(md)->stranded, 1);
    model_free(md);
    left_alone(state(all_ways & ~way), "can run");
}

static struct model *yielded(uint32_t known)
{
    struct model *md = boot();
    md->cfg.known = known;
    OFFER(md, APPLIED, 0, EV_G_YIELD, 0, 1, 3, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_GLOBQ_PUT, 0, 1, 1, QUEUE_TAIL, 1, 0);
    return md;
}

static struct model *injected(uint32_t known)
{
    struct model *md = boot();
    md->cfg.known = known;
    OFFER(md, APPLIED, 0, EV_G_PARK, 0, 1, 3, WAIT_REASON_IO_WAIT, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_READY, 0, 1, 4, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_RUNQ_PUT, 0, 1, 0, 0, 0, 0);
    return md;
}

/* M1 lets P1 become idle while G2 waits at P0. */
static struct model *dropped(uint32_t known, bool handed)
{
    struct model *md = boot2();
    md->cfg.known = known;
    md->cfg.exact = true;
    fill(md, 2, 2, 0);
    OFFER(md, APPLIED, 1, EV_P_RELEASE, 1, 0, 4, 0, 0, 0);
    if (handed)
        OFFER(md, APPLIED, 1, EV_HANDOFF, 1, 0, HANDOFF_IDLE, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_P_IDLE, 1, 0, 5, 2, 0, 0);
    return md;
}

static struct model *dropped_by_findrunnable(uint32_t known)
{
    return dropped(known, false);
}
static struct model *dropped_by_handoffp(uint32_t known)
{
    return dropped(known, true);
}

/* M0 has counted itself for G2 and found no idle P; M1 takes it for a spinning M. */
static struct model *relied_on_wakep(uint32_t known)
{
    struct model *md = boot2();
    md->cfg.known = known;
    md->cfg.exact = true;
    fill(md, 2, 2, 0);
    OFFER(md, APPLIED, 0, EV_WAKEP, 0, 0, WAKEP_NEW_G, 1, 0, 0);
    OFFER(md, APPLIED, 0, EV_NEEDSPINNING, 0, 0, 1, 2, 0, 0);
    OFFER(md, APPLIED, 1, EV_SPIN_START, 1, 0, 2, 3, 0, 0);
    OFFER(md, APPLIED, 1, EV_SPIN_STOP, 1, 0, 1, 4, SPIN_STOP_FOUND_WORK, 0);
    OFFER(md, APPLIED, 0, EV_SPIN_STOP, 0, 0, 0, 5, SPIN_STOP_NO_IDLE_P, 0);
    OFFER(md, APPLIED, 1, EV_P_RELEASE, 1, 0, 4, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_P_IDLE, 1, 0, 5, 2, 0, 0);
    return md;
}

TEST(the_known_ways_are_distinguished)
{
    known_as(yielded, counter_index("go_issue_55160"), KNOWN(go_issue_55160));
    known_as(injected, counter_index("go_issue_63555"), KNOWN(go_issue_63555));
    known_as(dropped_by_findrunnable, counter_index("go_issue_45867"), KNOWN(go_issue_45867));
    known_as(dropped_by_handoffp, counter_index("handoff_race"), KNOWN(handoff_race));
    known_as(relied_on_wakep, counter_index("wakep_race"), KNOWN(wakep_race));
}

/* A P that became idle too late explains nothing once an M has looked everywhere. */
TEST(a_search_since_then_means_another_cause)
{
    struct model *md = dropped_by_handoffp(all_ways);
    OFFER(md, APPLIED, 0, EV_SPIN_START, 0, 0, 1, 1, 0, 0);
    OFFER(md, APPLIED, 0, EV_SPIN_STOP, 0, 0, 0, 2, SPIN_STOP_FOUND_WORK, 0);
    md->violation[LANG_EN][0] = md->violation[LANG_ZH][0] = '\0'; /* M0 has a G and work: it would not have spun */
    left_alone(md, "G2 can run");
}

/* A G that was queued when no P was idle is not the yield's fault: the M that dropped the P should have seen it. */
TEST(a_yield_explains_only_what_it_did)
{
    struct model *md = boot2();
    md->cfg.known = all_ways;
    OFFER(md, APPLIED, 0, EV_G_YIELD, 0, 1, 3, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_GLOBQ_PUT, 0, 1, 1, QUEUE_TAIL, 2, 0);
    OFFER(md, APPLIED, 1, EV_P_RELEASE, 1, 0, 4, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_P_IDLE, 1, 0, 5, 3, 0, 0);
    left_alone(md, "G1 can run");
}

TEST(a_switch_excuses_everything_but_is_counted)
{
    struct model *md = sound();
    md->cfg.known = KNOWN_SWITCH;
    jump(md);
    CHECK(!model_violation(md, LANG_EN));
    CHECK_INT(model_counters(md)->stranded, 1);
    model_free(md);
}

/* go1.0: as many as GOMAXPROCS may run. */
TEST(without_ps_the_running_gs_are_counted)
{
    struct model *md = new_model();
    md->procs = 1;
    OFFER(md, APPLIED, 0, EV_M_START, NOP, 0, 0, EV_NONE, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_CREATE, NOP, 1, 0, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_START, NOP, 1, 2, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_CREATE, NOP, 2, 1, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_GLOBQ_PUT, NOP, 2, 1, QUEUE_TAIL, 1, 0);
    jump(md);
    CHECK(!model_violation(md, LANG_EN));
    OFFER(md, APPLIED, 0, EV_PROCRESIZE, NOP, 0, 1, 2, 2, 0);
    left_alone(md, "G2 can run and a CPU is idle");
}

TEST(a_spinning_m_with_work_of_its_own)
{
    struct model *md = sound();
    md->cfg.exact = true;
    OFFER(md, APPLIED, 0, EV_SPIN_START, 0, 0, 1, 1, 0, 0);
    CHECK_STR(model_violation(md, LANG_EN), "M0 spins, but P0 has work of its own");
    model_free(md);
    md = sound();
    md->cfg.exact = true;
    OFFER(md, APPLIED, 0, EV_WAKEP, 0, 0, WAKEP_NEW_G, 1, 0, 0);
    OFFER(md, APPLIED, 0, EV_P_TAKE, 1, 0, 2, 2, 0, 0);
    OFFER(md, APPLIED, 1, EV_M_START, NOP, 0, 1, 0, 0, 0);
    md->p[1].tail = 1; /* an M has put G3 there */
    OFFER(md, APPLIED, 1, EV_P_ACQUIRE, 1, 0, 3, 0, 0, 0);
    CHECK_STR(model_violation(md, LANG_EN), "M1 spins, but P1 has work of its own");
    model_free(md);
}
