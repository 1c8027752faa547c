/* Lessons as written: their mistakes, their texts and questions. engine/lesson/lesson.c plays them. */
#include "model/query/modal.h"
#include "scenario/scenario_internal.h"
#include "model/query/query.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Returns true if it is a query; then *err and *pos are untouched. */
static bool is_query(struct compiler *c, const char *text, const char **err, size_t *pos)
{
    const struct names *ns = &c->ns[NS_PROGRAMS];
    const struct model_names programs = {.fn = ns->v, .nfn = ns->n, .objects = &c->sc->info.objects, .text = c->sc->info.programs.text};
    struct query *q = query_compile(c->a, text, err, pos);
    return q && (query_bind(q, c->a, &programs, err, pos) || ns->suspect);
}

static bool check_query(struct compiler *c, const struct ynode *at, size_t off, const char *text)
{
    const char *err = NULL;
    size_t pos = 0;
    bool good = text && is_query(c, text, &err, &pos);
    if (!good)
        bad(c, at, off + pos, "%s", err ? err : strerror(ENOMEM));
    return good;
}

/* Returns the end of the braces that open before s; NULL: they are not closed. */
static const char *closing_brace(const char *s)
{
    for (bool quoted = false; *s && (quoted || *s != '}'); s++)
        quoted ^= *s == '"';
    return *s ? s : NULL;
}

const char *lesson_query(const char *text, size_t *skip, size_t *len)
{
    for (const char *s = text; (s = strchr(s, '{')); s += 2) {
        const char *end = s[1] == '{' ? NULL : closing_brace(s + 1);
        if (s[1] == '{')
            continue;
        if (!end)
            return NULL;
        *len = (size_t)(end - s) - 1;
        *skip = *len + 1;
        return s + 1;
    }
    return NULL;
}

/* Braces that are shown come in pairs: "{{n} - 1}" is not a query in two braces but a text, which a class would see. */
static void check_shown_braces(struct compiler *c, const struct ynode *at)
{
    int open = 0;
    for (const char *s = at->text; *s; s++) {
        const char *end = *s == '{' && s[1] != '{' ? closing_brace(s + 1) : NULL;
        open += *s == '{' && !end;
        open -= *s == '}';
        s = end ? end : s + ((*s == '{' || *s == '}') && s[1] == *s);
        if (open < 0)
            break;
    }
    if (open)
        bad(c, at, 0,
            "\"{{\" and \"}}\" show a brace each, and these do not match; a query has one pair of braces: \"{n - count(g_end)}\"");
}

/* Each {…} is a query, and two braces are one. */
static void check_filled(struct compiler *c, const struct ynode *at)
{
    if (strstr(at->text, "{{"))
        check_shown_braces(c, at);
    for (const char *s = at->text; (s = strchr(s, '{'));) {
        const char *end = s[1] == '{' ? NULL : closing_brace(s + 1);
        size_t off = (size_t)(s - at->text);
        if (s[1] == '{') {
            s += 2;
        } else if (!end) {
            bad(c, at, off, "\"{\" without \"}\"; write \"{{\" for a brace that is shown");
            return;
        } else {
            check_query(c, at, off + 1, arena_strndup(c->a, s + 1, (size_t)(end - s) - 1));
            s = end + 1;
        }
    }
}

static void check_text(struct compiler *c, const struct ynode *map, const char *key)
{
    const struct ynode *text = yaml_get(map, key);
    for (size_t i = 0; text && text->kind == Y_MAP && i < text->n; i++)
        if (text->item[2 * i + 1]->kind == Y_SCALAR)
            check_filled(c, text->item[2 * i + 1]);
}

static void check_choice(struct compiler *c, const struct ychoice *y, const struct ynode *node)
{
    if (!y->text == !y->value && !tree_damaged(node))
        bad(c, node, 0, y->text ? "a choice has either \"text\" or \"value\"" : "a choice needs \"text\" or \"value\"");
    if (y->value && y->is)
        bad(c, yaml_key(node, "is"), 0, "\"is\" says for which value a text stands; this choice has a \"value\"");
    if (y->value)
        check_query(c, yaml_get(node, "value"), 0, y->value);
    check_text(c, node, "text");
    check_text(c, node, "because");
}

/* Where choices are made from values there may be fewer, because numbers are added. */
static bool check_choices(struct compiler *c, const struct yask *ask, const struct ynode *node)
{
    unsigned least = 2;
    const struct ynode *list = yaml_get(node, "choices");
    for (unsigned i = 0; i < ask->choices_count; i++) {
        check_choice(c, &ask->choices[i], list->item[i]);
        least = ask->choices[i].value ? 1 : least;
    }
    if (!list || (ask->choices_count >= least && ask->choices_count <= LESSON_CHOICES))
        return true;
    bad(c, yaml_key(node, "choices"), 0, "choices: expected %u to %u, got %u", least, LESSON_CHOICES, ask->choices_count);
    return false;
}

/* Returns what the answer calls the choice. */
static const char *stands_for(const struct ychoice *choice)
{
    return choice->is ? choice->is : choice->text->en;
}

static void check_answer(struct compiler *c, const struct yask *ask, const struct ynode *node)
{
    const char *choice[LESSON_CHOICES], *err = NULL;
    unsigned n = 0;
    size_t pos = 0;
    const struct ynode *at = yaml_get(node, "answer");
    for (unsigned i = 0; i < ask->choices_count; i++)
        if (ask->choices[i].text)
            choice[n++] = stands_for(&ask->choices[i]);
    for (unsigned i = 0; i < n; i++)
        if (!strcmp(choice[i], ask->answer))
            return;
    const char *near = diag_nearest(ask->answer, choice, n);
    if (is_query(c, ask->answer, &err, &pos))
        return;
    if (!yaml_get(node, "choices"))
        bad(c, at, pos, "%s; without \"choices\" the answer must be a query", err ? err : strerror(ENOMEM));
    else if (strchr(ask->answer, '(') || strstr(ask->answer, " at "))
        bad(c, at, pos, "%s", err ? err : strerror(ENOMEM));
    else if (near)
        bad(c, at, 0, "the answer \"%s\" is not one of the choices; did you mean \"%s\"?", ask->answer, near);
    else
        bad(c, at, 0, "the answer \"%s\" is not one of the choices; copy one of them word for word", ask->answer);
    offer(c, at, 0, ask->answer, choice, n);
}

/* "can: X": can X happen in some schedule? The choices are yes and no. */
static void check_can(struct compiler *c, const struct yask *ask, const struct ynode *node)
{
    const struct ynode *choices = yaml_get(node, "choices");
    compile_what(c, yaml_get(node, "can"), ask->can, &(struct modal){.word = MODAL_MAY});
    if (choices)
        bad(c, yaml_key(node, "choices"), 0, "a question with \"can\" has the choices yes and no; leave them out");
    else if (strcmp(ask->answer, "yes") != 0 && strcmp(ask->answer, "no") != 0)
        bad(c, yaml_get(node, "answer"), 0, "the answer to \"can\" is yes or no, got \"%s\"", ask->answer);
}

static void check_ask(struct compiler *c, const struct yask *ask, const struct ynode *node)
{
    if (tree_damaged(node) || (yaml_get(node, "choices") && tree_damaged(yaml_get(node, "choices"))))
        return;
    check_text(c, node, "question");
    check_text(c, node, "because");
    if (ask->stalls && !ask->can)
        bad(c, yaml_key(node, "stalls"), 0, "\"stalls\" belongs to \"can\", and this question has none");
    if (ask->can)
        check_can(c, ask, node);
    else if (check_choices(c, ask, node))
        check_answer(c, ask, node);
}

/* ---- facts: QUERY OPERATOR VALUE ---- */

/* Returns the place of the last operator outside of parentheses and quotes; NULL: none. */
static const char *last_operator(const char *s)
{
    const char *last = NULL;
    int depth = 0;
    bool quoted = false;
    for (; *s; s++) {
        quoted ^= *s == '"';
        depth += !quoted && *s == '(';
        depth -= !quoted && *s == ')';
        if (quoted || depth || !strchr("=!<>", *s))
            continue;
        last = s;
        s += s[1] == '=';
    }
    return last;
}

static char *trimmed(struct arena *a, const char *s, const char *end)
{
    s += strspn(s, " ");
    while (end > s && end[-1] == ' ')
        end--;
    return arena_strndup(a, s, (size_t)(end - s));
}

static void read_fact(struct compiler *c, const struct ynode *at, struct scenario_fact *out)
{
    const char *op = last_operator(at->text);
    size_t len = op && op[1] == '=' ? 2 : 1;
    if (!op || (len == 1 && *op == '!') || !op[len + strspn(op + len, " ")]) {
        bad(c, at, 0, "a fact is QUERY = VALUE, such as \"count(steal) = 2\"; = != < <= > >= are possible");
        return;
    }
    out->text = at->text;
    out->query = trimmed(c->a, at->text, op);
    out->op = arena_strndup(c->a, op, len);
    out->value = trimmed(c->a, op + len, at->text + at->len);
    check_query(c, at, 0, out->query);
}

static void check_facts(struct compiler *c, unsigned entry, const struct ynode *list)
{
    struct facts *f = c->sc->facts ? &c->sc->facts[entry] : NULL;
    if (!list || !f || !(f->v = arena_alloc(c->a, (list->n + 1) * sizeof *f->v)))
        return;
    for (size_t i = 0; i < list->n; i++)
        if (list->item[i]->kind == Y_SCALAR)
            read_fact(c, list->item[i], &f->v[f->n++]);
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

const char *lesson_on(const struct ylesson *l)
{
    return l->on ? l->on : l->at;
}

static void check_procs(struct compiler *c, const struct ylesson *l, const struct ynode *list)
{
    for (unsigned i = 0; i < l->procs_count; i++)
        if ((l->procs[i] < 1 || l->procs[i] > 1024) && l->procs[i] != PROCS_ANY)
            bad(c, list->item[i], 0, "procs: expected 1 to 1024 or any, got %u", l->procs[i]);
}

void lint_lessons(struct compiler *c)
{
    const struct yscenario *y = c->sc->y;
    c->sc->info.nlesson = y->lesson_count;
    const struct ynode *list = yaml_get(c->root, "lesson");
    c->sc->facts = arena_alloc(c->a, (y->lesson_count + 1) * sizeof *c->sc->facts);
    for (unsigned i = 0; i < y->lesson_count; i++) {
        const struct ylesson *l = &y->lesson[i];
        const struct ynode *node = list->item[i];
        c->gens = scenario_narrow(l->generation, l->generation_count);
        if (l->on && l->at)
            bad(c, yaml_key(node, "at"), 0, "\"at\" means the same as \"on\"; write one of them");
        else if (!lesson_on(l) && !tree_damaged(node))
            bad(c, node, 0, "an item of lesson lacks the key \"on\"");
        else if (lesson_on(l) && strcmp(lesson_on(l), "start") != 0)
            check_on(c, lesson_on(l), yaml_get(node, l->on ? "on" : "at"));
        check_procs(c, l, yaml_get(node, "procs"));
        if (!l->say && !l->ask && !tree_damaged(node))
            bad(c, node, 0, "a lesson's step needs \"say\" or \"ask\"");
        if (l->hide_count && !l->ask && !tree_damaged(node))
            bad(c, yaml_key(node, "hide"), 0, "\"hide\" covers panes while a question is asked; this entry has no \"ask\"");
        check_text(c, node, "say");
        check_facts(c, i, yaml_get(node, "facts"));
        if (l->ask)
            check_ask(c, l->ask, yaml_get(node, "ask"));
    }
    c->gens = ALL_GENERATIONS;
}

static bool is_choice(const struct scenario_lesson *l, const char *text)
{
    for (uint32_t i = 0; i < l->nchoices; i++)
        if (!strcmp(text_in(&l->choice[i], LANG_EN), text))
            return true;
    return false;
}

/* Drawn numbers may make choices equal; they fall together. */
static void ask_of(const struct yask *ask, struct scenario_lesson *out)
{
    out->question = lang_text(ask->question);
    out->because = lang_text(ask->because);
    out->chance = ask->scored && !*ask->scored;
    out->query = ask->answer;
    out->can = ask->can;
    out->no_stalls = ask->stalls != NULL;
    out->listed = !ask->choices_count && !ask->can;
    if (ask->can) {
        static const struct text yes = {{"yes", "会"}}, no = {{"no", "不会"}};
        out->choice[0] = yes;
        out->choice[1] = no;
        static const struct text there_is = {
            {"There is such a schedule; gmpscope claim shows one.", "有这样的调度，gmpscope claim 能给出一个。"}};
        static const struct text there_is_none = {{"Whatever the schedule, this does not happen.", "无论怎样调度，都不会发生。"}};
        out->nchoices = 2;
        out->answer = strcmp(ask->answer, "yes") ? 1 : 0;
        out->choice_because[!out->answer] = out->answer ? there_is_none : there_is;
        out->choice_because[out->answer] = lang_text(NULL);
        out->query = NULL;
    }
    for (unsigned k = 0; k < ask->choices_count; k++) {
        const struct ychoice *choice = &ask->choices[k];
        uint32_t i = out->nchoices;
        if (choice->text && is_choice(out, choice->text->en))
            continue;
        out->nchoices++;
        out->choice[i] = lang_text(choice->text);
        out->choice_because[i] = lang_text(choice->because);
        out->choice_query[i] = choice->value;
        out->choice_is[i] = choice->is;
        out->listed |= choice->value != NULL;
        if (choice->text && !strcmp(stands_for(choice), ask->answer))
            out->answer = i, out->query = NULL;
    }
}

void scenario_lesson(const struct scenario *sc, uint32_t i, struct scenario_lesson *out)
{
    const struct ylesson *l = &sc->y->lesson[i];
    *out = (struct scenario_lesson){.on = lesson_on(l), .say = lang_text(l->say), .question = lang_text(NULL), .because = lang_text(NULL)};
    out->stops = !l->pause || *l->pause || l->ask; /* otherwise the next entry could replace a text before it is read */
    out->notes = lang_text(l->notes);
    for (; out->nhidden < l->hide_count && out->nhidden < LESSON_PANES; out->nhidden++)
        out->hidden[out->nhidden] = scenario_pane_word((uint32_t)l->hide[out->nhidden]);
    if (sc->facts) {
        out->fact = sc->facts[i].v;
        out->nfacts = sc->facts[i].n;
    }
    if (l->ask)
        ask_of(l->ask, out);
}
