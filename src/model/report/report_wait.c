/* gN wait: what a G did with its time, split by cause.
 *
 * Between two events of the run nothing changes, so the whole time between them has one cause, which follows from the state. Each such stretch is
 * added to exactly one part. So the parts add up to the whole by construction. A wait gets its part when it ends, because only then it is known which
 * G has ended it. */
#include "base/hash.h"
#include "model/report/report_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The states, in the order of the rows. */
enum wait_state { STATE_RUNNING, STATE_SYSCALL, STATE_BLOCKED, STATE_RUNNABLE, STATE_STOPPED, STATE_UNKNOWN, STATES };

/* CAUSE(id, state, word of JSON): a part of a state. Its text: RT_id, except where text_of() says more. */
#define CAUSES(X) \
    X(RAN, RUNNING, "ran") \
    X(CALL, SYSCALL, "syscall") \
    X(BLOCKED, BLOCKED, "blocked") \
    X(BEHIND_G, RUNNABLE, "behind_g") \
    X(BEHIND_CALL, RUNNABLE, "behind_syscall") \
    X(BEHIND_SEARCH, RUNNABLE, "p_schedules") \
    X(BEHIND_NONE, RUNNABLE, "p_has_no_m") \
    X(GLOBAL_NO_P, RUNNABLE, "global_queue_no_p") \
    X(GLOBAL_FREE, RUNNABLE, "global_queue_p_idle") \
    X(GLOBAL_ONLY, RUNNABLE, "only_queue") \
    X(NO_P, RUNNABLE, "no_p") \
    X(P_FREE, RUNNABLE, "p_idle") \
    X(QUEUE_UNKNOWN, RUNNABLE, "unknown") \
    X(IN_HAND, RUNNABLE, "in_hand") \
    X(AFTER_CALL, RUNNABLE, "after_syscall") \
    X(WORLD_STOPPED, STOPPED, "world_stopped") \
    X(DISABLED, STOPPED, "user_disabled") \
    X(GC_BLOCKED, STOPPED, "gc_blocked") \
    X(UNKNOWN, UNKNOWN, "unknown")
enum wait_cause {
#define X(id, ...) CAUSE_##id,
    CAUSES(X)
#undef X
};
static const struct {
    enum wait_state state;
    const char *word;
    enum report_text_id text;
} causes[] = {
#define X(id, state, word) {STATE_##state, word, RT_##id},
    CAUSES(X)
#undef X
};
static const struct {
    const char *word;
    enum report_text_id text;
} states[STATES] = {
    [STATE_RUNNING] = {"running", RT_STATE_RUNNING}, [STATE_SYSCALL] = {"syscall", RT_STATE_SYSCALL},
    [STATE_BLOCKED] = {"blocked", RT_STATE_BLOCKED}, [STATE_RUNNABLE] = {"runnable", RT_STATE_RUNNABLE},
    [STATE_STOPPED] = {"stopped", RT_STATE_STOPPED}, [STATE_UNKNOWN] = {"unknown", RT_STATE_UNKNOWN},
};

/* Blocked: a reason, the number of its object, the G that readied it (0: the runtime; EV_NONE: nobody yet). Behind: a P, its G. World: the reason. */
struct cause_key {
    uint32_t cause, a, b, by;
};
struct part {
    struct cause_key key;
    int64_t ns, longest;
    uint64_t n, event; /* event: at which the longest one began */
};

struct wait_report {
    struct report base;
    uint32_t g, fn;
    bool begun, over;
    int64_t begin, last; /* the times of its first event and of the last one that was added */
    uint64_t first, newest;
    struct part now; /* the stretch that has not ended */
    VEC(struct part) part;
    uint32_t *slot, slots; /* by hash: 1 + the number of a part; slots: a power of two */
};

/* ---- the cause of a state ---- */

static bool is_of_collector(uint32_t reason)
{
    return reason == WAIT_REASON_GC_WAIT || reason == WAIT_REASON_PREEMPTED || reason == WAIT_REASON_STOPPED;
}

/* A G in the queue of a P: what that P does instead. */
static struct cause_key behind(const struct model *md, const struct model_g *g)
{
    const struct model_p *p = g->where < model_np(md) ? model_p(md, g->where) : NULL;
    uint32_t derived = model_knows(md, KNOW_G_PLACE, g->id) == KNOWN_DERIVED;
    const struct model_m *m = p && p->m != EV_NONE ? model_m(md, p->m) : NULL;
    if (!p || p->status == P_UNKNOWN)
        return (struct cause_key){.cause = CAUSE_QUEUE_UNKNOWN};
    if (m && m->curg)
        return (struct cause_key){m->syscall ? CAUSE_BEHIND_CALL : CAUSE_BEHIND_G, g->where, m->curg, derived};
    for (uint32_t i = 0; p->status == P_SYSCALL && i < model_nm(md); i++)
        if (model_m(md, i)->oldp == g->where && model_m(md, i)->syscall)
            return (struct cause_key){CAUSE_BEHIND_CALL, g->where, model_m(md, i)->curg, derived};
    return (struct cause_key){m ? CAUSE_BEHIND_SEARCH : CAUSE_BEHIND_NONE, g->where, 0, derived};
}

static struct cause_key runnable(const struct model *md, const struct model_g *g)
{
    struct model_world world = model_world(md);
    int64_t idle;
    if (world.state != WORLD_RUNS)
        return (struct cause_key){CAUSE_WORLD_STOPPED, world.why, 0, 0};
    if (g->place == PLACE_DISABLED)
        return (struct cause_key){.cause = CAUSE_DISABLED};
    if (g->came == EV_SYSCALL_EXIT)
        return (struct cause_key){.cause = CAUSE_AFTER_CALL};
    switch (g->place) {
    case PLACE_RUNQ:
    case PLACE_RUNNEXT:
        return behind(md, g);
    case PLACE_IN_TRANSIT:
        return (struct cause_key){.cause = CAUSE_IN_HAND};
    case PLACE_GLOBQ:
        if (!model_np(md))
            return (struct cause_key){.cause = CAUSE_GLOBAL_ONLY};
        idle = report_idle_ps(md);
        if (idle < 0)
            return (struct cause_key){.cause = CAUSE_QUEUE_UNKNOWN};
        return (struct cause_key){
            idle ? CAUSE_GLOBAL_FREE : CAUSE_GLOBAL_NO_P, 0, 0, model_knows(md, KNOW_G_PLACE, g->id) == KNOWN_DERIVED};
    default:
        idle = report_idle_ps(md);
        return (struct cause_key){.cause = idle < 0 ? CAUSE_QUEUE_UNKNOWN : idle ? CAUSE_P_FREE : CAUSE_NO_P};
    }
}

static struct cause_key cause_of(const struct model *md, const struct model_g *g)
{
    bool known;
    switch (g->status) {
    case G_RUNNING:
        return (struct cause_key){.cause = CAUSE_RAN};
    case G_SYSCALL:
        return (struct cause_key){.cause = CAUSE_CALL};
    case G_RUNNABLE:
        return runnable(md, g);
    case G_WAITING:
        known = model_knows(md, KNOW_G_REASON, g->id) != KNOWN_NOT;
        return (struct cause_key){
            is_of_collector(g->reason) ? CAUSE_GC_BLOCKED : CAUSE_BLOCKED, known ? g->reason : WAIT_REASON_NONE, g->obj, EV_NONE};
    default:
        return (struct cause_key){.cause = CAUSE_UNKNOWN};
    }
}

/* ---- parts ---- */

static bool same_key(const struct cause_key *x, const struct cause_key *y)
{
    return !memcmp(x, y, sizeof *x);
}

static uint32_t *slot_of(const struct wait_report *w, const struct cause_key *key)
{
    uint32_t i = (uint32_t)hash_bytes((const char *)key, sizeof *key);
    while (w->slot[i &= w->slots - 1] && !same_key(&w->part.v[w->slot[i] - 1].key, key))
        i++;
    return &w->slot[i];
}

static bool grow(struct wait_report *w)
{
    uint32_t *old = w->slot, slots = w->slots ? w->slots * 2 : 64;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot)
        return false;
    free(old);
    w->slot = slot;
    w->slots = slots;
    for (uint32_t i = 0; i < w->part.n; i++)
        *slot_of(w, &w->part.v[i].key) = i + 1;
    return true;
}

static void add_stretch(struct part *p, const struct part *more)
{
    p->ns += more->ns;
    p->n += more->n;
    if (more->longest > p->longest || !p->event) {
        p->longest = more->longest;
        p->event = more->event;
    }
}

/* The stretch that lasts has ended. */
static void end_stretch(struct wait_report *w)
{
    if (w->part.n * 2 >= w->slots && !grow(w)) {
        w->base.lacks = true;
        return;
    }
    uint32_t *slot = slot_of(w, &w->now.key);
    w->now.longest = w->now.ns;
    w->now.n = 1;
    if (!*slot && !vec_push(&w->part, (struct part){.key = w->now.key})) {
        w->base.lacks = true;
        return;
    }
    *slot = *slot ? *slot : (uint32_t)w->part.n;
    add_stretch(&w->part.v[*slot - 1], &w->now);
}

static void event(struct report *r, const struct merged_event *at)
{
    struct wait_report *w = (struct wait_report *)r;
    const struct model_g *g = w->over ? NULL : model_g(at->md, w->g);
    if (!g || (!w->begun && g->status == G_DEAD))
        return;
    bool own = at->e->g == w->g, readied = own && at->e->kind == EV_G_READY;
    int64_t time = model_time(at->md);
    struct cause_key key = cause_of(at->md, g);
    if (w->begun) { /* the model's time never runs back */
        w->now.ns += time - w->last;
        w->now.key.by = readied && w->now.key.by == EV_NONE ? at->e->b : w->now.key.by;
        if (!readied && same_key(&w->now.key, &key)) {
            w->last = time;
            w->newest = at->number;
            return;
        }
        end_stretch(w);
    } else {
        w->begin = time;
        w->first = at->number;
    }
    w->begun = true;
    w->fn = g->status == G_DEAD ? w->fn : g->fn; /* the fold forgets the details of Gs that ended long ago */
    w->over = g->status == G_DEAD;
    w->last = time;
    w->newest = at->number;
    w->now = (struct part){.key = key, .event = at->number};
}

/* ---- reading ---- */

/* The parts with the stretch that lasts, the longest first of each state. */
struct split {
    VEC(struct part) part;
    int64_t all, of[STATES];
};

static enum wait_state state_of(const struct part *p)
{
    return causes[p->key.cause].state;
}

static int by_state(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    if (state_of(x) != state_of(y))
        return state_of(x) < state_of(y) ? -1 : 1;
    if (x->ns != y->ns)
        return x->ns > y->ns ? -1 : 1;
    return memcmp(&x->key, &y->key, sizeof x->key);
}

static bool split_read(const struct wait_report *w, const struct model *md, struct split *out)
{
    struct part now = w->now;
    bool open = w->begun && !w->over, lacks = false;
    *out = (struct split){.all = 0};
    now.ns += open && model_time(md) > w->last ? model_time(md) - w->last : 0;
    now.longest = now.ns;
    now.n = 1;
    for (size_t i = 0; i < w->part.n; i++) {
        struct part p = w->part.v[i];
        if (open && same_key(&p.key, &now.key)) {
            add_stretch(&p, &now);
            open = false;
        }
        lacks |= !vec_push(&out->part, p);
    }
    lacks |= open && !vec_push(&out->part, now);
    for (size_t i = 0; i < out->part.n; i++) {
        out->all += out->part.v[i].ns;
        out->of[state_of(&out->part.v[i])] += out->part.v[i].ns;
    }
    if (out->part.n)
        qsort(out->part.v, out->part.n, sizeof *out->part.v, by_state);
    return !lacks;
}

/* What is written, and how. */
struct saying {
    const struct model *md;
    enum lang lang;
    int64_t all; /* the whole, of which rows are parts */
    struct report_rows *out;
};

static bool behind_p(const struct cause_key *k)
{
    return k->cause >= CAUSE_BEHIND_G && k->cause <= CAUSE_BEHIND_NONE;
}

static const char *reason_text(uint32_t reason, enum lang lang)
{
    const char *said = reason == WAIT_REASON_NONE ? NULL : ev_say(FT_REASON, reason, lang);
    return said ? said : report_text(RT_REASON_UNKNOWN, "", lang);
}

enum { OBJECT_TEXT = OBJECT_NAME + 8 };

static void object_text(const struct saying *s, const struct cause_key *k, char buf[OBJECT_TEXT])
{
    struct ev_object o = ev_waits_for(k->a, k->b);
    char name[OBJECT_NAME];
    buf[0] = '\0';
    if (k->b && o.kind != OBJ_NONE && *model_object_name(s->md, o, name))
        snprintf(buf, OBJECT_TEXT, report_text(RT_OBJECT, "%s", s->lang), name);
}

static void text_of(const struct saying *s, const struct cause_key *k, char *buf, size_t size)
{
    enum lang lang = s->lang;
    char name[EV_G_NAME], object[OBJECT_TEXT];
    const char *said;
    switch (k->cause) {
    case CAUSE_BLOCKED:
        object_text(s, k, object);
        if (k->by == EV_NONE || !k->by)
            snprintf(buf, size, report_text(k->by ? RT_BLOCKED_STILL : RT_BLOCKED_RUNTIME, "%s%s", lang), reason_text(k->a, lang), object);
        else
            snprintf(buf, size, report_text(RT_BLOCKED, "%s%s%s", lang), reason_text(k->a, lang), object, ev_g_name(k->by, name));
        break;
    case CAUSE_GC_BLOCKED:
        snprintf(buf, size, report_text(RT_GC_BLOCKED, "%s", lang), reason_text(k->a, lang));
        break;
    case CAUSE_BEHIND_G:
    case CAUSE_BEHIND_CALL:
        snprintf(buf, size, report_text(causes[k->cause].text, "%u%s", lang), k->a, ev_g_name(k->b, name));
        break;
    case CAUSE_BEHIND_SEARCH:
    case CAUSE_BEHIND_NONE:
        snprintf(buf, size, report_text(causes[k->cause].text, "%u", lang), k->a);
        break;
    case CAUSE_WORLD_STOPPED:
        said = ev_say(FT_STWWHY, k->a, lang);
        snprintf(buf, size, report_text(RT_WORLD_STOPPED, "%s", lang), said ? said : report_text(RT_REASON_UNKNOWN, "", lang));
        break;
    default:
        snprintf(buf, size, "%s", report_text(causes[k->cause].text, "", lang));
    }
}

/* Adds a row for a part: what it is, how often, and the longest. */
static void part_row(const struct saying *s, const struct part *p, int depth, const char *what)
{
    enum lang lang = s->lang;
    char often[40], longest[32];
    snprintf(often, sizeof often, report_text(RT_N_TIMES, "%llu", lang), (unsigned long long)p->n);
    struct report_row *row =
        p->n == 1 ? report_add(s->out, depth, p->ns, "%s", what)
                  : report_add(s->out, depth, p->ns, report_text(RT_TIMES, "%s%s%s", lang), what, often,
                               duration_text(p->longest, longest, sizeof longest));
    if (row) {
        row->of = s->all;
        row->event = p->event;
    }
}

/* In a queue: by is set if which one is derived. */
static bool is_of_queue(const struct cause_key *k)
{
    return behind_p(k) || k->cause == CAUSE_GLOBAL_FREE || k->cause == CAUSE_GLOBAL_NO_P;
}

static void cause_row(const struct saying *s, const struct part *p)
{
    char what[REPORT_TEXT - 60], derived[REPORT_TEXT];
    text_of(s, &p->key, what, sizeof what);
    snprintf(derived, sizeof derived, is_of_queue(&p->key) && p->key.by ? report_text(RT_DERIVED, "%s", s->lang) : "%s", what);
    part_row(s, p, 1, derived);
}

static void sum_row(const struct saying *s, int depth, int64_t ns, const char *what)
{
    struct report_row *row = report_add(s->out, depth, ns, "%s", what);
    if (row)
        row->of = s->all;
}

/* Many parts of one state: the longest are shown. */
enum { PARTS_SHOWN = 16 };

/* The rows of a state, whose parts are those from `from` to `to`. */
static void state_rows(const struct saying *s, const struct split *of, size_t from, size_t to)
{
    enum wait_state state = state_of(&of->part.v[from]);
    const char *name = report_text(states[state].text, "", s->lang);
    size_t shown = to - from > PARTS_SHOWN + 1 ? PARTS_SHOWN : to - from;
    int64_t rest = 0;
    if (state == STATE_RUNNING || state == STATE_SYSCALL || state == STATE_UNKNOWN) { /* it has one part */
        part_row(s, &of->part.v[from], 0, name);
        return;
    }
    sum_row(s, 0, of->of[state], name);
    for (size_t i = from; i < to; i++)
        if (i < from + shown)
            cause_row(s, &of->part.v[i]);
        else
            rest += of->part.v[i].ns;
    if (from + shown < to) {
        char more[80];
        snprintf(more, sizeof more, report_text(RT_MORE, "%u", s->lang), (unsigned)(to - from - shown));
        sum_row(s, 1, rest, more);
    }
}

static void rows(struct report *r, const struct model *md, enum lang lang, struct report_rows *out)
{
    const struct wait_report *w = (const struct wait_report *)r;
    struct split s;
    char name[EV_G_NAME];
    out->lacks |= !split_read(w, md, &s);
    const struct saying say = {md, lang, s.all, out};
    const char *fn = model_fn(md, w->fn);
    report_add(out, 0, -1, report_text(w->over ? RT_HEAD_ENDED : RT_HEAD, "%s%s%llu%llu", lang), ev_g_name(w->g, name), fn ? fn : "?",
               (unsigned long long)w->first, (unsigned long long)w->newest);
    for (size_t i = 0, to; i < s.part.n; i = to) {
        for (to = i; to < s.part.n && state_of(&s.part.v[to]) == state_of(&s.part.v[i]);)
            to++;
        state_rows(&say, &s, i, to);
    }
    sum_row(&say, 0, s.all, report_text(RT_TOGETHER, "", lang));
    vec_free(&s.part);
}

static void json_part(const struct model *md, const struct part *p, FILE *out)
{
    const struct cause_key *k = &p->key;
    char name[EV_G_NAME], object[OBJECT_NAME];
    fprintf(out, "{\"state\":\"%s\",\"cause\":\"%s\"", states[state_of(p)].word, causes[k->cause].word);
    if (k->cause == CAUSE_BLOCKED || k->cause == CAUSE_GC_BLOCKED) {
        struct ev_object o = ev_waits_for(k->a, k->b);
        const char *word = k->a == WAIT_REASON_NONE ? NULL : ev_word(FT_REASON, k->a);
        fprintf(out, word ? ",\"reason\":\"%s\"" : ",\"reason\":null%s", word ? word : "");
        if (k->b && o.kind != OBJ_NONE) {
            fputs(",\"object\":", out);
            json_string(model_object_name(md, o, object), out);
        }
        fprintf(out, k->by == EV_NONE ? ",\"readied_by\":null%s" : ",\"readied_by\":\"%s\"",
                k->by == EV_NONE ? ""
                : k->by          ? ev_g_name(k->by, name)
                                 : "runtime");
    } else if (behind_p(k)) {
        fprintf(out, ",\"p\":\"P%" PRIu32 "\"", k->a);
        if (k->b)
            fprintf(out, ",\"g\":\"%s\"", ev_g_name(k->b, name));
        fprintf(out, ",\"derived\":%s", k->by ? "true" : "false");
    } else if (is_of_queue(k)) {
        fprintf(out, ",\"derived\":%s", k->by ? "true" : "false");
    } else if (k->cause == CAUSE_WORLD_STOPPED) {
        const char *word = ev_word(FT_STWWHY, k->a);
        fprintf(out, ",\"why\":\"%s\"", word ? word : "");
    }
    fprintf(out, ",\"ns\":%" PRId64 ",\"n\":%" PRIu64 ",\"longest_ns\":%" PRId64 ",\"event\":%" PRIu64 "}", p->ns, p->n, p->longest,
            p->event);
}

static void json(struct report *r, const struct model *md, FILE *out)
{
    const struct wait_report *w = (const struct wait_report *)r;
    struct split s;
    char name[EV_G_NAME];
    r->lacks |= !split_read(w, md, &s);
    const char *fn = model_fn(md, w->fn);
    fprintf(out, "{\"g\":\"%s\",\"fn\":", ev_g_name(w->g, name));
    json_string(fn ? fn : "?", out);
    fprintf(out,
            ",\"from_ns\":%" PRId64 ",\"total_ns\":%" PRId64 ",\"from_event\":%" PRIu64 ",\"to_event\":%" PRIu64
            ",\"ended\":%s,\"states\":{",
            w->begin, s.all, w->first, w->newest, w->over ? "true" : "false");
    for (int i = 0; i < STATES; i++)
        fprintf(out, "%s\"%s\":%" PRId64, i ? "," : "", states[i].word, s.of[i]);
    fputs("},\"parts\":[", out);
    for (size_t i = 0; i < s.part.n; i++) {
        fputs(i ? "," : "", out);
        json_part(md, &s.part.v[i], out);
    }
    fputs("]}", out);
    vec_free(&s.part);
}

static void begin(struct report *r, const struct report_asked *asked)
{
    ((struct wait_report *)r)->g = asked->g;
}

static bool is_empty(const struct report *r)
{
    return !((const struct wait_report *)r)->begun;
}

static void fini(struct report *r)
{
    struct wait_report *w = (struct wait_report *)r;
    vec_free(&w->part);
    free(w->slot);
}

const struct report_ops report_wait = {
    .bytes = sizeof(struct wait_report),
    .states = true,
    .begin = begin,
    .event = event,
    .rows = rows,
    .json = json,
    .is_empty = is_empty,
    .fini = fini,
};
