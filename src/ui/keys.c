/* The one table of keys, and what each does. */
#include "ui/keys.h"

#include "ui/ui.h"

#include <stddef.h>

static void key_pause(struct ui *u)
{
    bool pause = !u->st.paused;
    u->cfg->ops->pause(u->cfg->session, pause);
}

static void step(struct ui *u, enum step_kind kind)
{
    if (u->st.ended && (!u->other || u->other->st.ended))
        return;
    if (!u->st.paused) {
        key_pause(u);
        return;
    }
    arrows_stop(&u->arrows);
    if (u->other)
        arrows_stop(&u->other->arrows);
    u->cfg->ops->step(u->cfg->session, kind, 1);
}

static void key_step(struct ui *u)
{
    step(u, STEP_EVENT);
}

static void key_round(struct ui *u)
{
    step(u, STEP_ROUND);
}

/* Two runs that are compared have no common past. */
static bool jump(struct ui *u)
{
    u->jump = !u->other;
    return u->jump;
}

static void key_back(struct ui *u)
{
    if (jump(u))
        u->cfg->ops->step_back(u->cfg->session, STEP_EVENT, 1);
}

static void key_back_round(struct ui *u)
{
    if (jump(u))
        u->cfg->ops->step_back(u->cfg->session, STEP_ROUND, 1);
}

static void key_first(struct ui *u)
{
    if (jump(u))
        u->cfg->ops->goto_event(u->cfg->session, u->st.oldest + 1);
}

static void key_last(struct ui *u)
{
    if (jump(u))
        u->cfg->ops->goto_event(u->cfg->session, SESSION_NEWEST);
}

static void key_slower(struct ui *u)
{
    u->cfg->ops->tempo(u->cfg->session, -1);
}

static void key_faster(struct ui *u)
{
    u->cfg->ops->tempo(u->cfg->session, 1);
}

static void key_mode(struct ui *u)
{
    u->cfg->ops->toggle_mode(u->cfg->session);
}

static void key_help(struct ui *u)
{
    u->help = true;
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
    {' ', 0, "space", TX_KEY_PAUSE, TX_SHORT_PAUSE, 1, key_pause},
    {'s', 0, "s", TX_KEY_STEP, TX_SHORT_STEP, 1, key_step},
    {'n', 0, "n", TX_KEY_ROUND, TX_SHORT_ROUND, 1, key_round},
    {'b', 0, "b", TX_KEY_BACK, TX_SHORT_BACK, 1, key_back},
    {'B', 0, "B", TX_KEY_BACK_ROUND, TX_NONE, 0, key_back_round},
    {'g', 0, "g", TX_KEY_FIRST, TX_NONE, 0, key_first},
    {'G', 0, "G", TX_KEY_LAST, TX_NONE, 0, key_last},
    {'-', '_', "-", TX_KEY_SLOWER, TX_SHORT_TEMPO, 2, key_slower},
    {'+', '=', "+", TX_KEY_FASTER, TX_SHORT_TEMPO, 1, key_faster},
    {'m', 0, "m", TX_KEY_MODE, TX_SHORT_MODE, 1, key_mode},
    {'?', 0, "?", TX_KEY_HELP, TX_SHORT_HELP, 1, key_help},
    {'q', 0, "q", TX_KEY_QUIT, TX_SHORT_QUIT, 1, key_quit},
    {KEY_CTRL('l'), 0, "ctrl-L", TX_KEY_REDRAW, TX_NONE, 0, key_redraw},
    {KEY_CTRL('z'), 0, "ctrl-Z", TX_KEY_SUSPEND, TX_NONE, 0, key_suspend},
    {KEY_CTRL('c'), 0, "ctrl-C", TX_KEY_INTERRUPT, TX_NONE, 0, key_interrupt},
};
const int nkeys = sizeof keys / sizeof *keys;

const struct key *key_find(uint32_t code)
{
    for (int i = 0; code && i < nkeys; i++)
        if (keys[i].code == code || keys[i].also == code)
            return &keys[i];
    return NULL;
}
