/* The history of a run: the records of all events, and a keyframe (a copy of the model) at the start of each segment.
 * A state is reached by folding from the nearest keyframe before it. The 16,384 events of a segment take at most 0.5 ms; the copy of a small
 * model takes a few µs.
 *
 * A keyframe costs the memory that it does not share with the previous one: its arrays, and the pages of Gs written since. (A page that both
 * share was not written in between.) A small model costs 20 KiB; a million Gs that all run between two keyframes cost 60 MB. So keyframes
 * may use half of the budget. Beyond that, the keyframe that frees the most bytes for the smallest gap is dropped. The first keyframe stays,
 * because the states after it depend on it. The last one stays, because most steps back begin there. These two may exceed the budget.
 *
 * Records are packed as they come (pack.h); the places of Gs are kept apart (history_places.c). When the budget is full the oldest segments
 * go to a file. If there is no file (no space, no directory, file full) the oldest segment is dropped: its keyframe is folded to its end, and
 * history_oldest() grows.
 */
#include "model/history/history_internal.h"

#include "model/model_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Returns the size of a segment: small enough that dropping one loses little, large enough that keyframes do not use most of the budget. */
static uint32_t segment_for(uint64_t budget)
{
    uint32_t n = 1024;
    while (n < 16384 && (uint64_t)n * 2 * 40 * 16 <= budget)
        n *= 2;
    return n;
}

/* ---- keyframes ---- */

static uint32_t key_before(const struct history *h, uint32_t i)
{
    while (i > 0 && !h->seg.v[--i].key)
        ;
    return i;
}

static uint32_t key_after(const struct history *h, uint32_t i)
{
    do
        i++;
    while (i < h->seg.n && !h->seg.v[i].key);
    return i;
}

static void weigh_key(struct history *h, uint32_t i)
{
    if (i >= h->seg.n)
        return;
    struct segment *s = &h->seg.v[i], *before = &h->seg.v[key_before(h, i)];
    h->key_bytes -= s->key_bytes;
    s->key_bytes = s->key ? model_bytes(s->key, i ? before->key : NULL) : 0;
    h->key_bytes += s->key_bytes;
    s->key_frees = before->key_frees = NOT_WEIGHED;
}

static void drop_key(struct history *h, uint32_t i)
{
    model_free(h->seg.v[i].key);
    h->seg.v[i].key = NULL;
    weigh_key(h, i);
    weigh_key(h, key_after(h, i));
}

/* Returns the bytes that dropping keyframe i frees, divided by the events of the gap that it leaves. Caller: i is neither the first keyframe
 * nor the last. Counting the bytes walks the trees of three models, so the count is kept until the keyframe before or after changes. */
static double gain(struct history *h, uint32_t i)
{
    const struct segment *before = &h->seg.v[key_before(h, i)], *after = &h->seg.v[key_after(h, i)];
    struct segment *s = &h->seg.v[i];
    if (s->key_frees == NOT_WEIGHED) /* memory that only this one and the next share is counted here, and stays */
        s->key_frees = (int64_t)(s->key_bytes + after->key_bytes) - (int64_t)model_bytes(after->key, before->key);
    return (double)s->key_frees / (double)(after->first - before->first);
}

/* Drops one keyframe, neither the first nor the last. Returns false if there is none to drop. */
static bool thin(struct history *h)
{
    uint32_t best = 0, last = key_before(h, (uint32_t)h->seg.n);
    double most = 0;
    for (uint32_t i = 1; i < last; i++) {
        double g = h->seg.v[i].key ? gain(h, i) : 0;
        if (g > most) {
            most = g;
            best = i;
        }
    }
    if (best)
        drop_key(h, best);
    return best != 0;
}

/* ---- the budget ---- */

/* Returns the state at the end of the first segment, NULL if memory ran out. The first keyframe stays as it is: if only half of the segment can
 * be folded, it is still needed. The result is a copy, because a model that has folded holds more memory. */
static struct model *key_on(struct history *h)
{
    struct model *end = NULL;
    if (!history_move(h, &end, h->seg.v[1].first - 1))
        return NULL;
    struct model *copy = model_clone(end);
    if (copy)
        model_free(end);
    return copy ? copy : end;
}

static bool drop_oldest(struct history *h)
{
    if (h->seg.n < 2)
        return false;
    struct segment *s = &h->seg.v[0], *next = &h->seg.v[1];
    if (next->key)
        drop_key(h, 0);
    else if (!(next->key = key_on(h)))
        return false;
    h->key_bytes -= s->key_bytes;
    model_free(s->key);
    store_drop(h);
    weigh_key(h, 0);
    weigh_key(h, key_after(h, 0));
    return true;
}

static void trim(struct history *h)
{
    while (h->key_bytes > h->budget / 2 && thin(h))
        ;
    while (h->bytes + h->key_bytes > h->budget)
        if (!store_spill(h) && !(h->no_file ? drop_oldest(h) : thin(h)))
            return;
}

/* ---- adding ---- */

/* The fold and the history allocate memory in small pieces, and each page that is new to the process causes a fault: 0.3 to 20 µs, depending on
 * the machine. So the heap of the thread that adds grows in steps of large pages, which the kernel makes at once. The C library keeps up
 * to twice the largest block that it has mapped and unmapped, which the first call teaches it. */
static void grow_heap(struct history *h)
{
    const uintptr_t large = 2 << 20, step = 2 * large;
    uint64_t used = h->bytes + h->key_bytes;
    if (used < h->grow_at)
        return;
    char *volatile v = malloc(step);
    uintptr_t begin = ((uintptr_t)v + large - 1) & ~(large - 1), end = ((uintptr_t)v + step) & ~(large - 1);
    if (v && h->grow_at) {
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
        madvise((void *)begin, end - begin, MADV_POPULATE_WRITE); /* without effect before Linux 5.14 */
    }
    free(v);
    h->grow_at = used + large / 2;
}

/* Opens a segment with its keyframe, a copy of the state before its first event. Caller: the previous segment is full. */
static bool open_segment(struct history *h, const struct model *md)
{
    grow_heap(h);
    if (!store_open(h))
        return false;
    if (!index_open(h)) {
        index_free(h, last_segment(h));
        store_undo_open(h);
        return false;
    }
    last_segment(h)->key = model_clone(md);
    if (!last_segment(h)->key && h->seg.n == 1)
        return false; /* a later one may be missing */
    weigh_key(h, (uint32_t)h->seg.n - 1);
    trim(h);
    return true;
}

struct history *history_new(const struct model *start, const struct history_config *cfg)
{
    struct history *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->budget = cfg->budget;
    h->size = cfg->segment ? cfg->segment : segment_for(cfg->budget);
    h->block = h->size < BLOCK ? h->size : BLOCK;
    if (index_init(h) && open_segment(h, start))
        return h;
    history_free(h);
    return NULL;
}

void history_free(struct history *h)
{
    if (!h)
        return;
    store_fini(h);
    index_fini(h);
    free(h);
}

/* Adds n events of one M and one time, up to the end of a block or a leaf at most. Returns false if memory ran out. */
static bool add(struct history *h, const struct model *md, uint32_t m, const struct ev *e, uint32_t n, const char *text, size_t len)
{
    struct segment *s = last_segment(h);
    if (!store_add(h, m, e, n, text, len))
        return false;
    s->n += n;
    if (!index_add(h, md, m, e, n)) {
        s->n -= n;
        return false;
    }
    s->latest = e->time > s->latest ? e->time : s->latest;
    h->events += n;
    return (s->n & (h->block - 1) || store_end_block(h)) && (s->n < h->size || open_segment(h, md));
}

bool history_add(struct history *h, const struct model *md, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    if (h->failed || model_events(md) != h->events + 1)
        return false;
    bool has = h->fields[e->kind].text;
    h->failed = !add(h, md, m, e, 1, has ? text : NULL, has ? len : 0);
    return !h->failed;
}

bool history_takes(const struct history *h, uint32_t n)
{
    return last_segment(h)->n + n <= h->size;
}

bool history_add_record(struct history *h, const struct model *md, uint32_t m, const struct ev *e, uint32_t n)
{
    if (h->failed || model_events(md) != h->events + n || !history_takes(h, n))
        return false;
    for (uint32_t some; n && !h->failed; e += some, n -= some) {
        const struct segment *s = last_segment(h);
        uint32_t leaf = s->index.leaf, step = leaf < h->block ? leaf : h->block, room = step - (s->n & (step - 1));
        some = n < room ? n : room;
        h->failed = !add(h, md, m, e, some, NULL, 0);
    }
    return !h->failed;
}

/* ---- reading ---- */

uint64_t history_events(const struct history *h)
{
    return h->events;
}

uint64_t history_oldest(const struct history *h)
{
    return h->seg.v[0].first - 1;
}

bool history_file_fails(const struct history *h)
{
    return h->file_fails;
}

static void read_event(const struct block *b, uint32_t i, struct history_event *out)
{
    *out = (struct history_event){.number = b->first + i, .m = b->m[i], .ev = b->ev[i]};
    if (b->text_at[i] == NO_TEXT)
        return;
    out->len = b->text_len[i];
    out->text = out->len ? b->text + (b->text_at[i] - 1) : ""; /* a block of empty texts has no memory for texts */
}

/* Returns the block of an event that the history has; NULL: it cannot be read back. */
static const struct block *block_of(struct history *h, uint64_t number)
{
    uint32_t segment = segment_of(h, number);
    return store_block(h, segment, (uint32_t)(number - h->seg.v[segment].first));
}

bool history_get(struct history *h, uint64_t number, struct history_event *out)
{
    if (number <= history_oldest(h) || number > h->events)
        return false;
    const struct block *b = block_of(h, number);
    if (b)
        read_event(b, (uint32_t)(number - b->first), out);
    return b != NULL;
}

/* Returns how many events there are from event `number` to the end of a stretch of n events, its own included. */
static uint64_t ahead(uint64_t first, uint64_t n, uint64_t number, int step)
{
    return step > 0 ? first + n - number : number - first + 1;
}

/* A segment without an event of these kinds is skipped without a look at its records, which may be in the file only. */
uint64_t history_search(struct history *h, uint64_t from, int step, const struct history_search *what, uint64_t *next)
{
    enum { SKIP = 64 }; /* to skip a segment takes as long as a look at so many events */
    uint64_t at = from, left = what->most;
    while (left && at > history_oldest(h) && at <= h->events) {
        uint32_t nth = segment_of(h, at);
        const struct segment *s = &h->seg.v[nth];
        bool skip = what->kinds && !index_has_kind(h, nth, what->kinds);
        const struct block *b = skip ? NULL : block_of(h, at);
        if (!skip && !b)
            break;
        uint64_t n = skip ? ahead(s->first, s->n, at, step) : ahead(b->first, b->n, at, step);
        n = !skip && n > left ? left : n;
        for (uint64_t k = 0; !skip && k < n; k++) {
            uint32_t i = (uint32_t)(at - b->first) + (uint32_t)step * (uint32_t)k;
            struct history_event e;
            if (what->kinds && !what->kinds[b->ev[i].kind])
                continue;
            read_event(b, i, &e);
            if (what->is(what->ctx, &e))
                return e.number;
        }
        at = step > 0 ? at + n : at - n;
        left -= !skip ? n : left < SKIP ? left : SKIP;
    }
    *next = left == 0 && at > history_oldest(h) && at <= h->events ? at : 0;
    return 0;
}

uint64_t history_find(struct history *h, uint64_t from, int step, history_test *is, void *ctx)
{
    uint64_t next;
    return history_search(h, from, step, &(struct history_search){is, ctx, NULL, UINT64_MAX}, &next);
}

/* Returns the number of the first event from `number` on that is later than `time`. Caller: its segment has one. */
static uint64_t first_later(struct history *h, uint64_t number, int64_t time)
{
    for (const struct block *b; number <= h->events && (b = block_of(h, number)); number = b->first + b->n)
        for (uint32_t i = (uint32_t)(number - b->first); i < b->n; i++)
            if (b->ev[i].time > time)
                return b->first + i;
    return number;
}

uint64_t history_at(struct history *h, int64_t time)
{
    uint32_t low = 0, high = (uint32_t)h->seg.n;
    while (low < high) { /* the first segment in which a later event has happened */
        uint32_t mid = (low + high) / 2;
        if (h->seg.v[mid].latest <= time)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == h->seg.n)
        return h->events;
    const struct segment *s = &h->seg.v[low];
    return first_later(h, s->first + index_before(s, time), time) - 1;
}

const uint32_t *history_levels(const struct history *h)
{
    return h->now->level;
}

/* ---- going to a state ---- */

enum { STRETCH = 8 }; /* events; a longer record is folded in parts */

/* Folds at most n events that one M logged one after another. Returns how many; 0: the fold rejects the first. */
static uint32_t fold_stretch(struct model *md, const struct block *b, uint32_t i, uint32_t n)
{
    uint32_t of_m = 1;
    while (of_m < n && of_m < STRETCH && b->m[i + of_m] == b->m[i])
        of_m++;
    return model_offer_record(md, b->m[i], &b->ev[i], &of_m) == OFFER_APPLIED ? of_m : 0;
}

bool history_fold(struct history *h, struct model *md, uint64_t n)
{
    struct places p = {0};
    while (model_events(md) < n) {
        uint64_t next = model_events(md) + 1;
        const struct block *b = places_open(h, &p, next) ? block_of(h, next) : NULL;
        if (!b)
            return false;
        uint32_t end = n - b->first + 1 < b->n ? (uint32_t)(n - b->first + 1) : b->n;
        for (uint32_t i = (uint32_t)(next - b->first), done; i < end; i += done) { /* with the places between the events */
            if (!places_pass(&p, md, b->first + i))
                return false;
            uint64_t to_place = p.before - (b->first + i);
            if (!(done = fold_stretch(md, b, i, to_place < end - i ? (uint32_t)to_place : end - i)))
                return false;
        }
    }
    return true;
}

bool history_move(struct history *h, struct model **md, uint64_t n)
{
    if (n < history_oldest(h) || n > h->events)
        return false;
    uint32_t i = n > history_oldest(h) ? segment_of(h, n) : 0;
    i = h->seg.v[i].key ? i : key_before(h, i);
    bool near = *md && model_events(*md) <= n && model_events(*md) + 1 >= h->seg.v[i].first;
    struct model *to = near ? *md : model_clone(h->seg.v[i].key);
    if (!to)
        return false;
    if (history_fold(h, to, n)) {
        if (!near)
            model_free(*md);
        *md = to;
        return true;
    }
    if (near)
        *md = NULL;
    model_free(to);
    return false;
}

struct history_stats history_stats(const struct history *h)
{
    struct history_stats st = {
        .bytes = h->bytes + h->key_bytes, .key_bytes = h->key_bytes, .query_bytes = h->query_bytes, .segments = (uint32_t)h->seg.n};
    for (size_t i = 0; i < h->seg.n; i++) {
        st.keyframes += h->seg.v[i].key != NULL;
        st.spilled += h->seg.v[i].full && !h->seg.v[i].packed;
        st.file_bytes += h->seg.v[i].in_file.bytes;
    }
    return st;
}
