/* How system Gs and disabled users' Gs affect system calls and hand-offs, tested with whole scenarios. */
#include "shell.h"

/* Checks that every claim of the scenario holds, in both modes. */
static void holds(const char *text, const char *option, const char *value)
{
    struct result r = RUN("check", "--audit", (char *)t_file("scenario.yaml", text), (char *)option, (char *)value);
    if (r.code != 0)
        t_fail(__FILE__, __LINE__, "%s%s", r.out, r.err);
}

/* ---- a user's G comes back from a system call while users' Gs are disabled ------------------------------------------- */

#define COMES_BACK(procs, before, call, after) \
    "name: comes-back\n" \
    "scheduler: {gomaxprocs: " procs \
    ", preempt_slice: 10s}\n" \
    "waitgroups: [all]\n" \
    "goroutines:\n" \
    "  - name: main\n" \
    "    do: [{add: all, n: 1}, {go: sys}, " before "{disable_user: 20ms}, " after \
    "{wait: all}]\n" \
    "  - name: sys\n" \
    "    do: [" call \
    ", {print: back}, {done: all}]\n" \
    "expect:\n" \
    "  - {sequence: ['sched_enable_user enable=0', 'syscall_exit g=2', 'sched_enable_user enable=1', 'print g=2'], mode: lockstep}\n" \
    "  - ends: main_returned\n"

/* The P that the G left is still free: the G takes it and yields, and its M puts the G aside. */
TEST(with_its_old_p_it_is_put_aside)
{
    holds(
        COMES_BACK(
            "2", "{sleep: 100us}, ", "{syscall: 3ms}",
            "") "  - {sequence: ['syscall_exit g=2 how=old_p', 'g_yield g=2', 'g_disable g=2', 'sched_enable_user enable=1'], mode: lockstep}\n",
        "--seeds", "20");
}

/* sysmon has taken the P, but another one is idle: the same happens. */
TEST(with_an_idle_p_it_is_put_aside)
{
    holds(
        COMES_BACK(
            "2", "{sleep: 100us}, ", "{syscall: 13ms}",
            "") "  - {sequence: ['retake why=long_syscall', 'syscall_exit g=2 how=idle_p', 'g_yield g=2', 'g_disable g=2', 'sched_enable_user enable=1'], mode: lockstep}\n",
        "--seeds", "20");
}

/* There is only one P, and main gives it up at about the time when the call returns: with some seeds this is after the G has seen that no P is
 * idle and before its last look under the lock. The G must not take the P then. */
TEST(without_a_p_it_waits_in_the_global_queue)
{
    holds(COMES_BACK("1", "{yield: 1}, ", "{syscall: 3ms}", "{compute: 2979730ns}, "), "--seeds", "40");
}

/* ---- handoffp() asks for the trace reader ------------------------------------------------------------------------------ */

/* G3's sixteenth start fills its P's trace buffer; then G3 blocks. Its P has nothing to run, the second P is idle and the third computes, so there
 * is no other reason to start an M. Since 1.19 Go's handoffp checks for the trace reader (golang.org/issue/39004); before, the buffer waits
 * until some M looks for work. */
TEST(a_p_that_is_handed_off_reads_the_trace)
{
    holds(
        "name: reads-at-handoff\n"
        "scheduler: {gomaxprocs: 3, preempt_slice: 10s}\n"
        "waitgroups: [all]\n"
        "goroutines:\n"
        "  - name: main\n"
        "    do: [{add: all, n: 2}, {trace_reader: true}, {go: busy}, {go: caller}, {wait: all}]\n"
        "  - name: busy\n"
        "    do: [{compute: 20ms}, {done: all}]\n"
        "  - name: caller\n"
        "    do: [{compute: 1ms}, {yield: 15}, {syscall: 5ms, blocking: true}, {done: all}]\n"
        "expect:\n"
        "  - {sequence: ['syscall_block g=3', 'handoff why=trace_reader', 'find_stage stage=trace_reader', 'g_start g=1000001',\n"
        "                'syscall_exit g=3'], mode: lockstep, generation: go1.20}\n"
        "  - {sequence: ['syscall_block g=3', 'handoff why=idle', 'syscall_exit g=3'], mode: lockstep, generation: go1.13}\n"
        "  - {never: 'handoff why=trace_reader', generation: go1.13}\n"
        "  - ends: main_returned\n",
        "--all-generations", NULL);
}
