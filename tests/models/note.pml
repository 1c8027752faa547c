/* An M parks on its note and is woken, three times. No wake-up is lost, and the M that is woken sees the P that it was given.
 *
 * in src/runtime/sched/pm.c stopm
 *   call lock
 *   call unlock
 *   call unlock
 *   call note_sleep
 *   call note_clear
 *   call acquirep
 * in src/conductor/wait.c note_clear
 *   store waiter relaxed              -
 *   store key relaxed                 -
 * in src/conductor/wait.c note_enter
 *   store waiter relaxed              -
 *   cas key acq_rel acquire           ENTER release acquire
 * in src/conductor/wait.c note_leave
 *   cas key acquire acquire           LEAVE relaxed
 * in src/conductor/wait.c wake_note
 *   exchange key acq_rel              WAKE acq_rel
 *   load waiter relaxed               -
 *   call wake_in_lockstep
 * in src/conductor/free.c has_reason
 *   load key acquire                  REASON acquire
 *   load netbreak acquire             -
 *   load got relaxed                  -
 * in src/conductor/futex_wait.c word_look
 *   load word acquire                 LOOK acquire
 * in src/conductor/futex_wait.c announce_sleep
 *   cas word release relaxed          ANNOUNCE relaxed
 * in src/conductor/futex_wait.c word_sleep
 *   call announce_sleep
 *   call futex_wait
 *   call clear_sleep_bits
 * in src/conductor/futex_wait.c clear_sleep_bits
 *   fetch_and word relaxed            AWAKE relaxed
 * in src/conductor/futex_wait.c kick_waiter
 *   fetch_add word release            KICK release
 *   call futex_wake
 *
 * broken CLEAR_LATE        the note is cleared when the M is on the idle list again
 * broken CLEAR_NEVER       it is not cleared
 * broken REASON_FIRST      the M looks at its reason to continue before it looks at its word
 * broken ANNOUNCE_BLIND    it announces its sleep with a store
 * broken WAITER_LATE       note_enter() stores the waiter after the swap
 * broken KICK_QUIET        kick_waiter() does not call futex_wake()
 */
#define NTHREADS 2
#define ROUNDS 3
#define NLOC 4
#define KEY 0
#define WAITER 1
#define WORD 2
#define NEXTP 3   /* not atomic */
#define SLEEPER 0
#define WAKER 1
#define SCHED 0   /* the lock */
#define ASLEEP 1
#define ONE_KICK 8
#include "c11.pml"

bool idle;        /* on the list of idle Ms; under the lock */
bool in_kernel;

inline note_clear()
{
    store(SLEEPER, WAITER, RELAXED, 0);
    store(SLEEPER, KEY, RELAXED, 0)
}

inline futex_wait(value)
{
    atomic {
        newest(WORD, old);
        if
        :: old == (value) -> in_kernel = true
        :: else
        fi
    };
    !in_kernel
}

inline announce()
{
    if
    :: BROKEN(ANNOUNCE_BLIND) -> store(SLEEPER, WORD, RELEASE, seen | ASLEEP); ok = true
    :: else -> expected = seen; cas(SLEEPER, WORD, ANNOUNCE, ANNOUNCE_FAIL, expected, seen | ASLEEP, ok)
    fi
}

inline awake()
{
    atomic { newest(WORD, old); exchange(SLEEPER, WORD, AWAKE, old & 248, old) }
}

inline wait_here()
{
    do
    :: if
       :: BROKEN(REASON_FIRST) -> load(SLEEPER, KEY, REASON, key)
       :: else
       fi;
       load(SLEEPER, WORD, LOOK, seen);
       if
       :: BROKEN(REASON_FIRST)
       :: else -> load(SLEEPER, KEY, REASON, key)
       fi;
       if
       :: key == 1 -> break
       :: else ->
           announce();
           if
           :: ok -> futex_wait(seen | ASLEEP); awake()
           :: else
           fi
       fi
    od;
    key = 2;
    cas(SLEEPER, KEY, LEAVE, LEAVE_FAIL, key, 0, ok)
}

inline note_sleep()
{
    key = 0;
    if
    :: BROKEN(WAITER_LATE) -> cas(SLEEPER, KEY, ENTER, ENTER_FAIL, key, 2, ok); store(SLEEPER, WAITER, RELAXED, 1)
    :: else -> store(SLEEPER, WAITER, RELAXED, 1); cas(SLEEPER, KEY, ENTER, ENTER_FAIL, key, 2, ok)
    fi;
    if
    :: ok -> wait_here()
    :: else
    fi
}

inline stopm()
{
    lock(SLEEPER, SCHED);
    assert(!idle);
    idle = true;
    unlock(SLEEPER, SCHED);
    if
    :: BROKEN(CLEAR_LATE) -> note_clear()
    :: else
    fi;
    note_sleep();
    if
    :: BROKEN(CLEAR_LATE) || BROKEN(CLEAR_NEVER)
    :: else -> note_clear()
    fi;
    plain_store(SLEEPER, NEXTP) /* it takes the P, if startm() has put it there */
}

inline wake()
{
    exchange(WAKER, KEY, WAKE, 1, old);
    if
    :: old == 2 ->
        load(WAKER, WAITER, RELAXED, old);
        if
        :: old ->
            fetch_add(WAKER, WORD, KICK, ONE_KICK, old);
            if
            :: (old & ASLEEP) && !BROKEN(KICK_QUIET) -> in_kernel = false
            :: else
            fi
        :: else
        fi
    :: else
    fi
}

proctype waker()
{
    byte old, round;
    for (round : 1 .. ROUNDS) {
        atomic { idle; lock(WAKER, SCHED) };
        idle = false;
        plain_store(WAKER, NEXTP);
        unlock(WAKER, SCHED);
        wake()
    }
    leave(WAKER)
}

init
{
    byte old, round, key, seen, expected;
    bool ok;
    atomic {
        memory_init();
        run waker()
    }
    for (round : 1 .. ROUNDS) {
        stopm()
    }
    assert(!idle);
    leave(SLEEPER)
}
