/* gmpscope claim: is there a schedule in which something happens (may, never), or in which it does not (must)? It searches as explore does, up to
 * the first such schedule, and prints the command that opens it at that moment. A search that finds none proves nothing; only --exhaust tries all
 * schedules. The claims that the scenario itself makes are not judged here. */
#include "cli/commands.h"
#include "cli/merge.h"
#include "cli/repro_command.h"
#include "cli/search.h"
#include "cli/search_text.h"
#include "cli/search_tree.h"
#include "engine/summary.h"
#include "model/query/modal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_UNDECIDED 5

struct claimed {
    const struct options *o;
    const struct scenario *sc;
    struct arena *arena; /* of the options */
    const struct claim_place *place;
    const char *text;   /* "may: X"; what a scenario claims: with the numbers of its own seed, or of the schedule that was found */
    struct modal modal; /* of the settings as they are; each seed has its own */
    bool found;
    uint64_t seed, unit, at;     /* of the schedule that was found, and its event */
    const char *choices;         /* its choices, in the memory of the search */
    struct claim_answer *answer; /* of claim_search(); NULL: it is printed */
    struct junit *junit;         /* where it is written, too */
};

/* --- one seed, in a child --------------------------------------------------------------------------------------- */

static bool watch_event(void *state, const struct merged_event *at)
{
    modal_event(state, at);
    return true;
}

static void watch_passes(void *state, const struct model *md, int64_t time)
{
    modal_passes(state, md, time);
}

/* Returns the claim for a run whose numbers ({n}) are drawn; NULL: memory ran out. */
static const char *claim_in(const struct scenario *drawn, struct arena *a, const struct claim_place *at)
{
    struct scenario_lesson l;
    if (at->typed)
        return scenario_fill(drawn, a, at->typed);
    if (!at->lesson)
        return scenario_claim_text(drawn, at->i);
    scenario_lesson(drawn, at->i, &l);
    return arena_printf(a, "%s: %s", modal_word_name[at->asked], l.can);
}

static bool read_claim(const struct scenario *drawn, struct arena *a, const struct claim_place *at, struct modal *m, const char **err,
                       size_t *pos)
{
    const char *filled = claim_in(drawn, a, at);
    *err = NULL;
    *pos = 0;
    return filled && modal_parse(a, filled, m, err, pos) &&
           (!m->pattern || pattern_bind(m->pattern, a, &scenario_info(drawn)->programs, err, pos));
}

static bool begin(void *ctx, const struct scenario *drawn, struct arena *a, struct reader *of, const char **err)
{
    const struct claimed *c = ctx;
    size_t pos;
    struct modal *m = arena_alloc(a, sizeof *m);
    struct modal_watch *w = arena_alloc(a, sizeof *w);
    if (!m || !w || !read_claim(drawn, a, c->place, m, err, &pos))
        return false;
    const struct pattern *p = m->pattern;
    *w = modal_watch_of(m);
    *of = (struct reader){.ctx = w, .event = watch_event, .passes = p && pattern_is_when(p) ? watch_passes : NULL};
    of->needs = (p && pattern_asks_for_details(p) ? READS_DETAILS | READS_EACH : 0) | (p && pattern_is_when(p) ? READS_STATES : 0) |
                (p && pattern_asks_for_places(p) ? READS_PLACES : 0);
    return true;
}

/* The end of the program and the scenario's own claims are no failure here; a broken invariant is. */
static void note(const struct engine *e, void *state, struct outcome *out)
{
    const struct modal_watch *w = state;
    uint64_t at = modal_shown(w, e->how);
    out->cut = out->unjudged = out->narrowed = false;
    if (out->code == 4)
        return;
    out->code = 0;
    out->why[0] = '\0';
    out->has_value = at;
    out->cut = !at && modal_is_open(w, e->how);
    snprintf(out->value, sizeof out->value, "%" PRIu64, at);
}

/* --- the answer, in the parent ------------------------------------------------------------------------------------ */

static bool count(void *ctx, const struct outcome *out, const struct search_run *run)
{
    struct claimed *c = ctx;
    if (out->code || !out->has_value)
        return !out->code;
    c->found = true;
    c->seed = run->seed;
    c->unit = run->unit;
    c->choices = run->choices;
    c->at = strtoull(out->value, NULL, 10);
    return false;
}

/* Returns the command that opens the schedule, on the heap; NULL: memory ran out. A claim about g_op changes the numbers of events, so its schedule
 * is opened where the pattern matches. */
static char *opening(const struct claimed *c)
{
    char *line = NULL;
    size_t size;
    if (!c->choices)
        return strdup(SEARCH_LOST);
    FILE *f = text_open(&line, &size);
    if (!f)
        return NULL;
    const struct pattern *p = c->modal.pattern;
    struct options with = search_tree_options(c->o, c->choices);
    with.stalls = exploration_stalls(c->o->stalls, c->seed);
    repro_command_share(&with, NULL, c->seed, &with.choices, f);
    vec_free(&with.choices);
    if (p && c->modal.word != MODAL_MUST && pattern_asks_for_places(p))
        repro_option("--break", c->text + strcspn(c->text, ":") + 1, f);
    else
        fprintf(f, " --at %" PRIu64, c->at);
    repro_end(c->o, f);
    if (text_close(f))
        return line;
    free(line);
    return NULL;
}

/* Returns true if the claim holds, judged by what was found, or by all schedules. */
static bool holds(const struct claimed *c)
{
    return c->found == (c->modal.word == MODAL_MAY);
}

static bool decided(const struct claimed *c, const struct findings *f)
{
    return c->found || f->end == EXPLORED_ALL;
}

/* Writes the answer, in one of its three forms. */
static void put_answer(const struct claimed *c, const struct findings *f, enum lang lang, FILE *out)
{
    if (c->found)
        fputs(search_text(ST_YES, lang), out);
    else if (f->end == EXPLORED_ALL && f->done == 1)
        fputs(search_text(ST_NO_ONLY, lang), out);
    else if (f->end == EXPLORED_ALL)
        fprintf(out, search_format(ST_NO_ALL, "%" PRIu64, lang), f->done);
    else
        fprintf(out, search_format(c->o->exhaust ? ST_STOPPED : ST_NOT_FOUND, "%" PRIu64 "%s", lang), SCHEDULES(f->done));
}

static const char *of_what(const struct claimed *c)
{
    return c->found && c->modal.word == MODAL_MUST ? search_text(ST_WITHOUT, c->o->lang) : "";
}

static void answer_text(const struct claimed *c, const struct findings *f, const char *command)
{
    enum lang lang = c->o->lang;
    visible_line(stdout, search_format(ST_CLAIM, "%s%s", lang), c->text,
                 search_text(!decided(c, f) ? ST_UNDECIDED
                             : holds(c)     ? ST_HOLDS
                                            : ST_FAILS,
                             lang));
    put_answer(c, f, lang, stdout);
    if (c->found)
        printf(search_format(ST_WHERE, "%s%" PRIu64 "%" PRIu64 "%" PRIu64 "%s", lang), of_what(c), c->seed, c->at, f->done, command);
    else if (f->end == EXPLORED_BOUND)
        printf(search_format(ST_BOUND, "%s", lang), f->why);
    else if (f->cut)
        printf(search_format(ST_SOME_CUT, "%" PRIu64, lang), f->cut);
    if (f->end == EXPLORED_INTERRUPTED)
        fputs(search_text(ST_INTERRUPTED, lang), stdout);
    putchar('\n');
    if (!c->found && !c->o->exhaust)
        findings_scope(f, stdout);
}

static void answer_json(const struct claimed *c, const struct findings *f, const char *command)
{
    fputs("{\"scenario\":", stdout);
    json_string(f->what.scenario, stdout);
    fputs(",\"claim\":", stdout);
    json_string(c->text, stdout);
    printf(",\"word\":\"%s\",\"holds\":%s,\"answer\":\"", modal_word_name[c->modal.word],
           !decided(c, f) ? "null"
           : holds(c)     ? "true"
                          : "false");
    put_answer(c, f, LANG_EN, stdout);
    printf("\",\"schedules\":%" PRIu64 ",\"cut\":%" PRIu64, f->done, c->found ? 0 : f->cut);
    if (c->found) {
        printf(",\"seed\":%" PRIu64 ",\"event\":%" PRIu64 ",\"command\":", c->seed, c->at);
        json_string(command, stdout);
    }
    printf(",\"ended\":\"%s\",\"processes\":%u,\"wall_ns\":%" PRId64 "}\n", exploration_end_name[f->end], f->processes, f->wall_ns);
}

/* An answer that is no proof is neither a success nor a failure. */
static void answer_junit(const struct claimed *c, const struct findings *f, const char *command)
{
    char *answer = NULL;
    size_t size;
    FILE *out = text_open(&answer, &size);
    if (out) {
        put_answer(c, f, c->o->lang, out);
        fputs(of_what(c), out);
    }
    bool good = out && text_close(out);
    enum junit_result result = !good ? JUNIT_ERROR : !decided(c, f) ? JUNIT_SKIPPED : holds(c) ? JUNIT_PASSED : JUNIT_FAILED;
    junit_case(c->junit,
               &(struct junit_case){f->what.scenario, c->text, result, "", good ? answer : strerror(ENOMEM), command ? command : ""});
    if (good)
        free(answer);
}

static int code_of(const struct claimed *c, const struct findings *f)
{
    return decided(c, f) ? !holds(c) : c->o->weak ? 0 : EXIT_UNDECIDED;
}

static int put_all(const struct claimed *c, const struct findings *f, const char *command)
{
    (c->o->json ? answer_json : answer_text)(c, f, command);
    answer_junit(c, f, command);
    return code_of(c, f);
}

/* --shard: what --merge reads. */
static int put_part(const struct claimed *c, const struct findings *f, const char *command)
{
    struct findings part = *f;
    const struct found found = {c->text, command, c->seed, c->unit, c->at};
    part.found = &found;
    findings_begin(&part, true, stdout);
    findings_end(&part, true, stdout);
    answer_junit(c, f, command);
    return code_of(c, f);
}

static int report(void *ctx, const struct findings *f, int signal)
{
    const struct claimed *c = ctx;
    char *command = c->found ? opening(c) : NULL;
    if (c->found && !command)
        return usage_error("%s", strerror(ENOMEM));
    int code = f->what.is_part ? put_part(c, f, command) : put_all(c, f, command);
    free(command);
    return code == EXIT_UNDECIDED && signal ? signal : code;
}

/* The answer that the parts of a search give together. */
static int report_merged(const struct options *o, const struct findings *f)
{
    const char *err;
    size_t pos;
    struct arena a = {0};
    struct junit junit;
    const struct found *x = f->found;
    struct claimed c = {.o = o, .text = x->claim, .found = x->open, .seed = x->seed, .at = x->event, .junit = &junit};
    int code = 2;
    if (!modal_parse(&a, x->claim, &c.modal, &err, &pos))
        usage_error("\"%s\": column %zu: %s", x->claim, pos + 1, err ? err : strerror(ENOMEM));
    else if (junit_begin(&junit, o->junit))
        code = junit_end(&junit, put_all(&c, f, x->open));
    arena_fini(&a);
    return code;
}

/* --- the command ------------------------------------------------------------------------------------------------ */

/* Reads the claim once, so that its mistakes are reported before anything runs. */
static bool claim_fits(const struct scenario *sc, struct options *o, struct claimed *c)
{
    const char *err;
    size_t pos;
    enum rt_generation gen = command_generation(sc, o);
    bool good = read_claim(sc, &o->arena, c->place, &c->modal, &err, &pos);
    if (good && !rt_generation_has_p(gen) && c->modal.pattern && pattern_asks_for_p(c->modal.pattern, &pos)) {
        err = arena_printf(&o->arena, "%s has no P", generation_name[gen]);
        good = false;
    }
    if (!good)
        usage_error("\"%s\": column %zu: %s", c->text, pos + 1, err ? err : strerror(ENOMEM));
    return good;
}

/* What stands in the scenario is reported with the numbers of the schedule that was found. */
static void take_numbers(struct claimed *c)
{
    char err[200];
    struct engine_config of = command_engine(c->sc, c->o);
    of.rt.seed = c->seed;
    const char *text = c->found && engine_draw(&of, err, sizeof err) ? claim_in(of.scenario, c->arena, c->place) : NULL;
    c->text = text ? text : c->text;
}

static int answer_later(void *ctx, const struct findings *f, int signal)
{
    struct claimed *c = ctx;
    take_numbers(c);
    struct claim_answer *a = c->answer;
    size_t size;
    char *command = c->found ? opening(c) : NULL;
    FILE *out = text_open(&a->text, &size);
    a->decided = decided(c, f);
    a->holds = holds(c);
    a->claim = strdup(c->text);
    if (out) {
        put_answer(c, f, c->o->lang, out);
        fputs(of_what(c), out);
        if (command)
            fprintf(out, "\n    %s", command);
        fputc('\n', out);
    }
    if (!out || !text_close(out) || (c->found && !command)) {
        free(a->text);
        a->text = NULL;
    }
    free(command);
    return signal;
}

int claim_search(const struct scenario *sc, struct options *o, const struct claim_place *at, struct claim_answer *a)
{
    struct claimed c = {.o = o, .sc = sc, .arena = &o->arena, .place = at, .answer = a};
    struct search_asks asked = {.ctx = &c, .begin = begin, .note = note, .count = count, .report = a ? answer_later : report};
    c.text = at->typed ? at->typed : claim_in(sc, &o->arena, at);
    if (!c.text)
        return usage_error("%s", strerror(ENOMEM));
    if (!claim_fits(sc, o, &c))
        return 2;
    struct junit junit;
    if (!junit_begin(&junit, a ? NULL : o->junit))
        return 2;
    c.junit = &junit;
    asked.sees_order = c.modal.pattern && pattern_sees_order(c.modal.pattern);
    return junit_end(&junit, search_run(sc, o, &asked));
}

static int claim(struct options *o)
{
    if (o->merge)
        return cmd_merge(o, report_merged);
    if (o->nargs != 2)
        return o->nargs > 2 ? usage_error("claim takes one FILE or NAME and one claim; unexpected \"%s\"; quote the claim", o->args[2])
                            : usage_error("claim needs a FILE or NAME and a claim, such as \"may: ends: deadlock\"");
    struct scenario *sc = search_scenario(o);
    int code = sc ? claim_search(sc, o, &(struct claim_place){.typed = o->args[1]}, NULL) : 2;
    scenario_free(sc);
    return code;
}

int cmd_claim(int argc, char **argv)
{
    struct options o;
    int code = 2;
    if (options_parse(&o, CMD_CLAIM, argc, argv))
        code = o.help
                   ? command_help(
                         "claim FILE|NAME 'may: X' | 'must: X' | 'never: X' [options]",
                         "X: an event, `when CONDITION`, `ends: HOW` or `prints: TEXT`. Searches for a schedule with X (must: without X)",
                         CMD_CLAIM)
                   : claim(&o);
    options_fini(&o);
    return code;
}
