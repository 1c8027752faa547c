/* Layout files: a tree of splits and panes, and the solver that computes rectangles from it for a given size. */
#ifndef GMPSCOPE_LAYOUT_LAYOUT_H
#define GMPSCOPE_LAYOUT_LAYOUT_H

#include "base/diag.h"
#include "base/text.h"
#include <stdint.h>

#define LAYOUT_PANES(X) \
    X(status) X(processors) X(global_queue) X(threads) X(search_order) X(narration) X(events) X(goroutine) X(timeline) \
    X(metrics) X(timers_netpoll) X(sync) X(program) X(output) X(lesson) X(steal_matrix) X(keys)
enum pane_kind {
#define X(name) PANE_##name,
    LAYOUT_PANES(X)
#undef X
    PANES
};
extern const char *const pane_name[PANES];

/* The themes that a layout can ask for; ui/term/themes.c says how each looks. */
#define LAYOUT_THEMES(X) X(default) X(light) X(mono) X(projector)
enum theme_id {
#define X(name) THEME_##name,
    LAYOUT_THEMES(X)
#undef X
    THEMES
};
extern const char *const theme_name[THEMES];

struct layout;
struct layout_rect { int x, y, w, h; };
struct layout_pane {
    enum pane_kind kind;
    struct layout_rect rect;
    bool arrows;                     /* options of processors; defaults: true, cells */
    bool runq_cells;                 /* false: `runq: bar` */
};

struct layout *layout_load(const char *path, struct diag *d);    /* NULL: d has the mistakes */
void layout_free(struct layout *l);
const char *layout_name(const struct layout *l);
const struct text *layout_title(const struct layout *l);
const char *layout_theme(const struct layout *l);                 /* "default" if none */
void layout_min_size(const struct layout *l, int *columns, int *rows);
bool layout_fits(const struct layout *l, int w, int h);
/* Computes the rectangles of all panes for w × h, in file order. They cover the screen without overlap. Returns their number (≤ max). */
int layout_solve(const struct layout *l, int w, int h, struct layout_pane *out, int max);

#endif
