/* The inside of the history, for history.c (records, keyframes, the way to a state) and history_store.c (where they lie). */
#ifndef GMPSCOPE_MODEL_HISTORY_INTERNAL_H
#define GMPSCOPE_MODEL_HISTORY_INTERNAL_H

#include "base/arena.h"
#include "model/activity.h"

struct htext { uint32_t i, off; };           /* event i of its segment has text from `off` on, up to the next note's */

/* An object whose waiter event i of the segment made ready: the record does not name it. */
struct readied { uint32_t i, obj, reason; };

/* What the queries need of a segment. */
struct segment_index {
    struct activity **mark;                  /* [k]: before event k * leaf of the segment. Only [0] once the records lie in the file */
    uint32_t (*peak)[LEVELS];                /* [k]: over the states from mark k to mark k + 1 */
    uint32_t nmarks, leaf;                   /* leaf: events from mark to mark */
    uint64_t *filter;                        /* bits by subject: a clear one means that no event is about it */
    struct readied *readied;                 /* in order */
    uint32_t nreadied, cap_readied;
    uint32_t total_peak[LEVELS];             /* over all states of a full segment */
};

/* A run of events. All but the last are full. Its records lie in memory, in the file, or in both (read back). */
struct segment {
    uint64_t first;                          /* number of its first event */
    uint32_t n, nnotes;
    size_t text_bytes;
    struct ev *ev;                           /* the records; then their Ms in the same piece of memory. NULL: in the file only */
    struct htext *note;
    char *text;
    uint32_t cap_notes;
    size_t cap_text;
    int64_t latest;                          /* latest time of an event up to its end, those before it included */
    uint64_t prints;                         /* lines printed before it */
    struct model *key;                       /* the state before its first event; NULL: thinned out */
    size_t key_bytes;                        /* of what the keyframe before does not hold too */
    bool in_file;
    uint64_t file_at;
    struct segment_index index;
};

struct history {
    uint64_t budget, events;
    uint32_t size;                           /* events in a full segment */
    VEC(struct segment) seg;
    uint64_t bytes, key_bytes, file_end;     /* bytes: of records in memory */
    int fd;                                  /* the temporary file, -1: none yet */
    bool failed;                             /* memory ran out while an event was added: no more can be added */
    bool no_file;                            /* it could not be made or written just now, or is full */
    uint32_t loaded[2];                      /* segments read back, by their place; UINT32_MAX: none */
    struct activity *now;                    /* after the last event */
    uint32_t peak[LEVELS];                   /* since the last mark */
    uint64_t query_bytes;                    /* of all indexes; part of `bytes` */
    struct subject_fields { uint8_t n; const struct ev_field *field[4]; } fields[EV_KINDS]; /* those that name a G, an M or a P */
};

static inline uint32_t *segment_ms(const struct history *h, const struct segment *s)
{
    return (uint32_t *)(s->ev + h->size);
}

static inline struct segment *last_segment(const struct history *h)
{
    return &h->seg.v[h->seg.n - 1];
}

/* ---- history_store.c */
/* A new last segment; its keyframe is the caller's to set. False: out of memory. */
bool store_open(struct history *h);
/* Room for one more note with `len` bytes of text in the last segment; false: out of memory. */
bool store_text(struct history *h, uint32_t i, const char *text, size_t len);
/* The segment with its records in memory; NULL: they can not be read back. */
const struct segment *store_load(struct history *h, uint32_t i);
/* Puts the oldest segment that lies in memory alone into the file, or frees the memory of one that was read back. False: there is
 * none but the last, or the file can not be written (then no_file is set). */
bool store_spill(struct history *h);
/* Forgets the oldest segment, whose keyframe the caller has taken, and gives its place in the file back. */
void store_drop(struct history *h);
/* What it takes in the file, 0 if it is not there. */
uint64_t store_file_bytes(const struct history *h, const struct segment *s);
void store_fini(struct history *h);

/* ---- history_index.c */
bool index_init(struct history *h);                      /* false: out of memory */
bool index_open(struct history *h);                      /* of a new last segment; false: out of memory */
bool index_add(struct history *h, const struct model *md, uint32_t m, const struct ev *e); /* false: out of memory */
void index_thin(struct history *h, struct segment *s);   /* the records of s have gone to the file */
void index_free(struct history *h, struct segment *s);
void index_fini(struct history *h);
bool index_may_hold(const struct history *h, const struct segment *s, const struct history_subject *who);
uint32_t segment_of(const struct history *h, uint64_t number); /* of an event that is there */

/* ---- history.c: folds md on to state n; false: it can not be read, or the fold refuses. */
bool history_fold(struct history *h, struct model *md, uint64_t n);

#endif
