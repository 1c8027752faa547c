/* See watched.h. */
#include "cli/watched.h"
#include "base/child.h"
#include "base/feed.h"
#include "base/text.h"
#include "base/wall.h"
#include "engine/signals.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BUILD_SECONDS = 600, TRACE_FD = 3, OLDEST = 22, HOOKS_CHECKED = 23, GRACE_MS = 500, LAST_MS = 5000, OUTPUT_MOST = 1 << 22 };
#define BUILD_MEMORY (UINT64_C(1) << 42)
#define PERIOD "traceadvanceperiod=100000000" /* ns: Go's own second would let the picture lag, and a crash lose, as much */

extern char **environ;

/* What the child is made of. */
struct start {
    const char *path, *dir; /* dir: NULL: here */
    bool test;              /* it takes a flag for its tracer */
    char **argv, **env;
    int in, out, err, trace, failed;
};

/* ---- building ---- */

/* The file that is added. It is the first in the order of names, so its init() runs before the program's own. What it imports has names that no
 * program declares. %s: what Go's hooks for the exit take. */
#define ADDED "0gmpscope_watch.go"
static const char added[] =
    "package main\n\nimport (\n\tgmpscopeOS \"os\"\n\tgmpscopeTrace \"runtime/trace\"\n\tgmpscopeStrconv \"strconv\"\n"
    "\tgmpscopeSyscall \"syscall\"\n\t_ \"unsafe\"\n)\n\ntype gmpscopeHook struct {\n\tf         func()\n\tonFailure bool\n}\n\n%s\n\n"
    "func init() {\n\tfd, err := gmpscopeStrconv.Atoi(gmpscopeOS.Getenv(\"GMPSCOPE_TRACE\"))\n\tgmpscopeOS.Unsetenv(\"GMPSCOPE_TRACE\")\n"
    "\tif err == nil {\n\t\tgmpscopeSyscall.CloseOnExec(fd)\n"
    "\t\tif gmpscopeTrace.Start(gmpscopeOS.NewFile(uintptr(fd), \"trace\")) == nil {\n\t\t\t%s\n\t\t}\n\t}\n}\n";
static const char *const hook[2] = {"//go:linkname gmpscopeAtExit runtime.addExitHook\nfunc gmpscopeAtExit(func(), bool)",
                                    "//go:linkname gmpscopeAtExit internal/runtime/exithook.Add\nfunc gmpscopeAtExit(gmpscopeHook)"};
static const char *const use[2] = {"gmpscopeAtExit(gmpscopeTrace.Stop, true)", "gmpscopeAtExit(gmpscopeHook{gmpscopeTrace.Stop, true})"};

/* Writes text of a stranger to a terminal, line by line. */
static void write_lines(FILE *to, const char *s, size_t n)
{
    for (size_t len; n; s += len, n -= len) {
        const char *end = memchr(s, '\n', n);
        len = end ? (size_t)(end - s) : n;
        visible_write(to, s, len);
        if (end) {
            fputc('\n', to);
            len++;
        }
    }
}

static bool ends_in(const char *s, const char *end)
{
    size_t n = strlen(s), k = strlen(end);
    return n > k && !strcmp(s + n - k, end);
}

/* What is to be built. */
struct plan {
    const char *go, *dir, *file; /* file: NULL: the package of the folder */
    const char *binary;
    bool test;
    int minor;
};

static const char *find_go(struct arena *a)
{
    const char *own = getenv("GMPSCOPE_GO"), *go = child_find(a, own && *own ? own : "go");
    if (!go)
        usage_error("watch builds a Go program, and there is no go on the PATH; install it, or set GMPSCOPE_GO");
    return go;
}

/* Runs Go in the program's folder. Returns false after an error message, which Go's own text precedes. */
static bool run_go(const struct plan *p, const char *const *argv, struct child_result *r)
{
    int err =
        child_run(&(struct child){.argv = argv, .dir = p->dir, .memory = BUILD_MEMORY, .seconds = BUILD_SECONDS, .output = OUTPUT_MOST}, r);
    if (!err && r->end == CHILD_EXITED && r->status == 0)
        return true;
    if (r->err.n)
        write_lines(stderr, r->err.v, r->err.n);
    if (err)
        return usage_error("%s: %s", argv[0], strerror(err)), false;
    return usage_error(r->end == CHILD_INTERRUPTED ? "interrupted" : "the program cannot be built"), false;
}

static bool ask_version(struct plan *p)
{
    const char *const argv[] = {p->go, "env", "GOVERSION", NULL};
    struct child_result r = {.status = 0};
    bool good = run_go(p, argv, &r);
    if (good && (sscanf(r.out.v, "go1.%d", &p->minor) != 1 || p->minor < OLDEST))
        good = (usage_error("watch needs Go 1.22 or newer, which writes traces of today's form; this is %.*s", (int)strcspn(r.out.v, "\n"),
                            r.out.v),
                false);
    child_fini(&r);
    return good;
}

static bool write_file(const char *path, const char *text)
{
    FILE *f = path && text ? fopen(path, "wxe") : NULL;
    bool good = f && fputs(text, f) >= 0;
    return (f && fclose(f) == 0 && good) || (usage_error("%s: %s", path ? path : "memory", strerror(errno)), false);
}

/* Writes the file that is added, and the overlay that says where it is. Returns the path of the overlay. */
static const char *write_overlay(struct arena *a, const struct plan *p, const char *folder)
{
    char *text = NULL;
    size_t size;
    const char *path = arena_printf(a, "%s/overlay.json", folder), *source = arena_printf(a, "%s/added.go", folder);
    FILE *f = text_open(&text, &size);
    if (!f || !path || !source)
        return usage_error("%s", strerror(ENOMEM)), NULL;
    fputs("{\"Replace\":{", f);
    json_string(arena_printf(a, "%s/%s", p->dir, ADDED), f);
    fputc(':', f);
    json_string(source, f);
    fputs("}}\n", f);
    bool newer = p->minor >= HOOKS_CHECKED;
    bool good = text_close(f) && write_file(path, text) && write_file(source, arena_printf(a, added, hook[newer], use[newer]));
    free(text);
    return good ? path : NULL;
}

static bool build(struct arena *a, struct plan *p, const char *folder)
{
    const char *overlay = NULL;
    struct child_result r = {.status = 0};
    p->go = find_go(a);
    if (!p->go || !ask_version(p) || (!p->test && !(overlay = write_overlay(a, p, folder))))
        return false;
    const char *const test[] = {p->go, "test", "-c", "-o", p->binary, NULL};
    /* -checklinkname: since Go 1.23 the linker lets a program use Go's hooks only so */
    const char *argv[] = {
        p->go,
        "build",
        "-o",
        p->binary,
        "-overlay",
        overlay,
        p->minor >= HOOKS_CHECKED ? "-ldflags=-checklinkname=0" : "-v=false",
        p->file ? p->file : ".",
        p->file ? ADDED : NULL,
        NULL};
    bool good = run_go(p, p->test ? test : argv, &r);
    child_fini(&r);
    return good;
}

/* Finds what is run: a test binary that is there, or what is built. Returns false after an error message. */
static bool find_program(struct arena *a, struct watched *w, const char *word, struct start *s)
{
    struct stat st;
    char here[4096], *real = realpath(word, NULL);
    const char *path = real ? arena_strndup(a, real, strlen(real)) : NULL, *base = getenv("TMPDIR");
    bool there = path && stat(path, &st) == 0, source = there && S_ISREG(st.st_mode) && ends_in(path, ".go");
    free(real);
    s->test = ends_in(word, "_test.go") || ends_in(word, ".test");
    if (!there && !child_find(a, word))
        return usage_error("%s: %s", word, strerror(errno ? errno : ENOENT)), false;
    if (!there || (S_ISREG(st.st_mode) && !source)) {
        if (s->test && there && access(path, X_OK) == 0)
            return s->path = path, true;
        usage_error(
            "%s: the tracer of a program that is built already cannot be switched on from outside; watch its source (watch -- main.go), or its "
            "net/http/pprof (curl -sN 'http://HOST/debug/pprof/trace?seconds=60' | gmpscope import -)",
            word);
        return false;
    }
    w->folder = strdup(arena_printf(a, "%s/gmpscope-watch-XXXXXX", base && *base ? base : "/tmp"));
    if (!w->folder || !mkdtemp(w->folder) || !getcwd(here, sizeof here)) {
        usage_error("%s: %s", w->folder ? w->folder : "memory", strerror(errno));
        free(w->folder);
        w->folder = NULL;
        return false;
    }
    struct plan p = {.dir = path, .binary = arena_printf(a, "%s/program", w->folder), .test = s->test};
    if (source) {
        const char *slash = strrchr(path, '/');
        p.dir = slash == path ? "/" : arena_strndup(a, path, (size_t)(slash - path));
        p.file = slash + 1;
    }
    s->dir = p.test ? p.dir : NULL; /* where `go test` runs it */
    s->path = p.binary;
    return build(a, &p, w->folder);
}

/* ---- running ---- */

/* Caller: the child. */
static _Noreturn void become(const struct start *s, pid_t parent)
{
    sigset_t none;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int sig = 1; sig < NSIG; sig++)
        signal(sig, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* all of ours are above TRACE_FD (high()), so none of these replaces one that is still needed */
    bool good = dup2(s->in, 0) == 0 && dup2(s->out, 1) == 1 && dup2(s->err, 2) == 2 && dup2(s->trace, TRACE_FD) == TRACE_FD &&
                (!s->dir || chdir(s->dir) == 0);
    if (good && getppid() == parent)
        execve(s->path, s->argv, s->env);
    int error = errno;
    if (write(s->failed, &error, sizeof error) < 0)
        _exit(126);
    _exit(127);
}

static int high(int fd)
{
    int up = fcntl(fd, F_DUPFD_CLOEXEC, 10);
    return up;
}

/* Returns the environment with what the program's tracer needs; a test's tracer needs a flag instead. */
static char **environment(struct arena *a)
{
    size_t n = 0, k = 0;
    const char *debug = getenv("GODEBUG");
    while (environ[n])
        n++;
    char **env = arena_alloc(a, (n + 3) * sizeof *env);
    for (size_t i = 0; env && i < n; i++)
        if (strncmp(environ[i], "GODEBUG=", 8) != 0 && strncmp(environ[i], "GMPSCOPE_TRACE=", 15) != 0)
            env[k++] = environ[i];
    if (env) {
        env[k++] = arena_printf(a, "GODEBUG=%s%s%s", debug ? debug : "", debug && *debug ? "," : "", PERIOD);
        env[k] = arena_printf(a, "GMPSCOPE_TRACE=%d", TRACE_FD);
    }
    return env;
}

/* A pipe from the child. Returns its end for the child, above TRACE_FD; *feed reads the other. -1 with errno. */
static int pipe_to(struct feed **feed)
{
    int p[2], end = -1;
    if (pipe2(p, O_CLOEXEC) != 0)
        return -1;
    end = high(p[1]);
    close(p[1]);
    *feed = feed_pipe(p[0]);
    return *feed ? end : -1;
}

static bool begin(struct watched *w, struct start *s)
{
    int failed[2], error = 0;
    pid_t parent = getpid();
    if (pipe2(failed, O_CLOEXEC) != 0)
        return usage_error("%s", strerror(errno)), false;
    s->failed = high(failed[1]);
    close(failed[1]);
    if ((w->pid = fork()) == 0)
        become(s, parent);
    error = w->pid < 0 ? errno : 0;
    if (w->pid > 0)
        setpgid(w->pid, w->pid); /* the child does so, too: whoever is first */
    close(s->failed);
    if (w->pid > 0 && read(failed[0], &error, sizeof error) != (ssize_t)sizeof error)
        error = 0;
    close(failed[0]);
    return !error || (usage_error("%s: %s", s->path, strerror(error)), false);
}

/* With a screen, what the program writes is kept until that is closed. Where something else is printed on stdout, it goes to stderr. */
static bool open_ends(struct watched *w, const struct options *o, struct start *s)
{
    bool replaced = o->json || o->events || o->narrate;
    s->in = isatty(STDIN_FILENO) ? open("/dev/null", O_RDONLY | O_CLOEXEC) : high(STDIN_FILENO);
    s->in = s->in >= 0 && s->in <= TRACE_FD ? high(s->in) : s->in;
    s->out = !o->headless ? pipe_to(&w->out) : high(replaced ? STDERR_FILENO : STDOUT_FILENO);
    s->err = !o->headless ? pipe_to(&w->err) : high(STDERR_FILENO);
    s->trace = pipe_to(&w->trace);
    if (s->in >= 0 && s->out >= 0 && s->err >= 0 && s->trace >= 0)
        return true;
    return usage_error("%s", strerror(errno)), false;
}

bool watched_start(struct watched *w, struct options *o)
{
    struct arena *a = &o->arena;
    struct start s = {.in = -1, .out = -1, .err = -1, .trace = -1};
    *w = (struct watched){.pid = -1};
    if (!find_program(a, w, o->args[0], &s))
        return false;
    s.argv = arena_alloc(a, sizeof *s.argv * ((size_t)o->nargs + 2));
    s.env = environment(a);
    if (!s.argv || !s.env)
        return false;
    int n = 0;
    s.argv[n++] = arena_strndup(a, s.path, strlen(s.path));
    if (s.test)
        s.argv[n++] = arena_printf(a, "-test.trace=/dev/fd/%d", TRACE_FD);
    for (int i = 1; i < o->nargs; i++)
        s.argv[n++] = arena_strndup(a, o->args[i], strlen(o->args[i]));
    bool good = open_ends(w, o, &s) && begin(w, &s);
    const int ends[] = {s.in, s.out, s.err, s.trace};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends[i] >= 0)
            close(ends[i]);
    return good;
}

/* ---- the end ---- */

/* Waits at most ms for its end. Its group may have others: so its number stays taken. */
static bool has_ended(const struct watched *w, int ms)
{
    for (int64_t until = wall_ms() + ms;; nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL)) {
        siginfo_t how = {.si_pid = 0};
        if (waitid(P_PID, (id_t)w->pid, &how, WEXITED | WNOHANG | WNOWAIT) == 0 && how.si_pid == w->pid)
            return true;
        if (wall_ms() >= until)
            return false;
    }
}

/* Writes what it has printed behind the screen. */
static void print(struct feed *f, FILE *to)
{
    char buf[1 << 14];
    bool over;
    if (!f)
        return;
    for (int64_t until = wall_ms() + GRACE_MS; !(feed_size(f, &over), over) && wall_ms() < until;)
        feed_wait(f, UINT64_MAX, 20);
    for (uint64_t at = 0, size = feed_size(f, &over); at < size;) {
        ssize_t n = pread(feed_fd(f), buf, size - at < sizeof buf ? (size_t)(size - at) : sizeof buf, (off_t)at);
        if (n <= 0)
            break;
        if (isatty(fileno(to)))
            write_lines(to, buf, (size_t)n);
        else
            fwrite(buf, 1, (size_t)n, to);
        at += (uint64_t)n;
    }
    fflush(to);
    feed_free(f);
}

static void remove_folder(struct watched *w)
{
    static const char *const files[] = {"overlay.json", "added.go", "program"};
    char path[4200];
    for (size_t i = 0; w->folder && i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", w->folder, files[i]);
        unlink(path);
    }
    if (w->folder)
        rmdir(w->folder);
    free(w->folder);
    w->folder = NULL;
}

int watched_end(struct watched *w, const struct options *o, bool wait)
{
    int status = 0, code = 0;
    bool zh = o->lang == LANG_ZH, itself = w->pid > 0 && has_ended(w, 0);
    for (int64_t until = wall_ms() + LAST_MS; w->pid > 0 && wait && !itself && !signals_code() && wall_ms() < until;)
        itself = has_ended(w, 50);
    if (w->pid > 0 && !itself) {
        kill(-w->pid, SIGTERM);
        has_ended(w, GRACE_MS);
    }
    if (w->pid > 0) {
        kill(-w->pid, SIGKILL); /* and what it has started */
        while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
            ;
    }
    print(w->out, stdout);
    print(w->err, stderr);
    remove_folder(w);
    if (w->pid <= 0 || !itself)
        return 0;
    code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (WIFSIGNALED(status))
        visible_line(stderr, zh ? "gmpscope: %s：被信号 %d 终止（%s）" : "gmpscope: %s: killed by signal %d (%s)", o->args[0],
                     WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (code)
        visible_line(stderr, zh ? "gmpscope: %s：退出码 %d" : "gmpscope: %s: exit status %d", o->args[0], code);
    return code;
}
