/* One frame: what was fetched, through the layout, onto the canvas. */
#include "ui/input/commands.h"
#include "ui/compare.h"
#include "ui/ui.h"

#include <stdio.h>

/* The choice that was taken at the entry that is shown. */
static int answered(const struct ui *u)
{
    bool same = u->answer.step && u->answer.step == u->lesson.met && u->answer.run == u->st.run;
    return same ? u->answer.choice : -1;
}

struct view ui_view(const struct ui *u)
{
    struct shown_state base = diff_base_base(&u->stops);
    bool lists = base.md && u->st.paused; /* while it goes on, what is new in a list is at its end */
    return (struct view){
        .md = u->stops.shown.md,
        .base = base.md,
        .base_lines = lists ? base.lines : UINT64_MAX,
        .base_events = lists ? model_events(base.md) : UINT64_MAX,
        .st = u->st,
        .ev = u->ev,
        .nev = u->nev,
        .pend = u->pend,
        .npend = u->npend,
        .line = (const char(*)[LINE_MAX_BYTES])u->line,
        .nlines = u->nlines,
        .total_lines = u->total_lines,
        .arrows = &u->arrows,
        .said = u->said,
        .lesson = u->lesson.on ? &u->lesson : NULL,
        .answered = answered(u),
        .lang = u->lang,
    };
}

static void draw_too_small(struct ui *u)
{
    int w, h;
    char text[128];
    layouts_least(&u->layouts, &w, &h);
    snprintf(text, sizeof text, tx(u->lang, TX_TOO_SMALL), u->w, u->h, w, h);
    canvas_text(&u->canvas, (struct rect){0, 0, u->w, u->h}, 0, 0, ROLE_error, text);
}

void ui_tell_fallback(struct ui *u, const struct layout *l, int w, int h)
{
    int least_w, least_h;
    bool told = u->fallback.l == l && u->fallback.w == w && u->fallback.h == h;
    u->fallback.l = l;
    u->fallback.w = w;
    u->fallback.h = h;
    if (told || l == u->layouts.wished)
        return;
    layout_min_size(u->layouts.wished, &least_w, &least_h);
    ui_note(u, tx(u->lang, u->other ? TX_FALLBACK_EACH : TX_FALLBACK), layout_name(u->layouts.wished), least_w, least_h, w, h,
            layout_name(l));
}

/* Rows for a lesson that is played, where the layout has no pane for it. Always as many, so that nothing moves. */
static int lesson_rows(const struct ui *u)
{
    int rows = u->h >= 28 ? 8 : 6;
    for (int i = 0; i < u->npanes; i++)
        if (u->pane[i].kind == PANE_lesson)
            return 0;
    return !u->lesson.on || u->other ? 0 : rows < u->h / 3 ? rows : u->h / 3;
}

/* At the bottom, but above the row of the keys. */
static void add_lesson(struct ui *u, const struct layout *l, int rows)
{
    int y = u->h - rows;
    u->npanes = layout_solve(l, u->w, y, u->pane, PANES_MAX - 1);
    struct layout_pane *last = u->npanes ? &u->pane[u->npanes - 1] : NULL;
    if (last && last->kind == PANE_keys && last->rect.h == 1 && last->rect.y == y - 1) {
        last->rect.y = u->h - 1;
        y--;
    }
    u->pane[u->npanes++] = (struct layout_pane){.kind = PANE_lesson, .rect = {0, y, u->w, rows}};
}

static void draw_layout(struct ui *u, const struct layout *l)
{
    struct view v = ui_view(u);
    u->npanes = layout_solve(l, u->w, u->h, u->pane, PANES_MAX);
    int rows = lesson_rows(u);
    if (rows)
        add_lesson(u, l, rows);
    ui_tell_fallback(u, l, u->w, u->h);
    panes_draw(&v, &u->canvas, u->pane, u->npanes);
    select_draw(&u->select, &u->canvas, u->pane, u->npanes);
}

/* What lies over the panes. */
static void draw_over(struct ui *u)
{
    if (u->inspect && !u->other)
        inspect_draw(u, u, (struct rect){0, 0, u->w, u->h - 1}); /* above the row of the keys */
    if (u->over == OVER_HELP)
        help_draw(u);
    else if (u->over == OVER_BREAKS)
        breaks_draw(u);
    else if (u->over == OVER_MARKS)
        marks_draw(u);
    else if (u->over == OVER_CHOOSE)
        choose_draw(u);
    else if (u->over == OVER_SHARE)
        share_draw(u);
    else if (u->over == OVER_BRANCHES)
        branches_draw(u);
    if (u->note[0] && u->h > 0) {
        struct rect row = {0, u->h - 1, u->w, 1};
        canvas_hline(&u->canvas, row, 0, row.y, u->w, ROLE_plain, ' ');
        canvas_text(&u->canvas, row, 1, row.y, ROLE_sentence_now, u->note);
    }
    prompt_draw(&u->prompt, &u->canvas);
}

bool ui_draw(struct ui *u)
{
    if ((u->canvas.w != u->w || u->canvas.h != u->h) && !canvas_resize(&u->canvas, u->w, u->h))
        return false;
    canvas_clear(&u->canvas);
    u->npanes = 0;
    const struct layout *l = u->other ? NULL : layouts_pick(&u->layouts, u->w, u->h);
    if (u->other)
        compare_draw(u);
    else if (l)
        draw_layout(u, l);
    else
        draw_too_small(u);
    draw_over(u);
    return true;
}
