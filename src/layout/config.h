/* The preferences of a user for all runs: $XDG_CONFIG_HOME/gmpscope/config.yaml. Options and the environment outrank it. */
#ifndef GMPSCOPE_LAYOUT_CONFIG_H
#define GMPSCOPE_LAYOUT_CONFIG_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/tempo.h"
#include "base/text.h"

#include <stdint.h>

/* The settings: name, values, what it is. Config files, :set and the manual use this table. */
#define CONFIG_SETTINGS(X) \
    X(theme, "NAME", "colours of the screen") \
    X(layout, "NAME", "arrangement of the screen; in the file also the path of a layout file") \
    X(language, "en|zh", "language of the screen") \
    X(tempo, TEMPO_VALUES, "speed in lockstep: auto stays on events that matter; T: events per second")
enum config_setting {
#define X(name, values, help) CONFIG_##name,
    CONFIG_SETTINGS(X)
#undef X
        CONFIG_SETTINGS_COUNT
};
struct config_row {
    const char *name, *values, *help;
};
extern const struct config_row config_row[CONFIG_SETTINGS_COUNT];

enum { CONFIG_KEYS_MAX = 64 };
struct config_key {
    const char *press, *as; /* names as in the help */
    uint32_t from, to;      /* their codes */
};
struct config {
    const char *theme, *layout;          /* NULL: not given */
    unsigned layout_line, layout_column; /* its place in the file */
    bool has_language;
    enum lang language;
    struct tempo tempo; /* rate 0: not given */
    struct config_key key[CONFIG_KEYS_MAX];
    int nkeys;
    const char *mistake; /* the first mistake of the file, with its place, for the screen; NULL: none */
};

/* Returns the path of the file in the arena, or NULL if the environment names no folder for it. */
const char *config_path(struct arena *a);
/* Reads the file into *c, with strings in the arena. `code_of` gives the code of a key by its name. A file that does not exist gives nothing.
 * Mistakes are in d, and the settings that have one are left out. Returns false if the machine lacks memory or descriptors. */
bool config_load(struct arena *a, const char *path, bool (*code_of)(const char *name, uint32_t *code), struct config *c, struct diag *d);
/* Replaces the file, and makes its folders. Returns 0, or an errno. */
int config_write(const char *path, const struct config *c);

#endif
