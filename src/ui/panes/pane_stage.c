/* Stage: the picture for the back row. The title, a row for each P with its Gs as boxes, one sentence, and the global queue.
 *
 *   █▀█ █▀█   ╭─G──────────╮       ╭─G──────────╮╭─G──────────╮
 *   █▀▀ █ █   │  ▀█  █▀█   │   ·   │    █▀▀     ││    ▀▀█     │  ━━━┓
 *   ▀   ▀▀▀   │  ▄█▄ █▄█   │       │    █▄█     ││      █     │   4 ┃
 *   M0        ╰────────────╯       ╰────────────╯╰────────────╯  ◀━━┛
 *
 * The boxes are as large as the screen allows: the table of scales begins with the largest. The choice depends on the size of the screen, the
 * number of Ps and the widest number of a G alone, so a box moves only when its G does. A generation without Ps has a row for each M that
 * runs a G. */
#include "ui/panes/arrows.h"
#include "ui/panes/big.h"
#include "ui/panes/panes.h"
#include "ui/panes/wrap.h"

#include <stdio.h>

enum { GUTTER_W = 9, SENTENCE_H = 4, SENTENCE_W = 76, HEADINGS_H = 3, FEW_ROWS = 4 };

/* How large a box is drawn, and how many places the ring must then have at least. */
struct scale {
    enum big size;
    int pad;      /* columns on each side of the label */
    int h, apart; /* rows of a box, and the most that are free below it */
    int places;
};

static const struct scale scales[] = {
    {BIG_FULL, 3, 7, 3, 8}, {BIG_FULL, 1, 7, 3, 7},  {BIG_HALF, 3, 5, 2, 9},  {BIG_HALF, 1, 5, 2, 8},
    {BIG_HALF, 0, 5, 2, 6}, {BIG_PLAIN, 3, 3, 1, 8}, {BIG_PLAIN, 1, 3, 1, 6}, {BIG_PLAIN, 2, 2, 2, 0},
};

struct columns {
    const struct scale *scale;
    int label, run, next, ring, gutter, box; /* x of each; box: the width of one */
    int boxes;                               /* how many fit into the ring */
    int row_h;
};

static int label_width(const struct scale *s, const struct view *v)
{
    char text[16];
    uint32_t n = v->st.no_p ? model_nm(v->md) : model_np(v->md);
    snprintf(text, sizeof text, "%c%u", v->st.no_p ? 'M' : 'P', n ? n - 1 : 0);
    int big = big_width(s->size, text), m = m_width(v);
    return (big > m ? big : m) + (s->size == BIG_PLAIN ? 3 : 2);
}

/* The width of what a box says: large digits, two or as many as a G of the program has, or a plain label. */
static int number_width(const struct scale *s, const struct view *v)
{
    char nines[EV_G_NAME] = "";
    uint64_t gs = model_counters(v->md)->goroutines;
    int n = digits(gs > 10 ? gs : 10); /* so that the tenth G changes nothing */
    snprintf(nines, sizeof nines, "%.*s", n < EV_G_NAME - 1 ? n : EV_G_NAME - 1, "9999999999999999");
    return s->size == BIG_PLAIN ? g_width(v) : big_width(s->size, nines);
}

static struct columns columns_for(const struct view *v, struct rect in, const struct scale *s)
{
    struct columns k = {.scale = s, .label = in.x + 2, .box = number_width(s, v) + 2 * s->pad + 2};
    int apart = s->size == BIG_PLAIN ? 2 : 1;
    k.run = k.label + label_width(s, v);
    k.next = k.run + k.box + apart;
    k.ring = v->st.no_runnext || v->st.no_p ? k.next : k.next + k.box + apart;
    k.gutter = in.x + in.w - GUTTER_W;
    k.boxes = (k.gutter - 1 - k.ring) / k.box;
    k.row_h = s->h;
    return k;
}

/* The boxes of the global queue begin below those of the running Gs, so more of them fit. */
static struct columns global_columns(const struct columns *k)
{
    struct columns wide = *k;
    wide.ring = k->run;
    wide.boxes = (k->gutter - 1 - wide.ring) / k->box;
    return wide;
}

/* Returns how many rows the scale must leave room for. If rows are left out in any case, a few large ones are better than many small ones. */
static int rows_wanted(const struct view *v, int h)
{
    uint32_t n = v->st.no_p ? model_nm(v->md) : model_np(v->md);
    int small = (h - SENTENCE_H - HEADINGS_H - 2) / 3;
    bool few = v->st.no_p || (int)n > small;
    return few && n > FEW_ROWS ? FEW_ROWS : (int)n;
}

/* Returns the largest scale at which all rows fit that are wanted, or the last one. */
static struct columns columns_of(const struct view *v, const struct canvas *c, struct rect in)
{
    enum { LAST = sizeof scales / sizeof *scales - 1 };
    uint32_t size = v->st.no_p ? 0 : model_runq_size(v->md);
    int n = rows_wanted(v, in.h);
    for (int i = 0;; i++) {
        const struct scale *s = &scales[i];
        struct columns k = columns_for(v, in, s);
        int rows = n * s->h + s->h + SENTENCE_H + HEADINGS_H, places = size && (int)size < s->places ? (int)size : s->places;
        bool drawable = s->size != BIG_HALF || !c->ascii;
        if (i == LAST || (drawable && rows <= in.h && k.boxes >= places))
            return k;
    }
}

/* ---- boxes ---- */

/* Blanks the rectangle of a figure in its role and under its tag. A selected figure is reversed as a whole: reversed alone, its full
 * blocks would be blanks. */
static void blank_figure(struct canvas *c, struct rect in, struct rect b, enum role role)
{
    for (int y = b.y; y < b.y + b.h; y++)
        canvas_hline(c, in, b.x, y, b.w, role, ' ');
}

/* A G that an M has in its hands does not run yet: an arrow instead of the frame. */
static void draw_g_box(struct canvas *c, struct rect in, const struct columns *k, struct rect b, uint32_t g, bool in_hand)
{
    char name[EV_G_NAME];
    enum role role = g_role(g);
    ev_g_name(g, name);
    const char *number = name + (name[1] == 's' ? 2 : 1);
    int w = big_width(k->scale->size, k->scale->size == BIG_PLAIN ? name : number), mid = b.y + b.h / 2;
    c->tag = tag_of('G', g);
    blank_figure(c, in, b, role);
    if (in_hand)
        canvas_put(c, in, b.x, mid, role, 0x2192);
    else
        canvas_box(c, b, role, NULL);
    if (k->scale->h == 2 && !in_hand)
        canvas_hline(c, in, b.x + 2, mid, b.w - 4, role, ' ');
    if (k->scale->size == BIG_PLAIN || w > b.w - 2) {
        canvas_text(c, in, b.x + (b.w - text_width(name)) / 2, mid, role, name);
    } else {
        canvas_printf(c, in, b.x + 2, b.y, role, "%.*s", (int)(number - name), name);
        big_text(c, in, b.x + (b.w - w) / 2, b.y + 1, k->scale->size, role, number);
    }
    c->tag = 0;
}

/* Draws a G as a box; 0: an empty place. */
static void draw_box(struct canvas *c, struct rect in, const struct columns *k, int x, int y, uint32_t g)
{
    struct rect b = {x, y, k->box, k->scale->h};
    if (g)
        draw_g_box(c, in, k, b, g, false);
    else
        canvas_put(c, in, x + b.w / 2, y + b.h / 2, ROLE_border, 0xb7);
}

/* A queue of n Gs; at(): the i-th from the head. */
struct gs {
    int n;
    uint32_t (*at)(const struct view *v, uint32_t of, uint32_t i);
    uint32_t of;
};

/* Draws as many as fit; the last place says how many more there are. */
static void draw_boxes(const struct view *v, struct canvas *c, struct rect in, const struct columns *k, int y, const struct gs *gs)
{
    char more[16];
    int shown = gs->n <= k->boxes ? gs->n : k->boxes - 1, h = k->scale->h;
    for (int i = 0; i < shown; i++)
        draw_box(c, in, k, k->ring + i * k->box, y, gs->at(v, gs->of, (uint32_t)i));
    if (shown < 0 || shown >= gs->n)
        return;
    snprintf(more, sizeof more, "+%d", gs->n - shown);
    enum big size = k->scale->size;
    if (size == BIG_FULL && big_width(size, more) >= k->box)
        size = c->ascii ? BIG_PLAIN : BIG_HALF;
    if (big_width(size, more) >= k->box)
        size = BIG_PLAIN;
    big_text(c, in, k->ring + shown * k->box + 1, y + h / 2 - big_height(size) / 2, size, ROLE_heading, more);
}

static uint32_t ring_at(const struct view *v, uint32_t p, uint32_t i)
{
    const struct model_p *mp = model_p(v->md, p);
    return mp->ring[(mp->head + i) % model_runq_size(v->md)];
}

static uint32_t global_at(const struct view *v, uint32_t unused, uint32_t i)
{
    const uint32_t *q;
    (void)unused;
    return i < model_globq(v->md, &q) ? q[i] : 0;
}

/* ---- a row ---- */

static bool p_exists(const struct view *v, uint32_t p)
{
    return model_p(v->md, p)->status != P_DEAD;
}

static bool m_runs(const struct view *v, uint32_t m)
{
    return model_m(v->md, m)->started && model_m_doing(v->md, m) == MD_RUN;
}

/* Draws the G that M m runs or moves, else what m does, as its letter. */
static void draw_hand(const struct view *v, struct canvas *c, struct rect in, const struct columns *k, int y, uint32_t m,
                      struct letter idle)
{
    const struct model_m *mm = m == EV_NONE ? NULL : model_m(v->md, m);
    uint32_t g = !mm ? 0 : mm->curg ? mm->curg : m_next_g(mm);
    struct letter l = mm ? m_letter(v, m) : idle;
    char text[2] = {l.letter, '\0'};
    enum big size = k->scale->size;
    if (g)
        draw_g_box(c, in, k, (struct rect){k->run, y, k->box, k->scale->h}, g, !mm->curg);
    else
        big_text(c, in, k->run + (k->box - big_width(size, text)) / 2, y + k->scale->h / 2 - big_height(size) / 2, size, l.role, text);
}

/* Draws the label of a row in the scale's glyphs. */
static void draw_row_label(const struct view *v, struct canvas *c, struct rect in, const struct columns *k, int y, uint32_t tag)
{
    char text[16];
    snprintf(text, sizeof text, "%c%u", thing_kind(tag) == THING_P ? 'P' : 'M', thing_id(tag));
    enum big size = k->scale->size;
    enum role role = row_is_lit(v, tag) ? ROLE_focus : ROLE_title;
    int edge = size == BIG_PLAIN ? 0 : 1, top = y + (k->scale->h > 2);
    c->tag = tag;
    blank_figure(c, in, (struct rect){k->label - edge, top, big_width(size, text) + 2 * edge, big_height(size)}, role);
    big_text(c, in, k->label, top, size, role, text);
    c->tag = 0;
}

static void draw_p(const struct view *v, struct canvas *c, struct rect in, const struct columns *k, int y, uint32_t p)
{
    const struct model_p *mp = model_p(v->md, p);
    uint32_t m = mp->status == P_RUNNING ? mp->m : mp->status == P_SYSCALL ? p_syscall_m(v, p) : EV_NONE;
    draw_row_label(v, c, in, k, y, tag_of('P', p));
    bool stops = p_must_stop(v, p);
    if (stops || mp->status == P_GCSTOP)
        canvas_text(c, in, k->label, y + k->scale->h - 1, ROLE_paused, tx(v->lang, stops ? TX_P_MUST_STOP : TX_P_STOPPED_SHORT));
    else if (m != EV_NONE)
        draw_label(c, in, k->label, y + k->scale->h - 1, (struct label){'M', m, ROLE_dim, false});
    draw_hand(v, c, in, k, y, m, p_letter(v, p));
    if (!v->st.no_runnext)
        draw_box(c, in, k, k->next, y, mp->runnext);
    draw_boxes(v, c, in, k, y, &(struct gs){(int)(mp->tail - mp->head), ring_at, p});
}

static void draw_m(const struct view *v, struct canvas *c, struct rect in, const struct columns *k, int y, uint32_t m)
{
    draw_row_label(v, c, in, k, y, tag_of('M', m));
    draw_hand(v, c, in, k, y, m, m_letter(v, m));
}

/* ---- the arrow ---- */

/* Where an arrow may begin or end: the rows of Ps, and the global queue's. */
struct ends {
    const struct rows *rows;
    int y, global;
};

/* Returns the middle of a P's row, -1 if it is hidden. */
static int row_y(const struct ends *e, const struct columns *k, uint32_t p)
{
    for (int i = 0; i < e->rows->n; i++)
        if (e->rows->id[i] == p)
            return e->y + i * k->row_h + k->scale->h / 2;
    return -1;
}

/* Finds the ends of an arrow; false: it has none on this picture. */
static bool find_ends(const struct view *v, const struct columns *k, const struct ends *e, const struct arrow *a, int *from, int *to)
{
    *from = a->kind == ARROW_FROM_GLOBQ ? e->global : row_y(e, k, a->from);
    *to = a->kind == ARROW_TO_GLOBQ ? e->global : row_y(e, k, a->to);
    return !v->st.no_p && *from >= 0 && *to >= 0 && *from != *to;
}

/* Draws how many Gs moved, or which M was woken: large and next to the line, or at its tail. */
static void draw_count(struct canvas *c, struct rect in, const struct columns *k, const struct arrow *a, int from, int to)
{
    char text[16];
    snprintf(text, sizeof text, "%s%u", a->kind == ARROW_WAKE ? "M" : "", a->n);
    bool plain = c->ascii || k->scale->size == BIG_PLAIN || big_width(BIG_HALF, text) > GUTTER_W - 2;
    enum big size = plain ? BIG_PLAIN : BIG_HALF;
    int x = in.x + in.w - 3 - big_width(size, text), mid = (from + to) / 2 - big_height(size) / 2;
    bool apart = from - to > big_height(size) + 1 || to - from > big_height(size) + 1;
    big_text(c, in, x, apart ? mid : from, apart ? size : BIG_PLAIN, ROLE_arrow, text);
}

static const char *empty_text(const struct view *v)
{
    return tx(v->lang, v->st.no_p ? TX_EMPTY_ONLY_QUEUE : TX_EMPTY_GLOBQ);
}

/* Returns where the boxes of a row end: of P `of`, or of the global queue. An empty global queue has its text there. */
static int boxes_end(const struct view *v, const struct columns *k, bool global, uint32_t of)
{
    const struct model_p *mp = model_p(v->md, of);
    const struct columns at = global ? global_columns(k) : *k;
    uint32_t n = global ? model_globq(v->md, NULL) : mp->tail - mp->head;
    int shown = (int)n < at.boxes ? (int)n : at.boxes, used = global && !n ? text_width(empty_text(v)) : shown * k->box;
    int end = at.ring + used + 1;
    return end < k->gutter ? end : k->gutter;
}

/* Draws the newest move: from its row to the other one. */
static void draw_arrow(const struct view *v, struct canvas *c, struct rect in, const struct columns *k, const struct ends *e)
{
    struct arrow all[ARROWS_MAX];
    int n = arrows_of(v, all), from, to, x = in.x + in.w - 2;
    if (!n || !find_ends(v, k, e, &all[n - 1], &from, &to))
        return;
    enum role role = ROLE_arrow;
    bool down = to > from;
    int tail = boxes_end(v, k, all[n - 1].kind == ARROW_FROM_GLOBQ, all[n - 1].from);
    int head = boxes_end(v, k, all[n - 1].kind == ARROW_TO_GLOBQ, all[n - 1].to);
    canvas_hline(c, in, tail, from, x - tail, role, 0x2501);
    canvas_hline(c, in, head, to, x - head, role, 0x2501);
    canvas_put(c, in, head, to, role, 0x25c0);
    for (int i = (down ? from : to) + 1; i < (down ? to : from); i++)
        canvas_put(c, in, x, i, role, 0x2503);
    canvas_put(c, in, x, from, role, down ? 0x2513 : 0x251b);
    canvas_put(c, in, x, to, role, down ? 0x251b : 0x2513);
    draw_count(c, in, k, &all[n - 1], from, to);
}

/* ---- the sentence and the whole ---- */

static const char *sentence(const struct view *v, char buf[SENTENCE_BYTES])
{
    int i = newest_listed(v);
    if (v->st.failed)
        return v->st.stop.text;
    return i < 0 ? text_in(&v->st.summary, v->lang) : listed_sentence(v, i, buf);
}

/* Draws a text in the middle of the rows. */
static void draw_centred(struct canvas *c, struct rect r, enum role role, const char *text)
{
    int w = r.w - 4 < SENTENCE_W ? r.w - 4 : SENTENCE_W, lines = wrap_lines(text, w);
    int x = r.x + (r.w - (lines == 1 ? text_width(text) : w)) / 2, y = lines < r.h ? r.y + (r.h - lines) / 2 : r.y;
    wrap_draw(c, (struct rect){x, y, w, r.y + r.h - y}, role, text);
}

static void draw_heading(const struct view *v, struct canvas *c, struct rect in, const struct columns *k, const struct rows *rows)
{
    char text[32] = "";
    rows_title(rows, text, sizeof text);
    canvas_printf(c, in, k->label, in.y, ROLE_heading, "%s%s", v->st.no_p ? "M" : "P", text);
    canvas_text(c, in, k->run, in.y, ROLE_heading, tx(v->lang, TX_COL_RUNNING));
    if (!v->st.no_p && !v->st.no_runnext)
        canvas_text(c, in, k->next, in.y, ROLE_heading, tx(v->lang, k->box >= 8 ? TX_COL_RUNNEXT : TX_COL_NEXT));
    if (!v->st.no_p)
        canvas_text(c, in, k->ring, in.y, ROLE_heading, tx(v->lang, TX_COL_RUNQ));
}

static void draw_global(const struct view *v, struct canvas *c, struct rect r, const struct columns *k)
{
    const struct columns wide = global_columns(k);
    uint32_t n = model_globq(v->md, NULL);
    canvas_printf(c, r, k->label, r.y, ROLE_heading, "%s ─ %u", tx(v->lang, TX_GLOBAL_QUEUE), n);
    draw_boxes(v, c, r, &wide, r.y + 1, &(struct gs){(int)n, global_at, 0});
    if (!n)
        canvas_text(c, r, wide.ring, r.y + 1 + k->scale->h / 2, ROLE_dim, empty_text(v));
}

/* The rows of Ps spread over their part of the screen. Their places depend on its size and their number alone. */
static struct rect place_rows(struct rect r, struct columns *k, int n)
{
    int most = k->scale->h + k->scale->apart;
    k->row_h = n && r.h / n > k->row_h ? r.h / n : k->row_h;
    k->row_h = k->row_h < most ? k->row_h : most;
    int free = r.h - n * k->row_h;
    return free > 0 ? (struct rect){r.x, r.y + free / 2, r.w, r.h - free / 2} : r;
}

static void draw_rows(const struct view *v, struct canvas *c, struct rect r, struct columns *k, int global)
{
    struct rows rows = {0};
    uint32_t n = v->st.no_p ? model_nm(v->md) : model_np(v->md);
    struct row_list list = {v->st.no_p ? THING_M : THING_P, n, v->st.no_p ? m_runs : p_exists};
    if (k->scale->h == 2)
        k->row_h = 3; /* a free row between rows of two */
    rows_choose(&rows, v, &list, (r.h - 1) / k->row_h);
    struct rect ps = place_rows((struct rect){r.x, r.y + 1, r.w, r.h - 1}, k, rows.n);
    draw_heading(v, c, (struct rect){r.x, ps.y - 1, r.w, 1}, k, &rows);
    if (!rows.n && !v->st.no_p)
        canvas_text(c, ps, k->run, ps.y + 1, ROLE_dim, tx(v->lang, TX_EMPTY_PROCESSORS));
    for (int i = 0; i < rows.n; i++)
        (v->st.no_p ? draw_m : draw_p)(v, c, ps, k, ps.y + i * k->row_h, rows.id[i]);
    draw_arrow(v, c, (struct rect){r.x, r.y, r.w, global + k->scale->h - r.y}, k, &(struct ends){&rows, ps.y, global});
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    struct rect in = p->in;
    char buf[SENTENCE_BYTES];
    draw_centred(c, (struct rect){in.x, in.y, in.w, 1}, ROLE_title, text_in(&v->st.title, v->lang));
    if (!v->md)
        return;
    struct columns k = columns_of(v, c, in);
    int global_h = 1 + k.scale->h;
    struct rect ps = {in.x, in.y + 1, in.w, in.h - 1 - SENTENCE_H - global_h}, said = {in.x, ps.y + ps.h, in.w, SENTENCE_H};
    const char *hidden = tx(v->lang, TX_HIDDEN);
    if (!lesson_hides(v, PANE_global_queue))
        draw_global(v, c, (struct rect){in.x, said.y + SENTENCE_H, in.w, global_h}, &k);
    if (lesson_hides(v, PANE_processors))
        draw_centred(c, ps, ROLE_dim, hidden);
    else
        draw_rows(v, c, ps, &k, said.y + SENTENCE_H + 1 + k.scale->h / 2);
    draw_centred(c, said, ROLE_sentence_now, lesson_hides(v, PANE_narration) ? hidden : sentence(v, buf));
}

const struct pane_ops pane_stage = {.bare = true, .draw = draw};
