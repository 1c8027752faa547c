/* The audit: equal snapshots have no mismatch; a change of one field is reported once, as that field of that P, G or
 * M. */
#include "engine/audit.h"
#include "t.h"

#include <string.h>

/* Two Ps, four Gs (one in each interesting place), three Ms. */
static void fill(struct snapshot *s)
{
    static const struct snap_g gs[] = {
        {.id = 1, .status = G_RUNNING, .place = PLACE_RUNNING},
        {.id = 2, .status = G_RUNNABLE, .place = PLACE_RUNQ, .slot = 7, .fn = 3, .i = 5, .by = 1},
        {.id = 4, .status = G_WAITING, .reason = WAIT_REASON_CHAN_RECEIVE, .place = PLACE_WAITING, .obj = 12},
        {.id = 9, .status = G_RUNNABLE, .place = PLACE_GLOBQ}};
    *s = (struct snapshot){.np = 2, .ng = 4, .nm = 3, .nglobq = 1, .nidlep = 1, .nidlem = 1, .ndisabled = 1, .nmspinning = 1, .npidle = 1};
    s->p = snapshot_alloc(s, 2, sizeof *s->p);
    s->g = snapshot_alloc(s, 4, sizeof *s->g);
    s->m = snapshot_alloc(s, 3, sizeof *s->m);
    s->globq = snapshot_alloc(s, 1, sizeof(uint32_t));
    s->idlep = snapshot_alloc(s, 1, sizeof(uint32_t));
    s->idlem = snapshot_alloc(s, 1, sizeof(uint32_t));
    s->disabled = snapshot_alloc(s, 1, sizeof(uint32_t));
    CHECK(s->p && s->g && s->m && s->globq && s->idlep && s->idlem && s->disabled);
    memcpy(s->g, gs, sizeof gs);
    s->globq[0] = 9;
    s->idlep[0] = 1;
    s->idlem[0] = 2;
    s->disabled[0] = 5;
    s->m[0] = (struct snap_m){.p = 0, .curg = 1, .oldp = EV_NONE};
    s->m[1] = s->m[2] = (struct snap_m){.p = EV_NONE, .oldp = EV_NONE};
    s->p[0] = (struct snap_p){.status = P_RUNNING, .m = 0, .head = 7, .tail = 8, .schedtick = 61, .ntimers = 1};
    s->p[0].ring = snapshot_alloc(s, 1, sizeof(uint32_t));
    s->p[0].timers = snapshot_alloc(s, 1, sizeof(struct snap_timer));
    CHECK(s->p[0].ring && s->p[0].timers);
    s->p[0].ring[0] = 2;
    s->p[0].timers[0] = (struct snap_timer){.when = 5000, .g = 4, .what = TIMER_WAKE};
    s->p[1] = (struct snap_p){.status = P_IDLE, .m = EV_NONE, .head = 3, .tail = 3};
}

static struct snapshot rt, md;
static struct audit_result result;

static void start(void)
{
    fill(&rt);
    fill(&md);
    result = (struct audit_result){0};
}

static void end(void)
{
    snapshot_fini(&rt);
    snapshot_fini(&md);
}

/* Checks that there is exactly one mismatch, whose text begins so. */
static void is_reported(int line, const char *text)
{
    uint64_t n = audit_compare(&rt, &md, &result);
    if (n != 1 || strncmp(result.first, text, strlen(text)) != 0)
        t_fail(__FILE__, line, "%u mismatches, wanted \"%s\", first: %s", (unsigned)n, text, result.first);
}
#define REPORTED(text) is_reported(__LINE__, text)

TEST(equal_snapshots)
{
    start();
    CHECK_INT(audit_compare(&rt, &md, &result), 0);
    CHECK_INT(audit_compare(&rt, &md, &result), 0);
    CHECK_INT(result.compared, 2);
    CHECK_INT(result.mismatches, 0);
    CHECK_STR(result.first, "");
    end();
}

TEST(empty_snapshots)
{
    struct snapshot a = {0}, b = {0};
    CHECK_INT(audit_compare(&a, &b, &result), 0);
}

TEST(every_field_has_a_name)
{
    for (int f = 0; f < AUDIT_COUNT; f++)
        CHECK(audit_field_name[f] && audit_field_name[f][0]);
}

/* CHANGE(test name, what is changed in the model's snapshot, how the message begins) */
#define CHANGE(name, change, text) \
    TEST(name) \
    { \
        start(); \
        change; \
        REPORTED(text); \
        end(); \
    }
CHANGE(p_status, md.p[1].status = P_SYSCALL, "P status of P1: the runtime has 0, the model 2")
CHANGE(p_m, md.p[0].m = EV_NONE, "P m of P0: the runtime has 0, the model -1")
CHANGE(p_head, md.p[1].head = 2, "P head of P1: the runtime has 3, the model 2")
CHANGE(p_tail, md.p[0].tail = 7, "P tail of P0: the runtime has 8, the model 7")
CHANGE(p_ring, md.p[0].ring[0] = 4, "P ring of P0: the runtime has 1 long, from 0: 2, the model 1 long, from 0: 4")
CHANGE(p_runnext, md.p[0].runnext = 2, "P runnext of P0: the runtime has 0, the model 2")
CHANGE(p_schedtick, md.p[0].schedtick = 60, "P schedtick of P0: the runtime has 61, the model 60")
CHANGE(p_timer_when, md.p[0].timers[0].when = 4999, "P timers of P0: ")
CHANGE(p_timer_g, md.p[0].timers[0].g = 1, "P timers of P0: ")
CHANGE(p_timers, md.p[0].ntimers = 0, "P timers of P0: the runtime has 1 of them, the 1. is G4's for 5000, the model 0 of them")
CHANGE(globq, md.globq[0] = 2, "global queue: the runtime has 1 long, from 0: 9, the model 1 long, from 0: 2")
CHANGE(globq_length, md.nglobq = 0, "global queue: ")
CHANGE(idlep, md.idlep[0] = 0, "idle Ps: ")
CHANGE(idlem, md.nidlem = 0, "idle Ms: ")
CHANGE(nmspinning, md.nmspinning = 0, "nmspinning: the runtime has 1, the model 0")
CHANGE(needspinning, md.needspinning = true, "needspinning: the runtime has 0, the model 1")
CHANGE(npidle, md.npidle = 2, "npidle: the runtime has 1, the model 2")
CHANGE(g_status, md.g[1].status = G_RUNNING, "G status of G2: the runtime has 1, the model 2")
CHANGE(g_place, md.g[1].place = PLACE_IN_TRANSIT, "G place of G2: the runtime has runq, where 0, slot 7, the model in transit")
CHANGE(g_where, md.g[0].where = 1, "G place of G1: ")
CHANGE(g_slot, md.g[1].slot = 8, "G place of G2: ")
CHANGE(g_globq_slot, md.g[3].slot = 1, "G place of G9: ")
CHANGE(g_reason, md.g[2].reason = WAIT_REASON_SLEEP, "G reason of G4: the runtime has 1, the model 6")
CHANGE(g_missing, md.ng = 3, "G status of G9: the runtime has 1, the model not there")
CHANGE(g_too_many, rt.ng = 3, "G status of G9: the runtime has not there, the model 1")
CHANGE(m_p, md.m[1].p = 1, "M p of M1: the runtime has -1, the model 1")
CHANGE(m_curg, md.m[0].curg = 0, "M curg of M0: the runtime has 1, the model 0")
CHANGE(m_spinning, md.m[1].spinning = true, "M spinning of M1: the runtime has 0, the model 1")
CHANGE(m_blocked, rt.m[2].blocked = true, "M blocked of M2: the runtime has 1, the model 0")
CHANGE(disabled, md.disabled[0] = 6, "disabled Gs: the runtime has 1 long, from 0: 5, the model 1 long, from 0: 6")
CHANGE(g_obj, md.g[2].obj = 11, "G obj of G4: the runtime has 12, the model 11")
CHANGE(g_fn, md.g[1].fn = 0, "G fn of G2: the runtime has 3, the model 0")
CHANGE(g_i, md.g[1].i = 4, "G i of G2: the runtime has 5, the model 4")
CHANGE(g_by, md.g[1].by = 4, "G by of G2: the runtime has 1, the model 4")
CHANGE(m_oldp, rt.m[1].oldp = 0, "M oldp of M1: the runtime has 0, the model -1")
CHANGE(m_netpoll, md.m[1].netpoll = true, "M netpoll of M1: the runtime has 0, the model 1")
CHANGE(m_sysmon, rt.m[1].sysmon = true, "M sysmon of M1: the runtime has 1, the model 0")
CHANGE(m_template, rt.m[2].template = true, "M template of M2: the runtime has 1, the model 0")
CHANGE(m_exited, md.m[2].exited = true, "M exited of M2: the runtime has 0, the model 1")
CHANGE(m_lockedg, md.m[0].lockedg = 1, "M lockedg of M0: the runtime has 0, the model 1")
CHANGE(m_idlelocked, rt.m[2].idlelocked = -1, "M idlelocked of M2: the runtime has -1, the model 0")
CHANGE(counters, md.counts.stolen = 1, "counter stolen: the runtime has 0, the model 1")
CHANGE(fewer_ps, md.np = 1, "number of Ps: the runtime has 2, the model 1")
CHANGE(fewer_ms, md.nm = 2, "number of Ms: the runtime has 3, the model 2")

/* The levels of the history are those of the runtime's Gs and Ms. */
TEST(levels)
{
    start();
    CHECK(audit_levels(&rt, (const uint32_t[LEVELS]){2, 1, 0, 1, 1, 1}, &result));
    CHECK(!audit_levels(&rt, (const uint32_t[LEVELS]){2, 1, 0, 1, 1, 2}, &result));
    CHECK_INT(result.mismatches, 1);
    CHECK_STR(result.first, "idle Ms: the runtime has 1, the model 2");
    end();
}

/* Fields that mean nothing in a place are not compared. */
TEST(only_meaningful_fields_are_compared)
{
    start();
    md.g[2].where = 5;                  /* a waiting G is nowhere */
    md.g[0].slot = 3;                   /* a running G has no slot */
    md.g[1].reason = WAIT_REASON_SLEEP; /* a runnable G does not wait, either */
    md.g[1].obj = 3;
    CHECK_INT(audit_compare(&rt, &md, &result), 0);
    end();
}

TEST(mismatches_add_up_and_the_first_stays)
{
    start();
    md.m[0].curg = 0;
    md.m[1].blocked = true;
    CHECK_INT(audit_compare(&rt, &md, &result), 2);
    md.p[0].status = P_IDLE;
    CHECK_INT(audit_compare(&rt, &md, &result), 3);
    CHECK_INT(result.compared, 2);
    CHECK_INT(result.mismatches, 5);
    CHECK_STR(result.first, "M curg of M0: the runtime has 1, the model 0");
    end();
}

/* Long lists are cut, and the buffer does not overflow. */
TEST(long_lists)
{
    start();
    rt.nglobq = md.nglobq = 1000;
    rt.globq = snapshot_alloc(&rt, 1000, sizeof(uint32_t));
    md.globq = snapshot_alloc(&md, 1000, sizeof(uint32_t));
    CHECK(rt.globq && md.globq);
    for (uint32_t i = 0; i < 1000; i++)
        rt.globq[i] = md.globq[i] = UINT32_MAX - i;
    rt.globq[500] = 1;
    REPORTED("global queue: the runtime has 1000 long, from 500: 1 4294966794");
    CHECK(strlen(result.first) < sizeof result.first);
    end();
}
