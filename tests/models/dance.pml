/* The delicate dance (go1_20.c): no G is left in a queue while a P is idle and no M is on its way.
 *
 * Two stories. In the first, M1 spins with a P. The submitter M0 takes P0 from the idle list, puts G1 and then G2 (which kicks G1 into the
 * ring), and calls wakep() after each. Or it puts G1 only. Then it runs G2, or continues what it did; it does not search again. In the
 * second, P0's ring has two Gs, M1 spins with a P, and M2 has a P, does not spin and is about to drop its P. When no M can move any more, either
 * P0's queue must be empty or no P idle.
 *
 * in src/runtime/sched/runq.c swap_runnext
 *   exchange runnext seq_cst          PUT_NEXT seq_cst
 * in src/runtime/sched/runq.c runqput
 *   load runqhead acquire             -
 *   load runqtail relaxed             -
 *   store slot relaxed                -
 *   store runqtail seq_cst            PUT_TAIL seq_cst
 * in src/runtime/sched/runq.c runqempty
 *   load runqhead seq_cst             EMPTY_HEAD relaxed
 *   load runqtail seq_cst             EMPTY_TAIL seq_cst
 *   load runnext seq_cst              EMPTY_NEXT seq_cst
 *   load runqtail seq_cst             EMPTY_AGAIN relaxed
 * in src/runtime/sched/runq.c runqgrab
 *   load runqhead acquire             -
 *   load runqtail seq_cst             GRAB_TAIL relaxed
 *   call grab_runnext
 *   load runqtail relaxed             -
 *   load slot relaxed                 -
 *   store slot relaxed                -
 *   cas runqhead acq_rel relaxed      -
 * in src/runtime/sched/runq.c grab_runnext
 *   load runnext seq_cst              GRAB_NEXT relaxed
 *   cas runnext acquire relaxed       -
 * in src/runtime/sched/spin.c nmspinning
 *   load spin seq_cst                 - a rule of thumb here
 * in src/runtime/sched/spin.c needspinning
 *   load spin seq_cst                 NEED_LOAD relaxed
 * in src/runtime/sched/spin.c change
 *   load spin relaxed                 -
 *   cas spin seq_cst relaxed          CHANGE seq_cst
 * in src/runtime/sched/spin.c claim_spinning
 *   load spin seq_cst                 CLAIM_LOAD seq_cst
 *   cas spin seq_cst seq_cst          CLAIM_CAS relaxed
 * in src/runtime/sched/spin.c wakep_no_idle_p
 *   load spin seq_cst                 NO_IDLE_LOAD seq_cst
 *   load npidle seq_cst               NO_IDLE_IDLE relaxed
 *   cas spin seq_cst seq_cst          NO_IDLE_CAS relaxed
 * in src/runtime/sched/pm.c wakep
 *   call no_idle_p
 *   call claim_spinning
 *   call lock
 *   call pidleget_spinning
 *   call unclaim_spinning
 *   call unlock
 *   call startm
 * in src/runtime/sched/pm.c no_idle_p
 *   load npidle relaxed               -
 *   call wakep_no_idle_p
 *   call lock
 *   call wakep_no_idle_p
 *   call unlock
 * in src/runtime/sched/pm.c pidleput
 *   call runqempty
 *   store idle relaxed                -
 *   fetch_add npidle seq_cst          PIDLEPUT relaxed
 * in src/runtime/sched/pm.c pidleget
 *   store idle seq_cst                IDLE_CLEAR seq_cst
 *   fetch_sub npidle seq_cst          PIDLEGET relaxed
 * in src/runtime/sched/pm.c pidleget_spinning
 *   call pidleget
 *   call set_needspinning
 * in src/runtime/sched/spin.c become_spinning
 *   call change
 * in src/runtime/sched/spin.c drop_spinning
 *   call change
 * in src/runtime/generations/go1_20.c resetspinning
 *   call drop_spinning
 *   call wakep
 * in src/runtime/generations/go1_20.c drop_p
 *   call lock
 *   call unlock
 *   call unlock
 *   call needspinning
 *   call become_spinning
 *   call unlock
 *   call pidleput
 *   call releasep
 *   call unlock
 * in src/runtime/generations/go1_20.c recheck
 *   call drop_spinning
 *   call check_runqs_no_p
 *   call acquirep
 *   call become_spinning
 *   call acquirep
 *   call become_spinning
 * in src/runtime/generations/go1_20.c check_runqs_no_p
 *   load idle seq_cst                 RECHECK_IDLE seq_cst
 *   call runqempty
 *   call lock
 *   call pidleget_spinning
 *   call unlock
 * in src/runtime/generations/go1_20.c find_elsewhere
 *   call drop_p
 *   call recheck
 *   call stopm
 *
 * Notes and the idle list are plain here; note.pml has them. The ring's slots are in runq.pml.
 *
 * broken NO_RECHECK         an M that stops spinning does not look at the queues again
 * broken RECHECK_FIRST      it looks at the queues and drops nmspinning afterwards
 * broken NO_NEEDSPINNING    wakep() without an idle P does not set needspinning
 * broken NEED_UNSEEN        drop_p() does not look at needspinning
 * broken NO_WAKEP_ON_FOUND  resetspinning() does not call wakep()
 * broken LOOK_BEFORE_PUT    the submitter looks at nmspinning before it puts the G
 */
#define NTHREADS 3
#define NLOC 6
#define SPIN 0    /* nmspinning + NEED */
#define NPIDLE 1
#define IDLE 2    /* P0's */
#define HEAD 3    /* P0's ring */
#define TAIL 4
#define NEXT 5
#define NEED 16
#define COUNT(w) ((w) & 15)
#define SCHED 0   /* the lock */
#include "c11.pml"

byte pidle;       /* on the idle list, not counting P0; under the lock */
byte handed;      /* Ps that startm() has for an M */

/* ---- spin.c */

inline change(t, delta, need)
{
    atomic {
        newest(SPIN, w);
        assert(COUNT(w) + delta >= 0);
        w = w + delta;
        if
        :: need == 1 -> w = w | NEED
        :: need == 0 -> w = COUNT(w)
        :: else
        fi;
        exchange(t, SPIN, CHANGE, w, w);
        w = 0
    }
}

/* ---- pm.c. Each under the lock */

inline pidleput(t)
{
    pidle++;
    fetch_add(t, NPIDLE, PIDLEPUT, 1, w);
    w = 0
}

inline pidleget_spinning(t)
{
    if
    :: pidle > 0 -> pidle--; fetch_add(t, NPIDLE, PIDLEGET, 255, w); w = 0; got_p = true
    :: else ->
        got_p = false;
        if
        :: BROKEN(NO_NEEDSPINNING)
        :: else -> change(t, 0, 1)
        fi
    fi
}

/* The next M that sleeps, or is about to, runs the P and spins; it sees what t has seen. It makes no difference
 * whether it is a new M. */
inline startm(t)
{
    atomic { handed++; publish(t, 1) }
}

/* No M spins and no P is idle, so wakep() is done in one step. sure: the caller has the lock. */
inline wakep_no_idle_p(t, sure)
{
    done = false;
    load(t, SPIN, NO_IDLE_LOAD, w);
    do
    :: COUNT(w) != 0 -> done = true; break
    :: else ->
        if
        :: sure -> idle = 0
        :: !(sure) && (w & NEED) -> load(t, NPIDLE, NO_IDLE_IDLE, idle)
        :: else -> idle = 1
        fi;
        if
        :: idle != 0 -> break
        :: else ->
            cas(t, SPIN, NO_IDLE_CAS, NO_IDLE_CAS_FAIL, w, NEED, done);
            if
            :: done -> break
            :: else
            fi
        fi
    od;
    w = 0; idle = 0
}

inline claim_spinning(t)
{
    done = false;
    load(t, SPIN, CLAIM_LOAD, w);
    do
    :: done || COUNT(w) != 0 -> break
    :: else -> cas(t, SPIN, CLAIM_CAS, CLAIM_CAS_FAIL, w, w + 1, done)
    od;
    w = 0
}

inline claimed(t)
{
    lock(t, SCHED);
    pidleget_spinning(t);
    if
    :: !got_p -> change(t, -1, 2)
    :: else
    fi;
    unlock(t, SCHED);
    if
    :: got_p -> startm(t)
    :: else
    fi;
    got_p = false
}

inline no_idle_p(t)
{
    load(t, NPIDLE, RELAXED, idle);
    if
    :: idle != 0 -> idle = 0; done = false
    :: else ->
        wakep_no_idle_p(t, false);
        if
        :: !done ->
            lock(t, SCHED);
            done = (pidle == 0);
            if
            :: done -> wakep_no_idle_p(t, true); done = true
            :: else
            fi;
            unlock(t, SCHED)
        :: else
        fi
    fi
}

inline wakep(t)
{
    if
    :: true -> no_idle_p(t)
    :: true -> done = false /* a controller watches single steps */
    fi;
    if
    :: done
    :: else ->
        claim_spinning(t);
        if
        :: done -> claimed(t)
        :: else
        fi
    fi;
    done = false
}

/* ---- M1, M2 */

inline steal(t)
{
    got = false;
    load(t, IDLE, RELAXED, x);
    if
    :: x -> x = 0
    :: else ->
        do
        :: load(t, HEAD, ACQUIRE, h);
           load(t, TAIL, GRAB_TAIL, x);
           if
           :: x > h -> cas(t, HEAD, ACQ_REL, RELAXED, h, h + 1, got)
           :: x < h /* again */
           :: x == h ->
               load(t, NEXT, GRAB_NEXT, x);
               if
               :: x == 0 -> break
               :: else -> cas(t, NEXT, ACQUIRE, RELAXED, x, 0, got)
               fi
           fi;
           if
           :: got -> break
           :: else
           fi
        od
    fi;
    h = 0; x = 0
}

inline runqempty(t)
{
    do
    :: load(t, HEAD, EMPTY_HEAD, h);
       load(t, TAIL, EMPTY_TAIL, x);
       load(t, NEXT, EMPTY_NEXT, w);
       load(t, TAIL, EMPTY_AGAIN, idle);
       if
       :: x == idle -> none = (h == x && w == 0); break
       :: else
       fi
    od;
    h = 0; x = 0; w = 0; idle = 0
}

/* got_p: it has an idle P for the G that is there. */
inline check_runqs_no_p(t)
{
    got_p = false;
    load(t, IDLE, RECHECK_IDLE, x);
    if
    :: x -> x = 0
    :: else ->
        runqempty(t);
        if
        :: none
        :: else -> lock(t, SCHED); pidleget_spinning(t); unlock(t, SCHED)
        fi;
        none = false
    fi
}

/* again: the P is kept, or another one taken. */
inline drop_p(t)
{
    lock(t, SCHED);
    w = 0;
    if
    :: !spinning && !BROKEN(NEED_UNSEEN) -> load(t, SPIN, NEED_LOAD, w)
    :: else
    fi;
    if
    :: w & NEED -> w = 0; change(t, 1, 0); spinning = true; again = true
    :: else -> w = 0; pidleput(t); again = false
    fi;
    unlock(t, SCHED)
}

inline recheck(t)
{
    if
    :: BROKEN(RECHECK_FIRST) -> check_runqs_no_p(t); change(t, -1, 2)
    :: BROKEN(NO_RECHECK) -> change(t, -1, 2)
    :: else -> change(t, -1, 2); check_runqs_no_p(t)
    fi;
    spinning = false;
    if
    :: got_p -> change(t, 1, 0); spinning = true; again = true
    :: else
    fi;
    got_p = false
}

proctype looker(byte me; bool spinning)
{
    byte w, idle, h, x;
    bool done, got_p, got, none, again;
    do
    :: if
       :: spinning -> steal(me)
       :: else
       fi;
       if
       :: got -> break
       :: else
       fi;
       drop_p(me);
       if
       :: !again && spinning -> recheck(me)
       :: else
       fi;
       if
       :: again -> again = false
       :: else ->
end_asleep:
           atomic { handed > 0; handed--; observe(me, 1) };
           spinning = true
       fi
    od;
    change(me, -1, 2);
    if
    :: BROKEN(NO_WAKEP_ON_FOUND)
    :: else -> wakep(me)
    fi;
    leave(me) /* it runs the G and does not search */
}

/* ---- no M can move */

active proctype judge()
{
    byte head, tail, next;
    timeout;
    d_step {
        newest(HEAD, head);
        newest(TAIL, tail);
        newest(NEXT, next);
        assert(pidle == 0 || (head == tail && next == 0));
        assert(handed == 0)
    }
}

/* ---- M0: it has P0, with a queue of its own */

inline put(g)
{
    exchange(0, NEXT, PUT_NEXT, g, old);
    if
    :: old -> tail++; store(0, TAIL, PUT_TAIL, tail)
    :: else
    fi;
    old = 0
}

inline submit(g)
{
    if
    :: BROKEN(LOOK_BEFORE_PUT) -> wakep(0); put(g)
    :: else -> put(g); wakep(0)
    fi
}

inline submitter()
{
    lock(0, SCHED);
    store(0, IDLE, IDLE_CLEAR, 0);
    fetch_add(0, NPIDLE, PIDLEGET, 255, w); w = 0;
    unlock(0, SCHED);
    submit(1);
    if
    :: true
    :: true -> submit(2)
    :: true -> submit(2); exchange(0, NEXT, ACQUIRE, 0, old); old = 0
    fi
}

init
{
    byte w, idle, old, tail;
    bool done, got_p, submits;
    atomic {
        memory_init();
        if
        :: true -> initially(SPIN, 1)
        :: true -> initially(SPIN, 1 + NEED)
        fi;
        run looker(1, true);
        if
        :: true ->
            submits = true;
            initially(NPIDLE, 1);
            initially(IDLE, 1);
            leave(2)
        :: true ->
            initially(TAIL, 2);
            run looker(2, false)
        fi
    }
    if
    :: submits -> submitter()
    :: else
    fi;
    leave(0)
}
