/* The model's memory and its readers. fold.c applies events to it. */
#include "model/model_internal.h"
#include "model/replay.h"

#include <stdlib.h>
#include <string.h>

/* ---- Gs in transit: an array; removing the first ones moves the start ---- */

/* Makes room for one more: moves the content to the start of the buffer, which is at most half full afterwards. */
static bool transit_room(struct model_m *mm)
{
    if (mm->transit_n < mm->transit_cap)
        return true;
    uint32_t cap = mm->transit_cap + (uint32_t)(mm->transit - mm->transit_buf), *v = mm->transit_buf;
    if (mm->transit_n)
        memmove(v, mm->transit, mm->transit_n * sizeof *v);
    mm->transit = v;
    mm->transit_cap = cap;
    if (mm->transit_n < cap / 2)
        return true;
    cap = cap ? cap * 2 : 8;
    v = realloc(v, cap * sizeof *v);
    if (!v)
        return false;
    mm->transit = mm->transit_buf = v;
    mm->transit_cap = cap;
    return true;
}

void transit_insert(struct model *md, struct model_m *mm, uint32_t at, uint32_t g)
{
    if (!transit_room(mm)) {
        md->oom = true;
        return;
    }
    memmove(mm->transit + at + 1, mm->transit + at, (mm->transit_n - at) * sizeof *mm->transit);
    mm->transit[at] = g;
    mm->transit_n++;
}

/* ---- timers: a sorted array; removing the first one moves the start ---- */

/* Returns the index of the first timer that is not before (when, g). */
static uint32_t timers_find(const struct model_p *p, int64_t when, uint32_t g)
{
    uint32_t lo = 0, hi = p->ntimers;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        const struct snap_timer *t = &p->timers[mid];
        if (t->when < when || (t->when == when && t->g < g))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static bool timers_room(struct model_p *p)
{
    if (p->timerbuf && p->timers + p->ntimers < p->timerbuf + p->captimers)
        return true;
    struct snap_timer *buf = p->timerbuf;
    if (p->ntimers >= p->captimers / 2) {
        uint32_t cap = p->captimers ? p->captimers * 2 : 8;
        buf = malloc(cap * sizeof *buf);
        if (!buf)
            return false;
        p->captimers = cap;
    }
    if (p->ntimers)
        memmove(buf, p->timers, p->ntimers * sizeof *buf);
    if (buf != p->timerbuf)
        free(p->timerbuf);
    p->timers = p->timerbuf = buf;
    return true;
}

static bool is_at(const struct model_p *p, uint32_t i, int64_t when, uint32_t g)
{
    return i < p->ntimers && p->timers[i].when == when && p->timers[i].g == g;
}

/* The order among timers with the same time and G. */
static uint32_t own_order(const struct snap_timer *t)
{
    return (uint32_t)t->zombie << 23 | t->chan;
}

void timers_insert(struct model *md, struct model_p *p, struct snap_timer t)
{
    if (!timers_room(p)) {
        md->oom = true;
        return;
    }
    uint32_t i = timers_find(p, t.when, t.g);
    while (is_at(p, i, t.when, t.g) && own_order(&p->timers[i]) < own_order(&t))
        i++;
    memmove(p->timers + i + 1, p->timers + i, (p->ntimers - i) * sizeof *p->timers);
    p->timers[i] = t;
    p->ntimers++;
}

static bool same_timer(const struct snap_timer *a, const struct snap_timer *b)
{
    return a->what == b->what && a->chan == b->chan && a->zombie == b->zombie;
}

bool timers_remove(struct model_p *p, struct snap_timer *t)
{
    uint32_t i = timers_find(p, t->when, t->g), like = i;
    if (!is_at(p, i, t->when, t->g))
        return false;
    while (is_at(p, like, t->when, t->g) && !same_timer(&p->timers[like], t))
        like++;
    i = is_at(p, like, t->when, t->g) ? like : i;
    *t = p->timers[i];
    memmove(p->timers + 1, p->timers, i * sizeof *p->timers);
    p->timers++;
    p->ntimers--;
    return true;
}

static bool timers_copy(struct model_p *to, const struct model_p *from)
{
    to->timers = to->timerbuf = NULL;
    to->captimers = from->ntimers;
    if (from->ntimers == 0)
        return true;
    to->timers = to->timerbuf = malloc(from->ntimers * sizeof *to->timers);
    if (to->timers)
        memcpy(to->timers, from->timers, from->ntimers * sizeof *to->timers);
    return to->timers != NULL;
}

/* ---- Ms and Ps ---- */

struct model_m *model_m_add(struct model *md, uint32_t m)
{
    if (m >= md->capm) {
        uint32_t cap = md->capm ? md->capm : 8;
        while (cap <= m)
            cap *= 2;
        struct model_m *v = realloc(md->m, cap * sizeof *v);
        if (!v)
            return NULL;
        md->m = v;
        md->capm = cap;
    }
    for (; md->nm <= m; md->nm++)
        md->m[md->nm] = (struct model_m){.p = EV_NONE, .oldp = EV_NONE};
    return &md->m[m];
}

static bool p_room(struct model *md, uint32_t n)
{
    if (n <= md->npall)
        return true;
    struct model_p *v = realloc(md->p, n * sizeof *v);
    if (!v)
        return false;
    md->p = v;
    for (; md->npall < n; md->npall++)
        md->p[md->npall] = (struct model_p){.status = P_IDLE, .m = EV_NONE};
    return true;
}

bool model_p_resize(struct model *md, uint32_t n)
{
    if (!p_room(md, n))
        return false;
    md->np = n;
    return true;
}

/* ---- a model's life ---- */

struct model *model_new(const struct model_config *cfg)
{
    struct model *md = calloc(1, sizeof *md);
    if (!md || !gpages_init(md)) {
        free(md);
        return NULL;
    }
    md->cfg = *cfg;
    if (!meters_init(md)) {
        model_free(md);
        return NULL;
    }
    md->ended = -1;
    md->procs = cfg->procs;
    md->handed = EV_NONE;
    md->replays = replay_fits(cfg);
    if (cfg->lacks) { /* sums are of what was seen, so there is at least so much */
        md->guess = (LACKS(KNOW_STEALS) | LACKS(KNOW_WAITS) | LACKS(KNOW_OBJECTS) | LACKS(KNOW_OUTPUT)) & ~cfg->lacks;
        md->lacks = KNOW_GLOBAL & ~md->guess;
    }
    return md;
}

void model_free(struct model *md)
{
    if (!md)
        return;
    gpages_free(md);
    for (uint32_t i = 0; i < md->nm; i++) {
        free(md->m[i].transit_buf);
        free(md->m[i].search);
    }
    for (uint32_t i = 0; i < md->npall; i++)
        free(md->p[i].timerbuf);
    free(md->heap.timerbuf);
    model_objects_free(md);
    meters_free(md);
    free(md->m);
    free(md->p);
    free(md->globq.v);
    free(md->globq_later.v);
    free(md->disabled.v);
    free(md->idlep.v);
    free(md->idlem.v);
    free(md->looking.v);
    free(md);
}

static bool clone_ms(struct model *to, const struct model *from)
{
    to->m = NULL;
    to->nm = to->capm = 0;
    bool ok = true;
    if (from->nm && !model_m_add(to, from->nm - 1))
        return false;
    for (uint32_t i = 0; i < from->nm; i++) {
        const struct model_m *mm = &from->m[i];
        to->m[i] = *mm;
        to->m[i].transit = to->m[i].transit_buf = NULL;
        to->m[i].transit_n = to->m[i].transit_cap = 0;
        ok &= search_copy(&to->m[i], mm);
        for (uint32_t k = 0; k < mm->transit_n; k++)
            transit_insert(to, &to->m[i], k, mm->transit[k]);
    }
    return ok && !to->oom;
}

static bool clone_ps(struct model *to, const struct model *from)
{
    bool ok = true;
    to->p = NULL;
    to->npall = 0;
    if (from->npall == 0)
        return true;
    if (!p_room(to, from->npall))
        return false;
    memcpy(to->p, from->p, from->npall * sizeof *to->p);
    for (uint32_t i = 0; i < from->npall; i++)
        ok &= timers_copy(&to->p[i], &from->p[i]);
    return ok;
}

static bool looking_copy(struct looking *to, const struct looking *from)
{
    *to = (struct looking){.v = from->n ? malloc(from->n * sizeof *to->v) : NULL};
    if (!to->v)
        return from->n == 0;
    memcpy(to->v, from->v, from->n * sizeof *to->v);
    to->n = to->cap = from->n;
    return true;
}

struct model *model_clone(const struct model *md)
{
    struct model *copy = malloc(sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *md;
    /* Every part is copied even after a failure, so that model_free() finds no pointer of the original. */
    bool ok = gpages_share(copy, md);
    ok &= clone_ms(copy, md);
    ok &= clone_ps(copy, md);
    ok &= timers_copy(&copy->heap, &md->heap);
    ok &= model_objects_copy(copy, md);
    ok &= meters_copy(copy, md);
    ok &= deque_copy(&copy->globq, &md->globq);
    ok &= deque_copy(&copy->globq_later, &md->globq_later);
    ok &= deque_copy(&copy->disabled, &md->disabled);
    ok &= deque_copy(&copy->idlep, &md->idlep);
    ok &= deque_copy(&copy->idlem, &md->idlem);
    ok &= looking_copy(&copy->looking, &md->looking);
    if (ok)
        return copy;
    model_free(copy);
    return NULL;
}

uint64_t model_bytes(const struct model *md, const struct model *but)
{
    uint64_t n =
        sizeof *md + md->looking.cap * sizeof *md->looking.v + gpages_bytes(md, but) + md->capm * sizeof *md->m + md->npall * sizeof *md->p;
    const struct deque *d[] = {&md->globq, &md->globq_later, &md->idlep, &md->idlem, &md->disabled};
    for (size_t i = 0; i < sizeof d / sizeof *d; i++)
        n += d[i]->cap * sizeof *d[i]->v;
    for (uint32_t i = 0; i < md->npall; i++)
        n += md->p[i].captimers * sizeof *md->p[i].timerbuf;
    for (uint32_t i = 0; i < md->nm; i++) {
        const struct model_m *mm = &md->m[i];
        n += ((uint64_t)(mm->transit - mm->transit_buf) + mm->transit_cap) * sizeof *mm->transit + (mm->search ? sizeof *mm->search : 0);
    }
    return n + model_objects_bytes(md) + meters_bytes(md, but) + md->heap.captimers * sizeof *md->heap.timerbuf;
}

/* ---- readers ---- */

void model_inexact(struct model *md)
{
    md->cfg.exact = false;
}

const struct model_g *model_g(const struct model *md, uint32_t g)
{
    return g_find(md, g);
}

bool model_lacks_memory(const struct model *md)
{
    return md->oom;
}

const char *model_error(const struct model *md)
{
    return md->error;
}

uint32_t model_np(const struct model *md)
{
    return md->np;
}

uint32_t model_nm(const struct model *md)
{
    return md->nm;
}

const struct model_p *model_p(const struct model *md, uint32_t p)
{
    return p < md->np ? &md->p[p] : NULL;
}

const struct model_m *model_m(const struct model *md, uint32_t m)
{
    return m < md->nm ? &md->m[m] : NULL;
}

bool model_p_in_call(const struct model *md, uint32_t p)
{
    return p_is_in_call(md, p);
}

enum m_doing model_m_doing(const struct model *md, uint32_t m)
{
    const struct model_m *mm = model_m(md, m);
    return !mm || !mm->started ? MD_NONE : mm->lacks & LACKS(KNOW_M_STATE) ? MD_UNKNOWN : m_doing(mm);
}

static uint32_t deque_read(const struct deque *d, const uint32_t **at)
{
    if (at)
        *at = d->v ? deque_at(d, 0) : NULL;
    return d->n;
}

uint32_t model_globq(const struct model *md, const uint32_t **from_head)
{
    return deque_read(&md->globq, from_head);
}

uint32_t model_idlep(const struct model *md, const uint32_t **from_top)
{
    return deque_read(&md->idlep, from_top);
}

uint32_t model_idlem(const struct model *md, const uint32_t **from_top)
{
    return deque_read(&md->idlem, from_top);
}

uint32_t model_runq_size(const struct model *md)
{
    return md->cfg.runq_size;
}

uint32_t model_nmspinning(const struct model *md)
{
    return md->nmspinning;
}

uint32_t model_npidle(const struct model *md)
{
    return md->npidle;
}

bool model_needspinning(const struct model *md)
{
    return md->needspinning;
}

uint64_t model_events(const struct model *md)
{
    return md->events;
}

int64_t model_time(const struct model *md)
{
    return md->time;
}

void model_pass_time(struct model *md, int64_t time)
{
    if (time > md->time)
        md->time = time;
}

uint32_t model_count_g(const struct model *md, enum g_status st)
{
    return (unsigned)st < sizeof md->count_g / sizeof *md->count_g ? md->count_g[st] : 0;
}

void model_set_races(struct model *md, uint64_t races)
{
    md->counters.races = races;
}

void model_note_leaks(struct model *md, uint64_t n)
{
    md->counters.leaks = n;
}

const struct counters *model_counters(const struct model *md)
{
    return &md->counters;
}

const char *model_fn_name(const struct model *md, uint32_t g)
{
    const struct model_g *mg = model_g(md, g);
    return mg ? model_fn(md, mg->fn) : "";
}

const char *model_fn(const struct model *md, uint32_t fn)
{
    const struct model_names *names = &md->cfg.names;
    if (md->cfg.lacks && (fn == FN_UNKNOWN || fn == EV_NONE))
        return "?";
    const char *label = ev_system_label(fn);
    if (label)
        return label;
    return fn < names->nfn && names->fn[fn] ? names->fn[fn] : "";
}

int model_ended(const struct model *md)
{
    return md->ended;
}
