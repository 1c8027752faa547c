/* What waits.c and waits_text.c share. */
#ifndef GMPSCOPE_MODEL_WAITS_INTERNAL_H
#define GMPSCOPE_MODEL_WAITS_INTERNAL_H

#include "base/arena.h"
#include "model/waits.h"

#define WHO_MANY UINT32_MAX

struct waits_g {
    uint32_t id, node, line; /* node: FLOW_NONE if its place is not known, or the flow says only lines */
    bool stuck;
    const struct waits_reach *reach; /* in reach below; NULL: not known */
};
struct waits_node {
    uint32_t who; /* the G that reaches it, WHO_MANY, or 0 */
    bool entered; /* a G can come to it, in addition to those that were there */
    bool woken;   /* cond_wait: a G there has had its signal and waits for the mutex */
};
/* Of a channel, a mutex …: its state now, then what is reached that would change it. */
struct waits_object {
    bool empty, full, closed;  /* a channel */
    bool held, read;           /* a mutex; an RWMutex: by a writer, by readers */
    bool counts;               /* a WaitGroup above zero */
    bool dry[2], full_from[2]; /* a conn: no bytes are on their way from this end, or so many that it takes no more */
    uint32_t sender, receiver; /* as waits_node.who */
    bool closes, ticks, unlocks, runlocks, lowers, signals, written[2], taken[2];
};
struct waits {
    const struct model *md;
    const struct flow *flow; /* NULL: not known */
    VEC(struct waits_reach) reach;
    bool recorded, returned; /* returned: main has */
    bool starts[3];          /* by enum flow_start: a timer, a finalizer may still start its program, without a G that lives */
    VEC(struct waits_g) g;   /* that live, by id */
    struct waits_node *node;
    struct waits_object *object[OBJ_KINDS];
    uint32_t objects[OBJ_KINDS];
    uint8_t *can; /* scratch, one for each node */
    bool changed;
};

/* Is the operation about the object with this id? */
static inline bool covers(const struct flow_node *n, uint32_t id)
{
    return id >= n->id && id - n->id < n->n;
}

/* Can a G of the program be at the node? */
static inline bool may_run(const struct flow_node *n, uint32_t fn)
{
    return n->fn == fn || n->called;
}

static inline bool covers_mutex(const struct flow_node *n, uint32_t id)
{
    return n->kind == FLOW_COND_WAIT && id >= n->mutex && id - n->mutex < n->nmutex;
}

/* Is the operation certainly about that object? */
static inline bool is_about(const struct flow_node *n, uint32_t id)
{
    return n->n == 1 && n->id == id;
}

/* Returns what is known of an object; that with the id 0 if there is no such object. */
struct waits_object *waits_object(const struct waits *w, enum ev_object_kind kind, uint32_t id);
const struct waits_g *waits_find(const struct waits *w, uint32_t g);

/* text.c. Writes the place of a G of a Go program, "main.go:12", in PLACE_NAME bytes. Returns false if it is not known. */
bool model_g_place(const struct model *md, uint32_t g, char place[]);

#endif
