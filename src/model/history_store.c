/* Stores the records of the history: segments of packed records in memory, the oldest in an unlinked file.
 *
 * A record is packed when it comes (pack.h), into memory that each segment uses again, so that the kernel need not make pages for it. A full
 * segment is copied to as many bytes as it has. A reader of an event unpacks its block as far as that event, in some 10 µs at most, and the next
 * readers find it unpacked. A read from the file takes one block. The file holds the same bytes as the memory.
 *
 * Rejected: mmap of the file (a full disk would be SIGBUS instead of an error).
 */
#include "model/history_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- packed records ---- */

static size_t at_bytes(const struct history *h)
{
    return (h->size / h->block + 1) * sizeof(uint32_t);
}

/* Makes room for so many more bytes of packed records. */
static bool make_room(struct history *h, size_t more)
{
    if (h->open.used + more <= h->open.cap)
        return true;
    size_t cap = (h->open.used + more) * 2;
    uint8_t *v = realloc(h->open.v, cap + PACK_BEHIND);
    if (!v)
        return false;
    h->bytes += cap - h->open.cap;
    h->open.v = v;
    h->open.cap = cap;
    return true;
}

static void free_records(struct history *h, struct segment *s)
{
    if (s->packed)
        h->bytes -= s->at[s->nblocks];
    free(s->packed);
    s->packed = NULL;
    places_free(h, &s->places);
}

bool store_open(struct history *h)
{
    struct segment s = {.first = h->events + 1, .latest = h->seg.n ? last_segment(h)->latest : 0};
    if (!(s.at = calloc(1, at_bytes(h))))
        return false;
    h->bytes += at_bytes(h);
    h->open.used = 0;
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

bool store_add(struct history *h, uint32_t m, const struct ev *e, uint32_t n, const char *text, size_t len)
{
    for (uint32_t some; n; e += some, n -= some) {
        if (!make_room(h, PACK_ROOM + len))
            return false;
        uint8_t *to = h->open.v + h->open.used;
        some = pack_record(&h->open.packer, &to, m, e, n, text, len);
        h->open.used = (size_t)(to - h->open.v);
    }
    return true;
}

bool store_end_block(struct history *h)
{
    struct segment *s = last_segment(h);
    s->at[++s->nblocks] = (uint32_t)h->open.used;
    memset(&h->open.packer, 0, sizeof h->open.packer);
    if (s->n < h->size)
        return true;
    if (!(s->packed = malloc(h->open.used + PACK_BEHIND)))
        return false;
    memcpy(s->packed, h->open.v, h->open.used);
    h->bytes += h->open.used;
    return true;
}

/* ---- the file ---- */

/* The file is unlinked before it is written, so nothing remains however this process ends. */
static int open_file(void)
{
    const char *dir = getenv("TMPDIR");
    char name[4096];
    int n = snprintf(name, sizeof name, "%s/gmpscope-XXXXXX", dir && *dir ? dir : "/tmp");
    int fd = n < (int)sizeof name ? mkostemp(name, O_CLOEXEC) : -1;
    if (fd >= 0)
        unlink(name);
    return fd;
}

typedef ssize_t transfer(int fd, void *buf, size_t n, off_t at);

static ssize_t write_some(int fd, void *buf, size_t n, off_t at)
{
    return pwrite(fd, buf, n, at);
}

static ssize_t read_some(int fd, void *buf, size_t n, off_t at)
{
    return pread(fd, buf, n, at);
}

static bool move_bytes(int fd, uint8_t *v, size_t all, uint64_t at, transfer *fn)
{
    for (size_t done = 0; done < all;) {
        ssize_t n = fn(fd, v + done, all - done, (off_t)(at + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

uint64_t store_file_bytes(const struct segment *s)
{
    return s->in_file ? s->at[s->nblocks] + s->places.n : 0;
}

/* Segments enter and leave the file in their order. */
static bool is_full(const struct history *h)
{
    const struct segment *oldest = &h->seg.v[0];
    return oldest->in_file && h->file_end - oldest->file_at > HISTORY_FILE * h->budget;
}

static bool write_segment(struct history *h, struct segment *s)
{
    if (h->fd < 0)
        h->fd = open_file();
    uint64_t behind = h->file_end + s->at[s->nblocks];
    bool full = h->fd >= 0 && is_full(h);
    h->file_fails = !full && (h->fd < 0 || !move_bytes(h->fd, s->packed, s->at[s->nblocks], h->file_end, write_some) ||
                              !move_bytes(h->fd, s->places.v, s->places.n, behind, write_some));
    h->no_file = full || h->file_fails;
    if (h->no_file)
        return false;
    s->in_file = true;
    s->file_at = h->file_end;
    h->file_end += store_file_bytes(s);
    return true;
}

/* Returns bytes of the file, NULL if they cannot be read back. */
static const uint8_t *read_back(const struct history *h, struct read_buffer *to, size_t bytes, uint64_t at)
{
    if (bytes + PACK_BEHIND > to->cap) {
        free(to->v);
        to->v = malloc(bytes + PACK_BEHIND);
        to->cap = to->v ? bytes + PACK_BEHIND : 0;
    }
    return to->v && move_bytes(h->fd, to->v, bytes, at, read_some) ? to->v : NULL;
}

/* Returns the packed records of the segment, NULL if only the file has them. */
static const uint8_t *packed_in_memory(const struct history *h, const struct segment *s)
{
    return s->packed || s->in_file ? s->packed : h->open.v;
}

/* Returns the packed bytes of block k, NULL if they cannot be read back. */
static const uint8_t *packed_block(struct history *h, const struct segment *s, uint32_t k)
{
    const uint8_t *all = packed_in_memory(h, s);
    if (all)
        return all + s->at[k];
    return read_back(h, &h->read, s->at[k + 1] - s->at[k], s->file_at + s->at[k]);
}

const uint8_t *store_places(struct history *h, const struct segment *s)
{
    return s->places.v ? s->places.v : read_back(h, &h->read_places, s->places.n, s->file_at + s->at[s->nblocks]);
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
static uint32_t unpacked_to(const struct history *h, const struct segment *s, uint32_t i, uint32_t n)
{
    enum { STEP = 256 };
    uint32_t to = (i / STEP + 1) * STEP;
    return to < n && packed_in_memory(h, s) ? to : n;
}

const struct block *store_block(struct history *h, uint32_t segment, uint32_t i)
{
    const struct segment *s = &h->seg.v[segment];
    uint32_t k = i / h->block, n = s->n - k * h->block < h->block ? s->n - k * h->block : h->block;
    uint32_t to = unpacked_to(h, s, i - k * h->block, n);
    struct block *b = cached(h, s->first + k * h->block);
    if (b->n >= to)
        return b;
    const uint8_t *from = packed_block(h, s, k);
    const uint8_t *behind =
        from ? unpack(b, from + b->read, from + (k < s->nblocks ? s->at[k + 1] - s->at[k] : h->open.used - s->at[k]), to) : NULL;
    if (behind)
        b->read = (size_t)(behind - from);
    else
        b->first = 0;
    return behind ? b : NULL;
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
    if (s->in_file) /* if the file system cannot do this, more segments are dropped until the file fits again */
        fallocate(h->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)s->file_at, (off_t)store_file_bytes(s));
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
    free(h->open.v);
    for (int c = 0; c < CACHED; c++)
        block_fini(&h->cache[c]);
    free(h->read.v);
    free(h->read_places.v);
    if (h->fd >= 0)
        close(h->fd);
}
