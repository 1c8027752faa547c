/* Timeline: a lane for each P, M or G, a column for each slice of time. Below: runnable Gs, marks, and the times.
 *
 * A move of the cursor moves the present of the whole screen: the cursor is the state that is shown. */
#include "ui/panes/timeline.h"
#include "ui/panes/event_list.h"
#include "ui/term/keycodes.h"

#include <stdio.h>
#include <string.h>

enum { FEET = 3 };

struct state {
    struct timeline t;
    enum lane_kind kind;
    int zoom;
    uint32_t lane, top; /* lane: that of the cursor */
    int rows;           /* lanes that fit */
};

static const struct layout_option option[] = {{.name = "lanes", .type = OPTION_WORD, .word = {"p", "m", "g"}}};

/* The lanes of the layout, turned by `v` as often as state->kind says. */
static enum lane_kind kind_of(const struct pane *p, const struct view *v)
{
    const struct state *s = p->state;
    enum lane_kind kind = (enum lane_kind)(((int)s->kind + p->at->option[0]) % LANE_KINDS);
    return kind == LANE_P && v->st.no_p ? LANE_M : kind;
}

static int label_width(const struct view *v)
{
    int g = g_width(v), m = m_width(v);
    return (g > m ? g : m) + 1;
}

/* ---- reading ---- */

struct reading {
    const struct pane *p;
    const struct view *v;
};

static void read_it(struct history *h, void *ctx)
{
    const struct reading *r = ctx;
    struct state *s = r->p->state;
    struct timeline_range range;
    memset(&range, 0, sizeof range); /* ranges are compared byte by byte */
    range.kind = kind_of(r->p, r->v);
    range.zoom = s->zoom;
    range.top = s->top;
    range.lanes = s->rows;
    range.columns = r->p->in.w - label_width(r->v) - 2;
    range.shown = r->v->st.events;
    range.newest = history_events(h);
    range.now = r->v->st.time;
    timeline_read(&s->t, r->v, &range, h);
}

/* The lane of the cursor stays in view. */
static void scroll(struct state *s)
{
    uint32_t rows = s->rows > 0 ? (uint32_t)s->rows : 1;
    s->lane = s->lane < s->t.nlanes ? s->lane : s->t.nlanes ? s->t.nlanes - 1 : 0;
    if (s->lane < s->top)
        s->top = s->lane;
    else if (s->lane >= s->top + rows)
        s->top = s->lane - rows + 1;
}

static void prepare(const struct pane *p, const struct view *v, const struct pane_source *from)
{
    struct state *s = p->state;
    struct reading r = {p, v};
    s->rows = p->in.h - FEET > 0 ? p->in.h - FEET : 1;
    s->rows = s->rows < LANES_MAX ? s->rows : LANES_MAX;
    scroll(s);
    if (!v->md || !from->query(from->session, read_it, &r))
        s->t.read = false;
}

/* ---- drawing ---- */

/* One letter for each G: 1 … 9, A … Z, a … z; the runtime's own Gs are "@". */
static uint32_t letter_of(uint32_t g)
{
    static const char letters_of_g[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    return ev_is_system_g(g) ? '@' : (unsigned char)letters_of_g[g % (sizeof letters_of_g - 1)];
}

static void title(const struct pane *p, const struct view *v, char *buf, size_t size)
{
    static const enum text_id of[] = {[LANE_P] = TX_LANES_P, [LANE_M] = TX_LANES_M, [LANE_G] = TX_LANES_G};
    const struct state *s = p->state;
    char length[32], column[32];
    int n = snprintf(buf, size, "%s", tx(v->lang, TX_TIMELINE));
    if (!s || !s->t.read || p->in.w < 50)
        return;
    n += snprintf(buf + n, size - (size_t)n, " ─ %s", tx(v->lang, of[s->t.at.kind]));
    n += snprintf(buf + n, size - (size_t)n, tx(v->lang, TX_TIMELINE_SCALE), duration_text(s->t.end - s->t.start, length, sizeof length),
                  duration_text((s->t.end - s->t.start) / s->t.columns, column, sizeof column));
    if (s->t.coarse)
        snprintf(buf + n, size - (size_t)n, "%s", tx(v->lang, TX_TIMELINE_COARSE));
}

static void draw_lane(const struct state *s, struct canvas *c, struct rect in, int i, int x)
{
    uint32_t nth = s->top + (uint32_t)i;
    char prefix = "PMG"[s->t.at.kind];
    int y = in.y + i;
    if (prefix == 'G')
        draw_g(c, in, in.x + 1, y, timeline_lane_id(LANE_G, nth), false);
    else
        draw_label(c, in, in.x + 1, y, (struct label){prefix, nth, ROLE_heading, false});
    for (int k = 0; k < s->t.columns; k++) {
        const struct lane_cell *cell = &s->t.cell[i][k];
        canvas_put(c, in, x + k, y, cell->g ? g_role(cell->g) : cell->role, cell->g ? letter_of(cell->g) : cell->ch);
    }
    if (nth == s->lane)
        canvas_put(c, in, in.x, y, ROLE_focus, 0x25b6);
}

/* Eight heights; any queue at all is seen. */
static void draw_queue(const struct state *s, const struct view *v, struct canvas *c, struct rect in, int y, int x)
{
    canvas_text(c, (struct rect){in.x, y, x - in.x - 1, 1}, in.x + 1, y, ROLE_dim, tx(v->lang, TX_TIMELINE_QUEUE));
    for (int k = 0; k < s->t.columns; k++) {
        double share = s->t.most_queued > 0 ? s->t.slice[k].queued / s->t.most_queued : 0;
        if (s->t.slice[k].queued > 0)
            canvas_put(c, in, x + k, y, ROLE_number, 0x2581 + (uint32_t)(share * 7));
    }
}

static const struct {
    uint32_t bit, ch;
    enum role role;
    enum text_id name;
} marks[] = {
    {MARK_STOP, '!', ROLE_error, TX_MARK_STOP},         {MARK_GC, 'c', ROLE_netpoll, TX_MARK_GC},
    {MARK_PREEMPT, 'p', ROLE_syscall, TX_MARK_PREEMPT}, {MARK_STEAL, 's', ROLE_arrow, TX_MARK_STEAL},
    {MARK_IN_STOP, 0x2550, ROLE_error, TX_MARK_STOP},   {MARK_IN_GC, 0x2500, ROLE_netpoll, TX_MARK_GC},
};
enum { MARKS = sizeof marks / sizeof *marks, BANDS = 2 }; /* the last BANDS continue a mark */

static void draw_marks(const struct state *s, struct canvas *c, struct rect in, int y, int x)
{
    for (int k = 0; k < s->t.columns; k++)
        for (int m = MARKS; m-- > 0;) /* the first of the table is drawn last */
            if (s->t.slice[k].marks & marks[m].bit)
                canvas_put(c, in, x + k, y, marks[m].role, marks[m].ch);
}

/* The times of the first and the last column, and what the marks mean. */
static void draw_axis(const struct state *s, const struct view *v, struct canvas *c, struct rect in, int y, int x)
{
    char from[32], to[32];
    int at = canvas_text(c, in, x, y, ROLE_dim, time_text(s->t.start, from, sizeof from)) + 3;
    time_text(s->t.end, to, sizeof to);
    int end = x + s->t.columns - 1;
    canvas_right(c, in, end, y, ROLE_dim, to);
    for (int m = 0; m < MARKS - BANDS; m++) {
        const char *name = tx(v->lang, marks[m].name);
        if (at + 2 + text_width(name) + 2 >= end - text_width(to))
            return;
        canvas_put(c, in, at, y, marks[m].role, marks[m].ch);
        at = canvas_text(c, in, at + 2, y, ROLE_dim, name) + 2;
    }
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    const struct state *s = p->state;
    struct rect in = p->in;
    int x = in.x + 1 + label_width(v), lanes = (int)(s->t.nlanes - s->top < (uint32_t)s->rows ? s->t.nlanes - s->top : (uint32_t)s->rows);
    if (!v->md || !s->t.read) {
        list_text(c, in, in.x + 1, in.y, in.w - 2, ROLE_dim, tx(v->lang, TX_EMPTY_NARRATION));
        return;
    }
    if (!s->t.nlanes) {
        list_text(c, in, in.x + 1, in.y, in.w - 2, ROLE_dim, tx(v->lang, TX_EMPTY_TIMELINE));
        return;
    }
    for (int i = 0; i < lanes; i++)
        draw_lane(s, c, in, i, x);
    draw_queue(s, v, c, in, in.y + lanes, x);
    draw_marks(s, c, in, in.y + lanes + 1, x);
    draw_axis(s, v, c, in, in.y + lanes + 2, x);
    for (int y = in.y; y < in.y + lanes + 2 && y < in.y + in.h; y++)
        if (x + s->t.present < in.x + in.w)
            c->cell[y * c->w + x + s->t.present].chosen = true;
}

/* ---- keys ---- */

static struct pane_request done(uint64_t go_to)
{
    return (struct pane_request){.taken = true, .go_to = go_to};
}

/* To the next slice in which something happened. */
static struct pane_request key_right(const struct pane *p, const struct view *v)
{
    const struct state *s = p->state;
    for (int x = s->t.present; s->t.read && x < s->t.columns; x++)
        if (s->t.slice[x].to > v->st.events)
            return done(s->t.slice[x].to);
    return s->t.read && v->st.events < s->t.at.newest
               ? done(v->st.events + 1)
               : (struct pane_request){.taken = true, .note = TX_NOTE_PRESENT};
}

static struct pane_request key_left(const struct pane *p, const struct view *v)
{
    const struct state *s = p->state;
    for (int x = s->t.present; s->t.read && x >= 0; x--)
        if (s->t.slice[x].to < v->st.events && s->t.slice[x].to > v->st.oldest)
            return done(s->t.slice[x].to);
    return v->st.events > v->st.oldest + 1 ? done(v->st.events - 1) : (struct pane_request){.taken = true, .note = TX_NOTE_FIRST};
}

static struct pane_request move_lane(const struct pane *p, int by)
{
    struct state *s = p->state;
    if (by > 0 || s->lane > 0)
        s->lane += (uint32_t)by;
    scroll(s);
    return done(0);
}

static struct pane_request key_up(const struct pane *p, const struct view *v)
{
    (void)v;
    return move_lane(p, -1);
}

static struct pane_request key_down(const struct pane *p, const struct view *v)
{
    (void)v;
    return move_lane(p, 1);
}

static struct pane_request zoom(const struct pane *p, const struct view *v, int by)
{
    struct state *s = p->state;
    int most = timeline_most_zoom(&s->t, v->st.newest_time), to = s->zoom + by;
    s->zoom = to < 0 ? 0 : to > most ? most : to;
    return done(0);
}

static struct pane_request key_in(const struct pane *p, const struct view *v)
{
    return zoom(p, v, 1);
}

static struct pane_request key_out(const struct pane *p, const struct view *v)
{
    return zoom(p, v, -1);
}

static struct pane_request key_turn(const struct pane *p, const struct view *v)
{
    struct state *s = p->state;
    enum lane_kind was = kind_of(p, v);
    do
        s->kind = (enum lane_kind)(((int)s->kind + 1) % LANE_KINDS);
    while (kind_of(p, v) == was);
    s->lane = s->top = 0;
    return done(0);
}

/* The G in the cell, else the P, M or G of the lane. */
static uint32_t tag_at(const struct state *s, uint32_t lane, int x)
{
    uint32_t row = lane - s->top, g = row < (uint32_t)s->rows ? s->t.cell[row][x].g : 0;
    return g ? tag_of('G', g) : tag_of("PMG"[s->t.at.kind], timeline_lane_id(s->t.at.kind, lane));
}

static struct pane_request key_enter(const struct pane *p, const struct view *v)
{
    const struct state *s = p->state;
    (void)v;
    if (!s->t.read || s->lane >= s->t.nlanes)
        return done(0);
    return (struct pane_request){.taken = true, .go_to = s->t.at.shown, .select = tag_at(s, s->lane, s->t.present)};
}

/* A click goes to the slice and selects what is in it; a click on a label selects the P, M or G. */
static struct pane_request mouse(const struct pane *p, const struct view *v, int x, int y)
{
    struct state *s = p->state;
    int column = x - 1 - label_width(v);
    uint32_t lane = s->top + (uint32_t)y;
    bool on_lane = y < s->rows && lane < s->t.nlanes;
    if (!s->t.read || column >= s->t.columns)
        return done(0);
    s->lane = on_lane ? lane : s->lane;
    if (column < 0)
        return (struct pane_request){
            .taken = true, .select = on_lane ? tag_of("PMG"[s->t.at.kind], timeline_lane_id(s->t.at.kind, lane)) : 0};
    return (struct pane_request){.taken = true, .go_to = s->t.slice[column].to, .select = on_lane ? tag_at(s, lane, column) : 0};
}

static const struct pane_key key[] = {
    {KEY_CODE_LEFT, 'h', "left, h", TX_TIMELINE_LEFT, key_left, TX_SHORT_IN_TIME},
    {KEY_CODE_RIGHT, 'l', "right, l", TX_TIMELINE_RIGHT, key_right, TX_SHORT_IN_TIME},
    {KEY_CODE_UP, 'k', "up, k", TX_TIMELINE_UP, key_up, TX_SHORT_LANE},
    {KEY_CODE_DOWN, 'j', "down, j", TX_TIMELINE_DOWN, key_down, TX_SHORT_LANE},
    {KEY_CODE_WHEEL_UP, 0, "wheel up", TX_TIMELINE_UP, key_up, TX_NONE},
    {KEY_CODE_WHEEL_DOWN, 0, "wheel down", TX_TIMELINE_DOWN, key_down, TX_NONE},
    {'>', 0, ">", TX_TIMELINE_IN, key_in, TX_SHORT_ZOOM},
    {'<', 0, "<", TX_TIMELINE_OUT, key_out, TX_SHORT_ZOOM},
    {'v', 0, "v", TX_TIMELINE_TURN, key_turn, TX_SHORT_LANES},
    {KEY_RETURN, '\n', "enter", TX_TIMELINE_ENTER, key_enter, TX_SHORT_GO_THERE},
};

const struct pane_ops pane_timeline = {
    .cursor = true,
    .drags = true,
    .option = option,
    .noptions = sizeof option / sizeof *option,
    .key = key,
    .nkeys = sizeof key / sizeof *key,
    .state_bytes = sizeof(struct state),
    .title = title,
    .prepare = prepare,
    .draw = draw,
    .mouse = mouse,
};
