/* Blocks of packed events, as a run file and the history's memory hold them. Readers unpack them.
 *
 * What an M does in one go is kept as the record that it is. Such records repeat themselves: they have the same kinds, and the numbers in
 * them grow by the same steps. So a record is compared with a guess, the last one of its form and one step more. If all is as guessed it
 * takes two to four bytes, however many events it has.
 */
#ifndef GMPSCOPE_TRACE_PACK_H
#define GMPSCOPE_TRACE_PACK_H

#include "eventlog/events.h"

enum {
    BLOCK = 4096,    /* events: the smaller, the fewer are unpacked to read one; the larger, the better the guesses */
    PACKED_MOST = 8, /* events that are packed as one; a longer record is packed in parts */
    FORMS = 64,      /* of records, about: a collision costs bytes, not correctness */
    EV_WORDS = 3     /* of 8 bytes, after the time */
};
#define NO_TEXT 0

struct word_guess {
    uint64_t last, step;
};

/* What comes before an event decides how it is packed. */
struct packer {
    int64_t time;
    uint32_t m;
    uint8_t n[FORMS];                              /* events of the last record of a form */
    struct word_guess single[1 << 7][2][EV_WORDS]; /* by kind, and even and odd Gs */
    struct word_guess record[FORMS][PACKED_MOST * EV_WORDS];
};

struct block {
    uint64_t first; /* number of its first event */
    uint32_t n;
    struct ev ev[BLOCK];
    uint32_t m[BLOCK];
    uint32_t text_at[BLOCK]; /* in `text`, from 1; NO_TEXT: none */
    uint16_t text_len[BLOCK];
    char *text;
    size_t text_bytes, cap_text;
    struct packer packer; /* after the last event */
    size_t read;          /* packed bytes of the n events, if the block is unpacked from memory */
};

/* The most bytes of a record without its text, with those that pack_record() may write after it. */
#define PACK_ROOM 256
/* Packs as many of n events as one record takes, from the first on; at least one. They have one M and one time. text (NULL: none) belongs to the
 * first event, which is then packed alone. Returns how many were packed, and moves *to. A packer begins with zeros in each block. */
uint32_t pack_record(struct packer *p, uint8_t **to, uint32_t m, const struct ev *e, uint32_t n, const char *text, size_t len);

#define PACK_BEHIND 512 /* unpack() may read up to this many bytes after the packed ones */
/* Unpacks events behind those that the block has, until it has at least n. A last record may have more, but a block never exceeds BLOCK.
 * at: the byte after the last record that the block has; end: the end of the packed bytes. Returns the byte after the last record that was
 * unpacked; NULL if memory ran out or the bytes are no records. Any bytes may be given. */
const uint8_t *unpack(struct block *b, const uint8_t *at, const uint8_t *end, uint32_t n);
void block_clear(struct block *b); /* to fill it with another one */
void block_fini(struct block *b);

#endif
