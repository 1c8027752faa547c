/* What reports remember of each G that was seen: a table by its number, in pages. */
#ifndef GMPSCOPE_MODEL_REPORT_TRACKS_H
#define GMPSCOPE_MODEL_REPORT_TRACKS_H

#include "eventlog/events.h"

struct path_node;
struct track {
    uint8_t status;         /* enum g_status; G_IDLE: nothing is known of it yet */
    uint32_t fn;            /* EV_NONE: not known */
    int64_t since;          /* of the status */
    struct path_node *node; /* report_path.c: the stretch that lasts; NULL: it has none */
};
struct tracks {
    struct track **page; /* NULL: no G of the page was seen */
    uint32_t n;
};
/* Returns the track of the G for writing, NULL if memory ran out or if no G can have the number. */
struct track *track_of(struct tracks *t, uint32_t g);
/* Returns the track, NULL if the G was not seen. */
struct track *track_find(const struct tracks *t, uint32_t g);
/* Calls `end` for each track, and frees them. */
void tracks_fini(struct tracks *t, void (*end)(void *ctx, struct track *of), void *ctx);
/* Returns the status of the record's G after an event that changes it; -1: the event changes none. */
int track_status_after(const struct ev *e);

#endif
