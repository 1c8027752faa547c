/* Layout files: a tree of splits and panes, and the solver that computes rectangles from it for a given size. */
#ifndef GMPSCOPE_LAYOUT_LAYOUT_H
#define GMPSCOPE_LAYOUT_LAYOUT_H

#include "base/diag.h"
#include "base/text.h"
#include <stdint.h>
#include <stdio.h>

/* What a layout may say about panes. The caller hands the table in; this module knows no pane by name. */
enum layout_option_type { OPTION_BOOL, OPTION_WORD, OPTION_NUMBER };
enum { OPTIONS_MAX = 8, OPTION_WORDS_MAX = 8 };
struct layout_option {
    const char *name;
    enum layout_option_type type;
    int standard;                       /* the value where a layout gives none */
    const char *word[OPTION_WORDS_MAX]; /* of OPTION_WORD: its value is an index into these */
    int least, most;                    /* of OPTION_NUMBER */
};
struct layout_pane_kind {
    const char *name;
    const struct layout_option *option; /* `noptions` of them, at most OPTIONS_MAX */
    int noptions;
    int columns, rows; /* an edit makes no pane of this kind smaller, its frame included */
};
struct layout_kinds {
    int n;
    struct layout_pane_kind (*kind)(int i);
};

/* The themes that a layout can ask for; ui/term/themes.c says how each looks. */
#define LAYOUT_THEMES(X) X(default) X(light) X(dark) X(mono) X(projector) X(safe)
#define THEMES_LISTED "light, dark, mono, projector or safe (for colour-blind eyes)" /* those besides the default, for help texts */
enum theme_id {
#define X(name) THEME_##name,
    LAYOUT_THEMES(X)
#undef X
        THEMES
};
extern const char *const theme_name[THEMES];

struct layout;
struct layout_rect {
    int x, y, w, h;
};
struct layout_pane {
    int kind; /* an index into the kinds that the layout was loaded with */
    int leaf; /* its number among all panes of the layout, from 0, for the functions that edit it */
    struct layout_rect rect;
    int option[OPTIONS_MAX]; /* the values, in the order of the kind's options */
};

/* Returns NULL if the file has mistakes; they are in d. */
struct layout *layout_load(const char *path, const struct layout_kinds *kinds, struct diag *d);
void layout_free(struct layout *l);
const char *layout_name(const struct layout *l);
const char *layout_path(const struct layout *l); /* the file that holds it as it is; NULL: none does, because it was edited */
const struct text *layout_title(const struct layout *l);
const char *layout_theme(const struct layout *l); /* "default" if none */
void layout_min_size(const struct layout *l, int *columns, int *rows);
bool layout_has(const struct layout *l, int kind); /* a pane of this kind, on a screen of any size */
bool layout_fits(const struct layout *l, int w, int h);
/* Computes the rectangles of all panes for w × h, in file order. They cover the screen without overlap. Returns their number (≤ max). */
int layout_solve(const struct layout *l, int w, int h, struct layout_pane *out, int max);
/* The same without panes of the kinds whose bits are set in `without`; the other panes take their places. If no pane would be left, all
 * stay. The last `spare` of the h rows are left free. They do not count for the panes that exist from some size on, so these stay where the
 * rows come and go. */
struct layout_cut {
    uint32_t without;
    int spare;
    uint32_t more; /* kinds that need more rows: the part of the screen with one of them has half as much weight again */
};
int layout_solve_cut(const struct layout *l, struct layout_cut cut, int w, int h, struct layout_pane *out, int max);

/* ---- editing (edit.c) ---- */

enum layout_split { LAYOUT_ROWS, LAYOUT_COLUMNS, LAYOUT_SPLITS };
extern const char *const layout_split_name[LAYOUT_SPLITS];
enum { LAYOUT_PANES_MAX = 64, LAYOUT_NAME_MAX = 64 };
/* Returns a copy with another name, which no file holds; NULL: out of memory. */
struct layout *layout_copy(const struct layout *l, const char *name);
int layout_panes(const struct layout *l); /* on a screen of any size */
/* Puts two panes like this one into its place. False: out of memory, or there are LAYOUT_PANES_MAX panes. */
bool layout_divide(struct layout *l, int leaf, enum layout_split split);
/* Puts another pane, with the standard options, into the place. */
void layout_replace(struct layout *l, int leaf, int kind, const struct layout_kinds *kinds);
/* Gives the pane a fixed length along its split: the one that it has on a screen of w × h, with `by` added. Returns false and changes
 * nothing if nothing next to it can give way, or if a pane would become smaller than the least size of its kind. */
bool layout_resize(struct layout *l, int leaf, int w, int h, int by, const struct layout_kinds *kinds);
/* Writes it as a layout file of this name, which layout_load() reads back. Returns false after an error. */
bool layout_write(const struct layout *l, const char *name, const struct layout_kinds *kinds, FILE *out);
/* The same into the file at path, which keeps its old content after an error. Returns 0 or an errno. */
int layout_save(const struct layout *l, const char *name, const struct layout_kinds *kinds, const char *path);
/* Sets what layout_path() returns; NULL: the layout is edited now. */
void layout_held_by(struct layout *l, const char *path);
bool layout_name_valid(const char *name);

#endif
