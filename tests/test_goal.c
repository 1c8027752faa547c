/* What a run leads to: the badge while it is under way, and the keys that end it. */
#include "screen.h"

#include <stdio.h>

/* A run that never comes to a match, and what was typed together with it. */
static const char spins[] =
    "name: spins\n"
    "goroutines:\n"
    "  - {name: main, do: [{loop: forever, do: [{compute: 2us}, {yield: 1}]}]}\n";

static struct term *start_spinning(int rows, int columns, const char *lang)
{
    const char *argv[] = {GMPSCOPE_BIN, "run", t_file("spins.yaml", spins), "--lang", lang, NULL};
    struct term *t = term_start(rows, columns, NULL, argv);
    term_wait(t, lang[0] == 'z' ? "事件" : "event ");
    return t;
}

TEST(a_run_to_a_match_says_what_it_leads_to_and_how_far_it_is)
{
    struct term *t = start_spinning(30, 100, "en");
    term_keys(t, ":until g_yield x100000000\r");
    term_wait(t, "RUNNING to g_yield x100000000 ·  0 %");
    term_keys(t, "\x1b");
    term_wait(t, "PAUSED");
    term_keys(t, ":until 100000000\r");
    term_wait(t, "RUNNING to event 100000000 ·  0 %");
    term_keys(t, "\x1b");
    term_wait(t, "PAUSED");
    term_keys(t, ":break g_end\r:run\r");
    term_wait(t, "RUNNING to g_end ");
    quit(t);
    t = start_spinning(40, 120, "en");
    term_keys(t, ":break g_end\r:break steal\r:run\r");
    term_wait(t, "RUNNING to any of 2 breakpoints");
    quit(t);
    t = start_spinning(24, 80, "zh");
    term_keys(t, ":until g_yield x100000000\r");
    term_wait(t, "运行中 ·  0 %");
    term_keys(t, "\x1b");
    term_wait(t, "已暂停");
    quit(t);
}

TEST(a_run_to_a_match_counts_its_matches)
{
    struct term *t = start_spinning(30, 100, "en");
    term_keys(t, ":until g_yield x3000\r");
    term_wait(t, "PAUSED at g_yield x3000");
    quit(t);
}

/* The keys before it wait for a match that never comes. */
TEST(q_and_esc_work_at_once_whatever_was_typed_with_an_endless_run)
{
    static const char *const before[] = {"", "n", "nn", "t\tjjs", "?", "bbb"};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        char line[80];
        struct term *t = start_spinning(30, 100, "en");
        snprintf(line, sizeof line, ":until g_end\r%s\x1b", before[i]);
        term_keys(t, line);
        term_wait(t, "PAUSED");
        snprintf(line, sizeof line, ":until g_end\r%sq", before[i]);
        term_keys(t, line);
        CHECK_INT(term_wait_exit(t), 0);
        term_free(t);
    }
}
