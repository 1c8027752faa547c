/* What one G does that another can notice: uses of memory that more than one G can reach.
 *
 * Memory is divided into blocks, and each G takes its own. A block belongs to its G, and no other can have an address in it, until the G lets one out: as an
 * argument of `go`, through a channel, or into memory that is shared already. Then the whole object is shared, with all that its cells lead to. A number
 * that only looks like an address shares more than needed, never less. So what a G does with its own memory costs nothing and is no point, as with
 * variables in its frame, and everything else is a point, in the footprint of its step, and a note for the race detector.
 *
 * A run that begins in free mode, and looks for no races, does not ask: all its memory counts as shared, and nothing of this is done. */
#include "runtime/sched/point.h"
#include "scenario/vm/vm_internal.h"

enum { FIRST = 32, WHOLE = 1024 }; /* cells that a G takes at once: first, and most */
#define TOUCHED 64                 /* cells after which a footprint has all bits that cells have */

struct vm_blocks {
    uint64_t n, room;
    struct {
        uint64_t from, to;
    } v[];
};

/* relaxed, all: a G sees its own number only in blocks that it wrote itself, and any other value says that the block is not its own */
static uint32_t owner_of(const struct vm *vm, uint64_t block)
{
    return atomic_load_explicit(&vm->owner[block], memory_order_relaxed);
}
static void set_owner(struct vm *vm, uint64_t block, uint32_t owner)
{
    atomic_store_explicit(&vm->owner[block], owner, memory_order_relaxed);
}

/* ---- a G's own memory ---- */

static uint64_t alloc_large(struct vg *g, uint64_t cells)
{
    uint64_t blocks = (cells + VM_BLOCK - 1) / VM_BLOCK, at = vm_take(g->vm, blocks * VM_BLOCK);
    for (uint64_t n = 0; n < blocks; n++)
        set_owner(g->vm, at / VM_BLOCK + n, n ? g->id | VM_CONTINUES : g->id);
    return at;
}

uint64_t vm_alloc_own(struct vg *g, uint64_t cells)
{
    uint64_t at = g->own_at, rest = at % VM_BLOCK;
    if (cells > VM_BLOCK)
        return alloc_large(g, cells);
    if (rest && (rest + cells > VM_BLOCK || owner_of(g->vm, at / VM_BLOCK) != g->id))
        at += VM_BLOCK - rest;
    if (at >= g->own_end) {
        g->own_next = g->own_next ? g->own_next : FIRST;
        at = vm_take(g->vm, g->own_next);
        g->own_end = at + g->own_next;
        g->own_next = g->own_next < WHOLE ? 2 * g->own_next : WHOLE;
    }
    if (at % VM_BLOCK == 0)
        set_owner(g->vm, at / VM_BLOCK, g->id);
    g->own_at = at + cells;
    return at;
}

/* ---- letting an address out ---- */

static void look_at_later(struct vg *g, uint64_t from, uint64_t to)
{
    struct vm_blocks *k = g->known;
    if (!k || k->n == k->room) {
        uint64_t room = k ? 2 * k->room : 16;
        struct vm_blocks *more = rt_alloc(sizeof *more + room * sizeof more->v[0]);
        if (k)
            memcpy(more->v, k->v, k->n * sizeof k->v[0]);
        more->n = k ? k->n : 0;
        more->room = room;
        g->known = k = more;
    }
    k->v[k->n].from = from;
    k->v[k->n++].to = to;
}

/* Shares the object around this block of g's own. */
static void share_object(struct vg *g, uint64_t block)
{
    struct vm *vm = g->vm;
    while (owner_of(vm, block) & VM_CONTINUES)
        block--;
    uint64_t end = block;
    do
        set_owner(vm, end++, 0);
    while (end < vm->ncells / VM_BLOCK && owner_of(vm, end) == (g->id | VM_CONTINUES));
    look_at_later(g, block * VM_BLOCK, end * VM_BLOCK);
}

static void share_all(struct vg *g, const int64_t *v, uint64_t n)
{
    for (uint64_t k = 0; k < n; k++) {
        int64_t at = vm_cell(&v[k]); /* it may be in memory that others change */
        if (vm_owns(g, at))
            share_object(g, ((uint64_t)at - (uint64_t)VM_FIRST) / VM_BLOCK);
    }
}

void vm_publish(struct vg *g, const int64_t *v, int64_t n)
{
    if (!g->vm->owner || n <= 0)
        return;
    share_all(g, v, (uint64_t)n);
    while (g->known && g->known->n) {
        uint64_t from = g->known->v[--g->known->n].from, to = g->known->v[g->known->n].to;
        share_all(g, g->vm->cell + VM_FIRST + (int64_t)from, to - from);
    }
}

/* ---- uses ---- */

/* Others may act first. */
static void before_use(struct vg *g)
{
    vm_reach(g);
    g->spent += g->vm->point_ns;
    rt_point();
}

void vm_use(struct vg *g, int64_t at, int64_t n, enum ev_note how)
{
    bool write = how == NOTE_WRITE || how == NOTE_ATOMIC_WRITE;
    before_use(g);
    for (int64_t k = 0; k < n && k < TOUCHED; k++)
        rt_touch((uint64_t)(at + k), write);
    for (int64_t k = at - VM_FIRST; k < at - VM_FIRST + n && g->vm->races && k < VM_RACE_CELLS; k++)
        rt_access((uint32_t)(2 * k), how);
}

void vm_use_map(struct vg *g, const struct form_ins *i, int64_t map, enum ev_note how)
{
    if (!g->vm->owner || !i->name || !map || !vm_crowded(g->vm))
        return;
    before_use(g);
    rt_touch((uint64_t)map, how == NOTE_WRITE);
    if (g->vm->races)
        rt_access((uint32_t)(2 * (map - VM_OBJECTS) + 1), how);
}
