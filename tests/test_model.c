/* The fold, event by event: applied, not yet, broken. */
#include "folding.h"

TEST(boot)
{
    struct model *md = boot();
    const uint32_t *idle;
    CHECK_INT(model_np(md), 2);
    CHECK_INT(model_nm(md), 1);
    CHECK_INT(model_p(md, 0)->status, P_RUNNING);
    CHECK_INT(model_p(md, 0)->m, 0);
    CHECK_INT(model_p(md, 0)->schedtick, 4);
    CHECK_INT(model_p(md, 1)->status, P_IDLE);
    CHECK_INT(model_p(md, 1)->seq, 1);
    CHECK_INT(model_idlep(md, &idle), 1);
    CHECK_INT(idle[0], 1);
    CHECK_INT(model_m(md, 0)->curg, 1);
    CHECK_INT(model_m_doing(md, 0), MD_RUN);
    CHECK_STR(model_fn_name(md, 1), "main");
    CHECK_INT(model_ended(md), -1);
    CHECK(!model_g(md, 0) && !model_g(md, 2) && !model_g(md, 99999) && !model_p(md, 2) && !model_m(md, 1));
    model_free(md);
}

TEST(idle_ps_of_procresize_from_the_first)
{
    struct model *md = new_model();
    const uint32_t *idle;
    OFFER(md, NOT_YET, 0, EV_PROCRESIZE, NOP, 0, 0, 4, 0, 0);
    OFFER(md, APPLIED, 0, EV_M_START, NOP, 0, 0, EV_NONE, 0, 0);
    OFFER(md, BROKEN, 0, EV_PROCRESIZE, NOP, 0, 2, 4, 0, 0);
    OFFER(md, BROKEN, 0, EV_PROCRESIZE, NOP, 0, 0, 0, 0, 0);
    OFFER(md, NOT_YET, 0, EV_P_ACQUIRE, 0, 0, 2, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_PROCRESIZE, NOP, 0, 0, 4, 0, 0);
    OFFER(md, BROKEN, 0, EV_PROCRESIZE, 0, 0, 4, 2, 0, 0);
    OFFER(md, NOT_YET, 0, EV_P_ACQUIRE, 4, 0, 2, 0, 0, 0); /* a procresize may create it */
    OFFER(md, BROKEN, 0, EV_P_ACQUIRE, EV_MAX_P, 0, 2, 0, 0, 0);
    CHECK_INT(model_idlep(md, &idle), 3);
    for (uint32_t i = 0; i < 3; i++)
        CHECK_INT(idle[i], i + 1);
    model_free(md);
}

TEST(m_start)
{
    struct model *md = boot();
    OFFER(md, BROKEN, 0, EV_M_START, NOP, 0, 0, EV_NONE, 0, 0);
    OFFER(md, NOT_YET, 3, EV_SYSMON_TICK, NOP, 0, 0, 0, 0, 0);
    OFFER(md, BROKEN, ID_MAX + 1, EV_M_START, NOP, 0, 0, 0, 0, 0);
    OFFER(md, APPLIED, 3, EV_M_START, NOP, 0, 1, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_M_START, NOP, 0, 0, 0, 1, 0);
    CHECK(model_m(md, 3)->spinning && !model_m(md, 2)->started && model_m(md, 2)->p == EV_NONE);
    CHECK_INT(model_m_doing(md, 1), MD_SYSMON);
    CHECK_INT(model_m_doing(md, 2), MD_NONE);
    CHECK_INT(model_m_doing(md, 3), MD_SPIN);
    OFFER(md, APPLIED, 2, EV_M_START, NOP, 0, 0, 0, 0, 0);
    model_free(md);
}

TEST(g_create)
{
    struct model *md = boot();
    OFFER(md, BROKEN, 0, EV_G_CREATE, 0, 1, 1, 0, 0, 0);
    OFFER(md, BROKEN, 0, EV_G_CREATE, 0, 0, 1, 0, 0, 0);
    OFFER(md, BROKEN, 0, EV_G_CREATE, 0, UINT32_MAX, 1, 0, 0, 0);
    OFFER(md, BROKEN, 0, EV_G_CREATE, 0, 7, 1, UINT32_MAX, 5, 0); /* this number marks a G that is forgotten */
    OFFER(md, NOT_YET, 1, EV_G_CREATE, 1, 2, 1, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_CREATE, 0, 7, 1, 1, 5, 0);
    const struct model_g *g = model_g(md, 7);
    CHECK(g->status == G_RUNNABLE && g->place == PLACE_IN_TRANSIT && g->seq == 1 && g->by == 1 && g->fn == 1 && g->i == 5);
    CHECK_INT(model_m(md, 0)->transit_n, 1);
    CHECK_STR(model_fn_name(md, 7), "worker");
    CHECK_STR(model_fn_name(md, 8), "");
    model_free(md);
}

TEST(g_start)
{
    struct model *md = boot2();
    fill(md, 2, 3, 0);
    OFFER(md, NOT_YET, 1, EV_G_START, 1, 9, 2, 0, 0, 0); /* not known yet */
    OFFER(md, BROKEN, 1, EV_G_START, 1, 2, 2, 0, 0, 0);  /* M1 does not hold it */
    OFFER(md, APPLIED, 1, EV_STEAL, 1, 2, 0, 1 << 1, 0, 0);
    OFFER(md, NOT_YET, 1, EV_G_START, 1, 2, 3, 0, 0, 0);
    OFFER(md, BROKEN, 1, EV_G_START, 1, 2, 1, 0, 0, 0);
    OFFER(md, BROKEN, 1, EV_G_START, 0, 2, 2, 0, 0, 0); /* not its P */
    OFFER(md, APPLIED, 1, EV_G_START, 1, 2, 2, 1, 0, 0);
    CHECK_INT(model_p(md, 1)->schedtick, 0); /* inherits the slice */
    CHECK_INT(model_m(md, 1)->curg, 2);
    CHECK_INT(model_g(md, 2)->where, 1);
    OFFER(md, APPLIED, 0, EV_RUNQ_GET, 0, 3, 1, 0, 0, 0);
    OFFER(md, BROKEN, 0, EV_G_START, 0, 3, 2, 0, 0, 0); /* M0 still runs G1 */
    model_free(md);
}

TEST(g_park_and_g_ready)
{
    struct model *md = boot2();
    OFFER(md, NOT_YET, 1, EV_G_READY, 1, 1, 4, 0, 0, 0); /* it has not parked yet */
    OFFER(md, BROKEN, 1, EV_G_READY, 1, 1, 3, 0, 0, 0);  /* it is running */
    OFFER(md, NOT_YET, 0, EV_G_PARK, 0, 1, 4, WAIT_REASON_SLEEP, 0, 0);
    OFFER(md, BROKEN, 0, EV_G_PARK, 0, 1, 2, WAIT_REASON_SLEEP, 0, 0);
    OFFER(md, BROKEN, 1, EV_G_PARK, 1, 1, 3, WAIT_REASON_SLEEP, 0, 0); /* another M runs it */
    OFFER(md, APPLIED, 0, EV_G_PARK, 0, 1, 3, WAIT_REASON_CHAN_SEND, 42, 0);
    CHECK(model_g(md, 1)->status == G_WAITING && model_g(md, 1)->reason == WAIT_REASON_CHAN_SEND && model_g(md, 1)->obj == 42);
    CHECK(model_g(md, 1)->place == PLACE_WAITING && model_m(md, 0)->curg == 0);
    CHECK_INT(model_m_doing(md, 0), MD_SCHED);
    CHECK_INT(model_count_g(md, G_WAITING), 1);
    OFFER(md, APPLIED, 1, EV_G_READY, 1, 1, 4, 0, 0, 0);
    CHECK(model_g(md, 1)->status == G_RUNNABLE && model_g(md, 1)->reason == WAIT_REASON_NONE && model_m(md, 1)->transit[0] == 1);
    OFFER(md, BROKEN, 1, EV_G_READY, 1, 1, 5, 0, 0, 0);
    model_free(md);
}

TEST(g_yield_g_preempt_g_end)
{
    static const struct {
        int kind;
        uint32_t status, hand;
    } how[] = {{EV_G_YIELD, G_RUNNABLE, 1}, {EV_G_PREEMPT, G_RUNNABLE, 1}, {EV_G_END, G_DEAD, 0}};
    for (int i = 0; i < 3; i++) {
        struct model *md = boot2();
        OFFER(md, NOT_YET, 0, how[i].kind, 0, 1, 4, 0, 0, 0);
        OFFER(md, BROKEN, 0, how[i].kind, 0, 1, 2, 0, 0, 0);
        OFFER(md, BROKEN, 1, how[i].kind, 1, 1, 3, 0, 0, 0);
        OFFER(md, APPLIED, 0, how[i].kind, 0, 1, 3, 0, 0, 0);
        CHECK_INT(model_g(md, 1)->status, how[i].status);
        CHECK_INT(model_m(md, 0)->transit_n, how[i].hand);
        CHECK_INT(model_m(md, 0)->curg, 0);
        CHECK_INT(model_count_g(md, how[i].status), 1);
        OFFER(md, BROKEN, 0, how[i].kind, 0, 1, 4, 0, 0, 0);
        model_free(md);
    }
}

TEST(runnext)
{
    struct model *md = boot2();
    OFFER(md, APPLIED, 0, EV_G_CREATE, 0, 2, 1, 0, 0, 0);
    OFFER(md, BROKEN, 0, EV_RUNNEXT_PUT, 0, 1, 0, 0, 0, 0);  /* M0 does not hold it */
    OFFER(md, NOT_YET, 0, EV_RUNNEXT_PUT, 0, 2, 9, 0, 0, 0); /* G9 is not there to be kicked */
    OFFER(md, APPLIED, 0, EV_RUNNEXT_PUT, 0, 2, 0, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_CREATE, 0, 3, 1, 0, 0, 0);
    OFFER(md, NOT_YET, 0, EV_RUNNEXT_PUT, 0, 3, 0, 0, 0, 0); /* G2 must have been stolen first */
    OFFER(md, APPLIED, 0, EV_RUNNEXT_PUT, 0, 3, 2, 0, 0, 0);
    CHECK(model_m(md, 0)->transit_n == 1 && model_m(md, 0)->transit[0] == 2 && model_p(md, 0)->runnext == 3);
    OFFER(md, NOT_YET, 0, EV_RUNNEXT_GET, 0, 2, 1, 0, 0, 0);
    OFFER(md, NOT_YET, 0, EV_RUNNEXT_GET, 0, 3, 2, 0, 0, 0);
    OFFER(md, BROKEN, 0, EV_RUNNEXT_GET, 0, 3, 0, 0, 0, 0);
    OFFER(md, NOT_YET, 0, EV_RUNNEXT_GET, 0, 8, 1, 0, 0, 0);
    OFFER(md, NOT_YET, 0, EV_RUNNEXT_GET, 5, 3, 1, 0, 0, 0); /* no P5 yet */
    OFFER(md, NOT_YET, 1, EV_STEAL, 1, 3, 0, 1 << 1 | 1, 2, 0);
    OFFER(md, NOT_YET, 1, EV_STEAL, 1, 2, 0, 1 << 1 | 1, 1, 0); /* G2 is not there */
    OFFER(md, APPLIED, 1, EV_STEAL, 1, 3, 0, 1 << 1 | 1, 1, 0);
    CHECK(model_p(md, 0)->runnext == 0 && model_m(md, 1)->transit[0] == 3 && model_g(md, 3)->via == PLACE_RUNNEXT);
    model_free(md);
}

TEST(runq)
{
    struct model *md = boot();
    fill(md, 2, 5, 0);
    OFFER(md, APPLIED, 0, EV_G_CREATE, 0, 6, 1, 0, 0, 0);
    OFFER(md, NOT_YET, 0, EV_RUNQ_PUT, 0, 6, 4, 0, 0, 0); /* full: a G must have been taken first */
    OFFER(md, NOT_YET, 0, EV_RUNQ_PUT, 0, 6, 5, 0, 0, 0);
    OFFER(md, BROKEN, 0, EV_RUNQ_PUT, 0, 6, 3, 0, 0, 0); /* that slot is already written */
    OFFER(md, BROKEN, 0, EV_RUNQ_PUT, 0, 2, 4, 0, 0, 0); /* M0 does not hold it */
    OFFER(md, NOT_YET, 0, EV_RUNQ_GET, 0, 3, 1, 0, 0, 0);
    OFFER(md, BROKEN, 0, EV_RUNQ_GET, 0, 3, 0, 0, 0, 0); /* G2 is there */
    OFFER(md, APPLIED, 0, EV_RUNQ_GET, 0, 2, 0, 0, 0, 0);
    OFFER(md, BROKEN, 0, EV_RUNQ_GET, 0, 2, 0, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_RUNQ_PUT, 0, 6, 4, 0, 0, 0);
    CHECK(model_p(md, 0)->head == 1 && model_p(md, 0)->tail == 5);
    CHECK(model_g(md, 6)->place == PLACE_RUNQ && model_g(md, 6)->slot == 4 && model_g(md, 6)->where == 0);
    model_free(md);
}

TEST(runq_get_of_an_empty_ring_waits)
{
    struct model *md = boot();
    OFFER(md, NOT_YET, 0, EV_RUNQ_GET, 0, 2, 0, 0, 0, 0);
    model_free(md);
}

TEST(overflow_and_global_queue)
{
    struct model *md = boot();
    const uint32_t *q;
    fill(md, 2, 5, 0);
    OFFER(md, APPLIED, 0, EV_G_CREATE, 0, 6, 1, 0, 0, 0);
    OFFER(md, BROKEN, 0, EV_RUNQ_OVERFLOW, 0, 5, 3, 0, 0, 0);
    OFFER(md, BROKEN, 0, EV_RUNQ_OVERFLOW, 0, 6, 0, 0, 0, 0);
    OFFER(md, BROKEN, 0, EV_RUNQ_OVERFLOW, 0, 6, 99, 0, 0, 0);
    OFFER(md, NOT_YET, 0, EV_RUNQ_OVERFLOW, 0, 6, 3, 1, 0, 0);
    OFFER(md, APPLIED, 0, EV_RUNQ_OVERFLOW, 0, 6, 3, 0, 0, 0);
    const struct model_m *m = model_m(md, 0);
    CHECK(m->transit_n == 3 && m->transit[0] == 2 && m->transit[1] == 3 && m->transit[2] == 6);
    OFFER(md, NOT_YET, 0, EV_GLOBQ_PUT, 0, 0, 3, QUEUE_TAIL, 2, 0);
    OFFER(md, BROKEN, 0, EV_GLOBQ_PUT, 0, 0, 3, QUEUE_TAIL, 0, 0);
    OFFER(md, BROKEN, 0, EV_GLOBQ_PUT, 0, 0, 2, QUEUE_TAIL, 1, 0);
    OFFER(md, BROKEN, 0, EV_GLOBQ_PUT, 0, 0, 0, QUEUE_TAIL, 1, 0);
    OFFER(md, BROKEN, 0, EV_GLOBQ_PUT, 0, 4, 1, QUEUE_TAIL, 1, 0);
    OFFER(md, APPLIED, 0, EV_GLOBQ_PUT, 0, 0, 3, QUEUE_TAIL, 1, 0);
    OFFER(md, APPLIED, 0, EV_G_CREATE, 0, 7, 1, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_CREATE, 0, 8, 1, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_GLOBQ_PUT, 0, 0, 2, QUEUE_HEAD, 2, 0);
    CHECK_INT(model_globq(md, &q), 5);
    static const uint32_t want[] = {7, 8, 2, 3, 6};
    CHECK(memcmp(q, want, sizeof want) == 0);
    OFFER(md, NOT_YET, 0, EV_GLOBQ_GET, 0, 7, 2, GLOBQ_BATCH, 4, 0);
    OFFER(md, BROKEN, 0, EV_GLOBQ_GET, 0, 8, 2, GLOBQ_BATCH, 3, 0);
    OFFER(md, BROKEN, 0, EV_GLOBQ_GET, 0, 7, 6, GLOBQ_BATCH, 3, 0);
    OFFER(md, BROKEN, 0, EV_GLOBQ_GET, 0, 7, 1, GLOBQ_BATCH, 3, 0); /* half a ring is 2 */
    OFFER(md, BROKEN, 0, EV_GLOBQ_GET, 0, 7, 3, GLOBQ_BATCH, 3, 0);
    OFFER(md, BROKEN, 0, EV_GLOBQ_GET, 0, 7, 2, GLOBQ_TICK61, 3, 0); /* tick61 takes one */
    OFFER(md, APPLIED, 0, EV_GLOBQ_GET, 0, 7, 2, GLOBQ_BATCH, 3, 0);
    CHECK(m->transit_n == 2 && m->transit[0] == 7 && m->transit[1] == 8);
    CHECK_INT(model_globq(md, NULL), 3);
    model_free(md);
}

TEST(one_of_a_hand_goes_to_the_global_queue)
{
    struct model *md = boot();
    for (uint32_t g = 2; g <= 4; g++)
        OFFER(md, APPLIED, 0, EV_G_CREATE, 0, g, 1, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_GLOBQ_PUT, 0, 3, 1, QUEUE_TAIL, 1, 0);
    CHECK(model_m(md, 0)->transit_n == 2 && model_m(md, 0)->transit[0] == 2 && model_m(md, 0)->transit[1] == 4);
    model_free(md);
}

TEST(steal)
{
    struct model *md = boot2();
    fill(md, 2, 5, 0);
    OFFER(md, NOT_YET, 1, EV_STEAL, 1, 3, 0, 2 << 1, 1, 0); /* head is still 0 */
    OFFER(md, BROKEN, 1, EV_STEAL, 1, 4, 0, 2 << 1, 0, 0);  /* G3 is the second */
    OFFER(md, NOT_YET, 1, EV_STEAL, 1, 3, 0, 2 << 1, 0, 1); /* the thief's tail is still 0 */
    OFFER(md, BROKEN, 1, EV_STEAL, 1, 3, 1, 2 << 1, 0, 0);
    OFFER(md, BROKEN, 1, EV_STEAL, 1, 3, 0, 0, 0, 0);
    OFFER(md, BROKEN, 1, EV_STEAL, 1, 3, 0, 9 << 1, 0, 0);
    OFFER(md, APPLIED, 1, EV_STEAL, 1, 3, 0, 2 << 1, 0, 0);
    const struct model_p *p = model_p(md, 1);
    CHECK(p->tail == 1 && p->head == 0 && p->ring[0] == 2 && model_p(md, 0)->head == 2);
    CHECK(model_g(md, 2)->place == PLACE_RUNQ && model_g(md, 2)->where == 1 && model_m(md, 1)->transit[0] == 3);
    OFFER(md, BROKEN, 1, EV_STEAL, 1, 3, 0, 2 << 1, 0, 1);
    OFFER(md, NOT_YET, 1, EV_STEAL, 1, 6, 0, 3 << 1, 2, 1);  /* a third one must be put first */
    OFFER(md, APPLIED, 1, EV_STEAL, 1, 4, 0, 1 << 1, 2, 77); /* only one: d is not checked */
    CHECK_INT(p->tail, 1);
    model_free(md);
}

TEST(steal_waits_for_room_at_the_thief)
{
    struct model *md = boot2();
    fill(md, 2, 5, 0);
    OFFER(md, APPLIED, 1, EV_STEAL, 1, 5, 0, 4 << 1, 0, 0); /* P1 has 2, 3, 4 */
    fill(md, 6, 8, 4);
    OFFER(md, NOT_YET, 1, EV_STEAL, 1, 8, 0, 3 << 1, 4, 3);
    OFFER(md, APPLIED, 1, EV_RUNQ_GET, 1, 2, 0, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_STEAL, 1, 8, 0, 3 << 1, 4, 3);
    CHECK_INT(model_p(md, 1)->tail, 5);
    model_free(md);
}

TEST(spinning)
{
    struct model *md = boot2();
    OFFER(md, BROKEN, 1, EV_SPIN_STOP, 1, 0, 0, 1, SPIN_STOP_FOUND_WORK, 0);
    OFFER(md, APPLIED, 0, EV_NEEDSPINNING, 0, 0, 1, 1, 0, 0);
    CHECK(model_needspinning(md));
    OFFER(md, NOT_YET, 1, EV_SPIN_START, 1, 0, 1, 3, 0, 0);
    OFFER(md, BROKEN, 1, EV_SPIN_START, 1, 0, 1, 1, 0, 0);
    OFFER(md, BROKEN, 1, EV_SPIN_START, 1, 0, 2, 2, 0, 0);
    OFFER(md, APPLIED, 1, EV_SPIN_START, 1, 0, 1, 2, 0, 0);
    CHECK(model_m(md, 1)->spinning && model_nmspinning(md) == 1 && !model_needspinning(md));
    CHECK_INT(model_m_doing(md, 1), MD_SPIN);
    OFFER(md, BROKEN, 1, EV_SPIN_START, 1, 0, 2, 3, 0, 0);
    OFFER(md, BROKEN, 0, EV_WAKEP, 0, 0, WAKEP_READY, 3, 0, 0);
    OFFER(md, BROKEN, 0, EV_SPIN_STOP, 0, 0, 0, 3, SPIN_STOP_FOUND_WORK, 0);
    OFFER(md, APPLIED, 1, EV_SPIN_STOP, 1, 0, 0, 3, SPIN_STOP_FOUND_WORK, 0);
    CHECK(!model_m(md, 1)->spinning && model_nmspinning(md) == 0);
    OFFER(md, NOT_YET, 0, EV_WAKEP, 0, 0, WAKEP_READY, 5, 0, 0);
    OFFER(md, APPLIED, 0, EV_WAKEP, 0, 0, WAKEP_READY, 4, 0, 0);
    CHECK_INT(model_nmspinning(md), 1);
    OFFER(md, NOT_YET, 0, EV_NEEDSPINNING, 0, 0, 1, 6, 0, 0);
    OFFER(md, APPLIED, 0, EV_NEEDSPINNING, 0, 0, 1, 5, 0, 0);
    OFFER(md, APPLIED, 0, EV_SPIN_STOP, 0, 0, 0, 6, SPIN_STOP_NO_IDLE_P, 0);
    CHECK(model_needspinning(md) && model_nmspinning(md) == 0);
    OFFER(md, APPLIED, 0, EV_WAKEP, 0, 0, WAKEP_HANDOFF, 7, 0, 0);
    CHECK(!model_needspinning(md));
    model_free(md);
}

TEST(m_park_and_m_wake)
{
    struct model *md = boot2();
    const uint32_t *idle;
    OFFER(md, APPLIED, 1, EV_P_RELEASE, 1, 0, 4, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_P_IDLE, 1, 0, 5, 2, 0, 0);
    OFFER(md, BROKEN, 0, EV_M_WAKE, 0, 0, 1, 3, 0, 1); /* it is not parked */
    OFFER(md, NOT_YET, 1, EV_M_PARK, NOP, 0, 4, 0, 0, 0);
    OFFER(md, BROKEN, 1, EV_M_PARK, NOP, 0, 2, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_M_PARK, NOP, 0, 3, 0, 0, 0);
    CHECK(model_idlem(md, &idle) == 1 && idle[0] == 1 && model_m(md, 1)->blocked);
    CHECK_INT(model_m_doing(md, 1), MD_IDLE);
    OFFER(md, NOT_YET, 1, EV_FIND_STAGE, NOP, 0, FIND_STOP, 0, 0, 0); /* it sleeps */
    OFFER(md, NOT_YET, 0, EV_M_WAKE, 0, 0, 1, 5, 1, 1);
    OFFER(md, BROKEN, 0, EV_M_WAKE, 0, 0, 9, 4, 1, 1);
    OFFER(md, APPLIED, 0, EV_M_WAKE, 0, 0, 1, 4, 1, 1);
    CHECK(model_idlem(md, NULL) == 0 && !model_m(md, 1)->blocked && model_m(md, 1)->spinning);
    OFFER(md, APPLIED, 1, EV_FIND_STAGE, NOP, 0, FIND_STOP, 0, 0, 0);
    model_free(md);
}

/* M2 parks after M1, so it is woken first; then it does something else. */
TEST(the_m_that_parked_last_is_woken_first)
{
    struct model *md = boot2();
    OFFER(md, APPLIED, 2, EV_M_START, NOP, 0, 0, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_P_RELEASE, 1, 0, 4, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_M_PARK, NOP, 0, 2, 0, 0, 0);
    OFFER(md, APPLIED, 2, EV_M_PARK, NOP, 0, 3, 0, 0, 0);
    OFFER(md, BROKEN, 0, EV_M_WAKE, 0, 0, 1, 4, 0, 1);
    offer_at(__LINE__, md, APPLIED, 0, make(77, EV_M_WAKE, 0, 0, 2, 4, 0, 1));
    CHECK_INT(model_m_doing(md, 2), MD_SCHED);
    CHECK_INT(model_m(md, 2)->since, 77);
    model_free(md);
}

/* The same for an M that slept for its locked G, once another M has brought that G. */
TEST(an_m_that_is_woken_for_its_locked_g_does_something_else_since_then)
{
    struct model *md = boot2();
    fill(md, 2, 2, 0);
    OFFER(md, APPLIED, 1, EV_STEAL, 1, 2, 0, 1 << 1, 0, 0);
    OFFER(md, APPLIED, 1, EV_G_START, 1, 2, 2, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_G_LOCK_M, 1, 2, 3, 1, 0, 0);
    OFFER(md, APPLIED, 1, EV_G_YIELD, 1, 2, 4, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_GLOBQ_PUT, 1, 2, 1, QUEUE_TAIL, 2, 0);
    OFFER(md, APPLIED, 1, EV_P_RELEASE, 1, 0, 4, 0, 0, 0);
    offer_at(__LINE__, md, APPLIED, 1, make(50, EV_M_PARK_LOCKED, NOP, 2, 3, 0, 0, 0));
    CHECK_INT(model_m_doing(md, 1), MD_LOCKED);
    CHECK_INT(model_m(md, 1)->since, 50);
    OFFER(md, APPLIED, 0, EV_G_PARK, 0, 1, 3, WAIT_REASON_SLEEP, 0, 0);
    OFFER(md, APPLIED, 0, EV_GLOBQ_GET, 0, 2, 1, GLOBQ_TICK61, 4, 0);
    offer_at(__LINE__, md, APPLIED, 0, make(77, EV_M_WAKE_LOCKED, 0, 2, 1, 5, 0, 0));
    CHECK_INT(model_m_doing(md, 1), MD_SCHED);
    CHECK_INT(model_m(md, 1)->since, 77);
    model_free(md);
}

TEST(checkdead_speaks_from_the_idle_list)
{
    struct model *md = boot2();
    OFFER(md, APPLIED, 1, EV_P_RELEASE, 1, 0, 4, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_M_PARK, NOP, 0, 2, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_DEADLOCK, NOP, 0, 0, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_FATAL, NOP, 0, 0, FATAL_FATAL, 0, 0);
    OFFER(md, NOT_YET, 1, EV_PROGRAM_END, NOP, 0, ENDED_DEADLOCK, 2, 0, 0);
    OFFER(md, BROKEN, 1, EV_PROGRAM_END, NOP, 0, 99, 1, 0, 0);
    OFFER(md, APPLIED, 1, EV_PROGRAM_END, NOP, 0, ENDED_DEADLOCK, 1, 0, 0);
    CHECK_INT(model_ended(md), ENDED_DEADLOCK);
    model_free(md);
}

TEST(ps)
{
    struct model *md = boot2();
    const uint32_t *idle;
    OFFER(md, NOT_YET, 1, EV_P_RELEASE, 1, 0, 5, 0, 0, 0);
    OFFER(md, BROKEN, 1, EV_P_RELEASE, 1, 0, 3, 0, 0, 0);
    OFFER(md, BROKEN, 0, EV_P_RELEASE, 1, 0, 4, 0, 0, 0); /* M1 owns it */
    OFFER(md, BROKEN, 1, EV_P_ACQUIRE, 1, 0, 4, 0, 0, 0); /* it runs */
    OFFER(md, BROKEN, 1, EV_P_IDLE, 1, 0, 4, 2, 0, 0);
    OFFER(md, APPLIED, 1, EV_P_RELEASE, 1, 0, 4, 0, 0, 0);
    CHECK(model_p(md, 1)->status == P_IDLE && model_p(md, 1)->m == EV_NONE && model_m(md, 1)->p == EV_NONE);
    OFFER(md, BROKEN, 0, EV_P_ACQUIRE, 1, 0, 5, 0, 0, 0); /* M0 has one already */
    OFFER(md, NOT_YET, 1, EV_P_IDLE, 1, 0, 5, 3, 0, 0);
    OFFER(md, NOT_YET, 1, EV_P_IDLE, 1, 0, 6, 2, 0, 0);
    OFFER(md, APPLIED, 1, EV_P_IDLE, 1, 0, 5, 2, 0, 0);
    CHECK(model_idlep(md, &idle) == 1 && idle[0] == 1);
    OFFER(md, BROKEN, 1, EV_P_IDLE, 1, 0, 6, 3, 0, 0);
    OFFER(md, BROKEN, 1, EV_P_ACQUIRE, 1, 0, 6, 0, 0, 0); /* it is on the idle list */
    OFFER(md, BROKEN, 1, EV_P_TAKE, 0, 0, 2, 3, 0, 0);
    OFFER(md, NOT_YET, 1, EV_P_TAKE, 1, 0, 6, 4, 0, 0);
    OFFER(md, APPLIED, 1, EV_P_TAKE, 1, 0, 6, 3, 0, 0);
    OFFER(md, BROKEN, 1, EV_P_TAKE, 1, 0, 7, 4, 0, 0);
    OFFER(md, NOT_YET, 1, EV_P_ACQUIRE, 1, 0, 8, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_P_ACQUIRE, 1, 0, 7, 0, 0, 0);
    CHECK(model_p(md, 1)->status == P_RUNNING && model_p(md, 1)->m == 1 && model_m(md, 1)->p == 1);
    model_free(md);
}

TEST(syscall_back_to_the_old_p)
{
    struct model *md = boot2();
    OFFER(md, BROKEN, 1, EV_SYSCALL_ENTER, 1, 1, 3, 4, 0, 0);
    OFFER(md, NOT_YET, 0, EV_SYSCALL_ENTER, 0, 1, 3, 3, 0, 0);
    OFFER(md, NOT_YET, 0, EV_SYSCALL_ENTER, 0, 1, 4, 2, 0, 0);
    OFFER(md, BROKEN, 0, EV_SYSCALL_ENTER, 1, 1, 3, 4, 0, 0); /* not its P */
    OFFER(md, BROKEN, 1, EV_RETAKE, 0, 0, 2, RETAKE_LONG_SYSCALL, 0, 0);
    OFFER(md, APPLIED, 0, EV_SYSCALL_ENTER, 0, 1, 3, 2, 0, 0);
    CHECK(model_g(md, 1)->status == G_SYSCALL && model_g(md, 1)->place == PLACE_RUNNING && model_m(md, 0)->curg == 1);
    CHECK(model_p(md, 0)->status == P_SYSCALL && model_p(md, 0)->m == EV_NONE && model_m(md, 0)->p == EV_NONE);
    CHECK(model_m(md, 0)->oldp == 0 && model_m_doing(md, 0) == MD_SYSCALL);
    OFFER(md, NOT_YET, 0, EV_SYSCALL_EXIT, 0, 1, 4, 4, 1, EXITSYSCALL_OLD_P);
    OFFER(md, BROKEN, 0, EV_SYSCALL_EXIT, 0, 1, 4, 0, 1, EXITSYSCALL_OLD_P);
    OFFER(md, BROKEN, 0, EV_SYSCALL_EXIT, 0, 1, 4, 0, 0, EXITSYSCALL_IDLE_P); /* it has taken none */
    OFFER(md, BROKEN, 0, EV_SYSCALL_EXIT, NOP, 1, 4, 0, 0, 9);
    OFFER(md, APPLIED, 0, EV_SYSCALL_EXIT, 0, 1, 4, 3, 1, EXITSYSCALL_OLD_P);
    CHECK(model_g(md, 1)->status == G_RUNNING && model_p(md, 0)->status == P_RUNNING && model_p(md, 0)->m == 0);
    OFFER(md, BROKEN, 0, EV_SYSCALL_EXIT, 0, 1, 5, 4, 1, EXITSYSCALL_OLD_P);
    model_free(md);
}

TEST(syscall_with_retake)
{
    struct model *md = boot2();
    OFFER(md, APPLIED, 0, EV_SYSCALL_ENTER, 0, 1, 3, 2, 0, 0);
    OFFER(md, NOT_YET, 1, EV_RETAKE, 0, 0, 4, RETAKE_LONG_SYSCALL, 0, 0);
    OFFER(md, APPLIED, 1, EV_RETAKE, 0, 0, 3, RETAKE_LONG_SYSCALL, 0, 0);
    CHECK(model_p(md, 0)->status == P_IDLE && model_idlep(md, NULL) == 0);
    OFFER(md, BROKEN, 0, EV_SYSCALL_EXIT, 0, 1, 4, 4, 1, EXITSYSCALL_OLD_P);
    OFFER(md, APPLIED, 1, EV_P_IDLE, 0, 0, 4, 2, 0, 0);
    OFFER(md, APPLIED, 0, EV_P_TAKE, 0, 0, 5, 3, 0, 0);
    OFFER(md, APPLIED, 0, EV_P_ACQUIRE, 0, 0, 6, 0, 0, 0);
    OFFER(md, BROKEN, 0, EV_SYSCALL_EXIT, NOP, 1, 4, 0, 0, EXITSYSCALL_NO_P); /* it has one */
    OFFER(md, APPLIED, 0, EV_SYSCALL_EXIT, 0, 1, 4, 0, 0, EXITSYSCALL_IDLE_P);
    CHECK(model_g(md, 1)->status == G_RUNNING && model_p(md, 0)->seq == 6 && model_m(md, 0)->oldp == EV_NONE);
    model_free(md);
}

TEST(syscall_block_and_no_p)
{
    struct model *md = boot2();
    OFFER(md, BROKEN, 1, EV_SYSCALL_BLOCK, 1, 1, 3, 0, 0, 0);
    OFFER(md, NOT_YET, 0, EV_SYSCALL_BLOCK, 0, 1, 4, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_SYSCALL_BLOCK, 0, 1, 3, 0, 0, 0);
    CHECK(model_g(md, 1)->status == G_SYSCALL && model_p(md, 0)->status == P_RUNNING);
    OFFER(md, APPLIED, 0, EV_P_RELEASE, 0, 0, 2, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_SYSCALL_EXIT, NOP, 1, 4, 0, 0, EXITSYSCALL_NO_P);
    CHECK(model_g(md, 1)->status == G_RUNNABLE && model_m(md, 0)->transit[0] == 1 && model_m(md, 0)->curg == 0);
    CHECK_INT(model_p(md, 0)->seq, 2);
    model_free(md);
}

TEST(timers)
{
    struct model *md = boot2();
    static const struct {
        int64_t when;
        uint32_t g;
    } add[] = {{500, 1}, {100, 2}, {500, 3}, {-7, 4}, {500, 2}};
    offer_at(__LINE__, md, NOT_YET, 0, timer(EV_TIMER_ADD, 0, 1, 2, 0, 500));
    for (uint32_t i = 0; i < 5; i++)
        offer_at(__LINE__, md, APPLIED, 0, timer(EV_TIMER_ADD, 0, add[i].g, i + 1, 0, add[i].when));
    offer_at(__LINE__, md, BROKEN, 0, timer(EV_TIMER_ADD, 0, 1, 5, 0, 500));
    const struct model_p *p = model_p(md, 0);
    static const uint32_t order[] = {4, 2, 1, 2, 3};
    for (uint32_t i = 0; i < 5; i++)
        CHECK_INT(p->timers[i].g, order[i]);
    offer_at(__LINE__, md, NOT_YET, 1, timer(EV_TIMER_FIRE, 1, 4, 2, 1, -7)); /* on P1's heap, which has none yet */
    offer_at(__LINE__, md, NOT_YET, 1, timer(EV_TIMER_FIRE, 1, 4, 7, 0, -7));
    offer_at(__LINE__, md, BROKEN, 1, timer(EV_TIMER_FIRE, 1, 4, 6, 0, -8));
    offer_at(__LINE__, md, BROKEN, 1, timer(EV_TIMER_FIRE, 1, 5, 6, 0, -7));
    offer_at(__LINE__, md, BROKEN, 1, timer(EV_TIMER_FIRE, 1, 4, 5, 0, -7));
    offer_at(__LINE__, md, APPLIED, 1, timer(EV_TIMER_FIRE, 1, 4, 6, 0, -7));
    offer_at(__LINE__, md, BROKEN, 1, timer(EV_TIMER_FIRE, 1, 2, 7, 0, 500)); /* the one for 100 comes first */
    offer_at(__LINE__, md, APPLIED, 1, timer(EV_TIMER_FIRE, 1, 2, 7, 0, 100));
    offer_at(__LINE__, md, APPLIED, 1, timer(EV_TIMER_FIRE, 1, 2, 8, 0, 500)); /* any of the timers with the earliest
                                                                                * time */
    CHECK(p->ntimers == 2 && p->timers[0].g == 1 && p->timers[1].g == 3);
    CHECK_INT(p->timerseq, 8);
    CHECK_INT(model_p(md, 1)->timerseq, 0);
    model_free(md);
}

TEST(poller)
{
    struct model *md = boot2();
    OFFER(md, APPLIED, 1, EV_NETPOLL_WAIT, NOP, 0, 0, 0, 0, 0);
    CHECK_INT(model_m_doing(md, 1), MD_NETPOLL);
    OFFER(md, APPLIED, 0, EV_NETPOLL_BREAK, 0, 0, 0, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_NETPOLL_READY, NOP, 0, 0, 0, 0, 0);
    CHECK_INT(model_m_doing(md, 1), MD_SCHED);
    model_free(md);
}

/* Events that only inform: counted as events, and the state stays. */
TEST(events_that_change_nothing)
{
    static const int kinds[] = {EV_HANDOFF,     EV_FIND_STAGE,      EV_STEAL_TRY,  EV_RECHECK,       EV_TIMER_STEAL,
                                EV_SYSMON_TICK, EV_PREEMPT_REQUEST, EV_LOCK_WAIT,  EV_NETPOLL_BREAK, EV_GC_PHASE,
                                EV_GC_WORKER,   EV_GC_ASSIST,       EV_SAFE_POINT, EV_DEADLOCK,      EV_FATAL};
    struct model *md = boot2();
    struct snapshot before = {0}, after = {0};
    struct audit_result r = {0};
    CHECK(model_snapshot(md, &before));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        OFFER(md, NOT_YET, 5, kinds[i], 0, 1, 0, 0, 0, 0); /* no M5 yet */
        OFFER(md, APPLIED, 0, kinds[i], 0, 1, 0, 0, 0, 0);
    }
    CHECK(model_snapshot(md, &after));
    before.counts = after.counts; /* handoffs are counted */
    CHECK_INT(audit_compare(&before, &after, &r), 0);
    OFFER(md, BROKEN, 0, EV_KINDS, 0, 0, 0, 0, 0, 0);
    snapshot_fini(&before);
    snapshot_fini(&after);
    model_free(md);
}

TEST(output_ticket_and_g_lock_m)
{
    struct model *md = boot2();
    OFFER(md, NOT_YET, 0, EV_PRINT, 0, 1, 2, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_PRINT, 0, 1, 1, 0, 0, 0);
    OFFER(md, BROKEN, 0, EV_PRINT, 0, 1, 1, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_PROGRAM_END, 0, 0, ENDED_MAIN_RETURNED, 2, 0, 0);
    OFFER(md, APPLIED, 1, EV_PRINT, 1, 1, 3, 0, 0, 0); /* late: folded, but not written */
    OFFER(md, NOT_YET, 0, EV_G_LOCK_M, 0, 1, 4, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_LOCK_M, 0, 1, 3, 0, 0, 0);
    CHECK_INT(model_g(md, 1)->seq, 3);
    model_free(md);
}

TEST(tickets_wrap)
{
    struct model *md = boot();
    g_mut(md, 1)->seq = UINT32_MAX;
    OFFER(md, NOT_YET, 0, EV_G_PARK, 0, 1, 1, WAIT_REASON_SLEEP, 0, 0);
    OFFER(md, BROKEN, 0, EV_G_PARK, 0, 1, UINT32_MAX, WAIT_REASON_SLEEP, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_PARK, 0, 1, 0, WAIT_REASON_SLEEP, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_READY, 0, 1, 1, 0, 0, 0);
    model_free(md);
}

/* A million Gs that start and end: they stay known, and a snapshot has only the living ones. */
TEST(many_gs)
{
    struct model *md = boot();
    struct snapshot s = {0};
    uint32_t n = (uint32_t)t_count(100000, 1000000), slot = 0;
    struct ev e = make(0, EV_G_PARK, 0, 1, 3, WAIT_REASON_SLEEP, 0, 0);
    CHECK_INT(model_offer(md, 0, &e, NULL, 0), APPLIED);
    for (uint32_t g = 2; g < n; g++, slot++) {
        const struct ev life[] = {
            make(0, EV_G_CREATE, 0, g, 1, 0, 0, 0), make(0, EV_RUNQ_PUT, 0, g, slot, 0, 0, 0), make(0, EV_RUNQ_GET, 0, g, slot, 0, 0, 0),
            make(0, EV_G_START, 0, g, 2, 0, 0, 0), make(0, EV_G_END, 0, g, 3, 0, 0, 0)};
        for (int i = 0; i < 5; i++)
            CHECK_INT(model_offer(md, 0, &life[i], NULL, 0), APPLIED);
    }
    CHECK_INT(model_g(md, n / 2)->status, G_DEAD);
    CHECK_INT(model_count_g(md, G_DEAD), n - 2);
    CHECK(model_snapshot(md, &s));
    CHECK(s.ng == 1 && s.g[0].id == 1);
    snapshot_fini(&s);
    model_free(md);
}

/* ---- copies of a great many ---- */

enum { COPIES = 6 };

/* Each G from `from` on is created, runs and ends; the last one stays in the ring. */
static uint32_t lives(struct model *md, uint32_t from, uint32_t to, uint32_t slot)
{
    for (uint32_t g = from; g < to; g++, slot++) {
        const struct ev life[] = {
            make(0, EV_G_CREATE, 0, g, 1, 7, g * 3, 0), make(0, EV_RUNQ_PUT, 0, g, slot, 0, 0, 0),
            make(0, EV_RUNQ_GET, 0, g, slot, 0, 0, 0), make(0, EV_G_START, 0, g, 2, 0, 0, 0), make(0, EV_G_END, 0, g, 3, 0, 0, 0)};
        for (int i = 0; i < (g + 1 < to ? 5 : 2); i++)
            CHECK_INT(model_offer(md, 0, &life[i], NULL, 0), APPLIED);
    }
    return slot - 1;
}

/* Checks that the model knows Gs up to `last` and none after it, that only the first and the last of them live, and
 * that it has all details of those that ended last. */
static void check_lives(const struct model *md, uint32_t last)
{
    struct snapshot s = {0};
    for (uint32_t g = 2; g <= last; g++) {
        const struct model_g *found = model_g(md, g);
        CHECK(found && found->status == (g == last ? G_RUNNABLE : G_DEAD));
        CHECK(found->i == g * 3 || (found->fn == MODEL_FORGOTTEN && last - g > (ENDED_PAGES - 1) * GPAGE));
    }
    CHECK(!model_g(md, last + 1) && !model_g(md, UINT32_MAX) && !model_g(md, 0));
    CHECK(model_snapshot(md, &s));
    CHECK(s.ng == 2 && s.g[0].id == 1 && s.g[1].id == last);
    snapshot_fini(&s);
}

static void last_ends(struct model *md, uint32_t g, uint32_t slot)
{
    OFFER(md, APPLIED, 0, EV_RUNQ_GET, 0, g, slot, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_START, 0, g, 2, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_END, 0, g, 3, 0, 0, 0);
}

/* Copies are taken where the tree of pages has one level, two and three (64 Gs a page, 64 pages a node). Each stays
 * as it was, holds little that the one before does not, may itself be copied and folded on, and can be freed in any
 * order. */
TEST(copies_of_a_great_many)
{
    static const uint32_t last[COPIES] = {5, 4000, 4100, 9000, 262000, 263000};
    struct model *md = boot(), *copy[COPIES], *second = NULL;
    uint32_t slot = 0, from = 2, at_second = 0;
    OFFER(md, APPLIED, 0, EV_G_PARK, 0, 1, 3, WAIT_REASON_SLEEP, 0, 0);
    for (int i = 0; i < COPIES; i++) {
        slot = lives(md, from, last[i] + 1, slot);
        CHECK(copy[i] = model_clone(md));
        if (i == 2) {
            second = model_clone(copy[i]);
            at_second = slot;
        }
        last_ends(md, last[i], slot++);
        from = last[i] + 1;
    }
    CHECK(model_bytes(copy[5], copy[4]) < model_bytes(copy[5], NULL) / 8); /* 1,000 of the 16,384 Gs with details, and the nodes above */
    CHECK_INT(model_bytes(second, copy[2]), model_bytes(second, second));  /* they share all */
    model_free(md);
    last_ends(second, last[2], at_second);
    lives(second, last[2] + 1, 5001, at_second + 1);
    static const int order[COPIES] = {2, 5, 0, 1, 4, 3};
    for (int i = 0; i < COPIES; i++) {
        check_lives(copy[order[i]], last[order[i]]);
        model_free(copy[order[i]]);
    }
    check_lives(second, 5000);
    model_free(second);
}

/* Memory does not grow with ended Gs: four times as many cost less than one more byte each, with and without clones
 * (a G takes 48). Gs that live or ended lately keep their details; an event about a G whose details are gone is
 * broken. */
TEST(ended_gs_take_no_memory)
{
    const uint32_t n = (uint32_t)t_count(100000, 1000000);
    for (int copies = 0; copies < 2; copies++) {
        struct model *md = boot();
        uint64_t bytes[2];
        uint32_t slot = 0, from = 2;
        OFFER(md, APPLIED, 0, EV_G_PARK, 0, 1, 3, WAIT_REASON_SLEEP, 0, 0);
        for (int i = 0; i < 2; i++) {
            uint32_t last = i ? 4 * n : n;
            while (from <= last) {
                uint32_t to = from + 4999 < last ? from + 4999 : last;
                slot = lives(md, from, to + 1, slot);
                if (copies)
                    model_free(model_clone(md));
                last_ends(md, to, slot++);
                from = to + 1;
            }
            bytes[i] = model_bytes(md, NULL);
        }
        CHECK(bytes[1] - bytes[0] < 3 * n);
        CHECK(model_g(md, 1)->status == G_WAITING && model_g(md, 2)->i == 6); /* their page has a live G */
        CHECK(model_g(md, GPAGE)->status == G_DEAD && model_g(md, GPAGE)->fn == MODEL_FORGOTTEN);
        CHECK(model_g(md, 4 * n)->i == 4 * n * 3 && !model_g(md, 4 * n + 1));
        CHECK_STR(model_fn_name(md, GPAGE), "");
        OFFER(md, BROKEN, 0, EV_G_READY, 0, GPAGE, 4, 0, 0, 0);
        OFFER(md, BROKEN, 0, EV_G_CREATE, 0, GPAGE, 1, 0, 0, 0);
        CHECK(!md->oom);
        model_free(md);
    }
}

/* The fold compares them as 32-bit words. */
TEST(tickets_are_whole_words)
{
    for (int kind = 0; kind < EV_KINDS; kind++)
        for (int i = 0; i < EV_FIELDS && ev_desc[kind].field[i].name; i++) {
            const struct ev_field *f = &ev_desc[kind].field[i];
            CHECK(!EV_IS_SEQ(f->type) || (f->word <= W_D && f->shift == 0 && f->bits == 32));
        }
}
