/* The texts of searches and checks, in the languages (search_texts.def). */
#ifndef GMPSCOPE_CLI_SEARCH_TEXT_H
#define GMPSCOPE_CLI_SEARCH_TEXT_H

#include "base/text.h"
#include <inttypes.h>

enum search_text {
#define SAY(id, ...) ST_##id,
#include "cli/search_texts.def"
#undef SAY
    SEARCH_TEXTS
};
const char *search_text(enum search_text id, enum lang lang);
/* The same as a format. like: its conversions, against which the compiler checks the values. */
const char *search_format(enum search_text id, const char *like, enum lang lang) __attribute__((format_arg(2)));

#endif
