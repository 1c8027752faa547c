/* The programs of a scenario as text for people, and where each operation and each program is in it. */
#ifndef GMPSCOPE_BASE_PROGRAM_TEXT_H
#define GMPSCOPE_BASE_PROGRAM_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file of a Go program, and its first line in the text. */
struct program_file {
    const char *name;
    uint32_t first;
};

struct program_text {
    char *text;  /* all of it */
    char **line; /* `nlines` of them, without line ends; indented by tabs */
    uint32_t nlines;
    struct program_file
        *file; /* `nfiles` of them: of a Go program, whose files lie behind each other. The names are borrowed from the scenario */
    uint32_t nfiles;
    uint32_t *op; /* `nops` of them: the line of each operation, from 0; UINT32_MAX: not in the text (Go's library) */
    uint32_t nops;
    uint32_t *fn; /* `nfn` of them: the line with the head of each program, or UINT32_MAX */
    uint32_t nfn;
};

enum { PLACE_NAME = 80 };
/* Writes the place of a line of a Go program, "main.go:12". Returns false if the text has no files, or no such line. */
bool program_place(const struct program_text *t, uint32_t line, char *buf, size_t size);
void program_text_free(struct program_text *t); /* NULL: does nothing */

#endif
