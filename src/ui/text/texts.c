/* The texts of the screen, from texts.def. */
#include "ui/text/texts.h"

static const struct text table[TEXTS] = {
#define TEXT(id, ...) [TX_##id] = {{__VA_ARGS__}},
#include "ui/text/texts.def"
#undef TEXT
};

const char *tx(enum lang lang, enum text_id id)
{
    return text_in(&table[id], lang);
}
