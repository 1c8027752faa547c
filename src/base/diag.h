/* Diagnostics about the user's input: "gmpscope: FILE:LINE:COL: what is wrong; what would be right".
 * They are collected, so that all mistakes of a file, or the first `max`, are reported together. One thread at a time. */
#ifndef GMPSCOPE_BASE_DIAG_H
#define GMPSCOPE_BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define DIAG_MAX 10   /* a person corrects the first few and tries again */
#define DIAG_ALL 1000 /* for callers that want every diagnostic */

struct diag {
    const char *file;    /* borrowed; NULL: messages without a place */
    int count;           /* mistakes reported, kept or not */
    int max, kept, room; /* items: limit, kept, allocated */
    bool offers;         /* also prints what would be right in the place of an unknown word */
    /* Returns what to write instead of a word of another language, at a place such as "do"; NULL: unknown word. The pointer is NULL if this kind
     * of file has no such words. */
    const char *(*advice)(const char *place, const char *word);
    int lack; /* errno if the machine could not provide what reading the file needs, else 0. If it is set, the items say nothing about the file */
    struct diag_item {
        char *file; /* NULL: that of struct diag */
        unsigned line, col;
        char *text;
        char *right; /* "compute, go, print", NULL if the item is not about an unknown word */
    } * item;
};

/* Keeps DIAG_MAX items; callers that want more set max afterwards. */
void diag_init(struct diag *d, const char *file);
void diag_fini(struct diag *d);
/* line 0: no place. */
void diag_add(struct diag *d, unsigned line, unsigned col, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* The same about another file. */
void diag_add_in(struct diag *d, const char *file, unsigned line, unsigned col, const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* If d->offers, adds the allowed words to the newest item of that place: those nearest to `word` first, as many of the n as fit into one line. */
void diag_offer(struct diag *d, unsigned line, unsigned col, const char *word, const char *const *words, size_t n);
/* Reports that the machine could not provide what reading the file needs (memory, descriptors). It counts like an item but is not a mistake
 * in the file. err: an errno. */
void diag_lack(struct diag *d, int err);
/* Prints what the machine lacked, if anything; otherwise all items, sorted by place, one line each in the form above. Makes unsafe
 * characters visible. */
void diag_print(const struct diag *d, FILE *out);

/* Returns the nearest of n words to `word` (optimal string alignment), NULL if none is near enough to suggest. */
const char *diag_nearest(const char *word, const char *const *words, size_t n);

/* Writes "gmpscope: " and one line to stderr. Returns: 2, the exit code for a mistake of the user. */
int usage_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
