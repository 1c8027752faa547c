/* What keys and commands share, and what they request of boxes and loop. */
#include "ui/input/requests.h"

#include "ui/input/search.h"

#include "model/query/pattern.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ui_note(struct ui *u, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(u->note.text, sizeof u->note.text, fmt, ap);
    va_end(ap);
}

void ui_note_text(struct ui *u, enum text_id text)
{
    ui_note(u, "%s", tx(u->lang, text));
}

void ui_note_pace(struct ui *u)
{
    char text[64];
    struct view v = {.lang = u->lang};
    u->ops->status(u->run->session, &v.st);
    if (v.st.paused)
        ui_note(u, "%s", pace_text(&v, text, sizeof text));
}

void ui_note_clear(struct ui *u)
{
    u->note.text[0] = '\0';
    u->loop.dirty = true;
}

bool search_ended(struct ui *u)
{
    if (u->searching.ended)
        ui_note(u, tx(u->lang, TX_SEARCH_ENDED), (unsigned long long)u->searching.at);
    return u->searching.ended;
}

void ui_drop_report(struct ui *u)
{
    struct report_box *b = &u->box.report;
    report_free(b->report);
    model_free(b->md);
    vec_free(&b->rows.row);
    *b = (struct report_box){.report = NULL};
}

void ui_open(struct ui *u, enum box_kind kind)
{
    bool chose = u->box.kind == BOX_CHOOSE, chooses = kind == BOX_CHOOSE;
    if (u->box.kind == BOX_REPORT)
        ui_drop_report(u);
    u->box.kind = kind;
    u->box.top = u->box.at = 0;
    u->box.finding = false;
    u->box.find[0] = '\0';
    if (chooses)
        u->box.choose = (struct chooser){.shown.state = CHOICE_MAKING};
    if (chose != chooses && u->ops->decisions)
        u->ops->decisions->prepare(u->run->session, chooses);
}

void ui_leave(struct ui *u, int code)
{
    u->loop.leave = true;
    u->loop.code = code;
}

void ui_open_door(struct ui *u)
{
    if (u->cfg->door)
        u->loop.open = true;
    else
        ui_note_text(u, TX_NO_DOOR);
}

/* ---- two runs ---- */

bool ui_works(const struct ui *u, enum text_id for_one)
{
    return for_one == TX_NOTE_TWO_RUNS ? ui_two(u) : !ui_two(u) || for_one == TX_NONE;
}

bool ui_for_one(struct ui *u, enum text_id why)
{
    bool refused = !ui_works(u, why);
    if (refused)
        ui_note_text(u, why);
    return refused;
}

/* Reads the status again, because the last fetch may be older than the key before this one. */
bool ui_over(struct ui *u)
{
    struct session_status now;
    for (int i = 0; i < u->nruns; i++) {
        u->ops->status(u->run[i].session, &now);
        if (!now.ended)
            return false;
    }
    ui_note_text(u, TX_NOTE_OVER);
    return true;
}

/* ---- jumps ---- */

void ui_move_on(struct ui *u)
{
    for (int i = 0; i < u->nruns; i++)
        diff_base_leave(&u->run[i].stops);
}

/* Returns true if all runs have ended. *newest: the last event of the longer one. */
static bool all_over(const struct ui *u, uint64_t *newest)
{
    struct session_status now = {0};
    bool over = true;
    *newest = 0;
    for (int i = 0; i < u->nruns; i++) {
        u->ops->status(u->run[i].session, &now);
        over = over && now.over;
        *newest = now.newest > *newest ? now.newest : *newest;
    }
    return over;
}

static void note_too_late(struct ui *u)
{
    uint64_t newest;
    if (all_over(u, &newest))
        ui_note(u, tx(u->lang, TX_GOTO_ENDED), (unsigned long long)newest);
    else
        ui_note_text(u, ui_two(u) ? TX_GOTO_TOO_LATE_TWO : TX_GOTO_TOO_LATE);
}

bool ui_went(struct ui *u, enum goto_result r)
{
    static const enum text_id why[] = {[GOTO_TOO_EARLY] = TX_GOTO_TOO_EARLY, [GOTO_NO_MARK] = TX_GOTO_NO_MARK, [GOTO_LOST] = TX_GOTO_LOST};
    if (r == GOTO_TOO_LATE)
        note_too_late(u);
    else if (r != GOTO_DONE)
        ui_note_text(u, why[r]);
    return r == GOTO_DONE;
}

/* ---- steps ---- */

void ui_step(struct ui *u, enum step_kind kind, uint32_t n)
{
    if (ui_over(u))
        return;
    ui_move_on(u);
    if (!u->run->st.paused)
        u->ops->motion->pause(u->run->session, true);
    u->ops->motion->step(u->run->session, kind, n);
}

/* Where a run advances to. never: the note if the run ends before that. */
struct goal {
    const char *pattern; /* NULL: none */
    uint64_t event;      /* 0: none */
    bool text;           /* the text that was searched for, after event `after` */
    uint64_t after;
    uint32_t p; /* otherwise: the end of a round on this P */
    const char *never;
};

static bool set_out(struct ui *u, const struct goal *to, struct session_mistake *wrong)
{
    struct session *s = u->run->session;
    if (to->pattern)
        return u->ops->run_to->match(s, to->pattern, wrong);
    if (to->event)
        u->ops->run_to->event(s, to->event);
    else if (to->text)
        return u->ops->run_to->text(s, u->command.text, u->lang, to->after);
    else
        u->ops->run_to->round(s, to->p);
    return true;
}

static bool advance(struct ui *u, const struct goal *to, struct session_mistake *wrong)
{
    struct session *s = u->run->session;
    struct session_status was, now;
    u->searching = (struct searching){0};
    if (to->pattern && !u->ops->search->check(s, to->pattern, wrong))
        return false;
    if (ui_over(u))
        return true;
    u->ops->status(s, &was);
    ui_move_on(u);
    if (!set_out(u, to, wrong))
        return false;
    if (search_ended(u))
        return true;
    u->ops->status(s, &now);
    if (was.over && now.events == was.events && now.time == was.time)
        ui_note(u, "%s", to->never);
    else if (!now.back)
        snprintf(u->command.until, sizeof u->command.until, "%s", to->never);
    return true;
}

void ui_round_on(struct ui *u, uint32_t p)
{
    advance(u, &(struct goal){.p = p, .never = tx(u->lang, TX_NOTE_NO_MATCH_AFTER)}, NULL);
}

bool ui_advance(struct ui *u, const char *pattern, struct session_mistake *wrong)
{
    struct session_mistake unused = {.lang = u->lang};
    return advance(u, &(struct goal){.pattern = pattern, .never = tx(u->lang, TX_NOTE_NO_MATCH_AFTER)}, wrong ? wrong : &unused);
}

void ui_until_event(struct ui *u, uint64_t n)
{
    struct session_status now;
    char never[UNTIL_BYTES];
    u->ops->status(u->run->session, &now);
    snprintf(never, sizeof never, tx(u->lang, TX_NOTE_NO_SUCH_EVENT), (unsigned long long)n);
    if (n && n > now.newest) {
        advance(u, &(struct goal){.event = n, .never = never}, NULL);
        return;
    }
    ui_move_on(u);
    ui_went(u, u->ops->rewind->goto_event(u->run->session, n));
}

void ui_run_to_text(struct ui *u, uint64_t after)
{
    char never[UNTIL_BYTES], quoted[PROMPT_BYTES + 2];
    snprintf(quoted, sizeof quoted, "\"%s\"", u->command.text);
    snprintf(never, sizeof never, tx(u->lang, TX_NOTE_TEXT_NONE), quoted);
    advance(u, &(struct goal){.text = true, .after = after, .never = never}, NULL);
}

bool ui_until_g(struct ui *u, uint32_t g, struct session_mistake *wrong)
{
    struct session_mistake unused = {.lang = u->lang};
    char pattern[64], name[EV_G_NAME], never[UNTIL_BYTES];
    const struct model *md = u->run->stops.shown.md;
    const struct model_g *shown = md ? model_g(md, g) : NULL;
    bool dead = shown && shown->status == G_DEAD;
    ev_g_name(g, name);
    snprintf(pattern, sizeof pattern, "g_start g=%s", name + 1);
    snprintf(never, sizeof never, tx(u->lang, dead ? TX_NOTE_G_FINISHED : shown ? TX_NOTE_G_NO_MORE : TX_NOTE_G_NEVER), name);
    if (!shown && !u->run->st.over)
        ui_note(u, tx(u->lang, TX_NOTE_G_NOT_YET), name);
    if (!dead)
        return advance(u, &(struct goal){.pattern = pattern, .never = never}, wrong ? wrong : &unused);
    ui_note(u, "%s", never);
    return true;
}

/* ---- the whole run, the whole screen ---- */

void ui_toggle_mode(struct ui *u)
{
    struct session_status now;
    const struct text *refusal = u->ops->refusal(u->run->session, CAN_CHANGE_MODE);
    u->ops->status(u->run->session, &now);
    if (now.over) { /* also while its past is shown */
        ui_note_text(u, TX_NOTE_OVER);
        return;
    }
    u->ops->motion->toggle_mode(u->run->session);
    u->ops->status(u->run->session, &now);
    if (refusal)
        ui_note(u, "%s", text_in(refusal, u->lang));
    else if (u->run->st.lockstep && now.speed.den > 1)
        ui_note(u, tx(u->lang, TX_NOTE_SLOW_MOTION), now.speed.num, now.speed.den);
}

void ui_restart(struct ui *u, uint64_t seed)
{
    u->command.until[0] = '\0';
    u->ops->motion->restart(u->run->session, seed);
    ui_note(u, tx(u->lang, TX_NOTE_RESTART), (unsigned long long)seed);
}

/* A layout may ask for a theme. The theme that a person chose comes back with a layout that asks for none. An option or the file of
 * preferences outranks every layout. */
static void take_theme_of_layout(struct ui *u)
{
    if (u->cfg->theme)
        return;
    const struct theme *asked = theme_find(layout_theme(u->layouts.requested)), *own = theme_find("default");
    if (asked != own && !u->own_theme)
        u->own_theme = u->theme;
    const struct theme *t = asked != own ? asked : u->own_theme ? u->own_theme : u->theme;
    if (asked == own)
        u->own_theme = NULL;
    u->theme = t;
    if (u->screen)
        screen_theme(u->screen, t);
}

void ui_show_layout(struct ui *u)
{
    take_theme_of_layout(u);
    const struct layout *l = u->layouts.requested;
    ui_note(u, "%s%s%s", layout_name(l), tx(u->lang, TX_COLON), text_in(layout_title(l), u->lang));
    u->select.pane = -1;
    u->fallback.l = NULL; /* if it does not fit, that is announced again */
    u->placed.stale = true;
}

void ui_show_theme(struct ui *u, const struct theme *t)
{
    u->theme = t;
    u->own_theme = NULL;
    if (u->screen)
        screen_theme(u->screen, t);
    ui_note(u, "%s", t->name);
}
