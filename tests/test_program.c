/* The pane `program`: where each G stands in the scenario's Go, in the real program on an emulated terminal. */
#include "screen.h"

#include <stdio.h>

#define UP "\x1bOA"
#define DOWN "\x1bOB"
#define PAGE_UP "\x1b[5~"
#define PAGE_DOWN "\x1b[6~"
#define HOME "\x1bOH"
#define END "\x1bOF"
#define MOST 200

/* Is there a row with both texts, the first one left of the second? */
struct row_with {
    const char *g, *line;
};

static bool stands(struct term *t, void *arg)
{
    const struct row_with *want = arg;
    for (const char *row = term_text(t); *row; row += strcspn(row, "\n") + (row[strcspn(row, "\n")] == '\n')) {
        char text[2048];
        snprintf(text, sizeof text, "%.*s", (int)strcspn(row, "\n"), row);
        const char *g = strstr(text, want->g), *line = strstr(text, want->line);
        if (g && line && g < line)
            return true;
    }
    return false;
}

static void wait_stands(struct term *t, const char *g, const char *line)
{
    char what[MOST];
    snprintf(what, sizeof what, "%s does not stand at %s", g, line);
    term_wait_for(t, what, stands, &(struct row_with){g, line});
}

static struct term *stop_at(const char *pattern, int rows, int columns)
{
    struct term *t = term_start(rows, columns, NULL, STEAL_HALF("--tempo", "max", "--layout", "code", "--break", pattern));
    char stopped[128];
    snprintf(stopped, sizeof stopped, "PAUSED at %s", pattern);
    term_wait(t, stopped);
    return t;
}

TEST(each_g_stands_at_its_line)
{
    struct term *t = stop_at("mutex_op op=lock g=2", 40, 120);
    wait_stands(t, "G2▶", "mu.Lock()");
    wait_stands(t, "G1▶", "wg.Wait()");
    wait_stands(t, "G10▶", "compute(100");
    wait_stands(t, "▶", "mu.Lock()"); /* the line of the G that acted last is marked at the left edge */
    quit(t);
}

TEST(looking_back_shows_the_places_of_that_moment)
{
    struct term *t = stop_at("mutex_op op=lock g=2", 40, 120);
    wait_stands(t, "G2▶", "mu.Lock()");
    term_keys(t, "b");
    wait_stands(t, "G2▶", "compute(1 *");
    term_keys(t, ":goto 30\r");
    wait_stands(t, "G1▶", "go worker(n)");
    quit(t);
}

TEST(many_gs_at_a_line_are_counted)
{
    struct term *t = stop_at("steal n>=2", 40, 120);
    wait_stands(t, "G3 G6+5▶", "func worker(");
    quit(t);
}

#define DOWN_6 \
    DOWN DOWN DOWN \
        "j" \
        "j" \
        "j"

TEST(enter_selects_the_gs_of_a_line_in_turn)
{
    struct term *t = stop_at("steal n>=2", 24, 80);
    term_keys(t, "\t\t" HOME "\r"); /* processors, then the program */
    term_wait(t, "no G is at this line");
    term_keys(t, END UP PAGE_UP PAGE_DOWN "k" HOME DOWN_6 DOWN_6 DOWN "\r\r"); /* func worker: G3, then G4 */
    term_keys(t, "u");
    term_wait(t, "PAUSED at g_start g=4");
    wait_stands(t, "G4", "func worker(");
    quit(t);
}

TEST(the_wheel_scrolls_the_program)
{
    struct term *t = stop_at("steal n>=2", 24, 80);
    char report[32];
    int column, row = term_find(t, "Program", &column);
    CHECK(row >= 0);
    for (int i = 0; i < 12; i++) {
        snprintf(report, sizeof report, "\x1b[<65;%d;%dM", column + 1, row + 4);
        term_keys(t, report);
    }
    term_wait(t, "runtime.Goexit()");
    for (int i = 0; i < 12; i++) {
        snprintf(report, sizeof report, "\x1b[<64;%d;%dM", column + 1, row + 4);
        term_keys(t, report);
    }
    term_wait(t, "var mu sync.Mutex");
    quit(t);
}

TEST(the_layout_may_be_chosen_later)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--break", "mutex_op op=lock g=2"));
    term_wait(t, "PAUSED at mutex_op op=lock g=2");
    term_keys(t, ":layout code\r");
    wait_stands(t, "G2▶", "mu.Lock()");
    quit(t);
}

/* A stop and the steps after it are at the same events, whatever the screen shows. */
TEST(a_stop_has_the_same_event_number_in_each_layout)
{
    static const char *const layouts[] = {"classic", "code", "compact", "lesson", "queues", "search", "timeline"};
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--layout", layouts[i], "--break", "steal n>=2"));
        term_wait(t, "PAUSED at steal n>=2 ");
        CHECK_INT(event_number(t), 197);
        term_keys(t, "s");
        term_wait(t, "event 198 ");
        term_keys(t, "S");
        term_wait(t, "event 199 ");
        term_keys(t, ":goto 30\r");
        term_wait(t, "BACK at event 30 of 199");
        quit(t);
    }
}

TEST(a_free_run_without_places_says_so_and_restarts_with_them)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--mode", "free", "--tempo", "max", "--break", "go_create g=2"));
    term_wait(t, "PAUSED at");
    term_keys(t, ":layout code\r");
    term_wait(t, "This run does not record where Gs stand");
    term_keys(t, "r");
    term_wait_gone(t, "does not record where Gs stand");
    quit(t);
}
