/* The session behind the screen; private to session.c, session_breaks.c, session_past.c and session_choose.c. */
#ifndef GMPSCOPE_SESSION_SESSION_INTERNAL_H
#define GMPSCOPE_SESSION_SESSION_INTERNAL_H

#include "session/edits.h"
#include "session/rewind.h"
#include "session/rewind_breaks.h"
#include "session/control.h"
#include <pthread.h>

enum session_state { STOPPED, STEPPING, RUNNING };

/* A course that was left: its choices, and how far it had come; from: where it branched off. */
struct kept_branch { struct choices choices; uint64_t from, events; };
struct branches { VEC(struct kept_branch) v; size_t here; };  /* empty while there is but one */

#define STEP_TURN ((enum step_kind)(STEP_ROUND + 1))          /* granted only: a choice */
#define STEP_AHEAD ((enum step_kind)(STEP_ROUND + 2))         /* granted only: session_course.c */

struct session {
    pthread_mutex_t lock, door;      /* door: held while waiting for the lock; a mutex alone may go to the same thread for ever */
    pthread_cond_t wish;             /* a wish was left */
    pthread_t thread;
    bool has_thread;
    struct engine *e;
    void *owner;                     /* session_own() */
    struct rewind back;            /* what of its past is shown */
    struct text title;
    const char *name;
    bool audit;
    int fd;                          /* eventfd for the UI */
    bool told;                       /* fd was written since the UI last looked */
    /* wishes */
    bool run, quit, toggle, halt;    /* halt: fold what is logged and stay */
    uint32_t steps;                  /* still to do, of this kind: */
    enum step_kind step;
    int64_t step_since;              /* monotonic ns: when the first of them was asked for */
    struct { struct course todo; bool on, stay; enum course_end how; } course; /* session_course.c; stay: it shall end */
    pthread_cond_t arrived;          /* it has ended */
    struct edits edits;              /* of breakpoints */
    bool rush;                       /* until a breakpoint of this kind at once, whatever the tempo */
    bool again;                      /* start anew, with this seed: */
    uint64_t seed;
    double tempo;
    unsigned speed;                  /* index into speed_den */
    /* where things are */
    enum session_state state;
    enum step_kind granted;          /* STEPPING */
    bool pausing;                    /* the conductor was asked to stop */
    bool hold_noted, refusal_noted;
    bool ended;
    uint32_t runs;                   /* restarts so far */
    /* choosing (session_choose.c) */
    struct session_config cfg;
    bool choosing, picked;           /* wishes: something is to be chosen; `pick` was */
    uint32_t pick, branch_wish;
    bool listed;                     /* draw is about where the run stands now */
    uint64_t listed_at;              /* the state shown then */
    struct session_decision draw;
    struct engine *fork;             /* the run made again up to where the screen looks back, NULL: not needed */
    struct branches branches;
    int64_t due;                     /* monotonic ns of the next event at a finite tempo */
};

/* The UI's thread takes the lock; lets the lock go and wakes the session's thread for the wish that was left. */
void session_enter(struct session *s);
void session_wished(struct session *s);
/* The session's thread: the UI shall look; go on after a breakpoint. */
void session_tell(struct session *s);
void session_release(struct session *s);
/* A match or a refusal holds the fold: then nothing goes on by itself. Whoever waits for the lock has his turn. */
void session_note_hold(struct session *s);
void session_breathe(struct session *s);
/* As much of a line as fits, cut between characters. */
void session_copy_line(char *out, size_t size, const char *line);

/* session_breaks.c: session_ops of these names */
bool session_check(struct session *s, const char *pattern, struct session_mistake *wrong);
bool session_break_add(struct session *s, const char *pattern, struct session_mistake *wrong);
bool session_run_until(struct session *s, const char *pattern, struct session_mistake *wrong);
bool session_break_delete(struct session *s, uint32_t id);
int session_breaks(struct session *s, struct session_break *out, int max);
uint64_t session_find(struct session *s, const char *pattern, uint64_t from, int step);
bool session_query(struct session *s, session_ask *ask, void *ctx);
void session_lesson(struct session *s, struct session_lesson *out);
bool session_lesson_set(struct session *s, bool on);
int session_pending(struct session *s, struct session_event *out, int max);

/* session_past.c: session_ops of these names */
enum goto_result session_step_back(struct session *s, enum step_kind kind, uint32_t n);
enum goto_result session_goto_event(struct session *s, uint64_t number);
enum goto_result session_goto_time(struct session *s, int64_t ns);
enum goto_result session_goto_mark(struct session *s, const char *name);
bool session_mark(struct session *s, const char *name);
int session_marks(struct session *s, struct session_mark *out, int max);
/* With the lock held, while looking back: what is shown is not the present. */
void session_status_past(const struct session *s, struct session_status *out);
/* session_course.c, by the session's thread: while stopped, one more turn of it (false: there is none); it can not go on. */
bool session_course_turn(struct session *s);
void session_course_end(struct session *s);
/* session_choose.c: session_ops of these names; */
void session_choosing(struct session *s, bool on);
void session_decision(struct session *s, struct session_decision *out);
void session_choose(struct session *s, uint32_t pick);
bool session_share(struct session *s, char *buf, size_t size);
int session_branches(struct session *s, struct session_branch *out, int max);
bool session_branch(struct session *s, uint32_t id);
/* and by the session's thread, while stopped: what was wished is done; false: nothing was; */
bool session_choose_turn(struct session *s);
/* by it or when it is gone: another run begins. */
void session_forget_branches(struct session *s);

#endif
