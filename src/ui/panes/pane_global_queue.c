/* Global queue: its Gs in order. Below them are the counts of the whole scheduler: spinning Ms, idle Ps and Ms, runnable and parked Gs. */
#include "ui/panes/panes.h"
#include "ui/panes/parts/wrap.h"

#include <stdio.h>

enum { COUNTS = 6, COUNTS_LOW = 4, COUNTS_NO_P = 3, LABEL_W = 13, VALUE_W = 6, SHOW_BOTH = 40 };

static void draw_queue(const struct view *v, struct canvas *c, struct rect r)
{
    const uint32_t *q;
    uint32_t n = model_globq(v->md, &q);
    int cell = g_width(v) + 1, columns = r.w / cell > 0 ? r.w / cell : 1, room = columns * r.h, i;
    char text[64] = "";
    bool open = not_known(v, KNOW_GLOBQ_LEN, 0);
    if (n == 0 && open) {
        draw_not_recorded(v, c, r);
        return;
    }
    bool derived = draw_derived(v, c, (struct rect){r.x - 1, r.y, 1, 1}, KNOW_GLOBQ, 0);
    if (n == 0) {
        wrap_draw(c, r, ROLE_dim, tx(v->lang, v->st.no_p ? TX_EMPTY_ONLY_QUEUE : TX_EMPTY_GLOBQ));
        return;
    }
    if ((int)n > room) {
        snprintf(text, sizeof text, tx(v->lang, TX_MORE), n - (uint32_t)room);
        room -= (canvas_width(c, text) + cell) / cell;
        snprintf(text, sizeof text, tx(v->lang, TX_MORE), n - (uint32_t)(room > 0 ? room : 0));
    }
    for (i = 0; i < (int)n && i < room; i++)
        draw_queued(c, r, r.x + i % columns * cell, r.y + i / columns,
                    (struct queued){g_in_queue(q[i]), q[i] && !was_in_globq(v, q[i]), derived});
    canvas_text(c, r, r.x + i % columns * cell, r.y + i / columns, ROLE_dim, open && !*text ? "…?" : text);
}

typedef uint32_t list_of(const struct model *md, const uint32_t **from_top);

static bool was_in(const struct view *v, list_of *list, uint32_t id)
{
    const uint32_t *was;
    uint32_t n = v->base ? list(v->base, &was) : 0;
    for (uint32_t i = 0; i < n; i++)
        if (was[i] == id)
            return true;
    return !v->base;
}

/* Draws the idle Ps or Ms, "P3 P1 …", from the top of their list; "+2" stands for those that do not fit. */
static void draw_list(const struct view *v, struct canvas *c, struct rect r, int x, int y, char prefix)
{
    list_of *list = prefix == 'P' ? model_idlep : model_idlem;
    const uint32_t *id;
    uint32_t n = list(v->md, &id);
    int end = r.x + r.w;
    if (not_known(v, prefix == 'P' ? KNOW_IDLE_P : KNOW_IDLE_M, 0)) { /* which are idle, or only how many */
        char text[KNOWN_TEXT];
        known_number(v, prefix == 'P' ? KNOW_IDLE_P_N : KNOW_IDLE_M, 0, model_npidle(v->md), text);
        canvas_text(c, r, x, y, ROLE_dim, text);
        return;
    }
    if (n == 0) {
        int text_end = canvas_text(c, r, x, y, ROLE_dim, tx(v->lang, TX_NONE));
        if (v->base && list(v->base, &id))
            canvas_mark(c, r, x, y, text_end - x);
    }
    for (uint32_t i = 0; i < n; i++) {
        int w = 1 + digits(id[i]), need = i + 1 < n ? 2 + digits(n - i) : 0;
        if (x + w + need > end) {
            int more_end = canvas_printf(c, r, x, y, ROLE_dim, "+%u", n - i);
            if (v->base && list(v->base, &id) != n)
                canvas_mark(c, r, x, y, more_end - x);
            return;
        }
        draw_label(c, r, x, y, (struct label){prefix, id[i], ROLE_plain, false});
        if (!was_in(v, list, id[i]))
            canvas_mark(c, r, x, y, w);
        x += w + 1;
    }
}

/* An M may spin while 2 * nmspinning < busy, so at most half of the busy Ps, rounded up, have a spinning M. */
static void draw_spinning(const struct view *v, struct canvas *c, struct rect r, int x)
{
    const uint32_t *idle;
    uint32_t spinning = model_nmspinning(v->md), busy = model_np(v->md) - model_idlep(v->md, &idle), most = (busy + 1) / 2;
    bool changed = v->base && model_nmspinning(v->base) != spinning;
    char text[96];
    if (model_knows(v->md, KNOW_SPINNING, 0) != KNOWN_FACT || not_known(v, KNOW_IDLE_P_N, 0)) {
        canvas_text(c, r, x, r.y, ROLE_dim, known_number(v, KNOW_SPINNING, 0, spinning, text));
        return;
    }
    x = canvas_printf(c, r, x, r.y, spinning ? ROLE_spinning : ROLE_number, "%u%s", spinning, changed ? "*" : "") + 2;
    snprintf(text, sizeof text, tx(v->lang, TX_HALF_OF_BUSY), most, busy);
    if (x + canvas_width(c, text) > r.x + r.w)
        snprintf(text, sizeof text, tx(v->lang, TX_AT_MOST), most);
    x -= x + canvas_width(c, text) > r.x + r.w; /* one blank before it, not two */
    canvas_text(c, r, x, r.y, ROLE_dim, text);
}

/* Draws the number of Gs of a status: its label, and the number `gap` columns after the label begins. */
static void draw_number(const struct view *v, struct canvas *c, struct rect at, int gap, enum g_status status)
{
    int x = at.x + gap;
    canvas_text(c, at, at.x, at.y, ROLE_sentence, tx(v->lang, status == G_WAITING ? TX_PARKED : TX_RUNNABLE));
    char text[KNOWN_TEXT];
    int end = canvas_text(c, at, x, at.y, ROLE_number, known_gs(v, model_count_g(v->md, status), text));
    if (v->base && model_count_g(v->base, status) != model_count_g(v->md, status))
        canvas_mark(c, at, x, at.y, end - x);
}

/* Returns the part of r from (x, y) on. */
static struct rect from(struct rect r, int x, int y)
{
    return (struct rect){x, y, r.x + r.w - x, r.y + r.h - y};
}

/* Draws the numbers of runnable and parked Gs: below the other counts, or next to the last of them if the pane is low. */
static void draw_gs(const struct view *v, struct canvas *c, struct rect r)
{
    int gap = text_width(tx(v->lang, TX_RUNNABLE)) + 1, last = text_width(tx(v->lang, TX_PARKED)) + 1;
    int x = r.x + LABEL_W + 2, runnable = digits(model_count_g(v->md, G_RUNNABLE)), x2 = x + gap + (runnable > 2 ? runnable : 2) + 1;
    if (v->st.no_needspinning) { /* its row is free */
        draw_number(v, c, from(r, r.x, r.y + 3), LABEL_W, G_RUNNABLE);
        draw_number(v, c, from(r, r.x, r.y + 4), LABEL_W, G_WAITING);
    } else if (r.h >= COUNTS) {
        draw_number(v, c, from(r, r.x, r.y + 4), LABEL_W, G_RUNNABLE);
        draw_number(v, c, from(r, r.x, r.y + 5), LABEL_W, G_WAITING);
    } else if (r.h == COUNTS_LOW && x + gap + 3 + last + 2 <= r.x + r.w) {
        draw_number(v, c, from(r, x, r.y + 3), gap, G_RUNNABLE);
        if (x2 + last + digits(model_count_g(v->md, G_WAITING)) <= r.x + r.w)
            draw_number(v, c, from(r, x2, r.y + 3), last, G_WAITING);
    }
}

/* Returns the column of the values. In a narrow pane the labels get no more columns than the three short ones need, so that values have room. */
static int value_x(const struct view *v, struct rect r)
{
    int spinning = text_width(tx(v->lang, TX_SPINNING)), p = text_width(tx(v->lang, TX_IDLE_P)), m = text_width(tx(v->lang, TX_IDLE_M));
    int widest = spinning > p ? spinning : p;
    return r.x + (r.w < LABEL_W + VALUE_W ? (widest > m ? widest : m) + 1 : LABEL_W);
}

static void draw_counts(const struct view *v, struct canvas *c, struct rect r)
{
    static const enum text_id label[] = {TX_SPINNING, TX_IDLE_P, TX_IDLE_M, TX_NEEDSPINNING};
    int x = value_x(v, r);
    for (int i = 0; i < COUNTS_LOW - v->st.no_needspinning; i++)
        canvas_text(c, r, r.x, r.y + i, ROLE_sentence, tx(v->lang, label[i]));
    draw_spinning(v, c, r, x);
    draw_list(v, c, r, x, r.y + 1, 'P');
    draw_list(v, c, r, x, r.y + 2, 'M');
    draw_gs(v, c, r);
    if (v->st.no_needspinning)
        return;
    bool need = model_needspinning(v->md), changed = v->base && model_needspinning(v->base) != need;
    if (not_known(v, KNOW_SPINNING, 0) || is_partial(v)) { /* nobody counts it */
        canvas_text(c, r, r.x + LABEL_W, r.y + 3, ROLE_dim, "?");
        return;
    }
    bool star = changed && r.h >= COUNTS; /* otherwise the next word begins there */
    canvas_printf(c, r, r.x + LABEL_W, r.y + 3, need ? ROLE_spinning : ROLE_number, "%d%s", need, star ? "*" : "");
    if (changed && !star)
        canvas_mark(c, r, r.x + LABEL_W, r.y + 3, 1);
}

/* Without Ps there are no idle Ps and no spinning Ms to count. */
static void draw_counts_no_p(const struct view *v, struct canvas *c, struct rect r)
{
    canvas_text(c, r, r.x, r.y, ROLE_sentence, tx(v->lang, TX_IDLE_M));
    draw_list(v, c, r, r.x + LABEL_W, r.y, 'M');
    draw_number(v, c, from(r, r.x, r.y + 1), LABEL_W, G_RUNNABLE);
    draw_number(v, c, from(r, r.x, r.y + 2), LABEL_W, G_WAITING);
}

/* Returns the rows for the counts: for all if there is also room for a line and two rows of the queue, otherwise for the first ones. */
static int counts_rows(int rows, bool no_p)
{
    if (no_p)
        return rows > COUNTS_NO_P ? COUNTS_NO_P : rows - 1;
    return rows >= COUNTS + 3 ? COUNTS : rows > COUNTS_LOW ? COUNTS_LOW : rows - 1;
}

/* Says, in the line above the counts, what keeps the world from running and which Ps the stopping M still waits for, or that the collector
 * is active. The line is always there, so nothing moves. */
static void draw_world(const struct view *v, struct canvas *c, struct rect r)
{
    struct model_world w = model_world(v->md);
    uint32_t wait = 0;
    if (w.state == WORLD_RUNS && w.phase == GCPHASE_OFF)
        return;
    if (w.state == WORLD_RUNS) {
        canvas_printf(c, r, r.x, r.y, ROLE_netpoll, " %s ", tx(v->lang, w.phase == GCPHASE_MARK ? TX_GC_MARKS : TX_GC_TERMINATES));
        return;
    }
    for (uint32_t p = 0; p < model_np(v->md); p++)
        wait += p_must_stop(v, p);
    bool both = v->st.no_p || !wait || r.w >= SHOW_BOTH;
    int x = canvas_text(c, r, r.x, r.y, ROLE_error, both ? " gcwaiting 1 " : "");
    x = canvas_text(c, r, x, r.y, ROLE_error, v->st.no_p ? "" : " stopwait ");
    if (!v->st.no_p)
        x = canvas_printf(c, r, x, r.y, ROLE_error, "%u ", wait);
    for (uint32_t p = 0; p < model_np(v->md); p++)
        if (p_must_stop(v, p) && x + 2 + digits(p) <= r.x + r.w)
            x = canvas_text(c, r, draw_label(c, r, x, r.y, (struct label){'P', p, ROLE_error, false}), r.y, ROLE_error, " ");
}

static void title(const struct pane *p, const struct view *v, char *buf, size_t size)
{
    (void)p;
    uint32_t n = v->md ? model_globq(v->md, NULL) : 0;
    bool changed = v->base && model_globq(v->base, NULL) != n;
    char text[KNOWN_TEXT] = "0";
    if (v->md)
        known_number(v, KNOW_GLOBQ_LEN, 0, n, text);
    snprintf(buf, size, "%s ─ %s%s", tx(v->lang, TX_GLOBAL_QUEUE), text, changed ? "*" : "");
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    struct rect in = p->in;
    if (!v->md)
        return;
    struct rect queue = {in.x + 1, in.y, in.w - 2, in.h}, counts = queue;
    counts.h = counts_rows(in.h, v->st.no_p);
    counts.y = in.y + in.h - counts.h;
    queue.h = in.h - counts.h;
    if (queue.h >= 3) {
        queue.h--;
        canvas_hline(c, in, in.x, counts.y - 1, in.w, ROLE_border, 0x2500);
        draw_world(v, c, (struct rect){in.x + 1, counts.y - 1, in.w - 2, 1});
    }
    (v->st.no_p ? draw_counts_no_p : draw_counts)(v, c, counts);
    draw_queue(v, c, queue);
}

const struct pane_ops pane_global_queue = {.title = title, .draw = draw};
