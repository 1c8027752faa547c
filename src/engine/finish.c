/* The end of a run: what is judged and reported, and the exit code. Every command ends its runs here. */
#include "base/text.h"
#include "engine/engine.h"
#include "engine/summary.h"
#include <inttypes.h>

/* Claims are about whole runs with the scenario's own Ps and mechanisms, in any mode, with any seed. They do not apply to a run that was
 * asked to stop early or was steered by hand; what is claimed of each Go program holds at any moment. --strict asks whether they hold with a mechanism
 * switched off. */
static bool claims_apply(const struct engine *e)
{
    bool asked = e->how == ENDED_LIMIT && e->cfg.limit_asked && !e->races.by_place;
    if (e->how == ENDED_BREAK || e->how == ENDED_INTERRUPTED || e->write_error || asked || engine_departed(e) || e->was.departed)
        return false;
    return expect_about(e->expect, &e->cfg.rt, e->cfg.strict);
}

/* Did Gs of the program stay, that main did not wait for? Most runs leave none, so they need not be looked at. Of a Go program, Gs that a run left when it
 * was cut may wait for ever, too: something else goes on, such as a ticker. */
static bool leaves_gs(const struct engine *e)
{
    uint32_t g = 0;
    if (e->how == ENDED_LIMIT && e->races.by_place && e->cfg.rt.mode == MODE_LOCKSTEP)
        return !engine_failed(e);
    if (e->how != ENDED_MAIN_RETURNED && e->how != ENDED_DEADLOCK)
        return false;
    do
        g = model_next_live(engine_view(e), g);
    while (g == 1 || ev_is_system_g(g));
    return g;
}

void engine_judge(struct engine *e)
{
    if (e->judged)
        return;
    e->judged = true;
    e->claims_apply = claims_apply(e);
    bool leaves = leaves_gs(e);
    const struct waits *waits = leaves ? engine_waits(e) : NULL;
    if (waits)
        model_note_leaks(e->report, waits_left(waits).leaked);
    else if (leaves && !engine_failed(e))
        engine_lacks(e, "cannot find the leaked Gs: out of memory");
    char race[RACE_TEXT] = "";
    if (e->races.found)
        race_text(e->cfg.scenario, e->races.v, e->cfg.lang, race, sizeof race);
    expect_first_race(e->expect, race);
    if (!expect_finish(e->expect, engine_view(e), e->how, waits))
        engine_lacks(e, "cannot judge the claims: out of memory");
}

static void say_failed_claims(const struct engine *e, FILE *err)
{
    for (uint32_t i = 0; i < expect_claims(e->expect); i++)
        if (!expect_ok(e->expect, i))
            visible_line(err, "gmpscope: %s", expect_why(e->expect, i));
    if (expect_fails_by_races(e->expect))
        races_say(&e->races, 1, e->cfg.scenario, e->cfg.lang, "gmpscope: ", err);
}

static void say_cut_by_time(const struct engine *e, FILE *err)
{
    char time[40];
    fprintf(err, "stopped at the limit of %s of scenario time (--limit)", duration_text(e->cfg.limit, time, sizeof time));
    if (e->standstill && engine_was_free(e))
        fprintf(err, "; the process was suspended for %s of that time",
                duration_text(e->standstill / 1000000 * 1000000, time, sizeof time));
}

/* Reports that a run was cut or ran past its breakpoints, which nothing else shows. For a run that ended as its claims say, at a
 * breakpoint or by a signal, it reports nothing. */
static void say_cut(const struct engine *e, FILE *err)
{
    bool cut = e->how == ENDED_LIMIT && !expect_this_end(e->expect, ENDED_LIMIT);
    bool missed = e->breaks.n && e->how != ENDED_BREAK && e->how != ENDED_INTERRUPTED && e->how >= 0;
    if (engine_failed(e) || e->write_error || (!cut && !missed))
        return;
    fputs("gmpscope: ", err);
    if (cut && e->fatal_g)
        fprintf(err, "stopped: it has computed for more than %s of scenario time (--limit)",
                duration_text(e->cfg.rt.compute, (char[40]){""}, 40));
    else if (cut && summary_cut_by_time(e))
        say_cut_by_time(e, err);
    else if (cut)
        fprintf(err, "stopped at the limit of %" PRIu64 " events (--max-events)", e->cfg.max_events);
    if (cut && missed)
        fputs("; ", err);
    if (missed && e->breaks.n == 1)
        visible_line(err,
                     pattern_unrecorded(e->breaks.v[0]->match.pattern, e->cfg.info.lacks)
                         ? "--break \"%s\" cannot match: this source never records it"
                         : "--break \"%s\" never matched",
                     e->breaks.v[0]->text);
    else if (missed)
        visible_line(err, "none of the %u --break patterns matched", e->breaks.n);
    else
        fputc('\n', err);
}

struct verdict engine_finish(struct engine *e, const struct finish *f)
{
    bool said = f->err && !f->quiet && !f->early;
    if (!f->early || engine_failed(e))
        engine_judge(e);
    bool failed = engine_failed(e), counts = f->claims && e->judged && e->claims_apply;
    if (said || (failed && f->err))
        engine_post_mortem(e, f->err);
    if (said && f->cut)
        say_cut(e, f->err);
    if (said && counts && !failed)
        say_failed_claims(e, f->err);
    struct verdict v = {.claims_count = counts, .code = f->early && !failed ? 0 : engine_exit_code(e, counts)};
    char mistake[STOP_TEXT];
    if (!failed && !f->quiet && engine_choices_mistake(e, mistake, sizeof mistake)) {
        v.code = 2;
        if (f->err)
            visible_line(f->err, "gmpscope: --choices: %s", mistake);
    }
    return v;
}
