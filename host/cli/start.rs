//! The first instructions of a statically linked program: what it is about to touch is mapped by two system calls.
//!
//! A program at a random address writes that address into some eighty of its pages before it does anything else, and reads
//! its constants all over the place. Each of those pages costs a fault: together a quarter of a cold run's processor time. Here the
//! kernel is told of them at once. One older than 5.14 does not know how and says so; then each costs its fault. Code is not
//! worth it: most of it is not run.

#![expect(unsafe_code, reason = "this comes before there is any Rust")]

use std::arch::global_asm;

// The linker is told to begin with `hookbox_start`. Nothing in it is relocated, and for `_start` the stack and `rdx` stay
// as the kernel left them. Numbers of fields are those of ELF64. `PT_GNU_RELRO` names the pages that are written to; from
// the beginning of the file to what `PT_GNU_EH_FRAME` names there are the constants.
global_asm!(
    ".globl hookbox_start",
    "hookbox_start:",
    "push rdx",
    "lea r8, [rip + __ehdr_start]",
    "movzx r9d, word ptr [r8 + 56]", // e_phnum
    "mov r10, [r8 + 32]",            // e_phoff
    "add r10, r8",
    "2:",
    "mov eax, [r10]",
    "cmp eax, {PT_GNU_RELRO}",
    "je 3f",
    "cmp eax, {PT_GNU_EH_FRAME}",
    "jne 5f",
    "mov rdi, r8",
    "mov rsi, [r10 + 16]", // p_vaddr
    "add rsi, r8",
    "mov edx, {MADV_POPULATE_READ}",
    "jmp 4f",
    "3:",
    "mov rdi, [r10 + 16]",
    "add rdi, r8",
    "mov rsi, [r10 + 40]", // p_memsz
    "lea rsi, [rdi + rsi + 4095]",
    "mov edx, {MADV_POPULATE_WRITE}",
    "4:",
    "and rdi, -4096",
    "and rsi, -4096",
    "sub rsi, rdi",
    "mov eax, {SYS_madvise}",
    "syscall",
    "5:",
    "add r10, 56", // size of a program header
    "dec r9d",
    "jnz 2b",
    "pop rdx",
    "jmp _start",
    PT_GNU_RELRO = const 0x6474_e552,
    PT_GNU_EH_FRAME = const 0x6474_e550,
    MADV_POPULATE_READ = const 22,
    MADV_POPULATE_WRITE = const 23,
    SYS_madvise = const 28,
);
