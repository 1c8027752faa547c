/* A row of the table of options, for the parser. */
#ifndef GMPSCOPE_CLI_OPTIONS_TABLE_H
#define GMPSCOPE_CLI_OPTIONS_TABLE_H

#include "cli/options.h"

struct option_def {
    const char *name, *value; /* value NULL: a switch */
    unsigned commands;        /* enum command_bit */
    const char *help;
    /* Sets the switch or reads the value. Returns: NULL, or the reason why the value is wrong (in o->arena or static). */
    const char *(*read)(struct options *o, const char *value);
};

/* Returns the option with this name that one of these commands takes, or NULL. */
const struct option_def *option_find(const char *name, size_t len, enum command_bit command);
/* Returns the nearest name that the command takes, with the dashes before it, or NULL. */
const char *option_nearest(struct options *o, const char *word, const char *dashes, enum command_bit command);

#endif
