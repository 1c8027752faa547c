/* From the canvas to the bytes that make a terminal show it: only cells that differ from what it shows already. It knows nothing of
 * curses; what the terminal understands is handed in as strings (screen.c has them from terminfo). */
#ifndef GMPSCOPE_UI_TERM_PAINT_H
#define GMPSCOPE_UI_TERM_PAINT_H

#include "canvas/canvas.h"

enum { PEN_BYTES = 32, PEN_ATTRS = 4 };

/* What the terminal understands, NUL-terminated; "" is what it has not. */
struct pens {
    char plain[PEN_BYTES];              /* all attributes and colours off */
    char attr[PEN_ATTRS][PEN_BYTES];    /* on, by bit of enum LOOK_… */
    char color[ROLES][PEN_BYTES];       /* a role's colour; "": the terminal's own, which plain gives */
    uint8_t look[ROLES];                /* a role's attributes: LOOK_… */
    char clear[PEN_BYTES];
    size_t (*move)(char out[PEN_BYTES], int x, int y); /* returns the bytes */
    bool utf8;
    bool keeps_corner;                  /* the last cell of all would scroll the screen: it is left out */
};

struct paint {
    struct canvas shown;                /* what the terminal shows */
    bool known;                         /* it does show that */
    char *out;                          /* of the last paint_frame */
    size_t n, room;
    bool lost;                          /* out of memory: out is not whole */
    int x, y, role, attr;               /* where the terminal's cursor is and how it writes; x -1: not known */
};

/* What makes the terminal show c: p->out[0..p->n), to be sent whole between `begin` and `end`. n = 0: it does already. */
void paint_frame(struct paint *p, const struct pens *pens, const struct canvas *c, const char *begin, const char *end);
void paint_anew(struct paint *p);       /* the next frame clears the screen and sends everything */
void paint_fini(struct paint *p);

#endif
