/* What the screen asks about the past; the UI's thread (session.c). Seeking takes some ms and is done at once, under the lock, while the
 * world is at rest or comes to rest. */
#include "session/session_internal.h"
#include <string.h>

void session_stand(struct session *s)
{
    s->request.halt = s->request.halt || (!s->ended && !rewind_on(&s->rewind) && (s->request.run || s->motion.state != STOPPED));
    s->request.run = false;
    pending_forget_until(&s->request.pending);
    s->request.steps = 0;
}

static enum goto_result op_step_back(struct session *s, enum step_kind kind, uint32_t n)
{
    session_enter(s);
    session_stand(s);
    enum goto_result r = rewind_to(&s->rewind, rewind_step(&s->rewind, kind, -1, n));
    session_leave(s, REQUEST_SEEK);
    return r;
}

enum goto_result session_goto_event(struct session *s, uint64_t number)
{
    session_enter(s);
    session_stand(s);
    enum goto_result r = rewind_to(&s->rewind, number == SESSION_NEWEST ? history_events(s->e->history) : number);
    session_leave(s, REQUEST_SEEK);
    return r;
}

static enum goto_result op_goto_time(struct session *s, int64_t ns)
{
    session_enter(s);
    session_stand(s);
    enum goto_result r = rewind_time(&s->rewind, ns);
    session_leave(s, REQUEST_SEEK);
    return r;
}

static enum goto_result op_goto_mark(struct session *s, const char *name)
{
    session_enter(s);
    session_stand(s);
    enum goto_result r = rewind_goto_mark(&s->rewind, name);
    session_leave(s, REQUEST_SEEK);
    return r;
}

static bool op_mark(struct session *s, const char *name)
{
    session_enter(s);
    bool made = rewind_mark(&s->rewind, name);
    session_leave(s, REQUEST_NONE);
    return made;
}

static int op_marks(struct session *s, struct session_mark *out, int max)
{
    session_enter(s);
    int n = s->rewind.nmarks < max ? s->rewind.nmarks : max;
    memcpy(out, s->rewind.mark, (size_t)n * sizeof *out);
    session_leave(s, REQUEST_NONE);
    return n;
}

struct next {
    struct ev ev;
    bool any;
};

/* Takes the first pending core event. */
static void take_next(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    struct next *n = ctx;
    (void)m, (void)text, (void)len;
    if (ev_desc[e->kind].level == EV_CORE && (!n->any || e->time < n->ev.time))
        *n = (struct next){*e, true};
}

bool session_core(struct session *s, int by, struct ev *out)
{
    struct next next = {0};
    session_enter(s);
    bool found = (by < 0 || rewind_on(&s->rewind)) && rewind_core(&s->rewind, by, out);
    if (!found && by > 0 && !engine_over(s->e)) /* events after a failure are never folded */
        engine_peek(s->e, take_next, &next);
    if (next.any)
        *out = next.ev;
    found = found || next.any;
    session_leave(s, REQUEST_NONE);
    return found;
}

bool session_replay_core(struct session *s)
{
    session_enter(s);
    bool stopped = session_play_to(s, rewind_step(&s->rewind, STEP_EVENT, 1, 1));
    session_leave(s, REQUEST_STEP);
    return stopped;
}

uint64_t session_round(struct session *s, int by, bool beyond, struct ev *out)
{
    session_enter(s);
    uint64_t n = rewind_round(&s->rewind, by, beyond, out);
    session_leave(s, REQUEST_NONE);
    return n;
}

enum goto_result session_goto_core(struct session *s, int64_t ns)
{
    session_enter(s);
    session_stand(s);
    enum goto_result r = rewind_to(&s->rewind, rewind_core_at(&s->rewind, ns));
    session_leave(s, REQUEST_SEEK);
    return r;
}

void session_leave_past(struct session *s)
{
    struct ev next;
    session_enter(s);
    if (rewind_on(&s->rewind) && !rewind_core(&s->rewind, 1, &next))
        rewind_leave(&s->rewind);
    session_leave(s, REQUEST_ADVANCE);
}

const struct session_rewind_ops session_rewind_ops = {
    .step_back = op_step_back,
    .goto_event = session_goto_event,
    .goto_time = op_goto_time,
    .goto_mark = op_goto_mark,
    .mark = op_mark,
    .marks = op_marks,
};
