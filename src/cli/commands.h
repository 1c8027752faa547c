/* The subcommands, one file each, and what they share. A subcommand gets argv after its name and returns the exit code. */
#ifndef GMPSCOPE_CLI_COMMANDS_H
#define GMPSCOPE_CLI_COMMANDS_H

#include "base/text.h"
#include "engine/engine.h"
#include "model/query/query.h"
#include "cli/options.h"
#include "engine/signals.h"
#include "session/control.h"
#include "ui/input/ui_run.h"

/* A row of the table of commands (commands.def). */
struct command_row {
    const char *name, *usage, *what;
    unsigned bit; /* enum command_bit, 0: it has no options */
};
/* Returns the row with this number, from 0; NULL after the last. */
const struct command_row *command_row(size_t i);

/* Runs the command line without the program's name. Returns: the exit code. */
int dispatch(int argc, char **argv);

int cmd_check(int argc, char **argv);
int cmd_lint(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_explore(int argc, char **argv);
int cmd_claim(int argc, char **argv);
int cmd_query(int argc, char **argv);
int cmd_new(int argc, char **argv);
int cmd_lab(int argc, char **argv);
bool is_new_name(const char *s); /* letters, digits, _ and - */
/* Writes to a new file only. Returns 0 or an errno; then there is no such file, or it is as before. */
int write_new(const char *path, const char *text);
int cmd_import(int argc, char **argv);
int cmd_watch(int argc, char **argv);
int cmd_attach(int argc, char **argv);

/* From where a command with a screen is started. */
struct started_from {
    struct door_list **list; /* the list of scenarios (door_list.h), which the first screen makes; it has what is chosen to come next */
    const struct tour_look *look; /* of the tour whose scene it is; NULL: none */
};
int cmd_run(const struct started_from *from, int argc, char **argv);
int cmd_compare(const struct started_from *from, int argc, char **argv);
int cmd_lesson(const struct started_from *from, int argc, char **argv);
int cmd_replay(const struct started_from *from, int argc, char **argv);
int cmd_demo(const struct started_from *from, int argc, char **argv);
/* cmd_run.c: runs a scenario with these options. command: "run" or "lesson", for messages. */
int run_parsed(struct options *o, const char *command);

/* --- command.c: what commands share --- */

/* Prints the help of one command: the usage line, what it does, its options. Returns: 0. */
int command_help(const char *usage, const char *what, enum command_bit command);

/* Judges the settings of a scenario's `compare`, so that lint and each command that loads a scenario report what `compare` would refuse. */
extern const struct scenario_settings compare_settings;
/* Loads a scenario by FILE|NAME, and fixes what --vary names. Returns: NULL, with its mistakes on stderr, if the command must exit with 2. */
struct scenario *command_scenario(struct options *o, const char *arg);
/* Fixes what --vary names in the scenario. Returns: false, with the reason in err. */
bool command_fix(struct scenario *sc, const struct options *o, char *err, size_t size);
/* Returns true if the generation of the run has all that the scenario and the options use; otherwise reports it on stderr. */
bool command_fits(const struct scenario *sc, const struct options *o);
/* Resolves the names of programs in --break, which are known only once the scenario is loaded. Returns: false after an error message. */
bool command_binds(const struct scenario *sc, struct options *o);
/* Like command_fits(), for generation gen and without output. If the result is false, `why` has the first thing that gen lacks; *lacks: memory
 * ran out for that. */
bool command_is_for(const struct scenario *sc, const struct options *o, enum rt_generation gen, bool *lacks, char *why, size_t size);
/* Returns the generation of the run: the option's, otherwise the scenario's. */
enum rt_generation command_generation(const struct scenario *sc, const struct options *o);
/* Compiles a query for runs of this scenario, whose numbers are drawn, in the arena; query_fini() frees the rest. Returns: NULL, with *err, which
 * is NULL if memory ran out, and its place. */
struct query *query_of(const struct scenario *drawn, struct arena *a, const char *text, const char **err, size_t *pos);
/* Compiles a query for runs of this scenario, in the arena of o; query_fini() frees the rest. Returns: NULL after an error message, which begins
 * with `of`. */
struct query *command_query(const struct scenario *sc, struct options *o, const char *of, const char *text);
/* Returns the path of the layout to start with, for a Go program (sc; NULL: not known yet) the one with its source; NULL, with its mistakes on stderr, if the command must exit with 2. *program: it has the pane
 * that shows where Gs are in their programs. */
const char *command_layout(struct arena *a, const struct scenario *sc, const struct options *o, bool *program);
/* Returns the configuration of an engine: the scenario's settings, overridden by the options. */
struct engine_config command_engine(const struct scenario *sc, const struct options *o);
/* Has the scenario a lesson? If not, says so. */
bool command_has_lesson(const struct scenario *sc);
/* Returns the configuration of a session. The scenario and the options must outlive the session. */
struct session_config command_session(const struct scenario *sc, const struct options *o);
/* Returns what each screen takes from its options. dir: of the layouts. */
struct ui_config command_ui(const struct options *o, const char *layout, const char *dir);

/* A scene of the tour, and the options of the tour, from which it takes how the screen looks. */
struct tour_look {
    struct tour_scene *tour;
    const struct options *from;
};
/* Sets what o has besides options: from where its command is started. */
void command_started(struct options *o, const struct started_from *from);
/* Writes the names of mechanisms as --disable takes them. Returns: NULL if memory ran out. */
const char *command_switches(struct arena *a, uint32_t bits);
/* Sets the default limits of runs without a screen where the options set none. */
void command_headless_limits(struct engine_config *c, const struct options *o);
/* Returns the worse of two runs' exit codes; from worst to best: 4, 2, 1, 3, 0. */
int command_worse(int a, int b);

/* output.c. Call output_begin() before anything is written. */
void output_begin(void);
/* Flushes stdout at the end. error: errno of an earlier failed write, 0 if there was none. Returns: code, or 2 after an error message
 * if code is 0 and some output did not arrive. */
int output_finish(int code, int error);

/* Runs a scenario as the options say, or replays it: checks the options, and shows the run or prints it. Returns: the exit code. */
int run_loaded(struct scenario *sc, struct options *o);

/* --- recording.c: run files */
/* Opens a run file (the word `nth` of the command line): returns its scenario, which the caller frees, and reads its settings and the command line into
 * o. asked: what the command line alone says; it must outlive o. Returns: NULL after an error message. */
struct scenario *command_recording(struct options *asked, int nth, enum command_bit command, int argc, char **argv, struct options *o);
/* Starts to record a run (engine_record). Returns: false, with the reason in err. */
struct record_asked {
    const char *path;
    bool replace; /* a file that is no recording, too */
    enum lang lang;
};
bool command_record(struct engine *e, const struct options *o, const struct record_asked *asked, char *err, size_t size);
/* The same, as session_config.record. */
bool command_record_session(const struct session_config *c, struct engine *e, const char *path, bool replace, enum lang lang, char *err,
                            size_t size);
/* Returns false, after an error message, if e plays a recording that lacks some of these (enum reads). */
bool command_recorded(const struct engine *e, const struct options *o, unsigned needs);
/* Ends the recording, if there is one. Returns: code, or 2 after an error message if code is 0 and the recording is not complete. */
int command_record_end(struct engine *e, int code);

/* headless.c: one run without a screen. */
int run_headless(const struct scenario *sc, const struct options *o);
/* live.c: one run with a screen. What is chosen there to come next is in *o->list. */
int run_live(const struct scenario *sc, const struct options *o);
/* Writes the picture of the first stop, or of the end, of a run without a terminal. Returns: 0, or 2 after a message. */
int run_picture(const struct scenario *sc, const struct options *o);
/* live_pair.c: runs two scenarios in lockstep, on one screen and one scenario clock; settings: the text of each side's settings, for people. */
struct pair_look {
    const char *settings[2]; /* in which each run differs, as the user wrote them */
    const char *note;        /* what the screen says first; NULL: nothing */
    struct text subject[2];  /* how the sentence about each begins */
};
int run_pair(const struct scenario *const *sc, const struct options *const *o, const struct pair_look *look);

#endif
