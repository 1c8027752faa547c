/* Narration: one sentence for each recent core event, the newest at the bottom and marked.
 *
 * The sentence comes first: number, time, M and P, and Go's function name are columns that a narrow pane leaves out.
 * Long sentences take as many lines as they need.
 * listed.c says which events have a sentence.
 */
#include "ui/panes/panes.h"
#include "ui/panes/wrap.h"

#include <stdio.h>

struct columns {
    int number, time, where, text, go; /* x of each; 0: left out */
    int text_w, newest;                /* newest: the index of the last event that is listed */
};

enum { TIME_W = TIME_TEXT_W, GO_W = 16, SHOW_TIME = 64, SHOW_WHERE = 90, SHOW_GO = 104 };

static struct columns columns_for(const struct view *v, struct rect in)
{
    struct columns k = {0};
    int x = in.x + 2, end = in.x + in.w - 1, d = digits(v->st.events);
    k.number = x;
    x += (d < 3 ? 3 : d) + 2;
    if (in.w >= SHOW_TIME) {
        k.time = x;
        x += TIME_W + 2;
    }
    if (in.w >= SHOW_WHERE) {
        k.where = x;
        x += m_width(v) + p_width(v) + 3;
    }
    k.text = x;
    if (in.w >= SHOW_GO)
        k.go = end - 1;
    k.text_w = end - x - (k.go ? GO_W + 3 : 0);
    return k;
}

static void draw_where(const struct view *v, struct canvas *c, struct rect in, int x, int y, const struct session_event *e)
{
    canvas_printf(c, in, x, y, ROLE_dim, "M%u", e->m);
    if (e->ev.p != EV_NO_P)
        canvas_printf(c, in, x + m_width(v) + 1, y, ROLE_dim, "P%u", e->ev.p);
}

/* Returns how many lines the event took. */
static int draw_event(const struct view *v, struct canvas *c, struct rect in, const struct columns *k, int y, int i)
{
    const struct session_event *e = &v->ev[i];
    bool newest = i == k->newest;
    char text[32], dur[32], buf[SENTENCE_BYTES];
    if (v->diff.event[i])
        canvas_put(c, in, in.x + v->diff.two, y, ROLE_changed, '*');
    if (newest) /* drawn last: at a stop the newest event is always new, and its sign replaces the mark */
        canvas_put(c, in, in.x, y, ROLE_focus, 0x25b6);
    snprintf(text, sizeof text, "%llu", (unsigned long long)e->number);
    int d = digits(v->st.events);
    canvas_right(c, in, k->number + (d < 3 ? 3 : d) - 1, y, newest ? ROLE_number : ROLE_dim, text);
    if (k->time)
        canvas_right(c, in, k->time + TIME_W - 1, y, ROLE_dim, time_text(e->ev.time, dur, sizeof dur));
    if (k->where)
        draw_where(v, c, in, k->where, y, e);
    if (k->go)
        canvas_right(c, in, k->go, y, ROLE_dim, event_go(v->md, &e->ev));
    return wrap_draw(c, (struct rect){k->text, y, k->text_w, in.y + in.h - y}, newest ? ROLE_sentence_now : ROLE_sentence,
                     listed_sentence(v, i, buf));
}

/* Draws, below the newest event, events that are logged but not folded yet, so that the picture does not show them. */
static void draw_pending(const struct view *v, struct canvas *c, struct rect in, const struct columns *k)
{
    int y = in.y;
    canvas_hline(c, in, in.x, y, in.w, ROLE_border, 0x2508);
    char text[96], buf[SENTENCE_BYTES];
    snprintf(text, sizeof text, tx(v->lang, TX_PENDING_LINES), (unsigned long long)v->st.pending);
    canvas_text(c, in, in.x + 2, y++, ROLE_dim, text);
    for (int i = 0; i < v->npend && y < in.y + in.h; i++, y++) {
        draw_where(v, c, (struct rect){in.x, y, k->text - in.x, 1}, in.x + 2, y, &v->pend[i]);
        canvas_text(c, (struct rect){k->text, y, k->text_w, 1}, k->text, y, ROLE_dim, sentence_of(v, &v->pend[i], buf));
    }
}

/* Draws, below the newest event, why the run failed. */
static void draw_failure(const struct view *v, struct canvas *c, struct rect in)
{
    canvas_hline(c, in, in.x, in.y, in.w, ROLE_border, 0x2508);
    wrap_draw(c, (struct rect){in.x + 2, in.y + 1, in.w - 3, in.h - 1}, ROLE_error, v->st.stop.text);
}

/* At a stop at a detail event, which is in no list: the event itself. */
static const struct session_event *detail_shown(const struct view *v)
{
    const struct session_event *e = v->nev ? &v->ev[v->nev - 1] : NULL;
    return e && v->st.paused && !v->npend && ev_desc[e->ev.kind].level != EV_CORE ? e : NULL;
}

static void draw_detail(const struct view *v, struct canvas *c, struct rect in, const struct columns *k)
{
    char text[96], buf[SENTENCE_BYTES];
    const struct session_event *e = detail_shown(v);
    canvas_hline(c, in, in.x, in.y, in.w, ROLE_border, 0x2508);
    snprintf(text, sizeof text, tx(v->lang, TX_DETAIL_AT), (unsigned long long)e->number);
    canvas_text(c, in, in.x + 2, in.y, ROLE_dim, text);
    wrap_draw(c, (struct rect){k->text, in.y + 1, k->text_w, 1}, ROLE_sentence, sentence_of(v, e, buf));
}

/* Returns how many rows pending events or a failure take below the sentences. */
static int rows_below(const struct view *v, struct rect in)
{
    if (v->st.failed && in.h >= 3 && in.w > 8) {
        int rows = wrap_lines(v->st.stop.text, in.w - 3) + 1;
        return rows < in.h ? rows : in.h - 1;
    }
    if (detail_shown(v))
        return in.h >= 4 ? 2 : 0;
    return v->npend && in.h >= 4 ? (v->npend < in.h / 3 ? v->npend : in.h / 3) + 1 : 0;
}

static void draw_below(const struct view *v, struct canvas *c, struct rect below, const struct columns *k)
{
    if (below.h && v->st.failed)
        draw_failure(v, c, below);
    else if (below.h && detail_shown(v))
        draw_detail(v, c, below, k);
    else if (below.h)
        draw_pending(v, c, below, k);
}

/* Goes back from the newest event while there is room, then draws downwards. */
static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    struct rect in = p->in;
    struct columns k = columns_for(v, in);
    char buf[SENTENCE_BYTES];
    k.newest = newest_listed(v);
    int lines = 0, first = v->nev, y = in.y;
    if (k.text_w < 4)
        return;
    int below = rows_below(v, in);
    in.h -= below;
    draw_below(v, c, (struct rect){in.x, in.y + in.h, in.w, below}, &k);
    for (int i = k.newest; i >= 0 && lines < in.h; i--) {
        if (!event_listed(v, i))
            continue;
        int need = wrap_lines(listed_sentence(v, i, buf), k.text_w);
        if (lines + need > in.h && i != k.newest)
            break;
        lines += need;
        first = i;
    }
    if (k.newest < 0)
        wrap_draw(c, (struct rect){in.x + 1, in.y, in.w - 2, in.h}, ROLE_dim,
                  tx(v->lang, v->st.events ? TX_ONLY_DETAILS : TX_EMPTY_NARRATION));
    for (int i = first; i < v->nev && y < in.y + in.h; i++) {
        if (!event_listed(v, i))
            continue;
        y += draw_event(v, c, in, &k, y, i);
    }
}

const struct pane_ops pane_narration = {.draw = draw};
