/* What is painted is what a terminal shows: random pictures, one after another, each sent as its difference from the one before, and
 * an emulated terminal that understands it must hold each cell, its look too. */
#include "base/prng.h"
#include "t.h"
#include "ui/term/paint.h"
#include "ui/term/themes.h"

#include <stdio.h>
#include <string.h>
#include <vterm.h>

enum { W = 40, H = 7 };

static size_t move_to(char out[PEN_BYTES], int x, int y)
{
    return (size_t)snprintf(out, PEN_BYTES, "\033[%d;%dH", y + 1, x + 1);
}

/* Every role another colour but each third, which has the terminal's own. */
static struct pens pens_of_a_terminal(void)
{
    struct pens p = {.plain = "\033[m", .attr = {"\033[1m", "\033[2m", "\033[7m", "\033[4m"}, .clear = "\033[H\033[2J", .move = move_to,
                     .utf8 = true};
    for (int r = 0; r < ROLES; r++) {
        p.look[r] = (uint8_t)(r % 5 ? 0 : LOOK_BOLD);
        if (r % 3)
            snprintf(p.color[r], PEN_BYTES, "\033[38;5;%dm", 20 + r);
    }
    return p;
}

static uint32_t upto(struct prng *r, uint32_t n)
{
    return (uint32_t)prng_below(r, n);
}

static void scribble(struct canvas *c, struct prng *r)
{
    static const char *const word[] = {"steal", "a b  c", "队列", "   ", "P0线", "╭──╮", "x"};
    struct rect all = {0, 0, c->w, c->h};
    for (uint32_t n = upto(r, 6); n; n--) {
        int x = (int)upto(r, W + 4) - 2, y = (int)upto(r, H);
        c->tag = upto(r, 3);
        canvas_text(c, all, x, y, (enum role)upto(r, ROLES), word[upto(r, sizeof word / sizeof *word)]);
        if (!upto(r, 3))
            canvas_mark(c, all, x, y, 4);
        struct cell *cell = &c->cell[upto(r, W * H)];
        cell->chosen = cell->width == 1 && !upto(r, 2);
    }
}

static void check_cell(VTermScreen *vs, const struct pens *pens, const struct canvas *c, int x, int y)
{
    VTermScreenCell got;
    const struct cell *want = &c->cell[y * c->w + x];
    vterm_screen_get_cell(vs, (VTermPos){y, x}, &got);
    if (want->width == 0)
        return; /* the right half: its left one tells */
    CHECK_INT(got.chars[0] ? got.chars[0] : ' ', want->ch);
    CHECK_INT(got.width, want->width);
    CHECK_INT(got.attrs.reverse, want->chosen);
    CHECK_INT(got.attrs.underline != 0, want->mark);
    if (want->ch == ' ')
        return; /* its colour is not seen */
    CHECK_INT(got.attrs.bold, pens->look[want->role] == LOOK_BOLD);
    CHECK_INT(VTERM_COLOR_IS_DEFAULT_FG(&got.fg) != 0, pens->color[want->role][0] == '\0');
    if (!VTERM_COLOR_IS_DEFAULT_FG(&got.fg))
        CHECK_INT(got.fg.indexed.idx, 20 + want->role);
}

static void check_picture(VTerm *vt, const struct pens *pens, const struct canvas *c)
{
    VTermScreen *vs = vterm_obtain_screen(vt);
    for (int i = 0; i < c->w * c->h; i++)
        check_cell(vs, pens, c, i % c->w, i / c->w);
}

TEST(every_picture_arrives_as_its_difference)
{
    struct pens pens = pens_of_a_terminal();
    struct paint p = {0};
    struct canvas c;
    struct prng r;
    VTerm *vt = vterm_new(H, W);
    vterm_set_utf8(vt, 1);
    vterm_screen_reset(vterm_obtain_screen(vt), 1);
    CHECK(canvas_init(&c, W, H));
    prng_seed(&r, 7, 0);
    for (long i = 0; i < t_count(3000, 100000); i++) {
        if (!upto(&r, 50))
            paint_anew(&p);
        if (!upto(&r, 20))
            canvas_clear(&c);
        scribble(&c, &r);
        paint_frame(&p, &pens, &c, "", "");
        vterm_input_write(vt, p.out, p.n);
        check_picture(vt, &pens, &c);
    }
    paint_fini(&p);
    canvas_fini(&c);
    vterm_free(vt);
}

/* Also when only what a cell is about has changed, which no terminal shows. */
TEST(the_same_picture_is_not_sent_again)
{
    struct pens pens = pens_of_a_terminal();
    struct paint p = {0};
    struct canvas c;
    CHECK(canvas_init(&c, W, H));
    canvas_text(&c, (struct rect){0, 0, W, H}, 3, 2, ROLE_status, "P0 队列");
    paint_frame(&p, &pens, &c, "<", ">");
    CHECK(p.n > 2 && p.out[0] == '<' && p.out[p.n - 1] == '>');
    c.cell[2 * W + 3].tag++;
    paint_frame(&p, &pens, &c, "<", ">");
    CHECK_INT(p.n, 0);
    paint_anew(&p);
    paint_frame(&p, &pens, &c, "<", ">");
    CHECK(p.n > 2);
    paint_fini(&p);
    canvas_fini(&c);
}

/* A terminal that can not clear its screen gets each cell, the blank ones too; one that would scroll behind its last cell never gets
 * that one. */
TEST(missing_terminal_features_are_not_needed)
{
    struct pens pens = pens_of_a_terminal();
    struct paint p = {0};
    struct canvas c;
    VTerm *vt = vterm_new(H, W);
    vterm_set_utf8(vt, 1);
    vterm_screen_reset(vterm_obtain_screen(vt), 1);
    for (int i = 0; i < W * H; i++)
        vterm_input_write(vt, "#", 1);
    CHECK(canvas_init(&c, W, H));
    pens.clear[0] = '\0';
    paint_frame(&p, &pens, &c, "", "");
    vterm_input_write(vt, p.out, p.n);
    check_picture(vt, &pens, &c);
    pens.keeps_corner = true;
    canvas_text(&c, (struct rect){0, 0, W, H}, W - 2, H - 1, ROLE_key, "ab");
    paint_frame(&p, &pens, &c, "", "");
    vterm_input_write(vt, p.out, p.n);
    c.cell[W * H - 1].ch = ' ';
    check_picture(vt, &pens, &c);
    paint_fini(&p);
    canvas_fini(&c);
    vterm_free(vt);
}
