/* The terminal. Only screen.c includes curses. There is one screen in a process, and one thread uses it. */
#ifndef GMPSCOPE_UI_TERM_SCREEN_H
#define GMPSCOPE_UI_TERM_SCREEN_H

#include "canvas/canvas.h"
#include "ui/term/themes.h"

struct screen;
struct screen_config {
    bool ascii, color, mouse;
};

/* Takes the terminal. Returns NULL if it cannot be used. Then *why is the reason (static text), and errno is 0 unless a system call failed. */
struct screen *screen_open(const struct screen_config *cfg, const char **why);
void screen_close(struct screen *s);       /* restores the terminal */
bool screen_ascii(const struct screen *s); /* true if the user asked for ASCII or the locale is not UTF-8 */
/* Returns the terminal type that is used because the one in TERM is not known; NULL: that one is known. */
const char *screen_instead(const struct screen *s);
void screen_theme(struct screen *s, const struct theme *t);
int screen_fd(const struct screen *s); /* readable when there is input */
/* Returns the next key (a code of keycodes.h), or 0 if there is none. Does not block. */
uint32_t screen_key(struct screen *s);
bool screen_mouse(const struct screen *s, int *x, int *y); /* the place of the last click; returns true for a double click */
/* Follows the terminal's size and stores it. Returns false if there is not enough memory. */
bool screen_size(struct screen *s, int *w, int *h);
/* Shows the canvas. Its size must be the one that screen_size() stored last. */
void screen_show(struct screen *s, const struct canvas *c);
/* Returns true while a frame is still on its way over a slow line. Frames that were sent nevertheless would queue, and a stop would be seen late. */
bool screen_behind(struct screen *s);
int screen_unread(const struct screen *s); /* bytes that were typed and not read yet */
void screen_redraw(struct screen *s);      /* the next screen_show() sends every cell */
/* Sends a text to the clipboard of the terminal (OSC 52), which may refuse it without a word. */
void screen_copy(struct screen *s, const char *text);
void screen_leave(struct screen *s); /* gives the terminal to the shell until screen_return() */
void screen_return(struct screen *s);

#endif
