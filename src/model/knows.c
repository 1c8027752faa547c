/* What the model knows: facts, what it derived, and what the source of the events did not say. The state says it itself: some values are
 * unknown (P_UNKNOWN, PLACE_UNKNOWN, a G 0 in a queue); sets of bits say it of the others. */
#include "model/model_internal.h"

#include <string.h>

static enum model_known by_sets(uint32_t lacks, uint32_t guess, enum model_what what)
{
    return lacks & LACKS(what) ? KNOWN_NOT : guess & LACKS(what) ? KNOWN_DERIVED : KNOWN_FACT;
}

static enum model_known of_p(const struct model *md, enum model_what what, const struct model_p *p)
{
    enum model_known len = by_sets(p->lacks, p->guess, KNOW_P_LEN);
    if (what == KNOW_P_STATE && p->status == P_UNKNOWN)
        return KNOWN_NOT;
    if (what != KNOW_P_RUNQ)
        return by_sets(p->lacks, p->guess, what);
    for (uint32_t k = p->head; k != p->tail; k++)
        if (!p->ring[k & (md->cfg.runq_size - 1)])
            return KNOWN_NOT;
    return len;
}

static enum model_known of_g(enum model_what what, const struct model_g *g)
{
    static const uint8_t bit[KNOW_WHATS] = {
        [KNOW_G_REASON] = G_LACKS_REASON, [KNOW_G_FN] = G_LACKS_FN, [KNOW_G_BY] = G_LACKS_BY, [KNOW_G_SINCE] = G_LACKS_SINCE};
    if (what == KNOW_G_STATE)
        return g->status == G_UNKNOWN ? KNOWN_NOT : g->lacks & G_GUESS ? KNOWN_DERIVED : KNOWN_FACT;
    if (what == KNOW_G_PLACE)
        return g->place == PLACE_UNKNOWN ? KNOWN_NOT : g->lacks & (G_GUESS | G_GUESS_PLACE) ? KNOWN_DERIVED : KNOWN_FACT;
    if (what == KNOW_G_REASON && g->status != G_WAITING)
        return KNOWN_FACT;
    return g->lacks & bit[what] ? KNOWN_NOT : KNOWN_FACT;
}

static enum model_known of_all(const struct model *md, enum model_what what)
{
    enum model_known len = by_sets(md->lacks, md->guess, KNOW_GLOBQ_LEN);
    if (what != KNOW_GLOBQ)
        return by_sets(md->lacks, md->guess, what);
    for (uint32_t i = 0; i < md->globq.n; i++)
        if (!*deque_at(&md->globq, i))
            return KNOWN_NOT;
    return len;
}

static enum model_known knows(const struct model *md, enum model_what what, uint32_t id)
{
    if (what <= KNOW_P_TIMERS)
        return id < md->np ? of_p(md, what, &md->p[id]) : KNOWN_NOT;
    if (what <= KNOW_M_SEARCH)
        return id < md->nm && md->m[id].started ? by_sets(md->m[id].lacks, md->m[id].guess, what) : KNOWN_NOT;
    const struct model_g *g = what <= KNOW_G_SINCE ? g_find(md, id) : NULL;
    if (what <= KNOW_G_SINCE)
        return g ? of_g(what, g) : KNOWN_NOT;
    return of_all(md, what);
}

bool model_is_partial(const struct model *md)
{
    return md->cfg.lacks != 0;
}

enum model_known model_knows(const struct model *md, enum model_what what, uint32_t id)
{
    return md->cfg.lacks ? knows(md, what, id) : KNOWN_FACT;
}

bool model_replay(const struct model *md, struct model_replay *out)
{
    *out = md->replay;
    return md->replays;
}

/* Counts a thing that is not known, or derived. */
static void add(const struct model *md, struct model_gap (*gap)[2], enum model_what what, uint32_t id, bool of_all)
{
    enum model_known known = knows(md, what, id);
    struct model_gap *row = &gap[what][known == KNOWN_NOT];
    if (known == KNOWN_FACT)
        return;
    if (!row->known)
        *row = (struct model_gap){what, known, (md->cfg.lacks & LACKS(what)) != 0, 0, id};
    row->n += !of_all;
}

/* Walks everything, whatever the source says of itself: so a live run shows that it has nothing unknown. */
uint32_t model_unknown(const struct model *md, struct model_gap *out)
{
    struct model_gap gap[KNOW_WHATS][2];
    uint32_t n = 0;
    memset(gap, 0, sizeof gap);
    for (int what = 0; what < KNOW_WHATS; what++)
        if (what <= KNOW_P_TIMERS)
            for (uint32_t p = 0; p < md->np; p++)
                add(md, gap, (enum model_what)what, p, false);
        else if (what <= KNOW_M_SEARCH)
            for (uint32_t m = 0; m < md->nm; m++)
                md->m[m].started ? add(md, gap, (enum model_what)what, m, false) : (void)0;
        else if (what > KNOW_G_SINCE)
            add(md, gap, (enum model_what)what, 0, true);
    for (uint32_t g = model_next_live(md, 0); g; g = model_next_live(md, g))
        for (int what = KNOW_G_STATE; what <= KNOW_G_SINCE; what++)
            add(md, gap, (enum model_what)what, g, false);
    for (int what = 0; what < KNOW_WHATS; what++)
        for (int k = 1; k >= 0; k--)
            if (gap[what][k].known)
                out[n++] = gap[what][k];
    return n;
}

uint32_t model_looks(const struct model *md)
{
    return md->looks;
}
