/* gmpscope check: judges the claims of scenarios. Each scenario runs in both modes, with each seed, on its own generation or on all
 * that have what it uses, and once for each `without` with that mechanism disabled. Each of these prints one line; a summary
 * follows. All runs happen in this process, one after the other, so a runtime that cannot be torn down and started again fails here. */
#include "cli/commands.h"
#include "cli/search.h"
#include "cli/search_text.h"
#include "engine/lesson/rehearse.h"
#include "engine/shipped.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WHY_MAX 2000

struct checker {
    const struct options *o;
    bool recorded; /* --record: the file has a run that failed */
    uint64_t open, passed, failed, skipped, compared, mismatches;
    int code, write_error;
    struct junit junit;
    bool lacks; /* the machine ran out of something; reported, and no further run is judged */
};

/* Settings under which a lesson is played. */
struct everywhere {
    uint32_t procs, toggled; /* toggled: switches, on top of the scenario's own */
};

/* The subject of one line of the report: a scenario on a generation in a mode, over all seeds. */
struct subject {
    const struct scenario *sc;
    enum rt_generation gen;
    enum conductor_mode mode;
    uint32_t disable;   /* without: the additional mechanisms that are disabled, */
    uint64_t must_fail; /* and the claims (bits) that must then fail */
    uint64_t runs, bad, compared;
    bool unjudged;                    /* its settings are not those that the claims are about */
    uint64_t reported;                /* lesson: the entries (bits) about which a reason was given */
    const struct everywhere *setting; /* lesson: settings instead of the options'; NULL: the options' */
    char why[WHY_MAX];                /* the reasons of the first bad run, one per line */
};

static void say_why(struct subject *s, const char *text)
{
    char out[VISIBLE_BYTES];
    size_t at = strlen(s->why), len = strlen(text), room = sizeof s->why - VISIBLE_BYTES - sizeof "\n";
    if (at + 8 >= room)
        return;
    at += (size_t)snprintf(s->why + at, sizeof s->why - at, "        ");
    for (size_t i = 0, n; i < len && at < room; i += n) {
        size_t bytes = visible_next(text, i, len, &n, out);
        memcpy(s->why + at, out, bytes);
        at += bytes;
    }
    strcpy(s->why + at, "\n");
}

static void say_claims(struct subject *s, const struct engine *e)
{
    for (uint32_t i = 0; i < scenario_info(s->sc)->nexpect; i++)
        if (!expect_ok(e->expect, i))
            say_why(s, expect_why(e->expect, i));
    for (uint32_t i = 1; expect_fails_by_races(e->expect) && i < e->races.found; i++) {
        char text[RACE_TEXT];
        race_text(s->sc, &e->races.v[i], e->cfg.lang, text, sizeof text);
        say_why(s, text);
    }
}

static int judge_claims(struct subject *s, struct engine *e, bool first)
{
    int code = engine_exit_code(e, true);
    bool exits = e->how == ENDED_EXIT && e->exit_code == 0;
    bool ended =
        e->how != ENDED_MAIN_RETURNED && !exits && !expect_this_end(e->expect, e->how); /* without an `ends` claim main should return */
    if (ended)
        code = command_worse(code, e->how == ENDED_LIMIT ? 1 : 3);
    char why[EV_TEXT_MAX + 400];
    if (first && engine_test_failed(e, why, sizeof why)) {
        say_why(s, why);
    } else if (first && ended) {
        char text[2 * EV_TEXT_MAX + 600];
        bool died = e->how == ENDED_PANIC || e->how == ENDED_FATAL || e->how == ENDED_EXIT;
        engine_why(e, code, why, sizeof why);
        snprintf(text, sizeof text, "%s%s%s%s", search_text(e->how == ENDED_LIMIT ? ST_NO_RETURN_LIMIT : ST_NO_RETURN, e->cfg.lang),
                 died ? why : ev_word(FT_END_HOW, e->how), !died && e->fatal[0] ? ": " : "", died ? "" : e->fatal);
        say_why(s, text);
        if (e->how == ENDED_DEADLOCK || e->how == ENDED_ENDLESS)
            say_why(s, why);
    }
    if (first && code)
        say_claims(s, e);
    return code;
}

static int judge_without(struct subject *s, struct engine *e, bool first)
{
    int code = 0;
    for (uint32_t i = 0; i < scenario_info(s->sc)->nexpect && i < 64; i++) {
        if (!(s->must_fail >> i & 1) || !expect_counts(e->expect, i) || !expect_ok(e->expect, i))
            continue;
        char text[200];
        snprintf(text, sizeof text, search_format(ST_STILL_HOLDS, "%u%" PRIu64, e->cfg.lang), i + 1, e->cfg.rt.seed);
        if (first)
            say_why(s, text);
        code = 1;
    }
    return code;
}

/* Claims are judged with other Ps, with mechanisms disabled and with a policy, but not with other rules, another boot or another module. */
static bool about(const struct engine *e)
{
    const struct rt_config own = scenario_config(e->cfg.scenario);
    struct rt_config rt = e->cfg.rt;
    rt.gomaxprocs = own.gomaxprocs;
    rt.enable |= own.enable & rt.disable; /* before it was disabled */
    rt.disable = own.disable;
    rt.policy = own.policy;
    return rt_same_boot(&rt, &own) && rt_same_rules(&rt, &own);
}

/* Returns the exit code for this run; 2 if the machine ran out of something. */
static int judge(struct subject *s, struct engine *e)
{
    bool first = !s->bad;
    struct verdict v = engine_finish(e, &(struct finish){.err = stderr, .quiet = true});
    if (engine_failed(e)) {
        if (first && !e->lack)
            say_why(s, e->failure);
        return v.code;
    }
    if (!about(e)) {
        char why[EV_TEXT_MAX + 400];
        s->unjudged = true;
        if (first && v.code && !s->must_fail && engine_why(e, v.code, why, sizeof why))
            say_why(s, why);
        return s->must_fail ? 0 : v.code;
    }
    return s->must_fail ? judge_without(s, e, first) : judge_claims(s, e, first);
}

static struct engine_config settings(const struct checker *k, const struct subject *s, uint64_t nth)
{
    struct engine_config c = command_engine(s->sc, k->o);
    c.strict |= scenario_info(s->sc)->go_file;
    c.rt.generation = s->gen;
    c.rt.mode = s->mode;
    c.rt.fine &= s->mode == MODE_LOCKSTEP;
    c.rt.stalls *= s->mode == MODE_LOCKSTEP;
    c.rt.seed += nth;
    c.rt.disable |= s->disable;
    c.rt.enable &= ~s->disable;
    if (s->setting) {
        c.rt.gomaxprocs = s->setting->procs;
        c.procs_asked = true;
        c.rt.disable ^= s->setting->toggled;
    }
    command_headless_limits(&c, k->o);
    if (k->o->audit) /* the audit compares the history's levels, too */
        c.history = k->o->history;
    engine_draw(&c, (char[200]){""}, 200); /* engine_new() reports a failure */
    return c;
}

static int lacks(struct checker *k)
{
    k->lacks = true;
    k->code = 2;
    return -1;
}

/* Returns the exit code for this run; negative if it was interrupted or could not be judged. */
static int run_once(struct checker *k, struct subject *s, uint64_t nth)
{
    char err[200];
    struct engine_config c = settings(k, s, nth);
    struct engine *e = engine_new(&c, err, sizeof err);
    if (!e) {
        visible_line(stderr, "gmpscope: %s", err);
        return lacks(k);
    }
    bool records = k->o->record && !k->recorded && !s->must_fail; /* a run that fails as it should is not looked for */
    if (records && !command_record(e, k->o, &(struct record_asked){.path = k->o->record}, err, sizeof err)) {
        visible_line(stderr, "gmpscope: %s", err);
        engine_free(e);
        return lacks(k);
    }
    engine_drive(e, &(struct drive){.audit = k->o->audit, .pauses = k->o->pauses, .signal = signals_seen()});
    int code = e->how == ENDED_INTERRUPTED && !engine_failed(e) ? -1 : judge(s, e);
    if (code > 0 && !s->bad && k->o->seeds > 1) {
        char text[80];
        snprintf(text, sizeof text, search_format(ST_SEED, "%" PRIu64, c.lang), c.rt.seed);
        say_why(s, text);
    }
    uint32_t own = scenario_info(e->cfg.scenario)->gomaxprocs;
    if (code > 0 && !s->bad && e->cfg.rt.gomaxprocs != own) {
        char text[100];
        snprintf(text, sizeof text, search_format(ST_PROCS, "%u%u", c.lang), e->cfg.rt.gomaxprocs, own);
        say_why(s, text);
    }
    s->compared += e->audit.compared;
    k->mismatches += e->audit.mismatches;
    bool judged = !e->lack;
    k->recorded |= records && code > 0;
    if (command_record_end(e, 0))
        k->code = command_worse(k->code, 2);
    engine_free(e);
    if (judged && code != 4) /* after a failure a thread may still run */
        scenario_forget(s->sc);
    return judged ? code : lacks(k);
}

static bool over(const struct checker *k)
{
    return signals_code() || k->lacks;
}

/* whole: it made all its runs. An interrupted subject proves nothing, but a failure before that counts. */
static void report(struct checker *k, struct subject *s, const char *what, bool whole)
{
    if (s->unjudged)
        say_why(s, search_text(ST_CLAIMS_UNJUDGED, k->o->lang));
    const char *gen = k->o->has_generation || k->o->all_generations ? generation_name[s->gen] : "";
    whole |= s->bad > 0;
    printf("%-6s  %-20s  %s%s%-8s",
           s->bad  ? "FAILED"
           : whole ? "ok"
                   : "interrupted",
           scenario_info(s->sc)->name, gen, *gen ? "  " : "", what);
    if (s->bad)
        printf(search_format(ST_RUNS_BAD, "%" PRIu64 "%" PRIu64, k->o->lang), s->bad, s->runs);
    else if (s->runs > 1)
        printf(search_format(ST_RUNS, "%" PRIu64, k->o->lang), s->runs);
    if (k->o->audit)
        printf("  compared %" PRIu64, s->compared);
    putchar('\n');
    fputs(s->why, stdout);
    char name[200], message[400], lead = (char)strspn(s->why, " ");
    snprintf(name, sizeof name, "%s%s%s", gen, *gen ? " " : "", what);
    snprintf(message, sizeof message, "%.*s", (int)strcspn(s->why + lead, "\n"), s->why + lead);
    enum junit_result result = s->bad ? JUNIT_FAILED : whole ? JUNIT_PASSED : JUNIT_SKIPPED;
    junit_case(&k->junit,
               &(struct junit_case){scenario_info(s->sc)->name, name, result, "",
                                    s->bad || whole ? message : search_text(ST_SHRINK_SIGNAL, k->o->lang), s->bad ? s->why : ""});
    if (fflush(stdout) && !k->write_error)
        k->write_error = errno;
    k->compared += s->compared;
    if (s->bad)
        k->failed++;
    else if (whole)
        k->passed++;
}

static void check_subject(struct checker *k, struct subject *s, const char *what, int (*once)(struct checker *, struct subject *, uint64_t))
{
    for (uint64_t i = 0; i < k->o->seeds && !over(k); i++) {
        int code = once(k, s, i);
        if (code < 0)
            break;
        s->runs++;
        s->bad += code != 0;
        k->code = command_worse(k->code, code);
    }
    if (!k->lacks)
        report(k, s, what, s->runs == k->o->seeds);
}

/* Uses plain lockstep only: there one seed is a proof, while a free run may happen not to need the mechanism. */
static void check_without(struct checker *k, const struct scenario *sc)
{
    for (uint32_t i = 0; i < scenario_info(sc)->nwithout && !over(k); i++) {
        struct subject s = {.sc = sc, .gen = scenario_info(sc)->generation, .mode = MODE_LOCKSTEP};
        char what[120] = "without";
        scenario_without(sc, i, &s.disable, &s.must_fail);
        for (int d = 0; d < DIS_COUNT; d++)
            if (s.disable >> d & 1)
                snprintf(what + strlen(what), sizeof what - strlen(what), " %s", rt_disable_name[d]);
        check_subject(k, &s, what, run_once);
    }
}

static bool hides(const struct scenario_lesson *l, const char *pane)
{
    for (uint32_t i = 0; i < l->nhidden; i++)
        if (!strcmp(l->hidden[i], pane))
            return true;
    return false;
}

/* One run of a lesson that is judged. */
struct played {
    struct lesson_case c;
    const struct answers *a;
    const struct answer *x;
    struct scenario_lesson l; /* with the choices of the run */
};

/* Writes what is wrong with an entry that was met: its facts, its choices, what its texts state without proof. Returns false if nothing is. */
static bool entry_is_wrong(struct played *p, char *text, size_t size)
{
    char stated[120];
    const char *value;
    const struct scenario_lesson *l = &p->l;
    for (uint32_t k = 0; k < l->nfacts; k++)
        if (!answers_fact(p->a, &l->fact[k], &value)) {
            snprintf(text, size, ": %s does not hold: it is %s", l->fact[k].text, value ? value : "without a value");
            return true;
        }
    if (p->x->late && !(hides(l, "narration") && hides(l, "events"))) {
        snprintf(text, size,
                 " shows its answer: %s is in the log when it is asked; ask earlier, or hide narration, events and what else shows it",
                 l->query);
        return true;
    }
    if (l->listed && l->nchoices < 2) {
        snprintf(text, size, ": only %u choices differ", l->nchoices);
        return true;
    }
    if (scenario_lesson_misnames(&p->c, stated, sizeof stated)) {
        snprintf(text, size, " speaks of %s; say for which runs it holds (disable, generation)", stated);
        return true;
    }
    if (!scenario_unproved(&p->c, stated, sizeof stated))
        return false;
    snprintf(
        text, size,
        " states without proof: %s; fill it in ({QUERY}), assert it (facts), call it a rule (constants) or say for which runs it holds",
        stated);
    return true;
}

/* Writes what is wrong with an entry that holds. Returns false if nothing is. */
static bool entry_fails(struct played *p, char *text, size_t size)
{
    const struct answer *x = p->x;
    const struct scenario_lesson *l = &p->l;
    *text = '\0';
    if (x->never)
        snprintf(text, size, " is never met: %s", l->on);
    else if (l->query && !x->value)
        snprintf(text, size, ": %s has no value", l->query);
    else if (l->query && x->choice < 0)
        snprintf(text, size, ": %s is %s, which is not one of the choices", l->query, x->value);
    else
        return entry_is_wrong(p, text, size);
    return true;
}

/* Writes the settings that are not the file's own, as options. */
static void write_settings(const struct scenario *sc, const struct rt_config *rt, char *text, size_t size)
{
    const struct rt_config own = scenario_own_settings(sc);
    size_t n = (size_t)snprintf(text, size, "seed %" PRIu64, rt->seed);
    if (rt->gomaxprocs != own.gomaxprocs)
        n += (size_t)snprintf(text + n, size - n, " --procs %u", rt->gomaxprocs);
    if (rt->generation != own.generation)
        n += (size_t)snprintf(text + n, size - n, " --generation %s", generation_name[rt->generation]);
    for (int d = 0; d < DIS_COUNT; d++)
        if ((rt->disable & ~own.disable) >> d & 1)
            n += (size_t)snprintf(text + n, size - n, " --disable %s", rt_disable_name[d]);
}

/* Plays the lesson in lockstep, where the log of a seed is its answer. Each entry that holds there must be met, and each answer must be a choice.
 * An entry is reported once. */
static int judge_lesson(struct checker *k, struct subject *s, const struct engine_config *c, const struct answers *a)
{
    int code = 0;
    for (uint32_t i = 0; i < a->n; i++) {
        char what[300], where[160], place[300], text[800];
        struct played p = {.c = {.sc = c->scenario, .entry = i, .rt = &c->rt}, .a = a, .x = &a->v[i]};
        if (!scenario_lesson_holds(c->scenario, i, &c->rt))
            continue;
        answers_entry(a, i, &p.l);
        p.c.right = p.l.nchoices && p.x->choice >= 0 ? text_in(&p.l.choice[p.x->choice], LANG_EN) : NULL;
        if (!entry_fails(&p, what, sizeof what))
            continue;
        code = 1;
        if (s->reported & UINT64_C(1) << (i % 64) || (s->bad && !k->o->everywhere))
            continue;
        s->reported |= UINT64_C(1) << (i % 64);
        write_settings(c->scenario, &c->rt, where, sizeof where);
        scenario_lesson_place(c->scenario, i, place, sizeof place);
        snprintf(text, sizeof text, "%s: lesson entry %u%s (%s)", place, i + 1, what, where);
        say_why(s, text);
    }
    return code;
}

/* Plays it in free mode, where it depends on the machine which entries are met and what is true. So only this is judged: the answer of a
 * question that is asked is one of its choices. Even that is only reported: a free run may take any course. */
static int judge_free(struct subject *s, const struct engine_config *c, const struct answers *a)
{
    for (uint32_t i = 0; i < a->n && !*s->why; i++) {
        char text[300];
        struct scenario_lesson l;
        const struct answer *x = &a->v[i];
        answers_entry(a, i, &l);
        if (x->never || l.listed || !l.query || !x->value || x->choice >= 0 || !scenario_lesson_holds(c->scenario, i, &c->rt))
            continue;
        snprintf(text, sizeof text, "lesson entry %u: in this free run %s is %s, which is not one of the choices", i + 1, l.query,
                 x->value);
        say_why(s, text);
    }
    return 0;
}

static int play_once(struct checker *k, struct subject *s, uint64_t nth)
{
    bool free = s->mode == MODE_FREE;
    char err[200];
    struct answers a = {.lacks = true};
    struct engine_config c = settings(k, s, nth);
    struct break_words w = {&scenario_info(s->sc)->programs, rt_generation_has_p(s->gen), false, LANG_EN};
    snprintf(err, sizeof err, "%s", strerror(ENOMEM));
    bool good =
        engine_draw(&c, err, sizeof err) && answers_init(&a, c.scenario, &w) && (free ? rehearse_once : rehearse)(&a, &c, err, sizeof err);
    int code = !good ? 4 : free ? judge_free(s, &c, &a) : judge_lesson(k, s, &c, &a);
    if (!good && a.lacks)
        visible_line(stderr, "gmpscope: %s: %s", scenario_info(s->sc)->name, err);
    else if (!good && !s->bad)
        say_why(s, err);
    bool judged = good || !a.lacks;
    answers_fini(&a);
    return !judged ? lacks(k) : signals_code() ? -1 : code;
}

#define CLAIM_SCHEDULES 1000 /* searched for each claim about all schedules */

/* Searches for a schedule that decides a claim about all of them, as `gmpscope claim` does. no_stalls: in runs without stalls. */
static void check_modal(struct checker *k, const struct scenario *sc, enum rt_generation gen, const struct claim_place *at, bool no_stalls)
{
    const char *path = scenario_info(sc)->path;
    struct options o = *k->o;
    struct claim_answer a = {.text = NULL};
    o.arena = (struct arena){0}; /* its own, which is freed below */
    o.args = &path;
    o.nargs = 1;
    o.has_generation = gen != scenario_info(sc)->generation;
    o.generation = gen;
    if (no_stalls)
        o.stalls = 0;
    o.has_stalls |= no_stalls;
    search_options(sc, &o);
    o.has_seeds = true;
    o.seeds = k->o->seeds > CLAIM_SCHEDULES ? k->o->seeds : CLAIM_SCHEDULES;
    o.record = NULL;
    int code = claim_search(sc, &o, at, &a);
    arena_fini(&o.arena);
    if (code || !a.text || !a.claim) {
        k->code = command_worse(k->code, code == 4 ? 4 : 2);
        k->lacks |= code != 4 && !signals_code();
        junit_case(&k->junit, &(struct junit_case){scenario_info(sc)->name, a.claim ? a.claim : "claim", JUNIT_ERROR, "",
                                                   "the search ended before it had an answer", ""});
        free(a.text);
        free(a.claim);
        return;
    }
    visible_line(stdout, "%-6s  %-20s  %s", !a.decided ? "open" : a.holds ? "ok" : "FAILED", scenario_info(sc)->name, a.claim);
    printf("    %s", a.text);
    char message[400];
    int line = (int)strcspn(a.text, "\n");
    snprintf(message, sizeof message, "%.*s", line, a.text);
    enum junit_result result = !a.decided ? JUNIT_SKIPPED : a.holds ? JUNIT_PASSED : JUNIT_FAILED;
    junit_case(&k->junit, &(struct junit_case){scenario_info(sc)->name, a.claim, result, "", message, a.text + line});
    free(a.text);
    free(a.claim);
    k->passed += a.decided && a.holds;
    k->failed += a.decided && !a.holds;
    k->open += !a.decided;
    if (a.decided && !a.holds)
        k->code = command_worse(k->code, 1);
}

static void check_lesson(struct checker *k, const struct scenario *sc, enum rt_generation gen)
{
    for (int mode = 0; scenario_info(sc)->nlesson && mode < MODES && !over(k); mode++) {
        struct subject s = {.sc = sc, .gen = gen, .mode = (enum conductor_mode)mode};
        if (!k->o->has_mode || k->o->mode == s.mode)
            check_subject(k, &s, mode == MODE_FREE ? "lesson, free" : "lesson", play_once);
    }
    for (uint32_t i = 0; gen == scenario_info(sc)->generation && i < scenario_info(sc)->nlesson && !over(k); i++) {
        struct scenario_lesson l;
        scenario_lesson(sc, i, &l);
        const struct claim_place at = {.i = i, .lesson = true, .asked = l.answer ? MODAL_NEVER : MODAL_MAY};
        if (l.can)
            check_modal(k, sc, gen, &at, l.no_stalls);
    }
}

/* Plays it with these Ps: as it is, and with each switch the other way round. Returns false if the run was interrupted or the machine lacks something. */
static bool play_switches(struct checker *k, struct subject *s, uint32_t procs)
{
    for (int d = -1; d < DIS_COUNT && !over(k); d++) {
        struct everywhere setting = {procs, d < 0 ? 0 : 1u << d};
        if (d >= 0 && !rt_generation_has(s->gen, (enum rt_disable)d))
            continue;
        s->setting = &setting;
        for (uint64_t i = 0; i < k->o->seeds && !over(k); i++) {
            int code = play_once(k, s, i);
            if (code < 0)
                return false;
            s->runs++;
            s->bad += code != 0;
            k->code = command_worse(k->code, code);
        }
    }
    return !over(k);
}

/* Plays it in lockstep with 1, 2, 3, 4 and 8 Ps, each switch, each generation, in one line of the report. */
static void check_everywhere(struct checker *k, const struct scenario *sc)
{
    static const uint32_t procs[] = {1, 2, 3, 4, 8};
    char why[300];
    bool lacking, whole = scenario_info(sc)->nlesson;
    struct subject s = {.sc = sc, .mode = MODE_LOCKSTEP};
    for (int gen = GENERATIONS - 1; gen >= 0 && whole; gen--) {
        if (k->o->has_generation && k->o->generation != (enum rt_generation)gen)
            continue;
        s.gen = (enum rt_generation)gen;
        for (size_t i = 0; i < sizeof procs / sizeof *procs && whole && command_is_for(sc, k->o, s.gen, &lacking, why, sizeof why); i++)
            if (!k->o->procs || k->o->procs == procs[i])
                whole = play_switches(k, &s, procs[i]);
    }
    if (!k->lacks && s.runs)
        report(k, &s, "lesson, everywhere", whole);
}

static void check_generation(struct checker *k, const struct scenario *sc, enum rt_generation gen)
{
    if (k->o->lessons) {
        check_lesson(k, sc, gen);
        return;
    }
    for (int mode = 0; mode < MODES && !over(k); mode++) {
        struct subject s = {.sc = sc, .gen = gen, .mode = (enum conductor_mode)mode};
        if (!k->o->has_mode || k->o->mode == s.mode)
            check_subject(k, &s, mode_name[mode], run_once);
    }
    for (uint32_t i = 0; i < scenario_info(sc)->nexpect && !over(k); i++) {
        bool no_stalls;
        if (scenario_modal(sc, i, gen, &no_stalls) && (!k->o->has_mode || k->o->mode == MODE_LOCKSTEP))
            check_modal(k, sc, gen, &(struct claim_place){.i = i}, no_stalls);
    }
    /* A `without` says something about the scenario's own generation only. */
    if ((!k->o->has_mode || k->o->mode == MODE_LOCKSTEP) && gen == scenario_info(sc)->generation && !k->o->fine && !k->o->stalls)
        check_without(k, sc);
}

/* Checks one generation if it has all that the scenario uses; otherwise prints that it is skipped, with the first missing thing. */
static void check_or_skip(struct checker *k, const struct scenario *sc, enum rt_generation gen)
{
    char why[300];
    bool lacking;
    if (command_is_for(sc, k->o, gen, &lacking, why, sizeof why)) {
        check_generation(k, sc, gen);
        return;
    }
    if (lacking) {
        visible_line(stderr, "gmpscope: %s: %s", scenario_info(sc)->name, why);
        lacks(k);
        return;
    }
    visible_line(stdout, "-       %-20s  %s  skipped: %s", scenario_info(sc)->name, generation_name[gen], why);
    k->skipped++;
    junit_case(&k->junit, &(struct junit_case){scenario_info(sc)->name, generation_name[gen], JUNIT_SKIPPED, "", why, ""});
}

static void check_scenario(struct checker *k, const struct scenario *sc)
{
    if (k->o->everywhere) {
        check_everywhere(k, sc);
        return;
    }
    if (!k->o->all_generations) {
        check_or_skip(k, sc, command_generation(sc, k->o));
        return;
    }
    for (int gen = GENERATIONS - 1; gen >= 0 && !over(k); gen--) /* the enum counts from the newest; report the oldest first */
        check_or_skip(k, sc, (enum rt_generation)gen);
}

/* Loads every file before the first run: if one of them has a mistake, nothing runs. Returns: NULL after an error message. */
static struct scenario **load_all(struct options *o, const char **args, size_t n)
{
    struct arena *a = &o->arena;
    bool good = true;
    struct scenario **sc = arena_alloc(a, (n + 1) * sizeof *sc);
    for (size_t i = 0; sc && i < n; i++)
        good &= (sc[i] = command_scenario(o, args[i])) != NULL && (!o->nargs || o->all_generations || command_fits(sc[i], o));
    if (!sc)
        usage_error("%s", strerror(ENOMEM));
    if (sc && good)
        return sc;
    for (size_t i = 0; sc && i < n; i++)
        if (sc[i])
            scenario_free(sc[i]);
    return NULL;
}

static int check_all(struct options *o)
{
    struct checker k = {.o = o};
    size_t n = (size_t)o->nargs;
    if (o->everywhere && !o->lessons)
        return usage_error("--everywhere needs --lessons");
    const char **args = n ? o->args : shipped_all(&o->arena, "scenarios", &n);
    if (!args)
        return 2;
    if (o->record && (n != 1 || o->lessons))
        return usage_error("--record needs one FILE or NAME, whose claims are checked");
    if (!n)
        return usage_error("no scenarios in %s", shipped_dir(&o->arena, "scenarios"));
    struct scenario **sc = load_all(o, args, n);
    if (!sc)
        return 2;
    bool goes = junit_begin(&k.junit, o->junit), program = false;
    signals_watch();
    for (size_t i = 0; i < n; i++) {
        program |= scenario_info(sc[i])->go != NULL;
        if (goes && !over(&k))
            check_scenario(&k, sc[i]);
        scenario_free(sc[i]);
    }
    if (!goes)
        return 2;
    enum lang lang = o->lang;
    printf(search_format(ST_PASSED, "%" PRIu64 "%" PRIu64, lang), k.passed, k.failed);
    if (k.skipped)
        printf(search_format(ST_SKIPPED, "%" PRIu64, lang), k.skipped);
    if (k.open)
        printf(search_format(ST_OPEN, "%" PRIu64, lang), k.open);
    if (program && !k.failed)
        fputs(search_text(ST_ONE_EACH, lang), stdout);
    if (k.lacks)
        fputs(search_text(ST_LACKS, lang), stdout);
    else if (signals_code())
        fputs(search_text(ST_BY_SIGNAL, lang), stdout);
    if (o->audit)
        printf(search_format(ST_COMPARED, "%" PRIu64 "%" PRIu64, lang), k.compared, k.mismatches);
    putchar('\n');
    if (k.lacks)
        junit_case(&k.junit, &(struct junit_case){"gmpscope", "check", JUNIT_ERROR, "", search_text(ST_LACKS, lang), ""});
    k.code = junit_end(&k.junit, k.code);
    return output_finish(k.code ? k.code : signals_code(), k.write_error);
}

int cmd_check(int argc, char **argv)
{
    struct options o;
    int code = 2;
    if (options_parse(&o, CMD_CHECK, argc, argv))
        code = o.help ? command_help("check [FILE|NAME…] [options]", "check scenarios' expectations, in both modes", CMD_CHECK)
                      : check_all(&o);
    options_fini(&o);
    return code;
}
