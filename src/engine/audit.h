/* The audit: compares the runtime's memory with the model's fold, field by field. */
#ifndef GMPSCOPE_ENGINE_AUDIT_H
#define GMPSCOPE_ENGINE_AUDIT_H

#include "eventlog/snapshot.h"
#include "model/history/history.h"
#include "model/model.h"

/* {0} is an empty one. */
struct audit_result {
    uint64_t compared;   /* snapshots compared */
    uint64_t mismatches; /* fields that differed, over all comparisons; a field counts once for each P, G or M */
    char first[400];     /* the first of them: field, whose, the runtime's value, the model's */
};

extern const char *const audit_field_name[AUDIT_COUNT];

/* Compares two snapshots taken at the same stop; adds to *r. Returns this comparison's mismatches. */
uint64_t audit_compare(const struct snapshot *runtime, const struct snapshot *model, struct audit_result *r);

/* Compares the levels that the history has counted (enum history_level). Returns false, and adds to *r, if one differs. */
bool audit_levels(const struct snapshot *runtime, const uint32_t *level, struct audit_result *r);

#endif
