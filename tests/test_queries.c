/* The queries of the history (history.h) and the last search of each M, against an account that is made event by event from the model's
 * readers: for every shipped scenario, in both modes, with records in memory, in segments of several sizes, and in the file. */
#include "base/prng.h"
#include "load.h"
#include "model/history/history.h"
#include "whole.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_P = 16, MOST_EVENTS = 12000 };

/* State k of the account is the one after event k. */
struct state {
    int64_t time;
    uint32_t level[LEVELS], last_g[MOST_P], m[MOST_P];
    uint8_t doing[MOST_P], starts[MOST_P]; /* starts: by the event that led here */
    uint32_t obj, reason;                  /* of the g_park or g_ready that led here */
};
struct account {
    const char *what;
    struct history *log;
    uint64_t n;
    struct state *state;
};

static enum p_doing doing_of(const struct model *md, uint32_t p)
{
    const struct model_p *pp = model_p(md, p);
    if (!pp || pp->status == P_DEAD)
        return P_DOES_NOTHING;
    if (pp->status != P_RUNNING)
        return pp->status == P_SYSCALL ? P_DOES_SYSCALL : pp->status == P_GCSTOP ? P_DOES_STOP : P_DOES_IDLE;
    const struct model_m *m = model_m(md, pp->m);
    if (m->curg)
        return model_g(md, m->curg)->status == G_SYSCALL ? P_DOES_SYSCALL : P_DOES_RUN;
    return m->spinning ? P_DOES_SPIN : P_DOES_SCHEDULE;
}

static uint32_t m_of(const struct model *md, uint32_t p)
{
    const struct model_p *pp = model_p(md, p);
    return pp && pp->status == P_RUNNING ? pp->m : EV_NONE;
}

static void read_state(const struct model *md, struct state *s)
{
    s->time = model_time(md);
    s->level[LEVEL_RUNNABLE] = model_count_g(md, G_RUNNABLE);
    s->level[LEVEL_RUNNING] = model_count_g(md, G_RUNNING);
    s->level[LEVEL_SYSCALL] = model_count_g(md, G_SYSCALL);
    s->level[LEVEL_WAITING] = model_count_g(md, G_WAITING);
    s->level[LEVEL_SPINNING] = model_nmspinning(md);
    s->level[LEVEL_IDLE_MS] = model_idlem(md, NULL);
    for (uint32_t p = 0; p < MOST_P; p++) {
        s->doing[p] = (uint8_t)doing_of(md, p);
        s->m[p] = m_of(md, p);
    }
}

static void account_event(struct account *a, struct model *md, const struct history_event *e)
{
    struct state *s = &a->state[e->number];
    const struct model_g *g = model_g(md, e->ev.g);
    s->reason = e->ev.kind == EV_G_READY ? g->reason : e->ev.b & 0xffff;
    s->obj = e->ev.kind == EV_G_READY ? g->obj : e->ev.c;
    memcpy(s->last_g, s[-1].last_g, sizeof s->last_g);
    CHECK_INT(model_offer(md, e->m, &e->ev, e->text, e->len), OFFER_APPLIED);
    read_state(md, s);
    uint32_t p = model_m(md, e->m)->p;
    if (e->ev.kind == EV_G_START && p < MOST_P) {
        s->starts[p] = 1;
        s->last_g[p] = e->ev.g;
    }
}

static struct account account_new(struct history *log, const char *what)
{
    struct account a = {.what = what, .log = log, .n = history_events(log)};
    struct model *md = NULL;
    struct history_event e;
    a.state = calloc(a.n + 1, sizeof *a.state);
    CHECK(a.state && history_move(log, &md, 0));
    memset(a.state[0].m, 0xff, sizeof a.state[0].m); /* EV_NONE: there is no P yet */
    for (uint64_t n = 1; history_get(log, n, &e); n++)
        account_event(&a, md, &e);
    model_free(md);
    return a;
}

#define WRONG(...) t_fail(__FILE__, __LINE__, __VA_ARGS__)

/* ---- bins ---- */

/* How long state k lasts within the bin. */
static int64_t lasts(const struct account *a, const struct history_bin *b, uint64_t k)
{
    int64_t from = a->state[k].time > b->start ? a->state[k].time : b->start;
    int64_t to = k < b->to ? a->state[k + 1].time : b->end;
    return to > from ? to - from : 0;
}

static void check_p(const struct account *a, const struct history_bin *b, const struct history_bin_p *got, uint32_t p)
{
    struct history_bin_p want = {.g = a->state[b->to].last_g[p], .m = a->state[b->to].m[p], .doing = a->state[b->to].doing[p]};
    for (uint64_t k = b->from; k <= b->to; k++) {
        want.ns[a->state[k].doing[p]] += lasts(a, b, k);
        want.starts += k > b->from && a->state[k].starts[p];
    }
    for (int d = 0; d < P_DOINGS; d++)
        if (got->ns[d] != want.ns[d])
            WRONG("%s: events %llu to %llu: P%u: doing %d for %lld ns, not %lld", a->what, (unsigned long long)b->from,
                  (unsigned long long)b->to, p, d, (long long)got->ns[d], (long long)want.ns[d]);
    CHECK_INT(got->starts, want.starts);
    CHECK_INT(got->g, want.g);
    CHECK_INT(got->m, want.m);
    CHECK_INT(got->doing, want.doing);
}

static void check_levels(const struct account *a, const struct history_bin *b)
{
    for (int l = 0; l < LEVELS; l++) {
        int64_t ns = 0;
        uint32_t peak = 0;
        for (uint64_t k = b->from; k <= b->to; k++) {
            uint32_t level = a->state[k].level[l];
            ns += (int64_t)level * lasts(a, b, k);
            peak = level > peak ? level : peak;
        }
        if (b->level_ns[l] != ns || b->peak[l] != peak)
            WRONG("%s: events %llu to %llu: level %d: %lld and at most %u, not %lld and %u", a->what, (unsigned long long)b->from,
                  (unsigned long long)b->to, l, (long long)b->level_ns[l], b->peak[l], (long long)ns, peak);
    }
}

static void check_kinds(const struct account *a, const struct history_bin *b)
{
    uint64_t kinds[EV_KINDS] = {0};
    struct history_event e;
    for (uint64_t n = b->from + 1; n <= b->to; n++) {
        CHECK(history_get(a->log, n, &e));
        kinds[e.ev.kind]++;
    }
    CHECK(!memcmp(kinds, b->kinds, sizeof kinds));
}

static void check_bins(const struct account *a, const struct history_bins *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        check_levels(a, &b->bin[i]);
        check_kinds(a, &b->bin[i]);
        for (uint32_t p = 0; p < b->np && p < MOST_P; p++)
            check_p(a, &b->bin[i], &b->p[i * b->np + p], p);
        CHECK(i == 0 || (b->bin[i].from == b->bin[i - 1].to && b->bin[i].start == b->bin[i - 1].end));
    }
}

static uint64_t state_at(const struct account *a, int64_t time)
{
    uint64_t n = 0;
    while (n < a->n && a->state[n + 1].time <= time)
        n++;
    return n;
}

static void check_by_event(const struct account *a, struct history *h, struct prng *r)
{
    struct history_bins b;
    uint32_t x = prng_below(r, (uint32_t)a->n + 1), y = prng_below(r, (uint32_t)a->n + 1), n = 1 + prng_below(r, 20);
    uint64_t from = x < y ? x : y, to = x < y ? y : x;
    CHECK(history_bins_by_event(h, from, to, n, &b));
    CHECK_INT(b.n, n);
    CHECK(b.bin[0].from == from && b.bin[n - 1].to == to);
    for (uint32_t i = 0; i < n; i++) {
        CHECK(b.bin[i].to - b.bin[i].from <= (to - from) / n + 1);
        CHECK_INT(b.bin[i].end, a->state[b.bin[i].to].time);
    }
    check_bins(a, &b);
    history_bins_free(&b);
}

static void check_by_time(const struct account *a, struct history *h, struct prng *r)
{
    struct history_bins b;
    uint64_t length = (uint64_t)a->state[a->n].time + 1000;
    int64_t x = (int64_t)(prng_next(r) % length), y = (int64_t)(prng_next(r) % length);
    if (prng_below(r, 2)) /* right at an event, or right before it */
        x = a->state[prng_below(r, (uint32_t)a->n + 1)].time - (int64_t)prng_below(r, 2);
    x = x < 0 ? 0 : x;
    int64_t start = x < y ? x : y, end = x < y ? y : x;
    uint32_t n = 1 + prng_below(r, 20);
    CHECK(history_bins_by_time(h, start, end, n, &b));
    for (uint32_t i = 0; i < n; i++) {
        CHECK_INT(b.bin[i].to, state_at(a, b.bin[i].end));
        CHECK(b.bin[i].end - b.bin[i].start <= (end - start) / (int64_t)n + 1);
    }
    CHECK(b.bin[0].start == start && b.bin[n - 1].end == end);
    check_bins(a, &b);
    history_bins_free(&b);
}

/* ---- chains ---- */

static bool names(const struct history_event *e, enum ev_ftype type, uint32_t id)
{
    const struct ev_field *f = ev_desc[e->ev.kind].field;
    for (int i = 0; i < EV_FIELDS && f[i].name; i++)
        if (f[i].type == type && ev_value(&e->ev, e->m, &f[i]) == id)
            return true;
    return false;
}

static bool is_about(const struct account *a, const struct history_event *e, const struct history_subject *s)
{
    const struct state *at = &a->state[e->number];
    if (s->id == EV_NONE || (s->id == 0 && s->kind == SUBJECT_G)) /* these stand for none */
        return false;
    switch (s->kind) {
    case SUBJECT_G:
        return e->ev.g == s->id || names(e, FT_G, s->id);
    case SUBJECT_M:
        return e->m == s->id || names(e, FT_M, s->id);
    case SUBJECT_P:
        return e->ev.p == s->id || names(e, FT_P, s->id);
    default:
        return (e->ev.kind == EV_G_PARK || e->ev.kind == EV_G_READY) && at->obj == s->id && (!s->reasons || s->reasons >> at->reason & 1);
    }
}

static uint64_t find_next(const struct account *a, const struct history_subject *s, uint64_t from, int step)
{
    struct history_event e;
    for (uint64_t n = from; history_get(a->log, n, &e); n += (uint64_t)(int64_t)step)
        if (is_about(a, &e, s))
            return n;
    return 0;
}

/* Returns a subject that a field of the event names, M 0 if none does. */
static struct history_subject named_subject(const struct history_event *e)
{
    const struct ev_field *f = ev_desc[e->ev.kind].field;
    for (int i = 0; i < EV_FIELDS && f[i].name; i++)
        if (f[i].type == FT_G || f[i].type == FT_M || f[i].type == FT_P)
            return (struct history_subject){
                f[i].type == FT_G   ? SUBJECT_G
                : f[i].type == FT_M ? SUBJECT_M
                                    : SUBJECT_P,
                (uint32_t)ev_value(&e->ev, e->m, &f[i]), 0};
    return (struct history_subject){SUBJECT_M, 0, 0};
}

static struct history_subject any_subject(const struct account *a, struct prng *r)
{
    struct history_event e;
    CHECK(history_get(a->log, 1 + prng_below(r, (uint32_t)a->n), &e));
    switch (prng_below(r, 6)) {
    case 0:
        return (struct history_subject){SUBJECT_G, e.ev.g ? e.ev.g : 1, 0};
    case 1:
        return (struct history_subject){SUBJECT_M, e.m, 0};
    case 2:
        return (struct history_subject){SUBJECT_P, e.ev.p == EV_NO_P ? 99 : e.ev.p, 0};
    case 3:
        return (struct history_subject){SUBJECT_OBJECT, 1 + prng_below(r, 3), 0};
    case 4:
        return named_subject(&e);
    default:
        return (struct history_subject){SUBJECT_OBJECT, 1, 1u << WAIT_REASON_CHAN_RECEIVE | 1u << WAIT_REASON_MUTEX_LOCK};
    }
}

static void check_chain(const struct account *a, struct history *h, struct prng *r)
{
    struct history_subject s = any_subject(a, r);
    struct history_event e;
    uint64_t from = 1 + prng_below(r, (uint32_t)a->n);
    int step = prng_below(r, 2) ? 1 : -1;
    uint64_t got = history_chain(h, &s, from, step > 0 ? a->n : 1, step), want = find_next(a, &s, from, step);
    if (got != want)
        WRONG("%s: subject %d %u from %llu, step %d: %llu, not %llu", a->what, (int)s.kind, s.id, (unsigned long long)from, step,
              (unsigned long long)got, (unsigned long long)want);
    CHECK(history_get(h, from, &e));
    CHECK_INT(history_concerns(h, &e, &s), want == from);
    CHECK_INT(history_chain(h, &s, 0, 1, step), 0);
    CHECK_INT(history_chain(h, &s, a->n + 1, 1, step), 0);
    uint64_t to = 1 + prng_below(r, (uint32_t)a->n);
    bool within = step > 0 ? want <= to : want >= to;
    CHECK_INT(history_chain(h, &s, from, to, step), within ? want : 0);
}

static void check_found(const struct account *a, struct history *h, uint64_t n, struct history_subject s)
{
    struct history_event e;
    CHECK(history_get(a->log, n, &e));
    if (is_about(a, &e, &s) && history_chain(h, &s, n, n, 1) != n)
        WRONG("%s: event %llu is not found for subject %d %u", a->what, (unsigned long long)n, (int)s.kind, s.id);
}

/* Each event is found for each subject that it is about. */
static void check_subjects(const struct account *a, struct history *h)
{
    struct history_event e;
    for (uint64_t n = 1; n <= a->n; n++) {
        CHECK(history_get(a->log, n, &e));
        const struct ev_field *f = ev_desc[e.ev.kind].field;
        check_found(a, h, n, (struct history_subject){SUBJECT_G, e.ev.g, 0});
        check_found(a, h, n, (struct history_subject){SUBJECT_M, e.m, 0});
        if (e.ev.p != EV_NO_P)
            check_found(a, h, n, (struct history_subject){SUBJECT_P, e.ev.p, 0});
        if (a->state[n].obj)
            check_found(a, h, n, (struct history_subject){SUBJECT_OBJECT, a->state[n].obj, 0});
        for (int i = 0; i < EV_FIELDS && f[i].name; i++)
            if (f[i].type == FT_G || f[i].type == FT_M || f[i].type == FT_P) {
                enum subject_kind kind = f[i].type == FT_G ? SUBJECT_G : f[i].type == FT_M ? SUBJECT_M : SUBJECT_P;
                check_found(a, h, n, (struct history_subject){kind, (uint32_t)ev_value(&e.ev, e.m, &f[i]), 0});
            }
    }
}

/* ---- the last search of an M ---- */

static bool is_step(const struct history_event *e)
{
    return e->ev.kind == EV_FIND_STAGE || e->ev.kind == EV_STEAL_TRY || e->ev.kind == EV_RECHECK;
}

static int64_t first_timer(const struct model_p *p)
{
    return p && p->ntimers ? p->timers[0].when : -1;
}

static int64_t field_of(const struct history_event *e, const char *name)
{
    const struct ev_field *f = ev_field(e->ev.kind, name, strlen(name));
    CHECK(f && ev_has(&e->ev, f));
    return ev_value(&e->ev, e->m, f);
}

static void equal(const struct account *a, const struct history_event *e, const char *field, int64_t want)
{
    int64_t have = field_of(e, field);
    if (have != want)
        WRONG("%s: event %llu: %s is %lld, the runtime has %lld", a->what, (unsigned long long)e->number, field, (long long)have,
              (long long)want);
}

static void check_rule(const struct account *a, const struct history_event *e)
{
    int64_t rule = field_of(e, "rule"), spinning = field_of(e, "spinning"), busy = field_of(e, "busy");
    bool stage_steal = e->ev.a == FIND_STEAL;
    if (rule == SPIN_RULE_YES ? 2 * spinning >= busy : rule == SPIN_RULE_NO && 2 * spinning < busy)
        WRONG("%s: event %llu: rule %lld at %lld and %lld", a->what, (unsigned long long)e->number, (long long)rule, (long long)spinning,
              (long long)busy);
    CHECK(!stage_steal || rule == SPIN_RULE_YES || rule == SPIN_RULE_ALREADY);
}

/* What the M read is what its runtime had. `before`: the state before the event; as it was logged in lockstep, nothing happened in between. */
static void check_values(const struct account *a, const struct model *before, const struct history_event *e)
{
    const struct model_p *p = model_p(before, e->ev.kind == EV_STEAL_TRY ? e->ev.a : e->ev.p);
    uint32_t stage = e->ev.a, globq = model_globq(before, NULL);
    if (e->ev.kind == EV_STEAL_TRY || stage == FIND_LOCAL) {
        equal(a, e, "len", p->tail - p->head);
        equal(a, e, "runnext", p->runnext);
    }
    if (e->ev.kind == EV_STEAL_TRY)
        return;
    if (stage == FIND_LOCAL || stage == FIND_TICK61)
        equal(a, e, "tick", p->schedtick);
    if (stage == FIND_TICK61 || stage == FIND_GLOBAL || stage == FIND_DROP_P || stage == FIND_QUEUE)
        equal(a, e, "globq", globq);
    if (stage == FIND_TIMERS)
        equal(a, e, "when", first_timer(p));
    if (stage == FIND_DROP_P)
        equal(a, e, "needspinning", model_needspinning(before));
    if (stage == FIND_STEAL && field_of(e, "rule") == SPIN_RULE_YES)
        CHECK(model_m(before, e->m)->spinning);
    if (stage == FIND_STEAL || stage == FIND_DROP_P)
        check_rule(a, e);
    if (stage == FIND_QUEUE) /* an M that returns from a system call counts itself first, so mcpu may be larger */
        CHECK(field_of(e, "mcpumax") >= 1);
}

/* The rule is read before the M starts to spin, which logs spin_start: the number there is one more. */
static void check_spin_start(const struct account *a, const struct model *before, const struct history_event *e, uint32_t *started)
{
    if (e->ev.kind == EV_SPIN_START)
        started[e->m] = model_nmspinning(before) + 1;
    else if (e->ev.kind == EV_FIND_STAGE && e->ev.a == FIND_STEAL && field_of(e, "rule") == SPIN_RULE_YES)
        equal(a, e, "spinning", (int64_t)started[e->m] - 1);
}

/* `fine` runs have other Ms between a read and its event. */
static void check_all_values(const struct account *a)
{
    struct model *md = NULL;
    struct history_event e;
    uint32_t *started = calloc(1u << 16, sizeof *started);
    CHECK(started && history_move(a->log, &md, 0));
    for (uint64_t n = 1; history_get(a->log, n, &e); n++) {
        if (is_step(&e) && e.ev.kind != EV_RECHECK)
            check_values(a, md, &e);
        check_spin_start(a, md, &e, started);
        CHECK_INT(model_offer(md, e.m, &e.ev, e.text, e.len), OFFER_APPLIED);
    }
    model_free(md);
    free(started);
}

/* A step that is kept is an event of that M. */
static void check_kept(const struct account *a, const struct model_search *s, uint32_t m, const struct search_step *step)
{
    struct history_event e;
    if (!step->event)
        return;
    CHECK(step->event >= s->first && step->event <= s->last && history_get(a->log, step->event, &e));
    CHECK_INT(e.m, m);
    CHECK(!memcmp(&e.ev, &step->ev, sizeof e.ev));
}

static void check_search(const struct account *a, const struct model *md, uint32_t m)
{
    const struct model_search *s = model_search(md, m);
    struct history_event e;
    uint64_t stages = 0, tries = 0, recheck = 0;
    if (!s)
        return;
    for (int i = 0; i < SEARCH_STAGES; i++)
        check_kept(a, s, m, &s->stage[i]);
    for (int i = 0; i < SEARCH_RECHECKS; i++)
        check_kept(a, s, m, &s->recheck[i]);
    for (uint32_t i = 0; i < s->tries && i < SEARCH_TRIES; i++)
        check_kept(a, s, m, &s->try[i]);
    check_kept(a, s, m, &s->took);
    CHECK(history_get(a->log, s->last, &e) && e.m == m);
    CHECK_INT(s->end, e.ev.kind == EV_G_START ? SEARCH_FOUND : e.ev.kind == EV_M_PARK ? SEARCH_SLEEPS : SEARCH_GOES_ON);
    CHECK_INT(s->g, e.ev.kind == EV_G_START ? e.ev.g : 0);
    for (uint64_t n = s->first; n <= s->last; n++) { /* nothing is left out, except what came before it began again */
        CHECK(history_get(a->log, n, &e));
        stages += e.m == m && e.ev.kind == EV_FIND_STAGE;
        tries += e.m == m && e.ev.kind == EV_STEAL_TRY;
        recheck += e.m == m && e.ev.kind == EV_RECHECK;
    }
    for (int i = 0; i < SEARCH_STAGES; i++)
        stages -= s->stage[i].event != 0;
    for (int i = 0; i < SEARCH_RECHECKS; i++)
        recheck -= s->recheck[i].event != 0;
    CHECK(s->again ? tries >= s->tries : tries == s->tries && stages == 0 && recheck == 0);
}

static void check_searches(const struct account *a, struct history *h, struct prng *r)
{
    struct model *md = NULL;
    CHECK(history_move(h, &md, prng_below(r, (uint32_t)a->n + 1)));
    for (uint32_t m = 0; m < model_nm(md) + 1; m++)
        check_search(a, md, m);
    model_free(md);
}

/* ---- runs ---- */

/* Copies the events from n on that one M logged at one time, and that have no text. Returns how many. */
static uint32_t gather(struct history *log, uint64_t n, struct ev ev[], uint32_t max, uint32_t *m)
{
    struct history_event e;
    uint32_t i = 0;
    for (; i < max && history_get(log, n + i, &e) && !e.text && (!i || (e.m == *m && e.ev.time == ev[0].time)); i++) {
        *m = e.m;
        ev[i] = e.ev;
    }
    return i;
}

/* The same events in another history. records: those that an M logged in one go are added together, as the engine does. */
static struct history *copy(struct history *log, uint64_t budget, uint32_t segment, bool records)
{
    enum { MOST = 16 };
    struct model *md = NULL;
    struct history_event e;
    struct ev ev[MOST];
    CHECK(history_move(log, &md, 0));
    struct history *h = history_new(md, &(struct history_config){.budget = budget, .segment = segment});
    CHECK(h);
    for (uint64_t n = 1; n <= history_events(log);) {
        uint32_t m, some = records ? gather(log, n, ev, MOST, &m) : 0;
        if (some > 1 && history_takes(h, some)) {
            CHECK_INT(model_offer_record(md, m, ev, &some), OFFER_APPLIED);
            CHECK(history_add_record(h, md, m, ev, some));
            n += some;
            continue;
        }
        CHECK(history_get(log, n++, &e));
        CHECK_INT(model_offer(md, e.m, &e.ev, e.text, e.len), OFFER_APPLIED);
        CHECK(history_add(h, md, e.m, &e.ev, e.text, e.len));
    }
    model_free(md);
    return h;
}

static void check_all(const struct account *a, struct history *h, int times)
{
    struct prng r;
    prng_seed(&r, a->n, 1);
    for (int i = 0; i < times; i++) {
        check_by_event(a, h, &r);
        check_by_time(a, h, &r);
        for (int k = 0; k < 30; k++)
            check_chain(a, h, &r);
        if (i % 4 == 0)
            check_searches(a, h, &r);
    }
}

static void check_run(const struct scenario *sc, const char *what, enum conductor_mode mode)
{
    struct engine *e = run_scenario(sc, mode, MOST_EVENTS);
    struct account a = account_new(e->history, what);
    struct history *small = copy(e->history, HISTORY_BUDGET, 64, true), *tiny = copy(e->history, HISTORY_BUDGET, 8, true);
    check_subjects(&a, tiny);
    history_free(tiny);
    check_all(&a, e->history, 12);
    check_all(&a, small, 12);
    if (mode == MODE_LOCKSTEP)
        check_all_values(&a);
    history_free(small);
    free(a.state);
    engine_free(e);
}

static void check_shipped(const struct scenario *sc, const char *path, void *ctx)
{
    check_run(sc, path, *(enum conductor_mode *)ctx);
}

TEST_TIMED(queries_of_every_scenario, 600)
{
    each_scenario(check_shipped, &(enum conductor_mode){MODE_LOCKSTEP});
}

/* What M's ladders show is what the runtime read, in every generation that the scenario may run in. */
static void check_generations(const struct scenario *sc, const char *path, void *ctx)
{
    (void)ctx;
    for (enum rt_generation g = 0; g < GENERATIONS; g++) {
        struct diag d;
        diag_init(&d, path);
        bool fits = is_tried((int)g) && scenario_fits(sc, g, &d);
        diag_fini(&d);
        if (!fits)
            continue;
        struct engine_config c = whole_run(sc, 20000);
        c.rt.mode = MODE_LOCKSTEP;
        c.rt.generation = g;
        struct engine *e = run_whole(&c);
        struct account a = account_new(e->history, path);
        check_all_values(&a);
        free(a.state);
        engine_free(e);
    }
}

TEST_TIMED(searches_say_what_the_runtime_read, 600)
{
    each_scenario(check_generations, NULL);
}

TEST_TIMED(queries_of_free_runs, 300)
{
    static const char *const paths[] = {
        "steal-half", "ping-pong", "mutex-starving", "blocking-syscall", "gomaxprocs-shrink", "gc-cycle", "net-echo", "chain"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char path[500];
        snprintf(path, sizeof path, "%s/scenarios/%s.yaml", SOURCE_DIR, paths[i]);
        struct scenario *sc = load(path);
        check_run(sc, path, MODE_FREE);
        scenario_free(sc);
    }
}

/* Segments of several leaves, and of one; records in memory and in the file. Small ones make every way through walk_to() occur. */
TEST_TIMED(queries_do_not_depend_on_where_records_lie, 300)
{
    static const struct {
        uint64_t budget;
        uint32_t segment;
    } ways[] = {{HISTORY_BUDGET, 64},   {HISTORY_BUDGET, 1024}, {HISTORY_BUDGET, 2048},
                {HISTORY_BUDGET, 4096}, {HISTORY_LEAST, 256},   {256 << 10, 2048}};
    struct scenario *sc = load(SOURCE_DIR "/scenarios/whatif-recheck.yaml");
    struct engine *e = run_scenario(sc, MODE_LOCKSTEP, MOST_EVENTS);
    struct account a = account_new(e->history, "whatif-recheck");
    CHECK(a.n > 2 * 4096);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct history *h = copy(e->history, ways[i].budget, ways[i].segment, i % 2);
        if (history_oldest(h) == 0)
            check_all(&a, h, 100);
        history_free(h);
    }
    free(a.state);
    engine_free(e);
    scenario_free(sc);
}

TEST(what_is_asked_wrongly)
{
    struct scenario *sc = load(SOURCE_DIR "/scenarios/steal-half.yaml");
    struct engine *e = run_scenario(sc, MODE_LOCKSTEP, MOST_EVENTS);
    struct history_bins b;
    uint64_t n = history_events(e->history);
    CHECK(!history_bins_by_event(e->history, 0, n + 1, 4, &b) && !b.bin);
    CHECK(!history_bins_by_event(e->history, n, 0, 4, &b));
    CHECK(!history_bins_by_event(e->history, 0, n, 0, &b));
    CHECK(!history_bins_by_time(e->history, 1, 0, 4, &b));
    CHECK(history_bins_by_event(e->history, n, n, 3, &b)); /* an empty range: three empty bins */
    CHECK(b.n == 3 && b.bin[2].end == b.bin[0].start && b.bin[1].from == n && b.bin[1].to == n);
    history_bins_free(&b);
    CHECK(!b.bin && b.n == 0);
    struct history_stats st = history_stats(e->history);
    CHECK(st.query_bytes > 0 && st.query_bytes < st.bytes);
    engine_free(e);
    scenario_free(sc);
}
