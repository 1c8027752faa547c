/* What a lesson tells about is on the stage, which a lecture hall sees: each G, M and P that the text of an entry names, or that the newest
 * sentence names, at each stop of each shipped lesson, in four sizes. And each label there is whole.
 *
 * A thing is on the stage if a cell has its tag. What does not exist at that instant, as a G that has ended or is still to come, has no place; and an
 * open question hides what would answer it. */
#include "figures.h"
#include "game.h"

#include <ctype.h>

static const int sizes[][2] = {{80, 24}, {100, 30}, {120, 40}, {200, 60}};
static int named;   /* how many names were looked for */
static long labels; /* how many were whole */
static int asked;   /* how many questions had large letters */

static bool is_drawn(const struct canvas *c, uint32_t tag)
{
    for (int i = 0; i < c->w * c->h; i++)
        if (c->cell[i].tag == tag)
            return true;
    return false;
}

/* Does it exist at the instant that is shown? */
static bool exists(const struct model *md, char kind, uint32_t id)
{
    if (kind == 'P')
        return id < model_np(md) && model_p(md, id)->status != P_DEAD;
    if (kind == 'M')
        return id < model_nm(md) && model_m(md, id)->started && !model_m(md, id)->exited;
    const struct model_g *g = model_g(md, id);
    return g && g->status != G_DEAD;
}

static void look_for(struct game *g, const char *text)
{
    const struct model *md = g->u->run->stops.shown.md;
    for (const char *at = text; (at = strpbrk(at, "GMP")); at++) {
        uint32_t id = (uint32_t)strtoul(at + 1, NULL, 10);
        if ((at > text && isalnum((unsigned char)at[-1])) || !isdigit((unsigned char)at[1]) || !exists(md, *at, id))
            continue;
        named++;
        if (is_drawn(&g->u->canvas, tag_of(*at, id)))
            continue;
        char *shown = canvas_dump(&g->u->canvas);
        t_fail(scenario_info(g->sc)->name, (int)g->u->run->st.events, "%dx%d: %c%u is not on the stage: %s\n%s", g->u->w, g->u->h, *at, id,
               text, shown);
    }
}

static void look(struct game *g)
{
    char buf[SENTENCE_BYTES];
    struct view v = ui_view(g->u, LEFT);
    int newest = event_now(&v);
    if (lesson_asks(&v))
        return;
    look_for(g, text_in(&v.lesson->say, LANG_EN));
    if (newest >= 0)
        look_for(g, event_listed(&v, newest) ? listed_sentence(&v, newest, buf) : sentence_of(&v, &v.ev[newest], buf));
}

/* On a high screen a question has large letters, and its frame does not move. */
static void look_at_lesson(struct game *g, int *rows)
{
    const struct placed *p = &g->u->placed;
    struct view v = ui_view(g->u, LEFT);
    int h = 0;
    for (int i = 0; i < p->n; i++)
        h = p->pane[i].kind == PANE_lesson ? p->pane[i].rect.h : h;
    if (g->u->h < 60)
        return;
    CHECK(!*rows || *rows == h);
    *rows = h;
    if (!lesson_asks(&v))
        return;
    char begin[20], *shown = canvas_dump(&g->u->canvas);
    snprintf(begin, sizeof begin, "%s", text_in(&v.lesson->question, LANG_EN));
    if (strstr(shown, begin))
        t_fail(scenario_info(g->sc)->name, (int)g->u->run->st.events, "a question in small letters:\n%s", shown);
    free(shown);
    asked++;
}

static void play(const struct scenario *sc, const char *path, void *ctx)
{
    const int *size = ctx;
    struct game g;
    int rows = 0;
    (void)path;
    if (!scenario_info(sc)->nlesson)
        return;
    open_game(&g, sc, &(struct play){"projector", LANG_EN, scenario_info(sc)->generation, size[0], size[1]}, 0);
    while (next_stop(&g)) {
        look(&g);
        look_at_lesson(&g, &rows);
        labels += check_labels(g.u);
    }
    close_game(&g);
}

TEST_TIMED(what_a_lesson_tells_about_is_on_the_stage, 600)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        each_scenario(play, (void *)sizes[i]);
    CHECK(named > 1600 && labels > named);
    CHECK(asked > 80);
}
