/* See lesson_answers.h. */
#include "ui/input/lesson_answers.h"
#include "base/wall.h"
#include "ui/input/requests.h"

#include <string.h>

enum { THINK_MS = 4000, LOOK_MS = 1500 }; /* to find an answer; to look at the picture */

static bool is_new_run(const struct ui *u)
{
    return u->taken.run != u->run->st.run;
}

static bool asks(const struct session_lesson *l)
{
    return l->on && l->met && l->nchoices && l->entry < LESSON_ENTRIES;
}

int lesson_answered(const struct ui *u)
{
    return asks(&u->lesson) && !is_new_run(u) ? u->taken.given[u->lesson.entry].choice - 1 : -1;
}

static void give_answer(struct ui *u, int choice)
{
    const struct session_lesson *l = &u->lesson;
    if (is_new_run(u))
        u->taken = (struct lesson_taken){.run = u->run->st.run};
    u->taken.given[l->entry].choice = choice + 1;
    u->taken.given[l->entry].late = lesson_run_answers(l, &u->run->st, true);
    u->loop.stale = true;
}

void lesson_answer(struct ui *u, int choice)
{
    const struct session_lesson *l = &u->lesson;
    if (!asks(l))
        ui_note_text(u, l->on ? TX_NOTE_NO_QUESTION : TX_LESSON_OFF);
    else if (choice < 0 || (uint32_t)choice >= l->nchoices)
        ui_note(u, tx(u->lang, TX_NOTE_NO_SUCH_ANSWER), l->nchoices);
    else if (lesson_answered(u) >= 0)
        ui_note_text(u, TX_NOTE_ANSWERED);
    else
        give_answer(u, choice);
}

static void open_card(struct ui *u)
{
    struct lesson_after *a = u->cfg->after;
    if (a && a->find_next)
        a->find_next(a);
    ui_open(u, BOX_CARD);
}

void lesson_go(struct ui *u, int by)
{
    if (!u->lesson.on) {
        ui_note_text(u, TX_LESSON_OFF);
        return;
    }
    ui_move_on(u);
    enum goto_result r = u->ops->lesson->go(u->run->session, by);
    if (r == GOTO_TOO_LATE && !lesson_card(u))
        open_card(u);
    else if (r == GOTO_TOO_EARLY)
        ui_note_text(u, TX_NOTE_FIRST_ENTRY);
    else if (r != GOTO_TOO_LATE)
        ui_went(u, r);
    u->loop.stale = true;
}

void lesson_notes(struct ui *u)
{
    u->notes = !u->notes;
    if (!u->lesson.on)
        ui_note_text(u, TX_LESSON_OFF);
    else if (u->notes && !*text_in(&u->lesson.notes, u->lang))
        ui_note_text(u, u->lesson.met ? TX_NOTE_NO_NOTES : TX_NOTE_NO_TEXT_YET);
}

/* ---- after each fetch ---- */

static struct lesson_score count(const struct ui *u)
{
    struct lesson_score score = {0};
    struct session_lesson l;
    for (uint32_t i = 0; i < u->lesson.n && i < LESSON_ENTRIES; i++) {
        if (!u->ops->lesson->entry(u->run->session, i, &l) || !l.nchoices)
            continue;
        score.uncounted += l.chance;
        if (l.chance)
            continue;
        bool given = u->taken.given[i].choice && !u->taken.given[i].late;
        score.asked++;
        score.answered += given;
        score.right += given && u->taken.given[i].choice - 1 == l.answer;
    }
    return score;
}

/* Does this event decide an answer? */
static bool decides(const struct ui *u, uint64_t number)
{
    struct session_lesson l;
    for (uint32_t i = 0; i < u->lesson.met && i < LESSON_ENTRIES; i++)
        if (u->ops->lesson->entry(u->run->session, i, &l) && l.nchoices && l.place && l.decided == number)
            return true;
    return false;
}

/* Selects the subject of the event that decided an answer, so that the eye finds it. */
static void point(struct ui *u)
{
    const struct run *r = u->run;
    const struct session_event *e = r->nev ? &r->ev[r->nev - 1] : NULL;
    if (!e || e->number != r->st.events || u->taken.pointed == e->number || !decides(u, e->number))
        return;
    u->taken.pointed = e->number;
    uint32_t tag = e->ev.g ? tag_of('G', e->ev.g) : e->ev.p != EV_NO_P ? tag_of('P', e->ev.p) : 0;
    if (tag)
        u->select = (struct selection){.tag = tag, .pane = -1};
}

/* What the lesson shows. An entry whose answer comes late is shown twice, the second time with its answer. */
static struct lesson_text shown_text(const struct ui *u)
{
    const struct session_lesson *l = &u->lesson;
    bool answered = l->nchoices && (lesson_answered(u) >= 0 || lesson_run_answers(l, &u->run->st, false));
    return (struct lesson_text){l->met, answered ? l->entry + 1 : 0};
}

/* Was nothing added to what a person has read? */
static bool is_read(const struct lesson_taken *p, struct lesson_text now)
{
    return now.met == p->read.met && (!now.answered || now.answered == p->read.answered);
}

bool lesson_has_card(const struct ui *u)
{
    const struct session_status *st = &u->run->st;
    bool over = st->ended && !st->failed && !st->back && u->box.kind != BOX_CARD;
    return u->lesson.on && !is_new_run(u) && over && u->taken.begun && u->lesson.met;
}

static bool card_waits(const struct ui *u)
{
    return lesson_has_card(u) && !u->taken.carded;
}

/* A lesson with --auto has no score: no person has answered. */
static void keep_score(struct ui *u)
{
    struct lesson_after *a = u->cfg->after;
    const struct lesson_score *s = &u->taken.score;
    if (!a || u->cfg->autoplay || (a->played && s->right * (a->asked ? a->asked : 1) < a->right * (s->asked ? s->asked : 1)))
        return;
    a->played = true;
    a->right = s->right;
    a->asked = s->asked;
}

/* A run without a lesson has a card, too, if it ended well: otherwise the end itself is to be looked at. Only a run that ran into its end opens the
 * card by itself; a person who steps there looks at the steps. */
static bool is_end_of_run(const struct ui *u)
{
    const struct session_status *st = &u->run->st;
    return !u->lesson.on && !ui_two(u) && !u->cfg->tour && u->screen && st->ended && st->how == ENDED_MAIN_RETURNED && !st->back;
}

bool lesson_card(struct ui *u)
{
    if (!lesson_has_card(u) && !is_end_of_run(u))
        return false;
    u->taken.carded = true;
    if (u->lesson.on)
        keep_score(u);
    open_card(u);
    return true;
}

/* A text that came with the end of the run is read before the card covers it. */
void lesson_fetch(struct ui *u)
{
    struct lesson_taken *p = &u->taken;
    const struct session_status *st = &u->run->st;
    if (is_new_run(u))
        *p = (struct lesson_taken){.run = st->run, .playing = true};
    if (!u->lesson.on) {
        if (p->playing && !p->carded && u->box.kind == BOX_NONE && !u->command.until[0])
            lesson_card(u);
        p->playing = !st->paused && !st->ended;
        return;
    }
    if (asks(&u->lesson) && !strcmp(u->note.text, tx(u->lang, TX_NOTE_NO_QUESTION)))
        ui_note_clear(u); /* typed a moment too early: now it does ask */
    p->begun |= !st->ended;
    p->score = count(u);
    if (st->still && !st->ended && !st->back)
        p->read = shown_text(u);
    if (st->still || st->back || st->ended)
        point(u);
    if (!p->carded && is_read(p, shown_text(u)))
        lesson_card(u);
}

/* ---- reading by itself ---- */

int lesson_reading_ms(const char *text, unsigned wpm)
{
    size_t len = strlen(text), n;
    unsigned halves = 0; /* of words */
    bool in_word = false;
    for (; len; text += n, len -= n) {
        uint32_t cp = utf8_next(text, len, &n);
        bool wide = cp_width(cp) == 2, blank = cp == ' ' || cp == '\n';
        halves += wide ? 1 : !blank && !in_word ? 2 : 0;
        in_word = !wide && !blank;
    }
    return (int)((uint64_t)halves * 30000 / (wpm ? wpm : 1));
}

/* Returns how long the current text is shown, ms, before the answer appears or the run continues. */
static int shown_ms(const struct ui *u)
{
    const struct session_lesson *l = &u->lesson;
    unsigned wpm = u->cfg->wpm;
    enum lang lang = u->lang;
    int look = (int)(LOOK_MS * 160u / wpm);
    if (u->taken.revealed)
        return look + lesson_reading_ms(text_in(&l->because, lang), wpm);
    int ms = look + lesson_reading_ms(text_in(&l->say, lang), wpm) + lesson_reading_ms(text_in(&l->question, lang), wpm);
    for (uint32_t i = 0; i < l->nchoices; i++)
        ms += lesson_reading_ms(text_in(&l->choice[i], lang), wpm);
    return l->nchoices ? ms + (int)(THINK_MS * 160u / wpm) : ms;
}

static bool reads(const struct ui *u)
{
    const struct session_status *st = &u->run->st;
    bool stopped = st->still && !st->back && !st->ended && st->stop.kind == STOP_LESSON;
    return u->cfg->autoplay && u->lesson.on && u->lesson.met && (stopped || card_waits(u)) && u->box.kind == BOX_NONE;
}

int lesson_due(const struct ui *u)
{
    if (!u->taken.since)
        return -1;
    int64_t left = u->taken.since + shown_ms(u) - wall_ms();
    return left > 0 ? (int)left : 0;
}

void lesson_turn(struct ui *u)
{
    struct lesson_taken *p = &u->taken;
    if (!reads(u)) {
        p->since = 0;
        return;
    }
    if (!p->since || p->shown_at != u->run->st.events) {
        bool same = p->shown_entry == u->lesson.entry + 1;
        p->revealed = (same && p->revealed) || (u->lesson.nchoices && lesson_run_answers(&u->lesson, &u->run->st, false));
        p->shown_entry = u->lesson.entry + 1;
        p->shown_at = u->run->st.events;
        p->since = wall_ms();
        return;
    }
    if (lesson_due(u) > 0)
        return;
    p->since = 0;
    if (u->lesson.nchoices && !p->revealed && lesson_answered(u) < 0) {
        p->revealed = true;
        p->since = wall_ms();
        u->loop.dirty = true;
        return;
    }
    u->loop.stale = true;
    if (lesson_card(u))
        return;
    ui_move_on(u);
    u->ops->motion->pause(u->run->session, false);
}
