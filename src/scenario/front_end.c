/* See front_end.h. The name in the cache has a hash of the sources, the stubs and the version of Go, so nothing in the cache is ever stale, and several
 * versions of gmpscope and Go share it. A build goes to a name of its own and is renamed: of two processes that build at once, both succeed. */
#include "scenario/front_end.h"
#include "base/data_dir.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OLDEST_GO = 19, ASK_SECONDS = 60, BUILD_SECONDS = 900, READ_SECONDS = 120 };
#define BUILD_MEMORY (UINT64_C(16) << 30) /* of address space, of which Go reserves much more than it uses */
#define READ_MEMORY (UINT64_C(6) << 30)
#define OUTPUT_MOST ((size_t)64 << 20)

static const char needs_go[] = "a Go program is read by Go 1.19 or newer; ";

/* ---- Go ---- */

/* Nothing of the person's settings may reach the network, another Go or another platform. */
static const char *const go_env[] = {
    "GOFLAGS=-mod=mod",
    "GOPROXY=off",
    "GOTOOLCHAIN=local",
    "GOWORK=off",
    "GOENV=off",
    "GO111MODULE=on",
    "CGO_ENABLED=0",
    "GOOS",
    "GOARCH",
    "GODEBUG",
    "GOEXPERIMENT",
    "GOROOT_FINAL",
    "GOCACHEPROG",
    "GOTRACEBACK",
    "GOMEMLIMIT",
    "GOGC",
    NULL};

/* Returns how a child ended that should have succeeded, in a; NULL: it succeeded. */
static const char *failure(struct arena *a, const struct child_result *r)
{
    static const char *const how[] = {
        [CHILD_SLOW] = "takes too long", [CHILD_TALKS] = "writes too much", [CHILD_INTERRUPTED] = "was interrupted"};
    if (r->end == CHILD_KILLED)
        return arena_printf(a, "was killed (%s)", strsignal(r->status));
    if (r->end != CHILD_EXITED)
        return how[r->end];
    return r->status ? arena_printf(a, "failed (exit code %d)", r->status) : NULL;
}

/* Returns the first line that says something, in a: Go heads messages by "# PACKAGE". "": there is none. */
static const char *first_line(struct arena *a, const char *text)
{
    while (*text == '#' || *text == '\n')
        text += strcspn(text, "\n") + (text[strcspn(text, "\n")] == '\n');
    size_t n = strcspn(text, "\n");
    const char *line = arena_strndup(a, text, n < 300 ? n : 300);
    return line ? line : "";
}

/* Asks Go for its version. */
static bool ask_version(struct arena *a, const char *go, struct front_end *out, struct diag *d)
{
    struct child_result r;
    const char *const argv[] = {go, "version", NULL};
    int err = child_run(&(struct child){argv, go_env, NULL, BUILD_MEMORY, ASK_SECONDS, OUTPUT_MOST}, &r);
    const char *how = err ? strerror(err) : failure(a, &r), *at = r.out.n && !how ? strstr(r.out.v, " go1.") : NULL;
    bool good = at && sscanf(at, " go1.%" SCNu32, &out->minor) == 1 && out->minor < 1000;
    if (good)
        out->version = arena_strndup(a, at + 1, strcspn(at + 1, " \n"));
    if (how)
        diag_add(d, 0, 0, "%s%s %s", needs_go, go, how);
    else if (!good)
        diag_add(d, 0, 0, "%s%s does not say its version, but \"%s\"", needs_go, go, first_line(a, r.out.n ? r.out.v : ""));
    else if (out->minor < OLDEST_GO)
        diag_add(d, 0, 0, "%s%s is too old", needs_go, out->version ? out->version : "that one");
    child_fini(&r);
    return good && d->count == 0;
}

static const char *find_go(struct arena *a, struct diag *d)
{
    const char *own = getenv("GMPSCOPE_GO");
    own = own && *own ? own : NULL;
    const char *go = child_find(a, own ? own : "go");
    if (!go && own)
        diag_add(d, 0, 0, "%s$GMPSCOPE_GO is \"%s\", which cannot be run", needs_go, own);
    else if (!go)
        diag_add(d, 0, 0, "%sthere is no go on the PATH; install it, or set GMPSCOPE_GO", needs_go);
    return go;
}

/* ---- the cache ---- */

static int not_hidden(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

static uint64_t mix(uint64_t h, const char *s, size_t n)
{
    return (h ^ hash_bytes(s, n)) * UINT64_C(1099511628211);
}

/* Returns the hash of all files of a folder, their names included. */
static uint64_t hash_folder(struct arena *a, const char *dir, uint64_t h)
{
    struct dirent **e = NULL;
    int n = scandir(dir, &e, not_hidden, alphasort);
    for (int i = 0; i < n; i++) {
        const char *path = arena_printf(a, "%s/%s", dir, e[i]->d_name);
        struct stat st;
        char buf[16384];
        size_t got;
        h = mix(h, e[i]->d_name, strlen(e[i]->d_name));
        free(e[i]);
        if (path && stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
            h = hash_folder(a, path, h);
            continue;
        }
        FILE *f = path ? file_open(path) : NULL;
        while (f && (got = fread(buf, 1, sizeof buf, f)))
            h = mix(h, buf, got);
        if (f)
            fclose(f);
    }
    free(e);
    return h;
}

/* Creates a folder and those above it, if they are not there. Returns 0 or an errno. */
static int make_folder(struct arena *a, const char *path)
{
    char *p = arena_strndup(a, path, strlen(path));
    int err = p ? 0 : ENOMEM;
    for (char *at = p; at && !err; at = strchr(at + 1, '/')) {
        char *end = strchr(at + 1, '/');
        if (end)
            *end = '\0';
        err = mkdir(p, 0700) && errno != EEXIST ? errno : 0;
        if (!end)
            break;
        *end = '/';
    }
    return err ? err : access(path, W_OK | X_OK) ? errno : 0;
}

/* A folder that nobody else can write to, for people without a home. */
static const char *private_folder(struct arena *a, struct diag *d)
{
    const char *tmp = getenv("TMPDIR");
    const char *dir = arena_printf(a, "%s/gmpscope-%u", tmp && *tmp == '/' ? tmp : "/tmp", (unsigned)getuid());
    struct stat st;
    if (!dir)
        return NULL;
    if (mkdir(dir, 0700) && errno != EEXIST)
        diag_add(d, 0, 0, "cannot keep the front end for Go programs in %s: %s; set XDG_CACHE_HOME to a folder", dir, strerror(errno));
    else if (lstat(dir, &st) || !S_ISDIR(st.st_mode) || st.st_uid != getuid() || (st.st_mode & 077))
        diag_add(d, 0, 0, "cannot keep the front end for Go programs in %s: others can write there; set XDG_CACHE_HOME to a folder", dir);
    return d->count ? NULL : dir;
}

static const char *cache_folder(struct arena *a, struct diag *d)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache == '/')
        return arena_printf(a, "%s/gmpscope", cache);
    if (home && *home == '/')
        return arena_printf(a, "%s/.cache/gmpscope", home);
    return private_folder(a, d);
}

static bool is_built(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 && access(path, X_OK) == 0;
}

/* Says what takes so long, to a person; returns whether it did. */
static bool say_building(const char *version)
{
    if (!isatty(STDERR_FILENO))
        return false;
    visible_write(stderr, "gmpscope: ", 10);
    visible_write(stderr, version, strlen(version));
    fputs(" builds the front end for Go programs, once …", stderr);
    fflush(stderr);
    return true;
}

static void unsay(void)
{
    const char *term = getenv("TERM");
    fputs(term && strcmp(term, "dumb") ? "\r\033[K" : "\n", stderr);
}

/* What the front end is built with, from and to. */
struct building {
    const char *go, *source, *dir;
};

static bool build(struct arena *a, const struct building *b, const struct front_end *f, struct diag *d)
{
    const char *go = b->go, *dir = b->dir;
    const char *to = arena_printf(a, "%s.%ld", f->path, (long)getpid());
    const char *env[sizeof go_env / sizeof *go_env + 3],
        *home = getenv("HOME"), *cache = getenv("GOCACHE"), *xdg = getenv("XDG_CACHE_HOME");
    const char *const argv[] = {go, "build", "-buildvcs=false", "-o", to, ".", NULL};
    struct child_result r;
    size_t n = 0;
    for (; go_env[n]; n++)
        env[n] = go_env[n];
    if (!(home && *home) && (env[n] = arena_printf(a, "GOPATH=%s/gopath", dir)))
        n++;
    if (!(home && *home) && !(cache && *cache) && !(xdg && *xdg == '/') && (env[n] = arena_printf(a, "GOCACHE=%s/go-build", dir)))
        n++;
    env[n] = NULL;
    int err = make_folder(a, dir);
    if (err || !to) {
        diag_add(d, 0, 0, "cannot keep the front end for Go programs in %s: %s; set XDG_CACHE_HOME to a folder that can be written", dir,
                 strerror(err ? err : ENOMEM));
        return false;
    }
    bool said = say_building(f->version);
    err = child_run(&(struct child){argv, env, b->source, BUILD_MEMORY, BUILD_SECONDS, OUTPUT_MOST}, &r);
    if (said)
        unsay();
    const char *how = err ? strerror(err) : failure(a, &r), *why = how && r.err.n ? first_line(a, r.err.v) : "";
    if (how)
        diag_add(d, 0, 0, "cannot build the front end for Go programs: %s %s%s%s", go, how, *why ? ": " : "", why);
    else if (!is_built(to))
        diag_add(d, 0, 0, "cannot build the front end for Go programs: %s says that it did, but has not", go);
    else if (rename(to, f->path))
        diag_add(d, 0, 0, "cannot keep the front end for Go programs in %s: %s", dir, strerror(errno));
    if (d->count)
        unlink(to);
    child_fini(&r);
    return d->count == 0;
}

bool front_end_find(struct arena *a, struct front_end *out, struct diag *d)
{
    const char *source = data_source(a, "gofront"), *go = find_go(a, d), *dir;
    if (!go || !ask_version(a, go, out, d))
        return false;
    if (!source)
        diag_add(d, 0, 0, "the front end for Go programs is not installed: there is no folder gofront next to scenarios");
    if (!source || !(dir = cache_folder(a, d)))
        return false;
    uint64_t h = hash_folder(a, source, hash_bytes(out->version, strlen(out->version)));
    out->path = arena_printf(a, "%s/gofront-%016" PRIx64, dir, h);
    out->stubs = arena_printf(a, "%s/stubs", source);
    return out->path && out->stubs && (is_built(out->path) || build(a, &(struct building){go, source, dir}, out, d));
}

/* ---- running it ---- */

/* Adds the messages, FILE:LINE:COL: TEXT, one a line. */
static void report(struct diag *d, char *messages)
{
    for (char *line = strtok(messages, "\n"); line; line = strtok(NULL, "\n")) {
        unsigned at, col;
        int n = 0;
        char *colon = line;
        while ((colon = strchr(colon, ':')) && (sscanf(colon, ":%u:%u: %n", &at, &col, &n) != 2 || !n))
            colon++;
        if (!colon) {
            diag_add(d, 0, 0, "%s", line);
            continue;
        }
        *colon = '\0';
        diag_add_in(d, line, at, col, "%s", colon + n);
    }
}

bool front_end_run(struct arena *a, const struct front_end *f, const char *language, const char *test, const char *path,
                   struct child_result *r, struct diag *d)
{
    const char *argv[12] = {f->path, "-stubs", f->stubs, "-go", language};
    int n = 5;
    if (test) {
        argv[n++] = "-test";
        argv[n++] = test;
    }
    if (f->yaml)
        argv[n++] = "-yaml";
    argv[n++] = "--";
    argv[n] = path;
    /* the same environment: it asks Go where its source is */
    int err = child_run(&(struct child){argv, go_env, NULL, READ_MEMORY, READ_SECONDS, OUTPUT_MOST}, r);
    if (err == ENOEXEC || err == EACCES)
        diag_add(d, 0, 0, "cannot run the front end for Go programs: %s: %s; delete it", f->path, strerror(err));
    else if (err)
        diag_lack(d, err);
    else if (r->end == CHILD_EXITED && r->status && r->err.n && strncmp(r->err.v, "panic: ", 7) && strncmp(r->err.v, "fatal error: ", 13))
        report(d, r->err.v);
    else if (r->end != CHILD_EXITED || r->status)
        diag_add(d, 0, 0, "the front end for Go programs %s%s%s", failure(a, r), r->err.n ? ": " : "",
                 r->err.n ? first_line(a, r->err.v) : "");
    if (!d->count)
        return true;
    child_fini(r);
    return false;
}
