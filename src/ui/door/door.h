/* The front door: the list of scenarios, with a picture of each. It has the terminal alone, or borrows the screen of a run. */
#ifndef GMPSCOPE_UI_DOOR_DOOR_H
#define GMPSCOPE_UI_DOOR_DOOR_H

#include "session/session.h"
#include "ui/input/prompt.h"
#include "ui/term/screen.h"
#include "ui/text/texts.h"

struct door_entry {
    const char *name; /* as `run` takes it */
    struct text title, summary, watch;
    int topic; /* index into door.topic; -1: it is in no topic, only among the recent ones */
    bool lesson, broken;
    const char *generation;
    uint32_t procs;   /* 0: the generation has no P */
    const char *next; /* NULL: none */
    bool played;      /* its lesson was played to the end, at best with this score: */
    unsigned right, asked;
};

/* A path through the lessons. */
struct door_path {
    struct text title;
    const int *entry; /* `n` entries, in the order of the path */
    int n;
};

/* A stopped run of a scenario. */
struct door_picture {
    const struct model *md;
    struct session_status st;
    struct session_event ev; /* the last one; number 0: there is none */
};

enum door_does { DOOR_LEAVE, DOOR_RUN, DOOR_LESSON, DOOR_COMPARE, DOOR_EDIT };
struct door_choice {
    enum door_does does;
    int entry, other;            /* other: DOOR_COMPARE; the same entry, with `settings` */
    char settings[PROMPT_BYTES]; /* of the right run */
    int signal;                  /* DOOR_LEAVE: 128 + the signal that asked for it, 0: a key did */
};

struct door {
    const struct door_entry *entry; /* by topic, in order */
    int n;
    const struct text *topic;
    const int *recent; /* entries, newest first */
    int nrecent, at;   /* at: the entry to begin with */
    const struct door_path *path;
    int npaths, on_path; /* on_path: the path that is shown; npaths: none, all scenarios are */
    void (*path_chosen)(void *path_ctx, int path);
    void *path_ctx;
    bool hint;         /* show the hint for a first visit */
    const char *theme; /* NULL: that of the screen */
    const char *note;  /* why the last choice failed; NULL or empty: it did not */
    enum lang lang;
    struct screen_config screen;
    /* Asks for the picture of an entry. NULL: it is not ready; wake_fd says when. It is valid until the next call. */
    const struct door_picture *(*picture)(void *ctx, int entry);
    void *ctx;
    int wake_fd;
};

/* Takes the terminal for the list alone. Returns false, after a message on stderr, if that cannot be done. */
bool door_run(const struct door *d, struct door_choice *out);
/* Shows the list on a screen that is open already. */
void door_visit(const struct door *d, struct screen *s, int signal_fd, struct door_choice *out);

struct door_key {
    uint32_t code, also;
    const char *name;
    enum text_id help, label; /* label TX_NONE: not on the key line */
};
/* Returns the key with this number, from 0, for lists of keys; NULL after the last. */
const struct door_key *door_key(int i);

#endif
