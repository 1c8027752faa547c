/* Parses the options of a command line and the settings of one run, with the table of options.c. */
#include "cli/options.h"
#include "cli/options_table.h"
#include "base/diag.h"
#include "engine/player.h"
#include "model/history/history.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Reports that memory ran out while an option was read; the option itself may be right. Returns: false. */
static bool lacking(void)
{
    usage_error("%s", strerror(ENOMEM));
    return false;
}

/* --- the parser ------------------------------------------------------------------------------------------------- */

/* Writes why a recording does not take an option of `run`. rest: the words after it; they may name the language. */
static int refused_option(const struct options *o, const struct option_def *d, char **rest)
{
    static const struct {
        const char *name;
        enum capability needs;
    } of[] = {
        {"mode", CAN_CHANGE_MODE}, {"seed", CAN_CHANGE_SEED}, {"choices", CAN_DECIDE}, {"speed", CAN_SCALE_TIME}, {"audit", CAN_AUDIT}};
    enum refusal why = strcmp(d->name, "record") ? REFUSED_RECORDED : REFUSED_IS_FILE;
    enum lang lang = o->lang;
    bool has_lang = o->has_lang;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (!strcmp(d->name, of[i].name))
            why = recorded_refusal(of[i].needs);
    for (; !has_lang && *rest; rest++)
        if ((has_lang = !strcmp(*rest, "--lang=zh") || (!strcmp(*rest, "--lang") && rest[1] && !strcmp(rest[1], "zh"))))
            lang = LANG_ZH;
    if (!has_lang)
        lang_from_env(&lang);
    return usage_error("--%s: %s", d->name, refusal_text[why].in[lang]);
}

static int unknown_option(struct options *o, const char *arg, enum command_bit command, char **rest)
{
    const struct option_def *of_run =
        (command == CMD_REPLAY || command == CMD_ASKED || command == CMD_IMPORT || command == CMD_WATCH || command == CMD_ATTACH ||
         command == CMD_EXPORT_FILE) &&
                !strncmp(arg, "--", 2)
            ? option_find(arg + 2, strcspn(arg + 2, "="), CMD_RUN)
            : NULL;
    if (of_run)
        return refused_option(o, of_run, rest);
    char *word = arena_strndup(&o->arena, arg, strcspn(arg, "="));
    const struct option_def *of_explore =
        command == CMD_CLAIM && word && !strncmp(word, "--", 2) ? option_find(word + 2, strlen(word + 2), CMD_EXPLORE) : NULL;
    if (of_explore)
        return usage_error("claim has no %s; use explore %s", word, word);
    const char *near = option_nearest(o, word, "--", command);
    if (near)
        return usage_error("unknown option %s; did you mean %s?", word, near);
    return usage_error("unknown option %s; --help lists them", word ? word : arg);
}

/* Each part tries all its seeds. If a part could stop early, the parts together would not be the search without --shard. */
static bool shard_agrees(const struct options *o)
{
    if (o->merge && (o->shard || o->has_seeds || o->has_seed || o->wall >= 0 || o->failures || o->tally || o->record))
        return usage_error("--merge takes no option of a search; the files say what was searched"), false;
    if (!o->shard)
        return true;
    if (o->exhaust && o->has_seeds)
        return usage_error("--exhaust --shard and --seeds cannot be combined; the parts try all schedules together"), false;
    if ((!o->has_seeds && !o->exhaust) || !o->json)
        return usage_error("--shard needs %s", o->json ? "--seeds N, how many seeds all parts try together" : "--json; --merge reads it"),
               false;
    if (o->wall >= 0 || o->failures)
        return usage_error("--shard and --%s cannot be combined; a part tries all its seeds", o->failures ? "failures" : "for"), false;
    return true;
}

const char *options_clash(const struct options *o)
{
    if (o->exhaust && (o->fine || o->way))
        return o->fine ? "--exhaust and --fine cannot be combined: all schedules have the points of a plain run"
                       : "--exhaust and --search cannot be combined: all schedules are tried";
    if (o->fine && o->coarse)
        return "--fine and --coarse cannot be combined";
    if (o->every_order && !o->exhaust)
        return "--every-order needs --exhaust";
    if (o->exhaust && o->stalls)
        return "--exhaust and --stalls cannot be combined: all schedules are tried without stalls";
    if (o->shrink && (o->json || o->exhaust))
        return o->json ? "--shrink and --json cannot be combined" : "--shrink and --exhaust cannot be combined";
    if (o->calm && o->has_mode && o->mode == MODE_FREE)
        return "--calm needs --mode lockstep";
    if (o->still && o->has_mode && o->mode == MODE_FREE)
        return "--still needs --mode lockstep";
    if (o->stalls && o->still)
        return "--still and --stalls cannot be combined: the time of a stall would never pass";
    if (o->by_rule && (!o->tally || o->json || o->exhaust || o->merge))
        return !o->tally ? "--by-rule needs --tally" : "--by-rule cannot be combined with --json, --exhaust or --merge";
    bool is_free = o->has_mode && o->mode == MODE_FREE;
    return is_free && o->fine ? "--fine needs --mode lockstep" : is_free && o->stalls ? "--stalls needs --mode lockstep" : NULL;
}

bool options_agree(const struct options *o, enum command_bit command)
{
    const char *clash = options_clash(o);
    if (clash)
        return usage_error("%s", clash), false;
    if (o->json + o->events + o->narrate > 1)
        return usage_error("--json, --events and --narrate cannot be combined"), false;
    if ((o->at || o->select) && o->headless && !o->picture)
        return usage_error("--%s needs a screen, or --picture", o->at ? "at" : "select"), false;
    const unsigned prints = CMD_EXPLORE | CMD_CLAIM | CMD_QUERY | CMD_ASKED; /* they have no screen */
    if ((o->json || o->events) && !o->headless && !(prints & command))
        return usage_error("--%s needs --headless", o->json ? "json" : "events"), false;
    if (o->narrate && !o->headless && !o->linear)
        return usage_error("--narrate needs --headless or --linear"), false;
    if (o->way && (o->coarse || (!o->fine && command != CMD_EXPLORE && command != CMD_CLAIM)))
        return usage_error("--search needs --fine"), false;
    if (o->autoplay && !o->lesson)
        return usage_error("--auto needs --lesson"), false;
    bool two = o->has_generation && o->all_generations;
    return two ? (usage_error("--generation and --all-generations cannot be combined"), false) : shard_agrees(o);
}

void options_default(struct options *o)
{
    *o = (struct options){.limit = -1, .wall = -1, .seeds = 1, .part = 1, .of = 1, .history = HISTORY_BUDGET};
}

/* Commands that run a Go program: after FILE and `--` its arguments follow. */
#define TAKES_PROGRAMS (CMD_RUN | CMD_CHECK | CMD_EXPLORE | CMD_COMPARE | CMD_QUERY | CMD_CLAIM | CMD_EXPORT_RUN)

bool options_parse(struct options *o, enum command_bit command, int argc, char **argv)
{
    options_default(o);
    o->lesson = command == CMD_LESSON;
    o->args = arena_alloc(&o->arena, sizeof *o->args * (size_t)(argc + 1));
    if (!o->args)
        return lacking();
    bool only_args = false;
    for (int i = 0; i < argc; i++) {
        if (!only_args && o->nargs && command & TAKES_PROGRAMS && !strcmp(argv[i], "--")) {
            o->program_args = o->args + o->nargs;
            o->nprogram_args = argc - i - 1;
            memcpy(o->program_args, argv + i + 1, (size_t)o->nprogram_args * sizeof *argv);
            break;
        }
        if (only_args || argv[i][0] != '-' || !argv[i][1]) {
            o->args[o->nargs++] = argv[i];
            continue;
        }
        if (!strcmp(argv[i], "--")) {
            only_args = true;
            continue;
        }
        const char *arg = strcmp(argv[i], "-h") ? argv[i] : "--help";
        size_t len = strcspn(arg, "=");
        const struct option_def *d = len > 2 && arg[1] == '-' ? option_find(arg + 2, len - 2, command) : NULL;
        if (!d)
            return unknown_option(o, arg, command, argv + i + 1), false;
        const char *value = arg[len] ? arg + len + 1 : NULL;
        if (value && !d->value)
            return usage_error("--%s takes no value", d->name), false;
        if (!value && d->value) {
            if (i + 1 >= argc)
                return usage_error("--%s needs a value: --%s %s", d->name, d->name, d->value), false;
            value = argv[++i];
        }
        const char *why = d->read(o, value);
        if (o->arena.lacking)
            return lacking();
        if (why)
            return usage_error("--%s: %s", d->name, why), false;
    }
    if (!o->help && !options_prefer(o, command))
        return false;
    return o->help || options_agree(o, command);
}

/* --- compare: the settings of one side ---------------------------------------------------------------------------- */

static const char *unknown_setting(struct options *o, const char *word, size_t len)
{
    const char *name = arena_strndup(&o->arena, word, len), *near = name ? option_nearest(o, name, "", CMD_SIDE) : NULL;
    if (word[0] == '-')
        return arena_printf(&o->arena, "write settings without dashes: \"generation=go1.13\", not \"%s\"", word);
    if (option_find(word, len, CMD_COMPARE))
        return arena_printf(&o->arena, "%.*s applies to both runs; write --%s", (int)len, word, word);
    if (near)
        return arena_printf(&o->arena, "unknown setting \"%s\"; did you mean \"%s\"?", name, near);
    return arena_printf(&o->arena, "unknown setting \"%s\"; compare --help lists the options", name ? name : "");
}

const char *options_setting(struct options *o, const char *word)
{
    size_t len = strcspn(word, "=");
    const struct option_def *d = option_find(word, len, CMD_SIDE);
    const char *value = word[len] ? word + len + 1 : NULL;
    if (!d)
        return unknown_setting(o, word, len);
    if (value && !d->value)
        return arena_printf(&o->arena, "%s takes no value", d->name);
    if (!value && d->value)
        return arena_printf(&o->arena, "%s needs a value: %s=%s", d->name, d->name, d->value);
    const char *why = d->read(o, value);
    return why ? arena_printf(&o->arena, "%s: %s", d->name, why) : NULL;
}

bool options_change(struct options *o, const char *setting)
{
    size_t len = strcspn(setting, "=");
    const struct option_def *d = option_find(setting, len, CMD_SET);
    const char *value = arena_strndup(&o->arena, setting + len + (setting[len] == '='), strlen(setting + len));
    if (!value)
        return lacking();
    if (!d)
        return usage_error("unknown setting \"%.*s\"", (int)len, setting), false;
    const char *why = d->read(o, value);
    if (o->arena.lacking)
        return lacking();
    if (why)
        usage_error("%s", why);
    return !why;
}

bool options_settings(struct options *o, const char *of, const char *settings)
{
    while (*(settings += strspn(settings, " \t"))) {
        size_t len = strcspn(settings, " \t");
        char *word = arena_strndup(&o->arena, settings, len);
        if (!word)
            return lacking();
        const char *why = options_setting(o, word);
        if (o->arena.lacking)
            return lacking();
        if (why)
            return usage_error("--%s: %s", of, why), false;
        settings += len;
    }
    return true;
}

bool options_no_color(const struct options *o)
{
    const char *v = getenv("NO_COLOR");
    return o->no_color || (v && *v);
}

void options_fini(struct options *o)
{
    vec_free(&o->choices);
    arena_fini(&o->arena);
}
