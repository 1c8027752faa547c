/* How a list of events is drawn: one line for each event. What happens after the state that is shown is dim.
 *
 * The sentence comes first: time, M and P, and Go's function are columns that a narrow pane leaves out. It has the same columns as the pane
 * `narration` without the focus (list_shows), so that nothing moves when that takes the focus. */
#include "ui/panes/parts/event_list.h"
#include "ui/panes/parts/hits.h"

#include <stdio.h>

struct columns {
    int number, time, where, text, text_w, go; /* x of each; 0: left out */
};

enum { GO_W = 18 };

static struct columns columns_for(const struct event_list *l, const struct view *v, struct rect in)
{
    int d = digits(l->newest), x = in.x + 2;
    struct columns k = {.number = x + (d < 3 ? 3 : d) - 1};
    x = k.number + 3;
    if (list_shows(in, LIST_TIME)) {
        k.time = x + TIME_TEXT_W - 1;
        x += TIME_TEXT_W + 2;
    }
    if (list_shows(in, l->folds ? LIST_WHERE : LIST_WHERE_ALL)) {
        k.where = x;
        x += m_width(v) + p_width(v) + 3;
    }
    k.text = x;
    k.go = list_shows(in, LIST_GO) ? in.x + in.w - GO_W : 0;
    k.text_w = (k.go ? k.go - 1 : in.x + in.w - 1) - x;
    return k;
}

void event_rows_draw(const struct event_list *l, const struct view *v, struct canvas *c, struct rect in)
{
    struct columns k = columns_for(l, v, in);
    bool words = v->text && v->text[0];
    if (!v->md)
        return;
    if (!l->n)
        list_text(c, in, in.x + 1, in.y, in.w - 1, ROLE_dim, tx(v->lang, l->only ? TX_EVENTS_NONE_OF : TX_EMPTY_NARRATION));
    for (int i = 0; i < l->n && i < in.h; i++) {
        const struct session_event *e = &l->row[i];
        char text[32], buf[SENTENCE_BYTES];
        int y = in.y + i;
        bool later = e->number > l->shown, now = e->number == l->shown;
        enum role role = l->hit[i] && !words ? ROLE_focus : later ? ROLE_dim : now ? ROLE_sentence_now : ROLE_sentence;
        snprintf(text, sizeof text, "%llu", (unsigned long long)e->number);
        canvas_right(c, in, k.number, y, now ? ROLE_number : ROLE_dim, text);
        if (k.time)
            canvas_right(c, in, k.time, y, ROLE_dim, time_text(e->ev.time, text, sizeof text));
        if (k.where)
            draw_label(c, in, k.where, y, (struct label){'M', e->m, ROLE_dim, false});
        if (k.where && e->ev.p != EV_NO_P)
            draw_label(c, in, k.where + m_width(v) + 1, y, (struct label){'P', e->ev.p, ROLE_dim, false});
        if (k.go)
            list_text(c, in, k.go, y, GO_W, ROLE_dim, event_go(v->md, &e->ev));
        list_text(c, in, k.text, y, k.text_w, role, list_sentence(l, v, i, buf));
        if (l->hit[i] && words)
            hits_mark(c, (struct rect){k.text, y, k.text_w, 1}, v->text);
        if (l->hit[i])
            canvas_put(c, in, in.x + 1, y, ROLE_focus, '/');
        list_mark(l, c, in, i, y);
    }
}

static const char *tag_name(uint32_t tag, char *buf, size_t size)
{
    if (thing_kind(tag) == THING_G)
        return ev_g_name(thing_id(tag), buf);
    snprintf(buf, size, "%c%u", "-PMG"[thing_kind(tag)], thing_id(tag));
    return buf;
}

void event_rows_title(const struct event_list *l, const struct view *v, enum text_id text, char *buf, size_t size)
{
    char name[EV_G_NAME];
    int n = snprintf(buf, size, "%s", tx(v->lang, text));
    if (l && l->n)
        n += snprintf(buf + n, size - (size_t)n, " ─ %llu / %llu", (unsigned long long)l->cursor, (unsigned long long)l->newest);
    if (l && l->only)
        n += snprintf(buf + n, size - (size_t)n, tx(v->lang, TX_EVENTS_ONLY), tag_name(l->only, name, sizeof name));
    if (l && l->details)
        n += snprintf(buf + n, size - (size_t)n, " ─ %s", tx(v->lang, TX_EVENTS_DETAILS));
    if (v->hit.nth)
        snprintf(buf + n, size - (size_t)n, " ─ / %llu/%llu", (unsigned long long)v->hit.nth, (unsigned long long)v->hit.of);
}

struct pane_request list_key_filter(const struct pane *p, const struct view *v, int by)
{
    struct event_list *l = p->state;
    (void)by;
    if (!l->only && !v->selected)
        return (struct pane_request){.taken = true, .note = TX_NOTE_CHOOSE_TO_FILTER};
    l->only = l->only && (!v->selected || l->only == v->selected) ? 0 : v->selected;
    return (struct pane_request){.taken = true};
}
