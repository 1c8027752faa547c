/* The real program in an emulated terminal, end to end: what a person at the keyboard sees. */
#include "base/wall.h"
#include "screen.h"
#include "shell.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct term *start(const char *const *argv)
{
    return term_start(40, 120, NULL, argv);
}

static void pause_it(struct term *t)
{
    term_keys(t, " ");
    term_wait(t, "PAUSED");
}

/* A steal's arrow: its corner or its ASCII stand-in, in the gutter of the processors. */
static bool has_arrow(struct term *t, void *arg)
{
    (void)arg;
    return term_shows(t, "◀─");
}

TEST(first_frame)
{
    struct term *t = start(STEAL_HALF());
    term_wait(t, "event ");
    static const char *const texts[] = {"P0", "P1", "M0", "runnext", "runq", "Global queue", "Threads", "lockstep", "seed 1", "quit"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        term_wait(t, texts[i]);
    CHECK(term_altscreen(t));
    quit(t);
}

TEST(space_pauses_and_resumes)
{
    struct term *t = start(STEAL_HALF("--tempo", "10"));
    wait_past(t, 3);
    pause_it(t);
    wait_handled(t);
    long before = event_number(t);
    for (int i = 0; i < 5; i++)
        wait_handled(t);
    CHECK_INT(event_number(t), before);
    term_keys(t, " ");
    wait_past(t, before);
    term_wait_gone(t, "PAUSED");
    quit(t);
}

TEST(steps)
{
    struct term *t = start(STEAL_HALF("--tempo", "10"));
    wait_past(t, 3);
    pause_it(t);
    for (int i = 0; i < 5; i++) {
        long before = event_number(t);
        term_keys(t, "s");
        wait_past(t, before);
        term_wait(t, "PAUSED");
    }
    for (int i = 0; i < 5; i++) {
        long before = event_number(t);
        term_keys(t, "n");
        wait_past(t, before);
        term_wait(t, "PAUSED");
    }
    quit(t);
}

/* Returns what `run … --headless` with these arguments prints; the caller frees it. */
static const char *headless(const char *arguments)
{
    char command[1024];
    snprintf(command, sizeof command, "gmpscope run steal-half --headless %s", arguments);
    struct result *r = shell(command);
    CHECK_INT(r->code, 0);
    return r->out;
}

/* Returns the number of the first event after event n that ends a round, and its sentence, by the headless narration of the same run. */
static long round_end(const char *story, long n, char sentence[200])
{
    for (long i = 1; story; i++, story = strchr(story, '\n'), story = story ? story + 1 : NULL) {
        snprintf(sentence, 200, "%.*s", (int)strcspn(story, "\n"), story);
        bool park = strstr(sentence, "sleeps") && strncmp(sentence, "sysmon", 6) != 0;
        if (i > n && (park || strstr(sentence, " runs G")))
            return i;
    }
    return -1;
}

static bool is_at(struct term *t, void *arg)
{
    return event_number(t) == *(long *)arg;
}

/* The screen shows the same story as the headless run of the same seed: a round stops at the first event that ends one, and
 * shows its sentence. */
TEST(a_round_ends_with_its_sentence)
{
    const char *story = headless("--narrate");
    struct term *t = start(STEAL_HALF("--tempo", "10"));
    wait_past(t, 12); /* the boot is one sentence */
    pause_it(t);
    wait_handled(t);
    char sentence[200];
    long end = round_end(story, event_number(t), sentence);
    CHECK(end > 0);
    term_keys(t, "n");
    term_wait_for(t, "the round does not stop at its end", is_at, &end);
    wait_handled(t);
    CHECK_INT(event_number(t), end);
    sentence[18] = 0; /* panes are narrow */
    term_wait(t, sentence);
    quit(t);
}

TEST(the_arrow_of_a_steal)
{
    struct term *t = start(STEAL_HALF("--tempo", "max", "--break", "steal thief=1"));
    term_wait(t, "PAUSED at steal thief=1");
    term_wait_for(t, "no arrow", has_arrow, NULL);
    int column, from = term_find(t, "P0", NULL), to = term_find(t, "P1", NULL);
    int at = term_find(t, "◀─", &column);
    CHECK(from >= 0 && to > from);
    CHECK_INT(at, to);
    quit(t);
}

TEST(the_arrow_without_a_break)
{
    struct term *t = start(STEAL_HALF("--tempo", "5")); /* each event stays for several frames */
    term_wait_for(t, "no arrow", has_arrow, NULL);
    quit(t);
}

static bool ended_without_arrow(struct term *t, void *arg)
{
    (void)arg;
    return term_shows(t, "ENDED") && !has_arrow(t, NULL);
}

/* After the end an arrow fades with time, as during the run. */
TEST(the_arrow_goes_when_the_run_has_ended)
{
    struct term *t = start(STEAL_HALF("--tempo", "max", "--limit", "20us", "--break", "steal"));
    term_wait_for(t, "no arrow", has_arrow, NULL); /* the run has stopped: a slow machine sees it, too */
    term_keys(t, " ");
    term_wait_for(t, "the arrow stays after the end", ended_without_arrow, NULL);
    quit(t);
}

TEST(help)
{
    struct term *t = start(STEAL_HALF());
    term_wait(t, "event ");
    term_keys(t, "?");
    term_wait(t, "step one event");
    static const char *const texts[] = {"step one round", "pause", "slower", "faster", "lockstep or free", "quit"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        term_wait(t, texts[i]);
    term_keys(t, "?");
    term_wait_gone(t, "step one round");
    quit(t);
}

TEST(tempo)
{
    struct term *t = start(STEAL_HALF("--tempo", "4"));
    term_wait(t, "tempo 4/s");
    term_keys(t, "+");
    term_wait_gone(t, "tempo 4/s");
    term_keys(t, "-");
    term_wait(t, "tempo 4/s");
    quit(t);
}

TEST(the_default_tempo_is_auto_and_plus_and_minus_scale_it)
{
    struct term *t = start(STEAL_HALF("--break", "steal"));
    term_wait(t, "PAUSED at steal");
    term_keys(t, "+");
    term_wait(t, "tempo auto × 2");
    term_keys(t, "--");
    term_wait(t, "tempo auto × 0.5");
    term_keys(t, ":set tempo 3\r+");
    term_wait(t, "tempo 4/s");
    term_keys(t, ":tempo auto\r+");
    term_wait(t, "tempo auto × 2");
    term_keys(t, ":tempo auto\r");
    term_wait_gone(t, "auto × 2");
    term_wait(t, "tempo auto");
    quit(t);
}

TEST(m_enters_free_mode_in_slow_motion_and_says_so)
{
    struct term *t = start(STEAL_HALF("--tempo", "max", "--break", "steal"));
    term_wait(t, "PAUSED at steal");
    term_keys(t, "m");
    term_wait(t, "free mode in slow motion, speed 1/100000");
    term_keys(t, "+");
    term_wait(t, "speed 1/10000");
    term_wait_gone(t, "slow motion");
    quit(t);
}

TEST(resize)
{
    struct term *t = start(STEAL_HALF("--tempo", "10"));
    term_wait(t, "Threads");
    term_resize(t, 24, 80);
    term_wait(t, "P0");
    term_wait(t, "runnext");
    term_resize(t, 10, 40);
    term_wait(t, "40x10");
    term_resize(t, 1, 1);
    term_wait_output(t);
    static const int sizes[][2] = {{2, 300}, {200, 3}, {5, 5}, {300, 400}, {1, 80}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        term_resize(t, sizes[i][0], sizes[i][1]);
        term_wait_output(t);
    }
    term_resize(t, 40, 120);
    term_wait(t, "Threads");
    term_wait(t, "P0");
    quit(t);
}

TEST(starts_small)
{
    struct term *t = term_start(1, 1, NULL, STEAL_HALF());
    term_resize(t, 40, 120);
    term_wait(t, "Threads");
    quit(t);
}

TEST(mode_to_free_and_back)
{
    struct term *t = start(STEAL_HALF("--tempo", "10"));
    wait_past(t, 3);
    pause_it(t);
    term_keys(t, "m");
    term_wait_gone(t, "seed 1");
    term_wait(t, "free");
    term_wait(t, "PAUSED");
    term_keys(t, "m");
    term_wait(t, "was free");
    long before = event_number(t);
    term_keys(t, "s");
    wait_past(t, before);
    quit(t);
}

TEST(free_runs_to_its_end)
{
    struct term *t = start(STEAL_HALF("--tempo", "10"));
    wait_past(t, 3);
    term_keys(t, "m");
    term_wait(t, "ENDED: main returned");
    quit(t);
}

TEST(stays_up_after_the_end)
{
    struct term *t = start(STEAL_HALF("--tempo", "max"));
    term_wait(t, "ENDED: main returned");
    CHECK(term_altscreen(t));
    term_keys(t, "s n");
    wait_handled(t);
    term_wait(t, "ENDED: main returned");
    quit(t);
}

/* Returns the program's status after the signal; the terminal must be sane. */
static int status_after(int sig)
{
    struct term *t = start(STEAL_HALF());
    wait_past(t, 1);
    term_signal(t, sig);
    int status = term_wait_exit(t);
    term_check_sane(t);
    term_free(t);
    return status;
}

TEST(signals_leave_the_terminal_sane)
{
    CHECK_INT(status_after(SIGTERM), 143);
    CHECK_INT(status_after(SIGINT), 130);
    CHECK_INT(status_after(SIGHUP), 129);
}

TEST(crash_leaves_the_terminal_sane)
{
    static const int signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        int status = status_after(signals[i]);
#if T_SANITIZED /* its own handler runs after ours, and exits with its own status */
        CHECK(status != 0);
#else
        CHECK_INT(status, 128 + signals[i]);
#endif
    }
}

TEST(hangup_ends_the_program)
{
    struct term *t = start(STEAL_HALF());
    wait_past(t, 1);
    term_hangup(t);
    CHECK_INT(term_wait_exit(t), 129);
    term_free(t);
}

static bool on_shell(struct term *t, void *arg)
{
    (void)arg;
    return !term_altscreen(t);
}

TEST(suspend_and_continue)
{
    struct term *t = start(STEAL_HALF());
    wait_past(t, 1);
    term_keys(t, "\x1a");
    term_wait_for(t, "the shell's screen does not come back", on_shell, NULL);
    term_wait_stopped(t);
    term_signal(t, SIGCONT);
    term_wait(t, "Threads");
    CHECK(term_altscreen(t));
    quit(t);
}

/* Returns the scenario's time in the status line of a paused run, in ms. */
static double paused_at(struct term *t)
{
    char *unit;
    const char *paused = strstr(term_text(t), "PAUSED");
    CHECK(paused);
    double n = strtod(paused + strlen("PAUSED"), &unit);
    return strncmp(unit, " s", 2) == 0 ? n * 1000 : strncmp(unit, " ms", 3) == 0 ? n : n / 1000;
}

/* The run's clock never shows more than the time for which the program was not stopped. */
TEST(the_clock_of_a_free_run_stands_still_in_the_shell)
{
    enum { STOPPED_MS = 1500 };
    const char *file = t_file(
        "busy.yaml",
        "name: busy\nscheduler: {gomaxprocs: 4}\nmutexes: [mu]\ngoroutines:\n  - {name: main, do: [{go: w, count: 20}, {sleep: 1h}]}\n"
        "  - {name: w, do: [{loop: forever, do: [{lock: mu}, {compute: 1us}, {unlock: mu}, {yield: 1}, {sleep: 20us}]}]}\n");
    int64_t from = wall_ms();
    struct term *t = start((const char *const[]){GMPSCOPE_BIN, "run", file, "--mode", "free", NULL});
    term_wait(t, "running");
    term_keys(t, "\x1a");
    term_wait_stopped(t);
    usleep(STOPPED_MS * 1000);
    term_signal(t, SIGCONT);
    pause_it(t);
    CHECK(paused_at(t) <= (double)(wall_ms() - from - STOPPED_MS));
    quit(t);
}

/* A shell sees a job as stopped when its first process is. */
TEST(a_script_stops_with_the_program_that_it_runs)
{
    static const char *const script[] = {"/bin/sh", "-c", "'" GMPSCOPE_BIN "' run steal-half; echo after it", NULL};
    struct term *t = term_start(40, 120, NULL, script);
    wait_past(t, 1);
    term_keys(t, "\x1a");
    term_wait_stopped(t);
    CHECK_INT(kill(-term_pid(t), SIGCONT), 0);
    term_wait(t, "Threads");
    term_keys(t, "q");
    term_wait(t, "after it");
    CHECK_INT(term_wait_exit(t), 0);
    term_check_sane(t);
    term_free(t);
}

TEST(ascii_draws_only_ascii)
{
    struct term *t = start(STEAL_HALF("--ascii", "--tempo", "max"));
    term_wait(t, "ENDED");
    for (const char *p = term_text(t); *p; p++)
        CHECK(isascii(*p));
    quit(t);
}

static const char moved[] =
    "name: moved\n"
    "title: {en: Threads first}\n"
    "root:\n"
    "  split: rows\n"
    "  children:\n"
    "    - {pane: threads, weight: 1}\n"
    "    - {pane: processors, weight: 1}\n"
    "    - {pane: keys, size: 1}\n"
    "    - {pane: status, size: 1}\n";

TEST(a_moved_pane_moves)
{
    struct term *t = start(STEAL_HALF());
    term_wait(t, "Threads");
    term_wait(t, "event ");
    CHECK(term_find(t, "Processors", NULL) < term_find(t, "Threads", NULL));
    CHECK(term_find(t, "event ", NULL) < term_find(t, "Processors", NULL));
    quit(t);
    t = start(STEAL_HALF("--tempo", "max", "--break", "steal n>=2", "--layout", t_file("moved.yaml", moved)));
    term_wait(t, "PAUSED at");
    term_wait_gone(t, "Half of a neighbour's queue");
    term_wait(t, "quit");
    CHECK_INT(term_find(t, "Threads", NULL), 0);
    CHECK(term_find(t, "Processors", NULL) > 10);
    CHECK_INT(term_find(t, "quit", NULL), 38);
    CHECK_INT(term_find(t, "event ", NULL), 39);
    CHECK(!term_shows(t, "Global queue"));
    quit(t);
}

TEST(a_bad_layout_is_refused)
{
    const char *path = t_file("bad.yaml", "name: bad\nroot:\n  split: rows\n  children:\n    - {pane: procesors}\n");
    struct term *t = start(STEAL_HALF("--layout", path));
    CHECK_INT(term_wait_exit(t), 2);
    CHECK(term_shows(t, "bad.yaml:5:14"));
    CHECK(term_shows(t, "processors"));
    term_check_sane(t);
    term_free(t);
}

/* Returns by how many events the status line's "BACK at event N of M" lies behind the present; 0: the present is shown. */
static long behind(struct term *t)
{
    long at, of;
    const char *p = strstr(term_text(t), "BACK at event ");
    return p && sscanf(p, "BACK at event %ld of %ld", &at, &of) == 2 ? of - at : 0;
}

static bool is_behind(struct term *t, void *arg)
{
    return behind(t) == *(long *)arg;
}

static bool is_further_back(struct term *t, void *arg)
{
    return behind(t) > *(long *)arg;
}

static long press_back(struct term *t, const char *key)
{
    long was = behind(t);
    term_keys(t, key);
    term_wait_for(t, "does not go back", is_further_back, &was);
    return behind(t);
}

/* A teacher steps back three events, a round, to the beginning, forward again, and on past the end. */
TEST(walks_back_and_forward)
{
    struct term *t = start(STEAL_HALF("--tempo", "max", "--break", "steal n>=2"));
    long none = 0, first = 1;
    term_wait(t, "PAUSED at steal");
    term_wait(t, "M2 steals 4 Gs from P0");
    long newest = event_number(t);
    long one = press_back(t, "b");
    term_wait_gone(t, "M2 steals 4 Gs from P0"); /* it has not happened yet */
    term_wait_gone(t, "◀─");
    long two = press_back(t, "b"), three = press_back(t, "b");
    CHECK(one < two && two < three);
    term_wait(t, "Output ─ 1");
    CHECK(press_back(t, "B") > three);
    term_wait(t, "nothing printed yet");
    term_keys(t, "g");
    term_wait_for(t, "is not at the first event", is_at, &first);
    term_keys(t, "s");
    term_keys(t, "n");
    term_keys(t, "G");
    term_wait_for(t, "is not in the present", is_behind, &none);
    term_wait(t, "PAUSED at steal");
    CHECK_INT(event_number(t), newest);

    term_keys(t, "bbb");
    term_wait_for(t, "three steps at once", is_behind, &three);
    term_keys(t, "ss");
    term_wait_for(t, "two steps forward", is_behind, &one);
    term_keys(t, "s");
    term_wait_for(t, "the third is the present", is_behind, &none);
    term_wait(t, "M2 steals 4 Gs from P0");
    term_keys(t, "s");
    wait_past(t, newest);
    quit(t);
}

/* The history plays at the tempo and stops where the run had stopped; then the run continues. An ended run is ended
 * again. */
TEST(the_past_plays_into_the_present)
{
    struct term *t = start(STEAL_HALF("--tempo", "64", "--break", "g_end g=2"));
    term_wait(t, "PAUSED at g_end");
    long newest = event_number(t);
    press_back(t, "b");
    press_back(t, "B");
    term_keys(t, " ");
    term_wait(t, "PAUSED at g_end");
    CHECK_INT(event_number(t), newest);
    term_keys(t, " ");
    wait_past(t, newest);
    CHECK_INT(behind(t), 0);
    for (int i = 0; i < 5; i++)
        term_keys(t, "+"); /* to the maximum */
    term_wait(t, "ENDED");
    press_back(t, "b");
    term_wait_gone(t, "ENDED");
    term_keys(t, " ");
    term_wait(t, "ENDED");
    quit(t);
}

/* --- choosing --------------------------------------------------------------------------------------------------------- */

static void command(struct term *t, const char *line)
{
    term_keys(t, ":");
    term_keys(t, line);
    term_keys(t, "\r");
}

/* Paused after the first steal, M0 and M2 are ready, and the seed would pick M0. The user picks M2, which moves, and
 * the shared line says so. */
TEST(choose_which_m_goes_next)
{
    struct term *t = start(STEAL_HALF("--tempo", "max", "--break", "steal"));
    term_wait(t, "PAUSED at steal");
    long before = event_number(t);
    term_keys(t, "c");
    term_wait(t, "which M goes next?");
    term_wait(t, "let the seed decide: M0");
    term_wait(t, "M2 is about to run G2, from P0");
    CHECK(term_shows(t, "PAUSED at steal")); /* the state shown is still the one of the stop */
    term_keys(t, "2");
    term_wait(t, "▶ 2 M2");
    term_keys(t, "\r");
    wait_past(t, before);
    term_wait(t, "M2 stops spinning");
    CHECK(!term_shows(t, "G1 starts G4"));          /* what M0 would have done */
    term_wait(t, "1 M0 has put G2 into P0's ring"); /* it is where it was */
    term_keys(t, "c");
    term_wait_gone(t, "which M goes next?");
    command(t, "share");
    term_wait(t, "gmpscope run steal-half --seed 1 --choices 16m2");
    term_keys(t, "x");
    quit(t);
}

/* Three steps back another M is picked, which makes a branch; both branches can be shown again. */
TEST(branch_from_the_past)
{
    struct term *t = start(STEAL_HALF("--tempo", "max", "--break", "steal"));
    term_wait(t, "PAUSED at steal");
    long end = event_number(t), none = 0;
    press_back(t, "b");
    term_keys(t, "c");
    term_wait(t, "which M goes next?");
    term_wait(t, "let the seed decide: M2");
    term_keys(t, "1");
    term_wait(t, "▶ 1 M0");
    term_keys(t, "\r");
    term_wait_for(t, "is not in the present", is_behind, &none);
    term_keys(t, "c");
    term_wait_gone(t, "which M goes next?");
    CHECK(!term_shows(t, "M2 steals"));
    command(t, "branches");
    term_wait(t, "2  "); /* the second one is the current one */
    term_wait(t, "differs after event");
    term_keys(t, "x");
    command(t, "branch 1");
    term_wait(t, "M2 steals");
    term_wait_for(t, "is not where it was left", is_at, &end);
    command(t, "branch 2");
    term_wait_gone(t, "M2 steals");
    command(t, "branch 7");
    term_wait(t, "expected a branch number (see :branches)");
    term_keys(t, "\033");
    quit(t);
}

/* The list marks what the run picked in the history, and enter stays on that course. */
TEST(enter_in_the_past_stays_on_the_course)
{
    struct term *t = start(STEAL_HALF("--tempo", "max", "--choices", "16m2"));
    long present = 0;
    term_wait(t, "ENDED");
    command(t, "goto 25");
    term_keys(t, "c");
    term_wait(t, "Decision 16: which M goes next? (after event 25)");
    term_wait(t, "▶ 2 M2 is about to run G2, from P0 (taken here)");
    term_keys(t, "\r");
    term_wait_gone(t, "Decision 16");
    term_wait(t, "(taken here)");
    term_keys(t, "c");
    command(t, "branches");
    term_wait(t, "none");
    term_keys(t, "x");
    command(t, "goto 25");
    CHECK(behind(t) > 0);
    term_keys(t, "G");
    term_wait_for(t, "is not in the present", is_behind, &present);
    term_wait(t, "ENDED");
    quit(t);
}

TEST(nothing_to_choose_in_free_mode)
{
    struct term *t = start(STEAL_HALF("--mode", "free"));
    term_wait(t, "What happened");
    term_keys(t, "c");
    term_wait(t, "Only lockstep lets you choose which M goes next");
    term_keys(t, "c");
    command(t, "share");
    term_wait(t, "this run used free mode");
    quit(t);
}

/* A note takes the place of some keys, so the line is read after the next key. */
static bool offers_choice(struct term *t)
{
    wait_handled(t);
    term_wait(t, "f match");
    return term_shows(t, "c choose");
}

/* A run that was in free mode refuses choices for good, also in lockstep. The next run allows them again. */
TEST(the_key_line_offers_a_choice_only_where_one_is_possible)
{
    struct term *t = start(STEAL_HALF("--mode", "free", "--break", "go_create g=2"));
    term_wait(t, "space go");
    CHECK(!offers_choice(t));
    term_keys(t, "m");
    term_wait(t, "was free");
    CHECK(!offers_choice(t));
    term_keys(t, "r");
    term_wait(t, "event 0");
    CHECK(offers_choice(t));
    term_keys(t, "m");
    term_wait(t, "steal-half  free");
    CHECK(!offers_choice(t));
    quit(t);
}

/* An impossible choice stops the run where it comes and is reported; then the seed decides. */
TEST(an_impossible_choice_is_reported)
{
    struct term *t = start(STEAL_HALF("--tempo", "max", "--choices", "16m1"));
    term_wait(t, "PAUSED at choice 16m1: M1 cannot continue there; 2 others can");
    term_keys(t, " ");
    term_wait(t, "ENDED");
    term_keys(t, "q");
    CHECK_INT(term_wait_exit(t), 2);
    CHECK(strstr(term_text(t), "--choices: choice 16m1"));
    term_check_sane(t);
    term_free(t);
}

/* Also on a terminal that is too narrow for all of it: a line that wraps could not be drawn over. It disappears when
 * the run is over. */
TEST(explore_draws_its_progress)
{
    for (int columns = 60; columns <= 120; columns += 60) {
        struct term *t =
            term_start(20, columns, NULL, (const char *const[]){GMPSCOPE_BIN, "explore", "steal-half", "--seeds", "1000000", NULL});
        term_wait(t, "s left");
        term_wait(t, " of 1000000 seeds, 0 failed, ");
        CHECK_INT(term_find(t, "s left", NULL), 0);
        if (columns == 120) /* a slow machine needs the columns of a narrow terminal for its numbers */
            CHECK_INT(term_find(t, "[", NULL), 0);
        term_keys(t, "\x03");
        term_wait(t, "interrupted");
        CHECK(!term_shows(t, "s left") && !term_shows(t, "[."));
        CHECK_INT(term_wait_exit(t), 130);
        term_check_sane(t);
        term_free(t);
    }
}
