/* The variables of a G in the state shown. At the present the stopped world has them; a history has none. So the run is repeated up to a past state, on the
 * session's thread, as for its choices (session_decision.c). */
#include "engine/branch.h"
#include "engine/intent.h"
#include "session/session_internal.h"
#include <stdlib.h>

enum { REPEATED_MOST = 300000 }; /* events; a longer run takes too long to repeat without being asked for it */

void session_forget_variables(struct session *s)
{
    engine_free(s->looking.twin);
    s->looking = (struct looking){.asked = false};
}

/* The twin stays for other Gs of the same state. */
bool session_variables_turn(struct session *s)
{
    struct looking *l = &s->looking;
    struct choices list = {0};
    struct branch_refusal why;
    if (!l->asked)
        return false;
    uint64_t at = l->at;
    uint32_t g = l->g, run = l->run, line = l->line;
    l->asked = false;
    if (l->twin && (l->twin_at != at || run != s->runs)) {
        engine_free(l->twin);
        l->twin = NULL;
    }
    if (!l->twin && engine_choices(s->e, true, &list))
        l->twin = session_repeat(s, &list, at, NULL, &why);
    vec_free(&list);
    l->twin_at = at;
    if (l->at == at && l->g == g && l->run == run && l->line == line) { /* the person has not gone elsewhere meanwhile */
        l->found = (struct variables){.is = VARIABLES_UNKNOWN};
        if (l->twin)
            engine_variables(l->twin, g, line, &l->found);
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
        engine_variables(s->e, g, line, out);
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
