/* The inside of the history, for history.c (records, keyframes, the way to a state) and history_store.c (where they lie). */
#ifndef GMPSCOPE_MODEL_HISTORY_INTERNAL_H
#define GMPSCOPE_MODEL_HISTORY_INTERNAL_H

#include "base/arena.h"
#include "model/history.h"

struct htext { uint32_t i, off; };           /* event i of its segment has text from `off` on, up to the next note's */

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
};

struct history {
    uint64_t budget, events;
    uint32_t size;                           /* events in a full segment */
    VEC(struct segment) seg;
    uint64_t bytes, key_bytes, file_end;     /* bytes: of records in memory */
    int fd;                                  /* the temporary file, -1: none yet */
    bool no_file;                            /* it could not be made or written just now, or is full */
    uint32_t loaded[2];                      /* segments read back, by their place; UINT32_MAX: none */
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

/* ---- history.c: folds md on to state n; false: it can not be read, or the fold refuses. */
bool history_fold(struct history *h, struct model *md, uint64_t n);

#endif
