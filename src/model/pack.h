/* Blocks of events, as the history keeps them: packed in memory and in the file, unpacked while a reader needs them.
 *
 * Events repeat themselves: what an M does in one go has one time, one M and one P, and a sequence number is a little larger than the last
 * of its kind. So a packed event is a head that says what differs, and the differences. It takes 6 to 10 bytes instead of 36.
 */
#ifndef GMPSCOPE_MODEL_PACK_H
#define GMPSCOPE_MODEL_PACK_H

#include "eventlog/events.h"

enum { BLOCK = 512 }; /* events: the smaller, the fewer are unpacked to read one; the larger, the fewer bytes they take */
#define NO_TEXT 0

struct block {
    uint64_t first; /* number of its first event */
    uint32_t n;
    struct ev ev[BLOCK];
    uint32_t m[BLOCK];
    uint32_t text_at[BLOCK]; /* in `text`, from 1; NO_TEXT: none, also behind the last event of a block that is filled */
    uint16_t text_len[BLOCK];
    char *text;
    size_t text_bytes, cap_text;
    bool has_texts; /* block_add() has added one */
};

/* Adds an event and its text (NULL: it has none). Caller: the block is not full. Returns false if memory ran out. */
bool block_add(struct block *b, uint32_t m, const struct ev *e, const char *text, size_t len);
/* Adds n events of one M, which have no texts. Caller: the block has room for them. */
void block_add_plain(struct block *b, uint32_t m, const struct ev *e, uint32_t n);
void block_clear(struct block *b); /* to fill it again */
void block_fini(struct block *b);

/* Returns the most bytes that the block can take when it is packed. */
size_t pack_room(const struct block *b);
/* Returns the number of packed bytes. */
size_t pack(const struct block *b, uint8_t *to);
#define PACK_BEHIND 8 /* unpack() may read up to this many bytes after the packed ones */
/* Fills the block except `first`. Caller: pack() made the bytes from n events. Returns false if memory ran out. */
bool unpack(struct block *b, const uint8_t *from, uint32_t n);

#endif
