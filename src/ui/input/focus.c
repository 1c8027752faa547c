/* How a key or a click reaches a pane, and how the pane's request is carried out. */
#include "ui/input/focus.h"

#include "ui/input/requests.h"

static bool grant(struct ui *u, struct pane_request r)
{
    if (r.go_to) {
        ui_jump(u);
        ui_went(u, u->ops->goto_event(u->run->session, r.go_to));
    }
    return r.taken;
}

/* Returns the panes of the run to which pane *at belongs; *at becomes its index among them. */
static const struct layout_pane *panes_of(const struct ui *u, int *at, int *side)
{
    *side = ui_two(u) && *at >= u->placed.of_left ? RIGHT : LEFT;
    int first = *side == RIGHT ? u->placed.of_left : 0;
    *at -= first;
    return &u->placed.pane[first];
}

bool focus_key(struct ui *u, uint32_t code)
{
    int at = select_pane(&u->select, u->placed.pane, u->placed.n), side;
    if (at < 0)
        return false;
    const struct layout_pane *pane = panes_of(u, &at, &side);
    struct view v = ui_view(u, side);
    return grant(u, panes_key(&v, &u->canvas, pane, at, code));
}

bool focus_click(struct ui *u, int x, int y)
{
    int at = select_pane_at(u->placed.pane, u->placed.n, x, y), side;
    if (at < 0)
        return false;
    const struct layout_pane *pane = panes_of(u, &at, &side);
    struct view v = ui_view(u, side);
    return grant(u, panes_click(&v, &u->canvas, pane, at, x, y));
}
