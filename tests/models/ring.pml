/* A ring of the event log: one producer, one consumer. Each record is read once, in order and whole, and the producer does not sleep forever.
 *
 * in src/eventlog/log.h ring_advance
 *   store newest release              - merge.pml
 *   store tail release                PUT_TAIL release
 *   load tail relaxed                 -
 * in src/eventlog/log.h ring_put_words
 *   load tail relaxed                 -
 *   call ring_advance
 * in src/eventlog/log.h ring_batch_end
 *   load tail relaxed                 -
 *   call ring_advance
 * in src/eventlog/ring.c ring_room
 *   load head acquire                 ROOM_HEAD acquire
 *   call ring_wait
 *   store lost relaxed                -
 *   load lost relaxed                 -
 * in src/eventlog/ring.c ring_wait
 *   store waiting seq_cst             WAIT_STORE seq_cst
 *   load growth seq_cst               -
 *   load head seq_cst                 WAIT_HEAD seq_cst
 *   load closed seq_cst               WAIT_CLOSED seq_cst
 *   store waiting relaxed             -
 * in src/eventlog/log.c first_reading
 *   load tail acquire                 -
 *   load newest acquire               - merge.pml
 * in src/eventlog/log.c second_reading
 *   load tail acquire                 READ_TAIL acquire
 * in src/eventlog/ring.c ring_publish
 *   store head seq_cst                PUBLISH seq_cst
 *   call ring_wake
 * in src/eventlog/ring.c ring_wake
 *   load waiting seq_cst              WAKE_LOAD seq_cst
 *   exchange waiting seq_cst          WAKE_EXCHANGE relaxed
 * in src/eventlog/log.c log_close
 *   store closed seq_cst              CLOSE seq_cst
 *   call ring_wake
 *
 * The slots are not atomic: a side that uses a slot must see what the other side did with it before. (A read counts as a store here, so that the
 * next record's write must see it.) The consumer reads `stop` records and then, if there are more, closes the log. It never asks the ring to grow
 * here: that request has the form of WAIT_STORE and WAKE_LOAD, with growth in the place of head, and test_ring_growth tries it with threads.
 *
 * broken TAIL_FIRST        the producer publishes the record before it writes it
 * broken WAIT_NO_LOOK      ring_wait() does not look at the head again
 * broken WAKE_FIRST        ring_publish() looks for a sleeper before it stores the head
 * broken PUBLISH_EARLY     the consumer gives the slot back before it reads it
 * broken CLOSE_QUIET       log_close() does not wake the producer
 */
#define NTHREADS 2
#define SIZE 1
#define RECORDS 3
#define NLOC 5
#define HEAD 0
#define TAIL 1
#define WAITING 2
#define CLOSED 3
#define SLOT 4
#define PRODUCER 0
#define CONSUMER 1
#include "c11.pml"

bool asleep;      /* the producer, in the kernel */
byte published;   /* the newest tail */
byte stop;
bool free_slot = true; /* read, or never written */

inline futex_wait()
{
    atomic {
        newest(WAITING, w);
        if
        :: w == 1 -> asleep = true
        :: else
        fi
    };
    !asleep;
    w = 0
}

inline ring_wake(t)
{
    load(t, WAITING, WAKE_LOAD, x);
    if
    :: x -> exchange(t, WAITING, WAKE_EXCHANGE, 0, x); if :: x -> asleep = false :: else fi
    :: else
    fi;
    x = 0
}

inline ring_wait()
{
    do
    :: store(PRODUCER, WAITING, WAIT_STORE, 1);
       if
       :: BROKEN(WAIT_NO_LOOK)
       :: else -> load(PRODUCER, HEAD, WAIT_HEAD, head)
       fi;
       if
       :: tail < head + SIZE -> store(PRODUCER, WAITING, RELAXED, 0); break
       :: else ->
           load(PRODUCER, CLOSED, WAIT_CLOSED, w);
           if
           :: w -> w = 0; store(PRODUCER, WAITING, RELAXED, 0); lost = true; break
           :: else -> futex_wait()
           fi
       fi
    od
}

inline ring_room()
{
    if
    :: tail < head + SIZE
    :: else ->
        load(PRODUCER, HEAD, ROOM_HEAD, head);
        if
        :: tail < head + SIZE
        :: else -> ring_wait()
        fi
    fi
}

inline write_slot()
{
    atomic { assert(free_slot); free_slot = false; plain_store(PRODUCER, SLOT) }
}

inline publish_tail()
{
    atomic { tail++; store(PRODUCER, TAIL, PUT_TAIL, tail); published = tail }
}

proctype producer()
{
    byte tail, head, w;
    bool lost;
    do
    :: tail == RECORDS || lost -> break
    :: else ->
        ring_room();
        if
        :: lost
        :: !lost && BROKEN(TAIL_FIRST) -> publish_tail(); write_slot()
        :: else -> write_slot(); publish_tail()
        fi
    od;
    assert(!lost || stop < RECORDS);
    leave(PRODUCER)
}

inline read_slot()
{
    atomic { plain_store(CONSUMER, SLOT); free_slot = true; next++ }
}

inline ring_publish()
{
    if
    :: BROKEN(WAKE_FIRST) -> ring_wake(CONSUMER); store(CONSUMER, HEAD, PUBLISH, next)
    :: else -> store(CONSUMER, HEAD, PUBLISH, next); ring_wake(CONSUMER)
    fi
}

init
{
    byte next, last, x;
    atomic {
        memory_init();
        select(stop : 0 .. RECORDS);
        run producer()
    }
    do
    :: next == stop -> break
    :: next < stop && published > next ->
        load(CONSUMER, TAIL, READ_TAIL, last);
        if
        :: next == last
        :: next != last && BROKEN(PUBLISH_EARLY) -> next++; ring_publish(); next--; read_slot()
        :: else -> read_slot(); ring_publish()
        fi
    od;
    if
    :: stop < RECORDS ->
        store(CONSUMER, CLOSED, CLOSE, 1);
        if
        :: BROKEN(CLOSE_QUIET)
        :: else -> ring_wake(CONSUMER)
        fi
    :: else
    fi;
    leave(CONSUMER)
}
