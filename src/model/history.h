/* The past of a run: all its events, and a way to the state after any of them (design 8).
 *
 * Not thread-safe: one lock around all calls, the fold's. What history_move() makes is the caller's.
 */
#ifndef GMPSCOPE_MODEL_HISTORY_H
#define GMPSCOPE_MODEL_HISTORY_H

#include "model/model.h"

struct history;

#define HISTORY_BUDGET (UINT64_C(256) << 20)   /* the default */
#define HISTORY_LEAST (UINT64_C(64) << 10)     /* less makes no sense: a keyframe of two Ps has 20 KiB */
#define HISTORY_FILE 16                         /* budgets that may lie in the file: 4 GiB, more than 100 million events */

struct history_config {
    uint64_t budget;          /* bytes of records and keyframes in memory; what is more goes to an unlinked file in TMPDIR */
    uint32_t segment;         /* events from keyframe to keyframe, a power of two; 0: as many as suit the budget */
};

/* `start`: the state before the first event. NULL: out of memory. */
struct history *history_new(const struct model *start, const struct history_config *cfg);
void history_free(struct history *h);
/* One more event; `md` has just applied it. False: out of memory, or it does not follow the one before: this event and all
 * after it are not known. */
bool history_add(struct history *h, const struct model *md, uint32_t m, const struct ev *e, const char *text, size_t len);

/* Events are numbered from 1. States are numbered by the events that led to them: 0 is the start. */
uint64_t history_events(const struct history *h);
/* The oldest state that can be reached: 0, unless the temporary file failed or is full and the oldest segments were dropped. */
uint64_t history_oldest(const struct history *h);

struct history_event {
    uint64_t number;
    uint32_t m;
    struct ev ev;
    const char *text;         /* not NUL-terminated; good until the next call that reads or adds */
    size_t len;
};
/* False: there is no such event, or it can not be read back. */
bool history_get(struct history *h, uint64_t number, struct history_event *out);
/* The nearest event for which `is` says yes, from event `from` on upwards (step 1) or downwards (step -1). 0: none. */
typedef bool history_test(void *ctx, const struct history_event *e);
uint64_t history_find(struct history *h, uint64_t from, int step, history_test *is, void *ctx);
/* The last state at which no event later than `time` has happened. */
uint64_t history_at(struct history *h, int64_t time);
/* Lines printed up to state n. */
uint64_t history_prints(struct history *h, uint64_t n);

/* Brings *md (NULL: there is none yet) to state n, by folding it on or from the nearest keyframe. False: there is no such state, or
 * no memory; then *md is as it was or NULL. */
bool history_move(struct history *h, struct model **md, uint64_t n);

struct history_stats {
    uint64_t bytes;           /* in memory, keyframes included */
    uint64_t key_bytes, file_bytes;
    uint32_t segments, keyframes, spilled; /* spilled: segments in the file */
};
struct history_stats history_stats(const struct history *h);

#endif
