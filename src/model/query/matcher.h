/* A pattern that is followed through the merged events of a run. Breakpoints, lesson entries, claims and replay all use it to decide
 * what matches. */
#ifndef GMPSCOPE_MODEL_MATCHER_H
#define GMPSCOPE_MODEL_MATCHER_H

#include "model/query/pattern.h"

/* One event in merged order. md is the state after it; NULL is allowed where no pattern is a condition. text is not NUL-terminated. */
struct merged_event {
    const struct model *md;
    uint64_t number; /* from 1 */
    uint32_t m;
    const struct ev *e;
    const char *text;
    size_t len;
};

/* A matcher that is zero except for the pattern has seen nothing. */
struct matcher {
    const struct pattern *pattern;
    const char *says; /* not NULL: and a core event whose sentence in that language has this text */
    enum lang lang;
    bool never;      /* it cannot match in this run, so it is not judged */
    bool state;      /* `when`: the condition held after the last event */
    uint64_t seen;   /* matches so far */
    uint64_t nth_at; /* xN: the event of the N-th match; 0: not yet */
};

/* Returns true for a core event whose sentence has the text, whatever the case of its letters. */
bool sentence_has(const struct merged_event *at, const char *text, enum lang lang);
/* If the event matches, counts it and returns true. A condition matches when it becomes true, not at each event while it holds. */
bool matcher_event(struct matcher *k, const struct merged_event *at);
/* The same for a condition that becomes true by time alone, at `time`, before the next event. */
bool matcher_time(struct matcher *k, const struct model *md, int64_t time);
/* Returns true if a match at event n is the one that the pattern asks for. Without xN, every match is. A replayed matcher already knows
 * nth_at. */
bool matcher_is_nth(struct matcher *k, uint64_t n);
/* Returns the first time after `after` at which the condition may change without an event; INT64_MAX: never. */
int64_t matcher_change_after(const struct matcher *k, const struct model *md, int64_t after);
/* Starts counting from here. */
void matcher_reset(struct matcher *k, const struct pattern *p);

#endif
