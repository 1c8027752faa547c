/* Choices: random outcomes of a lockstep run that were chosen instead of left to the seed.
 *
 * A *draw* is one random outcome with two alternatives or more. The draws of a run are numbered from 1 in the order in which
 * they happen, whatever their kind; since all that happens is a function of the seed and of the draws before, scenario, seed and
 * a list of choices (draw, kind, pick) name one run exactly. The kind is not needed for that; it makes the list readable, and
 * a list that belongs to another run is noticed.
 *
 * As text: items with commas between, ascending: DRAW KIND PICK ["x" COUNT], the count for the same pick in draws that follow each
 * other. "17m2,23s4x3": at draw 17 M2 goes next, at the draws 23, 24 and 25 steal order 4 is taken. Plain data, no locks. */
#ifndef GMPSCOPE_BASE_CHOICE_H
#define GMPSCOPE_BASE_CHOICE_H

#include "base/arena.h"
#include <stdbool.h>

enum decision_kind {
    DRAW_M,          /* who goes next; the pick is the M's number, not its place among those that can */
    DRAW_STEAL,      /* a thief's order: where it begins + P * which step of those coprime to P */
    DRAW_VICTIM,     /* go1.4: the P it looks at */
    DRAW_SELECT,     /* which of its cases, from 0, a select looks at first */
    DRAW_SHUFFLE,    /* scheduler.randomize */
    DRAW_KINDS
};
/* The letters of the text, and what a message calls it: "next M". */
extern const char decision_kind_letter[DRAW_KINDS];
extern const char *const decision_kind_name[DRAW_KINDS];

struct choice { uint64_t draw; uint32_t pick; enum decision_kind kind; };
struct choices { struct choice *v; size_t n, cap; };             /* draw ascending; {0}: none; vec_push, vec_free */

/* Appends to *out; "" is no choice. NULL, or what is wrong with the text, in `why`. */
const char *choices_parse(const char *text, struct choices *out, char *why, size_t size);
/* As text, malloc'd; NULL: out of memory. "" when there is none. */
char *choices_text(const struct choices *c);
bool choices_copy(const struct choices *from, struct choices *to);  /* behind what is there; false: out of memory, nothing is left */

#endif
