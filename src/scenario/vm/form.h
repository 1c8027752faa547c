/* The program form: what a Go program is compiled to (gofront/), loaded and checked. Immutable after form_load(); threads may share it.
 *
 * Memory of a program is cells of 64 bits, addressed by number; the bytes of strings are in a space of their own. So nothing in a program can name
 * memory of ours. form_load() checks each operand against the frame, and the interpreter each address and length that it finds in memory. */
#ifndef GMPSCOPE_SCENARIO_VM_FORM_H
#define GMPSCOPE_SCENARIO_VM_FORM_H

#include "base/arena.h"

enum form_op {
#define FORM_OP(name, operands) FO_##name,
#include "scenario/vm/ops.def"
#undef FORM_OP
    FORM_OPS
};

/* Kinds of numbers, for arithmetic and conversions; then bool, string, and what is only compared. */
enum form_kind { FK_B, FK_I8, FK_I16, FK_I32, FK_I64, FK_U8, FK_U16, FK_U32, FK_U64, FK_F32, FK_F64, FK_S, FK_P, FORM_KINDS };

enum { MAP_ITERATOR = 4 }; /* cells of a loop over a map: the map, the round, the next entry, the first */

struct form_ins {
    int64_t a, b, c, d, e;
    uint32_t line;
    uint16_t col, op;
    uint32_t name; /* of the variable in memory that it uses, a string; 0: no other G can know that memory */
};

struct form_string {
    const char *s; /* ended by a NUL, but may have others */
    uint32_t len;
};

#define FORM_TYPE_KINDS_X(X) \
    X(BOOL, "bool") \
    X(INT, "int") \
    X(INT8, "int8") \
    X(INT16, "int16") \
    X(INT32, "int32") \
    X(INT64, "int64") \
    X(UINT, "uint") \
    X(UINT8, "uint8") \
    X(UINT16, "uint16") \
    X(UINT32, "uint32") \
    X(UINT64, "uint64") \
    X(UINTPTR, "uintptr") \
    X(FLOAT32, "float32") \
    X(FLOAT64, "float64") \
    X(STRING, "string") \
    X(NIL, "nil") \
    X(POINTER, "pointer") \
    X(SLICE, "slice") \
    X(CHAN, "chan") \
    X(ARRAY, "array") \
    X(MAP, "map") \
    X(STRUCT, "struct") \
    X(INTERFACE, "interface") \
    X(FUNC, "func")
enum form_type_kind {
#define X(id, name) TY_##id,
    FORM_TYPE_KINDS_X(X)
#undef X
        FORM_TYPE_KINDS
};

struct form_field {
    const char *name;
    uint32_t type, offset;
    bool exported;
};
struct form_method {
    const char *name; /* with its signature, which is part of what an interface asks for: "Unwrap()(error)" */
    uint32_t fn;      /* its receiver is the data of an interface */
};
struct form_type {
    enum form_type_kind kind;
    uint32_t cells;
    uint64_t size; /* in Go: twice its bytes, and 1 if it has pointers */
    const char *name;
    uint32_t elem, key; /* of pointer, slice, chan, array, map */
    uint32_t length;    /* of an array */
    VEC(struct form_field) field;
    VEC(const char *) want; /* the methods of an interface */
    VEC(struct form_method) method;
};

/* A variable, from the instruction `first` to the instruction `last`: for people. A running program does not need it. */
#define FORM_PLACES_X(X) \
    X(FRAME, "frame")   /* its cells are at the cell `at` of the frame */ \
    X(BOX, "box")       /* the cell `at` has the address of its memory */ \
    X(COPY, "copy")     /* a closure's copy of its value, at the cell `at` of the closure */ \
    X(SHARED, "shared") /* the cell `at` of the closure has the address of its memory */
enum form_place {
#define X(id, name) PLACE_##id,
    FORM_PLACES_X(X)
#undef X
        FORM_PLACES
};
struct form_local {
    const char *name;
    enum form_place place;
    uint32_t type, at, first, last;
};

struct form_fn {
    const char *name;
    uint32_t nres, nparam, frame, file, line; /* cells of results, params, the whole frame; where it is written */
    int32_t ctx;                              /* the cell of the closure; -1: none */
    uint32_t end;                             /* where it returns after a recovered panic; 0: nowhere, it defers nothing */
    uint32_t first;                           /* the number of its first instruction among all */
    VEC(struct form_ins) code;
    VEC(struct form_local) local;
};

struct form_global {
    uint32_t cells, at; /* at: its address */
    const char *name;
};

/* What people call objects that a program makes (labels.c). of: by string, its place in `name`; 0: none, which has the name "". */
enum form_label_kind { LABEL_CHAN, LABEL_LOCK, LABELS };
struct form_labels {
    const char **name;
    uint32_t n, *of;
};

/* What the runtime panics with: a bound that is wrong; another "runtime error: "; one without these words; a failed type assertion. */
enum form_error { ERROR_BOUNDS, ERROR_STRING, ERROR_PLAIN, ERROR_ASSERTION, FORM_ERRORS };

struct form {
    struct arena a;
    VEC(const char *) file, text; /* text: of each file of the program itself; NULL: a file of the library */
    VEC(struct form_string) string;
    VEC(struct form_type) type;
    VEC(struct form_global) global;
    VEC(struct form_fn) fn;
    uint32_t language;        /* 22: of go 1.22; of none, the greatest number */
    bool old_floats;          /* of a Go before 1.26: print writes +1.500000e+000 */
    VEC(const char *) import; /* packages that the program itself imports */
    struct form_labels label[LABELS];
    int64_t *cooked;    /* the table of math/rand; NULL: the program has no source with a seed */
    VEC(uint32_t) init; /* functions to run before main, in this order */
    uint32_t main, globals;
    uint32_t error[FORM_ERRORS]; /* the types of what the runtime panics with */
};

extern const char *const form_op_name[FORM_OPS];

/* Returns NULL with a message if the text is not a form, or memory is lacking. */
struct form *form_load(const char *text, size_t len, char *err, size_t size);
void form_free(struct form *f);

void form_cook(struct form *f); /* random.c: makes that table, if it is needed */

/* form_check.c. Returns NULL if every operand, type and function is sound, else what is wrong, in f's arena. */
const char *form_check(struct form *f);

/* labels.c. Finds the names of objects. Caller: form_check() found nothing wrong. */
void form_labels(struct form *f);

#endif
