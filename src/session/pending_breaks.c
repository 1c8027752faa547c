/* See pending_breaks.h. */
#include "session/pending_breaks.h"
#include "engine/lesson/rehearse.h"
#include "session/rewind_breaks.h"
#include <string.h>

bool pending_set_text(struct pending_break *e, const char *text)
{
    if (strlen(text) >= sizeof e->text)
        return false;
    strcpy(e->text, text);
    return true;
}

bool pending_leave(struct pending_breaks *w, const struct pending_break *e)
{
    if (w->n == PENDING_MAX)
        return false;
    w->v[w->n++] = *e;
    return true;
}

struct pending_break *pending_until(struct pending_breaks *w)
{
    for (uint32_t i = w->n; i-- > 0;)
        if (w->v[i].what == PENDING_UNTIL)
            return &w->v[i];
    return NULL;
}

void pending_forget_until(struct pending_breaks *w)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->n; i++)
        if (w->v[i].what != PENDING_UNTIL)
            w->v[n++] = w->v[i];
    w->n = n;
}

static void lacks_break(struct engine *e)
{
    engine_lacks(e, "cannot keep the breakpoint: out of memory");
}

static void add_break(const struct pending_break *w, struct engine *e)
{
    struct break_at at[BREAKS_LISTED];
    struct break_words words = engine_words(&e->cfg);
    struct breakpoint *k = engine_break_add(e, w->text, false);
    if (k)
        rewind_count(k, e->history, &words);
    else if (breaks_list(&e->breaks, at) < BREAKS_LISTED)
        lacks_break(e);
}

struct said {
    const struct engine *e;
    const struct pending_break *w;
};

static bool is_said(void *ctx, const struct history_event *h)
{
    const struct said *s = ctx;
    struct merged_event at = {engine_view(s->e), h->number, h->m, &h->ev, h->text, h->len};
    return sentence_has(&at, s->w->text, s->w->lang);
}

/* The world may have run on since the request was made. Returns the event that was requested, if it has come by now; 0: it has not. */
static uint64_t passed(const struct pending_break *w, const struct engine *e)
{
    struct said s = {e, w};
    if (w->goal == GOAL_EVENT)
        return w->n <= e->events ? w->n : 0;
    return w->goal == GOAL_TEXT && w->n < e->events ? history_find(e->history, w->n + 1, 1, is_said, &s) : 0;
}

/* The N-th of all events, counted from the present on, is event N. */
static uint64_t add_until(const struct pending_break *w, struct engine *e)
{
    uint64_t back = passed(w, e);
    if (back)
        return back;
    bool text = w->goal == GOAL_TEXT;
    struct breakpoint *k = text ? engine_break_add_text(e, w->text, w->lang) : engine_break_add(e, w->text, true);
    if (!k) {
        lacks_break(e);
        return 0;
    }
    k->round_p = w->round_p;
    k->again = w->again;
    k->event = w->goal == GOAL_EVENT ? w->n : 0;
    breaks_counted(k, k->event ? e->events : text ? 0 : w->n, 0);
    return 0;
}

static uint64_t carry_out(const struct pending_break *w, struct engine *e)
{
    switch (w->what) {
    case PENDING_LESSON:
        if (w->n)
            rehearse_for(e);
        engine_lesson(e, w->n);
        break;
    case PENDING_DELETE:
        if (w->n)
            breaks_delete(&e->breaks, (uint32_t)w->n);
        while (!w->n && e->breaks.n)
            breaks_delete(&e->breaks, e->breaks.v[0]->id);
        break;
    case PENDING_ADD:
        add_break(w, e);
        break;
    case PENDING_UNTIL:
        return add_until(w, e);
    }
    return 0;
}

uint64_t pending_do(struct pending_breaks *w, struct engine *e)
{
    uint64_t back = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        uint64_t at = carry_out(&w->v[i], e);
        back = at ? at : back;
    }
    w->n = 0;
    return back;
}
