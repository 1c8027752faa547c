/* Narration: one sentence for each recent core event, the newest at the bottom and marked.
 *
 * The sentence comes first: number, time, M and P, and Go's function name are columns that a narrow pane leaves out.
 * Long sentences take as many lines as they need.
 * listed.c says which events have a sentence.
 *
 * A sentence that was shown never disappears. One sentence reports the boot and grows until main runs. Of spawns in a row, the first two have
 * all their sentences, and one sentence that grows reports the later ones. At a stop at an event without a row, the event's own sentence is
 * below the list, as for a detail event. So each step shows what it did.
 *
 * While the pane has the focus, its keys turn it into a list over the whole history with a cursor. Without the focus it follows the run.
 */
#include "ui/panes/parts/event_list.h"
#include "ui/panes/parts/hits.h"
#include "ui/panes/parts/wrap.h"
#include "ui/term/keycodes.h"

#include <stdio.h>
#include <string.h>

/* What the pane has asked the history about an event of the view. */
struct recent {
    uint64_t number;
    bool no_row; /* the sentence of another event stands for it */
    bool hit;    /* it matches the pattern that is searched for */
    struct spawn_told told;
};

struct narration {
    struct event_list list;
    struct recent recent[EVENTS_KEPT]; /* by the index in view.ev */
    struct boot boot;
};

struct columns {
    int number, time, where, text, go; /* x of each; 0: left out */
    int text_w, newest;                /* newest: the index of the last event that is listed */
    const struct recent *recent;
    struct boot boot;
};

enum { TIME_W = TIME_TEXT_W, GO_W = 16, TITLE_FROM = 4 };

static struct recent recent_of(const struct view *v, const struct columns *k, int i)
{
    bool known = k->recent && k->recent[i].number == v->ev[i].number;
    return known ? k->recent[i] : (struct recent){0};
}

static bool has_sentence(const struct view *v, const struct columns *k, int i)
{
    return event_listed(v, i) && !recent_of(v, k, i).no_row;
}

static struct columns columns_for(const struct pane *p, const struct view *v)
{
    const struct narration *s = p->state;
    struct rect in = p->in;
    struct columns k = {.recent = s ? s->recent : NULL, .boot = s ? s->boot : (struct boot){0}};
    for (k.newest = v->nev - 1; k.newest >= 0 && !has_sentence(v, &k, k.newest);)
        k.newest--;
    int x = in.x + 2, end = in.x + in.w - 1, d = digits(v->st.events);
    k.number = x;
    x += (d < 3 ? 3 : d) + 2;
    if (list_shows(in, LIST_TIME)) {
        k.time = x;
        x += TIME_W + 2;
    }
    if (list_shows(in, LIST_WHERE)) {
        k.where = x;
        x += m_width(v) + p_width(v) + 3;
    }
    k.text = x;
    if (list_shows(in, LIST_GO))
        k.go = end - 1;
    k.text_w = end - x - (k.go ? GO_W + 3 : 0);
    return k;
}

static const char *sentence_at(const struct view *v, const struct columns *k, int i, char buf[SENTENCE_BYTES])
{
    struct spawn_told told = recent_of(v, k, i).told;
    if (k->boot.at && v->ev[i].number == (uint64_t)k->boot.at)
        return boot_sentence(v, k->boot, buf);
    return told.n > 1 ? spawns_sentence(v, &v->ev[i], told, buf) : listed_sentence(v, i, buf);
}

/* with_p: there is room for the P, too. */
static void draw_where(const struct view *v, struct canvas *c, struct rect in, int x, int y, const struct session_event *e, bool with_p)
{
    canvas_printf(c, in, x, y, ROLE_dim, "M%u", e->m);
    if (with_p && e->ev.p != EV_NO_P)
        canvas_printf(c, in, x + m_width(v) + 1, y, ROLE_dim, "P%u", e->ev.p);
}

struct row {
    const struct session_event *e;
    const char *sentence;
    bool now; /* the sentence is the one that is marked */
    bool hit; /* it matches the pattern that is searched for */
};

/* Draws the event at the top of `in`. Returns how many lines it took. */
static int draw_row(const struct view *v, struct canvas *c, struct rect in, const struct columns *k, struct row r)
{
    char text[32], dur[32];
    int d = digits(v->st.events);
    if (r.now)
        canvas_put(c, in, in.x, in.y, ROLE_focus, 0x25b6);
    snprintf(text, sizeof text, "%llu", (unsigned long long)r.e->number);
    canvas_right(c, in, k->number + (d < 3 ? 3 : d) - 1, in.y, r.now ? ROLE_number : ROLE_dim, text);
    if (k->time)
        canvas_right(c, in, k->time + TIME_W - 1, in.y, ROLE_dim, time_text(r.e->ev.time, dur, sizeof dur));
    if (k->where)
        draw_where(v, c, in, k->where, in.y, r.e, true);
    if (k->go)
        canvas_right(c, in, k->go, in.y, ROLE_dim, event_go(v->md, &r.e->ev));
    struct rect room = {k->text, in.y, k->text_w, in.h};
    int lines = wrap_draw(c, room, r.hit ? ROLE_focus : r.now ? ROLE_sentence_now : ROLE_sentence, r.sentence);
    room.h = lines < room.h ? lines : room.h;
    if (r.hit || (v->text && hits_mark(c, room, v->text)))
        canvas_put(c, in, in.x + 1, in.y, ROLE_focus, '/');
    return lines;
}

/* Draws, below the newest event, events that are logged but not folded yet, so that the picture does not show them. In lockstep these are
 * the rest of what the M did between two gates: a step shows one event of it. */
static void draw_pending(const struct view *v, struct canvas *c, struct rect in, const struct columns *k)
{
    int y = in.y;
    bool with_p = k->text - in.x - 2 > m_width(v) + 1 + p_width(v);
    canvas_hline(c, in, in.x, y, in.w, ROLE_border, 0x2508);
    char text[96], buf[SENTENCE_BYTES];
    snprintf(text, sizeof text, tx(v->lang, v->st.lockstep ? TX_PENDING_ACTION : TX_PENDING_LINES), (unsigned long long)v->st.pending);
    canvas_text(c, in, in.x + 2, y++, ROLE_dim, text);
    for (int i = 0; i < v->npend && y < in.y + in.h; i++, y++) {
        draw_where(v, c, (struct rect){in.x, y, k->text - in.x, 1}, in.x + 2, y, &v->pend[i], with_p);
        canvas_text(c, (struct rect){k->text, y, k->text_w, 1}, k->text, y, ROLE_dim, sentence_of(v, &v->pend[i], buf));
    }
}

/* Draws, below the newest event, why the run failed. */
static void draw_failure(const struct view *v, struct canvas *c, struct rect in)
{
    canvas_hline(c, in, in.x, in.y, in.w, ROLE_border, 0x2508);
    wrap_draw(c, (struct rect){in.x + 2, in.y + 1, in.w - 3, in.h - 1}, ROLE_error, v->st.stop.text);
}

/* Is the event only a part of what its row says? */
static bool is_part(const struct view *v, const struct columns *k, int i)
{
    bool boots = k->boot.at && v->ev[i].number == (uint64_t)k->boot.at && k->boot.runs_main == EV_NONE;
    return boots || recent_of(v, k, i).no_row;
}

/* At a stop at an event whose own sentence is in no row: the event itself. */
static const struct session_event *detail_shown(const struct view *v, const struct columns *k)
{
    int i = v->nev - 1;
    bool none = i >= 0 && (ev_level_of[v->ev[i].ev.kind] != EV_CORE || is_part(v, k, i));
    return none && v->st.paused ? &v->ev[i] : NULL;
}

/* The rows below the sentences: why the run failed, or the detail event that the run stopped at and what is pending. */
struct below {
    int failure, detail, pending;
    bool titled; /* the detail has a title of its own; without one it looks like the newest row */
};

/* The detail event has all rows that its sentence needs. The newest sentence keeps its rows where the title can do without. */
static void give_detail(const struct view *v, const struct columns *k, int rows, struct below *b)
{
    char buf[SENTENCE_BYTES];
    int need = wrap_lines(sentence_of(v, detail_shown(v, k), buf), k->text_w);
    int newest = k->newest < 0 ? 1 : wrap_lines(sentence_at(v, k, k->newest, buf), k->text_w);
    b->titled = need + newest < rows && rows >= TITLE_FROM;
    if (!b->titled && ev_level_of[detail_shown(v, k)->ev.kind] == EV_CORE)
        return; /* its row says it already, with others */
    b->detail = b->titled ? need + 1 : need < rows ? need : rows;
}

static struct below rows_below(const struct view *v, const struct columns *k, struct rect in)
{
    struct below b = {0};
    if (v->st.failed && in.h >= 3 && in.w > 8) {
        int rows = wrap_lines(v->st.stop.text, in.w - 3) + 1;
        b.failure = rows < in.h ? rows : in.h - 1;
        return b;
    }
    if (detail_shown(v, k))
        give_detail(v, k, in.h, &b);
    int left = in.h - b.detail;
    if (v->npend && left >= 4)
        b.pending = (v->npend < left / 3 ? v->npend : left / 3) + 1;
    return b;
}

static int rows_of(struct below b)
{
    return b.failure + b.detail + b.pending;
}

static void draw_titled_detail(const struct view *v, struct canvas *c, struct rect in, const struct columns *k)
{
    char text[96], buf[SENTENCE_BYTES];
    const struct session_event *e = detail_shown(v, k);
    canvas_hline(c, in, in.x, in.y, in.w, ROLE_border, 0x2508);
    bool detail = ev_level_of[e->ev.kind] != EV_CORE;
    snprintf(text, sizeof text, tx(v->lang, detail ? TX_DETAIL_AT : TX_PART_AT), (unsigned long long)e->number);
    canvas_text(c, in, in.x + 2, in.y, ROLE_dim, text);
    struct rect room = {k->text, in.y + 1, k->text_w, in.h - 1};
    wrap_draw(c, room, recent_of(v, k, v->nev - 1).hit ? ROLE_focus : ROLE_sentence, sentence_of(v, e, buf));
    if (v->text)
        hits_mark(c, room, v->text);
}

/* Returns the first event to draw: goes back from the newest one while there is room. */
static int first_shown(const struct view *v, const struct columns *k, int rows)
{
    char buf[SENTENCE_BYTES];
    int lines = 0, first = v->nev;
    for (int i = k->newest; i >= 0 && lines < rows; i--) {
        if (!has_sentence(v, k, i))
            continue;
        int need = wrap_lines(sentence_at(v, k, i, buf), k->text_w);
        if (lines + need > rows && i != k->newest)
            break;
        lines += need;
        first = i;
    }
    return first;
}

/* Returns the first event to draw above what is below: goes back from the newest one while there is room. */
static int first_above(const struct view *v, const struct columns *k, struct rect in, struct below b)
{
    char buf[SENTENCE_BYTES];
    int rows = in.h - rows_of(b);
    bool none = b.detail && !b.titled && k->newest >= 0 && wrap_lines(sentence_at(v, k, k->newest, buf), k->text_w) > rows;
    return none ? v->nev : first_shown(v, k, rows); /* half a sentence would be worse than none */
}

static void draw_recent(const struct pane *p, const struct view *v, struct canvas *c)
{
    struct columns k = columns_for(p, v);
    struct rect in = p->in;
    char buf[SENTENCE_BYTES];
    if (k.text_w < 4)
        return;
    struct below b = rows_below(v, &k, in);
    int y = in.y, end = in.y + in.h - rows_of(b);
    if (k.newest < 0)
        y += wrap_draw(c, (struct rect){in.x + 1, in.y, in.w - 2, end - in.y}, ROLE_dim,
                       tx(v->lang, v->st.events ? TX_ONLY_DETAILS : TX_EMPTY_NARRATION));
    for (int i = first_above(v, &k, in, b); i < v->nev && y < end; i++) {
        if (!has_sentence(v, &k, i))
            continue;
        bool newest = i == k.newest && !(b.detail && !b.titled);
        if (v->diff.event[i] && !newest)
            canvas_put(c, in, in.x + v->diff.two, y, ROLE_changed, '*');
        struct row row = {&v->ev[i], sentence_at(v, &k, i, buf), newest, recent_of(v, &k, i).hit};
        y += draw_row(v, c, (struct rect){in.x, y, in.w, end - y}, &k, row);
    }
    if (b.failure)
        draw_failure(v, c, (struct rect){in.x, end, in.w, b.failure});
    if (b.detail && b.titled) {
        draw_titled_detail(v, c, (struct rect){in.x, end, in.w, b.detail}, &k);
    } else if (b.detail) { /* in the row after the last sentence */
        const struct session_event *e = detail_shown(v, &k);
        struct row row = {e, sentence_of(v, e, buf), true, recent_of(v, &k, v->nev - 1).hit};
        draw_row(v, c, (struct rect){in.x, y, in.w, b.detail}, &k, row);
    }
    if (b.pending)
        draw_pending(v, c, (struct rect){in.x, end + b.detail, in.w, b.pending}, &k);
}

/* ---- the list ---- */

static bool lists(const struct event_list *l)
{
    return l && (l->free || l->only);
}

static bool next_core(struct history *h, uint32_t m, uint64_t n, int step, struct history_event *out)
{
    enum { NEAR = 64 }; /* a wakep() ends soon */
    struct history_subject s = {.kind = SUBJECT_M, .id = m};
    for (int i = 0; i < NEAR && n; i++, n += (uint64_t)(int64_t)step) {
        n = history_chain(h, &s, n, step < 0 ? 1 : UINT64_MAX, step);
        if (!n || !history_get(h, n, out))
            return false;
        if (out->m == m && ev_desc[out->ev.kind].level == EV_CORE)
            return true;
    }
    return false;
}

/* Returns true if the sentence of a later event stands for this one too: it begins a wakep() that finds no idle P. */
static bool is_folded(struct history *h, const struct history_event *e)
{
    struct history_event at = *e, next;
    if (at.ev.kind == EV_WAKEP)
        next_core(h, e->m, at.number + 1, 1, &at);
    else if (at.ev.kind != EV_NEEDSPINNING || !next_core(h, e->m, at.number - 1, -1, &next) || next.ev.kind != EV_WAKEP)
        return false;
    return at.ev.kind == EV_NEEDSPINNING && next_core(h, e->m, at.number + 1, 1, &next) && next.ev.kind == EV_SPIN_STOP &&
           next.ev.c == SPIN_STOP_NO_IDLE_P;
}

/* A list about one subject has all its spawns. */
static bool wanted(const struct event_list *l, struct history *h, const struct history_event *e)
{
    struct spawn_history all = {.h = h, .last = l->newest};
    int64_t n = (int64_t)e->number;
    if (ev_desc[e->ev.kind].level != EV_CORE || is_folded(h, e))
        return false;
    return l->only || (n >= l->boot.at && !spawn_has_no_row(spawn_read_history, &all, n));
}

/* ---- what the history knows about the events of the view ---- */

struct asking {
    struct narration *s;
    const struct view *v;
};

static void ask_recent(struct history *h, void *ctx)
{
    struct asking *a = ctx;
    struct spawn_history past = {.h = h, .last = a->v->st.events};
    a->s->boot = boot_read(spawn_read_history, &past);
    for (int i = 0; i < a->v->nev && i < EVENTS_KEPT; i++) {
        int64_t n = (int64_t)a->v->ev[i].number;
        bool no_row = n < a->s->boot.at || spawn_has_no_row(spawn_read_history, &past, n);
        struct spawn_told told = no_row ? (struct spawn_told){0} : spawn_tells(spawn_read_history, &past, n, -1);
        a->s->recent[i] = (struct recent){.number = (uint64_t)n, .no_row = no_row, .told = told};
    }
}

static void find_hits(struct narration *s, const struct view *v, const struct pane_source *from)
{
    uint64_t number[EVENTS_KEPT];
    bool hit[EVENTS_KEPT];
    int n = v->nev < EVENTS_KEPT ? v->nev : EVENTS_KEPT;
    if (n <= 0 || !v->pattern || !v->pattern[0])
        return;
    for (int i = 0; i < n; i++)
        number[i] = v->ev[i].number;
    from->matches(from->session, v->pattern, number, n, hit);
    for (int i = 0; i < n; i++)
        s->recent[i].hit = hit[i] && s->recent[i].number == number[i];
}

static void prepare(const struct pane *p, const struct view *v, const struct pane_source *from)
{
    struct narration *s = p->state;
    struct event_list *l = &s->list;
    struct asking a = {s, v};
    if (!from->query(from->session, ask_recent, &a)) {
        memset(s->recent, 0, sizeof s->recent);
        s->boot = (struct boot){0};
    }
    find_hits(s, v, from);
    if (v->focused != p->at) {
        *l = (struct event_list){.n = 0};
        return;
    }
    l->wanted = wanted;
    l->folds = true;
    list_prepare(l, v, p->in.h, from);
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    if (lists(p->state))
        event_rows_draw(p->state, v, c, p->in);
    else
        draw_recent(p, v, c);
}

static void title(const struct pane *p, const struct view *v, char *buf, size_t size)
{
    event_rows_title(lists(p->state) ? p->state : NULL, v, TX_NARRATION, buf, size);
}

/* Returns the event whose sentence is in that row, -1: none. */
static int event_at(const struct pane *p, const struct view *v, int row)
{
    struct columns k = columns_for(p, v);
    struct rect in = p->in;
    char buf[SENTENCE_BYTES];
    struct below b = rows_below(v, &k, in);
    for (int i = first_above(v, &k, in, b), y = 0; row < in.h - rows_of(b) && i < v->nev; i++) {
        y += has_sentence(v, &k, i) ? wrap_lines(sentence_at(v, &k, i, buf), k.text_w) : 0;
        if (y > row)
            return i;
    }
    return -1;
}

/* The first click on a sentence puts the cursor there; the rows stay where they are. */
static struct pane_request mouse(const struct pane *p, const struct view *v, int x, int y)
{
    struct event_list *l = p->state;
    (void)x;
    if (lists(l))
        return list_click(l, y);
    int at = event_at(p, v, y);
    if (at >= 0) {
        struct columns k = columns_for(p, v);
        l->cursor = v->ev[at].number;
        l->top = v->ev[first_above(v, &k, p->in, rows_below(v, &k, p->in))].number;
        l->shown = v->st.events;
        l->free = true;
    }
    return (struct pane_request){.taken = true};
}

static const struct pane_key key[] = {
    LIST_KEYS(list_key_move),
    {KEY_RETURN, '\n', "enter", TX_LIST_ENTER, list_key_enter, TX_SHORT_GO_THERE, 0},
    {'F', 0, "F", TX_LIST_FILTER, list_key_filter, TX_SHORT_FILTER, 0},
};

const struct pane_ops pane_narration = {
    .cursor = true,
    .key = key,
    .nkeys = sizeof key / sizeof *key,
    .state_bytes = sizeof(struct narration),
    .title = title,
    .prepare = prepare,
    .draw = draw,
    .mouse = mouse,
};
