/* The table of panes, and the honest face of those that are not built yet. */
#include "ui/panes/panes.h"

static void not_built(const struct view *v, struct canvas *c, const struct layout_pane *pane)
{
    struct rect in = pane_frame(c, pane, pane_name[pane->kind]);
    canvas_text(c, in, in.x + 1, in.y, ROLE_dim, tx(v->lang, TX_NOT_BUILT));
}

static pane_fn *const table[PANES] = {
    [PANE_status] = pane_status,   [PANE_processors] = pane_processors, [PANE_global_queue] = pane_global_queue,
    [PANE_threads] = pane_threads, [PANE_narration] = pane_narration,   [PANE_output] = pane_output,
    [PANE_lesson] = pane_lesson,   [PANE_keys] = pane_keys,
};

void panes_draw(const struct view *v, struct canvas *c, const struct layout_pane *pane, int n)
{
    for (int i = 0; i < n; i++) {
        if (pane[i].rect.w <= 0 || pane[i].rect.h <= 0)
            continue;
        pane_fn *draw = table[pane[i].kind];
        (draw ? draw : not_built)(v, c, &pane[i]);
    }
}
