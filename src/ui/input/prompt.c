/* Edits one line of UTF-8 text; the cursor is always between two code points. */
#include "ui/input/prompt.h"

#include "base/text.h"
#include "ui/panes/parts/wrap.h"
#include "ui/term/keycodes.h"

#include <stdio.h>
#include <string.h>

static void set_text(struct prompt *p, const char *text)
{
    snprintf(p->text, sizeof p->text, "%s", text);
    p->len = p->at = (int)strlen(p->text);
}

void prompt_begin(struct prompt *p, char sign, const char *text)
{
    p->open = true;
    p->sign = sign;
    p->recalled = 0;
    p->wrong[0] = p->offer[0] = '\0';
    set_text(p, text);
}

void prompt_close(struct prompt *p)
{
    p->open = false;
}

void prompt_fail(struct prompt *p, int at, const char *what)
{
    snprintf(p->wrong, sizeof p->wrong, "%s", what);
    p->wrong_at = at;
}

/* Replaces bytes [from, to) by `with`. */
static void splice(struct prompt *p, int from, int to, const char *with)
{
    int n = (int)strlen(with);
    if (p->len - (to - from) + n >= PROMPT_BYTES)
        return;
    memmove(p->text + from + n, p->text + to, (size_t)(p->len - to) + 1);
    memcpy(p->text + from, with, (size_t)n);
    p->len += n - (to - from);
    p->at = from + n;
}

void prompt_replace(struct prompt *p, int from, const char *with)
{
    splice(p, from, p->at, with);
}

static bool inner(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

static int before(const struct prompt *p, int at)
{
    do
        at -= at > 0;
    while (at > 0 && inner(p->text[at]));
    return at;
}

static int after(const struct prompt *p, int at)
{
    do
        at += at < p->len;
    while (at < p->len && inner(p->text[at]));
    return at;
}

/* ---- history ---- */

static bool nth_line(struct prompt *p, uint32_t back, char **line)
{
    uint32_t kept = p->lines < PROMPT_HISTORY ? p->lines : PROMPT_HISTORY;
    *line = back ? p->history[(p->lines - back) % PROMPT_HISTORY] : p->kept;
    return back <= kept;
}

static void recall(struct prompt *p, int by)
{
    char *line;
    uint32_t to = p->recalled + (uint32_t)by;
    if ((by < 0 && !p->recalled) || !nth_line(p, to, &line))
        return;
    if (!p->recalled)
        memcpy(p->kept, p->text, sizeof p->kept);
    p->recalled = to;
    set_text(p, line);
}

void prompt_remember(struct prompt *p)
{
    char *last;
    if (!p->len || (p->lines && nth_line(p, 1, &last) && strcmp(last, p->text) == 0))
        return;
    memcpy(p->history[p->lines++ % PROMPT_HISTORY], p->text, sizeof p->text);
}

/* ---- keys ---- */

static void erase_word(struct prompt *p)
{
    int from = p->at;
    while (from > 0 && p->text[from - 1] == ' ')
        from--;
    while (from > 0 && p->text[from - 1] != ' ')
        from--;
    splice(p, from, p->at, "");
}

static void erase_before(struct prompt *p)
{
    if (!p->len)
        prompt_close(p);
    splice(p, before(p, p->at), p->at, "");
}

/* What a key of the line does, in one call. */
#define EDIT(name, call) \
    static void name(struct prompt *p) \
    { \
        call; \
    }
EDIT(erase_at, splice(p, p->at, after(p, p->at), ""))
EDIT(erase_to_start, splice(p, 0, p->at, ""))
EDIT(erase_to_end, splice(p, p->at, p->len, ""))
EDIT(go_left, p->at = before(p, p->at))
EDIT(go_right, p->at = after(p, p->at))
EDIT(go_home, p->at = 0)
EDIT(go_end, p->at = p->len)
EDIT(older, recall(p, 1))
EDIT(newer, recall(p, -1))

static const struct {
    uint32_t code;
    void (*fn)(struct prompt *);
} editing[] = {
    {KEY_ESCAPE, prompt_close},      {KEY_CTRL('c'), prompt_close}, {KEY_BACK, erase_before},    {KEY_CODE_DELETE, erase_at},
    {KEY_CODE_LEFT, go_left},        {KEY_CODE_RIGHT, go_right},    {KEY_CODE_HOME, go_home},    {KEY_CODE_END, go_end},
    {KEY_CTRL('a'), go_home},        {KEY_CTRL('e'), go_end},       {KEY_CODE_UP, older},        {KEY_CODE_DOWN, newer},
    {KEY_CTRL('u'), erase_to_start}, {KEY_CTRL('k'), erase_to_end}, {KEY_CTRL('w'), erase_word}, {KEY_CTRL('d'), erase_at},
};

static void insert(struct prompt *p, uint32_t code)
{
    char utf8[5] = "";
    if (code < 0x20 || code == KEY_BACK || code >= KEY_CODE_OTHER)
        return;
    utf8[utf8_put(code, utf8)] = '\0';
    splice(p, p->at, p->at, utf8);
}

static void start_over(struct prompt *p)
{
    prompt_remember(p);
    prompt_begin(p, p->sign, "");
}

bool prompt_key(struct prompt *p, uint32_t code)
{
    if (p->wrong[0] && code == (uint32_t)(unsigned char)p->sign) {
        start_over(p);
        return false;
    }
    p->wrong[0] = p->offer[0] = '\0';
    if (code == KEY_RETURN || code == '\n')
        return true;
    for (size_t i = 0; i < sizeof editing / sizeof *editing; i++)
        if (editing[i].code == code) {
            editing[i].fn(p);
            return false;
        }
    insert(p, code);
    return false;
}

/* ---- drawing ---- */

/* Returns the columns of the first n bytes. */
static int columns(const char *s, int n)
{
    char part[PROMPT_BYTES];
    snprintf(part, sizeof part, "%.*s", n, s);
    return text_width(part);
}

static void blank_row(struct canvas *c, int y)
{
    canvas_hline(c, (struct rect){0, y, c->w, 1}, 0, y, c->w, ROLE_plain, ' ');
}

/* Returns how many columns the line is scrolled to keep the cursor visible. */
static int shift(const struct prompt *p, const struct canvas *c)
{
    int cursor = 1 + columns(p->text, p->at);
    return cursor > c->w - 2 ? cursor - (c->w - 2) : 0;
}

static void draw_line(const struct prompt *p, struct canvas *c, int y)
{
    struct rect row = {1, y, c->w - 1, 1};
    int off = shift(p, c), x = 1 + columns(p->text, p->at) - off;
    blank_row(c, y);
    canvas_put(c, (struct rect){0, y, c->w, 1}, 0, y, ROLE_key, (uint32_t)(unsigned char)p->sign);
    canvas_text(c, row, 1 - off, y, ROLE_sentence_now, p->text);
    canvas_cursor(c, x, y, true);
}

/* The x of the message: after the caret, before it, or on rows of its own (-1) if there is room for neither. */
static int wrong_x(const struct prompt *p, const struct canvas *c, int caret)
{
    int w = text_width(p->wrong);
    return caret + 2 + w <= c->w ? caret + 2 : caret - 1 - w >= 0 ? caret - 1 - w : -1;
}

static int caret_x(const struct prompt *p, const struct canvas *c)
{
    int x = 1 + columns(p->text, p->wrong_at) - shift(p, c);
    return x < 0 ? 0 : x > c->w - 1 ? c->w - 1 : x;
}

static void draw_wrong(const struct prompt *p, struct canvas *c, int y)
{
    int caret = caret_x(p, c), x = wrong_x(p, c, caret);
    canvas_put(c, (struct rect){0, y, c->w, 1}, caret, y, ROLE_error, '^');
    if (x < 0)
        wrap_draw(c, (struct rect){0, y + 1, c->w, c->h - y - 1}, ROLE_error, p->wrong);
    else
        canvas_text(c, (struct rect){0, y, c->w, 1}, x, y, ROLE_error, p->wrong);
}

static void draw_hint(const struct prompt *p, struct canvas *c, int y)
{
    int x = c->w - text_width(p->hint);
    if (x > 1 + columns(p->text, p->len) + 2)
        canvas_text(c, (struct rect){0, y, c->w, 1}, x, y, ROLE_dim, p->hint);
}

static int rows_below(const struct prompt *p, const struct canvas *c)
{
    bool apart = p->wrong[0] && wrong_x(p, c, caret_x(p, c)) < 0;
    int rows = apart ? 1 + wrap_lines(p->wrong, c->w) : p->wrong[0] || p->offer[0];
    return rows < c->h ? rows : 0;
}

void prompt_draw(const struct prompt *p, struct canvas *c)
{
    if (!p->open || c->h < 1 || c->w < 3)
        return;
    int rows = rows_below(p, c), y = c->h - rows;
    draw_line(p, c, y - 1);
    for (int i = y; i < c->h; i++)
        blank_row(c, i);
    if (p->wrong[0])
        draw_hint(p, c, y - 1);
    if (rows && p->wrong[0])
        draw_wrong(p, c, y);
    else if (rows)
        canvas_text(c, (struct rect){0, y, c->w, 1}, 1, y, ROLE_dim, p->offer);
}
