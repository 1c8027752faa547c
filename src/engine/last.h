/* A reader that keeps the last events: for the dump of a failure in a run without a history, and for pictures. */
#ifndef GMPSCOPE_ENGINE_LAST_H
#define GMPSCOPE_ENGINE_LAST_H

#include "engine/reader.h"

#define LAST_EVENTS 64u /* a power of two */

struct last_events {
    uint64_t n; /* events so far */
    struct last_event {
        struct ev ev;
        uint32_t m, len;
    } v[LAST_EVENTS];           /* a ring by number - 1 */
    char text[LAST_EVENTS][64]; /* the beginnings of their texts; apart, because few events have one */
};

struct reader last_reader(struct last_events *l);
/* Caller: this is one of the last events. */
struct history_event last_get(const struct last_events *l, uint64_t number);

#endif
