/* :queues: where the Gs are, in words: a line for each P (without Ps, for each M that runs a G), and the global queue. */
#include "ui/boxes/boxes.h"

#include "ui/panes/parts/wrap.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 96, LINE_BYTES = 700, GS_BYTES = 400 };

struct pen {
    struct canvas *c; /* NULL: only the rows are counted */
    struct rect in;
    int y;
};

static void put_line(struct pen *p, const char *text)
{
    if (p->c && p->y < p->in.y + p->in.h)
        wrap_draw(p->c, (struct rect){p->in.x, p->y, p->in.w, p->in.y + p->in.h - p->y}, ROLE_sentence, text);
    p->y += wrap_lines(text, p->in.w);
}

/* Writes "G3 G4 G5", with "+7" for those that do not fit; "-" for none. */
static void gs_text(char *out, size_t size, const uint32_t *g, uint32_t n)
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

static const char *runs_text(enum lang lang, uint32_t g, char buf[64])
{
    char name[EV_G_NAME];
    snprintf(buf, 64, g ? tx(lang, TX_QUEUES_RUNS) : "%s", g ? ev_g_name(g, name) : tx(lang, TX_QUEUES_RUNS_NONE));
    return buf;
}

static void put_p(struct pen *out, const struct view *v, uint32_t id)
{
    const struct model_p *p = model_p(v->md, id);
    uint32_t ring[256], n = p->tail - p->head;
    char line[LINE_BYTES], gs[GS_BYTES], run[64], name[EV_G_NAME];
    for (uint32_t i = 0; i < n; i++)
        ring[i] = p->ring[(p->head + i) % model_runq_size(v->md)];
    bool held = p->status == P_RUNNING && p->m != EV_NONE;
    int at = snprintf(line, sizeof line, "P%u: %s", id, tx(v->lang, p_letter(v, id).meaning));
    if (held)
        at += snprintf(line + at, sizeof line - (size_t)at, tx(v->lang, TX_QUEUES_M), p->m,
                       runs_text(v->lang, model_m(v->md, p->m)->curg, run));
    if (p->runnext || not_known(v, KNOW_P_RUNNEXT, id))
        at += snprintf(line + at, sizeof line - (size_t)at, tx(v->lang, TX_QUEUES_RUNNEXT), p->runnext ? ev_g_name(p->runnext, name) : "?");
    gs_text(gs, sizeof gs, ring, n);
    if (not_known(v, KNOW_P_LEN, id))
        snprintf(line + at, sizeof line - (size_t)at, "%s", tx(v->lang, TX_QUEUES_RING_UNKNOWN));
    else
        at += snprintf(line + at, sizeof line - (size_t)at, tx(v->lang, n ? TX_QUEUES_RING : TX_QUEUES_RING_EMPTY), n, gs);
    if (model_knows(v->md, KNOW_P_RUNNEXT, id) == KNOWN_DERIVED || model_knows(v->md, KNOW_P_LEN, id) == KNOWN_DERIVED)
        snprintf(line + strlen(line), sizeof line - strlen(line), "%s", tx(v->lang, TX_QUEUES_DERIVED));
    put_line(out, line);
}

static void put_m(struct pen *out, const struct view *v, uint32_t id)
{
    const struct model_m *m = model_m(v->md, id);
    char line[LINE_BYTES], run[64];
    if (!m->started || !m->curg)
        return;
    snprintf(line, sizeof line, "M%u: %s", id, runs_text(v->lang, m->curg, run));
    put_line(out, line);
}

static void put_all(struct pen *out, const struct view *v)
{
    const uint32_t *global;
    char line[LINE_BYTES], gs[GS_BYTES];
    if (!v->md)
        return;
    if (lesson_hides(v, PANE_processors) || lesson_hides(v, PANE_global_queue)) {
        put_line(out, tx(v->lang, TX_HIDDEN));
        return;
    }
    uint32_t n = model_globq(v->md, &global);
    for (uint32_t i = 0; !v->st.no_p && i < model_np(v->md); i++)
        if (model_p(v->md, i)->status != P_DEAD)
            put_p(out, v, i);
    for (uint32_t i = 0; v->st.no_p && i < model_nm(v->md); i++)
        put_m(out, v, i);
    gs_text(gs, sizeof gs, global, n);
    if (not_known(v, KNOW_GLOBQ_LEN, 0))
        snprintf(line, sizeof line, "%s", tx(v->lang, TX_QUEUES_GLOBAL_UNKNOWN));
    else
        snprintf(line, sizeof line, tx(v->lang, n ? TX_QUEUES_GLOBAL : TX_QUEUES_GLOBAL_EMPTY), n, gs);
    if (model_knows(v->md, KNOW_GLOBQ, 0) == KNOWN_DERIVED)
        snprintf(line + strlen(line), sizeof line - strlen(line), "%s", tx(v->lang, TX_QUEUES_DERIVED));
    put_line(out, line);
}

static void draw(struct ui *u)
{
    struct canvas *c = &u->canvas;
    struct view v = ui_view(u, LEFT);
    int w = c->w < WIDTH ? c->w : WIDTH;
    struct pen count = {.in = {0, 0, w - 4, 0}};
    put_all(&count, &v);
    int rows = count.y + 2 < c->h ? count.y : c->h - 2;
    struct rect r = {(c->w - w) / 2, (c->h - rows - 2) / 2, w, rows + 2};
    struct rect in = box_frame(c, r, tx(u->lang, TX_QUEUES), tx(u->lang, TX_HELP_CLOSE));
    put_all(&(struct pen){c, {in.x + 1, in.y, in.w - 2, in.h}, in.y}, &v);
}

const struct box_ops box_queues = {.draw = draw};
