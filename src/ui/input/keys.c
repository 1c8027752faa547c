/* The one table of keys, and what each does. */
#include "ui/input/keys.h"

#include "ui/input/commands.h"
#include "ui/compare.h"
#include "ui/ui.h"

#include <stddef.h>
#include <stdio.h>

static void key_choose(struct ui *u)
{
    if (!u->st.lockstep || !ui_over(u)) /* in free mode there is never anything to choose, which says more */
        choose_open(u);
}

static void key_pause(struct ui *u)
{
    bool pause = !u->st.paused || u->st.stepping;
    if (!ui_over(u))
        u->cfg->ops->pause(u->cfg->session, pause);
}

static void step(struct ui *u, enum step_kind kind)
{
    if (!u->st.paused || u->st.stepping)
        key_pause(u);
    else
        ui_step(u, kind, 1);
}

static void key_step(struct ui *u)
{
    step(u, STEP_EVENT);
}

static void key_round(struct ui *u)
{
    step(u, STEP_ROUND);
}

/* What is shown next does not follow what is shown now. */
static const struct session_ops *jump(struct ui *u)
{
    for (struct ui *side = u; side; side = side->other)
        side->jump = true;
    return u->cfg->ops;
}

/* Is shown what was shown before? */
static bool still_there(struct ui *u)
{
    struct session_status now;
    bool same = u->st.paused || u->st.ended;
    for (const struct ui *side = u; side; side = side->other) {
        u->cfg->ops->status(side->cfg->session, &now);
        same = same && now.events == side->st.events;
    }
    return same;
}

static void told_if_first(struct ui *u)
{
    if (still_there(u))
        ui_note(u, "%s", tx(u->lang, u->st.oldest ? TX_GOTO_TOO_EARLY : TX_NOTE_FIRST));
}

static void key_back(struct ui *u)
{
    jump(u)->step_back(u->cfg->session, STEP_EVENT, 1);
    told_if_first(u);
}

static void key_back_round(struct ui *u)
{
    jump(u)->step_back(u->cfg->session, STEP_ROUND, 1);
    told_if_first(u);
}

static void key_first(struct ui *u)
{
    jump(u)->goto_event(u->cfg->session, u->st.oldest + 1);
    told_if_first(u);
}

static void key_last(struct ui *u)
{
    jump(u)->goto_event(u->cfg->session, SESSION_NEWEST);
    if (still_there(u) && !ui_over(u))
        ui_note(u, "%s", tx(u->lang, TX_NOTE_PRESENT));
}

/* While it stands a narrow status line has no room for the pace. */
static void change_pace(struct ui *u, int up)
{
    char text[64];
    struct view v = ui_view(u);
    u->cfg->ops->tempo(u->cfg->session, up);
    u->cfg->ops->status(u->cfg->session, &v.st);
    if (v.st.paused)
        ui_note(u, "%s", pace_text(&v, text, sizeof text));
}

static void key_slower(struct ui *u)
{
    change_pace(u, -1);
}

static void key_faster(struct ui *u)
{
    change_pace(u, 1);
}

static void key_mode(struct ui *u)
{
    if (!ui_over(u))
        u->cfg->ops->toggle_mode(u->cfg->session);
}

static void key_help(struct ui *u)
{
    ui_help(u);
}

/* ---- going on to a place ---- */

static void key_next_match(struct ui *u)
{
    ui_search(u, 1);
}

static void key_previous_match(struct ui *u)
{
    ui_search(u, -1);
}

static void key_round_p(struct ui *u)
{
    uint32_t p = select_p(&u->select, u->stops.shown.md);
    if (p == EV_NONE) {
        ui_note(u, "%s", tx(u->lang, TX_NOTE_CHOOSE_P));
        return;
    }
    ui_round_on(u, p);
}

static void key_until_g(struct ui *u)
{
    if (thing_kind(u->select.tag) != THING_G) {
        ui_note(u, "%s", tx(u->lang, TX_NOTE_CHOOSE_G));
        return;
    }
    ui_until_g(u, thing_id(u->select.tag), NULL);
}

static void ask(struct ui *u, char sign)
{
    snprintf(u->prompt.hint, sizeof u->prompt.hint, tx(u->lang, TX_PROMPT_WRONG), sign);
    prompt_begin(&u->prompt, sign, "");
}

static void key_command(struct ui *u)
{
    ask(u, ':');
}

static void key_search(struct ui *u)
{
    ask(u, '/');
}

/* ---- choosing ---- */

static void move(struct ui *u, int dx, int dy)
{
    select_move(&u->select, &u->canvas, u->pane, u->npanes, dx, dy);
}

static void key_left(struct ui *u)
{
    move(u, -1, 0);
}

static void key_right(struct ui *u)
{
    move(u, 1, 0);
}

static void key_up(struct ui *u)
{
    move(u, 0, -1);
}

static void key_down(struct ui *u)
{
    move(u, 0, 1);
}

static void next_pane(struct ui *u, int by)
{
    if (!u->other || !compare_turn(u))
        select_next_pane(&u->select, &u->canvas, u->pane, u->npanes, by);
}

static void key_pane(struct ui *u)
{
    next_pane(u, 1);
}

static void key_pane_back(struct ui *u)
{
    next_pane(u, -1);
}

static void key_inspect(struct ui *u)
{
    u->inspect = !u->inspect;
}

static void key_escape(struct ui *u)
{
    u->inspect = false;
    u->select = (struct selection){.pane = -1};
}

/* Clicking what is chosen already opens it. */
static void key_click(struct ui *u)
{
    int x, y;
    uint32_t was = u->select.tag;
    bool twice = screen_mouse(u->screen, &x, &y);
    select_click(&u->select, &u->canvas, u->pane, u->npanes, x, y);
    u->inspect = u->select.tag && (u->inspect || twice || u->select.tag == was);
}

/* ---- the whole run, the whole screen ---- */

static void key_restart(struct ui *u)
{
    ui_restart(u, u->st.seed);
}

static void key_next_seed(struct ui *u)
{
    ui_restart(u, u->st.seed + 1);
}

static void key_layout(struct ui *u)
{
    ui_next_layout(u);
}

/* Only to the question that is shown; the first answer is the one that counts. */
static void key_answer(struct ui *u)
{
    uint32_t choice = u->key - '1';
    bool given = u->answer.step == u->lesson.met && u->answer.run == u->st.run;
    if (!u->lesson.on || !u->lesson.met || choice >= u->lesson.nchoices || given)
        return;
    u->answer.run = u->st.run;
    u->answer.step = u->lesson.met;
    u->answer.choice = (int)choice;
}

static void key_theme(struct ui *u)
{
    ui_next_theme(u);
}

static void key_quit(struct ui *u)
{
    u->leave = true;
}

static void key_interrupt(struct ui *u)
{
    u->leave = true;
    u->code = 130;
}

static void key_redraw(struct ui *u)
{
    screen_redraw(u->screen);
}

static void key_suspend(struct ui *u)
{
    u->suspend = true;
}

const struct key keys[] = {
    {' ', 0, "space", TX_KEY_PAUSE, TX_SHORT_PAUSE, 1, key_pause, TX_NONE},
    {'s', 0, "s", TX_KEY_STEP, TX_SHORT_STEP, 1, key_step, TX_NONE},
    {'n', 0, "n", TX_KEY_ROUND, TX_SHORT_ROUND, 1, key_round, TX_NONE},
    {'b', 0, "b", TX_KEY_BACK, TX_SHORT_BACK, 1, key_back, TX_NONE},
    {'B', 0, "B", TX_KEY_BACK_ROUND, TX_NONE, 0, key_back_round, TX_NONE},
    {'g', 0, "g", TX_KEY_FIRST, TX_NONE, 0, key_first, TX_NONE},
    {'G', 0, "G", TX_KEY_LAST, TX_NONE, 0, key_last, TX_NONE},
    {'N', 0, "N", TX_KEY_ROUND_P, TX_NONE, 0, key_round_p, TX_NOTE_ONE_RUN},
    {'u', 0, "u", TX_KEY_UNTIL_G, TX_NONE, 0, key_until_g, TX_NOTE_ONE_RUN},
    {'f', 0, "f", TX_KEY_UNTIL_MATCH, TX_SHORT_MATCH, 3, key_next_match, TX_NOTE_ONE_RUN},
    {'c', 0, "c", TX_KEY_CHOOSE, TX_SHORT_CHOOSE, 3, key_choose, TX_NOTE_ONE_RUN},
    {'-', '_', "-", TX_KEY_SLOWER, TX_SHORT_TEMPO, 2, key_slower, TX_NONE},
    {'+', '=', "+", TX_KEY_FASTER, TX_SHORT_TEMPO, 1, key_faster, TX_NONE},
    {'m', 0, "m", TX_KEY_MODE, TX_SHORT_MODE, 1, key_mode, TX_NOTE_ONE_CLOCK},
    {':', 0, ":", TX_KEY_COMMAND, TX_SHORT_COMMAND, 3, key_command, TX_NONE},
    {'/', 0, "/", TX_KEY_SEARCH, TX_NONE, 0, key_search, TX_NOTE_ONE_RUN},
    {']', 0, "]", TX_KEY_NEXT_MATCH, TX_NONE, 0, key_next_match, TX_NOTE_ONE_RUN},
    {'[', 0, "[", TX_KEY_PREVIOUS_MATCH, TX_NONE, 0, key_previous_match, TX_NOTE_ONE_RUN},
    {KEY_TAB, 0, "tab", TX_KEY_PANE, TX_NONE, 0, key_pane, TX_NONE},
    {KEY_CODE_BACKTAB, 0, "shift-tab", TX_KEY_PANE_BACK, TX_NONE, 0, key_pane_back, TX_NONE},
    {KEY_CODE_LEFT, 'h', "left, h", TX_KEY_LEFT, TX_NONE, 0, key_left, TX_NONE},
    {KEY_CODE_DOWN, 'j', "down, j", TX_KEY_DOWN, TX_NONE, 0, key_down, TX_NONE},
    {KEY_CODE_UP, 'k', "up, k", TX_KEY_UP, TX_NONE, 0, key_up, TX_NONE},
    {KEY_CODE_RIGHT, 'l', "right, l", TX_KEY_RIGHT, TX_NONE, 0, key_right, TX_NONE},
    {KEY_RETURN, '\n', "enter", TX_KEY_INSPECT, TX_SHORT_INSPECT, 3, key_inspect, TX_NONE},
    {KEY_ESCAPE, 0, "esc", TX_KEY_ESCAPE, TX_NONE, 0, key_escape, TX_NONE},
    {KEY_CODE_CLICK, 0, "click", TX_KEY_CLICK, TX_NONE, 0, key_click, TX_NONE},
    {KEY_CODE_WHEEL_UP, 0, "wheel up", TX_KEY_UP, TX_NONE, 0, key_up, TX_NONE},
    {KEY_CODE_WHEEL_DOWN, 0, "wheel down", TX_KEY_DOWN, TX_NONE, 0, key_down, TX_NONE},
    {'L', 0, "L", TX_KEY_LAYOUT, TX_NONE, 0, key_layout, TX_NONE},
    {'t', 0, "t", TX_KEY_THEME, TX_NONE, 0, key_theme, TX_NONE},
    {'r', 0, "r", TX_KEY_RESTART, TX_NONE, 0, key_restart, TX_NONE},
    {'R', 0, "R", TX_KEY_NEXT_SEED, TX_NONE, 0, key_next_seed, TX_NONE},
    {'1', 0, "1 … 9", TX_KEY_ANSWER, TX_NONE, 0, key_answer, TX_NONE},
    {'?', 0, "?", TX_KEY_HELP, TX_SHORT_HELP, 1, key_help, TX_NONE},
    {'q', 0, "q", TX_KEY_QUIT, TX_SHORT_QUIT, 1, key_quit, TX_NONE},
    {KEY_CTRL('l'), 0, "ctrl-L", TX_KEY_REDRAW, TX_NONE, 0, key_redraw, TX_NONE},
    {KEY_CTRL('z'), 0, "ctrl-Z", TX_KEY_SUSPEND, TX_NONE, 0, key_suspend, TX_NONE},
    {KEY_CTRL('c'), 0, "ctrl-C", TX_KEY_INTERRUPT, TX_NONE, 0, key_interrupt, TX_NONE},
};
const int nkeys = sizeof keys / sizeof *keys;

const struct key *key_find(uint32_t code)
{
    code = code > '1' && code <= '9' ? '1' : code; /* one row for all of them */
    for (int i = 0; code && i < nkeys; i++)
        if (keys[i].code == code || keys[i].also == code)
            return &keys[i];
    return NULL;
}
