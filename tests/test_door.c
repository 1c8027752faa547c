/* The front door in an emulated terminal: each of its keys, what it remembers, and how it is reached from a run. */
#include "screen.h"
#include "ui/door/door.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define UP "\x1bOA"
#define DOWN "\x1bOB"
#define PAGE_UP "\x1b[5~"
#define PAGE_DOWN "\x1b[6~"
#define HOME "\x1bOH"
#define END "\x1bOF"
#define BACKTAB "\x1b[Z"
#define ESC "\x1b"
#define LISTED "gmpscope ─ "

static const char *const alone[] = {GMPSCOPE_BIN, NULL};

static struct term *door_with(const char *const *env)
{
    struct term *t = term_start(40, 120, env, alone);
    term_wait(t, LISTED);
    return t;
}

static struct term *door_of(int rows, int columns)
{
    struct term *t = term_start(rows, columns, NULL, alone);
    term_wait(t, "gmpscope ─ ");
    return t;
}

static struct term *door(void)
{
    return door_with(NULL);
}

/* The chosen scenario has its name in the frame on the right. */
static void wait_chosen(struct term *t, const char *name)
{
    char text[100];
    snprintf(text, sizeof text, "╭ %s ─", name);
    term_wait(t, text);
}

static void leave(struct term *t)
{
    term_wait(t, LISTED);
    quit(t);
}

static const char *state(const char *file)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/state/gmpscope/%s", t_tmpdir(), file);
    return path;
}

static char *read_state(const char *file)
{
    static char text[4000];
    FILE *f = fopen(state(file), "r");
    CHECK(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    return text;
}

TEST(the_list_has_topics_titles_and_what_to_watch)
{
    struct term *t = door();
    wait_chosen(t, "scene-01-new-g");
    term_wait(t, "── One P ─");
    term_wait(t, "▶ Scene 1: a new G stays at its P");
    term_wait(t, "Watch: P0's runnext");
    term_wait(t, "Processors"); /* the picture is made in the background */
    term_wait(t, "▶ G2 starts G4 (child).");
    CHECK(!term_shows(t, "New here?"));
    leave(t);
}

TEST(keys_that_move)
{
    static const struct {
        const char *key, *name;
    } step[] = {
        {DOWN, "scene-02-reuse"},
        {"j", "scene-03-overflow"},
        {"k", "scene-02-reuse"},
        {UP, "scene-01-new-g"},
        {UP, "scene-01-new-g"},
        {"\t", "first-spawn"},
        {"\t", "overflow"},
        {BACKTAB, "first-spawn"},
        {END, "one-long"},
        {"j", "one-long"},
        {HOME, "scene-01-new-g"},
        {"G", "one-long"},
        {"g", "scene-01-new-g"},
        {"\x1b[<65;5;5M", "scene-02-reuse"},
        {"\x1b[<64;5;5M", "scene-01-new-g"}};
    struct term *t = door();
    for (size_t i = 0; i < sizeof step / sizeof *step; i++) {
        term_keys(t, step[i].key);
        wait_chosen(t, step[i].name);
    }
    leave(t);
}

/* Many terminals send other sequences than their TERM says: for arrows before the keypad mode takes effect, for home and end in PuTTY and tmux. An
 * unknown sequence is one unknown key. Its letters would do things, and its escape would leave. */
TEST(keys_that_the_terminal_type_does_not_describe)
{
    static const struct {
        const char *key, *name;
    } step[] = {{"\x1b[B", "scene-02-reuse"},  {"\x1b[B", "scene-03-overflow"},   {"\x1b[A", "scene-02-reuse"},  {"\x1b[4~", "one-long"},
                {"\x1b[1~", "scene-01-new-g"}, {"\x1b[8~", "one-long"},           {"\x1b[7~", "scene-01-new-g"}, {"\x1b[F", "one-long"},
                {"\x1b[H", "scene-01-new-g"},  {"\x1b[99;5qj", "scene-02-reuse"}, {"\x1bOqk", "scene-01-new-g"}};
    struct term *t = door();
    for (size_t i = 0; i < sizeof step / sizeof *step; i++) {
        term_keys(t, step[i].key);
        wait_chosen(t, step[i].name);
    }
    term_keys(t, "\x1b]10;rgb:qqqq/e\x1b\\j");
    wait_chosen(t, "scene-02-reuse");
    leave(t);
}

TEST(pages)
{
    struct term *t = door();
    wait_chosen(t, "scene-01-new-g");
    term_keys(t, PAGE_DOWN);
    term_wait_gone(t, "╭ scene-01-new-g ─"); /* the picture beside the list may change by itself, so any change will not do */
    press_and_see(t, " ");
    press_and_see(t, PAGE_UP);
    term_keys(t, PAGE_UP);
    wait_chosen(t, "scene-01-new-g");
    term_wait(t, "── One P ─"); /* the heading above the first is seen as well */
    leave(t);
}

TEST(searching_follows_each_letter)
{
    struct term *t = door();
    term_keys(t, "/");
    term_wait(t, "/");
    term_keys(t, "neighbour");
    wait_chosen(t, "steal-half");
    term_wait_gone(t, "One P");
    term_keys(t, " QUEUE"); /* every word, in any case */
    term_wait(t, "/neighbour QUEUE");
    wait_chosen(t, "steal-half");
    term_keys(t, "xyz");
    term_wait(t, "no scenario matches");
    term_keys(t, ESC); /* back to the whole list, and to what was found */
    term_wait(t, "── Finding work ─");
    leave(t);
}

TEST(enter_runs_and_q_returns)
{
    struct term *t = door();
    term_keys(t, "/neighbour\r"); /* enter leaves the line; the list is whole again */
    term_wait(t, "── Finding work ─");
    wait_chosen(t, "steal-half");
    term_wait_gone(t, "/neighbour");
    term_keys(t, "\r");
    term_wait(t, "event ");
    term_wait(t, "steal-half  lockstep");
    term_keys(t, "q");
    term_wait(t, LISTED);
    wait_chosen(t, "steal-half");
    term_wait(t, "── Last runs ─");
    CHECK_STR(read_state("recent"), "steal-half\n");
    leave(t);
}

/* All shipped scenarios have one, so this list is another one. */
TEST(where_there_is_no_lesson_it_is_said)
{
    char data[600];
    t_file("scenarios/none.yaml", "name: none\ntopic: one-p\ngoroutines: [{name: main, do: [{print: hello}]}]\n");
    t_file("layouts/classic.yaml", "name: classic\nroot: {pane: narration}\n");
    snprintf(data, sizeof data, "GMPSCOPE_DATA=%s", t_tmpdir());
    struct term *t = door_with((const char *const[]){data, NULL});
    wait_chosen(t, "none");
    term_keys(t, "l");
    term_wait(t, "none has no lesson");
    leave(t);
}

TEST(the_lesson)
{
    struct term *t = door();
    wait_chosen(t, "scene-01-new-g");
    term_keys(t, "l");
    term_wait(t, "Lesson ─");
    term_keys(t, "q");
    leave(t);
}

TEST(comparing_with_another_scenario)
{
    struct term *t = door();
    wait_chosen(t, "scene-01-new-g");
    term_keys(t, "c");
    term_wait(t, "compare scene-01-new-g with");
    term_keys(t, ESC);
    term_wait_gone(t, "compare scene-01-new-g with");
    term_keys(t, "cj");
    wait_chosen(t, "scene-02-reuse");
    term_keys(t, "\r");
    term_wait(t, "left");
    term_wait(t, "scene-02-reuse");
    term_wait(t, "event ");
    term_keys(t, "q");
    leave(t);
}

/* The key line follows, and no settings at all are the scenario's own. */
TEST(comparing_as_the_scenario_says)
{
    struct term *t = door();
    wait_chosen(t, "scene-01-new-g");
    term_keys(t, "c");
    term_wait(t, "enter with this one  c itself, other settings");
    term_keys(t, ESC);
    term_wait_gone(t, "with this one");
    term_keys(t, "cc");
    term_wait(t, "none: the scenario's own");
    term_keys(t, "\r");
    term_wait(t, "compare needs two scenarios");
    term_keys(t, "/hog\r");
    wait_chosen(t, "hog");
    term_keys(t, "cc");
    term_wait(t, "none: the scenario's own");
    term_keys(t, "\r");
    term_wait(t, "generation=go1.0");
    term_wait(t, "generation=go1.20");
    term_keys(t, "q");
    leave(t);
}

TEST(comparing_with_other_settings)
{
    struct term *t = door();
    wait_chosen(t, "scene-01-new-g");
    term_keys(t, "cc");
    term_wait(t, "settings of the right run");
    term_keys(t, "nonsense=1\r");
    term_wait(t, "--right: unknown setting \"nonsense\"");
    term_keys(t, "cc");
    term_wait(t, "settings of the right run");
    term_keys(t, "procs=4\r");
    term_wait(t, "procs=4");
    term_wait(t, "event ");
    term_keys(t, "q");
    leave(t);
}

/* Starts the list in a folder of the test's own, with this editor. */
static struct term *door_in(const char *folder, const char *editor)
{
    static char env[1200], path[600], command[700];
    static const char *argv[] = {"/bin/sh", "-c", command, NULL};
    snprintf(path, sizeof path, "%s/%s", t_tmpdir(), folder);
    mkdir(path, 0700);
    snprintf(command, sizeof command, "cd '%s' && exec '%s'", path, GMPSCOPE_BIN);
    snprintf(env, sizeof env, "VISUAL=%s", editor);
    struct term *t = term_start(40, 120, (const char *const[]){env, NULL}, argv);
    term_wait(t, LISTED);
    return t;
}

TEST(editing_a_copy_runs_it)
{
    char path[700];
    struct term *t = door_in("edit", "sed -i \"s/name: scene-01-new-g/name: my-own/\"");
    wait_chosen(t, "scene-01-new-g");
    term_keys(t, "e");
    term_wait(t, "my-own  lockstep");
    term_keys(t, "q");
    term_wait(t, "edit/scene-01-new-g.yaml ─"); /* it is among the last runs, and chosen */
    term_keys(t, "g\t");
    wait_chosen(t, "scene-01-new-g");
    term_keys(t, "e"); /* the first copy stays */
    term_wait(t, "my-own  lockstep");
    term_keys(t, "q");
    term_wait(t, "edit/scene-01-new-g-2.yaml ─");
    snprintf(path, sizeof path, "%s/edit/scene-01-new-g-2.yaml", t_tmpdir());
    CHECK(access(path, R_OK) == 0);
    leave(t);
}

TEST(an_edit_with_a_mistake_is_said_and_can_be_mended)
{
    struct term *t = door_in("mistake", "sed -i s/^goroutines:/gorutines:/");
    wait_chosen(t, "scene-01-new-g");
    term_keys(t, "e");
    term_wait(t, " scene-01-new-g.yaml:1:1: scenario lacks the key \"goroutines\"");
    term_wait(t, "this file has mistakes; e edits it");
    leave(t);
    t = door_in("mistake", "sed -i s/^gorutines:/goroutines:/");
    term_wait(t, "this file has mistakes; e edits it");
    term_keys(t, "e"); /* a file of one's own is edited in its place */
    term_wait(t, "scene-01-new-g  lockstep");
    term_keys(t, "q");
    leave(t);
    t = door_in("mistake", "false");
    term_keys(t, "e");
    term_wait(t, "false has failed");
    leave(t);
}

/* `:layout code` typed out of habit must not play the lesson, compare and edit. */
TEST(the_letters_of_a_command_are_no_keys)
{
    struct term *t = door();
    wait_chosen(t, "scene-01-new-g");
    term_keys(t, ":layout code");
    term_wait(t, "no scenario matches");
    term_keys(t, ESC);
    wait_chosen(t, "scene-01-new-g");
    leave(t);
}

TEST(help_lists_every_key)
{
    struct term *t = door();
    term_keys(t, "?");
    term_wait(t, "any key closes this");
    for (int i = 0; door_key(i); i++)
        CHECK(term_shows(t, tx(LANG_EN, door_key(i)->help)));
    term_keys(t, "x");
    term_wait_gone(t, "any key closes this");
    leave(t);
}

TEST(help_has_pages_where_it_does_not_fit)
{
    struct term *t = door_of(16, 60);
    bool seen[64] = {false};
    term_keys(t, "?");
    for (int page = 0; page < 2; page++) {
        term_wait(t, page ? "─any key closes this" : "space: more");
        for (int i = 0; door_key(i); i++)
            seen[i] |= term_shows(t, door_key(i)->name);
        term_keys(t, page ? "\x1b[5~" : " ");
    }
    term_wait(t, "space: more");
    for (int i = 0; door_key(i); i++)
        CHECK(seen[i]);
    term_keys(t, "x");
    term_wait_gone(t, "space: more");
    leave(t);
}

TEST(a_key_that_does_nothing_says_so)
{
    struct term *t = door();
    wait_chosen(t, "scene-01-new-g");
    term_keys(t, "Z");
    term_wait(t, "Z does nothing here; ? lists the keys that do");
    term_keys(t, "\x1b[21~");
    term_wait(t, "F10 does nothing here");
    term_keys(t, "j");
    term_wait_gone(t, "does nothing here");
    leave(t);
}

TEST(a_click_chooses_and_a_second_runs)
{
    struct term *t = door();
    wait_chosen(t, "scene-01-new-g");
    term_keys(t, "\x1b[<0;10;5M\x1b[<0;10;5m"); /* row 5, from 1: the third entry */
    wait_chosen(t, "scene-03-overflow");
    term_keys(t, "\x1b[<0;10;5M\x1b[<0;10;5m");
    term_wait(t, "scene-03-overflow  lockstep");
    term_keys(t, "q");
    leave(t);
}

TEST(a_path_shows_its_lessons_and_is_remembered)
{
    struct term *t = door();
    term_wait(t, "▶ Scene 1: a new G stays at its P");
    term_wait(t, "◀ start here");
    term_wait(t, "$ gmpscope lesson scene-01-new-g");
    term_keys(t, "p");
    term_wait(t, "path: Go programmer (0 of 18 played)");
    wait_chosen(t, "first-spawn");
    term_wait(t, "next: why-runnext");
    CHECK(!term_shows(t, "Scene 1"));
    CHECK_STR(read_state("path"), "programmer\n");
    leave(t);
    t = door();
    term_wait(t, "path: Go programmer");
    term_keys(t, "pp");
    term_wait(t, "── Ten scenes ─");
    term_wait_gone(t, "path:");
    leave(t);
}

TEST(a_lesson_that_was_played_has_its_best_score)
{
    struct term *t = door();
    quit(t);
    FILE *f = fopen(state("scores"), "w");
    CHECK(f);
    fputs("first-spawn 1 2\nno such line\nscene-01-new-g 5 3\nwhy-runnext 1 1\nping-pong 99999999999999999999 1\n", f);
    fclose(f);
    t = door();
    term_wait(t, "✓ 1/2");
    term_wait(t, "✓ 1/1");
    term_wait(t, "◀ next");
    CHECK(!term_shows(t, "✓ 5/3"));
    leave(t);
}

TEST(escape_leaves_and_ctrl_c_interrupts)
{
    struct term *t = door();
    term_keys(t, ESC);
    CHECK_INT(term_wait_exit(t), 0);
    term_check_sane(t);
    term_free(t);
    t = door();
    term_keys(t, "\x03");
    CHECK_INT(term_wait_exit(t), 130);
    term_check_sane(t);
    term_free(t);
}

TEST(ctrl_l_draws_again_and_ctrl_z_suspends)
{
    struct term *t = door();
    term_keys(t, "\x0c");
    term_wait_output(t);
    term_keys(t, "\x1a");
    term_wait_stopped(t);
    term_signal(t, 18 /* SIGCONT */);
    term_keys(t, "j");
    wait_chosen(t, "scene-02-reuse");
    leave(t);
}

TEST(the_size_may_change)
{
    struct term *t = door();
    term_resize(t, 24, 80);
    term_wait(t, "╮");
    term_resize(t, 20, 40); /* no room for the picture */
    term_wait_gone(t, "╮");
    term_wait(t, "▶ Scene 1");
    term_resize(t, 3, 10);
    term_resize(t, 40, 120);
    wait_chosen(t, "scene-01-new-g");
    leave(t);
}

TEST(a_signal_ends_it)
{
    struct term *t = door();
    term_signal(t, 15);
    CHECK_INT(term_wait_exit(t), 143);
    term_check_sane(t);
    term_free(t);
}

/* ---- over a run ---- */

TEST(o_opens_the_list_over_a_run_and_q_returns_to_it)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--break", "steal n>=2"));
    term_wait(t, "PAUSED at steal n>=2");
    term_keys(t, "o");
    term_wait(t, LISTED);
    wait_chosen(t, "steal-half");
    term_keys(t, "q");
    term_wait(t, "PAUSED at steal n>=2");
    quit(t);
}

TEST(another_run_replaces_the_one_below_and_q_comes_to_the_list)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--break", "steal n>=2"));
    term_wait(t, "PAUSED at steal n>=2");
    term_keys(t, ":open\r");
    term_wait(t, LISTED);
    term_keys(t, "/first-spawn\r\r");
    term_wait(t, "first-spawn  lockstep");
    term_keys(t, "o");
    term_wait(t, LISTED);
    term_keys(t, "/ping-pong\r\r");
    term_wait(t, "ping-pong  lockstep");
    CHECK_STR(read_state("recent"), "ping-pong\nfirst-spawn\nsteal-half\n");
    term_keys(t, "q");
    leave(t);
}

/* The options of a run end with it, and the list outlives it. */
TEST(what_the_first_run_looks_like_holds_for_those_from_the_list)
{
    struct term *t =
        term_start(40, 120, NULL, STEAL_HALF("--lang", "zh", "--theme", "projector", "--tempo", "max", "--break", "steal n>=2"));
    term_wait(t, "steal n>=2");
    term_keys(t, "o");
    term_wait(t, LISTED);
    term_keys(t, "/first-spawn\r\r");
    term_wait(t, "first-spawn  lockstep");
    term_wait(t, "一个 P 上的许多 G：谁先运行？");
    term_keys(t, "q");
    leave(t);
}

TEST(q_ends_a_run_from_the_command_line)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF());
    term_wait(t, "event ");
    quit(t);
}

TEST(a_run_that_goes_on_is_paused_below_the_list)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "10"));
    term_wait(t, "running");
    term_keys(t, "o");
    term_wait(t, LISTED);
    term_keys(t, "q");
    term_wait(t, "running");
    wait_past(t, event_number(t)); /* it goes on again */
    quit(t);
}

TEST(the_list_opens_over_two_runs)
{
    struct term *t = term_start(40, 120, NULL, (const char *const[]){GMPSCOPE_BIN, "compare", "steal-half", "first-spawn", NULL});
    term_wait(t, "event ");
    term_keys(t, "o");
    term_wait(t, LISTED);
    term_keys(t, "q");
    term_wait(t, "event ");
    quit(t);
}

/* ---- what is remembered ---- */

TEST(the_last_five_runs_are_on_top)
{
    static const char *const names[] = {"ping-pong", "overflow", "cgo", "ticker", "net-echo", "gc-cycle", "overflow"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct term *t = term_start(40, 120, NULL, (const char *const[]){GMPSCOPE_BIN, "run", names[i], NULL});
        term_wait(t, "event ");
        quit(t);
    }
    CHECK_STR(read_state("recent"), "overflow\ngc-cycle\nnet-echo\nticker\ncgo\n");
    struct term *t = door();
    wait_chosen(t, "overflow");
    CHECK(term_find(t, "Last runs", NULL) == 1 && term_find(t, "Ten scenes", NULL) == 7);
    CHECK(term_shows(t, "net-echo  ") && term_shows(t, "cgo  ")); /* what can be typed, then the title */
    leave(t);
}

/* Neither a folder that cannot be made nor a file of garbage stops anything. */
TEST(without_a_state_folder_nothing_is_remembered_and_nothing_said)
{
    static const char *const none[] = {"XDG_STATE_HOME=/proc/no/such", NULL};
    struct term *t = door_with(none);
    CHECK(!term_shows(t, "New here?"));
    term_keys(t, "\r");
    term_wait(t, "event ");
    term_keys(t, "q");
    term_wait(t, LISTED);
    CHECK(!term_shows(t, "Last runs"));
    leave(t);
    t = door();
    FILE *f = fopen(state("recent"), "w");
    CHECK(f && fputs("no-such\n/no/such.yaml\n\n\x1b[2J\nsteal-half\nlast", f) >= 0 && fclose(f) == 0);
    term_keys(t, "\r");
    term_wait(t, "event ");
    term_keys(t, "q");
    term_wait(t, "Last runs");
    leave(t);
}

TEST(the_hint_is_there_until_the_first_run)
{
    char env[600];
    snprintf(env, sizeof env, "XDG_STATE_HOME=%s/fresh", t_tmpdir());
    const char *const fresh[] = {env, NULL};
    struct term *t = door_with(fresh);
    term_wait(t, "New here?");
    term_keys(t, "\r");
    term_wait(t, "event ");
    term_wait(t, "New here?");
    term_keys(t, " ");
    term_wait_gone(t, "New here?"); /* the first key */
    term_keys(t, "q");
    term_wait(t, LISTED);
    CHECK(!term_shows(t, "New here?"));
    leave(t);
}

TEST(a_run_begins_with_its_title_and_summary)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--break", "m_start m=1"));
    term_wait(t, "PAUSED");
    term_wait(t, "Half of a neighbour's queue ─ All Gs are queued at P0");
    term_wait(t, "? help"); /* the keys stay in sight */
    term_keys(t, ":until g_end g=2\r");
    term_wait_gone(t, "Half of a neighbour's queue ─");
    quit(t);
}
