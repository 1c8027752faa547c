/* Where an asynchronous preemption makes a G go on, x86-64 (preempt.c). The handler has pushed the interrupted address below the red
 * zone. Nothing may change: not a flag, not a vector register, not a control word.
 *
 *   stack, downwards: red zone (128) | return address | flags | rbp | 14 registers | vector area, 64-aligned
 *
 * The vector area's header is zeroed first: XSAVE writes only a part of it, and XRSTOR refuses the rest if it is not 0.
 */
#if defined(__x86_64__) && !defined(GMPSCOPE_UCONTEXT)

#define AREA 2816

    .text
    .globl async_preempt
    .hidden async_preempt
    .type async_preempt, @function
    .p2align 4
async_preempt:
    .cfi_startproc
    .cfi_signal_frame
    .cfi_def_cfa rsp, 136
    .cfi_offset rip, -136
    pushfq
    .cfi_adjust_cfa_offset 8
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_offset rbp, -152
    movq %rsp, %rbp
    .cfi_def_cfa_register rbp
    pushq %rax
    pushq %rcx
    pushq %rdx
    pushq %rbx
    pushq %rsi
    pushq %rdi
    pushq %r8
    pushq %r9
    pushq %r10
    pushq %r11
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    cld                             /* as every C function expects it */
    subq $AREA, %rsp
    andq $-64, %rsp

    xorl %eax, %eax
    movq %rax, 512(%rsp)
    movq %rax, 520(%rsp)
    movq %rax, 528(%rsp)
    movq %rax, 536(%rsp)
    movq %rax, 544(%rsp)
    movq %rax, 552(%rsp)
    movq %rax, 560(%rsp)
    movq %rax, 568(%rsp)
    movl async_xsave_mask(%rip), %eax
    xorl %edx, %edx
    cmpl $1, async_xsave_how(%rip)
    ja 2f
    je 1f
    fxsave64 (%rsp)
    jmp 3f
1:  xsave64 (%rsp)
    jmp 3f
2:  xsavec64 (%rsp)

3:  emms                            /* the x87 stack is empty at every call; what was on it would fill up those who run here next */
    call async_preempt2             /* to g0, and back, perhaps on another thread */

    movl async_xsave_mask(%rip), %eax
    xorl %edx, %edx
    cmpl $0, async_xsave_how(%rip)
    je 4f
    xrstor64 (%rsp)
    jmp 5f
4:  fxrstor64 (%rsp)

5:  leaq -112(%rbp), %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %r11
    popq %r10
    popq %r9
    popq %r8
    popq %rdi
    popq %rsi
    popq %rbx
    popq %rdx
    popq %rcx
    popq %rax
    popq %rbp
    .cfi_def_cfa rsp, 144
    .cfi_restore rbp
    popfq
    .cfi_adjust_cfa_offset -8
    ret $128
    .cfi_endproc
    .size async_preempt, . - async_preempt

#endif
    .section .note.GNU-stack, "", @progbits
