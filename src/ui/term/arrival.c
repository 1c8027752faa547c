#include "ui/term/arrival.h"

/* A write that takes BLOCKED_MS, or an answer that takes as long beyond the way of a few bytes, means a slow line. A terminal that has not
 * answered after NO_ANSWER_MS may never do so. */
enum { BLOCKED_MS = 200, NO_ANSWER_MS = 10000 };

void arrival_asked(struct arrival *a, int64_t now)
{
    a->asked_at = now;
}

void arrival_answered(struct arrival *a, int64_t now)
{
    int64_t took = a->asked_at ? now - a->asked_at : NO_ANSWER_MS; /* an answer that was given up came after all */
    bool first = !a->answers && a->asked_at;
    a->answers = true;
    a->asked_at = 0;
    if (first) {
        a->round = took;
        return;
    }
    a->tried = true;
    a->slow |= took > a->round + BLOCKED_MS;
}

bool arrival_asks(struct arrival *a, int64_t took)
{
    a->slow |= a->answers && took > BLOCKED_MS;
    return a->answers && (a->slow || !a->tried) && !a->asked_at;
}

bool arrival_awaited(const struct arrival *a)
{
    return a->answers && a->asked_at;
}

bool arrival_behind(struct arrival *a, int64_t now)
{
    if (a->asked_at && now - a->asked_at > NO_ANSWER_MS)
        *a = (struct arrival){.round = a->round};
    return arrival_awaited(a);
}
