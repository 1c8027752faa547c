/* See matcher.h. */
#include "model/query/matcher.h"
#include <string.h>

bool sentence_has(const struct merged_event *at, const char *text, enum lang lang)
{
    char sentence[160]; /* as much as lists show */
    if (ev_level_of[at->e->kind] != EV_CORE)
        return false;
    event_sentence(at->md, at->m, at->e, at->text, at->len, lang, sentence, sizeof sentence);
    return strcasestr(sentence, text);
}

static bool becomes_true(struct matcher *k, bool now)
{
    bool before = k->state;
    k->state = now;
    k->seen += now && !before;
    return now && !before;
}

bool matcher_event(struct matcher *k, const struct merged_event *at)
{
    if (k->never)
        return false;
    if (pattern_is_when(k->pattern))
        return becomes_true(k, pattern_state(k->pattern, at->md));
    bool match = pattern_meets(k->pattern, at->m, at->e, at->text, at->len) && (!k->says || sentence_has(at, k->says, k->lang));
    k->seen += match;
    return match;
}

bool matcher_time(struct matcher *k, const struct model *md, int64_t time)
{
    return !k->never && becomes_true(k, pattern_state_at(k->pattern, md, time));
}

bool matcher_is_nth(struct matcher *k, uint64_t n)
{
    uint64_t times = pattern_times(k->pattern);
    if (times <= 1)
        return true;
    if (!k->nth_at && k->seen == times)
        k->nth_at = n;
    return k->nth_at == n;
}

int64_t matcher_change_after(const struct matcher *k, const struct model *md, int64_t after)
{
    return k->never ? INT64_MAX : pattern_change_after(k->pattern, md, after);
}

void matcher_reset(struct matcher *k, const struct pattern *p)
{
    *k = (struct matcher){.pattern = p, .never = k->never};
}
