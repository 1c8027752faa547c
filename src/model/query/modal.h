/* May, must, never: a claim about all schedules of a program ("may: ends: deadlock", "never: when p0.runq > 3"). One run can only show a schedule
 * that decides the claim: one with X for may (it holds) and never (it does not), one that ends without X for must (it does not hold). */
#ifndef GMPSCOPE_MODEL_MODAL_H
#define GMPSCOPE_MODEL_MODAL_H

#include "model/query/matcher.h"

enum modal_word { MODAL_MAY, MODAL_MUST, MODAL_NEVER, MODAL_WORDS };
extern const char *const modal_word_name[MODAL_WORDS];

struct modal {
    enum modal_word word;
    struct pattern *pattern; /* X is an event or a condition; NULL: one of the next two */
    const char *prints;      /* X is this line of the program's output */
    int ends;                /* X is this end (ENDED_…); -1: it is one of the others */
};

/* Reads "may: X" into *m, in the arena. Returns: false, with *err (NULL: memory ran out) and *pos, its byte offset in s. */
bool modal_parse(struct arena *a, const char *s, struct modal *m, const char **err, size_t *pos);
/* Reads X alone; the word of *m stays. */
bool modal_parse_what(struct arena *a, const char *s, struct modal *m, const char **err, size_t *pos);

/* A claim that is followed through the events of one run. Zero, except for `of`: it has seen nothing. */
struct modal_watch {
    const struct modal *of;
    struct matcher match; /* its pattern is that of the claim */
    int64_t judged;       /* a condition is judged up to this time */
    size_t printed;       /* how much of the text the line that is being printed has */
    bool differs;         /* that line is another one */
    uint64_t at, last;    /* numbers of events: the first at which X came true, 0: none so far; the newest */
};
struct modal_watch modal_watch_of(const struct modal *m);
void modal_event(struct modal_watch *w, const struct merged_event *at);
void modal_passes(struct modal_watch *w, const struct model *md, int64_t time); /* X is a condition: before an event of this time */
/* Returns the event at which a finished run shows the schedule that decides the claim; 0: it does not show one. how: ENDED_… */
uint64_t modal_shown(const struct modal_watch *w, int how);
/* Has a finished run X? Does it refute the claim: an X that must never be, or none that must be? One run never refutes a may. */
bool modal_has(const struct modal_watch *w, int how);
bool modal_refuted(const struct modal_watch *w, int how);
/* Returns true if X cannot be told from this end: a limit cut the run before X could come. */
bool modal_is_open(const struct modal_watch *w, int how);

#endif
