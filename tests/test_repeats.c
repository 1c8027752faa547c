/* What a free run on a screen defers. Repeated operations on one object become one event (eventlog/repeat.h). They lead to the same state as single
 * ones, in whatever order several Ms log them. Searches that end at once log no stages. Whenever the run is stopped, the model agrees with the runtime's
 * memory. */
#include "eventlog/repeat.h"
#include "engine/engine.h"
#include "folding.h"
#include "load.h"
#include "runtime/sched/point.h"
#include "stops.h"

#include <errno.h>

/* ---- folded ------------------------------------------------------------------------------------------------------- */

enum { MS = 2, STREAM = 2000, CHANS = 2, MUTEXES = 2, WAITGROUPS = 2, RWMUTEXES = 2 };

struct stream {
    struct repeat pending;
    struct ev e[STREAM];
    uint32_t n;
};

/* A random history: what the objects are, each operation by itself, and what each M logs. */
struct history_of_ops {
    uint64_t random;
    struct model *single;
    struct stream m[MS];
    uint32_t values[CHANS], changes[CHANS], holder[MUTEXES], locks[MUTEXES], readers[RWMUTEXES][MS], events;
    int32_t count[WAITGROUPS];
    bool closed[CHANS];
};

static uint32_t below(uint64_t *random, uint32_t n)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*random >> 33) % n;
}

static void logs(struct stream *s, struct repeat_words w)
{
    uint64_t words[] = {0, w.head, w.ab, w.cd};
    CHECK(s->n < STREAM);
    memcpy(&s->e[s->n++], words, sizeof words);
}

static void ends(struct stream *s)
{
    struct repeat_words out[REPEAT_EVENTS];
    uint32_t n = repeat_end(&s->pending, out);
    CHECK(n <= REPEAT_EVENTS && !repeat_pending(&s->pending));
    for (uint32_t i = 0; i < n; i++)
        logs(s, out[i]);
}

/* M m does what e says and logs it as the runtime does (emit_repeatable). */
static void does(struct history_of_ops *h, uint32_t m, struct ev e)
{
    struct stream *s = &h->m[m];
    struct repeat_words w = {EV_HEAD(e), EV_PAIR(e.a, e.b), EV_PAIR(e.c, e.d)};
    enum repeat_role role = repeat_role(e.kind, e.b);
    CHECK_INT(model_offer(h->single, m, &e, NULL, 0), OFFER_APPLIED);
    h->events++;
    if (role != REPEAT_NEVER && repeat_join(&s->pending, role, w.head, w.ab, w.cd))
        return;
    ends(s);
    if (!repeat_begin(&s->pending, role, w.head, w.ab, w.cd))
        logs(s, w);
}

static struct ev op(int kind, uint32_t m, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return make(0, kind, m, m + 1, a + 1, b, c, d);
}

static void uses_mutex(struct history_of_ops *h, uint32_t m, uint32_t i)
{
    if (h->holder[i] == 0)
        does(h, m, op(EV_MUTEX_OP, m, i, MUTEX_OP_LOCK, 0, ++h->locks[i]));
    else if (h->holder[i] == m + 1 || below(&h->random, 4) == 0) /* any G may unlock */
        does(h, m, op(EV_MUTEX_OP, m, i, MUTEX_OP_UNLOCK, 0, h->locks[i]));
    else
        return;
    h->holder[i] = h->holder[i] ? 0 : m + 1;
}

static void uses_chan(struct history_of_ops *h, uint32_t m, uint32_t i, bool put)
{
    enum chan_op what = h->closed[i] || !put ? CHAN_OP_TAKE : below(&h->random, 400) == 0 ? CHAN_OP_CLOSE : CHAN_OP_PUT;
    if (what == CHAN_OP_TAKE && h->values[i] == 0)
        return;
    h->closed[i] |= what == CHAN_OP_CLOSE;
    h->values[i] += what == CHAN_OP_PUT ? 1u : what == CHAN_OP_TAKE ? -1u : 0;
    does(h, m, op(EV_CHAN_OP, m, i, what, h->values[i], ++h->changes[i]));
}

/* One operation, often several times. */
static void some_operation(struct history_of_ops *h)
{
    uint32_t m = below(&h->random, MS), what = below(&h->random, 5), i = below(&h->random, 2), times = below(&h->random, 8);
    times = times == 0 ? below(&h->random, 2 * REPEAT_MAX + 10) : times;
    for (uint32_t k = 0; k < times; k++) {
        if (what == 0)
            uses_mutex(h, m, i);
        else if (what == 1)
            uses_chan(h, m, i, k % 16 < 12 && times > 3);
        else if (what == 2) {
            h->count[i] += times % 2 ? 1 : -1;
            does(h, m, op(EV_WAITGROUP_OP, m, i, times % 2 ? 1 : (uint32_t)-1, (uint32_t)h->count[i], 0));
        } else if (what == 3) {
            does(h, m, op(EV_RWMUTEX_OP, m, i, h->readers[i][m] ? RWMUTEX_OP_RUNLOCK : RWMUTEX_OP_RLOCK, 0, 0));
            h->readers[i][m] ^= 1;
        }
    }
    if (what == 4)
        ends(&h->m[m]); /* it logs something else */
}

static uint64_t objects_compared;

static void same_objects(struct model *a, struct model *b)
{
    struct snapshot x = {0}, y = {0};
    struct audit_result r = {0};
    CHECK(model_snapshot(a, &x) && model_snapshot(b, &y));
    objects_compared += x.nobject;
    if (audit_compare(&x, &y, &r))
        t_fail(__FILE__, __LINE__, "%s", r.first);
    snapshot_fini(&x);
    snapshot_fini(&y);
}

/* Folds what the Ms logged since they were stopped last, mixed at random. */
static void fold_streams(struct history_of_ops *h, struct model *md, uint32_t at[MS])
{
    while (at[0] < h->m[0].n || at[1] < h->m[1].n) {
        uint32_t m = at[0] >= h->m[0].n ? 1 : at[1] >= h->m[1].n ? 0 : below(&h->random, MS);
        CHECK_INT(model_offer(md, m, &h->m[m].e[at[m]++], NULL, 0), OFFER_APPLIED);
    }
}

TEST(repeated_operations_fold_to_the_state_of_single_ones)
{
    static struct history_of_ops h;
    uint64_t events = 0, logged = 0;
    for (long i = 0; i < t_count(200, 5000); i++) {
        uint32_t at[MS] = {0};
        struct model *md = boot2();
        h = (struct history_of_ops){.random = (uint64_t)i, .single = boot2()};
        for (int stop = 0; stop < 5; stop++) {
            for (int k = 0; k < 12; k++)
                some_operation(&h);
            ends(&h.m[0]);
            ends(&h.m[1]);
            fold_streams(&h, md, at);
            same_objects(h.single, md);
        }
        events += h.events;
        logged += h.m[0].n + h.m[1].n;
        model_free(md);
        model_free(h.single);
    }
    CHECK(logged < events / 3);
    CHECK(objects_compared > 1000);
}

/* ---- said --------------------------------------------------------------------------------------------------------- */

/* G2 on M1 does `times` times what e says, as one event. */
static void check_said(struct ev e, uint32_t times, uint32_t add, const char *line, const char *en, const char *zh)
{
    struct history_of_ops h = {.single = boot2()};
    char buf[200];
    for (uint32_t i = 0; i < times; i++) {
        does(&h, 1, e);
        if (repeat_role(e.kind, e.b) == REPEAT_OPENS)
            does(&h, 1, op(e.kind, 1, e.a - 1, e.b + 1, 0, e.d));
        e.c += add;
        e.d += e.kind != EV_WAITGROUP_OP;
    }
    ends(&h.m[1]);
    CHECK_INT(h.m[1].n, 1);
    event_line(h.single, 1, h.m[1].e, NULL, 0, buf, sizeof buf);
    CHECK_STR(buf, line);
    event_sentence(h.single, 1, h.m[1].e, NULL, 0, LANG_EN, buf, sizeof buf);
    CHECK_STR(buf, en);
    event_sentence(h.single, 1, h.m[1].e, NULL, 0, LANG_ZH, buf, sizeof buf);
    CHECK_STR(buf, zh);
    model_free(h.single);
}

TEST(the_sentence_says_how_often)
{
    struct ev put = op(EV_CHAN_OP, 1, 0, CHAN_OP_PUT, 1, 1), take = op(EV_CHAN_OP, 1, 0, CHAN_OP_TAKE, 9, 1);
    struct ev lock = op(EV_MUTEX_OP, 1, 0, MUTEX_OP_LOCK, 0, 1), rlock = op(EV_RWMUTEX_OP, 1, 0, RWMUTEX_OP_RLOCK, 0, 0);
    check_said(put, 1, 1, "0 M1 P1 chan_op g=2 op=put obj=1 n=1", "G2 puts a value into channel 1, which holds 1 now.",
               "G2 把一个值放入通道 1，缓冲区现有 1 个。");
    check_said(put, 5, 1, "0 M1 P1 chan_op g=2 op=put obj=1 n=5 times=5", "G2 puts 5 values into channel 1, which holds 5 now.",
               "G2 把 5 个值放入通道 1，缓冲区现有 5 个。");
    check_said(take, 5, -1u, "0 M1 P1 chan_op g=2 op=take obj=1 n=5 times=5", "G2 takes 5 values from channel 1, which holds 5 now.",
               "G2 从通道 1 取出 5 个值，缓冲区还有 5 个。");
    check_said(lock, 1, 0, "0 M1 P1 mutex_op g=2 op=pair obj=1 times=1", "G2 locks and unlocks mutex 1.", "G2 锁住并解开互斥锁 1。");
    check_said(lock, 9, 0, "0 M1 P1 mutex_op g=2 op=pair obj=1 times=9", "G2 locks and unlocks mutex 1 9 times.",
               "G2 锁住并解开互斥锁 1，共 9 次。");
    check_said(rlock, 1, 0, "0 M1 P1 rwmutex_op g=2 op=rpair obj=1 times=1", "G2 takes and gives back a read lock of RWMutex 1.",
               "G2 取得并释放读写锁 1 的读锁。");
    check_said(rlock, 9, 0, "0 M1 P1 rwmutex_op g=2 op=rpair obj=1 times=9", "G2 takes and gives back a read lock of RWMutex 1 9 times.",
               "G2 取得并释放读写锁 1 的读锁，共 9 次。");
    check_said(op(EV_WAITGROUP_OP, 1, 0, -1u, 8, 0), 3, -1u, "0 M1 P1 waitgroup_op g=2 add=-1 obj=1 n=6 times=3",
               "G2 adds -1 to WaitGroup 1 3 times; it counts 6 now.", "G2 给 WaitGroup 1 加 -1，共 3 次，计数变为 6。");
}

/* ---- readers of single operations --------------------------------------------------------------------------------- */

static bool asked_for_repeats;

static int notes_config(const struct source_config *c, struct source **out)
{
    (void)out;
    asked_for_repeats = c->sparse;
    return -ENOTSUP;
}

/* Returns whether the engine lets operations become one event. */
static bool may_repeat(const char *claim, struct engine_config c)
{
    char err[200], text[300];
    snprintf(text, sizeof text, "name: x\nmutexes: [mu]\n%sgoroutines:\n  - {name: main, do: [{lock: mu}, {unlock: mu}]}\n", claim);
    struct scenario *sc = load(t_file("x.yaml", text));
    c.scenario = sc;
    c.rt = scenario_config(sc);
    c.rt.mode = MODE_FREE;
    c.limit = INT64_MAX;
    c.open = notes_config;
    asked_for_repeats = false;
    CHECK(!engine_new(&c, err, sizeof err));
    scenario_free(sc);
    return asked_for_repeats;
}

TEST(only_a_screen_does_without_single_operations)
{
    CHECK(may_repeat("", (struct engine_config){.live = true}));
    CHECK(may_repeat("expect: [{never: 'steal'}]\n", (struct engine_config){.live = true}));
    CHECK(!may_repeat("expect: [{never: 'mutex_op op=unlock'}]\n", (struct engine_config){.live = true}));
    CHECK(!may_repeat("", (struct engine_config){.live = true, .lesson = true}));
    CHECK(!may_repeat("", (struct engine_config){.out = OUT_EVENTS}));
    CHECK(!may_repeat("", (struct engine_config){.out = OUT_SENTENCES}));
    CHECK(!may_repeat("", (struct engine_config){.audit = true}));
}

/* ---- the runtime -------------------------------------------------------------------------------------------------- */

static struct mutex *mu[2];
static struct rwmutex *rw;
static struct hchan *jobs;
static struct waitgroup *done;

static void locks(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2000; i++) {
        struct mutex *m = mu[i / 100 % 2];
        rt_mutex_lock(m);
        rt_point();
        rt_mutex_unlock(m);
        rt_point();
    }
    rt_waitgroup_add(done, -1);
}

static void reads(void *arg)
{
    (void)arg;
    for (int i = 0; i < 1000; i++) {
        if (i % 250 == 249) {
            rt_rwmutex_lock(rw);
            rt_point();
            rt_rwmutex_unlock(rw);
        }
        rt_rwmutex_rlock(rw);
        rt_point();
        rt_rwmutex_runlock(rw);
        rt_point();
    }
    rt_waitgroup_add(done, -1);
}

static void sends(void *arg)
{
    (void)arg;
    for (int i = 0; i < 3000; i++) {
        rt_chan_send(jobs, i);
        rt_point();
    }
    rt_chan_close(jobs);
    rt_waitgroup_add(done, -1);
}

static void makes(void)
{
    struct sched *s = rt_self_sched();
    mu[0] = rt_mutex_new(s, 1);
    mu[1] = rt_mutex_new(s, 2);
    rw = rt_rwmutex_new(s, 1);
    jobs = rt_chan_new(s, 1, 64);
    done = rt_waitgroup_new(s, 1);
}

static void uses_all(void *arg)
{
    (void)arg;
    int64_t v;
    makes();
    for (int i = 0; i < 6; i++) {
        rt_waitgroup_add(done, 1);
        rt_point();
    }
    for (int i = 0; i < 5; i++)
        go(i < 3 ? locks : reads, i);
    go(sends, 5);
    while (rt_chan_recv(jobs, &v))
        rt_point();
    rt_waitgroup_wait(done);
}

static uint64_t operations[EV_KINDS], repeated;

static void counts(uint32_t m, const struct ev *e)
{
    const struct ev_field *times = ev_field(e->kind, "times", 5);
    int64_t n = times ? ev_value(e, m, times) : 0;
    bool pair =
        (e->kind == EV_MUTEX_OP && (e->b & 0xffff) == MUTEX_OP_PAIR) || (e->kind == EV_RWMUTEX_OP && (e->b & 0xffff) == RWMUTEX_OP_RPAIR);
    bool mode = e->kind == EV_MUTEX_OP && ((e->b & 0xffff) == MUTEX_OP_STARVE || (e->b & 0xffff) == MUTEX_OP_NORMAL);
    repeated += n > 1;
    operations[e->kind] += mode ? 0 : (uint64_t)(n ? n : 1) * (pair ? 2 : 1);
}

/* How often each object is used in uses_all(). The writers lock the inner mutex, too. */
enum { LOCKS = 2 * (3 * 2000 + 2 * 4), READS = 2 * 2 * 1000 + 2 * 2 * 4, VALUES = 2 * 3000 + 1, COUNTS = 6 + 6 };

static void check_operations(void)
{
    CHECK_INT(operations[EV_MUTEX_OP], LOCKS);
    CHECK_INT(operations[EV_RWMUTEX_OP], READS);
    CHECK(operations[EV_CHAN_OP] <= VALUES && operations[EV_CHAN_OP] > 1); /* values that a waiting G gets at once are in no buffer */
    CHECK_INT(operations[EV_WAITGROUP_OP], COUNTS);
}

TEST(no_operation_is_lost)
{
    prog_repeats = true;
    prog_taken = counts;
    repeated = 0;
    for (uint32_t procs = 1; procs <= 4; procs++) {
        memset(operations, 0, sizeof operations);
        CHECK_INT(run((struct how){MODE_FREE, 1, procs}, uses_all).how, ENDED_MAIN_RETURNED);
        check_operations();
    }
    CHECK(repeated > 0);
    prog_repeats = false;
    prog_taken = NULL;
}

static bool looks_on(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    (void)ctx, (void)m, (void)e, (void)text, (void)len;
    return false;
}

/* Breakpoints and lockstep need each operation. */
TEST(where_events_are_watched_each_operation_is_one)
{
    prog_repeats = true;
    prog_taken = counts;
    for (int mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++) {
        memset(operations, 0, sizeof operations);
        repeated = 0;
        prog_hook = mode == MODE_FREE ? looks_on : NULL;
        CHECK_INT(run((struct how){(enum conductor_mode)mode, 1, 2}, uses_all).how, ENDED_MAIN_RETURNED);
        check_operations();
        CHECK_INT(repeated, 0);
    }
    prog_repeats = false;
    prog_taken = NULL;
    prog_hook = NULL;
}

static void check_nothing_deferred(struct sched *s)
{
    for (struct m *m = atomic_load(&s->allm); m; m = m->alllink)
        CHECK(!defers(m));
}

/* All operations are in the log at each stop. */
TEST(at_each_stop_the_model_knows_the_objects)
{
    struct stops t = {.check = check_nothing_deferred};
    prog_taken = counts;
    repeated = 0;
    for (; t.run < t_count(40, 600); t.run++)
        stop_at_random(
            &t, (struct rt_config){.preempt_slice = 10000000, .main_fn = uses_all, .objects = true, .sparse = true, .level = EV_DETAIL});
    CHECK(t.objects > 0);
    CHECK(repeated > 0);
    prog_taken = NULL;
}

/* ---- searches ----------------------------------------------------------------------------------------------------- */

static void passes_on(void *arg)
{
    (void)arg;
    for (int i = 0; i < 100; i++)
        rt_chan_recv(jobs, &(int64_t){0});
    rt_waitgroup_add(done, -1);
}

/* Two Gs take turns on one P: each search ends at the P's own queue. */
static void takes_turns(void *arg)
{
    (void)arg;
    jobs = rt_chan_new(rt_self_sched(), 1, 0);
    done = rt_waitgroup_new(rt_self_sched(), 1);
    rt_waitgroup_add(done, 1);
    go(passes_on, 0);
    for (int i = 0; i < 100; i++)
        rt_chan_send(jobs, i);
    rt_waitgroup_wait(done);
}

static uint32_t stages_logged(void)
{
    struct result r = run((struct how){MODE_FREE, 1, 1}, takes_turns);
    CHECK_INT(r.how, ENDED_MAIN_RETURNED);
    CHECK(r.kinds[EV_RUNNEXT_GET] > 100);
    return r.kinds[EV_FIND_STAGE];
}

TEST(a_search_that_ends_at_once_logs_no_stages)
{
    CHECK(stages_logged() > 200);
    prog_repeats = true;
    CHECK(stages_logged() < 100); /* some searches go on */
    prog_hook = looks_on;
    CHECK(stages_logged() > 200);
    prog_hook = NULL;
    prog_repeats = false;
}
