/* Expectations as written: each is one claim, with the modifiers that belong to it. */
#include "model/query/modal.h"
#include "scenario/scenario_internal.h"
#include <errno.h>
#include <string.h>

struct shape {
    const char *key;
    enum claim_kind kind;
    const char *mod[3];
};

static const struct shape shapes[] = {
    {"prints", CLAIM_PRINTS, {NULL}},
    {"prints_sorted", CLAIM_PRINTS_SORTED, {NULL}},
    {"counter", CLAIM_COUNTER, {"min", "max", "equals"}},
    {"event", CLAIM_EVENT, {"times", "min", "max"}},
    {"never", CLAIM_NEVER, {NULL}},
    {"sequence", CLAIM_SEQUENCE, {NULL}},
    {"ends", CLAIM_ENDS, {NULL}},
    {"within", CLAIM_WITHIN, {NULL}},
    {"may", CLAIM_MODAL, {NULL}},
    {"must", CLAIM_MODAL, {NULL}},
    {"races", CLAIM_RACES, {NULL}},
    {"leaks", CLAIM_LEAKS, {NULL}},
};

static const struct shape *shape_of(const char *key)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (!strcmp(shapes[i].key, key))
            return &shapes[i];
    return NULL;
}

static bool takes(const struct shape *s, const char *key)
{
    if (!strcmp(s->key, key) || !strcmp(key, "mode") || !strcmp(key, "seed") || !strcmp(key, "generation") || !strcmp(key, "stalls"))
        return true;
    for (int i = 0; i < 3 && s->mod[i]; i++)
        if (!strcmp(s->mod[i], key))
            return true;
    return false;
}

static const struct shape *find_shape(struct compiler *c, const struct ynode *node)
{
    const struct shape *found = NULL;
    for (size_t i = 0; i < node->n; i++) {
        const struct shape *s = shape_of(node->item[2 * i]->text);
        if (!s)
            continue;
        if (found) {
            bad(c, node->item[2 * i], 0, "\"%s\" next to \"%s\": an expectation makes exactly one claim; begin a new one with \"- %s\"",
                s->key, found->key, s->key);
            return NULL;
        }
        found = s;
    }
    if (!found && !tree_damaged(node))
        bad(c, node->n ? node->item[0] : node, 0,
            "an expectation makes no claim; add prints, prints_sorted, counter, event, never, sequence, ends, within, races, leaks, may or must");
    return found;
}

/* Returns "times, min, max, ". */
static const char *shape_mods(const struct shape *s, char *out, size_t size)
{
    size_t n = 0;
    for (int i = 0; i < 3 && s->mod[i] && n < size; i++)
        n += (size_t)snprintf(out + n, size - n, "%s, ", s->mod[i]);
    return out;
}

static void check_shape(struct compiler *c, const struct ynode *node, const struct shape *s)
{
    char mods[64];
    for (size_t i = 0; i < node->n; i++)
        if (!takes(s, node->item[2 * i]->text))
            bad(c, node->item[2 * i], 0, "\"%s\" does not belong to \"%s\", which takes %smode, seed, stalls and generation",
                node->item[2 * i]->text, s->key, s->mod[0] ? shape_mods(s, mods, sizeof mods) : "");
}

static void claim_lines(struct claim *out, char **lines, unsigned n)
{
    out->lines = lines;
    out->nlines = n;
}

/* `times` or `equals` sets an exact number; otherwise min and max are bounds, and `min` has a default. */
static void claim_bounds(struct compiler *c, struct claim *out, const uint64_t *exact, const struct yexpect *y, uint64_t min,
                         const struct ynode *node)
{
    out->min = exact ? *exact : y->min ? *y->min : y->max && *y->max < min ? 0 : min;
    out->max = exact ? *exact : y->max ? *y->max : UINT64_MAX;
    if (exact && (y->min || y->max))
        bad(c, yaml_key(node, y->min ? "min" : "max"), 0, "an exact number and a bound; write only one of them");
    else if (out->min > out->max)
        bad(c, yaml_get(node, "min"), 0, "min %llu is greater than max %llu", (unsigned long long)out->min, (unsigned long long)out->max);
}

static void claim_counter(struct compiler *c, struct claim *out, const struct yexpect *y, const struct ynode *node)
{
    const struct ynode *at = yaml_get(node, "counter");
    const char *near;
    out->text = y->counter;
    out->counter = counter_index(y->counter);
    if (out->counter < 0) {
        near = diag_nearest(y->counter, counter_name, COUNTERS_N);
        if (near)
            bad(c, at, 0, "unknown counter \"%s\"; did you mean \"%s\"?", y->counter, near);
        else
            bad(c, at, 0, "unknown counter \"%s\"; the names are those of the summary, such as \"steals\" or \"parks\"", y->counter);
        offer(c, at, 0, y->counter, counter_name, COUNTERS_N);
    }
    if (!y->min && !y->max && !y->equals && !tree_damaged(node))
        bad(c, at, 0, "a counter alone makes no claim; add min, max or equals");
    claim_bounds(c, out, y->equals, y, 0, node);
}

static void claim_pattern(struct compiler *c, struct claim *out, const char *s, const struct ynode *at)
{
    out->text = s;
    if ((out->pattern = arena_alloc(c->a, sizeof *out->pattern)))
        out->pattern[0] = compile_pattern(c, at, s);
}

void compile_what(struct compiler *c, const struct ynode *at, const char *s, struct modal *m)
{
    const char *err;
    size_t pos, n = strcspn(s, ": ");
    m->ends = -1;
    if (s[n] != ':' || (s[n + 1] && s[n + 1] != ' '))
        m->pattern = compile_pattern(c, at, s);
    else if (!modal_parse_what(c->a, s, m, &err, &pos))
        bad(c, at, pos, "%s", err ? err : "out of memory");
}

static void claim_modal(struct compiler *c, struct claim *out, enum modal_word word, const char *s, const struct ynode *at)
{
    out->kind = CLAIM_MODAL;
    out->text = arena_printf(c->a, "%s: %s", modal_word_name[word], s);
    out->modal.word = word;
    compile_what(c, at, s, &out->modal);
    out->end = word != MODAL_NEVER ? out->modal.ends : -1;
    if (out->modal.pattern && (out->pattern = arena_alloc(c->a, sizeof *out->pattern)))
        out->pattern[0] = out->modal.pattern;
}

static bool is_modal(const char *never)
{
    return !strncmp(never, "ends:", 5) || !strncmp(never, "prints:", 7);
}

static void claim_sequence(struct compiler *c, struct claim *out, const struct yexpect *y, const struct ynode *node)
{
    const struct ynode *list = yaml_get(node, "sequence");
    claim_lines(out, y->sequence, y->sequence_count);
    if (!y->sequence_count && !tree_damaged(list))
        bad(c, yaml_key(node, "sequence"), 0, "an empty sequence makes no claim; list at least one event");
    out->pattern = arena_alloc(c->a, (y->sequence_count + 1) * sizeof *out->pattern);
    for (unsigned i = 0; out->pattern && i < y->sequence_count; i++)
        out->pattern[i] = compile_pattern(c, list->item[i], y->sequence[i]);
}

static void claim_value(struct compiler *c, struct claim *out, const struct yexpect *y, const struct ynode *node)
{
    switch (out->kind) {
    case CLAIM_PRINTS:
        claim_lines(out, y->prints, y->prints_count);
        break;
    case CLAIM_PRINTS_SORTED:
        claim_lines(out, y->prints_sorted, y->prints_sorted_count);
        break;
    case CLAIM_COUNTER:
        claim_counter(c, out, y, node);
        break;
    case CLAIM_EVENT:
        claim_pattern(c, out, y->event, yaml_get(node, "event"));
        claim_bounds(c, out, y->times, y, 1, node);
        break;
    case CLAIM_NEVER:
        if (is_modal(y->never))
            claim_modal(c, out, MODAL_NEVER, y->never, yaml_get(node, "never"));
        else
            claim_pattern(c, out, y->never, yaml_get(node, "never"));
        break;
    case CLAIM_MODAL:
        claim_modal(c, out, y->may ? MODAL_MAY : MODAL_MUST, y->may ? y->may : y->must, yaml_get(node, y->may ? "may" : "must"));
        break;
    case CLAIM_SEQUENCE:
        claim_sequence(c, out, y, node);
        break;
    case CLAIM_ENDS:
        out->end = *y->ends;
        break;
    case CLAIM_RACES:
        out->min = out->max = *y->races;
        break;
    case CLAIM_LEAKS:
        out->min = out->max = *y->leaks;
        break;
    default:
        compile_duration(c, yaml_get(node, "within"), y->within, &out->within);
    }
}

static void compile_claim(struct compiler *c, struct claim *out, const struct yexpect *y, const struct ynode *node)
{
    const struct shape *s = find_shape(c, node);
    if (!s)
        return;
    *out = (struct claim){.kind = s->kind, .line = node->line, .col = node->col, .mode = y->mode ? *y->mode : -1};
    out->has_seed = y->seed != NULL;
    out->no_stalls = y->stalls != NULL;
    out->seed = y->seed ? *y->seed : 0;
    out->gens = scenario_narrow(y->generation, y->generation_count);
    check_shape(c, node, s);
    c->gens = out->gens;
    claim_value(c, out, y, node);
    c->gens = ALL_GENERATIONS;
}

void compile_claims(struct compiler *c)
{
    const struct yscenario *y = c->sc->y;
    const struct ynode *list = yaml_get(c->root, "expect");
    unsigned n = y->expect_count;
    if (n && !(c->sc->claim = arena_alloc(c->a, n * sizeof *c->sc->claim))) {
        diag_lack(c->d, ENOMEM);
        return;
    }
    if (n > MAX_CLAIMS)
        bad(c, list->item[MAX_CLAIMS], 0, "expected at most %u expectations in one scenario", MAX_CLAIMS);
    for (unsigned i = 0; i < n; i++)
        compile_claim(c, &c->sc->claim[i], &y->expect[i], list->item[i]);
    c->sc->info.nexpect = n;
    for (unsigned i = 0; i < n; i++) {
        const struct claim *one = &c->sc->claim[i];
        c->sc->info.claims_order |= one->kind == CLAIM_SEQUENCE || one->kind == CLAIM_WITHIN ||
                                    (one->pattern && one->pattern[0] && pattern_sees_order(one->pattern[0]));
    }
}

bool scenario_modal(const struct scenario *sc, uint32_t i, enum rt_generation gen, bool *no_stalls)
{
    const struct claim *c = &sc->claim[i];
    *no_stalls = c->no_stalls;
    return c->kind == CLAIM_MODAL && c->mode != MODE_FREE && !c->has_seed && c->gens >> gen & 1;
}

const char *scenario_claim_text(const struct scenario *sc, uint32_t i)
{
    return sc->claim[i].text;
}
