/* See merge.h. JSON is YAML, so base/yaml reads the files, with the place of each mistake. */
#include "cli/merge.h"
#include "base/run_names.h"
#include "base/yaml/yaml.h"
#include "cli/commands.h"
#include "cli/findings.h"
#include "cli/search_tree.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- what libcyaml loads: the keys that findings.c writes ---- */

struct yfailure {
    uint64_t seed, unit, events, at;
    uint32_t exit, go_exit, g; /* go_exit: 0: none */
    char *kind, *why, *replay;
};
struct yvalue {
    char *value, *open;
    uint64_t times, first_seed;
};
struct yreport {
    char *version, *scenario, *scenario_hash, *command, *query, *ended, *claim, *open;
    uint64_t found_seed, found_unit, found_event;
    uint64_t *units;
    enum rt_generation generation;
    uint64_t seed, seeds, schedules, events, failed, cut, unjudged, narrowed, may_bits, may_shown_bits, wall_ns;
    uint32_t gomaxprocs, assumed_procs, part, of, processes;
    uint32_t stalls;
    bool fine, calm, calls, exhaust, reduced;
    int search;
    struct yfailure *failures;
    struct yvalue *tally, *races;
    unsigned failures_count, tally_count, races_count, units_count;
};

#define X(id, name) {name, id},
static const cyaml_strval_t generation_words[] = {RUN_GENERATIONS(X)};
static const cyaml_strval_t way_words[] = {RUN_WAYS(X)};
#undef X

#define NUMBER(type, field) CYAML_FIELD_UINT(#field, CYAML_FLAG_DEFAULT, type, field)
#define TEXT(type, field, flags) CYAML_FIELD_STRING_PTR(#field, CYAML_FLAG_POINTER | (flags), type, field, 0, CYAML_UNLIMITED)
#define MANY(field, flags, entry) \
    CYAML_FIELD_SEQUENCE(#field, CYAML_FLAG_POINTER | (flags), struct yreport, field, entry, 0, CYAML_UNLIMITED)

static const cyaml_schema_field_t failure_fields[] = {
    NUMBER(struct yfailure, seed),
    NUMBER(struct yfailure, exit),
    NUMBER(struct yfailure, events),
    NUMBER(struct yfailure, at),
    NUMBER(struct yfailure, g),
    TEXT(struct yfailure, kind, 0),
    TEXT(struct yfailure, why, 0),
    TEXT(struct yfailure, replay, 0),
    CYAML_FIELD_UINT("go_exit", CYAML_FLAG_OPTIONAL, struct yfailure, go_exit),
    CYAML_FIELD_UINT("unit", CYAML_FLAG_OPTIONAL, struct yfailure, unit),
    CYAML_FIELD_END};
static const cyaml_schema_value_t failure_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yfailure, failure_fields)};
static const cyaml_schema_field_t value_fields[] = {
    TEXT(struct yvalue, value, 0), NUMBER(struct yvalue, times), NUMBER(struct yvalue, first_seed),
    TEXT(struct yvalue, open, CYAML_FLAG_OPTIONAL), CYAML_FIELD_END};
static const cyaml_schema_value_t value_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yvalue, value_fields)};
static const cyaml_schema_value_t unit_schema = {CYAML_VALUE_UINT(CYAML_FLAG_DEFAULT, uint64_t)};
static const cyaml_schema_field_t report_fields[] = {
    TEXT(struct yreport, scenario, 0),
    CYAML_FIELD_ENUM("generation", CYAML_FLAG_STRICT, struct yreport, generation, generation_words, GENERATIONS),
    NUMBER(struct yreport, gomaxprocs),
    CYAML_FIELD_BOOL("fine", CYAML_FLAG_DEFAULT, struct yreport, fine),
    CYAML_FIELD_ENUM("search", CYAML_FLAG_STRICT, struct yreport, search, way_words, WAYS_OF_RUNS),
    NUMBER(struct yreport, seed),
    NUMBER(struct yreport, seeds),
    NUMBER(struct yreport, part),
    NUMBER(struct yreport, of),
    TEXT(struct yreport, version, 0),
    TEXT(struct yreport, scenario_hash, 0),
    NUMBER(struct yreport, assumed_procs),
    TEXT(struct yreport, command, 0),
    TEXT(struct yreport, query, CYAML_FLAG_OPTIONAL),
    TEXT(struct yreport, claim, CYAML_FLAG_OPTIONAL),
    TEXT(struct yreport, open, CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_UINT("found_seed", CYAML_FLAG_OPTIONAL, struct yreport, found_seed),
    CYAML_FIELD_UINT("found_unit", CYAML_FLAG_OPTIONAL, struct yreport, found_unit),
    CYAML_FIELD_BOOL("exhaust", CYAML_FLAG_OPTIONAL, struct yreport, exhaust),
    CYAML_FIELD_BOOL("reduced", CYAML_FLAG_OPTIONAL, struct yreport, reduced),
    MANY(units, CYAML_FLAG_OPTIONAL, &unit_schema),
    CYAML_FIELD_UINT("found_event", CYAML_FLAG_OPTIONAL, struct yreport, found_event),
    MANY(failures, 0, &failure_schema),
    CYAML_FIELD_IGNORE("kinds", CYAML_FLAG_DEFAULT), /* they follow from the failures */
    MANY(races, 0, &value_schema),
    MANY(tally, CYAML_FLAG_OPTIONAL, &value_schema),
    TEXT(struct yreport, ended, 0),
    NUMBER(struct yreport, schedules),
    NUMBER(struct yreport, events),
    NUMBER(struct yreport, failed),
    NUMBER(struct yreport, cut),
    NUMBER(struct yreport, unjudged),
    NUMBER(struct yreport, processes),
    NUMBER(struct yreport, wall_ns),
    NUMBER(struct yreport, stalls),
    NUMBER(struct yreport, narrowed),
    NUMBER(struct yreport, may_bits),
    NUMBER(struct yreport, may_shown_bits),
    CYAML_FIELD_BOOL("calm", CYAML_FLAG_DEFAULT, struct yreport, calm),
    CYAML_FIELD_BOOL("calls", CYAML_FLAG_OPTIONAL, struct yreport, calls),
    CYAML_FIELD_END};
static const cyaml_schema_value_t report_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct yreport, report_fields)};

/* ---- one part ---- */

struct part {
    const char *path;
    struct ynode *tree; /* it knows `null` from "null", libcyaml does not */
    struct yreport *report;
};

/* Returns false after an error message if the file is JSON of something else, such as a search that was not split. */
static bool is_part(const struct part *p)
{
    if (!p->tree || yaml_get(p->tree, "part"))
        return true;
    return usage_error("%s: expected what explore --shard K/N --json prints", p->path), false;
}

static bool load_part(struct arena *a, struct part *p)
{
    struct diag d;
    size_t len;
    void *data = NULL;
    diag_init(&d, p->path);
    char *bytes = yaml_read(a, p->path, &len, &d);
    p->tree = bytes ? yaml_parse(a, bytes, len, &d) : NULL;
    if (bytes && !p->tree && !d.lack) {
        diag_fini(&d);
        return usage_error("%s: expected what explore --shard K/N --json prints; this file is empty, cut off or something else", p->path),
               false;
    }
    bool good = p->tree && is_part(p) && yaml_check(p->tree, &report_schema, "part of an exploration", &d) &&
                yaml_load(a, p->tree, &report_schema, &data, &d);
    p->report = data;
    diag_print(&d, stderr);
    diag_fini(&d);
    return good;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

/* Returns the name of what differs between two parts; NULL: they are of one search. */
static const char *difference(const struct yreport *a, const struct yreport *b)
{
    return !same_text(a->version, b->version)               ? "the version of gmpscope"
           : !same_text(a->scenario, b->scenario)           ? "the name of the scenario"
           : !same_text(a->scenario_hash, b->scenario_hash) ? "the text of the scenario"
           : !same_text(a->command, b->command)             ? "the command line"
           : !same_text(a->query, b->query)                 ? "the query"
           : !same_text(a->claim, b->claim)                 ? "the claim"
           : a->seeds != b->seeds                           ? "the number of seeds"
           : a->of != b->of                                 ? "the number of parts"
           : a->seed != b->seed                             ? "the first seed"
           : a->generation != b->generation || a->gomaxprocs != b->gomaxprocs || a->fine != b->fine || a->search != b->search ||
                   a->stalls != b->stalls || a->assumed_procs != b->assumed_procs || a->exhaust != b->exhaust || a->reduced != b->reduced
               ? "a setting of the run"
               : NULL;
}

/* Returns the number of the first part that is not among these n. */
static uint32_t missing_part(const struct part *parts, uint32_t n)
{
    for (uint32_t part = 1;; part++) {
        uint32_t i = 0;
        while (i < n && parts[i].report->part != part)
            i++;
        if (i == n)
            return part;
    }
}

/* Checks what no schema can: that part i is whole, of the same search as the first, and not among the parts before it. Part n - 1, the last one,
 * also shows whether a part is missing. Returns false after an error message. */
static bool part_fits(const struct part *parts, uint32_t n, uint32_t i)
{
    const struct part *p = &parts[i], *first = &parts[0];
    const struct yreport *r = p->report;
    const char *other = difference(first->report, r);
    if (strcmp(r->ended, r->open ? "failures" : r->exhaust ? "all" : "seeds") != 0) /* a part of a claim ends where its answer is */
        return usage_error("%s: this part ended early (%s); run it again to its end", p->path, r->ended), false;
    if (other)
        return usage_error("%s: %s differs from that in %s; only parts of one search can be put together", p->path, other, first->path),
               false;
    if (r->part < 1 || r->part > r->of || r->failed != r->failures_count || (r->open && r->found_seed < r->seed))
        return usage_error("%s: this was changed after explore --shard printed it", p->path), false;
    for (uint32_t k = 0; k < i; k++)
        if (parts[k].report->part == r->part)
            return usage_error("%s: this is part %u of %u, as is %s; give each part once", p->path, r->part, r->of, parts[k].path), false;
    if (i + 1 == n && n < r->of)
        return usage_error("part %u of %u is missing; %u of them are here", missing_part(parts, n), r->of, n), false;
    return true;
}

/* ---- all parts ---- */

struct merging {
    struct arena arena;
    struct part *parts;
    uint32_t n;
};

static bool add_values(struct tally *t, const struct part *p)
{
    const struct ynode *list = yaml_get(p->tree, "tally");
    bool good = true;
    for (unsigned i = 0; good && i < p->report->tally_count; i++) {
        const struct yvalue *v = &p->report->tally[i];
        const struct ynode *value = yaml_get(list->item[i], "value");
        good = tally_add(t, value->quoted ? v->value : NULL, v->times, v->first_seed);
    }
    return good;
}

static bool add_part(struct findings *f, const struct part *p)
{
    const struct yreport *r = p->report;
    f->done += r->schedules;
    f->events += r->events;
    f->cut += r->cut;
    f->unjudged += r->unjudged;
    f->narrowed += r->narrowed;
    f->may |= r->may_bits;
    f->met |= r->may_shown_bits;
    f->processes += r->processes;
    f->wall_ns += (int64_t)r->wall_ns;
    bool good = true;
    for (unsigned i = 0; good && i < r->races_count; i++) {
        const struct yvalue *v = &r->races[i];
        struct tally_row *row = tally_add(&f->races, v->value, v->times, v->first_seed);
        good = row != NULL;
        if (row && !row->open && v->open && row->first == v->first_seed)
            row->open = strdup(v->open);
    }
    return good && add_values(&f->tally, p);
}

/* Those of one seed are of one unit of the tree, so of one part; there they have their order. */
static int by_seed(const void *a, const void *b)
{
    const struct yfailure *x = *(const struct yfailure *const *)a, *y = *(const struct yfailure *const *)b;
    return x->seed != y->seed   ? (x->seed > y->seed) - (x->seed < y->seed)
           : x->unit != y->unit ? (x->unit > y->unit) - (x->unit < y->unit)
                                : (x > y) - (x < y);
}

/* Returns all failures in the order of their seeds, in arena memory; NULL: memory ran out. */
static struct yfailure **failures_of(struct arena *a, const struct part *parts, uint32_t n, size_t *count)
{
    size_t all = 0, k = 0;
    for (uint32_t i = 0; i < n; i++)
        all += parts[i].report->failures_count;
    struct yfailure **out = arena_alloc(a, (all + 1) * sizeof *out);
    for (uint32_t i = 0; out && i < n; i++)
        for (unsigned j = 0; j < parts[i].report->failures_count; j++)
            out[k++] = &parts[i].report->failures[j];
    if (out)
        qsort(out, all, sizeof *out, by_seed);
    *count = all;
    return out;
}

static struct exploration search_of(const struct yreport *r)
{
    return (struct exploration){
        .scenario = r->scenario,
        .command = r->command,
        .tally = r->query,
        .seed = r->seed,
        .seeds = r->seeds,
        .gomaxprocs = r->gomaxprocs,
        .assumed_procs = r->assumed_procs,
        .part = 1,
        .of = 1,
        .generation = r->generation,
        .stalls = r->stalls,
        .way = (enum run_way)r->search,
        .tree = r->exhaust,
        .reduced = r->reduced,
        .calm = r->calm,
        .calls = r->calls,
        .fine = r->fine};
}

/* Prints the report of an exploration. Returns the exit code. */
static int report_all(struct findings *f, struct yfailure **failure, size_t count, const struct options *o)
{
    int code = 0;
    struct junit junit;
    if (!junit_begin(&junit, o->junit))
        return 2;
    findings_begin(f, o->json, stdout);
    for (size_t i = 0; i < count; i++) {
        const struct yfailure *y = failure[i];
        uint32_t own = y->go_exit ? y->go_exit : y->exit;
        const struct failure one = {
            y->seed, y->unit, strtoull(y->kind, NULL, 16), y->events, y->at, y->g, (int)y->exit, (int)own, y->why, y->replay};
        findings_failure(f, &one, o->json, stdout);
        code = command_worse(code, (int)y->exit);
    }
    findings_end(f, o->json, stdout);
    if (f->what.tree && !o->json)
        search_tree_scope(o, f->what.reduced, stdout);
    findings_junit(f, &junit);
    return junit_end(&junit, code);
}

/* Returns how many schedules one process tries up to the one that was found; each part has stopped at its own first one. */
static uint64_t schedules_until(const struct part *parts, uint32_t n, const struct found *first)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < n; i++)
        for (unsigned k = 0; k < parts[i].report->units_count; k++)
            if (k * (uint64_t)n + parts[i].report->part - 1 <= first->unit)
                all += parts[i].report->units[k];
    return all;
}

/* The answer is that of the first seed or unit that gives one. One process would have tried no seed after it. */
static void find_first(const struct part *parts, uint32_t n, struct findings *f, struct found *first)
{
    *first = (struct found){.claim = parts[0].report->claim, .seed = UINT64_MAX};
    for (uint32_t i = 0; i < n; i++) {
        const struct yreport *r = parts[i].report;
        if (r->open && (r->found_seed < first->seed || (r->exhaust && r->found_unit < first->unit)))
            *first = (struct found){r->claim, r->open, r->found_seed, r->found_unit, r->found_event};
    }
    f->found = first->claim ? first : NULL;
    if (!first->open)
        return;
    f->done = f->what.tree ? schedules_until(parts, n, first) : first->seed - f->what.seed + 1;
    f->end = EXPLORED_FAILURES;
}

static int print_report(struct merging *all, const struct options *o, merged_report *report)
{
    const struct part *parts = all->parts;
    uint32_t n = all->n;
    struct findings f = {.what = search_of(parts[0].report),
                         .lang = o->lang,
                         .all = o->all,
                         .end = parts[0].report->exhaust ? EXPLORED_ALL : EXPLORED_SEEDS};
    size_t count;
    int code = 0;
    struct found first;
    struct yfailure **failure = failures_of(&all->arena, parts, n, &count);
    bool good = failure != NULL;
    for (uint32_t i = 0; good && i < n; i++)
        good = add_part(&f, &parts[i]);
    find_first(parts, n, &f, &first);
    if (good)
        code = report ? report(o, &f) : report_all(&f, failure, count, o);
    findings_fini(&f);
    return good ? output_finish(code, 0) : usage_error("%s", strerror(ENOMEM));
}

int cmd_merge(const struct options *o, merged_report *report)
{
    struct merging all = {.n = (uint32_t)o->nargs};
    uint32_t n = all.n, loaded = 0;
    struct part *parts = all.parts = arena_alloc(&all.arena, sizeof *parts * (n + 1));
    bool good = parts && n > 0;
    if (!good)
        usage_error("%s", n ? strerror(ENOMEM) : "--merge needs the files that --shard K/N --json printed");
    for (; good && loaded < n; loaded += good) {
        parts[loaded] = (struct part){.path = o->args[loaded]};
        good = load_part(&all.arena, &parts[loaded]);
    }
    for (uint32_t i = 0; good && i < n; i++)
        good = part_fits(parts, n, i);
    if (good && !parts[0].report->claim != !report) {
        usage_error("%s: this is a part of %s; put the parts together with gmpscope %s --merge", parts[0].path,
                    report ? "an exploration" : "a claim", report ? "explore" : "claim");
        good = false;
    }
    int code = good ? print_report(&all, o, report) : 2;
    for (uint32_t i = 0; i < loaded; i++)
        cyaml_free(&yaml_config, &report_schema, parts[i].report, 0);
    arena_fini(&all.arena);
    return code;
}
