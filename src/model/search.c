/* The last search of each M for a G: what it logged at each stage of findRunnable(), with the values that it read there, and what it took.
 *
 * A search begins with the first such event after the M has run a G or has slept, and ends with its next g_start or m_park. If
 * findRunnable() begins again from its top, the steps before that are forgotten; `again` counts them. Stages are details: where only
 * core events are recorded, model_search() returns NULL, and the fold does no more than see that. A free run on a screen records none of a search
 * that ends at the P's own queue (runtime/sched/find.h); then the search has only what it took.
 */
#include "model/fold_internal.h"

#include <stdlib.h>
#include <string.h>

static struct search_step step_of(const struct fold *f)
{
    return (struct search_step){f->md->events, *f->e};
}

static void forget_steps(struct search_step *steps, uint32_t *set)
{
    for (; *set; *set &= *set - 1)
        steps[__builtin_ctz(*set)] = (struct search_step){0};
}

/* Most searches end after a few steps. */
static void search_forget(struct model_search *s)
{
    forget_steps(s->stage, &s->stages);
    forget_steps(s->recheck, &s->rechecks);
    s->took = (struct search_step){0};
    s->tries = 0;
}

/* The search that is under way, or a new one. */
static struct model_search *search_now(const struct fold *f)
{
    struct model_search *s = f->mm->search;
    if (!s && !(s = f->mm->search = calloc(1, sizeof *s))) {
        f->md->oom = true;
        return NULL;
    }
    if (f->mm->search_over || !s->first) {
        search_forget(s);
        s->first = f->md->events;
        s->end = SEARCH_GOES_ON;
        s->g = s->again = 0;
        f->mm->search_over = false;
    }
    s->last = f->md->events;
    return s;
}

static void stage_add(struct model_search *s, const struct fold *f)
{
    uint32_t stage = f->e->a;
    if (stage >= SEARCH_STAGES)
        return;
    if (s->stage[stage].event) {
        search_forget(s);
        s->again++;
    }
    s->stage[stage] = step_of(f);
    s->stages |= 1u << stage;
}

void search_step_add(const struct fold *f)
{
    struct model_search *s = search_now(f);
    if (!s)
        return;
    if (f->e->kind == EV_FIND_STAGE)
        stage_add(s, f);
    else if (f->e->kind == EV_STEAL_TRY)
        s->try[s->tries++ % SEARCH_TRIES] = step_of(f);
    else if (f->e->a < SEARCH_RECHECKS) {
        s->recheck[f->e->a] = step_of(f);
        s->rechecks |= 1u << f->e->a;
    }
}

void search_took(const struct fold *f)
{
    if (f->mm && f->mm->search && !f->mm->curg)
        search_now(f)->took = step_of(f);
}

void search_end(const struct fold *f)
{
    if (!f->mm->search)
        return;
    struct model_search *s = search_now(f);
    f->mm->search_over = true;
    s->end = f->e->kind == EV_G_START ? SEARCH_FOUND : SEARCH_SLEEPS;
    s->g = f->e->kind == EV_G_START ? f->e->g : 0;
}

bool search_copy(struct model_m *to, const struct model_m *from)
{
    to->search = from->search ? malloc(sizeof *to->search) : NULL;
    if (to->search)
        *to->search = *from->search;
    return !from->search || to->search;
}

const struct model_search *model_search(const struct model *md, uint32_t m)
{
    return m < md->nm ? md->m[m].search : NULL;
}

int64_t search_value(const struct search_step *s, const char *field)
{
    const struct ev_field *f = ev_field(s->ev.kind, field, strlen(field));
    return s->event && f && ev_has(&s->ev, f) ? ev_value(&s->ev, 0, f) : 0;
}
