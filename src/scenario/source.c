/* A scenario whose programs are a Go program: `source: main.go`, or the Go file itself. The front end (gofront/), built once by the person's own Go, runs as
 * a child and prints the program form. Its functions become the scenario's programs, so that everything else sees an ordinary scenario. */
#include "scenario/scenario_internal.h"
#include "scenario/vm/form.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- the child ---- */

struct output {
    VEC(char) out, err;
};

/* Reads both ends until they are closed. */
static bool drain(int from, char **v, size_t *n, size_t *cap)
{
    char buf[65536];
    VEC(char) all = {*v, *n, *cap};
    ssize_t got;
    bool ok = true;
    while (ok && (got = read(from, buf, sizeof buf)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        for (ssize_t i = 0; ok && i < got; i++)
            ok = vec_push(&all, buf[i]);
        ok = ok && got > 0;
    }
    *v = all.v;
    *n = all.n;
    *cap = all.cap;
    return ok;
}

/* Runs a program, its stderr in a file that is read afterwards. Returns its exit status; -1: it could not be run. */
static int run_child(const char *const argv[], struct output *o)
{
    int ends[2], status = -1;
    posix_spawn_file_actions_t act;
    pid_t pid;
    FILE *err = tmpfile();
    if (!err || pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    posix_spawn_file_actions_init(&act);
    posix_spawn_file_actions_adddup2(&act, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&act, fileno(err), STDERR_FILENO);
    posix_spawn_file_actions_addopen(&act, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    int failed = posix_spawnp(&pid, argv[0], &act, NULL, (char *const *)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&act);
    close(ends[1]);
    if (!failed) {
        drain(ends[0], &o->out.v, &o->out.n, &o->out.cap);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
        lseek(fileno(err), 0, SEEK_SET);
        drain(fileno(err), &o->err.v, &o->err.n, &o->err.cap);
        vec_push(&o->err, '\0');
    }
    close(ends[0]);
    fclose(err);
    return failed ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static const char *go_command(void)
{
    const char *go = getenv("GMPSCOPE_GO");
    return go && *go ? go : "go";
}

/* Where the built front end is kept; made if it is not there. NULL: a mistake, in d. */
static const char *front_end(struct arena *a, struct diag *d)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const char *dir =
        cache && *cache ? arena_printf(a, "%s/gmpscope", cache) : arena_printf(a, "%s/.cache/gmpscope", home && *home ? home : "/tmp");
    const char *to = dir ? arena_printf(a, "%s/gofront", dir) : NULL;
    struct output o = {0};
    struct stat built, source;
    if (!to)
        return NULL;
    if (stat(to, &built) == 0 && stat(GMPSCOPE_GOFRONT "/expr.go", &source) == 0 && built.st_mtime >= source.st_mtime)
        return to;
    int status = run_child((const char *const[]){"sh", "-c", "mkdir -p \"$1\" && cd \"$2\" && exec \"$3\" build -o \"$4\" .", "sh", dir,
                                                 GMPSCOPE_GOFRONT, go_command(), to, NULL},
                           &o);
    if (status != 0)
        diag_add(d, 0, 0, "Go is needed to read Go programs: %s",
                 status == 127 ? "there is no go on the PATH; $GMPSCOPE_GO names another one" : o.err.v);
    vec_free(&o.out);
    vec_free(&o.err);
    return status == 0 ? to : NULL;
}

/* The front end's messages: FILE:LINE:COL: TEXT, one a line. */
static void report(struct diag *d, char *messages)
{
    for (char *line = strtok(messages, "\n"); line; line = strtok(NULL, "\n")) {
        unsigned at, col;
        int n = 0;
        char *colon = strchr(line, ':');
        if (colon && sscanf(colon, ":%u:%u: %n", &at, &col, &n) == 2 && n)
            diag_add(d, at, col, "%s", colon + n);
        else
            diag_add(d, 0, 0, "%s", line);
    }
}

/* ---- the scenario ---- */

static struct ynode *scalar(struct arena *a, const struct ynode *at, const char *text)
{
    struct ynode *n = arena_alloc(a, sizeof *n);
    if (n)
        *n = (struct ynode){.kind = Y_SCALAR, .line = at->line, .col = at->col, .text = text, .len = strlen(text)};
    return n;
}

static struct ynode *with_items(struct arena *a, const struct ynode *at, enum ykind kind, size_t n)
{
    struct ynode *y = arena_alloc(a, sizeof *y);
    if (!y)
        return NULL;
    *y = (struct ynode){.kind = kind, .line = at->line, .col = at->col, .n = n};
    y->item = arena_alloc(a, (2 * n + 1) * sizeof *y->item);
    return y->item ? y : NULL;
}

/* goroutines: [{name: …, do: []}, …], one for each function. */
static struct ynode *programs_of(struct arena *a, const struct ynode *at, const struct form *f)
{
    struct ynode *list = with_items(a, at, Y_LIST, f->fn.n);
    for (size_t i = 0; list && i < f->fn.n; i++) {
        struct ynode *map = with_items(a, at, Y_MAP, 2);
        if (!map)
            return NULL;
        map->item[0] = scalar(a, at, "name");
        map->item[1] = scalar(a, at, i == f->main ? "main" : arena_printf(a, "f%zu", i));
        map->item[2] = scalar(a, at, "do");
        map->item[3] = with_items(a, at, Y_LIST, 0);
        list->item[i] = map;
    }
    return list;
}

static bool add_pair(struct arena *a, struct ynode *root, struct ynode *key, struct ynode *value)
{
    struct ynode **item = arena_alloc(a, (2 * root->n + 2) * sizeof *item);
    if (!item || !key || !value)
        return false;
    memcpy(item, root->item, 2 * root->n * sizeof *item);
    item[2 * root->n] = key;
    item[2 * root->n + 1] = value;
    root->item = item;
    root->n++;
    return true;
}

void source_expand(struct compiler *c, struct ynode *root)
{
    const struct ynode *at = yaml_get(root, "source");
    struct output o = {0};
    char err[300];
    if (!at || at->kind != Y_SCALAR || c->sc->form)
        return;
    const char *front = front_end(c->a, c->d);
    if (!front)
        return;
    const char *slash = strrchr(c->sc->info.path, '/');
    const char *file = at->text[0] == '/' || !slash
                           ? at->text
                           : arena_printf(c->a, "%.*s/%s", (int)(slash - c->sc->info.path), c->sc->info.path, at->text);
    const char *argv[] = {front, "-stubs", GMPSCOPE_GOFRONT "/stubs", file, NULL};
    int status = run_child(argv, &o);
    if (status == 0) {
        c->sc->form = form_load(o.out.v, o.out.n, err, sizeof err);
        if (!c->sc->form)
            diag_add(c->d, at->line, at->col, "%s", err);
        else if (!add_pair(c->a, root, scalar(c->a, at, "goroutines"), programs_of(c->a, at, c->sc->form)))
            c->a->lacking = true;
    } else if (status < 0) {
        diag_lack(c->d, errno);
    } else {
        report(c->d, o.err.v);
    }
    vec_free(&o.out);
    vec_free(&o.err);
}

/* The name that people see: of main.worker "worker", of a literal in it "worker.func1". */
static const char *short_name(struct arena *a, const char *name)
{
    return strncmp(name, "main.", 5) == 0 ? arena_strndup(a, name + 5, strlen(name + 5)) : name;
}

/* One operation for each instruction. */
void source_programs(struct compiler *c)
{
    const struct form *f = c->sc->form;
    uint32_t number = 0;
    for (size_t i = 0; f && i < f->fn.n; i++) {
        struct program *p = &c->sc->prog[i];
        const struct form_fn *fn = &f->fn.v[i];
        p->body.op = arena_alloc(c->a, fn->code.n * sizeof *p->body.op);
        if (!p->body.op)
            return;
        p->body.n = (uint32_t)fn->code.n;
        for (uint32_t k = 0; k < p->body.n; k++)
            p->body.op[k] = (struct op){
                .line = fn->code.v[k].line, .col = fn->code.v[k].col, .number = number++, .verb = form_op_name[fn->code.v[k].op]};
        c->ns[NS_PROGRAMS].v[i] = short_name(c->a, fn->name);
        p->name = c->ns[NS_PROGRAMS].v[i];
    }
    if (f)
        c->sc->nops = number;
}
