/* The history: any earlier state is reached again, from anywhere, whether its events are in memory, in the file, or
 * gone. */
#include "base/prng.h"
#include "cli/commands.h"
#include "load.h"
#include "model/history/history_internal.h"
#include "ref.h"
#include "same.h"
#include "whole.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct model *seek(struct history *h, uint64_t n)
{
    struct model *md = NULL;
    if (!history_move(h, &md, n))
        t_fail(__FILE__, __LINE__, "state %llu is not reached", (unsigned long long)n);
    CHECK_INT(model_events(md), n);
    return md;
}

/* Folds one event. If that changes what its M does, the change has the event's time. */
static void fold_one(struct model *md, const struct history_event *e)
{
    enum m_doing before = model_m_doing(md, e->m);
    CHECK_INT(model_offer(md, e->m, &e->ev, e->text, e->len), OFFER_APPLIED);
    CHECK(model_m_doing(md, e->m) == before || model_m(md, e->m)->since == e->ev.time);
}

/* The same events in another history. */
static struct history *copy(struct history *log, uint64_t budget, uint32_t segment)
{
    struct model *md = seek(log, 0);
    struct history *h = history_new(md, &(struct history_config){.budget = budget, .segment = segment});
    struct history_event e;
    CHECK(h);
    for (uint64_t n = 1; history_get(log, n, &e); n++) {
        fold_one(md, &e);
        CHECK(history_add(h, md, e.m, &e.ev, e.text, e.len));
    }
    CHECK_INT(history_events(h), history_events(log));
    model_free(md);
    return h;
}

/* ---- shipped scenarios ---- */

/* From its keyframe, each state equals the one of the straight fold; folded on from any of `ends`, it ends in the
 * same state. */
static void check_prefixes(struct history *log, const struct model *end, uint64_t ends)
{
    struct history *h = copy(log, HISTORY_BUDGET, 64);
    struct model *straight = seek(log, 0), *md = NULL;
    struct history_event e;
    for (uint64_t n = 0; n <= history_events(log); n++) {
        if (n) {
            CHECK(history_get(log, n, &e));
            fold_one(straight, &e);
        }
        md = seek(h, n);
        SAME(straight, md);
        if (n % ends == 0) {
            CHECK(history_move(h, &md, history_events(h)));
            SAME(end, md);
        }
        model_free(md);
    }
    SAME(straight, end);
    model_free(straight);
    history_free(h);
}

static void check_scenario(const struct scenario *sc, enum conductor_mode mode)
{
    struct engine *e = run_scenario(sc, mode, 1000000);
    CHECK_INT(history_events(e->history), e->events);
    check_prefixes(e->history, engine_view(e), e->events / 100 + 1);
    engine_free(e);
}

static void check_shipped(const struct scenario *sc, const char *path, void *ctx)
{
    (void)path, (void)ctx;
    check_scenario(sc, MODE_LOCKSTEP);
}

TEST_TIMED(every_prefix_of_every_scenario, 1200)
{
    each_scenario(check_shipped, NULL);
}

/* The events are in the order of the merge, so their times may also decrease. */
TEST_TIMED(every_prefix_of_free_runs, 300)
{
    static const char *const paths[] = {
        SOURCE_DIR "/scenarios/steal-half.yaml", SOURCE_DIR "/scenarios/ping-pong.yaml", SOURCE_DIR "/scenarios/mutex-starving.yaml"};
    for (int i = 0; i < 10 * 3; i++) {
        struct scenario *sc = load(paths[i % 3]);
        check_scenario(sc, MODE_FREE);
        scenario_free(sc);
    }
}

/* ---- a long random history ---- */

static struct history *random_history(uint32_t events, uint64_t budget, uint32_t segment)
{
    struct ref *r = ref_new(7, 0);
    struct model *md = model_new(&(struct model_config){.runq_size = REF_RING, .start_tick = 3});
    struct history *h = history_new(md, &(struct history_config){.budget = budget, .segment = segment});
    char text[EV_TEXT_MAX];
    memset(text, 'x', sizeof text);
    ref_run(r, events);
    for (uint32_t i = 0; i < r->nlog; i++) {
        const struct ev *e = &r->log[i].ev;
        size_t len = e->kind == EV_PRINT ? i % EV_TEXT_MAX : i % 1000 == 0 ? EV_TEXT_MAX : 0;
        CHECK_INT(model_offer(md, r->log[i].m, e, text, len), OFFER_APPLIED);
        CHECK(history_add(h, md, r->log[i].m, e, text, len));
    }
    CHECK(history_events(h) > events / 2);
    model_free(md);
    ref_free(r);
    return h;
}

/* All queries to `h` have the same answers as in `all`, which has everything in memory. */
static void check_answers(struct history *h, struct history *all, uint64_t seed)
{
    struct prng r;
    struct history_event a, b;
    struct model *md = NULL;
    uint64_t from = history_oldest(h), n = history_events(h);
    prng_seed(&r, seed, 1);
    for (int i = 0; i < 300; i++) {
        uint64_t at = from + prng_below(&r, (uint32_t)(n - from + 1));
        if (prng_below(&r, 3) == 0 && md)
            at = model_events(md) + 1 < n ? model_events(md) + 1 : n; /* on from the current position */
        struct model *want = seek(all, at);
        CHECK(history_move(h, &md, at));
        SAME(want, md);
        if (model_time(want) > 0) {
            uint64_t before = history_at(all, model_time(want) - 1);
            CHECK_INT(history_at(h, model_time(want) - 1), before > from ? before : from);
        }
        model_free(want);
        if (at == from)
            continue;
        CHECK(history_get(h, at, &a) && history_get(all, at, &b));
        CHECK(!memcmp(&a.ev, &b.ev, sizeof a.ev) && a.m == b.m && a.number == at && a.len == b.len);
        CHECK(!a.len || !memcmp(a.text, b.text, a.len));
    }
    model_free(md);
}

TEST(events_in_the_file_are_as_in_memory)
{
    struct history *all = random_history(60000, HISTORY_BUDGET, 256), *h = random_history(60000, 512 << 10, 0);
    struct history_stats st = history_stats(h);
    CHECK(st.spilled > st.segments / 2);
    CHECK(st.file_bytes > 256 << 10);
    CHECK(st.bytes <= (512 << 10) + (64 << 10)); /* the last segment comes on top */
    CHECK_INT(history_stats(all).spilled, 0);
    CHECK_INT(history_oldest(h), 0);
    check_answers(h, all, 3);
    CHECK_INT(history_stats(h).bytes, st.bytes);
    history_free(h);
    history_free(all);
}

TEST(the_file_has_no_name)
{
    setenv("TMPDIR", t_tmpdir(), 1);
    struct history *h = random_history(20000, HISTORY_LEAST, 0);
    int n = 0;
    DIR *d = opendir(t_tmpdir());
    CHECK(d && history_stats(h).spilled > 0);
    for (struct dirent *f; (f = readdir(d));)
        n += f->d_name[0] != '.';
    CHECK_INT(n, 0);
    closedir(d);
    history_free(h);
}

/* Without a file the oldest events are dropped; the rest is correct, and so is the oldest state. */
TEST(without_a_file_the_reach_is_shorter)
{
    struct history *all = random_history(60000, HISTORY_BUDGET, 256);
    setenv("TMPDIR", "/nowhere/at/all", 1);
    struct history *h = random_history(60000, 512 << 10, 0);
    struct history_event e;
    struct model *md = NULL;
    CHECK(history_oldest(h) > 0 && history_oldest(h) < history_events(h) - 1024);
    CHECK_INT(history_stats(h).spilled, 0);
    CHECK(history_file_fails(h) && !history_file_fails(all));
    CHECK(!history_get(h, history_oldest(h), &e));
    CHECK(!history_move(h, &md, history_oldest(h) - 1) && !md);
    CHECK(!history_move(h, &md, history_events(h) + 1) && !md);
    check_answers(h, all, 4);
    history_free(h);
    history_free(all);
}

/* An endless run must not fill the disk. */
TEST_TIMED(a_full_file_loses_its_oldest, 120)
{
    struct history *all = random_history(60000, HISTORY_BUDGET, 256), *h = random_history(60000, HISTORY_LEAST, 0);
    struct history_stats st = history_stats(h);
    CHECK(history_oldest(h) > 0 && !history_file_fails(h));
    CHECK(st.file_bytes <= (HISTORY_FILE + 2) * HISTORY_LEAST && st.file_bytes > HISTORY_FILE / 2 * HISTORY_LEAST);
    check_answers(h, all, 6);
    history_free(h);
    history_free(all);
}

/* ---- keyframes ---- */

/* Each keyframe's weight is what it holds in addition to those before it; their sum is the memory really held. */
static void check_weights(const struct history *h)
{
    uint64_t sum = 0;
    const struct model *before = NULL;
    for (size_t i = 0; i < h->seg.n; i++) {
        const struct segment *s = &h->seg.v[i];
        CHECK_INT(s->key_bytes, s->key ? model_bytes(s->key, before) : 0);
        before = s->key ? s->key : before;
        sum += s->key_bytes;
    }
    CHECK_INT(h->key_bytes, sum);
}

TEST(keyframes_are_thinned_out)
{
    struct history *all = random_history(60000, HISTORY_BUDGET, 256), *h = random_history(60000, 4 << 20, 256);
    check_weights(all);
    check_weights(h);
    struct history_stats st = history_stats(h);
    CHECK_INT(history_stats(all).keyframes, st.segments);
    CHECK(st.keyframes < st.segments && st.keyframes > 10);
    CHECK(st.key_bytes <= 2 << 20);
    uint64_t gap = 0, last = 1;
    for (size_t i = 0; i < h->seg.n; i++)
        if (h->seg.v[i].key) {
            gap = h->seg.v[i].first - last > gap ? h->seg.v[i].first - last : gap;
            last = h->seg.v[i].first;
        }
    CHECK(gap <= 8 * history_events(h) / st.keyframes); /* no long stretch without one */
    check_answers(h, all, 5);
    history_free(h);
    history_free(all);
}

static bool is_steal(void *ctx, const struct history_event *e)
{
    (void)ctx;
    return e->ev.kind == EV_STEAL;
}

TEST(events_are_found_in_both_directions)
{
    struct history *h = random_history(20000, 1 << 20, 0);
    struct history_event e;
    uint64_t n = 0, up = 0, down = 0;
    for (uint64_t i = 1; history_get(h, i, &e); i++)
        n += e.ev.kind == EV_STEAL;
    for (uint64_t at = 0; (at = history_find(h, at + 1, 1, is_steal, NULL));)
        up++;
    for (uint64_t at = history_events(h) + 1; (at = history_find(h, at - 1, -1, is_steal, NULL));)
        down++;
    CHECK(n > 10);
    CHECK_INT(up, n);
    CHECK_INT(down, n);
    history_free(h);
}
