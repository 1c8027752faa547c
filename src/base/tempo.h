/* How fast events become visible in lockstep. */
#ifndef GMPSCOPE_BASE_TEMPO_H
#define GMPSCOPE_BASE_TEMPO_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

struct tempo {
    bool automatic; /* each event stays as long as its weight says (session/dwell.h) */
    double rate;    /* automatic: the dwell times are divided by it; else core events a second. INFINITY: as fast as possible */
};
#define TEMPO_VALUES "auto|T|max"
#define TEMPO_AUTO ((struct tempo){true, 1})
#define TEMPO_MAX ((struct tempo){false, INFINITY})
#define TEMPO_FIXED(rate) ((struct tempo){false, rate})

/* Reads "auto", "max" or events per second. Returns false if s is something else or out of range. */
bool tempo_parse(const char *s, struct tempo *out);
/* Writes it in the form that tempo_parse() reads. */
void tempo_print(struct tempo t, FILE *out);
/* Returns the next tempo up or down on the scale of its kind. */
struct tempo tempo_next(struct tempo t, int up);

#endif
