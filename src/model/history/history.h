/* The history of a run: all its events, the state after any of them, and queries over stretches of it.
 *
 * Not thread-safe: the lock of the fold protects all calls. The caller owns what history_move() returns.
 */
#ifndef GMPSCOPE_MODEL_HISTORY_H
#define GMPSCOPE_MODEL_HISTORY_H

#include "model/model.h"

struct history;

#define HISTORY_BUDGET (UINT64_C(256) << 20) /* the default */
#define HISTORY_LEAST (UINT64_C(64) << 10)   /* the minimum: a keyframe of two Ps has 20 KiB */
#define HISTORY_FILE 16                      /* the most bytes in the file, in budgets: with the default 4 GiB, some 600 million events */

struct history_config {
    uint64_t budget;  /* bytes of records, keyframes and indexes in memory; the rest goes to an unlinked file in TMPDIR */
    uint32_t segment; /* events from keyframe to keyframe, a power of two; 0: chosen by the budget */
};

/* start: the state before the first event. Returns NULL if memory ran out. */
struct history *history_new(const struct model *start, const struct history_config *cfg);
void history_free(struct history *h);
/* Adds an event. Caller: md has just applied it. Returns false if memory ran out or the event is not the next one; the history then
 * lacks this event and all later ones. */
bool history_add(struct history *h, const struct model *md, uint32_t m, const struct ev *e, const char *text, size_t len);

/* The same for n events, which md has just applied together (model_offer_record) and which have one time. Caller: the history takes n more
 * in one go. */
bool history_add_record(struct history *h, const struct model *md, uint32_t m, const struct ev *e, uint32_t n);
/* Notes that a G has reached an operation (model_place) after the last event. That is no event. Returns false if memory ran out. */
bool history_add_place(struct history *h, uint32_t g, uint32_t op);
/* False: a keyframe is due among the next n events, so they must be added one by one. */
bool history_takes(const struct history *h, uint32_t n);

/* Events are numbered from 1. State n is the one after event n; state 0 is the start. */
uint64_t history_events(const struct history *h);
/* Returns the oldest state that can be reached: 0, unless the temporary file failed or is full, so that segments were dropped. */
uint64_t history_oldest(const struct history *h);
/* Returns true if the temporary file could not be created or written when it was needed last. */
bool history_file_fails(const struct history *h);

/* ---- recording ---- */

struct run_writer;
struct run_head;
/* Writes the whole run to a run file (trace/run_file.h): first what has happened, then each segment when it is full. The file also takes the place of
 * the temporary file; if it fails, there is one again. Takes `to` over, if it returns true. Returns false if the oldest events are gone or cannot be
 * read back, or if the writer fails; then nothing has changed, and a recording before this one continues. Otherwise *before is that recording, which
 * the caller ends and frees, or NULL. */
bool history_record(struct history *h, struct run_writer *to, struct run_writer **before);
/* Writes what is new. To be called about once a second, and whenever the run rests. Returns false if the recording has failed. */
bool history_flush(struct history *h);
/* The events come from this reader, in order. The history then keeps no copy of a segment that the file has as it is (run_reader_passed). Caller: there
 * is no event yet; the reader lives as long as events are asked for. */
struct run_reader;
void history_replays(struct history *h, const struct run_reader *from);
/* Returns the writer, for its size and errors, and to end it: later events are then not recorded. NULL: nothing is recorded. */
struct run_writer *history_recording(const struct history *h);

struct history_event {
    uint64_t number;
    uint32_t m;
    struct ev ev;
    const char *text; /* not NUL-terminated; valid until the next call that reads or adds */
    size_t len;
};
/* Returns false if there is no such event or it cannot be read back. */
bool history_get(struct history *h, uint64_t number, struct history_event *out);
/* history_find() returns the number of the nearest event for which `is` returns true, from event `from` on upwards (step 1) or downwards
 * (step -1); 0 if there is none. */
typedef bool history_test(void *ctx, const struct history_event *e);
uint64_t history_find(struct history *h, uint64_t from, int step, history_test *is, void *ctx);
/* A search of the same kind in pieces, for long histories. */
struct history_search {
    history_test *is;
    void *ctx;
    const bool *kinds; /* [EV_KINDS]: `is` returns false for all other kinds, and is not called for them; NULL: it may accept any */
    uint64_t most;     /* look at no more events than this, about */
};
/* Returns the number of the nearest match. 0: there was none so far, and *next is where the search continues, 0 at its end. */
uint64_t history_search(struct history *h, uint64_t from, int step, const struct history_search *what, uint64_t *next);
/* Returns the last state before any event that is later than `time`. */
uint64_t history_at(struct history *h, int64_t time);
/* Returns the present level of each kind (enum history_level), valid until the next event. */
const uint32_t *history_levels(const struct history *h);

/* Moves *md (NULL: none yet) to state n, by folding it or a copy of the nearest keyframe. Returns false if there is no such state or
 * memory ran out; *md is then unchanged or NULL. */
bool history_move(struct history *h, struct model **md, uint64_t n);

/* ---- queries ---- */

/* What a P does at a moment. */
enum p_doing {
    P_DOES_NOTHING,  /* it does not exist yet, or was destroyed */
    P_DOES_RUN,      /* its M runs a G */
    P_DOES_SCHEDULE, /* its M is in the scheduler and does not spin */
    P_DOES_SPIN,
    P_DOES_SYSCALL, /* its G is in a system call */
    P_DOES_IDLE,    /* no M has it */
    P_DOES_STOP,    /* P_GCSTOP */
    P_DOES_UNKNOWN, /* the source of the events does not say */
    P_DOINGS
};
enum history_level {
    LEVEL_RUNNABLE,
    LEVEL_RUNNING,
    LEVEL_SYSCALL,
    LEVEL_WAITING,
    LEVEL_SPINNING,
    LEVEL_IDLE_MS,
    LEVELS
}; /* Gs by status; nmspinning; Ms on the idle list */

struct history_bin_p {
    int64_t ns[P_DOINGS]; /* they add up to the bin's length */
    uint64_t starts;      /* g_start events on this P in the bin */
    uint32_t g;           /* the last G that it had started by the end of the bin, 0: none */
    uint32_t m;           /* the M that runs it at the end of the bin, EV_NONE: none */
    enum p_doing doing;   /* at the end of the bin */
};
struct history_bin {
    uint64_t from, to;        /* events from + 1 … to, so states from … to */
    int64_t start, end;       /* scenario time, ns */
    int64_t level_ns[LEVELS]; /* the integral over time; divided by end - start it is the average */
    uint32_t peak[LEVELS];    /* the highest value in any state of the bin */
    uint32_t level[LEVELS];   /* the value at the end of the bin */
    uint64_t kinds[EV_KINDS]; /* events by kind */
};
struct history_bins {
    uint32_t n, np;          /* np: Ps ever made in the run; a P that is made later does nothing until then */
    struct history_bin *bin; /* n */
    struct history_bin_p *p; /* n times np: p[i * np + id] */
};
/* Divides the events after state `from`, up to state `to`, into n bins of equal numbers of events (as near as possible). False: no such
 * states, n is 0, the records cannot be read back, or out of memory. */
bool history_bins_by_event(struct history *h, uint64_t from, uint64_t to, uint32_t n, struct history_bins *out);
/* Divides the time from `start` to `end` into n bins of equal length. `end` may be later than the last event. An event exactly at the
 * end of a bin belongs to that bin. False: as above. */
bool history_bins_by_time(struct history *h, int64_t start, int64_t end, uint32_t n, struct history_bins *out);
void history_bins_free(struct history_bins *b);

/* The subject of a chain of events. */
enum subject_kind { SUBJECT_G, SUBJECT_M, SUBJECT_P, SUBJECT_OBJECT };
struct history_subject {
    enum subject_kind kind;
    uint32_t id;
    uint32_t reasons; /* of an object: the wait reasons (bits 1 << WAIT_REASON_…) of its kind of object; 0: any */
};
/* An event is about a G, M or P if the record or one of its fields names it. It is about an object if a G parks for the object, or if a
 * G that has waited for it is made ready. Gs that a batch moves without naming them are not found. */
bool history_concerns(struct history *h, const struct history_event *e, const struct history_subject *s);
/* Returns the number of the nearest event about the subject, from event `from` on upwards (step 1) or downwards (step -1), but not behind
 * event `to`. 0: none, or the records cannot be read back. Segments without the subject are skipped by a filter. In a segment with
 * thousands of Gs the filter skips nothing, and a look at an event takes some 10 ns: `to` limits what one frame looks at. */
uint64_t history_chain(struct history *h, const struct history_subject *s, uint64_t from, uint64_t to, int step);

/* Stores the event that put a G, M or P where it is in the state `now` of this run (came.c); 0: it was there before event `after` + 1.
 * Returns false if that is too far back to be found in some 30 ms, or if memory ran out. */
bool history_came(struct history *h, const struct model *now, const struct history_subject *s, uint64_t after, uint64_t *event);

struct history_stats {
    uint64_t bytes; /* in memory, keyframes included */
    uint64_t key_bytes, file_bytes;
    uint64_t query_bytes;                  /* of `bytes`: what the queries need in addition to records and keyframes */
    uint32_t segments, keyframes, spilled; /* spilled: segments in the file */
};
struct history_stats history_stats(const struct history *h);

#endif
