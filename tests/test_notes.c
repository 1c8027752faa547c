/* What the screen says about itself: the word for its state, the reason, and the last row; in the real program on an
 * emulated terminal. */
#include "screen.h"

#include <stdio.h>

static struct term *start(int rows, int columns, const char *const *args)
{
    const char *argv[16] = {GMPSCOPE_BIN, "run"};
    for (int i = 0; args[i]; i++)
        argv[i + 2] = args[i];
    struct term *t = term_start(rows, columns, NULL, argv);
    term_wait(t, "Processors");
    return t;
}
#define START(rows, columns, ...) start(rows, columns, (const char *const[]){__VA_ARGS__, NULL})

/* Quits with the exit code of a run that did not go well. */
static void leave(struct term *t, int code)
{
    term_keys(t, "q");
    CHECK_INT(term_wait_exit(t), code);
    term_free(t);
}

/* Without stealing, the round of the spinning M has no end while G10 computes: space and s stop it, as they stop a
 * run. */
TEST(a_step_in_progress_is_shown_and_stopped)
{
    struct term *t =
        START(30, 100, "steal-half", "--disable", "stealing", "--tempo", "max", "--break", "when spinning > 0 and g10.state = running");
    term_wait(t, "PAUSED at when");
    term_keys(t, ":delete all\r");
    for (const char *stop = " s"; *stop; stop++) {
        char key[2] = {*stop, '\0'};
        term_keys(t, ":round 1000\r");
        term_wait(t, "STEPPING");
        term_wait(t, "space pause");
        term_keys(t, key);
        term_wait(t, " PAUSED  ");
        term_wait(t, "space go");
    }
    quit(t);
}

/* ---- why it ended ---- */

/* No M is ever woken, so time jumps while G2 waits and a P is idle, for every seed. The status line has the kind of
 * the violation and the narration all of it; records still in the rings do not matter any more. */
static void broken_invariant(int rows, int columns)
{
    struct term *t = START(rows, columns, "steal-half", "--strict", "--disable", "wakep", "--tempo", "max");
    term_wait(t, "FAILED: invariant");
    term_wait(t, "invariant: G2 can run and a P is idle");
    if (columns >= 120)
        term_wait(t, "pending 0");
    term_keys(t, "b");
    term_wait(t, "BACK ");
    term_wait_gone(t, "G2 can run and a P is idle");
    term_keys(t, "G");
    term_wait(t, "FAILED: invariant");
    leave(t, 4);
}

TEST(a_broken_invariant_is_named)
{
    broken_invariant(40, 120);
}
TEST(a_broken_invariant_is_named_on_a_small_screen)
{
    broken_invariant(24, 80);
}

TEST(the_cause_of_a_fatal_end_is_named)
{
    const char *path = t_file("dies.yaml", "name: dies\ngoroutines: [{name: main, do: [{panic: no more tea}]}]\n");
    struct term *t = START(24, 132, path, "--tempo", "max");
    term_wait(t, "ENDED: panic: no more tea ");
    leave(t, 3);
}

/* ---- the last row ---- */

static bool key_row_has(struct term *t, const char *text)
{
    char all[32768], *row = all;
    snprintf(all, sizeof all, "%s", term_text(t));
    for (char *end; (end = strchr(row, '\n')) && end[1]; row = end + 1)
        ;
    return strstr(row, text) != NULL;
}

static void waits_in_key_row(struct term *t, const char *note)
{
    term_wait(t, note);
    if (!key_row_has(t, note))
        t_fail(__FILE__, __LINE__, "%s is not next to the keys:\n%s", note, term_text(t));
}

/* A note stays until the next key, however long that takes. The first picture has none, so that a newcomer sees the keys. */
TEST(a_note_stands_next_to_the_keys)
{
    struct term *t = START(24, 80, "steal-half", "--tempo", "0.25");
    term_wait(t, "space pause");
    CHECK(!term_shows(t, "compact is shown"));
    term_keys(t, " ");
    term_wait(t, "space go");
    CHECK_INT(term_find(t, "space go", NULL), 23);
    term_resize(t, 22, 79);
    waits_in_key_row(t, "classic needs 100x30, this is 79x22: compact is shown");
    CHECK(key_row_has(t, "space s n ? q "));
    term_keys(t, "f");
    waits_in_key_row(t, "no search pattern yet");
    CHECK(key_row_has(t, "space go s step n round ? help q quit "));
    term_resize(t, 40, 120);
    term_wait(t, "m mode  ? help  q quit   no search pattern yet");
    term_keys(t, ":layout classic\r");
    waits_in_key_row(t, "classic: Queues");
    CHECK(key_row_has(t, " space go  s step  n round  b back  - + tempo  m mode  ? help  q quit "));
    term_keys(t, "s");
    term_wait(t, "enter inspect");
    CHECK(!term_shows(t, "classic: "));
    quit(t);
}

/* A note that is longer takes the rows above the keys. */
TEST(a_long_note_stands_above_the_keys)
{
    struct term *t = START(24, 80, "steal-half", "--tempo", "max", "--break", "steal n>=2");
    term_wait(t, "PAUSED at steal");
    term_keys(t, ":break g_op\r");
    term_wait(t, "their programs");
    CHECK_INT(term_find(t, "their programs", NULL), 22);
    CHECK(key_row_has(t, "m mode  ? help  q quit"));
    quit(t);
}

/* The row with the title of the run belongs to no pane, so it covers no sentence. */
TEST(the_title_of_a_run_covers_no_pane)
{
    static const char *const layouts[] = {"code", "queues", "search", "timeline"};
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        const char *const argv[] = {
            GMPSCOPE_BIN, "run", "steal-half", "--layout", layouts[i], "--tempo", "max", "--break", "m_start m=1", NULL};
        struct term *t = term_start(24, 80, NULL, argv);
        term_wait(t, "PAUSED at");
        term_wait(t, strcmp(layouts[i], "timeline") ? "M1 is sysmon" : "M1 starts: it runs");
        term_wait(t, "Half of a neighbour's queue ─ ");
        CHECK_INT(term_find(t, "Half of a neighbour's queue ─ ", NULL), 22);
        CHECK_INT(term_find(t, "space go", NULL), 23);
        quit(t);
    }
}

/* It fits on the smallest terminal, and a layout that was asked for is missed at once. */
TEST(a_layout_that_was_asked_for_and_does_not_fit_is_named)
{
    struct term *t = START(16, 60, "steal-half", "--layout", "classic");
    term_wait(t, "classic needs 100x30, this is 60x16: compact is shown");
    term_resize(t, 22, 79);
    term_wait(t, "classic needs 100x30, this is 79x22: compact is shown");
    term_resize(t, 60, 200); /* now it fits */
    term_wait(t, "Metrics");
    term_wait_gone(t, "classic needs");
    quit(t);
}

/* A computation of a millisecond logs more than a hundred details; they take no sentence's place. */
TEST(details_push_no_sentence_out)
{
    struct term *t = START(60, 200, "steal-half", "--tempo", "max", "--break", "steal n>=2");
    term_wait(t, "PAUSED at steal");
    term_wait(t, "G10 becomes P0's runnext");
    term_keys(t, ":goto 150\r");
    term_wait(t, "BACK at event 150 of ");
    term_wait(t, "event 150 is a detail");
    quit(t);
}

TEST(a_step_back_over_many_details_says_so)
{
    struct term *t = START(24, 80, "steal-half", "--tempo", "max", "--break", "steal n>=2");
    term_wait(t, "PAUSED at steal");
    term_keys(t, ":goto 150\rb");
    term_wait(t, "back over ");
    term_wait(t, " detail events to event ");
    term_keys(t, ":seed 99999999999999999999\r");
    term_wait(t, "expected a whole number");
    term_keys(t, "\x1b\x1b");
    quit(t);
}

TEST(the_key_line_is_whole_on_the_smallest_screen)
{
    struct term *t = START(16, 60, "steal-half", "--tempo", "0.25");
    term_wait(t, "q quit");
    term_keys(t, " ");
    term_wait(t, "space go");
    CHECK(term_shows(t, "q quit"));
    quit(t);
}

/* The text of the event ends between two characters, and with a sign. */
TEST(a_long_line_of_output_is_cut_between_two_characters)
{
    const char *path = t_file("long.yaml",
                              "name: long\ngoroutines: [{name: main, do: [{print: "
                              "\"a line that is long enough, so that its end 日本語テキストテキストテキスト does not fit\"}]}]\n");
    struct term *t = START(24, 132, path, "--tempo", "max");
    term_wait(t, "日本語テキ…");
    quit(t);
}

/* ---- keys that can do nothing say so ---- */

/* As the card of any other run does, for a person who has closed it by mistake. */
TEST(the_card_of_a_lesson_opens_again)
{
    struct term *t =
        term_start(40, 120, NULL, (const char *const[]){GMPSCOPE_BIN, "lesson", "pair", "--tempo", "max", "--lang", "en", NULL});
    term_wait(t, "Lesson ─ 1 of");
    for (int i = 0; i < 20 && !card_is_there(t, NULL); i++) {
        term_keys(t, " ");
        term_settle(t, 150);
    }
    close_card(t);
    term_wait(t, "space score");
    term_keys(t, " ");
    close_card(t);
    quit(t);
}

TEST(at_the_end_keys_show_the_remaining_commands)
{
    struct term *t = START(24, 100, "first-spawn", "--tempo", "max");
    term_wait(t, "ENDED: main returned");
    close_card(t);
    term_keys(t, " "); /* and space opens it again */
    close_card(t);
    static const char *const keys[] = {
        "s", "n", "m", "c", "G", ":run\r", ":pause\r", ":step 3\r", ":round\r", ":mode free\r", ":until g_end\r"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        term_keys(t, keys[i]);
        term_wait(t, "the run is over: step back (b), or restart (r)");
        term_keys(t, "\x1b"); /* any key takes the note away */
        term_wait_gone(t, "The run is over");
    }
    term_keys(t, "bb");
    term_wait(t, "BACK ");
    term_keys(t, "/go_create g=99\r]");
    term_wait(t, "no match before the run ended");
    term_keys(t, "g");
    term_wait(t, "event 1 ");
    term_keys(t, "b");
    term_wait(t, "this is the first event");
    term_keys(t, "r");
    term_wait(t, "restarted, seed 1");
    quit(t);
}

TEST(the_present_says_that_it_is_that)
{
    struct term *t = START(24, 100, "steal-half", "--tempo", "max", "--break", "steal");
    term_wait(t, "PAUSED at steal");
    term_keys(t, "G");
    term_wait(t, "this is the present");
    term_keys(t, "b");
    term_wait(t, "BACK at event");
    term_keys(t, "G");
    term_wait(t, "PAUSED at steal");
    CHECK(!term_shows(t, "this is the present"));
    quit(t);
}

/* The box of choices leaves the newest sentence visible on a small screen, and the branch that is chosen is named. */
TEST(a_branch_is_named)
{
    struct term *t = START(24, 80, "steal-half", "--tempo", "max", "--break", "steal");
    int column;
    term_wait(t, "PAUSED at steal");
    CHECK(!term_shows(t, "branch"));
    term_keys(t, ":branch 1\r");
    term_wait(t, "this is the only branch: step back, press c and choose differently");
    term_keys(t,
              "\x1b"
              "BBc");
    term_wait(t, "(taken here)");
    term_wait(t, "▶");
    CHECK(term_find(t, "let the seed draw", NULL) < term_find(t, "What happened", NULL));
    while (term_find(t, " 2 M", &column) < 0) /* until two Ms are ready */
        press_and_see(t, "\r");
    bool first = term_find(t, "▶ 1 ", NULL) >= 0;
    term_keys(t, first ? "2\r" : "1\r");
    term_wait(t, "branch 2");
    term_keys(t, "c:branch 1\r");
    term_wait(t, "branch 1");
    quit(t);
}

/* At a stop, the number of the event takes the space of the tempo; a change of the tempo is then shown as a note. */
TEST(the_event_is_shown_at_a_stop_and_the_tempo_when_it_changes)
{
    struct term *t = START(24, 80, "steal-half", "--tempo", "64", "--break", "steal");
    term_wait(t, "PAUSED at steal");
    CHECK(event_number(t) > 0 && !term_shows(t, "tempo 64/s"));
    term_keys(t, "+");
    term_wait(t, "tempo 128/s");
    term_keys(t, "-");
    term_wait(t, "tempo 64/s");
    term_keys(t, ":delete all\r:tempo 1\r ");
    term_wait(t, "running");
    term_wait(t, "tempo 1/s");
    quit(t);
}

/* ---- on the way to a place ---- */

TEST(the_past_stops_where_the_run_did_and_says_so)
{
    struct term *t = START(30, 120, "steal-half", "--tempo", "max", "--break", "steal n>=2");
    char stop[2][32];
    for (int i = 0; i < 2; i++) {
        term_wait(t, "PAUSED at steal n>=2");
        snprintf(stop[i], sizeof stop[i], "event %d ", (int)event_number(t));
        term_keys(t, " ");
        term_wait_gone(t, stop[i]);
    }
    term_wait(t, "ENDED");
    for (int again = 0; again < 2; again++) {
        term_keys(t, "g ");
        term_wait(t, stop[0]);
        CHECK(term_shows(t, "BACK ") && term_shows(t, " at steal n>=2"));
        term_keys(t, "bb");
        term_wait_gone(t, stop[0]);
        CHECK(!term_shows(t, " at steal n>=2"));
        term_keys(t, again ? "ss" : " ");
        term_wait(t, stop[0]);
        term_wait(t, " at steal n>=2");
        term_keys(t, " ");
        term_wait(t, stop[1]);
        term_wait(t, " at steal n>=2");
        term_keys(t, " ");
        term_wait(t, "ENDED");
    }
    quit(t);
}

TEST(a_g_that_never_runs_again_is_reported)
{
    struct term *t = START(24, 100, "steal-half", "--tempo", "max", "--break", "g_end g=2");
    term_wait(t, "PAUSED at g_end g=2");
    term_keys(t, ":until g2\r");
    term_wait(t, "G2 has finished");
    term_keys(t, ":inspect g2\r\r");
    term_wait_gone(t, "G2 has finished");
    term_keys(t, "u");
    term_wait(t, "G2 has finished");
    term_wait(t, "PAUSED at g_end g=2");
    term_keys(t, ":until g99\r");
    term_wait(t, "G99 did not appear before the run ended");
    term_wait(t, "ENDED");
    quit(t);
}

TEST(a_target_never_reached_is_reported_at_the_end)
{
    struct term *t = START(24, 100, "steal-half", "--tempo", "max", "--break", "g_end g=2");
    term_wait(t, "PAUSED at g_end g=2");
    term_keys(t, "b/steal n>=99\r]");
    term_wait(t, "PAUSED at g_end g=2"); /* the run is on its way there */
    term_keys(t, "b]]");
    term_wait(t, "no match before the run ended");
    term_wait(t, "ENDED");
    term_keys(t, "b]");
    term_wait(t, "no match before the run ended");
    term_wait(t, "BACK ");
    quit(t);
}

/* ---- the projector's row for messages ---- */

/* Copies what is above the last row. */
static char *above(struct term *t)
{
    char *text = strdup(term_text(t));
    CHECK(text);
    size_t n = strlen(text);
    CHECK(n > 1 && text[n - 1] == '\n');
    for (text[--n] = '\0'; text[n] != '\n'; n--)
        text[n] = '\0';
    return text;
}

/* A note and the command line have the last row for themselves: the picture above stays as it is. */
static void check_row(const char *lang, int rows, int columns)
{
    struct term *t =
        term_start(rows, columns, NULL, STEAL_HALF("--tempo", "max", "--layout", "projector", "--lang", lang, "--break", "steal n>=2"));
    term_wait(t, "197");
    term_settle(t, 200);
    char *before = above(t);
    term_keys(t, ":mark here\r"); /* a command that answers */
    term_settle(t, 200);
    term_wait(t, "here");
    char *after = above(t);
    CHECK_STR(after, before);
    free(after);
    term_keys(t, ":nonsense");
    term_wait(t, ":nonsense");
    after = above(t);
    CHECK_STR(after, before);
    free(after);
    free(before);
    term_keys(t, "\x1b");
    term_wait_gone(t, ":nonsense");
    quit(t);
}

TEST(on_the_projector_messages_have_a_row_of_their_own)
{
    check_row("en", 24, 80);
    check_row("en", 30, 100);
    check_row("zh", 40, 120);
    check_row("en", 60, 200);
}

/* The last event of a run ends it; it is a match like any other. */
TEST(the_last_event_of_a_run_is_reached)
{
    struct term *t = START(24, 100, "scene-01-new-g", "--tempo", "max", "--break", "g_start g=3");
    term_wait(t, "PAUSED at g_start");
    term_keys(t, ":until program_end\r");
    term_wait(t, "ENDED: main returned");
    term_keys(t, ":share\r");
    term_wait(t, "--at 59");
    CHECK(!term_shows(t, "no match"));
    term_keys(t, "\033");
    quit(t);
    t = START(24, 100, "scene-01-new-g", "--tempo", "max", "--at", "59");
    term_wait(t, "ENDED: main returned");
    CHECK(!term_shows(t, "ended before"));
    quit(t);
    t = START(24, 100, "scene-01-new-g", "--tempo", "max", "--at", "60");
    term_wait(t, "the run ended before event 60");
    quit(t);
}

/* Above 300,000 events matches are not counted, and the note says so. */
TEST(a_search_among_very_many_events_says_that_it_does_not_count)
{
    const char *path = t_file("endless.yaml",
                              "name: endless\n"
                              "goroutines: [{name: main, do: [{loop: forever, do: [{yield: 1}]}]}]\n");
    struct term *t =
        term_start(30, 100, NULL,
                   (const char *const[]){GMPSCOPE_BIN, "run", path, "--tempo", "max", "--procs", "1", "--at", "200", "--lang", "en", NULL});
    term_wait(t, "PAUSED ");
    term_wait(t, "event 200 ");
    term_keys(t, "/main\r");
    term_wait(t, "\"main\": wrapped to 1/");
    term_keys(t, "\033G ");
    wait_past(t, 300100);
    term_keys(t, " ");
    term_wait(t, "PAUSED");
    term_keys(t, "/main\r");
    term_wait(t, "(more than 300000 events: not counted)");
    quit(t);
}
