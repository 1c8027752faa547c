/* One run of a search, in a child process: of explore and claim (cmd_explore.c), and of --shrink. */
#ifndef GMPSCOPE_CLI_SEARCH_ONE_H
#define GMPSCOPE_CLI_SEARCH_ONE_H

#include "cli/search.h"
#include "cli/search_tree.h"
#include "engine/shrink.h"

/* Events: a schedule in which a Go program goes on and on is left, and is counted as cut if none of its Gs is leaked. */
enum { SEARCH_MOST_OF_GO = 1000000 };
/* The --max-events with which a run of so many events ends as it did: it would go on for ever without. */
static inline uint64_t search_events(const struct options *o, uint64_t events)
{
    return o->max_events || events != SEARCH_MOST_OF_GO ? o->max_events : events;
}

struct search_one {
    const struct options *o;
    const struct scenario *sc;
    const struct exploration *what;
    const struct search_asks *asked; /* of each run; NULL: only how it ends */
    struct search_tree *tree;        /* --exhaust; NULL: seeds are tried */
    struct shrink_try *tries;        /* --shrink: the calm run to make, with its choices; NULL: none */
    struct course *recorded;         /* --shrink: where the failing run writes down its decisions; NULL: nowhere */
    uint64_t first;                  /* the seed of --shrink */
    struct rt_spares *spares;        /* of a child, which does its seeds one after another; NULL: none yet */
};

uint64_t search_seed(const struct search_one *x, uint64_t job);
/* ctx: a struct search_one. Makes the run of out->job; with a tree, the next one of the tree. */
void search_try(void *ctx, struct outcome *out);
/* The same, of the run that the tree, --shrink or the seed is at. */
void search_run_one(void *ctx, struct outcome *out);
void search_first_line(char *to, size_t size, const char *text);

#endif
