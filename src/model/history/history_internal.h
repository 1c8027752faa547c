/* The internals of the history, for history.c (records, keyframes, folding to a state), history_store.c (memory and file),
 * history_index.c (what queries need) and history_query.c. */
#ifndef GMPSCOPE_MODEL_HISTORY_INTERNAL_H
#define GMPSCOPE_MODEL_HISTORY_INTERNAL_H

#include "base/arena.h"
#include "model/history/activity.h"
#include "trace/run_file.h"
#include "trace/segment.h"

enum { CACHED = 2 }; /* blocks that stay unpacked: a screenful of events may span two */

/* Event i of the segment made a G ready; this is the object that the G had waited for. The record does not name it. */
struct readied {
    uint32_t i, obj, reason;
};

/* What the queries need to know about a segment. */
struct segment_index {
    struct activity **mark;   /* [k]: before event k * leaf of the segment. Most are NULL when the records are only in the file */
    uint32_t (*peak)[LEVELS]; /* [k]: over the states from mark k to mark k + 1 */
    uint32_t nmarks, leaf;    /* leaf: events from mark to mark */
    uint64_t *filter;         /* bits by subject: a clear bit means that no event is about the subject */
    struct readied *readied;  /* in order */
    uint32_t nreadied, cap_readied;
    uint32_t total_peak[LEVELS]; /* over all states of a full segment */
};

#define NOT_WEIGHED INT64_MIN

/* A recording has the segments up to its end, or to where it failed; the temporary file has later ones. */
enum history_files { TEMPORARY, RECORDING, HISTORY_FILES, REPLAYED = HISTORY_FILES }; /* REPLAYED: the run file that is replayed */

/* A stretch of events. All segments except the last are full. The records are in memory or in the file. */
struct segment {
    uint64_t first;      /* number of its first event */
    uint32_t n, nblocks; /* nblocks: full ones */
    uint8_t
        *packed;   /* of a full segment: the records, block after block, PACK_BEHIND more bytes, the places; NULL: only the file has them */
    uint32_t *at;  /* [nblocks + 1]: where block k begins */
    size_t places; /* bytes of places of a full segment */
    int64_t latest;    /* the latest time of an event up to the end of the segment */
    struct model *key; /* the state before its first event; NULL: dropped to save memory */
    size_t key_bytes;  /* bytes that the previous keyframe does not share */
    int64_t key_frees; /* bytes that dropping it frees, or NOT_WEIGHED */
    bool full;
    bool thin;                  /* its index was thinned out */
    uint8_t in;                 /* enum history_files: the file that has it */
    struct run_written in_file; /* a recorded segment is also in memory, until the memory is needed */
    struct segment_index index;
};

struct history {
    uint64_t budget, events;
    uint32_t size, block; /* events in a full segment and in a full block */
    uint32_t filter_mask; /* bits of a segment's filter, less one; they are a power of two */
    VEC(struct segment) seg;
    uint64_t bytes, key_bytes;              /* bytes: records in memory and indexes */
    uint64_t grow_at;                       /* with so many bytes, keyframes included, the heap grows again (grow_heap) */
    struct run_writer *file[HISTORY_FILES]; /* NULL: none yet */
    const struct run_reader *replayed;      /* NULL: the run is live */
    bool failed;                            /* memory ran out while an event was added: no more can be added */
    bool no_file;                           /* the last attempt to create or write it failed, or it is full */
    bool file_fails;                        /* the last attempt failed */
    struct open_segment open;               /* the last segment, until it is full */
    struct block cache[CACHED];             /* blocks that were unpacked; first 0: none */
    uint32_t replaced;                      /* how many blocks have been unpacked */
    struct read_buffer {
        uint8_t *v;
        size_t cap;
        uint64_t first;    /* number of the first event; 0: it holds nothing */
    } read;                /* a segment of the file */
    struct activity *now;  /* after the last event */
    uint32_t peak[LEVELS]; /* since the last mark */
    uint64_t query_bytes;  /* of all indexes; part of `bytes` */
    struct subject_fields {
        uint8_t n;
        bool text; /* its events may have a text */
        const struct ev_field *field[4];
    } fields[EV_KINDS]; /* those that name a G, an M or a P */
};

static inline void raise_peak(uint32_t peak[LEVELS], const uint32_t level[LEVELS])
{
    for (int k = 0; k < LEVELS; k++)
        peak[k] = level[k] > peak[k] ? level[k] : peak[k];
}

static inline struct segment *last_segment(const struct history *h)
{
    return &h->seg.v[h->seg.n - 1];
}

/* ---- history_store.c */
/* Adds an empty last segment; the caller sets its keyframe. Returns false if memory ran out. */
bool store_open(struct history *h);
/* Takes it away again, so that the segment before it stays the last one. Caller: its index is free. */
void store_undo_open(struct history *h);
/* Packs n events of one M and one time into the last segment. text: of the only one; NULL: none. The caller counts them, and ends a block
 * that is full then. All three return false if memory ran out. */
bool store_add(struct history *h, uint32_t m, const struct ev *e, uint32_t n, const char *text, size_t len);
bool store_add_place(struct history *h, uint32_t g, uint32_t op);
bool store_end_block(struct history *h);
/* Returns the block with event i of the segment, unpacked at least as far as that event; NULL if it cannot be read back. Valid until two more
 * blocks were asked for or an event is added. The next call may unpack more of it, which moves its text. */
const struct block *store_block(struct history *h, uint32_t segment, uint32_t i);
/* Returns the places of a segment, *n bytes; NULL if they cannot be read back. Valid as a block is. */
const uint8_t *store_places(struct history *h, const struct segment *s, size_t *n);
/* Writes the oldest segment that is in memory to the file. Returns false if only the last segment is left, or if the file cannot be written
 * (then no_file is set). */
bool store_spill(struct history *h);
/* Removes the oldest segment and its space in the file. Caller: has taken the segment's keyframe. */
void store_drop(struct history *h);
void store_fini(struct history *h);

/* ---- history_places.c */
/* A reader of places, in order. Begins as zero. */
struct places {
    uint64_t first; /* of the segment */
    const uint8_t *at, *end;
    uint64_t before; /* the event that the next place belongs to; UINT64_MAX: the segment has no more */
    struct place next;
};
/* Goes to the first place that belongs to this event or a later one of its segment. Does nothing if p is in that segment already. Returns
 * false if the places cannot be read back. */
bool places_open(struct history *h, struct places *p, uint64_t number);
/* Sets the places up to those of this event. Returns false if memory ran out. */
bool places_pass(struct places *p, struct model *md, uint64_t number);

/* ---- history_index.c */
bool index_init(struct history *h); /* false: out of memory */
bool index_open(struct history *h); /* for a new last segment; false: out of memory */
/* Adds the newest n events, all of one M. md: after them. Returns false if memory ran out. */
bool index_add(struct history *h, const struct model *md, uint32_t m, const struct ev *e, uint32_t n);
void index_thin(struct history *h, struct segment *s); /* keeps less of s, which is in the file now */
void index_free(struct history *h, struct segment *s);
void index_fini(struct history *h);
/* Returns the last mark that is kept before event i of the segment, or before mark k. */
const struct activity *index_mark(const struct segment *s, uint32_t i);
/* Finds the last kept mark of the segment that is not later than `time`. Returns the event that follows it; 0 if the first mark is later. */
uint32_t index_before(const struct segment *s, int64_t time);
bool index_may_hold(const struct history *h, const struct segment *s, const struct history_subject *who);
bool index_has_kind(const struct history *h, uint32_t segment, const bool kinds[EV_KINDS]); /* does it have an event of these kinds? */
/* Caller: the history has the event. */
static inline uint32_t segment_of(const struct history *h, uint64_t number)
{
    return (uint32_t)((number - h->seg.v[0].first) / h->size);
}

/* ---- history.c */
/* Folds md to state n. Returns false if the records cannot be read back or the fold rejects one. */
bool history_fold(struct history *h, struct model *md, uint64_t n);

#endif
