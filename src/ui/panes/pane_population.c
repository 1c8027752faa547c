/* Population: how many Gs there are, and where. The parts add up to the whole, so no G leaves the picture. */
#include "ui/panes/population.h"

/* Gs that an M is moving from one place to another. */
static uint32_t in_transit(const struct model *md)
{
    uint32_t n = 0;
    for (uint32_t m = 0; m < model_nm(md); m++)
        n += model_m(md, m)->transit_n;
    return n;
}

void draw_population(const struct view *v, struct canvas *c, struct rect in)
{
    const struct model *md = v->md;
    uint32_t runnable = model_count_g(md, G_RUNNABLE), moving = in_transit(md);
    const struct {
        enum text_id text;
        uint32_t n;
    } part[] = {
        {TX_N_RUNNING, model_count_g(md, G_RUNNING)},
        {TX_N_QUEUED, runnable - moving},
        {TX_N_MOVING, moving},
        {TX_N_SYSCALL, model_count_g(md, G_SYSCALL)},
        {TX_N_WAITING, model_count_g(md, G_WAITING)},
        {TX_N_DEAD, model_count_g(md, G_DEAD)},
    };
    enum { PARTS = sizeof part / sizeof *part, ROOMY = 92 };
    uint32_t all = 0;
    for (int i = 0; i < PARTS; i++)
        all += part[i].n;
    int x = canvas_printf(c, in, in.x, in.y, ROLE_number, tx(v->lang, TX_N_ALL), all);
    const char *sign = " = ";
    for (int i = 0; i < PARTS; i++) {
        if (part[i].n == 0 && in.w < ROOMY) /* without it the sum is the same */
            continue;
        x = canvas_text(c, in, x, in.y, ROLE_dim, sign);
        x = canvas_printf(c, in, x, in.y, part[i].n ? ROLE_number : ROLE_dim, tx(v->lang, part[i].text), part[i].n);
        sign = " + ";
    }
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    if (v->md)
        draw_population(v, c, (struct rect){p->in.x + 1, p->in.y, p->in.w - 2, 1});
}

const struct pane_ops pane_population = {.bare = true, .draw = draw};
