/* Goroutine: the life of the selected G: a strip of its states, and a line for each move. Without a selection: the G of the newest event.
 *
 * A move that ends a state says how long that state lasted. "Why is it not running?" replaces the moves with a chain of causes. */
#include "ui/panes/parts/life.h"
#include "ui/panes/parts/wrap.h"
#include "ui/term/keycodes.h"

#include <stdio.h>

enum { NOTE_W = 26, SHOW_NOTE = 84, HEAD = 1 };

static const struct {
    enum text_id name;
    uint32_t glyph;
    enum role role;
} states[LIFE_STATES] = {
    [G_IDLE] = {TX_G_IDLE, ' ', ROLE_dim},
    [G_RUNNABLE] = {TX_G_RUNNABLE, 0x2583, ROLE_spinning},
    [G_RUNNING] = {TX_G_RUNNING, 0x2588, ROLE_running},
    [G_SYSCALL] = {TX_G_SYSCALL, 0x2585, ROLE_syscall},
    [G_WAITING] = {TX_G_WAITING, 0x2581, ROLE_dim},
    [G_UNKNOWN] = {TX_UNKNOWN, '?', ROLE_dim},
    [G_DEAD] = {TX_G_DEAD, 0xb7, ROLE_dim},
};

/* Layouts choose one of the first two. A docked pane has one of the others, because the screen turns it (pane_docked). */
enum { SHOW_MOVES, SHOW_WHY, DOCKED_WHY, DOCKED_LIFE };
static const struct layout_option option[] = {{.name = "show", .type = OPTION_WORD, .word = {"moves", "why"}}};

struct layout_pane pane_docked(struct layout_rect rect, bool life)
{
    return (struct layout_pane){.kind = PANE_goroutine, .rect = rect, .option = {life ? DOCKED_LIFE : DOCKED_WHY}};
}

static bool is_docked(const struct pane *p)
{
    return p->at->option[0] >= DOCKED_WHY;
}

static bool shows_why(const struct pane *p)
{
    const struct life *life = p->state;
    return is_docked(p) ? p->at->option[0] == DOCKED_WHY : (p->at->option[0] == SHOW_WHY) != life->turned;
}

/* ---- whose life ---- */

static uint32_t g_of_m(const struct view *v, uint32_t m)
{
    const struct model_m *mm = m == EV_NONE ? NULL : model_m(v->md, m);
    return mm ? mm->curg : 0;
}

static uint32_t g_of_newest(const struct view *v)
{
    for (int i = v->nev - 1; i >= 0; i--)
        if (v->ev[i].ev.g)
            return v->ev[i].ev.g;
    return 0;
}

/* Of a Go program, "why" is never about a G of the runtime or one that has ended, and at a deadlock about a G that waits. */
static bool waits_instead(const struct view *v, uint32_t g)
{
    const struct model_g *mg = g ? model_g(v->md, g) : NULL;
    if (!v->program || !v->program->nfiles || !v->flow)
        return false;
    return model_ended(v->md) == ENDED_DEADLOCK || !mg || ev_is_system_g(g) || mg->status == G_DEAD;
}

static uint32_t g_to_show(const struct view *v, bool why)
{
    uint32_t id = thing_id(v->selected), g = 0;
    if (!v->md)
        return 0;
    if (thing_kind(v->selected) == THING_G)
        return id;
    if (thing_kind(v->selected) == THING_M)
        g = g_of_m(v, id);
    else if (thing_kind(v->selected) == THING_P && model_p(v->md, id) && model_p(v->md, id)->status == P_RUNNING)
        g = g_of_m(v, model_p(v->md, id)->m);
    if (g)
        return g;
    g = g_of_newest(v);
    uint32_t other = why && waits_instead(v, g) ? waiting_g(v) : 0;
    return other ? other : g;
}

/* Where the text of a cause is: behind the number of its event. */
static struct rect cause_rect(const struct life *life, struct rect in, int y)
{
    int d = digits(life->list.newest), x = in.x + 4 + (d < 3 ? 3 : d);
    return (struct rect){x, y, in.x + in.w - 1 - x, 1};
}

/* Leaves out for how long each G has waited if the rows are too few for all that is said. */
static void shorten(struct life *life, struct rect in)
{
    struct causes *k = &life->causes;
    int rows = 0;
    for (int i = 0; i < k->n; i++)
        rows += wrap_lines(k->v[i].text, cause_rect(life, in, in.y).w);
    for (int i = 0; rows > in.h && i < k->n; i++)
        if (k->v[i].brief && k->v[i].brief < sizeof k->v[i].text)
            k->v[i].text[k->v[i].brief] = '\0';
}

struct reading {
    const struct pane *p;
    const struct view *v;
};

static void read_life(struct history *h, void *ctx)
{
    const struct reading *r = ctx;
    struct life *life = r->p->state;
    life_read(life, r->v, r->p->in.h - HEAD, r->p->in.w - 2, h);
    life->causes.n = 0;
    if (shows_why(r->p))
        causes_of(&life->causes, life->g, r->v, h);
    shorten(life, r->p->in);
    life->chosen = life->chosen < life->causes.n ? life->chosen : life->causes.n ? life->causes.n - 1 : 0;
}

enum { RACES_SHOWN = 3 };

static void prepare(const struct pane *p, const struct view *v, const struct pane_source *from)
{
    struct life *life = p->state;
    struct view seen = *v;
    struct reading r = {p, &seen};
    if (shows_why(p) && from->reach)
        seen.reach = from->reach(from->session, &seen.nreach);
    uint32_t g = g_to_show(v, shows_why(p));
    if (g != life->g)
        *life = (struct life){.g = g, .turned = life->turned, .list.only = tag_of('G', g)};
    bool read = g && from->query(from->session, read_life, &r);
    char text[CAUSE_BYTES];
    if (!read)
        life->list.n = 0;
    for (uint32_t i = 0; read && shows_why(p) && i < RACES_SHOWN; i++)
        if (from->race && from->race(from->session, i, g, v->lang, text, sizeof text))
            cause_add(&life->causes, 0, "%s", text);
}

/* ---- drawing ---- */

static void title(const struct pane *p, const struct view *v, char *buf, size_t size)
{
    const struct life *life = p->state;
    char name[EV_G_NAME], ran[32], ready[32], waited[32];
    snprintf(buf, size, "%s", tx(v->lang, TX_GOROUTINE));
    if (!life || !life->g || !v->md || !model_g(v->md, life->g))
        return;
    bool runs = model_g(v->md, life->g)->status == G_RUNNING;
    ev_g_name(life->g, name);
    if (shows_why(p) && !runs)
        snprintf(buf, size, "%s %s ─ %s", name, model_fn_name(v->md, life->g), tx(v->lang, TX_WHY));
    else if (!shows_why(p))
        snprintf(buf, size, tx(v->lang, life->partly ? TX_LIFE_PARTLY : TX_LIFE), name, model_fn_name(v->md, life->g),
                 duration_text(life->total[G_RUNNING], ran, sizeof ran), duration_text(life->total[G_RUNNABLE], ready, sizeof ready),
                 duration_text(life->total[G_WAITING] + life->total[G_SYSCALL], waited, sizeof waited));
    if ((shows_why(p) && runs) || text_width(buf) > p->in.w - 2) /* the times do not fit */
        snprintf(buf, size, "%s %s", name, model_fn_name(v->md, life->g));
}

static void draw_strip(const struct life *life, struct canvas *c, struct rect in)
{
    for (int x = 0; x < life->columns; x++) {
        canvas_put(c, in, in.x + 1 + x, in.y, states[life->strip[x]].role, states[life->strip[x]].glyph);
        if (x == life->now && in.x + 1 + x < in.x + in.w)
            c->cell[in.y * c->w + in.x + 1 + x].chosen = true;
    }
}

static enum text_id place_name(uint8_t place)
{
    return place == PLACE_RUNQ         ? TX_WENT_RUNQ
           : place == PLACE_RUNNEXT    ? TX_AT_RUNNEXT
           : place == PLACE_GLOBQ      ? TX_GLOBAL_QUEUE
           : place == PLACE_IN_TRANSIT ? TX_AT_HAND
                                       : TX_NONE;
}

/* "runnable for 1.000 ms", or where a batch has taken it. */
static void note_text(const struct view *v, const struct move_note *note, char *buf, size_t size)
{
    char dur[32];
    enum text_id place = place_name(note->place);
    size_t n = 0;
    buf[0] = '\0';
    if (place != TX_NONE) {
        n = (size_t)snprintf(buf, size, "→ ");
        switch (place) {
        case TX_GLOBAL_QUEUE:
            snprintf(buf + n, size - n, "%s", tx(v->lang, place));
            break;
        default:
            snprintf(buf + n, size - n, tx(v->lang, place), note->where);
        }
    } else if (note->was != G_IDLE) {
        snprintf(buf, size, tx(v->lang, TX_LIFE_FOR), tx(v->lang, states[note->was].name), duration_text(note->lasted, dur, sizeof dur));
    }
}

static void draw_events(const struct life *life, const struct view *v, struct canvas *c, struct rect in)
{
    const struct event_list *l = &life->list;
    int d = digits(l->newest), number = in.x + 1 + (d < 3 ? 3 : d), time = number + TIME_TEXT_W + 2;
    bool times = list_shows(in, LIST_TIME), notes = in.w >= SHOW_NOTE;
    int x = times ? time + 3 : number + 3, end = in.x + in.w - 1 - (notes ? NOTE_W + 1 : 0);
    for (int i = 0; i < l->n && i < in.h; i++) {
        const struct session_event *e = &l->row[i];
        char text[96], buf[SENTENCE_BYTES];
        int y = in.y + i;
        enum role role = e->number > l->shown ? ROLE_dim : e->number == l->shown ? ROLE_sentence_now : ROLE_sentence;
        snprintf(text, sizeof text, "%llu", (unsigned long long)e->number);
        canvas_right(c, in, number, y, ROLE_dim, text);
        if (times)
            canvas_right(c, in, time, y, ROLE_dim, time_text(e->ev.time, text, sizeof text));
        if (notes) {
            note_text(v, &life->note[i], text, sizeof text);
            list_text(c, in, end + 1, y, NOTE_W, states[life->note[i].was].role, text);
        }
        list_text(c, in, x, y, end - x, role, sentence_of(v, e, buf));
        list_mark(l, c, in, i, y);
    }
}

/* Scrolls to the chosen cause. */
static int first_cause(const struct life *life, int rows)
{
    return life->chosen < rows ? 0 : life->chosen - rows + 1;
}

/* Returns the rows of cause i. It wraps if enough rows are free, and takes them from *free. Callers go from the first cause to the last. */
static int cause_rows(const struct life *life, struct rect in, int i, int *free)
{
    int more = wrap_lines(life->causes.v[i].text, cause_rect(life, in, in.y).w) - 1;
    more = more <= *free ? more : 0;
    *free -= more;
    return 1 + more;
}

static void draw_why(const struct life *life, struct canvas *c, struct rect in)
{
    int free = in.h - life->causes.n, rows;
    for (int i = first_cause(life, in.h), y = in.y; i < life->causes.n && y < in.y + in.h; i++, y += rows) {
        const struct cause *k = &life->causes.v[i];
        struct rect at = cause_rect(life, in, y);
        enum role role = i ? ROLE_sentence : ROLE_sentence_now;
        char text[32];
        rows = cause_rows(life, in, i, &free);
        snprintf(text, sizeof text, "%llu", (unsigned long long)k->event);
        if (k->event)
            canvas_right(c, in, at.x - 3, y, ROLE_dim, text);
        if (rows > 1)
            wrap_draw(c, (struct rect){at.x, y, at.w, rows}, role, k->text);
        else
            list_text(c, in, at.x, y, at.w, role, k->text);
        for (int n = 0; i == life->chosen && n < in.w * rows; n++)
            c->cell[(y + n / in.w) * c->w + in.x + n % in.w].chosen = true;
    }
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    const struct life *life = p->state;
    struct rect in = p->in;
    if (!v->md)
        return;
    if (!life->g || (!life->list.n && !life->causes.n)) {
        list_text(c, in, in.x + 1, in.y, in.w - 2, ROLE_dim, tx(v->lang, life->g ? TX_EVENTS_NONE_OF : TX_NOTE_CHOOSE_G));
        return;
    }
    if (shows_why(p)) {
        draw_why(life, c, in);
        return;
    }
    draw_strip(life, c, in);
    draw_events(life, v, c, (struct rect){in.x, in.y + HEAD, in.w, in.h - HEAD});
}

/* ---- keys ---- */

static struct pane_request key_why(const struct pane *p, const struct view *v, int by)
{
    struct life *life = p->state;
    (void)v;
    (void)by;
    life->chosen = 0;
    if (is_docked(p))
        return (struct pane_request){.taken = false}; /* the screen turns it */
    life->turned = !life->turned;
    return (struct pane_request){.taken = true};
}

static struct pane_request key_move(const struct pane *p, const struct view *v, int by)
{
    struct life *life = p->state;
    if (!shows_why(p))
        return list_key_move(p, v, by);
    life->chosen = scroll_to(life->chosen, by, p->in.h, life->causes.n);
    return (struct pane_request){.taken = true};
}

/* The G stays selected, so its life stays in view. */
static struct pane_request go(struct life *life, struct pane_request r)
{
    r.select = tag_of('G', life->g);
    return r;
}

static struct pane_request go_to_cause(struct life *life)
{
    uint64_t event = life->causes.n ? life->causes.v[life->chosen].event : 0;
    return go(life, (struct pane_request){.taken = true, .go_to = event, .note = event ? 0 : TX_NOTE_NO_EVENT});
}

static struct pane_request click_cause(const struct pane *p, int y)
{
    struct life *life = p->state;
    int free = p->in.h - life->causes.n, i = first_cause(life, p->in.h);
    for (int rows; i < life->causes.n && y >= (rows = cause_rows(life, p->in, i, &free)); i++)
        y -= rows;
    if (i >= life->causes.n)
        return (struct pane_request){.taken = true};
    life->chosen = i;
    return go_to_cause(life);
}

static struct pane_request key_enter(const struct pane *p, const struct view *v, int by)
{
    struct life *life = p->state;
    if (!shows_why(p))
        return go(life, list_key_enter(p, v, by));
    return go_to_cause(life);
}

static struct pane_request mouse(const struct pane *p, const struct view *v, int x, int y)
{
    struct life *life = p->state;
    (void)v;
    (void)x;
    if (shows_why(p))
        return click_cause(p, y);
    if (!life->g || y < HEAD)
        return (struct pane_request){.taken = true};
    return go(life, list_click(&life->list, y - HEAD));
}

static const struct pane_key key[] = {
    LIST_KEYS(key_move),
    {KEY_RETURN, '\n', "enter", TX_LIFE_ENTER, key_enter, TX_SHORT_GO_THERE, 0},
    {'y', 0, "y", TX_KEY_WHY, key_why, TX_SHORT_WHY, 0},
};

const struct pane_ops pane_goroutine = {
    .cursor = true,
    .option = option,
    .noptions = sizeof option / sizeof *option,
    .key = key,
    .nkeys = sizeof key / sizeof *key,
    .state_bytes = sizeof(struct life),
    .title = title,
    .prepare = prepare,
    .draw = draw,
    .mouse = mouse,
};
