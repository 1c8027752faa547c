/* Steal matrix: a row for each thief, a column for each victim, a cell with the number of steals.
 *
 *   thief    P0  P1  P2  P3   all          thief    0      64
 *   P0        ·   2   ·   1     3          P0-3     ▂▁·▇·   31
 *   P1        4   ·   ·   ·     4          P4-7     ·▁▁··    9
 *   all       4   2   0   1     7
 *
 * If there are too many Ps for numbers, a cell is a block whose height is the count; if there are even more, several Ps share a row or a
 * column. So the whole matrix is always there. */
#include "ui/panes/panes.h"
#include "ui/panes/parts/wrap.h"

#include <stdio.h>
#include <stdlib.h>

struct sums {
    uint64_t steals, gs, tries;
};

struct matrix {
    uint32_t np, by_row, by_column; /* Ps; Ps in each row and in each column */
    int rows, columns, label, cell; /* cells; the width of a row's label and of a cell, 1: a block */
    bool tries;                     /* cells have room for tries, too */
    uint64_t most;                  /* the highest count of steals in a cell */
};

static void add_cell(const struct view *v, uint32_t thief, uint32_t victim, struct sums *s)
{
    struct model_steals k = model_steals(v->md, thief, victim);
    s->steals += k.steals;
    s->gs += k.gs;
    s->tries += k.tries;
}

static struct sums sums_of(const struct view *v, const struct matrix *m, int row, int column)
{
    struct sums s = {0, 0, 0};
    for (uint32_t i = 0; i < m->by_row; i++)
        for (uint32_t k = 0; k < m->by_column; k++)
            add_cell(v, (uint32_t)row * m->by_row + i, (uint32_t)column * m->by_column + k, &s);
    return s;
}

static struct sums all_of_row(const struct view *v, const struct matrix *m, int row)
{
    struct sums s = {0, 0, 0};
    for (uint32_t i = 0; i < m->by_row; i++)
        for (uint32_t k = 0; k < m->np; k++)
            add_cell(v, (uint32_t)row * m->by_row + i, k, &s);
    return s;
}

static struct sums all_of_column(const struct view *v, const struct matrix *m, int column)
{
    struct sums s = {0, 0, 0};
    for (uint32_t i = 0; i < m->np; i++)
        for (uint32_t k = 0; k < m->by_column; k++)
            add_cell(v, i, (uint32_t)column * m->by_column + k, &s);
    return s;
}

static struct sums all_of(const struct view *v, const struct matrix *m)
{
    struct sums all = {0, 0, 0};
    for (uint32_t i = 0; i < m->np; i++)
        for (uint32_t k = 0; k < m->np; k++)
            add_cell(v, i, k, &all);
    return all;
}

/* ---- the shape ---- */

enum { SUM_W = 6, HEAD = 1, FEET = 2 };

/* Returns the columns of "12/345", or of "12" without the tries. */
static int cell_width(const struct view *v, const struct matrix *m, bool tries)
{
    uint64_t steals = 0, most = 0;
    for (uint32_t i = 0; i < m->np; i++)
        for (uint32_t k = 0; k < m->np; k++) {
            struct model_steals cell = model_steals(v->md, i, k);
            steals = cell.steals > steals ? cell.steals : steals;
            most = cell.tries > most ? cell.tries : most;
        }
    int w = digits(steals) + (tries && most ? 1 + digits(most) : 0);
    return (w < p_width(v) ? p_width(v) : w) + 1;
}

static uint32_t share(uint32_t n, int room)
{
    return room > 0 ? (n + (uint32_t)room - 1) / (uint32_t)room : n;
}

static uint64_t most_in_a_cell(const struct view *v, const struct matrix *m)
{
    uint64_t most = 0;
    for (int row = 0; row < m->rows; row++)
        for (int column = 0; column < m->columns; column++) {
            uint64_t n = sums_of(v, m, row, column).steals;
            most = n > most ? n : most;
        }
    return most;
}

static struct matrix matrix_for(const struct view *v, struct rect in)
{
    struct matrix m = {.np = model_np_ever(v->md), .by_row = 1, .by_column = 1};
    int room_y = in.h - HEAD - FEET, w = p_width(v), head = text_width(tx(v->lang, TX_STEALS_FROM));
    m.label = w + (room_y < (int)m.np ? w : 0) + 1; /* "P4", or "P4-7" */
    m.label = m.label > head ? m.label : head + 1;
    int room_x = in.w - m.label - SUM_W - 1;
    m.tries = true;
    m.cell = cell_width(v, &m, true);
    if (m.cell * (int)m.np > room_x) {
        m.tries = false;
        m.cell = cell_width(v, &m, false);
    }
    if (m.cell * (int)m.np > room_x) {
        m.cell = 1;
        m.by_column = share(m.np, room_x);
    }
    m.by_row = share(m.np, room_y);
    m.columns = (int)((m.np + m.by_column - 1) / m.by_column);
    m.rows = (int)((m.np + m.by_row - 1) / m.by_row);
    m.most = most_in_a_cell(v, &m);
    return m;
}

/* ---- drawing ---- */

static bool is_last(const struct view *v, const struct matrix *m, int row, int column)
{
    struct model_last_steal last = model_last_steal(v->md);
    return last.event && last.thief / m->by_row == (uint32_t)row && last.victim / m->by_column == (uint32_t)column;
}

static int column_x(const struct rect in, const struct matrix *m, int column)
{
    return in.x + m->label + column * m->cell;
}

static void draw_block(struct canvas *c, struct rect in, int x, int y, enum role role, uint64_t n, uint64_t most)
{
    uint64_t eighths = most ? (n * 8 + most - 1) / most : 0;
    canvas_put(c, in, x, y, n ? role : ROLE_dim, n ? 0x2580 + (uint32_t)eighths : 0xb7);
}

struct pen {
    const struct view *v;
    struct canvas *c;
    struct rect in;
    const struct matrix *m;
};

static void draw_cell(const struct pen *pen, int row, int column)
{
    struct sums s = sums_of(pen->v, pen->m, row, column);
    int x = column_x(pen->in, pen->m, column), y = pen->in.y + HEAD + row;
    bool last = is_last(pen->v, pen->m, row, column);
    enum role role = last ? ROLE_changed : s.steals ? ROLE_arrow : ROLE_dim;
    char text[48];
    if (pen->m->cell == 1) {
        draw_block(pen->c, pen->in, x, y, role, s.steals, pen->m->most);
        return;
    }
    if (pen->m->tries && s.tries)
        snprintf(text, sizeof text, "%llu/%llu", (unsigned long long)s.steals, (unsigned long long)s.tries);
    else if (s.steals)
        snprintf(text, sizeof text, "%llu", (unsigned long long)s.steals);
    else
        snprintf(text, sizeof text, is_partial(pen->v) ? "?" : "·");
    canvas_right(pen->c, pen->in, x + pen->m->cell - 1, y, role, text);
    if (last)
        canvas_mark(pen->c, pen->in, x, y, pen->m->cell);
}

static void draw_sum(const struct view *v, struct canvas *c, struct rect in, int x, int y, uint64_t n)
{
    char text[KNOWN_TEXT];
    known_gs(v, n, text);
    canvas_right(c, in, x, y, n ? ROLE_number : ROLE_dim, text);
}

static void draw_row(const struct pen *pen, int row)
{
    uint32_t p = (uint32_t)row * pen->m->by_row, to = p + pen->m->by_row - 1;
    int y = pen->in.y + HEAD + row;
    int x = draw_label(pen->c, pen->in, pen->in.x, y,
                       (struct label){'P', p, row_is_lit(pen->v, tag_of('P', p)) ? ROLE_sentence_now : ROLE_plain, false});
    if (pen->m->by_row > 1)
        canvas_printf(pen->c, pen->in, x, y, ROLE_plain, "-%u", to < pen->m->np ? to : pen->m->np - 1);
    for (int column = 0; column < pen->m->columns; column++)
        draw_cell(pen, row, column);
    draw_sum(pen->v, pen->c, pen->in, column_x(pen->in, pen->m, pen->m->columns) + SUM_W, y, all_of_row(pen->v, pen->m, row).steals);
}

/* Each victim above its column; above blocks only the first and the last. */
static void draw_head(const struct view *v, struct canvas *c, struct rect in, const struct matrix *m)
{
    char text[24];
    canvas_text(c, (struct rect){in.x, in.y, m->label - 1, 1}, in.x, in.y, ROLE_heading, tx(v->lang, TX_STEALS_FROM));
    for (int i = 0; i < m->columns && m->cell > 1; i++) {
        snprintf(text, sizeof text, "P%d", i);
        c->tag = tag_of('P', (uint32_t)i);
        canvas_right(c, in, column_x(in, m, i) + m->cell - 1, in.y, ROLE_heading, text);
        c->tag = 0;
    }
    if (m->cell == 1) {
        snprintf(text, sizeof text, "P%u", m->np - 1);
        canvas_text(c, in, column_x(in, m, 0), in.y, ROLE_heading, "P0");
        canvas_right(c, in, column_x(in, m, m->columns) - 1, in.y, ROLE_heading, text);
    }
    canvas_right(c, in, column_x(in, m, m->columns) + SUM_W, in.y, ROLE_heading, tx(v->lang, TX_STEALS_ALL));
}

static uint64_t most_of_columns(const struct view *v, const struct matrix *m)
{
    uint64_t most = 0;
    for (int i = 0; i < m->columns; i++) {
        uint64_t n = all_of_column(v, m, i).steals;
        most = n > most ? n : most;
    }
    return most;
}

static void draw_sums(const struct pen *pen, uint64_t all)
{
    int y = pen->in.y + HEAD + pen->m->rows;
    uint64_t most = most_of_columns(pen->v, pen->m);
    canvas_text(pen->c, (struct rect){pen->in.x, y, pen->m->label - 1, 1}, pen->in.x, y, ROLE_heading, tx(pen->v->lang, TX_STEALS_ALL));
    for (int i = 0; i < pen->m->columns; i++) {
        uint64_t n = all_of_column(pen->v, pen->m, i).steals;
        if (pen->m->cell > 1)
            draw_sum(pen->v, pen->c, pen->in, column_x(pen->in, pen->m, i) + pen->m->cell - 1, y, n);
        else
            draw_block(pen->c, pen->in, column_x(pen->in, pen->m, i), y, ROLE_number, n, most);
    }
    draw_sum(pen->v, pen->c, pen->in, column_x(pen->in, pen->m, pen->m->columns) + SUM_W, y, all);
}

static void draw_foot(const struct view *v, struct canvas *c, struct rect in, int y, const struct sums *all)
{
    if (!all->steals && !all->tries && is_partial(v)) {
        draw_not_recorded(v, c, (struct rect){in.x, y, in.w, in.y + in.h - y});
        return;
    }
    if (!all->steals && !all->tries) {
        wrap_draw(c, (struct rect){in.x, y, in.w, in.y + in.h - y}, ROLE_dim, tx(v->lang, TX_STEALS_NONE));
        return;
    }
    int x = in.x;
    if (!is_partial(v)) /* else the sums would be of what was seen */
        x = canvas_printf(c, in, in.x, y, ROLE_sentence, tx(v->lang, TX_STEALS_SUM), (unsigned long long)all->steals,
                          (unsigned long long)all->gs, (unsigned long long)all->tries);
    struct model_last_steal last = model_last_steal(v->md);
    const char *then = tx(v->lang, TX_STEALS_THEN);
    char thief[16], victim[16], text[96];
    if (!last.event)
        return;
    snprintf(thief, sizeof thief, "P%u", last.thief);
    snprintf(victim, sizeof victim, "P%u", last.victim);
    snprintf(text, sizeof text, tx(v->lang, TX_STEALS_LAST), thief, victim, last.gs);
    if (x + text_width(then) + text_width(text) > in.x + in.w && y + 1 < in.y + in.h)
        canvas_text(c, in, in.x, y + 1, ROLE_dim, text); /* the row is too short for it */
    else
        canvas_text(c, in, x > in.x ? canvas_text(c, in, x, y, ROLE_dim, then) : x, y, ROLE_dim, text);
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    struct rect in = {p->in.x + 1, p->in.y, p->in.w - 2, p->in.h};
    if (!v->md)
        return;
    if (model_np_ever(v->md) == 0 && !is_partial(v)) {
        canvas_text(c, in, in.x, in.y, ROLE_dim, tx(v->lang, v->st.no_p ? TX_STEALS_NO_P : TX_EMPTY_STEALS));
        return;
    }
    if (not_known(v, KNOW_STEALS, 0)) {
        draw_not_recorded(v, c, in);
        return;
    }
    struct matrix m = matrix_for(v, in);
    struct sums all = all_of(v, &m);
    if (in.h < HEAD + FEET + 1) {
        draw_foot(v, c, in, in.y, &all);
        return;
    }
    struct pen pen = {v, c, in, &m};
    draw_head(v, c, in, &m);
    for (int row = 0; row < m.rows; row++)
        draw_row(&pen, row);
    draw_sums(&pen, all.steals);
    draw_foot(v, c, in, in.y + HEAD + m.rows + 1, &all);
}

const struct pane_ops pane_steal_matrix = {.draw = draw};
