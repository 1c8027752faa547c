/* What Gs of the runtime's own and users' Gs that may not run do to system calls and hand-offs, on whole scenarios. */
#include "shell.h"

/* Checks that every claim of the scenario holds, in both modes and with so many seeds. */
static void holds(const char *text, const char *seeds)
{
    struct result r = RUN("check", "--audit", "--seeds", (char *)seeds, (char *)t_file("scenario.yaml", text));
    if (r.code != 0)
        t_fail(__FILE__, __LINE__, "%s%s", r.out, r.err);
}

/* ---- a user's G comes back from a system call while users' Gs are disabled ------------------------------------------- */

#define COMES_BACK(procs, before, call, after) \
    "name: comes-back\n" \
    "scheduler: {gomaxprocs: " procs ", preempt_slice: 10s}\n" \
    "waitgroups: [all]\n" \
    "goroutines:\n" \
    "  - name: main\n" \
    "    do: [{add: all, n: 1}, {go: sys}, " before "{disable_user: 20ms}, " after "{wait: all}]\n" \
    "  - name: sys\n" \
    "    do: [" call ", {print: back}, {done: all}]\n" \
    "expect:\n" \
    "  - {sequence: ['sched_enable_user enable=0', 'syscall_exit g=2', 'sched_enable_user enable=1', 'print g=2'], mode: lockstep}\n" \
    "  - ends: main_returned\n"

/* The P that it left is still there: it takes it and yields, and its M puts it aside. */
TEST(with_its_old_p_it_is_put_aside)
{
    holds(COMES_BACK("2", "{sleep: 100us}, ", "{syscall: 3ms}", "")
          "  - {sequence: ['syscall_exit g=2 how=old_p', 'g_yield g=2', 'g_disable g=2', 'sched_enable_user enable=1'], mode: lockstep}\n",
          "20");
}

/* sysmon took the P, and one is idle: the same. */
TEST(with_an_idle_p_it_is_put_aside)
{
    holds(COMES_BACK("2", "{sleep: 100us}, ", "{syscall: 13ms}", "")
          "  - {sequence: ['retake why=long_syscall', 'syscall_exit g=2 how=idle_p', 'g_yield g=2', 'g_disable g=2', 'sched_enable_user enable=1'], mode: lockstep}\n",
          "20");
}

/* There is only one P, and main gives it up about when the call returns: with some seeds after the G has seen that no P is idle, and before
 * it looks once more under the lock. It must not take the P then. */
TEST(without_a_p_it_waits_in_the_global_queue)
{
    holds(COMES_BACK("1", "{yield: 1}, ", "{syscall: 3ms}", "{compute: 2979730ns}, "), "40");
}
