/* The tree between yaml_parse and libcyaml.
 *
 * Before the check the tree is made regular, because libcyaml has no unions and no defaults. A plain string where a
 * text map or a declaration may stand becomes that map. A choice that is only a text becomes a
 * map with that text. Keys left empty become absent (lists: empty).
 *
 * After a failed check the mistakes are cut out, so that the rest can still be loaded and all mistakes of a file are
 * reported at once. Nodes that lost something are marked, so that the lint does not report the gap. */
#include "scenario/scenario_internal.h"
#include <string.h>

static bool is_null(const struct ynode *n)
{
    return n->kind == Y_SCALAR && !n->quoted &&
           (n->len == 0 || !strcmp(n->text, "~") || !strcmp(n->text, "null") || !strcmp(n->text, "Null") || !strcmp(n->text, "NULL"));
}

static const cyaml_schema_field_t *field_of(const cyaml_schema_value_t *s, const struct ynode *key)
{
    if (key->kind != Y_SCALAR)
        return NULL;
    for (const cyaml_schema_field_t *f = s->mapping.fields; f->key; f++)
        if (!strcmp(f->key, key->text))
            return f;
    return NULL;
}

static bool is_optional(const cyaml_schema_field_t *f)
{
    return f->value.flags & CYAML_FLAG_OPTIONAL;
}

const char *scenario_short_form(const cyaml_schema_value_t *s)
{
    const cyaml_schema_field_t *f = s->mapping.fields;
    if (!f->key || f->value.type != CYAML_STRING || is_optional(f))
        return NULL;
    for (const cyaml_schema_field_t *rest = f + 1; rest->key; rest++)
        if (!is_optional(rest))
            return NULL;
    return f->key;
}

static struct ynode *new_list(struct arena *a, const struct ynode *at, struct ynode *item)
{
    struct ynode *n = arena_alloc(a, sizeof *n);
    struct ynode **items = arena_alloc(a, sizeof *items);
    if (!n || !items)
        return NULL;
    *n = (struct ynode){.kind = Y_LIST, .line = at->line, .col = at->col, .item = items, .n = item ? 1 : 0};
    n->weight = 1 + (item ? item->weight : 0);
    items[0] = item;
    return n;
}

static struct ynode *wrap_in_map(struct arena *a, const char *key, struct ynode *value)
{
    struct ynode *map = yaml_new_map(a, value), *k = yaml_new_scalar(a, key, value);
    return map && k && yaml_map_add(a, map, k, value) ? map : NULL;
}

static void normalise(struct arena *a, struct ynode **slot, const cyaml_schema_value_t *s);

/* Replaces the empty value of an optional key. Returns false if the key is to be treated as absent. */
static bool normalise_empty(struct arena *a, struct ynode **value, const cyaml_schema_field_t *f)
{
    struct ynode *list;
    if (f->value.type == CYAML_SEQUENCE && (list = new_list(a, *value, NULL)))
        *value = list;
    else if (verb_find(f->key)) /* the compiler reports a verb without a value */
        *value = yaml_new_scalar(a, "", *value);
    else
        return false;
    return *value != NULL;
}

static void normalise_map(struct arena *a, struct ynode *n, const cyaml_schema_value_t *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < n->n; i++) {
        struct ynode *key = n->item[2 * i], *value = n->item[2 * i + 1];
        const cyaml_schema_field_t *f = field_of(s, key);
        if (f && is_null(value) && (is_optional(f) || f->value.type == CYAML_SEQUENCE) && !normalise_empty(a, &value, f))
            continue;
        if (f)
            normalise(a, &value, &f->value);
        n->item[2 * kept] = key;
        n->item[2 * kept++ + 1] = value;
    }
    n->n = kept;
}

/* A choice may be written as its text. */
static bool is_bare_text(const struct ynode *n, const cyaml_schema_value_t *s)
{
    bool choice = s->type == CYAML_MAPPING && scenario_is_choice(s);
    return choice && (n->kind == Y_SCALAR || (n->kind == Y_MAP && (yaml_get(n, "en") || yaml_get(n, "zh"))));
}

/* Returns the number that stands for the word `any`; NULL: this is another word. */
static struct ynode *any_procs(struct arena *a, const struct ynode *n, const cyaml_schema_value_t *s)
{
    bool procs = scenario_is_procs(s) || (s->type == CYAML_SEQUENCE && scenario_is_procs(s->sequence.entry));
    bool any = procs && n->kind == Y_SCALAR && !strcmp(n->text, "any");
    return any ? yaml_new_scalar(a, PROCS_ANY_TEXT, n) : NULL;
}

static bool is_list_of_words(const cyaml_schema_value_t *s)
{
    return s->type == CYAML_SEQUENCE && (s->sequence.entry->type == CYAML_ENUM || scenario_is_procs(s->sequence.entry));
}

static void normalise(struct arena *a, struct ynode **slot, const cyaml_schema_value_t *s)
{
    struct ynode *n = *slot, *made = is_bare_text(n, s) ? wrap_in_map(a, "text", n) : any_procs(a, n, s);
    if (made)
        n = *slot = made;
    made = NULL;
    if (n->kind == Y_SCALAR && s->type == CYAML_MAPPING && scenario_short_form(s))
        made = wrap_in_map(a, scenario_short_form(s), n);
    else if (n->kind == Y_SCALAR && is_list_of_words(s))
        made = new_list(a, n, n);
    if (made) {
        *slot = made;
        return;
    }
    if (n->kind == Y_MAP && s->type == CYAML_MAPPING)
        normalise_map(a, n, s);
    if (n->kind == Y_LIST && s->type == CYAML_SEQUENCE)
        for (size_t i = 0; i < n->n; i++)
            normalise(a, &n->item[i], s->sequence.entry);
}

void tree_normalise(struct arena *a, struct ynode **root)
{
    vary_normalise(a, *root);
    normalise(a, root, &scenario_schema);
}

/* What a map or list has lost to salvage(). */
enum { LOST_SOMETHING = 1, LOST_VARIABLES = 2 };

static void mark_damaged(struct ynode *n, bool variables)
{
    n->mark |= LOST_SOMETHING | (variables ? LOST_VARIABLES : 0);
}

bool tree_damaged(const struct ynode *n)
{
    return n->mark;
}

bool tree_lost_variables(const struct ynode *n)
{
    return n->mark & LOST_VARIABLES;
}

bool tree_lost_list(const struct compiler *c, const char *key)
{
    for (unsigned i = 0; i < c->nlost; i++)
        if (diag_nearest(c->lost[i], &key, 1))
            return true;
    return c->nlost == MAX_LOST;
}

/* Returns whether the pair that is cut out may have named a variable. */
static bool names_variable(const struct ynode *key, const struct ynode *value)
{
    static const char *const keys[] = {"as", "set", "ok", "now", "rand"};
    return key->kind != Y_SCALAR || value->kind != Y_SCALAR || diag_nearest(key->text, keys, sizeof keys / sizeof *keys);
}

static void lose_pair(struct compiler *c, struct ynode *map, const struct ynode *key, const struct ynode *value)
{
    mark_damaged(map, names_variable(key, value));
    if (map == c->root && key->kind == Y_SCALAR && c->nlost < MAX_LOST)
        c->lost[c->nlost++] = key->text;
}

static bool salvage(struct compiler *c, struct ynode *n, const cyaml_schema_value_t *s);

static bool salvage_pair(struct compiler *c, struct ynode *map, size_t i, const cyaml_schema_value_t *s)
{
    const cyaml_schema_field_t *f = field_of(s, map->item[2 * i]);
    if (!f || yaml_key(map, f->key) != map->item[2 * i]) /* unknown, or a second one */
        return false;
    return salvage(c, map->item[2 * i + 1], &f->value);
}

/* A file without a name or without programs is still checked: a placeholder stands in for the missing part. */
static bool add_placeholder(struct compiler *c, struct ynode *root, const cyaml_schema_field_t *f)
{
    struct ynode *key = yaml_new_scalar(c->a, f->key, root), *value;
    value = f->value.type == CYAML_SEQUENCE ? new_list(c->a, root, NULL) : yaml_new_scalar(c->a, "nameless", root);
    mark_damaged(root, false);
    if (c->nlost < MAX_LOST)
        c->lost[c->nlost++] = f->key;
    return key && value && yaml_map_add(c->a, root, key, value);
}

static bool salvage_map(struct compiler *c, struct ynode *n, const cyaml_schema_value_t *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < n->n; i++) {
        if (!salvage_pair(c, n, i, s)) {
            lose_pair(c, n, n->item[2 * i], n->item[2 * i + 1]);
            continue;
        }
        n->item[2 * kept] = n->item[2 * i];
        n->item[2 * kept++ + 1] = n->item[2 * i + 1];
    }
    n->n = kept;
    for (const cyaml_schema_field_t *f = s->mapping.fields; f->key; f++)
        if (!is_optional(f) && !yaml_get(n, f->key) && !(n == c->root && add_placeholder(c, n, f)))
            return false;
    return true;
}

/* Mends a value of the wrong kind: puts a single value into the list that was expected, and takes the name of a declaration where a name was
 * expected. So the rest of the file, which may refer to it, is still checked. */
static void mend_kind(struct arena *a, struct ynode *n, const cyaml_schema_value_t *s)
{
    const struct ynode *name = s->type == CYAML_STRING ? yaml_get(n, "name") : NULL;
    struct ynode *copy, *list;
    if (name && name->kind == Y_SCALAR)
        *n = *name;
    else if (s->type == CYAML_SEQUENCE && n->kind != Y_LIST && (copy = arena_alloc(a, sizeof *copy)) &&
             (*copy = *n, list = new_list(a, n, copy)))
        *n = *list;
}

static bool salvage_list(struct compiler *c, struct ynode *n, const cyaml_schema_value_t *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < n->n; i++) {
        mend_kind(c->a, n->item[i], s->sequence.entry);
        if (salvage(c, n->item[i], s->sequence.entry))
            n->item[kept++] = n->item[i];
        else
            mark_damaged(n, true);
    }
    n->n = kept;
    return true;
}

static bool salvage(struct compiler *c, struct ynode *n, const cyaml_schema_value_t *s)
{
    struct diag scratch;
    bool ok;
    if (s->type == CYAML_MAPPING)
        return n->kind == Y_MAP && salvage_map(c, n, s);
    if (s->type == CYAML_SEQUENCE) {
        mend_kind(c->a, n, s);
        return n->kind == Y_LIST && salvage_list(c, n, s);
    }
    diag_init(&scratch, NULL);
    ok = yaml_check(n, s, "", &scratch);
    diag_fini(&scratch);
    return ok;
}

bool tree_salvage(struct compiler *c, struct ynode *root)
{
    return salvage(c, root, &scenario_schema);
}
