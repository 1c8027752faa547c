/* Layout files: a tree of splits and panes, and the solver that turns it and a size into rectangles. */
#ifndef GMPSCOPE_LAYOUT_LAYOUT_H
#define GMPSCOPE_LAYOUT_LAYOUT_H

#include "base/diag.h"
#include "base/text.h"
#include <stdint.h>

/* clang-format off */
#define LAYOUT_PANES(X) \
    X(status) X(processors) X(global_queue) X(threads) X(search_order) X(narration) X(events) X(goroutine) X(timeline) \
    X(metrics) X(timers_netpoll) X(sync) X(program) X(output) X(lesson) X(steal_matrix) X(keys)
/* clang-format on */
enum pane_kind {
#define X(name) PANE_##name,
    LAYOUT_PANES(X)
#undef X
    PANES
};
extern const char *const pane_name[PANES];

struct layout;
struct layout_rect { int x, y, w, h; };
struct layout_pane {
    enum pane_kind kind;
    struct layout_rect rect;
    bool arrows;                     /* options of processors; defaults: true, cells */
    bool runq_cells;                 /* false: runq: bar */
};

struct layout *layout_load(const char *path, struct diag *d);    /* NULL: mistakes in d */
void layout_free(struct layout *l);
const char *layout_name(const struct layout *l);
const struct text *layout_title(const struct layout *l);
const char *layout_theme(const struct layout *l);                 /* "default" if none */
void layout_min_size(const struct layout *l, int *columns, int *rows);
bool layout_fits(const struct layout *l, int w, int h);
/* Rectangles of all panes for w × h, in file order; they cover the screen without overlap. Returns how many (≤ max). */
int layout_solve(const struct layout *l, int w, int h, struct layout_pane *out, int max);

#endif
