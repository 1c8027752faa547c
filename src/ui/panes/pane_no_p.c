/* Processors for a generation without Ps (go1.0): a row for each M that runs a G, and next to the rows the one queue of all Ms.
 *
 *   M    running           one queue, head → tail (12)
 *   M0   G1 main           G7  G8  G9  G10 G11
 *   M2   G5 worker         G12 G13 G14 …4
 */
#include "ui/panes/panes.h"

#include <stdio.h>

struct columns {
    int m, run, queue, name, cell, ncell;
};

static struct columns columns_for(const struct view *v, struct rect in)
{
    struct columns k;
    k.name = in.w >= 64 ? 10 : 6;
    k.m = in.x + 1;
    k.run = k.m + m_width(v) + 3;
    k.queue = k.run + g_width(v) + 2 + k.name + 3;
    k.cell = g_width(v) + 1;
    k.ncell = in.x + in.w - 1 > k.queue ? (in.x + in.w - 1 - k.queue) / k.cell : 0;
    return k;
}

static bool m_runs(const struct view *v, uint32_t m)
{
    const struct model_m *mm = model_m(v->md, m);
    return mm->started && model_m_doing(v->md, m) == MD_RUN;
}

static void draw_header(const struct view *v, struct canvas *c, struct rect in, const struct columns *k)
{
    const uint32_t *gs;
    char text[64];
    snprintf(text, sizeof text, tx(v->lang, TX_ONE_QUEUE), (unsigned)model_globq(v->md, &gs));
    canvas_text(c, in, k->m, in.y, ROLE_heading, "M");
    canvas_text(c, in, k->run, in.y, ROLE_heading, tx(v->lang, TX_COL_RUNNING));
    canvas_text(c, in, k->queue, in.y, ROLE_heading, text);
}

/* Row by row; the last cell says how many more there are. */
static void draw_queue(const struct view *v, struct canvas *c, struct rect in, const struct columns *k)
{
    const uint32_t *gs;
    char text[24];
    int n = (int)model_globq(v->md, &gs), room = k->ncell * (in.h - 1);
    for (int i = 0; i < n && i < room; i++) {
        int x = k->queue + i % k->ncell * k->cell, y = in.y + 1 + i / k->ncell;
        if (i == room - 1 && n > room) {
            snprintf(text, sizeof text, "…%d", n - i);
            canvas_text(c, in, x, y, ROLE_dim, text);
        } else {
            draw_g(c, in, x, y, gs[i], !was_in_globq(v, gs[i]));
        }
    }
}

void pane_no_p(const struct view *v, struct canvas *c, struct rect in)
{
    struct columns k = columns_for(v, in);
    struct rows rows;
    uint32_t apart = thread_apart(v);
    rows_choose(&rows, v, &(struct row_list){THING_M, model_nm(v->md), m_runs}, in.h - 1 - (apart != EV_NONE));
    draw_header(v, c, in, &k);
    for (int i = 0; i < rows.n; i++) {
        uint32_t m = rows.id[i], g = model_m(v->md, m)->curg;
        bool was = v->base && m < model_nm(v->base), lit = row_is_lit(v, tag_of('M', m));
        int y = in.y + 1 + i;
        draw_label(c, in, k.m, y, (struct label){'M', m, lit ? ROLE_sentence_now : ROLE_plain, false});
        if (lit)
            draw_lit(c, in, y);
        draw_g(c, in, k.run, y, g, was && model_m(v->base, m)->curg != g);
        draw_name(v, c, in, (struct rect){k.run + g_width(v) + 2, y, k.name, 1}, g);
    }
    if (apart != EV_NONE)
        threads_row(v, c, in, in.y + 1 + rows.n, apart);
    draw_queue(v, c, in, &k);
}
