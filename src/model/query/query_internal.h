/* A compiled query: what query.c builds and query_run.c follows. */
#ifndef GMPSCOPE_MODEL_QUERY_INTERNAL_H
#define GMPSCOPE_MODEL_QUERY_INTERNAL_H

#include "model/model_internal.h"
#include "model/query/query.h"

enum query_kind {
    QUERY_COUNT,
    QUERY_FIRST,
    QUERY_NEXT,
    QUERY_MAX,
    QUERY_ORDER,
    QUERY_TIME,
    QUERY_COUNTER,
    QUERY_GAUGE,
    QUERY_OUTPUT,
    QUERY_NUMBER,
    QUERY_ADD, /* this one and those below have two operands */
    QUERY_SUB,
    QUERY_MUL,
    QUERY_DIV,
    QUERY_MOD,
    QUERY_LESSER,
    QUERY_GREATER
};

struct query_match {
    struct pattern *pattern; /* NULL: not used */
    struct matcher match;
    size_t at; /* where its text begins */
};

struct query_node {
    struct query_node *link;         /* all nodes of the query */
    struct query_node *left, *right; /* operands */
    enum query_kind kind;
    size_t at;
    struct query_match what, since; /* since: NEXT, the pattern behind "after" */
    const char *field;
    size_t field_at;
    struct gauge gauge;
    int counter;
    bool numeric, ordered; /* its value can be added; its field has an order */
    /* what it has seen */
    bool found, begun; /* begun: NEXT, `since` has matched */
    int64_t v;
    VEC(char) text; /* v as people read it; "" where the number says it. OUTPUT: before the end of the program, what it has written */
};

struct query {
    struct query_node *top, *nodes;
    int64_t judged;   /* conditions have been judged up to this time */
    uint64_t decided; /* the event that changed the value last; 0: none */
    bool lacks, derived;
    char number[24];
};

#endif
