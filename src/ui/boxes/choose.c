/* The box for a decision: a person chooses which M goes next, or how a step ends. */
#include "ui/boxes/boxes.h"

#include "ui/input/requests.h"
#include "ui/panes/parts/scroll.h"

#include <stdio.h>
#include <string.h>

enum { CHOOSE_W = 96, SIDES_LEAST = 12 }; /* less than that at its sides would only show ends of frames */

/* ---- the box ---- */

static int rows(const struct chooser *k)
{
    return k->shown.state == CHOICE_READY ? k->shown.n + 1 + (k->shown.last > 0) : 0; /* the first one lets the seed decide */
}

/* Keeps the cursor on the same M from step to step. After a rewind, the cursor is on the choice that was taken, so that enter repeats
 * the run. */
static void keep_row(struct chooser *k, uint32_t pick)
{
    k->row = k->top = 0;
    for (int i = 0; i < k->shown.n; i++)
        if (k->shown.past ? k->shown.row[i].now : pick != PICK_SEED && k->shown.row[i].pick == pick)
            k->row = i + 1;
}

static uint32_t pick_of(const struct chooser *k)
{
    return k->row > 0 && k->row <= k->shown.n ? k->shown.row[k->row - 1].pick : PICK_SEED;
}

static void fetch(struct ui *u)
{
    struct chooser *k = &u->box.choose;
    uint32_t pick = pick_of(k);
    u->ops->decisions->rows(u->run->session, &k->fetched);
    if (k->fetched.state == CHOICE_MAKING || (k->fetched.state == k->shown.state && k->fetched.serial == k->shown.serial))
        return; /* the old rows stay until the new ones are ready */
    k->shown = k->fetched;
    keep_row(k, pick);
}

static bool moved(struct chooser *k, uint32_t code)
{
    int by = scroll_key(code);
    if (by) {
        k->row = scroll_to(k->row, by, k->room, rows(k));
        return true;
    }
    if (code < '0' || code > '9')
        return false;
    if ((int)(code - '0') < rows(k)) /* the number of no row does nothing: behind the box it would answer a question */
        k->row = (int)(code - '0');
    return true;
}

static bool take(struct ui *u)
{
    const struct chooser *k = &u->box.choose;
    ui_move_on(u);
    if (k->row > k->shown.n) {
        ui_went(u, u->ops->rewind->goto_event(u->run->session, k->shown.last));
        return true;
    }
    u->ops->decisions->choose(u->run->session, k->shown.id, pick_of(k));
    return true;
}

/* A click chooses a row, and a click on the chosen one takes it. */
static bool click(struct ui *u)
{
    struct chooser *k = &u->box.choose;
    int row = (int)box_clicked(u) - 1;
    if (row < 0 || row >= rows(k))
        return true;
    if (row == k->row)
        return take(u);
    k->row = row;
    return true;
}

static bool key(struct ui *u, uint32_t code)
{
    struct chooser *k = &u->box.choose;
    if (moved(k, code))
        return true;
    if (code == KEY_CODE_CLICK)
        return click(u);
    if (code == KEY_RETURN && rows(k))
        return take(u);
    if (code < 128 && strchr("sbBgG", (int)code)) /* they move through the run while the box stays open */
        return false;
    ui_open(u, BOX_NONE);
    return code == 'c' || code == KEY_ESCAPE || code == KEY_RETURN;
}

bool choose_row_text(const struct ui *u, int i, char *text, size_t size)
{
    const struct chooser *k = &u->box.choose;
    if (i < 0 || i >= rows(k))
        return false;
    if (i == 0) {
        const char *seeds = "-";
        for (int n = 0; n < k->shown.n; n++)
            seeds = k->shown.row[n].seeds ? k->shown.row[n].text[u->lang] : seeds;
        bool id = seeds[0] == 'M'; /* the name of an M is enough */
        snprintf(text, size, tx(u->lang, TX_CHOOSE_SEED), id ? (int)strcspn(seeds, " ") : (int)strlen(seeds), seeds);
    } else if (i > k->shown.n) {
        snprintf(text, size, tx(u->lang, TX_CHOOSE_LAST), (unsigned long long)k->shown.last);
    } else {
        const struct session_pick *p = &k->shown.row[i - 1];
        snprintf(text, size, k->shown.past && p->now ? tx(u->lang, TX_CHOOSE_TAKEN) : "%s", p->text[u->lang]);
    }
    return true;
}

static void draw_row(struct ui *u, struct rect in, int y, int i)
{
    const struct chooser *k = &u->box.choose;
    enum role role = i == k->row ? ROLE_sentence_now : ROLE_sentence;
    char text[256];
    choose_row_text(u, i, text, sizeof text);
    box_row(&u->canvas, in, y, (uint32_t)i + 1);
    canvas_text(&u->canvas, in, in.x, y, role, i == k->row ? "▶" : " ");
    if (i == k->row)
        canvas_cursor(&u->canvas, in.x, y, false);
    if (i > 0 && i < 10)
        canvas_printf(&u->canvas, in, in.x + 2, y, ROLE_dim, "%d", i);
    canvas_text(&u->canvas, in, in.x + 4, y, role, text);
    u->canvas.tag = 0;
}

static const char *title(const struct ui *u, char *buf, size_t size)
{
    const struct session_decision *d = &u->box.choose.shown;
    if (d->state != CHOICE_READY)
        return tx(u->lang, TX_CHOOSE);
    snprintf(buf, size, tx(u->lang, TX_CHOOSE_AT), d->head[u->lang], (unsigned long long)d->at);
    return buf;
}

static void draw(struct ui *u)
{
    struct chooser *k = &u->box.choose;
    char head[256], more[96] = "";
    struct canvas *c = &u->canvas;
    int n = rows(k), w = c->w < CHOOSE_W + SIDES_LEAST ? c->w : CHOOSE_W, most = c->h / 2 > 4 ? c->h / 2 : 4, h = (n ? n : 1) + 2;
    h = h < most ? h : most;
    struct rect r = {(c->w - w) / 2, box_y(u, h), w, h};
    struct rect in = box_frame(c, r, title(u, head, sizeof head), tx(u->lang, TX_CHOOSE_KEYS));
    k->room = in.h;
    k->top = scroll_top(k->top, k->row, in.h, n);
    for (int i = 0; i < in.h && k->top + i < n; i++)
        draw_row(u, in, in.y + i, k->top + i);
    if (!n)
        canvas_text(c, in, in.x + 1, in.y, ROLE_sentence,
                    k->shown.state == CHOICE_REFUSED ? k->shown.head[u->lang] : tx(u->lang, TX_CHOOSE_MAKING));
    if (k->shown.all > (uint32_t)k->shown.n)
        snprintf(more, sizeof more, tx(u->lang, TX_CHOOSE_MORE), k->shown.n, k->shown.all);
    canvas_text(c, r, r.x + 2, r.y + r.h - 1, ROLE_dim, more);
}

const struct box_ops box_choose = {.fetch = fetch, .key = key, .draw = draw};
