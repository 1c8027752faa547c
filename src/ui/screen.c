/* The terminal, through ncurses. The only file that includes curses.
 *
 * ncurses only takes keys apart and sends cells; what is drawn is decided on the canvas. Three of its habits shape this
 * file:
 *  - wget_wch() may block in nodelay mode (a mouse event that is filtered out, a sequence cut short). So it reads from
 * a file description of its own that is non-blocking, and asks for all mouse events or for none. O_NONBLOCK on fd 0
 * itself would leak to the shell.
 *  - wget_wch(stdscr) refreshes a dirty window by itself. So keys are read from a pad.
 *  - a frame is many small writes. So it goes between the brackets of synchronized output (private mode 2026);
 * terminals that do not know it skip it. (To collect them in a file in memory first was tried: no faster.)
 */
#define NCURSES_WIDECHAR 1
#include "ui/screen.h"

#include "base/text.h"
#include "ui/keys.h"

#include <curses.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

enum { RUN = 64 }; /* cells that are sent at once */

struct screen {
    SCREEN *term;
    WINDOW *input; /* a pad */
    FILE *in;
    bool ascii, utf8, color, sync;
    struct canvas shown; /* what the terminal shows */
    bool all;            /* send every cell next time */
    attr_t attr[ROLES];
    int mouse_x, mouse_y;
    bool mouse_twice;
};

/* A description of the terminal that is ours alone: O_NONBLOCK on it touches nobody else's. */
static FILE *own_input(void)
{
    char name[256];
    int fd =
        ttyname_r(STDIN_FILENO, name, sizeof name) == 0 ? open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) : -1;
    if (fd < 0)
        fd = open("/dev/tty", O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    FILE *in = fd < 0 ? NULL : fdopen(fd, "r");
    if (!in && fd >= 0)
        close(fd);
    return in;
}

/* Terminals that print what they do not know. */
static bool knows_private_modes(const char *term)
{
    return strncmp(term, "vt", 2) != 0 && strcmp(term, "linux") != 0 && strcmp(term, "ansi") != 0;
}

/* Looks the terminal up before newterm() does: that one leaks what it made for an unknown one, and takes a terminal
 * that can not even move its cursor. NULL: fine; else why not. */
static const char *refusal(const char *term)
{
    int found;
    if (!term || !*term)
        return "TERM is not set; --headless needs no terminal";
    if (setupterm(term, STDOUT_FILENO, &found) == ERR)
        return "the terminal type in TERM is not known; --headless needs no terminal";
    const char *cup = tigetstr("cup");
    bool moves = cup && cup != (const char *)-1; /* -1: not a string, says curses */
    del_curterm(cur_term);
    return moves ? NULL : "this terminal can not move its cursor (TERM=dumb?); --headless needs no terminal";
}

static bool start_term(struct screen *s, const char **why)
{
    const char *term = getenv("TERM");
    *why = refusal(term);
    if (*why)
        return false;
    if (!getenv("ESCDELAY"))
        set_escdelay(25);
    s->in = own_input();
    s->term = s->in ? newterm(NULL, stdout, s->in) : NULL;
    *why = "the terminal can not be opened; --headless needs none";
    if (!s->term)
        return false;
    set_term(s->term);
    s->sync = knows_private_modes(term);
    return true;
}

static void start_mouse(bool on)
{
    mouseinterval(0);
    if (on)
        mousemask(ALL_MOUSE_EVENTS | BUTTON_ALT, NULL);
}

static void start_modes(struct screen *s, const struct screen_config *cfg)
{
    raw();
    noecho();
    nonl();
    curs_set(0);
    typeahead(-1); /* a frame is finished, whatever is typed; it would ask at every few lines */
    s->color = cfg->color && has_colors();
    if (s->color) {
        start_color();
        if (use_default_colors() == ERR)
            assume_default_colors(COLOR_WHITE, COLOR_BLACK);
    }
    s->input = newpad(1, 1);
    keypad(s->input, TRUE);
    nodelay(s->input, TRUE);
    start_mouse(cfg->mouse);
}

struct screen *screen_open(const struct screen_config *cfg, const char **why)
{
    struct screen *s = calloc(1, sizeof *s);
    *why = "out of memory";
    if (!s)
        return NULL;
    setlocale(LC_CTYPE, "");
    s->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    s->ascii = cfg->ascii || !s->utf8;
    s->all = true;
    if (!start_term(s, why)) {
        screen_close(s);
        return NULL;
    }
    start_modes(s, cfg);
    screen_theme(s, theme_find("default"));
    return s;
}

void screen_close(struct screen *s)
{
    if (s->input)
        delwin(s->input);
    if (s->term) {
        mousemask(0, NULL);
        endwin();
        delscreen(s->term);
    }
    if (s->in)
        fclose(s->in);
    canvas_fini(&s->shown);
    free(s);
}

bool screen_ascii(const struct screen *s)
{
    return s->ascii;
}

static attr_t attr_of(uint8_t look)
{
    return (look & LOOK_BOLD ? A_BOLD : 0) | (look & LOOK_DIM ? A_DIM : 0) | (look & LOOK_REVERSE ? A_REVERSE : 0) |
           (look & LOOK_UNDERLINE ? A_UNDERLINE : 0);
}

/* Colour pair r + 1 belongs to role r. With many colours a dim one has its own grey and needs no attribute. */
void screen_theme(struct screen *s, const struct theme *t)
{
    bool many = s->color && COLORS >= 256;
    if (!s->color)
        t = theme_find("mono");
    for (int r = 0; r < ROLES; r++) {
        const struct look *l = &t->look[r];
        s->attr[r] = attr_of(many ? (uint8_t)(l->attr & ~LOOK_DIM) : l->attr);
        if (s->color)
            init_extended_pair(r + 1, many ? l->fg256 : l->fg8, -1);
    }
    s->all = true;
}

int screen_fd(const struct screen *s)
{
    return fileno(s->in);
}

/* A click of the first button, or the wheel. */
static uint32_t mouse_code(struct screen *s)
{
    MEVENT m;
    if (getmouse(&m) != OK) /* takes it out of ncurses' queue */
        return KEY_CODE_OTHER;
    s->mouse_x = m.x;
    s->mouse_y = m.y;
    /* Clicks that were read together come as one, whatever the interval. */
    s->mouse_twice = (m.bstate & (BUTTON1_DOUBLE_CLICKED | BUTTON1_TRIPLE_CLICKED)) != 0;
    if (s->mouse_twice || (m.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED)))
        return KEY_CODE_CLICK;
    return m.bstate & BUTTON4_PRESSED ? KEY_CODE_WHEEL_UP : m.bstate & BUTTON5_PRESSED ? KEY_CODE_WHEEL_DOWN : KEY_CODE_OTHER;
}

static uint32_t special(struct screen *s, wint_t c)
{
    static const struct { wint_t curses; uint32_t code; } map[] = {
        {KEY_RESIZE, KEY_CODE_RESIZED}, {KEY_UP, KEY_CODE_UP},       {KEY_DOWN, KEY_CODE_DOWN},      {KEY_LEFT, KEY_CODE_LEFT},
        {KEY_RIGHT, KEY_CODE_RIGHT},    {KEY_HOME, KEY_CODE_HOME},   {KEY_END, KEY_CODE_END},        {KEY_DC, KEY_CODE_DELETE},
        {KEY_BACKSPACE, KEY_BACK},      {KEY_ENTER, KEY_RETURN},     {KEY_BTAB, KEY_CODE_BACKTAB},   {KEY_PPAGE, KEY_CODE_PAGE_UP},
        {KEY_NPAGE, KEY_CODE_PAGE_DOWN}};
    if (c == KEY_MOUSE)
        return mouse_code(s);
    for (size_t i = 0; i < sizeof map / sizeof *map; i++)
        if (map[i].curses == c)
            return map[i].code;
    return KEY_CODE_OTHER;
}

bool screen_mouse(const struct screen *s, int *x, int *y)
{
    *x = s->mouse_x;
    *y = s->mouse_y;
    return s->mouse_twice;
}

uint32_t screen_key(struct screen *s)
{
    wint_t c;
    int got = wget_wch(s->input, &c);
    if (got == ERR)
        return 0;
    if (got == KEY_CODE_YES)
        return special(s, c);
    if (c == 8)
        return KEY_BACK; /* what some terminals send for backspace */
    return c ? (uint32_t)c : KEY_CODE_OTHER; /* ^@ */
}

void screen_size(struct screen *s, int *w, int *h)
{
    struct winsize ws;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col && ws.ws_row &&
        (ws.ws_col != COLS || ws.ws_row != LINES)) {
        resizeterm(ws.ws_row, ws.ws_col);
        s->all = true;
    }
    *w = COLS;
    *h = LINES;
}

static void bracket(const struct screen *s, bool begin)
{
    ssize_t n = s->sync ? write(STDOUT_FILENO, begin ? "\033[?2026h" : "\033[?2026l", 8) : 8;
    (void)n; /* a lost bracket costs a torn frame at most; a lost terminal is seen by poll() */
}

/* What a cell holds on a terminal that has no UTF-8. */
static wchar_t glyph(const struct screen *s, uint32_t ch)
{
    return s->utf8 || ch < 0x7f ? (wchar_t)ch : L'?';
}

static void make_cell(const struct screen *s, const struct cell *cell, cchar_t *cc)
{
    wchar_t text[2] = {glyph(s, cell->ch), 0};
    int pair = s->color ? cell->role + 1 : 0;
    attr_t attr = (s->attr[cell->role] | (cell->mark ? A_UNDERLINE : 0)) ^ (cell->chosen ? A_REVERSE : 0);
    setcchar(cc, text, attr, (short)pair, &pair);
}

static bool same_look(const struct cell *a, const struct cell *b)
{
    return a->role == b->role && a->chosen == b->chosen && a->mark == b->mark;
}

static void send_wide(const struct screen *s, int x, int y, const struct cell *cell)
{
    cchar_t cc;
    make_cell(s, cell, &cc);
    mvadd_wch(y, x, &cc);
    if (cell->width == 2 && !s->utf8)
        mvadd_wch(y, x + 1, &cc);
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
    return memcmp(a, b, sizeof *a) == 0 || (a->ch == b->ch && a->width == b->width && same_look(a, b)); /* but for the tag */
}

/* Cells that lie side by side, none of them wide. */
static void send_run(struct screen *s, int x, int y, const struct cell *cell, int n)
{
    cchar_t run[RUN];
    for (int more; n > 0; n -= more, x += more, cell += more) {
        more = n < RUN ? n : RUN;
        for (int i = 0; i < more; i++)
            if (i && same_look(&cell[i], &cell[i - 1])) {
                run[i] = run[i - 1];
                run[i].chars[0] = glyph(s, cell[i].ch);
            } else {
                make_cell(s, &cell[i], &run[i]);
            }
        mvadd_wchnstr(y, x, run, more);
    }
}

/* A wide glyph and what lies under its halves are sent together: when the right half changed, the left is sent too. */
static void send_row(struct screen *s, const struct canvas *c, int y, bool all)
{
    const struct cell *now = c->cell + (size_t)y * (size_t)c->w;
    struct cell *was = s->shown.cell + (size_t)y * (size_t)c->w;
    if (!all && memcmp(was, now, (size_t)c->w * sizeof *now) == 0)
        return;
    int from = 0; /* where the cells begin that are to be sent together */
    for (int x = 0; x < c->w; x++) {
        bool right = now[x].width == 2 && x + 1 < c->w && !same_cell(&now[x + 1], &was[x + 1]);
        bool changed = all || right || !same_cell(&now[x], &was[x]);
        if (changed && now[x].width == 1)
            continue;
        send_run(s, from, y, now + from, x - from);
        if (changed && now[x].width == 2)
            send_wide(s, x, y, &now[x]);
        from = x + 1;
    }
    send_run(s, from, y, now + from, c->w - from);
    memcpy(was, now, (size_t)c->w * sizeof *now);
}

void screen_show(struct screen *s, const struct canvas *c)
{
    bool all = s->all || s->shown.w != c->w || s->shown.h != c->h;
    if ((s->shown.w != c->w || s->shown.h != c->h) && !canvas_resize(&s->shown, c->w, c->h))
        return;
    if (all)
        erase();
    for (int y = 0; y < c->h; y++)
        send_row(s, c, y, all);
    if (s->all)
        clearok(curscr, TRUE);
    s->all = false;
    move(c->h - 1, c->w - 1); /* where a terminal that can not hide its cursor disturbs least */
    bracket(s, true);
    refresh();
    bracket(s, false);
}

void screen_redraw(struct screen *s)
{
    s->all = true;
}

void screen_leave(struct screen *s)
{
    (void)s;
    def_prog_mode();
    endwin();
}

void screen_return(struct screen *s)
{
    reset_prog_mode();
    s->all = true;
}
