/* Stacks for Gs.
 *
 * A million Gs must fit, so a stack may not cost a mapping. Stacks are cut from slabs: one mmap for many stacks. Each slab is twice as
 * large as the one before, and untouched memory costs nothing. A cell is a guard page and the stack above it. If the kernel has
 * MADV_GUARD_INSTALL (6.13), the guard is a mark in the page table, and a slab stays one mapping. Otherwise the guard is mprotect'ed,
 * which splits the mapping in two for each stack, and about 32,000 stacks reach vm.max_map_count (65,530 by default). stackpool_get()
 * then returns NULL, and stackpool_lacks() names the limit.
 *
 * A cell is 16 KiB in builds with frames of normal size. Then the page-table entries of a stack take 32 bytes, so two neighbours share a
 * cache line of them. A G needs at most about 6 KiB, in the deepest nesting that a scenario allows.
 *
 * A program that makes many Gs will make more. So from the eighth stack on, several stacks are prepared at once (a run, up to a quarter of
 * the number so far): one system call sets their guards, and each top page is touched. Another thread can do that work ahead
 * (stackpool_tend). stackpool_get() leaves runs for it in a ring, which that thread alone prepares, and prepares the next run itself if none
 * of them is ready. Rejected: one MADV_POPULATE_WRITE for the top pages of a run. Before each range the kernel hands over the pages that
 * it has just made, under a lock. This takes an eighth more time than a fault for each page, and more if two threads do it.
 *
 * Slabs use no huge pages: otherwise one touched byte of a stack would allocate 2 MiB. Free stacks form a list, whose link is the last
 * word of each stack. That page was used before, so the link touches no new page. Under ASan a free stack is poisoned except for the
 * link, so that any use of a pointer into a dead G's stack is reported.
 */
#include "runtime/stack/stack.h"
#include "runtime/stack/valgrind.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define STACK_ASAN 1
#endif
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define STACK_SANITIZED 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define STACK_ASAN 1
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STACK_SANITIZED 1
#endif

#ifdef STACK_ASAN
#include <sanitizer/asan_interface.h>
#define poison(p, n) __asan_poison_memory_region(p, n)
#define unpoison(p, n) __asan_unpoison_memory_region(p, n)
#else
#define poison(p, n) ((void)(p), (void)(n))
#define unpoison(p, n) ((void)(p), (void)(n))
#endif

#ifdef STACK_SANITIZED
#define STACK_SIZE ((size_t)256 << 10) /* instrumented frames are several times larger */
#elif !defined(__OPTIMIZE__)
#define STACK_SIZE ((size_t)60 << 10)
#else
#define STACK_SIZE ((size_t)12 << 10) /* at least; a whole number of pages */
#endif

enum {
    SLAB_FIRST = 64,
    SLAB_MOST = 65536, /* the most stacks of a slab */
    BATCH = 64,        /* the most stacks of a run */
    AHEAD = 16         /* the most runs that are prepared ahead */
};

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif
#define SELF (-10001) /* PIDFD_SELF_THREAD_GROUP: this process (6.14) */

struct slab {
    struct slab *next;
    char *base;
    unsigned stacks;
};

struct freestack {
    struct freestack *next;
};

/* A run that is ready, at the top of its first stack. */
struct readyrun {
    struct readyrun *next;
    struct stackrun run;
};

struct stackpool {
    struct slab *slabs;         /* newest first; stacks are cut from the newest */
    unsigned cut;               /* stacks cut from it so far */
    struct stackrun run;        /* the stacks that are handed out next */
    struct readyrun *ready;     /* runs that come after it */
    unsigned all;               /* stacks handed out from all slabs */
    struct freestack *freelist; /* stacks that were given back; LIFO, so that a warm one is reused first */
    size_t guard;               /* a page */
    size_t size;                /* of a stack */
    bool no_guard_install;      /* the kernel lacks MADV_GUARD_INSTALL: mprotect is used */
    bool guard_tried;           /* MADV_GUARD_INSTALL exists and works */
    bool no_batch;              /* the kernel takes one advice for one range only */
    bool no_mappings;           /* a guard was refused: no mapping can be split any more */
    int lack;                   /* errno of the last refusal */
    char why[160];              /* its text, if no slab can be added; else "" */
    struct {
        struct stackrun run[AHEAD];
        unsigned taken; /* runs taken back */
        _Atomic unsigned asked, done;
        _Atomic bool tended; /* there is a thread that calls stackpool_tend() */
    } ahead;
};

static size_t cell_size(const struct stackpool *pool)
{
    return pool->guard + pool->size;
}

struct stackpool *stackpool_new(void)
{
    struct stackpool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->guard = (size_t)sysconf(_SC_PAGESIZE);
    pool->size = (STACK_SIZE + pool->guard - 1) & ~(pool->guard - 1);
    pool->no_guard_install = RUNNING_ON_VALGRIND; /* valgrind would think that such a page is readable, and read it */
    return pool;
}

static char *slab_map(size_t size)
{
    char *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    return base == MAP_FAILED ? NULL : base;
}

/* Returns a value of /proc/meminfo in bytes; 0: unknown. */
static size_t memory_value(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return at ? strtoull(at + strlen(name), NULL, 10) << 10 : 0;
}

/* Untouched memory is always granted, so the kernel would kill a program with too many Gs, or another one, after minutes without free
 * memory. So each of the largest slabs needs an eighth of the machine's memory to be left, which processes can get without swapping. */
static bool fits(struct stackpool *pool, unsigned stacks)
{
    char text[512] = "";
    int fd = stacks == SLAB_MOST ? open("/proc/meminfo", O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return true;
    if (read(fd, text, sizeof text - 1) < 0)
        text[0] = '\0';
    close(fd);
    size_t left = memory_value(text, "MemAvailable:");
    if (left == 0 || left >= memory_value(text, "MemTotal:") / 8)
        return true;
    snprintf(pool->why, sizeof pool->why,
             "cannot start goroutine %u: one that waits takes about %d KiB, and only %zu MiB of memory are left", pool->all + 1,
             STACK_G_BYTES >> 10, left >> 20);
    errno = ENOMEM;
    return false;
}

/* Adds a slab twice as large as the newest, or a smaller one if the system limits reserved memory. */
static bool slab_add(struct stackpool *pool)
{
    unsigned stacks = !pool->slabs ? SLAB_FIRST : pool->slabs->stacks < SLAB_MOST ? 2 * pool->slabs->stacks : SLAB_MOST;
    struct slab *slab = fits(pool, stacks) ? malloc(sizeof *slab) : NULL;
    if (!slab)
        return false;
    slab->stacks = stacks;
    while (!(slab->base = slab_map(slab->stacks * cell_size(pool))) && slab->stacks > SLAB_FIRST)
        slab->stacks /= 2;
    if (!slab->base) {
        free(slab);
        snprintf(pool->why, sizeof pool->why,
                 "cannot reserve address space for the stack of goroutine %u; the limit may be ulimit -v or vm.overcommit_memory",
                 pool->all + 1);
        errno = ENOMEM;
        return false;
    }
    /* A kernel without huge pages refuses, which does no harm. */
    (void)madvise(slab->base, slab->stacks * cell_size(pool), MADV_NOHUGEPAGE);
    slab->next = pool->slabs;
    pool->slabs = slab;
    pool->cut = 0;
    return true;
}

/* Returns true if the page is really guarded. Emulators (qemu-user) accept any advice. So this makes the kernel read the page as a file
 * name, which fails with EFAULT if it is guarded. */
static bool is_guarded(const void *page)
{
    return syscall(SYS_faccessat, AT_FDCWD, page, F_OK) != 0 && errno == EFAULT;
}

static bool guard_install(struct stackpool *pool, void *page)
{
    if (!pool->no_guard_install) {
        if (madvise(page, pool->guard, MADV_GUARD_INSTALL) == 0) {
            pool->guard_tried = pool->guard_tried || is_guarded(page);
            if (pool->guard_tried)
                return true;
        } else if (errno != EINVAL) {
            return false;
        }
        pool->no_guard_install = true;
    }
    if (mprotect(page, pool->guard, PROT_NONE) == 0)
        return true;
    pool->no_mappings = errno == ENOMEM; /* the page exists, so there are too many mappings */
    return false;
}

/* Sets the guards of a run, and makes the kernel provide the top pages, which every G uses. Returns false if the kernel cannot set several
 * guards at once. No stack of the run is in use: what it holds at its top is lost. */
static bool prepare(const struct stackpool *pool, const struct stackrun *run)
{
    struct iovec guards[BATCH];
    for (unsigned i = 0; i < run->left; i++)
        guards[i] = (struct iovec){run->cell + i * cell_size(pool), pool->guard};
    if (syscall(SYS_process_madvise, SELF, guards, run->left, MADV_GUARD_INSTALL, 0) != (long)(run->left * pool->guard))
        return false;
    for (unsigned i = 0; i < run->left; i++)
        *(volatile char *)(run->cell + (i + 1) * cell_size(pool) - 1) = 0;
    return true;
}

static bool in_runs(const struct stackpool *pool)
{
    return pool->guard_tried && !pool->no_batch;
}

/* Cuts the next run of the newest slab, which has stacks left. */
static struct stackrun cut_run(struct stackpool *pool)
{
    unsigned left = pool->slabs->stacks - pool->cut, most = left < BATCH ? left : BATCH, n = pool->all / 4;
    n = n < 1 || !in_runs(pool) ? 1 : n < most ? n : most;
    struct stackrun run = {pool->slabs->base + pool->cut * cell_size(pool), n, false};
    pool->cut += n;
    return run;
}

static bool slab_used_up(const struct stackpool *pool)
{
    return !pool->slabs || pool->cut == pool->slabs->stacks;
}

/* Leaves runs to the thread that prepares them ahead, up to a quarter of the number of stacks so far. */
static void ask_ahead(struct stackpool *pool)
{
    /* relaxed: the caller's lock orders `asked`; `tended` is a hint */
    unsigned asked = atomic_load_explicit(&pool->ahead.asked, memory_order_relaxed), most = pool->all / 4 / BATCH;
    if (!in_runs(pool) || !atomic_load_explicit(&pool->ahead.tended, memory_order_relaxed))
        return;
    most = most < AHEAD ? most : AHEAD;
    for (; asked - pool->ahead.taken < most && !slab_used_up(pool); asked++)
        pool->ahead.run[asked % AHEAD] = cut_run(pool);
    /* release: publishes the runs; pairs with prepare_asked() */
    atomic_store_explicit(&pool->ahead.asked, asked, memory_order_release);
}

static void prepare_asked(struct stackpool *pool)
{
    /* acquire: pairs with ask_ahead(). relaxed: our own */
    unsigned asked = atomic_load_explicit(&pool->ahead.asked, memory_order_acquire);
    for (unsigned done = atomic_load_explicit(&pool->ahead.done, memory_order_relaxed); done != asked; done++) {
        struct stackrun *run = &pool->ahead.run[done % AHEAD];
        run->guarded = prepare(pool, run);
        /* release: pairs with has_prepared() */
        atomic_store_explicit(&pool->ahead.done, done + 1, memory_order_release);
    }
}

void stackpool_tend(struct stackpool *pool)
{
    /* relaxed, both: a hint. Stored once, so that the line stays with the caller of stackpool_get() */
    if (!atomic_load_explicit(&pool->ahead.tended, memory_order_relaxed))
        atomic_store_explicit(&pool->ahead.tended, true, memory_order_relaxed);
    prepare_asked(pool);
}

/* Returns true if the other thread has prepared a run. */
static bool has_prepared(const struct stackpool *pool)
{
    /* acquire: pairs with prepare_asked() */
    return atomic_load_explicit(&pool->ahead.done, memory_order_acquire) != pool->ahead.taken;
}

static struct stackrun take_ready(struct stackpool *pool)
{
    struct readyrun *ready = pool->ready;
    pool->ready = ready->next;
    return ready->run;
}

/* Makes pool->run a run that has stacks: a prepared one, or else a new one. A new slab is added only if neither is left. Returns false if
 * the system grants no memory. */
static bool next_run(struct stackpool *pool)
{
    if (pool->ready)
        pool->run = take_ready(pool);
    else if (has_prepared(pool))
        pool->run = pool->ahead.run[pool->ahead.taken++ % AHEAD];
    else if (!slab_used_up(pool) || slab_add(pool))
        pool->run = cut_run(pool);
    else
        return false;
    if (!pool->run.guarded && pool->run.left > 1) {
        pool->run.guarded = prepare(pool, &pool->run);
        pool->no_batch = !pool->run.guarded;
    }
    ask_ahead(pool);
    return true;
}

bool stackpool_cut(struct stackpool *pool, struct stackrun *run)
{
    bool none = !pool->freelist && !pool->run.left && !pool->ready && !has_prepared(pool);
    if (!none || !in_runs(pool) || slab_used_up(pool))
        return false;
    *run = cut_run(pool);
    return true;
}

void stackpool_prepare(const struct stackpool *pool, struct stackrun *run)
{
    run->guarded = prepare(pool, run);
}

void stackpool_add(struct stackpool *pool, const struct stackrun *run)
{
    struct readyrun *ready = (struct readyrun *)(void *)(run->cell + cell_size(pool) - sizeof *ready);
    *ready = (struct readyrun){pool->ready, *run};
    pool->ready = ready;
}

/* Returns a stack that was never used. */
static void *cut(struct stackpool *pool)
{
    if (!pool->run.left && !next_run(pool))
        return NULL;
    char *cell = pool->run.cell;
    if (!pool->run.guarded && !guard_install(pool, cell))
        return NULL;
    pool->run.cell += cell_size(pool);
    pool->run.left--;
    pool->all++;
    VALGRIND_STACK_REGISTER(cell + pool->guard, cell + cell_size(pool)); /* a switch to it is not a jump within a stack */
    return cell + pool->guard;
}

static struct freestack *link_of(const struct stackpool *pool, void *stack)
{
    return (struct freestack *)((char *)stack + pool->size - sizeof(struct freestack));
}

void *stackpool_get(struct stackpool *pool, size_t *size)
{
    *size = pool->size;
    struct freestack *link = pool->freelist;
    if (!link) {
        void *new = cut(pool);
        pool->lack = new ? pool->lack : errno;
        return new;
    }
    pool->freelist = link->next;
    void *stack = (char *)link + sizeof *link - pool->size;
    unpoison(stack, pool->size);
    return stack;
}

const char *stackpool_lacks(const struct stackpool *pool, int *err)
{
    *err = pool->lack;
    if (pool->why[0])
        return pool->why;
    return pool->no_mappings ? "cannot guard a goroutine's stack: each guard page takes two memory mappings on this kernel, and "
                               "vm.max_map_count allows no more (sysctl vm.max_map_count raises it; Linux 6.13 needs none)"
                             : "cannot allocate memory for a goroutine's stack";
}

void stackpool_put(struct stackpool *pool, void *stack)
{
    struct freestack *link = link_of(pool, stack);
    unpoison(stack, pool->size); /* its dead frames have left ASan's marks */
    link->next = pool->freelist;
    pool->freelist = link;
    poison(stack, pool->size - sizeof *link);
}

/* Hands out all stacks that are cut, so that the list is the only place that has them. */
static void end_runs(struct stackpool *pool)
{
    prepare_asked(pool);
    atomic_store_explicit(&pool->ahead.tended, false, memory_order_relaxed); /* no other thread uses it */
    while (pool->run.left || pool->ready || pool->ahead.taken != atomic_load_explicit(&pool->ahead.done, memory_order_relaxed))
        if (!cut(pool))
            pool->run.left = 0;
}

/* Puts all stacks on the free list. The stack that was cut first becomes its first. */
void stackpool_put_all(struct stackpool *pool)
{
    end_runs(pool);
    unsigned n = pool->cut;
    pool->freelist = NULL;
    for (struct slab *slab = pool->slabs; slab; slab = slab->next, n = slab ? slab->stacks : 0)
        while (n-- > 0)
            stackpool_put(pool, slab->base + n * cell_size(pool) + pool->guard);
}

void stackpool_free(struct stackpool *pool)
{
    if (!pool)
        return;
    for (struct slab *slab = pool->slabs, *next; slab; slab = next) {
        size_t size = slab->stacks * cell_size(pool);
        next = slab->next;
        unpoison(slab->base, size); /* the next mapping at this address belongs to other code */
        munmap(slab->base, size);
        free(slab);
    }
    free(pool);
}
