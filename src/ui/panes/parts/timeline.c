/* Reads the timeline from the history.
 *
 * By time, each column lasts equally long. In a run whose events come in bursts nearly all of them share a few columns then. So the other
 * axis has equally many events in each column, and a column of its own for each long gap in which nothing happened. In short runs an event
 * has several columns, and detail events do not count: a thousand wake-ups of sysmon would hide the rest.
 *
 * Bins tell what each P does, however long the run is. They do not cover Ms without a P, nor Gs that do not run. So lanes of Ms and Gs are
 * folded event by event if the stretch is short enough; otherwise they show only what runs. */
#include "ui/panes/parts/timeline.h"

#include <stdlib.h>
#include <string.h>

enum { FOLD_MOST = 50000 }; /* events: a few ms */

static const struct lane_cell blank = {0, ' ', ROLE_plain}, idle = {0, 0xb7, ROLE_idle}, spins = {0, '~', ROLE_spinning},
                              schedules = {0, '-', ROLE_dim}, in_syscall = {0, '%', ROLE_syscall}, stopped = {0, '=', ROLE_paused},
                              polls = {0, 'o', ROLE_netpoll}, briefly = {0, ':', ROLE_running}, ready = {0, 0x2583, ROLE_spinning},
                              waits = {0, 0x2581, ROLE_dim}, unknown = {0, '?', ROLE_dim};

const struct timeline_sign timeline_signs[TIMELINE_SIGNS] = {
    {{0, '-', ROLE_dim}, TX_TIMELINE_SCHEDULES},     {{0, '~', ROLE_spinning}, TX_TIMELINE_SPINS},
    {{0, 0xb7, ROLE_idle}, TX_TIMELINE_IDLE},        {{0, '%', ROLE_syscall}, TX_TIMELINE_SYSCALL},
    {{0, '=', ROLE_paused}, TX_P_STOPPED},           {{0, 'o', ROLE_netpoll}, TX_TIMELINE_POLLS},
    {{0, 0x2583, ROLE_spinning}, TX_TIMELINE_READY}, {{0, 0x2581, ROLE_dim}, TX_TIMELINE_WAITS},
    {{0, ':', ROLE_running}, TX_TIMELINE_BRIEFLY},
};

/* ---- the stretch ---- */

struct stretch {
    int64_t start, end;         /* by time */
    uint64_t first, last, each; /* by events: the states at both ends; events in a column */
    uint32_t columns;
};

static int64_t length_of(const struct view *v)
{
    return v->st.newest_time > 0 ? v->st.newest_time : 1;
}

/* Columns of their own for gaps. */
static uint32_t gaps_most(int columns)
{
    return (uint32_t)columns / 16;
}

static uint64_t events_a_column(uint64_t events, int columns, int zoom)
{
    uint64_t room = (uint64_t)columns - gaps_most(columns), each = (events + room - 1) / room >> zoom;
    return each ? each : 1;
}

int timeline_most_zoom(const struct timeline *t, const struct view *v)
{
    int zoom = 0;
    if (!t->columns || !t->at.columns)
        return 0;
    if (t->by_event)
        while (events_a_column(t->events, t->at.columns, zoom) > 1)
            zoom++;
    else
        while (length_of(v) >> (zoom + 1) >= t->columns)
            zoom++;
    return zoom;
}

/* The stretch begins at a multiple of half its length, so it depends on nothing but the present and the zoom. */
static int64_t start_of(int64_t span, int64_t length, int64_t now, int zoom)
{
    int64_t half = span / 2, start = zoom && half ? (now + half / 2) / half * half - half : 0;
    start = start + span > length ? length - span : start;
    return start < 0 ? 0 : start;
}

static struct stretch by_time(const struct timeline_range *at, int64_t length)
{
    int64_t span = length >> at->zoom > 0 ? length >> at->zoom : 1, start = start_of(span, length, at->now, at->zoom);
    return (struct stretch){.start = start, .end = start + span, .columns = (uint32_t)at->columns};
}

static struct stretch by_events(const struct timeline_range *at, uint64_t oldest, uint64_t newest, uint64_t shown)
{
    uint64_t events = newest - oldest, each = events_a_column(events, at->columns, at->zoom);
    uint64_t span = each * ((uint64_t)at->columns - gaps_most(at->columns));
    span = span < events ? span : events;
    uint64_t first = oldest + (uint64_t)start_of((int64_t)span, (int64_t)events, (int64_t)(shown - oldest), at->zoom);
    return (struct stretch){.first = first, .last = first + span, .each = each, .columns = (uint32_t)((span + each - 1) / each)};
}

static uint64_t core_events(const struct history_bin *b)
{
    uint64_t n = 0;
    for (int k = 0; k < EV_KINDS; k++)
        n += ev_level_of[k] == EV_CORE ? b->kinds[k] : 0;
    return n;
}

/* Returns true if more than half of the core events are in columns that have eight times their share. */
static bool time_hides(const struct history_bins *b)
{
    uint64_t events = 0, crowded = 0;
    for (uint32_t i = 0; i < b->n; i++)
        events += core_events(&b->bin[i]);
    for (uint32_t i = 0; i < b->n; i++) {
        uint64_t here = core_events(&b->bin[i]);
        crowded += here > 3 && here * b->n >= 8 * events ? here : 0;
    }
    return b->n >= 16 && crowded > events / 2;
}

/* Adds bin `from` to bin `to`, which it follows at once. */
static void join(struct history_bins *b, uint32_t to, uint32_t from)
{
    struct history_bin *x = &b->bin[to];
    const struct history_bin *y = &b->bin[from];
    x->to = y->to;
    x->end = y->end;
    memcpy(x->level, y->level, sizeof x->level);
    for (int k = 0; k < LEVELS; k++) {
        x->level_ns[k] += y->level_ns[k];
        x->peak[k] = y->peak[k] > x->peak[k] ? y->peak[k] : x->peak[k];
    }
    for (int k = 0; k < EV_KINDS; k++)
        x->kinds[k] += y->kinds[k];
    for (uint32_t p = 0; p < b->np; p++) {
        struct history_bin_p sum = b->p[(size_t)to * b->np + p];
        const struct history_bin_p *last = &b->p[(size_t)from * b->np + p];
        for (int d = 0; d < P_DOINGS; d++)
            sum.ns[d] += last->ns[d];
        sum.starts += last->starts;
        sum.g = last->g;
        sum.m = last->m;
        sum.doing = last->doing;
        b->p[(size_t)to * b->np + p] = sum;
    }
}

static void copy_bin(struct history_bins *b, uint32_t to, uint32_t from)
{
    b->bin[to] = b->bin[from];
    memmove(&b->p[(size_t)to * b->np], &b->p[(size_t)from * b->np], b->np * sizeof *b->p);
}

/* Joins bins of one event each into columns of s->each core events, and keeps those of the stretch. Detail events belong to the column of the
 * next core event; those at the end to the last one. */
static void join_columns(struct history_bins *b, const struct stretch *s)
{
    uint64_t core = 0;
    uint32_t n = 0;
    bool open = false;
    for (uint32_t i = 0; i < b->n; i++) {
        bool is_core = core_events(&b->bin[i]) > 0, inside = core >= s->first && core < s->last,
             rest = core == s->last && n > 0 && !is_core;
        core += is_core;
        if (rest || (inside && open))
            join(b, n - 1, i);
        else if (inside)
            copy_bin(b, n++, i);
        if (inside)
            open = !(is_core && (core - s->first) % s->each == 0);
    }
    b->n = n;
}

enum { SHORT_EVENTS = 4096, SHORT_BINS = 1 << 17 };

/* In a short run only core events count. Returns false if the run is long, has no core event, or memory ran out. */
static bool read_core(struct timeline *t, const struct view *v, struct history *h, struct history_bins *b)
{
    uint64_t oldest = v->st.oldest, events = t->at.newest - oldest, core = 0, shown = 0;
    if (events > SHORT_EVENTS || events * (model_np(v->md) + 1) > SHORT_BINS ||
        !history_bins_by_event(h, oldest, t->at.newest, (uint32_t)events, b))
        return false;
    for (uint32_t i = 0; i < b->n; i++) {
        core += core_events(&b->bin[i]);
        shown = b->bin[i].to <= t->at.shown ? core : shown;
    }
    struct stretch s = by_events(&t->at, 0, core, shown);
    t->first = s.first;
    t->last = s.last;
    t->per_column = s.each;
    t->events = core;
    if (core)
        join_columns(b, &s);
    if (!core)
        history_bins_free(b);
    return core > 0;
}

static bool read_all(struct timeline *t, const struct view *v, struct history *h, struct history_bins *b)
{
    struct stretch s = by_events(&t->at, v->st.oldest, t->at.newest, t->at.shown);
    t->first = s.first;
    t->last = s.last;
    t->per_column = s.each;
    t->events = t->at.newest - v->st.oldest;
    return history_bins_by_event(h, s.first, s.last, s.columns, b);
}

/* The choice depends on the whole run, so a zoom does not change it. */
static bool counts_events(const struct timeline_range *at, const struct view *v, struct history *h)
{
    struct history_bins b;
    if (at->axis != AXIS_CHOSEN)
        return at->axis == AXIS_EVENTS;
    if (!history_bins_by_time(h, 0, length_of(v), (uint32_t)at->columns, &b))
        return false;
    bool hides = time_hides(&b);
    history_bins_free(&b);
    return hides;
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

/* One slice for each bin. */
static void read_slices(struct timeline *t, const struct history_bins *b)
{
    t->most_queued = 0;
    t->columns = (int)b->n;
    for (uint32_t i = 0; i < b->n; i++) {
        const struct history_bin *bin = &b->bin[i];
        double length = (double)(bin->end - bin->start), at_end = bin->level[LEVEL_RUNNABLE];
        double mean = length > 0 ? (double)bin->level_ns[LEVEL_RUNNABLE] / length : bin->peak[LEVEL_RUNNABLE];
        t->slice[i] = (struct slice){.to = bin->to, .queued = t->by_event ? at_end : mean, .marks = marks_of(bin), .bin = i};
        t->most_queued = t->slice[i].queued > t->most_queued ? t->slice[i].queued : t->most_queued;
    }
}

static int by_length(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Returns the least time that is a gap: much longer than most columns, a good part of the stretch, and there are not too many. */
static int64_t gap_least(const struct history_bins *b, uint32_t most)
{
    int64_t length[SLICES_MAX];
    for (uint32_t i = 0; i < b->n; i++)
        length[i] = b->bin[i].end - b->bin[i].start;
    int64_t whole = b->bin[b->n - 1].end - b->bin[0].start;
    qsort(length, b->n, sizeof *length, by_length);
    int64_t least = 8 * length[b->n / 2] > whole / 32 ? 8 * length[b->n / 2] : whole / 32;
    if (b->n > most && length[b->n - 1 - most] >= least)
        least = length[b->n - 1 - most] + 1;
    return least > 0 ? least : 1;
}

/* Puts a slice without events in front of each one that ends a gap. */
static void insert_gaps(struct timeline *t, const struct history_bins *b, uint32_t most)
{
    int64_t least = gap_least(b, most);
    int gaps = 0;
    for (uint32_t i = 0; i < b->n; i++)
        gaps += b->bin[i].end - b->bin[i].start >= least;
    t->columns += gaps;
    for (int i = (int)b->n - 1, at = t->columns - 1; i >= 0; i--) {
        const struct history_bin *bin = &b->bin[i];
        struct slice *s = &t->slice[at--];
        *s = t->slice[i];
        if (bin->end - bin->start < least)
            continue;
        struct slice before = i ? t->slice[i - 1] : (struct slice){.to = bin->from};
        t->slice[at--] = (struct slice){
            before.to, before.queued, before.marks & s->marks & (MARK_IN_GC | MARK_IN_STOP), (uint32_t)i, bin->end - bin->start};
    }
}

/* Returns how many events must have room. It grows by steps while a run is running, so that the picture seldom moves. */
static int room_for(const struct timeline *t, int events)
{
    int room = events;
    if (!t->at.over)
        for (room = 8; room < events;)
            room += room / 4;
    return room;
}

/* Spreads the slices of a short run over the pane. Only a gap keeps its one column, and only the first column of an event has its marks. */
static void spread(struct timeline *t)
{
    int gaps = 0, n = t->columns;
    for (int i = 0; i < n; i++)
        gaps += t->slice[i].gap > 0;
    int room = room_for(t, n - gaps), w = t->at.columns - gaps, event = n - gaps;
    if (room >= w)
        return;
    int at = event * w / room + gaps;
    uint32_t bands = t->slice[n - 1].marks & (MARK_IN_GC | MARK_IN_STOP);
    t->columns = at;
    for (int i = n; i-- > 0;) {
        int end = at;
        bool gap = t->slice[i].gap > 0;
        event -= !gap;
        at = gap ? at - 1 : at - ((event + 1) * w / room - event * w / room);
        struct slice s = t->slice[i], more = s;
        more.marks = bands; /* the state after the event, as the next slice begins */
        bands = s.marks & (MARK_IN_GC | MARK_IN_STOP);
        for (int x = at; x < end; x++)
            t->slice[x] = x == at ? s : more;
    }
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

/* What the P did for the longest part of the slice; by events, what it does after the last of them. */
static enum p_doing mostly(const struct timeline *t, const struct history_bin_p *p)
{
    int most = (int)p->doing;
    for (int d = 0; d < P_DOINGS && !t->by_event; d++)
        if (p->ns[d] > p->ns[most])
            most = d;
    return (enum p_doing)most;
}

/* The P was idle for the longest part of the slice, but not for all of it if a G ran. */
static struct lane_cell idle_cell(const struct history_bin_p *p)
{
    return p->ns[P_DOES_RUN] > 0 || p->starts ? briefly : idle;
}

/* How long Gs ran: four shades from a tenth on. */
static struct lane_cell share_cell(const struct history_bin_p *p)
{
    int64_t whole = 0;
    for (int d = 0; d < P_DOINGS; d++)
        whole += p->ns[d];
    int64_t tenths = whole > 0 ? (int64_t)((__int128)p->ns[P_DOES_RUN] * 10 / whole) : p->doing == P_DOES_RUN ? 10 : 0;
    return tenths < 1
               ? idle_cell(p)
               : (struct lane_cell){0,
                                    tenths < 4   ? 0x2591
                                    : tenths < 7 ? 0x2592
                                    : tenths < 9 ? 0x2593
                                                 : 0x2588,
                                    ROLE_running};
}

static struct lane_cell p_cell(const struct timeline *t, const struct history_bin_p *p)
{
    enum p_doing doing = mostly(t, p);
    if (t->shares && doing != P_DOES_NOTHING && doing != P_DOES_STOP && doing != P_DOES_UNKNOWN)
        return share_cell(p);
    switch (doing) {
    case P_DOES_RUN:
        return (struct lane_cell){p->g, ' ', ROLE_plain};
    case P_DOES_SCHEDULE:
        return schedules;
    case P_DOES_SPIN:
        return spins;
    case P_DOES_SYSCALL:
        return in_syscall;
    case P_DOES_IDLE:
        return t->by_event ? idle : idle_cell(p);
    case P_DOES_STOP:
        return stopped;
    case P_DOES_UNKNOWN:
        return unknown;
    default:
        return blank;
    }
}

static struct lane_cell p_digit(uint32_t p)
{
    return (struct lane_cell){0, (unsigned char)"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[p % 36], ROLE_running};
}

static const struct history_bin_p *bin_p(const struct history_bins *b, uint32_t bin, uint32_t p)
{
    return &b->p[(size_t)bin * b->np + p];
}

/* An M or a G as far as bins know it: the M that has a P, the G that a P runs. */
static struct lane_cell coarse_cell(const struct timeline *t, const struct history_bins *b, uint32_t bin, uint32_t id)
{
    for (uint32_t p = 0; p < b->np; p++) {
        const struct history_bin_p *bp = bin_p(b, bin, p);
        bool runs = bp->doing == P_DOES_RUN || bp->doing == P_DOES_SYSCALL;
        if (t->at.kind == LANE_M && bp->m == id)
            return p_cell(t, bp);
        if (t->at.kind == LANE_G && runs && bp->g == id)
            return bp->doing == P_DOES_RUN ? p_digit(p) : in_syscall;
    }
    return blank;
}

static uint32_t lanes_shown(const struct timeline *t)
{
    uint32_t rows = (uint32_t)t->at.lanes, left = t->at.top < t->nlanes ? t->nlanes - t->at.top : 0;
    return left < rows ? left : rows;
}

static void lanes_of_bins(struct timeline *t, const struct history_bins *b)
{
    for (uint32_t i = 0; i < lanes_shown(t); i++)
        for (int x = 0; x < t->columns; x++) {
            uint32_t id = t->id[t->at.top + i], bin = t->slice[x].bin;
            t->cell[i][x] = t->at.kind == LANE_P ? p_cell(t, bin_p(b, bin, id)) : coarse_cell(t, b, bin, id);
        }
}

/* One letter for several Gs would be noise. */
static bool most_have_several(const struct history_bins *b)
{
    uint64_t busy = 0, several = 0;
    for (size_t i = 0; i < (size_t)b->n * b->np; i++) {
        busy += b->p[i].starts || b->p[i].doing == P_DOES_RUN;
        several += b->p[i].starts > 2;
    }
    return several > busy / 2;
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
    case MD_UNKNOWN:
        return unknown;
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
    case G_UNKNOWN:
        return unknown;
    default:
        return blank;
    }
}

static void fold_lanes(struct timeline *t, struct history *h)
{
    struct model *md = NULL;
    for (int x = 0; x < t->columns && history_move(h, &md, t->slice[x].to); x++)
        for (uint32_t i = 0; i < lanes_shown(t); i++) {
            uint32_t id = t->id[t->at.top + i];
            t->cell[i][x] = t->at.kind == LANE_M ? m_cell(md, id) : g_cell(md, id);
        }
    model_free(md);
}

/* ---- which lanes ---- */

static uint32_t lanes_of(const struct view *v, const struct history_bins *b, enum lane_kind kind)
{
    return kind == LANE_P ? b->np : kind == LANE_M ? model_nm(v->md) : (uint32_t)model_counters(v->md)->goroutines;
}

/* Returns the id of the P, M or G that acts, EV_NONE if none does. */
static uint32_t actor(enum lane_kind kind, uint32_t p, const struct history_bin_p *bp)
{
    bool acts = bp->starts || bp->ns[P_DOES_RUN] || (bp->doing != P_DOES_NOTHING && bp->doing != P_DOES_IDLE && bp->doing != P_DOES_STOP);
    if (kind == LANE_G)
        return acts && bp->g && !ev_is_system_g(bp->g) ? bp->g : EV_NONE;
    return !acts ? EV_NONE : kind == LANE_P ? p : bp->m;
}

static int by_id(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_ids(struct timeline *t)
{
    uint32_t kept = 0;
    qsort(t->id, t->nlanes, sizeof *t->id, by_id);
    for (uint32_t i = 0; i < t->nlanes; i++)
        if (!kept || t->id[i] != t->id[kept - 1])
            t->id[kept++] = t->id[i];
    t->nlanes = kept;
}

static void list_actors(struct timeline *t, const struct history_bins *b)
{
    t->nlanes = 0;
    for (uint32_t p = 0; p < b->np; p++) {
        uint32_t last = EV_NONE;
        for (uint32_t i = 0; i < b->n; i++) {
            uint32_t id = actor(t->at.kind, p, bin_p(b, i, p));
            if (t->nlanes == ACTORS_MAX)
                sort_ids(t);
            if (id != EV_NONE && id != last && t->nlanes < ACTORS_MAX)
                t->id[t->nlanes++] = id;
            last = id;
        }
    }
    sort_ids(t);
}

static bool is_listed(const struct timeline *t, uint32_t n, uint32_t id)
{
    return bsearch(&id, t->id, n, sizeof *t->id, by_id) != NULL;
}

/* All lanes if they fit, else those that act in the stretch; rows that are left go to the others. */
static void list_lanes(struct timeline *t, const struct view *v, const struct history_bins *b)
{
    uint32_t rows = (uint32_t)t->at.lanes;
    t->total = lanes_of(v, b, t->at.kind);
    t->nlanes = 0;
    if (t->total > rows)
        list_actors(t, b);
    uint32_t actors = t->nlanes;
    for (uint32_t i = 0; i < t->total && t->nlanes < rows; i++) {
        uint32_t id = t->at.kind == LANE_G ? ev_user_g(i) : i;
        bool none = t->at.kind == LANE_G && i < BOOT_NUMBERS && !model_g(v->md, id); /* the number of a G of the runtime */
        if (!none && !is_listed(t, actors, id))
            t->id[t->nlanes++] = id;
    }
    sort_ids(t);
}

/* ---- all of it ---- */

static void fill(struct timeline *t, const struct view *v, struct history *h, const struct history_bins *b)
{
    uint64_t events = b->bin[b->n - 1].to - b->bin[0].from;
    list_lanes(t, v, b);
    t->coarse = t->at.kind != LANE_P && events > FOLD_MOST;
    t->shares = most_have_several(b);
    t->start = t->by_event ? b->bin[0].start : t->start;
    t->end = t->by_event ? b->bin[b->n - 1].end : t->end;
    read_slices(t, b);
    read_bands(t, v, h, b);
    if (t->by_event) {
        insert_gaps(t, b, gaps_most(t->at.columns));
        spread(t);
    }
    find_present(t);
    if (t->at.kind == LANE_P || t->coarse)
        lanes_of_bins(t, b);
    else
        fold_lanes(t, h);
}

/* Would another reading show the same, except for the present? */
static bool is_same_stretch(const struct timeline *t, const struct view *v, const struct timeline_range *range)
{
    struct timeline_range was = t->at;
    was.shown = range->shown;
    was.now = range->now;
    bool same_lanes = range->kind == LANE_P || t->total == lanes_of(v, NULL, range->kind);
    if (memcmp(&was, range, sizeof was) != 0 || !same_lanes)
        return false;
    if (t->by_event)
        return !range->zoom; /* else the stretch follows the present */
    struct stretch next = by_time(range, length_of(v));
    return next.start == t->start && next.end == t->end;
}

void timeline_read(struct timeline *t, const struct view *v, const struct timeline_range *range, struct history *h)
{
    struct history_bins b;
    if (t->read && !memcmp(&t->at, range, sizeof *range))
        return;
    if (t->read && is_same_stretch(t, v, range)) { /* only the present has moved */
        t->at = *range;
        find_present(t);
        return;
    }
    t->at = *range;
    t->read = false;
    if (range->columns <= 0)
        return;
    t->by_event = range->newest > v->st.oldest && counts_events(&t->at, v, h);
    if (t->by_event)
        t->read = read_core(t, v, h, &b) || read_all(t, v, h, &b);
    else {
        struct stretch s = by_time(&t->at, length_of(v));
        t->start = s.start;
        t->end = s.end;
        t->read = history_bins_by_time(h, s.start, s.end, s.columns, &b);
    }
    if (!t->read)
        return;
    fill(t, v, h, &b);
    history_bins_free(&b);
}
