/* Choosing who goes next: a box with what can be chosen, over the panes; the line to share; the branches. */
#include "ui/boxes/choose.h"

#include "ui/input/commands.h"
#include "ui/input/keys.h"
#include "ui/ui.h"

#include <stdio.h>
#include <string.h>

enum { CHOOSE_W = 96, SHARE_W = 100, BRANCHES_SHOWN = 24 };

/* ---- the box ---- */

static int rows(const struct chooser *k)
{
    return k->draw.state == CHOICE_READY ? k->draw.n + 1 : 0; /* the first one leaves it to the seed */
}

void choose_open(struct ui *u)
{
    u->over = OVER_CHOOSE;
    u->choose = (struct chooser){.draw.state = CHOICE_MAKING};
    u->cfg->ops->choosing(u->cfg->session, true);
}

static void close_it(struct ui *u)
{
    u->over = OVER_NOTHING;
    u->cfg->ops->choosing(u->cfg->session, false);
}

/* The row stays on the same M from step to step; in the past it is on what was taken, so that enter stays on the course. */
static void keep_row(struct chooser *k, uint32_t pick)
{
    k->row = k->top = 0;
    for (int i = 0; i < k->draw.n; i++)
        if (k->draw.past ? k->draw.row[i].now : pick != PICK_SEED && k->draw.row[i].pick == pick)
            k->row = i + 1;
}

static uint32_t pick_of(const struct chooser *k)
{
    return k->row > 0 && k->row <= k->draw.n ? k->draw.row[k->row - 1].pick : PICK_SEED;
}

void choose_fetch(struct ui *u)
{
    struct chooser *k = &u->choose;
    uint32_t pick = pick_of(k);
    if (u->over != OVER_CHOOSE)
        return;
    u->cfg->ops->decision(u->cfg->session, &k->next);
    if (k->next.state == CHOICE_MAKING || (k->next.state == k->draw.state && k->next.serial == k->draw.serial))
        return; /* the old rows stay meanwhile */
    k->draw = k->next;
    keep_row(k, pick);
}

static void move(struct chooser *k, int by)
{
    int last = rows(k) - 1, to = k->row + by;
    k->row = to < 0 || last < 0 ? 0 : to > last ? last : to;
}

static bool moved(struct chooser *k, uint32_t code)
{
    static const struct { uint32_t code, also; int by; } moves[] = {
        {KEY_CODE_UP, 'k', -1}, {KEY_CODE_DOWN, 'j', 1}, {KEY_CODE_PAGE_UP, KEY_CODE_WHEEL_UP, -8},
        {KEY_CODE_PAGE_DOWN, KEY_CODE_WHEEL_DOWN, 8}, {KEY_CODE_HOME, KEY_CODE_HOME, -PICKS_MAX}, {KEY_CODE_END, KEY_CODE_END, PICKS_MAX}};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (moves[i].code == code || moves[i].also == code) {
            move(k, moves[i].by);
            return true;
        }
    if (code < '1' || code > '9' || (int)(code - '0') > k->draw.n)
        return false;
    k->row = (int)(code - '0');
    return true;
}

bool choose_key(struct ui *u, uint32_t code)
{
    struct chooser *k = &u->choose;
    if (moved(k, code))
        return true;
    if (code == KEY_RETURN && rows(k)) {
        arrows_stop(&u->arrows);
        u->cfg->ops->choose(u->cfg->session, pick_of(k));
        return true;
    }
    if (code < 128 && strchr("sbBgG", (int)code)) /* through the run, with the box open */
        return false;
    close_it(u);
    return code == 'c' || code == KEY_ESCAPE || code == KEY_RETURN;
}

static void draw_row(struct ui *u, struct rect in, int y, int i)
{
    const struct chooser *k = &u->choose;
    enum role role = i == k->row ? ROLE_sentence_now : ROLE_sentence;
    char text[256];
    if (i == 0) {
        const char *seeds = "-";
        for (int n = 0; n < k->draw.n; n++)
            seeds = k->draw.row[n].seeds ? k->draw.row[n].text[u->lang] : seeds;
        bool id = seeds[0] == 'M'; /* of an M its name is enough */
        snprintf(text, sizeof text, tx(u->lang, TX_CHOOSE_SEED), id ? (int)strcspn(seeds, " ") : (int)strlen(seeds), seeds);
    } else {
        const struct session_pick *p = &k->draw.row[i - 1];
        snprintf(text, sizeof text, k->draw.past && p->now ? tx(u->lang, TX_CHOOSE_TAKEN) : "%s", p->text[u->lang]);
    }
    canvas_text(&u->canvas, in, in.x, y, role, i == k->row ? "▶" : " ");
    if (i > 0 && i < 10)
        canvas_printf(&u->canvas, in, in.x + 2, y, ROLE_dim, "%d", i);
    canvas_text(&u->canvas, in, in.x + 4, y, role, text);
}

static const char *title(const struct ui *u, char *buf, size_t size)
{
    const struct session_decision *d = &u->choose.draw;
    if (d->state != CHOICE_READY)
        return tx(u->lang, TX_CHOOSE);
    snprintf(buf, size, tx(u->lang, TX_CHOOSE_AT), d->head[u->lang], (unsigned long long)d->at);
    return buf;
}

static const struct layout_pane *narration(const struct ui *u)
{
    int i = 0;
    while (i < u->npanes && u->pane[i].kind != PANE_narration)
        i++;
    return i < u->npanes ? &u->pane[i] : NULL;
}

/* Above the row of the keys, so that the processors stay in sight; a low box that would lie on the newest sentence there goes above
 * the narration: what has just happened is what one chooses after. */
static int choose_y(const struct ui *u, int h)
{
    const struct layout_pane *n = narration(u);
    int y = u->canvas.h - 1 - h, above = n ? n->rect.y - h : 0;
    bool lies_on = n && y < n->rect.y + n->rect.h;
    return lies_on && above >= u->canvas.h / 4 ? above : y > 0 ? y : 0;
}

void choose_draw(struct ui *u)
{
    struct chooser *k = &u->choose;
    char head[256], more[96] = "";
    struct canvas *c = &u->canvas;
    int n = rows(k), w = c->w < CHOOSE_W ? c->w : CHOOSE_W, most = c->h / 2 > 4 ? c->h / 2 : 4, h = (n ? n : 1) + 2;
    h = h < most ? h : most;
    struct rect r = {(c->w - w) / 2, choose_y(u, h), w, h};
    struct rect in = box_over(c, r, title(u, head, sizeof head), tx(u->lang, TX_CHOOSE_KEYS));
    if (k->row < k->top)
        k->top = k->row;
    if (k->row >= k->top + in.h)
        k->top = k->row - in.h + 1;
    for (int i = 0; i < in.h && k->top + i < n; i++)
        draw_row(u, in, in.y + i, k->top + i);
    if (!n)
        canvas_text(c, in, in.x + 1, in.y, ROLE_sentence,
                    k->draw.state == CHOICE_REFUSED ? k->draw.head[u->lang] : tx(u->lang, TX_CHOOSE_MAKING));
    if (k->draw.all > (uint32_t)k->draw.n)
        snprintf(more, sizeof more, tx(u->lang, TX_CHOOSE_MORE), k->draw.n, k->draw.all);
    canvas_text(c, r, r.x + 2, r.y + r.h - 1, ROLE_dim, more);
}

/* ---- :share, :branches, :branch ---- */

bool do_share(struct ui *u, const char *arg)
{
    (void)arg;
    if (u->st.was_free)
        ui_note(u, "%s", tx(u->lang, TX_SHARE_FREE));
    else if (!u->cfg->ops->share(u->cfg->session, u->share, sizeof u->share))
        ui_note(u, "%s", tx(u->lang, TX_SHARE_PAUSE));
    else
        u->over = OVER_SHARE;
    return true;
}

/* Broken at the box's edge, wherever that is: it is for the mouse to take, or to be read. */
void share_draw(struct ui *u)
{
    struct canvas *c = &u->canvas;
    int w = c->w < SHARE_W ? c->w : SHARE_W, room = w > 4 ? w - 4 : 1, len = (int)strlen(u->share);
    int lines = (len + room - 1) / room, h = lines + 2 < c->h ? lines + 2 : c->h;
    struct rect r = {(c->w - w) / 2, (c->h - h) / 2, w, h};
    struct rect in = box_over(c, r, tx(u->lang, TX_SHARE), tx(u->lang, TX_HELP_CLOSE));
    for (int i = 0; i < lines && i < in.h; i++)
        canvas_printf(c, in, in.x + 1, in.y + i, ROLE_sentence, "%.*s", room, u->share + i * room);
}

bool do_branches(struct ui *u, const char *arg)
{
    (void)arg;
    u->over = OVER_BRANCHES;
    return true;
}

void branches_draw(struct ui *u)
{
    struct session_branch b[BRANCHES_SHOWN];
    struct canvas *c = &u->canvas;
    int n = u->cfg->ops->branches(u->cfg->session, b, BRANCHES_SHOWN), h = (n ? n : 1) + 2, w = c->w < 72 ? c->w : 72;
    struct rect in = box_over(c, (struct rect){(c->w - w) / 2, c->h > h ? (c->h - h) / 2 : 0, w, h}, tx(u->lang, TX_BRANCHES),
                              tx(u->lang, TX_HELP_CLOSE));
    if (!n)
        canvas_text(c, in, in.x + 1, in.y, ROLE_dim, tx(u->lang, TX_NO_BRANCHES));
    for (int i = 0; i < n; i++) {
        char text[160];
        snprintf(text, sizeof text, tx(u->lang, b[i].from ? TX_BRANCH : TX_BRANCH_FIRST), (unsigned long long)b[i].events,
                 (unsigned long long)b[i].from);
        canvas_text(c, in, in.x, in.y + i, ROLE_sentence_now, b[i].here ? "▶" : " ");
        canvas_printf(c, in, in.x + 1, in.y + i, ROLE_number, "%3u", b[i].id);
        canvas_text(c, in, in.x + 6, in.y + i, ROLE_sentence, text);
    }
}

bool do_branch(struct ui *u, const char *arg)
{
    unsigned id = 0;
    char rest;
    if (sscanf(arg, "%u%c", &id, &rest) != 1 || !u->cfg->ops->branch(u->cfg->session, id)) {
        struct session_branch any;
        bool some = u->cfg->ops->branches(u->cfg->session, &any, 1) > 0;
        prompt_fail(&u->prompt, u->arg_at, tx(u->lang, some ? TX_WRONG_BRANCH : TX_ONLY_BRANCH));
        return false;
    }
    u->jump = true;
    return true;
}
