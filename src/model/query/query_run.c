/* Follows a run with a compiled query. */
#include "base/hash.h"
#include "base/text.h"
#include "model/query/pattern_internal.h"
#include "model/query/query_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A match: an event, or (e NULL) a moment at which a condition became true by time alone. */
struct moment {
    const struct model *md;
    const struct merged_event *at;
    int64_t time;
};

static void text_append(struct query *q, struct query_node *n, const char *text, size_t len)
{
    for (size_t i = 0; i < len && !q->lacks; i++)
        q->lacks = !vec_push(&n->text, text[i]);
}

/* Appends the field's value, behind a blank if it is not the first. */
static void append_value(struct query *q, struct query_node *n, const struct merged_event *at, const struct ev_field *f)
{
    char buf[2 * EV_TEXT_MAX + 8];
    bool raw = f->type == FT_TEXT && n->kind != QUERY_ORDER; /* alone on its line it needs no quotes */
    int len = raw ? 0 : event_value(at->md, f, n->v, at->text, at->len, buf, sizeof buf);
    if (n->text.n)
        text_append(q, n, " ", 1);
    if (raw)
        text_append(q, n, at->text, at->text ? at->len : 0);
    else
        text_append(q, n, buf, (size_t)len < sizeof buf ? (size_t)len : sizeof buf - 1);
}

static void take_value(struct query *q, struct query_node *n, const struct merged_event *at)
{
    const struct ev_field *f = ev_field(at->e->kind, n->field, strlen(n->field));
    int64_t v = ev_value(at->e, at->m, f);
    if (n->kind == QUERY_MAX && n->found && v <= n->v)
        return;
    if (n->kind != QUERY_ORDER)
        n->text.n = 0;
    n->found = true;
    n->v = v;
    q->decided = at->number;
    append_value(q, n, at, f);
}

static void take_gauge(struct query *q, struct query_node *n, const struct moment *now)
{
    n->found = gauge_read(now->md, &n->gauge, now->time, &n->v);
    q->derived |= n->found && gauge_is_replayed(now->md, &n->gauge);
    int64_t v;
    const char *word;
    enum gauge_type t = gauge_type(&n->gauge);
    if (n->found && (((t == GT_P || t == GT_M) && n->v < 0) || (t == GT_G && !n->v)))
        text_append(q, n, "-", 1);
    for (int i = 0; n->found && (word = gauge_word(&n->gauge, i, &v)); i++)
        if (v == n->v) {
            text_append(q, n, word, strlen(word));
            return;
        }
}

static __attribute__((format(printf, 3, 4))) void append_format(struct query *q, struct query_node *n, const char *fmt, ...)
{
    char buf[80];
    va_list ap;
    va_start(ap, fmt);
    int len = vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    text_append(q, n, buf, len > 0 ? (size_t)len : 0);
}

/* The program has ended: what it has written becomes "TEXT" HOW, or, if it is long, its beginning with the length and the hash of all of it. */
static void quote_output(struct query *q, struct query_node *n, const struct merged_event *end)
{
    enum { SHOWN = 150 }; /* bytes of the quoted text */
    char *raw = n->text.v;
    size_t len = n->text.n, at = 0, bytes;
    n->text.v = NULL;
    n->text.n = n->text.cap = 0;
    append_format(q, n, "\"");
    for (; at < len && n->text.n < SHOWN; at += bytes) {
        char visible[VISIBLE_BYTES];
        size_t shown = visible_next(raw, at, len, &bytes, visible);
        if (raw[at] == '"' || raw[at] == '\\')
            append_format(q, n, "\\");
        text_append(q, n, visible, shown);
    }
    append_format(q, n, at < len ? "…\" (%zu bytes, %016" PRIx64 ")" : "\"", len, hash_bytes(raw ? raw : "", len));
    append_format(q, n, " %s", ev_word(FT_END_HOW, end->e->a));
    if (end->e->a == ENDED_EXIT)
        append_format(q, n, " %" PRIu32, end->e->c);
    free(raw);
    n->found = true;
}

static void take_output(struct query *q, struct query_node *n, const struct merged_event *at)
{
    if (n->found)
        return;
    if (at->e->kind == EV_PROGRAM_END) {
        quote_output(q, n, at);
        return;
    }
    if (at->e->b & PRINT_STDERR)
        return;
    text_append(q, n, at->text, at->text ? at->len : 0);
    if (!(at->e->b & PRINT_PART))
        text_append(q, n, "\n", 1);
}

static void matched(struct query *q, struct query_node *n, const struct moment *now)
{
    if (now->at && n->kind != QUERY_MAX) /* take_value() knows whether it is a new maximum */
        q->decided = now->at->number;
    switch (n->kind) {
    case QUERY_COUNT:
        n->v++;
        return;
    case QUERY_TIME:
        n->found = true;
        n->v = now->time;
        return;
    case QUERY_GAUGE:
        take_gauge(q, n, now);
        return;
    case QUERY_OUTPUT:
        take_output(q, n, now->at);
        return;
    default:
        take_value(q, n, now->at);
    }
}

static bool is_match(struct query_match *k, const struct moment *now)
{
    bool yes = now->at ? matcher_event(&k->match, now->at) : pattern_is_when(k->pattern) && matcher_time(&k->match, now->md, now->time);
    return yes && matcher_is_nth(&k->match, k->match.seen);
}

static void follow(struct query *q, const struct moment *now)
{
    for (struct query_node *n = q->nodes; n; n = n->link) {
        bool all = n->kind == QUERY_COUNT || n->kind == QUERY_MAX || n->kind == QUERY_ORDER;
        if (!n->what.pattern || (n->found && !all))
            continue;
        bool ready = n->kind != QUERY_NEXT || n->begun;
        if (!ready)
            n->begun = is_match(&n->since, now);
        else if (is_match(&n->what, now))
            matched(q, n, now);
    }
}

void query_event(struct query *q, const struct merged_event *at)
{
    follow(q, &(struct moment){at->md, at, at->e->time});
}

bool query_is_derived(const struct query *q)
{
    return q->derived;
}

bool query_lacks(const struct query *q)
{
    return q->lacks;
}

static int64_t change_after(const struct query *q, const struct model *md, int64_t after)
{
    int64_t first = INT64_MAX;
    for (const struct query_node *n = q->nodes; n; n = n->link)
        for (int i = 0; i < 2; i++) {
            const struct query_match *k = i ? &n->since : &n->what;
            int64_t at = k->pattern ? matcher_change_after(&k->match, md, after) : INT64_MAX;
            first = at < first ? at : first;
        }
    return first;
}

void query_passes(struct query *q, const struct model *md, int64_t time)
{
    int64_t now = model_time(md) > q->judged ? model_time(md) : q->judged; /* an event may be offered more than once */
    while ((now = change_after(q, md, now)) <= time && now < INT64_MAX) {
        q->judged = now;
        follow(q, &(struct moment){md, NULL, now});
    }
}

/* ---- the value ---- */

/* Returns false if the result does not fit, or if it divides by zero. */
static bool arithmetic(enum query_kind kind, int64_t left, int64_t right, int64_t *v)
{
    switch (kind) {
    case QUERY_ADD:
        return !__builtin_add_overflow(left, right, v);
    case QUERY_SUB:
        return !__builtin_sub_overflow(left, right, v);
    case QUERY_MUL:
        return !__builtin_mul_overflow(left, right, v);
    case QUERY_LESSER:
        *v = left < right ? left : right;
        return true;
    case QUERY_GREATER:
        *v = left > right ? left : right;
        return true;
    default:
        if (!right || (left == INT64_MIN && right == -1))
            return false;
        *v = kind == QUERY_DIV ? left / right : left % right;
        return true;
    }
}

static bool number_of(const struct query_node *n, const struct model *md, int64_t *v)
{
    int64_t left, right;
    *v = n->kind == QUERY_COUNTER ? (int64_t)counter_get(model_counters(md), n->counter) : n->v;
    if (n->kind < QUERY_ADD)
        return n->found || n->kind == QUERY_COUNT || n->kind == QUERY_COUNTER;
    return number_of(n->left, md, &left) && number_of(n->right, md, &right) && arithmetic(n->kind, left, right, v);
}

bool query_is_final(const struct query *q)
{
    bool any = false;
    for (const struct query_node *n = q->nodes; n; n = n->link) {
        bool waits = n->kind == QUERY_FIRST || n->kind == QUERY_NEXT || n->kind == QUERY_TIME || n->kind == QUERY_GAUGE;
        if (n->kind == QUERY_COUNTER || (n->what.pattern && (!waits || !n->found)))
            return false;
        any |= waits;
    }
    return any;
}

enum query_result query_value(struct query *q, const struct model *md, const char **text)
{
    int64_t v;
    if (q->lacks)
        return QUERY_LACKS;
    if (!number_of(q->top, md, &v))
        return QUERY_NONE;
    snprintf(q->number, sizeof q->number, "%" PRId64, v);
    *text = q->number;
    if (q->top->text.n) {
        if (!vec_push(&q->top->text, '\0'))
            return QUERY_LACKS;
        *text = q->top->text.v;
        q->top->text.n--;
    }
    return QUERY_VALUE;
}

uint64_t query_decided(const struct query *q)
{
    return q->decided;
}

bool query_names_actor(const struct query *q, int kind)
{
    bool one = q->top->kind == QUERY_FIRST || q->top->kind == QUERY_NEXT;
    const struct ev_field *f = one ? ev_field(kind, q->top->field, strlen(q->top->field)) : NULL;
    return f && (f->type == FT_G || f->type == FT_M || f->type == FT_P);
}

static void match_reset(struct query_match *k)
{
    if (k->pattern)
        matcher_reset(&k->match, k->pattern);
}

void query_reset(struct query *q)
{
    q->judged = 0;
    q->decided = 0;
    q->lacks = false;
    for (struct query_node *n = q->nodes; n; n = n->link) {
        match_reset(&n->what);
        match_reset(&n->since);
        n->text.n = 0;
        if (n->kind == QUERY_NUMBER)
            continue;
        n->found = n->begun = false;
        n->v = 0;
    }
}

void query_fini(struct query *q)
{
    for (struct query_node *n = q->nodes; n; n = n->link)
        vec_free(&n->text);
}
