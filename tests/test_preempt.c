/* Asynchronous preemption: a G's registers survive thousands of signals and moves between threads, and only tight
 * code is ever interrupted. A thread of the test plays sysmon, only faster: real signals, free mode.
 *
 * Each unit of work is deterministic, so its result without any signal is the one that it must have with them. */
#include <pthread.h>
#include "prog.h"
#include "runtime/sched/proc.h"
#include <signal.h>
#include <stdio.h>

#define TIGHT CONDUCTOR_TIGHT_TEXT
#if defined(__x86_64__)
#define AVX __attribute__((target("avx2,fma")))
#endif

enum { WORDS = 8 };

/* ---- units of work: `rounds` decides how long, `seed` what ----------------------------------------------------- */

TIGHT static uint64_t work_integers(uint64_t seed, uint32_t rounds)
{
    uint64_t a = seed, b = seed + 1, c = seed + 2, d = seed + 3, e = seed + 4, f = seed + 5, g = seed + 6, h = seed + 7;
    for (uint32_t i = 0; i < rounds; i++) {
        a = a * 3 + b;
        b = (b ^ c) + (d << 1);
        c += e >> 3;
        d = d * 5 + (f ^ a);
        e = (e + g) ^ (h << 2);
        f += a + 0x9e3779b97f4a7c15u;
        g = (g >> 1) + d;
        h ^= c * 7;
    }
    return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
}

TIGHT static uint64_t work_floats(uint64_t seed, uint32_t rounds)
{
    double a = (double)(seed % 1000) + 1, b = a + 0.5, c = 1 / a, d = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        a = a * 1.0000001 + c;
        b = b / 1.0000001 + d * 1e-9;
        c = (c + a / b) * 0.5;
        d += a - b;
    }
    double sum = a + b + c + d;
    uint64_t bits;
    __builtin_memcpy(&bits, &sum, sizeof bits);
    return bits;
}

TIGHT static uint64_t work_long_doubles(uint64_t seed, uint32_t rounds)
{
    long double a = (long double)(seed % 100) + 1, b = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        b += 1 / a;
        a += 1;
    }
    return (uint64_t)(b * 1e15L);
}

#if defined(__x86_64__)

/* Every general register at once. */
TIGHT static uint64_t work_all_registers(uint64_t seed, uint32_t rounds)
{
    uint64_t n = rounds;
    __asm__ volatile(
        "leaq -128(%%rsp), %%rsp\n\tpushq %%rbp\n\t"
        "leaq 17(%%rax), %%rbx\n\t"
        "leaq 34(%%rax), %%rdx\n\t"
        "leaq 51(%%rax), %%rsi\n\t"
        "leaq 68(%%rax), %%rdi\n\t"
        "leaq 85(%%rax), %%rbp\n\t"
        "leaq 102(%%rax), %%r8\n\t"
        "leaq 119(%%rax), %%r9\n\t"
        "leaq 136(%%rax), %%r10\n\t"
        "leaq 153(%%rax), %%r11\n\t"
        "leaq 170(%%rax), %%r12\n\t"
        "leaq 187(%%rax), %%r13\n\t"
        "leaq 204(%%rax), %%r14\n\t"
        "leaq 221(%%rax), %%r15\n\t"
        "1:\n\t"
        "addq %%rbx, %%rax\n\trolq $3, %%rax\n\t"
        "xorq %%rdx, %%rbx\n\trolq $4, %%rbx\n\t"
        "addq %%rsi, %%rdx\n\trolq $5, %%rdx\n\t"
        "xorq %%rdi, %%rsi\n\trolq $6, %%rsi\n\t"
        "addq %%rbp, %%rdi\n\trolq $7, %%rdi\n\t"
        "xorq %%r8, %%rbp\n\trolq $8, %%rbp\n\t"
        "addq %%r9, %%r8\n\trolq $9, %%r8\n\t"
        "xorq %%r10, %%r9\n\trolq $10, %%r9\n\t"
        "addq %%r11, %%r10\n\trolq $11, %%r10\n\t"
        "xorq %%r12, %%r11\n\trolq $12, %%r11\n\t"
        "addq %%r13, %%r12\n\trolq $13, %%r12\n\t"
        "xorq %%r14, %%r13\n\trolq $14, %%r13\n\t"
        "addq %%r15, %%r14\n\trolq $15, %%r14\n\t"
        "xorq %%rax, %%r15\n\trolq $16, %%r15\n\t"
        "decq %%rcx\n\tjnz 1b\n\t"
        "addq %%rbx, %%rax\n\t"
        "xorq %%rdx, %%rax\n\t"
        "addq %%rsi, %%rax\n\t"
        "xorq %%rdi, %%rax\n\t"
        "addq %%rbp, %%rax\n\t"
        "xorq %%r8, %%rax\n\t"
        "addq %%r9, %%rax\n\t"
        "xorq %%r10, %%rax\n\t"
        "addq %%r11, %%rax\n\t"
        "xorq %%r12, %%rax\n\t"
        "addq %%r13, %%rax\n\t"
        "xorq %%r14, %%rax\n\t"
        "addq %%r15, %%rax\n\t"
        "popq %%rbp\n\tleaq 128(%%rsp), %%rsp"
        : "+a"(seed), "+c"(n)
        :
        : "rbx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory");
    return seed;
}

/* Carries that wait in the flags for a while. Without the nops both instructions would retire at once, and no signal
 * would come between them. */
TIGHT static uint64_t work_flags(uint64_t seed, uint32_t rounds)
{
    uint64_t lo = seed, hi = 0, bits = 0;
    for (uint32_t i = 0; i < rounds; i++)
        __asm__ volatile(
            "addq %[k], %[lo]\n\t.rept 32\n\tnop\n\t.endr\n\tadcq $0, %[hi]\n\t"
            "cmpq %[hi], %[lo]\n\t.rept 32\n\tnop\n\t.endr\n\tadcq %[hi], %[bits]"
            : [lo] "+r"(lo), [hi] "+r"(hi), [bits] "+r"(bits)
            : [k] "r"(0x9e3779b97f4a7c15u)
            : "cc");
    return lo ^ hi ^ bits;
}

/* A leaf function may keep its locals in the 128 bytes below the stack pointer; here it does so by hand. */
TIGHT static uint64_t work_red_zone(uint64_t seed, uint32_t rounds)
{
    uint64_t sum = seed;
    for (uint32_t i = 0; i < rounds; i++)
        __asm__ volatile(
            "movq %[s], -8(%%rsp)\n\tmovq %[s], -128(%%rsp)\n\tmovq %[s], -64(%%rsp)\n\tnop\n\tnop\n\tnop\n\t"
            "rolq $7, %[s]\n\taddq -8(%%rsp), %[s]\n\txorq -128(%%rsp), %[s]\n\tsubq -64(%%rsp), %[s]\n\tincq %[s]"
            : [s] "+r"(sum)
            :
            : "cc", "memory");
    return sum;
}

/* All sixteen vector registers, both halves: each holds its own number and is added to itself around the loop. */
AVX TIGHT static uint64_t work_vectors(uint64_t seed, uint32_t rounds)
{
    uint64_t out[4] = {0}, in[4] = {seed, seed * 3, ~seed, seed << 7};
    __asm__ volatile(
        "vmovdqu (%[in]), %%ymm0\n\t"
        "vpaddq %%ymm0, %%ymm0, %%ymm1\n\tvpaddq %%ymm0, %%ymm1, %%ymm2\n\tvpaddq %%ymm1, %%ymm2, %%ymm3\n\t"
        "vpaddq %%ymm2, %%ymm3, %%ymm4\n\tvpaddq %%ymm3, %%ymm4, %%ymm5\n\tvpaddq %%ymm4, %%ymm5, %%ymm6\n\t"
        "vpaddq %%ymm5, %%ymm6, %%ymm7\n\tvpaddq %%ymm6, %%ymm7, %%ymm8\n\tvpaddq %%ymm7, %%ymm8, %%ymm9\n\t"
        "vpaddq %%ymm8, %%ymm9, %%ymm10\n\tvpaddq %%ymm9, %%ymm10, %%ymm11\n\tvpaddq %%ymm10, %%ymm11, %%ymm12\n\t"
        "vpaddq %%ymm11, %%ymm12, %%ymm13\n\tvpaddq %%ymm12, %%ymm13, %%ymm14\n\tvpaddq %%ymm13, %%ymm14, %%ymm15\n\t"
        "1:\n\t"
        "vpaddq %%ymm1, %%ymm0, %%ymm0\n\tvpxor %%ymm2, %%ymm1, %%ymm1\n\tvpaddq %%ymm3, %%ymm2, %%ymm2\n\t"
        "vpxor %%ymm4, %%ymm3, %%ymm3\n\tvpaddq %%ymm5, %%ymm4, %%ymm4\n\tvpxor %%ymm6, %%ymm5, %%ymm5\n\t"
        "vpaddq %%ymm7, %%ymm6, %%ymm6\n\tvpxor %%ymm8, %%ymm7, %%ymm7\n\tvpaddq %%ymm9, %%ymm8, %%ymm8\n\t"
        "vpxor %%ymm10, %%ymm9, %%ymm9\n\tvpaddq %%ymm11, %%ymm10, %%ymm10\n\tvpxor %%ymm12, %%ymm11, %%ymm11\n\t"
        "vpaddq %%ymm13, %%ymm12, %%ymm12\n\tvpxor %%ymm14, %%ymm13, %%ymm13\n\tvpaddq %%ymm15, %%ymm14, %%ymm14\n\t"
        "vpxor %%ymm0, %%ymm15, %%ymm15\n\t"
        "decl %[n]\n\tjnz 1b\n\t"
        "vpaddq %%ymm15, %%ymm7, %%ymm0\n\tvpxor %%ymm1, %%ymm0, %%ymm0\n\tvmovdqu %%ymm0, (%[out])\n\tvzeroupper"
        : [n] "+r"(rounds)
        : [in] "r"(in), [out] "r"(out)
        : "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
          "xmm13", "xmm14", "xmm15");
    return out[0] ^ out[1] ^ out[2] ^ out[3];
}

/* The x87 stack is full, so a single value left there by another G is one too many. */
TIGHT static uint64_t work_full_stack(uint64_t seed, uint32_t rounds)
{
    uint64_t out;
    __asm__ volatile(
        "fildll %[in]\n\t.rept 7\n\tfld %%st(0)\n\t.endr\n\t"
        "1:\n\tdecl %[n]\n\tjnz 1b\n\t"
        ".rept 7\n\tfaddp\n\t.endr\n\tfistpll %[out]"
        : [n] "+r"(rounds), [out] "=m"(out)
        : [in] "m"(seed)
        : "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)", "cc");
    return out;
}

/* 512 bits, the upper sixteen registers and a mask register. */
__attribute__((target("avx512f"))) TIGHT static uint64_t work_wide_vectors(uint64_t seed, uint32_t rounds)
{
    uint64_t out[8] = {0}, in[8] = {seed, seed * 3, ~seed, seed << 7, seed + 11, seed ^ 77, seed * 5, seed >> 3};
    uint32_t mask = 0x5a;
    __asm__ volatile(
        "kmovw %[mask], %%k1\n\tvmovdqu64 (%[in]), %%zmm16\n\tvpaddq %%zmm16, %%zmm16, %%zmm31\n\t"
        "vpaddq %%zmm31, %%zmm16, %%zmm5\n\t"
        "1:\n\tvpaddq %%zmm31, %%zmm16, %%zmm16%{%%k1%}\n\tvpxorq %%zmm5, %%zmm31, %%zmm31\n\t"
        "vpaddq %%zmm16, %%zmm5, %%zmm5\n\tdecl %[n]\n\tjnz 1b\n\t"
        "vpaddq %%zmm16, %%zmm31, %%zmm16\n\tvmovdqu64 %%zmm16, (%[out])\n\tvzeroupper"
        : [n] "+r"(rounds)
        : [in] "r"(in), [out] "r"(out), [mask] "r"(mask)
        : "memory", "cc", "xmm5");
    return out[0] ^ out[1] ^ out[2] ^ out[3] ^ out[4] ^ out[5] ^ out[6] ^ out[7];
}

/* The control words belong to the G: round down here, as usual elsewhere. */
TIGHT static uint64_t work_rounding(uint64_t seed, uint32_t rounds)
{
    uint32_t before, down;
    double a = (double)(seed % 97) + 2, sum = 0;
    __asm__ volatile("stmxcsr %0" : "=m"(before));
    down = before | 0x2000;
    __asm__ volatile("ldmxcsr %0" : : "m"(down));
    for (uint32_t i = 0; i < rounds; i++) {
        sum += 1 / a;
        __asm__ volatile("" : "+x"(sum), "+x"(a));
        a += 1;
    }
    __asm__ volatile("ldmxcsr %0" : : "m"(before));
    uint64_t bits;
    __builtin_memcpy(&bits, &sum, sizeof bits);
    return bits;
}

#endif

typedef uint64_t work_fn(uint64_t seed, uint32_t rounds);
static work_fn *units[10];
static int nunits;

static void know_units(void)
{
    nunits = 0;
    units[nunits++] = work_integers;
    units[nunits++] = work_floats;
    units[nunits++] = work_long_doubles;
#if defined(__x86_64__)
    units[nunits++] = work_all_registers;
    units[nunits++] = work_flags;
    units[nunits++] = work_red_zone;
    units[nunits++] = work_rounding;
    units[nunits++] = work_full_stack;
    if (__builtin_cpu_supports("avx2"))
        units[nunits++] = work_vectors;
    if (__builtin_cpu_supports("avx512f"))
        units[nunits++] = work_wide_vectors;
#endif
}

/* ---- the storm ------------------------------------------------------------------------------------------------- */

enum { GS = 12, ROUNDS = 100000 };

static uint64_t expected[10][GS];
static _Atomic long done, wrong, moved;
static _Atomic bool quiet;
static long want; /* units per G */

static void worker(void *arg)
{
    int me = (int)(intptr_t)arg;
    for (long k = 0; k < want; k++) {
        int u = (int)((k + me) % nunits);
        uint32_t before = rt_mid();
        if (units[u]((uint64_t)me + 1, ROUNDS) != expected[u][me])
            atomic_fetch_add(&wrong, 1);
        atomic_fetch_add(&moved, rt_mid() != before);
        rt_point(); /* not a safe point */
    }
    atomic_fetch_add(&done, 1);
}

static void main_storm(void *arg)
{
    (void)arg;
    for (int i = 0; i < GS; i++)
        go(worker, i);
    while (atomic_load(&done) < GS)
        rt_gosched();
}

/* Does to all Ms at once what preemptone() does to one P, 20,000 times a second if it gets the time. */
static void *storm(void *arg)
{
    struct sched *s = arg;
    while (!atomic_load(&quiet)) {
        for (struct m *m = atomic_load_explicit(&s->allm, memory_order_acquire); m; m = m->alllink) {
            struct g *gp = atomic_load_explicit(&m->curg, memory_order_acquire);
            if (!gp)
                continue;
            atomic_store_explicit(&gp->preempt, 1, memory_order_relaxed);
            preemptm(m);
        }
        nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
    }
    return NULL;
}

static struct rt_config config(enum conductor_mode mode, rt_fn *main_fn)
{
    return (struct rt_config){
        .gomaxprocs = 4,
        .runq_size = 256,
        .max_threads = 10000,
        .start_tick = 4,
        .preempt_slice = 10000000,
        .async_preempt = true,
        .seed = 1,
        .mode = mode,
        .main_fn = main_fn,
        .level = EV_CORE};
}

static struct counters run_config(const struct rt_config *cfg, bool with_storm)
{
    struct result r = {.hash = 0xcbf29ce484222325u};
    struct model_config mc = {.runq_size = 256, .start_tick = 4, .seed = cfg->seed};
    pthread_t thread;
    r.md = model_new(&mc);
    struct sched *s = rt_new(cfg);
    CHECK(r.md && s);
    CHECK_INT(rt_start(s), 0);
    atomic_store(&quiet, false);
    if (with_storm)
        CHECK_INT(pthread_create(&thread, NULL, storm, s), 0);
    to_the_end(s, cfg->mode == MODE_LOCKSTEP ? LOG_BY_TIME : LOG_BY_SEQUENCE, &r);
    atomic_store(&quiet, true);
    if (with_storm)
        pthread_join(thread, NULL);
    CHECK_INT(r.how, ENDED_MAIN_RETURNED);
    struct counters c = *model_counters(r.md);
    rt_stop(s);
    rt_free(s);
    model_free(r.md);
    return c;
}

static bool signals_here(void)
{
    struct rt_config cfg = config(MODE_FREE, main_storm);
    struct sched *s = rt_new(&cfg);
    bool yes = s && s->signals;
    rt_free(s);
    return yes;
}

static void storm_once(long units_each)
{
    know_units();
    want = units_each;
    for (int u = 0; u < nunits; u++)
        for (int g = 0; g < GS; g++)
            expected[u][g] = units[u]((uint64_t)g + 1, ROUNDS);
    atomic_store(&done, 0);
    atomic_store(&wrong, 0);
    atomic_store(&moved, 0);
    struct rt_config cfg = config(MODE_FREE, main_storm);
    struct counters c = run_config(&cfg, true);
    CHECK_INT(wrong, 0);
    printf("     %llu preemptions by signal, %ld of %ld units moved to another thread\n", (unsigned long long)c.async_preempts, (long)moved,
           (long)GS * units_each);
}

TEST(registers_survive_preemption_and_moves)
{
    if (!signals_here())
        return; /* under ThreadSanitizer: nothing to test */
    storm_once(t_count(120, 2000));
    CHECK(moved > 0);
}

/* ---- what is promised about tight computing -------------------------------------------------------------------- */

static _Atomic bool other_ran;

static void other(void *arg)
{
    (void)arg;
    atomic_store(&other_ran, true);
}

/* It has the only P; only preemption can give that to the other G. */
static void main_hog(void *arg)
{
    (void)arg;
    go(other, 0);
    while (!atomic_load(&other_ran))
        rt_compute(20000000, true);
}

TEST(a_tight_loop_gives_way_in_both_modes)
{
    for (int mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++) {
        struct rt_config cfg = config((enum conductor_mode)mode, main_hog);
        cfg.gomaxprocs = 1;
        atomic_store(&other_ran, false);
        struct counters c = run_config(&cfg, false);
        CHECK(c.async_preempts > 0);
    }
}

static int64_t took;

static void main_measures(void *arg)
{
    (void)arg;
    struct m *m = getm();
    int64_t start = nanotime(m);
    rt_compute(30000000, true);
    took = nanotime(getm()) - start;
}

/* Alone on its P, a G that is preempted twice computes exactly as long as one that is not; in lockstep to the
 * nanosecond, except for the 10 ns of each gate. */
TEST(tight_computing_lasts_as_long_as_asked_for)
{
    for (int mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++) {
        struct rt_config cfg = config((enum conductor_mode)mode, main_measures);
        run_config(&cfg, false);
        CHECK(took >= 30000000);
        if (mode == MODE_LOCKSTEP)
            CHECK(took < 30000000 + 10000);
    }
}

static uint64_t hash_of(uint64_t seed)
{
    struct rt_config cfg = config(MODE_LOCKSTEP, main_hog);
    struct result r = {.hash = 0xcbf29ce484222325u};
    struct model_config mc = {.runq_size = 256, .start_tick = 4, .seed = seed};
    cfg.gomaxprocs = 1;
    cfg.seed = seed;
    cfg.level = EV_DETAIL;
    atomic_store(&other_ran, false);
    r.md = model_new(&mc);
    struct sched *s = rt_new(&cfg);
    CHECK(r.md && s);
    CHECK_INT(rt_start(s), 0);
    to_the_end(s, LOG_BY_TIME, &r);
    CHECK(model_counters(r.md)->async_preempts > 0);
    rt_stop(s);
    rt_free(s);
    model_free(r.md);
    return r.hash;
}

TEST(preemption_by_signal_is_deterministic_in_lockstep)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        uint64_t h = hash_of(seed);
        for (int again = 0; again < 3; again++)
            CHECK_INT(hash_of(seed), h);
    }
}

TEST(other_handlers_of_SIGURG_are_restored)
{
    struct sigaction before, after;
    struct sigaction ours = {.sa_handler = SIG_IGN};
    CHECK_INT(sigaction(SIGURG, &ours, NULL), 0);
    struct rt_config cfg = config(MODE_FREE, main_hog);
    struct sched *a = rt_new(&cfg), *b = rt_new(&cfg);
    CHECK(a && b);
    bool installed = a->signals;
    rt_free(a);
    CHECK_INT(sigaction(SIGURG, NULL, &before), 0);
    CHECK_INT(before.sa_handler == SIG_IGN, !installed); /* b still needs it */
    rt_free(b);
    CHECK_INT(sigaction(SIGURG, NULL, &after), 0);
    CHECK(after.sa_handler == SIG_IGN);
}

TEST(only_the_section_is_tight)
{
    CHECK(conductor_is_tight((uintptr_t)conductor_tight));
    CHECK(conductor_is_tight((uintptr_t)work_integers));
    CHECK(!conductor_is_tight((uintptr_t)nanosleep));
    CHECK(!conductor_is_tight((uintptr_t)rt_compute));
    CHECK(!conductor_is_tight((uintptr_t)main_storm));
}
