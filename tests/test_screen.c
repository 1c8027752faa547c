/* What a canvas looks like on a terminal. A separate process shows random pictures on an emulated terminal. Both
 * sides make the same pictures from the same seed, and the terminal must hold each cell with its look.
 *
 * Some tests compile their own terminfo entry, for a terminal that lacks something. The emulated terminal does not
 * know dim, so such an entry says that dim is italic. */
#include "base/prng.h"
#include "t.h"
#include "term.h"
#include "ui/term/screen.h"

#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { W = 40, H = 7 };

/* What is shown, and the properties of the terminal. */
struct show {
    const char *term, *locale;
    int w, h;
    bool color, utf8, many_colors, dims;
    bool light; /* the terminal's ground, so that a dark theme paints its own */
    int words;  /* maximum number drawn on each picture */
    long pictures;
    bool interrupted; /* signals arrive all the time */
    void (*draw)(struct canvas *c, struct prng *r, int words);
};

static struct show on(const char *term)
{
    return (struct show){
        .term = term, .locale = "C.UTF-8", .w = W, .h = H, .color = true, .utf8 = true, .many_colors = true, .words = 6, .pictures = 60};
}

/* ---- pictures ---- */

static int upto(struct prng *r, int n)
{
    return (int)prng_below(r, (uint64_t)n);
}

static void scribble(struct canvas *c, struct prng *r, int words)
{
    static const char *const word[] = {"steal", "a b  c", "队列", "   ", "P0线", "╭──╮", "x"};
    const struct rect all = {0, 0, c->w, c->h};
    for (int n = upto(r, words); n > 0; n--) {
        int x = upto(r, c->w + 4) - 2, y = upto(r, c->h);
        c->tag = (uint32_t)upto(r, 3);
        canvas_text(c, all, x, y, (enum role)upto(r, ROLES), word[upto(r, sizeof word / sizeof *word)]);
        if (upto(r, 3) == 0)
            canvas_mark(c, all, x, y, 4);
        canvas_mark(c, all, upto(r, c->w), upto(r, c->h), 1); /* may hit half a glyph */
        struct cell *cell = &c->cell[upto(r, c->w * c->h)];
        cell->chosen = cell->width == 1 && upto(r, 2);
    }
}

/* Draws the next picture over the one before, or sometimes over an empty one. */
static void next_picture(const struct show *show, struct canvas *c, struct prng *r)
{
    if (upto(r, 20) == 0)
        canvas_clear(c);
    (show->draw ? show->draw : scribble)(c, r, show->words);
}

/* ---- the process that shows them ---- */

static void ignore(int sig)
{
    (void)sig;
}

/* Makes a signal arrive every half millisecond; it interrupts a write. */
static void interrupt(void)
{
    const struct itimerval each = {.it_interval.tv_usec = 500, .it_value.tv_usec = 500};
    struct sigaction sa = {.sa_handler = ignore};
    sigaction(SIGALRM, &sa, NULL);
    setitimer(ITIMER_REAL, &each, NULL);
}

static uint32_t key(struct screen *s)
{
    struct pollfd p = {screen_fd(s), POLLIN, 0};
    uint32_t code;
    while (!(code = screen_key(s)))
        poll(&p, 1, -1);
    return code;
}

/* Shows the next picture at each 'n' and then rings the bell. 't' changes the theme, 'r' asks for a redraw, 'l' leaves the terminal and returns to
 * it, 'q' quits. */
static void show_them(void *arg)
{
    const struct show *show = arg;
    const char *why;
    struct screen *s = screen_open(&(struct screen_config){.color = show->color}, &why);
    struct canvas c;
    struct prng r;
    int w, h;
    if (!s || !canvas_init(&c, show->w, show->h))
        _exit(1);
    if (show->interrupted)
        interrupt();
    prng_seed(&r, 7, 0);
    for (uint32_t k; (k = key(s)) != 'q';) {
        if (k == 't')
            screen_theme(s, theme_find("projector"));
        else if (k == 'r')
            screen_redraw(s);
        else if (k == 'l')
            screen_leave(s), screen_return(s);
        if (k != 'n')
            continue;
        if (!screen_size(s, &w, &h) || w != show->w || h != show->h)
            _exit(2);
        next_picture(show, &c, &r);
        screen_show(s, &c);
        while (write(STDOUT_FILENO, "\a", 1) != 1)
            ;
    }
    screen_close(s);
    canvas_fini(&c);
}

/* ---- the terminal that shows them ---- */

struct look_of {
    bool bold, italic, underline, reverse;
    int color;
};

static enum ground ground_of(const struct show *show)
{
    return show->light ? GROUND_LIGHT : GROUND_DARK;
}

static struct look_of look_of(const struct show *show, const struct theme *theme, const struct cell *c)
{
    const struct look *l = theme_look(show->color ? theme_on(theme, ground_of(show)) : theme_find("mono"), c->role);
    bool blank = c->ch == ' ';
    return (struct look_of){
        .bold = !blank && l->attr & LOOK_BOLD,
        .italic = !blank && show->dims && !show->many_colors && l->attr & LOOK_DIM,
        .underline = c->mark || l->attr & LOOK_UNDERLINE,
        .reverse = c->chosen != ((l->attr & LOOK_REVERSE) != 0),
        .color = !show->color        ? -1
                 : show->many_colors ? l->fg256
                                     : l->fg8,
    };
}

static uint32_t glyph_of(const struct show *show, const struct cell *c)
{
    return show->utf8 || c->ch < 0x7f ? c->ch : '?';
}

static void wrong(const struct show *show, int x, int y, const struct cell *want, const struct term_cell *got)
{
    t_fail(__FILE__, __LINE__, "%s, cell %d,%d: U+%04X (%s%s%s), shown is U+%04X, width %d, colour %d%s%s%s%s%s", show->term, x, y,
           want->ch, role_name[want->role], want->chosen ? ", chosen" : "", want->mark ? ", marked" : "", got->ch, got->width, got->color,
           got->bold ? " bold" : "", got->italic ? " dim" : "", got->underline ? " underline" : "", got->reverse ? " reverse" : "",
           got->own_ground ? "" : " on a background");
}

static void check_cell(struct term *t, const struct show *show, const struct theme *theme, const struct canvas *c, int x, int y)
{
    const struct cell *want = &c->cell[y * c->w + x];
    struct term_cell got;
    term_cell(t, y, x, &got);
    if (want->width == 0) /* the right half of a wide glyph, or its second "?" */
        want--;
    struct look_of look = look_of(show, theme, want);
    bool blank = want->ch == ' ', seen = !blank || look.underline || look.reverse, half = show->utf8 && want < &c->cell[y * c->w + x];
    bool glyph = half || (got.ch == glyph_of(show, want) && got.width == (show->utf8 ? want->width : 1));
    bool attrs = half || !seen || (got.underline == look.underline && got.reverse == look.reverse);
    bool color = half || blank || (got.bold == look.bold && got.italic == look.italic && got.color == look.color);
    bool none = seen || (!got.underline && !got.reverse);
    bool painted = show->color && show->light && theme == theme_find("projector");
    if (!glyph || !attrs || !color || !none || got.own_ground == painted)
        wrong(show, x, y, want, &got);
}

static void check_picture(struct term *t, const struct show *show, const struct theme *theme, const struct canvas *c)
{
    for (int i = 0; i < c->w * c->h; i++)
        check_cell(t, show, theme, c, i % c->w, i / c->w);
}

static bool rang(struct term *t, void *bells)
{
    return term_bells(t) >= *(int *)bells;
}

static void wait_bell(struct term *t, int bells)
{
    term_wait_for(t, "the picture does not come", rang, &bells);
}

static struct term *start(struct show *show)
{
    static char term[80], locale[80], dir[PATH_MAX];
    snprintf(term, sizeof term, "TERM=%s", show->term);
    snprintf(locale, sizeof locale, "LC_ALL=%s", show->locale);
    snprintf(dir, sizeof dir, "TERMINFO_DIRS=%s/terminfo:", t_tmpdir());
    return term_start_fn(
        show->h, show->w, (const char *const[]){term, locale, dir, show->light ? "COLORFGBG=0;15" : "COLORFGBG=15;0", NULL}, show_them,
        show);
}

static void end(struct term *t)
{
    term_keys(t, "q");
    CHECK_INT(term_wait_exit(t), 0);
    term_check_sane(t);
    term_free(t);
}

static void shows(struct show show)
{
    const struct theme *theme = theme_find("default");
    struct canvas c;
    struct prng r, keys;
    struct term *t = start(&show);
    CHECK(canvas_init(&c, show.w, show.h));
    prng_seed(&r, 7, 0);
    prng_seed(&keys, 8, 0);
    for (int i = 0; i < show.pictures; i++) {
        int what = upto(&keys, 40);
        if (what == 0)
            theme = theme_find("projector");
        term_keys(t, what == 0 ? "tn" : what == 1 ? "rn" : what == 2 ? "ln" : "n");
        next_picture(&show, &c, &r);
        wait_bell(t, i + 1);
        check_picture(t, &show, theme, &c);
    }
    canvas_fini(&c);
    end(t);
}

/* Compiles the description of a terminal that is like `base` except for `what`. */
static void describe(const char *name, const char *what, const char *base)
{
    char command[PATH_MAX + 200], text[400];
    snprintf(text, sizeof text, "%s,\n\t%s, use=%s,\n", name, what, base);
    snprintf(command, sizeof command, "tic -x -o '%s/terminfo' '%s' >/dev/null 2>&1", t_tmpdir(), t_file("description", text));
    if (system(command) != 0)
        t_skip("no tic");
}

/* ---- the tests ---- */

TEST(every_picture_arrives_as_its_difference)
{
    struct show show = on("xterm-256color");
    show.pictures = t_count(1000, 30000);
    shows(show);
}

TEST(eight_colours_and_dim)
{
    struct show show = on("dims");
    describe("dims", "dim=\\E[3m, sgr@", "xterm");
    show.many_colors = false;
    show.dims = true;
    show.pictures = 200;
    shows(show);
}

TEST(with_many_colours_a_grey_is_dim)
{
    struct show show = on("dims256");
    describe("dims256", "dim=\\E[3m, sgr@", "xterm-256color");
    show.dims = true; /* look_of() expects no dim cell here */
    shows(show);
}

TEST(no_colour)
{
    struct show show = on("xterm-256color");
    show.color = false;
    show.pictures = 200;
    shows(show);
    show = on("vt100");
    show.color = false;
    shows(show);
}

TEST(a_locale_without_utf8)
{
    struct show show = on("xterm-256color");
    show.locale = "C";
    show.utf8 = false;
    show.pictures = 200;
    shows(show);
}

/* Many terminals clear with their own ground, whatever the description says. */
TEST(a_painted_ground_has_no_holes)
{
    static const char *const base[] = {"xterm", "xterm-256color"};
    for (int i = 0; i < 2; i++) {
        struct show show = on("plain");
        describe("plain",
                 "el=\\E7\\E[49m\\E[K\\E8, el1=\\E7\\E[49m\\E[1K\\E8, ed=\\E7\\E[49m\\E[J\\E8, "
                 "ech=\\E7\\E[49m\\E[%p1%dX\\E8, clear=\\E[H\\E7\\E[49m\\E[2J\\E8",
                 base[i]);
        show.light = true;
        show.many_colors = i > 0;
        show.pictures = 200;
        shows(show);
    }
}

/* Fills every cell, including the last one, with narrow or wide glyphs. */
static void fill(struct canvas *c, struct prng *r, int words)
{
    (void)words;
    const struct rect all = {0, 0, c->w, c->h};
    bool wide = upto(r, 2);
    for (int y = 0; y < c->h; y++)
        for (int x = 0; x + wide < c->w; x += 1 + wide)
            canvas_put(c, all, x, y, (enum role)upto(r, ROLES), wide ? 0x961f : (uint32_t)('a' + upto(r, 26)));
}

TEST(the_last_cell_is_shown)
{
    struct show show = on("xterm-256color");
    show.draw = fill;
    shows(show);
    show.term = "vt100";
    show.color = false;
    shows(show);
}

TEST(a_terminal_that_can_not_clear)
{
    struct show show = on("keeps");
    describe("keeps", "clear@, ed@, el@, el1@, ech@, smcup@, rmcup@", "xterm-256color");
    shows(show);
}

/* Such a frame is more than a terminal takes at once, so a signal interrupts the write. */
TEST(a_signal_in_a_frame_loses_nothing)
{
    struct show show = on("xterm-256color");
    show.interrupted = true;
    show.draw = fill;
    show.w = 200;
    show.h = 60;
    show.pictures = 20;
    shows(show);
}

/* ---- nothing to send ---- */

static void same_with_other_tags(struct canvas *c, struct prng *r, int words)
{
    (void)r;
    (void)words;
    canvas_clear(c);
    c->tag++;
    canvas_text(c, (struct rect){0, 0, c->w, c->h}, 3, 2, ROLE_status, "P0 队列");
}

/* Not even if a tag has changed, which no terminal shows. */
TEST(the_same_picture_is_not_sent_again)
{
    struct show show = on("xterm-256color");
    show.draw = same_with_other_tags;
    struct term *t = start(&show);
    term_keys(t, "n");
    wait_bell(t, 1);
    long before = term_bytes(t);
    term_keys(t, "n");
    wait_bell(t, 2);
    CHECK_INT(term_bytes(t) - before, 1); /* the bell */
    term_keys(t, "rn");
    wait_bell(t, 3);
    CHECK(term_bytes(t) - before > 20);
    end(t);
}
