/* What several panes share: frames, labels, state letters, the choice of rows. */
#include "ui/panes/panes.h"

#include "base/run_names.h"
#include "ui/panes/parts/wrap.h"

#include <stdio.h>
#include <string.h>

struct rect pane_rect(const struct layout_pane *pane)
{
    return (struct rect){pane->rect.x, pane->rect.y, pane->rect.w, pane->rect.h};
}

/* Returns true if panes have boxes. This depends on the height of the whole screen, so that all panes of a layout look alike. */
static bool boxes(const struct canvas *c)
{
    enum { BOXES_FROM = 28 };
    return c->h >= BOXES_FROM;
}

struct rect pane_inside(const struct canvas *c, const struct layout_pane *pane)
{
    struct rect r = pane_rect(pane);
    int edges = boxes(c) ? 2 : 1;
    return (struct rect){r.x + 1, r.y + 1, r.w > 2 ? r.w - 2 : 0, r.h > edges ? r.h - edges : 0};
}

struct rect pane_frame(struct canvas *c, const struct layout_pane *pane, const char *title)
{
    struct rect r = pane_rect(pane);
    if (boxes(c))
        return canvas_box(c, r, ROLE_border, title);
    canvas_hline(c, r, r.x, r.y, r.w, ROLE_border, 0x2500);
    int x = canvas_text(c, r, r.x + 1, r.y, ROLE_title, " ");
    x = canvas_text(c, r, x, r.y, ROLE_title, title);
    canvas_text(c, r, x, r.y, ROLE_title, " ");
    return pane_inside(c, pane);
}

enum role g_role(uint32_t g)
{
    return (enum role)(ROLE_g0 + g % 8);
}

int digits(uint64_t n)
{
    int d = 1;
    for (; n >= 10; n /= 10)
        d++;
    return d;
}

unsigned generation_of(const struct view *v)
{
    for (int i = 0; v->st.generation && i < GENERATIONS; i++)
        if (strcmp(v->st.generation, generation_name[i]) == 0)
            return 1u << i;
    return 0;
}

/* "G10", or "Gs10" if the runtime has so many Gs of its own. */
int g_width(const struct view *v)
{
    int d = v->md ? digits(model_counters(v->md)->goroutines) : 1, system = 2;
    for (uint32_t n = 9; v->md && n < EV_SYSTEM_GS && model_g(v->md, EV_SYSTEM_G + n); n = n * 10 + 9)
        system++;
    return 1 + (d < system ? system : d);
}

int p_width(const struct view *v)
{
    uint32_t n = v->md ? model_np(v->md) : 0;
    return 1 + digits(n ? n - 1 : 0);
}

int m_width(const struct view *v)
{
    uint32_t n = v->md ? model_nm(v->md) : 0;
    return 1 + digits(n ? n - 1 : 0);
}

uint32_t tag_of(char prefix, uint32_t id)
{
    uint32_t thing = prefix == 'P' ? THING_P : prefix == 'M' ? THING_M : THING_G;
    return id <= THING_MOST ? thing << THING_SHIFT | id : THING_NONE; /* an event of a stranger may name any id */
}

const char *object_kind_text(enum ev_object_kind kind, enum lang lang)
{
    static const enum text_id of[OBJ_KINDS] = {
        [OBJ_CHAN] = TX_O_CHAN, [OBJ_MUTEX] = TX_O_MUTEX, [OBJ_RWMUTEX] = TX_O_RWMUTEX, [OBJ_WAITGROUP] = TX_O_WAITGROUP,
        [OBJ_COND] = TX_O_COND, [OBJ_CONN] = TX_O_CONN,   [OBJ_WRITERS] = TX_O_RWMUTEX};
    return tx(lang, of[kind]);
}

int draw_g(struct canvas *c, struct rect clip, int x, int y, uint32_t g, bool marked)
{
    char name[EV_G_NAME];
    c->tag = g ? tag_of('G', g) : 0;
    if (g == (uint32_t)G_UNSEEN) {
        c->tag = 0;
        return canvas_text(c, clip, x, y, ROLE_dim, "?");
    }
    if (g)
        x = canvas_text(c, clip, x, y, g_role(g), ev_g_name(g, name));
    else
        x = canvas_text(c, clip, x, y, ROLE_dim, "-");
    c->tag = 0;
    return marked ? canvas_text(c, clip, x, y, ROLE_changed, "*") : x;
}

int draw_queued(struct canvas *c, struct rect clip, int x, int y, struct queued q)
{
    char name[EV_G_NAME];
    if (!q.derived || !q.g || q.g == (uint32_t)G_UNSEEN)
        return draw_g(c, clip, x, y, q.g, q.marked);
    c->tag = tag_of('G', q.g);
    x = canvas_text(c, clip, x, y, ROLE_dim, ev_g_name(q.g, name));
    c->tag = 0;
    return x;
}

bool draw_derived(const struct view *v, struct canvas *c, struct rect at, enum model_what what, uint32_t p)
{
    bool derived = model_knows(v->md, what, p) == KNOWN_DERIVED;
    if (derived)
        canvas_put(c, at, at.x, at.y, ROLE_dim, '~');
    return derived;
}

int draw_label(struct canvas *c, struct rect clip, int x, int y, struct label l)
{
    if (l.id == (uint32_t)ID_UNSEEN)
        return canvas_text(c, clip, x, y, ROLE_dim, "?");
    c->tag = l.id == EV_NONE ? 0 : tag_of(l.prefix, l.id);
    if (l.id == EV_NONE)
        x = canvas_text(c, clip, x, y, ROLE_dim, "-");
    else
        x = canvas_printf(c, clip, x, y, l.role, "%c%u", l.prefix, l.id);
    c->tag = 0;
    return l.marked ? canvas_text(c, clip, x, y, ROLE_changed, "*") : x;
}

const char *known_number(const struct view *v, enum model_what what, uint32_t id, uint64_t n, char buf[KNOWN_TEXT])
{
    enum model_known known = model_knows(v->md, what, id);
    snprintf(buf, KNOWN_TEXT, known == KNOWN_NOT ? "?" : known == KNOWN_DERIVED ? "~%llu" : "%llu", (unsigned long long)n);
    return buf;
}

const char *known_gs(const struct view *v, uint64_t n, char buf[KNOWN_TEXT])
{
    snprintf(buf, KNOWN_TEXT, !is_partial(v) ? "%llu" : n ? "~%llu" : "?", (unsigned long long)n);
    return buf;
}

void draw_not_recorded(const struct view *v, struct canvas *c, struct rect r)
{
    wrap_draw(c, r, ROLE_dim, tx(v->lang, TX_NOT_RECORDED_HERE));
}

bool was_in_globq(const struct view *v, uint32_t g)
{
    const uint32_t *q;
    uint32_t n = v->base ? model_globq(v->base, &q) : 0;
    for (uint32_t i = 0; i < n; i++)
        if (q[i] == g)
            return true;
    return !v->base;
}

int draw_name(const struct view *v, struct canvas *c, struct rect clip, struct rect at, uint32_t g)
{
    const char *name = model_fn_name(v->md, g);
    int end = clip.x + clip.w;
    clip.w = at.x + at.w < end ? at.x + at.w - clip.x : clip.w;
    if (!name || at.w <= 0)
        return at.x;
    int next = canvas_text(c, clip, at.x, at.y, g_role(g), name);
    return next < clip.x + clip.w ? next : clip.x + clip.w;
}

enum {
    L_RUN,
    L_SPIN,
    L_FIND,
    L_IDLE,
    L_SYSCALL,
    L_NETPOLL,
    L_SYSMON,
    L_HANDED,
    L_LOCKED,
    L_TEMPLATE,
    L_EXITED,
    L_STOPPED,
    L_UNKNOWN,
    L_NONE
};
const struct letter letters[] = {
    [L_RUN] = {'R', ROLE_running, TX_LEGEND_R},       [L_SPIN] = {'S', ROLE_spinning, TX_LEGEND_S},
    [L_FIND] = {'F', ROLE_netpoll, TX_LEGEND_F},      [L_IDLE] = {'I', ROLE_idle, TX_LEGEND_I},
    [L_SYSCALL] = {'Y', ROLE_syscall, TX_LEGEND_Y},   [L_NETPOLL] = {'N', ROLE_netpoll, TX_LEGEND_N},
    [L_SYSMON] = {'m', ROLE_dim, TX_LEGEND_SYSMON},   [L_HANDED] = {'H', ROLE_paused, TX_LEGEND_H},
    [L_LOCKED] = {'L', ROLE_idle, TX_LEGEND_L},       [L_TEMPLATE] = {'T', ROLE_dim, TX_LEGEND_T},
    [L_EXITED] = {'X', ROLE_dim, TX_LEGEND_X},        [L_STOPPED] = {'G', ROLE_paused, TX_P_STOPPED},
    [L_UNKNOWN] = {'?', ROLE_dim, TX_LEGEND_UNKNOWN}, [L_NONE] = {'-', ROLE_dim, TX_NONE},
};
const int nletters = L_STOPPED;

struct letter m_letter(const struct view *v, uint32_t m)
{
    static const int of[] = {[MD_NONE] = L_NONE,       [MD_RUN] = L_RUN,           [MD_SPIN] = L_SPIN,     [MD_IDLE] = L_IDLE,
                             [MD_SYSCALL] = L_SYSCALL, [MD_NETPOLL] = L_NETPOLL,   [MD_SCHED] = L_FIND,    [MD_SYSMON] = L_SYSMON,
                             [MD_LOCKED] = L_LOCKED,   [MD_TEMPLATE] = L_TEMPLATE, [MD_EXITED] = L_EXITED, [MD_UNKNOWN] = L_UNKNOWN};
    return letters[of[model_m_doing(v->md, m)]];
}

uint32_t m_next_g(const struct model_m *mm)
{
    return mm->transit_n ? mm->transit[0] : 0;
}

bool p_in_hand(const struct view *v, uint32_t p)
{
    const uint32_t *list;
    uint32_t n = model_idlep(v->md, &list);
    if (not_known(v, KNOW_IDLE_P, 0))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (list[i] == p)
            return false;
    return model_p(v->md, p)->status == P_IDLE;
}

/* The unit in which a time is at least 1, as in duration_text(). */
static const struct {
    const char *name;
    int64_t ns;
} time_units[] = {{"µs", 1000}, {"ms", 1000000}, {"s", 1000000000}};

static int time_unit(int64_t ns)
{
    return ns < time_units[1].ns ? 0 : ns < time_units[2].ns ? 1 : 2;
}

const char *time_text_like(int64_t ns, int64_t like, char *buf, size_t size)
{
    int u = time_unit(like);
    snprintf(buf, size, "%lld.%03lld %s", (long long)(ns / time_units[u].ns), (long long)(ns / (time_units[u].ns / 1000) % 1000),
             time_units[u].name);
    return buf;
}

const char *time_text(int64_t ns, char *buf, size_t size)
{
    static const struct {
        const char *format;
        int64_t scale;
    } decimals[] = {{"%lld.%03lld %s", 1000}, {"%lld.%04lld %s", 10000}, {"%lld.%05lld %s", 100000}, {"%lld.%06lld %s", 1000000}};
    int u = time_unit(ns), d = u ? 4 - digits((uint64_t)(ns / time_units[u].ns)) : 0; /* seven digits from 1 ms on */
    d = d < 0 ? 0 : d;
    snprintf(buf, size, decimals[d].format, (long long)(ns / time_units[u].ns),
             (long long)(ns / (time_units[u].ns / decimals[d].scale) % decimals[d].scale), time_units[u].name);
    return buf;
}

struct letter p_letter(const struct view *v, uint32_t p)
{
    const struct model_p *mp = model_p(v->md, p);
    switch (mp->status) {
    case P_IDLE:
        return letters[p_in_hand(v, p) ? L_HANDED : L_IDLE];
    case P_SYSCALL:
        return letters[L_SYSCALL];
    case P_GCSTOP:
        return letters[L_STOPPED];
    case P_RUNNING:
        return not_known(v, KNOW_P_M, p) ? letters[L_UNKNOWN] : mp->m == EV_NONE ? letters[L_FIND] : m_letter(v, mp->m);
    case P_UNKNOWN:
        return letters[L_UNKNOWN];
    default:
        return letters[L_NONE];
    }
}

bool p_must_stop(const struct view *v, uint32_t p)
{
    const struct model_p *mp = model_p(v->md, p);
    return model_world(v->md).state == WORLD_STOPS && mp->status != P_GCSTOP && mp->status != P_DEAD;
}

uint32_t p_syscall_m(const struct view *v, uint32_t p)
{
    for (uint32_t m = 0; m < model_nm(v->md); m++)
        if (model_m_doing(v->md, m) == MD_SYSCALL && model_m(v->md, m)->oldp == p)
            return m;
    return EV_NONE;
}

const char *end_text(enum lang lang, int how)
{
    static const enum text_id text[] = {
        [ENDED_MAIN_RETURNED] = TX_END_MAIN,
        [ENDED_DEADLOCK] = TX_END_DEADLOCK,
        [ENDED_PANIC] = TX_END_PANIC,
        [ENDED_FATAL] = TX_END_FATAL,
        [ENDED_LIMIT] = TX_END_LIMIT,
        [ENDED_BREAK] = TX_END_BREAK,
        [ENDED_INTERRUPTED] = TX_END_INTERRUPTED,
        [ENDED_STUCK] = TX_END_STUCK,
        [ENDED_EXIT] = TX_END_EXIT,
        [ENDED_TRACE] = TX_END_TRACE,
        [ENDED_ENDLESS] = TX_END_ENDLESS,
        [ENDED_GONE] = TX_END_GONE,
    };
    bool known = how >= 0 && how < (int)(sizeof text / sizeof *text);
    return tx(lang, known ? text[how] : TX_END_INTERRUPTED);
}
