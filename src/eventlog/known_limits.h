/* The ways in which a version of Go is known to break work conservation: a G is runnable, a P is idle, and no M is on its way. Each
 * generation lists its own (runtime/generations/generation.h). If a G is left waiting, the fold finds out which of these ways applies
 * (model/work_conservation.c), and counts it under the same name. go_issue_N is golang.org/issue/N.
 *
 *   go_issue_55160  up to 1.21: Gosched and a preemption put the G into the global queue and wake no M. An M without a P, which has already
 *                   checked that queue, parks
 *   go_issue_63555  1.15 to 1.22: injectglist counts the idle Ps, then puts the remaining Gs into its own ring and wakes no M
 *   go_issue_45867  1.17 to 1.19: an M that does not spin drops its P, while a spinning M finds work and finds no idle P to wake.
 *                   needspinning (1.20) fixes it
 *   handoff_race    since 1.1: the same race, but handoffp makes the P idle. handoffp does not check needspinning, not even in Go 1.22.
 *                   No issue of Go is known to describe it
 *   wakep_race      since 1.20: while wakep looks for an idle P, it counts as one spinning M. It finds none and sets needspinning.
 *                   Before it leaves the count again, an M starts to spin and clears needspinning. That M finds a G and wakes no other,
 *                   because the count says that one spins. Found by explore; no issue of Go is known to describe it
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

/* A set of known limits has one bit for each limit. */
#define KNOWN(name) (UINT32_C(1) << KNOWN_BIT_##name)
/* Not a limit of Go: a what-if switch has turned off the step that would have woken an M. */
#define KNOWN_SWITCH (UINT32_C(1) << KNOWN_BITS)

#endif
