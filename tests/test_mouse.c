/* The mouse, in the real program on an emulated terminal: a click on each kind of thing that takes one, the wheel, and drags.
 *
 * `kinds` has a row for each kind of thing. Each pane that takes clicks by itself must have a row, and so must each box. */
#include "screen.h"
#include "ui/panes/panes.h"

#include <stdio.h>

/* ---- the mouse ---- */

/* A mouse report at that place, from 0. kind: M pressed or moved, m released. */
static void report(struct term *t, int button, int row, int column, char kind)
{
    char text[48];
    snprintf(text, sizeof text, "\x1b[<%d;%d;%d%c", button, column + 1, row + 1, kind);
    term_keys(t, text);
}

static void click(struct term *t, int row, int column)
{
    report(t, 0, row, column, 'M');
    report(t, 0, row, column, 'm');
}

static void click_at(struct term *t, const char *text)
{
    int column, row = term_find(t, text, &column);
    if (row < 0)
        t_fail(__FILE__, __LINE__, "no %s to click:\n%s", text, term_text(t));
    click(t, row, column + 1);
}

/* ---- clicks ---- */

#define AT_STEAL "run", "steal-half", "--tempo", "max", "--break", "steal n>=2", "--lang", "en"
#define LESSON "lesson", SOURCE_DIR "/tests/scenarios/taken.yaml", "--lang", "en"

/* Each waits until the run stands: where a key of the key line is depends on that. */
static const struct kind {
    const char *what, *pane; /* pane: the one whose clicks this row shows, NULL: none */
    int rows, columns;
    const char *args[16];
    const char *first[8]; /* keys, each with the text to wait for before it */
    const char *at;       /* wait for this text, and click on it */
    bool again;           /* the first click only chooses */
    const char *then;
} kinds[] = {
    {"a key of the key line", "keys", 40, 120, {AT_STEAL}, {"PAUSED", ""}, "b back", false, "BACK at event"},
    {"a key next to a note", NULL, 24, 80, {AT_STEAL}, {"PAUSED", "]"}, "s step n round ? help", false, "event 198"},
    {"a G in a cell", NULL, 40, 120, {AT_STEAL}, {"PAUSED", ""}, "G7 ", true, "╭ G7 ─ worker"},
    {"a P", NULL, 40, 120, {AT_STEAL}, {"PAUSED", ""}, "P1 S", true, "╭ P1 ─"},
    {"an M", NULL, 40, 120, {AT_STEAL}, {"PAUSED", ""}, "M1 m", true, "╭ M1 ─"},
    {"a P of the strip", NULL, 24, 80, {AT_STEAL, "--procs", "32"}, {"PAUSED", ""}, "RRR▂I", true, " P2 ─"},
    {"a sentence",
     "narration",
     40,
     120,
     {AT_STEAL, "--layout", "compact"},
     {"PAUSED", ""},
     "M2 starts to spin",
     true,
     "BACK at event 193 "},
    {"an event", "events", 60, 140, {AT_STEAL, "--layout", "timeline"}, {"PAUSED", ""}, "P1 S", false, "event 197"},
    {"a slice of the timeline", "timeline", 60, 140, {AT_STEAL, "--layout", "timeline"}, {"PAUSED", ""}, "Timeline ─", false, "event 197"},
    {"what put a G there",
     "inspect",
     40,
     120,
     {AT_STEAL},
     {"PAUSED", ":inspect g7\r"},
     "put there by event 57",
     false,
     "BACK at event 57 "},
    {"a G in a field", NULL, 40, 120, {AT_STEAL}, {"PAUSED", ":inspect g7\r"}, "G1 main ", false, "╭ G1 ─ main"},
    {"an entry of the menu", NULL, 40, 120, {AT_STEAL}, {"PAUSED", "?"}, "back to the first event", false, "BACK at event 1 "},
    {"a choice of the next M", NULL, 40, 120, {AT_STEAL}, {"PAUSED", "c"}, "let the seed decide", false, "event 198"},
    {"an answer of a lesson", "lesson", 40, 120, {LESSON}, {"Three workers", " "}, "3) G4", false, "Right: G4."},
    {"space in a lesson", NULL, 40, 120, {LESSON}, {NULL}, "space continues", false, "Which G runs next?"},
    {"a row of the closing card",
     NULL,
     40,
     120,
     {LESSON},
     {"Three workers", " ", "Which G", ".", "Who printed", ".", "space score", " "},
     "with another seed",
     false,
     "seed 2"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static struct term *start(const struct kind *k)
{
    const char *argv[20] = {GMPSCOPE_BIN};
    for (int i = 0; k->args[i]; i++)
        argv[i + 1] = k->args[i];
    struct term *t = term_start(k->rows, k->columns, NULL, argv);
    for (int i = 0; i < 8 && k->first[i]; i += 2) {
        term_wait(t, k->first[i]);
        term_keys(t, k->first[i + 1]);
    }
    term_wait(t, k->at);
    return t;
}

static bool shows(struct term *t, void *text)
{
    return term_shows(t, text);
}

/* The first click chooses, the next one acts: until then clicks go on, because curses may read clicks that come together as one, or as none. A click
 * that only chooses may change nothing but a colour, so there is no text to wait for. */
static void click_until_it_acts(struct term *t, const struct kind *k)
{
    for (int i = 0; i < 50 && !term_shows(t, k->then); i++) {
        if (term_shows(t, k->at))
            click_at(t, k->at);
        term_settle(t, 150);
    }
}

static void click_kind(const struct kind *k)
{
    struct term *t = start(k);
    if (k->again)
        click_until_it_acts(t, k);
    else
        click_at(t, k->at);
    term_wait_for(t, k->what, shows, (void *)(uintptr_t)k->then);
    quit(t);
}

TEST_TIMED(a_click_on_each_kind_of_thing_acts, 600)
{
    for (int i = 0; i < KINDS; i++)
        click_kind(&kinds[i]);
}

#define PANE(name, title, columns, rows) extern const struct pane_ops pane_##name;
#include "ui/panes/panes.def"
#undef PANE

static const struct pane_ops *const panes[] = {
#define PANE(name, title, columns, rows) &pane_##name,
#include "ui/panes/panes.def"
#undef PANE
};

static bool has_kind(const char *pane)
{
    for (int i = 0; i < KINDS; i++)
        if (kinds[i].pane && !strcmp(kinds[i].pane, pane))
            return true;
    return false;
}

/* These have a test of their own: test_lists, test_program. */
static const char *const elsewhere[] = {"goroutine", "program"};

TEST(each_pane_that_takes_clicks_is_clicked)
{
    for (int kind = 0; kind < PANES; kind++) {
        bool known = !panes[kind]->mouse || has_kind(pane_name(kind));
        for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
            known |= !strcmp(elsewhere[i], pane_name(kind));
        if (!known)
            t_fail(__FILE__, __LINE__, "no row for the clicks of pane %s", pane_name(kind));
    }
}

/* ---- drags and the wheel ---- */

/* Returns the number of the event that is shown, -1 if that is the newest. */
static long back_at(struct term *t)
{
    static const char word[] = "BACK at event ";
    const char *back = strstr(term_text(t), word);
    return back ? atol(back + sizeof word - 1) : -1;
}

static bool is_further_back(struct term *t, void *event)
{
    return back_at(t) >= 0 && back_at(t) < *(long *)event;
}

/* The button stays down; the mouse leaves the pane on its way, and the pane keeps it. */
/* The row of the title is cut on a narrow screen; the box has all of it. */
/* A hand releases the button later than it presses it, so the program reads two reports. The slash shows that help is still open: elsewhere it
 * opens a line for a pattern. */
TEST(the_release_after_a_click_closes_nothing)
{
    const char *const argv[] = {GMPSCOPE_BIN, AT_STEAL, NULL};
    struct term *t = term_start(40, 120, NULL, argv);
    int column, row;
    term_wait(t, "PAUSED");
    term_wait(t, "? help");
    row = term_find(t, "? help", &column);
    report(t, 0, row, column, 'M');
    term_wait(t, "╭ Help ─");
    report(t, 0, row, column, 'm');
    term_keys(t, "/colours");
    term_wait(t, "╭ Help ─ /colours");
    term_keys(t, "\x1b");
    term_wait_gone(t, "╭ Help ─ /colours");
    term_keys(t, "\x1b");
    quit(t);
}

/* A key, or the terminal's answer to a question, may end what curses takes for a row of clicks. */
TEST(what_follows_a_click_at_once_takes_nothing_from_it)
{
    static const char *const after[] = {"\x1b[0n", "\x1b[0n\x1b[0n", "/colours"};
    const char *const argv[] = {GMPSCOPE_BIN, AT_STEAL, NULL};
    struct term *t = term_start(40, 120, NULL, argv);
    term_wait(t, "PAUSED");
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
        int column, row = (term_wait(t, "? help"), term_find(t, "? help", &column));
        char text[100];
        snprintf(text, sizeof text, "\x1b[<0;%d;%dM\x1b[<0;%d;%dm%s", column + 1, row + 1, column + 1, row + 1, after[i]);
        term_keys(t, text);
        term_wait(t, i == 2 ? "╭ Help ─ /colours" : "╭ Help ─");
        for (size_t e = i == 2 ? 0 : 1; e < 2; e++)
            term_keys(t, "\x1b"), term_wait_gone(t, e ? "╭ Help" : "╭ Help ─ /colours");
    }
    quit(t);
}

TEST(a_click_on_the_name_or_the_title_of_a_run_shows_both_whole)
{
    static const char *const at[] = {"steal-half  lockstep", "Half of a neighbour's queue ─ "};
    const char *const argv[] = {GMPSCOPE_BIN, "run", "steal-half", "--tempo", "max", "--break", "m_start m=1", "--lang", "en", NULL};
    struct term *t = term_start(24, 80, NULL, argv);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        term_wait(t, "M1 starts: it runs");
        term_wait(t, at[i]);
        click_at(t, at[i]);
        term_wait(t, "takes half of P0's queue.");
        term_keys(t, "\x1b");
        term_wait_gone(t, "takes half of P0's queue.");
    }
    quit(t);
}

TEST(the_picture_follows_a_drag_on_the_timeline)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--layout", "timeline"));
    int column, row;
    term_wait(t, "ENDED: main returned");
    close_card(t);
    row = term_find(t, "Timeline ─", &column) + 1;
    report(t, 0, row, column + 60, 'M');
    term_wait(t, "BACK at event ");
    for (int x = 45; x > 0; x -= 15) { /* 127 events are in 64 columns */
        long at = back_at(t);
        report(t, 32, x == 30 ? row - 8 : row, column + x, 'M');
        term_wait_for(t, "the picture does not follow", is_further_back, &at);
    }
    report(t, 0, row, column + 10, 'm');
    quit(t);
}

/* What is selected stays: the wheel is for what is under it. */
TEST(the_wheel_does_nothing_where_nothing_scrolls)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--break", "steal n>=2", "--layout", "compact"));
    term_wait(t, "PAUSED at steal");
    term_keys(t, ":inspect g7\r");
    term_wait(t, "╭ G7 ─ worker");
    int column, row = term_find(t, "Global queue ─", &column);
    for (int i = 0; i < 3; i++)
        report(t, 65, row + 1, column, 'M');
    wait_handled(t);
    CHECK(term_shows(t, "╭ G7 ─ worker"));
    row = term_find(t, "What happened", &column);
    report(t, 64, row + 1, column, 'M');
    term_wait(t, "What happened ─ ");
    CHECK(term_shows(t, "╭ G7 ─ worker"));
    quit(t);
}

TEST(a_drag_that_arrives_at_once_shows_where_it_ends)
{
    struct term *t = term_start(60, 140, NULL, STEAL_HALF("--tempo", "max", "--break", "steal n>=2", "--layout", "timeline"));
    char text[80];
    term_wait(t, "PAUSED at steal");
    term_keys(t, ":inspect g4\r");
    wait_handled(t);
    int row = term_find(t, "Timeline ─", NULL) + 1;
    snprintf(text, sizeof text, "\x1b[<0;%d;%dM\x1b[<0;%d;%dm", 61, row + 1, 41, row + 1); /* 71 events, a column each */
    term_keys(t, text);
    term_wait(t, "BACK at event ");
    quit(t);
}
