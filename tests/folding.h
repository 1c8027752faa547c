/* Shared by the tests of the fold: a model, events offered to it, and the expected outcomes. */
#ifndef GMPSCOPE_TESTS_FOLDING_H
#define GMPSCOPE_TESTS_FOLDING_H

#include "engine/audit.h"
#include "model/model_internal.h"
#include "t.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RING 4

#define APPLIED 0
#define NOT_YET 1
#define BROKEN 2

static const char *const programs[] __attribute__((unused)) = {"main", "worker"};

static inline struct model *new_model(void)
{
    struct model *md = model_new(&(struct model_config){.runq_size = RING, .start_tick = 3, .names = {.fn = programs, .nfn = 2}});
    CHECK(md);
    return md;
}

static inline struct ev make(int64_t time, int kind, uint32_t p, uint32_t g, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return (struct ev){.time = time, .kind = (uint8_t)kind, .p = (uint16_t)p, .g = g, .a = a, .b = b, .c = c, .d = d};
}

/* Checks the outcome and prints the reason if it is another one. The state may change only if the event is applied. */
static inline void offer_at(int line, struct model *md, int want, uint32_t m, struct ev e)
{
    uint64_t events = model_events(md);
    struct snapshot before = {0}, after = {0};
    struct audit_result r = {0};
    CHECK(model_snapshot(md, &before));
    int got = model_offer(md, m, &e, NULL, 0);
    if (got != want)
        t_fail(__FILE__, line, "%s: got %d, want %d: %s", ev_desc[e.kind].name, got, want, got == BROKEN ? model_error(md) : "");
    CHECK_INT(model_events(md), events + (want == APPLIED));
    CHECK(want != BROKEN || model_error(md)[0]);
    CHECK(model_snapshot(md, &after));
    if (want != APPLIED && audit_compare(&before, &after, &r))
        t_fail(__FILE__, line, "%s changed %s", ev_desc[e.kind].name, r.first);
    snapshot_fini(&before);
    snapshot_fini(&after);
}

/* OFFER(md, outcome, M, kind, P, G, a, b, c, d) */
#define OFFER(md, want, m, ...) offer_at(__LINE__, md, want, m, make(0, __VA_ARGS__))
#define NOP EV_NO_P

/* M0 on P0 (of 2) with main, G1, running; the last sequence number of G1 is 2. */
static inline struct model *boot(void)
{
    struct model *md = new_model();
    OFFER(md, APPLIED, 0, EV_M_START, NOP, 0, 0, EV_NONE, 0, 0);
    OFFER(md, APPLIED, 0, EV_PROCRESIZE, NOP, 0, 0, 2, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_CREATE, 0, 1, 0, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_RUNNEXT_PUT, 0, 1, 0, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_RUNNEXT_GET, 0, 1, 1, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_START, 0, 1, 2, 0, 0, 0);
    return md;
}

/* Like boot(), and M1 on P1 with nothing to run: the last number of P1 is 3, of the lock 1. */
static inline struct model *boot2(void)
{
    struct model *md = boot();
    OFFER(md, APPLIED, 0, EV_P_TAKE, 1, 0, 2, 1, 0, 0);
    OFFER(md, APPLIED, 1, EV_M_START, NOP, 0, 0, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_P_ACQUIRE, 1, 0, 3, 0, 0, 0);
    return md;
}

/* M0 creates Gs from..to and puts them into P0's ring, whose tail is `tail`. */
static inline void fill(struct model *md, uint32_t from, uint32_t to, uint32_t tail)
{
    for (uint32_t g = from; g <= to; g++) {
        OFFER(md, APPLIED, 0, EV_G_CREATE, 0, g, 1, 1, 0, 0);
        OFFER(md, APPLIED, 0, EV_RUNQ_PUT, 0, g, tail++, 0, 0, 0);
    }
}

static inline struct ev timer(int kind, uint32_t p, uint32_t g, uint32_t ticket, uint32_t heap, int64_t when)
{
    struct ev e = make(0, kind, p, g, ticket, heap, 0, 0);
    ev_set_cd(&e, when);
    return e;
}

#endif
