/* What a program with too many Gs says. On a kernel without MADV_GUARD_INSTALL each guard page costs mappings, of which
 * there are vm.max_map_count, and the fatal error names that limit. A filter that refuses this one advice imitates such a
 * kernel. */
#include "shell.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif
enum { MOST = 100000 }; /* with more mappings than that, the test would need gigabytes */

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
    uint32_t advice = offsetof(struct seccomp_data, args[2]); /* the low half, on a little-endian machine */
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

/* Runs a program of so many Gs that all wait. Its stderr goes to stdout, too. */
static struct result *run(long gs, const char *mode)
{
    char text[400], command[1024];
    snprintf(text, sizeof text,
             "name: guards\nscheduler: {gomaxprocs: 2}\nchannels: [{name: c, buffer: 0}]\ngoroutines:\n"
             "  - {name: main, do: [{go: worker, count: %ld}, {print: all}]}\n"
             "  - {name: worker, do: [{recv: c}]}\n",
             gs);
    snprintf(command, sizeof command, "gmpscope run '%s' --headless --mode %s --limit 600s 2>&1", t_file("guards.yaml", text), mode);
    return shell(command);
}

static void check_limit(const char *mode)
{
    long most = mappings();
    if (T_SANITIZED || most <= 0 || most > MOST)
        t_skip("the mappings of this machine cannot be used up, or a sanitizer needs them");
    if (!refuse_guards())
        t_skip("no seccomp");
    struct result *r = run(most / 4, mode); /* two mappings each: half of them */
    CHECK_INT(r->code, 0);
    HAS(r->out, "all");
    r = run(most / 2 + 1000, mode);
    if (!strstr(r->out, "gmpscope: cannot guard a goroutine's stack") || !strstr(r->out, "vm.max_map_count"))
        t_fail(__FILE__, __LINE__, "exit code %d, and it said: %.600s", r->code, r->out);
    CHECK_INT(r->code, 2); /* the machine lacks something; the program made no mistake */
}

TEST(the_limit_is_named_in_lockstep)
{
    check_limit("lockstep");
}

TEST(the_limit_is_named_in_free_mode)
{
    check_limit("free");
}

/* Another text in place of /proc/meminfo imitates a machine that is nearly full. */
TEST(too_little_memory_is_named)
{
    const char *yaml =
        t_file("many.yaml",
               "name: many\nchannels: [{name: c, buffer: 0}]\ngoroutines:\n"
               "  - {name: main, do: [{go: worker, count: 66000}, {print: all}]}\n"
               "  - {name: worker, do: [{recv: c}]}\n");
    const char *meminfo = t_file("meminfo", "MemTotal: 24000000 kB\nMemFree: 100 kB\nMemAvailable: 2900000 kB\n");
    char command[1024];
    if (T_SANITIZED)
        t_skip("so many stacks take gigabytes under a sanitizer");
    snprintf(command, sizeof command, "unshare -rm mount --bind '%s' /proc/meminfo", meminfo);
    if (shell(command)->code != 0)
        t_skip("no namespaces");
    snprintf(command, sizeof command, "unshare -rm sh -c \"mount --bind '%s' /proc/meminfo && '%s' run '%s' --headless --mode free\" 2>&1",
             meminfo, GMPSCOPE_BIN, yaml);
    struct result *r = shell(command);
    CHECK_INT(r->code, 2);
    /* The memory is looked at before the first slab of the largest size. The smaller ones have 65,472 stacks (stack.c), of which up to 16 runs of 64
     * may be left to the other thread and not prepared yet. */
    const char *at = strstr(r->out, "gmpscope: cannot start goroutine ");
    CHECK(at);
    long g = strtol(at + strlen("gmpscope: cannot start goroutine "), NULL, 10);
    CHECK(g <= 65473 && g >= 65473 - 16 * 64);
    HAS(r->out, ": one that waits takes about 5 KiB, and only 2832 MiB of memory are left");
}
