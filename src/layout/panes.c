/* Panes in layout files: the name and the options, checked and read by the table that the caller hands in.
 *
 * For each check a libcyaml schema is made from the table, so that base/yaml writes the same messages as for all other keys.
 */
#include "layout/layout_internal.h"

#include "base/yaml/yaml.h"

#include <stdlib.h>
#include <string.h>

enum { KINDS_MAX = 64 };

/* Returns the index of the kind, or -1 if no kind has that name. */
static int find_kind(const struct layout_kinds *kinds, const char *name)
{
    int i = kinds->n - 1;
    while (i >= 0 && strcmp(kinds->kind(i).name, name) != 0)
        i--;
    return i;
}

/* Returns the index of the kind, or -1 if the name is wrong. */
static int check_name(const struct ynode *pane, const struct layout_kinds *kinds, struct diag *d)
{
    cyaml_strval_t word[KINDS_MAX];
    int n = kinds->n < KINDS_MAX ? kinds->n : KINDS_MAX;
    for (int i = 0; i < n; i++)
        word[i] = (cyaml_strval_t){kinds->kind(i).name, i};
    cyaml_schema_value_t schema = {.type = CYAML_ENUM, .data_size = sizeof(int), .enumeration = {word, (uint32_t)n}};
    return yaml_check(pane, &schema, "pane", d) ? find_kind(kinds, pane->text) : -1;
}

/* Returns the schema of an option. Fills in `word`, to which the schema points, so it must live as long. */
static cyaml_schema_value_t option_schema(const struct layout_option *o, cyaml_strval_t word[OPTION_WORDS_MAX])
{
    cyaml_schema_value_t s = {.flags = CYAML_FLAG_OPTIONAL, .data_size = sizeof(int)};
    uint32_t n = 0;
    for (; n < OPTION_WORDS_MAX && o->word[n]; n++)
        word[n] = (cyaml_strval_t){o->word[n], n};
    s.type = o->type == OPTION_BOOL ? CYAML_BOOL : o->type == OPTION_NUMBER ? CYAML_INT : CYAML_ENUM;
    if (o->type == OPTION_WORD) {
        s.enumeration.strings = word;
        s.enumeration.count = n;
    }
    return s;
}

static void check_range(const struct ynode *options, const struct layout_option *o, struct diag *d)
{
    const struct ynode *v = yaml_get(options, o->name);
    if (!v || o->type != OPTION_NUMBER)
        return;
    long n = strtol(v->text, NULL, 10);
    if (n < o->least || n > o->most)
        diag_add(d, v->line, v->col, "%s: %s is out of range; %d..%d", o->name, v->text, o->least, o->most);
}

static void refuse_options(const struct ynode *options, struct layout_pane_kind kind, struct diag *d)
{
    for (size_t i = 0; options->kind == Y_MAP && i < options->n; i++) {
        const struct ynode *k = options->item[2 * i];
        diag_add(d, k->line, k->col, "unknown option \"%s\" of pane %s; it has none", k->text, kind.name);
    }
}

static void check_options(const struct ynode *options, struct layout_pane_kind kind, struct diag *d)
{
    cyaml_schema_field_t field[OPTIONS_MAX + 1] = {0};
    cyaml_strval_t word[OPTIONS_MAX][OPTION_WORDS_MAX];
    cyaml_schema_value_t schema = {.type = CYAML_MAPPING, .mapping = {.fields = field}};
    if (!kind.noptions && options->kind == Y_MAP) {
        refuse_options(options, kind, d);
        return;
    }
    for (int i = 0; i < kind.noptions; i++)
        field[i] = (cyaml_schema_field_t){.key = kind.option[i].name, .value = option_schema(&kind.option[i], word[i])};
    if (yaml_check(options, &schema, "options", d))
        for (int i = 0; i < kind.noptions; i++)
            check_range(options, &kind.option[i], d);
}

void layout_check_panes(const struct ynode *node, const struct layout_kinds *kinds, struct diag *d)
{
    if (!node || node->kind != Y_MAP || d->count >= DIAG_ALL)
        return;
    const struct ynode *pane = yaml_get(node, "pane"), *options = yaml_get(node, "options"), *children = yaml_get(node, "children");
    int kind = pane ? check_name(pane, kinds, d) : -1;
    if (kind >= 0 && options)
        check_options(options, kinds->kind(kind), d);
    for (size_t i = 0; children && children->kind == Y_LIST && i < children->n; i++)
        layout_check_panes(children->item[i], kinds, d);
}

static int option_value(const struct layout_option *o, const struct ynode *v)
{
    int n = 0;
    if (!v)
        return o->standard;
    if (o->type == OPTION_BOOL)
        return strcmp(v->text, "true") == 0;
    if (o->type == OPTION_NUMBER)
        return (int)strtol(v->text, NULL, 10);
    while (strcmp(o->word[n], v->text) != 0)
        n++;
    return n;
}

void layout_read_pane(const struct ynode *node, const struct layout_kinds *kinds, struct lnode *out)
{
    out->kind = find_kind(kinds, yaml_get(node, "pane")->text);
    struct layout_pane_kind kind = kinds->kind(out->kind);
    const struct ynode *options = yaml_get(node, "options");
    for (int i = 0; i < kind.noptions; i++)
        out->option[i] = option_value(&kind.option[i], options ? yaml_get(options, kind.option[i].name) : NULL);
}
