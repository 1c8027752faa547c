/* The events of a whole run as a list, and the rules of breakpoints worked out on it in the simplest way: what walks through the run are compared with. */
#ifndef GMPSCOPE_TESTS_TRUTH_H
#define GMPSCOPE_TESTS_TRUTH_H

#include "live.h"

#include <stdarg.h>
#include <stdlib.h>

/* ---- breakpoints ---- */

static const struct rule {
    const char *text;
    int kind;          /* of the event; -1: the gauge is at least `least` after an event, and was not before it */
    uint32_t g;        /* 0: any */
    const char *gauge; /* or NULL */
    int64_t least;
    uint32_t nth; /* 0: each */
} rules[] = {
    {"g_end", EV_G_END, 0, NULL, 0, 0},
    {"steal", EV_STEAL, 0, NULL, 0, 0},
    {"g_park g=1", EV_G_PARK, 1, NULL, 0, 0},
    {"m_park", EV_M_PARK, 0, NULL, 0, 0},
    {"steal_try", EV_STEAL_TRY, 0, NULL, 0, 0},
    {"sysmon_tick", EV_SYSMON_TICK, 0, NULL, 0, 0},
    {"g_start g=3", EV_G_START, 3, NULL, 0, 0},
    {"g_end x2", EV_G_END, 0, NULL, 0, 2},
    {"g_start x9", EV_G_START, 0, NULL, 0, 9},
    {"when p0.runq >= 2", -1, 0, "p0.runq", 2, 0},
    {"when runnable >= 3", -1, 0, "runnable", 3, 0},
    {"when runnable >= 1 x4", -1, 0, "runnable", 1, 4}};
enum { RULES = sizeof rules / sizeof *rules, ARMED = 3 };

/* ---- the truth ---- */

struct truth {
    struct live live;
    struct engine *e;
    uint64_t n;
    struct ev *ev;    /* from 1 */
    bool *hit[RULES]; /* hit[r][k]: event k matches rule r, without xN */
};

static inline bool holds(const struct rule *r, const struct model *md)
{
    int64_t v;
    return model_gauge(md, r->gauge, &v) && v >= r->least;
}

static inline void judge(struct truth *t)
{
    struct model *md = NULL;
    bool was[RULES] = {false};
    for (uint64_t k = 0; k <= t->n; k++) {
        CHECK(history_move(t->e->history, &md, k));
        for (int r = 0; r < RULES; r++) {
            bool now = rules[r].gauge ? holds(&rules[r], md) : t->ev[k].kind == rules[r].kind && (!rules[r].g || t->ev[k].g == rules[r].g);
            t->hit[r][k] = k && now && !(rules[r].gauge && was[r]);
            was[r] = now;
        }
    }
    model_free(md);
}

/* Opens a session of a run with these options, up to NULL. */
static inline void open_session(struct live *out, const char *file, const char *const options[], bool paused)
{
    char err[200], *args[16];
    int n = 0;
    args[n++] = (char *)"--tempo=max";
    for (; *options && n < 16; options++)
        args[n++] = (char *)*options;
    CHECK(options_parse(&out->o, CMD_RUN, n, args));
    out->sc = load(file);
    struct session_config c = command_session(out->sc, &out->o);
    c.paused = paused;
    c.engine.lesson = false;
    if (!(out->s = session_new(&c, err, sizeof err)))
        t_fail(__FILE__, __LINE__, "%s", err);
}
#define OPTIONS(...) ((const char *const[]){__VA_ARGS__, NULL})

static inline void truth_of(struct truth *t, const char *file, const char *const options[])
{
    struct history_event e;
    bool ended;
    open_session(&t->live, file, options, false);
    wait_end(&t->live);
    t->e = session_stop(t->live.s, &ended);
    CHECK(ended && !engine_failed(t->e));
    t->n = t->e->events;
    t->ev = calloc(t->n + 1, sizeof *t->ev);
    CHECK(t->ev);
    t->ev[0].kind = EV_KINDS - 1;
    for (uint64_t k = 1; k <= t->n; k++) {
        CHECK(history_get(t->e->history, k, &e));
        t->ev[k] = e.ev;
    }
    for (int r = 0; r < RULES; r++)
        CHECK(t->hit[r] = calloc(t->n + 1, sizeof(bool)));
    judge(t);
}

static inline void truth_free(struct truth *t)
{
    for (int r = 0; r < RULES; r++)
        free(t->hit[r]);
    free(t->ev);
    close_live(&t->live);
}

static inline bool ends_step(const struct truth *t, uint64_t k, enum step_kind kind)
{
    int event = t->ev[k].kind;
    return k && (kind == STEP_DETAIL || (kind == STEP_ROUND ? event == EV_G_START || event == EV_M_PARK : ev_level_of[event] == EV_CORE));
}

/* Returns the first event after `at` and up to `to` that ends such a step; 0: there is none. */
static inline uint64_t next(const struct truth *t, enum step_kind kind, uint64_t at, uint64_t to)
{
    for (uint64_t k = at + 1; k <= to; k++)
        if (ends_step(t, k, kind))
            return k;
    return 0;
}

/* The same backwards from `at`, itself included. */
static inline uint64_t last(const struct truth *t, enum step_kind kind, uint64_t at)
{
    while (at && !ends_step(t, at, kind))
        at--;
    return at;
}

/* The event of the nth match after `from`; 0: there is none. */
static inline uint64_t nth_match(const struct truth *t, int rule, uint64_t from, uint32_t nth)
{
    for (uint64_t k = from + 1; k <= t->n; k++)
        if (t->hit[rule][k] && --nth == 0)
            return k;
    return 0;
}

/* What a walk has asked for, for the message of a failure. */
enum { TRAIL = 8000 };
static void noted(char trail[TRAIL], const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static inline void noted(char trail[TRAIL], const char *fmt, ...)
{
    size_t n = strlen(trail);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(trail + n, TRAIL - n, fmt, ap);
    va_end(ap);
}

#endif
