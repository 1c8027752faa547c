/* Keys: one line with the most important keys, which the view takes from the table of keys. */
#include "ui/panes/panes.h"

/* Draws the line from x on, or with c NULL only measures it. Returns where it ends. */
static int line(const struct view *v, struct canvas *c, struct rect r, int x, int gap, bool room)
{
    for (int i = 0; i < v->nhints; i++) {
        const struct key_hint *h = &v->hint[i];
        if (h->if_room && !room)
            continue;
        if (c)
            canvas_text(c, r, x, r.y, ROLE_key, h->name);
        x += text_width(h->name) + 1;
        if (h->joined)
            continue;
        if (c)
            canvas_text(c, r, x, r.y, ROLE_key_text, tx(v->lang, h->label));
        x += text_width(tx(v->lang, h->label)) + gap;
    }
    return x;
}

/* Where not even the important keys fit, the last of them before help and quit is left out. */
static struct view shorter(const struct view *v, struct key_hint hint[KEY_HINTS_MAX])
{
    struct view less = *v;
    int out = v->nhints - 3;
    while (out > 0 && v->hint[out].if_room)
        out--;
    less.nhints = 0;
    for (int i = 0; i < v->nhints; i++)
        if (i != out)
            hint[less.nhints++] = v->hint[i];
    less.hint = hint;
    return less;
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    struct key_hint hint[KEY_HINTS_MAX];
    struct rect r = p->in;
    struct view less = *v;
    int wide = r.w >= 84 ? 3 : r.w >= 66 ? 2 : 1;
    bool all = line(v, NULL, r, 1, 2, true) <= r.w;
    int gap = all && line(v, NULL, r, 1, wide, true) > r.w ? 2 : wide;
    if (!all && line(v, NULL, r, 1, gap, false) > r.w + gap)
        less = shorter(v, hint);
    line(&less, c, r, r.x + 1, gap, all);
}

const struct pane_ops pane_keys = {.bare = true, .draw = draw};
