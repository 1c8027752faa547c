/* Reports a run that did not end well, in Go's words; and the exit code. */
#include "base/text.h"
#include "engine/last.h"
#include <string.h>

static const char *go_state(const struct model_g *g)
{
    const char *reason = g->status == G_WAITING ? ev_go_reason(g->reason) : NULL;
    if (reason)
        return reason;
    return g->status == G_RUNNING ? "running" : g->status == G_SYSCALL ? "syscall" : "runnable";
}

static void print_g(const struct model *md, const struct model_g *g, const char *state, FILE *out)
{
    fprintf(out, "\ngoroutine %u [%s]:\nmain.%s()\n", g->id, state, model_fn_name(md, g->id));
}

/* Go lists all goroutines of a deadlock. There may be a million here, so only the first are listed. */
#define MOST_GOROUTINES 100u

static void print_waiting(const struct model *md, FILE *out)
{
    uint32_t shown = 0;
    const struct model_g *g;
    for (uint32_t id = 1; (g = model_g(md, id)); id++) {
        if (g->status == G_DEAD)
            continue;
        if (shown++ < MOST_GOROUTINES)
            print_g(md, g, go_state(g), out);
    }
    if (shown > MOST_GOROUTINES)
        fprintf(out, "\n...additional %u goroutines elided...\n", shown - MOST_GOROUTINES);
}

static void print_fatal(const struct engine *e, const char *prefix, FILE *out)
{
    const char *text = e->fatal;
    if (e->how == ENDED_FATAL && !strcmp(text, "thread exhaustion")) /* checkmcount prints this line first */
        fprintf(out, "runtime: program exceeds %u-thread limit\n", e->cfg.rt.max_threads);
    visible_line(out, "%s%s", strncmp(text, prefix, strlen(prefix)) ? prefix : "", text);
    const struct model_g *g = model_g(engine_view(e), e->fatal_g);
    if (g)
        print_g(engine_view(e), g, "running", out);
}

/* Writes one of the last events as a line. */
static void last_line(const struct engine *e, uint64_t number, char *line, size_t size)
{
    const struct engine_event *h = last_at(e, number);
    struct history_event k = {.m = h->m, .ev = h->ev, .text = h->text, .len = h->len};
    line[0] = '\0';
    if (!e->history || history_get(e->history, number, &k))
        event_line(e->model, k.m, &k.ev, k.text, k.len, line, size);
}

static void print_failure(const struct engine *e, FILE *out)
{
    if (e->lack) {
        visible_line(out, "gmpscope: %s", e->failure);
        return;
    }
    char line[1200];
    uint64_t from = e->events > 50 ? e->events - 50 : 0;
    fputs("gmpscope: an internal check failed: ", out);
    for (const char *p = e->failure; *p; p += strcspn(p, "\n"), p += *p == '\n') /* some failures are lists */
        visible_line(out, "%.*s", (int)strcspn(p, "\n"), p);
    if (e->events)
        fprintf(out, "the last %llu of %llu %s:\n", (unsigned long long)(e->events - from), (unsigned long long)e->events,
                e->details ? "events" : "core events (details were not recorded)");
    for (uint64_t i = from; i < e->events; i++) {
        last_line(e, i + 1, line, sizeof line);
        fprintf(out, "  %s\n", line);
    }
}

static bool died(const struct engine *e)
{
    return e->how == ENDED_DEADLOCK || e->how == ENDED_PANIC || e->how == ENDED_FATAL;
}

/* A run that dies as its scenario expects has ended well. */
static bool end_expected(const struct engine *e)
{
    return scenario_expects_end(e->cfg.scenario, &e->cfg.rt, e->how);
}

void engine_post_mortem(const struct engine *e, FILE *out)
{
    if (engine_failed(e)) {
        print_failure(e, out);
        return;
    }
    if (end_expected(e))
        return;
    const char *fatal = rt_generation_fatal(e->cfg.rt.generation);
    switch (e->how) {
    case ENDED_DEADLOCK:
        visible_line(out, "%s%s", fatal, e->fatal[0] ? e->fatal : "all goroutines are asleep - deadlock!");
        print_waiting(engine_view(e), out);
        break;
    case ENDED_PANIC:
        print_fatal(e, "panic: ", out);
        break;
    case ENDED_FATAL:
        print_fatal(e, fatal, out);
        break;
    }
}

int engine_exit_code(const struct engine *e, bool judged)
{
    if (engine_failed(e))
        return e->lack ? 2 : 4;
    if (judged && expect_failed(e->expect))
        return 1;
    return died(e) && !end_expected(e) ? 3 : 0;
}
