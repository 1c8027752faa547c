/* A lesson that is played: which entry is armed, and when the ones before it were met. As with breakpoints (breaks.h), Ms test event
 * patterns as they log, so that the world stands near the place, and the fold finds the place in merged order. Each entry is armed
 * when the one before it was met, and met once; so nothing fires again in a past that is looked at. */
#ifndef GMPSCOPE_ENGINE_LESSON_H
#define GMPSCOPE_ENGINE_LESSON_H

#include "engine/breaks.h"
#include "scenario/scenario.h"

#define LESSON_OFF UINT32_MAX

struct lesson_step {
    struct pattern *pattern;             /* NULL: met at once, or (never) not in this run */
    bool stops, never;
    uint64_t met_at;                     /* the event behind which it was met; the fold's */
    uint64_t seen;                       /* matches in merged order since it was armed; the fold's */
    _Atomic uint64_t hits;               /* the same as logged; every M, relaxed: only the sum matters */
};
struct lesson {
    struct arena arena;
    struct lesson_step *v;
    uint32_t n;
    bool on;
    uint32_t met;                        /* entries that were met; the next one is armed; the fold's */
    _Atomic uint32_t armed;              /* the same as the Ms see it, or LESSON_OFF; relaxed: see lesson_hit() */
};

/* The entries of the scenario; it is off. One about Ps is skipped where the generation has none. False: out of memory. */
bool lesson_init(struct lesson *l, const struct scenario *sc, const struct break_words *w);
void lesson_fini(struct lesson *l);
/* On: from its first entry. n: the events that were folded. True: an entry was met at once, and stops. */
bool lesson_set(struct lesson *l, bool on, uint64_t n);
/* Goes on in another run of the same scenario, which has come to event n: what was met behind it is still to come. */
void lesson_carry(const struct lesson *from, struct lesson *to, uint64_t n);
/* Does one that is still to come ask for the state? */
bool lesson_any_when(const struct lesson *l);
/* An M, right after it has logged that event: shall the world stop? About the place only. */
bool lesson_hit(struct lesson *l, uint32_t m, const struct ev *e, const char *text, size_t len);
/* The fold, after event number n: is an entry met that stops? */
bool lesson_after(struct lesson *l, const struct model *md, uint64_t n, uint32_t m, const struct ev *e, const char *text, size_t len);
/* How many were met up to event n. */
uint32_t lesson_met(const struct lesson *l, uint64_t n);

#endif
