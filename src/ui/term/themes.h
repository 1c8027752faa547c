/* Themes: how each role looks. No curses here: the attributes are our own bits. */
#ifndef GMPSCOPE_UI_TERM_THEMES_H
#define GMPSCOPE_UI_TERM_THEMES_H

#include "canvas/canvas.h"
#include "layout/layout.h"

enum { LOOK_BOLD = 1, LOOK_DIM = 2, LOOK_REVERSE = 4, LOOK_UNDERLINE = 8 };

/* The background of a terminal. */
enum ground { GROUND_UNKNOWN, GROUND_DARK, GROUND_LIGHT };

struct look {
    int16_t fg256, fg8; /* foreground with 256 and with 8 colours; -1: the terminal's own */
    uint8_t attr;
};
struct theme {
    const char *name;
    enum ground ground; /* the only one that the colours read on; GROUND_UNKNOWN: they read on every ground */
};

/* Returns the theme of that name, or "default" if it is unknown. A terminal without colour always gets "mono". */
const struct theme *theme_find(const char *name);
/* Returns how a role looks in theme t, which theme_find() or theme_nth() has returned. */
const struct look *theme_look(const struct theme *t, enum role r);
/* Returns the theme to draw with: for "default" on a known ground the theme of that ground, otherwise t. */
const struct theme *theme_on(const struct theme *t, enum ground ground);
/* theme_nth() returns theme i, NULL after the last. theme_next() returns the theme after t; after the last, the first. */
const struct theme *theme_nth(int i);
const struct theme *theme_next(const struct theme *t);

#endif
