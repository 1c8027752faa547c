/* Tight computing in free mode: the only loop without safe points, which only a signal can interrupt.
 *
 * An asynchronous preemption (runtime/sched/preempt.c) makes a G give up its thread between any two instructions,
 * and the G resumes on another thread. Almost no code survives that: not malloc, not stdio, nothing that holds a
 * lock, keeps the address of a thread-local, or relies on its M. Go's compiler knows its unsafe points; a C compiler
 * does not report them. So the program counter decides: code in the section gmpscope_tight may be preempted
 * anywhere, all other code nowhere. The linker defines where the section begins and ends. Code in it calls nothing,
 * and its callers keep no M across the call.
 *
 * A pause or the end of the run is noticed inside and taken outside (conductor_breathe): an M never stops in this
 * code.
 *
 * On aarch64, files with such code are compiled with -ffixed-x18 (CMakeLists.txt): resuming in the middle of code
 * needs one register that this code does not use. */
#include "conductor/conductor_internal.h"

extern const char __start_gmpscope_tight[], __stop_gmpscope_tight[]; /* defined by the linker */

bool conductor_is_tight(uintptr_t pc)
{
    return pc >= (uintptr_t)__start_gmpscope_tight && pc < (uintptr_t)__stop_gmpscope_tight;
}

CONDUCTOR_TIGHT_TEXT void conductor_tight(struct conductor *c, uint32_t rounds)
{
    uint64_t x = rounds;
    for (uint32_t i = 0; i < rounds; i++) {
        /* relaxed: like attention(), which cannot be called from here */
        if (atomic_load_explicit(&c->hot.attention, memory_order_relaxed) & (ATTN_PAUSE | ATTN_DIE | ATTN_LOCKSTEP))
            return;
        x = x * 6364136223846793005u + 1442695040888963407u;
        __asm__ volatile("" : "+r"(x)); /* computed although the result is not used */
    }
}

void conductor_breathe(struct waiter *w)
{
    check_die(w);
    conductor_rests(w);
    if (!(attention(w->c) & ATTN_PAUSE) || in_lockstep(w->c))
        return;
    w->kind = WAIT_GATE;
    w->deadline = -1;
    free_halt(w->c);
    wait_to_move(w);
}
