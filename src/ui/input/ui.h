/* The state of the screen. The loop runs it, keys and commands change it, frame and boxes draw it. */
#ifndef GMPSCOPE_UI_INPUT_UI_H
#define GMPSCOPE_UI_INPUT_UI_H

#include "model/report/report.h"
#include "ui/input/completion.h"
#include "ui/input/prompt.h"
#include "ui/input/select.h"
#include "ui/input/ui_run.h"
#include "ui/panes/parts/diff_base.h"
#include "ui/panes/layouts.h"
#include "ui/panes/panes.h"
#include "ui/term/screen.h"

enum {
    PENDING_KEPT = 32,
    PANES_MAX = 256,
    UNTIL_BYTES = 160,
    SHARE_BYTES = 16384,
    NOTE_BYTES = 256,
    BREAKS_SHOWN = 16,
    BRANCHES_SHOWN = 24
};
enum { LEFT, RIGHT, SIDES };

/* A run as it was last fetched. */
struct run {
    struct session *session;
    const char *settings_text; /* of two runs: the settings in which this one differs */
    struct session_status st;
    struct diff_base stops;
    struct session_event ev[EVENTS_KEPT];
    int nev;
    struct session_event pend[PENDING_KEPT];
    int npend;
    char line[LINES_KEPT][LINE_MAX_BYTES];
    int nlines;
    uint64_t total_lines;
    struct sentence_cache *sentences; /* NULL: there is no memory for them */
    struct pane_states panes;
};

/* What y shows of the selected G below the panes of the layout: nothing, why it does not run, or its life. */
enum why { WHY_NOT, WHY_CAUSES, WHY_LIFE };

/* Where panes were drawn last. */
struct placed {
    struct layout_pane pane[PANES_MAX];
    int n;
    int of_left;           /* of two runs: how many panes show the left one; the others show the right one */
    bool one;              /* of two runs: there is room for only one */
    bool nothing;          /* the screen is too small for any pane */
    bool docked;           /* a pane stands below those of the layout (frame.h) */
    bool stale;            /* the layout has changed since: the next key needs the panes where they will be */
    int intro;             /* the row of the hint or of the run's title, which no pane has; -1: there is none */
    char note[NOTE_BYTES]; /* "": none */
};

/* The box that is drawn over the panes. */
enum box_kind {
    BOX_NONE,
    BOX_HELP,
    BOX_BREAKS,
    BOX_MARKS,
    BOX_CHOOSE,
    BOX_SHARE,
    BOX_BRANCHES,
    BOX_QUEUES,
    BOX_CARD,
    BOX_ABOUT,
    BOX_LEDGER,
    BOX_REPORT,
    BOXES
};
struct chooser {
    struct session_decision shown, fetched;
    int row, top, room; /* row 0: the seed decides; then shown.row[row - 1]. top: the first of the `room` rows that are shown */
};
/* A report (reports.h). */
struct report_box {
    struct report_asked asked;
    struct report *report; /* NULL: nothing was read yet */
    struct model *md;      /* the state after event `at`, up to which it has read */
    uint64_t at, shown;    /* shown: up to which it must read */
    uint64_t read, oldest; /* the rows are those up to event `read`, from event `oldest` + 1 on */
    uint32_t run, branch;  /* of which it is about */
    bool begins, gone;     /* gone: it cannot be read, or memory ran out */
    struct report_rows rows;
    int row, top, room; /* row: the chosen one; row 0 is the title. top: the first of the `room` that are shown, from 0 */
};
struct box {
    enum box_kind kind;
    int top, at;   /* help: the first line that is shown; 1 + the line of the cursor, 0: none */
    bool finding;  /* help: letters go to the text to find */
    char find[40]; /* help: only what has this text is listed */
    struct chooser choose;
    char share[SHARE_BYTES];
    int n; /* rows of the list that is shown */
    struct session_break breaks[BREAKS_SHOWN];
    struct session_mark marks[SESSION_MARKS];
    struct session_branch branches[BRANCHES_SHOWN];
    struct report_box report;
};

/* The match that a search has gone to. */
struct hit {
    uint64_t at; /* its event */
    uint32_t run;
    struct session_count count; /* all 0: it was not counted */
};

struct command_line {
    struct prompt prompt;
    int arg_at;                 /* the byte at which the argument of the running command begins */
    char pattern[PROMPT_BYTES]; /* the current search pattern, "" if none */
    char text[PROMPT_BYTES];    /* the text that is searched for in sentences, in the pattern's place; "" if none */
    struct hit hit;
    bool runs_on;            /* no recorded sentence has the text: space runs on to it */
    char until[UNTIL_BYTES]; /* the note if the run ends before the target of :until; "": it has no target */
};

/* The lesson as a person takes it (lesson_answers.c). */
enum { LESSON_ENTRIES = 64 };
struct lesson_text {
    uint32_t met, answered; /* entries met; 1 more than the entry that is shown with its answer, 0: none is */
};
struct lesson_taken {
    uint32_t run; /* the rest is about this run */
    struct {
        int choice; /* 1 more than the answer that was given; 0: none */
        bool late;  /* it was given when the run had shown the answer already, so it does not count */
    } given[LESSON_ENTRIES];
    struct lesson_score score;
    bool begun, carded;      /* begun: the lesson was played before the run ended; carded: the closing card was shown */
    bool playing;            /* without a lesson: the run was going on by itself when it was seen last */
    struct lesson_text read; /* shown_text() when the run stood still last: a person has read that */
    uint64_t pointed;        /* the deciding event whose subject was selected last */
    uint32_t shown_entry;    /* what is read by itself: this entry, in this state, since then */
    uint64_t shown_at;
    bool revealed; /* the answer is shown without a person's answer */
    int64_t since; /* ms, monotonic; 0: nothing is read by itself */
};

/* The rows of the lesson's frame on a high screen (frame.c), and for what they were counted. */
struct lesson_box {
    uint32_t run, met;
    int w, rows; /* rows 0: not counted yet */
    enum lang lang;
};

/* A search through a long history (history_search.c). It begins as zero. */
struct searching {
    int64_t since, shown; /* ms, monotonic: the first report, the last picture; 0: none yet */
    bool ended;           /* a key has ended it */
    uint64_t at;          /* the event that it has reached */
};

/* Keys that were read and not taken yet. The first one waits for the stop of the key before it. */
enum { TYPED_KEYS = 128 };
struct typed {
    uint32_t code[TYPED_KEYS];
    int n;
    bool waits;    /* the first one waits, since `since` (ms, monotonic), */
    int64_t since; /* and was typed together with the others of the first `together`, and with `unread` bytes behind them */
    int together, unread;
    bool go; /* a key was typed later: none of them waits for a match any more */
};

struct loop_state {
    bool stale, dirty;         /* fetch again; draw again */
    bool at_stop;              /* the run has come to a stop since the last frame */
    bool leave, suspend, open; /* open: the list of scenarios */
    bool moved;                /* the mouse has moved with the button held, and nobody has acted on it yet */
    uint32_t key;              /* the key that is being carried out */
    struct typed typed;
    bool slow;           /* the last frame shows a step under way, and every key typed before that frame was taken */
    bool taken;          /* a key was taken since the input was last waited for */
    int64_t moves_since; /* ms, monotonic: since when a key has waited for a stop; 0: none has */
    int code;            /* of ui_run */
    int64_t drawn_at;    /* ms, monotonic */
    int64_t cost_ns;     /* the CPU time of the last frame */
    uint64_t came;       /* the events between the last two frames */
};

/* Where a tour is. */
struct touring {
    int at, key;          /* the step, and its next key */
    int64_t begun, since; /* ms, monotonic: when the step began, when something was done last; 0: not yet */
    bool paused;
};

/* The button was pressed elsewhere; or curses has merged the press with the release. */
enum { HELD_ELSEWHERE = -2, HELD_UNKNOWN = -1 };

struct ui {
    const struct ui_config *cfg;
    const struct session_ops *ops;
    struct run run[SIDES]; /* keys are for the left one, or for both */
    int nruns;
    struct session_verdict verdict; /* of two runs */
    bool counters;                  /* of two runs: all counters are listed instead of the conclusion */
    bool right_shown;               /* of two runs, if there is room for only one: the right one is shown */
    struct session_lesson lesson;
    struct lesson_taken taken;
    struct lesson_box lesson_box;
    struct touring tour;
    bool notes; /* the lesson's notes for the teacher are shown */
    struct screen *screen;
    struct canvas canvas;
    int w, h;
    enum lang lang; /* English if the terminal has no UTF-8 */
    const struct theme *theme;
    const struct theme *own_theme; /* the one before the layout asked for another; NULL: it asked for none */
    struct layouts layouts;
    struct {
        const struct layout *l;
        int w, h;
        bool began;            /* the first picture was drawn */
        char note[NOTE_BYTES]; /* as it was announced; "": it was not */
    } fallback;                /* the layout shown instead of the requested one, as last announced */
    struct placed placed;
    struct selection select;
    int held;          /* the pane in which the mouse button was pressed, if it takes drags; or one of HELD_… */
    bool places_asked; /* the session was asked to record where Gs stand */
    bool hint;         /* say what a few keys do, until the first key */
    bool inspect;      /* the fields of what is selected are shown */
    enum why why;      /* instead of the fields */
    int says;          /* without a full screen: 1 + the kind of the pane to print; 0: none */
    struct box box;
    struct command_line command;
    struct completion completion;
    struct {
        char text[NOTE_BYTES];
    } note; /* a text next to the keys, or above them if it is long, until the next key */
    struct searching searching;
    struct loop_state loop;
    struct picture_wish {
        char path[1024]; /* "": no picture is wanted */
        bool at_stop;    /* of the first stop, or of the end; otherwise of the next frame */
    } picture;
};

/* Returns the view of one run, with the marks since its last stop. */
struct view ui_view(struct ui *u, int side);
/* Returns the pane that has the focus, of the first n that are placed; NULL: none. */
const struct layout_pane *ui_focused(const struct ui *u, int n);
struct pane_source ui_source(const struct ui *u, int side);
static inline bool ui_two(const struct ui *u)
{
    return u->nruns == SIDES;
}

#endif
