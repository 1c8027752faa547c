/* The ways in which a version of Go is known to break work conservation (a G lies runnable beside an idle P and nobody is on the way).
 * A generation lists those that it has (runtime/generations/generation.h), the fold tells by which one a G was left (model/work_conservation.c), and for each
 * there is a counter of the same name. go_issue_N is golang.org/issue/N.
 *
 *   go_issue_55160  up to 1.21: Gosched, and a preemption, put the G into the global queue and wake nobody; an M without P that has
 *                   looked there already parks
 *   go_issue_63555  1.15 to 1.22: injectglist counts the idle Ps, then puts the rest into its own ring and wakes nobody
 *   go_issue_45867  1.17 to 1.19: an M that does not spin drops its P while one that spun finds work, and no idle P to be woken;
 *                   needspinning (1.20) mends it
 *   handoff_race    1.1 on: the same race, but it is handoffp that lets the P become idle. It looks at no needspinning either (nor does
 *                   Go 1.22), and no issue of Go's is known to tell of it
 *   wakep_race      1.20 on: while wakep looks for an idle P, it counts as one that spins. It finds none and sets needspinning; before it
 *                   takes itself out of the count again, an M starts to spin, which takes needspinning back, finds a G, and calls nobody,
 *                   for somebody spins. Found by explore; no issue of Go's is known to tell of it
 */
#ifndef GMPSCOPE_EVENTLOG_KNOWN_LIMITS_H
#define GMPSCOPE_EVENTLOG_KNOWN_LIMITS_H

#include <stdint.h>

#define KNOWN_LIST(X) X(go_issue_55160) X(go_issue_63555) X(go_issue_45867) X(handoff_race) X(wakep_race)

enum known_bit {
#define X(name) KNOWN_BIT_##name,
    KNOWN_LIST(X)
#undef X
    KNOWN_BITS
};

/* Sets of them: one bit each. */
#define KNOWN(name) (UINT32_C(1) << KNOWN_BIT_##name)
/* None of them: a what-if switch has turned off what would have woken somebody. */
#define KNOWN_SWITCH (UINT32_C(1) << KNOWN_BITS)

#endif
