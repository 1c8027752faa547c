/* The switch on x86-64. Part of ctx.h, not to be included by itself.
 *
 * The switch is inline and uses neither call nor ret. The processor predicts each return from the preceding calls, on whatever stack they
 * were made, and one wrong prediction costs as much as the instructions of twenty switches. A switch that is itself called would leave its
 * return address in the predictor. Then the returns of all frames below it would be mispredicted, on the stack that was switched to and on
 * the one that was left. Without that call, a G that resumes where another G stopped (in the same function, called from the same place)
 * returns as predicted. For the same reason a context starts with a jump to its function and ends (ctx_leave) in that same function: a call
 * that never returns would leave its address in the predictor, and the processor would predict that the next context returns there.
 *
 * The asm clobbers all registers, so the compiler saves only those that it needs. The frame pointer, which cannot be declared as clobbered,
 * and the two floating-point control words are saved here, in a local variable of the function that switches. sp is not moved, because the
 * memory below it belongs to that function too.
 *
 * The control words are loaded only when they differ: ldmxcsr and fldcw are slow, and almost every program keeps the
 * default. In MXCSR the six low bits are exception flags, not control, and the comparison ignores them.
 *
 * While the asm runs, the CFI of this function does not describe the stack pointer; no code unwinds from there (no signal handler does).
 */
#ifndef GMPSCOPE_RUNTIME_STACK_CTX_X86_64_H
#define GMPSCOPE_RUNTIME_STACK_CTX_X86_64_H

/* What a context leaves on its stack when it switches away. The asm below knows the offsets. */
struct ctx_frame {
    void *sp, *bp, *pc;
    uint32_t mxcsr;
    uint16_t x87;
#ifdef CTX_ASAN
    struct ctx *self; /* of a new context */
#endif
};

#ifdef __AVX512F__
#define CTX_MORE_REGISTERS \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", \
        "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define CTX_MORE_REGISTERS
#endif

/* Resumes the frame that rsi points to; eax, cx: the current control words. */
#define CTX_GO_ON \
    "movq (%%rsi), %%rsp\n\t" /* from here on the new stack */ \
    "movq 8(%%rsi), %%rbp\n\t" \
    "xorl 24(%%rsi), %%eax\n\t" \
    "testl $0xffc0, %%eax\n\t" /* control bits of MXCSR */ \
    "jne 3f\n" \
    "2:\tcmpw %%cx, 28(%%rsi)\n\t" \
    "jne 4f\n\t" \
    "jmpq *16(%%rsi)\n" \
    "3:\tldmxcsr 24(%%rsi)\n\t" \
    "jmp 2b\n" \
    "4:\tfldcw 28(%%rsi)\n\t" \
    "jmpq *16(%%rsi)\n"

/* A macro, because it must be part of the function that switches (ctx.c). words: asm that leaves the control words at 24(%rdi) and
 * 28(%rdi). */
#define ctx_jump_as(frame, save, to, words) \
    do { \
        struct ctx_frame *from_ = (frame); \
        void **save_ = (save), *to_ = (to); \
        __asm__ volatile( \
            "movq %%rdi, (%%rdx)\n\t" \
            "leaq 1f(%%rip), %%rax\n\t" \
            "movq %%rsp, (%%rdi)\n\t" \
            "movq %%rbp, 8(%%rdi)\n\t" \
            "movq %%rax, 16(%%rdi)\n\t" words \
            "movl 24(%%rdi), %%eax\n\t" \
            "movzwl 28(%%rdi), %%ecx\n\t" CTX_GO_ON "1:" \
            : "+D"(from_), "+S"(to_), "+d"(save_) \
            : \
            : "rax", "rbx", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", \
              "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15" CTX_MORE_REGISTERS); \
    } while (0)

#define ctx_jump(save, to) \
    do { \
        struct ctx_frame here_; \
        ctx_jump_as(&here_, save, to, "stmxcsr 24(%%rdi)\n\tfnstcw 28(%%rdi)\n\t"); \
    } while (0)

/* For a caller that has stored the control words in that frame and never changes them. This saves two slow instructions. */
#define ctx_jump_base(frame, save, to) ctx_jump_as(frame, save, to, "")

static inline void ctx_control_words(struct ctx_frame *frame)
{
    __asm__("stmxcsr %0\n\tfnstcw %1" : "=m"(frame->mxcsr), "=m"(frame->x87));
}

/* Like ctx_jump(), but saves nothing, because no switch comes back here. The memory below sp is then free. */
static inline __attribute__((always_inline, noreturn)) void ctx_leave(void *to)
{
    __asm__ volatile(
        "stmxcsr -8(%%rsp)\n\t"
        "fnstcw -4(%%rsp)\n\t"
        "movl -8(%%rsp), %%eax\n\t"
        "movzwl -4(%%rsp), %%ecx\n\t" CTX_GO_ON
        :
        : "S"(to)
        : "memory");
    __builtin_unreachable();
}

#endif
