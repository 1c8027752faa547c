/* Under real limits of the system the program reports what is missing and gives no verdict. (test_inject.c makes
 * single calls fail.) */
#include "shell.h"

/* Which call meets the limit depends on the sizes of program and libraries. It may be the creation of a thread. */
#define NO_MEMORY "memory"

/* Skips the test under a sanitizer, which needs far more memory than the limit leaves. */
static void not_sanitized(void)
{
    if (T_SANITIZED)
        t_skip("a sanitizer's own memory does not fit into the limit");
}

static void check_lack(const struct result *r, const char *words)
{
    CHECK_INT(r->code, 2);
    HAS(r->err, words);
    CHECK(!strstr(r->err, "expected") && !strstr(r->err, "fatal error"));
}

TEST(no_memory_is_no_failed_claim)
{
    not_sanitized();
    const struct result *r = shell("ulimit -v 12000; gmpscope run steal-half --headless");
    check_lack(r, NO_MEMORY);
    CHECK(!strstr(r->err, "steals"));
    check_lack(shell("ulimit -v 12000; gmpscope run steal-half --headless --json"), NO_MEMORY);
    CHECK_STR(shell("ulimit -v 12000; gmpscope run steal-half --headless --json")->out, "");
}

TEST(no_memory_is_no_failed_check)
{
    not_sanitized();
    const struct result *r = shell("ulimit -v 12000; gmpscope check steal-half");
    check_lack(r, NO_MEMORY);
    CHECK(!strstr(r->out, "FAILED"));
    HAS(r->out, "0 passed, 0 failed");
}

TEST(no_memory_is_no_failed_seed)
{
    not_sanitized();
    const struct result *r = shell("ulimit -v 12000; gmpscope explore steal-half --seeds 4 --jobs 2");
    check_lack(r, "gmpscope: explore: ");
    HAS(r->err, NO_MEMORY);
    HAS(r->out, ": 0 failed");
}

TEST(no_descriptors_for_children)
{
    const struct result *r = shell("exec 3<&- 4<&-; ulimit -n 5; gmpscope explore steal-half --seeds 4 --jobs 2 4<&0");
    check_lack(r, "Too many open files");
    HAS(r->out, ": 0 failed");
}

TEST(a_full_device_is_named)
{
    const struct result *r = shell("gmpscope compare steal-half --right procs=1 --headless >/dev/full");
    check_lack(r, "gmpscope: stdout: No space left on device\n");
}

/* Below 16 KiB the dynamic linker of any program crashes. */
TEST(a_small_stack_is_said)
{
    not_sanitized();
    static const int kib[] = {16, 20, 24, 32, 48, 64, 96, 128, 252};
    for (size_t i = 0; i < sizeof kib / sizeof *kib; i++) {
        char command[100], words[100];
        snprintf(command, sizeof command, "ulimit -s %d; gmpscope lint steal-half", kib[i]);
        snprintf(words, sizeof words, "gmpscope: the stack limit is %d KiB, but gmpscope needs at least 256 KiB (ulimit -s)\n", kib[i]);
        check_lack(shell(command), words);
    }
    CHECK_INT(shell("ulimit -s 256; gmpscope check steal-half && gmpscope explore steal-half --seeds 4 && gmpscope list")->code, 0);
}
