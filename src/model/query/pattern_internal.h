/* A compiled pattern: what pattern.c builds and pattern_eval.c reads. */
#ifndef GMPSCOPE_MODEL_PATTERN_INTERNAL_H
#define GMPSCOPE_MODEL_PATTERN_INTERNAL_H

#include "base/program_text.h"
#include "model/model_internal.h"
#include "model/query/pattern.h"

enum pat_op { OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE };

/* FIELD OP VALUE. For a glob, the same field name may be a different field, of a different type, in each event. */
struct pat_test {
    struct pat_test *next;
    enum pat_op op;
    const char *word; /* the value as written, unquoted */
    size_t word_len, pos;
    const struct pat_object *object; /* by kind, OBJ_KINDS of them: the objects that the word names. NULL: it is a number */
    const struct program_text *text; /* of a place, "main.go:12", and the line of the text: the test of an operation. NULL: no place */
    uint32_t line;
    bool place;
    struct {
        const struct ev_field *field;
        int64_t value;
    } of[EV_KINDS];
};

/* The object `id`; every > 0: each object whose number is `id` modulo `every` (model_objects.made). id 0: none. */
struct pat_object {
    uint32_t id, every;
};

typedef unsigned __int128 kindset; /* bits of enum ev_kind */

struct pat_event { /* EVENT tests… */
    struct pat_event *next;
    kindset kinds; /* the events that the name matches and that can pass all tests */
    struct pat_test *tests;
};
_Static_assert(EV_KINDS <= 128, "kinds fit into a set");

enum cond_kind { COND_TEST, COND_AND, COND_OR, COND_NOT };
struct pat_cond {
    enum cond_kind kind;
    struct pat_cond *left, *right; /* COND_NOT: left */
    struct gauge gauge;
    enum pat_op op;
    int64_t value;
};

struct pattern {
    struct pat_event *events; /* alternatives; NULL for `when` */
    struct pat_cond *when;
    uint64_t times;
};

/* True if values of this type can be greater or less: no texts, names or words. */
bool pattern_type_has_order(enum ev_ftype type);

#endif
