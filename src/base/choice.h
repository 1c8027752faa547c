/* Choices: outcomes of a lockstep run that a person chose, in place of those that the seed gives.
 *
 * A *decision* is a point of the run with at least two possible outcomes. The decisions of a run are numbered from 1 in the order in which
 * they happen, whatever their kind. A run is a function of its scenario, its seed and its list of choices (decision, kind, pick). The kind
 * is redundant: it makes the list readable and shows when a list belongs to another run.
 *
 * As text: items in ascending order, separated by commas: DECISION KIND PICK ["x" COUNT]. The count repeats the pick for consecutive
 * decisions. "17m2,23s4x3": at decision 17 M2 runs next; at decisions 23, 24 and 25 steal order 4 is used. "17t23": instead of going, M2
 * loses its CPU for the time of class 3, and another decision follows. Plain data, no locks. */
#ifndef GMPSCOPE_BASE_CHOICE_H
#define GMPSCOPE_BASE_CHOICE_H

#include "base/arena.h"
#include <stdbool.h>

enum decision_kind {
    DECIDE_M,       /* the M that runs next; the pick is the M's number, not its place among the ready Ms */
    DECIDE_STEAL,   /* a thief's order, start + P * i: P is the number of Ps, i the index of the step among those coprime to P */
    DECIDE_VICTIM,  /* go1.4: the P that a thief tries */
    DECIDE_SELECT,  /* the case, from 0, that a select tries first */
    DECIDE_SHUFFLE, /* scheduler.randomize */
    DECIDE_STALL,   /* at a decision about the next M: that M loses its CPU; the pick is 10 * M + class (stall_ns) */
    DECIDE_WAKE,    /* how late an M wakes up that was woken through its note: the class */
    DECIDE_DRAW,    /* a program's random number */
    DECIDE_ORDER,   /* the entry, from 0, with which a loop over a map begins */
    DECIDE_CALL,    /* how long a write of a Go program takes in a search: the class (choice_time_ns) */
    DECIDE_LATE,    /* how late an M wakes up that sleeps until a time, there: the class (choice_time_ns) */
    DECIDE_KINDS
};
/* The letter of each kind in the text, and its name in messages: "next M". */
extern const char decision_kind_letter[DECIDE_KINDS];
extern const char *const decision_kind_name[DECIDE_KINDS];

/* How long an M loses its CPU, or is late, by class: each crosses what a rule of the scheduler waits for. The pick of a stall has room for a
 * digit. Class 0: not at all. */
enum { STALL_CLASSES = 7, STALL_PICK = 10 };
extern const int64_t stall_ns[STALL_CLASSES];

/* How long a call takes, or a sleep is too long, by class: 0 ns, 250 ns, and then a fourth of an octave more for each class, up to 14 ms. */
enum { TIME_CLASSES = 65, TIME_OCTAVE = 4 };
int64_t choice_time_ns(uint32_t class);

struct choice {
    uint64_t decision; /* its number */
    uint32_t pick;
    enum decision_kind kind;
};
struct choices {
    struct choice *v;
    size_t n, cap;
}; /* in ascending order of decisions; {0}: none; vec_push, vec_free */

/* Returns the pick that a person chooses at a decision about the next M so that M id loses its CPU for a class above 0. */
static inline uint32_t choice_stall(uint32_t id, uint32_t class)
{
    return 1u << 31 | (id * STALL_PICK + class);
}

/* The next random outcome of a run that is stopped. number: 0 if only one M can continue. m: whose outcome it is; for DECIDE_M, the M that
 * continues if no choice is made. For DECIDE_M, seeds and pick are Ms. */
struct decision {
    uint64_t number;
    uint32_t m;
    enum decision_kind kind;
    uint32_t n, seeds, pick; /* number of alternatives; what the seed picks; what will happen if no choice is made */
};
/* A given choice that turned out to be impossible: the decision is of another kind, or has n other alternatives. The run stops there. */
struct refused_choice {
    struct choice given;
    enum decision_kind kind;
    uint32_t n;
};
/* How the next M makes its turn. */
enum turn {
    TURN_AS_DECIDED, /* the seed and given choices decide all outcomes */
    TURN_ASKED,      /* the same, but an outcome of that M also ends the turn */
    TURN_ALONE,      /* the same, and no other M moves in the meantime */
};

/* Appends the choices in s to *out; "" holds none. Returns NULL, or `why` with the mistake in the text. */
const char *choices_parse(const char *text, struct choices *out, char *why, size_t size);
/* Returns the list as malloc'd text, "" if it is empty, NULL if memory ran out. */
char *choices_text(const struct choices *c);
bool choices_copy(const struct choices *from, struct choices *to); /* appends; false: memory ran out and *to is empty */

#endif
