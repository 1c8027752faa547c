/* What was written to stdout must have arrived, or the exit code says that it did not. */
#include "cli/commands.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_BYTES 65536

/* A standard descriptor that is closed must stay unusable: the next one that is opened would take its number, and what is
 * printed would go there. */
static void keep_standard_descriptors(void)
{
    while (1) {
        int fd = open("/dev/null", O_RDONLY); /* writing to it is EBADF, as it is to a closed one */
        if (fd > STDERR_FILENO)
            close(fd);
        if (fd < 0 || fd >= STDERR_FILENO)
            return;
    }
}

void output_begin(void)
{
    static char buffer[BUFFER_BYTES]; /* large enough for all but long runs: then the error's number is known at the end */
    keep_standard_descriptors();
    if (!isatty(STDOUT_FILENO))
        setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
}

/* The stream keeps no errno, and after a failed flush no data: who flushes hands the error on. A reader that left (EPIPE)
 * has seen what it wanted; a full disk must not pass for success. */
int output_finish(int code, int error)
{
    if (fflush(stdout) && !error)
        error = errno;
    if (ferror(stdout) && !error)
        error = EIO;
    clearerr(stdout); /* told once */
    if (!error || error == EPIPE)
        return code;
    fprintf(stderr, "gmpscope: stdout: %s\n", strerror(error));
    return code ? code : 2;
}
