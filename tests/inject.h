/* Shared by inject.c (loaded into the program by LD_PRELOAD) and test_inject.c. INJECT="FUNCTION:N" makes the N-th call of a function
 * fail, "FUNCTION:N:from" that call and all later ones, "FUNCTION:N:signal" every other
 * one of them with EINTR, as if a signal had come. INJECT_COUNTS names a file with one struct inject_counts, which the program and
 * its children share: calls are counted there.
 *
 * INJECT="each:FIRST" makes each call of each function fail in turn, in one run, from the FIRST-th malloc on, as long as the program has one
 * thread: at a call the program makes a child of itself, and the call fails in the child only, once alone and once with all later ones. The child
 * writes to the files `out` and `err` of the folder INJECT_DIR, and what the program has written before is in front. When the child has ended, the
 * program writes a struct inject_try to the descriptor INJECT_TALK, and waits for a byte from the next one. */
#ifndef GMPSCOPE_TESTS_INJECT_H
#define GMPSCOPE_TESTS_INJECT_H

#include <stdatomic.h>
#include <stdint.h>

/* X(name, errno of the failure) */
/* clang-format off */
#define INJECTED(X) \
    X(malloc, ENOMEM) X(calloc, ENOMEM) X(realloc, ENOMEM) X(aligned_alloc, ENOMEM) X(fopencookie, ENOMEM) X(vasprintf, ENOMEM) \
    X(mmap, ENOMEM) X(mprotect, ENOMEM) X(madvise, EAGAIN) X(pthread_create, EAGAIN) X(pthread_attr_init, ENOMEM) X(fork, EAGAIN) \
    X(open, EMFILE) X(fopen, EMFILE) X(fdopen, ENOMEM) X(opendir, EMFILE) X(readdir, EIO) X(fstat, EIO) X(mkostemp, ENOSPC) \
    X(memfd_create, EMFILE) X(pipe2, EMFILE) X(socketpair, EMFILE) X(eventfd, EMFILE) X(epoll_create1, EMFILE) X(epoll_ctl, ENOMEM) \
    X(epoll_wait, EINTR) X(poll, EINTR) X(waitpid, EINTR) X(nanosleep, EINTR) X(read, EIO) X(write, ENOSPC) X(pread, EIO) \
    X(pwrite, ENOSPC) X(send, ENOBUFS) X(recv, ENOMEM) X(fwrite, ENOSPC) X(fflush, ENOSPC) X(setsockopt, ENOBUFS) X(sigaltstack, ENOMEM) \
    X(newterm, ENOMEM) X(newpad, ENOMEM) X(tcgetattr, EIO) X(tcsetattr, EIO) X(dup2, EMFILE) X(fcntl, EMFILE) X(fallocate, ENOSPC)
/* clang-format on */

enum inject_function {
#define X(name, err) INJECT_##name,
    INJECTED(X)
#undef X
        INJECT_COUNT
};

enum { INJECT_TALK = 190 };
struct inject_try {
    int function, from, status; /* status: as of waitpid() */
    uint32_t nth;
};

struct inject_counts {
    _Atomic uint32_t calls[INJECT_COUNT], failed;
    struct inject_try now; /* that has begun last */
};

#endif
