/* Compiles expressions by precedence climbing into code for a stack machine.
 *
 * Evaluation runs on a G's stack, which is small, so the machine's stack is a fixed array. The compiler knows the depth that an expression
 * needs and rejects more than STACK; the same number bounds the parser's recursion. `&&` and `||` jump over their right side, so
 * `n != 0 && 10 / n > 1` never divides by zero.
 */
#include "base/expr.h"

#include <stddef.h>
#include <string.h>

#define STACK 64
#define SHORT 8 /* instructions */

enum opcode {
    OP_PUSH, /* arg */
    OP_VAR,  /* the value of slot arg */
    OP_NEG,
    OP_NOT,
    OP_TRUTH, /* the end of the right side of arg, which is OP_AND or OP_OR */
    OP_AND,   /* top false: leave 0 and jump to arg, else drop it */
    OP_OR,    /* top true: leave 1 and jump to arg, else drop it */
    OP_MUL,
    OP_DIV,
    OP_MOD,
    OP_ADD,
    OP_SUB,
    OP_EQ,
    OP_NE,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
};
struct instruction {
    enum opcode op;
    int64_t arg;
};
struct expr {
    struct instruction *code;
    size_t n;
    bool has_variables, divides_by_zero;
    size_t zero_at;
};

struct parser {
    const char *s;
    size_t len, at;
    expr_resolve *resolve;
    void *ctx;
    struct instruction *code;
    size_t n;
    int stack, nesting;
    bool has_variables, divides_by_zero;
    const char *err, *name;
    size_t err_at, name_len, zero_at;
};

static bool fail_at(struct parser *p, const char *err, size_t at)
{
    if (!p->err) {
        p->err = err;
        p->err_at = at;
    }
    return false;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static char peek(const struct parser *p, size_t ahead)
{
    return p->at + ahead < p->len ? p->s[p->at + ahead] : '\0';
}

static void skip_space(struct parser *p)
{
    while (peek(p, 0) == ' ' || peek(p, 0) == '\t' || peek(p, 0) == '\n' || peek(p, 0) == '\r')
        p->at++;
}

/* There is room for len + 1 instructions: each comes from at least one character of the source; the two instructions of `&&` and `||` come
 * from two. */
static size_t emit(struct parser *p, enum opcode op, int64_t arg, int grows)
{
    p->code[p->n] = (struct instruction){op, arg};
    p->stack += grows;
    return p->n++;
}

static bool push(struct parser *p, enum opcode op, int64_t arg, size_t at)
{
    if (p->stack >= STACK)
        return fail_at(p, "too deeply nested", at);
    emit(p, op, arg, 1);
    return true;
}

/* negative: the minus sign before the number was read already. So the lowest integer can be written. */
static bool parse_number(struct parser *p, bool negative)
{
    size_t at = p->at;
    uint64_t v = 0, limit = (uint64_t)INT64_MAX + (negative ? 1 : 0);
    if (peek(p, 0) == '0' && is_digit(peek(p, 1)))
        return fail_at(p, "a number with a leading 0 (Go would read it as octal)", at);
    for (; is_digit(peek(p, 0)); p->at++) {
        uint64_t digit = (uint64_t)(peek(p, 0) - '0');
        if (v > (limit - digit) / 10)
            return fail_at(p, "number too large", at);
        v = v * 10 + digit;
    }
    if (is_name(peek(p, 0)) || peek(p, 0) == '.')
        return fail_at(p, "not a whole decimal number", at);
    return push(p, OP_PUSH, negative ? (int64_t)(0 - v) : (int64_t)v, at);
}

static bool parse_name(struct parser *p)
{
    size_t at = p->at;
    while (is_name(peek(p, 0)) || is_digit(peek(p, 0)))
        p->at++;
    int slot = p->resolve ? p->resolve(p->ctx, p->s + at, p->at - at) : -1;
    if (slot < 0) {
        p->name = p->s + at;
        p->name_len = p->at - at;
        return fail_at(p, "unknown name", at);
    }
    p->has_variables = true;
    return push(p, OP_VAR, slot, at);
}

static bool parse_binary(struct parser *p, int lowest);

static bool parse_parentheses(struct parser *p)
{
    size_t open = p->at++;
    if (!parse_binary(p, 1))
        return false;
    skip_space(p);
    if (peek(p, 0) != ')')
        return fail_at(p, peek(p, 0) ? "expected an operator or )" : "( is never closed", peek(p, 0) ? p->at : open);
    p->at++;
    return true;
}

static bool parse_unary(struct parser *p);

static bool parse_sign(struct parser *p)
{
    char c = p->s[p->at++];
    if (c == '-') {
        skip_space(p);
        if (is_digit(peek(p, 0)))
            return parse_number(p, true);
    }
    if (!parse_unary(p))
        return false;
    if (c != '+')
        emit(p, c == '-' ? OP_NEG : OP_NOT, 0, 0);
    return true;
}

static bool parse_operand(struct parser *p)
{
    char c = peek(p, 0);
    if (is_digit(c))
        return parse_number(p, false);
    if (is_name(c))
        return parse_name(p);
    if (c == '(')
        return parse_parentheses(p);
    if (c == '-' || c == '!' || c == '+')
        return parse_sign(p);
    return fail_at(p, p->at >= p->len ? "expected a value at the end" : "expected a number, a name or (", p->at);
}

static bool parse_unary(struct parser *p)
{
    skip_space(p);
    if (++p->nesting > STACK)
        return fail_at(p, "too deeply nested", p->at);
    bool fine = parse_operand(p);
    p->nesting--;
    return fine;
}

static const struct operator
{
    char text[3];
    int level;
    enum opcode op;
}
operators[] = {
    {"||", 1, OP_OR}, {"&&", 2, OP_AND}, {"==", 3, OP_EQ}, {"!=", 3, OP_NE}, {"<=", 3, OP_LE}, {">=", 3, OP_GE}, {"<", 3, OP_LT},
    {">", 3, OP_GT},  {"+", 4, OP_ADD},  {"-", 4, OP_SUB}, {"*", 5, OP_MUL}, {"/", 5, OP_DIV}, {"%", 5, OP_MOD},
};

static const struct operator* operator_at(const struct parser *p)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t n = strlen(operators[i].text);
        if (p->len - p->at >= n && memcmp(p->s + p->at, operators[i].text, n) == 0)
            return &operators[i];
    }
    return NULL;
}

/* Records a division by a literal 0. Caller: has just parsed the right side of o. */
static void note_zero(struct parser *p, const struct operator* o, size_t at)
{
    const struct instruction *last = &p->code[p->n - 1];
    if (p->divides_by_zero || (o->op != OP_DIV && o->op != OP_MOD) || last->op != OP_PUSH || last->arg)
        return;
    p->divides_by_zero = true;
    p->zero_at = at;
}

/* Compiles the right side of an operator, then the operator. */
static bool parse_right(struct parser *p, const struct operator* o)
{
    bool jumps = o->op == OP_AND || o->op == OP_OR;
    size_t at = p->at - strlen(o->text);
    size_t jump = jumps ? emit(p, o->op, 0, -1) : 0;
    if (!parse_binary(p, o->level + 1))
        return false;
    if (!jumps) {
        note_zero(p, o, at);
        emit(p, o->op, 0, -1);
        return true;
    }
    emit(p, OP_TRUTH, o->op, 0);
    p->code[jump].arg = (int64_t)p->n;
    return true;
}

/* Compiles operators of level `lowest` and above; all are left-associative. */
static bool parse_binary(struct parser *p, int lowest)
{
    if (!parse_unary(p))
        return false;
    for (;;) {
        skip_space(p);
        const struct operator* o = operator_at(p);
        if (!o || o->level < lowest)
            return true;
        p->at += strlen(o->text);
        if (!parse_right(p, o))
            return false;
    }
}

static bool parse_all(struct parser *p)
{
    if (!parse_binary(p, 1))
        return false;
    skip_space(p);
    if (p->at == p->len)
        return true;
    if (peek(p, 0) == '=')
        return fail_at(p, "= is no operator; == compares", p->at);
    return fail_at(p, "expected an operator", p->at);
}

struct expr *expr_compile(struct arena *a, const char *s, size_t len, expr_resolve *resolve, void *ctx, const char **err, size_t *pos,
                          const char **name, size_t *name_len)
{
    struct parser p = {.s = s, .len = len, .resolve = resolve, .ctx = ctx};
    struct expr *e = arena_alloc(a, sizeof *e);
    p.code = arena_alloc(a, (len + 1) * sizeof *p.code);
    if (!e || !p.code)
        fail_at(&p, "out of memory", 0);
    else
        parse_all(&p);
    *err = p.err;
    *pos = p.err_at;
    *name = p.name;
    *name_len = p.name_len;
    if (p.err)
        return NULL;
    *e = (struct expr){
        .code = p.code, .n = p.n, .has_variables = p.has_variables, .divides_by_zero = p.divides_by_zero, .zero_at = p.zero_at};
    return e;
}

/* Operators that wrap use uint64_t, where overflow is defined. The lowest integer divided by -1 is itself, as in Go. */
static int64_t binary(enum opcode op, int64_t x, int64_t y)
{
    switch (op) {
    case OP_MUL:
        return (int64_t)((uint64_t)x * (uint64_t)y);
    case OP_ADD:
        return (int64_t)((uint64_t)x + (uint64_t)y);
    case OP_SUB:
        return (int64_t)((uint64_t)x - (uint64_t)y);
    case OP_DIV:
        return y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y;
    case OP_MOD:
        return y == -1 ? 0 : x % y;
    case OP_EQ:
        return x == y;
    case OP_NE:
        return x != y;
    case OP_LT:
        return x < y;
    case OP_LE:
        return x <= y;
    case OP_GT:
        return x > y;
    default:
        return x >= y;
    }
}

/* stack: room for one more value than the expression needs. */
static inline __attribute__((always_inline)) enum expr_result
eval_on(int64_t *stack, const struct expr *e, int64_t (*get)(void *ctx, int slot), void *ctx, int64_t *out)
{
    int64_t *top = stack;
    for (size_t i = 0; i < e->n; i++) {
        const struct instruction *in = &e->code[i];
        switch (in->op) {
        case OP_PUSH:
            *++top = in->arg;
            break;
        case OP_VAR:
            *++top = get(ctx, (int)in->arg);
            break;
        case OP_NEG:
            *top = (int64_t)(0 - (uint64_t)*top);
            break;
        case OP_NOT:
            *top = !*top;
            break;
        case OP_TRUTH:
            *top = *top != 0;
            break;
        case OP_AND:
        case OP_OR:
            if ((*top != 0) == (in->op == OP_OR)) {
                *top = in->op == OP_OR;
                i = (size_t)in->arg - 1;
            } else {
                top--;
            }
            break;
        default:
            if ((in->op == OP_DIV || in->op == OP_MOD) && *top == 0)
                return EXPR_DIV_ZERO;
            top--;
            *top = binary(in->op, top[0], top[1]);
        }
    }
    *out = *top;
    return EXPR_OK;
}

static __attribute__((noinline)) enum expr_result
eval_long(const struct expr *e, int64_t (*get)(void *ctx, int slot), void *ctx, int64_t *out)
{
    int64_t stack[1 + STACK];
    return eval_on(stack, e, get, ctx, out);
}

/* An instruction pushes one value at most. A short expression runs in a small frame, because the first page of a G's stack is small. */
enum expr_result expr_eval(const struct expr *e, int64_t (*get)(void *ctx, int slot), void *ctx, int64_t *out)
{
    int64_t stack[1 + SHORT];
    return e->n <= SHORT ? eval_on(stack, e, get, ctx, out) : eval_long(e, get, ctx, out);
}

bool expr_divides_by_zero(const struct expr *e, size_t *pos)
{
    if (e->divides_by_zero)
        *pos = e->zero_at;
    return e->divides_by_zero;
}

bool expr_constant(const struct expr *e, int64_t *value)
{
    return !e->has_variables && expr_eval(e, NULL, NULL, value) == EXPR_OK;
}

size_t expr_size(const struct expr *e)
{
    return e->n;
}

bool expr_part(const struct expr *e, size_t i, struct expr_part *out)
{
    const struct instruction *in = &e->code[i];
    enum opcode op = in->op == OP_TRUTH ? (enum opcode)in->arg : in->op;
    *out = (struct expr_part){.op = op == OP_NEG ? "-" : op == OP_NOT ? "!" : NULL, .slot = -1, .value = in->arg};
    if (op == OP_VAR)
        out->slot = (int)in->arg;
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++)
        if (operators[k].op == op) {
            out->op = operators[k].text;
            out->level = operators[k].level;
        }
    return in->op != OP_AND && in->op != OP_OR; /* jumps */
}
