/* A terminal for tests: a program runs on a pty whose other end is libvterm. No test sleeps and then looks: every wait
 * is for a text, with a deadline, and fails the test with a picture of the screen. Single-threaded. A failure ends the
 * test through t_fail() (t.h). */
#ifndef GMPSCOPE_TESTS_TERM_H
#define GMPSCOPE_TESTS_TERM_H

#include <stdbool.h>
#include <stdint.h>

struct term;
/* color: an index of the palette; -1: the terminal's own colour. own_ground: the background is the terminal's own. ch is 0 in the right half of a
 * wide glyph. */
struct term_cell {
    uint32_t ch;
    int width, color;
    bool bold, italic, underline, reverse, own_ground;
};

/* Starts argv on a screen of that size. `env`: "NAME=value" or "NAME" (unset), NULL at the end, on top of TERM=xterm-256color and
 * LC_ALL=C.UTF-8; env may be NULL. */
struct term *term_start(int rows, int columns, const char *const *env, const char *const *argv);
/* Like term_start(), but the new process runs fn(arg) instead of a program. */
struct term *term_start_fn(int rows, int columns, const char *const *env, void (*fn)(void *), void *arg);
/* Kills the program if it still runs. */
void term_free(struct term *t);

void term_keys(struct term *t, const char *keys);
void term_resize(struct term *t, int rows, int columns);
void term_signal(struct term *t, int sig);
/* Returns the program's pid. It is the child of our child, not ours. */
int term_pid(const struct term *t);

/* Waits until the program has stopped itself, as a job does on ^Z. */
void term_wait_stopped(struct term *t);
/* Presses `key` again and again without reading, until the program seems to be stuck in a write to its full
 * terminal. */
void term_fill(struct term *t, const char *key);
/* As term_wait_exit(), but reads nothing before the program has ended. */
int term_wait_exit_unread(struct term *t);
/* Closes the window: the program sees a hang-up of the terminal. */
void term_hangup(struct term *t);

/* Returns whether the program is on the alternate screen (its own) and not on the shell's. */
bool term_altscreen(struct term *t);
/* Returns the current screen: rows that end with newlines, without trailing blanks; valid until the next call. */
const char *term_text(struct term *t);
bool term_shows(struct term *t, const char *text);
/* Reads the program's output until `text` is (or is no longer) on one row of the screen. */
void term_wait(struct term *t, const char *text);
void term_wait_gone(struct term *t, const char *text);
/* The same until cond(t, arg) holds; `what` is the failure's text. */
void term_wait_for(struct term *t, const char *what, bool (*cond)(struct term *, void *), void *arg);
/* Returns true if the program, and what it has started, has neither run nor written anything for ms. Call it again and again: it knows only what it has
 * seen. The waits fail when a program hangs, and wait longer for one that works. */
bool term_hangs(struct term *t, int ms);
/* Waits until the program writes something. */
void term_wait_output(struct term *t);
/* Reads what comes next. Returns true if nothing came for ms. */
bool term_idle(struct term *t, int ms);
/* Reads until no output came for ms milliseconds. Only if there is nothing to wait for, with the reason next to the call. */
void term_settle(struct term *t, int ms);
void term_cell(struct term *t, int row, int column, struct term_cell *cell);
/* Stores the place of the cursor. Returns whether it is visible. */
bool term_cursor(struct term *t, int *row, int *column);
/* Return the number of bytes and of bells read so far. */
long term_bytes(const struct term *t);
int term_bells(const struct term *t);
/* Returns the row (from 0) that holds text, or -1. *column (may be NULL) gets the column where it begins, in cells. */
int term_find(struct term *t, const char *text, int *column);

/* Types q until the program ends, as a person does: a box over the screen takes one, and a screen that is just being opened discards what was
 * typed before it. Returns as term_wait_exit(). */
int term_quit(struct term *t);
/* Waits for the end. Returns the exit status, or 128 + signal if a signal killed the program (uncaught). */
int term_wait_exit(struct term *t);
/* After the end: fails unless the line settings are those from before the start, and the emulated terminal is on its
 * main screen with a visible cursor, without mouse reports and with plain attributes. */
void term_check_sane(struct term *t);

#endif
