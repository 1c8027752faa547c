/* A game: a session that plays a lesson, and its screen without a terminal. */
#ifndef GMPSCOPE_TESTS_GAME_H
#define GMPSCOPE_TESTS_GAME_H

#include "engine/shipped.h"
#include "live.h"
#include "session/control.h"
#include "ui/fetch.h"
#include "ui/frame.h"
#include "ui/input/lesson_answers.h"
#include "ui/input/requests.h"

#include <stdlib.h>

struct game {
    const struct scenario *sc;
    struct options o;
    struct session *s;
    struct ui_config cfg;
    struct ui *u;
    char args[2][40];
};

enum { GAME_W = 120, GAME_H = 40 };

static inline struct ui *screen_of(const struct ui_config *cfg, const char *layout, int w, int h)
{
    struct diag d;
    struct arena a = {0};
    struct ui *u = calloc(1, sizeof *u);
    CHECK(u);
    *u = (struct ui){.cfg = cfg, .ops = &session_ops, .nruns = 1, .run[LEFT].session = cfg->session, .w = w, .h = h, .lang = cfg->lang};
    u->select.pane = -1;
    diag_init(&d, NULL);
    CHECK(layouts_load(&u->layouts, shipped_path(&a, "layouts", layout), shipped_dir(&a, "layouts"), &d));
    diag_fini(&d);
    arena_fini(&a);
    return u;
}

/* How a lesson is played. */
struct play {
    const char *layout;
    enum lang lang;
    enum rt_generation gen;
    int w, h; /* 0: GAME_W, GAME_H */
};

/* max: the event at which the run ends; 0: it is whole. */
static inline void open_game(struct game *g, const struct scenario *sc, const struct play *p, uint64_t max)
{
    char err[200];
    *g = (struct game){.sc = sc};
    snprintf(g->args[0], sizeof g->args[0], "--generation=%s", generation_name[p->gen]);
    snprintf(g->args[1], sizeof g->args[1], "--max-events=%llu", (unsigned long long)max);
    char *argv[] = {(char *)scenario_info(sc)->name, "--lesson", "--tempo=max", g->args[0], g->args[1]};
    CHECK(options_parse(&g->o, CMD_RUN, max ? 5 : 4, argv));
    struct session_config c = command_session(sc, &g->o);
    c.paused = true;
    if (!(g->s = session_new(&c, err, sizeof err)))
        t_fail(scenario_info(sc)->name, 0, "%s", err);
    g->cfg = (struct ui_config){.session = g->s, .ops = &session_ops, .lang = p->lang};
    g->u = screen_of(&g->cfg, p->layout, p->w ? p->w : GAME_W, p->h ? p->h : GAME_H);
}

static inline void close_game(struct game *g)
{
    canvas_fini(&g->u->canvas);
    diff_base_fini(&g->u->run[LEFT].stops);
    pane_states_fini(&g->u->run[LEFT].panes);
    layouts_free(&g->u->layouts);
    free(g->u);
    session_free(g->s);
    options_fini(&g->o);
}

static inline void draw(struct game *g)
{
    CHECK(frame_draw(g->u));
}

/* Goes on to the next stop of the lesson and draws it. Returns false if there is none. */
static inline bool next_stop(struct game *g)
{
    struct session_status st;
    uint64_t n, was = g->u->run->st.events;
    session_ops.lesson->go(g->s, 1);
    for (session_ops.status(g->s, &st); !st.still && !st.ended; session_ops.status(g->s, &st)) {
        struct pollfd p = {.fd = session_ops.wake_fd(g->s), .events = POLLIN};
        if (poll(&p, 1, 20) > 0 && read(p.fd, &n, sizeof n) < 0)
            t_fail(__FILE__, __LINE__, "eventfd");
    }
    ui_fetch(g->u);
    if (st.failed)
        t_fail(scenario_info(g->sc)->name, 0, "the run has failed: %s", stop_text(&st));
    ui_open(g->u, BOX_NONE); /* the card at the end of the run */
    draw(g);
    return st.events > was;
}

#endif
