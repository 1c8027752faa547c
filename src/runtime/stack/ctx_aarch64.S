/* The switch on aarch64 (AAPCS64); ctx_x86_64.h explains it.
 *
 *   void ctx_jump(void **save, void *to)
 *
 * Keeps x19 … x30, d8 … d15 and FPCR. FPCR is written only when it differs: msr fpcr drains the pipeline on many cores.
 * Ends with br, not ret, for the return predictor's sake.
 */
#if defined(__aarch64__) && !defined(GMPSCOPE_UCONTEXT)

    .text
    .globl ctx_jump
    .hidden ctx_jump
    .type ctx_jump, %function
    .p2align 4
ctx_jump:
    .cfi_startproc
    sub sp, sp, #176
    .cfi_adjust_cfa_offset 176
    stp x19, x20, [sp, #0]
    .cfi_rel_offset x19, 0
    .cfi_rel_offset x20, 8
    stp x21, x22, [sp, #16]
    .cfi_rel_offset x21, 16
    .cfi_rel_offset x22, 24
    stp x23, x24, [sp, #32]
    .cfi_rel_offset x23, 32
    .cfi_rel_offset x24, 40
    stp x25, x26, [sp, #48]
    .cfi_rel_offset x25, 48
    .cfi_rel_offset x26, 56
    stp x27, x28, [sp, #64]
    .cfi_rel_offset x27, 64
    .cfi_rel_offset x28, 72
    stp x29, x30, [sp, #80]
    .cfi_rel_offset x29, 80
    .cfi_rel_offset x30, 88
    stp d8, d9, [sp, #96]
    .cfi_rel_offset d8, 96
    .cfi_rel_offset d9, 104
    stp d10, d11, [sp, #112]
    .cfi_rel_offset d10, 112
    .cfi_rel_offset d11, 120
    stp d12, d13, [sp, #128]
    .cfi_rel_offset d12, 128
    .cfi_rel_offset d13, 136
    stp d14, d15, [sp, #144]
    .cfi_rel_offset d14, 144
    .cfi_rel_offset d15, 152
    mrs x9, fpcr
    str x9, [sp, #160]

    mov x10, sp
    str x10, [x0]
    mov sp, x1                      /* from here on the new stack, with the same frame */

    ldr x11, [sp, #160]
    cmp x9, x11
    b.eq 1f
    msr fpcr, x11
1:  ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    .cfi_restore x19
    .cfi_restore x20
    .cfi_restore x21
    .cfi_restore x22
    .cfi_restore x23
    .cfi_restore x24
    .cfi_restore x25
    .cfi_restore x26
    .cfi_restore x27
    .cfi_restore x28
    .cfi_restore x29
    .cfi_restore x30
    .cfi_restore d8
    .cfi_restore d9
    .cfi_restore d10
    .cfi_restore d11
    .cfi_restore d12
    .cfi_restore d13
    .cfi_restore d14
    .cfi_restore d15
    add sp, sp, #176
    .cfi_adjust_cfa_offset -176
    br x30
    .cfi_endproc
    .size ctx_jump, . - ctx_jump

/* The first instruction of a new stack: x19 is its struct ctx. An undefined return address ends backtraces here. */
    .globl ctx_entry
    .hidden ctx_entry
    .type ctx_entry, %function
    .p2align 4
ctx_entry:
    .cfi_startproc
    .cfi_undefined x30
    mov x0, x19
    bl ctx_first
    brk #0
    .cfi_endproc
    .size ctx_entry, . - ctx_entry

#endif
    .section .note.GNU-stack, "", %progbits
