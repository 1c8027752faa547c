/* Where a G continues after an asynchronous preemption, on aarch64; async_x86_64.S explains it.
 *
 * x30 is the interrupted address, the x30 of then lies at [sp] (push_call in preempt.c). The way back is a branch through x18, which
 * tight text leaves alone (-ffixed-x18): x30 itself must have its old value again by then, and a return needs a register.
 * The 32 vector registers are saved whole as the base architecture has them; tight text is compiled without SVE.
 *
 *   frame, 800 bytes: x29 x30 | x0 … x28 | nzcv fpcr | fpsr | q0 … q31
 */
#if defined(__aarch64__) && !defined(GMPSCOPE_UCONTEXT)

    .text
    .globl async_preempt
    .hidden async_preempt
    .type async_preempt, %function
    .p2align 4
async_preempt:
    .cfi_startproc
    .cfi_signal_frame
    .cfi_def_cfa sp, 16
    sub sp, sp, #800
    .cfi_adjust_cfa_offset 800
    stp x29, x30, [sp, #0]
    .cfi_offset x29, -816
    .cfi_offset x30, -808
    mov x29, sp
    stp x0, x1, [sp, #16]
    stp x2, x3, [sp, #32]
    stp x4, x5, [sp, #48]
    stp x6, x7, [sp, #64]
    stp x8, x9, [sp, #80]
    stp x10, x11, [sp, #96]
    stp x12, x13, [sp, #112]
    stp x14, x15, [sp, #128]
    stp x16, x17, [sp, #144]
    stp x18, x19, [sp, #160]
    stp x20, x21, [sp, #176]
    stp x22, x23, [sp, #192]
    stp x24, x25, [sp, #208]
    stp x26, x27, [sp, #224]
    str x28, [sp, #240]
    mrs x0, nzcv
    mrs x1, fpcr
    mrs x2, fpsr
    stp x0, x1, [sp, #256]
    str x2, [sp, #272]
    stp q0, q1, [sp, #288]
    stp q2, q3, [sp, #320]
    stp q4, q5, [sp, #352]
    stp q6, q7, [sp, #384]
    stp q8, q9, [sp, #416]
    stp q10, q11, [sp, #448]
    stp q12, q13, [sp, #480]
    stp q14, q15, [sp, #512]
    stp q16, q17, [sp, #544]
    stp q18, q19, [sp, #576]
    stp q20, q21, [sp, #608]
    stp q22, q23, [sp, #640]
    stp q24, q25, [sp, #672]
    stp q26, q27, [sp, #704]
    stp q28, q29, [sp, #736]
    stp q30, q31, [sp, #768]

    bl async_preempt2               /* to g0, and back, perhaps on another thread */

    ldp q30, q31, [sp, #768]
    ldp q28, q29, [sp, #736]
    ldp q26, q27, [sp, #704]
    ldp q24, q25, [sp, #672]
    ldp q22, q23, [sp, #640]
    ldp q20, q21, [sp, #608]
    ldp q18, q19, [sp, #576]
    ldp q16, q17, [sp, #544]
    ldp q14, q15, [sp, #512]
    ldp q12, q13, [sp, #480]
    ldp q10, q11, [sp, #448]
    ldp q8, q9, [sp, #416]
    ldp q6, q7, [sp, #384]
    ldp q4, q5, [sp, #352]
    ldp q2, q3, [sp, #320]
    ldp q0, q1, [sp, #288]
    ldr x2, [sp, #272]
    ldp x0, x1, [sp, #256]
    msr fpsr, x2
    msr fpcr, x1
    msr nzcv, x0
    ldr x28, [sp, #240]
    ldp x26, x27, [sp, #224]
    ldp x24, x25, [sp, #208]
    ldp x22, x23, [sp, #192]
    ldp x20, x21, [sp, #176]
    ldr x19, [sp, #168]
    ldp x16, x17, [sp, #144]
    ldp x14, x15, [sp, #128]
    ldp x12, x13, [sp, #112]
    ldp x10, x11, [sp, #96]
    ldp x8, x9, [sp, #80]
    ldp x6, x7, [sp, #64]
    ldp x4, x5, [sp, #48]
    ldp x2, x3, [sp, #32]
    ldp x0, x1, [sp, #16]
    ldp x29, x18, [sp, #0]
    .cfi_restore x29
    .cfi_register x30, x18
    add sp, sp, #800                /* changes no flag */
    .cfi_adjust_cfa_offset -800
    ldr x30, [sp], #16
    .cfi_def_cfa_offset 0
    br x18
    .cfi_endproc
    .size async_preempt, . - async_preempt

#endif
    .section .note.GNU-stack, "", %progbits
