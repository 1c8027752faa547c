/* The state of the screen while it is up; private to this room. loop.c runs it, keys.c changes it. */
#ifndef GMPSCOPE_UI_UI_H
#define GMPSCOPE_UI_UI_H

#include "ui/boxes/choose.h"
#include "ui/layouts.h"
#include "ui/panes/panes.h"
#include "ui/input/prompt.h"
#include "ui/term/screen.h"
#include "ui/input/select.h"
#include "ui/panes/diff_base.h"

enum { EVENTS_KEPT = 128, LINES_KEPT = 64, PENDING_KEPT = 32, PANES_MAX = 256, UNTIL_BYTES = 160 };
enum over { OVER_NOTHING, OVER_HELP, OVER_BREAKS, OVER_MARKS, OVER_CHOOSE, OVER_SHARE, OVER_BRANCHES }; /* what lies over the panes until a key */

struct ui {
    const struct ui_config *cfg;
    struct ui *other;                /* of the session that is compared: what was fetched of it, and nothing else; NULL: none */
    bool turned;                     /* of two runs, where there is room for one: the right one is shown */
    struct screen *screen;
    struct canvas canvas;
    struct layouts layouts;
    enum lang lang;                  /* English where the terminal has no UTF-8 */
    int w, h;
    /* what was fetched last */
    struct session_status st;
    struct diff_base stops;
    bool jump;                       /* what comes next does not follow what is shown */
    struct session_event ev[EVENTS_KEPT];
    int nev;
    struct session_event pend[PENDING_KEPT];
    int npend;
    char line[LINES_KEPT][LINE_MAX_BYTES];
    int nlines;
    uint64_t total_lines;
    struct arrows arrows;
    struct sentence_cache *said;            /* NULL: there is no memory to keep any */
    struct session_lesson lesson;
    /* control */
    uint32_t key;                    /* that is being carried out */
    enum over over;
    int help_top;                    /* first line of the help that is shown */
    struct prompt prompt;
    int arg_at;                      /* where the argument of the command begins that is being carried out */
    char pattern[PROMPT_BYTES];      /* what is searched for, "" if nothing yet */
    char note[256];                  /* said on the last row until the next key, or for some seconds */
    char until[UNTIL_BYTES];         /* said when the run ends before what it runs until has come; "": it runs until nothing */
    int64_t noted_at;                /* ms, monotonic: when it was first seen; 0: not yet */
    struct { const struct layout *l; int w, h; } fallback; /* of which it was last said that it is shown instead of the wished one */
    struct selection select;
    struct chooser choose;
    struct { uint32_t run, step; int choice; } answer; /* to the question of that entry; step 0: none was given */
    char share[SHARE_BYTES];
    bool inspect;                    /* the fields of what is chosen are shown */
    const struct theme *theme;
    struct layout_pane pane[PANES_MAX]; /* as drawn last */
    int npanes;
    bool stale, dirty, leave;        /* stale: fetch anew; dirty: draw anew */
    bool suspend;
    int code;                        /* of ui_run */
    int64_t watched_at, drawn_at;    /* ms, monotonic */
};

/* Draws the frame for what was fetched (frame.c). Returns false if there is not enough memory. */
bool ui_draw(struct ui *u);
struct view ui_view(const struct ui *u);             /* what panes are drawn from */
/* Says that this is not the wished layout, and how much room there is for it; once for each size and layout. */
void ui_tell_fallback(struct ui *u, const struct layout *l, int w, int h);
void help_draw(struct ui *u);
void ui_help(struct ui *u);                          /* shows it */
bool help_key(struct ui *u, uint32_t code);          /* moves in it; false: this key closes it */
/* A box over the panes, blank inside; `hint` in its lower edge. Returns the inside. */
struct rect box_over(struct canvas *c, struct rect r, const char *title, const char *hint);
void breaks_draw(struct ui *u);                      /* the list of breakpoints (inspect.c) */
void marks_draw(struct ui *u);
/* The fields of what is chosen, at the bottom of r, as that run has it; against the other one's, if there is one (inspect.c). */
void inspect_draw(struct ui *u, const struct ui *side, struct rect r);

#endif
