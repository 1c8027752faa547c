/* Expressions as Go. A scenario's expressions know only integers; Go also has booleans. Each node knows its type and
 * is converted where the other one is needed. The text has already been compiled, so it has no mistakes.
 *
 * Two things that are values here are errors for Go's compiler: a constant that overflows (replaced by the value it
 * wraps to) and a division by a constant zero (the zero becomes a variable).
 *
 * Blanks around operators follow gofmt (go/printer, binaryExpr): they depend on which levels of precedence meet in
 * one expression, and on how deep it is in a list. */
#include "scenario/go/gosource.h"
#include <stdlib.h>
#include <string.h>

enum shape { SHAPE_NUMBER, SHAPE_NAME, SHAPE_UNARY, SHAPE_BINARY, SHAPE_CALL };
struct node {
    enum shape shape;
    bool boolean, constant;
    int64_t value;    /* constant */
    const char *text; /* name, operator, function */
    int prec;
    struct node *x, *y;
};

static struct node *new_node(struct gosrc *s, struct node n)
{
    struct node *p = arena_alloc(&s->a, sizeof *p);
    if (!p) { /* continue with a value that is never written */
        s->oom = true;
        p = s->spare;
    }
    *p = n;
    return p;
}

static struct node *number(struct gosrc *s, int64_t v)
{
    return new_node(s, (struct node){.shape = SHAPE_NUMBER, .constant = true, .value = v});
}

static struct node *binary(struct gosrc *s, const char *op, int prec, struct node *x, struct node *y)
{
    return new_node(s, (struct node){.shape = SHAPE_BINARY, .text = op, .prec = prec, .x = x, .y = y, .boolean = prec <= 3});
}

static struct node *as_int(struct gosrc *s, struct node *n)
{
    if (!n->boolean)
        return n;
    s->parts |= GO_B2I;
    return new_node(s, (struct node){.shape = SHAPE_CALL, .text = "b2i", .x = n});
}

static struct node *as_bool(struct gosrc *s, struct node *n)
{
    return n->boolean ? n : binary(s, "!=", 3, n, number(s, 0));
}

static struct node *negation(struct gosrc *s, struct node *n)
{
    if (!n->boolean)
        return binary(s, "==", 3, n, number(s, 0));
    if (n->shape == SHAPE_UNARY) /* converted twice */
        return n->x;
    return new_node(s, (struct node){.shape = SHAPE_UNARY, .text = "!", .x = n, .boolean = true});
}

/* ---- constants ---- */

static bool fold(char op, int64_t x, int64_t y, int64_t *v)
{
    switch (op) {
    case '+':
        return __builtin_add_overflow(x, y, v);
    case '-':
        return __builtin_sub_overflow(x, y, v);
    case '*':
        return __builtin_mul_overflow(x, y, v);
    case '/':
        *v = y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y;
        return y == -1 && x == INT64_MIN;
    default:
        *v = y == -1 ? 0 : x % y;
        return false;
    }
}

static struct node *arithmetic(struct gosrc *s, const struct expr_part *part, struct node *x, struct node *y)
{
    const char *op = part->op;
    int64_t v;
    if ((*op == '/' || *op == '%') && y->constant && y->value == 0) {
        s->parts |= GO_ZERO;
        y = new_node(s, (struct node){.shape = SHAPE_NAME, .text = "zero"});
    }
    struct node *n = binary(s, op, part->level, x, y);
    if (!x->constant || !y->constant)
        return n;
    if (fold(*op, x->value, y->value, &v))
        return number(s, v);
    n->constant = true;
    n->value = v;
    return n;
}

static struct node *minus(struct gosrc *s, struct node *x)
{
    if (x->constant)
        return number(s, (int64_t)(0 - (uint64_t)x->value));
    return new_node(s, (struct node){.shape = SHAPE_UNARY, .text = "-", .x = x});
}

/* ---- reading ---- */

struct name_nodes {
    struct gosrc *s;
    struct node **v; /* by slot */
    int n;
};

static struct node *name_node(struct gosrc *s, const char *name, size_t len)
{
    const char *go = NULL;
    struct go_var *v = go_find_var(s, name, len);
    char *word = arena_strndup(&s->a, name, len);
    s->oom |= !word;
    if (v) {
        v->reads++;
        go = v->go;
    } else if (go_has_shared(s, name, len)) {
        go = word ? go_global(s, NS_SHARED, word) : NULL;
    } else if (len == 4 && !memcmp(name, "goid", 4)) {
        s->parts |= GO_GOID;
        go = "goid";
    } else if (len == 1 && *name == 'p' && s->gomaxprocs == 1) {
        return number(s, 0);
    } else {
        go = s->listing ? word : NULL;
        go_refuse(s, s->node, "a Go program cannot know %s", *name == 'p' ? "its P's number when there are several" : "its M's number");
    }
    return new_node(s, (struct node){.shape = SHAPE_NAME, .text = go ? go : "oom"});
}

static int resolve_name(void *ctx, const char *name, size_t len)
{
    struct name_nodes *names = ctx;
    names->v[names->n] = name_node(names->s, name, len);
    return names->n++;
}

static struct node *combine(struct gosrc *s, const struct expr_part *op, struct node *x, struct node *y)
{
    if (op->level <= 2)
        return binary(s, op->op, op->level, as_bool(s, x), as_bool(s, y));
    x = as_int(s, x);
    y = as_int(s, y);
    return op->level == 3 ? binary(s, op->op, 3, x, y) : arithmetic(s, op, x, y);
}

static struct node *read_expr(struct gosrc *s, const char *text, size_t len)
{
    const char *err, *name;
    size_t at, name_len, top = 0;
    struct name_nodes names = {.s = s, .v = arena_alloc(&s->a, (len + 1) * sizeof *names.v)};
    struct node **stack = arena_alloc(&s->a, (len + 1) * sizeof *stack);
    struct expr *e = names.v && stack ? expr_compile(&s->a, text, len, resolve_name, &names, &err, &at, &name, &name_len) : NULL;
    s->oom |= !e;
    for (size_t i = 0; e && i < expr_size(e); i++) {
        struct expr_part part;
        if (!expr_part(e, i, &part))
            continue;
        if (part.op && part.level) {
            top--;
            stack[top - 1] = combine(s, &part, stack[top - 1], stack[top]);
        } else if (part.op) {
            stack[top - 1] = *part.op == '!' ? negation(s, stack[top - 1]) : minus(s, as_int(s, stack[top - 1]));
        } else {
            stack[top++] = part.slot < 0 ? number(s, part.value) : names.v[part.slot];
        }
    }
    return top ? stack[0] : number(s, 0);
}

/* ---- writing, with gofmt's blanks ---- */

struct levels {
    bool has4, has5;
    int problem;
};

static bool negative(const struct node *n)
{
    return (n->shape == SHAPE_NUMBER && n->value < 0) || (n->shape == SHAPE_UNARY && *n->text == '-');
}

/* Returns the levels of precedence that meet in an expression written without parentheses. */
static struct levels walk(const struct node *n)
{
    struct levels l = {n->prec == 4, n->prec == 5, 0};
    const struct node *side[2] = {n->x, n->y};
    for (int i = 0; i < 2; i++) {
        if (side[i]->shape != SHAPE_BINARY || side[i]->prec < n->prec + i)
            continue;
        struct levels in = walk(side[i]);
        l.has4 |= in.has4;
        l.has5 |= in.has5;
        l.problem = in.problem > l.problem ? in.problem : l.problem;
    }
    if (*n->text == '-' && negative(n->y) && l.problem < 4)
        l.problem = 4;
    return l;
}

/* Returns the level below which operators have blanks around them. */
static int cutoff(const struct node *n, int depth)
{
    struct levels l = walk(n);
    if (l.problem)
        return l.problem + 1;
    if (l.has4 && l.has5)
        return depth == 1 ? 5 : 4;
    return depth == 1 ? 6 : 4;
}

/* Returns whether the text begins with a minus when everything below this level is in parentheses. */
static bool leads_with_minus(const struct node *n, int prec)
{
    while (n->shape == SHAPE_BINARY && n->prec >= prec) {
        prec = n->prec;
        n = n->x;
    }
    return negative(n);
}

static void write_node(FILE *f, const struct node *n, int prec, int depth);

/* Writes n in parentheses, which undo one level of depth. */
static void write_parentheses(FILE *f, const struct node *n, int depth)
{
    fputc('(', f);
    write_node(f, n, 0, depth > 1 ? depth - 1 : 1);
    fputc(')', f);
}

static void write_binary(FILE *f, const struct node *n, int prec, int cut, int depth)
{
    const char *blank = n->prec < cut ? " " : "";
    if (n->prec < prec) {
        write_parentheses(f, n, depth);
        return;
    }
    if (n->x->shape == SHAPE_BINARY && n->x->prec == n->prec)
        write_binary(f, n->x, n->prec, cutoff(n->x, depth), depth);
    else
        write_node(f, n->x, n->prec, depth + 1);
    fprintf(f, "%s%s%s", blank, n->text, blank);
    if (!*blank && *n->text == '-' && leads_with_minus(n->y, n->prec + 1))
        fputc(' ', f); /* because -- is another operator */
    write_node(f, n->y, n->prec + 1, depth + 1);
}

static void write_unary(FILE *f, const struct node *n, int depth)
{
    fputs(n->text, f);
    if (negative(n) && negative(n->x)) /* because -- is another operator */
        write_parentheses(f, n->x, depth);
    else
        write_node(f, n->x, 6, depth);
}

static void write_node(FILE *f, const struct node *n, int prec, int depth)
{
    switch (n->shape) {
    case SHAPE_NUMBER:
        fprintf(f, "%lld", (long long)n->value);
        break;
    case SHAPE_NAME:
        fputs(n->text, f);
        break;
    case SHAPE_UNARY:
        write_unary(f, n, depth);
        break;
    case SHAPE_BINARY:
        write_binary(f, n, prec, cutoff(n, depth), depth);
        break;
    case SHAPE_CALL:
        fprintf(f, "%s(", n->text);
        write_node(f, n->x, 0, depth);
        fputc(')', f);
    }
}

void *go_spare(struct arena *a)
{
    return arena_alloc(a, sizeof(struct node));
}

static const char *node_text(struct gosrc *s, const struct node *n, int depth)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = s->oom ? NULL : text_open(&text, &size);
    if (f) {
        write_node(f, n, 0, depth);
        s->oom |= !text_close(f);
    }
    char *copy = text ? arena_strndup(&s->a, text, size) : NULL;
    free(text);
    s->oom |= !copy;
    return copy ? copy : "";
}

const char *go_int(struct gosrc *s, const char *text, int depth)
{
    return node_text(s, as_int(s, read_expr(s, text, strlen(text))), depth);
}

const char *go_bool(struct gosrc *s, const char *text, bool negate)
{
    struct node *n = read_expr(s, text, strlen(text));
    return node_text(s, negate ? negation(s, n) : as_bool(s, n), 1);
}

bool go_constant(struct gosrc *s, const char *text, int64_t *value)
{
    const struct node *n = read_expr(s, text, strlen(text));
    *value = n->value;
    return n->constant;
}
