/* The conclusion from two runs: a few sentences made of facts of the folded states. */
#ifndef GMPSCOPE_MODEL_CONCLUSION_H
#define GMPSCOPE_MODEL_CONCLUSION_H

#include "model/outcome.h"
#include "model/history/parting.h"

/* A run, as far as it is shown. */
struct conclusion_run {
    const struct model *md;
    struct text subject; /* how its sentence begins: "With stealing, " */
    int how;             /* ENDED_…, ENDED_STUCK too; -1: it has not ended */
    int64_t time;        /* its scenario time, ns */
};

enum { CONCLUSION_BYTES = 800 };
/* Writes a sentence about each run, then how they compare; while both go on, only that. parting: how far both are compared. Runs that have not ended are never called the
 * same. */
void conclusion_text(const struct conclusion_run run[2], const struct parting *parting, enum lang lang, char *buf, size_t size);

#endif
