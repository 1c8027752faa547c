/* See repeat.h. */
#include "eventlog/repeat.h"

static const uint32_t pair_op[EV_KINDS] = {[EV_MUTEX_OP] = MUTEX_OP_PAIR, [EV_RWMUTEX_OP] = RWMUTEX_OP_RPAIR};

/* Adds the field `times`. A single operation has 0 there. */
static struct repeat_words counted(const struct repeat *r)
{
    int kind = EV_HEAD_KIND(r->head);
    uint32_t a = EV_FIRST(r->ab), b = EV_SECOND(r->ab), times = r->times > 1 ? r->times : 0;
    if (pair_op[kind])
        return (struct repeat_words){r->head, EV_PAIR(a, pair_op[kind] | r->times << 16), r->cd_pair};
    if (kind == EV_WAITGROUP_OP)
        return (struct repeat_words){r->head, r->ab, EV_PAIR(EV_FIRST(r->cd), times)};
    return (struct repeat_words){r->head, EV_PAIR(a, b | times << 16), r->cd};
}

uint32_t repeat_end(struct repeat *r, struct repeat_words out[REPEAT_EVENTS])
{
    uint32_t n = 0;
    if (r->times)
        out[n++] = counted(r);
    if (r->open)
        out[n++] = (struct repeat_words){r->head, r->ab, r->cd};
    r->times = 0;
    r->open = false;
    return n;
}
