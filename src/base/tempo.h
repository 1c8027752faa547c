/* How fast events become visible: the tempo in lockstep, the speed in free mode. */
#ifndef GMPSCOPE_BASE_TEMPO_H
#define GMPSCOPE_BASE_TEMPO_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
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

/* Scenario time per wall time in free mode: num / den. */
struct speed {
    uint32_t num, den;
};
#define SPEED_REAL ((struct speed){1, 1})
#define SPEED_SLOW_MOTION ((struct speed){1, 100000}) /* two Ms then make about 20 steps a second */

/* Reads "1", "1/1000" or "2/3". Returns false if s is something else or out of range. */
bool speed_parse(const char *s, struct speed *out);
/* Returns the next power of ten up to 1, or down. */
struct speed speed_next(struct speed s, int up);

#endif
