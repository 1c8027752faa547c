/* How often each value of a query came up (explore --tally). */
#ifndef GMPSCOPE_CLI_TALLY_H
#define GMPSCOPE_CLI_TALLY_H

#include "base/arena.h"
#include "base/text.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct tally_row {
    char *value;       /* NULL: the query had no value */
    uint64_t n, first; /* runs; the first seed */
    char *open;        /* of a data race: the command that opens it on the screen in the run of that seed, on the heap; NULL: not known */
};
struct tally {
    VEC(struct tally_row) row; /* by value; no value comes first */
};

/* Counts the value of n runs, of which `seed` was the first; NULL: no value. Returns its row until the next call; NULL: memory ran out. */
struct tally_row *tally_add(struct tally *t, const char *value, uint64_t n, uint64_t seed);
/* Puts the most frequent value first; then nothing can be added. */
void tally_sort(struct tally *t);
/* Write the values, and for each the first seed that gave it. */
/* Returns the --stalls of a seed in a search with up to `most`: every third run has none. */
uint32_t exploration_stalls(uint32_t most, uint64_t seed);
/* most: the --stalls of the search. */
void tally_print(const struct tally *t, const char *query, uint32_t most, enum lang lang, FILE *out);
void tally_json(const struct tally *t, FILE *out);
void tally_fini(struct tally *t);

#endif
