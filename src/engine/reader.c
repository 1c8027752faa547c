/* The list of readers: see reader.h. A table by kind says which readers get an event, because most readers ask for few kinds and every event of a
 * run passes here. */
#include "engine/reader.h"
#include "scenario/scenario.h"
#include <stddef.h>
#include <string.h>

/* --- readers made of what other modules have ------------------------------------------------------------------------------ */

static bool keep_event(void *ctx, const struct merged_event *at)
{
    return history_add(ctx, at->md, at->m, at->e, at->text, at->len);
}

static bool keep_record(void *ctx, const struct model *md, uint32_t m, const struct ev *e, uint32_t n)
{
    return history_add_record(ctx, md, m, e, n);
}

static bool takes_record(void *ctx, uint32_t n)
{
    return history_takes(ctx, n);
}

static bool keep_place(void *ctx, uint32_t g, uint32_t op)
{
    return history_add_place(ctx, g, op);
}

struct reader history_reader(struct history *h)
{
    return (struct reader){
        .ctx = h,
        .event = keep_event,
        .takes = takes_record,
        .record = keep_record,
        .place = keep_place,
        .lack = "cannot keep the history"};
}

static bool judge_event(void *ctx, const struct merged_event *at)
{
    return expect_event(ctx, at);
}

static void judge_passes(void *ctx, const struct model *md, int64_t time)
{
    expect_passes(ctx, md, time);
}

struct reader claims_reader(struct expect *x)
{
    unsigned needs = (expect_sees_states(x) ? READS_STATES : 0) | (expect_sees_details(x) ? READS_DETAILS | READS_EACH : 0) |
                     (expect_sees_places(x) ? READS_PLACES : 0);
    return (struct reader){
        .ctx = x,
        .needs = needs,
        .kinds = expect_kinds(x),
        .passes = expect_sees_time(x) ? judge_passes : NULL,
        .event = judge_event,
        .lack = "cannot keep the program's output"};
}

static void query_passed(void *ctx, const struct model *md, int64_t time)
{
    query_passes(ctx, md, time);
}

static bool query_shown(void *ctx, const struct merged_event *at)
{
    query_event(ctx, at);
    return true; /* if memory runs out, its value says so */
}

unsigned query_needs(const struct query *q)
{
    return (query_asks_for_details(q) ? READS_DETAILS | READS_EACH : 0) | (query_asks_for_states(q) ? READS_STATES : 0) |
           (query_asks_for_places(q) ? READS_PLACES : 0);
}

struct reader query_reader(struct query *q)
{
    unsigned needs = query_needs(q);
    return (struct reader){.ctx = q, .needs = needs, .passes = needs & READS_STATES ? query_passed : NULL, .event = query_shown};
}

static bool report_shown(void *ctx, const struct merged_event *at)
{
    report_event(ctx, at);
    return true; /* as query_shown() */
}

struct reader report_reader(struct report *r)
{
    return (struct reader){.ctx = r, .needs = report_asks_for_states(r) ? READS_STATES : 0, .event = report_shown};
}

/* --- the list ----------------------------------------------------------------------------------------------------------- */

static void index_readers(struct readers *r)
{
    memset(r->of_kind, 0, sizeof r->of_kind);
    r->passing = r->taking = r->recording = r->single = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        const struct reader *of = &r->v[i];
        for (int kind = 0; of->event && kind < EV_KINDS; kind++)
            if (!of->kinds || of->kinds[kind]) {
                r->of_kind[kind] |= 1u << i;
                r->single |= (uint32_t)(!of->record && !comes_alone(kind)) << i;
            }
        r->passing |= (uint32_t)(of->passes != NULL) << i;
        r->taking |= (uint32_t)(of->takes != NULL) << i;
        r->recording |= (uint32_t)(of->record != NULL) << i;
    }
}

bool readers_add(struct readers *r, struct reader of)
{
    if (r->n == READERS_MAX)
        return false;
    r->v[r->n++] = of;
    index_readers(r);
    return true;
}

void readers_remove(struct readers *r, const void *ctx)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n; i++)
        if (r->v[i].ctx != ctx)
            r->v[n++] = r->v[i];
    r->n = n;
    index_readers(r);
}

unsigned readers_need(const struct readers *r)
{
    unsigned all = 0;
    for (uint32_t i = 0; i < r->n; i++)
        all |= r->v[i].needs;
    return all & READS_STATES ? all | READS_DETAILS : all;
}

void readers_pass(struct readers *r, const struct model *md, int64_t time)
{
    for (uint32_t left = r->passing; left; left &= left - 1) {
        struct reader *of = &r->v[__builtin_ctz(left)];
        of->passes(of->ctx, md, time);
    }
}

/* Shows the event to the readers with these bits. Returns what is lacking now. */
static const char *show(struct readers *r, uint32_t to, const struct merged_event *at, const char *lack)
{
    for (; to; to &= to - 1) {
        struct reader *of = &r->v[__builtin_ctz(to)];
        if (!of->event(of->ctx, at))
            lack = of->lack;
    }
    return lack;
}

const char *readers_event(struct readers *r, const struct merged_event *at)
{
    return show(r, r->of_kind[at->e->kind], at, NULL);
}

bool readers_take(const struct readers *r, uint32_t n)
{
    for (uint32_t left = r->taking; left; left &= left - 1) {
        const struct reader *of = &r->v[__builtin_ctz(left)];
        if (!of->takes(of->ctx, n))
            return false;
    }
    return true;
}

/* Shows the events of a record to the readers that have no record(). */
static __attribute__((noinline)) const char *
show_each(struct readers *r, const struct model *md, uint64_t number, uint32_t m, const struct ev *e, uint32_t n)
{
    const char *lack = NULL;
    for (struct merged_event at = {md, number, m, e, NULL, 0}; at.e < e + n; at.e++, at.number++)
        lack = show(r, r->of_kind[at.e->kind] & r->single, &at, lack);
    return lack;
}

const char *readers_record(struct readers *r, const struct model *md, uint64_t number, uint32_t m, const struct ev *e, uint32_t n)
{
    const char *lack = NULL;
    for (uint32_t left = r->of_kind[e->kind] & r->recording; left; left &= left - 1) {
        struct reader *of = &r->v[__builtin_ctz(left)];
        if (!of->record(of->ctx, md, m, e, n))
            lack = of->lack;
    }
    const char *of_single = r->single ? show_each(r, md, number, m, e, n) : NULL;
    return of_single ? of_single : lack;
}

const char *readers_place(struct readers *r, uint32_t g, uint32_t op)
{
    const char *lack = NULL;
    for (uint32_t i = 0; i < r->n; i++)
        if (r->v[i].place && !r->v[i].place(r->v[i].ctx, g, op))
            lack = r->v[i].lack;
    return lack;
}

enum offer readers_note(struct readers *r, const struct merged_event *at, const char **lack)
{
    enum offer answer = OFFER_APPLIED;
    for (uint32_t i = 0; i < r->n && answer == OFFER_APPLIED; i++)
        if (r->v[i].note && (answer = r->v[i].note(r->v[i].ctx, at)) == OFFER_HOLD)
            *lack = r->v[i].lack;
    return answer;
}

const char *readers_end(struct readers *r, const struct model *md, int how)
{
    const char *lack = NULL;
    for (uint32_t i = 0; i < r->n; i++)
        if (r->v[i].end && !r->v[i].end(r->v[i].ctx, md, how))
            lack = r->v[i].lack;
    return lack;
}
