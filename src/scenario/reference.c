/* The reference of the scenario language, as a table (reference.def). */
#include "scenario/scenario.h"

static const struct reference_entry table[] = {
#define ENTRY(part, key, form, text, example) {REFERENCE_##part, key, form, text, example},
#include "scenario/reference.def"
};

const struct reference_entry *scenario_reference(size_t i)
{
    return i < sizeof table / sizeof *table ? &table[i] : NULL;
}
