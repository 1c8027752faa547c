/* See contrast.h. */
#include "cli/contrast.h"
#include "engine/summary.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT, RIGHT, SIDES, PIECE = 64 };

/* --- the subjects ------------------------------------------------------------------------------------------------- */

static const struct text mechanism[DIS_COUNT] = {
    [DIS_RUNNEXT] = {{"runnext", " runnext "}},
    [DIS_FAIRNESS_TICK] = {{"the fairness tick", "公平检查"}},
    [DIS_SPINNING] = {{"spinning", "自旋"}},
    [DIS_SPINNING_RECHECK] = {{"the recheck after spinning", "自旋后的复查"}},
    [DIS_STEALING] = {{"stealing", "偷取"}},
    [DIS_STEAL_RUNNEXT_DELAY] = {{"the delay before a runnext is stolen", "偷 runnext 前的等待"}},
    [DIS_HANDOFF] = {{"handoff", "移交"}},
    [DIS_RETAKE] = {{"retake", "收回"}},
    [DIS_PREEMPTION] = {{"preemption", "抢占"}},
    [DIS_WAKEP] = {{"wakep", " wakep "}},
    [DIS_NEEDSPINNING] = {{"needspinning", " needspinning "}},
    [DIS_YIELD_WAKES] = {{"the wake-up after a yield", "让出后的唤醒"}},
    [DIS_LAST_LOOK] = {{"the last look at the global queue", "对全局队列的最后一看"}},
    [DIS_INJECT_WAKES] = {{"the wake-up after the poller's Gs", "轮询器之后的唤醒"}},
    [DIS_FRESH_LASTPOLL] = {{"the fresh time after a poll", "轮询后重新读取的时间"}},
    [DIS_LAZY_TIMERS] = {{"lazy timers", "惰性定时器"}},
    [DIS_SYNC_TIMER_CHANNELS] = {{"synchronous timer channels", "同步的定时器通道"}},
    [DIS_HIGHEST_IDLE_P] = {{"the rule of the highest idle P", "先取编号最大的空闲 P 这条规则"}},
    [DIS_STW_KEEPS_NEXT] = {{"runnext after a stop of the world", "停止世界后放入 runnext 的规则"}},
    [DIS_WIRED_SYSCALL] = {{"the P that stays with its M in a call", "系统调用期间 P 留在 M 上的规则"}},
    [DIS_STW_KEEPS_M] = {{"the old M after a stop of the world", "停止世界后沿用旧 M 的规则"}},
    [DIS_GC_ASSIGNS] = {{"the workers for idle Ps", "给空闲 P 分配 worker 的规则"}},
};

/* Returns the only mechanism that one of the runs has disabled and the other one has not; -1: there is none, or they differ in more. */
static int only_mechanism(const struct rt_config *l, const struct rt_config *r)
{
    uint32_t other = rt_off(l) ^ rt_off(r);
    if (!other || other & (other - 1) || l->generation != r->generation || l->gomaxprocs != r->gomaxprocs)
        return -1;
    return __builtin_ctz(other);
}

static bool same_but_for_settings(const struct engine_config *l, const struct engine_config *r)
{
    const struct scenario_info *a = scenario_info(l->scenario), *b = scenario_info(r->scenario);
    return a->text_hash == b->text_hash && l->rt.seed == r->rt.seed;
}

static void put_mechanism(struct arena *a, int i, bool left_without, struct text subject[2])
{
    for (int side = 0; side < SIDES; side++) {
        bool off = (side == LEFT) == left_without, first = side == LEFT;
        subject[side].in[LANG_EN] =
            first ? arena_printf(a, off ? "Without %s, " : "With %s, ", mechanism[i].in[LANG_EN])
            : off ? "Without it, "
                  : "With it, ";
        subject[side].in[LANG_ZH] = arena_printf(a, off ? "没有%s时，" : "有%s时，", mechanism[i].in[LANG_ZH]);
    }
}

static void put_other(struct arena *a, const struct rt_config *rt[SIDES], struct text subject[2])
{
    bool generation = rt[LEFT]->generation != rt[RIGHT]->generation, procs = rt[LEFT]->gomaxprocs != rt[RIGHT]->gomaxprocs;
    bool disable = rt[LEFT]->disable != rt[RIGHT]->disable || rt[LEFT]->enable != rt[RIGHT]->enable;
    for (int i = 0; i < SIDES; i++) {
        uint32_t n = rt[i]->gomaxprocs;
        if (generation && !procs && !disable) {
            subject[i].in[LANG_EN] = arena_printf(a, "%s: ", generation_name[rt[i]->generation]);
            subject[i].in[LANG_ZH] = arena_printf(a, "%s：", generation_name[rt[i]->generation]);
        } else if (procs && !generation && !disable && rt_generation_has_p(rt[i]->generation)) {
            subject[i].in[LANG_EN] = arena_printf(a, n == 1 ? "With %u P, " : "With %u Ps, ", n);
            subject[i].in[LANG_ZH] = arena_printf(a, "有 %u 个 P 时，", n);
        }
    }
}

void contrast_subjects(struct arena *a, const struct engine_config *left, const struct engine_config *right, struct text subject[2])
{
    static const struct text side[SIDES] = {{{"Left: ", "左："}}, {{"Right: ", "右："}}};
    bool named = left && same_but_for_settings(left, right);
    int i = named ? only_mechanism(&left->rt, &right->rt) : -1;
    if (i >= 0)
        put_mechanism(a, i, rt_off(&left->rt) >> i & 1, subject);
    else if (named)
        put_other(a, (const struct rt_config *[SIDES]){&left->rt, &right->rt}, subject);
    for (int s = 0; s < SIDES; s++)
        if (a->lacking || !subject[s].in[LANG_EN])
            subject[s] = side[s];
}

/* --- where the runs part ------------------------------------------------------------------------------------------- */

bool contrast_find(struct contrast *c)
{
    struct parting_event *piece[SIDES];
    const struct model_names *names[SIDES];
    int n[SIDES] = {PIECE, PIECE};
    for (int i = 0; i < SIDES; i++) {
        piece[i] = malloc(PIECE * sizeof *piece[i]);
        names[i] = &c->e[i]->cfg.info.programs;
    }
    bool room = piece[LEFT] && piece[RIGHT];
    while (room && !c->parting.parted && n[LEFT] == PIECE && n[RIGHT] == PIECE) {
        uint64_t from = c->parting.same + 1;
        for (int i = 0; i < SIDES; i++) {
            n[i] = parting_events(c->e[i]->history, from, piece[i], PIECE);
            room &= n[i] == PIECE || from + (uint64_t)n[i] > c->e[i]->events; /* otherwise the history lacked memory for the rest */
        }
        parting_compare(&c->parting, names, piece[LEFT], piece[RIGHT], n[LEFT] < n[RIGHT] ? n[LEFT] : n[RIGHT]);
    }
    c->parting.parted |= n[LEFT] != n[RIGHT];
    for (int i = 0; i < SIDES; i++)
        free(piece[i]);
    return room;
}

struct first {
    struct history_event e;
    char line[EV_TEXT_MAX + 300], say[EV_TEXT_MAX + 300];
};

/* Fills in the first event of a side that differs. Returns false if the run has ended before it. */
static bool first_of(struct contrast *c, int side, enum lang lang, struct first *out)
{
    uint64_t n = c->parting.same + 1;
    struct history *h = c->e[side]->history;
    struct model *md = NULL;
    bool any = history_move(h, &md, n) && history_get(h, n, &out->e);
    if (any) {
        struct history_event *e = &out->e;
        event_line(md, e->m, &e->ev, e->text, e->len, out->line, sizeof out->line);
        event_sentence(md, e->m, &e->ev, e->text, e->len, lang, out->say, sizeof out->say);
    }
    model_free(md);
    c->lacking |= !any && n <= c->e[side]->events;
    return any;
}

/* If both sentences are the same, the difference is in a field that they do not name: then the fields follow. */
static void put_first(struct contrast *c, enum lang lang, FILE *out)
{
    static const struct text name[SIDES] = {{{"left ", "左"}}, {{"right", "右"}}};
    char time[40];
    struct first first[SIDES];
    bool any[SIDES];
    for (int i = 0; i < SIDES; i++)
        any[i] = first_of(c, i, lang, &first[i]);
    bool fields = any[LEFT] && any[RIGHT] && first[LEFT].e.ev.time == first[RIGHT].e.ev.time && !strcmp(first[LEFT].say, first[RIGHT].say);
    for (int i = 0; i < SIDES; i++) {
        const struct first *f = &first[i];
        const char *named = fields ? strstr(f->line, ev_desc[f->e.ev.kind].name) : NULL;
        if (named)
            visible_line(out, lang == LANG_ZH ? "  %s  事件 %" PRIu64 "  %s  %s（%s）" : "  %s  event %" PRIu64 "  %s  %s (%s)",
                         text_in(&name[i], lang), f->e.number, duration_text(f->e.ev.time, time, sizeof time), f->say, named);
        else if (any[i])
            visible_line(out, lang == LANG_ZH ? "  %s  事件 %" PRIu64 "  %s  %s" : "  %s  event %" PRIu64 "  %s  %s",
                         text_in(&name[i], lang), f->e.number, duration_text(f->e.ev.time, time, sizeof time), f->say);
        else
            visible_line(out, lang == LANG_ZH ? "  %s  没有更多事件：%s" : "  %s  no more events: %s", text_in(&name[i], lang),
                         ev_say(FT_END_HOW, c->e[i]->how, lang));
    }
}

void contrast_first(struct contrast *c, enum lang lang, FILE *out)
{
    bool zh = lang == LANG_ZH;
    unsigned long long same = c->parting.same, later = c->parting.later;
    if (!c->parting.parted) {
        fprintf(out, zh ? "没有不同：两边的 %llu 个事件相同。" : "No difference: the %llu events of both runs are the same.", same);
        if (later)
            fprintf(out, zh ? "时间自事件 %llu 起不同。" : " Their times differ from event %llu on.", later);
        fputc('\n', out);
        return;
    }
    if (same)
        fprintf(out, zh ? "到事件 %llu 为止两边相同。之后：\n" : "The same up to event %llu, then:\n", same);
    else
        fputs(zh ? "第一个事件就不同：\n" : "The first event differs:\n", out);
    put_first(c, lang, out);
}

/* --- by which rules, and with what outcome ------------------------------------------------------------------------- */

static uint32_t mechanisms_of(const struct engine *e)
{
    return e->cfg.info.mechanisms & ~rt_off(&e->cfg.rt);
}

uint32_t contrast_only(const struct contrast *c, int side)
{
    return mechanisms_of(c->e[side]) & ~mechanisms_of(c->e[!side]);
}

/* Writes which mechanisms only this side has. Returns whether there are any. */
static bool put_rules(const struct contrast *c, int side, enum lang lang, FILE *out)
{
    static const struct text only[SIDES] = {{{"only the left run has ", "只有左侧有 "}}, {{"only the right run has ", "只有右侧有 "}}};
    uint32_t extra = contrast_only(c, side);
    const char *sep = text_in(&only[side], lang);
    for (int i = 0; i < DIS_COUNT; i++) {
        if (!(extra >> i & 1))
            continue;
        fprintf(out, "%s%s", sep, rt_disable_name[i]);
        sep = lang == LANG_ZH ? "、" : ", ";
    }
    return extra != 0;
}

static void put_boot(const struct contrast *c, bool zh, FILE *out)
{
    const struct rt_config *l = &c->e[LEFT]->cfg.rt, *r = &c->e[RIGHT]->cfg.rt;
    if (l->boot != r->boot)
        fprintf(out, zh ? "；boot 不同：左侧 %s，右侧 %s" : "; boot is %s on the left and %s on the right", boot_name[l->boot],
                boot_name[r->boot]);
    if (l->module != r->module && rt_module(l) != rt_module(r))
        fprintf(out, zh ? "；module 不同：左侧 %s，右侧 %s" : "; module is %s on the left and %s on the right",
                generation_name[rt_module(l)], generation_name[rt_module(r)]);
}

void contrast_reasons(const struct contrast *c, enum lang lang, FILE *out)
{
    bool zh = lang == LANG_ZH, any = false;
    const char *how[SIDES] = {ev_say(FT_END_HOW, c->e[LEFT]->how, lang), ev_say(FT_END_HOW, c->e[RIGHT]->how, lang)};
    if (!c->parting.parted)
        return;
    fputs(zh ? "规则：" : "Rules: ", out);
    for (int i = 0; i < SIDES; i++) {
        if (any && contrast_only(c, i))
            fputs(zh ? "；" : "; ", out);
        any |= put_rules(c, i, lang, out);
    }
    fputs(any ? "" : zh ? "两边的机制相同" : "both runs have the same mechanisms", out);
    put_boot(c, zh, out);
    fputs(zh ? "。\n结果：" : ".\nOutcome: ", out);
    if (c->e[LEFT]->how != c->e[RIGHT]->how)
        fprintf(out, zh ? "左侧：%s；右侧：%s。\n" : "left: %s; right: %s.\n", how[LEFT], how[RIGHT]);
    else if (c->same_outcome)
        fprintf(out, zh ? "相同：%s，输出也一样。\n" : "the same: %s, with the same output.\n", how[LEFT]);
    else
        fprintf(out, zh ? "两边都是：%s；输出不同。\n" : "both: %s; their outputs differ.\n", how[LEFT]);
}

void contrast_cause(const struct contrast *c, const struct contrast *without, enum rt_disable rule, enum lang lang, FILE *out)
{
    bool zh = lang == LANG_ZH;
    const struct parting *was = &c->parting, *now = &without->parting;
    fprintf(out, "  %-19s  ", rt_disable_name[rule]);
    if (!now->parted)
        fputs(zh ? "造成不同：没有它，两边没有不同" : "makes the difference: without it there is none", out);
    else if (now->same > was->same)
        fprintf(out,
                zh ? "造成第一处不同：没有它，到事件 %" PRIu64 " 为止两边相同"
                   : "makes the first difference: without it both are the same up to event %" PRIu64,
                now->same);
    else
        fputs(zh ? "没有它，两边同样早就不同" : "alone it changes nothing: without it they differ as early", out);
    if (!c->same_outcome && without->same_outcome)
        fputs(zh ? "；没有它，结果相同" : "; without it both end alike", out);
    fputc('\n', out);
}

/* --- the conclusion ------------------------------------------------------------------------------------------------- */

static void conclusion_of(const struct contrast *c, enum lang lang, char *buf, size_t size)
{
    struct conclusion_run run[SIDES];
    for (int i = 0; i < SIDES; i++)
        run[i] = (struct conclusion_run){engine_view(c->e[i]), c->subject[i], c->e[i]->how, summary_time(c->e[i])};
    conclusion_text(run, &c->parting, lang, buf, size);
}

void contrast_conclusion(const struct contrast *c, enum lang lang, FILE *out)
{
    char text[CONCLUSION_BYTES];
    conclusion_of(c, lang, text, sizeof text);
    fprintf(out, "%s\n", text);
}

void contrast_json(struct contrast *c, enum lang lang, FILE *out)
{
    char text[CONCLUSION_BYTES];
    fprintf(out, ",\"first\":{\"same\":%" PRIu64, c->parting.same);
    for (int i = 0; i < SIDES; i++) {
        struct first first;
        fprintf(out, ",\"%s\":", i == LEFT ? "left" : "right");
        if (!c->parting.parted || !first_of(c, i, lang, &first)) {
            fputs("null", out);
            continue;
        }
        fprintf(out, "{\"number\":%" PRIu64 ",\"time_ns\":%" PRId64 ",\"event\":", first.e.number, first.e.ev.time);
        json_string(first.line, out);
        fputs(",\"say\":", out);
        json_string(first.say, out);
        fputc('}', out);
    }
    fputs("},\"conclusion\":", out);
    conclusion_of(c, lang, text, sizeof text);
    json_string(text, out);
}
