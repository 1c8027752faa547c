/* Operations as Go statements. An operation that has no equivalent in Go is refused by name: a program that only
 * looks like the scenario would teach something false.
 *
 * Each writer returns true if control never reaches the end of what it wrote. The rest of the block is then left
 * out, because Go's vet refuses unreachable code. */
#include "base/text.h"
#include "scenario/go/gosource.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void write_block(struct gosrc *s, const struct yop *y, unsigned n, const struct ynode *list)
{
    s->indent++;
    go_block(s, y, n, list);
    s->indent--;
}

/* ---- time ---- */

static bool write_compute(struct gosrc *s, const struct yop *y)
{
    bool tight = y->tight && *y->tight;
    s->parts |= tight ? GO_TIGHT : GO_COMPUTE;
    go_line(s, "%s(%s)", tight ? "computeTight" : "compute", go_duration(s, y->compute, " "));
    return false;
}

static bool write_sleep(struct gosrc *s, const struct yop *y)
{
    s->parts |= GO_TIME;
    go_line(s, "time.Sleep(%s)", go_duration(s, y->sleep, " "));
    return false;
}

static bool write_syscall(struct gosrc *s, const struct yop *y)
{
    if (y->blocking && *y->blocking)
        go_refuse(s, s->key, "\"syscall\" with \"blocking: true\" has no Go equivalent: only the runtime itself hands its P off at once");
    s->parts |= GO_SYSCALL;
    go_line(s, "systemCall(%s)", go_duration(s, y->syscall, " "));
    return false;
}

static int own_kind(const struct gosrc *s, const char *name)
{
    int i = names_find(&s->sc->names[NS_CHANNELS], name);
    return i < 0 ? OWN_NONE : s->sc->own[i];
}

static bool write_stop(struct gosrc *s, const struct yop *y)
{
    return go_asked(s, y, PRINTED(s, "%s.Stop()", go_global(s, NS_CHANNELS, y->stop)));
}

static bool write_reset(struct gosrc *s, const struct yop *y)
{
    s->parts |= GO_TIME;
    return go_asked(s, y,
                    PRINTED(s, "%s.Reset(%s)", go_global(s, NS_CHANNELS, y->reset), go_duration(s, y->every ? y->every : y->after, " ")));
}

/* A timer whose function sends on the scenario's channel from the scheduler, as those of package time do. */
static bool write_timer(struct gosrc *s, const struct yop *y)
{
    if (own_kind(s, y->timer)) {
        s->parts |= GO_TIME;
        go_line(s, "%s = time.NewTimer(%s)", go_global(s, NS_CHANNELS, y->timer), go_duration(s, y->after, " "));
        return false;
    }
    s->parts |= GO_TIMER;
    go_line(s, "sendAfter(%s, %s, 0)", go_object(s, NS_CHANNELS, y->timer), go_duration(s, y->after, ""));
    return false;
}

static bool write_ticker(struct gosrc *s, const struct yop *y)
{
    const char *every = go_duration(s, y->every, "");
    if (own_kind(s, y->ticker)) {
        s->parts |= GO_TIME;
        go_line(s, "%s = time.NewTicker(%s)", go_global(s, NS_CHANNELS, y->ticker), go_duration(s, y->every, " "));
        return false;
    }
    s->parts |= GO_TIMER;
    if (!strcmp(every, "0"))
        go_line(s, "panic(\"non-positive interval for NewTicker\")");
    else
        go_line(s, "sendAfter(%s, %s, %s)", go_object(s, NS_CHANNELS, y->ticker), every, every);
    return false;
}

/* The operation is the line inside of the loop that stands for its count. */
static void mark_inside(struct gosrc *s)
{
    if (s->listing && !s->learning && s->mark.n)
        s->mark.v[s->mark.n - 1].at = ftell(s->out);
}

static bool write_yield(struct gosrc *s, const struct yop *y)
{
    int64_t n;
    bool constant = go_constant(s, y->yield, &n);
    s->parts |= GO_RUNTIME;
    if (constant && n == 1) {
        go_line(s, "runtime.Gosched()");
        return false;
    }
    if (constant)
        go_line(s, "for %s := 0; %s < %lld; %s++ {", s->counter, s->counter, (long long)n, s->counter);
    else
        go_line(s, "for %s, %s := int64(0), %s; %s < %s; %s++ {", s->counter, s->end, go_int(s, y->yield, 2), s->counter, s->end,
                s->counter);
    mark_inside(s);
    go_line(s, "\truntime.Gosched()");
    go_line(s, "}");
    return false;
}

/* ---- loops and branches ---- */

/* Writes the head of a loop from 0 up to an expression, which is evaluated once. */
static void loop_head(struct gosrc *s, const char *counter, const char *times)
{
    int64_t n;
    if (go_constant(s, times, &n))
        go_line(s, "for %s := int64(0); %s < %lld; %s++ {", counter, counter, (long long)n, counter);
    else
        go_line(s, "for %s, %s := int64(0), %s; %s < %s; %s++ {", counter, s->end, go_int(s, times, 2), counter, s->end, counter);
}

/* Writes the body of the only loop that sets v, and counts its reads of v. If these are all reads, the loop may
 * declare v. */
static void loop_body(struct gosrc *s, const struct yop *y, struct go_var *v)
{
    uint32_t before = v ? v->reads : 0;
    write_block(s, y->do_, y->do__count, yaml_get(s->node, "do"));
    if (v && s->learning)
        v->loop_reads = v->reads - before;
}

static bool own_loop(const struct gosrc *s, const struct go_var *v)
{
    return v && !s->learning && v->loop && v->reads;
}

/* A `break` in a case of a select would end the select: then the loop has a label. */
static bool breaks_from_select(const struct yop *y, unsigned n, bool selected)
{
    struct yops in;
    for (unsigned i = 0; i < n; i++) {
        if (y[i].break_ && selected)
            return true;
        if (y[i].loop || y[i].range)
            continue;
        for (unsigned k = 0; yop_inside(&y[i], NULL, k, &in); k++)
            if (breaks_from_select(in.v, in.n, selected || y[i].select_count || !strcmp(in.key, "default")))
                return true;
    }
    return false;
}

/* What a loop replaces while its body is written. */
struct outer_loop {
    unsigned label;
    bool breaks, selects;
};

static struct outer_loop begin_loop(struct gosrc *s, const struct yop *y)
{
    struct outer_loop outer = {s->label, s->breaks, s->selects};
    s->label = breaks_from_select(y->do_, y->do__count, false) ? ++s->nlabels : 0;
    s->breaks = s->selects = false;
    if (s->label) {
        go_indent(s, s->indent - 1);
        fprintf(s->out, "loop%u:\n", s->label);
        mark_inside(s);
    }
    return outer;
}

/* Returns true if something has left the loop. */
static bool end_loop(struct gosrc *s, struct outer_loop outer)
{
    bool breaks = s->breaks;
    go_line(s, "}");
    s->label = outer.label;
    s->breaks = outer.breaks;
    s->selects = outer.selects;
    return breaks;
}

static bool write_break(struct gosrc *s, const struct yop *y)
{
    (void)y;
    s->breaks = true;
    if (s->selects)
        go_line(s, "break loop%u", s->label);
    else
        go_line(s, "break");
    return true;
}

static bool write_leave(struct gosrc *s, const struct yop *y)
{
    (void)y;
    go_line(s, "%s", s->key->text);
    return true;
}

static bool write_loop(struct gosrc *s, const struct yop *y)
{
    struct go_var *v = y->as ? go_find_var(s, y->as, strlen(y->as)) : NULL;
    bool forever = !strcmp(y->loop, "forever"), own = own_loop(s, v);
    const char *var = go_assigned(s, y->as);
    struct outer_loop outer = begin_loop(s, y);
    if (own)
        var = v->go;
    if (forever && !var)
        go_line(s, "for {");
    else if (forever)
        go_line(s, "for %s := int64(0); ; %s++ {", own ? var : s->counter, own ? var : s->counter);
    else
        loop_head(s, own ? var : s->counter, y->loop);
    if (var && !own)
        go_line(s, "\t%s = %s", var, s->counter);
    loop_body(s, y, v);
    return !end_loop(s, outer) && forever;
}

static bool write_if(struct gosrc *s, const struct yop *y)
{
    const struct ynode *node = s->node;
    bool ends_then = false, ends_else = false;
    if (!y->then_count && !y->else__count) {
        go_line(s, "_ = %s", go_bool(s, y->if_, false));
        return false;
    }
    go_line(s, "if %s {", go_bool(s, y->if_, !y->then_count));
    s->indent++;
    if (y->then_count)
        ends_then = go_block(s, y->then, y->then_count, yaml_get(node, "then"));
    if (y->then_count && y->else__count) {
        s->indent--;
        go_line(s, "} else {");
        s->indent++;
    }
    if (y->else__count)
        ends_else = go_block(s, y->else_, y->else__count, yaml_get(node, "else"));
    s->indent--;
    go_line(s, "}");
    return ends_then && ends_else;
}

static bool write_set(struct gosrc *s, const struct yop *y)
{
    struct go_var *v = go_find_var(s, y->set, strlen(y->set));
    const char *to = go_assigned(s, y->set), *value = v && v->channel ? go_channel(s, y->to) : go_int(s, y->to, 1);
    if (v && v->channel && (!to || !strcmp(to, value))) {
        go_line(s, "_ = %s", strcmp(value, "nil") ? value : "0");
        return false;
    }
    if (to && !strcmp(to, value)) /* vet takes x = x for a mistake */
        go_line(s, "%s = +%s", to, value);
    else
        go_line(s, "%s = %s", to ? to : "_", value);
    return false;
}

/* ---- Gs ---- */

/* Writes a call with what its program needs: its G's number if some program prints goid, i if it reads it, the args. */
static void write_call_of(struct gosrc *s, const char *name, const struct yop *y, const char *goid, const char *i)
{
    int p = go_program(s, name);
    bool wants_i = p >= 0 && s->reads_i[p];
    int depth = y->args_count + s->goids + wants_i > 1 ? 2 : 1;
    const char *comma = "";
    fprintf(s->out, "%s(", go_global(s, NS_PROGRAMS, name));
    if (s->goids) {
        fputs(goid, s->out);
        comma = ", ";
    }
    if (wants_i) {
        fprintf(s->out, "%s%s", comma, i);
        comma = ", ";
    }
    for (unsigned k = 0; k < y->args_count; k++) {
        bool passes = p >= 0 && k < s->sc->y->goroutines[p].params_count && s->sc->y->goroutines[p].params[k].type;
        fprintf(s->out, "%s%s", comma, passes ? go_channel(s, y->args[k]) : go_int(s, y->args[k], depth));
        comma = ", ";
    }
    fputc(')', s->out);
}

static bool write_go(struct gosrc *s, const struct yop *y)
{
    int64_t n = 0;
    bool once = !y->count || (go_constant(s, y->count, &n) && n == 1);
    if (!once)
        loop_head(s, s->counter, y->count);
    mark_inside(s);
    go_indent(s, s->indent + !once);
    fputs("go ", s->out);
    write_call_of(s, y->go, y, "newGoid()", once ? "0" : s->counter);
    fputc('\n', s->out);
    if (!once)
        go_line(s, "}");
    return false;
}

static bool write_after(struct gosrc *s, const struct yop *y)
{
    s->parts |= GO_TIME;
    go_indent(s, s->indent);
    if (y->as)
        fprintf(s->out, "%s = ", go_global(s, NS_CHANNELS, y->as));
    fprintf(s->out, "time.AfterFunc(%s, func() { ", go_duration(s, y->after, ""));
    write_call_of(s, y->go, y, "newGoid()", "0");
    fputs(" })\n", s->out);
    return false;
}

static bool write_call(struct gosrc *s, const struct yop *y)
{
    const char *var = go_assigned(s, y->as);
    go_indent(s, s->indent);
    if (var)
        fprintf(s->out, "%s = ", var);
    write_call_of(s, y->call, y, "goid", "0");
    fputc('\n', s->out);
    return false;
}

static bool write_return(struct gosrc *s, const struct yop *y)
{
    if (s->returns && !s->inside)
        go_line(s, "return %s", y->value ? go_int(s, y->value, 1) : "0");
    else
        go_line(s, "return");
    return true;
}

/* Writes a list that is a function of its own, which sees the variables; so no loop may declare those that it reads. */
static void write_function(struct gosrc *s, const char *before, const struct yops *list, const char *after)
{
    bool breaks = s->breaks, selects = s->selects, inside = s->inside;
    uint32_t before_it[MAX_VARIABLES];
    for (unsigned i = 0; i < s->nvars; i++)
        before_it[i] = s->var[i].reads;
    s->inside = true;
    s->selects = false;
    go_line(s, "%sfunc() {", before);
    write_block(s, list->v, list->n, yaml_get(s->node, list->key));
    go_line(s, "}%s", after);
    s->inside = inside;
    s->breaks = breaks;
    s->selects = selects;
    for (unsigned i = 0; i < s->nvars; i++)
        s->var[i].captured |= s->var[i].reads != before_it[i];
}

static bool write_defer(struct gosrc *s, const struct yop *y)
{
    write_function(s, "defer ", &(struct yops){y->defer, y->defer_count, "defer", NULL}, "()");
    return false;
}

static bool write_once(struct gosrc *s, const struct yop *y)
{
    write_function(s, PRINTED(s, "%s.Do(", go_object(s, NS_ONCES, y->once)), &(struct yops){y->do_, y->do__count, "do", NULL}, ")");
    return false;
}

static bool write_recover(struct gosrc *s, const struct yop *y)
{
    const char *var = go_assigned(s, y->as);
    if (var)
        s->parts |= GO_B2I;
    if (var)
        go_line(s, "%s = b2i(recover() != nil)", var);
    else
        go_line(s, "recover()");
    return false;
}

/* ---- channels ---- */

static bool wants_ok(struct gosrc *s, const struct yop *y)
{
    return y->ok && go_assigned(s, y->ok);
}

static void take_received(struct gosrc *s, const struct yop *y)
{
    const char *var = go_assigned(s, y->as);
    s->parts |= GO_B2I;
    if (var)
        go_line(s, "%s = received%s", var, own_kind(s, y->recv) ? ".UnixNano()" : "");
    go_line(s, "%s = b2i(open)", go_assigned(s, y->ok));
}

/* Returns a receive, as a statement or a case. With `ok` its results are received and open, which take_received() reads. */
static const char *receive(struct gosrc *s, const struct yop *y)
{
    if (wants_ok(s, y))
        return PRINTED(s, "%s, open := <-%s%s", go_assigned(s, y->as) ? "received" : "_", go_channel(s, y->recv),
                       own_kind(s, y->recv) ? ".C" : "");
    if (go_is_context(s, y->recv))
        return PRINTED(s, "<-%s.Done()", go_object(s, NS_CONTEXTS, y->recv));
    const char *var = go_assigned(s, y->as), *ch = go_channel(s, y->recv);
    if (own_kind(s, y->recv))
        return var ? PRINTED(s, "%s = (<-%s.C).UnixNano()", var, ch) : PRINTED(s, "<-%s.C", ch);
    return var ? PRINTED(s, "%s = <-%s", var, ch) : PRINTED(s, "<-%s", ch);
}

static const char *send(struct gosrc *s, const struct yop *y)
{
    const char *ch = go_channel(s, y->send);
    bool passes = go_carries_channels(s, y->send);
    return PRINTED(s, "%s <- %s", ch, !y->value ? passes ? "nil" : "0" : passes ? go_channel(s, y->value) : go_int(s, y->value, 1));
}

static bool write_send(struct gosrc *s, const struct yop *y)
{
    go_line(s, "%s", send(s, y));
    return false;
}

static bool write_recv(struct gosrc *s, const struct yop *y)
{
    if (!wants_ok(s, y)) {
        go_line(s, "%s", receive(s, y));
        return false;
    }
    go_line(s, "{");
    s->indent++;
    go_line(s, "%s", receive(s, y));
    take_received(s, y);
    s->indent--;
    go_line(s, "}");
    return false;
}

static bool write_range(struct gosrc *s, const struct yop *y)
{
    struct go_var *v = y->as ? go_find_var(s, y->as, strlen(y->as)) : NULL;
    const char *var = go_assigned(s, y->as), *ch = go_channel(s, y->range);
    bool timer = own_kind(s, y->range);
    struct outer_loop outer = begin_loop(s, y);
    if (timer && var) {
        go_line(s, "for received := range %s.C {", ch);
        go_line(s, "\t%s %s received.UnixNano()", var, own_loop(s, v) ? ":=" : "=");
    } else if (var)
        go_line(s, "for %s %s range %s {", var, own_loop(s, v) ? ":=" : "=", ch);
    else
        go_line(s, "for range %s%s {", ch, timer ? ".C" : "");
    loop_body(s, y, v);
    end_loop(s, outer);
    return false;
}

static bool write_close(struct gosrc *s, const struct yop *y)
{
    go_line(s, "close(%s)", go_channel(s, y->close));
    return false;
}

static bool write_select(struct gosrc *s, const struct yop *y)
{
    const struct ynode *node = s->node, *cases = yaml_get(node, "select"), *rest = yaml_get(node, "default");
    bool ends = true;
    if (!y->select_count && !rest) {
        go_line(s, "select {}");
        return true;
    }
    bool selects = s->selects;
    s->selects = true;
    go_line(s, "select {");
    for (unsigned i = 0; i < y->select_count; i++) {
        const struct yop *c = &y->select[i];
        go_line(s, "case %s:", c->send ? send(s, c) : receive(s, c));
        s->indent++;
        if (c->recv && wants_ok(s, c))
            take_received(s, c);
        ends &= go_block(s, c->do_, c->do__count, yaml_get(cases->item[i], "do"));
        s->indent--;
    }
    if (rest) {
        go_line(s, "default:");
        s->indent++;
        ends &= go_block(s, y->default_, y->default__count, rest);
        s->indent--;
    }
    go_line(s, "}");
    s->selects = selects;
    return ends;
}

/* ---- what Go does not have ---- */

/* Writes an operation that Go does not have as the scenario has it: "// gc: 4ms, assist: true". */
static void write_comment(struct gosrc *s, const struct ynode *node)
{
    go_indent(s, s->indent);
    fputs("//", s->out);
    for (size_t i = 0; i < node->n; i++) {
        const struct ynode *key = node->item[2 * i], *value = node->item[2 * i + 1];
        fprintf(s->out, "%s %s: %s", i ? "," : "", key->text, value->kind == Y_SCALAR ? value->text : "…");
    }
    fputc('\n', s->out);
}

static bool write_refused(struct gosrc *s, const struct yop *y)
{
    (void)y;
    go_refuse(s, s->key, "operation \"%s\" has no Go equivalent", s->key->text);
    if (s->listing)
        write_comment(s, s->node);
    return false;
}

void go_mark(struct gosrc *s, const struct ynode *key)
{
    struct go_mark mark = {key ? key->line : 0, key ? key->col : 0, ftell(s->out)};
    if (s->listing && !s->learning)
        s->oom |= !vec_push(&s->mark, mark);
}

static bool write_op(struct gosrc *s, const struct yop *y, const struct ynode *node)
{
    static const struct {
        int names;
        bool (*write)(struct gosrc *s, const struct yop *y);
        const char *go;
    } rows[] = {
    /* in the order of scenario_verbs */
#define VERB(verb, names, compile, write, go, ...) {names, write_##write, go},
#include "scenario/ops.def"
    };
    const struct verb *v = verb_of(node);
    s->y = y;
    s->node = node;
    s->key = yaml_key(node, v->key);
    s->names = rows[v - scenario_verbs].names;
    s->go = rows[v - scenario_verbs].go;
    go_mark(s, s->key);
    return rows[v - scenario_verbs].write(s, y);
}

bool go_block(struct gosrc *s, const struct yop *y, unsigned n, const struct ynode *list)
{
    for (unsigned i = 0; i < n; i++)
        if (write_op(s, &y[i], list->item[i]))
            return true;
    return false;
}
