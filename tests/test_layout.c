/* Layouts: the solver covers the screen exactly, and mistakes are reported with their place and the nearest valid
 * word. */
#include "base/prng.h"
#include "t.h"
#include "ui/panes/pane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 64 };

static struct layout *load(const char *text)
{
    struct diag d;
    diag_init(&d, "x.yaml");
    struct layout *l = layout_load(t_file("x.yaml", text), &pane_kinds, &d);
    if (!l)
        diag_print(&d, stderr);
    diag_fini(&d);
    return l;
}

/* Checks that the layout has mistakes, and that the first is at line:col with a text that contains `what`. */
static void check_mistake(const char *text, unsigned line, unsigned col, const char *what)
{
    struct diag d;
    diag_init(&d, "x.yaml");
    CHECK(layout_load(t_file("x.yaml", text), &pane_kinds, &d) == NULL);
    CHECK(d.count >= 1);
    if (!strstr(d.item[0].text, what) || d.item[0].line != line || d.item[0].col != col)
        t_fail(__FILE__, __LINE__, "%u:%u: %s; wanted %u:%u: %s", d.item[0].line, d.item[0].col, d.item[0].text, line, col, what);
    diag_fini(&d);
}

/* Checks that every cell of w × h is in exactly one rectangle. */
static void check_cover_cut(const struct layout *l, struct layout_cut cut, int w, int h)
{
    struct layout_pane pane[MAX];
    unsigned char *seen = calloc((size_t)w * (size_t)h + 1, 1);
    int n = layout_solve_cut(l, cut, w, h, pane, MAX);
    for (int i = 0; i < n; i++) {
        struct layout_rect r = pane[i].rect;
        CHECK(r.w >= 0 && r.h >= 0 && r.x >= 0 && r.y >= 0 && r.x + r.w <= w && r.y + r.h <= h);
        for (int y = r.y; y < r.y + r.h; y++)
            for (int x = r.x; x < r.x + r.w; x++)
                CHECK_INT(seen[y * w + x]++, 0);
    }
    for (int i = 0; i < w * h; i++)
        CHECK_INT(seen[i], 1);
    free(seen);
}

static void check_cover(const struct layout *l, int w, int h)
{
    check_cover_cut(l, (struct layout_cut){0}, w, h);
    check_cover_cut(l, (struct layout_cut){.without = 1u << PANE_output | 1u << PANE_threads | 1u << PANE_global_queue}, w, h);
    check_cover_cut(l, (struct layout_cut){.more = 1u << PANE_processors}, w, h);
}

static const char *const shipped[] = {"classic", "compact"};

static struct layout *load_shipped(const char *name)
{
    char path[512];
    struct diag d;
    snprintf(path, sizeof path, "%s/layouts/%s.yaml", SOURCE_DIR, name);
    diag_init(&d, path);
    struct layout *l = layout_load(path, &pane_kinds, &d);
    diag_print(&d, stderr);
    diag_fini(&d);
    return l;
}

TEST(the_solver_covers_every_size_exactly)
{
    struct prng r;
    prng_seed(&r, 11, 1);
    for (size_t k = 0; k < sizeof shipped / sizeof *shipped; k++) {
        struct layout *l = load_shipped(shipped[k]);
        CHECK(l);
        for (int i = 0; i < 200; i++)
            check_cover(l, (int)prng_below(&r, 220), (int)prng_below(&r, 70));
        check_cover(l, 1, 1);
        layout_free(l);
    }
}

TEST(fixed_sizes_come_first_and_weights_share_the_rest)
{
    struct layout_pane p[MAX];
    struct layout *l = load(
        "name: x\n"
        "root:\n"
        "  split: rows\n"
        "  children:\n"
        "    - {pane: status, size: 2}\n"
        "    - {pane: threads, weight: 1}\n"
        "    - {pane: narration, weight: 3}\n"
        "    - {pane: keys, size: 1}\n");
    CHECK(l);
    CHECK_INT(layout_solve(l, 80, 23, p, MAX), 4);
    CHECK_INT(p[0].rect.h, 2);
    CHECK_INT(p[1].rect.h, 5); /* a quarter of 20 */
    CHECK_INT(p[2].rect.h, 15);
    CHECK_INT(p[3].rect.h, 1);
    CHECK_INT(p[3].rect.y, 22);
    CHECK_INT(p[3].kind, PANE_keys);
    layout_free(l);
}

TEST(without_weights_the_last_takes_the_rest)
{
    struct layout_pane p[MAX];
    struct layout *l = load("{name: x, root: {split: columns, children: [{pane: threads, size: 10}, {pane: output, size: 5}]}}");
    CHECK(l);
    layout_solve(l, 40, 10, p, MAX);
    CHECK_INT(p[0].rect.w, 10);
    CHECK_INT(p[1].rect.w, 30);
    layout_free(l);
}

/* `from` and `until` with one size split the sizes in two: always one of the panes is there, and it has the place of both. */
TEST(a_node_exists_on_screens_of_some_sizes)
{
    struct layout_pane p[MAX];
    struct layout *l = load(
        "{name: x, root: {split: rows, children: [{pane: threads, size: 4}, {pane: output, until: {columns: 120, rows: 40}},"
        " {pane: narration, weight: 9, from: {columns: 120, rows: 40}}]}}");
    CHECK(l);
    static const int size[][3] = {{119, 40, PANE_output}, {120, 39, PANE_output}, {120, 40, PANE_narration}, {200, 60, PANE_narration}};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        CHECK_INT(layout_solve(l, size[i][0], size[i][1], p, MAX), 2);
        CHECK_INT(p[1].kind, size[i][2]);
        CHECK(p[1].rect.y == 4 && p[1].rect.h == size[i][1] - 4 && p[1].rect.w == size[i][0]);
        CHECK_INT(layout_solve_cut(l, (struct layout_cut){.spare = 2}, size[i][0], size[i][1], p, MAX),
                  2); /* rows that are free do not count */
        CHECK(p[1].kind == size[i][2] && p[1].rect.h == size[i][1] - 6);
    }
    layout_free(l);
    check_mistake("name: x\nroot: {split: rows, children: [{pane: keys, from: {columns: 0, rows: 1}}]}\n", 2, 61, "1..1000");
    check_mistake("name: x\nroot: {pane: keys, from: {columns: 9, rows: 9}}\n", 2, 20, "always there");
}

TEST(a_layout_shows_its_head)
{
    int w, h;
    struct layout *l = load(
        "{name: a-b, title: \"plain\", min_size: {columns: 70, rows: 20}, theme: light, root: {pane: processors,"
        " options: {runq: bar, arrows: false}}}");
    struct layout_pane p[MAX];
    CHECK(l);
    CHECK_STR(layout_name(l), "a-b");
    CHECK_STR(text_in(layout_title(l), LANG_ZH), "plain");
    CHECK_STR(layout_theme(l), "light");
    layout_min_size(l, &w, &h);
    CHECK(w == 70 && h == 20);
    CHECK(layout_fits(l, 70, 20) && !layout_fits(l, 69, 20) && !layout_fits(l, 70, 19));
    CHECK_INT(layout_solve(l, 70, 20, p, MAX), 1);
    CHECK(p[0].option[0] == 1 && !p[0].option[1]); /* runq: the second word; arrows */
    layout_free(l);
}

TEST(every_pane_of_the_contract_may_be_named)
{
    for (int i = 0; i < PANES; i++) {
        char text[128];
        snprintf(text, sizeof text, "{name: x, root: {pane: %s}}", pane_name(i));
        struct layout *l = load(text);
        CHECK(l);
        layout_free(l);
    }
}

TEST(mistakes_have_a_place_and_the_nearest_word)
{
    check_mistake("name: x\nroot:\n  pane: procesors\n", 3, 9, "processors");
    check_mistake("name: x\nroot:\n  split: rows\n  childen: []\n", 4, 3, "children");
    check_mistake("name: x\nroot:\n  split: row\n  children: [{pane: keys}]\n", 3, 10, "rows");
    check_mistake("name: x\nroot: {pane: processors, options: {arows: true}}\n", 2, 36, "arrows");
    check_mistake("name: x\nroot: {pane: processors, options: {runq: cell}}\n", 2, 42, "cells");
    check_mistake("name: x\ntheme: lihgt\nroot: {pane: keys}\n", 2, 8, "light");
    check_mistake("nane: x\nroot: {pane: keys}\n", 1, 1, "name");
}

TEST(checks_beyond_the_schema)
{
    check_mistake("name: x\nroot:\n  split: rows\n", 3, 3, "without children");
    check_mistake("name: x\nroot:\n  split: rows\n  children: []\n", 3, 3, "without children");
    check_mistake("name: x\nroot: {split: rows, children: [{pane: keys, size: 0}]}\n", 2, 51, "1..1000");
    check_mistake("name: x\nroot: {split: rows, children: [{pane: keys, weight: 5000}]}\n", 2, 53, "1..1000");
    check_mistake("name: x\nroot: {split: rows, children: [{pane: keys, size: 1, weight: 2}]}\n", 2, 54, "both size and weight");
    check_mistake("name: x\nroot: {pane: keys, split: rows, children: [{pane: keys}]}\n", 2, 20, "both pane and split");
    check_mistake("name: x\nroot: {split: rows, children: [{size: 1}]}\n", 2, 32, "neither pane nor split");
    check_mistake("name: x\nroot: {pane: keys, children: []}\n", 2, 20, "a pane has no children");
    check_mistake("name: x\nroot: {pane: keys, options: {arrows: true}}\n", 2, 30, "unknown option");
    check_mistake("name: x\nroot: {pane: keys, size: 3}\n", 2, 20, "whole screen");
    check_mistake("name: x\nmin_size: {columns: 0, rows: 5}\nroot: {pane: keys}\n", 2, 21, "1..1000");
    check_mistake("name: a b\nroot: {pane: keys}\n", 1, 7, "letters");
}

/* Each screen that a layout fits has a pane. */
TEST(a_screen_without_a_pane_is_refused)
{
    check_mistake("name: x\nroot: {split: rows, children: [{pane: keys, from: {columns: 100, rows: 30}}]}\n", 2, 7, "a screen of 1x1;");
    check_mistake(
        "name: x\nmin_size: {columns: 60, rows: 19}\nroot:\n  split: rows\n  children:\n"
        "    - {pane: keys, from: {columns: 100, rows: 30}}\n    - {pane: output, until: {columns: 100, rows: 25}}\n",
        4, 3, "a screen of 100x25;");
    check_mistake(
        "name: x\nroot: {split: rows, children: [{split: rows, until: {columns: 90, rows: 9}, children: [{pane: keys}]},"
        " {pane: output, from: {columns: 91, rows: 9}}]}\n",
        2, 7, "a screen of 90x9;");
    check_mistake("name: x\nroot: {split: rows, children: [{pane: keys, until: {columns: 1000, rows: 1000}}]}\n", 2, 7,
                  "a screen of 1000x1000;");
    static const char *const filled[] = {
        "{name: x, root: {split: rows, children: [{pane: keys, from: {columns: 9, rows: 9}}, {pane: output, until: {columns: 9, rows: 9}}]}}",
        "{name: x, min_size: {columns: 9, rows: 9}, root: {split: rows, children: [{pane: keys, from: {columns: 9, rows: 9}}]}}",
        "{name: x, root: {split: rows, children: [{pane: keys, from: {columns: 1, rows: 7}},"
        " {pane: output, until: {columns: 9, rows: 7}}, {pane: status, from: {columns: 9, rows: 1}, until: {columns: 20, rows: 8}},"
        " {pane: threads, from: {columns: 12, rows: 1}}]}}",
    };
    for (int i = 0; i < 3; i++) {
        struct layout *l = load(filled[i]);
        CHECK(l);
        for (int w = 1; w < 30; w++)
            for (int h = 1; h < 30; h++) {
                struct layout_pane p[MAX];
                CHECK(!layout_fits(l, w, h) || layout_solve(l, w, h, p, MAX) > 0);
            }
        layout_free(l);
    }
}

/* A pane of a random layout, with what its own node (0) and the split above it (1) ask of the screen; 0: nothing. */
struct conditions {
    unsigned from[2][2], until[2][2];
};

static bool holds(const struct conditions *c, unsigned w, unsigned h)
{
    for (int i = 0; i < 2; i++)
        if (w < c->from[i][0] || h < c->from[i][1] || (c->until[i][0] && w >= c->until[i][0] && h >= c->until[i][1]))
            return false;
    return true;
}

static void write_screen(FILE *f, struct prng *r, const char *key, unsigned size[2])
{
    if (prng_below(r, 2))
        return;
    size[0] = 1 + prng_below(r, 6);
    size[1] = 1 + prng_below(r, 6);
    fprintf(f, ", %s: {columns: %u, rows: %u}", key, size[0], size[1]);
}

/* Writes a layout of three splits with two panes each. */
static void write_random(FILE *f, struct prng *r, struct conditions c[6])
{
    memset(c, 0, 6 * sizeof *c);
    fprintf(f, "{name: x, root: {split: rows, children: [");
    for (int i = 0; i < 6; i += 2) {
        fprintf(f, "%s{split: columns", i ? ", " : "");
        write_screen(f, r, "from", c[i].from[1]);
        write_screen(f, r, "until", c[i].until[1]);
        memcpy(c[i + 1].from[1], c[i].from[1], sizeof c->from[1]);
        memcpy(c[i + 1].until[1], c[i].until[1], sizeof c->until[1]);
        for (int k = i; k < i + 2; k++) {
            fprintf(f, "%s{pane: keys", k > i ? ", " : ", children: [");
            write_screen(f, r, "from", c[k].from[0]);
            write_screen(f, r, "until", c[k].until[0]);
            fprintf(f, "}");
        }
        fprintf(f, "]}");
    }
    fprintf(f, "]}}");
}

static bool leaves_a_screen_empty(const struct conditions c[6])
{
    for (unsigned w = 1; w < 9; w++)
        for (unsigned h = 1; h < 9; h++) {
            bool any = false;
            for (int i = 0; i < 6; i++)
                any |= holds(&c[i], w, h);
            if (!any)
                return true;
        }
    return false;
}

/* Random conditions, all of which change between 1x1 and 8x8, against a look at each of these screens. */
TEST(a_layout_is_refused_only_if_some_screen_has_no_pane)
{
    unsigned n[2] = {0, 0};
    struct prng r;
    prng_seed(&r, 21, 1);
    for (int i = 0; i < 3000; i++) {
        char text[2000];
        struct conditions c[6];
        struct diag d;
        FILE *f = fmemopen(text, sizeof text, "w");
        write_random(f, &r, c);
        fclose(f);
        diag_init(&d, "x.yaml");
        struct layout *l = layout_load(t_file("x.yaml", text), &pane_kinds, &d);
        bool empty = leaves_a_screen_empty(c);
        if (empty == (l != NULL))
            t_fail(__FILE__, __LINE__, "%s: %s", l ? "taken" : "refused", text);
        for (int w = 1; l && w < 9; w++)
            for (int h = 1; h < 9; h++)
                check_cover(l, w, h);
        n[empty]++;
        layout_free(l);
        diag_fini(&d);
    }
    CHECK(n[0] > 300 && n[1] > 300); /* both are common */
}

TEST(kinds_that_are_left_out_leave_no_empty_screen)
{
    struct layout_pane p[MAX];
    struct layout *l = load("{name: x, root: {split: rows, children: [{pane: keys}, {pane: output}]}}");
    CHECK(l);
    CHECK_INT(layout_solve_cut(l, (struct layout_cut){.without = 1u << PANE_keys}, 9, 9, p, MAX), 1);
    CHECK_INT(layout_solve_cut(l, (struct layout_cut){.without = 1u << PANE_keys | 1u << PANE_output}, 9, 9, p, MAX), 2);
    layout_free(l);
}

/* A part with a pane that needs more rows has half as much weight again, wherever the pane is in it; columns are not wanted. */
TEST(a_pane_that_needs_more_rows_has_more)
{
    struct layout_pane p[MAX];
    struct layout *l = load(
        "name: x\n"
        "root:\n"
        "  split: rows\n"
        "  children:\n"
        "    - split: columns\n"
        "      weight: 2\n"
        "      children: [{pane: processors, weight: 1}, {pane: global_queue, weight: 1}]\n"
        "    - {pane: narration, weight: 3}\n");
    CHECK(l);
    const struct layout_cut cut = {.more = 1u << PANE_processors};
    CHECK_INT(layout_solve(l, 80, 30, p, MAX), 3);
    CHECK_INT(p[0].rect.h, 12);
    CHECK_INT(layout_solve_cut(l, cut, 80, 30, p, MAX), 3);
    CHECK_INT(p[0].rect.h, 15);
    CHECK_INT(p[2].rect.h, 15);
    CHECK_INT(p[0].rect.w, 40);
    layout_free(l);
}

/* A table of another program: nothing in the module knows the panes of this one. */
static struct layout_pane_kind made_up(int i)
{
    static const struct layout_option option[] = {
        {"rows", OPTION_NUMBER, 5, .least = 1, .most = 20},
        {"order", OPTION_WORD, 1, .word = {"old", "new"}},
        {.name = "wrap", .type = OPTION_BOOL, .standard = true},
    };
    return i ? (struct layout_pane_kind){"lists", option, 3, 1, 1} : (struct layout_pane_kind){"plain", NULL, 0, 1, 1};
}

static void check_made_up(const char *text, const char *what, const int option[3])
{
    static const struct layout_kinds kinds = {2, made_up};
    struct layout_pane pane;
    struct diag d;
    diag_init(&d, "x.yaml");
    struct layout *l = layout_load(t_file("x.yaml", text), &kinds, &d);
    CHECK_INT(l == NULL, what != NULL);
    if (what) {
        char place[300];
        CHECK_INT(d.count, 1);
        snprintf(place, sizeof place, "%u:%u: %s", d.item[0].line, d.item[0].col, d.item[0].text);
        CHECK_STR(place, what);
    } else {
        CHECK_INT(layout_solve(l, 9, 9, &pane, 1), 1);
        CHECK_INT(pane.kind, 1);
        for (int i = 0; i < 3; i++)
            CHECK_INT(pane.option[i], option[i]);
    }
    layout_free(l);
    diag_fini(&d);
}

TEST(options_are_read_by_the_table_that_is_handed_in)
{
    check_made_up("{name: x, root: {pane: lists}}", NULL, (int[]){5, 1, true});
    check_made_up("{name: x, root: {pane: lists, options: {wrap: false, order: old, rows: 20}}}", NULL, (int[]){20, 0, false});
    check_made_up("{name: x, root: {pane: lists, options: {rows: 21}}}", "1:47: rows: 21 is out of range; 1..20", NULL);
    check_made_up("{name: x, root: {pane: lists, options: {rows: many}}}", "1:47: rows: \"many\" is not an integer; only decimal digits",
                  NULL);
    check_made_up("{name: x, root: {pane: lists, options: {oder: old}}}", "1:41: unknown key \"oder\" in options; did you mean \"order\"?",
                  NULL);
    check_made_up("{name: x, root: {pane: lists, options: {order: odd}}}", "1:48: unknown word \"odd\" in order; did you mean \"old\"?",
                  NULL);
    check_made_up("{name: x, root: {pane: list}}", "1:24: unknown word \"list\" in pane; did you mean \"lists\"?", NULL);
    check_made_up("{name: x, root: {pane: plain, options: {rows: 1}}}", "1:41: unknown option \"rows\" of pane plain; it has none", NULL);
}

/* Aliases make a small file large: twice nine times eight panes. */
TEST(too_many_panes_are_refused)
{
    check_mistake(
        "name: x\n"
        "root: {split: rows, children: [&a {split: columns, children: [&b {split: rows, children: [&p {pane: keys}, *p,"
        " *p, *p, *p, *p, *p, *p]}, *b, *b, *b, *b, *b, *b, *b, *b]}, *a]}\n",
        2, 7, "too many panes");
}

TEST(all_mistakes_are_reported_at_once)
{
    struct diag d;
    diag_init(&d, "x.yaml");
    CHECK(!layout_load(t_file("x.yaml", "name: x\ntheme: nothing-like-it\nroot: {split: rows, children: [{size: 1}, {size: 2}]}\n"),
                       &pane_kinds, &d));
    CHECK_INT(d.count, 3);
    diag_fini(&d);
}

TEST(non_layouts_are_refused)
{
    static const char *const bad[] = {
        "",
        "[]\n",
        "x\n",
        "name: x\n",
        "name: x\nroot: []\n",
        "name: [x]\nroot: {pane: keys}\n",
        "name: x\nroot: {pane: keys\n",
        "name: x\nroot: {pane: [keys]}\n",
        "name: x\nroot: {split: rows, children: [x]}\n",
        "name: x\ntheme: {}\nroot: {pane: keys}\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct diag d;
        diag_init(&d, "x.yaml");
        CHECK(!layout_load(t_file("x.yaml", bad[i]), &pane_kinds, &d));
        CHECK(d.count >= 1);
        diag_fini(&d);
    }
}

/* ---- editing ---- */

/* Returns the file that a layout is written as; free() it. */
static char *written(const struct layout *l)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    CHECK(f && layout_write(l, "again", &pane_kinds, f));
    fclose(f);
    return text;
}

/* Checks that both give each pane the same place and the same options. */
static void check_same(const struct layout *a, const struct layout *b, int w, int h)
{
    struct layout_pane left[MAX], right[MAX];
    int n = layout_solve(a, w, h, left, MAX);
    CHECK_INT(layout_solve(b, w, h, right, MAX), n);
    for (int i = 0; i < n; i++) {
        CHECK_INT(left[i].kind, right[i].kind);
        CHECK_INT(left[i].leaf, right[i].leaf);
        CHECK(memcmp(&left[i].rect, &right[i].rect, sizeof left[i].rect) == 0);
        CHECK(memcmp(left[i].option, right[i].option, sizeof left[i].option) == 0);
    }
}

static void check_round_trip(const struct layout *l)
{
    char *text = written(l);
    struct layout *again = load(text);
    CHECK(again);
    for (int w = 40; w <= 200; w += 40)
        for (int h = 16; h <= 60; h += 11)
            check_same(l, again, w, h);
    char *twice = written(again);
    CHECK_STR(twice, text);
    layout_free(again);
    free(twice);
    free(text);
}

TEST(a_written_layout_is_read_back_as_it_was)
{
    static const char *const name[] = {"classic", "compact", "code", "projector", "queues", "search", "timeline"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        struct layout *l = load_shipped(name[i]);
        check_round_trip(l);
        layout_free(l);
    }
    struct layout *l = load("name: x\ntitle: \"a \\\"b\\\" \\\\\"\nroot: {pane: processors, options: {runq: bar, arrows: false}}\n");
    CHECK(l);
    check_round_trip(l);
    layout_free(l);
}

TEST(edits_change_only_the_place_of_the_pane)
{
    struct layout *l = load_shipped("compact"), *copy = layout_copy(l, "mine");
    struct layout_pane pane[MAX], was[MAX];
    CHECK_STR(layout_name(copy), "mine");
    check_same(l, copy, 80, 24);
    int n = layout_solve(copy, 80, 24, was, MAX);
    CHECK(layout_divide(copy, 1, LAYOUT_COLUMNS)); /* status, processors, … */
    CHECK_INT(layout_solve(copy, 80, 24, pane, MAX), n + 1);
    CHECK_INT(pane[1].kind, was[1].kind);
    CHECK_INT(pane[2].kind, was[1].kind);
    CHECK_INT(pane[1].rect.w + pane[2].rect.w, 80);
    CHECK_INT(pane[1].rect.h, was[1].rect.h);
    layout_replace(copy, 2, PANE_output, &pane_kinds);
    layout_solve(copy, 80, 24, pane, MAX);
    CHECK_INT(pane[2].kind, PANE_output);
    CHECK(layout_resize(copy, 2, 80, 24, -10, &pane_kinds));
    layout_solve(copy, 80, 24, pane, MAX);
    CHECK_INT(pane[2].rect.w, 30);
    CHECK(!layout_resize(copy, 2, 80, 24, -30, &pane_kinds));
    check_round_trip(copy);
    check_round_trip(l);
    layout_free(l);
    layout_free(copy);
}

TEST(a_resized_pane_leaves_each_other_pane_its_least_size)
{
    struct layout *l = load_shipped("compact"), *copy = layout_copy(l, "mine");
    struct layout_pane was[MAX], pane[MAX];
    int n = layout_solve(copy, 80, 24, was, MAX), grown = 0;
    CHECK(!layout_resize(copy, 1, 80, 24, 12, &pane_kinds)); /* processors */
    check_same(l, copy, 80, 24);
    while (layout_resize(copy, 1, 80, 24, 1, &pane_kinds))
        grown++;
    CHECK(grown > 0);
    CHECK_INT(layout_solve(copy, 80, 24, pane, MAX), n);
    for (int i = 0; i < n; i++)
        CHECK(pane[i].rect.h >= was[i].rect.h || pane[i].rect.h >= 3); /* a title, a row, and the lower edge of a box */
    while (layout_resize(copy, 1, 80, 24, -1, &pane_kinds))
        ;
    layout_solve(copy, 80, 24, pane, MAX);
    CHECK_INT(pane[1].rect.h, 3);
    layout_free(l);
    layout_free(copy);
}

TEST(a_pane_that_has_no_neighbour_keeps_its_size)
{
    struct layout *l = load("name: x\nroot: {split: rows, children: [{pane: status, size: 1}, {pane: output}]}\n");
    CHECK(l);
    CHECK(!layout_resize(l, 1, 80, 24, -3, &pane_kinds));
    CHECK(layout_resize(l, 0, 80, 24, 2, &pane_kinds));
    layout_free(l);
    l = load(
        "name: x\n"
        "root:\n"
        "  split: rows\n"
        "  children:\n"
        "    - {split: columns, weight: 1, children: [{pane: threads, weight: 1}, {pane: output, weight: 1, from: {columns: 160, rows: 50}}]}\n"
        "    - {pane: narration, weight: 1}\n");
    CHECK(l);
    struct layout_pane p[MAX];
    CHECK(layout_resize(l, 0, 80, 24, -3, &pane_kinds)); /* the one next to it is not on this screen */
    CHECK_INT(layout_solve(l, 80, 24, p, MAX), 2);
    CHECK_INT(p[0].rect.h, 9);
    CHECK_INT(p[0].rect.w, 80);
    layout_free(l);
    l = load("name: x\nroot: {pane: output}\n");
    CHECK(!layout_resize(l, 0, 80, 24, -3, &pane_kinds));
    for (int i = 1; i < LAYOUT_PANES_MAX; i++)
        layout_divide(l, i % 3, i % 2 ? LAYOUT_ROWS : LAYOUT_COLUMNS); /* fails once it is too deep */
    CHECK(layout_panes(l) > 20);
    while (layout_divide(l, layout_panes(l) / 2, LAYOUT_ROWS))
        ;
    CHECK(layout_panes(l) <= LAYOUT_PANES_MAX);
    check_round_trip(l);
    layout_free(l);
}
