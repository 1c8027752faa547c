/* The command line at the bottom of the screen: one line to edit, its history, and a mistake shown under the wrong word. */
#ifndef GMPSCOPE_UI_INPUT_PROMPT_H
#define GMPSCOPE_UI_INPUT_PROMPT_H

#include "canvas/canvas.h"

enum { PROMPT_BYTES = 240, PROMPT_HISTORY = 32 };

struct prompt {
    bool open;
    char sign;                            /* ':' or '/' */
    char text[PROMPT_BYTES];
    int len, at;                          /* bytes; at: the cursor */
    char wrong[256];                      /* what is wrong, "" if nothing; wrong_at: at which byte */
    int wrong_at;
    char hint[64];                        /* said beside the line while something is wrong */
    char offer[256];                      /* what tab found, when it is more than one thing */
    /* earlier lines, newest last; a ring. recalled: 0 the present one, 1 the newest … */
    char history[PROMPT_HISTORY][PROMPT_BYTES];
    uint32_t lines, recalled;
    char kept[PROMPT_BYTES];              /* the present line while earlier ones are looked at */
};

void prompt_begin(struct prompt *p, char sign, const char *text);
void prompt_close(struct prompt *p);
/* A key; true: the line is to be carried out (prompt_remember it if it was). Escape, ^C, and backspace on an empty line close it;
 * its sign right after a mistake begins anew (the wrong line is remembered). */
bool prompt_key(struct prompt *p, uint32_t code);
void prompt_remember(struct prompt *p);
void prompt_fail(struct prompt *p, int at, const char *what);
/* The word that ends at the cursor becomes `with`, and the cursor is behind it. from: where the word begins. */
void prompt_replace(struct prompt *p, int from, const char *with);
/* Over the last row; with a mistake or an offer, over the last two or three. */
void prompt_draw(const struct prompt *p, struct canvas *c);

#endif
