/* The history of a replay (model/history/history_store.c) lies over the segments of the file that is replayed. */
#include "base/prng.h"
#include "engine/source_file.h"
#include "live.h"
#include "session/session_internal.h"

static struct session *replayed(struct live *l, const char *file)
{
    char err[300];
    struct session_config c = command_session(l->sc, &l->o);
    c.engine.open = source_file;
    c.engine.from = file;
    struct session *s = session_new(&c, err, sizeof err);
    if (!s)
        t_fail(__FILE__, __LINE__, "%s", err);
    return s;
}

/* The history of a replay has the full segments in the replayed file only, and every event and state all the same. */
TEST(a_replay_reads_its_past_from_the_file)
{
    char file[600], err[300];
    snprintf(file, sizeof file, "%s/a.run", t_tmpdir());
    LIVE(l, BUSY("gomaxprocs: 4", "40", "600"), "--tempo=max");
    session_free(l.s);
    struct session_config c = command_session(l.sc, &l.o);
    c.record = command_record_session;
    c.record_to = file;
    CHECK(l.s = session_new(&c, err, sizeof err));
    wait_end(&l);
    struct session *s = replayed(&l, file), *live = l.s;
    l.s = s;
    wait_end(&l);
    struct history *of_file = s->e->history, *of_run = live->e->history;
    uint64_t n = history_events(of_run);
    CHECK(n > 60000);
    CHECK_INT(history_events(of_file), n);
    struct history_stats st = history_stats(of_file);
    CHECK(st.spilled >= 3 && st.spilled + 1 >= st.segments && st.file_bytes > 0);
    CHECK_INT(history_stats(of_run).spilled, 0);
    struct history_event a, b;
    for (uint64_t i = 1; i <= n; i++) {
        CHECK(history_get(of_file, i, &a) && history_get(of_run, i, &b));
        CHECK(a.m == b.m && a.len == b.len && !memcmp(&a.ev, &b.ev, sizeof a.ev) && (!a.len || !memcmp(a.text, b.text, a.len)));
    }
    struct prng rand;
    struct model *x = NULL, *y = NULL;
    struct snapshot here = {0}, there = {0};
    prng_seed(&rand, 23, PRNG_PAUSES);
    for (int i = 0; i < 60; i++) {
        uint64_t at = prng_below(&rand, (uint32_t)n + 1);
        struct audit_result same = {0};
        CHECK(history_move(of_file, &x, at) && history_move(of_run, &y, at));
        CHECK(model_snapshot(x, &here) && model_snapshot(y, &there) && !audit_compare(&here, &there, &same));
    }
    model_free(x);
    model_free(y);
    snapshot_fini(&here);
    snapshot_fini(&there);
    session_free(live);
    close_live(&l);
}
