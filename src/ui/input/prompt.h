/* The command line at the bottom of the screen: one line to edit, its history, and a message under the wrong word. */
#ifndef GMPSCOPE_UI_INPUT_PROMPT_H
#define GMPSCOPE_UI_INPUT_PROMPT_H

#include "canvas/canvas.h"

enum { PROMPT_BYTES = 240, PROMPT_HISTORY = 32 };

struct prompt {
    bool open;
    char sign; /* ':' or '/' */
    char text[PROMPT_BYTES];
    int len, at;     /* bytes; at: the cursor */
    char wrong[256]; /* the message about a mistake, "" if none; wrong_at: its byte */
    int wrong_at;
    char hint[64];   /* drawn next to the line while there is a mistake */
    char offer[256]; /* what tab found, if there are several completions */
    /* earlier lines, newest last; a ring. recalled: 0 is the present line, 1 the newest earlier one … */
    char history[PROMPT_HISTORY][PROMPT_BYTES];
    uint32_t lines, recalled;
    char kept[PROMPT_BYTES]; /* the line being edited, while an earlier one is shown */
};

void prompt_begin(struct prompt *p, char sign, const char *text);
void prompt_close(struct prompt *p);
/* Takes a key. Returns true if the line is complete: the caller carries it out and then calls prompt_remember(). Escape, ^C, and backspace
 * on an empty line close it. The sign right after a mistake starts over, and the wrong line is remembered. */
bool prompt_key(struct prompt *p, uint32_t code);
void prompt_remember(struct prompt *p);
void prompt_fail(struct prompt *p, int at, const char *what);
/* Replaces the word that ends at the cursor; the cursor is after it. from: where the word begins. */
void prompt_replace(struct prompt *p, int from, const char *with);
/* Draws over the last row; with a message or an offer, over the last two or three. */
void prompt_draw(const struct prompt *p, struct canvas *c);

#endif
