/* The switch on x86-64 (System V ABI).
 *
 *   void ctx_swap(void **save, void *to)
 *
 * Pushes the six registers a call keeps and the two floating-point control words, stores the stack pointer in *save,
 * takes the stack pointer `to`, pops the same there. It ends with a pop and an indirect jump, not with ret: the
 * processor's return stack predicts the caller of the *old* stack, so ret would be mispredicted at every switch and
 * spoil the predictions above it.
 *
 * The control words are loaded only when they differ: ldmxcsr and fldcw are slow, and almost every program keeps the
 * default. In MXCSR the six low bits are exception flags, not control, and are left alone by the comparison.
 *
 * The CFI is right on both sides of the switch, because both stacks have the same frame at that point.
 */
#if defined(__x86_64__) && !defined(GMPSCOPE_UCONTEXT)

    .text
    .globl ctx_swap
    .hidden ctx_swap
    .type ctx_swap, @function
    .p2align 4
ctx_swap:
    .cfi_startproc
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbx, 0
    pushq %r12
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r12, 0
    pushq %r13
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r13, 0
    pushq %r14
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r14, 0
    pushq %r15
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r15, 0
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    movl (%rsp), %eax
    movzwl 4(%rsp), %ecx

    movq %rsp, (%rdi)
    movq %rsi, %rsp                 /* from here on the new stack */

    xorl (%rsp), %eax
    testl $0xffc0, %eax             /* control bits of MXCSR */
    jne 3f
1:  cmpw %cx, 4(%rsp)
    jne 4f
2:  .cfi_remember_state
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq %r15
    .cfi_adjust_cfa_offset -8
    .cfi_restore r15
    popq %r14
    .cfi_adjust_cfa_offset -8
    .cfi_restore r14
    popq %r13
    .cfi_adjust_cfa_offset -8
    .cfi_restore r13
    popq %r12
    .cfi_adjust_cfa_offset -8
    .cfi_restore r12
    popq %rbx
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbx
    popq %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbp
    popq %rcx
    .cfi_adjust_cfa_offset -8
    .cfi_register rip, rcx
    jmpq *%rcx

    /* The rare ways, out of the line. The frame is whole here. */
    .cfi_restore_state
3:  ldmxcsr (%rsp)
    jmp 1b
4:  fldcw 4(%rsp)
    jmp 2b
    .cfi_endproc
    .size ctx_swap, . - ctx_swap

/* The first instruction of a new stack: rbx is its struct ctx. An undefined return address ends backtraces here. */
    .globl ctx_entry
    .hidden ctx_entry
    .type ctx_entry, @function
    .p2align 4
ctx_entry:
    .cfi_startproc
    .cfi_undefined rip
    movq %rbx, %rdi
    call ctx_first
    ud2
    .cfi_endproc
    .size ctx_entry, . - ctx_entry

#endif
    .section .note.GNU-stack, "", @progbits
