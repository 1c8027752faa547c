/* The canvas: clipping, wide glyphs, plain ASCII; and no drawing leaves the grid ill-formed. */
#include "base/prng.h"
#include "canvas/canvas.h"
#include "t.h"

#include <stdlib.h>
#include <string.h>

static struct rect all(const struct canvas *c)
{
    return (struct rect){0, 0, c->w, c->h};
}

static void check_dump(const struct canvas *c, const char *want)
{
    char *got = canvas_dump(c);
    CHECK_STR(got, want);
    free(got);
}

TEST(text_is_cut_at_its_clip)
{
    struct canvas c;
    CHECK(canvas_init(&c, 8, 2));
    CHECK_INT(canvas_text(&c, (struct rect){2, 0, 3, 1}, 1, 0, ROLE_plain, "abcdef"), 7);
    check_dump(&c, "  bc…\n\n");
    canvas_text(&c, (struct rect){0, 1, 1, 1}, 0, 1, ROLE_plain, "z  "); /* of blanks, nothing is missing */
    check_dump(&c, "  bc…\nz\n");
    canvas_text(&c, all(&c), -2, 1, ROLE_plain, "xyz");
    check_dump(&c, "  bc…\nz\n");
    canvas_fini(&c);
}

TEST(a_wide_glyph_is_never_halved)
{
    struct canvas c;
    CHECK(canvas_init(&c, 5, 1));
    CHECK_INT(canvas_text(&c, all(&c), 0, 0, ROLE_plain, "队列线"), 6);
    check_dump(&c, "队列…\n");
    CHECK_INT(c.cell[2].width, 2);
    CHECK_INT(c.cell[3].width, 0);
    CHECK_INT(c.cell[4].width, 1);
    canvas_put(&c, all(&c), 3, 0, ROLE_plain, 'x'); /* onto the right half: the left one goes, too */
    check_dump(&c, "队 x…\n");
    canvas_put(&c, all(&c), 0, 0, ROLE_plain, 'y');
    check_dump(&c, "y  x…\n");
    canvas_fini(&c);
}

TEST(control_characters_cannot_reach_the_terminal)
{
    struct canvas c;
    CHECK(canvas_init(&c, 10, 1));
    canvas_text(&c, all(&c), 0, 0, ROLE_plain, "a\033[1mb\x7f\t");
    check_dump(&c, "a?[1mb??\n");
    canvas_fini(&c);
}

TEST(combining_marks_take_no_cell)
{
    struct canvas c;
    CHECK(canvas_init(&c, 4, 1));
    CHECK_INT(canvas_text(&c, all(&c), 0, 0, ROLE_plain, "e\xcc\x81x"), 2);
    check_dump(&c, "ex\n");
    canvas_fini(&c);
}

TEST(right_aligned_text_ends_at_its_column)
{
    struct canvas c;
    CHECK(canvas_init(&c, 6, 1));
    canvas_right(&c, all(&c), 4, 0, ROLE_plain, "12");
    check_dump(&c, "   12\n");
    canvas_fini(&c);
}

TEST(a_box_has_a_title_and_an_inside)
{
    struct canvas c;
    CHECK(canvas_init(&c, 10, 3));
    struct rect in = canvas_box(&c, all(&c), ROLE_border, "Ps");
    check_dump(&c, "╭ Ps ────╮\n│        │\n╰────────╯\n");
    CHECK(in.x == 1 && in.y == 1 && in.w == 8 && in.h == 1);
    c.ascii = true;
    canvas_clear(&c);
    canvas_box(&c, all(&c), ROLE_border, "Ps");
    check_dump(&c, "+ Ps ----+\n|        |\n+--------+\n");
    canvas_fini(&c);
}

TEST(every_glyph_that_is_drawn_has_an_ascii_one)
{
    static const uint32_t drawn[] = {0x2500, 0x2502, 0x253c, 0x256d, 0x256e, 0x256f, 0x2570, 0x25c0, 0x25b6, 0x2192, 0x2026,
                                     0xb7,   0xb5,   0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588, 0x2264};
    struct canvas c;
    CHECK(canvas_init(&c, 1, 1));
    c.ascii = true;
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
        canvas_put(&c, all(&c), 0, 0, ROLE_plain, drawn[i]);
        CHECK(c.cell[0].ch < 0x7f);
    }
    canvas_fini(&c);
}

TEST(text_of_two_ascii_characters_is_measured_as_drawn)
{
    static const char *const text = "≤ 1 … 2";
    struct canvas c;
    CHECK(canvas_init(&c, 12, 2));
    CHECK_INT(canvas_width(&c, text), 7);
    c.ascii = true;
    CHECK_INT(canvas_width(&c, text), 9);
    CHECK_INT(canvas_text(&c, all(&c), 0, 0, ROLE_plain, text), 9);
    canvas_right(&c, all(&c), 11, 1, ROLE_plain, text);
    check_dump(&c, "<= 1 .. 2\n   <= 1 .. 2\n");
    canvas_clear(&c);
    canvas_text(&c, (struct rect){0, 0, 1, 1}, 0, 0, ROLE_plain, "…");
    check_dump(&c, "~\n\n");
    canvas_fini(&c);
}

/* Checks that each cell of width 2 is followed by one of width 0, and that there is no other cell of width 0. */
static void check_well_formed(const struct canvas *c)
{
    for (int i = 0; i < c->w * c->h; i++) {
        bool half = i % c->w > 0 && c->cell[i - 1].width == 2;
        CHECK_INT(c->cell[i].width == 0, half);
        CHECK(c->cell[i].width != 2 || i % c->w < c->w - 1);
    }
}

TEST(random_drawing_leaves_the_grid_well_formed)
{
    static const char *const texts[] = {"abc", "队列", "x队y列z", "", "\xff\xc3", "───"};
    struct prng r;
    struct canvas c;
    prng_seed(&r, 7, 1);
    CHECK(canvas_init(&c, 13, 5));
    for (long i = 0, n = t_count(20000, 500000); i < n; i++) {
        struct rect clip = {(int)prng_below(&r, 20) - 4, (int)prng_below(&r, 9) - 2, (int)prng_below(&r, 16), (int)prng_below(&r, 7)};
        int x = (int)prng_below(&r, 24) - 6, y = (int)prng_below(&r, 9) - 2;
        if (prng_below(&r, 8) == 0)
            canvas_box(&c, clip, ROLE_border, texts[prng_below(&r, 6)]);
        else
            canvas_text(&c, clip, x, y, ROLE_plain, texts[prng_below(&r, 6)]);
        check_well_formed(&c);
    }
    canvas_fini(&c);
}

TEST(a_title_that_just_fits_touches_no_corner)
{
    struct canvas c;
    CHECK(canvas_init(&c, 7, 2));
    canvas_box(&c, all(&c), ROLE_border, "abc");
    check_dump(&c, "╭ abc ╮\n╰─────╯\n");
    canvas_fini(&c);
}

TEST(an_empty_canvas_takes_drawing)
{
    struct canvas c;
    CHECK(canvas_init(&c, 0, 0));
    canvas_box(&c, (struct rect){0, 0, 10, 10}, ROLE_border, "x");
    canvas_text(&c, (struct rect){0, 0, 10, 10}, 0, 0, ROLE_plain, "hello");
    check_dump(&c, "");
    canvas_fini(&c);
}

/* However long the title is, the corner stays, and a blank is before it. */
TEST(a_title_leaves_the_corner)
{
    struct canvas c;
    char title[32] = "";
    CHECK(canvas_init(&c, 12, 3));
    for (int n = 1; n < 30; n++) {
        strcat(title, "x");
        canvas_clear(&c);
        canvas_box(&c, (struct rect){0, 0, 12, 3}, ROLE_border, title);
        CHECK_INT(c.cell[11].ch, 0x256e);
        CHECK(c.cell[10].ch == ' ' || c.cell[10].ch == 0x2500);
    }
    canvas_fini(&c);
}
