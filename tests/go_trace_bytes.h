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

/* A small trace of version 1: P0 runs G1, which creates G2, makes a short system call and waits for G2. G2 makes a long call, which loses P0; it was back
 * at 1055, and runs on P1 later. It readies G1 and ends, and G1 runs. */
static const uint8_t old_trace[] = {
    'g', 'o', ' ', '1', '.', '1', '9', ' ', 't', 'r', 'a', 'c', 'e', 0, 0, 0,
    /* P0 from 1000 on: G1 is there, M5 starts P0, G1 runs; 2 Ps */
    0x41, 0, 0xe8, 0x07, 0xcd, 4, 1, 1, 1, 0, 0x45, 1, 5, 0x8e, 1, 1, 1, 0x84, 1, 2, 0,
    /* it creates G2, calls, waits to receive; G2 starts, calls; the call blocks, P0 stops */
    0xcd, 4, 6, 2, 2, 0, 0x5c, 10, 0, 0x57, 5, 0, 0x66, 5, 2, 0x5c, 5, 0, 0x1e, 9, 0x06, 1,
    /* P1 from 1060 on: M7 starts it; G2 was back at 1055, and starts; it readies G1, ends; G1 starts */
    0x41, 1, 0xa4, 0x08, 0x45, 1, 7, 0xdd, 5, 1, 2, 2, 0x9f, 0x08, 0x8e, 1, 2, 3, 0xd5, 4, 9, 1, 2, 0, 0x0f, 5, 0x8e, 2, 1, 3,
    /* 10^9 ticks a second; strings, stacks */
    0x41, 0, 0xd0, 0x0f, 0x02, 0x80, 0x94, 0xeb, 0xdc, 0x03, 0x25, 1, 9, 'm', 'a', 'i', 'n', '.', 'm', 'a', 'i', 'n', 0x25, 2, 6, 'm', 'a',
    'i', 'n', '.', 'f', 0x25, 3, 4, 'x', '.', 'g', 'o', 0xc3, 6, 1, 1, 1, 1, 3, 5, 0xc3, 6, 2, 1, 2, 2, 3, 7};
enum { OLD_TRACE = sizeof old_trace };

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
