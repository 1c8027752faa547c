/* Shared by the programs of the benchmark other than bench_rt: clocks, medians, programs to run. */
#ifndef GMPSCOPE_BENCH_COMMON_H
#define GMPSCOPE_BENCH_COMMON_H

#include <stdint.h>
#include <time.h>

struct scenario;

static inline int64_t clock_ns(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* For qsort, of int64_t. */
int by_size(const void *a, const void *b);

/* Names the file of a program (scenarios/). program_load() loads it, program_load_text() another text; NULL: a reason was reported. */
enum { PROGRAM_PATH = 4096 };
void program_file(const char *name, char path[PROGRAM_PATH]);
struct scenario *program_load(const char *name);
struct scenario *program_load_text(const char *text);

/* The first frame waits some time for the answer to this question, which terminals give at once. */
#define TERMINAL_QUESTION "\033[c"
#define TERMINAL_ANSWER "\033[?62;22c"

#endif
