/* The Gs of a model: 64-G pages in a copy-on-write tree, with a flat table in front of it for the model that folds (model_internal.h).
 *
 * The folding model finds a page by one lookup in its table (`front`). A page marked OWN there belongs to this model alone and may be
 * written. Every other page is in the tree. Pages in the tree are never written: the first write makes a copy, which replaces the page
 * in the table. The list `own` holds the pages that are to be put into the tree: those that were copied or forgotten since the last
 * clone. To be cloned, a model puts these pages into its tree, copies the nodes above them that others share, and shares the root. So a
 * clone costs as much as was written since the last one, however many Gs there ever were, and freeing it costs the same. A clone reads
 * through the tree; it has a table of its own only once it folds too.
 *
 * Rejected: one reference count for each page, in a table that is copied (at 100,000 Gs a second, 30 times a second, that was most of
 * what a screen took); the same on shelves of 64 pages, with the count checked at each write (the fold became 5 to 12 % slower).
 */
#include "model/model_internal.h"

#include <stdlib.h>
#include <string.h>

#define FAN_BITS 6
#define FAN (1u << FAN_BITS)
#define OPS_BYTES (GPAGE * sizeof(uint32_t))

struct gnode {
    _Atomic uint32_t refs; /* references from nodes and models; 1: the holder may write it */
    uint32_t live;         /* Gs below that are known and not dead */
    union {
        struct gnode *node[FAN];
        struct gpage *page[FAN];
    }; /* pages at the lowest level, 0 */
};

struct gtree {
    struct gnode *root;
    uint32_t levels;          /* 0: there is no root */
    uint32_t *own, nown, cap; /* numbers of the pages that are to be put into the tree */
};

/* ---- pages whose details are forgotten ---- */

/* One page stands for all of them: it is never counted, written or freed. Its Gs count as known, because their id (EV_NONE) is not 0. */
#define ENDED_G \
    { \
        .id = EV_NONE, .fn = MODEL_FORGOTTEN, .status = G_DEAD, .place = PLACE_DEAD \
    }
#define ENDED_8 ENDED_G, ENDED_G, ENDED_G, ENDED_G, ENDED_G, ENDED_G, ENDED_G, ENDED_G
const struct gpage gpage_forgotten = {.known = GPAGE, .g = {ENDED_8, ENDED_8, ENDED_8, ENDED_8, ENDED_8, ENDED_8, ENDED_8, ENDED_8}};

/* ---- reference counts ---- */

static bool is_ours(const _Atomic uint32_t *refs)
{
    /* acquire: pairs with the release in let_go(). No other holder can appear: it would have to share ours. */
    return atomic_load_explicit(refs, memory_order_acquire) == 1;
}

static void hold(_Atomic uint32_t *refs)
{
    /* relaxed: this model holds a reference, so the page can be neither freed nor written */
    atomic_fetch_add_explicit(refs, 1, memory_order_relaxed);
}

/* Drops a reference. Returns true if it was the last. */
static bool let_go(_Atomic uint32_t *refs)
{
    /* release: this model's reads come before another one writes there (acquire in is_ours()). acquire: the last one to drop it frees it
     * after all others are done. */
    return atomic_fetch_sub_explicit(refs, 1, memory_order_acq_rel) == 1;
}

static void page_free(struct gpage *page)
{
    free(page->op);
    free(page);
}

static void page_drop(struct gpage *page)
{
    if (page && page != &gpage_forgotten && let_go(&page->refs))
        page_free(page);
}

static void node_drop(struct gnode *node, uint32_t level)
{
    if (!node || !let_go(&node->refs))
        return;
    for (uint32_t i = 0; i < FAN; i++)
        if (level)
            node_drop(node->node[i], level - 1);
        else
            page_drop(node->page[i]);
    free(node);
}

/* ---- the tree ---- */

static uint32_t slot(uint32_t page, uint32_t level)
{
    return page >> level * FAN_BITS & (FAN - 1);
}

/* Returns how many pages a tree of so many levels can hold. */
static uint32_t room(uint32_t levels)
{
    return 1u << levels * FAN_BITS;
}

static struct gnode *node_copy(const struct gnode *from, uint32_t level)
{
    struct gnode *node = malloc(sizeof *node);
    if (!node)
        return NULL;
    atomic_init(&node->refs, 1);
    node->live = from->live;
    memcpy(node->node, from->node, sizeof node->node);
    for (uint32_t i = 0; i < FAN; i++)
        if (node->node[i] && (level || node->page[i] != &gpage_forgotten))
            hold(level ? &node->node[i]->refs : &node->page[i]->refs);
    return node;
}

/* Returns the node at *at, which it creates or copies if necessary, for writing. NULL: out of memory. */
static struct gnode *node_ours(struct gnode **at, uint32_t level)
{
    struct gnode *node = *at;
    if (node && is_ours(&node->refs))
        return node;
    struct gnode *ours = node ? node_copy(node, level) : calloc(1, sizeof *ours);
    if (!ours)
        return NULL;
    if (!node)
        atomic_init(&ours->refs, 1);
    node_drop(node, level);
    return *at = ours;
}

/* Puts page i into the tree and drops the previous one. more: the change of its live Gs. Returns false if memory ran out. */
static bool node_put(struct gnode **at, uint32_t level, uint32_t i, struct gpage *page, uint32_t *more)
{
    struct gnode *node = node_ours(at, level);
    if (!node)
        return false;
    if (level) {
        if (!node_put(&node->node[slot(i, level)], level - 1, i, page, more))
            return false;
    } else {
        struct gpage **old = &node->page[slot(i, 0)];
        *more = page->live - (*old ? (*old)->live : 0);
        page_drop(*old);
        *old = page;
    }
    node->live += *more;
    return true;
}

static bool tree_grow(struct gtree *t)
{
    struct gnode *top = calloc(1, sizeof *top);
    if (!top)
        return false;
    atomic_init(&top->refs, 1);
    top->node[0] = t->root;
    top->live = t->root ? t->root->live : 0;
    t->root = top;
    t->levels++;
    return true;
}

static bool tree_put(struct gtree *t, uint32_t i, struct gpage *page)
{
    uint32_t more = 0;
    while (!t->levels || i >= room(t->levels))
        if (!tree_grow(t))
            return false;
    return node_put(&t->root, t->levels - 1, i, page, &more);
}

static struct gpage *tree_get(const struct gtree *t, uint32_t i)
{
    if (!t->levels || i >= room(t->levels))
        return NULL;
    const struct gnode *node = t->root;
    for (uint32_t level = t->levels; node && --level;)
        node = node->node[slot(i, level)];
    return node ? node->page[slot(i, 0)] : NULL;
}

/* Returns the first page from *i on below this node, whose pages begin at `first`. */
static struct gpage *node_next(const struct gnode *node, uint32_t level, uint32_t first, uint32_t *i, bool live)
{
    if (!node || (live && !node->live))
        return NULL;
    for (uint32_t k = *i > first ? (*i - first) >> level * FAN_BITS : 0; k < FAN; k++) {
        uint32_t at = first + (k << level * FAN_BITS);
        struct gpage *page = level ? node_next(node->node[k], level - 1, at, i, live) : node->page[k];
        if (!page || (live && !page->live))
            continue;
        if (!level)
            *i = at;
        return page;
    }
    return NULL;
}

/* ---- the table of the model that folds ---- */

static bool front_room(struct model *md, uint32_t need)
{
    uint32_t n = md->nfront ? md->nfront : 16;
    if (need <= md->nfront)
        return true;
    while (n < need)
        n *= 2;
    uintptr_t *v = realloc(md->front, n * sizeof *v);
    if (!v)
        return false;
    memset(v + md->nfront, 0, (n - md->nfront) * sizeof *v);
    md->front = v;
    md->nfront = n;
    return true;
}

bool gpages_unfold(struct model *md)
{
    bool good = front_room(md, 1);
    uint32_t i = 0;
    for (const struct gpage *page; good && (page = node_next(md->gs->root, md->gs->levels - 1, 0, &i, false)); i++) {
        good = front_room(md, i + 1);
        if (good)
            md->front[i] = (uintptr_t)page;
    }
    if (good)
        return true;
    free(md->front); /* a table must be complete */
    md->front = NULL;
    md->nfront = 0;
    return false;
}

/* Makes room for one more number on the list. */
static bool own_room(struct gtree *t)
{
    if (t->nown < t->cap)
        return true;
    uint32_t cap = t->cap ? t->cap * 2 : 16, *v = realloc(t->own, cap * sizeof *v);
    if (!v)
        return false;
    t->own = v;
    t->cap = cap;
    return true;
}

/* Returns a new page, a copy of `from` unless that is NULL. NULL: out of memory. */
static struct gpage *page_new(const struct gpage *from)
{
    struct gpage *page = from ? malloc(sizeof *page) : calloc(1, sizeof *page);
    if (!page)
        return NULL;
    atomic_init(&page->refs, 1);
    if (!from)
        return page;
    page->live = from->live;
    page->known = from->known;
    memcpy(page->g, from->g, sizeof page->g);
    page->op = from->op ? malloc(OPS_BYTES) : NULL;
    if (page->op)
        memcpy(page->op, from->op, OPS_BYTES);
    if (!from->op || page->op)
        return page;
    free(page);
    return NULL;
}

struct gpage *gpage_take(struct model *md, uint32_t i)
{
    const struct gpage *from = gpage_at(md, i);
    struct gpage *page = from == &gpage_forgotten || !own_room(md->gs) ? NULL : page_new(from);
    if (!page) {
        md->oom = true;
        return NULL;
    }
    md->gs->own[md->gs->nown++] = i;
    md->front[i] = (uintptr_t)page | GPAGE_OWN;
    return page;
}

/* Puts all written pages into the tree. Returns false if memory ran out; nothing is lost then. */
static bool put_all(const struct model *md)
{
    for (struct gtree *t = md->gs; t->nown; t->nown--) {
        uint32_t i = t->own[t->nown - 1];
        struct gpage *page = (struct gpage *)(md->front[i] & ~GPAGE_OWN);
        if (!tree_put(t, i, page))
            return false;
        md->front[i] = (uintptr_t)page;
    }
    return true;
}

/* ---- for the rest of the model ---- */

struct model_g *model_g_add(struct model *md, uint32_t g)
{
    uint32_t i = g / GPAGE;
    if (!front_room(md, i + 1))
        return NULL;
    struct gpage *page = gpage_ours(md, i);
    if (!page)
        return NULL;
    page->g[g % GPAGE].id = g;
    page->known++;
    page->live++;
    return &page->g[g % GPAGE];
}

/* Replaces page i by gpage_forgotten, here in the table; put_all() later does so in the tree. Each page is on the list only once. If
 * there is no memory to put it there, the page keeps its details. */
static void forget(struct model *md, uint32_t i)
{
    struct gtree *t = md->gs;
    if (md->front[i] & GPAGE_OWN)
        page_free((struct gpage *)(md->front[i] & ~GPAGE_OWN));
    else if (own_room(t))
        t->own[t->nown++] = i;
    else
        return;
    md->front[i] = (uintptr_t)&gpage_forgotten;
}

void model_g_ended(struct model *md, uint32_t g)
{
    uint32_t i = g / GPAGE;
    struct gpage *page = gpage_ours(md, i);
    if (!page || --page->live || page->known < GPAGE - (i == 0) ||
        (i == 0 && md->cfg.lacks)) /* there is no G0; in a partial model it is any G */
        return;
    uint32_t *oldest = &md->ended_page[md->nended % ENDED_PAGES];
    if (md->nended++ >= ENDED_PAGES)
        forget(md, *oldest);
    *oldest = i;
}

const struct gpage *gpage_get(const struct model *md, uint32_t i)
{
    return tree_get(md->gs, i);
}

bool gpage_set_op(struct model *md, uint32_t g, uint32_t op)
{
    struct gpage *page = gpage_ours(md, g / GPAGE);
    if (page && !page->op)
        page->op = calloc(1, OPS_BYTES);
    if (page && page->op)
        page->op[g % GPAGE] = op + 1;
    return page && page->op;
}

bool model_g_op(const struct model *md, uint32_t g, uint32_t *op)
{
    const struct gpage *page = gpage_at(md, g / GPAGE);
    if (!page || !page->op || !page->op[g % GPAGE])
        return false;
    *op = page->op[g % GPAGE] - 1;
    return true;
}

uint32_t model_next_live(const struct model *md, uint32_t g)
{
    uint32_t at = g + 1, i = at / GPAGE;
    for (const struct gpage *page; (page = gpages_live(md, &i)); i++)
        for (uint32_t k = i == at / GPAGE ? at % GPAGE : 0; k < GPAGE; k++)
            if (page->g[k].id && page->g[k].status != G_DEAD)
                return page->g[k].id;
    return 0;
}

const struct gpage *gpages_live(const struct model *md, uint32_t *i)
{
    if (!md->front)
        return node_next(md->gs->root, md->gs->levels - 1, 0, i, true);
    for (; *i < md->nfront; ++*i) {
        const struct gpage *page = gpage_at(md, *i);
        if (page && page->live)
            return page;
    }
    return NULL;
}

bool gpages_init(struct model *md)
{
    md->front = NULL;
    md->nfront = 0;
    md->gs = calloc(1, sizeof *md->gs);
    return md->gs != NULL;
}

bool gpages_share(struct model *to, const struct model *from)
{
    if (!gpages_init(to) || !put_all(from))
        return false;
    to->gs->levels = from->gs->levels;
    to->gs->root = from->gs->root;
    if (to->gs->root)
        hold(&to->gs->root->refs);
    return true;
}

void gpages_free(struct model *md)
{
    struct gtree *t = md->gs;
    if (!t)
        return;
    for (uint32_t k = 0; k < t->nown; k++)
        page_drop((struct gpage *)(md->front[t->own[k]] & ~GPAGE_OWN));
    node_drop(t->root, t->levels - 1);
    free(t->own);
    free(t);
    free(md->front);
}

static uint64_t page_bytes(const struct gpage *page)
{
    return sizeof *page + (page->op ? OPS_BYTES : 0);
}

/* Returns the bytes below the node, without those below `but`, which has the same position in its tree. */
static uint64_t node_bytes(const struct gnode *node, const struct gnode *but, uint32_t level)
{
    if (!node || node == but)
        return 0;
    uint64_t n = sizeof *node;
    for (uint32_t i = 0; i < FAN; i++)
        if (level)
            n += node_bytes(node->node[i], but ? but->node[i] : NULL, level - 1);
        else if (node->page[i] && node->page[i] != &gpage_forgotten && !(but && but->page[i] == node->page[i]))
            n += page_bytes(node->page[i]);
    return n;
}

uint64_t gpages_bytes(const struct model *md, const struct model *but)
{
    const struct gtree *t = md->gs;
    const struct gnode *node = t->root, *other = but ? but->gs->root : NULL;
    uint32_t level = t->levels, other_levels = but ? but->gs->levels : 0;
    uint64_t n = sizeof *t + t->cap * sizeof *t->own + md->nfront * sizeof *md->front;
    for (uint32_t k = 0; k < t->nown; k++)
        n += md->front[t->own[k]] & GPAGE_OWN ? page_bytes((const struct gpage *)(md->front[t->own[k]] & ~GPAGE_OWN)) : 0;
    for (; level > other_levels && other; level--) { /* the other tree corresponds to the first branch */
        n += sizeof *node;
        for (uint32_t i = 1; i < FAN; i++)
            n += node_bytes(node->node[i], NULL, level - 2);
        node = node->node[0];
    }
    for (; other_levels > level && other; other_levels--)
        other = other->node[0];
    return n + (level ? node_bytes(node, other, level - 1) : 0);
}
