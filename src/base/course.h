/* The course of a lockstep run: all its steps, as `--exhaust` needs them. A *step* is what one M does between two baton points. The conductor
 * (conductor/course.c) follows the picks that are given, then the first alternative each time, and writes down every decision. Each step has a
 * footprint: what it touched that another M may touch. Two steps depend on each other if their footprints meet; only the order of such steps makes
 * a difference, and a sleep set keeps the search from trying both orders of two others. Plain data, owned by the baton while the run moves. */
#ifndef GMPSCOPE_BASE_COURSE_H
#define GMPSCOPE_BASE_COURSE_H

#include "base/choice.h"

enum {
    COURSE_MS = 32,        /* the most threads of a run that is tried exhaustively */
    COURSE_STEPS = 200000, /* the most steps of one run */
};

/* Footprints are sets of bits. A step that touches something without a bit of its own depends on every other step (FOOT_ALL). */
#define FOOT_ALL UINT64_MAX
#define FOOT_NONE UINT64_C(0)                              /* reads only what steps of FOOT_ALL write */
#define FOOT_QUEUE(p) (UINT64_C(1) << ((p) % 16))          /* the queue of a P, with runnext */
#define FOOT_IDLE (UINT64_C(1) << 16)                      /* idle Ps and Ms, who has which P */
#define FOOT_NOTES (UINT64_C(1) << 17)                     /* the notes on which Ms park */
#define FOOT_SHARED (UINT64_C(1) << 18)                    /* the scenario's shared integers */
#define FOOT_NEW_G (UINT64_C(1) << 19)                     /* the numbers of new Gs */
#define FOOT_OUTPUT (UINT64_C(1) << 20)                    /* what the program prints */
#define FOOT_SPINNING (UINT64_C(1) << 21)                  /* nmspinning and needspinning */
#define FOOT_LOCK(rank) (UINT64_C(1) << (24 + (rank) % 8)) /* a runtime lock, and what it protects */
#define FOOT_OBJECT(id) (UINT64_C(1) << (32 + (id) % 31))  /* the words of a mutex or of another object; a cell of a Go program */
#define FOOT_READS (UINT64_C(1) << 63)                     /* with bits above: it only reads them */

struct foot {
    uint64_t writes, reads;
};
static inline void foot_add(struct foot *f, uint64_t bits)
{
    if (bits == FOOT_ALL || !(bits & FOOT_READS))
        f->writes |= bits;
    else
        f->reads |= bits & ~FOOT_READS;
}
static inline bool foot_meets(const struct foot *a, const struct foot *b)
{
    return a->writes == FOOT_ALL || b->writes == FOOT_ALL || (a->writes & (b->writes | b->reads)) || (a->reads & b->writes);
}

/* A decision. One about the next M begins a step, also where only one M can continue. */
struct course_step {
    enum decision_kind kind;
    uint32_t pick, n; /* DECIDE_M: pick is an M; n: how many are ready */
    uint32_t ready,
        asleep; /* sets of Ms; asleep: their next steps were tried from here or from an equal place. Other kinds: ready has the outcomes
                             * that are like an earlier one (of the first 32) */
    struct foot foot; /* DECIDE_M: of the step that begins here */
};

struct course {
    /* given */
    const uint32_t *given; /* the picks of the first decisions */
    size_t ngiven;
    uint32_t asleep;             /* the sleep set before the last given pick is carried out, */
    struct foot foot[COURSE_MS]; /* with the footprint of each sleeper's next step */
    uint32_t sysmon; /* the M that acts at its deadlines: it goes before all others, and looks at what they own; COURSE_MS: none */
    bool records;    /* only writes down the decisions with an alternative, which the seed and the choices make */
    bool reduces;    /* false: each step depends on each other one, so that all orders are tried */
    /* found */
    VEC(struct course_step) step;
    size_t of_m;       /* the step that is being made, plus 1; 0: none yet */
    struct foot now;   /* its footprint so far */
    uint32_t alike;    /* of the decision that comes next: the outcomes that are like an earlier one */
    bool depends;      /* from now on each step depends on each other one */
    bool over;         /* the program has ended: nothing more is written down */
    bool blocked;      /* all ready Ms sleep: what follows was tried elsewhere */
    bool too_large;    /* more threads or steps than fit */
    bool lost, astray; /* memory ran out; the given picks are not of this program */
};

#endif
