/* The table of boxes, and the simple ones: lists, and the line to share. */
#include "ui/boxes/boxes.h"

#include "ui/input/requests.h"

#include <stdio.h>
#include <string.h>

enum { LIST_W = 72, SHARE_W = 100 };

static const struct box_ops *const table[BOXES] = {
    [BOX_HELP] = &box_help,   [BOX_BREAKS] = &box_breaks,     [BOX_MARKS] = &box_marks,   [BOX_CHOOSE] = &box_choose,
    [BOX_SHARE] = &box_share, [BOX_BRANCHES] = &box_branches, [BOX_QUEUES] = &box_queues, [BOX_CARD] = &box_card,
    [BOX_ABOUT] = &box_about, [BOX_LEDGER] = &box_ledger,     [BOX_REPORT] = &box_report,
};

void box_fetch(struct ui *u)
{
    const struct box_ops *ops = table[u->box.kind];
    if (ops && ops->fetch)
        ops->fetch(u);
}

/* These keys work over a box: a person types a command while reading a list, and the letters of the command must not run as keys. */
static bool works_over(const struct ui *u, uint32_t code)
{
    bool menu = u->box.kind == BOX_HELP; /* its / finds an entry */
    return (code == ':' && !u->box.finding) || ((code == '/' || code == '?') && !menu);
}

bool box_key(struct ui *u, uint32_t code)
{
    const struct box_ops *ops = table[u->box.kind];
    bool over = works_over(u, code);
    if (!ops)
        return false;
    u->loop.dirty = true;
    if (ops->key && !over)
        return ops->key(u, code);
    ui_open(u, BOX_NONE);
    return !over;
}

void box_draw(struct ui *u)
{
    const struct box_ops *ops = table[u->box.kind];
    if (ops)
        ops->draw(u);
}

/* Draws a box in the middle for u->box.n rows, or for the text that says that there are none. */
static struct rect list_frame(struct ui *u, enum text_id title, enum text_id none)
{
    struct canvas *c = &u->canvas;
    int rows = u->box.n ? u->box.n : 1, w = c->w < LIST_W ? c->w : LIST_W;
    rows = rows + 2 < c->h ? rows : c->h - 2;
    struct rect in =
        box_frame(c, (struct rect){(c->w - w) / 2, (c->h - rows - 2) / 2, w, rows + 2}, tx(u->lang, title), tx(u->lang, TX_HELP_CLOSE));
    if (!u->box.n)
        canvas_text(c, in, in.x + 1, in.y, ROLE_dim, tx(u->lang, none));
    return in;
}

/* ---- :breaks ---- */

static void fetch_breaks(struct ui *u)
{
    u->box.n = u->ops->breaks->list(u->run->session, u->box.breaks, BREAKS_SHOWN);
}

static void draw_breaks(struct ui *u)
{
    struct canvas *c = &u->canvas;
    struct rect in = list_frame(u, TX_BREAKS, TX_NO_BREAKS);
    for (int i = 0; i < u->box.n; i++) {
        const struct session_break *b = &u->box.breaks[i];
        canvas_printf(c, in, in.x + 1, in.y + i, ROLE_number, "%3u", b->id);
        canvas_printf(c, in, in.x + 6, in.y + i, ROLE_dim, "×%llu", (unsigned long long)b->hits);
        canvas_text(c, in, in.x + 14, in.y + i, ROLE_sentence, b->text);
    }
}

const struct box_ops box_breaks = {.fetch = fetch_breaks, .draw = draw_breaks};

/* ---- :marks ---- */

static void fetch_marks(struct ui *u)
{
    u->box.n = u->ops->rewind->marks(u->run->session, u->box.marks, SESSION_MARKS);
}

/* Draws the marks; if they do not all fit, the newest ones. */
static void draw_marks(struct ui *u)
{
    struct canvas *c = &u->canvas;
    struct rect in = list_frame(u, TX_MARKS, TX_NO_MARKS);
    for (int i = u->box.n > in.h ? u->box.n - in.h : 0, y = in.y; i < u->box.n; i++, y++) {
        const struct session_mark *m = &u->box.marks[i];
        char text[64];
        snprintf(text, sizeof text, tx(u->lang, TX_EVENT), (unsigned long long)m->at);
        canvas_text(c, in, in.x, y, ROLE_sentence_now, m->at == u->run->st.events ? "▶" : " ");
        canvas_text(c, in, in.x + 2, y, ROLE_sentence, m->name);
        canvas_text(c, in, in.x + 4 + SESSION_MARK, y, ROLE_number, text);
    }
}

const struct box_ops box_marks = {.fetch = fetch_marks, .draw = draw_marks};

/* ---- :branches ---- */

static void fetch_branches(struct ui *u)
{
    const struct session_decision_ops *ops = u->ops->decisions;
    u->box.n = !ops ? 0 : ops->branches(u->run->session, u->box.branches, BRANCHES_SHOWN);
}

static void draw_branches(struct ui *u)
{
    struct canvas *c = &u->canvas;
    struct rect in = list_frame(u, TX_BRANCHES, TX_NO_BRANCHES);
    for (int i = 0; i < u->box.n; i++) {
        const struct session_branch *b = &u->box.branches[i];
        char text[160];
        snprintf(text, sizeof text, tx(u->lang, b->from ? TX_BRANCH : TX_BRANCH_FIRST), (unsigned long long)b->events,
                 (unsigned long long)b->from);
        canvas_text(c, in, in.x, in.y + i, ROLE_sentence_now, b->here ? "▶" : " ");
        canvas_printf(c, in, in.x + 1, in.y + i, ROLE_number, "%3u", b->id);
        canvas_text(c, in, in.x + 6, in.y + i, ROLE_sentence, text);
    }
}

const struct box_ops box_branches = {.fetch = fetch_branches, .draw = draw_branches};

/* ---- :share ---- */

/* Draws the line, which breaks at the edge of the box, even inside a word, because people copy it with the mouse. */
static void draw_share(struct ui *u)
{
    struct canvas *c = &u->canvas;
    int w = c->w < SHARE_W ? c->w : SHARE_W, room = w > 4 ? w - 4 : 1, len = (int)strlen(u->box.share);
    int lines = (len + room - 1) / room, h = lines + 2 < c->h ? lines + 2 : c->h;
    struct rect r = {(c->w - w) / 2, (c->h - h) / 2, w, h};
    struct rect in = box_frame(c, r, tx(u->lang, TX_SHARE), tx(u->lang, TX_HELP_CLOSE));
    for (int i = 0; i < lines && i < in.h; i++)
        canvas_printf(c, in, in.x + 1, in.y + i, ROLE_sentence, "%.*s", room, u->box.share + i * room);
}

const struct box_ops box_share = {.draw = draw_share};
