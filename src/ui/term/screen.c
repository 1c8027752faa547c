/* The terminal, through ncurses. The only file that includes curses.
 *
 * ncurses takes the terminal and gives it back, takes keys apart and knows the terminal's strings; what is drawn is decided on the
 * canvas, and paint.c makes the bytes of it. Two habits of ncurses shape this file:
 *  - wget_wch() may block in nodelay mode (a mouse event that is filtered out, a sequence cut short). So it reads from
 * a file description of its own that is non-blocking, and asks for all mouse events or for none. O_NONBLOCK on fd 0
 * itself would leak to the shell.
 *  - wget_wch(stdscr) refreshes a dirty window by itself. So keys are read from a pad.
 * A frame goes between the brackets of synchronized output (private mode 2026); terminals that do not know it skip it.
 */
#define NCURSES_WIDECHAR 1
#include "ui/term/screen.h"

#include "ui/term/keycodes.h"
#include "ui/term/paint.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

struct screen {
    SCREEN *term;
    WINDOW *input; /* a pad */
    FILE *in;
    bool ascii, utf8, color, sync;
    struct pens pens;
    struct paint paint;
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
    errno = 0;
    if (*why)
        return false;
    if (!getenv("ESCDELAY"))
        set_escdelay(25);
    s->in = own_input();
    s->term = s->in ? newterm(NULL, stdout, s->in) : NULL;
    *why = "the terminal can not be opened; --headless needs none";
    if (!s->term)
        return false;
    *why = "out of memory for the screen; --headless needs none";
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

/* Without the padding that "$<5>" asks for: what needed it did not run at the speed of light. Returns the bytes. */
static size_t put_string(char out[PEN_BYTES], const char *s)
{
    size_t n = 0;
    for (; s && s != (const char *)-1 && *s && n < PEN_BYTES - 1; s++) {
        if (s[0] == '$' && s[1] == '<' && strchr(s, '>'))
            s = strchr(s, '>');
        else
            out[n++] = *s;
    }
    out[n] = '\0';
    return n;
}

static size_t move_to(char out[PEN_BYTES], int x, int y)
{
    return put_string(out, tiparm(cursor_address, y, x));
}

/* Attributes that cost a column, or that this terminal does not show together with colours, are left out. */
static void start_pens(struct screen *s)
{
    const char *const on[PEN_ATTRS] = {enter_bold_mode, enter_dim_mode, enter_reverse_mode, enter_underline_mode};
    static const int ncv[PEN_ATTRS] = {32, 16, 4, 2};
    bool off = exit_attribute_mode && magic_cookie_glitch <= 0;
    int without = s->color && no_color_video > 0 ? no_color_video : 0;
    put_string(s->pens.plain, exit_attribute_mode);
    put_string(s->pens.clear, clear_screen);
    for (int i = 0; i < PEN_ATTRS; i++)
        put_string(s->pens.attr[i], off && !(without & ncv[i]) ? on[i] : NULL);
    s->pens.move = move_to;
    s->pens.utf8 = s->utf8;
    s->pens.keeps_corner = auto_right_margin && !eat_newline_glitch;
}

/* Returns false if there is no memory. */
static bool start_modes(struct screen *s, const struct screen_config *cfg)
{
    raw();
    noecho();
    nonl();
    curs_set(0);
    typeahead(-1); /* a frame is finished, whatever is typed; it would ask at every few lines */
    s->color = cfg->color && has_colors() && set_a_foreground && exit_attribute_mode;
    start_pens(s);
    s->input = newpad(1, 1);
    if (!s->input)
        return false;
    keypad(s->input, TRUE);
    nodelay(s->input, TRUE);
    start_mouse(cfg->mouse);
    refresh(); /* takes the terminal; from here on curses writes nothing until endwin() */
    return true;
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
    bool opened = start_term(s, why), ready = opened && start_modes(s, cfg);
    if (!ready) {
        int err = opened ? ENOMEM : errno;
        screen_close(s);
        errno = err;
        return NULL;
    }
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
    paint_fini(&s->paint);
    free(s);
}

bool screen_ascii(const struct screen *s)
{
    return s->ascii;
}

/* With many colours a dim one has its own grey and needs no attribute. */
void screen_theme(struct screen *s, const struct theme *t)
{
    bool many = s->color && max_colors >= 256;
    if (!s->color)
        t = theme_find("mono");
    for (int r = 0; r < ROLES; r++) {
        const struct look *l = &t->look[r];
        int color = many ? l->fg256 : l->fg8;
        s->pens.look[r] = many ? (uint8_t)(l->attr & ~LOOK_DIM) : l->attr;
        put_string(s->pens.color[r], s->color && color >= 0 && color < max_colors ? tiparm(set_a_foreground, color) : NULL);
    }
    paint_anew(&s->paint);
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
        paint_anew(&s->paint);
    }
    *w = COLS;
    *h = LINES;
}

/* All of it, whatever signal comes between. */
static void send(const char *bytes, size_t n)
{
    while (n) {
        ssize_t sent = write(STDOUT_FILENO, bytes, n);
        if (sent < 0 && errno != EINTR)
            return; /* a lost terminal is seen by poll() */
        bytes += sent < 0 ? 0 : sent;
        n -= sent < 0 ? 0 : (size_t)sent;
    }
}

void screen_show(struct screen *s, const struct canvas *c)
{
    paint_frame(&s->paint, &s->pens, c, s->sync ? "\033[?2026h" : "", s->sync ? "\033[?2026l" : "");
    send(s->paint.out, s->paint.n);
}

void screen_redraw(struct screen *s)
{
    paint_anew(&s->paint);
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
    refresh(); /* takes the terminal again */
    paint_anew(&s->paint);
}
