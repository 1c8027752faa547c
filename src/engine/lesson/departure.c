/* A run that leaves the course that its lesson was rehearsed on: after a choice by hand, or once it was free. */
#include "engine/engine.h"

static bool holds(void *ctx, uint32_t entry)
{
    struct engine *e = ctx;
    return answers_hold_now(&e->answers, entry, engine_view(e));
}

bool engine_off_course(const struct engine *e)
{
    return e->answers.departed || engine_departed(e) || engine_was_free(e);
}

/* An entry that is false in the rehearsal may be true here. One that the rehearsal did not meet stays left out, because it might block others. */
static void depart(struct engine *e)
{
    struct lesson *l = &e->lesson;
    e->answers.departed = true;
    l->holds = holds;
    l->ctx = e;
    for (uint32_t i = l->met; i < l->n; i++)
        if (answers_are_false(&e->answers, i))
            l->v[i].match.never = l->v[i].barred || e->answers.v[i].never;
}

void engine_follow_lesson(struct engine *e)
{
    struct lesson *l = &e->lesson;
    if (!l->on || !e->answers.rehearsed || !engine_off_course(e))
        return;
    if (!l->holds)
        depart(e);
    for (uint32_t i = 0; i < l->n; i++) {
        l->v[i].decided = answers_decided(&e->answers, i, engine_over(e));
        l->v[i].follows = e->answers.v[i].asked && !l->v[i].decided && !engine_over(e);
    }
}

bool engine_answer_is_open(const struct engine *e, uint32_t entry)
{
    return e->answers.departed && e->lesson.v[entry].follows;
}
