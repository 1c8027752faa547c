/* One run of a scenario: a runtime with the scenario's objects in it. Objects are numbered from 1 within their kind,
 * in the order of their declaration. */
#include "scenario/scenario_internal.h"
#include "scenario/vm/vm.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static bool make_objects(struct scenario_run *r)
{
    const struct scenario *sc = r->sc;
    bool ok = true;
    for (uint32_t i = 0; ok && i < chan_total(sc); i++)
        ok = (r->chan[i] = rt_chan_new(r->sched, i + 1, sc->chan_buffer[i]));
    for (uint32_t i = 0; ok && i < mutex_total(sc); i++)
        ok = (r->mutex[i] = rt_mutex_new(r->sched, i + 1));
    for (uint32_t i = 0; ok && i < object_total(sc, NS_WAITGROUPS); i++)
        ok = (r->waitgroup[i] = rt_waitgroup_new(r->sched, i + 1));
    for (uint32_t i = 0; ok && i < object_total(sc, NS_RWMUTEXES); i++)
        ok = (r->rwmutex[i] = rt_rwmutex_new(r->sched, i + 1));
    for (uint32_t i = 0; ok && i < object_total(sc, NS_CONDS); i++)
        ok = (r->cond[i] = rt_cond_new(r->sched, i + 1, r->mutex[sc->cond_mutex[i]]));
    for (uint32_t i = 0; ok && i < object_total(sc, NS_CONNS); i++)
        ok = (r->conn[i] = rt_conn_new(r->sched, i + 1));
    return ok;
}

static bool make_tables(struct scenario_run *r)
{
    const struct scenario *sc = r->sc;
    r->chan = calloc(chan_total(sc) + (size_t)1, sizeof *r->chan);
    r->func = calloc(object_total(sc, NS_CHANNELS) + (size_t)1, sizeof *r->func);
    r->mutex = calloc(mutex_total(sc) + (size_t)1, sizeof *r->mutex);
    r->done = calloc(mutex_total(sc) + (size_t)1, sizeof *r->done);
    r->waitgroup = calloc(object_total(sc, NS_WAITGROUPS) + 1, sizeof *r->waitgroup);
    r->rwmutex = calloc(object_total(sc, NS_RWMUTEXES) + 1, sizeof *r->rwmutex);
    r->cond = calloc(object_total(sc, NS_CONDS) + 1, sizeof *r->cond);
    r->conn = calloc(object_total(sc, NS_CONNS) + 1, sizeof *r->conn);
    r->shared = calloc(sc->y->shared_count + 1, sizeof *r->shared);
    r->context = contexts_new(sc);
    r->main = interp_start(r, r->sc->main, 0);
    return r->chan && r->mutex && r->waitgroup && r->conn && r->rwmutex && r->cond && r->func && r->context && r->done && r->shared &&
           r->main;
}

static bool set_up(struct scenario_run *r, const struct rt_config *cfg)
{
    struct rt_config own = *cfg;
    if (!make_tables(r))
        return false;
    own.main_fn = interp_main;
    own.main_arg = r->main;
    if (r->sc->form) {
        bool given = own.memory && own.memory != rt_memory_default();
        if (!(r->vm = vm_new(r->sc->form, given ? own.memory : UINT64_C(1) << 30)))
            return false;
        if (!vm_watch(r->vm, &own))
            return false;
        if (!(r->first = calloc(r->sc->nprog + 1, sizeof *r->first)))
            return false;
        for (uint32_t i = 0; i < r->sc->nprog; i++)
            r->first[i] = r->sc->prog[i].body.op;
        vm_on_args(r->vm, r->sc->go->args, r->sc->go->nargs);
        vm_on_place(r->vm, r, r->first, sizeof(struct op), own.places != PLACES_NONE);
        own.main_fn = vm_main;
        own.main_arg = vm_start_of(r->vm);
    }
    own.main_prog = r->sc->main;
    r->places = own.places != PLACES_NONE;
    r->races = own.races;
    r->generation = own.generation;
    return (r->sched = rt_new(&own)) && make_objects(r);
}

struct scenario_run *scenario_run_new(const struct scenario *sc, const struct rt_config *cfg)
{
    struct scenario_run *r = calloc(1, sizeof *r);
    int err;
    if (!r)
        return NULL;
    r->sc = sc;
    errno = ENOMEM;
    if (set_up(r, cfg))
        return r;
    err = errno;
    scenario_run_free(r);
    errno = err;
    return NULL;
}

void scenario_op(const void *arg, struct scenario_place place, char *buf, size_t size)
{
    const struct op *op = ((const struct start *)arg)->at;
    char text[EV_TEXT_MAX + 1];
    if (op && op->exec == exec_print && interp_text(arg, place, text)) {
        snprintf(buf, size, "%s %s", op->verb, text);
        return;
    }
    snprintf(buf, size, "%s%s%s", op ? op->verb : "", op && op->what ? " " : "", op && op->what ? op->what : "");
}

bool scenario_variables(const void *arg, uint32_t line, struct variables *out)
{
    const struct start *s = arg;
    return s->run->sc->form && s->run->sc->info.programs.text && vm_variables(arg, s->run->sc->info.programs.text, line, out);
}

bool scenario_op_number(const void *arg, uint32_t *op)
{
    const struct op *at = ((const struct start *)arg)->at;
    if (at)
        *op = at->number;
    return at;
}

bool scenario_op_case(const void *arg, uint32_t nth, char *buf, size_t size)
{
    const struct op *op = ((const struct start *)arg)->at;
    if (!op || op->exec != exec_select || nth >= op->u.select.n)
        return false;
    const struct selcase *k = &op->u.select.v[nth];
    snprintf(buf, size, "%s %s", k->send ? "send" : "recv", k->what);
    return true;
}

void scenario_trace(const void *arg, bool made, uint32_t by_g, FILE *out)
{
    if (made)
        vm_trace_made(arg, by_g, out);
    else
        vm_trace(arg, out);
}

struct reached {
    const struct model *md;
    VEC(struct vm_g) g;
    VEC(struct waits_reach) is;
    bool lacking;
};

static void add_g(void *ctx, uint32_t id, const void *arg)
{
    struct reached *all = ctx;
    const struct model_g *g = model_g(all->md, id);
    bool waits = g && g->status == G_WAITING;
    if (!g || !arg || (id == 1 && model_ended(all->md) == ENDED_MAIN_RETURNED))
        return;
    struct vm_g at = {.at = arg, .waits = waits, .reason = g->reason};
    if (waits)
        at.object = ev_waits_for(g->reason, g->obj);
    all->lacking |= !vec_push(&all->g, at) || !vec_push(&all->is, ((struct waits_reach){.g = id}));
}

struct waits_reach *scenario_reach(struct scenario_run *r, const struct model *md, size_t *n)
{
    struct reached all = {.md = md};
    bool known = r->vm;
    for (uint32_t m = 0; m < model_nm(md); m++)
        known = known && !model_m(md, m)->fires; /* what that timer does is not seen here */
    if (known)
        rt_args(r->sched, add_g, &all);
    for (size_t i = 0; i < all.g.n && !all.lacking; i++)
        all.g.v[i].is = &all.is.v[i];
    known = known && !all.lacking && all.is.n && vm_find_stuck(r->vm, r->sched, all.g.v, all.g.n);
    if (!known)
        vec_free(&all.is);
    vec_free(&all.g);
    *n = all.is.n;
    return all.is.v;
}

struct sched *scenario_run_sched(struct scenario_run *r)
{
    return r->sched;
}

void scenario_run_free(struct scenario_run *r)
{
    if (!r)
        return;
    if (r->sched) {
        rt_stop(r->sched);
        rt_free(r->sched);
    }
    free(r->chan);
    free(r->mutex);
    free(r->done);
    free(r->func);
    free(r->context);
    free(r->waitgroup);
    free(r->conn);
    free(r->rwmutex);
    free(r->cond);
    free(r->shared);
    free(r->main);
    vm_free(r->vm);
    free(r->first);
    free(r);
}
