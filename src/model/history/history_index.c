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
#include "model/history/activity_event.h"
#include "model/history/history_internal.h"

#include <stdlib.h>
#include <string.h>

#define MARK_BYTES_PER_EVENT 1.5
enum { LEAF_LEAST = 1024 };

static size_t filter_bytes(const struct history *h)
{
    return ((size_t)h->filter_mask + 1) / 8;
}

static void count_bytes(struct history *h, int64_t delta)
{
    h->query_bytes += (uint64_t)delta;
    h->bytes += (uint64_t)delta;
}

/* ---- subjects ---- */

/* Ids of a kind are dense, so those of a segment rarely share a bit, and neighbours share a word. A kind begins far from the others. */
static uint32_t filter_bit(const struct history *h, enum subject_kind kind, uint32_t id)
{
    return (id + (uint32_t)kind * 0x9e3779b1u) & h->filter_mask;
}

static void filter_set(struct history *h, struct segment *s, enum subject_kind kind, uint32_t id)
{
    uint32_t bit = filter_bit(h, kind, id);
    uint64_t *word = &s->index.filter[bit / 64], one = UINT64_C(1) << bit % 64;
    if (!(*word & one)) /* the bit is usually set, and an unconditional store would delay the next load of this word */
        *word |= one;
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

/* Returns true if a field names a G, an M or a P. */
static ALWAYS_INLINE bool names_subject(const struct ev_field *f)
{
    return f->type == FT_G || f->type == FT_M || f->type == FT_P;
}

static ALWAYS_INLINE enum subject_kind subject_of(const struct ev_field *f)
{
    return f->type == FT_G ? SUBJECT_G : f->type == FT_M ? SUBJECT_M : SUBJECT_P;
}

static void find_fields(struct subject_fields *out, int kind)
{
    for (int i = 0; i < EV_FIELDS && ev_desc[kind].field[i].name; i++) {
        const struct ev_field *f = &ev_desc[kind].field[i];
        out->text |= f->type == FT_TEXT;
        if (names_subject(f) && out->n < 4)
            out->field[out->n++] = f;
    }
}

bool index_init(struct history *h)
{
    for (int kind = 0; kind < EV_KINDS; kind++)
        find_fields(&h->fields[kind], kind);
    h->filter_mask = (h->size / 2 > 64 ? h->size / 2 : 64) - 1;
    h->now = activity_new();
    return h->now != NULL;
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
    x->filter = calloc(1, filter_bytes(h));
    count_bytes(h, (int64_t)(leaves * (sizeof *x->mark + sizeof *x->peak) + filter_bytes(h)));
    return x->mark && x->peak && x->filter && add_mark(h, s);
}

/* ---- events ---- */

/* ev_value() of a field that names a G, an M or a P. Most are whole words. */
static ALWAYS_INLINE uint32_t id_in(const struct ev *e, uint32_t m, const struct ev_field *f)
{
    if (f->bits != 32 || f->shift || f->word > W_D)
        return (uint32_t)ev_value(e, m, f);
    return f->word == W_A ? e->a : f->word == W_B ? e->b : f->word == W_C ? e->c : e->d;
}

/* Events that are added together. */
struct stretch {
    struct history *h;
    struct segment *s;
    const struct model *md; /* after them */
    const struct ev *e;
    uint32_t m, n, at; /* at: event e[0] of the segment */
};

/* Adds event i of the stretch. Kind and fields are constants for the compiler. The event before is often about the same subjects, whose bits
 * are then already set. */
static ALWAYS_INLINE bool index_kind(const struct stretch *t, uint32_t i, enum ev_kind kind, const struct ev_field *field)
{
    if (!activity_event(&t->h->now, t->h->peak, t->m, &t->e[i], kind))
        return false;
    if (kind == EV_G_READY && !add_readied(t->h, t->s, t->md, t->at + i))
        return false;
    const struct ev *e = &t->e[i];
    if (e->g && (i == 0 || e[-1].g != e->g))
        filter_set(t->h, t->s, SUBJECT_G, e->g);
    if (e->p != EV_NO_P && (i == 0 || e[-1].p != e->p))
        filter_set(t->h, t->s, SUBJECT_P, e->p);
    UNROLL(EV_FIELDS)
    for (int k = 0; k < EV_FIELDS; k++)
        if (field[k].name && names_subject(&field[k]))
            filter_set(t->h, t->s, subject_of(&field[k]), id_in(e, t->m, &field[k]));
    if (kind == EV_G_PARK)
        filter_set(t->h, t->s, SUBJECT_OBJECT, e->c);
    return true;
}

#define F(name, type, word, shift, bits) F_IF(0, name, type, word, shift, bits)
#define F_IF(only, name, type, word, shift, bits) \
    { \
        name, type, W_##word, shift, bits, only \
    }
#define EVENT(id, name, level, traits, go, meaning, en, zh, next_en, next_zh, ...) \
    static bool index_##id(const struct stretch *t, uint32_t i) \
    { \
        static const struct ev_field field[EV_FIELDS] = {__VA_ARGS__}; \
        return index_kind(t, i, EV_##id, field); \
    }
#include "eventlog/events.def"
#undef EVENT
#undef F
#undef F_IF

static bool (*const index_of[EV_KINDS])(const struct stretch *, uint32_t) = {
#define EVENT(id, ...) [EV_##id] = index_##id,
#include "eventlog/events.def"
#undef EVENT
};

/* ---- records: one function for each row of records.def, which returns the event behind those that it has added, its first if memory ran out */

#define THEN(id) \
    if (i == t->n || t->e[i].kind != EV_##id || !index_##id(t, i)) \
        return i; \
    i++;
#define MAYBE(id) \
    if (i < t->n && t->e[i].kind == EV_##id) { \
        THEN(id) \
    }
#define MANY(id) \
    while (i < t->n && t->e[i].kind == EV_##id) { \
        THEN(id) \
    }
#define RECORD(first, steps) \
    static FLATTEN uint32_t record_##first(const struct stretch *t, uint32_t i) \
    { \
        if (!index_##first(t, i)) \
            return i; \
        i++; \
        steps return i; \
    }
#include "eventlog/records.def"
#undef RECORD

static uint32_t (*const record_of[EV_KINDS])(const struct stretch *, uint32_t) = {
#define RECORD(first, steps) [EV_##first] = record_##first,
#include "eventlog/records.def"
#undef RECORD
};

/* Adds event i, and those that its record names. Returns the event behind them; i: memory ran out. */
static uint32_t index_some(const struct stretch *t, uint32_t i)
{
    enum ev_kind kind = (enum ev_kind)t->e[i].kind;
    return i + 1 < t->n && record_of[kind] ? record_of[kind](t, i) : i + index_of[kind](t, i);
}

static bool end_leaf(struct history *h, struct segment *s)
{
    struct segment_index *x = &s->index;
    memcpy(x->peak[x->nmarks - 1], h->peak, sizeof h->peak);
    raise_peak(x->total_peak, h->peak);
    return s->n == h->size || add_mark(h, s);
}

bool index_add(struct history *h, const struct model *md, uint32_t m, const struct ev *e, uint32_t n)
{
    struct segment *s = last_segment(h);
    const struct stretch t = {h, s, md, e, m, n, s->n - n};
    if (!activity_begin(&h->now, m, e->time, n))
        return false;
    filter_set(h, s, SUBJECT_M, m);
    for (uint32_t i = 0, next; i < n; i = next)
        if ((next = index_some(&t, i)) == i)
            return false;
    return s->n & (s->index.leaf - 1) || end_leaf(h, s);
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

uint32_t index_before(const struct segment *s, int64_t time)
{
    uint32_t low = 0, high = s->index.nmarks;
    while (high - low > 1) { /* mark `low` is not later, mark `high` is later or does not exist */
        uint32_t mid = (low + high) / 2, kept = mid;
        while (!s->index.mark[kept])
            kept--;
        if (s->index.mark[kept]->time <= time)
            low = mid;
        else
            high = kept;
    }
    while (!s->index.mark[low])
        low--;
    return low * s->index.leaf;
}

void index_free(struct history *h, struct segment *s)
{
    struct segment_index *x = &s->index;
    if (!x->leaf)
        return;
    for (uint32_t k = 0; k < x->nmarks; k++)
        free_mark(h, &x->mark[k]);
    count_bytes(
        h, -(int64_t)(h->size / x->leaf * (sizeof *x->mark + sizeof *x->peak) + filter_bytes(h) + x->cap_readied * sizeof *x->readied));
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
