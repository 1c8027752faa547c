/* The tempo: how long each event stays at `--tempo auto`. Nothing here waits: the times are sums of what dwell_ns() returns. */
#include "live.h"

#include "model/history/spawns.h"
#include "session/dwell.h"

#include <stdlib.h>

TEST(a_tempo_is_a_word_or_a_rate)
{
    static const char *const wrong[] = {"", "fast", "0", "-1", "1e9", "nan", "4x", "autos"};
    struct tempo t;
    CHECK(tempo_parse("auto", &t) && t.automatic && t.rate == 1);
    CHECK(tempo_parse("max", &t) && !t.automatic && isinf(t.rate));
    CHECK(tempo_parse("2.5", &t) && !t.automatic && t.rate == 2.5);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (tempo_parse(wrong[i], &t))
            t_fail(__FILE__, __LINE__, "\"%s\" was taken", wrong[i]);
}

TEST(the_scale_of_each_kind_leads_up_to_max_and_back)
{
    struct tempo start[] = {TEMPO_AUTO, TEMPO_FIXED(4), TEMPO_FIXED(5)};
    for (int i = 0; i < 3; i++) {
        struct tempo t = start[i], was;
        do {
            was = t;
            t = tempo_next(t, 1);
            CHECK_INT(t.automatic, start[i].automatic);
        } while (t.rate > was.rate);
        CHECK(isinf(t.rate));
        do {
            was = t;
            t = tempo_next(t, -1);
        } while (t.rate < was.rate);
        CHECK(t.rate > 0 && t.rate < 1 && t.automatic == start[i].automatic);
    }
}

TEST(a_speed_is_a_fraction)
{
    static const char *const wrong[] = {"", "0", "1/0", "1/", "/2", "1.5", "-1", "1/1000001", "1001", "99999999999999999999", "1/2x"};
    struct speed s;
    CHECK(speed_parse("1", &s) && s.num == 1 && s.den == 1);
    CHECK(speed_parse("1/1000", &s) && s.num == 1 && s.den == 1000);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (speed_parse(wrong[i], &s))
            t_fail(__FILE__, __LINE__, "\"%s\" was taken", wrong[i]);
}

TEST(the_scale_of_speeds_has_powers_of_ten)
{
    static const struct {
        struct speed from;
        int up;
        struct speed to;
    } steps[] = {
        {{1, 1000}, 1, {1, 100}},
        {{1, 1000}, -1, {1, 10000}},
        {{1, 10}, 1, {1, 1}},
        {{1, 1}, 1, {1, 1}},
        {{2, 300}, 1, {1, 100}},
        {{2, 300}, -1, {1, 1000}},
        {{3, 1}, -1, {1, 1}},
        {{3, 1}, 1, {3, 1}},
        {{1, 500}, 1, {1, 100}},
        {{1, 1}, -1, {1, 10}},
        {{1, 1000000}, -1, {1, 1000000}}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct speed s = speed_next(steps[i].from, steps[i].up);
        if (s.num != steps[i].to.num || s.den != steps[i].to.den)
            t_fail(__FILE__, __LINE__, "%u/%u by %d: %u/%u", steps[i].from.num, steps[i].from.den, steps[i].up, s.num, s.den);
    }
}

/* A thousand times slower, the gates of a free run take at least a millisecond each: the speed of the option holds from the first event on. */
TEST(the_option_sets_the_speed_of_a_free_run)
{
    LIVE(l, endless_text, "--mode=free", "--speed=1/1000");
    CHECK_INT(status(&l).speed.den, 1000);
    wait_events(&l, 10);
    session_ops.motion->tempo(l.s, 1);
    CHECK_INT(status(&l).speed.den, 100);
    session_ops.motion->restart(l.s, status(&l).seed);
    while (!status(&l).run)
        wait_change(&l);
    CHECK_INT(status(&l).speed.den, 100);
    close_live(&l);
}

TEST(free_mode_begins_in_slow_motion_unless_a_speed_was_asked_for)
{
    static const struct {
        const char *option;
        uint32_t den;
    } runs[] = {{"--tempo=max", 100000}, {"--speed=1/10", 10}};
    for (int i = 0; i < 2; i++) {
        LIVE(l, endless_text, runs[i].option);
        session_ops.motion->toggle_mode(l.s);
        while (status(&l).lockstep)
            wait_change(&l);
        CHECK_INT(status(&l).speed.den, runs[i].den);
        uint64_t n = status(&l).events;
        wait_events(&l, n + 10);
        close_live(&l);
    }
}

/* Its clock runs faster while nothing happens; scenario time is as long as always. */
TEST(slow_motion_does_not_wait_out_a_quiet_time)
{
    LIVE(l, "name: naps\ngoroutines: [{name: main, do: [{loop: forever, do: [{sleep: 5ms}]}]}]\n", "--tempo=max");
    wait_events(&l, 20);
    session_ops.motion->toggle_mode(l.s);
    while (status(&l).lockstep)
        wait_change(&l);
    uint64_t n = status(&l).events;
    wait_events(&l, n + 3); /* at 1/100000, without the skips, 5 ms would last more than 8 minutes */
    close_live(&l);
}

/* A run of a scenario to its end, with its history. */
struct played {
    struct options o;
    struct session *s;
    struct engine *e;
};

static struct played play(const struct scenario *sc, bool lesson)
{
    struct played p;
    char err[200];
    bool ended;
    CHECK(options_parse(&p.o, CMD_RUN, 3, (char *[]){(char *)"--tempo=max", (char *)"--mode=lockstep", (char *)"--max-events=50000"}));
    struct session_config c = command_session(sc, &p.o);
    c.engine.lesson = lesson;
    if (!(p.s = session_new(&c, err, sizeof err)))
        t_fail(__FILE__, __LINE__, "%s", err);
    struct session_status st;
    for (session_ops.status(p.s, &st); !st.ended && st.stop.kind != STOP_LIMIT; session_ops.status(p.s, &st)) {
        uint64_t n;
        struct pollfd fd = {.fd = session_ops.wake_fd(p.s), .events = POLLIN};
        if (poll(&fd, 1, 20) > 0 && read(fd.fd, &n, sizeof n) < 0)
            t_fail(__FILE__, __LINE__, "eventfd");
        if (st.still && !st.ended)
            session_ops.motion->pause(p.s, false); /* an entry of the lesson has stopped it */
    }
    p.e = session_stop(p.s, &ended);
    return p;
}

static void end_play(struct played *p)
{
    session_free(p->s);
    options_fini(&p->o);
}

/* ---- what stays, and what passes ---- */

static const char spawns_text[] =
    "name: spawns\n"
    "scheduler: {gomaxprocs: 2, runq_size: 4}\n"
    "waitgroups: [wg]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{add: wg, n: 12}, {go: worker, count: 12}, {wait: wg}]\n"
    "  - name: worker\n"
    "    do: [{compute: 1ms}, {done: wg}]\n";

static int64_t dwell_of_next(struct played *p, uint64_t *n, uint8_t kind)
{
    struct history_event e;
    while (history_get(p->e->history, ++*n, &e))
        if (e.ev.kind == kind)
            return dwell_ns(p->e->history, *n, false) / 1000000;
    t_fail(__FILE__, __LINE__, "there is no further %s", ev_desc[kind].name);
    return -1;
}

TEST(boot_and_repeated_spawns_pass_in_a_blink_and_what_matters_stays)
{
    struct scenario *sc = load(t_file("spawns.yaml", spawns_text));
    struct played p = play(sc, false);
    uint64_t n = 0;
    CHECK_INT(dwell_of_next(&p, &n, EV_PROCRESIZE), 0);
    CHECK_INT(dwell_of_next(&p, &n, EV_G_CREATE), 0); /* main */
    CHECK(dwell_of_next(&p, &n, EV_G_START) >= 1000);
    CHECK(dwell_of_next(&p, &n, EV_G_CREATE) > 0);
    CHECK(dwell_of_next(&p, &n, EV_G_CREATE) < 500); /* every program starts Gs */
    for (int i = 3; i <= 12; i++)
        CHECK_INT(dwell_of_next(&p, &n, EV_G_CREATE), 0);
    n = 0;
    int64_t first = dwell_of_next(&p, &n, EV_RUNQ_OVERFLOW), next = dwell_of_next(&p, &n, EV_RUNQ_OVERFLOW);
    CHECK(first >= 1500 && first <= 3000 && next >= 1500 && next <= 3000);
    n = 0;
    CHECK(dwell_of_next(&p, &n, EV_STEAL) >= 1500);
    n = 0;
    CHECK(dwell_of_next(&p, &n, EV_G_PARK) >= 1500); /* the first of its kind */
    end_play(&p);
    scenario_free(sc);
}

/* The first two Gs have all their sentences. The rest have one, at the last start before an event with a sentence of its own. */
TEST(repeated_spawns_are_told_once)
{
    struct scenario *sc = load(t_file("spawns.yaml", spawns_text));
    struct played p = play(sc, false);
    struct spawn_history all = {.h = p.e->history, .last = history_events(p.e->history)};
    struct history_event e;
    uint32_t told = 0, rows = 0, next = 4;
    for (uint64_t n = 1; history_get(all.h, n, &e); n++) {
        bool no_row = spawn_has_no_row(spawn_read_history, &all, (int64_t)n);
        struct spawn_told t = spawn_tells(spawn_read_history, &all, (int64_t)n, -1);
        CHECK(!no_row || spawn_is_repeat(spawn_read_history, &all, (int64_t)n));
        if (e.ev.kind != EV_G_CREATE || no_row || !t.n)
            continue;
        CHECK_INT(t.first, next);
        CHECK_INT(t.first + t.n - 1, e.ev.g);
        next = e.ev.g + 1;
        told += t.n;
        rows++;
    }
    CHECK_INT(told, 10);
    CHECK(rows > 1 && rows < 6); /* the ring overflows twice */
    end_play(&p);
    scenario_free(sc);
}

struct array {
    const struct ev *v;
    int64_t n;
};

static const struct ev *read_array(void *ctx, int64_t at, uint32_t *m)
{
    const struct array *a = ctx;
    *m = 0;
    return at >= 0 && at < a->n ? &a->v[at] : NULL;
}

/* A sentence does not grow without end. What comes after the last event that may be read does not count. */
TEST(a_long_row_of_spawns_has_a_sentence_for_each_hundred)
{
    enum { GS = 250, EACH = 2 };
    struct ev log[GS * EACH];
    struct spawn_told told;
    int64_t shown = 0;
    for (uint32_t i = 0; i < GS; i++) {
        log[i * EACH] = (struct ev){.kind = EV_G_CREATE, .g = i + 2, .a = 1, .b = 1};
        log[i * EACH + 1] = (struct ev){.kind = EV_RUNNEXT_PUT, .g = i + 2};
    }
    struct array a = {log, GS * EACH};
    for (int64_t at = 2 * EACH; at < GS * EACH; at += EACH)
        shown += !spawn_has_no_row(read_array, &a, at);
    CHECK_INT(shown, 3);
    told = spawn_tells(read_array, &a, 98 * EACH, -1);
    CHECK(told.first == 4 && told.n == 97);
    told = spawn_tells(read_array, &a, 198 * EACH, -1);
    CHECK(told.first == 101 && told.n == 100);
    told = spawn_tells(read_array, &a, 198 * EACH, 190 * EACH + 1);
    CHECK(told.first == 193 && told.n == 8);
    CHECK(spawn_has_no_row(read_array, &a, 50 * EACH));
    a.n = 51 * EACH;
    CHECK(!spawn_has_no_row(read_array, &a, 50 * EACH));
}

/* ---- all lessons ---- */

enum { LESSONS_MAX = 1000 };
struct waits {
    double automatic[LESSONS_MAX],
        fixed[LESSONS_MAX]; /* s until the first entry that is not met at the start; fixed: at 4 events a second */
    int n;
};

static uint64_t first_cue(const struct lesson *l)
{
    uint64_t at = 0;
    for (uint32_t i = 0; i < l->n; i++)
        if (l->v[i].met_at && (!at || l->v[i].met_at < at))
            at = l->v[i].met_at;
    return at;
}

static void add_wait(struct waits *w, struct played *p)
{
    struct history_event e;
    uint64_t cue = first_cue(&p->e->lesson);
    w->automatic[w->n] = w->fixed[w->n] = 0;
    for (uint64_t n = 1; n < cue && history_get(p->e->history, n, &e); n++) {
        w->automatic[w->n] += (double)dwell_ns(p->e->history, n, true) / 1e9;
        w->fixed[w->n] += ev_level_of[e.ev.kind] == EV_CORE ? 0.25 : 0;
    }
    w->n += w->fixed[w->n] > 0; /* else its first entry comes before any core event: no tempo waits */
}

/* ---- all scenarios ---- */

/* Returns the event that the scenario is about: the first one after the boot at which its lesson asks or stops, else the first that moves many Gs
 * or a P, or ends the run. 0: none. */
static uint64_t what_matters(struct played *p)
{
    struct history_event e;
    uint64_t booted = 0, cue = 0;
    for (uint64_t n = 1; !booted && history_get(p->e->history, n, &e); n++)
        booted = e.ev.kind == EV_G_START && e.ev.g == 1 ? n : 0;
    for (uint32_t i = 0; i < p->e->lesson.n; i++) {
        uint64_t at = p->e->lesson.v[i].met_at;
        cue = at > booted && (!cue || at < cue) ? at : cue;
    }
    for (uint64_t n = booted; !cue && history_get(p->e->history, n, &e); n++)
        cue = ev_weight(e.ev.kind) == WEIGHT_MAJOR ? n : 0;
    return cue;
}

/* Returns how long the events before `to` stay, in s. */
static double time_until(struct played *p, uint64_t to)
{
    double s = 0;
    for (uint64_t n = 1; n < to; n++)
        s += (double)dwell_ns(p->e->history, n, false) / 1e9;
    return s;
}

static void add_what_matters(struct waits *w, struct played *p, const char *path)
{
    struct history_event e;
    uint64_t at = what_matters(p);
    if (at && history_get(p->e->history, at, &e)) {
        w->automatic[w->n] = time_until(p, at);
        printf("%5.1f s until %s in %s\n", w->automatic[w->n++], ev_desc[e.ev.kind].name, strrchr(path, '/') + 1);
    }
}

/* Both of each scenario, because to play it takes longer than to look at it. */
struct all_waits {
    struct waits cue, matters;
};

static void add_waits(const struct scenario *sc, const char *path, void *ctx)
{
    struct all_waits *w = ctx;
    struct played p = play(sc, true);
    if (scenario_info(sc)->nlesson && w->cue.n < LESSONS_MAX)
        add_wait(&w->cue, &p);
    if (w->matters.n < LESSONS_MAX)
        add_what_matters(&w->matters, &p, path);
    end_play(&p);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A lesson reaches its first cue sooner than at four events a second, and a run soon reaches what the scenario is about. */
TEST(every_scenario_reaches_what_matters_soon)
{
    struct all_waits *all = calloc(1, sizeof *all);
    CHECK(all);
    each_scenario(add_waits, all);
    struct waits *w = &all->cue;
    CHECK(w->n > 20);
    qsort(w->automatic, (size_t)w->n, sizeof *w->automatic, compare);
    qsort(w->fixed, (size_t)w->n, sizeof *w->fixed, compare);
    printf("%d lessons, median/worst wait until the first cue: auto %.1f/%.1f s, 4 a second %.1f/%.1f s\n", w->n, w->automatic[w->n / 2],
           w->automatic[w->n - 1], w->fixed[w->n / 2], w->fixed[w->n - 1]);
    CHECK(w->automatic[w->n / 2] < w->fixed[w->n / 2]);
    CHECK(w->automatic[w->n - 1] < w->fixed[w->n - 1]);
    w = &all->matters;
    qsort(w->automatic, (size_t)w->n, sizeof *w->automatic, compare);
    printf("%d scenarios, median/worst wait until what they are about: %.1f/%.1f s\n", w->n, w->automatic[w->n / 2],
           w->automatic[w->n - 1]);
    fflush(stdout);
    CHECK(w->automatic[w->n / 2] <= 5);
    free(all);
}

TEST(steal_half_reaches_its_steal_in_eight_seconds)
{
    struct scenario *sc = load(SOURCE_DIR "/scenarios/steal-half.yaml");
    struct played p = play(sc, false);
    struct history_event e;
    uint64_t n = 1;
    while (history_get(p.e->history, n, &e) && (e.ev.kind != EV_STEAL || e.ev.b >> 1 < 2))
        n++;
    printf("%.1f s until event %llu\n", time_until(&p, n), (unsigned long long)n);
    fflush(stdout);
    CHECK(e.ev.kind == EV_STEAL && time_until(&p, n) <= 8);
    CHECK(dwell_ns(p.e->history, n, false) >= 1500 * INT64_C(1000000));
    end_play(&p);
    scenario_free(sc);
}
