/* The subcommands, one file each. They get argv after their name and return the exit code. */
#ifndef GMPSCOPE_CLI_COMMANDS_H
#define GMPSCOPE_CLI_COMMANDS_H

#include "base/text.h"
#include "engine/engine.h"
#include "cli/options.h"
#include "engine/signals.h"
#include "session/control.h"

/* A row of the table of commands. */
struct command_row {
    const char *name, *usage, *what;
    unsigned bit;                             /* enum command_bit, 0: it has no options */
    int (*run)(int argc, char **argv);        /* NULL: not built yet */
};
/* Returns the row with this number, from 0; NULL after the last. */
const struct command_row *command_row(size_t i);

/* The whole command line without the program's name. */
int dispatch(int argc, char **argv);

int cmd_run(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_lint(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_explore(int argc, char **argv);
int cmd_compare(int argc, char **argv);

/* COMMAND --help: the usage line, what it does, its options. Returns 0. */
int command_help(const char *usage, const char *what, enum command_bit command);

/* A scenario by FILE|NAME, its mistakes told on stderr; NULL: exit with 2. */
struct scenario *command_scenario(struct arena *a, const char *arg);
/* Does the generation that the options ask for have all that the scenario and they use? False: told on stderr. */
bool command_fits(const struct scenario *sc, const struct options *o);
/* Programs are named in --break, and known only with the scenario. False: told on stderr. */
bool command_binds(const struct scenario *sc, struct options *o);
/* The same for one generation, without a word on stderr; false: `why` has the first thing that it lacks. */
bool command_is_for(const struct scenario *sc, const struct options *o, enum rt_generation gen, char *why, size_t size);
/* Whose rules a run has: the options', else the scenario's. */
enum rt_generation command_generation(const struct scenario *sc, const struct options *o);
/* The path of the layout that the options ask for, its mistakes told on stderr; NULL: exit with 2. */
const char *command_layout(struct arena *a, const struct options *o);
/* The scenario's settings with the options' over them, for an engine. */
struct engine_config command_engine(const struct scenario *sc, const struct options *o);
/* The same for a session. The scenario and the options must outlive it. */
struct session_config command_session(const struct scenario *sc, const struct options *o);

/* Where the options set none: the limits of runs without a screen. */
void command_headless_limits(struct engine_config *c, const struct options *o);
/* The exit code of two runs: 4 outranks 1, 1 outranks 3. */
int command_worse(int a, int b);

/* output.c: before anything is written; and at the end: is all of stdout where it should be? error: errno of a write that has
 * failed before, 0 if none. Returns code, or 2 (told) where code is 0 and something is missing. */
void output_begin(void);
int output_finish(int code, int error);

/* headless.c: one run without a screen. */
int run_headless(const struct scenario *sc, const struct options *o);
/* live.c: one run with a screen. */
int run_live(const struct scenario *sc, const struct options *o);
/* Two runs on one screen and one scenario clock, in lockstep; told: the settings of each, for people. */
int run_pair(const struct scenario *const *sc, const struct options *const *o, const char *const *told);

#endif
