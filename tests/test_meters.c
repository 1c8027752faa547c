/* The panes metrics, steal_matrix and timers_netpoll show what the lines of --events say.
 *
 * Each scenario runs twice: in a process of its own, whose lines this file adds up in its own simple way, and in a session, whose panes
 * are drawn at its end and at two earlier events. */
#include "live.h"
#include "shell.h"
#include "story.h"
#include "tally.h"
#include "ui/term/keycodes.h"

#include <math.h>

/* ---- the panes ---- */

struct run {
    struct live l;
    char *lines;
    uint64_t events;
};

static void run_both(struct run *r, const char *name, const char *option, const char *value)
{
    char path[512];
    static const char *args[4] = {"--tempo", "max"};
    args[2] = option;
    args[3] = value;
    snprintf(path, sizeof path, "%s/scenarios/%s.yaml", SOURCE_DIR, name);
    struct result out = HEADLESS(path, "--events", (char *)option, (char *)value);
    r->lines = out.out;
    live(&r->l, slurp(path, NULL), args, 4);
    wait_end(&r->l);
    r->events = status(&r->l).events;
    CHECK_INT(lines(r->lines), r->events);
}

/* The pane as it is after event n, with *selected; a key that is pressed before the picture is taken may select another G. */
static struct picture see_key(struct run *r, uint64_t n, struct layout_pane pane, uint32_t *selected, uint32_t code)
{
    static struct session_event ev[EVENTS_KEPT];
    struct pane_states states = {0};
    struct picture p = {.n = 0};
    int nev;
    CHECK_INT(session_ops.rewind->goto_event(r->l.s, n), GOTO_DONE);
    while (status(&r->l).events != n)
        wait_change(&r->l);
    struct view v = {.md = session_ops.view(r->l.s, ev, EVENTS_KEPT, &nev), .st = status(&r->l), .states = &states, .selected = *selected};
    struct pane_source from = {r->l.s, session_ops.search->query, session_ops.search->matches, NULL, NULL, NULL, NULL};
    CHECK(v.md && canvas_init(&p.c, pane.rect.w, 60));
    if (code) {
        struct pane_request asked = panes_key(&v, &p.c, &pane, 0, code, &from);
        v.selected = *selected = asked.select ? asked.select : *selected;
    }
    panes_prepare(&v, &p.c, &pane, 1, &from);
    panes_draw(&v, &p.c, &pane, 1);
    p.text = canvas_dump(&p.c);
    for (char *line = strtok(p.text, "\n"); line && p.n < 64; line = strtok(NULL, "\n"))
        p.row[p.n++] = line;
    model_free((struct model *)v.md);
    pane_states_fini(&states);
    return p;
}

static struct picture see(struct run *r, uint64_t n, enum pane_kind kind, int w, int h)
{
    uint32_t selected = 0;
    return see_key(r, n, at(kind, w, h), &selected, 0);
}

/* Fails unless a row has all the words, which are divided by "|", in this order. */
static void has_row(const struct picture *p, char *words)
{
    const char *word[64];
    char whole[512];
    int n = 0;
    snprintf(whole, sizeof whole, "%s", words);
    for (char *w = strtok(words, "|"); w && n < 64; w = strtok(NULL, "|"))
        word[n++] = w;
    if (row_with(p, word, n))
        return;
    for (int i = 0; i < p->n; i++)
        fprintf(stderr, "%s\n", p->row[i]);
    t_fail(__FILE__, __LINE__, "no row with %s", whole);
}
#define ROW(p, ...) \
    do { \
        char words_[512]; \
        snprintf(words_, sizeof words_, __VA_ARGS__); \
        has_row(p, words_); \
    } while (0)

static const char *time_column(int64_t ns)
{
    static char text[4][32];
    static int i;
    char *s = text[i++ & 3];
    if (ns < 1000000) {
        snprintf(s, sizeof text[0], "%lld.%03lld µs", (long long)(ns / 1000), (long long)(ns % 1000));
    } else { /* seven digits */
        int behind = ns < 10000000 ? 6 : ns < 100000000 ? 5 : 4;
        snprintf(s, sizeof text[0], "%.8f", (double)ns / 1e6);
        snprintf(strchr(s, '.') + 1 + behind, 8, " ms");
    }
    return s;
}

/* ---- metrics ---- */

static int by_value(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* The value after `name` in the first row, in ns. */
static int64_t shown_time(const struct picture *p, const char *name)
{
    for (int i = 0; i < p->n; i++) {
        const char *at_ = strstr(p->row[i], name);
        char text[32];
        int64_t ns;
        int used = 0;
        if (!at_)
            continue;
        at_ += strlen(name);
        double value = strtod(at_, (char **)&at_);
        snprintf(text, sizeof text, "%.17g%n", value, &used);
        sscanf(at_, " %2[nµsm]", text + used);
        double unit = strncmp(at_, " ns", 3) == 0 ? 1 : strncmp(at_, " µs", 4) == 0 ? 1e3 : strncmp(at_, " ms", 3) == 0 ? 1e6 : 1e9;
        ns = llround(value * unit);
        return ns;
    }
    t_fail(__FILE__, __LINE__, "no %s", name);
}

/* The histogram of the model is at most 2 % off; the maximum is exact, as far as it is printed. */
static void check_waits(const struct picture *p, struct tally *t)
{
    if (!t->nwaits)
        return;
    qsort(t->wait, (size_t)t->nwaits, sizeof *t->wait, by_value);
    static const struct {
        const char *name;
        int percent;
        double off;
    } of[] = {{"p50 ", 50, .02}, {"p99 ", 99, .02}, {"max ", 100, .001}};
    for (int i = 0; i < 3; i++) {
        int64_t want = t->wait[(t->nwaits * of[i].percent + 99) / 100 - 1], got = shown_time(p, of[i].name);
        if (fabs((double)(got - want)) > of[i].off * (double)want + 1)
            t_fail(__FILE__, __LINE__, "%s: shown %lld, counted %lld", of[i].name, (long long)got, (long long)want);
    }
    ROW(p, "max|of %d", t->nwaits);
}

/* Each column of the histogram that has a wait is seen, and no other. */
static void check_histogram(const struct picture *p, const struct tally *t)
{
    enum { FROM = 6, TO = 33 };
    bool any[TO + 1] = {false};
    int axis = 0;
    for (int i = 0; i < t->nwaits; i++) {
        int bin = t->wait[i] > 0 ? ilogb((double)t->wait[i]) : 0;
        any[bin < FROM ? FROM : bin > TO ? TO : bin] = true;
    }
    while (axis < p->n && !strstr(p->row[axis], "1ms"))
        axis++;
    CHECK(axis > 2 && axis < p->n);
    for (int bin = FROM; bin <= TO; bin++) {
        const struct cell *c = &p->c.cell[(axis - 1) * p->c.w + 2 + 2 * (bin - FROM)];
        if ((c->ch != ' ') != any[bin])
            t_fail(__FILE__, __LINE__, "the column of 2^%d ns: %s", bin, any[bin] ? "nothing is shown" : "something is shown");
    }
}

/* The number after the bar of this P. */
static int shown_percent(const struct picture *p, uint32_t id)
{
    char label[16];
    snprintf(label, sizeof label, "P%u ", id);
    for (int i = 0; i < p->n; i++) {
        const char *at_ = strstr(p->row[i], label);
        if (at_)
            return atoi(at_ + strlen(label) + strspn(at_ + strlen(label), "█· "));
    }
    t_fail(__FILE__, __LINE__, "no P%u", id);
}

static void check_program(const struct picture *p, const struct tally *t, int i)
{
    char name[EV_G_NAME] = "";
    if (t->fn[i].waiter)
        ev_g_name(t->fn[i].waiter, name);
    ROW(p, "%s | %llu |%s|%s|%s|%s", t->fn[i].name, (unsigned long long)t->fn[i].gs, time_column(t->fn[i].ran),
        time_column(t->fn[i].ran / (int64_t)t->fn[i].gs), time_column(t->fn[i].waited), name);
}

static double share_in(const struct tally *t, uint32_t at)
{
    int64_t all = t->g[at].ran + t->g[at].waited;
    return all ? (double)t->g[at].ran / (double)all : 0;
}

/* The index, and the G that lost most against the mean share, in the first row. */
static void check_fairness(const struct picture *p, const struct tally *t)
{
    double sum = 0, squares = 0, most = -INFINITY;
    uint32_t n = 0, first = 0;
    for (uint32_t at = 1; at < SYSTEM; at++) {
        n += t->g[at].ran + t->g[at].waited > 0;
        sum += share_in(t, at);
        squares += share_in(t, at) * share_in(t, at);
    }
    if (!n)
        return;
    for (uint32_t at = 1; at < SYSTEM; at++) {
        double lost = sum / n * (double)(t->g[at].ran + t->g[at].waited) - (double)t->g[at].ran;
        if (t->g[at].ran + t->g[at].waited > 0 && lost > most) {
            most = lost;
            first = at;
        }
    }
    ROW(p, "fairness: %.2f  Jain's index of %u shares", squares > 0 ? sum * sum / (n * squares) : 1, n);
    for (int i = 0; i < p->n; i++)
        if (strstr(p->row[i], "of mean")) {
            struct picture row = {.row = {p->row[i + 1]}, .n = 1};
            double of_mean = sum > 0 ? share_in(t, first) * n / sum : 0;
            ROW(&row, "G%u |%.1f %%|×%.2f|%s|%s|%s", first, 100 * share_in(t, first), of_mean, time_column(t->g[first].longest),
                time_column(t->g[first].waited), time_column(t->g[first].ran));
        }
}

static void check_metrics(struct run *r, uint64_t n)
{
    struct tally *t = tally_of(r->lines, n);
    struct picture p = see(r, n, PANE_metrics, 96, 40);
    double ms = (double)t->now / 1e6, rate = ms > 0 ? (double)n / ms : 0;
    check_histogram(&p, t);
    check_waits(&p, t);
    ROW(&p, "Gs ended: %llu of %llu|rounds: %llu|events: %llu, %.*f a ms", (unsigned long long)t->ended, (unsigned long long)t->created,
        (unsigned long long)t->rounds, (unsigned long long)n, rate < 10 ? 1 : 0, rate);
    for (int i = 0; i < t->nfn; i++)
        check_program(&p, t, i);
    check_fairness(&p, t);
    for (uint32_t i = 0; i < t->np; i++) {
        int shown = shown_percent(&p, i), want = (int)llround(100.0 * (double)t->ran_on[i] / (double)t->now);
        if (abs(shown - want) > 0)
            t_fail(__FILE__, __LINE__, "P%u ran %d %%, shown: %d %%", i, want, shown);
    }
    picture_fini(&p);
    free(t);
}

/* A low pane has the index of fairness in one row, and no row stays blank in the middle. */
TEST(a_low_metrics_pane_has_the_index_of_fairness)
{
    struct run r;
    run_both(&r, "steal-half", "--seed", "7");
    for (int h = 10; h < 16; h++) {
        struct picture p = see(&r, r.events, PANE_metrics, 78, h);
        ROW(&p, "fairness: 0.|Jain's index of");
        ROW(&p, "Gs ended");
        picture_fini(&p);
    }
    close_live(&r.l);
}

/* At each width a line has the longest form that fits. */
TEST(no_line_of_the_metrics_is_cut)
{
    struct run r;
    run_both(&r, "tree", "--seed", "7");
    for (int w = 44; w < 140; w++) {
        struct picture p = see(&r, r.events, PANE_metrics, w, 24);
        ROW(&p, "p99|max");
        for (int i = 0; i < p.n; i++)
            if (strstr(p.row[i], "…"))
                t_fail(__FILE__, __LINE__, "%d columns: %s", w, p.row[i]);
        picture_fini(&p);
    }
    close_live(&r.l);
}

/* Fails unless the G with this tag has a row among the shares. */
static void has_share(const struct picture *p, uint32_t tag)
{
    char name[EV_G_NAME];
    ev_g_name(thing_id(tag), name);
    ROW(p, "%s | %%|×", name);
}

/* Fewer rows than Gs: the arrow reaches each G, and its row is in sight. */
TEST(each_g_of_the_metrics_can_be_scrolled_to)
{
    struct run r;
    bool seen[64] = {false};
    uint32_t selected = 0;
    run_both(&r, "steal-half", "--seed", "7");
    struct layout_pane pane = at(PANE_metrics, 78, 25);
    struct picture p = see_key(&r, r.events, pane, &selected, KEY_CODE_HOME);
    ROW(&p, "0 above, ");
    picture_fini(&p);
    for (int i = 0; i < 9; i++) {
        CHECK(thing_kind(selected) == THING_G && thing_id(selected) < 64 && !seen[thing_id(selected)]);
        seen[thing_id(selected)] = true;
        p = see_key(&r, r.events, pane, &selected, KEY_CODE_DOWN);
        has_share(&p, selected);
        picture_fini(&p);
    }
    uint32_t last = selected;
    p = see_key(&r, r.events, pane, &selected, KEY_CODE_PAGE_DOWN);
    CHECK_INT(selected, last);
    ROW(&p, ", 0 below");
    picture_fini(&p);
    p = see_key(&r, r.events, pane, &selected, KEY_CODE_WHEEL_UP);
    CHECK(selected != last);
    has_share(&p, selected);
    picture_fini(&p);
    close_live(&r.l);
}

/* The pane says what a share is, and that of many Gs only some have a row. */
TEST(the_metrics_say_what_a_share_is_and_which_gs_are_left_out)
{
    struct run r;
    run_both(&r, "../tests/conformance/cases/04-overflow-257", "--seed", "7");
    struct picture p = see(&r, r.events, PANE_metrics, 96, 40);
    ROW(&p, "share = ran / (ran + waited");
    ROW(&p, "0 above, |below; the other |Gs lost less");
    picture_fini(&p);
    close_live(&r.l);
}

static void check_at_three(struct run *r, void (*check)(struct run *r, uint64_t n))
{
    check(r, r->events);
    check(r, r->events / 3);
    check(r, r->events * 2 / 3);
    close_live(&r->l);
}

TEST(metrics_are_those_of_the_lines)
{
    static const char *const name[] = {"steal-half", "blocking-syscall", "gc-cycle", "preempt-tight", "gomaxprocs-grow"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        struct run r;
        run_both(&r, name[i], "--seed", "7");
        check_at_three(&r, check_metrics);
    }
}

TEST(metrics_exist_in_each_generation)
{
    static const char *const generation[] = {"go1.0", "go1.4", "go1.13", "go1.20"};
    for (size_t i = 0; i < sizeof generation / sizeof *generation; i++) {
        struct run r;
        run_both(&r, "steal-half", "--generation", generation[i]);
        check_at_three(&r, check_metrics);
    }
}

/* ---- steals ---- */

static void check_steals(struct run *r, uint64_t n)
{
    struct tally *t = tally_of(r->lines, n);
    struct picture p = see(r, n, PANE_steal_matrix, 120, 20);
    if (t->all_steals || t->all_tries)
        ROW(&p, "steals %llu, Gs %llu, tries %llu", (unsigned long long)t->all_steals, (unsigned long long)t->gs,
            (unsigned long long)t->all_tries);
    for (uint32_t thief = 0; thief < t->np; thief++) {
        char row[512];
        uint64_t all = 0;
        int at_ = snprintf(row, sizeof row, "P%u ", thief);
        for (uint32_t victim = 0; victim < t->np; victim++) {
            unsigned long long steals = t->steals[thief][victim], tries = t->tries[thief][victim];
            at_ += steals || tries ? snprintf(row + at_, sizeof row - (size_t)at_, "| %llu/%llu", steals, tries)
                                   : snprintf(row + at_, sizeof row - (size_t)at_, "|·");
            all += steals;
        }
        snprintf(row + at_, sizeof row - (size_t)at_, "| %llu ", (unsigned long long)all);
        ROW(&p, "%s", row);
    }
    if (t->all_steals)
        ROW(&p, "last: P%ld from P%ld", t->thief, t->victim);
    picture_fini(&p);
    free(t);
}

TEST(the_matrix_has_the_steals_of_the_lines)
{
    struct run r;
    run_both(&r, "steal-half", "--seed", "7");
    check_at_three(&r, check_steals);
    run_both(&r, "steal-half", "--procs", "5");
    check_at_three(&r, check_steals);
    run_both(&r, "steal-half", "--generation", "go1.4");
    check_at_three(&r, check_steals);
}

/* Adds the numbers of a matrix that is folded: its sum is still that of the lines, and the last cell is lit. */
TEST(a_matrix_of_many_ps_is_folded)
{
    struct story *s = story_new(64, 256);
    spawn(s, 60);
    thief_comes(s);
    EVENT(STEAL_TRY, 2, 1, .a = 63, .b = 1);
    EVENT(STEAL_TRY, 2, 1, .a = 0, .b = 1, .c = 59);
    EVENT(STEAL, 2, 1, .g = 31, .a = 0, .b = 30 << 1, .c = 0, .d = 0);
    struct view v = view_of(s);
    static const int size[][2] = {{140, 40}, {100, 40}, {60, 16}, {40, 10}};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        struct picture p = look(&v, at(PANE_steal_matrix, size[i][0], size[i][1]));
        HAS_ROW(&p, "steals 1, Gs 30, tries 2");
        HAS_ROW(&p, "all", "█", "1");
        HAS_ROW(&p, "P", "█", "·", " 1");
        HAS_ROW(&p, "63", "·", " 0");
        int lit = 0;
        for (int k = 0; k < p.c.w * p.c.h; k++)
            lit += p.c.cell[k].role == ROLE_changed;
        CHECK_INT(lit, 1);
        picture_fini(&p);
    }
    story_free(s);
}

TEST(the_last_steal_has_a_row_of_its_own_where_the_row_is_short)
{
    struct story *s = story_new(2, 256);
    spawn(s, 20);
    thief_comes(s);
    EVENT(STEAL_TRY, 2, 1, .a = 0, .b = 1, .c = 19);
    EVENT(STEAL, 2, 1, .g = 11, .a = 0, .b = 10 << 1, .c = 0, .d = 0);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_steal_matrix, 46, 10));
    HAS_ROW(&p, "steals 1, Gs 10, tries 1");
    HAS_ROW(&p, "last: P1 from P0 (10)");
    CHECK(!row_with(&p, (const char *[]){"tries 1", "last"}, 2));
    picture_fini(&p);
    p = look(&v, at(PANE_steal_matrix, 80, 10));
    HAS_ROW(&p, "tries 1; last: P1 from P0 (10)");
    picture_fini(&p);
    story_free(s);
}

/* Next to a long number there is a blank, or no second number. */
TEST(counts_of_thousands_do_not_run_together)
{
    enum { AT_PRINT = 6020 };
    struct run r = {0};
    live(&r.l,
         "name: many\n"
         "scheduler: {gomaxprocs: 1, preempt_slice: 10s}\n"
         "goroutines:\n"
         "  - {name: main, do: [{go: worker, count: 1000}, {print: all}, {compute: 1ms}]}\n"
         "  - {name: worker, do: [{compute: 1ms}]}\n",
         (const char *[]){"--tempo", "max"}, 2);
    wait_end(&r.l);
    struct picture p = see(&r, AT_PRINT, PANE_global_queue, 42, 7);
    ROW(&p, "needspinning 1 runnable 1000 parked 0");
    picture_fini(&p);
    p = see(&r, AT_PRINT, PANE_global_queue, 40, 7);
    ROW(&p, "needspinning 1 runnable 1000");
    CHECK(!row_with(&p, (const char *[]){"1000", "parked"}, 2));
    picture_fini(&p);
    close_live(&r.l);
}

/* A list of tries that is too long begins with "…": the last try decided. */
TEST(the_ladder_shows_the_victim_that_decided)
{
    struct story *s = story_new(64, 256);
    spawn(s, 60);
    thief_comes(s);
    EVENT(FIND_STAGE, 2, 1, .a = FIND_STEAL);
    for (uint32_t p = 11; p < 16; p++)
        EVENT(STEAL_TRY, 2, 1, .a = p, .b = 1);
    EVENT(STEAL_TRY, 2, 1, .a = 0, .b = 1, .c = 59);
    EVENT(STEAL, 2, 1, .g = 31, .a = 0, .b = 30 << 1, .c = 0, .d = 0);
    struct view v = view_of(s);
    v.st.generation = "go1.20";
    struct picture p = look(&v, at(PANE_search_order, W, H));
    HAS_ROW(&p, "steal  ", "pass 1/4: P11 0 · P12 0 · P13 0 · P14 0 · P15 0 · P0 has 59 → takes 30, holds G31");
    picture_fini(&p);
    p = look(&v, at(PANE_search_order, 80, H));
    HAS_ROW(&p, "steal  ", "pass 1/4: … · P15 0 · P0 has 59 → takes 30, holds G31");
    picture_fini(&p);
    p = look(&v, at(PANE_search_order, 60, H));
    HAS_ROW(&p, "steal  ", "… · P0 has 59 → takes 30, holds G31");
    CHECK(!anywhere(&p, "pass"));
    picture_fini(&p);
    story_free(s);
}

/* Returns whether M m's ladder has this text, in the row of a stage, at some event of the run. */
static bool ladder_says(const char *name, const char *generation, const char *setting, uint32_t m, const char *const text[2])
{
    struct run r = {0};
    bool said = false;
    char path[512];
    const char *args[] = {"--tempo", "max", "--max-events", "400", "--generation", generation, setting};
    snprintf(path, sizeof path, "%s/scenarios/%s.yaml", SOURCE_DIR, name);
    live(&r.l, slurp(path, NULL), args, 7);
    wait_end(&r.l);
    r.events = status(&r.l).events;
    for (uint64_t n = 1; n <= r.events && !said; n++) {
        uint32_t selected = tag_of('M', m);
        struct picture p = see_key(&r, n, at(PANE_search_order, W, H), &selected, 0);
        said = row_with(&p, text, 2);
        picture_fini(&p);
    }
    close_live(&r.l);
    return said;
}

TEST(the_ladder_says_what_is_switched_off)
{
    static const struct {
        const char *name, *generation, *setting, *text[2];
        uint32_t m;
    } v[] = {
        {"steal-half", "go1.20", "--disable=spinning", {"may it spin?", "no, spinning is switched off"}, 2},
        {"steal-half", "go1.13", "--disable=stealing", {"may it spin?", "no, stealing is switched off"}, 2},
        {"steal-half", "go1.20", "--disable=stealing", {"steal  ", "no, stealing is switched off"}, 2},
        {"steal-half", "go1.20", "--disable=spinning_recheck", {"look again", "no, the recheck is switched off"}, 2},
        {"ticker", "go1.20", "--procs=1", {"steal  ", "no, there is no other P"}, 0},
    };
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        if (!ladder_says(v[i].name, v[i].generation, v[i].setting, v[i].m, v[i].text))
            t_fail(v[i].setting, 0, "the ladder of M%u never says: %s", v[i].m, v[i].text[1]);
    CHECK(!ladder_says("steal-half", "go1.20", "--disable=runnext", 2, (const char *[]){" ", "switched off"}));
}

TEST(where_there_is_no_p_nothing_is_stolen)
{
    struct run r;
    run_both(&r, "steal-half", "--generation", "go1.0");
    struct picture p = see(&r, r.events, PANE_steal_matrix, 100, 20);
    HAS_ROW(&p, "one queue for all Ms");
    picture_fini(&p);
    close_live(&r.l);
}

/* A copy of the model keeps its own counts. */
TEST(copies_share_no_later_steal)
{
    struct story *s = steal_half(2);
    struct model *copy = model_clone(s->md);
    EVENT(STEAL_TRY, 2, 1, .a = 0, .b = 1);
    EVENT(STEAL, 2, 1, .g = 7, .a = 0, .b = 2 << 1, .c = 4, .d = 3);
    CHECK_INT(model_steals(copy, 1, 0).steals, 1);
    CHECK_INT(model_steals(copy, 1, 0).tries, 0);
    CHECK_INT(model_steals(s->md, 1, 0).steals, 2);
    CHECK_INT(model_steals(s->md, 1, 0).gs, 6);
    CHECK_INT(model_last_steal(copy).event, s->n - 4);
    model_free(copy);
    story_free(s);
}

/* ---- timers and the poller ---- */

static int by_time(const void *a, const void *b)
{
    const struct timer_set *x = a, *y = b;
    return x->when < y->when ? -1 : x->when > y->when;
}

static void check_heap(const struct picture *p, struct tally *t, long heap, const char *label)
{
    char text[32], name[EV_G_NAME];
    int n = 0, first = -1;
    for (int i = 0; i < t->ntimers; i++)
        if (!t->timer[i].gone && t->timer[i].heap == heap) {
            first = first < 0 ? i : first;
            n++;
        }
    if (!n)
        return;
    const struct timer_set *k = &t->timer[first];
    const char *what = !strcmp(k->what, "send") ? "a channel" : !strcmp(k->what, "go") ? "a new G" : ev_g_name(k->g, name);
    if (k->when > t->now)
        ROW(p, "%s| %d  %s in %s", label, n, what, duration_text(k->when - t->now, text, sizeof text));
    else
        ROW(p, "%s| %d  %s due", label, n, what);
}

static void check_timers(struct run *r, uint64_t n)
{
    struct tally *t = tally_of(r->lines, n);
    struct picture p = see(r, n, PANE_timers_netpoll, 110, 30);
    bool no_p = status(&r->l).no_p, any = false, polls = false, waits = false;
    char since[32], delay[32], label[32];
    qsort(t->timer, (size_t)t->ntimers, sizeof *t->timer, by_time);
    for (int i = 0; i < t->ntimers; i++)
        any |= !t->timer[i].gone;
    for (long heap = 0; heap < PS; heap++) {
        if (no_p)
            snprintf(label, sizeof label, "the heap");
        else
            snprintf(label, sizeof label, strcmp(status(&r->l).generation, "go1.20") ? "bucket %ld" : "P%ld", heap);
        check_heap(&p, t, heap, label);
    }
    CHECK(any != anywhere(&p, "none is set"));
    for (long m = 0; m < PS; m++)
        if (t->polls[m]) {
            polls = true;
            duration_text(t->now - t->polls[m], since, sizeof since);
            if (t->delay[m] < 0)
                ROW(&p, "M%ld|for %s  without a limit", m, since);
            else
                ROW(&p, "M%ld|for %s  at most %s", m, since, duration_text(t->delay[m], delay, sizeof delay));
        }
    CHECK(polls != anywhere(&p, "no M waits in it"));
    for (uint32_t g = 0; g < GS; g++)
        if (t->io_since[g]) {
            waits = true;
            ROW(&p, "c|G%u |for %s", g, duration_text(t->now - t->io_since[g], since, sizeof since));
        }
    CHECK(waits != anywhere(&p, "no G waits for the network"));
    picture_fini(&p);
    free(t);
}

TEST(timers_and_the_poller_are_those_of_the_lines)
{
    static const char *const name[][3] = {
        {"ticker", "--seed", "1"},
        {"after-func", "--seed", "1"},
        {"net-wait", "--seed", "1"},
        {"net-echo", "--seed", "3"},
        {"ticker", "--generation", "go1.13"},
        {"net-echo", "--generation", "go1.0"},
        {"net-echo", "--generation", "go1.4"}};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        struct run r;
        run_both(&r, name[i][0], name[i][1], name[i][2]);
        for (uint64_t n = 20; n < r.events; n += r.events / 16 + 1)
            check_timers(&r, n);
        close_live(&r.l);
    }
}

/* ---- the world and the collector ---- */

/* At each event that stops a P: the count is that of the event, and each P that is left is named in its row. */
TEST(a_world_that_stops_shows_the_ps_that_are_left)
{
    struct run r;
    struct line l;
    run_both(&r, "stop-the-world", "--seed", "1");
    const char *at_ = r.lines;
    int seen = 0, most = 0;
    for (uint64_t n = 1; read_line(&at_, &l); n++) {
        if (!is(&l, "p_gcstop"))
            continue;
        int left = (int)number(&l, "left"), rows = 0;
        struct picture p = see(&r, n, PANE_global_queue, 60, 20);
        ROW(&p, "gcwaiting 1  stopwait %d", left);
        picture_fini(&p);
        p = see(&r, n, PANE_processors, 100, 20);
        for (int i = 0; i < p.n; i++)
            rows += strstr(p.row[i], "world stopped") != NULL;
        CHECK_INT(rows, 4 - left);
        most = left ? most : anywhere(&p, "to stop") ? -1 : most;
        seen += left && anywhere(&p, "to stop");
        picture_fini(&p);
    }
    CHECK(seen > 0 && most == 0);
    close_live(&r.l);
}

/* The bands last from the start to the end of what they stand for. */
TEST(the_timeline_has_bands_for_the_collector_and_for_a_stopped_world)
{
    struct run r;
    run_both(&r, "gc-cycle", "--seed", "1");
    struct picture p = see(&r, r.events, PANE_timeline, 120, 12);
    HAS_ROW(&p, "c═────────", "────pp─!");
    picture_fini(&p);
    close_live(&r.l);
    run_both(&r, "stop-the-world", "--seed", "1");
    p = see(&r, r.events, PANE_timeline, 120, 12);
    HAS_ROW(&p, "!═════p════");
    picture_fini(&p);
    close_live(&r.l);
}

TEST(the_counts_say_that_the_collector_marks)
{
    struct run r;
    struct line l;
    run_both(&r, "gc-cycle", "--seed", "1");
    const char *at_ = r.lines;
    uint64_t n = 1;
    while (read_line(&at_, &l) && !is(&l, "gc_worker"))
        n++;
    struct picture p = see(&r, n, PANE_global_queue, 40, 20);
    HAS_ROW(&p, "GC marks");
    picture_fini(&p);
    close_live(&r.l);
}
