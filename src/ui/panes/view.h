/* What panes are drawn from: everything that a frame shows of a run. */
#ifndef GMPSCOPE_UI_PANES_VIEW_H
#define GMPSCOPE_UI_PANES_VIEW_H

#include "session/session.h"
#include "ui/panes/parts/diff.h"
#include "ui/text/texts.h"

enum { LINE_MAX_BYTES = 160, KEY_HINTS_MAX = 24 };

/* A key on the key line. */
struct key_hint {
    const char *name;
    uint32_t code;
    enum text_id label;
    bool joined;  /* shares the label of the next one */
    bool if_room; /* left out if not all of them fit */
    bool of_pane; /* of the pane that has the focus: at the right end */
};

struct lesson_score {
    uint32_t right, answered, asked; /* asked: questions of the whole lesson */
    uint32_t uncounted;              /* the ones that chance decides, not in `asked` */
};

struct pane_states;
struct layout_pane;

/* All pointers are borrowed for the call. */
struct view {
    const struct model *md;   /* NULL: not known yet, panes draw their frames only */
    const struct model *base; /* the base of the marks on labels, numbers and lists; NULL: none */
    struct diff diff;         /* the other marks */
    struct session_status st;
    const struct session_event *ev; /* the last core events, newest last; if the newest event of all is a detail event, it ends the list */
    int nev;
    const struct session_event *pend; /* the first npend of those logged but not folded, by time */
    int npend;
    const char (*line)[LINE_MAX_BYTES]; /* the last lines of output, newest last */
    int nlines;
    uint64_t total_lines;
    enum lang lang;
    uint32_t selected;                   /* the tag (panes.h) of what is selected, 0: nothing */
    uint32_t on_screen;                  /* bits of the kinds of panes that the frame has */
    const struct layout_pane *focused;   /* the pane that has the focus; NULL: none */
    const char *pattern;                 /* what is searched for; "" or NULL: nothing */
    const char *text;                    /* the same, as a text in sentences */
    struct session_count hit;            /* which match of it is shown; all 0: none, or they are not counted */
    const struct session_lesson *lesson; /* NULL: none is played */
    int answered;                        /* the answer that was given, from 0; -1: none yet */
    bool answered_late;                  /* its answer was known by then */
    bool revealed;                       /* show the right answer even so */
    bool card_waits;                     /* the lesson is over; space opens its closing card, also again */
    bool only_answer;                    /* leave out the question, which was shown before */
    bool notes;                          /* show the teacher's notes */
    bool large;                          /* texts for the back row may have large letters where these fit */
    struct lesson_score score;
    const struct program_text *program; /* the scenario's programs; NULL: not known */
    const struct waits_reach *reach;    /* `nreach`: what the memory of a Go program says about its waits; NULL: not known */
    size_t nreach;
    const struct flow *flow;          /* the same as a graph; NULL: not known */
    struct sentence_cache *sentences; /* NULL: each sentence is made when it is drawn */
    const struct key_hint *hint;      /* the key line */
    int nhints;
    const char *note;           /* what the key line says next to the keys, if it fits; "" or NULL: nothing */
    struct pane_states *states; /* what panes keep from frame to frame; NULL: nothing */
    const char *side;           /* of two runs: "left" or "right", else NULL */
    const char *settings_text;  /* of two runs: the settings in which this one differs; "": none */
};

#endif
