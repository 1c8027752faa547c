/* See go_order.h. Of the ranges (collector, sweeps, tasks) only those are checked that order other events: the rest of a trace with a wrong range is
 * still right. */
#include "trace/go/go_order.h"

#include <stdlib.h>
#include <string.h>

/* The events of a thread in this generation, one at a time. */
struct go_cursor {
    uint32_t m;
    size_t batch, end; /* those left in f->batches */
    uint64_t ticks;
    const uint8_t *at, *stop;
    struct go_event e;
    struct go_cursor *next; /* spare ones */
    uint8_t bytes[GO_BATCH_MOST];
};

enum advance { ADVANCED, NOT_YET, WRONG };

static enum advance wrong(struct go_order *o, const struct go_event *e, const char *what)
{
    go_file_damaged(o->f, "event %llu (kind %u): %s", (unsigned long long)o->events + 1, e->kind, what);
    return WRONG;
}

/* ---- what there is ---- */

struct go_g *go_order_g(struct go_order *o, uint64_t id)
{
    const uint32_t *at = id_find(&o->g_of, id);
    return at ? &o->gs.v[*at] : NULL;
}

struct go_g *go_order_add(struct go_order *o, uint64_t id, uint8_t status)
{
    struct go_g g = {.id = id, .generation = o->f->generation, .status = status, .assist = -1};
    uint32_t at = o->free_gs.n ? o->free_gs.v[--o->free_gs.n] : (uint32_t)o->gs.n;
    bool good = id_put(&o->g_of, id, at) && (at < o->gs.n || vec_push(&o->gs, g));
    o->f->lacks |= !good;
    if (!good)
        return NULL;
    o->gs.v[at] = g;
    o->added++;
    return &o->gs.v[at];
}

bool go_order_remove(struct go_order *o, uint64_t id)
{
    const uint32_t *at = id_find(&o->g_of, id);
    if (!at)
        return false;
    uint32_t free_one = *at;
    o->gone = o->gs.v[free_one];
    o->gs.v[free_one].status = GO_G_NONE;
    id_remove(&o->g_of, id);
    o->f->lacks |= !vec_push(&o->free_gs, free_one);
    return true;
}

uint32_t go_order_thread(struct go_order *o, uint64_t id)
{
    const uint32_t *at = id_find(&o->m_of, id);
    if (at)
        return *at;
    struct go_m m = {id, GO_NO_G, GO_NO_P};
    if (o->ms.n == GO_THREADS_MOST)
        return go_file_damaged(o->f, "it has more than %d threads", GO_THREADS_MOST), GO_THREADS_MOST;
    if (!id_put(&o->m_of, id, (uint32_t)o->ms.n) || !vec_push(&o->ms, m))
        return o->f->lacks = true, GO_THREADS_MOST;
    return (uint32_t)o->ms.n - 1;
}

static bool is_next(const struct go_order *o, uint64_t generation, uint64_t seq, uint64_t next)
{
    return generation == o->f->generation && next == seq + 1;
}

static struct go_p *p_of(struct go_order *o, uint64_t id)
{
    return id < GO_PS_MOST ? &o->ps[id] : NULL;
}

/* Returns the G that runs on the thread with a P, NULL if there is none. */
static struct go_g *running(struct go_order *o, const struct go_event *e, uint8_t status)
{
    struct go_g *g = e->p == GO_NO_P ? NULL : go_order_g(o, e->g);
    return g && g->status == status ? g : NULL;
}

/* ---- Ps ---- */

static enum advance proc_status(struct go_order *o, struct go_event *e, struct go_m *m)
{
    struct go_p *p = p_of(o, e->arg[0]);
    uint64_t status = e->arg[1];
    if (!p || status < GO_P_RUNNING || status > GO_P_ABANDONED)
        return wrong(o, e, "no P can have this number or status");
    e->was = p->status != GO_P_NONE;
    if (status == GO_P_ABANDONED && p->status == GO_P_SYSCALL)
        status = GO_P_SYSCALL; /* its M is known, and stays so */
    else if (e->was && p->status != status)
        return wrong(o, e, "the P had another status");
    else if (status == GO_P_RUNNING || status == GO_P_SYSCALL)
        m->p = (uint32_t)e->arg[0];
    *p = (struct go_p){o->f->generation, 0, (uint8_t)status};
    return ADVANCED;
}

static enum advance proc_start(struct go_order *o, struct go_event *e, struct go_m *m)
{
    struct go_p *p = p_of(o, e->arg[0]);
    if (!p)
        return wrong(o, e, "no P can have this number");
    if (p->status != GO_P_IDLE || !is_next(o, p->generation, p->seq, e->arg[1]) || m->p != GO_NO_P)
        return NOT_YET;
    p->status = GO_P_RUNNING;
    p->seq = e->arg[1];
    m->p = (uint32_t)e->arg[0];
    return ADVANCED;
}

static enum advance proc_stop(struct go_order *o, struct go_event *e, struct go_m *m)
{
    if (m->p == GO_NO_P || (o->ps[m->p].status != GO_P_RUNNING && o->ps[m->p].status != GO_P_SYSCALL))
        return wrong(o, e, "the thread has no P");
    e->was = o->ps[m->p].status;
    o->ps[m->p].status = GO_P_IDLE;
    m->p = GO_NO_P;
    return ADVANCED;
}

static enum advance proc_steal(struct go_order *o, struct go_event *e, struct go_m *m)
{
    struct go_p *p = p_of(o, e->arg[0]);
    if (!p)
        return wrong(o, e, "no P can have this number");
    if ((p->status != GO_P_SYSCALL && p->status != GO_P_ABANDONED) || !is_next(o, p->generation, p->seq, e->arg[1]))
        return NOT_YET;
    e->was = p->status;
    const uint32_t *at = id_find(&o->m_of, e->arg[2]);
    struct go_m *from = e->arg[2] == m->id ? m : at ? &o->ms.v[*at] : NULL;
    if (e->was == GO_P_SYSCALL && (!from || from->p != e->arg[0]))
        return wrong(o, e, "that thread does not have this P");
    if (e->was == GO_P_SYSCALL)
        from->p = GO_NO_P;
    p->status = GO_P_IDLE;
    p->seq = e->arg[1];
    return ADVANCED;
}

/* ---- Gs ---- */

/* A G that has been in a system call since before this generation is on a thread that may have logged nothing. */
static enum advance in_syscall(struct go_order *o, struct go_event *e, struct go_m *m)
{
    if (e->arg[1] == m->id) {
        m->g = e->arg[0];
        return ADVANCED;
    }
    uint32_t at = go_order_thread(o, e->arg[1]);
    if (at == GO_THREADS_MOST)
        return WRONG;
    if (o->ms.v[at].g != GO_NO_G && o->ms.v[at].g != e->arg[0])
        return wrong(o, e, "the thread has another G");
    o->ms.v[at].g = e->arg[0];
    return ADVANCED;
}

static enum advance go_status(struct go_order *o, struct go_event *e, struct go_m *m)
{
    struct go_g *g = go_order_g(o, e->arg[0]);
    if (e->arg[2] < GO_G_RUNNABLE || e->arg[2] > GO_G_WAITING || e->arg[0] == GO_NO_G)
        return wrong(o, e, "no G can have this number or status");
    e->was = g != NULL;
    if (g && g->status != e->arg[2])
        return wrong(o, e, "the G had another status");
    if (!g && o->f->generation != o->first_generation)
        return wrong(o, e, "a G is new, although nothing created it");
    if (!g && !(g = go_order_add(o, e->arg[0], (uint8_t)e->arg[2])))
        return WRONG;
    g->generation = o->f->generation;
    g->seq = 0;
    if (e->arg[2] == GO_G_RUNNING)
        m->g = e->arg[0];
    if (e->arg[2] == GO_G_SYSCALL && e->arg[1] == GO_NO_THREAD)
        return wrong(o, e, "a G is in a system call of no thread");
    return e->arg[2] == GO_G_SYSCALL ? in_syscall(o, e, m) : ADVANCED;
}

static enum advance go_create(struct go_order *o, struct go_event *e, struct go_m *m)
{
    uint8_t status = e->kind == GO_GO_CREATE ? GO_G_RUNNABLE : e->kind == GO_GO_CREATE_BLOCKED ? GO_G_WAITING : GO_G_SYSCALL;
    if (status == GO_G_SYSCALL ? m->g != GO_NO_G : m->p == GO_NO_P)
        return wrong(o, e, "the thread cannot create a G");
    if (e->arg[0] == GO_NO_G || go_order_g(o, e->arg[0]))
        return wrong(o, e, "the new G is there already");
    if (!go_order_add(o, e->arg[0], status))
        return WRONG;
    if (status == GO_G_SYSCALL)
        m->g = e->arg[0];
    return ADVANCED;
}

static enum advance go_start(struct go_order *o, struct go_event *e, struct go_m *m)
{
    struct go_g *g = go_order_g(o, e->arg[0]);
    if (!g || g->status != GO_G_RUNNABLE || !is_next(o, g->generation, g->seq, e->arg[1]))
        return NOT_YET;
    if (m->p == GO_NO_P || m->g != GO_NO_G)
        return wrong(o, e, "the thread has no P, or has a G");
    g->status = GO_G_RUNNING;
    g->seq = e->arg[1];
    m->g = e->arg[0];
    return ADVANCED;
}

static enum advance go_stops(struct go_order *o, struct go_event *e, struct go_m *m)
{
    struct go_g *g = running(o, e, GO_G_RUNNING);
    if (!g)
        return wrong(o, e, "the thread runs no G");
    if (e->kind == GO_GO_DESTROY)
        go_order_remove(o, e->g);
    else
        g->status = e->kind == GO_GO_STOP ? GO_G_RUNNABLE : GO_G_WAITING;
    m->g = GO_NO_G;
    return ADVANCED;
}

static enum advance go_unblock(struct go_order *o, struct go_event *e, struct go_m *m)
{
    struct go_g *g = go_order_g(o, e->arg[0]);
    (void)m;
    if (!g || g->status != GO_G_WAITING || !is_next(o, g->generation, g->seq, e->arg[1]))
        return NOT_YET;
    g->status = GO_G_RUNNABLE;
    g->seq = e->arg[1];
    return ADVANCED;
}

static enum advance go_switch(struct go_order *o, struct go_event *e, struct go_m *m)
{
    struct go_g *from = running(o, e, GO_G_RUNNING), *to = go_order_g(o, e->arg[0]);
    if (!from)
        return wrong(o, e, "the thread runs no G");
    if (!to || to->status != GO_G_WAITING || !is_next(o, to->generation, to->seq, e->arg[1]))
        return NOT_YET;
    to->status = GO_G_RUNNING;
    to->seq = e->arg[1];
    from->status = GO_G_WAITING;
    if (e->kind == GO_GO_SWITCH_DESTROY)
        go_order_remove(o, e->g);
    m->g = e->arg[0];
    return ADVANCED;
}

static enum advance syscall_begin(struct go_order *o, struct go_event *e, struct go_m *m)
{
    struct go_g *g = running(o, e, GO_G_RUNNING);
    if (!g || !is_next(o, o->ps[m->p].generation, o->ps[m->p].seq, e->arg[0]))
        return wrong(o, e, "the thread runs no G, or its P has done something else");
    g->status = GO_G_SYSCALL;
    o->ps[m->p].status = GO_P_SYSCALL;
    o->ps[m->p].seq = e->arg[0];
    return ADVANCED;
}

static enum advance syscall_end(struct go_order *o, struct go_event *e, struct go_m *m)
{
    struct go_g *g = running(o, e, GO_G_SYSCALL);
    if (!g || o->ps[m->p].status != GO_P_SYSCALL)
        return wrong(o, e, "the thread is in no system call");
    g->status = GO_G_RUNNING;
    o->ps[m->p].status = GO_P_RUNNING;
    return ADVANCED;
}

/* The P was lost on the way. */
static enum advance syscall_end_blocked(struct go_order *o, struct go_event *e, struct go_m *m)
{
    struct go_g *g = go_order_g(o, m->g);
    if (m->p != GO_NO_P && o->ps[m->p].status == GO_P_SYSCALL)
        return NOT_YET;
    if (!g || g->status != GO_G_SYSCALL)
        return wrong(o, e, "the thread is in no system call");
    g->status = GO_G_RUNNABLE;
    m->g = GO_NO_G;
    return ADVANCED;
}

/* A call from C into Go is over. The thread's number may be used again, so its P is nobody's until it is taken. */
static enum advance destroy_syscall(struct go_order *o, struct go_event *e, struct go_m *m)
{
    const struct go_g *g = go_order_g(o, m->g);
    if (!g || g->status != GO_G_SYSCALL || (m->p != GO_NO_P && o->ps[m->p].status != GO_P_SYSCALL))
        return wrong(o, e, "the thread is in no system call");
    go_order_remove(o, m->g);
    if (m->p != GO_NO_P)
        o->ps[m->p].status = GO_P_ABANDONED;
    m->g = GO_NO_G;
    m->p = GO_NO_P;
    return ADVANCED;
}

/* ---- the collector ---- */

static enum advance gc_range(struct go_order *o, struct go_event *e, struct go_m *m)
{
    uint64_t seq = e->arg[0];
    bool begins = e->kind == GO_GC_BEGIN, first = !o->gc && e->kind != GO_GC_END;
    (void)m;
    e->was = o->gc == 2;
    if (!first && seq != o->gc_seq + 1)
        return NOT_YET;
    if (!first && (begins ? o->gc == 2 : o->gc != 2))
        return wrong(o, e, "the collector begins or ends twice");
    o->gc_seq = seq;
    o->gc = e->kind == GO_GC_END ? 1 : 2;
    return ADVANCED;
}

static enum advance any_time(struct go_order *o, struct go_event *e, struct go_m *m)
{
    (void)o, (void)e, (void)m;
    return ADVANCED;
}

static enum advance (*const advance_of[GO_KINDS])(struct go_order *, struct go_event *, struct go_m *) = {
    [GO_PROC_START] = proc_start,
    [GO_PROC_STOP] = proc_stop,
    [GO_PROC_STEAL] = proc_steal,
    [GO_PROC_STATUS] = proc_status,
    [GO_GO_CREATE] = go_create,
    [GO_GO_CREATE_BLOCKED] = go_create,
    [GO_GO_CREATE_SYSCALL] = go_create,
    [GO_GO_START] = go_start,
    [GO_GO_DESTROY] = go_stops,
    [GO_GO_STOP] = go_stops,
    [GO_GO_BLOCK] = go_stops,
    [GO_GO_DESTROY_SYSCALL] = destroy_syscall,
    [GO_GO_UNBLOCK] = go_unblock,
    [GO_GO_SYSCALL_BEGIN] = syscall_begin,
    [GO_GO_SYSCALL_END] = syscall_end,
    [GO_GO_SYSCALL_END_BLOCKED] = syscall_end_blocked,
    [GO_GO_STATUS] = go_status,
    [GO_GO_STATUS_STACK] = go_status,
    [GO_GO_SWITCH] = go_switch,
    [GO_GO_SWITCH_DESTROY] = go_switch,
    [GO_GC_ACTIVE] = gc_range,
    [GO_GC_BEGIN] = gc_range,
    [GO_GC_END] = gc_range,
};

static enum advance advance(struct go_order *o, struct go_cursor *c)
{
    struct go_event *e = &c->e;
    struct go_m *m = &o->ms.v[c->m];
    e->g = m->g;
    e->p = m->p;
    e->m = c->m;
    enum advance (*how)(struct go_order *, struct go_event *, struct go_m *) = e->kind < GO_KINDS ? advance_of[e->kind] : NULL;
    if (how == go_status) { /* it may add a thread, which moves the others */
        struct go_m copy = *m;
        enum advance r = how(o, e, &copy);
        if (r == ADVANCED)
            o->ms.v[c->m] = copy;
        return r;
    }
    return (how ? how : any_time)(o, e, m);
}

/* ---- the events of a thread ---- */

/* The time in ns: exact, and the same in each generation. */
static int64_t ns_of(const struct go_order *o, uint64_t ticks)
{
    uint64_t since = ticks > o->ticks0 ? ticks - o->ticks0 : 0, freq = o->f->freq;
    uint64_t seconds = since / freq;
    if (seconds > UINT64_C(4000000000))
        return o->last;
    return (int64_t)(seconds * UINT64_C(1000000000) + since % freq * UINT64_C(1000000000) / freq);
}

void go_order_number(struct go_order *o, struct go_event *e, uint64_t ticks)
{
    o->ticks0 = o->events ? o->ticks0 : ticks;
    int64_t time = ns_of(o, ticks);
    o->last = e->time = time > o->last ? time : o->last;
    e->number = ++o->events;
}

/* Reads the next event of the thread. False: there is none. */
static bool cursor_next(struct go_order *o, struct go_cursor *c)
{
    struct go_file *f = o->f;
    while (c->at == c->stop) {
        if (c->batch == c->end || !go_file_batch(f, &f->batches.v[c->batch], c->bytes))
            return false;
        c->ticks = f->batches.v[c->batch].time;
        c->at = c->bytes;
        c->stop = c->bytes + f->batches.v[c->batch++].size;
    }
    uint8_t kind = *c->at++;
    int args = kind < GO_KINDS ? go_args[kind]
               : kind >= GO_EXPERIMENTS && kind < GO_EXPERIMENTS_END
                   ? go_experiment_args[kind - GO_EXPERIMENTS]
                   : -1;
    uint64_t delta;
    c->e = (struct go_event){.kind = kind};
    if (args < 0 || !go_number(&c->at, c->stop, &delta))
        return go_file_damaged(f, "a batch has an event of kind %u, or half of one", kind);
    for (int i = 0; i < args; i++)
        if (!go_number(&c->at, c->stop, &c->e.arg[i]))
            return go_file_damaged(f, "an event of kind %u is not whole", kind);
    c->ticks = delta > UINT64_MAX - c->ticks ? UINT64_MAX : c->ticks + delta;
    return true;
}

/* ---- the frontier ---- */

static struct go_cursor *cursor_at(const struct go_order *o, size_t i)
{
    return o->frontier.heads.v[i].cursor;
}

static void put_away(struct go_order *o, struct go_cursor *c)
{
    c->next = o->spare;
    o->spare = c;
}

/* Takes the event of this cursor: the next one of its thread takes its place. */
static void took(struct go_order *o, size_t i)
{
    struct go_cursor *c = cursor_at(o, i);
    if (cursor_next(o, c)) {
        o->frontier.heads.v[i].ticks = c->ticks;
        go_frontier_moved(&o->frontier, i);
        return;
    }
    put_away(o, c);
    go_frontier_drop(&o->frontier, i);
}

/* ---- generations ---- */

static struct go_cursor *new_cursor(struct go_order *o)
{
    struct go_cursor *c = o->spare;
    if (c)
        o->spare = c->next;
    else
        c = malloc(sizeof *c);
    o->f->lacks |= !c;
    return c;
}

static bool begin_generation(struct go_order *o)
{
    struct go_file *f = o->f;
    if (!go_file_generation(f))
        return false;
    if (!o->first_generation)
        o->first_generation = f->generation;
    for (size_t i = 0, end; i < f->batches.n; i = end) {
        for (end = i; end < f->batches.n && f->batches.v[end].m == f->batches.v[i].m; end++)
            ;
        uint32_t m = go_order_thread(o, f->batches.v[i].m);
        struct go_cursor *c = m == GO_THREADS_MOST ? NULL : new_cursor(o);
        if (!c)
            return false;
        c->m = m;
        c->batch = i;
        c->end = end;
        c->at = c->stop = c->bytes;
        if (!cursor_next(o, c) || !go_frontier_add(&o->frontier, (struct go_head){c->ticks, c->m, c}))
            put_away(o, c);
    }
    return f->state != GO_DAMAGED && !f->lacks;
}

/* An event of no thread changes nothing that the next one of its kind would have. */
static void forget_no_thread(struct go_order *o, uint32_t m)
{
    if (o->ms.v[m].id == GO_NO_THREAD)
        o->ms.v[m] = (struct go_m){GO_NO_THREAD, GO_NO_G, GO_NO_P};
}

bool go_order_next(struct go_order *o, struct go_event *e)
{
    struct go_file *f = o->f;
    while (f->state != GO_DAMAGED && !f->lacks && !o->frontier.heads.n)
        if (!begin_generation(o))
            return false;
    if (f->state == GO_DAMAGED || f->lacks)
        return false;
    enum advance r = advance(o, cursor_at(o, 0));
    size_t i = 0;
    if (r == NOT_YET) {
        go_frontier_sort(&o->frontier);
        while ((r = advance(o, cursor_at(o, i))) == NOT_YET && i + 1 < o->frontier.heads.n)
            i++;
    }
    if (r == NOT_YET && !f->incomplete)
        go_file_damaged(f, "no event can come after event %llu", (unsigned long long)o->events);
    if (r != ADVANCED || f->lacks)
        return false;
    *e = cursor_at(o, i)->e;
    go_order_number(o, e, cursor_at(o, i)->ticks);
    forget_no_thread(o, e->m);
    took(o, i);
    return true;
}

/* ---- life ---- */

uint64_t go_order_threads(const struct go_order *o)
{
    uint64_t n = 0;
    for (size_t i = 0; i < o->ms.n; i++)
        n += o->ms.v[i].id < UINT64_C(1) << 63;
    return n;
}

void go_order_init(struct go_order *o, struct go_file *f)
{
    *o = (struct go_order){.f = f};
}

void go_order_fini(struct go_order *o)
{
    for (size_t i = 0; i < o->frontier.heads.n; i++)
        put_away(o, cursor_at(o, i));
    for (struct go_cursor *c; (c = o->spare);) {
        o->spare = c->next;
        free(c);
    }
    vec_free(&o->frontier.heads);
    vec_free(&o->gs);
    vec_free(&o->free_gs);
    vec_free(&o->ms);
    id_fini(&o->g_of);
    id_fini(&o->m_of);
}
