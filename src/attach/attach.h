/* Looks at a live Go program: the true state of its scheduler, read from its memory. The program is unmodified, may be stripped, and is linux/amd64.
 *
 *   elf.c      the file: its release of Go from the build info, where its function table may be
 *   target.c   the process: its memory, moduledata, the names of functions
 *   locate.c   where runtime.allp, sched, allgs and allm are: by the code that uses them, since a stripped file has no symbols
 *   stop.c     all threads stopped by PTRACE_SEIZE and PTRACE_INTERRUPT, and let go again
 *   open.c     why it is impossible, if it is, and the first look
 *   look.c     one look: what is read while they are stopped; then, while the program runs again, a struct snapshot
 *   layout.c   the offsets of each release
 *
 * It leaves no trace. Nothing is written to the program; between looks nobody traces it; if this process dies, the kernel lets the threads go on and
 * delivers the signal that a thread was about to get. SIGSTOP is never sent: it would stop the program for its parent and its shell, too.
 *
 * What is read is a stranger's: each pointer, length and id is checked before it is used, and each wait has a limit.
 * Rejected: a tracer that stays attached (each SIGURG by which Go preempts would stop a thread until the next look). */
#ifndef GMPSCOPE_ATTACH_ATTACH_H
#define GMPSCOPE_ATTACH_ATTACH_H

#include "base/text.h"
#include "eventlog/snapshot.h"
#include <sys/types.h>

enum { ATTACH_WHY = 400, ATTACH_FNS = 1024 };

struct attach;
struct attach_config {
    pid_t pid;
    bool no_stop; /* read without stopping; a snapshot that is torn is dropped */
    enum lang lang;
};
/* Finds the runtime in the process and takes a first look, which is checked. Returns NULL and writes one line: why, and what would help. */
struct attach *attach_open(const struct attach_config *c, char why[ATTACH_WHY]);
void attach_close(struct attach *a); /* NULL: does nothing */

enum attach_look {
    ATTACH_LOOKED,
    ATTACH_TORN, /* the snapshot contradicts itself or changed while it was read: try again later */
    ATTACH_GONE, /* the program has ended, or runs another file now */
    ATTACH_LACK, /* memory ran out */
};
/* Takes a look. *out: until the next call; its ids are those of looks.h. Call it on one thread. */
enum attach_look attach_look(struct attach *a, const struct snapshot **out);

struct attach_told {
    int minor;             /* of the release */
    const char *version;   /* "go1.26.8" */
    const char *exe;       /* the path of the program */
    const char *const *fn; /* start functions, by snap_g.fn: ATTACH_FNS of them; "" not seen yet. A name does not change */
    uint64_t looks, torn;
    int64_t stopped, stopped_most; /* ns for which the last look stopped the program; the longest */
    uint32_t threads;              /* of the last look */
};
const struct attach_told *attach_told(const struct attach *a);

/* For tests and the fuzzer: what the file says, without a process. Returns false and writes why it is no Go program that can be looked at. */
struct go_exe;
bool go_exe_read(const uint8_t *bytes, size_t n, struct go_exe *out, enum lang lang, char why[ATTACH_WHY]);

#endif
