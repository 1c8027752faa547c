/* --exhaust: the search of explore and claim over all schedules instead of seeds. One child tries them one after another; the choices of those that
 * are to be reported reach the parent through shared memory, because a list of choices may be longer than an outcome. */
#ifndef GMPSCOPE_CLI_SEARCH_TREE_H
#define GMPSCOPE_CLI_SEARCH_TREE_H

#include "cli/findings.h"
#include "engine/engine.h"
#include "engine/exhaust.h"
#include "engine/worker_pool.h"

struct search_tree {
    struct exhaust all;
    char *text; /* shared */
    size_t used;
    uint64_t races; /* a hash of the data races for which choices were kept last */
};

/* Returns 0, or a negative errno. */
int search_tree_init(struct search_tree *t, const struct exploration *what);
/* In the child: makes one run of the tree by run(ctx, out), which sets rt_config.course and .still, and skips schedules that lead to nothing new. */
void search_tree_try(struct search_tree *t, void (*run)(void *ctx, struct outcome *out), void *ctx, struct outcome *out);
/* In the child, after a run: keeps its choices for the parent, if they fit. */
void search_tree_keep(struct search_tree *t, const struct engine *e, struct outcome *out);
#define SEARCH_LOST "(no command: the choices of this schedule are lost)"
/* In the parent: the text of the choices of an outcome; NULL: they were not kept. t: NULL: there is no tree, so "". */
const char *search_tree_choices(const struct search_tree *t, const struct outcome *out);
/* Returns a copy of the options with these choices, for the command of a run; vec_free(&copy.choices). */
struct options search_tree_options(const struct options *o, const char *choices);
/* One program has all the schedules that are tried, so no number may be drawn from the seed. Returns: false after an error message. */
bool search_tree_fixed(const struct scenario *sc, struct options *o);
/* Prints what "all schedules" means. */
void search_tree_scope(const struct options *o, bool reduces, FILE *out);
void search_tree_fini(struct search_tree *t);

#endif
