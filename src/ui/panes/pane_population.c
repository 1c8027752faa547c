/* Population: how many Gs there are, and where. The parts add up to the whole, so no G leaves the picture. */
#include "ui/panes/population.h"

#include <stdio.h>
#include <string.h>

enum { PARTS = 7, LINE_BYTES = 256 };

/* How much a line says: all parts, those that are not 0, or those with commas, which takes least room. Without the others the sum is the same. */
enum detail { ALL_PARTS, PARTS_WITH_GS, SHORT_WORDS };

struct part {
    enum text_id text, few;
    uint32_t n;
};

/* Gs that an M is moving from one place to another. */
static uint32_t in_transit(const struct model *md)
{
    uint32_t n = 0;
    for (uint32_t m = 0; m < model_nm(md); m++)
        n += model_m(md, m)->transit_n;
    return n;
}

static uint32_t count(const struct model *md, struct part part[PARTS])
{
    uint32_t runnable = model_count_g(md, G_RUNNABLE), moving = in_transit(md), all = 0;
    const struct part parts[PARTS] = {
        {TX_N_RUNNING, TX_N_RUNNING_FEW, model_count_g(md, G_RUNNING)},
        {TX_N_QUEUED, TX_N_QUEUED_FEW, runnable - moving},
        {TX_N_MOVING, TX_N_MOVING_FEW, moving},
        {TX_N_SYSCALL, TX_N_SYSCALL_FEW, model_count_g(md, G_SYSCALL)},
        {TX_N_WAITING, TX_N_WAITING_FEW, model_count_g(md, G_WAITING)},
        {TX_N_DEAD, TX_N_DEAD_FEW, model_count_g(md, G_DEAD)},
        {TX_N_UNKNOWN, TX_N_UNKNOWN, model_count_g(md, G_UNKNOWN)},
    };
    for (int i = 0; i < PARTS; i++) {
        part[i] = parts[i];
        all += parts[i].n;
    }
    return all;
}

static bool any_after(const struct part part[PARTS], int i)
{
    while (++i < PARTS)
        if (part[i].n)
            return true;
    return false;
}

/* Draws the line, which continues in the next row if there is one: the comma before that part ends the row. If c is NULL, only measures the
 * line. Returns its width. */
static int line(const struct view *v, struct canvas *c, struct rect in, const struct part part[PARTS], uint32_t all, enum detail detail)
{
    char text[LINE_BYTES];
    const char *sign = detail == SHORT_WORDS ? tx(v->lang, TX_COLON) : " = ", *comma = tx(v->lang, TX_N_COMMA);
    int comma_w = (int)strcspn(comma, " ") > 1 ? text_width(comma) : 1;
    snprintf(text, sizeof text, tx(v->lang, all == 1 ? TX_N_ONE : TX_N_ALL), all);
    if (is_partial(v)) { /* nobody knows whether these are all */
        memmove(text + 1, text, sizeof text - 1);
        text[0] = '~';
        text[sizeof text - 1] = '\0';
    }
    int x = in.x + text_width(text), y = in.y;
    if (c)
        canvas_text(c, in, in.x, in.y, ROLE_number, text);
    for (int i = 0; i < PARTS; i++) {
        if (part[i].n == 0 && (detail != ALL_PARTS || i == PARTS - 1 || is_partial(v)))
            continue;
        snprintf(text, sizeof text, tx(v->lang, detail == SHORT_WORDS ? part[i].few : part[i].text), part[i].n);
        int end = x + text_width(sign) + text_width(text) + (any_after(part, i) ? comma_w : 0); /* with the comma after it */
        if (c && end > in.x + in.w && y + 1 < in.y + in.h) {
            sign += strspn(sign, " "); /* at the end of a row it has no blanks around it */
            canvas_printf(c, in, x, y, ROLE_dim, "%.*s", (int)strcspn(sign, " "), sign);
            x = in.x;
            y++;
            sign = "";
        }
        if (c) {
            canvas_text(c, in, x, y, ROLE_dim, sign);
            canvas_text(c, in, x + text_width(sign), y, part[i].n ? ROLE_number : ROLE_dim, text);
        }
        x += text_width(sign) + text_width(text);
        sign = detail == SHORT_WORDS ? comma : " + ";
    }
    return x - in.x;
}

int population_rows(const struct view *v, int width)
{
    struct part part[PARTS];
    char text[LINE_BYTES];
    uint32_t all = count(v->md, part);
    int comma = text_width(tx(v->lang, TX_N_COMMA)), rows = 1;
    snprintf(text, sizeof text, tx(v->lang, all == 1 ? TX_N_ONE : TX_N_ALL), all);
    for (int i = 0, x = text_width(text); i < PARTS; i++) {
        if (!part[i].n)
            continue;
        snprintf(text, sizeof text, tx(v->lang, part[i].few), part[i].n);
        int w = comma + text_width(text), with_comma = any_after(part, i) ? 1 : 0; /* as line() breaks it */
        rows += x + w + with_comma > width;
        x = x + w + with_comma > width ? w - comma : x + w;
    }
    return rows;
}

void draw_population(const struct view *v, struct canvas *c, struct rect in)
{
    struct part part[PARTS];
    uint32_t all = count(v->md, part);
    enum detail detail = ALL_PARTS;
    if (all == 0 && is_partial(v)) {
        draw_not_recorded(v, c, in);
        return;
    }
    while (detail < SHORT_WORDS && line(v, NULL, in, part, all, detail) > in.w)
        detail++;
    line(v, c, in, part, all, detail);
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    if (v->md)
        draw_population(v, c, (struct rect){p->in.x + 1, p->in.y, p->in.w - 2, 1});
}

const struct pane_ops pane_population = {.bare = true, .draw = draw};
