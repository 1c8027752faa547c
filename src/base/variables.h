/* The variables of a G of a Go program, as text for people. */
#ifndef GMPSCOPE_BASE_VARIABLES_H
#define GMPSCOPE_BASE_VARIABLES_H

#include <stdbool.h>
#include <stdint.h>

enum { VARIABLES_MOST = 40, VARIABLE_NAME = 48, VARIABLE_VALUE = 120 };
struct variable {
    bool head; /* of a call: its function, and in `value` its place, "main.go:12"; the variables that it can see follow */
    char name[VARIABLE_NAME], value[VARIABLE_VALUE];
};

enum variables_state {
    VARIABLES_NONE,    /* the G has none: it has ended, has not begun, or is not of the program */
    VARIABLES_MAKING,  /* they are being looked up */
    VARIABLES_UNKNOWN, /* nothing can say what they were */
    VARIABLES_KNOWN
};
/* The newest call first. */
struct variables {
    enum variables_state is;
    uint64_t lines,
        lines_run; /* how many lines the G had reached in the state shown, and in the memory, which may be ahead; a G without memory: 0 */
    uint32_t n, more; /* more: what did not fit */
    struct variable v[VARIABLES_MOST];
};

#endif
