/* A table from 64-bit numbers to 32-bit ones. {0} is empty. Not thread-safe. */
#ifndef GMPSCOPE_TRACE_GO_ID_TABLE_H
#define GMPSCOPE_TRACE_GO_ID_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct id_slot {
    uint64_t id;
    uint32_t value, used;
};
struct id_table {
    struct id_slot *slot;
    uint32_t n, cap; /* cap: 0 or a power of two */
};

/* Returns what the number stands for, NULL if it is not there. Valid until the next change. */
uint32_t *id_find(const struct id_table *t, uint64_t id);
bool id_put(struct id_table *t, uint64_t id, uint32_t value); /* the number is not there. False: out of memory */
void id_remove(struct id_table *t, uint64_t id);
void id_clear(struct id_table *t); /* keeps the memory */
void id_fini(struct id_table *t);

#endif
