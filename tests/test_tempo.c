/* The tempo: how long each event stays at `--tempo auto`. Nothing here waits: the times are sums of what dwell_ns() returns. */
#include "live.h"

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
            session_ops.pause(p.s, false); /* an entry of the lesson has stopped it */
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
    CHECK(dwell_of_next(&p, &n, EV_G_CREATE) >= 1500); /* the first of its kind after the boot */
    CHECK(dwell_of_next(&p, &n, EV_G_CREATE) < 1000);
    for (int i = 3; i <= 12; i++)
        CHECK_INT(dwell_of_next(&p, &n, EV_G_CREATE), 0);
    n = 0;
    int64_t first = dwell_of_next(&p, &n, EV_RUNQ_OVERFLOW), next = dwell_of_next(&p, &n, EV_RUNQ_OVERFLOW);
    CHECK(first >= 1500 && first <= 3000 && next >= 1500 && next <= 3000);
    n = 0;
    CHECK(dwell_of_next(&p, &n, EV_STEAL) >= 1500);
    end_play(&p);
    scenario_free(sc);
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

static void add_wait(const struct scenario *sc, const char *path, void *ctx)
{
    struct waits *w = ctx;
    (void)path;
    if (!scenario_info(sc)->nlesson || w->n == LESSONS_MAX)
        return;
    struct played p = play(sc, true);
    struct history_event e;
    uint64_t cue = first_cue(&p.e->lesson);
    for (uint64_t n = 1; n < cue && history_get(p.e->history, n, &e); n++) {
        w->automatic[w->n] += (double)dwell_ns(p.e->history, n, true) / 1e9;
        w->fixed[w->n] += ev_level_of[e.ev.kind] == EV_CORE ? 0.25 : 0;
    }
    w->n += cue > 0;
    end_play(&p);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

TEST(a_lesson_reaches_its_first_cue_sooner_than_at_four_events_a_second)
{
    struct waits *w = calloc(1, sizeof *w);
    CHECK(w);
    each_scenario(add_wait, w);
    CHECK(w->n > 20);
    qsort(w->automatic, (size_t)w->n, sizeof *w->automatic, compare);
    qsort(w->fixed, (size_t)w->n, sizeof *w->fixed, compare);
    printf("%d lessons, median/worst wait until the first cue: auto %.1f/%.1f s, 4 a second %.1f/%.1f s\n", w->n, w->automatic[w->n / 2],
           w->automatic[w->n - 1], w->fixed[w->n / 2], w->fixed[w->n - 1]);
    CHECK(w->automatic[w->n / 2] < w->fixed[w->n / 2]);
    CHECK(w->automatic[w->n - 1] < w->fixed[w->n - 1]);
    free(w);
}
