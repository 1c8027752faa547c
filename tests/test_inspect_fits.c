/* Inspect cuts no text at 120x40: every G, M and P of every shipped scenario, in each generation and each language. */
#include "cli/commands.h"
#include "load.h"
#include "model/history/history.h"
#include "story.h"
#include "ui/panes/parts/inspect.h"
#include "whole.h"

enum { POINTS = 8, COLUMNS = 120, DOCKED = 9, MOST = 24 };

/* The pane asks the history of the engine. */
static bool ask_engine(struct session *s, session_ask *ask, void *ctx)
{
    ask(((struct engine *)(void *)s)->history, ctx);
    return true;
}

/* A field that has a row has its whole meaning there. */
static void check_text(const struct view *v, const char *path, char *text)
{
    struct sheet s;
    char name[64];
    if (strstr(text, "…"))
        t_fail(path, (int)v->st.events, "%s: something is cut\n%s", v->st.generation, text);
    inspect_fields(&s, v, v->md, v->selected, -1);
    for (int i = 0; i < s.n; i++) {
        snprintf(name, sizeof name, " %s ", s.v[i].name);
        if (strstr(text, name) && !strstr(text, s.v[i].meaning))
            t_fail(path, (int)v->st.events, "%s: the meaning of%sis not there\n%s", v->st.generation, name, text);
    }
    free(text);
}

static void check_tag(const struct view *v, const char *path, struct engine *e)
{
    struct layout_pane pane = at(PANE_inspect, COLUMNS, DOCKED);
    struct pane_states states = {0};
    struct view now = *v;
    struct canvas c;
    struct pane_source from = {.session = (struct session *)(void *)e, .query = ask_engine};
    now.states = &states;
    CHECK(canvas_init(&c, COLUMNS, 40));
    panes_prepare(&now, &c, &pane, 1, &from);
    panes_draw(&now, &c, &pane, 1);
    check_text(&now, path, canvas_dump(&c));
    canvas_fini(&c);
    pane_states_fini(&states);
}

/* Everything that can be selected, in both languages. */
static void check_state(const struct model *md, const char *path, struct engine *e, const char *generation)
{
    struct view v = {
        .md = md, .st = {.paused = true, .lockstep = true, .events = model_events(md), .time = model_time(md), .generation = generation}};
    for (int lang = 0; lang < LANGS; lang++) {
        v.lang = (enum lang)lang;
        v.selected = 0;
        check_tag(&v, path, e);
        int left = MOST;
        for (uint32_t g = 0; left-- && (g = model_next_live(md, g));) {
            v.selected = tag_of('G', g);
            check_tag(&v, path, e);
        }
        for (uint32_t m = 0; m < model_nm(md) && m < MOST; m++) {
            v.selected = tag_of('M', m);
            check_tag(&v, path, e);
        }
        for (uint32_t p = 0; p < model_np(md) && p < MOST; p++) {
            v.selected = tag_of('P', p);
            check_tag(&v, path, e);
        }
    }
}

static void check_run(struct engine *e, const char *path, const char *generation)
{
    struct model *md = NULL;
    uint64_t all = history_events(e->history), step = all / POINTS + 1;
    for (uint64_t n = 1; n <= all; n += step) {
        CHECK(history_move(e->history, &md, n));
        check_state(md, path, e, generation);
    }
    model_free(md);
}

static void check_scenario(const struct scenario *sc, const char *path, void *ctx)
{
    (void)ctx;
    for (int g = 0; g < GENERATIONS; g++) {
        struct diag d;
        diag_init(&d, path);
        if (is_tried(g) && scenario_fits(sc, (enum rt_generation)g, &d)) {
            struct engine_config c = whole_run(sc, 200000);
            c.rt.generation = (enum rt_generation)g;
            struct engine *e = run_whole(&c);
            check_run(e, path, generation_name[g]);
            engine_free(e);
        }
        diag_fini(&d);
    }
}

TEST_TIMED(no_text_of_inspect_is_cut, 900)
{
    each_scenario(check_scenario, NULL);
}
