/* Stacks and the switch between them: hand-written assembly, with notifications for the sanitizers.
 *
 * A context is used by one thread at a time; an M that hands it to another thread publishes it only after the switch away
 * (src/DESIGN.md, Goroutines on their own stacks), which is all the ordering it needs.
 */
#ifndef GMPSCOPE_RUNTIME_STACK_CTX_H
#define GMPSCOPE_RUNTIME_STACK_CTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Machines without assembly use the C library's contexts, which are 25 times slower. GMPSCOPE_UCONTEXT can also be set by hand, to test
 * them. */
#if !defined(GMPSCOPE_UCONTEXT) && !defined(__x86_64__) && !defined(__aarch64__)
#define GMPSCOPE_UCONTEXT 1
#endif
#ifdef GMPSCOPE_UCONTEXT
#include <ucontext.h>
#endif

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define CTX_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define CTX_TSAN 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define CTX_ASAN 1
#endif
#ifdef __SANITIZE_THREAD__
#define CTX_TSAN 1
#endif

struct ctx {
    void *sp;         /* where on its stack the rest is saved */
    void *first;      /* the value of sp until it starts (x86-64) */
    void (*fn)(void); /* NULL: a thread's own */
    void *stack;      /* lowest byte, for ASan (NULL: a thread's own stack, learned at the first switch) */
    size_t stack_size;
#ifdef CTX_ASAN
    struct ctx *from; /* the context that switched here last; NULL if it was dying */
    void *fake_stack;
#endif
#ifdef CTX_TSAN
    void *fiber;
#endif
#ifdef GMPSCOPE_UCONTEXT
    ucontext_t uc;
#endif
};

/* ctx_jump(save, to): resumes at `to`, and returns when another context resumes at the value that it stored in *save. */
#if defined(GMPSCOPE_UCONTEXT)
#elif defined(__x86_64__)
#include "runtime/stack/ctx_x86_64.h"
#else
void ctx_jump(void **save, void *to); /* ctx_aarch64.S */
#endif

/* Makes a context that starts fn() on the stack when it is first switched to. fn must not return. */
void ctx_make(struct ctx *c, void *stack, size_t size, void (*fn)(void));
/* Makes a context that has died, or never ran, ready to start. On x86-64 this does not touch the stack, because the context's first
 * frame is above all others. */
#if defined(__x86_64__) && !defined(CTX_ASAN) && !defined(GMPSCOPE_UCONTEXT)
static inline void ctx_again(struct ctx *c)
{
    c->sp = c->first;
}
#else
void ctx_again(struct ctx *c);
#endif
/* Makes a context of the calling thread's own stack. */
void ctx_thread(struct ctx *c);
/* Saves the current context into `from` and resumes `to`. dying: `from` is never resumed. */
#if defined(CTX_ASAN) || defined(CTX_TSAN) || defined(GMPSCOPE_UCONTEXT)
void ctx_switch(struct ctx *from, struct ctx *to, bool dying);
#else
static inline __attribute__((always_inline)) void ctx_switch(struct ctx *from, struct ctx *to, bool dying)
{
#if defined(__x86_64__)
    if (dying)
        ctx_leave(to->sp);
#else
    (void)dying;
#endif
    ctx_jump(&from->sp, to->sp);
}
#endif
/* The same from a thread's own context, in a function that keeps `base` and does not change the rounding mode. ctx_base_init() reads
 * that mode once. */
#if defined(CTX_ASAN) || defined(CTX_TSAN) || defined(GMPSCOPE_UCONTEXT) || !defined(__x86_64__)
struct ctx_base {
    char nothing;
};
static inline void ctx_base_init(struct ctx_base *base)
{
    (void)base;
}
static inline void ctx_switch_base(struct ctx_base *base, struct ctx *from, struct ctx *to)
{
    (void)base;
    ctx_switch(from, to, false);
}
#else
struct ctx_base {
    struct ctx_frame frame;
};
static inline void ctx_base_init(struct ctx_base *base)
{
    ctx_control_words(&base->frame);
}
static inline __attribute__((always_inline)) void ctx_switch_base(struct ctx_base *base, struct ctx *from, struct ctx *to)
{
    ctx_jump_base(&base->frame, &from->sp, to->sp);
}
#endif
/* Frees what ctx_make() allocated for a context (a TSan fiber). Caller: not on that context, and before the next ctx_again(). */
#ifdef CTX_TSAN
void ctx_fini(struct ctx *c);
#else
static inline void ctx_fini(struct ctx *c)
{
    (void)c;
}
#endif

#endif
