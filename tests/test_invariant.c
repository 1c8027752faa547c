/* Each invariant of design 15 notices its own break: a sound state is made through the fold, then spoilt in memory. */
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
    OFFER(md, APPLIED, 0, EV_GLOBQ_PUT, 0, 4, 1, QE_TAIL, 1, 0);
    if (!model_check(md, why, sizeof why))
        t_fail(__FILE__, __LINE__, "a sound state is refused: %s", why);
    return md;
}

/* The state is refused with a text that has `part` in it. */
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
    model_g_mut(md, 3)->status = G_WAITING;
    refused(md, "G3 is in a queue but not runnable");
}

TEST(an_idle_p_with_work)
{
    struct model *md = sound();
    md->p[1].runnext = 2;
    md->p[0].runnext = 0;
    model_g_mut(md, 2)->where = 1;
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
    OFFER(md, APPLIED, 0, EV_WAKEP, 0, 0, WW_NEW_G, 1, 0, 0);
    CHECK(model_check(md, why, sizeof why));
    OFFER(md, APPLIED, 1, EV_M_START, NOP, 0, 1, 0, 0, 0); /* it has come up and spins */
    CHECK(model_check(md, why, sizeof why));
    model_free(md);
}
