/* Each interactive command on every shipped scenario, with one P, each mechanism disabled and each generation: it opens, makes a step, and `q`
 * ends it. In CI each scenario is opened once, with a command and a setting that rotate; GMPSCOPE_LONG=1 tries all of them
 * (tests/long open). A program that hangs fails its term_wait_exit(). */
#include "cli/commands.h"
#include "load.h"
#include "screen.h"
#include "shell.h"
#include <time.h>

enum { ROWS = 30, COLUMNS = 100, MOST_SETTINGS = 1 + DIS_COUNT + GENERATIONS };

enum command { OPEN_RUN, OPEN_COMPARE, OPEN_LESSON, OPEN_EXPLORED, COMMANDS };

struct setting {
    const char *option, *right, *value; /* right: as `compare --right` takes it */
};

static int settings(struct setting *out)
{
    int n = 0;
    out[n++] = (struct setting){"--procs", "procs", "1"};
    for (int i = 0; i < DIS_COUNT; i++)
        out[n++] = (struct setting){"--disable", "disable", rt_disable_name[i]};
    for (int i = 0; i < GENERATIONS; i++)
        out[n++] = (struct setting){"--generation", "generation", generation_name[i]};
    return n;
}

/* The scenario has something that this generation lacks, or no lesson: then the program says so and ends with 2. */
static bool refused(int code)
{
    return code == 2;
}

/* Before its screen is there, the program may discard what is typed. */
static bool is_open(struct term *t, void *arg)
{
    (void)arg;
    return (term_altscreen(t) && strspn(term_text(t), " \n") != strlen(term_text(t))) || term_shows(t, "gmpscope: ");
}

/* Keys that are typed together with a step wait for its end (ui/loop.c), so q comes a moment later. It ends the program wherever the step is. */
static int step_and_quit(struct term *t)
{
    term_wait_for(t, "it does not open", is_open, NULL);
    term_keys(t, " n.n");
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    return term_quit(t);
}

/* Searches a few schedules as a person does, and returns the seed that the report names, "" if the command refuses the setting. */
static const char *explored_seed(const char *path, const struct setting *s)
{
    static char seed[24];
    struct result r =
        RUN("explore", (char *)path, (char *)s->option, (char *)s->value, "--seeds=2", "--limit=1ms", "--tally", "count(g_start)");
    const char *at = strstr(r.out, "first with seed ");
    seed[0] = '\0';
    CHECK(at || refused(r.code) || r.code == 4);
    if (at)
        CHECK_INT(sscanf(at, "first with seed %23s", seed), 1);
    return seed;
}

static void open_and_quit(const char *path, enum command command, const struct setting *s)
{
    char right[80];
    const char *seed = command == OPEN_EXPLORED ? explored_seed(path, s) : "";
    if (command == OPEN_EXPLORED && !*seed)
        return;
    snprintf(right, sizeof right, "%s=%s", s->right, s->value);
    const char *const argv[COMMANDS][10] = {
        [OPEN_RUN] = {GMPSCOPE_BIN, "run", path, s->option, s->value, NULL},
        [OPEN_COMPARE] = {GMPSCOPE_BIN, "compare", path, "--right", right, NULL},
        [OPEN_LESSON] = {GMPSCOPE_BIN, "lesson", path, s->option, s->value, NULL},
        [OPEN_EXPLORED] = {GMPSCOPE_BIN, "run", path, s->option, s->value, "--seed", seed, "--fine", "--strict",
                           NULL}, /* as explore's line says */
    };
    struct term *t = term_start(ROWS, COLUMNS, NULL, argv[command]);
    int code = step_and_quit(t);
    if (code != 0 && !refused(code) && code != 3)
        t_fail(__FILE__, __LINE__, "%s %s %s: exit %d", argv[command][1], path, right, code);
    if (!refused(code))
        term_check_sane(t);
    term_free(t);
}

struct rotation {
    int next;
};

/* All of them, or COUNT (tests/long), next to each other in the rotation. */
static int some_of(int all)
{
    const char *count = getenv("COUNT");
    int some = (int)t_count(1, count ? atoi(count) : all);
    return some < all ? some : all;
}

static void open_some(const struct scenario *sc, const char *path, void *ctx)
{
    struct rotation *r = ctx;
    struct setting s[MOST_SETTINGS];
    int n = settings(s), all = n * COMMANDS, some = some_of(all);
    (void)sc;
    for (int i = 0; i < some; i++, r->next++)
        open_and_quit(path, (enum command)(r->next % COMMANDS), &s[(r->next / COMMANDS + r->next) % n]);
}

TEST_TIMED(each_command_opens_and_quits, 7200)
{
    each_scenario(open_some, &(struct rotation){0});
}

TEST(the_demo_opens_and_quits)
{
    struct term *t = term_start(ROWS, COLUMNS, NULL, (const char *const[]){GMPSCOPE_BIN, "demo", NULL});
    CHECK_INT(step_and_quit(t), 0);
    term_check_sane(t);
    term_free(t);
}

TEST(the_front_door_opens_and_quits)
{
    struct term *t = term_start(ROWS, COLUMNS, NULL, (const char *const[]){GMPSCOPE_BIN, NULL});
    term_wait_for(t, "it does not open", is_open, NULL);
    term_keys(t, "\r");
    term_wait(t, "event ");
    term_keys(t, "n");
    CHECK_INT(term_quit(t), 0); /* the run, and perhaps a box over it, then the list */
    term_check_sane(t);
    term_free(t);
}
