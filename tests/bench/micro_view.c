/* What a run loses when it is watched. One process, one run: the screen's thread is released and held in turn, for a
 * tenth of a second each, and each slice is compared with the next one. Longer disturbances of the machine affect
 * both sides alike, and with many pairs the median of their differences is known closely. The whole view is held:
 * the thread waits where it would fetch the next frame, so nothing is copied, drawn or written, while everything is
 * logged and folded as before.
 *
 * The Ms' events are counted, by the wall clock and by the Ms' own CPU time. The second shows what the view does to
 * a runtime that has its CPUs for itself (cache lines, locks). The first also shows the cost of another thread that
 * wants a CPU. */
#include "bench/common.h"
#include "bench/micro.h"
#include "cli/commands.h"
#include "session/session_internal.h"
#include "engine/shipped.h"
#include "scenario/scenario.h"
#include "session/session.h"
#include "ui/input/ui_run.h"
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAIRS_APART = 40, PAIRS = 60, SLICE_MS = 100, WARM_MS = 1500 };

/* ---- in the process that is measured ---- */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t change;
    bool on;
} gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, true};

static void gate_set(bool on)
{
    pthread_mutex_lock(&gate.lock);
    gate.on = on;
    pthread_cond_signal(&gate.change);
    pthread_mutex_unlock(&gate.lock);
}

static struct model *gated_view(struct session *s, struct session_event *events, int max, int *n)
{
    pthread_mutex_lock(&gate.lock);
    while (!gate.on)
        pthread_cond_wait(&gate.change, &gate.lock);
    pthread_mutex_unlock(&gate.lock);
    return session_ops.view(s, events, max, n);
}

/* Reads one number of one thread. */
static double task_file(const char *task, const char *file, char *text, size_t size)
{
    char path[400];
    snprintf(path, sizeof path, "/proc/self/task/%s/%s", task, file);
    FILE *f = fopen(path, "r");
    text[f ? fread(text, 1, size - 1, f) : 0] = '\0';
    if (f)
        fclose(f);
    return strtod(text, NULL);
}

/* CPU time of all threads except the screen's, the session's and this one. */
static double ms_cpu(void)
{
    char text[200];
    double sum = 0;
    DIR *d = opendir("/proc/self/task");
    for (struct dirent *e; d && (e = readdir(d));) {
        long id = strtol(e->d_name, NULL, 10);
        task_file(e->d_name, "comm", text, sizeof text);
        if (id && id != getpid() && id != gettid() && strcmp(text, "session\n"))
            sum += task_file(e->d_name, "schedstat", text, sizeof text);
    }
    if (d)
        closedir(d);
    return sum;
}

struct slice {
    double events, wall, cpu;
};

static struct slice reading(const struct session *s)
{
    return (struct slice){(double)(s->e->events + engine_pending(s->e)), (double)clock_ns(CLOCK_MONOTONIC), ms_cpu()};
}

static struct slice measure(const struct session *s, bool on)
{
    gate_set(on);
    struct slice a = reading(s);
    usleep(SLICE_MS * 1000);
    struct slice b = reading(s);
    return (struct slice){b.events - a.events, b.wall - a.wall, b.cpu - a.cpu};
}

struct measuring {
    struct session *s;
    int pairs, out;
};

/* The first slice of a pair alternates, so a steady growth is in neither side. */
static void *measure_all(void *arg)
{
    const struct measuring *m = arg;
    usleep(WARM_MS * 1000);
    for (int i = 0; i < m->pairs; i++) {
        struct slice pair[2];
        pair[i % 2] = measure(m->s, i % 2);
        pair[!(i % 2)] = measure(m->s, !(i % 2));
        if (write(m->out, pair, sizeof pair) != sizeof pair)
            break;
    }
    _exit(0); /* nothing of it is needed any more */
}

static cpu_set_t cpu_only(int n)
{
    cpu_set_t all, one;
    CPU_ZERO(&one);
    sched_getaffinity(0, sizeof all, &all);
    for (int i = 0, k = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &all) && k++ == n)
            CPU_SET(i, &one);
    return one;
}

/* The real session and the real screen. apart: the Ms have a CPU for themselves, and all other threads share
 * another. */
static void run_measured(const char *program, bool apart, int pairs, int out)
{
    const char *args[] = {program, "--mode", "free", "--tempo", "max"};
    static struct options o;
    struct session_ops ops = session_ops;
    char err[200];
    struct diag d;
    cpu_set_t ms = cpu_only(0), others = cpu_only(1);
    diag_init(&d, program);
    struct scenario *sc = options_parse(&o, CMD_RUN, 5, (char **)args) ? scenario_load(program, &d) : NULL;
    if (apart)
        sched_setaffinity(0, sizeof ms, &ms);
    struct measuring m = {.pairs = pairs, .out = out};
    if (sc) {
        struct session_config c = command_session(sc, &o);
        m.s = session_new(&c, err, sizeof err);
    }
    pthread_t t;
    if (!m.s)
        return;
    if (apart)
        pthread_setaffinity_np(m.s->thread, sizeof others, &others);
    if (apart)
        sched_setaffinity(0, sizeof others, &others); /* the screen's; the next thread inherits it */
    ops.view = gated_view;
    struct ui_config ui = {.session = m.s,
                           .ops = &ops,
                           .layout_path = shipped_find(&o.arena, "layouts", "classic"),
                           .layout_dir = shipped_dir(&o.arena, "layouts"),
                           .color = true};
    if (pthread_create(&t, NULL, measure_all, &m) == 0)
        ui_run(&ui);
}

/* ---- outside ---- */

struct result {
    int n;
    double rate[SAMPLES_MAX], wall[SAMPLES_MAX], cpu[SAMPLES_MAX];
};

static void take_pair(struct result *r, const struct slice pair[2])
{
    const struct slice *off = &pair[0], *on = &pair[1];
    if (r->n == SAMPLES_MAX || off->events <= 0 || on->cpu <= 0)
        return;
    r->rate[r->n] = off->events / off->wall * 1e3;
    r->wall[r->n] = 100 * (1 - on->events / on->wall / (off->events / off->wall));
    r->cpu[r->n] = 100 * (1 - on->events / on->cpu / (off->events / off->cpu));
    r->n++;
}

/* Reads the terminal all the time, and the pairs as they arrive, until the process has ended. */
static void collect_pairs(struct result *r, int terminal, int pairs)
{
    char text[16384];
    struct slice pair[2];
    struct pollfd fd[] = {{terminal, POLLIN, 0}, {pairs, POLLIN, 0}};
    for (;;) {
        if (poll(fd, 2, -1) < 0)
            continue;
        if (fd[1].revents) {
            if (read(pairs, pair, sizeof pair) != sizeof pair)
                return;
            take_pair(r, pair);
        }
        if (fd[0].revents && read(terminal, text, sizeof text) <= 0)
            fd[0].fd = -1;
    }
}

static bool run_apart(struct result *r, const char *program, bool apart, int pairs)
{
    struct winsize ws = {.ws_row = 60, .ws_col = 200};
    char path[PROGRAM_PATH];
    int out[2], terminal;
    program_file(program, path);
    if (pipe(out) != 0)
        return false;
    pid_t pid = forkpty(&terminal, NULL, NULL, &ws);
    if (pid == 0) {
        setenv("TERM", "xterm-256color", 1);
        setenv("LC_ALL", "C.UTF-8", 1);
        close(out[0]);
        run_measured(path, apart, pairs, out[1]);
        _exit(1);
    }
    close(out[1]);
    if (pid > 0) {
        collect_pairs(r, terminal, out[0]);
        close(terminal);
        waitpid(pid, NULL, 0);
    }
    close(out[0]);
    return pid > 0 && r->n > 0;
}

static void view_rows(const char *program, bool apart, const char *name)
{
    const char *more = getenv("BENCH_PAIRS");
    int pairs = more ? atoi(more) : apart ? PAIRS_APART : PAIRS;
    struct result r = {.n = 0};
    if (!run_apart(&r, program, apart, pairs)) {
        micro_failed(name, "nothing was measured");
        return;
    }
    struct samples s = {.n = 0};
    for (int i = 0; i < r.n; i++)
        sample(&s, r.rate[i]);
    micro_row(name, "million/s", &s, "");
    micro_interval("  lost while it is shown", "%", r.wall, r.n, "<= 1");
    micro_interval("  lost for the CPU time that the Ms have", "%", r.cpu, r.n, "");
}

void micro_view(void)
{
    cpu_set_t second = cpu_only(1);
    if (CPU_COUNT(&second))
        view_rows("one", true, "a free run, 1 P on a CPU of its own: events");
    else
        micro_failed("view", "one CPU only: nothing can be apart");
    view_rows("busy", false, "a free run, 4 Ps and all else on all CPUs: events");
}
