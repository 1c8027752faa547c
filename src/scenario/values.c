/* Expressions and print templates, with the names that a program knows: its variables, the shared integers, and in a
 * print goid, p and m. A name that the program never sets is unknown; one that is not set yet is 0. */
#include "scenario/scenario_internal.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int find_var(const struct compiler *c, const char *name, size_t len)
{
    for (unsigned i = 0; i < c->nvars; i++)
        if (!strncmp(c->var[i], name, len) && c->var[i][len] == '\0')
            return (int)i;
    return -1;
}

static int find_shared(const struct compiler *c, const char *name, size_t len)
{
    const struct names *ns = &c->ns[NS_SHARED];
    for (unsigned i = 0; i < ns->n; i++)
        if (!strncmp(ns->v[i], name, len) && ns->v[i][len] == '\0')
            return (int)i;
    return -1;
}

/* ---- which variables a program has ---- */

/* A name that cannot be one is added, too, so that it is reported once. */
static bool add_var(struct compiler *c, const struct ynode *at, const char *name)
{
    if (find_var(c, name, strlen(name)) >= 0)
        return true;
    if (!variable_valid(name))
        bad(c, at, 0, "\"%s\" cannot be a variable; its name is letters, digits and _, not beginning with a digit", name);
    else if (vary_has(c->sc, name))
        bad(c, at, 0, "\"%s\" is drawn by \"vary\"; give the variable another name", name);
    if (c->nvars == MAX_VARIABLES) {
        bad(c, at, 0, "more than %u variables in one program", MAX_VARIABLES);
        return false;
    }
    c->holds_channel[c->nvars] = false;
    c->var[c->nvars++] = name;
    return true;
}

static bool collect_set(struct compiler *c, const struct ynode *node, const char *key, const char *name)
{
    if (!name || find_shared(c, name, strlen(name)) >= 0)
        return true;
    return add_var(c, yaml_get(node, key), name);
}

static bool collect_ops(struct compiler *c, const struct yop *y, unsigned n, const struct ynode *list);

static bool collect_op(struct compiler *c, const struct yop *y, const struct ynode *node)
{
    c->vars_suspect |= tree_lost_variables(node);
    struct yops in;
    bool ok = collect_set(c, node, "as", yop_as(y)) && collect_set(c, node, "set", y->set) && collect_set(c, node, "ok", y->ok) &&
              collect_set(c, node, "now", y->now) && collect_set(c, node, "rand", y->rand);
    for (unsigned k = 0; ok && yop_inside(y, node, k, &in); k++)
        ok = collect_ops(c, in.v, in.n, in.list);
    return ok;
}

static bool collect_ops(struct compiler *c, const struct yop *y, unsigned n, const struct ynode *list)
{
    c->vars_suspect |= list && tree_lost_variables(list);
    for (unsigned i = 0; i < n; i++)
        if (!collect_op(c, &y[i], list->item[i]))
            return false;
    return true;
}

/* Returns the declared channel that NAME or NAME[EXPR] begins with. */
static int find_channel(const struct compiler *c, const char *text)
{
    char name[80];
    size_t len = strcspn(text, "[");
    if (len >= sizeof name)
        return -1;
    memcpy(name, text, len);
    name[len] = '\0';
    return names_find(&c->ns[NS_CHANNELS], name);
}

/* Is this what a variable that holds a channel can be set to? A variable hides a channel of its name. */
static bool names_channel(const struct compiler *c, const char *text)
{
    int i = find_var(c, text, strlen(text));
    if (i >= 0)
        return c->holds_channel[i];
    return !strcmp(text, "nil") || (find_shared(c, text, strcspn(text, "[")) < 0 && find_channel(c, text) >= 0);
}

static bool carries_channels(const struct compiler *c, const char *text)
{
    int i = find_channel(c, text);
    return i >= 0 && find_var(c, text, strlen(text)) < 0 && c->sc->y->channels[i].of;
}

/* Finds variables that hold channels: what a channel of channels gives, and what is set to one. Returns true if there is a new one: another
 * variable may be set to it. */
static bool find_channels(struct compiler *c, const struct yop *y, unsigned n)
{
    bool more = false;
    struct yops in;
    for (unsigned i = 0; i < n; i++) {
        const char *from = y[i].recv ? y[i].recv : y[i].range;
        const char *name = y[i].set && y[i].to && names_channel(c, y[i].to) ? y[i].set : from && carries_channels(c, from) ? y[i].as : NULL;
        int v = name ? find_var(c, name, strlen(name)) : -1;
        if (v > 0 && !c->holds_channel[v])
            more = c->holds_channel[v] = true;
        for (unsigned k = 0; yop_inside(&y[i], NULL, k, &in); k++)
            more |= find_channels(c, in.v, in.n);
    }
    return more;
}

bool variables_collect(struct compiler *c, const struct ygoroutine *y, const struct ynode *node)
{
    const struct ynode *params = yaml_get(node, "params");
    c->nvars = 0;
    c->vars_suspect = tree_lost_variables(node) || (params && tree_damaged(params));
    c->var[c->nvars++] = "i";
    for (unsigned i = 0; i < y->params_count; i++) {
        unsigned before = c->nvars;
        const struct ynode *at = yaml_get(params->item[i], "name");
        if (!add_var(c, at, y->params[i].name))
            return false;
        if (c->nvars == before)
            bad(c, at, 0, "\"%s\" is already a variable of this program; give the parameter another name", y->params[i].name);
        else
            c->holds_channel[before] = y->params[i].type;
    }
    if (!collect_ops(c, y->do_, y->do__count, yaml_get(node, "do")))
        return false;
    while (find_channels(c, y->do_, y->do__count))
        ;
    return true;
}

/* ---- expressions ---- */

struct scope {
    struct compiler *c;
    bool print, channel; /* channel: it is a variable that holds one */
};

/* May the variable stand here? */
static bool may_stand(const struct scope *s, int i)
{
    return s->channel || !s->c->holds_channel[i];
}

static int resolve(void *ctx, const char *name, size_t len)
{
    static const struct {
        const char *name;
        int slot;
    } special[] = {{"goid", SLOT_GOID}, {"p", SLOT_P}, {"m", SLOT_M}};
    const struct scope *s = ctx;
    int i = find_var(s->c, name, len);
    if (i >= 0)
        return may_stand(s, i) ? i : -1;
    if ((i = find_shared(s->c, name, len)) >= 0)
        return SLOT_SHARED + i;
    for (size_t k = 0; s->print && k < sizeof special / sizeof *special; k++)
        if (len == strlen(special[k].name) && !memcmp(special[k].name, name, len))
            return special[k].slot;
    return -1;
}

int variable_slot(struct compiler *c, const struct ynode *at, const char *name)
{
    struct scope s = {c, false, true};
    int slot = resolve(&s, name, strlen(name));
    if (slot < 0 && !c->vars_suspect) /* collect_ops() adds every variable, unless it finds a mistake */
        bad(c, at, 0, "unknown variable \"%s\"", name);
    return slot;
}

bool variable_known(struct compiler *c, const char *name)
{
    struct scope s = {c, false, true};
    return resolve(&s, name, strlen(name)) >= 0;
}

bool variable_holds_channel(const struct compiler *c, const char *name)
{
    int i = find_var(c, name, strlen(name));
    return i >= 0 && c->holds_channel[i];
}

bool variable_takes(struct compiler *c, const struct ynode *at, int slot, bool channel)
{
    bool holds = slot < SLOT_SHARED && c->holds_channel[slot];
    if (holds == channel)
        return true;
    bad(c, at, 0, holds ? "\"%s\" holds a channel, and gets a number here" : "\"%s\" holds numbers, and gets a channel here", at->text);
    return false;
}

struct expr *compile_variable(struct compiler *c, const struct ynode *at)
{
    struct scope scope = {c, false, true};
    const char *err, *name;
    size_t pos, name_len;
    return expr_compile(c->a, at->text, at->len, resolve, &scope, &err, &pos, &name, &name_len);
}

static void unknown_variable(const struct scope *s, const struct ynode *at, size_t off, const char *word)
{
    struct compiler *c = s->c;
    const char *known[MAX_VARIABLES + 64 + 3], *near;
    size_t n = 0;
    if (c->vars_suspect || c->ns[NS_SHARED].suspect)
        return;
    if (variable_holds_channel(c, word)) {
        bad(c, at, off, "\"%s\" holds a channel, which is no number", word);
        return;
    }
    for (unsigned i = 0; i < c->nvars; i++)
        known[n++] = c->var[i];
    for (unsigned i = 0; i < c->ns[NS_SHARED].n && i < 64; i++)
        known[n++] = c->ns[NS_SHARED].v[i];
    if (s->print) {
        known[n++] = "goid";
        known[n++] = "p";
        known[n++] = "m";
    }
    near = diag_nearest(word, known, n);
    if (near)
        bad(c, at, off, "unknown variable \"%s\"; did you mean \"%s\"?", word, near);
    else
        bad(c, at, off, "unknown variable \"%s\"; nothing in this program sets it", word);
    offer(c, at, off, word, known, n);
}

struct expr *compile_part(struct compiler *c, const struct ynode *at, size_t off, size_t len, bool print)
{
    struct scope scope = {c, print, false};
    const char *err = NULL, *name = NULL;
    size_t pos = 0, name_len = 0;
    struct expr *e = expr_compile(c->a, at->text + off, len, resolve, &scope, &err, &pos, &name, &name_len);
    if (e && expr_divides_by_zero(e, &pos)) {
        bad(c, at, off + pos, "division by zero");
        return NULL;
    }
    if (e)
        return e;
    char word[80];
    snprintf(word, sizeof word, "%.*s", (int)name_len, name ? name : "");
    if (name)
        unknown_variable(&scope, at, off + pos, word);
    else
        bad(c, at, off + pos, "%s", err ? err : "not an expression");
    return NULL;
}

struct expr *compile_expr(struct compiler *c, const struct ynode *at)
{
    return compile_part(c, at, 0, at->len, false);
}

/* ---- templates: {EXPR}, {{ and }} for braces ---- */

struct pieces {
    VEC(struct piece) v;
    size_t fixed;
};

static bool push_piece(struct compiler *c, struct pieces *ps, struct piece p)
{
    if (vec_push(&ps->v, p))
        return true;
    diag_lack(c->d, ENOMEM);
    return false;
}

static bool add_text(struct compiler *c, struct pieces *ps, const char *s, size_t len)
{
    char *copy = len ? arena_strndup(c->a, s, len) : NULL;
    if (!len)
        return true;
    ps->fixed += len;
    return copy && push_piece(c, ps, (struct piece){.text = copy, .len = (uint32_t)len});
}

/* Adds one piece, from text[i] on. Returns the index after it, 0 on a mistake. */
static size_t add_piece(struct compiler *c, struct pieces *ps, const struct ynode *at, size_t i)
{
    const char *s = at->text, *end;
    struct piece value = {0};
    if ((s[i] == '{' || s[i] == '}') && s[i + 1] == s[i])
        return add_text(c, ps, s + i, 1) ? i + 2 : 0;
    if (s[i] != '{') {
        size_t n = 1 + strcspn(s + i + 1, "{}");
        return add_text(c, ps, s + i, n) ? i + n : 0;
    }
    if (!(end = strchr(s + i, '}'))) {
        bad(c, at, i, "\"{\" without \"}\"; write \"{{\" for a brace that is printed");
        return 0;
    }
    value.e = compile_part(c, at, i + 1, (size_t)(end - s) - i - 1, true);
    return value.e && push_piece(c, ps, value) ? (size_t)(end - s) + 1 : 0;
}

bool compile_template(struct compiler *c, const struct ynode *at, struct op *out)
{
    struct pieces ps = {0};
    size_t i = 0;
    bool ok = true;
    while (ok && i < at->len)
        ok = (i = add_piece(c, &ps, at, i)) != 0;
    if (ok && ps.fixed > EV_TEXT_MAX) {
        bad(c, at, 0, "print: expected at most %d bytes, got %zu", EV_TEXT_MAX, ps.fixed);
        ok = false;
    }
    if (ok && (out->u.print.piece = arena_alloc(c->a, ps.v.n * sizeof *ps.v.v + 1))) {
        if (ps.v.n)
            memcpy(out->u.print.piece, ps.v.v, ps.v.n * sizeof *ps.v.v);
        out->u.print.n = (uint32_t)ps.v.n;
    }
    vec_free(&ps.v);
    return ok;
}
