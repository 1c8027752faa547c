/* path: what made the run as long as it was, from a G back to the root.
 *
 * A stretch begins when a G is created or made ready by another G, and has what the G did from then on. Before it comes the stretch of that other G, up to
 * that moment: until then the G could not run, whatever it had done before. If the runtime itself made it ready (a timer, the network), nothing else was
 * in its way, so its own stretch continues and the wait is a part of it. So the stretches of a path follow each other without a gap, and their times add
 * up to the time from the beginning of the root to the end.
 *
 * Each G has its open stretch. When it makes another G ready, what it has so far is closed and shared by both: a tree whose nodes know only what was
 * before them. A node lives as long as a path leads over it.
 */
#include "model/report/report_internal.h"
#include "model/report/report_tracks.h"

#include <inttypes.h>
#include <stdlib.h>

enum { NODES_MOST = 1 << 22 }; /* 320 MiB; older parts of longer paths are forgotten */
enum path_state { ON_P, WAITS_FOR_P, IN_CALL, BLOCKED, NOT_KNOWN, PATH_STATES };
static const struct {
    const char *word;
    enum report_text_id text, did;
} states[PATH_STATES] = {
    [ON_P] = {"running", RT_STATE_RUNNING, RT_DID_RUNNING},
    [WAITS_FOR_P] = {"runnable", RT_STATE_RUNNABLE, RT_DID_RUNNABLE},
    [IN_CALL] = {"syscall", RT_STATE_SYSCALL, RT_DID_SYSCALL},
    [BLOCKED] = {"blocked", RT_PATH_BLOCKED, RT_DID_BLOCKED},
    [NOT_KNOWN] = {"unknown", RT_STATE_UNKNOWN, RT_DID_UNKNOWN}};

struct path_node {
    struct path_node *before; /* NULL: it is the first */
    uint32_t refs, g, fn;
    uint64_t event; /* that began it */
    bool woken;     /* another G began it; else it continues the node before it */
    int64_t begin, ns[PATH_STATES];
};

struct path_report {
    struct report base;
    uint32_t g;
    uint64_t until; /* the event up to which it follows; 0: all */
    bool over;      /* the G has ended, or `until` was reached */
    struct tracks tracks;
    int64_t now;
    uint64_t newest, nodes;
    bool cut; /* a part was forgotten */
    struct path_node *end;
};

/* ---- nodes ---- */

static void drop(struct path_report *p, struct path_node *n)
{
    while (n && --n->refs == 0) {
        struct path_node *before = n->before;
        free(n);
        p->nodes--;
        n = before;
    }
}

/* Takes over the reference to `before`. Returns NULL if memory ran out. */
static struct path_node *node_new(struct path_report *p, struct path_node *before, uint32_t g, uint64_t event)
{
    struct path_node *n = calloc(1, sizeof *n);
    if (!n) {
        p->base.lacks = true;
        drop(p, before);
        return NULL;
    }
    if (before && p->nodes >= NODES_MOST) {
        p->cut = true;
        drop(p, before);
        before = NULL;
    }
    *n = (struct path_node){.before = before, .refs = 1, .g = g, .fn = EV_NONE, .event = event, .begin = p->now};
    p->nodes++;
    return n;
}

static enum path_state state_of(uint32_t status)
{
    return status == G_RUNNING    ? ON_P
           : status == G_RUNNABLE ? WAITS_FOR_P
           : status == G_SYSCALL  ? IN_CALL
           : status == G_WAITING  ? BLOCKED
                                  : NOT_KNOWN;
}

/* Adds the time since the last change to the G's open stretch. */
static void settle(const struct path_report *p, struct track *t)
{
    if (t->node && t->status != G_DEAD)
        t->node->ns[state_of(t->status)] += p->now - t->since;
    if (t->node)
        t->node->fn = t->fn;
    t->since = p->now;
}

/* ---- events ---- */

/* G `by` has made the G ready, or created it. */
static void woken(struct path_report *p, struct track *t, uint32_t g, uint32_t by, uint64_t event)
{
    struct track *waker = by && by != g ? track_find(&p->tracks, by) : NULL;
    struct path_node *before = waker ? waker->node : NULL;
    if (!before)
        return; /* the runtime, or a G of which nothing is known: its own stretch continues */
    settle(p, waker);
    drop(p, t->node);
    before->refs++;
    if ((t->node = node_new(p, before, g, event)))
        t->node->woken = true;
    if (!p->base.lacks)
        waker->node = node_new(p, before, by, event);
    else
        waker->node = NULL;
}

static void event(struct report *r, const struct merged_event *at)
{
    struct path_report *p = (struct path_report *)r;
    const struct ev *e = at->e;
    int status = track_status_after(e);
    if (p->over)
        return;
    p->now = e->time > p->now ? e->time : p->now;
    p->newest = at->number;
    if (p->until && !p->g && at->number == p->until)
        p->g = e->g;
    struct track *t = status >= 0 && e->g ? track_of(&p->tracks, e->g) : NULL;
    if (status >= 0 && e->g && !t) {
        r->lacks = true;
        return;
    }
    if (t) {
        if (e->kind == EV_G_CREATE || e->kind == EV_G_SEEN) {
            uint32_t fn = e->kind == EV_G_CREATE ? e->b : e->c;
            t->fn = fn == EV_NONE ? t->fn : fn;
        }
        if (e->kind == EV_G_CREATE || e->kind == EV_G_READY)
            woken(p, t, e->g, e->kind == EV_G_CREATE ? e->a : e->b, at->number);
        if (!r->lacks && !t->node)
            t->node = node_new(p, NULL, e->g, at->number);
        if (t->status == G_IDLE || (t->node && t->node->begin == p->now))
            t->since = p->now;
        settle(p, t);
        t->status = (uint8_t)status;
        if (status == G_DEAD && e->g != p->g) {
            drop(p, t->node);
            t->node = NULL;
        }
    }
    p->over = (status == G_DEAD && e->g == p->g) || (p->until && at->number >= p->until);
}

/* ---- reading ---- */

/* A stretch of one G: its nodes put together. */
struct stretch {
    uint32_t g, fn;
    uint64_t event;
    bool woken;
    int64_t begin, all, ns[PATH_STATES];
};
struct chain {
    VEC(struct stretch) v; /* the last one first */
    int64_t all, ns[PATH_STATES];
};

static bool chain_read(struct path_report *p, const struct model *md, struct chain *out)
{
    *out = (struct chain){.all = 0};
    struct track *t = track_find(&p->tracks, p->g);
    p->now = !p->over && md && model_time(md) > p->now ? model_time(md) : p->now;
    if (t && t->node)
        settle(p, t);
    for (const struct path_node *n = t ? t->node : NULL; n; n = n->before) {
        struct stretch *last = out->v.n ? &out->v.v[out->v.n - 1] : NULL;
        bool more = last && !last->woken && last->g == n->g;
        if (!more && !vec_push(&out->v, ((struct stretch){.g = n->g, .fn = n->fn})))
            return false;
        last = &out->v.v[out->v.n - 1];
        last->event = n->event;
        last->begin = n->begin;
        last->woken = n->woken;
        for (int i = 0; i < PATH_STATES; i++) {
            last->ns[i] += n->ns[i];
            last->all += n->ns[i];
            out->ns[i] += n->ns[i];
            out->all += n->ns[i];
        }
    }
    return true;
}

static void row_of(struct report_rows *out, int64_t all, int depth, int64_t ns, uint64_t event, const char *text)
{
    struct report_row *row = report_add(out, depth, ns, "%s", text);
    if (row) {
        row->of = all;
        row->event = event;
    }
}

/* "ran for 2 ms, waited for a P for 30 ns": what is not 0. */
static void did_text(const struct stretch *s, enum lang lang, char *buf, size_t size)
{
    size_t at = 0;
    char time[32];
    buf[0] = '\0';
    for (int i = 0; i < PATH_STATES; i++)
        if (s->ns[i] && at < size)
            at += (size_t)snprintf(buf + at, size - at, report_text(RT_PATH_DID, "%s%s%s", lang), at ? ", " : "",
                                   report_text(states[i].did, "", lang), duration_text(s->ns[i], time, sizeof time));
}

/* What is written, and how. */
struct saying {
    const struct model *md;
    enum lang lang;
    struct report_rows *out;
};

static void stretch_row(const struct saying *say, const struct chain *c, size_t i)
{
    const struct model *md = say->md;
    enum lang lang = say->lang;
    const struct stretch *s = &c->v.v[i];
    const struct stretch *before = i + 1 < c->v.n ? &c->v.v[i + 1] : NULL;
    char did[160], text[REPORT_TEXT], name[EV_G_NAME], by[EV_G_NAME];
    did_text(s, lang, did, sizeof did);
    ev_g_name(s->g, name);
    if (s->woken && before)
        snprintf(text, sizeof text, report_text(RT_PATH_BY, "%s%s%s%s", lang), name, model_fn(md, s->fn), ev_g_name(before->g, by), did);
    else
        snprintf(text, sizeof text, report_text(RT_PATH_ROOT, "%s%s%s", lang), name, model_fn(md, s->fn), did);
    row_of(say->out, c->all, 1, s->all, s->event, text);
}

enum { STRETCHES_SHOWN = 200 };

static void rows(struct report *r, const struct model *md, enum lang lang, struct report_rows *out)
{
    struct path_report *p = (struct path_report *)r;
    struct chain c;
    char name[EV_G_NAME], text[80];
    out->lacks |= !chain_read(p, md, &c);
    const struct track *t = track_find(&p->tracks, p->g);
    report_add(out, 0, -1, report_text(RT_PATH_HEAD, "%s%s%llu%zu", lang), ev_g_name(p->g, name), model_fn(md, t ? t->fn : EV_NONE),
               (unsigned long long)p->newest, c.v.n);
    for (int i = 0; i < PATH_STATES; i++)
        if (c.ns[i])
            row_of(out, c.all, 0, c.ns[i], 0, report_text(states[i].text, "", lang));
    row_of(out, c.all, 0, c.all, 0, report_text(RT_TOGETHER, "", lang));
    report_add(out, 0, -1, "%s", report_text(RT_PATH_BACK, "", lang));
    int64_t rest = 0;
    for (size_t i = 0; i < c.v.n; i++)
        if (i < STRETCHES_SHOWN)
            stretch_row(&(struct saying){md, lang, out}, &c, i);
        else
            rest += c.v.v[i].all;
    if (c.v.n > STRETCHES_SHOWN) {
        snprintf(text, sizeof text, report_text(RT_MORE, "%u", lang), (unsigned)(c.v.n - STRETCHES_SHOWN));
        row_of(out, c.all, 1, rest, 0, text);
    }
    if (p->cut)
        report_add(out, 0, -1, "%s", report_text(RT_PATH_CUT, "", lang));
    vec_free(&c.v);
}

static void json_states(const int64_t ns[PATH_STATES], FILE *out)
{
    for (int i = 0; i < PATH_STATES; i++)
        fprintf(out, ",\"%s_ns\":%" PRId64, states[i].word, ns[i]);
}

static void json(struct report *r, const struct model *md, FILE *out)
{
    struct path_report *p = (struct path_report *)r;
    struct chain c;
    char name[EV_G_NAME];
    r->lacks |= !chain_read(p, md, &c);
    fprintf(out, "{\"g\":\"%s\",\"to_event\":%" PRIu64 ",\"cut\":%s,\"total_ns\":%" PRId64, ev_g_name(p->g, name), p->newest,
            p->cut ? "true" : "false", c.all);
    json_states(c.ns, out);
    fputs(",\"stretches\":[", out);
    for (size_t i = 0; i < c.v.n; i++) {
        const struct stretch *s = &c.v.v[i];
        fprintf(out, "%s{\"g\":\"%s\",\"fn\":", i ? "," : "", ev_g_name(s->g, name));
        json_string(model_fn(md, s->fn), out);
        fprintf(out, ",\"event\":%" PRIu64 ",\"begin_ns\":%" PRId64 ",\"ns\":%" PRId64, s->event, s->begin, s->all);
        fprintf(out, s->woken && i + 1 < c.v.n ? ",\"by\":\"%s\"" : ",\"by\":null%s",
                s->woken && i + 1 < c.v.n ? ev_g_name(c.v.v[i + 1].g, name) : "");
        json_states(s->ns, out);
        fputs("}", out);
    }
    fputs("]}", out);
    vec_free(&c.v);
}

static void begin(struct report *r, const struct report_asked *asked)
{
    struct path_report *p = (struct path_report *)r;
    p->until = asked->event;
    p->g = asked->g || asked->event ? asked->g : 1;
}

static bool is_empty(const struct report *r)
{
    const struct path_report *p = (const struct path_report *)r;
    const struct track *t = track_find(&p->tracks, p->g);
    return !p->g || !t || !t->node || (p->until && p->newest < p->until);
}

static void end_track(void *ctx, struct track *of)
{
    drop(ctx, of->node);
}

static void fini(struct report *r)
{
    struct path_report *p = (struct path_report *)r;
    tracks_fini(&p->tracks, end_track, p);
}

const struct report_ops report_path = {
    .bytes = sizeof(struct path_report),
    .begin = begin,
    .event = event,
    .rows = rows,
    .json = json,
    .is_empty = is_empty,
    .fini = fini,
};
