/* Reports: answers of several lines about a run up to a state. The same rows are on the screen (`:wait g4`) and on the command line
 * (`gmpscope query RUN 'g4 wait'`). A report follows the events of a run as a query does, from the first one, and can be read at any time.
 *
 *   gN wait             how long the G ran, was blocked and was runnable, split by cause
 *   metrics, or a name  figures under the names of Go's runtime/metrics, such as /sched/latencies:seconds
 *   [gN] path [#EVENT]  the critical path to the end of the G (of main), or to its state after the event
 *
 * What the source of the events does not say is counted as unknown. It never becomes 0, and it is never left out: the parts of a report add up to the
 * whole. Not thread-safe.
 */
#ifndef GMPSCOPE_MODEL_REPORT_H
#define GMPSCOPE_MODEL_REPORT_H

#include "model/query/matcher.h"

struct report;
enum report_kind { REPORT_WAIT, REPORT_PATH, REPORT_METRICS, REPORT_KINDS };
struct report_asked {
    enum report_kind kind;
    uint32_t g;     /* path: 0, main, or the G of the event */
    uint64_t event; /* path: up to this event; 0: to the end */
    int metric;     /* metrics: which one; -1: all */
};

enum report_parsed { REPORT_NONE, REPORT_GOOD, REPORT_WRONG }; /* NONE: the text asks for no report, so it may be a query */
enum report_parsed report_parse(const char *text, struct report_asked *out, const char **err, size_t *pos);

struct report *report_new(const struct report_asked *asked); /* NULL: memory ran out */
void report_free(struct report *r);
bool report_asks_for_states(const struct report *r); /* it needs the state between any two events, as query_asks_for_states() */
/* Shows it the next event; at->md: the state after it. */
void report_event(struct report *r, const struct merged_event *at);
bool report_lacks(const struct report *r);    /* memory ran out: it has no rows */
bool report_is_empty(const struct report *r); /* nothing in the run so far is what it asks about */

enum { REPORT_TEXT = 200 };
struct report_row {
    uint64_t event; /* where to look: of the longest one; 0: none */
    int64_t ns;     /* -1: the row has no time */
    int64_t of;     /* the time of which `ns` is a part; 0: it is no part */
    uint8_t depth;  /* 0: a heading or a sum */
    char text[REPORT_TEXT];
};
struct report_rows {
    VEC(struct report_row) row;
    bool lacks; /* memory ran out */
};
/* Writes the rows up to the state md, which follows the last event. Returns false if memory ran out. The caller frees them with vec_free(). */
bool report_rows(struct report *r, const struct model *md, enum lang lang, struct report_rows *out);
/* Writes a row as the screen and the command line show it: the time, its share, the text. Returns buf. */
enum { REPORT_LINE = REPORT_TEXT + 64 };
char *report_line(const struct report_row *row, char buf[REPORT_LINE]);
/* Writes the same as one JSON object. All times are in ns. Returns false if memory ran out. */
bool report_json(struct report *r, const struct model *md, FILE *out);

#endif
