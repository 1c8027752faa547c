/* Integer expressions of scenarios: 64-bit, Go's precedence. Compiled once, evaluated on G stacks. */
#ifndef GMPSCOPE_BASE_EXPR_H
#define GMPSCOPE_BASE_EXPR_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

struct expr;

/* Resolves a name at compile time. Returns a slot number ≥ 0, or -1 if the name is unknown (an error). */
typedef int expr_resolve(void *ctx, const char *name, size_t len);
/* Returns compiled code in `a`, or NULL for a mistake: then *err describes it (static text or in the arena), *pos is its byte offset, and
 * *name and *name_len are the unknown name if that is the mistake (else NULL). */
struct expr *expr_compile(struct arena *a, const char *s, size_t len, expr_resolve *resolve, void *ctx, const char **err, size_t *pos,
                          const char **name, size_t *name_len);
enum expr_result { EXPR_OK, EXPR_DIV_ZERO };
/* Evaluates e; get() returns the value of a slot. Wraps like Go's int64. Needs little stack and no memory. */
enum expr_result expr_eval(const struct expr *e, int64_t (*get)(void *ctx, int slot), void *ctx, int64_t *out);
/* True if something in e is divided by a literal 0; *pos is the offset of that operator. Go rejects it at compile time. */
bool expr_divides_by_zero(const struct expr *e, size_t *pos);
bool expr_constant(const struct expr *e, int64_t *value); /* true: no variables, and no division by zero */

/* The expression in postfix order, for whoever writes it in another language: operands, each operator after its operands. */
struct expr_part {
    const char *op; /* static; NULL: a number or a variable */
    int level;      /* of a binary operator: its precedence in Go, 1 to 5; 0: a unary one */
    int slot;       /* of a variable; -1: a number */
    int64_t value;  /* of a number */
};
size_t expr_size(const struct expr *e);
bool expr_part(const struct expr *e, size_t i, struct expr_part *out); /* i < expr_size(); false: nothing stands there */

#endif
