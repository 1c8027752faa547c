/* See shares.h. */
#include "ui/panes/parts/shares.h"

#include "ui/panes/parts/life.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GS_MOST = 1 << 20, AGAIN = SHARES_EVENTS / 4 };

/* ---- reading ---- */

struct account {
    int64_t ran, waited, longest, since;
    uint8_t state; /* enum g_status; G_IDLE: there is no account, because no event of the G was read */
};

/* Of a million Gs few have run lately, and they are neighbours. So accounts are made by the page. */
enum { PAGE = 256 };

struct reading {
    struct account **page; /* by nth_g() / PAGE; NULL: none of its Gs has an account */
    uint32_t n;            /* Gs */
    bool oom;
    uint64_t to;
    int64_t start;
};

/* Returns the place of a G of the program among the accounts, 0 if it has none. */
static uint32_t nth_g(const struct reading *r, uint32_t g)
{
    uint32_t nth = g >= EV_SYSTEM_G ? g - EV_SYSTEM_GS : g;
    return ev_is_system_g(g) || nth >= r->n ? 0 : nth;
}

static void end_state(struct account *a, int64_t now)
{
    int64_t ns = now - a->since;
    if (a->state == G_RUNNING)
        a->ran += ns;
    if (a->state != G_RUNNABLE)
        return;
    a->waited += ns;
    a->longest = ns > a->longest ? ns : a->longest;
}

/* Returns the state that ends with the first known event of a G. */
static uint8_t state_before(const struct ev *e)
{
    switch (e->kind) {
    case EV_G_START:
        return G_RUNNABLE;
    case EV_G_PARK:
    case EV_G_PREEMPT:
    case EV_G_YIELD:
    case EV_G_END:
    case EV_SYSCALL_ENTER:
        return G_RUNNING;
    default:
        return G_DEAD;
    }
}

/* Caller: the G has an account. */
static struct account *account_at(const struct reading *r, uint32_t nth)
{
    return &r->page[nth / PAGE][nth % PAGE];
}

/* Returns the account of a G, which begins in this state if there is none yet; NULL: out of memory. */
static struct account *account_of(struct reading *r, uint32_t nth, uint8_t state)
{
    struct account **page = &r->page[nth / PAGE];
    if (!*page && !(*page = calloc(PAGE, sizeof **page))) {
        r->oom = true;
        return NULL;
    }
    struct account *a = account_at(r, nth);
    if (a->state == G_IDLE)
        *a = (struct account){.since = r->start, .state = state};
    return a;
}

/* Returns the next G that has an account, 0 if there is none. */
static uint32_t next_account(const struct reading *r, uint32_t nth)
{
    while (++nth < r->n)
        if (!r->page[nth / PAGE])
            nth |= PAGE - 1;
        else if (account_at(r, nth)->state != G_IDLE)
            return nth;
    return 0;
}

static bool add_event(void *ctx, const struct history_event *e)
{
    struct reading *r = ctx;
    if (e->number > r->to)
        return true;
    uint32_t nth = nth_g(r, e->ev.g);
    int state = nth ? life_state_after(e->ev.g, &e->ev) : -1;
    struct account *a = state >= 0 ? account_of(r, nth, state_before(&e->ev)) : NULL;
    if (a) {
        end_state(a, e->ev.time);
        a->state = (uint8_t)state;
        a->since = e->ev.time;
    }
    return e->number == r->to || r->oom;
}

/* Adds the time up to `now`. A G without an event was in its state all the time; one that wanted no P does not count. */
static void add_rest(const struct model *md, struct reading *r, int64_t now)
{
    for (uint32_t g = 0; (g = model_next_live(md, g));) {
        uint32_t nth = nth_g(r, g);
        uint8_t state = model_g(md, g)->status;
        bool wants = state == G_RUNNING || state == G_RUNNABLE;
        if (nth && wants)
            account_of(r, nth, state);
    }
    for (uint32_t i = 0; (i = next_account(r, i));)
        end_state(account_at(r, i), now);
}

static double share_of(const struct share *x)
{
    return x->ran + x->waited ? (double)x->ran / (double)(x->ran + x->waited) : 0;
}

static struct share share_at(const struct reading *r, uint32_t i)
{
    const struct account *a = account_at(r, i);
    return (struct share){.g = i < EV_SYSTEM_G ? i : i + EV_SYSTEM_GS, .ran = a->ran, .waited = a->waited, .longest = a->longest};
}

static void keep(struct shares *s, struct share x)
{
    int at = s->kept;
    while (at > 0 && x.lost > s->worst[at - 1].lost)
        at--;
    if (at == SHARES_KEPT)
        return;
    s->kept += s->kept < SHARES_KEPT;
    memmove(s->worst + at + 1, s->worst + at, (size_t)(s->kept - 1 - at) * sizeof *s->worst);
    s->worst[at] = x;
}

static void sum_up(struct shares *s, const struct reading *r)
{
    double sum = 0, squares = 0;
    for (uint32_t i = 0; (i = next_account(r, i));) {
        struct share x = share_at(r, i);
        s->n += x.ran + x.waited > 0;
        sum += share_of(&x);
        squares += share_of(&x) * share_of(&x);
    }
    s->mean = s->n ? sum / s->n : 0;
    s->index = squares > 0 ? sum * sum / (s->n * squares) : 1;
    for (uint32_t i = 0; (i = next_account(r, i));) {
        struct share x = share_at(r, i);
        x.lost = s->mean * (double)(x.ran + x.waited) - (double)x.ran;
        if (x.ran + x.waited > 0)
            keep(s, x);
    }
}

void shares_read(struct shares *s, const struct view *v, struct history *h)
{
    uint64_t to = v->st.events, oldest = history_oldest(h);
    bool still = v->st.paused || v->st.ended || v->st.back;
    uint64_t again = s->at / 8 < AGAIN ? s->at / 8 : AGAIN;
    if (s->at && s->run == v->st.run && to >= s->at && (to == s->at || (!still && to - s->at < again)))
        return;
    uint64_t from = to > SHARES_EVENTS && to - SHARES_EVENTS > oldest ? to - SHARES_EVENTS : oldest;
    uint64_t made = model_counters(v->md)->goroutines + 1;
    struct reading r = {.n = made < GS_MOST ? (uint32_t)made : GS_MOST, .to = to};
    struct history_event first = {0};
    *s = (struct shares){.run = v->st.run, .from = from};
    r.page = calloc(r.n / PAGE + 1, sizeof *r.page);
    if (to && r.page) {
        r.start = from && history_get(h, from, &first) ? first.ev.time : 0;
        if (to > from)
            history_find(h, from + 1, 1, add_event, &r);
        add_rest(v->md, &r, v->st.time);
    }
    if (to && r.page && !r.oom) {
        sum_up(s, &r);
        s->at = to;
    }
    for (uint32_t i = 0; r.page && i <= r.n / PAGE; i++)
        free(r.page[i]);
    free(r.page);
}

/* ---- drawing ---- */

/* x of the right ends of the columns; 0: there is no room for it. */
struct columns {
    int name, share, of_mean, longest, waited, ran;
};

enum { NAME_W = 10, SHARE_W = 7, MEAN_W = 9, TIME_W = TIME_TEXT_W + 1 };

static struct columns columns_for(const struct view *v, struct rect r)
{
    struct columns k = {.name = r.x + g_width(v) + 1};
    int *const times[] = {&k.longest, &k.waited, &k.ran};
    k.share = k.name + NAME_W + SHARE_W - 1;
    k.of_mean = k.share + MEAN_W;
    for (int i = 0, x = k.of_mean; i < 3 && (x += TIME_W) < r.x + r.w; i++)
        *times[i] = x;
    return k;
}

static void draw_head(const struct view *v, struct canvas *c, struct rect r, const struct columns *k)
{
    canvas_text(c, r, r.x, r.y, ROLE_heading, "G");
    canvas_text(c, r, k->name, r.y, ROLE_heading, tx(v->lang, TX_METER_PROGRAM));
    canvas_right(c, r, k->share, r.y, ROLE_heading, tx(v->lang, TX_METER_SHARE));
    canvas_right(c, r, k->of_mean, r.y, ROLE_heading, tx(v->lang, TX_METER_OF_MEAN));
    if (k->longest)
        canvas_right(c, r, k->longest, r.y, ROLE_heading, tx(v->lang, TX_METER_LONGEST));
    if (k->waited)
        canvas_right(c, r, k->waited, r.y, ROLE_heading, tx(v->lang, TX_METER_WAITED));
    if (k->ran)
        canvas_right(c, r, k->ran, r.y, ROLE_heading, tx(v->lang, TX_METER_RAN));
}

static void draw_time(struct canvas *c, struct rect r, int x, int64_t ns)
{
    char text[32];
    if (x)
        canvas_right(c, r, x, r.y, ns ? ROLE_number : ROLE_dim, time_text(ns, text, sizeof text));
}

int shares_find(const struct shares *s, uint32_t tag)
{
    for (int i = 0; i < s->kept; i++)
        if (tag == tag_of('G', s->worst[i].g))
            return i;
    return -1;
}

/* The rows of r: the index, the meaning of a share if there is room for it, the head, Gs, and what is left out. */
static bool has_meaning(struct rect r)
{
    enum { MEANING_W = 44 };
    return r.h >= 6 && r.w >= MEANING_W;
}

static int rows_for_gs(struct rect r)
{
    return r.h < 3 ? 0 : r.h - 2 - has_meaning(r);
}

static bool is_cut(const struct shares *s, struct rect r)
{
    return s->n > (uint32_t)rows_for_gs(r) && rows_for_gs(r) > 2;
}

int shares_rows(const struct shares *s, struct rect r)
{
    int rows = rows_for_gs(r) - is_cut(s, r);
    return rows < s->kept ? rows : s->kept;
}

/* The window follows the selected G alone, so the picture does not depend on the way to it. */
static int first_row(const struct shares *s, const struct view *v, int rows)
{
    int first = shares_find(s, v->selected) - rows / 2, most = s->kept - rows;
    first = first > most ? most : first;
    return first > 0 ? first : 0;
}

static void draw_index(const struct shares *s, const struct view *v, struct canvas *c, struct rect r)
{
    static const enum text_id form[] = {TX_METER_FAIRNESS_OF, TX_METER_FAIRNESS_SHORT, TX_METER_FAIRNESS_LEAST};
    char text[160] = "";
    int x = canvas_text(c, r, r.x, r.y, ROLE_heading, tx(v->lang, TX_METER_FAIRNESS));
    x = canvas_printf(c, r, x + 1, r.y, ROLE_number, "%.2f", s->index) + 2;
    for (size_t i = 0; i < sizeof form / sizeof *form && (i == 0 || x + canvas_width(c, text) > r.x + r.w); i++) {
        int n = snprintf(text, sizeof text, tx(v->lang, form[i]), s->n);
        if (s->from)
            snprintf(text + n, sizeof text - (size_t)n, tx(v->lang, TX_METER_NEWEST), (unsigned)SHARES_EVENTS);
    }
    canvas_text(c, r, x, r.y, ROLE_dim, text);
}

void shares_draw(const struct shares *s, const struct view *v, struct canvas *c, struct rect r)
{
    struct columns k = columns_for(v, r);
    int rows = shares_rows(s, r), first = first_row(s, v, rows), y = r.y;
    if (!s->at || !s->n || r.h < 1 || k.of_mean >= r.x + r.w)
        return;
    draw_index(s, v, c, (struct rect){r.x, y++, r.w, 1});
    if (!rows)
        return;
    if (has_meaning(r))
        canvas_text(c, r, r.x, y++, ROLE_dim, tx(v->lang, TX_METER_SHARE_IS));
    draw_head(v, c, (struct rect){r.x, y++, r.w, 1}, &k);
    for (int i = first; i < first + rows; i++) {
        const struct share *x = &s->worst[i];
        const char *name = model_fn_name(v->md, x->g);
        struct rect line = {r.x, y++, r.w, 1};
        char text[32];
        draw_g(c, line, r.x, line.y, x->g, false);
        canvas_text(c, (struct rect){k.name, line.y, NAME_W, 1}, k.name, line.y, ROLE_plain, name ? name : "");
        snprintf(text, sizeof text, "%.1f %%", 100 * share_of(x));
        canvas_right(c, line, k.share, line.y, ROLE_number, text);
        snprintf(text, sizeof text, "×%.2f", s->mean > 0 ? share_of(x) / s->mean : 0);
        canvas_right(c, line, k.of_mean, line.y, share_of(x) < s->mean / 2 ? ROLE_changed : ROLE_number, text);
        draw_time(c, line, k.longest, x->longest);
        draw_time(c, line, k.waited, x->waited);
        draw_time(c, line, k.ran, x->ran);
    }
    if (!is_cut(s, r))
        return;
    /* those to which keys scroll, and those that are not kept */
    int end = canvas_printf(c, r, r.x, y, ROLE_dim, tx(v->lang, TX_METER_ROWS), first, s->kept - first - rows);
    if (s->n > (uint32_t)s->kept)
        canvas_printf(c, r, end, y, ROLE_dim, tx(v->lang, TX_METER_NOT_KEPT), s->n - (uint32_t)s->kept);
}
