/* A failed internal check ends the run, whatever its threads wait for: a lock of an M that has thrown, or room in a ring that is no longer
 * drained. The exit code is 4, and stderr has the reason and the last events. If the run hangs, the test's alarm ends it. */
#include "live.h"
#include "shell.h"

#include <math.h>
#include <sys/stat.h>

/* ---- an invariant is violated while an M waits for room in its ring ---- */

/* Without wakep() no M is woken for G2, which is a failure under --strict. main logs faster than any output is
 * written. */
static const char violated[] =
    "name: violated\n"
    "scheduler: {disable: [wakep]}\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{yield: 150000}, {go: other}, {compute: 1ms}, {yield: 5000000}]\n"
    "  - name: other\n"
    "    do: [{compute: 10ms}]\n";

/* The scenario itself disables the mechanism, so the wakeup that it loses is what it is about. */
static void check_won(const struct result *r)
{
    CHECK_INT(r->code, 4);
    HAS(r->err, "gmpscope: won: G2 can run and a P is idle");
    HAS(r->err, "because this is disabled: wakep. You have found the schedule");
    CHECK_INT(lines(r->err), 2);
}

static void violate(char *output, char *more)
{
    struct result r = HEADLESS(t_file("violated.yaml", violated), "--strict", output, more);
    check_won(&r);
}

TEST(a_violation_ends_a_run_that_prints_events)
{
    violate("--events", "--seed=1");
}
TEST(a_violation_ends_a_run_that_narrates)
{
    violate("--narrate", "--seed=2");
}
TEST(a_violation_ends_a_run_that_sums_up)
{
    violate("--json", "--seed=3");
}
TEST(a_violation_ends_a_run_that_is_paused)
{
    violate("--events", "--pauses=20");
}
TEST(a_violation_ends_a_run_with_fine_points)
{
    violate("--events", "--fine");
}

TEST(a_violation_ends_a_comparison)
{
    char *f = (char *)t_file("violated.yaml", violated);
    struct result r = RUN("compare", f, "--right", "seed=2", "--headless", "--strict");
    check_won(&r);
    CHECK_STR(r.out, "");
}

TEST(a_violation_fails_a_seed)
{
    struct result r = RUN("explore", (char *)t_file("violated.yaml", violated), "--seeds=1", "--coarse");
    CHECK_INT(r.code, 4);
    HAS(r.out, "invariant: G2 can run and a P is idle");
}

/* ---- an M throws with a runtime lock held ---- */

static const char talks[] =
    "name: talks\n"
    "conns: [c]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: other}, {write: c.a, bytes: 10}, {read: c.a, bytes: 1}]\n"
    "  - name: other\n"
    "    do: [{read: c.b, bytes: 10}, {write: c.b, bytes: 1}]\n";

/* Replaces the sockets of this process, so that the next send() fails and the runtime takes that for its own
 * mistake. */
static void break_sockets(void)
{
    struct stat st;
    int n = 0, null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 3; fd < 100; fd++)
        if (fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode)) {
            CHECK_INT(dup2(null, fd), fd);
            n++;
        }
    close(null);
    CHECK(n >= 2);
}

static void throw_in(enum conductor_mode mode, bool fine, struct drive d)
{
    char err[200], *text;
    size_t size;
    struct scenario *sc = load(t_file("talks.yaml", talks));
    struct engine_config c = {.scenario = sc, .rt = scenario_config(sc), .limit = INT64_MAX, .max_events = UINT64_MAX};
    c.rt.mode = mode;
    c.rt.fine = fine;
    struct engine *e = engine_new(&c, err, sizeof err);
    CHECK(e);
    break_sockets();
    engine_drive(e, &d);
    CHECK_STR(e->failure, "throw: conn: send failed");
    CHECK(!engine_hangs(e));
    CHECK_INT(engine_exit_code(e, true), 4);
    CHECK_INT(engine_lost(e), 0);
    FILE *out = open_memstream(&text, &size);
    engine_post_mortem(e, out);
    fclose(out);
    HAS(text, "gmpscope: an internal check failed: throw: conn: send failed\nthe last ");
    HAS(text, " fatal g=1 ");
    CHECK_STR(strstr(text, " fatal g=1 "), " fatal g=1 text=\"conn: send failed\" kind=internal\n"); /* the very last event */
    free(text);
    engine_free(e);
    scenario_free(sc);
}

TEST(a_throw_ends_lockstep)
{
    throw_in(MODE_LOCKSTEP, false, (struct drive){0});
}
TEST(a_throw_ends_lockstep_with_fine_points)
{
    throw_in(MODE_LOCKSTEP, true, (struct drive){0});
}
TEST(a_throw_ends_lockstep_with_pauses_and_audit)
{
    throw_in(MODE_LOCKSTEP, false, (struct drive){.audit = true, .pauses = 20});
}

TEST(a_throw_ends_free_mode)
{
    for (int i = 0; i < t_count(20, 200); i++)
        throw_in(MODE_FREE, false, (struct drive){.audit = i & 1, .pauses = i & 2 ? 5 : 0});
}

/* The session behind the screen ends, too, reports the reason, and can start another run. */
TEST(a_throw_ends_a_live_session)
{
    LIVE(l, talks, "--tempo", "0.25");
    break_sockets();
    session_ops.motion->set_tempo(l.s, TEMPO_MAX);
    struct session_status st = status(&l);
    while (!(st = status(&l)).ended)
        usleep(1000);
    CHECK(st.failed && st.over);
    CHECK_STR(stop_text(&st), "throw: conn: send failed");
    session_ops.motion->restart(l.s, 1);
    while ((st = status(&l)).run == 0 || !st.ended)
        usleep(1000);
    CHECK(!st.failed);
    bool ended;
    CHECK_INT(session_stop(l.s, &ended)->how, ENDED_MAIN_RETURNED);
    close_live(&l);
}
