/* Panes: each draws one part of the view into a rectangle of the canvas. They read the view and nothing else. */
#ifndef GMPSCOPE_UI_PANES_PANES_H
#define GMPSCOPE_UI_PANES_PANES_H

#include "canvas/canvas.h"
#include "layout/layout.h"
#include "ui/panes/arrows.h"
#include "session/session.h"
#include "ui/texts.h"

enum { LINE_MAX_BYTES = 160 };

/* One frame's worth of what is known. All borrowed for the call. */
struct view {
    const struct model *md;               /* NULL: not known yet, panes draw their frames only */
    const struct model *base;             /* what changed is marked against it; NULL: no marks */
    uint64_t base_lines, base_events;     /* lines of output and events there were at `base`; UINT64_MAX: none are new */
    struct session_status st;
    const struct session_event *ev;       /* the last events, newest last */
    int nev;
    const struct session_event *pend;     /* logged, not folded, by time; of st.pending the first npend */
    int npend;
    const char (*line)[LINE_MAX_BYTES];   /* the last lines of output, newest last */
    int nlines;
    uint64_t total_lines;
    const struct arrows *arrows;
    enum lang lang;
    const struct session_lesson *lesson;  /* NULL: none is played */
    int answered;                         /* the choice that was taken, from 0; -1: none yet */
    const struct view *other;             /* the run that this one is compared with; NULL: none. Then base is its state, too; */
    struct sentence_cache *said;                 /* sentences that were made before; NULL: none are kept */
    const char *side, *told;              /* "left" or "right"; the settings of this run alone, "" if there are none */
};

typedef void pane_fn(const struct view *v, struct canvas *c, const struct layout_pane *pane);
pane_fn pane_status, pane_processors, pane_global_queue, pane_threads, pane_narration, pane_output, pane_lesson, pane_keys;

/* pane_no_p.c: the inside of `processors` where the generation has no P. */
void pane_no_p(const struct view *v, struct canvas *c, struct rect in);

/* say.c: the event's sentence, kept or in buf. */
enum { SENTENCE_BYTES = 160 };
struct sentence_cache *sentence_cache_new(void);        /* free() it; NULL: out of memory */
const char *say_event(const struct view *v, const struct session_event *e, char buf[SENTENCE_BYTES]);

/* All panes of a solved layout. */
void panes_draw(const struct view *v, struct canvas *c, const struct layout_pane *pane, int n);

/* ---- shared by panes (draw.c) ---- */

/* The frame of a pane: a box, or on a low screen a rule with the title; returns the inside. */
struct rect pane_frame(struct canvas *c, const struct layout_pane *pane, const char *title);
struct rect pane_inside(const struct canvas *c, const struct layout_pane *pane);
struct rect pane_rect(const struct layout_pane *pane);
enum role g_role(uint32_t g);
int digits(uint64_t n);
/* Columns of the widest G, P, M label there is ("G12"); at least 3 for Gs, 2 for the others. */
int g_width(const struct view *v);
int p_width(const struct view *v);
int m_width(const struct view *v);
/* What a label stands for is in the tags of its cells (canvas.h): so it can be chosen with keys and mouse, wherever it is drawn. */
enum { THING_NONE, THING_P, THING_M, THING_G, THING_SHIFT = 28 };
uint32_t tag_of(char prefix, uint32_t id);
/* "G3" in its colour, with "*" behind it if it is marked; 0 draws "-". Returns the next x. */
int draw_g(struct canvas *c, struct rect clip, int x, int y, uint32_t g, bool marked);
/* "P0" or "M1" by prefix; EV_NONE draws "-". */
int draw_id(struct canvas *c, struct rect clip, int x, int y, enum role role, char prefix, uint32_t id, bool marked);
/* Was this G in the global queue of the state that marks are against? True where there is none. */
bool was_in_globq(const struct view *v, uint32_t g);
/* The name of a G's program, cut to `width` columns. */
int draw_name(const struct view *v, struct canvas *c, struct rect clip, int x, int y, uint32_t g, int width);

/* What a state letter says (the legend of the help screen is the same table). */
struct letter { char letter; enum role role; enum text_id meaning; };
extern const struct letter letters[];
extern const int nletters;
struct letter p_letter(const struct view *v, uint32_t p);
/* Nobody's and not on the idle list either: it is being handed over. */
bool p_in_hand(const struct view *v, uint32_t p);
/* A time in a column: always three decimals, in µs below 10 ms, so that what is 10 ns apart reads differently; at most TIME_TEXT_W
 * columns for the first hours. */
enum { TIME_TEXT_W = 11 };
const char *time_text(int64_t ns, char *buf, size_t size);
struct letter m_letter(const struct view *v, uint32_t m);
/* The M in a system call that left this P behind, EV_NONE if none. */
uint32_t p_syscall_m(const struct view *v, uint32_t p);

/* Which of n rows are shown when only `room` fit: busy ones first, in the order of their ids. The last row is then the
 * fold, which says what is hidden. */
enum { ROWS_MAX = 256 };
struct rows {
    int n;                        /* rows shown, the fold not counted */
    uint32_t id[ROWS_MAX];
    bool fold;
    uint32_t hidden, hidden_busy, first_hidden, last_hidden;
};
void rows_choose(struct rows *r, const struct view *v, uint32_t n, int room, bool (*exists)(const struct view *, uint32_t),
                 bool (*busy)(const struct view *, uint32_t));
void rows_fold_text(const struct rows *r, const struct view *v, char prefix, char *buf, size_t size);

/* The tempo, or the speed in free mode. */
const char *pace_text(const struct view *v, char *buf, size_t size);
/* How a run ended (EH_…), for people. */
const char *end_text(enum lang lang, int how);

#endif
