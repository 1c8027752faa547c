/* Whether the choices that were given fit the run. */
#include "engine/engine.h"
#include <inttypes.h>
#include <stdio.h>

/* Choices that do not fit the run are the user's mistake, and only the run could find them. A run that was left early does not reach all
 * of its choices. */
bool engine_choices_mistake(const struct engine *e, char *buf, size_t size)
{
    struct choice first;
    bool whole = (e->how >= ENDED_MAIN_RETURNED && e->how <= ENDED_FATAL) || e->how == ENDED_EXIT;
    const struct source_decision_ops *by = engine_decides(e);
    if (e->was.mistake[0])
        snprintf(buf, size, "%s", e->was.mistake);
    else if (e->refused.kind)
        stop_words(&e->refused, LANG_EN, buf, size);
    else if (whole && by && by->choices_ahead(e->source, &first))
        snprintf(buf, size, "the run ended after %" PRIu64 " decisions, before %" PRIu64 "%c%u", by->count(e->source), first.decision,
                 decision_kind_letter[first.kind], first.pick);
    else
        return false;
    return true;
}
