/* While a lesson asks, the screen does not show the answer.
 *
 * Each question of each shipped lesson is drawn twice. The first run is whole: it is rehearsed to its end, so the session knows all that will
 * happen. The second run ends at the event at which it asks, so there is no future that a pane could show. Both pictures must be equal,
 * and so must the texts. What the second run gives as the answer is what the log so far tells: it must not be the right one yet.
 */
#include "game.h"

enum { W = GAME_W, TEXT = 1000 };

static bool asks(const struct game *g)
{
    const struct session_lesson *l = &g->u->lesson;
    return l->nchoices && l->place == g->u->run->st.events;
}

/* ---- what must not be seen ---- */

static _Noreturn void shown(const struct game *g, const char *where, const char *first, const char *second)
{
    t_fail(scenario_info(g->sc)->name, 0, "entry %u (%s, layout %s), %s:\n  %s\n  %s", g->u->lesson.entry + 1, g->args[0] + 2,
           layout_name(g->u->layouts.requested), where, first, second);
}

/* Writes one row of a pane as text. */
static void row_text(const struct canvas *c, struct layout_rect r, int y, char *out)
{
    struct canvas row = {.w = r.w, .h = 1, .cell = c->cell + y * c->w + r.x};
    char *text = canvas_dump(&row);
    CHECK(text);
    snprintf(out, TEXT, "%.*s", (int)strcspn(text, "\n"), text);
    free(text);
}

static bool hides(const struct session_lesson *l, const char *pane)
{
    for (uint32_t i = 0; i < l->nhidden; i++)
        if (!strcmp(l->hidden[i], pane))
            return true;
    return false;
}

/* The status line and the keys know that the second run has ended, and the lesson's own texts are compared apart. */
static bool is_compared(int kind)
{
    return kind != PANE_status && kind != PANE_keys && kind != PANE_lesson;
}

static void compare_pane(const struct game *a, const struct game *b, const struct layout_pane *pane)
{
    char first[TEXT], second[TEXT];
    for (int y = pane->rect.y; y < pane->rect.y + pane->rect.h; y++) {
        row_text(&a->u->canvas, pane->rect, y, first);
        row_text(&b->u->canvas, pane->rect, y, second);
        bool rule = strstr(first, tx(a->u->lang, TX_STAGE_NOT_ON_P)) || strstr(first, tx(a->u->lang, TX_STAGE_ELSEWHERE));
        bool state = pane->kind == PANE_stage && rule; /* as in the status line */
        if (!state && strcmp(first, second) != 0)
            shown(a, pane_name(pane->kind), first, second);
    }
}

/* A pane that is hidden has its title and the sentence that says so; nothing in it can be selected. */
static void check_cover(const struct game *g, const struct layout_pane *pane)
{
    char text[TEXT], all[TEXT] = "";
    for (int y = pane->rect.y; y < pane->rect.y + pane->rect.h; y++) {
        row_text(&g->u->canvas, pane->rect, y, text);
        bool titled = pane->kind != PANE_population && pane->kind != PANE_stage;
        strncat(all, y > pane->rect.y || !titled ? text : "", sizeof all - strlen(all) - 1);
        for (int x = pane->rect.x; x < pane->rect.x + pane->rect.w; x++)
            CHECK_INT(g->u->canvas.cell[y * W + x].tag, 0);
    }
    if (!strstr(all, tx(g->u->lang, TX_HIDDEN)) || strpbrk(all, "0123456789"))
        shown(g, pane_name(pane->kind), "is not covered:", all);
}

static void compare_text(const struct game *a, const char *what, const struct text *first, const struct text *second)
{
    enum lang lang = a->u->lang;
    if (strcmp(text_in(first, lang), text_in(second, lang)) != 0)
        shown(a, what, text_in(first, lang), text_in(second, lang));
}

/* Returns the right choice, "" if it is not known. */
static const char *right(const struct session_lesson *l)
{
    return l->answer < 0 ? "" : text_in(&l->choice[l->answer], LANG_EN);
}

/* Choices that are made from values have the answer among them, so they differ. */
static void compare_texts(const struct game *a, const struct game *b, const struct scenario_lesson *entry)
{
    const struct session_lesson *l = &a->u->lesson, *m = &b->u->lesson;
    compare_text(a, "say", &l->say, &m->say);
    compare_text(a, "question", &l->question, &m->question);
    for (uint32_t i = 0; i < l->nchoices && !entry->listed; i++)
        compare_text(a, "choice", &l->choice[i], &m->choice[i]);
}

/* A count may have its last value already. If it is not 0, what was counted must be hidden. */
static void check_unknown(const struct game *a, const struct game *b, const struct scenario_lesson *entry)
{
    const char *now = right(&b->u->lesson), *end = right(&a->u->lesson);
    bool covered = hides(&a->u->lesson, "narration") && hides(&a->u->lesson, "events");
    if (entry->query && *now && strcmp(now, "0") != 0 && !strcmp(now, end) && !covered)
        shown(a, "the log has the answer before it is asked", entry->query, end);
}

/* A right choice that the scenario names must not stand in a pane, if it has a number, as "G2" and "4 ms" do. */
static void check_literal(const struct game *g, const struct layout_pane *pane)
{
    char text[TEXT];
    const char *answer = right(&g->u->lesson);
    for (int y = pane->rect.y; strpbrk(answer, "0123456789") && y < pane->rect.y + pane->rect.h; y++) {
        row_text(&g->u->canvas, pane->rect, y, text);
        if (strstr(text, answer))
            shown(g, pane_name(pane->kind), text, answer);
    }
}

static void compare(const struct game *a, const struct game *b)
{
    struct scenario_lesson entry;
    const struct placed *p = &a->u->placed;
    CHECK_INT(b->u->run->st.events, a->u->run->st.events);
    CHECK_INT(b->u->lesson.entry, a->u->lesson.entry);
    scenario_lesson(a->sc, a->u->lesson.entry, &entry);
    check_unknown(a, b, &entry);
    compare_texts(a, b, &entry);
    for (int i = 0; i < p->n; i++) {
        if (hides(&a->u->lesson, pane_name(p->pane[i].kind)))
            check_cover(a, &p->pane[i]);
        if (is_compared(p->pane[i].kind))
            compare_pane(a, b, &p->pane[i]);
        if (is_compared(p->pane[i].kind) && !entry.query)
            check_literal(a, &p->pane[i]);
    }
}

/* ---- all lessons ---- */

static int questions;

static void ask_again(const struct game *a, const struct scenario *sc, const struct play *p)
{
    struct game b;
    open_game(&b, sc, p, a->u->run->st.events);
    while (next_stop(&b))
        ;
    compare(a, &b);
    close_game(&b);
    questions++;
}

static void play(const struct scenario *sc, const struct play *p)
{
    struct game a;
    open_game(&a, sc, p, 0);
    while (next_stop(&a))
        if (asks(&a))
            ask_again(&a, sc, p);
    close_game(&a);
}

static bool fits(const struct scenario *sc, enum rt_generation gen)
{
    struct diag d;
    diag_init(&d, NULL);
    bool good = scenario_fits(sc, gen, &d);
    diag_fini(&d);
    return good;
}

/* In its own generation with two layouts and two languages; in every other one once. */
static void play_all(const struct scenario *sc, const char *path, void *ctx)
{
    (void)path;
    (void)ctx;
    if (!scenario_info(sc)->nlesson)
        return;
    enum rt_generation own = scenario_info(sc)->generation;
    play(sc, &(struct play){"lesson", LANG_EN, own, 0, 0});
    play(sc, &(struct play){"classic", LANG_ZH, own, 0, 0});
    play(sc, &(struct play){"projector", LANG_EN, own, 0, 0});
    for (int gen = 0; gen < GENERATIONS; gen++)
        if (is_tried(gen) && (enum rt_generation)gen != own && fits(sc, (enum rt_generation)gen))
            play(sc, &(struct play){"lesson", LANG_EN, (enum rt_generation)gen, 0, 0});
}

TEST_TIMED(no_answer_is_on_the_screen_while_it_is_asked, 1200)
{
    each_scenario(play_all, NULL);
    CHECK(questions > 100);
}

static bool sees(struct game *g, const char *what)
{
    draw(g);
    char *text = canvas_dump(&g->u->canvas);
    CHECK(text);
    bool there = strstr(text, what) != NULL;
    free(text);
    return there;
}

/* ---- an answer that no choice foresees ---- */

static const char unforeseen[] =
    "name: unforeseen\n"
    "scheduler: {gomaxprocs: 1, mode: free}\n"
    "goroutines: [{name: main, do: [{print: here}]}]\n"
    "lesson:\n"
    "  - {on: start, ask: {question: \"What?\", choices: [there, nowhere], answer: value(%s .text)}}\n";

/* Plays it to the end, in a free run. */
static bool ends_with(const char *event, const char *text)
{
    struct game g;
    char yaml[sizeof unforeseen + 40];
    snprintf(yaml, sizeof yaml, unforeseen, event);
    struct scenario *sc = load(t_file("unforeseen.yaml", yaml));
    open_game(&g, sc, &(struct play){"lesson", LANG_EN, GO1_20, 0, 0}, 0);
    while (next_stop(&g))
        ;
    bool there = sees(&g, text);
    close_game(&g);
    scenario_free(sc);
    return there;
}

TEST(a_free_run_may_give_what_no_choice_foresees)
{
    CHECK(ends_with("print", "In this run it is here: no choice"));
    CHECK(ends_with("print x2", "that the question is about"));
    CHECK(!ends_with("print", "the log decides"));
}

/* ---- what else shows a hidden pane's facts ---- */

/* G2 and G3 are in P0's ring, G4 is its runnext. */
static const char hiding[] =
    "name: hiding\n"
    "scheduler: {gomaxprocs: 1}\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: worker, count: 3}, {yield: 1}]\n"
    "  - name: worker\n"
    "    do: [{print: here}]\n"
    "lesson:\n"
    "  - on: runnext_put x3\n"
    "    hide: [%s]\n"
    "    ask: {question: Which?, choices: [G2, G3, G4], answer: next(g_start after runnext_put x3 .g)}\n";

static struct scenario *open_hiding(struct game *g, const char *panes, const char *layout)
{
    char yaml[sizeof hiding + 80];
    snprintf(yaml, sizeof yaml, hiding, panes);
    struct scenario *sc = load(t_file("hiding.yaml", yaml));
    bool large = !strcmp(layout, "projector"); /* on a small screen its sentence is plain text */
    open_game(g, sc, &(struct play){layout, LANG_EN, GO1_20, large ? 80 : 0, large ? 24 : 0}, 0);
    CHECK(next_stop(g) && asks(g));
    return sc;
}

/* Selects a subject; its fields are shown. */
static void inspect(struct game *g, char prefix, uint32_t id)
{
    g->u->inspect = true;
    g->u->select.tag = tag_of(prefix, id);
}

static void end_hiding(struct game *g, struct scenario *sc)
{
    close_game(g);
    scenario_free(sc);
}

TEST(the_fields_of_a_subject_are_hidden_with_the_pane_that_shows_them)
{
    struct game g;
    struct scenario *sc = open_hiding(&g, "processors, narration", "lesson");
    static const struct {
        char prefix;
        uint32_t id;
        const char *field;
    } subject[] = {{'P', 0, "runqhead"}, {'G', 2, "gopc"}, {'M', 0, "curg"}};
    for (int answered = 0; answered < 2; answered++) {
        for (size_t i = 0; i < sizeof subject / sizeof *subject; i++) {
            inspect(&g, subject[i].prefix, subject[i].id);
            CHECK_INT(sees(&g, subject[i].field), answered);
        }
        lesson_answer(g.u, 0);
    }
    end_hiding(&g, sc);
    sc = open_hiding(&g, "narration", "lesson");
    inspect(&g, 'P', 0);
    CHECK(sees(&g, "runqhead"));
    end_hiding(&g, sc);
}

TEST(the_box_of_queues_is_hidden_with_them)
{
    struct game g;
    struct scenario *sc = open_hiding(&g, "global_queue", "lesson");
    ui_open(g.u, BOX_QUEUES);
    CHECK(!sees(&g, "P0: "));
    lesson_answer(g.u, 0);
    CHECK(sees(&g, "P0: "));
    end_hiding(&g, sc);
}

TEST(the_stage_hides_its_parts)
{
    struct game g;
    struct scenario *sc = open_hiding(&g, "narration", "projector");
    CHECK(sees(&g, "M0") && !sees(&g, "P0's runnext"));
    end_hiding(&g, sc);
    sc = open_hiding(&g, "processors, narration", "projector");
    CHECK(!sees(&g, "M0") && !sees(&g, "P0's runnext"));
    lesson_answer(g.u, 0);
    CHECK(sees(&g, "P0's runnext"));
    end_hiding(&g, sc);
}
