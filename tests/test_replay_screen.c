/* A replay shows what the live run shows: the same picture at any event, in both modes. The line of keys differs, because a recording has fewer, and of
 * a free run the pace: a recording has a tempo. */
#include "base/prng.h"
#include "engine/source_file.h"
#include "game.h"
#include "trace/run_file.h"

#include <stdlib.h>

enum { W = 120, H = 40 };

struct side {
    struct session *s;
    struct game g; /* its screen */
};

static void begin_side(struct side *d, const struct session_config *c, const char *layout)
{
    char err[300];
    struct session_status st;
    if (!(d->s = session_new(c, err, sizeof err)))
        t_fail(__FILE__, __LINE__, "%s", err);
    for (session_ops.status(d->s, &st); !st.ended && !st.failed; session_ops.status(d->s, &st))
        usleep(1000);
    CHECK(!st.failed);
    d->g.cfg = (struct ui_config){.session = d->s, .ops = &session_ops, .lang = LANG_EN};
    d->g.u = screen_of(&d->g.cfg, layout, W, H);
}

static void end_side(struct side *d)
{
    d->g.s = NULL;
    close_game(&d->g);
    session_free(d->s);
}

/* Returns the rows below the status line and above the line of keys, with the status line in lockstep. */
static char *picture_at(struct side *d, uint64_t event, bool lockstep)
{
    CHECK_INT(session_ops.rewind->goto_event(d->s, event), GOTO_DONE);
    ui_fetch(d->g.u);
    ui_open(d->g.u, BOX_NONE);
    draw(&d->g);
    char *all = canvas_dump(&d->g.u->canvas), *from = lockstep ? all : strchr(all, '\n');
    CHECK(all && from);
    memmove(all, from, strlen(from) + 1);
    for (int row = 0; row < 2 && strrchr(all, '\n'); row++) /* the last row ends with a newline */
        *strrchr(all, '\n') = '\0';
    return all;
}

static void same_pictures(const char *scenario, const char *mode, const char *layout, struct prng *rand)
{
    char path[600], file[600], err[300], seed[30];
    struct options o;
    snprintf(path, sizeof path, "%s/scenarios/%s.yaml", SOURCE_DIR, scenario);
    snprintf(file, sizeof file, "%s/a.run", t_tmpdir());
    snprintf(seed, sizeof seed, "--seed=%u", 1 + prng_below(rand, 1000));
    struct scenario *sc = load(path);
    char *argv[] = {path, "--tempo=max", (char *)mode, seed};
    CHECK(options_parse(&o, CMD_RUN, 4, argv));
    struct side live = {0}, played = {0};
    struct session_config c = command_session(sc, &o);
    c.engine.rt.places = PLACES_SHOWN;
    c.record = command_record_session;
    begin_side(&live, &c, layout);
    if (!session_ops.record(live.s, file, false, LANG_EN, err, sizeof err))
        t_fail(__FILE__, __LINE__, "%s", err);
    c.engine.open = source_file;
    c.engine.from = file;
    begin_side(&played, &c, layout);
    struct session_status st, again;
    session_ops.status(live.s, &st);
    session_ops.status(played.s, &again);
    CHECK_INT(again.events, st.events);
    CHECK_INT(again.how, st.how);
    for (long i = t_count(6, 100); i > 0; i--) {
        uint64_t event = 1 + prng_below(rand, (uint32_t)st.events);
        char *want = picture_at(&live, event, st.lockstep), *got = picture_at(&played, event, st.lockstep);
        if (strcmp(want, got))
            t_fail(__FILE__, __LINE__, "%s %s %s %s at event %llu:\n%s\nreplayed:\n%s", scenario, mode, seed, layout,
                   (unsigned long long)event, want, got);
        free(want);
        free(got);
    }
    end_side(&played);
    end_side(&live);
    options_fini(&o);
    scenario_free(sc);
    CHECK_INT(unlink(file), 0);
}

static void each(const char *mode)
{
    static const char *const scenarios[] = {
        "steal-half", "blocking-syscall", "whatif-recheck",  "locked-deadlock",
        "gc-cycle",   "fairness-61",      "first-spawn",     "why-runnext",
        "net-echo",   "select-fair",      "ticker",          "hog",
        "pool",       "overflow",         "gomaxprocs-grow", "one-lock",
        "timerproc",  "cond-broadcast",   "panic-anywhere",  "leak"};
    struct prng rand;
    prng_seed(&rand, 23, PRNG_PAUSES);
    for (long i = 0; i < t_count(5, sizeof scenarios / sizeof *scenarios); i++) {
        same_pictures(scenarios[i], mode, "classic", &rand);
        same_pictures(scenarios[i], mode, i % 2 ? "code" : "timeline", &rand);
    }
}

TEST(a_lockstep_run_looks_the_same_again)
{
    each("--mode=lockstep");
}

TEST(a_free_run_looks_the_same_again)
{
    each("--mode=free");
}

/* :record takes what has been; what comes goes into the same file, until a restart. */
TEST(a_run_is_recorded_from_its_beginning_at_any_time)
{
    char file[600], err[RUN_ERROR], other[600];
    struct session_status st;
    struct recorded_end end;
    snprintf(file, sizeof file, "%s/a.run", t_tmpdir());
    snprintf(other, sizeof other, "%s", t_file("notes.txt", "mine\n"));
    LIVE(l, BUSY("gomaxprocs: 3", "8", "5"), "--tempo=max");
    session_free(l.s);
    struct session_config c = command_session(l.sc, &l.o);
    c.record = command_record_session;
    c.paused = true;
    CHECK(l.s = session_new(&c, err, sizeof err));
    session_ops.motion->step(l.s, STEP_EVENT, 40);
    while (!status(&l).still)
        wait_change(&l);
    CHECK_INT(session_ops.rewind->goto_event(l.s, 10), GOTO_DONE);
    CHECK(!session_ops.record(l.s, other, false, LANG_ZH, err, sizeof err));
    CHECK(strstr(err, "不是运行记录"));
    CHECK(!status(&l).record_bytes);
    if (!session_ops.record(l.s, file, false, LANG_EN, err, sizeof err))
        t_fail(__FILE__, __LINE__, "%s", err);
    CHECK(status(&l).record_bytes > 0);
    CHECK_INT(session_ops.rewind->goto_event(l.s, SESSION_NEWEST), GOTO_DONE);
    for (int i = 0; i < 5; i++) { /* at each stop the file has the whole run, however short the steps */
        uint64_t before = status(&l).events;
        session_ops.motion->step(l.s, STEP_EVENT, 1);
        while (!status(&l).still || status(&l).events == before)
            wait_change(&l);
        struct run_reader *r = run_reader_open(file, err);
        CHECK(r);
        CHECK_INT(run_reader_events(r), status(&l).events);
        run_reader_free(r);
    }
    CHECK_INT(session_ops.rewind->goto_event(l.s, SESSION_NEWEST), GOTO_DONE);
    session_ops.motion->pause(l.s, false);
    wait_end(&l);
    st = status(&l);
    uint64_t events = st.events;
    session_ops.motion->restart(l.s, st.seed);
    while (status(&l).run != 1)
        wait_change(&l);
    CHECK(!status(&l).record_bytes);
    struct run_reader *r = run_reader_open(file, err);
    CHECK(r && run_reader_state(r) == RUN_WHOLE && run_reader_end(r));
    CHECK_INT(run_reader_events(r), events);
    CHECK(recorded_end_read(run_reader_end(r), &end));
    CHECK_INT(end.how, ENDED_MAIN_RETURNED);
    run_reader_free(r);
    CHECK(session_ops.record(l.s, other, true, LANG_EN, err, sizeof err)); /* now it may be replaced */
    close_live(&l);
}

/* Opens a recording as the screen does. The settings are those of l. */
static struct session *replayed(struct live *l, const char *file, bool paused)
{
    char err[300];
    struct session_config c = command_session(l->sc, &l->o);
    c.engine.open = source_file;
    c.engine.from = file;
    c.paused = paused;
    struct session *s = session_new(&c, err, sizeof err);
    if (!s)
        t_fail(__FILE__, __LINE__, "%s", err);
    return s;
}

/* A recording may end with places of Gs, which belong to no event. Steps reach its end all the same. */
TEST(steps_reach_the_end_of_a_recording_that_ends_with_places)
{
    char file[600], cut[600], err[RUN_ERROR];
    snprintf(file, sizeof file, "%s/a.run", t_tmpdir());
    snprintf(cut, sizeof cut, "%s/b.run", t_tmpdir());
    LIVE(l, BUSY("gomaxprocs: 2", "3", "2"), "--tempo=max");
    session_free(l.s);
    struct session_config c = command_session(l.sc, &l.o);
    c.record = command_record_session;
    c.record_to = file;
    CHECK(l.s = session_new(&c, err, sizeof err));
    wait_end(&l);
    session_free(l.s);
    struct run_reader *r = run_reader_open(file, err);
    CHECK(r);
    struct run_writer *w = run_writer_new(cut, run_reader_head(r), err);
    struct run_event e;
    uint64_t n = 0;
    for (enum run_item item; n < 60 && (item = run_reader_next(r, &e)) < RUN_END;) {
        n += item == RUN_EVENT;
        CHECK(item == RUN_PLACE ? run_writer_place(w, e.g, e.op) : run_writer_add(w, e.m, e.ev, 1, e.text, e.len));
    }
    for (uint32_t i = 0; i < 5; i++)
        CHECK(run_writer_place(w, 1, i % 2));
    CHECK(run_writer_flush(w));
    run_writer_free(w);
    run_reader_free(r);
    static const enum step_kind kinds[] = {STEP_EVENT, STEP_DETAIL, STEP_ROUND};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        l.s = replayed(&l, cut, true);
        for (struct session_status st = status(&l); !st.ended; st = status(&l)) {
            uint64_t before = st.events;
            session_ops.motion->step(l.s, kinds[k], 1);
            while (st = status(&l), !st.ended && !(st.still && st.events > before))
                wait_change(&l);
        }
        CHECK_INT(status(&l).events, 60);
        session_free(l.s);
    }
    l.s = replayed(&l, file, true);
    close_live(&l);
}

/* A replay that is restarted begins in the mode in which its run began. */
TEST(a_replay_begins_again_in_its_first_mode)
{
    char file[600], err[RUN_ERROR];
    snprintf(file, sizeof file, "%s/a.run", t_tmpdir());
    LIVE(l, BUSY("gomaxprocs: 3", "8", "5"), "--tempo=max");
    session_free(l.s);
    struct session_config c = command_session(l.sc, &l.o);
    c.record = command_record_session;
    c.record_to = file;
    c.paused = true;
    CHECK(l.s = session_new(&c, err, sizeof err));
    session_ops.motion->step(l.s, STEP_EVENT, 40);
    while (!status(&l).still || status(&l).events < 40)
        wait_change(&l);
    session_ops.motion->toggle_mode(l.s);
    while (status(&l).lockstep)
        wait_change(&l);
    session_ops.motion->step(l.s, STEP_EVENT, 2);
    while (!status(&l).still || status(&l).events < 42)
        wait_change(&l);
    session_ops.motion->toggle_mode(l.s);
    while (!status(&l).lockstep)
        wait_change(&l);
    session_ops.motion->pause(l.s, false);
    wait_end(&l);
    uint64_t events = status(&l).events;
    session_free(l.s);
    l.s = replayed(&l, file, false);
    wait_end(&l);
    CHECK(status(&l).lockstep && status(&l).was_free);
    CHECK_INT(status(&l).events, events);
    session_ops.motion->restart(l.s, status(&l).seed);
    while (status(&l).run != 1)
        wait_change(&l);
    CHECK(!status(&l).was_free || status(&l).events >= 40);
    wait_end(&l);
    CHECK(status(&l).was_free);
    CHECK_INT(status(&l).events, events);
    close_live(&l);
}
