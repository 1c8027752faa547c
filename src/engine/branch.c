/* See branch.h. A run is a function of scenario, seed and choices, so running it again at full speed repeats its past. */
#include "engine/branch.h"
#include <errno.h>
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

/* Compares event n. */
static bool same_at(struct history *a, struct history *b, uint64_t n, struct branch_refusal *why)
{
    struct history_event left, right;
    errno = 0;
    why->lack = !history_get(a, n, &left) || !history_get(b, n, &right);
    if (!why->lack && same_event(&left, &right))
        return true;
    if (why->lack)
        snprintf(why->text, sizeof why->text, "event %llu cannot be read back: %s", (unsigned long long)n, strerror(errno ? errno : EIO));
    else
        snprintf(why->text, sizeof why->text, "the repeated run differs from event %llu on", (unsigned long long)n);
    return false;
}

/* Compares the events that `like` still has. */
bool branch_same(struct engine *e, struct history *like, uint64_t events, struct branch_refusal *why)
{
    uint64_t oldest = history_oldest(like);
    for (uint64_t n = oldest + 1; n <= events; n++)
        if (!same_at(e->history, like, n, why))
            return false;
    return true;
}

static bool as_it_was(struct engine *e, uint64_t events, struct history *like, struct branch_refusal *why)
{
    if (run_to(e, events))
        return !like || branch_same(e, like, events, why);
    char words[STOP_TEXT] = "it ends before";
    if (e->refused.kind)
        stop_words(&e->refused, LANG_EN, words, sizeof words);
    why->lack = e->lack;
    snprintf(why->text, sizeof why->text, "the run cannot be repeated up to event %llu: %.200s", (unsigned long long)events,
             engine_failed(e) ? e->failure : words);
    return false;
}

void branch_lines(struct engine *e, struct line_ahead *at)
{
    e->ahead = at;
    e->source->ops->watch(e->source, true, false);
    engine_run(e);
    while (!engine_wait_stopped(e, LOOK_MS) && !engine_hangs(e)) {
        engine_drain(e, ENGINE_BATCH);
        engine_check_throw(e);
    }
    e->ahead = NULL;
}

struct engine *branch_run(const struct engine_config *cfg, const struct choices *choices, uint64_t events, struct history *like,
                          struct branch_refusal *why)
{
    struct engine_config c = *cfg;
    c.rt.choices = choices;
    c.nbreaks = 0;
    c.lesson = false;
    c.live = true;
    if (!c.history)
        c.history = HISTORY_BUDGET;
    struct engine *e = engine_new(&c, why->text, sizeof why->text);
    why->lack = !e;
    if (!e)
        return NULL;
    e->cfg.rt.choices = cfg->rt.choices; /* the source has copied its own; a restart uses the original ones */
    if (as_it_was(e, events, like, why))
        return e;
    engine_free(e);
    return NULL;
}
