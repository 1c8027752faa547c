/* The command line, searching, choosing and inspecting, in the real program on an emulated terminal. */
#include "screen.h"
#include "ui/input/commands.h"
#include "ui/input/keys.h"
#include "ui/panes/panes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UP "\x1bOA" /* as terminals send them in the mode that curses requests */
#define DOWN "\x1bOB"
#define RIGHT "\x1bOC"
#define BACKTAB "\x1b[Z"
#define LEFT "\x1bOD"
#define ESC "\x1b"

static struct term *start(const char *const *argv)
{
    struct term *t = term_start(40, 120, NULL, argv);
    term_wait(t, "event ");
    return t;
}

/* Starts paused at the arguments' breakpoint. */
static struct term *start_at(const char *pattern)
{
    char text[200];
    struct term *t = start(STEAL_HALF("--tempo", "max", "--break", pattern));
    snprintf(text, sizeof text, "PAUSED at %s", pattern);
    term_wait(t, text);
    return t;
}

static void command(struct term *t, const char *line)
{
    term_keys(t, ":");
    term_keys(t, line);
    term_keys(t, "\r");
}

/* What the keys before it have changed counts, even if no picture has shown it. */
TEST(a_command_knows_what_the_keys_before_it_changed)
{
    struct term *t = start_at("steal n>=2");
    command(t, "goto 1");
    term_wait(t, "BACK at event 1");
    term_keys(t, ":goto 60\r:inspect g4\r");
    term_wait(t, "╭ G4");
    term_keys(t, ":goto 1\r:inspect g4\r");
    term_wait(t, "there is no g4 here");
    term_keys(t, ESC);
    quit(t);
}

TEST(break_and_run)
{
    struct term *t = start_at("go_create g=2");
    command(t, "break steal thief=1");
    term_wait(t, "stops at steal thief=1");
    command(t, "run");
    term_wait(t, "PAUSED at steal thief=1");
    command(t, "breaks");
    term_wait(t, "Breakpoints");
    term_wait(t, "go_create g=2");
    int first = term_find(t, "  1  ×1", NULL), second = term_find(t, "  2  ×1", NULL);
    CHECK(first > 0 && second == first + 1);
    term_keys(t, "x");
    term_wait_gone(t, "Breakpoints");
    command(t, "delete all");
    command(t, "breaks");
    term_wait(t, "none; :break");
    term_keys(t, "x");
    command(t, "run");
    term_wait(t, "ENDED: main returned");
    quit(t);
}

TEST(a_condition_from_the_command_line)
{
    struct term *t = start_at("go_create g=2");
    command(t, "break when p0.runq >= 4");
    command(t, "run");
    term_wait(t, "PAUSED at when p0.runq >= 4");
    quit(t);
}

/* The caret is under the first letter of the wrong word, whatever precedes it. */
static void wrong(struct term *t, const char *line, const char *word, const char *what)
{
    int column, caret;
    command(t, line);
    term_wait(t, what);
    int row = term_find(t, line, NULL), under = term_find(t, "^ ", &caret);
    CHECK(term_find(t, word, &column) == row);
    CHECK_INT(under, row + 1);
    CHECK_INT(caret, column);
    term_keys(t, ESC);
    term_wait_gone(t, what);
}

TEST(a_mistake_has_a_caret_under_it)
{
    struct term *t = start_at("go_create g=2");
    wrong(t, "break steal theif=1", "theif", "the nearest is \"thief\"");
    wrong(t, "  break when p0.runqs > 1", "p0.runqs", "the nearest is \"runq\"");
    wrong(t, "layuot compact", "layuot", "the nearest is \"layout\"");
    wrong(t, "speed 4", "speed", "there is no command \"speed\"; use \"tempo\"");
    wrong(t, "exit", "exit", "use \"quit\"");
    wrong(t, "select g7", "select", "use \"inspect\"");
    wrong(t, "layout narration", "narration", "\"narration\" is a pane, not a layout; the layout \"");
    wrong(t, "layout compcat", "compcat", "the nearest is \"compact\"");
    wrong(t, "tempo fast", "fast", "expected \"auto\", events per second");
    wrong(t, "mode slow", "slow", "expected \"lockstep\" or \"free\"");
    wrong(t, "seed 1x7", "1x7", "expected a whole number");
    wrong(t, "delete 777", "777", "expected a breakpoint number");
    wrong(t, "run fast", "fast", "expected nothing more here");
    wrong(t, "mark 777", "777", "cannot be a number or a time");
    wrong(t, "mark 1.5ms", "1.5ms", "cannot be a number or a time");
    wrong(t, "inspect g99", "g99", "there is no g99 here");
    wrong(t, "inspect p7", "p7", "there is no p7 here");
    wrong(t, "inspect m4294967297", "m4294967297", "there is no m4294967297 here");
    wrong(t, "inspect gs1", "gs1", "there is no gs1 here");
    quit(t);
}

TEST(each_synonym_names_a_command_and_shadows_none)
{
    for (int i = 0; i < nsynonyms; i++) {
        int named = 0;
        for (int k = 0; k < ncommands; k++) {
            named += !strcmp(commands[k].name, synonyms[i].name);
            CHECK(strncmp(commands[k].name, synonyms[i].word, strlen(synonyms[i].word)));
        }
        CHECK_INT(named, 1);
    }
}

/* `:l` was short for `:layout` before there was a `:lesson`: what users have learnt stays valid, whatever is added. */
TEST(of_equal_prefixes_the_first_name_wins)
{
    struct term *t = start_at("go_create g=2");
    wrong(t, "l compcat", "compcat", "the nearest is \"compact\"");
    wrong(t, "le of", "of", "expected \"on\"");
    wrong(t, "t fast", "fast", "expected \"auto\", events per second");
    wrong(t, "m 777", "777", "cannot be a number or a time");
    wrong(t, "mo slow", "slow", "expected \"lockstep\" or \"free\"");
    wrong(t, "r fast", "fast", "expected nothing more here");
    wrong(t, "b steal theif=1", "theif", "the nearest is \"thief\"");
    command(t, "s 0");
    term_wait(t, "expected a number from 1");
    term_keys(t, ESC);
    command(t, "l compact");
    term_wait(t, "compact: ");
    command(t, "branche"); /* a whole name wins, wherever it is in the list: this is not one */
    term_wait(t, "Branches");
    term_keys(t, ESC);
    term_wait_gone(t, "Branches");
    quit(t);
}

TEST(a_mistake_can_be_corrected)
{
    struct term *t = start_at("go_create g=2");
    command(t, "break steal theif=1");
    term_wait(t, "the nearest is");
    for (int i = 0; i < 7; i++)
        term_keys(t, "\x7f");
    term_wait_gone(t, "the nearest is");
    term_keys(t, "thief=1\r");
    term_wait(t, "stops at steal thief=1");
    quit(t);
}

/* A user may continue as if the wrong line were gone; it is in the history. */
TEST(a_new_line_after_a_mistake)
{
    struct term *t = start_at("go_create g=2");
    command(t, "break steal theif=1");
    term_wait(t, "esc closes this, : starts over");
    term_keys(t, ":goto");
    term_wait_gone(t, "theif");
    CHECK(!term_shows(t, ":goto:") && !term_shows(t, "::"));
    term_keys(t, "\x15" UP);
    term_wait(t, ":break steal theif=1");
    term_keys(t, "\r");
    term_wait(t, "starts over");
    term_keys(t, ESC);
    term_wait_gone(t, "theif");
    command(t, "step 0");
    term_wait(t, "expected a number from 1");
    command(t, "goto 0");
    term_wait(t, "event 1 ");
    command(t, "goto 99999");
    term_wait(t, "that has not happened yet");
    command(t, "delete all");
    command(t, "run");
    term_wait(t, "ENDED: main returned");
    command(t, "goto 99999");
    term_wait(t, "the run has ended at event");
    quit(t);
}

/* S goes down one rung of the ladder; s leaves it at the next core event. */
TEST(S_walks_down_the_search_order)
{
    struct term *t = start(STEAL_HALF("--tempo", "max", "--layout", "search", "--break", "g_end g=6"));
    term_wait(t, "PAUSED at g_end g=6");
    term_keys(t, "S");
    term_wait(t, "▶ 1  timers        none");
    term_keys(t, "S");
    term_wait(t, "▶ 3  own queue");
    term_keys(t, "s");
    term_wait(t, "→ takes G3");
    term_keys(t, ":goto 222\rS"); /* in the past, too */
    term_wait(t, "▶ 3  own queue     runnext - · ring 3 ");
    quit(t);
}

TEST(the_line_is_edited)
{
    struct term *t = start_at("go_create g=2");
    term_keys(t,
              ":bak steal"
              "\x01" RIGHT
              "re"
              "\x05"
              " n>1");
    term_wait(t, ":break steal n>1");
    term_keys(t, LEFT LEFT LEFT "\x0b");
    term_wait_gone(t, "n>1");
    term_keys(t, "\x17");
    term_wait_gone(t, ":break steal");
    term_keys(t, "\x15");
    term_wait_gone(t, ":break");
    term_keys(t, "\x7f"); /* nothing is left: the prompt closes, and keys are keys again */
    term_keys(t, "?");
    term_wait(t, "step one event");
    term_keys(t, ESC);
    term_wait_gone(t, "step one event");
    quit(t);
}

TEST(a_long_menu_counts_its_rows)
{
    struct term *t = start_at("go_create g=2");
    term_keys(t, ":break \t");
    term_wait(t, ":break go_create");
    term_wait(t, "a new G is created");
    term_wait(t, "1 of ");
    for (int i = 0; i < 12; i++)
        term_keys(t, "\t");
    term_wait(t, "13 of ");
    term_keys(t, ESC ESC);
    quit(t);
}

TEST(tab_walks_through_the_menu_and_back)
{
    struct term *t = start_at("go_create g=2");
    term_keys(t, ":br\t");
    term_wait(t, "1 of 4");
    term_wait(t, "stop where an event or a condition matches");
    term_keys(t, "\t\t");
    term_wait(t, "3 of 4");
    term_wait(t, ":branches");
    term_keys(t, BACKTAB);
    term_wait(t, ":breaks");
    term_keys(t, BACKTAB BACKTAB);
    term_wait(t, "4 of 4"); /* round again */
    term_keys(t, ESC);
    term_wait_gone(t, "4 of 4");
    term_keys(t, "eak steal\r");
    term_wait(t, "stops at steal");
    quit(t);
}

/* What tab shows for each kind of argument. */
TEST(each_candidate_is_explained)
{
    static const struct {
        const char *line, *shows;
    } of[] = {
        {"layout \t", "The essentials on a small terminal"},
        {"pane \t", "Processors"},
        {"theme \t", "for a dark background"},
        {"set \t", "colours of the screen"},
        {"set \t", "GOMAXPROCS; the run starts again"},
        {"set disable s\t", "taking Gs from other Ps"},
        {"set generation \t", "a queue for each P"},
        {"set language \t", "English"},
        {"mode \t", "threads truly in parallel"},
        {"split \t", "the new pane below this one"},
        {"compare \t", "mechanisms to switch off"},
        {"break s\t", "an M starts to spin"},
        {"break steal \t", "the number of a P: 0"},
        {"break g_park \t", "chan_receive | chan_send"},
        {"break g_park reason=ch\t", "chan_receive_nil"},
        {"break when \t", "a value of the state"},
        {"find st\t", "a thief takes n Gs"},
        {"until g_\t", "an M switches to a G"}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct term *t = start_at("go_create g=2");
        char line[80];
        snprintf(line, sizeof line, ":%s", of[i].line);
        term_keys(t, line);
        for (int k = 0; k < 30 && term_find(t, of[i].shows, NULL) < 0; k++)
            term_keys(t, "\t"), term_settle(t, 20);
        if (term_find(t, of[i].shows, NULL) < 0)
            t_fail(__FILE__, __LINE__, "%s does not show: %s", of[i].line, of[i].shows);
        term_keys(t, ESC);
        term_free(t);
    }
}

TEST(tab_completes)
{
    struct term *t = start_at("go_create g=2");
    term_keys(t, ":del\t");
    term_wait(t, ":delete");
    term_keys(t,
              "\x15"
              "brea\t");
    term_wait(t, "list the breakpoints");
    term_keys(t, " ste\t");
    term_wait(t, ":break steal");
    term_wait(t, "steal_try");
    term_keys(t, " th\t");
    term_wait(t, ":break steal thief");
    term_keys(t,
              "\x15"
              "break g_park reason=chan_r\t");
    term_wait(t, "chan_receive_nil");
    term_keys(t,
              "\x15"
              "layout com\t");
    term_wait(t, ":layout compact");
    term_keys(t, ESC);
    quit(t);
}

TEST(up_brings_earlier_lines_back)
{
    struct term *t = start_at("go_create g=2");
    command(t, "tempo 5");
    term_wait(t, "tempo 5/s");
    command(t, "tempo 7");
    term_wait(t, "tempo 7/s");
    term_keys(t, ":new" UP);
    term_wait(t, ":tempo 7");
    term_keys(t, UP);
    term_wait(t, ":tempo 5");
    term_keys(t, DOWN DOWN);
    term_wait(t, ":new");
    term_keys(t, UP UP "\r");
    term_wait(t, "tempo 5/s");
    quit(t);
}

/* `/` and f run to each match in turn; the newest sentence is a match. */
TEST(searching_runs_on_to_the_match)
{
    struct term *t = start_at("go_create g=2");
    term_keys(t, "f");
    term_wait(t, "no search pattern yet");
    term_keys(t, "/g_end\r");
    term_wait(t, "not seen yet");
    long last = event_number(t);
    for (int i = 0; i < 3; i++) {
        term_keys(t, i % 2 ? "]" : "f");
        term_wait(t, "PAUSED at g_end");
        wait_past(t, last);
        last = event_number(t);
    }
    term_wait(t, " ends.");
    term_keys(t, "/stael\r");
    term_wait(t, "the nearest is \"steal\"");
    term_keys(t, ESC);
    quit(t);
}

/* `[` goes back through the matches and `]` forward again; at the present it runs on. */
TEST(searching_goes_back_and_forward)
{
    struct term *t = start_at("g_end x2");
    long second = event_number(t);
    term_keys(t, "/g_end\r");
    term_wait(t, "last seen at event");
    term_keys(t, "[");
    term_wait(t, "BACK");
    long first = event_number(t);
    CHECK(first < second);
    term_wait(t, " ends.");
    term_keys(t, "[");
    term_wait(t, "no earlier match");
    CHECK_INT(event_number(t), first);
    term_keys(t, "]");
    term_wait_gone(t, "BACK");
    CHECK_INT(event_number(t), second);
    term_keys(t, "]");
    term_wait(t, "PAUSED at g_end");
    wait_past(t, second);
    quit(t);
}

/* Where Gs are in their programs is an event only for those that ask before the run begins. */
TEST(a_pattern_of_events_that_are_not_recorded_says_so)
{
    struct term *t = start_at("go_create g=2");
    wrong(t, "until g_op g=2", "g_op", "this run logs no events for the places of Gs");
    term_keys(t, "/g_op\r");
    term_wait(t, "this run logs no events for the places of Gs");
    term_keys(t, ESC);
    command(t, "delete all");
    command(t, "break g_op g=2");
    term_wait(t, "stops at g_op g=2 in the next run (r)");
    term_keys(t, "r");
    term_wait(t, "event 0 ");
    term_keys(t, " ");
    term_wait(t, "PAUSED at g_op g=2");
    quit(t);
}

TEST(goto_an_event_a_time_and_a_mark)
{
    struct term *t = start_at("steal n>=3");
    long at = event_number(t);
    command(t, "mark theft");
    term_wait(t, "theft is event");
    command(t, "goto 11");
    term_wait(t, "event 11 ");
    command(t, "goto 900ns"); /* the next one is at 920 ns */
    term_wait(t, "event 64 ");
    command(t, "goto theft");
    term_wait_gone(t, "BACK");
    CHECK_INT(event_number(t), at);
    command(t, "goto 99999");
    term_wait(t, "has not happened yet");
    command(t, "goto thefd");
    term_wait(t, "the nearest is \"theft\"");
    term_keys(t, "\x15goto nowhere\r");
    term_wait(t, "expected an event number");
    term_keys(t, ESC);
    quit(t);
}

/* Names of places are listed, the shown one with a hand, and tab completes them. */
TEST(marks_are_listed_and_completed)
{
    struct term *t = start_at("go_create g=2");
    command(t, "marks");
    term_wait(t, "none; :mark NAME adds one");
    term_keys(t, "x");
    long first = event_number(t);
    command(t, "mark quiet");
    term_wait(t, "quiet is event");
    term_keys(t, "sss");
    wait_past(t, first + 2);
    command(t, "mark quick");
    term_wait(t, "quick is event");
    command(t, "marks");
    term_wait(t, "▶ quick");
    CHECK_INT(term_find(t, "quiet  ", NULL) + 1, term_find(t, "▶ quick", NULL));
    term_keys(t, "x:goto q\t");
    term_wait(t, "quick  event ");
    term_keys(t,
              "e\t\x7f"
              "\x7f\x7f\x7f"
              "ie\t\r");
    term_wait(t, "BACK ");
    CHECK_INT(event_number(t), first);
    command(t, "marks");
    term_wait(t, "▶ quiet");
    term_keys(t, "x");
    quit(t);
}

TEST(until_a_g_runs)
{
    struct term *t = start_at("go_create g=5");
    command(t, "until g5");
    term_wait(t, "PAUSED at g_start g=5");
    term_wait(t, "runs G5");
    quit(t);
}

TEST(until_an_event_by_its_number)
{
    struct term *t = start_at("go_create g=2");
    command(t, "goto 40");
    term_wait(t, "that has not happened yet: :until runs on");
    command(t, "until 40");
    term_wait(t, "event 40 ");
    command(t, "until 30");
    term_wait(t, "event 30 ");
    quit(t);
}

TEST(a_long_message_is_wrapped)
{
    struct term *t = start_at("go_create g=2");
    term_resize(t, 24, 60);
    command(t, "break g_park reason=zzzz");
    term_wait(t, "chan_receive");
    term_wait(t, "semacquire");
    term_keys(t, "\x1b");
    quit(t);
}

/* ---- choosing ---- */

TEST(a_g_is_chosen_and_inspected)
{
    struct term *t = start_at("steal n>=3");
    term_keys(t,
              "\t" RIGHT RIGHT RIGHT RIGHT RIGHT RIGHT RIGHT "\r"); /* P0, M0, the G that runs there, four ghosts, the first in its ring */
    term_wait(t, "G7 ─ worker");
    term_wait(t, "It has place 1 of 3 in P0's ring.");
    term_wait(t, "the G that created it");
    CHECK(term_find(t, "atomicstatus", NULL) > 0);
    term_keys(t, "u");
    term_wait(t, "PAUSED at g_start g=7");
    term_keys(t, "\r");
    term_wait_gone(t, "the G that created it");
    quit(t);
}

TEST(a_round_on_the_chosen_p)
{
    struct term *t = start_at("steal n>=2");
    term_keys(t, "N");
    term_wait(t, "select a P first");
    term_keys(t, DOWN DOWN "N"); /* the first move chooses P0, the second goes to P1 */
    term_wait(t, "PAUSED at a round on P1");
    quit(t);
}

TEST(m_and_p_are_inspected_by_name)
{
    struct term *t = start_at("steal n>=2");
    command(t, "inspect p0");
    term_wait(t, "schedtick");
    term_wait(t, "runqhead");
    command(t, "inspect M2");
    term_wait(t, "in its hand");
    term_keys(t, ESC);
    term_wait_gone(t, "in its hand");
    quit(t);
}

TEST(the_box_of_a_g_names_what_it_waits_for)
{
    struct term *t = start_at("steal n>=2");
    command(t, "inspect g1");
    term_wait(t, "for WaitGroup wg");
    quit(t);
    t = start(
        (const char *const[]){GMPSCOPE_BIN, "run", "rwmutex-writer", "--tempo", "max", "--break", "g_park reason=sync_mutex_lock", NULL});
    term_wait(t, "PAUSED at g_park");
    command(t, "inspect g6");
    term_wait(t, "for RWMutex rw");
    CHECK(term_shows(t, "waitreason   sync.Mutex.Lock  for RWMutex rw"));
    quit(t);
}

/* X10 and SGR reports begin in the same way; the terminal of the tests requests SGR. */
TEST(a_click_chooses_and_opens)
{
    struct term *t = start_at("steal n>=2");
    /* The first click chooses, the next one opens, and more change nothing: curses may take clicks that arrive
     * together for one or for none. G7's place is looked up each time, because only half of a frame may have arrived
     * at the first click. */
    for (int i = 0; i < 50 && !term_shows(t, "G7 ─ worker"); i++) {
        int column, row = term_find(t, "G7", &column);
        char click[64];
        snprintf(click, sizeof click, "\x1b[<0;%d;%dM\x1b[<0;%d;%dm", column + 1, row + 1, column + 1, row + 1);
        term_keys(t, click);
        term_settle(t, 100); /* until the next try: a click that curses loses changes nothing that could be waited for */
    }
    term_wait(t, "G7 ─ worker");
    quit(t);
}

/* ---- the whole run ---- */

TEST(restart_and_next_seed)
{
    struct term *t = start_at("steal n>=2");
    long at = event_number(t);
    term_keys(t, "r");
    term_wait(t, "restarted, seed 1");
    term_keys(t, " ");
    term_wait(t, "PAUSED at steal n>=2");
    CHECK_INT(event_number(t), at);
    term_keys(t, "R");
    term_wait(t, "seed 2");
    command(t, "seed 77");
    term_wait(t, "lockstep · seed 77");
    command(t, "delete all");
    command(t, "run");
    term_wait(t, "ENDED: main returned");
    term_keys(t, "r");
    term_wait(t, "ENDED: main returned");
    quit(t);
}

TEST(layouts_and_themes)
{
    struct term *t = start_at("steal n>=2");
    command(t, "layout compact");
    term_wait(t, "compact: ");
    term_keys(t, "L");
    term_wait_gone(t, "compact: ");
    command(t, "layout classic");
    term_wait(t, "classic: ");
    term_keys(t, "t");
    term_wait(t, "light");
    command(t, "theme projector");
    term_wait(t, "projector");
    quit(t);
}

/* No frame is drawn between these keys: the second tab reaches the timeline, which only the new layout has. */
TEST(keys_typed_ahead_reach_the_panes_of_the_new_layout)
{
    struct term *t = start_at("steal n>=2");
    term_keys(t, ":layout timeline\r\t\tv");
    term_wait(t, "Timeline ─ Ms");
    term_keys(t, ":layout compact\r\t:pane timeline\rv");
    term_wait(t, "Timeline ─ Gs");
    quit(t);
}

/* Pages on until the text is there. The run must stand: after its end an arrow fades, which would be taken for the next page. */
static void page_to(struct term *t, const char *text)
{
    for (int pages = 0; pages < 8 && !term_shows(t, text); pages++) {
        term_settle(t, 50); /* the rest of this page */
        if (!term_shows(t, text))
            press_and_see(t, "\x1b[6~");
    }
    term_wait(t, text);
}

/* The end of each explanation, which the edge of the box would cut first, is shown. */
TEST(help_is_whole_on_a_small_screen)
{
    struct term *t = term_start(24, 80, NULL, STEAL_HALF("--tempo", "max", "--break", "steal n>=2"));
    term_wait(t, "PAUSED at steal");
    term_keys(t, "?");
    term_wait(t, "step one event");
    for (int i = 0; i < nletters; i++)
        page_to(t, tx(LANG_EN, letters[i].meaning));
    for (int i = 0; i < nkeys; i++)
        if (keys[i].for_one != TX_NOTE_TWO_RUNS)
            page_to(t, tx(LANG_EN, keys[i].help));
    for (int i = 0; i < ncommands; i++)
        page_to(t, tx(LANG_EN, commands[i].help));
    term_keys(t, ESC);
    quit(t);
}

TEST(help_has_all_keys_and_commands)
{
    static const char *const texts[] = {
        "one round on the selected P",
        "until the selected G",
        "next match",
        "next pane",
        "fields of the selected",
        "next layout",
        "next theme",
        "same seed",
        "next seed",
        "command line",
        ":break PATTERN",
        ":theme NAME"};
    struct term *t = start_at("go_create g=2");
    command(t, "help");
    term_wait(t, "pause or continue");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        page_to(t, texts[i]);
    term_wait_gone(t, "step one event");
    term_keys(t, ESC);
    term_wait_gone(t, ":theme NAME");
    quit(t);
}
