/* The table of panes, and what is the same for all of them: frames, states, and the dispatch of keys and clicks. */
#include "ui/panes/panes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PANE(name, title, columns, rows) extern const struct pane_ops pane_##name;
#include "ui/panes/panes.def"
#undef PANE

static const struct {
    enum text_id title;
    int columns, rows;
    const struct pane_ops *ops;
} table[PANES] = {
#define PANE(name, title, columns, rows) [PANE_##name] = {TX_##title, columns, rows, &pane_##name},
#include "ui/panes/panes.def"
#undef PANE
};

static struct layout_pane_kind kind_of(int i)
{
    const struct pane_ops *ops = table[i].ops;
    int edges = ops->bare ? 0 : 2;
    return (struct layout_pane_kind){pane_name(i), ops->option, ops->noptions, table[i].columns + edges, table[i].rows + edges};
}

const struct layout_kinds pane_kinds = {PANES, kind_of};

enum text_id pane_title(int kind)
{
    return table[kind].title;
}

bool pane_has_cursor(int kind)
{
    return table[kind].ops->cursor;
}

bool pane_drags(int kind)
{
    return table[kind].ops->drags;
}

int pane_rows_wanted(const struct view *v, int kind)
{
    return table[kind].ops->rows_wanted ? table[kind].ops->rows_wanted(v) : 0;
}

int pane_keys_of(int kind, const struct pane_key **key)
{
    *key = table[kind].ops->key;
    return table[kind].ops->nkeys;
}

struct layout_pane pane_standard(enum pane_kind kind, struct layout_rect rect)
{
    struct layout_pane pane = {.kind = (int)kind, .rect = rect};
    for (int i = 0; i < table[kind].ops->noptions; i++)
        pane.option[i] = table[kind].ops->option[i].standard;
    return pane;
}

/* ---- states ---- */

void pane_states_fini(struct pane_states *s)
{
    for (int i = 0; i < s->n; i++)
        free(s->v[i].bytes);
    free(s->v);
    *s = (struct pane_states){0};
}

static void *new_state(struct pane_states *s, int kind, int nth)
{
    struct pane_state *grown = realloc(s->v, sizeof *grown * (size_t)(s->n + 1));
    void *bytes = calloc(1, table[kind].ops->state_bytes);
    s->v = grown ? grown : s->v;
    if (!grown || !bytes) {
        free(bytes);
        return NULL;
    }
    s->v[s->n++] = (struct pane_state){kind, nth, bytes};
    return bytes;
}

/* Returns the state of the nth pane of that kind. NULL: it has none, or memory ran out. */
static void *state_of(struct pane_states *s, int kind, int nth)
{
    if (!s || !table[kind].ops->state_bytes)
        return NULL;
    for (int i = 0; i < s->n; i++)
        if (s->v[i].kind == kind && s->v[i].nth == nth)
            return s->v[i].bytes;
    return new_state(s, kind, nth);
}

/* ---- one pane ---- */

static struct pane pane_of(const struct view *v, const struct canvas *c, const struct layout_pane *pane, int i)
{
    const struct pane_ops *ops = table[pane[i].kind].ops;
    int nth = 0;
    for (int k = 0; k < i; k++)
        nth += pane[k].kind == pane[i].kind;
    return (struct pane){
        .at = &pane[i], .in = ops->bare ? pane_rect(&pane[i]) : pane_inside(c, &pane[i]), .state = state_of(v->states, pane[i].kind, nth)};
}

/* Returns true if the pane has room for more than its frame, and the state that it needs. */
static bool works(const struct pane *p)
{
    int kind = p->at->kind;
    bool room = p->at->rect.w > 0 && p->at->rect.h > 0 && p->in.w >= table[kind].columns && p->in.h >= table[kind].rows;
    return room && (p->state || !table[kind].ops->state_bytes);
}

static void draw_frame(const struct pane *p, const struct view *v, struct canvas *c)
{
    char title[96];
    const struct pane_ops *ops = table[p->at->kind].ops;
    snprintf(title, sizeof title, "%s", tx(v->lang, table[p->at->kind].title));
    if (ops->title)
        ops->title(p, v, title, sizeof title);
    pane_frame(c, p->at, title);
}

/* Not even the title of the pane's own, which may count something. */
static void draw_hidden(const struct pane *p, const struct view *v, struct canvas *c)
{
    int kind = p->at->kind;
    enum text_id title = table[kind].title;
    if (!table[kind].ops->bare)
        pane_frame(c, p->at, title == TX_NONE ? pane_name(kind) : tx(v->lang, title));
    canvas_text(c, p->in, p->in.x + 1, p->in.y, ROLE_dim, tx(v->lang, TX_HIDDEN));
}

uint32_t panes_kinds(const struct canvas *c, const struct layout_pane *pane, int n)
{
    uint32_t kinds = 0;
    for (int i = 0; i < n; i++) {
        struct rect in = table[pane[i].kind].ops->bare ? pane_rect(&pane[i]) : pane_inside(c, &pane[i]);
        if (in.w >= table[pane[i].kind].columns && in.h >= table[pane[i].kind].rows)
            kinds |= 1u << pane[i].kind;
    }
    return kinds;
}

void panes_prepare(const struct view *v, const struct canvas *c, const struct layout_pane *pane, int n, const struct pane_source *from)
{
    for (int i = 0; i < n; i++) {
        struct pane p = pane_of(v, c, pane, i);
        if (table[pane[i].kind].ops->prepare && works(&p))
            table[pane[i].kind].ops->prepare(&p, v, from);
    }
}

void panes_draw(const struct view *v, struct canvas *c, const struct layout_pane *pane, int n)
{
    for (int i = 0; i < n; i++) {
        const struct pane_ops *ops = table[pane[i].kind].ops;
        struct pane p = pane_of(v, c, pane, i);
        if (pane[i].rect.w <= 0 || pane[i].rect.h <= 0)
            continue;
        if (lesson_hides(v, (enum pane_kind)pane[i].kind)) {
            draw_hidden(&p, v, c);
            continue;
        }
        if (!ops->bare)
            draw_frame(&p, v, c);
        if (works(&p))
            ops->draw(&p, v, c);
    }
}

struct pane_request panes_key(const struct view *v, const struct canvas *c, const struct layout_pane *pane, int i, uint32_t code,
                              const struct pane_source *from)
{
    const struct pane_ops *ops = table[pane[i].kind].ops;
    struct pane p = pane_of(v, c, pane, i);
    if (ops->prepare && ops->nkeys && works(&p))
        ops->prepare(&p, v, from);
    for (int k = 0; works(&p) && !lesson_hides(v, (enum pane_kind)pane[i].kind) && k < ops->nkeys; k++)
        if (ops->key[k].code == code || (ops->key[k].also && ops->key[k].also == code))
            return ops->key[k].fn(&p, v, ops->key[k].by);
    return (struct pane_request){.taken = false};
}

struct pane_request panes_click(const struct view *v, const struct canvas *c, const struct layout_pane *pane, int i, int x, int y)
{
    const struct pane_ops *ops = table[pane[i].kind].ops;
    struct pane p = pane_of(v, c, pane, i);
    bool inside = x >= p.in.x && x < p.in.x + p.in.w && y >= p.in.y && y < p.in.y + p.in.h;
    if (!ops->mouse || !inside || !works(&p) || lesson_hides(v, (enum pane_kind)pane[i].kind))
        return (struct pane_request){.taken = false};
    return ops->mouse(&p, v, x - p.in.x, y - p.in.y);
}
