/* Processors: one row for each P, with its ring as cells and arrows for stolen Gs.
 *
 *   P0 R M0  G1 main     G9      G6  G7  G8            ──3──╮    3   12 ▂
 *   P1 R M2  G5 worker   -       G3* G4*             ◀──────╯    2   40 ▅
 *
 * Columns depend on the widest labels and the width of the pane, so nothing moves sideways while a run is running. The gutter between ring
 * and length belongs to the arrows (processors_arrows.c). What the event shown took away stays for this event as a ghost, "G3·".
 */
#include "ui/panes/parts/arrows.h"
#include "ui/panes/parts/ghosts.h"
#include "ui/panes/parts/processors.h"
#include "ui/term/keycodes.h"

#include <stdio.h>
#include <string.h>

enum { RUNQ, ARROWS, PROCESSORS_OPTIONS };
enum { CELLS, BAR };
static const struct layout_option options[PROCESSORS_OPTIONS] = {
    [RUNQ] = {"runq", OPTION_WORD, CELLS, .word = {"cells", "bar"}},
    [ARROWS] = {.name = "arrows", .type = OPTION_BOOL, .standard = true},
};

/* Where the row of a P is drawn. */
struct row {
    const struct view *v;
    struct canvas *c;
    struct rect in;
    const struct processors_columns *k;
    int y;
    uint32_t p;
};

enum { GUTTER_WIDE = 10, GUTTER_NARROW = 8, GUTTER_LEAST = 7, TICK_W = 5, LEN_W = 4, NEXT_W = 8, WIDE = 84, MEDIUM = 64 };

static struct processors_columns columns_for(const struct view *v, bool arrows, struct rect in)
{
    struct processors_columns k = {0};
    int run;
    k.name = in.w >= WIDE ? 8 : in.w >= MEDIUM ? 6 : 4;
    k.narrow = in.w < MEDIUM;
    k.gutter_w = !arrows ? 0 : in.w >= WIDE ? GUTTER_WIDE : k.narrow ? GUTTER_LEAST : GUTTER_NARROW;
    k.p = in.x + 1;
    k.state = k.p + p_width(v) + 1;
    k.m = k.state + 2;
    k.run = k.m + m_width(v) + 2;
    run = g_width(v) + 2 + k.name;
    k.next = k.run + (run > 12 ? run : 12) + 1 + is_partial(v); /* a derived runnext has a "~" in front */
    k.ring = k.next + (g_width(v) + 2 > NEXT_W || k.narrow ? g_width(v) + 2 : NEXT_W);
    if (v->st.no_runnext)
        k.ring = k.next;
    k.tick = in.x + in.w - 1 - TICK_W;
    k.len = k.tick - 2 - LEN_W;
    k.gutter = k.len + k.narrow - k.gutter_w; /* a length has three digits */
    k.cell = g_width(v) + 1;
    k.ncell = k.gutter > k.ring ? (k.gutter - k.ring) / k.cell : 0;
    return k;
}

/* Where no ring fits, the heading before it is close. */
static enum text_id len_heading(const struct view *v, const struct canvas *c, const struct processors_columns *k)
{
    int before = k->next + canvas_width(c, tx(v->lang, k->narrow ? TX_COL_NEXT : TX_COL_RUNNEXT));
    return k->len + LEN_W - canvas_width(c, tx(v->lang, TX_COL_LEN)) > before ? TX_COL_LEN : TX_COL_LEN_SHORT;
}

static void draw_header(const struct view *v, struct canvas *c, struct rect in, const struct processors_columns *k)
{
    enum text_id runq = k->ncell * k->cell >= 20 ? TX_COL_RUNQ_LONG : TX_COL_RUNQ;
    struct rect ring = {k->ring, in.y, k->gutter - k->ring, 1};
    canvas_text(c, in, k->p, in.y, ROLE_heading, "P");
    canvas_text(c, in, k->m, in.y, ROLE_heading, "M");
    canvas_text(c, in, k->run, in.y, ROLE_heading, tx(v->lang, TX_COL_RUNNING));
    if (!v->st.no_runnext)
        canvas_text(c, in, k->next, in.y, ROLE_heading, tx(v->lang, k->narrow ? TX_COL_NEXT : TX_COL_RUNNEXT));
    canvas_text(c, ring, k->ring, in.y, ROLE_heading, tx(v->lang, runq));
    canvas_right(c, in, k->len + LEN_W - 1, in.y, ROLE_heading, tx(v->lang, len_heading(v, c, k)));
    canvas_text(c, in, k->tick, in.y, ROLE_heading, tx(v->lang, TX_COL_TICK));
}

/* ---- the ring ---- */

static uint32_t ring_g(const struct model *md, uint32_t p, uint32_t i)
{
    const struct model_p *mp = model_p(md, p);
    return mp->ring[(mp->head + i) % model_runq_size(md)];
}

static bool in_ring(const struct model *md, uint32_t p, uint32_t g)
{
    const struct model_p *mp = model_p(md, p);
    for (uint32_t i = 0, n = mp->tail - mp->head; i < n; i++)
        if (ring_g(md, p, i) == g)
            return true;
    return false;
}

static bool has_base(const struct view *v, uint32_t p)
{
    return v->base && p < model_np(v->base);
}

/* Draws n Gs from place `from` of the ring on, into the cells from `at` on. */
static void draw_cells(const struct row *r, uint32_t from, int at, int n)
{
    bool derived = model_knows(r->v->md, KNOW_P_RUNQ, r->p) == KNOWN_DERIVED;
    for (int i = 0; i < n; i++) {
        uint32_t g = ring_g(r->v->md, r->p, from + (uint32_t)i);
        bool marked = g && has_base(r->v, r->p) && !in_ring(r->v->base, r->p, g);
        draw_queued(r->c, r->in, r->k->ring + (at + i) * r->k->cell, r->y, (struct queued){g_in_queue(g), marked, derived});
    }
}

/* Returns the cells that the fold takes, with a blank after it. */
static int fold_cells(const struct canvas *c, const struct processors_columns *k, const char *fmt, int hidden)
{
    char text[64];
    snprintf(text, sizeof text, fmt, (unsigned)hidden);
    return (canvas_width(c, text) + k->cell) / k->cell;
}

/* Draws the first cells, "… 231 more …", and the last cells of a ring of n Gs that does not fit. */
static void draw_folded(const struct row *r, int n)
{
    const char *fmt = tx(r->v->lang, TX_MORE);
    char text[64];
    int room = r->k->ncell, fold = fold_cells(r->c, r->k, fmt, n - room);
    if (room < fold + 3)
        fold = fold_cells(r->c, r->k, fmt = "…%u", n - room);
    if (room <= fold)
        return;
    int first = (room - fold + 1) / 2, last = room - fold - first;
    snprintf(text, sizeof text, fmt, (unsigned)(n - first - last));
    draw_cells(r, 0, 0, first);
    canvas_text(r->c, r->in, r->k->ring + first * r->k->cell, r->y, ROLE_dim, text);
    draw_cells(r, (uint32_t)(n - last), first + fold, last);
}

/* Returns how many Gs have left the head by the event shown, if there is room for them in front of the others: so these stay where they were. */
static int ghosts_of(const struct row *r, int n)
{
    struct ghost g = ghost_of(r->v);
    bool fits = g.place == GHOST_RING && g.p == r->p && g.n <= (uint32_t)r->k->ncell && n + (int)g.n <= r->k->ncell;
    return fits ? (int)g.n : 0;
}

static int draw_ghost(struct canvas *c, struct rect clip, int x, int y, char kind, uint32_t id)
{
    char name[EV_G_NAME];
    c->tag = tag_of(kind, id);
    if (kind == 'G')
        x = canvas_text(c, clip, x, y, ROLE_dim, ev_g_name(id, name));
    else
        x = canvas_printf(c, clip, x, y, ROLE_dim, "%c%u", kind, id);
    c->tag = 0;
    return canvas_text(c, clip, x, y, ROLE_dim, "·");
}

static void draw_ghosts(const struct row *r, int n)
{
    const struct model_p *mp = model_p(r->v->md, r->p);
    uint32_t size = model_runq_size(r->v->md);
    for (int i = 0; i < n; i++) {
        uint32_t slot = mp->head - (uint32_t)(n - i); /* the ring keeps what was there until it is full again */
        if (mp->ring[slot % size])
            draw_ghost(r->c, r->in, r->k->ring + i * r->k->cell, r->y, 'G', mp->ring[slot % size]);
    }
}

/* Returns the x after the last cell. */
static int draw_ring(const struct row *r)
{
    const struct model_p *mp = model_p(r->v->md, r->p);
    const struct processors_columns *k = r->k;
    struct row ring = *r;
    int n = (int)(mp->tail - mp->head), size = (int)model_runq_size(r->v->md);
    bool small = size <= k->ncell;
    ring.in.w = k->gutter - r->in.x < r->in.w ? k->gutter - r->in.x : r->in.w;
    if (not_known(r->v, KNOW_P_LEN, r->p)) { /* Gs that nobody knows, and then those that are known */
        int room = k->ncell > 0 ? k->ncell - 1 : 0, first = n < room ? n : room;
        draw_g(r->c, ring.in, k->ring, r->y, (uint32_t)G_UNSEEN, false);
        draw_cells(&ring, 0, 1, first);
        return k->ring + (1 + first) * k->cell;
    }
    if (k->ncell > 0)
        draw_derived(r->v, r->c, (struct rect){k->ring - 1, r->y, 1, 1}, KNOW_P_RUNQ, r->p);
    if (n > k->ncell) {
        draw_folded(&ring, n);
        return k->gutter;
    }
    int ghosts = ghosts_of(&ring, n);
    draw_ghosts(&ring, ghosts);
    draw_cells(&ring, 0, ghosts, n);
    n += ghosts;
    for (int i = n; small && i < size; i++)
        canvas_put(r->c, ring.in, k->ring + i * k->cell, r->y, ROLE_dim, 0xb7);
    if (n == 0 && !small)
        canvas_text(r->c, ring.in, k->ring, r->y, ROLE_dim, "-");
    int shown = small ? size : n > 0 ? n : 1;
    return k->ring + shown * k->cell;
}

/* `runq: bar`: draws how full the ring is. */
static int draw_bar(const struct row *r)
{
    const struct model_p *mp = model_p(r->v->md, r->p);
    int n = (int)(mp->tail - mp->head), size = (int)model_runq_size(r->v->md), room = r->k->gutter - r->k->ring - 1;
    if (not_known(r->v, KNOW_P_LEN, r->p)) {
        draw_g(r->c, r->in, r->k->ring, r->y, (uint32_t)G_UNSEEN, false);
        return r->k->gutter;
    }
    draw_derived(r->v, r->c, (struct rect){r->k->ring - 1, r->y, 1, 1}, KNOW_P_LEN, r->p);
    int full = room > 0 ? (n * room + size - 1) / size : 0;
    for (int i = 0; i < room; i++)
        canvas_put(r->c, r->in, r->k->ring + i, r->y, i < full ? ROLE_running : ROLE_dim, i < full ? 0x2588 : 0xb7);
    return r->k->gutter;
}

/* ---- a row ---- */

/* Draws the rounds until findRunnable checks the global queue first. At 0 the next round does: schedtick % 61 == 0. */
static void draw_tick(const struct row *r, const struct model_p *mp)
{
    enum { PERIOD = 61, SOON = 3 };
    int left = (int)((PERIOD - mp->schedtick % PERIOD) % PERIOD);
    enum role role = mp->status == P_IDLE ? ROLE_dim : left <= SOON ? ROLE_focus : ROLE_number;
    char text[8];
    if (not_known(r->v, KNOW_P_TICK, r->p)) {
        canvas_right(r->c, r->in, r->k->tick + 1, r->y, ROLE_dim, "?");
        return;
    }
    snprintf(text, sizeof text, "%d", left);
    canvas_right(r->c, r->in, r->k->tick + 1, r->y, role, text);
    if (mp->status != P_IDLE)
        canvas_put(r->c, r->in, r->k->tick + 3, r->y, role, 0x2581 + (uint32_t)((PERIOD - left) * 7 / PERIOD));
}

static uint32_t running_g(const struct model *md, uint32_t p)
{
    const struct model_p *mp = model_p(md, p);
    const struct model_m *mm = mp->status == P_RUNNING && mp->m != EV_NONE ? model_m(md, mp->m) : NULL;
    return mm && !mm->wired ? mm->curg : 0;
}

/* Says why no G runs on this P. */
static void draw_not_running(const struct row *r, int x)
{
    const struct model_p *mp = model_p(r->v->md, r->p);
    const struct model_m *mm = mp->m != EV_NONE ? model_m(r->v->md, mp->m) : NULL;
    uint32_t blocked = model_p_in_call(r->v->md, r->p) ? p_syscall_m(r->v, r->p) : EV_NONE, gone = ghost_at(r->v, GHOST_RUNNING, r->p);
    if (gone && !(mm && mm->transit_n))
        x = draw_ghost(r->c, r->in, x, r->y, 'G', gone) + 1;
    bool open_m = mp->status == P_UNKNOWN || not_known(r->v, KNOW_P_M, r->p) || (mp->status == P_SYSCALL && is_partial(r->v));
    bool open = mm ? not_known(r->v, KNOW_M_STATE, mp->m) && !mm->transit_n : open_m;
    if (blocked == EV_NONE && open) {
        draw_g(r->c, r->in, x, r->y, (uint32_t)G_UNSEEN, false);
    } else if (blocked != EV_NONE) {
        x = draw_g(r->c, r->in, x, r->y, model_m(r->v->md, blocked)->curg, false);
        canvas_text(r->c, r->in, x, r->y, ROLE_syscall, " syscall");
    } else if (mp->status == P_GCSTOP) {
        canvas_text(r->c, r->in, x, r->y, ROLE_paused, tx(r->v->lang, TX_P_STOPPED));
    } else if (mm && mm->transit_n) {
        x = canvas_text(r->c, r->in, x, r->y, ROLE_dim, "→ ");
        draw_g(r->c, r->in, x, r->y, g_in_queue(m_next_g(mm)), false);
    } else if (mm && mm->spinning) {
        canvas_text(r->c, r->in, x, r->y, ROLE_spinning, tx(r->v->lang, TX_P_SPINNING));
    } else if (mm) {
        bool fits = x + canvas_width(r->c, tx(r->v->lang, TX_P_FINDING)) <= r->in.x + r->in.w; /* not always next to a ghost */
        canvas_text(r->c, r->in, x, r->y, ROLE_dim, tx(r->v->lang, fits ? TX_P_FINDING : TX_P_FINDING_SHORT));
    } else if (p_in_hand(r->v, r->p)) {
        canvas_text(r->c, r->in, x, r->y, ROLE_paused, tx(r->v->lang, TX_P_HANDED));
    } else {
        canvas_text(r->c, r->in, x, r->y, ROLE_dim, "-");
    }
}

static void draw_running(const struct row *r)
{
    struct row left = *r;
    uint32_t g = running_g(r->v->md, r->p);
    bool changed = has_base(r->v, r->p) && running_g(r->v->base, r->p) != g;
    left.in.w = r->k->next - 1 - r->in.x < r->in.w ? r->k->next - 1 - r->in.x : r->in.w;
    if (!g) {
        draw_not_running(&left, r->k->run);
        return;
    }
    draw_g(r->c, left.in, r->k->run, r->y, g, changed);
    if (p_must_stop(r->v, r->p)) {
        canvas_text(r->c, left.in, r->k->run + g_width(r->v) + 2, r->y, ROLE_paused, tx(r->v->lang, TX_P_MUST_STOP));
        return;
    }
    draw_name(r->v, r->c, left.in, (struct rect){r->k->run + g_width(r->v) + 2, r->y, r->k->name, 1}, g);
}

/* Marks what has changed and has no star of its own. */
static void mark_row(const struct row *r)
{
    const struct model_p *mp = model_p(r->v->md, r->p), *was = model_p(r->v->base, r->p);
    struct view base = *r->v;
    base.md = r->v->base;
    if (p_letter(&base, r->p).letter != p_letter(r->v, r->p).letter)
        canvas_mark(r->c, r->in, r->k->state, r->y, 1);
    if (running_g(r->v->base, r->p) && !running_g(r->v->md, r->p))
        canvas_mark(r->c, r->in, r->k->run, r->y, r->k->next - 1 - r->k->run);
    if (was->tail - was->head != mp->tail - mp->head)
        canvas_mark(r->c, r->in, r->k->len, r->y, LEN_W);
    if (was->schedtick != mp->schedtick)
        canvas_mark(r->c, r->in, r->k->tick, r->y, 2);
}

/* Draws the M that has the P, or the one that has left it by the event shown. */
static void draw_m(const struct row *r)
{
    const struct model_p *mp = model_p(r->v->md, r->p), *was = has_base(r->v, r->p) ? model_p(r->v->base, r->p) : NULL;
    uint32_t m = mp->status == P_RUNNING   ? mp->m
                 : mp->status == P_UNKNOWN ? (uint32_t)ID_UNSEEN
                                           : EV_NONE,
             gone = ghost_at(r->v, GHOST_M, r->p);
    m = m == EV_NONE && not_known(r->v, KNOW_P_M, r->p) ? (uint32_t)ID_UNSEEN : m;
    if (m == EV_NONE && gone != EV_NONE)
        draw_ghost(r->c, r->in, r->k->m, r->y, 'M', gone);
    else
        draw_label(r->c, r->in, r->k->m, r->y, (struct label){'M', m, ROLE_plain, was && was->m != mp->m});
}

/* Returns the x after its ring. */
static int draw_row(const struct row *r)
{
    const struct model_p *mp = model_p(r->v->md, r->p), *was = has_base(r->v, r->p) ? model_p(r->v->base, r->p) : NULL;
    struct letter l = p_letter(r->v, r->p);
    char text[KNOWN_TEXT];
    bool lit = row_is_lit(r->v, tag_of('P', r->p));
    enum role role = lit ? ROLE_sentence_now : mp->status == P_IDLE ? ROLE_idle : ROLE_plain;
    int label_end = draw_label(r->c, r->in, r->k->p, r->y, (struct label){'P', r->p, role, false});
    if (lit)
        draw_lit(r->c, r->in, r->y);
    if (r->v->base && !was)
        canvas_mark(r->c, r->in, r->k->p, r->y, label_end - r->k->p); /* a new P, or one that the other run does not have */
    canvas_put(r->c, r->in, r->k->state, r->y, l.role, (uint32_t)l.letter);
    draw_m(r);
    draw_running(r);
    bool open_next = !mp->runnext && not_known(r->v, KNOW_P_RUNNEXT, r->p);
    uint32_t next = mp->runnext || open_next ? 0 : ghost_at(r->v, GHOST_RUNNEXT, r->p);
    if (next && !r->v->st.no_runnext)
        draw_ghost(r->c, r->in, r->k->next, r->y, 'G', next);
    else if (!r->v->st.no_runnext)
        draw_queued(r->c, r->in, r->k->next, r->y,
                    (struct queued){open_next ? (uint32_t)G_UNSEEN : mp->runnext, was && was->runnext != mp->runnext,
                                    draw_derived(r->v, r->c, (struct rect){r->k->next - 1, r->y, 1, 1}, KNOW_P_RUNNEXT, r->p)});
    int end = (r->k->bar ? draw_bar : draw_ring)(r);
    known_number(r->v, KNOW_P_LEN, r->p, mp->tail - mp->head, text);
    canvas_right(r->c, r->in, r->k->len + LEN_W - 1, r->y, mp->tail == mp->head ? ROLE_dim : ROLE_number, text);
    draw_tick(r, mp);
    if (was)
        mark_row(r);
    return end;
}

/* ---- the pane ---- */

static bool p_exists(const struct view *v, uint32_t p)
{
    return model_p(v->md, p)->status != P_DEAD;
}

static void draw_rate(const struct view *v, struct canvas *c, const struct layout_pane *pane)
{
    struct rect r = pane_rect(pane);
    char text[64], padded[72];
    uint64_t rate = arrows_rate(v);
    if (!rate)
        return;
    snprintf(text, sizeof text, tx(v->lang, TX_STEALS_A_SECOND), (unsigned long long)rate);
    snprintf(padded, sizeof padded, " %s ", text);
    canvas_right(c, r, r.x + r.w - 3, r.y, ROLE_arrow, padded);
}

static struct row_list all_ps(const struct view *v)
{
    return (struct row_list){THING_P, model_np(v->md), p_exists};
}

/* ---- the strip: all Ps, one cell each, if their rows do not fit ---- */

/* Returns the rows of the header. In a pane of one or two rows a P goes first: a sentence names up to two. */
static int header_rows(const struct view *v, struct rect in)
{
    return in.h > 2 || (in.h == 2 && model_np(v->md) <= 1);
}

static int strip_rows(const struct view *v, struct rect in)
{
    int n = (int)model_np(v->md), w = in.w > 2 ? in.w - 2 : 1, rows = (n + w - 1) / w, room = in.h - header_rows(v, in), most = room / 4;
    return n <= room ? 0 : rows < most ? rows : most;
}

static int bits(uint32_t n)
{
    int bits = 0;
    for (; n; n >>= 1)
        bits++;
    return bits;
}

/* How full the ring is, in eighths; in a long ring each further step takes twice as many Gs. */
static int fill_of(const struct view *v, uint32_t p)
{
    const struct model_p *mp = model_p(v->md, p);
    int of = bits(model_runq_size(v->md));
    return (8 * bits(mp->tail - mp->head) + of - 1) / of;
}

static void draw_strip(const struct view *v, struct canvas *c, struct rect in, int rows)
{
    uint32_t w = in.w > 2 ? (uint32_t)in.w - 2 : 1;
    for (uint32_t p = 0; p < model_np(v->md) && p < w * (uint32_t)rows; p++) {
        struct letter l = p_letter(v, p);
        int fill = fill_of(v, p);
        c->tag = tag_of('P', p);
        canvas_put(c, in, in.x + 1 + (int)(p % w), in.y + in.h - rows + (int)(p / w), row_is_lit(v, c->tag) ? ROLE_focus : l.role,
                   fill ? 0x2580 + (uint32_t)(fill < 8 ? fill : 8) : (uint32_t)l.letter);
        c->tag = 0;
    }
}

static void place_rows(const struct view *v, struct rect in, struct places *pl)
{
    struct row_list l = all_ps(v);
    int header = header_rows(v, in), room = in.h - header - strip_rows(v, in) - (thread_apart(v) != EV_NONE);
    rows_choose_with_gaps(&pl->rows, v, &l, room);
    pl->y0 = in.y + header;
    pl->step = !pl->rows.hidden && 2 * pl->rows.n <= room ? 2 : 1;
}

static void title(const struct pane *p, const struct view *v, char *buf, size_t size)
{
    struct places pl;
    if (!v->md || v->st.no_p)
        return;
    place_rows(v, p->in, &pl);
    rows_title(&pl.rows, buf, size);
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    struct rect in = p->in;
    struct places pl;
    if (!v->md)
        return;
    uint32_t apart = thread_apart(v);
    if (v->st.no_p) {
        pane_no_p(v, c, in);
        return;
    }
    struct processors_columns k = columns_for(v, p->at->option[ARROWS], in);
    k.bar = p->at->option[RUNQ] == BAR;
    if (header_rows(v, in))
        draw_header(v, c, in, &k);
    place_rows(v, in, &pl);
    for (int i = 0; i < pl.rows.n; i++)
        pl.end[i] = draw_row(&(struct row){v, c, in, &k, processors_y(&pl, i), pl.rows.id[i]});
    for (int i = 1; i < pl.rows.n && !pl.rows.ngaps; i++) /* no room for lines: a sign where Ps are left out above the row */
        if (pl.rows.id[i] > pl.rows.id[i - 1] + 1 && !row_is_lit(v, tag_of('P', pl.rows.id[i])))
            canvas_put(c, in, in.x, processors_y(&pl, i), ROLE_dim, 0x22ee);
    for (int i = 0; i < pl.rows.ngaps; i++)
        canvas_printf(c, in, k.p, pl.y0 + pl.rows.gap[i].line, ROLE_dim, tx(v->lang, TX_ROWS_LEFT_OUT), pl.rows.gap[i].left_out);
    if (!pl.rows.n)
        canvas_text(c, in, k.p, pl.y0, ROLE_dim, tx(v->lang, TX_EMPTY_PROCESSORS));
    draw_strip(v, c, in, strip_rows(v, in));
    if (apart != EV_NONE)
        threads_row(v, c, in, in.y + in.h - strip_rows(v, in) - 1, apart);
    if (k.gutter_w && k.gutter > k.next)
        processors_arrows(v, c, in, &k, &pl);
    draw_rate(v, c, p->at);
}

static struct pane_request key_move(const struct pane *p, const struct view *v, int by)
{
    struct row_list l = all_ps(v);
    (void)p;
    return rows_move(v, &l, by);
}

static const struct pane_key row_keys[] = {
    {KEY_CODE_DOWN, 'j', "down, j", TX_KEY_NEXT_P, key_move, TX_SHORT_SELECT, 1},
    {KEY_CODE_UP, 'k', "up, k", TX_KEY_PREVIOUS_P, key_move, TX_SHORT_SELECT, -1},
    {KEY_CODE_WHEEL_DOWN, 0, "wheel down", TX_KEY_NEXT_P, key_move, TX_NONE, 1},
    {KEY_CODE_WHEEL_UP, 0, "wheel up", TX_KEY_PREVIOUS_P, key_move, TX_NONE, -1},
};

/* With the header. */
static int rows_wanted(const struct view *v)
{
    return v->md && !v->st.no_p ? 1 + (int)model_np(v->md) : 0;
}

const struct pane_ops pane_processors = {
    .option = options,
    .noptions = PROCESSORS_OPTIONS,
    .key = row_keys,
    .nkeys = sizeof row_keys / sizeof *row_keys,
    .title = title,
    .draw = draw,
    .rows_wanted = rows_wanted,
};
