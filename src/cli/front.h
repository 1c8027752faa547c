/* The front door: the list of scenarios, and what is chosen there. It is made when it is first opened. */
#ifndef GMPSCOPE_CLI_FRONT_H
#define GMPSCOPE_CLI_FRONT_H

#include "cli/capture.h"
#include "cli/options.h"
#include "scenario/scenario.h"
#include "ui/door/door.h"
#include "ui/input/ui_run.h"

struct front;
enum { NEXT_WORDS = 40 + 2 * OPTIONS_VARY };

/* The command that comes next, with its own name first. */
struct next_command {
    struct arena arena; /* of the words */
    char *argv[NEXT_WORDS + 1];
    int argc;
    bool captured; /* its messages go to the list, which is shown after it */
    struct capture capture;
};
/* Adds a word, and its value if there is one, if they are given. */
void next_add(struct next_command *n, bool given, const char *option, const char *value);

/* from: the options of the run over which the list may be opened. Returns NULL if memory ran out; reported. */
struct front *front_new(const struct options *from);
/* Returns the list of the run that has these options; it is made if this run has the first screen. NULL: memory ran out; reported. */
struct front *front_of(const struct options *o);
void front_free(struct front *f);
/* The list comes next. */
void front_open(struct front *f);
/* Finishes *n, which ended with *code, and makes the next one: what was chosen, on the list of scenarios, which is shown for it, or over the run.
 * Returns: false, with the exit code, if nothing comes next. */
bool front_next(struct front *f, struct next_command *n, int *code);
/* Was something chosen? Then the screen has been left for it. */
bool front_chosen(const struct front *f);
/* Around a command in the midst of another one: adds the options that every command gets; keeps its messages. */
void front_begin(struct front *f, struct next_command *n);
void front_end(struct front *f, struct next_command *n, int code);
/* Returns what the last command had to say; "": nothing. */
const char *front_note(const struct front *f);
/* Tells the screen of a run how to open the list. */
void front_lend(struct front *f, struct ui_config *ui);
/* Carries out next what was chosen at the end of a lesson, if anything: front_chosen() is true then. */
void front_go_on(struct front *f, const struct scenario *sc, const struct lesson_after *after);
/* Returns the path that lessons are played along; PATHS: none. */
enum scenario_path front_path(const struct front *f);
/* Remembers the score of a shipped lesson that was played to its end. */
void front_played(const struct scenario *sc, const struct lesson_after *after);
/* Remembers a scenario that is run with a screen. */
void front_ran(const struct scenario *sc);

#endif
