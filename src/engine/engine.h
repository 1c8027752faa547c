/* One run, wired together: the source of its events (source.h), the fold (model), the claims (expect), the output. Runs without a screen,
 * `check` and the session all drive this.
 *
 *   e = engine_new(&cfg)     the world is at rest at its start
 *   engine_drain(e, max)     folds what was logged and writes it out
 *   engine_run(e), …         steers the world (source.h)
 *   engine_finish(e, &how)   judges, reports and returns the exit code (finish.c)
 *   engine_free(e)
 *
 * The report ends at the *cut*: program_end, the limit, the event count or, without a screen, a breakpoint. The other Ms log some more
 * until they are at rest. Those events are folded, so that the audit can compare, but they are neither counted, judged nor printed. A cut
 * depends only on the merged order, not on when the world came to rest; so a lockstep run reports the same with and without pauses.
 *
 * Not thread-safe: the session has a lock, and a run without a screen has one thread.
 */
#ifndef GMPSCOPE_ENGINE_ENGINE_H
#define GMPSCOPE_ENGINE_ENGINE_H

#include "engine/lesson/answers.h"
#include "base/tempo.h"
#include "engine/audit.h"
#include "engine/breaks.h"
#include "engine/last.h"
#include "engine/lesson/lesson.h"
#include "engine/parks.h"
#include "engine/races.h"
#include "engine/reader.h"
#include "engine/recorder.h"
#include "engine/slots.h"
#include "engine/source.h"
#include "model/history/history.h"
#include "model/query/pattern.h"
#include "model/run_info.h"
#include "model/waits.h"
#include "scenario/scenario.h"
#include <stdatomic.h>
#include <stdio.h>

/* How many events are folded at once. A quarter of a ring: a drain gives slots back at its end, and a smaller one would wake an M that waits for
 * room for a few events each time (eventlog/ring.c). */
#define ENGINE_BATCH 16384u
#define ENGINE_GRACE_NS INT64_C(1500000000) /* an M that has not left this long after a signal or a failure hangs */

enum engine_out { OUT_NONE, OUT_PROGRAM, OUT_EVENTS, OUT_SENTENCES };

struct engine_config {
    const struct scenario *scenario; /* what a live source runs, with its claims and its lesson. NULL: the run has none of these */
    struct run_info info;            /* what runs; engine_draw() fills it in from the scenario, if there is one */
    source_open *open;               /* where the events come from; NULL: source_live */
    const void *from;                /* for open() */
    bool procs_asked;                /* the person asked for this number of Ps, so `vary` does not change it */
    struct rt_config rt;             /* of a scenario: scenario_config() with the overridden settings; the source sets the hook */
    struct speed speed;              /* free; num 0: not given */
    bool strict;                     /* a runnable G next to an idle P is a failure even where a what-if switch explains it */
    bool limit_asked;                /* the person asked for one of these limits, so claims are not about a run that meets it */
    int64_t limit;                   /* scenario ns: later events are not folded; INT64_MAX: none */
    uint64_t max_events;             /* UINT64_MAX: none */
    bool until_stuck;                /* without a screen: the report ends where the run is stuck (quiet.h) */
    const struct break_at *breaks;   /* their texts are copied */
    uint32_t nbreaks;
    bool other_has_p;             /* the compared run has Ps: a breakpoint about them is listed here too, and never matches */
    bool lesson;                  /* live: the scenario's lesson is going to be played (engine_lesson) */
    uint64_t history;             /* bytes for the history, 0: it is not kept */
    const struct reader *readers; /* the caller's own; they are copied */
    uint32_t nreaders;
    bool audit; /* the run will be audited */
    bool live;  /* a breakpoint or limit holds the fold instead of ending the report */
    enum engine_out out;
    FILE *stream;
    bool visible; /* the stream is a terminal: unsafe characters that the program prints are made visible */
    FILE *err;    /* for what a Go program writes to stderr; NULL: it is not written */
    enum lang lang;
};

struct engine {
    struct engine_config cfg;
    struct source *source;
    struct model *model;  /* the state after the last event */
    struct model *report; /* the state at the cut, NULL before it */
    int how;              /* ENDED_… once cut, else -1 */
    int exit_code;        /* of os.Exit */
    bool reached;         /* the run has ended at an event at which it was to stop */
    int64_t standstill;   /* without a screen: wall ns for which the process was suspended */
    struct stop held;     /* live: what holds the fold until engine_release(); STOP_LIMIT holds it for ever */
    bool details;         /* detail events are recorded */
    bool no_core;         /* the fold also stops before the next core event, and before one later than room_until (engine_make_room) */
    int64_t room_until;
    int64_t quiet_at;            /* until_stuck: the next time at which the run may be stuck; else INT64_MAX */
    uint64_t events;             /* reported so far */
    uint8_t kind;                /* of the event that was reported last */
    char fatal[EV_TEXT_MAX + 1]; /* text of the fatal event, "" if none */
    uint32_t fatal_g, fatal_kind;
    struct readers readers;    /* the next five, the output, and the caller's */
    struct history *history;   /* all reported events; NULL: not kept */
    struct last_events last;   /* without a history */
    struct slots slots;        /* of the reported Gs, for the traceback */
    struct parks parks;        /* of a Go program */
    struct line_ahead *ahead;  /* NULL: none is waited for */
    struct races races;        /* of a scenario with shared variables */
    struct recorder *recorder; /* recorder.h; NULL: the run is not recorded */
    enum conductor_mode noted; /* the mode that a recording has noted last */
    struct expect *expect;     /* the claims */
    struct answers answers;    /* of the lesson, live; a reader until it is rehearsed */
    struct breaks breaks;      /* changes only while the world is at rest */
    struct lesson lesson;      /* begins and ends only while the world is at rest */
    int write_error;           /* errno of the stream, 0 if fine */
    struct stop refused;       /* STOP_REFUSED: a choice of cfg.rt.choices was impossible */
    char failure[1024];        /* why the run cannot continue; "" if it can */
    bool lack;                 /* it failed because the machine lacks something; else an internal check failed */
    int64_t failed_at;         /* wall ns */
    struct recorded_end was;   /* of a recording */
    uint64_t lost;             /* events lost up to the failure */
    bool judged, claims_apply; /* engine_judge() was called; the claims apply to this run */
    struct waits *waits;       /* who waits at the end (engine_waits) */
    struct audit_result audit;
    struct snapshot snap_rt, snap_model;
    char *line; /* one event's line while it is written */
};

/* Replaces the scenario by what the seed draws from it (`vary`), and settings that are the scenario's own by those of the new one; then fills in
 * `info`. False, with a message in err: it cannot be made. */
bool engine_draw(struct engine_config *c, char *err, size_t size);
/* Returns NULL with a message in err if the run cannot start. Signals are blocked in the threads that it starts. */
struct engine *engine_new(const struct engine_config *cfg, char *err, size_t size);
void engine_free(struct engine *e);

/* Folds at most max events and returns how many. 0: none can be folded now. After a failure it always returns 0, so do not wait then until
 * nothing is pending. */
uint64_t engine_drain(struct engine *e, uint64_t max);
/* Folds up to and including the next core event, or the next end of a round. False: none is logged. */
bool engine_fold_core(struct engine *e);
bool engine_fold_round(struct engine *e);
/* Ends the report at the limit, or where a condition became true before it. Caller: at rest, settled, and past the limit. */
void engine_limit(struct engine *e);
/* Makes room if the world cannot log more: folds events that are not later than `until` and come before the next core event. It does so only at
 * rest, so the same steps give the same events on each machine. If there is no such event, the rings grow, so that the world can come to rest.
 * Caller: each thread that waits for a world without draining it. Returns: false if there is no such event. */
bool engine_make_room(struct engine *e, int64_t until);
void engine_grow(struct engine *e); /* lets the rings grow, for a fold that is held */
/* Live: returns true if a breakpoint, the lesson or the limit holds the fold. */
static inline bool engine_held(const struct engine *e)
{
    return e->held.kind != STOP_NONE;
}
/* Live: lets the fold continue after a breakpoint or a lesson entry. */
void engine_release(struct engine *e);
/* As breaks_add(): a condition that holds now matches when it becomes true again. */
struct breakpoint *engine_break_add(struct engine *e, const char *text, bool once);
struct breakpoint *engine_break_add_text(struct engine *e, const char *text, enum lang lang); /* as breaks_add_text() */
/* Continues the numbering of breakpoints and the lesson of another run of the same scenario. */
void engine_carry(const struct engine *from, struct engine *to);
/* Live, at rest: plays the lesson from its beginning, or ends it. Before, rehearse_for() finds its answers. */
void engine_lesson(struct engine *e, bool on);
/* Returns true if the run has left, or may have left, the course of its seed and its given choices. */
bool engine_off_course(const struct engine *e);
/* Off its course, the lesson follows the log: what was rehearsed no longer holds. Call it before the lesson is read or sees an event. */
void engine_follow_lesson(struct engine *e);
/* Returns true if the entry's answer depends on what the run is still to do. */
bool engine_answer_is_open(const struct engine *e, uint32_t entry);
/* Returns what breakpoints of this run may name. */
struct break_words engine_words(const struct engine_config *c);
/* Returns true if the screen may show which operation each G has reached. */
bool engine_shows_places(const struct engine *e);
/* Ends the report here, if it has not ended. */
void engine_cut(struct engine *e, int how);

/* At rest: folds everything. An event that cannot be folded now is a failure. audit: compares the fold with the runtime's memory. */
void engine_settle(struct engine *e, bool audit);

static inline bool engine_failed(const struct engine *e)
{
    return e->failure[0] != '\0';
}
/* Fails the run and kills its source. Nothing is folded from then on. engine_wait_stopped() waits until the Ms have left. */
void engine_fail(struct engine *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Fails the run because the machine lacks what it needs: as engine_fail(), but with exit code 2, and nothing is judged. */
void engine_lacks(struct engine *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* True if an M has not left within ENGINE_GRACE_NS after a failure. Do not wait for it. */
bool engine_hangs(const struct engine *e);
/* Fails the run if the runtime has thrown or lacks something, or if the conductor has an error; notes a refused choice. Any time. */
void engine_check_throw(struct engine *e);
/* True if the run was cut or has failed, or its output can no longer be written; without a screen, also if a choice was refused. */
static inline bool engine_over(const struct engine *e)
{
    return e->how >= 0 || e->held.kind == STOP_LIMIT || e->write_error || engine_failed(e) || (!e->cfg.live && e->refused.kind);
}
void engine_flush(struct engine *e);
uint64_t engine_pending(const struct engine *e);
static inline uint64_t engine_lost(const struct engine *e)
{
    return engine_failed(e) ? e->lost : e->source->ops->lost(e->source);
}

/* Returns the state that is reported: that of the cut, or the current one. */
static inline const struct model *engine_view(const struct engine *e)
{
    return e->report ? e->report : e->model;
}
uint64_t engine_rounds(const struct engine *e); /* how many rounds of schedule() have ended in it */
/* Returns the exit code of the run: 0; 1: a claim failed (only if `claims`); 2: the machine lacks something; 3: the program died; 4: an
 * internal check failed. */
int engine_exit_code(const struct engine *e, bool claims);
/* Returns the exit code of `run`: the program's own if it called os.Exit and nothing worse is to be reported than that; else `code`. */
int engine_own_exit(const struct engine *e, int code);
/* Writes Go's text about a program that died, or the failure with the last events; nothing if the run ended well, or as its claims say. */
void engine_post_mortem(struct engine *e, FILE *out);

/* Returns who waits for whom at the end of the run (model/waits.h), which the engine keeps. NULL before the end, after a failure, or if memory ran
 * out. Caller: at rest. */
const struct waits *engine_waits(struct engine *e);
/* Returns 1 + the operation at which the G is that died; 0: not known. Caller: at rest. */
uint32_t engine_died_at(const struct engine *e);
/* Writes which G runs for ever, of a run that has ended so. */
void engine_endless(struct engine *e, char *buf, size_t size);

/* Writes why a finished run failed, in one line without the numbers of Gs, in the language of the run. code: its exit code. Returns the key of its kind: of two runs that fail alike
 * (the same Gs wait for each other at the same lines, or the same claim fails) it is the same. */
/* Writes that the test of a Go program has failed, with the name of the part that did. Returns false if the run has not ended so. */
bool engine_test_failed(const struct engine *e, char *buf, size_t size);
uint64_t engine_why(struct engine *e, int code, char *buf, size_t size);

/* Finds where a run failed (moment.c): at the event that broke a claim, at a data race, where a G was leaked. c: the settings of the run, with which it
 * may be made once more. */
struct moment {
    uint64_t event; /* 0: at its end */
    uint32_t g;     /* the G that it is about; 0: none */
};
struct moment engine_moment(struct engine *e, int code, const struct engine_config *c);

/* --- finish.c: the end of a run ------------------------------------------------------------------------------------- */
struct finish {
    FILE *err;   /* where to report how it ended; NULL: nowhere */
    bool claims; /* failed claims count, if they apply to the run */
    bool early;  /* it was left before its end: only a failure counts, and impossible choices */
    bool quiet;  /* reports only a failure */
    bool cut;    /* reports also a limit, and breakpoints that were not met */
};
struct verdict {
    int code;
    bool claims_count;
};
/* Asks the source of a recording how that ended: of one that was still being written this was not known at its beginning. Caller: all of it was taken. */
static inline const struct recorded_end *engine_learn_end(struct engine *e)
{
    struct recorded_how how;
    if (!e->source->ops->behind)
        return &e->was;
    e->source->ops->recorded(e->source, &how, &e->was);
    e->cfg.info.cut = e->was.cut;
    e->cfg.info.cut_read = e->was.cut_read;
    e->cfg.info.cut_size = e->was.cut_size;
    return &e->was;
}
/* Ends the run: judges its claims, reports how it ended, and returns the exit code. */
struct verdict engine_finish(struct engine *e, const struct finish *f);
/* Returns true if --choices does not fit the run, and writes why. */
bool engine_choices_mistake(const struct engine *e, char *buf, size_t size);
/* Judges the claims; engine_finish() does it, but a summary may come first. Fails the run if there is no memory for it. */
void engine_judge(struct engine *e);

/* --- steering it: the source's own functions (source.h) ---------------------------------------------------------------- */
static inline void engine_run(struct engine *e)
{
    e->source->ops->run(e->source);
}

static inline void engine_step(struct engine *e, enum source_unit unit, uint64_t n)
{
    e->source->ops->step(e->source, unit, n);
}

static inline void engine_pause(struct engine *e)
{
    e->source->ops->pause(e->source);
}

static inline bool engine_wait_stopped(const struct engine *e, int ms)
{
    return e->source->ops->wait_stopped(e->source, ms);
}

static inline enum refusal engine_refuses(const struct engine *e, enum capability what)
{
    return e->source->ops->refuses(e->source, what);
}

static inline enum conductor_mode engine_mode(const struct engine *e)
{
    return e->source->ops->mode(e->source);
}

static inline bool engine_was_free(const struct engine *e)
{
    return e->source->ops->was_free(e->source);
}

static inline void engine_speed(struct engine *e, struct speed s)
{
    if (e->source->ops->set_speed)
        e->source->ops->set_speed(e->source, s.num, s.den);
}

static inline void engine_peek(const struct engine *e, source_show *show, void *ctx)
{
    e->source->ops->peek(e->source, show, ctx);
}

/* NULL: the source decides nothing. The next ones then report nothing. */
static inline const struct source_decision_ops *engine_decides(const struct engine *e)
{
    return e->source->ops->decisions;
}

static inline bool engine_departed(const struct engine *e)
{
    return engine_decides(e) && engine_decides(e)->departed(e->source);
}

static inline bool engine_decision(const struct engine *e, struct decision *out)
{
    return engine_decides(e) && engine_decides(e)->now(e->source, out);
}

static inline bool engine_turn(struct engine *e, enum turn turn)
{
    return engine_decides(e) && engine_decides(e)->turn(e->source, turn);
}

static inline bool engine_choices(const struct engine *e, bool ahead, struct choices *out)
{
    return engine_decides(e) && engine_decides(e)->choices(e->source, ahead, out);
}

/* --- steer.c ---------------------------------------------------------------------------------------------------------- */
/* Makes the world watch for the breakpoints and the lesson. in_step: Ms wait for the fold at every event if one of them is a condition.
 * Call it before the world moves again. */
void engine_arm(struct engine *e, bool in_step);
/* In free mode the clock runs even when nothing is logged. True if it has passed the limit. Any time. */
bool engine_past_limit(const struct engine *e);
void engine_change_mode(struct engine *e);
/* Returns what a person knows a recording by: its path, or the name of what cfg.from points to. */
static inline const char *engine_source_name(const struct engine *e)
{
    return e->source->ops->file(e->source) ? e->cfg.from : e->cfg.info.name;
}

/* --- drive.c: without a screen ---------------------------------------------------------------------------------- */
struct drive {
    bool audit;
    uint32_t pauses;
    const volatile _Atomic int *signal; /* nonzero: the run is interrupted; may be NULL */
};
/* Runs e to its cut and lets the world come to rest. */
void engine_drive(struct engine *e, const struct drive *d);

#endif
