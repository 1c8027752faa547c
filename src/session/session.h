/* What the screen asks of a run, whatever its source. session/session.c implements it; ui/ knows nothing else of the run. */
#ifndef GMPSCOPE_SESSION_SESSION_H
#define GMPSCOPE_SESSION_SESSION_H

#include "base/program_text.h"
#include "base/tempo.h"
#include "base/text.h"
#include "base/variables.h"
#include "engine/capability.h"
#include "model/flow.h"
#include "model/history/parting.h"
#include "model/stop.h"

struct session;
struct history;
typedef void session_ask(struct history *h, void *ctx);

enum step_kind { STEP_EVENT, STEP_ROUND, STEP_DETAIL }; /* to the next core event, the next end of a round, the next event of any level */

/* How going to a state ended: it is shown; it is older than what is kept; it has not happened yet; no mark has this name; it cannot be
 * read back. */
enum goto_result { GOTO_DONE, GOTO_TOO_EARLY, GOTO_TOO_LATE, GOTO_NO_MARK, GOTO_LOST };
enum { SESSION_MARK = 16, SESSION_MARKS = 64 }; /* bytes of a mark's name, its end included; how many there can be */
enum { SESSION_TEXT = 64 };
#define SESSION_NEWEST UINT64_MAX
#define SESSION_STOP (UINT64_C(1) << 32) /* wake_fd */

struct session_event { /* one folded event, kept for panes */
    uint64_t number;   /* from 1, folded order */
    uint32_t m;
    struct ev ev;
    char text[SESSION_TEXT]; /* print, fatal: the beginning */
};

/* Where two compared runs part (model/history/parting.h), as far as they have come. */
struct session_verdict {
    struct parting parting;
    uint32_t run[2];               /* the numbers of the runs (session_status.run) */
    bool has[2];                   /* parted: this run has an event there; otherwise it has ended */
    struct session_event first[2]; /* these events */
};

/* What a run leads to: what stops it next, if that is known. */
struct session_goal {
    struct stop stop; /* as it will be; STOP_NONE: there is nothing, or one of `breaks` breakpoints */
    uint32_t breaks;
    uint64_t event;    /* it runs to this event; 0: to `stop` */
    uint64_t seen, of; /* how far it is; of 0: that is not known */
};

struct session_status {
    const char *name; /* scenario */
    struct text title, summary;
    const char *generation;           /* "go1.20" */
    const char *policy;               /* the name of its scheduling policy; NULL: none */
    bool no_p;                        /* it has one queue and no Ps */
    bool no_tick61, no_stealing;      /* fairness_tick, stealing is disabled */
    bool no_runnext, no_needspinning; /* its Ps have no runnext; it has no such counter */
    bool lockstep, was_free, paused, ended;
    bool still;    /* paused, and the world is at rest */
    bool stepping; /* paused, and steps take so long that the screen shows it; pause(true) ends them */
    bool until;    /* not paused: it runs to a match, and stops there */
    struct session_goal goal;
    uint32_t run; /* counts restarts: each run has its own history */
    bool back;    /* the past is shown: time and events are those of the state shown */
    int how;      /* ENDED_… when ended */
    bool over;    /* the run has ended, also while its past is shown */
    bool reached; /* over: its last event is one at which it was to stop */
    bool stuck;   /* two runs: this one is stuck (engine/quiet.h), and the comparison leaves it where it is */
    int64_t stuck_since;
    bool failed;     /* an internal check failed: an invariant, a throw, the audit; stop says which */
    uint32_t branch; /* the id of this branch (session_branch.id); 0: there is only one */
    uint64_t seed;
    char drawn[80];                 /* the numbers that the seed has drawn: "n=6 k=2"; "": the scenario does not vary */
    int64_t time;                   /* scenario time folded so far, ns */
    uint64_t events, pending, lost; /* folded; logged but not folded; lost */
    uint64_t newest, oldest;        /* events so far; events up to `oldest` are no longer kept */
    bool file_fails;                /* older events went to no file, because it cannot be written */
    int64_t newest_time;            /* of the present */
    bool follows;                   /* it goes on elsewhere */
    int64_t behind;                 /* then: how long ago the state shown was, ns */
    struct tempo tempo;             /* lockstep */
    struct speed speed;             /* free */
    struct stop stop;               /* why it is stopped */
    uint64_t record_bytes;          /* the size of the file into which the run is recorded; 0: it is not recorded */
    uint64_t record_events;         /* events in that file, once it cannot be written: */
    int record_error;               /* an errno, 0: it can */
    char recorded[256];             /* the name of the file that has the run before this one; "": none */
    uint64_t recorded_events;       /* in that file */
    int recorded_error;             /* an errno; 0: it has all of that run */
    bool places;                    /* the state has the operation that each G has reached */
    uint32_t without;               /* a bit for each capability that such a run never has; the keys that need it do not exist either */
    uint32_t refused;               /* a bit for each one that the run refuses now; the key line does not offer the keys that need it */
};

/* The next decision: which M continues, or an outcome for the M that does. */
enum choice_state { CHOICE_NONE, CHOICE_MAKING, CHOICE_READY, CHOICE_REFUSED };
enum { PICKS_MAX = 128 };
#define PICK_SEED UINT32_MAX /* leaves it to the seed, and holds no other M back for that step */
struct session_pick {
    uint32_t pick;
    bool seeds, now;
    char text[LANGS][160];
}; /* seeds: the seed's pick; now: what happens without a choice */
struct session_decision {
    enum choice_state state;
    uint32_t id;           /* of the decision, for choose() */
    uint32_t serial;       /* changes whenever the rows change */
    uint64_t at;           /* after this event */
    bool past;             /* the row that is `now` was taken here, so choosing it changes nothing */
    char head[LANGS][160]; /* READY: what is decided; REFUSED: why nothing can be chosen */
    uint64_t last;         /* of one row: the event after which there was a choice before; 0: none is known */
    uint32_t all;          /* alternatives; only the first PICKS_MAX are here */
    int n;
    struct session_pick row[PICKS_MAX];
};
struct session_branch {
    uint32_t id;
    bool here;
    uint64_t from, events;
    uint32_t choices;
}; /* from: branched off after this event */

struct session_mark {
    char name[SESSION_MARK];
    uint64_t at;
}; /* at: the state after this event */
struct session_break {
    uint32_t id;
    uint64_t hits;
    char text[256];
}; /* hits: how often it has matched, in folded order */
/* The lesson that is played: the last entry that was met up to the state shown. A text that the entry lacks is "". */
enum { SESSION_CHOICES = 16, SESSION_PANES = 16 };
struct session_lesson {
    bool on;
    uint32_t n, met;     /* entries; how many of them were met. If none was, the rest is empty */
    uint32_t entry;      /* which one this is, from 0 */
    bool returns;        /* its answer came after the next entry: it is shown again */
    uint32_t number, of; /* the same as a person counts: only entries that hold in this run; from 1 */
    struct text say, question, because, choice[SESSION_CHOICES];
    struct text choice_because[SESSION_CHOICES]; /* said to those who chose it */
    struct text notes;                           /* for the teacher */
    const char *hidden[SESSION_PANES];           /* the names of `nhidden` panes that are covered until the question is answered */
    uint32_t nchoices, nhidden;
    bool chance;                         /* chance decides the answer, so the question does not count */
    int answer;                          /* the right choice, from 0; -1: not known (yet), or no choice is right */
    const char *came;                    /* the value that the answer has for good; "": not known (yet) */
    uint64_t place;                      /* the event after which this entry was met; 0: it was not */
    uint64_t decided;                    /* the event that decides the answer, in the past or still to come; 0: not known */
    bool open;                           /* it depends on what the run is still to do */
    const char *next;                    /* the pattern of the next entry, as written; "": there is none */
    const char *made_for;                /* its scenario's own generation, if this run shows fewer entries or questions; else NULL */
    uint32_t made_procs;                 /* and its own GOMAXPROCS */
    bool other_switches;                 /* this run has other mechanisms than the scenario's own */
    const char *made_boot, *made_module; /* its own, if boot or module make a difference; else made_boot is NULL */
    bool no_questions;                   /* this run shows none of its questions */
    const char
        *lost; /* the run has ended, and a G waited next to an idle P: the known limit of Go that explains it, "" for a what-if switch;
                           * NULL: no G did */
    bool task; /* the scenario disables a mechanism for that */
};
/* What is wrong with a pattern, and at which byte. one_side: the pattern is correct, but only one of two compared runs has the Ps that
 * it names. unrecorded: it is correct, but it is about places of Gs (g_op), which this run does not record. */
struct session_mistake {
    enum lang lang; /* of the text; set by the caller */
    char text[256];
    size_t pos;
    bool one_side, unrecorded;
};

/* A search through a long history calls `going` from time to time, with the event that it has reached. If that returns false, the search
 * ends without a result. `going` must not ask the session for anything. */
struct session_search {
    bool (*going)(void *ctx, uint64_t at); /* NULL: searches are never ended */
    void *ctx;
    uint64_t piece; /* events from call to call, about; 0: some ten ms of them */
};

enum { SESSION_COUNTED = 300000 }; /* so many events are counted before a person notices */
struct session_count {
    uint64_t nth, of;
};

/* Only the UI's thread calls these operations. A group is NULL if that kind of run never has it. */

struct session_motion_ops {
    void (*pause)(struct session *, bool on); /* on: CAN_PAUSE; it ends the steps that are still to do, too */
    /* While paused. If the past is shown, steps go forward in it. At its end the present is shown, and the next step moves the run. */
    void (*step)(struct session *, enum step_kind, uint32_t n);
    void (*tempo)(struct session *, int up);           /* +1 faster, -1 slower; free: the speed */
    void (*set_tempo)(struct session *, struct tempo); /* lockstep */
    void (*toggle_mode)(struct session *);             /* CAN_CHANGE_MODE: lockstep <-> free; pauses, switches, resumes if it ran */
    void (*restart)(struct session *, uint64_t seed);  /* the same scenario; breakpoints stay; another seed: CAN_CHANGE_SEED */
};

/* Runs until something happens, once; it may be in the past that is shown. */
struct session_run_to_ops {
    /* Runs until the pattern matches. Returns false, with the mistake in `wrong`, if it is none. */
    bool (*match)(struct session *, const char *pattern, struct session_mistake *wrong);
    void (*round)(struct session *, uint32_t p); /* until a G starts on P p or P p becomes idle: STOP_ROUND */
    /* Until a core event after event `after` has the text in its sentence. False: it is too long. */
    bool (*text)(struct session *, const char *text, enum lang lang, uint64_t after);
    void (*event)(struct session *, uint64_t n); /* shows event n, which may be still to come */
};

struct session_break_ops {
    bool (*add)(struct session *, const char *pattern, struct session_mistake *wrong); /* false: the pattern is wrong */
    bool (*delete)(struct session *, uint32_t id);                                     /* 0: all. False: there is none */
    int (*list)(struct session *, struct session_break *out, int max);
};

/* What is looked for in all that is recorded. */
struct session_search_ops {
    /* Returns true if the text is a pattern; otherwise `wrong` has the mistake. */
    bool (*check)(struct session *, const char *pattern, struct session_mistake *wrong);
    /* Returns the nearest folded event, from `from` on in steps of 1 or -1, that matches an event pattern; 0: none. */
    uint64_t (*find)(struct session *, const char *pattern, uint64_t from, int step);
    /* The same for core events whose sentence in that language has the text, whatever the case of its letters. */
    uint64_t (*find_text)(struct session *, const char *text, enum lang lang, uint64_t from, int step);
    /* Counts these events in all that is recorded, and those of them up to event `at`. All 0: more than SESSION_COUNTED are recorded. */
    struct session_count (*count)(struct session *, const char *pattern, uint64_t at);
    struct session_count (*count_text)(struct session *, const char *text, enum lang lang, uint64_t at);
    void (*on_search)(struct session *, struct session_search search); /* for the finds, and for run_to->match in the past */
    /* Sets hit[i] if event number[i] matches an event pattern. Returns false, with all of hit[] false, if the pattern is wrong. */
    bool (*matches)(struct session *, const char *pattern, const uint64_t *number, int n, bool *hit);
    /* Goes back to the last match before the state shown ("… xN": the N-th back), if there is one: *found. False: the pattern is wrong. */
    bool (*back_until)(struct session *, const char *pattern, bool *found, struct session_mistake *wrong);
    /* Lets `ask` read the history of this run (model/history/history.h), under the lock of the fold: it must not wait. Returns false, without a
     * call, if there is no history. */
    bool (*query)(struct session *, session_ask *ask, void *ctx);
};

/* Each of these pauses the run; if one fails, it changes nothing else. pause(false) then plays forward at the tempo, and continues the run
 * at the present. */
struct session_rewind_ops {
    enum goto_result (*step_back)(struct session *, enum step_kind, uint32_t n);
    enum goto_result (*goto_event)(struct session *, uint64_t number); /* SESSION_NEWEST: the present */
    enum goto_result (*goto_time)(struct session *, int64_t ns);       /* the last state up to that time */
    enum goto_result (*goto_mark)(struct session *, const char *name);
    bool (*mark)(struct session *, const char *name);                  /* names the state shown; false: too long, or too many */
    int (*marks)(struct session *, struct session_mark *out, int max); /* in the order in which they were made */
};

/* While paused. A run without CAN_DECIDE has none of these functions. */
struct session_decision_ops {
    void (*prepare)(struct session *, bool on); /* on: prepares the rows for the state shown; wake_fd says when they are ready */
    void (*rows)(struct session *, struct session_decision *out);
    /* Chooses a row of decision `id`, or PICK_SEED; the M makes its turn, then the next rows are prepared. Does nothing if that is no longer the
     * decision at the state shown. */
    void (*choose)(struct session *, uint32_t id, uint32_t pick);
    int (*branches)(struct session *, struct session_branch *out, int max);
    bool (*branch)(struct session *, uint32_t id); /* continues in this branch; false: there is none */
};

struct session_lesson_ops {
    void (*now)(struct session *, struct session_lesson *out);
    bool (*set)(struct session *, bool on); /* on: plays it from its beginning. False: the scenario has none */
    /* Writes an entry, from 0, as it is in this run. Returns false if the run has none with this number, or skips it. */
    bool (*entry)(struct session *, uint32_t i, struct session_lesson *out);
    /* Goes to the next entry at which the run stops (by 1) or to the one before (by -1): in the past, or by running on at full speed. */
    enum goto_result (*go)(struct session *, int by);
};

/* Two runs: where they part; and goes there on both sides. GOTO_TOO_LATE: they have not parted so far; both run on until they do.
 * GOTO_NO_MARK: they end without a difference. */
struct session_pair_ops {
    void (*verdict)(struct session *, struct session_verdict *out);
    enum goto_result (*goto_parting)(struct session *);
};

struct session_ops {
    void (*status)(struct session *, struct session_status *out);
    /* Copies the state shown (the caller frees it) and the last core events, newest last; *n of max are filled. If the newest event of all
     * is a detail event, it ends the list. It blocks the run no longer than the copy takes. NULL: out of memory. */
    struct model *(*view)(struct session *, struct session_event *events, int max, int *n);
    /* Copies at most max lines of program output from index `from` (0-based) on; returns how many there are. */
    uint64_t (*output)(struct session *, uint64_t from, char (*lines)[160], int max, int *n);
    /* Copies logged events that are not folded yet, at most max, in the order of time; returns how many. Their numbers are 0. */
    int (*pending)(struct session *, struct session_event *out, int max);
    /* Returns why this run does not allow something, as words for a person; NULL: it allows it. A request that is not allowed changes
     * nothing. */
    const struct text *(*refusal)(struct session *, enum capability what);
    /* The scenario's programs; borrowed while the session lives. Empty if there is no memory for them. */
    const struct program_text *(*program)(struct session *);
    /* What the memory of a Go program says about the Gs that wait in the state shown (waits_config.reach), *n of them; valid until the next call, by the same
     * thread. NULL: not known, or not yet: wake_fd says when. */
    const struct waits_reach *(*reach)(struct session *, size_t *n);
    const struct flow *(*flow)(struct session *); /* the same as a graph, for model/waits.h; NULL: not known */
    /* The variables of a G of a Go program in the state shown. The run is repeated for those of the past: VARIABLES_MAKING, and wake_fd says when they are
     * there. NULL: two runs. */
    void (*variables)(struct session *, uint32_t g, struct variables *out);
    /* Every run from the next restart on records the operation that each G has reached. */
    void (*record_places)(struct session *);
    /* Writes the command line that repeats this run as far as it has come; false: there is none. */
    bool (*share)(struct session *, char *buf, size_t size);
    /* Records this run, from its first event on. replace: overwrites a file that is no recording. Returns false, with the reason in err. */
    bool (*record)(struct session *, const char *path, bool replace, enum lang lang, char *err, size_t size);
    /* Writes the i-th data race that was found so far as a sentence, or with a g: the i-th up to the next event in which that G takes part; false: there are
     * not so many. NULL: two runs. */
    bool (*race)(struct session *, uint32_t i, uint32_t g, enum lang lang, char *buf, size_t size);
    int (*wake_fd)(struct session *); /* eventfd readable when something changed; UI reads it: SESSION_STOP or more after a stop */
    const struct session_motion_ops *motion;
    const struct session_run_to_ops *run_to;
    const struct session_break_ops *breaks;
    const struct session_search_ops *search;
    const struct session_rewind_ops *rewind;
    const struct session_decision_ops *decisions;
    const struct session_lesson_ops *lesson;
    const struct session_pair_ops *pair;
};

#endif
