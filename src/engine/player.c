/* See player.h. The file's events are the run; "logged" are those that run() and step() have released. A step looks ahead for its end and
 * keeps what it has read in a queue. A run reads only what is taken, so pause() can take the rest back. */
#include "engine/player.h"
#include <stdlib.h>
#include <string.h>

static struct player *player_of(struct source *s)
{
    return (struct player *)(void *)s;
}

/* --- reading ----------------------------------------------------------------------------------------------------------- */

/* Reads the next event or place. Its text is valid until the next call. */
static bool read_item(struct player *p, struct player_item *out)
{
    enum player_read what = p->over ? PLAYER_END : p->tape->read(p, out);
    p->over = what == PLAYER_END || what == PLAYER_LACK;
    p->lacks |= what == PLAYER_LACK;
    p->waits = what == PLAYER_WAIT;
    return what == PLAYER_ITEM;
}

static bool keep(struct player *p, struct player_item i)
{
    char *text = i.text ? malloc(i.len + 1) : NULL;
    bool good = text || !i.text;
    if (text)
        memcpy(text, i.text, i.len);
    i.text = text;
    if (!good || !vec_push(&p->queue, i)) {
        free(text);
        p->lacks = p->over = true;
        return false;
    }
    return true;
}

/* Takes the first item out of the queue. */
static void drop_first(struct player *p)
{
    free(p->queue.v[p->taken++].text);
    if (p->taken == p->queue.n)
        p->taken = p->upto = p->queue.n = 0;
}

/* Releases events up to the n-th that counts; if the file ends before it, also the places behind the last event. A stranger's file may have
 * millions of events that do not count: then the step ends before its end, and the next one goes on. */
static void release(struct player *p, enum source_unit unit, uint64_t n)
{
    enum { AHEAD_MOST = 1 << 20 }; /* events and places in the queue */
    size_t at = p->taken;
    struct player_item i;
    p->all = false;
    p->released = 0;
    for (; n && at - p->taken < AHEAD_MOST && (at < p->queue.n || (read_item(p, &i) && keep(p, i))); at++) {
        const struct ev *e = &p->queue.v[at].ev;
        if (ev_is_place(e))
            continue;
        p->released++;
        n -= unit == UNIT_ROUND ? ev_ends_round(e->kind) : unit == UNIT_EVENT || ev_level_of[e->kind] == EV_CORE;
    }
    p->upto = at;
}

/* --- source_ops ---------------------------------------------------------------------------------------------------------- */

static int64_t play_next(struct source *s, const struct log_sink *sink, uint64_t max)
{
    struct player *p = player_of(s);
    uint64_t n = 0;
    while (n < max && (p->all || p->taken < p->upto)) {
        struct player_item i;
        bool kept = p->taken < p->queue.n;
        if (kept)
            i = p->queue.v[p->taken];
        else if (!read_item(p, &i))
            break;
        bool place = ev_is_place(&i.ev);
        enum offer answer = sink->offer(sink->ctx, i.m, &i.ev, i.text, i.len);
        if (answer == OFFER_HOLD && (kept || keep(p, i)))
            break;
        if (answer != OFFER_APPLIED)
            return LOG_BROKEN;
        if (kept)
            drop_first(p);
        n += !place;
        p->released -= !place && p->released;
    }
    return (int64_t)n;
}

/* How many events are in the queue. */
static uint64_t queued(const struct player *p)
{
    uint64_t n = 0;
    for (size_t i = p->taken; i < p->queue.n; i++)
        n += !ev_is_place(&p->queue.v[i].ev);
    return n;
}

static uint64_t play_pending(struct source *s)
{
    struct player *p = player_of(s);
    return p->all ? queued(p) + (!p->over && !p->waits) : p->released;
}

static void play_peek(struct source *s, source_show *show, void *ctx)
{
    struct player *p = player_of(s);
    uint64_t n = p->all ? UINT64_MAX : p->released;
    for (size_t k = p->taken; n && k < p->queue.n; k++) {
        const struct player_item *i = &p->queue.v[k];
        if (ev_is_place(&i->ev))
            continue;
        show(ctx, i->m, &i->ev, i->text, i->len);
        n--;
    }
}

static uint64_t play_lost(struct source *s)
{
    (void)s;
    return 0;
}

static bool play_full(struct source *s)
{
    (void)s;
    return false;
}

static void play_stuck(struct source *s, char *buf, size_t size)
{
    (void)s;
    snprintf(buf, size, "the file");
}

static enum source_failure play_failure(struct source *s, const char **text)
{
    *text = "no memory is left for the file";
    return player_of(s)->lacks ? FAILURE_LACK : FAILURE_NONE;
}

static void play_run(struct source *s)
{
    player_of(s)->all = true;
}

static void play_step(struct source *s, enum source_unit unit, uint64_t n)
{
    release(player_of(s), unit, n);
}

/* What a run has released and nobody has taken is taken back. A step stays released up to its end. */
static void play_pause(struct source *s)
{
    player_of(s)->all = false;
}

static void play_nothing(struct source *s)
{
    (void)s;
}

/* What is released waits for nothing, so it is always at rest; but a run goes on where the rest has not come yet. A step ends there: the next one goes
 * on. Both let the caller sleep until more has come. */
static bool play_wait_stopped(struct source *s, int ms)
{
    struct player *p = player_of(s);
    if (!p->waits)
        return true;
    if (ms)
        p->tape->wait(p, ms);
    return !p->all;
}

static int64_t play_behind(struct source *s, int64_t time)
{
    struct player *p = player_of(s);
    return p->tape->behind && !p->over ? p->tape->behind(p, time) : -1;
}

static void play_watch(struct source *s, bool each, bool in_step)
{
    (void)s, (void)each, (void)in_step;
}

static int64_t play_clock(struct source *s)
{
    (void)s;
    return -1;
}

static void play_close(struct source *s)
{
    struct player *p = player_of(s);
    while (p->queue.n)
        drop_first(p);
    vec_free(&p->queue);
    p->tape->close(p);
    free(p);
}

enum refusal recorded_refusal(enum capability what)
{
    switch (what) {
    case CAN_PAUSE:
        return REFUSED_NOT;
    case CAN_SCALE_TIME:
        return REFUSED_NO_CLOCK;
    case CAN_CHANGE_SEED:
        return REFUSED_ONE_SEED;
    case CAN_RECORD:
        return REFUSED_IS_FILE;
    case CAN_AUDIT:
        return REFUSED_NO_MEMORY;
    default:
        return REFUSED_RECORDED;
    }
}

static enum refusal play_refuses(struct source *s, enum capability what)
{
    return what == CAN_RECORD && player_of(s)->tape->records ? REFUSED_NOT : recorded_refusal(what);
}

static enum conductor_mode play_mode(struct source *s)
{
    return player_of(s)->mode;
}

static bool play_was_free(struct source *s)
{
    return player_of(s)->was_free;
}

static void play_recorded(struct source *s, struct recorded_how *how, struct recorded_end *end)
{
    player_of(s)->tape->recorded(player_of(s), how, end);
}

static const struct run_reader *play_file(struct source *s)
{
    const struct player *p = player_of(s);
    return p->tape->file ? p->tape->file(p) : NULL;
}

static bool play_over(struct source *s)
{
    const struct player *p = player_of(s);
    return p->over && p->taken == p->queue.n;
}

const struct source_ops player_ops = {
    .next = play_next,
    .pending = play_pending,
    .peek = play_peek,
    .lost = play_lost,
    .full = play_full,
    .stuck = play_stuck,
    .run = play_run,
    .step = play_step,
    .pause = play_pause,
    .wait_stopped = play_wait_stopped,
    .watch = play_watch,
    .clock = play_clock,
    .behind = play_behind,
    .failure = play_failure,
    .kill = play_nothing,
    .close = play_close,
    .refuses = play_refuses,
    .mode = play_mode,
    .was_free = play_was_free,
    .recorded = play_recorded,
    .over = play_over,
    .file = play_file,
};
