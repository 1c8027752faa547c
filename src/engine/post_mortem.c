/* Reports a run that did not end well, in Go's words; and the exit code.
 *
 * The list of goroutines is Go's (traceback.go: goroutineheader, tracebackothers, printcreatedby; panic.go: dopanic_m): the one that dies comes
 * first, the others follow in the order of their slots. Of a stack of a scenario's G only its own program is known, and no line numbers are, so
 * it has one frame; a Go program has all of its own. The runtime's own Gs are left out, as Go does unless the runtime itself fails.
 */
#include "base/text.h"
#include "engine/engine.h"
#include <stdlib.h>
#include <stdlib.h>
#include <string.h>

static bool is_in(const struct engine *e, unsigned generations)
{
    return generations >> e->cfg.info.generation & 1;
}

static const char *go_state(const struct engine *e, const struct model_g *g)
{
    const char *reason = g->status == G_WAITING ? event_go_reason(engine_view(e), g) : NULL;
    if (reason)
        return reason;
    return g->status == G_RUNNING ? "running" : g->status == G_SYSCALL ? "syscall" : "runnable";
}

static bool locked_to_thread(const struct model *md, uint32_t g)
{
    for (uint32_t i = 0; i < model_nm(md); i++)
        if (model_m(md, i)->lockedg == g && !model_m(md, i)->exited)
            return true;
    return false;
}

/* Go: goroutineheader. */
static void print_header(const struct engine *e, const struct model_g *g, FILE *out)
{
    const struct model *md = engine_view(e);
    int64_t from = g->status == G_WAITING || g->status == G_SYSCALL ? slots_waitsince(&e->slots, g->since) : -1;
    int64_t minutes = from >= 0 ? (model_time(md) - from) / INT64_C(60000000000) : 0;
    fprintf(out, "\ngoroutine %u [%s", g->id, go_state(e, g));
    if (minutes >= 1 && is_in(e, SINCE(GO1_4)))
        fprintf(out, ", %lld minutes", (long long)minutes);
    if (is_in(e, SINCE(GO1_4)) && locked_to_thread(md, g->id))
        fputs(", locked to thread", out);
    fputs("]:\n", out);
}

struct known_arg {
    uint32_t g;
    const void *arg;
};
/* A list of goroutines, and the args of those whose calls are known. */
struct listing {
    const struct engine *e;
    FILE *out;
    VEC(struct known_arg) arg; /* sorted by G */
};

static int by_g(const void *a, const void *b)
{
    const struct known_arg *x = a, *y = b;
    return x->g < y->g ? -1 : x->g > y->g;
}

static void note_arg(void *ctx, uint32_t g, const void *arg)
{
    struct listing *l = ctx;
    if (arg && !vec_push(&l->arg, ((struct known_arg){g, arg})))
        l->arg.n = 0; /* without memory only their names are known */
}

/* Returns the arg of a G of a Go program; NULL: not known. */
static const void *arg_of(const struct listing *l, uint32_t g)
{
    const struct known_arg key = {.g = g}, *at = l->arg.n ? bsearch(&key, l->arg.v, l->arg.n, sizeof key, by_g) : NULL;
    return at ? at->arg : NULL;
}

static void print_creator(const struct listing *l, const struct slot *at, const void *arg)
{
    const struct engine *e = l->e;
    uint32_t g = is_in(e, SINCE(GO1_21)) ? at->by_g : 0;
    if (at->by == SLOT_BY_TIMER) /* on g0, which has no number */
        fputs("created by time.goFunc\n", l->out);
    else if (arg)
        scenario_trace(arg, true, g, l->out);
    else if (g)
        fprintf(l->out, "created by main.%s in goroutine %u\n", model_fn(engine_view(e), at->by), g);
    else
        fprintf(l->out, "created by main.%s\n", model_fn(engine_view(e), at->by));
}

/* other: g is not the G that dies. If it still runs, Go does not show its stack; go1.0 has no such rule. */
static void print_g(const struct listing *l, const struct model_g *g, const struct slot *at, bool other)
{
    const void *arg = arg_of(l, g->id);
    print_header(l->e, g, l->out);
    if (other && g->status == G_RUNNING && is_in(l->e, SINCE(GO1_4)))
        fputs("\tgoroutine running on other thread; stack unavailable\n", l->out);
    else if (arg)
        scenario_trace(arg, false, 0, l->out);
    else
        fprintf(l->out, "main.%s()\n", model_fn_name(engine_view(l->e), g->id));
    if (g->id != 1 && at)
        print_creator(l, at, arg);
}

static const struct slot *slot_of(const struct engine *e, uint32_t g)
{
    for (uint32_t i = 0; i < e->slots.n; i++)
        if (e->slots.of[i].g == g)
            return &e->slots.of[i];
    return NULL;
}

/* Go lists them all. There may be a million here, so only the first are listed. */
#define MOST_GOROUTINES 1000u

/* Go: tracebackothers. me: has been listed; 0: none. */
static void print_others(const struct listing *l, uint32_t me)
{
    const struct engine *e = l->e;
    uint32_t shown = 0;
    for (uint32_t i = 0; i < e->slots.n; i++) {
        const struct slot *at = &e->slots.of[i];
        const struct model_g *g = model_g(engine_view(e), at->g);
        if (!g || g->id == me || g->id >= EV_SYSTEM_G || g->status == G_DEAD)
            continue;
        if (shown++ < MOST_GOROUTINES)
            print_g(l, g, at, true);
    }
    if (shown > MOST_GOROUTINES)
        fprintf(l->out, "\n...additional %u goroutines elided...\n", shown - MOST_GOROUTINES);
}

#define THREAD_EXHAUSTION "thread exhaustion" /* the runtime's own mistake, for Go */

/* As long as GOTRACEBACK is not set, since 1.6 a panic lists only the G that panicked, and since 1.26 a fatal error of the program only its G.
 * A deadlock has no such G. */
static bool lists_others(const struct engine *e)
{
    if (e->how == ENDED_PANIC)
        return is_in(e, UNTIL(GO1_4));
    return e->how == ENDED_DEADLOCK || is_in(e, UNTIL(GO1_25)) || !strcmp(e->fatal, THREAD_EXHAUSTION);
}

/* lines: the text of a Go program has lines, which may be indented; a scenario's is one line. */
static void print_text(const char *prefix, const char *text, bool lines, FILE *out)
{
    if (strncmp(text, prefix, strlen(prefix)) == 0)
        prefix = "";
    do {
        for (; lines && *text == '\t'; text++)
            fputc('\t', out);
        size_t n = lines ? strcspn(text, "\n") : strlen(text);
        visible_line(out, "%s%.*s", prefix, (int)n, text);
        text += n + (text[n] == '\n');
        prefix = "";
    } while (*text);
}

/* Every way to die. */
void engine_endless(struct engine *e, char *buf, size_t size)
{
    char at[200] = "";
    const struct waits *w = engine_waits(e);
    if (w)
        waits_say_place(w, e->fatal_g, NAMES_PROGRAM, e->cfg.lang, at, sizeof at);
    snprintf(
        buf, size,
        e->cfg.lang == LANG_ZH ? "死循环：%s 永远运行下去，其他 G 都无法再运行" : "endless loop: %s runs for ever, and no other G can run",
        at);
}

static void print_death(struct engine *e, FILE *out)
{
    static const char nil[] = "runtime error: invalid memory address or nil pointer dereference";
    struct listing l = {.e = e, .out = out};
    bool panic = e->how == ENDED_PANIC, go = e->cfg.scenario && scenario_info(e->cfg.scenario)->go;
    const char *prefix = panic ? "panic: " : rt_generation_fatal(e->cfg.info.generation);
    const char *text = e->fatal[0] || e->how != ENDED_DEADLOCK ? e->fatal : "all goroutines are asleep - deadlock!";
    if (e->how == ENDED_FATAL && !strcmp(text, THREAD_EXHAUSTION)) /* checkmcount prints this line first */
        fprintf(out, "runtime: program exceeds %u-thread limit\n", e->cfg.info.max_threads);
    char endless[600];
    if (e->how != ENDED_ENDLESS)
        print_text(prefix, text, go, out);
    else
        engine_endless(e, endless, sizeof endless), visible_line(out, "gmpscope: %s", endless);
    if (go && panic && !strncmp(text, nil, strlen(nil)))
        fputs("[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x0]\n", out);
    if (go && e->source->ops->args)
        e->source->ops->args(e->source, note_arg, &l);
    if (l.arg.n)
        qsort(l.arg.v, l.arg.n, sizeof *l.arg.v, by_g);
    const struct model_g *me = model_g(engine_view(e), e->fatal_g);
    if (me)
        print_g(&l, me, slot_of(e, me->id), false);
    if (lists_others(e))
        print_others(&l, me ? me->id : 0);
    vec_free(&l.arg);
}

/* A G that waits is where it has waited since; its place fits only that wait, or it is not used (waits.c). */
static void note_place(void *ctx, uint32_t g, const void *arg)
{
    struct model *md = ctx;
    const struct model_g *at = model_g(md, g);
    uint32_t known, op;
    if (at && at->status != G_DEAD && !model_g_op(md, g, &known) && arg && scenario_op_number(arg, &op))
        model_place(md, g, op); /* without memory its line is not known */
}

struct death {
    uint32_t g, at;
};

static void find_death(void *ctx, uint32_t g, const void *arg)
{
    struct death *d = ctx;
    uint32_t op;
    if (g == d->g && arg && scenario_op_number(arg, &op))
        d->at = op + 1;
}

uint32_t engine_died_at(const struct engine *e)
{
    struct death d = {e->fatal_g, e->was.died_at};
    if (d.g && !d.at && e->source->ops->args)
        e->source->ops->args(e->source, find_death, &d);
    return d.at;
}

const struct waits *engine_waits(struct engine *e)
{
    /* A world that was cut has moved on, and so has what its memory can reach: they are judged where they rest. */
    struct model *md = e->how == ENDED_LIMIT && e->races.by_place ? e->model : e->report;
    if (e->waits || !md || engine_failed(e))
        return e->waits;
    if (e->source->ops->args)
        e->source->ops->args(e->source, note_place, md);
    uint32_t known;
    if (e->was.died_at && model_g(md, e->fatal_g) && !model_g_op(md, e->fatal_g, &known))
        model_place(md, e->fatal_g, e->was.died_at - 1);
    bool objects = (e->details || e->cfg.info.mode == MODE_LOCKSTEP) && model_knows(md, KNOW_OBJECTS, 0) != KNOWN_NOT;
    size_t n = 0;
    struct waits_reach *reach = e->source->ops->reach ? e->source->ops->reach(e->source, md, &n) : NULL;
    e->waits = waits_new(&(struct waits_config){.md = md, .flow = e->cfg.info.flow, .reach = reach, .nreach = n, .objects = objects});
    free(reach);
    return e->waits;
}

/* Reports who waits for whom, which Go does not. */
static void print_waits(struct engine *e, FILE *out)
{
    const struct waits *w = e->how == ENDED_DEADLOCK || e->how == ENDED_ENDLESS ? engine_waits(e) : NULL;
    if (w && waits_next(w, 0)) {
        fputs(e->cfg.lang == LANG_ZH ? "\ngmpscope：谁在等谁：\n" : "\ngmpscope: who waits for whom:\n", out);
        waits_print(w, e->cfg.lang, out);
    }
}

/* Reports at which line of a scenario it died. Of a Go program, Go's list says so. */
static void print_place(struct engine *e, FILE *out)
{
    char at[200] = "";
    bool go = e->cfg.scenario && scenario_info(e->cfg.scenario)->go, asks = e->how == ENDED_PANIC || e->how == ENDED_FATAL;
    const struct waits *w = asks && !go && e->fatal_g ? engine_waits(e) : NULL;
    if (w)
        waits_say_place(w, e->fatal_g, NAMES_G, e->cfg.lang, at, sizeof at);
    if (*at)
        fprintf(out, e->cfg.lang == LANG_ZH ? "\ngmpscope：出错的位置：\n  %s\n" : "\ngmpscope: where it dies:\n  %s\n", at);
}

/* Writes one of the last events as a line. */
static void last_line(const struct engine *e, uint64_t number, char *line, size_t size)
{
    struct history_event k = last_get(&e->last, number);
    line[0] = '\0';
    if (!e->history || history_get(e->history, number, &k))
        event_line(e->model, k.m, &k.ev, k.text, k.len, line, size);
}

/* Reports a wake-up that a what-if switch has lost, which ends a run with --strict. Such a run is what the person looked for, not a bug. Returns:
 * false if the run failed for another reason. */
static bool print_lost(const struct engine *e, FILE *out)
{
    uint32_t off = e->cfg.info.off;
    if (!e->cfg.strict || !model_strands(e->model) || !(e->cfg.info.known & KNOWN_SWITCH))
        return false;
    bool asked = e->cfg.info.task == off, zh = e->cfg.lang == LANG_ZH;
    const char *what = model_violation(e->model, e->cfg.lang);
    if (zh)
        fprintf(out, "gmpscope：%s：%s。\n  这次唤醒之所以丢失，是因为禁用了：", asked ? "你赢了" : "丢失的唤醒", what);
    else
        fprintf(out, "gmpscope: %s: %s.\n  This wake-up is lost because %s disabled:", asked ? "won" : "a lost wake-up", what,
                off & (off - 1) ? "these are" : "this is");
    for (int d = 0; d < DIS_COUNT; d++)
        if (off >> d & 1)
            fprintf(out, " %s", rt_disable_name[d]);
    if (zh)
        fputs(asked ? "。你找到了这个场景要找的调度。\n" : "。--strict 把它算作失败。\n", out);
    else
        fputs(asked ? ". You have found the schedule that the scenario is about.\n" : ". --strict counts that as a failure.\n", out);
    return true;
}

static void print_failure(const struct engine *e, FILE *out)
{
    if (print_lost(e, out))
        return;
    if (e->lack) {
        visible_line(out, "gmpscope: %s", e->failure);
        return;
    }
    char line[1200];
    uint64_t from = e->events > 50 ? e->events - 50 : 0;
    bool zh = e->cfg.lang == LANG_ZH;
    fputs(zh ? "gmpscope：内部检查失败：" : "gmpscope: an internal check failed: ", out);
    for (const char *p = e->failure; *p; p += strcspn(p, "\n"), p += *p == '\n') /* some failures are lists */
        visible_line(out, "%.*s", (int)strcspn(p, "\n"), p);
    if (e->events && zh)
        fprintf(out, "共 %llu 个%s，最后 %llu 个是：\n", (unsigned long long)e->events, e->details ? "事件" : "核心事件（没有记录细节）",
                (unsigned long long)(e->events - from));
    else if (e->events)
        fprintf(out, "the last %llu of %llu %s:\n", (unsigned long long)(e->events - from), (unsigned long long)e->events,
                e->details ? "events" : "core events (details were not recorded)");
    for (uint64_t i = from; i < e->events; i++) {
        last_line(e, i + 1, line, sizeof line);
        fprintf(out, "  %s\n", line);
    }
}

static bool is_dead(const struct engine *e)
{
    return e->how == ENDED_DEADLOCK || e->how == ENDED_PANIC || e->how == ENDED_FATAL || e->how == ENDED_ENDLESS;
}

/* A run that dies as its claims say has ended well. */
static bool died(const struct engine *e)
{
    return is_dead(e) && !expect_this_end(e->expect, e->how);
}

void engine_post_mortem(struct engine *e, FILE *out)
{
    if (engine_failed(e)) {
        print_failure(e, out);
        return;
    }
    bool allowed = is_dead(e) && expect_may_end(e->expect, e->how);
    if (died(e) || allowed) {
        print_death(e, out);
        print_waits(e, out);
        print_place(e, out);
    }
    if (allowed)
        fprintf(out, "gmpscope: the scenario allows this end: \"may: ends: %s\"\n", ev_word(FT_END_HOW, e->how));
}

bool engine_test_failed(const struct engine *e, char *buf, size_t size)
{
    static const char fail[] = "--- FAIL: ";
    const char *const *lines, *test = e->cfg.scenario ? scenario_info(e->cfg.scenario)->test : NULL;
    size_t len = test ? strlen(test) : 0;
    if (!test || e->how != ENDED_EXIT || e->exit_code != 1 || expect_this_end(e->expect, ENDED_EXIT) || engine_failed(e))
        return false;
    uint32_t n = expect_lines(e->expect, &lines);
    for (uint32_t i = 0; i < n; i++) {
        const char *name = lines[i] + strspn(lines[i], " ");
        bool says = !strncmp(name, fail, sizeof fail - 1);
        name += says ? sizeof fail - 1 : 0;
        if (says && !strncmp(name, test, len) && name[len] == '/') { /* a part of it, or of that part */
            test = name;
            len = strcspn(name, " ");
        }
    }
    snprintf(buf, size, e->cfg.lang == LANG_ZH ? "测试 %.*s 失败" : "test %.*s failed", (int)len, test);
    return true;
}

int engine_exit_code(const struct engine *e, bool judged)
{
    if (engine_failed(e))
        return e->lack ? 2 : 4;
    bool bare = e->cfg.scenario && scenario_info(e->cfg.scenario)->go_file; /* its death says more than what it leaves */
    if (judged && expect_failed(e->expect) && !(bare && died(e)))
        return 1;
    if (engine_test_failed(e, NULL, 0))
        return 1;
    bool failed = e->how == ENDED_EXIT && e->exit_code && !expect_this_end(e->expect, ENDED_EXIT);
    return failed || died(e) ? 3 : 0;
}

int engine_own_exit(const struct engine *e, int code)
{
    return e->how == ENDED_EXIT && (code == 0 || code == 3) ? e->exit_code : code;
}
