/* Editing a layout that is loaded, and writing it as a file. Memory comes from the layout's arena, so what an edit replaces is freed with the
 * layout. */
#include "base/file.h"
#include "layout/layout.h"
#include "layout/layout_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH_MOST = 1000, WAY = 66, DEPTH_MOST = 28 }; /* DEPTH_MOST: of edits; base/yaml reads no deeper file */

const char *const layout_split_name[LAYOUT_SPLITS] = {"rows", "columns"};

/* ---- copies ---- */

static bool copy_node(struct arena *a, const struct lnode *from, struct lnode *to)
{
    *to = *from;
    if (!from->is_split)
        return true;
    to->child = arena_alloc(a, sizeof *to->child * (size_t)from->n);
    for (int i = 0; to->child && i < from->n; i++)
        if (!copy_node(a, &from->child[i], &to->child[i]))
            return false;
    return to->child != NULL;
}

static const char *copy_text(struct arena *a, const char *s)
{
    return s ? arena_strndup(a, s, strlen(s)) : NULL;
}

struct layout *layout_copy(const struct layout *l, const char *name)
{
    struct layout *to = calloc(1, sizeof *to);
    if (!to)
        return NULL;
    to->name = copy_text(&to->arena, name);
    to->theme = copy_text(&to->arena, l->theme);
    for (int i = 0; i < LANGS; i++)
        to->title.in[i] = copy_text(&to->arena, l->title.in[i]);
    to->min_columns = l->min_columns;
    to->min_rows = l->min_rows;
    if (copy_node(&to->arena, &l->root, &to->root) && !to->arena.lacking)
        return to;
    layout_free(to);
    return NULL;
}

/* ---- the place of a pane ---- */

/* The nodes from the root down to a pane. */
struct way {
    struct lnode *node[WAY];
    int n;
};

static bool find_leaf(struct lnode *node, int *leaf, struct way *w)
{
    if (w->n == WAY)
        return false;
    w->node[w->n++] = node;
    if (!node->is_split && (*leaf)-- == 0)
        return true;
    for (int i = 0; i < node->n; i++)
        if (find_leaf(&node->child[i], leaf, w))
            return true;
    w->n--;
    return false;
}

static struct way way_to(struct layout *l, int leaf)
{
    struct way w = {.n = 0};
    find_leaf(&l->root, &leaf, &w);
    return w;
}

int layout_panes(const struct layout *l)
{
    return node_leaves(&l->root);
}

/* ---- edits ---- */

bool layout_divide(struct layout *l, int leaf, enum layout_split split)
{
    struct way w = way_to(l, leaf);
    struct lnode *node = w.n ? w.node[w.n - 1] : NULL;
    struct lnode *child = node && layout_panes(l) < LAYOUT_PANES_MAX && w.n < DEPTH_MOST ? arena_alloc(&l->arena, 2 * sizeof *child) : NULL;
    if (!child)
        return false;
    child[0] = child[1] = *node;
    for (int i = 0; i < 2; i++) {
        child[i].size = 0;
        child[i].weight = 1;
        child[i].from = child[i].until = (struct screen_size){0, 0};
    }
    node->is_split = true;
    node->split = (enum split_kind)split;
    node->n = 2;
    node->child = child;
    return true;
}

void layout_replace(struct layout *l, int leaf, int kind, const struct layout_kinds *kinds)
{
    struct way w = way_to(l, leaf);
    struct layout_pane_kind k = kinds->kind(kind);
    if (!w.n)
        return;
    struct lnode *node = w.node[w.n - 1];
    node->kind = kind;
    memset(node->option, 0, sizeof node->option);
    for (int i = 0; i < k.noptions; i++)
        node->option[i] = k.option[i].standard;
}

/* Returns true if the child has a neighbour on such a screen; with `weight`, one that can give way. */
static bool has_others(const struct lnode *parent, const struct lnode *child, bool weight, int w, int h)
{
    for (int i = 0; i < parent->n; i++)
        if (&parent->child[i] != child && (!weight || parent->child[i].weight) && node_is_on(&parent->child[i], w, h))
            return true;
    return false;
}

/* The panes of a layout on a screen. */
struct placing {
    struct layout_pane pane[LAYOUT_PANES_MAX];
    int n;
};

static struct placing placing_of(const struct layout *l, int w, int h)
{
    struct placing p;
    p.n = layout_solve(l, w, h, p.pane, LAYOUT_PANES_MAX);
    return p;
}

/* Does each pane have the least size of its kind? One that was smaller before may stay as it was. */
static bool all_have_room(const struct placing *was, const struct placing *now, const struct layout_kinds *kinds)
{
    for (int i = 0; i < now->n; i++) {
        struct layout_pane_kind k = kinds->kind(now->pane[i].kind);
        struct layout_rect old = was->pane[i].rect, new = now->pane[i].rect;
        if ((new.w < old.w &&new.w < k.columns) || (new.h < old.h &&new.h < k.rows))
            return false;
    }
    return true;
}

/* Returns NULL if the pane is not on the screen. */
static const struct layout_pane *placed_leaf(const struct placing *p, int leaf)
{
    for (int i = 0; i < p->n; i++)
        if (p->pane[i].leaf == leaf)
            return &p->pane[i];
    return NULL;
}

bool layout_resize(struct layout *l, int leaf, int w, int h, int by, const struct layout_kinds *kinds)
{
    const struct placing was = placing_of(l, w, h);
    const struct layout_pane *at = placed_leaf(&was, leaf);
    struct way way = way_to(l, leaf);
    while (way.n > 1 && !has_others(way.node[way.n - 2], way.node[way.n - 1], false, w, h)) /* an only child has the place of its parent */
        way.n--;
    if (!at || way.n < 2)
        return false;
    struct lnode *node = way.node[way.n - 1], *parent = way.node[way.n - 2], before = *node;
    int length = (parent->split == SPLIT_ROWS ? at->rect.h : at->rect.w) + by;
    if (length < 1 || length > LENGTH_MOST || !has_others(parent, node, true, w, h))
        return false;
    node->size = length;
    node->weight = 0;
    const struct placing now = placing_of(l, w, h);
    bool fits = all_have_room(&was, &now, kinds);
    if (!fits)
        *node = before;
    return fits;
}

/* ---- writing ---- */

static void write_indent(FILE *f, int depth)
{
    for (int i = 0; i < depth; i++)
        fputs("  ", f);
}

static void write_quoted(FILE *f, const char *text)
{
    fputc('"', f);
    for (const char *p = text; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if (c < 0x20 || c == 0x7f)
            fprintf(f, "\\x%02x", c);
        else
            fprintf(f, "%s%c", c == '"' || c == '\\' ? "\\" : "", c);
    }
    fputc('"', f);
}

static void write_option(FILE *f, const struct layout_option *o, int value)
{
    fprintf(f, "%s: ", o->name);
    if (o->type == OPTION_BOOL)
        fputs(value ? "true" : "false", f);
    else if (o->type == OPTION_NUMBER)
        fprintf(f, "%d", value);
    else
        fputs(o->word[value], f);
}

static void write_options(FILE *f, const struct lnode *node, struct layout_pane_kind k)
{
    const char *before = ", options: {";
    bool any = false;
    for (int i = 0; i < k.noptions; i++) {
        if (node->option[i] == k.option[i].standard)
            continue;
        fputs(before, f);
        write_option(f, &k.option[i], node->option[i]);
        before = ", ";
        any = true;
    }
    fputs(any ? "}" : "", f);
}

/* The keys that a pane and a split have in common, each after `before` and followed by `after`. */
static void write_place(FILE *f, const struct lnode *node, const char *before, const char *after)
{
    if (node->size)
        fprintf(f, "%ssize: %d%s", before, node->size, after);
    else if (node->weight > 1)
        fprintf(f, "%sweight: %d%s", before, node->weight, after);
    if (node->from.columns)
        fprintf(f, "%sfrom: {columns: %d, rows: %d}%s", before, node->from.columns, node->from.rows, after);
    if (node->until.columns)
        fprintf(f, "%suntil: {columns: %d, rows: %d}%s", before, node->until.columns, node->until.rows, after);
}

static void write_pane(FILE *f, const struct lnode *node, const struct layout_kinds *kinds)
{
    struct layout_pane_kind k = kinds->kind(node->kind);
    fprintf(f, "{pane: %s", k.name);
    write_place(f, node, ", ", "");
    write_options(f, node, k);
    fputs("}\n", f);
}

/* Writes a split from its first key on; the cursor is there. */
static void write_split(FILE *f, const struct lnode *node, const struct layout_kinds *kinds, int depth)
{
    char before[2 * WAY + 1];
    memset(before, ' ', sizeof before);
    before[2 * depth] = '\0';
    fprintf(f, "split: %s\n", layout_split_name[node->split]);
    write_place(f, node, before, "\n");
    fprintf(f, "%schildren:\n", before);
    for (int i = 0; i < node->n; i++) {
        write_indent(f, depth + 1);
        fputs("- ", f);
        if (node->child[i].is_split)
            write_split(f, &node->child[i], kinds, depth + 2);
        else
            write_pane(f, &node->child[i], kinds);
    }
}

static void write_title(FILE *f, const struct text *title)
{
    fputs("title: {en: ", f);
    write_quoted(f, title->in[LANG_EN]);
    if (title->in[LANG_ZH]) {
        fputs(", zh: ", f);
        write_quoted(f, title->in[LANG_ZH]);
    }
    fputs("}\n", f);
}

bool layout_write(const struct layout *l, const char *name, const struct layout_kinds *kinds, FILE *out)
{
    struct lnode root = l->root;
    root.size = 0; /* the root has the whole screen */
    root.weight = 1;
    fprintf(out, "name: %s\n", name);
    write_title(out, &l->title);
    fprintf(out, "min_size: {columns: %d, rows: %d}\ntheme: %s\nroot:", l->min_columns, l->min_rows, l->theme);
    if (root.is_split) {
        fputs("\n  ", out);
        write_split(out, &root, kinds, 1);
    } else {
        fputc(' ', out);
        write_pane(out, &root, kinds);
    }
    return !ferror(out);
}

int layout_save(const struct layout *l, const char *name, const struct layout_kinds *kinds, const char *path)
{
    struct file_new f;
    int err = file_begin(&f, path);
    if (err)
        return err;
    layout_write(l, name, kinds, f.out); /* file_finish() sees an error of the stream */
    return file_finish(&f);
}
