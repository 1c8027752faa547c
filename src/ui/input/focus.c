/* How a key or a click reaches a pane, and how the pane's request is carried out. */
#include "ui/input/focus.h"

#include "ui/input/keys.h"
#include "ui/input/requests.h"

static void add_break(struct ui *u, const char *place)
{
    struct session_mistake wrong = {.lang = u->lang};
    if (u->ops->breaks->add(u->run->session, place, &wrong))
        ui_note(u, tx(u->lang, wrong.unrecorded ? TX_NOTE_BREAK_LATER : TX_NOTE_BREAK), place);
    else
        ui_note(u, "%s", wrong.text);
}

static bool grant(struct ui *u, struct pane_request r)
{
    if (r.break_at[0])
        add_break(u, r.break_at);
    if (r.select) {
        int pane = u->select.pane, nth = u->select.nth;
        u->select = (struct selection){.tag = r.select, .pane = pane, .nth = nth};
    }
    if (r.note)
        ui_note_text(u, r.note);
    if (r.go_to) {
        ui_move_on(u);
        ui_went(u, u->ops->rewind->goto_event(u->run->session, r.go_to));
    }
    return r.taken;
}

/* Returns the panes of the run to which pane *at belongs; *at becomes its index among them. */
static const struct layout_pane *panes_of(const struct ui *u, int *at, int *side)
{
    *side = ui_two(u) && *at >= u->placed.of_left ? RIGHT : LEFT;
    int first = *side == RIGHT ? u->placed.of_left : 0;
    *at -= first;
    return &u->placed.pane[first];
}

/* The view with the status of this moment: a key may follow another one faster than the state is fetched. */
static struct view present_view(struct ui *u, int side)
{
    struct view v = ui_view(u, side);
    v.focused = ui_focused(u, u->placed.n);
    u->ops->status(u->run[side].session, &v.st);
    return v;
}

/* Returns the pane of the lesson, -1 if there is none. It takes space first, to turn its page: the run must not continue before the whole
 * text was shown. */
static int lesson_pane(const struct ui *u)
{
    for (int i = 0; u->lesson.on && i < u->placed.n; i++)
        if (u->placed.pane[i].kind == PANE_lesson)
            return i;
    return -1;
}

static bool key_of(struct ui *u, int at, uint32_t code)
{
    int side;
    if (at < 0)
        return false;
    const struct layout_pane *pane = panes_of(u, &at, &side);
    struct view v = present_view(u, side);
    struct pane_source from = ui_source(u, side);
    return grant(u, panes_key(&v, &u->canvas, pane, at, code, &from));
}

bool focus_send(struct ui *u, int kind, uint32_t code)
{
    const struct placed *p = &u->placed;
    int runs = ui_two(u) ? SIDES : 1, sent = 0;
    for (int run = 0; run < runs; run++) {
        int at = run ? p->of_left : 0, end = runs > 1 && !run ? p->of_left : p->n;
        while (at < end && p->pane[at].kind != kind)
            at++;
        if (at < end)
            key_of(u, at, code);
        sent += at < end;
    }
    return sent;
}

static bool is_wheel(uint32_t code)
{
    return code == KEY_CODE_WHEEL_UP || code == KEY_CODE_WHEEL_DOWN;
}

/* The wheel is for the pane under the pointer, every other key for the pane with the focus. */
static int pane_for(const struct ui *u, uint32_t code)
{
    int x, y;
    if (!is_wheel(code))
        return select_pane(&u->select, u->placed.pane, u->placed.n);
    screen_mouse(u->screen, &x, &y);
    return select_pane_at(u->placed.pane, u->placed.n, x, y);
}

bool focus_key(struct ui *u, uint32_t code)
{
    bool pages = code == ' ' || code == KEY_CODE_PAGE_DOWN || code == KEY_CODE_PAGE_UP;
    int at = pane_for(u, code);
    if (pages && key_of(u, lesson_pane(u), code))
        return true;
    if (!key_of(u, at, code))
        return false;
    if (is_wheel(code)) /* the list that scrolls has the focus: it stays where it was scrolled to */
        select_focus(&u->select, u->placed.pane, at);
    return true;
}

/* The key line takes no focus: its keys are for the pane that has it. */
bool focus_click(struct ui *u, int x, int y)
{
    int at = select_pane_at(u->placed.pane, u->placed.n, x, y), side, clicked = at;
    if (at < 0)
        return false;
    const struct layout_pane *pane = panes_of(u, &at, &side);
    struct key_hint hint[KEY_HINTS_MAX];
    struct view v = present_view(u, side);
    v.hint = hint;
    v.nhints = key_hints(u, hint);
    struct pane_request r = panes_click(&v, &u->canvas, pane, at, x, y);
    if (r.press)
        return key_press(u, r.press);
    if (r.taken)
        select_focus(&u->select, u->placed.pane, clicked);
    return grant(u, r);
}
