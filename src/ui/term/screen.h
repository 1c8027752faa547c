/* The terminal: screen.c is the only file that includes curses. One screen a process; one thread uses it. */
#ifndef GMPSCOPE_UI_TERM_SCREEN_H
#define GMPSCOPE_UI_TERM_SCREEN_H

#include "canvas/canvas.h"
#include "ui/term/themes.h"

struct screen;
struct screen_config { bool ascii, color, mouse; };

/* Takes the terminal. Returns NULL if it cannot be used: *why is the reason (static text), and errno is 0 unless the system refused something. */
struct screen *screen_open(const struct screen_config *cfg, const char **why);
void screen_close(struct screen *s);                     /* gives it back as it was */
bool screen_ascii(const struct screen *s);               /* asked for, or the locale is not UTF-8 */
void screen_theme(struct screen *s, const struct theme *t);
int screen_fd(const struct screen *s);                   /* readable when a key waits */
/* The next key (keycodes.h), 0: none now. Never waits. */
uint32_t screen_key(struct screen *s);
bool screen_mouse(const struct screen *s, int *x, int *y); /* where the last click was; true: there were two */
/* Follows the terminal's size; the size now. */
void screen_size(struct screen *s, int *w, int *h);
/* Shows the canvas: only cells that differ from what is there are sent. */
void screen_show(struct screen *s, const struct canvas *c);
void screen_redraw(struct screen *s);                    /* the next show sends everything */
void screen_leave(struct screen *s);                     /* to the shell's state and back, around a suspend */
void screen_return(struct screen *s);

#endif
