/* What the screen asks of a run, live or replayed. session/session.c implements it; ui/ knows nothing else of the run. */
#ifndef GMPSCOPE_SESSION_SESSION_H
#define GMPSCOPE_SESSION_SESSION_H

#include "base/text.h"
#include "engine/capability.h"
#include "model/model.h"
#include "model/stop.h"

struct session;

enum step_kind { STEP_EVENT, STEP_ROUND };

/* How a way into the past ended: there; before all that is kept; after all that has happened; no mark has this name; it can
 * not be read back. */
enum goto_result { GOTO_DONE, GOTO_TOO_EARLY, GOTO_TOO_LATE, GOTO_NO_MARK, GOTO_LOST };
enum { SESSION_MARK = 16, SESSION_MARKS = 64 }; /* bytes of a mark's name, its end included; how many there can be */
enum { SESSION_TEXT = 64 };
#define SESSION_NEWEST UINT64_MAX

struct session_event {               /* one folded event, kept for panes */
    uint64_t number;                 /* from 1, folded order */
    uint32_t m;
    struct ev ev;
    char text[SESSION_TEXT];         /* print, fatal: the beginning */
};

struct session_status {
    const char *name;                /* scenario */
    struct text title;
    const char *generation;          /* "go1.20" */
    bool no_p;                       /* it has one queue and no Ps */
    bool lockstep, was_free, paused, ended;
    bool still;                      /* paused, and the world has come to its stop */
    bool stepping;                   /* paused, and on the way to the end of steps for so long that it is seen; pause(true) ends them */
    uint32_t run;                    /* counts restarts: another run has another past */
    bool back;                       /* the past is shown: time and events are those of the state that is looked at */
    int how;                         /* EH_… when ended */
    bool over;                       /* the run has ended, also while its past is shown */
    bool failed;                     /* a check of ours: an invariant, a throw, the audit; stop says which */
    uint32_t branch;                 /* which of several this is (session_branch.id); 0: there is but one course */
    uint64_t seed;
    int64_t time;                    /* scenario time folded so far, ns */
    uint64_t events, pending, lost;  /* folded; logged but not folded; lost */
    uint64_t newest, oldest;         /* events that happened so far; those up to `oldest` are not kept any more */
    int64_t newest_time;             /* of the present */
    double tempo;                    /* events a second in lockstep; INFINITY: max */
    uint32_t speed_num, speed_den;   /* free */
    struct stop stop;                /* why it stands */
};

/* What can be chosen now: who goes next, or an outcome of the one who goes. */
enum choice_state { CHOICE_NONE, CHOICE_MAKING, CHOICE_READY, CHOICE_REFUSED };
enum { PICKS_MAX = 128 };
#define PICK_SEED UINT32_MAX         /* let the seed draw, and nobody be held back for that step */
struct session_pick { uint32_t pick; bool seeds, now; char text[LANGS][160]; }; /* seeds: what the seed draws; now: as things are */
struct session_decision {
    enum choice_state state;
    uint32_t serial;                 /* another one: something new to choose from */
    uint64_t at;                     /* behind this event */
    bool past;                       /* the row that is `now` was taken here: to choose it stays on this course */
    char head[LANGS][160];           /* READY: what is drawn; REFUSED: why nothing can be chosen */
    uint32_t all;                    /* alternatives; only the first PICKS_MAX are here */
    int n;
    struct session_pick row[PICKS_MAX];
};
struct session_branch { uint32_t id; bool here; uint64_t from, events; uint32_t choices; }; /* from: branched off behind this event */

struct session_mark { char name[SESSION_MARK]; uint64_t at; }; /* at: the state behind this event */
struct session_break { uint32_t id; uint64_t met; char text[256]; }; /* met: how often, in folded order */
/* The lesson that is played: the entry that was met last, up to what is shown. Texts are "" where it has none. */
enum { SESSION_CHOICES = 16 };
struct session_lesson {
    bool on;
    uint32_t n, met;                 /* entries; how many were met. None yet: the rest is empty */
    struct text say, question, because, choice[SESSION_CHOICES];
    uint32_t nchoices, answer;       /* answer: the right choice, from 0 */
    const char *next;                /* what is waited for, as written; "": nothing any more */
};
/* What is wrong with a pattern, and its byte there. one_side: nothing is, but of two runs only one has the Ps that it asks for. */
struct session_mistake { char text[256]; size_t pos; bool one_side; };

/* All are called by the UI thread only. */
struct session_ops {
    void (*status)(struct session *, struct session_status *out);
    /* A copy of the folded state now, or of the one looked at (model_free it), and the last events, newest last; n: how many of max were filled.
     * Never blocks the runtime for longer than the copy. NULL: out of memory. */
    struct model *(*view)(struct session *, struct session_event *events, int max, int *n);
    /* Lines of program output from index `from` on (0-based): copies at most max, returns the total. */
    uint64_t (*output)(struct session *, uint64_t from, char (*lines)[160], int max, int *n);
    /* Why this run does not allow it: words for a person. NULL: it does. A request that is not allowed changes nothing. */
    const struct text *(*refusal)(struct session *, enum capability what);
    void (*pause)(struct session *, bool on);                     /* on: CAN_PAUSE; it ends the steps that are still to do, too */
    /* While paused. In the past: forward there; at its end the past is left, and the next step is the runtime's. */
    void (*step)(struct session *, enum step_kind, uint32_t n);
    void (*tempo)(struct session *, int up);                      /* +1 faster, -1 slower; free: the speed */
    void (*toggle_mode)(struct session *);                        /* CAN_CHANGE_MODE: lockstep <-> free; pauses, switches, resumes if it ran */
    void (*set_tempo)(struct session *, double events_a_second);  /* lockstep */
    /* A pattern is right? False: what is wrong. The same for the next two, which take one. */
    bool (*check)(struct session *, const char *pattern, struct session_mistake *wrong);
    bool (*break_add)(struct session *, const char *pattern, struct session_mistake *wrong);
    bool (*run_until)(struct session *, const char *pattern, struct session_mistake *wrong); /* go on until it matches, once */
    void (*run_round)(struct session *, uint32_t p);              /* run until a G starts on P p or P p becomes idle: STOP_ROUND */
    bool (*break_delete)(struct session *, uint32_t id);          /* 0: all. False: there is none */
    int (*breaks)(struct session *, struct session_break *out, int max);
    /* The nearest folded event that matches, from `from` on by step 1 or -1. 0: none. An event pattern that `check` took. */
    uint64_t (*find)(struct session *, const char *pattern, uint64_t from, int step);
    /* What is logged but not folded yet, in the order of time; n of max. Numbers are 0. */
    int (*pending)(struct session *, struct session_event *out, int max);
    void (*restart)(struct session *, uint64_t seed);             /* the same scenario anew; breakpoints stay */
    /* Looking back. All of these pause the run, if it goes on, and change nothing when they fail. pause(false) then plays forward at
     * the tempo, and goes on when it comes to the present. */
    enum goto_result (*step_back)(struct session *, enum step_kind, uint32_t n);
    enum goto_result (*goto_event)(struct session *, uint64_t number);   /* SESSION_NEWEST: the present */
    enum goto_result (*goto_time)(struct session *, int64_t ns);         /* all that happened up to then */
    enum goto_result (*goto_mark)(struct session *, const char *name);
    bool (*mark)(struct session *, const char *name);                    /* names what is shown now; false: too long, or too many */
    int (*marks)(struct session *, struct session_mark *out, int max);   /* in the order in which they were made */
    /* Choosing, while paused in lockstep. `on`: get ready, behind the event that is shown; wake_fd tells. */
    void (*choosing)(struct session *, bool on);
    void (*decision)(struct session *, struct session_decision *out);
    void (*choose)(struct session *, uint32_t pick);              /* or PICK_SEED; that M makes its next step, then it is got ready again */
    /* The command line that does this run again, as far as it has come; false: why there is none. */
    bool (*share)(struct session *, char *buf, size_t size);
    int (*branches)(struct session *, struct session_branch *out, int max);
    bool (*branch)(struct session *, uint32_t id);                /* go on in that one; false: there is none */
    void (*lesson)(struct session *, struct session_lesson *out);
    bool (*lesson_set)(struct session *, bool on);                /* on: from its beginning. False: the scenario has none */
    int (*wake_fd)(struct session *);                             /* eventfd readable when something changed; UI reads it */
};

struct ui_config {
    struct session *session;
    struct session *other;           /* to be compared with it, drawn beside or below; NULL: none */
    const char *told, *other_told;   /* then: the settings of each alone, "" if there are none */
    const struct session_ops *ops;
    const char *layout_path;         /* the wished one */
    const char *layout_dir;          /* fallbacks (compact.yaml …) */
    enum lang lang;
    bool ascii, color, mouse;
};

/* Runs the screen until q, a fatal signal or hang-up. Returns 0, or 129/130/143 by signal, or 2 when the terminal cannot be
 * used or the layout file is bad (message on stderr). The terminal is sane afterwards, whatever happened. */
int ui_run(const struct ui_config *cfg);

#endif
