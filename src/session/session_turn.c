/* What the parts of a session use of its thread: waking the screen, the lock between two batches, the pace, playing the past. */
#include "session/session_internal.h"
#include "base/wall.h"
#include <errno.h>
#include <unistd.h>

static void notify(struct session *s, uint64_t what)
{
    s->notified = true;
    while (write(s->fd, &what, sizeof what) < 0 && errno == EINTR)
        ;
}

void session_notify(struct session *s)
{
    if (!s->notified)
        notify(s, 1);
}

void session_notify_stop(struct session *s)
{
    notify(s, SESSION_STOP);
}

bool session_is_lockstep(const struct session *s)
{
    return engine_mode(s->e) == MODE_LOCKSTEP;
}

void session_release(struct session *s)
{
    engine_release(s->e);
    rewind_release(&s->rewind);
    s->motion.hold_noted = false;
}

/* Releases the lock between two batches. A thread that waits for the lock holds the turnstile, so this thread cannot take the lock again
 * before that one. */
void session_yield_lock(struct session *s)
{
    pthread_mutex_unlock(&s->lock);
    pthread_mutex_lock(&s->turnstile);
    pthread_mutex_unlock(&s->turnstile);
    pthread_mutex_lock(&s->lock);
}

void session_speed(struct session *s, struct speed speed)
{
    s->pacing.speed = speed;
    s->pacing.faster = 1;
    s->pacing.quiet_since = wall_ns();
    engine_speed(s->e, speed);
}

void session_pace_now(struct session *s)
{
    s->pacing.due = wall_ns();
    s->pacing.seen = rewind_core_shown(&s->rewind);
}

/* Returns true if a duration that came true after the last event holds the present. No event marks that place. */
static bool held_by_time(const struct session *s)
{
    const struct stop *held = &s->e->held;
    return held->kind == STOP_BREAKPOINT && held->time >= 0 && breaks_has(&s->e->breaks, held->text) && !rewind_on(&s->rewind);
}

bool session_play_to(struct session *s, uint64_t to)
{
    struct break_words words = engine_words(&s->e->cfg);
    return rewind_play(&s->rewind, &s->e->breaks, &words, to) || held_by_time(s);
}
