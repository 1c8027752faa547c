/* Panes with a cursor over the whole history (events, goroutine, timeline), each key in the real program on an emulated terminal. */
#include "screen.h"
#include "ui/panes/parts/hits.h"
#include "ui/panes/parts/wrap.h"

#include <stdio.h>

#define BACKTAB "\x1b[Z" /* from no focus: to the last pane that can have it */
#define UP "\x1bOA"      /* as terminals send them in the mode that curses requests */
#define DOWN "\x1bOB"
#define PAGE_UP "\x1b[5~"
#define PAGE_DOWN "\x1b[6~"
#define LEFT "\x1bOD"
#define RIGHT "\x1bOC"
#define HOME "\x1bOH"
#define END "\x1bOF"

/* The panes with a cursor one above the other, each as wide as the screen. */
static const char *one_above_the_other(void)
{
    return t_file(
        "lists.yaml",
        "name: lists\n"
        "root:\n"
        "  split: rows\n"
        "  children:\n"
        "    - {pane: status, size: 1}\n"
        "    - {pane: processors, weight: 2}\n"
        "    - {pane: timeline, weight: 3}\n"
        "    - {pane: goroutine, weight: 3}\n"
        "    - {pane: events, weight: 3}\n"
        "    - {pane: keys, size: 1}\n");
}

/* At the end of steal-half with seed 1: 405 events, with the focus on the pane that `tabs` leads to. */
static struct term *at_the_end(const char *layout, const char *tabs)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--layout", layout ? layout : one_above_the_other()));
    term_wait(t, "ENDED: main returned");
    close_card(t);
    term_keys(t, tabs);
    return t;
}

static void key_and_see(struct term *t, const char *key, const char *text)
{
    term_keys(t, key);
    term_wait(t, text);
}

static void wheel(struct term *t, const char *on, int button, const char *text)
{
    char report[32];
    int column, row = term_find(t, on, &column);
    CHECK(row >= 0);
    snprintf(report, sizeof report, "\x1b[<%d;%d;%dM", button, column + 1, row + 2);
    key_and_see(t, report, text);
}

TEST(the_cursor_of_the_events_moves)
{
    struct term *t = at_the_end(NULL, BACKTAB);
    term_wait(t, "Events ─ 405 / 405");
    key_and_see(t, UP, "Events ─ 402 / 405");
    key_and_see(t, "k", "Events ─ 398 / 405");
    key_and_see(t, DOWN, "Events ─ 402 / 405");
    key_and_see(t, HOME, "Events ─ 1 / 405");
    key_and_see(t, "j", "Events ─ 2 / 405");
    key_and_see(t, END, "Events ─ 405 / 405");
    term_keys(t, PAGE_UP PAGE_UP);
    term_wait_gone(t, "main returned.");
    term_keys(t, PAGE_DOWN PAGE_DOWN);
    term_wait(t, "Events ─ 405 / 405");
    wheel(t, "Events ─", 64, "Events ─ 394 / 405");
    wheel(t, "Events ─", 65, "Events ─ 405 / 405");
    quit(t);
}

TEST(details_are_listed_on_demand)
{
    struct term *t = at_the_end(NULL, BACKTAB);
    key_and_see(t, "d", "with details");
    key_and_see(t, UP, "Events ─ 404 / 405");
    term_keys(t, "d");
    term_wait_gone(t, "with details");
    quit(t);
}

TEST(a_stop_at_a_detail_event_is_in_the_list)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--layout", "timeline", "--break", "g_start g=10"));
    term_wait(t, "PAUSED at g_start g=10");
    char text[64];
    long at = event_number(t);
    snprintf(text, sizeof text, "Events ─ %ld / %ld", at, at);
    term_wait(t, text);
    snprintf(text, sizeof text, "Events ─ %ld / %ld", at + 1, at + 1);
    key_and_see(t, "S", text);
    quit(t);
}

TEST(enter_goes_to_the_event_and_selects_its_g)
{
    struct term *t = at_the_end(NULL, BACKTAB);
    key_and_see(t, HOME DOWN DOWN DOWN DOWN DOWN DOWN DOWN DOWN "\r", "event 13 ");
    key_and_see(t, "F", "only G2");
    key_and_see(t, END, "Events ─ 190 / 405 ─ only G2");
    term_keys(t, "F");
    term_wait_gone(t, "only G");
    quit(t);
}

TEST(the_filter_needs_a_selection)
{
    struct term *t = at_the_end(NULL, BACKTAB);
    key_and_see(t, "F", "select a G, M or P first");
    key_and_see(t, ":inspect g3\r", "G3 ─ worker");
    key_and_see(t, "F", "only G3");
    key_and_see(t, UP, "G3 prints");
    quit(t);
}

TEST(what_is_searched_for_is_marked)
{
    struct term *t = at_the_end(NULL, BACKTAB);
    key_and_see(t, "/g_end\r", "g_end: wrapped to 1/9, event 190");
    key_and_see(t, "[", "g_end: wrapped to 9/9, event 392");
    term_wait(t, "▶/392 ");
    term_wait(t, "Events ─ 392 / 405 ─ / 9/9");
    quit(t);
}

/* The keys act on the rows that the keys before them have led to, however fast they come. */
TEST(keys_do_not_wait_for_a_picture)
{
    struct term *t = at_the_end(NULL, BACKTAB);
    term_keys(t, UP UP UP UP "\r");
    term_wait(t, "event 392 ");
    quit(t);
}

/* ---- the narration ---- */

/* The last pane of this layout that can have the focus. */
static struct term *narration(void)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--layout", "compact"));
    term_wait(t, "ENDED: main returned");
    close_card(t);
    term_wait(t, "╭ What happened ─");
    term_keys(t, BACKTAB);
    wait_handled(t);
    return t;
}

TEST(the_narration_follows_until_its_cursor_moves)
{
    struct term *t = narration();
    CHECK(term_shows(t, "╭ What happened ──"));
    key_and_see(t, UP, "What happened ─ 402 / 405");
    key_and_see(t, "k", "What happened ─ 398 / 405");
    key_and_see(t, DOWN, "What happened ─ 402 / 405");
    key_and_see(t, HOME, "What happened ─ 10 / 405"); /* the boot has one row */
    key_and_see(t, "j", "What happened ─ 12 / 405");
    key_and_see(t, END, "What happened ─ 405 / 405");
    term_keys(t, PAGE_UP);
    term_wait_gone(t, "What happened ─ 405 / 405");
    key_and_see(t, PAGE_DOWN, "What happened ─ 405 / 405");
    term_keys(t, "\t");
    term_wait_gone(t, " / 405");
    quit(t);
}

/* The row grows while the runtime boots. A step shows below it what it did. */
TEST(the_boot_is_one_sentence)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--layout", "compact", "--break", "g_start g=1"));
    term_wait(t, "Boot: M0 starts, GOMAXPROCS=2, M1 is sysmon, M0 runs G1.");
    CHECK(!term_shows(t, "M1 starts: it runs sysmon."));
    key_and_see(t, ":goto 2\r", "procresize makes the first Ps");
    CHECK(term_shows(t, "Boot: M0 starts, GOMAXPROCS=2."));
    CHECK(term_shows(t, "event 2 is a part of the sentence above"));
    key_and_see(t, ":goto 6\r", "M1 starts: it runs sysmon.");
    CHECK(term_shows(t, "Boot: M0 starts, GOMAXPROCS=2, M1 is sysmon."));
    CHECK(!term_shows(t, "procresize makes the first Ps"));
    quit(t);
}

TEST(spawns_in_a_row_are_told_once)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--layout", "compact", "--break", "go_create g=7"));
    term_wait(t, "G1 starts G5 to G7 (worker) in the same way: 3 Gs.");
    CHECK(term_shows(t, "G1 starts G4 (worker).")); /* M2 ran G2 after it */
    CHECK(!term_shows(t, "G6 becomes P0's runnext"));
    key_and_see(t, "s", "G7 becomes P0's runnext and kicks G6 out.");
    key_and_see(t, "s", "G6 goes to the tail of P0's ring.");
    CHECK(term_shows(t, "G1 starts G5 to G7 (worker) in the same way: 3 Gs."));
    key_and_see(t, ":until go_create g=8\r", "G1 starts G5 to G8 (worker) in the same way: 4 Gs.");
    CHECK(!term_shows(t, "becomes P0's runnext and kicks G6 out"));
    key_and_see(t, ":set language zh\r", "G1 以同样的方式创建 G5 至 G8（worker），共 4 个。");
    quit(t);
}

/* The list of sentences has the same row. A list about one G, and the list of events, have each spawn. */
TEST(a_list_about_one_g_has_its_spawn)
{
    struct term *t = narration();
    key_and_see(t, HOME PAGE_DOWN PAGE_DOWN PAGE_DOWN, "G1 starts G5 to G9 (worker) in the same way: 5 Gs.");
    CHECK(!term_shows(t, "G1 starts G6 (worker)."));
    term_keys(t, ":inspect g6\r");
    wait_handled(t);
    key_and_see(t, "F" HOME, "G1 starts G6 (worker).");
    quit(t);
}

TEST(the_wheel_scrolls_the_narration_and_gives_it_the_focus)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max"));
    term_wait(t, "ENDED: main returned");
    close_card(t);
    wheel(t, "What happened", 64, "What happened ─ 394 / 405");
    wheel(t, "What happened", 65, "What happened ─ 405 / 405");
    key_and_see(t, "k", "What happened ─ 402 / 405");
    quit(t);
}

/* A column that came with the focus would cut sentences. */
TEST(no_sentence_moves_when_the_narration_takes_the_focus)
{
    static const int size[][2] = {{24, 80}, {30, 90}, {30, 100}, {34, 110}, {40, 120}, {60, 150}, {60, 200}};
    const char *sentence = "M2 starts to spin";
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        struct term *t = term_start(size[i][0], size[i][1], NULL, STEAL_HALF("--tempo", "max", "--break", "steal n>=2"));
        int before, after;
        term_wait(t, "PAUSED at steal");
        term_wait(t, sentence);
        int row = term_find(t, sentence, &before);
        wheel(t, sentence, 64, "What happened ─ ");
        wheel(t, "What happened ─ ", 65, "197 / 197");
        term_wait(t, sentence);
        CHECK_INT(term_find(t, sentence, &after), row);
        CHECK_INT(after, before);
        quit(t);
    }
}

TEST(enter_in_the_narration_goes_to_the_event_and_selects_its_g)
{
    struct term *t = narration();
    key_and_see(t, HOME DOWN DOWN "\r", "event 13 ");
    key_and_see(t, "F", "What happened ─ 13 / 405 ─ only G2");
    key_and_see(t, END, "What happened ─ 190 / 405 ─ only G2");
    term_keys(t, "F");
    term_wait_gone(t, "only G2");
    quit(t);
}

TEST(a_click_on_a_sentence_puts_the_cursor_there_and_a_second_one_goes_there)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max"));
    char click[64];
    term_wait(t, "ENDED: main returned");
    close_card(t);
    int column, row = term_find(t, "G10 ends.", &column);
    CHECK(row > 0);
    snprintf(click, sizeof click, "\x1b[<0;%d;%dM\x1b[<0;%d;%dm", column + 1, row + 1, column + 1, row + 1);
    key_and_see(t, click, "What happened ─ 392 / 405");
    CHECK_INT(term_find(t, "G10 ends.", NULL), row);
    key_and_see(t, click, "event 392 ");
    quit(t);
}

TEST(the_narration_marks_what_is_searched_for)
{
    struct term *t = narration();
    key_and_see(t, "/g_end\r[", "▶/392 ");
    term_wait(t, "What happened ─ / 9/9");
    key_and_see(t, UP, "What happened ─ 391 / 405 ─ / 9/9");
    term_wait(t, "▶/392 ");
    quit(t);
}

/* Three events of a wakep() without an idle P have one sentence, in the list as well. */
TEST(the_list_of_sentences_has_what_the_narration_had)
{
    struct term *t = narration();
    term_keys(t, HOME PAGE_DOWN PAGE_DOWN PAGE_DOWN);
    term_wait(t, "No P is idle, so no M is woken.");
    CHECK(!term_shows(t, "needspinning is set"));
    quit(t);
}

/* ---- text ---- */

TEST(a_text_is_found_in_the_sentences)
{
    struct term *t = at_the_end(NULL, "");
    key_and_see(t, "/\"STEALS g\"\r", "\"STEALS g\": wrapped to 1/2, event 25");
    CHECK(term_shows(t, "▶/ 25 "));
    key_and_see(t, "]", "\"STEALS g\": 2/2, event 347");
    key_and_see(t, "]", "wrapped to 1/2");
    key_and_see(t, "[", "wrapped to 2/2");
    key_and_see(t, "[", "\"STEALS g\": 1/2, event 25");
    key_and_see(t, "/nowhere to be seen\r", "\"nowhere to be seen\": in no sentence of this run");
    key_and_see(t, "/worker\r", "\"worker\": 3/16, event 30"); /* no mistake in "gc_worker": sentences have it */
    key_and_see(t, "/g_stael\r", "the nearest is");
    term_keys(t, "\x1b");
    quit(t);
}

TEST(a_text_is_found_in_the_language_that_is_shown)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--lang", "zh"));
    term_wait(t, "已结束");
    key_and_see(t, "/偷\r", "\"偷\"：已绕回，第 1/4 处，事件 25");
    key_and_see(t, "]", "\"偷\"：第 2/4 处，事件 197");
    key_and_see(t, "/\"steals\"\r", "\"steals\"：这次运行没有句子包含它");
    quit(t);
}

/* The state of an early stop is shown; what is searched for comes later in what is recorded, or after it. */
TEST(a_text_is_looked_for_ahead_first)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--break", "steal n>=2"));
    term_wait(t, "PAUSED at steal n>=2");
    key_and_see(t, "g", "BACK at event 1 ");
    key_and_see(t, "/\"g5\"\r", "\"g5\": 1/4, event 37");
    key_and_see(t, "/nobody says this\r", "not in the 197 events recorded so far; space runs on to it");
    key_and_see(t, "G", "PAUSED at steal n>=2");
    key_and_see(t, "/g4 ends\r", "not in the 197 events recorded so far; space runs on to it");
    key_and_see(t, " ", "PAUSED at \"g4 ends\"");
    CHECK(term_shows(t, "▶/272 "));
    key_and_see(t, ":delete all\r/\"g10 ends\"\r]", "PAUSED at \"g10 ends\"");
    quit(t);
}

TEST(a_run_to_a_text_that_never_comes_says_so)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--break", "go_create g=2"));
    term_wait(t, "PAUSED at go_create g=2");
    key_and_see(t, "/nobody says this\r", "space runs on to it");
    key_and_see(t, " ", "\"nobody says this\": in no sentence of this run");
    quit(t);
}

/* Each occurrence in a sentence is marked, across the ends of lines, too. */
TEST(a_hit_is_marked_in_the_drawn_text)
{
    struct canvas c;
    CHECK(canvas_init(&c, 12, 4));
    struct rect r = {1, 1, 10, 3};
    wrap_draw(&c, r, ROLE_plain, "one two THREE two three");
    CHECK(hits_mark(&c, r, "two three"));
    int focus = 0;
    for (int i = 0; i < 12 * 4; i++)
        focus += c.cell[i].role == ROLE_focus;
    CHECK_INT(focus, 3 + 5 + 3 + 5);
    canvas_clear(&c);
    wrap_draw(&c, r, ROLE_plain, "没有空闲的处理器了");
    CHECK(hits_mark(&c, r, "闲的处"));
    CHECK(!hits_mark(&c, r, "处的"));
    canvas_fini(&c);
}

/* ---- the life of a G ---- */

/* The goroutine pane has the focus, and G4 is selected. */
static struct term *life_of_g4(void)
{
    struct term *t = at_the_end(NULL, ":inspect g4\r\r" BACKTAB BACKTAB);
    term_wait(t, "G4 ─ worker ─ ran 1 ms, was runnable 3 ms, waited 0");
    return t;
}

TEST(a_life_has_every_move)
{
    struct term *t = life_of_g4();
    term_wait(t, "G5 becomes P0's runnext and kicks G4 out.");
    term_wait(t, "runnable for 3 ms");
    term_wait(t, "running for 1 ms");
    key_and_see(t, HOME, "G1 starts G4 (worker).");
    quit(t);
}

/* A steal names only the last G that it takes. */
TEST(a_life_has_the_batch_that_moved_it)
{
    struct term *t = life_of_g4();
    term_wait(t, "M2 steals 4 Gs from P0 for P1 and holds G6.");
    term_wait(t, "→ P1's ring");
    key_and_see(t, HOME DOWN DOWN DOWN DOWN "\r", "event 197 ");
    term_wait(t, "G4 ─ worker ─ ");
    quit(t);
}

TEST(the_cursor_of_a_life_moves)
{
    struct term *t = life_of_g4();
    key_and_see(t, UP "\r", "event 254 ");
    key_and_see(t, "k\r", "event 253 ");
    key_and_see(t, DOWN "\r", "event 254 ");
    key_and_see(t, "j\r", "event 272 ");
    key_and_see(t, HOME "\r", "event 30 ");
    key_and_see(t, END "\r", "event 272 ");
    key_and_see(t, PAGE_UP "\r", "event 30 ");
    key_and_see(t, PAGE_DOWN "\r", "event 272 ");
    wheel(t, "G4 ─ worker ─ ran", 64, "G4 ─ worker ─ ran");
    key_and_see(t, "\r", "event 197 ");
    wheel(t, "G4 ─ worker ─ ran", 65, "G4 ─ worker ─ ran");
    key_and_see(t, "\r", "event 272 ");
    quit(t);
}

TEST(why_a_g_does_not_run)
{
    struct term *t = life_of_g4();
    term_keys(t, ":goto 121\r");
    term_wait(t, "event 121 ");
    key_and_see(t, "y", "Why is it not running?");
    term_wait(t, "30  G4 has been runnable for 399.88 µs. It has place 2 of 7 in P0's ring.");
    term_wait(t, "77  M0 runs G10 on that P, for 399.24 µs so far.");
    key_and_see(t, DOWN DOWN DOWN DOWN "\r", "event 77 ");
    term_wait(t, "G4 worker ─ Why is it not running?");
    key_and_see(t, "y", "G1 starts G4 (worker).");
    quit(t);
}

/* ---- the timeline ---- */

/* The timeline has the focus, and the state after the steal is shown. */
static struct term *timeline_at_the_steal(void)
{
    struct term *t = at_the_end(NULL, ":goto 197\r" BACKTAB BACKTAB BACKTAB "x");
    term_wait(t, "event 197 ");
    term_wait(t, "Timeline ─ Ps ─ 8.003 ms, a column is 71.461 µs");
    return t;
}

TEST(the_timeline_shows_who_ran_when)
{
    struct term *t = timeline_at_the_steal();
    term_wait(t, "P0  G10 busy AAAAAAAA");
    term_wait(t, "P1  G2 worker 2222G6 worker 666G3 worker 3333");
    term_wait(t, "s steal");
    quit(t);
}

/* Nearly all events of steal-half are in its first microsecond and around three later ones. */
TEST(the_timeline_counts_events_where_time_would_hide_them)
{
    struct term *t = at_the_end(NULL, ":goto 197\r" BACKTAB BACKTAB BACKTAB);
    term_wait(t, "Timeline ─ Ps ─ events 127 of 127, a column is 2");
    term_wait(t, "┊ gap: nothing happens");
    term_wait(t, "s◀ here");
    term_wait(t, "┊1 ms");
    key_and_see(t, ">", "Timeline ─ Ps ─ by events, 105 of 127");
    key_and_see(t, "<", "events 127 of 127");
    key_and_see(t, "x", "Timeline ─ Ps ─ 8.003 ms, a column is 71.461 µs");
    term_wait_gone(t, "┊");
    key_and_see(t, "x>", "by events, ");
    term_keys(t, RIGHT);
    wait_past(t, 197);
    key_and_see(t, LEFT, "event 197 ");
    quit(t);
}

TEST(the_cursor_of_the_timeline_moves_the_present)
{
    struct term *t = timeline_at_the_steal();
    term_keys(t, RIGHT);
    term_wait_gone(t, "event 197 ");
    long right = event_number(t);
    CHECK(right > 197);
    term_keys(t, LEFT LEFT);
    wait_past(t, 0);
    term_keys(t, ":goto 197\r");
    term_wait(t, "event 197 ");
    term_keys(t, "l");
    wait_past(t, 197);
    CHECK_INT(event_number(t), right);
    for (int i = 0; i < 120; i++) /* events at one time have one slice; below the first slice it goes event by event */
        term_keys(t, "h");
    term_wait(t, "event 1 ");
    quit(t);
}

TEST(the_timeline_zooms_on_the_present)
{
    struct term *t = timeline_at_the_steal();
    key_and_see(t, ">", "Timeline ─ Ps ─ 4.001 ms");
    key_and_see(t, ">", "Timeline ─ Ps ─ 2 ms");
    key_and_see(t, ">>>>>>>>>>>>>>>>>>>>>>>>>", "a column is 1 ns");
    key_and_see(t, RIGHT, "event 198 ");
    key_and_see(t, "<<<<<<<<<<<<<<<<<<<<<<<<<", "Timeline ─ Ps ─ 8.003 ms");
    quit(t);
}

TEST(the_lanes_turn)
{
    struct term *t = timeline_at_the_steal();
    key_and_see(t, "v", "Timeline ─ Ms ─");
    term_wait(t, "M2  G2 worker 2222G6 worker 666G3");
    key_and_see(t, "v", "Timeline ─ Gs +5 ─");
    term_wait(t, "G2  11111111111111 ");
    key_and_see(t, "v", "Timeline ─ Ps ─");
    quit(t);
}

TEST(enter_selects_the_g_in_the_lane)
{
    struct term *t = timeline_at_the_steal();
    key_and_see(t, "\r", "G10 ─ busy");
    key_and_see(t, DOWN "\r", "G6 ─ worker");
    key_and_see(t, UP "\r", "G10 ─ busy");
    key_and_see(t, "j\r", "G6 ─ worker");
    key_and_see(t, "k\r", "G10 ─ busy");
    wheel(t, "P0  G10 busy", 65, "▶P1 ");
    wheel(t, "P0  G10 busy", 64, "▶P0 ");
    quit(t);
}

TEST(a_click_on_the_timeline_goes_there)
{
    struct term *t = timeline_at_the_steal();
    char click[64];
    int column, row = term_find(t, "P1  G2 worker", &column);
    snprintf(click, sizeof click, "\x1b[<0;%d;%dM\x1b[<0;%d;%dm", column + 5, row + 1, column + 5, row + 1);
    key_and_see(t, click, "G2 ─ worker");
    CHECK(event_number(t) < 197);
    quit(t);
}

TEST(a_drag_on_the_timeline_shows_where_it_ends)
{
    struct term *t = at_the_end(NULL, "");
    char press[32], release[32];
    int column, row = term_find(t, " P0 ", &column);
    CHECK(row > 0);
    row = term_find(t, "Timeline", &column) + 1;
    snprintf(press, sizeof press, "\x1b[<0;%d;%dM", column + 60, row + 1);
    snprintf(release, sizeof release, "\x1b[<0;%d;%dm", column + 10, row + 1);
    key_and_see(t, press, "BACK at event");
    char *before = strdup(strstr(term_text(t), "BACK at event"));
    term_keys(t, release);
    before[20] = '\0';
    term_wait_gone(t, before);
    term_wait(t, "BACK at event");
    free(before);
    quit(t);
}

TEST(y_explains_the_selected_g_wherever_the_focus_is)
{
    struct term *t = at_the_end(NULL, ":inspect g4\r\r");
    key_and_see(t, "y", "G4");
    wait_handled(t);
    quit(t);
}
