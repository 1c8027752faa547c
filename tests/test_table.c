/* The table of src/runtime/README.md is true: each row names a function of Go's, ours, an event and a scenario. Ours
 * is defined in the named file, and the scenario, run as it is, produces the event. And every kind of event has a
 * shipped scenario. */
#include "cli/commands.h"
#include "lab/gmpscope/policy.h"
#include "load.h"
#include "shell.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CELLS = 4, CELL_MAX = 200, ROWS_MAX = 400, FEWEST_ROWS = 100 };
static const char heading[] = "| Go | here | event | scenario |";

/* Kinds whose mechanism is not built yet, each with the reason. This list can only become shorter: a kind on it that
 * occurs fails the test as well. */
static const struct {
    const char *kind, *why;
} not_yet[] = {
    {"m_stall", "only with --stalls"},
    {"m_late", "only with --stalls"},
    {"policy_wrong", "only with --policy"},
    {NULL, NULL},
};

struct row {
    int line;
    char cell[CELLS][CELL_MAX];
};
static struct row rows[ROWS_MAX];
static int nrows;

static void fail_row(const struct row *r, const char *what)
{
    t_fail(SOURCE_DIR "/src/runtime/README.md", r->line, "%s: | %s | %s | %s | %s |", what, r->cell[0], r->cell[1], r->cell[2], r->cell[3]);
}

/* --- reading the table -------------------------------------------------------------------------------------------- */

/* Reads one cell from s on, without the blanks around it. Returns where the next cell begins, NULL if the line ends
 * before. "\|" is a bar. */
static const char *read_cell(const char *s, char *out)
{
    size_t n = 0;
    for (; *s && (*s != '|' || s[-1] == '\\'); s++) {
        if (*s == '\\' && s[1] == '|')
            continue;
        if (n + 1 < CELL_MAX && (n || !isspace((unsigned char)*s)))
            out[n++] = *s;
    }
    while (n && isspace((unsigned char)out[n - 1]))
        n--;
    out[n] = '\0';
    return *s ? s + 1 : NULL;
}

static void read_row(const char *line, int number)
{
    CHECK(nrows < ROWS_MAX);
    struct row *r = &rows[nrows++];
    r->line = number;
    const char *at = line + 1;
    for (int i = 0; i < CELLS; i++) {
        if (!at)
            fail_row(r, "too few cells");
        at = read_cell(at, r->cell[i]);
        if (!r->cell[i][0])
            fail_row(r, "an empty cell");
    }
    if (!at || *at)
        fail_row(r, "too many cells");
}

static void read_table(void)
{
    FILE *f = fopen(SOURCE_DIR "/src/runtime/README.md", "r");
    CHECK(f);
    char line[1000];
    int number = 0;
    bool inside = false;
    while (fgets(line, sizeof line, f)) {
        number++;
        line[strcspn(line, "\n")] = '\0';
        if (!strcmp(line, heading))
            inside = true;
        else if (line[0] != '|')
            inside = false;
        else if (inside && line[1] != '-')
            read_row(line, number);
    }
    fclose(f);
    CHECK(nrows >= FEWEST_ROWS);
}

/* Copies the text between the nth pair of back quotes or, if nth is 0, between the parentheses after it. */
static void quoted(const struct row *r, int cell, char *out)
{
    const char *a = strchr(r->cell[cell], '`'), *b = a ? strchr(a + 1, '`') : NULL;
    if (!b || b == a + 1)
        fail_row(r, "nothing between back quotes");
    snprintf(out, CELL_MAX, "%.*s", (int)(b - a - 1), a + 1);
}

static void in_parentheses(const struct row *r, int cell, char *out)
{
    const char *a = strrchr(r->cell[cell], '('), *b = a ? strchr(a, ')') : NULL;
    if (!b || b == a + 1)
        fail_row(r, "no file in parentheses");
    snprintf(out, CELL_MAX, "%.*s", (int)(b - a - 1), a + 1);
}

/* --- functions ---------------------------------------------------------------------------------------------------- */

/* Returns whether this line is the head of name's definition: it begins in column 0, and has no semicolon after the
 * name. */
static bool is_head(const char *line, const char *name)
{
    if (!isalpha((unsigned char)line[0]) || strchr(line, ';'))
        return false;
    size_t n = strlen(name);
    for (const char *at = strstr(line, name); at; at = strstr(at + 1, name))
        if (at > line && (at[-1] == ' ' || at[-1] == '*') && at[n] == '(')
            return true;
    return false;
}

/* Returns whether the file defines name: a head, and a brace in column 0 before the next head or semicolon. */
static bool defined_in(const char *path, const char *name)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    char line[1000];
    bool head = false, found = false;
    while (!found && fgets(line, sizeof line, f)) {
        found = head && line[0] == '{';
        if (is_head(line, name))
            head = true;
        else if (strchr(line, ';') || line[0] == '\n')
            head = false;
    }
    fclose(f);
    return found;
}

TEST(a_definition_is_distinguished_from_a_call)
{
    const char *path = t_file("x.c",
                              "void declared(int x);\nstatic int\nno;\nvoid defined(int a,\n             int b)\n{\n    called(a);\n}\n"
                              "/* mentioned() */\nstruct g *pointer(void)\n{\n}\n");
    CHECK(defined_in(path, "defined") && defined_in(path, "pointer"));
    CHECK(!defined_in(path, "declared") && !defined_in(path, "called") && !defined_in(path, "mentioned") && !defined_in(path, "fined"));
}

TEST(the_functions_exist)
{
    read_table();
    for (int i = 0; i < nrows; i++) {
        char name[CELL_MAX], file[CELL_MAX], path[3 * CELL_MAX], go[CELL_MAX];
        quoted(&rows[i], 0, go);
        quoted(&rows[i], 1, name);
        in_parentheses(&rows[i], 1, file);
        snprintf(path, sizeof path, SOURCE_DIR "/src/runtime/%s", file);
        if (access(path, F_OK))
            snprintf(path, sizeof path, SOURCE_DIR "/src/%s", file);
        if (!defined_in(path, name))
            fail_row(&rows[i], "no such function there");
    }
}

/* --- events and scenarios ----------------------------------------------------------------------------------------- */

/* The generation that a row names after its scenario, as in "`chain` in go1.0", else the scenario's own. */
static enum rt_generation generation_of(const struct row *r, const struct scenario *sc)
{
    const char *in = strstr(r->cell[3], "` in ");
    if (!in)
        return scenario_info(sc)->generation;
    for (int i = 0; i < GENERATIONS; i++)
        if (!strcmp(in + strlen("` in "), generation_name[i]))
            return (enum rt_generation)i;
    fail_row(r, "no such generation");
    return GENERATIONS;
}

static uint32_t steal_none(uint32_t victim_len)
{
    (void)victim_len;
    return 0;
}

/* Returns whether a run of the scenario in this generation, with the options that the row names, and its own settings otherwise, reaches the event. */
static bool produces(const struct scenario *sc, enum rt_generation generation, const char *cell, const struct break_at *event)
{
    char err[200];
    struct engine_config c = {
        .scenario = sc, .rt = scenario_config(sc), .limit = INT64_MAX, .max_events = 10000000, .breaks = event, .nbreaks = 1};
    c.rt.generation = generation;
    static const struct gmpscope_policy wrong = {GMPSCOPE_POLICY, "wrong", .steal_amount = steal_none};
    c.rt.stalls = strstr(cell, "with `--stalls`") ? 4 : 0;
    c.rt.policy = strstr(cell, "with `--policy`") ? &wrong : NULL;
    struct engine *e = engine_new(&c, err, sizeof err);
    if (!e)
        t_fail(__FILE__, __LINE__, "%s", err);
    engine_drive(e, &(struct drive){0});
    if (engine_failed(e))
        t_fail(__FILE__, __LINE__, "%s: %s", scenario_info(sc)->name, e->failure);
    bool yes = e->breaks.v[0]->match.seen > 0;
    engine_free(e);
    return yes;
}

static void check_row(const struct row *r)
{
    char text[CELL_MAX], name[CELL_MAX], path[2 * CELL_MAX];
    const char *err;
    size_t pos;
    struct arena a = {0};
    quoted(r, 2, text);
    quoted(r, 3, name);
    snprintf(path, sizeof path, SOURCE_DIR "/scenarios/%s.yaml", name);
    if (access(path, R_OK))
        fail_row(r, "no such scenario");
    struct scenario *sc = load(path);
    struct break_at event = {pattern_compile(&a, text, &err, &pos), text};
    if (!event.pattern || pattern_is_when(event.pattern) || !pattern_bind(event.pattern, &a, &scenario_info(sc)->programs, &err, &pos))
        fail_row(r, "no such event");
    if (!produces(sc, generation_of(r, sc), r->cell[3], &event))
        fail_row(r, "the scenario does not produce the event");
    scenario_free(sc);
    arena_fini(&a);
}

TEST(the_scenarios_produce_the_events)
{
    read_table();
    for (int i = 0; i < nrows; i++)
        check_row(&rows[i]);
}

TEST(every_kind_has_a_row)
{
    read_table();
    for (int kind = 0; kind < EV_KINDS; kind++) {
        bool found = ev_has_trait(kind, EV_SEEN); /* no run logs it (test_unknown.c) */
        for (int i = 0; i < nrows; i++) {
            char text[CELL_MAX];
            quoted(&rows[i], 2, text);
            text[strcspn(text, " ")] = '\0';
            found |= !strcmp(text, ev_desc[kind].name);
        }
        if (!found)
            t_fail(__FILE__, __LINE__, "%s is in no row", ev_desc[kind].name);
    }
}

/* --- no kind without a scenario ----------------------------------------------------------------------------------- */

/* Counts the kinds in the events of one scenario. The kind is the first word that is neither the time nor an M nor a
 * P. g_op events are logged because a breakpoint names them, which never matches. */
static void count_kinds(const struct scenario *sc, const char *path, void *ctx)
{
    long *count = ctx;
    char command[1200], kind[100];
    (void)sc;
    snprintf(command, sizeof command, "gmpscope run '%s' --headless --mode lockstep --seed 1 --events --break 'g_op col=0'", path);
    for (const char *line = shell(command)->out; *line; line = strchr(line, '\n') + 1) {
        if (sscanf(line, "%*s M%*d P%*d %99s", kind) != 1 && sscanf(line, "%*s M%*d %99s", kind) != 1)
            continue;
        for (int i = 0; i < EV_KINDS; i++)
            count[i] += !strcmp(kind, ev_desc[i].name);
    }
}

static bool excused(const char *kind)
{
    for (size_t i = 0; not_yet[i].kind; i++)
        if (!strcmp(kind, not_yet[i].kind))
            return true;
    return false;
}

TEST(every_kind_occurs_in_a_shipped_scenario)
{
    long count[EV_KINDS] = {0};
    int scenarios = each_scenario(count_kinds, count);
    for (int i = 0; i < EV_KINDS; i++) {
        printf("%8ld  %s\n", count[i], ev_desc[i].name);
        if (ev_has_trait(i, EV_SEEN))
            CHECK_INT(count[i], 0);
        else if (!count[i] && !excused(ev_desc[i].name))
            t_fail(__FILE__, __LINE__, "%s occurs in none of %d scenarios", ev_desc[i].name, scenarios);
        if (count[i] && excused(ev_desc[i].name))
            t_fail(__FILE__, __LINE__, "%s occurs: take it off the list", ev_desc[i].name);
    }
}

/* --- no switch without a proof ------------------------------------------------------------------------------------- */

/* One switch alone: with several, the run would prove nothing about each. */
static void what_it_proves(const struct scenario *sc, const char *path, void *ctx)
{
    uint32_t *proved = ctx, disable;
    (void)path;
    for (uint32_t i = 0; i < scenario_info(sc)->nwithout; i++) {
        uint64_t fails;
        scenario_without(sc, i, &disable, &fails);
        if (fails && !(disable & (disable - 1)))
            *proved |= disable;
    }
}

TEST(every_switch_has_a_scenario_without_it)
{
    /* rules that are claimed generation by generation */
    uint32_t proved = 1u << DIS_FRESH_LASTPOLL | 1u << DIS_LAZY_TIMERS | 1u << DIS_SYNC_TIMER_CHANNELS;
    each_scenario(what_it_proves, &proved);
    for (int i = 0; i < DIS_COUNT; i++)
        if (!(proved >> i & 1u))
            t_fail(__FILE__, __LINE__, "%s is switched off in no scenario", rt_disable_name[i]);
}
