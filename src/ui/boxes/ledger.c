/* :ledger: what of the state is not known, what is derived, and why. A live run has nothing to list. */
#include "ui/boxes/boxes.h"

#include "ui/panes/parts/wrap.h"

#include <stdio.h>

enum { WIDTH = 76, EDGES = 2, MARGINS = 4, LINE = 400 };

static const enum text_id names[KNOW_WHATS] = {
    [KNOW_P_STATE] = TX_KNOW_P_STATE,
    [KNOW_P_M] = TX_KNOW_P_M,
    [KNOW_P_RUNNEXT] = TX_KNOW_P_RUNNEXT,
    [KNOW_P_RUNQ] = TX_KNOW_P_RUNQ,
    [KNOW_P_LEN] = TX_KNOW_P_LEN,
    [KNOW_P_HEAD] = TX_KNOW_P_HEAD,
    [KNOW_P_TAIL] = TX_KNOW_P_TAIL,
    [KNOW_P_TICK] = TX_KNOW_P_TICK,
    [KNOW_P_TIMERS] = TX_KNOW_P_TIMERS,
    [KNOW_M_STATE] = TX_KNOW_M_STATE,
    [KNOW_M_P] = TX_KNOW_M_P,
    [KNOW_M_G] = TX_KNOW_M_G,
    [KNOW_M_SEARCH] = TX_KNOW_M_SEARCH,
    [KNOW_G_STATE] = TX_KNOW_G_STATE,
    [KNOW_G_PLACE] = TX_KNOW_G_PLACE,
    [KNOW_G_REASON] = TX_KNOW_G_REASON,
    [KNOW_G_FN] = TX_KNOW_G_FN,
    [KNOW_G_BY] = TX_KNOW_G_BY,
    [KNOW_G_SINCE] = TX_KNOW_G_SINCE,
    [KNOW_PS] = TX_KNOW_PS,
    [KNOW_GLOBQ] = TX_KNOW_GLOBQ,
    [KNOW_GLOBQ_LEN] = TX_KNOW_GLOBQ_LEN,
    [KNOW_IDLE_P] = TX_KNOW_IDLE_P,
    [KNOW_IDLE_P_N] = TX_KNOW_IDLE_P_N,
    [KNOW_IDLE_M] = TX_KNOW_IDLE_M,
    [KNOW_SPINNING] = TX_KNOW_SPINNING,
    [KNOW_STEALS] = TX_KNOW_STEALS,
    [KNOW_WAITS] = TX_KNOW_WAITS,
    [KNOW_OBJECTS] = TX_KNOW_OBJECTS,
    [KNOW_OUTPUT] = TX_KNOW_OUTPUT,
    [KNOW_BEFORE] = TX_KNOW_BEFORE,
};

static bool is_queue(enum model_what what)
{
    return what == KNOW_P_RUNNEXT || what == KNOW_P_RUNQ || what == KNOW_P_LEN || what == KNOW_G_PLACE || what == KNOW_GLOBQ ||
           what == KNOW_GLOBQ_LEN;
}

/* "? the ring (3 Ps, from P0): this source never records it". */
static void line_text(const struct view *v, const struct model_gap *gap, char text[LINE])
{
    enum lang lang = v->lang;
    char of[64] = "", name[EV_G_NAME], derived[LINE];
    char kind = gap->what <= KNOW_P_TIMERS ? 'P' : gap->what <= KNOW_M_SEARCH ? 'M' : 'G';
    struct model_replay replay;
    bool replayed = is_queue(gap->what) && gap->known == KNOWN_DERIVED && model_replay(v->md, &replay);
    enum text_id why = gap->known == KNOWN_DERIVED ? TX_LEDGER_DERIVED : gap->unrecorded ? TX_LEDGER_UNRECORDED : TX_LEDGER_NOT_SEEN;
    snprintf(derived, sizeof derived, tx(lang, TX_LEDGER_REPLAYED), v->st.generation ? v->st.generation : "");
    snprintf(name, sizeof name, "%c%u", kind, gap->id);
    if (kind == 'G')
        ev_g_name(gap->id, name);
    if (gap->n == 1)
        snprintf(of, sizeof of, tx(lang, TX_LEDGER_OF_ONE), name);
    else if (gap->n)
        snprintf(of, sizeof of, tx(lang, TX_LEDGER_OF), gap->n, kind, name);
    snprintf(text, LINE, tx(lang, TX_LEDGER_LINE), gap->known == KNOWN_NOT ? "?" : "~", tx(lang, names[gap->what]), of,
             replayed ? derived : tx(lang, why));
}

/* A recording has the lines of a Go program, but not its memory. */
static bool lacks_variables(const struct ui *u, const struct view *v)
{
    return v->program && v->program->nfiles && !u->ops->decisions;
}

static void variables_text(enum lang lang, char text[LINE])
{
    snprintf(text, LINE, tx(lang, TX_LEDGER_LINE), "?", tx(lang, TX_KNOW_VARIABLES), "", tx(lang, TX_LEDGER_UNRECORDED));
}

/* How many starts the replay of the queues explains. False: nothing is replayed. */
static bool share_text(const struct view *v, char text[LINE])
{
    struct model_replay r;
    if (!model_replay(v->md, &r))
        return false;
    snprintf(text, LINE, tx(v->lang, TX_LEDGER_SHARE), (unsigned long long)(r.starts - r.by[RULE_NONE]), (unsigned long long)r.starts,
             (unsigned long long)r.by[RULE_RUNNEXT], (unsigned long long)r.by[RULE_RING],
             (unsigned long long)(r.by[RULE_GLOBAL] + r.by[RULE_TICK]), (unsigned long long)(r.by[RULE_STEAL] + r.by[RULE_STEAL_NEXT]),
             (unsigned long long)r.by[RULE_HAND]);
    return true;
}

struct lines {
    char text[KNOW_WHATS * 2 + 3][LINE];
    bool dim[KNOW_WHATS * 2 + 3];
    uint32_t n;
};

static void list_lines(const struct ui *u, const struct view *v, struct lines *l)
{
    struct model_gap gap[KNOW_WHATS * 2];
    bool partial = v->md && model_is_partial(v->md);
    uint32_t n = partial ? model_unknown(v->md, gap) : 0; /* it walks all Gs */
    if (v->md && model_looks(v->md)) {
        l->dim[0] = true;
        snprintf(l->text[l->n++], LINE, tx(v->lang, TX_LEDGER_LOOKS), model_looks(v->md));
    }
    if (partial && share_text(v, l->text[l->n]))
        l->n++;
    if (lacks_variables(u, v))
        variables_text(v->lang, l->text[l->n++]);
    for (uint32_t i = 0; i < n; i++) {
        l->dim[l->n] = gap[i].known != KNOWN_NOT;
        line_text(v, &gap[i], l->text[l->n++]);
    }
    if (!l->n)
        snprintf(l->text[l->n++], LINE, "%s", tx(v->lang, TX_LEDGER_ALL));
}

static void draw(struct ui *u)
{
    struct canvas *c = &u->canvas;
    struct view v = ui_view(u, 0);
    struct lines l = {.n = 0};
    int w = c->w < WIDTH ? c->w : WIDTH, rows = 0, most = c->h - EDGES;
    list_lines(u, &v, &l);
    for (uint32_t i = 0; i < l.n; i++)
        rows += wrap_lines(l.text[i], w - MARGINS);
    rows = rows < most ? rows : most;
    struct rect in = box_frame(
        c, (struct rect){(c->w - w) / 2, box_y(u, rows + EDGES), w, rows + EDGES}, tx(u->lang, TX_LEDGER), tx(u->lang, TX_HELP_CLOSE));
    struct rect line = {in.x + 1, in.y, w - MARGINS, in.h};
    for (uint32_t i = 0; i < l.n && line.h > 0; i++) {
        int h = wrap_lines(l.text[i], line.w);
        if (line.h <= h && i + 1 < l.n) {
            canvas_printf(c, line, line.x, line.y, ROLE_dim, tx(u->lang, TX_MORE), l.n - i);
            return;
        }
        wrap_draw(c, line, l.dim[i] ? ROLE_dim : ROLE_sentence, l.text[i]);
        line.y += h;
        line.h -= h;
    }
}

const struct box_ops box_ledger = {.draw = draw};
