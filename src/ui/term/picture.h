/* Pictures of the screen in files: .svg with the theme's colours, for slides, or .txt. */
#ifndef GMPSCOPE_UI_TERM_PICTURE_H
#define GMPSCOPE_UI_TERM_PICTURE_H

#include "ui/term/themes.h"

/* Returns true if the name ends in .svg or .txt. */
bool picture_named(const char *path);
/* Writes the canvas; the end of the name decides the form. Returns: 0, or an errno; EINVAL for another ending, or what is no regular file. */
int picture_write(const struct canvas *c, const struct theme *t, const char *path);

#endif
