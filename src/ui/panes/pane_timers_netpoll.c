/* Timers and the poller: when each timer heap is due and what happens then; who waits in the poller, and for whom.
 *
 *   timers   P0  3  G5 in 1.2 ms · a channel in 4 ms · G7 in 9 ms · zombie t in 1 h
 *            +3 heaps without timers
 *   poller   M2  for 1.1 ms, at most 4 ms
 *            c  G8 reads, for 1.1 ms
 *
 * In generations with timerproc Gs the heaps are buckets; go1.0 has one heap, and a G of the runtime that polls. */
#include "ui/panes/panes.h"

#include <stdio.h>
#include <stdlib.h>

/* Where the next row is drawn. */
struct at {
    struct rect in;
    int x, y; /* x: where rows begin, after the headings */
};

static bool has_room(const struct at *at)
{
    return at->y < at->in.y + at->in.h;
}

static int64_t since(const struct view *v, int64_t time)
{
    return v->st.time > time ? v->st.time - time : 0;
}

/* ---- timers ---- */

/* Returns the columns of a timer's text. */
static int timer_text(const struct view *v, const struct snap_timer *t, char *buf, size_t size)
{
    char left[32], in[48], name[EV_G_NAME], own[OBJECT_NAME];
    const char *what =
        t->chan                 ? model_object_name(v->md, (struct ev_object){OBJ_CHAN, t->chan}, own)
        : t->what == TIMER_SEND ? tx(v->lang, TX_TN_CHANNEL)
        : t->what == TIMER_GO   ? tx(v->lang, TX_TN_NEW_G)
                                : ev_g_name(t->g, name);
    if (t->when > v->st.time)
        snprintf(in, sizeof in, tx(v->lang, TX_O_IN), duration_text(t->when - v->st.time, left, sizeof left));
    else
        snprintf(in, sizeof in, "%s", tx(v->lang, TX_TN_DUE));
    snprintf(buf, size, "%s%s %s", t->zombie ? tx(v->lang, TX_TN_ZOMBIE) : "", what, in);
    return text_width(buf);
}

static void draw_heap(const struct view *v, struct canvas *c, struct at *at, uint32_t heap)
{
    const struct snap_timer *t;
    uint32_t n = model_heap(v->md, heap, &t);
    int x = at->x;
    if (v->st.no_p)
        x = canvas_text(c, at->in, x, at->y, ROLE_plain, tx(v->lang, TX_TN_HEAP));
    else if (model_heaps_are_buckets(v->md))
        x = canvas_printf(c, at->in, x, at->y, ROLE_plain, tx(v->lang, TX_TN_BUCKET), heap);
    else
        x = draw_label(c, at->in, x, at->y, (struct label){'P', heap, ROLE_plain, false});
    int w = v->st.no_p || model_heaps_are_buckets(v->md) ? 10 : p_width(v);
    x = x < at->x + w ? at->x + w : x;
    x = canvas_printf(c, at->in, x + 1, at->y, ROLE_number, "%2u", n) + 2;
    for (uint32_t i = 0; i < n; i++) { /* as many of its timers as fit, the earliest first */
        bool wakes = t[i].what == TIMER_WAKE && t[i].g;
        char text[48 + OBJECT_NAME + 48];
        int width = timer_text(v, &t[i], text, sizeof text), more = i + 1 < n ? 3 + digits(n - i) : 0;
        if (i && x + 3 + width + more > at->in.x + at->in.w) {
            canvas_printf(c, at->in, x, at->y, ROLE_dim, " +%u", n - i);
            break;
        }
        if (i)
            x = canvas_text(c, at->in, x, at->y, ROLE_dim, " · ");
        c->tag = wakes ? tag_of('G', t[i].g) : 0;
        x = canvas_text(c, at->in, x, at->y, wakes ? g_role(t[i].g) : t[i].zombie ? ROLE_dim : ROLE_sentence, text);
        c->tag = 0;
    }
    at->y++;
}

static uint32_t heaps_in_use(const struct view *v)
{
    const struct snap_timer *t;
    uint32_t n = 0;
    for (uint32_t i = 0; i < model_heaps(v->md); i++)
        n += model_heap(v->md, i, &t) > 0;
    return n;
}

/* Heaps with timers, in at most `room` rows; the last row counts the others. */
static bool heaps_are_open(const struct view *v)
{
    bool open = false;
    for (uint32_t p = 0; is_partial(v) && p < model_np(v->md); p++)
        open |= not_known(v, KNOW_P_TIMERS, p);
    return open;
}

static void draw_heaps(const struct view *v, struct canvas *c, struct at *at, int room)
{
    const struct snap_timer *t;
    uint32_t used = heaps_in_use(v), all = model_heaps(v->md), drawn = 0;
    uint32_t fit = (int)used > room ? (uint32_t)(room > 1 ? room - 1 : 0) : used;
    bool open = heaps_are_open(v);
    if (used == 0 && open) {
        draw_not_recorded(v, c, (struct rect){at->x, at->y++, at->in.x + at->in.w - at->x, 1});
        return;
    }
    if (used == 0) {
        canvas_text(c, at->in, at->x, at->y++, ROLE_dim, tx(v->lang, TX_TN_NO_TIMER));
        return;
    }
    for (uint32_t i = 0; i < all && drawn < fit; i++)
        if (model_heap(v->md, i, &t)) {
            draw_heap(v, c, at, i);
            drawn++;
        }
    if (drawn < used)
        canvas_printf(c, at->in, at->x, at->y++, ROLE_dim, tx(v->lang, TX_TN_MORE_HEAPS), used - drawn);
    else if (used < all && (int)drawn < room && open)
        canvas_text(c, at->in, at->x, at->y++, ROLE_dim, "?");
    else if (used < all && (int)drawn < room)
        canvas_printf(c, at->in, at->x, at->y++, ROLE_dim, tx(v->lang, TX_TN_NO_HEAPS), all - used);
}

/* Returns the next G of the runtime with this label, from number *n on; 0: there is none. */
static uint32_t next_system_g(const struct view *v, uint32_t label, uint32_t *n)
{
    const struct model_g *g;
    while (*n < EV_SYSTEM_GS && (g = model_g(v->md, EV_SYSTEM_G + *n))) {
        ++*n;
        if (g->fn == EV_SYSTEM_FN + label && g->status != G_DEAD)
            return g->id;
    }
    return 0;
}

/* The Gs that run the timers of the buckets. */
static void draw_timerprocs(const struct view *v, struct canvas *c, struct at *at, int last)
{
    uint32_t n = 0, id;
    while (at->y < last && (id = next_system_g(v, SYSG_TIMERPROC, &n))) {
        const struct model_g *g = model_g(v->md, id);
        int x = draw_g(c, at->in, at->x, at->y, id, false);
        x = canvas_text(c, at->in, x + 1, at->y, ROLE_dim, "timerproc") + 1;
        enum text_id does = g->status == G_WAITING ? TX_TN_IDLE : g->status == G_SYSCALL ? TX_TN_SLEEPS : TX_TN_WORKS;
        canvas_text(c, at->in, x, at->y++, ROLE_sentence, tx(v->lang, does));
    }
}

/* ---- the poller ---- */

static int draw_for(const struct view *v, struct canvas *c, const struct at *at, int x, int64_t from)
{
    char text[32];
    return canvas_printf(c, at->in, x, at->y, ROLE_dim, tx(v->lang, TX_TN_FOR), duration_text(since(v, from), text, sizeof text));
}

static void draw_poller(const struct view *v, struct canvas *c, struct at *at, uint32_t m)
{
    const struct model_m *mm = model_m(v->md, m);
    char text[32];
    int x = draw_label(c, at->in, at->x, at->y, (struct label){'M', m, ROLE_netpoll, false}) + 2;
    if (mm->curg)
        x = draw_g(c, at->in, x, at->y, mm->curg, false) + 2;
    x = draw_for(v, c, at, x, mm->since) + 2;
    if (is_partial(v) && !mm->delay)
        canvas_text(c, at->in, x, at->y, ROLE_dim, "?");
    else if (mm->delay < 0)
        canvas_text(c, at->in, x, at->y, ROLE_dim, tx(v->lang, TX_TN_NO_LIMIT));
    else
        canvas_printf(c, at->in, x, at->y, ROLE_dim, tx(v->lang, TX_TN_AT_MOST), duration_text(mm->delay, text, sizeof text));
    at->y++;
}

static void draw_pollers(const struct view *v, struct canvas *c, struct at *at)
{
    bool any = false, open = is_partial(v);
    for (uint32_t m = 0; m < model_nm(v->md) && has_room(at); m++)
        if (model_m_doing(v->md, m) == MD_NETPOLL) {
            draw_poller(v, c, at, m);
            any = true;
        }
    if (!any && has_room(at))
        canvas_text(c, at->in, at->x, at->y++, ROLE_dim, tx(v->lang, open ? TX_UNKNOWN : TX_TN_NOBODY));
}

static void draw_waiter(const struct view *v, struct canvas *c, struct at *at, const struct model_waiter *w)
{
    char name[OBJECT_NAME];
    int x = canvas_text(c, at->in, at->x, at->y, ROLE_plain, model_object_name(v->md, w->object, name)) + 2;
    x = draw_g(c, at->in, x, at->y, w->g, false) + 1;
    x = canvas_text(c, at->in, x, at->y, ROLE_sentence, tx(v->lang, w->side ? TX_TN_WRITES : TX_TN_READS)) + 2;
    draw_for(v, c, at, x, w->since);
    at->y++;
}

static void draw_waiters(const struct view *v, struct canvas *c, struct at *at)
{
    struct model_waiter *w;
    uint32_t n, conns = 0;
    (void)model_waiters(v->md, WAITERS_SHOWN, &w, &n); /* without memory none are shown in this frame */
    for (uint32_t i = 0; i < n; i++)
        conns += w[i].object.kind == OBJ_CONN;
    for (uint32_t i = 0, left = conns; left && i < n && has_room(at); i++) {
        if (w[i].object.kind != OBJ_CONN)
            continue;
        if (left > 1 && at->y == at->in.y + at->in.h - 1)
            canvas_printf(c, at->in, at->x, at->y++, ROLE_dim, tx(v->lang, TX_TN_MORE_WAITERS), left);
        else
            draw_waiter(v, c, at, &w[i]);
        left--;
    }
    if (!conns && has_room(at))
        canvas_text(c, at->in, at->x, at->y++, ROLE_dim, tx(v->lang, is_partial(v) ? TX_UNKNOWN : TX_TN_NO_WAITER));
    free(w);
}

/* ---- the pane ---- */

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    struct rect in = {p->in.x + 1, p->in.y, p->in.w - 2, p->in.h};
    if (!v->md)
        return;
    const char *timers = tx(v->lang, TX_TN_TIMERS), *poller = tx(v->lang, TX_TN_POLLER);
    int head = text_width(timers) > text_width(poller) ? text_width(timers) : text_width(poller);
    struct at at = {in, in.x + head + 2, in.y};
    int least = in.h >= 4 ? 2 : in.h > 1; /* rows of the poller */
    canvas_text(c, in, in.x, at.y, ROLE_heading, timers);
    draw_heaps(v, c, &at, in.h - least);
    if (model_heaps_are_buckets(v->md) || v->st.no_p)
        draw_timerprocs(v, c, &at, in.y + in.h - least);
    if (!has_room(&at))
        return;
    canvas_text(c, in, in.x, at.y, ROLE_heading, poller);
    draw_pollers(v, c, &at);
    if (has_room(&at))
        draw_waiters(v, c, &at);
}

const struct pane_ops pane_timers_netpoll = {.draw = draw};
