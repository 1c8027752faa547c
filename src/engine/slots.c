/* A new G takes the slot of the G that died last on its P, so the order of the slots is not that of the ids. The log says which slot each new
 * G has. The model may have dropped a creator when its G is listed, so the creator's program is kept here. */
#include "engine/slots.h"
#include <stdlib.h>
#include <string.h>

static bool set_slot(struct slots *s, const struct model *md, const struct ev *e)
{
    enum { AHEAD = 1 << 16 }; /* how far a slot may be beyond the number of new Gs: a free run may fold their events in another order */
    const struct model_g *by = model_g(md, e->a);
    if (e->d >= ++s->created + (uint64_t)AHEAD)
        return true; /* only a stranger's */
    if (e->d >= s->cap) {
        uint32_t cap = s->cap ? s->cap * 2 : 64;
        while (cap <= e->d)
            cap *= 2;
        struct slot *of = realloc(s->of, cap * sizeof *of);
        if (!of)
            return false;
        memset(of + s->cap, 0, (cap - s->cap) * sizeof *of);
        s->of = of;
        s->cap = cap;
    }
    struct slot *at = &s->of[e->d];
    if (e->d >= s->n)
        s->n = e->d + 1;
    /* Of the program's Gs in one slot a later one has a higher id. A free run may fold their events in the other order. */
    if (at->g < e->g || at->g >= EV_SYSTEM_G)
        *at = (struct slot){e->g, by && e->a < EV_SYSTEM_G ? by->fn : SLOT_BY_TIMER, e->a};
    return true;
}

static bool add_mark(struct slots *s, int64_t time)
{
    if (s->nmarks == s->capmarks) {
        uint32_t cap = s->capmarks ? s->capmarks * 2 : 16;
        int64_t *marks = realloc(s->marks, cap * sizeof *marks);
        if (!marks)
            return false;
        s->marks = marks;
        s->capmarks = cap;
    }
    s->marks[s->nmarks++] = time;
    return true;
}

static bool note(struct slots *s, const struct model *md, const struct ev *e)
{
    if (e->kind == EV_G_CREATE)
        return set_slot(s, md, e);
    return e->a != GCPHASE_MARK || add_mark(s, e->time);
}

static bool note_event(void *ctx, const struct merged_event *at)
{
    return note(ctx, at->md, at->e);
}

/* Only the first event of a record creates a G or begins a collection. */
static bool note_record(void *ctx, const struct model *md, uint32_t m, const struct ev *e, uint32_t n)
{
    (void)m, (void)n;
    return note(ctx, md, e);
}

struct reader slots_reader(struct slots *s)
{
    static const bool kinds[EV_KINDS] = {[EV_G_CREATE] = true, [EV_GC_PHASE] = true};
    return (struct reader){
        .ctx = s, .kinds = kinds, .event = note_event, .record = note_record, .lack = "cannot keep the scheduler's state"};
}

/* Go's markroot sets g.waitsince of each G that waits: the collector is the only one that measures how long a G has waited. */
int64_t slots_waitsince(const struct slots *s, int64_t since)
{
    for (uint32_t i = 0; i < s->nmarks; i++)
        if (s->marks[i] >= since)
            return s->marks[i];
    return -1;
}

void slots_fini(struct slots *s)
{
    free(s->of);
    free(s->marks);
}
