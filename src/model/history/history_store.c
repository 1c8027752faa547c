/* Stores the records of the history: segments of packed records in memory, the oldest in a run file without a name (trace/run_file.h).
 *
 * A record is packed when it comes (pack.h), into memory that each segment uses again, so that the kernel need not make pages for it. A full
 * segment is copied to as many bytes as it has. A reader of an event unpacks its block as far as that event, in some 10 µs at most, and the next
 * readers find it unpacked. A read from the file takes one segment.
 *
 * The history of a replay keeps no copy of a full segment: the file that is replayed has it, and its reader has passed it (run_reader_passed).
 *
 * Rejected: mmap of the file (a full disk would be SIGBUS instead of an error).
 */
#include "model/history/history_internal.h"

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

/* Returns the records of the segment, and after them its places (segment.packed); NULL if they cannot be read back. */
static const uint8_t *packed_bytes(struct history *h, const struct segment *s)
{
    if (s->packed || h->read.first == s->first)
        return s->packed ? s->packed : h->read.v;
    struct read_buffer *to = &h->read;
    bool read = s->in == REPLAYED ? run_reader_read(h->replayed, &s->in_file, &to->v, &to->cap)
                                  : run_writer_read(h->file[s->in], &s->in_file, &to->v, &to->cap);
    to->first = read ? s->first : 0;
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
    bool written = run_writer_append(to, &v, done);
    if (!s->full && h->open.kept < done->nplaces)
        h->open.kept = done->nplaces;
    return written;
}

static bool is_recording(const struct history *h)
{
    return h->file[RECORDING] && run_writer_takes(h->file[RECORDING]);
}

/* Writes what the recording lacks of the last segment. If this fails, the writer remembers it. */
static bool record_last(struct history *h)
{
    struct segment *s = last_segment(h);
    if (!is_recording(h))
        return false;
    s->in = RECORDING;
    return append(h->file[RECORDING], h, s, &s->in_file);
}

/* Counts the memory of the open segment, which was `before`, and records it if it has become large. */
static bool count_open(struct history *h, size_t before, bool added)
{
    const struct run_written *done = &last_segment(h)->in_file;
    h->bytes += h->open.events.cap + h->open.places.cap - before;
    if (added && h->open.events.n + h->open.places.n - done->nevents - done->nplaces >= RUN_PIECE)
        record_last(h);
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

/* Lets the file that is replayed keep the full segment, if it has the same events there. */
static bool leave_in_file(struct history *h, struct segment *s)
{
    const struct run_passed *p = h->replayed && h->size == RUN_SEGMENT ? run_reader_passed(h->replayed, s->first) : NULL;
    if (!p)
        return false;
    memcpy(s->at, p->block_at, sizeof p->block_at);
    s->places = p->in_file.nplaces;
    s->in_file = p->in_file;
    s->in = REPLAYED;
    s->full = true;
    for (int c = 0; c < CACHED; c++) /* what is unpacked of a block ends elsewhere in the file */
        h->cache[c].first = h->cache[c].first >= s->first ? 0 : h->cache[c].first;
    return true;
}

bool store_end_block(struct history *h)
{
    struct segment *s = last_segment(h);
    const struct bytes *events = &h->open.events, *places = &h->open.places;
    s->at[++s->nblocks] = (uint32_t)events->n;
    if (s->n < h->size || leave_in_file(h, s))
        return true;
    if (!(s->packed = malloc(events->n + PACK_BEHIND + places->n)))
        return false;
    memcpy(s->packed, events->v, events->n);
    if (places->n)
        memcpy(s->packed + events->n + PACK_BEHIND, places->v, places->n);
    s->places = places->n;
    s->full = true;
    h->bytes += events->n + places->n;
    record_last(h);
    return true;
}

/* ---- the file ---- */

/* Is the temporary file full? Segments enter and leave it in their order. */
static bool is_full(const struct history *h)
{
    size_t i = 0;
    while (i < h->seg.n && !(h->seg.v[i].in == TEMPORARY && h->seg.v[i].in_file.bytes))
        i++;
    return i < h->seg.n && run_writer_bytes(h->file[TEMPORARY]) - h->seg.v[i].in_file.at > HISTORY_FILE * h->budget;
}

static bool is_whole_in_file(const struct segment *s)
{
    const struct run_written *done = &s->in_file;
    return done->n == s->n && done->nevents == s->at[s->nblocks] && done->nplaces == s->places;
}

/* Makes sure that a file has the full segment. */
static bool write_segment(struct history *h, struct segment *s)
{
    char error[RUN_ERROR];
    struct run_written done = {0};
    struct run_writer **to = &h->file[TEMPORARY];
    bool full = false;
    h->file_fails = false;
    if (!is_whole_in_file(s)) { /* there is no recording, or it has failed within the segment or before */
        if (!*to)
            *to = run_writer_new(NULL, NULL, error);
        full = *to && is_full(h);
        h->file_fails = !full && (!*to || !append(*to, h, s, &done));
    }
    h->no_file = full || h->file_fails;
    if (done.bytes && !h->no_file) {
        s->in_file = done;
        s->in = TEMPORARY;
    }
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

bool history_record(struct history *h, struct run_writer *to, struct run_writer **before)
{
    *before = NULL;
    if (h->seg.v[0].first > 1)
        return false;
    struct run_written *done = calloc(h->seg.n, sizeof *done);
    bool written = done != NULL;
    for (size_t i = 0; i < h->seg.n && written; i++)
        written = append(to, h, &h->seg.v[i], &done[i]);
    for (size_t i = 0; i < h->seg.n && written; i++) {
        h->seg.v[i].in_file = done[i];
        h->seg.v[i].in = RECORDING;
    }
    free(done);
    if (!written)
        return false;
    *before = h->file[RECORDING];
    run_writer_free(h->file[TEMPORARY]);
    h->file[TEMPORARY] = NULL;
    h->file[RECORDING] = to;
    return true;
}

bool history_flush(struct history *h)
{
    struct run_writer *to = h->file[RECORDING];
    return !to || (run_writer_flush(to) && record_last(h));
}

void history_replays(struct history *h, const struct run_reader *from)
{
    h->replayed = from;
}

struct run_writer *history_recording(const struct history *h)
{
    return h->file[RECORDING];
}

bool store_spill(struct history *h)
{
    uint32_t i = 0;
    h->no_file = false;
    while (i + 1 < h->seg.n && !h->seg.v[i].packed && h->seg.v[i].thin)
        i++;
    if (i + 1 >= h->seg.n || !write_segment(h, &h->seg.v[i]))
        return false;
    free_records(h, &h->seg.v[i]);
    index_thin(h, &h->seg.v[i]);
    h->seg.v[i].thin = true;
    return true;
}

void store_drop(struct history *h)
{
    struct segment *s = &h->seg.v[0];
    free_records(h, s);
    index_free(h, s);
    if (s->in_file.bytes && s->in == TEMPORARY) /* if the file system cannot do this, more segments are dropped until the file fits again */
        run_writer_forget(h->file[TEMPORARY], &s->in_file);
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
    for (int i = 0; i < HISTORY_FILES; i++)
        run_writer_free(h->file[i]);
}
