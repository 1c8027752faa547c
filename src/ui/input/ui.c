/* Makes the view of a run from what was fetched of it. */
#include "ui/input/lesson_answers.h"
#include "ui/input/search.h"

struct view ui_view(struct ui *u, int side)
{
    struct run *r = &u->run[side];
    struct shown_state base = diff_base_base(&r->stops);
    struct view v = {
        .md = r->stops.shown.md,
        .st = r->st,
        .ev = r->ev,
        .nev = r->nev,
        .pend = r->pend,
        .npend = r->npend,
        .line = (const char(*)[LINE_MAX_BYTES])r->line,
        .nlines = r->nlines,
        .total_lines = r->total_lines,
        .sentences = r->sentences,
        .flow = u->ops->flow(r->session),
        .program = u->ops->program(r->session),
        .states = &r->panes,
        .lesson = u->lesson.on ? &u->lesson : NULL,
        .answered = lesson_answered(u),
        .answered_late = lesson_answered(u) >= 0 && u->taken.given[u->lesson.entry].late,
        .revealed = u->taken.revealed,
        .card_waits = lesson_has_card(u),
        .notes = u->notes,
        .score = u->taken.score,
        .selected = u->select.tag,
        .lang = u->lang,
        .pattern = u->command.pattern,
        .text = u->command.text,
        .hit = search_shown(u),
        .note = u->placed.note,
        .large = u->box.kind == BOX_NONE && !u->canvas.ascii,              /* a box would cut large letters */
        .on_screen = panes_kinds(&u->canvas, u->placed.pane, u->placed.n), /* of the last frame; a new one has its own */
    };
    if (lesson_asks(&v))
        v.npend = 0;                                  /* they are the future of the state shown, which the question is about */
    diff_stop(&v, base.md, base.lines, r->st.paused); /* while the run is running, new entries of a list are at its end anyway */
    return v;
}

const struct layout_pane *ui_focused(const struct ui *u, int n)
{
    int at = select_pane(&u->select, u->placed.pane, n);
    return at < 0 ? NULL : &u->placed.pane[at];
}

struct pane_source ui_source(const struct ui *u, int side)
{
    return (struct pane_source){
        u->run[side].session, u->ops->search->query, u->ops->search->matches, u->ops->variables, u->ops->breaks->list,
        u->ops->reach,        u->ops->race};
}
