/* A window onto the events of the whole history, with a cursor: the part that lists of events share.
 *
 * Only the rows of the window are read. So a list of ten million events scrolls like one of ten. */
#ifndef GMPSCOPE_UI_PANES_PARTS_EVENT_LIST_H
#define GMPSCOPE_UI_PANES_PARTS_EVENT_LIST_H

#include "model/history/spawns.h"
#include "ui/panes/panes.h"
#include "ui/panes/parts/scroll.h"

enum { LIST_ROWS = 160 };

enum { LIST_EXTRAS = 64 };

/* What a search back has found. So a walk forth over the same events need not read them again. */
struct list_found {
    uint64_t low, high;     /* of the events from low to high only these are wanted */
    uint64_t at[LIST_ROWS]; /* the newest first */
    int n;
};

struct event_list {
    /* Is this event about `only` listed? NULL: core events are, and detail events if `details` is set. */
    bool (*wanted)(const struct event_list *l, struct history *h, const struct history_event *e);
    uint64_t extra[LIST_EXTRAS]; /* `nextra` events that are listed in addition */
    int nextra;
    uint32_t only;   /* list only events about the subject with this tag; 0: all */
    bool details;    /* list detail events, too */
    bool folds;      /* one row stands for the three events of a wakep() without an idle P, for repeated spawns, and for the boot */
    uint64_t cursor; /* the event under the cursor */
    bool free;       /* the cursor was moved; otherwise it is on the newest event of the state shown */
    uint64_t shown, newest, oldest; /* the state shown; the part of the history that is listed: events after `oldest` */
    bool partly;                    /* events before that part were not looked at */
    struct list_found found;
    uint64_t top; /* the first row */
    int n, at;    /* rows; the cursor's row, -1: none */
    struct session_event row[LIST_ROWS];
    bool hit[LIST_ROWS];               /* the row matches what is searched for */
    struct spawn_told told[LIST_ROWS]; /* the repeated spawns that the row tells */
    struct boot boot;                  /* of a list that folds: what the row of its end tells */
    /* What keys asked for since the last list_prepare(). */
    int64_t by;
    int end; /* -1: to the first event, 1: to the last one */
};

/* Moves the cursor, reads the rows around it, and tests them against the pattern or the text that is searched for. rows: the room for them. */
void list_prepare(struct event_list *l, const struct view *v, int rows, const struct pane_source *from);
/* As list_prepare(), for a caller that is inside a query already. It tests no pattern. */
void list_read(struct event_list *l, const struct view *v, int rows, struct history *h);
/* Returns the event behind which a frame looks for events about one subject. */
uint64_t list_oldest(const struct view *v, const struct history *h);
/* Returns the nearest event that is listed, from event n on upwards (step 1) or downwards (step -1); 0: none. */
uint64_t list_next(struct event_list *l, struct history *h, uint64_t n, int step);
bool list_copy(struct history *h, uint64_t number, struct session_event *out);
/* Marks the cursor's row, if the cursor was moved, and the row of the event that is shown. y: the row on the screen. */
void list_mark(const struct event_list *l, struct canvas *c, struct rect in, int i, int y);
/* Draws a text in `width` columns of a row. */
void list_text(struct canvas *c, struct rect in, int x, int y, int width, enum role role, const char *text);

/* Returns the sentence of row i. */
const char *list_sentence(const struct event_list *l, const struct view *v, int i, char buf[SENTENCE_BYTES]);
/* Draw the rows of a list, and write the title of its pane: the cursor's event, and what the list is limited to (event_rows.c). */
void event_rows_draw(const struct event_list *l, const struct view *v, struct canvas *c, struct rect in);
/* Does a list of sentences in `in` have this column? The sentence needs the room first.
 * LIST_WHERE_ALL: in a list of all events, many of which name no M. */
enum list_column { LIST_TIME = 64, LIST_WHERE_ALL = 78, LIST_WHERE = 90, LIST_GO = 104 };
static inline bool list_shows(struct rect in, enum list_column column)
{
    return in.w >= (int)column;
}
void event_rows_title(const struct event_list *l, const struct view *v, enum text_id text, char *buf, size_t size);

/* ---- keys; the state of the pane begins with the list ---- */
#define LIST_KEYS(fn) SCROLL_KEYS(fn, TX_LIST_UP, TX_LIST_DOWN, TX_LIST_HOME, TX_LIST_END, TX_SHORT_SCROLL)

struct pane_request list_key_move(const struct pane *p, const struct view *v, int by);
struct pane_request list_key_enter(const struct pane *p, const struct view *v, int by);
/* Lists only what is about the selection, or everything again (event_rows.c). */
struct pane_request list_key_filter(const struct pane *p, const struct view *v, int by);
/* A click on row i of the list puts the cursor there; a click on the cursor goes to its event. */
struct pane_request list_click(struct event_list *l, int i);

#endif
