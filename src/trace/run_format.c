/* See run_format.h. XXH64 is Yann Collet's, written after its specification. */
#include "trace/run_format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const uint8_t run_magic[8] = {0x89, 'G', 'M', 'P', '\r', '\n', 0x1a, '\n'};

/* ---- the checksum ---- */

#define P1 UINT64_C(0x9e3779b185ebca87)
#define P2 UINT64_C(0xc2b2ae3d27d4eb4f)
#define P3 UINT64_C(0x165667b19e3779f9)
#define P4 UINT64_C(0x85ebca77c2b2ae63)
#define P5 UINT64_C(0x27d4eb2f165667c5)

static inline uint64_t turn(uint64_t v, int bits)
{
    return v << bits | v >> (64 - bits);
}

static inline uint64_t mix(uint64_t acc, uint64_t word)
{
    return turn(acc + word * P2, 31) * P1;
}

uint64_t xxh64(const uint8_t *v, size_t n, uint64_t seed)
{
    const uint8_t *end = v + n;
    uint64_t h = seed + P5;
    if (n >= 32) {
        uint64_t a = seed + P1 + P2, b = seed + P2, c = seed, d = seed - P1;
        for (; end - v >= 32; v += 32) {
            a = mix(a, get64(v));
            b = mix(b, get64(v + 8));
            c = mix(c, get64(v + 16));
            d = mix(d, get64(v + 24));
        }
        const uint64_t lane[4] = {a, b, c, d};
        h = turn(a, 1) + turn(b, 7) + turn(c, 12) + turn(d, 18);
        for (int i = 0; i < 4; i++)
            h = (h ^ mix(0, lane[i])) * P1 + P4;
    }
    h += n;
    for (; end - v >= 8; v += 8)
        h = turn(h ^ mix(0, get64(v)), 27) * P1 + P4;
    if (end - v >= 4) {
        h = turn(h ^ get32(v) * P1, 23) * P2 + P3;
        v += 4;
    }
    for (; v < end; v++)
        h = turn(h ^ *v * P5, 11) * P1;
    h = (h ^ h >> 33) * P2;
    h = (h ^ h >> 29) * P3;
    return h ^ h >> 32;
}

/* ---- chunks ---- */

uint64_t chunk_checksum(uint32_t tag, const uint8_t *body, uint32_t len)
{
    return xxh64(body, len, (uint64_t)len << 32 | tag);
}

void chunk_put(uint8_t to[CHUNK_HEAD], uint32_t tag, const uint8_t *body, uint32_t len)
{
    put32(to, tag);
    put32(to + 4, len);
    put64(to + 8, chunk_checksum(tag, body, len));
}

struct chunk chunk_get(const uint8_t from[CHUNK_HEAD])
{
    return (struct chunk){get32(from), get32(from + 4), get64(from + 8)};
}

bool chunk_is_whole(const struct chunk *c, const uint8_t *body)
{
    return chunk_checksum(c->tag, body, c->len) == c->checksum;
}

void piece_put(uint8_t to[PIECE_HEAD], const struct piece *p)
{
    put64(to, p->first);
    put32(to + 8, p->before);
    put32(to + 12, p->n);
    put32(to + 16, p->packed);
    put32(to + 20, p->places);
}

bool piece_get(struct piece *p, const uint8_t *body, uint32_t len)
{
    if (len < PIECE_HEAD)
        return false;
    *p = (struct piece){get64(body), get32(body + 8), get32(body + 12), get32(body + 16), get32(body + 20)};
    return p->first > 0 && p->first <= UINT64_MAX / 2 && p->n <= RUN_SEGMENT_MOST && p->before <= RUN_SEGMENT_MOST - p->n &&
           (uint64_t)PIECE_HEAD + p->packed + p->places == len;
}

/* ---- lists ---- */

void run_head_fini(struct run_head *h)
{
    vec_free(&h->list);
    arena_fini(&h->memory);
}

bool run_head_put(struct run_head *h, const char *name, const char *text, size_t len)
{
    char *copy = len < SIZE_MAX ? arena_alloc(&h->memory, len + 1) : NULL;
    const char *named = arena_strndup(&h->memory, name, strlen(name));
    if (!copy || !named)
        return false;
    if (len)
        memcpy(copy, text, len);
    return vec_push(&h->list, ((struct run_text){named, copy, len}));
}

const struct run_text *run_head_get(const struct run_head *h, const char *name)
{
    for (size_t i = 0; i < h->list.n; i++)
        if (strcmp(h->list.v[i].name, name) == 0)
            return &h->list.v[i];
    return NULL;
}

size_t list_bytes(const struct run_head *h)
{
    size_t n = 0;
    for (size_t i = 0; i < h->list.n; i++)
        n += 8 + strlen(h->list.v[i].name) + h->list.v[i].len;
    return n;
}

static uint8_t *put_string(uint8_t *to, const char *text, size_t len)
{
    put32(to, (uint32_t)len);
    memcpy(to + 4, text, len);
    return to + 4 + len;
}

uint8_t *list_put(uint8_t *to, const struct run_head *h)
{
    for (size_t i = 0; i < h->list.n; i++) {
        to = put_string(to, h->list.v[i].name, strlen(h->list.v[i].name));
        to = put_string(to, h->list.v[i].text, h->list.v[i].len);
    }
    return to;
}

/* Returns where the string begins; NULL: it does not end within the bytes. */
static const uint8_t *take_string(const uint8_t **at, const uint8_t *end, size_t *len)
{
    const uint8_t *from = *at;
    if (end - from < 4 || (*len = get32(from)) > (size_t)(end - from - 4))
        return NULL;
    *at = from + 4 + *len;
    return from + 4;
}

bool list_get(struct run_head *h, const uint8_t *from, size_t n)
{
    enum { NAME_MOST = 100 };
    for (const uint8_t *end = from + n; from < end;) {
        char name[NAME_MOST + 1];
        size_t name_len, len = 0;
        const uint8_t *named = take_string(&from, end, &name_len), *text = named ? take_string(&from, end, &len) : NULL;
        if (!text || name_len > NAME_MOST || memchr(named, 0, name_len))
            return false;
        memcpy(name, named, name_len);
        name[name_len] = 0;
        if (!run_head_put(h, name, (const char *)text, len))
            return false;
    }
    return true;
}

/* ---- the table of events ---- */

bool put_event_table(struct run_head *h)
{
    static const char *const words[] = {"a", "b", "c", "d", "g", "p", "m", "cd", "late", "time"}; /* by enum ev_word */
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    if (!out)
        return false;
    for (int kind = 0; kind < EV_KINDS; kind++) {
        fputs(ev_desc[kind].name, out);
        for (const struct ev_field *f = ev_desc[kind].field; f < ev_desc[kind].field + EV_FIELDS && f->name; f++)
            fprintf(out, " %s:%d:%s:%d:%d:%x", f->name, (int)f->type, words[f->word], f->shift, f->bits,
                    f->only == IF_TOLD ? 0 : (unsigned)f->only); /* a recording without such an event is as it was before */
        fputc('\n', out);
    }
    for (int type = 0; type <= T_OUT; type++)
        for (int i = 0; i < ev_words((enum ev_ftype)type); i++)
            fprintf(out, "%d %s\n", type, ev_word((enum ev_ftype)type, i));
    bool kept = !ferror(out);
    kept &= fclose(out) == 0;
    kept = kept && run_head_put(h, "format.events", text, len);
    free(text);
    return kept;
}

/* ---- files ---- */

typedef ssize_t transfer(int fd, void *buf, size_t n, off_t at);

static ssize_t write_some(int fd, void *buf, size_t n, off_t at)
{
    return pwrite(fd, buf, n, at);
}

static int move_all(int fd, uint8_t *v, size_t n, uint64_t at, transfer *fn)
{
    for (size_t done = 0; done < n;) {
        ssize_t some = fn(fd, v + done, n - done, (off_t)(at + done));
        if (some < 0 && errno == EINTR)
            continue;
        if (some <= 0) /* a transfer of nothing would never end if it were repeated */
            return some < 0 ? errno : EIO;
        done += (size_t)some;
    }
    return 0;
}

int read_all_at(int fd, void *to, size_t n, uint64_t at)
{
    return move_all(fd, to, n, at, pread);
}

int write_all_at(int fd, const void *from, size_t n, uint64_t at)
{
    return move_all(fd, (void *)(uintptr_t)from, n, at, write_some);
}

bool read_segment(int fd, const struct run_written *done, uint8_t **buffer, size_t *cap)
{
    size_t to_events = 0, to_places = done->nevents + PACK_BEHIND, extent = to_places + done->nplaces, need = extent + done->bytes;
    if (need > *cap) {
        free(*buffer);
        *buffer = malloc(need);
        *cap = *buffer ? need : 0;
    }
    uint8_t *all = *buffer, *from = all + extent, *end = from + done->bytes;
    if (!all || read_all_at(fd, from, done->bytes, done->at) != 0)
        return false;
    for (struct piece p; from < end; from += p.packed + p.places) {
        struct chunk c = end - from < CHUNK_HEAD ? (struct chunk){0} : chunk_get(from);
        if (c.tag != TAG_EVENTS || c.len > end - from - CHUNK_HEAD || !chunk_is_whole(&c, from + CHUNK_HEAD) ||
            !piece_get(&p, from + CHUNK_HEAD, c.len))
            return false;
        from += CHUNK_HEAD + PIECE_HEAD;
        memcpy(all + to_events, from, p.packed);
        memcpy(all + to_places, from + p.packed, p.places);
        to_events += p.packed;
        to_places += p.places;
    }
    return to_events == done->nevents;
}
