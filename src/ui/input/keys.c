/* The table of keys, and what each key does. */
#include "ui/input/keys.h"

#include "layout/config.h"
#include "ui/input/focus.h"
#include "ui/input/lesson_answers.h"
#include "ui/input/requests.h"
#include "ui/input/search.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static void key_choose(struct ui *u)
{
    if (!u->run->st.lockstep || !ui_over(u)) /* in free mode the box says that there is never anything to choose */
        ui_open(u, BOX_CHOOSE);
}

static void key_pause(struct ui *u)
{
    bool pause = !u->run->st.paused || u->run->st.stepping;
    if (lesson_card(u) || ui_over(u))
        return;
    const struct text *refusal = pause && !u->run->st.back ? u->ops->refusal(u->run->session, CAN_PAUSE) : NULL;
    if (refusal)
        ui_note(u, "%s", text_in(refusal, u->lang));
    if (!pause && search_runs_on(u))
        return;
    if (!pause)
        ui_move_on(u);
    if (pause && u->run->st.follows && !u->run->st.back)
        ui_note(u, "%s", tx(u->lang, TX_NOTE_PICTURE_PAUSES));
    u->ops->motion->pause(u->run->session, pause);
}

static void step(struct ui *u, enum step_kind kind)
{
    if (!u->run->st.paused || u->run->st.stepping)
        key_pause(u);
    else
        ui_step(u, kind, 1);
}

/* A key that only passes something on. */
#define KEY(name, call) \
    static void key_##name(struct ui *u) \
    { \
        call; \
    }
KEY(step, step(u, STEP_EVENT))
KEY(round, step(u, STEP_ROUND))

/* Where the runs are before a jump. The last fetch may be older than the key before this one. */
struct before {
    struct session_status st[SIDES];
};

static struct before before_jump(struct ui *u)
{
    struct before b;
    for (int i = 0; i < u->nruns; i++)
        u->ops->status(u->run[i].session, &b.st[i]);
    ui_move_on(u);
    return b;
}

/* Returns true if nothing has moved. */
static bool still_there(struct ui *u, const struct before *b)
{
    struct session_status now;
    bool same = b->st->paused || b->st->ended;
    for (int i = 0; i < u->nruns; i++) {
        u->ops->status(u->run[i].session, &now);
        same = same && now.events == b->st[i].events;
    }
    return same;
}

/* Notes how many events a jump back has passed, or that nothing is further back. Two runs number their events separately. */
static void note_back(struct ui *u, const struct before *b, enum text_id passed)
{
    struct session_status now;
    uint64_t was = b->st->events;
    u->ops->status(u->run->session, &now);
    if (still_there(u, b))
        ui_note_text(u, now.oldest ? TX_GOTO_TOO_EARLY : TX_NOTE_FIRST);
    else if (!ui_two(u) && was > now.events + 1)
        ui_note(u, tx(u->lang, passed), (unsigned long long)(was - now.events - 1), (unsigned long long)now.events);
}

static void go_back(struct ui *u, enum step_kind kind, enum text_id passed)
{
    struct before b = before_jump(u);
    u->ops->rewind->step_back(u->run->session, kind, 1);
    note_back(u, &b, passed);
}

KEY(detail, step(u, STEP_DETAIL))
KEY(back, go_back(u, STEP_EVENT, TX_NOTE_FAR_BACK))
KEY(back_round, go_back(u, STEP_ROUND, TX_NOTE_ROUND_BACK))

static void key_first(struct ui *u)
{
    struct before b = before_jump(u);
    u->ops->rewind->goto_event(u->run->session, b.st->oldest + 1);
    note_back(u, &b, TX_NOTE_TO_FIRST);
}

static void key_last(struct ui *u)
{
    struct before b = before_jump(u);
    u->ops->rewind->goto_event(u->run->session, SESSION_NEWEST);
    if (still_there(u, &b) && !ui_over(u))
        ui_note_text(u, TX_NOTE_PRESENT);
}

static void change_pace(struct ui *u, int up)
{
    u->ops->motion->tempo(u->run->session, up);
    ui_note_pace(u);
}

KEY(slower, change_pace(u, -1))
KEY(faster, change_pace(u, 1))
KEY(mode, ui_toggle_mode(u))
KEY(help, ui_open(u, BOX_HELP))

/* ---- continuing to a place ---- */

KEY(next_match, search_on(u, 1))
KEY(previous_match, search_on(u, -1))

static void key_round_p(struct ui *u)
{
    uint32_t p = thing_p(u->run->stops.shown.md, u->select.tag);
    if (p == EV_NONE) {
        ui_note_text(u, TX_NOTE_CHOOSE_P);
        return;
    }
    ui_round_on(u, p);
}

static void key_until_g(struct ui *u)
{
    if (thing_kind(u->select.tag) != THING_G) {
        ui_note_text(u, TX_NOTE_CHOOSE_G);
        return;
    }
    ui_until_g(u, thing_id(u->select.tag), NULL);
}

static void ask(struct ui *u, char sign)
{
    snprintf(u->command.prompt.hint, sizeof u->command.prompt.hint, tx(u->lang, TX_PROMPT_WRONG), sign);
    prompt_begin(&u->command.prompt, sign, "");
}

KEY(command, ask(u, ':'))
KEY(search, ask(u, '/'))

/* ---- selecting ---- */

static void move(struct ui *u, int dx, int dy)
{
    select_move(&u->select, &u->canvas, u->placed.pane, u->placed.n, dx, dy);
}

KEY(left, move(u, -1, 0))
KEY(right, move(u, 1, 0))
KEY(up, move(u, 0, -1))
KEY(down, move(u, 0, 1))

/* Gives the focus to the next pane. If there is room for only one of two runs, shows the other run instead. */
static void next_pane(struct ui *u, int by)
{
    if (!ui_two(u) || !u->placed.one) {
        select_next_pane(&u->select, &u->canvas, u->placed.pane, u->placed.n, by);
        return;
    }
    u->right_shown = !u->right_shown;
    u->placed.stale = true;
}

KEY(pane, next_pane(u, 1))
KEY(pane_back, next_pane(u, -1))

static void close_dock(struct ui *u)
{
    u->inspect = false;
    u->why = WHY_NOT;
    u->placed.stale = true;
}

static void key_inspect(struct ui *u)
{
    bool inspect = !u->inspect && !u->placed.docked;
    if (inspect && ui_two(u) && !u->select.tag) { /* there is no room for the whole scheduler twice */
        ui_note_text(u, TX_NOTE_CHOOSE_ANY);
        return;
    }
    close_dock(u);
    u->inspect = inspect;
}

/* The selection stays until a second key: y can still explain what was inspected. */
static void key_escape(struct ui *u)
{
    struct session_status now;
    u->ops->status(u->run->session, &now);
    if (now.until) {
        u->ops->motion->pause(u->run->session, true);
        return;
    }
    bool docked = u->placed.docked;
    close_dock(u);
    if (!docked)
        u->select = (struct selection){.pane = -1};
}

/* Does a click there ask what the run is about? The status line has its name, and the row above the keys as much of it as fits. */
static bool asks_about(const struct ui *u, int at, int y)
{
    bool title = u->placed.intro >= 0 && y == u->placed.intro;
    return !ui_two(u) && (title || (at >= 0 && u->placed.pane[at].kind == PANE_status));
}

/* Selects what is clicked. A click on what is already selected shows its fields. */
static void key_click(struct ui *u)
{
    int x, y;
    uint32_t was = u->select.tag;
    bool twice = screen_mouse(u->screen, &x, &y);
    int at = select_pane_at(u->placed.pane, u->placed.n, x, y);
    u->held = at >= 0 && pane_drags(u->placed.pane[at].kind) ? at : HELD_ELSEWHERE;
    if (focus_click(u, x, y))
        return;
    if (asks_about(u, at, y)) {
        ui_open(u, BOX_ABOUT);
        return;
    }
    select_click(&u->select, &u->canvas, u->placed.pane, u->placed.n, x, y);
    u->inspect = u->select.tag && (u->inspect || twice || u->select.tag == was);
    u->why = u->inspect ? WHY_NOT : u->why;
}

static int between(int least, int n, int most)
{
    return n < least ? least : n > most ? most : n;
}

/* The pane in which the button was pressed keeps the mouse, also where the mouse leaves it. */
static void key_drag(struct ui *u)
{
    int x, y;
    screen_mouse(u->screen, &x, &y);
    int at = u->held == HELD_UNKNOWN ? select_pane_at(u->placed.pane, u->placed.n, x, y) : u->held;
    if (at < 0 || at >= u->placed.n || !pane_drags(u->placed.pane[at].kind))
        return;
    struct layout_rect r = u->placed.pane[at].rect;
    focus_click(u, between(r.x + 1, x, r.x + r.w - 2), between(r.y + 1, y, r.y + r.h - 2));
}

/* Sends y to the pane that explains a G, wherever the focus is. A layout without that pane gets it below the others, where y turns it.
 * Without a full screen it is printed. */
static void key_why(struct ui *u)
{
    bool docked = (u->placed.docked || !u->screen) && u->why;
    enum why next = docked && u->why == WHY_CAUSES ? WHY_LIFE : WHY_CAUSES;
    u->says = u->screen ? 0 : PANE_goroutine + 1;
    if (!docked && focus_send(u, PANE_goroutine, 'y'))
        return;
    close_dock(u);
    u->why = next;
}

/* ---- the whole run, the whole screen ---- */

KEY(restart, ui_restart(u, u->run->st.seed))
KEY(next_seed, ui_restart(u, u->run->st.seed + 1))

static void key_layout(struct ui *u)
{
    layouts_next(&u->layouts);
    ui_show_layout(u);
}

KEY(answer, lesson_answer(u, (int)(u->loop.key - '1')))
KEY(notes, lesson_notes(u))
KEY(next_entry, lesson_go(u, 1))
KEY(previous_entry, lesson_go(u, -1))

/* Shows both runs at the first events that differ. */
static void key_parting(struct ui *u)
{
    enum goto_result r = u->ops->pair->goto_parting(u->run->session);
    u->ops->pair->verdict(u->run->session, &u->verdict);
    if (r == GOTO_DONE)
        ui_note(u, tx(u->lang, TX_NOTE_PARTED), (unsigned long long)u->verdict.parting.same + 1);
    else
        ui_note_text(u, r == GOTO_TOO_LATE ? TX_NOTE_PARTING : r == GOTO_NO_MARK ? TX_NOTE_NO_PARTING : TX_GOTO_TOO_EARLY);
}

KEY(counters, u->counters = !u->counters)
KEY(theme, ui_show_theme(u, theme_next(u->theme)))

static void key_record(struct ui *u)
{
    ask(u, ':');
    prompt_begin(&u->command.prompt, ':', "record ");
}

KEY(open, ui_open_door(u))
KEY(quit, ui_leave(u, 0))
KEY(interrupt, ui_leave(u, 130))
KEY(redraw, screen_redraw(u->screen))
KEY(suspend, u->loop.suspend = true)

const struct key keys[] = {
    {' ', 0, "space", TX_KEY_PAUSE, TX_SHORT_PAUSE, LINE_ALWAYS, key_pause, TX_NONE, 0, false},
    {'s', 0, "s", TX_KEY_STEP, TX_SHORT_STEP, LINE_ALWAYS, key_step, TX_NONE, 0, false},
    {'S', 0, "S", TX_KEY_DETAIL, TX_NONE, LINE_NOT, key_detail, TX_NOTE_ONE_RUN, 0, false},
    {'n', 0, "n", TX_KEY_ROUND, TX_SHORT_ROUND, LINE_ALWAYS, key_round, TX_NONE, 0, false},
    {'b', 0, "b", TX_KEY_BACK, TX_SHORT_BACK, LINE_ALWAYS, key_back, TX_NONE, 0, false},
    {'B', 0, "B", TX_KEY_BACK_ROUND, TX_NONE, LINE_NOT, key_back_round, TX_NONE, 0, false},
    {'g', 0, "g", TX_KEY_FIRST, TX_NONE, LINE_NOT, key_first, TX_NONE, 0, false},
    {'G', 0, "G", TX_KEY_LAST, TX_NONE, LINE_NOT, key_last, TX_NONE, 0, false},
    {'N', 0, "N", TX_KEY_ROUND_P, TX_NONE, LINE_NOT, key_round_p, TX_NOTE_ONE_RUN, 0, false},
    {'u', 0, "u", TX_KEY_UNTIL_G, TX_NONE, LINE_NOT, key_until_g, TX_NOTE_ONE_RUN, 0, false},
    {'y', 0, "y", TX_KEY_WHY, TX_NONE, LINE_NOT, key_why, TX_NONE, 0, false},
    {'f', 0, "f", TX_KEY_UNTIL_MATCH, TX_SHORT_MATCH, LINE_IF_ROOM, key_next_match, TX_NOTE_ONE_RUN, 0, false},
    {'c', 0, "c", TX_KEY_CHOOSE, TX_SHORT_CHOOSE, LINE_IF_ROOM, key_choose, TX_NOTE_ONE_RUN, 1u << CAN_DECIDE, false},
    {'-', '_', "-", TX_KEY_SLOWER, TX_SHORT_TEMPO, LINE_JOINED, key_slower, TX_NONE, 0, false},
    {'+', '=', "+", TX_KEY_FASTER, TX_SHORT_TEMPO, LINE_ALWAYS, key_faster, TX_NONE, 0, false},
    {'m', 0, "m", TX_KEY_MODE, TX_SHORT_MODE, LINE_ALWAYS, key_mode, TX_NOTE_ONE_CLOCK, 1u << CAN_CHANGE_MODE, false},
    {':', 0, ":", TX_KEY_COMMAND, TX_SHORT_COMMAND, LINE_IF_ROOM, key_command, TX_NONE, 0, false},
    {'/', 0, "/", TX_KEY_SEARCH, TX_NONE, LINE_NOT, key_search, TX_NOTE_ONE_RUN, 0, false},
    {']', 0, "]", TX_KEY_NEXT_MATCH, TX_NONE, LINE_NOT, key_next_match, TX_NOTE_ONE_RUN, 0, false},
    {'[', 0, "[", TX_KEY_PREVIOUS_MATCH, TX_NONE, LINE_NOT, key_previous_match, TX_NOTE_ONE_RUN, 0, false},
    {KEY_TAB, 0, "tab", TX_KEY_PANE, TX_NONE, LINE_NOT, key_pane, TX_NONE, 0, true},
    {KEY_CODE_BACKTAB, 0, "shift-tab", TX_KEY_PANE_BACK, TX_NONE, LINE_NOT, key_pane_back, TX_NONE, 0, true},
    {KEY_CODE_LEFT, 'h', "left, h", TX_KEY_LEFT, TX_NONE, LINE_NOT, key_left, TX_NONE, 0, true},
    {KEY_CODE_DOWN, 'j', "down, j", TX_KEY_DOWN, TX_NONE, LINE_NOT, key_down, TX_NONE, 0, true},
    {KEY_CODE_UP, 'k', "up, k", TX_KEY_UP, TX_NONE, LINE_NOT, key_up, TX_NONE, 0, true},
    {KEY_CODE_RIGHT, 'l', "right, l", TX_KEY_RIGHT, TX_NONE, LINE_NOT, key_right, TX_NONE, 0, true},
    {KEY_RETURN, '\n', "enter", TX_KEY_INSPECT, TX_SHORT_INSPECT, LINE_IF_ROOM, key_inspect, TX_NONE, 0, false},
    {KEY_ESCAPE, 0, "esc", TX_KEY_ESCAPE, TX_NONE, LINE_NOT, key_escape, TX_NONE, 0, false},
    {KEY_CODE_CLICK, 0, "click", TX_KEY_CLICK, TX_NONE, LINE_NOT, key_click, TX_NONE, 0, true},
    {KEY_CODE_DRAG, 0, "drag", TX_KEY_DRAG, TX_NONE, LINE_NOT, key_drag, TX_NONE, 0, true},
    {'L', 0, "L", TX_KEY_LAYOUT, TX_NONE, LINE_NOT, key_layout, TX_NONE, 0, true},
    {'t', 0, "t", TX_KEY_THEME, TX_NONE, LINE_NOT, key_theme, TX_NONE, 0, true},
    {'r', 0, "r", TX_KEY_RESTART, TX_SHORT_RESTART, LINE_AT_END, key_restart, TX_NONE, 0, false},
    {'R', 0, "R", TX_KEY_NEXT_SEED, TX_NONE, LINE_NOT, key_next_seed, TX_NONE, 1u << CAN_CHANGE_SEED, false},
    {'1', 0, "1 … 9", TX_KEY_ANSWER, TX_NONE, LINE_NOT, key_answer, TX_NONE, 0, false},
    {'.', 0, ".", TX_KEY_NEXT_ENTRY, TX_NONE, LINE_NOT, key_next_entry, TX_NOTE_ONE_RUN, 0, false},
    {',', 0, ",", TX_KEY_PREVIOUS_ENTRY, TX_NONE, LINE_NOT, key_previous_entry, TX_NOTE_ONE_RUN, 0, false},
    {KEY_CODE_PAGE_DOWN, 0, "page down", TX_KEY_CLICK_ON, TX_NONE, LINE_NOT, key_pause, TX_NONE, 0, false},
    {KEY_CODE_PAGE_UP, 0, "page up", TX_KEY_CLICK_BACK, TX_NONE, LINE_NOT, key_previous_entry, TX_NOTE_ONE_RUN, 0, false},
    {'w', 0, "w", TX_KEY_PARTING, TX_SHORT_PARTING, LINE_IF_ROOM, key_parting, TX_NOTE_TWO_RUNS, 0, true},
    {'a', 0, "a", TX_KEY_COUNTERS, TX_SHORT_COUNTERS, LINE_IF_ROOM, key_counters, TX_NOTE_TWO_RUNS, 0, true},
    {'i', 0, "i", TX_KEY_NOTES, TX_NONE, LINE_NOT, key_notes, TX_NOTE_ONE_RUN, 0, false},
    {'e', 0, "e", TX_KEY_RECORD, TX_NONE, LINE_NOT, key_record, TX_NOTE_ONE_RUN, 1u << CAN_RECORD, true},
    {'o', 0, "o", TX_KEY_OPEN, TX_NONE, LINE_NOT, key_open, TX_NONE, 0, true},
    {'?', KEY_CODE_F(1), "?", TX_KEY_HELP, TX_SHORT_HELP, LINE_ALWAYS, key_help, TX_NONE, 0, false},
    {'q', 0, "q", TX_KEY_QUIT, TX_SHORT_QUIT, LINE_ALWAYS, key_quit, TX_NONE, 0, false},
    {KEY_CTRL('l'), 0, "ctrl-L", TX_KEY_REDRAW, TX_NONE, LINE_NOT, key_redraw, TX_NONE, 0, true},
    {KEY_CTRL('z'), 0, "ctrl-Z", TX_KEY_SUSPEND, TX_NONE, LINE_NOT, key_suspend, TX_NONE, 0, true},
    {KEY_CTRL('c'), 0, "ctrl-C", TX_KEY_INTERRUPT, TX_NONE, LINE_NOT, key_interrupt, TX_NONE, 0, false},
};
const int nkeys = sizeof keys / sizeof *keys;

/* All digits share one row. */
const struct key *key_find(uint32_t code)
{
    code = code > '1' && code <= '9' ? '1' : code;
    for (int i = 0; code && i < nkeys; i++)
        if (keys[i].code == code || keys[i].also == code)
            return &keys[i];
    return NULL;
}

bool key_code(const char *name, uint32_t *code)
{
    size_t len = strlen(name), used = 0;
    uint32_t typed = len ? utf8_next(name, len, &used) : 0;
    if (len && used == len && typed >= ' ' && !cp_unsafe(typed)) {
        *code = typed;
        return true;
    }
    for (int i = 0; i < nkeys; i++)
        if (strncmp(keys[i].name, name, len) == 0 && strchr(",", keys[i].name[len])) { /* "left, h" has the name "left" */
            *code = keys[i].code;
            return true;
        }
    return false;
}

/* Returns the key that the user wants this one to be. */
static uint32_t preferred(const struct ui *u, uint32_t code)
{
    const struct config *c = u->cfg->config;
    for (int i = 0; c && i < c->nkeys; i++)
        if (c->key[i].from == code)
            return c->key[i].to;
    return code;
}

bool key_exists(const struct ui *u, const struct key *k)
{
    return !(k->needs & u->run->st.without) && (u->screen || !k->of_screen);
}

/* ---- a key that is pressed ---- */

bool key_press(struct ui *u, uint32_t code)
{
    code = preferred(u, code);
    if (focus_key(u, code))
        return true;
    const struct key *k = key_find(code);
    u->loop.key = code;
    if (!k && key_of_sole_kind(u, code))
        return true;
    if (!k || !key_exists(u, k)) {
        key_note_idle(u, code, k);
        return false;
    }
    if (!ui_for_one(u, k->for_one))
        k->fn(u);
    return true;
}
