/* The report that a box shows (model/report/report.h): it follows the history up to the state that is shown. */
#ifndef GMPSCOPE_UI_INPUT_REPORTS_H
#define GMPSCOPE_UI_INPUT_REPORTS_H

#include "ui/input/ui.h"

/* Opens the box with a report. */
void report_open(struct ui *u, const struct report_asked *asked);
/* The same for a word of the command line, such as "wait" with "g4", "" or a mistake, which the prompt shows. Returns false after a mistake. */
bool report_command(struct ui *u, enum report_kind kind, const char *arg);
/* Reads on, for some milliseconds at most. */
void report_fetch(struct ui *u);
/* Is there more to read for the state that is shown? */
bool report_goes_on(const struct ui *u);
/* Goes to the event of the chosen row, and closes the box. */
void report_go(struct ui *u);

#endif
