/* Metrics: what the run has come to, up to the state that is shown.
 *
 *   runnable until start  p50 1.2 µs  p99 1.004 ms  max 1.004 ms  of 40
 *      ▂█▅▁      ▁
 *        1µs   10   100  1ms
 *   8 of 9 Gs ended   31 rounds   412 events, 103 a ms
 *   P0 ████████·· 83 %   P1 ███······· 34 %
 *   program   Gs      CPU        a G    longest wait
 *   worker     8   8.000 ms   1.000 ms   7.012 ms G9
 *   fairness: 0.61  Jain's index of 9 shares; 1: all equal
 *   share = ran / (ran + waited while runnable)
 *   G   program   share  of mean  longest wait
 *   G9  worker    3.1 %    ×0.21      7.012 ms
 *
 * The fold sums up the waits and what programs have used; the history knows what each P did. A low pane
 * leaves out the Gs of the fairness (shares.h) first, then the histogram, then the index of fairness. The keys select one of those Gs after
 * the other, and the rows follow. */
#include "model/history/history.h"
#include "ui/panes/panes.h"
#include "ui/panes/parts/shares.h"
#include "ui/panes/parts/scroll.h"

#include <stdio.h>
#include <stdlib.h>

enum { PS_MOST = 1024, WIDE = 100, WAITS_MOST = 11 };
enum { SHARES_LEAST = 4, SHARES_FROM = 8 }; /* rows of the fairness; with so many rows for it and the waits, it is more than its index */
enum { WAITS_LEAST = 2, WAITS_AXIS = 3 };   /* rows of the waits without the histogram; one more has no room for a column and the axis */

struct state {
    bool known;
    uint32_t np;
    int64_t length, ran[PS_MOST]; /* ns: of the run, and for which each P ran a G; -1: not known */
    struct shares shares;
};

/* ---- reading ---- */

struct reading {
    struct state *s;
    const struct view *v;
};

/* The last stretch, from the last event to the time that is shown, has no event: each P goes on as it was. */
static void read_it(struct history *h, void *ctx)
{
    const struct reading *r = ctx;
    struct state *s = r->s;
    struct history_bins b;
    shares_read(&s->shares, r->v, h);
    s->known = history_bins_by_event(h, history_oldest(h), r->v->st.events, 1, &b);
    if (!s->known)
        return;
    int64_t rest = r->v->st.time - b.bin[0].end;
    rest = rest > 0 ? rest : 0;
    s->length = b.bin[0].end - b.bin[0].start + rest;
    s->np = b.np < PS_MOST ? b.np : PS_MOST;
    for (uint32_t p = 0; p < s->np; p++)
        s->ran[p] = is_partial(r->v) && (b.p[p].ns[P_DOES_UNKNOWN] || b.p[p].ns[P_DOES_NOTHING] || b.p[p].doing == P_DOES_UNKNOWN)
                        ? -1
                        : b.p[p].ns[P_DOES_RUN] + (b.p[p].doing == P_DOES_RUN ? rest : 0);
    history_bins_free(&b);
}

static void prepare(const struct pane *p, const struct view *v, const struct pane_source *from)
{
    struct state *s = p->state;
    s->known = false;
    if (v->md)
        from->query(from->session, read_it, &(struct reading){s, v});
}

/* ---- how long Gs were runnable ---- */

enum { BIN_FIRST = 6, BIN_LAST = 33, BINS = BIN_LAST - BIN_FIRST + 1 }; /* 64 ns … 17 s; the outermost also have what is beyond */

/* Draws the times below the columns, each where its bin is. */
static void draw_axis(struct canvas *c, struct rect in, int y, int cell)
{
    static const struct {
        int bin;
        const char *text;
        bool main;
    } tick[] = {{6, "100ns", false}, {9, "1µs", true},   {13, "10", false}, {16, "100", false}, {19, "1ms", true},
                {23, "10", false},   {26, "100", false}, {29, "1s", true},  {33, "10", false}};
    for (size_t i = 0; i < sizeof tick / sizeof *tick; i++)
        if (cell > 1 || tick[i].main)
            canvas_text(c, in, in.x + (tick[i].bin - BIN_FIRST) * cell, y, ROLE_dim, tick[i].text);
}

/* Any time at all is seen as a bar. */
static void draw_histogram(const struct view *v, struct canvas *c, struct rect r)
{
    uint64_t all[WAIT_BINS], bin[BINS] = {0}, most = 0;
    int cell = r.w >= 2 * BINS ? 2 : 1;
    model_waits(v->md, all);
    for (int i = 0; i < WAIT_BINS; i++)
        bin[i < BIN_FIRST ? 0 : i > BIN_LAST ? BINS - 1 : i - BIN_FIRST] += all[i];
    for (int i = 0; i < BINS; i++)
        most = bin[i] > most ? bin[i] : most;
    for (int i = 0; i < BINS && most; i++) {
        uint64_t eighths = (bin[i] * (uint64_t)(r.h - 1) * 8 + most - 1) / most;
        for (int y = r.y + r.h - 2; eighths; y--) {
            uint64_t here = eighths < 8 ? eighths : 8;
            for (int x = 0; x < (cell > 1 ? cell - 1 : 1); x++)
                canvas_put(c, r, r.x + i * cell + x, y, ROLE_number, 0x2580 + (uint32_t)here);
            eighths -= here;
        }
    }
    draw_axis(c, r, r.y + r.h - 1, cell);
}

/* Draws "p50 10 ns  p99 …" from x on, without the first ones. If c is NULL, only measures. Returns the x after it. */
static int draw_values(struct canvas *c, struct rect r, int x, const int64_t value[LATENCIES], int without)
{
    static const char *const name[LATENCIES] = {"p50", "p99", "max"};
    for (int i = without; i < LATENCIES; i++) {
        char text[32];
        int at = x, name_w = text_width(name[i]);
        x += name_w + 1 + text_width(duration_text(value[i], text, sizeof text)) + 2;
        if (c) {
            canvas_text(c, r, at, r.y, ROLE_dim, name[i]);
            canvas_text(c, r, at + name_w + 1, r.y, ROLE_number, text);
        }
    }
    return x;
}

/* With the long heading and the count, if there is room for them; then the median gives way, and the short heading. */
static void draw_latency(const struct view *v, struct canvas *c, struct rect r)
{
    static const enum text_id heading[] = {TX_METER_LATENCY, TX_METER_LATENCY_SHORT};
    int64_t value[LATENCIES];
    uint64_t bin[WAIT_BINS], n = model_waits(v->md, bin);
    char of[64];
    if (is_partial(v)) { /* Gs that began to wait before, or that nobody saw, are missing */
        draw_not_recorded(v, c,
                          (struct rect){canvas_text(c, r, r.x, r.y, ROLE_heading, tx(v->lang, TX_METER_LATENCY_SHORT)) + 2, r.y, r.w, 1});
        return;
    }
    model_latency(v->md, &value[0], &value[1], &value[2]);
    snprintf(of, sizeof of, tx(v->lang, TX_METER_OF), (unsigned long long)n);
    int least = canvas_width(c, tx(v->lang, TX_METER_LATENCY_SHORT)) + draw_values(NULL, r, 0, value, 0), without = least > r.w;
    int values = draw_values(NULL, r, 0, value, without), of_w = canvas_width(c, of), x = r.x;
    for (size_t i = 0; i < sizeof heading / sizeof *heading && x == r.x; i++) {
        const char *text = tx(v->lang, heading[i]);
        int w = canvas_width(c, text) + 2;
        if (w + values - 2 <= r.w && (i > 0 || w + values + of_w <= r.w))
            x = canvas_text(c, r, x, r.y, ROLE_heading, text) + 2;
    }
    x = draw_values(c, r, x, value, without);
    if (x + of_w <= r.x + r.w)
        canvas_text(c, r, x, r.y, ROLE_dim, of);
}

/* ---- throughput ---- */

static void draw_rate(const struct view *v, struct canvas *c, struct rect r)
{
    const struct counters *n = model_counters(v->md);
    uint32_t ended = 0;
    double ms = (double)model_time(v->md) / 1e6, rate = ms > 0 ? (double)model_events(v->md) / ms : 0;
    struct model_use *use = calloc(model_programs(v->md), sizeof *use);
    if (!use)
        return;
    model_uses(v->md, use);
    for (uint32_t i = 0; i + 1 < model_programs(v->md); i++)
        ended += use[i].ended;
    free(use);
    static const enum text_id form[] = {TX_METER_RATE, TX_METER_RATE_SHORT, TX_METER_RATE_LEAST};
    char text[256];
    if (is_partial(v)) {
        canvas_printf(c, r, r.x, r.y, ROLE_sentence, tx(v->lang, TX_METER_RATE_PARTIAL), (unsigned long long)model_events(v->md));
        return;
    }
    for (size_t i = 0; i < sizeof form / sizeof *form && (i == 0 || canvas_width(c, text) > r.w); i++)
        snprintf(text, sizeof text, tx(v->lang, form[i]), ended, (unsigned long long)n->goroutines, (unsigned long long)n->rounds,
                 (unsigned long long)model_events(v->md), rate < 10 ? 1 : 0, rate);
    canvas_text(c, r, r.x, r.y, ROLE_sentence, text);
}

/* ---- Ps ---- */

enum { BAR_W = 10, PERCENT_W = 6, GAP = 2 };

static int ps_across(const struct view *v, int w)
{
    int cell = p_width(v) + 1 + BAR_W + PERCENT_W + GAP;
    return (w + GAP) / cell > 0 ? (w + GAP) / cell : 1;
}

static int ps_rows(const struct view *v, const struct state *s, int w)
{
    int across = ps_across(v, w);
    return s->known ? ((int)s->np + across - 1) / across : 0;
}

static int percent(const struct state *s, uint32_t p, int of)
{
    return s->length > 0 ? (int)(((__int128)s->ran[p] * of + s->length / 2) / s->length) : 0; /* times go up to 2^62 ns */
}

/* One cell for each P, for many Ps. */
static void draw_strip(const struct state *s, struct canvas *c, struct rect r)
{
    for (uint32_t p = 0; p < s->np && (int)p < r.w * r.h; p++) {
        int eighths = s->ran[p] < 0 ? 0 : percent(s, p, 8);
        c->tag = tag_of('P', p);
        canvas_put(c, r, r.x + (int)p % r.w, r.y + (int)p / r.w, s->ran[p] ? ROLE_running : ROLE_dim,
                   s->ran[p] < 0 ? '?'
                   : s->ran[p]   ? 0x2580 + (uint32_t)(eighths ? eighths : 1)
                                 : 0xb7);
    }
    c->tag = 0;
}

static void draw_ps(const struct view *v, const struct state *s, struct canvas *c, struct rect r)
{
    int rows = ps_rows(v, s, r.w), cell = p_width(v) + 1 + BAR_W + PERCENT_W + GAP;
    if (!s->known || r.h <= 0 || r.w <= 0)
        return;
    if (rows > r.h) {
        draw_strip(s, c, r);
        return;
    }
    for (uint32_t p = 0; p < s->np; p++) { /* in columns, so that neighbours stand below each other */
        char text[16];
        int full = percent(s, p, BAR_W), left = r.x + (int)p / rows * cell, y = r.y + (int)p % rows, x = left + p_width(v) + 1;
        draw_label(c, r, left, y, (struct label){'P', p, ROLE_plain, false});
        if (s->ran[p] < 0) {
            canvas_text(c, r, x, y, ROLE_dim, "?");
            continue;
        }
        for (int i = 0; i < BAR_W; i++)
            canvas_put(c, r, x + i, y, i < full ? ROLE_running : ROLE_dim, i < full ? 0x2588 : 0xb7);
        snprintf(text, sizeof text, "%d %%", percent(s, p, 100));
        canvas_right(c, r, x + BAR_W + PERCENT_W - 1, y, ROLE_number, text);
    }
}

/* ---- programs ---- */

struct table {
    struct model_use *use;
    uint32_t n, shown;
};

static bool is_shown(const struct table *t, uint32_t i)
{
    return t->use[i].created > 0;
}

static bool table_read(const struct view *v, struct table *t)
{
    *t = (struct table){calloc(model_programs(v->md), sizeof *t->use), model_programs(v->md), 0};
    if (!t->use)
        return false;
    model_uses(v->md, t->use);
    for (uint32_t i = 0; i < t->n; i++)
        t->shown += is_shown(t, i);
    return true;
}

/* x of the right ends of the columns; each: 0 if there is no room for it. */
struct columns {
    int name, gs, cpu, each, wait;
};

static struct columns columns_for(struct rect r)
{
    enum { NAME = 12, NAME_NARROW = 8, GS = 6, ALL = NAME + GS + 3 * TIME_TEXT_W + 12, MEDIUM = ALL - TIME_TEXT_W };
    struct columns k = {.name = r.w >= MEDIUM ? NAME : NAME_NARROW};
    k.gs = r.x + k.name + GS - 1;
    k.cpu = k.gs + TIME_TEXT_W + 1;
    k.each = r.w >= ALL ? k.cpu + TIME_TEXT_W + 1 : 0;
    k.wait = (k.each ? k.each : k.cpu) + TIME_TEXT_W + 3;
    return k;
}

static void draw_head(const struct view *v, struct canvas *c, struct rect r, const struct columns *k)
{
    canvas_text(c, r, r.x, r.y, ROLE_heading, tx(v->lang, TX_METER_PROGRAM));
    canvas_right(c, r, k->gs, r.y, ROLE_heading, "Gs");
    canvas_right(c, r, k->cpu, r.y, ROLE_heading, "CPU");
    if (k->each)
        canvas_right(c, r, k->each, r.y, ROLE_heading, tx(v->lang, TX_METER_EACH));
    canvas_right(c, r, k->wait, r.y, ROLE_heading, tx(v->lang, TX_METER_WAIT));
}

static void draw_time(struct canvas *c, struct rect r, int x, int y, int64_t ns)
{
    char text[32];
    canvas_right(c, r, x, y, ns ? ROLE_number : ROLE_dim, time_text(ns, text, sizeof text));
}

static void draw_programs(const struct view *v, struct canvas *c, struct rect r, const struct table *t)
{
    struct columns k = columns_for(r);
    int room = r.h - 1, y = r.y + 1;
    bool cut = (int)t->shown > room;
    if (r.h < 2)
        return;
    draw_head(v, c, (struct rect){r.x, r.y, r.w, 1}, &k);
    for (uint32_t i = 0, left = t->shown; i < t->n; i++) {
        if (!is_shown(t, i))
            continue;
        if (cut && y == r.y + r.h - 1) {
            canvas_printf(c, r, r.x, y, ROLE_dim, tx(v->lang, TX_METER_MORE), left);
            return;
        }
        const struct model_use *u = &t->use[i];
        const char *name = model_program_name(v->md, i);
        char text[16];
        canvas_text(c, (struct rect){r.x, y, k.name, 1}, r.x, y, name ? ROLE_plain : ROLE_dim, name ? name : tx(v->lang, TX_METER_RUNTIME));
        snprintf(text, sizeof text, is_partial(v) ? "~%u" : "%u", u->created);
        canvas_right(c, r, k.gs, y, ROLE_number, text);
        if (is_partial(v)) { /* what they used before is not known */
            canvas_right(c, r, k.cpu, y, ROLE_dim, "?");
            canvas_right(c, r, k.wait, y, ROLE_dim, "?");
            left--;
            y++;
            continue;
        }
        draw_time(c, r, k.cpu, y, u->ran);
        if (k.each)
            draw_time(c, r, k.each, y, u->ran / u->created);
        draw_time(c, r, k.wait, y, u->waited);
        if (u->waiter && k.wait + 2 + g_width(v) <= r.x + r.w)
            draw_g(c, r, k.wait + 2, y, u->waiter, false);
        left--;
        y++;
    }
}

/* ---- the pane ---- */

/* The rows of the Ps, and of Ps and programs together. */
struct uses_rows {
    int ps, all;
};

static struct uses_rows uses_rows(const struct view *v, const struct state *s, struct rect r, const struct table *t)
{
    int programs = (int)t->shown + 1, ps = ps_rows(v, s, r.w), least = programs < 3 ? programs : 3;
    if (ps > r.h - least) { /* a strip */
        int strip = r.w > 0 && s->known ? ((int)s->np + r.w - 1) / r.w : 0;
        ps = strip < r.h ? strip : r.h;
    }
    return (struct uses_rows){ps, programs > r.h - ps ? r.h : ps + programs};
}

static int used_rows(const struct view *v, const struct state *s, int w, const struct table *t)
{
    return ps_rows(v, s, w) + (int)t->shown + 1;
}

static void draw_waits(const struct view *v, struct canvas *c, struct rect r)
{
    int rows = (r.h < WAITS_MOST ? r.h : WAITS_MOST) - 2;
    struct rect h = {r.x, r.y + 1, r.w, rows};
    draw_latency(v, c, r);
    if (h.h >= 2 && !is_partial(v))
        draw_histogram(v, c, h);
    else
        h.h = 0;
    if (r.h >= 2)
        draw_rate(v, c, (struct rect){r.x, h.y + h.h, r.w, 1});
}

/* Returns the rows for the waits, of those that the waits and the fairness share. */
static int rows_of_waits(int rest)
{
    int shares = rest >= SHARES_FROM ? SHARES_LEAST : rest > WAITS_LEAST, waits = rest - shares;
    if (waits <= WAITS_AXIS)
        return WAITS_LEAST;
    return waits < WAITS_MOST ? waits : WAITS_MOST;
}

/* Where the parts are. */
struct parts {
    struct rect waits, uses, shares;
};

static struct parts parts_of(const struct pane *p, const struct view *v, const struct table *t)
{
    const struct state *s = p->state;
    struct rect in = {p->in.x + 1, p->in.y, p->in.w - 2, p->in.h};
    struct parts at;
    if (in.w < WIDE) {
        int waits = rows_of_waits(in.h - used_rows(v, s, in.w, t));
        at.waits = (struct rect){in.x, in.y, in.w, waits};
        at.uses = (struct rect){in.x, in.y + waits, in.w, in.h - waits};
        int used = waits + uses_rows(v, s, at.uses, t).all;
        at.shares = (struct rect){in.x, in.y + used, in.w, in.h - used};
        return at;
    }
    int half = in.w / 2 - 1, x = in.x + half + 2, w = in.w - half - 2;
    at.waits = (struct rect){in.x, in.y, half, in.h};
    at.uses = (struct rect){x, in.y, w, in.h};
    int used = uses_rows(v, s, at.uses, t).all;
    used += in.h - used >= SHARES_LEAST; /* a free row */
    if (in.h - used >= in.h - WAITS_MOST - 1)
        at.shares = (struct rect){x, in.y + used, w, in.h - used};
    else
        at.shares = (struct rect){in.x, in.y + WAITS_MOST + 1, half, in.h - WAITS_MOST - 1};
    return at;
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    const struct state *s = p->state;
    struct table t;
    if (!v->md || !table_read(v, &t))
        return;
    struct parts at = parts_of(p, v, &t);
    draw_waits(v, c, at.waits);
    struct uses_rows rows = uses_rows(v, s, at.uses, &t);
    draw_ps(v, s, c, (struct rect){at.uses.x, at.uses.y, at.uses.w, rows.ps});
    draw_programs(v, c, (struct rect){at.uses.x, at.uses.y + rows.ps, at.uses.w, rows.all - rows.ps}, &t);
    if (!is_partial(v))
        shares_draw(&s->shares, v, c, at.shares);
    free(t.use);
}

/* ---- keys ---- */

/* Returns the rows of the shares. */
static int shares_room(const struct pane *p, const struct view *v)
{
    struct table t;
    if (!v->md || !table_read(v, &t))
        return 1;
    int rows = shares_rows(&((const struct state *)p->state)->shares, parts_of(p, v, &t).shares);
    free(t.use);
    return rows;
}

/* An arrow above the first row goes on to what the other parts name. The other keys begin at the first row if no G of the rows is
 * selected. */
static struct pane_request key_move(const struct pane *p, const struct view *v, int by)
{
    const struct shares *s = &((const struct state *)p->state)->shares;
    int at = shares_find(s, v->selected);
    bool arrow = by == 1 || by == -1;
    if (!s->kept || (arrow && (at < 0 || at + by < 0)))
        return (struct pane_request){.taken = false};
    int to = at < 0 && by < SCROLL_END ? 0 : scroll_to(at, by, shares_room(p, v), s->kept);
    return (struct pane_request){.taken = true, .select = tag_of('G', s->worst[to].g)};
}

static const struct pane_key key[] = {
    SCROLL_KEYS(key_move, TX_METER_UP, TX_METER_DOWN, TX_METER_HOME, TX_METER_END, TX_SHORT_SELECT),
};

const struct pane_ops pane_metrics = {
    .key = key,
    .nkeys = sizeof key / sizeof *key,
    .state_bytes = sizeof(struct state),
    .prepare = prepare,
    .draw = draw,
};
