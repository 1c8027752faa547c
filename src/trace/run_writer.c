/* The writer of run files (run_file.h). Events are packed as they come; a piece is written when its segment is full, when its bytes would become too
 * many for a chunk, and when the caller asks. Each chunk is one write, so a kill leaves at most the last one cut.
 */
#include "trace/run_format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct run_writer {
    int fd, error;
    bool named, linked, ended; /* linked: the file had a name when it was opened */
    uint64_t end;              /* where the next chunk will begin */
    uint64_t events, kept;
    struct open_segment open;   /* events that were added; not if they come packed */
    uint64_t first;             /* the first event of the segment */
    struct run_written written; /* of the segment */
    VEC(struct run_index) index;
    uint8_t *out; /* a chunk on its way to the file */
    size_t cap;
};

/* Returns room for the body of a chunk; NULL: memory ran out. */
static uint8_t *body_room(struct run_writer *w, size_t len)
{
    if (len > CHUNK_MOST) {
        w->error = EFBIG;
        return NULL;
    }
    if (CHUNK_HEAD + len > w->cap) {
        free(w->out);
        w->cap = CHUNK_HEAD + len + len / 2;
        w->out = malloc(w->cap);
    }
    if (w->out)
        return w->out + CHUNK_HEAD;
    w->cap = 0;
    w->error = ENOMEM;
    return NULL;
}

/* Writes the chunk whose body is in body_room(). */
static bool write_chunk(struct run_writer *w, uint32_t tag, size_t len)
{
    chunk_put(w->out, tag, w->out + CHUNK_HEAD, (uint32_t)len);
    w->error = write_all_at(w->fd, w->out, CHUNK_HEAD + len, w->end);
    if (w->error)
        return false;
    w->end += CHUNK_HEAD + len;
    return true;
}

/* A file without a name is unlinked before it is written, so nothing remains however this process ends. */
static int open_unnamed(void)
{
    const char *dir = getenv("TMPDIR");
    char name[4096];
    int n = snprintf(name, sizeof name, "%s/gmpscope-XXXXXX", dir && *dir ? dir : "/tmp");
    if (n >= (int)sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        unlink(name);
    return fd;
}

static bool write_head(struct run_writer *w, const struct run_head *head)
{
    uint8_t signature[RUN_SIGNATURE] = {0};
    struct run_head own = {0};
    memcpy(signature, run_magic, sizeof run_magic);
    put32(signature + sizeof run_magic, RUN_VERSION);
    bool fits = put_event_table(&own) && run_head_put(&own, "format.block", "4096", 4);
    size_t len = list_bytes(&own) + (head ? list_bytes(head) : 0);
    uint8_t *body = fits ? body_room(w, len) : NULL;
    if (body && !(w->error = write_all_at(w->fd, signature, sizeof signature, 0))) {
        body = list_put(body, &own);
        if (head)
            list_put(body, head);
        w->end = RUN_SIGNATURE;
        write_chunk(w, TAG_HEAD, len);
    } else if (!w->error) {
        w->error = ENOMEM;
    }
    run_head_fini(&own);
    return !w->error;
}

struct run_writer *run_writer_new(const char *path, const struct run_head *head, char error[RUN_ERROR])
{
    struct run_writer *w = calloc(1, sizeof *w);
    if (!w) {
        snprintf(error, RUN_ERROR, "%s", strerror(ENOMEM));
        return NULL;
    }
    w->named = path != NULL;
    w->first = 1;
    w->fd = path ? open(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666) : open_unnamed();
    struct stat st = {0};
    if (w->fd < 0 || fstat(w->fd, &st) != 0)
        w->error = errno;
    w->linked = st.st_nlink > 0;
    if (!w->error && !S_ISREG(st.st_mode))
        snprintf(error, RUN_ERROR, "it is not a regular file");
    else if (!w->error && write_head(w, head))
        return w;
    if (w->error)
        snprintf(error, RUN_ERROR, "%s", strerror(w->error));
    run_writer_free(w);
    return NULL;
}

/* ---- pieces ---- */

bool run_writer_append(struct run_writer *w, const struct packed_segment *s, struct run_written *done)
{
    size_t events = s->nevents - done->nevents, places = s->nplaces - done->nplaces;
    if (!events && !places)
        return true;
    if (!w->named)
        w->error = 0;
    if (w->error || w->ended)
        return false;
    struct piece p = {s->first + done->n, done->n, s->n - done->n, (uint32_t)events, (uint32_t)places};
    size_t len = PIECE_HEAD + events + places;
    uint8_t *body = body_room(w, len);
    if (!body)
        return false;
    piece_put(body, &p);
    if (events)
        memcpy(body + PIECE_HEAD, s->events + done->nevents, events);
    if (places)
        memcpy(body + PIECE_HEAD + events, s->places + done->nplaces, places);
    uint64_t at = done->bytes ? done->at : w->end;
    if (!write_chunk(w, TAG_EVENTS, len))
        return false;
    if (w->named && !done->bytes && !vec_push(&w->index, ((struct run_index){at, s->first})))
        w->error = ENOMEM;
    *done = (struct run_written){at, done->bytes + CHUNK_HEAD + len, s->n, s->nevents, s->nplaces};
    w->kept = s->first - 1 + s->n;
    w->events = w->events > w->kept ? w->events : w->kept;
    return !w->error;
}

/* Writes what the writer's own segment has and the file lacks. */
static bool write_open(struct run_writer *w)
{
    struct open_segment *s = &w->open;
    const struct packed_segment v = {w->first, s->n, s->events.v, s->places.v, s->events.n, s->places.n};
    bool written = run_writer_append(w, &v, &w->written);
    s->kept = w->written.nplaces;
    return written;
}

/* Makes the segment ready for more. */
static bool prepare(struct run_writer *w)
{
    if (w->error || w->ended)
        return false;
    const struct open_segment *s = &w->open;
    bool full = s->n == RUN_SEGMENT, large = s->events.n - w->written.nevents + s->places.n - w->written.nplaces >= RUN_PIECE;
    if ((full || large) && !write_open(w))
        return false;
    if (full) {
        segment_clear(&w->open);
        w->written = (struct run_written){0};
        w->first = w->events + 1;
    }
    return true;
}

bool run_writer_add(struct run_writer *w, uint32_t m, const struct ev *e, uint32_t n, const char *text, size_t len)
{
    for (uint32_t some; n; e += some, n -= some) {
        if (!prepare(w))
            return false;
        uint32_t room = BLOCK - w->open.n % BLOCK;
        some = n < room ? n : room;
        if (!segment_add(&w->open, m, e, some, text, len)) {
            w->error = ENOMEM;
            return false;
        }
        w->events += some;
    }
    return true;
}

bool run_writer_place(struct run_writer *w, uint32_t g, uint32_t op)
{
    if (!prepare(w))
        return false;
    if (!segment_place(&w->open, g, op))
        w->error = ENOMEM;
    return !w->error;
}

bool run_writer_flush(struct run_writer *w)
{
    struct stat st;
    if (w->error || w->ended)
        return !w->error;
    if (w->linked && fstat(w->fd, &st) == 0 && st.st_nlink == 0)
        w->error = ENOENT;
    return !w->error && write_open(w);
}

bool run_writer_end(struct run_writer *w, const struct run_head *end)
{
    if (!run_writer_flush(w) || w->ended)
        return false;
    w->ended = true;
    uint64_t tail = w->end;
    size_t len = TAIL_HEAD + w->index.n * TAIL_ENTRY + (end ? list_bytes(end) : 0);
    uint8_t *to = body_room(w, len);
    if (!to)
        return false;
    put64(to, w->events);
    put32(to + 8, (uint32_t)w->index.n);
    put32(to + 12, 0);
    to += TAIL_HEAD;
    for (size_t i = 0; i < w->index.n; i++, to += TAIL_ENTRY) {
        put64(to, w->index.v[i].at);
        put64(to + 8, w->index.v[i].first);
    }
    if (end)
        list_put(to, end);
    if (!write_chunk(w, TAG_TAIL, len) || !(to = body_room(w, 8)))
        return false;
    put64(to, tail);
    return write_chunk(w, TAG_DONE, 8);
}

/* ---- reading back ---- */

bool run_writer_read(const struct run_writer *w, const struct run_written *done, uint8_t **buffer, size_t *cap)
{
    return read_segment(w->fd, done, buffer, cap);
}

void run_writer_forget(struct run_writer *w, const struct run_written *done)
{
    fallocate(w->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)done->at, (off_t)done->bytes);
}

uint64_t run_writer_bytes(const struct run_writer *w)
{
    return w->end;
}

uint64_t run_writer_events(const struct run_writer *w)
{
    return w->events;
}

uint64_t run_writer_kept(const struct run_writer *w)
{
    return w->kept;
}

int run_writer_error(const struct run_writer *w)
{
    return w->error;
}

bool run_writer_takes(const struct run_writer *w)
{
    return !w->error && !w->ended;
}

void run_writer_free(struct run_writer *w)
{
    if (!w)
        return;
    segment_fini(&w->open);
    vec_free(&w->index);
    free(w->out);
    if (w->fd >= 0)
        close(w->fd);
    free(w);
}
