/* The reader of run files (run_file.h). Nothing in a file is trusted: lengths are compared with the size of the file before memory is allocated,
 * checksums before a body is read, and what a body says before it is used.
 *
 * A file with an index opens without a look at its events; each chunk is checked when it is read. A file without one is walked, and checked, once.
 */
#include "trace/run_format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct run_reader {
    int fd;
    uint64_t size, events;
    uint64_t begin, end; /* of the chunks that may have events */
    enum run_state state;
    bool has_end, lack;
    struct run_head head, tail;
    VEC(struct run_index) index;
    uint8_t *body; /* of the last chunk that was read, and PACK_BEHIND zeros */
    size_t cap;
    /* Where it reads. */
    uint64_t next;     /* the number of the next event */
    uint64_t chunk_at; /* the next chunk */
    struct piece piece;
    const uint8_t *packed, *packed_end, *places, *places_end; /* what is left of the piece */
    struct place place;                                       /* the next one, if piece.places is not 0 */
    uint32_t in_segment;                                      /* events before the next one */
    uint32_t in_block;                                        /* of the block, events before the next one */
    struct run_passed passing;                                /* the segment, as far as it was read; first 0: not from its start */
    VEC(struct run_passed) passed;
    struct block block;
};

/* ---- chunks ---- */

enum found { FOUND, FOUND_CUT, FOUND_DAMAGED, FOUND_LACK };

/* Reads the chunk at this place into r->body. */
static enum found read_chunk(struct run_reader *r, uint64_t at, struct chunk *c)
{
    uint8_t head[CHUNK_HEAD];
    if (at > r->size || r->size - at < CHUNK_HEAD)
        return FOUND_CUT;
    if (read_all_at(r->fd, head, sizeof head, at) != 0)
        return FOUND_DAMAGED;
    *c = chunk_get(head);
    if (c->len > CHUNK_MOST)
        return FOUND_DAMAGED;
    if (c->len > r->size - at - CHUNK_HEAD)
        return FOUND_CUT;
    if (c->len + (size_t)PACK_BEHIND > r->cap) {
        free(r->body);
        r->cap = c->len + c->len / 2 + PACK_BEHIND;
        if (!(r->body = malloc(r->cap))) {
            r->cap = 0;
            return FOUND_LACK;
        }
    }
    memset(r->body + c->len, 0, PACK_BEHIND);
    return read_all_at(r->fd, r->body, c->len, at + CHUNK_HEAD) == 0 && chunk_is_whole(c, r->body) ? FOUND : FOUND_DAMAGED;
}

static bool may_skip(uint32_t tag)
{
    return (tag & 0xff) >= 'a' && (tag & 0xff) <= 'z';
}

/* Is this piece the one that follows `last` (zeros: none)? */
static bool follows(const struct piece *p, const struct piece *last)
{
    return p->first == (last->first ? last->first : 1) + last->n &&
           (p->before == 0 || (last->first && p->before == last->before + last->n));
}

/* ---- opening ---- */

/* Reads the body of a TAIL chunk that begins at `at`. */
static bool take_tail(struct run_reader *r, uint64_t at, uint32_t len)
{
    uint64_t n = len < TAIL_HEAD ? UINT64_MAX : get32(r->body + 8);
    if (n > (len - TAIL_HEAD) / TAIL_ENTRY || get64(r->body) > n * RUN_SEGMENT_MOST)
        return false;
    uint64_t events = get64(r->body);
    r->index.n = 0;
    for (uint64_t i = 0; i < n; i++) {
        const uint8_t *from = r->body + TAIL_HEAD + i * TAIL_ENTRY;
        struct run_index x = {get64(from), get64(from + 8)}, last = i ? r->index.v[i - 1] : (struct run_index){0};
        bool fits =
            i ? x.at > last.at && x.first >= last.first && x.first - last.first <= RUN_SEGMENT_MOST : x.at >= r->begin && x.first == 1;
        if (!fits || x.at >= at || x.first > events + 1)
            return false;
        if (!vec_push(&r->index, x)) {
            r->lack = true;
            return false;
        }
    }
    if (n && events - (r->index.v[n - 1].first - 1) > RUN_SEGMENT_MOST)
        return false;
    if (!list_get(&r->tail, r->body + TAIL_HEAD + n * TAIL_ENTRY, len - TAIL_HEAD - (size_t)n * TAIL_ENTRY))
        return false;
    r->events = events;
    r->end = at;
    r->has_end = true;
    return true;
}

static bool find_tail(struct run_reader *r)
{
    struct chunk c;
    uint64_t done = r->size - (CHUNK_HEAD + 8);
    if (r->size < r->begin + CHUNK_HEAD + 8 || read_chunk(r, done, &c) != FOUND || c.tag != TAG_DONE || c.len != 8)
        return false;
    uint64_t tail = get64(r->body);
    if (tail < r->begin || tail >= done || read_chunk(r, tail, &c) != FOUND || c.tag != TAG_TAIL || tail + CHUNK_HEAD + c.len != done)
        return false;
    return take_tail(r, tail, c.len);
}

/* Is this a chunk without events, or the piece that follows the last one? Adds its segment to the index. Its records are checked when read. */
static bool take_piece(struct run_reader *r, uint64_t at, const struct chunk *c, struct piece *last)
{
    struct piece p;
    if (c->tag != TAG_EVENTS)
        return may_skip(c->tag);
    if (!piece_get(&p, r->body, c->len) || !follows(&p, last))
        return false;
    if (p.before == 0 && !vec_push(&r->index, ((struct run_index){at, p.first}))) {
        r->lack = true;
        return false;
    }
    *last = p;
    return true;
}

/* Finds how far the file can be read if it has no end. */
static void walk(struct run_reader *r)
{
    struct piece last = {0};
    struct chunk c;
    enum found got;
    r->index.n = 0;
    run_head_fini(&r->tail);
    r->end = r->begin;
    while ((got = read_chunk(r, r->end, &c)) == FOUND && c.tag != TAG_TAIL && take_piece(r, r->end, &c, &last))
        r->end += CHUNK_HEAD + c.len;
    r->events = last.first ? last.first - 1 + last.n : 0;
    r->lack |= got == FOUND_LACK;
    r->state = got == FOUND_CUT || (got == FOUND && c.tag == TAG_TAIL) ? RUN_CUT : RUN_DAMAGED;
}

static bool is_same_table(const struct run_head *theirs)
{
    struct run_head own = {0};
    const struct run_text *a = put_event_table(&own) ? run_head_get(&own, "format.events") : NULL,
                          *b = run_head_get(theirs, "format.events");
    bool same = a && b && a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
    run_head_fini(&own);
    return same;
}

/* Returns what is wrong with the beginning of the file; NULL: nothing. */
static const char *read_beginning(struct run_reader *r, char error[RUN_ERROR])
{
    uint8_t signature[RUN_SIGNATURE];
    struct chunk c;
    size_t got = r->size < sizeof signature ? (size_t)r->size : sizeof signature;
    int err = read_all_at(r->fd, signature, got, 0);
    if (err)
        return strerror(err);
    if (got == 0)
        return "it is empty";
    if (memcmp(signature, run_magic, got < sizeof run_magic ? got : sizeof run_magic) != 0)
        return "it is not a recording";
    if (got < sizeof signature)
        return "it ends before its first event";
    uint32_t version = get32(signature + sizeof run_magic);
    if (version != RUN_VERSION) {
        snprintf(error, RUN_ERROR, "%s gmpscope wrote it: its format is %u, expected %u", version > RUN_VERSION ? "a newer" : "an older",
                 (unsigned)version, (unsigned)RUN_VERSION);
        return error;
    }
    enum found found = get32(signature + sizeof run_magic + 4) ? FOUND_DAMAGED : read_chunk(r, RUN_SIGNATURE, &c);
    if (found == FOUND_CUT)
        return "it ends before its first event";
    bool head = found == FOUND && c.tag == TAG_HEAD, whole = head && list_get(&r->head, r->body, c.len);
    if (found == FOUND_LACK || (head && !whole && r->head.memory.lacking))
        return strerror(ENOMEM);
    if (!whole || r->head.list.n == 0)
        return "its head is damaged";
    if (!is_same_table(&r->head))
        return "another version of gmpscope wrote it: its table of events is not the one of this version";
    r->begin = RUN_SIGNATURE + CHUNK_HEAD + c.len;
    return NULL;
}

static const char *open_file(struct run_reader *r, const char *path)
{
    struct stat st;
    r->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (r->fd < 0 || fstat(r->fd, &st) != 0)
        return strerror(errno);
    if (S_ISDIR(st.st_mode))
        return strerror(EISDIR);
    r->size = (uint64_t)st.st_size;
    return S_ISREG(st.st_mode) ? NULL : "it is not a regular file";
}

struct run_reader *run_reader_open(const char *path, char error[RUN_ERROR])
{
    struct run_reader *r = calloc(1, sizeof *r);
    const char *wrong = r ? open_file(r, path) : strerror(ENOMEM);
    if (!wrong)
        wrong = read_beginning(r, error);
    if (!wrong && !find_tail(r))
        walk(r);
    if (!wrong && r->lack)
        wrong = strerror(ENOMEM);
    if (!wrong) {
        run_reader_seek(r, 1); /* reads nothing yet */
        return r;
    }
    if (wrong != error)
        snprintf(error, RUN_ERROR, "%s", wrong);
    run_reader_free(r);
    return NULL;
}

void run_reader_free(struct run_reader *r)
{
    if (!r)
        return;
    run_head_fini(&r->head);
    run_head_fini(&r->tail);
    vec_free(&r->index);
    vec_free(&r->passed);
    free(r->body);
    block_fini(&r->block);
    if (r->fd >= 0)
        close(r->fd);
    free(r);
}

const struct run_head *run_reader_head(const struct run_reader *r)
{
    return &r->head;
}

const struct run_head *run_reader_end(const struct run_reader *r)
{
    return r->has_end ? &r->tail : NULL;
}

enum run_state run_reader_state(const struct run_reader *r)
{
    return r->state;
}

uint64_t run_reader_events(const struct run_reader *r)
{
    return r->events;
}

/* ---- reading ---- */

/* Ends what can be read with the event before the next one. */
static enum run_item stop_here(struct run_reader *r)
{
    r->state = RUN_DAMAGED;
    r->events = r->next - 1;
    r->end = r->chunk_at;
    r->in_block = r->block.n;
    memset(&r->piece, 0, sizeof r->piece);
    return RUN_END;
}

/* Makes the next place of the piece the current one. Returns false if it is none, or belongs to an event behind the piece. */
static bool next_place(struct run_reader *r)
{
    if (r->places == r->places_end) {
        r->piece.places = 0;
        return true;
    }
    r->places = place_next(r->places, r->places_end, &r->place);
    return r->places && r->place.n >= r->in_segment && r->place.n <= r->piece.before + r->piece.n;
}

/* Counts a piece of the segment that is being read: it begins at `at`, and takes so many bytes of the file. */
static void pass_piece(struct run_reader *r, const struct piece *p, uint64_t at, uint64_t bytes)
{
    struct run_passed *s = &r->passing;
    if (p->before == 0)
        *s = (struct run_passed){.first = p->first, .in_file.at = at};
    if (at != s->in_file.at + s->in_file.bytes)
        s->first = 0; /* there is something else in between */
    s->in_file.bytes += bytes;
    s->in_file.n += p->n;
    s->in_file.nevents += p->packed;
    s->in_file.nplaces += p->places;
}

/* Notes where the next block begins, at the end of one. */
static void pass_block(struct run_reader *r)
{
    struct run_passed *s = &r->passing;
    uint32_t k = (r->in_segment - r->in_block + r->block.n) / BLOCK;
    if (s->first && k < sizeof s->block_at / sizeof *s->block_at)
        s->block_at[k] = (uint32_t)(s->in_file.nevents - (size_t)(r->packed_end - r->packed));
}

/* Keeps the segment whose last event was read. If memory runs out, it does not: then it is kept elsewhere. */
static void pass_segment(struct run_reader *r)
{
    if (r->passing.first && r->passing.in_file.n == RUN_SEGMENT && r->passing.first == r->passed.n * RUN_SEGMENT + 1)
        (void)vec_push(&r->passed, r->passing);
}

const struct run_passed *run_reader_passed(const struct run_reader *r, uint64_t first)
{
    uint64_t i = (first - 1) / RUN_SEGMENT;
    return i < r->passed.n && r->passed.v[i].first == first ? &r->passed.v[i] : NULL;
}

bool run_reader_read(const struct run_reader *r, const struct run_written *done, uint8_t **buffer, size_t *cap)
{
    return read_segment(r->fd, done, buffer, cap);
}

/* Takes the chunk at r->chunk_at. Returns RUN_EVENT: go on; RUN_END: no more. */
static enum run_item open_piece(struct run_reader *r)
{
    struct chunk c;
    struct piece p;
    if (r->chunk_at >= r->end)
        return r->next <= r->events ? stop_here(r) : RUN_END;
    enum found found = read_chunk(r, r->chunk_at, &c);
    if (found == FOUND_LACK)
        return RUN_LACK;
    if (found != FOUND)
        return stop_here(r);
    if (c.tag != TAG_EVENTS) {
        if (!may_skip(c.tag))
            return stop_here(r);
        r->chunk_at += CHUNK_HEAD + c.len;
        return RUN_EVENT;
    }
    if (!piece_get(&p, r->body, c.len) || p.first != r->next || (p.before && p.before != r->in_segment) || p.n > r->events - (r->next - 1))
        return stop_here(r);
    pass_piece(r, &p, r->chunk_at, CHUNK_HEAD + c.len);
    r->chunk_at += CHUNK_HEAD + c.len;
    if (p.before == 0) {
        memset(&r->place, 0, sizeof r->place);
        r->in_segment = 0;
        block_clear(&r->block);
        r->in_block = 0;
    }
    r->piece = p;
    r->packed = r->body + PIECE_HEAD;
    r->packed_end = r->places = r->packed + p.packed;
    r->places_end = r->places + p.places;
    return next_place(r) ? RUN_EVENT : stop_here(r);
}

/* Unpacks the next block of the piece, or what the piece has of it. Returns false if these are not its records. */
static bool unpack_more(struct run_reader *r)
{
    uint32_t left = r->piece.before + r->piece.n - r->in_segment;
    if (r->block.n == BLOCK) {
        block_clear(&r->block);
        r->in_block = 0;
    }
    uint32_t some = left < BLOCK - r->block.n ? left : BLOCK - r->block.n, n = r->block.n + some;
    r->packed = unpack(&r->block, r->packed, r->packed_end, n);
    if (r->packed && n == BLOCK)
        pass_block(r);
    return r->packed && r->block.n == n && (some < left || r->packed == r->packed_end);
}

static bool at_place(const struct run_reader *r)
{
    return r->piece.places && r->place.n == r->in_segment;
}

enum run_item run_reader_next(struct run_reader *r, struct run_event *out)
{
    while (!at_place(r) && r->in_block == r->block.n) {
        bool more = r->in_segment < r->piece.before + r->piece.n;
        if (more && !unpack_more(r))
            return stop_here(r);
        enum run_item got = more ? RUN_EVENT : open_piece(r);
        if (got != RUN_EVENT)
            return got;
    }
    *out = (struct run_event){.number = r->next};
    if (at_place(r)) {
        out->g = r->place.g;
        out->op = r->place.op;
        return next_place(r) ? RUN_PLACE : stop_here(r);
    }
    uint32_t i = r->in_block++;
    const struct block *b = &r->block;
    if (b->ev[i].time < 0 || b->ev[i].time > RUN_TIME_MOST)
        return stop_here(r);
    out->m = b->m[i];
    out->ev = &b->ev[i];
    if (b->text_at[i] != NO_TEXT) {
        out->len = b->text_len[i];
        out->text = out->len ? b->text + (b->text_at[i] - 1) : "";
    }
    r->next++;
    if (++r->in_segment == RUN_SEGMENT)
        pass_segment(r);
    return RUN_EVENT;
}

bool run_reader_seek(struct run_reader *r, uint64_t number)
{
    if (number == 0 || number > r->events + 1)
        return false;
    size_t low = 0, high = r->index.n; /* the last segment that begins at this event or before it */
    while (high - low > 1) {
        size_t mid = (low + high) / 2;
        if (r->index.v[mid].first <= number)
            low = mid;
        else
            high = mid;
    }
    const struct run_index none = {r->end, 1}, *x = r->index.n ? &r->index.v[low] : &none;
    r->next = x->first;
    r->chunk_at = x->at;
    memset(&r->piece, 0, sizeof r->piece);
    memset(&r->place, 0, sizeof r->place);
    r->passing.first = 0;
    r->packed = r->packed_end = r->places = r->places_end = NULL;
    r->in_segment = r->in_block = 0;
    block_clear(&r->block);
    struct run_event skipped;
    while (r->next < number)
        if (run_reader_next(r, &skipped) > RUN_PLACE)
            return false;
    return true;
}
