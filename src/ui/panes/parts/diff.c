/* The marks of a frame. Two runs are compared event by event: an event is marked unless the same M has done the same in the other run. */
#include "ui/panes/parts/diff.h"

#include "ui/panes/panes.h"

#include <string.h>

void diff_stop(struct view *v, const struct model *base, uint64_t lines, bool lists)
{
    v->base = base;
    v->diff = (struct diff){.two = false};
    if (!base || !lists)
        return;
    for (int i = 0; i < v->nev; i++)
        v->diff.event[i] = v->ev[i].number > model_events(base);
    for (int i = 0; i < v->nlines; i++)
        v->diff.line[i] = v->total_lines - (uint64_t)(v->nlines - i) >= lines;
}

/* Returns true if the same M has done the same in the other run, or if the other run's event may be older than its last events. */
static bool happened_there(const struct view *v, const struct session_event *e, const struct view *other)
{
    char here[SENTENCE_BYTES], there[SENTENCE_BYTES];
    const char *sentence = sentence_of(v, e, here);
    if (other->nev && other->ev[0].number > 1 && other->ev[0].ev.time > e->ev.time)
        return true;
    for (int i = other->nev - 1; i >= 0; i--)
        if (other->ev[i].m == e->m && other->ev[i].ev.kind == e->ev.kind && strcmp(sentence_of(other, &other->ev[i], there), sentence) == 0)
            return true;
    return false;
}

/* Returns true if the other run has printed another line in the place of line i. */
static bool line_differs(const struct view *v, int i, const struct view *other)
{
    uint64_t number = v->total_lines - (uint64_t)(v->nlines - i), first = other->total_lines - (uint64_t)other->nlines;
    if (number >= other->total_lines)
        return true;
    return number >= first && strcmp(other->line[number - first], v->line[i]) != 0;
}

static void compare(struct view *v, const struct view *other)
{
    const char *here = v->st.generation, *there = other->st.generation;
    v->base = other->md;
    v->diff = (struct diff){.two = true,
                            .line_count = v->total_lines != other->total_lines,
                            .seed = v->st.seed != other->st.seed,
                            .generation = !here || !there || strcmp(here, there) != 0};
    for (int i = 0; i < v->nev; i++)
        v->diff.event[i] = !happened_there(v, &v->ev[i], other);
    for (int i = 0; i < v->nlines; i++)
        v->diff.line[i] = line_differs(v, i, other);
}

void diff_runs(struct view *left, struct view *right)
{
    compare(left, right);
    compare(right, left);
}
