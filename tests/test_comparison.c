/* Two runs on one scenario clock, as `gmpscope compare` plays them: sessions without a screen. */
#include "cli/commands.h"
#include "session/comparison.h"
#include "load.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct both {
    struct options o[2];
    struct scenario *sc[2];
    struct session *s[2];
    struct comparison *p;
    const struct session_ops *ops;
};

static const char busy[] =
    "name: busy\n"
    "scheduler: {gomaxprocs: 2}\n"
    "waitgroups: [wg]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{add: wg, n: 6}, {go: worker, count: 6}, {wait: wg}]\n"
    "  - name: worker\n"
    "    do: [{compute: 3us}, {sleep: 5us}, {syscall: 30us}, {done: wg}]\n";

static const char endless[] =
    "name: endless\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{loop: forever, do: [{compute: 2us}, {sleep: 5us}]}]\n";

/* Two hours of computing, with Gs that wait behind it. */
static const char spinning[] =
    "name: spinning\n"
    "scheduler: {gomaxprocs: 2, preempt_slice: 3h, disable: [stealing]}\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: worker, count: 3}, {compute: 2h}]\n"
    "  - name: worker\n"
    "    do: [{compute: 1us}]\n";

static void open_side(struct both *b, int i, char **argv, int argc)
{
    CHECK(options_parse(&b->o[i], CMD_RUN, argc, argv));
    b->sc[i] = load(b->o[i].args[0]);
    char err[200];
    struct session_config c = command_session(b->sc[i], &b->o[i]);
    c.paused = true;
    b->s[i] = session_new(&c, err, sizeof err);
    CHECK(b->s[i]);
}

static struct both open_text(const char *text, const char *right_option, const char *right_value)
{
    struct both b = {0};
    char *file = strdup(t_file("both.yaml", text));
    open_side(&b, 0, (char *[]){file}, 1);
    open_side(&b, 1, (char *[]){file, (char *)right_option, (char *)right_value}, 3);
    b.p = comparison_new(b.s[0], b.s[1], TEMPO_FIXED(1));
    CHECK(b.p);
    b.ops = comparison_ops(b.p);
    b.ops->motion->pause(b.s[0], true);
    free(file);
    return b;
}

static struct both open_both(const char *right_option, const char *right_value)
{
    return open_text(busy, right_option, right_value);
}

static void close_both(struct both *b)
{
    comparison_free(b->p);
    for (int i = 0; i < 2; i++) {
        session_free(b->s[i]);
        scenario_free(b->sc[i]);
        options_fini(&b->o[i]);
    }
}

static struct session_status status(const struct both *b, int i)
{
    struct session_status st;
    b->ops->status(b->s[i], &st);
    return st;
}

static void still(const struct both *b)
{
    while (!(status(b, 0).still || status(b, 0).ended) || !(status(b, 1).still || status(b, 1).ended))
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL); /* the test's alarm ends an endless wait */
}

/* Each step moves one side, and events are shown in the order of the common clock. */
TEST(the_earlier_event_comes_first)
{
    struct both b = open_both("--generation", "go1.13");
    still(&b);
    int moved[2] = {0, 0};
    int64_t last = 0;
    for (int n = 0; n < 120; n++) {
        struct session_status was[2] = {status(&b, 0), status(&b, 1)};
        b.ops->motion->step(b.s[n % 2], STEP_EVENT, 1); /* whichever session gets the request */
        do
            still(&b);
        while (status(&b, 0).events == was[0].events && status(&b, 1).events == was[1].events);
        int who = status(&b, 1).events != was[1].events;
        CHECK_INT(status(&b, !who).events, was[!who].events);
        CHECK(status(&b, who).time >= last);
        last = status(&b, who).time;
        moved[who]++;
    }
    CHECK(moved[0] > 20 && moved[1] > 20);
    close_both(&b);
}

/* A step back moves the side that is ahead; a return to the present moves both. */
TEST(the_side_ahead_steps_back)
{
    enum { STEPS = 60 };
    struct both b = open_both("--generation", "go1.13");
    still(&b);
    for (int n = 0; n < STEPS; n++) {
        struct session_status was[2] = {status(&b, 0), status(&b, 1)};
        b.ops->motion->step(b.s[0], STEP_EVENT, 1);
        do
            still(&b);
        while (status(&b, 0).events == was[0].events && status(&b, 1).events == was[1].events);
    }
    struct session_status last[2] = {status(&b, 0), status(&b, 1)};
    for (int n = 0; n < STEPS / 2; n++) {
        struct session_status was[2] = {status(&b, 0), status(&b, 1)};
        CHECK_INT(b.ops->rewind->step_back(b.s[n % 2], STEP_EVENT, 1), GOTO_DONE);
        int who = status(&b, 1).events != was[1].events;
        CHECK(status(&b, who).events < was[who].events);
        CHECK_INT(status(&b, !who).events, was[!who].events);
        CHECK(was[who].time >= was[!who].time);
    }
    int64_t middle = last[0].time / 2;
    CHECK_INT(b.ops->rewind->goto_time(b.s[0], middle), GOTO_DONE);
    CHECK(status(&b, 0).time <= middle && status(&b, 1).time <= middle);
    CHECK_INT(b.ops->rewind->goto_event(b.s[0], SESSION_NEWEST), GOTO_DONE);
    for (int i = 0; i < 2; i++)
        CHECK_INT(status(&b, i).events, last[i].events);
    close_both(&b);
}

/* Returns how many of the core events since event `from` end a round. Checks that none is earlier than `since`. */
static int new_rounds(const struct both *b, int i, uint64_t from, int64_t since)
{
    static struct session_event ev[4096];
    int n, rounds = 0;
    struct model *md = b->ops->view(b->s[i], ev, 4096, &n);
    CHECK(md);
    CHECK(n == 0 || ev[0].number <= from + 1); /* no more events than requested */
    for (int k = 0; k < n; k++) {
        if (ev[k].number <= from || ev_desc[ev[k].ev.kind].level != EV_CORE)
            continue;
        CHECK(ev[k].ev.time >= since);
        rounds += ev[k].ev.kind == EV_G_START || ev[k].ev.kind == EV_M_PARK;
    }
    model_free(md);
    return rounds;
}

static int64_t last_core(const struct both *b, int i)
{
    struct ev e;
    return session_core(b->s[i], -1, &e) ? e.time : 0;
}

static void round_on(const struct both *b)
{
    uint64_t events = status(b, 0).events + status(b, 1).events;
    b->ops->motion->step(b->s[0], STEP_ROUND, 1);
    do
        still(b);
    while (status(b, 0).events + status(b, 1).events == events);
}

/* A round belongs to one side. Events of the other side before its end are shown, too: neither side runs away,
 * although one of them has far fewer rounds. Backwards, the same stops come in the opposite order. */
static void rounds_on_one_clock(const char *option, const char *value, int rounds)
{
    uint64_t stop[31][2];
    struct both b = open_both(option, value);
    still(&b);
    for (int n = 0; n <= rounds; n++) {
        uint64_t was[2] = {status(&b, 0).events, status(&b, 1).events};
        int64_t left = last_core(&b, 0), right = last_core(&b, 1), since = left > right ? left : right;
        round_on(&b);
        CHECK_INT(new_rounds(&b, 0, was[0], since) + new_rounds(&b, 1, was[1], since), 1);
        for (int i = 0; i < 2; i++) {
            stop[n][i] = status(&b, i).events;
            CHECK(status(&b, i).time >= status(&b, !i).time || status(&b, i).ended); /* shown as of the one clock */
        }
    }
    CHECK(stop[rounds][0] > 20 && stop[rounds][1] > 20);
    for (int n = rounds; n-- > 0;) {
        CHECK_INT(b.ops->rewind->step_back(b.s[n % 2], STEP_ROUND, 1), GOTO_DONE);
        for (int i = 0; i < 2; i++)
            CHECK_INT(status(&b, i).events, stop[n][i]);
    }
    for (int n = 1; n <= rounds; n++) { /* and forward again, through the history */
        round_on(&b);
        for (int i = 0; i < 2; i++)
            CHECK_INT(status(&b, i).events, stop[n][i]);
    }
    close_both(&b);
}

TEST(rounds_of_two_generations_are_on_one_clock)
{
    rounds_on_one_clock("--generation", "go1.4", 30);
}

TEST(rounds_of_a_lamed_scheduler_are_on_one_clock)
{
    rounds_on_one_clock("--disable", "stealing", 12);
}

/* Without stealing, the left side's thief spins, some ten events a microsecond, while the right side computes:
 * between two ends of a round there are tens of thousands of events. They are made, and searched on the way back,
 * with both sides on one clock. */
static const char *lamed(void)
{
    return SOURCE_DIR "/scenarios/whatif-stealing.yaml";
}

static struct both open_lamed(void)
{
    struct both b = {0};
    open_side(&b, 0, (char *[]){(char *)lamed(), "--disable", "stealing"}, 3);
    open_side(&b, 1, (char *[]){(char *)lamed()}, 1);
    b.p = comparison_new(b.s[0], b.s[1], TEMPO_FIXED(1));
    CHECK(b.p);
    b.ops = comparison_ops(b.p);
    b.ops->motion->pause(b.s[0], true);
    still(&b);
    return b;
}

TEST(a_side_that_spins_is_followed_through_its_rounds)
{
    enum { STOPS = 12 };
    uint64_t stop[STOPS][2], most = 0;
    struct both b = open_lamed();
    for (int n = 0; n < STOPS; n++) {
        round_on(&b);
        for (int i = 0; i < 2; i++)
            stop[n][i] = status(&b, i).events;
        uint64_t made = n ? stop[n][0] - stop[n - 1][0] : 0;
        most = made > most ? made : most;
    }
    CHECK(most > 10000);
    CHECK(status(&b, 1).ended);
    for (int n = STOPS - 1; n-- > 0;) {
        CHECK_INT(b.ops->rewind->step_back(b.s[0], STEP_ROUND, 1), GOTO_DONE);
        for (int i = 0; i < 2; i++)
            CHECK_INT(status(&b, i).events, stop[n][i]);
    }
    b.ops->rewind->goto_event(b.s[1], stop[4][1]); /* the other side returns to where it was */
    CHECK(status(&b, 0).events <= stop[4][0] && status(&b, 0).events >= stop[3][0]);
    CHECK_INT(b.ops->rewind->goto_event(b.s[0], 1), GOTO_DONE);
    CHECK_INT(status(&b, 1).events, 1);
    close_both(&b);
}

/* A step back undoes the last step, event by event, even where one side has logged thousands of events since the last
 * event of the other side. */
TEST(the_order_of_both_is_the_same_in_both_directions)
{
    enum { EVENTS = 40 };
    uint64_t stop[EVENTS][2];
    struct both b = open_lamed();
    for (int n = 0; n < 4; n++)
        round_on(&b);
    for (int n = 0; n < EVENTS; n++) {
        for (int i = 0; i < 2; i++)
            stop[n][i] = status(&b, i).events;
        b.ops->motion->step(b.s[0], STEP_EVENT, 1);
        do
            still(&b);
        while (status(&b, 0).events == stop[n][0] && status(&b, 1).events == stop[n][1]);
    }
    for (int n = EVENTS; n-- > 0;) {
        CHECK_INT(b.ops->rewind->step_back(b.s[0], STEP_EVENT, 1), GOTO_DONE);
        for (int i = 0; i < 2; i++)
            CHECK_INT(status(&b, i).events, stop[n][i]);
    }
    close_both(&b);
}

/* Even at the highest tempo, with events logged ahead, one side stops at its match, and the other side has not passed
 * that time. */
TEST(a_match_on_one_side_stops_both)
{
    struct session_mistake wrong = {.lang = LANG_EN};
    struct session_break list[4];
    struct both b = open_lamed();
    CHECK(b.ops->breaks->add(b.s[0], "g_start g=3", &wrong)); /* a worker's: only a thief starts it before main has
                                                             * finished */
    b.ops->motion->set_tempo(b.s[0], TEMPO_MAX);
    for (int n = 0; n < 2; n++) {
        b.ops->motion->pause(b.s[0], false);
        while (!status(&b, 0).paused)
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        still(&b);
        int who = !n; /* the right side's thief starts G3 soon, the left side's P0 only at the end */
        CHECK_STR(status(&b, who).stop.text, "g_start g=3");
        CHECK_STR(status(&b, !who).stop.text, "");
        CHECK(last_core(&b, !who) <= last_core(&b, who));
    }
    CHECK_INT(b.ops->breaks->list(b.s[0], list, 4), 1);
    CHECK_INT(list[0].hits, 2);
    close_both(&b);
}

/* A pause ends what is in progress, here a round of thousands of events, and the next step continues from there. */
TEST(a_pause_ends_a_round_that_does_not_end)
{
    struct both b = open_text(spinning, "--disable", "stealing");
    still(&b);
    do {
        b.ops->motion->step(b.s[0], STEP_ROUND, 1);
        while (!status(&b, 0).still && !status(&b, 0).stepping)
            ;
    } while (!status(&b, 0).stepping);
    b.ops->motion->pause(b.s[0], true);
    still(&b);
    CHECK(!status(&b, 0).ended && !status(&b, 1).ended);
    uint64_t events = status(&b, 0).events + status(&b, 1).events;
    b.ops->motion->step(b.s[0], STEP_EVENT, 1);
    do
        still(&b);
    while (status(&b, 0).events + status(&b, 1).events == events);
    close_both(&b);
}

/* More steps than there is time for: they are shown, and a pause ends them on both sides. */
TEST(a_pause_ends_the_steps_of_both)
{
    struct both b = open_text(endless, "--disable", "stealing");
    still(&b);
    b.ops->motion->step(b.s[0], STEP_EVENT, UINT32_MAX);
    while (!status(&b, 0).stepping)
        CHECK(!status(&b, 0).ended);
    b.ops->motion->pause(b.s[1], true);
    still(&b);
    for (int i = 0; i < 2; i++)
        CHECK(status(&b, i).paused && !status(&b, i).stepping);
    uint64_t events[2] = {status(&b, 0).events, status(&b, 1).events};
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    for (int i = 0; i < 2; i++)
        CHECK_INT(status(&b, i).events, events[i]);
    close_both(&b);
}

/* Plays at full speed, requested through one of them. */
static void play_to_the_ends(struct both *b, int by)
{
    b->ops->motion->set_tempo(b->s[by], TEMPO_MAX);
    b->ops->motion->pause(b->s[by], false);
    while (!status(b, 0).ended || !status(b, 1).ended)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

TEST(both_restart_on_one_clock)
{
    struct both b = open_both("--procs", "4");
    still(&b);
    play_to_the_ends(&b, 0);
    b.ops->motion->set_tempo(b.s[0], TEMPO_FIXED(0.001)); /* the next event would be in a quarter of an hour */
    b.ops->motion->restart(b.s[0], 5);
    while (status(&b, 0).run != 1 || status(&b, 1).run != 1)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    for (int i = 0; i < 2; i++) {
        CHECK(!status(&b, i).ended && !status(&b, i).paused);
        CHECK(status(&b, i).events < 20);
    }
    close_both(&b);
}

TEST(the_same_again_is_each_ones_own_seed)
{
    struct both b = open_both("--seed", "9");
    still(&b);
    uint64_t left = status(&b, 0).seed;
    CHECK(left != 9);
    for (uint32_t run = 1; run <= 2; run++) {
        b.ops->motion->restart(b.s[0], run == 1 ? left : 5);
        while (status(&b, 0).run != run || status(&b, 1).run != run)
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        CHECK_INT(status(&b, 0).seed, run == 1 ? left : 5);
        CHECK_INT(status(&b, 1).seed, run == 1 ? 9 : 5);
    }
    close_both(&b);
}

TEST(both_come_to_their_ends)
{
    struct both b = open_both("--procs", "4");
    still(&b);
    play_to_the_ends(&b, 1);
    CHECK_INT(status(&b, 0).how, ENDED_MAIN_RETURNED);
    CHECK_INT(status(&b, 1).how, ENDED_MAIN_RETURNED);
    close_both(&b);
}

/* An internal check ends the left side at its first moment without anything to do; events logged after that are
 * never folded. */
static struct both open_broken(void)
{
    char *file = (char *)SOURCE_DIR "/scenarios/whatif-recheck.yaml";
    struct both b = {0};
    open_side(&b, 0, (char *[]){file, "--fine", "--disable", "spinning_recheck", "--strict"}, 5);
    open_side(&b, 1, (char *[]){file, "--fine"}, 2);
    b.p = comparison_new(b.s[0], b.s[1], TEMPO_FIXED(1));
    CHECK(b.p);
    b.ops = comparison_ops(b.p);
    b.ops->motion->pause(b.s[0], true);
    still(&b);
    return b;
}

/* Step by step and back, and then at once: the broken side stays where it broke, and the other one continues to its
 * own end. */
TEST(a_side_that_fails_does_not_hold_the_other)
{
    struct both b = open_broken();
    while (!status(&b, 0).failed)
        round_on(&b);
    uint64_t broken = status(&b, 0).events;
    CHECK(!status(&b, 1).ended);
    for (int n = 0; n < 30; n++) {
        uint64_t was = status(&b, 1).events;
        b.ops->motion->step(b.s[n % 2], n % 3 ? STEP_EVENT : STEP_ROUND, 1);
        do
            still(&b);
        while (status(&b, 1).events == was);
        CHECK_INT(status(&b, 0).events, broken);
    }
    uint64_t newest = status(&b, 1).events;
    CHECK_INT(b.ops->rewind->goto_event(b.s[0], broken / 2), GOTO_DONE);
    CHECK(status(&b, 1).events < newest);
    b.ops->motion->set_tempo(b.s[0], TEMPO_MAX);
    b.ops->motion->pause(b.s[0], false);
    while (!status(&b, 1).ended)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    CHECK(status(&b, 0).failed && !status(&b, 1).failed);
    CHECK_INT(status(&b, 0).events, broken);
    CHECK_INT(status(&b, 1).how, ENDED_MAIN_RETURNED);
    CHECK(status(&b, 1).events > newest);
    close_both(&b);
}

/* Quits at any time, also while it runs. */
TEST(it_can_be_left_while_it_runs)
{
    for (int i = 0; i < 20; i++) {
        struct both b = open_both("--seed", "9");
        b.ops->motion->set_tempo(b.s[0], TEMPO_MAX);
        b.ops->motion->pause(b.s[0], false);
        nanosleep(&(struct timespec){.tv_nsec = 200000 * i}, NULL); /* waits for nothing: any moment will do */
        close_both(&b);
    }
}

/* G1 computes for ever, and the worker behind it waits unless a thief takes it. */
static const char behind[] =
    "name: behind\n"
    "scheduler: {gomaxprocs: 2, preempt_slice: 10s}\n"
    "shared: [seen]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: worker}, {loop: forever, do: [{compute: 10us}, {if: seen == 1, then: [{exit: true}]}]}]\n"
    "  - name: worker\n"
    "    do: [{set: seen, to: 1}, {compute: 1ms}]\n";

static void run_to_the_end(const struct both *b)
{
    b->ops->motion->set_tempo(b->s[0], TEMPO_MAX);
    b->ops->motion->pause(b->s[0], false);
    while (!status(b, 0).paused)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

/* The stuck side stays where it is, the same place each time; a step moves it by one event; the past is not stuck. */
TEST(a_side_that_is_stuck_stays_until_it_is_moved)
{
    uint64_t at = 0;
    for (int i = 0; i < 2; i++) {
        struct both b = open_text(behind, "--disable", "stealing");
        still(&b);
        run_to_the_end(&b);
        struct session_status l = status(&b, 0), r = status(&b, 1);
        CHECK(l.ended && !l.stuck && !r.ended && r.stuck);
        CHECK(r.stuck_since > 0 && r.stuck_since + 30000000 <= r.time); /* twice the slice, as it counts, and 10 ms */
        CHECK(r.time < r.stuck_since + 32000000);
        CHECK(!at || at == r.events);
        at = r.events;
        b.ops->motion->step(b.s[0], STEP_EVENT, 1);
        while (status(&b, 1).events == at)
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        still(&b);
        CHECK(status(&b, 1).stuck);
        CHECK_INT(b.ops->rewind->goto_event(b.s[1], 20), GOTO_DONE);
        CHECK(!status(&b, 1).stuck);
        close_both(&b);
    }
}

/* The first events that differ are the same in whatever way they are reached, and are searched again after a restart. */
TEST(both_are_shown_where_they_part)
{
    struct session_verdict v, again;
    struct both b = open_text(behind, "--disable", "stealing");
    still(&b);
    CHECK_INT(b.ops->pair->goto_parting(b.s[0]), GOTO_TOO_LATE); /* it is still to come: both run there */
    while (!status(&b, 0).paused)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    b.ops->pair->verdict(b.s[0], &v);
    CHECK(v.parting.parted && v.has[0] && v.has[1] && v.parting.same > 0);
    for (int i = 0; i < 2; i++)
        CHECK_INT(status(&b, i).events, v.parting.same + 1);
    CHECK(v.first[0].ev.kind != v.first[1].ev.kind || v.first[0].m != v.first[1].m);
    run_to_the_end(&b);
    CHECK_INT(b.ops->pair->goto_parting(b.s[1]), GOTO_DONE);
    for (int i = 0; i < 2; i++)
        CHECK_INT(status(&b, i).events, v.parting.same + 1);
    b.ops->motion->restart(b.s[0], 7);
    while (!status(&b, 0).paused || status(&b, 0).run == v.run[0] || status(&b, 1).run == v.run[1])
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    run_to_the_end(&b);
    b.ops->pair->verdict(b.s[0], &again);
    CHECK(again.parting.parted && again.run[0] == status(&b, 0).run && again.run[1] == status(&b, 1).run);
    close_both(&b);
}
