/* A JSON object an event, one on each line. Times are in ns. */
#include "engine/export/export.h"
#include <inttypes.h>

static bool begin(struct exporter *x)
{
    (void)x;
    return true;
}

static bool event(struct exporter *x, const struct merged_event *at)
{
    const struct ev *e = at->e;
    export_print(x, "{\"event\":%" PRIu64 ",\"time\":%" PRId64 ",\"m\":%" PRIu32, at->number, e->time, at->m);
    if (e->p != EV_NO_P)
        export_print(x, ",\"p\":%u", e->p);
    if (e->g)
        export_print(x, ",\"g\":%" PRIu32, e->g);
    export_print(x, ",\"kind\":\"%s\",\"fields\":", ev_desc[e->kind].name);
    export_fields(x, at);
    export_print(x, "}\n");
    return true;
}

static bool end(struct exporter *x)
{
    (void)x;
    return true;
}

const struct export_ops export_json = {
    .name = "json",
    .what = {{"a JSON object an event, one on each line", "每个事件一行 JSON"}},
    .begin = begin,
    .event = event,
    .end = end};
