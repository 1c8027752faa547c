/* Asynchronous preemption (Go: preemptM, doSigPreempt, asyncPreempt; since 1.14).
 *
 * sysmon sends SIGURG to the thread of a G that runs too long. The handler does not switch Gs. It makes the thread continue, after the
 * handler has returned, in async_preempt (async_<machine>.S), as if the interrupted instruction had called it. async_preempt saves every
 * register on the G's stack and calls async_preempt2(), an ordinary switch to g0. When the G runs again, perhaps on another thread,
 * everything is restored and the interrupted code notices nothing. Rejected: switching away inside the handler. It costs the signal frame
 * on each G stack, and when the G is resumed on another thread sigreturn gives that thread the first one's alternate stack (tried: Ms then
 * shared alternate stacks).
 *
 * When may a G be preempted? Only if it is running, was asked to stop, and is on its own stack with room for the frame, if its M holds
 * no runtime lock, and if the interrupted code is in the text section made for this (conductor/tight.c).
 * Only the threads of Ms take the signal, because only they unblock it (m.c). In any other thread the handler finds no M and returns.
 * Lockstep: the M raises the signal on itself, by a system call inside such text, at the point where its computing was cut. A signal to the
 * calling thread is delivered before that call returns, so the point is exact and the course a function of the seed.
 * Under TSan (which defers signals and hands out a copy of the context) and valgrind (which takes the stack switch for an overflow) and
 * on machines without async_<machine>.S there are no signals: then the cut itself switches away, in both modes; the events are the same.
 */
#include "runtime/sched/point.h"
#include "runtime/sched/proc.h"
#include "runtime/stack/valgrind.h"
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer) || defined(GMPSCOPE_UCONTEXT) || \
    !(defined(__x86_64__) || defined(__aarch64__))
#define HAVE_SIGNALS 0
#else
#define HAVE_SIGNALS 1
#endif

/* Called by async_preempt, on the G's stack, all registers saved there. */
void async_preempt2(void) __attribute__((visibility("hidden")));
void async_preempt2(void)
{
    struct g *gp = getg();
    gp->tight_left -= nanotime(getm()) - gp->tight_since;
    mcall(gopreempt_async_m);
    gp->tight_since = nanotime(getm());
}

#if HAVE_SIGNALS

#define ROOM 4608 /* for the saved registers (under 3.2 KiB) and the switch to g0 */

void async_preempt(void) __attribute__((visibility("hidden"))); /* async_<machine>.S */

#if defined(__x86_64__)

#include <cpuid.h>

/* Makes the thread continue in async_preempt as if called, below the red zone, which the interrupted code may be using. */
static void push_call(ucontext_t *uc)
{
    greg_t *r = uc->uc_mcontext.gregs;
    r[REG_RSP] -= 128 + 8;
    *(greg_t *)r[REG_RSP] = r[REG_RIP];
    r[REG_RIP] = (greg_t)(uintptr_t)async_preempt;
}

static uintptr_t pc_of(const ucontext_t *uc)
{
    return (uintptr_t)uc->uc_mcontext.gregs[REG_RIP];
}
static uintptr_t sp_of(const ucontext_t *uc)
{
    return (uintptr_t)uc->uc_mcontext.gregs[REG_RSP];
}

/* How async_preempt saves the vector registers; constants of the machine, written before the first signal. */
enum { BY_FXSAVE, BY_XSAVE, BY_XSAVEC };
#define XSAVE_AREA 2816u   /* the same in async_x86_64.S */
#define XSAVE_WANTED 0xe7u /* x87, SSE, AVX, AVX-512; not AMX (8 KiB, and no compiler uses it unasked), not PKRU */
extern uint32_t async_xsave_how __attribute__((visibility("hidden"))), async_xsave_mask __attribute__((visibility("hidden")));
uint32_t async_xsave_how, async_xsave_mask;

/* Returns false if a register state that may be in use does not fit the area. */
static bool learn_machine(void)
{
    uint32_t a, b, c, d, xcr0, hi;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) {
        async_xsave_how = BY_FXSAVE;
        return true;
    }
    __asm__("xgetbv" : "=a"(xcr0), "=d"(hi) : "c"(0));
    async_xsave_mask = xcr0 & XSAVE_WANTED;
    for (uint32_t i = 2; i < 8; i++) {
        __cpuid_count(0xd, i, a, b, c, d); /* this state has a bytes, at offset b */
        if ((async_xsave_mask >> i & 1) && a + b > XSAVE_AREA)
            return false;
    }
    __cpuid_count(0xd, 1, a, b, c, d);
    async_xsave_how = a & 2 ? BY_XSAVEC : BY_XSAVE;
    return true;
}

/* In tight text: the signal arrives when the call returns. */
CONDUCTOR_TIGHT_TEXT static void raise_here(long pid, long tid)
{
    long ret;
    __asm__ volatile("syscall" : "=a"(ret) : "0"((long)SYS_tgkill), "D"(pid), "S"(tid), "d"((long)SIGURG) : "rcx", "r11", "memory");
    (void)ret;
}

#elif defined(__aarch64__)

/* aarch64 has no red zone. x30 becomes the return address; its old value is stored below the interrupted stack pointer. */
static void push_call(ucontext_t *uc)
{
    mcontext_t *mc = &uc->uc_mcontext;
    mc->sp -= 16;
    *(uint64_t *)mc->sp = mc->regs[30];
    mc->regs[30] = mc->pc;
    mc->pc = (uintptr_t)async_preempt;
}

static uintptr_t pc_of(const ucontext_t *uc)
{
    return (uintptr_t)uc->uc_mcontext.pc;
}
static uintptr_t sp_of(const ucontext_t *uc)
{
    return (uintptr_t)uc->uc_mcontext.sp;
}
static bool learn_machine(void)
{
    return true;
}

CONDUCTOR_TIGHT_TEXT static void raise_here(long pid, long tid)
{
    register long x0 __asm__("x0") = pid;
    register long x1 __asm__("x1") = tid;
    register long x2 __asm__("x2") = SIGURG;
    register long x8 __asm__("x8") = SYS_tgkill;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x8) : "memory");
}

#endif

/* Go: wantAsyncPreempt and isAsyncSafePoint. In the handler. */
__attribute__((no_sanitize("address"))) static bool may_strike(struct m *m, const ucontext_t *uc)
{
    struct g *gp = curg(m);
    uintptr_t sp = sp_of(uc);
    /* relaxed, both: this thread runs the G; `preempt` is a hint */
    return gp && atomic_load_explicit(&gp->preempt, memory_order_relaxed) &&
           atomic_load_explicit(&gp->status, memory_order_relaxed) == G_RUNNING && m->p && conductor_nlocks(m->w) == 0 &&
           sp >= (uintptr_t)gp->ctx.stack + ROOM && sp < (uintptr_t)gp->ctx.stack + gp->ctx.stack_size && conductor_is_tight(pc_of(uc));
}

/* On the M's alternate stack. Calls nothing of the C library and leaves errno alone. */
__attribute__((no_sanitize("address"))) static void on_sigurg(int sig, siginfo_t *info, void *context)
{
    (void)sig;
    (void)info;
    struct m *m = getm();
    if (!m)
        return; /* not for us */
    if (may_strike(m, context))
        push_call(context);
    /* release: the next signal may be sent; pairs with preemptm() */
    atomic_store_explicit(&m->signal_pending, false, memory_order_release);
}

/* A process has one handler. The first instance that needs it installs it, and the last one restores the previous handler. */
static struct {
    _Atomic bool busy;
    uint32_t users;
    bool learned, known; /* learn_machine() was called, and its answer: in a virtual machine it takes longer than a short run */
    bool able;
    struct sigaction before;
} handler;

static void handler_lock(void)
{
    /* acquire: pairs with handler_unlock(). Spins, because the holder only makes two system calls. */
    while (atomic_exchange_explicit(&handler.busy, true, memory_order_acquire))
        ;
}

static void handler_unlock(void)
{
    atomic_store_explicit(&handler.busy, false, memory_order_release); /* pairs with handler_lock() */
}

/* Caller holds the handler's lock. */
static bool know_machine(void)
{
    if (!handler.learned)
        handler.known = learn_machine();
    handler.learned = true;
    return handler.known;
}

static bool install(void)
{
    struct sigaction sa = {.sa_sigaction = on_sigurg, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigfillset(&sa.sa_mask);
    return know_machine() && sigaction(SIGURG, &sa, &handler.before) == 0;
}

void preempt_init(struct sched *s)
{
    if (!s->cfg.async_preempt || RUNNING_ON_VALGRIND)
        return;
    handler_lock();
    if (handler.users == 0)
        handler.able = install();
    handler.users += handler.able;
    s->signals = handler.able;
    handler_unlock();
}

void preempt_fini(struct sched *s)
{
    if (!s->signals)
        return;
    handler_lock();
    if (--handler.users == 0)
        sigaction(SIGURG, &handler.before, NULL);
    handler_unlock();
    s->signals = false;
}

void preemptm(struct m *mp)
{
    int32_t tid = atomic_load_explicit(&mp->tid, memory_order_relaxed); /* see mthread() */
    /* acquire: pairs with on_sigurg(). One at a time: more would only pile up (golang.org/issue/37741). */
    if (tid && !atomic_exchange_explicit(&mp->signal_pending, true, memory_order_acquire))
        syscall(SYS_tgkill, getpid(), tid, SIGURG);
}

void async_preempt_self(void)
{
    struct m *m = getm();
    curg(m)->tight_since = nanotime(m);
    if (m->sched->signals)
        raise_here(getpid(), atomic_load_explicit(&m->tid, memory_order_relaxed)); /* our own */
    else
        async_preempt2();
}

#else /* no signals */

void preempt_init(struct sched *s)
{
    (void)s;
}
void preempt_fini(struct sched *s)
{
    (void)s;
}
void preemptm(struct m *mp)
{
    (void)mp;
}

void async_preempt_self(void)
{
    struct m *m = getm();
    curg(m)->tight_since = nanotime(m);
    async_preempt2();
}

#endif
