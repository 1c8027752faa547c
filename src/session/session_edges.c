/* The table of the requests that are legal in each place, and the places to which they may lead. session_leave() checks every request. A
 * request that is refused, or that has no meaning in a place, does not change the place. */
#include "session/session_internal.h"

#define RUNS (1u << PLACE_RUNS)
#define STANDS (1u << PLACE_STANDS)
#define REWOUND (1u << PLACE_REWOUND)
#define REPLAYS (1u << PLACE_REPLAYS)
#define ENDED (1u << PLACE_ENDED)

/* A step or a search that reaches the newest event leaves the past. */
#define NEWEST (STANDS | ENDED)

const uint8_t session_edges[REQUESTS][PLACES] = {
    /*                     RUNS              STANDS            REWOUND           REPLAYS           ENDED */
    [REQUEST_NONE] = {RUNS, STANDS, REWOUND, REPLAYS, ENDED},
    [REQUEST_PAUSE] = {STANDS | RUNS, STANDS, REWOUND, REWOUND, ENDED},
    [REQUEST_RUN] = {RUNS, RUNS, REPLAYS, REPLAYS, ENDED},
    [REQUEST_STEP] = {RUNS, STANDS, REWOUND | NEWEST, REPLAYS, ENDED},
    [REQUEST_SEEK] = {STANDS | REWOUND, STANDS | REWOUND, REWOUND | NEWEST, REWOUND | NEWEST, ENDED | REWOUND},
    [REQUEST_MODE] = {RUNS, STANDS, REWOUND | NEWEST, REPLAYS | RUNS | ENDED, ENDED},
    [REQUEST_EDIT] = {RUNS, STANDS, REWOUND, REPLAYS, ENDED},
    [REQUEST_UNTIL] = {RUNS, STANDS, REWOUND | NEWEST, REWOUND | NEWEST, ENDED},
    [REQUEST_DECIDE] = {STANDS | RUNS, STANDS, REWOUND, REWOUND | REPLAYS, ENDED},
    [REQUEST_BRANCH] = {STANDS | RUNS, STANDS, REWOUND, REWOUND | REPLAYS, ENDED},
    [REQUEST_RESTART] = {RUNS, STANDS, REWOUND, REPLAYS, ENDED},
    [REQUEST_LESSON] = {RUNS | STANDS | REWOUND, RUNS | STANDS | REWOUND, RUNS | REWOUND | NEWEST, RUNS | REWOUND | NEWEST,
                        ENDED | REWOUND},
    [REQUEST_ADVANCE] = {RUNS, STANDS, REWOUND | NEWEST, REPLAYS | RUNS | ENDED, ENDED},
};

enum session_place session_place(const struct session *s)
{
    if (rewind_on(&s->rewind))
        return s->request.run ? PLACE_REPLAYS : PLACE_REWOUND;
    return s->ended ? PLACE_ENDED : s->request.run ? PLACE_RUNS : PLACE_STANDS;
}

void session_enter(struct session *s)
{
    pthread_mutex_lock(&s->turnstile);
    pthread_mutex_lock(&s->lock);
    pthread_mutex_unlock(&s->turnstile);
    s->entered = session_place(s);
}

void session_leave(struct session *s, enum session_request r)
{
    enum session_place to = session_place(s);
    if (!(session_edges[r][s->entered] >> to & 1))
        engine_fail(s->e, "session: request %d leads from place %d to %d", (int)r, (int)s->entered, (int)to);
    pthread_cond_signal(&s->requested);
    pthread_mutex_unlock(&s->lock);
}
