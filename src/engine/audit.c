/* A table of fields: what has the field (each P, G or M, or the scheduler itself), and how two values are compared.
 *
 * Each field is compared alone, so that a wrong head is reported as a wrong head and not as a wrong ring. So rings are compared only up to
 * the shorter of the two lengths, and a G that is in no queue has no slot to compare.
 */
#include "engine/audit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define RING_MAX 256u

struct comparison {
    const struct snapshot *rt, *md;
};

/* Two values as text, for the message. They are written only if they differ. */
struct diff {
    char rt[160], md[160];
};

static bool numbers(struct diff *d, int64_t rt, int64_t md)
{
    if (rt == md)
        return true;
    snprintf(d->rt, sizeof d->rt, "%" PRId64, rt);
    snprintf(d->md, sizeof d->md, "%" PRId64, md);
    return false;
}

static bool ids(struct diff *d, uint32_t rt, uint32_t md)
{
    return numbers(d, rt == EV_NONE ? -1 : (int64_t)rt, md == EV_NONE ? -1 : (int64_t)md);
}

/* Writes as much of a list as fits, beginning at index `from`. */
static void list_text(char *buf, size_t size, const uint32_t *v, uint32_t n, uint32_t from)
{
    size_t at = (size_t)snprintf(buf, size, "%" PRIu32 " long, from %" PRIu32 ":", n, from);
    for (uint32_t i = from; i < n && at + 12 < size; i++)
        at += (size_t)snprintf(buf + at, size - at, " %" PRIu32, v[i]);
}

static bool lists(struct diff *d, const uint32_t *rt, uint32_t nrt, const uint32_t *md, uint32_t nmd)
{
    uint32_t i = 0;
    while (i < nrt && i < nmd && rt[i] == md[i])
        i++;
    if (i == nrt && i == nmd)
        return true;
    list_text(d->rt, sizeof d->rt, rt, nrt, i);
    list_text(d->md, sizeof d->md, md, nmd, i);
    return false;
}

/* ---- Ps ---- */

#define P_FIELD(name, compare) \
    static bool p_##name(const struct comparison *s, uint32_t i, struct diff *d) \
    { \
        return compare(d, s->rt->p[i].name, s->md->p[i].name); \
    }
P_FIELD(status, numbers)
P_FIELD(m, ids)
P_FIELD(head, numbers)
P_FIELD(tail, numbers)
P_FIELD(runnext, numbers)
P_FIELD(schedtick, numbers)

static uint32_t ring_length(const struct snap_p *p)
{
    return p->tail - p->head;
}

static bool p_ring(const struct comparison *s, uint32_t i, struct diff *d)
{
    uint32_t n = ring_length(&s->rt->p[i]), k = ring_length(&s->md->p[i]);
    n = n < k ? n : k; /* a difference in length is reported for head or tail */
    n = n < RING_MAX ? n : RING_MAX;
    return lists(d, s->rt->p[i].ring, n, s->md->p[i].ring, n);
}

struct heap {
    const struct snap_timer *v;
    uint32_t n;
};

static void heap_text(char *buf, size_t size, const struct heap *h, uint32_t from)
{
    size_t at = (size_t)snprintf(buf, size, "%" PRIu32 " of them", h->n);
    if (from < h->n)
        snprintf(buf + at, size - at, ", the %" PRIu32 ". is G%" PRIu32 "'s for %" PRId64, from + 1, h->v[from].g, h->v[from].when);
}

static bool heaps(struct diff *d, struct heap a, struct heap b)
{
    uint32_t k = 0;
    while (k < a.n && k < b.n && a.v[k].when == b.v[k].when && a.v[k].g == b.v[k].g && a.v[k].zombie == b.v[k].zombie &&
           a.v[k].chan == b.v[k].chan)
        k++;
    if (k == a.n && k == b.n)
        return true;
    heap_text(d->rt, sizeof d->rt, &a, k);
    heap_text(d->md, sizeof d->md, &b, k);
    return false;
}

static bool p_timers(const struct comparison *s, uint32_t i, struct diff *d)
{
    const struct snap_p *a = &s->rt->p[i], *b = &s->md->p[i];
    return heaps(d, (struct heap){a->timers, a->ntimers}, (struct heap){b->timers, b->ntimers});
}

/* ---- the scheduler ---- */

#define LIST_FIELD(name) \
    static bool s_##name(const struct comparison *s, uint32_t i, struct diff *d) \
    { \
        (void)i; \
        return lists(d, s->rt->name, s->rt->n##name, s->md->name, s->md->n##name); \
    }
LIST_FIELD(globq)
LIST_FIELD(idlep)
LIST_FIELD(idlem)
LIST_FIELD(disabled)

#define NUMBER_FIELD(name) \
    static bool s_##name(const struct comparison *s, uint32_t i, struct diff *d) \
    { \
        (void)i; \
        return numbers(d, s->rt->name, s->md->name); \
    }
NUMBER_FIELD(nmspinning)
NUMBER_FIELD(needspinning)
NUMBER_FIELD(npidle)

/* Compares the timers of the only heap, in a generation without Ps. */
static bool s_timers(const struct comparison *s, uint32_t i, struct diff *d)
{
    (void)i;
    return heaps(d, (struct heap){s->rt->timers, s->rt->ntimers}, (struct heap){s->md->timers, s->md->ntimers});
}

/* ---- Gs: i counts the runtime's; the field `status` also finds those that only one side knows ---- */

/* Finds G id. guess: its index if the two sides agree. */
static const struct snap_g *find_g(const struct snapshot *s, uint32_t id, uint32_t guess)
{
    return guess < s->ng && s->g[guess].id == id ? &s->g[guess] : snapshot_g(s, id);
}

/* i counts the runtime's Gs and then the model's. A G of the model is compared only if the runtime does not have it. */
static bool g_status(const struct comparison *s, uint32_t i, struct diff *d)
{
    bool theirs = i < s->rt->ng;
    const struct snap_g *g = theirs ? &s->rt->g[i] : &s->md->g[i - s->rt->ng];
    const struct snap_g *other = find_g(theirs ? s->md : s->rt, g->id, theirs ? i : i - s->rt->ng);
    if (other)
        return !theirs || numbers(d, g->status, other->status);
    snprintf(d->rt, sizeof d->rt, theirs ? "%" PRIu32 : "not there", g->status);
    snprintf(d->md, sizeof d->md, theirs ? "not there" : "%" PRIu32, g->status);
    return false;
}

static const char *place_text(char *buf, size_t size, const struct snap_g *g)
{
    static const char *const names[] = {"in transit", "running", "runnext", "runq", "globq", "waiting", "dead", "disabled"};
    const char *name = g->place < sizeof names / sizeof *names ? names[g->place] : "?";
    snprintf(buf, size, "%s, where %" PRIu32 ", slot %" PRIu32, name, g->where, g->slot);
    return buf;
}

static bool same_place(const struct snap_g *a, const struct snap_g *b)
{
    bool where = a->place == PLACE_RUNNING || a->place == PLACE_RUNNEXT || a->place == PLACE_RUNQ;
    bool slot = a->place == PLACE_RUNQ || a->place == PLACE_GLOBQ;
    return a->place == b->place && (!where || a->where == b->where) && (!slot || a->slot == b->slot);
}

static bool g_place(const struct comparison *s, uint32_t i, struct diff *d)
{
    const struct snap_g *a = &s->rt->g[i], *b = find_g(s->md, a->id, i);
    if (!b || same_place(a, b))
        return true;
    place_text(d->rt, sizeof d->rt, a);
    place_text(d->md, sizeof d->md, b);
    return false;
}

/* Compares why a G waits, if it waits. */
static bool g_reason(const struct comparison *s, uint32_t i, struct diff *d)
{
    const struct snap_g *a = &s->rt->g[i], *b = find_g(s->md, a->id, i);
    if (!b || a->status != G_WAITING || b->status != G_WAITING)
        return true;
    return numbers(d, a->reason, b->reason);
}

/* Compares the channel, mutex or other object that the G waits for. */
static bool g_obj(const struct comparison *s, uint32_t i, struct diff *d)
{
    const struct snap_g *a = &s->rt->g[i], *b = find_g(s->md, a->id, i);
    if (!b || a->status != G_WAITING || b->status != G_WAITING)
        return true;
    return numbers(d, a->obj, b->obj);
}

#define G_FIELD(name) \
    static bool g_##name(const struct comparison *s, uint32_t i, struct diff *d) \
    { \
        const struct snap_g *a = &s->rt->g[i], *b = find_g(s->md, a->id, i); \
        return !b || numbers(d, a->name, b->name); \
    }
G_FIELD(fn)
G_FIELD(i)
G_FIELD(by)

/* ---- Ms ---- */

#define M_FIELD(name, compare) \
    static bool m_##name(const struct comparison *s, uint32_t i, struct diff *d) \
    { \
        return compare(d, s->rt->m[i].name, s->md->m[i].name); \
    }
M_FIELD(p, ids)
M_FIELD(curg, numbers)
M_FIELD(spinning, numbers)
M_FIELD(blocked, numbers)
M_FIELD(lockedg, numbers)
M_FIELD(exited, numbers)
M_FIELD(oldp, ids)
M_FIELD(netpoll, numbers)
M_FIELD(sysmon, numbers)
M_FIELD(template, numbers)
M_FIELD(idlelocked, numbers)

/* ---- objects: i counts the runtime's ---- */

static const struct snap_object *find_object(const struct snapshot *s, const struct snap_object *o)
{
    static const struct snap_object none;
    uint32_t lo = 0, hi = s->nobject;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        const struct snap_object *at = &s->object[mid];
        if (at->kind < o->kind || (at->kind == o->kind && at->id < o->id))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < s->nobject && s->object[lo].kind == o->kind && s->object[lo].id == o->id ? &s->object[lo] : &none;
}

/* Number 0 stands for objects that the log cannot tell apart. */
static bool o_count(const struct comparison *s, uint32_t i, struct diff *d)
{
    const struct snap_object *a = &s->rt->object[i], *b = find_object(s->md, a);
    return a->id == 0 || (numbers(d, a->n, b->n) && numbers(d, a->n2, b->n2));
}

#define O_FIELD(name) \
    static bool o_##name(const struct comparison *s, uint32_t i, struct diff *d) \
    { \
        const struct snap_object *a = &s->rt->object[i]; \
        return a->id == 0 || numbers(d, a->name, find_object(s->md, a)->name); \
    }
O_FIELD(held)
O_FIELD(holder)
O_FIELD(flag)

/* The model may have more: a G leaves the queue before its g_ready is logged. */
static bool in_order(struct diff *d, const uint32_t *rt, uint32_t nrt, const uint32_t *md, uint32_t nmd)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < nrt; i++, k++) {
        while (k < nmd && md[k] != rt[i])
            k++;
        if (k == nmd)
            return lists(d, rt, nrt, md, nmd);
    }
    return true;
}

/* The same in any order. The two are nearly in one order, so each search begins behind the last place. */
static bool contained(struct diff *d, const uint32_t *rt, uint32_t nrt, const uint32_t *md, uint32_t nmd)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < nrt; i++) {
        uint32_t tried = 0;
        for (; tried < nmd && md[at] != rt[i]; tried++)
            at = at + 1 < nmd ? at + 1 : 0;
        if (tried == nmd)
            return lists(d, rt, nrt, md, nmd);
    }
    return true;
}

static bool o_waiters(const struct comparison *s, uint32_t i, struct diff *d)
{
    const struct snap_object *a = &s->rt->object[i], *b = find_object(s->md, a);
    bool ok = true;
    for (int side = 0; a->id && ok && side < 2; side++)
        ok = (s->md->any_order ? contained : in_order)(d, a->wait[side], a->nwait[side], b->wait[side], b->nwait[side]);
    return ok;
}

/* ---- the table ---- */

static const char *const count_name[SNAP_COUNTS_N] = {
#define X(name) #name,
    SNAP_COUNTS(X)
#undef X
};

static bool s_counts(const struct comparison *s, uint32_t i, struct diff *d)
{
    return numbers(d, ((const int64_t *)&s->rt->counts)[i], ((const int64_t *)&s->md->counts)[i]);
}

enum whose { OF_P, OF_SCHED, OF_G, OF_EITHER_G, OF_M, OF_OBJECT, OF_COUNTERS };

#define FIELDS(X) \
    X(AUDIT_P_STATUS, "P status", OF_P, p_status) \
    X(AUDIT_P_M, "P m", OF_P, p_m) \
    X(AUDIT_P_HEAD, "P head", OF_P, p_head) \
    X(AUDIT_P_TAIL, "P tail", OF_P, p_tail) \
    X(AUDIT_P_RING, "P ring", OF_P, p_ring) \
    X(AUDIT_P_RUNNEXT, "P runnext", OF_P, p_runnext) \
    X(AUDIT_P_SCHEDTICK, "P schedtick", OF_P, p_schedtick) \
    X(AUDIT_P_TIMERS, "P timers", OF_P, p_timers) \
    X(AUDIT_GLOBQ, "global queue", OF_SCHED, s_globq) \
    X(AUDIT_IDLEP, "idle Ps", OF_SCHED, s_idlep) \
    X(AUDIT_IDLEM, "idle Ms", OF_SCHED, s_idlem) \
    X(AUDIT_DISABLED, "disabled Gs", OF_SCHED, s_disabled) \
    X(AUDIT_NMSPINNING, "nmspinning", OF_SCHED, s_nmspinning) \
    X(AUDIT_NEEDSPINNING, "needspinning", OF_SCHED, s_needspinning) \
    X(AUDIT_NPIDLE, "npidle", OF_SCHED, s_npidle) \
    X(AUDIT_TIMERS, "timers", OF_SCHED, s_timers) \
    X(AUDIT_G_STATUS, "G status", OF_EITHER_G, g_status) \
    X(AUDIT_G_PLACE, "G place", OF_G, g_place) \
    X(AUDIT_G_REASON, "G reason", OF_G, g_reason) \
    X(AUDIT_G_OBJ, "G obj", OF_G, g_obj) \
    X(AUDIT_G_FN, "G fn", OF_G, g_fn) \
    X(AUDIT_G_I, "G i", OF_G, g_i) \
    X(AUDIT_G_BY, "G by", OF_G, g_by) \
    X(AUDIT_M_P, "M p", OF_M, m_p) \
    X(AUDIT_M_CURG, "M curg", OF_M, m_curg) \
    X(AUDIT_M_SPINNING, "M spinning", OF_M, m_spinning) \
    X(AUDIT_M_BLOCKED, "M blocked", OF_M, m_blocked) \
    X(AUDIT_M_LOCKEDG, "M lockedg", OF_M, m_lockedg) \
    X(AUDIT_M_EXITED, "M exited", OF_M, m_exited) \
    X(AUDIT_M_OLDP, "M oldp", OF_M, m_oldp) \
    X(AUDIT_M_NETPOLL, "M netpoll", OF_M, m_netpoll) \
    X(AUDIT_M_SYSMON, "M sysmon", OF_M, m_sysmon) \
    X(AUDIT_M_TEMPLATE, "M template", OF_M, m_template) \
    X(AUDIT_M_IDLELOCKED, "M idlelocked", OF_M, m_idlelocked) \
    X(AUDIT_O_COUNT, "object count", OF_OBJECT, o_count) \
    X(AUDIT_O_HELD, "object held", OF_OBJECT, o_held) \
    X(AUDIT_O_HOLDER, "object holder", OF_OBJECT, o_holder) \
    X(AUDIT_O_FLAG, "object flag", OF_OBJECT, o_flag) \
    X(AUDIT_O_WAITERS, "object waiters", OF_OBJECT, o_waiters) \
    X(AUDIT_COUNTERS, "counter", OF_COUNTERS, s_counts)

const char *const audit_field_name[AUDIT_COUNT] = {
#define X(field, name, whose, same) [field] = name,
    FIELDS(X)
#undef X
};

static const struct {
    enum whose whose;
    bool (*same)(const struct comparison *s, uint32_t i, struct diff *d); /* true: equal */
} fields[AUDIT_COUNT] = {
#define X(field, name, whose, same) [field] = {whose, same},
    FIELDS(X)
#undef X
};

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t how_many(const struct comparison *s, enum whose whose)
{
    switch (whose) {
    case OF_P:
        return least(s->rt->np, s->md->np);
    case OF_M:
        return least(s->rt->nm, s->md->nm);
    case OF_OBJECT:
        return s->rt->nobject;
    case OF_G:
        return s->rt->ng;
    case OF_EITHER_G:
        return s->rt->ng + s->md->ng;
    case OF_COUNTERS:
        return SNAP_COUNTS_N;
    default:
        return 1;
    }
}

static const char *const object_kind_name[OBJ_KINDS] = {
    "object", "channel", "mutex", "RWMutex", "WaitGroup", "Cond", "conn", "writers' mutex of RWMutex"};

enum { WHOSE = 32 };

/* "P2", "G7", "M0" or "" */
static void whose_text(const struct comparison *s, enum whose whose, uint32_t i, char buf[WHOSE])
{
    buf[0] = '\0';
    if (whose == OF_P)
        snprintf(buf, WHOSE, " of P%" PRIu32, i);
    else if (whose == OF_M)
        snprintf(buf, WHOSE, " of M%" PRIu32, i);
    else if (whose == OF_OBJECT)
        snprintf(buf, WHOSE, " of %s %" PRIu32, object_kind_name[s->rt->object[i].kind], s->rt->object[i].id);
    else if (whose == OF_COUNTERS)
        snprintf(buf, WHOSE, " %s", count_name[i]);
    else if (whose != OF_SCHED)
        snprintf(buf, WHOSE, " of G%" PRIu32, i < s->rt->ng ? s->rt->g[i].id : s->md->g[i - s->rt->ng].id);
}

static void mismatch(struct audit_result *r, const char *field, const char *whose, const struct diff *d)
{
    if (r->mismatches++ == 0)
        snprintf(r->first, sizeof r->first, "%s%s: the runtime has %s, the model %s", field, whose, d->rt, d->md);
}

/* The numbers of things must agree before the things can be compared one by one. */
static void compare_counts(const struct comparison *s, struct audit_result *r)
{
    struct diff d;
    if (!numbers(&d, s->rt->np, s->md->np))
        mismatch(r, "number of Ps", "", &d);
    if (!numbers(&d, s->rt->nm, s->md->nm))
        mismatch(r, "number of Ms", "", &d);
}

uint64_t audit_compare(const struct snapshot *runtime, const struct snapshot *model, struct audit_result *r)
{
    const struct comparison s = {runtime, model};
    uint64_t before = r->mismatches;
    struct diff d;
    char whose[WHOSE];
    r->compared++;
    compare_counts(&s, r);
    for (int f = 0; f < AUDIT_COUNT; f++) {
        uint32_t n = how_many(&s, fields[f].whose);
        for (uint32_t i = 0; i < n; i++) {
            if (fields[f].same(&s, i, &d))
                continue;
            whose_text(&s, fields[f].whose, i, whose);
            mismatch(r, audit_field_name[f], whose, &d);
        }
    }
    return r->mismatches - before;
}

bool audit_levels(const struct snapshot *runtime, const uint32_t *level, struct audit_result *r)
{
    static const char *const name[LEVELS] = {"runnable Gs", "running Gs", "Gs in system calls", "waiting Gs", "spinning Ms", "idle Ms"};
    uint32_t have[LEVELS] = {[LEVEL_SPINNING] = runtime->nmspinning, [LEVEL_IDLE_MS] = runtime->nidlem};
    struct diff d;
    uint64_t before = r->mismatches;
    for (uint32_t i = 0; i < runtime->ng; i++) {
        uint32_t st = runtime->g[i].status;
        have[LEVEL_RUNNABLE] += st == G_RUNNABLE;
        have[LEVEL_RUNNING] += st == G_RUNNING;
        have[LEVEL_SYSCALL] += st == G_SYSCALL;
        have[LEVEL_WAITING] += st == G_WAITING;
    }
    for (int k = 0; k < LEVELS; k++)
        if (!numbers(&d, have[k], level[k]))
            mismatch(r, name[k], "", &d);
    return r->mismatches == before;
}
