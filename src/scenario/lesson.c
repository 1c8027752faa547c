/* Lessons as written: their mistakes, their texts and questions. engine/lesson.c plays them. */
#include "scenario/scenario_internal.h"
#include "model/query.h"
#include <errno.h>
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
        choice[n] = ask->choices[n].text->en;
        if (!strcmp(choice[n], ask->answer))
            return;
    }
    const char *near = diag_nearest(ask->answer, choice, n), *err = NULL;
    size_t pos = 0;
    if (query_compile(c->a, ask->answer, &err, &pos))
        return;
    if (strchr(ask->answer, '(') || strstr(ask->answer, " at "))
        bad(c, yaml_get(node, "answer"), pos, "%s", err ? err : strerror(ENOMEM));
    else if (near)
        bad(c, yaml_get(node, "answer"), 0, "the answer \"%s\" is not one of the choices; did you mean \"%s\"?", ask->answer, near);
    else
        bad(c, yaml_get(node, "answer"), 0, "the answer \"%s\" is not one of the choices; copy one of them word for word", ask->answer);
    offer(c, yaml_get(node, "answer"), 0, ask->answer, choice, n);
}

/* Checks a pattern; a word close to "start" is reported as a misspelling. */
static void check_on(struct compiler *c, const char *on, const struct ynode *node)
{
    const char *start = "start";
    if (ev_kind(on, strlen(on)) < 0 && diag_nearest(on, &start, 1))
        bad(c, node, 0, "unknown event \"%s\"; did you mean \"start\"?", on); /* and no list: this is the word */
    else
        compile_pattern(c, node, on);
}

static const char *on_of(const struct ylesson *l)
{
    return l->on ? l->on : l->at;
}

/* The generations in which an entry is shown. Without the key: all. */
static uint32_t gens_of(const struct ylesson *l)
{
    uint32_t gens = l->generation_count ? 0 : ALL_GENERATIONS;
    for (unsigned i = 0; i < l->generation_count; i++)
        gens |= 1u << l->generation[i];
    return gens;
}

static void check_procs(struct compiler *c, const struct ylesson *l, const struct ynode *list)
{
    for (unsigned i = 0; i < l->procs_count; i++)
        if (l->procs[i] < 1 || l->procs[i] > 1024)
            bad(c, list->item[i], 0, "procs: expected 1 to 1024, got %u", l->procs[i]);
}

void lint_lessons(struct compiler *c)
{
    const struct yscenario *y = c->sc->y;
    c->sc->info.nlesson = y->lesson_count;
    const struct ynode *list = yaml_get(c->root, "lesson");
    for (unsigned i = 0; i < y->lesson_count; i++) {
        const struct ylesson *l = &y->lesson[i];
        const struct ynode *node = list->item[i];
        c->gens = gens_of(l);
        if (l->on && l->at)
            bad(c, yaml_key(node, "at"), 0, "\"at\" means the same as \"on\"; write one of them");
        else if (!on_of(l) && !tree_damaged(node))
            bad(c, node, 0, "an item of lesson lacks the key \"on\"");
        else if (on_of(l) && strcmp(on_of(l), "start") != 0)
            check_on(c, on_of(l), yaml_get(node, l->on ? "on" : "at"));
        check_procs(c, l, yaml_get(node, "procs"));
        if (!l->say && !l->ask && !tree_damaged(node))
            bad(c, node, 0, "a lesson's step needs \"say\" or \"ask\"");
        if (l->hide_count && !l->ask && !tree_damaged(node))
            bad(c, yaml_key(node, "hide"), 0, "\"hide\" covers panes while a question is asked; this entry has no \"ask\"");
        if (l->ask)
            check_ask(c, l->ask, yaml_get(node, "ask"));
    }
    c->gens = ALL_GENERATIONS;
}

static void ask_of(const struct yask *ask, struct scenario_lesson *out)
{
    out->question = lang_text(ask->question);
    out->because = lang_text(ask->because);
    out->nchoices = ask->choices_count;
    out->query = ask->answer;
    for (uint32_t i = 0; i < ask->choices_count; i++) {
        out->choice[i] = lang_text(ask->choices[i].text);
        out->choice_because[i] = lang_text(ask->choices[i].because);
        if (!strcmp(ask->choices[i].text->en, ask->answer))
            out->answer = i, out->query = NULL;
    }
}

/* A key that is not there sets no condition; `disable: []` means: with every mechanism. */
bool scenario_lesson_holds(const struct scenario *sc, uint32_t i, const struct rt_config *rt)
{
    const struct ylesson *l = &sc->y->lesson[i];
    const struct ynode *node = yaml_get(sc->root, "lesson")->item[i];
    bool gen = !yaml_get(node, "generation"), procs = !yaml_get(node, "procs");
    uint32_t disable = 0;
    for (unsigned k = 0; k < l->generation_count; k++)
        gen |= l->generation[k] == (int)rt->generation;
    for (unsigned k = 0; k < l->procs_count; k++)
        procs |= l->procs[k] == rt->gomaxprocs;
    for (unsigned k = 0; k < l->disable_count; k++)
        disable |= 1u << l->disable[k];
    return gen && procs && (!yaml_get(node, "disable") || disable == rt->disable);
}

void scenario_lesson(const struct scenario *sc, uint32_t i, struct scenario_lesson *out)
{
    const struct ylesson *l = &sc->y->lesson[i];
    *out = (struct scenario_lesson){.on = on_of(l), .say = lang_text(l->say), .question = lang_text(NULL), .because = lang_text(NULL)};
    out->stops = !l->pause || *l->pause || l->ask; /* otherwise the next entry could replace a text before it is read */
    out->notes = lang_text(l->notes);
    for (; out->nhidden < l->hide_count && out->nhidden < LESSON_PANES; out->nhidden++)
        out->hidden[out->nhidden] = scenario_pane_word((uint32_t)l->hide[out->nhidden]);
    if (l->ask)
        ask_of(l->ask, out);
}
