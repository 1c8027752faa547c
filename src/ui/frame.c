/* A frame: the layout places the panes, panes prepare and draw, then boxes, note and prompt are drawn over them. */
#include "ui/frame.h"

#include "ui/boxes/boxes.h"
#include "ui/input/keys.h"
#include "ui/input/requests.h"
#include "ui/panes/parts/wrap.h"
#include "ui/tour.h"

#include <stdio.h>
#include <string.h>

static void draw_too_small(struct ui *u)
{
    u->placed.nothing = true;
    int w, h;
    char text[128];
    layouts_least(&u->layouts, &w, &h);
    snprintf(text, sizeof text, tx(u->lang, TX_TOO_SMALL), u->w, u->h, w, h);
    canvas_text(&u->canvas, (struct rect){0, 0, u->w, u->h}, 0, 0, ROLE_error, text);
}

/* A note about a size that is no longer so would mislead. */
static void drop_note(struct ui *u)
{
    if (u->fallback.note[0] && !strcmp(u->note.text, u->fallback.note))
        u->note.text[0] = '\0';
    u->fallback.note[0] = '\0';
}

void frame_note_fallback(struct ui *u, const struct layout *l, int w, int h)
{
    int least_w, least_h;
    bool noted = u->fallback.l == l && u->fallback.w == w && u->fallback.h == h;
    if (!noted)
        drop_note(u);
    u->fallback.l = l;
    u->fallback.w = w;
    u->fallback.h = h;
    bool quiet = !u->fallback.began && !u->cfg->layout_asked; /* the first picture shows the keys, which a newcomer needs more */
    u->fallback.began = true;
    if (noted || quiet || l == u->layouts.requested)
        return;
    layout_min_size(u->layouts.requested, &least_w, &least_h);
    ui_note(u, tx(u->lang, ui_two(u) ? TX_FALLBACK_EACH : TX_FALLBACK), layout_name(u->layouts.requested), least_w, least_h, w, h,
            layout_name(l));
    snprintf(u->fallback.note, sizeof u->fallback.note, "%s", u->note.text);
}

static bool has_pane(const struct ui *u, enum pane_kind kind)
{
    for (int i = 0; i < u->placed.n; i++)
        if (u->placed.pane[i].kind == (int)kind)
            return true;
    return false;
}

/* Returns the rows of the lesson's frame in which each entry that this run has, and each answer, has large letters, if there is room for them. */
static int rows_of_lesson(struct ui *u)
{
    enum { LEAST = 18, MOST = 26, EDGES = 2, SIDES_W = 4 };
    struct lesson_box *box = &u->lesson_box;
    struct session_lesson l;
    struct view v = ui_view(u, LEFT);
    if (box->rows && box->run == u->run->st.run && box->met == u->lesson.met && box->w == u->w && box->lang == u->lang)
        return box->rows;
    *box = (struct lesson_box){u->run->st.run, u->lesson.met, u->w, LEAST, u->lang};
    for (uint32_t i = 0; i < u->lesson.n; i++) {
        int rows = u->ops->lesson->entry(u->run->session, i, &l) ? EDGES + lesson_rows_large(&v, &l, u->w - SIDES_W, MOST - EDGES) : 0;
        box->rows = rows > box->rows ? rows : box->rows;
    }
    return box->rows;
}

/* Rows for a lesson that is played, if the layout has no pane for it. The same number for each entry, so that nothing moves. */
static int lesson_rows(struct ui *u)
{
    enum { TALL = 56 };
    if (!u->lesson.on || has_pane(u, PANE_lesson))
        return 0;
    if (u->h >= TALL && has_pane(u, PANE_stage))
        return rows_of_lesson(u);
    int rows = u->h >= 28 ? 8 : 6;
    return rows < u->h / 3 ? rows : u->h / 3;
}

enum { INTRO_EVENTS = 40 };

/* Is there something to say: the hint until the first key, then what the run is about while it begins? It depends on the events, not on
 * the clock, so that a stop always looks the same. The stage has a title of its own. */
static bool has_intro(const struct ui *u)
{
    const struct session_status *st = &u->run->st;
    bool begins = !ui_two(u) && !u->lesson.on && st->name && st->events < INTRO_EVENTS && !st->ended && !has_pane(u, PANE_stage);
    return !u->cfg->tour && (u->hint || begins);
}

/* Places the layout's panes so that `rows` rows are free below them, for what the layout has no pane for, and cut.spare for what comes and
 * goes. Its row of keys stays the last one. Returns the y of these rows. */
static int place_above(struct ui *u, const struct layout *l, int rows, struct layout_cut cut)
{
    struct placed *p = &u->placed;
    int y = u->h - rows - cut.spare;
    p->n = layout_solve_cut(l, cut, u->w, u->h - rows, p->pane, PANES_MAX - 2);
    struct layout_pane *last = p->n ? &p->pane[p->n - 1] : NULL;
    if (!last || last->kind != PANE_keys || last->rect.h != 1 || last->rect.y != y - 1)
        return y;
    last->rect.y = u->h - 1;
    return y - 1;
}

int dock_rows(const struct ui *u, int h)
{
    enum { LOW = 20, ROOMY = 36, TALL = 56, ROWS_LEAST = 2, ROWS_LOW = 6, ROWS_ROOMY = 7, ROWS_TALL = 12 };
    struct layout_pane probe = {.rect = {0, 0, 9, 9}};
    int edges = 9 - pane_inside(&u->canvas, &probe).h, third = h / 3 - edges;
    int rows = h >= TALL ? ROWS_TALL : h >= ROOMY ? ROWS_ROOMY : h >= LOW ? ROWS_LOW : third > ROWS_LEAST ? third : ROWS_LEAST;
    return u->inspect || u->why ? edges + rows : 0;
}

uint32_t dock_hides(int h)
{
    enum { ROOMY = 36, LOW = 20 };
    uint32_t low = 1u << PANE_threads | 1u << PANE_global_queue;
    return h >= ROOMY ? 0 : 1u << PANE_output | (h < LOW ? low : 0);
}

struct layout_pane dock_pane(const struct ui *u, struct layout_rect rect)
{
    return u->why ? pane_docked(rect, u->why == WHY_LIFE) : pane_standard(PANE_inspect, rect);
}

/* Are these columns of the frame free, and one more before them? */
static bool is_free(const struct canvas *c, int x, int y, int w)
{
    for (int i = x - 1; i < x + w; i++)
        if (i < 0 || i >= c->w || c->cell[y * c->w + i].role != ROLE_border)
            return false;
    return true;
}

void dock_hint(struct ui *u, const struct layout_pane *dock)
{
    static const enum text_id of[][2] = {[WHY_NOT] = {TX_INSPECT_CLOSE, TX_INSPECT_GOES},
                                         [WHY_CAUSES] = {TX_WHY_CLOSE, TX_WHY_GOES},
                                         [WHY_LIFE] = {TX_LIFE_CLOSE, TX_LIFE_GOES}};
    struct rect r = pane_rect(dock);
    bool focused = ui_focused(u, u->placed.n) == dock;
    const enum text_id texts[] = {of[u->why][focused], of[WHY_NOT][focused]}; /* the second one is shorter */
    for (int i = 0; i < 2; i++) {
        int w = canvas_width(&u->canvas, tx(u->lang, texts[i])), x = r.x + r.w - 2 - w;
        if (!is_free(&u->canvas, x, r.y, w))
            continue;
        canvas_text(&u->canvas, r, x, r.y, ROLE_dim, tx(u->lang, texts[i]));
        return;
    }
}

/* On a high screen, other panes can give rows to one that has more to show. */
static uint32_t panes_that_need_more(struct ui *u)
{
    enum { HIGH = 40 };
    struct view v = ui_view(u, LEFT);
    uint32_t more = 0;
    for (int i = 0; i < u->placed.n && u->h >= HIGH; i++) {
        const struct layout_pane *p = &u->placed.pane[i];
        more |= (uint32_t)(pane_rows_wanted(&v, p->kind) > pane_inside(&u->canvas, p).h) << p->kind;
    }
    return more;
}

static void place(struct ui *u, const struct layout *l)
{
    struct placed *p = &u->placed;
    p->n = layout_solve(l, u->w, u->h, p->pane, PANES_MAX); /* has_pane() looks there */
    bool why = u->why && !has_pane(u, PANE_goroutine), inspect = u->inspect && !has_pane(u, PANE_inspect);
    int lesson = lesson_rows(u), intro = has_intro(u), dock = why || inspect ? dock_rows(u, u->h) : 0;
    uint32_t without = lesson + dock ? dock_hides(u->h) : 0;
    int notes = has_pane(u, PANE_stage) && !intro; /* a row for what the screen answers: the layout has no keys */
    int y = place_above(u, l, lesson + dock, (struct layout_cut){without, intro + notes, panes_that_need_more(u)});
    p->intro = intro ? y + lesson + dock : -1;
    if (lesson)
        p->pane[p->n++] = pane_standard(PANE_lesson, (struct layout_rect){0, y, u->w, lesson});
    struct layout_rect docked = {0, y + lesson, u->w, dock};
    if (dock)
        p->pane[p->n++] = dock_pane(u, docked);
    p->docked = dock;
}

/* The program's pane shows where Gs stand, which is recorded only for it. A run that is under way stays as it is. */
static void ask_for_places(struct ui *u)
{
    for (int i = 0; i < u->placed.n && !u->places_asked; i++)
        u->places_asked = u->placed.pane[i].kind == PANE_program;
    for (int i = 0; i < u->nruns && u->places_asked; i++)
        if (!u->run[i].st.places)
            u->ops->record_places(u->run[i].session);
}

static void draw_layout(struct ui *u, const struct layout *l)
{
    struct key_hint hint[KEY_HINTS_MAX];
    struct view v = ui_view(u, LEFT);
    struct pane_source from = ui_source(u, LEFT);
    struct placed *p = &u->placed;
    place(u, l);
    ask_for_places(u);
    v.hint = hint;
    v.nhints = key_hints(u, hint);
    v.focused = ui_focused(u, p->n);
    v.on_screen = panes_kinds(&u->canvas, p->pane, p->n);
    frame_note_fallback(u, l, u->w, u->h);
    frame_place_note(u);
    panes_prepare(&v, &u->canvas, p->pane, p->n, &from);
    panes_draw(&v, &u->canvas, p->pane, p->n);
    if (p->docked)
        dock_hint(u, &p->pane[p->n - 1]);
    select_draw(&u->select, &u->canvas, p->pane, p->n);
}

static void draw_one(struct ui *u)
{
    const struct layout *l = layouts_pick(&u->layouts, u->w, u->h);
    if (l)
        draw_layout(u, l);
    else
        draw_too_small(u);
}

/* On the row above the keys, which no pane has. A Go program has no summary. */
static void draw_intro(struct ui *u)
{
    char text[1024];
    const struct session_status *st = &u->run->st;
    struct rect row = {0, ui_two(u) ? u->h - 2 : u->placed.intro, u->w, 1};
    if (row.y < 0 || !has_intro(u))
        return;
    if (u->hint)
        snprintf(text, sizeof text, "%s", tx(u->lang, TX_FIRST_HINT));
    else if (text_in(&st->summary, u->lang)[0])
        snprintf(text, sizeof text, tx(u->lang, TX_INTRO), text_in(&st->title, u->lang), text_in(&st->summary, u->lang));
    else
        snprintf(text, sizeof text, "%s", text_in(&st->title, u->lang));
    canvas_hline(&u->canvas, row, 0, row.y, u->w, ROLE_plain, ' ');
    canvas_text(&u->canvas, row, 1, row.y, ROLE_sentence_now, text);
}

/* A click must find the keys where they were drawn, even if the note is gone by then. */
void frame_place_note(struct ui *u)
{
    snprintf(u->placed.note, sizeof u->placed.note, "%s", u->note.text);
}

/* The row of keys: the last row of the screen, if the layout has it. */
static bool has_key_row(const struct ui *u)
{
    const struct placed *p = &u->placed;
    for (int i = 0; i < p->n && !ui_two(u); i++)
        if (p->pane[i].kind == PANE_keys && p->pane[i].rect.y == u->h - 1)
            return true;
    return ui_two(u);
}

/* Draws a note that has no place in the key line: above it. */
static void draw_note(struct ui *u)
{
    struct key_hint hint[KEY_HINTS_MAX];
    struct view v = ui_view(u, LEFT);
    bool below = has_key_row(u);
    int rows = wrap_lines(v.note, u->w - 1), y = u->h - below - rows;
    v.hint = hint;
    v.nhints = key_hints(u, hint);
    if (!v.note[0] || y < 0 || (below && keys_hold_note(&v, (struct rect){0, u->h - 1, u->w, 1})))
        return;
    for (int i = y; i < y + rows; i++)
        canvas_hline(&u->canvas, (struct rect){0, i, u->w, 1}, 0, i, u->w, ROLE_plain, ' ');
    wrap_draw(&u->canvas, (struct rect){1, y, u->w - 1, rows}, ROLE_sentence_now, v.note);
}

static void draw_above_tour(struct ui *u)
{
    (ui_two(u) ? compare_draw : draw_one)(u);
    if (u->placed.nothing)
        return;
    draw_intro(u);
    if (u->box.kind == BOX_CARD && has_pane(u, PANE_stage))
        canvas_clear(&u->canvas); /* the card would cut large letters */
    box_draw(u);
    draw_note(u);
    completion_draw(u);
    prompt_draw(&u->command.prompt, &u->canvas);
}

bool frame_draw(struct ui *u)
{
    if ((u->canvas.w != u->w || u->canvas.h != u->h) && !canvas_resize(&u->canvas, u->w, u->h))
        return false;
    canvas_clear(&u->canvas);
    u->placed.n = u->placed.of_left = 0;
    u->placed.nothing = u->placed.stale = u->placed.docked = false;
    u->h = u->canvas.h -= tour_rows(u); /* the text of a tour has rows of its own, which nothing covers */
    draw_above_tour(u);
    u->h = u->canvas.h += tour_rows(u);
    if (u->cfg->tour)
        tour_draw(u);
    return true;
}
