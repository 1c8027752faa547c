/* Programs: from the loaded operations to a tree of struct op that the interpreter runs. Every mistake in an
 * operation that can be known before a run is reported here: its verb, its modifiers, names, durations, expressions. */
#include "scenario/scenario_internal.h"
#include <errno.h>
#include <string.h>

struct op_site {
    const struct yop *y;
    const struct ynode *node; /* the operation's map */
    const struct verb *verb;
    const struct ynode *value; /* the verb's */
    int names;                 /* NS_…: what the value names */
};

static bool compile_block(struct compiler *c, const struct yop *y, unsigned n, const struct ynode *list, struct block *out);

static const struct ynode *modifier_node(const struct op_site *s, const char *key)
{
    return yaml_get(s->node, key);
}

/* Compiles an expression that may be missing; *out stays NULL then. */
static bool optional_expr(struct compiler *c, const struct op_site *s, const char *key, struct expr **out)
{
    const struct ynode *at = modifier_node(s, key);
    return !at || (*out = compile_expr(c, at));
}

/* Rejects a negative constant as a number of times or bytes. e is NULL if there is no expression or it has a
 * mistake. */
static bool not_negative(struct compiler *c, const struct ynode *at, const char *key, const struct expr *e)
{
    int64_t n;
    if (!e || !expr_constant(e, &n) || n >= 0)
        return true;
    bad(c, at, 0, "%s: expected 0 or more, got %lld", key, (long long)n);
    return false;
}

/* Compiles a variable that is to get a number, if there is one. */
static bool optional_number(struct compiler *c, const struct ynode *at, int *out)
{
    *out = at ? variable_slot(c, at, at->text) : -1;
    return !at || (*out >= 0 && variable_takes(c, at, *out, false));
}

static bool optional_var(struct compiler *c, const struct op_site *s, int *out)
{
    return optional_number(c, modifier_node(s, "as"), out);
}

/* Compiles a number, or a channel. */
static bool compile_value(struct compiler *c, const struct ynode *at, bool channel, struct operand *out)
{
    return channel ? compile_channel(c, at, true, out) : (out->e = compile_expr(c, at)) != NULL;
}

static bool compile_named(struct compiler *c, const struct op_site *s, struct op *out)
{
    struct operand *o = &out->u.obj.obj;
    out->u.obj.var = out->u.obj.ok = -1;
    if (s->names != NS_CHANNELS)
        return compile_object(c, s->names, s->value, s->value->len, o);
    if (!compile_channel(c, s->value, false, o))
        return false;
    if (is_context(c, o) && (strcmp(s->verb->key, "recv") != 0 || s->y->as || s->y->ok)) {
        bad(c, s->value, 0, "\"%s\" is a context: write {recv: %s} without modifiers, {cancel: %s} or {err: %s, as: VAR}", s->value->text,
            s->value->text, s->value->text, s->value->text);
        return false;
    }
    if (is_own_timer(c, o) && c->sc->own[names_find(&c->ns[NS_CHANNELS], s->value->text)] == OWN_FUNC)
        bad(c, s->value, 0, "\"%s\" starts a program and has no channel", s->value->text);
    else if (is_own_timer(c, o) && (!strcmp(s->verb->key, "send") || !strcmp(s->verb->key, "close")))
        bad(c, s->value, 0, "\"%s\" is the channel of a timer: a program can only receive from it", s->value->text);
    return true;
}

static bool is_true(const bool *flag)
{
    return flag && *flag;
}

static bool compile_timed(struct compiler *c, const struct op_site *s, struct op *out)
{
    out->u.time.flag = is_true(s->y->tight) || is_true(s->y->blocking) || is_true(s->y->assist);
    return compile_duration(c, s->value, s->value->text, &out->u.time.ns);
}

/* runtime.GOMAXPROCS takes anything below 1 as a query. A value that is too large is capped in the run; a constant
 * one is reported here. */
static bool compile_gomaxprocs(struct compiler *c, const struct op_site *s, struct op *out)
{
    int64_t n;
    if (!(out->u.loop.n = compile_expr(c, s->value)))
        return false;
    bool known = expr_constant(out->u.loop.n, &n);
    if (known && n > 1024) {
        bad(c, s->value, 0, "gomaxprocs: expected at most 1024, got %lld", (long long)n);
        return false;
    }
    uint32_t *most = &c->sc->info.op_procs, procs = !known ? UINT32_MAX : n > 0 ? (uint32_t)n : 0;
    *most = procs > *most ? procs : *most;
    return true;
}

static bool check_args(struct compiler *c, const struct op_site *s, const struct op *op)
{
    const struct ygoroutine *to = &c->sc->y->goroutines[op->u.go.prog];
    const struct ynode *node = yaml_get(c->root, "goroutines")->item[op->u.go.prog], *params = yaml_get(node, "params");
    const struct ynode *at = modifier_node(s, "args") ? modifier_node(s, "args") : s->value;
    if (op->u.go.nargs == to->params_count || tree_damaged(node) || (params && tree_damaged(params)))
        return true;
    bad(c, at, 0, "\"%s\" has %u parameter%s but gets %u; args must be as many as params", to->name, to->params_count,
        to->params_count == 1 ? "" : "s", op->u.go.nargs);
    return false;
}

static bool compile_args(struct compiler *c, const struct op_site *s, struct op *out)
{
    const struct ynode *list = modifier_node(s, "args");
    const struct ygoroutine *to = &c->sc->y->goroutines[out->u.go.prog];
    unsigned n = s->y->args_count;
    if (n && !(out->u.go.arg = arena_alloc(c->a, n * sizeof *out->u.go.arg)))
        return false;
    for (unsigned i = 0; i < n; i++)
        if (!compile_value(c, list->item[i], i < to->params_count && to->params[i].type, &out->u.go.arg[i]))
            return false;
    out->u.go.nargs = n;
    return check_args(c, s, out);
}

static bool compile_go(struct compiler *c, const struct op_site *s, struct op *out)
{
    int i = names_resolve(c, s->names, s->value, s->y->go);
    bool ok = i >= 0;
    out->u.go.prog = (uint32_t)i;
    ok &= optional_expr(c, s, "count", &out->u.go.count);
    ok &= not_negative(c, modifier_node(s, "count"), "count", out->u.go.count);
    return ok && compile_args(c, s, out);
}

static bool compile_after(struct compiler *c, const struct op_site *s, struct op *out)
{
    struct op go = {0};
    bool ok = compile_duration(c, s->value, s->value->text, &out->u.timer.ns);
    int i = s->y->go ? names_resolve(c, NS_PROGRAMS, modifier_node(s, "go"), s->y->go) : -1;
    if (!s->y->go && !tree_damaged(s->node))
        bad(c, s->value, 0, "\"after\" needs a program to start; add \"go: NAME\"");
    out->u.timer.prog = go.u.go.prog = (uint32_t)i;
    out->u.timer.own = s->y->as;
    if (s->y->as)
        ok &= compile_object(c, NS_CHANNELS, modifier_node(s, "as"), strlen(s->y->as), &out->u.timer.chan);
    return i >= 0 && check_args(c, s, &go) && ok;
}

/* Compiles a channel and the modifier that says when. */
static bool compile_timer_on(struct compiler *c, const struct op_site *s, struct op *out, const char *key, const char *duration)
{
    struct operand *o = &out->u.timer.chan;
    int64_t ns;
    bool lone = names_find(&c->ns[s->names], s->value->text) < 0 && duration_parse(s->value->text, s->value->len, &ns);
    bool found = !lone && compile_object(c, s->names, s->value, s->value->len, o);
    if (lone && !s->y->as && !tree_damaged(s->node))
        bad(c, s->value, 0, "this makes a %s with a channel of its own, which needs a name; add \"as: NAME\"", s->verb->key);
    else if (s->y->as)
        bad(c, modifier_node(s, "as"), 0, "\"as\" names a timer with a channel of its own; write {%s: DUR, as: NAME} without \"%s\"",
            s->verb->key, key);
    out->u.timer.own = found && is_own_timer(c, o);
    if (!duration && !lone && !tree_damaged(s->node))
        bad(c, s->value, 0, "\"%s\" needs a duration; add \"%s: DUR\"", s->verb->key, key);
    if (!duration || !compile_duration(c, modifier_node(s, key), duration, &out->u.timer.ns) || !found)
        return false;
    for (uint32_t k = 0; k < o->n; k++) /* time.After and NewTicker make channels that hold one value, so a timer need not wait */
        if (!c->sc->chan_buffer[o->first + k])
            c->sc->chan_buffer[o->first + k] = 1;
    return true;
}

static bool compile_timer(struct compiler *c, const struct op_site *s, struct op *out)
{
    return compile_timer_on(c, s, out, "after", s->y->after);
}

static bool compile_ticker(struct compiler *c, const struct op_site *s, struct op *out)
{
    if (!compile_timer_on(c, s, out, "every", s->y->every))
        return false;
    if (out->u.timer.ns <= 0)
        bad(c, modifier_node(s, "every"), 0, "every: expected a duration longer than 0");
    return out->u.timer.ns > 0;
}

/* Compiles the name of a timer that {timer: DUR, as: NAME} makes, and the variable for what Stop or Reset returns. Go's tickers return
 * nothing. */
static bool compile_stop(struct compiler *c, const struct op_site *s, struct op *out)
{
    int i = names_resolve(c, s->names, s->value, s->value->text);
    bool ok = optional_var(c, s, &out->u.timer.var);
    if (i < 0)
        return false;
    out->u.timer.chan = (struct operand){.first = c->sc->first[NS_CHANNELS][i], .n = 1};
    if (c->sc->own[i] == OWN_NONE)
        bad(c, s->value, 0, "\"%s\" cannot be stopped; make a timer that can by {timer: DUR, as: NAME}", s->value->text);
    out->u.timer.prog = c->sc->own_prog[i];
    out->u.timer.own = c->sc->own[i] == OWN_FUNC;
    if (c->sc->own[i] == OWN_TICKER && s->y->as)
        bad(c, modifier_node(s, "as"), 0, "Stop and Reset of a ticker return nothing; leave out \"as\"");
    return ok && c->sc->own[i] != OWN_NONE;
}

static bool compile_reset(struct compiler *c, const struct op_site *s, struct op *out)
{
    if (!compile_stop(c, s, out))
        return false;
    bool ticker = c->sc->own[names_find(&c->ns[NS_CHANNELS], s->value->text)] == OWN_TICKER;
    const char *key = ticker ? "every" : "after", *other = ticker ? "after" : "every";
    const char *duration = ticker ? s->y->every : s->y->after;
    if (modifier_node(s, other))
        bad(c, modifier_node(s, other), 0, "\"%s\" is a %s; write \"%s: DUR\"", s->value->text, ticker ? "ticker" : "timer", key);
    else if (!duration && !tree_damaged(s->node))
        bad(c, s->value, 0, "\"reset\" needs a duration; add \"%s: DUR\"", key);
    if (!duration || !compile_duration(c, modifier_node(s, key), duration, &out->u.timer.ns))
        return false;
    if (ticker && out->u.timer.ns <= 0)
        bad(c, modifier_node(s, key), 0, "every: expected a duration longer than 0");
    return true;
}

static bool compile_print(struct compiler *c, const struct op_site *s, struct op *out)
{
    if (c->d->offers && !s->value->quoted && variable_known(c, s->value->text)) /* lint alone: it runs, and prints the word */
        bad(c, s->value, 0, "this prints the word \"%s\"; write \"{%s}\" for the variable's value, or quotes for the word", s->value->text,
            s->value->text);
    return compile_template(c, s->value, out);
}

static bool compile_yield(struct compiler *c, const struct op_site *s, struct op *out)
{
    return (out->u.loop.n = compile_expr(c, s->value)) && not_negative(c, s->value, "yield", out->u.loop.n);
}

/* Compiles a number of times; a word close to "forever" is reported as a misspelling. */
static struct expr *compile_times(struct compiler *c, const struct ynode *at)
{
    const char *forever = "forever";
    if (!variable_valid(at->text) || variable_known(c, at->text) || !diag_nearest(at->text, &forever, 1))
        return compile_expr(c, at);
    bad(c, at, 0, "unknown variable \"%s\"; did you mean \"forever\"?", at->text);
    return NULL;
}

static bool compile_body(struct compiler *c, const struct op_site *s, struct block *out)
{
    c->loops++;
    bool ok = compile_block(c, s->y->do_, s->y->do__count, modifier_node(s, "do"), out);
    c->loops--;
    return ok;
}

static bool compile_loop(struct compiler *c, const struct op_site *s, struct op *out)
{
    bool ok = !strcmp(s->y->loop, "forever") || (out->u.loop.n = compile_times(c, s->value));
    ok &= not_negative(c, s->value, "loop", out->u.loop.n);
    ok &= optional_var(c, s, &out->u.loop.var);
    return compile_body(c, s, &out->u.loop.body) && ok;
}

static bool compile_if(struct compiler *c, const struct op_site *s, struct op *out)
{
    bool ok = (out->u.branch.cond = compile_expr(c, s->value)) != NULL;
    ok &= compile_block(c, s->y->then, s->y->then_count, modifier_node(s, "then"), &out->u.branch.then);
    return compile_block(c, s->y->else_, s->y->else__count, modifier_node(s, "else"), &out->u.branch.otherwise) && ok;
}

static bool compile_set(struct compiler *c, const struct op_site *s, struct op *out)
{
    const struct ynode *to = modifier_node(s, "to");
    bool channel = variable_holds_channel(c, s->y->set);
    out->u.set.var = variable_slot(c, s->value, s->y->set);
    if (!s->y->to && !tree_damaged(s->node))
        bad(c, s->value, 0, "\"set\" needs a value; add \"to: EXPR\"");
    return to && s->y->to && out->u.set.var >= 0 && compile_value(c, to, channel, &out->u.set.to);
}

/* Returns true if the values of this channel are channels. */
static bool carries_channels(const struct compiler *c, const struct operand *channel)
{
    const uint32_t *first = c->sc->first[NS_CHANNELS];
    for (unsigned i = 0; channel->n && i < c->sc->y->channels_count; i++)
        if (first[i] == channel->first)
            return c->sc->y->channels[i].of;
    return false;
}

static bool received_var(struct compiler *c, const struct op_site *s, struct op *out)
{
    const struct ynode *at = modifier_node(s, "as");
    out->u.obj.var = at ? variable_slot(c, at, s->y->as) : -1;
    return !at || (out->u.obj.var >= 0 && variable_takes(c, at, out->u.obj.var, carries_channels(c, &out->u.obj.obj)));
}

static bool compile_send(struct compiler *c, const struct op_site *s, struct op *out)
{
    const struct ynode *value = modifier_node(s, "value");
    bool ok = compile_named(c, s, out);
    return ok && (!value || compile_value(c, value, carries_channels(c, &out->u.obj.obj), &out->u.obj.value));
}

static bool compile_recv(struct compiler *c, const struct op_site *s, struct op *out)
{
    return compile_named(c, s, out) && received_var(c, s, out) && optional_number(c, modifier_node(s, "ok"), &out->u.obj.ok);
}

static bool compile_range(struct compiler *c, const struct op_site *s, struct op *out)
{
    bool ok = compile_named(c, s, out) && received_var(c, s, out);
    return compile_body(c, s, &out->u.obj.body) && ok;
}

/* Compiles one case: a send or a recv, which may have a `do` here. Defined below, where verbs are known. */
static bool is_time(const char *verb)
{
    static const char *const verbs[] = {"after", "timer", "ticker", "sleep"};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (!strcmp(verb, verbs[i]))
            return true;
    return false;
}

static bool compile_case(struct compiler *c, const struct yop *y, const struct ynode *node, struct selcase *out);

static bool compile_cases(struct compiler *c, const struct op_site *s, struct op *out)
{
    unsigned n = s->y->select_count;
    bool ok = true;
    if (n && !(out->u.select.v = arena_alloc(c->a, n * sizeof *out->u.select.v)))
        return false;
    out->u.select.n = n;
    if (n > c->prog->ncases)
        c->prog->ncases = n;
    for (unsigned i = 0; i < n; i++)
        ok &= compile_case(c, &s->y->select[i], s->value->item[i], &out->u.select.v[i]);
    return ok;
}

static bool compile_select(struct compiler *c, const struct op_site *s, struct op *out)
{
    const struct ynode *list = modifier_node(s, "default");
    bool ok = compile_cases(c, s, out);
    if (!list) /* an empty list is a default, too */
        return ok;
    out->u.select.otherwise = arena_alloc(c->a, sizeof *out->u.select.otherwise);
    return out->u.select.otherwise && compile_block(c, s->y->default_, s->y->default__count, list, out->u.select.otherwise) && ok;
}

static bool compile_add(struct compiler *c, const struct op_site *s, struct op *out)
{
    bool ok = compile_named(c, s, out);
    return optional_expr(c, s, "n", &out->u.obj.value.e) && ok;
}

static bool compile_io(struct compiler *c, const struct op_site *s, struct op *out)
{
    bool ok = compile_end(c, s->value, out);
    ok &= optional_expr(c, s, "bytes", &out->u.io.bytes);
    return not_negative(c, modifier_node(s, "bytes"), "bytes", out->u.io.bytes) && ok;
}

/* Compiles an operation without an argument: "true" is the only value that makes sense. */
static bool compile_plain(struct compiler *c, const struct op_site *s, struct op *out)
{
    const struct yop *y = s->y;
    bool yes = is_true(y->trace_reader) || is_true(y->exit) || is_true(y->lock_os_thread) || is_true(y->unlock_os_thread) ||
               is_true(y->break_) || is_true(y->continue_) || is_true(y->return_) || is_true(y->recover);
    (void)out;
    if (!yes)
        bad(c, s->value, 0, "\"%s: false\" does nothing; write \"%s: true\" or leave it out", s->verb->key, s->verb->key);
    return yes;
}

static bool compile_leave_loop(struct compiler *c, const struct op_site *s, struct op *out)
{
    if (!c->loops)
        bad(c, s->value, 0, "\"%s\" outside of a \"loop\" or \"range\"; write \"return: true\" to end the program", s->verb->key);
    return c->loops && compile_plain(c, s, out);
}

static bool compile_return(struct compiler *c, const struct op_site *s, struct op *out)
{
    const struct ynode *value = modifier_node(s, "value");
    if (value && (c->inside || c->prog == &c->sc->prog[c->sc->main]))
        bad(c, value, 0,
            c->inside == IN_DEFER  ? "what is deferred returns no value"
            : c->inside == IN_ONCE ? "what a once does returns no value"
                                   : "\"main\" returns no value");
    return compile_plain(c, s, out) && optional_expr(c, s, "value", &out->u.loop.n);
}

static bool compile_call(struct compiler *c, const struct op_site *s, struct op *out)
{
    int i = names_resolve(c, s->names, s->value, s->value->text);
    bool ok = optional_var(c, s, &out->u.go.var);
    if (i < 0)
        return false;
    out->u.go.prog = (uint32_t)i;
    out->u.go.callee = &c->sc->prog[i];
    c->sc->prog[i].called = true;
    if (s->y->as && !c->sc->prog[i].returns)
        bad(c, modifier_node(s, "as"), 0, "\"%s\" returns no value; write {return: true, value: EXPR} there", s->value->text);
    return compile_args(c, s, out) && ok;
}

/* Compiles a list that runs as a function of its own. */
static bool compile_function(struct compiler *c, enum inside inside, const struct yop *y, unsigned n, const struct ynode *list,
                             struct block *out)
{
    unsigned loops = c->loops;
    enum inside outer = c->inside;
    c->loops = 0;
    c->inside = inside;
    c->sc->defers = true;
    bool ok = compile_block(c, y, n, list, out);
    c->inside = outer;
    c->loops = loops;
    return ok;
}

static bool compile_defer(struct compiler *c, const struct op_site *s, struct op *out)
{
    if (c->inside)
        bad(c, s->value, 0, "\"defer\" inside of \"%s\"; call a program that defers", c->inside == IN_DEFER ? "defer" : "once");
    c->prog->defers = true;
    return compile_function(c, IN_DEFER, s->y->defer, s->y->defer_count, s->value, &out->u.loop.body);
}

static bool compile_recover(struct compiler *c, const struct op_site *s, struct op *out)
{
    if (c->inside != IN_DEFER)
        bad(c, s->value, 0, "\"recover\" outside of \"defer\" does nothing; write {defer: [{recover: true}]}");
    return optional_var(c, s, &out->u.loop.var) && compile_plain(c, s, out) && c->inside == IN_DEFER;
}

/* The end of a once's body is an operation, too: a G can be there, and other Gs wait for it. */
static bool compile_once(struct compiler *c, const struct op_site *s, struct op *out)
{
    struct op *end = arena_alloc(c->a, sizeof *end);
    bool ok = compile_object(c, NS_ONCES, s->value, s->value->len, &out->u.once.mutex);
    if (!modifier_node(s, "do") && !tree_damaged(s->node))
        bad(c, s->value, 0, "\"once\" without operations does nothing; add \"do: [...]\"");
    ok &= compile_function(c, IN_ONCE, s->y->do_, s->y->do__count, modifier_node(s, "do"), &out->u.once.body);
    if (!end || !ok)
        return false;
    out->u.once.mutex.first += object_total(c->sc, NS_MUTEXES);
    *end = *out;
    end->exec = exec_once_end;
    end->number = c->sc->nops++;
    out->u.once.finish = (struct block){end, 1};
    return true;
}

/* Compiles a question about an object, with a variable for the answer. */
static bool compile_result(struct compiler *c, const struct op_site *s, struct op *out)
{
    if (!compile_named(c, s, out) || !optional_var(c, s, &out->u.obj.var))
        return false;
    if (s->names == NS_CHANNELS && is_own_timer(c, &out->u.obj.obj))
        bad(c, s->value, 0, "\"%s\" is the channel of a timer: its length is no concern of a program", s->value->text);
    return true;
}

static bool compile_now(struct compiler *c, const struct op_site *s, struct op *out)
{
    return optional_number(c, s->value, &out->u.loop.var);
}

/* context, cancel, err */
static bool compile_context(struct compiler *c, const struct op_site *s, struct op *out)
{
    const struct ynode *parent = modifier_node(s, "parent"), *timeout = modifier_node(s, "timeout");
    bool ok = compile_object(c, NS_CONTEXTS, s->value, s->value->len, &out->u.context.context);
    ok &= optional_var(c, s, &out->u.context.var);
    out->u.context.has_parent = parent;
    out->u.context.has_timeout = timeout;
    if (!strcmp(s->verb->key, "err") && !s->y->as && !tree_damaged(s->node))
        bad(c, s->value, 0, "\"err\" needs a variable; add \"as: VAR\"");
    if (parent)
        ok &= compile_object(c, NS_CONTEXTS, parent, parent->len, &out->u.context.parent);
    if (parent && !strcmp(parent->text, s->value->text))
        bad(c, parent, 0, "the context \"%s\" cannot be its own parent; leave out \"parent\" for a child of the background", parent->text);
    if (ok && parent)
        note_descent(c, &c->sc->descent, &c->sc->ndescents, out);
    if (ok && timeout)
        note_descent(c, &c->sc->timed, &c->sc->ntimed, out);
    return (!timeout || compile_duration(c, timeout, s->y->timeout, &out->u.context.timeout)) && ok;
}

static bool compile_rand(struct compiler *c, const struct op_site *s, struct op *out)
{
    const struct ynode *n = modifier_node(s, "n");
    int64_t most;
    if (!n && !tree_damaged(s->node))
        bad(c, s->value, 0, "\"rand\" needs the number of values; add \"n: EXPR\"");
    if (!optional_number(c, s->value, &out->u.loop.var) || !n || !(out->u.loop.n = compile_expr(c, n)))
        return false;
    if (!expr_constant(out->u.loop.n, &most) || most > 0)
        return true;
    bad(c, n, 0, "n: expected 1 or more, got %lld", (long long)most);
    return false;
}

static bool compile_atomic(struct compiler *c, const struct op_site *s, struct op *out)
{
    const struct ynode *n = modifier_node(s, "n"), *to = modifier_node(s, "to"), *old = modifier_node(s, "old");
    int i = names_resolve(c, NS_SHARED, s->value, s->y->atomic);
    bool ok = optional_var(c, s, &out->u.atomic.as);
    ok &= optional_expr(c, s, "n", &out->u.atomic.n) && optional_expr(c, s, "to", &out->u.atomic.to) &&
          optional_expr(c, s, "old", &out->u.atomic.old);
    out->u.atomic.var = i;
    if (n && (to || old))
        bad(c, to ? to : old, 0, "\"n\" adds, \"to\" replaces: write one of them");
    else if (old && !to)
        bad(c, old, 0, "\"old\" needs the new value; add \"to: EXPR\"");
    else if (!n && !to && !s->y->as)
        bad(c, s->value, 0, "\"atomic\" needs \"n\" to add, \"to\" to replace, or \"as\" to read");
    else
        return ok && i >= 0;
    return false;
}

/* A finalizer runs on the finalizer G and has no arguments. */
static bool compile_finalizer(struct compiler *c, const struct op_site *s, struct op *out)
{
    int i = names_resolve(c, s->names, s->value, s->y->finalizer);
    out->u.go.prog = (uint32_t)i;
    return i >= 0 && check_args(c, s, out);
}

static bool compile_panic(struct compiler *c, const struct op_site *s, struct op *out)
{
    (void)c;
    out->u.text = s->y->panic;
    return true;
}

/* ---- verbs ---- */

typedef bool compile_verb(struct compiler *c, const struct op_site *s, struct op *out);
static const struct {
    int names;
    compile_verb *compile;
    op_exec *exec;
} rows[] = {
/* in the order of scenario_verbs */
#define VERB(verb, names, compile, ...) {names, compile_##compile, exec_##verb},
#include "scenario/ops.def"
};

/* Returns the only verb of an operation, by the order of the file. NULL: none or two; reported, unless the cause is
 * a mistake that is already reported. */
static const struct verb *find_verb(struct compiler *c, const struct ynode *node)
{
    const struct verb *found = NULL;
    for (size_t i = 0; i < node->n; i++) {
        const struct verb *v = verb_find(node->item[2 * i]->text);
        if (!v || verb_modifies(node, v))
            continue;
        if (found) {
            bad(c, node->item[2 * i], 0, "\"%s\" next to \"%s\": an operation has exactly one verb; begin a new one with \"- %s\"", v->key,
                found->key, v->key);
            return NULL;
        }
        found = v;
    }
    if (!found && !tree_damaged(node))
        bad(c, node->n ? node->item[0] : node, 0, "%s; an operation needs a verb such as \"compute\", \"go\" or \"print\"",
            node->n ? "a modifier without its verb" : "an empty operation");
    return found;
}

static void modifiers_text(const struct verb *v, char *buf, size_t size)
{
    size_t n = 0;
    buf[0] = '\0';
    for (int i = 0; i < VERB_MODS && v->mod[i] && n < size; i++)
        n += (size_t)snprintf(buf + n, size - n, "%s\"%s\"", i ? " and " : "", v->mod[i]);
}

static bool check_modifiers(struct compiler *c, const struct ynode *node, const struct verb *v)
{
    char takes[96];
    bool ok = true;
    modifiers_text(v, takes, sizeof takes);
    for (size_t i = 0; i < node->n; i++) {
        const char *key = node->item[2 * i]->text;
        if (verb_takes(v, key))
            continue;
        bad(c, node->item[2 * i], 0, "\"%s\" does not belong to \"%s\", which takes %s", key, v->key, *takes ? takes : "no modifiers");
        ok = false;
    }
    return ok;
}

static bool compile_case(struct compiler *c, const struct yop *y, const struct ynode *node, struct selcase *out)
{
    struct op_site s = {.y = y, .node = node, .verb = find_verb(c, node)};
    struct verb v;
    struct op op = {0};
    bool ok;
    if (!s.verb)
        return false;
    s.value = yaml_get(node, s.verb->key);
    v = *s.verb;
    compile_verb *compile = rows[s.verb - scenario_verbs].compile;
    s.names = rows[s.verb - scenario_verbs].names;
    out->send = compile == compile_send;
    if (!out->send && compile != compile_recv) {
        bad(c, yaml_key(node, v.key), 0, "\"%s\" cannot be a case of \"select\"; a case is a \"send\" or a \"recv\"%s", v.key,
            is_time(v.key) ? ". For a timeout, receive from a channel that {timer: CHANNEL, after: DURATION} sends on" : "");
        return false;
    }
    v.mod[v.mod[1] ? 2 : 1] = "do"; /* after value, or as and ok */
    ok = check_modifiers(c, node, &v);
    ok &= compile(c, &s, &op);
    out->chan = op.u.obj.obj;
    out->what = s.value->text;
    out->var = op.u.obj.var;
    out->ok = op.u.obj.ok;
    out->value = op.u.obj.value;
    return compile_block(c, y->do_, y->do__count, modifier_node(&s, "do"), &out->body) && ok;
}

static bool compile_op(struct compiler *c, const struct yop *y, const struct ynode *node, struct op *out)
{
    struct op_site s = {.y = y, .node = node, .verb = find_verb(c, node)};
    const struct ynode *key;
    bool ok;
    if (!s.verb)
        return false;
    key = yaml_key(node, s.verb->key);
    s.value = yaml_get(node, s.verb->key);
    out->line = key->line;
    out->col = key->col;
    out->number = c->sc->nops++;
    out->verb = s.verb->key;
    out->what = s.value->kind == Y_SCALAR ? s.value->text : NULL;
    use_verb(c, key, s.verb->key);
    ok = check_modifiers(c, node, s.verb);
    s.names = rows[s.verb - scenario_verbs].names;
    out->exec = rows[s.verb - scenario_verbs].exec;
    return rows[s.verb - scenario_verbs].compile(c, &s, out) && ok;
}

static bool compile_block(struct compiler *c, const struct yop *y, unsigned n, const struct ynode *list, struct block *out)
{
    bool ok = true;
    if (n && !(out->op = arena_alloc(c->a, n * sizeof *out->op))) {
        diag_lack(c->d, ENOMEM);
        return false;
    }
    out->n = n;
    for (unsigned i = 0; i < n; i++)
        ok &= compile_op(c, &y[i], list->item[i], &out->op[i]);
    return ok;
}

static bool returns_value(const struct yop *y, unsigned n)
{
    struct yops in;
    for (unsigned i = 0; i < n; i++) {
        if (y[i].return_ && y[i].value)
            return true;
        for (unsigned k = 0; yop_inside(&y[i], NULL, k, &in); k++)
            if (returns_value(in.v, in.n))
                return true;
    }
    return false;
}

void compile_programs(struct compiler *c)
{
    const struct yscenario *y = c->sc->y;
    const struct ynode *list = yaml_get(c->root, "goroutines");
    for (unsigned i = 0; i < y->goroutines_count; i++)
        c->sc->prog[i].returns = returns_value(y->goroutines[i].do_, y->goroutines[i].do__count);
    for (unsigned i = 0; i < y->goroutines_count; i++) {
        const struct ygoroutine *g = &y->goroutines[i];
        struct program *p = &c->sc->prog[i];
        if (!variables_collect(c, g, list->item[i]))
            continue;
        c->prog = p;
        p->name = g->name;
        p->nparams = g->params_count;
        p->nvars = c->nvars;
        compile_block(c, g->do_, g->do__count, yaml_get(list->item[i], "do"), &p->body);
    }
    lint_making(c);
    lint_calls(c);
}
