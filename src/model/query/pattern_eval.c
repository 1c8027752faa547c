/* Matches compiled patterns. Nothing here writes or allocates, because an M that logs an event may call it on any stack. */
#include "base/diag.h"
#include "model/query/pattern_internal.h"

#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* in pattern_texts.def; tests/test_pattern.c compares the languages */

static bool compare(enum pat_op op, int64_t have, int64_t want)
{
    switch (op) {
    case OP_EQ:
        return have == want;
    case OP_NE:
        return have != want;
    case OP_LT:
        return have < want;
    case OP_LE:
        return have <= want;
    case OP_GT:
        return have > want;
    default:
        return have >= want;
    }
}

/* "No P" is neither above nor below any P. */
static bool compare_id(enum pat_op op, int64_t have, int64_t want, int64_t none)
{
    bool ordered = op != OP_EQ && op != OP_NE;
    return !(ordered && (have == none || want == none)) && compare(op, have, want);
}

/* The event of one M that is tested, with its text. */
struct tested {
    uint32_t m;
    const struct ev *e;
    const char *text;
    size_t len;
};

static bool is_object(const struct pat_test *t, struct ev_object o)
{
    const struct pat_object *want = &t->object[o.kind];
    return want->id && o.id && (want->every ? (o.id - want->id) % want->every == 0 : o.id == want->id);
}

static bool test_field(const struct pat_test *t, const struct tested *on)
{
    const struct ev *e = on->e;
    const struct ev_field *f = t->of[e->kind].field;
    if (t->place)
        return t->text && e->c < t->text->nops && t->text->op[e->c] == t->line;
    if (!ev_has(e, f))
        return false;
    if (f->type == FT_TEXT)
        return (on->len == t->word_len && (on->len == 0 || memcmp(on->text, t->word, on->len) == 0)) == (t->op == OP_EQ);
    if (f->type == FT_OBJ && t->object)
        return is_object(t, ev_object(e)) == (t->op == OP_EQ);
    int64_t have = ev_value(e, on->m, f), want = t->of[e->kind].value;
    switch (f->type) {
    case FT_P:
    case FT_M:
        return compare_id(t->op, have, want, EV_NONE);
    case FT_G:
    case FT_SEEN:
        return compare_id(t->op, have, want, 0);
    default:
        return compare(t->op, have, want);
    }
}

static bool alternative_matches(const struct pat_event *a, const struct tested *on)
{
    const struct pat_test *t = a->tests;
    while (t && test_field(t, on))
        t = t->next;
    return !t;
}

bool pattern_event(const struct pattern *p, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    if (e->kind >= EV_KINDS)
        return false;
    for (const struct pat_event *a = p->events; a; a = a->next)
        if (a->kinds >> e->kind & 1 && alternative_matches(a, &(struct tested){m, e, text, len}))
            return true;
    return false;
}

bool pattern_meets(const struct pattern *p, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    if (!ev_is_place(e))
        return pattern_event(p, m, e, text, len);
    for (const struct pat_event *a = p->events; a; a = a->next)
        if (a->kinds == (kindset)1 << EV_G_OP && alternative_matches(a, &(struct tested){m, e, NULL, 0}))
            return true;
    return false;
}

void pattern_kinds(const struct pattern *p, bool kinds[EV_KINDS])
{
    for (const struct pat_event *a = p->events; a; a = a->next)
        for (int kind = 0; kind < EV_KINDS; kind++)
            kinds[kind] |= a->kinds >> kind & 1;
}

/* What a source must record so that it has events of this kind. 0: each source may have them. */
static uint32_t needs_of(int kind)
{
    static const uint32_t of[EV_KINDS] = {
        [EV_RUNNEXT_PUT] = LACKS(KNOW_P_RUNNEXT), [EV_RUNNEXT_GET] = LACKS(KNOW_P_RUNNEXT), [EV_RUNQ_PUT] = LACKS(KNOW_P_RUNQ),
        [EV_RUNQ_GET] = LACKS(KNOW_P_RUNQ),       [EV_RUNQ_POP] = LACKS(KNOW_P_RUNQ),       [EV_RUNQ_OVERFLOW] = LACKS(KNOW_P_RUNQ),
        [EV_RUNQ_DRAIN] = LACKS(KNOW_P_RUNQ),     [EV_GLOBQ_PUT] = LACKS(KNOW_GLOBQ),       [EV_GLOBQ_GET] = LACKS(KNOW_GLOBQ),
        [EV_STEAL] = LACKS(KNOW_STEALS),          [EV_STEAL_TRY] = LACKS(KNOW_STEALS),      [EV_SPIN_START] = LACKS(KNOW_SPINNING),
        [EV_SPIN_STOP] = LACKS(KNOW_SPINNING),    [EV_NEEDSPINNING] = LACKS(KNOW_SPINNING), [EV_WAKEP] = LACKS(KNOW_SPINNING),
        [EV_FIND_STAGE] = LACKS(KNOW_M_SEARCH),   [EV_RECHECK] = LACKS(KNOW_M_SEARCH),      [EV_TIMER_ADD] = LACKS(KNOW_P_TIMERS),
        [EV_TIMER_FIRE] = LACKS(KNOW_P_TIMERS),   [EV_P_IDLE] = LACKS(KNOW_IDLE_P),         [EV_P_TAKE] = LACKS(KNOW_IDLE_P),
        [EV_M_PARK] = LACKS(KNOW_IDLE_M),         [EV_M_WAKE] = LACKS(KNOW_IDLE_M),         [EV_PRINT] = LACKS(KNOW_OUTPUT),
        [EV_CHAN_OP] = LACKS(KNOW_OBJECTS),       [EV_MUTEX_OP] = LACKS(KNOW_OBJECTS)};
    return of[kind];
}

static bool cond_unrecorded(const struct pat_cond *c, uint32_t lacks)
{
    if (c->kind == COND_TEST)
        return (lacks & LACKS(gauge_needs(&c->gauge)) & ~LACKS(KNOW_BEFORE)) != 0;
    return cond_unrecorded(c->left, lacks) || (c->right && cond_unrecorded(c->right, lacks));
}

bool pattern_unrecorded(const struct pattern *p, uint32_t lacks)
{
    if (p->when)
        return cond_unrecorded(p->when, lacks);
    for (const struct pat_event *a = p->events; a; a = a->next)
        for (int kind = 0; kind < EV_KINDS; kind++)
            if ((a->kinds >> kind & 1) && !(lacks & needs_of(kind)))
                return false;
    return lacks != 0;
}

static bool test_gauge(const struct pat_cond *c, const struct model *md, int64_t now)
{
    int64_t have;
    if (gauge_is_replayed(md, &c->gauge) || !gauge_read(md, &c->gauge, now, &have))
        return false; /* a missing value is neither equal nor unequal to anything, and a stop at a derived one would look like a fact */
    switch (gauge_type(&c->gauge)) {
    case GT_P:
    case GT_M:
        return compare_id(c->op, have, c->value, -1);
    case GT_G:
        return compare_id(c->op, have, c->value, 0);
    default:
        return compare(c->op, have, c->value);
    }
}

static bool holds(const struct pat_cond *c, const struct model *md, int64_t now)
{
    switch (c->kind) {
    case COND_AND:
        return holds(c->left, md, now) && holds(c->right, md, now);
    case COND_OR:
        return holds(c->left, md, now) || holds(c->right, md, now);
    case COND_NOT:
        return !holds(c->left, md, now);
    default:
        return test_gauge(c, md, now);
    }
}

bool pattern_state(const struct pattern *p, const struct model *md)
{
    return p->when && holds(p->when, md, md->time);
}

bool pattern_state_at(const struct pattern *p, const struct model *md, int64_t time)
{
    return p->when && holds(p->when, md, time);
}

/* Returns the first time after `after` at which a test of a duration may change its result. Each comparison can change only when the duration
 * reaches the constant or 1 ns later. */
static int64_t change_after(const struct pat_cond *c, const struct model *md, int64_t after)
{
    int64_t since, at;
    if (c->kind == COND_TEST) {
        if (!gauge_since(md, &c->gauge, &since) || __builtin_add_overflow(since, c->value, &at) || at == INT64_MAX)
            return INT64_MAX;
        return at > after ? at : at + 1 > after ? at + 1 : INT64_MAX;
    }
    int64_t left = change_after(c->left, md, after);
    int64_t right = c->right ? change_after(c->right, md, after) : INT64_MAX;
    return left < right ? left : right;
}

int64_t pattern_change_after(const struct pattern *p, const struct model *md, int64_t after)
{
    return p->when ? change_after(p->when, md, after) : INT64_MAX;
}

bool pattern_is_when(const struct pattern *p)
{
    return p->when != NULL;
}

uint64_t pattern_times(const struct pattern *p)
{
    return p->times;
}

bool pattern_asks_for_details(const struct pattern *p)
{
    for (const struct pat_event *e = p->events; e; e = e->next)
        for (int kind = 0; kind < EV_KINDS; kind++)
            if (e->kinds >> kind & 1 && ev_level_of[kind] == EV_DETAIL)
                return true;
    return false;
}

static bool test_asks_for_time(const struct pat_test *t)
{
    for (int kind = 0; kind < EV_KINDS; kind++)
        if (t->of[kind].field && (t->of[kind].field->type == FT_TIME || t->of[kind].field->type == FT_DUR))
            return true;
    return false;
}

bool pattern_sees_order(const struct pattern *p)
{
    for (const struct pat_event *e = p->events; e; e = e->next)
        for (const struct pat_test *t = e->tests; t; t = t->next)
            if (test_asks_for_time(t))
                return true;
    return p->when || pattern_asks_for_details(p);
}

bool pattern_asks_for_places(const struct pattern *p)
{
    for (const struct pat_event *e = p->events; e; e = e->next)
        if (e->kinds == (kindset)1 << EV_G_OP) /* "*" and "g_*" match it where it is recorded for another reason */
            return true;
    return false;
}

/* ---- the Ps in a pattern ---- */

static bool cond_asks_for_p(const struct pat_cond *c)
{
    if (!c)
        return false;
    return c->kind == COND_TEST ? gauge_of_p(&c->gauge) : cond_asks_for_p(c->left) || cond_asks_for_p(c->right);
}

static bool test_asks_for_p(const struct pat_test *t)
{
    for (int kind = 0; kind < EV_KINDS; kind++)
        if (t->of[kind].field && t->of[kind].field->type == FT_P)
            return true;
    return false;
}

bool pattern_asks_for_p(const struct pattern *p, size_t *pos)
{
    *pos = 0;
    for (const struct pat_event *e = p->events; e; e = e->next)
        for (const struct pat_test *t = e->tests; t; t = t->next)
            if (test_asks_for_p(t)) {
                *pos = t->pos;
                return true;
            }
    return cond_asks_for_p(p->when);
}

static int64_t higher(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t cond_names_p(const struct pat_cond *c)
{
    if (!c)
        return -1;
    return c->kind == COND_TEST ? gauge_p(&c->gauge) : higher(cond_names_p(c->left), cond_names_p(c->right));
}

int64_t pattern_names_p(const struct pattern *p)
{
    int64_t most = cond_names_p(p->when);
    for (const struct pat_event *e = p->events; e; e = e->next)
        for (const struct pat_test *t = e->tests; t; t = t->next)
            for (int kind = 0; kind < EV_KINDS && t->op == OP_EQ; kind++)
                if (t->of[kind].field && t->of[kind].field->type == FT_P && t->of[kind].value != EV_NONE)
                    most = higher(most, t->of[kind].value);
    return most;
}
