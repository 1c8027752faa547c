/* Searching. A search for a text goes from the state shown to the end of what is recorded, then continues from the other end. If no recorded
 * sentence has the text, space runs on to it. A pattern matches events that may still come, so at the newest event ] and f run on to the next match;
 * only in a run that is over does the search continue from the other end. */
#include "ui/input/search.h"

#include "base/diag.h"
#include "model/query/pattern.h"
#include "ui/input/commands.h"
#include "ui/input/requests.h"

#include <stdio.h>
#include <string.h>

/* Reads the status again, because the last fetch may be older than the key before this one. */
static struct session_status now(const struct ui *u)
{
    struct session_status now;
    u->ops->status(u->run->session, &now);
    return now;
}

static const char *sought(const struct ui *u, char *buf, size_t size)
{
    snprintf(buf, size, u->command.text[0] ? "\"%s\"" : "%s", u->command.text[0] ? u->command.text : u->command.pattern);
    return buf;
}

static uint64_t find(struct ui *u, uint64_t from, int step)
{
    struct session *s = u->run->session;
    const struct command_line *c = &u->command;
    u->searching = (struct searching){0};
    if (!from)
        return 0;
    return c->text[0] ? u->ops->search->find_text(s, c->text, u->lang, from, step) : u->ops->search->find(s, c->pattern, from, step);
}

/* ---- the match that is shown ---- */

static struct session_count count(const struct ui *u, uint64_t at)
{
    const struct command_line *c = &u->command;
    struct session *s = u->run->session;
    return c->text[0] ? u->ops->search->count_text(s, c->text, u->lang, at) : u->ops->search->count(s, c->pattern, at);
}

static void note_hit(struct ui *u, uint64_t at, bool wrapped)
{
    static const enum text_id counted[] = {TX_NOTE_HIT, TX_NOTE_HIT_WRAPPED}, bare[] = {TX_NOTE_HIT_AT, TX_NOTE_HIT_AT_WRAPPED};
    char what[PROMPT_BYTES + 2];
    u->command.hit = (struct hit){at, now(u).run, count(u, at)};
    const struct session_count n = u->command.hit.count;
    sought(u, what, sizeof what);
    if (n.nth) {
        ui_note(u, tx(u->lang, counted[wrapped]), what, (unsigned long long)n.nth, (unsigned long long)n.of, (unsigned long long)at);
        return;
    }
    const struct session_status st = now(u);
    char note[sizeof what + 96], why[96] = "";
    if (st.newest - st.oldest > SESSION_COUNTED)
        snprintf(why, sizeof why, tx(u->lang, TX_NOTE_HIT_UNCOUNTED), SESSION_COUNTED);
    snprintf(note, sizeof note, tx(u->lang, bare[wrapped]), what, (unsigned long long)at);
    ui_note(u, "%s%s", note, why);
}

struct session_count search_shown(const struct ui *u)
{
    const struct hit *h = &u->command.hit;
    bool shown = h->at && h->at == u->run->st.events && h->run == u->run->st.run && u->run->st.paused;
    return shown ? h->count : (struct session_count){0};
}

/* ---- going there ---- */

/* Goes to the nearest recorded match, and with `round` beyond the end, too. Returns false if there is none, or if a key has ended the
 * search. */
static bool go_to_match(struct ui *u, int step, bool round)
{
    struct session_status st = now(u);
    uint64_t from = step > 0 ? st.events + 1 : st.events ? st.events - 1 : 0;
    uint64_t found = find(u, from, step);
    bool wrapped = !found && !u->searching.ended && round;
    if (wrapped)
        found = find(u, step > 0 ? st.oldest + 1 : st.newest, step);
    if (!found)
        return false;
    ui_move_on(u);
    if (ui_went(u, u->ops->rewind->goto_event(u->run->session, found)))
        note_hit(u, found, wrapped);
    return true;
}

static void note_no_text(struct ui *u, const struct session_status *st)
{
    char what[PROMPT_BYTES + 2];
    unsigned long long n = st->newest - st->oldest;
    sought(u, what, sizeof what);
    u->command.runs_on = !st->over && st->paused;
    if (st->over)
        ui_note(u, tx(u->lang, TX_NOTE_TEXT_NONE), what);
    else
        ui_note(u, tx(u->lang, st->paused ? TX_NOTE_TEXT_NOT_YET : TX_NOTE_TEXT_RUNS), what, n);
    if (!st->over && !st->paused)
        ui_run_to_text(u, st->newest);
}

static void note_no_pattern(struct ui *u, const struct session_status *st)
{
    uint64_t last = find(u, st->events, -1);
    enum text_id none = st->over ? TX_NOTE_PATTERN_NONE : TX_NOTE_FOUND_NONE;
    if (last)
        ui_note(u, tx(u->lang, TX_NOTE_FOUND), u->command.pattern, (unsigned long long)last);
    else if (!search_ended(u))
        ui_note(u, tx(u->lang, none), u->command.pattern);
}

static void begin(struct ui *u)
{
    bool text = u->command.text[0];
    struct session_status st = now(u);
    u->command.runs_on = false;
    if (!go_to_match(u, 1, text || st.over) && !search_ended(u))
        (text ? note_no_text : note_no_pattern)(u, &st);
}

/* Breakpoints stop it on the way, in the past as well. */
static void pattern_forward(struct ui *u)
{
    uint64_t next = find(u, now(u).events + 1, 1);
    if (search_ended(u))
        return;
    if (!next && now(u).over && go_to_match(u, 1, true))
        return;
    ui_advance(u, u->command.pattern, NULL);
    if (next && now(u).events == next)
        note_hit(u, next, false);
}

static void text_on(struct ui *u, int step)
{
    struct session_status st = now(u);
    if (go_to_match(u, step, true) || search_ended(u))
        return;
    note_no_text(u, &st);
    if (step > 0)
        search_runs_on(u);
}

void search_on(struct ui *u, int step)
{
    if (!u->command.pattern[0] && !u->command.text[0])
        ui_note_text(u, TX_NOTE_NO_PATTERN);
    else if (u->command.text[0])
        text_on(u, step);
    else if (step > 0)
        pattern_forward(u);
    else if (!go_to_match(u, step, now(u).over) && !search_ended(u))
        ui_note_text(u, TX_NOTE_NO_MATCH);
}

bool search_runs_on(struct ui *u)
{
    bool on = u->command.runs_on && u->command.text[0];
    u->command.runs_on = false;
    if (on)
        ui_run_to_text(u, now(u).newest);
    return on;
}

/* ---- what is typed ---- */

/* The words with which a pattern may begin. */
struct first_words {
    const char *v[512];
    size_t n;
};

static void add_word(void *ctx, const char *word)
{
    struct first_words *w = ctx;
    if (w->n < sizeof w->v / sizeof *w->v)
        w->v[w->n++] = word;
}

/* In quotes, or its first word is no word of a pattern and near to none. A word that is near to one may be a mistake in a pattern; it is a
 * text if a sentence has it. */
static bool is_text(struct ui *u, const char *arg, const struct session_mistake *wrong)
{
    char word[64];
    struct first_words w = {.n = 0};
    snprintf(word, sizeof word, "%.*s", (int)strcspn(arg, " "), arg);
    if (arg[0] == '"')
        return arg[1] && strcmp(arg, "\"\"") != 0;
    pattern_complete("", 0, add_word, &w);
    if (wrong->pos != 0)
        return false;
    return !diag_nearest(word, w.v, w.n) || u->ops->search->find_text(u->run->session, arg, u->lang, now(u).oldest + 1, 1);
}

static bool for_text(struct ui *u, const char *arg)
{
    struct command_line *c = &u->command;
    bool quoted = arg[0] == '"';
    size_t len = strlen(arg + quoted);
    len -= quoted && len && arg[len] == '"';
    snprintf(c->text, sizeof c->text, "%.*s", (int)len, arg + quoted);
    c->pattern[0] = '\0';
    begin(u);
    return true;
}

/* Also says how to search for text: a word that is near to one of a pattern is taken for a mistake in it. */
static bool fail_find(struct ui *u, const char *arg, const struct session_mistake *wrong)
{
    char what[sizeof u->command.prompt.wrong];
    snprintf(what, sizeof what, tx(u->lang, TX_WRONG_FIND), wrong->text, arg);
    return command_fail(u, (int)wrong->pos, arg[0] == '"' ? wrong->text : what);
}

bool search_for(struct ui *u, const char *arg)
{
    struct session_mistake wrong = {.lang = u->lang};
    bool pattern = u->ops->search->check(u->run->session, arg, &wrong);
    if (!pattern && is_text(u, arg, &wrong))
        return for_text(u, arg);
    if (!pattern)
        return fail_find(u, arg, &wrong);
    if (wrong.unrecorded)
        return command_fail(u, 0, tx(u->lang, TX_NOT_RECORDED));
    snprintf(u->command.pattern, sizeof u->command.pattern, "%s", arg);
    u->command.text[0] = '\0';
    begin(u);
    return true;
}
