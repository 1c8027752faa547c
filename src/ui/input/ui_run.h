/* The screen as a function: what a command gives it, and what a person asks for there that the screen leaves to the command. */
#ifndef GMPSCOPE_UI_INPUT_UI_RUN_H
#define GMPSCOPE_UI_INPUT_UI_RUN_H

#include "session/session.h"

/* What a person may ask for that needs another run: a setting ("procs=4"), the scenario read again, or a comparison with other settings. */
enum ui_change { CHANGE_SET, CHANGE_RELOAD, CHANGE_COMPARE };
/* What a screen passes on to the next one. */
struct ui_kept {
    const char *theme;     /* NULL: the screen is the first; then only the note is read */
    const char *own_theme; /* the one before the layout asked for another; NULL: it asked for none */
    enum lang lang;
    char layout[64], note[512];
};

/* What a lesson offers at its end, and what was chosen there; then the screen has been left for it. */
enum lesson_then { THEN_NOTHING, THEN_NEXT, THEN_WITHOUT, THEN_COMPARE };
struct lesson_after {
    const char *next; /* the scenario to go on with; NULL: none */
    bool next_lesson; /* it has a lesson */
    /* Sets these two, once, when they are shown: all scenarios are read for that. NULL: they are set. */
    void (*find_next)(struct lesson_after *);
    void *ctx;        /* for find_next() */
    bool lacks;       /* reading them failed, for lack of memory or descriptors; a message was printed */
    char without[64]; /* what it may be run without, as --disable takes it; "": nothing */
    bool compares;    /* the scenario says what to compare it with; otherwise it is compared with the run without that */
    struct text watch;
    enum lesson_then then;
    bool played; /* the lesson was played to its end, at best with this score: */
    unsigned right, asked;
};

/* A run that is shown by itself (ui/tour.h): at each step a text, and the keys that are pressed under it. finished: it was shown to its end. */
struct tour_step {
    const char *keys;
    struct text text;
};
struct tour_scene {
    const struct tour_step *step;
    int n;
    bool finished;
};

struct config;
struct door;
struct door_choice;

struct ui_config {
    struct session *session;
    struct session *other;                           /* the run it is compared with, drawn next to it or below; NULL: none */
    const char *settings_text, *other_settings_text; /* if there is one: the settings in which each run differs, "" if there are none */
    const struct session_ops *ops;
    const char *layout_path;     /* the layout that the user asked for */
    bool layout_asked;           /* a person asked for it by name, so the screen says at once if it does not fit */
    const char *layout_dir;      /* fallbacks (compact.yaml …) */
    const char *theme;           /* NULL: the layout's */
    const struct config *config; /* the user's preferences (layout/config.h); NULL: none */
    const char *config_path;     /* where :write-config writes them; NULL: nowhere */
    enum lang lang;
    bool ascii, color, mouse;
    /* Makes the list of scenarios (ui/door/door.h). NULL: there is none. It returns NULL, after a message on stderr, if that fails. */
    const struct door *(*door)(void *door_ctx);
    void *door_ctx;
    struct door_choice *choice; /* what was chosen there; then the screen has been left for it */
    /* Prepares a change, for which the screen is then left. Returns false, with the reason, if it cannot be done. NULL: there are no changes. */
    bool (*change)(void *ctx, enum ui_change what, const char *text, char *why, size_t size);
    void *change_ctx;
    struct ui_kept *kept;        /* NULL: none */
    const char *const *switches; /* the mechanisms that `disable` knows */
    int nswitches;
    struct lesson_after *after; /* NULL: a lesson offers nothing at its end */
    bool autoplay;              /* a lesson plays by itself, at this many words a minute: */
    unsigned wpm;
    struct tour_scene *tour; /* NULL: none */
    bool hint;               /* say what a few keys do until the first key */
    uint64_t at;             /* opens at this event, paused; 0: where the run begins */
    uint32_t select;         /* the tag of what is selected from the start (ui/panes/panes.h); 0: nothing */
    const char *picture;     /* a file for the picture of the first stop, or of the end; NULL: none */
    bool only_picture;       /* no terminal: it takes that picture of 120x40, or of what COLUMNS and LINES say, and ends */
    struct text subject[2];  /* of two runs: how the sentence about each begins ("With stealing, ") */
    bool all_counters;       /* of two runs: list all counters at first */
    bool linear;             /* sentences line by line instead of a full screen (ui/linear.c); it needs no terminal */
    bool dumb;               /* linear: because this terminal has no full screen */
    bool every_event;        /* linear: a lesson says each event, too, not only how many have passed */
    int *write_error;        /* linear: receives the errno of the first write to stdout that failed */
};

/* Runs the screen until q, a fatal signal or hang-up. Returns 0, or 129/130/143 by signal, or 2 when the terminal cannot be
 * used or the layout file is bad (message on stderr). The terminal is restored afterwards in any case. */
int ui_run(const struct ui_config *cfg);

#endif
