/* The whole Go program: head, imports, settings, declarations, functions, helpers. Settings of the scheduler that Go
 * does not have are refused here, too: ignoring a switch or a small ring would make another program. */
#include "base/text.h"
#include "scenario/go/gosource.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TICKS 61               /* only schedtick % 61 matters */
#define MAX_THREADS 10000      /* Go's default */
#define PREEMPT_SLICE 10000000 /* Go's forcePreemptNS, a constant */

/* ---- settings ---- */

static void check_settings(struct gosrc *s, const struct ynode *root)
{
    const struct scenario_info *i = &s->sc->info;
    const struct ynode *sched = yaml_get(root, "scheduler");
    s->learning = true;
    if (i->runq_size != 256)
        go_refuse(s, yaml_key(sched, "runq_size"), "\"runq_size: %u\" has no Go equivalent: a P's ring has 256 places", i->runq_size);
    if (i->disable)
        go_refuse(s, yaml_key(sched, "disable"), "\"disable\" has no Go equivalent: its scheduler has no such switches");
    if (i->enable)
        go_refuse(s, yaml_key(sched, "enable"), "\"enable\" has no Go equivalent: choose the generation whose rules these are");
    if (!(SINCE(GO1_20) >> s->generation & 1))
        go_refuse(s, yaml_get(sched, "generation"), "generation \"%s\": its scheduler is no longer in Go; use \"go1.20\" or newer",
                  generation_name[s->generation]);
    if (i->max_threads != MAX_THREADS)
        s->parts |= GO_DEBUG | GO_OS;
}

/* ---- declarations ---- */

/* Returns "[3]" for an array, "" for a single object. */
static const char *dimension(const struct gosrc *s, int kind, unsigned i, char buf[16])
{
    *buf = '\0';
    if (object_is_array(s->sc, kind, i))
        snprintf(buf, 16, "[%u]", object_count(s->sc, kind, i));
    return buf;
}

static const char *channel_type(const struct gosrc *s, unsigned i)
{
    return s->sc->y->channels[i].of ? "chan chan int64" : "chan int64";
}

/* Writes what makes the i-th channel, or one of its array. */
static void make_channel(const struct gosrc *s, unsigned i, FILE *f)
{
    uint32_t buffer = s->sc->chan_buffer[s->sc->first[NS_CHANNELS][i]];
    fprintf(f, "make(%s", channel_type(s, i));
    if (buffer)
        fprintf(f, ", %u", buffer);
    fputs(")", f);
}

static void declare_channel(const struct gosrc *s, unsigned i, FILE *f)
{
    const char *go = s->global[NS_CHANNELS][i];
    char buf[16];
    if (s->sc->own[i]) {
        fprintf(f, "var %s *time.%s\n", go, s->sc->own[i] == OWN_TICKER ? "Ticker" : "Timer");
    } else if (object_is_array(s->sc, NS_CHANNELS, i)) {
        fprintf(f, "var %s %s%s", go, dimension(s, NS_CHANNELS, i, buf), channel_type(s, i));
        if (s->listing) {
            fputs(" // each ", f);
            make_channel(s, i, f);
        }
        fputc('\n', f);
    } else {
        fprintf(f, "var %s = ", go);
        make_channel(s, i, f);
        fputc('\n', f);
    }
}

static void declare_kind(const struct gosrc *s, int kind, const char *type, FILE *f)
{
    char buf[16];
    for (unsigned i = 0; i < s->sc->names[kind].n; i++)
        fprintf(f, "var %s %s%s\n", s->global[kind][i], dimension(s, kind, i, buf), type);
}

void go_declare_objects(struct gosrc *s, FILE *f)
{
    const struct yscenario *y = s->sc->y;
    char buf[16];
    for (unsigned i = 0; i < y->channels_count; i++)
        declare_channel(s, i, f);
    declare_kind(s, NS_MUTEXES, "sync.Mutex", f);
    declare_kind(s, NS_RWMUTEXES, "sync.RWMutex", f);
    declare_kind(s, NS_WAITGROUPS, "sync.WaitGroup", f);
    declare_kind(s, NS_ONCES, "sync.Once", f);
    for (unsigned i = 0; i < y->conds_count; i++)
        if (object_is_array(s->sc, NS_CONDS, i))
            fprintf(f, "var %s %s*sync.Cond\n", s->global[NS_CONDS][i], dimension(s, NS_CONDS, i, buf));
        else
            fprintf(f, "var %s = sync.NewCond(&%s)\n", s->global[NS_CONDS][i], go_global(s, NS_MUTEXES, y->conds[i].mutex));
    for (unsigned i = 0; i < y->contexts_count; i++) {
        const char *of = dimension(s, NS_CONTEXTS, i, buf);
        fprintf(f, "var %s %scontext.Context\nvar %s %scontext.CancelFunc\n", s->global[NS_CONTEXTS][i], of, s->cancel[i], of);
        s->parts |= GO_CONTEXT;
    }
    if (y->mutexes_count + y->rwmutexes_count + y->waitgroups_count + y->conds_count + y->onces_count)
        s->parts |= GO_SYNC;
    for (unsigned i = 0; i < y->conns_count; i++)
        fprintf(f, "var %s %s[2]*os.File\n", s->global[NS_CONNS][i], y->conns[i].count ? "[]" : "");
    if (y->conns_count)
        s->parts |= GO_OS | GO_SOCKET;
    for (unsigned i = 0; i < y->shared_count; i++)
        fprintf(f, "var %s int64\n", s->global[NS_SHARED][i]);
}

/* ---- functions ---- */

static bool spawned(const struct yop *y, unsigned n, const char *name)
{
    struct yops in;
    for (unsigned i = 0; i < n; i++) {
        if ((y[i].go && !strcmp(y[i].go, name)) || (y[i].call && !strcmp(y[i].call, name)))
            return true;
        for (unsigned k = 0; yop_inside(&y[i], NULL, k, &in); k++)
            if (spawned(in.v, in.n, name))
                return true;
    }
    return false;
}

/* Returns whether a scenario starts its main a second time. Then Go's main only calls it. */
static bool main_again(const struct yscenario *y)
{
    for (unsigned i = 0; i < y->goroutines_count; i++)
        if (spawned(y->goroutines[i].do_, y->goroutines[i].do__count, "main"))
            return true;
    return false;
}

/* Writes a function's operations to nowhere; afterwards it is known which variables are read where. */
static void learn_function(struct gosrc *s, const struct ygoroutine *y, const struct ynode *node)
{
    char *text = NULL;
    size_t size = 0;
    go_function_names(s, y);
    s->returns = s->sc->prog[y - s->sc->y->goroutines].returns;
    s->learning = true;
    s->out = text_open(&text, &size);
    if (!s->out) {
        s->oom = true;
        return;
    }
    go_block(s, y->do_, y->do__count, yaml_get(node, "do"));
    fclose(s->out);
    free(text);
    s->learning = false;
    s->nlabels = 0;
    for (unsigned i = 0; i < s->nvars; i++) {
        struct go_var *v = &s->var[i];
        v->loop = !v->param && !v->captured && v->writes == 1 && v->reads && v->loop_reads == v->reads;
    }
}

static void write_params(struct gosrc *s, const struct ygoroutine *y)
{
    const char *comma = "";
    if (s->goids) {
        fputs("goid", s->out);
        comma = ", ";
    }
    bool channel = false;
    for (unsigned i = 0; i <= y->params_count; i++) { /* i, then the params */
        if (i == 0 && !s->var[0].reads)
            continue;
        if (*comma && s->var[i].channel != channel)
            fputs(channel ? " chan int64" : " int64", s->out);
        channel = s->var[i].channel;
        fprintf(s->out, "%s%s", comma, s->var[i].go);
        comma = ", ";
    }
    if (*comma)
        fputs(channel ? " chan int64" : " int64", s->out);
}

static void declare_variables(struct gosrc *s, bool main_itself)
{
    if (main_itself && s->goids) {
        go_line(s, "goid := int64(1)");
        if (!s->listing)
            go_line(s, "_ = goid");
    }
    if (main_itself && s->var[0].reads)
        go_line(s, "var %s int64", s->var[0].go);
    for (unsigned i = 1; i < s->nvars; i++)
        if (!s->var[i].param && s->var[i].reads && !s->var[i].loop)
            go_line(s, "var %s %sint64", s->var[i].go, s->var[i].channel ? "chan " : "");
}

/* Arrays of what has no zero value that works. */
static void make_arrays(struct gosrc *s)
{
    const struct yscenario *y = s->sc->y;
    for (unsigned i = 0; i < y->channels_count; i++) {
        if (!object_is_array(s->sc, NS_CHANNELS, i))
            continue;
        go_line(s, "for n := range %s {", s->global[NS_CHANNELS][i]);
        fprintf(s->out, "\t\t%s[n] = ", s->global[NS_CHANNELS][i]);
        make_channel(s, i, s->out);
        fputc('\n', s->out);
        go_line(s, "}");
    }
    for (unsigned i = 0; i < y->conds_count; i++) {
        if (!object_is_array(s->sc, NS_CONDS, i))
            continue;
        bool array = object_is_array(s->sc, NS_MUTEXES, (unsigned)names_find(&s->sc->names[NS_MUTEXES], y->conds[i].mutex));
        go_line(s, "for n := range %s {", s->global[NS_CONDS][i]);
        go_line(s, "\t%s[n] = sync.NewCond(&%s%s)", s->global[NS_CONDS][i], go_global(s, NS_MUTEXES, y->conds[i].mutex),
                array ? "[n]" : "");
        go_line(s, "}");
    }
}

static void open_conns(struct gosrc *s)
{
    const struct yscenario *y = s->sc->y;
    for (unsigned i = 0; i < y->conns_count; i++) {
        const char *go = s->global[NS_CONNS][i];
        if (!y->conns[i].count) {
            go_line(s, "%s = newPair()", go);
            continue;
        }
        go_line(s, "for n := 0; n < %u; n++ {", object_count(s->sc, NS_CONNS, i));
        go_line(s, "\t%s = append(%s, newPair())", go, go);
        go_line(s, "}");
    }
}

/* Writes what main does before its first operation. A yield with no other G to run costs one tick. Package os has
 * left the finalizer goroutine in runnext: the first yield lets it run (in main's slice, so it costs no tick) and
 * park for good. */
static void open_main(struct gosrc *s)
{
    uint32_t more = (s->sc->info.start_tick % TICKS + TICKS - 4) % TICKS;
    if (s->listing)
        return;
    go_line(s, "openOutput()");
    if (s->sc->info.max_threads != MAX_THREADS)
        go_line(s, "debug.SetMaxThreads(%u)", s->sc->info.max_threads);
    open_conns(s);
    make_arrays(s);
    if (s->parts & GO_OS && !more)
        more = TICKS;
    if (!more)
        return;
    s->parts |= GO_RUNTIME;
    go_line(s, "for n := 0; n < %u; n++ { // %sP0's schedtick is 4 here; the scenario begins with %u", more,
            s->parts & GO_OS ? "the finalizer goroutine of package os runs; " : "", s->sc->info.start_tick);
    go_line(s, "\truntime.Gosched()");
    go_line(s, "}");
}

static void write_function(struct gosrc *s, uint32_t p, const struct ynode *node, FILE *f)
{
    const struct ygoroutine *y = &s->sc->y->goroutines[p];
    bool is_main = p == s->sc->main, again = main_again(s->sc->y);
    struct diag *d = s->d;
    s->d = NULL; /* already reported */
    learn_function(s, y, node);
    s->d = d;
    s->out = f;
    s->indent = 1;
    if (is_main && again) {
        fputs("\nfunc main() {\n", f);
        open_main(s);
        go_line(s, "%s(%s%s%s)", s->global[NS_PROGRAMS][p], s->goids ? "1" : "", s->goids && s->var[0].reads ? ", " : "",
                s->var[0].reads ? "0" : "");
        fputs("}\n", f);
    }
    fputc('\n', f);
    go_mark(s, NULL);
    fprintf(f, "func %s(", is_main && !again ? "main" : s->global[NS_PROGRAMS][p]);
    if (!is_main || again)
        write_params(s, y);
    if (!y->do__count && !is_main) {
        fputs(") {}\n", f);
        return;
    }
    fputs(s->returns ? ") int64 {\n" : ") {\n", f);
    if (is_main && !again)
        open_main(s);
    declare_variables(s, is_main && !again);
    if (!go_block(s, y->do_, y->do__count, yaml_get(node, "do")) && s->returns)
        go_line(s, "return 0");
    fputs("}\n", f);
}

void go_write_functions(struct gosrc *s, const struct ynode *root, FILE *f)
{
    const struct yscenario *y = s->sc->y;
    const struct ynode *list = yaml_get(root, "goroutines");
    for (uint32_t p = 0; p < y->goroutines_count; p++) {
        learn_function(s, &y->goroutines[p], list->item[p]);
        s->reads_i[p] = s->var[0].reads;
    }
    s->goids = s->parts & GO_GOID;
    for (uint32_t p = 0; p < y->goroutines_count && !s->oom; p++)
        write_function(s, p, list->item[p], f);
}

/* ---- the file ---- */

/* Returns the length of s[0..len) without what gofmt cuts off at the end of a comment: Unicode's White_Space. */
static size_t trimmed(const char *s, size_t len)
{
    size_t end = 0;
    for (size_t i = 0, n; i < len; i += n) {
        uint32_t cp = utf8_next(s + i, len - i, &n);
        bool space =
            cp == ' ' || cp == 0xa0 || cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200a) || cp == 0x202f || cp == 0x205f || cp == 0x3000;
        end = space ? end : i + n;
    }
    return end;
}

/* Writes the text of a comment on one line. "+build" would be a condition for Go, which then leaves out the file, or a mistake for vet. */
static void write_line(FILE *f, const char *text, size_t len)
{
    static const char condition[] = "+build";
    const char *end = text + trimmed(text, len);
    for (const char *at; (at = strstr(text, condition)) && at < end; text = at + 1) {
        visible_write(f, text, (size_t)(at - text));
        fputs("\\x2b", f);
    }
    visible_write(f, text, (size_t)(end - text));
    fputc('\n', f);
}

static void write_comment(FILE *f, const char *text)
{
    for (const char *p = text ? text : ""; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        size_t len = strcspn(p, "\n");
        fputs(trimmed(p, len) ? "// " : "//", f);
        write_line(f, p, len);
    }
}

/* Names each setting of the scheduler that the program cannot have, so that a reader does not take it for an exact
 * copy. */
static void write_not_carried(const struct gosrc *s, FILE *f)
{
    const struct scenario_info *i = &s->sc->info;
    const struct ynode *sched = yaml_get(s->sc->root, "scheduler");
    const struct ynode *mode = yaml_get(sched, "mode"), *seed = yaml_get(sched, "seed");
    const char *const head = "//\n// Settings of the scenario that are not carried over:\n";
    bool any = mode || seed || i->preempt_slice != PREEMPT_SLICE || i->randomize || i->nwithout || i->boot != BOOT_BARE;
    fputs(any ? head : "", f);
    if (mode)
        fprintf(f, "//   - mode %s: Go has no modes, its threads always run freely\n", mode->text);
    if (seed)
        fprintf(f, "//   - seed %s: Go chooses victims of steals and select cases with random numbers of its own\n", seed->text);
    if (i->preempt_slice != PREEMPT_SLICE)
        fprintf(f, "//   - preempt_slice %s: Go's sysmon always requests preemption after 10 ms\n", yaml_get(sched, "preempt_slice")->text);
    if (i->randomize)
        fputs("//   - randomize: Go shuffles the run queue only under its race detector\n", f);
    if (i->boot != BOOT_BARE)
        fprintf(f, "//   - boot %s: this program begins with main alone, and numbers its goroutines itself\n", boot_name[i->boot]);
    if (i->nwithout)
        fputs("//   - without: it claims something about switches that Go does not have\n", f);
}

static void write_settings(const struct gosrc *s, FILE *f)
{
    bool off = !(s->parts & GO_TIGHT) || !s->sc->info.async_preempt;
    fputs("// GOMAXPROCS is the scenario's. The garbage collector is off: it would start goroutines of its own.\n", f);
    if (!s->sc->info.async_preempt)
        fputs("// asyncpreemptoff is the scenario's async_preempt: false. Goroutines are preempted only at function calls.\n", f);
    else if (off)
        fputs("// asyncpreemptoff: goroutines are preempted only at function calls, and all of these goroutines make some.\n", f);
    fprintf(f, "var settings = [][2]string{{\"GOMAXPROCS\", \"%u\"}, {\"GOGC\", \"off\"}", s->gomaxprocs);
    fputs(off ? ", {\"GODEBUG\", \"asyncpreemptoff=1\"}}\n" : "}\n", f);
}

/* Writes what makes any newer Go build the program as the generation's own does: its language, and the settings of its runtime. A module's `go` line
 * sets both, too; a single file has none. */
static void write_version(const struct gosrc *s, FILE *f)
{
    const char *version = generation_name[s->generation];
    if (UNTIL(GO1_20) >> s->generation & 1)
        return;
    fprintf(f, "\n//go:build %s\n", version);
    if (SINCE(GO1_23) >> s->generation & 1)
        fprintf(f, "\n//go:debug default=%s\n", version);
    if (SINCE(GO1_25) >> s->generation & 1)
        fputs(
            "// Without this setting, a goroutine that updates GOMAXPROCS waits in the run queue when main begins.\n//go:debug updatemaxprocs=0\n",
            f);
}

static void write_head(const struct gosrc *s, FILE *f)
{
    const struct scenario_info *i = &s->sc->info;
    static const struct {
        unsigned parts;
        const char *path;
    } imports[] = {
        {GO_CONTEXT, "context"},
        {GO_RAND, "math/rand"},
        {GO_SOCKET, "os"},
        {GO_RUNTIME, "runtime"},
        {GO_DEBUG, "runtime/debug"},
        {~0u, "strconv"},
        {GO_SYNC, "sync"},
        {GO_PRINT | GO_GOID | GO_ATOMIC, "sync/atomic"},
        {~0u, "syscall"},
        {GO_TIME, "time"},
        {~0u, "unsafe"},
    };
    const char *title = i->title.in[LANG_EN] ? i->title.in[LANG_EN] : "";
    size_t len = trimmed(title, strcspn(title, "\n"));
    fprintf(f, "// Scenario %s%s", i->name, len ? ": " : "");
    write_line(f, title, len);
    write_comment(f, i->summary.in[LANG_EN]);
    fprintf(f, "//\n// Written by gmpscope for Go %s %s, on Linux.\n",
            UNTIL(GO1_20) >> s->generation & 1 ? "1.14" : generation_name[s->generation] + 2,
            s->parts & GO_TIMER && UNTIL(GO1_22) >> s->generation & 1 ? "to 1.22" : "and newer");
    write_not_carried(s, f);
    write_version(s, f);
    fputs("\npackage main\n\nimport (\n", f); /* a blank line, or gofmt would lay out the comment as the documentation of a package */
    for (size_t k = 0; k < sizeof imports / sizeof *imports; k++)
        if (imports[k].parts & (s->parts | 1u << 31))
            fprintf(f, "\t\"%s\"\n", imports[k].path);
    fputs(")\n\n", f);
    write_settings(s, f);
}

static void write_file(struct gosrc *s, const char *objects, const char *functions, FILE *out)
{
    write_head(s, out);
    if (*objects)
        fprintf(out, "\n%s", objects);
    fputs(functions, out);
    for (size_t i = 0; i < go_helper_count; i++)
        if (go_helpers[i].generations >> s->generation & 1 && (!go_helpers[i].part || go_helpers[i].part & s->parts))
            fprintf(out, "\n%s", go_helpers[i].text);
}

static bool generate(struct gosrc *s, FILE *out)
{
    char *objects = NULL, *functions = NULL;
    size_t size;
    FILE *f = text_open(&objects, &size);
    if (f) {
        go_declare_objects(s, f);
        s->oom |= !text_close(f);
    }
    f = text_open(&functions, &size);
    if (f) {
        go_write_functions(s, s->sc->root, f);
        s->oom |= !text_close(f);
    }
    if (s->oom || !objects || !functions)
        diag_lack(s->d, ENOMEM);
    else if (s->d->count == 0)
        write_file(s, objects, functions, out);
    free(objects);
    free(functions);
    return s->d->count == 0;
}

bool gosrc_init(struct gosrc *s, const struct scenario *sc, enum rt_generation gen, uint32_t gomaxprocs, struct diag *d)
{
    s->sc = sc;
    s->generation = gen;
    s->d = d;
    s->gomaxprocs = gomaxprocs ? gomaxprocs : sc->info.gomaxprocs;
    s->spare = go_spare(&s->a);
    s->reads_i = arena_alloc(&s->a, sc->y->goroutines_count * sizeof *s->reads_i + 1);
    s->oom = !s->spare || !s->reads_i;
    if (!s->oom)
        go_names(s);
    return !s->oom;
}

void gosrc_fini(struct gosrc *s)
{
    vec_free(&s->mark);
    arena_fini(&s->a);
}

bool scenario_go_source(const struct scenario *sc, enum rt_generation gen, uint32_t gomaxprocs, FILE *out, struct diag *d)
{
    struct gosrc *s = calloc(1, sizeof *s);
    bool good = s && gosrc_init(s, sc, gen, gomaxprocs, d);
    if (!good)
        diag_lack(d, ENOMEM);
    else {
        check_settings(s, sc->root);
        good = generate(s, out);
    }
    if (s)
        gosrc_fini(s);
    free(s);
    return good;
}
