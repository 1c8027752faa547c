/* Runs a program form on G stacks: one interpreter for all Gs of a run.
 *
 *   vm_new(); as rt_config.main_fn vm_main() with the arg vm_start_of(); … rt_free(); vm_free()
 */
#ifndef GMPSCOPE_SCENARIO_VM_VM_H
#define GMPSCOPE_SCENARIO_VM_VM_H

#include "model/waits.h"
#include "runtime/runtime.h"
#include "scenario/vm/form.h"

struct vm;
struct vg;
struct vm_frame {
    const struct form_fn *fn;
    uint32_t pc;
};
/* What a G is started with. */
struct vm_start {
    const void *run, *prog, *at; /* as in struct start: of the run; not used; the operation that the G is in or reaches next */
    struct vm *vm;
    struct vg *g;         /* what runs it; NULL: it has not begun */
    uint32_t fn, n;       /* n arguments */
    int64_t ctx;          /* the closure; 0: none */
    struct vm_frame made; /* where it was started; fn NULL: by no G */
    int64_t arg[];
};

/* memory: bytes that the program's values may take; as much again for its strings. NULL and errno: no room for them. f is borrowed. */
struct vm *vm_new(const struct form *f, uint64_t memory);
void vm_free(struct vm *vm); /* after rt_free() */
/* os.Args; borrowed. */
void vm_on_args(struct vm *vm, const char *const *args, uint32_t n);
/* Before the run, which has these settings. False: no room. */
bool vm_watch(struct vm *vm, const struct rt_config *cfg);
/* The start of main; a new G gets a copy of its own (rt_go_copy). */
struct vm_start *vm_start_of(struct vm *vm);
void vm_main(void *arg); /* an rt_fn; arg: a struct vm_start */
/* operation: of each function, its first; they lie `size` bytes behind each other, one for each instruction. Borrowed. places: rt_reach() is called. */
void vm_on_place(struct vm *vm, const void *run, const void *const *operation, size_t size, bool places);

/* variables.c. Writes what the calls of a G can see, the newest first. line: where the state that is shown has it, a line of the text. Returns false if it has
 * moved on since. Only while stopped. */
struct program_text;
struct variables;
bool vm_variables(const struct vm_start *s, const struct program_text *text, uint32_t line, struct variables *out);

/* trace.c: the calls of a G, the newest first, as lines of Go's traceback; where it was made, by_g 0: without the G that did. Only while stopped. */
void vm_trace(const struct vm_start *s, FILE *out);
void vm_trace_made(const struct vm_start *s, uint32_t by_g, FILE *out);

/* leak.c: a G that has not ended. The caller says where it is and, if it waits, why; it leaves main out once that has returned. */
struct vm_g {
    const struct vm_start *at;
    bool waits;
    uint16_t reason;
    struct ev_object object;
    struct waits_reach *is; /* out */
};
/* Returns false if memory runs out. Only while stopped. */
bool vm_find_stuck(const struct vm *vm, struct sched *s, struct vm_g *v, size_t n);

#endif
