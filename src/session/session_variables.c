/* The variables of a G in the state shown. At the present the stopped world has them; a history has none. So the run is repeated up to a past state, on the
 * session's thread, as for its choices (session_decision.c).
 *
 * The world is often ahead of the state shown: an M whose events come later in the merged order has made them already. If the G itself has gone on to
 * another line, its variables are gone, at the present, too. Then the run is repeated up to the latest event at which the G was still at that line. */
#include "engine/branch.h"
#include "engine/intent.h"
#include "session/session_internal.h"
#include <stdlib.h>
#include <string.h>

enum { REPEATED_MOST = 300000 }; /* events; a longer run takes too long to repeat without being asked for it */

void session_forget_variables(struct session *s)
{
    engine_free(s->looking.twin);
    s->looking = (struct looking){.asked = false};
    free(s->reaching.found);
    free(s->reaching.shown);
    s->reaching = (struct reaching){.asked = false};
}

/* Repeats the run up to event n. Returns whether the G has not gone further there than in `found`, which gets what is known then. */
static bool look_at(struct session *s, const struct choices *list, uint64_t n, struct looking *l)
{
    struct branch_refusal why;
    uint64_t lines = l->found.lines;
    struct variables v;
    struct engine *twin = session_repeat(s, list, n, NULL, &why);
    if (!twin)
        return false;
    engine_variables(twin, l->g, l->line, lines, &v);
    bool before = v.lines_run <= lines;
    if (v.is == VARIABLES_KNOWN)
        l->found = v;
    engine_free(twin);
    return before;
}

/* From event n on the G reaches its line, and goes on, without a pause between two events. */
static void look_from(struct session *s, const struct choices *list, uint64_t n, struct looking *l)
{
    struct branch_refusal why;
    struct line_ahead at = {l->g, l->line, l->found.lines, &l->found};
    struct engine *twin = session_repeat(s, list, n, NULL, &why);
    if (twin)
        branch_lines(twin, &at);
    engine_free(twin);
}

/* Is the state still the one shown? A person need not wait for the repetitions. */
static bool is_wanted(const struct session *s, const struct looking *l)
{
    return rewind_now(&s->rewind) == l->at && !s->request.run && !s->request.steps;
}

/* Finds the latest event at which the G's memory is that of its line. At the state shown the G is ahead of its line. */
static void look_before(struct session *s, const struct choices *list, struct looking *l)
{
    uint64_t ahead = l->at, n = l->at;
    for (uint64_t by = 1; by < l->at && n == ahead && is_wanted(s, l); by *= 2) {
        n = l->at - by;
        if (!look_at(s, list, n, l))
            ahead = n;
    }
    for (uint64_t mid; mid = n + (ahead - n) / 2, n < mid && is_wanted(s, l);) {
        if (look_at(s, list, mid, l))
            n = mid;
        else
            ahead = mid;
    }
    if (l->found.is == VARIABLES_UNKNOWN && is_wanted(s, l))
        look_from(s, list, n, l);
}

/* Makes the twin one of the state after event `at`. It stays for other questions about that state. */
static void find_twin(struct session *s, const struct choices *list, uint64_t at, uint32_t run)
{
    struct looking *l = &s->looking;
    struct branch_refusal why;
    if (l->twin && (l->twin_at != at || run != s->runs)) {
        engine_free(l->twin);
        l->twin = NULL;
    }
    if (!l->twin)
        l->twin = session_repeat(s, list, at, NULL, &why);
    l->twin_at = at;
}

/* Takes over what the memory says. While events are pending it is that of a later moment. */
static void keep_reach(struct reaching *r, struct engine *e)
{
    free(r->found);
    r->found = NULL;
    if (e && e->source->ops->reach && !engine_pending(e))
        r->found = e->source->ops->reach(e->source, e->model, &r->nfound);
    r->made = true;
}

static bool reach_turn(struct session *s)
{
    struct reaching *r = &s->reaching;
    struct choices list = {0};
    uint64_t at = r->at;
    uint32_t run = r->run;
    if (!r->asked)
        return false;
    r->asked = false;
    bool repeats = engine_choices(s->e, true, &list);
    if (repeats)
        find_twin(s, &list, at, run);
    vec_free(&list);
    if (r->at == at && r->run == run)
        keep_reach(r, repeats ? s->looking.twin : NULL);
    session_notify(s);
    return true;
}

bool session_variables_turn(struct session *s)
{
    struct looking *l = &s->looking;
    struct choices list = {0};
    if (!l->asked)
        return reach_turn(s);
    struct looking one = {.at = l->at, .g = l->g, .run = l->run, .line = l->line, .found = {.is = VARIABLES_UNKNOWN}};
    l->asked = false;
    bool repeats = engine_choices(s->e, true, &list);
    if (repeats)
        find_twin(s, &list, one.at, one.run);
    if (repeats && l->twin)
        engine_variables(l->twin, one.g, one.line, 0, &one.found);
    if (repeats && one.found.lines < one.found.lines_run)
        look_before(s, &list, &one);
    vec_free(&list);
    if (l->at == one.at && l->g == one.g && l->run == one.run && l->line == one.line) { /* the person has not gone elsewhere meanwhile */
        l->found = one.found;
        l->made = true;
    }
    session_notify(s);
    return true;
}

static bool is_present(const struct session *s)
{
    return !rewind_on(&s->rewind) && s->motion.state == STOPPED;
}

void session_variables(struct session *s, uint32_t g, struct variables *out)
{
    struct looking *l = &s->looking;
    session_enter(s);
    uint64_t at = rewind_now(&s->rewind);
    uint32_t line = engine_line(s->e, rewind_on(&s->rewind) ? s->rewind.md : s->e->model, g);
    *out = (struct variables){.is = line == UINT32_MAX ? VARIABLES_NONE : VARIABLES_UNKNOWN};
    if (is_present(s))
        engine_variables(s->e, g, line, 0, out);
    bool repeats = at && at <= REPEATED_MOST && !s->request.run && s->motion.state == STOPPED && !engine_refuses(s->e, CAN_BRANCH);
    if (out->is == VARIABLES_UNKNOWN && repeats) {
        bool same = l->at == at && l->g == g && l->run == s->runs && l->line == line;
        if (same && l->made) {
            *out = l->found;
        } else {
            out->is = VARIABLES_MAKING;
            l->asked |= !same;
            l->made &= same;
            l->at = at;
            l->g = g;
            l->run = s->runs;
            l->line = line;
        }
    }
    session_leave(s, REQUEST_NONE);
}

/* The array is the caller's until its next call, so it gets a copy. */
const struct waits_reach *session_reach(struct session *s, size_t *n)
{
    struct reaching *r = &s->reaching;
    session_enter(s);
    uint64_t at = rewind_now(&s->rewind);
    bool same = r->at == at && r->run == s->runs, still = s->motion.state == STOPPED && !s->request.run;
    bool has = still && at && s->e->cfg.info.programs.text && s->e->source->ops->reach;
    if (has && !same) {
        r->made = false;
        r->run = s->runs;
        r->at = at;
        if (is_present(s) && !engine_pending(s->e))
            keep_reach(r, s->e);
        else
            r->asked = at <= REPEATED_MOST && !engine_refuses(s->e, CAN_BRANCH);
    }
    free(r->shown);
    r->shown = has && r->made && r->found ? malloc(r->nfound * sizeof *r->shown) : NULL;
    *n = r->shown ? r->nfound : 0;
    if (r->shown)
        memcpy(r->shown, r->found, r->nfound * sizeof *r->shown);
    session_leave(s, REQUEST_NONE);
    return r->shown;
}
