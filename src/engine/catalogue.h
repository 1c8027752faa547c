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
    uint32_t order;
    const char *next; /* NULL: none */
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
/* Sorts by topic, order and name; scenarios without a topic come last. */
void catalogue_sort(struct catalogue *c);
/* Returns the entry that has the name or the alias; NULL: none has. */
const struct catalogue_entry *catalogue_find(const struct catalogue *c, const char *name);

#endif
