/* The command line's commands: one table makes dispatch, completion and the help screen. */
#ifndef GMPSCOPE_UI_INPUT_COMMANDS_H
#define GMPSCOPE_UI_INPUT_COMMANDS_H

#include "session/session.h"
#include "ui/texts.h"
#include <stdbool.h>

struct ui;

enum command_takes { TAKES_NOTHING, TAKES_PATTERN, TAKES_LAYOUT, TAKES_THEME, TAKES_MODE, TAKES_MARK, TAKES_OTHER };

struct command {
    const char *name, *args;      /* args: as the help shows it, "" for none */
    enum command_takes takes;
    enum text_id help;
    /* Does it. `arg`: what follows the name, without blanks around. False: command_fail() has said why. */
    bool (*fn)(struct ui *u, const char *arg);
    enum text_id for_one;         /* where two runs are compared: why not; TX_NONE: it is for them too */
};
extern const struct command commands[];
extern const int ncommands;

/* Carries out the line of the prompt, which closes unless there is a mistake in it. */
void command_run(struct ui *u);
/* Completes the word at the prompt's cursor. */
void command_complete(struct ui *u);

/* Shown on the last row until the next key, or for some seconds. */
void ui_note(struct ui *u, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- what keys and commands share */
/* Two runs are compared, and this (key.for_one, command.for_one) is for one: that is said. */
bool ui_for_one(struct ui *u, enum text_id why);
/* Nothing goes on any more (where two runs are compared, in neither): that is said. */
bool ui_over(struct ui *u);
/* Pauses first, where it goes on. */
void ui_step(struct ui *u, enum step_kind kind, uint32_t n);
/* On to the next match: through the past where it is looked at, then by running. wrong may be NULL (a key's pattern is right). */
bool ui_advance(struct ui *u, const char *pattern, struct session_mistake *wrong);
void ui_round_on(struct ui *u, uint32_t p);
bool ui_until_g(struct ui *u, uint32_t g, struct session_mistake *wrong); /* until it runs */
void ui_search(struct ui *u, int step);         /* the current pattern, forwards or backwards */
void ui_restart(struct ui *u, uint64_t seed);
void ui_next_layout(struct ui *u);
void ui_next_theme(struct ui *u);

#endif
