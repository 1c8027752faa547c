/* The breakpoints of one run. Each M tests event patterns as it logs (breaks_hit), only to stop the world near the place. The fold judges
 * events and conditions in merged order and decides (breaks_before, breaks_after). The list changes only while the world is at rest. */
#ifndef GMPSCOPE_ENGINE_BREAKS_H
#define GMPSCOPE_ENGINE_BREAKS_H

#include "base/arena.h"
#include "model/query/matcher.h"
#include "model/stop.h"
#include <stdatomic.h>

#define BREAKS_LISTED 16
#define BREAKS_MAX (BREAKS_LISTED + 1) /* one more, at which a run "until …" ends */
#define BREAK_NOT_ROUND UINT32_MAX

struct break_at {
    struct pattern *pattern;
    const char *text;
};

struct breakpoint {
    struct arena arena; /* holds the pattern and the text */
    const char *text;
    uint32_t id;           /* from 1 on; 0: it is for one stop only */
    uint32_t round_p;      /* it stops a round on this P; BREAK_NOT_ROUND: an ordinary breakpoint */
    uint32_t again;        /* id 0: how many further runs to its pattern were requested */
    uint64_t event;        /* id 0: it stops at this event; 0: where its pattern says */
    struct matcher match;  /* used by the fold; `never`: it is about Ps, and only the compared run has Ps */
    _Atomic uint64_t hits; /* matches as logged; every M, relaxed: only the sum matters */
};
struct breaks {
    struct breakpoint *v[BREAKS_MAX];
    uint32_t n, made;
    int64_t judged; /* breaks_before() has judged up to this time; used by the fold */
};

/* What patterns of this run may name. other_has_p: the run that it is compared with has Ps. lang: of messages. */
struct break_words {
    const struct model_names *programs;
    bool has_p, other_has_p;
    enum lang lang;
};
/* Returns the pattern, allocated in a. NULL: the text has a mistake; *err is the message and *pos its byte offset. */
struct pattern *break_compile(struct arena *a, const struct break_words *w, const char *text, const char **err, size_t *pos);

/* Adds a breakpoint and returns it. NULL: there are too many, memory ran out, or the text is not a pattern. once: it has id 0 and
 * replaces the earlier one with that id. A condition that holds in md matches when it becomes true again; md is NULL before the run
 * begins. */
struct breakpoint *breaks_add(struct breaks *b, const struct break_words *w, const char *text, bool once, const struct model *md);
/* Sets how often it matched before it was added, because xN counts from the beginning of the run. */
void breaks_counted(struct breakpoint *k, uint64_t seen, uint64_t nth_at);
bool breaks_delete(struct breaks *b, uint32_t id);                   /* false: there is none */
struct breakpoint *breaks_find(const struct breaks *b, uint32_t id); /* NULL: there is none */
/* Writes the breakpoints that have an id, and returns how many. The list keeps their texts. */
uint32_t breaks_list(const struct breaks *b, struct break_at out[BREAKS_LISTED]);
bool breaks_has(const struct breaks *b, const char *text);
void breaks_fini(struct breaks *b);
/* Returns true if one of them can be matched only by the fold: a condition, or a text in a sentence. */
bool breaks_any_folded(const struct breaks *b);
/* Adds the breakpoint with id 0 that stops at the next core event whose sentence has the text. NULL: memory ran out. */
struct breakpoint *breaks_add_text(struct breaks *b, const struct break_words *w, const char *text, enum lang lang);

/* Sets kinds[k] for each kind of event that a breakpoint may match. */
void breaks_kinds(const struct breaks *b, bool kinds[EV_KINDS]);

/* Returns true if the world should stop after this event. It only stops near the place. Any M, on any stack. */
bool breaks_hit(struct breaks *b, uint32_t m, const struct ev *e, const char *text, size_t len);
/* Called by the fold before an event at `time`. Returns the first breakpoint whose condition becomes true by time alone, with that time
 * in *at; NULL: none. */
struct breakpoint *breaks_before(struct breaks *b, const struct model *md, int64_t time, int64_t *at);
/* Called by the fold after an event. Returns the first breakpoint that stops here; NULL: none. */
struct breakpoint *breaks_after(struct breaks *b, const struct merged_event *at);
/* Returns the stop at k. time: as in struct stop. */
struct stop break_stop(const struct breakpoint *k, int64_t time);

#endif
