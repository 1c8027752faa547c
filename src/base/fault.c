/* Who takes faults: fault.h. */
#include "base/fault.h"

#include <stdatomic.h>
#include <stddef.h>

static bool (*_Atomic taker)(int sig); /* relaxed: written before the first fault that is for it, by that thread or its maker */

void fault_taker(bool (*take)(int sig))
{
    atomic_store_explicit(&taker, take, memory_order_relaxed);
}

bool fault_taken(int sig)
{
    bool (*take)(int) = atomic_load_explicit(&taker, memory_order_relaxed);
    return take && take(sig);
}
