/* The command line's commands, in a table that dispatch, completion and the help screen use. */
#ifndef GMPSCOPE_UI_INPUT_COMMANDS_H
#define GMPSCOPE_UI_INPUT_COMMANDS_H

#include "ui/text/texts.h"
#include <stdbool.h>

struct ui;

enum command_takes { TAKES_NOTHING, TAKES_PATTERN, TAKES_LAYOUT, TAKES_THEME, TAKES_MODE, TAKES_MARK, TAKES_OTHER };

struct command {
    const char *name, *args; /* args: as the help shows it, "" for none */
    enum command_takes takes;
    enum text_id help;
    /* Carries the command out. `arg`: what follows the name, without blanks around it. Returns false if it failed and the prompt shows
     * why. */
    bool (*fn)(struct ui *u, const char *arg);
    enum text_id for_one; /* why it does nothing while two runs are compared; TX_NONE: it works for both */
};
extern const struct command commands[];
extern const int ncommands;

/* Carries out the line of the prompt, which closes unless there is a mistake in it. */
void command_run(struct ui *u);
/* Completes the word at the prompt's cursor. */
void command_complete(struct ui *u);

#endif
