/* Shared by the fuzz targets: passes an input as a file, and suppresses output. */
#ifndef GMPSCOPE_TESTS_FUZZ_H
#define GMPSCOPE_TESTS_FUZZ_H

#include "base/diag.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Prints why and makes libFuzzer keep the input. */
#define WRONG(...) (dprintf(STDERR_FILENO, "WRONG: " __VA_ARGS__), dprintf(STDERR_FILENO, "\n"), abort())

static inline FILE *nowhere(void)
{
    static FILE *f;
    if (!f && !(f = fopen("/dev/null", "w")))
        WRONG("no /dev/null");
    return f;
}

/* Returns the path of an in-memory file that holds the input; the same path each time. */
static inline const char *as_file(const uint8_t *data, size_t size)
{
    static char path[32];
    static int fd = -1;
    if (fd < 0) {
        fd = memfd_create("input", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    if (fd < 0 || ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
        WRONG("the input cannot be written");
    return path;
}

/* Checks that a rejected file is rejected with a reason and a place. */
static inline void check_refused(const struct diag *d)
{
    if (!d->count || !d->kept)
        WRONG("refused without a reason");
    diag_print(d, nowhere());
}

#endif
