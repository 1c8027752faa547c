/* Random walks through a run, as a person takes them: steps, rounds, back, goto, until, breakpoints, run. Each request is made to three sessions of
 * one run: its history in memory, its history in the file, and recorded to the end before the walk begins. Where each request must lead is worked out here
 * from the list of all events, in the simplest way. */
#include "base/prng.h"
#include "same.h"
#include "truth.h"

#include <time.h>

enum { SESSIONS = 3 };

/* ---- a walk ---- */

struct walk {
    const struct truth *t;
    struct live l[SESSIONS];
    struct prng r;
    uint64_t at, newest, mark;
    bool ended; /* the run is over */
    int armed[ARMED];
    uint32_t id[ARMED], ids;
    char trail[TRAIL];
};

/* Returns the first event after `from`, up to `to`, at which a breakpoint stops; 0: none does. */
static uint64_t first_stop(const struct walk *w, uint64_t from, uint64_t to)
{
    uint64_t first = 0;
    for (int i = 0; i < ARMED; i++) {
        int r = w->armed[i];
        uint64_t k = r < 0 ? 0 : rules[r].nth ? nth_match(w->t, r, 0, rules[r].nth) : nth_match(w->t, r, from, 1);
        if (k > from && k <= to && (!first || k < first))
            first = k;
    }
    return first;
}

/* Where a session must be after a request: at `from`, or after it, but before the next core event, if the world may have logged details there. */
struct goal {
    uint64_t from, to;
    bool stops; /* a breakpoint stops it */
};

static struct goal goal_at(uint64_t k)
{
    return (struct goal){k, k, false};
}

static struct goal goal_loose(const struct walk *w, uint64_t k)
{
    uint64_t core = next(w->t, STEP_EVENT, k, w->t->n);
    return (struct goal){k, core ? core - 1 : w->t->n, false};
}

static struct goal stop_before(const struct walk *w, uint64_t from, struct goal g)
{
    uint64_t stop = first_stop(w, from, g.from);
    return stop ? (struct goal){stop, stop, true} : g;
}

static struct goal after_steps(const struct walk *w, uint64_t newest, bool over, enum step_kind kind, uint32_t n)
{
    uint64_t at = w->at, k;
    if (at == newest && over)
        return goal_at(at);
    bool past = at < newest;
    for (; n && at < (past ? newest : w->t->n); n--) {
        uint64_t end = past ? newest : w->t->n;
        k = next(w->t, kind, at, end);
        bool only_details = past && kind != STEP_DETAIL && k && !next(w->t, STEP_EVENT, k, newest);
        at = k && !only_details ? k : end;
    }
    return stop_before(w, w->at, past || kind == STEP_DETAIL ? goal_at(at) : goal_loose(w, at));
}

static struct goal after_steps_back(const struct walk *w, enum step_kind kind, uint32_t n)
{
    uint64_t at = w->at;
    for (; n; n--) {
        uint64_t shown = last(w->t, STEP_EVENT, at);
        at = kind == STEP_DETAIL ? at - (at > 1) : shown ? last(w->t, kind, shown - 1) : 0;
        at = at ? at : 1;
    }
    return goal_at(at);
}

static struct goal after_run(const struct walk *w)
{
    return stop_before(w, w->at, goal_at(w->t->n));
}

/* xN of `until` counts from here. Without a match the past stays as it is shown if the run is over. */
static struct goal after_until(const struct walk *w, bool over, int rule)
{
    uint64_t k = nth_match(w->t, rule, w->at, rules[rule].nth ? rules[rule].nth : 1);
    struct goal g = stop_before(w, w->at, goal_at(k ? k : w->t->n));
    if (k && !g.stops)
        g.stops = true;
    return g.stops || !over ? g : goal_at(w->at);
}

/* ---- the sessions ---- */

/* The last one was at its end before the walk began. */
static bool is_recorded(int s)
{
    return s == SESSIONS - 1;
}

static struct session_status at_rest(struct live *l)
{
    struct session_status st;
    while (!(st = status(l)).still && !st.ended)
        nanosleep(&(struct timespec){.tv_nsec = 20000},
                  NULL); /* an end need not come with news, and the test's alarm ends an endless wait */
    return st;
}

static void wrong(struct walk *w, int s, const char *what, uint64_t got, uint64_t want)
{
    t_fail(__FILE__, __LINE__, "session %d: %s is %llu, should be %llu: %s", s, what, (unsigned long long)got, (unsigned long long)want,
           w->trail);
}

static void check_goal(struct walk *w, int s, const struct goal *g, const struct session_status *st)
{
    if (st->events < g->from || st->events > g->to)
        wrong(w, s, "the event", st->events, g->from);
    if (g->stops != (st->stop.kind == STOP_BREAKPOINT))
        wrong(w, s, "the stop", st->stop.kind, g->stops);
    if (st->back != (st->events < st->newest))
        wrong(w, s, "the past", st->back, st->events < st->newest);
    if (st->over && st->newest != w->t->n)
        wrong(w, s, "the end", st->newest, w->t->n);
    if (!st->paused && !st->ended)
        wrong(w, s, "paused", st->paused, 1);
}

/* What two sessions of one kind show alike. */
static void check_alike(struct walk *w, struct session_status st[SESSIONS])
{
    struct session_break b[2][BREAKS_LISTED];
    int n[2];
    if (st[0].events != st[1].events)
        wrong(w, 1, "the event of both", st[1].events, st[0].events);
    if (st[0].newest != st[1].newest || st[0].time != st[1].time || st[0].over != st[1].over)
        wrong(w, 1, "the newest", st[1].newest, st[0].newest);
    if (strcmp(st[0].stop.text, st[1].stop.text))
        wrong(w, 1, "the stop's text", 1, 0);
    for (int s = 0; s < 2; s++)
        n[s] = session_ops.breaks->list(w->l[s].s, b[s], BREAKS_LISTED);
    CHECK_INT(n[1], n[0]);
    for (int i = 0; i < n[0]; i++)
        if (b[0][i].hits != b[1][i].hits || b[0][i].id != b[1][i].id)
            wrong(w, 1, "the hits", b[1][i].hits, b[0][i].hits);
}

/* The state is that of the whole run after this event. */
static void check_state(struct walk *w, int s)
{
    int n;
    struct model *got = session_ops.view(w->l[s].s, NULL, 0, &n), *want = NULL;
    CHECK(got && history_move(w->t->e->history, &want, w->at));
    model_pass_time(want, model_time(got));
    SAME(want, got);
    model_free(got);
    model_free(want);
}

/* ---- requests ---- */

enum request { STEP, BACK, RUN, UNTIL, GOTO_EVENT, GOTO_TIME, GOTO_MARK, REQUESTS_MADE };
struct wish {
    enum request what;
    enum step_kind kind;
    uint32_t n;
    uint64_t event;
    int64_t time;
    int rule;
};

static struct goal goal_of(const struct walk *w, int s, const struct wish *a)
{
    bool over = is_recorded(s) || w->ended;
    uint64_t newest = is_recorded(s) ? w->t->n : w->newest;
    switch (a->what) {
    case STEP:
        return after_steps(w, newest, over, a->kind, a->n);
    case BACK:
        return after_steps_back(w, a->kind, a->n);
    case RUN:
        return w->at == newest && over ? goal_at(w->at) : after_run(w);
    case UNTIL:
        return after_until(w, over, a->rule);
    case GOTO_MARK:
        return goal_at(w->mark);
    default:
        return goal_at(a->event);
    }
}

static void ask(struct session *s, const struct wish *a)
{
    struct session_mistake mistake = {.lang = LANG_EN};
    switch (a->what) {
    case STEP:
        session_ops.motion->step(s, a->kind, a->n);
        break;
    case BACK:
        CHECK_INT(session_ops.rewind->step_back(s, a->kind, a->n), GOTO_DONE);
        break;
    case RUN:
        session_ops.motion->pause(s, false);
        break;
    case UNTIL:
        CHECK(session_ops.run_to->match(s, rules[a->rule].text, &mistake));
        break;
    case GOTO_MARK:
        CHECK_INT(session_ops.rewind->goto_mark(s, "here"), GOTO_DONE);
        break;
    case GOTO_TIME:
        CHECK_INT(session_ops.rewind->goto_time(s, a->time), GOTO_DONE);
        break;
    default:
        CHECK_INT(session_ops.rewind->goto_event(s, a->event), GOTO_DONE);
    }
}

/* A request of a session that stops where it is, without a move, keeps the stop that it had. */
static void request(struct walk *w, const struct wish *a)
{
    struct session_status st[SESSIONS];
    uint64_t was = w->at;
    for (int s = 0; s < SESSIONS; s++) {
        struct goal g = goal_of(w, s, a);
        ask(w->l[s].s, a);
        st[s] = at_rest(&w->l[s]);
        bool moves = a->what == STEP || a->what == RUN || a->what == UNTIL, returns = was < st[s].newest && st[s].events == st[s].newest;
        if (!g.stops && (!moves || returns || g.from == was))
            g.stops = st[s].stop.kind == STOP_BREAKPOINT; /* the present, or the place, may be shown as stopped as before */
        check_goal(w, s, &g, &st[s]);
    }
    check_alike(w, st);
    w->at = st[0].events;
    w->newest = st[0].newest;
    w->ended = st[0].over;
    if (st[SESSIONS - 1].events != w->at)
        CHECK_INT(session_ops.rewind->goto_event(w->l[SESSIONS - 1].s, w->at), GOTO_DONE);
}

static struct wish any_request(struct walk *w)
{
    static const enum step_kind kinds[] = {STEP_EVENT, STEP_EVENT, STEP_ROUND, STEP_DETAIL};
    struct wish a = {.kind = kinds[prng_below(&w->r, 4)], .n = 1 + prng_below(&w->r, 8), .rule = (int)prng_below(&w->r, RULES)};
    uint32_t most = prng_below(&w->r, 8) ? 9 : 0; /* in steps: the nearest places are the likeliest */
    uint64_t near = w->at > most ? w->at - most : 1;
    a.event = most ? near + prng_below(&w->r, 2 * most) : 1 + prng_below(&w->r, (uint32_t)w->newest);
    a.event = a.event > w->newest ? w->newest : a.event;
    a.what = prng_below(&w->r, 3) ? (enum request)prng_below(&w->r, REQUESTS_MADE) : STEP;
    if (a.what == RUN && prng_below(&w->r, 3)) /* else most walks would soon be at the end */
        a.what = STEP;
    if (a.what == UNTIL && prng_below(&w->r, 2) && !nth_match(w->t, a.rule, w->at, rules[a.rule].nth ? rules[a.rule].nth : 1))
        a.what = BACK;
    if (a.what == GOTO_MARK && !w->mark)
        a.what = GOTO_EVENT;
    if (a.what == GOTO_TIME) {
        a.time = w->t->ev[a.event].time;
        while (a.event < w->newest && w->t->ev[a.event + 1].time <= a.time)
            a.event++;
        if (a.event == w->newest) /* of which `newest` may have followers of the same time */
            a.what = GOTO_EVENT;
    }
    static const char *const names[] = {"step", "back", "run", "until", "goto", "time", "mark"};
    noted(w->trail, " %s(%d,%u,%llu,%s)@%llu/%llu", names[a.what], (int)a.kind, a.n, (unsigned long long)a.event,
          a.what == UNTIL ? rules[a.rule].text : "", (unsigned long long)w->at, (unsigned long long)w->newest);
    return a;
}

static void change_breaks(struct walk *w)
{
    struct session_mistake mistake = {.lang = LANG_EN};
    struct session_break all[BREAKS_LISTED];
    uint32_t i = prng_below(&w->r, ARMED), armed = 0;
    int rule = w->armed[i] >= 0 ? -1 : (int)prng_below(&w->r, RULES);
    for (uint32_t k = 0; k < ARMED; k++)
        armed += k == i ? rule >= 0 : w->armed[k] >= 0;
    for (int s = 0; s < SESSIONS; s++) {
        if (rule < 0)
            CHECK(session_ops.breaks->delete (w->l[s].s, w->id[i]));
        else
            CHECK(session_ops.breaks->add(w->l[s].s, rules[rule].text, &mistake));
        while (session_ops.breaks->list(w->l[s].s, all, BREAKS_LISTED) != (int)armed)
            at_rest(&w->l[s]);
        at_rest(&w->l[s]);
    }
    w->armed[i] = rule;
    w->id[i] = rule < 0 ? 0 : ++w->ids;
    noted(w->trail, " %s(%s)", rule < 0 ? "unbreak" : "break", rule < 0 ? "" : rules[rule].text);
}

static void set_mark(struct walk *w)
{
    for (int s = 0; s < SESSIONS; s++)
        CHECK(session_ops.rewind->mark(w->l[s].s, "here"));
    w->mark = w->at;
}

static void check_searches(struct walk *w)
{
    int rule = (int)prng_below(&w->r, RULES);
    uint64_t from = 1 + prng_below(&w->r, (uint32_t)w->newest), want = from;
    if (rules[rule].gauge || rules[rule].nth)
        return;
    while (want && !w->t->hit[rule][want])
        want--;
    for (int s = 0; s < SESSIONS; s++)
        if (session_ops.search->find(w->l[s].s, rules[rule].text, from, -1) != want)
            wrong(w, s, "found", session_ops.search->find(w->l[s].s, rules[rule].text, from, -1), want);
}

/* Makes the first step, because nothing is shown before the first event. */
static void set_off(struct walk *w)
{
    struct session *recorded = w->l[SESSIONS - 1].s;
    for (int s = 0; s < SESSIONS - 1; s++)
        session_ops.motion->step(w->l[s].s, STEP_EVENT, 1);
    for (int s = 0; s < SESSIONS - 1; s++)
        w->at = w->newest = at_rest(&w->l[s]).newest;
    wait_end(&w->l[SESSIONS - 1]);
    CHECK_INT(session_ops.rewind->goto_event(recorded, w->at), GOTO_DONE);
}

static void walk(const struct truth *t, const char *file, uint64_t seed, int length)
{
    static struct walk w;
    w = (struct walk){.t = t, .armed = {-1, -1, -1}};
    prng_seed(&w.r, seed, 1);
    noted(w.trail, "seed %d:", (int)seed);
    open_session(&w.l[0], file, OPTIONS("--max-events=6000", "--history=256M"), true);
    open_session(&w.l[1], file, OPTIONS("--max-events=6000", "--history=64K"), true);
    open_session(&w.l[2], file, OPTIONS("--max-events=6000"), false);
    set_off(&w);
    for (int i = 0; i < length; i++) {
        struct wish a = any_request(&w);
        request(&w, &a);
        if (i % 4 == 0)
            change_breaks(&w);
        if (i % 8 == 0)
            check_state(&w, (int)prng_below(&w.r, SESSIONS));
        if (i % 8 == 4)
            check_searches(&w);
        if (i % 8 == 6)
            set_mark(&w);
    }
    for (int s = 0; s < SESSIONS; s++)
        close_live(&w.l[s]);
}

static void walks(const char *file, long seeds)
{
    struct truth t = {0};
    truth_of(&t, file, OPTIONS("--max-events=6000"));
    for (long seed = 1; seed <= seeds; seed++)
        walk(&t, file, (uint64_t)seed, 40);
    truth_free(&t);
}

TEST(every_way_to_a_place_leads_there)
{
    char *file = strdup(t_file("busy.yaml", BUSY("gomaxprocs: 3, runq_size: 4", "8", "5")));
    walks(file, t_count(100, 2000));
    free(file);
}

TEST(every_way_in_a_shipped_scenario_leads_there)
{
    static const char *const names[] = {"steal-half", "blocking-syscall",  "net-echo",  "gc-cycle", "mutex-starving", "timerproc",
                                        "chain",      "gomaxprocs-shrink", "net-sysmon"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char file[500];
        snprintf(file, sizeof file, "%s/scenarios/%s.yaml", SOURCE_DIR, names[i]);
        walks(file, t_count(20, 500));
    }
}
