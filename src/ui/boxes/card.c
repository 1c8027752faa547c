/* The closing card of a lesson: the score, what was asked and answered, and what to try next, with the keys that do it. */
#include "model/waits.h"
#include "ui/boxes/boxes.h"

#include "ui/input/keys.h"
#include "ui/input/lesson_answers.h"
#include "ui/input/requests.h"
#include "ui/panes/parts/scroll.h"
#include "ui/panes/parts/wrap.h"

#include <stdio.h>

enum { CARD_W = 90, TEXT = 700, SIDE = 2, RACES_SHOWN = 4 };

/* Lines are drawn from the first, or only counted (c NULL). */
struct card {
    const struct ui *u;
    struct canvas *c;
    struct rect in;
    int line, top;
};

/* Draws a wrapped text, indented by `by` columns. */
static void put(struct card *k, int by, enum role role, const char *text)
{
    struct rect r = {k->in.x + by, k->in.y + k->line - k->top, k->in.w - by, 0};
    int rows = wrap_lines(text, r.w), over = r.y < k->in.y ? k->in.y - r.y : 0;
    k->line += rows;
    r.y += over;
    r.h = k->in.y + k->in.h - r.y;
    if (k->c && over < rows && r.h > 0)
        wrap_draw_from(k->c, r, over, role, text);
}

/* A click on the row presses the key. */
static void put_key(struct card *k, uint32_t code, const char *key, const char *text)
{
    int y = k->in.y + k->line - k->top;
    if (k->c && y >= k->in.y && y < k->in.y + k->in.h) {
        box_row(k->c, k->in, y, code);
        canvas_text(k->c, k->in, k->in.x + 1, y, ROLE_key, key);
    }
    put(k, 8, ROLE_sentence, text);
    if (k->c)
        k->c->tag = 0;
}

static void put_answers(struct card *k, uint32_t i, const struct session_lesson *l)
{
    char text[TEXT];
    enum lang lang = k->u->lang;
    int given = k->u->taken.given[i].choice - 1;
    bool late = given >= 0 && k->u->taken.given[i].late, right = given >= 0 && given == l->answer && !late;
    bool dim = given < 0 || late || l->chance;
    const char *said = given < 0 ? tx(lang, TX_CARD_NOT_ANSWERED) : text_in(&l->choice[given], lang);
    snprintf(text, sizeof text, "%s %s", right ? "✓" : dim ? "·" : "✗", text_in(&l->question, lang));
    put(k, 0, ROLE_sentence_now, text);
    if (late)
        snprintf(text, sizeof text, tx(lang, TX_CARD_LATE), said);
    else if (given >= 0)
        snprintf(text, sizeof text, tx(lang, TX_CARD_YOURS), said);
    put(k, 2, right ? ROLE_running : dim ? ROLE_dim : ROLE_error, given < 0 ? said : text);
    if (l->chance && k->u->taken.score.asked)
        put(k, 2, ROLE_dim, tx(lang, TX_LESSON_CHANCE));
    if (right || (l->answer < 0 && !*l->came))
        return;
    if (l->answer < 0)
        snprintf(text, sizeof text, tx(lang, TX_LESSON_NO_CHOICE), l->came);
    else
        snprintf(text, sizeof text, tx(lang, TX_CARD_RIGHT_ONE), text_in(&l->choice[l->answer], lang));
    put(k, 2, ROLE_running, text);
}

static void put_questions(struct card *k)
{
    struct session_lesson l;
    for (uint32_t i = 0; i < k->u->lesson.n && i < LESSON_ENTRIES; i++)
        if (k->u->ops->lesson->entry(k->u->run->session, i, &l) && l.nchoices)
            put_answers(k, i, &l);
}

/* Writes the command of the comparison that c opens. Returns false if there is none. */
static bool compare_command(const struct ui *u, char *buf, size_t size)
{
    const struct lesson_after *a = u->cfg->after;
    if (!a || (!a->compares && !a->without[0]))
        return false;
    int n = snprintf(buf, size, "gmpscope compare %s", u->run->st.name);
    if (!a->compares)
        snprintf(buf + n, size - (size_t)n, " --right disable=%s", a->without);
    return true;
}

static bool has_lesson(const struct ui *u)
{
    struct session_lesson first;
    return u->ops->lesson->entry(u->run->session, 0, &first);
}

/* What happened in the run, by its counters: those of things that did happen. */
static void put_counters(struct card *k)
{
    char text[TEXT];
    size_t at = 0;
    const struct model *md = k->u->run->stops.shown.md;
    const struct counters *c = md ? model_counters(md) : NULL;
    for (int i = 0; c && i < (int)COUNTERS_N && at < sizeof text; i++)
        if (counter_get(c, i))
            at += (size_t)snprintf(
                text + at, sizeof text - at, "%s%s %llu", at ? " · " : "", counter_name[i], (unsigned long long)counter_get(c, i));
    put(k, 0, ROLE_sentence, at ? text : "");
}

/* The Gs that main leaves behind. */
static void put_left(struct card *k)
{
    enum { SHOWN = 6, LOOKED_AT = 10000 };
    char text[TEXT];
    const struct model *md = k->u->run->stops.shown.md;
    const struct flow *flow = k->u->ops->flow(k->u->run->session);
    struct waits *w =
        !md || !flow ? NULL
                     : waits_new(&(struct waits_config){
                           .md = md, .flow = flow, .objects = model_knows(md, KNOW_OBJECTS, 0) != KNOWN_NOT, .most = LOOKED_AT});
    uint32_t g = 0;
    for (int n = 0; w && n < SHOWN && (g = waits_next_left(w, g, WAITS_BOTH)); n++)
        put(k, 0, ROLE_sentence, waits_say_left(w, g, k->u->lang, text, sizeof text));
    waits_free(w);
}

static void put_races(struct card *k)
{
    char text[TEXT];
    const struct ui *u = k->u;
    for (uint32_t i = 0; u->ops->race && i < RACES_SHOWN && u->ops->race(u->run->session, i, 0, u->lang, text, sizeof text); i++)
        put(k, 0, ROLE_error, text);
}

static void put_next(struct card *k)
{
    char text[TEXT], command[TEXT / 2];
    const struct lesson_after *a = k->u->cfg->after;
    enum lang lang = k->u->lang;
    bool lesson = k->u->lesson.on;
    put(k, 0, ROLE_heading, tx(lang, TX_CARD_TRY));
    if (!lesson && has_lesson(k->u))
        put_key(k, 'l', "l", tx(lang, TX_CARD_LESSON));
    if (!lesson)
        put_key(k, 'g', "g", tx(lang, TX_CARD_FROM_START));
    if (a && a->next) {
        snprintf(text, sizeof text, tx(lang, a->next_lesson ? TX_CARD_NEXT : TX_CARD_RUN_NEXT), a->next);
        put_key(k, KEY_RETURN, "enter", text);
    }
    if (a && a->without[0]) {
        snprintf(command, sizeof command, "gmpscope run %s --disable %s", k->u->run->st.name, a->without);
        snprintf(text, sizeof text, tx(lang, TX_CARD_WITHOUT), a->without, command);
        put_key(k, 'w', "w", text);
    }
    if (compare_command(k->u, command, sizeof command)) {
        snprintf(text, sizeof text, tx(lang, a->compares ? TX_CARD_COMPARE_OWN : TX_CARD_COMPARE), command);
        put_key(k, 'c', "c", text);
    }
    if (!(k->u->run->st.without & 1u << CAN_CHANGE_SEED))
        put_key(k, 'R', "R", tx(lang, lesson ? TX_CARD_SEED : TX_CARD_RUN_SEED));
    put_key(k, ' ', "space", tx(lang, TX_CARD_LOOK));
    put_key(k, 'q', "q", tx(lang, TX_CARD_QUIT));
}

/* Returns how many lines there are. */
static int put_all(struct card *k)
{
    char text[TEXT];
    const struct ui *u = k->u;
    const struct lesson_score *s = &u->taken.score;
    if (u->lesson.on) {
        snprintf(text, sizeof text, tx(u->lang, TX_CARD_SCORE), s->right, s->asked);
        put(k, 0, ROLE_sentence_now, s->asked ? text : tx(u->lang, s->uncounted ? TX_CARD_ONLY_CHANCE : TX_CARD_NO_QUESTIONS));
    } else {
        put(k, 0, ROLE_sentence_now, tx(u->lang, TX_CARD_HAPPENED));
        put_counters(k);
        put_left(k);
        put_races(k);
    }
    if (lesson_lost_text(&u->lesson, u->lang, text, sizeof text))
        put(k, 0, ROLE_running, text);
    if (u->lesson.on)
        put_questions(k);
    const char *watch = u->cfg->after ? text_in(&u->cfg->after->watch, u->lang) : "";
    if (*watch) {
        k->line++;
        snprintf(text, sizeof text, tx(u->lang, TX_CARD_WATCH), watch);
        put(k, 0, ROLE_sentence, text);
    }
    k->line++;
    put_next(k);
    return k->line;
}

static int lines_of(const struct ui *u, int w)
{
    struct card k = {.u = u, .in = {0, 0, w - 2 - 2 * SIDE, 0}};
    return put_all(&k);
}

static int width_of(const struct ui *u)
{
    return u->canvas.w < CARD_W ? u->canvas.w : CARD_W;
}

/* Returns the rows inside the box. */
static int rows_of(const struct ui *u)
{
    int lines = lines_of(u, width_of(u)), room = u->canvas.h - 2;
    return lines < room ? lines : room > 0 ? room : 0;
}

static void draw(struct ui *u)
{
    int w = width_of(u), rows = rows_of(u);
    struct rect r = {(u->canvas.w - w) / 2, (u->canvas.h - rows - 2) / 2, w, rows + 2};
    struct rect in = box_frame(&u->canvas, r, text_in(&u->run->st.title, u->lang), rows < lines_of(u, w) ? tx(u->lang, TX_CARD_MORE) : "");
    struct card k = {.u = u, .c = &u->canvas, .in = {in.x + SIDE, in.y, in.w - 2 * SIDE, in.h}, .top = u->box.top};
    put_all(&k);
}

static bool scroll(struct ui *u, uint32_t code)
{
    int by = scroll_key(code) * (code != KEY_CODE_PAGE_UP && code != KEY_CODE_PAGE_DOWN); /* a clicker's keys: they go on */
    int most = lines_of(u, width_of(u)) - rows_of(u), to = u->box.top + scroll_rows(by, rows_of(u));
    if (by)
        u->box.top = to < 0 ? 0 : to > most ? most : to;
    return by;
}

static bool offers(const struct ui *u, enum lesson_then then)
{
    const struct lesson_after *a = u->cfg->after;
    bool without = a && a->without[0];
    return then == THEN_NEXT ? a && a->next : then == THEN_COMPARE ? without || (a && a->compares) : without;
}

/* Leaves the screen for what was chosen. Two runs need a full screen. */
static bool leave_for(struct ui *u, enum lesson_then then)
{
    char command[TEXT / 2];
    if (!offers(u, then))
        return false;
    if (then == THEN_COMPARE && !u->screen && compare_command(u, command, sizeof command)) {
        ui_note(u, tx(u->lang, TX_CARD_NEEDS_SCREEN), command);
        return true;
    }
    u->cfg->after->then = then;
    ui_leave(u, 0);
    return true;
}

static enum lesson_then choice_of(uint32_t code)
{
    return code == KEY_RETURN || code == '\n' ? THEN_NEXT : code == 'w' ? THEN_WITHOUT : code == 'c' ? THEN_COMPARE : THEN_NOTHING;
}

static bool key(struct ui *u, uint32_t code);

/* The keys of some rows are not the card's own. */
static bool click(struct ui *u)
{
    uint32_t code = box_clicked(u);
    if (code && !key(u, code))
        key_press(u, code);
    return true;
}

static bool key(struct ui *u, uint32_t code)
{
    enum lesson_then then = choice_of(code);
    if (code == KEY_CODE_CLICK)
        return click(u);
    if (code == 'l' && !u->lesson.on && has_lesson(u)) {
        ui_open(u, BOX_NONE);
        u->ops->lesson->set(u->run->session, true);
        return key_press(u, 'r'), true;
    }
    if (scroll(u, code) || code == KEY_CODE_RESIZED || (then != THEN_NOTHING && leave_for(u, then)))
        return true;
    ui_open(u, BOX_NONE);
    if (!u->lesson.on) /* every other key does what it does without the card */
        return code == ' ' || code == KEY_ESCAPE;
    return code != 'q' && code != 'R' && code != 'r' && code != ',' && code != 'b';
}

const struct box_ops box_card = {.key = key, .draw = draw};
