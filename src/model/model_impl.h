/* The model's inside, for the files of this folder only.
 *
 * Memory: Ps and Ms are plain arrays by id. Gs lie in pages of 64, which clones share: a page is copied when it is written
 * while somebody else holds it. So a clone costs a pointer for each 64 Gs that ever were, not 64 Gs, and it may be read and
 * freed by another thread while this model folds on. Rejected: one array of Gs, copied (56 MB at a million ended Gs, 30 times
 * a second); a list of live Gs (ended ones must stay known, for the screen and to tell a used ticket from a coming one).
 */
#ifndef GMPSCOPE_MODEL_MODEL_IMPL_H
#define GMPSCOPE_MODEL_MODEL_IMPL_H

#include "model/model.h"
#include <stdatomic.h>

enum { FOLD_APPLIED, FOLD_NOT_YET, FOLD_BROKEN }; /* enum offer of log.h, which this room may not include */

#define GPAGE 64u
#define ID_MAX (1u << 26)        /* a G or M id above is a broken record, not a reason to take all memory */

struct gpage {
    _Atomic uint32_t refs;       /* models that hold the page */
    uint32_t live;               /* Gs that are known and not dead: a snapshot skips the other pages */
    struct mg g[GPAGE];          /* id 0: not known */
};

/* A double-ended queue whose content is one array, so that readers get a pointer. All O(1), amortized. */
struct deque { uint32_t *v, off, n, cap; };

#define LAT_SUB 5                /* 32 steps for each power of two: a step is 3.2% wide, its middle at most 1.6% off */
#define LAT_BUCKETS ((64 - LAT_SUB) << LAT_SUB)
struct latency { uint64_t n; int64_t max; uint64_t bucket[LAT_BUCKETS]; };

struct model {
    struct model_config cfg;
    struct mp *p;
    struct mm *m;
    struct gpage **gpage;
    uint32_t np, nm, capm, ngpage;
    uint32_t npall;              /* Ps that ever were: p[] only grows, destroyed ones are P_DEAD */
    struct deque globq, idlep, idlem, disabled;
    struct mp heap;              /* only its timers: the heap of a generation without Ps */
    uint32_t npidle, nmspinning;
    bool needspinning;
    int32_t inflight;            /* wake-ups on their way: counted in nmspinning, no M spins for them yet */
    uint32_t procs;              /* GOMAXPROCS where there are no Ps */
    uint32_t handed;             /* the P that a handoff is about to make idle, or EV_NONE */
    bool demand_gone;            /* needspinning was taken back while the wakep that set it was still counted as spinning */
    uint32_t dropped;            /* KNOWN(…): how a P became idle while others had work and nobody looked for it */
    bool gcwaiting;              /* from stw_start to stw_end */
    bool over;                   /* the program dies or has ended: nobody needs to be woken any more */
    bool oom;                    /* memory ran out in the middle of an event: broken from then on */
    uint32_t lockseq, spinseq, outseq;
    uint32_t boot_m;             /* who logged the first procresize */
    uint32_t frozen;             /* bits of enum audit_field */
    int ended;
    uint64_t events;
    int64_t time;
    uint32_t count_g[8];         /* by enum g_status */
    struct counters counters;
    struct latency latency;
    struct mg spare;             /* written instead of a G when memory has run out */
    char error[256];
    char violation[160];         /* see model_violation() */
};

/* ---- model.c: memory */
struct mg *model_g_mut(struct model *md, uint32_t g);        /* of a known G; for writing; never NULL (see oom) */
struct mg *model_g_add(struct model *md, uint32_t g);        /* a new one; NULL: out of memory */
/* Bytes that md holds; pages of Gs that `but` (may be NULL) holds too are left out. */
uint64_t model_bytes(const struct model *md, const struct model *but);
void model_g_live(struct model *md, uint32_t g, int delta);  /* count it in its page */
struct mm *model_m_add(struct model *md, uint32_t m);        /* slot of M m, made if need be; NULL: out of memory */
bool model_p_resize(struct model *md, uint32_t n);           /* n Ps; false: out of memory */
void hand_insert(struct model *md, struct mm *mm, uint32_t at, uint32_t g);
void hand_remove(struct mm *mm, uint32_t at, uint32_t n);
uint32_t hand_find(const struct mm *mm, uint32_t g);         /* hand_n: it is not there */
void deque_push_back(struct model *md, struct deque *d, uint32_t v);
void deque_push_front(struct model *md, struct deque *d, uint32_t v);
void deque_drop_front(struct deque *d, uint32_t n);
bool deque_remove(struct deque *d, uint32_t v);              /* false: not in it */
static inline const uint32_t *deque_at(const struct deque *d, uint32_t i) { return d->v + d->off + i; }
void timers_insert(struct model *md, struct mp *p, int64_t when, uint32_t g);
bool timers_remove(struct mp *p, int64_t when, uint32_t g);  /* false: not in it */

static inline uint32_t *ring_slot(const struct model *md, struct mp *p, uint32_t i)
{
    return &p->ring[i & (md->cfg.runq_size - 1)];
}

/* ---- conserve.c */
void model_break(struct model *md, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- count.c */
void count_event(struct model *md, const struct ev *e);      /* after it was folded */
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
