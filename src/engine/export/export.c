/* See export.h. */
#include "engine/export/export.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct export_ops *const export_forms[] = {
    &export_json, &export_chrome, &export_gotrace, &export_html, &export_perfetto, &export_schedtrace, NULL};

bool export_bound_read(const char *s, struct export_bound *out)
{
    char *end;
    *out = (struct export_bound){0};
    if (s[0] != '#')
        return duration_parse(s, strlen(s), &out->time);
    errno = 0;
    out->event = strtoull(s + 1, &end, 10);
    return s[1] >= '0' && s[1] <= '9' && !*end && !errno && out->event;
}

/* ---- writing ---- */

static void note_error(struct exporter *x)
{
    if (ferror(x->out) && x->error && !*x->error)
        *x->error = errno ? errno : EIO;
}

/* ---- the reader ---- */

static bool is_before(const struct exporter *x, const struct merged_event *at)
{
    return x->has_from && (x->from.event ? at->number < x->from.event : at->e->time < x->from.time);
}

static bool is_after(const struct exporter *x, const struct merged_event *at)
{
    return x->has_to && (x->to.event ? at->number > x->to.event : at->e->time > x->to.time);
}

static bool pass(void *ctx, const struct merged_event *at)
{
    enum { STEP = 1 << 20 };
    struct exporter *x = ctx;
    if (x->over || (x->over = is_after(x, at)))
        return true;
    x->md = at->md;
    bool early = is_before(x, at);
    if (!early && !x->begun && !(x->begun = x->ops->begin(x)))
        return false;
    if (early || (x->only && !pattern_event(x->only, at->m, at->e, at->text, at->len)))
        return !x->ops->passes || x->ops->passes(x, at);
    x->events++;
    bool good = x->ops->event(x, at);
    note_error(x);
    if (x->progress && x->events % STEP == 0)
        fprintf(x->progress, "\rgmpscope: #%llu ", (unsigned long long)at->number);
    return good;
}

static void pass_time(void *ctx, const struct model *md, int64_t time)
{
    struct exporter *x = ctx;
    if (x->begun && !x->over && x->ops->time && (!x->has_to || x->to.event || time <= x->to.time))
        x->ops->time(x, md, time);
}

static bool finish(void *ctx, const struct model *md, int how)
{
    struct exporter *x = ctx;
    (void)how;
    x->md = md;
    bool good = (x->begun || x->ops->begin(x)) && x->ops->end(x);
    if (x->progress && x->events >> 20)
        fputs("\r\033[K", x->progress);
    if (fflush(x->out) && x->error && !*x->error)
        *x->error = errno ? errno : EIO;
    note_error(x);
    return good;
}

struct reader export_reader(struct exporter *x)
{
    return (struct reader){
        .ctx = x,
        .needs = READS_DETAILS | READS_EACH | READS_STATES,
        .passes = pass_time,
        .event = pass,
        .end = finish,
        .lack = "cannot keep what the export needs"};
}

const char *export_begin(struct exporter *x)
{
    x->state = x->ops->state ? calloc(1, x->ops->state) : NULL;
    return x->ops->state && !x->state ? strerror(ENOMEM) : NULL;
}

void export_fini(struct exporter *x)
{
    if (x->ops && x->ops->fini && x->state)
        x->ops->fini(x);
    free(x->state);
    x->state = NULL;
}
