/* Keys over a box and on a terminal that is too small, in the real program. */
#include "screen.h"

#include <stdio.h>

#define ESC "\x1b"

static struct term *stopped(int rows, int columns)
{
    struct term *t = term_start(rows, columns, NULL, STEAL_HALF("--tempo", "max", "--break", "steal n>=2"));
    term_wait(t, "PAUSED at steal n>=2");
    return t;
}

static void command(struct term *t, const char *line)
{
    term_keys(t, ":");
    term_keys(t, line);
    term_keys(t, "\r");
}

/* The box, and a text that only the box shows. */
static const struct {
    const char *command, *text;
} boxes[] = {{"marks", "any key closes this"},    {"breaks", "any key closes this"}, {"share", "any key closes this"},
             {"branches", "any key closes this"}, {"about", "any key closes this"},  {"help", "restart with the same seed"}};
enum { BOXES_TESTED = sizeof boxes / sizeof *boxes };

/* If the colon only closed the box, the letters after it would be keys, and "r" restarts the run. */
TEST(a_colon_over_a_box_opens_the_command_line)
{
    struct term *t = stopped(60, 120);
    long at = event_number(t);
    for (size_t i = 0; i < BOXES_TESTED; i++) {
        command(t, boxes[i].command);
        term_wait(t, boxes[i].text);
        term_keys(t, ":run");
        term_wait(t, ":run");
        term_wait_gone(t, boxes[i].text);
        term_keys(t, "\x03");
        term_wait_gone(t, ":run");
        CHECK_INT(event_number(t), at);
    }
    quit(t);
}

/* The help is a menu: its slash finds an entry. */
TEST(a_slash_over_a_box_asks_for_a_pattern)
{
    struct term *t = stopped(60, 120);
    for (size_t i = 0; i < BOXES_TESTED - 1; i++) {
        command(t, boxes[i].command);
        term_wait(t, boxes[i].text);
        term_keys(t, "/rr");
        term_wait(t, "/rr");
        term_wait_gone(t, boxes[i].text);
        term_keys(t, "\x03");
        term_wait_gone(t, "/rr");
    }
    quit(t);
}

TEST(a_question_mark_over_a_list_opens_the_help)
{
    struct term *t = stopped(60, 120);
    for (size_t i = 0; i < BOXES_TESTED - 1; i++) {
        command(t, boxes[i].command);
        term_wait(t, boxes[i].text);
        term_keys(t, "?");
        term_wait(t, boxes[BOXES_TESTED - 1].text);
        term_keys(t, "?");
        term_wait_gone(t, boxes[BOXES_TESTED - 1].text);
    }
    quit(t);
}

/* What was found is a part of the list. */
TEST(a_question_mark_in_a_filtered_list_shows_the_whole_list)
{
    static const char *const help[] = {"?", "\x1bOP"}; /* F1 */
    struct term *t = stopped(60, 120);
    for (int i = 0; i < 4; i++) {
        term_keys(t, "?");
        term_wait(t, "restart with the same seed");
        term_keys(t, i < 2 ? "/theme" : "/theme\x1bOB"); /* the arrow leaves the line */
        term_wait_gone(t, "restart with the same seed");
        term_keys(t, help[i % 2]);
        term_wait(t, "restart with the same seed");
        CHECK(!term_shows(t, "/theme"));
        term_keys(t, "q");
        term_wait_gone(t, "restart with the same seed");
    }
    quit(t);
}

/* "r" would restart the run, "g" would go to its start, and the blank would let it run. */
TEST(other_keys_only_close_a_box)
{
    static const char *const key[] = {"r", "g", " ", "q", "s", "t", "\r"};
    struct term *t = stopped(60, 120);
    long at = event_number(t);
    for (size_t i = 0; i < BOXES_TESTED; i++)
        for (size_t k = 0; k < sizeof key / sizeof *key; k++) {
            if (i == BOXES_TESTED - 1 && *key[k] == ' ')
                continue; /* it pages through the help */
            command(t, boxes[i].command);
            term_wait(t, boxes[i].text);
            term_keys(t, key[k]);
            term_wait_gone(t, boxes[i].text);
            CHECK(term_shows(t, "PAUSED at steal n>=2"));
            CHECK_INT(event_number(t), at);
        }
    quit(t);
}

TEST(the_choices_keep_keys_of_their_own_and_give_way_to_a_command)
{
    struct term *t = stopped(30, 100);
    term_keys(t, "cjk");
    term_wait(t, "c closes this");
    term_keys(t, ":run");
    term_wait(t, ":run");
    term_wait_gone(t, "c closes this");
    term_keys(t, "\x03");
    term_wait_gone(t, ":run");
    quit(t);
}

TEST(the_last_page_of_the_help_says_that_space_closes_it)
{
    struct term *t = stopped(24, 80);
    term_keys(t, "?");
    term_wait(t, "space: more");
    for (int pages = 0; pages < 12 && term_shows(t, "space: more"); pages++)
        press_and_see(t, " ");
    term_wait(t, "the last page");
    CHECK(!term_shows(t, "space: more"));
    term_keys(t, " ");
    term_wait_gone(t, "the last page");
    quit(t);
}

/* ---- the menu of ? ---- */

TEST(the_letters_are_on_the_first_page_of_the_menu)
{
    struct term *t = stopped(24, 80);
    term_keys(t, "?");
    term_wait(t, "R  running a G");
    term_wait(t, "T  the template thread, which starts threads for locked ones");
    term_wait(t, "space  pause or continue");
    term_keys(t, "?");
    term_wait_gone(t, "R  running a G");
    quit(t);
}

TEST(enter_in_the_menu_presses_the_key)
{
    struct term *t = stopped(40, 100);
    term_keys(t, "?jj");
    term_wait(t, "▶         s  step one event");
    term_keys(t, "k");
    term_wait(t, "▶     space");
    term_keys(t, "jjjj\r");
    term_wait(t, "BACK at event");
    CHECK(!term_shows(t, "step one event, details too"));
    quit(t);
}

TEST(the_menu_finds_an_entry)
{
    struct term *t = stopped(40, 100);
    term_keys(t, "?/FIRST ev");
    term_wait(t, "▶         g  back to the first event");
    term_wait_gone(t, "pause or continue");
    term_keys(t, "\r"); /* once */
    term_wait(t, "BACK at event 1 ");
    term_keys(t, "?/xyz");
    term_wait(t, "nothing has this text");
    term_keys(t, "\x7f\x7f\x7f");
    term_wait(t, "pause or continue");
    term_keys(t, "zz");
    term_wait_gone(t, "pause or continue");
    term_keys(t, "\x1b");
    term_wait(t, "pause or continue");
    term_keys(t, "q");
    term_wait_gone(t, "pause or continue");
    quit(t);
}

TEST(the_menu_carries_out_a_command_or_asks_for_its_argument)
{
    struct term *t = stopped(40, 100);
    term_keys(t, "?/queued\r");
    term_wait(t, "Global queue: empty");
    term_keys(t, "?/condition");
    term_wait(t, "▶  :break PATTERN");
    term_keys(t, "\r");
    term_wait_gone(t, "Help");
    term_keys(t, "x");
    term_wait(t, ":break x");
    term_keys(t, "\x03");
    term_wait_gone(t, ":break x");
    quit(t);
}

/* They win over the other keys with the same name, which are left out. */
TEST(the_menu_begins_with_the_keys_of_the_pane_that_has_the_focus)
{
    struct term *t = stopped(60, 120);
    CHECK(!term_shows(t, "go to this event and select its G"));
    term_keys(t, "\t\t\t?");
    for (int i = 0; i < 8 && !term_shows(t, "go to this event"); i++)
        press_and_see(t, "?\t?");
    CHECK(term_find(t, "go to this event and select its G", NULL) < term_find(t, "pause or continue", NULL));
    CHECK(!term_shows(t, "show the details of the selected"));
    term_keys(t, "?");
    quit(t);
}

static void click_at(struct term *t, const char *text)
{
    char click[64];
    int column, row;
    term_wait(t, text);
    row = term_find(t, text, &column);
    snprintf(click, sizeof click, "\x1b[<0;%d;%dM\x1b[<0;%d;%dm", column + 1, row + 1, column + 1, row + 1);
    term_keys(t, click);
}

TEST(a_click_in_the_menu_does_it)
{
    struct term *t = stopped(40, 100);
    term_keys(t, "?");
    term_wait(t, "running a G");
    click_at(t, "running a G"); /* not a thing to do */
    click_at(t, "back to the first event");
    term_wait(t, "BACK at event 1 ");
    term_wait_gone(t, "running a G");
    quit(t);
}

/* The key that leaves a note comes last: the note takes the place of the key line. */
TEST(a_click_on_the_key_line_presses_the_key)
{
    struct term *t = stopped(40, 120);
    click_at(t, "? help");
    term_wait(t, "running a G");
    term_keys(t, "?");
    term_wait_gone(t, "running a G");
    click_at(t, "b back");
    term_wait(t, "BACK at event");
    quit(t);
}

/* What a person cannot see must not change. */
TEST(keys_do_nothing_on_a_terminal_that_is_too_small)
{
    struct term *t = stopped(24, 80);
    long at = event_number(t);
    term_resize(t, 16, 59);
    term_wait(t, "too small");
    term_keys(t, "ssss t:run\r?c");
    term_resize(t, 24, 80);
    term_wait_gone(t, "too small");
    term_wait(t, "PAUSED at steal n>=2");
    CHECK_INT(event_number(t), at);
    CHECK(!term_shows(t, "c closes this"));
    term_resize(t, 16, 59);
    term_wait(t, "too small");
    term_keys(t, "q");
    CHECK_INT(term_wait_exit(t), 0);
    term_free(t);
}

/* The sheet has a place of its own, so the sentence that it explains and the rows that the sentence names stay in sight. */
TEST(the_fields_of_what_is_selected_hide_nothing)
{
    static const struct {
        int rows, columns;
    } size[] = {{16, 60}, {24, 80}, {30, 100}, {40, 120}, {60, 200}};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        struct term *t = stopped(size[i].rows, size[i].columns);
        command(t, "inspect p0");
        term_wait(t, "enter closes this");
        CHECK(term_shows(t, "steals 4 Gs from P0 for P1 and holds G6."));
        CHECK(term_shows(t, "▶P0 R M0") && term_shows(t, "▶P1 S M2"));
        CHECK(term_find(t, "steals 4 Gs", NULL) < term_find(t, "enter closes this", NULL));
        CHECK(term_shows(t, "s step"));
        term_keys(t, "\r");
        term_wait_gone(t, "enter closes this");
        quit(t);
    }
}

TEST(the_summary_of_a_run_does_not_cover_the_newest_sentence)
{
    struct term *t = stopped(40, 120);
    term_keys(t, ":about\r");
    term_wait(t, "All Gs are queued at P0");
    CHECK(term_shows(t, "M2 steals 4 Gs from P0 for P1 and holds G6."));
    term_keys(t, "\x1b");
    term_wait_gone(t, "All Gs are queued at P0");
    quit(t);
}

/* What an imported run does not know: tests/test_unknown.c. */
TEST(a_live_run_has_nothing_in_its_ledger)
{
    struct term *t = stopped(24, 80);
    term_keys(t, ":ledger\r");
    term_wait(t, "Everything is known: this run records what it does.");
    CHECK(term_shows(t, "What is not known"));
    term_keys(t, "\x1b");
    term_wait_gone(t, "Everything is known");
    quit(t);
}

/* ---- the command line ---- */

TEST(a_small_terminal_has_a_command_line_too)
{
    struct term *t = term_start(16, 60, NULL, STEAL_HALF());
    term_wait(t, "steal-half");
    command(t, "break steal theif=1");
    term_wait(t, "the nearest is \"thief\"");
    term_resize(t, 1, 20);
    term_resize(t, 2, 2);
    term_resize(t, 24, 80);
    term_wait(t, "the nearest is \"thief\"");
    term_keys(t, ESC);
    quit(t);
}

TEST(a_wrong_pattern_is_explained_in_chinese)
{
    struct term *t = term_start(
        40, 120, NULL,
        (const char *const[]){GMPSCOPE_BIN, "run", "steal-half", "--tempo", "max", "--lang", "zh", "--break", "steal n>=2", NULL});
    term_wait(t, "M2 为 P1");
    term_keys(t, ":break staal\r");
    term_wait(t, "没有名为“staal”的事件；最接近的是“steal”");
    term_keys(t, ESC);
    term_wait_gone(t, "没有名为");
    term_keys(t, "/go_create fn=wroker\r");
    term_wait(t, "没有名为“wroker”的程序；最接近的是“worker”");
    term_keys(t, ESC);
    quit(t);
}
