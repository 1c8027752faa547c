/* Questions about stretches of the history: bins for a timeline, and the chain of events of one G, M, P or object. */
#include "model/history/history_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- the activity at any state ---- */

/* `at` is the activity at state `pos` once walk_load() has run; until then it may be any older one. */
struct walk {
    struct history *h;
    struct activity *at;
    uint64_t pos;
    uint32_t peak[LEVELS];
};

static struct segment *segment_after(const struct history *h, uint64_t state)
{
    uint32_t i = segment_of(h, state + 1);
    return &h->seg.v[i < h->seg.n ? i : h->seg.n - 1];
}

static const struct activity *nearest_mark(const struct history *h, uint64_t state)
{
    const struct segment *s = segment_after(h, state);
    return index_mark(s, (uint32_t)(state + 1 - s->first));
}

/* Folds forward to state `to`, and raises the peak to the highest value of any state passed. */
static bool walk_fold(struct walk *w, uint64_t to)
{
    while (w->at->events < to) {
        const struct segment *s = segment_after(w->h, w->at->events);
        const struct block *b = store_block(w->h, (uint32_t)(s - w->h->seg.v), (uint32_t)(w->at->events + 1 - s->first));
        if (!b)
            return false;
        for (uint32_t i = (uint32_t)(w->at->events + 1 - b->first); i < b->n && w->at->events < to; i++) {
            if (!activity_add(&w->at, b->m[i], &b->ev[i]))
                return false;
            raise_peak(w->peak, w->at->level);
        }
    }
    return true;
}

/* Makes `at` the activity at state pos. The peak does not change, because the states before pos are outside of the bin. */
static bool walk_load(struct walk *w)
{
    const struct activity *mark = nearest_mark(w->h, w->pos);
    uint32_t peak[LEVELS];
    memcpy(peak, w->peak, sizeof peak);
    if (!w->at || w->at->events > w->pos || w->at->events < mark->events) {
        free(w->at);
        w->at = activity_copy(mark);
    }
    bool ok = w->at && walk_fold(w, w->pos);
    memcpy(w->peak, peak, sizeof peak);
    return ok;
}

/* Moves forward to state `to`. Skips whole segments and whole leaves, because their peaks are known. */
static bool walk_to(struct walk *w, uint64_t to)
{
    while (w->pos < to) {
        const struct segment *s = segment_after(w->h, w->pos);
        uint32_t done = (uint32_t)(w->pos + 1 - s->first), leaf = s->index.leaf;
        if (done == 0 && s->n == w->h->size && s->n <= to - w->pos) {
            raise_peak(w->peak, s->index.total_peak);
            w->pos += s->n;
        } else if (done % leaf == 0 && done + leaf <= s->n && leaf <= to - w->pos) {
            raise_peak(w->peak, s->index.peak[done / leaf]);
            w->pos += leaf;
        } else {
            uint64_t next = w->pos + leaf - done % leaf;
            if (!walk_load(w) || !walk_fold(w, next < to ? next : to))
                return false;
            w->pos = w->at->events;
        }
    }
    return walk_load(w);
}

/* ---- bins ---- */

/* Adds, times `sign`. The times of a stranger's file may make sums that have no meaning, but they wrap. */
static void add_ns(int64_t *sum, int sign, int64_t ns)
{
    *sum = (int64_t)((uint64_t)*sum + (uint64_t)sign * (uint64_t)ns);
}

/* Adds the sums at an edge to bin i, times `sign`: 1 at the bin's end, -1 at its beginning. */
static void add_edge(struct history_bins *b, uint32_t i, const struct activity *a, int64_t now, int sign)
{
    struct history_bin *bin = &b->bin[i];
    for (int k = 0; k < LEVELS; k++) {
        add_ns(&bin->level_ns[k], sign, activity_level_ns(a, (enum history_level)k, now));
        bin->level[k] = a->level[k]; /* the end of a bin is added after its beginning */
    }
    for (int kind = 0; kind < EV_KINDS; kind++)
        bin->kinds[kind] += (uint64_t)sign * a->kinds[kind];
    for (uint32_t p = 0; p < b->np; p++) {
        struct history_bin_p *bp = &b->p[(size_t)i * b->np + p];
        if (p >= a->np) { /* it does not exist yet */
            add_ns(&bp->ns[P_DOES_NOTHING], sign, now);
            bp->m = EV_NONE;
            continue;
        }
        for (int d = 0; d < P_DOINGS; d++)
            add_ns(&bp->ns[d], sign, activity_p_ns(a, p, (enum p_doing)d, now));
        bp->starts += (uint64_t)sign * activity_ps(a)[p].starts;
        bp->g = activity_ps(a)[p].g;
        bp->m = activity_ps(a)[p].status == P_RUNNING ? activity_ps(a)[p].m : EV_NONE;
        bp->doing = (enum p_doing)activity_ps(a)[p].doing;
    }
}

static bool bins_new(struct history_bins *b, const struct history *h, uint32_t n)
{
    *b = (struct history_bins){.n = n, .np = h->now->np};
    b->bin = calloc(n, sizeof *b->bin);
    b->p = calloc((size_t)n * b->np + 1, sizeof *b->p);
    return b->bin && b->p;
}

void history_bins_free(struct history_bins *b)
{
    free(b->bin);
    free(b->p);
    *b = (struct history_bins){0};
}

/* Returns point i of a length that is divided into n equal parts. */
static uint64_t part(uint64_t length, uint32_t i, uint32_t n)
{
    return length / n * i + length % n * i / n;
}

struct edge {
    uint64_t state;
    int64_t time; /* not before the state's latest event; INT64_MIN: the time of that event */
};

/* The edges are numbered from 0 to n. */
struct edges {
    bool by_time;
    int64_t start, end; /* by_time */
    uint64_t from, to;  /* else: states */
};

/* An edge is found right before its sums are read, because both may need the same segment from the file. */
static struct edge edge_at(struct history *h, const struct edges *e, uint32_t i, uint32_t n)
{
    if (!e->by_time)
        return (struct edge){e->from + part(e->to - e->from, i, n), INT64_MIN};
    int64_t time = e->start + (int64_t)part((uint64_t)(e->end - e->start), i, n);
    return (struct edge){history_at(h, time), time};
}

static bool fill_bins(struct history *h, const struct edges *edges, struct history_bins *b)
{
    struct walk w = {.h = h, .pos = edge_at(h, edges, 0, b->n).state};
    bool ok = walk_load(&w);
    for (uint32_t i = 0; ok && i <= b->n; i++) {
        struct edge edge = edge_at(h, edges, i, b->n);
        ok = walk_to(&w, edge.state);
        if (!ok)
            break;
        int64_t now = edge.time > w.at->time ? edge.time : w.at->time;
        if (i > 0) {
            add_edge(b, i - 1, w.at, now, 1);
            b->bin[i - 1].to = edge.state;
            b->bin[i - 1].end = now;
            memcpy(b->bin[i - 1].peak, w.peak, sizeof w.peak);
        }
        if (i < b->n) {
            add_edge(b, i, w.at, now, -1);
            b->bin[i].from = edge.state;
            b->bin[i].start = now;
            memcpy(w.peak, w.at->level, sizeof w.peak);
        }
    }
    free(w.at);
    return ok;
}

static bool make_bins(struct history *h, const struct edges *edges, uint32_t n, struct history_bins *out)
{
    bool ok = bins_new(out, h, n) && fill_bins(h, edges, out);
    if (!ok)
        history_bins_free(out);
    return ok;
}

bool history_bins_by_event(struct history *h, uint64_t from, uint64_t to, uint32_t n, struct history_bins *out)
{
    *out = (struct history_bins){0};
    bool there = n && from >= history_oldest(h) && from <= to && to <= h->events;
    return there && make_bins(h, &(struct edges){.from = from, .to = to}, n, out);
}

bool history_bins_by_time(struct history *h, int64_t start, int64_t end, uint32_t n, struct history_bins *out)
{
    *out = (struct history_bins){0};
    return n && start <= end && make_bins(h, &(struct edges){.by_time = true, .start = start, .end = end}, n, out);
}

/* ---- chains ---- */

static const struct readied *find_readied(const struct segment *s, uint32_t i)
{
    uint32_t low = 0, high = s->index.nreadied;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (s->index.readied[mid].i < i)
            low = mid + 1;
        else
            high = mid;
    }
    return low < s->index.nreadied && s->index.readied[low].i == i ? &s->index.readied[low] : NULL;
}

static bool is_object(const struct history_subject *who, uint32_t obj, uint32_t reason)
{
    return obj == who->id && (who->reasons == 0 || who->reasons >> reason & 1);
}

static bool concerns_object(const struct segment *s, uint32_t i, const struct ev *e, const struct history_subject *who)
{
    if (e->kind == EV_G_PARK)
        return is_object(who, e->c, e->b & 0xffff); /* above it: where in the queue */
    const struct readied *r = e->kind == EV_G_READY ? find_readied(s, i) : NULL;
    return r && is_object(who, r->obj, r->reason);
}

/* Returns true if event i of a block of the segment is about the subject. */
static bool concerns(const struct history *h, const struct segment *s, const struct block *b, uint32_t i, const struct history_subject *who)
{
    static const enum ev_ftype type_of[] = {[SUBJECT_G] = FT_G, [SUBJECT_M] = FT_M, [SUBJECT_P] = FT_P};
    const struct ev *e = &b->ev[i];
    uint32_t m = b->m[i];
    if (who->id == EV_NONE || (who->id == 0 && (who->kind == SUBJECT_G || who->kind == SUBJECT_OBJECT))) /* these ids mean "none" */
        return false;
    if (who->kind == SUBJECT_OBJECT)
        return concerns_object(s, (uint32_t)(b->first - s->first) + i, e, who);
    if (who->kind == SUBJECT_G ? e->g == who->id : who->kind == SUBJECT_M ? m == who->id : e->p == who->id)
        return true;
    const struct subject_fields *f = &h->fields[e->kind];
    for (int k = 0; k < f->n; k++)
        if (f->field[k]->type == type_of[who->kind] && ev_value(e, m, f->field[k]) == who->id)
            return true;
    return false;
}

bool history_concerns(struct history *h, const struct history_event *e, const struct history_subject *who)
{
    if (e->number <= history_oldest(h) || e->number > h->events)
        return false;
    uint32_t nth = segment_of(h, e->number);
    const struct segment *s = &h->seg.v[nth];
    const struct block *b = store_block(h, nth, (uint32_t)(e->number - s->first));
    return b && concerns(h, s, b, (uint32_t)(e->number - b->first), who);
}

static bool is_past(const struct segment *s, uint64_t to, int step)
{
    return step > 0 ? s->first > to : s->first + s->n <= to;
}

uint64_t history_chain(struct history *h, const struct history_subject *who, uint64_t from, uint64_t to, int step)
{
    if (from <= history_oldest(h) || from > h->events)
        return 0;
    uint32_t first = segment_of(h, from);
    for (uint32_t k = first; k < h->seg.n && !is_past(&h->seg.v[k], to, step); k += (uint32_t)step) {
        const struct segment *s = &h->seg.v[k];
        if (!index_may_hold(h, s, who))
            continue;
        uint32_t i = k == first ? (uint32_t)(from - s->first) : step > 0 ? 0 : s->n - 1;
        while (i < s->n) { /* below 0, i wraps and the loops end */
            const struct block *b = store_block(h, k, i);
            if (!b) /* it cannot be read back */
                return 0;
            for (uint32_t at = i - (uint32_t)(b->first - s->first); at < b->n; at += (uint32_t)step, i += (uint32_t)step) {
                uint64_t n = b->first + at;
                if (step > 0 ? n > to : n < to)
                    return 0;
                if (concerns(h, s, b, at, who))
                    return n;
            }
        }
    }
    return 0;
}
