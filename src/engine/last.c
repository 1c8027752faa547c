/* See last.h. */
#include "engine/last.h"
#include <string.h>

static bool keep_event(void *ctx, const struct merged_event *at)
{
    struct last_events *l = ctx;
    uint32_t i = l->n++ % LAST_EVENTS, len = (uint32_t)(at->len < sizeof *l->text ? at->len : sizeof *l->text);
    l->v[i] = (struct last_event){*at->e, at->m, len};
    if (len)
        memcpy(l->text[i], at->text, len);
    return true;
}

static bool keep_record(void *ctx, const struct model *md, uint32_t m, const struct ev *e, uint32_t n)
{
    struct last_events *l = ctx;
    (void)md;
    for (uint32_t i = 0; i < n; i++) {
        struct last_event *to = &l->v[(l->n + i) % LAST_EVENTS];
        to->ev = e[i];
        to->m = m;
        to->len = 0;
    }
    l->n += n;
    return true;
}

struct reader last_reader(struct last_events *l)
{
    return (struct reader){.ctx = l, .event = keep_event, .record = (void *)keep_record};
}

struct history_event last_get(const struct last_events *l, uint64_t number)
{
    uint32_t i = (number - 1) % LAST_EVENTS;
    return (struct history_event){.number = number, .m = l->v[i].m, .ev = l->v[i].ev, .text = l->text[i], .len = l->v[i].len};
}
