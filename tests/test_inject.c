/* A lack of the machine is reported as such. Under each command, each call that can fail for lack of memory, threads or descriptors fails in
 * turn (inject.c). Whatever fails, the program ends without a crash. Either its output and exit code are the same as without a fault, or it
 * returns 2 with a message that names the lack. It never gives a wrong result: no failed claim, no failed seed, no missing line.
 *
 * As long as a command has one thread, each call fails in turn: the program forks at each call (inject.h), so that takes a fraction of a second
 * and not a run for each. Of the rest ctest runs a slice; GMPSCOPE_INJECT=all (tests/long inject) runs all. GMPSCOPE_SLICE=N takes another slice.
 * To see one alone: test_inject one, with INJECT_ONE="COMMAND FUNCTION:N[:from]", from the line of a failure. */
#include "base/wall.h"
#include "inject.h"
#include "shell.h"
#ifdef INJECT_SCREEN
#include "term.h"
#endif

#include <errno.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define INJECT_YAML SOURCE_DIR "/tests/scenarios/inject.yaml"
enum { EACH = 4, MOST_CALLS = 2000, HANG_MS = 60000, MOST_ENV = 400, SHOWN = 20, OURS = 6, LONG = 36000, AT_ONCE = 4 };

static const char *const names[] = {
#define X(name, err) #name,
    INJECTED(X)
#undef X
};
static const int errors[] = {
#define X(name, err) err,
    INJECTED(X)
#undef X
};

struct command {
    const char *name, *args;
};

/* The data folder of the commands has few scenarios: a screen and `list` read all of them each time. */
static const char *const data[] = {
    "tests/scenarios/inject-small.yaml",
    "layouts/classic.yaml",
    "scenarios/steal-half.yaml",
    "scenarios/net-echo.yaml",
    "scenarios/chain.yaml",
    "scenarios/cond-broadcast.yaml",
    "layouts/lesson.yaml"};
enum { FEW_DATA = 2, ALL_DATA = sizeof data / sizeof *data };

static const struct command commands[] = {
    {"run", "run " INJECT_YAML " --headless --mode lockstep"},
    {"free", "run " INJECT_YAML " --headless --mode free"},
    {"go1.13", "run " INJECT_YAML " --headless --generation go1.13"},
    {"go1.0", "run net-echo --headless --generation go1.0"},
    {"json", "run " INJECT_YAML " --headless --json --audit"},
    {"events", "run steal-half --headless --events --pauses 3"},
    {"narrate", "run steal-half --headless --narrate --lang zh --break steal"},
    {"check", "check " INJECT_YAML " steal-half"},
    {"check-all", "check " INJECT_YAML " --all-generations --audit"},
    {"check-lessons", "check steal-half --lessons"},
    {"explore", "explore " INJECT_YAML " --seeds 6 --jobs 2"},
    {"explore-json", "explore steal-half --seeds 6 --jobs 2 --coarse --json"},
    {"compare", "compare steal-half --right procs=1 --headless"},
    {"lint", "lint " INJECT_YAML " steal-half classic"},
    {"lint-small", "lint " SOURCE_DIR "/tests/scenarios/inject-small.yaml"},
    {"list", "list"},
    {"list-topics", "list --topics --lang zh"},
    {"version", "--version"},
    {"help", "help scenario"},
    {"query", "query chain order(g_*~.g)"},
    {"query-small", "query " SOURCE_DIR "/tests/scenarios/inject-small.yaml count(steal)"},
    {"export", "export cond-broadcast --format go"},
    {"export-small", "export " SOURCE_DIR "/tests/scenarios/inject-small.yaml --format go"},
};

struct injection {
    int function;
    uint32_t nth;
    bool from;
};

static struct inject_counts *counts; /* shared with the program */
static char counts_path[512];

static void make_data(size_t n)
{
    char from[600], to[600];
    CHECK(mkdir(in_tmp("scenarios"), 0700) == 0 && mkdir(in_tmp("layouts"), 0700) == 0);
    for (size_t i = 0; i < n; i++) {
        snprintf(from, sizeof from, "%s/%s", SOURCE_DIR, data[i]);
        snprintf(to, sizeof to, "%s/%s", t_tmpdir(), strncmp(data[i], "tests/", 6) ? data[i] : data[i] + 6);
        CHECK(access(from, R_OK) == 0 && symlink(from, to) == 0);
    }
}

static void make_counts(void)
{
    snprintf(counts_path, sizeof counts_path, "%s/counts%d", t_tmpdir(), (int)getpid());
    int fd = open(counts_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && ftruncate(fd, sizeof *counts) == 0);
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(counts != MAP_FAILED);
    close(fd);
}

static bool all_of_them(void)
{
    const char *s = getenv("GMPSCOPE_INJECT");
    return s && !strcmp(s, "all");
}

static void describe(const struct injection *j, char *buf, size_t size)
{
    snprintf(buf, size, "%s:%u%s", j->function < 0 ? "none" : names[j->function], j->nth, j->from ? ":from" : "");
}

/* Our library must be loaded before AddressSanitizer's runtime, so that runtime's check of the order is switched off. */
static void inject_env(const char *what, char *env[MOST_ENV])
{
    static char wish[100], path[600], preload[600], asan[600], folder[600], shipped[600];
    static const char *const ours[OURS] = {"LD_PRELOAD=", "INJECT=", "INJECT_COUNTS=", "ASAN_OPTIONS=", "INJECT_DIR=", "GMPSCOPE_DATA="};
    int n = 0;
    snprintf(wish, sizeof wish, "INJECT=%s", what);
    snprintf(folder, sizeof folder, "INJECT_DIR=%s", t_tmpdir());
    snprintf(shipped, sizeof shipped, "GMPSCOPE_DATA=%s", t_tmpdir());
    snprintf(path, sizeof path, "INJECT_COUNTS=%s", counts_path);
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s", INJECT_SO);
    snprintf(asan, sizeof asan, "ASAN_OPTIONS=%s:verify_asan_link_order=0", getenv("ASAN_OPTIONS") ? getenv("ASAN_OPTIONS") : "");
    for (char **e = environ; *e && n < MOST_ENV - OURS - 1; e++) {
        bool own = false;
        for (size_t i = 0; i < OURS; i++)
            own |= !strncmp(*e, ours[i], strlen(ours[i]));
        if (!own)
            env[n++] = *e;
    }
    env[n++] = wish;
    env[n++] = path;
    env[n++] = preload;
    env[n++] = asan;
    env[n++] = folder;
    env[n++] = shipped;
    env[n] = NULL;
}

/* Splits a command at blanks. A ~ is a blank within a word. */
static void split(const char *args, char *buf, size_t size, char *argv[20])
{
    int n = 0;
    snprintf(buf, size, "%s", args);
    argv[n++] = (char *)GMPSCOPE_BIN;
    for (char *word = strtok(buf, " "); word; word = strtok(NULL, " ")) {
        argv[n++] = word;
        while ((word = strchr(word, '~')))
            *word = ' ';
    }
    argv[n] = NULL;
}

/* Returns the exit code, 1000 + the signal, or -1 for a hang. */
static int wait_for(pid_t pid)
{
    int status, fd = (int)syscall(SYS_pidfd_open, pid, 0);
    CHECK(fd >= 0);
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int n = poll(&p, 1, getenv("INJECT_HANG_MS") ? atoi(getenv("INJECT_HANG_MS")) : HANG_MS);
    close(fd);
    if (n == 0)
        kill(pid, SIGKILL);
    CHECK(waitpid(pid, &status, 0) == pid);
    return n == 0 ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

struct outcome {
    int code;
    char *out, *err;
};

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "r");
    char *s = calloc(1, 200001);
    CHECK(f && s);
    s[fread(s, 1, 200000, f)] = '\0';
    fclose(f);
    return s;
}

/* Removes the time that explore took, which depends on the machine. */
static void cut_times(char *s)
{
    char *at;
    if ((at = strstr(s, " schedules in ")))
        memmove(at + 13, strstr(at, " by "), strlen(strstr(at, " by ")) + 1);
    if ((at = strstr(s, "\"wall_ns\":")))
        *at = '\0';
}

static struct outcome run_with(const struct command *c, const struct injection *j)
{
    char what[80], buf[1000], out[600], err[600], *argv[20], *env[MOST_ENV];
    posix_spawn_file_actions_t fa;
    pid_t pid;
    snprintf(out, sizeof out, "%s/out", t_tmpdir());
    snprintf(err, sizeof err, "%s/err", t_tmpdir());
    split(c->args, buf, sizeof buf, argv);
    describe(j, what, sizeof what);
    inject_env(what, env);
    memset(counts, 0, sizeof *counts);
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&fa, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&fa, 2, err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK_INT(posix_spawn(&pid, argv[0], &fa, NULL, argv, env), 0);
    posix_spawn_file_actions_destroy(&fa);
    struct outcome r = {.code = wait_for(pid)};
    r.out = read_file(out);
    r.err = read_file(err);
    cut_times(r.out);
    return r;
}

static void outcome_free(struct outcome *r)
{
    free(r->out);
    free(r->err);
}

struct sweep {
    const struct command *c;
    struct outcome whole; /* without a fault */
    uint32_t runs, same, said, missed, bad, by_function[INJECT_COUNT];
};

/* True if the message names the lack in errno's words. A call that fails with EINTR is repeated, so no message is expected then. A stream of
 * the C library does not keep its errno. */
static bool names_lack(const char *text, int function)
{
    bool stream = function == INJECT_fwrite && (strstr(text, strerror(EIO)) || strstr(text, strerror(ENOMEM)));
    bool thread = function == INJECT_pthread_create && strstr(text, "no memory or no thread is left");
    return errors[function] != EINTR && (stream || thread || strstr(text, strerror(errors[function])) || strstr(text, "out of memory"));
}

static void complain(struct sweep *s, const struct injection *j, const struct outcome *r)
{
    char what[80];
    describe(j, what, sizeof what);
    if (s->bad++ < SHOWN || all_of_them())
        dprintf(STDERR_FILENO, "INJECT_ONE=\"%s %s\": %s %d (without: %d)%s\n    %.200s\n", s->c->name, what,
                r->code < 0 ? "hangs" : "exit", r->code, s->whole.code, strcmp(r->out, s->whole.out) ? ", other output" : "", r->err);
}

static void judge(struct sweep *s, const struct injection *j, struct outcome r)
{
    bool same = r.code == s->whole.code && !strcmp(r.out, s->whole.out);
    s->runs++;
    /* relaxed: the program that counted has ended */
    if (same && !atomic_load_explicit(&counts->failed, memory_order_relaxed))
        s->missed++;
    else if (same)
        s->same++;
    else if (r.code == 2 && names_lack(r.err, j->function))
        s->said++;
    else
        complain(s, j, &r);
    s->by_function[j->function]++;
    outcome_free(&r);
}

static void try_one(struct sweep *s, const struct injection *j)
{
    judge(s, j, run_with(s->c, j));
}

/* Makes calls of one function fail: the last MOST_CALLS in turn, or EACH of them, evenly spread. Starts with the last, because a run's own calls
 * come after those that read its file. */
static void sweep_function(struct sweep *s, int f, uint32_t calls, void (*try)(struct sweep *, const struct injection *))
{
    uint32_t n = calls < MOST_CALLS ? calls : MOST_CALLS, step = all_of_them() ? 1 : n / EACH + 1, skip = 0;
    if (getenv("GMPSCOPE_SLICE"))
        skip = (uint32_t)strtoul(getenv("GMPSCOPE_SLICE"), NULL, 10) % step;
    for (uint32_t back = skip; back < n; back += step)
        for (int from = 0; from < (errors[f] == EINTR ? 1 : 2); from++) /* a signal does not interrupt every call */
            try(s, &(struct injection){f, calls - back, from});
}

static void begin(struct sweep *s, const struct command *c, uint32_t calls[INJECT_COUNT])
{
    *s = (struct sweep){.c = c};
    s->whole = run_with(c, &(struct injection){.function = -1});
    for (int f = 0; f < INJECT_COUNT; f++)
        calls[f] = atomic_load_explicit(&counts->calls[f], memory_order_relaxed); /* as above */
    if (s->whole.code != 0)
        t_fail(__FILE__, __LINE__, "%s: exit %d without a fault: %s", c->name, s->whole.code, s->whole.err);
    CHECK(calls[INJECT_malloc] > 0);
}

static void skip_where_useless(void)
{
#if defined __SANITIZE_THREAD__ || (defined __clang__ && defined __has_feature)
    if (T_SANITIZED)
        t_skip("this sanitizer's runtime is part of the program: its functions cannot be replaced");
#endif
}

static void report(const struct sweep *s, const char *name)
{
    printf("%-14s %6u injections: %6u without effect, %6u reported, %4u not met, %4u wrong\n", name, s->runs, s->same, s->said, s->missed,
           s->bad);
    for (int f = 0; f < INJECT_COUNT && all_of_them(); f++)
        if (s->by_function[f])
            printf("    %-20s %6u\n", names[f], s->by_function[f]);
    fflush(stdout);
    CHECK_INT(s->bad, 0);
}

static void sweep(const struct command *c)
{
    struct sweep s;
    uint32_t calls[INJECT_COUNT];
    skip_where_useless();
    make_data(ALL_DATA);
    make_counts();
    begin(&s, c, calls);
    for (int f = 0; f < INJECT_COUNT; f++)
        sweep_function(&s, f, calls[f], try_one);
    outcome_free(&s.whole);
    report(&s, c->name);
}

static const struct command *named(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(commands[i].name, name))
            return &commands[i];
    t_fail(__FILE__, __LINE__, "no command %s", name);
}

/* ---- each call in turn ---- */

/* Starts the command, which forks at each call. talk: where its records come from, and where the answers go. */
static pid_t start_each(const struct command *c, uint32_t first, int talk[2])
{
    char what[80], buf[1000], *argv[20], *env[MOST_ENV];
    int records[2], answers[2];
    posix_spawn_file_actions_t fa;
    pid_t pid;
    split(c->args, buf, sizeof buf, argv);
    snprintf(what, sizeof what, "each:%u", first);
    inject_env(what, env);
    memset(counts, 0, sizeof *counts);
    CHECK(pipe2(records, O_CLOEXEC) == 0 && pipe2(answers, O_CLOEXEC) == 0);
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&fa, 1, in_tmp("each-out"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&fa, 2, in_tmp("each-err"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&fa, records[1], INJECT_TALK);
    posix_spawn_file_actions_adddup2(&fa, answers[0], INJECT_TALK + 1);
    CHECK_INT(posix_spawn(&pid, argv[0], &fa, NULL, argv, env), 0);
    posix_spawn_file_actions_destroy(&fa);
    close(records[1]);
    close(answers[0]);
    talk[0] = records[0];
    talk[1] = answers[1];
    return pid;
}

/* Takes the next record. Returns false if there is none: the program has ended, or the child hangs, which then ends with the program. */
static bool next_try(int talk[2], struct inject_try *t, bool *hangs)
{
    struct pollfd p = {.fd = talk[0], .events = POLLIN};
    *hangs = poll(&p, 1, HANG_MS) == 0;
    return !*hangs && read(talk[0], t, sizeof *t) == sizeof *t;
}

/* Under a sanitizer, whose runtime takes no child for the process that it was, a hundred mallocs fail in runs of their own. Not the first ones:
 * glibc's setlocale() leaks five bytes if a later malloc of its own fails. */
static void some_mallocs(struct sweep *s, uint32_t calls)
{
    for (uint32_t n = 9; n <= calls; n += 7 + calls / 100)
        for (int from = 0; from < 2; from++)
            try_one(s, &(struct injection){INJECT_malloc, n, from});
}

static void each_call_in_turn(struct sweep *s, uint32_t first)
{
    struct inject_try t;
    int talk[2], status;
    bool hangs;
    pid_t pid = start_each(s->c, first, talk);
    while (next_try(talk, &t, &hangs)) {
        struct outcome r = {.code = WIFEXITED(t.status) ? WEXITSTATUS(t.status) : 1000 + WTERMSIG(t.status)};
        r.out = read_file(in_tmp("out"));
        r.err = read_file(in_tmp("err"));
        cut_times(r.out);
        judge(s, &(struct injection){t.function, t.nth, t.from}, r);
        CHECK_INT(write(talk[1], "", 1), 1);
    }
    if (hangs)
        t_fail(__FILE__, __LINE__, "%s: hangs with %s:%u%s", s->c->name, names[counts->now.function], counts->now.nth,
               counts->now.from ? ":from" : "");
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), s->whole.code);
    CHECK(s->runs > 0);
    close(talk[0]);
    close(talk[1]);
}

static void each_call(const char *name, uint32_t first)
{
    struct sweep s;
    uint32_t calls[INJECT_COUNT];
    skip_where_useless();
    make_data(FEW_DATA);
    make_counts();
    begin(&s, named(name), calls);
    if (T_SANITIZED)
        some_mallocs(&s, calls[INJECT_malloc]);
    else
        each_call_in_turn(&s, first);
    outcome_free(&s.whole);
    report(&s, name);
}

#ifdef INJECT_SCREEN

/* ---- with a screen ---- */

enum { SCREEN_SAME = 10, SCREEN_SAID };

static bool shows_run_or_message(struct term *t, void *arg)
{
    (void)arg;
    return term_shows(t, "event ") || term_shows(t, "gmpscope: ");
}

/* In a process of its own, so that a hang fails only one injection. The keys step, go back, restart the run and quit. A command that fails keeps its
 * prompt open, which Escape closes. */
static void live(const char *args, const struct injection *j)
{
    char buf[1000], *argv[20], *env[MOST_ENV];
    int n = 0;
    char what[80];
    split(args, buf, sizeof buf, argv);
    describe(j, what, sizeof what);
    inject_env(what, env);
    while (env[n])
        n++;
    struct term *t = term_start(40, 250, (const char *const *)env + n - OURS, (const char *const *)argv);
    term_wait_for(t, "neither a run nor a message", shows_run_or_message, NULL);
    if (term_altscreen(t)) /* after the program has ended keys would only be echoed */
        term_keys(t, "nnsb:goto 9\r\033gR:break steal\r\033Lt?qq");
    int code = term_wait_exit(t);
    bool said = code == 2 && j->function >= 0 && names_lack(term_text(t), j->function);
    if (code && !said) /* first: it says more than the state of the terminal */
        t_fail(__FILE__, __LINE__, "exit %d\n%.2000s", code, term_text(t));
    term_check_sane(t);
    term_free(t);
    _exit(said ? SCREEN_SAID : SCREEN_SAME);
}

/* Runs that are under way at once: they wait more than they compute. */
static struct live_run {
    pid_t pid; /* 0: none */
    struct injection j;
} live_runs[AT_ONCE];
static int nlive;

static pid_t start_live(const char *args, const struct injection *j)
{
    fflush(NULL);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        make_counts(); /* its own */
        live(args, j);
    }
    return pid;
}

/* Waits until a run has ended. */
static void judge_live(struct sweep *s)
{
    int status, i = 0;
    char what[80];
    pid_t pid = waitpid(-1, &status, 0);
    while (i < AT_ONCE && live_runs[i].pid != pid)
        i++;
    CHECK(pid > 0 && i < AT_ONCE);
    int r = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    describe(&live_runs[i].j, what, sizeof what);
    s->runs++;
    s->by_function[live_runs[i].j.function]++;
    s->said += r == SCREEN_SAID;
    s->same += r == SCREEN_SAME;
    s->bad += r != SCREEN_SAID && r != SCREEN_SAME;
    if (r != SCREEN_SAID && r != SCREEN_SAME)
        dprintf(STDERR_FILENO, "the above with INJECT=%s: %s\n", what, s->c->args);
    live_runs[i].pid = 0;
    nlive--;
}

static void try_screen(struct sweep *s, const struct injection *j)
{
    int i = 0;
    if (nlive == AT_ONCE)
        judge_live(s);
    while (live_runs[i].pid)
        i++;
    live_runs[i] = (struct live_run){start_live(s->c->args, j), *j};
    nlive++;
}

static void sweep_screen(const char *name, const char *args)
{
    struct command c = {name, args};
    struct sweep s = {.c = &c};
    uint32_t calls[INJECT_COUNT];
    int status;
    skip_where_useless();
    make_data(ALL_DATA);
    make_counts();
    if (fork() == 0)
        live(args, &(struct injection){.function = -1});
    CHECK(wait(&status) > 0 && WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), SCREEN_SAME);
    for (int f = 0; f < INJECT_COUNT; f++)
        calls[f] = atomic_load_explicit(&counts->calls[f], memory_order_relaxed); /* the program has ended */
    for (int f = 0; f < INJECT_COUNT; f++)
        if (f != INJECT_write) /* a terminal that takes no bytes shows no message either */
            sweep_function(&s, f, calls[f], try_screen);
    while (nlive)
        judge_live(&s);
    report(&s, name);
}

TEST_TIMED(screen, LONG)
{
    sweep_screen("screen", "run steal-half --lesson");
}
TEST_TIMED(screen_pair, LONG)
{
    sweep_screen("screen-pair", "compare steal-half --right disable=stealing");
}
#endif

#define SWEEP(test, name) \
    TEST_TIMED(test, LONG) \
    { \
        sweep(named(name)); \
    }
SWEEP(run, "run")
SWEEP(run_free, "free")
SWEEP(run_go1_13, "go1.13")
SWEEP(run_go1_0, "go1.0")
SWEEP(run_json, "json")
SWEEP(run_events, "events")
SWEEP(run_narrate, "narrate")
SWEEP(check, "check")
SWEEP(check_all, "check-all")
SWEEP(check_lessons, "check-lessons")
SWEEP(explore, "explore")
SWEEP(explore_json, "explore-json")
SWEEP(compare, "compare")
SWEEP(lint, "lint")
SWEEP(query, "query")
SWEEP(export_go, "export")

#define EACH_CALL(test, name, first) \
    TEST_TIMED(test, LONG) \
    { \
        each_call(name, first); \
    }
enum { LOADED = 1200 }; /* up to this malloc they do what `lint` of the same file does */
EACH_CALL(each_of_lint, "lint-small", 0)
EACH_CALL(each_of_list, "list", 0)
EACH_CALL(each_of_list_topics, "list-topics", LOADED)
EACH_CALL(each_of_help, "help", 0)
EACH_CALL(each_of_version, "version", 0)
EACH_CALL(each_of_query, "query-small", LOADED)
EACH_CALL(each_of_export, "export-small", LOADED)

/* To run one injection by hand. */
TEST(one)
{
    const char *wish = getenv("INJECT_ONE"), *blank = wish ? strchr(wish, ' ') : NULL, *colon = blank ? strchr(blank, ':') : NULL;
    char name[40];
    if (!colon)
        t_skip("no INJECT_ONE");
    struct injection j = {.nth = (uint32_t)strtoul(colon + 1, NULL, 10), .from = strstr(colon, ":from")};
    while (j.function < INJECT_COUNT &&
           (strlen(names[j.function]) != (size_t)(colon - blank - 1) || strncmp(names[j.function], blank + 1, (size_t)(colon - blank - 1))))
        j.function++;
    CHECK(j.function < INJECT_COUNT);
    snprintf(name, sizeof name, "%.*s", (int)(blank - wish), wish);
    make_data(ALL_DATA);
    make_counts();
    struct outcome r = run_with(named(name), &j);
    printf("exit %d\n%s%s", r.code, r.out, r.err);
    outcome_free(&r);
}
