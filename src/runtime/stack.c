/* Stacks for Gs.
 *
 * A million Gs must fit, so a stack may not cost a mapping. Stacks are cut from slabs, one mmap for many, each cell a
 * guard page and then the stack above it. Where the kernel has MADV_GUARD_INSTALL (6.13) the guard is a mark in the
 * page table and a slab stays one mapping; elsewhere the guard is mprotect'ed, which splits the mapping in two for each
 * stack and meets vm.max_map_count (65,530 by default) at about 32,000 stacks. That comes out as NULL, and
 * stackpool_lacks() names it.
 *
 * Huge pages are refused for slabs: one touched byte of a 64 KiB stack would otherwise bring in 2 MiB.
 *
 * Free stacks are a list through their own last word: that page was used, so the link touches no new one. Under ASan all
 * of a free stack but the link is poisoned: whoever keeps a pointer into a dead G's stack is caught.
 */
#include "runtime/stack.h"
#include "runtime/valgrind.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
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
#else
#define STACK_SIZE ((size_t)64 << 10)
#endif
#define SLAB_STACKS 64u

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

struct slab {
    struct slab *next;
    char *base;
};

struct freestack { struct freestack *next; };

struct stackpool {
    struct slab *slabs;          /* the newest first; stacks are cut from that one */
    unsigned cut;                /* stacks cut from it so far */
    struct freestack *freelist;  /* given back; LIFO, so that the warm one goes first */
    size_t guard;                /* a page */
    bool no_guard_install;       /* the kernel does not know it: mprotect */
    bool guard_tried;            /* the kernel knows it, and it works */
    bool no_mappings;            /* a guard was refused: no mapping can be split any more */
};

static size_t cell_size(const struct stackpool *pool)
{
    return pool->guard + STACK_SIZE;
}

struct stackpool *stackpool_new(void)
{
    struct stackpool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->guard = (size_t)sysconf(_SC_PAGESIZE);
    pool->no_guard_install = RUNNING_ON_VALGRIND; /* it would take such a page for readable, and read it */
    return pool;
}

static bool slab_add(struct stackpool *pool)
{
    struct slab *slab = malloc(sizeof *slab);
    if (!slab)
        return false;
    size_t size = SLAB_STACKS * cell_size(pool);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
    slab->base = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (slab->base == MAP_FAILED) {
        free(slab);
        errno = ENOMEM;
        return false;
    }
    (void)madvise(slab->base, size, MADV_NOHUGEPAGE); /* a kernel without huge pages refuses: as well */
    slab->next = pool->slabs;
    pool->slabs = slab;
    pool->cut = 0;
    return true;
}

/* Emulators (qemu-user) answer yes to any advice. The kernel itself is asked to read the page as a file name: EFAULT. */
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
    pool->no_mappings = errno == ENOMEM; /* the page is there: what lacks is the mapping */
    return false;
}

/* A stack that was never used. */
static void *cut(struct stackpool *pool)
{
    if ((!pool->slabs || pool->cut == SLAB_STACKS) && !slab_add(pool))
        return NULL;
    char *cell = pool->slabs->base + pool->cut * cell_size(pool);
    if (!guard_install(pool, cell))
        return NULL;
    pool->cut++;
    VALGRIND_STACK_REGISTER(cell + pool->guard, cell + cell_size(pool)); /* a switch to it is no jump within one stack */
    return cell + pool->guard;
}

static struct freestack *link_of(void *stack)
{
    return (struct freestack *)((char *)stack + STACK_SIZE - sizeof(struct freestack));
}

void *stackpool_get(struct stackpool *pool, size_t *size)
{
    *size = STACK_SIZE;
    struct freestack *link = pool->freelist;
    if (!link)
        return cut(pool);
    pool->freelist = link->next;
    void *stack = (char *)link + sizeof *link - STACK_SIZE;
    unpoison(stack, STACK_SIZE);
    return stack;
}

const char *stackpool_lacks(const struct stackpool *pool)
{
    return pool->no_mappings ? "runtime: cannot guard a goroutine's stack: each guard page takes two memory mappings on this kernel, and "
                               "vm.max_map_count allows no more (sysctl vm.max_map_count raises it; Linux 6.13 needs none)"
                             : "runtime: cannot allocate memory for a goroutine's stack";
}

void stackpool_put(struct stackpool *pool, void *stack)
{
    struct freestack *link = link_of(stack);
    unpoison(stack, STACK_SIZE); /* its dead frames have left their marks */
    link->next = pool->freelist;
    pool->freelist = link;
    poison(stack, STACK_SIZE - sizeof *link);
}

void stackpool_free(struct stackpool *pool)
{
    if (!pool)
        return;
    size_t size = SLAB_STACKS * cell_size(pool);
    for (struct slab *slab = pool->slabs, *next; slab; slab = next) {
        next = slab->next;
        unpoison(slab->base, size); /* the next mapping at this address is somebody else's */
        munmap(slab->base, size);
        free(slab);
    }
    free(pool);
}
