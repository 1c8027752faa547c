/* Checks what holds for every picture: scenarios × layouts × sizes × languages at many events. Two runs that go the same way to the same stop
 * must show the same picture, cell by cell. */
#include "golden.h"

#include <stdio.h>

static const struct size {
    int columns, rows;
} sizes[] = {{80, 24}, {120, 40}, {100, 30}, {200, 60}};
enum { SIZES = sizeof sizes / sizeof *sizes };
static const char *const layouts[] = {"classic", "compact", "projector", "timeline", "queues", "lesson", "code", "search"};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

/* ---- what must hold ---- */

struct picture {
    struct term *t;
    int rows, columns;
    bool ascii, mono;
    char what[160]; /* the first thing that does not hold */
};

static struct term_cell at(const struct picture *p, int row, int column)
{
    struct term_cell c;
    term_cell(p->t, row, column, &c);
    return c;
}

static bool wrong(struct picture *p, int row, int column, const char *what)
{
    snprintf(p->what, sizeof p->what, "row %d, column %d: %s", row, column, what);
    return false;
}

/* A wide glyph has both halves; ASCII and mono hold for each cell. */
static bool cell_holds(struct picture *p, int row, int column)
{
    struct term_cell c = at(p, row, column);
    if (c.width == 2 && (column + 1 == p->columns || at(p, row, column + 1).ch != 0))
        return wrong(p, row, column, "half of a wide glyph");
    if (c.ch == 0xfffd)
        return wrong(p, row, column, "a broken character");
    if (p->ascii && c.ch >= 0x80)
        return wrong(p, row, column, "no ASCII");
    if (p->mono && (c.color >= 0 || !c.own_ground))
        return wrong(p, row, column, "a colour");
    return true;
}

static bool is_side(uint32_t ch)
{
    return ch == 0x2502 || ch == 0x251c || ch == 0x2524; /* │ ├ ┤ */
}

/* The frame with this upper left corner ╭ is closed: nothing is drawn over its edges, except the title. */
static bool frame_holds(struct picture *p, int row, int column)
{
    int right = column + 1, low = row + 1;
    while (right < p->columns && at(p, row, right).ch != 0x256e) /* ╮ */
        right++;
    if (right == p->columns)
        return wrong(p, row, column, "no upper right corner");
    for (; low < p->rows && is_side(at(p, low, column).ch); low++)
        if (!is_side(at(p, low, right).ch))
            return wrong(p, low, right, "the right edge is open");
    if (low == p->rows || at(p, low, column).ch != 0x2570 || at(p, low, right).ch != 0x256f) /* ╰ ╯ */
        return wrong(p, low, column, "the frame is not closed");
    return true;
}

static bool holds(struct picture *p)
{
    for (int row = 0; row < p->rows; row++)
        for (int column = 0; column < p->columns; column++)
            if (!cell_holds(p, row, column) || (at(p, row, column).ch == 0x256d && !frame_holds(p, row, column)))
                return false;
    return true;
}

/* ---- how they are reached ---- */

static bool prompt_is_last(struct term *t, void *rows)
{
    return term_find(t, ":handled", NULL) == *(int *)rows - 1;
}

/* Waits until the program has handled all keys, and the change of the size. */
static void wait_drawn(struct picture *p)
{
    term_keys(p->t, ":handled");
    term_wait_for(p->t, "the command line is not in the last row", prompt_is_last, &p->rows);
    term_keys(p->t, "\x1b");
    term_wait_gone(p->t, ":handled");
}

static void go_to(struct picture *p, const char *layout, const struct size *s, long event)
{
    char line[64];
    snprintf(line, sizeof line, ":layout %s\r:goto %ld\r", layout, event);
    p->columns = s->columns;
    p->rows = s->rows;
    term_resize(p->t, s->rows, s->columns);
    term_keys(p->t, line);
    wait_drawn(p);
}

static void check(struct picture *p, const char *scenario, const char *layout, long event)
{
    for (int i = 0; i < LOOKS && !holds(p); i++)
        term_settle(p->t, 100); /* is the rest of the frame still on its way? */
    if (!holds(p))
        t_fail(scenario, (int)event, "%s at %dx%d: %s\n%s", layout, p->columns, p->rows, p->what, term_text(p->t));
}

static long draw(uint64_t *seed, long below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (long)((*seed >> 33) % (uint64_t)below);
}

enum { KIND_PLAIN, KIND_ZH, KIND_ASCII, KIND_MONO };
static struct picture start(const char *scenario, int kind)
{
    static const char *const posix[] = {"LC_ALL=POSIX", "TERM=vt100", NULL}, *const no_color[] = {"NO_COLOR=1", NULL};
    bool zh = kind == KIND_ZH;
    struct picture p = {.rows = 40, .columns = 120, .ascii = kind == KIND_ASCII, .mono = kind >= KIND_ASCII};
    const char *const argv[] = {GMPSCOPE_BIN, "run", scenario, "--tempo", "max", "--lang", zh ? "zh" : "en", NULL};
    p.t = term_start(p.rows, p.columns, p.ascii ? posix : p.mono ? no_color : NULL, argv);
    term_wait(p.t, zh ? "已结束：" : "ENDED:");
    if (term_shows(p.t, zh ? "main 返回" : "main returned"))
        close_card(p.t);
    term_keys(p.t, ":layout classic\r");
    wait_drawn(&p);
    return p;
}

/* Each layout in each size, each at an event of its own. */
static void check_scenario(const char *scenario, int kind, uint64_t seed)
{
    struct picture p = start(scenario, kind);
    const char *rest = strstr(term_text(p.t), kind == KIND_ZH ? "事件 " : "event ");
    CHECK(rest);
    long last = strtol(rest + strcspn(rest, "0123456789"), NULL, 10);
    CHECK(last > 0);
    for (int s = 0; s < SIZES; s++)
        for (int l = 0; l < LAYOUTS; l++) {
            long event = 1 + draw(&seed, last);
            go_to(&p, layouts[l], &sizes[s], event);
            check(&p, scenario, layouts[l], event);
        }
    quit(p.t);
}

TEST(every_picture_is_whole)
{
    check_scenario("overflow-shuffled", KIND_PLAIN, 1);
    check_scenario("gc-cycle", KIND_PLAIN, 2);
    check_scenario("syscall-1-0", KIND_PLAIN, 3);
}

TEST(every_picture_in_chinese_is_whole)
{
    check_scenario("net-inject", KIND_ZH, 4);
    check_scenario("mutex-starving", KIND_ZH, 5);
    check_scenario("timerproc", KIND_ZH, 6);
}

TEST(every_picture_in_ascii_and_without_colour_is_whole)
{
    check_scenario("steal-half", KIND_ASCII, 7);
    check_scenario("locked-go14", KIND_ASCII, 8);
    check_scenario("gc-assist", KIND_MONO, 9);
}

/* ---- the same way to the same stop ---- */

static bool same_cell(struct term *a, struct term *b, int row, int column)
{
    struct term_cell x, y;
    term_cell(a, row, column, &x);
    term_cell(b, row, column, &y);
    return x.ch == y.ch && x.color == y.color && x.own_ground == y.own_ground && x.bold == y.bold && x.italic == y.italic &&
           x.underline == y.underline && x.reverse == y.reverse;
}

/* Returns the first cell that differs, counted row by row, or -1. */
static int first_difference(struct term *a, struct term *b, const struct size *s)
{
    for (int i = 0; i < s->rows * s->columns; i++)
        if (!same_cell(a, b, i / s->columns, i % s->columns))
            return i;
    return -1;
}

/* Waits until the whole picture is there, except for the row of the command line. The program has drawn the picture of the stop before it
 * opens that line for the second time. */
static void wait_picture(struct term *t)
{
    wait_handled(t);
    wait_handled(t);
}

/* Both programs have come to their stop, so all rows but the last are compared once. The last one may still be on its way. */
static void check_same(const char *way, struct term *t[2], const struct size *s)
{
    int above = (s->rows - 1) * s->columns;
    for (int i = 0; i < 2; i++)
        wait_picture(t[i]);
    int at = first_difference(t[0], t[1], s);
    for (int tries = 0; tries < LOOKS && at >= above; tries++) {
        for (int i = 0; i < 2; i++)
            term_settle(t[i], 100);
        at = first_difference(t[0], t[1], s);
    }
    if (at >= 0)
        t_fail(way, at / s->columns + 1, "column %d differs between\n%sand\n%s", at % s->columns + 1, strdup(term_text(t[0])),
               term_text(t[1]));
}

static void go_the_same_way(const char *layout, struct term *t[2], const struct size *s)
{
    static const char *const step[][3] = {
        /* the key, what it shows, and the same where sentences are large */
        {"", "M2 steals 4", "ev 197"},
        {":until steal n>=2\r", "M2 steals 2", "ev 298"},
        {"s", "M2 stops spinning", "ev 299"},
        {"s", NULL},
        {"b", NULL},
        {"b", NULL},
        {":goto 100\r", NULL},
        {"s", NULL},
        {"G", NULL},
        {"b", NULL},
    };
    char way[64];
    for (size_t k = 0; k < sizeof step / sizeof *step; k++) {
        for (int i = 0; i < 2; i++) {
            term_keys(t[i], step[k][0]);
            if (step[k][1])
                term_wait(t[i], step[k][strcmp(layout, "projector") ? 1 : 2]);
        }
        snprintf(way, sizeof way, "%s, step %zu: %.20s", layout, k, step[k][0]);
        check_same(way, t, s);
    }
}

/* Two runs go the same way: to a stop, to a second one, on, back, far back and to the present. The clock differs, the pictures do not. */
static void check_same_way(const char *layout, const struct size *s)
{
    const char *const *argv = STEAL_HALF("--tempo", "max", "--layout", layout, "--break", "steal n>=2");
    struct term *t[2];
    for (int i = 0; i < 2; i++)
        t[i] = term_start(s->rows, s->columns, NULL, argv);
    go_the_same_way(layout, t, s);
    for (int i = 0; i < 2; i++)
        quit(t[i]);
}

TEST(the_same_way_to_a_stop_gives_the_same_picture)
{
    for (int l = 0; l < LAYOUTS; l++)
        check_same_way(layouts[l], &sizes[l % SIZES]);
}

/* ---- keys typed ahead ---- */

enum { KEYS_AHEAD = 6 };
/* Keys that come while a step is under way. Each acts on the stop to which the keys before it lead. */
static const char *const ahead[][KEYS_AHEAD] = {
    {"s", "s", "b"},      {"s", "s", "s"},           {"n", "n", "b"},     {"b", "b", "s"},
    {"G", "s", "s", "b"}, {"s", ":goto 150\r", "s"}, {"G", "n", "B"},     {"n", ":step 3\r", "b"},
    {"g", "s", "s", "b"}, {"G", "S", "s", "b", "b"}, {"s", "G", "n", "b"}};

/* A step that the screen shows as under way ends at the next key, so none is pressed before its stop. */
static void press_and_stop(struct term *t, const char *key)
{
    term_keys(t, key);
    wait_handled(t);
    term_wait_gone(t, "STEPPING");
}

/* The first of the two gets all keys at once, the second one by one. */
static void press_all(const char *const key[KEYS_AHEAD], struct term *t[2])
{
    char keys[64] = "";
    for (int i = 0; i < KEYS_AHEAD && key[i]; i++) {
        strcat(keys, key[i]);
        press_and_stop(t[1], key[i]);
    }
    term_keys(t[0], keys);
    check_same(keys, t, &sizes[1]);
}

TEST(keys_typed_ahead_lead_to_the_same_picture)
{
    struct term *t[2];
    for (int i = 0; i < 2; i++) {
        t[i] = term_start(sizes[1].rows, sizes[1].columns, NULL, STEAL_HALF("--tempo", "max", "--break", "steal n>=2"));
        term_wait(t[i], "M2 steals 4");
    }
    for (size_t k = 0; k < sizeof ahead / sizeof *ahead; k++)
        press_all(ahead[k], t);
    for (int i = 0; i < 2; i++)
        quit(t[i]);
}

TEST(keys_typed_together_with_a_run_to_a_match_act_at_the_match)
{
    for (int i = 0; i < 5; i++) {
        struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--break", "steal n>=2"));
        term_wait(t, "PAUSED at steal");
        term_keys(t, ":until g_end\rb");
        term_wait(t, "BACK at event 224 of 228 ");
        quit(t);
    }
}

/* A run to a match that does not come: a key typed together with it waits, and the next key ends the run. */
TEST(a_key_typed_later_ends_a_run_to_a_match)
{
    static const char forever[] =
        "name: forever\n"
        "goroutines:\n"
        "  - name: main\n"
        "    do: [{loop: forever, do: [{sleep: 10us}]}]\n";
    const char *argv[] = {GMPSCOPE_BIN, "run", t_file("forever.yaml", forever), "--tempo", "max", "--break", "m_start m=1", NULL};
    struct term *t = term_start(40, 120, NULL, argv);
    term_wait(t, "PAUSED at m_start");
    long first = event_number(t);
    term_keys(t, ":until g_end g=7\rb");
    wait_past(t, first + 1000);
    CHECK(!term_shows(t, "BACK"));
    term_keys(t, "j");
    term_wait(t, "BACK at event");
    quit(t);
}

/* ---- each pane alone ---- */

#define PANE_ALONE \
    "name: alone\ntitle: {en: One pane, zh: \"一个窗格\"}\nmin_size: {columns: 60, rows: 16}\ntheme: default\nroot:\n  split: rows\n" \
    "  children:\n    - {pane: waiting}\n"

static const char *const panes[] = {
    "processors",     "global_queue", "threads", "search_order", "narration", "events",       "goroutine",  "timeline", "metrics",
    "timers_netpoll", "waiting",      "program", "output",       "lesson",    "steal_matrix", "population", "stage"};
enum { PANES = sizeof panes / sizeof *panes };

/* What a cell looks like, as one letter: bold or not, in reverse, marked, or in a colour. */
static char look_letter(const struct term_cell *c)
{
    if (c->ch == ' ' && !c->reverse && c->own_ground)
        return ' ';
    if (c->reverse || !c->own_ground)
        return c->bold ? 'R' : 'r';
    if (c->underline)
        return 'u';
    if (c->color >= 0)
        return (char)((c->bold ? 'A' : 'a') + c->color % 26 % 17); /* before r and u */
    return c->bold ? 'Z' : '.';
}

/* A number for the looks of all cells, which differs if any of them does. */
static uint32_t looks_of(const struct picture *p)
{
    uint32_t h = 2166136261u;
    for (int i = 0; i < p->rows * p->columns; i++) {
        struct term_cell c = at(p, i / p->columns, i % p->columns);
        uint32_t look =
            (uint32_t)(c.color + 1) << 5 | (uint32_t)(c.bold << 4 | c.italic << 3 | c.underline << 2 | c.reverse << 1 | c.own_ground);
        h = (h ^ look) * 16777619u;
    }
    return h;
}

static void add_looks(const struct picture *p, char *out)
{
    for (int row = 0; row < p->rows; row++) {
        int n = p->columns;
        char line[256];
        for (int i = 0; i < n; i++) {
            struct term_cell c = at(p, row, i);
            line[i] = look_letter(&c);
        }
        while (n && line[n - 1] == ' ')
            n--;
        if (n)
            sprintf(out + strlen(out), "%3d %.*s\n", row + 1, n, line);
    }
}

/* Appends the rows. For equal rows one after another, appends the first and how many more there are. */
static void add_rows(const char *text, char *out)
{
    while (*text) {
        size_t n = strcspn(text, "\n") + 1;
        int more = 0;
        strncat(out, text, n);
        for (text += n; strncmp(text, text - n, n) == 0; text += n)
            more++;
        if (more)
            sprintf(out + strlen(out), "(%d more)\n", more);
    }
}

/* Writes the picture, and how it looks: each cell on the smallest screen, where colour and mono can be compared by eye; else a number. */
static void write_section(const struct picture *p, const char *pane, char *out)
{
    sprintf(out, "== %s at %dx%d, looks %08x ==\n", pane, p->columns, p->rows, looks_of(p));
    add_rows(term_text(p->t), out);
    if (p->columns == sizes[0].columns) {
        strcat(out, "-- looks --\n");
        add_looks(p, out);
    }
}

/* Appends the section as soon as it is the same as in the file; UPDATE=1: as it is now. */
static void take_section(struct picture *p, const char *pane, const char *want, char *out)
{
    char *now = malloc(TEXT_BYTES);
    CHECK(now);
    term_settle(p->t, updating() ? 200 : 0);
    write_section(p, pane, now);
    for (int tries = 0; want && !strstr(want, now) && tries < LOOKS; tries++) {
        term_settle(p->t, 100);
        write_section(p, pane, now);
    }
    if (!holds(p))
        t_fail(pane, p->columns, "%s\n%s", p->what, term_text(p->t));
    CHECK(strlen(out) + strlen(now) < TEXT_BYTES);
    strcat(out, now);
    free(now);
}

static struct picture start_alone(const char *layout, int kind)
{
    static const char *const posix[] = {"LC_ALL=POSIX", "TERM=vt100", NULL}, *const no_color[] = {"NO_COLOR=1", NULL};
    const char *const *env = kind == KIND_ASCII ? posix : kind == KIND_MONO ? no_color : NULL;
    struct picture p = {.rows = 40, .columns = 120, .ascii = kind == KIND_ASCII, .mono = kind >= KIND_ASCII};
    p.t = term_start(p.rows, p.columns, env,
                     STEAL_HALF("--tempo", "max", "--layout", layout, "--lang", kind == KIND_ZH ? "zh" : "en", "--break", "g_end g=2"));
    term_wait(p.t, kind == KIND_ZH ? "已结束 1" : "1 dead");
    term_keys(p.t, ":until steal n>=2\r");
    wait_drawn(&p);
    term_wait(p.t, kind == KIND_ZH ? "转移中 1" : "1 in transit");
    return p;
}

/* One file for each pane and kind: the pane alone on the screen, in each size, at the same two stops as in test_golden.c. */
static void check_panes(const char *suffix, int kind)
{
    struct picture p = start_alone(t_file("alone.yaml", PANE_ALONE), kind);
    char *out = malloc(TEXT_BYTES), name[64], path[512], line[64];
    CHECK(out);
    for (int i = 0; i < PANES; i++) {
        out[0] = '\0';
        snprintf(name, sizeof name, "pane-%s%s", panes[i], suffix);
        snprintf(path, sizeof path, "%s/tests/screens/%s.txt", SOURCE_DIR, name);
        char *want = updating() ? NULL : read_file(path);
        snprintf(line, sizeof line, "\t:pane %s\r", panes[i]);
        term_keys(p.t, line);
        for (int s = 0; s < SIZES; s++) {
            p.columns = sizes[s].columns;
            p.rows = sizes[s].rows;
            term_resize(p.t, p.rows, p.columns);
            wait_drawn(&p);
            take_section(&p, panes[i], want, out);
        }
        check_screen(name, out);
        free(want);
    }
    free(out);
    quit(p.t);
}

TEST(each_pane_alone_looks_as_it_did)
{
    check_panes("", KIND_PLAIN);
}

TEST(each_pane_alone_looks_as_it_did_in_chinese)
{
    check_panes("-zh", KIND_ZH);
}

/* A terminal without UTF-8 has no colour either. */
TEST(each_pane_alone_looks_as_it_did_in_ascii)
{
    check_panes("-ascii", KIND_ASCII);
}
