/* The front door: the list of scenarios, and what is chosen there. It is made when it is first opened. */
#ifndef GMPSCOPE_CLI_DOOR_LIST_H
#define GMPSCOPE_CLI_DOOR_LIST_H

#include "cli/capture.h"
#include "cli/options.h"
#include "scenario/scenario.h"
#include "ui/door/door.h"
#include "ui/input/ui_run.h"

struct door_list;
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
struct door_list *door_list_new(const struct options *from);
/* Returns the list of the run that has these options; it is made if this run has the first screen. NULL: memory ran out; reported. */
struct door_list *door_list_of(const struct options *o);
void door_list_free(struct door_list *f);
/* The list comes next. */
void door_list_open(struct door_list *f);
/* Finishes *n, which ended with *code, and makes the next one: what was chosen, on the list of scenarios, which is shown for it, or over the run.
 * Returns: false, with the exit code, if nothing comes next. */
bool door_list_next(struct door_list *f, struct next_command *n, int *code);
/* Was something chosen? Then the screen has been left for it. */
bool door_list_chosen(const struct door_list *f);
/* Around a command in the midst of another one: adds the options that every command gets; keeps its messages. */
void door_list_begin(struct door_list *f, struct next_command *n);
void door_list_end(struct door_list *f, struct next_command *n, int code);
/* Returns what the last command had to say; "": nothing. */
const char *door_list_note(const struct door_list *f);
/* Tells the screen of a run how to open the list. */
void door_list_lend(struct door_list *f, struct ui_config *ui);
/* Carries out next what was chosen at the end of a lesson, if anything: door_list_chosen() is true then. */
void door_list_go_on(struct door_list *f, const struct scenario *sc, const struct lesson_after *after);
/* Returns the path that lessons are played along; PATHS: none. */
enum scenario_path door_list_path(const struct door_list *f);
/* Remembers the score of a shipped lesson that was played to its end. */
void door_list_played(const struct scenario *sc, const struct lesson_after *after);
/* Remembers a scenario that is run with a screen. */
void door_list_ran(const struct scenario *sc);

#endif
