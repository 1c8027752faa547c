/* The figures of a frame: cells with one tag that touch each other. A label is drawn again, next to the screen, in each size of letters, and
 * looked for in its figure. So a label that is cut or drawn over is found. */
#ifndef GMPSCOPE_TESTS_FIGURES_H
#define GMPSCOPE_TESTS_FIGURES_H

#include "t.h"
#include "ui/frame.h"
#include "ui/input/ui.h"
#include "ui/panes/parts/big.h"
#include "ui/panes/panes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURE_MAX = 12000 };

struct figure {
    uint32_t tag;
    int n, at[FIGURE_MAX]; /* cells */
};

static inline void gather(const struct canvas *c, int from, bool *seen, struct figure *f)
{
    *f = (struct figure){.tag = c->cell[from].tag, .n = 1, .at = {from}};
    seen[from] = true;
    for (int i = 0; i < f->n; i++) {
        int x = f->at[i] % c->w, y = f->at[i] / c->w;
        int next[] = {x > 0 ? f->at[i] - 1 : -1, x < c->w - 1 ? f->at[i] + 1 : -1, y > 0 ? f->at[i] - c->w : -1,
                      y < c->h - 1 ? f->at[i] + c->w : -1};
        for (int k = 0; k < 4; k++)
            if (next[k] >= 0 && !seen[next[k]] && c->cell[next[k]].tag == f->tag) {
                CHECK(f->n < FIGURE_MAX);
                seen[next[k]] = true;
                f->at[f->n++] = next[k];
            }
    }
}

/* Is the drawing of one label, all of `want`, on `c` with its left upper corner at (x, y), under this tag? */
static inline bool is_at(const struct canvas *c, int x, int y, const struct canvas *want, uint32_t tag)
{
    if (x + want->w > c->w || y + want->h > c->h)
        return false;
    for (int i = 0; i < want->w * want->h; i++) {
        const struct cell *is = &c->cell[(y + i / want->w) * c->w + x + i % want->w];
        if (is->ch != want->cell[i].ch || is->tag != tag)
            return false;
    }
    return true;
}

/* Returns the cell of the figure at which this text begins, in letters of this size; -1: it is not there. */
static inline int find_text(const struct canvas *c, const struct figure *f, enum big size, const char *text)
{
    struct canvas want = {0};
    int w = big_width(size, text), h = big_height(size);
    int found = -1;
    CHECK(canvas_init(&want, w, h));
    want.ascii = c->ascii;
    big_text(&want, (struct rect){0, 0, w, h}, 0, 0, size, ROLE_plain, text);
    for (int i = 0; i < f->n && found < 0; i++)
        found = is_at(c, f->at[i] % c->w, f->at[i] / c->w, &want, f->tag) ? f->at[i] : -1;
    canvas_fini(&want);
    return found;
}

static inline bool has_text(const struct canvas *c, const struct figure *f, enum big size, const char *text)
{
    return find_text(c, f, size, text) >= 0;
}

/* The whole name in one size, or a plain prefix and a large number. */
static inline bool has_name(const struct canvas *c, const struct figure *f, const char *name)
{
    size_t prefixed = strspn(name, "GMPs");
    char prefix[EV_G_NAME];
    snprintf(prefix, sizeof prefix, "%.*s", (int)prefixed, name);
    for (enum big size = BIG_PLAIN; size <= BIG_FULL; size++)
        if (has_text(c, f, size, name) || (size != BIG_PLAIN && has_text(c, f, size, name + prefixed) && has_text(c, f, BIG_PLAIN, prefix)))
            return true;
    return false;
}

static inline void wrong_frame(struct ui *u, const char *what, const char *name)
{
    char *shown = canvas_dump(&u->canvas);
    fputs(shown, stderr); /* too long for a message */
    t_fail(u->run->st.name, (int)u->run->st.events, "%dx%d lang %d ascii %d: %s %s", u->w, u->h, u->lang, u->canvas.ascii, what, name);
}

/* Fails unless each label is whole. Returns how many there are. */
static inline long check_labels(struct ui *u)
{
    long n = 0;
    const struct canvas *c = &u->canvas;
    static struct figure f;
    bool *seen = calloc((size_t)(c->w * c->h), sizeof *seen);
    CHECK(seen);
    for (int i = 0; i < c->w * c->h; i++) {
        char name[EV_G_NAME];
        if (seen[i] || !c->cell[i].tag)
            continue;
        gather(c, i, seen, &f);
        uint32_t kind = thing_kind(f.tag);
        if (kind == THING_G)
            ev_g_name(thing_id(f.tag), name);
        else
            snprintf(name, sizeof name, "%c%u", kind == THING_P ? 'P' : 'M', thing_id(f.tag));
        n++;
        if (!has_name(c, &f, name))
            wrong_frame(u, "this label is not whole:", name);
    }
    free(seen);
    return n;
}

#endif
