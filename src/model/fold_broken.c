/* How an event is refused. */
#include "model/fold_internal.h"

#include <stdarg.h>
#include <stdio.h>

enum offer fold_broken(const struct fold *f, const char *fmt, ...)
{
    const struct ev *e = f->e;
    const char *name = e->kind < EV_KINDS ? ev_desc[e->kind].name : "?";
    char *buf = f->md->error;
    size_t size = sizeof f->md->error;
    int n = snprintf(buf, size, "%lld M%u %s g=%u: ", (long long)e->time, f->m, name, e->g);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(buf + n, size - (size_t)n, fmt, ap);
    va_end(ap);
    return OFFER_BROKEN;
}

enum offer fold_lacks(const struct fold *f)
{
    f->md->oom = true;
    return fold_broken(f, "out of memory");
}
