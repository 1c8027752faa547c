/* What keys, commands, boxes and the loop request of each other. */
#ifndef GMPSCOPE_UI_INPUT_REQUESTS_H
#define GMPSCOPE_UI_INPUT_REQUESTS_H

#include "ui/input/ui.h"

/* Shows a text on the last row, until the next key or for some seconds. */
void ui_note(struct ui *u, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void ui_note_text(struct ui *u, enum text_id text);
/* Changes between lockstep and free mode. Free mode begins in slow motion, and a note says so. */
void ui_toggle_mode(struct ui *u);
/* While the run is paused, a narrow status line leaves out the pace, so a note shows it. */
void ui_note_pace(struct ui *u);
void ui_note_clear(struct ui *u);
/* Returns true, with a note, if a key has ended the last search. */
bool search_ended(struct ui *u);
/* Opens a box over the panes, or closes it (BOX_NONE). */
void ui_open(struct ui *u, enum box_kind kind);
void ui_drop_report(struct ui *u); /* frees what a box with a report has read */
void ui_leave(struct ui *u, int code);
void ui_open_door(struct ui *u); /* the list of scenarios */

/* Returns true if a key or command with this for_one (struct key, struct command) works for the runs that are shown. */
bool ui_works(const struct ui *u, enum text_id for_one);
/* Returns true, with the note `why`, if it does not work for the runs that are shown. */
bool ui_for_one(struct ui *u, enum text_id why);
/* Returns true, with a note, if all runs have ended. */
bool ui_over(struct ui *u);
/* Makes the state shown the base of the marks at the next stop. Call it before a run continues or jumps. */
void ui_move_on(struct ui *u);
/* Makes n steps. Pauses first if the run is running. */
void ui_step(struct ui *u, enum step_kind kind, uint32_t n);
/* Continues to the next match: first through the rewound history, then by running. wrong may be NULL if the pattern is known to be
 * right. Returns false if it is wrong. */
bool ui_advance(struct ui *u, const char *pattern, struct session_mistake *wrong);
void ui_round_on(struct ui *u, uint32_t p);                               /* until a G starts on P p, or it becomes idle */
void ui_until_event(struct ui *u, uint64_t n);                            /* shows that event, or runs on to it */
bool ui_until_g(struct ui *u, uint32_t g, struct session_mistake *wrong); /* until it runs */
void ui_run_to_text(struct ui *u, uint64_t after);                        /* until a sentence after event `after` has the current text */
/* If a jump failed, notes why and returns false. */
bool ui_went(struct ui *u, enum goto_result r);
void ui_restart(struct ui *u, uint64_t seed);
void ui_show_layout(struct ui *u); /* the requested layout has changed */
void ui_show_theme(struct ui *u, const struct theme *t);

#endif
