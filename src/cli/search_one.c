/* See search_one.h. */
#include "cli/search_one.h"
#include "base/hash.h"
#include "cli/commands.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void search_first_line(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%.*s", (int)strcspn(text, "\n"), text);
}

uint64_t search_seed(const struct search_one *x, uint64_t job)
{
    return exploration_seed(x->what, job);
}

/* Finds the event to look at. A run of the tree is made once more with its choices. */
static void find_moment(const struct search_one *x, struct engine *e, const struct engine_config *c, struct outcome *out)
{
    struct engine_config again = *c;
    struct choices taken = {0};
    again.rt.course = NULL;
    if (x->tree && engine_choices(e, false, &taken))
        again.rt.choices = &taken;
    struct moment at = engine_moment(e, out->code, &again);
    out->at = at.event;
    out->at_g = at.g;
    vec_free(&taken);
}

/* Does and returns exactly what `run --headless` does and returns, since the replay command must give the same result. */
static void run_seed(struct search_one *x, struct engine_config c, const struct reader *reads, struct outcome *out)
{
    if (!scenario_info(x->sc)->go_file)
        command_headless_limits(&c, x->o);
    else if (!x->o->max_events && !x->o->recording)
        c.max_events = SEARCH_MOST_OF_GO;
    if (x->tries && x->tries->cap && x->tries->cap < c.max_events)
        c.max_events = x->tries->cap;
    c.lang = x->o->json ? LANG_EN : x->o->lang; /* JSON is for programs */
    c.readers = reads;
    c.nreaders = x->asked != NULL;
    struct engine *e = engine_new(&c, out->why, sizeof out->why);
    if (!e) {
        out->lacks = true;
        return;
    }
    engine_drive(e, &(struct drive){.audit = x->o->audit});
    struct verdict v = engine_finish(e, &(struct finish){.claims = true});
    out->code = v.code;
    out->own = engine_own_exit(e, v.code);
    out->events = e->events;
    out->cut = !out->code && e->how == ENDED_LIMIT && !expect_this_end(e->expect, ENDED_LIMIT);
    out->unjudged = !out->code && !out->cut && !v.claims_count;
    out->narrowed = e->cfg.rt.stalls && v.claims_count && expect_narrowed(e->expect);
    out->may = v.claims_count ? expect_may(e->expect) : 0;
    out->met = out->may & expect_met(e->expect);
    out->lacks = e->lack;
    out->kind = out->lacks ? 0 : engine_why(e, out->code, out->why, sizeof out->why);
    if (out->lacks)
        search_first_line(out->why, sizeof out->why, e->failure);
    if (out->code && !out->lacks && !x->tries && !x->recorded)
        find_moment(x, e, &c, out);
    races_lines(&e->races, x->sc, c.lang, out->races, sizeof out->races);
    if (x->asked && !out->lacks)
        x->asked->note(e, reads->ctx, out);
    uint64_t races = hash_bytes(out->races, strlen(out->races));
    bool shows = out->code || (out->has_value && x->asked->count) || (x->tree && *out->races && races != x->tree->races);
    if (x->tree && !x->tree->all.course.blocked && shows) {
        search_tree_keep(x->tree, e, out);
        x->tree->races = races;
    }
    if (x->tries)
        out->none = e->refused.kind || !engine_choices(e, false, &x->tries->with);
    engine_free(e);
}

void search_run_one(void *ctx, struct outcome *out)
{
    struct search_one *x = ctx;
    struct arena a = {0};
    const char *err = NULL;
    struct reader reads = {.ctx = NULL};
    struct engine_config c = command_engine(x->sc, x->o);
    struct choices given = {0};
    c.rt.seed = x->tries || x->recorded ? x->first : search_seed(x, out->job);
    c.rt.course = x->tree ? &x->tree->all.course : x->recorded;
    c.rt.stalls = x->tries ? 0 : exploration_stalls(x->o->stalls, c.rt.seed);
    if (x->tries) {
        given = x->tries->with;
        x->tries->with = (struct choices){0};
        c.rt.calm = true;
        c.rt.choices = given.n ? &given : NULL;
    }
    c.rt.spares = x->spares = x->spares ? x->spares : rt_spares_new();
    out->lacks = !engine_draw(&c, out->why, sizeof out->why);
    if (!out->lacks && x->asked && !x->asked->begin(x->asked->ctx, c.scenario, &a, &reads, &err)) {
        search_first_line(out->why, sizeof out->why, err ? err : strerror(ENOMEM));
        out->lacks = true;
    }
    if (!out->lacks)
        run_seed(x, c, &reads, out);
    if (reads.ctx && x->asked->fini)
        x->asked->fini(reads.ctx);
    arena_fini(&a);
    vec_free(&given);
    if (!out->lacks && out->code != 4) /* after a failure a thread may still run */
        scenario_forget(x->sc);
}

void search_try(void *ctx, struct outcome *out)
{
    struct search_one *x = ctx;
    if (x->tree)
        search_tree_try(x->tree, search_run_one, x, out);
    else
        search_run_one(x, out);
}
