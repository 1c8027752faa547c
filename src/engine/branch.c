/* See branch.h. A run is a function of scenario, seed and choices, so running it again at full speed repeats its past. */
#include "engine/branch.h"
#include <string.h>

#define LOOK_MS 1

static uint64_t missing(const struct engine *e, uint64_t events)
{
    return e->events < events ? events - e->events : 0;
}

/* Runs one stretch. Usually one is enough, because seek() stops right after the event. */
static void stretch(struct engine *e, uint64_t events)
{
    e->source->ops->seek(e->source, events);
    while (!engine_wait_stopped(e, LOOK_MS) && !engine_hangs(e)) {
        engine_drain(e, missing(e, events)); /* the rings must not fill up */
        engine_check_throw(e);
    }
    engine_drain(e, missing(e, events));
    engine_check_throw(e);
}

static bool run_to(struct engine *e, uint64_t events)
{
    while (missing(e, events) && e->how < 0 && !engine_held(e) && !engine_failed(e) && !e->refused.kind) {
        if (engine_pending(e) >= missing(e, events))
            engine_drain(e, missing(e, events));
        else
            stretch(e, events);
    }
    return !missing(e, events) && !engine_failed(e) && !e->refused.kind;
}

static bool same_event(const struct history_event *a, const struct history_event *b)
{
    return a->m == b->m && !memcmp(&a->ev, &b->ev, sizeof a->ev) && a->len == b->len && (!a->len || !memcmp(a->text, b->text, a->len));
}

/* Returns the number of the first event that differs, among those that b still has; 0: none. */
static uint64_t differs(struct history *a, struct history *b, uint64_t events)
{
    struct history_event left, right;
    uint64_t oldest = history_oldest(b);
    for (uint64_t n = oldest + 1; n <= events; n++)
        if (!history_get(a, n, &left) || !history_get(b, n, &right) || !same_event(&left, &right))
            return n;
    return 0;
}

bool branch_same(struct engine *e, struct history *like, uint64_t events, char *err, size_t size)
{
    uint64_t n = differs(e->history, like, events);
    if (n)
        snprintf(err, size, "the repeated run differs from event %llu on", (unsigned long long)n);
    return n == 0;
}

static bool as_it_was(struct engine *e, uint64_t events, struct history *like, char *err, size_t size)
{
    if (run_to(e, events))
        return !like || branch_same(e, like, events, err, size);
    char words[STOP_TEXT] = "it ends before";
    if (e->refused.kind)
        stop_words(&e->refused, LANG_EN, words, sizeof words);
    snprintf(err, size, "the run cannot be repeated up to event %llu: %s", (unsigned long long)events,
             engine_failed(e) ? e->failure : words);
    return false;
}

struct engine *branch_run(const struct engine_config *cfg, const struct choices *choices, uint64_t events, struct history *like, char *err,
                          size_t size)
{
    struct engine_config c = *cfg;
    c.rt.choices = choices;
    c.nbreaks = 0;
    c.lesson = false;
    c.live = true;
    if (!c.history)
        c.history = HISTORY_BUDGET;
    struct engine *e = engine_new(&c, err, size);
    if (!e)
        return NULL;
    e->cfg.rt.choices = cfg->rt.choices; /* the source has copied its own; a restart uses the original ones */
    if (as_it_was(e, events, like, err, size))
        return e;
    engine_free(e);
    return NULL;
}
