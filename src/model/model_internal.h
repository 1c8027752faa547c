/* The model's inside, for the files of this folder only.
 *
 * Memory: Ps and Ms are plain arrays by id. Gs lie in pages of 64, which clones share: a page is copied when it is written
 * first after the model was cloned (pages.c). So a clone costs what was written since the last one, and it may be read and
 * freed by another thread while this model folds on. Rejected: one array of Gs, copied (56 MB at a million ended Gs, 30 times
 * a second); a list of live Gs (ended ones must stay known, for the screen and to tell a used ticket from a coming one).
 * When all 64 Gs of a page have ended, its details are kept until ENDED_PAGES newer pages have ended too. Then one shared page replaces it,
 * which says only that its Gs have ended. So each page of ended Gs costs no more than 16 bytes in the long run.
 */
#ifndef GMPSCOPE_MODEL_MODEL_INTERNAL_H
#define GMPSCOPE_MODEL_MODEL_INTERNAL_H

#include "model/model.h"
#include <stdatomic.h>

#define GPAGE 64u
#define ENDED_PAGES 256u         /* 16,384 Gs in 0.8 MiB */
#define ID_MAX (1u << 26)        /* a G or M id above is a broken record, not a reason to take all memory */

struct gpage {
    _Atomic uint32_t refs;       /* who holds the page: one model that writes it, or nodes of trees (pages.c) */
    uint32_t live;               /* Gs that are known and not dead: a snapshot skips the other pages */
    uint32_t known;              /* Gs with a go_create */
    struct model_g g[GPAGE];          /* id 0: not known */
};

/* A double-ended queue whose content is one array, so that readers get a pointer. All O(1), amortized. */
struct deque { uint32_t *v, off, n, cap; };

#define LAT_SUB 5                /* 32 steps for each power of two: a step is 3.2% wide, its middle at most 1.6% off */
#define LAT_BUCKETS ((64 - LAT_SUB) << LAT_SUB)
struct latency { uint64_t n; int64_t max; uint64_t bucket[LAT_BUCKETS]; };

struct model {
    struct model_config cfg;
    struct model_p *p;
    struct model_m *m;
    uintptr_t *front;            /* pages by number, for who folds: address | GPAGE_OWN. NULL: all are in the tree alone */
    uint32_t nfront;             /* 0 without it */
    uint32_t ended_page[ENDED_PAGES], nended; /* ring of the pages whose Gs have all ended, by number; how many there ever were */
    struct gtree *gs;            /* what copies share; how a model lies in memory is no part of its state, so it changes in a const one too */
    uint32_t np, nm, capm;
    uint32_t npall;              /* Ps that ever were: p[] only grows, destroyed ones are P_DEAD */
    struct deque globq, idlep, idlem, disabled;
    struct model_p heap;              /* only its timers: the heap of a generation without Ps */
    uint32_t npidle, nmspinning;
    bool needspinning;
    int32_t inflight;            /* wake-ups on their way: counted in nmspinning, no M spins for them yet */
    uint32_t procs;              /* GOMAXPROCS where there are no Ps */
    uint32_t handed;             /* the P that a handoff is about to make idle, or EV_NONE */
    bool demand_gone;            /* needspinning was taken back while the wakep that set it was still counted as spinning */
    uint32_t dropped;            /* KNOWN(…): how a P became idle while others had work and nobody looked for it */
    bool gcwaiting;              /* from stw_start to stw_end */
    bool users_disabled;         /* by sched_enable_user */
    bool over;                   /* the program dies or has ended: nobody needs to be woken any more */
    bool oom;                    /* memory ran out in the middle of an event: broken from then on */
    uint32_t lockseq, spinseq, outseq;
    uint32_t readied_obj, readied_reason; /* what the G of the last g_ready had waited for */
    uint32_t boot_m;             /* who logged the first procresize */
    uint64_t frozen;             /* bits of enum audit_field */
    int ended;
    uint64_t events;
    int64_t time;
    uint32_t count_g[8];         /* by enum g_status */
    struct counters counters;
    struct latency latency;
    struct model_g spare;             /* written instead of a G when memory has run out */
    char error[256];
    char violation[160];         /* see model_violation() */
};

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* ---- pages.c: Gs */
#define GPAGE_OWN ((uintptr_t)1) /* beside its address: it is this model's alone, not yet in the tree */
bool gpages_init(struct model *md);                          /* none; false: out of memory */
bool gpages_share(struct model *to, const struct model *from); /* the same; false: out of memory. gpages_free(to) in any case */
void gpages_free(struct model *md);
bool gpages_unfold(struct model *md);                        /* makes `front`; false: out of memory */
uint64_t gpages_bytes(const struct model *md, const struct model *but); /* as model_bytes() */
const struct gpage *gpage_get(const struct model *md, uint32_t i); /* out of the tree; NULL: there is none */
struct gpage *gpage_take(struct model *md, uint32_t i);      /* makes it the model's own; NULL: out of memory (md->oom) */
/* The first page from number *i on that has live Gs; *i is its number then. NULL: there is none any more. */
const struct gpage *gpages_live(const struct model *md, uint32_t *i);
struct model_g *model_g_add(struct model *md, uint32_t g);        /* a new one; NULL: out of memory */

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

/* For who folds (there is a `front`), of a page that is there. */
static inline struct gpage *gpage_ours(struct model *md, uint32_t i)
{
    uintptr_t at = md->front[i];
    return at & GPAGE_OWN ? (struct gpage *)(at & ~GPAGE_OWN) : gpage_take(md, i);
}

extern const struct gpage gpage_forgotten;                   /* the shared page that replaces each forgotten one */
void gpage_ended(struct model *md, uint32_t i);              /* caller: a G of page i has just ended */

/* Returns a known G for writing; its page must not be forgotten. Never NULL (see oom). */
static inline struct model_g *g_mut(struct model *md, uint32_t g)
{
    struct gpage *page = gpage_ours(md, g / GPAGE);
    return page ? &page->g[g % GPAGE] : &md->spare;
}

static inline void g_live(struct model *md, uint32_t g, int delta) /* counts it in its page */
{
    struct gpage *page = gpage_ours(md, g / GPAGE);
    if (page)
        page->live += (uint32_t)delta;
}

static ALWAYS_INLINE enum m_doing m_doing(const struct model *md, const struct model_m *mm) /* of one that has started: model_m_doing() */
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
    const struct model_g *g = mm->curg ? g_find(md, mm->curg) : NULL;
    if (g)
        return g->status == G_SYSCALL ? MD_SYSCALL : MD_RUN;
    return mm->spinning ? MD_SPIN : MD_SCHED;
}

/* ---- search.c */
bool search_copy(struct model_m *to, const struct model_m *from); /* false: out of memory */

/* ---- model.c: memory */
/* Bytes that md holds; pages of Gs that `but` (may be NULL) holds too are left out. */
uint64_t model_bytes(const struct model *md, const struct model *but);
struct model_m *model_m_add(struct model *md, uint32_t m);        /* slot of M m, made if need be; NULL: out of memory */
bool model_p_resize(struct model *md, uint32_t n);           /* n Ps; false: out of memory */
void hand_insert(struct model *md, struct model_m *mm, uint32_t at, uint32_t g);
static inline void hand_add(struct model *md, struct model_m *mm, uint32_t g)
{
    if (mm->hand_n < mm->hand_cap)
        mm->hand[mm->hand_n++] = g;
    else
        hand_insert(md, mm, mm->hand_n, g);
}

static inline void hand_remove(struct model_m *mm, uint32_t at, uint32_t n)
{
    mm->hand_n -= n;
    for (uint32_t i = at; i < mm->hand_n; i++) /* seldom any: a hand has one G, or is emptied */
        mm->hand[i] = mm->hand[i + n];
}

static inline uint32_t hand_find(const struct model_m *mm, uint32_t g) /* hand_n: it is not there */
{
    uint32_t i = 0;
    while (i < mm->hand_n && mm->hand[i] != g)
        i++;
    return i;
}

void deque_push_back(struct model *md, struct deque *d, uint32_t v);
void deque_push_front(struct model *md, struct deque *d, uint32_t v);
void deque_drop_front(struct deque *d, uint32_t n);
static inline const uint32_t *deque_at(const struct deque *d, uint32_t i) { return d->v + d->off + i; }
void timers_insert(struct model *md, struct model_p *p, int64_t when, uint32_t g);
bool timers_remove(struct model_p *p, int64_t when, uint32_t g);  /* false: not in it */

static inline uint32_t *ring_slot(const struct model *md, struct model_p *p, uint32_t i)
{
    return &p->ring[i & (md->cfg.runq_size - 1)];
}

/* ---- conserve.c */
void model_break(struct model *md, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- count.c */
void latency_add(struct latency *l, int64_t ns);

/* ---- gauge.c: a gauge's name taken apart once, then read many times */
enum gauge_type { GT_INT, GT_BOOL, GT_DUR, GT_WORD, GT_P, GT_M, GT_G };
struct gauge_def;
struct gauge { const struct gauge_def *def; uint32_t id; };
/* False: no gauge has this name; err gets a message. */
bool gauge_parse(const char *name, size_t len, struct gauge *g, char *err, size_t errsize);
/* What it is at the time `now`, if nothing happens before. False: there is no such thing. */
bool gauge_read(const struct model *md, const struct gauge *g, int64_t now, int64_t *value);
bool gauge_since(const struct model *md, const struct gauge *g, int64_t *since); /* a GT_DUR that grows now: from when on */
/* The i-th of the table: its name and whose it is ('p', 'g', 'm', 0: the scheduler's); NULL after the last. */
const char *gauge_name(int i, char *subject);
enum gauge_type gauge_type(const struct gauge *g);
int64_t gauge_p(const struct gauge *g);                       /* N of pN.…; else -1 */
bool gauge_of_p(const struct gauge *g);                      /* pN.… or idle_p */
/* The n-th word of a GT_WORD gauge and its value; NULL after the last. */
const char *gauge_word(const struct gauge *g, int n, int64_t *value);

#endif
