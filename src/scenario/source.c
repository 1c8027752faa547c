/* A scenario whose programs are a Go program: `source: main.go`, or the Go file or folder itself. The front end (front_end.h) prints its program form, whose
 * functions become the scenario's programs. So everything else sees an ordinary scenario.
 *
 * A run file must be replayed where there is no Go. So the text of such a scenario (scenario_text()) is a package of its file, what is known of its Go, and the
 * program form:
 *
 *   gmpscope-source 1 GENERATION MODULE BOOT VERSION ARGS BYTES\n   bytes of the file
 *   ARGS strings, each ended by a NUL; the file; the form
 */
#include "base/hash.h"
#include "base/text.h"
#include "scenario/front_end.h"
#include "scenario/scenario_internal.h"
#include "scenario/vm/form.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD "gmpscope-source 1 "

/* ---- which paths are Go programs ---- */

static bool is_go_file(const char *path)
{
    size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".go") == 0;
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool scenario_is_program(const char *path)
{
    DIR *dir = is_folder(path) ? opendir(path) : NULL;
    struct dirent *e;
    bool has = !dir && is_go_file(path) && !is_folder(path);
    while (!has && dir && (e = readdir(dir)))
        has = e->d_name[0] != '.' && is_go_file(e->d_name);
    if (dir)
        closedir(dir);
    return has;
}

/* Returns a name of letters, digits, _ and - for the program at this path: that of the file, or of the folder. */
static char *name_of(struct arena *a, const char *path)
{
    char real[PATH_MAX];
    const char *whole = is_folder(path) && realpath(path, real) ? real : path, *slash = strrchr(whole, '/');
    const char *base = slash && slash[1] ? slash + 1 : whole;
    char *name = arena_strndup(a, base, strlen(base) - (is_go_file(base) ? 3 : 0));
    for (char *c = name; c && *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", *c))
            *c = '_';
    return name && !*name ? arena_strndup(a, "main", 4) : name;
}

/* What explore and check look for in a Go program that no scenario is about. */
static const char bare[] = "\nsource: \".\"\nexpect: [{leaks: 0}, {races: 0}]\n";

bool source_is_bare(const char *bytes, size_t len)
{
    return bytes && len >= sizeof bare && !memcmp(bytes + len - (sizeof bare - 1), bare, sizeof bare - 1);
}

const char *source_scenario(struct arena *a, const char *path, size_t *len)
{
    const char *name = name_of(a, path), *text = name ? arena_printf(a, "name: \"%s\"%s", name, bare) : NULL;
    *len = text ? strlen(text) : 0;
    return text;
}

/* ---- which Go it is ---- */

/* Returns the newest generation that is not newer than go1.MINOR. Go 1.19 has the rules of 1.20, not those of 1.13. */
static enum rt_generation generation_of(uint32_t minor)
{
    minor = minor == 19 ? 20 : minor;
    for (int i = 0; i < GENERATIONS; i++)
        if ((uint32_t)atoi(generation_name[i] + strlen("go1.")) <= minor)
            return (enum rt_generation)i;
    return GO1_0;
}

/* Returns the minor version of the `go` line of the module's go.mod; 16: it has no such line, as for Go; 0: there is no go.mod. */
static uint32_t module_version(struct arena *a, const char *path)
{
    char real[PATH_MAX];
    char *dir = realpath(path, real) ? real : NULL, *slash = dir && !is_folder(dir) ? strrchr(dir, '/') : NULL;
    if (slash)
        *slash = '\0';
    for (; dir; dir = slash ? dir : NULL) {
        const char *name = arena_printf(a, "%s/go.mod", dir);
        FILE *f = name ? fopen(name, "re") : NULL;
        uint32_t minor = 16, at;
        char line[1000];
        while (f && fgets(line, sizeof line, f))
            if (sscanf(line, " go 1.%u", &at) == 1)
                minor = at;
        if (f) {
            fclose(f);
            return minor;
        }
        if ((slash = strrchr(dir, '/')))
            *slash = '\0';
    }
    return 0;
}

/* What begins a program depends on whether it reaches package os. */
static enum run_boot boot_of(const struct form *f)
{
    static const char *const reaches_os[] = {
        "fmt", "os", "log", "flag", "testing", "runtime/debug", "os/signal", "golang.org/x/sync/errgroup"};
    for (size_t i = 0; i < f->import.n; i++)
        for (size_t k = 0; k < sizeof reaches_os / sizeof *reaches_os; k++)
            if (strcmp(f->import.v[i], reaches_os[k]) == 0)
                return BOOT_FMT;
    return BOOT_PRINT;
}

/* ---- the package ---- */

/* Puts the parts into one text; of it, `bytes` and `form` are parts. */
static bool pack(struct scenario *sc, const char *form, size_t n)
{
    const struct scenario_go *go = sc->go;
    char *text = NULL;
    size_t size = 0;
    FILE *out = text_open(&text, &size);
    if (!out)
        return false;
    fprintf(out, HEAD "%s %s %s %s %u %zu\n", generation_name[go->generation], generation_name[go->module], boot_name[go->boot],
            go->version, go->nargs, sc->len);
    for (uint32_t i = 0; i < go->nargs; i++)
        fwrite(go->args[i], 1, strlen(go->args[i]) + 1, out);
    fwrite(sc->bytes, 1, sc->len, out);
    fwrite(form, 1, n, out);
    bool good = text_close(out) && (sc->packed = arena_strndup(&sc->a, text, size));
    sc->packed_len = size;
    free(text);
    return good;
}

static int word_of(const char *const *words, int n, const char *word)
{
    while (n-- && strcmp(words[n], word))
        ;
    return n;
}

bool source_unpack(struct scenario *sc, const char *text, size_t len, struct diag *d)
{
    struct scenario_go *go = arena_alloc(&sc->a, sizeof *go);
    char gen[16], module[16], boot[16], version[64], err[300];
    const char *at = memchr(text, '\n', len), *end = text + len;
    int head = 0;
    if (len < strlen(HEAD) || memcmp(text, HEAD, strlen(HEAD)) || !at || !go)
        return false;
    char *line = arena_strndup(&sc->a, text, (size_t)(at - text));
    bool good = line && sscanf(line, HEAD "%15s %15s %15s %63s %u %zu%n", gen, module, boot, version, &go->nargs, &sc->len, &head) == 6 &&
                !line[head] && go->nargs <= len && sc->len <= len;
    int g = good ? word_of(generation_name, GENERATIONS, gen) : -1, m = good ? word_of(generation_name, GENERATIONS, module) : -1,
        b = good ? word_of(boot_name, BOOTS, boot) : -1;
    go->args = good ? arena_alloc(&sc->a, (go->nargs + 1) * sizeof *go->args) : NULL;
    good = go->args && g >= 0 && m >= 0 && b >= 0;
    at++;
    for (uint32_t i = 0; good && i < go->nargs; i++) {
        const char *stop = memchr(at, '\0', (size_t)(end - at));
        good = stop && (go->args[i] = arena_strndup(&sc->a, at, (size_t)(stop - at)));
        at = stop ? stop + 1 : at;
    }
    if (!good || sc->len > (size_t)(end - at)) {
        diag_add(d, 0, 0, "the head of the recorded program is damaged");
        return true;
    }
    go->generation = (enum rt_generation)g;
    go->module = (enum rt_generation)m;
    go->boot = (enum run_boot)b;
    go->version = arena_strndup(&sc->a, version, strlen(version));
    sc->bytes = arena_strndup(&sc->a, at, sc->len);
    sc->packed = arena_strndup(&sc->a, text, len);
    sc->packed_len = len;
    sc->go = go;
    at += sc->len;
    if (!(sc->form = form_load(at, (size_t)(end - at), err, sizeof err)))
        diag_add(d, 0, 0, "%s", err);
    return true;
}

/* ---- reading it ---- */

/* Returns the path of the program, in the arena. NULL: reported. */
static const char *program_path(struct compiler *c, const struct ynode *at)
{
    const char *path = c->sc->info.path, *slash = strrchr(path, '/');
    bool direct = c->sc->is_program;
    if (!direct && at->text[0] != '/' && slash)
        path = arena_printf(c->a, "%.*s/%s", (int)(slash - path), path, at->text);
    else if (!direct)
        path = at->text;
    struct stat st;
    int fd = path ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) : -1, err = fd < 0 ? errno : 0;
    bool known = fd >= 0 && fstat(fd, &st) == 0;
    char why[300] = "";
    if (fd < 0)
        snprintf(why, sizeof why, "cannot be read: %s", strerror(err));
    else if (!known || (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
        snprintf(why, sizeof why, "is not a regular file");
    else if (!scenario_is_program(path))
        snprintf(why, sizeof why, S_ISDIR(st.st_mode) ? "has no Go files" : "is not a Go program; its name must end in .go");
    if (fd >= 0)
        close(fd);
    if (*why && direct)
        diag_add(c->d, 0, 0, "%s", why);
    else if (*why)
        bad(c, at, 0, "%s %s", at->text, why);
    return *why ? NULL : path;
}

/* Runs the front end. Returns false if there is a mistake. */
static bool read_program(struct compiler *c, const struct ynode *at)
{
    const struct scenario_from *from = c->sc->from;
    const struct ynode *asked = yaml_get(c->root, "test"), *args = yaml_get(c->root, "args");
    struct scenario_go *go = arena_alloc(c->a, sizeof *go);
    struct front_end front = {0};
    struct child_result r;
    char err[300], language[16];
    const char *path = program_path(c, at), *test = from->test ? from->test : asked && asked->kind == Y_SCALAR ? asked->text : NULL;
    if (!path || !go || !front_end_find(c->a, &front, c->d))
        return false;
    uint32_t module = module_version(c->a, path);
    if (module > front.minor) {
        diag_add(c->d, 0, 0, "go.mod requires go >= 1.%u (running %s)", module, front.version);
        return false;
    }
    go->generation = generation_of(front.minor);
    go->module = module && generation_of(module) > go->generation ? generation_of(module) : 0;
    go->version = front.version;
    uint32_t nargs = from->nargs ? from->nargs : args && args->kind == Y_LIST ? (uint32_t)args->n : 0;
    go->args = arena_alloc(c->a, (nargs + 1) * sizeof *go->args);
    if (go->args)
        go->args[go->nargs++] = name_of(c->a, path);
    for (uint32_t i = 0; go->args && i < nargs; i++) {
        const char *arg = from->nargs ? from->args[i] : args->item[i]->kind == Y_SCALAR ? args->item[i]->text : "";
        go->args[go->nargs++] = arena_strndup(c->a, arg, strlen(arg));
    }
    snprintf(language, sizeof language, "1.%u", module ? module : front.minor);
    if (!front_end_run(c->a, &front, language, test, path, &r, c->d))
        return false;
    if (!(c->sc->form = form_load(r.out.v, r.out.n, err, sizeof err)))
        diag_add(c->d, 0, 0, "the front end for Go programs made no program: %s", err);
    else
        go->boot = boot_of(c->sc->form);
    c->sc->go = go;
    c->sc->info.test = test ? arena_strndup(c->a, test, strlen(test)) : NULL;
    c->a->lacking |= test && !c->sc->info.test;
    if (r.err.n) {
        c->sc->info.notes = arena_strndup(c->a, r.err.v, r.err.n);
        c->a->lacking |= !c->sc->info.notes;
    }
    for (uint32_t i = 0; i < go->nargs; i++)
        c->a->lacking |= !go->args[i];
    if (c->sc->form && !c->a->lacking && !pack(c->sc, r.out.v, r.out.n))
        c->a->lacking = true;
    child_fini(&r);
    return c->sc->form;
}

bool scenario_yaml_source(const struct scenario *sc, FILE *out, struct diag *d)
{
    const struct scenario_info *info = &sc->info;
    struct arena a = {0};
    struct front_end front = {0};
    struct child_result r;
    char language[16];
    uint32_t module = module_version(&a, info->path);
    if (!sc->is_program) {
        diag_add(d, 0, 0, "is a scenario already");
    } else if (front_end_find(&a, &front, d)) {
        front.yaml = true;
        snprintf(language, sizeof language, "1.%u", module ? module : front.minor);
        if (front_end_run(&a, &front, language, NULL, info->path, &r, d)) {
            fprintf(out, "name: %s\nscheduler: {generation: %s, boot: %s", info->name, generation_name[info->generation],
                    boot_name[info->boot]);
            if (info->module)
                fprintf(out, ", module: %s", generation_name[info->module]);
            fputs("}\n", out);
            fwrite(r.out.v, 1, r.out.n, out);
            child_fini(&r);
        }
    }
    if (a.lacking)
        diag_lack(d, ENOMEM);
    arena_fini(&a);
    return d->count == 0;
}

/* ---- the scenario ---- */

/* goroutines: [{name: …, do: []}, …], one for each function. */
static struct ynode *programs_of(struct arena *a, const struct ynode *at, const struct form *f)
{
    struct ynode *list = arena_alloc(a, sizeof *list);
    if (!list)
        return NULL;
    *list = (struct ynode){.kind = Y_LIST, .line = at->line, .col = at->col, .n = f->fn.n};
    list->item = arena_alloc(a, (f->fn.n + 1) * sizeof *list->item);
    for (size_t i = 0; list->item && i < f->fn.n; i++) {
        const char *name = i == f->main ? "main" : arena_printf(a, "f%zu", i);
        struct ynode *map = yaml_new_map(a, at), *key = yaml_new_scalar(a, "name", at), *value = name ? yaml_new_scalar(a, name, at) : NULL;
        if (!map || !key || !value || !yaml_map_add(a, map, key, value))
            return NULL;
        list->item[i] = map;
    }
    return list->item ? list : NULL;
}

void source_expand(struct compiler *c, struct ynode *root)
{
    static const char *const instead[] = {
        "goroutines", "channels", "mutexes", "rwmutexes", "waitgroups", "conds", "onces", "contexts", "shared", "conns"};
    const struct ynode *at = yaml_get(root, "source");
    struct scenario *sc = c->sc;
    if (!at || at->kind != Y_SCALAR)
        return;
    for (size_t i = 0; i < sizeof instead / sizeof *instead; i++)
        if (yaml_get(root, instead[i]))
            bad(c, yaml_key(root, instead[i]), 0, "\"source\" and \"%s\" cannot be combined: the Go program has its own", instead[i]);
    if (c->d->count)
        return;
    if (sc->base) {
        sc->form = sc->base->form;
        sc->go = sc->base->go;
        sc->packed = sc->base->packed;
        sc->packed_len = sc->base->packed_len;
    } else if (!sc->form && !read_program(c, at)) {
        return;
    }
    struct ynode *key = yaml_new_scalar(c->a, "goroutines", at), *list = programs_of(c->a, at, sc->form);
    if (!key || !list || !yaml_map_add(c->a, root, key, list))
        c->a->lacking = true;
    sc->info.text_hash = hash_bytes(sc->packed, sc->packed_len);
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
    if (f) {
        c->sc->nops = number;
        c->sc->info.programs.text = scenario_program(c->sc);
    }
}
