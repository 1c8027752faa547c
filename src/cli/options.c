/* The table of options. Each row has the option's name, the word for its value, the commands that take it, its help line and its
 * reader. Parsing, --help and "did you mean" all walk this table, so that they cannot disagree. */
#include "cli/options.h"
#include "engine/export/export.h"
#include "cli/options_table.h"
#include "cli/policy.h"
#include "base/diag.h"
#include "base/text.h"
#include "engine/shipped.h"
#include "layout/layout.h"
#include "model/history/history.h"
#include "runtime/runtime.h"
#include "ui/input/keys.h"
#include "ui/panes/panes.h"
#include "ui/term/picture.h"
#include <errno.h>
#include <stdarg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MEMORY_LEAST ((uint64_t)1 << 20)

#define RUNS (CMD_RUN | CMD_CHECK)
#define TRIES (RUNS | CMD_EXPLORE)
#define ONE_RUN (CMD_COMPARE | CMD_SIDE)
#define SEARCHES (CMD_EXPLORE | CMD_CLAIM)
#define EXPORTS (CMD_EXPORT | CMD_EXPORT_RUN | CMD_EXPORT_FILE)
#define WATCHED (TRIES | SEARCHES | ONE_RUN | CMD_QUERY | CMD_LESSON | CMD_EXPORT_RUN) /* commands that run a scenario */
#define PLAYS (CMD_RUN | CMD_LESSON)
#define TRACED (CMD_IMPORT | CMD_WATCH)                            /* commands that show a trace of a real Go program */
#define REAL (TRACED | CMD_ATTACH)                                 /* commands that show a real Go program */
#define SHOWN (PLAYS | CMD_COMPARE | CMD_DEMO | CMD_REPLAY | REAL) /* commands with a screen */
#define ALL \
    (TRIES | SEARCHES | CMD_QUERY | CMD_COMPARE | CMD_LINT | CMD_LIST | CMD_EXPORT | CMD_LESSON | CMD_NEW | CMD_DEMO | CMD_REPLAY | \
     CMD_ASKED | REAL | CMD_EXPORT_RUN | CMD_EXPORT_FILE)

/* --- readers ---------------------------------------------------------------------------------------------------- */

static bool read_u64(const char *s, uint64_t *out)
{
    uint64_t v = 0;
    if (!*s)
        return false;
    for (; *s; s++) {
        if (*s < '0' || *s > '9' || __builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *s - '0', &v))
            return false;
    }
    *out = v;
    return true;
}

static const char *ranged(struct options *o, const char *s, uint64_t min, uint64_t max, uint64_t *out)
{
    if (read_u64(s, out) && *out >= min && *out <= max)
        return NULL;
    return arena_printf(&o->arena, "expected a whole number from %llu to %llu, got \"%s\"", (unsigned long long)min,
                        (unsigned long long)max, s);
}

/* Returns the index of s among n words. If no word equals s, returns -1 and sets *why to a message with the nearest word. */
static int one_of(struct options *o, const char *s, const char *const *words, size_t n, const char **why)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(s, words[i]))
            return (int)i;
    const char *near = diag_nearest(s, words, n);
    if (near) {
        *why = arena_printf(&o->arena, "unknown \"%s\"; did you mean \"%s\"?", s, near);
        return -1;
    }
    char list[400] = "";
    for (size_t i = 0; i < n; i++) {
        size_t at = strlen(list);
        snprintf(list + at, sizeof list - at, "%s%s", i ? ", " : "", words[i]);
    }
    *why = arena_printf(&o->arena, "unknown \"%s\"; expected one of %s", s, list);
    return -1;
}

static const char *read_mode(struct options *o, const char *s)
{
    const char *why = NULL;
    int i = one_of(o, s, mode_name, MODES, &why);
    o->mode = i < 0 ? MODE_LOCKSTEP : (enum conductor_mode)i;
    o->has_mode = true;
    return why;
}

static const char *read_search(struct options *o, const char *s)
{
    const char *why = NULL;
    int i = one_of(o, s, way_name, WAYS_OF_RUNS, &why);
    o->way = i < 0 ? WAY_MIXED : (enum run_way)i;
    return why;
}

static const char *read_seed(struct options *o, const char *s)
{
    o->has_seed = true;
    return ranged(o, s, 0, UINT64_MAX, &o->seed);
}

static const char *read_u32(struct options *o, const char *s, uint32_t min, uint32_t max, uint32_t *out)
{
    uint64_t v = 0;
    const char *why = ranged(o, s, min, max, &v);
    *out = (uint32_t)v;
    return why;
}

static const char *read_choices(struct options *o, const char *s)
{
    char why[200];
    vec_free(&o->choices); /* as with any option, the last one wins */
    if (!choices_parse(s, &o->choices, why, sizeof why))
        return NULL;
    return arena_printf(&o->arena, "\"%.40s%s\": %s", s, strlen(s) > 40 ? "…" : "", why);
}

/* An option that only has a value to read. Returns what is wrong with it; NULL: nothing. */
#define READ(name, value) \
    static const char *read_##name(struct options *o, const char *s) \
    { \
        return value; \
    }
READ(procs, read_u32(o, s, 1, 1024, &o->procs))

static const char *read_stalls(struct options *o, const char *s)
{
    o->has_stalls = true;
    return read_u32(o, s, 0, 1000000, &o->stalls);
}

READ(pauses, read_u32(o, s, 0, 1000000, &o->pauses))

static const char *read_seeds(struct options *o, const char *s)
{
    o->has_seeds = true;
    return ranged(o, s, 1, 1000000000, &o->seeds);
}

READ(max_events, ranged(o, s, 1, INT64_MAX, &o->max_events))
READ(jobs, read_u32(o, s, 1, 256, &o->jobs))

/* Reads K/N, the K-th part of N. */
static const char *read_shard(struct options *o, const char *s)
{
    const char *slash = strchr(s, '/');
    char part[8] = "";
    o->shard = true;
    if (slash && slash - s < (long)sizeof part)
        memcpy(part, s, (size_t)(slash - s));
    if (slash && !read_u32(o, slash + 1, 1, 100000, &o->of) && !read_u32(o, part, 1, o->of, &o->part))
        return NULL;
    return arena_printf(&o->arena, "expected K/N, the K-th of N parts, such as 2/8 (at most 100000 parts), got \"%s\"", s);
}

READ(failures, ranged(o, s, 1, INT64_MAX, &o->failures))

static const char *read_duration(struct options *o, const char *s, int64_t *out)
{
    if (duration_parse(s, strlen(s), out) && *out > 0)
        return NULL;
    return arena_printf(&o->arena, "expected a duration above 0, such as 300us, 1.5ms or 2s, got \"%s\"", s);
}

/* Reads 1048576, 64K, 512M or 2G, with or without "iB" or "B" at the end. */
static bool read_size(const char *s, uint64_t *out)
{
    static const char units[] = "KMGT";
    char number[24];
    size_t n = strspn(s, "0123456789");
    const char *unit = s[n] ? strchr(units, s[n]) : NULL, *rest = s + n + (unit != NULL);
    if (n >= sizeof number || (strcmp(rest, "") && strcmp(rest, "B") && (!unit || strcmp(rest, "iB"))))
        return false;
    memcpy(number, s, n);
    number[n] = '\0';
    return read_u64(number, out) && !__builtin_mul_overflow(*out, UINT64_C(1) << (unit ? 10 * (unit - units + 1) : 0), out);
}

static const char *read_history(struct options *o, const char *s)
{
    if (read_size(s, &o->history) && o->history >= HISTORY_LEAST && o->history <= INT64_MAX)
        return NULL;
    return arena_printf(&o->arena, "expected a size of at least 64K, such as 64M or 2G, got \"%s\"", s);
}

/* Less would not be enough for the threads of a small run. */
static const char *read_memory(struct options *o, const char *s)
{
    if (read_size(s, &o->memory) && o->memory >= MEMORY_LEAST && o->memory <= INT64_MAX)
        return NULL;
    return arena_printf(&o->arena, "expected a size of at least 1M, such as 64M or 2G, got \"%s\"", s);
}

READ(limit, read_duration(o, s, &o->limit))
READ(for, read_duration(o, s, &o->wall))

/* Returns the generation of this name, with or without "go"; or -1, and why. Go 1.14 to 1.19 are those that go1.20 stands for. */
static int named_generation(struct options *o, const char *s, const char **why)
{
    enum { FIRST = 14, LAST = 19 };
    const char *version = s + (strncmp(s, "go", 2) ? 0 : 2), *name = arena_printf(&o->arena, "go%s", version);
    int minor = strncmp(version, "1.", 2) ? 0 : atoi(version + 2);
    for (int i = 0; name && i < GENERATIONS; i++)
        if (!strcmp(name, generation_name[i]))
            return i;
    if (minor < FIRST || minor > LAST)
        return one_of(o, s, generation_name, GENERATIONS, why);
    *why = arena_printf(&o->arena, "unknown \"%s\": %s stands for Go 1.14 to 1.20", s, generation_name[GO1_20]);
    return -1;
}

static const char *read_generation(struct options *o, const char *s)
{
    const char *why = NULL;
    int i = named_generation(o, s, &why);
    if (i < 0)
        return why;
    o->has_generation = true;
    o->generation = (enum rt_generation)i;
    return NULL;
}

/* Sets the bits of a list of mechanisms. Returns NULL, or what is wrong with the list. */
static const char *read_switches(struct options *o, const char *s, uint32_t *out)
{
    const char *why = NULL;
    while (*s && !why) {
        size_t n = strcspn(s, ",");
        char *word = arena_strndup(&o->arena, s, n);
        int i = word ? one_of(o, word, rt_disable_name, DIS_COUNT, &why) : -1;
        if (i >= 0)
            *out |= 1u << i;
        s += n + (s[n] == ',');
    }
    return why;
}

static const char *read_disable(struct options *o, const char *s)
{
    uint32_t bits = 0;
    const char *why = read_switches(o, s, &bits);
    o->disable |= bits;
    o->enable &= ~bits;
    return why;
}

static const char *read_enable(struct options *o, const char *s)
{
    uint32_t bits = 0;
    const char *why = read_switches(o, s, &bits);
    o->enable |= bits;
    o->disable &= ~bits;
    return why;
}

static const char *read_boot(struct options *o, const char *s)
{
    const char *why = NULL;
    int i = one_of(o, s, boot_name, BOOTS, &why);
    o->has_boot = i >= 0;
    o->boot = i < 0 ? BOOT_BARE : (enum run_boot)i;
    return why;
}

static const char *read_module(struct options *o, const char *s)
{
    const char *why = NULL;
    int i = named_generation(o, s, &why);
    o->has_module = i >= 0;
    o->module = i < 0 ? GO1_20 : (enum rt_generation)i;
    return why;
}

static const char *read_tempo(struct options *o, const char *s)
{
    o->tempo_asked = true;
    if (tempo_parse(s, &o->tempo))
        return NULL;
    return arena_printf(&o->arena, "expected auto, events per second (0.01 to 1000000) or max, got \"%s\"", s);
}

static const char *read_speed(struct options *o, const char *s)
{
    if (speed_parse(s, &o->speed))
        return NULL;
    return arena_printf(&o->arena, "expected 1, 1/1000 or another fraction from 1/1000000 to 1000, got \"%s\"", s);
}

static const char *read_layout(struct options *o, const char *s)
{
    o->layout = s;
    o->has_layout = true;
    return NULL;
}

static const char *read_theme(struct options *o, const char *s)
{
    const char *why = NULL;
    int i = one_of(o, s, theme_name, THEMES, &why);
    o->theme = i < 0 ? NULL : theme_name[i];
    return why;
}

static const char *add_settings(struct options *o, int side, const char *s)
{
    if (!s[strspn(s, " \t")])
        return "expected settings, such as \"generation=go1.13 procs=4\"";
    if (o->nsettings[side] == OPTIONS_SETTINGS)
        return "expected at most 64 of these";
    o->settings[side][o->nsettings[side]++] = s;
    return NULL;
}

READ(left, add_settings(o, 0, s))
READ(right, add_settings(o, 1, s))

/* The scenario, which is loaded later, knows the names. A later value replaces an earlier one. */
static const char *read_vary(struct options *o, const char *s)
{
    size_t name = strcspn(s, "=");
    if (!name || !s[name] || !s[name + 1] || s[name + 1 + strspn(s + name + 1, "0123456789")])
        return arena_printf(&o->arena, "expected NAME=NUMBER, such as n=6, got \"%s\"", s);
    for (uint32_t i = 0; i < o->nvary; i++)
        if (!strncmp(o->vary[i], s, name + 1)) {
            o->vary[i] = s;
            return NULL;
        }
    if (o->nvary == OPTIONS_VARY)
        return "expected at most 16 of these";
    o->vary[o->nvary++] = s;
    return NULL;
}

static const char *read_rings(struct options *o, const char *s)
{
    static const char *const words[] = {"block", "drop"};
    const char *why = NULL;
    return one_of(o, s, words, 2, &why) == 1 ? "drop is not built yet; a full ring makes its thread wait" : why;
}

static const char *read_format(struct options *o, const char *s)
{
    o->format = s;
    return NULL;
}

static const char *read_output(struct options *o, const char *s)
{
    o->output = s;
    return *s ? NULL : "expected a name";
}

static const char *read_bound(const char *s, const char **out)
{
    struct export_bound b;
    *out = s;
    return export_bound_read(s, &b) ? NULL : "expected a time such as 1.5ms, or an event such as #197";
}
READ(from, read_bound(s, &o->from))
READ(to, read_bound(s, &o->to))
READ(only, (o->only = s, NULL))

static const char *read_go(struct options *o, const char *s)
{
    o->go = !strcmp(s, "1.22") ? 22 : !strcmp(s, "1.19") ? 19 : 0;
    return o->go ? NULL : "expected 1.22 (for Go 1.22 and newer) or 1.19 (for Go 1.11 to 1.21)";
}

static const char *read_test(struct options *o, const char *s)
{
    o->test = s;
    return *s ? NULL : "expected the name of a test function";
}

static const char *read_tally(struct options *o, const char *s)
{
    o->tally = s;
    return NULL;
}

READ(wpm, read_u32(o, s, 1, 1000000, &o->wpm))

static const char *read_junit(struct options *o, const char *s)
{
    o->junit = s;
    return NULL;
}

static const char *read_break(struct options *o, const char *s)
{
    const char *err = NULL;
    size_t pos = 0;
    if (o->nbreaks == BREAKS_LISTED)
        return "expected at most 16 breakpoints";
    struct break_at *b = &o->breaks[o->nbreaks];
    b->text = s;
    b->pattern = pattern_compile(&o->arena, s, &err, &pos);
    if (!b->pattern)
        return arena_printf(&o->arena, "\"%s\": column %zu: %s", s, pos + 1, err ? err : "out of memory");
    o->nbreaks++;
    return NULL;
}

READ(at, ranged(o, s, 1, UINT64_MAX, &o->at))

static const char *read_select(struct options *o, const char *s)
{
    uint32_t id = 0;
    char letter = (char)(s[0] & ~0x20);
    bool good = letter == 'G' ? ev_g_id(s, strlen(s), &id) : (letter == 'P' || letter == 'M') && !read_u32(o, s + 1, 0, THING_MOST, &id);
    if (!good || id > THING_MOST)
        return "expected gN, pN or mN, such as g7";
    o->select = tag_of(letter, id);
    return NULL;
}

static const char *read_picture(struct options *o, const char *s)
{
    o->picture = s;
    return picture_named(s) ? NULL : "expected a file that ends in .svg or .txt";
}

static const char *read_path(struct options *o, const char *s)
{
    const char *words[PATHS + 1], *why = NULL;
    for (int p = 0; p < PATHS; p++)
        words[p] = scenario_path_word((enum scenario_path)p);
    words[PATHS] = "none";
    int i = one_of(o, s, words, PATHS + 1, &why);
    o->has_path = i >= 0;
    o->path = i < 0 ? PATHS : (enum scenario_path)i;
    return why;
}

static const char *read_lang(struct options *o, const char *s)
{
    const char *why = NULL;
    int i = one_of(o, s, lang_name, LANGS, &why);
    o->lang = i < 0 ? LANG_EN : (enum lang)i;
    o->has_lang = true;
    return why;
}

static const char *read_record(struct options *o, const char *s)
{
    o->record = s;
    return *s ? NULL : "expected the name of a file";
}

#define SWITCH(field) \
    static const char *set_##field(struct options *o, const char *s) \
    { \
        (void)s; \
        o->field = true; \
        return NULL; \
    }
SWITCH(headless)
SWITCH(follow)
SWITCH(fine)
SWITCH(coarse)
SWITCH(strict)
SWITCH(weak)
SWITCH(still)
SWITCH(calm)
SWITCH(shrink)
SWITCH(every_order)
SWITCH(json)
SWITCH(events)
SWITCH(narrate)
SWITCH(audit)
SWITCH(lesson)
SWITCH(lessons)
SWITCH(everywhere)
SWITCH(autoplay)
SWITCH(tour)
SWITCH(merge)
SWITCH(all_generations)
SWITCH(ascii)
SWITCH(topics)
SWITCH(generations)
SWITCH(first)
SWITCH(by_rule)
SWITCH(all)
SWITCH(no_color)
SWITCH(no_mouse)
SWITCH(no_stop)
SWITCH(linear)
SWITCH(help)

static const char *set_exhaust(struct options *o, const char *s)
{
    (void)s;
    o->exhaust = o->still = o->coarse = true;
    return NULL;
}

static const struct option_def table[] = {
    {"mode", "lockstep|free", RUNS | ONE_RUN | CMD_QUERY | CMD_EXPORT_RUN | CMD_LESSON | CMD_SET | CMD_RECORDED,
     "lockstep: one thread at a time, in virtual time; free: all in parallel (default: the scenario's)", read_mode},
    {"seed", "N", WATCHED | CMD_RECORDED, "seed of the run, 64 bits (default: the scenario's)", read_seed},
    {"choices", "LIST", PLAYS | ONE_RUN | CMD_QUERY | CMD_EXPORT_RUN | CMD_RECORDED,
     "override single random choices, in the form that :share prints: 17m2,23s4x3 (lockstep only)", read_choices},
    {"seeds", "N", CMD_CHECK | SEARCHES, "try N seeds, starting at --seed (explore, claim: 10000, or as many as fit into a minute)",
     read_seeds},
    {"for", "DUR", SEARCHES, "try seeds for this long, by the wall clock", read_for},
    {"jobs", "N", SEARCHES, "number of child processes (default: one for each CPU)", read_jobs},
    {"failures", "N", CMD_EXPLORE, "stop when each kind of failure that was found has come this often (default: try all seeds)",
     read_failures},
    {"shard", "K/N", SEARCHES,
     "try the K-th of N parts of the seeds (or of all schedules: --exhaust); needs --seeds and --json; --merge puts the parts together",
     read_shard},
    {"merge", NULL, SEARCHES, "put the JSON of all parts of a search (FILE…) together into the report of one search", set_merge},
    {"tally", "QUERY", CMD_EXPLORE, "count the values of a query over all seeds; gmpscope help queries explains queries", read_tally},
    {"fine", NULL, WATCHED | CMD_RECORDED, "add scheduling points inside lock-free steps (lockstep only; explore: on by default)",
     set_fine},
    {"search", "WAY", WATCHED | CMD_RECORDED,
     "with --fine: the next thread is chosen uniform, sticky (seldom another), ranked (by priorities), by the pace of CPUs (parallel, loaded, single) or mixed (default)",
     read_search},
    {"stalls", "N", WATCHED | CMD_RECORDED,
     "threads lose their CPU up to N times, wake up late, and what a Go program writes takes time (lockstep only; explore: up to 4)",
     read_stalls},
    {"policy", "FILE.so", WATCHED | CMD_SET, "ask a scheduling policy of your own, whose code is loaded into gmpscope (gmpscope lab new)",
     policy_load},
    {"policy-name", "NAME", CMD_RECORDED, "the run was made with a policy of that name", policy_name},
    {"strict", NULL, TRIES | ONE_RUN | CMD_RECORDED,
     "with --disable, --policy or a Go file: judge claims, and fail on a lost wake-up (explore: on by default)", set_strict},
    {"coarse", NULL, SEARCHES, "use only the scheduling points of a normal run", set_coarse},
    {"still", NULL, WATCHED | CMD_RECORDED, "time passes only when all threads wait (lockstep only; --exhaust: on)", set_still},
    {"calm", NULL, WATCHED | CMD_RECORDED, "threads switch only where they must, or where --choices says so (lockstep only)", set_calm},
    {"shrink", NULL, CMD_EXPLORE, "reduce the first failure to the fewest choices, then to the fewest events", set_shrink},
    {"exhaust", NULL, SEARCHES, "try all schedules of a small program; prints what that includes", set_exhaust},
    {"every-order", NULL, SEARCHES, "with --exhaust: also every order of independent steps", set_every_order},
    {"weak", NULL, CMD_CLAIM, "exit with 0, not 5, if the claim is neither shown nor refuted", set_weak},
    {"procs", "N", WATCHED | CMD_EXPORT | CMD_SET | CMD_RECORDED, "GOMAXPROCS instead of the scenario's", read_procs},
    {"generation", "G", WATCHED | CMD_EXPORT | CMD_SET | CMD_RECORDED,
     "Go version whose rules apply, from go1.0 to go1.27 (list --generations)", read_generation},
    {"all-generations", NULL, CMD_CHECK, "check every generation that has all the scenario uses", set_all_generations},
    {"disable", "LIST", WATCHED | CMD_SET | CMD_RECORDED, "mechanisms to disable, separated by commas, in addition to the scenario's",
     read_disable},
    {"vary", "NAME=N", WATCHED | CMD_EXPORT | CMD_SET | CMD_RECORDED, "fix a number that the scenario draws from the seed; may be repeated",
     read_vary},
    {"enable", "LIST", WATCHED | CMD_SET | CMD_RECORDED, "mechanisms to enable again, or rules of newer generations (list --generations)",
     read_enable},
    {"boot", "bare|print|fmt|net", WATCHED | CMD_SET | CMD_RECORDED,
     "which Gs of the runtime are there when main begins (default: bare, none)", read_boot},
    {"module", "G", WATCHED | CMD_SET | CMD_RECORDED, "the go line of the program's module (default: the generation)", read_module},
    {"left", "SETTINGS", CMD_COMPARE, "settings for the left run only, such as \"generation=go1.13 procs=4\"; may be repeated", read_left},
    {"right", "SETTINGS", CMD_COMPARE, "settings for the right run only", read_right},
    {"tempo", TEMPO_VALUES, PLAYS | CMD_COMPARE | CMD_REPLAY | REAL,
     "speed in lockstep: auto stays on events that matter (default); T: events per second", read_tempo},
    {"speed", "X", PLAYS, "scenario time per wall time in free mode, such as 1/1000: slow motion; below 1 each step takes 1 µs more",
     read_speed},
    {"layout", "FILE|NAME", SHOWN, "arrangement of the screen (default classic)", read_layout},
    {"theme", "NAME", SHOWN, "colours of the screen: default (for any terminal), " THEMES_LISTED, read_theme},
    {"at", "EVENT", CMD_RUN | CMD_REPLAY | TRACED, "open at that event, paused", read_at},
    {"select", "gN|pN|mN", CMD_RUN | CMD_REPLAY | REAL, "select that G, P or M", read_select},
    {"picture", "FILE", CMD_RUN | CMD_REPLAY | CMD_IMPORT,
     "write the screen to FILE.svg or FILE.txt when the run is first paused, or ends (headless: 120x40, of a second run)", read_picture},
    {"break", "PATTERN", PLAYS | ONE_RUN | CMD_REPLAY | REAL | CMD_RECORDED,
     "pause at each match; headless: end at the first; may be repeated", read_break},
    {"lessons", NULL, CMD_CHECK, "check lessons instead: each entry is met, each answer is one of its choices", set_lessons},
    {"everywhere", NULL, CMD_CHECK, "with --lessons: play them with 1, 2, 3, 4 and 8 Ps, each switch and each generation", set_everywhere},
    {"lesson", NULL, CMD_RUN | CMD_REPLAY | CMD_EXPORT_RUN,
     "play the scenario's lesson (no effect without a screen; export: the page of --format html plays it)", set_lesson},
    {"auto", NULL, PLAYS | CMD_REPLAY, "play the lesson by itself: each text stays for as long as reading it takes", set_autoplay},
    {"wpm", "N", PLAYS | CMD_REPLAY | CMD_DEMO,
     "words a minute with --auto and in the demo (default 160; two Chinese characters are a word)", read_wpm},
    {"tour", NULL, CMD_LESSON, "without FILE or NAME: the same as gmpscope demo", set_tour},
    {"record", "FILE", TRIES | REAL, "also write the run to FILE, for gmpscope replay (check, explore: the first run that fails)",
     read_record},
    {"history", "SIZE", PLAYS | ONE_RUN | CMD_REPLAY | REAL, "memory for the history (default 256M; older events go to a temporary file)",
     read_history},
    {"memory", "SIZE", WATCHED, "memory for the program: Gs, channels, timers, output, threads (default 8G, or 3/4 of the machine's)",
     read_memory},
    {"limit", "DUR", WATCHED | CMD_RECORDED | CMD_ATTACH, "stop after this much scenario time (without a screen: 10s, a Go program: none)",
     read_limit},
    {"max-events", "N", WATCHED | CMD_RECORDED | CMD_ATTACH, "stop after this many events (without a screen: 10000000, a Go program: none)",
     read_max_events},
    {"pauses", "N", RUNS, "headless: pause and resume N times, at moments drawn from the seed", read_pauses},
    {"rings", "block|drop", CMD_RUN, "when an event ring is full: block makes its thread wait (default); drop is not built yet",
     read_rings},
    {"follow", NULL, CMD_IMPORT, "go on with a file that is still being written, until no process has it open for writing", set_follow},
    {"headless", NULL, CMD_RUN | CMD_COMPARE | CMD_REPLAY | REAL, "run without a screen; print the program's output on stdout",
     set_headless},
    {"json", NULL, CMD_RUN | CMD_REPLAY | REAL | CMD_COMPARE | CMD_QUERY | CMD_ASKED | SEARCHES,
     "print the summary as JSON instead (explore, claim, headless runs; query: the answer)", set_json},
    {"junit", "FILE", CMD_CHECK | SEARCHES, "also write the results to FILE as JUnit XML", read_junit},
    {"events", NULL, CMD_RUN | CMD_REPLAY | REAL, "headless: print every event instead, one per line", set_events},
    {"narrate", NULL, PLAYS | CMD_REPLAY | REAL, "headless: print every event as a sentence instead; lesson --linear: say every event",
     set_narrate},
    {"lang", "en|zh", ALL, "language of titles, lessons and narration (default: from the locale)", read_lang},
    {"audit", NULL, TRIES | ONE_RUN, "compare the model with the runtime's memory (not its times)", set_audit},
    {"ascii", NULL, SHOWN, "use ASCII characters only", set_ascii},
    {"no-color", NULL, SHOWN, "use no colours, as with NO_COLOR", set_no_color},
    {"no-mouse", NULL, SHOWN, "do not use the mouse; the terminal keeps it", set_no_mouse},
    {"no-stop", NULL, CMD_ATTACH, "read the program without stopping its threads; a look at a state that changes meanwhile is dropped",
     set_no_stop},
    {"linear", NULL, PLAYS | CMD_REPLAY | REAL | CMD_DEMO,
     "numbered sentences line by line instead of a full screen; lessons say how many events pass", set_linear},
    {"first", NULL, CMD_COMPARE, "go to the first event at which the runs differ; headless: print it", set_first},
    {"all", NULL, CMD_COMPARE | CMD_EXPLORE,
     "list all counters, not only those that differ; explore: print every failure, not only the first three", set_all},
    {"generations", NULL, CMD_LIST, "list the generations, oldest first, and what each brought", set_generations},
    {"topics", NULL, CMD_LIST, "list the scenarios by topic, with summaries and their paths (P: programmer, R: runtime)", set_topics},
    {"path", "programmer|runtime|none", CMD_LIST | PLAYS,
     "list: only the lessons of this path, in its order; a lesson: the next one is on this path", read_path},
    {"format", "F", EXPORTS,
     "go: the scenario as a Go program; yaml: a Go program as a scenario; what happens in a run: json, chrome, gotrace, html, perfetto, schedtrace",
     read_format},
    {"go", "VERSION", CMD_EXPORT_RUN | CMD_EXPORT_FILE,
     "--format gotrace: the form that go tool trace of this version reads: 1.22 (the default, also for newer ones) or 1.19", read_go},
    {"only", "PATTERN", CMD_EXPORT_RUN | CMD_EXPORT_FILE, "export only the events that match", read_only},
    {"from", "T", CMD_EXPORT_RUN | CMD_EXPORT_FILE, "begin there: at a scenario time such as 1.5ms, or an event such as #197", read_from},
    {"to", "T", CMD_EXPORT_RUN | CMD_EXPORT_FILE, "end there", read_to},
    {"output", "FILE", EXPORTS,
     "write to FILE, not stdout; --format go: a module into that folder: main.go, and go.mod with the generation's go line", read_output},
    {"by-rule", NULL, CMD_EXPLORE,
     "with --tally: try the seeds once more without each rule since go1.21, and tell which of them change values", set_by_rule},
    {"test", "NAME", TRIES | SEARCHES | CMD_COMPARE | CMD_QUERY | CMD_LINT | CMD_EXPORT | CMD_EXPORT_RUN,
     "of a Go file x_test.go: the test to run", read_test},
    {"help", NULL, ALL, "print this help", set_help},
};
#define OPTIONS (sizeof table / sizeof *table)

bool options_row(size_t i, struct option_row *out)
{
    if (i >= OPTIONS)
        return false;
    *out = (struct option_row){table[i].name, table[i].value, table[i].help, table[i].commands};
    return true;
}

const struct option_def *option_find(const char *name, size_t len, enum command_bit command)
{
    for (size_t i = 0; i < OPTIONS; i++)
        if (table[i].commands & command && strlen(table[i].name) == len && !memcmp(table[i].name, name, len))
            return &table[i];
    return NULL;
}

const char *option_nearest(struct options *o, const char *word, const char *dashes, enum command_bit command)
{
    const char *words[OPTIONS];
    size_t n = 0;
    for (size_t i = 0; i < OPTIONS; i++)
        if (table[i].commands & command)
            words[n++] = arena_printf(&o->arena, "%s%s", dashes, table[i].name);
    return word ? diag_nearest(word, words, n) : NULL;
}

void options_help(enum command_bit command, FILE *out)
{
    for (size_t i = 0; i < OPTIONS; i++) {
        const struct option_def *d = &table[i];
        char left[64];
        if (!(d->commands & command))
            continue;
        snprintf(left, sizeof left, "--%s%s%s", d->name, d->value ? " " : "", d->value ? d->value : "");
        fprintf(out, "  %s%*s %s\n", left, text_width(left) < 24 ? 24 - text_width(left) : 0, "", d->help);
    }
}
