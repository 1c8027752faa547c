/* Completion in the command line, by tab: a menu of the words that fit at the cursor, each with a line that explains it. */
#ifndef GMPSCOPE_UI_INPUT_COMPLETION_H
#define GMPSCOPE_UI_INPUT_COMPLETION_H

#include "canvas/canvas.h"
#include "ui/input/prompt.h"

struct ui;

enum { COMPLETIONS_MAX = 256, COMPLETION_NAME = 56, COMPLETION_WHAT = 200 };
struct completion {
    int n, at;                /* candidates, 0: the menu is closed; which one stands in the line, -1: what was typed */
    int from;                 /* the byte at which the word begins */
    char typed[PROMPT_BYTES]; /* the word before a candidate took its place */
    struct {
        char name[COMPLETION_NAME], what[COMPLETION_WHAT];
    } v[COMPLETIONS_MAX];
};

/* Takes a key of the prompt first. Tab completes the word at the cursor as far as it is certain, then walks the candidates; shift-tab and the
 * arrows walk, too; escape brings back what was typed. Any other key closes the menu. Returns false if the key is the prompt's. */
bool completion_key(struct ui *u, uint32_t code);
void completion_draw(struct ui *u);

#endif
