/* See findings.h. */
#include "cli/findings.h"
#include "cli/search_text.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const exploration_end_name[] = {"seeds", "failures", "time", "interrupted", "error", "all", "bound"};

static const enum search_text how_it_ended[] = {ST_BY_SEEDS, ST_BY_FAILURES, ST_BY_TIME, ST_BY_SIGNAL, ST_BY_ERROR, ST_BY_ALL, ST_BY_BOUND};

uint64_t exploration_seed(const struct exploration *s, uint64_t job)
{
    return s->tree ? s->seed : s->seed + s->part - 1 + job * s->of;
}

uint64_t exploration_jobs(const struct exploration *s)
{
    return s->seeds == UINT64_MAX ? s->seeds : s->seeds < s->part ? 0 : (s->seeds - s->part) / s->of + 1;
}

/* Returns the command that opens the run on the screen at this event, with this G selected (0: none), on the heap: the replay with a screen. NULL: memory ran out. */
static char *opening_of(const char *replay, uint64_t event, uint32_t g)
{
    static const char headless[] = " --headless --seed ";
    const char *at = NULL;
    char *line = NULL, select[40] = "";
    for (const char *next = replay; (next = strstr(next, headless)); next++)
        at = next; /* the name of the scenario may have the same text */
    if (g)
        snprintf(select, sizeof select, " --select g%" PRIu32, g);
    const char *seed = at ? at + sizeof headless - 1 : "", *args = strstr(seed, " -- "); /* a Go program's arguments come last */
    int n = args ? (int)(args - seed) : (int)strlen(seed);
    if (!at || asprintf(&line, "%.*s --seed %.*s --at %" PRIu64 "%s%s", (int)(at - replay), replay, n, seed, event, select, seed + n) < 0)
        return NULL;
    return line;
}

/* Counts the failure with those of its kind. Returns true if it is the first of them. */
static bool count_kind(struct findings *f, const struct failure *one)
{
    uint32_t i = 0;
    while (i < f->kinds && (f->kind[i].key != one->kind || f->kind[i].code != one->code || f->kind[i].own != one->own))
        i++;
    if (i == FINDINGS_KINDS)
        return false;
    struct failure_kind *k = &f->kind[i];
    bool first = i == f->kinds;
    if (first) {
        *k = (struct failure_kind){.key = one->kind, .first = one->seed, .events = UINT64_MAX, .code = one->code, .own = one->own};
        f->kinds++;
    }
    k->n++;
    if (one->events < k->events) {
        free(k->open);
        k->open = opening_of(one->replay, one->at ? one->at : one->events, one->g);
        snprintf(k->why, sizeof k->why, "%s", one->why); /* with the numbers of the Gs that it shows */
        k->smallest = one->seed;
        k->events = one->events;
    }
    return first;
}

bool findings_enough(const struct findings *f, uint64_t times)
{
    for (uint32_t i = 0; i < f->kinds; i++)
        if (f->kind[i].n < times)
            return false;
    return true;
}

bool findings_races(struct findings *f, const char *lines, uint64_t seed, const struct replayer *of)
{
    bool good = true;
    for (const char *at = lines; good && *at; at += strcspn(at, "\n"), at += *at == '\n') {
        char line[200], *end;
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\t"), at);
        uint64_t event = strtoull(at + strcspn(at, "\t"), &end, 10);
        struct tally_row *row = tally_add(&f->races, line, 1, seed);
        good = row != NULL;
        if (!row || row->open || row->first != seed)
            continue;
        char *replay = of->replay(of->ctx);
        row->open = replay ? opening_of(replay, event, (uint32_t)strtoul(end, NULL, 10)) : NULL;
        good = row->open != NULL;
        free(replay);
    }
    return good;
}

/* A part has every of-th unit. */
bool findings_unit(struct findings *f, uint64_t unit)
{
    bool counts = f->what.tree && f->what.is_part, good = true;
    for (uint64_t i = unit / f->what.of; counts && good && f->unit.n <= i;)
        good = vec_push(&f->unit, 0);
    if (counts && good)
        f->unit.v[unit / f->what.of]++;
    return good;
}

/* A race is no failure by itself, but a search that has met one says so. */
static void print_races(const struct findings *f, FILE *out)
{
    const struct tally *t = &f->races;
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i < t->row.n; i++)
        first = t->row.v[i].first < first ? t->row.v[i].first : first;
    if (t->row.n)
        fprintf(out, search_format(ST_RACES, "%zu%s%" PRIu64, f->lang), t->row.n, t->row.n == 1 ? "" : "s", first);
    for (size_t i = 0; i < t->row.n; i++) {
        const struct tally_row *r = &t->row.v[i];
        visible_line(out, search_format(ST_FIRST_WITH, "%" PRIu64 "%s%" PRIu64 "%s", f->lang), r->n, r->value, r->first, "");
        if (r->open)
            visible_line(out, search_format(ST_AT_RACE, "%s", f->lang), r->open);
    }
}

static void json_failure(const struct findings *f, const struct failure *one, FILE *out)
{
    fprintf(out,
            "%s{\"seed\":%" PRIu64 ",\"exit\":%d,\"events\":%" PRIu64 ",\"at\":%" PRIu64 ",\"g\":%" PRIu32 ",\"kind\":\"%016" PRIx64
            "\",\"why\":",
            f->failed == 1 ? "" : ",", one->seed, one->code, one->events, one->at, one->g, one->kind);
    json_string(one->why, out);
    if (one->own != one->code)
        fprintf(out, ",\"go_exit\":%d", one->own);
    if (f->what.tree)
        fprintf(out, ",\"unit\":%" PRIu64, one->unit);
    fputs(",\"replay\":", out);
    json_string(one->replay, out);
    fputc('}', out);
}

void findings_failure(struct findings *f, const struct failure *one, bool json, FILE *out)
{
    f->failed++;
    bool first = count_kind(f, one);
    if (json)
        json_failure(f, one, out);
    else if (f->all || first)
        visible_line(out, "%s   # %s", one->replay, one->why);
}

/* What says which part this is and of what; parts are put together only if the rest of it is the same. */
static void json_part(const struct exploration *s, FILE *out)
{
    fprintf(out,
            ",\"seeds\":%" PRIu64 ",\"part\":%u,\"of\":%u,\"version\":\"%s\",\"scenario_hash\":\"%016" PRIx64
            "\",\"assumed_procs\":%u,\"command\":",
            s->seeds, s->part, s->of, s->version, s->scenario_hash, s->assumed_procs);
    json_string(s->command, out);
    if (s->tree)
        fprintf(out, ",\"exhaust\":true,\"reduced\":%s", s->reduced ? "true" : "false");
    if (s->tally) {
        fputs(",\"query\":", out);
        json_string(s->tally, out);
    }
}

void findings_begin(const struct findings *f, bool json, FILE *out)
{
    const struct exploration *s = &f->what;
    if (!json)
        return;
    fputs("{\"scenario\":", out);
    json_string(s->scenario, out);
    fprintf(out, ",\"generation\":\"%s\",\"gomaxprocs\":%u,\"fine\":%s,\"search\":\"%s\",\"seed\":%" PRIu64, generation_name[s->generation],
            s->gomaxprocs, s->fine ? "true" : "false", way_name[s->way], s->seed);
    if (s->is_part)
        json_part(s, out);
    if (f->found) {
        fputs(",\"claim\":", out);
        json_string(f->found->claim, out);
    }
    if (f->found && f->found->open) {
        fprintf(out, ",\"found_seed\":%" PRIu64 ",\"found_unit\":%" PRIu64 ",\"found_event\":%" PRIu64 ",\"open\":", f->found->seed,
                f->found->unit, f->found->event);
        json_string(f->found->open, out);
    }
    fputs(",\"failures\":[", out);
}

/* Prints the number of runs that did not fail but prove nothing: they were cut short or not judged. */
static void print_unproved(const struct findings *f, FILE *out)
{
    if (f->cut)
        fprintf(out, search_format(ST_CUT, "%" PRIu64, f->lang), f->cut);
    if (f->cut && f->cut == f->done)
        fputs(search_text(ST_NONE_FINISHED, f->lang), out);
    if (!f->unjudged)
        return;
    fprintf(out, search_format(ST_UNJUDGED, "%" PRIu64, f->lang), f->unjudged);
    if (f->what.gomaxprocs != f->what.assumed_procs)
        fprintf(out, search_format(ST_ASSUME_PROCS, "%u", f->lang), f->what.assumed_procs);
    else
        fputs(search_text(ST_ASSUME_OWN, f->lang), out);
}

/* Prints a kind on one line, and the command that shows its smallest schedule. */
static void print_kind(const struct failure_kind *k, enum lang lang, FILE *out)
{
    visible_line(out, search_format(ST_KIND, "%" PRIu64 "%d%" PRIu64 "%" PRIu64 "%" PRIu64 "%s", lang), k->n, k->own, k->first, k->events,
                 k->smallest, k->why);
    if (k->open)
        visible_line(out, search_format(ST_AT_FAILURE, "%s", lang), k->open);
}

void findings_scope(const struct findings *f, FILE *out)
{
    static const enum search_text how[WAYS_OF_RUNS] = {ST_ANY_WAY, ST_UNIFORM, ST_STICKY, ST_RANKED, ST_PARALLEL, ST_LOADED, ST_SINGLE};
    const struct exploration *s = &f->what;
    enum search_text of = s->calls && s->stalls && s->way == WAY_MIXED ? ST_ANY_GO_WAY : how[s->way];
    enum lang lang = f->lang;
    char stalls[200] = "";
    if (f->narrowed)
        fprintf(out, search_format(ST_NARROWED, "%" PRIu64 "%s", lang), SCHEDULES(f->narrowed));
    if (s->stalls)
        snprintf(stalls, sizeof stalls, search_format(ST_STALLS, "%s%u%s", lang), s->calm ? "" : search_text(ST_COMMA, lang), s->stalls,
                 s->calls ? search_text(ST_CALLS, lang) : "");
    if (s->calm)
        fprintf(out, search_format(ST_VARIED_CALM, "%s", lang), s->stalls ? stalls : search_text(ST_NOTHING, lang));
    else
        fprintf(out, search_format(ST_VARIED, "%s%s%s", lang), s->fine ? search_text(of, lang) : "",
                s->fine ? search_text(ST_POINTS, lang) : "", stalls);
    fputs(s->fine || s->calm ? "" : search_text(ST_NO_POINTS, lang), out);
    fputs(s->stalls ? "" : search_text(ST_NO_STALLS, lang), out);
    fputs(search_text(ST_REST, lang), out);
}

static void print_text(const struct findings *f, FILE *out)
{
    enum lang lang = f->lang;
    if (!f->all && f->failed > f->kinds)
        fprintf(out, search_format(ST_MORE, "%" PRIu64, lang), f->failed - f->kinds);
    fprintf(out, search_format(ST_TOTAL, "%s%" PRIu64 "%s%f%u%s%" PRIu64 "%" PRIu64, lang), f->what.scenario, SCHEDULES(f->done),
            (double)f->wall_ns / 1e9, f->processes, f->processes == 1 ? "" : "es", f->events, f->failed);
    print_unproved(f, out);
    bool some = f->what.tree && f->end == EXPLORED_SEEDS;
    fputs(search_text(some ? ST_BY_BOUND : how_it_ended[f->end], lang), out);
    if (some)
        fputs(" (--seeds)", out);
    if (f->end == EXPLORED_BOUND)
        fprintf(out, search_format(ST_BOUND, "%s", lang), f->why);
    fputc('\n', out);
    for (uint32_t i = 0; i < f->kinds; i++)
        print_kind(&f->kind[i], lang, out);
    if (f->end == EXPLORED_FAILURES && f->kinds < FINDINGS_KINDS)
        fputs(search_text(ST_OTHER_KINDS, lang), out);
    print_races(f, out);
    if (f->what.tally)
        tally_print(&f->tally, f->what.tally, f->what.stalls, lang, out);
    if (f->may)
        fprintf(out, search_format(ST_MAY, "%d%d", lang), __builtin_popcountll(f->met), __builtin_popcountll(f->may));
    if (!f->what.tree)
        findings_scope(f, out);
}

static void json_kinds(const struct findings *f, FILE *out)
{
    for (uint32_t i = 0; i < f->kinds; i++) {
        const struct failure_kind *k = &f->kind[i];
        fprintf(out,
                "%s{\"kind\":\"%016" PRIx64 "\",\"exit\":%d,\"times\":%" PRIu64 ",\"first_seed\":%" PRIu64 ",\"smallest_seed\":%" PRIu64
                ",\"smallest_events\":%" PRIu64 ",\"why\":",
                i ? "," : "", k->key, k->code, k->n, k->first, k->smallest, k->events);
        json_string(k->why, out);
        fputs(",\"open\":", out);
        json_string(k->open ? k->open : "", out);
        fputc('}', out);
    }
}

static void print_json(const struct findings *f, FILE *out)
{
    fputs("],\"kinds\":[", out);
    json_kinds(f, out);
    fputs("],\"races\":[", out);
    tally_json(&f->races, out);
    if (f->what.tally) {
        fputs("],\"tally\":[", out);
        tally_json(&f->tally, out);
    }
    if (f->unit.n)
        fputs("],\"units\":[", out);
    for (size_t i = 0; i < f->unit.n; i++)
        fprintf(out, "%s%" PRIu64, i ? "," : "", f->unit.v[i]);
    fprintf(out,
            "],\"ended\":\"%s\",\"schedules\":%" PRIu64 ",\"events\":%" PRIu64 ",\"failed\":%" PRIu64 ",\"cut\":%" PRIu64
            ",\"unjudged\":%" PRIu64 ",\"processes\":%u,\"wall_ns\":%" PRId64 ",\"stalls\":%u,\"narrowed\":%" PRIu64
            ",\"may_bits\":%" PRIu64 ",\"may_shown_bits\":%" PRIu64 ",\"calm\":%s,\"calls\":%s}\n",
            exploration_end_name[f->end], f->done, f->events, f->failed, f->cut, f->unjudged, f->processes, f->wall_ns, f->what.stalls,
            f->narrowed, f->may, f->met, f->what.calm ? "true" : "false", f->what.calls ? "true" : "false");
}

void findings_end(struct findings *f, bool json, FILE *out)
{
    tally_sort(&f->tally);
    tally_sort(&f->races);
    (json ? print_json : print_text)(f, out);
}

/* A search without a failure is one test case. It has passed only if it was not stopped, and a run was judged. */
static void junit_whole(const struct findings *f, struct junit *j)
{
    bool stopped = f->end == EXPLORED_INTERRUPTED || f->end == EXPLORED_ERROR || f->end == EXPLORED_BOUND;
    char *why = NULL;
    size_t size;
    FILE *out = text_open(&why, &size);
    if (out) {
        fprintf(out, "%s", search_text(how_it_ended[f->end], f->lang));
        print_unproved(f, out);
    }
    bool good = out && text_close(out);
    enum junit_result result =
        f->end == EXPLORED_ERROR || !good ? JUNIT_ERROR
        : stopped || f->cut + f->unjudged == f->done
            ? JUNIT_SKIPPED
            : JUNIT_PASSED;
    const char *message = good ? why + strspn(why, ",; ") : strerror(ENOMEM);
    junit_case(j, &(struct junit_case){f->what.scenario, "explore", result, "", message, ""});
    if (good)
        free(why);
}

void findings_junit(const struct findings *f, struct junit *j)
{
    for (uint32_t i = 0; i < f->kinds; i++) {
        const struct failure_kind *k = &f->kind[i];
        char type[24], *body = NULL;
        size_t size;
        FILE *out = text_open(&body, &size);
        if (out)
            print_kind(k, f->lang, out);
        bool good = out && text_close(out);
        snprintf(type, sizeof type, "exit %d", k->own);
        junit_case(j, &(struct junit_case){f->what.scenario, k->why, JUNIT_FAILED, type, k->why, good ? body : strerror(ENOMEM)});
        if (good)
            free(body);
    }
    if (!f->kinds)
        junit_whole(f, j);
}

void findings_fini(struct findings *f)
{
    tally_fini(&f->tally);
    for (uint32_t i = 0; i < f->kinds; i++)
        free(f->kind[i].open);
    tally_fini(&f->races);
    vec_free(&f->unit);
}
