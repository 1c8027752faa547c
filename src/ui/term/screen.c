/* The terminal, through ncurses. Only this file includes curses.
 *
 * The panes draw on the canvas. screen_show() puts the cells that have changed since the last canvas into stdscr, and ncurses makes the terminal
 * show them. Five habits of ncurses shape this file:
 *  - wget_wch() may block in nodelay mode, after a mouse event that it filters out or a sequence cut short. So it reads from an open file
 *    description of its own that is non-blocking, and asks for all mouse events or for none. O_NONBLOCK on fd 0 itself would leak to the shell.
 *  - wget_wch(stdscr) refreshes a changed window by itself. So keys are read from a pad.
 *  - wadd_wchnstr() asks the C library for a glyph's width, and would shift the rest of the row if the canvas assumes another width. So such a
 *    glyph becomes "?". This includes each glyph that the locale cannot encode.
 *  - Where the description says that a terminal clears with the background (bce), ncurses sends no blanks at the end of a row. Not every terminal
 *    does what the description in TERM says, and a painted ground becomes a patchwork. So there a blank has WA_TOP, which no terminal shows: ncurses
 *    clears only blanks without it.
 *  - Until its first endwin(), ncurses writes at each movement of the cursor. So start_term() calls endwin() at once. From then on ncurses
 *    collects a frame in its buffer, and writes it whole even if a signal interrupts the write.
 *
 * A frame is enclosed in the brackets of synchronized output (private mode 2026); terminals that do not know the mode ignore them.
 */
#define NCURSES_WIDECHAR 1
#include "ui/term/screen.h"

#include "base/text.h"
#include "base/wall.h"
#include "ui/term/arrival.h"
#include "ui/term/ground.h"
#include "ui/term/keycodes.h"
#include "ui/term/sequence.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

enum { RUN = 256 }; /* cells that are put at once */
enum { COLORS_MANY = 256 };
/* How long the first frame waits for the terminal's answer, and the end of the screen; how long one may still come. */
enum { FIRST_MS = 33, LAST_MS = 100, LATE_MS = 2000, ARRIVES_MS = 10000 };
enum { MOUSE_EVENTS = 8 };                                 /* ncurses keeps as many */
enum { CODE_COLOR_ANSWER = KEY_MAX + 1, CODE_END_ANSWER }; /* our own codes for define_key() */
#define KEY_PART UINT32_MAX

struct screen {
    SCREEN *term;
    WINDOW *input; /* a pad */
    FILE *in;
    bool ascii, color, sync;
    char instead[32]; /* the terminal type that is used instead of the one in TERM; "": that one is known */
    bool own_colors;  /* the terminal has a foreground and a background besides the colours of its palette */
    enum ground ground;
    struct ground_answer answer;
    struct sequence sequence;
    int64_t asked_at; /* ms, monotonic */
    struct arrival arrival;
    uint32_t key_kept; /* a key that was typed while the answer was awaited; 0: none */
    const struct theme *theme;
    attr_t attr[ROLES];
    short pair[ROLES];          /* 0: the terminal's own colours */
    short blank;                /* the pair of a blank */
    attr_t blank_attr;          /* WA_TOP if the theme paints its ground: see the head of this file */
    struct canvas shown;        /* the cells that stdscr holds */
    MEVENT mouse[MOUSE_EVENTS]; /* what was read and is not taken yet, the newest first */
    int nmouse;
    int mouse_x, mouse_y;
    bool mouse_twice;
    bool moves, moves_on; /* the terminal can report that the mouse moves with a button held; it was asked to */
};

/* Opens the terminal again: O_NONBLOCK on this open file description affects no other process. */
static FILE *own_input(void)
{
    char name[256];
    int fd = ttyname_r(STDIN_FILENO, name, sizeof name) == 0 ? open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) : -1;
    if (fd < 0)
        fd = open("/dev/tty", O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    FILE *in = fd < 0 ? NULL : fdopen(fd, "r");
    if (!in && fd >= 0)
        close(fd);
    return in;
}

/* Returns false for terminals that print the sequences they do not know. */
static bool knows_private_modes(const char *term)
{
    return strncmp(term, "vt", 2) != 0 && strcmp(term, "linux") != 0 && strcmp(term, "ansi") != 0;
}

static bool is_described(const char *term)
{
    int found;
    if (setupterm(term, STDOUT_FILENO, &found) == ERR)
        return false;
    del_curterm(cur_term);
    return true;
}

/* Returns a terminal type that is described here and that most terminals understand, or NULL. */
static const char *known_instead(const char *term)
{
    static const char *const types[] = {"xterm-256color", "xterm", "vt100", "linux", "ansi"};
    bool many = term && strstr(term, "256");
    for (size_t i = !many; i < sizeof types / sizeof *types; i++)
        if (is_described(types[i]))
            return types[i];
    return NULL;
}

/* newterm() would accept a terminal that cannot move its cursor. */
static bool can_move_cursor(const char *term)
{
    int found;
    if (setupterm(term, STDOUT_FILENO, &found) == ERR)
        return false;
    const char *cup = tigetstr("cup");
    bool can = cup && cup != (const char *)-1; /* curses returns -1 for a capability that is not a string */
    del_curterm(cur_term);
    return can;
}

/* Returns the terminal type to use. If there is none, returns NULL, and *why is the reason. */
static const char *choose_type(struct screen *s, const char **why)
{
    const char *term = getenv("TERM");
    if (!term || !*term || !is_described(term)) {
        term = known_instead(term);
        *why = "this machine describes no terminal type (install ncurses-base); --headless needs no terminal";
        if (!term)
            return NULL;
        snprintf(s->instead, sizeof s->instead, "%s", term);
    }
    *why = "this terminal type cannot move its cursor (TERM=dumb?); without a full screen: gmpscope run NAME --linear";
    return can_move_cursor(term) ? term : NULL;
}

static bool start_term(struct screen *s, const char **why)
{
    const char *term = choose_type(s, why);
    errno = 0;
    if (!term)
        return false;
    if (!getenv("ESCDELAY"))
        set_escdelay(25);
    s->in = own_input();
    s->term = s->in ? newterm(term, stdout, s->in) : NULL;
    *why = "the terminal cannot be opened; --headless needs none";
    if (!s->term)
        return false;
    *why = "out of memory for the screen; --headless needs none";
    set_term(s->term);
    endwin();  /* see the head of this file */
    refresh(); /* takes the terminal again; after start_color() this would reset the terminal's palette */
    s->sync = knows_private_modes(term);
    return true;
}

static void start_mouse(struct screen *s, bool on)
{
    mouseinterval(0);
    if (on)
        mousemask(ALL_MOUSE_EVENTS | REPORT_MOUSE_POSITION | BUTTON_ALT, NULL);
    s->moves = on && s->sync;
}

/* Returns false if there is no memory. */
static bool start_modes(struct screen *s, const struct screen_config *cfg)
{
    raw();
    noecho();
    nonl();
    curs_set(0);
    typeahead(-1); /* ncurses would check for input every few lines and leave a frame half finished */
    s->color = cfg->color && has_colors() && start_color() == OK;
    s->own_colors = s->color && use_default_colors() == OK;
    s->ground = s->own_colors ? ground_from_env(getenv("TERM"), getenv("COLORFGBG")) : GROUND_DARK;
    s->input = newpad(1, 1);
    if (!s->input)
        return false;
    keypad(s->input, TRUE);
    nodelay(s->input, TRUE);
    start_mouse(s, cfg->mouse);
    return true;
}

/* Writes all bytes, even if a signal interrupts the write. */
static void send(const char *bytes)
{
    for (size_t n = strlen(bytes); n;) {
        ssize_t sent = write(STDOUT_FILENO, bytes, n);
        if (sent < 0 && errno != EINTR)
            return; /* the terminal is gone; poll() reports that to the loop */
        bytes += sent < 0 ? 0 : sent;
        n -= sent < 0 ? 0 : (size_t)sent;
    }
}

/* ncurses asks only for presses and releases, and asks again after each endwin(). So this is asked for after a frame, and taken back before. */
static void ask_for_moves(struct screen *s, bool on)
{
    if (s->moves && s->moves_on != on)
        send(on ? "\033[?1002h" : "\033[?1002l");
    s->moves_on = s->moves && on;
}

/* ---- the terminal's ground ---- */

static bool awaits_answer(const struct screen *s)
{
    return s->asked_at && !s->answer.ended && wall_ms() - s->asked_at < LATE_MS;
}

/* Asks for the ground and waits up to FIRST_MS for the answer. Most terminals answer within some ms. Without the wait each of them would show the
 * colours for an unknown ground first, and change them at once. A later answer, over a slow line, still counts: the next frame has its colours.
 * The first key that the person types ends the wait and is kept. */
static void ask_ground(struct screen *s)
{
    if (!s->own_colors || !s->sync)
        return;
    define_key(GROUND_COLOR_ANSWER, CODE_COLOR_ANSWER);
    define_key(GROUND_END_ANSWER, CODE_END_ANSWER);
    s->asked_at = wall_ms();
    arrival_asked(&s->arrival, s->asked_at);
    send(ARRIVAL_QUESTION GROUND_QUESTION);
    for (int64_t left; !s->answer.ended && !s->key_kept && (left = s->asked_at + FIRST_MS - wall_ms()) > 0;) {
        struct pollfd p = {fileno(s->in), POLLIN, 0};
        if (poll(&p, 1, (int)left) > 0 && (p.revents & (POLLHUP | POLLERR)))
            return;
        uint32_t code = screen_key(s);
        s->key_kept = code == KEY_CODE_RESIZED ? 0 : code; /* nothing is drawn yet */
    }
}

/* Before the terminal goes to the shell: an answer that comes later would be input for the shell. A slow line delivers the last frame first, and
 * what the shell writes is behind it; so the wait for its arrival delays nothing. */
static void forget_answer(struct screen *s)
{
    bool arrives = arrival_awaited(&s->arrival);
    int64_t until = wall_ms() + (arrives ? ARRIVES_MS : LAST_MS);
    for (int64_t left; (awaits_answer(s) || arrival_awaited(&s->arrival)) && (left = until - wall_ms()) > 0;) {
        struct pollfd p = {fileno(s->in), POLLIN, 0};
        if (poll(&p, 1, (int)left) > 0 && (p.revents & (POLLHUP | POLLERR)))
            return;
        if (screen_key(s) == KEY_CTRL('c'))
            return;
    }
}

bool screen_behind(struct screen *s)
{
    return arrival_behind(&s->arrival, wall_ms());
}

int screen_unread(const struct screen *s)
{
    int n = 0, answer = arrival_awaited(&s->arrival) ? (int)strlen(ARRIVAL_ANSWER) : 0;
    return ioctl(fileno(s->in), FIONREAD, &n) != 0 || n <= answer ? 0 : n - answer;
}

struct screen *screen_open(const struct screen_config *cfg, const char **why)
{
    struct screen *s = calloc(1, sizeof *s);
    *why = "out of memory";
    if (!s)
        return NULL;
    locale_start();
    s->ascii = cfg->ascii || !locale_utf8();
    bool opened = start_term(s, why), ready = opened && start_modes(s, cfg);
    if (!ready) {
        int err = opened ? ENOMEM : errno;
        screen_close(s);
        errno = err;
        return NULL;
    }
    screen_theme(s, theme_find("default"));
    ask_ground(s);
    return s;
}

/* Gives the terminal to the shell. A terminal with one screen keeps the picture; the shell writes into its last row, which is emptied for that. */
static void end_curses(void)
{
    endwin();
    if (exit_ca_mode || !clr_eol)
        return;
    putp(clr_eol);
    fflush(stdout);
}

void screen_close(struct screen *s)
{
    if (s->input) {
        forget_answer(s);
        delwin(s->input);
    }
    if (s->term) {
        ask_for_moves(s, false);
        mousemask(0, NULL);
        end_curses();
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

const char *screen_instead(const struct screen *s)
{
    return s->instead[0] ? s->instead : NULL;
}

static attr_t attributes(int look)
{
    return (look & LOOK_BOLD ? A_BOLD : 0) | (look & LOOK_DIM ? A_DIM : 0) | (look & LOOK_REVERSE ? A_REVERSE : 0) |
           (look & LOOK_UNDERLINE ? A_UNDERLINE : 0);
}

/* Empties stdscr. The next frame puts every cell and is sent whole. */
static void forget_cells(struct screen *s)
{
    cchar_t blank;
    setcchar(&blank, L" ", s->blank_attr, s->blank, NULL);
    wbkgrndset(stdscr, &blank);
    werase(stdscr);
    canvas_clear(&s->shown);
    clearok(curscr, TRUE);
}

/* The background of every cell, and what stands for the terminal's own foreground; -1: the terminal's own. */
struct paint {
    bool painted; /* the theme brings its own ground */
    short paper, ink;
};

static struct paint paint_of(const struct screen *s, const struct theme *t)
{
    bool many = COLORS >= COLORS_MANY, bright = COLORS >= 16;
    if (!s->color || t->ground == GROUND_UNKNOWN || t->ground == s->ground)
        return (struct paint){false, (short)(s->own_colors ? -1 : COLOR_BLACK), (short)(s->own_colors ? -1 : COLOR_WHITE)};
    if (t->ground == GROUND_LIGHT)
        return (struct paint){true, (short)(many ? 231 : bright ? 15 : COLOR_WHITE), (short)(many ? 16 : COLOR_BLACK)};
    return (struct paint){true, (short)(many ? 16 : COLOR_BLACK), (short)(many ? 253 : COLOR_WHITE)};
}

/* Where there are many colours, dim text has a grey of its own and needs no attribute. Pair 0 has the terminal's own colours. */
static void apply_theme(struct screen *s)
{
    bool many = s->color && COLORS >= COLORS_MANY;
    const struct theme *t = s->color ? theme_on(s->theme, s->ground) : theme_find("mono");
    struct paint paint = paint_of(s, t);
    for (int r = 0; r < ROLES; r++) {
        const struct look *l = theme_look(t, (enum role)r);
        int color = many ? l->fg256 : l->fg8;
        short ink = (short)(color < 0 ? paint.ink : color);
        bool own = !s->color || (color < 0 && !paint.painted) || init_pair((short)(r + 1), ink, paint.paper) == ERR;
        s->pair[r] = (short)(own ? 0 : r + 1);
        s->attr[r] = attributes(many ? l->attr & ~LOOK_DIM : l->attr);
    }
    s->blank = (short)(paint.painted ? s->pair[ROLE_plain] : 0);
    s->blank_attr = paint.painted ? WA_TOP : 0;
    forget_cells(s);
}

void screen_theme(struct screen *s, const struct theme *t)
{
    s->theme = t;
    apply_theme(s);
}

int screen_fd(const struct screen *s)
{
    return fileno(s->in);
}

/* Takes all events from the queue of ncurses, which gives the newest first. There are several, and a press is still apart from its release, if a
 * key or an answer of the terminal follows a click at once. */
static void take_mouse(struct screen *s)
{
    s->nmouse = 0;
    while (s->nmouse < MOUSE_EVENTS && getmouse(&s->mouse[s->nmouse]) == OK)
        s->nmouse++;
}

/* Returns the code of a click or a drag with the first button, or of the wheel. */
static uint32_t mouse_code(struct screen *s)
{
    if (!s->nmouse)
        return KEY_CODE_MOUSE;
    MEVENT m = s->mouse[--s->nmouse];
    bool dragged = (m.bstate & (BUTTON1_RELEASED | REPORT_MOUSE_POSITION)) && (m.x != s->mouse_x || m.y != s->mouse_y);
    s->mouse_x = m.x;
    s->mouse_y = m.y;
    /* Clicks that ncurses reads together are one event, whatever the interval is. */
    s->mouse_twice = (m.bstate & (BUTTON1_DOUBLE_CLICKED | BUTTON1_TRIPLE_CLICKED)) != 0;
    if (s->mouse_twice || (m.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED)))
        return KEY_CODE_CLICK;
    if (dragged)
        return KEY_CODE_DRAG;
    return m.bstate & BUTTON4_PRESSED ? KEY_CODE_WHEEL_UP : m.bstate & BUTTON5_PRESSED ? KEY_CODE_WHEEL_DOWN : KEY_CODE_MOUSE;
}

static uint32_t special(struct screen *s, wint_t c)
{
    static const struct {
        wint_t curses;
        uint32_t code;
    } map[] = {{KEY_RESIZE, KEY_CODE_RESIZED}, {KEY_UP, KEY_CODE_UP},     {KEY_DOWN, KEY_CODE_DOWN},    {KEY_LEFT, KEY_CODE_LEFT},
               {KEY_RIGHT, KEY_CODE_RIGHT},    {KEY_HOME, KEY_CODE_HOME}, {KEY_END, KEY_CODE_END},      {KEY_DC, KEY_CODE_DELETE},
               {KEY_BACKSPACE, KEY_BACK},      {KEY_ENTER, KEY_RETURN},   {KEY_BTAB, KEY_CODE_BACKTAB}, {KEY_PPAGE, KEY_CODE_PAGE_UP},
               {KEY_NPAGE, KEY_CODE_PAGE_DOWN}};
    if (c == KEY_MOUSE) {
        take_mouse(s);
        return mouse_code(s);
    }
    if (c > KEY_F0 && c <= KEY_F(KEY_FUNCTIONS))
        return KEY_CODE_F((uint32_t)(c - KEY_F0));
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

/* Returns true if the terminal's answer changes what is drawn. */
static bool learn_ground(struct screen *s)
{
    if (s->answer.ground == GROUND_UNKNOWN || s->answer.ground == s->ground)
        return false;
    s->ground = s->answer.ground;
    apply_theme(s);
    return true;
}

/* Returns the key of an escape, or KEY_PART if a sequence begins that ncurses does not know. */
static uint32_t after_escape(struct screen *s)
{
    wint_t next;
    int got = wget_wch(s->input, &next);
    if (got == OK && sequence_begin(&s->sequence, (uint32_t)next, wall_ms()))
        return KEY_PART;
    if (got == KEY_CODE_YES)
        ungetch((int)next);
    else if (got == OK)
        unget_wch((wchar_t)next);
    return KEY_ESCAPE;
}

/* Returns the next key, 0 if there is none, or KEY_PART for a part of an answer or of a sequence. */
static uint32_t read_key(struct screen *s)
{
    wint_t c;
    uint32_t key;
    if (s->nmouse)
        return mouse_code(s);
    int got = wget_wch(s->input, &c);
    if (got == ERR)
        return 0;
    if (got == KEY_CODE_YES && (c == CODE_COLOR_ANSWER || c == CODE_END_ANSWER)) {
        ground_answer_begin(&s->answer, c == CODE_COLOR_ANSWER);
        return KEY_PART;
    }
    if (got == KEY_CODE_YES)
        return special(s, c);
    if (ground_answer_takes(&s->answer, (uint32_t)c))
        return learn_ground(s) ? KEY_CODE_RESIZED : KEY_PART;
    if (sequence_takes(&s->sequence, (uint32_t)c, wall_ms(), &key)) {
        if (key == KEY_CODE_ARRIVED)
            arrival_answered(&s->arrival, wall_ms());
        return key && key != KEY_CODE_ARRIVED ? key : KEY_PART;
    }
    if (c == KEY_ESCAPE)
        return after_escape(s);
    if (c == 8)
        return KEY_BACK;                     /* some terminals send this for backspace */
    return c ? (uint32_t)c : KEY_CODE_OTHER; /* ^@ */
}

uint32_t screen_key(struct screen *s)
{
    uint32_t code = s->key_kept;
    s->key_kept = 0;
    if (code)
        return code;
    do
        code = read_key(s);
    while (code == KEY_PART);
    return code;
}

bool screen_size(struct screen *s, int *w, int *h)
{
    struct winsize ws;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col && ws.ws_row;
    if (known && (ws.ws_col != COLS || ws.ws_row != LINES) && resizeterm(ws.ws_row, ws.ws_col) == ERR)
        return false;
    if (s->shown.w != COLS || s->shown.h != LINES) {
        if (!canvas_resize(&s->shown, COLS, LINES))
            return false;
        forget_cells(s);
    }
    *w = COLS;
    *h = LINES;
    return true;
}

/* Returns true for a blank between two words with the same attributes. The blank takes these attributes, so that the terminal need not
 * switch them off and on. */
static bool joins_words(const struct cell *row, int x, int w)
{
    return x > 0 && x + 1 < w && row[x].ch == ' ' && row[x - 1].ch != ' ' && row[x + 1].ch != ' ' &&
           cell_same_look(&row[x - 1], &row[x + 1]) && !row[x].chosen && !row[x].mark && !row[x - 1].chosen && !row[x - 1].mark;
}

/* Makes the terminal's cell of c, or one "?" for each column. A blank without underline and reverse needs no look; with `before` it takes that of
 * the cell before it. Returns how many were made. */
static int put_glyph(const struct screen *s, cchar_t *out, const struct cell *c, const struct cell *before)
{
    const attr_t seen = A_UNDERLINE | A_REVERSE;
    bool joined = before && !(s->attr[before->role] & seen);
    const struct cell *look = joined ? before : c;
    attr_t attr = (s->attr[look->role] | (look->mark ? A_UNDERLINE : 0)) ^ (look->chosen ? A_REVERSE : 0);
    bool known = c->ch < 0x7f || wcwidth((wchar_t)c->ch) == c->width;
    bool unseen = c->ch == ' ' && !joined && !(attr & seen);
    wchar_t text[2] = {known ? (wchar_t)c->ch : L'?'};
    int n = known ? 1 : c->width;
    for (int i = 0; i < n; i++)
        setcchar(&out[i], text, unseen ? s->blank_attr : attr, unseen ? s->blank : s->pair[look->role], NULL);
    return n;
}

/* Compares all that is visible, so not the tags. */
static bool same_cell(const struct cell *a, const struct cell *b)
{
    return a->ch == b->ch && a->width == b->width && cell_same_look(a, b);
}

/* Puts the cells of row y into stdscr, from the first to the last one that has changed. A blank next to them may join other words now, so it
 * is put, too: the look of each cell must not depend on earlier frames. Returns false if none has changed. */
static bool put_row(struct screen *s, const struct canvas *c, int y)
{
    const struct cell *now = c->cell + (size_t)y * (size_t)c->w;
    struct cell *was = s->shown.cell + (size_t)y * (size_t)c->w;
    int x = 0, end = c->w;
    if (memcmp(was, now, (size_t)c->w * sizeof *now) == 0)
        return false;
    while (x < end && same_cell(&now[x], &was[x]))
        x++;
    while (end > x && same_cell(&now[end - 1], &was[end - 1]))
        end--;
    bool differs = x < end;
    x -= differs && now[x].width == 0; /* the right half of a wide glyph: put both */
    x -= differs && x > 0 && now[x - 1].ch == ' ';
    end += differs && end < c->w && now[end].ch == ' ';
    while (x < end) {
        cchar_t run[RUN];
        int n = 0, from = x;
        for (; x < end && n < RUN - 1; x += now[x].width)
            n += put_glyph(s, &run[n], &now[x], joins_words(now, x, c->w) ? &now[x - 1] : NULL);
        mvadd_wchnstr(y, from, run, n);
    }
    memcpy(was, now, (size_t)c->w * sizeof *now);
    return differs;
}

/* Leaves the cursor at its place. Without one it is in the last cell: if the terminal cannot hide it, it disturbs least there. */
static void send_frame(struct screen *s)
{
    const struct canvas_cursor *at = &s->shown.cursor;
    int64_t began = wall_ms(), ended;
    curs_set(at->on && at->seen);
    move(at->on ? at->y : LINES - 1, at->on ? at->x : COLS - 1);
    send(s->sync ? "\033[?2026h" : "");
    refresh();
    send(s->sync ? "\033[?2026l" : "");
    ended = wall_ms();
    if (arrival_asks(&s->arrival, ended - began)) {
        arrival_asked(&s->arrival, ended);
        send(ARRIVAL_QUESTION);
    }
    ask_for_moves(s, true);
}

static bool same_cursor(const struct canvas_cursor *a, const struct canvas_cursor *b)
{
    return a->on == b->on && a->seen == b->seen && a->x == b->x && a->y == b->y;
}

void screen_show(struct screen *s, const struct canvas *c)
{
    bool differs = is_cleared(curscr) || !same_cursor(&s->shown.cursor, &c->cursor);
    s->shown.cursor = c->cursor;
    for (int y = 0; y < c->h; y++)
        differs |= put_row(s, c, y);
    if (differs)
        send_frame(s);
}

void screen_redraw(struct screen *s)
{
    (void)s;
    clearok(curscr, TRUE);
}

void screen_copy(struct screen *s, const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    (void)s;
    fputs("\033]52;c;", stdout);
    for (size_t len = strlen(text); len; len -= len < 3 ? len : 3, text += 3) {
        uint32_t three =
            (uint32_t)(uint8_t)text[0] << 16 | (len > 1 ? (uint32_t)(uint8_t)text[1] << 8 : 0) | (len > 2 ? (uint8_t)text[2] : 0);
        putchar(digits[three >> 18]);
        putchar(digits[three >> 12 & 63]);
        putchar(len > 1 ? digits[three >> 6 & 63] : '=');
        putchar(len > 2 ? digits[three & 63] : '=');
    }
    putchar('\a');
    fflush(stdout);
}

void screen_leave(struct screen *s)
{
    forget_answer(s);
    ask_for_moves(s, false);
    def_prog_mode();
    end_curses();
}

void screen_return(struct screen *s)
{
    reset_prog_mode();
    clearok(curscr, TRUE);
    send_frame(s);
}
