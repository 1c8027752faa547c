/* What is selected, field by field, below the panes: it must not hide the sentence that it explains. */
#include "ui/boxes/boxes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINES_MAX = 24, VALUE_BYTES = 160, LABEL_W = 13 };

struct field {
    enum text_id label;
    enum role role;
    char value[VALUE_BYTES];
};
struct sheet {
    char title[96];
    struct field v[LINES_MAX];
    int n;
};

__attribute__((format(printf, 4, 5))) static void field(struct sheet *s, enum text_id label, enum role role, const char *fmt, ...)
{
    va_list ap;
    if (s->n == LINES_MAX)
        return;
    struct field *f = &s->v[s->n++];
    f->label = label;
    f->role = role;
    va_start(ap, fmt);
    vsnprintf(f->value, sizeof f->value, fmt, ap);
    va_end(ap);
}

/* "G3" or "-"; buf has 16 bytes. */
static const char *named(char letter, uint32_t id, char *buf)
{
    bool none = letter == 'G' ? id == 0 : id == EV_NONE;
    if (letter == 'G' && !none)
        return ev_g_name(id, buf);
    snprintf(buf, 16, none ? "-" : "%c%u", letter, id);
    return buf;
}

void gs_text(char *out, size_t size, const uint32_t *g, uint32_t n)
{
    char name[EV_G_NAME];
    size_t at = 0;
    snprintf(out, size, "-");
    for (uint32_t i = 0; i < n; i++) {
        if (at + 24 > size) {
            snprintf(out + at, size - at, "+%u", n - i);
            return;
        }
        at += (size_t)snprintf(out + at, size - at, "%s%s", i ? " " : "", ev_g_name(g[i], name));
    }
}

/* ---- a G ---- */

static enum text_id g_state(uint32_t status)
{
    static const enum text_id of[] = {[G_IDLE] = TX_G_IDLE,       [G_RUNNABLE] = TX_G_RUNNABLE, [G_RUNNING] = TX_G_RUNNING,
                                      [G_SYSCALL] = TX_G_SYSCALL, [G_WAITING] = TX_G_WAITING,   [5] = TX_G_IDLE,
                                      [G_DEAD] = TX_G_DEAD};
    return status < sizeof of / sizeof *of ? of[status] : TX_G_IDLE;
}

static void where_text(const struct view *v, const struct model_g *g, char *out, size_t size)
{
    const struct model_p *p = g->place == PLACE_RUNQ ? model_p(v->md, g->where) : NULL;
    char m[16], pn[16];
    uint32_t n = model_globq(v->md, NULL);
    out[0] = '\0';
    if (g->place == PLACE_RUNNING && model_m(v->md, g->where))
        snprintf(out, size, "%s %s", named('M', g->where, m), named('P', model_m(v->md, g->where)->p, pn));
    else if (p)
        snprintf(out, size, tx(v->lang, TX_AT_RUNQ), g->where, g->slot - p->head + 1, p->tail - p->head);
    else if (g->place == PLACE_RUNNEXT)
        snprintf(out, size, tx(v->lang, TX_AT_RUNNEXT), g->where);
    else if (g->place == PLACE_GLOBQ)
        snprintf(out, size, tx(v->lang, TX_AT_GLOBQ), n);
    else if (g->place == PLACE_IN_TRANSIT)
        snprintf(out, size, tx(v->lang, TX_AT_HAND), g->where);
    else
        snprintf(out, size, "-");
}

/* "for mutex mu", "to send on a channel: jobs", "for its timer". The words for a semaphore do not say of which kind of object it is. */
static void reason_text(struct sheet *s, const struct view *v, const struct model_g *g)
{
    struct ev_object o = ev_waits_for(g->reason, g->obj);
    const char *reason = ev_say(FT_REASON, g->reason, v->lang), *kind = object_kind_text(o.kind, v->lang);
    char name[OBJECT_NAME];
    bool lock = o.kind == OBJ_MUTEX || o.kind == OBJ_WRITERS;
    if (o.kind == OBJ_WRITERS)
        o.kind = OBJ_RWMUTEX; /* a writer waits for the mutex inside of it */
    if (lock || (g->reason == WAIT_REASON_SEMACQUIRE && o.kind != OBJ_NONE))
        field(s, TX_F_REASON, ROLE_sentence, tx(v->lang, TX_F_WAITS_FOR), kind, model_object_name(v->md, o, name));
    else if (reason && o.kind != OBJ_NONE)
        field(s, TX_F_REASON, ROLE_sentence, "%s: %s", reason, model_object_name(v->md, o, name));
    else if (reason)
        field(s, TX_F_REASON, ROLE_sentence, "%s", reason);
}

static void sheet_g(struct sheet *s, const struct view *v, uint32_t id)
{
    const struct model_g *g = model_g(v->md, id);
    char text[VALUE_BYTES], by[16];
    if (!g)
        return;
    snprintf(s->title, sizeof s->title, "%s ─ %s", ev_g_name(id, by), model_fn_name(v->md, id));
    if (ev_is_system_g(id))
        field(s, TX_F_ID, ROLE_number, "%u", id);
    field(s, TX_F_STATE, ROLE_sentence_now, "%s", tx(v->lang, g_state(g->status)));
    if (g->status == G_WAITING)
        reason_text(s, v, g);
    where_text(v, g, text, sizeof text);
    field(s, TX_F_WHERE, ROLE_sentence, "%s", text);
    if (g->fn == MODEL_FORGOTTEN)
        return;
    field(s, TX_F_SINCE, ROLE_number, "%s", duration_text(v->st.time > g->since ? v->st.time - g->since : 0, text, sizeof text));
    field(s, TX_F_BY, ROLE_sentence, "%s", named('G', g->by, by));
    field(s, TX_F_NTH, ROLE_number, "i = %u", g->i);
}

/* ---- a P ---- */

static enum text_id p_state(uint32_t status)
{
    static const enum text_id of[] = {
        [P_IDLE] = TX_LEGEND_I, [P_RUNNING] = TX_G_RUNNING, [P_SYSCALL] = TX_LEGEND_Y, [P_GCSTOP] = TX_P_STOPPED, [P_DEAD] = TX_G_DEAD};
    return status < sizeof of / sizeof *of ? of[status] : TX_LEGEND_I;
}

static void sheet_p(struct sheet *s, const struct view *v, uint32_t id)
{
    const struct model_p *p = model_p(v->md, id);
    char text[VALUE_BYTES], a[16];
    uint32_t ring[256], n = p ? p->tail - p->head : 0;
    if (!p)
        return;
    for (uint32_t i = 0; i < n; i++)
        ring[i] = p->ring[(p->head + i) % model_runq_size(v->md)];
    gs_text(text, sizeof text, ring, n);
    snprintf(s->title, sizeof s->title, "P%u", id);
    field(s, TX_F_STATE, ROLE_sentence_now, "%s", tx(v->lang, p_state(p->status)));
    field(s, TX_F_M, ROLE_sentence, "%s", named('M', p->status == P_RUNNING ? p->m : EV_NONE, a));
    if (!v->st.no_runnext)
        field(s, TX_COL_RUNNEXT, ROLE_sentence, "%s", named('G', p->runnext, a));
    field(s, TX_COL_RUNQ, ROLE_sentence, "%s", text);
    field(s, TX_COL_LEN, ROLE_number, "%u / %u", n, model_runq_size(v->md));
    field(s, TX_F_HEAD, ROLE_number, "%u → %u", p->head, p->tail);
    field(s, TX_F_TICK, ROLE_number, "%u", p->schedtick);
    field(s, TX_F_TIMERS, ROLE_number, "%u", p->ntimers);
    if (p->ntimers)
        field(s, TX_F_NEXT_TIMER, ROLE_number, "%s", duration_text(p->timers[0].when, text, sizeof text));
}

/* ---- an M ---- */

static void sheet_m(struct sheet *s, const struct view *v, uint32_t id)
{
    const struct model_m *m = model_m(v->md, id);
    char text[VALUE_BYTES], a[16];
    if (!m || !m->started)
        return;
    snprintf(s->title, sizeof s->title, "M%u", id);
    field(s, TX_F_STATE, ROLE_sentence_now, "%s", tx(v->lang, m_letter(v, id).meaning));
    field(s, TX_F_SINCE, ROLE_number, "%s", duration_text(v->st.time > m->since ? v->st.time - m->since : 0, text, sizeof text));
    field(s, TX_F_P, ROLE_sentence, "%s", named('P', m->p, a));
    field(s, TX_F_G, ROLE_sentence, "%s", named('G', m->curg, a));
    gs_text(text, sizeof text, m->transit, m->transit_n);
    field(s, TX_F_HAND, ROLE_sentence, "%s", text);
    field(s, TX_SPINNING, ROLE_number, "%d", m->spinning);
    if (m->lockedg)
        field(s, TX_F_LOCKED, ROLE_sentence, "%s", named('G', m->lockedg, a));
    if (m->p == EV_NONE && m->oldp != EV_NONE)
        field(s, TX_F_OLD_P, ROLE_sentence, "%s", named('P', m->oldp, a));
}

/* ---- boxes ---- */

/* Returns true if the other sheet has the same text in line i. */
static bool same_field(const struct sheet *s, const struct sheet *other, int i)
{
    return i < other->n && s->v[i].label == other->v[i].label && strcmp(s->v[i].value, other->v[i].value) == 0;
}

/* Draws a field into its part of the frame. */
static void draw_field(struct canvas *c, struct rect at, const struct field *f, bool mark, enum lang lang)
{
    int x = at.x + LABEL_W;
    canvas_text(c, at, at.x, at.y, ROLE_heading, tx(lang, f->label));
    int to = canvas_text(c, at, x, at.y, f->role, f->value);
    if (mark)
        canvas_mark(c, at, x, at.y, to - x);
}

/* In two columns. */
static void draw_sheet(struct canvas *c, struct rect r, const struct sheet *s, const struct sheet *other, enum lang lang, const char *hint)
{
    struct layout_pane frame = {.rect = {r.x, r.y, r.w, r.h}};
    struct rect in = pane_frame(c, &frame, s->title);
    int columns = s->n > in.h ? 2 : 1, w = (in.w - 1) / columns;
    canvas_right(c, r, r.x + r.w - 3, r.y, ROLE_dim, hint);
    for (int i = 0; i < s->n && i < columns * in.h; i++) {
        struct rect at = {in.x + 1 + i / in.h * w, in.y + i % in.h, w - (columns > 1), 1};
        draw_field(c, at, &s->v[i], other && !same_field(s, other, i), lang);
    }
}

int inspect_rows(const struct canvas *c, int h)
{
    enum { ROWS = 5, LOW = 15 }; /* two columns of five hold the fields of a P, which has the most */
    struct layout_pane probe = {.rect = {0, 0, 9, 9}};
    int edges = 9 - pane_inside(c, &probe).h, low = h / 3 - edges;
    return edges + (h >= LOW ? ROWS : low > 2 ? low : 2);
}

uint32_t inspect_hides(int h)
{
    enum { ROOMY = 36, LOW = 20 };
    uint32_t low = 1u << PANE_threads | 1u << PANE_global_queue;
    return h >= ROOMY ? 0 : 1u << PANE_output | (h < LOW ? low : 0);
}

/* Does a question hide a pane that shows such things? */
static bool is_hidden(const struct view *v, uint32_t kind)
{
    static const uint32_t shown_by[] = {
        [THING_P] = 1u << PANE_processors | 1u << PANE_timers_netpoll,
        [THING_M] = 1u << PANE_processors | 1u << PANE_threads,
        [THING_G] = 1u << PANE_processors | 1u << PANE_threads | 1u << PANE_global_queue | 1u << PANE_waiting | 1u << PANE_goroutine |
                    1u << PANE_program};
    for (int i = 0; i < PANES; i++)
        if (shown_by[kind] >> i & 1 && lesson_hides(v, (enum pane_kind)i))
            return true;
    return false;
}

static struct sheet sheet_of(struct ui *u, int side)
{
    static void (*const of[])(struct sheet *, const struct view *, uint32_t) = {
        [THING_P] = sheet_p, [THING_M] = sheet_m, [THING_G] = sheet_g};
    struct sheet s = {.n = 0};
    struct view v = ui_view(u, side);
    uint32_t kind = thing_kind(u->select.tag), id = thing_id(u->select.tag);
    bool hidden = is_hidden(&v, kind);
    if (v.md && kind && !hidden)
        of[kind](&s, &v, id);
    if (!s.n && kind) {
        snprintf(s.title, sizeof s.title, "%c%u", "-PMG"[kind], id);
        field(&s, hidden ? TX_NONE : TX_F_STATE, ROLE_dim, "%s", tx(u->lang, hidden ? TX_HIDDEN : TX_NOTHING_HERE));
    } else if (!s.n) {
        snprintf(s.title, sizeof s.title, "%s", tx(u->lang, TX_NOTHING_CHOSEN));
        field(&s, TX_NONE, ROLE_dim, "%s", tx(u->lang, TX_CHOOSE_FIRST));
    }
    return s;
}

void inspect_draw(struct ui *u, int side, struct rect r)
{
    struct sheet s = sheet_of(u, side), other = {.n = 0};
    if (ui_two(u))
        other = sheet_of(u, !side);
    draw_sheet(&u->canvas, r, &s, ui_two(u) ? &other : NULL, u->lang, u->screen ? tx(u->lang, TX_INSPECT_CLOSE) : "");
}
