/* See conclusion.h. Each sentence states facts of one state and must be true of that state. Where the state does not show a cause, the sentence
 * says only "has not ended" or "since". */
#include "model/conclusion.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The formats stand next to each other by language; both take the same arguments. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

struct out {
    char *buf;
    size_t size, n;
    bool zh;
};

__attribute__((format(printf, 3, 0))) static void put(struct out *o, const char *zh, const char *en, ...)
{
    va_list ap;
    va_start(ap, en);
    int n = vsnprintf(o->buf + o->n, o->size - o->n, o->zh ? zh : en, ap);
    va_end(ap);
    size_t left = o->size - o->n - 1;
    o->n += n < 0 ? 0 : (size_t)n < left ? (size_t)n : left;
}

struct facts {
    struct outcome o;
    uint32_t left;        /* Gs that have not ended */
    char time[40], g[16]; /* g: the name of the runner */
};

static void put_left(struct out *o, const struct facts *f)
{
    if (f->left)
        put(o, "；%u 个 G 中还有 %u 个未结束", f->left == 1 ? "; %2$u of %1$u Gs has not ended" : "; %2$u of %1$u Gs have not ended",
            f->o.created, f->left);
}

static void put_death(struct out *o, const struct facts *f, const char *zh, const char *en)
{
    put(o, "%s 后%s", "after %s the program dies of %s", f->time, o->zh ? zh : en);
    put_left(o, f);
}

static void put_return(struct out *o, const struct facts *f)
{
    if (!f->left && f->o.created == 1)
        put(o, "唯一的 G 在 %s 后结束", "the only G ends after %s", f->time);
    else if (!f->left)
        put(o, "全部 %u 个 G 在 %s 后结束", "all %u Gs end after %s", f->o.created, f->time);
    else
        put(o, "main 在 %s 后返回", "main returns after %s", f->time);
    put_left(o, f);
}

/* Says how long the longest queue is, and which G runs ahead of it. */
static void put_queue(struct out *o, const struct facts *f, int64_t now)
{
    char ran[40];
    uint32_t n = f->o.queued;
    duration_text(now - f->o.runs_since, ran, sizeof ran);
    if (f->o.p == EV_NONE)
        put(o, "%u 个 G 在全局队列中等待", n == 1 ? "%u G waits in the global queue" : "%u Gs wait in the global queue", n);
    else if (f->o.runner)
        put(o, "%1$u 个 G 在 P%2$u 的队列中等待，排在已不间断运行 %4$s 的 %3$s 之后",
            n == 1 ? "%u G waits in P%u's queue behind %s, which has run for %s without a break"
                   : "%u Gs wait in P%u's queue behind %s, which has run for %s without a break",
            n, f->o.p, f->g, ran);
    else
        put(o, "%u 个 G 在 P%u 的队列中等待，而那里没有 G 在运行",
            n == 1 ? "%u G waits in P%u's queue, where no G runs" : "%u Gs wait in P%u's queue, where no G runs", n, f->o.p);
}

static void put_stuck(struct out *o, const struct facts *f, int64_t now)
{
    char since[40];
    put(o, "自 %s 起没有任何 G 改变过状态", "no G has changed its state since %s", duration_text(f->o.moved, since, sizeof since));
    if (f->o.stopper != EV_NONE)
        put(o, "：M%u 自 %s 起一直在停止世界", ": M%u has been stopping the world since %s", f->o.stopper,
            duration_text(f->o.stops_since, since, sizeof since));
    else if (f->o.queued) {
        put(o, "：", ": ");
        put_queue(o, f, now);
    } else if (f->o.due >= 0)
        put(o, "：一个定时器自 %s 起已到期，没有 M 运行它", ": a timer has been due since %s, and no M runs it",
            duration_text(f->o.due, since, sizeof since));
    else
        put_left(o, f);
}

static void put_so_far(struct out *o, const struct facts *f)
{
    if (!f->o.created)
        put(o, "还没有 G", "there is no G yet");
    else
        put(o, "到 %s 为止，%u 个 G 中有 %u 个已结束",
            f->o.done == 1 ? "at %1$s, %3$u of %2$u Gs has ended" : "at %1$s, %3$u of %2$u Gs have ended", f->time, f->o.created,
            f->o.done);
}

static void put_run(struct out *o, const struct conclusion_run *r)
{
    struct facts f = {.o = outcome_of(r->md)};
    f.left = f.o.created - f.o.done;
    duration_text(r->time, f.time, sizeof f.time);
    ev_g_name(f.o.runner, f.g);
    put(o, "%s", "%s", text_in(&r->subject, o->zh ? LANG_ZH : LANG_EN));
    switch (r->how) {
    case ENDED_MAIN_RETURNED:
        put_return(o, &f);
        break;
    case ENDED_DEADLOCK:
        put_death(o, &f, "发生死锁", "a deadlock");
        break;
    case ENDED_PANIC:
        put_death(o, &f, "因 panic 而终止", "a panic");
        break;
    case ENDED_FATAL:
        put_death(o, &f, "因致命错误而终止", "a fatal error");
        break;
    case ENDED_EXIT:
        put(o, "程序在 %s 后调用 os.Exit", "the program calls os.Exit after %s", f.time);
        put_left(o, &f);
        break;
    case ENDED_STUCK:
        put_stuck(o, &f, r->time);
        break;
    default:
        put_so_far(o, &f);
        break;
    }
    put(o, "。", ".");
}

static bool is_over(const struct conclusion_run *r)
{
    return (r->how >= ENDED_MAIN_RETURNED && r->how <= ENDED_FATAL) || r->how == ENDED_EXIT;
}

static void put_waits(struct out *o, const struct conclusion_run run[2])
{
    char wait[2][40];
    int64_t p50, p99, max[2];
    for (int i = 0; i < 2; i++) {
        model_latency(run[i].md, &p50, &p99, &max[i]);
        duration_text(max[i], wait[i], sizeof wait[i]);
    }
    if (strcmp(wait[0], wait[1]) != 0)
        put(o, "可运行的 G 最长等待了：左 %s，右 %s。", " The longest wait of a runnable G: left %s, right %s.", wait[0], wait[1]);
}

/* Says which run ends later, and how long Gs had to wait. */
static void put_times(struct out *o, const struct conclusion_run run[2])
{
    char by[40];
    int64_t later = run[1].time - run[0].time;
    duration_text(later < 0 ? -later : later, by, sizeof by);
    if (later)
        put(o, later > 0 ? "右边多用 %s。" : "左边多用 %s。",
            later > 0 ? " The right run takes %s longer." : " The left run takes %s longer.", by);
    else
        put(o, "两边用时相同。", " Both take the same time.");
    put_waits(o, run);
}

static void put_longer_so_far(struct out *o, bool right, int64_t by)
{
    char text[40];
    put(o, right ? "到目前为止，右边多用 %s。" : "到目前为止，左边多用 %s。",
        right ? " So far, the right run takes %s longer." : " So far, the left run takes %s longer.", duration_text(by, text, sizeof text));
}

/* Says how far apart two runs are that have not ended. */
static void put_apart(struct out *o, const struct conclusion_run run[2])
{
    struct outcome of[2] = {outcome_of(run[0].md), outcome_of(run[1].md)};
    bool left = of[0].done > of[1].done;
    uint32_t more = left ? of[0].done - of[1].done : of[1].done - of[0].done;
    if (!more)
        put(o, "到目前为止，两边结束的 G 一样多。", "So far, as many Gs have ended on the left as on the right.");
    else
        put(o, left ? "到目前为止，左边多结束了 %u 个 G。" : "到目前为止，右边多结束了 %u 个 G。",
            more == 1 ? left ? "So far, %u more G has ended on the left." : "So far, %u more G has ended on the right."
            : left    ? "So far, %u more Gs have ended on the left."
                      : "So far, %u more Gs have ended on the right.",
            more);
    if (of[0].queued != of[1].queued)
        put(o, "最长的队列：左 %u 个 G，右 %u 个。", " Gs in the longest queue: left %u, right %u.", of[0].queued, of[1].queued);
    put_waits(o, run);
}

void conclusion_text(const struct conclusion_run run[2], const struct parting *parting, enum lang lang, char *buf, size_t size)
{
    struct out o = {buf, size, 0, lang == LANG_ZH};
    buf[0] = '\0';
    bool whole = is_over(&run[0]) && is_over(&run[1]);
    if (whole && !parting->parted && !parting->later) {
        struct conclusion_run both = run[0];
        both.subject = (struct text){{"Both runs are the same, event by event: ", "两次运行的每个事件都相同："}};
        put_run(&o, &both);
        return;
    }
    if (run[0].how < 0 && run[1].how < 0) {
        put_apart(&o, run);
        return;
    }
    put_run(&o, &run[0]);
    put(&o, "", " ");
    put_run(&o, &run[1]);
    for (int i = 0; i < 2; i++)
        if (run[i].how < 0 && is_over(&run[!i]) && run[i].time > run[!i].time)
            put_longer_so_far(&o, i == 1, run[i].time - run[!i].time);
    if (run[0].how == run[1].how && whole)
        put_times(&o, run);
}
