/* The life of one G, as the history has it: its moves, how long it was in each state, and why it does not run. For pane_goroutine.c. */
#ifndef GMPSCOPE_UI_PANES_PARTS_LIFE_H
#define GMPSCOPE_UI_PANES_PARTS_LIFE_H

#include "ui/panes/parts/event_list.h"

enum { LIFE_STATES = G_DEAD + 1, STRIP_MAX = 240, CAUSES_MAX = 12, CAUSE_BYTES = 400 };

/* What a move shows in addition to its sentence. */
struct move_note {
    uint8_t was;    /* the state that ended (enum g_status); G_IDLE: none did */
    int64_t lasted; /* how long, ns */
    uint8_t place;  /* for an extra row: the place to which the G moved (enum g_place); where: the id of that P or M */
    uint32_t where;
};

/* Why a G is not running: a chain of causes. */
struct causes {
    int n;
    struct cause {
        uint64_t event; /* 0: no event says so */
        char text[CAUSE_BYTES];
        size_t brief; /* bytes that are enough where rows are short; 0: all are needed */
    } v[CAUSES_MAX];
};

struct life {
    struct event_list list; /* first, for the keys of lists */
    uint32_t g;             /* 0: none */
    struct move_note note[LIST_ROWS];
    /* Extra rows: batches that moved the G without naming it. They are known for the events from scanned_from to scanned_to. */
    struct {
        uint8_t place;
        uint32_t where;
    } went[LIST_EXTRAS];
    uint64_t scanned_from, scanned_to;
    /* From its first known event on; total: up to the state shown, which has the time total_at. */
    int64_t begins, total[LIFE_STATES], total_at;
    int columns, strip_columns; /* strip_columns, strip_at: the width and the newest event for which the strip was read */
    uint64_t strip_at;
    uint8_t strip[STRIP_MAX];
    int now;     /* the column of the state that is shown */
    bool partly; /* the G may have earlier moves that were not read */
    bool turned; /* y has turned the pane from what its layout shows to the other side */
    struct causes causes;
    int chosen; /* of the causes */
};

/* Reads what is shown of the life of life->g; columns: the width of the strip. Inside a query. */
void life_read(struct life *life, const struct view *v, int rows, int columns, struct history *h);
/* Fills in the causes of a G, none for 0 (goroutine_why.c). Inside a query. h NULL: no events are looked up, which takes no time. */
void causes_of(struct causes *to, uint32_t g, const struct view *v, struct history *h);
/* Returns a user G that waits: of a circle if there is one, else the first; 0: none, or there are too many Gs. */
uint32_t waiting_g(const struct view *v);
/* For a runnable G that event `since` has made runnable: since when it is where it is, what was taken before it, and what looks there next
 * (why_runnable.c). Inside a query. */
void causes_of_runnable(struct causes *to, const struct model_g *g, uint64_t since, const struct view *v, struct history *h);
/* Adds a cause. event: the one that says so, or 0. */
__attribute__((format(printf, 3, 4))) void cause_add(struct causes *to, uint64_t event, const char *fmt, ...);
/* Returns the G's state after an event that changes it, -1 if it changes no state of this G. */
int life_state_after(uint32_t g, const struct ev *e);
/* Writes the time from `since` to the state that is shown, for a sentence: "1.2 ms", "0 ns". Returns buf. */
char *since_text(const struct view *v, int64_t since, char *buf, size_t size);

#endif
