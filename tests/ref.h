/* A reference scheduler for tests of the fold: one thread, plain arrays. It takes random legal steps for many Ms,
 * logs them as the runtime would (eventlog/README.md), and can show its own memory as a snapshot. So each history
 * comes with the state to which it must lead, computed by code other than the fold. */
#ifndef GMPSCOPE_TESTS_REF_H
#define GMPSCOPE_TESTS_REF_H

#include "base/prng.h"
#include "eventlog/events.h"
#include "eventlog/snapshot.h"

#define REF_P 4
#define REF_M 12
#define REF_G 4096
#define REF_RING 4

struct ref_event {
    uint32_t m;
    struct ev ev;
};

struct ref_g {
    uint32_t status, reason, seq, place, where, slot, obj, fn, i, by;
};
struct ref_p {
    uint32_t status, m, head, tail, runnext, tick, seq, timerseq, ntimers;
    uint32_t ring[REF_RING];
    struct snap_timer timers[REF_G];
    bool idle;
};
struct ref_m {
    bool started, spinning, blocked;
    uint32_t p, nextp, curg, oldp;
};

struct ref {
    struct prng rand;
    struct ref_event *log;
    uint32_t nlog, cap;
    int64_t now;
    uint32_t lockseq, spinseq, outseq, nmspinning;
    bool needspinning;
    uint32_t ng, nm;
    uint32_t globq[REF_G], nglobq, idlep[REF_P], nidlep, idlem[REF_M], nidlem;
    struct ref_g g[REF_G];
    struct ref_p p[REF_P];
    struct ref_m m[REF_M];
    struct snap_counts did; /* goroutines and m_created are ng and nm */
};

/* Boots M0 with main (G1) running on P0. `base` is where all sequence numbers begin, except those of the Gs and the
 * rings' indices (0 in a real run). */
struct ref *ref_new(uint64_t seed, uint32_t base);
void ref_free(struct ref *r);
/* Takes random steps until at least n events are logged. */
void ref_run(struct ref *r, uint32_t n);
bool ref_snapshot(const struct ref *r, struct snapshot *out);

#endif
