/* runqempty() never calls a queue empty that was not. The owner's runnext is G1. It puts G2, which kicks G1 into the ring, then takes G2 and runs
 * it. The queue has a G all the time.
 *
 * in src/runtime/sched/runq.c swap_runnext
 *   exchange runnext seq_cst          -
 * in src/runtime/sched/runq.c runqput
 *   load runqhead acquire             -
 *   load runqtail relaxed             -
 *   store slot relaxed                -
 *   store runqtail seq_cst            PUT_TAIL seq_cst
 * in src/runtime/sched/runq.c runqget
 *   load runnext relaxed              -
 *   exchange runnext acquire          TAKE_NEXT relaxed
 * in src/runtime/sched/runq.c runqget_ring
 *   load runqhead acquire             -
 *   load runqtail relaxed             -
 *   load slot relaxed                 -
 *   cas runqhead acq_rel relaxed      -
 * in src/runtime/sched/runq.c runqempty
 *   load runqhead seq_cst             EMPTY_HEAD relaxed
 *   load runqtail seq_cst             EMPTY_TAIL relaxed
 *   load runnext seq_cst              EMPTY_NEXT relaxed
 *   load runqtail seq_cst             EMPTY_AGAIN seq_cst
 *
 * broken S1                runqempty() does not look at the tail again
 */
#define NTHREADS 2
#define NLOC 3
#define HEAD 0
#define TAIL 1
#define NEXT 2
#define OWNER 0
#define OTHER 1
#include "c11.pml"

proctype owner()
{
    byte old;
    exchange(OWNER, NEXT, SEQ_CST, 2, old);
    assert(old == 1);
    store(OWNER, TAIL, PUT_TAIL, 1);
    exchange(OWNER, NEXT, TAKE_NEXT, 0, old);
    leave(OWNER)
}

init
{
    byte head, tail, next, again;
    atomic {
        memory_init();
        initially(NEXT, 1);
        run owner()
    }
    do
    :: load(OTHER, HEAD, EMPTY_HEAD, head);
       load(OTHER, TAIL, EMPTY_TAIL, tail);
       load(OTHER, NEXT, EMPTY_NEXT, next);
       load(OTHER, TAIL, EMPTY_AGAIN, again);
       if
       :: tail == again || BROKEN(S1) -> break
       :: else
       fi
    od;
    assert(head != tail || next != 0);
    leave(OTHER)
}
