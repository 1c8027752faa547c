/* The live session under a user who presses everything at once: whatever the keys, the screen shows states that
 * occurred, and a pause shows everything that has happened. */
#include "base/prng.h"
#include "live.h"

#include <math.h>
#include <string.h>
#include <time.h>

static const char busy_text[] = BUSY("gomaxprocs: 4, runq_size: 4", "20", "30");

static void check_view(struct live *l)
{
    struct session_event ev[64];
    char lines[8][160];
    int n, k;
    struct model *md = session_ops.view(l->s, ev, 64, &n);
    CHECK(md);
    for (int i = 1; i < n; i++)
        CHECK(ev[i].number > ev[i - 1].number && ev_level_of[ev[i - 1].ev.kind] == EV_CORE);
    if (n)
        CHECK_INT(ev[n - 1].number, model_events(md));
    model_free(md);
    CHECK(session_ops.output(l->s, 0, lines, 8, &k) >= (uint64_t)k);
    for (int i = 0; i < k; i++)
        CHECK(!strncmp(lines[i], "got ", 4));
}

TEST(a_step_is_one_core_event)
{
    LIVE(l, busy_text, "--tempo", "1000");
    wait_events(&l, 100);
    session_ops.motion->pause(l.s, true);
    struct session_event ev[256];
    for (int i = 0; i < 200; i++) {
        uint64_t before = 0, after = 0;
        int n;
        model_free(session_ops.view(l.s, ev, 1, &n));
        before = ev[0].number;
        /* The pause itself may still be folding: the step comes after it. */
        session_ops.motion->step(l.s, STEP_EVENT, 1);
        do {
            wait_change(&l);
            model_free(session_ops.view(l.s, ev, 256, &n));
            after = ev[n - 1].number;
        } while (after == before);
        CHECK(status(&l).paused);
    }
    int core = 0, n;
    model_free(session_ops.view(l.s, ev, 256, &n));
    for (int i = 0; i < n; i++)
        core += ev_desc[ev[i].ev.kind].level == EV_CORE;
    CHECK(core > n / 2);
    close_live(&l);
}

/* Returns the newest event that is shown. */
static struct session_event newest(struct live *l)
{
    static struct session_event ev[256];
    int n;
    model_free(session_ops.view(l->s, ev, 256, &n));
    return ev[n - 1];
}

static void step_at_rest(struct live *l)
{
    uint64_t before = status(l).events;
    session_ops.motion->step(l->s, STEP_EVENT, 1);
    while (!status(l).ended && (status(l).events == before || !status(l).still))
        wait_change(l);
}

/* In lockstep a step shows one event of what an M does between two gates. The rest is pending: it is the same M's, and the next steps show it
 * in this order. */
TEST(what_is_pending_after_a_step_comes_next)
{
    LIVE(l, BUSY("gomaxprocs: 2", "6", "3"), "--mode", "lockstep", "--tempo", "max", "--break", "go_create");
    struct session_event pending[64], shown;
    while (!status(&l).still)
        wait_change(&l);
    int met = 0;
    for (int i = 0; i < 200 && !status(&l).ended; i++) {
        step_at_rest(&l);
        int n = session_ops.pending(l.s, pending, 64), k = 0;
        shown = newest(&l);
        while (k < n && ev_level_of[pending[k].ev.kind] != EV_CORE)
            k++;
        if (k == n)
            continue;
        met++;
        CHECK_INT(pending[k].m, shown.m);
        step_at_rest(&l);
        shown = newest(&l);
        CHECK_INT(shown.ev.kind, pending[k].ev.kind);
        CHECK_INT(shown.ev.g, pending[k].ev.g);
    }
    CHECK(met > 0);
    close_live(&l);
}

/* While paused nothing moves: no event, no time, in either mode. */
static void stands_still(const char *mode)
{
    LIVE(l, endless_text, "--mode", mode, "--tempo", "max");
    for (int i = 0; i < 20; i++) {
        session_ops.motion->pause(l.s, false);
        wait_events(&l, status(&l).events + 50);
        session_ops.motion->pause(l.s, true);
        while (!status(&l).still) /* a pause is a request: it takes time */
            wait_change(&l);
        struct session_status b = status(&l);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
        struct session_status a = status(&l);
        CHECK(a.paused);
        CHECK_INT(a.pending, 0);
        CHECK_INT(a.events, b.events);
        CHECK_INT(a.time, b.time);
    }
    close_live(&l);
}

TEST(a_pause_stops_lockstep)
{
    stands_still("lockstep");
}
TEST(a_pause_stops_free)
{
    stands_still("free");
}

/* A spinning M that may not steal never ends its round while a G computes and others wait behind it. */
static const char roundless_text[] =
    "name: roundless\n"
    "scheduler: {gomaxprocs: 2, disable: [stealing], preempt_slice: 10000s}\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: other, count: 3}, {compute: 1000s}]\n"
    "  - name: other\n"
    "    do: [{compute: 1us}]\n";

/* Steps that never end are shown, make visible progress, and a pause ends them. */
static void endless_steps(const char *text, enum step_kind kind, uint32_t n)
{
    LIVE(l, text, "--tempo", "max");
    wait_events(&l, 400);
    session_ops.motion->pause(l.s, true);
    while (!status(&l).still)
        wait_change(&l);
    CHECK(!status(&l).stepping);
    while (!status(&l).stepping) { /* the first rounds may have an end */
        CHECK(!status(&l).ended);
        if (status(&l).still)
            session_ops.motion->step(l.s, kind, n);
        wait_change(&l);
    }
    struct session_status a = status(&l);
    CHECK(a.paused && !a.still);
    while (status(&l).events < a.events + 50)
        wait_change(&l);
    session_ops.motion->pause(l.s, true);
    CHECK(!status(&l).stepping);
    while (!status(&l).still)
        wait_change(&l);
    uint64_t events = status(&l).events;
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    CHECK(status(&l).paused && !status(&l).stepping);
    CHECK_INT(status(&l).events, events);
    close_live(&l);
}

TEST(a_round_that_never_ends_is_stopped)
{
    endless_steps(roundless_text, STEP_ROUND, 1);
}
TEST(a_million_steps_are_stopped)
{
    endless_steps(endless_text, STEP_EVENT, 1000000000);
}

/* The screen may let other news wait for its next frame. */
static void wait_told_of_stop(struct live *l)
{
    uint64_t n = 0;
    struct pollfd p = {.fd = session_ops.wake_fd(l->s), .events = POLLIN};
    while (n < SESSION_STOP) {
        status(l);
        CHECK(poll(&p, 1, -1) == 1 && read(p.fd, &n, sizeof n) == sizeof n);
    }
}

/* An operation that nobody waits for is a detail event. A ring holds 65,536 of them. */
static const char tight_text[] =
    "name: tight\n"
    "mutexes: [mu]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{loop: 40000, do: [{lock: mu}, {unlock: mu}]}, {go: other}]\n"
    "  - name: other\n";

TEST(a_step_may_log_more_than_a_ring_holds)
{
    LIVE(l, tight_text, "--tempo=max", "--break", "g_start g=1");
    struct session_event ev = {0};
    int n;
    while (!stopped_at(&l)[0])
        wait_change(&l);
    uint64_t before = status(&l).events;
    session_ops.motion->step(l.s, STEP_EVENT, 1);
    while (status(&l).events == before || !status(&l).still)
        wait_change(&l);
    model_free(session_ops.view(l.s, &ev, 1, &n));
    CHECK_INT(ev.ev.kind, EV_G_CREATE);
    CHECK(ev.number > before + 80000);
    close_live(&l);
}

TEST(runs_to_its_end_and_stays)
{
    LIVE(l, busy_text, "--tempo=max", "--audit");
    wait_told_of_stop(&l);
    struct session_status st = status(&l);
    CHECK_INT(st.how, ENDED_MAIN_RETURNED);
    CHECK_STR(stop_text(&st), "");
    session_ops.motion->pause(l.s, false);
    session_ops.motion->step(l.s, STEP_EVENT, 1);
    session_ops.motion->toggle_mode(l.s);
    CHECK_INT(status(&l).events, st.events);
    bool ended;
    struct engine *e = session_stop(l.s, &ended);
    CHECK(ended);
    CHECK(e->audit.compared >= engine_rounds(e));
    CHECK_STR(e->failure, "");
    close_live(&l);
}

TEST(a_stop_is_told_as_one)
{
    LIVE(l, endless_text, "--mode", "free");
    wait_events(&l, 100);
    session_ops.motion->pause(l.s, true);
    wait_told_of_stop(&l);
    CHECK(status(&l).still);
    close_live(&l);
}

TEST(a_breakpoint_holds_the_screen_at_the_match)
{
    LIVE(l, busy_text, "--tempo=max", "--break", "g_end", "--break", "when p0.runq >= 2");
    uint64_t last = 0;
    for (int i = 0; i < 10; i++) {
        while (!stopped_at(&l)[0])
            wait_change(&l);
        struct session_status st = status(&l);
        struct session_event ev;
        int64_t runq;
        int n;
        struct model *md = session_ops.view(l.s, &ev, 1, &n);
        CHECK(st.paused);
        CHECK(ev.number > last);
        if (!strcmp(stop_text(&st), "g_end"))
            CHECK_INT(ev.ev.kind, EV_G_END);
        else
            CHECK(model_gauge(md, "p0.runq", &runq) && runq >= 2);
        last = ev.number;
        model_free(md);
        session_ops.motion->pause(l.s, false);
        while (status(&l).events == last)
            wait_change(&l);
    }
    close_live(&l);
}

TEST(a_limit_given_ends_a_live_run)
{
    LIVE(l, endless_text, "--tempo=max", "--max-events=500");
    wait_end(&l);
    CHECK_INT(status(&l).events, 500);
    CHECK_INT(status(&l).how, ENDED_LIMIT);
    close_live(&l);
}

static void press(struct live *l, struct prng *r)
{
    static const char *const patterns[] = {"g_end x2", "steal | g_park", "when runnable > 2", "when g5.runnable > 3us", "runq_* p=1"};
    const char *pattern = patterns[prng_below(r, sizeof patterns / sizeof *patterns)];
    struct session_mistake wrong = {.lang = LANG_EN};
    static struct session_event ev[64];
    switch (prng_below(r, 20)) {
    case 0:
        session_ops.motion->pause(l->s, true);
        break;
    case 1:
    case 2:
        session_ops.motion->pause(l->s, false);
        break;
    case 3:
        session_ops.motion->step(l->s, STEP_EVENT, 1 + prng_below(r, 5));
        break;
    case 4:
        session_ops.motion->step(l->s, STEP_ROUND, 1 + prng_below(r, 3));
        break;
    case 5:
        session_ops.motion->tempo(l->s, prng_below(r, 3) ? 1 : -1);
        break;
    case 6:
        session_ops.motion->toggle_mode(l->s);
        break;
    case 7:
        check_view(l);
        break;
    case 8:
        wait_change(l);
        break;
    case 9:
        session_ops.rewind->step_back(l->s, STEP_EVENT, 1 + prng_below(r, 5));
        break;
    case 10:
        session_ops.rewind->step_back(l->s, STEP_ROUND, 1);
        break;
    case 11:
        session_ops.rewind->goto_event(l->s, prng_below(r, 1000));
        break;
    case 12:
        session_ops.rewind->goto_event(l->s, SESSION_NEWEST);
        break;
    case 13:
        session_ops.breaks->add(l->s, pattern, &wrong);
        break;
    case 14:
        session_ops.breaks->delete (l->s, prng_below(r, 4));
        break;
    case 15:
    case 16:
        session_ops.run_to->match(l->s, pattern, &wrong);
        break;
    case 17:
        session_ops.motion->restart(l->s, prng_below(r, 3));
        break;
    case 18:
        CHECK(session_ops.pending(l->s, ev, 64) <= 64);
        break;
    case 19:
        session_ops.search->find(l->s, "g_end", 1 + prng_below(r, 500), prng_below(r, 2) ? 1 : -1);
        break;
    }
}

/* Nothing happens for an hour, but the clock runs. */
TEST(a_limit_needs_no_event)
{
    LIVE(l, "name: sleepy\ngoroutines: [{name: main, do: [{sleep: 1h}]}]\n", "--mode=free", "--limit=20ms");
    wait_end(&l);
    CHECK_INT(status(&l).how, ENDED_LIMIT);
    close_live(&l);
}

TEST(any_keys_in_any_order)
{
    for (uint64_t seed = 1; seed <= (uint64_t)t_count(10, 200); seed++) {
        struct prng r;
        bool ended;
        prng_seed(&r, seed, 1);
        LIVE(l, busy_text, "--audit", "--tempo", seed & 1 ? "max" : "512", "--mode", seed & 2 ? "free" : "lockstep");
        for (int i = 0; i < 200; i++)
            press(&l, &r);
        struct engine *e = session_stop(l.s, &ended);
        if (engine_failed(e))
            t_fail(__FILE__, __LINE__, "seed %d: %s", (int)seed, e->failure);
        close_live(&l);
    }
}
