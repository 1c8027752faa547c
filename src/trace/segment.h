/* A segment that is being filled: packed events, and the places that Gs reached between them (model_place).
 *
 * A place belongs to the event that follows it, so that the state after an event is the one in which a stop at that event left the run. It takes
 * some 4 bytes: three numbers of 7 bits a byte, the lowest bits first, the highest bit set if more follow. They are: how many events
 * of the segment follow the previous place (the first one: the segment's start), the G, the operation.
 *
 * A G that computes for long reaches many places between two events. Only the last one of each G matters, so the others are removed again, unless they
 * are in a file already.
 */
#ifndef GMPSCOPE_TRACE_SEGMENT_H
#define GMPSCOPE_TRACE_SEGMENT_H

#include "trace/pack.h"

enum { PLACE_ROOM = 3 * 5 }; /* the most bytes of a place */

struct open_segment {
    uint32_t n; /* events */
    struct bytes {
        uint8_t *v;
        size_t n, cap;
    } events, places;
    uint32_t last_place; /* how many events precede the last place */
    size_t kept;         /* of places: bytes that stay as they are, because a file has them. Set by the caller */
    size_t since, thin;  /* of places: where those after the last event begin; with so many bytes they are thinned out */
    struct packer packer;
};

void segment_clear(struct open_segment *s); /* to fill it with another one; keeps the memory */
void segment_fini(struct open_segment *s);
/* Packs n events of one M and one time. text: of the only one; NULL: none. Caller: they do not cross the end of a block. Returns false if
 * memory ran out. */
bool segment_add(struct open_segment *s, uint32_t m, const struct ev *e, uint32_t n, const char *text, size_t len);
bool segment_place(struct open_segment *s, uint32_t g, uint32_t op);

/* The places of a segment, read in order. Any bytes may be given. */
struct place {
    uint32_t n; /* events that precede it in the segment */
    uint32_t g, op;
};
/* Reads the next place into *p, which holds the last one (zeros: none). Returns the byte after it, NULL if it is none. Caller: at < end. */
const uint8_t *place_next(const uint8_t *at, const uint8_t *end, struct place *p);

#endif
