/* Where the kernel has no MADV_GUARD_INSTALL each guard page costs mappings, of which there are vm.max_map_count: a program with too many
 * Gs then dies of a fatal error that names the limit. Such a kernel is made by a filter that refuses this one advice. */
#include "t.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer) || defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

enum { MOST = 100000 };              /* more mappings than that: it would take gigabytes to use them up */

static long mappings(void)
{
    long n = 0;
    FILE *f = fopen("/proc/sys/vm/max_map_count", "r");
    if (f && fscanf(f, "%ld", &n) != 1)
        n = 0;
    if (f)
        fclose(f);
    return n;
}

/* For this process and all that it starts. */
static bool refuse_guards(void)
{
    uint32_t advice = offsetof(struct seccomp_data, args[2]); /* its low half, on a little-endian machine */
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_madvise, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, advice),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MADV_GUARD_INSTALL, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof code / sizeof *code, code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

/* The exit code of a program of so many Gs that all wait; what it wrote goes to out. */
static int run(long gs, const char *mode, char *out, size_t size)
{
    char path[] = "/tmp/guards-XXXXXX.yaml", command[1024];
    int fd = mkstemps(path, 5);
    CHECK(fd >= 0);
    dprintf(fd, "name: guards\nscheduler: {gomaxprocs: 2}\nchannels: [{name: c, buffer: 0}]\ngoroutines:\n"
                "  - {name: main, do: [{go: worker, count: %ld}, {print: all}]}\n"
                "  - {name: worker, do: [{recv: c}]}\n", gs);
    close(fd);
    snprintf(command, sizeof command, "'%s' run '%s' --headless --mode %s --limit 600s 2>&1", GMPSCOPE_BIN, path, mode);
    FILE *p = popen(command, "r");
    CHECK(p != NULL);
    out[fread(out, 1, size - 1, p)] = '\0';
    int status = pclose(p);
    unlink(path);
    CHECK(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void check_limit(const char *mode)
{
    static char out[65536];
    long most = mappings();
    if (SANITIZED || most <= 0 || most > MOST)
        t_skip("the mappings of this machine cannot be used up, or a sanitizer needs them");
    if (!refuse_guards())
        t_skip("no seccomp");
    CHECK_INT(run(most / 4, mode, out, sizeof out), 0); /* two mappings each: half of them */
    CHECK(strstr(out, "all") != NULL);
    int code = run(most / 2 + 1000, mode, out, sizeof out);
    if (!strstr(out, "fatal error: runtime: cannot guard a goroutine's stack") || !strstr(out, "vm.max_map_count"))
        t_fail(__FILE__, __LINE__, "exit code %d, and it said: %.600s", code, out);
    CHECK_INT(code, 3); /* the program died */
}

TEST(the_limit_is_named_in_lockstep)
{
    check_limit("lockstep");
}

TEST(the_limit_is_named_in_free_mode)
{
    check_limit("free");
}
