/* The state of the screen while it is up; private to this room. loop.c runs it, keys.c changes it. */
#ifndef GMPSCOPE_UI_UI_H
#define GMPSCOPE_UI_UI_H

#include "ui/layouts.h"
#include "ui/panes.h"
#include "ui/screen.h"
#include "ui/stops.h"

enum { EVENTS_KEPT = 128, LINES_KEPT = 64 };

struct ui {
    const struct ui_config *cfg;
    struct ui *other;                /* of the session that is compared: what was fetched of it, and nothing else; NULL: none */
    struct screen *screen;
    struct canvas canvas;
    struct layouts layouts;
    enum lang lang;                  /* English where the terminal has no UTF-8 */
    int w, h;
    /* what was fetched last */
    struct session_status st;
    struct stops stops;
    bool jump;                       /* what comes next does not follow what is shown */
    struct session_event ev[EVENTS_KEPT];
    int nev;
    char line[LINES_KEPT][LINE_MAX_BYTES];
    int nlines;
    uint64_t total_lines;
    struct arrows arrows;
    /* control */
    bool help, stale, dirty, leave;  /* stale: fetch anew; dirty: draw anew */
    bool suspend;
    int code;                        /* of ui_run */
    int64_t watched_at, drawn_at;    /* ms, monotonic */
};

/* Draws the frame for what was fetched (frame.c). */
void ui_draw(struct ui *u);
void help_draw(struct canvas *c, enum lang lang);

#endif
