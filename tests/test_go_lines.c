/* A Go program as a person sees it: the names of its objects, breakpoints at its lines, its variables, now and in the past. The program is kept as it is in a
 * run file (scenario/source.c), so no Go is needed. It is that of programs/counter.program:
 *
 *   16 func worker(id int, jobs <-chan int, done chan<- string, c *counter) {
 *   17     for j := range jobs {
 *   18         half := j / 2
 *   19         c.add(half)
 *   20     }
 *   21     done <- "ok"
 */
#include "live.h"
#include "ui/panes/panes.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct scenario *load_program(void)
{
    static char text[1 << 16];
    struct diag d;
    FILE *f = fopen(SOURCE_DIR "/tests/programs/counter.program", "r");
    size_t n = f ? fread(text, 1, sizeof text, f) : 0;
    if (f)
        fclose(f);
    diag_init(&d, "counter");
    struct scenario *sc = scenario_open(&(struct scenario_from){.path = "counter", .text = text, .len = n}, &d);
    if (!sc)
        t_fail(__FILE__, __LINE__, "%s", d.kept ? d.item[0].text : "the program cannot be read");
    diag_fini(&d);
    return sc;
}

static void start_with(struct live *l, char **option, int n)
{
    char err[200];
    CHECK(options_parse(&l->o, CMD_RUN, n, option));
    l->sc = load_program();
    struct session_config c = command_session(l->sc, &l->o);
    c.engine.rt.places = PLACES_SHOWN;
    c.paused = true;
    CHECK(l->s = session_new(&c, err, sizeof err));
}

static void start(struct live *l)
{
    start_with(l, (char **)(const char *[]){"--tempo=max"}, 1);
}

static void wait_still(struct live *l)
{
    while (!status(l).still && !status(l).over)
        wait_change(l);
}

static void run_to(struct live *l, const char *pattern)
{
    struct session_mistake wrong = {.lang = LANG_EN};
    wait_still(l);
    if (!session_ops.run_to->match(l->s, pattern, &wrong))
        t_fail(__FILE__, __LINE__, "%s: %s", pattern, wrong.text);
    CHECK(!wrong.unrecorded);
    while (status(l).until || !status(l).paused)
        wait_change(l);
    wait_still(l);
}

/* Returns the G of the worker: the runtime's own Gs have numbers, too. */
static uint32_t worker_g(struct live *l)
{
    struct session_event e;
    CHECK(session_event_at(l->s, session_ops.search->find(l->s, "go_create fn=worker", 1, 1), &e));
    return e.ev.g;
}

/* Waits for the variables of a G. */
static struct variables of(struct live *l, uint32_t g)
{
    struct variables v = {.is = VARIABLES_MAKING};
    while (session_ops.variables(l->s, g, &v), v.is == VARIABLES_MAKING)
        wait_change(l);
    return v;
}

/* :next line */
static void next_line(struct live *l)
{
    char pattern[64];
    uint32_t g = worker_g(l);
    snprintf(pattern, sizeof pattern, "g_op g=%u | g_park g=%u | g_end g=%u", g, g, g);
    run_to(l, pattern);
}

static struct variables worker(struct live *l)
{
    return of(l, worker_g(l));
}

static const char *value(const struct variables *v, const char *name)
{
    for (uint32_t i = 0; i < v->n; i++)
        if (strcmp(v->v[i].name, name) == 0)
            return v->v[i].value;
    return "";
}

enum { COLUMNS = 60, ROWS = 24 };

/* Draws a pane of the state shown. *waits: does main wait? */
static char *pane_now(struct live *l, struct layout_pane pane, bool *waits)
{
    static struct session_event ev[EVENTS_KEPT];
    struct pane_states states = {0};
    struct view v = {.st = status(l), .ev = ev, .program = session_ops.program(l->s), .flow = session_ops.flow(l->s), .states = &states};
    struct pane_source from = {
        l->s,
        session_ops.search->query,
        session_ops.search->matches,
        session_ops.variables,
        session_ops.breaks->list,
        session_ops.reach,
        session_ops.race};
    struct model *md = session_ops.view(l->s, ev, EVENTS_KEPT, &v.nev);
    struct canvas c;
    v.md = md;
    *waits = md && model_g(md, 1) && model_g(md, 1)->status == G_WAITING;
    CHECK(canvas_init(&c, COLUMNS, ROWS));
    panes_prepare(&v, &c, &pane, 1, &from);
    panes_draw(&v, &c, &pane, 1);
    char *text = canvas_dump(&c);
    canvas_fini(&c);
    pane_states_fini(&states);
    model_free(md);
    return text;
}

TEST(objects_have_the_names_of_the_program)
{
    struct live l;
    start(&l);
    run_to(&l, "chan_op obj=jobs op=make");
    CHECK_INT(session_ops.search->find(l.s, "chan_op obj=done", 1, 1), 0);
    run_to(&l, "mutex_op obj=counter.mu op=lock");
    CHECK(session_ops.search->find(l.s, "chan_op obj=done op=make n=0", 1, 1));
    CHECK(session_ops.search->find(l.s, "chan_op obj=jobs op=make n=2", 1, 1));
    close_live(&l);
}

TEST(a_breakpoint_at_a_line_shows_the_variables_there)
{
    struct live l;
    start(&l);
    run_to(&l, "main.go:19");
    struct variables v = worker(&l);
    CHECK_INT(v.is, VARIABLES_KNOWN);
    CHECK_STR(v.v[0].name, "worker");
    CHECK_STR(v.v[0].value, "main.go:19");
    CHECK_STR(value(&v, "id"), "1");
    CHECK_STR(value(&v, "j"), "3");
    CHECK_STR(value(&v, "half"), "1");
    CHECK_STR(value(&v, "jobs"), "chan jobs");
    CHECK_STR(value(&v, "c"), "&{mu:sync.Mutex n:0}");
    run_to(&l, "main.go:19");
    v = worker(&l);
    CHECK_STR(value(&v, "j"), "4");
    CHECK_STR(value(&v, "half"), "2");
    CHECK_STR(value(&v, "c"), "&{mu:sync.Mutex n:1}");
    close_live(&l);
}

/* The run is repeated up to the state shown: what it has done since must not be seen. Where the G has gone on, nothing is said. */
TEST(the_past_shows_the_variables_of_that_moment)
{
    struct live l;
    char last[VARIABLE_VALUE] = "3";
    int known = 0;
    start(&l);
    run_to(&l, "main.go:21");
    uint64_t end = status(&l).events;
    for (uint64_t n = 1; n < end; n++) {
        CHECK_INT(session_ops.rewind->goto_event(l.s, n), GOTO_DONE);
        struct variables v = worker(&l);
        known += v.is == VARIABLES_KNOWN && value(&v, "j")[0];
        if (strcmp(v.v[0].value, "main.go:19") != 0 && strcmp(v.v[0].value, "main.go:11") != 0)
            continue;
        CHECK(strcmp(value(&v, "j"), last) >= 0); /* 3, 4, 5; while it waits for the next, 0 */
        snprintf(last, sizeof last, "%s", value(&v, "j"));
    }
    CHECK(known > 3);
    close_live(&l);
}

/* With more Ms the world is often ahead of the state shown, at the present, too. Where a G is at a line, its variables are nearly always known. The exception is a
 * line that a G leaves and comes back to while another M holds a lock of the runtime, so that the world cannot rest there. */
TEST(variables_are_known_where_a_G_is_at_a_line)
{
    int known = 0, unknown = 0;
    for (int seed = 1; seed <= 6; seed++) {
        struct live l;
        char option[32];
        snprintf(option, sizeof option, "--seed=%d", seed);
        start_with(&l, (char **)(const char *[]){"--tempo=max", option, "--procs=2", "--fine", "--stalls=2"}, 5);
        session_ops.motion->pause(l.s, false);
        wait_end(&l);
        uint64_t end = status(&l).events;
        for (uint64_t n = 60; n < end; n += 3) {
            CHECK_INT(session_ops.rewind->goto_event(l.s, n), GOTO_DONE);
            while (status(&l).events != n)
                wait_change(&l);
            for (uint32_t g = 1; g <= worker_g(&l); g++) {
                struct variables v = of(&l, g);
                known += v.is == VARIABLES_KNOWN;
                unknown += v.is == VARIABLES_UNKNOWN;
            }
        }
        close_live(&l);
    }
    if (known < 200 || unknown > known / 20)
        t_fail(__FILE__, __LINE__, "variables known %d times, unknown %d times", known, unknown);
}

/* The boot is passed at once, in each run, and the badge says at which line the program begins. */
TEST(a_run_begins_at_the_first_line_of_the_program)
{
    struct live l;
    char err[200];
    bool waits;
    CHECK(options_parse(&l.o, CMD_RUN, 1, (char **)(const char *[]){"--tempo=auto"}));
    l.sc = load_program();
    struct session_config c = command_session(l.sc, &l.o);
    c.engine.rt.places = PLACES_SHOWN;
    c.begin = "g_op";
    CHECK(l.s = session_new(&c, err, sizeof err));
    for (int run = 0; run < 2; run++) {
        while (status(&l).until || !status(&l).paused || !status(&l).events)
            wait_change(&l);
        wait_still(&l);
        char *text = pane_now(&l, pane_standard(PANE_status, (struct layout_rect){0, 0, COLUMNS, 1}), &waits);
        CHECK(strstr(text, " PAUSED at main.go:25 "));
        free(text);
        CHECK(status(&l).events > 20);
        session_ops.motion->restart(l.s, 1);
        while (status(&l).run != (uint32_t)run + 1)
            wait_change(&l);
    }
    close_live(&l);
}

/* Forward again after stepping back: the same breakpoint. */
TEST(a_breakpoint_at_a_line_stops_in_the_past)
{
    struct live l;
    start(&l);
    run_to(&l, "main.go:11");
    uint64_t at = status(&l).events;
    session_ops.motion->pause(l.s, false);
    wait_end(&l);
    CHECK_INT(session_ops.rewind->goto_event(l.s, 60), GOTO_DONE);
    while (status(&l).events != 60)
        wait_change(&l);
    run_to(&l, "main.go:11");
    uint64_t again = status(&l).events;
    CHECK_INT(again, at + 1); /* the state after an event has the places before it */
    CHECK(status(&l).back);
    close_live(&l);
}

/* `y` says "leaked" from the memory of the program: at the present at once, in the past when the run is repeated. */
TEST(what_the_memory_says_about_waits_is_known_in_the_past)
{
    struct live l;
    size_t n, known = 0;
    start(&l);
    run_to(&l, "main.go:21");
    CHECK(session_ops.reach(l.s, &n) && n > 0);
    for (uint64_t at = status(&l).events; at > 60; at -= 10) {
        CHECK_INT(session_ops.rewind->goto_event(l.s, at), GOTO_DONE);
        while (status(&l).events != at)
            wait_change(&l);
        const struct waits_reach *r = session_ops.reach(l.s, &n);
        for (int tries = 0; !r && tries < 100; tries++) { /* while events are pending, nothing is known */
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
            r = session_ops.reach(l.s, &n);
        }
        for (size_t i = 0; i < n; i++)
            CHECK(!r[i].stuck);
        known += n > 0;
    }
    CHECK(known > 3);
    close_live(&l);
}

/* Stops at lines change nothing: the course is that of a run without them. */
TEST(stops_at_lines_leave_the_course_as_it_is)
{
    struct live l, other;
    start(&l);
    for (int i = 0; i < 3; i++)
        run_to(&l, "main.go:18 | main.go:19");
    session_ops.motion->pause(l.s, false);
    wait_end(&l);
    start(&other);
    session_ops.motion->pause(other.s, false);
    wait_end(&other);
    struct session_status a = status(&l), b = status(&other);
    CHECK_INT(a.events, b.events);
    CHECK_INT(a.time, b.time);
    close_live(&l);
    close_live(&other);
}

TEST(a_step_of_a_line_ends_at_the_next_line)
{
    struct live l;
    start(&l);
    run_to(&l, "main.go:18");
    next_line(&l);
    struct variables v = worker(&l);
    CHECK_STR(v.v[0].value, "main.go:19");
    next_line(&l);
    v = worker(&l);
    CHECK_STR(v.v[0].name, "(*counter).add");
    CHECK_STR(v.v[0].value, "main.go:11");
    bool waits;
    char *text = pane_now(&l, pane_standard(PANE_status, (struct layout_rect){0, 0, COLUMNS, 1}), &waits);
    CHECK(strstr(text, " main.go:11 ") && !strstr(text, "g_op"));
    free(text);
    close_live(&l);
}

/* Goes through all events since main started, and calls `see` at each. */
static void at_each_event(void (*see)(struct live *l, uint64_t n))
{
    struct live l;
    start(&l);
    run_to(&l, "g_start g=1");
    uint64_t first = status(&l).events;
    session_ops.motion->pause(l.s, false);
    wait_end(&l);
    uint64_t end = status(&l).events;
    CHECK(end > first + 20);
    for (uint64_t n = first; n <= end; n++) {
        CHECK_INT(session_ops.rewind->goto_event(l.s, n), GOTO_DONE);
        while (status(&l).events != n)
            wait_change(&l);
        see(&l, n);
    }
    close_live(&l);
}

static void see_source(struct live *l, uint64_t n)
{
    bool waits;
    char *text = pane_now(l, pane_standard(PANE_program, (struct layout_rect){0, 0, COLUMNS, ROWS}), &waits);
    if (!strstr(text, "▶") || strstr(text, "Gs"))
        t_fail(__FILE__, __LINE__, "event %llu:\n%s", (unsigned long long)n, text);
    free(text);
}

/* Whoever acts, be it a G of the runtime, the text shows where a G of the program is. */
TEST(the_source_shows_a_g_of_the_program_as_long_as_there_is_one)
{
    at_each_event(see_source);
}

static void see_why(struct live *l, uint64_t n)
{
    bool waits;
    char *text = pane_now(l, pane_docked((struct layout_rect){0, 0, COLUMNS, ROWS}, false), &waits);
    if (waits && (strstr(text, "─ Gs") || strstr(text, " ended")))
        t_fail(__FILE__, __LINE__, "event %llu:\n%s", (unsigned long long)n, text);
    free(text);
}

/* The G of the newest event may have ended, or be one of the runtime: then another one is explained. */
TEST(why_is_about_a_g_of_the_program_that_has_not_ended)
{
    at_each_event(see_why);
}

TEST(a_line_has_its_number_and_the_mark_of_its_breakpoint)
{
    struct live l;
    struct session_mistake wrong = {.lang = LANG_EN};
    struct session_break one;
    bool waits;
    start(&l);
    run_to(&l, "main.go:18");
    CHECK(session_ops.breaks->add(l.s, "main.go:17", &wrong));
    while (!session_ops.breaks->list(l.s, &one, 1))
        wait_change(&l);
    char *text = pane_now(&l, pane_standard(PANE_program, (struct layout_rect){0, 0, COLUMNS, ROWS}), &waits);
    if (!strstr(text, "18     half := j / 2") || !strstr(text, "17●") || strstr(text, "18●"))
        t_fail(__FILE__, __LINE__, "%s", text);
    free(text);
    close_live(&l);
}
