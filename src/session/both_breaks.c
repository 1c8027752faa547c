/* See both_breaks.h. */
#include "session/both_breaks.h"

#include <string.h>

static bool asks_for_p(const char *pattern)
{
    struct arena a = {0};
    const char *err;
    size_t pos;
    struct pattern *p = pattern_compile(&a, pattern, &err, &pos);
    bool yes = p && pattern_asks_for_p(p, &pos);
    arena_fini(&a);
    return yes;
}

bool both_break_add(struct session *const side[2], const char *pattern, struct session_mistake *wrong)
{
    struct session_status st[2];
    for (int i = 0; i < 2; i++) {
        session_ops.status(side[i], &st[i]);
        if (!session_ops.search->check(side[i], pattern, wrong))
            return false;
    }
    bool added = session_ops.breaks->add(side[0], pattern, wrong) && session_ops.breaks->add(side[1], pattern, wrong);
    wrong->one_side = added && st[0].no_p != st[1].no_p && asks_for_p(pattern);
    return added;
}

int both_breaks(struct session *const side[2], struct session_break *out, int max)
{
    struct session_break other[BREAKS_LISTED];
    int n = session_ops.breaks->list(side[0], out, max), m = session_ops.breaks->list(side[1], other, BREAKS_LISTED);
    for (int k = 0; k < m; k++) {
        int i = 0;
        while (i < n && (out[i].id != other[k].id || strcmp(out[i].text, other[k].text)))
            i++;
        if (i < n)
            out[i].hits += other[k].hits;
        else if (n < max)
            out[n++] = other[k];
    }
    return n;
}

bool both_break_delete(struct session *const side[2], uint32_t id)
{
    bool left = session_ops.breaks->delete (side[0], id), right = session_ops.breaks->delete (side[1], id);
    return left || right;
}
