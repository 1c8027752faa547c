/* The answers of a lesson, from the log: what its queries give in this run, and which of its entries it never meets.
 *
 * In lockstep a question may be asked before its event, so the run is rehearsed: another run with the same seed and choices is made to its
 * end at full speed, and its log gives the values. A free run cannot be repeated; there a query follows the run itself, and has a value as
 * soon as its event has come. Where choices are made from values, a free run takes those of a lockstep run with the same seed. A run that
 * has departed from the rehearsed course, by a choice by hand or by going free, is read in the same way from there on.
 */
#ifndef GMPSCOPE_ENGINE_LESSON_ANSWERS_H
#define GMPSCOPE_ENGINE_LESSON_ANSWERS_H

#include "engine/breaks.h"
#include "engine/reader.h"
#include "scenario/scenario.h"

/* A query of the lesson, wherever it is written. */
struct asked {
    struct asked *next;
    const char *text;
    struct query *query, *rehearsing; /* one follows the run itself, the other one the rehearsal */
    const char *value;                /* rehearsed: its value, NULL: none */
    uint64_t taken;                   /* rehearsed: see struct answer, `taken` */
};
struct answer {
    const struct asked *asked; /* NULL: the scenario names the right choice, or the entry asks nothing */
    bool never;                /* rehearsed: the run does not meet this entry */
    int choice;                /* rehearsed: the right choice, -1: the value is no choice or there is none */
    const char *value;         /* rehearsed: the answer's value, NULL: none */
    bool late;                 /* rehearsed: its answer was in the log when it was asked */
    uint64_t met;              /* rehearsed: the event after which the entry is met; 0: it is not */
    uint64_t decided;          /* rehearsed: the event that decides the value; 0: none does */
    /* Rehearsed: the value is a G, or the M or P of a G, that an M already held before that event; this event gave it to the M. From then on the
     * picture shows the answer. 0: it is not so. */
    uint64_t taken;
    bool listed; /* the choices below are made from values; else they are the scenario's */
    uint32_t nchoices;
    struct text choice_text[LESSON_CHOICES], choice_because[LESSON_CHOICES];
};
struct answers {
    struct arena arena;
    const struct scenario *sc;
    struct answer *v; /* by entry */
    uint32_t n;
    struct asked *asked;
    uint64_t events;       /* rehearsed: how many events the run has */
    bool departed;         /* the run has left the course that was rehearsed, so nothing that was rehearsed holds for what is to come */
    bool rehearsed, lists; /* lists: at least one entry has choices that are made from values */
    bool cut;              /* rehearsed: the run was stopped at a limit, so what it has not shown may still come */
    bool lacks;            /* the last run could not be made for lack of memory, threads or descriptors */
};

/* Compiles the queries of the scenario's lesson; sc NULL: there is none. False: out of memory. */
bool answers_init(struct answers *a, const struct scenario *sc, const struct break_words *w);
void answers_fini(struct answers *a);
/* Takes the values that the rehearsal has now, and makes choices of them. False: out of memory. */
bool answers_keep(struct answers *a, const struct model *md, uint64_t seed);
/* Returns a reader that shows them the events of the run itself. */
struct reader answers_reader(struct answers *a);
/* Returns the right choice of an entry, from 0; -1: not known yet. md: the state now; over: as for answers_value(). */
int answers_choice(struct answers *a, uint32_t entry, const struct model *md, bool over);
/* Returns the value that the answer has for good, which may be no choice; NULL: not known yet, none, or the scenario names the choice. over: the
 * run has ended, so a count is final, too. */
const char *answers_value(struct answers *a, uint32_t entry, const struct model *md, bool over);
/* Returns the event that decides the answer; 0: not known (yet), or none does. */
uint64_t answers_decided(const struct answers *a, uint32_t entry, bool over);
/* Rehearsed: returns the event with which the answer is shown; 0: none. It is `taken` where that comes after the question. */
uint64_t answers_shown(const struct answers *a, uint32_t entry);
/* Reads an entry with the choices of this run. Its texts are still to be filled. */
void answers_entry(const struct answers *a, uint32_t entry, struct scenario_lesson *out);
/* Writes a text with the values in place of {QUERY}; "?": there is none (yet). */
void answers_fill(struct answers *a, const struct model *md, const char *text, char *buf, size_t size);
/* Rehearsed: does the fact hold? *value: what it is about, NULL: nothing in this run. */
bool answers_fact(const struct answers *a, const struct scenario_fact *fact, const char **value);
/* Returns true if all facts of the entry hold in the run itself, as far as it has come. */
bool answers_hold_now(const struct answers *a, uint32_t entry, const struct model *md);
/* Returns true if the run was rehearsed to its end and a fact of the entry does not hold in it: then the texts of the entry are false. */
bool answers_are_false(const struct answers *a, uint32_t entry);

#endif
