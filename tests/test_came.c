/* What put a G, M or P where it is: compared with a fold of the whole run, at many events of every shipped scenario. */
#include "cli/commands.h"
#include "load.h"
#include "model/history/history.h"
#include "whole.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 200000, MOST = 40, POINTS = 6 }; /* how many of a kind are watched; at how many events */

struct watched {
    long long place[4];
    uint64_t since; /* the event at which the place became what it is */
};
struct watch {
    struct watched of[3][MOST];
};

static bool listed(const struct model *md, uint32_t p)
{
    const uint32_t *list;
    for (uint32_t n = model_idlep(md, &list); n--;)
        if (list[n] == p)
            return true;
    return false;
}

/* Written apart from the code under test: state and place of each subject as plain numbers. */
static void place_now(const struct model *md, int kind, uint32_t id, long long place[4])
{
    memset(place, 0, 4 * sizeof *place);
    if (kind == SUBJECT_G && model_g(md, id)) {
        const struct model_g *g = model_g(md, id);
        place[0] = 1, place[1] = g->status, place[2] = g->place, place[3] = g->where;
    } else if (kind == SUBJECT_M && id < model_nm(md) && model_m(md, id)->started) {
        place[0] = 1, place[1] = model_m_doing(md, id), place[2] = model_m(md, id)->p, place[3] = model_m(md, id)->curg;
    } else if (kind == SUBJECT_P && model_p(md, id)) {
        place[0] = 1 + listed(md, id), place[1] = model_p(md, id)->status, place[2] = model_p(md, id)->m;
    }
}

static void look(struct watch *w, const struct model *md, uint64_t n)
{
    for (int kind = 0; kind < 3; kind++)
        for (uint32_t id = 0; id < MOST; id++) {
            long long place[4];
            place_now(md, kind, id, place);
            if (memcmp(place, w->of[kind][id].place, sizeof place) == 0)
                continue;
            memcpy(w->of[kind][id].place, place, sizeof place);
            w->of[kind][id].since = n;
        }
}

/* The events that move Gs or Ps, or take an M's P, without naming them. */
static bool is_batch(uint8_t kind)
{
    return kind == EV_RETAKE || kind == EV_P_GCSTOP || kind == EV_STEAL || kind == EV_RUNQ_OVERFLOW || kind == EV_GLOBQ_PUT ||
           kind == EV_GLOBQ_GET || kind == EV_RUNQ_DRAIN || kind == EV_SCHED_ENABLE_USER || kind == EV_PROCRESIZE;
}

static void check_subject(struct history *h, const struct model *md, const struct watched *w, const struct history_subject *s)
{
    uint64_t event, later;
    struct history_event e;
    if (!history_came(h, md, s, 0, &event) || event != w->since)
        t_fail(__FILE__, __LINE__, "%c%u in state %llu came there by event %llu, not %llu", "GMP"[s->kind], s -> id,
               (unsigned long long)model_events(md), (unsigned long long)w -> since, (unsigned long long)event);
    CHECK(!event || history_get(h, event, &e));
    CHECK(!event || history_concerns(h, &e, s) || is_batch(e.ev.kind));
    CHECK(history_came(h, md, s, event, &later) && later == 0);
}

/* At every `step`-th event, for each G, M and P. */
static void check_run(struct engine *e, uint64_t step)
{
    struct history *h = e->history;
    struct watch *w = calloc(1, sizeof *w);
    struct model *md = NULL;
    struct history_event ev;
    CHECK(w && history_move(h, &md, 0));
    for (uint64_t n = 1; n <= history_events(h); n++) {
        CHECK(history_get(h, n, &ev) && model_offer(md, ev.m, &ev.ev, ev.text, ev.len) == OFFER_APPLIED);
        look(w, md, n);
        for (int kind = 0; kind < 3 && n % step == 0; kind++)
            for (uint32_t id = kind == SUBJECT_G; id < MOST; id++)
                if (w->of[kind][id].place[0])
                    check_subject(h, md, &w->of[kind][id], &(struct history_subject){.kind = (enum subject_kind)kind, .id = id});
    }
    model_free(md);
    free(w);
}

static void check_shipped(const struct scenario *sc, const char *path, void *ctx)
{
    struct engine *e = run_scenario(sc, *(enum conductor_mode *)ctx, MOST_EVENTS);
    (void)path;
    check_run(e, history_events(e->history) / POINTS + 1);
    engine_free(e);
}

TEST_TIMED(the_event_that_put_each_thing_where_it_is, 900)
{
    each_scenario(check_shipped, &(enum conductor_mode){MODE_LOCKSTEP});
}

/* The events are in the order of the merge, so their times may also decrease. */
TEST_TIMED(the_event_that_put_each_thing_where_it_is_in_free_runs, 900)
{
    each_scenario(check_shipped, &(enum conductor_mode){MODE_FREE});
}

TEST_TIMED(every_event_of_a_run_with_steals_and_overflows, 300)
{
    static const char *const paths[] = {SOURCE_DIR "/scenarios/steal-half.yaml", SOURCE_DIR "/scenarios/overflow.yaml"};
    for (int i = 0; i < 2; i++) {
        struct scenario *sc = load(paths[i]);
        struct engine *e = run_scenario(sc, MODE_LOCKSTEP, MOST_EVENTS);
        check_run(e, 1);
        engine_free(e);
        scenario_free(sc);
    }
}
