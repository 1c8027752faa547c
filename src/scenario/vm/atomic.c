/* Package sync/atomic: each function is one step. 32 bits are kept in 64, wrapped. */
#include "runtime/sched/point.h"
#include "scenario/vm/vm_internal.h"
#include <sched.h>

#define SYS(name) static bool name(struct vg *g, int64_t *f)

#define ATOMIC(name, wrap) \
    SYS(load_##name) \
    { \
        int64_t *p = vm_at(g, f[1], 1); \
        rt_point(); \
        if (p) \
            f[0] = __atomic_load_n(p, __ATOMIC_SEQ_CST); \
        return p; \
    } \
    SYS(store_##name) \
    { \
        int64_t *p = vm_at(g, f[0], 1); \
        rt_point(); \
        if (p) \
            __atomic_store_n(p, f[1], __ATOMIC_SEQ_CST); \
        return p; \
    } \
    SYS(swap_##name) \
    { \
        int64_t *p = vm_at(g, f[1], 1); \
        rt_point(); \
        if (p) \
            f[0] = __atomic_exchange_n(p, f[2], __ATOMIC_SEQ_CST); \
        return p; \
    } \
    SYS(cas_##name) \
    { \
        int64_t *p = vm_at(g, f[1], 1), old = f[2]; \
        rt_point(); \
        if (p) \
            f[0] = __atomic_compare_exchange_n(p, &old, f[3], false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return p; \
    } \
    SYS(add_##name) \
    { \
        int64_t *p = vm_at(g, f[1], 1); \
        rt_point(); \
        if (!p) \
            return false; \
        int64_t was = __atomic_load_n(p, __ATOMIC_SEQ_CST); \
        do \
            f[0] = (int64_t)(wrap)((uint64_t)was + (uint64_t)f[2]); \
        while (!__atomic_compare_exchange_n(p, &was, f[0], false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); \
        return true; \
    } \
    SYS(and_##name) \
    { \
        int64_t *p = vm_at(g, f[1], 1); \
        rt_point(); \
        if (p) \
            f[0] = __atomic_fetch_and(p, f[2], __ATOMIC_SEQ_CST); \
        return p; \
    } \
    SYS(or_##name) \
    { \
        int64_t *p = vm_at(g, f[1], 1); \
        rt_point(); \
        if (p) \
            f[0] = __atomic_fetch_or(p, f[2], __ATOMIC_SEQ_CST); \
        return p; \
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
    int64_t *p = vm_at(g, f[2], 2);
    rt_point();
    if (!p)
        return false;
    f[0] = type_of(p);
    f[1] = f[0] ? __atomic_load_n(&p[1], __ATOMIC_SEQ_CST) : 0;
    return true;
}
/* func anySwap(p *any, v any) (old any, ok bool): not ok if the types differ */
SYS(any_swap)
{
    int64_t *p = vm_at(g, f[3], 2);
    rt_point();
    if (!p)
        return false;
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
    int64_t *p = vm_at(g, f[2], 2);
    bool equal;
    rt_point();
    if (!p)
        return false;
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
