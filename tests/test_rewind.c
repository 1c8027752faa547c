/* Rewinding a live run: whatever way was taken through its history, the run continues as if it had not been rewound. */
#include "base/prng.h"
#include "live.h"
#include "same.h"

#include <math.h>

static const char busy_text[] = BUSY("gomaxprocs: 3, runq_size: 4", "8", "5");

/* Returns the engine of the run that was never rewound, at its end. */
static struct engine *straight_run(struct live *l)
{
    bool ended;
    live(l, busy_text, (const char *[]){"--tempo=max"}, 1);
    wait_end(l);
    struct engine *e = session_stop(l->s, &ended);
    CHECK(ended && !engine_failed(e) && e->events > 300);
    return e;
}

static struct model *state(struct engine *e, uint64_t n)
{
    struct model *md = NULL;
    CHECK(history_move(e->history, &md, n));
    return md;
}

/* The state that is shown is the one after that event: the state, the events up to it, the printed lines. */
static void check_shown(struct live *l, struct engine *straight)
{
    struct session_event ev[16];
    char lines[8][160];
    int n, k;
    struct model *md = session_ops.view(l->s, ev, 16, &n);
    struct model *want = state(straight, model_events(md));
    struct history_event e;
    SAME(want, md);
    for (int i = 0; i < n; i++) {
        CHECK(i == n - 1 ? ev[i].number == model_events(md) : ev[i].number < ev[i + 1].number);
        CHECK(history_get(straight->history, ev[i].number, &e));
        CHECK(!memcmp(&e.ev, &ev[i].ev, sizeof e.ev) && e.m == ev[i].m);
    }
    if (status(l).still)
        CHECK_INT(session_ops.output(l->s, 0, lines, 8, &k), expect_lines_at(straight->expect, status(l).events));
    model_free(md);
    model_free(want);
}

static void walk(struct live *l, struct prng *r, struct engine *straight)
{
    struct session_ops o = session_ops;
    switch (prng_below(r, 10)) {
    case 0:
        o.motion->pause(l->s, true);
        break;
    case 1:
        o.motion->pause(l->s, false);
        break;
    case 2:
        o.motion->step(l->s, prng_below(r, 2) ? STEP_EVENT : STEP_DETAIL, 1 + prng_below(r, 9));
        break;
    case 3:
        o.motion->step(l->s, STEP_ROUND, 1 + prng_below(r, 3));
        break;
    case 4:
        o.rewind->step_back(l->s, prng_below(r, 2) ? STEP_EVENT : STEP_DETAIL, 1 + prng_below(r, 9));
        break;
    case 5:
        o.rewind->step_back(l->s, STEP_ROUND, 1 + prng_below(r, 3));
        break;
    case 6:
        o.rewind->goto_event(l->s, prng_below(r, 1200));
        break;
    case 7:
        o.rewind->goto_time(l->s, prng_below(r, 300000));
        break;
    case 8:
        prng_below(r, 2) ? (void)o.rewind->goto_mark(l->s, "here") : (void)o.rewind->mark(l->s, "here");
        break;
    case 9:
        check_shown(l, straight);
        break;
    }
}

static void check_run(struct engine *got, struct engine *want, uint64_t seed)
{
    struct history_event a, b;
    if (engine_failed(got))
        t_fail(__FILE__, __LINE__, "walk %d: %s", (int)seed, got->failure);
    CHECK_INT(got->events, want->events);
    for (uint64_t n = 1; n <= want->events; n++) {
        CHECK(history_get(got->history, n, &a) && history_get(want->history, n, &b));
        CHECK(!memcmp(&a.ev, &b.ev, sizeof a.ev) && a.m == b.m);
    }
    SAME(engine_view(want), engine_view(got));
}

TEST_TIMED(a_thousand_walks_end_as_a_straight_run, 600)
{
    static const char *const tempo[] = {"--tempo=max", "--tempo=1000", "--tempo=100000"};
    struct live first;
    struct engine *straight = straight_run(&first);
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        struct prng r;
        bool ended;
        LIVE(l, busy_text, tempo[seed % 3]);
        prng_seed(&r, seed, 1);
        for (int i = 0; i < 30; i++)
            walk(&l, &r, straight);
        while (!isinf(status(&l).tempo.rate))
            session_ops.motion->tempo(l.s, 1);
        session_ops.motion->pause(l.s, false);
        wait_end(&l);
        check_run(session_stop(l.s, &ended), straight, seed);
        close_live(&l);
    }
    close_live(&first);
}

/* ---- one thing at a time ---- */

static void pause_at(struct live *l, uint64_t events)
{
    wait_events(l, events);
    session_ops.motion->pause(l->s, true);
    while (!status(l).still)
        wait_change(l);
}

/* ---- steps through details ---- */

static void step_detail(struct live *l)
{
    uint64_t was = status(l).events;
    session_ops.motion->step(l->s, STEP_DETAIL, 1);
    while (status(l).events == was || !status(l).still)
        wait_change(l);
}

/* Returns the event that the state shown ends with. */
static struct ev newest(struct live *l)
{
    struct session_event ev[4];
    int n;
    struct model *md = session_ops.view(l->s, ev, 4, &n);
    CHECK(md && n > 0);
    model_free(md);
    return ev[n - 1].ev;
}

static void walks_through_details(const char *mode)
{
    uint64_t details = 0;
    LIVE(l, busy_text, mode, "--tempo=max", "--break=g_end");
    while (!status(&l).still)
        wait_change(&l);
    uint64_t from = status(&l).events;
    for (int i = 0; i < 100; i++) {
        uint64_t was = status(&l).events;
        step_detail(&l);
        CHECK_INT(status(&l).events, was + 1);
        details += ev_desc[newest(&l).kind].level == EV_DETAIL;
    }
    CHECK(details > 10); /* none is left out */
    uint64_t last = status(&l).events;
    CHECK_INT(session_ops.rewind->goto_event(l.s, from), GOTO_DONE);
    for (uint64_t n = from + 1; n <= last; n++) {
        step_detail(&l);
        CHECK_INT(status(&l).events, n);
    }
    close_live(&l);
}

TEST(a_detail_step_goes_one_event_on_whatever_it_is)
{
    walks_through_details("--mode=lockstep");
}

TEST(a_detail_step_goes_one_event_on_in_a_free_run)
{
    walks_through_details("--mode=free");
}

TEST(as_many_steps_forward_lead_back)
{
    LIVE(l, busy_text, "--tempo=100000");
    pause_at(&l, 400);
    for (enum step_kind kind = STEP_EVENT; kind <= STEP_ROUND; kind++) {
        uint64_t at[20];
        CHECK_INT(session_ops.rewind->goto_event(l.s, SESSION_NEWEST), GOTO_DONE);
        for (int i = 0; i < 20; i++) {
            at[i] = status(&l).events;
            CHECK_INT(session_ops.rewind->step_back(l.s, kind, 1), GOTO_DONE);
            struct session_status st = status(&l);
            CHECK(st.back && st.paused && st.still && st.events < at[i] && st.newest >= 400);
            CHECK(st.time <= st.newest_time);
        }
        for (int i = 20; i-- > 0;) {
            session_ops.motion->step(l.s, kind, 1);
            CHECK_INT(status(&l).events, at[i]);
        }
        CHECK(kind != STEP_EVENT || !status(&l).back);
    }
    close_live(&l);
}

TEST(past_the_end_the_runtime_steps)
{
    LIVE(l, busy_text, "--tempo=1000");
    pause_at(&l, 100);
    uint64_t newest = status(&l).newest;
    session_ops.rewind->step_back(l.s, STEP_EVENT, 1);
    session_ops.motion->step(l.s, STEP_EVENT, 1);
    CHECK(!status(&l).back);
    CHECK_INT(status(&l).newest, newest);
    session_ops.motion->step(l.s, STEP_EVENT, 1);
    while (status(&l).newest == newest)
        wait_change(&l);
    CHECK(!status(&l).back && status(&l).paused);
    close_live(&l);
}

/* An ended run can be rewound and played again, and is ended again at its end. */
TEST(an_ended_run_is_played_again)
{
    LIVE(l, busy_text, "--tempo=max");
    wait_end(&l);
    uint64_t newest = status(&l).newest;
    CHECK_INT(session_ops.rewind->goto_event(l.s, 1), GOTO_DONE);
    CHECK(status(&l).back && !status(&l).ended);
    session_ops.motion->tempo(l.s, -1);
    session_ops.motion->pause(l.s, false);
    wait_events(&l, 3);
    CHECK(status(&l).back && !status(&l).paused);
    session_ops.motion->tempo(l.s, 1);
    wait_end(&l);
    CHECK(!status(&l).back && status(&l).paused);
    CHECK_INT(status(&l).newest, newest);
    close_live(&l);
}

TEST(places_that_are_not_there)
{
    LIVE(l, busy_text, "--tempo=100000");
    pause_at(&l, 400);
    struct session_status st = status(&l);
    CHECK_INT(session_ops.rewind->goto_event(l.s, st.newest + 1), GOTO_TOO_LATE);
    CHECK_INT(session_ops.rewind->goto_time(l.s, st.newest_time + 1), GOTO_TOO_LATE);
    CHECK_INT(session_ops.rewind->goto_mark(l.s, "nobody"), GOTO_NO_MARK);
    CHECK(!status(&l).back);
    CHECK_INT(session_ops.rewind->goto_time(l.s, st.newest_time / 2), GOTO_DONE);
    CHECK(status(&l).back && status(&l).time <= st.newest_time / 2);
    CHECK(session_ops.rewind->mark(l.s, "half"));
    uint64_t half = status(&l).events;
    CHECK_INT(session_ops.rewind->goto_event(l.s, 7), GOTO_DONE);
    CHECK_INT(status(&l).events, 7);
    CHECK_INT(session_ops.rewind->goto_event(l.s, st.newest + 1), GOTO_TOO_LATE);
    CHECK_INT(status(&l).events, 7);
    CHECK_INT(session_ops.rewind->goto_mark(l.s, "half"), GOTO_DONE);
    CHECK_INT(status(&l).events, half);
    CHECK_INT(session_ops.rewind->goto_event(l.s, 0), GOTO_DONE); /* everything is kept */
    CHECK_INT(status(&l).events, 1);
    CHECK(!session_ops.rewind->mark(l.s, "a name that is too long for a mark"));
    close_live(&l);
}

/* The same with nearly all of the history in the file. */
TEST(a_small_budget_reaches_as_far_back)
{
    LIVE(l, busy_text, "--tempo=max", "--history=64K");
    struct live first;
    struct engine *straight = straight_run(&first);
    wait_end(&l);
    CHECK_INT(status(&l).oldest, 0);
    for (uint64_t n = 1; n <= straight->events; n += 37) {
        CHECK_INT(session_ops.rewind->goto_event(l.s, n), GOTO_DONE);
        check_shown(&l, straight);
    }
    close_live(&l);
    close_live(&first);
}

/* ---- breakpoints on the way through the past ---- */

static void resume_live(struct live *l)
{
    session_ops.motion->pause(l->s, false);
    while (!status(l).paused && !status(l).ended)
        wait_change(l);
}

struct places {
    uint64_t at[64];
    int64_t time[64];
    int n;
};

/* Returns where the run stops when space is pressed until it has ended. */
static struct places stops(struct live *l)
{
    struct places p = {.n = 0};
    for (;; resume_live(l)) {
        while (!status(l).still && !status(l).ended)
            wait_change(l);
        struct session_status st = status(l);
        if (st.ended || p.n == 64)
            return p;
        CHECK(st.paused && stop_text(&st)[0]);
        p.at[p.n] = st.events;
        p.time[p.n++] = st.time;
    }
}

static void same_stops(const struct places *a, const struct places *b)
{
    CHECK_INT(b->n, a->n);
    for (int i = 0; i < a->n; i++) {
        CHECK_INT(b->at[i], a->at[i]);
        CHECK_INT(b->time[i], a->time[i]);
    }
}

/* Each time the history is played it stops where the run did, whatever the pattern and the tempo, and also if the
 * breakpoint was set at the end. */
static void plays_as_it_ran(const char *pattern, bool several)
{
    struct session_mistake wrong = {.lang = LANG_EN};
    struct live late;
    LIVE(l, busy_text, "--tempo=max", "--break", pattern);
    wait_events(&l, 1);
    struct places ran;
    while (!status(&l).paused && !status(&l).ended)
        wait_change(&l);
    ran = stops(&l);
    CHECK(several ? ran.n > 1 && ran.n < 64 : ran.n == 1);
    live(&late, busy_text, (const char *[]){"--tempo=max"}, 1);
    wait_events(&late, ran.at[0] + 1);
    CHECK(session_ops.breaks->add(late.s, pattern, &wrong));
    session_ops.motion->pause(late.s, false);
    while (!status(&late).ended) {
        if (status(&late).paused)
            session_ops.motion->pause(late.s, false);
        wait_change(&late);
    }
    for (int slow = 0; slow < 2; slow++) {
        session_ops.motion->set_tempo(l.s, TEMPO_FIXED(slow ? 50000 : INFINITY));
        session_ops.motion->set_tempo(late.s, TEMPO_FIXED(slow ? 50000 : INFINITY));
        CHECK_INT(session_ops.rewind->goto_event(l.s, 1), GOTO_DONE);
        CHECK_INT(session_ops.rewind->goto_event(late.s, 1), GOTO_DONE);
        resume_live(&l);
        resume_live(&late);
        struct places again = stops(&l), made_late = stops(&late);
        same_stops(&ran, &again);
        same_stops(&ran, &made_late);
    }
    close_live(&l);
    close_live(&late);
}

TEST(the_past_stops_where_the_run_did)
{
    plays_as_it_ran("steal", true);
    plays_as_it_ran("g_end x3", false);
    plays_as_it_ran("when p0.runq >= 3", true);
    plays_as_it_ran("when p0.runq >= 2 x2", false);
    plays_as_it_ran("when g4.runnable > 3us", true);
}

/* Back from a stop and forward again: it is a stop again, by space and by steps. Once the breakpoint is gone it is
 * not. */
TEST(back_from_a_stop_and_on_stops_there_again)
{
    static const char *const patterns[] = {"steal", "when g4.runnable > 3us"};
    for (int i = 0; i < 2; i++) {
        LIVE(l, busy_text, "--tempo=max", "--break", patterns[i]);
        while (!status(&l).still)
            wait_change(&l);
        struct session_status at = status(&l);
        CHECK_INT(session_ops.rewind->step_back(l.s, STEP_EVENT, 3), GOTO_DONE);
        CHECK(!stopped_at(&l)[0]);
        resume_live(&l);
        CHECK(!status(&l).back && strcmp(stopped_at(&l), patterns[i]) == 0);
        CHECK_INT(status(&l).events, at.events);
        CHECK_INT(status(&l).time, at.time);
        session_ops.rewind->step_back(l.s, STEP_EVENT, 3);
        session_ops.motion->step(l.s, STEP_EVENT, 30);
        CHECK_INT(status(&l).events, at.events);
        session_ops.rewind->step_back(l.s, STEP_EVENT, 3);
        CHECK(session_ops.breaks->delete (l.s, 0));
        resume_live(&l);
        CHECK(status(&l).ended);
        close_live(&l);
    }
}

/* `until` stops at a breakpoint that comes before it. xN counts from the current position, across the present, too. */
TEST(until_from_the_past)
{
    struct session_mistake wrong = {.lang = LANG_EN};
    LIVE(l, busy_text, "--tempo=max", "--break", "g_end x2");
    while (!status(&l).still)
        wait_change(&l);
    uint64_t second = status(&l).events;
    struct engine *straight;
    struct live first;
    straight = straight_run(&first);
    uint64_t ends[8], n = 0;
    struct history_event e;
    for (uint64_t i = 1; n < 8 && history_get(straight->history, i, &e); i++)
        if (e.ev.kind == EV_G_END)
            ends[n++] = i;
    CHECK(n > 4);
    CHECK_INT(second, ends[1]);
    session_ops.rewind->goto_event(l.s, 1);
    CHECK(session_ops.run_to->match(l.s, "g_end", &wrong));
    CHECK(status(&l).back);
    CHECK_INT(status(&l).events, ends[0]);
    CHECK(session_ops.run_to->match(l.s, "g_end x4", &wrong)); /* the breakpoint comes before */
    CHECK_INT(status(&l).events, ends[1]);
    CHECK(!status(&l).back && strcmp(stopped_at(&l), "g_end x2") == 0);
    session_ops.breaks->delete (l.s, 0);
    while (!status(&l).still) /* until the search is over */
        wait_change(&l);
    session_ops.rewind->goto_event(l.s, ends[0]);
    CHECK(session_ops.run_to->match(l.s, "g_end x3", &wrong)); /* one is in the history, two are still to come */
    while (!status(&l).still)
        wait_change(&l);
    CHECK_INT(status(&l).events, ends[3]);
    session_ops.rewind->goto_event(l.s, ends[2]);
    CHECK(session_ops.run_to->match(l.s, "when g1000000.runnable > 1ns", &wrong)); /* never */
    wait_end(&l);
    session_ops.rewind->goto_event(l.s, ends[2]);
    CHECK(session_ops.run_to->match(l.s, "g_end x99", &wrong));
    CHECK_INT(status(&l).events, ends[2]); /* the run has ended and has none: the shown state stays */
    close_live(&l);
    close_live(&first);
}
