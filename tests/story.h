/* A story fed to the model as events with their sequence numbers; panes are drawn from it and read as text. */
#ifndef GMPSCOPE_TESTS_STORY_H
#define GMPSCOPE_TESTS_STORY_H

#include "t.h"
#include "ui/panes/panes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a story ---- */

struct story {
    struct model *md;
    struct session_event ev[256];
    int n;
    int64_t time;
};

static const char *const fn_names[] = {"main", "worker"};

static inline void story_event(struct story *s, uint32_t m, struct ev e)
{
    struct session_event *x = &s->ev[s->n++];
    s->time += 10;
    e.time = s->time;
    if (model_offer(s->md, m, &e, NULL, 0) != 0)
        t_fail(__FILE__, __LINE__, "event %d %s: %s", s->n, ev_desc[e.kind].name, model_error(s->md));
    *x = (struct session_event){.number = (uint64_t)s->n, .m = m, .ev = e};
}

#define EVENT(kind_, m, p_, ...) story_event(s, m, (struct ev){.kind = EV_##kind_, .p = p_, __VA_ARGS__})

/* main runs on M0 and P0 of `np`. */
static inline struct story *story_new(uint32_t np, uint32_t runq_size)
{
    struct story *s = calloc(1, sizeof *s);
    struct model_config cfg = {.runq_size = runq_size, .start_tick = 4, .seed = 1, .names = {.fn = fn_names, .nfn = 2}};
    s->md = model_new(&cfg);
    EVENT(M_START, 0, EV_NO_P, .a = 0);
    EVENT(PROCRESIZE, 0, EV_NO_P, .a = 0, .b = np);
    EVENT(G_CREATE, 0, 0, .g = 1, .a = 0, .b = 0);
    EVENT(G_START, 0, 0, .g = 1, .a = 2);
    return s;
}

/* G1 starts n workers: each becomes runnext and kicks the previous one into the ring. */
static inline void spawn(struct story *s, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t before = i ? i + 1 : 0;
        EVENT(G_CREATE, 0, 0, .g = i + 2, .a = 1, .b = 1, .c = i);
        EVENT(RUNNEXT_PUT, 0, 0, .g = i + 2, .a = before);
        if (before)
            EVENT(RUNQ_PUT, 0, 0, .g = before, .a = i - 1);
    }
}

/* M2 starts, spinning on P1. */
static inline void thief_comes(struct story *s)
{
    EVENT(P_TAKE, 0, 1, .a = 2, .b = 1);
    EVENT(WAKEP, 0, 0, .a = WAKEP_NEW_G, .b = 1);
    EVENT(M_START, 2, EV_NO_P, .a = 1, .b = 0);
    EVENT(P_ACQUIRE, 2, 1, .a = 3);
}

/* P0 has G2 … G8 in its ring and G9 in runnext. P1 steals four and runs the last of them, G5. */
static inline struct story *steal_half(uint32_t np)
{
    struct story *s = story_new(np, 8);
    spawn(s, 8);
    thief_comes(s);
    EVENT(STEAL, 2, 1, .g = 5, .a = 0, .b = 4 << 1, .c = 0, .d = 0);
    EVENT(SPIN_STOP, 2, 1, .a = 0, .c = SPIN_STOP_FOUND_WORK, .b = 2);
    EVENT(G_START, 2, 1, .g = 5, .a = 2);
    return s;
}

static inline void story_free(struct story *s)
{
    model_free(s->md);
    free(s);
}

/* ---- looking ---- */

enum { W = 110, H = 16 };

static inline struct view view_of(const struct story *s)
{
    int n = s->n < EVENTS_KEPT ? s->n : EVENTS_KEPT;
    return (struct view){
        .md = s->md,
        .st = {.name = "story",
               .lockstep = true,
               .paused = true,
               .seed = 7,
               .events = (uint64_t)s->n,
               .time = s->time,
               .tempo = TEMPO_FIXED(4)},
        .ev = s->ev + s->n - n,
        .nev = n,
    };
}

/* The rows of one pane drawn by itself, as text. */
struct picture {
    struct canvas c;
    char *text, *row[64];
    int n;
};

static inline struct picture look(const struct view *v, struct layout_pane pane)
{
    struct picture p = {.n = 0};
    CHECK(canvas_init(&p.c, pane.rect.x + pane.rect.w, 40)); /* high enough for boxes */
    struct pane_states states = {0};
    struct view with = *v; /* a pane with a state draws nothing without it */
    with.states = v->states ? v->states : &states;
    panes_draw(&with, &p.c, &pane, 1);
    pane_states_fini(&states);
    p.text = canvas_dump(&p.c);
    for (char *line = strtok(p.text, "\n"); line && p.n < 64; line = strtok(NULL, "\n"))
        p.row[p.n++] = line;
    return p;
}

static inline void picture_fini(struct picture *p)
{
    canvas_fini(&p->c);
    free(p->text);
}

static inline struct layout_pane at(enum pane_kind kind, int w, int h)
{
    return pane_standard(kind, (struct layout_rect){0, 0, w, h});
}

/* Returns the first row that has all words, in this order. */
static inline const char *row_with(const struct picture *p, const char *const *word, int n)
{
    for (int i = 0; i < p->n; i++) {
        const char *at_ = p->row[i];
        int k = 0;
        while (k < n && (at_ = strstr(at_, word[k])))
            at_ += strlen(word[k++]);
        if (k == n)
            return p->row[i];
    }
    return NULL;
}

#define HAS_ROW(p, ...) \
    do { \
        const char *const words_[] = {__VA_ARGS__}; \
        if (!row_with(p, words_, sizeof words_ / sizeof *words_)) { \
            for (int i_ = 0; i_ < (p)->n; i_++) \
                fprintf(stderr, "%s\n", (p)->row[i_]); \
            t_fail(__FILE__, __LINE__, "no row with %s", #__VA_ARGS__); \
        } \
    } while (0)

/* Returns the contents of the marked cells, row by row. */
static inline const char *marked(const struct picture *p)
{
    static char text[256];
    int n = 0;
    for (int i = 0; i < p->c.w * p->c.h && n < 255; i++)
        if (p->c.cell[i].mark)
            text[n++] = (char)p->c.cell[i].ch;
    text[n] = '\0';
    return text;
}

static inline bool anywhere(const struct picture *p, const char *text)
{
    for (int i = 0; i < p->n; i++)
        if (strstr(p->row[i], text))
            return true;
    return false;
}

#endif
