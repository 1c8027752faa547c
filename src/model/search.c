/* The last search of each M for a G: the stages of findRunnable() in the order in which it reached them, with the values that decide
 * them, as they are in the folded state when the M reaches the stage. model.h says which values those are.
 *
 * A search begins with the first such event after the M has run a G or has slept, and ends with its next g_start or m_park. These are
 * detail events: if only core events are recorded, there is nothing to keep, and model_search() returns NULL.
 */
#include "model/fold_internal.h"

#include <stdlib.h>
#include <string.h>

struct values {
    int64_t a, b;
};

static int64_t first_timer(const struct model_p *p)
{
    return p && p->ntimers ? p->timers[0].when : -1;
}

static int64_t first_of_all_timers(const struct model *md)
{
    int64_t first = first_timer(&md->heap);
    for (uint32_t i = 0; i < md->npall; i++) {
        int64_t when = first_timer(&md->p[i]);
        first = when >= 0 && (first < 0 || when < first) ? when : first;
    }
    return first;
}

static struct values queue_values(const struct model_p *p)
{
    return p ? (struct values){p->tail - p->head, p->runnext} : (struct values){0, 0};
}

static struct values stage_values(const struct model *md, const struct model_p *p, uint32_t stage)
{
    switch (stage) {
    case FIND_TIMERS:
        return (struct values){first_timer(p), md->time};
    case FIND_TICK61:
        return (struct values){p ? p->schedtick : 0, md->globq.n};
    case FIND_LOCAL:
        return queue_values(p);
    case FIND_GLOBAL:
        return (struct values){md->globq.n, 0};
    case FIND_STEAL:
        return (struct values){2 * (int64_t)md->nmspinning, (int64_t)md->np - md->npidle};
    case FIND_RECHECK:
        return (struct values){md->nmspinning, md->npidle};
    case FIND_DROP_P:
        return (struct values){md->globq.n, md->needspinning};
    case FIND_POLL_UNTIL:
        return (struct values){first_of_all_timers(md), md->time};
    default:
        return (struct values){0, 0};
    }
}

static const struct model_p *p_of(const struct model *md, uint32_t p)
{
    return p < md->npall ? &md->p[p] : NULL;
}

static struct search_step step_of(const struct fold *f)
{
    const struct ev *e = f->e;
    struct search_step s = {.event = f->md->events, .kind = e->kind, .what = (uint8_t)e->a, .p = e->p};
    struct values v = {0, 0};
    if (e->kind == EV_FIND_STAGE)
        v = stage_values(f->md, p_of(f->md, e->p), e->a);
    else if (e->kind == EV_RECHECK)
        v.a = e->b & 1;
    else { /* steal_try */
        s.what = (uint8_t)e->b;
        s.p = (uint16_t)e->a;
        v = queue_values(p_of(f->md, s.p));
    }
    s.a = v.a;
    s.b = v.b;
    return s;
}

void search_step_add(const struct fold *f)
{
    struct model_search *s = f->mm->search;
    if (!s && !(s = f->mm->search = calloc(1, sizeof *s))) {
        f->md->oom = true;
        return;
    }
    if (f->mm->search_over || s->n == 0) {
        *s = (struct model_search){.first = f->md->events};
        f->mm->search_over = false;
    }
    s->last = f->md->events;
    s->left_out += s->n == SEARCH_STEPS;
    s->n -= s->n == SEARCH_STEPS; /* full: the newest step replaces the last one */
    s->step[s->n++] = step_of(f);
}

void search_end(const struct fold *f)
{
    struct model_search *s = f->mm->search;
    if (!s || f->mm->search_over)
        return;
    f->mm->search_over = true;
    s->last = f->md->events;
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
