/* Two runs that are compared, as panes show them: values that differ from the other side are marked.
 *
 * Two stories that begin in the same way; in the right one a thief has stolen half. */
#include "story.h"
#include "ui/panes/counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct two {
    struct story *s[2];
    struct view v[2];
};

static struct two two_new(void)
{
    struct two t = {.s = {story_new(2, 8), steal_half(2)}};
    spawn(t.s[0], 8);
    thief_comes(t.s[0]);
    for (int i = 0; i < 2; i++)
        t.v[i] = view_of(t.s[i]);
    return t;
}

/* Call this after the last change of either view. */
static void oppose(struct two *t)
{
    for (int i = 0; i < 2; i++)
        t->v[i].side = i ? "right" : "left";
    diff_runs(&t->v[0], &t->v[1]);
}

static void two_free(struct two *t)
{
    for (int i = 0; i < 2; i++)
        story_free(t->s[i]);
}

static struct picture table(const struct two *t, int w, int h)
{
    struct picture p = {.n = 0};
    CHECK(canvas_init(&p.c, w, 40));
    counters_draw(&t->v[0], &t->v[1], &p.c, (struct rect){0, 0, w, h}, "the hint");
    p.text = canvas_dump(&p.c);
    for (char *line = strtok(p.text, "\n"); line && p.n < 64; line = strtok(NULL, "\n"))
        p.row[p.n++] = line;
    return p;
}

/* The right story: four Gs in one steal, after one look at one victim. */
TEST(each_counter_has_its_two_values_and_a_mark_where_they_differ)
{
    struct two t = two_new();
    oppose(&t);
    int rows = counters_rows(118) + 2;
    struct picture p = table(&t, 120, rows);
    HAS_ROW(&p, "Counters: left, right", " the hint ");
    HAS_ROW(&p, "*steals ", " 0 ", " 1 ");
    HAS_ROW(&p, "*stolen ", " 0 ", " 4 ");
    HAS_ROW(&p, " goroutines ", " 9 ", " 9 ");
    HAS_ROW(&p, " handoffs ", " 0 ", " 0 ");
    CHECK(!anywhere(&p, "*goroutines") && !anywhere(&p, "*handoffs"));
    for (size_t i = 0; i < COUNTERS_N; i++)
        CHECK(anywhere(&p, counter_name[i]));
    HAS_ROW(&p, "*time ", "*runnable_max", "runnable_p99");
    picture_fini(&p);
    p = table(&t, 160, rows);
    HAS_ROW(&p, "*time ", "runnable_max", "runnable_p99", "runnable_p50");
    picture_fini(&p);
    p = table(&t, 120, rows - 1); /* one row less: not all of them fit */
    CHECK(!anywhere(&p, "handoffs") && !anywhere(&p, "Counters: "));
    picture_fini(&p);
    two_free(&t);
}

TEST(times_that_look_the_same_stay_distinct)
{
    struct two t = two_new();
    oppose(&t);
    t.v[0].st.time = 20003140;
    t.v[1].st.time = 20003100;
    struct picture p = table(&t, 80, 5);
    HAS_ROW(&p, "*time ", " 20.003 ms ", " 40 ns less ");
    picture_fini(&p);
    t.v[1].st.time = 21000000;
    p = table(&t, 80, 5);
    HAS_ROW(&p, "*time ", " 20.003 ms ", " 21.000 ms ");
    picture_fini(&p);
    two_free(&t);
}

/* A narrower table leaves out more of the rows that are the same. A row that differs is never left out silently. */
TEST(a_small_table_shows_what_differs)
{
    struct two t = two_new();
    oppose(&t);
    struct picture p = table(&t, 80, 7);
    HAS_ROW(&p, "Counters that are not 0");
    HAS_ROW(&p, "*steals ", " 0 ", " 1 ");
    HAS_ROW(&p, " goroutines ", " 9 ", " 9 ");
    CHECK(!anywhere(&p, "handoffs"));
    picture_fini(&p);
    p = table(&t, 80, 5);
    HAS_ROW(&p, "Counters that differ");
    HAS_ROW(&p, "*steals ", " 0 ", " 1 ");
    CHECK(!anywhere(&p, "goroutines"));
    picture_fini(&p);
    p = table(&t, 30, 4);
    HAS_ROW(&p, " more");
    picture_fini(&p);
    two_free(&t);
}

TEST(events_and_lines_are_marked_against_the_other_run)
{
    struct two t = two_new();
    static const char left[3][LINE_MAX_BYTES] = {"one", "two", "three"}, right[2][LINE_MAX_BYTES] = {"one", "zwei"};
    t.v[0].line = left;
    t.v[0].nlines = t.v[0].total_lines = 3;
    t.v[1].line = right;
    t.v[1].nlines = t.v[1].total_lines = 2;
    oppose(&t);
    struct picture p = look(&t.v[0], at(PANE_output, W, 8));
    HAS_ROW(&p, "Output", " 3*");
    HAS_ROW(&p, " one");
    HAS_ROW(&p, "*two");
    HAS_ROW(&p, "*three"); /* not printed there yet */
    CHECK(!anywhere(&p, "*one"));
    picture_fini(&p);
    p = look(&t.v[1], at(PANE_narration, W, H));
    HAS_ROW(&p, "*", " runqsteal");
    CHECK(!strchr(row_with(&p, (const char *const[]){"acquirep"}, 1), '*')); /* both are at the same point so far */
    picture_fini(&p);
    p = look(&t.v[0], at(PANE_narration, W, H));
    CHECK(!anywhere(&p, "*"));
    picture_fini(&p);
    two_free(&t);
}

/* Settings that the two sides do not share stay in the first line, however long a stop's text is. That text is cut,
 * and the time is left out. */
TEST(the_first_line_keeps_the_settings_at_a_stop)
{
    struct two t = two_new();
    struct session_status *left = &t.v[0].st, *right = &t.v[1].st;
    left->generation = "go1.20";
    right->generation = "go1.13";
    t.v[0].settings_text = "";
    t.v[1].settings_text = "generation=go1.13 procs=4";
    right->paused = left->paused = true;
    left->stop = (struct stop){.kind = STOP_BREAKPOINT, .text = "steal n>=2 thief=1 victim=0 from=7"};
    *right = (struct session_status){.name = right->name, .generation = "go1.13", .seed = left->seed, .lockstep = true, .paused = true};
    right->stop = left->stop;
    oppose(&t);
    for (int w = 58; w <= 120; w++) { /* from half of 120 columns on */
        struct picture p = look(&t.v[0], at(PANE_status, w, 1));
        HAS_ROW(&p, "left: ", " go1.20 ", " PAUSED at ");
        CHECK(anywhere(&p, "from=7") != anywhere(&p, "…"));
        picture_fini(&p);
        p = look(&t.v[1], at(PANE_status, w, 1));
        HAS_ROW(&p, "right: ", "generation=go1.13 procs=4", " PAUSED ");
        picture_fini(&p);
    }
    struct picture p = look(&t.v[1], at(PANE_status, 44, 1)); /* too narrow for all of them: they are cut, too */
    HAS_ROW(&p, "right: ", " generation=go1.…", " PAUSED");
    picture_fini(&p);
    right->failed = right->ended = true;
    right->stop = (struct stop){.kind = STOP_FAILED, .text = "invariant: G3 can run and a P is idle"};
    p = look(&t.v[1], at(PANE_status, 58, 1));
    HAS_ROW(&p, "right: ", "generation=go1.13 procs=4", " FAILED");
    picture_fini(&p);
    two_free(&t);
}

/* Four Ps here, two there: P2 and P3 are idle, and there are none on the other side. */
TEST(fields_that_the_other_run_lacks_are_marked)
{
    struct two t = {.s = {story_new(4, 8), story_new(2, 8)}};
    for (int i = 0; i < 2; i++)
        t.v[i] = view_of(t.s[i]);
    oppose(&t);
    struct picture p = look(&t.v[0], at(PANE_processors, W, H));
    CHECK_STR(marked(&p), "P2P3");
    picture_fini(&p);
    p = look(&t.v[0], at(PANE_global_queue, 30, H));
    CHECK(strstr(marked(&p), "P2") && strstr(marked(&p), "P3") && !strstr(marked(&p), "P1"));
    picture_fini(&p);
    p = look(&t.v[0], at(PANE_global_queue, 18, H)); /* no room for more: "P1 +2" */
    HAS_ROW(&p, "idle P", "P1 +2");
    CHECK(strstr(marked(&p), "+2"));
    picture_fini(&p);
    p = look(&t.v[1], at(PANE_processors, W, H));
    CHECK_STR(marked(&p), "");
    picture_fini(&p);
    two_free(&t);
}

/* Settings that both sides share are shown once, below; settings of one side are in its first line. */
TEST(the_first_line_has_the_settings_of_its_side)
{
    struct two t = two_new();
    for (int i = 0; i < 2; i++)
        t.v[i].st.generation = "go1.20";
    oppose(&t);
    t.v[0].settings_text = "disable=stealing";
    struct picture p = look(&t.v[0], at(PANE_status, W, 1));
    HAS_ROW(&p, "left: story", "disable=stealing", "PAUSED");
    CHECK(!anywhere(&p, "seed") && !anywhere(&p, "go1.20") && !anywhere(&p, "tempo"));
    picture_fini(&p);
    t.v[1].st.seed = 8;
    t.v[1].st.generation = "go1.13";
    oppose(&t);
    p = look(&t.v[1], at(PANE_status, W, 1));
    HAS_ROW(&p, "right: story", "seed 8", "go1.13");
    picture_fini(&p);
    two_free(&t);
}

/* In half of 120 columns the rings are there, with their first and last G. */
TEST(half_a_screen_shows_the_rings)
{
    struct two t = two_new();
    struct picture p = look(&t.v[0], at(PANE_processors, 60, H));
    HAS_ROW(&p, "next", "runq");
    HAS_ROW(&p, "P0", "G1", "G9", "G2", "…", "G8", " 7 ");
    picture_fini(&p);
    two_free(&t);
}

/* Two events 10 ns apart near a millisecond differ visibly. The unit is the one that sentences have: the number is at least 1. */
TEST(times_have_the_unit_of_sentences_and_show_each_step)
{
    static const struct {
        int64_t ns;
        const char *want;
    } row[] = {{0, "0.000 µs"},
               {10, "0.010 µs"},
               {1010, "1.010 µs"},
               {999999, "999.999 µs"},
               {1000010, "1.000010 ms"},
               {1000020, "1.000020 ms"},
               {9999999, "9.999999 ms"},
               {10000010, "10.00001 ms"},
               {681180350, "681.1803 ms"},
               {10000000000, "10.00000 s"},
               {3600000000000, "3600.000 s"}};
    char text[32];
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        CHECK_STR(time_text(row[i].ns, text, sizeof text), row[i].want);
        CHECK(text_width(text) <= TIME_TEXT_W);
    }
}

/* Times next to each other have one unit. */
TEST(a_time_takes_the_unit_of_its_neighbour)
{
    char text[32];
    CHECK_STR(time_text_like(8003740, 329719000, text, sizeof text), "8.003 ms");
    CHECK_STR(time_text_like(0, 113464000, text, sizeof text), "0.000 ms");
    CHECK_STR(time_text_like(999, 10000000000, text, sizeof text), "0.000 s");
}
