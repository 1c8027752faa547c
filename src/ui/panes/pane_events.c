/* Events: one line for each event of the whole history, with a cursor. */
#include "ui/panes/parts/event_list.h"
#include "ui/term/keycodes.h"

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    event_rows_draw(p->state, v, c, p->in);
}

static void prepare(const struct pane *p, const struct view *v, const struct pane_source *from)
{
    struct event_list *l = p->state;
    l->extra[0] = v->st.events; /* at a stop at a detail event the list has that event, too */
    l->nextra = v->st.paused && !l->only && v->st.events;
    list_prepare(l, v, p->in.h, from);
}

static void title(const struct pane *p, const struct view *v, char *buf, size_t size)
{
    if (p->state)
        event_rows_title(p->state, v, TX_EVENTS, buf, size);
}

static struct pane_request key_details(const struct pane *p, const struct view *v, int by)
{
    struct event_list *l = p->state;
    (void)v;
    (void)by;
    l->details = !l->details;
    return (struct pane_request){.taken = true};
}

static struct pane_request mouse(const struct pane *p, const struct view *v, int x, int y)
{
    (void)v;
    (void)x;
    return list_click(p->state, y);
}

static const struct pane_key key[] = {
    LIST_KEYS(list_key_move),
    {KEY_RETURN, '\n', "enter", TX_LIST_ENTER, list_key_enter, TX_SHORT_GO_THERE, 0},
    {'d', 0, "d", TX_LIST_DETAILS, key_details, TX_SHORT_DETAILS, 0},
    {'F', 0, "F", TX_LIST_FILTER, list_key_filter, TX_SHORT_FILTER, 0},
};

const struct pane_ops pane_events = {
    .cursor = true,
    .key = key,
    .nkeys = sizeof key / sizeof *key,
    .state_bytes = sizeof(struct event_list),
    .title = title,
    .prepare = prepare,
    .draw = draw,
    .mouse = mouse,
};
