/* Linear probing; what follows a removed number moves up. The address of the table is part of the hash, so that a file cannot choose numbers that
 * collide. */
#include "trace/go/id_table.h"

#include <stdlib.h>
#include <string.h>

static uint32_t home_of(const struct id_table *t, uint64_t id)
{
    uint64_t h = (id ^ (uint64_t)(uintptr_t)t->slot) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)((h ^ h >> 32) & (t->cap - 1));
}

uint32_t *id_find(const struct id_table *t, uint64_t id)
{
    if (!t->n)
        return NULL;
    for (uint32_t i = home_of(t, id);; i = (i + 1) & (t->cap - 1)) {
        if (!t->slot[i].used)
            return NULL;
        if (t->slot[i].id == id)
            return &t->slot[i].value;
    }
}

static void place(struct id_table *t, uint64_t id, uint32_t value)
{
    uint32_t i = home_of(t, id);
    while (t->slot[i].used)
        i = (i + 1) & (t->cap - 1);
    t->slot[i] = (struct id_slot){id, value, 1};
    t->n++;
}

bool id_put(struct id_table *t, uint64_t id, uint32_t value)
{
    if ((t->n + 1) * UINT64_C(4) > t->cap * UINT64_C(3)) {
        struct id_table more = {.cap = t->cap ? t->cap * 2 : 64};
        if (more.cap == 0 || !(more.slot = calloc(more.cap, sizeof *more.slot)))
            return false;
        for (uint32_t i = 0; i < t->cap; i++)
            if (t->slot[i].used)
                place(&more, t->slot[i].id, t->slot[i].value);
        free(t->slot);
        *t = more;
    }
    place(t, id, value);
    return true;
}

void id_remove(struct id_table *t, uint64_t id)
{
    uint32_t *found = id_find(t, id);
    if (!found)
        return;
    uint32_t mask = t->cap - 1, hole = (uint32_t)((struct id_slot *)(void *)((char *)found - offsetof(struct id_slot, value)) - t->slot);
    for (uint32_t i = (hole + 1) & mask; t->slot[i].used; i = (i + 1) & mask)
        if (((i - home_of(t, t->slot[i].id)) & mask) >= ((i - hole) & mask)) {
            t->slot[hole] = t->slot[i];
            hole = i;
        }
    t->slot[hole].used = 0;
    t->n--;
}

void id_clear(struct id_table *t)
{
    if (t->n)
        memset(t->slot, 0, t->cap * sizeof *t->slot);
    t->n = 0;
}

void id_fini(struct id_table *t)
{
    free(t->slot);
    *t = (struct id_table){.slot = NULL};
}
