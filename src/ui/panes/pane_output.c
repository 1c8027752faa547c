/* Output: the last lines that the program printed, the newest at the bottom. */
#include "ui/panes/panes.h"

#include <stdio.h>

static void title(const struct pane *p, const struct view *v, char *buf, size_t size)
{
    (void)p;
    if (v->total_lines)
        snprintf(buf, size, "%s ─ %llu%s", tx(v->lang, TX_OUTPUT), (unsigned long long)v->total_lines, v->diff.line_count ? "*" : "");
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    struct rect in = p->in;
    int n = v->nlines < in.h ? v->nlines : in.h;
    if (v->nlines == 0 && v->md && not_known(v, KNOW_OUTPUT, 0))
        draw_not_recorded(v, c, in);
    else if (v->nlines == 0)
        canvas_text(c, in, in.x + 1, in.y, ROLE_dim, tx(v->lang, TX_EMPTY_OUTPUT));
    for (int i = v->nlines - n, y = in.y; i < v->nlines; i++, y++) {
        if (v->diff.line[i])
            canvas_put(c, in, in.x, y, ROLE_changed, '*');
        canvas_text(c, in, in.x + 1, y, ROLE_plain, v->line[i]);
    }
}

const struct pane_ops pane_output = {.title = title, .draw = draw};
