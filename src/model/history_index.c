/* What the queries need of each segment, made while events are added: copies of the activity at regular distances (marks), the peaks
 * between them, a filter of the subjects, and the objects of g_ready events.
 *
 * Cost: a mark has about 1.4 KiB in a run of 8 Ps and 8 Ms, and the distance grows with its size, so that marks take at most 1.5 bytes an
 * event; the filter takes one bit for every two events. All of it counts in the budget. When the records of a
 * segment go to the file only four marks and its filter stay: then a query reads back a part of the segment.
 *
 * Rejected: links from event to event of one subject (16 bytes an event, and they must be read back with the records); bins of fixed
 * widths in levels like a mipmap (a bin of another width is then an estimate, and no test can ask for equality).
 */
#include "model/history_internal.h"
#include "model/model_internal.h"

#include <stdlib.h>
#include <string.h>

#define MARK_BYTES_PER_EVENT 1.5
enum { LEAF_LEAST = 1024 };

static size_t filter_words(const struct history *h)
{
    return h->size / 128 ? h->size / 128 : 1; /* one bit for two events */
}

static void count_bytes(struct history *h, int64_t delta)
{
    h->query_bytes += (uint64_t)delta;
    h->bytes += (uint64_t)delta;
}

/* ---- subjects ---- */

static uint32_t filter_bit(const struct history *h, enum subject_kind kind, uint32_t id)
{
    uint64_t hash = (((uint64_t)kind << 32 | id) + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> 32) & (uint32_t)(filter_words(h) * 64 - 1);
}

static void filter_set(struct history *h, struct segment *s, enum subject_kind kind, uint32_t id)
{
    uint32_t bit = filter_bit(h, kind, id);
    s->index.filter[bit / 64] |= UINT64_C(1) << bit % 64;
}

bool index_may_hold(const struct history *h, const struct segment *s, const struct history_subject *who)
{
    uint32_t bit = filter_bit(h, who->kind, who->id);
    return s->index.filter[bit / 64] >> bit % 64 & 1;
}

bool index_has_kind(const struct history *h, uint32_t segment, const bool kinds[EV_KINDS])
{
    const uint64_t *from = h->seg.v[segment].index.mark[0]->kinds;
    const uint64_t *to = segment + 1 < h->seg.n ? h->seg.v[segment + 1].index.mark[0]->kinds : h->now->kinds;
    for (int kind = 0; kind < EV_KINDS; kind++)
        if (kinds[kind] && to[kind] > from[kind])
            return true;
    return false;
}

static void find_fields(struct subject_fields *out, int kind)
{
    for (int i = 0; i < EV_FIELDS && ev_desc[kind].field[i].name; i++) {
        const struct ev_field *f = &ev_desc[kind].field[i];
        out->text |= f->type == FT_TEXT;
        if ((f->type == FT_G || f->type == FT_M || f->type == FT_P) && out->n < 4)
            out->field[out->n++] = f;
    }
}

bool index_init(struct history *h)
{
    for (int kind = 0; kind < EV_KINDS; kind++)
        find_fields(&h->fields[kind], kind);
    h->now = activity_new();
    return h->now != NULL;
}

/* e is the last event of the open block. The event before it is often about the same subjects, whose bits are then already set. */
static void filter_event(struct history *h, struct segment *s, uint32_t m, const struct ev *e)
{
    const struct subject_fields *f = &h->fields[e->kind];
    const struct block *b = &h->open;
    uint32_t i = b->n - 1;
    if (i == 0 || b->m[i - 1] != m)
        filter_set(h, s, SUBJECT_M, m);
    if (e->g && (i == 0 || b->ev[i - 1].g != e->g))
        filter_set(h, s, SUBJECT_G, e->g);
    if (e->p != EV_NO_P && (i == 0 || b->ev[i - 1].p != e->p))
        filter_set(h, s, SUBJECT_P, e->p);
    for (int k = 0; k < f->n; k++) {
        enum ev_ftype t = f->field[k]->type;
        filter_set(h, s, t == FT_G ? SUBJECT_G : t == FT_M ? SUBJECT_M : SUBJECT_P, (uint32_t)ev_value(e, m, f->field[k]));
    }
    if (e->kind == EV_G_PARK)
        filter_set(h, s, SUBJECT_OBJECT, e->c);
}

/* Caller: the model has just applied the g_ready that is event i of the segment. */
static bool add_readied(struct history *h, struct segment *s, const struct model *md, uint32_t i)
{
    struct segment_index *x = &s->index;
    if (md->readied_obj == 0)
        return true;
    if (x->nreadied == x->cap_readied) {
        uint32_t cap = x->cap_readied ? x->cap_readied * 2 : 16;
        struct readied *v = realloc(x->readied, cap * sizeof *v);
        if (!v)
            return false;
        count_bytes(h, (int64_t)((cap - x->cap_readied) * sizeof *v));
        x->readied = v;
        x->cap_readied = cap;
    }
    x->readied[x->nreadied++] = (struct readied){i, md->readied_obj, md->readied_reason};
    filter_set(h, s, SUBJECT_OBJECT, md->readied_obj);
    return true;
}

/* ---- marks ---- */

static uint32_t leaf_for(const struct history *h)
{
    uint32_t leaf = h->size < LEAF_LEAST ? h->size : LEAF_LEAST;
    while (leaf < h->size && (double)activity_bytes(h->now) > leaf * MARK_BYTES_PER_EVENT)
        leaf *= 2;
    return leaf;
}

static bool add_mark(struct history *h, struct segment *s)
{
    struct activity *mark = activity_copy(h->now);
    if (!mark)
        return false;
    count_bytes(h, (int64_t)activity_bytes(mark));
    s->index.mark[s->index.nmarks++] = mark;
    memcpy(h->peak, h->now->level, sizeof h->peak);
    return true;
}

bool index_open(struct history *h)
{
    struct segment *s = last_segment(h);
    struct segment_index *x = &s->index;
    x->leaf = leaf_for(h);
    uint32_t leaves = h->size / x->leaf;
    x->mark = calloc(leaves, sizeof *x->mark);
    x->peak = calloc(leaves, sizeof *x->peak);
    x->filter = calloc(filter_words(h), sizeof *x->filter);
    count_bytes(h, (int64_t)(leaves * (sizeof *x->mark + sizeof *x->peak) + filter_words(h) * sizeof *x->filter));
    return x->mark && x->peak && x->filter && add_mark(h, s);
}

static void raise_peak(uint32_t peak[LEVELS], const uint32_t level[LEVELS])
{
    for (int k = 0; k < LEVELS; k++)
        peak[k] = level[k] > peak[k] ? level[k] : peak[k];
}

bool index_add(struct history *h, const struct model *md, uint32_t m, const struct ev *e)
{
    struct segment *s = last_segment(h);
    struct segment_index *x = &s->index;
    if (!activity_add(&h->now, m, e) || (e->kind == EV_G_READY && !add_readied(h, s, md, s->n - 1)))
        return false;
    filter_event(h, s, m, e);
    if (activity_levels((enum ev_kind)e->kind))
        raise_peak(h->peak, h->now->level);
    if (s->n % x->leaf)
        return true;
    memcpy(x->peak[x->nmarks - 1], h->peak, sizeof h->peak);
    raise_peak(x->total_peak, h->peak);
    return s->n == h->size || add_mark(h, s);
}

static void free_mark(struct history *h, struct activity **mark)
{
    if (*mark)
        count_bytes(h, -(int64_t)activity_bytes(*mark));
    free(*mark);
    *mark = NULL;
}

/* A few marks stay, so that a query need not fold the whole segment. */
void index_thin(struct history *h, struct segment *s)
{
    enum { KEPT = 4 };
    uint32_t step = s->index.nmarks / KEPT;
    for (uint32_t k = 1; k < s->index.nmarks; k++)
        if (step == 0 || k % step)
            free_mark(h, &s->index.mark[k]);
}

const struct activity *index_mark(const struct segment *s, uint32_t i)
{
    uint32_t k = i / s->index.leaf;
    k = k < s->index.nmarks ? k : s->index.nmarks - 1;
    while (!s->index.mark[k])
        k--;
    return s->index.mark[k];
}

void index_free(struct history *h, struct segment *s)
{
    struct segment_index *x = &s->index;
    if (!x->leaf)
        return;
    for (uint32_t k = 0; k < x->nmarks; k++)
        free_mark(h, &x->mark[k]);
    count_bytes(h, -(int64_t)(h->size / x->leaf * (sizeof *x->mark + sizeof *x->peak) + filter_words(h) * sizeof *x->filter +
                              x->cap_readied * sizeof *x->readied));
    free(x->mark);
    free(x->peak);
    free(x->filter);
    free(x->readied);
    *x = (struct segment_index){0};
}

void index_fini(struct history *h)
{
    free(h->now);
}
