/* The texts of pattern_texts.def. */
#include "model/query/pattern.h"

const char *pattern_text(enum lang lang, enum pattern_text_id id)
{
    static const struct text table[PATTERN_TEXTS] = {
#define SAY(id, ...) [PATTERN_##id] = {{__VA_ARGS__}},
#include "model/query/pattern_texts.def"
#undef SAY
    };
    return text_in(&table[id], lang);
}
