/* A grid of cells with drawing primitives. Everything that is shown is drawn here first; the terminal, text output and tests read it.
 * Drawing outside the grid is clipped. Not thread-safe. */
#ifndef GMPSCOPE_CANVAS_CANVAS_H
#define GMPSCOPE_CANVAS_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a cell means; the theme says how it looks. */
/* clang-format off */
#define CANVAS_ROLES(X) \
    X(plain) X(dim) X(title) X(border) X(focus) X(heading) X(status) X(paused) X(running) X(spinning) X(idle) X(syscall) \
    X(netpoll) X(changed) X(arrow) X(arrow_fading) X(arrow_old) X(number) X(sentence) X(sentence_now) X(key) X(key_text) \
    X(error) X(g0) X(g1) X(g2) X(g3) X(g4) X(g5) X(g6) X(g7)
/* clang-format on */
enum role {
#define X(name) ROLE_##name,
    CANVAS_ROLES(X)
#undef X
        ROLES
};
extern const char *const role_name[ROLES];

/* width 2: the next cell has width 0 (the right half). tag: the subject of the cell, for a click on it; 0: none. chosen: shown as selected.
 * mark: the content has changed; shown underlined in any role. */
#define CELL_CH 0x1fffffu /* the bits of cell.ch: enough for every code point */
struct cell {
    uint32_t tag, ch : 21, role : 6, width : 2, chosen : 1, mark : 1, zero : 1;
}; /* small, because each frame reads all cells */
_Static_assert(ROLES <= 1 << 6, "a role has 6 bits");
/* Would they look the same with the same text? */
static inline bool cell_same_look(const struct cell *a, const struct cell *b)
{
    return a->role == b->role && a->chosen == b->chosen && a->mark == b->mark;
}
struct rect {
    int x, y, w, h;
};
struct canvas {
    int w, h;
    struct cell *cell;
    bool ascii;
    uint32_t tag; /* for the cells drawn from now on */
    struct canvas_cursor {
        bool on, seen; /* on: it has a place; seen: it is visible there */
        int x, y;
    } cursor; /* screen readers and input methods follow it */
};

bool canvas_init(struct canvas *c, int w, int h); /* all blank; false: memory ran out */
bool canvas_resize(struct canvas *c, int w, int h);
void canvas_fini(struct canvas *c);
void canvas_clear(struct canvas *c);
/* Writes UTF-8 text from (x, y) on. At the right edge of clip a cut text ends with "…"; a wide glyph is never halved. Returns the x after the
 * whole text, which is beyond the edge if the text was cut. Control characters become
 * "?". With c->ascii, box and arrow glyphs become +-|<>v^ and similar characters. */
int canvas_text(struct canvas *c, struct rect clip, int x, int y, enum role role, const char *utf8);
int canvas_printf(struct canvas *c, struct rect clip, int x, int y, enum role role, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));
/* Writes text right-aligned: its last column is x. */
void canvas_right(struct canvas *c, struct rect clip, int x, int y, enum role role, const char *utf8);
void canvas_put(struct canvas *c, struct rect clip, int x, int y, enum role role, uint32_t ch);
/* Marks those of the n cells from (x, y) on that are not blank. A cell drawn later is not marked. */
void canvas_mark(struct canvas *c, struct rect clip, int x, int y, int n);
void canvas_hline(struct canvas *c, struct rect clip, int x, int y, int n, enum role role, uint32_t ch);
void canvas_vline(struct canvas *c, struct rect clip, int x, int y, int n, enum role role, uint32_t ch);
/* Draws a rounded box with a title in its upper edge. Returns the inside. */
struct rect canvas_box(struct canvas *c, struct rect r, enum role border, const char *title);
/* Puts the cursor at (x, y), if that is within the grid. The last call wins. */
void canvas_cursor(struct canvas *c, int x, int y, bool seen);
/* Returns the columns of a text as canvas_text() writes it. */
int canvas_width(const struct canvas *c, const char *utf8);
/* Returns the rows as malloc'd text, without trailing blanks, each ended by \n. */
char *canvas_dump(const struct canvas *c);

#endif
