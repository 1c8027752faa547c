/* The last events of a run that keeps no history, for the dump of a failure: a ring by number - 1. */
#ifndef GMPSCOPE_ENGINE_LAST_H
#define GMPSCOPE_ENGINE_LAST_H

#include "engine/engine.h"
#include <string.h>

static inline const struct engine_event *last_at(const struct engine *e, uint64_t number)
{
    return &e->last[(number - 1) & (ENGINE_LAST - 1)];
}

/* Keeps an event, and the beginning of its text. */
static inline void last_keep(struct engine *e, uint64_t number, uint32_t m, const struct ev *ev, const char *text, size_t len)
{
    struct engine_event *h = &e->last[(number - 1) & (ENGINE_LAST - 1)];
    h->m = m;
    h->ev = *ev;
    h->len = (uint32_t)(len < sizeof h->text ? len : sizeof h->text);
    if (h->len)
        memcpy(h->text, text, h->len);
}

#endif
