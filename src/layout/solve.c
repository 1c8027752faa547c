/* The solver: computes rectangles from a tree and a size.
 *
 * Along its axis a split first assigns the fixed sizes, in file order, as long as there is room; the rest is divided by weight. The parts are
 * the differences of rounded running totals, so they leave no gap and depend only on the numbers. If no child has a weight, the last one
 * gets the rest. Children that do not exist on a screen of this size are left out before that. On a screen that is too small some children
 * become empty, but none overlap.
 */
#include "layout/layout.h"
#include "layout/layout_internal.h"

#include <limits.h>
#include <string.h>

struct solution {
    struct layout_pane *out;
    int n, max, leaf; /* leaf: the number of the next pane, also of those that are left out */
    uint32_t without; /* bits of kinds that are left out */
    uint32_t more;    /* bits of kinds that need more rows */
    struct screen_size screen;
};

static void solve(const struct lnode *node, struct layout_rect r, struct solution *s);

/* Returns the part of r that begins at `at` along the axis of the split and has the length `len`. */
static struct layout_rect slice(enum split_kind split, struct layout_rect r, int at, int len)
{
    if (split == SPLIT_ROWS)
        return (struct layout_rect){r.x, r.y + at, r.w, len};
    return (struct layout_rect){r.x + at, r.y, len, r.h};
}

static bool is_at_least(struct screen_size have, struct screen_size want)
{
    return have.columns >= want.columns && have.rows >= want.rows;
}

/* Is there anything of the node on this screen? A split whose children are all left out is left out, too. */
static bool exists(const struct lnode *node, const struct solution *s);

static bool any_exists(const struct lnode *node, const struct solution *s)
{
    for (int i = 0; i < node->n; i++)
        if (exists(&node->child[i], s))
            return true;
    return node->n == 0;
}

static bool exists(const struct lnode *node, const struct solution *s)
{
    if (!is_at_least(s->screen, node->from) || (node->until.columns && is_at_least(s->screen, node->until)))
        return false;
    return node->is_split ? any_exists(node, s) : !(s->without >> node->kind & 1);
}

static bool needs_more(const struct lnode *node, const struct solution *s)
{
    if (!exists(node, s))
        return false;
    for (int i = 0; i < node->n; i++)
        if (needs_more(&node->child[i], s))
            return true;
    return !node->is_split && s->more >> node->kind & 1;
}

/* Weights count twice, so that a half can be added. */
static int weight_of(const struct lnode *split, const struct lnode *child, const struct solution *s)
{
    bool more = split->split == SPLIT_ROWS && needs_more(child, s);
    return child->weight * (more ? 3 : 2);
}

/* Returns the index of the last child that exists, -1 if none. */
static int sums(const struct lnode *node, const struct solution *s, int *weights, int *rest)
{
    int last = -1;
    *weights = 0;
    for (int i = 0; i < node->n; i++) {
        if (!exists(&node->child[i], s))
            continue;
        last = i;
        *weights += weight_of(node, &node->child[i], s);
        *rest -= node->child[i].size;
    }
    *rest = *rest < 0 ? 0 : *rest;
    return last;
}

static void solve_split(const struct lnode *node, struct layout_rect r, struct solution *s)
{
    int total = node->split == SPLIT_ROWS ? r.h : r.w, rest = total, weights, at = 0, seen = 0, given = 0;
    int last = sums(node, s, &weights, &rest);
    for (int i = 0; i < node->n; i++) {
        const struct lnode *child = &node->child[i];
        if (!exists(child, s)) {
            s->leaf += node_leaves(child);
            continue;
        }
        int len = child->size;
        if (child->weight) {
            seen += weight_of(node, child, s);
            len = (int)((long)rest * seen / weights) - given;
            given += len;
        }
        if (len > total - at || (!weights && i == last))
            len = total - at;
        solve(child, slice(node->split, r, at, len), s);
        at += len;
    }
}

static void solve(const struct lnode *node, struct layout_rect r, struct solution *s)
{
    if (node->is_split) {
        solve_split(node, r, s);
        return;
    }
    int leaf = s->leaf++;
    if (s->n == s->max)
        return;
    struct layout_pane *out = &s->out[s->n++];
    *out = (struct layout_pane){.kind = node->kind, .leaf = leaf, .rect = r};
    memcpy(out->option, node->option, sizeof out->option);
}

bool node_is_on(const struct lnode *node, int w, int h)
{
    const struct solution s = {.screen = {w, h}};
    return exists(node, &s);
}

int node_leaves(const struct lnode *node)
{
    int n = 0;
    for (int i = 0; i < node->n; i++)
        n += node_leaves(&node->child[i]);
    return node->is_split ? n : 1;
}

/* Each screen with fewer than `rows` rows has a pane. Returns the number of rows below which that holds if this node's panes are counted,
 * too. The nodes above it exist from `from` rows on, up to `until`. */
static int rows_filled(const struct lnode *node, int columns, int from, int until, int rows)
{
    if (node->from.columns > columns)
        return rows;
    from = node->from.rows > from ? node->from.rows : from;
    if (node->until.columns && node->until.columns <= columns && node->until.rows < until)
        until = node->until.rows;
    if (!node->is_split)
        return from <= rows && rows < until ? until : rows;
    for (int i = 0; i < node->n; i++)
        rows = rows_filled(&node->child[i], columns, from, until, rows);
    return rows;
}

bool layout_is_empty(const struct layout *l, struct screen_size *on)
{
    for (on->columns = l->min_columns; on->columns <= SIZE_MAX_CELLS; on->columns++) {
        int before;
        on->rows = l->min_rows;
        do {
            before = on->rows;
            on->rows = rows_filled(&l->root, on->columns, 0, INT_MAX, before);
        } while (on->rows > before && on->rows < INT_MAX);
        if (on->rows < INT_MAX)
            return true;
    }
    return false;
}

int layout_solve(const struct layout *l, int w, int h, struct layout_pane *out, int max)
{
    return layout_solve_cut(l, (struct layout_cut){0}, w, h, out, max);
}

int layout_solve_cut(const struct layout *l, struct layout_cut cut, int w, int h, struct layout_pane *out, int max)
{
    struct solution s = {.out = out, .max = max, .without = cut.without, .more = cut.more, .screen = {w, h}};
    h -= cut.spare;
    if (!exists(&l->root, &s))
        s.without = 0;
    if (exists(&l->root, &s))
        solve(&l->root, (struct layout_rect){0, 0, w < 0 ? 0 : w, h < 0 ? 0 : h}, &s);
    return s.n;
}
