/* See source_go.h. */
#include "engine/source_go.h"
#include "engine/player.h"
#include <errno.h>
#include <stdlib.h>

struct go_player {
    struct player player;
    struct go_trace *from;
};

static struct go_trace *trace_of(const struct player *p)
{
    return ((const struct go_player *)(const void *)p)->from;
}

static enum player_read read_go(struct player *p, struct player_item *out)
{
    bool lack = false;
    *out = (struct player_item){.text = NULL};
    if (go_trace_next(trace_of(p), &out->m, &out->ev, &lack))
        return PLAYER_ITEM;
    return lack ? PLAYER_LACK : go_trace_waits(trace_of(p)) ? PLAYER_WAIT : PLAYER_END;
}

static void wait_go(struct player *p, int ms)
{
    go_trace_wait(trace_of(p), ms);
}

static int64_t go_behind(struct player *p, int64_t time)
{
    return go_trace_behind(trace_of(p), time);
}

static const char *cut_of(const struct go_told *told)
{
    return told->state == GO_CUT ? "it ends in the middle" : told->state == GO_DAMAGED ? told->wrong : NULL;
}

static void was_traced(struct player *p, struct recorded_how *how, struct recorded_end *end)
{
    *how = (struct recorded_how){.details = true, .places = PLACES_NONE, .limit = INT64_MAX, .max_events = UINT64_MAX};
    const struct go_told *told = go_trace_told(trace_of(p));
    *end = (struct recorded_end){.how = ENDED_TRACE, .time = told->end, .cut = cut_of(told), .cut_read = told->at, .cut_size = told->size};
}

static void close_go(struct player *p)
{
    (void)p; /* the trace is the caller's */
}

int source_go(const struct source_config *c, struct source **out)
{
    static const struct player_tape tape = {
        .read = read_go, .recorded = was_traced, .close = close_go, .wait = wait_go, .behind = go_behind, .records = true};
    struct go_player *g = calloc(1, sizeof *g);
    if (!g)
        return -ENOMEM;
    g->player = (struct player){.source.ops = &player_ops, .tape = &tape, .mode = c->info->mode, .was_free = true};
    g->from = (struct go_trace *)(uintptr_t)c->from;
    go_trace_rewind(g->from);
    *out = &g->player.source;
    return 0;
}

static enum rt_generation generation_of(int minor)
{
    static const enum rt_generation of[] = {[11] = GO1_20, [19] = GO1_20, [21] = GO1_21, [22] = GO1_22, [23] = GO1_23,
                                            [24] = GO1_24, [25] = GO1_25, [26] = GO1_26, [27] = GO1_27};
    return of[minor]; /* "go 1.11" is written by Go 1.11 to 1.18, most of which have the rules of 1.20 */
}

static const struct text old_summary = {
    {"What Go's tracer wrote. It records no queues, and no end of a system call that keeps its P: the call is shown without length. What is unknown is \"?\".",
     "Go 跟踪器写下的事件。其中没有队列；保住 P 的系统调用没有结束时刻，显示时长为零。未知之处显示 \"?\"。"}};

void source_go_info(struct go_trace *t, const char *name, struct run_info *out)
{
    const struct go_told *told = go_trace_told(t);
    *out = (struct run_info){
        .name = name,
        .title = {{"A trace of a real Go program", "真实 Go 程序的跟踪"}},
        .summary = told->minor < GO_SECOND
                       ? old_summary
                       : (struct text){{"What Go's tracer wrote. It records no queues: what is unknown is \"?\", and :ledger lists it.",
                                        "Go 跟踪器写下的事件。其中没有队列：未知之处显示 \"?\"，:ledger 列出全部。"}},
        .generation = generation_of(told->minor),
        .mode = MODE_FREE,
        .places = PLACES_NONE,
        .procs = told->procs,
        .runq_size = 256,
        .max_threads = 10000,
        .slice = 10000000,
        .has_p = true,
        .mechanisms = (1u << DIS_COUNT) - 1,
        .lacks = GO_TRACE_LACKS,
        .cut = cut_of(told),
        .cut_read = told->at,
        .cut_size = told->size,
        .programs = {.fn = told->fn, .nfn = told->nfn}};
    if (told->followed) {
        out->programs.later = go_trace_name;
        out->programs.ctx = t;
    }
}
