/* Stage: the picture for the back row. The title and the clock, a row for each P with its Gs as boxes, the global queue, a strip for what is
 * on no P, and one sentence.
 *
 *   █▀█ █▀█   ╭─G──────────╮       ╭─G──────────╮╭─G──────────╮
 *   █▀▀ █ █   │  ▀█  █▀█   │   ·   │    █▀▀     ││    ▀▀█     │  ━━━┓
 *   ▀   ▀▀▀   │  ▄█▄ █▄█   │       │    █▄█     ││      █     │   4 ┃
 *   M0        ╰────────────╯       ╰────────────╯╰────────────╯  ◀━━┛
 *
 * The table of plans shares the rows of the screen, the table of scales its columns; both begin with the largest figures. The choice depends
 * on the size of the screen, the number of Ps and the widest number of a G alone, so a box moves only when its G does. A generation without Ps
 * has a row for each M that runs a G. */
#include "ui/panes/parts/arrows.h"
#include "ui/panes/parts/large.h"
#include "ui/panes/parts/stage.h"
#include "ui/panes/parts/wrap.h"

#include <stdio.h>
#include <string.h>

enum { GUTTER_W = 9, HEADINGS_H = 1, FEW_ROWS = 4 };

/* How large a box is drawn, and how many places the ring must then have at least. */
struct scale {
    enum big size;
    int pad;      /* columns on each side of the label */
    int h, apart; /* rows of a box, and the most that are free below it */
    int places;
};

static const struct scale scales[] = {
    {BIG_FULL, 3, 7, 3, 8},  {BIG_FULL, 1, 7, 3, 7},  {BIG_TALL, 3, 7, 2, 9},  {BIG_TALL, 1, 7, 2, 8},  {BIG_TALL, 0, 7, 2, 6},
    {BIG_HALF, 3, 5, 2, 9},  {BIG_HALF, 1, 5, 2, 8},  {BIG_HALF, 0, 5, 2, 5},  {BIG_HALF, 1, 3, 1, 6},  {BIG_HALF, 0, 3, 1, 5},
    {BIG_PLAIN, 3, 3, 1, 8}, {BIG_PLAIN, 1, 3, 1, 6}, {BIG_PLAIN, 2, 2, 2, 0}, {BIG_PLAIN, 1, 1, 1, 0},
};
enum { SCALES = sizeof scales / sizeof *scales };

/* How the rows of the screen are shared. A scale of three rows in large digits has no frames. A line of the strip is as high as its names. */
struct plan {
    enum big size;
    int h;           /* of a box; with size: which scales */
    int top;         /* rows of title and clock */
    enum big global; /* the size of the global queue's boxes, and their height: 1 is next to the heading */
    int global_h;
    enum big strip;
    int lines, said; /* lines of the strip; rows of the sentence */
};

static const struct plan plans[] = {
    {BIG_FULL, 7, 3, BIG_FULL, 7, BIG_HALF, 2, 11},   {BIG_FULL, 7, 3, BIG_FULL, 7, BIG_HALF, 2, 7},
    {BIG_FULL, 7, 3, BIG_HALF, 5, BIG_HALF, 2, 7},    {BIG_FULL, 7, 3, BIG_HALF, 5, BIG_HALF, 1, 7},
    {BIG_FULL, 7, 1, BIG_HALF, 5, BIG_HALF, 1, 7},    {BIG_FULL, 7, 1, BIG_HALF, 3, BIG_HALF, 1, 7},
    {BIG_FULL, 7, 1, BIG_PLAIN, 1, BIG_HALF, 1, 7},   {BIG_HALF, 5, 3, BIG_HALF, 5, BIG_HALF, 2, 7},
    {BIG_HALF, 5, 3, BIG_HALF, 5, BIG_HALF, 1, 7},    {BIG_HALF, 5, 1, BIG_HALF, 5, BIG_HALF, 1, 7},
    {BIG_HALF, 5, 1, BIG_HALF, 5, BIG_HALF, 1, 3},    {BIG_HALF, 5, 1, BIG_HALF, 3, BIG_HALF, 1, 3},
    {BIG_HALF, 5, 1, BIG_HALF, 3, BIG_HALF, 1, 2},    {BIG_HALF, 5, 1, BIG_PLAIN, 1, BIG_HALF, 1, 3},
    {BIG_HALF, 3, 1, BIG_HALF, 3, BIG_HALF, 1, 3},    {BIG_HALF, 3, 1, BIG_HALF, 3, BIG_HALF, 1, 2},
    {BIG_HALF, 3, 1, BIG_PLAIN, 1, BIG_HALF, 1, 3},   {BIG_HALF, 3, 1, BIG_PLAIN, 1, BIG_HALF, 1, 2},
    {BIG_HALF, 3, 1, BIG_PLAIN, 1, BIG_PLAIN, 2, 2},  {BIG_TALL, 7, 1, BIG_TALL, 7, BIG_PLAIN, 2, 2},
    {BIG_TALL, 7, 1, BIG_PLAIN, 1, BIG_PLAIN, 2, 2},  {BIG_PLAIN, 3, 1, BIG_PLAIN, 3, BIG_PLAIN, 3, 2},
    {BIG_PLAIN, 3, 1, BIG_PLAIN, 1, BIG_PLAIN, 2, 2}, {BIG_PLAIN, 2, 1, BIG_PLAIN, 1, BIG_PLAIN, 1, 2},
    {BIG_PLAIN, 1, 1, BIG_PLAIN, 1, BIG_PLAIN, 2, 2}, {BIG_PLAIN, 1, 1, BIG_PLAIN, 1, BIG_PLAIN, 1, 1},
};
enum { PLANS = sizeof plans / sizeof *plans };

struct columns {
    const struct scale *scale;
    const struct plan *plan;
    const struct stage_names *names;
    int label, run, next, ring, gutter, box; /* x of each; box: the width of one */
    int pitch;                               /* columns from box to box in a queue: where there is little room, frames share a side */
    int boxes;                               /* how many fit into the ring */
    int row_h;
};

/* Returns true if a row of this scale has no room below the label. */
static bool is_low(const struct scale *s)
{
    return s->h <= (s->size == BIG_PLAIN ? 2 : 3);
}

static int label_width(const struct scale *s, const struct view *v)
{
    char text[16];
    uint32_t n = v->st.no_p ? model_nm(v->md) : model_np(v->md);
    snprintf(text, sizeof text, "%c%u", v->st.no_p ? 'M' : 'P', n ? n - 1 : 0);
    int big = big_width(s->size, text), m = m_width(v);
    if (is_low(s))
        return big + (v->st.no_p ? 0 : m + 1) + 2;
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
    bool shared = s->pad == 0 && s->h > (s->size == BIG_PLAIN ? 1 : big_height(s->size));
    k.pitch = k.box - shared;
    k.boxes = (k.gutter - 1 - k.ring - shared) / k.pitch;
    k.row_h = s->h;
    return k;
}

/* Returns the scale with the widest boxes of this size of which enough fit, the narrowest one if none has. */
static struct columns widest(const struct view *v, struct rect in, enum big size, int h, bool *fits)
{
    uint32_t ring = v->st.no_p ? 0 : model_runq_size(v->md);
    struct columns k = {.scale = NULL};
    *fits = false;
    for (int i = 0; i < SCALES && !*fits; i++) {
        const struct scale *s = &scales[i];
        if (s->size != size || s->h != h)
            continue;
        k = columns_for(v, in, s);
        *fits = k.boxes >= (ring && (int)ring < s->places ? (int)ring : s->places);
    }
    return k;
}

/* The boxes of the global queue begin below those of the running Gs, so more of them fit. One row of plain names has no frames. */
static struct columns global_columns(const struct view *v, struct rect in, const struct columns *k)
{
    bool fits;
    struct columns wide = widest(v, in, k->plan->global, k->plan->global_h, &fits);
    wide.plan = k->plan;
    wide.names = k->names;
    wide.ring = k->plan->global_h == 1 ? k->label + 30 : k->run;
    wide.boxes = (k->gutter - 1 - wide.ring - (wide.box - wide.pitch)) / wide.pitch;
    return wide;
}

/* Returns how many rows the plan must leave room for. If rows are left out in any case, a few large ones are better than many small ones. */
static int rows_wanted(const struct view *v, int h)
{
    enum { OTHERS = 8, BEFORE_PROCRESIZE = 2 };
    uint32_t n = v->st.no_p ? model_nm(v->md) : model_np(v->md) ? model_np(v->md) : BEFORE_PROCRESIZE;
    int small = (h - OTHERS) / 2;
    bool few = v->st.no_p || (int)n > small;
    return few && n > FEW_ROWS ? FEW_ROWS : (int)n;
}

static int strip_rows(const struct plan *p)
{
    return 1 + p->lines * stage_strip_line(p->strip) + (p->strip == BIG_PLAIN ? 0 : p->lines - 1);
}

static int global_rows(const struct plan *p)
{
    return p->global_h > 1 ? 1 + p->global_h : 1;
}

/* Returns the largest plan in which all rows fit that are wanted, or the last one. */
static struct columns columns_of(const struct view *v, const struct canvas *c, struct rect in)
{
    int n = rows_wanted(v, in.h);
    for (int i = 0;; i++) {
        const struct plan *p = &plans[i];
        bool fits, half = p->size == BIG_HALF || p->global == BIG_HALF || p->strip == BIG_HALF;
        struct columns k = widest(v, in, p->size, p->h, &fits);
        int rows = p->top + HEADINGS_H + n * (p->h == 2 ? 3 : p->h) + strip_rows(p) + p->said + global_rows(p);
        bool drawable = c->ascii ? !half : p->size != BIG_TALL;
        k.plan = p;
        if (i == PLANS - 1 || (fits && drawable && rows <= in.h))
            return k;
    }
}

/* ---- boxes ---- */

struct pen {
    const struct view *v;
    struct canvas *c;
    struct rect in;
    const struct columns *k;
};

/* A G that an M has in its hands does not run yet: an arrow instead of the frame. */
static void draw_g_box(const struct pen *pen, struct rect b, uint32_t g, bool in_hand)
{
    char name[EV_G_NAME];
    enum role role = g_role(g);
    ev_g_name(g, name);
    const char *number = name + (name[1] == 's' ? 2 : 1);
    int w = big_width(pen->k->scale->size, pen->k->scale->size == BIG_PLAIN ? name : number), mid = b.y + b.h / 2;
    bool framed = b.h > (pen->k->scale->size == BIG_PLAIN ? 1 : big_height(pen->k->scale->size));
    int middle = (b.w - w + !framed) / 2, after = framed ? 1 : 1 + (int)(number - name); /* without a frame, the letter is next to it */
    int at = middle > after ? middle : after;
    pen->c->tag = tag_of('G', g);
    stage_blank(pen->c, pen->in, b, role);
    if (in_hand)
        canvas_put(pen->c, pen->in, b.x, mid, role, 0x2192);
    else if (framed)
        canvas_box(pen->c, b, role, NULL);
    if (pen->k->scale->h == 2 && !in_hand)
        canvas_hline(pen->c, pen->in, b.x + 2, mid, b.w - 4, role, ' ');
    if (pen->k->scale->size == BIG_PLAIN || at + w > b.w - framed) {
        canvas_text(pen->c, pen->in, b.x + (b.w - text_width(name)) / 2, mid, role, name);
    } else {
        canvas_printf(pen->c, pen->in, b.x + (framed ? 2 : 1), framed || in_hand ? b.y : mid, role, "%.*s", (int)(number - name), name);
        big_text(pen->c, pen->in, b.x + at, b.y + framed, pen->k->scale->size, role, number);
    }
    pen->c->tag = 0;
}

/* Draws a G as a box; 0: an empty place; G_UNSEEN: nobody knows what is there. */
static void draw_box(const struct pen *pen, int x, int y, uint32_t g)
{
    struct rect b = {x, y, pen->k->box, pen->k->scale->h};
    bool unseen = g == (uint32_t)G_UNSEEN;
    if (g && !unseen)
        draw_g_box(pen, b, g, false);
    else
        canvas_put(pen->c, pen->in, x + b.w / 2, y + b.h / 2, ROLE_border, unseen ? '?' : 0xb7);
}

/* A queue of n Gs; at(): the i-th from the head. */
struct gs {
    int n;
    uint32_t (*at)(const struct view *v, uint32_t of, uint32_t i);
    uint32_t of;
};

/* Writes how many Gs have no box, at the place of box i. */
static void draw_more(const struct pen *pen, int i, int y, int hidden)
{
    char more[16];
    snprintf(more, sizeof more, "+%d", hidden);
    enum big size = pen->k->scale->size;
    if (size == BIG_FULL && big_width(size, more) >= pen->k->box)
        size = pen->c->ascii ? BIG_PLAIN : BIG_HALF;
    if (size != BIG_PLAIN && big_width(size, more) >= pen->k->box)
        size = BIG_PLAIN;
    big_text(pen->c, pen->in, pen->k->ring + i * pen->k->pitch + 1, y + pen->k->scale->h / 2 - big_height(size) / 2, size, ROLE_heading,
             more);
}

/* Draws as many as fit. If not all do, a place says how many more there are, and the last one has the G that is named, if there is one. */
static void draw_boxes(const struct pen *pen, int y, const struct gs *gs)
{
    int shown = gs->n <= pen->k->boxes ? gs->n : pen->k->boxes - 1;
    uint32_t named = 0;
    for (int i = shown; i >= 1 && i < gs->n && !named; i++)
        named = stage_named(pen->k->names, tag_of('G', gs->at(pen->v, gs->of, (uint32_t)i))) ? gs->at(pen->v, gs->of, (uint32_t)i) : 0;
    shown -= named != 0;
    for (int i = 0; i < shown; i++)
        draw_box(pen, pen->k->ring + i * pen->k->pitch, y, gs->at(pen->v, gs->of, (uint32_t)i));
    if (shown < 0 || shown >= gs->n)
        return;
    draw_more(pen, shown, y, gs->n - shown - (named != 0));
    if (named)
        draw_box(pen, pen->k->ring + (shown + 1) * pen->k->pitch, y, named);
}

static uint32_t ring_at(const struct view *v, uint32_t p, uint32_t i)
{
    const struct model_p *mp = model_p(v->md, p);
    return g_in_queue(mp->ring[(mp->head + i) % model_runq_size(v->md)]);
}

static uint32_t global_at(const struct view *v, uint32_t unused, uint32_t i)
{
    const uint32_t *q;
    (void)unused;
    return i < model_globq(v->md, &q) ? g_in_queue(q[i]) : 0;
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

/* Returns the word for a state letter, which stands below the letter, or alone where boxes are low. */
static const char *letter_word(const struct view *v, char letter)
{
    static const struct {
        char letter;
        enum text_id word;
    } of[] = {{'S', TX_P_SPINNING},      {'F', TX_P_FINDING_SHORT}, {'I', TX_STAGE_W_IDLE},
              {'Y', TX_STAGE_W_SYSCALL}, {'H', TX_STAGE_W_HANDED},  {'G', TX_P_STOPPED_SHORT}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (of[i].letter == letter)
            return tx(v->lang, of[i].word);
    return letter == 'N' ? "netpoll" : "";
}

/* Draws the G that M m runs or moves, else what m does, as a letter and a word. */
static void draw_hand(const struct pen *pen, int y, uint32_t m, struct letter idle)
{
    const struct model_m *mm = m == EV_NONE ? NULL : model_m(pen->v->md, m);
    uint32_t g = !mm ? 0 : mm->curg ? mm->curg : m_next_g(mm);
    struct letter l = mm ? m_letter(pen->v, m) : idle;
    enum role role = l.role == ROLE_paused ? ROLE_arrow : l.role; /* a block in a reversed role is a blank */
    char text[2] = {l.letter, '\0'};
    enum big size = pen->k->scale->size;
    const char *word = letter_word(pen->v, l.letter);
    bool letter = pen->k->scale->h >= 5 || !*word;
    int mid = y + pen->k->scale->h / 2, top = mid - big_height(size) / 2, at = (pen->k->box - text_width(word)) / 2;
    if (g) {
        draw_g_box(pen, (struct rect){pen->k->run, y, pen->k->box, pen->k->scale->h}, g, !mm->curg);
        return;
    }
    if (letter)
        big_text(pen->c, pen->in, pen->k->run + (pen->k->box - big_width(size, text)) / 2, top, size, role, text);
    canvas_text(pen->c, pen->in, pen->k->run + (at > 0 ? at : 0), letter ? y + pen->k->scale->h - 1 : mid, role, word);
}

/* Draws the label of a row in the scale's glyphs. */
static void draw_row_label(const struct pen *pen, int y, uint32_t tag)
{
    char text[16];
    snprintf(text, sizeof text, "%c%u", thing_kind(tag) == THING_P ? 'P' : 'M', thing_id(tag));
    enum big size = pen->k->scale->size;
    enum role role = row_is_lit(pen->v, tag) ? ROLE_focus : ROLE_title;
    int edge = size == BIG_PLAIN ? 0 : 1, top = y + (pen->k->scale->h - big_height(size)) / 2, from = edge ? y : top;
    pen->c->tag = tag;
    stage_blank(pen->c, pen->in,
                (struct rect){pen->k->label - edge, from, big_width(size, text) + 2 * edge,
                              top - from + big_height(size) + (size == BIG_FULL || size == BIG_TALL)},
                role);
    big_text(pen->c, pen->in, pen->k->label, top, size, role, text);
    pen->c->tag = 0;
}

/* Draws which M a row has, below the label of the P, or next to it if the row is low; and above the label whether the P must stop. */
static void draw_m_label(const struct pen *pen, int y, uint32_t p, uint32_t m)
{
    bool low = is_low(pen->k->scale), stops = p_must_stop(pen->v, p);
    int x = low ? pen->k->run - m_width(pen->v) - 1 : pen->k->label, below = low ? y + pen->k->scale->h / 2 : y + pen->k->scale->h - 1;
    if (stops && !low)
        canvas_text(pen->c, pen->in, pen->k->label, y, ROLE_paused, tx(pen->v->lang, TX_P_MUST_STOP));
    if (m != EV_NONE)
        draw_label(pen->c, pen->in, x, below, (struct label){'M', m, stops ? ROLE_paused : ROLE_dim, false});
}

static void draw_p(const struct pen *pen, int y, uint32_t p)
{
    const struct model_p *mp = model_p(pen->v->md, p);
    bool has_m = mp->status == P_RUNNING || mp->status == P_GCSTOP; /* an M in a system call is in the strip, with its G */
    uint32_t m = has_m ? mp->m : EV_NONE;
    bool acts = m != EV_NONE && (mp->status == P_RUNNING || model_m(pen->v->md, m)->curg);
    bool in_call = acts && model_p_in_call(pen->v->md, p); /* since 1.26 the M of a call has its P, so its G is here, where there is room */
    const char *word = tx(pen->v->lang, TX_STAGE_W_SYSCALL);
    draw_row_label(pen, y, tag_of('P', p));
    draw_m_label(pen, y, p, m);
    draw_hand(pen, y, acts && !(in_call && pen->k->scale->h < 3) ? m : EV_NONE, p_letter(pen->v, p));
    if (in_call && pen->k->scale->h >= 3)
        canvas_text(pen->c, pen->in, pen->k->run + (pen->k->box - text_width(word)) / 2, y + pen->k->scale->h - 1, ROLE_syscall, word);
    if (!pen->v->st.no_runnext)
        draw_box(pen, pen->k->next, y, !mp->runnext && not_known(pen->v, KNOW_P_RUNNEXT, p) ? (uint32_t)G_UNSEEN : mp->runnext);
    int middle = y + pen->k->scale->h / 2;
    if (!pen->v->st.no_runnext)
        draw_derived(pen->v, pen->c, (struct rect){pen->k->next - 1, middle, 1, 1}, KNOW_P_RUNNEXT, p);
    draw_derived(pen->v, pen->c, (struct rect){pen->k->ring - 1, middle, 1, 1}, KNOW_P_RUNQ, p);
    if (not_known(pen->v, KNOW_P_LEN, p) && mp->head == mp->tail)
        draw_box(pen, pen->k->ring, y, (uint32_t)G_UNSEEN);
    draw_boxes(pen, y, &(struct gs){(int)(mp->tail - mp->head), ring_at, p});
}

static void draw_m(const struct pen *pen, int y, uint32_t m)
{
    draw_row_label(pen, y, tag_of('M', m));
    draw_hand(pen, y, m, m_letter(pen->v, m));
}

/* ---- the arrow ---- */

/* Where an arrow may begin or end: the rows of Ps, and the global queue's. */
struct ends {
    const struct rows *rows;
    int y, global;
};

/* Returns the middle of a P's row, -1 if it is hidden. */
static int row_y(const struct pen *pen, const struct ends *e, uint32_t p)
{
    for (int i = 0; i < e->rows->n; i++)
        if (e->rows->id[i] == p)
            return e->y + i * pen->k->row_h + pen->k->scale->h / 2;
    return -1;
}

/* Draws how many Gs moved, or which M was woken: large and next to the line, or at its tail. */
static void draw_count(const struct pen *pen, const struct arrow *a, int from, int to)
{
    char text[16];
    snprintf(text, sizeof text, "%s%u", a->kind == ARROW_WAKE ? "M" : "", a->n);
    bool plain = pen->c->ascii || pen->k->scale->size == BIG_PLAIN || big_width(BIG_HALF, text) > GUTTER_W - 2;
    enum big size = plain ? BIG_PLAIN : BIG_HALF;
    int x = pen->in.x + pen->in.w - 3 - big_width(size, text), mid = (from + to) / 2 - big_height(size) / 2;
    bool apart = from - to > big_height(size) + 1 || to - from > big_height(size) + 1;
    big_text(pen->c, pen->in, x, apart ? mid : from, apart ? size : BIG_PLAIN, ROLE_arrow, text);
}

static const char *empty_text(const struct view *v)
{
    return tx(v->lang, not_known(v, KNOW_GLOBQ_LEN, 0) ? TX_NOT_RECORDED_HERE : v->st.no_p ? TX_EMPTY_ONLY_QUEUE : TX_EMPTY_GLOBQ);
}

/* Returns the columns of an empty global queue: of its text, if an arrow has room behind it; else the arrow takes its place. */
static int empty_width(const struct view *v, const struct columns *global)
{
    int w = text_width(empty_text(v));
    return global->ring + w < global->gutter ? w : -1;
}

/* Returns where the boxes of a row end: of P `of`, or of the global queue. An empty global queue has its text there. */
static int boxes_end(const struct pen *pen, bool global, uint32_t of)
{
    const struct model_p *mp = model_p(pen->v->md, of);
    const struct columns at = global ? global_columns(pen->v, pen->in, pen->k) : *pen->k;
    uint32_t n = global ? model_globq(pen->v->md, NULL) : mp->tail - mp->head;
    int shown = (int)n < at.boxes ? (int)n : at.boxes, used = global && !n ? empty_width(pen->v, &at) : shown * at.pitch;
    int end = at.ring + used + 1;
    return end < pen->k->gutter ? end : pen->k->gutter;
}

/* The Gs that an M moves at the moment, without the one that is drawn in its hand. */
struct batch {
    uint32_t m, n;
    const uint32_t *g;
};

static struct batch batch_of(const struct view *v, const struct arrow *a)
{
    uint32_t m = a->kind == ARROW_WAKE || a->kind == ARROW_HANDOFF ? EV_NONE : model_p(v->md, a->to)->m;
    const struct model_m *mm = m == EV_NONE ? NULL : model_m(v->md, m);
    uint32_t in_hand = mm && !mm->curg;
    bool some = mm && mm->transit_n > in_hand;
    return some ? (struct batch){m, mm->transit_n - in_hand, mm->transit + in_hand} : (struct batch){EV_NONE, 0, NULL};
}

/* Draws a batch along a line of the arrow, large if there is room. Returns false if there is none for all of it. */
static bool draw_batch(const struct pen *pen, const struct batch *b, int x, int y)
{
    enum { EDGE = 2 };
    bool large = !pen->c->ascii && pen->k->scale->size != BIG_PLAIN;
    for (enum big size = large ? BIG_HALF : BIG_PLAIN;; size = BIG_PLAIN) {
        int w = EDGE;
        for (uint32_t i = 0; i < b->n; i++)
            w += stage_name(NULL, pen->in, 0, 0, size, tag_of('G', b->g[i])) + 1 + (size != BIG_PLAIN);
        if (x + w <= pen->k->gutter) {
            x += EDGE;
            for (uint32_t i = 0; i < b->n; i++)
                x += stage_name(pen->c, pen->in, x, y - stage_strip_line(size) / 2, size, tag_of('G', b->g[i])) + 1 + (size != BIG_PLAIN);
            return true;
        }
        if (size == BIG_PLAIN)
            return false;
    }
}

/* Draws the newest move, from its row to the other one, with the Gs that are on their way. Returns the M that has them if all are drawn. */
static uint32_t draw_arrow(const struct pen *pen, const struct ends *e)
{
    struct arrow all[ARROWS_MAX];
    int n = arrows_of(pen->v, all), x = pen->in.x + pen->in.w - 2;
    if (!n || pen->v->st.no_p)
        return EV_NONE;
    const struct arrow *a = &all[n - 1];
    int from = a->kind == ARROW_FROM_GLOBQ ? e->global : row_y(pen, e, a->from);
    int to = a->kind == ARROW_TO_GLOBQ ? e->global : row_y(pen, e, a->to);
    if (from < 0 || to < 0 || from == to) /* an end is hidden */
        return EV_NONE;
    enum role role = ROLE_arrow;
    bool down = to > from;
    struct batch batch = batch_of(pen->v, a);
    int tail = boxes_end(pen, a->kind == ARROW_FROM_GLOBQ, a->from);
    int head = boxes_end(pen, a->kind == ARROW_TO_GLOBQ, a->to);
    canvas_hline(pen->c, pen->in, tail, from, x - tail, role, 0x2501);
    canvas_hline(pen->c, pen->in, head, to, x - head, role, 0x2501);
    canvas_put(pen->c, pen->in, head, to, role, 0x25c0);
    for (int i = (down ? from : to) + 1; i < (down ? to : from); i++)
        canvas_put(pen->c, pen->in, x, i, role, 0x2503);
    canvas_put(pen->c, pen->in, x, from, role, down ? 0x2513 : 0x251b);
    canvas_put(pen->c, pen->in, x, to, role, down ? 0x251b : 0x2513);
    draw_count(pen, a, from, to);
    bool drawn = batch.n && (draw_batch(pen, &batch, head, to) || draw_batch(pen, &batch, tail, from));
    return drawn ? batch.m : EV_NONE;
}

/* ---- the whole ---- */

static const char *sentence(const struct view *v, char buf[SENTENCE_BYTES])
{
    int i = event_now(v);
    const char *summary = text_in(&v->st.summary, v->lang);
    if (v->st.failed)
        return v->st.stop.text;
    if (i < 0)
        return summary ? summary : ""; /* a run without a scenario need not have one */
    return event_listed(v, i) ? listed_sentence(v, i, buf) : sentence_of(v, &v->ev[i], buf);
}

/* Draws a text in the middle of r, in plain letters. */
static void draw_centred(struct canvas *c, struct rect r, enum role role, const char *text)
{
    enum { TEXT_W = 76, MARGIN = 2 };
    int w = r.w - 2 * MARGIN < TEXT_W ? r.w - 2 * MARGIN : TEXT_W, lines = wrap_lines(text, w);
    int x = r.x + (r.w - (lines == 1 ? text_width(text) : w)) / 2, y = lines < r.h ? r.y + (r.h - lines) / 2 : r.y;
    wrap_draw(c, (struct rect){x, y, w, r.y + r.h - y}, role, text);
}

/* The same in large letters, if all of it fits. */
static void draw_sentence(const struct view *v, struct canvas *c, struct rect r, enum role role, const char *text)
{
    enum { MARGIN = 2 };
    struct rect in = {r.x + MARGIN, r.y, r.w - 2 * MARGIN, r.h};
    int rows = v->large ? large_rows(large_lines(text, in.w)) : 0;
    if (rows <= 0 || rows > r.h) {
        draw_centred(c, r, role, text);
        return;
    }
    in.y += (r.h - rows) / 2;
    in.h = rows;
    large_draw(c, in, true, role, text);
}

/* Draws the time and the number of the event at the right end of r. Returns how many columns it took. */
static int draw_clock(const struct view *v, struct canvas *c, struct rect r)
{
    char time[32], event[48];
    int right = r.x + r.w - 2;
    time_text(v->st.time, time, sizeof time);
    snprintf(event, sizeof event, tx(v->lang, TX_STAGE_EVENT), (unsigned long long)v->st.events);
    if (r.h < big_height(BIG_HALF) || c->ascii) {
        canvas_right(c, r, right, r.y, ROLE_title, event);
        canvas_right(c, r, right - text_width(event) - 2, r.y, ROLE_title, time);
        return text_width(event) + text_width(time) + 6;
    }
    int w = big_width(BIG_HALF, time), x = right - text_width(event) - 2 - w;
    big_text(c, r, x, r.y, BIG_HALF, ROLE_title, time);
    canvas_text(c, r, x + w + 2, r.y + 2, ROLE_dim, event);
    return w + text_width(event) + 7;
}

static void draw_heading(const struct pen *pen, const struct rows *rows)
{
    char text[32] = "";
    rows_title(rows, text, sizeof text);
    canvas_printf(pen->c, pen->in, pen->k->label, pen->in.y, ROLE_heading, "%s%s", pen->v->st.no_p ? "M" : "P", text);
    canvas_text(pen->c, pen->in, pen->k->run, pen->in.y, ROLE_heading, tx(pen->v->lang, TX_COL_RUNNING));
    if (!pen->v->st.no_p && !pen->v->st.no_runnext)
        canvas_text(pen->c, pen->in, pen->k->next, pen->in.y, ROLE_heading,
                    tx(pen->v->lang, pen->k->box >= 8 ? TX_COL_RUNNEXT : TX_COL_NEXT));
    if (!pen->v->st.no_p)
        canvas_text(pen->c, pen->in, pen->k->ring, pen->in.y, ROLE_heading, tx(pen->v->lang, TX_COL_RUNQ));
}

static void draw_global(const struct view *v, struct canvas *c, struct rect r, const struct columns *k)
{
    const struct columns wide = global_columns(v, r, k);
    uint32_t n = model_globq(v->md, NULL);
    int y = r.y + (r.h > 1);
    char text[KNOWN_TEXT];
    canvas_printf(c, r, k->label, r.y, ROLE_heading, "%s ─ %s", tx(v->lang, TX_GLOBAL_QUEUE), known_number(v, KNOW_GLOBQ_LEN, 0, n, text));
    draw_derived(v, c, (struct rect){wide.ring - 1, y + wide.scale->h / 2, 1, 1}, KNOW_GLOBQ, 0);
    draw_boxes(&(struct pen){v, c, r, &wide}, y, &(struct gs){(int)n, global_at, 0});
    if (!n && wide.ring + text_width(empty_text(v)) <= r.x + r.w)
        canvas_text(c, r, wide.ring, y + wide.scale->h / 2, ROLE_dim, empty_text(v));
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

/* Returns the M whose Gs are drawn in the arrow, EV_NONE: there is none. */
static uint32_t draw_rows(const struct view *v, struct canvas *c, struct rect r, struct columns *k)
{
    struct rows rows = {0};
    uint32_t n = v->st.no_p ? model_nm(v->md) : model_np(v->md);
    struct row_list list = {v->st.no_p ? THING_M : THING_P, n, v->st.no_p ? m_runs : p_exists};
    if (k->scale->h == 2)
        k->row_h = 3; /* a free row between rows of two */
    rows_choose(&rows, v, &list, (r.h - HEADINGS_H) / k->row_h);
    struct rect ps = place_rows((struct rect){r.x, r.y + HEADINGS_H, r.w, r.h - HEADINGS_H}, k, rows.n);
    draw_heading(&(struct pen){v, c, {r.x, ps.y - HEADINGS_H, r.w, HEADINGS_H}, k}, &rows);
    if (!rows.n && !v->st.no_p)
        canvas_text(c, ps, k->run, ps.y + 1, ROLE_dim, tx(v->lang, TX_EMPTY_PROCESSORS));
    for (int i = 0; i < rows.n; i++)
        (v->st.no_p ? draw_m : draw_p)(&(struct pen){v, c, ps, k}, ps.y + i * k->row_h, rows.id[i]);
    struct rect with_global = {r.x, r.y, r.w, r.h + global_rows(k->plan)};
    int queue_y = r.y + r.h + (global_rows(k->plan) > 1) + k->plan->global_h / 2; /* of the global queue */
    return draw_arrow(&(struct pen){v, c, with_global, k}, &(struct ends){&rows, ps.y, queue_y});
}

/* Of two runs, each title says which run it is, and its settings. */
static void write_title(const struct view *v, char *buf, size_t size)
{
    const char *title = text_in(&v->st.title, v->lang), *settings = v->side && v->settings_text ? v->settings_text : "";
    snprintf(buf, size, "%s%s%s", v->side ? v->side : "", v->side ? tx(v->lang, TX_COLON) : "", *settings ? settings : title ? title : "");
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    struct rect in = p->in;
    char buf[SENTENCE_BYTES];
    char title[256];
    write_title(v, title, sizeof title);
    if (!v->md) {
        draw_centred(c, (struct rect){in.x, in.y, in.w, 1}, ROLE_title, title);
        return;
    }
    struct columns k = columns_of(v, c, in);
    const struct stage_names names = stage_names(v);
    k.names = &names;
    const struct plan *plan = k.plan;
    const char *hidden = tx(v->lang, TX_HIDDEN);
    struct rect top = {in.x, in.y, in.w, plan->top}, said = {in.x, in.y + in.h - plan->said, in.w, plan->said};
    struct rect strip = {in.x, said.y - strip_rows(plan), in.w, strip_rows(plan)};
    struct rect global = {in.x, strip.y - global_rows(plan), in.w, global_rows(plan)};
    struct rect ps = {in.x, top.y + top.h, in.w, global.y - top.y - top.h};
    uint32_t in_arrow = EV_NONE;

    top.w -= draw_clock(v, c, top);
    draw_sentence(v, c, top, ROLE_title, title);
    if (!lesson_hides(v, PANE_global_queue))
        draw_global(v, c, global, &k);
    if (lesson_hides(v, PANE_processors))
        draw_centred(c, ps, ROLE_dim, hidden);
    else
        in_arrow = draw_rows(v, c, ps, &k);
    bool strip_hidden = lesson_hides(v, PANE_threads) || lesson_hides(v, PANE_waiting);
    if (strip_hidden)
        draw_centred(c, strip, ROLE_dim, hidden);
    else
        stage_strip(v, c, strip, &(struct stage_strip){&names, plan->strip, !lesson_hides(v, PANE_processors), in_arrow});
    if (lesson_hides(v, PANE_narration) && !strip_hidden)
        draw_centred(c, said, ROLE_dim, hidden);
    else if (!lesson_hides(v, PANE_narration))
        draw_sentence(v, c, said, ROLE_sentence_now, sentence(v, buf));
}

const struct pane_ops pane_stage = {.bare = true, .draw = draw};
