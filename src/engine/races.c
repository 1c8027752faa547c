/* Vector clocks, as in TSan's runtime: a G's clock says up to which step of each other G all has happened before what the G does now. A step ends
 * when the G releases something.
 *
 * Only a G that accesses a shared variable needs a place in the clocks, a *slot*, and it gets one at its first access. So a run with many Gs of which
 * few access variables has short clocks. The slot of a G that has ended is given to a G that knows all its steps: then no race between the
 * two can be lost. Only if there are no other slots left is one given to a G that does not (races may be lost, none is invented).
 *
 * Of each variable the last access by each G at each operation is kept. An access that is known to a later write of another G is dropped when a
 * variable has many: whatever races with it also races with that write. Of each operation the newest ACCESSES_MOST are kept, so that a variable that
 * thousands of Gs race for costs each access as little (a pair of operations may be lost, none is invented). */
#include "engine/races.h"
#include <stdlib.h>
#include <string.h>

enum { NO_SLOT = UINT32_MAX, LOOK_AT = 64 /* free slots, at most, for one that fits */, ACCESSES_FEW = 64, ACCESSES_MOST = 256 };

/* A step of the G with this slot: what it released last, and at which operation. Step 0: nothing of it is known. */
struct step {
    uint32_t number, op;
};
struct clock {
    struct step *v;
    uint32_t n, cap;
};

/* A G, or a timer that runs for the G that made it. */
struct task {
    uint32_t g; /* 0: free, in the table */
    uint32_t slot;
    uint32_t fn, by, started_at;
    struct clock knows; /* without its own steps */
};
struct place {
    uint32_t step, first; /* the current step; the first one of the G that has it */
};
struct access {
    struct race_access is;
    uint32_t slot, step, first;
};
struct variable {
    struct access *v;
    uint32_t n, cap, last, drop_at;
};

/* Variables and objects in the order in which they were first named: a hash table, whose size is a power of two, of number and 1 + index. */
struct numbering {
    struct {
        uint32_t number, at;
    } * v;
    uint32_t n, cap;
};

struct race_clocks {
    uint32_t next; /* the number of the next note */
    struct task *task;
    uint32_t ntasks, captasks; /* a hash table, whose size is a power of two */
    struct place place[RACES_GS];
    uint32_t nslots;
    uint32_t *freed; /* slots of Gs that have ended, in that order */
    uint32_t nfreed;
    struct numbering objects, variables;
    struct clock *object;
    uint32_t nobjects;
    struct variable *variable;
    uint32_t nvariables;
    bool lacks;
};

/* ---- clocks -------------------------------------------------------------------------------------------------------------- */

/* Returns v with room for n elements of this size; new ones are zero. If memory has run out, it returns v, and *cap stays below n. */
static void *grown(void *v, uint32_t *cap, uint32_t n, size_t size)
{
    uint32_t more = *cap ? *cap : 8;
    while (more < n)
        more *= 2;
    void *new = realloc(v, more * size);
    if (!new)
        return v;
    memset((char *)new + *cap *size, 0, (more - *cap) * size);
    *cap = more;
    return new;
}
/* Makes room for n elements. False: memory has run out. */
#define GROW(k, v, cap, n) ((n) <= (cap) || ((v) = grown(v, &(cap), n, sizeof *(v)), (n) <= (cap)) || ((k)->lacks = true, false))

static void clock_set(struct race_clocks *k, struct clock *c, uint32_t slot, struct step step)
{
    if (!GROW(k, c->v, c->cap, slot + 1))
        return;
    if (c->n <= slot)
        c->n = slot + 1;
    c->v[slot] = step;
}

/* Adds to `to` what `from` knows. */
static void clock_join(struct race_clocks *k, struct clock *to, const struct clock *from)
{
    if (!GROW(k, to->v, to->cap, from->n))
        return;
    for (uint32_t i = to->n; i < from->n; i++)
        to->v[i] = (struct step){0};
    if (to->n < from->n)
        to->n = from->n;
    for (uint32_t i = 0; i < from->n; i++)
        if (from->v[i].number > to->v[i].number)
            to->v[i] = from->v[i];
}

/* Adds what t has done up to now, and what it knows. */
static void clock_join_task(struct race_clocks *k, struct clock *to, const struct task *t, uint32_t op)
{
    clock_join(k, to, &t->knows);
    if (t->slot != NO_SLOT)
        clock_set(k, to, t->slot, (struct step){k->place[t->slot].step, op});
}

static void end_step(struct race_clocks *k, const struct task *t)
{
    if (t->slot != NO_SLOT)
        k->place[t->slot].step++;
}

static bool task_knows(const struct task *t, uint32_t slot, uint32_t step)
{
    return slot == t->slot || (slot < t->knows.n && t->knows.v[slot].number >= step);
}

static uint32_t hash_of(uint32_t number)
{
    return number * 2654435769u;
}

/* Returns the index of a number. Any other value: memory has run out. */
static uint32_t index_of(struct race_clocks *k, struct numbering *t, uint32_t number)
{
    if (4 * (t->n + 1) > 3 * t->cap) {
        struct numbering larger = {.n = t->n, .cap = t->cap ? 2 * t->cap : 64};
        if (!(larger.v = calloc(larger.cap, sizeof *larger.v))) {
            k->lacks = true;
            return 0;
        }
        for (uint32_t i = 0; i < t->cap; i++)
            if (t->v[i].at) {
                uint32_t to = hash_of(t->v[i].number) & (larger.cap - 1);
                while (larger.v[to].at)
                    to = (to + 1) & (larger.cap - 1);
                larger.v[to] = t->v[i];
            }
        free(t->v);
        *t = larger;
    }
    uint32_t i = hash_of(number) & (t->cap - 1);
    while (t->v[i].at && t->v[i].number != number)
        i = (i + 1) & (t->cap - 1);
    if (!t->v[i].at) {
        t->v[i].number = number;
        t->v[i].at = ++t->n;
    }
    return t->v[i].at - 1;
}

/* ---- Gs ------------------------------------------------------------------------------------------------------------------ */

static struct task *place_of(const struct race_clocks *k, uint32_t g)
{
    uint32_t i = hash_of(g) & (k->captasks - 1);
    while (k->task[i].g && k->task[i].g != g)
        i = (i + 1) & (k->captasks - 1);
    return &k->task[i];
}

/* Returns the G; a new one knows nothing. Valid until the next call. NULL: memory has run out. */
static struct task *task_of(struct race_clocks *k, uint32_t g)
{
    if (4 * (k->ntasks + 1) > 3 * k->captasks) {
        struct race_clocks larger = {.captasks = k->captasks ? 2 * k->captasks : 64};
        larger.task = calloc(larger.captasks, sizeof *larger.task);
        if (!larger.task) {
            k->lacks = true;
            return NULL;
        }
        for (uint32_t i = 0; i < k->captasks; i++)
            if (k->task[i].g)
                *place_of(&larger, k->task[i].g) = k->task[i];
        free(k->task);
        k->task = larger.task;
        k->captasks = larger.captasks;
    }
    struct task *t = place_of(k, g);
    if (!t->g) {
        *t = (struct task){.g = g, .slot = NO_SLOT};
        k->ntasks++;
    }
    return t;
}

/* Forgets a G that has ended; its slot can be given to another. */
static void task_end(struct race_clocks *k, uint32_t g)
{
    struct task *t = k->captasks ? place_of(k, g) : NULL;
    if (!t || !t->g)
        return;
    if (t->slot != NO_SLOT)
        k->freed[k->nfreed++] = t->slot;
    free(t->knows.v);
    t->g = 0;
    k->ntasks--;
    /* Those behind it may have been put there because its place was taken. */
    for (uint32_t i = (uint32_t)(t - k->task + 1) & (k->captasks - 1); k->task[i].g; i = (i + 1) & (k->captasks - 1)) {
        struct task moves = k->task[i];
        k->task[i].g = 0;
        *place_of(k, moves.g) = moves;
    }
}

static void take_slot(struct race_clocks *k, struct task *t, uint32_t slot)
{
    struct place *s = &k->place[slot];
    *s = (struct place){.step = s->step + 1, .first = s->step + 1};
    t->slot = slot;
}

/* Gives t a slot, unless it has one: see the head of this file. Returns false if there is none. */
static bool give_slot(struct race_clocks *k, struct task *t)
{
    if (t->slot != NO_SLOT)
        return true;
    for (uint32_t i = k->nfreed; i-- > 0 && k->nfreed - i <= LOOK_AT;) {
        uint32_t slot = k->freed[i];
        if (!task_knows(t, slot, k->place[slot].step))
            continue;
        memmove(&k->freed[i], &k->freed[i + 1], (--k->nfreed - i) * sizeof *k->freed);
        take_slot(k, t, slot);
        return true;
    }
    if (k->nslots < RACES_GS) {
        take_slot(k, t, k->nslots++);
    } else if (k->nfreed) {
        uint32_t oldest = k->freed[0];
        memmove(&k->freed[0], &k->freed[1], --k->nfreed * sizeof *k->freed);
        take_slot(k, t, oldest);
    }
    return t->slot != NO_SLOT;
}

/* ---- accesses ------------------------------------------------------------------------------------------------------------ */

/* Sets the last step that orders the two, from the side of the second: what it knows of the first, or else the start of the younger. */
static void set_since(struct race *r, const struct access *first, const struct task *second)
{
    const struct clock *c = &second->knows;
    if (first->slot < c->n && c->v[first->slot].number >= first->first) {
        r->since_g = first->is.g;
        r->since_op = c->v[first->slot].op;
        return;
    }
    const struct race_access *younger = r->first.by && (r->first.g > r->second.g || !r->second.by) ? &r->first : &r->second;
    r->since_g = younger->by;
    r->since_op = younger->started_at;
}

static bool same_operations(const struct races *r, const struct race *a, const struct race *b)
{
    bool here = a->first.op == b->first.op && a->second.op == b->second.op;
    return (r->by_place || a->variable == b->variable) && (here || (a->first.op == b->second.op && a->second.op == b->first.op));
}

static void report(struct races *r, const struct access *first, const struct race *found)
{
    struct race new = *found;
    new.first = first->is;
    uint32_t kept = r->found < RACES_KEPT ? r->found : RACES_KEPT;
    for (uint32_t i = 0; i < kept; i++)
        if (same_operations(r, &r->v[i], &new))
            return;
    if (kept == RACES_KEPT)
        return;
    struct race *v = realloc(r->v, (kept + 1) * sizeof *v);
    if (!v) {
        r->clocks->lacks = true;
        return;
    }
    r->v = v;
    set_since(&new, first, place_of(r->clocks, new.second.g));
    v[r->found++] = new;
}

/* Drops the accesses that the one that comes now stands for. */
static void drop_known(struct variable *v, const struct task *t, bool write, bool atomic)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < v->n; i++)
        if (!task_knows(t, v->v[i].slot, v->v[i].step) || (v->v[i].is.write && !write) || (atomic && !v->v[i].is.atomic))
            v->v[n++] = v->v[i];
    v->n = n;
    v->drop_at = 2 * n < ACCESSES_FEW ? ACCESSES_FEW : 2 * n;
}

static bool same_kind(const struct race_access *a, const struct race_access *b)
{
    return a->op == b->op && a->write == b->write && a->atomic == b->atomic;
}

/* Drops the oldest access like this one if there are too many of them. */
static void drop_oldest(struct variable *v, const struct race_access *is)
{
    uint32_t like = 0, first = 0;
    for (uint32_t i = v->n; i-- > 0;)
        if (same_kind(&v->v[i].is, is)) {
            like++;
            first = i;
        }
    if (like < ACCESSES_MOST)
        return;
    memmove(&v->v[first], &v->v[first + 1], (--v->n - first) * sizeof *v->v);
}

static void access_variable(struct races *r, const struct merged_event *at)
{
    bool write = ev_note(at->e) == NOTE_WRITE || ev_note(at->e) == NOTE_ATOMIC_WRITE;
    bool atomic = ev_note(at->e) == NOTE_ATOMIC_READ || ev_note(at->e) == NOTE_ATOMIC_WRITE;
    struct race_clocks *k = r->clocks;
    const struct ev *e = at->e;
    struct task *t = task_of(k, e->g);
    uint32_t number = index_of(k, &k->variables, e->a);
    if (!t || k->lacks || !GROW(k, k->variable, k->nvariables, number + 1))
        return;
    if (!give_slot(k, t)) {
        r->too_many = true;
        return;
    }
    struct variable *v = &k->variable[number];
    uint32_t step = k->place[t->slot].step, own = UINT32_MAX;
    const struct access *last = v->last < v->n ? &v->v[v->last] : NULL;
    const struct model_g *g = model_g(at->md, e->g);
    struct race_access is = {
        .g = e->g, .fn = g ? g->fn : t->fn, .op = e->b, .by = t->by, .started_at = t->started_at, .write = write, .atomic = atomic};
    if (last && last->is.g == e->g && same_kind(&last->is, &is) && last->step == step)
        return;
    struct race now = {.variable = e->a, .second = is, .event = at->number};
    for (uint32_t i = 0; i < v->n; i++) {
        const struct access *was = &v->v[i];
        if (was->is.g == e->g && same_kind(&was->is, &is))
            own = i;
        else if (was->is.g != e->g && (write || was->is.write) && !(atomic && was->is.atomic) && !task_knows(t, was->slot, was->step))
            report(r, was, &now);
    }
    if (own == UINT32_MAX && v->n >= (v->drop_at ? v->drop_at : ACCESSES_FEW))
        drop_known(v, t, write, atomic);
    if (own == UINT32_MAX && v->n >= ACCESSES_MOST)
        drop_oldest(v, &is);
    if (own == UINT32_MAX)
        own = v->n;
    if (!GROW(k, v->v, v->cap, own + 1))
        return;
    v->n = own == v->n ? v->n + 1 : v->n;
    v->v[own] = (struct access){.is = is, .slot = t->slot, .step = step, .first = k->place[t->slot].first};
    v->last = own;
}

/* ---- notes --------------------------------------------------------------------------------------------------------------- */

static void fork_task(struct race_clocks *k, const struct ev *e)
{
    struct clock from = {0};
    const struct task *by = e->g ? task_of(k, e->g) : NULL;
    bool timer = by && e->g & 0x80000000u;
    uint32_t starter = timer ? by->by : e->g, at = timer ? by->started_at : e->b;
    if (by) {
        clock_join_task(k, &from, by, e->b);
        end_step(k, by);
    }
    struct task *to = task_of(k, e->a);
    if (!to) {
        free(from.v);
        return;
    }
    free(to->knows.v);
    to->knows = from;
    to->by = starter;
    to->started_at = at;
}

/* Both Gs know what each has done. */
static void meet(struct race_clocks *k, const struct ev *e)
{
    struct clock all = {0};
    struct task *a = task_of(k, e->g) ? task_of(k, e->a) : NULL, *b = a ? task_of(k, e->g) : NULL;
    if (!b)
        return;
    a = task_of(k, e->a);
    clock_join_task(k, &all, a, e->d >> 8);
    clock_join_task(k, &all, b, e->b);
    clock_join(k, &a->knows, &all);
    clock_join(k, &b->knows, &all);
    end_step(k, a);
    end_step(k, b);
    free(all.v);
}

static void know_all(struct race_clocks *k, struct task *t)
{
    for (uint32_t i = 0; i < k->nslots; i++)
        clock_set(k, &t->knows, i, (struct step){k->place[i].step, 0});
}

static void use_object(struct race_clocks *k, const struct ev *e)
{
    struct clock old = {0};
    struct task *t = task_of(k, e->g);
    uint32_t number = index_of(k, &k->objects, e->a);
    if (!t || k->lacks || !GROW(k, k->object, k->nobjects, number + 1))
        return;
    struct clock *o = &k->object[number];
    switch (ev_note(e)) {
    case NOTE_ACQUIRE:
        clock_join(k, &t->knows, o);
        return;
    case NOTE_RELEASE:
        o->n = 0;
        break;
    case NOTE_EXCHANGE: /* it knows what came before; those after it know only what it knew */
        old = *o;
        *o = (struct clock){0};
        break;
    default:
        break;
    }
    clock_join_task(k, o, t, e->b);
    clock_join(k, &t->knows, &old);
    free(old.v);
    end_step(k, t);
}

static bool begin(struct races *r)
{
    if (!r->clocks && (r->clocks = calloc(1, sizeof *r->clocks)) && !(r->clocks->freed = calloc(RACES_GS, sizeof *r->clocks->freed)))
        r->clocks->lacks = true;
    return r->clocks && !r->clocks->lacks;
}

static enum offer take_note(void *ctx, const struct merged_event *at)
{
    struct races *r = ctx;
    const struct ev *e = at->e;
    if (!begin(r))
        return OFFER_HOLD;
    if (e->c != r->clocks->next)
        return OFFER_NOT_YET;
    r->clocks->next++;
    switch (ev_note(e)) {
    case NOTE_READ:
    case NOTE_WRITE:
    case NOTE_ATOMIC_READ:
    case NOTE_ATOMIC_WRITE:
        access_variable(r, at);
        break;
    case NOTE_FORK:
        fork_task(r->clocks, e);
        break;
    case NOTE_END:
        task_end(r->clocks, e->g);
        break;
    case NOTE_SYNC:
        meet(r->clocks, e);
        break;
    case NOTE_ACQUIRE_ALL:
        if (task_of(r->clocks, e->g))
            know_all(r->clocks, task_of(r->clocks, e->g));
        break;
    default:
        use_object(r->clocks, e);
    }
    return r->clocks->lacks ? OFFER_HOLD : OFFER_APPLIED;
}

struct reader races_reader(struct races *r)
{
    return (struct reader){.ctx = r, .needs = READS_NOTES, .note = take_note, .lack = "cannot look for data races"};
}

void races_fini(struct races *r)
{
    struct race_clocks *k = r->clocks;
    free(r->v);
    r->v = NULL;
    r->clocks = NULL;
    if (!k)
        return;
    for (uint32_t i = 0; i < k->captasks; i++)
        free(k->task[i].g ? k->task[i].knows.v : NULL);
    for (uint32_t i = 0; i < k->nobjects; i++)
        free(k->object[i].v);
    for (uint32_t i = 0; i < k->nvariables; i++)
        free(k->variable[i].v);
    free(k->task);
    free(k->objects.v);
    free(k->variables.v);
    free(k->object);
    free(k->variable);
    free(k->freed);
    free(k);
}
