/* The operations on the memory of c11.h. A model defines NTHREADS and NLOC (at most 15) before it includes this file.
 * t is the thread, l the location, o the order, v the value or the variable for it.
 */
#define RELAXED 0
#define ACQUIRE 1
#define RELEASE 2
#define ACQ_REL 3
#define SEQ_CST 4
#define NOT_RELEASE(o) (order[o] == RELAXED || order[o] == ACQUIRE)
#define BROKEN(variant) (broken == variant)

c_decl {
    enum { C11_LOCS = NLOC, C11_THREADS = NTHREADS };
\#include "c11.h"
};
c_state "struct c11 c11" "Global"

/* Set by `run`, which numbers the names of the orders and of the broken variants. */
hidden byte order[64];
hidden byte broken;

byte R_t, R_l, R_o, R_v, R_at, R_last; /* arguments; 0 between two operations */

#define ARGS(t, l, o, v) R_t = t; R_l = l; R_o = order[o]; R_v = v
#define CLEAR c_code { c11_forget_all(&now.c11); }; R_t = 0; R_l = 0; R_o = 0; R_v = 0; R_at = 0; R_last = 0

inline memory_init() { c_code { c11_set(order, &broken); c11_init(&now.c11); } }

/* Any value that the thread may read. */
inline load(t, l, o, v)
{
    atomic {
        ARGS(t, l, o, 0);
        c_code { now.R_at = c11_oldest(&now.c11, now.R_t, now.R_l, now.R_o); now.R_last = now.c11.n[now.R_l] - 1; };
        do
        :: R_at < R_last -> R_at++
        :: break
        od;
        c_code { now.R_v = c11_load(&now.c11, now.R_t, now.R_l, now.R_o, now.R_at); };
        v = R_v;
        CLEAR
    }
}

inline store(t, l, o, v)
{
    d_step {
        ARGS(t, l, o, v);
        c_code { c11_append(&now.c11, now.R_t, now.R_l, now.R_o, now.R_v, 0); };
        CLEAR
    }
}

/* old: the previous value. */
inline exchange(t, l, o, v, old)
{
    d_step {
        ARGS(t, l, o, v);
        c_code { now.R_v = c11_rmw(&now.c11, now.R_t, now.R_l, now.R_o, now.R_v); };
        old = R_v;
        CLEAR
    }
}

inline fetch_add(t, l, o, v, old)
{
    d_step {
        ARGS(t, l, o, v);
        c_code { now.R_v = c11_rmw(&now.c11, now.R_t, now.R_l, now.R_o, c11_newest(&now.c11, now.R_l) + now.R_v); };
        old = R_v;
        CLEAR
    }
}

/* Strong. ok: the value was `expected`. Otherwise that variable gets any value that the thread may read, except the
 * expected one. */
inline cas(t, l, o, fail, expected, v, ok)
{
    atomic {
        ARGS(t, l, o, v);
        c_code { now.R_at = c11_newest(&now.c11, now.R_l); };
        if
        :: R_at == expected ->
            c_code { c11_rmw(&now.c11, now.R_t, now.R_l, now.R_o, now.R_v); };
            ok = true
        :: else -> /* the newest value is never the expected one here; an older, different one may be read, too */
            R_o = order[fail];
            c_code { now.R_at = c11_oldest(&now.c11, now.R_t, now.R_l, now.R_o); now.R_last = now.c11.n[now.R_l] - 1; };
            do
            :: R_at < R_last -> R_at++
            :: c_expr { now.c11.val[now.R_l][now.R_at] } != expected -> break
            od;
            c_code { now.R_v = c11_load(&now.c11, now.R_t, now.R_l, now.R_o, now.R_at); };
            expected = R_v;
            ok = false
        fi;
        CLEAR
    }
}

/* The newest value, as the kernel sees it in futex_wait(). */
inline newest(l, v)
{
    d_step {
        ARGS(0, l, 0, 0);
        c_code { now.R_v = c11_newest(&now.c11, now.R_l); };
        v = R_v;
        CLEAR
    }
}

inline plain_store(t, l)
{
    d_step {
        ARGS(t, l, 0, 0);
        c_code { now.R_v = c11_sees_newest(&now.c11, now.R_t, now.R_l); };
        assert(R_v); /* else two stores race */
        c_code { c11_append(&now.c11, now.R_t, now.R_l, RELAXED, 0, 0); };
        CLEAR
    }
}

inline plain_load(t, l)
{
    d_step {
        ARGS(t, l, 0, 0);
        c_code { now.R_v = c11_sees_newest(&now.c11, now.R_t, now.R_l); };
        assert(R_v); /* else a store races with the load */
        CLEAR
    }
}

bool locked[2];

inline lock(t, k)
{
    d_step {
        !locked[k];
        locked[k] = true;
        ARGS(t, k, 0, 0);
        c_code { now.c11.view[now.R_t] = c11_join(now.c11.view[now.R_t], now.c11.lock_view[now.R_l]); };
        CLEAR
    }
}

inline unlock(t, k)
{
    d_step {
        locked[k] = false;
        ARGS(t, k, 0, 0);
        c_code { now.c11.lock_view[now.R_l] = now.c11.view[now.R_t]; };
        CLEAR
    }
}

/* membarrier(): each thread passes a full barrier. */
inline barrier_for_all()
{
    d_step {
        c_code {
            unsigned long long all = 0;
            for (int i = 0; i < NTHREADS; i++)
                all = c11_join(all, now.c11.view[i]);
            for (int i = 0; i < NTHREADS; i++)
                now.c11.view[i] = all;
        }
    }
}

/* A thread that observes k later sees what t has seen. */
inline publish(t, k)
{
    d_step {
        ARGS(t, k, 0, 0);
        c_code { now.c11.lock_view[now.R_l] = c11_join(now.c11.lock_view[now.R_l], now.c11.view[now.R_t]); };
        CLEAR
    }
}

inline observe(t, k)
{
    d_step {
        ARGS(t, k, 0, 0);
        c_code { now.c11.view[now.R_t] = c11_join(now.c11.view[now.R_t], now.c11.lock_view[now.R_l]); };
        CLEAR
    }
}

/* t reads nothing more. */
inline leave(t) { d_step { ARGS(t, 0, 0, 0); c_code { c11_end(&now.c11, now.R_t); }; CLEAR } }

/* Sets the initial value of a location, which is 0 otherwise. */
inline initially(l, v) { d_step { ARGS(0, l, 0, v); c_code { now.c11.val[now.R_l][0] = now.R_v; }; CLEAR } }
