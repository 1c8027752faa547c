/* The verbs of operations and the modifiers that each may have. */
#include "scenario/schema.h"

#include <string.h>

const struct verb scenario_verbs[] = {
#define VERB(key, compile, ...) {key, {__VA_ARGS__}},
#include "scenario/ops.def"
};

const struct verb *verb_find(const char *key)
{
    for (size_t i = 0; i < sizeof scenario_verbs / sizeof *scenario_verbs; i++)
        if (!strcmp(scenario_verbs[i].key, key))
            return &scenario_verbs[i];
    return NULL;
}

bool verb_takes(const struct verb *v, const char *key)
{
    if (!strcmp(v->key, key))
        return true;
    for (int i = 0; i < VERB_MODS && v->mod[i]; i++)
        if (!strcmp(v->mod[i], key))
            return true;
    return false;
}
