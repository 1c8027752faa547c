/* Stores the records of the history: segments of raw records in memory, the oldest in an unlinked file.
 *
 * A segment is one allocation whose untouched pages cost nothing, so short runs stay small. The file holds the same bytes in sequence:
 * records, Ms, notes, text. Two segments that were read back stay in memory, because a screenful of events may span two.
 *
 * Rejected: mmap of the file (a full disk would be SIGBUS instead of an error); compression (each step back would pay for disk space, of
 * which there is plenty).
 */
#include "model/history_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define RECORD_BYTES (sizeof(struct ev) + sizeof(uint32_t))
enum { PARTS = 3 };

static size_t text_room(const struct segment *s)
{
    return s->cap_notes * sizeof *s->note + s->cap_text;
}

/* The memory of records that were read back is used again: new pages would take as long as the reading. */
static bool make_records(struct history *h, struct segment *s)
{
    s->ev = h->spare ? h->spare : malloc(h->size * RECORD_BYTES);
    h->spare = NULL;
    if (s->ev)
        h->bytes += h->size * RECORD_BYTES;
    return s->ev != NULL;
}

static void free_records(struct history *h, struct segment *s)
{
    if (s->ev)
        h->bytes -= h->size * RECORD_BYTES + text_room(s);
    free(s->ev);
    free(s->note);
    free(s->text);
    s->ev = NULL;
    s->note = NULL;
    s->text = NULL;
    s->cap_notes = 0;
    s->cap_text = 0;
}

bool store_open(struct history *h)
{
    struct segment s = {.first = h->events + 1};
    if (h->seg.n) {
        s.latest = last_segment(h)->latest;
        s.prints = last_segment(h)->prints;
        for (uint32_t i = 0; i < last_segment(h)->nnotes; i++)
            s.prints += last_segment(h)->ev[last_segment(h)->note[i].i].kind == EV_PRINT;
    }
    if (!make_records(h, &s))
        return false;
    if (vec_push(&h->seg, s))
        return true;
    free_records(h, &s);
    return false;
}

static bool room(void **v, size_t *cap, size_t need)
{
    size_t n = *cap ? *cap : 256;
    if (need <= *cap)
        return true;
    while (n < need)
        n *= 2;
    void *grown = realloc(*v, n);
    if (!grown)
        return false;
    *v = grown;
    *cap = n;
    return true;
}

bool store_text(struct history *h, uint32_t i, const char *text, size_t len)
{
    struct segment *s = last_segment(h);
    size_t notes = s->cap_notes * sizeof *s->note, before = text_room(s);
    bool ok = room((void **)&s->note, &notes, (s->nnotes + 1) * sizeof *s->note);
    s->cap_notes = (uint32_t)(notes / sizeof *s->note);
    ok = ok && room((void **)&s->text, &s->cap_text, s->text_bytes + len);
    h->bytes += text_room(s) - before;
    if (!ok)
        return false;
    s->note[s->nnotes++] = (struct htext){i, (uint32_t)s->text_bytes};
    if (len)
        memcpy(s->text + s->text_bytes, text, len);
    s->text_bytes += len;
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

static void parts(const struct history *h, const struct segment *s, struct iovec v[PARTS])
{
    v[0] = (struct iovec){s->ev, h->size * RECORD_BYTES};
    v[1] = (struct iovec){s->note, s->nnotes * sizeof *s->note};
    v[2] = (struct iovec){s->text, s->text_bytes};
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

static bool move_bytes(int fd, const struct iovec *v, uint64_t at, transfer *fn)
{
    for (size_t done = 0; done < v->iov_len;) {
        ssize_t n = fn(fd, (char *)v->iov_base + done, v->iov_len - done, (off_t)(at + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

static bool move_segment(const struct history *h, const struct segment *s, uint64_t at, transfer *fn)
{
    struct iovec v[PARTS];
    parts(h, s, v);
    for (int i = 0; i < PARTS; at += v[i].iov_len, i++)
        if (!move_bytes(h->fd, &v[i], at, fn))
            return false;
    return true;
}

uint64_t store_file_bytes(const struct history *h, const struct segment *s)
{
    return s->in_file ? h->size * RECORD_BYTES + s->nnotes * sizeof *s->note + s->text_bytes : 0;
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
    h->no_file = h->fd < 0 || is_full(h) || !move_segment(h, s, h->file_end, write_some);
    if (h->no_file)
        return false;
    s->in_file = true;
    s->file_at = h->file_end;
    h->file_end += store_file_bytes(h, s);
    return true;
}

static bool read_segment(struct history *h, struct segment *s)
{
    bool ok = make_records(h, s);
    s->cap_notes = s->nnotes;
    s->cap_text = s->text_bytes;
    s->note = malloc(s->cap_notes * sizeof *s->note + 1);
    s->text = malloc(s->cap_text + 1);
    h->bytes += s->ev ? text_room(s) : 0;
    ok = ok && s->note && s->text && move_segment(h, s, s->file_at, read_some);
    if (!ok)
        free_records(h, s);
    return ok;
}

static void unload(struct history *h, uint32_t *slot)
{
    if (*slot < h->seg.n) {
        struct segment *s = &h->seg.v[*slot];
        if (s->ev && !h->spare) {
            h->spare = s->ev;
            h->bytes -= h->size * RECORD_BYTES + text_room(s);
            s->ev = NULL;
        }
        free_records(h, s);
    }
    *slot = UINT32_MAX;
}

const struct segment *store_load(struct history *h, uint32_t i)
{
    struct segment *s = &h->seg.v[i];
    if (s->ev)
        return s;
    unload(h, &h->loaded[0]);
    h->loaded[0] = h->loaded[1];
    h->loaded[1] = UINT32_MAX;
    if (!read_segment(h, s))
        return NULL;
    h->loaded[1] = i;
    return s;
}

const struct ev *store_peek(struct history *h, uint32_t segment, uint32_t i, uint32_t *n, const uint32_t **ms)
{
    enum { MOST = sizeof h->peek.ev / sizeof *h->peek.ev };
    const struct segment *s = &h->seg.v[segment];
    if (s->ev) {
        *ms = segment_ms(h, s) + i;
        return s->ev + i;
    }
    *n = *n < MOST ? *n : MOST;
    *ms = h->peek.m;
    struct iovec ev = {h->peek.ev, *n * sizeof *h->peek.ev}, m = {h->peek.m, *n * sizeof *h->peek.m};
    bool ok = move_bytes(h->fd, &ev, s->file_at + i * sizeof *h->peek.ev, read_some) &&
              move_bytes(h->fd, &m, s->file_at + h->size * sizeof *h->peek.ev + i * sizeof *h->peek.m, read_some);
    *n = ok ? *n : 0;
    return h->peek.ev;
}

bool store_spill(struct history *h)
{
    for (int k = 0; k < 2; k++)
        if (h->loaded[k] != UINT32_MAX) {
            unload(h, &h->loaded[k]);
            return true;
        }
    uint32_t i = 0;
    h->no_file = false;
    while (i + 1 < h->seg.n && !h->seg.v[i].ev)
        i++;
    if (i + 1 >= h->seg.n || !write_segment(h, &h->seg.v[i]))
        return false;
    free_records(h, &h->seg.v[i]);
    index_thin(h, &h->seg.v[i]);
    return true;
}

void store_drop(struct history *h)
{
    unload(h, &h->loaded[0]);
    unload(h, &h->loaded[1]);
    struct segment *s = &h->seg.v[0];
    free_records(h, s);
    index_free(h, s);
    if (s->in_file) /* if the file system cannot do this, more segments are dropped until the file fits again */
        fallocate(h->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)s->file_at, (off_t)store_file_bytes(h, s));
    memmove(h->seg.v, h->seg.v + 1, (h->seg.n - 1) * sizeof *h->seg.v);
    h->seg.n--;
}

void store_fini(struct history *h)
{
    for (size_t i = 0; i < h->seg.n; i++) {
        free_records(h, &h->seg.v[i]);
        index_free(h, &h->seg.v[i]);
        model_free(h->seg.v[i].key);
    }
    vec_free(&h->seg);
    free(h->spare);
    if (h->fd >= 0)
        close(h->fd);
}
