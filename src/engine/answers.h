/* The answers of a lesson, from the log: what its queries give in this run, and which of its entries it never meets.
 *
 * In lockstep a question may be asked before its event, so the run is rehearsed: another run with the same seed and choices is made to its
 * end at full speed, and its log gives the answers. A free run cannot be repeated; there a query follows the run itself, and has a value as
 * soon as its event has come.
 */
#ifndef GMPSCOPE_ENGINE_ANSWERS_H
#define GMPSCOPE_ENGINE_ANSWERS_H

#include "engine/breaks.h"
#include "model/query.h"
#include "scenario/scenario.h"

struct engine_config;

struct answer {
    struct query *query; /* NULL: the scenario names the right choice */
    bool never;          /* rehearsed: the run does not meet this entry */
    int choice;          /* rehearsed: the right choice, -1: the value is no choice or there is none */
    const char *value;   /* rehearsed: the query's value, NULL: none */
    uint64_t met;        /* rehearsed: the event after which the entry is met; 0: it is not */
    uint64_t decided;    /* rehearsed: the event that decides the query's value; 0: none does */
};
struct answers {
    struct arena arena;
    const struct scenario *sc;
    struct answer *v; /* by entry */
    uint32_t n;
    uint64_t events;         /* rehearsed: how many events the run has */
    bool rehearsed, queries; /* queries: at least one entry has one */
};

/* Compiles the queries of the scenario's lesson. False: out of memory. */
bool answers_init(struct answers *a, const struct scenario *sc, const struct break_words *w);
void answers_fini(struct answers *a);
/* Runs cfg to its end and fills in what it gives. False, with a message in err: the run could not be made. */
bool answers_rehearse(struct answers *a, const struct engine_config *cfg, char *err, size_t size);
/* Show them the events of a free run. */
void answers_passes(struct answers *a, const struct model *md, int64_t time);
void answers_event(struct answers *a, const struct merged_event *at);
/* Returns the right choice of an entry, from 0; -1: not known yet. md: the state now. */
int answers_choice(struct answers *a, uint32_t entry, const struct model *md);

#endif
