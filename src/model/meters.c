/* What the fold sums up for meters: what the Gs of each program have used, who stole from whom, how long Gs were runnable.
 *
 * The steals of a thief are a row of counts by victim. Copies of the model share a row until the next steal of that thief. So a copy costs
 * a pointer for each P, although a matrix of 1,024 Ps has a million cells. */
#include "model/fold_internal.h"

#include <stdlib.h>
#include <string.h>

struct steal_row {
    _Atomic uint32_t refs; /* models that hold the row */
    uint32_t n;            /* victims */
    struct model_steals v[];
};

/* ---- memory ---- */

/* acquire: pairs with the release of row_drop() in another thread, whose reads are then over */
static bool row_is_ours(struct steal_row *row)
{
    return atomic_load_explicit(&row->refs, memory_order_acquire) == 1;
}

static void row_drop(struct steal_row *row)
{
    /* acq_rel: the last one to drop the row frees it after all reads by the others */
    if (row && atomic_fetch_sub_explicit(&row->refs, 1, memory_order_acq_rel) == 1)
        free(row);
}

static size_t row_bytes(uint32_t n)
{
    return sizeof(struct steal_row) + n * sizeof(struct model_steals);
}

bool meters_init(struct model *md)
{
    md->use = calloc(md->cfg.names.nfn + 1, sizeof *md->use);
    return md->use != NULL;
}

bool meters_copy(struct model *to, const struct model *from)
{
    size_t uses = (from->cfg.names.nfn + 1) * sizeof *to->use;
    to->use = malloc(uses);
    to->steals = from->nsteals ? malloc(from->nsteals * sizeof(struct steal_row *)) : NULL;
    to->nsteals = 0;
    if (to->use)
        memcpy(to->use, from->use, uses);
    if (!to->use || (from->nsteals && !to->steals))
        return false;
    for (; to->nsteals < from->nsteals; to->nsteals++) {
        struct steal_row *row = to->steals[to->nsteals] = from->steals[to->nsteals];
        if (row) /* relaxed: `from` holds the row meanwhile */
            atomic_fetch_add_explicit(&row->refs, 1, memory_order_relaxed);
    }
    return true;
}

void meters_free(struct model *md)
{
    for (uint32_t i = 0; i < md->nsteals; i++)
        row_drop(md->steals[i]);
    free(md->steals);
    free(md->use);
}

uint64_t meters_bytes(const struct model *md, const struct model *but)
{
    uint64_t n = (md->cfg.names.nfn + 1) * sizeof *md->use + md->nsteals * sizeof(struct steal_row *);
    for (uint32_t i = 0; i < md->nsteals; i++) {
        bool shared = but && i < but->nsteals && but->steals[i] == md->steals[i];
        n += md->steals[i] && !shared ? row_bytes(md->steals[i]->n) : 0;
    }
    return n;
}

/* ---- steals ---- */

static bool rows_room(struct model *md, uint32_t thief)
{
    if (thief < md->nsteals)
        return true;
    struct steal_row **v = realloc(md->steals, (thief + 1) * sizeof(struct steal_row *));
    if (!v)
        return false;
    md->steals = v;
    while (md->nsteals <= thief)
        v[md->nsteals++] = NULL;
    return true;
}

/* Returns the cell for writing, NULL if memory ran out. The row is made, copied or extended if necessary. */
static struct model_steals *cell_mut(struct model *md, uint32_t thief, uint32_t victim)
{
    if (!rows_room(md, thief))
        return NULL;
    struct steal_row *row = md->steals[thief];
    if (row && victim < row->n && row_is_ours(row))
        return &row->v[victim];
    uint32_t n = row && row->n > victim ? row->n : victim < md->npall ? md->npall : victim + 1;
    struct steal_row *ours = calloc(1, row_bytes(n));
    if (!ours)
        return NULL;
    atomic_init(&ours->refs, 1);
    ours->n = n;
    if (row)
        memcpy(ours->v, row->v, row->n * sizeof *row->v);
    row_drop(row);
    md->steals[thief] = ours;
    return &ours->v[victim];
}

void meters_steal(const struct fold *f)
{
    uint32_t victim = f->e->a & 0xffff;
    bool took = f->e->kind == EV_STEAL, both = f->e->p < EV_MAX_P && victim < EV_MAX_P; /* nothing checks the Ps of a steal_try */
    struct model_steals *cell = both ? cell_mut(f->md, f->e->p, victim) : NULL;
    if (!cell) {
        f->md->oom |= both;
        return;
    }
    cell->tries += !took;
    cell->steals += took;
    cell->gs += took ? f->e->b >> 1 : 0;
    if (took)
        f->md->last_steal = (struct model_last_steal){f->md->events, f->e->p, victim, f->e->b >> 1};
}

struct model_steals model_steals(const struct model *md, uint32_t thief, uint32_t victim)
{
    const struct steal_row *row = thief < md->nsteals ? md->steals[thief] : NULL;
    return row && victim < row->n ? row->v[victim] : (struct model_steals){0};
}

uint32_t model_np_ever(const struct model *md)
{
    return md->npall;
}

struct model_last_steal model_last_steal(const struct model *md)
{
    return md->last_steal;
}

/* ---- programs ---- */

uint32_t model_programs(const struct model *md)
{
    return md->cfg.names.nfn + 1;
}

const char *model_program_name(const struct model *md, uint32_t program)
{
    const struct model_names *names = &md->cfg.names;
    return program < names->nfn ? names->fn[program] : NULL;
}

static void add_wait(struct model_use *use, const struct model_g *g, int64_t ns)
{
    if (ns <= use->waited)
        return;
    use->waited = ns;
    use->waiter = g->id;
}

void meters_start(const struct fold *f)
{
    add_wait(use_of(f->md, f->g), f->g, f->e->time - f->g->since);
}

/* Adds the Gs that run or are runnable now, with their time up to now. */
void model_uses(const struct model *md, struct model_use *out)
{
    const struct gpage *page;
    struct model now = {.cfg = md->cfg, .use = out};
    memcpy(out, md->use, model_programs(md) * sizeof *out);
    for (uint32_t i = 0; i < md->nm; i++) {
        const struct model_g *g = md->m[i].curg ? g_find(md, md->m[i].curg) : NULL;
        if (g && g->status == G_RUNNING)
            use_of(&now, g)->ran += md->time - g->since;
    }
    for (uint32_t i = 0; md->count_g[G_RUNNABLE] && (page = gpages_live(md, &i)); i++)
        for (uint32_t k = 0; k < GPAGE; k++)
            if (page->g[k].status == G_RUNNABLE)
                add_wait(use_of(&now, &page->g[k]), &page->g[k], md->time - page->g[k].since);
}

/* ---- timers, the world ---- */

uint32_t model_heaps(const struct model *md)
{
    return md->npall == 0 ? 1 : md->cfg.heaps_stay ? md->npall : md->np;
}

uint32_t model_heap(const struct model *md, uint32_t i, const struct snap_timer **first)
{
    const struct model_p *p = md->npall == 0 ? &md->heap : &md->p[i];
    *first = p->timers;
    return p->ntimers;
}

bool model_heaps_are_buckets(const struct model *md)
{
    return md->cfg.heaps_stay;
}

struct model_world model_world(const struct model *md)
{
    return md->world;
}
