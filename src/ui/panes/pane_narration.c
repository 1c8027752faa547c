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
#include "ui/panes/event_list.h"
#include "ui/panes/wrap.h"
#include "ui/term/keycodes.h"

#include <stdio.h>
#include <string.h>

/* What the pane has asked the history about an event of the view. */
struct recent {
    uint64_t number;
    bool no_row; /* the sentence of another event stands for it */
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

enum { TIME_W = TIME_TEXT_W, GO_W = 16, SHOW_TIME = 64, SHOW_WHERE = 90, SHOW_GO = 104 };

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
    if (in.w >= SHOW_TIME) {
        k.time = x;
        x += TIME_W + 2;
    }
    if (in.w >= SHOW_WHERE) {
        k.where = x;
        x += m_width(v) + p_width(v) + 3;
    }
    k.text = x;
    if (in.w >= SHOW_GO)
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

/* Returns how many lines the event took. */
static int draw_event(const struct view *v, struct canvas *c, struct rect in, const struct columns *k, int y, int i)
{
    const struct session_event *e = &v->ev[i];
    bool newest = i == k->newest;
    char text[32], dur[32], buf[SENTENCE_BYTES];
    if (v->diff.event[i])
        canvas_put(c, in, in.x + v->diff.two, y, ROLE_changed, '*');
    if (newest) /* drawn last: at a stop the newest event is always new, and its sign replaces the mark */
        canvas_put(c, in, in.x, y, ROLE_focus, 0x25b6);
    snprintf(text, sizeof text, "%llu", (unsigned long long)e->number);
    int d = digits(v->st.events);
    canvas_right(c, in, k->number + (d < 3 ? 3 : d) - 1, y, newest ? ROLE_number : ROLE_dim, text);
    if (k->time)
        canvas_right(c, in, k->time + TIME_W - 1, y, ROLE_dim, time_text(e->ev.time, dur, sizeof dur));
    if (k->where)
        draw_where(v, c, in, k->where, y, e, true);
    if (k->go)
        canvas_right(c, in, k->go, y, ROLE_dim, event_go(v->md, &e->ev));
    return wrap_draw(c, (struct rect){k->text, y, k->text_w, in.y + in.h - y}, newest ? ROLE_sentence_now : ROLE_sentence,
                     sentence_at(v, k, i, buf));
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
    return none && v->st.paused && !v->npend ? &v->ev[i] : NULL;
}

static void draw_detail(const struct view *v, struct canvas *c, struct rect in, const struct columns *k)
{
    char text[96], buf[SENTENCE_BYTES];
    const struct session_event *e = detail_shown(v, k);
    canvas_hline(c, in, in.x, in.y, in.w, ROLE_border, 0x2508);
    bool detail = ev_level_of[e->ev.kind] != EV_CORE;
    snprintf(text, sizeof text, tx(v->lang, detail ? TX_DETAIL_AT : TX_PART_AT), (unsigned long long)e->number);
    canvas_text(c, in, in.x + 2, in.y, ROLE_dim, text);
    wrap_draw(c, (struct rect){k->text, in.y + 1, k->text_w, in.h - 1}, ROLE_sentence, sentence_of(v, e, buf));
}

/* Returns how many rows the detail event that is shown takes: its title, and its sentence as far as it leaves a row for the newest event. */
static int detail_rows(const struct view *v, const struct columns *k, int rows)
{
    char buf[SENTENCE_BYTES];
    int need = 1 + wrap_lines(sentence_of(v, detail_shown(v, k), buf), k->text_w);
    return rows < 4 ? 0 : need < rows ? need : rows - 1;
}

/* Returns how many rows pending events or a failure take below the sentences. */
static int rows_below(const struct view *v, const struct columns *k, struct rect in)
{
    if (v->st.failed && in.h >= 3 && in.w > 8) {
        int rows = wrap_lines(v->st.stop.text, in.w - 3) + 1;
        return rows < in.h ? rows : in.h - 1;
    }
    if (detail_shown(v, k))
        return detail_rows(v, k, in.h);
    return v->npend && in.h >= 4 ? (v->npend < in.h / 3 ? v->npend : in.h / 3) + 1 : 0;
}

static void draw_below(const struct view *v, struct canvas *c, struct rect below, const struct columns *k)
{
    if (below.h && v->st.failed)
        draw_failure(v, c, below);
    else if (below.h && detail_shown(v, k))
        draw_detail(v, c, below, k);
    else if (below.h)
        draw_pending(v, c, below, k);
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

static void draw_recent(const struct pane *p, const struct view *v, struct canvas *c)
{
    struct columns k = columns_for(p, v);
    struct rect in = p->in;
    if (k.text_w < 4)
        return;
    int y = in.y, below = rows_below(v, &k, in);
    in.h -= below;
    draw_below(v, c, (struct rect){in.x, in.y + in.h, in.w, below}, &k);
    if (k.newest < 0)
        wrap_draw(c, (struct rect){in.x + 1, in.y, in.w - 2, in.h}, ROLE_dim,
                  tx(v->lang, v->st.events ? TX_ONLY_DETAILS : TX_EMPTY_NARRATION));
    for (int i = first_shown(v, &k, in.h); i < v->nev && y < in.y + in.h; i++)
        if (has_sentence(v, &k, i))
            y += draw_event(v, c, in, &k, y, i);
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
        a->s->recent[i] = (struct recent){(uint64_t)n, no_row, told};
    }
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
    if (lists(p->state))
        event_rows_title(p->state, v, TX_NARRATION, buf, size);
}

/* Returns the event whose sentence is in that row, -1: none. */
static int event_at(const struct pane *p, const struct view *v, int row)
{
    struct columns k = columns_for(p, v);
    struct rect in = p->in;
    char buf[SENTENCE_BYTES];
    in.h -= rows_below(v, &k, in);
    for (int i = first_shown(v, &k, in.h), y = 0; row < in.h && i < v->nev; i++) {
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
        l->top = v->ev[first_shown(v, &k, p->in.h - rows_below(v, &k, p->in))].number;
        l->shown = v->st.events;
        l->free = true;
    }
    return (struct pane_request){.taken = true};
}

static const struct pane_key key[] = {
    {KEY_CODE_UP, 'k', "up, k", TX_LIST_UP, list_key_up, TX_SHORT_SCROLL},
    {KEY_CODE_DOWN, 'j', "down, j", TX_LIST_DOWN, list_key_down, TX_SHORT_SCROLL},
    LIST_KEYS_FAR,
    {KEY_RETURN, '\n', "enter", TX_LIST_ENTER, list_key_enter, TX_SHORT_GO_THERE},
    {'F', 0, "F", TX_LIST_FILTER, list_key_filter, TX_SHORT_FILTER},
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
