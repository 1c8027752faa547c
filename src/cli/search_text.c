/* See search_text.h. */
#include "cli/search_text.h"

static const struct text table[SEARCH_TEXTS] = {
#define SAY(id, ...) [ST_##id] = {{__VA_ARGS__}},
#include "cli/search_texts.def"
#undef SAY
};

const char *search_text(enum search_text id, enum lang lang)
{
    return text_in(&table[id], lang);
}

const char *search_format(enum search_text id, const char *like, enum lang lang)
{
    (void)like;
    return search_text(id, lang);
}
