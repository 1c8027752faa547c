/* Operations that are one call of Go's library: package sync and its atomic, numbers, conns, threads. */
#include "scenario/go/gosource.h"
#include <string.h>

/* ---- package sync ---- */

bool write_add(struct gosrc *s, const struct yop *y)
{
    const char *wg = go_object(s, NS_WAITGROUPS, y->add);
    int64_t n = 1;
    if (!y->n || go_constant(s, y->n, &n))
        go_line(s, "%s.Add(%lld)", wg, (long long)n);
    else
        go_line(s, "%s.Add(int(%s))", wg, go_int(s, y->n, 1));
    return false;
}

static const char *value_text(const struct gosrc *s)
{
    return yaml_get(s->node, s->key->text)->text;
}

bool write_method(struct gosrc *s, const struct yop *y)
{
    (void)y;
    go_line(s, "%s.%s()", go_object(s, s->names, value_text(s)), s->go);
    return false;
}

bool write_result(struct gosrc *s, const struct yop *y)
{
    return go_asked(s, y, PRINTED(s, "%s.%s()", go_object(s, s->names, value_text(s)), s->go));
}

bool write_len(struct gosrc *s, const struct yop *y)
{
    const char *var = go_assigned(s, y->as);
    go_line(s, "%s = int64(len(%s))", var ? var : "_", go_channel(s, y->len));
    return false;
}

/* ---- package sync/atomic ---- */

bool write_atomic(struct gosrc *s, const struct yop *y)
{
    const char *at = go_global(s, NS_SHARED, y->atomic), *var = go_assigned(s, y->as);
    s->parts |= GO_ATOMIC;
    if (y->old)
        return go_asked(s, y, PRINTED(s, "atomic.CompareAndSwapInt64(&%s, %s, %s)", at, go_int(s, y->old, 2), go_int(s, y->to, 2)));
    const char *call =
        y->n           ? PRINTED(s, "atomic.AddInt64(&%s, %s)", at, go_int(s, y->n, 2))
        : y->to && var ? PRINTED(s, "atomic.SwapInt64(&%s, %s)", at, go_int(s, y->to, 2))
        : y->to        ? PRINTED(s, "atomic.StoreInt64(&%s, %s)", at, go_int(s, y->to, 2))
                       : PRINTED(s, "atomic.LoadInt64(&%s)", at);
    if (var)
        go_line(s, "%s = %s", var, call);
    else
        go_line(s, "%s", call);
    return false;
}

bool write_now(struct gosrc *s, const struct yop *y)
{
    const char *var = go_assigned(s, y->now);
    s->parts |= GO_NOW | GO_TIME;
    go_line(s, "%s = int64(time.Since(begin))", var ? var : "_");
    return false;
}

/* ---- package context ---- */

bool write_context(struct gosrc *s, const struct yop *y)
{
    const char *context = go_object(s, NS_CONTEXTS, y->context), *parent = "context.Background()";
    if (y->parent)
        parent = go_object(s, NS_CONTEXTS, y->parent);
    const char *cancel = go_cancel(s, y->context);
    if (y->timeout)
        go_line(s, "%s, %s = context.WithTimeout(%s, %s)", context, cancel, parent, go_duration(s, y->timeout, ""));
    else
        go_line(s, "%s, %s = context.WithCancel(%s)", context, cancel, parent);
    return false;
}

bool write_cancel(struct gosrc *s, const struct yop *y)
{
    go_line(s, "%s()", go_cancel(s, y->cancel));
    return false;
}

bool write_err(struct gosrc *s, const struct yop *y)
{
    const char *var = go_assigned(s, y->as);
    s->parts |= GO_ERR;
    go_line(s, "%s = errorNumber(%s)", var ? var : "_", go_object(s, NS_CONTEXTS, y->err));
    return false;
}

bool write_rand(struct gosrc *s, const struct yop *y)
{
    const char *var = go_assigned(s, y->rand);
    s->parts |= GO_RAND;
    go_line(s, "%s = rand.Int63n(%s)", var ? var : "_", go_int(s, y->n, 1));
    return false;
}

/* ---- conns ---- */

/* Returns the end "c.a" or "c[EXPR].b" of a conn: an element of a pair of files. */
static const char *conn_end(struct gosrc *s, const char *text)
{
    const char *bracket = strchr(text, '['), *dot = strrchr(text, '.');
    const char *name = PRINTED(s, "%.*s", (int)strcspn(text, "[."), text);
    const char *conn = go_global(s, NS_CONNS, name);
    int64_t at;
    s->parts |= GO_OS | GO_SOCKET;
    if (!bracket)
        return PRINTED(s, "%s[%d]", conn, dot[1] == 'b');
    const char *index = PRINTED(s, "%.*s", (int)(dot - bracket) - 2, bracket + 1);
    if (go_constant(s, index, &at) && at < 0)
        go_refuse(s, s->key, "Go's compiler refuses the index %lld", (long long)at);
    return PRINTED(s, "%s[%s][%d]", conn, go_int(s, index, 2), dot[1] == 'b');
}

bool write_io(struct gosrc *s, const struct yop *y)
{
    const char *end = conn_end(s, value_text(s));
    go_line(s, "%s(%s, %s)", s->go, end, y->bytes ? go_int(s, y->bytes, 2) : "1");
    return false;
}

/* ---- threads and the world ---- */

bool write_runtime(struct gosrc *s, const struct yop *y)
{
    (void)y;
    s->parts |= GO_RUNTIME;
    go_line(s, "runtime.%s()", s->go);
    return false;
}

bool write_gomaxprocs(struct gosrc *s, const struct yop *y)
{
    s->parts |= GO_RUNTIME;
    go_line(s, "runtime.GOMAXPROCS(int(%s))", go_int(s, y->gomaxprocs, 1));
    return false;
}
