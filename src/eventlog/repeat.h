/* Repeated object operations as one event.
 *
 * A G that locks and unlocks a mutex in a loop, or that fills a channel, logs nothing else. A run on a screen in free mode does not need each of
 * these operations, only the state that they lead to. So an M counts operations of one G on one object (struct repeat), and logs one event for
 * all of them, with the field `times`. It does so before it logs any other event, before it may stop, and after REPEAT_MAX operations at the
 * latest. So whenever an M is stopped, its ring holds all that it did.
 *
 * Other Ms may use the object meanwhile, and their events may be folded first. The state does not depend on that order:
 *
 *   chan_op        the event has the number and the result of its last operation; the fold keeps the result with the highest number
 *   waitgroup_op   the counter changes by `add`, `times` times
 *   mutex_op       a pair of lock and unlock leaves nothing; locks are numbered, so the fold knows which is the last, and whether it has ended
 *   rwmutex_op     a pair of rlock and runlock leaves nothing
 *
 * Rejected: to log the time of each operation; reading the clock takes longer than an uncontended lock. To log objects only while a pane shows
 * them: most layouts show them. To read the objects' state at each stop: the state would have a second source next to the log.
 *
 * Lockstep, steps, breakpoints, claims and lists of events get each operation by itself (runtime/sched/emit.h). */
#ifndef GMPSCOPE_EVENTLOG_REPEAT_H
#define GMPSCOPE_EVENTLOG_REPEAT_H

#include "eventlog/events.h"

#define REPEAT_MAX 256u
#define REPEAT_EVENTS 2 /* the most events that repeat_end() writes */

/* Operations that are not logged yet. */
struct repeat {
    uint64_t head, ab; /* of the first one: the G, its P, the object, the operation */
    uint64_t cd;       /* of the last one */
    uint64_t cd_pair;  /* of the last complete pair */
    uint32_t times;    /* operations, or complete pairs; 0 and not open: none */
    bool open;         /* the first half of one more pair */
    uint8_t points;    /* how many points of its program the G has passed since the last operation; the runtime counts them */
};

enum repeat_role {
    REPEAT_NEVER,
    REPEAT_EQUAL,  /* operations that are alike become one event */
    REPEAT_OPENS,  /* the first half of a pair, */
    REPEAT_CLOSES, /* and the second */
};

/* word_b: word B of the event. */
static inline enum repeat_role repeat_role(int kind, uint32_t word_b)
{
    switch (kind) {
    case EV_WAITGROUP_OP:
        return REPEAT_EQUAL;
    case EV_CHAN_OP:
        return word_b >= CHAN_OP_CLOSE ? REPEAT_NEVER : REPEAT_EQUAL;
    case EV_MUTEX_OP:
        return word_b == MUTEX_OP_LOCK ? REPEAT_OPENS : word_b == MUTEX_OP_UNLOCK ? REPEAT_CLOSES : REPEAT_NEVER;
    case EV_RWMUTEX_OP:
        return word_b == RWMUTEX_OP_RLOCK ? REPEAT_OPENS : word_b == RWMUTEX_OP_RUNLOCK ? REPEAT_CLOSES : REPEAT_NEVER;
    default:
        return REPEAT_NEVER;
    }
}

static inline bool repeat_pending(const struct repeat *r)
{
    return r->times || r->open;
}

/* Counts an event, given as three words (EV_HEAD, EV_PAIR). Returns false if it does not continue these operations; then the caller ends them.
 * Inline, because the role is a constant of most callers. */
static inline bool repeat_join(struct repeat *r, enum repeat_role role, uint64_t head, uint64_t ab, uint64_t cd)
{
    bool same = head == r->head && (role == REPEAT_EQUAL ? ab == r->ab : EV_FIRST(ab) == EV_FIRST(r->ab));
    bool fits = role == REPEAT_CLOSES ? r->open : !r->open && r->times > 0 && r->times < REPEAT_MAX;
    if (role == REPEAT_NEVER || !same || !fits)
        return false;
    r->open = role == REPEAT_OPENS;
    r->points = 0;
    r->times += role != REPEAT_OPENS;
    r->cd = cd;
    if (role == REPEAT_CLOSES)
        r->cd_pair = cd;
    return true;
}

/* Starts to count with this event. Caller: nothing is pending. Returns false if no count begins with such an event. */
static inline bool repeat_begin(struct repeat *r, enum repeat_role role, uint64_t head, uint64_t ab, uint64_t cd)
{
    if (role == REPEAT_NEVER || role == REPEAT_CLOSES)
        return false;
    *r = (struct repeat){.head = head, .ab = ab, .cd = cd, .times = role == REPEAT_EQUAL, .open = role == REPEAT_OPENS};
    return true;
}

struct repeat_words {
    uint64_t head, ab, cd;
};

/* Writes the events that stand for the operations, and empties r. Returns how many. */
uint32_t repeat_end(struct repeat *r, struct repeat_words out[REPEAT_EVENTS]);

#endif
