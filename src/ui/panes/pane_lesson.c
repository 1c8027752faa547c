/* The lesson: the text and the question of the entry that the run has reached, and whether the answer was right. */
#include "ui/panes/panes.h"
#include "ui/panes/wrap.h"

#include <stdio.h>

enum { TEXT_BYTES = 600, LINES = 5 };

struct page {
    struct {
        enum role role;
        char text[TEXT_BYTES];
    } v[LINES];
    int n;
};

static void add(struct page *p, enum role role, const char *text)
{
    if (!*text || p->n == LINES)
        return;
    p->v[p->n].role = role;
    snprintf(p->v[p->n++].text, TEXT_BYTES, "%s", text);
}

static void add_choices(struct page *p, const struct view *v)
{
    char text[TEXT_BYTES] = "";
    size_t at = 0;
    for (uint32_t i = 0; i < v->lesson->nchoices && at < sizeof text; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%u) %s", i ? "   " : "", i + 1, text_in(&v->lesson->choice[i], v->lang));
    add(p, ROLE_key, text);
}

static void add_answer(struct page *p, const struct view *v)
{
    char text[TEXT_BYTES];
    const struct session_lesson *l = v->lesson;
    if (l->answer < 0) {
        add(p, ROLE_dim, tx(v->lang, TX_LESSON_UNKNOWN));
        return;
    }
    const char *right = text_in(&l->choice[l->answer], v->lang);
    if (v->answered == l->answer)
        snprintf(text, sizeof text, tx(v->lang, TX_LESSON_RIGHT), right, text_in(&l->because, v->lang));
    else
        snprintf(text, sizeof text, tx(v->lang, TX_LESSON_WRONG), text_in(&l->choice[v->answered], v->lang), right,
                 text_in(&l->because, v->lang));
    add(p, v->answered == l->answer ? ROLE_running : ROLE_error, text);
}

static void add_all(struct page *p, const struct view *v)
{
    char text[TEXT_BYTES];
    const struct session_lesson *l = v->lesson;
    if (!l->met) {
        snprintf(text, sizeof text, tx(v->lang, TX_LESSON_WAITS), l->next);
        add(p, ROLE_dim, text);
        return;
    }
    add(p, ROLE_sentence_now, text_in(&l->say, v->lang));
    add(p, ROLE_sentence_now, text_in(&l->question, v->lang));
    if (l->nchoices)
        add_choices(p, v);
    if (l->nchoices && v->answered >= 0)
        add_answer(p, v);
    else if (l->nchoices)
        add(p, ROLE_dim, tx(v->lang, TX_LESSON_ASK));
}

/* If it does not all fit, the top is left out: a person who has answered has read the question. */
static void draw_page(struct canvas *c, struct rect in, const struct page *p)
{
    int first = p->n, rows = 0, y = in.y;
    while (first > 0 && (rows += wrap_lines(p->v[first - 1].text, in.w)) <= in.h)
        first--;
    for (int i = first; i < p->n; i++)
        y += wrap_draw(c, (struct rect){in.x, y, in.w, in.y + in.h - y}, p->v[i].role, p->v[i].text);
}

static void title(const struct pane *p, const struct view *v, char *buf, size_t size)
{
    (void)p;
    if (v->lesson)
        snprintf(buf, size, tx(v->lang, TX_LESSON_OF), v->lesson->met, v->lesson->n);
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    struct page page = {.n = 0};
    if (v->lesson)
        add_all(&page, v);
    else
        add(&page, ROLE_dim, tx(v->lang, TX_LESSON_OFF));
    draw_page(c, (struct rect){p->in.x + 1, p->in.y, p->in.w - 2, p->in.h}, &page);
}

const struct pane_ops pane_lesson = {.title = title, .draw = draw};
