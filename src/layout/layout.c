/* Reads and checks layout files. The solver is in solve.c.
 *
 * base/yaml checks kinds, keys and words against the schema below, with the place and the nearest word. panes.c checks the names and the
 * options of panes against the caller's table. check_node() then checks what a schema cannot say: one of `pane` and `split`, a split with
 * children, sizes in range. Only a file without a mistake is loaded through libcyaml and turned into struct lnode.
 */
#include "layout/layout.h"
#include "layout/layout_internal.h"

#include "base/yaml/yaml.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const theme_name[THEMES] = {
#define X(name) #name,
    LAYOUT_THEMES(X)
#undef X
};

enum { WEIGHT_MAX = 1000, CHILDREN_MAX = 64, PANES_MAX = LAYOUT_PANES_MAX };

/* ---- what libcyaml loads ---- */

struct ymin {
    uint32_t columns, rows;
};
struct ynode_layout {
    enum split_kind *split;
    uint32_t *size, *weight;
    struct ymin *from, *until;
    struct ynode_layout *children;
    unsigned children_count;
};
struct ytitle {
    char *en, *zh;
};
struct yfile {
    char *name;
    struct ytitle *title;
    struct ymin *min_size;
    char *theme;
    struct ynode_layout *root;
};

static const cyaml_strval_t split_words[] = {{"rows", SPLIT_ROWS}, {"columns", SPLIT_COLUMNS}} /* as layout_split_name */;

static const cyaml_schema_field_t min_fields[] = {
    CYAML_FIELD_UINT("columns", CYAML_FLAG_DEFAULT, struct ymin, columns),
    CYAML_FIELD_UINT("rows", CYAML_FLAG_DEFAULT, struct ymin, rows),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t node_schema; /* its children are nodes too */
static const cyaml_schema_field_t node_fields[] = {
    CYAML_FIELD_IGNORE("pane", CYAML_FLAG_OPTIONAL), /* layout_check_panes() */
    CYAML_FIELD_IGNORE("options", CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_ENUM_PTR("split", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, struct ynode_layout, split, split_words,
                         CYAML_ARRAY_LEN(split_words)),
    CYAML_FIELD_UINT_PTR("size", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct ynode_layout, size),
    CYAML_FIELD_UINT_PTR("weight", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct ynode_layout, weight),
    CYAML_FIELD_MAPPING_PTR("from", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct ynode_layout, from, min_fields),
    CYAML_FIELD_MAPPING_PTR("until", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct ynode_layout, until, min_fields),
    CYAML_FIELD_SEQUENCE("children", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct ynode_layout, children, &node_schema, 0,
                         CYAML_UNLIMITED),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t node_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct ynode_layout, node_fields),
};
static const cyaml_schema_field_t title_fields[] = {
    CYAML_FIELD_STRING_PTR("en", CYAML_FLAG_POINTER, struct ytitle, en, 0, 200),
    CYAML_FIELD_STRING_PTR("zh", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct ytitle, zh, 0, 200),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t file_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct yfile, name, 1, 64),
    CYAML_FIELD_MAPPING_PTR("title", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct yfile, title, title_fields),
    CYAML_FIELD_MAPPING_PTR("min_size", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct yfile, min_size, min_fields),
    CYAML_FIELD_STRING_PTR("theme", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct yfile, theme, 0, 64),
    CYAML_FIELD_MAPPING_PTR("root", CYAML_FLAG_POINTER, struct yfile, root, node_fields),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t file_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct yfile, file_fields),
};

/* ---- what a schema cannot express ---- */

bool layout_name_valid(const char *s)
{
    size_t n = strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");
    return n && !s[n];
}

/* Caller: yaml_check() has accepted the value as an integer. */
static void check_range(const struct ynode *map, const char *key, long max, struct diag *d)
{
    const struct ynode *v = yaml_get(map, key);
    if (!v)
        return;
    long n = strtol(v->text, NULL, 10);
    if (n < 1 || n > max)
        diag_add(d, v->line, v->col, "%s: %s is out of range; 1..%ld", key, v->text, max);
}

static void refuse_key(const struct ynode *map, const char *key, const char *why, struct diag *d)
{
    const struct ynode *k = yaml_key(map, key);
    if (k)
        diag_add(d, k->line, k->col, "%s: %s", key, why);
}

static void check_node(const struct ynode *node, struct diag *d);

static void check_split(const struct ynode *node, struct diag *d)
{
    const struct ynode *split = yaml_key(node, "split"), *children = yaml_get(node, "children");
    refuse_key(node, "options", "a split has no options; panes have", d);
    if (!children || children->n == 0)
        diag_add(d, split->line, split->col, "a split without children; children: [{pane: …}, …]");
    else if (children->n > CHILDREN_MAX)
        diag_add(d, children->line, children->col, "too many children; at most %d", CHILDREN_MAX);
    else
        for (size_t i = 0; i < children->n; i++)
            check_node(children->item[i], d);
}

static void check_screen(const struct ynode *map, const char *key, struct diag *d)
{
    const struct ynode *size = yaml_get(map, key);
    if (!size)
        return;
    check_range(size, "columns", SIZE_MAX_CELLS, d);
    check_range(size, "rows", SIZE_MAX_CELLS, d);
}

static void check_node(const struct ynode *node, struct diag *d)
{
    const struct ynode *pane = yaml_key(node, "pane"), *split = yaml_key(node, "split");
    const struct ynode *weight = yaml_key(node, "weight");
    check_range(node, "size", SIZE_MAX_CELLS, d);
    check_range(node, "weight", WEIGHT_MAX, d);
    check_screen(node, "from", d);
    check_screen(node, "until", d);
    if (weight && yaml_get(node, "size"))
        diag_add(d, weight->line, weight->col, "both size and weight; size is fixed, weight shares the rest: give one");
    if (pane && split)
        diag_add(d, split->line, split->col, "both pane and split in one place; give one");
    else if (pane)
        refuse_key(node, "children", "a pane has no children; split: rows or split: columns has", d);
    else if (split)
        check_split(node, d);
    else
        diag_add(d, node->line, node->col, "neither pane nor split; pane: NAME, or split: rows with children");
}

/* Counts the panes of a tree that check_node() accepted. base/yaml bounds its size. */
static size_t count_panes(const struct ynode *node)
{
    const struct ynode *children = yaml_get(node, "children");
    size_t n = 0;
    for (size_t i = 0; children && i < children->n; i++)
        n += count_panes(children->item[i]);
    return children ? n : 1;
}

void layout_check_theme(const struct ynode *theme, struct diag *d)
{
    if (!theme)
        return;
    for (int i = 0; i < THEMES; i++)
        if (strcmp(theme->text, theme_name[i]) == 0)
            return;
    const char *near = diag_nearest(theme->text, theme_name, THEMES);
#define X(name) ", " #name
    diag_add(d, theme->line, theme->col, "unknown theme \"%s\"; %s%s", theme->text, near ? "did you mean " : "expected one of ",
             near ? near : &(LAYOUT_THEMES(X))[2]);
#undef X
    if (near)
        diag_offer(d, theme->line, theme->col, theme->text, theme_name, THEMES);
}

static const char *size_advice(const char *place, const char *word)
{
    return strcmp(place, "size") == 0 && strchr(word, '%') ? "it counts columns or rows; \"weight\" gives a share of the rest" : NULL;
}

static void check_meaning(const struct ynode *top, struct diag *d)
{
    const struct ynode *name = yaml_get(top, "name"), *root = yaml_get(top, "root");
    if (!layout_name_valid(name->text))
        diag_add(d, name->line, name->col, "name \"%s\"; letters, digits, _ and - only", name->text);
    check_screen(top, "min_size", d);
    layout_check_theme(yaml_get(top, "theme"), d);
    refuse_key(root, "size", "the root has the whole screen", d);
    refuse_key(root, "weight", "the root has the whole screen", d);
    refuse_key(root, "from", "the root is always there", d);
    refuse_key(root, "until", "the root is always there", d);
    check_node(root, d);
    if (!d->count && count_panes(root) > PANES_MAX)
        diag_add(d, root->line, root->col, "too many panes; at most %d", PANES_MAX);
}

/* Turns `title: text` into `title: {en: text}`. Returns false if memory ran out. */
static bool normalise_title(struct arena *a, struct ynode *top)
{
    for (size_t i = 0; top->kind == Y_MAP && i < top->n; i++) {
        struct ynode *value = top->item[2 * i + 1];
        if (strcmp(top->item[2 * i]->text, "title") != 0 || value->kind != Y_SCALAR)
            continue;
        struct ynode *map = yaml_new_map(a, value), *key = yaml_new_scalar(a, "en", value);
        if (!map || !key || !yaml_map_add(a, map, key, value))
            return false;
        top->item[2 * i + 1] = map;
    }
    return true;
}

/* ---- from libcyaml's structs to the tree ---- */

static struct screen_size screen_size(const struct ymin *y)
{
    return y ? (struct screen_size){(int)y->columns, (int)y->rows} : (struct screen_size){0, 0};
}

/* `node` is the place in the file that y was loaded from. */
static bool convert(struct arena *a, const struct ynode_layout *y, const struct ynode *node, const struct layout_kinds *kinds,
                    struct lnode *out)
{
    out->size = y->size ? (int)*y->size : 0;
    out->weight = y->size ? 0 : y->weight ? (int)*y->weight : 1;
    out->from = screen_size(y->from);
    out->until = screen_size(y->until);
    out->is_split = y->split != NULL;
    if (!y->split) {
        layout_read_pane(node, kinds, out);
        return true;
    }
    const struct ynode *children = yaml_get(node, "children");
    out->split = *y->split;
    out->n = (int)y->children_count;
    out->child = arena_alloc(a, sizeof *out->child * y->children_count);
    for (int i = 0; out->child && i < out->n; i++)
        if (!convert(a, &y->children[i], children->item[i], kinds, &out->child[i]))
            return false;
    return out->child != NULL;
}

static const char *copy(struct arena *a, const char *s)
{
    return s ? arena_strndup(a, s, strlen(s)) : NULL;
}

static bool fill(struct layout *l, const struct yfile *y, const struct ynode *top, const struct layout_kinds *kinds)
{
    l->name = copy(&l->arena, y->name);
    l->theme = copy(&l->arena, y->theme ? y->theme : "default");
    l->title.in[LANG_EN] = copy(&l->arena, y->title ? y->title->en : "");
    l->title.in[LANG_ZH] = copy(&l->arena, y->title ? y->title->zh : NULL);
    l->min_columns = y->min_size ? (int)y->min_size->columns : 1;
    l->min_rows = y->min_size ? (int)y->min_size->rows : 1;
    return l->name && l->theme && l->title.in[LANG_EN] && convert(&l->arena, y->root, yaml_get(top, "root"), kinds, &l->root);
}

static void check_filled(const struct layout *l, const struct ynode *root, struct diag *d)
{
    struct screen_size on;
    if (layout_is_empty(l, &on))
        diag_add(d, root->line, root->col, "from and until leave no pane on a screen of %dx%d; add a pane without them, or raise min_size",
                 on.columns, on.rows);
}

/* Reads a file and looks for mistakes. Returns NULL if it has any. */
static struct ynode *read_checked(struct arena *a, const char *path, const struct layout_kinds *kinds, struct diag *d)
{
    size_t len;
    char *bytes = yaml_read(a, path, &len, d);
    struct ynode *top = bytes ? yaml_parse(a, bytes, len, d) : NULL;
    if (top && !normalise_title(a, top)) {
        diag_lack(d, ENOMEM);
        return NULL;
    }
    if (!top)
        return NULL;
    layout_check_panes(yaml_get(top, "root"), kinds, d);
    d->advice = size_advice;
    if (!yaml_check(top, &file_schema, "layout", d))
        return NULL;
    check_meaning(top, d);
    return d->count ? NULL : top;
}

struct layout *layout_load(const char *path, const struct layout_kinds *kinds, struct diag *d)
{
    struct arena scratch = {0};
    struct layout *l = calloc(1, sizeof *l);
    int before = d->count;
    struct ynode *top = l ? read_checked(&scratch, path, kinds, d) : NULL;
    void *y = NULL;
    bool loaded = top && yaml_load(&scratch, top, &file_schema, &y, d), ok = loaded && fill(l, y, top, kinds);
    if (loaded)
        cyaml_free(&yaml_config, &file_schema, y, 0);
    if (!l || (loaded && !ok) || (scratch.lacking && !d->lack))
        diag_lack(d, ENOMEM);
    if (ok)
        check_filled(l, yaml_get(top, "root"), d);
    arena_fini(&scratch);
    if (ok && d->count == before) {
        layout_held_by(l, path);
        return l;
    }
    layout_free(l);
    return NULL;
}

void layout_free(struct layout *l)
{
    if (l)
        arena_fini(&l->arena);
    free(l);
}

const char *layout_name(const struct layout *l)
{
    return l->name;
}

const char *layout_path(const struct layout *l)
{
    return l->path;
}

void layout_held_by(struct layout *l, const char *path)
{
    l->path = copy(&l->arena, path);
}

const struct text *layout_title(const struct layout *l)
{
    return &l->title;
}

const char *layout_theme(const struct layout *l)
{
    return l->theme;
}

void layout_min_size(const struct layout *l, int *columns, int *rows)
{
    *columns = l->min_columns;
    *rows = l->min_rows;
}

static bool node_has(const struct lnode *node, int kind)
{
    for (int i = 0; i < node->n; i++)
        if (node_has(&node->child[i], kind))
            return true;
    return !node->is_split && node->kind == kind;
}

bool layout_has(const struct layout *l, int kind)
{
    return node_has(&l->root, kind);
}

bool layout_fits(const struct layout *l, int w, int h)
{
    return w >= l->min_columns && h >= l->min_rows;
}
