#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_MAX ((size_t)16 * 1024)
#define BLOCK_MIN ((size_t)512)

struct arena_block {
    struct arena_block *next;
    size_t used, size;
    _Alignas(16) char bytes[];
};

static struct arena_block *block_new(struct arena *a, size_t size)
{
    size_t usual = a->total < BLOCK_MIN   ? BLOCK_MIN
                   : a->total < BLOCK_MAX ? a->total
                                          : BLOCK_MAX; /* few blocks even for a million small allocations */
    bool big = size > usual / 4;                       /* gets its own block; the current block continues to be filled */
    size_t room = big ? size : usual;
    struct arena_block *b = malloc(sizeof *b + room);
    if (!b)
        return NULL;
    *b = (struct arena_block){.size = room};
    if (big && a->blocks) {
        b->next = a->blocks->next;
        a->blocks->next = b;
    } else {
        b->next = a->blocks;
        a->blocks = b;
    }
    return b;
}

void *arena_alloc(struct arena *a, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size = size ? (size + 15) & ~(size_t)15 : 16;
    struct arena_block *b = a->blocks;
    if (!b || b->size - b->used < size)
        b = block_new(a, size);
    if (!b) {
        a->lacking = true;
        return NULL;
    }
    void *at = b->bytes + b->used;
    b->used += size;
    a->total += size;
    return memset(at, 0, size);
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
    char *copy = arena_alloc(a, n + 1);
    if (copy && n)
        memcpy(copy, s, n);
    return copy;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    char *s = n < 0 ? NULL : arena_alloc(a, (size_t)n + 1);
    if (s)
        vsnprintf(s, (size_t)n + 1, fmt, again);
    va_end(again);
    va_end(ap);
    return s;
}

void arena_fini(struct arena *a)
{
    struct arena_block *next;
    for (struct arena_block *b = a->blocks; b; b = next) {
        next = b->next;
        free(b);
    }
    *a = (struct arena){0};
}

void *lines_new(size_t size)
{
    size_t whole = (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    void *p = size <= SIZE_MAX / 2 ? aligned_alloc(CACHE_LINE, whole) : NULL;
    return p ? memset(p, 0, whole) : NULL;
}

int vec_grow_(void **v, size_t *cap, size_t size)
{
    size_t more = *cap ? *cap * 2 : 8;
    if (more < *cap || more > SIZE_MAX / 2 / size)
        return 0;
    void *grown = realloc(*v, more * size);
    if (!grown)
        return 0;
    *v = grown;
    *cap = more;
    return 1;
}
