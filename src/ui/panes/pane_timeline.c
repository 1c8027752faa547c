/* Timeline: a lane for each P, M or G, a column for each slice of time. Below: runnable Gs, marks, and the times.
 *
 * A move of the cursor moves the present of the whole screen: the cursor is the state that is shown. */
#include "ui/panes/parts/timeline.h"
#include "ui/panes/parts/event_list.h"
#include "ui/term/keycodes.h"

#include <stdio.h>
#include <string.h>

#define GAP 0x250a

/* Below the lanes: the queue, the marks, the axis, and the legend where there is room. */
enum { FEET = 3, LEGEND_FROM = 7, LEGEND_ROWS = 2, QUEUE_ROWS = 6 };

struct state {
    struct timeline t;
    enum lane_kind kind;
    enum timeline_axis axis;
    uint64_t followed; /* the event whose actor has its lane in view */
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
    range.axis = s->axis;
    range.zoom = s->zoom;
    range.top = s->top;
    range.lanes = s->rows;
    range.columns = r->p->in.w - label_width(r->v) - 2;
    range.columns = range.columns < SLICES_MAX ? range.columns : SLICES_MAX;
    range.shown = r->v->st.events;
    range.newest = history_events(h);
    range.now = r->v->st.time;
    range.over = r->v->st.ended;
    timeline_read(&s->t, r->v, &range, h);
}

/* The lane of the cursor stays in view. */
static void scroll(struct state *s)
{
    int n = (int)s->t.nlanes;
    s->lane = (uint32_t)scroll_to((int)s->lane, 0, s->rows, n);
    s->top = (uint32_t)scroll_top((int)s->top, (int)s->lane, s->rows > 0 ? s->rows : 1, n);
}

/* Returns the id of the P, M or G that made the event shown, EV_NONE if none did. */
static uint32_t actor_of(const struct state *s, const struct view *v)
{
    const struct session_event *e = v->nev ? &v->ev[v->nev - 1] : NULL;
    if (!e || e->number != v->st.events)
        return EV_NONE;
    uint32_t g = model_m(v->md, e->m) ? model_m(v->md, e->m)->curg : 0;
    enum lane_kind kind = s->t.at.kind;
    return kind == LANE_M ? e->m : kind == LANE_P ? thing_p(v->md, tag_of('M', e->m)) : g ? g : EV_NONE;
}

/* If not all lanes fit, that of the actor is in view when another event is shown. Returns true if the lanes must be read again. */
static bool follow(struct state *s, const struct view *v)
{
    uint32_t id = actor_of(s, v), top = s->top;
    if (s->followed == v->st.events)
        return false;
    s->followed = v->st.events;
    for (uint32_t i = 0; i < s->t.nlanes && s->t.nlanes > (uint32_t)s->rows; i++)
        if (s->t.id[i] == id)
            s->lane = i;
    scroll(s);
    return s->top != top;
}

static void prepare(const struct pane *p, const struct view *v, const struct pane_source *from)
{
    struct state *s = p->state;
    struct reading r = {p, v};
    int feet = p->in.h >= LEGEND_FROM ? FEET + 1 : FEET;
    s->rows = p->in.h - feet > 0 ? p->in.h - feet : 1;
    s->rows = s->rows < LANES_MAX ? s->rows : LANES_MAX;
    scroll(s);
    if (!v->md || !from->query(from->session, read_it, &r) || (follow(s, v) && !from->query(from->session, read_it, &r)))
        s->t.read = false;
}

/* ---- drawing ---- */

/* One letter for each G: 1 … 9, A … Z, a … z; the runtime's own Gs are "@". */
static uint32_t letter_of(uint32_t g)
{
    static const char letters_of_g[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    return ev_is_system_g(g) ? '@' : (unsigned char)letters_of_g[g % (sizeof letters_of_g - 1)];
}

static uint32_t lanes_in_view(const struct state *s)
{
    uint32_t rows = (uint32_t)s->rows, left = s->top < s->t.nlanes ? s->t.nlanes - s->top : 0;
    return left < rows ? left : rows;
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
    if (s->t.nlanes < s->t.total || s->t.nlanes > (uint32_t)s->rows)
        n += snprintf(buf + n, size - (size_t)n, " +%u", s->t.total - lanes_in_view(s));
    if (s->t.by_event)
        n += snprintf(buf + n, size - (size_t)n, tx(v->lang, s->t.per_column > 1 ? TX_TIMELINE_EVENTS : TX_TIMELINE_EVENT),
                      (unsigned long long)(s->t.last - s->t.first), (unsigned long long)s->t.events, (unsigned long long)s->t.per_column);
    else
        n +=
            snprintf(buf + n, size - (size_t)n, tx(v->lang, TX_TIMELINE_SCALE), duration_text(s->t.end - s->t.start, length, sizeof length),
                     duration_text((s->t.end - s->t.start) / s->t.columns, column, sizeof column));
    if (s->t.coarse)
        snprintf(buf + n, size - (size_t)n, "%s", tx(v->lang, TX_TIMELINE_COARSE));
}

enum { LETTERS_LEAST = 4 };

struct pen {
    const struct state *s;
    const struct view *v;
    struct canvas *c;
    struct rect in;
    int x; /* of the first column */
};

/* Where one G has many columns, its name stands in front of its letters. */
static void draw_names(const struct pen *pen, int i)
{
    const struct lane_cell *cell = pen->s->t.cell[i];
    for (int k = 0, end; k < pen->s->t.columns; k = end) {
        char name[EV_G_NAME];
        for (end = k + 1; end < pen->s->t.columns && cell[end].g == cell[k].g;)
            end++;
        if (!cell[k].g)
            continue;
        int n = text_width(ev_g_name(cell[k].g, name));
        const char *fn = model_fn_name(pen->v->md, cell[k].g);
        if (end - k < n + LETTERS_LEAST)
            continue;
        draw_g(pen->c, pen->in, pen->x + k, pen->in.y + i, cell[k].g, false);
        canvas_put(pen->c, pen->in, pen->x + k + n, pen->in.y + i, ROLE_plain, ' ');
        if (!fn || end - k < n + text_width(fn) + 1 + LETTERS_LEAST)
            continue;
        int at = canvas_text(pen->c, pen->in, pen->x + k + n + 1, pen->in.y + i, g_role(cell[k].g), fn);
        canvas_put(pen->c, pen->in, at, pen->in.y + i, ROLE_plain, ' ');
    }
}

static void draw_lane(const struct pen *pen, int i)
{
    uint32_t nth = pen->s->top + (uint32_t)i, id = pen->s->t.id[nth];
    char prefix = "PMG"[pen->s->t.at.kind];
    int y = pen->in.y + i;
    if (prefix == 'G')
        draw_g(pen->c, pen->in, pen->in.x + 1, y, id, false);
    else
        draw_label(pen->c, pen->in, pen->in.x + 1, y, (struct label){prefix, id, ROLE_heading, false});
    for (int k = 0; k < pen->s->t.columns; k++) {
        const struct lane_cell *cell = &pen->s->t.cell[i][k];
        if (pen->s->t.slice[k].gap)
            canvas_put(pen->c, pen->in, pen->x + k, y, ROLE_dim, GAP);
        else
            canvas_put(pen->c, pen->in, pen->x + k, y, cell->g ? g_role(cell->g) : cell->role, cell->g ? letter_of(cell->g) : cell->ch);
    }
    draw_names(pen, i);
    if (nth == pen->s->lane)
        canvas_put(pen->c, pen->in, pen->in.x, y, ROLE_focus, 0x25b6);
}

/* Eight heights a row; any queue at all is seen. */
static void draw_queue(const struct pen *pen, struct rect at)
{
    canvas_text(pen->c, (struct rect){at.x, at.y, pen->x - at.x - 1, at.h}, at.x + 1, at.y + at.h - 1, ROLE_dim,
                tx(pen->v->lang, TX_TIMELINE_QUEUE));
    if (is_partial(pen->v)) { /* there may be runnable Gs that nobody has seen */
        canvas_put(pen->c, at, pen->x, at.y + at.h - 1, ROLE_dim, '?');
        return;
    }
    for (int k = 0; k < pen->s->t.columns; k++) {
        double share = pen->s->t.most_queued > 0 ? pen->s->t.slice[k].queued / pen->s->t.most_queued : 0;
        int eighths = pen->s->t.slice[k].queued > 0 ? 1 + (int)(share * (8 * at.h - 1)) : 0;
        for (int row = at.h; row-- > 0 && eighths > 0; eighths -= 8)
            canvas_put(pen->c, at, pen->x + k, at.y + row, ROLE_number, 0x2580 + (uint32_t)(eighths < 8 ? eighths : 8));
    }
}

static const struct {
    uint32_t bit, ch;
    enum role role;
    enum text_id name;
    uint32_t begins; /* of a band: the mark at its start */
} marks[] = {
    {MARK_STOP, '!', ROLE_error, TX_MARK_STOP, 0},
    {MARK_GC, 'c', ROLE_netpoll, TX_MARK_GC, 0},
    {MARK_PREEMPT, 'p', ROLE_syscall, TX_MARK_PREEMPT, 0},
    {MARK_STEAL, 's', ROLE_arrow, TX_MARK_STEAL, 0},
    {MARK_IN_STOP, 0x2550, ROLE_error, TX_MARK_STOP, MARK_STOP},
    {MARK_IN_GC, 0x2500, ROLE_netpoll, TX_MARK_GC, MARK_GC},
};
enum { MARKS = sizeof marks / sizeof *marks };

static void draw_marks(const struct pen *pen, int y)
{
    for (int k = 0; k < pen->s->t.columns; k++)
        for (int m = MARKS; m-- > 0;) /* the first of the table is drawn last */
            if (pen->s->t.slice[k].marks & marks[m].bit)
                canvas_put(pen->c, pen->in, pen->x + k, y, marks[m].role, marks[m].ch);
    /* the word at the present, on the side where no mark is in its way */
    const char *here = tx(pen->v->lang, TX_TIMELINE_HERE);
    int w = text_width(here) + 3, present = pen->s->t.present, at = pen->x + present; /* a blank apart from a mark */
    bool right = present + w < pen->s->t.columns, left = present >= w;
    for (int k = 1; k <= w; k++) {
        right = right && !pen->s->t.slice[present + k].marks;
        left = left && !pen->s->t.slice[present - k].marks;
    }
    if (right) {
        canvas_put(pen->c, pen->in, at + 1, y, ROLE_focus, 0x25c0);
        canvas_text(pen->c, pen->in, at + 3, y, ROLE_focus, here);
    } else if (left) {
        canvas_text(pen->c, pen->in, at - w + 1, y, ROLE_focus, here);
        canvas_put(pen->c, pen->in, at - 1, y, ROLE_focus, 0x25b6);
    }
}

/* The times of the first and the last column, and the length of each gap next to it, on the side where it fits. The last time makes way for
 * a gap. */
static void draw_axis(const struct pen *pen, int y)
{
    char from[32], to[32];
    int at = canvas_text(pen->c, pen->in, pen->x, y, ROLE_dim, time_text(pen->s->t.start, from, sizeof from)) + 1;
    int w = text_width(time_text(pen->s->t.end, to, sizeof to)), end = pen->x + pen->s->t.columns - w;
    for (int k = 0; k < pen->s->t.columns; k++)
        end = pen->s->t.slice[k].gap && pen->x + k + 2 > end ? pen->x + k + 2 : end;
    for (int k = 0; k < pen->s->t.columns; k++) {
        int gap = pen->x + k, length = text_width(duration_text(pen->s->t.slice[k].gap, from, sizeof from));
        if (!pen->s->t.slice[k].gap || gap < at)
            continue;
        canvas_put(pen->c, pen->in, gap, y, ROLE_dim, GAP);
        if (gap + 1 + length < end) {
            at = canvas_text(pen->c, pen->in, gap + 1, y, ROLE_number, from) + 1;
            continue;
        }
        if (gap - length > at)
            canvas_text(pen->c, pen->in, gap - length, y, ROLE_number, from);
        at = gap + 1;
    }
    if (end >= at && end + w < pen->in.x + pen->in.w)
        canvas_text(pen->c, pen->in, end, y, ROLE_dim, to);
}

/* ---- the legend: what occurs in the picture ---- */

struct legend {
    const struct view *v;
    struct canvas *c;
    struct rect in; /* its rows */
    int x, y;
};

static void put_legend(struct legend *l, enum role role, uint32_t ch, const char *text)
{
    int w = 2 + text_width(text);
    if (l->x > l->in.x && l->x + w > l->in.x + l->in.w) {
        l->x = l->in.x;
        l->y++;
    }
    if (l->y >= l->in.y + l->in.h)
        return;
    canvas_put(l->c, l->in, l->x, l->y, role, ch);
    l->x = canvas_text(l->c, l->in, l->x + 2, l->y, ROLE_dim, text) + 2;
}

static bool occurs(const struct state *s, uint32_t ch)
{
    for (uint32_t i = 0; i < lanes_in_view(s); i++)
        for (int x = 0; x < s->t.columns; x++)
            if (!s->t.cell[i][x].g && !s->t.slice[x].gap && s->t.cell[i][x].ch == ch)
                return true;
    return false;
}

static void legend_of_marks(struct legend *l, const struct state *s)
{
    uint32_t seen = 0;
    int64_t gap = 0;
    char text[96];
    for (int x = 0; x < s->t.columns; x++) {
        seen |= s->t.slice[x].marks;
        gap = s->t.slice[x].gap ? s->t.slice[x].gap : gap;
    }
    for (int m = 0; m < MARKS; m++)
        if (seen & marks[m].bit && !(seen & marks[m].begins))
            put_legend(l, marks[m].role, marks[m].ch, tx(l->v->lang, marks[m].name));
    if (gap)
        put_legend(l, ROLE_dim, GAP, tx(l->v->lang, TX_TIMELINE_GAP));
    if (s->t.most_queued > 0 && !is_partial(l->v)) {
        snprintf(text, sizeof text, tx(l->v->lang, s->t.by_event ? TX_TIMELINE_QUEUED : TX_TIMELINE_QUEUED_MEAN), s->t.most_queued);
        put_legend(l, ROLE_number, 0x2588, text);
    }
}

static void legend_of_cells(struct legend *l, const struct state *s)
{
    for (int i = 0; i < TIMELINE_SIGNS; i++)
        if (occurs(s, timeline_signs[i].cell.ch))
            put_legend(l, timeline_signs[i].cell.role, timeline_signs[i].cell.ch, tx(l->v->lang, timeline_signs[i].name));
    if (s->t.shares)
        put_legend(l, ROLE_running, 0x2592, tx(l->v->lang, TX_TIMELINE_SHARE));
    else if (s->t.at.kind == LANE_G)
        put_legend(l, ROLE_running, '0', tx(l->v->lang, TX_TIMELINE_ON_P));
}

/* A digit is the number of its G up to G9; each other letter is explained. */
static void legend_of_gs(struct legend *l, const struct state *s)
{
    uint32_t known[SLICES_MAX];
    int n = 0, system = 0;
    for (uint32_t i = 0; i < lanes_in_view(s); i++)
        for (int x = 0; x < s->t.columns && n < SLICES_MAX; x++) {
            uint32_t g = s->t.slice[x].gap ? 0 : s->t.cell[i][x].g;
            char name[EV_G_NAME];
            int k = 0;
            while (k < n && known[k] != g)
                k++;
            if (!g || g < 10 || k < n)
                continue;
            known[n++] = g;
            if (!ev_is_system_g(g))
                put_legend(l, g_role(g), letter_of(g), ev_g_name(g, name));
            else if (!system++)
                put_legend(l, g_role(g), letter_of(g), tx(l->v->lang, TX_TIMELINE_SYSTEM));
        }
}

static void draw_legend(const struct state *s, const struct view *v, struct canvas *c, struct rect in)
{
    struct legend l = {v, c, in, in.x, in.y};
    legend_of_marks(&l, s);
    legend_of_cells(&l, s);
    legend_of_gs(&l, s);
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    const struct state *s = p->state;
    struct rect in = p->in;
    int x = in.x + 1 + label_width(v), lanes = (int)lanes_in_view(s);
    if (!v->md || !s->t.read) {
        list_text(c, in, in.x + 1, in.y, in.w - 2, ROLE_dim, tx(v->lang, TX_EMPTY_NARRATION));
        return;
    }
    if (!s->t.nlanes) {
        list_text(c, in, in.x + 1, in.y, in.w - 2, ROLE_dim, tx(v->lang, is_partial(v) ? TX_NOT_RECORDED_HERE : TX_EMPTY_TIMELINE));
        return;
    }
    int spare = in.h - lanes - FEET, legend = spare < 0 ? 0 : spare < LEGEND_ROWS ? spare : LEGEND_ROWS;
    int queue = 1 + (spare - legend < QUEUE_ROWS - 1 ? spare - legend : QUEUE_ROWS - 1), y = in.y + lanes;
    struct pen pen = {s, v, c, in, x};
    queue = queue < 1 ? 1 : queue;
    for (int i = 0; i < lanes; i++)
        draw_lane(&pen, i);
    draw_queue(&pen, (struct rect){in.x, y, in.w, queue});
    y += queue;
    draw_marks(&pen, y);
    draw_axis(&pen, y + 1);
    draw_legend(s, v, c, (struct rect){x, y + 2, in.w - (x - in.x) - 1, legend});
    for (int row = in.y; row <= y && row < in.y + in.h; row++)
        if (x + s->t.present < in.x + in.w)
            c->cell[row * c->w + x + s->t.present].chosen = true;
}

/* ---- keys ---- */

static struct pane_request done(uint64_t go_to)
{
    return (struct pane_request){.taken = true, .go_to = go_to};
}

/* To the next slice in that direction in which something happened. */
static struct pane_request key_time(const struct pane *p, const struct view *v, int by)
{
    const struct state *s = p->state;
    uint64_t now = v->st.events;
    for (int x = s->t.present; s->t.read && x >= 0 && x < s->t.columns; x += by) {
        uint64_t to = s->t.slice[x].to;
        if (by > 0 ? to > now : to < now && to > v->st.oldest)
            return done(to);
    }
    if (by > 0 ? s->t.read && now < s->t.at.newest : now > v->st.oldest + 1)
        return done(by > 0 ? now + 1 : now - 1);
    return (struct pane_request){.taken = true, .note = by > 0 ? TX_NOTE_PRESENT : TX_NOTE_FIRST};
}

static struct pane_request key_lane(const struct pane *p, const struct view *v, int by)
{
    struct state *s = p->state;
    (void)v;
    s->lane = (uint32_t)scroll_to((int)s->lane, by, s->rows, (int)s->t.nlanes);
    scroll(s);
    return done(0);
}

static struct pane_request key_zoom(const struct pane *p, const struct view *v, int by)
{
    struct state *s = p->state;
    int most = timeline_most_zoom(&s->t, v), to = s->zoom + by;
    s->zoom = to < 0 ? 0 : to > most ? most : to;
    return done(0);
}

static struct pane_request key_turn(const struct pane *p, const struct view *v, int by)
{
    struct state *s = p->state;
    enum lane_kind was = kind_of(p, v);
    (void)by;
    do
        s->kind = (enum lane_kind)(((int)s->kind + 1) % LANE_KINDS);
    while (kind_of(p, v) == was);
    s->lane = s->top = 0;
    return done(0);
}

static struct pane_request key_axis(const struct pane *p, const struct view *v, int by)
{
    struct state *s = p->state;
    (void)v;
    (void)by;
    s->axis = s->t.by_event ? AXIS_TIME : AXIS_EVENTS;
    s->zoom = 0;
    return done(0);
}

static uint32_t lane_tag(const struct state *s, uint32_t lane)
{
    uint32_t id = s->t.id[lane];
    return tag_of("PMG"[s->t.at.kind], id);
}

/* The G in the cell, else the P, M or G of the lane. */
static uint32_t tag_at(const struct state *s, uint32_t lane, int x)
{
    uint32_t row = lane - s->top, g = row < (uint32_t)s->rows ? s->t.cell[row][x].g : 0;
    return g ? tag_of('G', g) : lane_tag(s, lane);
}

static struct pane_request key_enter(const struct pane *p, const struct view *v, int by)
{
    const struct state *s = p->state;
    (void)v;
    (void)by;
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
        return (struct pane_request){.taken = true, .select = on_lane ? lane_tag(s, lane) : 0};
    return (struct pane_request){.taken = true, .go_to = s->t.slice[column].to, .select = on_lane ? tag_at(s, lane, column) : 0};
}

static const struct pane_key key[] = {
    {KEY_CODE_LEFT, 'h', "left, h", TX_TIMELINE_LEFT, key_time, TX_SHORT_IN_TIME, -1},
    {KEY_CODE_RIGHT, 'l', "right, l", TX_TIMELINE_RIGHT, key_time, TX_SHORT_IN_TIME, 1},
    SCROLL_KEYS_NEAR(key_lane, TX_TIMELINE_UP, TX_TIMELINE_DOWN, TX_SHORT_LANE),
    {KEY_CODE_WHEEL_UP, 0, "wheel up", TX_TIMELINE_UP, key_lane, TX_NONE, -1},
    {KEY_CODE_WHEEL_DOWN, 0, "wheel down", TX_TIMELINE_DOWN, key_lane, TX_NONE, 1},
    {'>', 0, ">", TX_TIMELINE_IN, key_zoom, TX_SHORT_ZOOM, 1},
    {'<', 0, "<", TX_TIMELINE_OUT, key_zoom, TX_SHORT_ZOOM, -1},
    {'v', 0, "v", TX_TIMELINE_TURN, key_turn, TX_SHORT_LANES, 0},
    {'x', 0, "x", TX_TIMELINE_AXIS, key_axis, TX_SHORT_AXIS, 0},
    {KEY_RETURN, '\n', "enter", TX_TIMELINE_ENTER, key_enter, TX_SHORT_GO_THERE, 0},
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
