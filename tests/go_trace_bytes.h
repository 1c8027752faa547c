/* A small execution trace of Go 1.26, byte by byte: one thread, P0, G1 creates G2 and waits for it on a channel; G2 readies it and ends; G1 runs. */
#ifndef GMPSCOPE_TESTS_GO_TRACE_BYTES_H
#define GMPSCOPE_TESTS_GO_TRACE_BYTES_H

#include "t.h"

#include <stdint.h>
#include <stdio.h>

#define NOBODY 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01
static const uint8_t small_trace[] = {
    'g', 'o', ' ', '1', '.', '2', '6', ' ', 't', 'r', 'a', 'c', 'e', 0, 0, 0,
    /* the clock: 10^9 ticks a second */
    1, 1, NOBODY, 0xe8, 0x07, 17, 50, 8, 0x80, 0x94, 0xeb, 0xdc, 0x03, 51, 0, 0xe8, 0x07, 0x80, 0xe2, 0xcf, 0xaa, 0x06, 0,
    /* thread 1: P0 runs, G1 runs; creates G2 (stack 2), blocks; G2 starts, readies G1, ends; G1 starts */
    1, 1, 1, 0xe8, 0x07, 33, 13, 0, 0, 1, 25, 0, 1, 1, 2, 14, 10, 2, 1, 0, 20, 10, 1, 0, 16, 5, 2, 1, 21, 20, 1, 1, 0, 17, 5, 16, 5, 1, 2,
    /* stacks, then strings */
    1, 1, NOBODY, 0xe8, 0x07, 9, 2, 3, 1, 1, 0x80, 0x20, 2, 3, 7, 1, 1, NOBODY, 0xe8, 0x07, 32, 4, 5, 1, 12, 'c', 'h', 'a', 'n', ' ', 'r',
    'e', 'c', 'e', 'i', 'v', 'e', 5, 2, 6, 'm', 'a', 'i', 'n', '.', 'f', 5, 3, 4, 'x', '.', 'g', 'o', 52};
enum { SMALL_TRACE = sizeof small_trace };

/* Writes the first n bytes into a file of the test. Returns its path, until the next call. */
static inline const char *trace_file(const char *name, const uint8_t *bytes, size_t n)
{
    static char path[700];
    snprintf(path, sizeof path, "%s/%s", t_tmpdir(), name);
    FILE *f = fopen(path, "w");
    CHECK(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
    return path;
}

#endif
