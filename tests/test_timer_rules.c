/* Timers that are stopped and reset, in each generation: tests/scenarios/timers has a program for each rule, with claims. */
#include "shell.h"

static const char *const generations[] = {"go1.0", "go1.4", "go1.13", "go1.20", "go1.21", "go1.22", "go1.23", "go1.26"};

static void holds(const char *name)
{
    char command[700];
    for (size_t i = 0; i < sizeof generations / sizeof *generations; i++) {
        snprintf(command, sizeof command, "gmpscope check " SOURCE_DIR "/tests/scenarios/timers/%s.yaml --audit --generation %s", name,
                 generations[i]);
        struct result *r = shell(command);
        if (r->code != 0)
            t_fail(__FILE__, __LINE__, "%s: %s%s", generations[i], r->out, r->err);
    }
}

TEST(an_earlier_reset_wakes_an_m)
{
    holds("earlier");
}

TEST(stopped_timers_leave_a_crowded_heap)
{
    holds("crowd");
}

TEST(zombies_leave_the_end_of_a_heap)
{
    holds("tail");
}

TEST(stop_leaves_no_old_value_since_1_23)
{
    holds("both");
}

TEST(the_guarded_idiom_works_in_each_generation)
{
    holds("idiom");
}

TEST(lastpoll_is_when_a_wait_has_ended_since_1_21)
{
    holds("lastpoll");
}

TEST(a_heap_is_sorted_again)
{
    holds("sorted");
}

TEST(a_ticker_ticks_at_the_period_of_its_reset)
{
    holds("period");
}

/* Does it hold in each order of the steps of Ms, too? */
static void explored(const char *name, unsigned seeds, const char *generation)
{
    char command[700];
    snprintf(command, sizeof command, "gmpscope explore " SOURCE_DIR "/tests/scenarios/timers/%s.yaml --seeds %u --audit --generation %s",
             name, seeds, generation);
    struct result *r = shell(command);
    if (r->code != 0)
        t_fail(__FILE__, __LINE__, "%s: %s%s", generation, r->out, r->err);
}

TEST(stop_reset_and_select_do_not_race)
{
    for (size_t i = 0; i < sizeof generations / sizeof *generations; i++)
        explored("race", 40, generations[i]);
    holds("race");
}

TEST(a_reset_that_an_m_overtakes_loses_no_value)
{
    explored("lost", 1000, "go1.26");
    explored("lost", 100, "go1.20");
    holds("lost");
}

TEST(a_timer_that_is_due_when_a_g_waits_sends_once)
{
    explored("once", 1000, "go1.26");
    explored("once", 100, "go1.20");
    explored("once", 100, "go1.4");
}

TEST(a_g_may_look_at_a_timer_that_is_being_made) /* for ThreadSanitizer */
{
    holds("made");
}

/* One rule alone, in a generation that does not have it. */
TEST(each_rule_can_be_switched)
{
    static const struct {
        const char *file, *how, *line;
    } rows[] = {{"both", "--generation go1.20 --enable sync_timer_channels", "nothing\n"},
                {"both", "--generation go1.26 --disable sync_timer_channels", "a value\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char command[700];
        snprintf(command, sizeof command, "gmpscope run " SOURCE_DIR "/tests/scenarios/timers/%s.yaml --headless %s", rows[i].file,
                 rows[i].how);
        HAS(shell(command)->out, rows[i].line);
    }
    CHECK_INT(
        atoi(shell("gmpscope query " SOURCE_DIR "/tests/scenarios/timers/crowd.yaml 'count(wakep why=poller)' --generation go1.20")->out),
        41);
    CHECK_INT(atoi(shell("gmpscope query " SOURCE_DIR
                         "/tests/scenarios/timers/crowd.yaml 'count(wakep why=poller)' --generation go1.20 --enable lazy_timers")
                       ->out),
              1);
}

/* ---- what lint says ---- */

static void refuses(const char *operations, const char *message)
{
    FILE *f = fopen(in_tmp("bad.yaml"), "w");
    CHECK(f);
    fprintf(f, "name: bad\nchannels: [{name: ch, buffer: 1}]\ngoroutines: [{name: main, do: [%s]}]\n", operations);
    fclose(f);
    char command[700];
    snprintf(command, sizeof command, "gmpscope lint %s", in_tmp("bad.yaml"));
    struct result *r = shell(command);
    CHECK_INT(r->code, 2);
    HAS(r->err, message);
}

TEST(lint_knows_what_a_timer_can_do)
{
    refuses("{timer: 1ms, as: t}, {send: t}", "can only receive from it");
    refuses("{timer: 1ms, as: t}, {close: t}", "can only receive from it");
    refuses("{timer: ch, after: 1ms}, {stop: ch}", "cannot be stopped");
    refuses("{timer: 1ms, as: t}, {reset: t}", "add \"after: DUR\"");
    refuses("{timer: 1ms, as: t}, {reset: t, every: 1ms}", "is a timer");
    refuses("{ticker: 1ms, as: t}, {reset: t, after: 1ms}", "is a ticker");
    refuses("{ticker: 1ms, as: t}, {stop: t, as: x}", "return nothing");
    refuses("{ticker: 1ms, as: t}, {timer: 1ms, as: t}", "as a timer and as a ticker");
    refuses("{timer: 1ms, as: ch}", "declared twice");
    refuses("{timer: ch, after: 1ms, as: t}", "a channel of its own");
    refuses("{timer: soon, as: t}", "soon");
    refuses("{after: 1s, go: main, as: t}, {recv: t}", "starts a program and has no channel");
    refuses("{after: 1s, go: main, as: t}, {select: [{recv: t}]}", "starts a program and has no channel");
    refuses("{after: 1s, go: main, as: t}, {timer: 1s, as: t}", "as a timer and as a timer that starts a program");
    refuses("{after: 1s, go: main, as: t}, {reset: t, every: 1s}", "is a timer");
    refuses("{after: 1s, go: main, as: t}, {set: v, to: 1}, {set: w, to: v}, {set: x, to: v}, {set: y, to: v}, {set: z, to: v}",
            "has more than 4 variables");
}

/* The events of heaps have eight bits for a timer's number: the model knows others by their time. */
TEST(a_timer_may_be_any_channel)
{
    for (unsigned channels = 254; channels <= 255; channels++) {
        FILE *f = fopen(in_tmp("many.yaml"), "w");
        CHECK(f);
        fputs(
            "name: many\ngoroutines: [{name: main, do: [{timer: 1ms, as: t}, {timer: 1ms, as: u}, {reset: t, after: 2ms}, {stop: u}, {recv: t},"
            " {timer: 1ms, as: t}]}]\nchannels:\n",
            f);
        for (unsigned i = 0; i < channels; i++)
            fprintf(f, "  - c%u\n", i);
        fclose(f);
        char command[700];
        snprintf(command, sizeof command, "gmpscope run %s --headless --audit --generation go1.22", in_tmp("many.yaml"));
        struct result *r = shell(command);
        CHECK_INT(r->code, 0);
    }
}

/* Runs a program of one line. */
static struct result *run_text(const char *name, const char *text)
{
    char command[700];
    FILE *f = fopen(in_tmp(name), "w");
    CHECK(f);
    fputs(text, f);
    fclose(f);
    snprintf(command, sizeof command, "gmpscope run %s --headless", in_tmp(name));
    return shell(command);
}

/* In Go it waits for the old timer. Here there is one channel for each name: that is a limit of gmpscope, not a panic of the program. */
TEST(a_timer_for_which_a_g_waits_cannot_be_made_again)
{
    struct result *r = run_text("again.yaml",
                                "name: again\ngoroutines: [{name: main, do: [{timer: 1h, as: t}, {go: a}, {sleep: 1ms}, "
                                "{timer: 1ms, as: t}]}, {name: a, do: [{recv: t}]}]\n");
    CHECK_INT(r->code, 2);
    HAS(r->err, "a goroutine waits for a timer that is made again");
}

TEST(a_timer_that_was_not_made_is_nil)
{
    struct result *r = run_text("nil.yaml",
                                "name: nil\ngoroutines: [{name: main, do: [{go: never}, {stop: t}]}, {name: never, do: "
                                "[{sleep: 1ms}, {timer: 1ms, as: t}]}]\n");
    CHECK_INT(r->code, 3);
    HAS(r->err, "nil pointer dereference");
}
