/* The tree of a layout, shared by the reader (layout.c) and the solver (solve.c). Private to this folder. */
#ifndef GMPSCOPE_LAYOUT_LAYOUT_INTERNAL_H
#define GMPSCOPE_LAYOUT_LAYOUT_INTERNAL_H

#include "base/arena.h"
#include "layout/layout.h"

enum split_kind { SPLIT_ROWS, SPLIT_COLUMNS };

struct lnode {
    bool is_split;
    int size, weight;            /* one of them is 0 */
    enum split_kind split;       /* of a split */
    int n;
    struct lnode *child;
    enum pane_kind pane;         /* of a pane */
    bool arrows, runq_cells;
};

struct layout {
    struct arena arena;          /* owns all memory of the layout */
    const char *name, *theme;
    struct text title;
    int min_columns, min_rows;
    struct lnode root;
};

#endif
