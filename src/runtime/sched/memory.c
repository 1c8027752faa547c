/* What the program of a run takes of the machine's memory, against the run's limit (rt_config.memory).
 *
 * A few lines of a scenario can ask for more memory than the machine has. Then the kernel ends this process or another one. A limit of
 * the process (setrlimit) would also count the address space that is reserved and never touched, and it would hit whatever allocates next. So
 * each kind of memory that a program can ask for without end is counted where it is taken, at what it costs in all of gmpscope: a G costs a
 * page of its stack, page tables, and its part of the model. The counts of a lockstep run are the same on each machine.
 *
 * Not counted: the file (at most 1 MiB) and what is compiled from it, the history, which has a limit of its own, and the rings. */
#include "runtime/sched/proc.h"
#include "base/text.h"
#include <stdio.h>
#include <unistd.h>

#define DEFAULT ((uint64_t)8 << 30)

uint64_t rt_memory_default(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    uint64_t most = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size / 4 * 3 : DEFAULT;
    return most < DEFAULT ? most : DEFAULT;
}

/* relaxed, everywhere: counters, which order nothing */
static uint64_t taken(const struct sched *s, enum memory_kind kind)
{
    return atomic_load_explicit(&s->memory[kind], memory_order_relaxed);
}

bool memory_take(struct sched *s, enum memory_kind kind, size_t bytes)
{
    uint64_t all = bytes;
    for (int i = 0; i < MEMORY_KINDS; i++)
        all += taken(s, (enum memory_kind)i);
    if (s->cfg.memory && all > s->cfg.memory)
        return false;
    atomic_fetch_add_explicit(&s->memory[kind], bytes, memory_order_relaxed);
    return true;
}

void memory_give(struct sched *s, enum memory_kind kind, size_t bytes)
{
    atomic_fetch_sub_explicit(&s->memory[kind], bytes, memory_order_relaxed);
}

void memory_lacks(struct m *m)
{
    static const char *const name[MEMORY_KINDS] = {
        [MEMORY_G] = "goroutines",
        [MEMORY_OBJECT] = "channels and other objects",
        [MEMORY_TIMER] = "timers and what they start",
        [MEMORY_OUTPUT] = "printed lines",
        [MEMORY_THREAD] = "threads"};
    struct sched *s = m->sched;
    char text[200], limit[24];
    enum memory_kind most = MEMORY_G;
    for (int i = 1; i < MEMORY_KINDS; i++)
        if (taken(s, (enum memory_kind)i) > taken(s, most))
            most = (enum memory_kind)i;
    snprintf(text, sizeof text, "the program needs more memory than its limit, %s, most of it for %s; --memory sets the limit",
             size_text(s->cfg.memory, limit, sizeof limit), name[most]);
    lack(m, text, 0);
}

void memory_need(struct m *m, enum memory_kind kind, size_t bytes)
{
    if (!memory_take(m->sched, kind, bytes))
        memory_lacks(m);
}

void rt_memory_need(size_t bytes)
{
    memory_need(getm(), MEMORY_TIMER, bytes);
}

void rt_memory_give(struct sched *s, size_t bytes)
{
    memory_give(s, MEMORY_TIMER, bytes);
}
