/* Threads: one row for each M with what it does, its P and G, and the duration of a system call. On a screen without this pane, `processors`
 * has such a row for the M of a detail event that the run stopped at. */
#include "ui/panes/panes.h"
#include "ui/term/keycodes.h"

#include <stdio.h>

struct columns {
    int m, state, p, what, name;
};

static struct columns columns_for(const struct view *v, struct rect in)
{
    struct columns k;
    k.m = in.x + 1;
    k.state = k.m + m_width(v) + 1;
    k.p = k.state + 3;
    k.what = k.p + p_width(v) + 2;
    k.name = in.x + in.w - k.what > 30 ? 12 : 8;
    return k;
}

struct row {
    const struct view *v;
    struct canvas *c;
    struct rect in;
    const struct columns *k;
    int y;
    uint32_t m;
};

static int draw_what_g(const struct row *r)
{
    uint32_t g = model_m(r->v->md, r->m)->curg;
    bool changed = r->v->base && r->m < model_nm(r->v->base) && model_m(r->v->base, r->m)->curg != g;
    int x = r->k->what + g_width(r->v) + 2;
    draw_g(r->c, r->in, r->k->what, r->y, g, changed);
    return draw_name(r->v, r->c, r->in, (struct rect){x, r->y, r->k->name, 1}, g) + 2;
}

static void draw_syscall(const struct row *r)
{
    const struct model_m *mm = model_m(r->v->md, r->m);
    const struct model_g *mg = model_g(r->v->md, mm->curg);
    int x = draw_what_g(r);
    int64_t now = r->v->st.time > model_time(r->v->md) ? r->v->st.time : model_time(r->v->md), since = mg ? mg->since : mm->since;
    char dur[32], text[96];
    duration_text(now > since ? now - since : 0, dur, sizeof dur);
    if (mg && not_known(r->v, KNOW_G_SINCE, mg->id))
        snprintf(dur, sizeof dur, "?");
    snprintf(text, sizeof text, tx(r->v->lang, TX_M_SYSCALL), dur);
    x = canvas_text(r->c, r->in, x, r->y, ROLE_syscall, text);
    if (mm->oldp != EV_NONE && !mm->wired) {
        int end = r->in.x + r->in.w;
        snprintf(text, sizeof text, tx(r->v->lang, TX_M_WAS_P), mm->oldp);
        if (x + 2 + text_width(text) > end)
            snprintf(text, sizeof text, tx(r->v->lang, TX_M_WAS_P_SHORT), mm->oldp), x--;
        if (x + 2 + text_width(text) <= end) /* a cut word would be worse than none */
            canvas_text(r->c, r->in, x + 2, r->y, ROLE_dim, text);
    }
}

static bool in_hand(const struct model_m *mm, uint32_t g)
{
    for (uint32_t i = 0; mm && i < mm->transit_n; i++)
        if (mm->transit[i] == g)
            return true;
    return false;
}

/* Draws the Gs that are in no queue because this M is moving them. */
static void draw_hand(const struct row *r, int x)
{
    const struct model_m *mm = model_m(r->v->md, r->m), *was = r->v->base ? model_m(r->v->base, r->m) : NULL;
    x = canvas_text(r->c, r->in, x, r->y, ROLE_dim, tx(r->v->lang, TX_M_HOLDS)) + 1;
    for (uint32_t i = 0; i < mm->transit_n && x < r->in.x + r->in.w; i++)
        x = draw_g(r->c, r->in, x, r->y, g_in_queue(mm->transit[i]), r->v->base && !in_hand(was, mm->transit[i])) + 1;
}

/* Writes what an M without a running G does, in fewer words if it holds Gs, which are drawn next. */
static int draw_state(const struct row *r)
{
    enum m_doing doing = model_m_doing(r->v->md, r->m);
    static const struct {
        enum text_id text;
        enum role role;
    } words[] = {
        [MD_NONE] = {TX_NONE, ROLE_dim},        [MD_SPIN] = {TX_M_SPIN, ROLE_spinning},      [MD_IDLE] = {TX_M_IDLE, ROLE_idle},
        [MD_SCHED] = {TX_M_SCHED, ROLE_dim},    [MD_NETPOLL] = {TX_M_NETPOLL, ROLE_netpoll}, [MD_SYSMON] = {TX_M_SYSMON, ROLE_dim},
        [MD_LOCKED] = {TX_M_LOCKED, ROLE_idle}, [MD_TEMPLATE] = {TX_M_TEMPLATE, ROLE_dim},   [MD_EXITED] = {TX_M_EXITED, ROLE_dim},
        [MD_UNKNOWN] = {TX_UNKNOWN, ROLE_dim},
    };
    enum text_id text = words[doing].text;
    if (doing == MD_SPIN && model_m(r->v->md, r->m)->transit_n)
        text = TX_P_SPINNING;
    else if (doing == MD_IDLE && r->v->st.no_p)
        text = TX_M_IDLE_NO_P;
    return canvas_text(r->c, r->in, r->k->what, r->y, words[doing].role, tx(r->v->lang, text)) + 2;
}

static void draw_what(const struct row *r)
{
    const struct model_m *mm = model_m(r->v->md, r->m);
    enum m_doing doing = model_m_doing(r->v->md, r->m);
    bool stands = mm->no_cpu > r->v->st.time;
    char text[96], time[32];
    int x = r->k->what;
    if (doing == MD_SYSCALL) {
        draw_syscall(r);
        return;
    }
    if (doing == MD_RUN)
        x = draw_what_g(r);
    else if (!stands)
        x = draw_state(r);
    if (stands) {
        snprintf(text, sizeof text, tx(r->v->lang, TX_M_NO_CPU), time_text(mm->no_cpu, time, sizeof time));
        if (x + text_width(text) > r->in.x + r->in.w && doing == MD_RUN) /* in place of the name, which is shorter */
            x = r->k->what + g_width(r->v) + 2;
        x = canvas_text(r->c, r->in, x, r->y, ROLE_changed, text) + 2;
    }
    if (doing == MD_LOCKED)
        draw_g(r->c, r->in, x - 1, r->y, mm->lockedg, false);
    else if (mm->transit_n)
        draw_hand(r, x);
}

/* Returns true if the letter of this M has changed. */
static bool m_changed(const struct view *v, uint32_t m)
{
    if (!v->base)
        return false;
    if (m >= model_nm(v->base) || !model_m(v->base, m)->started)
        return true;
    return model_m_doing(v->base, m) != model_m_doing(v->md, m);
}

static void draw_row(const struct row *r)
{
    struct letter l = m_letter(r->v, r->m);
    const struct model_m *mm = model_m(r->v->md, r->m);
    bool was = r->v->base && r->m < model_nm(r->v->base) && model_m(r->v->base, r->m)->started;
    int x;
    bool lit = row_is_lit(r->v, tag_of('M', r->m));
    draw_label(r->c, r->in, r->k->m, r->y,
               (struct label){'M', r->m,
                              lit               ? ROLE_sentence_now
                              : l.letter == 'I' ? ROLE_idle
                                                : ROLE_plain,
                              false});
    if (lit)
        draw_lit(r->c, r->in, r->y);
    canvas_put(r->c, r->in, r->k->state, r->y, l.role, (uint32_t)l.letter);
    x = r->k->state + 1;
    if (m_changed(r->v, r->m))
        canvas_put(r->c, r->in, x, r->y, ROLE_changed, '*');
    draw_label(r->c, r->in, r->k->p, r->y,
               (struct label){'P', mm->p == EV_NONE && not_known(r->v, KNOW_M_P, r->m) ? (uint32_t)ID_UNSEEN : mm->p, ROLE_plain,
                              was && model_m(r->v->base, r->m)->p != mm->p});
    draw_what(r);
}

void threads_row(const struct view *v, struct canvas *c, struct rect in, int y, uint32_t m)
{
    struct columns k = columns_for(v, in);
    draw_row(&(struct row){v, c, in, &k, y, m});
}

uint32_t thread_apart(const struct view *v)
{
    int now = event_now(v);
    if (now < 0 || ev_level_of[v->ev[now].ev.kind] == EV_CORE || v->on_screen >> PANE_threads & 1)
        return EV_NONE;
    const struct model_m *mm = model_m(v->md, v->ev[now].m);
    bool has_row = !mm || !mm->started || (v->st.no_p ? model_m_doing(v->md, v->ev[now].m) == MD_RUN : mm->p != EV_NONE);
    return has_row ? EV_NONE : v->ev[now].m;
}

static bool m_exists(const struct view *v, uint32_t m)
{
    const struct model_m *mm = model_m(v->md, m);
    return mm->started && (!mm->exited || m == 0); /* M0's thread stays, parked for ever */
}

static struct row_list all_ms(const struct view *v)
{
    return (struct row_list){THING_M, model_nm(v->md), m_exists};
}

static void title(const struct pane *p, const struct view *v, char *buf, size_t size)
{
    struct rows rows;
    if (!v->md)
        return;
    struct row_list l = all_ms(v);
    rows_choose(&rows, v, &l, p->in.h);
    rows_title(&rows, buf, size);
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    struct rect in = p->in;
    struct rows rows;
    if (!v->md)
        return;
    struct columns k = columns_for(v, in);
    struct row_list l = all_ms(v);
    rows_choose(&rows, v, &l, in.h);
    if (!rows.n && is_partial(v))
        draw_not_recorded(v, c, in);
    for (int i = 0; i < rows.n; i++)
        draw_row(&(struct row){v, c, in, &k, in.y + i, rows.id[i]});
}

static struct pane_request key_move(const struct pane *p, const struct view *v, int by)
{
    struct row_list l = all_ms(v);
    (void)p;
    return rows_move(v, &l, by);
}

static const struct pane_key row_keys[] = {
    {KEY_CODE_DOWN, 'j', "down, j", TX_KEY_NEXT_M, key_move, TX_SHORT_SELECT, 1},
    {KEY_CODE_UP, 'k', "up, k", TX_KEY_PREVIOUS_M, key_move, TX_SHORT_SELECT, -1},
    {KEY_CODE_WHEEL_DOWN, 0, "wheel down", TX_KEY_NEXT_M, key_move, TX_NONE, 1},
    {KEY_CODE_WHEEL_UP, 0, "wheel up", TX_KEY_PREVIOUS_M, key_move, TX_NONE, -1},
};

const struct pane_ops pane_threads = {.key = row_keys, .nkeys = sizeof row_keys / sizeof *row_keys, .title = title, .draw = draw};
