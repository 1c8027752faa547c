/* Output: the last lines the program printed, the newest at the bottom. */
#include "ui/panes/panes.h"

#include <stdio.h>
#include <string.h>

/* The i-th line of the whole output; NULL: not printed yet. */
static const char *line_of(const struct view *v, uint64_t i)
{
    uint64_t first = v->total_lines - (uint64_t)v->nlines;
    return i < v->total_lines && i >= first ? v->line[i - first] : NULL;
}

/* New since the last stop; or not what the other run has printed in its place, or not printed there yet. */
static bool marked(const struct view *v, uint64_t number, const char *line)
{
    if (!v->other)
        return v->base && number >= v->base_lines;
    const char *there = line_of(v->other, number);
    return there ? strcmp(there, line) != 0 : number >= v->other->total_lines;
}

static void draw_line(const struct view *v, struct canvas *c, struct rect in, int y, int i)
{
    uint64_t number = v->total_lines - (uint64_t)(v->nlines - i);
    if (marked(v, number, v->line[i]))
        canvas_put(c, in, in.x, y, ROLE_changed, '*');
    canvas_text(c, in, in.x + 1, y, ROLE_plain, v->line[i]);
}

static void title(const struct pane *p, const struct view *v, char *buf, size_t size)
{
    (void)p;
    bool other = v->other && v->other->total_lines != v->total_lines;
    if (v->total_lines)
        snprintf(buf, size, "%s ─ %llu%s", tx(v->lang, TX_OUTPUT), (unsigned long long)v->total_lines, other ? "*" : "");
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    struct rect in = p->in;
    int n = v->nlines < in.h ? v->nlines : in.h;
    if (v->nlines == 0)
        canvas_text(c, in, in.x + 1, in.y, ROLE_dim, tx(v->lang, TX_EMPTY_OUTPUT));
    for (int i = 0; i < n; i++)
        draw_line(v, c, in, in.y + i, v->nlines - n + i);
}

const struct pane_ops pane_output = {.title = title, .draw = draw};
