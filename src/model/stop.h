/* Why a run is stopped, as data. The code that shows it makes the words. */
#ifndef GMPSCOPE_MODEL_STOP_H
#define GMPSCOPE_MODEL_STOP_H

#include "base/choice.h"
#include "base/text.h"
#include <stdint.h>

enum stop_kind {
    STOP_NONE,       /* it is running, or a person paused it */
    STOP_STEP,       /* a step is done */
    STOP_BREAKPOINT, /* text: its pattern */
    STOP_ROUND,      /* a round on P p has ended; text: the pattern that found it */
    STOP_LESSON,     /* entry of entries, or the event that decides its answer */
    STOP_REFUSED,    /* the configured choice `given` is impossible: the decision is of another kind, or has n others */
    STOP_LIMIT,      /* of time or events */
    STOP_ENDED,      /* text: why the program died, "" if it ended well */
    STOP_FAILED,     /* text: the internal check that failed */
};
enum { STOP_TEXT = 256 };

struct stop {
    enum stop_kind kind;
    uint32_t p, entry, entries;
    uint32_t g;   /* BREAKPOINT at a line of a program: the G that reached it */
    bool answers; /* LESSON: this event decides the entry's answer */
    struct choice given;
    enum decision_kind decided; /* REFUSED: what kind of decision was due */
    uint32_t n;
    int64_t time; /* BREAKPOINT: when its condition came true by time alone; -1: with an event */
    char text[STOP_TEXT];
};

/* Copies as much of the text as fits, cut between characters. */
void stop_set_text(struct stop *s, const char *text);
/* Writes the words for it; "" if the state of the run says enough. */
void stop_words(const struct stop *s, enum lang lang, char *buf, size_t size);

#endif
