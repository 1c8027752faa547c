/* Stores the records of the history: segments of packed records in memory, the oldest in a run file without a name (trace/run_file.h).
 *
 * A record is packed when it comes (pack.h), into memory that each segment uses again, so that the kernel need not make pages for it. A full
 * segment is copied to as many bytes as it has. A reader of an event unpacks its block as far as that event, in some 10 µs at most, and the next
 * readers find it unpacked. A read from the file takes one segment.
 *
 * Rejected: mmap of the file (a full disk would be SIGBUS instead of an error).
 */
#include "model/history_internal.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES_KEPT = 1 << 20 }; /* bytes of memory for places that the next segment uses again */

/* ---- packed records ---- */

static size_t at_bytes(const struct history *h)
{
    return (h->size / h->block + 1) * sizeof(uint32_t);
}

static void free_records(struct history *h, struct segment *s)
{
    if (s->packed)
        h->bytes -= s->at[s->nblocks] + s->places;
    free(s->packed);
    s->packed = NULL;
}

bool store_open(struct history *h)
{
    struct segment s = {.first = h->events + 1, .latest = h->seg.n ? last_segment(h)->latest : 0};
    if (!(s.at = calloc(1, at_bytes(h))))
        return false;
    h->bytes += at_bytes(h);
    segment_clear(&h->open);
    if (h->open.places.cap > PLACES_KEPT) { /* a G has computed for long: the next segment may have few */
        h->bytes -= h->open.places.cap;
        free(h->open.places.v);
        h->open.places = (struct bytes){0};
    }
    if (vec_push(&h->seg, s))
        return true;
    free(s.at);
    return false;
}

void store_undo_open(struct history *h)
{
    free(last_segment(h)->at);
    h->bytes -= at_bytes(h);
    h->seg.n--;
}

/* Counts the memory of the open segment, which was `before`. */
static bool count_open(struct history *h, size_t before, bool added)
{
    h->bytes += h->open.events.cap + h->open.places.cap - before;
    return added;
}

bool store_add(struct history *h, uint32_t m, const struct ev *e, uint32_t n, const char *text, size_t len)
{
    size_t before = h->open.events.cap + h->open.places.cap;
    return count_open(h, before, segment_add(&h->open, m, e, n, text, len));
}

bool store_add_place(struct history *h, uint32_t g, uint32_t op)
{
    size_t before = h->open.events.cap + h->open.places.cap;
    return count_open(h, before, segment_place(&h->open, g, op));
}

/* Returns the records of the segment, and after them its places (segment.packed); NULL if they cannot be read back. */
static const uint8_t *packed_bytes(struct history *h, const struct segment *s)
{
    if (s->packed || h->read.first == s->first)
        return s->packed ? s->packed : h->read.v;
    h->read.first = run_writer_read(h->file, &s->in_file, &h->read.v, &h->read.cap) ? s->first : 0;
    return h->read.first ? h->read.v : NULL;
}

/* Writes what the file lacks of a segment. Returns false if it cannot be written or read. */
static bool append(struct run_writer *to, struct history *h, const struct segment *s, struct run_written *done)
{
    const uint8_t *all = s->full ? packed_bytes(h, s) : NULL;
    struct packed_segment v = {s->first, s->n, h->open.events.v, h->open.places.v, h->open.events.n, h->open.places.n};
    if (s->full && !all)
        return false;
    if (s->full)
        v = (struct packed_segment){s->first, s->n, all, all + s->at[s->nblocks] + PACK_BEHIND, s->at[s->nblocks], s->places};
    return run_writer_append(to, &v, done);
}

bool store_end_block(struct history *h)
{
    struct segment *s = last_segment(h);
    const struct bytes *events = &h->open.events, *places = &h->open.places;
    s->at[++s->nblocks] = (uint32_t)events->n;
    if (s->n < h->size)
        return true;
    if (!(s->packed = malloc(events->n + PACK_BEHIND + places->n)))
        return false;
    memcpy(s->packed, events->v, events->n);
    if (places->n)
        memcpy(s->packed + events->n + PACK_BEHIND, places->v, places->n);
    s->places = places->n;
    s->full = true;
    h->bytes += events->n + places->n;
    if (h->records)
        append(h->file, h, s, &s->in_file); /* if this fails, the writer remembers it */
    return true;
}

/* ---- the file ---- */

/* Segments enter and leave the file in their order. */
static bool is_full(const struct history *h)
{
    const struct run_written *oldest = &h->seg.v[0].in_file;
    return !h->records && oldest->bytes && run_writer_bytes(h->file) - oldest->at > HISTORY_FILE * h->budget;
}

static bool write_segment(struct history *h, struct segment *s)
{
    char error[RUN_ERROR];
    if (!h->file)
        h->file = run_writer_new(NULL, NULL, error);
    bool full = h->file && is_full(h);
    h->file_fails = !full && (!h->file || !append(h->file, h, s, &s->in_file));
    h->no_file = full || h->file_fails;
    return !h->no_file;
}

/* Returns the packed bytes of block k, NULL if they cannot be read back. */
static const uint8_t *packed_block(struct history *h, const struct segment *s, uint32_t k)
{
    const uint8_t *all = !s->full ? h->open.events.v : packed_bytes(h, s);
    return all ? all + s->at[k] : NULL;
}

const uint8_t *store_places(struct history *h, const struct segment *s, size_t *n)
{
    static const uint8_t none;
    bool open = !s->full;
    *n = open ? h->open.places.n : s->places;
    if (open || !*n)
        return *n ? h->open.places.v : &none;
    const uint8_t *all = packed_bytes(h, s);
    return all ? all + s->at[s->nblocks] + PACK_BEHIND : NULL;
}

/* Returns the block that begins with event `first`, as far as it was unpacked before. */
static struct block *cached(struct history *h, uint64_t first)
{
    for (int c = 0; c < CACHED; c++)
        if (h->cache[c].first == first)
            return &h->cache[c];
    struct block *b = &h->cache[h->replaced++ % CACHED];
    block_clear(b);
    b->first = first;
    return b;
}

/* How far the block of n events is unpacked to read event i of it. One that only the file has is unpacked whole, so that it is read once. */
static uint32_t unpacked_to(const struct segment *s, uint32_t i, uint32_t n)
{
    enum { STEP = 256 };
    uint32_t to = (i / STEP + 1) * STEP;
    return to < n && (s->packed || !s->full) ? to : n;
}

const struct block *store_block(struct history *h, uint32_t segment, uint32_t i)
{
    const struct segment *s = &h->seg.v[segment];
    uint32_t k = i / h->block, n = s->n - k * h->block < h->block ? s->n - k * h->block : h->block;
    uint32_t to = unpacked_to(s, i - k * h->block, n);
    struct block *b = cached(h, s->first + k * h->block);
    if (b->n >= to)
        return b;
    const uint8_t *from = packed_block(h, s, k);
    size_t bytes = (k < s->nblocks ? s->at[k + 1] : h->open.events.n) - s->at[k];
    const uint8_t *behind = from ? unpack(b, from + b->read, from + bytes, to) : NULL;
    if (behind)
        b->read = (size_t)(behind - from);
    else
        b->first = 0;
    return behind ? b : NULL;
}

bool history_record(struct history *h, struct run_writer *to)
{
    if (h->seg.v[0].first > 1)
        return false;
    struct run_written *done = calloc(h->seg.n, sizeof *done);
    bool written = done != NULL;
    for (size_t i = 0; i < h->seg.n && written; i++)
        written = append(to, h, &h->seg.v[i], &done[i]);
    for (size_t i = 0; i < h->seg.n && written; i++)
        h->seg.v[i].in_file = done[i];
    free(done);
    if (!written)
        return false;
    run_writer_free(h->file);
    h->file = to;
    h->records = true;
    return true;
}

bool history_flush(struct history *h)
{
    return !h->records || (run_writer_flush(h->file) && append(h->file, h, last_segment(h), &last_segment(h)->in_file));
}

bool history_record_end(struct history *h, const struct run_head *end)
{
    return history_flush(h) && h->records && run_writer_end(h->file, end);
}

const struct run_writer *history_recording(const struct history *h)
{
    return h->records ? h->file : NULL;
}

bool store_spill(struct history *h)
{
    uint32_t i = 0;
    h->no_file = false;
    while (i + 1 < h->seg.n && !h->seg.v[i].packed)
        i++;
    if (i + 1 >= h->seg.n || !write_segment(h, &h->seg.v[i]))
        return false;
    free_records(h, &h->seg.v[i]);
    index_thin(h, &h->seg.v[i]);
    return true;
}

void store_drop(struct history *h)
{
    struct segment *s = &h->seg.v[0];
    free_records(h, s);
    index_free(h, s);
    if (s->in_file.bytes && !h->records) /* if the file system cannot do this, more segments are dropped until the file fits again */
        run_writer_forget(h->file, &s->in_file);
    free(s->at);
    h->bytes -= at_bytes(h);
    memmove(h->seg.v, h->seg.v + 1, (h->seg.n - 1) * sizeof *h->seg.v);
    h->seg.n--;
}

void store_fini(struct history *h)
{
    for (size_t i = 0; i < h->seg.n; i++) {
        free_records(h, &h->seg.v[i]);
        index_free(h, &h->seg.v[i]);
        free(h->seg.v[i].at);
        model_free(h->seg.v[i].key);
    }
    vec_free(&h->seg);
    segment_fini(&h->open);
    for (int c = 0; c < CACHED; c++)
        block_fini(&h->cache[c]);
    free(h->read.v);
    run_writer_free(h->file);
}
