/* Reads the timeline from the history.
 *
 * Bins tell what each P does, however long the run is. They do not cover Ms without a P, nor Gs that do not run. So lanes of Ms and Gs are
 * folded event by event if the stretch is short enough; otherwise they show only what runs. */
#include "ui/panes/timeline.h"

#include <string.h>

enum { FOLD_MOST = 50000 }; /* events: a few ms */

static const struct lane_cell blank = {0, ' ', ROLE_plain}, idle = {0, 0xb7, ROLE_idle}, spins = {0, '~', ROLE_spinning},
                              schedules = {0, '-', ROLE_dim}, in_syscall = {0, '%', ROLE_syscall}, stopped = {0, '=', ROLE_paused},
                              polls = {0, 'o', ROLE_netpoll}, ready = {0, 0x2583, ROLE_spinning}, waits = {0, 0x2581, ROLE_dim};

uint32_t timeline_lane_id(enum lane_kind kind, uint32_t nth)
{
    return kind == LANE_G ? ev_user_g(nth) : nth;
}

int timeline_most_zoom(const struct timeline *t, int64_t length)
{
    int zoom = 0;
    while (t->columns && length >> (zoom + 1) >= t->columns)
        zoom++;
    return zoom;
}

/* ---- the stretch ---- */

struct stretch {
    int64_t start, end;
};

/* The stretch begins at a multiple of half its length, so it depends on nothing but the present and the zoom. */
static struct stretch stretch_of(const struct timeline_range *at, int64_t length)
{
    int64_t span = length >> at->zoom, half = span / 2;
    span = span > 0 ? span : 1;
    int64_t start = at->zoom && half ? (at->now + half / 2) / half * half - half : 0;
    start = start + span > length ? length - span : start;
    start = start < 0 ? 0 : start;
    return (struct stretch){start, start + span};
}

/* ---- slices ---- */

static uint32_t marks_of(const struct history_bin *b)
{
    return (b->kinds[EV_STEAL] ? MARK_STEAL : 0) | (b->kinds[EV_G_PREEMPT] ? MARK_PREEMPT : 0) | (b->kinds[EV_GC_PHASE] ? MARK_GC : 0) |
           (b->kinds[EV_STW_START] ? MARK_STOP : 0);
}

static void find_present(struct timeline *t)
{
    t->present = t->columns - 1;
    for (int i = t->columns - 1; i >= 0; i--)
        if (t->slice[i].to >= t->at.shown)
            t->present = i;
}

static void read_slices(struct timeline *t, const struct history_bins *b)
{
    t->most_queued = 0;
    for (int i = t->columns - 1; i >= 0; i--) {
        const struct history_bin *bin = &b->bin[i];
        double length = (double)(bin->end - bin->start);
        struct slice *s = &t->slice[i];
        *s =
            (struct slice){bin->to, length > 0 ? (double)bin->level_ns[LEVEL_RUNNABLE] / length : bin->peak[LEVEL_RUNNABLE], marks_of(bin)};
        t->most_queued = s->queued > t->most_queued ? s->queued : t->most_queued;
    }
    find_present(t);
}

/* ---- bands: the collector is active, the world does not run ---- */

enum { BAND_EVENTS = 8192 }; /* a slice with more events ends a band, because its last mark would be too far to look for */

struct band {
    uint32_t mark;                  /* for the slices inside */
    uint8_t kind[2];                /* the events that begin or end it */
    bool (*on)(const struct ev *e); /* Does it last after this event? */
    bool now;                       /* at the state that is shown */
};

static bool in_gc(const struct ev *e)
{
    return e->a != GCPHASE_OFF;
}

static bool in_stop(const struct ev *e)
{
    return e->kind == EV_STW_START;
}

static bool of_band(void *ctx, const struct history_event *e)
{
    const struct band *b = ctx;
    return e->ev.kind == b->kind[0] || e->ev.kind == b->kind[1];
}

static bool has_mark(const struct band *b, const struct history_bin *bin)
{
    return bin->kinds[b->kind[0]] + bin->kinds[b->kind[1]] > 0;
}

/* Stores the first (step 1) or the last (step -1) event of the band in a slice that has one. Returns false if it is too far to look for. */
static bool band_event(struct band *b, struct history *h, const struct history_bin *bin, int step, struct ev *out)
{
    struct history_event e;
    if (bin->to - bin->from > BAND_EVENTS)
        return false;
    uint64_t n = history_find(h, step > 0 ? bin->from + 1 : bin->to, step, of_band, b);
    if (!n || !history_get(h, n, &e))
        return false;
    *out = e.ev;
    return true;
}

/* Returns whether the band is on at the start of the first slice. */
static bool on_at_start(struct band *b, struct history *h, const struct history_bins *bins)
{
    struct ev e;
    for (uint32_t i = 0; i < bins->n; i++)
        if (has_mark(b, &bins->bin[i]))
            return band_event(b, h, &bins->bin[i], 1, &e) && (e.kind == EV_STW_END || (e.kind == EV_GC_PHASE && e.a != GCPHASE_MARK));
    return b->now;
}

static void read_band(struct timeline *t, struct band *b, struct history *h, const struct history_bins *bins)
{
    bool on = on_at_start(b, h, bins);
    for (uint32_t i = 0; i < bins->n && (int)i < t->columns; i++) {
        struct ev e;
        t->slice[i].marks |= on ? b->mark : 0;
        if (has_mark(b, &bins->bin[i]))
            on = band_event(b, h, &bins->bin[i], -1, &e) && b->on(&e);
    }
}

static void read_bands(struct timeline *t, const struct view *v, struct history *h, const struct history_bins *bins)
{
    struct model_world w = model_world(v->md);
    read_band(t, &(struct band){MARK_IN_GC, {EV_GC_PHASE, EV_GC_PHASE}, in_gc, w.phase != GCPHASE_OFF}, h, bins);
    read_band(t, &(struct band){MARK_IN_STOP, {EV_STW_START, EV_STW_END}, in_stop, w.state != WORLD_RUNS}, h, bins);
}

/* ---- lanes from bins ---- */

/* What the P did for the longest part of the slice. */
static enum p_doing mostly(const struct history_bin_p *p)
{
    int most = (int)p->doing;
    for (int d = 0; d < P_DOINGS; d++)
        if (p->ns[d] > p->ns[most])
            most = d;
    return (enum p_doing)most;
}

static struct lane_cell p_cell(const struct history_bin_p *p)
{
    switch (mostly(p)) {
    case P_DOES_RUN:
        return (struct lane_cell){p->g, ' ', ROLE_plain};
    case P_DOES_SCHEDULE:
        return schedules;
    case P_DOES_SPIN:
        return spins;
    case P_DOES_SYSCALL:
        return in_syscall;
    case P_DOES_IDLE:
        return idle;
    case P_DOES_STOP:
        return stopped;
    default:
        return blank;
    }
}

static struct lane_cell p_digit(uint32_t p)
{
    return (struct lane_cell){0, (unsigned char)"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[p % 36], ROLE_running};
}

/* An M or a G as far as bins know it: the M that has a P, the G that a P runs. */
static struct lane_cell coarse_cell(const struct timeline *t, const struct history_bins *b, int column, uint32_t id)
{
    for (uint32_t p = 0; p < b->np; p++) {
        const struct history_bin_p *bp = &b->p[(size_t)column * b->np + p];
        bool runs = bp->doing == P_DOES_RUN || bp->doing == P_DOES_SYSCALL;
        if (t->at.kind == LANE_M && bp->m == id)
            return p_cell(bp);
        if (t->at.kind == LANE_G && runs && bp->g == id)
            return bp->doing == P_DOES_RUN ? p_digit(p) : in_syscall;
    }
    return blank;
}

static void lanes_of_bins(struct timeline *t, const struct history_bins *b)
{
    for (int i = 0; i < t->at.lanes && t->at.top + (uint32_t)i < t->nlanes; i++)
        for (int x = 0; x < t->columns; x++) {
            uint32_t nth = t->at.top + (uint32_t)i;
            bool p = t->at.kind == LANE_P;
            t->cell[i][x] = p ? p_cell(&b->p[(size_t)x * b->np + nth]) : coarse_cell(t, b, x, timeline_lane_id(t->at.kind, nth));
        }
}

/* ---- lanes of Ms and Gs, folded ---- */

static struct lane_cell m_cell(const struct model *md, uint32_t id)
{
    const struct model_m *m = id < model_nm(md) ? model_m(md, id) : NULL;
    if (!m || !m->started || m->exited)
        return blank;
    switch (model_m_doing(md, id)) {
    case MD_RUN:
        return (struct lane_cell){m->curg, ' ', ROLE_plain};
    case MD_SPIN:
        return spins;
    case MD_SYSCALL:
        return in_syscall;
    case MD_NETPOLL:
        return polls;
    case MD_SCHED:
        return schedules;
    default:
        return idle;
    }
}

static struct lane_cell g_cell(const struct model *md, uint32_t id)
{
    const struct model_g *g = model_g(md, id);
    const struct model_m *m = g && g->place == PLACE_RUNNING ? model_m(md, g->where) : NULL;
    switch (g ? g->status : G_DEAD) {
    case G_RUNNABLE:
        return ready;
    case G_RUNNING:
        return m && m->p != EV_NONE ? p_digit(m->p) : (struct lane_cell){0, 0x2588, ROLE_running};
    case G_SYSCALL:
        return in_syscall;
    case G_WAITING:
        return waits;
    default:
        return blank;
    }
}

static void fold_lanes(struct timeline *t, struct history *h)
{
    struct model *md = NULL;
    for (int x = 0; x < t->columns && history_move(h, &md, t->slice[x].to); x++)
        for (int i = 0; i < t->at.lanes && t->at.top + (uint32_t)i < t->nlanes; i++) {
            uint32_t id = timeline_lane_id(t->at.kind, t->at.top + (uint32_t)i);
            t->cell[i][x] = t->at.kind == LANE_M ? m_cell(md, id) : g_cell(md, id);
        }
    model_free(md);
}

/* ---- all of it ---- */

static uint32_t lanes_of(const struct view *v, const struct history_bins *b, enum lane_kind kind)
{
    return kind == LANE_P ? b->np : kind == LANE_M ? model_nm(v->md) : (uint32_t)model_counters(v->md)->goroutines;
}

static void fill(struct timeline *t, const struct view *v, struct history *h, const struct history_bins *b)
{
    uint64_t events = b->bin[b->n - 1].to - b->bin[0].from;
    t->nlanes = lanes_of(v, b, t->at.kind);
    t->at.top = t->at.top < t->nlanes ? t->at.top : 0;
    t->coarse = t->at.kind != LANE_P && events > FOLD_MOST;
    read_slices(t, b);
    read_bands(t, v, h, b);
    if (t->at.kind == LANE_P || t->coarse)
        lanes_of_bins(t, b);
    else
        fold_lanes(t, h);
}

static int64_t length_of(const struct view *v)
{
    return v->st.newest_time > 0 ? v->st.newest_time : 1;
}

/* Would another reading show the same, except for the present? */
static bool is_same_stretch(const struct timeline *t, const struct view *v, const struct timeline_range *range)
{
    struct timeline_range was = t->at;
    struct stretch next = stretch_of(range, length_of(v));
    was.shown = range->shown;
    was.now = range->now;
    bool same_lanes = range->kind == LANE_P || t->nlanes == lanes_of(v, NULL, range->kind);
    return !memcmp(&was, range, sizeof was) && same_lanes && next.start == t->start && next.end == t->end;
}

void timeline_read(struct timeline *t, const struct view *v, const struct timeline_range *range, struct history *h)
{
    struct history_bins b;
    if (t->read && !memcmp(&t->at, range, sizeof *range))
        return;
    bool moved = !t->read || !is_same_stretch(t, v, range);
    t->at = *range;
    if (!moved) { /* only the present has moved */
        find_present(t);
        return;
    }
    t->columns = range->columns < SLICES_MAX ? range->columns : SLICES_MAX;
    t->at.lanes = range->lanes < LANES_MAX ? range->lanes : LANES_MAX;
    struct stretch stretch = stretch_of(range, length_of(v));
    t->start = stretch.start;
    t->end = stretch.end;
    t->read = t->columns > 0 && history_bins_by_time(h, t->start, t->end, (uint32_t)t->columns, &b);
    if (!t->read)
        return;
    fill(t, v, h, &b);
    history_bins_free(&b);
    t->at = *range;
}
