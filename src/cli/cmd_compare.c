/* gmpscope compare: two scenarios, or one scenario with two settings, on one seed. The output marks what differs. Either side may be a recording, which
 * has its own seed and settings. */
#include "cli/commands.h"
#include "cli/contrast.h"
#include "engine/summary.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT, RIGHT, SIDES };

/* One of the two runs. Its options are the common ones, overridden by its own settings. */
struct side {
    struct options o;
    bool parsed;
    struct scenario *sc;
    struct engine *e;
};

/* --- the settings of each side ------------------------------------------------------------------------------------ */

/* Warns that a breakpoint about Ps applies only to the side whose generation has Ps. */
static void warn_no_p(const struct side *s, int which)
{
    size_t pos;
    for (uint32_t i = 0; i < s->o.nbreaks; i++)
        if (s->o.other_has_p && pattern_asks_for_p(s->o.breaks[i].pattern, &pos))
            usage_error("--break \"%s\" applies only to the %s run: %s has no P", s->o.breaks[i].text, which == LEFT ? "right" : "left",
                        generation_name[command_generation(s->sc, &s->o)]);
}

static bool load_sides(struct side *side, struct options *all)
{
    bool has_p[SIDES];
    for (int i = 0; i < SIDES; i++) {
        if (!side[i].sc)
            side[i].sc = command_scenario(&side[i].o, all->args[all->nargs > 1 ? i : 0]);
        if (!side[i].sc)
            return false;
        has_p[i] = rt_generation_has_p(command_generation(side[i].sc, &side[i].o));
    }
    for (int i = 0; i < SIDES; i++) {
        side[i].o.other_has_p = !has_p[i] && has_p[!i];
        if (!command_fits(side[i].sc, &side[i].o) || !command_binds(side[i].sc, &side[i].o))
            return false;
    }
    for (int i = 0; i < SIDES; i++)
        warn_no_p(&side[i], i);
    return true;
}

/* --- running ---------------------------------------------------------------------------------------------------- */

/* Without a seed of its own, each side takes the seed of the recording, or of the left scenario; otherwise the comparison would also compare two seeds. */
static struct engine_config config(const struct side *side, int which)
{
    struct engine_config c = command_engine(side[which].sc, &side[which].o);
    const struct side *from = &side[side[RIGHT].o.recording && !side[LEFT].o.recording ? RIGHT : LEFT];
    if (!side[which].o.has_seed)
        c.rt.seed = command_engine(from->sc, &from->o).rt.seed;
    return c;
}

static bool run_side(struct side *side, int which)
{
    char err[200];
    struct engine_config c = config(side, which);
    struct side *s = &side[which];
    command_headless_limits(&c, &s->o);
    c.until_stuck = true;
    c.history = s->o.history;
    s->e = engine_new(&c, err, sizeof err);
    if (!s->e) {
        visible_line(stderr, "gmpscope: %s", err);
        return false;
    }
    if (s->o.cut)
        visible_line(stderr, "gmpscope: %s", s->o.cut);
    engine_drive(s->e, &(struct drive){.audit = s->o.audit, .signal = signals_seen()});
    engine_judge(s->e);
    return true;
}

/* --- the table -------------------------------------------------------------------------------------------------- */

struct table {
    FILE *out;
    bool json, all; /* all: counters and latencies that are the same, too */
    uint32_t differ;
};

static void put_row(struct table *t, const char *name, const char *left, const char *right)
{
    bool same = !strcmp(left, right);
    t->differ += !same;
    if (t->json && !same)
        fprintf(t->out, "%s\"%s\"", t->differ > 1 ? "," : "", name);
    else if (!t->json)
        visible_line(t->out, "%c %-20s %24s %24s", same ? ' ' : '*', name, left, right);
}

static void put_number(struct table *t, const char *name, uint64_t left, uint64_t right)
{
    char l[24], r[24];
    snprintf(l, sizeof l, "%" PRIu64, left);
    snprintf(r, sizeof r, "%" PRIu64, right);
    put_row(t, name, l, r);
}

static void put_time(struct table *t, const char *name, int64_t left, int64_t right)
{
    char l[32], r[32];
    if (left == right || t->json) { /* different times may look the same in three digits */
        put_row(t, name, left == right ? duration_text(left, l, sizeof l) : "0", left == right ? l : "1");
        return;
    }
    duration_text(left, l, sizeof l);
    duration_text(right, r, sizeof r);
    if (!strcmp(l, r)) {
        snprintf(l, sizeof l, "%" PRId64 " ns", left);
        snprintf(r, sizeof r, "%" PRId64 " ns", right);
    }
    put_row(t, name, l, r);
}

static const char *ended(const struct engine *e)
{
    const char *word = ev_word(FT_END_HOW, e->how);
    return engine_failed(e) || !word ? "fatal" : word;
}

static void put_settings(struct table *t, const struct engine *l, const struct engine *r)
{
    const struct rt_config *a = &l->cfg.rt, *b = &r->cfg.rt;
    put_row(t, "scenario", l->cfg.info.name, r->cfg.info.name);
    put_row(t, "mode", mode_name[a->mode], mode_name[b->mode]);
    put_row(t, "generation", generation_name[a->generation], generation_name[b->generation]);
    put_number(t, "seed", a->seed, b->seed);
    put_number(t, "gomaxprocs", a->gomaxprocs, b->gomaxprocs);
    bool boots = a->boot != BOOT_BARE || b->boot != BOOT_BARE;
    if (boots)
        put_row(t, "boot", boot_name[a->boot], boot_name[b->boot]);
    if (boots || a->module != b->module)
        put_row(t, "module", generation_name[rt_module(a)], generation_name[rt_module(b)]);
    uint32_t off[2] = {rt_off(a), rt_off(b)}, shown = a->disable | b->disable | (off[0] ^ off[1]);
    for (int i = 0; i < DIS_COUNT; i++)
        if (shown >> i & 1)
            put_row(t, rt_disable_name[i], off[0] >> i & 1 ? "off" : "on", off[1] >> i & 1 ? "off" : "on");
}

static bool same_output(const struct engine *l, const struct engine *r)
{
    const char *const *a, *const *b;
    uint32_t n = expect_lines(l->expect, &a), i = 0;
    if (expect_lines(r->expect, &b) != n)
        return false;
    while (i < n && !strcmp(a[i], b[i]))
        i++;
    return i == n;
}

static void put_output(struct table *t, const struct engine *l, const struct engine *r)
{
    const char *const *lines;
    char a[40], b[40];
    uint32_t n[SIDES] = {expect_lines(l->expect, &lines), expect_lines(r->expect, &lines)};
    snprintf(a, sizeof a, "%u line%s", n[LEFT], n[LEFT] == 1 ? "" : "s");
    snprintf(b, sizeof b, "%u line%s", n[RIGHT], n[RIGHT] == 1 ? "" : "s");
    bool other = !same_output(l, r);
    if (other)
        strcat(b, strcmp(a, b) ? "" : ", different");
    put_row(t, "output", a, b);
}

static void put_results(struct table *t, const struct engine *l, const struct engine *r)
{
    const struct model *a = engine_view(l), *b = engine_view(r);
    int64_t left[LATENCIES], right[LATENCIES];
    put_row(t, "ended", ended(l), ended(r));
    put_time(t, "time", summary_time(l), summary_time(r));
    put_number(t, "events", l->events, r->events);
    put_output(t, l, r);
    for (int i = 0; i < (int)COUNTERS_N; i++) {
        uint64_t here = counter_get(model_counters(a), i), there = counter_get(model_counters(b), i);
        if (t->all || here != there)
            put_number(t, counter_name[i], here, there);
    }
    model_latency(a, &left[0], &left[1], &left[2]);
    model_latency(b, &right[0], &right[1], &right[2]);
    for (int i = 0; i < LATENCIES; i++)
        if (t->all || left[i] != right[i])
            put_time(t, latency_name[i], left[i], right[i]);
}

static void put_rows(struct table *t, const struct engine *l, const struct engine *r)
{
    put_settings(t, l, r);
    put_results(t, l, r);
}

static bool find_difference(struct contrast *c)
{
    c->same_outcome = c->e[LEFT]->how == c->e[RIGHT]->how && same_output(c->e[LEFT], c->e[RIGHT]);
    return contrast_find(c);
}

static void put_json(struct contrast *c, enum lang lang)
{
    const struct engine *l = c->e[LEFT], *r = c->e[RIGHT];
    struct table t = {.out = stdout, .json = true};
    fputs("{\"left\":", stdout);
    summary_object(l, stdout);
    fputs(",\"right\":", stdout);
    summary_object(r, stdout);
    fputs(",\"differ\":[", stdout);
    put_rows(&t, l, r);
    fputc(']', stdout);
    contrast_json(c, lang, stdout);
    fputs("}\n", stdout);
}

static void put_table(struct contrast *c, const struct options *all)
{
    struct table t = {.out = stdout, .all = all->all};
    if (!all->first) {
        put_rows(&t, c->e[LEFT], c->e[RIGHT]);
        printf("%u differ\n\n", t.differ);
    }
    contrast_first(c, all->lang, stdout);
    if (all->first)
        contrast_reasons(c, all->lang, stdout);
    else
        contrast_conclusion(c, all->lang, stdout);
}

/* Runs one side once more without this mechanism, and says whether that changes where the runs part. False: it said what stopped it. */
static bool put_cause(const struct side *side, int which, int rule, const struct contrast *c)
{
    struct side again[SIDES] = {side[LEFT], side[RIGHT]};
    again[which].o.disable |= 1u << rule;
    again[which].o.enable &= ~(1u << rule);
    if (!run_side(again, which))
        return false;
    struct contrast without = {.e = {again[LEFT].e, again[RIGHT].e}};
    bool good = find_difference(&without);
    if (good)
        contrast_cause(c, &without, (enum rt_disable)rule, side->o.lang, stdout);
    else
        usage_error("out of memory");
    engine_free(again[which].e);
    return good;
}

/* Which of several mechanisms makes the first difference? False: a run failed, which was said. */
static bool put_causes(const struct side *side, const struct contrast *c)
{
    uint32_t only[SIDES] = {contrast_only(c, LEFT), contrast_only(c, RIGHT)}, all = only[LEFT] | only[RIGHT];
    bool several = all & (all - 1), live = !side[LEFT].o.recording && !side[RIGHT].o.recording, good = true;
    if (!c->parting.parted || !several || !live)
        return true;
    fputs(side->o.lang == LANG_ZH ? "逐个关闭：\n" : "Each of them off alone:\n", stdout);
    for (int i = 0; i < SIDES; i++)
        for (int d = 0; good && d < DIS_COUNT && !signals_code(); d++)
            if (only[i] >> d & 1)
                good = put_cause(side, i, d, c);
    return good;
}

/* --- the command ------------------------------------------------------------------------------------------------ */

/* Prints and returns what this run alone would print and return, except for claims: compare asks how the runs differ, not which
 * one is right. */
static int side_code(const struct side *s)
{
    return engine_finish(s->e, &(struct finish){.err = stderr}).code;
}

/* Returns true if the two runs can be told apart by a name: none of their settings is about anything else. */
static bool settings_have_names(const struct options *all)
{
    static const char *const named[] = {"disable=", "enable=", "generation=", "procs="};
    bool yes = true;
    for (int side = 0; side < SIDES; side++)
        for (uint32_t i = 0; i < all->nsettings[side]; i++)
            for (const char *at = all->settings[side][i]; *(at += strspn(at, " \t")); at += strcspn(at, " \t")) {
                size_t k = 0;
                while (k < sizeof named / sizeof *named && strncmp(at, named[k], strlen(named[k])) != 0)
                    k++;
                yes &= k < sizeof named / sizeof *named;
            }
    return yes;
}

static void put_subjects(const struct side *side, struct options *all, struct text subject[SIDES])
{
    struct engine_config c[SIDES] = {config(side, LEFT), config(side, RIGHT)};
    contrast_subjects(&all->arena, settings_have_names(all) ? &c[LEFT] : NULL, &c[RIGHT], subject);
}

static int compare_headless(struct side *side, struct options *all)
{
    struct contrast c = {0};
    signals_watch();
    for (int i = 0; i < SIDES; i++) {
        if (!run_side(side, i))
            return 2;
        if (engine_failed(side[i].e)) /* there is nothing to compare */
            return side_code(&side[i]);
    }
    for (int i = 0; i < SIDES; i++)
        c.e[i] = side[i].e;
    put_subjects(side, all, c.subject);
    if (!find_difference(&c))
        return usage_error("out of memory");
    if (all->json)
        put_json(&c, all->lang);
    else
        put_table(&c, all);
    if (all->first && !all->json && all->nargs == 1 && !put_causes(side, &c))
        return 2;
    if (c.lacking)
        return usage_error("out of memory");
    int error = fflush(stdout) ? errno : 0;
    int code = command_worse(side_code(&side[LEFT]), side_code(&side[RIGHT]));
    return output_finish(code ? code : signals_code(), error);
}

static const char *add_settings(struct arena *a, const char *text, const char *settings)
{
    while (text && *(settings += strspn(settings, " \t"))) {
        int len = (int)strcspn(settings, " \t");
        if (strncmp(settings, "seed=", 5) != 0)
            text = arena_printf(a, "%s%s%.*s", text, *text ? " " : "", len, settings);
        settings += len;
    }
    return text;
}

/* Returns the settings of one side as the user wrote them, such as "disable=stealing procs=4", without the seed. `R` changes the seed,
 * so the screen shows the current one. */
static const char *settings_text(struct options *all, int which)
{
    const char *text = "";
    for (uint32_t i = 0; i < all->nsettings[which]; i++)
        text = add_settings(&all->arena, text, all->settings[which][i]);
    return text ? text : "";
}

static int compare_live(struct side *side, struct options *all)
{
    const struct scenario *sc[SIDES] = {side[LEFT].sc, side[RIGHT].sc};
    const struct options *o[SIDES] = {&side[LEFT].o, &side[RIGHT].o};
    for (int i = 0; i < SIDES; i++) {
        struct rt_config rt = config(side, i).rt;
        side[i].o.seed = rt.seed;
        side[i].o.has_seed = true;
    }
    struct pair_look look = {
        .settings = {settings_text(all, LEFT), settings_text(all, RIGHT)}, .note = o[LEFT]->cut ? o[LEFT]->cut : o[RIGHT]->cut};
    put_subjects(side, all, look.subject);
    return run_pair(sc, o, &look);
}

/* If only a scenario is given, uses the comparison that its file proposes. Returns false after an error message. */
static bool add_own_settings(struct options *all)
{
    struct scenario *sc = command_scenario(all, all->args[0]);
    if (!sc)
        return false;
    const char *own[SIDES] = {scenario_info(sc)->compare_left, scenario_info(sc)->compare_right};
    for (int i = 0; i < SIDES; i++)
        if (own[i])
            all->settings[i][all->nsettings[i]++] = arena_strndup(&all->arena, own[i], strlen(own[i]));
    scenario_free(sc);
    return !all->arena.lacking;
}

/* --- recordings ------------------------------------------------------------------------------------------------- */

/* Returns the first setting of a run that the command line has for both sides, NULL if it has none. */
static const char *common_setting(const struct options *o)
{
    const struct {
        bool given;
        const char *name;
    } of[] = {{o->has_mode, "mode"},    {o->has_seed, "seed"},        {o->choices.n, "choices"}, {o->fine, "fine"},
              {o->procs, "procs"},      {o->disable, "disable"},      {o->enable, "enable"},     {o->nvary, "vary"},
              {o->has_boot, "boot"},    {o->has_module, "module"},    {o->strict, "strict"},     {o->has_generation, "generation"},
              {o->limit >= 0, "limit"}, {o->max_events, "max-events"}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (of[i].given)
            return of[i].name;
    return NULL;
}

/* Returns false, after an error message, if there are settings for this side, a recording. */
static bool has_no_settings(struct options *all, int which)
{
    const char *file = all->args[which], *setting = common_setting(all);
    if (all->nsettings[which])
        usage_error("--%s: %s is a recording, which has its settings", which == LEFT ? "left" : "right", file);
    else if (setting)
        usage_error("--%s: %s is a recording, which has its settings; --left and --right are for a live run", setting, file);
    return !all->nsettings[which] && !setting;
}

/* Event n of one side is compared with event n of the other, so both must have events of the same levels. */
static bool recordings_agree(const struct side *side, const struct options *all)
{
    bool details[SIDES];
    for (int i = 0; i < SIDES; i++)
        details[i] = !side[i].o.recording || side[i].o.recorded.details;
    if (details[LEFT] == details[RIGHT])
        return true;
    usage_error("%s has only core events, no detail events, and the other side has both", all->args[details[LEFT] ? RIGHT : LEFT]);
    return false;
}

static int compare(struct options *all, struct side *side, int argc, char **argv)
{
    if (all->nargs < 1 || all->nargs > 2)
        return usage_error("compare takes one or two of FILE|NAME, got %d", all->nargs);
    if (all->nargs == 1 && recorded_is(all->args[0]))
        return usage_error("compare needs something to compare %s with: a recording or a scenario", all->args[0]);
    if (all->nargs == 1 && !all->nsettings[LEFT] && !all->nsettings[RIGHT] && !add_own_settings(all))
        return 2;
    if (all->nargs == 1 && !all->nsettings[LEFT] && !all->nsettings[RIGHT])
        return usage_error("compare needs two scenarios, or one with --left or --right SETTINGS");
    for (int i = 0; i < SIDES; i++) {
        struct options *o = &side[i].o;
        side[i].parsed = true;
        if (all->nargs > 1 && recorded_is(all->args[i])) {
            options_default(o);
            if (!has_no_settings(all, i) || !(side[i].sc = command_recording(all, i, CMD_COMPARE, argc, argv, o)))
                return 2;
            command_started(o, &(struct started_from){all->list, all->tour_look});
            continue;
        }
        if (!options_parse(o, CMD_COMPARE, argc, argv)) /* the whole command line again, then the settings of this side */
            return 2;
        command_started(o, &(struct started_from){all->list, all->tour_look});
        for (uint32_t k = 0; k < all->nsettings[i]; k++)
            if (!options_settings(o, i == LEFT ? "left" : "right", all->settings[i][k]))
                return 2;
        if (!options_agree(o, CMD_COMPARE))
            return 2;
    }
    if (!load_sides(side, all) || !recordings_agree(side, all))
        return 2;
    for (int i = 0; i < SIDES; i++)
        if (config(side, i).rt.mode == MODE_FREE && !side[i].o.recording)
            return usage_error("compare needs --mode lockstep: two free runs share no clock");
    return all->headless ? compare_headless(side, all) : compare_live(side, all);
}

int cmd_compare(const struct started_from *from, int argc, char **argv)
{
    struct options all;
    struct side side[SIDES] = {0};
    int code = 2;
    bool parsed = options_parse(&all, CMD_COMPARE, argc, argv);
    command_started(&all, from);
    if (parsed)
        code = all.help ? command_help("compare A [B] [--left SETTINGS] [--right SETTINGS] [options]",
                                       "show two runs side by side: of two scenarios, or of one with two settings", CMD_COMPARE)
                        : compare(&all, side, argc, argv);
    for (int i = 0; i < SIDES; i++) {
        engine_free(side[i].e);
        if (side[i].sc)
            scenario_free(side[i].sc);
        if (side[i].parsed)
            options_fini(&side[i].o);
    }
    options_fini(&all);
    return code;
}
