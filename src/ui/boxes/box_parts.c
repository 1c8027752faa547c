/* What boxes are made of: the frame, rows that can be clicked, the place. */
#include "ui/boxes/boxes.h"

struct rect box_frame(struct canvas *c, struct rect r, const char *title, const char *hint)
{
    for (int y = r.y; y < r.y + r.h; y++)
        canvas_hline(c, r, r.x, y, r.w, ROLE_plain, ' ');
    struct rect in = canvas_box(c, r, ROLE_focus, title);
    canvas_right(c, r, r.x + r.w - 3, r.y + r.h - 1, ROLE_dim, hint);
    return in;
}

enum { ROW_SHIFT = 24, ROW_KIND = 127 }; /* no tag of a G, M or P is as large */

void box_row(struct canvas *c, struct rect in, int y, uint32_t n)
{
    c->tag = (uint32_t)ROW_KIND << ROW_SHIFT | n;
    canvas_hline(c, in, in.x, y, in.w, ROLE_plain, ' ');
}

uint32_t box_clicked(const struct ui *u)
{
    int x, y;
    const struct canvas *c = &u->canvas;
    screen_mouse(u->screen, &x, &y);
    uint32_t tag = x >= 0 && y >= 0 && x < c->w && y < c->h ? c->cell[y * c->w + x].tag : 0;
    return tag >> ROW_SHIFT == ROW_KIND ? tag & ((1u << ROW_SHIFT) - 1) : 0;
}

static const struct layout_pane *narration(const struct ui *u)
{
    int i = 0;
    while (i < u->placed.n && u->placed.pane[i].kind != PANE_narration)
        i++;
    return i < u->placed.n ? &u->placed.pane[i] : NULL;
}

int box_y(const struct ui *u, int h)
{
    const struct layout_pane *n = narration(u);
    int y = u->canvas.h - 1 - h, above = n ? n->rect.y - h : 0;
    bool lies_on = n && y < n->rect.y + n->rect.h;
    return lies_on && above >= u->canvas.h / 4 ? above : y > 0 ? y : 0;
}
