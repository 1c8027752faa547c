/* Compiles queries, by recursive descent. Each function of a query is a node, which follows the run with matchers of its own (query_run.c).
 * A pattern is cut out of the text by its parentheses and then compiled by pattern.c. */
#include "base/diag.h"
#include "model/query/pattern_internal.h"
#include "model/query/query_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DEPTH_MAX 32

static const struct {
    const char *name;
    enum query_kind kind;
    bool field; /* its pattern is followed by .FIELD */
} functions[] = {{"count", QUERY_COUNT, false}, {"value", QUERY_FIRST, true}, {"next", QUERY_NEXT, true},       {"max", QUERY_MAX, true},
                 {"order", QUERY_ORDER, true},  {"time", QUERY_TIME, false},  {"counter", QUERY_COUNTER, false}};
#define FUNCTIONS (sizeof functions / sizeof *functions)

struct parser {
    struct arena *a;
    const char *s;
    size_t at, end; /* what is left to read; a group ends before its parenthesis */
    struct query *q;
    const char *err;
    size_t errpos;
    int depth;
};

/* The first mistake counts. Returns NULL. */
#define FAIL(ps, where, ...) fail(ps, where, arena_printf((ps)->a, __VA_ARGS__))
static struct query_node *fail(struct parser *ps, size_t where, const char *text)
{
    if (!ps->err) {
        ps->err = text ? text : "out of memory";
        ps->errpos = where;
    }
    return NULL;
}

/* ---- the text ---- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_space(struct parser *ps)
{
    while (ps->at < ps->end && is_space(ps->s[ps->at]))
        ps->at++;
}

/* Returns where the quoted text that begins at `at` ends. */
static size_t after_quoted(const char *s, size_t at, size_t end)
{
    for (at++; at < end && s[at] != '"'; at++)
        at += s[at] == '\\' && at + 1 < end;
    return at < end ? at + 1 : end;
}

/* Returns the place of the parenthesis that closes the one at `open`; ps->end if there is none. */
static size_t closing(const struct parser *ps, size_t open)
{
    int depth = 0;
    for (size_t at = open; at < ps->end;) {
        if (ps->s[at] == '"') {
            at = after_quoted(ps->s, at, ps->end);
            continue;
        }
        depth += (ps->s[at] == '(') - (ps->s[at] == ')');
        if (!depth)
            return at;
        at++;
    }
    return ps->end;
}

struct span {
    size_t at, end;
};

static struct span trimmed(const char *s, struct span w)
{
    while (w.at < w.end && is_space(s[w.at]))
        w.at++;
    while (w.end > w.at && is_space(s[w.end - 1]))
        w.end--;
    return w;
}

/* Takes the next word off the beginning of *rest; a quoted text is part of a word. */
static struct span take_word(const char *s, struct span *rest)
{
    *rest = trimmed(s, *rest);
    struct span w = {rest->at, rest->at};
    while (w.end < rest->end && !is_space(s[w.end]))
        w.end = s[w.end] == '"' ? after_quoted(s, w.end, rest->end) : w.end + 1;
    rest->at = w.end;
    return w;
}

/* ---- patterns and fields ---- */

static bool take_pattern(struct parser *ps, struct span w, struct query_match *out)
{
    w = trimmed(ps->s, w);
    const char *err = NULL, *text = arena_strndup(ps->a, ps->s + w.at, w.end - w.at);
    size_t pos = 0;
    out->at = w.at;
    struct pattern *p = text ? pattern_compile(ps->a, text, &err, &pos) : NULL;
    out->match.pattern = out->pattern = p;
    if (!p)
        fail(ps, w.at + pos, err);
    return p;
}

/* Finds .FIELD at the end of an argument, and takes it off. */
static bool take_field(struct parser *ps, struct span *arg, const char *function, struct query_node *n)
{
    struct span rest = *arg, word = {0}, last = {arg->end, arg->end};
    while (word = take_word(ps->s, &rest), word.end > word.at)
        last = word;
    if (last.at == last.end || ps->s[last.at] != '.')
        return FAIL(ps, arg->end, "the field is missing here: %s(steal .n)", function), false;
    n->field = arena_strndup(ps->a, ps->s + last.at + 1, last.end - last.at - 1);
    n->field_at = last.at + 1;
    arg->end = last.at;
    return n->field || fail(ps, last.at, NULL);
}

static bool lacks_field(struct parser *ps, const struct query_node *n, int kind)
{
    const char *words[EV_FIELDS + 4] = {"time", "m", "p", "g"}, *list = "time, m, p, g";
    size_t count = 4;
    for (int i = 0; i < EV_FIELDS && ev_desc[kind].field[i].name; i++) {
        const struct ev_field *f = &ev_desc[kind].field[i];
        if (!f->name[0] || f->type == FT_NONE)
            continue;
        words[count++] = f->name;
        list = arena_printf(ps->a, "%s, %s", f->name, list ? list : "");
    }
    const char *near = diag_nearest(n->field, words, count);
    if (near)
        FAIL(ps, n->field_at, "%s has no field \"%s\"; the nearest is \"%s\"", ev_desc[kind].name, n->field, near);
    else
        FAIL(ps, n->field_at, "%s has no field \"%s\"; it has %s", ev_desc[kind].name, n->field, list ? list : "");
    return false;
}

/* Each event that the pattern can match must have the field. */
static bool check_field(struct parser *ps, struct query_node *n, const struct pattern *p)
{
    if (p->when)
        return FAIL(ps, n->field_at, "a condition has no fields; time(when …) and GAUGE at when … exist"), false;
    n->numeric = n->ordered = true;
    for (const struct pat_event *e = p->events; e; e = e->next)
        for (int kind = 0; kind < EV_KINDS; kind++) {
            if (!(e->kinds >> kind & 1))
                continue;
            const struct ev_field *f = ev_field(kind, n->field, strlen(n->field));
            if (!f)
                return lacks_field(ps, n, kind);
            n->numeric &= f->type == FT_INT || f->type == FT_BOOL || f->type == FT_TIME || f->type == FT_DUR;
            n->ordered &= pattern_type_has_order(f->type);
        }
    if (n->kind == QUERY_MAX && !n->ordered)
        return FAIL(ps, n->field_at, "%s has no order, so it has no max", n->field), false;
    return true;
}

/* ---- terms ---- */

static struct query_node *node(struct parser *ps, enum query_kind kind, size_t at)
{
    struct query_node *n = arena_alloc(ps->a, sizeof *n);
    if (!n)
        return fail(ps, at, NULL);
    n->kind = kind;
    n->at = at;
    n->numeric = true;
    n->link = ps->q->nodes;
    ps->q->nodes = n;
    return n;
}

/* Splits "A after B" at the word between them. */
static bool split_after(struct parser *ps, struct span arg, struct span *a, struct span *b)
{
    struct span rest = arg, word;
    while (word = take_word(ps->s, &rest), word.end > word.at)
        if (word.end - word.at == 5 && !memcmp(ps->s + word.at, "after", 5)) {
            *a = (struct span){arg.at, word.at};
            *b = rest;
            return true;
        }
    return FAIL(ps, arg.end, "\"after PATTERN\" is missing here: next(g_start after steal .g)"), false;
}

static struct query_node *take_counter(struct parser *ps, struct query_node *n, struct span arg)
{
    struct span w = trimmed(ps->s, arg);
    const char *name = arena_strndup(ps->a, ps->s + w.at, w.end - w.at);
    if (!name)
        return fail(ps, w.at, NULL);
    n->counter = counter_index(name);
    if (n->counter >= 0)
        return n;
    const char *near = diag_nearest(name, counter_name, COUNTERS_N);
    return near ? FAIL(ps, w.at, "there is no counter \"%s\"; the nearest is \"%s\"", name, near)
                : FAIL(ps, w.at, "there is no counter \"%s\"", name);
}

/* Returns the place of the comma between two operands; arg.end if there is none. */
static size_t comma(const struct parser *ps, struct span arg)
{
    int depth = 0;
    size_t at = arg.at;
    while (at < arg.end && (ps->s[at] != ',' || depth)) {
        depth += (ps->s[at] == '(') - (ps->s[at] == ')');
        at = ps->s[at] == '"' ? after_quoted(ps->s, at, arg.end) : at + 1;
    }
    return at < arg.end ? at : arg.end;
}

static struct query_node *take_sum(struct parser *ps);

static struct query_node *operand(struct parser *ps, size_t from, size_t to)
{
    size_t at = ps->at, end = ps->end;
    if (++ps->depth > DEPTH_MAX)
        return FAIL(ps, from, "too deeply nested; %d levels are enough", DEPTH_MAX);
    ps->at = from;
    ps->end = to;
    struct query_node *n = take_sum(ps);
    ps->at = at;
    ps->end = end;
    ps->depth--;
    return n;
}

static struct query_node *join(struct parser *ps, enum query_kind kind, size_t at, struct query_node *left, struct query_node *right)
{
    if (!left || !right)
        return NULL;
    if (!left->numeric || !right->numeric)
        return FAIL(ps, at, "arithmetic needs numbers or times");
    struct query_node *n = node(ps, kind, at);
    if (n) {
        n->left = left;
        n->right = right;
    }
    return n;
}

/* min(A, B) or max(A, B): the smaller or the greater of two. */
static struct query_node *take_pair(struct parser *ps, enum query_kind kind, size_t at, struct span arg)
{
    size_t between = comma(ps, arg);
    if (between == arg.end)
        return FAIL(ps, arg.end, "the comma is missing here: min(count(steal), 4)");
    struct query_node *left = operand(ps, arg.at, between);
    return join(ps, kind, at, left, left ? operand(ps, between + 1, arg.end) : NULL);
}

static struct query_node *take_call(struct parser *ps, size_t which, size_t at, struct span arg)
{
    struct query_node *n = node(ps, functions[which].kind, at);
    struct span first = arg, second = {0};
    if (!n || n->kind == QUERY_COUNTER)
        return n ? take_counter(ps, n, arg) : NULL;
    if (functions[which].field && !take_field(ps, &first, functions[which].name, n))
        return NULL;
    if (n->kind == QUERY_NEXT && (!split_after(ps, first, &first, &second) || !take_pattern(ps, second, &n->since)))
        return NULL;
    if (!take_pattern(ps, first, &n->what) || (functions[which].field && !check_field(ps, n, n->what.pattern)))
        return NULL;
    bool all = n->kind == QUERY_COUNT || n->kind == QUERY_MAX || n->kind == QUERY_ORDER;
    if (all && pattern_times(n->what.pattern) > 1)
        return FAIL(ps, n->what.at, "%s() looks at all matches; xN picks one", functions[which].name);
    n->numeric = n->numeric && n->kind != QUERY_ORDER;
    return n;
}

static struct query_node *take_gauge(struct parser *ps, struct span word)
{
    char err[160];
    struct query_node *n = node(ps, QUERY_GAUGE, word.at);
    struct span rest = {word.end, ps->end};
    if (!n)
        return NULL;
    char *name = arena_strndup(ps->a, ps->s + word.at, word.end - word.at);
    if (name && counter_index(name) >= 0)
        return FAIL(ps, word.at, "\"%s\" is a counter: write counter(%s)", name, name);
    if (!gauge_parse(ps->s + word.at, word.end - word.at, &n->gauge, LANG_EN, err, sizeof err))
        return FAIL(ps, word.at, "%s", err);
    struct span at = take_word(ps->s, &rest);
    if (at.end - at.at != 2 || memcmp(ps->s + at.at, "at", 2))
        return FAIL(ps, word.end, "\"at PATTERN\" is missing here: %.*s at steal", (int)(word.end - word.at), ps->s + word.at);
    ps->at = ps->end;
    enum gauge_type t = gauge_type(&n->gauge);
    n->numeric = t == GT_INT || t == GT_BOOL || t == GT_DUR;
    return take_pattern(ps, rest, &n->what) ? n : NULL;
}

/* Everything that the program writes to stdout, and how it ends. */
static struct query_node *take_output(struct parser *ps, struct span word)
{
    static const char events[] = "print | program_end";
    struct query_node *n = node(ps, QUERY_OUTPUT, word.at);
    ps->at = word.end;
    if (!n)
        return NULL;
    n->numeric = false;
    const char *err = NULL;
    size_t pos;
    n->what.match.pattern = n->what.pattern = pattern_compile(ps->a, events, &err, &pos);
    return n->what.pattern ? n : fail(ps, word.at, err);
}

static struct query_node *take_group(struct parser *ps)
{
    size_t open = ps->at, end = ps->end, close = closing(ps, open);
    if (close == end)
        return FAIL(ps, open, "the parenthesis that opens here is never closed");
    if (++ps->depth > DEPTH_MAX)
        return FAIL(ps, open, "too deeply nested; %d levels are enough", DEPTH_MAX);
    ps->at = open + 1;
    ps->end = close;
    struct query_node *n = take_sum(ps);
    ps->at = close + 1;
    ps->end = end;
    ps->depth--;
    return n;
}

static struct query_node *take_number(struct parser *ps, struct span w)
{
    struct query_node *n = node(ps, QUERY_NUMBER, w.at);
    if (!n)
        return NULL;
    ps->at = w.end;
    for (size_t i = w.at; i < w.end; i++)
        if (__builtin_mul_overflow(n->v, 10, &n->v) || __builtin_add_overflow(n->v, ps->s[i] - '0', &n->v))
            return FAIL(ps, w.at, "this number is too large");
    n->found = true;
    return n;
}

static struct query_node *unknown(struct parser *ps, struct span w)
{
    const char *words[FUNCTIONS], *word = arena_strndup(ps->a, ps->s + w.at, w.end - w.at);
    for (size_t i = 0; i < FUNCTIONS; i++)
        words[i] = functions[i].name;
    const char *near = word ? diag_nearest(word, words, FUNCTIONS) : NULL;
    if (near)
        return FAIL(ps, w.at, "there is no function \"%s\"; the nearest is \"%s\"", word, near);
    return FAIL(ps, w.at, "there is no function \"%s\"; there are count, value, next, min, max, order, time, counter and output",
                word ? word : "");
}

static struct query_node *take_term(struct parser *ps)
{
    skip_space(ps);
    if (ps->at < ps->end && ps->s[ps->at] == '(')
        return take_group(ps);
    struct span w = {ps->at, ps->at};
    w.end += strspn(ps->s + w.at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
    if (w.end == w.at)
        return FAIL(ps, w.at, "a value is missing here, such as count(steal) or value(steal n>=2 .n)");
    if (strspn(ps->s + w.at, "0123456789") == w.end - w.at)
        return take_number(ps, w);
    if (w.end - w.at == 6 && !memcmp(ps->s + w.at, "output", 6))
        return take_output(ps, w);
    if (w.end >= ps->end || ps->s[w.end] != '(')
        return take_gauge(ps, w);
    size_t close = closing(ps, w.end);
    if (close == ps->end)
        return FAIL(ps, w.end, "the parenthesis that opens here is never closed");
    ps->at = close + 1;
    struct span arg = {w.end + 1, close};
    bool least = w.end - w.at == 3 && !memcmp(ps->s + w.at, "min", 3), most = w.end - w.at == 3 && !memcmp(ps->s + w.at, "max", 3);
    if (least || (most && comma(ps, arg) < arg.end))
        return take_pair(ps, least ? QUERY_LESSER : QUERY_GREATER, w.at, arg);
    for (size_t i = 0; i < FUNCTIONS; i++)
        if (strlen(functions[i].name) == w.end - w.at && !memcmp(functions[i].name, ps->s + w.at, w.end - w.at))
            return take_call(ps, i, w.at, arg);
    return unknown(ps, w);
}

static bool at_one_of(struct parser *ps, const char *operators)
{
    skip_space(ps);
    return ps->at < ps->end && strchr(operators, ps->s[ps->at]);
}

static struct query_node *take_product(struct parser *ps)
{
    struct query_node *left = take_term(ps);
    while (left && at_one_of(ps, "*/%")) {
        size_t at = ps->at++;
        enum query_kind kind = ps->s[at] == '*' ? QUERY_MUL : ps->s[at] == '/' ? QUERY_DIV : QUERY_MOD;
        left = join(ps, kind, at, left, take_term(ps));
    }
    return left;
}

static struct query_node *take_sum(struct parser *ps)
{
    struct query_node *left = take_product(ps);
    while (left && at_one_of(ps, "+-")) {
        size_t at = ps->at++;
        left = join(ps, ps->s[at] == '+' ? QUERY_ADD : QUERY_SUB, at, left, take_product(ps));
    }
    if (left && ps->at < ps->end)
        return FAIL(ps, ps->at, "an operator such as \"+\", or the end of the query, is missing here");
    return left;
}

struct query *query_compile(struct arena *a, const char *s, const char **err, size_t *pos)
{
    struct query *q = arena_alloc(a, sizeof *q);
    struct parser ps = {.a = a, .s = s, .end = strlen(s), .q = q};
    if (!q)
        fail(&ps, 0, NULL);
    if (q && (q->top = take_sum(&ps)))
        return q;
    *err = ps.err;
    *pos = ps.errpos;
    return NULL;
}

static bool bind_match(struct query_match *k, struct arena *a, const struct model_names *names, const char **err, size_t *pos)
{
    if (!k->pattern || pattern_bind(k->pattern, a, names, err, pos))
        return true;
    *pos += k->at;
    return false;
}

bool query_bind(struct query *q, struct arena *a, const struct model_names *names, const char **err, size_t *pos)
{
    for (struct query_node *n = q->nodes; n; n = n->link)
        if (!bind_match(&n->what, a, names, err, pos) || !bind_match(&n->since, a, names, err, pos))
            return false;
    return true;
}

static bool match_asks_for_p(const struct query_match *k, size_t *pos)
{
    bool yes = k->pattern && pattern_asks_for_p(k->pattern, pos);
    *pos += k->at;
    return yes;
}

bool query_asks_for_p(const struct query *q, size_t *pos)
{
    for (const struct query_node *n = q->nodes; n; n = n->link) {
        *pos = n->at;
        if ((n->kind == QUERY_GAUGE && gauge_of_p(&n->gauge)) || match_asks_for_p(&n->what, pos) || match_asks_for_p(&n->since, pos))
            return true;
    }
    return false;
}

static bool match_asks(const struct query_match *k, bool (*asks)(const struct pattern *))
{
    return k->pattern && asks(k->pattern);
}

static bool any_asks(const struct query *q, bool (*asks)(const struct pattern *))
{
    for (const struct query_node *n = q->nodes; n; n = n->link)
        if (match_asks(&n->what, asks) || match_asks(&n->since, asks))
            return true;
    return false;
}

bool query_asks_for_states(const struct query *q)
{
    for (const struct query_node *n = q->nodes; n; n = n->link)
        if (n->kind == QUERY_GAUGE)
            return true;
    return any_asks(q, pattern_is_when);
}

bool query_asks_for_details(const struct query *q)
{
    return any_asks(q, pattern_asks_for_details);
}

bool query_asks_for_places(const struct query *q)
{
    return any_asks(q, pattern_asks_for_places);
}

/* All events of these kinds depend on each other. */
static bool ordered_kinds(const struct query_match *k)
{
    bool of[EV_KINDS] = {false};
    if (k->pattern)
        pattern_kinds(k->pattern, of);
    of[EV_PRINT] = of[EV_PROGRAM_END] = false;
    for (int i = 0; i < EV_KINDS; i++)
        if (of[i])
            return false;
    return true;
}

bool query_sees_order(const struct query *q)
{
    for (const struct query_node *n = q->nodes; n; n = n->link) {
        bool first = n->kind == QUERY_FIRST || n->kind == QUERY_NEXT || n->kind == QUERY_ORDER;
        if ((first && !(ordered_kinds(&n->what) && ordered_kinds(&n->since))) || n->kind == QUERY_TIME)
            return true;
    }
    return query_asks_for_states(q) || any_asks(q, pattern_sees_order);
}
