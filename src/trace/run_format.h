/* What the writer and the reader of run files share: the format of run_file.h as code. */
#ifndef GMPSCOPE_TRACE_RUN_FORMAT_H
#define GMPSCOPE_TRACE_RUN_FORMAT_H

#include "trace/run_file.h"
#include "trace/segment.h"

#include <endian.h>
#include <string.h>

#define RUN_TAG(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define TAG_HEAD RUN_TAG('H', 'E', 'A', 'D')
#define TAG_EVENTS RUN_TAG('E', 'V', 'T', 'S')
#define TAG_TAIL RUN_TAG('T', 'A', 'I', 'L')
#define TAG_DONE RUN_TAG('D', 'O', 'N', 'E')

enum {
    RUN_SIGNATURE = 16,       /* bytes before the first chunk */
    CHUNK_HEAD = 16,          /* bytes before a body */
    PIECE_HEAD = 24,          /* bytes in the body before the packed events */
    TAIL_HEAD = 16,           /* bytes in the body before the index */
    TAIL_ENTRY = 16,          /* bytes of a segment in the index */
    CHUNK_MOST = 32 << 20,    /* bytes of a body */
    RUN_SEGMENT_MOST = 65536, /* as the reader takes them */
};
#define RUN_TIME_MOST (INT64_MAX / 2) /* so that the difference of two times has 64 bits */

struct chunk {
    uint32_t tag, len;
    uint64_t checksum;
};
struct piece {
    uint64_t first;
    uint32_t before, n, packed, places;
};
struct run_index {
    uint64_t at, first; /* where its first chunk begins; its first event */
};

static inline void put32(uint8_t *to, uint32_t v)
{
    uint32_t le = htole32(v);
    memcpy(to, &le, sizeof le);
}

static inline void put64(uint8_t *to, uint64_t v)
{
    uint64_t le = htole64(v);
    memcpy(to, &le, sizeof le);
}

static inline uint32_t get32(const uint8_t *from)
{
    uint32_t le;
    memcpy(&le, from, sizeof le);
    return le32toh(le);
}

static inline uint64_t get64(const uint8_t *from)
{
    uint64_t le;
    memcpy(&le, from, sizeof le);
    return le64toh(le);
}

uint64_t xxh64(const uint8_t *v, size_t n, uint64_t seed);
uint64_t chunk_checksum(uint32_t tag, const uint8_t *body, uint32_t len);
void chunk_put(uint8_t to[CHUNK_HEAD], uint32_t tag, const uint8_t *body, uint32_t len);
struct chunk chunk_get(const uint8_t from[CHUNK_HEAD]);
bool chunk_is_whole(const struct chunk *c, const uint8_t *body);
void piece_put(uint8_t to[PIECE_HEAD], const struct piece *p);
/* Returns false if the body of a TAG_EVENTS chunk is not what it says. */
bool piece_get(struct piece *p, const uint8_t *body, uint32_t len);

size_t list_bytes(const struct run_head *h);
uint8_t *list_put(uint8_t *to, const struct run_head *h);
/* Reads a list that takes all of the bytes. Returns false if it is none or memory ran out. */
bool list_get(struct run_head *h, const uint8_t *from, size_t n);

/* Adds the table of events, as text. Returns false if memory ran out. */
bool put_event_table(struct run_head *h);

/* Reads or writes all of n bytes at a place of the file. Returns 0 or an errno; reading beyond the end is EIO. */
int read_all_at(int fd, void *to, size_t n, uint64_t at);
int write_all_at(int fd, const void *from, size_t n, uint64_t at);
/* Reads a segment: see run_writer_read(). */
bool read_segment(int fd, const struct run_written *done, uint8_t **buffer, size_t *cap);

#endif
