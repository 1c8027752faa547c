/* A pane is a row of panes.def and a `const struct pane_ops pane_NAME` in pane_NAME.c.
 *
 * A pane reads the view and its own state, and nothing else. Before each picture `prepare` may query the history and keep the answer in the
 * state; `draw` only draws. So a picture depends only on what is shown, and no pane waits while another one is half drawn. */
#ifndef GMPSCOPE_UI_PANES_PANE_H
#define GMPSCOPE_UI_PANES_PANE_H

#include "canvas/canvas.h"
#include "layout/layout.h"
#include "ui/panes/view.h"

enum pane_kind {
#define PANE(name, title, columns, rows) PANE_##name,
#include "ui/panes/panes.def"
#undef PANE
    PANES
};

/* One pane on the screen. */
struct pane {
    const struct layout_pane *at; /* its rectangle and its options */
    struct rect in;               /* the inside of its frame */
    void *state;                  /* pane_ops.state_bytes, zero at first, kept until the run restarts; NULL: none */
};

/* What `prepare` may ask: the history of the run, which events match a pattern (session_ops.search->query, .matches), and the variables of a G. */
struct pane_source {
    struct session *session;
    bool (*query)(struct session *, session_ask *ask, void *ctx);
    bool (*matches)(struct session *, const char *pattern, const uint64_t *number, int n, bool *hit);
    void (*variables)(struct session *, uint32_t g, struct variables *out); /* NULL: two runs */
    int (*breaks)(struct session *, struct session_break *out, int max);
    const struct waits_reach *(*reach)(struct session *, size_t *n);                                /* NULL: nobody asks */
    bool (*race)(struct session *, uint32_t i, uint32_t g, enum lang lang, char *buf, size_t size); /* NULL: two runs */
};

/* What a pane requests of the screen after a key or a click. */
struct pane_request {
    bool taken;                /* false: the key or the click is not the pane's */
    uint64_t go_to;            /* show the state after this event; 0: stay */
    uint32_t select;           /* select the subject with this tag; 0: leave the selection */
    uint32_t press;            /* press this key; 0: none */
    enum text_id note;         /* show this note; 0 (a title): none */
    char break_at[PLACE_NAME]; /* add a breakpoint at this place, "main.go:12"; "": none */
};

struct pane_key {
    uint32_t code, also; /* ui/term/keycodes.h; also: another key with the same effect, 0: none */
    const char *name;    /* as people call it */
    enum text_id help;
    struct pane_request (*fn)(const struct pane *p, const struct view *v, int by);
    enum text_id label; /* on the key line; TX_NONE: it is not there. Neighbours with the same label share it */
    int by;             /* the last argument of fn, such as a number of rows (scroll.h) */
};

struct pane_ops {
    bool cursor;                        /* the arrows move a cursor of its own, so it takes the focus without a change of the selection */
    bool drags;                         /* a drag is a click at each place that the mouse passes */
    bool bare;                          /* it has no frame, and its inside is the whole rectangle */
    const struct layout_option *option; /* `noptions` of them; values: pane.at->option */
    int noptions;
    const struct pane_key *key; /* `nkeys` of them, which win over the global ones while it has the focus */
    int nkeys;
    size_t state_bytes;
    /* Writes the title of the frame; NULL: the title in panes.def is used. */
    void (*title)(const struct pane *p, const struct view *v, char *buf, size_t size);
    void (*prepare)(const struct pane *p, const struct view *v, const struct pane_source *from);
    void (*draw)(const struct pane *p, const struct view *v, struct canvas *c);
    int (*rows_wanted)(const struct view *v); /* rows inside of its frame that show all; NULL: what a layout gives is enough */
    /* A click at this cell of the inside, from (0, 0). */
    struct pane_request (*mouse)(const struct pane *p, const struct view *v, int x, int y);
};

/* ---- what the screen does with them (panes.c) ---- */

/* The table for layout_load(). */
extern const struct layout_kinds pane_kinds;
const char *pane_name(int kind);
/* A pane of that kind with the standard options. */
struct layout_pane pane_standard(enum pane_kind kind, struct layout_rect rect);
/* The states of the panes that show one run; zero is an empty one. */
struct pane_states {
    struct pane_state {
        int kind, nth;
        void *bytes;
    } * v;
    int n;
};
void pane_states_fini(struct pane_states *s);

/* Returns bits of the kinds that have room for their contents: view.on_screen. */
uint32_t panes_kinds(const struct canvas *c, const struct layout_pane *pane, int n);
/* Each takes all n panes of a solved layout; v->states has their states. */
void panes_prepare(const struct view *v, const struct canvas *c, const struct layout_pane *pane, int n, const struct pane_source *from);
void panes_draw(const struct view *v, struct canvas *c, const struct layout_pane *pane, int n);
/* The key or the click goes to pane i. */
/* The pane prepares first, so a key acts on what earlier keys have led to. */
struct pane_request panes_key(const struct view *v, const struct canvas *c, const struct layout_pane *pane, int i, uint32_t code,
                              const struct pane_source *from);
struct pane_request panes_click(const struct view *v, const struct canvas *c, const struct layout_pane *pane, int i, int x, int y);
/* The keys of a kind, for the help screen; returns how many. */
int pane_keys_of(int kind, const struct pane_key **key);
enum text_id pane_title(int kind);
bool pane_has_cursor(int kind);
bool pane_drags(int kind);
/* Returns 0 if what a layout gives is enough. */
int pane_rows_wanted(const struct view *v, int kind);

#endif
