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

enum { PIECE_FULL = 4 << 20 }; /* bytes after which a piece is written */

struct run_writer {
    int fd, error;
    bool named, ended;
    uint64_t end; /* where the next chunk will begin */
    uint64_t events, kept;
    struct open_segment open;
    uint64_t first; /* the first event of the segment */
    struct {
        uint32_t n;
        size_t events, places;
    } written; /* of the segment */
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
    w->fd = path ? open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666) : open_unnamed();
    struct stat st;
    if (w->fd < 0)
        w->error = errno;
    else if (fstat(w->fd, &st) == 0 && !S_ISREG(st.st_mode))
        snprintf(error, RUN_ERROR, "it is not a regular file");
    else if (write_head(w, head))
        return w;
    if (w->error)
        snprintf(error, RUN_ERROR, "%s", strerror(w->error));
    run_writer_free(w);
    return NULL;
}

/* ---- pieces ---- */

static bool write_piece(struct run_writer *w)
{
    const struct open_segment *s = &w->open;
    struct piece p = {w->first + w->written.n, w->written.n, s->n - w->written.n, (uint32_t)(s->events.n - w->written.events),
                      (uint32_t)(s->places.n - w->written.places)};
    size_t len = PIECE_HEAD + (size_t)p.packed + p.places;
    if (!p.packed && !p.places)
        return true;
    uint8_t *body = body_room(w, len);
    if (!body)
        return false;
    piece_put(body, &p);
    if (p.packed)
        memcpy(body + PIECE_HEAD, s->events.v + w->written.events, p.packed);
    if (p.places)
        memcpy(body + PIECE_HEAD + p.packed, s->places.v + w->written.places, p.places);
    if (!write_chunk(w, TAG_EVENTS, len))
        return false;
    w->kept = w->events;
    w->written.n = s->n;
    w->written.events = s->events.n;
    w->written.places = s->places.n;
    return true;
}

static bool begin_segment(struct run_writer *w)
{
    segment_clear(&w->open);
    memset(&w->written, 0, sizeof w->written);
    w->first = w->events + 1;
    return vec_push(&w->index, ((struct run_index){w->end, w->first, 0}));
}

/* Makes the segment ready for more. */
static bool prepare(struct run_writer *w)
{
    if (w->error || w->ended)
        return false;
    const struct open_segment *s = &w->open;
    bool full = s->n == RUN_SEGMENT, large = s->events.n - w->written.events + s->places.n - w->written.places >= PIECE_FULL;
    if ((full || large) && !write_piece(w))
        return false;
    if ((full || w->index.n == 0) && !begin_segment(w))
        w->error = ENOMEM;
    return !w->error;
}

bool run_writer_add(struct run_writer *w, uint32_t m, const struct ev *e, uint32_t n, const char *text, size_t len)
{
    for (uint32_t some; n; e += some, n -= some) {
        if (!prepare(w))
            return false;
        if (w->open.n == 0)
            w->index.v[w->index.n - 1].time = e->time;
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
    if (w->named && fstat(w->fd, &st) == 0 && st.st_nlink == 0)
        w->error = ENOENT;
    return !w->error && write_piece(w);
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
        put64(to + 16, (uint64_t)w->index.v[i].time);
    }
    if (end)
        list_put(to, end);
    if (!write_chunk(w, TAG_TAIL, len) || !(to = body_room(w, 8)))
        return false;
    put64(to, tail);
    return write_chunk(w, TAG_DONE, 8);
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
