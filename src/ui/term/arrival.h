/* Which frames have arrived at the terminal. On a slow line, frames queue in the kernel and beyond, and a key is answered behind all of them. No
 * system call says how much is queued: of a pseudo terminal TIOCOUTQ is 0. So the terminal is asked for a report (DSR), which it sends when it has
 * taken all before the question. No clock and no curses here.
 *
 * The first question comes before any frame and asks only whether this terminal answers. If it does, the first frame asks. If its
 * answer takes long, or later a write blocks because the queue is full, then from that time on each frame asks. A frame waits for the answer to a
 * frame before it. */
#ifndef GMPSCOPE_UI_TERM_ARRIVAL_H
#define GMPSCOPE_UI_TERM_ARRIVAL_H

#include <stdbool.h>
#include <stdint.h>

#define ARRIVAL_QUESTION "\033[5n"
#define ARRIVAL_ANSWER "\033[0n"

/* All times in ms. All zero at first. */
struct arrival {
    bool answers;     /* the terminal has answered, and still does */
    bool tried;       /* a frame has asked and has its answer */
    bool slow;        /* each frame asks */
    int64_t asked_at; /* when the question was asked that has no answer yet; 0: there is none */
    int64_t round;    /* what the first answer took: the way of a few bytes there and back */
};

/* A question was sent. */
void arrival_asked(struct arrival *a, int64_t now);
/* The answer came. */
void arrival_answered(struct arrival *a, int64_t now);
/* A frame was sent; the write took that long. Returns true if the frame asks. */
bool arrival_asks(struct arrival *a, int64_t took);
bool arrival_awaited(const struct arrival *a); /* an answer will come */
/* Returns true if the next frame has to wait. Gives up a terminal that has not answered for long. */
bool arrival_behind(struct arrival *a, int64_t now);

#endif
