/* The lesson: the text and the question of the entry that the run has reached, and whether the answer was right. What does not fit has more
 * pages; an answer brings the one on which it begins. */
#include "ui/panes/parts/large.h"
#include "ui/panes/panes.h"
#include "ui/panes/parts/wrap.h"
#include "ui/term/keycodes.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 900, LINES = SESSION_CHOICES + 10 };

/* Which page of which entry is shown. */
struct reading {
    uint32_t run, met;
    int answered, at;
};

struct page {
    struct {
        enum role role;
        uint32_t key; /* what a click presses; 0: nothing */
        char text[TEXT_BYTES];
    } v[LINES];
    int n;
    int answer; /* the line where the answer begins */
    bool large;
    enum text_id in_frame; /* what can be done now, where only the frame has room for it; TX_NONE: it has a line, or there is nothing */
};

static void add(struct page *p, enum role role, const char *text)
{
    if (!*text || p->n == LINES)
        return;
    p->v[p->n].role = role;
    p->v[p->n].key = 0;
    snprintf(p->v[p->n++].text, TEXT_BYTES, "%s", text);
}

bool lesson_run_answers(const struct session_lesson *l, const struct session_status *st, bool ever)
{
    uint64_t now = ever ? st->newest : st->events;
    if (l->open)
        return false;
    return l->decided > l->place ? now >= l->decided : now > l->place;
}

bool lesson_shows_answer(const struct view *v)
{
    return v->answered >= 0 || v->revealed || lesson_run_answers(v->lesson, &v->st, false);
}

bool lesson_asks(const struct view *v)
{
    return v->lesson && v->lesson->nchoices && !lesson_shows_answer(v);
}

bool lesson_hides(const struct view *v, enum pane_kind kind)
{
    for (uint32_t i = 0; lesson_asks(v) && i < v->lesson->nhidden; i++)
        if (!strcmp(v->lesson->hidden[i], pane_name((int)kind)))
            return true;
    return false;
}

/* Returns true if the choice was made before the answer was known, and chance did not decide: then it is right or wrong. */
static bool is_judged(const struct view *v)
{
    return v->answered >= 0 && !v->answered_late && !v->lesson->chance;
}

static const char *mark(const struct view *v, int i)
{
    if (!lesson_shows_answer(v) || v->lesson->answer < 0)
        return i == v->answered ? "▶ " : "";
    if (v->lesson->chance)
        return i == v->lesson->answer ? "→ " : i == v->answered ? "▶ " : "  ";
    return i == v->lesson->answer ? "✓ " : i == v->answered ? "✗ " : "  ";
}

static enum role role_of_choice(const struct view *v, int i)
{
    if (!lesson_shows_answer(v) || v->lesson->answer < 0)
        return ROLE_key;
    if (v->answered >= 0 && !is_judged(v))
        return i == v->lesson->answer ? ROLE_sentence_now : ROLE_dim;
    return i == v->lesson->answer ? ROLE_running : i == v->answered ? ROLE_error : ROLE_dim;
}

static void choice_text(const struct view *v, int i, char *text, size_t size)
{
    snprintf(text, size, "%s%d) %s", mark(v, i), i + 1, text_in(&v->lesson->choice[i], v->lang));
}

static void add_choice_rows(struct page *p, const struct view *v)
{
    char text[TEXT_BYTES];
    for (int i = 0; i < (int)v->lesson->nchoices; i++) {
        choice_text(v, i, text, sizeof text);
        add(p, role_of_choice(v, i), text);
        p->v[p->n - 1].key = !lesson_shows_answer(v) && i < 9 ? (uint32_t)('1' + i) : 0;
    }
}

static void add_choices_joined(struct page *p, const struct view *v)
{
    char text[TEXT_BYTES] = "", one[TEXT_BYTES];
    size_t at = 0;
    for (int i = 0; i < (int)v->lesson->nchoices && at < sizeof text; i++) {
        choice_text(v, i, one, sizeof one);
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", i ? "   " : "", one);
    }
    add(p, lesson_shows_answer(v) ? ROLE_dim : ROLE_key, text); /* one colour for all: the answer's own line says which is right */
}

/* A free run may take a course that the choices do not foresee. */
static void add_no_answer(struct page *p, const struct view *v)
{
    char text[TEXT_BYTES];
    if (!*v->lesson->came) {
        add(p, ROLE_dim, tx(v->lang, v->st.over ? TX_LESSON_NOT_HERE : TX_LESSON_UNKNOWN));
        return;
    }
    snprintf(text, sizeof text, tx(v->lang, TX_LESSON_NO_CHOICE), v->lesson->came);
    add(p, ROLE_sentence_now, text);
}

static void add_answer(struct page *p, const struct view *v)
{
    char text[TEXT_BYTES];
    const struct session_lesson *l = v->lesson;
    if (l->answer < 0) {
        add_no_answer(p, v);
        return;
    }
    const char *right = text_in(&l->choice[l->answer], v->lang), *because = text_in(&l->because, v->lang);
    bool same = v->answered == l->answer;
    if (v->answered < 0 || v->answered_late || (l->chance && same))
        snprintf(text, sizeof text, tx(v->lang, TX_LESSON_REVEALED), right, because);
    else if (same)
        snprintf(text, sizeof text, tx(v->lang, TX_LESSON_RIGHT), right, because);
    else
        snprintf(text, sizeof text, tx(v->lang, l->chance ? TX_LESSON_THIS_TIME : TX_LESSON_WRONG),
                 text_in(&l->choice[v->answered], v->lang), right, because);
    add(p, !is_judged(v) ? ROLE_sentence_now : same ? ROLE_running : ROLE_error, text);
    if (v->answered >= 0 && !same)
        add(p, ROLE_sentence_now, text_in(&l->choice_because[v->answered], v->lang));
}

/* What can be done now. */
static enum text_id hint(const struct view *v)
{
    const struct session_lesson *l = v->lesson;
    if (l->nchoices && !lesson_shows_answer(v))
        return TX_LESSON_ASK;
    if (v->card_waits)
        return TX_LESSON_CARD;
    if (!v->st.paused || v->st.ended)
        return TX_NONE;
    if (l->open || (l->decided > l->place && v->st.newest < l->decided))
        return TX_LESSON_SEE;
    return TX_LESSON_CONTINUES;
}

/* How closely the parts of an entry are set: in large letters; with blank lines, each choice on a row of its own; all choices in one text. */
enum setting { LARGE, SPACED, ROWS, JOINED, SETTINGS };

static void add_blank(struct page *p, enum setting how)
{
    if (how == SPACED && p->n)
        add(p, ROLE_plain, " ");
}

static void add_hint(struct page *p, const struct view *v)
{
    if (hint(v) == TX_NONE || p->n == LINES)
        return;
    add(p, ROLE_dim, tx(v->lang, hint(v)));
    p->v[p->n - 1].key = ' ';
}

static void write_made_for(const struct view *v, enum text_id consequence, char *text, size_t size)
{
    char boot[80] = "";
    const struct session_lesson *l = v->lesson;
    if (l->made_boot)
        snprintf(boot, sizeof boot, tx(v->lang, TX_LESSON_MADE_BOOT), l->made_boot, l->made_module);
    snprintf(text, size, tx(v->lang, TX_LESSON_MADE_FOR), l->made_for, l->made_procs, boot,
             l->other_switches ? tx(v->lang, TX_LESSON_MADE_WITH) : "", tx(v->lang, consequence));
}

/* Said once, with the first text. */
static void add_made_for(struct page *p, const struct view *v)
{
    char text[TEXT_BYTES];
    const struct session_lesson *l = v->lesson;
    if (!l->made_for || l->number > 1 || (l->nchoices && lesson_shows_answer(v)))
        return;
    write_made_for(v, l->no_questions ? TX_LESSON_NO_QUESTIONS : TX_LESSON_LEAVES_OUT, text, sizeof text);
    add(p, ROLE_changed, text);
}

/* There is no text yet, or none at all in this run. */
static void add_no_text(struct page *p, const struct view *v)
{
    char text[TEXT_BYTES];
    const struct session_lesson *l = v->lesson;
    if (*l->next)
        snprintf(text, sizeof text, tx(v->lang, TX_LESSON_WAITS), l->next);
    else if (l->made_for)
        write_made_for(v, TX_LESSON_LEAVES_ALL, text, sizeof text);
    else
        snprintf(text, sizeof text, "%s", tx(v->lang, TX_LESSON_NONE));
    add(p, ROLE_dim, text);
}

bool lesson_lost_text(const struct session_lesson *l, enum lang lang, char *text, size_t size)
{
    if (!l->lost)
        return false;
    if (*l->lost)
        snprintf(text, size, tx(lang, TX_LESSON_LOST_AS), l->lost);
    else
        snprintf(text, size, "%s", tx(lang, l->task ? TX_LESSON_WON : TX_LESSON_LOST));
    return true;
}

/* The run stopped at a detail event, and no pane of this screen has its whole sentence: lists cut it. */
static void add_detail(struct page *p, const struct view *v)
{
    char text[TEXT_BYTES], buf[SENTENCE_BYTES];
    int now = event_now(v);
    if (now < 0 || ev_level_of[v->ev[now].ev.kind] == EV_CORE || v->on_screen & (1u << PANE_narration | 1u << PANE_stage))
        return;
    snprintf(text, sizeof text, tx(v->lang, TX_LESSON_EVENT), (unsigned long long)v->ev[now].number, sentence_of(v, &v->ev[now], buf));
    add(p, ROLE_sentence, text);
}

/* The text is about a moment that has passed for good: the run has ended since, or goes on to its end. An answer that the run has just shown
 * is new. */
static bool is_past(const struct view *v)
{
    const struct session_lesson *l = v->lesson;
    bool goes_on = v->st.ended || (!v->st.paused && !*l->next), back = v->st.back;
    uint64_t shown = l->decided > l->place ? l->decided : l->place;
    bool open = l->nchoices && (l->open || l->decided <= l->place); /* its answer comes with the end */
    return l->met && goes_on && !back && !open && v->st.events > shown;
}

/* What follows the texts of the entry. */
static void add_after(struct page *p, const struct view *v, enum setting how)
{
    char text[TEXT_BYTES];
    if (lesson_lost_text(v->lesson, v->lang, text, sizeof text))
        add(p, ROLE_running, text);
    add_blank(p, how);
    if (v->notes && *text_in(&v->lesson->notes, v->lang)) {
        snprintf(text, sizeof text, tx(v->lang, TX_LESSON_NOTES), text_in(&v->lesson->notes, v->lang));
        add(p, ROLE_changed, text);
        add_blank(p, how);
    }
    add_hint(p, v);
}

static void add_all(struct page *p, const struct view *v, enum setting how)
{
    const struct session_lesson *l = v->lesson;
    if (!l->met) {
        add_no_text(p, v);
        return;
    }
    if (is_past(v)) {
        add(p, ROLE_sentence, tx(v->lang, v->st.ended ? TX_LESSON_ENDED : TX_LESSON_GOES_ON));
        add_after(p, v, how);
        return;
    }
    if (v->only_answer) {
        add_answer(p, v);
        add_after(p, v, how);
        return;
    }
    bool answered = l->nchoices && lesson_shows_answer(v), brief = how == LARGE && answered; /* the question was read before */
    add_made_for(p, v);
    add_detail(p, v);
    if (!brief)
        add(p, ROLE_sentence_now, text_in(&l->say, v->lang));
    if (*text_in(&l->question, v->lang))
        add_blank(p, how);
    if (!brief)
        add(p, ROLE_sentence_now, text_in(&l->question, v->lang));
    if (l->chance && !lesson_shows_answer(v))
        add(p, ROLE_dim, tx(v->lang, TX_LESSON_CHANCE));
    if (l->nchoices && !brief) {
        add_blank(p, how);
        (how == JOINED || how == LARGE ? add_choices_joined : add_choice_rows)(p, v);
        add_blank(p, how);
    }
    p->answer = p->n;
    if (answered)
        add_answer(p, v);
    add_after(p, v, how);
}

/* Returns the rows of text i; a text that cannot have large letters takes more than there are. */
static int text_rows(const struct page *p, int i, int w)
{
    enum { TOO_MANY = 1000 };
    int lines = p->large ? large_lines(p->v[i].text, w) : 0;
    return !p->large ? wrap_lines(p->v[i].text, w) : lines ? large_rows(lines) + 1 : TOO_MANY;
}

static int rows_of(const struct page *p, int w)
{
    int rows = -p->large; /* no blank row below the last text */
    for (int i = 0; i < p->n; i++)
        rows += text_rows(p, i, w);
    return rows;
}

/* The hint alone is no reason for another page: then the frame has it. */
static void move_hint(struct page *p, const struct view *v, struct rect r)
{
    if (hint(v) == TX_NONE || !p->n || (!p->large && rows_of(p, r.w) <= r.h))
        return;
    struct page without = *p;
    without.n--;
    if (rows_of(&without, r.w) > r.h)
        return;
    *p = without;
    p->in_frame = hint(v);
}

/* What does not fit is set more closely. */
static struct page page_of(const struct view *v, struct rect r)
{
    struct page page = {.n = 0, .in_frame = TX_NONE};
    if (!v->lesson) {
        add(&page, ROLE_dim, tx(v->lang, TX_LESSON_OFF));
        return page;
    }
    for (int how = v->large && v->on_screen & 1u << PANE_stage ? LARGE : SPACED; how < SETTINGS; how++) {
        page.n = 0;
        page.large = how == LARGE;
        add_all(&page, v, (enum setting)how);
        move_hint(&page, v, r);
        if (rows_of(&page, r.w) <= r.h)
            break;
    }
    return page;
}

int lesson_rows_large(const struct view *v, const struct session_lesson *l, int w, int most)
{
    struct view at = *v;
    struct session_lesson entry = *l;
    int rows = 0;
    entry.on = true;
    entry.met = 1;
    at.lesson = &entry;
    at.st = (struct session_status){.paused = true};
    at.answered_late = at.revealed = at.notes = at.only_answer = false;
    for (at.answered = -1; at.answered < (int)l->nchoices; at.answered++) {
        struct page page = {.n = 0, .large = true};
        add_all(&page, &at, LARGE);
        page.n -= hint(&at) != TX_NONE; /* the frame has it */
        int wanted = rows_of(&page, w);
        rows = wanted > rows && wanted <= most ? wanted : rows;
    }
    return rows;
}

static struct rect text_rect(const struct pane *p)
{
    return (struct rect){p->in.x + 1, p->in.y, p->in.w - 2, p->in.h};
}

static int pages(const struct pane *p, const struct view *v)
{
    struct rect r = text_rect(p);
    struct page page = page_of(v, r);
    int rows = rows_of(&page, r.w);
    return r.h > 0 && rows > r.h ? (rows + r.h - 1) / r.h : 1;
}

static void draw_page(struct canvas *c, struct rect in, const struct page *p, int skip)
{
    int y = in.y;
    for (int i = 0; i < p->n && y < in.y + in.h; i++) {
        struct rect rest = {in.x, y, in.w, in.y + in.h - y};
        if (p->large) {
            large_draw(c, rest, false, p->v[i].role, p->v[i].text);
            y += text_rows(p, i, in.w);
            continue;
        }
        int rows = wrap_lines(p->v[i].text, in.w), over = skip < rows ? skip : rows;
        if (over < rows)
            y += wrap_draw_from(c, rest, over, p->v[i].role, p->v[i].text);
        skip -= over;
    }
}

/* Returns the page on which the answer begins. */
static int answer_page(const struct pane *p, const struct view *v)
{
    struct rect r = text_rect(p);
    struct page page = page_of(v, r);
    int rows = 0;
    for (int i = 0; i < page.answer && i < page.n; i++)
        rows += text_rows(&page, i, r.w);
    return r.h > 0 ? rows / r.h : 0;
}

/* Another entry is read from its beginning, an answer from its own. */
static void prepare(const struct pane *p, const struct view *v, const struct pane_source *from)
{
    struct reading *r = p->state;
    int last = pages(p, v) - 1;
    (void)from;
    uint32_t met = v->lesson ? v->lesson->met : 0;
    if (r->run != v->st.run || r->met != met)
        *r = (struct reading){v->st.run, met, -1, 0};
    int shown = v->lesson && v->lesson->nchoices && lesson_shows_answer(v) ? v->answered + 1 : -1; /* 0: the run has shown it */
    if (r->answered != shown)
        r->at = shown < 0 ? 0 : answer_page(p, v);
    r->answered = shown;
    r->at = r->at < last ? r->at : last;
}

static void title(const struct pane *p, const struct view *v, char *buf, size_t size)
{
    const struct reading *r = p->state;
    char page[64] = "";
    int n = pages(p, v);
    if (!v->lesson || !v->lesson->of || !r)
        return;
    if (n > 1)
        snprintf(page, sizeof page, tx(v->lang, r->at + 1 < n ? TX_LESSON_PAGE : TX_LESSON_LAST_PAGE), r->at + 1, n);
    snprintf(buf, size, tx(v->lang, v->lesson->returns && v->answered < 0 ? TX_LESSON_ANSWER_OF : TX_LESSON_OF), v->lesson->number,
             v->lesson->of);
    size_t len = strlen(buf);
    if (v->score.answered)
        snprintf(buf + len, size - len, tx(v->lang, TX_LESSON_SCORE), v->score.right, v->score.answered);
    len = strlen(buf);
    snprintf(buf + len, size - len, "%s", page);
    struct page text = page_of(v, text_rect(p));
    len = strlen(buf);
    if (text.in_frame != TX_NONE)
        snprintf(buf + len, size - len, " ─ %s", tx(v->lang, text.in_frame));
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    const struct reading *r = p->state;
    struct page page = page_of(v, text_rect(p));
    draw_page(c, text_rect(p), &page, r->at * p->in.h);
}

/* A click on a choice answers, and one on the last line presses space. */
static struct pane_request mouse(const struct pane *p, const struct view *v, int x, int y)
{
    const struct reading *r = p->state;
    struct page page = page_of(v, text_rect(p));
    int row = r->at * p->in.h + y, i = 0;
    (void)x;
    for (; i < page.n && row >= text_rows(&page, i, text_rect(p).w); i++)
        row -= text_rows(&page, i, text_rect(p).w);
    uint32_t key = i < page.n ? page.v[i].key : 0;
    return (struct pane_request){.taken = key != 0, .press = key};
}

static struct pane_request turn(const struct pane *p, const struct view *v, int by)
{
    struct reading *r = p->state;
    int to = r->at + by;
    if (to < 0 || to >= pages(p, v))
        return (struct pane_request){.taken = false};
    r->at = to;
    return (struct pane_request){.taken = true};
}

static const struct pane_key page_keys[] = {
    {' ', KEY_CODE_PAGE_DOWN, "space", TX_KEY_LESSON_MORE, turn, TX_NONE, 1},
    {KEY_CODE_PAGE_UP, 0, "page up", TX_KEY_LESSON_BACK, turn, TX_NONE, -1},
};

const struct pane_ops pane_lesson = {
    .key = page_keys,
    .nkeys = sizeof page_keys / sizeof *page_keys,
    .state_bytes = sizeof(struct reading),
    .prepare = prepare,
    .title = title,
    .draw = draw,
    .mouse = mouse,
};
