/* The verbs of operations, the modifiers that each may have, and the lists of operations inside of one. */
#include "base/yaml/yaml.h"
#include "scenario/schema.h"

#include <string.h>

const struct verb scenario_verbs[] = {
#define VERB(verb, names, compile, write, go, ...) {#verb, {__VA_ARGS__}},
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

bool verb_modifies(const struct ynode *operation, const struct verb *v)
{
    for (size_t i = 0; i < operation->n; i++) {
        const struct verb *other = verb_find(operation->item[2 * i]->text);
        if (other && other != v && verb_takes(other, v->key))
            return true;
    }
    return false;
}

const struct verb *verb_of(const struct ynode *operation)
{
    for (size_t i = 0; i < operation->n; i++) {
        const struct verb *v = verb_find(operation->item[2 * i]->text);
        if (v && !verb_modifies(operation, v))
            return v;
    }
    return NULL;
}

const char *yop_as(const struct yop *y)
{
    return y->after && y->go ? NULL : y->as;
}

bool yop_inside(const struct yop *y, const struct ynode *node, unsigned nth, struct yops *out)
{
    const struct yops list[] = {
        {y->do_, y->do__count, "do", NULL},
        {y->select, y->select_count, "select", NULL},
        {y->default_, y->default__count, "default", NULL},
        {y->then, y->then_count, "then", NULL},
        {y->else_, y->else__count, "else", NULL},
        {y->defer, y->defer_count, "defer", NULL}};
    if (nth >= sizeof list / sizeof *list)
        return false;
    *out = list[nth];
    out->list = node ? yaml_get(node, out->key) : NULL;
    return true;
}
