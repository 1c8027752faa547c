/* The breakpoints of one run. Ms test event patterns as they log (breaks_hit); the fold judges events and conditions in merged
 * order and has the last word (breaks_before, breaks_after). The list changes only while the world is stopped. */
#ifndef GMPSCOPE_ENGINE_BREAKS_H
#define GMPSCOPE_ENGINE_BREAKS_H

#include "base/arena.h"
#include "model/pattern.h"
#include <stdatomic.h>

#define BREAKS_LISTED 16
#define BREAKS_MAX (BREAKS_LISTED + 1)       /* one more: the one at which a run "until …" ends */

struct break_at { struct pattern *pattern; const char *text; };

struct breakpoint {
    struct arena arena;                  /* holds the pattern and the text */
    struct pattern *pattern;
    const char *text;
    uint32_t id;                         /* from 1 on; 0: it is for one stop only */
    uint64_t seen;                       /* matches in merged order; the fold's */
    uint64_t hit_at;                     /* xN: the event behind which the N-th was, 0: not yet; the fold's */
    bool never;                          /* it is about Ps, and only the run beside this one has some */
    bool state;                          /* `when`: what it was after the last event; the fold's */
    _Atomic uint64_t hits;               /* matches as logged; every M, relaxed: only the sum matters */
};
struct breaks {
    struct breakpoint *v[BREAKS_MAX];
    uint32_t n, made;
    int64_t judged;                      /* up to here breaks_before() has looked; the fold's */
};

/* What patterns may speak of in this run. */
struct break_words { const struct model_names *programs; bool has_p, p_beside; }; /* p_beside: in the run that it is compared with */
/* NULL: a mistake; err says what, *pos is its byte offset. The pattern lies in a. */
struct pattern *break_compile(struct arena *a, const struct break_words *w, const char *text, const char **err, size_t *pos);

/* Its id, or UINT32_MAX: too many, or no memory, or no pattern. `once`: id 0, instead of the one there was. md: a condition that
 * holds in it is met when it comes true again; NULL: the run has not begun. */
uint32_t breaks_add(struct breaks *b, const struct break_words *w, const char *text, bool once, const struct model *md);
/* That is what it has matched before it was added (xN counts from the beginning of the run). While all Ms stand still. */
void breaks_counted(struct breakpoint *k, uint64_t seen, uint64_t hit_at);
bool breaks_delete(struct breaks *b, uint32_t id);       /* false: there is none */
/* The listed ones; how many. The texts stay the list's. */
uint32_t breaks_list(const struct breaks *b, struct break_at out[BREAKS_LISTED]);
void breaks_fini(struct breaks *b);
bool breaks_any_when(const struct breaks *b);

/* Any M, on whatever stack: shall the world stop after this event? Near the place only. */
bool breaks_hit(struct breaks *b, uint32_t m, const struct ev *e, const char *text, size_t len);
/* The fold, before an event of that time: does a condition come true by time alone? Then *at is when. NULL: none. */
struct breakpoint *breaks_before(struct breaks *b, const struct model *md, int64_t time, int64_t *at);
/* The fold, after event number n: the first that stops here, NULL: none. md is not read where there is no condition. */
struct breakpoint *breaks_after(struct breaks *b, const struct model *md, uint64_t n, uint32_t m, const struct ev *e, const char *text, size_t len);

#endif
