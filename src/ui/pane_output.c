/* Output: the last lines the program printed, the newest at the bottom. */
#include "ui/panes.h"

#include <stdio.h>

void pane_output(const struct view *v, struct canvas *c, const struct layout_pane *pane)
{
    char title[96];
    if (v->total_lines)
        snprintf(title, sizeof title, "%s ─ %llu", tx(v->lang, TX_OUTPUT), (unsigned long long)v->total_lines);
    else
        snprintf(title, sizeof title, "%s", tx(v->lang, TX_OUTPUT));
    struct rect in = pane_frame(c, pane, title);
    int n = v->nlines < in.h ? v->nlines : in.h;
    if (v->nlines == 0)
        canvas_text(c, in, in.x + 1, in.y, ROLE_dim, tx(v->lang, TX_EMPTY_OUTPUT));
    for (int i = 0; i < n; i++)
        canvas_text(c, in, in.x + 1, in.y + i, ROLE_plain, v->line[v->nlines - n + i]);
}
