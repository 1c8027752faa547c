/* A session that an owner moves (comparison.c): it advances to a time, and says when its next event is.
 *
 * The time of the next event is known only when the world has logged it. So the world logs some core events ahead, and the fold follows
 * only as far as the owner allows: pending events are the future. The place where the world rests in the meantime does not change its
 * course. Breakpoints are decided by the fold, as always.
 *
 * Between two core events a world may log any number of details: a loop logs its places, and a sysmon that waits for a system call logs its
 * rounds for ever. So when a ring is full, the world is brought to rest, whatever it has logged (motion.crowded). Then the time of the next core event may be
 * unknown, but it is not earlier than what is logged (session_reached), and the owner can go on with that.
 */
#include "model/outcome.h"
#include "session/session_internal.h"

enum { AHEAD = 64, SMALL = 64 };

/* Returns how many core events to log in advance. The small rings of later Ms (eventlog/log.h) are full after a few. */
static uint64_t how_far(const struct session *s)
{
    const struct model *md = s->e->model;
    return model_nm(md) <= SMALL && model_np(md) <= SMALL ? AHEAD : 1;
}

struct waiting {
    int64_t until;
    uint64_t due;
    bool later;
    int64_t reached; /* the newest time of all */
};

static void count_waiting(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    struct waiting *w = ctx;
    bool core = ev_desc[e->kind].level == EV_CORE;
    (void)m, (void)text, (void)len;
    w->due += core && e->time <= w->until;
    w->later |= core && e->time > w->until;
    w->reached = e->time > w->reached ? e->time : w->reached;
}

static struct waiting waiting(struct session *s, int64_t until)
{
    struct waiting w = {.until = until, .reached = model_time(s->e->model)};
    engine_peek(s->e, count_waiting, &w);
    return w;
}

static void end(struct session *s, enum advance_end how)
{
    s->advance.on = false;
    s->advance.how = how;
    session_notify(s);
    pthread_cond_signal(&s->advance.arrived);
}

void session_advance_end(struct session *s)
{
    if (s->advance.on)
        end(s, s->ended ? ADVANCE_ENDED : ADVANCE_KEPT);
}

static void look_ahead(struct session *s)
{
    s->motion.state = STEPPING;
    s->motion.granted = STEP_ADVANCE;
    s->motion.crowded = false;
    engine_arm(s->e, false);
    engine_step(s->e, UNIT_CORE, how_far(s));
}

/* Folds the events that are due. Returns how many of them cannot be folded yet, because their causes are still to be logged (--fine). The
 * advance may have ended. */
static uint64_t fold_due(struct session *s, uint64_t due)
{
    struct advance_until *c = &s->advance.to;
    for (; due && c->n; due--) {
        bool folded = engine_fold_core(s->e);
        session_note_hold(s);
        c->n -= folded;
        if (engine_held(s->e))
            end(s, ADVANCE_HELD);
        else if (folded && c->round && ev_ends_round(s->e->kind))
            end(s, ADVANCE_ROUND);
        else if (folded && (!c->n || (c->still && model_moved(s->e->model) == model_time(s->e->model))))
            end(s, ADVANCE_DONE);
        if (!folded || !s->advance.on || engine_over(s->e)) /* over: the next turn sees this, and ends the advance */
            return due;
    }
    return 0;
}

bool session_advance_turn(struct session *s)
{
    if (!s->advance.on)
        return false;
    if (s->advance.keep || rewind_on(&s->rewind))
        return end(s, ADVANCE_KEPT), true;
    struct waiting w = waiting(s, s->advance.to.until);
    if (w.due && s->advance.to.n)
        session_release(s);
    uint64_t left = fold_due(s, w.due);
    if (engine_over(s->e) || !s->advance.on)
        return true;
    bool known = w.later || (w.due && !s->advance.to.n) || (s->motion.crowded && w.reached > w.until);
    if (known && !left)
        end(s, ADVANCE_LATER);
    else
        look_ahead(s);
    session_notify(s);
    session_yield_lock(s);
    return true;
}

/* --- the owner's thread --- */

enum advance_end session_advance(struct session *s, const struct advance_until *c)
{
    session_enter(s);
    if ((s->ended && !s->request.restart) || s->request.quit) {
        pthread_mutex_unlock(&s->lock);
        return ADVANCE_ENDED;
    }
    s->advance.to = *c;
    s->advance.on = true;
    pthread_cond_signal(&s->requested);
    while (s->advance.on)
        pthread_cond_wait(&s->advance.arrived, &s->lock);
    enum advance_end how = s->advance.how;
    pthread_mutex_unlock(&s->lock);
    return how;
}

int64_t session_reached(struct session *s)
{
    session_enter(s);
    int64_t reached = waiting(s, INT64_MAX).reached;
    session_leave(s, REQUEST_NONE);
    return reached;
}

void session_keep(struct session *s, bool on)
{
    session_enter(s);
    s->advance.keep = on;
    session_leave(s, REQUEST_ADVANCE);
}
