/* The internals of the history, for history.c (records, keyframes, folding to a state), history_store.c (memory and file),
 * history_index.c (what queries need) and history_query.c. */
#ifndef GMPSCOPE_MODEL_HISTORY_INTERNAL_H
#define GMPSCOPE_MODEL_HISTORY_INTERNAL_H

#include "base/arena.h"
#include "model/activity.h"

struct htext {
    uint32_t i, off;
}; /* the text of event i of a segment: from `off` to the next note's offset */

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

/* A stretch of events. All segments except the last are full. The records are in memory, in the file, or in both (read back). */
struct segment {
    uint64_t first; /* number of its first event */
    uint32_t n, nnotes;
    size_t text_bytes;
    struct ev *ev; /* the records, followed by their Ms in the same allocation. NULL: only the file has them */
    struct htext *note;
    char *text;
    uint32_t cap_notes;
    size_t cap_text;
    int64_t latest;    /* the latest time of an event up to the end of the segment */
    uint64_t prints;   /* lines printed before it */
    struct model *key; /* the state before its first event; NULL: dropped to save memory */
    size_t key_bytes;  /* bytes that the previous keyframe does not share */
    bool in_file;
    uint64_t file_at;
    struct segment_index index;
};

struct history {
    uint64_t budget, events;
    uint32_t size; /* events in a full segment */
    VEC(struct segment) seg;
    uint64_t bytes, key_bytes, file_end; /* bytes: records in memory and indexes */
    int fd;                              /* the temporary file, -1: none yet */
    bool failed;                         /* memory ran out while an event was added: no more can be added */
    bool no_file;                        /* the last attempt to create or write it failed, or it is full */
    struct {
        struct ev ev[1024];
        uint32_t m[1024];
    } peek;                /* store_peek() */
    struct ev *spare;      /* memory for the records of a segment that is read back; NULL: none */
    uint32_t loaded[2];    /* indexes of the segments that were read back; UINT32_MAX: none */
    struct activity *now;  /* after the last event */
    uint32_t peak[LEVELS]; /* since the last mark */
    uint64_t query_bytes;  /* of all indexes; part of `bytes` */
    struct subject_fields {
        uint8_t n;
        bool text; /* its events may have a text */
        const struct ev_field *field[4];
    } fields[EV_KINDS]; /* those that name a G, an M or a P */
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
/* Adds an empty last segment; the caller sets its keyframe. Returns false if memory ran out. */
bool store_open(struct history *h);
/* Stores the text of event i of the last segment. Returns false if memory ran out. */
bool store_text(struct history *h, uint32_t i, const char *text, size_t len);
/* Returns the segment with its records in memory, NULL if they cannot be read back. */
const struct segment *store_load(struct history *h, uint32_t i);
/* Returns records of the segment from record i on, at most *n, and their Ms. Sets *n to how many there are, 0: they cannot be read back. If
 * they are only in the file, it reads only these. They are valid until the next call. */
const struct ev *store_peek(struct history *h, uint32_t segment, uint32_t i, uint32_t *n, const uint32_t **ms);
/* Frees the memory of a segment that was read back, else writes the oldest segment that is only in memory to the file. Returns false if
 * only the last segment is left, or if the file cannot be written (then no_file is set). */
bool store_spill(struct history *h);
/* Removes the oldest segment and its space in the file. Caller: has taken the segment's keyframe. */
void store_drop(struct history *h);
/* Returns the bytes of the segment in the file, 0 if it is not there. */
uint64_t store_file_bytes(const struct history *h, const struct segment *s);
void store_fini(struct history *h);

/* ---- history_index.c */
bool index_init(struct history *h); /* false: out of memory */
bool index_open(struct history *h); /* for a new last segment; false: out of memory */
bool index_add(struct history *h, const struct model *md, uint32_t m, const struct ev *e); /* false: out of memory */
void index_thin(struct history *h, struct segment *s);                                     /* keeps less of s, which is in the file now */
void index_free(struct history *h, struct segment *s);
void index_fini(struct history *h);
/* Returns the last mark that is kept before event i of the segment, or before mark k. */
const struct activity *index_mark(const struct segment *s, uint32_t i);
bool index_may_hold(const struct history *h, const struct segment *s, const struct history_subject *who);
bool index_has_kind(const struct history *h, uint32_t segment, const bool kinds[EV_KINDS]); /* does it have an event of these kinds? */
uint32_t segment_of(const struct history *h, uint64_t number);                              /* Caller: the history has the event. */

/* ---- history.c */
/* Folds md to state n. Returns false if the records cannot be read back or the fold rejects one. */
bool history_fold(struct history *h, struct model *md, uint64_t n);

#endif
