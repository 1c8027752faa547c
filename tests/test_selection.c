/* What keys and clicks select: Gs, Ms and Ps, never a row of a box that the last frame left on the canvas. */
#include "t.h"
#include "ui/boxes/boxes.h"
#include "ui/input/select.h"

/* A pane with P0 in its second row; a box covers its first row. */
struct picture {
    struct canvas c;
    struct layout_pane pane;
};

static struct picture box_over_a_pane(void)
{
    struct picture p = {.pane = {.kind = PANE_processors, .rect = {0, 0, 12, 3}}};
    CHECK(canvas_init(&p.c, 12, 3));
    draw_label(&p.c, (struct rect){0, 0, 12, 3}, 2, 1, (struct label){'P', 0, ROLE_plain, false});
    box_row(&p.c, (struct rect){0, 0, 12, 1}, 0, 1);
    p.c.tag = 0;
    return p;
}

TEST(an_arrow_passes_over_the_rows_of_a_box)
{
    struct picture p = box_over_a_pane();
    struct selection s = {.pane = -1};
    for (int i = 0; i < 4; i++) {
        select_move(&s, &p.c, &p.pane, 1, 0, i < 2 ? -1 : 1);
        CHECK_INT(s.tag, tag_of('P', 0));
    }
    canvas_fini(&p.c);
}

TEST(the_focus_selects_no_row_of_a_box)
{
    struct picture p = box_over_a_pane();
    struct selection s = {.pane = -1};
    select_next_pane(&s, &p.c, &p.pane, 1, 1);
    CHECK_INT(s.tag, tag_of('P', 0));
    canvas_fini(&p.c);
}

TEST(a_click_on_a_row_of_a_box_selects_nothing)
{
    struct picture p = box_over_a_pane();
    struct selection s = {.pane = -1};
    select_click(&s, &p.c, &p.pane, 1, 3, 0);
    CHECK_INT(s.tag, 0);
    select_click(&s, &p.c, &p.pane, 1, 2, 1);
    CHECK_INT(s.tag, tag_of('P', 0));
    canvas_fini(&p.c);
}
