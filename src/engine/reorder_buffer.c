/* See reorder_buffer.h. A ring indexed by job. It grows to the distance between the fastest and the slowest child. */
#include "engine/reorder_buffer.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define LEAST 64u

static bool make_room(struct reorder_buffer *l, uint64_t job)
{
    uint64_t cap = l->cap ? l->cap : LEAST;
    while (job - l->next >= cap)
        cap *= 2;
    if (cap == l->cap)
        return true;
    struct outcome **at = calloc(cap, sizeof *at);
    if (!at)
        return false;
    for (uint64_t i = l->next; i < l->end; i++)
        at[i % cap] = l->at[i % l->cap];
    free(l->at);
    l->at = at;
    l->cap = cap;
    return true;
}

bool reorder_buffer_add(struct reorder_buffer *l, const struct outcome *out)
{
    size_t size = offsetof(struct outcome, why) + strlen(out->why) + 1; /* most have none */
    struct outcome *copy = make_room(l, out->job) ? malloc(size) : NULL;
    if (!copy)
        return false;
    memcpy(copy, out, size);
    l->at[out->job % l->cap] = copy;
    if (out->job >= l->end)
        l->end = out->job + 1;
    return true;
}

struct outcome *reorder_buffer_take(struct reorder_buffer *l, bool gaps)
{
    while (gaps && l->next < l->end && !l->at[l->next % l->cap])
        l->next++;
    struct outcome *out = l->next < l->end ? l->at[l->next % l->cap] : NULL;
    if (out)
        l->at[l->next++ % l->cap] = NULL;
    return out;
}

void reorder_buffer_fini(struct reorder_buffer *l)
{
    struct outcome *out;
    while ((out = reorder_buffer_take(l, true)))
        free(out);
    free(l->at);
    *l = (struct reorder_buffer){0};
}
