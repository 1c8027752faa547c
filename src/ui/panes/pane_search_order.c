/* Search order: the ladder of findRunnable(), top down, for one M: each stage of its generation, what the M read there, and where it stopped.
 *
 * The values are those of the M's own events (model_search). A stage that an M passes without an event decided by the same values that a
 * later event carries, or by a value of 0. Stages below the newest step are not reached yet, or never. */
#include "base/run_names.h"
#include "ui/panes/panes.h"
#include "ui/panes/parts/wrap.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { VALUE_BYTES = 256, RUNGS_MAX = 17, GO_FROM = 64, TRIES_SHOWN = 6, ROUNDS = 61 };
#define TRY_END " · "
enum { NEW = SINCE(GO1_20), MIDDLE = BETWEEN(GO1_13, GO1_13), OLD = BETWEEN(GO1_4, GO1_4), WITH_P = SINCE(GO1_4), NO_P = UNTIL(GO1_0) };

struct ladder {
    const struct view *v;
    const struct model_search *s;
    unsigned gen; /* a set of generations */
};

struct value {
    char text[VALUE_BYTES];
    size_t n, tries; /* tries: where the list of tries begins, 0: there is none */
};

__attribute__((format(printf, 2, 3))) static void add(struct value *out, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(out->text + out->n, sizeof out->text - out->n, fmt, ap);
    va_end(ap);
    size_t room = sizeof out->text - 1 - out->n;
    out->n += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room;
}

static const struct search_step *stage(const struct ladder *l, enum find_stage which)
{
    return &l->s->stage[which];
}

static int64_t get(const struct search_step *s, const char *field)
{
    return search_value(s, field);
}

static const char *word(const struct ladder *l, enum text_id id)
{
    return tx(l->v->lang, id);
}

/* The event in which the rule for spinning and the Gs that wait for the network are recorded. */
static const struct search_step *rule_step(const struct ladder *l)
{
    return stage(l, FIND_STEAL)->event ? stage(l, FIND_STEAL) : stage(l, FIND_DROP_P);
}

static const struct search_step *newest_try(const struct ladder *l)
{
    static const struct search_step none = {0};
    return l->s->tries ? &l->s->try[(l->s->tries - 1) % SEARCH_TRIES] : &none;
}

static uint64_t took(const struct ladder *l, enum ev_kind kind)
{
    return l->s->took.event && l->s->took.ev.kind == kind ? l->s->took.event : 0;
}

static uint64_t took_global(const struct ladder *l, enum globq_why why)
{
    return took(l, EV_GLOBQ_GET) && get(&l->s->took, "why") == (int64_t)why ? l->s->took.event : 0;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void add_g(struct value *out, uint32_t g)
{
    char name[EV_G_NAME];
    add(out, "%s", g ? ev_g_name(g, name) : "-");
}

static void add_taken(const struct ladder *l, struct value *out, enum ev_kind kind)
{
    const struct search_step *t = &l->s->took;
    char name[EV_G_NAME];
    if (!took(l, kind))
        return;
    int64_t n = kind == EV_STEAL || kind == EV_GLOBQ_GET ? get(t, "n") : 1;
    add(out, out->n ? " → " : "");
    if (n > 1)
        add(out, word(l, TX_LADDER_TAKES_N), (long long)n, ev_g_name(t->ev.g, name));
    else
        add(out, word(l, TX_LADDER_TAKES), ev_g_name(t->ev.g, name));
}

/* ---- the rungs: the number of the newest event of each (0: none), and the values that decided ---- */

/* A rung whose newest event is one expression. */
#define AT(rung, number) \
    static uint64_t at_##rung(const struct ladder *l) \
    { \
        return number; \
    }
AT(timers, stage(l, FIND_TIMERS)->event)

static void say_timers(const struct ladder *l, struct value *out)
{
    const struct search_step *s = stage(l, FIND_TIMERS);
    int64_t when = get(s, "when"), left = when - s->ev.time;
    char dur[32];
    if (!s->event)
        add(out, "%s", word(l, TX_LADDER_UNSEEN));
    else if (when < 0)
        add(out, "%s", word(l, TX_LADDER_NO_TIMER));
    else
        add(out, word(l, left > 0 ? TX_LADDER_TIMER_IN : TX_LADDER_TIMER_DUE), duration_text(left > 0 ? left : -left, dur, sizeof dur));
}

static uint64_t at_special(const struct ladder *l)
{
    uint64_t worker = stage(l, FIND_IDLE_GC)->event || l->s->recheck[RECHECK_GC].event ? 0 : took(l, EV_GC_WORKER);
    return later(later(stage(l, FIND_GC_WORKER)->event, stage(l, FIND_TRACE_READER)->event), worker);
}

static void say_special(const struct ladder *l, struct value *out)
{
    add(out, "%s", word(l, stage(l, FIND_TRACE_READER)->event ? TX_LADDER_READER : TX_LADDER_WORKER));
    add_taken(l, out, EV_GC_WORKER);
}

AT(tick, later(stage(l, FIND_TICK61)->event, took_global(l, GLOBQ_TICK61)))

static void say_tick(const struct ladder *l, struct value *out)
{
    const struct search_step *due = stage(l, FIND_TICK61), *passed = stage(l, FIND_LOCAL);
    int64_t tick = get(due->event ? due : passed, "tick"), left = ROUNDS - tick % ROUNDS;
    if (due->event)
        add(out, word(l, TX_LADDER_TICK_DUE), (long long)tick, (long long)get(due, "globq"));
    else if (passed->event && left == ROUNDS)
        add(out, word(l, TX_LADDER_TICK_EMPTY), (long long)tick);
    else if (passed->event)
        add(out, word(l, TX_LADDER_TICK_LEFT), (long long)tick, (long long)left);
    else
        add(out, "%s", word(l, TX_LADDER_UNSEEN));
    if (took_global(l, GLOBQ_TICK61))
        add_taken(l, out, EV_GLOBQ_GET);
}

AT(local, later(stage(l, FIND_LOCAL)->event, later(took(l, EV_RUNNEXT_GET), took(l, EV_RUNQ_GET))))

static void say_local(const struct ladder *l, struct value *out)
{
    const struct search_step *s = stage(l, FIND_LOCAL);
    if (s->event && !(l->gen & OLD)) {
        add(out, "runnext ");
        add_g(out, (uint32_t)get(s, "runnext"));
        add(out, " · ");
    }
    if (s->event)
        add(out, word(l, TX_LADDER_RING), (long long)get(s, "len"));
    add_taken(l, out, EV_RUNNEXT_GET);
    add_taken(l, out, EV_RUNQ_GET);
}

AT(global, later(stage(l, FIND_GLOBAL)->event, took_global(l, GLOBQ_BATCH)))

static void say_global(const struct ladder *l, struct value *out)
{
    add(out, "%lld", (long long)get(stage(l, FIND_GLOBAL), "globq"));
    if (took_global(l, GLOBQ_BATCH))
        add_taken(l, out, EV_GLOBQ_GET);
}

AT(netpoll, later(stage(l, FIND_NETPOLL)->event, stage(l, FIND_POLL_UNTIL)->event ? 0 : took(l, EV_NETPOLL_READY)))

static void say_netpoll(const struct ladder *l, struct value *out)
{
    const struct search_step *s = stage(l, FIND_NETPOLL)->event ? stage(l, FIND_NETPOLL) : rule_step(l);
    int64_t waiters = get(s, "waiters");
    if (!s->event)
        add(out, "%s", word(l, TX_LADDER_UNSEEN));
    else if (!waiters)
        add(out, "%s", word(l, TX_LADDER_NO_WAITER));
    else
        add(out, word(l, s == stage(l, FIND_NETPOLL) ? TX_LADDER_WAITERS : TX_LADDER_POLLED), (long long)waiters);
}

static uint64_t at_rule(const struct ladder *l)
{
    (void)l;
    return 0; /* its values are in the event that follows */
}

static void say_rule(const struct ladder *l, struct value *out)
{
    static const enum text_id says[] = {
        [SPIN_RULE_YES] = TX_LADDER_SPIN_YES, [SPIN_RULE_NO] = TX_LADDER_SPIN_NO,       [SPIN_RULE_ALREADY] = TX_LADDER_SPINS,
        [SPIN_RULE_OFF] = TX_LADDER_SPIN_OFF, [SPIN_RULE_ALONE] = TX_LADDER_SPIN_ALONE, [SPIN_RULE_NO_STEALING] = TX_LADDER_STEAL_OFF,
    };
    const struct search_step *s = rule_step(l);
    int64_t rule = get(s, "rule");
    if (!s->event || rule >= (int64_t)(sizeof says / sizeof *says))
        add(out, "%s", word(l, TX_LADDER_UNSEEN));
    else if (rule == SPIN_RULE_YES || rule == SPIN_RULE_NO)
        add(out, word(l, says[rule]), (long long)get(s, "spinning"), (long long)get(s, "busy"));
    else
        add(out, "%s", word(l, says[rule]));
}

AT(steal, later(later(stage(l, FIND_STEAL)->event, newest_try(l)->event), took(l, EV_STEAL)))

/* Returns the first of the tries that are shown: those of the newest pass, at most TRIES_SHOWN. In go1.4 each try picks its victim at
 * random. */
static uint32_t first_try(const struct ladder *l)
{
    uint32_t from = l->s->tries - 1;
    int64_t pass = get(newest_try(l), "pass");
    while (from > 0 && l->s->tries - from < TRIES_SHOWN && (l->gen & OLD || get(&l->s->try[(from - 1) % SEARCH_TRIES], "pass") == pass))
        from--;
    return from;
}

/* Returns true if the M took more than half of the Gs that it saw: its victim got more Gs between the look and the theft. */
static bool steals_more(const struct ladder *l, const struct search_step *try)
{
    int64_t len = get(try, "len");
    return took(l, EV_STEAL) && !get(&l->s->took, "runnext") && get(&l->s->took, "n") > len - len / 2;
}

static void say_steal(const struct ladder *l, struct value *out)
{
    bool skipped = !stage(l, FIND_STEAL)->event, alone = model_np(l->v->md) < 2;
    if (skipped || (!l->s->tries && (alone || l->v->st.no_stealing))) {
        add(out, "%s", word(l, skipped ? TX_LADDER_SKIPPED : alone ? TX_LADDER_NO_VICTIM : TX_LADDER_STEAL_OFF));
        return;
    }
    long long most = l->gen & OLD ? 2 * (long long)model_np(l->v->md) : 4;
    if (l->s->tries)
        add(out, word(l, l->gen & OLD ? TX_LADDER_TRY : TX_LADDER_PASS), (long long)get(newest_try(l), "pass"), most);
    out->tries = l->s->tries ? out->n : 0;
    for (uint32_t i = l->s->tries ? first_try(l) : 0; i < l->s->tries; i++) {
        const struct search_step *t = &l->s->try[i % SEARCH_TRIES];
        const char *last = word(l, steals_more(l, t) ? TX_LADDER_VICTIM_HAD : TX_LADDER_VICTIM);
        add(out, i + 1 < l->s->tries ? "P%lld %lld" TRY_END : last, (long long)get(t, "victim"), (long long)get(t, "len"));
    }
    add_taken(l, out, EV_STEAL);
}

AT(idle_gc, stage(l, FIND_IDLE_GC)->event)

static void say_idle_gc(const struct ladder *l, struct value *out)
{
    add(out, "%s", word(l, TX_LADDER_WORKER));
    add_taken(l, out, EV_GC_WORKER);
}

AT(drop, later(stage(l, FIND_DROP_P)->event, took_global(l, GLOBQ_RECHECK)))

static void say_drop(const struct ladder *l, struct value *out)
{
    const struct search_step *s = stage(l, FIND_DROP_P);
    add(out, word(l, TX_LADDER_GLOBQ), (long long)get(s, "globq"));
    if (l->gen & NEW)
        add(out, " · needspinning %lld", (long long)get(s, "needspinning"));
    if (took_global(l, GLOBQ_RECHECK))
        add_taken(l, out, EV_GLOBQ_GET);
}

static uint64_t at_recheck(const struct ladder *l)
{
    uint64_t n = 0;
    for (int i = 0; i < SEARCH_RECHECKS; i++)
        n = later(n, l->s->recheck[i].event);
    return n;
}

/* An M that spun looks again before it sleeps, unless that is switched off. */
static bool spun(const struct ladder *l)
{
    const struct search_step *s = rule_step(l);
    int64_t rule = get(s, "rule");
    return s->event && (rule == SPIN_RULE_YES || rule == SPIN_RULE_ALREADY);
}

static void say_recheck(const struct ladder *l, struct value *out)
{
    for (int i = 0; i < SEARCH_RECHECKS; i++) {
        const struct search_step *s = &l->s->recheck[i];
        if (s->event)
            add(out, "%s%s%s%s", out->n ? " · " : "", ev_say(FT_RECHECK, i, l->v->lang == LANG_ZH), word(l, TX_COLON),
                word(l, get(s, "found") ? TX_LADDER_FOUND : TX_LADDER_NOTHING));
    }
    if (!out->n)
        add(out, "%s", word(l, l->gen & NEW ? (spun(l) ? TX_LADDER_RECHECK_OFF : TX_LADDER_DID_NOT_SPIN) : TX_LADDER_SKIPPED));
}

static uint64_t at_poll(const struct ladder *l)
{
    uint64_t n = stage(l, FIND_POLL_UNTIL)->event;
    return n ? later(n, took(l, EV_NETPOLL_READY)) : 0;
}

static void say_poll(const struct ladder *l, struct value *out)
{
    const struct search_step *waits = stage(l, FIND_POLL_UNTIL), *s = waits->event ? waits : stage(l, FIND_STOP);
    int64_t when = get(s, "when"), waiters = get(s, "waiters");
    char at[32];
    if (!s->event)
        add(out, "%s", word(l, TX_LADDER_UNSEEN));
    else if (!waits->event)
        add(out, "%s", word(l, when < 0 && !waiters ? TX_LADDER_NO_WAIT : TX_LADDER_POLLED_BY_M));
    else if (when < 0)
        add(out, word(l, TX_LADDER_WAITERS), (long long)waiters);
    else
        add(out, word(l, TX_LADDER_POLL_UNTIL), (long long)waiters, time_text(when, at, sizeof at));
}

AT(stop, later(stage(l, FIND_STOP)->event, l->s->end == SEARCH_SLEEPS ? l->s->last : 0))

static void say_stop(const struct ladder *l, struct value *out)
{
    add(out, "%s", word(l, l->s->end == SEARCH_SLEEPS ? TX_LADDER_SLEEPS : TX_LADDER_TO_SLEEP));
}

AT(handed, took(l, EV_M_NEXTG))

static void say_handed(const struct ladder *l, struct value *out)
{
    if (took(l, EV_M_NEXTG))
        add(out, word(l, TX_LADDER_GIVEN), (long long)get(&l->s->took, "by"));
    else
        add(out, "%s", word(l, TX_LADDER_NOTHING));
    add_taken(l, out, EV_M_NEXTG);
}

AT(queue, later(stage(l, FIND_QUEUE)->event, took_global(l, GLOBQ_ONLY_QUEUE)))

static void say_queue(const struct ladder *l, struct value *out)
{
    const struct search_step *s = stage(l, FIND_QUEUE);
    if (s->event)
        add(out, word(l, TX_LADDER_QUEUE_SAYS), (long long)get(s, "globq"), (long long)get(s, "mcpu"), (long long)get(s, "mcpumax"));
    add_taken(l, out, EV_GLOBQ_GET);
}

/* go: Go's function in go1.20, and in the generations before it. */
static const struct rung {
    unsigned gens;
    bool only_reached; /* shown only if the search reached it, which is rare */
    enum text_id label;
    const char *go, *old_go;
    uint64_t (*at)(const struct ladder *);
    void (*say)(const struct ladder *, struct value *);
} rungs[] = {
    {NO_P, false, TX_LADDER_HANDED, NULL, "nextgandunlock", at_handed, say_handed},
    {NO_P, false, TX_LADDER_QUEUE, NULL, "gget", at_queue, say_queue},
    {NO_P, false, TX_LADDER_SLEEP, NULL, "mput", at_stop, say_stop},
    {NEW & UNTIL(GO1_22), false, TX_LADDER_TIMERS, "checkTimers", NULL, at_timers, say_timers},
    {SINCE(GO1_23), false, TX_LADDER_TIMERS, "(*timers).check", NULL, at_timers, say_timers},
    {NEW | MIDDLE, true, TX_LADDER_SPECIAL, "findRunnableGCWorker", "findRunnableGCWorker", at_special, say_special},
    {WITH_P, false, TX_LADDER_TICK, "schedtick%61", "schedtick%61", at_tick, say_tick},
    {WITH_P, false, TX_LADDER_LOCAL, "runqget", "runqget", at_local, say_local},
    {WITH_P, false, TX_LADDER_GLOBAL, "globrunqget", "globrunqget", at_global, say_global},
    {WITH_P, false, TX_LADDER_NETPOLL, "netpoll", "netpoll", at_netpoll, say_netpoll},
    {WITH_P, false, TX_LADDER_RULE, "becomeSpinning", "nmspinning", at_rule, say_rule},
    {WITH_P, false, TX_LADDER_STEAL, "stealWork", "runqsteal", at_steal, say_steal},
    {NEW | MIDDLE, true, TX_LADDER_IDLE_GC, "gcBgMarkWorker", "gcBgMarkWorker", at_idle_gc, say_idle_gc},
    {WITH_P, false, TX_LADDER_DROP, "releasep", "releasep", at_drop, say_drop},
    {WITH_P, false, TX_LADDER_AGAIN, "checkRunqsNoP", "findrunnable", at_recheck, say_recheck},
    {WITH_P, false, TX_LADDER_POLL, "netpoll", "netpoll", at_poll, say_poll},
    {WITH_P, false, TX_LADDER_SLEEP, "stopm", "stopm", at_stop, say_stop},
};
_Static_assert(sizeof rungs / sizeof *rungs <= RUNGS_MAX, "each has a row");

/* ---- which M, and its picture ---- */

static bool may_search(const struct view *v, uint32_t m)
{
    return m < model_nm(v->md) && !model_m(v->md, m)->sysmon;
}

/* The selected M, that of the selected P or G, else the one that logged last. EV_NONE: no M has logged anything. */
static uint32_t m_of(const struct view *v)
{
    uint32_t id = thing_id(v->selected), m = EV_NONE;
    if (thing_kind(v->selected) == THING_M)
        m = id;
    else if (thing_kind(v->selected) == THING_P && model_p(v->md, id))
        m = model_p(v->md, id)->m;
    for (uint32_t i = 0; thing_kind(v->selected) == THING_G && m == EV_NONE && i < model_nm(v->md); i++)
        m = model_m(v->md, i)->curg == id ? i : EV_NONE;
    for (int i = v->nev - 1; m == EV_NONE && i >= 0; i--)
        m = may_search(v, v->ev[i].m) ? v->ev[i].m : EV_NONE;
    return m;
}

static const struct model_search *search_of(const struct view *v, uint32_t m)
{
    const struct model_search *s = v->md && m != EV_NONE ? model_search(v->md, m) : NULL;
    return s && s->first ? s : NULL;
}

static void title(const struct pane *p, const struct view *v, char *buf, size_t size)
{
    static const struct {
        unsigned gen;
        const char *name;
    } function[] = {{SINCE(GO1_20), "findRunnable"}, {BETWEEN(GO1_4, GO1_13), "findrunnable"}, {UNTIL(GO1_0), "nextgandunlock"}};
    char name[EV_G_NAME];
    (void)p;
    uint32_t m = v->md ? m_of(v) : EV_NONE;
    const struct model_search *s = search_of(v, m);
    unsigned gen = generation_of(v);
    int n = m == EV_NONE ? snprintf(buf, size, "%s", tx(v->lang, TX_SEARCH_ORDER)) : snprintf(buf, size, tx(v->lang, TX_LADDER_TITLE), m);
    for (size_t i = 0; i < sizeof function / sizeof *function && n > 0 && (size_t)n < size; i++)
        if (gen & function[i].gen)
            n += snprintf(buf + n, size - (size_t)n, " ─ %s", function[i].name);
    if (s && s->end == SEARCH_FOUND && n > 0 && (size_t)n < size)
        snprintf(buf + n, size - (size_t)n, tx(v->lang, TX_LADDER_RUNS), ev_g_name(s->g, name));
}

struct shown {
    const struct rung *rung[RUNGS_MAX];
    int n, now; /* now: where the search is, or stopped; -1: nowhere */
};

static struct shown shown_of(const struct ladder *l)
{
    struct shown k = {.now = -1};
    uint64_t newest = 0;
    for (size_t i = 0; i < sizeof rungs / sizeof *rungs; i++) {
        uint64_t at = rungs[i].at(l);
        if (!(rungs[i].gens & l->gen) || (rungs[i].only_reached && !at))
            continue;
        if (at > newest) {
            newest = at;
            k.now = k.n;
        }
        k.rung[k.n++] = &rungs[i];
    }
    return k;
}

static int label_width(const struct ladder *l, const struct shown *k)
{
    int w = 0;
    for (int i = 0; i < k->n; i++)
        w = text_width(word(l, k->rung[i]->label)) > w ? text_width(word(l, k->rung[i]->label)) : w;
    return w;
}

/* Puts "…" in place of the first tries of a list that does not fit, and then of the pass: the last try decided. */
static void drop_tries(struct value *value, int room)
{
    const char *last = value->text + value->tries, *end;
    char kept[VALUE_BYTES];
    int head = (int)value->tries, around = room - text_width("…" TRY_END);
    if (!value->tries || text_width(value->text) <= room)
        return;
    snprintf(kept, sizeof kept, "%.*s", head, value->text);
    around -= text_width(kept);
    while ((end = strstr(last, TRY_END)) && (last == value->text + head || text_width(last) > around))
        last = end + strlen(TRY_END);
    if (text_width(last) > around)
        head = 0;
    snprintf(kept, sizeof kept, "%.*s…%s%s", head, value->text, TRY_END, last);
    memcpy(value->text, kept, sizeof kept);
}

static void draw_rungs(const struct ladder *l, const struct shown *k, struct canvas *c, struct rect in)
{
    int x = in.x + 5 + label_width(l, k) + 2, end = in.x + in.w - 1;
    int first = k->now - in.h + 2; /* a low pane shows the rungs around the newest */
    first = first > k->n - in.h ? k->n - in.h : first;
    first = first < 0 ? 0 : first;
    for (int i = first, y = in.y; i < k->n && y < in.y + in.h; i++, y++) {
        const struct rung *r = k->rung[i];
        const char *go = l->gen & NEW ? r->go : r->old_go;
        struct value value = {.n = 0};
        bool now = i == k->now, ahead = i > k->now;
        int go_w = in.w >= GO_FROM && go ? text_width(go) + 2 : 0;
        if (now)
            canvas_put(c, in, in.x, y, ROLE_focus, 0x25b6);
        canvas_printf(c, in, in.x + 1, y, ROLE_dim, "%2d", i + 1);
        canvas_text(c, in, in.x + 5, y, ahead ? ROLE_dim : ROLE_plain, word(l, r->label));
        if (!ahead)
            r->say(l, &value);
        if (x + text_width(value.text) > end - go_w) /* what decided comes first */
            go_w = 0;
        struct rect room = {x, y, end - go_w - x, 1};
        drop_tries(&value, room.w);
        canvas_text(c, room, x, y, ahead ? ROLE_dim : now ? ROLE_sentence_now : ROLE_sentence, ahead ? "·" : value.text);
        if (go_w)
            canvas_right(c, in, end - 1, y, ROLE_dim, go);
    }
}

/* In these generations schedule() calls findrunnable() only if it finds no G by itself. */
static void draw_none(const struct view *v, struct canvas *c, struct rect in, uint32_t m)
{
    struct rect r = {in.x + 1, in.y, in.w - 2, in.h};
    char text[256];
    if (m == EV_NONE)
        return;
    if (not_known(v, KNOW_M_SEARCH, m)) {
        draw_not_recorded(v, c, r);
        return;
    }
    bool old = generation_of(v) & (OLD | MIDDLE);
    snprintf(text, sizeof text, tx(v->lang, old ? TX_LADDER_NONE_OLD : TX_LADDER_NONE), m);
    wrap_draw(c, r, ROLE_dim, text);
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    struct rect in = p->in;
    if (!v->md)
        return;
    uint32_t m = m_of(v);
    struct ladder l = {v, search_of(v, m), generation_of(v)};
    if (!l.s) {
        draw_none(v, c, in, m);
        return;
    }
    struct shown k = shown_of(&l);
    if (k.now < 0) {
        canvas_text(c, in, in.x + 1, in.y, ROLE_dim, tx(v->lang, TX_LADDER_DIRECT));
        return;
    }
    draw_rungs(&l, &k, c, in);
}

const struct pane_ops pane_search_order = {.title = title, .draw = draw};
