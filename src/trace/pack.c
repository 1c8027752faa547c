/* How records are packed.
 *
 * A record is a byte that names its form, a byte of flags, the time since the record before, and the words that are not as guessed. The form of
 * a single event is its kind, for even and for odd Gs. That of several events is made of their number, the first and the last kind, the M and the G, so that Gs that
 * take turns do not spoil each other's guesses. A word is two numbers of 32 bits. Where it is not as guessed, a byte says how many bytes the
 * two differences take. A text follows its event.
 *
 * Rejected: differences from event to event, which took 7 ns and 6 to 10 bytes an event; events as they are (32 bytes an event, for which the
 * kernel makes pages); a general compressor (ten times as slow).
 */
#include "trace/pack.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

/* The flags: two bits for the bytes of the time, then what else follows. */
enum { TIME_BITS = 2, HAS_M = 1 << 2, HAS_TEXT = 1 << 3, HAS_N = 1 << 4, ODD_SHIFT = 4, HAS_WORDS = 1 << 5, WORDS_SHIFT = 5 };
#define RECORDS (1 << 7) /* forms below this are single events */
_Static_assert((int)EV_KINDS <= RECORDS && FORMS <= 256 - RECORDS, "a form is a byte");
_Static_assert(2 + 8 + 4 + 1 + 3 + PACKED_MOST * EV_WORDS * 9 + 2 + 4 <= PACK_ROOM, "a record has room");
_Static_assert(2 + 8 + 4 + 1 + 3 + PACKED_MOST * EV_WORDS * 15 + 2 + 4 <= PACK_BEHIND, "a stranger's record is read within bounds");

/* ---- numbers ---- */

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

/* 0, 2, 4, 8. One byte would often be enough, but as often not, so that the processor could not predict it. */
static ALWAYS_INLINE uint32_t time_bytes(uint32_t code)
{
    return (1u << code) & ~1u;
}

/* Writes 8 bytes, of which the next number overwrites the unused ones. */
static ALWAYS_INLINE uint8_t *put_time(uint8_t *to, uint32_t *flags, int64_t now, int64_t last)
{
    uint64_t z = fold64((uint64_t)now - (uint64_t)last), le = htole64(z);
    uint32_t code = z == 0 ? 0 : z <= 0xffff ? 1 : z <= 0xffffffff ? 2 : 3;
    memcpy(to, &le, sizeof le);
    *flags |= code;
    return to + time_bytes(code);
}

static ALWAYS_INLINE const uint8_t *get_time(const uint8_t *from, uint32_t flags, int64_t *time)
{
    static const uint64_t mask[1 << TIME_BITS] = {0, 0xffff, 0xffffffff, UINT64_MAX};
    uint32_t code = flags & ((1u << TIME_BITS) - 1);
    uint64_t le;
    memcpy(&le, from, sizeof le);
    *time = (int64_t)((uint64_t)*time + unfold64(le64toh(le) & mask[code]));
    return from + time_bytes(code);
}

static ALWAYS_INLINE uint32_t bytes_of(uint32_t z)
{
    return z ? (39u - (uint32_t)__builtin_clz(z)) / 8 : 0;
}

/* Writes 4 bytes, of which the next number overwrites the unused ones. */
static ALWAYS_INLINE uint8_t *put_half(uint8_t *to, uint32_t z, uint32_t bytes)
{
    uint32_t le = htole32(z);
    memcpy(to, &le, sizeof le);
    return to + bytes;
}

static ALWAYS_INLINE const uint8_t *get_half(const uint8_t *from, uint32_t bytes, uint32_t *z)
{
    static const uint32_t mask[8] = {0, 0xff, 0xffff, 0xffffff, UINT32_MAX};
    uint32_t le;
    memcpy(&le, from, sizeof le);
    *z = le32toh(le) & mask[bytes];
    return from + bytes;
}

static uint8_t *put_word(uint8_t *to, uint64_t now, uint64_t guess)
{
    uint32_t low = fold32((uint32_t)now - (uint32_t)guess), high = fold32((uint32_t)(now >> 32) - (uint32_t)(guess >> 32));
    uint32_t of_low = bytes_of(low), of_high = bytes_of(high);
    *to++ = (uint8_t)(of_low | of_high << 4);
    return put_half(put_half(to, low, of_low), high, of_high);
}

static const uint8_t *get_word(const uint8_t *from, uint64_t *word, uint64_t guess)
{
    uint32_t bytes = *from++, low, high;
    from = get_half(get_half(from, bytes & 7, &low), bytes >> 4 & 7, &high);
    *word = (uint64_t)((uint32_t)(guess >> 32) + unfold32(high)) << 32 | (uint32_t)((uint32_t)guess + unfold32(low));
    return from;
}

/* ---- records ---- */

static ALWAYS_INLINE uint64_t load_word(const struct ev *e, uint32_t k)
{
    uint64_t word;
    memcpy(&word, (const char *)e + sizeof e->time + k * sizeof word, sizeof word);
    return word;
}

static ALWAYS_INLINE void store_word(struct ev *e, uint32_t k, uint64_t word)
{
    memcpy((char *)e + sizeof e->time + k * sizeof word, &word, sizeof word);
}

/* Writes the words that are not as guessed. Returns which ones, a bit for each. */
static ALWAYS_INLINE uint32_t put_words(struct word_guess *g, uint8_t **to, const struct ev *e, uint32_t n)
{
    uint32_t other = 0, bit = 1;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < EV_WORDS; k++, g++, bit <<= 1) {
            uint64_t now = load_word(&e[i], k), step = now - g->last;
            if (__builtin_expect(step != g->step, 0)) {
                other |= bit;
                *to = put_word(*to, now, g->last + g->step);
                g->step = step;
            }
            g->last = now;
        }
    return other;
}

static ALWAYS_INLINE const uint8_t *get_words(struct word_guess *g, const uint8_t *from, uint32_t other, struct ev *e, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < EV_WORDS; k++, g++, other >>= 1) {
            uint64_t now = g->last + g->step;
            if (__builtin_expect(other & 1, 0)) {
                from = get_word(from, &now, now);
                g->step = now - g->last;
            }
            g->last = now;
            store_word(&e[i], k, now);
        }
    return from;
}

static ALWAYS_INLINE uint32_t form_of(uint32_t m, const struct ev *e, uint32_t n)
{
    uint32_t x = e->kind | (uint32_t)e[n - 1].kind << 8 | n << 16 | (e->g & 3) << 20 | (m & 3) << 22;
    return x * 0x9e3779b1u >> 26;
}
_Static_assert(FORMS == 1 << (32 - 26), "form_of() has so many bits");

static ALWAYS_INLINE uint32_t word_bytes(uint32_t n)
{
    return (n * EV_WORDS + 7) / 8;
}

static uint8_t *put_m(uint8_t *to, uint32_t *flags, struct packer *p, uint32_t m)
{
    uint32_t le = htole32(m);
    memcpy(to, &le, sizeof le);
    *flags |= HAS_M;
    p->m = m;
    return to + sizeof le;
}

static uint8_t *put_text(uint8_t *to, uint32_t *flags, const char *text, size_t len)
{
    uint16_t le = htole16((uint16_t)len);
    memcpy(to, &le, sizeof le);
    *flags |= HAS_TEXT;
    if (len)
        memcpy(to + sizeof le, text, len);
    return to + sizeof le + len;
}

static uint8_t *pack_single(struct packer *p, uint8_t *to, uint32_t *flags, const struct ev *e)
{
    uint32_t odd = e->g & 1;
    *flags |= odd << ODD_SHIFT | put_words(p->single[e->kind][odd], &to, e, 1) << WORDS_SHIFT;
    return to;
}

uint32_t pack_record(struct packer *p, uint8_t **to, uint32_t m, const struct ev *e, uint32_t n, const char *text, size_t len)
{
    n = text ? 1 : n < PACKED_MOST ? n : PACKED_MOST;
    uint32_t form = n > 1 ? form_of(m, e, n) : e->kind, flags = 0;
    uint8_t *begin = *to, *at = put_time(begin + 2, &flags, e->time, p->time);
    p->time = e->time;
    if (m != p->m)
        at = put_m(at, &flags, p, m);
    if (n == 1)
        at = pack_single(p, at, &flags, e);
    if (n > 1 && p->n[form] != n) {
        flags |= HAS_N;
        *at++ = p->n[form] = (uint8_t)n;
    }
    if (n > 1) {
        uint8_t *words = at + word_bytes(n);
        uint32_t other = put_words(p->record[form], &words, e, n);
        for (uint32_t i = 0; other && i < word_bytes(n); i++)
            at[i] = (uint8_t)(other >> 8 * i);
        flags |= other ? HAS_WORDS : 0;
        at = other ? words : at;
    }
    begin[0] = (uint8_t)(n > 1 ? RECORDS | form : form);
    if (text)
        at = put_text(at, &flags, text, len);
    begin[1] = (uint8_t)flags;
    *to = at;
    return n;
}

/* ---- blocks ---- */

void block_clear(struct block *b)
{
    b->n = 0;
    b->text_bytes = b->read = 0;
    memset(&b->packer, 0, sizeof b->packer);
}

void block_fini(struct block *b)
{
    free(b->text);
}

/* Adds the text of event i. Returns its bytes, with its length; 0: memory ran out, or the text is too long. */
static size_t unpack_text(struct block *b, uint32_t i, const uint8_t *from, const uint8_t *end)
{
    uint16_t le;
    memcpy(&le, from, sizeof le);
    size_t len = le16toh(le);
    if (len > EV_TEXT_MAX || (size_t)(end - from) < sizeof le + len)
        return 0;
    if (b->text_bytes + len > b->cap_text) {
        size_t cap = (b->text_bytes + len) * 2;
        char *grown = realloc(b->text, cap);
        if (!grown)
            return 0;
        b->text = grown;
        b->cap_text = cap;
    }
    if (len)
        memcpy(b->text + b->text_bytes, from + sizeof le, len);
    b->text_at[i] = (uint32_t)b->text_bytes + 1;
    b->text_len[i] = (uint16_t)len;
    b->text_bytes += len;
    return sizeof le + len;
}

/* Returns the byte behind the record; NULL: memory ran out, or this is no record. The bytes may come from a stranger's file: a record without
 * its text is read within PACK_BEHIND bytes, and the text is checked against the end. */
static const uint8_t *unpack_record(struct block *b, const uint8_t *from, const uint8_t *end)
{
    struct packer *p = &b->packer;
    uint32_t form = from[0], flags = from[1], n = 1;
    struct ev *e = &b->ev[b->n];
    from = get_time(from + 2, flags, &p->time);
    if (flags & HAS_M) {
        uint32_t le;
        memcpy(&le, from, sizeof le);
        p->m = le32toh(le);
        from += sizeof le;
    }
    if (form < RECORDS) {
        if (b->n == BLOCK)
            return NULL;
        from = get_words(p->single[form][flags >> ODD_SHIFT & 1], from, flags >> WORDS_SHIFT, e, 1);
    } else {
        form -= RECORDS;
        if (form >= FORMS)
            return NULL;
        if (flags & HAS_N)
            p->n[form] = *from++;
        n = p->n[form];
        if (n < 2 || n > PACKED_MOST || n > BLOCK - b->n)
            return NULL;
        uint32_t other = 0;
        for (uint32_t i = 0; flags & HAS_WORDS && i < word_bytes(n); i++)
            other |= (uint32_t)*from++ << 8 * i;
        from = get_words(p->record[form], from, other, e, n);
    }
    bool known = true;
    for (uint32_t last = b->n + n; b->n < last; b->n++) {
        known &= b->ev[b->n].kind < EV_KINDS;
        b->ev[b->n].time = p->time;
        b->m[b->n] = p->m;
        b->text_at[b->n] = NO_TEXT;
    }
    if (!known || from > end)
        return NULL;
    size_t text = flags & HAS_TEXT ? unpack_text(b, b->n - 1, from, end) : 0;
    return flags & HAS_TEXT && !text ? NULL : from + text;
}

const uint8_t *unpack(struct block *b, const uint8_t *at, const uint8_t *end, uint32_t n)
{
    while (b->n < n)
        if (at >= end || !(at = unpack_record(b, at, end)))
            return NULL;
    return at;
}
