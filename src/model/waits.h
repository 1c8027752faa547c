/* Who waits for whom: for each G that waits, at which line, what for, and which Gs could release it; the chains and circles of such waits; and which
 * Gs nothing can ever release. The only explanation of a wait: the screen (y), the report of a deadlock, explore and check all print what is here.
 *
 * What a G can still do is asked of the programs (flow.h). Where a place or an object is not known, less is said: a G counts as released
 * rather than stuck, and as able to act rather than not. */
#ifndef GMPSCOPE_MODEL_WAITS_H
#define GMPSCOPE_MODEL_WAITS_H

#include "model/flow.h"
#include "model/model.h"

struct waits;

/* What the memory of a Go program tells of a G (scenario_reach). Nothing can ever release it; the cases of its select that have a channel. */
enum { WAITS_CASES = 16 };
struct waits_case {
    uint32_t chan;
    bool send;
};
struct waits_reach {
    uint32_t g;
    bool stuck;
    uint32_t ncases;
    struct waits_case cases[WAITS_CASES];
};

struct waits_config {
    const struct model *md;          /* borrowed until waits_free() */
    const struct flow *flow;         /* borrowed, too; NULL: the programs are not known */
    const struct waits_reach *reach; /* `nreach` of them, by G; NULL: the programs have no memory that could be looked at */
    size_t nreach;
    bool objects;  /* md has the state of each channel, mutex … (the run recorded their events) */
    uint32_t most; /* Gs to look at; 0: all. With more there is no answer */
};

/* NULL: memory ran out, or there are too many Gs. */
struct waits *waits_new(const struct waits_config *c);
void waits_free(struct waits *w);

enum { WAITS_BY = 8 };
struct wait {
    uint32_t g, fn, line; /* line: of the scenario file; 0: not known */
    uint16_t reason;      /* FT_REASON */
    struct ev_object object;
    bool stuck;                 /* nothing can ever release it */
    bool timed;                 /* a timer will */
    bool held;                  /* by[0] holds what it waits for; the others hold it with it (readers); one of them may be the G itself */
    bool behind;                /* by[0] waits for this lock, too, to write: it is not held by it, but comes first */
    bool known;                 /* by, nby and later say all */
    bool sends, closes;         /* of a receive: some of them send, some close */
    bool later, finalizer;      /* a G that is still to be started, or a finalizer, can release it */
    uint32_t ticks;             /* the channel on which a timer sends; 0: none does */
    uint32_t by[WAITS_BY], nby; /* nby: how many Gs, of which by[] has the first */
};
/* Returns false if the G does not wait. */
bool waits_of(const struct waits *w, uint32_t g, struct wait *out);
/* Returns the next G after G g that waits and is user code; 0: none. */
uint32_t waits_next(const struct waits *w, uint32_t g);
/* The same of the Gs that main leaves behind: those that nothing can ever release, the others, or all. */
enum waits_which { WAITS_LEAKED = 1, WAITS_LEFT, WAITS_BOTH };
uint32_t waits_next_left(const struct waits *w, uint32_t g, enum waits_which which);

/* A chain of Gs, each of which waits for the next. It ends in a circle if there is one that it can reach. */
enum { CHAIN_MOST = 24 };
struct wait_chain {
    uint32_t g[CHAIN_MOST], n;
    uint32_t circle; /* where the circle begins; n: there is none */
};
void waits_chain(const struct waits *w, uint32_t g, struct wait_chain *out);
/* Finds a circle among all Gs; false: there is none. */
bool waits_circle(const struct waits *w, struct wait_chain *out);

/* How many user Gs nothing can ever release, and how many others have not ended. Main is in neither. */
struct waits_left {
    uint32_t leaked, left;
};
struct waits_left waits_left(const struct waits *w);

/* ---- text (waits_text.c) ---- */

/* G: "G2 (sync, line 14)". PROGRAM: "sync (line 14)", so that the same wait has the same text whatever number its G has. */
enum waits_names { NAMES_G, NAMES_PROGRAM };
/* Write without a full stop, cut to `size`: "G2 (sync, line 14) waits to read-lock rw, held by G4", or that the G does not wait; the same of each G of a chain's circle, with "; " between;
 * the line about a circle. Return buf. */
char *waits_say(const struct waits *w, uint32_t g, enum waits_names names, enum lang lang, char *buf, size_t size);
/* Writes where a G is: "G2 (sync, line 14)", or without the line; nothing if it is not known. */
char *waits_say_place(const struct waits *w, uint32_t g, enum waits_names names, enum lang lang, char *buf, size_t size);
char *waits_say_circle(const struct waits *w, const struct wait_chain *c, enum waits_names names, enum lang lang, char *buf, size_t size);
char *waits_say_names(const struct wait_chain *c, enum lang lang, char *buf, size_t size);
/* Why no G of a program can continue, or why Gs are leaked (`leaked`), in one line: the circle if there is one, else each wait once. Names programs. */
char *waits_kind(const struct waits *w, bool leaked, enum lang lang, char *buf, size_t size);
/* Prints which Gs wait, one a line, and the circle. */
void waits_print(const struct waits *w, enum lang lang, FILE *out);
/* Writes "leaked: …" or "left: …" of a G of waits_next_left(). Returns buf. */
char *waits_say_left(const struct waits *w, uint32_t g, enum lang lang, char *buf, size_t size);

#endif
