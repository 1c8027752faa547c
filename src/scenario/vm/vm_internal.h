/* What the files of the interpreter share.
 *
 * Every operation is a function: it does its step and returns true, or it has begun a panic and returns false. Nothing here owns memory across a call
 * of the runtime, because a run may be torn down in any of them. What a form says was checked by form_check(); what is read from the program's memory
 * is checked where it is read. */
#ifndef GMPSCOPE_SCENARIO_VM_VM_INTERNAL_H
#define GMPSCOPE_SCENARIO_VM_VM_INTERNAL_H

#include "scenario/vm/vm.h"
#include <setjmp.h>
#include <stdatomic.h>
#include <string.h>

/* Objects of the runtime and maps, which a program knows by a number. */
enum vm_object_kind { VO_CHAN, VO_MUTEX, VO_RWMUTEX, VO_WAITGROUP, VO_COND, VO_TIMER, VO_MAP, VO_KINDS };
struct vm_object {
    enum vm_object_kind kind;
    uint32_t id;        /* as events have it */
    _Atomic(void *) is; /* release: kind and the object; acquire: a racy program may find the number early */
};
#define VM_FIRST INT64_C(0xc000000000)
/* Numbers of objects begin here, for the same reason: what Gs can still reach is found in memory that has no types (leak.c). */
#define VM_OBJECTS INT64_C(0x6f626a0000000000)
#define VM_FUNCTIONS INT64_C(0x66756e0000000000) /* and those of functions in closures */
#define VM_TURNS 64                              /* of loops, before the first look at one (endless.c) */
#define VM_SHORT 10                              /* what takes less than a slice by this takes its time at once */
#define OBJECT_CHUNK 1024u
#define OBJECT_CHUNKS 16384u

struct vg;
typedef bool vm_sys_fn(struct vg *g, int64_t *f); /* f: the frame, results first */

struct vm {
    const struct form *f;
    int64_t
        *cell; /* by address: all memory of the program, reserved. Addresses begin at VM_FIRST, so that no small number looks like one */
    char *byte;
    uint64_t ncells, nbytes;
    _Atomic uint64_t used, bytes;                     /* relaxed: only a number is taken; Gs publish what they write there */
    _Atomic(struct vm_object *) chunk[OBJECT_CHUNKS]; /* release, acquire: its objects */
    _Atomic uint32_t nobjects, *made[VO_KINDS];       /* made: by name (labels.c). relaxed: only a number is taken */
    int64_t cpus;                                     /* Ps at the beginning */
    int64_t cycles;                                   /* of the collector that the program has asked for; relaxed atomics */
    uint64_t *string_at;                              /* by string of the form */
    vm_sys_fn **sys;                                  /* by string of the form; NULL: not a function of ours */
    const char *const *args;                          /* `nargs` of them */
    uint32_t nargs;
    bool input;                   /* os.Stdin is ours; else it is empty */
    _Atomic uint32_t *owner;      /* by block of memory (share.c); NULL: nobody asks */
    _Atomic uint32_t ngs;         /* relaxed: numbers that Gs have taken; above 1 there is another G than the first */
    bool races, searched;         /* searched: its run must end (rt_config.compute) */
    int64_t slice, point_ns;      /* ns between two turns (rt_turn); what a point adds to them, in an exhaustive run */
    const void *const *operation; /* by function; NULL: nobody asks */
    size_t operation_size;
    bool places;
    struct vm_start main; /* last: it has no arguments */
};

/* A call under way. */
struct vm_call {
    const struct form_fn *fn;
    uint32_t pc;
    uint8_t how;
    uint64_t fp;
    int64_t defers; /* the newest deferred call: its address; 0: none */
    uint32_t line;  /* at which it was last (vm_line); 0: it is new, or a loop begins again */
    bool returned;  /* a call in this line has returned since */
};
enum { HOW_CALL, HOW_DEFERRED, HOW_DEFERRED_IN_PANIC, HOW_LAST_WORDS }; /* LAST_WORDS: it makes the text that the program dies with */

struct vm_panic {
    int64_t type, data; /* the value: an interface */
    bool goexit, recovered, aborted, repanicked;
    char *text;     /* of its value; NULL: not yet made */
    uint32_t depth; /* calls when its deferred call began */
    struct vm_panic *below;
    struct vm_frame *frame; /* `nframes`: where the G was */
    uint32_t nframes;
};

/* What a G runs. In memory of its own (rt_alloc). */
struct vg {
    struct vm *vm;
    int64_t *stack, *f; /* f: the frame of the top call */
    const struct form_ins *code, *i;
    struct vm_call *call;
    uint32_t ncalls, room;
    uint32_t defer_to; /* the call that the next defer belongs to, from 1; 0: the top one */
    uint64_t nstack;
    struct vm_panic *panic;
    struct vm_start *start;
    char *said; /* `nsaid` bytes of a print or println that is not complete */
    size_t nsaid, said_room;
    jmp_buf mistake;          /* where a panic that the runtime begins comes back to the loop */
    bool at_line;             /* it is before the instruction i, in vm_line(); else the instruction before i is under way */
    uint64_t lines;           /* that it has reached, where people see places */
    int64_t spent;            /* simple operations that the clock has not been told of: 1 ns each */
    uint32_t id;              /* from 1 */
    uint32_t own_next;        /* share.c: cells that it takes next; */
    uint64_t own_at, own_end; /* what is free of those it has; */
    uint32_t turns, look_at;  /* turns of loops; endless.c looks at the one with this number, */
    bool watched;             /* watches it, */
    int64_t *was;             /* with `was_room` cells, as they were when it began */
    uint64_t was_room;
    struct vm_blocks *known; /* and blocks whose cells are to be looked at */
};

/* --- memory.c */
int64_t vm_alloc(struct vg *g, int64_t cells); /* zeroed; ends the run if there is no room */
uint64_t vm_piece_cells(const struct vm *vm,
                        uint64_t at);            /* of the object behind this cell, which has their number: it may be any, and is cut */
uint64_t vm_take(struct vm *vm, uint64_t cells); /* the same, of what no G has; counted from the first cell */
int64_t vm_text(struct vg *g, const char *s, uint64_t n);     /* room for n bytes, copied from s; NULL: not yet written */
int64_t *vm_at(struct vg *g, int64_t address, int64_t cells); /* NULL: nil, or not in memory; a panic has begun */
char *vm_chars(struct vg *g, int64_t at, int64_t n);          /* the same for bytes; n 0: never NULL */
uint64_t vm_shown(int64_t v);                                 /* a pointer, a channel, a map, as Go would print one */
int64_t vm_object_add(struct vg *g, enum vm_object_kind kind, uint32_t id, void *is); /* returns its number */
struct vm_object *vm_object_at(const struct vm *vm, int64_t number);                  /* NULL: there is none */
void *vm_object(struct vg *g, enum vm_object_kind kind, int64_t number);              /* NULL: a panic has begun */

/* --- labels.c */
uint32_t vm_number(struct vg *g, enum vm_object_kind kind); /* the number of the next object, from 1, which says its name */

/* A program may race. Each cell is read and written as a whole, and who finds an address finds what was written before it: acquire and release, each pairs
 * with the other. (relaxed would do for the cells, but the bytes of a string and the first values of an object are plain memory.) */
static inline int64_t vm_cell(const int64_t *p)
{
    return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}
static inline void vm_set_cell(int64_t *p, int64_t v)
{
    __atomic_store_n(p, v, __ATOMIC_RELEASE);
}
/* Like memmove(). */
static inline void vm_move(int64_t *to, const int64_t *from, int64_t n)
{
    if (to > from)
        while (n-- > 0)
            vm_set_cell(to + n, vm_cell(from + n));
    else
        for (int64_t k = 0; k < n; k++)
            vm_set_cell(to + k, vm_cell(from + k));
}
/* n elements of `each` cells; INT64_MAX: more than there can be. Neither is negative. */
static inline int64_t vm_cells(int64_t n, int64_t each)
{
    int64_t cells;
    return __builtin_mul_overflow(n, each, &cells) ? INT64_MAX : cells;
}

/* --- share.c */
#define VM_BLOCK 8u                                  /* cells */
#define VM_RACE_CELLS (INT64_C(1) << 31)             /* data races are not looked for behind them */
#define VM_CONTINUES 0x80000000u                     /* of an owner: the block is not the first one of an object */
uint64_t vm_alloc_own(struct vg *g, uint64_t cells); /* counted from the first cell */
/* Before these values get to where other Gs find them. */
void vm_publish(struct vg *g, const int64_t *v, int64_t n);
void vm_use(struct vg *g, int64_t at, int64_t n, enum ev_note how); /* how: NOTE_READ … NOTE_ATOMIC_WRITE */
void vm_use_map(struct vg *g, const struct form_ins *i, int64_t map, enum ev_note how);

static inline bool vm_owns(const struct vg *g, int64_t at)
{
    uint64_t n = (uint64_t)at - (uint64_t)VM_FIRST;
    /* relaxed: as in share.c */
    return n < g->vm->ncells && (atomic_load_explicit(&g->vm->owner[n / VM_BLOCK], memory_order_relaxed) & ~VM_CONTINUES) == g->id;
}
static inline bool vm_crowded(const struct vm *vm)
{
    return atomic_load_explicit(&vm->ngs, memory_order_relaxed) > 1; /* relaxed: a G knows what it has started */
}
/* The number of a new G. */
static inline uint32_t vm_join(struct vm *vm)
{
    return atomic_fetch_add_explicit(&vm->ngs, 1, memory_order_relaxed) + 1;
}
/* Before i reads n cells, and before it writes them with what is at v (NULL: no addresses). What has no name is never shared. */
static inline void vm_reads(struct vg *g, const struct form_ins *i, int64_t at, int64_t n)
{
    if (__builtin_expect(g->vm->owner != NULL, 0) && i->name && n && !vm_owns(g, at) && vm_crowded(g->vm))
        vm_use(g, at, n, NOTE_READ);
}
static inline void vm_writes(struct vg *g, const struct form_ins *i, int64_t at, int64_t n, const int64_t *v)
{
    if (__builtin_expect(g->vm->owner == NULL, 1) || !n || vm_owns(g, at))
        return;
    if (i->name && vm_crowded(g->vm))
        vm_use(g, at, n, NOTE_WRITE);
    if (v)
        vm_publish(g, v, n);
}

/* --- call.c */
bool vm_throw(struct vg *g, const char *fmt, ...) __attribute__((format(printf, 2, 3))); /* begins a panic of the runtime; returns false */
bool vm_panic(struct vg *g, int64_t type, int64_t data);
void vm_goexit(struct vg *g);
bool vm_enter(struct vg *g, int64_t fn, uint64_t base, int64_t ctx, int how); /* base: of the frame, in the caller's */
int64_t vm_function(struct vg *g, int64_t closure);                           /* its number; -1: a panic has begun */
void vm_unwind(struct vg *g);
const struct vm_call *vm_own_call(const struct vg *g); /* the newest call of the person's own functions, else the first call. NULL: none */
const struct form_ins *vm_under_way(const struct vg *g,
                                    const struct vm_call *c); /* the instruction that a call is in. Caller: as when it was left off */
const struct form_ins *vm_own(struct vg *g);                  /* its instruction that is under way. Caller: an operation of g */
void vm_line(struct vg *g); /* before an instruction, if places are wanted: logs that the G arrives at another line of the person's own */
void vm_again(struct vg *g, const struct form_ins *back); /* a loop begins again: one on a single line arrives there each time */
void vm_reach(struct vg *g);                              /* before what another G can notice: tells the clock, and where the G is */
void vm_turn(struct vg *g, bool call); /* after a slice of simple operations: others may act, and the G may be preempted */

void vm_show_place(struct vg *g, bool again); /* the rest of it: where the G is; again: also if it is known to be in this line */
bool vm_operation(
    struct vg *g,
    const struct form_ins *i); /* returns false if a panic has begun; then, once, vm_fails() with the next instruction still i */
void vm_fails(struct vg *g, const struct form_ins *i);

/* --- endless.c */
void vm_loops(struct vg *g); /* before the turn `look_at` of a loop: ends the run if nothing can end the loop, and sets the next */

/* --- trace.c */
void vm_keep_frames(struct vg *g, struct vm_panic *p);
bool vm_own_frame(const struct vg *g, struct vm_frame *out); /* the newest call of the program's own functions; false: there is none */

/* --- operations: call.c, move.c, text.c, list.c, map.c, chan.c, iface.c */
typedef bool vm_op(struct vg *g, int64_t *f, const struct form_ins *i);
#define FORM_OP(name, operands) vm_op vm_op_##name;
#include "scenario/vm/ops.def"
#undef FORM_OP

/* --- value.c */
const struct form_type *vm_type(struct vg *g, int64_t number); /* of an interface's first cell; NULL: there is no such type */
int64_t *vm_data(struct vg *g, const struct form_type *t, int64_t *data);
/* What is in memory there; NULL: nothing, which only a form of another front end brings about. They begin no panic. */
const int64_t *vm_seen(const struct vm *vm, int64_t at, int64_t n);
const int64_t *vm_seen_data(const struct vm *vm, const struct form_type *t, const int64_t *data);
bool vm_equal(struct vg *g, uint32_t type, const int64_t *a, const int64_t *b, bool *equal); /* false: the types cannot be compared */
bool vm_comparable(const struct vm *vm, const struct form_type *t, const int64_t *v);        /* v NULL: only by its type */
bool vm_equal_any(struct vg *g, const int64_t *a, const int64_t *b, bool *equal);            /* interfaces */
bool vm_hash(struct vg *g, uint32_t type, const int64_t *v, uint64_t *hash);

/* --- iface.c */
const char *vm_lacks(const struct form_type *t,
                     const struct form_type *iface); /* the first method that t lacks of an interface; NULL: it has all */

/* --- reflect.c */
vm_sys_fn vm_sys_kind, vm_sys_type_name, vm_sys_elem_kind, vm_sys_entries, vm_sys_len, vm_sys_part, vm_sys_part_type, vm_sys_field,
    vm_sys_bits, vm_sys_assign, vm_sys_comparable, vm_sys_swap, vm_sys_float_of;

/* --- number.c */
vm_sys_fn vm_sys_sqrt, vm_sys_floor, vm_sys_ceil, vm_sys_trunc, vm_sys_round, vm_sys_round_even, vm_sys_mod, vm_sys_exp,
    vm_sys_float32_bits, vm_sys_float32_of;

/* --- format.c */
int vm_float_text(char *to, size_t size, double v, bool single,
                  bool old); /* the shortest text, as print writes it since Go 1.26; old: before */
vm_sys_fn vm_sys_format, vm_sys_parse_float;
void vm_panic_text(struct vg *g, char *buf, size_t size, const struct vm_panic *p);

/* --- random.c */
vm_sys_fn vm_sys_cook, vm_sys_draw, vm_sys_random;

/* --- sys.c, lock.c, atomic.c */
struct vm_sys {
    const char *name; /* NULL: the last */
    vm_sys_fn *fn;
};
extern const struct vm_sys vm_sys_locks[], vm_sys_atomics[];
vm_sys_fn *vm_sys_find(const char *name);

/* --- chan.c: the cases of a select have four cells each: the channel, 1 for a send, the cell of the value, its cells */
enum { VM_CASE = 4 };

/* --- map.c */
struct vm_map;
void vm_map_free(struct vm_map *m);
uint64_t vm_map_size(const struct vm *vm, int64_t map);           /* its entries; only while stopped */
const int64_t *vm_map_cells(const struct vm_map *m, uint64_t *n); /* all that its entries take, deleted ones, too */
/* Calls each() for all entries, in the order of their insertion. */
void vm_map_each(struct vg *g, int64_t map, void (*each)(void *ctx, const int64_t *key, const int64_t *value), void *ctx);

#endif
