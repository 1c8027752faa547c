/* The history of a run: the records of all events, and a keyframe (a copy of the model) at the start of each segment.
 * A state is reached by folding from the nearest keyframe before it. At 20 M events a second the 32,768 events of a segment take 2 ms; the copy
 * of a small model takes a few µs.
 *
 * A keyframe costs the memory that it does not share with the previous one: its arrays, and the pages of Gs written since. (A page that both
 * share was not written in between.) A small model costs 20 KiB; a million Gs that all run between two keyframes cost 60 MB. So keyframes
 * may use half of the budget. Beyond that, the keyframe that frees the most bytes for the smallest gap is dropped. The first keyframe stays,
 * because the states after it depend on it. The last one stays, because most steps back begin there. These two may exceed the budget.
 *
 * A record has 36 raw bytes, and its text if it has one. When the budget is full the oldest segments go to a file. If there is no file (no
 * space, no directory, file full) the oldest segment is dropped: its keyframe is folded to its end, and history_oldest() grows.
 */
#include "model/history_internal.h"

#include "model/model_internal.h"

#include <stdlib.h>
#include <string.h>

/* Returns the size of a segment: small enough that dropping one loses little, large enough that keyframes do not use most of the budget. */
static uint32_t segment_for(uint64_t budget)
{
    uint32_t n = 1024;
    while (n < 32768 && (uint64_t)n * 2 * 40 * 16 <= budget)
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
    struct segment *s = &h->seg.v[i];
    h->key_bytes -= s->key_bytes;
    s->key_bytes = s->key ? model_bytes(s->key, i ? h->seg.v[key_before(h, i)].key : NULL) : 0;
    h->key_bytes += s->key_bytes;
}

static void drop_key(struct history *h, uint32_t i)
{
    model_free(h->seg.v[i].key);
    h->seg.v[i].key = NULL;
    weigh_key(h, i);
    weigh_key(h, key_after(h, i));
}

/* Returns the bytes that dropping keyframe i frees, divided by the events of the gap that it leaves. */
static double gain(const struct history *h, uint32_t i)
{
    uint32_t before = key_before(h, i), after = key_after(h, i);
    const struct segment *s = &h->seg.v[i];
    uint64_t gap = (after < h->seg.n ? h->seg.v[after].first : h->events + 1) - h->seg.v[before].first;
    double freed = (double)s->key_bytes;
    if (after < h->seg.n) /* memory that only this one and the next share is counted here, and stays */
        freed -= (double)(model_bytes(h->seg.v[after].key, h->seg.v[before].key) - h->seg.v[after].key_bytes);
    return freed / (double)gap;
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

/* Folds the first keyframe to the end of its segment. Returns a copy of it, because a model that has folded holds more memory. */
static struct model *key_on(struct history *h)
{
    struct model *key = h->seg.v[0].key;
    if (!store_load(h, 0) || !history_fold(h, key, h->seg.v[1].first - 1))
        return NULL;
    struct model *copy = model_clone(key);
    if (copy)
        model_free(key);
    return copy ? copy : key;
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

/* Opens a segment with its keyframe, a copy of the state before its first event. Caller: the previous segment is full. */
static bool open_segment(struct history *h, const struct model *md)
{
    if (!store_open(h))
        return false;
    if (!index_open(h))
        return false;
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
    h->fd = -1;
    h->loaded[0] = h->loaded[1] = UINT32_MAX;
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

/* Adds the record of an event without its text. Returns false if memory ran out. */
static bool add(struct history *h, const struct model *md, uint32_t m, const struct ev *e)
{
    struct segment *s = last_segment(h);
    s->ev[s->n] = *e;
    segment_ms(h, s)[s->n++] = m;
    if (!index_add(h, md, m, e)) {
        s->n--;
        h->failed = true;
        return false;
    }
    s->latest = e->time > s->latest ? e->time : s->latest;
    h->events++;
    h->failed = s->n == h->size && !open_segment(h, md);
    return !h->failed;
}

bool history_add(struct history *h, const struct model *md, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    struct segment *s = last_segment(h);
    if (h->failed || model_events(md) != h->events + 1 || s->n == h->size)
        return false;
    if ((len || e->kind == EV_PRINT) && !store_text(h, s->n, text, len))
        return false;
    return add(h, md, m, e);
}

bool history_takes(const struct history *h, uint32_t n)
{
    return last_segment(h)->n + n <= h->size;
}

bool history_add_record(struct history *h, const struct model *md, uint32_t m, const struct ev *e, uint32_t n)
{
    bool good = !h->failed && model_events(md) == h->events + n && history_takes(h, n);
    for (uint32_t i = 0; good && i < n; i++)
        good = add(h, md, m, &e[i]);
    return good;
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

uint32_t segment_of(const struct history *h, uint64_t number)
{
    return (uint32_t)((number - h->seg.v[0].first) / h->size);
}

/* Returns the index of the first note for event i or a later one. */
static uint32_t find_note(const struct segment *s, uint32_t i)
{
    uint32_t low = 0, high = s->nnotes;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (s->note[mid].i < i)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void read_event(const struct history *h, const struct segment *s, uint32_t i, struct history_event *out)
{
    *out = (struct history_event){.number = s->first + i, .m = segment_ms(h, s)[i], .ev = s->ev[i]};
    uint32_t note = h->fields[s->ev[i].kind].text ? find_note(s, i) : s->nnotes;
    if (note == s->nnotes || s->note[note].i != i)
        return;
    out->text = s->text + s->note[note].off;
    out->len = (note + 1 < s->nnotes ? s->note[note + 1].off : s->text_bytes) - s->note[note].off;
}

bool history_get(struct history *h, uint64_t number, struct history_event *out)
{
    if (number <= history_oldest(h) || number > h->events)
        return false;
    const struct segment *s = store_load(h, segment_of(h, number));
    if (s)
        read_event(h, s, (uint32_t)(number - s->first), out);
    return s != NULL;
}

/* Returns the index of the first match among n events of the segment, from event i on; UINT32_MAX: there is none. */
static uint32_t search_records(const struct history *h, const struct segment *s, uint32_t i, int step, uint64_t n,
                               const struct history_search *what)
{
    struct history_event e;
    for (; n; n--, i += (uint32_t)step) {
        if (what->kinds && !what->kinds[s->ev[i].kind])
            continue;
        read_event(h, s, i, &e);
        if (what->is(what->ctx, &e))
            return i;
    }
    return UINT32_MAX;
}

/* A segment without an event of these kinds is skipped without a look at its records, which may be in the file only. */
uint64_t history_search(struct history *h, uint64_t from, int step, const struct history_search *what, uint64_t *next)
{
    enum { SKIP = 64 }; /* to skip a segment takes as long as a look at so many events */
    uint64_t at = from, left = what->most;
    while (left && at > history_oldest(h) && at <= h->events) {
        uint32_t nth = segment_of(h, at);
        bool skip = what->kinds && !index_has_kind(h, nth, what->kinds);
        const struct segment *s = skip ? &h->seg.v[nth] : store_load(h, nth);
        if (!s)
            break;
        uint32_t i = (uint32_t)(at - s->first);
        uint64_t n = step > 0 ? s->n - i : i + 1;
        n = !skip && n > left ? left : n;
        uint32_t found = skip ? UINT32_MAX : search_records(h, s, i, step, n, what);
        if (found != UINT32_MAX)
            return s->first + found;
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

/* Returns the index of the first event of the segment that is later than `time`, from event i on. */
static uint32_t first_later(struct history *h, uint32_t segment, uint32_t i, int64_t time)
{
    for (uint32_t n = 1; i < h->seg.v[segment].n && n; i += n) {
        const uint32_t *m;
        n = h->seg.v[segment].n - i;
        const struct ev *ev = store_peek(h, segment, i, &n, &m);
        for (uint32_t k = 0; k < n; k++)
            if (ev[k].time > time)
                return i + k;
    }
    return i;
}

uint64_t history_at(struct history *h, int64_t time)
{
    uint32_t low = 0, high = (uint32_t)h->seg.n, from = 0;
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
    for (uint32_t k = 1; k < s->index.nmarks; k++)
        if (s->index.mark[k] && s->index.mark[k]->time <= time)
            from = k * s->index.leaf;
    return s->first - 1 + first_later(h, low, from, time);
}

uint64_t history_prints(struct history *h, uint64_t n)
{
    if (n <= history_oldest(h))
        return h->seg.v[0].prints;
    const struct segment *s = store_load(h, segment_of(h, n < h->events ? n : h->events));
    uint64_t prints = s ? s->prints : 0;
    for (uint32_t i = 0; s && i < s->nnotes && s->first + s->note[i].i <= n; i++)
        prints += s->ev[s->note[i].i].kind == EV_PRINT;
    return prints;
}

/* ---- going to a state ---- */

bool history_fold(struct history *h, struct model *md, uint64_t n)
{
    while (model_events(md) < n) {
        const struct segment *s = store_load(h, segment_of(h, model_events(md) + 1));
        if (!s)
            return false;
        uint32_t i = (uint32_t)(model_events(md) + 1 - s->first);
        uint32_t end = n - s->first + 1 < s->n ? (uint32_t)(n - s->first + 1) : s->n;
        for (; i < end; i++)
            if (model_offer(md, segment_ms(h, s)[i], &s->ev[i], NULL, 0) != OFFER_APPLIED)
                return false;
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
        st.spilled += h->seg.v[i].in_file;
        st.file_bytes += store_file_bytes(h, &h->seg.v[i]);
    }
    return st;
}
