/* Stacks and the switch between them: values and control words survive, contexts move between threads, an access
 * past a stack's end crashes instead of hitting a neighbour's data, and stacks are reused. */
#include "runtime/stack/ctx.h"
#include "runtime/stack/stack.h"
#include "t.h"
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- two contexts, one thread ---------------------------------------------------------------------------------- */

static struct ctx main_ctx, co[4];
static long turns, seen[4];
static int self_of_co; /* whose turn it is: set before each switch */

static void to_main(int me)
{
    ctx_switch(&co[me], &main_ctx, false);
}

/* Switches away at `depth` frames below the caller, with live values that only a correct switch keeps. */
static __attribute__((noinline)) long dive(int me, int depth, long a, double b)
{
    volatile char pad[48];
    pad[0] = pad[47] = (char)depth;
    if (depth == 0) {
        to_main(me);
        return a;
    }
    long below = dive(me, depth - 1, a * 3 + depth, b * 0.5);
    CHECK(pad[0] == (char)depth && pad[47] == (char)depth);
    return below + depth + (long)(b * 2.0);
}

static long dive_expected(int depth, long a, double b)
{
    if (depth == 0)
        return a;
    return dive_expected(depth - 1, a * 3 + depth, b * 0.5) + depth + (long)(b * 2.0);
}

static void diver(void)
{
    int me = self_of_co;
    for (long i = 0;; i++) {
        int depth = (int)((i * 7 + me * 3) % 20);
        CHECK_INT(dive(me, depth, i, (double)i), dive_expected(depth, i, (double)i));
        seen[me]++;
    }
}

TEST(switches_keep_values_at_any_depth)
{
    struct stackpool *pool = stackpool_new();
    CHECK(pool);
    ctx_thread(&main_ctx);
    for (int i = 0; i < 4; i++) {
        size_t size;
        void *stack = stackpool_get(pool, &size);
        CHECK(stack);
        ctx_make(&co[i], stack, size, diver);
    }
    turns = 100000;
    for (long i = 0; i < turns; i++) {
        self_of_co = (int)(i % 4);
        ctx_switch(&main_ctx, &co[i % 4], false);
    }
    for (int i = 0; i < 4; i++) {
        CHECK_INT(seen[i], turns / 4 - 1); /* each is inside its last dive */
        ctx_fini(&co[i]);
    }
    stackpool_free(pool);
}

/* ---- what a new context starts with ---------------------------------------------------------------------------- */

static uintptr_t entry_frame;
static int entry_rounding, resumed_rounding;

static void rounds_up(void)
{
    entry_frame = (uintptr_t)__builtin_frame_address(0);
    entry_rounding = fegetround();
    fesetround(FE_UPWARD);
    to_main(0);
    resumed_rounding = fegetround();
    ctx_switch(&co[0], &main_ctx, true);
}

static void make_one(struct stackpool *pool, void (*fn)(void))
{
    size_t size;
    void *stack = stackpool_get(pool, &size);
    CHECK(stack);
    ctx_thread(&main_ctx);
    ctx_make(&co[0], stack, size, fn);
}

TEST(each_context_has_its_own_rounding_mode)
{
    struct stackpool *pool = stackpool_new();
    make_one(pool, rounds_up);
    CHECK_INT(fegetround(), FE_TONEAREST);
    ctx_switch(&main_ctx, &co[0], false);
    CHECK_INT(entry_rounding, FE_TONEAREST);
    CHECK_INT(fegetround(), FE_TONEAREST);
    fesetround(FE_DOWNWARD);
    ctx_switch(&main_ctx, &co[0], false);
    CHECK_INT(resumed_rounding, FE_UPWARD);
    CHECK_INT(fegetround(), FE_DOWNWARD);
#ifdef __x86_64__
    CHECK_INT(entry_frame % 16, 0); /* rbp after the prologue: 16 below an aligned call */
#endif
    ctx_fini(&co[0]);
    stackpool_free(pool);
}

static int trace_len;

static __attribute__((noinline)) void traces(void)
{
    void *pc[64];
    trace_len = backtrace(pc, 64);
    ctx_switch(&co[0], &main_ctx, true);
}

TEST(a_backtrace_ends_at_the_stacks_top)
{
    struct stackpool *pool = stackpool_new();
    make_one(pool, traces);
    ctx_switch(&main_ctx, &co[0], false);
    CHECK(trace_len >= 1 && trace_len <= 6); /* traces, and what a sanitizer adds */
    ctx_fini(&co[0]);
    stackpool_free(pool);
}

/* ---- a context made again on the same stack, many times ----------------------------------------------------------- */

static long lives;

static void dies_young(void)
{
    volatile char locals[512];
    memset((char *)(uintptr_t)locals, 1, sizeof locals);
    lives += fegetround() == FE_TONEAREST ? locals[17] : 0;
    fesetround(FE_UPWARD); /* the next one does not inherit it */
    ctx_switch(&co[0], &main_ctx, true);
}

TEST(a_dead_contexts_stack_serves_the_next)
{
    struct stackpool *pool = stackpool_new();
    void *first = NULL;
    ctx_thread(&main_ctx);
    long n = t_count(2000, 100000);
    for (long i = 0; i < n; i++) {
        size_t size;
        void *stack = stackpool_get(pool, &size);
        if (!first)
            first = stack;
        CHECK(stack == first);
        ctx_make(&co[0], stack, size, dies_young);
        for (int life = 0; life < 2; life++) {
            ctx_switch(&main_ctx, &co[0], false);
            ctx_fini(&co[0]);
            ctx_again(&co[0]);
        }
        ctx_fini(&co[0]);
        stackpool_put(pool, stack);
    }
    CHECK_INT(lives, 2 * n);
    stackpool_free(pool);
}

/* ---- contexts that move between two threads ---------------------------------------------------------------------- */

/* One of two threads runs it, hands it to the other through `turn`, and so on. */
static struct ctx wanderer;
static sem_t turn[2];
static int carrier; /* the thread that runs the wanderer now */
static struct ctx thread_ctx[2];
static long hops, moved;

static __attribute__((noinline)) long wander(int depth, long x)
{
    if (depth > 0)
        return wander(depth - 1, x + depth) + 1;
    int before = carrier;
    ctx_switch(&wanderer, &thread_ctx[before], false);
    moved += carrier != before;
    return x;
}

static void wander_for_ever(void)
{
    for (long i = 0; i < hops; i++) {
        int depth = (int)(i % 13);
        CHECK_INT(wander(depth, i), i + depth * (depth + 1) / 2 + depth);
    }
    ctx_switch(&wanderer, &thread_ctx[carrier], true);
}

static void *carry(void *arg)
{
    int me = (int)(intptr_t)arg;
    ctx_thread(&thread_ctx[me]);
    for (long i = me; i <= hops; i += 2) {
        sem_wait(&turn[me]);
        carrier = me;
        ctx_switch(&thread_ctx[me], &wanderer, false);
        sem_post(&turn[!me]); /* published only now, from the other stack */
    }
    return NULL;
}

TEST(a_context_continues_on_another_thread)
{
    struct stackpool *pool = stackpool_new();
    size_t size;
    hops = t_count(2000, 100000);
    void *stack = stackpool_get(pool, &size);
    ctx_make(&wanderer, stack, size, wander_for_ever);
    sem_init(&turn[0], 0, 1);
    sem_init(&turn[1], 0, 0);
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        CHECK_INT(pthread_create(&thread[i], NULL, carry, (void *)(intptr_t)i), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    CHECK_INT(moved, hops);
    ctx_fini(&wanderer);
    stackpool_free(pool);
}

/* ---- stacks -------------------------------------------------------------------------------------------------------- */

/* Runs fn in a child. Returns the signal that ended it, or 0. */
static int signal_of(void (*fn)(void))
{
    fflush(NULL);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        signal(SIGSEGV, SIG_DFL);
        fn();
        _exit(0);
    }
    int status;
    CHECK_INT(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void write_below_a_stack(void)
{
    size_t size;
    volatile char *stack = stackpool_get(stackpool_new(), &size);
    stack[0] = 1;
    stack[size - 1] = 1;
    stack[-1] = 1;
}

static void write_at_a_stack(void)
{
    size_t size;
    volatile char *stack = stackpool_get(stackpool_new(), &size);
    stack[0] = 1;
    stack[size - 1] = 1;
}

TEST(below_a_stack_is_a_guard)
{
    CHECK_INT(signal_of(write_at_a_stack), 0);
    CHECK_INT(signal_of(write_below_a_stack), SIGSEGV);
}

static volatile int depth_limit = INT32_MAX;

static __attribute__((noinline)) int endless(int n)
{
    volatile char frame[256];
    frame[n % 256] = (char)n;
    if (n == depth_limit)
        return 0;
    return endless(n + 1) + frame[(n + 1) % 256];
}

static void overflow(void)
{
    endless(0);
}

static void overflow_a_stack(void)
{
    make_one(stackpool_new(), overflow);
    ctx_switch(&main_ctx, &co[0], false);
}

TEST(an_endless_recursion_dies)
{
    if (T_SANITIZED)
        t_skip("the sanitizer reports it in its own way");
    CHECK_INT(signal_of(overflow_a_stack), SIGSEGV);
}

/* Returns whether the kernel cannot read a file's name there. */
static bool unreadable(const void *at)
{
    return syscall(SYS_faccessat, AT_FDCWD, at, F_OK) != 0 && errno == EFAULT;
}

TEST(stacks_are_apart_and_come_back_warm)
{
    enum { N = 300 };
    struct stackpool *pool = stackpool_new();
    static char *stack[N];
    size_t size = 0;
    for (int i = 0; i < N; i++) {
        stack[i] = stackpool_get(pool, &size);
        CHECK(stack[i] && (uintptr_t)stack[i] % 16 == 0 && size >= 12288 && unreadable(stack[i] - 1));
        memset(stack[i], i & 127, size);
    }
    for (int i = 0; i < N; i++)
        CHECK(stack[i][0] == (i & 127) && stack[i][size - 1] == (i & 127) && unreadable(stack[i] - 1));
    stackpool_put(pool, stack[7]);
    stackpool_put(pool, stack[9]);
    CHECK(stackpool_get(pool, &size) == stack[9]); /* LIFO */
    CHECK(stackpool_get(pool, &size) == stack[7]);
    memset(stack[7], 1, size); /* all of it is usable again */
    stackpool_free(pool);
}

static int by_address(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t) * (char *const *)a, y = (uintptr_t) * (char *const *)b;
    return (x > y) - (x < y);
}

TEST(stacks_prepared_ahead_are_guarded_and_handed_out_once)
{
    enum { N = 3000, AGAIN = 4000 };
    struct stackpool *pool = stackpool_new();
    static char *stack[AGAIN];
    size_t size = 0;
    for (int i = 0; i < N; i++) {
        struct stackrun run;
        if (i % 100 == 0)
            stackpool_tend(pool);
        else if (i % 2 == 0 && stackpool_cut(pool, &run))
            stackpool_prepare(pool, &run), stackpool_add(pool, &run);
        stack[i] = stackpool_get(pool, &size);
        CHECK(stack[i] && unreadable(stack[i] - 1));
        stack[i][size - 1] = 1;
    }
    stackpool_put_all(pool); /* with some that are prepared and not handed out, and some that are still to be prepared */
    for (int i = 0; i < AGAIN; i++)
        CHECK((stack[i] = stackpool_get(pool, &size)) && unreadable(stack[i] - 1));
    qsort(stack, AGAIN, sizeof *stack, by_address);
    for (int i = 1; i < AGAIN; i++)
        CHECK(stack[i] - stack[i - 1] > (ptrdiff_t)size);
    stackpool_free(pool);
}

TEST(stacks_in_use_keep_their_content_while_others_are_prepared_late)
{
    enum { N = 3000 };
    struct stackpool *pool = stackpool_new();
    static char *stack[N];
    size_t size = 0;
    stackpool_tend(pool); /* from now on runs are left to this thread, which comes again only after slabs have been used up */
    for (int i = 0; i < N; i++) {
        stack[i] = stackpool_get(pool, &size);
        CHECK(stack[i] && unreadable(stack[i] - 1));
        memset(stack[i] + size - 64, 1 + i % 100, 64);
        if (i % 1000 == 999)
            stackpool_tend(pool);
    }
    for (int i = 0; i < N; i++)
        CHECK(stack[i][size - 64] == 1 + i % 100 && stack[i][size - 1] == 1 + i % 100);
    stackpool_free(pool);
}

TEST(two_hundred_thousand_stacks_or_a_clear_no)
{
    if (T_SANITIZED)
        t_skip("the sanitizers' shadow is too large for it");
    struct stackpool *pool = stackpool_new();
    long n = 0;
    size_t size;
    errno = 0;
    while (n < 200000 && stackpool_get(pool, &size))
        n++;
    CHECK(n == 200000 || (errno == ENOMEM && n >= 16000));
    stackpool_free(pool);
}

TEST(a_limit_of_address_space_is_named)
{
    const struct rlimit limit = {(rlim_t)1 << 30, RLIM_INFINITY};
    if (T_SANITIZED || setrlimit(RLIMIT_AS, &limit) != 0)
        t_skip("a sanitizer reserves more than that");
    struct stackpool *pool = stackpool_new();
    size_t size;
    int err;
    while (stackpool_get(pool, &size))
        ;
    CHECK(strstr(stackpool_lacks(pool, &err), "ulimit -v"));
    CHECK_INT(err, ENOMEM);
    stackpool_free(pool);
}
