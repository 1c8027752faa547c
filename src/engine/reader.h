/* A reader follows a run event by event, on the thread that folds: the history, the claims, the answers of a lesson, the output, a query. The
 * engine has them all in one list and passes them the events up to the cut:
 *
 *   passes()   before an event that comes at this time
 *   event()    after an event, with the state after it
 *   record()   after what an M did in one go
 *   place()    after a G has reached an operation (model_place), which is no event
 *   note()     after a note about the order of accesses (ev_note), which is no event either. NOT_YET: another note comes first
 *   end()      once, at the cut
 *
 * A function that a reader does not have is NULL. Those that return false have run out of memory; that ends the run. What holds the fold
 * is not a reader: breakpoints (breaks.h) and lessons (lesson.h) are also tested on the thread of the M.
 */
#ifndef GMPSCOPE_ENGINE_READER_H
#define GMPSCOPE_ENGINE_READER_H

#include "model/history/history.h"
#include "model/query/query.h"
#include "model/report/report.h"

struct expect;

enum reads {
    READS_DETAILS = 1, /* detail events: a free run records them only if something needs them, and then every reader gets them */
    READS_EACH = 2,    /* each operation as an event of its own: otherwise a free run may record only what a screen shows of it */
    READS_STATES = 4,  /* the state between any two events. Otherwise event() may come after all events of a record were folded */
    READS_NOTES = 16,  /* what orders accesses of shared variables. Changes no event */
    READS_PLACES = 8,  /* where Gs are in their programs, as events (g_op). They change the numbers of all other events */
};

struct reader {
    unsigned needs;    /* enum reads */
    const bool *kinds; /* [EV_KINDS]: event() is called for events of these kinds only; NULL: for all that are recorded */
    void *ctx;         /* the reader's owner keeps it until the engine is freed */
    void (*passes)(void *ctx, const struct model *md, int64_t time);
    bool (*event)(void *ctx, const struct merged_event *at);
    /* For n events of one time, without texts, if `kinds` has the first of them; md is the state after all. NULL: event() is called for each. */
    bool (*record)(void *ctx, const struct model *md, uint32_t m, const struct ev *e, uint32_t n);
    bool (*takes)(void *ctx, uint32_t n); /* false: it needs a state between the next n events, so they are folded one by one */
    bool (*place)(void *ctx, uint32_t g, uint32_t op);
    enum offer (*note)(void *ctx, const struct merged_event *at); /* HOLD: memory has run out */
    bool (*end)(void *ctx, const struct model *md, int how);      /* the state at the cut; how: ENDED_… */
    const char *lack;                                             /* the message if memory runs out: "cannot keep the history" */
};

enum { READERS_MAX = 16 };

/* Readers made of what other modules have. */
struct reader history_reader(struct history *h);
struct reader claims_reader(struct expect *x); /* it also keeps what the program prints */
struct reader query_reader(struct query *q);   /* the caller asks for its value when the run is over */
unsigned query_needs(const struct query *q);
struct reader report_reader(struct report *r); /* as query_reader() */

/* The list. */
struct readers {
    struct reader v[READERS_MAX];
    uint32_t n;
    /* Bit i: v[i] gets events of this kind; it has passes(); it has takes(); it has record(); it sees the events of a record one by one. */
    uint32_t of_kind[EV_KINDS], passing, taking, recording, single;
};

/* Returns true if an event of this kind is never part of a record (eventlog/records.def). */
static inline bool comes_alone(int kind)
{
    return kind == EV_PRINT || kind == EV_FATAL || kind == EV_PROGRAM_END || kind == EV_G_OP;
}

/* False: there are too many. */
bool readers_add(struct readers *r, struct reader of);
void readers_remove(struct readers *r, const void *ctx);
/* Returns what the readers need together. */
unsigned readers_need(const struct readers *r);
void readers_pass(struct readers *r, const struct model *md, int64_t time);
bool readers_take(const struct readers *r, uint32_t n);
/* Each returns NULL, or what a reader cannot do because memory ran out. */
const char *readers_event(struct readers *r, const struct merged_event *at);
const char *readers_record(struct readers *r, const struct model *md, uint64_t number, uint32_t m, const struct ev *e, uint32_t n);
const char *readers_place(struct readers *r, uint32_t g, uint32_t op);
enum offer readers_note(struct readers *r, const struct merged_event *at, const char **lack);
const char *readers_end(struct readers *r, const struct model *md, int how);

#endif
