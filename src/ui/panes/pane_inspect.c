/* Inspect: what is selected, field by field, below the other panes; without a selection, the scheduler.
 *
 * The first line says why it is there, the second names the event that put it there; the fields follow. In a wide pane the fields have two
 * columns. Enter or a click on a line goes to the event of that line, or selects the G, M or P that it names. */
#include "ui/panes/parts/event_list.h"
#include "ui/panes/parts/inspect.h"
#include "ui/panes/parts/scroll.h"

#include <stdio.h>
#include <string.h>

enum { HEADS = 2, WIDE = 110, VALUE_W = 11, GAP = 2, ASKED = 1 << 14 };

struct inspecting {
    uint32_t run, tag;
    uint64_t at;    /* the state for which `event` was looked up */
    uint64_t event; /* what put it there; 0: not known */
    bool known, asked;
    int preempt; /* as in inspect_fields() */
    struct session_event put;
    char why[WHY_BYTES];
    struct sheet sheet, base; /* base: in the state with which marks compare */
    int chosen, top;
};

/* ---- what is shown ---- */

/* Returns true if a question hides a pane that shows the selected G, M or P, too. */
static bool is_hidden(const struct view *v)
{
    static const uint32_t queues = 1u << PANE_processors | 1u << PANE_threads | 1u << PANE_global_queue;
    static const uint32_t shown_by[] = {
        [THING_NONE] = queues,
        [THING_P] = 1u << PANE_processors | 1u << PANE_timers_netpoll,
        [THING_M] = 1u << PANE_processors | 1u << PANE_threads,
        [THING_G] = queues | 1u << PANE_waiting | 1u << PANE_goroutine | 1u << PANE_program};
    for (int i = 0; i < PANES; i++)
        if (shown_by[thing_kind(v->selected)] >> i & 1 && lesson_hides(v, (enum pane_kind)i))
            return true;
    return false;
}

struct asking {
    struct inspecting *i;
    const struct view *v;
};

/* The event stays the same until the G, M or P moves, so only newer events are searched. */
static void find_event(struct inspecting *i, const struct model *md, struct history *h)
{
    static const enum subject_kind kind[] = {[THING_P] = SUBJECT_P, [THING_M] = SUBJECT_M, [THING_G] = SUBJECT_G};
    struct history_subject s = {.kind = kind[thing_kind(i->tag)], .id = thing_id(i->tag)};
    uint64_t n = model_events(md), newer = 0;
    if (!i->known || !i->event || n < i->event)
        i->known = history_came(h, md, &s, 0, &i->event);
    else if (n > i->at) {
        i->known = history_came(h, md, &s, i->at, &newer);
        i->event = newer ? newer : i->event;
    }
    i->at = n;
    if (i->known && i->event)
        i->known = list_copy(h, i->event, &i->put);
}

static bool is_about_preemption(void *ctx, const struct history_event *e)
{
    return e->ev.g == thing_id(*(uint32_t *)ctx);
}

/* The fold keeps no preemption requests, so the history is searched. A request holds from its event to the next start of the G. */
static void find_preempt(struct inspecting *i, const struct model *md, struct history *h)
{
    static const bool kinds[EV_KINDS] = {[EV_PREEMPT_REQUEST] = true, [EV_G_START] = true, [EV_G_CREATE] = true};
    struct history_search what = {is_about_preemption, &i->tag, kinds, ASKED};
    struct history_event e;
    uint64_t next, n = history_search(h, model_events(md), -1, &what, &next);
    i->preempt = n && history_get(h, n, &e) ? e.ev.kind == EV_PREEMPT_REQUEST : -1;
}

static void ask(struct history *h, void *ctx)
{
    const struct asking *a = ctx;
    struct inspecting *i = a->i;
    i->asked = true;
    inspect_why(a->v, i->tag, i->why, sizeof i->why);
    find_event(i, a->v->md, h);
    const struct model_g *g = thing_kind(i->tag) == THING_G ? model_g(a->v->md, thing_id(i->tag)) : NULL;
    if (g && (g->status == G_RUNNING || g->status == G_SYSCALL))
        find_preempt(i, a->v->md, h);
}

static int heads(const struct inspecting *i)
{
    return !i->tag ? 1 : i->asked && i->sheet.n ? HEADS : 0;
}

static int items(const struct inspecting *i)
{
    return heads(i) + i->sheet.n;
}

/* The columns of a label of a G, M or P. */
static int label_width(uint32_t tag)
{
    char name[EV_G_NAME];
    return thing_kind(tag) == THING_G ? (int)strlen(ev_g_name(thing_id(tag), name)) : 1 + digits(thing_id(tag));
}

/* The columns of a value that shows the first `tags` of its Gs, Ms or Ps and counts the others. */
static int value_width(const struct field *f, uint32_t tags)
{
    uint32_t more = f->more + f->ntags - tags;
    int w = 0;
    for (uint32_t i = 0; i < tags; i++)
        w += label_width(f->tag[i]) + (i > 0);
    w += more ? 2 + digits(more) : 0;
    return w + (f->value[0] ? (f->ntags > 0) + text_width(f->value) : 0);
}

static int padded(int value)
{
    return value + GAP > VALUE_W ? value + GAP : VALUE_W;
}

/* Where the lines are: a head takes a whole row, the fields have one or two columns. */
struct grid {
    int heads, columns, per, rows, fixed; /* per: fields in a column; rows: in all; fixed: rows that do not scroll */
    int name[2], x[2], w[2];              /* of each column: the columns for names; the place in the pane */
};

static int column_of(const struct grid *g, int field)
{
    return g->per ? field / g->per : 0;
}

/* Measures a column. Returns the width that its widest row needs. */
static int column_need(const struct inspecting *i, struct grid *g, int column)
{
    int need = 0;
    for (int k = 0; k < i->sheet.n; k++)
        if (column_of(g, k) == column) {
            const struct field *f = &i->sheet.v[k];
            int w = padded(value_width(f, f->ntags)) + text_width(f->meaning), name = text_width(f->name) + 1;
            need = w > need ? w : need;
            g->name[column] = name > g->name[column] ? name : g->name[column];
        }
    return g->name[column] + need;
}

/* Half of the room for each column, if that is enough. Else the column that needs more gets what the other one leaves. */
static void divide(const struct inspecting *i, struct grid *g, int room)
{
    int left = column_need(i, g, 0), right = g->columns > 1 ? column_need(i, g, 1) : 0, half = g->columns > 1 ? room / 2 : room;
    int most = room - right, split = left < half ? (half < most ? half : most) : left + 1 < most ? left + 1 : most;
    g->x[1] = g->columns > 1 ? split : 0;
    g->w[0] = g->columns > 1 ? split - 1 : room;
    g->w[1] = room - split;
}

static struct grid grid_of(const struct pane *p)
{
    const struct inspecting *i = p->state;
    struct grid g = {.heads = heads(i)};
    g.columns = p->in.w >= WIDE && items(i) > p->in.h ? 2 : 1;
    g.per = (i->sheet.n + g.columns - 1) / g.columns;
    g.rows = g.heads + g.per;
    g.fixed = g.columns > 1 ? g.heads : 0;
    divide(i, &g, p->in.w - 2);
    return g;
}

static int row_of(const struct grid *g, int item)
{
    return item < g->heads || !g->per ? item : g->heads + (item - g->heads) % g->per;
}

/* Scrolls as little as possible to show the chosen line. */
static void scroll(const struct pane *p)
{
    struct inspecting *i = p->state;
    struct grid g = grid_of(p);
    int row = row_of(&g, i->chosen);
    i->top = scroll_top(i->top, row < g.fixed ? -1 : row - g.fixed, p->in.h - g.fixed, g.rows - g.fixed);
}

static void prepare(const struct pane *p, const struct view *v, const struct pane_source *from)
{
    struct inspecting *i = p->state;
    if (i->run != v->st.run || i->tag != v->selected)
        *i = (struct inspecting){.run = v->st.run, .tag = v->selected};
    i->asked = false;
    i->preempt = -1;
    i->sheet.n = i->base.n = 0;
    if (!v->md || is_hidden(v))
        return;
    inspect_fields(&i->sheet, v, v->md, i->tag, -1);
    if (i->tag && i->sheet.n && from->query(from->session, ask, &(struct asking){i, v}))
        inspect_fields(&i->sheet, v, v->md, i->tag, i->preempt);
    if (v->base)
        inspect_fields(&i->base, v, v->base, i->tag, i->preempt);
    i->chosen = i->chosen < items(i) ? i->chosen : items(i) ? items(i) - 1 : 0;
    scroll(p);
}

/* ---- drawing ---- */

static void title(const struct pane *p, const struct view *v, char *buf, size_t size)
{
    uint32_t kind = thing_kind(v->selected), id = thing_id(v->selected);
    char name[EV_G_NAME];
    (void)p;
    if (!kind)
        snprintf(buf, size, "%s", tx(v->lang, TX_INSPECT_SCHED));
    else if (kind == THING_G && v->md && model_g(v->md, id) && !is_hidden(v))
        snprintf(buf, size, "%s ─ %s", ev_g_name(id, name), model_fn_name(v->md, id));
    else if (kind == THING_G)
        snprintf(buf, size, "%s", ev_g_name(id, name));
    else
        snprintf(buf, size, "%c%u", "-PMG"[kind], id);
}

static int draw_tag(struct canvas *c, struct rect at, int x, uint32_t tag)
{
    uint32_t id = thing_id(tag);
    if (thing_kind(tag) == THING_G)
        return draw_g(c, at, x, at.y, id, false);
    return draw_label(c, at, x, at.y, (struct label){thing_kind(tag) == THING_M ? 'M' : 'P', id, ROLE_plain, false});
}

/* Returns how many Gs, Ms or Ps are shown, so that the meaning has room next to them; at least one. */
static uint32_t shown_tags(const struct field *f, int room)
{
    uint32_t n = f->ntags;
    while (n > 1 && padded(value_width(f, n)) + text_width(f->meaning) > room)
        n--;
    return n;
}

static int draw_value(struct canvas *c, struct rect at, int x, const struct field *f)
{
    uint32_t n = shown_tags(f, at.x + at.w - x), more = f->more + f->ntags - n;
    for (uint32_t i = 0; i < n; i++)
        x = draw_tag(c, at, x + (i > 0), f->tag[i]);
    if (more)
        x = canvas_printf(c, at, x + 1, at.y, ROLE_dim, "+%u", more);
    if (f->value[0])
        x = canvas_text(c, at, x + (f->ntags > 0), at.y, strcmp(f->value, "nil") ? ROLE_sentence_now : ROLE_dim, f->value);
    return x;
}

static bool is_changed(const struct inspecting *i, const struct field *f)
{
    for (int k = 0; k < i->base.n; k++) {
        const struct field *was = &i->base.v[k];
        if (strcmp(was->name, f->name) == 0)
            return was->ntags != f->ntags || strcmp(was->value, f->value) || memcmp(was->tag, f->tag, sizeof f->tag[0] * f->ntags);
    }
    return i->base.n;
}

enum { PUT_BYTES = SENTENCE_BYTES + 120 };

/* Writes which event put it there; without the time, if there is no room for it. */
static const char *put_text(const struct inspecting *i, const struct view *v, int width, char buf[PUT_BYTES])
{
    char buffer[SENTENCE_BYTES], time[32];
    if (!i->known || !i->event)
        return tx(v->lang, TX_PUT_LONG_AGO);
    const char *sentence = sentence_of(v, &i->put, buffer);
    snprintf(buf, PUT_BYTES, tx(v->lang, TX_PUT_BY), (unsigned long long)i->event, time_text(i->put.ev.time, time, sizeof time), sentence);
    if (text_width(buf) > width)
        snprintf(buf, PUT_BYTES, tx(v->lang, TX_PUT_BY_SHORT), (unsigned long long)i->event, sentence);
    return buf;
}

/* The place of a line. Returns false if it is scrolled away. */
static bool place_of(const struct pane *p, const struct grid *g, int item, struct rect *at)
{
    const struct inspecting *i = p->state;
    int row = row_of(g, item), y = row < g->fixed ? row : row - i->top;
    *at = (struct rect){p->in.x + 1, p->in.y + y, p->in.w - 2, 1};
    if (item >= g->heads) {
        int column = column_of(g, item - g->heads);
        at->x += g->x[column];
        at->w = g->w[column];
    }
    return y >= (row < g->fixed ? 0 : g->fixed) && y < p->in.h;
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    const struct inspecting *i = p->state;
    struct grid g = grid_of(p);
    struct rect at;
    if (!items(i) || (i->tag && !i->sheet.n)) {
        list_text(c, p->in, p->in.x + 1, p->in.y, p->in.w - 2, ROLE_dim, tx(v->lang, is_hidden(v) ? TX_HIDDEN : TX_NOTHING_HERE));
        return;
    }
    for (int k = 0; k < items(i); k++) {
        if (!place_of(p, &g, k, &at))
            continue;
        if (k < g.heads) {
            char buf[PUT_BYTES];
            const char *text = !i->tag ? tx(v->lang, TX_CHOOSE_FIRST) : k == 0 ? i->why : put_text(i, v, at.w, buf);
            list_text(c, at, at.x, at.y, at.w, !i->tag ? ROLE_dim : k ? ROLE_sentence : ROLE_sentence_now, text);
        } else {
            const struct field *f = &i->sheet.v[k - g.heads];
            int x = at.x + g.name[column_of(&g, k - g.heads)];
            canvas_text(c, at, at.x, at.y, ROLE_plain, f->name);
            int to = draw_value(c, at, x, f);
            if (is_changed(i, f))
                canvas_mark(c, at, x, at.y, to - x);
            x += padded(to - x);
            list_text(c, at, x, at.y, at.x + at.w - x, ROLE_dim, f->meaning);
        }
        for (int x = at.x; v->focused == p->at && k == i->chosen && x < at.x + at.w; x++)
            c->cell[at.y * c->w + x].chosen = true;
    }
}

/* ---- keys ---- */

static struct pane_request key_move(const struct pane *p, const struct view *v, int by)
{
    struct inspecting *i = p->state;
    (void)v;
    i->chosen = scroll_to(i->chosen, by, p->in.h + 1, items(i)); /* a page of new rows */
    scroll(p);
    return (struct pane_request){.taken = true};
}

/* Goes to the event of the line, or selects the G, M or P that was clicked (tag). tag 0: the first G, M or P that the line names. */
static struct pane_request follow(const struct inspecting *i, int item, uint32_t tag)
{
    const struct field *f = item >= heads(i) && item < items(i) ? &i->sheet.v[item - heads(i)] : NULL;
    struct pane_request r = {.taken = true};
    if (!tag && f && f->ntags)
        tag = f->tag[0];
    if (f && tag)
        r.select = tag;
    else if (!f && i->tag && i->known && i->event)
        r.go_to = i->event;
    else
        r.note = TX_NOTE_LEADS_NOWHERE;
    return r;
}

static struct pane_request key_enter(const struct pane *p, const struct view *v, int by)
{
    struct inspecting *i = p->state;
    (void)v;
    (void)by;
    return follow(i, i->chosen, 0);
}

/* Returns the G, M or P that is drawn x columns right of the value's first column; 0: none. room: as in shown_tags(). */
static uint32_t tag_at(const struct field *f, int x, int room)
{
    int from = 0;
    uint32_t n = shown_tags(f, room);
    for (uint32_t k = 0; k < n; from += label_width(f->tag[k++]) + 1)
        if (x >= from && x < from + label_width(f->tag[k]))
            return f->tag[k];
    return 0;
}

/* A click on a head goes to its event, a click on a G, M or P selects it. Elsewhere it only moves the cursor. */
static struct pane_request mouse(const struct pane *p, const struct view *v, int x, int y)
{
    struct inspecting *i = p->state;
    struct grid g = grid_of(p);
    struct rect at;
    (void)v;
    for (int k = 0; k < items(i); k++) {
        if (!place_of(p, &g, k, &at) || at.y - p->in.y != y || x < at.x - p->in.x || x >= at.x - p->in.x + at.w)
            continue;
        int name = k < g.heads ? 0 : g.name[column_of(&g, k - g.heads)];
        uint32_t tag = k < g.heads ? 0 : tag_at(&i->sheet.v[k - g.heads], x - (at.x - p->in.x) - name, at.w - name);
        i->chosen = k;
        return tag || (k < g.heads && i->tag) ? follow(i, k, tag) : (struct pane_request){.taken = true};
    }
    return (struct pane_request){.taken = true};
}

static const struct pane_key key[] = {
    SCROLL_KEYS(key_move, TX_INSPECT_UP, TX_INSPECT_DOWN, TX_INSPECT_HOME, TX_INSPECT_END, TX_SHORT_SCROLL),
    {KEY_RETURN, '\n', "enter", TX_INSPECT_ENTER, key_enter, TX_SHORT_GO_THERE, 0},
};

const struct pane_ops pane_inspect = {
    .cursor = true,
    .key = key,
    .nkeys = sizeof key / sizeof *key,
    .state_bytes = sizeof(struct inspecting),
    .title = title,
    .prepare = prepare,
    .draw = draw,
    .mouse = mouse,
};
