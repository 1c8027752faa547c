/* P's run queue: its owner puts and gets, thieves steal. Each G must be taken exactly once, and the thread that takes it must see its fields.
 *
 * in src/runtime/sched/runq.c runqputslow
 *   load slot relaxed                 -
 *   cas runqhead acq_rel relaxed      SLOW_CAS relaxed
 * in src/runtime/sched/runq.c swap_runnext
 *   exchange runnext seq_cst          PUT_NEXT release
 * in src/runtime/sched/runq.c runqput
 *   load runqhead acquire             PUT_HEAD relaxed
 *   load runqtail relaxed             -
 *   store slot relaxed                PUT_SLOT relaxed
 *   store runqtail seq_cst            PUT_TAIL release
 * in src/runtime/sched/runq.c runqget
 *   load runnext relaxed              -
 *   exchange runnext acquire          TAKE_NEXT relaxed
 * in src/runtime/sched/runq.c runqget_ring
 *   load runqhead acquire             GET_HEAD relaxed
 *   load runqtail relaxed             -
 *   load slot relaxed                 -
 *   cas runqhead acq_rel relaxed      TAKE_HEAD relaxed
 * in src/runtime/sched/runq.c grab_runnext
 *   load runnext seq_cst              GRAB_NEXT relaxed
 *   cas runnext acquire relaxed       GRAB_NEXT_CAS acquire
 * in src/runtime/sched/runq.c runqgrab
 *   load runqhead acquire             GRAB_HEAD relaxed
 *   load runqtail seq_cst             GRAB_TAIL acquire
 *   call grab_runnext
 *   load runqtail relaxed             -
 *   load slot relaxed                 -
 *   store slot relaxed                - behind the thief's own tail
 *   cas runqhead acq_rel relaxed      GRAB_CAS release
 *
 * Some operations of the owner need weaker orders than the code has: only the owner writes slots, so coherence keeps its reads of them in order
 * with its later writes. Where dance.pml needs a stronger order than this model, its head says so.
 *
 * A thief's batch counts as taken when it has moved the head, and so do the Gs that runqputslow() moves to the global queue.
 *
 * broken GRAB_LATE_COPY    runqgrab() reads the slots after the CAS
 * broken GRAB_NO_CAS       runqgrab() stores the head without comparing
 * broken GRAB_NO_BOUND     runqgrab() copies more than half a ring
 * broken TAIL_FIRST        runqput() publishes the tail before it writes the slot
 * broken PUT_NO_LOOK       runqput() does not check whether the ring is full
 * broken SLOW_NO_CHECK     runqputslow() ignores that its CAS failed
 * broken NEXT_BLIND        runqget() ignores what the exchange of runnext returns
 * broken NEXT_LOAD         swap_runnext() kicks a G that it loaded before the exchange
 * broken GET_STORE         runqget() stores the head although there are thieves
 * broken GRAB_NEXT_STORE   grab_runnext() stores NULL without comparing
 */
#define SIZE 2 /* of the ring */
#define THIEVES 1
#define TRIES 2
#define GS 5
#define NTHREADS (1 + THIEVES)
#define HEAD 0
#define TAIL 1
#define NEXT 2
#define SLOT(i) (3 + (i) % SIZE)
#define FIELDS(g) (2 + SIZE + (g))
#define NLOC (3 + SIZE + GS)
#define OWNER 0
#include "c11.pml"

bool taken[GS + 1];
byte thieves = THIEVES;

inline take(t, gp)
{
    atomic {
        assert(gp != 0 && !taken[gp]);
        taken[gp] = true;
        plain_load(t, FIELDS(gp))
    }
}

inline read_batch(t, start)
{
    i = 0;
    do
    :: i < n -> load(t, SLOT(start + i), RELAXED, batch[i]); i++
    :: else -> break
    od;
    i = 0
}

inline take_batch(t)
{
    do
    :: n > 0 -> n--; take(t, batch[n]); batch[n] = 0
    :: else -> break
    od
}

/* The slots are read, then the head moves from h by n. Without release in the CAS the reads may come after it. */
inline read_and_move(t, o, fail, late)
{
    if
    :: !(late) ->
        read_batch(t, h);
        cas(t, HEAD, o, fail, h, h + n, ok)
    :: late || NOT_RELEASE(o) ->
        from = h;
        cas(t, HEAD, o, fail, h, h + n, ok);
        if
        :: ok -> read_batch(t, from)
        :: else
        fi;
        from = 0
    fi
}

/* ---- the owner. `tail` is what it stored last */

inline runqputslow(gp)
{
    n = (tail - h) / 2;
    assert(n == SIZE / 2);
    read_and_move(OWNER, SLOW_CAS, SLOW_CAS_FAIL, false);
    if
    :: ok || BROKEN(SLOW_NO_CHECK) -> take_batch(OWNER); take(OWNER, gp); done = true
    :: else
    fi
}

inline store_tail(gp)
{
    if
    :: BROKEN(TAIL_FIRST) -> store(OWNER, TAIL, PUT_TAIL, tail + 1); store(OWNER, SLOT(tail), PUT_SLOT, gp)
    :: else -> store(OWNER, SLOT(tail), PUT_SLOT, gp); store(OWNER, TAIL, PUT_TAIL, tail + 1)
    fi;
    tail++;
    done = true
}

inline put_tail(gp)
{
    done = false;
    do
    :: done -> break
    :: else ->
        load(OWNER, HEAD, PUT_HEAD, h);
        if
        :: tail - h >= SIZE && !BROKEN(PUT_NO_LOOK) -> runqputslow(gp)
        :: else -> store_tail(gp)
        fi
    od;
    n = 0; h = 0; ok = false; done = false
}

inline runqput(gp)
{
    plain_store(OWNER, FIELDS(gp));
    if
    :: BROKEN(NEXT_LOAD) -> load(OWNER, NEXT, RELAXED, old); exchange(OWNER, NEXT, PUT_NEXT, gp, n); n = 0
    :: else -> exchange(OWNER, NEXT, PUT_NEXT, gp, old)
    fi;
    if
    :: old -> put_tail(old)
    :: else
    fi;
    old = 0
}

inline take_runnext()
{
    exchange(OWNER, NEXT, TAKE_NEXT, 0, n);
    if
    :: n == old || BROKEN(NEXT_BLIND) -> take(OWNER, old); got = true
    :: else
    fi;
    n = 0
}

inline take_head()
{
    n = 1;
    if
    :: BROKEN(GET_STORE) -> read_batch(OWNER, h); store(OWNER, HEAD, ACQ_REL, h + 1); ok = true
    :: else -> read_and_move(OWNER, TAKE_HEAD, TAKE_HEAD_FAIL, false)
    fi;
    if
    :: ok -> take_batch(OWNER); got = true
    :: else
    fi
}

inline runqget()
{
    got = false;
    load(OWNER, NEXT, RELAXED, old);
    if
    :: old -> take_runnext()
    :: else
    fi;
    old = 0;
    do
    :: got -> break
    :: else ->
        load(OWNER, HEAD, GET_HEAD, h);
        if
        :: h == tail -> break
        :: else -> take_head()
        fi
    od;
    n = 0; h = 0; ok = false
}

/* ---- a thief */

inline grab_runnext()
{
    load(me, NEXT, GRAB_NEXT, next);
    if
    :: next == 0 -> tries--
    :: else ->
        if
        :: BROKEN(GRAB_NEXT_STORE) -> store(me, NEXT, RELEASE, 0); ok = true
        :: else -> cas(me, NEXT, GRAB_NEXT_CAS, GRAB_NEXT_CAS_FAIL, next, 0, ok)
        fi;
        if
        :: ok -> take(me, next); tries--
        :: else
        fi
    fi;
    next = 0
}

inline grab_ring()
{
    assert(n <= SIZE / 2); /* else it overruns the thief's own ring */
    if
    :: BROKEN(GRAB_NO_CAS) -> read_batch(me, h); store(me, HEAD, GRAB_CAS, h + n); ok = true
    :: else -> read_and_move(me, GRAB_CAS, GRAB_CAS_FAIL, BROKEN(GRAB_LATE_COPY))
    fi;
    if
    :: ok -> take_batch(me); tries--
    :: else
    fi
}

inline runqgrab()
{
    load(me, HEAD, GRAB_HEAD, h);
    load(me, TAIL, GRAB_TAIL, last);
    n = last - h; /* modulo 256, so it is huge if the head is newer than the tail */
    n = n - n / 2;
    if
    :: n == 0 -> grab_runnext()
    :: n > SIZE / 2 && !BROKEN(GRAB_NO_BOUND) /* again */
    :: else -> grab_ring()
    fi;
    h = 0; n = 0; last = 0; ok = false;
    batch[0] = 0
}

proctype thief(byte me)
{
    byte h, n, i, from, next, last, tries = TRIES, batch[SIZE];
    bool ok;
    do
    :: tries == 0 -> break
    :: else -> runqgrab()
    od;
    publish(me, 1);
    leave(me);
    thieves--
}

init
{
    byte tail, h, n, i, from, old, batch[SIZE];
    bool ok, got, done;
    atomic {
        memory_init();
        for (i : 1 .. THIEVES) {
            run thief(i)
        }
        i = 0
    }
    runqput(1);
    runqput(2);
    runqput(3);
    runqget();
    runqput(4);
    runqput(5);
    thieves == 0;
    observe(OWNER, 1);
    do
    :: runqget();
       if
       :: got
       :: else -> break
       fi
    od;
    for (i : 1 .. GS) {
        assert(taken[i])
    }
}
