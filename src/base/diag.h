/* Diagnostics about the user's input: "gmpscope: FILE:LINE:COL: what is wrong; what would be right".
 * They are collected, so that all mistakes of a file are told at once, or the first `max` of them. One thread at a time. */
#ifndef GMPSCOPE_BASE_DIAG_H
#define GMPSCOPE_BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define DIAG_MAX 10    /* as many as are read before a file is mended and tried again */
#define DIAG_ALL 1000  /* for who asked for all of them */

struct diag {
    const char *file;                 /* borrowed; NULL: messages without a place */
    int count;                        /* all that were reported, shown or not */
    int max, kept, room;              /* items that are kept at most; that are; that there is memory for */
    int lack;                         /* errno of what the machine lacked, 0: nothing. Else no item says anything of the file */
    struct diag_item { unsigned line, col; char *text; } *item;
};

/* Keeps DIAG_MAX; who wants more sets max behind it. */
void diag_init(struct diag *d, const char *file);
void diag_fini(struct diag *d);
/* line 0: no place. */
void diag_add(struct diag *d, unsigned line, unsigned col, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* The machine lacks what it takes to read the file: that is no mistake in it, and counts as an item. err: an errno. */
void diag_lack(struct diag *d, int err);
/* The first lack, or all items, sorted by place, one line each, as the head comment says; unsafe characters are made visible. */
void diag_print(const struct diag *d, FILE *out);

/* The nearest of n words to `word` (optimal string alignment), NULL if none is near enough to be meant. */
const char *diag_nearest(const char *word, const char *const *words, size_t n);

#endif
