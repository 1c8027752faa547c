/* The ground (background) of the terminal: what the environment says, and the answer to a question that the terminal gets. No curses here. */
#ifndef GMPSCOPE_UI_TERM_GROUND_H
#define GMPSCOPE_UI_TERM_GROUND_H

#include "ui/term/themes.h"

#include <stdint.h>

/* Asks for the background colour (OSC 11) and then for the device attributes (DA1). Most terminals answer the second question; they answer in
 * this order, so its answer says that no answer to the first will come. */
#define GROUND_QUESTION "\033]11;?\033\\\033[c"
#define GROUND_COLOR_ANSWER "\033]11;" /* what the answers begin with */
#define GROUND_END_ANSWER "\033[?"

/* Returns the ground by TERM and COLORFGBG. Each may be NULL. */
enum ground ground_from_env(const char *term, const char *colorfgbg);

/* Collects the answers out of the stream of keys. All zero at first. */
struct ground_answer {
    enum { ANSWER_NONE, ANSWER_COLOR, ANSWER_END } reading;
    char text[64];
    int n;
    bool ended; /* no answer will come any more */
    enum ground ground;
};
/* An answer begins: its first bytes have been read. */
void ground_answer_begin(struct ground_answer *a, bool color);
/* Takes the next key. Returns false if it is not part of an answer. */
bool ground_answer_takes(struct ground_answer *a, uint32_t code);

#endif
