/* The options of all commands. One table (options.c) generates the parser, --help and the messages. */
#ifndef GMPSCOPE_CLI_OPTIONS_H
#define GMPSCOPE_CLI_OPTIONS_H

#include "base/arena.h"
#include "base/text.h"
#include "layout/config.h"
#include "runtime/runtime.h"
#include "engine/breaks.h"
#include "engine/recorder.h"
#include "model/query/pattern.h"
#include "scenario/scenario.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum command_bit {
    CMD_RUN = 1,
    CMD_CHECK = 2,
    CMD_LINT = 4,
    CMD_LIST = 8,
    CMD_EXPORT = 16,
    CMD_EXPLORE = 32,
    CMD_COMPARE = 64,
    CMD_SIDE = 128,
    CMD_QUERY = 256,
    CMD_LESSON = 512,
    CMD_NEW = 1024,
    CMD_SET = 2048,
    CMD_DEMO = 4096,
    CMD_REPLAY = 8192,
    CMD_RECORDED = 16384,
    CMD_ASKED = 32768,
    CMD_CLAIM = 65536,
    CMD_IMPORT = 131072,
    CMD_EXPORT_RUN = 262144,
    CMD_EXPORT_FILE = 524288,
    CMD_WATCH = 1048576,
    CMD_ATTACH = 2097152
}; /* CMD_SIDE: compare, may differ between the sides; CMD_SET: `:set` changes it; CMD_RECORDED: a recording has it; CMD_ASKED: query, of a
    * recording; CMD_EXPORT_RUN, CMD_EXPORT_FILE: export, of what happens in a run or in a recording; CMD_EXPORT: of the scenario itself */

#define OPTIONS_SETTINGS 64 /* compare: the largest number of --left, and of --right */

#define OPTIONS_VARY 16 /* the largest number of --vary */

struct options {
    struct arena arena;
    bool help;
    bool has_mode, has_seed, has_seeds, has_lang;
    bool has_generation, all_generations, has_boot, has_module;
    enum rt_generation generation, module;
    enum run_boot boot;
    enum conductor_mode mode;
    uint64_t seed, seeds, max_events, failures;    /* max_events, failures 0: not given */
    uint64_t history, memory;                      /* bytes; memory 0: not given */
    uint32_t procs, pauses, disable, enable, jobs; /* procs, jobs 0: not given */
    uint32_t part, of;                             /* --shard; 1 of 1 without it */
    struct tempo tempo;                            /* rate 0: not given */
    bool tempo_asked;                              /* by --tempo */
    struct speed speed;                            /* num 0: not given */
    int64_t limit, wall;                           /* -1: not given */
    const char *layout, *theme, *format, *tally;   /* layout, theme NULL: not given */
    uint64_t at;                                   /* --at; 0: not given */
    uint32_t select;                               /* --select, as a tag of the screen; 0: not given */
    const char *picture, *output;                  /* NULL: not given */
    int go;                                        /* --go: the minor version of Go whose form is asked for; 0: not given */
    const char *only, *from, *to;                  /* --only, --from, --to; NULL: not given */
    const char *record;                            /* --record; NULL: not given */
    const struct gmpscope_policy *policy;          /* --policy; NULL: none */
    const char *policy_path;                       /* of its file, absolute; NULL: not given */
    const char *junit;                             /* --junit; NULL: not given */
    const char *recording;                         /* not an option; the run file that is replayed, NULL: the run is live */
    const char *cut;                               /* how far that file reaches, if it was cut; else NULL */
    struct recorded_how recorded;                  /* not an option; of that file */
    struct config config;                          /* the user's preferences; they are in the fields above where no option is given */
    const char *config_path;                       /* NULL: none */
    struct choices choices;
    struct break_at breaks[BREAKS_LISTED];
    uint32_t nbreaks;
    const char *vary[OPTIONS_VARY];
    uint32_t nvary;
    const char *settings[2][OPTIONS_SETTINGS]; /* compare: the values of --left and --right */
    uint32_t nsettings[2];
    enum lang lang;
    bool fine, coarse, strict;
    bool has_stalls;
    uint32_t stalls;
    enum run_way way;
    struct door_list **list; /* not an option: from where the run was started (cli/commands.h) */
    bool other_has_p;        /* not an option; set by compare when the other run's generation has Ps */
    bool topics, generations;
    bool has_path;
    enum scenario_path path; /* PATHS: all paths (--path none) */
    bool by_rule;            /* explore --tally: which rule changes the values */
    bool first, all;         /* compare: go to where the runs part; list all counters (explore: failures) */
    bool has_layout;         /* layout is not only a preference or a default */
    uint32_t wpm;            /* words a minute */
    bool autoplay, tour;
    struct tour_scene *tour_scene; /* not options; the run is a scene of the tour, and looks like it */
    const struct tour_look *tour_look;
    bool calm, still, exhaust, every_order, shrink; /* exhaust implies still and coarse */
    bool weak;                                      /* claim: an answer that proves nothing is fine */
    bool follow;                                    /* import: the file goes on growing */
    bool headless, json, events, narrate, audit, lesson, lessons, everywhere, shard, merge;
    bool no_stop;                           /* attach: read without stopping */
    bool ascii, no_color, no_mouse, linear; /* how the screen looks */
    bool dumb;                              /* linear, because TERM names a terminal without a full screen */
    const char *test;                       /* --test; NULL: not given */
    const char **args;                      /* the words that are not options */
    const char **program_args;              /* those after `--`, for a Go program: they are behind args */
    int nargs, nprogram_args;
};

/* Sets what a command line without options gives. */
void options_default(struct options *o);
/* Parses argv[0..argc), which does not include the command's name. Returns: false after an error message. The caller always calls
 * options_fini() afterwards. */
bool options_parse(struct options *o, enum command_bit command, int argc, char **argv);
/* Adds settings such as "disable=stealing procs=4" to o; `of` is the option that has them ("left", "right"). Returns: false after an
 * error message. */
bool options_settings(struct options *o, const char *of, const char *settings);
/* Adds one such setting to o. Returns: NULL, or the reason why it is wrong, in o->arena; NULL with o->arena.lacking: memory ran out. */
const char *options_setting(struct options *o, const char *word);
/* Fills in what no option gives (preferences.c). Returns: false after a message if the machine lacks something. */
bool options_prefer(struct options *o, enum command_bit command);
/* Reads preferences into o->config. Mistakes are in d, and the settings that have one are left out. Returns: false if the machine lacks memory or
 * descriptors. */
bool options_config(struct options *o, const char *path, struct diag *d);
/* Changes one setting of a run, such as "procs=4"; the table marks those with CMD_SET. Returns: false after an error message. */
bool options_change(struct options *o, const char *setting);
/* Checks the rules that involve more than one option; call it again after options_settings(). Returns: false after an error message. */
bool options_agree(const struct options *o, enum command_bit command);
/* The rules of these that are about the settings of one run. Returns: NULL, or the rule that they break. */
const char *options_clash(const struct options *o);
void options_fini(struct options *o);
bool options_no_color(const struct options *o); /* --no-color, or NO_COLOR in the environment */
/* A row of the table of options, for the manual. */
struct option_row {
    const char *name, *value, *help;
    unsigned commands;
}; /* value NULL: a switch; commands: enum command_bit */
/* Sets *out to the row with this number, from 0. Returns: false after the last. */
bool options_row(size_t i, struct option_row *out);
/* Prints the help lines of a command's options. */
void options_help(enum command_bit command, FILE *out);

#endif
