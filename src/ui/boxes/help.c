/* The help screen: every key and command, from their tables, and what the state letters mean. It scrolls if it does not fit. */
#include "ui/boxes/boxes.h"

#include "ui/input/commands.h"
#include "ui/input/keys.h"
#include "ui/input/requests.h"

#include <stdio.h>

enum { WIDTH = 80, NAME_W = 11, COMMAND_W = 22 };

/* A pen that draws only the lines that are on the page. two: two runs are compared, so what works for one only is left out. pane: the kind
 * of the pane that has the focus, -1: none. */
struct page {
    const struct ui *u;
    struct canvas *c;
    struct rect in;
    enum lang lang;
    int line, top;
    bool two;
    int pane;
};

static int row(struct page *p)
{
    return p->in.y + p->line++ - p->top;
}

static bool on_page(const struct page *p, int y)
{
    return y >= p->in.y && y < p->in.y + p->in.h;
}

static void line(struct page *p, enum role role, const char *name, enum text_id text)
{
    int y = row(p);
    if (!on_page(p, y))
        return;
    canvas_right(p->c, p->in, p->in.x + NAME_W - 1, y, role, name);
    canvas_text(p->c, p->in, p->in.x + NAME_W + 2, y, ROLE_plain, tx(p->lang, text));
}

static bool works(const struct page *p, enum text_id for_one)
{
    return !p->two || for_one == TX_NONE;
}

static enum text_id key_help(const struct page *p, const struct key *k)
{
    bool tab = k->code == KEY_TAB || k->code == KEY_CODE_BACKTAB;
    return p->two && tab ? TX_KEY_OTHER_RUN : k->help;
}

static void heading(struct page *p, enum text_id text)
{
    p->line++;
    int y = row(p);
    if (on_page(p, y))
        canvas_text(p->c, p->in, p->in.x + 2, y, ROLE_heading, tx(p->lang, text));
}

static void draw_commands(struct page *p)
{
    for (int i = 0; i < ncommands; i++) {
        char left[64];
        if (!works(p, commands[i].for_one))
            continue;
        int y = row(p);
        snprintf(left, sizeof left, ":%s %s", commands[i].name, commands[i].args);
        if (!on_page(p, y))
            continue;
        canvas_text(p->c, p->in, p->in.x + 3, y, ROLE_key, left);
        canvas_text(p->c, p->in, p->in.x + 3 + COMMAND_W, y, ROLE_plain, tx(p->lang, commands[i].help));
    }
}

static void draw_legend(struct page *p)
{
    for (int i = 0; i < nletters; i++)
        line(p, letters[i].role, (char[]){letters[i].letter, '\0'}, letters[i].meaning);
    line(p, ROLE_plain, "Gs1", TX_LEGEND_GS);
    line(p, ROLE_changed, "*", p->two ? TX_LEGEND_STAR_TWO : TX_LEGEND_STAR);
    line(p, ROLE_heading, tx(p->lang, TX_COL_TICK), TX_LEGEND_61);
}

/* The keys of the pane that has the focus come first: they win over the others. */
static void draw_pane_keys(struct page *p)
{
    const struct pane_key *k;
    int n = p->pane < 0 ? 0 : pane_keys_of(p->pane, &k);
    for (int i = 0; i < n; i++)
        line(p, ROLE_key, k[i].name, k[i].help);
    if (n)
        p->line++;
}

/* Returns how many lines there are. */
static int draw_all(struct page *p)
{
    draw_pane_keys(p);
    for (int i = 0; i < nkeys; i++)
        if (key_exists(p->u, &keys[i]) && works(p, keys[i].for_one))
            line(p, ROLE_key, keys[i].name, key_help(p, &keys[i]));
    heading(p, TX_HELP_COMMANDS);
    draw_commands(p);
    heading(p, TX_LEGEND);
    draw_legend(p);
    return p->line;
}

static int lines_of(const struct ui *u)
{
    struct page p = {.u = u, .lang = u->lang, .in = {0, 0, 0, 0}, .two = ui_two(u), .pane = u->select.pane};
    return draw_all(&p);
}

static int rows_of(const struct ui *u, int lines)
{
    int h = u->canvas.h < lines + 2 ? u->canvas.h : lines + 2;
    return h > 2 ? h - 2 : 0;
}

/* Names what the keys do on this page: on the last one space closes the box. */
static enum text_id hint(int lines, int rows, int top)
{
    if (rows >= lines)
        return TX_HELP_CLOSE;
    return top + rows < lines ? TX_HELP_MORE : TX_HELP_LAST;
}

static void draw(struct ui *u)
{
    struct canvas *c = &u->canvas;
    int lines = lines_of(u), rows = rows_of(u, lines), w = c->w < WIDTH ? c->w : WIDTH;
    struct rect r = {(c->w - w) / 2, (c->h - rows - 2) / 2, w, rows + 2};
    struct page p = {.u = u, .c = c, .lang = u->lang, .top = u->box.top, .two = ui_two(u), .pane = u->select.pane};
    p.in = box_frame(c, r, tx(u->lang, TX_HELP), tx(u->lang, hint(lines, rows, u->box.top)));
    draw_all(&p);
}

static bool key(struct ui *u, uint32_t code)
{
    int lines = lines_of(u), rows = rows_of(u, lines), most = lines > rows ? lines - rows : 0, by = 0;
    static const struct {
        uint32_t code;
        int by, pages;
    } moves[] = {
        {KEY_CODE_DOWN, 1, 0}, {'j', 1, 0},  {KEY_CODE_WHEEL_DOWN, 3, 0}, {KEY_CODE_PAGE_DOWN, 0, 1}, {' ', 0, 1},
        {KEY_CODE_UP, -1, 0},  {'k', -1, 0}, {KEY_CODE_WHEEL_UP, -3, 0},  {KEY_CODE_PAGE_UP, 0, -1},
    };
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (moves[i].code == code)
            by = moves[i].by + moves[i].pages * (rows > 1 ? rows - 1 : 1);
    if (!by || !most || (code == ' ' && u->box.top == most)) {
        ui_open(u, BOX_NONE);
        return true;
    }
    by += u->box.top;
    u->box.top = by < 0 ? 0 : by > most ? most : by;
    return true;
}

const struct box_ops box_help = {.key = key, .draw = draw};
