/* The inside of a session, private to src/session/session*.c.
 *
 * Two threads share it under `lock`. The UI's thread leaves requests. The session's thread folds, steers the source and carries the
 * requests out; some of them must wait until the world is at rest. What concerns only the shown past, the UI's thread does at once.
 * session_edges.c has the table of requests and places.
 */
#ifndef GMPSCOPE_SESSION_SESSION_INTERNAL_H
#define GMPSCOPE_SESSION_SESSION_INTERNAL_H

#include "session/control.h"
#include "session/pending_breaks.h"
#include "session/rewind.h"
#include "session/rewind_breaks.h"
#include <pthread.h>

/* Where a session is, as the person sees it, and what is requested of it. */
enum session_place {
    PLACE_RUNS,    /* the present, and it continues */
    PLACE_STANDS,  /* the present; steps may be under way */
    PLACE_REWOUND, /* the past is shown */
    PLACE_REPLAYS, /* the past is shown and plays towards the present */
    PLACE_ENDED,   /* the present of a run that is over */
    PLACES
};
enum session_request {
    REQUEST_NONE, /* a request that changes no place: tempo, marks, or a turn for the owner */
    REQUEST_PAUSE,
    REQUEST_RUN,
    REQUEST_STEP,
    REQUEST_SEEK,
    REQUEST_MODE,
    REQUEST_EDIT,
    REQUEST_UNTIL,
    REQUEST_DECIDE,
    REQUEST_BRANCH,
    REQUEST_RESTART,
    REQUEST_LESSON,
    REQUEST_ADVANCE,
    REQUESTS
};
/* The places to which a request may lead from a place, as bits, as far as the thread that asks can see. */
extern const uint8_t session_edges[REQUESTS][PLACES];
enum session_place session_place(const struct session *s);

/* What was requested and is not done yet. */
struct requests {
    bool run, quit, mode; /* mode: change it */
    bool halt;            /* come to rest, fold what is logged, and stay */
    uint32_t steps;       /* still to do, of this kind: */
    enum step_kind step;
    int64_t step_since;            /* monotonic ns: when the first of them was asked for */
    struct pending_breaks pending; /* of breakpoints and the lesson */
    bool restart;                  /* with this seed: */
    uint64_t seed;
    uint32_t branch; /* continue in this branch; 0: no request */
};

struct pacing {
    struct tempo tempo;
    struct speed speed;  /* of a free run's clock */
    bool skips;          /* slow motion does not wait out the time in which no thread makes a step (skip_time) */
    uint32_t faster;     /* how many times faster than `speed` the clock runs meanwhile; 1: it does not */
    uint64_t last;       /* the last core event then */
    int64_t quiet_since; /* monotonic ns: when `last` was seen, or `faster` changed */
    bool no_delay;       /* a run "until …" does not wait for the tempo */
    int64_t due;         /* monotonic ns: the next event may become visible */
    uint64_t seen;       /* the event that `due` takes into account */
    int64_t counted;     /* monotonic ns: when the screen was last told how far behind it is */
};

/* What the world does. */
#define STEP_TURN ((enum step_kind)(STEP_DETAIL + 1))    /* only as `granted`: a decision */
#define STEP_ADVANCE ((enum step_kind)(STEP_DETAIL + 2)) /* only as `granted`: session_advance.c */
enum motion_state { STOPPED, STEPPING, RUNNING };
struct motion {
    enum motion_state state;
    enum step_kind granted;         /* STEPPING */
    bool pausing;                   /* the source was asked to stop */
    bool hold_noted, refusal_noted; /* the person was shown this hold, this refusal */
    bool stepped;                   /* what it did last was a step */
    bool round_over;                /* STEP_ROUND: its end has been folded */
    bool crowded;                   /* STEP_ADVANCE: the rings are full of events that are not due */
};

/* Choosing the next outcome (session_decision.c). */
struct deciding {
    bool on, picked; /* requests: rows are wanted; `pick` was chosen */
    uint32_t pick;
    bool listed; /* there are rows, about this state: */
    uint64_t listed_at;
    struct session_decision rows;
    struct engine *fork; /* the run, repeated up to the state shown; NULL: not needed */
};

/* A branch that was left: its choices and its length; from: the event after which it branched off; off_course: as engine_off_course();
 * met: what its lesson had met. */
struct kept_branch {
    struct choices choices;
    uint64_t from, events;
    bool off_course;
    VEC(struct lesson_meeting) met;
};
struct branches {
    VEC(struct kept_branch) v;
    size_t here;
}; /* empty while there is only one */

/* An advance up to a time that the owner gives (session_advance.c). */
struct advance {
    struct advance_until to;
    bool on, keep; /* on: it is under way; keep: it must end (session_keep) */
    enum advance_end how;
    pthread_cond_t arrived; /* it has ended */
};

/* The variables of a G in the past: of the state after event `at` in run number `run`. */
struct looking {
    bool asked, made;      /* made: `found` has them */
    uint32_t g, run, line; /* line: where it is in that state */
    uint64_t at;
    struct variables found;
    struct engine *twin; /* the run, repeated up to event `twin_at` */
    uint64_t twin_at;
};

/* What the Gs of a Go program still reach, of the state after event `at` in run number `run`. */
struct reaching {
    bool asked, made;
    uint32_t run;
    uint64_t at;
    struct waits_reach *found; /* `nfound`; made: what is known */
    size_t nfound;
    struct waits_reach *shown; /* what the last call has returned */
};

struct session {
    pthread_mutex_t lock;
    pthread_mutex_t turnstile; /* held while waiting for the lock, so that the lock changes hands (the turnstile pattern) */
    pthread_cond_t requested;
    pthread_t thread;
    bool has_thread;
    struct session_config cfg;
    struct engine *e;
    void *owner;                  /* session_own() */
    struct session_search search; /* used by the UI's thread */
    enum session_place entered;   /* where session_enter() found it */
    struct arena texts;           /* of lessons, filled in; the screen may still have them when the run is gone. The UI's thread */
    VEC(const char *) text;       /* each of them once */
    bool wants_places;            /* every further run records the operation that each G has reached, in free mode, too */
    int fd;                       /* eventfd for the UI */
    bool notified;                /* fd was written since the UI last looked */
    bool ended;
    uint32_t runs;            /* restarts so far */
    struct recorded recorded; /* of the run before this one */
    struct requests request;
    struct pacing pacing;
    struct motion motion;
    struct rewind rewind;
    struct deciding decision;
    struct branches branches;
    struct advance advance;
    struct looking looking;
    struct reaching reaching;
    struct session_ops ops; /* those that this run can ever have */
};

/* Called by the UI's thread. session_enter() takes the lock. session_leave() releases it, wakes the session's thread, and checks that
 * the request was legal. */
void session_enter(struct session *s);
void session_leave(struct session *s, enum session_request r);
/* session_turn.c, called by the session's thread. session_notify() makes the UI read the status; session_release() continues the fold after a
 * breakpoint. */
void session_notify(struct session *s);
void session_notify_stop(struct session *s); /* the same, at once, after what a person waits for: the run has stopped or ended */
void session_release(struct session *s);
/* Gives a thread that waits for the lock its turn. */
void session_yield_lock(struct session *s);
bool session_is_lockstep(const struct session *s);
/* Plays the past forward up to state `to`. Returns true if a breakpoint stops it. */
bool session_play_to(struct session *s, uint64_t to);
/* Sets the speed of the clock of a free run. */
void session_speed(struct session *s, struct speed speed);
/* Makes the next event due at once, or as soon as the request allows. */
void session_pace_now(struct session *s);

/* session_requests.c: session_ops of these names */
const struct text *session_refusal(struct session *s, enum capability what);
const struct program_text *session_program(struct session *s);
const struct flow *session_flow(struct session *s);
void session_record_places(struct session *s);
extern const struct session_motion_ops session_motion_ops;

/* session_view.c: session_ops of these names */
void session_status(struct session *s, struct session_status *out);
struct model *session_view(struct session *s, struct session_event *events, int max, int *n);
uint64_t session_output(struct session *s, uint64_t from, char (*lines)[160], int max, int *n);
int session_pending(struct session *s, struct session_event *out, int max);
/* Copies as much of a line as fits, cut between characters. */
void session_copy_line(char *out, size_t size, const char *line);

/* session_lesson.c; the entries are copied by session_view.c */
extern const struct session_lesson_ops session_lesson_ops;
void session_lesson(struct session *s, struct session_lesson *out);
bool session_lesson_entry(struct session *s, uint32_t i, struct session_lesson *out);
/* Returns how long an event may stay at most, ns, so that the lesson reaches its next stop soon; INT64_MAX: as long as it likes. */
int64_t session_lesson_dwell(const struct session *s);

/* session_breaks.c */
extern const struct session_run_to_ops session_run_to_ops;
extern const struct session_break_ops session_break_ops;
bool session_check(struct session *s, const char *pattern, struct session_mistake *wrong); /* session_search_ops.check */
/* Leaves a pending one; the session's thread brings the world to rest for it. Returns false if the text is too long. */
bool session_leave_pending(struct session *s, enum pending_what what, uint64_t n, const char *text);
/* Called by the session's thread. A match or a refusal holds the fold: then nothing moves by itself. */
void session_note_hold(struct session *s);

/* session_search.c */
extern const struct session_search_ops session_search_ops;

/* session_rewind.c. session_stand() pauses the run, because the present must be at rest while the past is shown. */
extern const struct session_rewind_ops session_rewind_ops;
enum goto_result session_goto_event(struct session *s, uint64_t number); /* session_rewind_ops.goto_event */
void session_stand(struct session *s);

/* session_advance.c, called by the session's thread at rest. The first makes one more turn; false: no advance is under way. The second
 * ends an advance that cannot continue. */
bool session_advance_turn(struct session *s);
void session_advance_end(struct session *s);

/* session_variables.c */
void session_variables(struct session *s, uint32_t g, struct variables *out); /* session_ops.variables */
const struct waits_reach *session_reach(struct session *s, size_t *n);        /* session_ops.reach */
bool session_variables_turn(struct session *s);                               /* the session's thread, at rest; false: nobody asks */
void session_forget_variables(struct session *s);

/* session_decision.c */
struct branch_refusal;
/* Repeats the run up to an event, on the session's thread. like: its events are compared; NULL: none. NULL: it cannot be repeated. */
struct engine *session_repeat(struct session *s, const struct choices *choices, uint64_t events, struct history *like,
                              struct branch_refusal *why);
extern const struct session_decision_ops session_decision_ops;
bool session_share(struct session *s, char *buf, size_t size);                                                  /* session_ops.share */
bool session_race(struct session *s, uint32_t i, uint32_t g, enum lang lang, char *buf, size_t size);           /* session_ops.race */
bool session_record(struct session *s, const char *path, bool replace, enum lang lang, char *err, size_t size); /* session_ops.record */
/* Called by the session's thread at rest. The first does what was requested; false: there was no request. The second prepares for
 * another run; it may also be called after the thread has ended. */
bool session_decision_turn(struct session *s);
void session_forget_branches(struct session *s);

#endif
