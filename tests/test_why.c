/* Why does a G not run? The real program on an emulated terminal shows the whole chain of causes in each layout and in both languages. */
#include "screen.h"

/* G4 waits for G3, G3 for G2, and G2 for its timer. */
static const char chain_text[] =
    "name: chained\n"
    "scheduler: {gomaxprocs: 1, preempt_slice: 10s}\n"
    "mutexes: [a, b]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: first}, {yield: 1}, {go: second}, {yield: 1}, {go: third}, {yield: 1}, {print: all}, {sleep: 5ms}]\n"
    "  - {name: first, do: [{lock: a}, {sleep: 3ms}, {unlock: a}]}\n"
    "  - {name: second, do: [{lock: b}, {lock: a}, {unlock: a}, {unlock: b}]}\n"
    "  - {name: third, do: [{lock: b}, {unlock: b}]}\n";

/* Each of the two Gs holds a mutex and waits for the other's. */
static const char circle_text[] =
    "name: circle\n"
    "scheduler: {gomaxprocs: 1, preempt_slice: 10s}\n"
    "mutexes: [a, b]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: first}, {go: second}, {sleep: 1ms}, {print: all}, {sleep: 1s}]\n"
    "  - {name: first, do: [{lock: a}, {yield: 2}, {lock: b}]}\n"
    "  - {name: second, do: [{lock: b}, {yield: 2}, {lock: a}]}\n";

/* The holder is in the global queue, and the only P runs main. */
static const char queued_text[] =
    "name: queued\n"
    "scheduler: {gomaxprocs: 1, preempt_slice: 10s}\n"
    "mutexes: [a]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: first}, {yield: 1}, {go: second}, {yield: 1}, {print: all}, {compute: 1ms}]\n"
    "  - {name: first, do: [{lock: a}, {yield: 5}, {unlock: a}]}\n"
    "  - {name: second, do: [{lock: a}, {unlock: a}]}\n";

/* No G receives. */
static const char peer_text[] =
    "name: alone\n"
    "scheduler: {gomaxprocs: 1}\n"
    "channels: [c]\n"
    "goroutines: [{name: main, do: [{print: all}, {send: c}]}]\n";

static struct term *explain(const char *text, int rows, int columns, const char *layout, const char *lang, const char *keys)
{
    struct term *t = term_start(rows, columns, NULL,
                                (const char *const[]){GMPSCOPE_BIN, "run", t_file("why.yaml", text), "--tempo", "max", "--break", "print",
                                                      "--layout", layout, "--lang", lang, NULL});
    bool letters = !strcmp(layout, "projector") && columns >= 120; /* its sentence is made of blocks */
    term_wait(t, letters ? " ev 55" : strcmp(lang, "zh") ? "G1 prints \"all\"" : "G1 打印“all”");
    term_keys(t, keys);
    return t;
}

TEST(a_chain_is_followed_to_its_end)
{
    struct term *t = explain(chain_text, 40, 120, "compact", "en", ":inspect g4\ry");
    term_wait(t, "G4 third ─ Why is it not running?");
    term_wait(t, "G4 (third, line 9) waits for mutex b, held by G3.");
    term_wait(t, "G3 (second, line 8) waits for mutex a, held by G2.");
    term_wait(t, "G2 waits for its timer.");
    term_wait(t, "Its timer in P0's heap is due at 3");
    quit(t);
}

/* Below a layout without the pane, y turns it, and escape and enter close it. */
TEST(y_again_shows_the_life)
{
    struct term *t = explain(chain_text, 40, 120, "compact", "en", ":inspect g4\ry");
    term_wait(t, "G4 third ─ Why is it not running?");
    term_wait(t, "y: its life, enter closes this");
    term_keys(t, "y");
    term_wait(t, "G1 starts G4 (third).");
    term_wait(t, "y: why not, enter closes this");
    CHECK(!term_shows(t, "Why is it not running?"));
    term_keys(t, "y");
    term_wait(t, "G4 third ─ Why is it not running?");
    term_keys(t, "\r");
    term_wait_gone(t, "Why is it not running?");
    term_keys(t, "yy");
    term_wait(t, "G1 starts G4 (third).");
    term_keys(t, "\x1b[Z"); /* with the focus, enter goes to the event of a line */
    term_wait(t, "y: why not, enter goes there, esc closes");
    term_keys(t, "\x1b");
    term_wait_gone(t, "G1 starts G4 (third).");
    quit(t);
}

TEST(escape_closes_the_pane_before_it_drops_the_selection)
{
    struct term *t = explain(chain_text, 40, 120, "compact", "en", ":inspect g4\r");
    term_wait(t, "╭ G4 ─ third");
    term_keys(t, "\x1b");
    term_wait_gone(t, "╭ G4 ─ third");
    term_keys(t, "y");
    term_wait(t, "G4 third ─ Why is it not running?");
    quit(t);
}

TEST(a_long_cause_wraps_where_rows_are_free)
{
    struct term *t = term_start(24, 80, NULL, STEAL_HALF("--tempo", "max", "--layout", "compact", "--break", "steal n>=2"));
    term_wait(t, "M2 steals 4 Gs from P0 for P1 and holds G6.");
    term_keys(t, ":inspect g6\ry");
    term_wait(t, "M2 holds it and is about to queue or");
    term_wait(t, "  run it.");
    quit(t);
}

TEST(a_g_that_runs_has_no_reason)
{
    struct term *t = explain(chain_text, 40, 120, "compact", "en", ":inspect g1\ry");
    term_wait(t, "G1 is running");
    CHECK(!term_shows(t, "Why is it not running?"));
    quit(t);
}

TEST(a_chain_is_followed_in_chinese)
{
    struct term *t = explain(chain_text, 24, 80, "compact", "zh", ":inspect g4\ry");
    term_wait(t, "为什么没有运行");
    term_wait(t, "G4（third，第 9 行）等待互斥锁 b，由 G3 持有");
    term_wait(t, "G3（second，第 8 行）等待互斥锁 a，由 G2");
    term_wait(t, "堆上的定时器");
    quit(t);
}

TEST(a_circle_is_named)
{
    struct term *t = explain(circle_text, 24, 80, "compact", "en", ":inspect g2\ry");
    term_wait(t, "G2 (first, line 7) waits for mutex b, held by G3.");
    term_wait(t, "G3 (second, line 8) waits for mutex a, held by G2.");
    term_wait(t, "A circle: G2 → G3 → G2. Each waits for the next, so none can continue.");
    quit(t);
    t = explain(circle_text, 24, 80, "compact", "zh", ":inspect g2\ry");
    term_wait(t, "形成环：G2 → G3 → G2");
    quit(t);
}

TEST(a_holder_in_a_queue_is_explained_too)
{
    struct term *t = explain(queued_text, 24, 80, "compact", "en", ":inspect g3\ry");
    term_wait(t, "G3 (second, line 8) waits for mutex a, held by G2.");
    term_wait(t, "G2 has been runnable for ");
    term_wait(t, "No other P is idle and no M spins");
    quit(t);
}

/* Four Gs in a circle, each with a long wait. */
static const char round_text[] =
    "name: round\n"
    "scheduler: {gomaxprocs: 1, preempt_slice: 10s}\n"
    "mutexes: [fork_of_the_first, fork_of_the_second, fork_of_the_third, fork_of_the_fourth]\n"
    "goroutines:\n"
    "  - {name: main, do: [{go: a}, {go: b}, {go: c}, {go: d}, {sleep: 1ms}, {print: all}, {sleep: 1s}]}\n"
    "  - {name: a, do: [{lock: fork_of_the_first}, {yield: 2}, {lock: fork_of_the_second}]}\n"
    "  - {name: b, do: [{lock: fork_of_the_second}, {yield: 2}, {lock: fork_of_the_third}]}\n"
    "  - {name: c, do: [{lock: fork_of_the_third}, {yield: 2}, {lock: fork_of_the_fourth}]}\n"
    "  - {name: d, do: [{lock: fork_of_the_fourth}, {yield: 2}, {lock: fork_of_the_first}]}\n";

/* The answer comes first. How long each has waited is left out where there is no room for it. */
TEST(a_circle_is_whole_in_few_rows)
{
    struct term *t = explain(round_text, 24, 80, "compact", "en", ":inspect g2\ry");
    term_wait(t, "A circle: G2 → G3 → G4 → G5 → G2. Each waits for the next, so none can");
    term_wait(t, "G2 (a, line 6) waits for mutex fork_of_the_second, held by G3.");
    term_wait(t, "G5 (d, line 9) waits for mutex fork_of_the_first, held by G2.");
    CHECK(!term_shows(t, "It has waited"));
    quit(t);
    t = explain(round_text, 40, 120, "classic", "en", ":inspect g2\ry");
    term_wait(t, "A circle: G2 → G3 → G4 → G5 → G2. ");
    term_wait(t, "held by G2. It has waited for ");
    quit(t);
}

/* wakep is disabled, so no M is woken for G2: --strict ends the run there, and nothing mends it. */
static const char lost_text[] =
    "name: lost\n"
    "scheduler: {disable: [wakep]}\n"
    "goroutines:\n"
    "  - {name: main, do: [{go: other}, {compute: 1ms}]}\n"
    "  - {name: other, do: [{compute: 10ms}]}\n";

TEST(a_lost_wake_up_is_not_said_to_be_mended)
{
    for (int zh = 0; zh < 2; zh++) {
        struct term *t = term_start(24, 80, NULL,
                                    (const char *const[]){GMPSCOPE_BIN, "run", t_file("lost.yaml", lost_text), "--strict", "--tempo", "max",
                                                          "--layout", "compact", "--lang", zh ? "zh" : "en", NULL});
        term_wait(t, zh ? "没有唤醒 M 来运行它" : "no M was woken");
        term_keys(t, ":inspect g2\ry");
        term_wait(t, zh ? "却没有 M 被唤醒：这次唤醒丢失了。" : "No M spins. Idle Ps: 1. No M was woken for it: the wake-up is lost.");
        CHECK_INT(term_wait_exit((term_keys(t, "q"), t)), 4);
        term_free(t);
    }
}

TEST(a_g_of_a_program_that_has_ended_does_not_run)
{
    struct term *t = term_start(
        24, 80, NULL,
        (const char *const[]){GMPSCOPE_BIN, "run", t_file("why.yaml", circle_text), "--tempo", "max", "--layout", "compact", NULL});
    term_wait(t, "ENDED");
    term_keys(t, ":inspect g1\ry");
    term_wait(t, "G1 was running when the program ended.");
    quit(t);
}

TEST(a_peer_that_never_comes_is_a_deadlock)
{
    struct term *t = explain(peer_text, 24, 80, "compact", "en", " ");
    term_wait(t, "deadlock");
    term_keys(t, ":inspect g1\ry");
    term_wait(t, "G1 (main, line 4) waits to send on c, from which no other G receives.");
    term_wait(t, "No G can run, and no timer or conn can wake one: deadlock.");
    CHECK_INT(term_wait_exit((term_keys(t, "q"), t)), 3);
    term_free(t);
}

TEST(y_answers_in_each_layout)
{
    static const char *const layouts[] = {"classic", "compact", "projector", "timeline", "queues", "lesson", "code", "search"};
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        for (int large = 0; large < 2; large++) {
            struct term *t = explain(queued_text, large ? 40 : 24, large ? 120 : 80, layouts[i], "en", ":inspect g3\ry");
            term_wait(t, "Why is it not running?");
            term_wait(t, "G3 (second, line 8) waits for mutex a, held by G2.");
            quit(t);
        }
}

/* ---- two runs ---- */

static int times(const char *text, const char *word)
{
    int n = 0;
    for (; (text = strstr(text, word)); text++)
        n++;
    return n;
}

/* Each run of a comparison says why the G does not run there: below the panes, or in the pane of the layout. */
static void check_both(const char *layout, int rows, int columns)
{
    const char *const argv[] = {
        GMPSCOPE_BIN, "compare", "steal-half", "--right", "procs=3", "--tempo", "max", "--layout", layout, "--break", "steal", NULL};
    struct term *t = term_start(rows, columns, NULL, argv);
    term_wait(t, "PAUSED at steal");
    term_keys(t, ":inspect g3\r\ry");
    term_wait(t, "Why is it not running?");
    wait_handled(t);
    CHECK_INT(times(term_text(t), "G3 worker ─ Why is it not running?"), 2);
    CHECK_INT(times(term_text(t), "G3 has been runnable for"), 2);
    term_keys(t, "y");
    term_wait_gone(t, "Why is it not running?");
    CHECK_INT(times(term_text(t), ", waited "), 2);
    quit(t);
}

TEST(y_answers_for_both_runs)
{
    check_both("classic", 40, 120);
    check_both("queues", 60, 240);
}

/* The reason comes from the log: since when, in which queue, what was taken before it, what looks there next. */
TEST(a_runnable_g_has_its_reason_from_the_log)
{
    struct term *t =
        term_start(30, 100, NULL,
                   (const char *const[]){GMPSCOPE_BIN, "run", "fairness-61", "--tempo", "max", "--break", "globq_get why=tick61", NULL});
    term_wait(t, "PAUSED at globq_get");
    term_keys(t, "y");
    term_wait(t, "   49  Runnable since this event: G2 yields.");
    term_wait(t, "   50  In the queue since then: G2 goes to the tail of the global queue.");
    term_wait(t, " 1098  Taken out by: M0 takes G2 from the global queue (the schedtick is a multiple of 61).");
    term_wait(t, "Taken from P0's queue since then: by P0 itself 99, by thieves 0.");
    term_keys(t, "\x1b:goto 1094\r:inspect g2\ry");
    term_wait(t, "A P looks there when its own queue is empty, and first in each 61st round (P0: 0 to go).");
    quit(t);
    t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--break", "steal n>=2", "--lang", "zh"));
    term_wait(t, "暂停于 steal");
    term_keys(t, ":inspect g7\ry");
    term_wait(t, "57  自此在队列中：G7 放到 P0 本地队列尾部。");
    term_wait(t, "此后从 P0 的队列中：P0 自己取走 1 个，被偷走 4 个。");
    quit(t);
}

/* The two faces of the pane tell the same of a moment in the past: both count up to it. */
TEST(why_and_life_agree_about_the_past)
{
    struct term *t = term_start(30, 100, NULL, STEAL_HALF("--tempo", "max", "--lang", "en"));
    term_wait(t, "ENDED");
    term_keys(t, "\x1b");
    term_keys(t, ":goto 276\r");
    term_wait(t, "BACK at event 276");
    term_keys(t, ":inspect g7\r");
    term_keys(t, "y");
    term_wait(t, "G7 has been runnable for 4 ms.");
    term_keys(t, "y");
    term_wait(t, "was runnable 4 ms");
    quit(t);
}
