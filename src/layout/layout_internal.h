/* The tree of a layout, shared by the reader (layout.c) and the solver (solve.c). Private to this module. */
#ifndef GMPSCOPE_LAYOUT_LAYOUT_INTERNAL_H
#define GMPSCOPE_LAYOUT_LAYOUT_INTERNAL_H

#include "base/arena.h"
#include "layout/layout.h"

enum split_kind { SPLIT_ROWS = LAYOUT_ROWS, SPLIT_COLUMNS = LAYOUT_COLUMNS };

/* A size of the screen; 0 × 0: none. */
struct screen_size {
    int columns, rows;
};

struct lnode {
    bool is_split;
    int size, weight;               /* one of them is 0 */
    struct screen_size from, until; /* it exists on screens of at least `from`, and only on those smaller than `until` */
    enum split_kind split;          /* of a split */
    int n;
    struct lnode *child;
    int kind; /* of a pane */
    int option[OPTIONS_MAX];
};

struct layout {
    struct arena arena; /* owns all memory of the layout */
    const char *name, *theme, *path;
    struct text title;
    int min_columns, min_rows;
    struct lnode root;
};

enum { SIZE_MAX_CELLS = 1000 }; /* no size in a layout file is larger */

/* Returns true if the layout has no pane on some screen that it fits. Sets *on to the smallest of them: the fewest columns, then the fewest
 * rows. */
bool layout_is_empty(const struct layout *l, struct screen_size *on);

/* Returns true if a screen of w × h shows any part of the node. */
bool node_is_on(const struct lnode *node, int w, int h);
int node_leaves(const struct lnode *node); /* how many panes it has, on a screen of any size */

struct ynode;
/* Checks the pane and its options at each place of the tree, whatever else may be wrong there. */
void layout_check_panes(const struct ynode *node, const struct layout_kinds *kinds, struct diag *d);
/* Reads the kind and the options of a pane that has passed layout_check_panes(). */
void layout_read_pane(const struct ynode *node, const struct layout_kinds *kinds, struct lnode *out);

/* Checks the name of a theme; NULL: none is given. */
void layout_check_theme(const struct ynode *theme, struct diag *d);

#endif
