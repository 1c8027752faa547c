/* The internals of the model, for the files of this folder only.
 *
 * Memory: Ps and Ms are plain arrays indexed by id. Gs are in pages of 64 that clones share; the first write after a clone copies the page
 * (pages.c). So a clone costs as much as was written since the last one, and another thread may read and free it while this model folds.
 * Rejected: one array of Gs that is copied (56 MB for a million ended Gs, 30 times a second); a list of live Gs (ended ones must stay
 * known, for the screen and to distinguish a used sequence number from a future one). When all 64 Gs of a page have ended, its details
 * are kept until ENDED_PAGES newer pages have ended too. Then one shared page replaces it, which says only that its Gs have ended. So in
 * the long run a page of ended Gs costs at most 16 bytes.
 */
#ifndef GMPSCOPE_MODEL_MODEL_INTERNAL_H
#define GMPSCOPE_MODEL_MODEL_INTERNAL_H

#include "model/model.h"
#include <stdatomic.h>

#define GPAGE 64u
#define ENDED_PAGES 256u /* 16,384 Gs in 0.8 MiB */
/* A larger id means a broken record, perhaps a stranger's: it must not make the model allocate memory that the log has not earned. */
#define ID_MAX (1u << 26) /* of a G */
/* How far an id may be beyond the number of Ms that have started, of Gs that were created, of objects with names. */
#define ID_AHEAD (1u << 16)

struct gpage {
    _Atomic uint32_t refs; /* references: from one model that writes it, or from nodes of trees (pages.c) */
    uint32_t live;         /* Gs that are known and not dead: a snapshot skips the other pages */
    uint32_t known;        /* Gs with a go_create */
    uint32_t *op; /* by G: 1 + the number of the operation that it has reached, 0: none; NULL: of all. Most runs do not record it */
    struct model_g g[GPAGE]; /* id 0: not known */
};

/* A double-ended queue in one array, so that readers get a pointer. Amortized O(1). */
struct deque {
    uint32_t *v, off, n, cap;
};

#define LAT_SUB 5 /* 32 steps for each power of two: a step is 3.2 % wide, and its middle is at most 1.6 % off */
#define LAT_BUCKETS ((64 - LAT_SUB) << LAT_SUB)
struct latency {
    uint64_t n;
    int64_t max;
    uint64_t bucket[LAT_BUCKETS];
};

/* A G that waits in a select is in the queues of its cases. */
struct select_case {
    uint32_t g, id; /* id: of the channel */
    bool send;
};

/* The facts of a look that has not been applied (fold_look.c). */
struct look_fact {
    struct ev e;
    uint32_t m;
};
struct looking {
    struct look_fact *v;
    uint32_t n, cap;
};

struct model {
    struct model_config cfg;
    struct object_list {
        struct model_object *v;
        uint32_t n, cap;
    } object[OBJ_KINDS];       /* by id */
    struct select_case *cases; /* of all Gs, in the order of their events */
    uint32_t ncases, capcases;
    struct model_p *p;
    struct model_m *m;
    uintptr_t *front; /* pages by number, for the model that folds: address | GPAGE_OWN. NULL: all pages are only in the tree */
    uint32_t nfront;  /* 0 if front is NULL */
    uint32_t ended_page[ENDED_PAGES], nended; /* ring of the pages whose Gs have all ended, by number; how many there ever were */
    struct gtree *gs; /* shared with copies; the layout in memory is not part of the state, so it changes in a const model too */
    uint32_t np, nm, capm;
    uint32_t npall; /* number of Ps ever made: p[] only grows, and destroyed Ps are P_DEAD */
    struct deque globq, idlep, idlem, disabled;
    struct model_p heap; /* only its timers: the heap of a generation without Ps */
    uint32_t npidle, nmspinning;
    bool needspinning;
    int32_t inflight; /* wake-ups counted in nmspinning for which no M spins yet */
    uint32_t procs;   /* GOMAXPROCS of a generation without Ps */
    uint32_t handed;  /* the P that a handoff is about to make idle, or EV_NONE */
    bool demand_gone; /* needspinning was cleared while the wakep that set it still counted as spinning */
    uint32_t dropped; /* a set of KNOWN(…): how a P became idle while other Ps had work and no M searched */
    bool gcwaiting;   /* from stw_start to stw_end */
    struct model_world world;
    bool users_disabled; /* by sched_enable_user */
    bool over;           /* the program dies or has ended, so no M needs to be woken */
    bool oom;            /* memory ran out in the middle of an event: broken from then on */
    uint32_t lockseq, spinseq, outseq;
    uint32_t readied_obj, readied_reason; /* what the G of the last g_ready had waited for */
    uint32_t boot_m;                      /* the M that logged the first procresize */
    uint64_t frozen;                      /* bits of enum audit_field */
    uint32_t lacks, guess;                /* sets of LACKS(…): what of the scheduler is not known; what is derived */
    bool counted;                         /* a count_seen holds until Gs move */
    struct looking looking;
    bool replays; /* its queues are derived (replay.c) */
    struct model_replay replay;
    struct deque globq_later; /* replay.c: while the global queue is not known, Gs behind its unknown part */
    uint32_t looks;           /* the number of the last look that was applied */
    int ended;
    uint64_t events;
    int64_t time;
    int64_t moved;       /* time of the last event by which a G did something or was moved (outcome.h) */
    uint32_t count_g[8]; /* by enum g_status */
    struct counters counters;
    struct latency latency;
    struct model_use *use;     /* by program; the last one: the runtime's own Gs */
    struct steal_row **steals; /* by thief; NULL: it never tried */
    uint32_t nsteals;
    struct model_last_steal last_steal;
    struct model_g spare; /* written in place of a G when memory has run out */
    char error[256];
    char violation[LANGS][160]; /* see model_violation() */
    bool stranded;              /* the violation is a G that waits next to an idle P */
};

#define PRAGMA(text) _Pragma(#text)
#ifdef __clang__
#define UNROLL(n) PRAGMA(clang loop unroll(full))
#else
#define UNROLL(n) PRAGMA(GCC unroll n)
#endif
#define FLATTEN __attribute__((flatten))

/* ---- pages.c: Gs */
#define GPAGE_OWN ((uintptr_t)1)    /* a bit of its address: only this model holds the page, and it is not in the tree */
bool gpages_init(struct model *md); /* makes an empty set; false: out of memory */
bool gpages_share(struct model *to,
                  const struct model *from); /* shares those of `from`; false: out of memory. Call gpages_free(to) in any case */
void gpages_free(struct model *md);
bool gpages_unfold(struct model *md);                                   /* makes `front`; false: out of memory */
uint64_t gpages_bytes(const struct model *md, const struct model *but); /* as model_bytes() */
const struct gpage *gpage_get(const struct model *md, uint32_t i);      /* reads the tree; NULL: no such page */
struct gpage *gpage_take(struct model *md, uint32_t i);                 /* makes the page writable; NULL: out of memory (md->oom) */
/* Returns the first page from number *i on that has live Gs, and sets *i to its number. Returns NULL if there is none. */
const struct gpage *gpages_live(const struct model *md, uint32_t *i);
struct model_g *model_g_add(struct model *md, uint32_t g); /* adds G g, a live one; NULL: out of memory */

static inline const struct gpage *gpage_at(const struct model *md, uint32_t i)
{
    if (i < md->nfront)
        return (const struct gpage *)(md->front[i] & ~GPAGE_OWN);
    return md->front ? NULL : gpage_get(md, i);
}

static inline const struct model_g *g_find(const struct model *md, uint32_t g) /* model_g() */
{
    const struct gpage *page = gpage_at(md, g / GPAGE);
    return page && page->g[g % GPAGE].id ? &page->g[g % GPAGE] : NULL;
}

/* Returns a page for writing. Caller: the model folds (it has a `front`), and the page exists. */
static inline struct gpage *gpage_ours(struct model *md, uint32_t i)
{
    uintptr_t at = md->front[i];
    return at & GPAGE_OWN ? (struct gpage *)(at & ~GPAGE_OWN) : gpage_take(md, i);
}

extern const struct gpage gpage_forgotten; /* the shared page that replaces each forgotten one */
/* Notes the operation that a known G has reached. Its page must not be forgotten. False: out of memory. */
bool gpage_set_op(struct model *md, uint32_t g, uint32_t op);
void model_g_ended(struct model *md, uint32_t g); /* caller: G g has just ended */

/* Returns a known G for writing; its page must not be forgotten. Never NULL (see oom). */
static inline struct model_g *g_mut(struct model *md, uint32_t g)
{
    struct gpage *page = gpage_ours(md, g / GPAGE);
    return page ? &page->g[g % GPAGE] : &md->spare;
}

/* model_p_in_call(); p may be EV_NONE. */
static ALWAYS_INLINE bool p_is_in_call(const struct model *md, uint32_t p)
{
    const struct model_p *mp = p < md->npall ? &md->p[p] : NULL;
    return mp && (mp->status == P_SYSCALL || (mp->status == P_RUNNING && mp->m != EV_NONE && md->m[mp->m].wired));
}

/* model_m_doing() of an M that has started. */
static ALWAYS_INLINE enum m_doing m_doing(const struct model_m *mm)
{
    if (mm->exited)
        return MD_EXITED;
    if (mm->sysmon || mm->template)
        return mm->sysmon ? MD_SYSMON : MD_TEMPLATE;
    if (mm->idlelocked > 0)
        return MD_LOCKED;
    if (mm->blocked)
        return MD_IDLE;
    if (mm->netpoll)
        return MD_NETPOLL;
    if (mm->curg)
        return mm->syscall ? MD_SYSCALL : MD_RUN;
    return mm->spinning ? MD_SPIN : MD_SCHED;
}

/* ---- objects.c */
bool model_objects_copy(struct model *to, const struct model *from); /* false: out of memory */
void model_objects_free(struct model *md);
uint64_t model_objects_bytes(const struct model *md);
bool object_can_be(const struct model *md, struct ev_object o);        /* false: no object of this model has this number */
struct model_object *object_mut(struct model *md, struct ev_object o); /* NULL: out of memory, or no object has this number */
bool cases_add(struct model *md, struct select_case k);
void cases_drop(struct model *md, uint32_t g); /* all of this G */

/* ---- meters.c */
bool meters_init(struct model *md);                           /* false: out of memory */
bool meters_copy(struct model *to, const struct model *from); /* false: out of memory; call meters_free(to) in any case */
void meters_free(struct model *md);
uint64_t meters_bytes(const struct model *md, const struct model *but); /* as model_bytes() */
static inline struct model_use *use_of(const struct model *md, const struct model_g *g)
{
    return &md->use[g->fn < md->cfg.names.nfn ? g->fn : md->cfg.names.nfn];
}

/* ---- knows.c: sets of LACKS(…) */
#define KNOW_UPTO(what) (LACKS(what) | (LACKS(what) - 1))
#define KNOW_OF_P (KNOW_UPTO(KNOW_P_TIMERS))
#define KNOW_OF_M (KNOW_UPTO(KNOW_M_SEARCH) & ~KNOW_OF_P)
#define KNOW_GLOBAL (KNOW_UPTO(KNOW_BEFORE) & ~KNOW_UPTO(KNOW_G_SINCE))

#define FN_UNKNOWN (MODEL_FORGOTTEN - 1) /* fn of a G whose program is not known */
enum {
    G_LACKS_REASON = 1,
    G_LACKS_FN = 2,
    G_LACKS_BY = 4,
    G_LACKS_SINCE = 8,
    G_GUESS = 16,
    G_GUESS_PLACE = 32
}; /* bits of model_g.lacks */

/* ---- search.c */
bool search_copy(struct model_m *to, const struct model_m *from); /* false: out of memory */

/* ---- model.c: memory */
/* Returns the bytes that md holds, without the pages of Gs that `but` (may be NULL) holds too. */
uint64_t model_bytes(const struct model *md, const struct model *but);
struct model_m *model_m_add(struct model *md, uint32_t m); /* returns M m, new if necessary; NULL: out of memory */
bool model_p_resize(struct model *md, uint32_t n);         /* n Ps; false: out of memory */
void transit_insert(struct model *md, struct model_m *mm, uint32_t at, uint32_t g);
static inline void transit_add(struct model *md, struct model_m *mm, uint32_t g)
{
    if (mm->transit_n < mm->transit_cap)
        mm->transit[mm->transit_n++] = g;
    else
        transit_insert(md, mm, mm->transit_n, g);
}

/* Closes the gap from the side that has fewer Gs. Usually there is nothing to move: an M has one G in transit, or all of them leave. Those of
 * a batch from the global queue leave near the head, one by one. */
static inline void transit_remove(struct model_m *mm, uint32_t at, uint32_t n)
{
    mm->transit_n -= n;
    if (at < mm->transit_n - at) {
        for (uint32_t i = at; i-- > 0;)
            mm->transit[i + n] = mm->transit[i];
        mm->transit += n;
        mm->transit_cap -= n;
    } else {
        for (uint32_t i = at; i < mm->transit_n; i++)
            mm->transit[i] = mm->transit[i + n];
    }
}

static inline uint32_t transit_find(const struct model_m *mm, uint32_t g) /* returns transit_n if it is not there */
{
    uint32_t i = 0;
    while (i < mm->transit_n && mm->transit[i] != g)
        i++;
    return i;
}

void deque_push_back(struct model *md, struct deque *d, uint32_t v);
void deque_push_front(struct model *md, struct deque *d, uint32_t v);
void deque_drop_front(struct deque *d, uint32_t n);
bool deque_remove(struct deque *d, uint32_t v);              /* false: it is not there */
bool deque_copy(struct deque *to, const struct deque *from); /* false: out of memory */
static inline const uint32_t *deque_at(const struct deque *d, uint32_t i)
{
    return d->v + d->off + i;
}
void timers_insert(struct model *md, struct model_p *p, struct snap_timer t);
/* Removes a timer with this time and G, if possible with the same rest, and stores it in *t. Returns false if there is none. */
bool timers_remove(struct model_p *p, struct snap_timer *t);

static inline uint32_t *ring_slot(const struct model *md, struct model_p *p, uint32_t i)
{
    return &p->ring[i & (md->cfg.runq_size - 1)];
}

/* ---- work_conservation.c */
void model_break(struct model *md, enum lang lang, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* ---- count.c */
void latency_add(struct latency *l, int64_t ns);

/* ---- gauge.c: a gauge's name is parsed once, then the gauge is read many times */
enum gauge_type { GT_INT, GT_BOOL, GT_DUR, GT_WORD, GT_P, GT_M, GT_G };
struct gauge_def;
struct gauge {
    const struct gauge_def *def;
    uint32_t id;
};
/* Returns false if no gauge has this name; err gets a message. */
bool gauge_parse(const char *name, size_t len, struct gauge *g, enum lang lang, char *err, size_t errsize);
/* Reads the gauge as of time `now`, if nothing happens before. Returns false if its P, G or M does not exist. */
bool gauge_read(const struct model *md, const struct gauge *g, int64_t now, int64_t *value);
enum model_what gauge_needs(const struct gauge *g); /* what a source must record, so that it is known */
bool gauge_is_replayed(const struct model *md, const struct gauge *g);
bool gauge_since(const struct model *md, const struct gauge *g,
                 int64_t *since); /* true for a GT_DUR that grows now; *since: from when on */
/* Returns the name of gauge i and its subject ('p', 'g', 'm', 0: the scheduler); NULL after the last. */
const char *gauge_name(int i, char *subject);
enum gauge_type gauge_type(const struct gauge *g);
int64_t gauge_p(const struct gauge *g); /* the N of pN.…, else -1 */
bool gauge_of_p(const struct gauge *g); /* pN.… or idle_p */
/* Returns word n of a GT_WORD gauge, and its value; NULL after the last. */
const char *gauge_word(const struct gauge *g, int n, int64_t *value);

#endif
