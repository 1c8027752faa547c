/* Lessons as written: their mistakes, their texts and questions. engine/lesson.c plays them. */
#include "scenario/scenario_internal.h"
#include <string.h>

static void check_ask(struct compiler *c, const struct yask *ask, const struct ynode *node)
{
    const char *choice[16];
    unsigned n = 0;
    if (tree_damaged(node) || (yaml_get(node, "choices") && tree_damaged(yaml_get(node, "choices"))))
        return;
    if (ask->choices_count < 2 || ask->choices_count > 16) {
        bad(c, yaml_key(node, "choices") ? yaml_key(node, "choices") : node, 0, "choices: expected 2 to 16, got %u", ask->choices_count);
        return;
    }
    for (; n < ask->choices_count; n++) {
        choice[n] = ask->choices[n].en;
        if (!strcmp(choice[n], ask->answer))
            return;
    }
    const char *near = diag_nearest(ask->answer, choice, n);
    if (near)
        bad(c, yaml_get(node, "answer"), 0, "the answer \"%s\" is not one of the choices; did you mean \"%s\"?", ask->answer, near);
    else
        bad(c, yaml_get(node, "answer"), 0, "the answer \"%s\" is not one of the choices; copy one of them word for word", ask->answer);
}

/* Checks a pattern; a word close to "start" is reported as a misspelling. */
static void check_on(struct compiler *c, const char *on, const struct ynode *node)
{
    const char *start = "start";
    if (ev_kind(on, strlen(on)) < 0 && diag_nearest(on, &start, 1))
        bad(c, node, 0, "unknown event \"%s\"; did you mean \"start\"?", on);
    else
        compile_pattern(c, node, on);
}

void lint_lessons(struct compiler *c)
{
    const struct yscenario *y = c->sc->y;
    c->sc->info.nlesson = y->lesson_count;
    const struct ynode *list = yaml_get(c->root, "lesson");
    for (unsigned i = 0; i < y->lesson_count; i++) {
        const struct ylesson *l = &y->lesson[i];
        const struct ynode *node = list->item[i];
        if (strcmp(l->on, "start") != 0)
            check_on(c, l->on, yaml_get(node, "on"));
        if (!l->say && !l->ask && !tree_damaged(node))
            bad(c, node, 0, "a lesson's step needs \"say\" or \"ask\"");
        if (l->ask)
            check_ask(c, l->ask, yaml_get(node, "ask"));
    }
}

static void ask_of(const struct yask *ask, struct scenario_lesson *out)
{
    out->question = lang_text(ask->question);
    out->because = lang_text(ask->because);
    out->nchoices = ask->choices_count;
    for (uint32_t i = 0; i < ask->choices_count; i++) {
        out->choice[i] = lang_text(&ask->choices[i]);
        if (!strcmp(ask->choices[i].en, ask->answer))
            out->answer = i;
    }
}

void scenario_lesson(const struct scenario *sc, uint32_t i, struct scenario_lesson *out)
{
    const struct ylesson *l = &sc->y->lesson[i];
    *out = (struct scenario_lesson){.on = l->on, .say = lang_text(l->say), .question = lang_text(NULL), .because = lang_text(NULL)};
    out->stops = !l->pause || *l->pause || l->ask; /* otherwise the next entry could replace a text before it is read */
    if (l->ask)
        ask_of(l->ask, out);
}
