/* A scheduling policy for gmpscope: functions that answer what Go's scheduler decides, in a shared object (`gmpscope lab new NAME` writes one).
 *
 * A run with --policy FILE.so has Go's scheduler, but asks these functions at its decisions. Each takes values and returns a value. A member that is
 * NULL is decided as in Go 1.20. The object exports one variable:
 *
 *     const struct gmpscope_policy gmpscope_policy = {GMPSCOPE_POLICY, "mine", .next_place = next_place};
 *
 * Rules: an answer depends on the arguments alone, because several threads ask at once, and a run must be repeatable. The stack has 8 KiB, which is
 * too little for printf(). An answer that is not possible is replaced by Go's, and is an event (`policy_wrong`). A function that crashes, or
 * uses the CPU for half a second, ends the run with the policy's name. */
#ifndef GMPSCOPE_POLICY_H
#define GMPSCOPE_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#define GMPSCOPE_POLICY 1 /* version of this header, the first member below */

enum policy_place {
    POLICY_RUNNEXT,   /* the P's single slot in front of its ring */
    POLICY_RING_HEAD, /* only in next_place(): Gs are put at the tail */
    POLICY_RING_TAIL, /* in next_place(): the last G of the ring; the others are put back */
    POLICY_GLOBAL,    /* the queue of all Ps, under its lock */
    POLICY_STEAL      /* only in next_place(), and only if the P has no G of its own */
};

enum policy_why { POLICY_NEW, POLICY_READY, POLICY_YIELDED, POLICY_PREEMPTED };

/* What Go's rules may look at, of the P that asks. Other threads may change the queues meanwhile. */
struct policy_view {
    uint32_t procs, p; /* GOMAXPROCS; this P, from 0 */
    uint32_t tick;     /* schedtick: Gs that it has started, without those that inherited a time slice */
    uint32_t ring_len, ring_size, global_len;
    uint32_t spinning, idle_procs;
    bool has_runnext;
    int64_t now; /* ns */
};

struct gmpscope_policy {
    uint32_t version; /* GMPSCOPE_POLICY */
    const char *name; /* letters, digits, - and _ */
    /* Where the P takes its next G. A GLOBAL takes one G if the P has Gs of its own or its tick is a multiple of 61, else global_batch(). */
    enum policy_place (*next_place)(const struct policy_view *v);
    /* Where a G goes that is new, was woken, yields, or was preempted: RUNNEXT, RING_TAIL or GLOBAL. */
    enum policy_place (*put)(const struct policy_view *v, enum policy_why why);
    uint32_t (*steal_amount)(uint32_t victim_len); /* 1 to victim_len */
    /* How many Gs move from the global queue to this P: 1 to global_len, and at most half a ring. */
    uint32_t (*global_batch)(uint32_t global_len, uint32_t procs, uint32_t ring_size);
    bool (*may_spin)(uint32_t spinning, uint32_t busy); /* may a thread without work look for some? busy: Ps that are not idle */
    /* The P from which to steal. look counts from 0 in each search: four passes over `procs` Ps. random is drawn for each pass: below procs * φ(procs). One's own
     * P is passed over. */
    uint32_t (*victim)(const struct policy_view *v, uint32_t look, uint32_t random);
    int64_t (*slice)(const struct policy_view *v); /* ns after which a G is preempted, at least 1000. now: the time at which sysmon asks */
};

extern const struct gmpscope_policy gmpscope_policy;

#endif
