/* --json: the summary of a run, one object on one line. */
#include "engine/summary.h"
#include "engine/looks.h"
#include <inttypes.h>
#include <string.h>

/* A source of looks has no event of the program: none of it is counted. */
static bool is_of_looks(const struct run_info *info)
{
    return (info->lacks & LOOKS_LACK) == LOOKS_LACK;
}

/* Counters of events that a source with gaps records, too; the others are not known there. */
static bool is_counted(const struct run_info *info, size_t i)
{
    static const char *const recorded[] = {"goroutines", "rounds", "retakes", "preempts", "parks", "wakes", "syscalls", "stws"};
    bool is = !info->lacks;
    for (size_t k = 0; !is && !is_of_looks(info) && k < sizeof recorded / sizeof *recorded; k++)
        is = !strcmp(recorded[k], counter_name[i]);
    return is;
}

static void put_output(const struct engine *e, FILE *out)
{
    const char *const *lines;
    uint32_t n = expect_lines(e->expect, &lines);
    if (e->cfg.info.lacks & LACKS(KNOW_OUTPUT)) {
        fputs("\"output\":null", out);
        return;
    }
    fputs("\"output\":[", out);
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            fputc(',', out);
        json_string(lines[i], out);
    }
    fputc(']', out);
}

/* Only of a scenario that varies. */
static void put_drawn(const struct run_info *info, FILE *out)
{
    for (uint32_t i = 0; i < info->ndrawn; i++)
        fprintf(out, "%s\"%s\":%" PRId64, i ? "," : ",\"vary\":{", info->drawn[i].name, info->drawn[i].value);
    if (info->ndrawn)
        fputc('}', out);
}

static void put_counters(const struct run_info *info, const struct counters *c, FILE *out)
{
    fputs("\"counters\":{", out);
    for (size_t i = 0; i < COUNTERS_N; i++)
        if (is_counted(info, i))
            fprintf(out, "%s\"%s\":%" PRIu64, i ? "," : "", counter_name[i], counter_get(c, (int)i));
        else
            fprintf(out, "%s\"%s\":null", i ? "," : "", counter_name[i]);
    fputc('}', out);
}

static void put_latency(const struct run_info *info, const struct model *md, FILE *out)
{
    int64_t p50, p99, max;
    if (is_of_looks(info)) {
        fputs("\"latency_ns\":{\"runnable_p50\":null,\"runnable_p99\":null,\"runnable_max\":null}", out);
        return;
    }
    model_latency(md, &p50, &p99, &max);
    fprintf(out, "\"latency_ns\":{\"runnable_p50\":%" PRId64 ",\"runnable_p99\":%" PRId64 ",\"runnable_max\":%" PRId64 "}", p50, p99, max);
}

/* Lists the Gs that had not ended, only if there are any. */
static void put_left(const struct engine *e, FILE *out)
{
    enum { LISTED = 1000 };
    const struct model *md = engine_view(e);
    const char *before = ",\"left\":[";
    char text[600];
    for (uint32_t g = 0, n = 0; e->waits && n < LISTED && (g = waits_next_left(e->waits, g, WAITS_BOTH)); n++) {
        struct wait at = {0};
        bool waits = waits_of(e->waits, g, &at);
        fprintf(out, "%s{\"g\":%u,\"program\":", before, g);
        json_string(model_fn_name(md, g), out);
        if (at.line)
            fprintf(out, ",\"line\":%u", at.line);
        fprintf(out, ",\"leaked\":%s", at.stuck ? "true" : "false");
        if (waits)
            fprintf(out, ",\"reason\":\"%s\"", ev_word(FT_REASON, at.reason));
        fputs(",\"says\":", out);
        json_string(waits_say(e->waits, g, NAMES_G, LANG_EN, text, sizeof text), out);
        fputc('}', out);
        before = ",";
    }
    if (*before == ',' && !before[1])
        fputc(']', out);
}

bool summary_cut_by_time(const struct engine *e)
{
    return e->how == ENDED_LIMIT && e->events < e->cfg.max_events && e->cfg.limit != INT64_MAX;
}

int64_t summary_time(const struct engine *e)
{
    return summary_cut_by_time(e) ? e->cfg.limit : model_time(engine_view(e));
}

/* The exit code of the program in Go. */
static void put_go_exit(const struct engine *e, FILE *out)
{
    bool died = e->how == ENDED_DEADLOCK || e->how == ENDED_PANIC || e->how == ENDED_FATAL;
    if (e->cfg.scenario && scenario_info(e->cfg.scenario)->go && (died || e->how == ENDED_EXIT || e->how == ENDED_MAIN_RETURNED))
        fprintf(out, ",\"go_exit\":%d", died ? 2 : e->how == ENDED_EXIT ? e->exit_code : 0);
}

static void put_head(const struct engine *e, FILE *out)
{
    const struct run_info *info = &e->cfg.info;
    const char *ended = ev_word(FT_END_HOW, e->how);
    fputs("{\"scenario\":", out);
    json_string(info->name, out);
    if (info->lacks) /* it was no run of ours */
        fprintf(out, ",\"mode\":null,\"generation\":\"%s\",\"seed\":null", generation_name[info->generation]);
    else
        fprintf(out, ",\"mode\":\"%s\",\"generation\":\"%s\",\"seed\":%" PRIu64, mode_name[info->mode], generation_name[info->generation],
                info->seed);
    if (info->policy)
        fprintf(out, ",\"policy\":\"%s\"", info->policy);
    fprintf(out, ",\"gomaxprocs\":%u", info->procs);
    put_drawn(info, out);
    if (!e->details)
        fputs(",\"level\":\"core\"", out);
    fprintf(out, ",\"ended\":\"%s\"", ended ? ended : "fatal");
    put_go_exit(e, out);
    if (info->cut) {
        fprintf(out, ",\"cut\":{\"read\":%" PRIu64 ",\"of\":%" PRIu64 ",\"why\":", info->cut_read, info->cut_size);
        json_string(info->cut, out);
        fputc('}', out);
    }
    fprintf(out, ",\"time_ns\":%" PRId64 ",\"events\":%" PRIu64 ",\"events_lost\":%" PRIu64 ",", summary_time(e), e->events,
            engine_lost(e));
}

void summary_object(const struct engine *e, FILE *out)
{
    put_head(e, out);
    put_output(e, out);
    fputc(',', out);
    put_counters(&e->cfg.info, model_counters(engine_view(e)), out);
    fputc(',', out);
    put_latency(&e->cfg.info, engine_view(e), out);
    if (e->races.found) {
        fputc(',', out);
        races_json(&e->races, e->cfg.scenario, out);
    }
    put_left(e, out);
    fprintf(out, ",\"audit\":{\"compared\":%" PRIu64 ",\"mismatches\":%" PRIu64 "}", e->audit.compared, e->audit.mismatches);
    fprintf(out, ",\"expect\":{\"passed\":%u,\"failed\":%u}}", expect_passed(e->expect), expect_failed(e->expect));
}
