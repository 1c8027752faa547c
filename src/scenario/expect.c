/* Judges expectations from the merged events: counts while events pass, and decides when the run is over. */
#include "scenario/scenario_internal.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum claim_text {
#define SAY(id, ...) CT_##id,
#include "scenario/claim_texts.def"
#undef SAY
    CLAIM_TEXTS
};

static const struct text table[CLAIM_TEXTS] = {
#define SAY(id, ...) [CT_##id] = {{__VA_ARGS__}},
#include "scenario/claim_texts.def"
#undef SAY
};

struct judged {
    bool counts; /* it applies to this run */
    bool ok;
    struct matcher match; /* of the pattern; sequence: of the current pattern */
    struct modal_watch watch;
    unsigned at;        /* sequence: the current pattern */
    uint64_t broken_at; /* the event at which the claim failed; 0: it has not, or it fails at the end */
    char *why;
};

struct expect {
    const struct scenario *sc; /* NULL: it has no claims */
    enum lang lang;            /* of the reasons */
    struct judged *j;
    uint32_t n;               /* claims */
    uint32_t ends, may_end;   /* bits 1 << ENDED_…: the ends that claims name; that only a `may` names */
    uint64_t met;             /* bits of the claims `may: X` that this run shows */
    VEC(const char *) lines;  /* printed on stdout */
    VEC(uint64_t) line_began; /* the number of the event that began it */
    bool open;                /* the last line has no end yet */
    bool finished, lost;      /* lost: out of memory, so nothing can be judged */
    bool about[EV_KINDS];     /* a claim counts events of this kind, or judges the state after them; or it prints, or ends the program */
    bool sees_states;         /* a claim is about the state between events */
    bool sees_time;           /* a `may: when …` or its like */
    bool sees_details;        /* a claim, even one that does not apply, can match detail events */
    bool ended;
    int64_t end_time;
    const char *race; /* the first one, in words; NULL: none */
};

static void note_pattern(struct expect *x, const struct pattern *p)
{
    pattern_kinds(p, x->about);
    for (int kind = 0; pattern_is_when(p) && kind < EV_KINDS; kind++)
        x->about[kind] = x->sees_states = true;
}

static bool in_scope(const struct claim *c, const struct rt_config *rt)
{
    return (c->mode < 0 || c->mode == (int)rt->mode) && (!c->has_seed || c->seed == rt->seed) && c->gens >> rt->generation & 1;
}

/* In a fine run the next M is picked as unfairly as on a real machine, and with choices it is picked by a person. So
 * claims for lockstep only, or for one seed, apply only to plain runs. */
static bool claim_applies(const struct claim *c, const struct rt_config *rt)
{
    bool narrowed = rt->stalls && c->no_stalls;
    return in_scope(c, rt) && !narrowed && !((rt->fine || rt->choices || rt->course) && (c->mode >= 0 || c->has_seed));
}

struct expect *expect_new(const struct scenario *sc, const struct rt_config *rt, bool strict, enum lang lang)
{
    struct expect *x = calloc(1, sizeof *x);
    if (!x)
        return NULL;
    x->sc = sc;
    x->lang = lang;
    x->n = sc && (strict || !sc->info.go_file) ? sc->info.nexpect : 0;
    x->about[EV_PRINT] = x->about[EV_PROGRAM_END] = true;
    x->j = calloc(x->n + 1, sizeof *x->j);
    if (!x->j) {
        free(x);
        return NULL;
    }
    for (uint32_t i = 0; i < x->n; i++) {
        const struct claim *c = &sc->claim[i];
        x->sees_details |= c->kind == CLAIM_LEAKS; /* which Gs are leaked follows from the state of channels, mutexes … */
        bool may = c->kind == CLAIM_MODAL && c->modal.word == MODAL_MAY;
        if ((c->kind == CLAIM_ENDS || (c->kind == CLAIM_MODAL && c->end >= 0)) && in_scope(c, rt))
            *(may ? &x->may_end : &x->ends) |= 1u << c->end;
        x->j[i].counts = claim_applies(c, rt) && !may;
        x->j[i].watch = c->kind == CLAIM_MODAL && claim_applies(c, rt) ? modal_watch_of(&c->modal) : (struct modal_watch){.of = NULL};
        x->j[i].ok = true;
        x->j[i].match.pattern = c->pattern ? c->pattern[0] : NULL;
        uint32_t patterns = !c->pattern ? 0 : c->kind == CLAIM_SEQUENCE ? c->nlines : 1;
        for (uint32_t k = 0; k < patterns; k++) {
            x->sees_details |= pattern_asks_for_details(c->pattern[k]);
            if (x->j[i].counts || x->j[i].watch.of)
                note_pattern(x, c->pattern[k]);
            x->sees_time |= x->j[i].watch.of && pattern_is_when(c->pattern[k]);
        }
    }
    return x;
}

void expect_free(struct expect *x)
{
    if (!x)
        return;
    for (uint32_t i = 0; i < x->n; i++)
        free(x->j[i].why);
    for (size_t i = 0; i < x->lines.n; i++)
        free((char *)x->lines.v[i]);
    vec_free(&x->lines);
    vec_free(&x->line_began);
    free(x->j);
    free(x);
}

/* ---- while it runs ---- */

/* Adds what was printed on stdout to the lines. If memory runs out, it is lost. */
static void add_print(struct expect *x, const struct merged_event *at)
{
    size_t n = at->text ? at->len : 0, before = x->open ? strlen(x->lines.v[x->lines.n - 1]) : 0;
    if (at->e->b & PRINT_STDERR)
        return;
    char *line = realloc(x->open ? (char *)x->lines.v[x->lines.n - 1] : NULL, before + n + 1);
    if (line && n)
        memcpy(line + before, at->text, n);
    if (line)
        line[before + n] = '\0';
    if (line && x->open)
        x->lines.v[x->lines.n - 1] = line;
    else if (!line || !vec_push(&x->line_began, at->number) || !vec_push(&x->lines, line))
        x->lost = true;
    if (x->lost && !x->open)
        free(line);
    else
        x->open = at->e->b & PRINT_PART;
}

static void step_sequence(struct judged *j, const struct claim *c, const struct merged_event *at)
{
    if (j->at == c->nlines || !matcher_event(&j->match, at) || !matcher_is_nth(&j->match, at->number))
        return;
    if (++j->at < c->nlines)
        matcher_reset(&j->match, c->pattern[j->at]);
}

/* Returns how often the claim's event occurred. "steal x3" is one event: the third steal. */
static uint64_t occurrences(const struct claim *c, const struct judged *j)
{
    uint64_t nth = pattern_times(c->pattern[0]);
    return nth <= 1 ? j->match.seen : j->match.seen >= nth;
}

/* Notes the event at which the claim cannot come true any more. */
static void note_broken(const struct expect *x, const struct claim *c, struct judged *j, const struct merged_event *at)
{
    size_t n = x->lines.n;
    bool prints = c->kind == CLAIM_PRINTS && at->e->kind == EV_PRINT && n;
    bool wrong = prints && (n > c->nlines || (!x->open && strcmp(x->lines.v[n - 1], c->lines[n - 1]) != 0));
    bool counts = (c->kind == CLAIM_EVENT && occurrences(c, j) > c->max) || (c->kind == CLAIM_NEVER && occurrences(c, j));
    if (wrong || counts)
        j->broken_at = at->number;
}

bool expect_event(struct expect *x, const struct merged_event *at)
{
    if (at->e->kind == EV_PRINT)
        add_print(x, at);
    if (at->e->kind == EV_PROGRAM_END) {
        x->ended = true;
        x->end_time = at->e->time;
    }
    for (uint32_t i = 0; x->about[at->e->kind] && i < x->n; i++) {
        const struct claim *c = &x->sc->claim[i];
        struct judged *j = &x->j[i];
        if (j->watch.of)
            modal_event(&j->watch, at);
        else if (!j->counts)
            continue;
        else if (c->kind == CLAIM_EVENT || c->kind == CLAIM_NEVER)
            matcher_event(&j->match, at);
        else if (c->kind == CLAIM_SEQUENCE)
            step_sequence(j, c, at);
        if (!j->broken_at)
            note_broken(x, c, j, at);
    }
    return !x->lost;
}

void expect_passes(struct expect *x, const struct model *md, int64_t time)
{
    for (uint32_t i = 0; i < x->n; i++)
        if (x->j[i].watch.of && x->j[i].watch.of->pattern && pattern_is_when(x->j[i].watch.of->pattern))
            modal_passes(&x->j[i].watch, md, time);
}

const bool *expect_kinds(const struct expect *x)
{
    return x->about;
}

bool expect_sees_states(const struct expect *x)
{
    return x->sees_states;
}

bool expect_sees_time(const struct expect *x)
{
    return x->sees_time;
}

bool expect_sees_details(const struct expect *x)
{
    return x->sees_details;
}

bool expect_sees_places(const struct expect *x)
{
    return x->sc && x->sc->asks_for_places;
}

bool expect_this_end(const struct expect *x, int how)
{
    return how >= 0 && (x->ends | x->may_end) >> how & 1;
}

bool expect_may_end(const struct expect *x, int how)
{
    return how >= 0 && x->may_end >> how & 1 && !(x->ends >> how & 1);
}

uint64_t expect_may(const struct expect *x)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < x->n; i++)
        bits |= (uint64_t)(x->j[i].watch.of && x->j[i].watch.of->word == MODAL_MAY) << i;
    return bits;
}

uint64_t expect_met(const struct expect *x)
{
    return x->met;
}

/* Claims are about the scenario's own Ps, mechanisms and Gs of the runtime. What is claimed of each Go program is not. */
bool expect_about(const struct expect *x, const struct rt_config *rt, bool strict)
{
    if (!x->sc)
        return false;
    const struct rt_config own = scenario_config(x->sc);
    if (scenario_info(x->sc)->go_file && rt->gomaxprocs != own.gomaxprocs)
        return strict;
    return rt->gomaxprocs == own.gomaxprocs && ((rt_same_rules(rt, &own) && rt_same_boot(rt, &own)) || strict);
}

uint32_t expect_claims(const struct expect *x)
{
    return x->n;
}

/* ---- when it is over ---- */

static const char *word_of(const struct expect *x, enum claim_text id)
{
    return text_in(&table[id], x->lang);
}

static const char *text_of(const struct expect *x, enum claim_text id, const char *like) __attribute__((format_arg(3)));
static const char *text_of(const struct expect *x, enum claim_text id, const char *like)
{
    (void)like; /* for the compiler, which checks the values against it */
    return word_of(x, id);
}

static void __attribute__((format(printf, 4, 5)))
fail_claim(struct expect *x, struct judged *j, const struct claim *c, const char *fmt, ...)
{
    char *what = NULL, place[40] = "";
    va_list ap;
    va_start(ap, fmt);
    if (vasprintf(&what, fmt, ap) < 0)
        what = NULL;
    va_end(ap);
    j->ok = false;
    if (!source_is_bare(x->sc->bytes, x->sc->len)) /* else the claim stands in no file */
        snprintf(place, sizeof place, ":%u:%u", c->line, c->col);
    if (!what || asprintf(&j->why, "%s%s: %s", x->sc->info.path, place, what) < 0) {
        j->why = NULL;
        x->lost = true;
    }
    free(what);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void judge_prints(struct expect *x, struct judged *j, const struct claim *c)
{
    const char *const *got = x->lines.v;
    size_t i = 0, n = x->lines.n;
    while (i < n && i < c->nlines && !strcmp(got[i], c->lines[i]))
        i++;
    if (i < n && i < c->nlines)
        fail_claim(x, j, c, text_of(x, CT_LINE, "%zu%s%s"), i + 1, c->lines[i], got[i]);
    else if (i < n)
        fail_claim(x, j, c, text_of(x, CT_LINES_MORE, "%u%zu%s"), c->nlines, n, got[i]);
    else if (i < c->nlines)
        fail_claim(x, j, c, text_of(x, CT_LINES_FEWER, "%u%zu%s"), c->nlines, n, c->lines[i]);
}

/* In any order: names the first lines of the two sorted lists that the other has not. Their places in these lists say nothing. */
static void judge_sorted(struct expect *x, struct judged *j, const struct claim *c)
{
    size_t n = x->lines.n;
    const char **got = calloc(n + 1, sizeof *got), **want = calloc(c->nlines + 1, sizeof *want), *missing = NULL, *more = NULL;
    if (!got || !want) {
        x->lost = true;
        n = 0;
    } else {
        if (n)
            memcpy(got, x->lines.v, n * sizeof *got);
        if (c->nlines)
            memcpy(want, c->lines, c->nlines * sizeof *want);
        qsort(got, n, sizeof *got, by_text);
        qsort(want, c->nlines, sizeof *want, by_text);
    }
    for (size_t i = 0, k = 0; !x->lost && (i < n || k < c->nlines);) {
        int way = i == n ? 1 : k == c->nlines ? -1 : strcmp(got[i], want[k]);
        if (way < 0 && !more)
            more = got[i];
        if (way > 0 && !missing)
            missing = want[k];
        i += way <= 0;
        k += way >= 0;
    }
    if (missing && more)
        fail_claim(x, j, c, text_of(x, CT_ANY_ORDER, "%s%s"), missing, more);
    else if (more)
        fail_claim(x, j, c, text_of(x, CT_LINES_MORE, "%u%zu%s"), c->nlines, n, more);
    else if (missing)
        fail_claim(x, j, c, text_of(x, CT_LINES_FEWER, "%u%zu%s"), c->nlines, n, missing);
    free(got);
    free(want);
}

static void judge_number(struct expect *x, struct judged *j, const struct claim *c, enum claim_text id, uint64_t got)
{
    const char *what = word_of(x, id);
    unsigned long long g = got, min = c->min, max = c->max;
    if (got >= c->min && got <= c->max)
        return;
    if (min == max)
        fail_claim(x, j, c, text_of(x, CT_EXACTLY, "%s%s%llu%llu"), what, c->text, min, g);
    else if (got < c->min)
        fail_claim(x, j, c, text_of(x, CT_AT_LEAST, "%s%s%llu%llu"), what, c->text, min, g);
    else
        fail_claim(x, j, c, text_of(x, CT_AT_MOST, "%s%s%llu%llu"), what, c->text, max, g);
}

static void judge_within(struct expect *x, struct judged *j, const struct claim *c)
{
    char took[32], allowed[32];
    if (!x->ended)
        fail_claim(x, j, c, "%s", word_of(x, CT_NO_END));
    else if (x->end_time > c->within)
        fail_claim(x, j, c, text_of(x, CT_WITHIN, "%s%s"), duration_text(c->within, allowed, sizeof allowed),
                   duration_text(x->end_time, took, sizeof took));
}

/* The state at the end of the run. waits: NULL if they are not known. */
struct at_end {
    const struct model *md;
    const struct waits *waits;
    int ended;
};

static void judge_leaks(struct expect *x, struct judged *j, const struct claim *c, const struct at_end *end)
{
    char which[1000] = "", one[400];
    uint64_t got = model_counters(end->md)->leaks;
    size_t at = 0;
    for (uint32_t g = 0; end->waits && at < sizeof which && (g = waits_next_left(end->waits, g, WAITS_LEAKED));)
        at += (size_t)snprintf(which + at, sizeof which - at, "%s%s", word_of(x, at ? CT_SEMICOLON : CT_COLON),
                               waits_say(end->waits, g, NAMES_G, x->lang, one, sizeof one));
    if (got != c->min)
        fail_claim(x, j, c, text_of(x, CT_LEAKS, "%llu%llu%s"), (unsigned long long)c->min, (unsigned long long)got, which);
}

static void judge_modal(struct expect *x, struct judged *j, const struct claim *c, int ended)
{
    if (!modal_refuted(&j->watch, ended))
        return;
    if (c->modal.word == MODAL_MUST)
        fail_claim(x, j, c, text_of(x, CT_WITHOUT, "%s"), c->text);
    else
        fail_claim(x, j, c, text_of(x, CT_HAS_IT, "%s"), c->text);
}

static void judge_claim(struct expect *x, uint32_t i, const struct at_end *at)
{
    const struct claim *c = &x->sc->claim[i];
    struct judged *j = &x->j[i];
    switch (c->kind) {
    case CLAIM_PRINTS:
        judge_prints(x, j, c);
        break;
    case CLAIM_PRINTS_SORTED:
        judge_sorted(x, j, c);
        break;
    case CLAIM_COUNTER:
        judge_number(x, j, c, CT_COUNTER, counter_get(model_counters(at->md), c->counter));
        break;
    case CLAIM_EVENT:
        judge_number(x, j, c, CT_EVENTS, occurrences(c, j));
        break;
    case CLAIM_NEVER:
        if (occurrences(c, j))
            fail_claim(x, j, c, text_of(x, CT_NEVER, "%s%llu"), c->text, (unsigned long long)j->match.seen);
        break;
    case CLAIM_SEQUENCE:
        if (j->at < c->nlines)
            fail_claim(x, j, c, text_of(x, CT_SEQUENCE, "%s%u%u"), c->lines[j->at], j->at, c->nlines);
        break;
    case CLAIM_ENDS:
        if (at->ended != c->end)
            fail_claim(x, j, c, text_of(x, CT_ENDS, "%s%s"), ev_word(FT_END_HOW, c->end),
                       at->ended < 0 ? word_of(x, CT_NOTHING) : ev_word(FT_END_HOW, at->ended));
        break;
    case CLAIM_LEAKS:
        judge_leaks(x, j, c, at);
        break;
    case CLAIM_MODAL:
        judge_modal(x, j, c, at->ended);
        break;
    case CLAIM_RACES:
        if (model_counters(at->md)->races != c->min)
            fail_claim(x, j, c, text_of(x, CT_RACES, "%llu%llu%s%s"), (unsigned long long)c->min,
                       (unsigned long long)model_counters(at->md)->races, x->race ? word_of(x, CT_FIRST_RACE) : "", x->race ? x->race : "");
        break;
    default:
        judge_within(x, j, c);
    }
}

void expect_first_race(struct expect *x, const char *text)
{
    x->race = *text ? text : NULL;
}

/* A panic or a limit stops Gs that could still release others. */
/* A G that is leaked stays so: one is enough, even of a run that was cut. */
static bool ends_unjudged(const struct claim *c, int ended, const struct waits *waits)
{
    bool leaks = ended == ENDED_LIMIT && waits && waits_left(waits).leaked;
    return c->kind == CLAIM_LEAKS && ended != ENDED_MAIN_RETURNED && ended != ENDED_DEADLOCK && !leaks;
}

bool expect_finish(struct expect *x, const struct model *md, int ended, const struct waits *waits)
{
    for (uint32_t i = 0; i < x->n; i++)
        x->j[i].counts &= !ends_unjudged(&x->sc->claim[i], ended, waits);
    for (uint32_t i = 0; !x->finished && !x->lost && i < x->n; i++)
        if (x->j[i].counts)
            judge_claim(x, i, &(struct at_end){md, waits, ended});
        else if (x->j[i].watch.of && modal_has(&x->j[i].watch, ended))
            x->met |= UINT64_C(1) << i;
    x->finished = true;
    return !x->lost;
}

static uint32_t count_judged(const struct expect *x, bool ok)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->n; i++)
        n += x->finished && x->j[i].counts && x->j[i].ok == ok;
    return n;
}

uint32_t expect_passed(const struct expect *x)
{
    return count_judged(x, true);
}

uint32_t expect_failed(const struct expect *x)
{
    return count_judged(x, false);
}

uint32_t expect_narrowed(const struct expect *x)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->n; i++)
        n += x->sc->claim[i].no_stalls;
    return n;
}

bool expect_counts(const struct expect *x, uint32_t i)
{
    return x->j[i].counts;
}

bool expect_fails_by_races(const struct expect *x)
{
    for (uint32_t i = 0; i < x->n; i++) {
        const struct claim *c = &x->sc->claim[i];
        if (c->kind == CLAIM_RACES && !x->j[i].ok)
            return true;
    }
    return false;
}

bool expect_ok(const struct expect *x, uint32_t i)
{
    return x->j[i].ok;
}

uint32_t expect_first_failed(const struct expect *x)
{
    uint32_t i = 0;
    while (i + 1 < x->n && x->j[i].ok)
        i++;
    return i;
}

uint64_t expect_broken_at(const struct expect *x, uint32_t i)
{
    const struct judged *j = &x->j[i];
    return j->watch.of && j->watch.of->word == MODAL_NEVER ? j->watch.at : j->broken_at;
}

bool expect_is_about_races(const struct expect *x, uint32_t i, uint32_t *expected)
{
    *expected = (uint32_t)x->sc->claim[i].min;
    return x->sc->claim[i].kind == CLAIM_RACES;
}

bool expect_is_about_leaks(const struct expect *x, uint32_t i)
{
    return x->sc->claim[i].kind == CLAIM_LEAKS;
}

const char *expect_why(const struct expect *x, uint32_t i)
{
    return x->j[i].ok ? "" : x->j[i].why ? x->j[i].why : "";
}

uint32_t expect_lines(const struct expect *x, const char *const **lines)
{
    *lines = x->lines.v;
    return (uint32_t)x->lines.n;
}

uint32_t expect_lines_at(const struct expect *x, uint64_t number)
{
    size_t low = 0, high = x->lines.n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (x->line_began.v[mid] <= number)
            low = mid + 1;
        else
            high = mid;
    }
    return (uint32_t)low;
}
