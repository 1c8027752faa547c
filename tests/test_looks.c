/* Looks (engine/looks.h): the state that the model has after a look is the snapshot that the look read, whatever the look before was; nothing in between
 * is an event, and half of a look is never seen. */
#include "engine/looks.h"
#include "engine/engine.h"
#include "engine/recorder.h"
#include "engine/source_file.h"
#include "game.h"
#include "unknown.h"

#define LACKS_ALL LOOKS_LACK

static const char *const names[] = {"main.main", "main.worker"};

/* --- states as a program could have them ------------------------------------------------------------------------------------ */

enum { PS = 4, MS = 6, GS = 40, RINGS = 256 };

/* A random state. Gs of `gone` and before have ended and never come back. */
static void draw_state(struct prng *r, struct snapshot *s, uint32_t *gone)
{
    uint32_t next;
    snapshot_reset(s);
    s->np = PS;
    s->nm = MS;
    s->p = snapshot_alloc(s, PS, sizeof *s->p);
    s->m = snapshot_alloc(s, MS, sizeof *s->m);
    s->g = snapshot_alloc(s, GS, sizeof *s->g);
    s->globq = snapshot_alloc(s, GS, sizeof *s->globq);
    s->idlep = snapshot_alloc(s, PS, sizeof *s->idlep);
    s->idlem = snapshot_alloc(s, MS, sizeof *s->idlem);
    *gone += (uint32_t)prng_below(r, 4) == 0 && *gone < GS - 12;
    for (uint32_t i = 0; i < MS; i++)
        s->m[i] = (struct snap_m){.p = EV_NONE, .oldp = EV_NONE};
    for (uint32_t id = *gone + 1; id <= GS; id++)
        s->g[s->ng++] = (struct snap_g){
            .id = id,
            .status = G_WAITING,
            .reason = WAIT_REASON_CHAN_RECEIVE,
            .place = PLACE_WAITING,
            .fn = id % 2,
            .by = id == 1 ? EV_NONE : 1};
    next = *gone + 1;
#define TAKE() (&s->g[next++ - *gone - 1])
    for (uint32_t p = 0; p < PS; p++) {
        struct snap_p *to = &s->p[p];
        *to = (struct snap_p){.m = EV_NONE, .head = (uint32_t)prng_below(r, 1000), .schedtick = (uint32_t)prng_below(r, 1000)};
        to->ring = snapshot_alloc(s, RINGS, sizeof *to->ring);
        if (prng_below(r, 3) == 0) {
            s->idlep[s->nidlep++] = p;
            to->status = P_IDLE;
            to->tail = to->head;
            continue;
        }
        to->status = P_RUNNING;
        to->m = p + 1;
        s->m[p + 1].p = p;
        struct snap_g *g = TAKE();
        g->status = prng_below(r, 4) ? G_RUNNING : G_SYSCALL;
        g->reason = 0;
        g->place = PLACE_RUNNING;
        g->where = p + 1;
        s->m[p + 1].curg = g->id;
        for (uint32_t n = (uint32_t)prng_below(r, 3); n; n--) {
            struct snap_g *in = TAKE();
            *in = (struct snap_g){in->id, G_RUNNABLE, 0, PLACE_RUNQ, p, to->head + (n - 1), 0, in->fn, 0, in->by};
            to->ring[n - 1] = in->id;
            to->tail = to->tail ? to->tail : to->head + n;
        }
        to->tail = to->tail ? to->tail : to->head;
        if (prng_below(r, 2)) {
            struct snap_g *in = TAKE();
            *in = (struct snap_g){in->id, G_RUNNABLE, 0, PLACE_RUNNEXT, p, 0, 0, in->fn, 0, in->by};
            to->runnext = in->id;
        }
    }
    for (uint32_t n = (uint32_t)prng_below(r, 3); n && next < GS; n--) {
        struct snap_g *in = TAKE();
        *in = (struct snap_g){in->id, G_RUNNABLE, 0, PLACE_GLOBQ, 0, s->nglobq, 0, in->fn, 0, in->by};
        s->globq[s->nglobq++] = in->id;
    }
    if (prng_below(r, 2)) {
        s->m[5].blocked = true;
        s->idlem[s->nidlem++] = 5;
    } else {
        s->m[5].sysmon = true;
    }
    s->npidle = s->nidlep;
    s->nmspinning = (uint32_t)prng_below(r, 3);
    s->needspinning = prng_below(r, 2);
}

/* The names of the fields that differ are the audit's. */
static void same_state(const struct model *md, const struct snapshot *want)
{
    struct snapshot got = {0};
    CHECK(model_snapshot(md, &got));
    CHECK_INT(got.np, want->np);
    CHECK_INT(got.ng, want->ng);
    for (uint32_t i = 0; i < want->np; i++) {
        const struct snap_p *a = &got.p[i], *b = &want->p[i];
        CHECK(a->status == b->status && a->m == b->m && a->runnext == b->runnext && a->schedtick == b->schedtick && a->head == b->head &&
              a->tail == b->tail);
        CHECK(!memcmp(a->ring, b->ring, (b->tail - b->head) * sizeof *b->ring));
    }
    for (uint32_t i = 0; i < want->ng; i++) {
        const struct snap_g *a = &got.g[i], *b = &want->g[i];
        if (a->id != b->id || a->status != b->status || a->reason != b->reason || a->place != b->place || a->where != b->where ||
            a->slot != b->slot || a->fn != b->fn || a->by != (b->by == EV_NONE ? 0 : b->by))
            t_fail(__FILE__, __LINE__, "G%u: status %u place %u where %u slot %u, want G%u: %u %u %u %u", a->id, a->status, a->place,
                   a->where, a->slot, b->id, b->status, b->place, b->where, b->slot);
    }
    for (uint32_t i = 0; i < want->nm; i++)
        CHECK(got.m[i].p == want->m[i].p && got.m[i].curg == want->m[i].curg && got.m[i].blocked == want->m[i].blocked &&
              got.m[i].sysmon == want->m[i].sysmon);
    CHECK(got.nglobq == want->nglobq && !memcmp(got.globq, want->globq, want->nglobq * sizeof *want->globq));
    CHECK(got.nidlep == want->nidlep && !memcmp(got.idlep, want->idlep, want->nidlep * sizeof *want->idlep));
    CHECK(got.nidlem == want->nidlem && !memcmp(got.idlem, want->idlem, want->nidlem * sizeof *want->idlem));
    CHECK(got.nmspinning == want->nmspinning && got.npidle == want->npidle && got.needspinning == want->needspinning);
    snapshot_fini(&got);
}

static struct model *looked_at(void)
{
    struct model *md =
        model_new(&(struct model_config){.runq_size = RINGS, .generation = GO1_26, .names = {.fn = names, .nfn = 2}, .lacks = LACKS_ALL});
    CHECK(md);
    return md;
}

static void offer(struct model *md, uint32_t m, const struct ev *e)
{
    if (model_offer(md, m, e, NULL, 0) != OFFER_APPLIED)
        t_fail(__FILE__, __LINE__, "%s: %s", ev_desc[e->kind].name, model_error(md));
}

TEST(after_a_look_the_model_has_the_state_that_was_read)
{
    struct prng r;
    struct snapshot s = {0}, before = {0};
    uint32_t gone = 0, m;
    struct looks *l = looks_new(&(struct looks_config){0});
    struct model *md = looked_at();
    prng_seed(&r, 7, 0);
    for (int64_t n = 1; n <= 300; n++) {
        struct ev e;
        uint64_t facts = 0;
        CHECK(model_snapshot(md, &before));
        draw_state(&r, &s, &gone);
        CHECK(looks_add(l, n * 100, &s));
        while (looks_take(l, &m, &e)) {
            CHECK(e.kind == EV_LOOK || n == 1 ||
                  before.ng == model_count_g(md, G_WAITING) + model_count_g(md, G_RUNNABLE) + model_count_g(md, G_RUNNING) +
                                   model_count_g(md, G_SYSCALL));
            CHECK_INT(ev_level_of[e.kind], e.kind == EV_LOOK ? EV_CORE : EV_DETAIL);
            offer(md, m, &e);
            facts++;
        }
        CHECK(facts);
        same_state(md, &s);
        CHECK_INT(model_time(md), n * 100);
    }
    /* a look at the same state has nothing to say but that it was one */
    struct ev e;
    CHECK(looks_add(l, 90000, &s));
    CHECK(looks_take(l, &m, &e) && e.kind == EV_LOOK && e.a == 301 && !looks_take(l, &m, &e));
    /* no sum has grown of what nobody saw */
    const struct counters *c = model_counters(md);
    CHECK(!c->steals && !c->goroutines && !c->wakes && !c->m_parks && !c->rounds && !c->syscalls);
    model_free(md);
    looks_free(l);
    snapshot_fini(&s);
    snapshot_fini(&before);
}

TEST(half_of_a_look_changes_nothing)
{
    struct prng r;
    struct snapshot first = {0}, second = {0};
    uint32_t gone = 0, m;
    struct ev e;
    struct looks *l = looks_new(&(struct looks_config){0});
    struct model *md = looked_at();
    prng_seed(&r, 8, 0);
    draw_state(&r, &first, &gone);
    CHECK(looks_add(l, 100, &first));
    while (looks_take(l, &m, &e))
        offer(md, m, &e);
    draw_state(&r, &second, &gone);
    CHECK(looks_add(l, 200, &second));
    while (looks_take(l, &m, &e) && e.kind != EV_LOOK) {
        offer(md, m, &e);
        same_state(md, &first);
    }
    struct model *copy = model_clone(md); /* a keyframe in the middle of a look has its facts */
    CHECK(copy);
    offer(md, m, &e);
    offer(copy, m, &e);
    same_state(md, &second);
    same_state(copy, &second);
    model_free(md);
    model_free(copy);
    looks_free(l);
    snapshot_fini(&first);
    snapshot_fini(&second);
}

/* --- what is not known ------------------------------------------------------------------------------------------------------- */

TEST(what_a_look_does_not_know_is_unknown)
{
    struct snap_p p[2] = {{.status = P_UNKNOWN, .m = EV_NONE, .runnext = EV_NONE, .tail = 3}, {.status = P_IDLE, .m = EV_NONE}};
    struct snap_g g[1] = {{.id = 7, .status = G_WAITING, .fn = EV_NONE, .by = EV_NONE}};
    struct snapshot s = {.np = 2, .p = p, .ng = 1, .g = g, .nglobq = 2, .npidle = 1};
    struct looks *l = looks_new(&(struct looks_config){0});
    struct model *md = looked_at();
    uint32_t m;
    struct ev e;
    CHECK(looks_add(l, 100, &s));
    while (looks_take(l, &m, &e))
        offer(md, m, &e);
#define KNOWS(what, id, want) CHECK_INT(model_knows(md, KNOW_##what, id), KNOWN_##want)
    KNOWS(P_STATE, 0, NOT);
    KNOWS(P_RUNNEXT, 0, NOT);
    KNOWS(P_LEN, 0, FACT);
    KNOWS(P_RUNQ, 0, NOT);
    KNOWS(P_RUNQ, 1, FACT);
    KNOWS(P_STATE, 1, FACT);
    KNOWS(P_TIMERS, 1, NOT);
    KNOWS(GLOBQ_LEN, 0, FACT);
    KNOWS(GLOBQ, 0, NOT);
    KNOWS(G_STATE, 7, FACT);
    KNOWS(G_REASON, 7, NOT);
    KNOWS(G_FN, 7, NOT);
    KNOWS(G_BY, 7, NOT);
    KNOWS(G_SINCE, 7, NOT);
    KNOWS(STEALS, 0, NOT);
    KNOWS(SPINNING, 0, FACT);
    CHECK_INT(model_globq(md, NULL), 2);
    CHECK_INT(model_p(md, 0)->tail - model_p(md, 0)->head, 3);
    model_free(md);
    looks_free(l);
}

TEST(a_look_that_contradicts_itself_is_broken)
{
    static const struct ev bad[][3] = {
        {{.kind = EV_LOOK_P, .p = 5, .b = EV_NONE}},                                    /* there are 2 Ps */
        {{.kind = EV_LOOK_P, .p = 0, .a = P_SEEN_RUNNING, .b = 3}},                     /* M3 does not have it */
        {{.kind = EV_LOOK_M, .p = EV_NO_P, .a = EV_NONE, .b = 9, .d = M_SEEN_RUNNING}}, /* nobody has seen G9 */
        {{.kind = EV_LOOK_QUEUE, .p = 0, .a = LOOK_RUNQ, .b = 257}},
        {{.kind = EV_LOOK_QUEUE, .p = 0, .a = LOOK_RUNQ, .b = 5}, {.kind = EV_LOOK_IN, .p = 0, .a = 0}}, /* one look_in has four */
        {{.kind = EV_LOOK_QUEUE, .p = EV_NO_P, .a = LOOK_GLOBQ, .b = 1}, {.kind = EV_LOOK_IN, .p = EV_NO_P, .a = 9}},
        {{.kind = EV_LOOK_QUEUE, .p = EV_NO_P, .a = LOOK_IDLE_P, .b = 1}, {.kind = EV_LOOK_IN, .p = EV_NO_P, .a = 9}},
        {{.kind = EV_LOOK_G, .p = EV_NO_P, .g = 4, .a = G_SEEN_WAITING, .b = EV_NONE, .c = EV_NONE, .d = EV_NONE},
         {.kind = EV_LOOK_QUEUE, .p = EV_NO_P, .a = LOOK_GLOBQ, .b = 1},
         {.kind = EV_LOOK_IN, .p = EV_NO_P, .a = 4}}}; /* it waits */
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct model *md = looked_at();
        for (int k = 0; k < 3 && bad[i][k].kind; k++)
            offer(md, 0, &bad[i][k]);
        struct ev e = {.kind = EV_LOOK, .p = EV_NO_P, .a = 1, .b = 2};
        if (model_offer(md, 0, &e, NULL, 0) != OFFER_BROKEN || !model_error(md)[0])
            t_fail(__FILE__, __LINE__, "look %zu is not broken", i);
        model_free(md);
    }
    struct model *live = model_new(&(struct model_config){.runq_size = 4, .names = {.fn = names, .nfn = 2}});
    CHECK_INT(model_offer(live, 0, &(struct ev){.kind = EV_LOOK, .p = EV_NO_P, .b = 2}, NULL, 0), OFFER_NOT_YET); /* M0 has not started */
    model_free(live);
}

/* --- behind engine, session and recording ------------------------------------------------------------------------------------ */

/* A ring that grows by one G each look: look n has n - 1 Gs in P1's ring. Every other call finds nothing yet, unless somebody steps. */
struct queue_that_grows {
    uint32_t n, end;
    bool early;
    struct snapshot s;
    struct snap_p p[2];
    struct snap_g g[300];
    uint32_t ring[256];
};

static enum look_read next_look(void *ctx, bool now, const struct snapshot **out, int64_t *time)
{
    struct queue_that_grows *q = ctx;
    if (!now && (q->early = !q->early))
        return LOOK_WAIT;
    if (q->n == q->end)
        return LOOK_END;
    for (uint32_t i = 0; i <= q->n; i++)
        q->g[i] = (struct snap_g){.id = i + 1, .status = G_RUNNABLE, .fn = i > 0, .by = i ? 1 : EV_NONE};
    for (uint32_t i = 0; i < q->n; i++)
        q->ring[i] = i + 2;
    q->p[0] = (struct snap_p){.status = P_RUNNING, .m = EV_NONE, .ring = q->ring};
    q->p[1] = (struct snap_p){.status = P_IDLE, .m = EV_NONE, .ring = q->ring, .tail = q->n};
    q->s = (struct snapshot){.np = 2, .p = q->p, .ng = q->n + 1, .g = q->g, .globq = q->ring, .idlep = q->ring, .idlem = q->ring};
    *out = &q->s;
    *time = 100000000 * (int64_t)q->n++;
    return LOOK_READ;
}

static void from_start(void *ctx)
{
    ((struct queue_that_grows *)ctx)->n = 0;
}

static const struct run_info look_info = {
    .name = "1234",
    .title = {{"A program", "程序"}},
    .summary = {{"", ""}},
    .generation = GO1_26,
    .mode = MODE_FREE,
    .procs = 2,
    .runq_size = 256,
    .has_p = true,
    .lacks = LACKS_ALL,
    .programs = {.fn = names, .nfn = 2}};

static struct session_status now(struct session *s)
{
    struct session_status st;
    session_ops.status(s, &st);
    if (st.failed)
        t_fail(__FILE__, __LINE__, "the run has failed: %s", stop_text(&st));
    return st;
}

static void until_still(struct session *s)
{
    uint64_t n;
    for (struct pollfd p = {.fd = session_ops.wake_fd(s), .events = POLLIN}; !now(s).still && !now(s).ended;)
        if (poll(&p, 1, 20) > 0 && read(p.fd, &n, sizeof n) < 0)
            t_fail(__FILE__, __LINE__, "eventfd");
}

static uint32_t ring_shown(struct session *s)
{
    int n;
    struct session_event ev[4];
    struct model *md = session_ops.view(s, ev, 4, &n);
    uint32_t len = model_np(md) ? model_p(md, 1)->tail - model_p(md, 1)->head : 0;
    model_free(md);
    return len;
}

TEST(a_step_is_a_look_and_conditions_are_judged_once_a_look)
{
    static struct queue_that_grows q = {.end = 200};
    struct session_mistake wrong = {.lang = LANG_EN};
    char err[200];
    struct looks *l = looks_new(&(struct looks_config){.next = next_look, .ctx = &q, .rewind = from_start, .end = ENDED_GONE});
    struct session_config c = {.engine = {.info = look_info, .open = source_looks, .from = l, .limit = INT64_MAX, .max_events = UINT64_MAX},
                               .tempo = TEMPO_MAX,
                               .paused = true};
    c.engine.live = true;
    c.engine.history = HISTORY_BUDGET;
    struct session *s = session_new(&c, err, sizeof err);
    CHECK(s);
    session_ops.motion->step(s, STEP_EVENT, 3);
    until_still(s);
    CHECK_INT(ring_shown(s), 2);
    CHECK_INT(session_ops.rewind->step_back(s, STEP_EVENT, 1), GOTO_DONE);
    until_still(s);
    CHECK_INT(ring_shown(s), 1);
    CHECK(session_ops.breaks->add(s, "when p1.runq > 100", &wrong));
    session_ops.motion->pause(s, false);
    until_still(s);
    CHECK_INT(ring_shown(s), 101);
    session_ops.motion->pause(s, false);
    until_still(s);
    CHECK(now(s).ended);
    CHECK_INT(ring_shown(s), 199);
    session_free(s);
    looks_free(l);
}

TEST(a_recording_of_looks_is_replayed)
{
    static struct queue_that_grows q = {.end = 100};
    char err[200], path[600];
    snprintf(path, sizeof path, "%s/looks.run", t_tmpdir());
    struct looks *l = looks_new(&(struct looks_config){.next = next_look, .ctx = &q, .rewind = from_start, .end = ENDED_GONE});
    struct engine_config c = {.info = look_info, .open = source_looks, .from = l, .limit = INT64_MAX, .max_events = UINT64_MAX};
    struct engine *e = engine_new(&c, err, sizeof err);
    CHECK(e);
    const struct record_to to = {.path = path, .name = "", .settings = ""};
    CHECK(engine_record(e, &to, err, sizeof err));
    engine_drive(e, &(struct drive){0});
    CHECK_INT(e->how, ENDED_GONE);
    uint64_t events = e->events;
    CHECK_INT(model_p(e->model, 1)->tail, 99);
    CHECK_INT(engine_record_end(e), 0);
    engine_free(e);
    c.open = source_file;
    c.from = path;
    e = engine_new(&c, err, sizeof err);
    CHECK(e);
    engine_drive(e, &(struct drive){0});
    CHECK_INT(e->how, ENDED_GONE);
    CHECK(e->events == events);
    CHECK_INT(model_p(e->model, 1)->tail, 99);
    CHECK_INT(model_g(e->model, 50)->slot, 48);
    engine_free(e);
    looks_free(l);
}
