/* Where the events of a run come from, and how its world is steered. The engine and everything above it use only this interface: a live
 * runtime implements it (source_live.c), and a recording or a followed run can.
 *
 *   source.next()  ──► engine: fold, claims, breakpoints, output ──► session ──► ui
 *   source.step()  ◄── engine ◄── session: run, pause, step, decide
 *
 * A source is at rest or moving. At rest it logs nothing; run(), step(), seek() and turn() set it in motion, and pause() brings it to
 * rest, as does the end of a step. What it has logged and next() has not yet offered is *pending*. A recording "logs" by releasing
 * events that it has, so for the engine it differs from a live world only in its capabilities.
 *
 * Threads: one thread at a time calls these functions; pause(), kill() and wait_stopped() may be called by any thread. The hook runs on
 * the threads that log.
 */
#ifndef GMPSCOPE_ENGINE_SOURCE_H
#define GMPSCOPE_ENGINE_SOURCE_H

#include "base/choice.h"
#include "engine/capability.h"
#include "eventlog/log.h"
#include "eventlog/snapshot.h"
#include "model/run_info.h"

struct scenario;
struct variables;
struct recorded_how;
struct recorded_end;
struct rt_config;
struct conductor;

enum source_unit { UNIT_CORE, UNIT_EVENT, UNIT_ROUND }; /* what a step counts: core events, all events, ends of rounds */

struct source {
    const struct source_ops *ops;
}; /* the first member of each implementation's struct */

/* Decisions. A source without CAN_DECIDE has none of these functions. */
struct source_decision_ops {
    bool (*now)(struct source *, struct decision *out);              /* false: none, or it is not at rest */
    uint32_t (*ready)(struct source *, uint32_t *ids, uint32_t max); /* the Ms that can continue; at most max are written */
    bool (*choose)(struct source *, uint32_t pick);                  /* false: impossible */
    bool (*turn)(struct source *, enum turn turn);
    bool (*departed)(struct source *); /* a choice by hand has left the course of seed and given choices */
    bool (*refused)(struct source *, struct refused_choice *out);
    uint64_t (*count)(struct source *); /* decisions so far */
    /* Lists the choices made so far; ahead: also the given ones that are still to come. Returns false if memory runs out. */
    bool (*choices)(struct source *, bool ahead, struct choices *out);
    size_t (*choices_ahead)(struct source *, struct choice *first);
};

enum source_failure { FAILURE_NONE, FAILURE_LACK, FAILURE_THROW, FAILURE_CONDUCTOR };
typedef void source_show(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len);

typedef void source_arg(void *ctx, uint32_t g, const void *arg);

struct source_ops {
    /* Offers at most max pending events in causal order. Returns how many were applied, or LOG_BROKEN. */
    int64_t (*next)(struct source *, const struct log_sink *sink, uint64_t max);
    uint64_t (*pending)(struct source *);
    void (*peek)(struct source *, source_show *show, void *ctx); /* shows pending events, M by M; takes none */
    uint64_t (*lost)(struct source *);
    bool (*full)(struct source *); /* it cannot log more until some pending events are taken, or grow() is called */
    void (*grow)(struct source *); /* lets it log more, although none are taken; NULL: it is never full */
    void (*stuck)(struct source *, char *buf, size_t size); /* writes which pending events cannot be folded */

    void (*run)(struct source *);
    void (*step)(struct source *, enum source_unit unit, uint64_t n);
    void (*seek)(struct source *,
                 uint64_t events); /* moves until event number `events` is logged, then rests; NULL: it has no world to run again */
    void (*pause)(struct source *);
    bool (*wait_stopped)(struct source *, int ms); /* true: at rest; 0: does not wait */
    /* each: a breakpoint may stop at any event, so the hook sees each. in_step: the world waits for the fold at every event. */
    void (*watch)(struct source *, bool each, bool in_step);
    int64_t (*clock)(struct source *); /* scenario time where it passes without events; else -1 */
    /* How long ago that happened which the state at `time` shows, ns, of a run that goes on elsewhere and is only followed. -1: it is none, or it has
     * ended. NULL: as -1. */
    int64_t (*behind)(struct source *, int64_t time);
    enum source_failure (*failure)(struct source *, const char **text);
    void (*kill)(struct source *);  /* ends it wherever it is; it comes to rest soon after */
    void (*close)(struct source *); /* at rest or killed */

    enum refusal (*refuses)(struct source *, enum capability what);
    enum conductor_mode (*mode)(struct source *);
    bool (*was_free)(struct source *);                               /* it was in free mode at some time */
    void (*set_mode)(struct source *, enum conductor_mode mode);     /* CAN_CHANGE_MODE, at rest */
    void (*set_speed)(struct source *, uint32_t num, uint32_t den);  /* CAN_SCALE_TIME */
    bool (*snapshot)(struct source *, struct snapshot *out);         /* CAN_AUDIT, at rest; false: out of memory */
    bool (*intent)(struct source *, uint32_t m, struct intent *out); /* at rest; false: not known */
    /* At rest: writes the operation of the program that M's G is in or reaches next, as in the file ("send jobs"); or, from nth = 0 on, a case of its
     * select. False: there is none. NULL: it is known only where each G is (model_g_op). */
    bool (*op)(struct source *, uint32_t m, int nth, char *buf, size_t size);
    /* At rest: shows the arg of each G of the program that has not ended (scenario.h says what it tells). NULL: only recorded places are known. */
    void (*args)(struct source *, source_arg *show, void *ctx);
    /* At rest: what the memory of a Go program tells of its Gs in the state md (waits.h), `n` of them, which the caller frees. NULL: nothing. */
    struct waits_reach *(*reach)(struct source *, const struct model *md, size_t *n);
    /* At rest: the variables of a G of a Go program, in memory, if it is at this line of its text there. False: they are not known. NULL: as `op`.
     * moves: as engine_line_reached(). */
    bool (*variables)(struct source *, uint32_t g, uint32_t line, bool moves, struct variables *out);
    uint32_t (*steal_order)(struct source *, uint32_t outcome, uint32_t *p, uint32_t max);
    const struct source_decision_ops *decisions; /* NULL without CAN_DECIDE */
    /* Of a recording; NULL: a live run. How the run was recorded, and how it ended. */
    void (*recorded)(struct source *, struct recorded_how *how, struct recorded_end *end);
    bool (*over)(struct source *);                     /* all events of a recording were taken */
    const struct run_reader *(*file)(struct source *); /* what it reads */
};

/* Called on the thread that logs an event, before its next step. True: the world should stop near this place. */
typedef bool source_hook(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len);

struct source_config {
    const struct run_info *info;
    const struct scenario *scenario; /* this and rt: what a live source runs */
    const struct rt_config *rt;
    bool details;      /* somebody looks at detail events; lockstep records them in any case */
    bool sparse;       /* no reader needs each detail event of a free run (rt_config.sparse) */
    source_hook *hook; /* NULL: nothing needs single events while they are logged */
    void *hook_ctx;
    const void *from; /* engine_config.from: what is opened */
};
/* Opens a source at rest before its first event. Returns 0 or a negative errno. */
typedef int source_open(const struct source_config *c, struct source **out);
source_open source_live;
struct conductor *source_live_conductor(struct source *s); /* of a live source, for tests */

#endif
