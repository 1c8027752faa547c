/* Package sync/atomic: each function is one step. 32 bits are kept in 64, wrapped. seq_cst, all: Go's atomics have one order that all Gs see; the partner is
 * whatever other function here the program calls on the same cell. */
#include "runtime/sched/point.h"
#include "scenario/vm/vm_internal.h"
#include <sched.h>

#define SYS(name) static bool name(struct vg *g, int64_t *f)

/* What orders the uses of a cell, as a number that no object of the runtime has. */
static uint32_t order_of(int64_t address)
{
    return UINT32_C(1) << 31 | (uint32_t)(address - VM_FIRST);
}

/* Before the operation: others may act. order: what it releases, NOTE_NONE of a load. value: what it writes. */
static int64_t *atomic(struct vg *g, int64_t address, int64_t cells, enum ev_note order, const int64_t *value)
{
    int64_t *p = vm_at(g, address, cells);
    if (!p)
        return NULL;
    if (value)
        vm_publish(g, value, cells);
    vm_use(g, address, cells, order == NOTE_NONE ? NOTE_ATOMIC_READ : NOTE_ATOMIC_WRITE);
    if (order != NOTE_NONE && g->vm->races)
        rt_sync(order_of(address), order);
    return p;
}
/* After it: it has read. */
static bool acquired(struct vg *g, int64_t address)
{
    if (g->vm->races)
        rt_sync(order_of(address), NOTE_ACQUIRE);
    return true;
}

#define ATOMIC(name, wrap) \
    SYS(load_##name) \
    { \
        int64_t *p = atomic(g, f[1], 1, NOTE_NONE, NULL); \
        if (!p) \
            return false; \
        f[0] = __atomic_load_n(p, __ATOMIC_SEQ_CST); \
        return acquired(g, f[1]); \
    } \
    SYS(store_##name) \
    { \
        int64_t *p = atomic(g, f[0], 1, NOTE_RELEASE, f + 1); \
        if (p) \
            __atomic_store_n(p, f[1], __ATOMIC_SEQ_CST); \
        return p; \
    } \
    SYS(swap_##name) \
    { \
        int64_t *p = atomic(g, f[1], 1, NOTE_RELEASE_MERGE, f + 2); \
        if (!p) \
            return false; \
        f[0] = __atomic_exchange_n(p, f[2], __ATOMIC_SEQ_CST); \
        return acquired(g, f[1]); \
    } \
    SYS(cas_##name) \
    { \
        int64_t old = f[2], *p = atomic(g, f[1], 1, NOTE_RELEASE_MERGE, f + 3); \
        if (!p) \
            return false; \
        f[0] = __atomic_compare_exchange_n(p, &old, f[3], false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return acquired(g, f[1]); \
    } \
    SYS(add_##name) \
    { \
        int64_t *p = atomic(g, f[1], 1, NOTE_RELEASE_MERGE, NULL); \
        if (!p) \
            return false; \
        int64_t was = __atomic_load_n(p, __ATOMIC_SEQ_CST); \
        do \
            f[0] = (int64_t)(wrap)((uint64_t)was + (uint64_t)f[2]); \
        while (!__atomic_compare_exchange_n(p, &was, f[0], false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); \
        return acquired(g, f[1]); \
    } \
    SYS(and_##name) \
    { \
        int64_t *p = atomic(g, f[1], 1, NOTE_RELEASE_MERGE, NULL); \
        if (!p) \
            return false; \
        f[0] = __atomic_fetch_and(p, f[2], __ATOMIC_SEQ_CST); \
        return acquired(g, f[1]); \
    } \
    SYS(or_##name) \
    { \
        int64_t *p = atomic(g, f[1], 1, NOTE_RELEASE_MERGE, NULL); \
        if (!p) \
            return false; \
        f[0] = __atomic_fetch_or(p, f[2], __ATOMIC_SEQ_CST); \
        return acquired(g, f[1]); \
    }
ATOMIC(i32, int32_t)
ATOMIC(u32, uint32_t)
ATOMIC(i64, uint64_t)

/* ---- values of any type: [type + 1, data]. The type never changes once it is there ---- */

enum { BUSY = -1 }; /* the type while the first value is written, which takes a few instructions and no gate */

/* The type; 0: there is no value yet. */
static int64_t type_of(const int64_t *p)
{
    int64_t t = __atomic_load_n(&p[0], __ATOMIC_SEQ_CST);
    return t == BUSY ? 0 : t;
}

/* Writes the first value. Returns false if there is one. */
static bool first(int64_t *p, int64_t type, int64_t data)
{
    int64_t none = 0;
    while (!__atomic_compare_exchange_n(&p[0], &none, BUSY, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        if (none != BUSY)
            return false;
        sched_yield();
        none = 0;
    }
    __atomic_store_n(&p[1], data, __ATOMIC_SEQ_CST);
    __atomic_store_n(&p[0], type, __ATOMIC_SEQ_CST);
    return true;
}

/* func anyLoad(p *any) any */
SYS(any_load)
{
    int64_t *p = atomic(g, f[2], 2, NOTE_NONE, NULL);
    if (!p)
        return false;
    f[0] = type_of(p);
    f[1] = f[0] ? __atomic_load_n(&p[1], __ATOMIC_SEQ_CST) : 0;
    return acquired(g, f[2]);
}
/* func anySwap(p *any, v any) (old any, ok bool): not ok if the types differ */
SYS(any_swap)
{
    int64_t *p = atomic(g, f[3], 2, NOTE_RELEASE_MERGE, f + 4);
    if (!p)
        return false;
    acquired(g, f[3]); /* in lockstep at the same time as the operation */
    f[0] = f[1] = 0;
    f[2] = 1;
    if (first(p, f[4], f[5]))
        return true;
    f[0] = type_of(p);
    f[2] = f[0] == f[4];
    if (f[2])
        f[1] = __atomic_exchange_n(&p[1], f[5], __ATOMIC_SEQ_CST);
    return true;
}
/* func anyCompareAndSwap(p *any, old, v any) (swapped, ok bool) */
SYS(any_cas)
{
    int64_t *p = atomic(g, f[2], 2, NOTE_RELEASE_MERGE, f + 5);
    bool equal;
    if (!p)
        return false;
    acquired(g, f[2]); /* as in any_swap() */
    const int64_t *old = f + 3, *new = f + 5;
    f[0] = 0;
    f[1] = 1;
    if (!type_of(p)) {
        f[0] = !old[0] && first(p, new[0], new[1]);
        return true;
    }
    f[1] = type_of(p) == new[0];
    int64_t is[2] = {type_of(p), __atomic_load_n(&p[1], __ATOMIC_SEQ_CST)};
    if (!vm_equal_any(g, is, old, &equal))
        return false;
    f[0] = f[1] && equal && __atomic_compare_exchange_n(&p[1], &is[1], new[1], false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return true;
}

/* func sameType(a, b any) bool */
SYS(same_type)
{
    (void)g;
    f[0] = f[1] == f[3];
    return true;
}

#define ATOMIC_ROWS(go, name) \
    {"sync/atomic.load" go, load_##name}, {"sync/atomic.Store" go, store_##name}, {"sync/atomic.Swap" go, swap_##name}, \
        {"sync/atomic.CompareAndSwap" go, cas_##name}, {"sync/atomic.And" go, and_##name}, {"sync/atomic.Or" go, or_##name}, \
    { \
        "sync/atomic.Add" go, add_##name \
    }

const struct vm_sys vm_sys_atomics[] = {
    ATOMIC_ROWS("Int32", i32),
    ATOMIC_ROWS("Uint32", u32),
    ATOMIC_ROWS("Int64", i64),
    ATOMIC_ROWS("Uint64", i64),
    ATOMIC_ROWS("Uintptr", i64),
    {"sync/atomic.sameType", same_type},
    {"sync/atomic.anyLoad", any_load},
    {"sync/atomic.anySwap", any_swap},
    {"sync/atomic.anyCompareAndSwap", any_cas},
    {NULL, NULL},
};
