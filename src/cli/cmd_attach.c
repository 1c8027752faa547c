/* gmpscope attach: looks at a live Go program, ten times a second, in the same screens as a run. */
#include "attach/attach.h"
#include "base/wall.h"
#include "cli/foreign.h"
#include "engine/looks.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_NS INT64_C(100000000) /* between two looks */
#define AGAIN_NS INT64_C(5000000)  /* after a torn one */

struct watch {
    struct attach *a;
    int64_t from, due; /* wall ns; from: the first look, 0: there was none */
};

/* A look is torn if a thread was stopped inside of the scheduler's locked sections: the next one is tried soon. A person who steps gets no more looks than
 * ten a second, either: each one stops the program. */
static enum look_read next_look(void *ctx, bool now, const struct snapshot **out, int64_t *time)
{
    enum { TRIES = 8 };
    struct watch *w = ctx;
    int64_t at = wall_ns();
    (void)now;
    if (at < w->due)
        return LOOK_WAIT;
    for (int i = 0; i < TRIES; i++) {
        switch (attach_look(w->a, out)) {
        case ATTACH_LOOKED:
            w->from = w->from ? w->from : at;
            *time = at - w->from;
            w->due = at + LOOK_NS;
            return LOOK_READ;
        case ATTACH_GONE:
            return LOOK_END;
        case ATTACH_LACK:
            return LOOK_LACK;
        case ATTACH_TORN:
            break;
        }
        at = wall_ns();
    }
    w->due = at + AGAIN_NS;
    return LOOK_WAIT;
}

static void print_told(const struct foreign *f)
{
    const struct attach_told *t = attach_told(f->about);
    char most[32];
    bool zh = f->o->lang == LANG_ZH;
    duration_text(t->stopped_most, most, sizeof most);
    visible_line(stdout, zh ? "%s：%s（%s）" : "%s: %s (%s)", f->info.name, t->exe, t->version);
    printf(zh ? "查看：%" PRIu64 "，丢弃：%" PRIu64 "（状态自相矛盾）"
              : "looks: %" PRIu64 ", dropped: %" PRIu64 " (their state contradicted itself)",
           t->looks, t->torn);
    if (t->threads)
        printf(zh ? "；线程：%u，每次最多停住 %s" : "; threads: %u, stopped for at most %s", t->threads, most);
    putchar('\n');
}

static void fill_info(const struct attach *a, const struct snapshot *s, const char *name, struct run_info *out)
{
    const struct attach_told *t = attach_told(a);
    char generation[16];
    *out = (struct run_info){
        .name = name,
        .title = {{"A live Go program", "正在运行的 Go 程序"}},
        .summary = {{"Its state is read ten times a second. What it does in between nobody sees; :ledger says what is not known.",
                     "每秒读取十次状态；其间发生的事无人看到，:ledger 列出未知之处。"}},
        .generation = GO1_20,
        .mode = MODE_FREE,
        .places = PLACES_NONE,
        .procs = s->np,
        .runq_size = 256,
        .max_threads = 10000,
        .slice = 10000000,
        .has_p = true,
        .mechanisms = (1u << DIS_COUNT) - 1,
        .lacks = LOOKS_LACK,
        .programs = {.fn = t->fn, .nfn = ATTACH_FNS}};
    snprintf(generation, sizeof generation, "go1.%d", t->minor);
    for (int i = 0; i < GENERATIONS; i++)
        if (!strcmp(generation_name[i], generation))
            out->generation = (enum rt_generation)i;
}

static int watch(struct options *o, pid_t pid)
{
    char why[ATTACH_WHY];
    const struct attach_config c = {.pid = pid, .no_stop = o->no_stop, .lang = o->lang};
    struct watch w = {.a = attach_open(&c, why)};
    if (!w.a) {
        visible_line(stderr, "gmpscope: attach %d: %s", (int)pid, why);
        return 2;
    }
    const struct snapshot *first;
    enum attach_look r = attach_look(w.a, &first);
    for (int i = 0; r == ATTACH_TORN && i < 200; i++)
        r = attach_look(w.a, &first);
    struct looks *l = looks_new(&(struct looks_config){.next = next_look, .ctx = &w, .live = true, .end = ENDED_GONE});
    const char *slash = strrchr(attach_told(w.a)->exe, '/');
    struct foreign f = {.o = o, .open = source_looks, .from = l, .about = w.a, .print = print_told};
    f.path = arena_printf(&o->arena, "%s %d", slash && slash[1] ? slash + 1 : attach_told(w.a)->exe, (int)pid);
    int code = 2;
    if (l && f.path && r == ATTACH_LOOKED) {
        fill_info(w.a, first, f.path, &f.info);
        if (!o->tempo_asked) /* the screen shows a look when it is there */
            o->tempo = TEMPO_MAX;
        code = foreign_run(&f);
    } else {
        visible_line(stderr, "gmpscope: attach %d: %s", (int)pid, r == ATTACH_GONE ? strerror(ESRCH) : strerror(ENOMEM));
    }
    looks_free(l);
    attach_close(w.a);
    return code;
}

static int attach(struct options *o)
{
    char *end = NULL;
    if (o->nargs == 0)
        return usage_error("attach needs the PID of a Go program; pgrep NAME finds it");
    if (o->nargs > 1)
        return usage_error("attach takes one PID, got %d; unexpected \"%s\"", o->nargs, o->args[1]);
    long pid = strtol(o->args[0], &end, 10);
    if (end == o->args[0] || *end || pid <= 0 || pid > INT32_MAX)
        return usage_error("attach needs a PID, got \"%s\"; pgrep NAME finds it", o->args[0]);
    return watch(o, (pid_t)pid);
}

int cmd_attach(int argc, char **argv)
{
    struct options o;
    int code = 2;
    if (options_parse(&o, CMD_ATTACH, argc, argv))
        code = o.help
                   ? command_help("attach PID [options]",
                                  "look at the scheduler of a live Go program ten times a second, or print it with --headless", CMD_ATTACH)
                   : attach(&o);
    options_fini(&o);
    return code;
}
