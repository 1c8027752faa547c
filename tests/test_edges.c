/* Every request from every place of a session: it takes a legal edge (session_edges.c), and an illegal one is noticed. */
#include "live.h"
#include "session/session_internal.h"

#include <math.h>

static const char busy_text[] = BUSY("gomaxprocs: 2, runq_size: 4", "4", "3");

/* --- getting there -------------------------------------------------------------------------------------------------- */

static void runs(struct live *l)
{
    session_ops.motion->set_tempo(l->s, TEMPO_FIXED(0.25));
    session_ops.motion->pause(l->s, false);
}

static void stands(struct live *l)
{
    session_ops.motion->step(l->s, STEP_EVENT, 20);
    while (!status(l).still)
        wait_change(l);
}

static void rewound(struct live *l)
{
    stands(l);
    CHECK_INT(session_ops.rewind->goto_event(l->s, 5), GOTO_DONE);
}

static void replays(struct live *l)
{
    rewound(l);
    runs(l);
}

static void ended(struct live *l)
{
    session_ops.motion->set_tempo(l->s, TEMPO_MAX);
    session_ops.motion->pause(l->s, false);
    wait_end(l);
}

static void (*const get_to[PLACES])(struct live *) = {
    [PLACE_RUNS] = runs, [PLACE_STANDS] = stands, [PLACE_REWOUND] = rewound, [PLACE_REPLAYS] = replays, [PLACE_ENDED] = ended,
};

/* --- the requests --------------------------------------------------------------------------------------------------- */

static void do_pause(struct session *s)
{
    session_ops.motion->pause(s, true);
}
static void do_run(struct session *s)
{
    session_ops.motion->pause(s, false);
}
static void do_step(struct session *s)
{
    session_ops.motion->step(s, STEP_EVENT, 1);
}
static void do_round(struct session *s)
{
    session_ops.motion->step(s, STEP_ROUND, 100);
}
static void do_back(struct session *s)
{
    session_ops.rewind->step_back(s, STEP_EVENT, 2);
}
static void do_newest(struct session *s)
{
    session_ops.rewind->goto_event(s, SESSION_NEWEST);
}
static void do_nowhere(struct session *s)
{
    session_ops.rewind->goto_mark(s, "nowhere");
}
static void do_mode(struct session *s)
{
    session_ops.motion->toggle_mode(s);
}
static void do_delete(struct session *s)
{
    session_ops.breaks->delete (s, 0);
}
static void do_round_on(struct session *s)
{
    session_ops.run_to->round(s, 0);
}
static void do_choosing(struct session *s)
{
    session_ops.decisions->prepare(s, true);
}
static void do_not_choosing(struct session *s)
{
    session_ops.decisions->prepare(s, false);
}
static void do_choose(struct session *s)
{
    static struct session_decision d; /* too large for a stack frame */
    session_ops.decisions->rows(s, &d);
    session_ops.decisions->choose(s, d.id, PICK_SEED);
}
static void do_branch(struct session *s)
{
    session_ops.decisions->branch(s, 1);
}
static void do_restart(struct session *s)
{
    session_ops.motion->restart(s, 2);
}
static void do_leave(struct session *s)
{
    session_leave_past(s);
}
static void do_keep(struct session *s)
{
    session_keep(s, true);
}

static void do_break(struct session *s)
{
    struct session_mistake wrong = {.lang = LANG_EN};
    CHECK(session_ops.breaks->add(s, "g_end", &wrong));
}

static void do_until(struct session *s)
{
    struct session_mistake wrong = {.lang = LANG_EN};
    CHECK(session_ops.run_to->match(s, "g_start", &wrong));
}

static void (*const requests[])(struct session *) = {
    do_pause,    do_run,          do_step,   do_round,  do_back,    do_newest, do_nowhere, do_mode,  do_delete, do_round_on,
    do_choosing, do_not_choosing, do_choose, do_branch, do_restart, do_leave,  do_keep,    do_break, do_until,
};
enum { ACTIONS = sizeof requests / sizeof *requests };

/* --- the tests -------------------------------------------------------------------------------------------------------- */

/* Two requests, one after the other: the second one finds what the first one has left. */
static void request(int place, int first, int second)
{
    bool over;
    LIVE(l, busy_text, "--tempo=1");
    session_ops.motion->pause(l.s, true);
    get_to[place](&l);
    requests[first](l.s);
    requests[second](l.s);
    CHECK(!status(&l).failed);
    struct engine *e = session_stop(l.s, &over);
    if (engine_failed(e))
        t_fail(__FILE__, __LINE__, "from place %d, requests %d and %d: %s", place, first, second, e->failure);
    close_live(&l);
}

TEST_TIMED(every_request_from_every_place_is_legal, 300)
{
    for (int place = 0; place < PLACES; place++)
        for (int first = 0; first < ACTIONS; first++)
            for (int second = 0; second < t_count(1, ACTIONS); second++)
                request(place, first, (first * 7 + second) % ACTIONS);
}

/* What is asked for twice stays where it is: no request leads from a place to nowhere. */
TEST(every_place_has_an_edge_for_every_request)
{
    for (int r = 0; r < REQUESTS; r++)
        for (int place = 0; place < PLACES; place++) {
            CHECK(session_edges[r][place] != 0);
            CHECK(session_edges[r][place] < 1 << PLACES);
        }
    CHECK(!(session_edges[REQUEST_PAUSE][PLACE_STANDS] >> PLACE_RUNS & 1));
}

TEST(an_illegal_edge_is_noticed)
{
    bool over;
    LIVE(l, busy_text, "--tempo=1");
    session_ops.motion->pause(l.s, true);
    stands(&l);
    session_enter(l.s);
    l.s->request.run = true;
    session_leave(l.s, REQUEST_PAUSE);
    struct engine *e = session_stop(l.s, &over);
    CHECK(strstr(e->failure, "session: request"));
    CHECK_INT(engine_exit_code(e, true), 4);
    close_live(&l);
}
