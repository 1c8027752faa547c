/* The first instruction of a new stack, x86-64: rsi is its struct ctx_frame (ctx_x86_64.h). An undefined return address ends backtraces here. */
#if defined(__x86_64__) && !defined(GMPSCOPE_UCONTEXT)

    .text
    .globl ctx_entry
    .hidden ctx_entry
    .type ctx_entry, @function
    .p2align 4
ctx_entry:
    .cfi_startproc
    .cfi_undefined rip
    movq 32(%rsi), %rdi
    call ctx_first
    ud2
    .cfi_endproc
    .size ctx_entry, . - ctx_entry

#endif
    .section .note.GNU-stack, "", @progbits
