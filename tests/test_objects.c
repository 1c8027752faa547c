/* Channels, mutexes … in the model: what object events say, who waits in which order, and the panes that show it. On the real runtime, the model agrees
 * with its memory, and a run with object events has the same course as one without. */
#include "engine/engine.h"
#include "model/model_internal.h"
#include "load.h"
#include "story.h"

#include <stdlib.h>

#define OBJECT(kind_, id_) ((struct ev_object){OBJ_##kind_, id_})

static const char *const channels[] = {"jobs", "done"}, *const mutexes[] = {"mu"}, *const rwmutexes[] = {"rw"},
                         *const waitgroups[] = {"wg"}, *const conds[] = {"cv"}, *const conns[] = {"c[0]", "c[1]"};
static const uint32_t caps[] = {4, 0};
static const struct model_objects names = {
    .of = {[OBJ_CHAN] = {channels, caps, 2},
           [OBJ_MUTEX] = {mutexes, NULL, 1},
           [OBJ_RWMUTEX] = {rwmutexes, NULL, 1},
           [OBJ_WAITGROUP] = {waitgroups, NULL, 1},
           [OBJ_COND] = {conds, NULL, 1},
           [OBJ_CONN] = {conns, NULL, 2}}};

/* As story_new(), with objects. */
static struct story *story_of_objects(void)
{
    struct story *s = story_new(1, 8);
    s->md->cfg.objects = names;
    spawn(s, 6);
    return s;
}

/* G1 parks; then the G that is first in the queue of P0 runs. */
static void waits(struct story *s, uint32_t g, uint32_t seq, uint32_t reason, uint32_t obj, uint32_t holder, uint32_t next, uint32_t slot)
{
    EVENT(G_PARK, 0, 0, .g = g, .a = seq, .b = reason, .c = obj, .d = holder);
    EVENT(RUNQ_GET, 0, 0, .g = next, .a = slot);
    EVENT(G_START, 0, 0, .g = next, .a = 2);
}

/* A program makes its objects: the number says the name. */
TEST(objects_that_a_program_makes)
{
    static const char *const made[] = {"", "jobs", "c.done"};
    struct story *s = story_of_objects();
    char name[OBJECT_NAME];
    s->md->cfg.objects = (struct model_objects){.of = {[OBJ_CHAN] = {made, NULL, 3}}, .made = true};
    CHECK_STR(model_object_name(s->md, OBJECT(CHAN, 2), name), "jobs");
    CHECK_STR(model_object_name(s->md, OBJECT(CHAN, 5), name), "jobs#2");
    CHECK_STR(model_object_name(s->md, OBJECT(CHAN, 9), name), "c.done#3");
    CHECK_STR(model_object_name(s->md, OBJECT(CHAN, 4), name), "2");
    CHECK(!model_object_is(s->md, OBJECT(CHAN, 5)));
    EVENT(CHAN_OP, 0, 0, .g = 1, .a = 5, .b = CHAN_OP_MAKE, .c = 7);
    CHECK(model_object_is(s->md, OBJECT(CHAN, 5)));
    CHECK(!model_object_is(s->md, OBJECT(CHAN, 2)));
    CHECK_INT(model_object_cap(s->md, OBJECT(CHAN, 5)), 7);
    CHECK_INT(model_object(s->md, OBJECT(CHAN, 5)).n, 0);
    story_free(s);
}

static const char *sentence(const struct story *s, int lang)
{
    static char buf[200];
    const struct session_event *e = &s->ev[s->n - 1];
    event_sentence(s->md, e->m, &e->ev, NULL, 0, lang, buf, sizeof buf);
    return buf;
}

TEST(a_channel_has_a_buffer_and_is_closed)
{
    struct story *s = story_of_objects();
    EVENT(CHAN_OP, 0, 0, .g = 1, .a = 1, .b = CHAN_OP_PUT, .c = 1, .d = 1);
    CHECK_STR(sentence(s, 0), "G1 puts a value into channel jobs, which holds 1 now.");
    EVENT(CHAN_OP, 0, 0, .g = 1, .a = 1, .b = CHAN_OP_PUT, .c = 3, .d = 3);
    EVENT(CHAN_OP, 0, 0, .g = 1, .a = 1, .b = CHAN_OP_PUT, .c = 2, .d = 2); /* comes too late: nothing changes */
    CHECK_INT(model_object(s->md, OBJECT(CHAN, 1)).n, 3);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_waiting, W, H));
    HAS_ROW(&p, "jobs", "chan 3/4", "■■■·");
    HAS_ROW(&p, "done", "chan", "unbuffered");
    picture_fini(&p);
    EVENT(CHAN_OP, 0, 0, .g = 1, .a = 1, .b = CHAN_OP_CLOSE, .c = 3, .d = 4);
    v = view_of(s);
    p = look(&v, at(PANE_waiting, W, H));
    HAS_ROW(&p, "jobs", "chan 3/4", "closed");
    picture_fini(&p);
    story_free(s);
}

TEST(senders_and_receivers_queue_in_the_order_in_which_they_came)
{
    struct story *s = story_of_objects();
    waits(s, 1, 3, WAIT_REASON_CHAN_SEND, 1, 0, 2, 0);
    waits(s, 2, 3, WAIT_REASON_CHAN_RECEIVE, 2, 0, 3, 1);
    waits(s, 3, 3, WAIT_REASON_CHAN_SEND, 1, 0, 4, 2);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_waiting, W, H));
    HAS_ROW(&p, "Waiting ─ 3");
    HAS_ROW(&p, "jobs", "send", "◀ G1 G3");
    HAS_ROW(&p, "done", "recv", "◀ G2");
    picture_fini(&p);
    story_free(s);
}

TEST(a_mutex_has_a_holder_and_may_starve)
{
    struct story *s = story_of_objects();
    EVENT(MUTEX_OP, 0, 0, .g = 1, .a = 1, .b = MUTEX_OP_LOCK, .d = 1);
    CHECK_STR(sentence(s, 0), "G1 locks mutex mu.");
    waits(s, 1, 3, WAIT_REASON_SLEEP, 0, 0, 2, 0);
    EVENT(G_PARK, 0, 0, .g = 2, .a = 3, .b = WAIT_REASON_MUTEX_LOCK, .c = 1, .d = 1);
    CHECK_STR(sentence(s, 0), "G2 waits for mutex mu, held by G1.");
    CHECK_STR(sentence(s, 1), "G2 等待互斥锁 mu，它由 G1 持有。");
    EVENT(RUNQ_GET, 0, 0, .g = 3, .a = 1);
    EVENT(G_START, 0, 0, .g = 3, .a = 2);
    EVENT(MUTEX_OP, 0, 0, .g = 3, .a = 1, .b = MUTEX_OP_STARVE);
    waits(s, 3, 3, WAIT_REASON_MUTEX_LOCK | 1 << 16, 1, 1, 4, 2); /* in front of the queue */
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_waiting, W, H));
    HAS_ROW(&p, "mu", "mutex", "held by G1, 100 ns", "starving", "◀ G3 G2");
    HAS_ROW(&p, "for its timer", "◀ G1");
    picture_fini(&p);
    EVENT(MUTEX_OP, 0, 0, .g = 1, .a = 1, .b = MUTEX_OP_UNLOCK, .d = 1);
    EVENT(MUTEX_OP, 0, 0, .g = 3, .a = 1, .b = MUTEX_OP_NORMAL);
    v = view_of(s);
    p = look(&v, at(PANE_waiting, W, H));
    HAS_ROW(&p, "mu", "mutex", "free");
    CHECK(!anywhere(&p, "starving"));
    picture_fini(&p);
    story_free(s);
}

/* In free mode the event of the next holder may be folded before the previous holder's unlock. */
TEST(the_next_holder_may_be_heard_of_first)
{
    struct story *s = story_of_objects();
    EVENT(MUTEX_OP, 0, 0, .g = 1, .a = 1, .b = MUTEX_OP_LOCK, .d = 1);
    EVENT(MUTEX_OP, 0, 0, .g = 2, .a = 1, .b = MUTEX_OP_LOCK, .d = 2);
    EVENT(MUTEX_OP, 0, 0, .g = 1, .a = 1, .b = MUTEX_OP_UNLOCK, .d = 1);
    CHECK_INT(model_object(s->md, OBJECT(MUTEX, 1)).holder, 2);
    CHECK_INT(model_object(s->md, OBJECT(MUTEX, 1)).held, 1);
    EVENT(MUTEX_OP, 0, 0, .g = 2, .a = 1, .b = MUTEX_OP_UNLOCK, .d = 2);
    CHECK_INT(model_object(s->md, OBJECT(MUTEX, 1)).holder, 0);
    story_free(s);
}

TEST(an_rwmutex_has_readers_and_writers)
{
    struct story *s = story_of_objects();
    EVENT(RWMUTEX_OP, 0, 0, .g = 1, .a = 1, .b = RWMUTEX_OP_RLOCK);
    waits(s, 1, 3, WAIT_REASON_SLEEP, 0, 0, 2, 0);
    EVENT(MUTEX_OP, 0, 0, .g = 2, .a = EV_WRITERS + 1, .b = MUTEX_OP_LOCK, .d = 1);
    CHECK_STR(sentence(s, 0), "G2 locks mutex rw.w.");
    EVENT(RWMUTEX_OP, 0, 0, .g = 2, .a = 1, .b = RWMUTEX_OP_LOCK);
    waits(s, 2, 3, WAIT_REASON_RWMUTEX_LOCK, 1, 0, 3, 1);
    EVENT(RWMUTEX_OP, 0, 0, .g = 3, .a = 1, .b = RWMUTEX_OP_RLOCK);
    EVENT(G_PARK, 0, 0, .g = 3, .a = 3, .b = WAIT_REASON_RWMUTEX_RLOCK, .c = 1, .d = 2);
    CHECK_STR(sentence(s, 0), "G3 waits to read-lock RWMutex rw; its writer is G2.");
    EVENT(RUNQ_GET, 0, 0, .g = 4, .a = 2);
    EVENT(G_START, 0, 0, .g = 4, .a = 2);
    waits(s, 4, 3, WAIT_REASON_MUTEX_LOCK, EV_WRITERS + 1, 2, 5, 3);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_waiting, W, H));
    HAS_ROW(&p, "rw", "RWMutex", "1 reading", "read ◀ G3", "write ◀ G2", "write ◀ G4");
    picture_fini(&p);
    story_free(s);
}

TEST(a_waitgroup_counts)
{
    struct story *s = story_of_objects();
    EVENT(WAITGROUP_OP, 0, 0, .g = 1, .a = 1, .b = 5, .c = 5);
    EVENT(WAITGROUP_OP, 0, 0, .g = 1, .a = 1, .b = (uint32_t)-1, .c = 4);
    CHECK_STR(sentence(s, 0), "G1 adds -1 to WaitGroup wg, which counts 4 now.");
    EVENT(G_PARK, 0, 0, .g = 1, .a = 3, .b = WAIT_REASON_SEMACQUIRE, .c = 1);
    CHECK_STR(sentence(s, 0), "G1 waits for WaitGroup wg.");
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_waiting, W, H));
    HAS_ROW(&p, "wg", "WaitGroup", "4 to go", "◀ G1");
    picture_fini(&p);
    story_free(s);
}

/* No event is about a Cond of a Go program before its first Signal. */
TEST(a_cond_that_a_program_made_has_a_row_for_those_that_wait)
{
    static const char *const made[] = {"", "q.cond"};
    struct story *s = story_of_objects();
    s->md->cfg.objects = (struct model_objects){.of = {[OBJ_COND] = {made, NULL, 2}}, .made = true};
    waits(s, 1, 3, WAIT_REASON_COND_WAIT, 4, 0, 2, 0);
    waits(s, 2, 3, WAIT_REASON_COND_WAIT, 4, 0, 3, 1);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_waiting, W, H));
    HAS_ROW(&p, "q.cond#2", "Cond", "◀ G1 G2");
    picture_fini(&p);
    story_free(s);
}

TEST(a_cond_and_a_conn_have_queues)
{
    struct story *s = story_of_objects();
    EVENT(CONN_OP, 0, 0, .g = 1, .a = 2, .b = CONN_OP_WRITE | CONN_END_B << 16, .c = 100);
    EVENT(CONN_OP, 0, 0, .g = 1, .a = 2, .b = CONN_OP_READ | CONN_END_B << 16, .c = 40);
    waits(s, 1, 3, WAIT_REASON_COND_WAIT, 1, 0, 2, 0);
    EVENT(G_PARK, 0, 0, .g = 2, .a = 3, .b = WAIT_REASON_SEMACQUIRE, .c = EV_FD_MUTEX + 1);
    CHECK_STR(sentence(s, 0), "G2 waits for conn c[0].");
    EVENT(RUNQ_GET, 0, 0, .g = 3, .a = 1);
    EVENT(G_START, 0, 0, .g = 3, .a = 2);
    waits(s, 3, 3, WAIT_REASON_IO_WAIT, 2, 0, 4, 2);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_waiting, W, H));
    HAS_ROW(&p, "cv", "Cond", "◀ G1");
    HAS_ROW(&p, "c[0]", "conn", "a→b 0 B  b→a 0 B", "◀ G2");
    HAS_ROW(&p, "c[1]", "conn", "a→b 0 B  b→a 60 B", "◀ G3");
    picture_fini(&p);
    story_free(s);
}

TEST(a_g_in_a_select_is_in_the_queue_of_each_case)
{
    struct story *s = story_of_objects();
    EVENT(SELECT_CASE, 0, 0, .g = 1, .a = 2, .b = SELECT_OP_RECV);
    EVENT(SELECT_CASE, 0, 0, .g = 1, .a = 1, .b = SELECT_OP_SEND);
    CHECK_STR(sentence(s, 0), "G1 waits in a select to send on channel jobs.");
    waits(s, 1, 3, WAIT_REASON_SELECT, 0, 0, 2, 0);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_waiting, W, H));
    HAS_ROW(&p, "jobs", "send ◀ G1");
    HAS_ROW(&p, "done", "recv ◀ G1");
    HAS_ROW(&p, "in a select", "◀ G1");
    picture_fini(&p);
    EVENT(G_READY, 0, 0, .g = 1, .a = 4, .b = 2);
    v = view_of(s);
    p = look(&v, at(PANE_waiting, W, H));
    CHECK(!anywhere(&p, "◀"));
    picture_fini(&p);
    story_free(s);
}

/* A narrow row gives its free columns to names. The first of each queue always has its name. */
TEST(a_narrow_row_names_who_waits)
{
    struct story *s = story_of_objects();
    EVENT(RWMUTEX_OP, 0, 0, .g = 1, .a = 1, .b = RWMUTEX_OP_RLOCK);
    waits(s, 1, 3, WAIT_REASON_RWMUTEX_LOCK, 1, 0, 2, 0);
    waits(s, 2, 3, WAIT_REASON_RWMUTEX_RLOCK, 1, 0, 3, 1);
    waits(s, 3, 3, WAIT_REASON_RWMUTEX_RLOCK, 1, 0, 4, 2);
    waits(s, 4, 3, WAIT_REASON_CHAN_SEND, 2, 0, 5, 3);
    waits(s, 5, 3, WAIT_REASON_RWMUTEX_RLOCK, 1, 0, 6, 4);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_waiting, 48, H));
    HAS_ROW(&p, "rw", "RWMutex   … read ◀ G2 +2  write ◀ G1");
    HAS_ROW(&p, "done", "unbuffered       send ◀ G4");
    picture_fini(&p);
    p = look(&v, at(PANE_waiting, 36, H));
    HAS_ROW(&p, "rw", "read ◀ G2 +2  write ◀ G1");
    HAS_ROW(&p, "done", "unb… send ◀ G4");
    picture_fini(&p);
    story_free(s);
}

/* The parts of the count line add up to all Gs. */
TEST(no_g_leaves_the_picture)
{
    struct story *s = story_of_objects();
    waits(s, 1, 3, WAIT_REASON_CHAN_SEND, 1, 0, 2, 0);
    EVENT(G_END, 0, 0, .g = 2, .a = 3);
    EVENT(G_CREATE, 0, 0, .g = 8, .a = 0, .b = 1);
    EVENT(RUNQ_GET, 0, 0, .g = 3, .a = 1);
    EVENT(G_START, 0, 0, .g = 3, .a = 2);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_population, W, 1));
    HAS_ROW(&p, "8 Gs = 1 running + 4 queued + 1 in transit + 0 in a syscall + 1 waiting + 1 dead");
    picture_fini(&p);
    p = look(&v, at(PANE_population, 70, 1));
    HAS_ROW(&p, "8 Gs = 1 running + 4 queued + 1 in transit + 1 waiting + 1 dead");
    picture_fini(&p);
    p = look(&v, at(PANE_population, 60, 1));
    HAS_ROW(&p, "8 Gs: 1 running, 4 queued, 1 transit, 1 waiting, 1 dead");
    picture_fini(&p);
    p = look(&v, at(PANE_waiting, 40, 8)); /* in two rows */
    HAS_ROW(&p, "8 Gs: 1 running, 4 queued,");
    HAS_ROW(&p, "│ 1 transit, 1 waiting, 1 dead");
    picture_fini(&p);
    p = look(&v, at(PANE_waiting, 28, 8)); /* in three */
    HAS_ROW(&p, "8 Gs: 1 running,");
    HAS_ROW(&p, "│ 4 queued, 1 transit,");
    HAS_ROW(&p, "│ 1 waiting, 1 dead");
    picture_fini(&p);
    p = look(&v, at(PANE_waiting, W, 6));
    HAS_ROW(&p, "8 Gs = 1 running");
    picture_fini(&p);
    story_free(s);
}

TEST(what_does_not_fit_is_counted)
{
    struct story *s = story_of_objects();
    waits(s, 1, 3, WAIT_REASON_COND_WAIT, 1, 0, 2, 0);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_waiting, W, 5)); /* two rows and the count */
    HAS_ROW(&p, "cv", "Cond", "◀ G1");
    HAS_ROW(&p, "+7 more, none in use");
    picture_fini(&p);
    story_free(s);
}

/* ---- the runtime ---- */

static bool has_objects(const struct scenario *sc)
{
    for (int k = OBJ_NONE + 1; k < OBJ_KINDS; k++)
        if (scenario_info(sc)->objects.of[k].n)
            return true;
    return false;
}

static void audit_one(const struct scenario *sc, const char *path, void *ctx)
{
    uint64_t *compared = ctx;
    char err[200];
    struct diag d;
    for (int gen = 0; has_objects(sc) && gen < GENERATIONS; gen++) {
        struct engine_config c = {.scenario = sc, .rt = scenario_config(sc), .limit = INT64_MAX, .max_events = 5000};
        diag_init(&d, path);
        bool fits = is_tried(gen) && scenario_fits(sc, (enum rt_generation)gen, &d);
        diag_fini(&d);
        if (!fits)
            continue;
        c.rt.generation = (enum rt_generation)gen;
        c.rt.mode = MODE_LOCKSTEP;
        struct engine *e = engine_new(&c, err, sizeof err);
        CHECK(e);
        engine_drive(e, &(struct drive){.audit = true});
        if (e->audit.mismatches)
            t_fail(path, 0, "generation %d: %s", gen, e->audit.first);
        *compared += e->audit.compared;
        engine_free(e);
    }
}

TEST(in_every_shipped_scenario_the_model_agrees_with_the_runtime)
{
    uint64_t compared = 0;
    each_scenario(audit_one, &compared);
    CHECK(compared > 1000);
}

/* At full speed a search that ends at the M's own queue logs no stage (runtime/sched/find.h, find_early). */
TEST(the_ladder_says_which_stages_were_not_recorded)
{
    struct story *s = story_new(1, 8);
    spawn(s, 3);
    EVENT(G_PARK, 0, 0, .g = 1, .a = 3, .b = WAIT_REASON_SLEEP);
    EVENT(FIND_STAGE, 0, 0, .a = FIND_TIMERS, .c = (uint32_t)-1, .d = (uint32_t)-1);
    EVENT(FIND_STAGE, 0, 0, .a = FIND_LOCAL, .b = 4, .c = 2);
    EVENT(RUNQ_GET, 0, 0, .g = 2, .a = 0);
    EVENT(G_START, 0, 0, .g = 2, .a = 2);
    struct view v = view_of(s);
    v.st.generation = "go1.20";
    struct picture p = look(&v, at(PANE_search_order, W, H));
    HAS_ROW(&p, "timers  ", "none");
    HAS_ROW(&p, "own queue", "ring 2 → takes G2");
    picture_fini(&p);
    EVENT(G_PARK, 0, 0, .g = 2, .a = 3, .b = WAIT_REASON_SLEEP);
    EVENT(RUNQ_GET, 0, 0, .g = 3, .a = 1);
    EVENT(G_START, 0, 0, .g = 3, .a = 2);
    v = view_of(s);
    v.st.generation = "go1.20";
    p = look(&v, at(PANE_search_order, W, H));
    HAS_ROW(&p, "timers  ", "not recorded");
    HAS_ROW(&p, "61st round", "not recorded");
    HAS_ROW(&p, "own queue", "takes G3");
    CHECK(!anywhere(&p, "ring 2"));
    picture_fini(&p);
    story_free(s);
}
