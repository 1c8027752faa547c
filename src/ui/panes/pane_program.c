/* Program: the scenario as Go, or the person's own Go program. To the left of a line are the Gs that stand there: they are in the operation, or reach it
 * next. A G that has not run yet stands at the head of its function.
 *
 * The names have a column of their own, so the text never moves. Where more Gs stand than fit, the rest is a number. Of a Go program, the variables of the
 * selected G, or of the one whose line is in view, are below, if there is room. */
#include "ui/panes/parts/event_list.h"
#include "ui/panes/parts/wrap.h"
#include "ui/panes/parts/scroll.h"

#include <stdio.h>
#include <string.h>

enum { STOPS = 16, NAMES_MOST = 3, INDENT = 4, INDENT_NARROW = 2, NARROW = 44, WIDE = 64 };

struct listing {
    int top, cursor;
    bool free;      /* the cursor was moved; otherwise the line of the selected G, or of the G that acted last, is in view */
    uint64_t shown; /* the state shown */
    uint32_t selected;
    uint32_t run;
    uint32_t of; /* the G whose variables these are; it is in view, too, if it is at a line */
    struct variables variables;
    char stop[STOPS][PLACE_NAME]; /* `nstops` breakpoints that may be at a line */
    int nstops;
};

/* The Gs at one line: how many, and those that are named. */
struct standing {
    uint32_t n, g[NAMES_MOST];
    bool running;
};

/* ---- where Gs stand ---- */

/* Returns the line of a G, -1: nowhere. */
static int line_of(const struct view *v, uint32_t g)
{
    const struct program_text *t = v->program;
    const struct model_g *mg = v->md && g ? model_g(v->md, g) : NULL;
    uint32_t op;
    if (!mg || mg->status == G_DEAD || !v->st.places)
        return -1;
    uint32_t line = model_g_op(v->md, g, &op) ? (op < t->nops ? t->op[op] : UINT32_MAX) : mg->fn < t->nfn ? t->fn[mg->fn] : UINT32_MAX;
    return line < t->nlines ? (int)line : -1;
}

/* Returns the G that acted last: the one on the M of the newest event, else the one that the event is about. 0: none. */
static uint32_t acted(const struct view *v)
{
    int i = newest_listed(v);
    const struct model_m *m = i >= 0 && v->ev[i].m < model_nm(v->md) ? model_m(v->md, v->ev[i].m) : NULL;
    return m && m->curg ? m->curg : i >= 0 ? v->ev[i].ev.g : 0;
}

static uint32_t selected_g(const struct view *v)
{
    return thing_kind(v->selected) == THING_G ? thing_id(v->selected) : 0;
}

/* Returns the G whose line is in view. Of a Go program it is never one of the runtime: if such a G acted last, then the one shown before, a G that
 * runs, or the first at a line. 0: none. */
static uint32_t followed(const struct view *v, uint32_t before)
{
    uint32_t g = selected_g(v), runs = 0, first = 0;
    if (g && line_of(v, g) >= 0)
        return g;
    g = acted(v);
    if (!v->md || !v->program->nfiles || line_of(v, g) >= 0)
        return g;
    for (g = 0; (g = model_next_live(v->md, g));) {
        bool at = !ev_is_system_g(g) && line_of(v, g) >= 0;
        first = at && !first ? g : first;
        runs = at && !runs && model_g(v->md, g)->status == G_RUNNING ? g : runs;
    }
    return runs ? runs : before && line_of(v, before) >= 0 ? before : first;
}

/* The selected G and the G that acted last are always named; of the others those that run, then those with the lowest ids. */
static int rank(const struct view *v, uint32_t g)
{
    const struct model_g *mg = model_g(v->md, g);
    return g == selected_g(v) ? 0 : g == acted(v) ? 1 : mg->status == G_RUNNING ? 2 : 3;
}

/* Adds a G, in the order of rank; gs come by id. */
static void add_name(const struct view *v, struct standing *s, uint32_t g, int most)
{
    int have = s->n < (uint32_t)most ? (int)s->n : most, at = have;
    while (at > 0 && rank(v, g) < rank(v, s->g[at - 1]))
        at--;
    if (at == most)
        return;
    int last = have < most ? have : most - 1;
    memmove(s->g + at + 1, s->g + at, (size_t)(last - at) * sizeof *s->g);
    s->g[at] = g;
}

static void add_standing(const struct view *v, struct standing *s, uint32_t g, int most)
{
    add_name(v, s, g, most);
    s->n++;
    s->running |= model_g(v->md, g)->status == G_RUNNING;
}

/* ---- variables ---- */

enum { LISTING_LEAST = 8, VARIABLES_LEAST = 3, VARIABLES_ROWS = 14 };

/* Returns the rows of the variables. They do not depend on what there is, so that the text stays where it is. */
static int variable_rows(const struct view *v, const struct pane *p)
{
    int rows = p->in.h / 3 < VARIABLES_ROWS ? p->in.h / 3 : VARIABLES_ROWS;
    return v->program && v->program->nfiles && p->in.h - rows >= LISTING_LEAST && rows >= VARIABLES_LEAST ? rows : 0;
}

static bool at_rest(const struct view *v)
{
    return v->st.still || v->st.back || v->st.over;
}

static void find_variables(struct listing *l, const struct pane *p, const struct view *v, const struct pane_source *from)
{
    l->of = selected_g(v) && !(v->program->nfiles && ev_is_system_g(selected_g(v))) ? selected_g(v) : followed(v, l->of);
    l->variables = (struct variables){.is = VARIABLES_NONE};
    if (variable_rows(v, p) && l->of && at_rest(v) && from->variables)
        from->variables(from->session, l->of, &l->variables);
}

/* Draws "G2 worker main.go:11" and what the call can see; callers follow. */
static void draw_variables(struct canvas *c, struct rect in, const struct listing *l, const struct view *v)
{
    const struct variables *all = &l->variables;
    static const enum text_id reason[] = {
        [VARIABLES_NONE] = TX_VARIABLES_NONE, [VARIABLES_MAKING] = TX_VARIABLES_MAKING, [VARIABLES_UNKNOWN] = TX_VARIABLES_UNKNOWN};
    for (int at = 0; at < in.w; at++)
        canvas_put(c, in, in.x + at, in.y, ROLE_dim, 0x2500);
    int x = l->of ? draw_g(c, in, in.x + 1, in.y, l->of, false) + 1 : in.x + 1;
    if (all->is != VARIABLES_KNOWN) {
        if (l->of && (all->is != VARIABLES_NONE || !at_rest(v) || line_of(v, l->of) >= 0))
            canvas_text(c, in, x, in.y, ROLE_dim, tx(v->lang, at_rest(v) ? reason[all->is] : TX_VARIABLES_MOVING));
        return;
    }
    for (int i = 0, y = in.y; i < (int)all->n && y < in.y + in.h; i++) {
        const struct variable *k = &all->v[i];
        if (k->head) {
            y += i > 0;
            x = i > 0 ? in.x + 1 : x;
            x = canvas_text(c, in, x, y, ROLE_title, k->name) + 1;
            canvas_text(c, in, x, y, ROLE_dim, k->value);
            continue;
        }
        if (++y >= in.y + in.h)
            break;
        x = canvas_text(c, in, in.x + 3, y, ROLE_plain, k->name);
        x = canvas_text(c, in, x, y, ROLE_dim, " = ");
        list_text(c, in, x, y, in.x + in.w - x, ROLE_number, k->value);
    }
}

/* Returns the rows of the note below the listing, which says why no G is at a line. */
static int note_rows(const struct view *v, const struct pane *p)
{
    int rows = v->st.places ? 0 : wrap_lines(tx(v->lang, TX_PROGRAM_NO_PLACES), p->in.w - 1);
    return rows < p->in.h ? rows : p->in.h > 0;
}

static int rows_of(const struct view *v, const struct pane *p)
{
    int rows = p->in.h - note_rows(v, p) - variable_rows(v, p);
    return rows < LIST_ROWS ? rows : LIST_ROWS;
}

/* ---- breakpoints ---- */

static void find_stops(struct listing *l, const struct view *v, const struct pane_source *from)
{
    struct session_break all[STOPS];
    int n = v->program->nfiles && from->breaks ? from->breaks(from->session, all, STOPS) : 0;
    l->nstops = n;
    for (int i = 0; i < n; i++)
        snprintf(l->stop[i], sizeof *l->stop, "%.*s", PLACE_NAME - 1, all[i].text);
}

static bool stops_at(const struct listing *l, const char *place)
{
    for (int i = 0; i < l->nstops; i++)
        if (strcmp(l->stop[i], place) == 0)
            return true;
    return false;
}

/* ---- prepare ---- */

static void prepare(const struct pane *p, const struct view *v, const struct pane_source *from)
{
    struct listing *l = p->state;
    if (!v->program)
        return;
    find_variables(l, p, v, from);
    find_stops(l, v, from);
    bool moved = l->shown != v->st.events || l->selected != v->selected || l->run != v->st.run;
    l->free = l->free && !moved;
    l->shown = v->st.events;
    l->selected = v->selected;
    l->run = v->st.run;
    int at = line_of(v, followed(v, l->of)), lines = (int)v->program->nlines;
    if (!l->free && at >= 0)
        l->cursor = at;
    l->cursor = l->cursor < lines ? l->cursor : lines - 1;
    l->top = scroll_top(l->top, l->cursor, rows_of(v, p), lines);
}

/* ---- draw ---- */

static int names_room(const struct rect *in)
{
    return in->w < NARROW ? 1 : in->w < WIDE ? 2 : NAMES_MOST;
}

static int names_columns(const struct view *v, const struct rect *in)
{
    return names_room(in) * (g_width(v) + 1) + 5;
}

/* Returns the columns of the line numbers, which a Go program has, with one for the mark of a breakpoint. */
static int number_columns(const struct view *v)
{
    return v->program->nfiles ? digits(v->program->nlines) + 1 : 0;
}

/* Draws the number of the line of a Go program, and whether it has a breakpoint. in: its row. */
static void draw_number(struct canvas *c, struct rect in, const struct pane *p, const struct view *v)
{
    const struct listing *l = p->state;
    uint32_t line = (uint32_t)(l->top + in.y - p->in.y);
    char place[PLACE_NAME];
    if (!in.w || !program_place(v->program, line, place, sizeof place))
        return;
    const char *number = strrchr(place, ':') + 1;
    canvas_text(c, in, in.x + in.w - 1 - (int)strlen(number), in.y, ROLE_dim, number);
    if (stops_at(l, place))
        canvas_put(c, in, in.x + in.w - 1, in.y, ROLE_changed, 0x25cf);
}

static void sort_names(struct standing *s, int n)
{
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && s->g[k] < s->g[k - 1]; k--) {
            uint32_t g = s->g[k];
            s->g[k] = s->g[k - 1];
            s->g[k - 1] = g;
        }
}

/* Draws "G2 G3+14▶" at the right end of `in`. */
static void draw_standing(struct canvas *c, struct rect in, struct standing *s, int most)
{
    char more[16] = "", name[EV_G_NAME];
    int n = s->n < (uint32_t)most ? (int)s->n : most, w = 0;
    sort_names(s, n);
    if (s->n > (uint32_t)n)
        snprintf(more, sizeof more, "+%u", s->n - (uint32_t)n);
    for (int i = 0; i < n; i++)
        w += text_width(ev_g_name(s->g[i], name)) + (i > 0);
    int x = in.x + in.w, at = x - 1 - w - text_width(more);
    at = at <= in.x ? in.x + 1 : at;
    for (int i = 0; i < n; i++)
        at = draw_g(c, in, at + (i > 0), in.y, s->g[i], false);
    canvas_text(c, in, at, in.y, ROLE_dim, more);
    canvas_put(c, in, x - 1, in.y, s->running ? ROLE_running : ROLE_dim, 0x25b6);
}

static enum role line_role(const char *line, bool lit, bool here)
{
    bool comment = strncmp(line + strspn(line, "\t"), "//", 2) == 0;
    bool head = strncmp(line, "func ", 5) == 0;
    return lit ? ROLE_sentence_now : head ? ROLE_title : comment ? ROLE_dim : here ? ROLE_plain : ROLE_sentence;
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    const struct listing *l = p->state;
    const struct program_text *t = v->program;
    struct standing at[LIST_ROWS] = {0};
    struct rect in = p->in;
    if (!v->md || !t)
        return;
    int rows = rows_of(v, p), most = names_room(&in), lit = line_of(v, acted(v));
    int names = names_columns(v, &in), numbers = number_columns(v), text = in.x + names + numbers;
    for (uint32_t g = 0; v->st.places && (g = model_next_live(v->md, g));) {
        int line = line_of(v, g), row = line - l->top;
        if (line >= 0 && row >= 0 && row < rows)
            add_standing(v, &at[row], g, most);
    }
    for (int i = 0; i < rows && l->top + i < (int)t->nlines; i++) {
        const char *line = t->line[l->top + i];
        int y = in.y + i, tabs = (int)strspn(line, "\t"), x = text + tabs * (in.w < WIDE ? INDENT_NARROW : INDENT);
        list_text(c, in, x, y, in.x + in.w - x, line_role(line, l->top + i == lit, at[i].n > 0), line + tabs);
        if (l->top + i == lit)
            draw_lit(c, in, y);
        if (at[i].n)
            draw_standing(c, (struct rect){in.x, y, names - 1, 1}, &at[i], most);
        draw_number(c, (struct rect){in.x + names, y, numbers, 1}, p, v);
        for (x = text - 1; l->free && l->top + i == l->cursor && x < in.x + in.w; x++)
            c->cell[y * c->w + x].chosen = true;
    }
    int below = variable_rows(v, p), note = note_rows(v, p), y = in.y + in.h - note;
    if (below)
        draw_variables(c, (struct rect){in.x, y - below, in.w, below}, l, v);
    if (note)
        wrap_draw(c, (struct rect){in.x + 1, y, in.w - 1, in.y + in.h - y}, ROLE_changed, tx(v->lang, TX_PROGRAM_NO_PLACES));
}

/* ---- keys ---- */

static struct pane_request key_move(const struct pane *p, const struct view *v, int by)
{
    struct listing *l = p->state;
    l->free = true;
    l->cursor = scroll_to(l->cursor, by, p->in.h, v->program ? (int)v->program->nlines : 1);
    return (struct pane_request){.taken = true};
}

/* Selects a G at the cursor's line: the one after the selected G, else the first. */
static struct pane_request key_enter(const struct pane *p, const struct view *v, int by)
{
    (void)by;
    const struct listing *l = p->state;
    uint32_t first = 0, next = 0, now = selected_g(v);
    for (uint32_t g = 0; v->md && v->program && (g = model_next_live(v->md, g));) {
        if (line_of(v, g) != l->cursor)
            continue;
        first = first ? first : g;
        next = !next && line_of(v, now) == l->cursor && g > now ? g : next;
    }
    uint32_t g = next ? next : first;
    if (!g)
        return (struct pane_request){.taken = true, .note = TX_NOTE_NO_G_HERE};
    return (struct pane_request){.taken = true, .select = tag_of('G', g)};
}

static struct pane_request key_break(const struct pane *p, const struct view *v, int by)
{
    (void)by;
    const struct listing *l = p->state;
    struct pane_request r = {.taken = true};
    if (!program_place(v->program, (uint32_t)l->cursor, r.break_at, sizeof r.break_at))
        r.note = TX_NOTE_NO_PLACE;
    return r;
}

/* A click on a line puts the cursor there, a second click selects a G there. Names are selected as everywhere. */
static struct pane_request mouse(const struct pane *p, const struct view *v, int x, int y)
{
    struct listing *l = p->state;
    int line = l->top + y;
    if (!v->program || x < names_columns(v, &p->in) - 1 || line >= (int)v->program->nlines)
        return (struct pane_request){.taken = false};
    if (l->free && line == l->cursor)
        return key_enter(p, v, 0);
    l->cursor = line;
    l->free = true;
    return (struct pane_request){.taken = true};
}

static const struct pane_key key[] = {
    SCROLL_KEYS(key_move, TX_LIST_UP, TX_LIST_DOWN, TX_PROGRAM_HOME, TX_PROGRAM_END, TX_SHORT_SCROLL),
    {KEY_RETURN, '\n', "enter", TX_PROGRAM_ENTER, key_enter, TX_SHORT_SELECT, 0},
    {'x', 0, "x", TX_PROGRAM_BREAK, key_break, TX_SHORT_BREAK, 0},
};

const struct pane_ops pane_program = {
    .cursor = true,
    .key = key,
    .nkeys = sizeof key / sizeof *key,
    .state_bytes = sizeof(struct listing),
    .prepare = prepare,
    .draw = draw,
    .mouse = mouse,
};
