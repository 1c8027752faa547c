/* Channels, mutexes … as object events report them, and the Gs that wait for them. The queues are not kept: they follow from when each G
 * began to wait, so a G that waits costs the fold nothing more. */
#include "base/arena.h"
#include "model/model_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

bool object_can_be(const struct model *md, struct ev_object o)
{
    enum ev_object_kind kind = o.kind == OBJ_WRITERS ? OBJ_RWMUTEX : o.kind;
    return o.id <= (md->cfg.objects.made ? EV_WRITERS : ID_AHEAD + md->cfg.objects.of[kind].n);
}

struct model_object *object_mut(struct model *md, struct ev_object o)
{
    struct object_list *l = &md->object[o.kind];
    if (!object_can_be(md, o))
        return NULL;
    if (o.id >= l->cap) {
        uint32_t cap = l->cap ? l->cap : 8;
        while (cap <= o.id)
            cap *= 2;
        struct model_object *v = realloc(l->v, cap * sizeof *v);
        if (!v)
            return NULL;
        l->v = v;
        l->cap = cap;
    }
    for (; l->n <= o.id; l->n++)
        l->v[l->n] = (struct model_object){0};
    return &l->v[o.id];
}

bool cases_add(struct model *md, struct select_case k)
{
    if (md->ncases == md->capcases) {
        uint32_t cap = md->capcases ? 2 * md->capcases : 8;
        struct select_case *v = realloc(md->cases, cap * sizeof *v);
        if (!v)
            return false;
        md->cases = v;
        md->capcases = cap;
    }
    md->cases[md->ncases++] = k;
    return true;
}

void cases_drop(struct model *md, uint32_t g)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < md->ncases; i++)
        if (md->cases[i].g != g)
            md->cases[kept++] = md->cases[i];
    md->ncases = kept;
}

/* Returns a copy of n elements; *ok becomes false if there is no memory. */
static void *copied(const void *v, uint32_t n, size_t size, bool *ok)
{
    void *to = n ? malloc(n * size) : NULL;
    if (to)
        memcpy(to, v, n * size);
    *ok &= to || n == 0;
    return to;
}

bool model_objects_copy(struct model *to, const struct model *from)
{
    bool ok = true;
    for (int k = 0; k < OBJ_KINDS; k++) {
        to->object[k].v = copied(from->object[k].v, from->object[k].n, sizeof *from->object[k].v, &ok);
        to->object[k].cap = to->object[k].n;
    }
    to->cases = copied(from->cases, from->ncases, sizeof *from->cases, &ok);
    to->capcases = to->ncases;
    return ok;
}

void model_objects_free(struct model *md)
{
    for (int k = 0; k < OBJ_KINDS; k++)
        free(md->object[k].v);
    free(md->cases);
}

uint64_t model_objects_bytes(const struct model *md)
{
    uint64_t n = md->capcases * sizeof *md->cases;
    for (int k = 0; k < OBJ_KINDS; k++)
        n += md->object[k].cap * sizeof *md->object[k].v;
    return n;
}

/* ---- readers ---- */

struct model_object model_object(const struct model *md, struct ev_object o)
{
    const struct object_list *l = &md->object[o.kind];
    return o.id < l->n ? l->v[o.id] : (struct model_object){0};
}

uint32_t model_objects(const struct model *md, enum ev_object_kind kind)
{
    const struct object_list *l = &md->object[kind];
    uint32_t named = md->cfg.objects.made ? 0 : md->cfg.objects.of[kind].n, seen = l->n ? l->n - 1 : 0;
    return named > seen ? named : seen;
}

bool model_object_is(const struct model *md, struct ev_object o)
{
    return md->cfg.objects.made ? model_object(md, o).seen : o.id > 0 && o.id <= model_objects(md, o.kind);
}

const char *model_object_name(const struct model *md, struct ev_object o, char buf[OBJECT_NAME])
{
    const struct model_objects *names = md ? &md->cfg.objects : NULL;
    enum ev_object_kind kind = o.kind == OBJ_WRITERS ? OBJ_RWMUTEX : o.kind;
    const char *inner = o.kind == OBJ_WRITERS ? ".w" : "";
    uint32_t n = names && o.id > 0 ? names->of[kind].n : 0, k = o.id - 1;
    bool made = n && names->made;
    const char *name = made ? names->of[kind].name[k % n] : k < n ? names->of[kind].name[k] : "";
    if (made && *name && k >= n)
        snprintf(buf, OBJECT_NAME, "%s#%" PRIu32 "%s", name, k / n + 1, inner);
    else if (*name)
        snprintf(buf, OBJECT_NAME, "%s%s", name, inner);
    else
        snprintf(buf, OBJECT_NAME, "%" PRIu32 "%s", made ? k / n + 1 : o.id, inner);
    return buf;
}

uint32_t model_object_cap(const struct model *md, struct ev_object o)
{
    const struct model_objects *names = &md->cfg.objects;
    if (names->made)
        return model_object(md, o).cap;
    return o.id > 0 && o.id <= names->of[o.kind].n && names->of[o.kind].cap ? names->of[o.kind].cap[o.id - 1] : 0;
}

/* ---- who waits ---- */

struct waiters {
    VEC(struct model_waiter) list;
    uint32_t most;
    bool lacks; /* memory ran out */
};

static void waiter_add(struct waiters *w, const struct model_g *g, struct ev_object o, uint8_t side)
{
    if (w->list.n < w->most)
        w->lacks |= !vec_push(&w->list, ((struct model_waiter){o, g->id, side, g->front, g->since}));
}

/* First those that went in front, the last of them first, then the others as they came. */
static int queue_order(const struct model_waiter *x, const struct model_waiter *y)
{
    if (x->front != y->front)
        return x->front ? -1 : 1;
    if (x->since != y->since)
        return (x->since < y->since) == !x->front ? -1 : 1;
    return (x->g > y->g) - (x->g < y->g);
}

static int waiter_order(const void *a, const void *b)
{
    const struct model_waiter *x = a, *y = b;
    if (x->object.kind != y->object.kind)
        return x->object.kind < y->object.kind ? -1 : 1;
    if (x->object.id != y->object.id)
        return x->object.id < y->object.id ? -1 : 1;
    return x->side != y->side ? x->side - y->side : queue_order(x, y);
}

static void waiters_of_page(struct waiters *w, const struct gpage *page)
{
    for (uint32_t i = 0; i < GPAGE; i++) {
        const struct model_g *g = &page->g[i];
        if (!g->id || g->status != G_WAITING)
            continue;
        struct ev_object o = ev_waits_for(g->reason, g->obj);
        if (o.kind == OBJ_NONE)
            o.id = g->reason;
        waiter_add(w, g, o, g->reason == WAIT_REASON_CHAN_SEND || g->reason == WAIT_REASON_RWMUTEX_LOCK);
    }
}

bool model_waiters(const struct model *md, uint32_t most, struct model_waiter **out, uint32_t *n)
{
    struct waiters w = {.most = most};
    const struct gpage *page;
    for (uint32_t i = 0; !w.lacks && (page = gpages_live(md, &i)); i++)
        waiters_of_page(&w, page);
    for (uint32_t i = 0; !w.lacks && i < md->ncases; i++) {
        const struct model_g *g = g_find(md, md->cases[i].g);
        if (g && g->status == G_WAITING && g->reason == WAIT_REASON_SELECT)
            waiter_add(&w, g, (struct ev_object){OBJ_CHAN, md->cases[i].id}, md->cases[i].send);
    }
    if (w.lacks)
        vec_free(&w.list);
    if (w.list.n)
        qsort(w.list.v, w.list.n, sizeof *w.list.v, waiter_order);
    *out = w.list.v;
    *n = (uint32_t)w.list.n;
    return !w.lacks;
}
