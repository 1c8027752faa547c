/* One look. What is read while the program stands still is as little as possible; what it means is found out when the program runs again. */
#include "attach/attach_internal.h"
#include "eventlog/events.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum {
    PS_MOST = 1024,
    MS_MOST = 20000,
    GS_MOST = 1 << 22,
    IDS_MOST = 1 << 26,
    MERGE = 4096, /* bytes between two Gs that are read rather than skipped */
    SCAN = 0x1000 /* a bit of a G's status */
};
enum { GO_RUNNABLE = 1, GO_RUNNING, GO_SYSCALL, GO_WAITING, GO_COPYSTACK = 8, GO_PREEMPTED, GO_LEAKED };

struct ptr_slice {
    uint64_t ptr, len, cap;
};
struct at { /* where a G is, and its place in `gs` */
    uint64_t from;
    uint32_t i;
};
struct memory {
    uint8_t sched[S_BYTES];
    uint64_t allm;
    struct ptr_slice allp, allgs;
    VEC(uint64_t) p, m, g; /* addresses */
    VEC(struct at) by_address;
    VEC(uint32_t) id; /* of g[i], 0: it does not live */
    VEC(uint32_t) at; /* where the bytes of g[i] are in gs */
    VEC(struct piece) pieces;
    uint8_t *ps, *ms, *gs, *again;
    size_t capps, capms, capgs, capagain;
    const char *wrong;    /* why it is torn */
    uint64_t startfn[16]; /* those of Ms that are known; sysmon: which of them is */
    uint32_t nstartfn, sysmon;
};

struct number {
    uint64_t goid;
    uint32_t id;
};

static int64_t mono(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static size_t p_bytes(const struct attach *a)
{
    return a->l->p_runnext + 8u;
}

static bool room(uint8_t **v, size_t *cap, size_t n)
{
    if (n <= *cap)
        return true;
    uint8_t *more = realloc(*v, n + n / 2);
    if (!more)
        return false;
    *v = more;
    *cap = n + n / 2;
    return true;
}

/* --- reading --------------------------------------------------------------------------------------------------------------------- */

static enum attach_look torn(struct attach *a, const char *why)
{
    a->memory->wrong = why;
    return ATTACH_TORN;
}

static bool add_piece(struct memory *k, uint64_t from, void *to, size_t n)
{
    return vec_push(&k->pieces, ((struct piece){from, to, n}));
}

static bool read_pieces(struct attach *a)
{
    bool good = target_read_all(a->target.pid, a->memory->pieces.v, a->memory->pieces.n);
    a->memory->pieces.n = 0;
    return good;
}

static bool fixed_pieces(struct attach *a, uint8_t sched[S_BYTES])
{
    struct memory *k = a->memory;
    return add_piece(k, a->at.sched, sched, S_BYTES) && add_piece(k, a->at.allm, &k->allm, 8) &&
           add_piece(k, a->at.allp, &k->allp, sizeof k->allp) && add_piece(k, a->at.allgs, &k->allgs, sizeof k->allgs);
}

static bool resize_list(uint64_t **v, size_t *n, size_t *cap, size_t want)
{
    if (want > *cap) {
        uint64_t *more = realloc(*v, want * sizeof *more);
        if (!more)
            return false;
        *v = more;
        *cap = want;
    }
    *n = want;
    return true;
}

static int by_from(const void *a, const void *b)
{
    const struct at *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* The Gs by address, in stretches of memory: Go allocates them next to each other. */
static bool plan_gs(struct attach *a)
{
    struct memory *k = a->memory;
    size_t bytes = 0;
    k->by_address.n = k->id.n = k->at.n = 0;
    for (uint32_t i = 0; i < k->g.n; i++)
        if (!vec_push(&k->by_address, ((struct at){k->g.v[i], i})) || !vec_push(&k->id, 0) || !vec_push(&k->at, 0))
            return false;
    if (k->g.n)
        qsort(k->by_address.v, k->g.n, sizeof *k->by_address.v, by_from);
    for (int pass = 0; pass < 2; pass++) {
        uint64_t from = 0, end = 0;
        bytes = 0;
        for (size_t i = 0; i <= k->g.n; i++) {
            uint64_t at = i < k->g.n ? k->by_address.v[i].from : UINT64_MAX;
            if (i == 0 || at - end > MERGE || at < end) {
                if (end > from && pass && !add_piece(k, from, k->gs + bytes, (size_t)(end - from)))
                    return false;
                bytes += (size_t)(end - from);
                from = at;
            }
            if (i < k->g.n && pass)
                k->at.v[k->by_address.v[i].i] = (uint32_t)(bytes + (size_t)(at - from));
            end = at + G_BYTES;
        }
        if (!pass && (bytes > UINT32_MAX || !room(&k->gs, &k->capgs, bytes)))
            return false;
    }
    return true;
}

/* The Ms are a list. If it is as in the look before, it was read in one call; else link by link. */
static bool same_ms(const struct attach *a)
{
    const struct memory *k = a->memory;
    uint64_t at = k->allm;
    for (size_t i = 0; i < k->m.n; i++) {
        if (at != k->m.v[i])
            return false;
        at = word_at(k->ms + i * M_BYTES, a->l->m_alllink);
    }
    return !at;
}

static enum attach_look walk_ms(struct attach *a)
{
    struct memory *k = a->memory;
    k->m.n = 0;
    for (uint64_t at = k->allm; at;) {
        if (k->m.n == MS_MOST || at % 8)
            return torn(a, "the list of Ms");
        if (!vec_push(&k->m, at) || !room(&k->ms, &k->capms, k->m.n * M_BYTES))
            return ATTACH_LACK;
        if (!target_read(a->target.pid, at, k->ms + (k->m.n - 1) * M_BYTES, M_BYTES))
            return torn(a, "an M");
        at = word_at(k->ms + (k->m.n - 1) * M_BYTES, a->l->m_alllink);
    }
    return ATTACH_LOOKED;
}

static bool ps_and_ms(struct attach *a, uint8_t *ps, uint8_t *ms)
{
    struct memory *k = a->memory;
    bool good = true;
    for (size_t i = 0; i < k->p.n; i++)
        good = good && add_piece(k, k->p.v[i], ps + i * p_bytes(a), p_bytes(a));
    for (size_t i = 0; i < k->m.n; i++)
        good = good && add_piece(k, k->m.v[i], ms + i * M_BYTES, M_BYTES);
    return good;
}

/* Without a stop: what moves with each step of the scheduler must be the same after all was read. */
static enum attach_look still_so(struct attach *a)
{
    struct memory *k = a->memory;
    size_t ps = k->p.n * p_bytes(a), ms = k->m.n * M_BYTES;
    if (!room(&k->again, &k->capagain, ps + ms + S_BYTES) || !fixed_pieces(a, k->again + ps + ms) || !ps_and_ms(a, k->again, k->again + ps))
        return ATTACH_LACK;
    struct ptr_slice gs = k->allgs;
    if (!read_pieces(a))
        return torn(a, "the memory");
    bool same = !memcmp(k->again, k->ps, ps) && gs.len == k->allgs.len && gs.ptr == k->allgs.ptr;
    for (size_t i = 0; i < k->m.n && same; i++) {
        const uint8_t *was = k->ms + i * M_BYTES, *is = k->again + ps + i * M_BYTES;
        same = word_at(was, a->l->m_p) == word_at(is, a->l->m_p) && word_at(was, a->l->m_curg) == word_at(is, a->l->m_curg) &&
               was[a->l->m_spinning] == is[a->l->m_spinning] && was[a->l->m_blocked] == is[a->l->m_blocked];
    }
    size_t from = a->l->s_midle, to = a->l->s_runqsize + 4u;
    same = same && !memcmp(k->sched + from, k->again + ps + ms + from, to - from);
    return same ? ATTACH_LOOKED : torn(a, "it changed meanwhile");
}

/* All reads of a look. While a stopped program waits for it, memory is allocated only if there are more Gs, Ms or Ps than before. */
static enum attach_look read_all(struct attach *a)
{
    struct memory *k = a->memory;
    pid_t pid = a->target.pid;
    if (!fixed_pieces(a, k->sched))
        return ATTACH_LACK;
    if (!read_pieces(a))
        return torn(a, "the memory");
    if (k->allp.len == 0 || k->allp.len > PS_MOST || k->allgs.len < 3 || k->allgs.len > GS_MOST)
        return torn(a, "the number of Ps or Gs");
    size_t before = k->g.n;
    if (!resize_list(&k->p.v, &k->p.n, &k->p.cap, k->allp.len) || !resize_list(&k->g.v, &k->g.n, &k->g.cap, k->allgs.len) ||
        !room(&k->ps, &k->capps, k->p.n * p_bytes(a)) || !room(&k->ms, &k->capms, (k->m.n + 8) * M_BYTES))
        return ATTACH_LACK;
    /* Gs are only added: the addresses of the look before are read again only where there are more */
    if (!target_read(pid, k->allp.ptr, k->p.v, k->p.n * 8) ||
        (k->g.n > before && !target_read(pid, k->allgs.ptr + before * 8, k->g.v + before, (k->g.n - before) * 8))) {
        k->g.n = 0;
        return torn(a, "the memory");
    }
    if (!ps_and_ms(a, k->ps, k->ms))
        return ATTACH_LACK;
    bool good = read_pieces(a) && same_ms(a);
    if (!good) {
        enum attach_look r = walk_ms(a);
        if (r != ATTACH_LOOKED)
            return r;
        for (size_t i = 0; i < k->p.n; i++)
            if (!target_read(pid, k->p.v[i], k->ps + i * p_bytes(a), p_bytes(a)))
                return torn(a, "a P");
    }
    if (!plan_gs(a))
        return ATTACH_LACK;
    if (!read_pieces(a)) {
        k->g.n = 0;
        return torn(a, "a G");
    }
    return a->no_stop ? still_so(a) : ATTACH_LOOKED;
}

/* --- what it means ------------------------------------------------------------------------------------------------------------------ */

static int by_goid(const void *a, const void *b)
{
    const struct number *x = a, *y = b;
    return (x->goid > y->goid) - (x->goid < y->goid);
}

static uint32_t number_before(const struct attach *a, uint64_t goid)
{
    size_t lo = 0, hi = a->nnumbers;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (a->numbers[mid].goid < goid)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < a->nnumbers && a->numbers[lo].goid == goid ? a->numbers[lo].id : 0;
}

static const uint8_t *g_bytes(const struct memory *k, size_t i)
{
    return k->gs + k->at.v[i];
}

static uint32_t g_status(const struct attach *a, size_t i)
{
    return half_at(g_bytes(a->memory, i), a->l->g_status) & ~(uint32_t)SCAN;
}

static bool lives(uint32_t status)
{
    return (status >= GO_RUNNABLE && status <= GO_WAITING) || (status >= GO_COPYSTACK && status <= GO_LEAKED);
}

/* Gives each G that lives a number: Go's own up to 1,000,000, then the next ones that no system G has (eventlog/README.md). Numbers of Gs that have
 * ended are forgotten, so this does not grow. */
static bool number_gs(struct attach *a)
{
    struct memory *k = a->memory;
    struct number *v = malloc((k->g.n + 1) * sizeof *v);
    size_t n = 0;
    if (!v)
        return false;
    for (size_t i = 0; i < k->g.n; i++) {
        uint64_t goid = word_at(g_bytes(k, i), a->l->g_goid);
        k->id.v[i] = 0;
        if (!lives(g_status(a, i)) || goid == 0)
            continue;
        uint32_t id = goid < EV_SYSTEM_G ? (uint32_t)goid : number_before(a, goid);
        if (!id && a->next_number < IDS_MOST)
            id = a->next_number++;
        k->id.v[i] = id;
        v[n++] = (struct number){goid, id};
    }
    qsort(v, n, sizeof *v, by_goid);
    free(a->numbers);
    a->numbers = v;
    a->nnumbers = n;
    return true;
}

/* Returns the index of the G at an address, -1: there is none. */
static int64_t g_at(const struct memory *k, uint64_t from)
{
    size_t lo = 0, hi = k->by_address.n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (k->by_address.v[mid].from < from)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < k->by_address.n && k->by_address.v[lo].from == from ? (int64_t)k->by_address.v[lo].i : -1;
}

/* The id of a G that a queue has at this address; 0: that cannot be. */
static uint32_t queued(const struct attach *a, uint64_t from)
{
    int64_t i = g_at(a->memory, from);
    return i >= 0 && g_status(a, (size_t)i) == GO_RUNNABLE ? a->memory->id.v[i] : 0;
}

static uint32_t index_of(const uint64_t *v, size_t n, uint64_t x)
{
    for (size_t i = 0; i < n; i++)
        if (v[i] == x)
            return (uint32_t)i;
    return EV_NONE;
}

static uint32_t m_id(const struct attach *a, uint64_t from)
{
    uint32_t i = from ? index_of(a->memory->m.v, a->memory->m.n, from) : EV_NONE;
    return i == EV_NONE ? i : (uint32_t)word_at(a->memory->ms + i * (size_t)M_BYTES, a->l->m_id);
}

/* Does this M run sysmon? The function with which an M starts never changes. */
static bool runs_sysmon(struct attach *a, uint64_t startfn)
{
    struct memory *k = a->memory;
    uint32_t i = index_of(k->startfn, k->nstartfn, startfn);
    if (i == EV_NONE && startfn && k->nstartfn < sizeof k->startfn / sizeof *k->startfn) {
        uint64_t pc = 0;
        uint32_t fn = target_read(a->target.pid, startfn, &pc, 8) ? target_fn(&a->target, pc) : EV_NONE;
        if (fn != EV_NONE && !strcmp(a->target.names[fn], "runtime.sysmon"))
            k->sysmon = k->nstartfn;
        i = k->nstartfn;
        k->startfn[k->nstartfn++] = startfn;
    }
    return i != EV_NONE && i == k->sysmon;
}

static enum attach_look make_ms(struct attach *a)
{
    struct memory *k = a->memory;
    struct snapshot *s = &a->s;
    uint64_t most = 0;
    uint32_t polls = EV_NONE, candidates = 0;
    for (size_t i = 0; i < k->m.n; i++) {
        uint64_t id = word_at(k->ms + i * M_BYTES, a->l->m_id);
        if (id >= MS_MOST)
            return torn(a, "the number of an M");
        most = id > most ? id : most;
    }
    s->nm = (uint32_t)most + 1;
    if (!(s->m = snapshot_alloc(s, s->nm, sizeof *s->m)))
        return ATTACH_LACK;
    for (uint32_t i = 0; i < s->nm; i++)
        s->m[i] = (struct snap_m){.p = EV_NONE, .oldp = EV_NONE, .template = true};
    for (size_t i = 0; i < k->m.n; i++) {
        const uint8_t *v = k->ms + i * M_BYTES;
        uint32_t id = (uint32_t)word_at(v, a->l->m_id);
        uint64_t curg = word_at(v, a->l->m_curg), locked = word_at(v, a->l->m_lockedg);
        int64_t g = curg ? g_at(k, curg) : -1, lg = locked ? g_at(k, locked) : -1;
        uint32_t status = g >= 0 ? g_status(a, (size_t)g) : 0;
        bool runs = (status == GO_RUNNING || status == GO_SYSCALL || status == GO_COPYSTACK) &&
                    word_at(g_bytes(k, (size_t)g), a->l->g_m) == k->m.v[i];
        struct snap_m *m = &s->m[id];
        *m = (struct snap_m){
            .p = index_of(k->p.v, k->p.n, word_at(v, a->l->m_p)),
            .oldp = EV_NONE,
            .curg = runs ? k->id.v[g] : 0,
            .lockedg = lg >= 0 ? k->id.v[lg] : 0,
            .spinning = v[a->l->m_spinning] & 1,
            .blocked = v[a->l->m_blocked] & 1,
            .sysmon = runs_sysmon(a, word_at(v, a->l->m_startfn))};
        if (!word_at(v, a->l->m_procid) && m->p == EV_NONE &&
            !m->curg) { /* cgo keeps Ms for threads of C that may call Go: no thread has it */
            *m = (struct snap_m){.p = EV_NONE, .oldp = EV_NONE, .template = true};
            continue;
        }
        m->idlelocked = m->blocked && m->lockedg && !m->curg;
        if (m->p == EV_NONE && !m->curg && !m->blocked && !m->sysmon && !m->spinning) {
            polls = id;
            candidates++;
        }
    }
    if (candidates == 1 && word_at(k->sched, S_LASTPOLL) == 0) /* it is 0 while an M waits in the poller */
        s->m[polls].netpoll = true;
    return ATTACH_LOOKED;
}

static enum attach_look make_ps(struct attach *a)
{
    struct memory *k = a->memory;
    struct snapshot *s = &a->s;
    s->np = (uint32_t)k->p.n;
    if (!(s->p = snapshot_alloc(s, s->np, sizeof *s->p)))
        return ATTACH_LACK;
    for (uint32_t i = 0; i < s->np; i++) {
        const uint8_t *v = k->ps + i * p_bytes(a);
        struct snap_p *p = &s->p[i];
        uint64_t next = word_at(v, a->l->p_runnext);
        *p = (struct snap_p){.status = half_at(v, P_STATUS),
                             .m = m_id(a, word_at(v, a->l->p_m)),
                             .head = half_at(v, a->l->p_head),
                             .tail = half_at(v, a->l->p_head + 4u),
                             .schedtick = half_at(v, P_SCHEDTICK)};
        uint32_t n = p->tail - p->head;
        if (half_at(v, P_ID) != i || p->status > P_DEAD || n > P_RING)
            return torn(a, "a P");
        if (word_at(v, a->l->p_m) && (p->m == EV_NONE || s->m[p->m].p != i)) /* it is being taken or left at this moment */
            return torn(a, "the M of a P");
        if (!(p->ring = snapshot_alloc(s, n, sizeof *p->ring)))
            return ATTACH_LACK;
        for (uint32_t q = 0; q < n; q++)
            if (!(p->ring[q] = queued(a, word_at(v, a->l->p_head + 8u + 8u * ((p->head + q) % P_RING)))))
                return torn(a, "the ring of a P");
        if (next && !(p->runnext = queued(a, next)))
            return torn(a, "runnext");
    }
    for (uint32_t i = 0; i < s->nm; i++)
        if (s->m[i].p != EV_NONE && s->p[s->m[i].p].m != i)
            s->m[i].p = EV_NONE;
    return ATTACH_LOOKED;
}

static int by_id(const void *a, const void *b)
{
    const struct snap_g *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static enum attach_look make_gs(struct attach *a)
{
    struct memory *k = a->memory;
    struct snapshot *s = &a->s;
    if (!(s->g = snapshot_alloc(s, k->g.n, sizeof *s->g)))
        return ATTACH_LACK;
    for (size_t i = 0; i < k->g.n; i++) {
        const uint8_t *v = g_bytes(k, i);
        uint32_t status = g_status(a, i), m = m_id(a, word_at(v, a->l->g_m));
        uint64_t parent = a->l->g_parent ? word_at(v, a->l->g_parent) : 0;
        if (!k->id.v[i])
            continue;
        bool on_m = m != EV_NONE && s->m[m].curg == k->id.v[i];
        struct snap_g *g = &s->g[s->ng++];
        *g = (struct snap_g){.id = k->id.v[i], .where = EV_NONE, .place = PLACE_UNKNOWN};
        g->fn = target_fn(&a->target, word_at(v, a->l->g_startpc));
        g->by = parent && parent < EV_SYSTEM_G ? (uint32_t)parent : parent ? number_before(a, parent) : 0;
        g->by = g->by ? g->by : EV_NONE;
        if (on_m) {
            g->place = PLACE_RUNNING;
            g->where = m;
            g->status = status == GO_SYSCALL ? G_SYSCALL : G_RUNNING;
        } else if (status == GO_RUNNABLE) {
            g->status = G_RUNNABLE;
        } else if (status == GO_RUNNING || status == GO_SYSCALL) { /* an M is just taking or leaving it, or it is in a C thread's call */
            g->status = status == GO_SYSCALL ? G_SYSCALL : G_UNKNOWN;
        } else {
            g->status = G_WAITING;
            g->reason = status == GO_PREEMPTED ? (uint32_t)WAIT_REASON_PREEMPTED : go_reason(a->l->minor, v[a->l->g_reason]);
        }
    }
    qsort(s->g, s->ng, sizeof *s->g, by_id);
    for (uint32_t i = 1; i < s->ng; i++)
        if (s->g[i].id == s->g[i - 1].id)
            return torn(a, "two Gs with one number");
    return ATTACH_LOOKED;
}

/* The global queue and the lists of what is idle, each with the length that sched counts. */
static enum attach_look make_lists(struct attach *a)
{
    struct memory *k = a->memory;
    struct snapshot *s = &a->s;
    const struct go_layout *l = a->l;
    uint32_t nrunq = half_at(k->sched, l->s_runqsize), npidle = half_at(k->sched, l->s_npidle), nmidle = half_at(k->sched, l->s_nmidle);
    if (nrunq > k->g.n || npidle > s->np || nmidle > k->m.n)
        return torn(a, "the lengths of queues");
    s->globq = snapshot_alloc(s, nrunq, sizeof *s->globq);
    s->idlep = snapshot_alloc(s, npidle, sizeof *s->idlep);
    s->idlem = snapshot_alloc(s, nmidle, sizeof *s->idlem);
    if (!s->globq || !s->idlep || !s->idlem)
        return ATTACH_LACK;
    uint64_t at = word_at(k->sched, l->s_runq);
    while (at && s->nglobq < nrunq && (s->globq[s->nglobq] = queued(a, at))) {
        s->nglobq++;
        at = word_at(g_bytes(k, (size_t)g_at(k, at)), l->g_schedlink);
    }
    if (at || s->nglobq != nrunq)
        return torn(a, "the global queue");
    for (at = word_at(k->sched, l->s_pidle); at && s->nidlep < npidle; s->nidlep++) {
        uint32_t i = index_of(k->p.v, k->p.n, at);
        if (i == EV_NONE)
            break;
        s->idlep[s->nidlep] = i;
        at = word_at(k->ps + i * p_bytes(a), P_LINK);
    }
    if (at || s->nidlep != npidle)
        return torn(a, "the list of idle Ps");
    for (at = word_at(k->sched, l->s_midle); at && s->nidlem < nmidle; s->nidlem++) {
        uint32_t i = index_of(k->m.v, k->m.n, at);
        if (i == EV_NONE)
            break;
        s->idlem[s->nidlem] = (uint32_t)word_at(k->ms + i * (size_t)M_BYTES, l->m_id);
        at = word_at(k->ms + i * (size_t)M_BYTES, l->m_next);
    }
    if (at || s->nidlem != nmidle)
        return torn(a, "the list of idle Ms");
    s->npidle = npidle;
    s->nmspinning = half_at(k->sched, l->s_nmspinning);
    s->needspinning = half_at(k->sched, l->s_needspinning) != 0;
    return s->nmspinning > s->np + s->nm ? torn(a, "the number of spinning Ms") : ATTACH_LOOKED;
}

static enum attach_look make_snapshot(struct attach *a)
{
    enum attach_look r;
    snapshot_reset(&a->s);
    if (!number_gs(a))
        return ATTACH_LACK;
    if ((r = make_ms(a)) || (r = make_ps(a)) || (r = make_gs(a)) || (r = make_lists(a)))
        return r;
    for (uint32_t i = 0; i < a->target.nnames; i++)
        ((const char **)(uintptr_t)a->told.fn)[i] = a->target.names[i];
    return ATTACH_LOOKED;
}

/* --- a look -------------------------------------------------------------------------------------------------------------------------- */

/* Is it still the same program? */
static bool is_there(const struct attach *a)
{
    char path[64], state = 0;
    struct stat st;
    snprintf(path, sizeof path, "/proc/%d/exe", (int)a->target.pid);
    if (stat(path, &st) != 0 || st.st_ino != a->inode || st.st_dev != a->device)
        return false;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)a->target.pid);
    FILE *f = fopen(path, "re");
    bool good = f && fscanf(f, "%*d (%*[^)]) %c", &state) == 1;
    if (f)
        fclose(f);
    return good && state != 'Z' && state != 'X';
}

enum attach_look attach_look(struct attach *a, const struct snapshot **out)
{
    int error = 0;
    *out = &a->s;
    a->memory->wrong = NULL;
    enum stop_result stopped = a->no_stop ? STOP_OK : stop_all(&a->stopper, &error);
    enum attach_look r = stopped == STOP_OK ? read_all(a) : torn(a, "it did not stop");
    if (!a->no_stop && stopped == STOP_OK) {
        a->told.threads = (uint32_t)a->stopper.threads.n;
        stop_let_go(&a->stopper);
        a->told.stopped = mono() - a->stopper.from;
        a->told.stopped_most = a->told.stopped > a->told.stopped_most ? a->told.stopped : a->told.stopped_most;
    }
    r = r == ATTACH_LOOKED ? make_snapshot(a) : r;
    if (r == ATTACH_TORN && !is_there(a))
        return ATTACH_GONE;
    a->told.torn += r == ATTACH_TORN;
    a->told.looks += r == ATTACH_LOOKED;
    return r;
}

const struct attach_told *attach_told(const struct attach *a)
{
    return &a->told;
}

struct memory *memory_new(void)
{
    struct memory *k = calloc(1, sizeof *k);
    if (k)
        k->sysmon = EV_NONE - 1;
    return k;
}

const char *memory_wrong(const struct memory *k)
{
    return k->wrong ? k->wrong : "";
}

void memory_free(struct memory *k)
{
    if (!k)
        return;
    vec_free(&k->p);
    vec_free(&k->m);
    vec_free(&k->g);
    vec_free(&k->by_address);
    vec_free(&k->id);
    vec_free(&k->at);
    vec_free(&k->pieces);
    free(k->ps);
    free(k->ms);
    free(k->gs);
    free(k->again);
    free(k);
}
