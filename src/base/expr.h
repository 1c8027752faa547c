/* Integer expressions of scenarios: 64-bit, Go's precedence (spec 3). Compiled once, evaluated on G stacks. */
#ifndef GMPSCOPE_BASE_EXPR_H
#define GMPSCOPE_BASE_EXPR_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

struct expr;

/* Names are resolved at compile time: returns a slot number ≥ 0, or -1: unknown (an error). */
typedef int expr_resolve(void *ctx, const char *name, size_t len);
/* Compiled code in `arena`; NULL: a mistake, *err says what (static text or in the arena), *pos its byte offset,
 * *name and *name_len the unknown name if it is one (else NULL). */
struct expr *expr_compile(struct arena *a, const char *s, size_t len, expr_resolve *resolve, void *ctx,
                          const char **err, size_t *pos, const char **name, size_t *name_len);
enum expr_result { EXPR_OK, EXPR_DIV_ZERO };
/* The value of slot i is asked of get. Wraps like Go's int64. Small stack, no allocation: depth is bounded at compile. */
enum expr_result expr_eval(const struct expr *e, int64_t (*get)(void *ctx, int slot), void *ctx, int64_t *out);
/* Is anything in it divided by a plain 0? Then *pos is the offset of that operator. Go refuses it when it compiles. */
bool expr_divides_by_zero(const struct expr *e, size_t *pos);
bool expr_constant(const struct expr *e, int64_t *value); /* true: no variables; EXPR_DIV_ZERO counts as not constant */

#endif
