/* What a comparison reads of each of its two sessions: the events of the history, to find where the runs part, and whether the run is stuck. */
#include "engine/quiet.h"
#include "model/outcome.h"
#include "session/session_internal.h"

enum { PIECE = 16 };
struct piece {
    struct parting_event event[PIECE];
    int n;
    struct model_names names;
    uint32_t run; /* the number of the run that has them */
    bool ended;   /* it has no more */
};

static void take_piece(struct session *s, uint64_t from, struct piece *out)
{
    session_enter(s);
    out->n = parting_events(s->e->history, from, out->event, PIECE);
    out->names = s->e->cfg.info.programs;
    out->run = s->runs;
    out->ended = s->ended && history_events(s->e->history) < from + (uint64_t)out->n;
    session_leave(s, REQUEST_NONE);
}

/* Compares the next events of both. Returns false if no more are known of one of them. */
static bool compare_piece(struct session *const side[2], struct session_verdict *v)
{
    struct piece piece[2];
    const struct model_names *names[2];
    for (int i = 0; i < 2; i++) {
        take_piece(side[i], v->parting.same + 1, &piece[i]);
        names[i] = &piece[i].names;
    }
    if (piece[0].run != v->run[0] || piece[1].run != v->run[1]) { /* one was restarted: its events are not those that were compared */
        *v = (struct session_verdict){.run = {piece[0].run, piece[1].run}};
        return true;
    }
    if (v->parting.parted)
        return false;
    int n = piece[0].n, m = piece[1].n, least = n < m ? n : m;
    parting_compare(&v->parting, names, piece[0].event, piece[1].event, least);
    v->parting.parted |= (n < m && piece[0].ended) || (m < n && piece[1].ended);
    for (int i = 0; i < 2 && v->parting.parted; i++)
        v->has[i] = session_event_at(side[i], v->parting.same + 1, &v->first[i]);
    return least == PIECE && !v->parting.parted;
}

void session_compare(struct session *const side[2], struct session_verdict *v)
{
    while (compare_piece(side, v))
        ;
}

bool session_quiet(struct session *s, int64_t now, int64_t *since, int64_t *look)
{
    session_enter(s);
    *since = model_moved(s->e->model);
    bool stuck = engine_quiet(s->e, now, look);
    session_leave(s, REQUEST_NONE);
    return stuck;
}

void session_show(struct session *s)
{
    session_enter(s);
    session_notify_stop(s);
    session_leave(s, REQUEST_NONE);
}
