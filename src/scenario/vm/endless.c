/* Loops that nothing can end. A G that computes for ever waits for nothing, so the runtime finds no deadlock, and a search would never be done with its run.
 *
 * Two proofs, both at the end of a turn of a loop:
 *
 *   closed   no instruction that the loop can reach leaves it, calls, or touches memory. Nothing needs to be computed any more: only time passes
 *   repeats  one turn of the loop, watched instruction by instruction, has left all of its frame and all memory as they were. What it reads of others'
 *            memory, and what it polls, only others can change
 *
 * Such a loop is endless if no other G can ever act again (rt_alone). Until then it may be what the others wait for, or main may return. A turn that takes
 * long (watch() has a limit), or changes something each time, proves nothing: after a while of computing without a wait the run is cut (rt_turn). */
#include "runtime/sched/point.h"
#include "scenario/vm/vm_internal.h"
#include <strings.h>

enum {
    TURN_MOST = 4096,  /* instructions of a turn that is watched */
    REGION_MOST = 256, /* and of a closed loop */
    LEAP = 1000000     /* ns that a closed loop computes at once */
};

/* What only works on the frame, and begins no panic. */
static bool is_plain(int op)
{
    switch (op) {
    case FO_const:
    case FO_str:
    case FO_mov:
    case FO_zero:
    case FO_global:
    case FO_add:
    case FO_sub:
    case FO_mul:
    case FO_and:
    case FO_or:
    case FO_xor:
    case FO_andnot:
    case FO_eq:
    case FO_ne:
    case FO_lt:
    case FO_le:
    case FO_gt:
    case FO_ge:
    case FO_neg:
    case FO_com:
    case FO_not:
    case FO_conv:
    case FO_jmp:
    case FO_back:
    case FO_jz:
    case FO_jnz:
        return true;
    default:
        return false;
    }
}

/* Returns true if nothing that follows `at` in this function leaves the loop. */
static bool is_closed(const struct vg *g, const struct form_ins *at)
{
    const struct form_ins *todo[REGION_MOST];
    bool seen[REGION_MOST] = {false};
    size_t n = 0;
    for (todo[n++] = at; n;) {
        const struct form_ins *i = todo[--n];
        if (i < at || i >= at + REGION_MOST || !is_plain(i->op))
            return false;
        if (seen[i - at])
            continue;
        seen[i - at] = true;
        bool jumps = i->op == FO_jmp || i->op == FO_back, may = i->op == FO_jz || i->op == FO_jnz;
        if (n + 2 > REGION_MOST)
            return false;
        if (jumps || may)
            todo[n++] = g->code + (jumps ? i->a : i->b);
        if (!jumps)
            todo[n++] = i + 1;
    }
    return true;
}

/* What functions of the library do that may leave everything as it was. A wait gives way to the others, a poll says what it has found. */
enum poll { POLL_NONE, POLL_WAITS, POLL_READS, POLL_TRIES };
static enum poll poll_of(const struct vg *g, const struct form_ins *i)
{
    static const struct {
        const char *begins;
        enum poll is;
    } of[] = {{"runtime.Gosched", POLL_WAITS},
              {"time.sleep", POLL_WAITS},
              {"sync/atomic.load", POLL_READS},
              {"sync/atomic.anyLoad", POLL_READS},
              {"sync/atomic.compareAndSwap", POLL_TRIES},
              {"sync.mutexTryLock", POLL_TRIES},
              {"sync.rwTry", POLL_TRIES},
              {"sync.mutexLock", POLL_READS},
              {"sync.mutexUnlock", POLL_READS},
              {"sync.rwRLock", POLL_READS},
              {"sync.rwRUnlock", POLL_READS},
              {"sync.rwLock", POLL_READS},
              {"sync.rwUnlock", POLL_READS}};
    const char *name = g->vm->f->string.v[i->a].s;
    for (size_t n = 0; i->op == FO_sys && n < sizeof of / sizeof *of; n++)
        if (strncasecmp(name, of[n].begins, strlen(of[n].begins)) == 0)
            return of[n].is;
    return i->op == FO_select && !i->d ? POLL_TRIES : POLL_NONE; /* it has a default */
}

/* Is the instruction one of a turn that may leave everything as it was? */
static bool may_repeat(const struct vg *g, const struct form_ins *i)
{
    switch (i->op) {
    case FO_store: { /* of what is there already */
        const int64_t *p = vm_seen(g->vm, g->f[i->a], i->d + i->c);
        for (int64_t n = 0; p && n < i->c; n++)
            if (vm_cell(p + i->d + n) != g->f[i->b + n])
                return false;
        return p;
    }
    case FO_sys:
    case FO_select:
        return poll_of(g, i) != POLL_NONE;
    case FO_load:
    case FO_lea:
    case FO_div:
    case FO_rem:
    case FO_shl:
    case FO_shr:
    case FO_seq:
    case FO_sne:
    case FO_slt:
    case FO_sle:
    case FO_sgt:
    case FO_sge:
    case FO_call:
    case FO_calli:
    case FO_callc:
    case FO_ret:
    case FO_aidx:
    case FO_sidx:
    case FO_fget:
    case FO_stridx:
    case FO_chanlen:
    case FO_chancap:
    case FO_maplen:
        return true;
    default:
        return is_plain(i->op);
    }
}

/* Runs one turn of the loop that begins at the next instruction. Returns true if it has changed nothing, and no other G could act meanwhile. */
static bool repeats(struct vg *g)
{
    const struct form_ins *at = g->i;
    const uint32_t depth = g->ncalls;
    const uint64_t fp = g->call[depth - 1].fp, cells = (uint64_t)g->call[depth - 1].fn->frame;
    bool same = false;
    if (cells > g->was_room)
        g->was = rt_alloc((g->was_room = 2 * cells) * sizeof *g->was);
    memcpy(g->was, g->stack + fp, cells * sizeof *g->was);
    for (int n = 0; n < TURN_MOST && !same; n++) {
        const struct form_ins *i = g->i;
        if (!may_repeat(g, i) || (i->op == FO_ret && g->ncalls == depth))
            break;
        g->i++;
        g->spent++;
        if (!vm_operation(g, i)) {
            vm_fails(g, i);
            break;
        }
        enum poll is = poll_of(g, i);
        if (is == POLL_TRIES && (i->op == FO_select ? g->f[i->a] >= 0 : g->f[0] != 0))
            break;
        if ((is == POLL_READS || is == POLL_TRIES) && !rt_alone())
            break;
        same = g->i == at && g->ncalls == depth && memcmp(g->was, g->stack + fp, cells * sizeof *g->was) == 0;
    }
    return same;
}

/* The G is in the loop that begins at the next instruction. */
static void show_loop(struct vg *g)
{
    g->i++;
    vm_show_place(g, true);
    g->i--;
}

void vm_loops(struct vg *g)
{
    if (!g->vm->searched || g->watched)
        return;
    g->look_at += g->turns;
    bool closed = is_closed(g, g->i);
    while (closed && !rt_alone()) {
        show_loop(g);
        rt_turn(LEAP, false);
    }
    if (!rt_alone())
        return;
    g->watched = true;
    bool same = closed || repeats(g);
    g->watched = false;
    if (same && rt_alone()) {
        show_loop(g);
        rt_endless();
    }
}
