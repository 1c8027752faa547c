/* Escape sequences of keys that the terminal's description does not name: many terminals send others than their TERM says. No curses here. */
#ifndef GMPSCOPE_UI_TERM_SEQUENCE_H
#define GMPSCOPE_UI_TERM_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

/* Collects one sequence out of the stream of keys. All zero at first. */
struct sequence {
    enum { SEQUENCE_NONE, SEQUENCE_CSI, SEQUENCE_SS3, SEQUENCE_OSC } reading;
    int number; /* the first parameter of a CSI; -1 behind its end */
    bool escaped;
    int64_t at; /* ms, monotonic: the last part */
};
/* Returns true if this character after an escape begins a sequence. */
bool sequence_begin(struct sequence *s, uint32_t code, int64_t now);
/* Takes the next character. Returns false if it is no part of a sequence. At the end of one, *key is its key code; else *key is 0. */
bool sequence_takes(struct sequence *s, uint32_t code, int64_t now, uint32_t *key);

#endif
