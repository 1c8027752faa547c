/* Queries: values computed from the events of one run, such as "value(steal n>=2 .n)" or "time(g_end g=2) - time(g_start g=2)". Lessons,
 * tallies and `gmpscope query` ask with them.
 *
 *   query  = product { "+" product | "-" product }
 *   product = term { "*" term | "/" term | "%" term }
 *   term   = "(" query ")" | min(query, query) | max(query, query) | NUMBER | GAUGE "at" PATTERN | count(PATTERN) | value(PATTERN .FIELD) | max(PATTERN .FIELD) |
 *            next(PATTERN after PATTERN .FIELD) | order(PATTERN .FIELD) | time(PATTERN) | counter(NAME) | output
 *
 * A PATTERN is one of pattern.h. A query follows one run: compile it, bind it, show it each event, then read its value.
 */
#ifndef GMPSCOPE_MODEL_QUERY_H
#define GMPSCOPE_MODEL_QUERY_H

#include "model/query/matcher.h"

struct query;

/* Returns a query in the arena, or NULL for a mistake: *err is the message, *pos its byte offset in s. */
struct query *query_compile(struct arena *a, const char *s, const char **err, size_t *pos);
/* Looks up the names of programs, as pattern_bind(). */
bool query_bind(struct query *q, struct arena *a, const struct model_names *names, const char **err, size_t *pos);
/* True if something in it refers to a P; *pos: approximately where in its text. */
bool query_asks_for_p(const struct query *q, size_t *pos);
/* Returns true if it asks about states (a gauge, a condition), not only about events. If not, it needs no query_passes(), and query_event() reads the
 * event only. */
bool query_asks_for_states(const struct query *q);
/* Returns true if its value may depend on the order of events that do not depend on each other (base/course.h), or on the state between them. */
bool query_sees_order(const struct query *q);
/* True if it counts or reads detail events. */
bool query_asks_for_details(const struct query *q);
/* Returns true if it asks for places (g_op) by name. */
bool query_asks_for_places(const struct query *q);
/* Shows it the next event. Call query_passes() before, with the event's time: a condition may become true by time alone. */
void query_passes(struct query *q, const struct model *md, int64_t time);
void query_event(struct query *q, const struct merged_event *at);
bool query_lacks(const struct query *q);                    /* true if memory ran out for a value: there will be none */
enum query_result { QUERY_VALUE, QUERY_NONE, QUERY_LACKS }; /* none: what it asks about did not happen; lacks: out of memory */
/* Returns the value so far. md: the state after the last event. *text is in the query until the next call. */
enum query_result query_value(struct query *q, const struct model *md, const char **text);
/* Returns true if a part of its value is derived (model_replay), so it must not be told as a fact. */
bool query_is_derived(const struct query *q);
/* Returns true if its value is final: the events that it looks for have come. A count, a maximum or a list is never final. */
bool query_is_final(const struct query *q);
/* The number of the event that changed the value last, so far; 0: no event did. */
uint64_t query_decided(const struct query *q);
/* Returns true if its value is the G, M or P that an event of this kind names, not a number. */
bool query_names_actor(const struct query *q, int kind);
/* Begins with another run. */
void query_reset(struct query *q);
/* Frees what it gathered; the query itself is in the arena. */
void query_fini(struct query *q);

#endif
