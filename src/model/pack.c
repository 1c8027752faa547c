/* How a block of events is packed.
 *
 * Each event is a head of three bytes, then its differences: of the time and of M and P to the event before, of the other words to the last
 * event of its kind in the block. Two bits of the head say how many bytes a difference takes. The texts follow after the last event.
 * Most differences are 0, and in each record of one kind (eventlog/records.def) the same ones, so the processor predicts the branches.
 *
 * Rejected: differences of differences (two bytes less for an event, but twice the state); a general compressor (ten times as slow).
 */
#include "model/pack.h"

#include "model/model_internal.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

/* The head: the kind, two bits for the time and for each of five words, and which of the other fields are there. */
enum { KIND_BITS = 7, HAS_M = 1 << 19, HAS_P = 1 << 20, HAS_SLOTS = 1 << 21, HAS_TEXT = 1 << 22, HEAD_BYTES = 3 };
enum { MOST_BYTES = HEAD_BYTES + 8 + 5 * 4 + 4 + 2 + 1 + 2 };
_Static_assert(EV_KINDS <= 1 << KIND_BITS, "a kind fits into the head");

bool block_add(struct block *b, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    uint32_t i = b->n;
    b->text_at[i] = text ? (uint32_t)b->text_bytes + 1 : NO_TEXT;
    b->text_len[i] = (uint16_t)len;
    if (b->text_bytes + len > b->cap_text) {
        size_t cap = (b->text_bytes + len) * 2;
        char *grown = realloc(b->text, cap);
        if (!grown)
            return false;
        b->text = grown;
        b->cap_text = cap;
    }
    if (len)
        memcpy(b->text + b->text_bytes, text, len);
    b->text_bytes += len;
    b->has_texts |= text != NULL;
    b->ev[i] = *e;
    b->m[i] = m;
    b->n++;
    return true;
}

void block_add_plain(struct block *b, uint32_t m, const struct ev *e, uint32_t n)
{
    memcpy(&b->ev[b->n], e, n * sizeof *e);
    for (uint32_t end = b->n + n; b->n < end; b->n++)
        b->m[b->n] = m;
}

void block_clear(struct block *b)
{
    if (b->has_texts)
        memset(b->text_at, 0, sizeof b->text_at);
    b->has_texts = false;
    b->n = 0;
    b->text_bytes = 0;
}

void block_fini(struct block *b)
{
    free(b->text);
}

/* ---- differences ---- */

/* Small differences of both signs become small numbers. */
static ALWAYS_INLINE uint32_t fold32(uint32_t d)
{
    return d << 1 ^ (0 - (d >> 31));
}

static ALWAYS_INLINE uint32_t unfold32(uint32_t z)
{
    return z >> 1 ^ (0 - (z & 1));
}

static ALWAYS_INLINE uint64_t fold64(uint64_t d)
{
    return d << 1 ^ (0 - (d >> 63));
}

static ALWAYS_INLINE uint64_t unfold64(uint64_t z)
{
    return z >> 1 ^ (0 - (z & 1));
}

/* The bytes of a word by its two bits: 0, 1, 2, 4; of the time 0, 2, 4, 8. */
static ALWAYS_INLINE uint32_t word_bytes(uint32_t code)
{
    return (1u << code) >> 1;
}

static ALWAYS_INLINE uint32_t time_bytes(uint32_t code)
{
    return (1u << code) & ~1u;
}

/* Writes word number i of an event, and its two bits into the head. Writes four bytes, of which the unused ones are overwritten. */
static ALWAYS_INLINE uint8_t *put_word(uint8_t *to, uint32_t *head, int i, uint32_t now, uint32_t last)
{
    if (now == last)
        return to;
    uint32_t z = fold32(now - last), code = z <= 0xff ? 1 : z <= 0xffff ? 2 : 3, le = htole32(z);
    memcpy(to, &le, sizeof le);
    *head |= code << (KIND_BITS + 2 * i);
    return to + word_bytes(code);
}

static ALWAYS_INLINE uint8_t *put_time(uint8_t *to, uint32_t *head, int64_t now, int64_t last)
{
    if (now == last)
        return to;
    uint64_t z = fold64((uint64_t)now - (uint64_t)last), le = htole64(z);
    uint32_t code = z <= 0xffff ? 1 : z <= 0xffffffff ? 2 : 3;
    memcpy(to, &le, sizeof le);
    *head |= code << KIND_BITS;
    return to + time_bytes(code);
}

static ALWAYS_INLINE const uint8_t *get_word(const uint8_t *from, uint32_t head, int i, uint32_t *word, uint32_t last)
{
    static const uint32_t mask[4] = {0, 0xff, 0xffff, UINT32_MAX};
    uint32_t code = head >> (KIND_BITS + 2 * i) & 3, le;
    *word = last;
    if (code == 0)
        return from;
    memcpy(&le, from, sizeof le);
    *word = last + unfold32(le32toh(le) & mask[code]);
    return from + word_bytes(code);
}

static ALWAYS_INLINE const uint8_t *get_time(const uint8_t *from, uint32_t head, int64_t *time, int64_t last)
{
    static const uint64_t mask[4] = {0, 0xffff, 0xffffffff, UINT64_MAX};
    uint32_t code = head >> KIND_BITS & 3;
    uint64_t le;
    *time = last;
    if (code == 0)
        return from;
    memcpy(&le, from, sizeof le);
    *time = (int64_t)((uint64_t)last + unfold64(le64toh(le) & mask[code]));
    return from + time_bytes(code);
}

/* ---- whole blocks ---- */

size_t pack_room(const struct block *b)
{
    return (size_t)b->n * MOST_BYTES + sizeof(uint64_t) + b->text_bytes;
}

/* The fields that few events have. */
static uint8_t *put_rest(uint8_t *to, uint32_t head, const struct block *b, uint32_t i)
{
    if (head & HAS_M) {
        uint32_t m = htole32(b->m[i]);
        memcpy(to, &m, sizeof m);
        to += sizeof m;
    }
    if (head & HAS_P) {
        uint16_t p = htole16(b->ev[i].p);
        memcpy(to, &p, sizeof p);
        to += sizeof p;
    }
    if (head & HAS_SLOTS)
        *to++ = b->ev[i].ncont;
    if (head & HAS_TEXT) {
        uint16_t len = htole16(b->text_len[i]);
        memcpy(to, &len, sizeof len);
        to += sizeof len;
    }
    return to;
}

/* What an event is compared with: the last of its kind. */
struct words {
    uint32_t g, a, b, c, d;
};

size_t pack(const struct block *b, uint8_t *to)
{
    struct words last[EV_KINDS] = {{0}};
    const struct ev none = {0}, *before = &none;
    uint32_t m = 0;
    uint8_t *begin = to;
    for (uint32_t i = 0; i < b->n; i++) {
        const struct ev *e = &b->ev[i];
        struct words *l = &last[e->kind];
        uint8_t *at = to;
        uint32_t head = e->kind | (b->m[i] != m ? HAS_M : 0u) | (e->p != before->p ? HAS_P : 0u) | (e->ncont ? HAS_SLOTS : 0u) |
                        (b->text_at[i] != NO_TEXT ? HAS_TEXT : 0u);
        to = put_time(to + HEAD_BYTES, &head, e->time, before->time);
        to = put_word(to, &head, 1, e->g, l->g);
        to = put_word(to, &head, 2, e->a, l->a);
        to = put_word(to, &head, 3, e->b, l->b);
        to = put_word(to, &head, 4, e->c, l->c);
        to = put_word(to, &head, 5, e->d, l->d);
        at[0] = (uint8_t)head;
        at[1] = (uint8_t)(head >> 8);
        at[2] = (uint8_t)(head >> 16);
        if (head >= HAS_M)
            to = put_rest(to, head, b, i);
        *l = (struct words){e->g, e->a, e->b, e->c, e->d};
        before = e;
        m = b->m[i];
    }
    if (b->text_bytes)
        memcpy(to, b->text, b->text_bytes);
    return (size_t)(to - begin) + b->text_bytes;
}

static const uint8_t *get_rest(const uint8_t *from, uint32_t head, struct block *b, uint32_t i)
{
    if (head & HAS_M) {
        uint32_t m;
        memcpy(&m, from, sizeof m);
        b->m[i] = le32toh(m);
        from += sizeof m;
    }
    if (head & HAS_P) {
        uint16_t p;
        memcpy(&p, from, sizeof p);
        b->ev[i].p = le16toh(p);
        from += sizeof p;
    }
    if (head & HAS_SLOTS)
        b->ev[i].ncont = *from++;
    if (head & HAS_TEXT) {
        uint16_t len;
        memcpy(&len, from, sizeof len);
        b->text_at[i] = (uint32_t)b->text_bytes + 1;
        b->text_len[i] = le16toh(len);
        b->text_bytes += b->text_len[i];
        from += sizeof len;
    }
    return from;
}

static bool unpack_texts(struct block *b, const uint8_t *from)
{
    if (b->text_bytes > b->cap_text) {
        free(b->text);
        b->text = malloc(b->text_bytes);
        b->cap_text = b->text ? b->text_bytes : 0;
    }
    if (b->text_bytes && b->text)
        memcpy(b->text, from, b->text_bytes);
    return b->text_bytes <= b->cap_text;
}

bool unpack(struct block *b, const uint8_t *from, uint32_t n)
{
    struct words last[1 << KIND_BITS] = {{0}};
    int64_t time = 0;
    uint32_t m = 0;
    uint16_t p = 0;
    b->n = n;
    b->text_bytes = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t head;
        memcpy(&head, from, sizeof head);
        head = le32toh(head) & ((1u << 8 * HEAD_BYTES) - 1);
        struct words *l = &last[head & ((1u << KIND_BITS) - 1)], w;
        from = get_time(from + HEAD_BYTES, head, &time, time);
        from = get_word(from, head, 1, &w.g, l->g);
        from = get_word(from, head, 2, &w.a, l->a);
        from = get_word(from, head, 3, &w.b, l->b);
        from = get_word(from, head, 4, &w.c, l->c);
        from = get_word(from, head, 5, &w.d, l->d);
        *l = w;
        b->ev[i] = (struct ev){
            .time = time, .kind = (uint8_t)(head & ((1u << KIND_BITS) - 1)), .p = p, .g = w.g, .a = w.a, .b = w.b, .c = w.c, .d = w.d};
        b->m[i] = m;
        b->text_at[i] = NO_TEXT;
        if (head >= HAS_M) {
            from = get_rest(from, head, b, i);
            m = b->m[i];
            p = b->ev[i].p;
        }
    }
    return unpack_texts(b, from);
}
