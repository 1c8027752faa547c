/* Contexts: everything except the switch itself (ctx_<machine>).
 *
 * The switch keeps what the ABI says a call keeps, and the floating-point control words, on the old stack; only sp is stored in struct
 * ctx. A new stack is laid out as if it had switched away just before its first instruction, so all contexts are entered in the same
 * way.
 *
 * All notifications for the sanitizers are in the middle of this file. Two rules shape it:
 *   - TSan switches its own call stack inside __tsan_switch_to_fiber, so that call and the real switch must be in one
 *     function: with a function entry or exit between them the two would no longer agree.
 *   - After the switch, the context that was left may already belong to another thread if it was dying. So its address is not
 *     even passed on (ctx.from is NULL then).
 */
#include "runtime/stack/ctx.h"
#include <stdint.h>
#include <string.h>

#ifdef CTX_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef CTX_TSAN
#include <sanitizer/tsan_interface.h>
#endif

/* The first C function of a context that does not start in its own function. */
_Noreturn void ctx_first(struct ctx *self) __attribute__((visibility("hidden")));

/* ---- the sanitizers' view -------------------------------------------------------------------------------------- */

#ifdef CTX_ASAN
/* ASan never keeps the locals of a no_sanitize function in its heap frames, which a dying context loses before it is left. */
#define CTX_PLAIN __attribute__((no_sanitize("address")))

/* Clears ASan's marks. A context that died left its frames without returning from them, so their marks are still there. */
static void asan_fresh(struct ctx *c)
{
    __asan_unpoison_memory_region(c->stack, c->stack_size);
}

CTX_PLAIN static void asan_leave(struct ctx *from, struct ctx *to, bool dying)
{
    to->from = dying ? NULL : from;
    __sanitizer_start_switch_fiber(dying ? NULL : &from->fake_stack, to->stack, to->stack_size);
}

/* first: the first arrival on this stack. For a thread's own stack, ASan reports the bounds when it is first left. */
CTX_PLAIN __attribute__((noinline)) static void asan_arrive(struct ctx *self, bool first)
{
    const void *bottom;
    size_t size;
    __sanitizer_finish_switch_fiber(first ? NULL : self->fake_stack, &bottom, &size);
    struct ctx *from = self->from;
    if (from && !from->stack) {
        from->stack = (void *)(uintptr_t)bottom;
        from->stack_size = size;
    }
}
#else
#define CTX_PLAIN
#define asan_fresh(c) ((void)(c))
#define asan_leave(from, to, dying) ((void)(dying))
#define asan_arrive(self, first) ((void)(self))
#endif

#ifdef CTX_TSAN
/* Makes the fiber at the first switch, not when the stack is made: a fiber costs microseconds, and TSan has only a few. */
static void tsan_prepare(struct ctx *to)
{
    if (!to->fiber)
        to->fiber = __tsan_create_fiber(0);
}
/* Macros, so that they are part of the function that switches. */
#define tsan_switch(to) __tsan_switch_to_fiber((to)->fiber, 0)
#define tsan_here(c) ((c)->fiber = __tsan_get_current_fiber())

static void tsan_destroy(struct ctx *c)
{
    if (c->fiber)
        __tsan_destroy_fiber(c->fiber);
    c->fiber = NULL;
}
#else
#define tsan_prepare(to) ((void)(to))
#define tsan_switch(to) ((void)(to))
#define tsan_here(c) ((void)(c))
#endif

/* ---- laying out a stack ---------------------------------------------------------------------------------------- */

#if defined(GMPSCOPE_UCONTEXT)

static void uc_entry(unsigned hi, unsigned lo)
{
    ctx_first((struct ctx *)(uintptr_t)((uint64_t)hi << 32 | lo));
}

static void lay_out(struct ctx *c)
{
    uint64_t self = (uintptr_t)c;
    getcontext(&c->uc);
    c->uc.uc_stack.ss_sp = c->stack;
    c->uc.uc_stack.ss_size = c->stack_size;
    c->uc.uc_link = NULL;
    makecontext(&c->uc, (void (*)(void))uc_entry, 2, (unsigned)(self >> 32), (unsigned)self);
}
#define swap(from, to) ((void)swapcontext(&(from)->uc, &(to)->uc))

#elif defined(__x86_64__)

#define MXCSR_DEFAULT 0x1f80u /* all exceptions masked, round to nearest: as the kernel starts a process */
#define X87CW_DEFAULT 0x037fu

#ifdef CTX_ASAN
/* The target of a jump: the switch leaves the frame in the register of a function's second argument. */
CTX_PLAIN static _Noreturn void enter(void *unused, struct ctx_frame *frame)
{
    (void)unused;
    ctx_first(frame->self);
}
#endif

/* Lays out the first frame. It is above all others, so that it still exists when the stack is used again (ctx_again). The first function
 * finds the stack as after a call with return address 0. At that address, or at a frame pointer of 0, backtraces end. */
static void lay_out(struct ctx *c)
{
    uintptr_t top = ((uintptr_t)c->stack + c->stack_size - sizeof(struct ctx_frame)) & ~(uintptr_t)15;
    uint64_t *sp = (uint64_t *)top - 1;
    struct ctx_frame *frame = (struct ctx_frame *)top;
    *sp = 0;
    *frame = (struct ctx_frame){.sp = sp, .mxcsr = MXCSR_DEFAULT, .x87 = X87CW_DEFAULT};
#ifdef CTX_ASAN
    frame->pc = (void *)(uintptr_t)enter;
    frame->self = c;
#else
    frame->pc = (void *)(uintptr_t)c->fn;
#endif
    c->sp = c->first = frame;
}
#define swap(from, to) ctx_jump(&(from)->sp, (to)->sp)

#elif defined(__aarch64__)

/* The frame ctx_jump pops: x19 … x28, x29, x30 (where to continue), d8 … d15, fpcr, one word of padding. */
void ctx_entry(void); /* ctx_aarch64.S */
enum { FRAME_X19 = 0, FRAME_PC = 11, FRAME_WORDS = 22, FRAME_ABOVE = 2 };

static void lay_out(struct ctx *c)
{
    uintptr_t top = ((uintptr_t)c->stack + c->stack_size) & ~(uintptr_t)15;
    uint64_t *frame = (uint64_t *)top - FRAME_ABOVE - FRAME_WORDS;
    memset(frame, 0, (FRAME_ABOVE + FRAME_WORDS) * sizeof *frame);
    frame[FRAME_X19] = (uintptr_t)c;
    frame[FRAME_PC] = (uintptr_t)ctx_entry;
    c->sp = frame;
}
#define swap(from, to) ctx_jump(&(from)->sp, (to)->sp)

#endif

/* ---- the public functions -------------------------------------------------------------------------------------------------- */

void ctx_make(struct ctx *c, void *stack, size_t size, void (*fn)(void))
{
    *c = (struct ctx){.stack = stack, .stack_size = size, .fn = fn};
    asan_fresh(c);
    lay_out(c);
}

#if !defined(__x86_64__) || defined(CTX_ASAN) || defined(GMPSCOPE_UCONTEXT)
void ctx_again(struct ctx *c)
{
    asan_fresh(c);
    lay_out(c);
}
#endif

void ctx_thread(struct ctx *c)
{
    *c = (struct ctx){0};
    tsan_here(c);
}

#if defined(CTX_ASAN) || defined(CTX_TSAN) || defined(GMPSCOPE_UCONTEXT)
CTX_PLAIN void ctx_switch(struct ctx *from, struct ctx *to, bool dying)
{
    tsan_prepare(to);
    asan_leave(from, to, dying);
    tsan_switch(to); /* nothing may come between this and the switch: see the head of the file */
    swap(from, to);
    asan_arrive(from, false);
}
#endif

CTX_PLAIN void ctx_first(struct ctx *self)
{
    asan_arrive(self, true);
    self->fn();
    __builtin_trap(); /* fn returned: there is nothing to return to */
}

#ifdef CTX_TSAN
void ctx_fini(struct ctx *c)
{
    tsan_destroy(c);
}
#endif
