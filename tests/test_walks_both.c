/* Random walks through two runs on one clock. Both runs are known beforehand, so the order of all their core events is a list here, by time, the left side
 * first. A state of the comparison is a beginning of that list, and each request leads to another beginning, or to a breakpoint on the way. */
#include "base/prng.h"
#include "session/comparison.h"
#include "truth.h"

#include <time.h>

enum { LEFT, RIGHT, SIDES };

/* Number k of the list is the k-th core event of both, from 1. */
struct place {
    int side;
    uint64_t event;
    int64_t time;
    uint64_t shown[SIDES]; /* the last core event of each side up to here */
};

struct both {
    struct truth t[SIDES];
    struct place *list;
    uint64_t n;
};

static void merge(struct both *b)
{
    uint64_t at[SIDES] = {0};
    b->list = calloc(b->t[LEFT].n + b->t[RIGHT].n + 1, sizeof *b->list);
    CHECK(b->list);
    for (b->n = 0;;) {
        uint64_t k[SIDES];
        for (int i = 0; i < SIDES; i++)
            k[i] = next(&b->t[i], STEP_EVENT, at[i], b->t[i].n);
        if (!k[LEFT] && !k[RIGHT])
            return;
        int who = !k[LEFT] || (k[RIGHT] && b->t[RIGHT].ev[k[RIGHT]].time < b->t[LEFT].ev[k[LEFT]].time);
        at[who] = k[who];
        b->list[++b->n] = (struct place){who, k[who], b->t[who].ev[k[who]].time, {at[LEFT], at[RIGHT]}};
    }
}

struct walk {
    const struct both *b;
    struct live l[SIDES];
    struct comparison *p;
    const struct session_ops *ops;
    struct prng r;
    uint64_t at, first, newest; /* places of the list; first: both sides show something */
    uint64_t shown[SIDES];      /* the event that each side shows */
    int armed[ARMED];
    uint32_t id[ARMED], ids;
    char trail[TRAIL];
};

static struct session_status status_of(const struct walk *w, int i)
{
    struct session_status st;
    w->ops->status(w->l[i].s, &st);
    return st;
}

static void at_rest(const struct walk *w)
{
    for (int i = 0; i < SIDES; i++)
        for (struct session_status st; !(st = status_of(w, i)).paused || !(st.still || st.ended);)
            nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL); /* the test's alarm ends an endless wait */
}

/* ---- where a request leads ---- */

struct goal {
    uint64_t place;
    uint64_t stops; /* the event of the next place's side at which a breakpoint stops, before that place or at it; 0: none does */
};

/* Returns the first stop of a side after its event `from`, up to event `to`. */
static uint64_t first_stop(const struct walk *w, int side, uint64_t from, uint64_t to)
{
    const struct truth *t = &w->b->t[side];
    uint64_t first = 0;
    for (int i = 0; i < ARMED; i++) {
        int r = w->armed[i];
        uint64_t k = r < 0 ? 0 : rules[r].nth ? nth_match(t, r, 0, rules[r].nth) : nth_match(t, r, from, 1);
        if (k > from && k <= to && (!first || k < first))
            first = k;
    }
    return first;
}

/* Forward to the nth end of such a step. */
static struct goal forward(const struct walk *w, enum step_kind kind, uint64_t n)
{
    struct goal g = {w->at, 0};
    uint64_t shown[SIDES] = {w->shown[LEFT], w->shown[RIGHT]};
    while (n && g.place < w->b->n) {
        const struct place *to = &w->b->list[g.place + 1];
        if ((g.stops = first_stop(w, to->side, shown[to->side], to->event)))
            return g;
        shown[to->side] = to->event;
        g.place++;
        n -= ends_step(&w->b->t[to->side], to->event, kind);
    }
    return g;
}

static struct goal backward(const struct walk *w, enum step_kind kind, uint64_t n)
{
    struct goal g = {w->at, 0};
    for (; n && g.place > w->first; n--)
        do
            g.place--;
        while (g.place > w->first && !ends_step(&w->b->t[w->b->list[g.place].side], w->b->list[g.place].event, kind));
    return g;
}

/* Returns the last place whose time is not later; of equal times, those of the right side only if `right`. */
static struct goal place_at(const struct walk *w, int64_t time, bool right)
{
    struct goal g = {w->first, 0};
    while (g.place < w->newest && (w->b->list[g.place + 1].time < time ||
                                   (w->b->list[g.place + 1].time == time && (right || w->b->list[g.place + 1].side == LEFT))))
        g.place++;
    return g;
}

static void wrong(struct walk *w, int side, const char *what, uint64_t got, uint64_t want)
{
    t_fail(__FILE__, __LINE__, "side %d: %s is %llu, should be %llu: %s", side, what, (unsigned long long)got, (unsigned long long)want,
           w->trail);
}

static void check_goal(struct walk *w, const struct goal *g)
{
    int stops = g->stops ? w->b->list[g->place + 1].side : -1;
    for (int i = 0; i < SIDES; i++) {
        const struct truth *t = &w->b->t[i];
        struct session_status st = status_of(w, i);
        uint64_t want = w->b->list[g->place].shown[i], got = last(t, STEP_EVENT, st.events);
        if (i == stops ? st.events != g->stops : got != want)
            wrong(w, i, "the event", st.events, i == stops ? g->stops : want);
        if (i == stops && st.stop.kind != STOP_BREAKPOINT)
            wrong(w, i, "the stop", st.stop.kind, STOP_BREAKPOINT);
        w->shown[i] = st.events;
    }
    w->at = g->place;
    if (stops >= 0)
        w->at += g->stops == w->b->list[g->place + 1].event;
    w->newest = w->at > w->newest ? w->at : w->newest;
}

/* ---- requests ---- */

static void steps(struct walk *w)
{
    enum step_kind kind = prng_below(&w->r, 2) ? STEP_EVENT : STEP_ROUND;
    uint32_t n = 1 + prng_below(&w->r, 6);
    struct goal g = forward(w, kind, n);
    noted(w->trail, " step(%d,%u)", (int)kind, n);
    w->ops->motion->step(w->l[prng_below(&w->r, SIDES)].s, kind, n);
    at_rest(w);
    check_goal(w, &g);
}

static void steps_back(struct walk *w)
{
    enum step_kind kind = prng_below(&w->r, 2) ? STEP_EVENT : STEP_ROUND;
    uint32_t n = 1 + prng_below(&w->r, 6);
    struct goal g = backward(w, kind, n);
    noted(w->trail, " back(%d,%u)", (int)kind, n);
    CHECK_INT(w->ops->rewind->step_back(w->l[prng_below(&w->r, SIDES)].s, kind, n), GOTO_DONE);
    check_goal(w, &g);
}

static void runs(struct walk *w)
{
    struct goal g = forward(w, STEP_EVENT, UINT64_MAX);
    noted(w->trail, " run");
    w->ops->motion->pause(w->l[prng_below(&w->r, SIDES)].s, false);
    at_rest(w);
    check_goal(w, &g);
}

static void goes_to_event(struct walk *w)
{
    uint64_t near = w->at > 9 ? w->at - 9 : 1, k = near + prng_below(&w->r, 18);
    k = k < w->first ? w->first : k > w->newest ? w->newest : k;
    const struct place *to = &w->b->list[k];
    struct goal g = place_at(w, to->time, to->side == RIGHT);
    while (g.place > w->first && w->b->list[g.place].side == to->side && w->b->list[g.place].event > to->event)
        g.place--; /* of equal times on one side */
    noted(w->trail, " goto(%d,%llu)", to->side, (unsigned long long)to->event);
    CHECK_INT(w->ops->rewind->goto_event(w->l[to->side].s, to->event), GOTO_DONE);
    check_goal(w, &g);
}

static void goes_to_time(struct walk *w)
{
    int64_t time = w->b->list[w->first + prng_below(&w->r, (uint32_t)(w->newest - w->first + 1))].time;
    struct goal g = place_at(w, time, true);
    noted(w->trail, " time(%lld)", (long long)time);
    CHECK_INT(w->ops->rewind->goto_time(w->l[LEFT].s, time), GOTO_DONE);
    check_goal(w, &g);
}

static void goes_to_present(struct walk *w)
{
    struct goal g = {w->newest, 0};
    noted(w->trail, " newest");
    CHECK_INT(w->ops->rewind->goto_event(w->l[LEFT].s, SESSION_NEWEST), GOTO_DONE);
    for (int i = 0; i < SIDES; i++)
        CHECK(!status_of(w, i).back);
    if (w->at < w->newest)
        check_goal(w, &g);
}

static void change_breaks(struct walk *w)
{
    struct session_mistake mistake = {.lang = LANG_EN};
    struct session_break all[BREAKS_LISTED];
    uint32_t i = prng_below(&w->r, ARMED), armed = 0;
    int rule = w->armed[i] >= 0 ? -1 : (int)prng_below(&w->r, RULES);
    if (rule >= 0 && rules[rule].kind >= 0 && ev_level_of[rules[rule].kind] == EV_DETAIL)
        return; /* details at the end of a side's history are shown together with its last core event */
    for (uint32_t k = 0; k < ARMED; k++)
        armed += k == i ? rule >= 0 : w->armed[k] >= 0;
    if (rule < 0)
        CHECK(w->ops->breaks->delete (w->l[LEFT].s, w->id[i]));
    else
        CHECK(w->ops->breaks->add(w->l[LEFT].s, rules[rule].text, &mistake));
    for (int k = 0; k < SIDES; k++)
        while (session_ops.breaks->list(w->l[k].s, all, BREAKS_LISTED) != (int)armed)
            nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    at_rest(w);
    w->armed[i] = rule;
    w->id[i] = rule < 0 ? 0 : ++w->ids;
    noted(w->trail, " %s(%s)", rule < 0 ? "unbreak" : "break", rule < 0 ? "" : rules[rule].text);
}

/* Runs seldom, else most walks would soon be at the end. */
static void any_request(struct walk *w)
{
    static void (*const all[])(struct walk *) = {
        steps,      steps,      steps,         steps,         steps,        steps,           steps,        steps,
        steps_back, steps_back, change_breaks, change_breaks, goes_to_time, goes_to_present, goes_to_event};
    noted(w->trail, "\n  %llu/%llu %llu,%llu", (unsigned long long)w->at, (unsigned long long)w->newest, (unsigned long long)w->shown[LEFT],
          (unsigned long long)w->shown[RIGHT]);
    if (prng_below(&w->r, 12))
        all[prng_below(&w->r, sizeof all / sizeof *all)](w);
    else
        runs(w);
}

static void walk(const struct both *b, const char *file, const char *const options[SIDES][3], uint64_t seed)
{
    static struct walk w;
    w = (struct walk){.b = b, .armed = {-1, -1, -1}};
    prng_seed(&w.r, seed, 1);
    noted(w.trail, "seed %d:", (int)seed);
    while (!b->list[++w.first].shown[LEFT] || !b->list[w.first].shown[RIGHT])
        ;
    for (int i = 0; i < SIDES; i++)
        open_session(&w.l[i], file, options[i], true);
    CHECK(w.p = comparison_new(w.l[LEFT].s, w.l[RIGHT].s, TEMPO_MAX));
    w.ops = comparison_ops(w.p);
    w.ops->motion->pause(w.l[LEFT].s, true);
    at_rest(&w);
    for (int i = 0; i < SIDES; i++)
        w.shown[i] = status_of(&w, i).events;
    while (w.at < b->n && b->list[w.at + 1].event <= w.shown[b->list[w.at + 1].side])
        w.at++; /* it ran until the pause */
    w.newest = w.at;
    struct goal g = forward(&w, STEP_EVENT, 30);
    w.ops->motion->step(w.l[LEFT].s, STEP_EVENT, 30);
    at_rest(&w);
    check_goal(&w, &g);
    for (int i = 0; i < 40; i++)
        any_request(&w);
    comparison_free(w.p);
    for (int i = 0; i < SIDES; i++)
        close_live(&w.l[i]);
}

static void walks(const char *file, const char *option, const char *value, long seeds)
{
    struct both b = {0};
    const char *const options[SIDES][3] = {{"--max-events=3000", NULL}, {option, value, NULL}};
    for (int i = 0; i < SIDES; i++)
        truth_of(&b.t[i], file, options[i]);
    merge(&b);
    for (long seed = 1; seed <= seeds; seed++)
        walk(&b, file, options, (uint64_t)seed);
    for (int i = 0; i < SIDES; i++)
        truth_free(&b.t[i]);
    free(b.list);
}

TEST(every_way_of_two_runs_leads_there)
{
    static const char *const options[][2] = {
        {"--seed", "9"}, {"--procs", "1"}, {"--procs", "3"}, {"--generation", "go1.13"}, {"--history", "64K"}};
    char *file = strdup(t_file("busy.yaml", BUSY("gomaxprocs: 3, runq_size: 4", "4", "3")));
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        walks(file, options[i][0], options[i][1], t_count(20, 500));
    free(file);
}

TEST(every_way_of_two_shipped_runs_leads_there)
{
    static const char *const runs[][3] = {
        {"steal-half", "--seed", "4"},
        {"blocking-syscall", "--procs", "3"},
        {"gc-cycle", "--generation", "go1.13"},
        {"net-echo", "--seed", "7"},
        {"mutex-starving", "--procs", "2"}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char file[500];
        snprintf(file, sizeof file, "%s/scenarios/%s.yaml", SOURCE_DIR, runs[i][0]);
        walks(file, runs[i][1], runs[i][2], t_count(10, 300));
    }
}
