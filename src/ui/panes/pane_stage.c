/* Stage: the picture for the back row. The title, a row for each P with its Gs as boxes two rows high, the global queue, and one sentence.
 *
 *   P0   ╭─────╮         ╭─────╮╭─────╮
 *   M0   ╰─G1 ─╯         ╰─G7 ─╯╰─G8 ─╯ ──4──╮
 *
 * Columns depend on the widest label and the width alone, so nothing moves. A generation without Ps has a row for each M that runs a G. */
#include "ui/panes/arrows.h"
#include "ui/panes/panes.h"
#include "ui/panes/wrap.h"

#include <stdio.h>

enum { WIDEST = 120, WIDE = 90, ROW_H = 3, ROW_H_MOST = 6, LABEL_W = 6, GUTTER_W = 9, SENTENCE_H = 4, SENTENCE_W = 76, GLOBAL_H = 3 };

struct columns {
    int label, run, next, ring, gutter, box; /* x of each; box: the width of one */
    int boxes;                               /* how many fit into the ring */
    int row_h;
};

static struct columns columns_for(const struct view *v, struct rect in)
{
    struct columns k = {.label = in.x + 2, .box = g_width(v) + (in.w >= WIDEST ? 8 : in.w >= WIDE ? 6 : 4), .row_h = ROW_H};
    k.run = k.label + LABEL_W;
    k.next = k.run + k.box + 2;
    k.ring = v->st.no_runnext || v->st.no_p ? k.next : k.next + k.box + 2;
    k.gutter = in.x + in.w - GUTTER_W;
    k.boxes = (k.gutter - 1 - k.ring) / k.box;
    return k;
}

/* ---- boxes ---- */

/* Draws a G as a box two rows high; 0: an empty place. */
static void draw_box(struct canvas *c, struct rect in, int x, int y, int w, uint32_t g)
{
    char name[EV_G_NAME];
    enum role role = g ? g_role(g) : ROLE_border;
    c->tag = g ? tag_of('G', g) : 0;
    canvas_hline(c, in, x, y, w, role, g ? 0x2500 : ' ');
    canvas_hline(c, in, x, y + 1, w, role, g ? 0x2500 : ' ');
    if (g)
        canvas_hline(c, in, x + 2, y + 1, w - 4, role, ' ');
    if (g) {
        canvas_put(c, in, x, y, role, 0x256d);
        canvas_put(c, in, x + w - 1, y, role, 0x256e);
        canvas_put(c, in, x, y + 1, role, 0x2570);
        canvas_put(c, in, x + w - 1, y + 1, role, 0x256f);
        ev_g_name(g, name);
        canvas_text(c, in, x + (w - text_width(name)) / 2, y + 1, role, name);
    } else {
        canvas_put(c, in, x + w / 2, y + 1, role, 0xb7);
    }
    c->tag = 0;
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
    int shown = gs->n <= k->boxes ? gs->n : k->boxes - 1;
    for (int i = 0; i < shown; i++)
        draw_box(c, in, k->ring + i * k->box, y, k->box, gs->at(v, gs->of, (uint32_t)i));
    if (shown >= 0 && shown < gs->n)
        canvas_printf(c, in, k->ring + shown * k->box + 1, y + 1, ROLE_heading, "+%d", gs->n - shown);
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
    uint32_t g = !mm ? 0 : mm->curg ? mm->curg : mm->transit_n ? mm->transit[mm->transit_n - 1] : 0;
    struct letter l = mm ? m_letter(v, m) : idle;
    draw_box(c, in, k->run, y, k->box, g);
    if (!g)
        canvas_printf(c, in, k->run + k->box / 2, y + 1, l.role, "%c", l.letter);
}

static void draw_p(const struct view *v, struct canvas *c, struct rect in, const struct columns *k, int y, uint32_t p)
{
    const struct model_p *mp = model_p(v->md, p);
    uint32_t m = mp->status == P_RUNNING ? mp->m : mp->status == P_SYSCALL ? p_syscall_m(v, p) : EV_NONE;
    bool lit = row_is_lit(v, tag_of('P', p));
    draw_label(c, in, k->label, y, (struct label){'P', p, lit ? ROLE_focus : ROLE_title, false});
    if (m != EV_NONE)
        draw_label(c, in, k->label, y + 1, (struct label){'M', m, ROLE_dim, false});
    draw_hand(v, c, in, k, y, m, p_letter(v, p));
    if (!v->st.no_runnext)
        draw_box(c, in, k->next, y, k->box, mp->runnext);
    draw_boxes(v, c, in, k, y, &(struct gs){(int)(mp->tail - mp->head), ring_at, p});
}

static void draw_m(const struct view *v, struct canvas *c, struct rect in, const struct columns *k, int y, uint32_t m)
{
    bool lit = row_is_lit(v, tag_of('M', m));
    draw_label(c, in, k->label, y, (struct label){'M', m, lit ? ROLE_focus : ROLE_title, false});
    draw_hand(v, c, in, k, y, m, m_letter(v, m));
}

/* ---- the arrow ---- */

static int row_y(const struct rows *rows, const struct columns *k, uint32_t p, int y)
{
    for (int i = 0; i < rows->n; i++)
        if (rows->id[i] == p)
            return y + i * k->row_h + 1;
    return -1;
}

/* Draws the newest steal: from the victim's row to the thief's. */
static void draw_arrow(const struct view *v, struct canvas *c, struct rect in, const struct columns *k, const struct rows *rows, int y)
{
    struct arrow all[ARROWS_MAX];
    int n = v->st.no_p ? 0 : arrows_of(v, all);
    int from = n ? row_y(rows, k, all[n - 1].from, y) : -1, to = n ? row_y(rows, k, all[n - 1].to, y) : -1, x = in.x + in.w - 2;
    if (from < 0 || to < 0 || from == to)
        return;
    enum role role = ROLE_arrow;
    bool down = to > from;
    canvas_hline(c, in, k->gutter, from, x - k->gutter, role, 0x2500);
    canvas_hline(c, in, k->gutter, to, x - k->gutter, role, 0x2500);
    canvas_put(c, in, k->gutter, to, role, 0x25c0);
    canvas_printf(c, in, k->gutter + 3, from, role, "%u", all[n - 1].n);
    for (int i = (down ? from : to) + 1; i < (down ? to : from); i++)
        canvas_put(c, in, x, i, role, 0x2502);
    canvas_put(c, in, x, from, role, down ? 0x256e : 0x256f);
    canvas_put(c, in, x, to, role, down ? 0x256f : 0x256e);
}

/* ---- the sentence and the whole ---- */

static const char *sentence(const struct view *v, char buf[SENTENCE_BYTES])
{
    int i = newest_listed(v);
    if (v->st.failed)
        return v->st.stop.text;
    if (i < 0)
        return text_in(&v->st.summary, v->lang);
    return woke_nobody(v, i) ? tx(v->lang, TX_NOBODY_WOKEN) : sentence_of(v, &v->ev[i], buf);
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
    struct columns wide = *k;
    uint32_t n = model_globq(v->md, NULL);
    wide.ring = k->run;
    wide.boxes = (r.x + r.w - 1 - wide.ring) / k->box;
    canvas_printf(c, r, k->label, r.y, ROLE_heading, "%s ─ %u", tx(v->lang, TX_GLOBAL_QUEUE), n);
    draw_boxes(v, c, r, &wide, r.y + 1, &(struct gs){(int)n, global_at, 0});
}

/* The picture is no wider than what an eye takes in at once, and stands in the middle. */
static struct rect stage_of(struct rect in)
{
    int margin = in.w > WIDEST ? (in.w - WIDEST) / 2 : 0;
    return (struct rect){in.x + margin, in.y, in.w - 2 * margin, in.h};
}

/* The rows of Ps spread over their part of the screen. Their places depend on its size and their number alone. */
static struct rect place_rows(struct rect r, struct columns *k, int n)
{
    k->row_h = n && r.h / n > ROW_H ? r.h / n : ROW_H;
    k->row_h = k->row_h < ROW_H_MOST ? k->row_h : ROW_H_MOST;
    int free = r.h - n * k->row_h;
    return free > 0 ? (struct rect){r.x, r.y + free / 2, r.w, r.h - free / 2} : r;
}

static void draw_rows(const struct view *v, struct canvas *c, struct rect r, struct columns *k)
{
    struct rows rows = {0};
    uint32_t n = v->st.no_p ? model_nm(v->md) : model_np(v->md);
    struct row_list list = {v->st.no_p ? THING_M : THING_P, n, v->st.no_p ? m_runs : p_exists};
    rows_choose(&rows, v, &list, (r.h - 1) / ROW_H);
    struct rect ps = place_rows((struct rect){r.x, r.y + 1, r.w, r.h - 1}, k, rows.n);
    draw_heading(v, c, (struct rect){r.x, ps.y - 1, r.w, 1}, k, &rows);
    for (int i = 0; i < rows.n; i++)
        (v->st.no_p ? draw_m : draw_p)(v, c, ps, k, ps.y + i * k->row_h, rows.id[i]);
    draw_arrow(v, c, ps, k, &rows, ps.y);
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    struct rect in = stage_of(p->in);
    char buf[SENTENCE_BYTES];
    draw_centred(c, (struct rect){in.x, in.y, in.w, 1}, ROLE_title, text_in(&v->st.title, v->lang));
    if (!v->md)
        return;
    struct columns k = columns_for(v, in);
    struct rect ps = {in.x, in.y + 1, in.w, in.h - 1 - SENTENCE_H - GLOBAL_H};
    struct rect said = {in.x, ps.y + ps.h, in.w, SENTENCE_H};
    const char *hidden = tx(v->lang, TX_HIDDEN);
    if (lesson_hides(v, PANE_processors))
        draw_centred(c, ps, ROLE_dim, hidden);
    else
        draw_rows(v, c, ps, &k);
    draw_centred(c, said, ROLE_sentence_now, lesson_hides(v, PANE_narration) ? hidden : sentence(v, buf));
    if (!lesson_hides(v, PANE_global_queue))
        draw_global(v, c, (struct rect){in.x, said.y + SENTENCE_H, in.w, GLOBAL_H}, &k);
}

const struct pane_ops pane_stage = {.bare = true, .draw = draw};
