/* The programs of a scenario as text for people, and where each operation and each program is in it. */
#ifndef GMPSCOPE_BASE_PROGRAM_TEXT_H
#define GMPSCOPE_BASE_PROGRAM_TEXT_H

#include <stdint.h>

struct program_text {
    char *text;  /* all of it */
    char **line; /* `nlines` of them, without line ends; indented by tabs */
    uint32_t nlines;
    uint32_t *op; /* `nops` of them: the line of each operation, from 0 */
    uint32_t nops;
    uint32_t *fn; /* `nfn` of them: the line with the head of each program */
    uint32_t nfn;
};

void program_text_free(struct program_text *t); /* NULL: does nothing */

#endif
