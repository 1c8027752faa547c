/* The solver: computes rectangles from a tree and a size.
 *
 * Along its axis a split first assigns the fixed sizes, in file order, as long as there is room; the rest is divided by weight. The parts are
 * the differences of rounded running totals, so they leave no gap and depend only on the numbers. If no child has a weight, the last one
 * gets the rest. On a screen that is too small some children become empty, but none overlap.
 */
#include "layout/layout.h"
#include "layout/layout_internal.h"

#include <string.h>

struct solution {
    struct layout_pane *out;
    int n, max;
};

static void solve(const struct lnode *node, struct layout_rect r, struct solution *s);

/* Returns the part of r that begins at `at` along the axis of the split and has the length `len`. */
static struct layout_rect slice(enum split_kind split, struct layout_rect r, int at, int len)
{
    if (split == SPLIT_ROWS)
        return (struct layout_rect){r.x, r.y + at, r.w, len};
    return (struct layout_rect){r.x + at, r.y, len, r.h};
}

static void sums(const struct lnode *node, int total, int *weights, int *rest)
{
    *weights = 0;
    *rest = total;
    for (int i = 0; i < node->n; i++) {
        *weights += node->child[i].weight;
        *rest -= node->child[i].size;
    }
    *rest = *rest < 0 ? 0 : *rest;
}

static void solve_split(const struct lnode *node, struct layout_rect r, struct solution *s)
{
    int total = node->split == SPLIT_ROWS ? r.h : r.w, weights, rest, at = 0, seen = 0, given = 0;
    sums(node, total, &weights, &rest);
    for (int i = 0; i < node->n; i++) {
        const struct lnode *child = &node->child[i];
        int len = child->size;
        if (child->weight) {
            seen += child->weight;
            len = (int)((long)rest * seen / weights) - given;
            given += len;
        }
        if (len > total - at || (!weights && i == node->n - 1))
            len = total - at;
        solve(child, slice(node->split, r, at, len), s);
        at += len;
    }
}

static void solve(const struct lnode *node, struct layout_rect r, struct solution *s)
{
    if (node->is_split) {
        solve_split(node, r, s);
    } else if (s->n < s->max) {
        struct layout_pane *out = &s->out[s->n++];
        *out = (struct layout_pane){.kind = node->kind, .rect = r};
        memcpy(out->option, node->option, sizeof out->option);
    }
}

int layout_solve(const struct layout *l, int w, int h, struct layout_pane *out, int max)
{
    struct solution s = {out, 0, max};
    solve(&l->root, (struct layout_rect){0, 0, w < 0 ? 0 : w, h < 0 ? 0 : h}, &s);
    return s.n;
}
