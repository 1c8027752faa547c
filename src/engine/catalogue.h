/* What lists show of the scenarios: titles, topics and order, copied from the files. */
#ifndef GMPSCOPE_ENGINE_CATALOGUE_H
#define GMPSCOPE_ENGINE_CATALOGUE_H

#include "base/arena.h"
#include "scenario/scenario.h"

struct catalogue_entry {
    const char *name, *path; /* name: as `run` takes it */
    bool broken;             /* the file has mistakes: the rest is empty */
    struct text title, summary, watch;
    enum scenario_topic topic; /* TOPICS: none */
    uint32_t order, paths;     /* paths: bits by enum scenario_path */
    const char *next;          /* what to try afterwards; NULL: none */
    const char **aliases;
    uint32_t naliases, gomaxprocs;
    enum rt_generation generation;
    bool lesson;
    const char *stop; /* the pattern of the lesson's first stop; NULL: it has none */
};
struct catalogue {
    struct catalogue_entry *v;
    size_t n;
};

/* Reads one file into *out. Returns: false if the machine lacks something that reading needs, such as memory; reported on stderr. */
bool catalogue_read(struct arena *a, const char *name, const char *path, struct catalogue_entry *out);
/* Reads all shipped scenarios, sorted by name. Returns: false if they cannot be read; reported on stderr. */
bool catalogue_load(struct arena *a, struct catalogue *out);
/* Sorts by topic, order and name; scenarios without a topic come last. A scenario that names no next one gets the one after it. */
void catalogue_sort(struct catalogue *c);
/* Makes the list of the scenarios on the path, in its order, in *out. Returns how many there are. *out NULL: out of memory. Caller: the
 * catalogue is sorted. */
size_t catalogue_path(struct arena *a, const struct catalogue *c, enum scenario_path path, const struct catalogue_entry ***out);
/* Returns what follows e: on the path, if e is on it, otherwise as e says. path PATHS: none is chosen. NULL: nothing follows. */
const struct catalogue_entry *
catalogue_next(struct arena *a, const struct catalogue *c, const struct catalogue_entry *e, enum scenario_path path);
/* Returns the entry that has the name or the alias; NULL: none has. */
const struct catalogue_entry *catalogue_find(const struct catalogue *c, const char *name);

#endif
