/* The result of two runs, for compare without a screen: where they part, and the conclusion. */
#ifndef GMPSCOPE_CLI_CONTRAST_H
#define GMPSCOPE_CLI_CONTRAST_H

#include "engine/engine.h"
#include "model/conclusion.h"

struct contrast {
    struct engine *e[2];    /* with histories; both have ended */
    struct text subject[2]; /* contrast_subjects() */
    struct parting parting;
    bool same_outcome; /* both end in the same way, with the same output */
    bool lacking;      /* memory ran out, so the output is incomplete */
};

/* Finds where the runs part. Returns false if there is no memory for it. */
bool contrast_find(struct contrast *c);
/* Writes the events at which they part, or that there are none. */
void contrast_first(struct contrast *c, enum lang lang, FILE *out);
/* If the runs part: writes by which rules their settings differ, and whether they end alike. */
void contrast_reasons(const struct contrast *c, enum lang lang, FILE *out);
/* Returns the mechanisms that only this side has, in bits 1 << DIS_…. */
uint32_t contrast_only(const struct contrast *c, int side);
/* Writes what the runs owe to a rule that one side has. without: the runs, of which that one lacks it. */
void contrast_cause(const struct contrast *c, const struct contrast *without, enum rt_disable rule, enum lang lang, FILE *out);
void contrast_conclusion(const struct contrast *c, enum lang lang, FILE *out);
/* Both as members of a JSON object: ,"first":…,"conclusion":… */
void contrast_json(struct contrast *c, enum lang lang, FILE *out);

/* Makes the beginnings of the sentences about two runs: "With stealing, ", "go1.13: ", "Left: ". They live in a; if it lacks memory, they are the
 * last ones. left NULL: the runs differ in something without a name. */
void contrast_subjects(struct arena *a, const struct engine_config *left, const struct engine_config *right, struct text subject[2]);

#endif
