/* Makes sure that all output reached stdout; otherwise the exit code reports the loss. */
#include "cli/commands.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_BYTES 65536

/* Keeps closed standard descriptors unusable. Otherwise the next open() would get such a number, and output would go to that file. */
static void keep_standard_descriptors(void)
{
    while (1) {
        int fd = open("/dev/null", O_RDONLY); /* a write to it fails with EBADF, as on a closed descriptor */
        if (fd > STDERR_FILENO)
            close(fd);
        if (fd < 0 || fd >= STDERR_FILENO)
            return;
    }
}

void output_begin(void)
{
    static char buffer[BUFFER_BYTES]; /* large enough for most runs, so that output_finish() sees the errno of the first failed write */
    keep_standard_descriptors();
    if (!isatty(STDOUT_FILENO))
        setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
}

/* After a failed flush a stream keeps neither errno nor the data, so every caller that flushes passes its error on. EPIPE is not an
 * error: the reader has seen what it wanted. A full disk must not look like success. */
int output_finish(int code, int error)
{
    if (fflush(stdout) && !error)
        error = errno;
    if (ferror(stdout) && !error)
        error = EIO;
    clearerr(stdout); /* report it once */
    if (!error || error == EPIPE)
        return code;
    fprintf(stderr, "gmpscope: stdout: %s\n", strerror(error));
    return code ? code : 2;
}
