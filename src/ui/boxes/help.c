/* The menu of `?`: what the letters mean, then all that can be done here: the keys of the pane with the focus, the other keys, the commands.
 * It is made of their tables. Enter or a click does what the cursor is on; `/` finds an entry. */
#include "ui/boxes/boxes.h"

#include "ui/input/commands.h"
#include "ui/input/keys.h"
#include "ui/input/requests.h"
#include "ui/panes/parts/scroll.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { WIDTH = 80, NAME_W = 11, COMMAND_W = 22, ENTRIES = 224, NAME_BYTES = 64, TEXT_BYTES = 400 };

enum entry_kind { BLANK, HEADING, LETTERS, KEY, COMMAND };
struct entry {
    enum entry_kind kind;
    const char *name, *args;
    const char *text; /* LETTERS: the whole row */
    uint32_t code;    /* KEY: what enter presses; 0: it cannot be pressed from here */
};

/* What the menu lists at the moment. */
struct menu {
    struct entry v[ENTRIES];
    int n;
    const char *find; /* only entries that have this text */
    char letters[16][TEXT_BYTES];
    int nletters;
};

static bool has(const char *text, const char *part)
{
    size_t n = strlen(part);
    for (; *text; text++)
        if (strncasecmp(text, part, n) == 0)
            return true;
    return !n;
}

static void add(struct menu *m, struct entry e)
{
    bool whole = !m->find[0];
    bool listed = e.kind == KEY || e.kind == COMMAND ? has(e.name, m->find) || has(e.text, m->find)
                                                     : whole || (e.kind == LETTERS && has(e.text, m->find));
    if (listed && m->n < ENTRIES)
        m->v[m->n++] = e;
}

static void add_heading(struct menu *m, const char *text)
{
    if (m->n)
        add(m, (struct entry){.kind = BLANK, .text = ""});
    add(m, (struct entry){.kind = HEADING, .text = text});
}

/* ---- the letters ---- */

static void add_letter(struct menu *m, const char *letter, const char *meaning)
{
    char *row = m->letters[m->nletters];
    size_t len = strlen(row);
    bool fits = (size_t)text_width(row) + strlen(letter) + (size_t)text_width(meaning) + 6 < WIDTH - 4;
    if (len && !fits && m->nletters < 15) {
        row = m->letters[++m->nletters];
        len = 0;
    }
    snprintf(row + len, TEXT_BYTES - len, "%s%s  %s", len ? "   " : "", letter, meaning);
}

static void add_letters(struct menu *m, const struct ui *u)
{
    for (int i = 0; i < nletters; i++)
        add_letter(m, (char[]){letters[i].letter, '\0'}, tx(u->lang, letters[i].meaning));
    add_letter(m, "Gs1", tx(u->lang, TX_LEGEND_GS));
    add_letter(m, "*", tx(u->lang, ui_two(u) ? TX_LEGEND_STAR_TWO : TX_LEGEND_STAR));
    add_letter(m, "?", tx(u->lang, TX_LEGEND_UNKNOWN));
    add_letter(m, "~5", tx(u->lang, TX_LEGEND_DERIVED));
    add_letter(m, tx(u->lang, TX_COL_TICK), tx(u->lang, TX_LEGEND_61));
    add_heading(m, tx(u->lang, TX_LEGEND));
    for (int i = 0; i <= m->nletters; i++)
        add(m, (struct entry){.kind = LETTERS, .text = m->letters[i]});
}

/* ---- keys and commands ---- */

static bool of_the_mouse(uint32_t code)
{
    return code == KEY_CODE_CLICK || code == KEY_CODE_DRAG || code == KEY_CODE_WHEEL_UP || code == KEY_CODE_WHEEL_DOWN;
}

static int pane_keys_here(const struct ui *u, const struct pane_key **k)
{
    return u->select.pane < 0 ? 0 : pane_keys_of(u->select.pane, k);
}

static void add_pane_keys(struct menu *m, const struct ui *u)
{
    const struct pane_key *k;
    int n = pane_keys_here(u, &k);
    if (n)
        add_heading(m, pane_title(u->select.pane) == TX_NONE ? pane_name(u->select.pane) : tx(u->lang, pane_title(u->select.pane)));
    for (int i = 0; i < n; i++)
        add(m, (struct entry){
                   .kind = KEY, .name = k[i].name, .text = tx(u->lang, k[i].help), .code = of_the_mouse(k[i].code) ? 0 : k[i].code});
}

static enum text_id key_help(const struct ui *u, const struct key *k)
{
    bool tab = k->code == KEY_TAB || k->code == KEY_CODE_BACKTAB;
    return ui_two(u) && tab ? TX_KEY_OTHER_RUN : k->help;
}

static void add_keys(struct menu *m, const struct ui *u)
{
    add_heading(m, tx(u->lang, TX_HELP_KEYS));
    for (int i = 0; i < nkeys; i++) {
        const struct key *k = &keys[i];
        bool any = of_the_mouse(k->code) || k->code == '1'; /* it stands for several */
        if (key_exists(u, k) && ui_works(u, k->for_one) && !key_of_focused(u, k->code))
            add(m, (struct entry){.kind = KEY, .name = k->name, .text = tx(u->lang, key_help(u, k)), .code = any ? 0 : k->code});
    }
}

static void add_commands(struct menu *m, const struct ui *u)
{
    add_heading(m, tx(u->lang, TX_HELP_COMMANDS));
    for (int i = 0; i < ncommands; i++)
        if (command_exists(u, &commands[i]) && ui_works(u, commands[i].for_one))
            add(m,
                (struct entry){.kind = COMMAND, .name = commands[i].name, .args = commands[i].args, .text = tx(u->lang, commands[i].help)});
}

static void make(struct menu *m, const struct ui *u)
{
    m->n = m->nletters = 0;
    memset(m->letters, 0, sizeof m->letters);
    m->find = u->box.find;
    add_letters(m, u);
    add_pane_keys(m, u);
    add_keys(m, u);
    add_commands(m, u);
}

static bool can_do(const struct menu *m, int i)
{
    return i >= 0 && i < m->n && (m->v[i].kind == COMMAND || (m->v[i].kind == KEY && m->v[i].code));
}

/* ---- drawing ---- */

static int rows_of(const struct ui *u, int lines)
{
    int h = u->canvas.h < lines + 2 ? u->canvas.h : lines + 2;
    return h > 2 ? h - 2 : 0;
}

static struct rect frame_of(const struct ui *u, int rows)
{
    const struct canvas *c = &u->canvas;
    int w = c->w < WIDTH ? c->w : WIDTH;
    return (struct rect){(c->w - w) / 2, (c->h - rows - 2) / 2, w, rows + 2};
}

/* Says what the keys do on this page: on the last one space closes the box. */
static enum text_id hint(const struct ui *u, int lines, int rows)
{
    if (u->box.finding)
        return TX_HELP_FINDING;
    if (rows >= lines)
        return TX_HELP_WHOLE;
    return u->box.top + rows < lines ? TX_HELP_MORE : TX_HELP_LAST;
}

static void draw(struct ui *u)
{
    struct menu m;
    char title[80];
    make(&m, u);
    int rows = rows_of(u, m.n ? m.n : 1);
    bool found = u->box.finding || u->box.find[0];
    snprintf(title, sizeof title, found ? "%s ─ /%s" : "%s", tx(u->lang, TX_HELP), u->box.find);
    struct rect r = frame_of(u, rows), in = box_frame(&u->canvas, r, title, tx(u->lang, hint(u, m.n, rows)));
    struct canvas *c = &u->canvas;
    for (int i = 0; i < rows && u->box.top + i < m.n; i++) {
        const struct entry *e = &m.v[u->box.top + i];
        bool here = u->box.at == u->box.top + i + 1;
        int y = in.y + i;
        char left[NAME_BYTES];
        snprintf(left, sizeof left, ":%s %s", e->name ? e->name : "", e->args ? e->args : "");
        if (here) {
            canvas_put(c, in, in.x, y, ROLE_focus, 0x25b6);
            canvas_cursor(c, in.x, y, false);
        }
        if (e->kind == HEADING) {
            canvas_text(c, in, in.x + 2, y, ROLE_heading, e->text);
        } else if (e->kind == LETTERS) {
            canvas_text(c, in, in.x + 1, y, ROLE_plain, e->text);
        } else if (e->kind == KEY) {
            canvas_right(c, in, in.x + NAME_W - 1, y, ROLE_key, e->name);
            canvas_text(c, in, in.x + NAME_W + 2, y, here ? ROLE_sentence_now : ROLE_plain, e->text);
        } else if (e->kind == COMMAND) {
            canvas_text(c, in, in.x + 3, y, ROLE_key, left);
            canvas_text(c, in, in.x + 3 + COMMAND_W, y, here ? ROLE_sentence_now : ROLE_plain, e->text);
        }
    }
    if (!m.n)
        canvas_text(&u->canvas, in, in.x + 2, in.y, ROLE_dim, tx(u->lang, TX_HELP_NOT_FOUND));
}

/* ---- keys ---- */

/* The cursor is on entry box.at - 1; 0: there is none yet. */
static void put_cursor(struct ui *u, const struct menu *m, int from, int by)
{
    int rows = rows_of(u, m->n);
    for (int i = from; i >= 0 && i < m->n; i += by)
        if (can_do(m, i)) {
            u->box.at = i + 1;
            u->box.top = scroll_top(u->box.top, i, rows, m->n);
            return;
        }
}

static void scroll(struct ui *u, const struct menu *m, int by)
{
    int rows = rows_of(u, m->n), most = m->n - rows;
    u->box.top = scroll_to(u->box.top, by, rows, most + 1);
    if (u->box.at)
        put_cursor(u, m, u->box.top, 1);
}

static void do_entry(struct ui *u, const struct entry e)
{
    char line[NAME_BYTES];
    bool asks = e.kind == COMMAND && e.args[0] && e.args[0] != '[';
    ui_open(u, BOX_NONE);
    u->loop.stale = true;
    if (e.kind == KEY) {
        key_press(u, e.code);
        return;
    }
    snprintf(line, sizeof line, "%s%s", e.name, asks ? " " : "");
    key_press(u, ':');
    prompt_begin(&u->command.prompt, ':', line);
    if (!asks)
        command_run(u);
}

static bool do_it(struct ui *u, const struct menu *m)
{
    if (can_do(m, u->box.at - 1))
        do_entry(u, m->v[u->box.at - 1]);
    else
        ui_open(u, BOX_NONE);
    return true;
}

/* A key of the search line. Arrow keys end it; enter carries out the entry that was found. */
static bool find_key(struct ui *u, uint32_t code)
{
    struct menu m;
    bool enter = code == KEY_RETURN || code == '\n';
    char *find = u->box.find, utf8[5] = "";
    size_t len = strlen(find);
    if (code == KEY_ESCAPE)
        find[0] = '\0';
    u->box.finding = code != KEY_ESCAPE && code != KEY_RETURN && code != '\n' && code != KEY_CODE_DOWN && code != KEY_CODE_UP;
    if (code == KEY_BACK && len) {
        do
            find[--len] = '\0';
        while (len && ((unsigned char)find[len - 1] & 0xc0) == 0x80);
    } else if (u->box.finding && code >= ' ' && code != KEY_BACK && code < KEY_CODE_OTHER && len + 5 < sizeof u->box.find) {
        utf8[utf8_put(code, utf8)] = '\0';
        strcat(find, utf8);
    }
    make(&m, u);
    if (enter && find[0] && can_do(&m, u->box.at - 1))
        return do_it(u, &m);
    u->box.top = u->box.at = 0;
    if (find[0])
        put_cursor(u, &m, 0, 1);
    return true;
}

static bool click(struct ui *u, const struct menu *m)
{
    int x, y, rows = rows_of(u, m->n);
    screen_mouse(u->screen, &x, &y);
    struct rect r = frame_of(u, rows);
    bool inside = x > r.x && x < r.x + r.w - 1 && y > r.y && y <= r.y + rows;
    int at = u->box.top + y - r.y - 1;
    if (inside && !can_do(m, at))
        return true; /* a heading, or a letter */
    u->box.at = inside ? at + 1 : 0;
    return do_it(u, m);
}

static bool key(struct ui *u, uint32_t code)
{
    struct menu m;
    make(&m, u);
    bool last = u->box.top + rows_of(u, m.n) >= m.n;
    if (u->box.find[0] && (code == '?' || code == KEY_CODE_F(1))) { /* what was found is a part: the whole list again */
        ui_open(u, BOX_HELP);
        return true;
    }
    if (u->box.finding)
        return find_key(u, code);
    if (code == '/')
        u->box.finding = true;
    else if (code == KEY_CODE_DOWN || code == 'j')
        put_cursor(u, &m, u->box.at ? u->box.at : u->box.top, 1);
    else if (code == KEY_CODE_UP || code == 'k')
        put_cursor(u, &m, u->box.at - 2, -1);
    else if (scroll_key(code) || (code == ' ' && !last))
        scroll(u, &m, code == ' ' ? SCROLL_PAGE : scroll_key(code));
    else if (code == KEY_CODE_CLICK)
        return click(u, &m);
    else if (code == KEY_RETURN || code == '\n')
        return do_it(u, &m);
    else
        ui_open(u, BOX_NONE);
    return true;
}

const struct box_ops box_help = {.key = key, .draw = draw};
