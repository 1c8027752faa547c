/* The session behind the screen; private to session.c, session_breaks.c and session_past.c. */
#ifndef GMPSCOPE_CLI_SESSION_IMPL_H
#define GMPSCOPE_CLI_SESSION_IMPL_H

#include "cli/edits.h"
#include "cli/lookback.h"
#include "cli/session.h"
#include <pthread.h>

enum session_state { STOPPED, STEPPING, RUNNING };

struct session {
    pthread_mutex_t lock;
    pthread_cond_t wish;             /* a wish was left */
    pthread_t thread;
    bool has_thread;
    struct engine *e;
    void *owner;                     /* session_own() */
    struct lookback back;            /* what of its past is shown */
    struct text title;
    const char *name;
    bool audit;
    int fd;                          /* eventfd for the UI */
    bool told;                       /* fd was written since the UI last looked */
    /* wishes */
    bool run, quit, toggle, halt;    /* halt: fold what is logged and stay */
    uint32_t steps;                  /* still to do, of this kind: */
    enum step_kind step;
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
    bool hold_noted;
    bool ended;
    uint32_t runs;                   /* restarts so far */
    int64_t due;                     /* monotonic ns of the next event at a finite tempo */
};

/* The UI's thread: lets the lock go and wakes the session's thread for the wish that was left. */
void session_wished(struct session *s);
/* As much of a line as fits, cut between characters. */
void session_copy_line(char *out, size_t size, const char *line);

/* session_breaks.c: session_ops of these names */
bool session_check(struct session *s, const char *pattern, struct session_mistake *wrong);
bool session_break_add(struct session *s, const char *pattern, struct session_mistake *wrong);
bool session_run_until(struct session *s, const char *pattern, struct session_mistake *wrong);
bool session_break_delete(struct session *s, uint32_t id);
int session_breaks(struct session *s, struct session_break *out, int max);
uint64_t session_find(struct session *s, const char *pattern, uint64_t from, int step);
int session_pending(struct session *s, struct session_event *out, int max);

/* session_past.c: session_ops of these names */
enum goto_result session_step_back(struct session *s, enum step_kind kind, uint32_t n);
enum goto_result session_goto_event(struct session *s, uint64_t number);
enum goto_result session_goto_time(struct session *s, int64_t ns);
enum goto_result session_goto_mark(struct session *s, const char *name);
bool session_mark(struct session *s, const char *name);
/* With the lock held, while looking back: what is shown is not the present. */
void session_status_past(const struct session *s, struct session_status *out);

#endif
