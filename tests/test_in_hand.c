/* Gs in transit on an M: the panes agree on the one that the M runs next. */
#include "story.h"

/* Returns the G that is drawn after an arrow, because it does not run yet; 0: none. */
static uint32_t next_g_in(const struct view *v, enum pane_kind kind)
{
    struct picture p = look(v, at(kind, W, H));
    uint32_t found = 0;
    for (int i = 0; i + 2 < p.c.w * p.c.h && !found; i++) {
        uint32_t tag = p.c.cell[i + 2].tag; /* the pane `processors` has a blank after the arrow */
        if (p.c.cell[i].ch == 0x2192 && thing_kind(tag) == THING_G)
            found = thing_id(tag);
    }
    picture_fini(&p);
    return found;
}

static void check_next(const struct story *s, uint32_t g)
{
    struct view v = view_of(s);
    v.st.title = v.st.summary = (struct text){{"Story", "Story"}};
    CHECK_INT(next_g_in(&v, PANE_processors), g);
    CHECK_INT(next_g_in(&v, PANE_stage), g);
}

/* M0 takes G2, G3 and G4 from the global queue, queues the last two, and runs G2. */
TEST(of_several_gs_in_transit_the_panes_show_the_one_that_runs_next)
{
    struct story *s = story_new(1, 8);
    for (uint32_t g = 2; g <= 4; g++)
        EVENT(G_CREATE, 0, 0, .g = g, .a = 1, .b = 1, .c = g - 2);
    EVENT(GLOBQ_PUT, 0, 0, .g = 2, .a = 3, .b = QUEUE_TAIL, .c = 1);
    EVENT(G_END, 0, 0, .g = 1, .a = 3);
    EVENT(GLOBQ_GET, 0, 0, .g = 2, .a = 3, .b = GLOBQ_BATCH, .c = 2);
    check_next(s, 2);
    EVENT(RUNQ_PUT, 0, 0, .g = 3, .a = 0);
    check_next(s, 2);
    EVENT(RUNQ_PUT, 0, 0, .g = 4, .a = 1);
    check_next(s, 2);
    EVENT(G_START, 0, 0, .g = 2, .a = 2);
    CHECK_INT(model_m(s->md, 0)->curg, 2);
    story_free(s);
}

/* All cells between the first and the last row and column of a figure are the figure's, except for the M's label in that of a P. So it is
 * reversed as a whole when it is selected: the full blocks of large digits alone would become blanks. */
static void check_figure(const struct canvas *c, uint32_t tag)
{
    int left = c->w, right = -1, top = c->h, low = -1, cells = 0;
    for (int i = 0; i < c->w * c->h; i++) {
        int x = i % c->w, y = i / c->w;
        if (c->cell[i].tag != tag)
            continue;
        cells++;
        left = x < left ? x : left;
        right = x > right ? x : right;
        top = y < top ? y : top;
        low = y > low ? y : low;
    }
    for (int y = top; y <= low; y++)
        for (int x = left; x <= right; x++)
            cells += thing_kind(tag) == THING_P && thing_kind(c->cell[y * c->w + x].tag) == THING_M;
    CHECK(cells > 0);
    CHECK_INT(cells, (right - left + 1) * (low - top + 1));
}

TEST(the_figures_of_the_stage_are_whole)
{
    struct story *s = story_new(2, 8);
    spawn(s, 3);
    EVENT(G_END, 0, 0, .g = 1, .a = 3);
    EVENT(RUNNEXT_GET, 0, 0, .g = 4, .a = 1);
    static const int size[][2] = {{80, 24}, {100, 30}, {200, 40}};
    for (int i = 0; i < 3; i++) {
        struct view v = view_of(s);
        v.st.title = v.st.summary = (struct text){{"Story", "Story"}};
        struct picture p = look(&v, at(PANE_stage, size[i][0], size[i][1]));
        for (uint32_t g = 2; g <= 4; g++)
            check_figure(&p.c, tag_of('G', g));
        check_figure(&p.c, tag_of('P', 0));
        check_figure(&p.c, tag_of('P', 1));
        picture_fini(&p);
    }
    story_free(s);
}
