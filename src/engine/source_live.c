/* The live source: a runtime of real threads, its log, and the conductor that steers it. */
#include "base/variables.h"
#include "engine/source.h"
#include "scenario/scenario.h"
#include <errno.h>
#include <stdlib.h>

struct live {
    struct source source;
    struct scenario_run *run;
    struct sched *rt;
    struct conductor *conductor;
    struct log *log;
    bool fine;
};

static struct live *live_of(struct source *s)
{
    return (struct live *)(void *)s;
}

/* --- events --------------------------------------------------------------------------------------------------------- */

static enum log_order merge_order(const struct live *l)
{
    if (conductor_was_free(l->conductor))
        return conductor_is_stopped(l->conductor) ? LOG_AT_REST : LOG_BY_SEQUENCE;
    return l->fine ? LOG_BY_TIME_PATIENT : LOG_BY_TIME;
}

static int64_t live_next(struct source *s, const struct log_sink *sink, uint64_t max)
{
    struct live *l = live_of(s);
    uint64_t places = log_places(l->log);
    int64_t n = log_drain(l->log, merge_order(l), sink, max);
    if (n > 0 || log_places(l->log) != places)
        conductor_passed(l->conductor);
    if (n < (int64_t)max && conductor_mode(l->conductor) == MODE_FREE) /* in lockstep the Ms share one CPU, and have time */
        rt_tend(l->rt);
    return n;
}

static uint64_t live_pending(struct source *s)
{
    struct live *l = live_of(s);
    return log_appended(l->log) - log_consumed(l->log);
}

struct peek {
    source_show *show;
    void *ctx;
};

static void peek_at(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    const struct peek *p = ctx;
    if (!ev_is_place(e))
        p->show(p->ctx, m, e, text, len);
}

static void live_peek(struct source *s, source_show *show, void *ctx)
{
    log_unread(live_of(s)->log, peek_at, &(struct peek){show, ctx});
}

static uint64_t live_lost(struct source *s)
{
    return log_lost(live_of(s)->log);
}

static bool live_full(struct source *s)
{
    return log_full(live_of(s)->log);
}

static void live_grow(struct source *s)
{
    log_grow(live_of(s)->log);
}

static void live_stuck(struct source *s, char *buf, size_t size)
{
    log_stuck(live_of(s)->log, buf, size);
}

static enum source_failure live_failure(struct source *s, const char **text)
{
    struct live *l = live_of(s);
    if ((*text = rt_lack_text(l->rt)))
        return FAILURE_LACK;
    *text = "no memory is left for the log of events";
    if (log_lacks(l->log))
        return FAILURE_LACK;
    if ((*text = rt_throw_text(l->rt)))
        return FAILURE_THROW;
    return (*text = conductor_error(l->conductor)) ? FAILURE_CONDUCTOR : FAILURE_NONE;
}

/* --- motion --------------------------------------------------------------------------------------------------------- */

static void live_run(struct source *s)
{
    conductor_run(live_of(s)->conductor);
}

static void live_step(struct source *s, enum source_unit unit, uint64_t n)
{
    struct conductor *c = live_of(s)->conductor;
    if (unit == UNIT_ROUND)
        conductor_step_rounds(c, n);
    else
        conductor_step_events(c, n, unit == UNIT_EVENT);
}

static void live_seek(struct source *s, uint64_t events)
{
    live_step(s, UNIT_EVENT, events - log_appended(live_of(s)->log));
}

static void live_pause(struct source *s)
{
    conductor_pause(live_of(s)->conductor);
}

static bool live_wait_stopped(struct source *s, int ms)
{
    struct conductor *c = live_of(s)->conductor;
    return ms ? conductor_wait_stopped(c, ms) : conductor_is_stopped(c);
}

static void live_watch(struct source *s, bool each, bool in_step)
{
    conductor_watch(live_of(s)->conductor, each);
    conductor_arm(live_of(s)->conductor, in_step);
}

static int64_t live_clock(struct source *s)
{
    struct conductor *c = live_of(s)->conductor;
    return conductor_mode(c) == MODE_FREE ? conductor_time(c) : -1;
}

static void live_kill(struct source *s)
{
    rt_kill(live_of(s)->rt);
}

/* --- what it can do --------------------------------------------------------------------------------------------------- */

static enum refusal live_refuses(struct source *s, enum capability what)
{
    struct conductor *c = live_of(s)->conductor;
    bool free_now = conductor_mode(c) == MODE_FREE;
    switch (what) {
    case CAN_DECIDE:
        return free_now ? REFUSED_FREE : conductor_was_free(c) ? REFUSED_WAS_FREE : REFUSED_NOT;
    case CAN_BRANCH:
    case CAN_SHARE:
        return conductor_was_free(c) ? REFUSED_WAS_FREE : REFUSED_NOT;
    case CAN_SCALE_TIME:
        return free_now ? REFUSED_NOT : REFUSED_LOCKSTEP;
    default:
        return REFUSED_NOT;
    }
}

static enum conductor_mode live_mode(struct source *s)
{
    return conductor_mode(live_of(s)->conductor);
}

static bool live_was_free(struct source *s)
{
    return conductor_was_free(live_of(s)->conductor);
}

static void live_set_mode(struct source *s, enum conductor_mode mode)
{
    conductor_set_mode(live_of(s)->conductor, mode);
}

static void live_set_speed(struct source *s, uint32_t num, uint32_t den)
{
    conductor_set_speed(live_of(s)->conductor, num, den);
}

static bool live_snapshot(struct source *s, struct snapshot *out)
{
    return rt_snapshot(live_of(s)->rt, out);
}

static bool live_intent(struct source *s, uint32_t m, struct intent *out)
{
    const void *arg;
    return rt_next(live_of(s)->rt, m, out, &arg);
}

static bool live_op(struct source *s, uint32_t m, int nth, char *buf, size_t size)
{
    struct intent i;
    const void *arg;
    if (!rt_next(live_of(s)->rt, m, &i, &arg) || !arg)
        return false;
    if (nth >= 0)
        return scenario_op_case(arg, (uint32_t)nth, buf, size);
    scenario_op(arg, (struct scenario_place){i.g, m, i.p}, buf, size);
    return true;
}

static void live_args(struct source *s, source_arg *show, void *ctx)
{
    rt_args(live_of(s)->rt, show, ctx);
}

static struct waits_reach *live_reach(struct source *s, const struct model *md, size_t *n)
{
    return scenario_reach(live_of(s)->run, md, n);
}

struct asked {
    uint32_t g, line;
    struct variables *out;
    uint64_t ahead;
    bool known;
};

/* If the G has gone on to places that are not folded yet, its memory is that of a later moment. */
static void look_for_place(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    struct asked *a = ctx;
    (void)m, (void)text, (void)len;
    a->ahead += e->kind == EV_G_OP && e->g == a->g && ev_note(e) <= NOTE_PLACE;
}

static void look_into(void *ctx, uint32_t g, const void *arg)
{
    struct asked *a = ctx;
    if (g == a->g && arg)
        a->known = scenario_variables(arg, a->line, a->out);
}

static bool live_variables(struct source *s, uint32_t g, uint32_t line, bool moves, struct variables *out)
{
    struct asked a = {.g = g, .line = line, .out = out};
    if (!moves)
        log_unread(live_of(s)->log, look_for_place, &a);
    rt_args(live_of(s)->rt, look_into, &a);
    out->lines = out->lines_run - a.ahead;
    return a.known;
}

static uint32_t live_steal_order(struct source *s, uint32_t outcome, uint32_t *p, uint32_t max)
{
    return rt_steal_order(live_of(s)->rt, outcome, p, max);
}

/* --- decisions ---------------------------------------------------------------------------------------------------------- */

static bool decision_now(struct source *s, struct decision *out)
{
    return conductor_decision_now(live_of(s)->conductor, out);
}

static uint32_t decision_ready(struct source *s, uint32_t *ids, uint32_t max)
{
    return conductor_ready(live_of(s)->conductor, ids, max);
}

static bool decision_choose(struct source *s, uint32_t pick)
{
    return conductor_choose(live_of(s)->conductor, pick);
}

static bool decision_turn(struct source *s, enum turn turn)
{
    return conductor_step_turn(live_of(s)->conductor, turn);
}

static bool decision_departed(struct source *s)
{
    return conductor_departed(live_of(s)->conductor);
}

static bool decision_refused(struct source *s, struct refused_choice *out)
{
    return conductor_refused(live_of(s)->conductor, out);
}

static uint64_t decision_count(struct source *s)
{
    return conductor_decisions(live_of(s)->conductor);
}

static bool decision_choices(struct source *s, bool ahead, struct choices *out)
{
    return conductor_choices(live_of(s)->conductor, ahead, out);
}

static size_t decision_choices_ahead(struct source *s, struct choice *first)
{
    return conductor_choices_ahead(live_of(s)->conductor, first);
}

static const struct source_decision_ops live_decisions = {
    .now = decision_now,
    .ready = decision_ready,
    .choose = decision_choose,
    .turn = decision_turn,
    .departed = decision_departed,
    .refused = decision_refused,
    .count = decision_count,
    .choices = decision_choices,
    .choices_ahead = decision_choices_ahead,
};

/* --- life --------------------------------------------------------------------------------------------------------------- */

static void live_close(struct source *s)
{
    struct live *l = live_of(s);
    scenario_run_free(l->run);
    free(l);
}

static const struct source_ops live_ops = {
    .next = live_next,
    .pending = live_pending,
    .peek = live_peek,
    .lost = live_lost,
    .full = live_full,
    .grow = live_grow,
    .stuck = live_stuck,
    .run = live_run,
    .step = live_step,
    .seek = live_seek,
    .pause = live_pause,
    .wait_stopped = live_wait_stopped,
    .watch = live_watch,
    .clock = live_clock,
    .failure = live_failure,
    .kill = live_kill,
    .close = live_close,
    .refuses = live_refuses,
    .mode = live_mode,
    .was_free = live_was_free,
    .set_mode = live_set_mode,
    .set_speed = live_set_speed,
    .snapshot = live_snapshot,
    .intent = live_intent,
    .op = live_op,
    .args = live_args,
    .reach = live_reach,
    .variables = live_variables,
    .steal_order = live_steal_order,
    .decisions = &live_decisions,
};

struct conductor *source_live_conductor(struct source *s)
{
    return live_of(s)->conductor;
}

int source_live(const struct source_config *c, struct source **out)
{
    struct rt_config rt = *c->rt;
    struct live *l = calloc(1, sizeof *l);
    if (!l)
        return -ENOMEM;
    rt.objects = c->details || rt.mode == MODE_LOCKSTEP;
    rt.level = rt.objects ? EV_DETAIL : EV_CORE;
    rt.sparse = c->sparse;
    rt.hook = c->hook;
    rt.hook_ctx = c->hook_ctx;
    errno = 0;
    l->run = scenario_run_new(c->scenario, &rt);
    if (!l->run) {
        free(l);
        return errno ? -errno : -ENOMEM;
    }
    l->source.ops = &live_ops;
    l->fine = rt.fine;
    l->rt = scenario_run_sched(l->run);
    l->conductor = rt_conductor(l->rt);
    l->log = rt_log(l->rt);
    int r = rt_start(l->rt);
    if (r == 0)
        *out = &l->source;
    else
        live_close(&l->source);
    return r;
}
