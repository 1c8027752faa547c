/* The texts of the screen by name and language (texts.def). */
#ifndef GMPSCOPE_UI_TEXT_TEXTS_H
#define GMPSCOPE_UI_TEXT_TEXTS_H

#include "base/text.h"

enum text_id {
#define TEXT(id, ...) TX_##id,
#include "ui/text/texts.def"
#undef TEXT
    TEXTS
};

const char *tx(enum lang lang, enum text_id id);

#endif
