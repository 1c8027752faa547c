/* A lesson off the course that was rehearsed: what it says comes from the run that is played, in every branch. */
#include "base/prng.h"
#include "choosing.h"
#include "engine/branch.h"
#include "engine/lesson/rehearse.h"
#include "session/session_internal.h"

#include <stdlib.h>

/* Who goes first, where, and how often is a matter of schedule. The third entry is met by an event of any course. */
static const char lesson_text[] =
    "lesson:\n"
    "  - on: 'go_create x3'\n"
    "    ask: {question: where?, choices: ['0', '1', '2', '3'], answer: 'value(g_start g=5 .p)'}\n"
    "  - on: 'go_create x2'\n"
    "    ask: {question: which?, choices: [G2, G3, G4], answer: 'value(g_end g>1 x2 .g)'}\n"
    "  - on: 'g_end g>1 x4'\n"
    "    ask: {question: how often?, choices: ['1', '2'], answer: count(steal)}\n"
    "  - on: 'g_end g>1 x8'\n"
    "    facts: ['value(g_end g>1 x2 .g) = 2']\n"
    "    say: Only sometimes.\n"
    "  - {on: program_end, say: Over.}\n";

static void end_of(struct live *l)
{
    session_ops.decisions->prepare(l->s, false);
    while (!status(l).ended) {
        if (status(l).still)
            session_ops.motion->pause(l->s, false);
        wait_change(l);
    }
}

/* The run's choices make its course again, event by event. */
static void course_is_again(const struct engine *e, const struct choices *list)
{
    struct branch_refusal why;
    struct engine *again = branch_run(&e->cfg, list, e->events, e->history, &why);
    if (!again)
        t_fail(__FILE__, __LINE__, "%s", why.text);
    engine_free(again);
}

/* The lesson says of the run what the log of a run with the same choices says. */
static void lesson_is_true(struct live *l)
{
    char err[200];
    struct choices list = {0};
    struct answers a;
    struct session_lesson entry;
    struct engine_config c = l->s->e->cfg;
    CHECK(engine_choices(l->s->e, false, &list));
    course_is_again(l->s->e, &list);
    c.rt.choices = &list;
    struct break_words w = engine_words(&c);
    CHECK(answers_init(&a, c.scenario, &w) && rehearse(&a, &c, err, sizeof err));
    CHECK_INT(a.events, status(l).events);
    for (uint32_t i = 0; i < a.n; i++) {
        bool shown = session_ops.lesson->entry(l->s, i, &entry), is = !a.v[i].never && !answers_are_false(&a, i);
        CHECK_INT(shown, is);
        if (!is)
            continue;
        CHECK_INT(entry.place, a.v[i].met);
        CHECK_STR(entry.came, a.v[i].value ? a.v[i].value : "");
        CHECK_INT(entry.answer, a.v[i].choice);
        CHECK_INT(entry.decided, engine_off_course(l->s->e) ? a.v[i].decided : answers_shown(&a, i));
        CHECK(!entry.open);
    }
    answers_fini(&a);
    vec_free(&list);
}

TEST(answers_come_from_the_course_that_is_played)
{
    char text[3000];
    struct session_lesson entry;
    struct prng r;
    int open = 0, different = 0;
    snprintf(text, sizeof text, "%s%s", crowd_text, lesson_text);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        LIVE(l, text, "--tempo", "max", "--lesson");
        prng_seed(&r, seed, 0);
        open_at(&l, 20);
        struct session_lesson before[2];
        for (uint32_t i = 0; i < 2; i++)
            CHECK(session_ops.lesson->entry(l.s, i, &before[i]));
        for (int i = 0; i < 60 && decision.state == CHOICE_READY; i++) {
            take(&l, decision.row[prng_below(&r, (uint32_t)decision.n)].pick);
            CHECK(session_ops.lesson->entry(l.s, 0, &entry));
            open += entry.open;
            CHECK(!entry.open || (entry.answer < 0 && !*entry.came && !entry.decided));
        }
        end_of(&l);
        lesson_is_true(&l);
        for (uint32_t i = 0; i < 2; i++) {
            CHECK(session_ops.lesson->entry(l.s, i, &entry));
            different += strcmp(entry.came, before[i].came) != 0;
        }
        close_live(&l);
    }
    CHECK(open > 10);
    CHECK(different > 2);
}

/* ... and each branch keeps its own. */
TEST(each_branch_has_its_own_answers)
{
    char text[3000];
    struct session_branch b[4];
    snprintf(text, sizeof text, "%s%s", crowd_text, lesson_text);
    LIVE(l, text, "--tempo", "max", "--lesson");
    end_of(&l);
    lesson_is_true(&l);
    fork_place(&l, 60);
    take(&l, another());
    for (int i = 0; i < 40 && decision.state == CHOICE_READY; i++)
        take(&l, decision.row[(uint32_t)i % (uint32_t)decision.n].pick);
    end_of(&l);
    lesson_is_true(&l);
    for (uint32_t to = 1; to <= 2; to++) {
        CHECK(session_ops.decisions->branch(l.s, to));
        while (session_ops.decisions->branches(l.s, b, 4) == 2 && !b[to - 1].here)
            wait_change(&l);
        end_of(&l);
        lesson_is_true(&l);
    }
    close_live(&l);
}
