/* Perfetto's own form: a stream of protobuf packets (perfetto/protos of its source has the fields).
 *
 * Its scheduler view opens on generic kernel task events: a P is a CPU and a G a thread. Besides there are tracks of the Ms, the Ps and the Gs.
 * Each event is an instant of its M in category "event", with its fields; wake-ups and steals are flows from such an instant to the slice in which the G
 * then runs. The lengths of queues and the number of spinning Ms are counters. */
#include "engine/export/export.h"
#include "trace/go/id_table.h"
#include <stdlib.h>
#include <string.h>

enum { WIRE_VARINT, WIRE_FIXED64, WIRE_BYTES };
enum { PACKET = 1, TIMESTAMP = 8, SEQUENCE = 10, TRACK_EVENT = 11, FLAGS = 13, TRACK = 60, TASK_STATE = 117, PROCESS_TREE = 122 };
enum { SLICE_BEGIN = 1, SLICE_END, INSTANT, COUNTER };                /* types of track events */
enum { CREATED = 1, RUNNABLE, RUNNING, SLEEPS, IN_CALL, DEAD = 7 };   /* states of tasks */
enum { OF_M = 1, OF_P, OF_G, OF_QUEUE, GLOBAL = EV_MAX_P, SPINNING }; /* groups of tracks; counters behind those of the Ps */
#define UUID(group, id) ((uint64_t)(group) << 40 | ((uint64_t)(id) + 1))
#define GROUP(group) ((uint64_t)(group) << 40)

struct slot { /* an M or a P */
    uint32_t g;
    bool open, named;
};
struct task {
    uint32_t id, p;
    uint64_t flow[2]; /* to the slice in which it runs next: a wake-up, a steal */
    uint8_t state;
    bool named, open;
};
struct perfetto {
    VEC(struct slot) ms;
    struct slot ps[EV_MAX_P];
    VEC(struct task) tasks;
    struct id_table task_of;
    uint64_t flows, counter[EV_MAX_P + 2];
    bool counted[EV_MAX_P + 2], lacks;
    int64_t now;
    struct export_buf inner, packet; /* scratch */
};

/* ---- protobuf ---- */

static void put_number(struct export_buf *b, unsigned field, uint64_t v)
{
    export_varint(b, field << 3 | WIRE_VARINT);
    export_varint(b, v);
}

static bool put_bytes(struct export_buf *b, unsigned field, const void *bytes, size_t n)
{
    export_varint(b, field << 3 | WIRE_BYTES);
    export_varint(b, n);
    return export_append(b, bytes, n);
}

static bool put_text(struct export_buf *b, unsigned field, const char *s)
{
    return put_bytes(b, field, s, utf8_valid(s, strlen(s)) ? strlen(s) : 0);
}

/* Writes p->inner as a packet of this kind. */
static void packet(struct exporter *x, unsigned field)
{
    struct perfetto *p = x->state;
    struct export_buf *b = &p->packet, head = {0};
    b->n = 0;
    put_number(b, TIMESTAMP, (uint64_t)p->now);
    put_number(b, SEQUENCE, 1);
    p->lacks |= !put_bytes(b, field, p->inner.v, p->inner.n);
    p->lacks |= !export_varint(&head, PACKET << 3 | WIRE_BYTES) || !export_varint(&head, b->n);
    export_bytes(x, head.v, head.n);
    export_bytes(x, b->v, b->n);
    vec_free(&head);
    p->inner.n = 0;
}

/* ---- tracks ---- */

static void track(struct exporter *x, uint64_t uuid, uint64_t parent, const char *name, uint32_t rank)
{
    enum { T_UUID = 1, T_NAME, T_PARENT = 5, T_COUNTER = 8, T_ORDER = 11, T_RANK, T_MERGE = 15, EXPLICIT = 3, NEVER = 2 };
    struct export_buf *b = &((struct perfetto *)x->state)->inner;
    put_number(b, T_UUID, uuid);
    put_text(b, T_NAME, name);
    if (parent)
        put_number(b, T_PARENT, parent);
    if (parent == GROUP(OF_QUEUE))
        put_bytes(b, T_COUNTER, NULL, 0);
    put_number(b, T_ORDER, EXPLICIT);
    put_number(b, T_RANK, rank);
    put_number(b, T_MERGE, NEVER);
    packet(x, TRACK);
}

/* Begins a track event in p->inner. */
static struct export_buf *on_track(struct exporter *x, unsigned type, uint64_t uuid)
{
    enum { E_TYPE = 9, E_TRACK = 11 };
    struct export_buf *b = &((struct perfetto *)x->state)->inner;
    put_number(b, E_TYPE, type);
    put_number(b, E_TRACK, uuid);
    return b;
}

enum { E_ANNOTATION = 4, E_CATEGORY = 22, E_NAME = 23, E_COUNTER = 30, E_FLOW = 47, E_LAST_FLOW = 48 };

static void put_flow(struct export_buf *b, unsigned field, uint64_t id)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(id >> 8 * i);
    export_varint(b, field << 3 | WIRE_FIXED64);
    export_append(b, bytes, sizeof bytes);
}

static void slice(struct exporter *x, uint64_t uuid, const char *category, const char *name)
{
    struct export_buf *b = on_track(x, SLICE_BEGIN, uuid);
    put_text(b, E_CATEGORY, category);
    put_text(b, E_NAME, name);
}

static void slice_end(struct exporter *x, uint64_t uuid, bool *open)
{
    if (*open && x->begun) {
        on_track(x, SLICE_END, uuid);
        packet(x, TRACK_EVENT);
    }
    *open = false;
}

static void name_slot(struct exporter *x, struct slot *s, int group, uint32_t id)
{
    char name[24];
    if (s->named || !x->begun)
        return;
    s->named = true;
    snprintf(name, sizeof name, "%c%u", group == OF_M ? 'M' : 'P', id);
    track(x, UUID(group, id), GROUP(group), name, id);
}

static struct task *task_of(struct perfetto *p, uint32_t g)
{
    const uint32_t *at = id_find(&p->task_of, g);
    struct task none = {.id = g};
    if (at)
        return &p->tasks.v[*at];
    if (!id_put(&p->task_of, g, (uint32_t)p->tasks.n) || !vec_push(&p->tasks, none))
        return NULL;
    return &p->tasks.v[p->tasks.n - 1];
}

static void task_name(const struct exporter *x, const struct task *t, char *buf, size_t size)
{
    char g[EV_G_NAME];
    const char *fn = model_fn_name(x->md, t->id);
    snprintf(buf, size, "%s%s%.40s", ev_g_name(t->id, g), fn && *fn ? " " : "", fn ? fn : "");
}

/* ---- tasks ---- */

static void task_state(struct exporter *x, const struct task *t, unsigned state)
{
    enum { S_CPU = 1, S_NAME, S_TASK, S_STATE };
    char name[80];
    struct export_buf *b = &((struct perfetto *)x->state)->inner;
    task_name(x, t, name, sizeof name);
    put_number(b, S_CPU, t->p);
    put_text(b, S_NAME, name);
    put_number(b, S_TASK, t->id);
    put_number(b, S_STATE, state);
    packet(x, TASK_STATE);
}

static void introduce(struct exporter *x, struct task *t, bool created)
{
    enum { TREE_THREAD = 2, TASK_ID = 1, TASK_PROCESS, TASK_NAME };
    struct perfetto *p = x->state;
    struct export_buf thread = {0};
    char name[80];
    t->named = true;
    if (created)
        task_state(x, t, CREATED);
    task_name(x, t, name, sizeof name);
    put_number(&thread, TASK_ID, t->id);
    put_number(&thread, TASK_PROCESS, 1);
    put_text(&thread, TASK_NAME, name);
    p->lacks |= !put_bytes(&p->inner, TREE_THREAD, thread.v, thread.n);
    vec_free(&thread);
    packet(x, PROCESS_TREE);
    track(x, UUID(OF_G, t->id), GROUP(OF_G), name, t->id);
}

/* The G enters a state: for the scheduler view, and as a slice of its own track. */
static void enter(struct exporter *x, struct task *t, unsigned state, const char *name)
{
    t->state = (uint8_t)state;
    if (!x->begun)
        return;
    if (!t->named)
        introduce(x, t, state == RUNNABLE);
    task_state(x, t, state);
    slice_end(x, UUID(OF_G, t->id), &t->open);
    if (state == DEAD)
        return;
    slice(x, UUID(OF_G, t->id), "g", name);
    packet(x, TRACK_EVENT);
    t->open = true;
}

/* What M and P do with this G is over, or begins. */
static void off(struct exporter *x, const struct merged_event *at)
{
    struct perfetto *p = x->state;
    slice_end(x, UUID(OF_M, at->m), &p->ms.v[at->m].open);
    if (at->e->p < EV_MAX_P)
        slice_end(x, UUID(OF_P, at->e->p), &p->ps[at->e->p].open);
}

static void begin_slice(struct exporter *x, uint64_t uuid, struct task *t, struct slot *s, bool flows)
{
    char name[80];
    struct export_buf *b = &((struct perfetto *)x->state)->inner;
    s->open = true;
    s->g = t->id;
    if (!x->begun)
        return;
    task_name(x, t, name, sizeof name);
    slice(x, uuid, "run", name);
    for (int i = 0; flows && i < 2; i++)
        if (t->flow[i])
            put_flow(b, E_LAST_FLOW, t->flow[i]);
    packet(x, TRACK_EVENT);
}

static void on(struct exporter *x, const struct merged_event *at, struct task *t)
{
    struct perfetto *p = x->state;
    off(x, at);
    if (at->e->p < EV_MAX_P) {
        struct slot *s = &p->ps[at->e->p];
        name_slot(x, s, OF_P, at->e->p);
        t->p = at->e->p;
        begin_slice(x, UUID(OF_P, at->e->p), t, s, false);
    }
    begin_slice(x, UUID(OF_M, at->m), t, &p->ms.v[at->m], true);
    t->flow[0] = t->flow[1] = 0;
    if (t->state != RUNNING)
        enter(x, t, RUNNING, "running");
}

/* ---- the events ---- */

static bool passes(struct exporter *x, const struct merged_event *at)
{
    struct perfetto *p = x->state;
    const struct ev *e = at->e;
    struct slot none = {0};
    struct task *t = e->g ? task_of(p, e->g) : NULL;
    while (p->ms.n <= at->m)
        if (!vec_push(&p->ms, none))
            return false;
    if (e->g && !t)
        return false;
    p->now = e->time;
    name_slot(x, &p->ms.v[at->m], OF_M, at->m);
    switch (t ? e->kind : EV_KINDS) { /* all of them are about a G */
    case EV_G_CREATE:
    case EV_G_READY:
        enter(x, t, RUNNABLE, "runnable");
        break;
    case EV_G_START:
        on(x, at, t);
        break;
    case EV_SYSCALL_EXIT:
        off(x, at);
        if (e->d == EXITSYSCALL_NO_P)
            enter(x, t, RUNNABLE, "runnable");
        else
            on(x, at, t);
        break;
    case EV_SYSCALL_ENTER:
    case EV_SYSCALL_BLOCK:
        off(x, at);
        enter(x, t, IN_CALL, "syscall");
        begin_slice(x, UUID(OF_M, at->m), t, &p->ms.v[at->m], false);
        break;
    case EV_G_PARK:
    case EV_G_PREEMPT:
    case EV_G_YIELD:
    case EV_G_END:
        off(x, at);
        enter(x, t,
              e->kind == EV_G_PARK  ? SLEEPS
              : e->kind == EV_G_END ? DEAD
                                    : RUNNABLE,
              e->kind == EV_G_PARK ? ev_word(FT_REASON, e->b & 0xffff) : "runnable");
        break;
    default:
        break;
    }
    return !p->lacks;
}

static void annotations(struct exporter *x, const struct merged_event *at)
{
    enum { A_BOOL = 2, A_INT = 4, A_TEXT = 6, A_NAME = 10 };
    struct perfetto *p = x->state;
    struct export_buf one = {0};
    struct export_value v;
    for (int i = 0; export_next_field(at, &i, &v);) {
        one.n = 0;
        put_text(&one, A_NAME, v.name);
        if (v.type == VALUE_TEXT)
            put_text(&one, A_TEXT, v.text);
        else if (v.type != VALUE_NONE)
            put_number(&one, v.type == VALUE_BOOL ? A_BOOL : A_INT, (uint64_t)v.number);
        p->lacks |= !put_bytes(&p->inner, E_ANNOTATION, one.v, one.n);
    }
    vec_free(&one);
}

static void count(struct exporter *x, uint32_t which, uint64_t now)
{
    struct perfetto *p = x->state;
    char name[24];
    if (!p->counted[which]) {
        snprintf(name, sizeof name, "P%u queue", which);
        track(x, UUID(OF_QUEUE, which), GROUP(OF_QUEUE),
              which == GLOBAL     ? "global queue"
              : which == SPINNING ? "spinning Ms"
                                  : name,
              which);
    } else if (p->counter[which] == now) {
        return;
    }
    p->counted[which] = true;
    p->counter[which] = now;
    put_number(on_track(x, COUNTER, UUID(OF_QUEUE, which)), E_COUNTER, now);
    packet(x, TRACK_EVENT);
}

static bool event(struct exporter *x, const struct merged_event *at)
{
    struct perfetto *p = x->state;
    const struct ev *e = at->e;
    const uint32_t *globq;
    if (!passes(x, at))
        return false;
    struct task *t = e->g ? task_of(p, e->g) : NULL;
    struct export_buf *b = on_track(x, INSTANT, UUID(OF_M, at->m));
    put_text(b, E_CATEGORY, "event");
    put_text(b, E_NAME, ev_desc[e->kind].name);
    annotations(x, at);
    if (t && (e->kind == EV_G_READY || e->kind == EV_STEAL))
        put_flow(b, E_FLOW, t->flow[e->kind == EV_STEAL] = ++p->flows);
    packet(x, TRACK_EVENT);
    for (uint32_t i = 0; i < model_np(at->md) && i < EV_MAX_P; i++)
        count(x, i, model_p(at->md, i)->tail - model_p(at->md, i)->head + (model_p(at->md, i)->runnext != 0));
    count(x, GLOBAL, model_globq(at->md, &globq));
    count(x, SPINNING, model_nmspinning(at->md));
    return !p->lacks;
}

/* ---- begin and end ---- */

static void resume(struct exporter *x, struct slot *s, int group, uint32_t id)
{
    if (!s->open)
        return;
    name_slot(x, s, group, id);
    begin_slice(x, UUID(group, id), task_of(x->state, s->g), s, false);
}

static bool begin(struct exporter *x)
{
    enum { TREE_PROCESS = 1, PROCESS_ID = 1, PROCESS_NAME = 3, CLEARED = 1 };
    static const char *const name[] = {[OF_M] = "Ms", [OF_P] = "Ps", [OF_G] = "Gs", [OF_QUEUE] = "queues"};
    struct perfetto *p = x->state;
    struct export_buf process = {0}, first = {0};
    p->now = x->md ? model_time(x->md) : 0;
    put_number(&first, SEQUENCE, 1);
    put_number(&first, FLAGS, CLEARED);
    p->lacks |= !put_bytes(&p->inner, PACKET, first.v, first.n);
    export_bytes(x, p->inner.v, p->inner.n);
    p->inner.n = 0;
    vec_free(&first);
    put_number(&process, PROCESS_ID, 1);
    put_text(&process, PROCESS_NAME, x->info->name ? x->info->name : "run");
    p->lacks |= !put_bytes(&p->inner, TREE_PROCESS, process.v, process.n);
    vec_free(&process);
    packet(x, PROCESS_TREE);
    for (uint32_t i = OF_M; i <= OF_QUEUE; i++)
        track(x, GROUP(i), 0, name[i], i);
    x->begun = true; /* from now on what runs already is written */
    for (size_t i = 0; i < p->tasks.n; i++) {
        struct task *t = &p->tasks.v[i];
        static const char *const of[] = {[RUNNABLE] = "runnable", [RUNNING] = "running", [SLEEPS] = "waiting", [IN_CALL] = "syscall"};
        if (t->state && t->state != DEAD) {
            introduce(x, t, false);
            enter(x, t, t->state, of[t->state]);
        }
    }
    for (uint32_t m = 0; m < p->ms.n; m++)
        resume(x, &p->ms.v[m], OF_M, m);
    for (uint32_t i = 0; i < EV_MAX_P; i++)
        resume(x, &p->ps[i], OF_P, i);
    return !p->lacks;
}

static bool end(struct exporter *x)
{
    struct perfetto *p = x->state;
    for (uint32_t m = 0; m < p->ms.n; m++)
        slice_end(x, UUID(OF_M, m), &p->ms.v[m].open);
    for (uint32_t i = 0; i < EV_MAX_P; i++)
        slice_end(x, UUID(OF_P, i), &p->ps[i].open);
    for (size_t i = 0; i < p->tasks.n; i++)
        slice_end(x, UUID(OF_G, p->tasks.v[i].id), &p->tasks.v[i].open);
    return !p->lacks;
}

static void fini(struct exporter *x)
{
    struct perfetto *p = x->state;
    vec_free(&p->ms);
    vec_free(&p->tasks);
    id_fini(&p->task_of);
    vec_free(&p->inner);
    vec_free(&p->packet);
}

const struct export_ops export_perfetto = {
    .name = "perfetto",
    .what = {{"Perfetto's own form, with its scheduler view", "Perfetto 自己的格式，可用其调度视图"}},
    .state = sizeof(struct perfetto),
    .begin = begin,
    .passes = passes,
    .event = event,
    .end = end,
    .fini = fini};
