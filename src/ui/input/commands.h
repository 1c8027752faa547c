/* The command line's commands, in a table that dispatch, completion and the help screen use. */
#ifndef GMPSCOPE_UI_INPUT_COMMANDS_H
#define GMPSCOPE_UI_INPUT_COMMANDS_H

#include "ui/input/ui_run.h"
#include "ui/text/texts.h"
#include <stdbool.h>

struct ui;

enum command_takes {
    TAKES_NOTHING,
    TAKES_PATTERN,
    TAKES_LAYOUT,
    TAKES_THEME,
    TAKES_MODE,
    TAKES_MARK,
    TAKES_SETTING,
    TAKES_LANGUAGE,
    TAKES_PANE,
    TAKES_SPLIT,
    TAKES_GENERATION,
    TAKES_SWITCHES,
    TAKES_RUN_SETTING,
    TAKES_OTHER
};

struct command {
    const char *name, *args; /* args: as the help shows it, "" for none */
    enum command_takes takes;
    enum text_id help;
    /* Carries the command out. `arg`: what follows the name, without blanks around it. Returns false if it failed and the prompt shows
     * why. */
    bool (*fn)(struct ui *u, const char *arg);
    enum text_id for_one; /* why it does nothing while two runs are compared; TX_NONE: it works for both */
    bool of_screen;       /* it changes the full screen only, so it does not exist without one */
};
extern const struct command commands[];
extern const int ncommands;
/* A word for a command that is not a beginning of its name (synonyms.c). */
struct synonym {
    const char *word, *name;
};
extern const struct synonym synonyms[];
extern const int nsynonyms;
/* Returns the name of the command that people mean by the word; NULL: it is no synonym. */
const char *command_meant(const char *word);
/* False: the command needs a full screen, and there is none. */
bool command_exists(const struct ui *u, const struct command *c);

/* argument.c. Returns true if s is a number in digits. */
bool command_number(const char *s, uint64_t *n);
/* Report a mistake `at` bytes into the argument, or an unknown name with the nearest one, else with some of all names. Return false. */
bool command_fail(struct ui *u, int at, const char *what);
bool command_fail_name(struct ui *u, enum text_id what, const char *arg, const char *const *names, size_t n);

/* settings.c: one setting each. Return false if the prompt shows why not. */
bool setting_theme(struct ui *u, const char *arg);
bool setting_layout(struct ui *u, const char *arg);
bool setting_language(struct ui *u, const char *arg);
bool setting_tempo(struct ui *u, const char *arg);
/* :set NAME VALUE, and what its value may be: TAKES_OTHER if there is no such setting. */
bool setting_set(struct ui *u, const char *arg);
enum command_takes setting_takes(const char *name, size_t len);
const char *setting_name(int i); /* of preferences, then of settings of the run; NULL after the last */
enum text_id setting_help(int i);
bool setting_seed(struct ui *u, const char *arg);
/* Asks for a change and leaves the screen for it. */
bool setting_change(struct ui *u, enum ui_change what, const char *text);
bool setting_write(struct ui *u, const char *arg);

/* edit_layout.c: the layout of the screen. Return false if the prompt shows why not. */
bool layout_do_split(struct ui *u, const char *arg);
bool layout_do_pane(struct ui *u, const char *arg);
bool layout_do_resize(struct ui *u, const char *arg);
bool layout_do_write(struct ui *u, const char *arg);

/* take_out.c: the line to share, a picture in a file, a text for the clipboard. Return false if the prompt shows why not. */
bool take_share(struct ui *u, const char *arg);
bool take_record(struct ui *u, const char *arg);
bool take_picture(struct ui *u, const char *arg);
bool take_copy(struct ui *u, const char *arg);
/* Returns true if a picture of the frame that was just drawn is wanted. take_picture_now() writes it, and notes the result. Returns: 0, or
 * an errno. */
bool take_picture_due(const struct ui *u);
int take_picture_now(struct ui *u);
/* Does what the command line says about the beginning: the event to open at, the selection, the picture. */
void take_begin(struct ui *u);

/* Carries out the line of the prompt, which closes unless there is a mistake in it. */
void command_run(struct ui *u);
/* Returns the command with that name, or else the first that begins with it; NULL: there is none. */
const struct command *command_find(const char *name, size_t len);

#endif
