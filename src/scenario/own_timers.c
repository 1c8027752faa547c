/* Timers with names: {timer: 1ms, as: t} and {ticker: 1ms, as: t}, which have channels of their own, and {after: 1ms, go: f, as: t}.
 *
 * The name is that of a channel, which nothing else declares. So before the tree is checked, the operation becomes {timer: t, after: 1ms},
 * and a channel t is declared after those of the file. That of a timer which starts a program is never used. */
#include "scenario/scenario_internal.h"
#include <string.h>

struct own_timers {
    struct compiler *c;
    struct ynode *root;
};

/* Returns the item of `channels` from number `from` on that declares the name; NULL: none. */
static const struct ynode *declared(const struct own_timers *o, const char *name)
{
    const struct ynode *list = yaml_get(o->root, "channels");
    for (size_t i = o->c->sc->first_timer; list && i < list->n; i++)
        if (!strcmp(yaml_get(list->item[i], "name")->text, name))
            return list->item[i];
    return NULL;
}

static void declare_own(struct own_timers *o, struct ynode *name)
{
    struct arena *a = o->c->a;
    struct ynode *item = yaml_new_map(a, name), *key = yaml_new_scalar(a, "name", name), *list = yaml_get(o->root, "channels");
    if (!item || !key || !yaml_map_add(a, item, key, name))
        return;
    struct ynode **items = arena_alloc(a, ((list ? list->n : 0) + 1) * sizeof *items);
    struct ynode *longer = arena_alloc(a, sizeof *longer);
    if (!items || !longer)
        return;
    *longer = list ? *list : (struct ynode){.kind = Y_LIST, .line = name->line, .col = name->col, .weight = 1};
    if (list)
        memcpy(items, list->item, list->n * sizeof *items);
    items[longer->n++] = item;
    longer->item = items;
    longer->weight += item->weight;
    if (!list && (key = yaml_new_scalar(a, "channels", name))) {
        yaml_map_add(a, o->root, key, longer);
        return;
    }
    for (size_t i = 0; i < o->root->n; i++)
        if (o->root->item[2 * i + 1] == list)
            o->root->item[2 * i + 1] = longer;
}

/* Is it an `after`, with or without the program that it needs? */
static bool is_after(const struct ynode *n)
{
    return yaml_get(n, "after") && !yaml_get(n, "timer") && !yaml_get(n, "ticker") && !yaml_get(n, "reset");
}

static void visit_operation(struct own_timers *o, struct ynode *n)
{
    size_t as = n->n, verb = n->n;
    bool ticker = false, timed = yaml_get(n, "after") || yaml_get(n, "every");
    for (size_t i = 0; i < n->n; i++) {
        const struct ynode *key = n->item[2 * i];
        if (key->kind != Y_SCALAR || n->item[2 * i + 1]->kind != Y_SCALAR)
            continue;
        as = !strcmp(key->text, "as") ? i : as;
        ticker |= !strcmp(key->text, "ticker");
        verb = !strcmp(key->text, "timer") || !strcmp(key->text, "ticker") ? i : verb;
    }
    if (as < n->n && is_after(n) && !declared(o, n->item[2 * as + 1]->text))
        declare_own(o, n->item[2 * as + 1]);
    if (as == n->n || verb == n->n || timed)
        return;
    struct ynode *name = n->item[2 * as + 1], *key = yaml_new_scalar(o->c->a, ticker ? "every" : "after", n->item[2 * as]);
    if (!key)
        return;
    n->item[2 * as] = key;
    n->item[2 * as + 1] = n->item[2 * verb + 1];
    n->item[2 * verb + 1] = name;
    if (!declared(o, name->text))
        declare_own(o, name);
}

/* Notes what makes the timer, which is always the same. */
static void note_kind(struct own_timers *o, struct ynode *n)
{
    static const char *const what[] = {"", "a timer", "a ticker", "a timer that starts a program"};
    const struct ynode *ticker = yaml_get(n, "ticker"), *go = is_after(n) ? yaml_get(n, "go") : NULL;
    const struct ynode *name = is_after(n) ? yaml_get(n, "as") : ticker ? ticker : yaml_get(n, "timer");
    struct scenario *sc = o->c->sc;
    int i = name && name->kind == Y_SCALAR ? names_find(&o->c->ns[NS_CHANNELS], name->text) : -1;
    int prog = go && go->kind == Y_SCALAR ? names_find(&o->c->ns[NS_PROGRAMS], go->text) : -1;
    if (i < 0 || (uint32_t)i < sc->first_timer)
        return;
    uint8_t kind = is_after(n) ? OWN_FUNC : ticker ? OWN_TICKER : OWN_TIMER, was = sc->own[i];
    if (was && was != kind)
        bad(o->c, name, 0, "\"%s\" is made as %s and as %s; give one of them another name", name->text, what[was < kind ? was : kind],
            what[was < kind ? kind : was]);
    else if (was && prog >= 0 && sc->own_prog[i] != (uint32_t)prog)
        bad(o->c, name, 0, "\"%s\" starts \"%s\" elsewhere; give this timer another name", name->text,
            o->c->ns[NS_PROGRAMS].v[sc->own_prog[i]]);
    sc->own[i] = kind;
    sc->own_prog[i] = prog < 0 ? 0 : (uint32_t)prog;
}

static void visit(struct own_timers *o, struct ynode *n, void (*see)(struct own_timers *o, struct ynode *n))
{
    if (n->kind == Y_MAP)
        see(o, n);
    if (n->kind != Y_SCALAR)
        for (size_t i = 0; i < (n->kind == Y_MAP ? 2 * n->n : n->n); i++)
            visit(o, n->item[i], see);
}

void own_timers_declare(struct compiler *c, struct ynode *root)
{
    struct ynode *programs = yaml_get(root, "goroutines");
    const struct ynode *channels = yaml_get(root, "channels");
    c->sc->first_timer = UINT32_MAX;
    if (channels && channels->kind != Y_LIST)
        return;
    c->sc->first_timer = channels ? (uint32_t)channels->n : 0;
    struct own_timers o = {.c = c, .root = root};
    if (programs)
        visit(&o, programs, visit_operation);
}

void own_timers_kinds(struct compiler *c)
{
    struct ynode *programs = yaml_get(c->root, "goroutines");
    if (programs && c->sc->y->channels_count > c->sc->first_timer)
        visit(&(struct own_timers){.c = c}, programs, note_kind);
}
