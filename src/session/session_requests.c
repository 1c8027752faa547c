/* What the person asks of the run as a whole: pause, step, tempo, mode, restart. The UI's thread (session.c). */
#include "session/session_internal.h"
#include "base/wall.h"
#include <stdio.h>
#include <string.h>

const struct text *session_refusal(struct session *s, enum capability what)
{
    session_enter(s);
    enum refusal why = engine_refuses(s->e, what);
    session_leave(s, REQUEST_NONE);
    return why ? &refusal_text[why] : NULL;
}

static void run(struct session *s, bool on)
{
    bool past = rewind_on(&s->rewind);
    if (s->ended && !past)
        return;
    if (!on && !past && engine_refuses(s->e, CAN_PAUSE))
        return;
    s->request.halt = !on && !s->ended;
    s->request.run = on;
    s->request.steps = 0;
    session_pace_now(s);
    if (!on)
        pending_forget_until(&s->request.pending);
}

static void op_pause(struct session *s, bool on)
{
    session_enter(s);
    run(s, !on);
    session_leave(s, on ? REQUEST_PAUSE : REQUEST_RUN);
}

static void op_step(struct session *s, enum step_kind kind, uint32_t n)
{
    session_enter(s);
    struct requests *r = &s->request;
    if (!r->run && rewind_on(&s->rewind)) {
        session_play_to(s, rewind_step(&s->rewind, kind, 1, n));
    } else if (!r->run && !s->ended) {
        if (!r->steps && s->motion.state != STEPPING)
            r->step_since = wall_ns();
        r->steps = kind == r->step ? r->steps + n : n;
        r->step = kind;
    }
    session_leave(s, REQUEST_STEP);
}

static void op_tempo(struct session *s, int up)
{
    session_enter(s);
    struct pacing *p = &s->pacing;
    if (engine_refuses(s->e, CAN_SCALE_TIME)) {
        p->tempo = tempo_next(p->tempo, up);
        session_pace_now(s);
    } else {
        session_speed(s, speed_next(p->speed, up));
    }
    session_notify(s);
    session_leave(s, REQUEST_NONE);
}

static void op_toggle_mode(struct session *s)
{
    session_enter(s);
    if (!engine_refuses(s->e, CAN_CHANGE_MODE)) {
        rewind_leave(&s->rewind);
        s->request.mode = !s->ended;
        s->request.run = s->request.run && !s->ended;
        s->pacing.skips = !s->cfg.engine.speed.num;
        if (session_is_lockstep(s) && s->pacing.skips)
            session_speed(s, SPEED_SLOW_MOTION);
    }
    session_leave(s, REQUEST_MODE);
}

static void op_set_tempo(struct session *s, struct tempo tempo)
{
    session_enter(s);
    s->pacing.tempo = tempo;
    session_pace_now(s);
    session_notify(s);
    session_leave(s, REQUEST_NONE);
}

const struct program_text *session_program(struct session *s)
{
    session_enter(s);
    const struct program_text *t = s->e->cfg.info.program;
    session_leave(s, REQUEST_NONE);
    return t;
}

const struct flow *session_flow(struct session *s)
{
    session_enter(s);
    const struct flow *f = s->e->cfg.info.flow;
    session_leave(s, REQUEST_NONE);
    return f;
}

void session_record_places(struct session *s)
{
    session_enter(s);
    s->wants_places = true;
    session_leave(s, REQUEST_NONE);
}

bool session_record(struct session *s, const char *path, bool replace, enum lang lang, char *err, size_t size)
{
    session_enter(s);
    bool good = s->cfg.record && s->cfg.record(&s->cfg, s->e, path, replace, lang, err, size);
    int error = good && s->ended ? engine_record_end(s->e) : 0;
    if (error)
        snprintf(err, size, lang == LANG_ZH ? "无法记录：%s：%s" : "cannot record: %s: %s", path, strerror(error));
    session_notify(s);
    session_leave(s, REQUEST_NONE);
    return good && !error;
}

static void op_restart(struct session *s, uint64_t seed)
{
    session_enter(s);
    if (seed == s->e->cfg.info.seed || !engine_refuses(s->e, CAN_CHANGE_SEED)) {
        s->request.restart = true;
        s->request.seed = seed;
    }
    session_leave(s, REQUEST_RESTART);
}

const struct session_motion_ops session_motion_ops = {
    .pause = op_pause,
    .step = op_step,
    .tempo = op_tempo,
    .set_tempo = op_set_tempo,
    .toggle_mode = op_toggle_mode,
    .restart = op_restart,
};

static bool has_g(const struct race *r, uint32_t g, uint64_t now)
{
    return !g || (r->event <= now && (r->first.g == g || r->second.g == g));
}

bool session_race(struct session *s, uint32_t i, uint32_t g, enum lang lang, char *buf, size_t size)
{
    session_enter(s);
    const struct races *r = &s->e->races;
    uint64_t now = rewind_now(&s->rewind);
    uint32_t at = 0, kept = r->found < RACES_KEPT ? r->found : RACES_KEPT;
    while (at < kept && (!has_g(&r->v[at], g, now) || i--))
        at++;
    bool has = at < kept;
    if (has)
        race_text(s->e->cfg.scenario, &r->v[at], lang, buf, size);
    session_leave(s, REQUEST_NONE);
    return has;
}
