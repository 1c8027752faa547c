/* `vary`: numbers that the seed draws. Each number is drawn once, before anything of the file is checked, and takes the place of its name in the
 * tree: in every expression, as {NAME} in every text, and where the file has a number. What is compiled then is an ordinary scenario. So
 * nothing behind the tree knows of names that are drawn, and all checks apply to what is run.
 *
 * A scenario that varies keeps the scenarios that were drawn from it, one for each combination of values. */
#include "base/prng.h"
#include "scenario/scenario_internal.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_MAX 1000000000

/* ---- the key `vary` ---- */

static struct ynode *list_of(struct arena *a, struct ynode *only)
{
    struct ynode *list = arena_alloc(a, sizeof *list);
    struct ynode **item = arena_alloc(a, sizeof *item);
    if (!list || !item)
        return NULL;
    *list = (struct ynode){.kind = Y_LIST, .line = only->line, .col = only->col, .item = item, .n = 1, .weight = only->weight + 1};
    item[0] = only;
    return list;
}

/* Returns {name: NAME, values: [VALUE, ...]}. NULL: out of memory. */
static struct ynode *entry_of(struct arena *a, struct ynode *name, struct ynode *values)
{
    struct ynode *map = yaml_new_map(a, name), *n = yaml_new_scalar(a, "name", name), *v = yaml_new_scalar(a, "values", values);
    if (values->kind == Y_SCALAR)
        values = list_of(a, values);
    return map && n && v && values && yaml_map_add(a, map, n, name) && yaml_map_add(a, map, v, values) ? map : NULL;
}

void vary_normalise(struct arena *a, struct ynode *root)
{
    struct ynode *map = yaml_get(root, "vary");
    if (!map || map->kind != Y_MAP)
        return;
    struct ynode **item = arena_alloc(a, (map->n + 1) * sizeof *item);
    for (size_t i = 0; item && i < map->n; i++)
        if (!(item[i] = entry_of(a, map->item[2 * i], map->item[2 * i + 1])))
            return;
    if (item)
        *map = (struct ynode){
            .kind = Y_LIST, .line = map->line, .col = map->col, .item = item, .n = map->n, .weight = map->weight + 3 * map->n};
}

static const struct vary *find(const struct scenario *sc, const char *name, size_t len)
{
    for (uint32_t i = 0; i < sc->nvary; i++)
        if (strlen(sc->vary[i].name) == len && !memcmp(sc->vary[i].name, name, len))
            return &sc->vary[i];
    return NULL;
}

bool vary_has(const struct scenario *sc, const char *name)
{
    return find(sc, name, strlen(name));
}

static bool take_number(const char **s, int64_t *v)
{
    const char *from = *s;
    for (*v = 0; **s >= '0' && **s <= '9' && *v <= VALUE_MAX; (*s)++)
        *v = *v * 10 + (**s - '0');
    return *s > from && *v <= VALUE_MAX;
}

/* Reads "6" or "4..9". */
static bool read_range(struct compiler *c, const struct ynode *at, struct vary_range *out)
{
    const char *s = at->text;
    bool good = at->kind == Y_SCALAR && take_number(&s, &out->low);
    out->high = out->low;
    if (good && !strncmp(s, "..", 2)) {
        s += 2;
        good = take_number(&s, &out->high);
    }
    if (!good || *s)
        bad(c, at, 0, "vary: \"%s\" is neither a number nor a range; write 6, 4..9 or [2, 4]", at->kind == Y_SCALAR ? at->text : "this");
    else if (out->high < out->low)
        bad(c, at, 0, "vary: the range %s is empty; the smaller number comes first", at->text);
    else
        return true;
    return false;
}

static bool name_fits(struct compiler *c, const struct ynode *at)
{
    static const char *const known[] = {"i", "goid", "p", "m"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(at->text, known[i]))
            return bad(c, at, 0, "vary: \"%s\" has a meaning in programs; choose another name", at->text), false;
    if (variable_valid(at->text) && !vary_has(c->sc, at->text))
        return true;
    bad(c, at, 0, variable_valid(at->text) ? "vary: \"%s\" appears twice" : "vary: \"%s\" is not a name of letters, digits and _",
        at->text);
    return false;
}

static void read_entry(struct compiler *c, const struct ynode *item)
{
    const struct ynode *name = yaml_get(item, "name"), *values = yaml_get(item, "values");
    struct vary *v = &c->sc->vary[c->sc->nvary];
    if (!name || name->kind != Y_SCALAR || !values || values->kind != Y_LIST || !name_fits(c, name))
        return;
    v->name = name->text;
    v->range = arena_alloc(c->a, (values->n + 1) * sizeof *v->range);
    for (size_t i = 0; v->range && i < values->n; i++) {
        if (!read_range(c, values->item[i], &v->range[v->nranges]))
            continue;
        v->total += (uint64_t)(v->range[v->nranges].high - v->range[v->nranges].low) + 1;
        v->nranges++;
    }
    if (!values->n)
        bad(c, name, 0, "vary: \"%s\" has no values; write 4..9 or [2, 4]", v->name);
    c->sc->nvary += v->nranges > 0;
}

void vary_read(struct compiler *c)
{
    const struct ynode *list = yaml_get(c->root, "vary");
    if (!list || list->kind != Y_LIST)
        return;
    if (list->n > VARY_MAX) {
        bad(c, list, 0, "vary: expected at most %d names, got %zu", VARY_MAX, list->n);
        return;
    }
    c->sc->vary = arena_alloc(c->a, (list->n + 1) * sizeof *c->sc->vary);
    for (size_t i = 0; c->sc->vary && i < list->n; i++)
        read_entry(c, list->item[i]);
}

/* ---- the values ---- */

int64_t vary_value(const struct vary *v, uint64_t nth)
{
    uint32_t i = 0;
    while (nth > (uint64_t)(v->range[i].high - v->range[i].low)) {
        nth -= (uint64_t)(v->range[i].high - v->range[i].low) + 1;
        i++;
    }
    return v->range[i].low + (int64_t)nth;
}

int64_t vary_draw(const struct vary *v, uint64_t seed)
{
    struct prng r;
    uint32_t hash = 2166136261u;
    for (const char *s = v->name; *s; s++)
        hash = (hash ^ (unsigned char)*s) * 16777619u;
    prng_seed(&r, seed, (uint64_t)PRNG_VARY << 32 | hash);
    return vary_value(v, prng_below(&r, v->total > UINT32_MAX ? UINT32_MAX : (uint32_t)v->total));
}

/* The file's own seed, as far as it can be known before the file is checked. */
static uint64_t own_seed(const struct ynode *root)
{
    const struct ynode *seed = yaml_get(yaml_get(root, "scheduler"), "seed");
    return seed && seed->kind == Y_SCALAR ? strtoull(seed->text, NULL, 10) : 1;
}

void vary_set(struct compiler *c, const int64_t *values)
{
    struct scenario *sc = c->sc;
    struct run_number *out = arena_alloc(c->a, (sc->nvary + 1) * sizeof *out);
    for (uint32_t i = 0; out && i < sc->nvary; i++) {
        sc->vary[i].value = values ? values[i] : vary_draw(&sc->vary[i], own_seed(c->root));
        out[i] = (struct run_number){sc->vary[i].name, sc->vary[i].value};
    }
    sc->info.drawn = out;
    sc->info.ndrawn = out ? sc->nvary : 0;
}

/* ---- the tree ---- */

struct use_of {
    const struct scenario *sc;
    uint32_t used;
};

static int resolve(void *ctx, const char *name, size_t len)
{
    struct use_of *u = ctx;
    const struct vary *v = find(u->sc, name, len);
    u->used += v != NULL;
    return v ? (int)(v - u->sc->vary) : -1;
}

static int64_t get(void *ctx, int slot)
{
    return ((struct use_of *)ctx)->sc->vary[slot].value;
}

/* Computes an expression of drawn names. False: it has other names, or none, or is no expression. */
static bool compute(struct compiler *c, const char *s, size_t len, int64_t *v)
{
    struct use_of u = {.sc = c->sc};
    const char *err, *name;
    size_t pos, name_len;
    struct expr *e = expr_compile(c->a, s, len, resolve, &u, &err, &pos, &name, &name_len);
    return e && u.used && expr_eval(e, get, &u, v) == EXPR_OK;
}

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Returns true if the word from s[i] to s[end] is a part of a query's language: an event, a field before its operator, a gauge, a counter, a function. */
static bool is_of_query(const char *s, size_t i, size_t end, size_t len)
{
    size_t next = end;
    while (next < len && s[next] == ' ')
        next++;
    bool before = next < len && strchr("=!<>(", s[next]), dotted = (i && s[i - 1] == '.') || (end < len && s[end] == '.');
    bool counter = i >= strlen("counter(") && !strncmp(s + i - strlen("counter("), "counter(", strlen("counter("));
    return before || dotted || counter || ev_kind(s + i, end - i) >= 0;
}

/* Writes an expression, or a query, with the values in place of the drawn names. */
static void put_names(struct compiler *c, const char *s, size_t len, bool query, FILE *out)
{
    for (size_t i = 0, n; i < len; i += n) {
        for (n = 0; i + n < len && in_word(s[i + n]);)
            n++;
        const struct vary *v = n && !(query && is_of_query(s, i, i + n, len)) ? find(c->sc, s + i, n) : NULL;
        n += !n;
        if (v)
            fprintf(out, "%" PRId64, v->value);
        else
            fwrite(s + i, 1, n, out);
    }
}

enum part { PART_TEXT, PART_PRINT, PART_NAMES, PART_INDEX, PART_LESSON, PART_QUERY };

/* A text of a lesson keeps the braces: a number is a query, too, and what is filled in needs no proof (lesson.c). */
static void put_text(struct compiler *c, const struct ynode *n, enum part part, FILE *out)
{
    size_t open = part == PART_INDEX ? strcspn(n->text, "[") : n->len;
    if (part == PART_NAMES || part == PART_INDEX) {
        fwrite(n->text, 1, part == PART_NAMES ? 0 : open, out);
        put_names(c, n->text + (part == PART_NAMES ? 0 : open), n->len - (part == PART_NAMES ? 0 : open), false, out);
        return;
    }
    if (part == PART_QUERY && !strchr(n->text, '{') && (strchr(n->text, '(') || strstr(n->text, " at "))) {
        put_names(c, n->text, n->len, true, out);
        return;
    }
    for (size_t i = 0; i < n->len;)
        if (n->text[i] == '{' && n->text[i + 1] == '{') {
            fputs("{{", out);
            i += 2;
        } else if (n->text[i] == '{') {
            const char *s = n->text + i + 1; /* {…}; an opening brace that is not one of drawn names stands for itself */
            size_t inner = 0, left = n->len - i - 1;
            int64_t v;
            while (inner < left && s[inner] != '{' && s[inner] != '}')
                inner++;
            bool closed = inner < left && s[inner] == '}', keeps = closed && (part == PART_PRINT || part == PART_LESSON);
            if (closed && compute(c, s, inner, &v)) {
                fprintf(out, part == PART_LESSON && v >= 0 ? "{%" PRId64 "}" : "%" PRId64, v);
                i += inner + 2;
                continue;
            }
            fputc('{', out);
            if (keeps)
                put_names(c, s, inner, part == PART_LESSON, out);
            i += keeps ? inner + 1 : 1;
        } else {
            fputc(n->text[i++], out);
        }
}

static void fill_text(struct compiler *c, struct ynode *n, enum part part)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = text_open(&text, &len);
    if (out)
        put_text(c, n, part, out);
    if (out && text_close(out)) {
        char *filled = arena_strndup(c->a, text, len);
        n->text = filled ? filled : n->text; /* without memory the old text stays, and the arena lacks it */
        n->len = filled ? len : n->len;
    } else {
        c->a->lacking = true;
    }
    free(text);
}

/* A number may be an expression of drawn names, with or without braces. */
static void fill_number(struct compiler *c, struct ynode *n)
{
    int64_t v;
    fill_text(c, n, PART_TEXT);
    char *number = compute(c, n->text, n->len, &v) ? arena_printf(c->a, "%" PRId64, v) : NULL;
    n->text = number ? number : n->text;
    n->len = strlen(n->text);
    n->quoted &= !n->len || strspn(n->text, "0123456789") != n->len;
}

static enum part part_of_operation(const char *key)
{
    static const struct {
        const char *key;
        enum key_kind kind;
    } keys[] = {
#define KEY(key, member, kind) {key, KIND_##kind},
#include "scenario/ops.def"
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strcmp(keys[i].key, key))
            return keys[i].kind == KIND_EXPR || keys[i].kind == KIND_EXPRS ? PART_NAMES
                   : keys[i].kind == KIND_NAME                             ? PART_INDEX
                   : !strcmp(key, "print")                                 ? PART_PRINT
                                                                           : PART_TEXT;
    return PART_TEXT;
}

/* The languages of a text are parts as the text is. */
static enum part part_of(const cyaml_schema_value_t *s, const char *key, enum part of_map)
{
    static const char *const texts[] = {"say", "question", "because"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!strcmp(key, texts[i]))
            return PART_LESSON;
    if (scenario_is_operation(s))
        return part_of_operation(key);
    return !strcmp(key, "answer") || !strcmp(key, "value") || !strcmp(key, "facts") ? PART_QUERY : of_map;
}

static void fill(struct compiler *c, struct ynode *n, const cyaml_schema_value_t *s, enum part part);

static void fill_map(struct compiler *c, struct ynode *n, const cyaml_schema_value_t *s, enum part part)
{
    for (size_t i = 0; i < n->n; i++) {
        const struct ynode *key = n->item[2 * i];
        for (const cyaml_schema_field_t *f = s->mapping.fields; f->key && key->kind == Y_SCALAR; f++)
            if (!strcmp(f->key, key->text) && strcmp(f->key, "vary") != 0 && (f->value.data_size != 8 || strcmp(f->key, "seed") != 0))
                fill(c, n->item[2 * i + 1], &f->value, part_of(s, key->text, part));
    }
}

static void fill(struct compiler *c, struct ynode *n, const cyaml_schema_value_t *s, enum part part)
{
    if (n->kind == Y_MAP && s->type == CYAML_MAPPING)
        fill_map(c, n, s, part);
    for (size_t i = 0; n->kind == Y_LIST && s->type == CYAML_SEQUENCE && i < n->n; i++)
        fill(c, n->item[i], s->sequence.entry, part);
    if (n->kind == Y_SCALAR && s->type == CYAML_UINT)
        fill_number(c, n);
    if (n->kind == Y_SCALAR && s->type == CYAML_STRING)
        fill_text(c, n, part);
}

void vary_fill(struct compiler *c, struct ynode *root)
{
    if (c->sc->nvary)
        fill(c, root, &scenario_schema, PART_TEXT);
}

const char *scenario_fill(const struct scenario *sc, struct arena *a, const char *text)
{
    struct scenario copy = {.vary = sc->vary, .nvary = sc->nvary};
    struct compiler c = {.a = a, .sc = &copy};
    struct ynode n = {.kind = Y_SCALAR, .text = text, .len = strlen(text)};
    if (sc->nvary)
        fill_text(&c, &n, PART_QUERY);
    return n.text;
}

bool scenario_fix(struct scenario *sc, const char *assignment, char *err, size_t size)
{
    const char *names[VARY_MAX] = {NULL}, *equals = strchr(assignment, '='), *s = equals ? equals + 1 : "";
    int64_t value;
    if (!equals || !take_number(&s, &value) || *s) {
        snprintf(err, size, "expected NAME=NUMBER, such as n=6, got \"%s\"", assignment);
        return false;
    }
    for (uint32_t i = 0; i < sc->nvary; i++) {
        names[i] = sc->vary[i].name;
        if (strlen(names[i]) != (size_t)(equals - assignment) || strncmp(names[i], assignment, strlen(names[i])) != 0)
            continue;
        sc->draws->is_fixed[i] = true;
        sc->draws->fixed[i] = value;
        return true;
    }
    char word[80];
    snprintf(word, sizeof word, "%.*s", (int)(equals - assignment), assignment);
    const char *near = sc->nvary ? diag_nearest(word, names, sc->nvary) : NULL;
    size_t at = (size_t)snprintf(err, size, "%s does not vary \"%s\"; ", sc->info.name, word);
    if (near)
        snprintf(err + at, size - at, "did you mean \"%s\"?", near);
    else if (!sc->nvary)
        snprintf(err + at, size - at, "it has no \"vary\"");
    for (uint32_t i = 0; !near && i < sc->nvary && at < size; i++)
        at += (size_t)snprintf(err + at, size - at, "%s%s", i ? ", " : "it varies ", names[i]);
    return false;
}
