/* Arrows: a steal is shown from its victim to its thief, long enough, and no longer than it is true. */
#include "story.h"

static int find(const struct canvas *c, int y, uint32_t ch)
{
    for (int x = 0; x < c->w; x++)
        if (c->cell[y * c->w + x].ch == ch)
            return x;
    return -1;
}

static int row_of(const struct canvas *c, const char *label)
{
    for (int y = 0; y < c->h; y++)
        if (c->cell[y * c->w + 2].ch == (uint32_t)label[0] && c->cell[y * c->w + 3].ch == (uint32_t)label[1])
            return y;
    t_fail(__FILE__, __LINE__, "no row %s", label);
}

/* The tail with its number is on the victim's row, the head on the thief's row, and the lane joins them. */
static void check_arrow(const struct canvas *c, int from, int to, uint32_t number)
{
    int lane = find(c, from, from < to ? 0x256e : 0x256f);
    CHECK(lane > 0 && lane < c->w - 1);
    CHECK_INT(c->cell[to * c->w + lane].ch, from < to ? 0x256f : 0x256e);
    for (int y = (from < to ? from : to) + 1; y < (from < to ? to : from); y++)
        CHECK_INT(c->cell[y * c->w + lane].ch, 0x2502);
    int head = find(c, to, 0x25c0);
    CHECK(head > 0 && head < lane);
    for (int x = head + 1; x < lane; x++)
        CHECK_INT(c->cell[to * c->w + x].ch, 0x2500);
    bool numbered = false;
    for (int x = 40; x < lane; x++)
        numbered |= c->cell[from * c->w + x].ch == number;
    CHECK(numbered);
    CHECK_INT(find(c, from, 0x25c0), -1);
}

TEST(a_steal_is_an_arrow_from_the_victim_to_the_thief)
{
    struct story *s = steal_half(4);
    struct arrows a = {0};
    struct view v = view_of(s);
    arrows_events(&a, s->ev, s->n);
    CHECK_INT(a.n, 1);
    CHECK_INT(a.v[0].n, 4);
    v.arrows = &a;
    struct picture p = look(&v, at(PANE_processors, W, H));
    check_arrow(&p.c, row_of(&p.c, "P0"), row_of(&p.c, "P1"), '4');
    picture_fini(&p);
    a.v[0].from = 3; /* upwards, over two rows */
    a.v[0].to = 0;
    p = look(&v, at(PANE_processors, 80, H));
    check_arrow(&p.c, row_of(&p.c, "P3"), row_of(&p.c, "P0"), '4');
    picture_fini(&p);
    struct layout_pane without = at(PANE_processors, W, H);
    without.option[1] = false; /* arrows */
    p = look(&v, without);
    CHECK_INT(find(&p.c, row_of(&p.c, "P0"), 0x25c0), -1);
    picture_fini(&p);
    story_free(s);
}

TEST(two_steals_between_the_same_ps_share_a_line)
{
    struct story *s = steal_half(2);
    struct arrows a = {.n = 2, .v = {{.from = 0, .to = 1, .n = 4}, {.from = 0, .to = 1, .n = 2}}};
    struct view v = view_of(s);
    v.arrows = &a;
    v.st.paused = false;
    struct picture p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "P0", "─4+2─");
    picture_fini(&p);
    v.st.paused = true; /* a stop shows what happened last */
    p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "P0", "──2──");
    picture_fini(&p);
    story_free(s);
}

TEST(an_arrow_stays_800_ms_then_fades_in_three_steps)
{
    struct session_event e = {.number = 1, .ev = {.kind = EV_STEAL, .p = 1, .a = 0, .b = 2 << 1}};
    struct arrows a = {0};
    arrows_events(&a, &e, 1);
    CHECK_INT(arrow_role(&a.v[0]), ROLE_arrow);
    CHECK_INT(arrows_next(&a), 800);
    arrows_watch(&a, 799, 1);
    CHECK_INT(arrow_role(&a.v[0]), ROLE_arrow);
    CHECK(arrows_watch(&a, 1, 1));
    CHECK_INT(arrow_role(&a.v[0]), ROLE_arrow_fading);
    CHECK(arrows_watch(&a, arrows_next(&a), 1));
    CHECK_INT(arrow_role(&a.v[0]), ROLE_arrow_old);
    CHECK(arrows_watch(&a, arrows_next(&a), 1));
    CHECK_INT(a.n, 0);
    CHECK_INT(arrows_next(&a), -1); /* nothing will change by itself: no frame */
    arrows_events(&a, &e, 1);
    CHECK_INT(a.n, 0); /* an event is seen once */
}

TEST(each_stop_fades_an_arrow_by_a_step)
{
    struct session_event e = {.number = 1, .ev = {.kind = EV_STEAL, .p = 1, .a = 0, .b = 1}}; /* a stolen runnext counts as one */
    struct arrows a = {0};
    arrows_events(&a, &e, 1);
    CHECK_INT(a.v[0].n, 1);
    arrows_stop(&a);
    CHECK_INT(arrow_role(&a.v[0]), ROLE_arrow_fading);
    arrows_stop(&a);
    CHECK_INT(arrow_role(&a.v[0]), ROLE_arrow_old);
    arrows_stop(&a);
    CHECK_INT(a.n, 0);
}

TEST(too_many_steals_are_counted_instead)
{
    struct arrows a = {0};
    struct session_event e = {.ev = {.kind = EV_STEAL, .p = 1, .a = 0, .b = 2}};
    for (e.number = 1; e.number <= 50; e.number++)
        arrows_events(&a, &e, 1);
    CHECK_INT(a.n, ARROWS_MAX);
    arrows_watch(&a, 1000, 212);
    CHECK_INT(a.rate, 212);
    arrows_watch(&a, 3000, 212 + 3 * 212); /* all have faded; a sample of the next ones is drawn */
    CHECK_INT(a.rate, 212);
    arrows_watch(&a, 400, 1100);
    arrows_watch(&a, 400, 1100);
    CHECK_INT(a.n, 0);
    for (; e.number <= 60; e.number++)
        arrows_events(&a, &e, 1);
    CHECK_INT(a.n, 2);
    struct story *s = steal_half(2);
    struct view v = view_of(s);
    v.arrows = &a;
    struct picture p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "Processors", "212 steals/s");
    picture_fini(&p);
    story_free(s);
}

TEST(overlapping_arrows_get_lanes_of_their_own)
{
    struct span s[] = {{0, 3, 0}, {1, 2, 0}, {4, 6, 0}, {3, 4, 0}, {7, 9, 0}};
    CHECK_INT(arrows_lanes(s, 5), 2);
    CHECK_INT(s[0].lane, 0);
    CHECK_INT(s[1].lane, 1);
    CHECK_INT(s[2].lane, 0);
    CHECK_INT(s[3].lane, 1); /* it touches row 3 of the first and row 4 of the third, but not rows 1..2 of the second */
    CHECK_INT(s[4].lane, 0);
}
