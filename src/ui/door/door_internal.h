/* The state of the list while it is on the screen. */
#ifndef GMPSCOPE_UI_DOOR_DOOR_INTERNAL_H
#define GMPSCOPE_UI_DOOR_DOOR_INTERNAL_H

#include "ui/door/door.h"

enum row_kind { ROW_TOPIC, ROW_RECENT, ROW_ENTRY };
struct door_row {
    enum row_kind kind;
    int at; /* ROW_TOPIC: the topic; ROW_ENTRY: the entry */
};

struct door_screen {
    const struct door *d;
    struct screen *screen;
    struct canvas canvas;
    enum lang lang;
    struct door_row *row; /* those that match the search */
    int nrows, at, top;   /* at: the chosen row, -1: none */
    int list_h, list_w;   /* as drawn last: the list begins at (0, 1) */
    int more;             /* as drawn last: lines of the chosen row after its first */
    int start;            /* the first lesson that was not played yet, -1: none */
    int path;             /* the path that is shown; npaths: all scenarios are */
    struct prompt prompt; /* '/' searches, ':' takes settings */
    int compare;          /* the entry that is compared with another; -1: none */
    bool help, dirty, over;
    int help_top; /* the first row of the help that is shown */
    char note[256];
    struct door_choice *choice;
};

/* Makes the rows that match the search, and keeps the entry chosen if it is among them. False: out of memory. */
bool door_rows(struct door_screen *s, int entry);
/* The chosen entry, -1: none. */
int door_chosen(const struct door_screen *s);
/* Chooses the nearest entry that is `by` rows away, but no heading. */
void door_move(struct door_screen *s, int by);
void door_move_topic(struct door_screen *s, int by);
void door_draw(struct door_screen *s);
int door_help_rows(const struct door_screen *s); /* the rows of the help that fit */

#endif
