/* Waiting: where the Gs are that no M can run now. One row for each channel, mutex … of the scenario, in the order of its declaration, and
 * below them the timers, and the Gs that wait for nothing with a name, those of the runtime last. The last line counts all Gs, so that no G leaves the picture.
 *
 *   mu    mutex     held by G2, 2.1 ms   starving ◀ G3 G7
 *   jobs  chan 2/4  ■■··                 send ◀ G5
 */
#include "ui/panes/panes.h"
#include "ui/panes/population.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROW_OBJECT, ROW_TIMERS, ROW_REASON };

/* One row: an object, a heap of timers, or a reason to wait. */
struct entry {
    int what;
    struct ev_object object; /* of timers: id is the P; of a reason: id is the reason */
    const struct model_waiter *w;
    uint32_t n; /* how many Gs wait there */
    const struct model_waiter *inner;
    uint32_t ninner; /* of an RWMutex: how many Gs wait to be the next writer */
    bool busy;       /* a G waits for it or holds it; of a reason: a user G does */
};

struct entries {
    struct entry *v;
    int n, cap;
};

static struct entry *entry_add(struct entries *es, struct entry e)
{
    if (es->n == es->cap) {
        int cap = es->cap ? 2 * es->cap : 64;
        struct entry *v = realloc(es->v, (size_t)cap * sizeof *v);
        if (!v)
            return NULL;
        es->v = v;
        es->cap = cap;
    }
    es->v[es->n] = e;
    return &es->v[es->n++];
}

/* ---- what there is ---- */

struct all {
    const struct model_waiter *w;
    uint32_t n;
};

/* Returns the first of all waiters that does not come before this object. They are sorted. */
static uint32_t waiters_from(const struct all *all, struct ev_object o)
{
    uint32_t lo = 0, hi = all->n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        struct ev_object at = all->w[mid].object;
        if (at.kind < o.kind || (at.kind == o.kind && at.id < o.id))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static uint32_t waiters_of(const struct all *all, struct ev_object o, const struct model_waiter **w)
{
    uint32_t from = waiters_from(all, o);
    *w = all->w ? all->w + from : NULL;
    return waiters_from(all, (struct ev_object){o.kind, o.id + 1}) - from;
}

static bool is_busy(const struct view *v, const struct entry *e)
{
    struct model_object o = model_object(v->md, e->object);
    return e->n || e->ninner || o.n || o.n2 || o.held > 0;
}

static void add_object(const struct view *v, struct entries *es, const struct all *all, struct ev_object o)
{
    struct entry e = {.what = ROW_OBJECT, .object = o};
    e.n = waiters_of(all, o, &e.w);
    if (o.kind == OBJ_RWMUTEX)
        e.ninner = waiters_of(all, (struct ev_object){OBJ_WRITERS, o.id}, &e.inner);
    e.busy = is_busy(v, &e);
    if (e.busy || model_object_is(v->md, o))
        entry_add(es, e);
}

/* A Cond of a Go program has no event before the first Signal, but Gs may wait for it. */
static void add_objects(const struct view *v, struct entries *es, const struct all *all)
{
    static const enum ev_object_kind order[] = {OBJ_WAITGROUP, OBJ_MUTEX, OBJ_RWMUTEX, OBJ_COND, OBJ_CHAN, OBJ_CONN};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        uint32_t last = model_objects(v->md, order[i]), k = waiters_from(all, (struct ev_object){order[i], last + 1});
        for (uint32_t id = 1; id <= last; id++)
            add_object(v, es, all, (struct ev_object){order[i], id});
        for (uint32_t id = 0; k < all->n && all->w[k].object.kind == order[i]; id = all->w[k++].object.id)
            if (all->w[k].object.id != id)
                add_object(v, es, all, all->w[k].object);
    }
}

static void add_timers(const struct view *v, struct entries *es)
{
    for (uint32_t p = 0; p < model_np(v->md); p++)
        if (model_p(v->md, p)->ntimers)
            entry_add(es, (struct entry){.what = ROW_TIMERS, .object = {OBJ_NONE, p}, .busy = true});
}

/* Adds the reasons for which user Gs wait, or those for which only Gs of the runtime do: these are left out first. */
static void add_reasons(struct entries *es, const struct all *all, bool user)
{
    for (uint32_t reason = 0; (int)reason < ev_words(FT_REASON); reason++) {
        struct entry e = {.what = ROW_REASON, .object = {OBJ_NONE, reason}};
        e.n = waiters_of(all, e.object, &e.w);
        for (uint32_t i = 0; i < e.n; i++)
            e.busy |= !ev_is_system_g(e.w[i].g);
        if (e.n && e.busy == user)
            entry_add(es, e);
    }
}

/* ---- one row ---- */

struct columns {
    int name, kind, state, queue;
};

static const char *kind_text(const struct view *v, const struct entry *e, char *buf, size_t size)
{
    const char *kind = object_kind_text(e->object.kind, v->lang);
    uint32_t cap = e->what == ROW_OBJECT ? model_object_cap(v->md, e->object) : 0;
    if (e->what == ROW_TIMERS)
        snprintf(buf, size, "P%u", e->object.id);
    else if (e->what == ROW_REASON)
        buf[0] = '\0';
    else if (cap && model_knows(v->md, KNOW_OBJECTS, 0) != KNOWN_FACT)
        snprintf(buf, size, "%s ?/%u", kind, cap);
    else if (cap)
        snprintf(buf, size, "%s %d/%u", kind, model_object(v->md, e->object).n, cap);
    else
        snprintf(buf, size, "%s", kind);
    return buf;
}

static const char *name_text(const struct view *v, const struct entry *e, char buf[OBJECT_NAME])
{
    if (e->what == ROW_TIMERS)
        snprintf(buf, OBJECT_NAME, "%s", tx(v->lang, TX_O_TIMERS));
    else if (e->what == ROW_REASON)
        snprintf(buf, OBJECT_NAME, "%s", e->object.id ? ev_say(FT_REASON, e->object.id, v->lang) : tx(v->lang, TX_NOT_RECORDED_HERE));
    else
        model_object_name(v->md, e->object, buf);
    return buf;
}

struct row {
    const struct view *v;
    struct canvas *c;
    struct rect in;
    int y;
    const struct entry *e;
};

/* Returns the same row in another rectangle; an empty one only measures. */
static struct row row_in(const struct row *r, struct rect in)
{
    struct row other = *r;
    other.in = in;
    return other;
}

/* These return the next x, also without room to draw.
 *
 * Draws "held by G2, 2.1 ms". */
static int draw_holder(const struct row *r, int x, const struct model_object *o)
{
    char text[32];
    int64_t now = model_time(r->v->md);
    x = canvas_text(r->c, r->in, x, r->y, ROLE_dim, tx(r->v->lang, TX_O_HELD)) + 1;
    x = draw_g(r->c, r->in, x, r->y, o->holder, false);
    x = canvas_text(r->c, r->in, x, r->y, ROLE_dim, ", ");
    return canvas_text(r->c, r->in, x, r->y, ROLE_number, duration_text(now > o->since ? now - o->since : 0, text, sizeof text));
}

/* Draws the slots of a buffer, "■■··", if it is small. */
static int draw_buffer(const struct row *r, int x)
{
    enum { SLOTS_MOST = 12 };
    struct model_object o = model_object(r->v->md, r->e->object);
    uint32_t cap = model_object_cap(r->v->md, r->e->object);
    if (o.closed)
        return canvas_text(r->c, r->in, x, r->y, ROLE_changed, tx(r->v->lang, TX_O_CLOSED));
    if (cap == 0)
        return canvas_text(r->c, r->in, x, r->y, ROLE_dim, tx(r->v->lang, TX_O_UNBUFFERED));
    for (uint32_t i = 0; i < cap && cap <= SLOTS_MOST; i++)
        x = canvas_text(r->c, r->in, x, r->y, i < (uint32_t)o.n ? ROLE_number : ROLE_dim, i < (uint32_t)o.n ? "■" : "·");
    return x;
}

static int draw_rwmutex(const struct row *r, int x)
{
    struct model_object o = model_object(r->v->md, r->e->object);
    int32_t reading = o.n;
    bool waits = false;
    for (uint32_t i = 0; i < r->e->n; i++) {
        reading -= r->e->w[i].side == 0;
        waits |= r->e->w[i].side == 1;
    }
    if (o.held > 0 && !waits && reading <= 0)
        return draw_holder(r, x, &o);
    if (reading > 0)
        return canvas_printf(r->c, r->in, x, r->y, ROLE_number, tx(r->v->lang, TX_O_READERS), (unsigned)reading);
    return canvas_text(r->c, r->in, x, r->y, ROLE_dim, tx(r->v->lang, TX_O_FREE));
}

static void draw_timers(const struct row *r, int x)
{
    const struct model_p *p = model_p(r->v->md, r->e->object.id);
    int64_t left = p->timers[0].when - model_time(r->v->md);
    char text[32];
    x = canvas_printf(r->c, r->in, x, r->y, ROLE_number, "%u", p->ntimers) + 2;
    x = canvas_text(r->c, r->in, x, r->y, ROLE_dim, tx(r->v->lang, TX_O_NEXT));
    if (p->timers[0].g)
        x = draw_g(r->c, r->in, x, r->y, p->timers[0].g, false) + 1;
    canvas_printf(r->c, r->in, x, r->y, ROLE_number, tx(r->v->lang, TX_O_IN), duration_text(left > 0 ? left : 0, text, sizeof text));
}

static int draw_state(const struct row *r, int x)
{
    struct model_object o = model_object(r->v->md, r->e->object);
    if (model_knows(r->v->md, KNOW_OBJECTS, 0) != KNOWN_FACT) /* its state from before is not known */
        return canvas_text(r->c, r->in, x, r->y, ROLE_dim, "?");
    switch (r->e->object.kind) {
    case OBJ_WAITGROUP:
        return canvas_printf(r->c, r->in, x, r->y, o.n ? ROLE_number : ROLE_dim, tx(r->v->lang, TX_O_TO_GO), o.n);
    case OBJ_MUTEX:
        return o.held > 0 ? draw_holder(r, x, &o) : canvas_text(r->c, r->in, x, r->y, ROLE_dim, tx(r->v->lang, TX_O_FREE));
    case OBJ_RWMUTEX:
        return draw_rwmutex(r, x);
    case OBJ_CHAN:
        return draw_buffer(r, x);
    case OBJ_CONN:
        return canvas_printf(r->c, r->in, x, r->y, o.n || o.n2 ? ROLE_number : ROLE_dim, "a→b %d B  b→a %d B", o.n, o.n2);
    default:
        return x;
    }
}

/* Returns true if this G began its wait after the base of the marks. */
static bool is_new(const struct view *v, uint32_t g)
{
    const struct model_g *was = v->base ? model_g(v->base, g) : NULL, *is = model_g(v->md, g);
    return v->base && is && (!was || was->status != G_WAITING || was->since != is->since);
}

/* One queue of a row. */
struct queue {
    const struct model_waiter *w;
    uint32_t n;
    enum text_id label;
};
enum { QUEUES_MAX = 3 };

/* The receivers or readers come first among the waiters of an object. */
static int queues_of(const struct entry *e, struct queue *q)
{
    static const enum text_id label[OBJ_KINDS][2] = {[OBJ_CHAN] = {TX_O_RECV, TX_O_SEND}, [OBJ_RWMUTEX] = {TX_O_READ, TX_O_WRITE}};
    bool sides = e->object.kind == OBJ_CHAN || e->object.kind == OBJ_RWMUTEX;
    uint32_t first = 0;
    int n = 0;
    while (first < e->n && e->w[first].side == 0)
        first++;
    if (first)
        q[n++] = (struct queue){e->w, first, sides ? label[e->object.kind][0] : TX_NONE};
    if (first < e->n)
        q[n++] = (struct queue){e->w + first, e->n - first, sides ? label[e->object.kind][1] : TX_NONE};
    if (e->ninner)
        q[n++] = (struct queue){e->inner, e->ninner, TX_O_WRITE};
    return n;
}

/* Draws "◀ G3 G7", from the first of the queue; "+2" stands for those that do not fit, and for all after `most`. The first always has its
 * name. Returns the next x. */
static int draw_queue(const struct row *r, int x, const struct queue *q, uint32_t most)
{
    if (q->label != TX_NONE)
        x = canvas_text(r->c, r->in, x, r->y, ROLE_dim, tx(r->v->lang, q->label)) + 1;
    x = canvas_text(r->c, r->in, x, r->y, ROLE_arrow, "◀") + 1;
    for (uint32_t i = 0; i < q->n; i++) {
        char name[EV_G_NAME];
        uint32_t left = q->n - i;
        int more = left > 1 ? 2 + digits(left) : 0;
        if (i == most || (i && x + text_width(ev_g_name(q->w[i].g, name)) + 1 + more > r->in.x + r->in.w))
            return canvas_printf(r->c, r->in, x, r->y, ROLE_dim, "+%u", left) + 2;
        x = draw_g(r->c, r->in, x, r->y, q->w[i].g, is_new(r->v, q->w[i].g)) + 1;
    }
    return x + 1;
}

/* Each queue leaves columns for the first name of those after it. Returns the next x. */
static int draw_queues(const struct row *r, int x, uint32_t most)
{
    struct queue q[QUEUES_MAX];
    struct row nowhere = row_in(r, (struct rect){0});
    int n = queues_of(r->e, q), after[QUEUES_MAX + 1] = {0};
    for (int i = n - 1; i > 0; i--)
        after[i] = after[i + 1] + draw_queue(&nowhere, 0, &q[i], 1);
    if (r->e->object.kind == OBJ_MUTEX && model_object(r->v->md, r->e->object).starving > 0)
        x = canvas_text(r->c, r->in, x, r->y, ROLE_changed, tx(r->v->lang, TX_O_STARVING)) + 1;
    for (int i = 0; i < n; i++) {
        struct row room = *r;
        room.in.w -= after[i + 1];
        x = draw_queue(&room, x, &q[i], most);
    }
    return x;
}

/* Returns the x of the queues. It is `column` if they fit there. Otherwise they may begin as early as column `free`, and earlier only if the
 * first names would not fit. */
static int queues_x(const struct row *r, int column, int free)
{
    struct row nowhere = row_in(r, (struct rect){0, 0, 2 * r->in.w, 0});
    int end = r->in.x + r->in.w + 1; /* the width has two blanks at its end; one column is for a mark */
    int all = end - draw_queues(&nowhere, 0, (uint32_t)r->in.w), least = end - draw_queues(&nowhere, 0, 1);
    int x = all < free ? free : all;
    x = x > column ? column : x;
    x = x > least ? least : x;
    return all == end ? end : x < r->in.x ? r->in.x : x;
}

static void draw_entry(const struct row *r, const struct columns *k)
{
    char text[OBJECT_NAME];
    struct rect name = {r->in.x, r->y, k->kind - r->in.x - 1, 1};
    struct row nowhere = row_in(r, (struct rect){0});
    name_text(r->v, r->e, text);
    if (r->e->what == ROW_REASON) {
        int free = k->name + text_width(text) + 2, x = queues_x(r, free > k->queue ? free : k->queue, free);
        canvas_text(r->c, (struct rect){r->in.x, r->y, x - 1 - r->in.x, 1}, k->name, r->y, ROLE_dim, text);
        draw_queues(r, x, UINT32_MAX);
        return;
    }
    canvas_text(r->c, name, k->name, r->y, r->e->busy ? ROLE_plain : ROLE_dim, text);
    kind_text(r->v, r->e, text, sizeof text);
    if (r->e->what == ROW_TIMERS) {
        canvas_text(r->c, r->in, k->kind, r->y, ROLE_dim, text);
        draw_timers(r, k->state);
        return;
    }
    int x = queues_x(r, k->queue, draw_state(&nowhere, k->state) + 1);
    struct row left = *r;
    left.in.w = x - 1 - r->in.x;
    canvas_text(r->c, left.in, k->kind, r->y, ROLE_dim, text);
    draw_state(&left, k->state);
    draw_queues(r, x, UINT32_MAX);
}

/* ---- all rows ---- */

/* The widths come from the names and kinds of all objects, which do not change during a run. */
static struct columns columns_for(const struct view *v, struct rect in, const struct entries *es)
{
    enum { NAME_MOST = 16, STATE = 30, STATE_NARROW = 20, WIDE = 80 };
    int name = 6, kind = 2;
    char text[OBJECT_NAME];
    for (int i = 0; i < es->n; i++) {
        int w = es->v[i].what == ROW_REASON ? 0 : text_width(name_text(v, &es->v[i], text));
        int k = text_width(kind_text(v, &es->v[i], text, sizeof text));
        name = w > name ? w : name;
        kind = k > kind ? k : kind;
    }
    name = name > NAME_MOST ? NAME_MOST : name;
    struct columns k = {.name = in.x};
    k.kind = k.name + name + 1;
    k.state = k.kind + kind + 1;
    k.queue = k.state + (in.w >= WIDE ? STATE : STATE_NARROW) + 1;
    return k;
}

/* Draws those rows that fit, busy ones first, each in its place; the last line says how many are left out. */
static void draw_entries(const struct view *v, struct canvas *c, struct rect in, const struct entries *es)
{
    struct columns k = columns_for(v, in, es);
    int busy = 0, room = es->n > in.h ? in.h - 1 : in.h, y = in.y;
    for (int i = 0; i < es->n; i++)
        busy += es->v[i].busy;
    int idle = room - busy > 0 ? room - busy : 0; /* rows for those that are not */
    for (int i = 0; i < es->n && y < in.y + room; i++) {
        if (!es->v[i].busy && idle-- <= 0)
            continue;
        draw_entry(&(struct row){v, c, in, y++, &es->v[i]}, &k);
    }
    if (es->n > in.h && in.h > 0)
        canvas_printf(c, in, in.x, y, ROLE_dim, tx(v->lang, busy > room ? TX_O_MORE_BUSY : TX_O_MORE), (unsigned)(es->n - room),
                      (unsigned)(busy - room));
}

static void title(const struct pane *p, const struct view *v, char *buf, size_t size)
{
    (void)p;
    uint32_t n = v->md ? model_count_g(v->md, G_WAITING) : 0;
    char text[KNOWN_TEXT];
    if (n || (v->md && is_partial(v)))
        snprintf(buf, size, "%s ─ %s", tx(v->lang, TX_WAITING), known_gs(v, n, text));
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    struct rect in = {p->in.x + 1, p->in.y, p->in.w - 2, p->in.h};
    struct entries es = {0};
    struct model_waiter *w;
    if (!v->md)
        return;
    int last = in.h > 2 ? population_rows(v, in.w) : 1;
    last = last < in.h || in.h < 2 ? last : in.h - 1;
    struct rect rows = {in.x, in.y, in.w, in.h - last};
    struct all all = {NULL, 0};
    (void)model_waiters(v->md, WAITERS_SHOWN, &w, &all.n); /* without memory none are shown in this frame */
    all.w = w;
    add_objects(v, &es, &all);
    add_timers(v, &es);
    add_reasons(&es, &all, true);
    add_reasons(&es, &all, false);
    draw_entries(v, c, rows, &es);
    if (es.n == 0 && rows.h > 0 && is_partial(v))
        draw_not_recorded(v, c, rows);
    else if (es.n == 0 && rows.h > 0)
        canvas_text(c, rows, rows.x, rows.y, ROLE_dim, tx(v->lang, TX_EMPTY_WAITING));
    draw_population(v, c, (struct rect){in.x, in.y + in.h - last, in.w, last});
    free(es.v);
    free(w);
}

const struct pane_ops pane_waiting = {.title = title, .draw = draw};
