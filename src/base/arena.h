/* Bump memory freed as a whole, and growable arrays. Not thread-safe. */
#ifndef GMPSCOPE_BASE_ARENA_H
#define GMPSCOPE_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena_block;
/* {0} is an empty arena. lacking: an arena_alloc() has failed, so the data built in the arena may be incomplete. */
struct arena {
    struct arena_block *blocks;
    size_t total;
    bool lacking;
};

/* Returns zeroed memory aligned to 16 bytes, NULL if memory ran out. */
void *arena_alloc(struct arena *a, size_t size);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void arena_fini(struct arena *a); /* frees all of it; the arena is empty again */

#define CACHE_LINE 64
/* Returns zeroed, cache-line aligned memory that shares no line with other data, NULL if memory ran out. Free it with free(). */
void *lines_new(size_t size);

/* Growable array: VEC(int) v = {0}; vec_push(&v, x) is false if memory ran out; vec_free(&v) */
#define VEC(T) \
    struct { \
        T *v; \
        size_t n, cap; \
    }
#define vec_push(vec, x) \
    (((vec)->n < (vec)->cap || vec_grow_((void **)&(vec)->v, &(vec)->cap, sizeof *(vec)->v)) ? ((vec)->v[(vec)->n++] = (x), 1) : 0)
#define vec_free(vec) (free((vec)->v), (vec)->v = NULL, (vec)->n = (vec)->cap = 0)
int vec_grow_(void **v, size_t *cap, size_t size);

#endif
