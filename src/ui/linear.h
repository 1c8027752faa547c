/* The program without a full screen: numbered sentences, one after the other, and a line to type. For screen readers, dumb terminals, pipes. */
#ifndef GMPSCOPE_UI_LINEAR_H
#define GMPSCOPE_UI_LINEAR_H

struct ui;

/* Runs until q or the end of the input. Returns ui_run()'s exit code. */
int linear_run(struct ui *u);

#endif
