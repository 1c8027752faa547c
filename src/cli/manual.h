/* The manual: one text for `gmpscope help TOPIC` and for the man pages, made from the program's own tables. */
#ifndef GMPSCOPE_CLI_MANUAL_H
#define GMPSCOPE_CLI_MANUAL_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdio.h>

enum manual_form { MANUAL_TEXT, MANUAL_MDOC, MANUAL_MARKDOWN }; /* of at most 80 columns; for man(1); for scenarios/README.md */

/* Where a page goes, and in which form. */
struct manual {
    FILE *out;
    enum manual_form form;
    bool narrow; /* terms are short: a term and its text share a line */
    bool in_list;
    bool lacks; /* memory ran out for a part, which is missing */
};

/* The parts of a page, in order. In all texts `word` is code. */
void manual_begin(struct manual *m, const char *name, int section, const char *what);
void manual_section(struct manual *m, const char *title);
void manual_text(struct manual *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The next text is a paragraph of its own. */
void manual_paragraph(struct manual *m);
/* One entry of a list: a term and what it means. The list ends at the next part that is not an item. */
void manual_item(struct manual *m, const char *term, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Writes lines unchanged. */
void manual_example(struct manual *m, const char *lines);
void manual_end(struct manual *m);

/* What no table has: sections for these pages (manual_guide.c). */
void manual_guide_gmpscope(struct manual *m);
void manual_guide_go(struct manual *m);
/* Returns the packages that Go programs may import, in one line. In the arena. */
const char *manual_packages(struct arena *a);
void manual_guide_keys(struct manual *m);
void manual_guide_patterns(struct manual *m);
/* The n-th pattern of the examples in gmpscope-patterns(7), NULL after the last. */
const char *manual_pattern(size_t n);

/* Calls fn for each topic of gmpscope help. */
void manual_topics(void (*fn)(void *ctx, const char *topic), void *ctx);
/* gmpscope help --complete WORD…. Returns the exit code. */
int complete(int argc, char **argv);

/* gmpscope help [TOPIC [--mdoc|--markdown]]. Returns the exit code. */
int cmd_help(int argc, char **argv);

#endif
