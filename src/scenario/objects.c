/* Objects: declared one by one or as arrays ({name: jobs, count: 3}), and how operations name them: NAME, NAME[EXPR], a variable that holds a
 * channel, and the ends of conns. */
#include "scenario/scenario_internal.h"
#include "scenario/vm/form.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#define OTHER_DESCRIPTORS 64u /* descriptors that the program itself has open, and some spare ones */
#define MAX_OBJECTS 100000u   /* of one kind */

/* Returns the `count` of the i-th name of a kind; NULL: it is a single object. */
static const uint32_t *count_of(const struct yscenario *y, int kind, unsigned i)
{
    switch (kind) {
    case NS_CHANNELS:
        return y->channels[i].count;
    case NS_MUTEXES:
        return y->mutexes[i].count;
    case NS_RWMUTEXES:
        return y->rwmutexes[i].count;
    case NS_WAITGROUPS:
        return y->waitgroups[i].count;
    case NS_CONDS:
        return y->conds[i].count;
    case NS_CONTEXTS:
        return y->contexts[i].count;
    case NS_ONCES:
        return y->onces[i].count;
    default:
        return y->conns[i].count;
    }
}

bool object_is_array(const struct scenario *sc, int kind, unsigned i)
{
    return count_of(sc->y, kind, i);
}

uint32_t object_count(const struct scenario *sc, int kind, unsigned i)
{
    return sc->first[kind][i + 1] - sc->first[kind][i];
}

uint32_t object_total(const struct scenario *sc, int kind)
{
    return sc->first[kind] ? sc->first[kind][sc->names[kind].n] : 0;
}

uint32_t mutex_total(const struct scenario *sc)
{
    return object_total(sc, NS_MUTEXES) + object_total(sc, NS_ONCES) + object_total(sc, NS_CONTEXTS);
}

uint32_t chan_total(const struct scenario *sc)
{
    return object_total(sc, NS_CHANNELS) + object_total(sc, NS_CONTEXTS);
}

/* Counts the objects of one kind. False: out of memory. */
static bool count_objects(struct compiler *c, int kind)
{
    const struct names *ns = &c->ns[kind];
    const struct ynode *list = yaml_get(c->root, ns->list);
    uint32_t *first = c->sc->first[kind] = arena_alloc(c->a, (ns->n + 1) * sizeof *first);
    uint64_t n = 0;
    for (unsigned i = 0; first && i < ns->n; i++) {
        const uint32_t *count = count_of(c->sc->y, kind, i);
        first[i] = (uint32_t)n;
        if (count && *count == 0)
            bad(c, yaml_get(list->item[i], "count"), 0, "count: expected 1 or more, got 0");
        n += count ? *count : 1;
        if (kind != NS_CONNS && count && n > MAX_OBJECTS) {
            bad(c, yaml_get(list->item[i], "count"), 0, "count: at most %u %s can be declared, this would be %llu", MAX_OBJECTS, ns->list,
                (unsigned long long)n);
            n = first[i] + 1;
        }
        if (n > UINT32_MAX)
            n = UINT32_MAX;
        first[i + 1] = (uint32_t)n;
    }
    return first;
}

/* Each conn is two sockets. A lack of descriptors is reported at load time; once a run has started it is too late. */
static void check_conns(struct compiler *c)
{
    struct rlimit r = {.rlim_max = RLIM_INFINITY};
    uint64_t n = object_total(c->sc, NS_CONNS), may;
    getrlimit(RLIMIT_NOFILE, &r);
    may = r.rlim_max > OTHER_DESCRIPTORS ? (r.rlim_max - OTHER_DESCRIPTORS) / 2 : 0;
    if (n > may)
        bad(c, yaml_key(c->root, "conns"), 0,
            "%llu conns need %llu descriptors; this process may have %llu (ulimit -Hn), enough for %llu conns", (unsigned long long)n,
            (unsigned long long)(2 * n), (unsigned long long)r.rlim_max, (unsigned long long)may);
}

bool check_objects(struct compiler *c)
{
    for (int kind = NS_CHANNELS; kind <= NS_CONNS; kind++)
        if (!count_objects(c, kind))
            return false;
    check_conns(c);
    return true;
}

/* Names the objects of one kind from number n on. Those of an array are "c[0]", "c[1]" …; inner: what a message calls a part of each. */
static bool name_some(struct compiler *c, int which, const char *inner, const char **name)
{
    const struct names *ns = &c->ns[which];
    for (unsigned i = 0; i < ns->n; i++)
        for (uint32_t k = 0; k < object_count(c->sc, which, i); k++) {
            char text[OBJECT_NAME], index[16] = "";
            if (object_is_array(c->sc, which, i))
                snprintf(index, sizeof index, "[%u]", k);
            snprintf(text, sizeof text, "%s%s%s", ns->v[i], index, inner);
            *name = *index || *inner ? arena_strndup(c->a, text, strlen(text)) : ns->v[i];
            if (!*name++)
                return false;
        }
    return true;
}

static bool name_kind(struct compiler *c, enum ev_object_kind kind, int which)
{
    const struct scenario *sc = c->sc;
    uint32_t all = object_total(sc, which), n = which == NS_MUTEXES ? mutex_total(sc) : which == NS_CHANNELS ? chan_total(sc) : all;
    const char **name = arena_alloc(c->a, ((size_t)n + 1) * sizeof *name);
    c->sc->info.objects.of[kind].name = name;
    c->sc->info.objects.of[kind].n = n;
    bool ok = name && name_some(c, which, "", name);
    if (ok && which == NS_CHANNELS)
        ok = name_some(c, NS_CONTEXTS, ".done", name + all);
    if (ok && which == NS_MUTEXES)
        ok = name_some(c, NS_ONCES, ".m", name + all) && name_some(c, NS_CONTEXTS, ".mu", name + all + object_total(sc, NS_ONCES));
    return ok;
}

/* A Go program makes its objects. */
static void name_made(struct model_objects *o, const struct form *f)
{
    static const enum ev_object_kind locks[] = {OBJ_MUTEX, OBJ_RWMUTEX, OBJ_WAITGROUP, OBJ_COND};
    o->made = true;
    o->of[OBJ_CHAN].name = f->label[LABEL_CHAN].name;
    o->of[OBJ_CHAN].n = f->label[LABEL_CHAN].n;
    for (size_t i = 0; i < sizeof locks / sizeof *locks; i++) {
        o->of[locks[i]].name = f->label[LABEL_LOCK].name;
        o->of[locks[i]].n = f->label[LABEL_LOCK].n;
    }
}

bool name_objects(struct compiler *c)
{
    c->sc->info.programs.objects = &c->sc->info.objects;
    if (c->sc->form) {
        name_made(&c->sc->info.objects, c->sc->form);
        return true;
    }
    c->sc->info.objects.of[OBJ_CHAN].cap = c->sc->chan_buffer;
    return name_kind(c, OBJ_CHAN, NS_CHANNELS) && name_kind(c, OBJ_MUTEX, NS_MUTEXES) && name_kind(c, OBJ_RWMUTEX, NS_RWMUTEXES) &&
           name_kind(c, OBJ_WAITGROUP, NS_WAITGROUPS) && name_kind(c, OBJ_COND, NS_CONDS) && name_kind(c, OBJ_CONN, NS_CONNS);
}

/* ---- in operations ---- */

bool compile_object(struct compiler *c, int kind, const struct ynode *at, size_t len, struct operand *out)
{
    const char *bracket = memchr(at->text, '[', len), *rest = at->text + len;
    bool indexed = bracket && bracket > at->text && rest[-1] == ']';
    size_t name_len = indexed ? (size_t)(bracket - at->text) : len;
    char *name = arena_strndup(c->a, at->text, name_len);
    int i = name ? names_resolve(c, kind, at, name) : -1;
    if (i < 0)
        return false;
    *out = (struct operand){.first = c->sc->first[kind][i], .n = object_count(c->sc, kind, (unsigned)i)};
    bool array = object_is_array(c->sc, kind, (unsigned)i);
    if (indexed && !array)
        bad(c, at, name_len, "\"%s\" is a single %s; write \"%s%s\"", name, c->ns[kind].what, name, rest);
    else if (!indexed && array)
        bad(c, at, 0, "\"%s\" is an array of %s; write \"%s[EXPR]%s\"", name, c->ns[kind].list, name, rest);
    else if (!indexed)
        return true;
    else if ((out->e = compile_part(c, at, name_len + 1, len - name_len - 2, false))) {
        int64_t k;
        bool outside = kind != NS_CONNS && expr_constant(out->e, &k) && (k < 0 || k >= out->n);
        if (outside) /* Go's compiler refuses such an index of an array */
            bad(c, at, name_len + 1, "index %lld is out of range: the array has %u %s, counted from 0", (long long)k, out->n,
                c->ns[kind].list);
        return !outside;
    }
    return false;
}

bool is_context(const struct compiler *c, const struct operand *channel)
{
    return channel->n && channel->first >= object_total(c->sc, NS_CHANNELS);
}

bool is_own_timer(const struct compiler *c, const struct operand *channel)
{
    return channel->n && channel->first >= c->sc->first_timer_chan && !is_context(c, channel);
}

void note_descent(struct compiler *c, struct descent **list, uint32_t *n, const struct op *op)
{
    struct descent *d = arena_alloc(c->a, sizeof *d);
    if (!d)
        return;
    *d = (struct descent){*list, op->u.context.context, op->u.context.parent};
    *list = d;
    ++*n;
}

/* Widens the range of channels that variables may hold. */
static void note_passed(struct scenario *sc, const struct operand *o)
{
    struct operand *p = &sc->passed;
    uint32_t from = p->n && p->first < o->first ? p->first : o->first;
    uint32_t to = p->n && p->first + p->n > o->first + o->n ? p->first + p->n : o->first + o->n;
    p->first = from;
    p->n = to - from;
}

bool compile_channel(struct compiler *c, const struct ynode *at, bool value, struct operand *out)
{
    char none[] = "0";
    const struct ynode zero = {.kind = Y_SCALAR, .text = none, .len = 1};
    if (value && !strcmp(at->text, "nil"))
        return (*out = (struct operand){.e = compile_expr(c, &zero)}).e;
    if (variable_holds_channel(c, at->text))
        return (*out = (struct operand){.e = compile_variable(c, at)}).e;
    char *name = arena_strndup(c->a, at->text, strcspn(at->text, "["));
    bool context = !value && name && names_find(&c->ns[NS_CHANNELS], name) < 0 && names_find(&c->ns[NS_CONTEXTS], name) >= 0;
    if (!compile_object(c, context ? NS_CONTEXTS : NS_CHANNELS, at, at->len, out))
        return false;
    if (context)
        out->first += object_total(c->sc, NS_CHANNELS);
    if (!value)
        return true;
    unsigned i = 0;
    while (c->sc->first[NS_CHANNELS][i + 1] <= out->first)
        i++;
    if (c->sc->y->channels[i].of || i >= c->sc->first_timer) {
        bad(c, at, 0, "\"%s\" cannot be a value: only a channel of numbers, declared under \"channels\", can", at->text);
        return false;
    }
    note_passed(c->sc, out);
    return true;
}

bool compile_end(struct compiler *c, const struct ynode *at, struct op *out)
{
    const char *dot = strrchr(at->text, '.'), *bracket = strchr(at->text, '[');
    if (!dot || dot == at->text || bracket == at->text || (bracket && (bracket > dot || dot[-1] != ']'))) {
        bad(c, at, 0, "\"%s\" is not an end of a conn; write NAME.a or NAME.b", at->text);
        return false;
    }
    size_t len = (size_t)(dot - at->text);
    out->u.io.side = dot[1] == 'b';
    if ((dot[1] == 'a' || dot[1] == 'b') && !dot[2])
        return compile_object(c, NS_CONNS, at, len, &out->u.io.conn);
    if (compile_object(c, NS_CONNS, at, len, &out->u.io.conn))
        bad(c, at, len + 1, "\"%s\" is not an end of a conn; its ends are a and b", dot + 1);
    return false;
}
