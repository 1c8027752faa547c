/* Shared by the files gen*.c: the scenario being written, random numbers, and the classes of scenarios. */
#ifndef CONFORMANCE_GEN_H
#define CONFORMANCE_GEN_H

#include "base/prng.h"
#include <stdbool.h>
#include <stdio.h>

extern struct gen {
    struct prng rng;
    FILE *chan, *mutex, *rw, *wg, *cond, *shared, *conn, *program, *main, *body;
    unsigned id;     /* number of the family being written: part of its names */
    unsigned leaves; /* noise may start Gs of these */
} gen;

unsigned random_below(unsigned n); /* 0 … n - 1 */
unsigned between(unsigned low, unsigned high);
bool chance(unsigned percent);
void op(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* writes into the program that is open, or else into main */
void begin(const char *name, const char *params);                    /* opens a program; gen.id is appended to its name */
void end(void);
void noise(void); /* writes at most one short operation, which blocks no G for good */

/* A class writes the declarations, programs and main of its number-th scenario. */
struct class
{
    const char *name;
    void (*write)(unsigned number);
};
void write_mix(unsigned number);
void write_fail(unsigned number);
void write_mass(unsigned number);
void write_storm(unsigned number);
void write_select(unsigned number);
void write_wire(unsigned number);
void write_net(unsigned number);
void write_clock(unsigned number);
void write_tie(unsigned number);
void write_timer(unsigned number);
void write_listing(unsigned number);

#endif
