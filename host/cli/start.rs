//! The first instructions of a statically linked program: what is about to be relocated is mapped by one system call.
//!
//! A program at a random address writes that address into some eighty of its pages before it does anything else, and each
//! of them costs a page fault: together 4 % of a cold run's processor time. Here the kernel is told of them all at once. One
//! older than 5.14 does not know how and says so; then each costs its fault.

#![expect(unsafe_code, reason = "this comes before there is any Rust")]

use std::arch::global_asm;

// The linker is told to begin with `hookbox_start`. Nothing in it is relocated, and for `_start` the stack and `rdx` stay
// as the kernel left them. Numbers of fields are those of ELF64; `PT_GNU_RELRO` names the pages.
global_asm!(
    ".globl hookbox_start",
    "hookbox_start:",
    "push rdx",
    "lea rsi, [rip + __ehdr_start]",
    "movzx ecx, word ptr [rsi + 56]", // e_phnum
    "mov rdi, [rsi + 32]",            // e_phoff
    "add rdi, rsi",
    "2:",
    "cmp dword ptr [rdi], {PT_GNU_RELRO}",
    "je 3f",
    "add rdi, 56", // size of a program header
    "dec ecx",
    "jnz 2b",
    "jmp 4f",
    "3:",
    "add rsi, [rdi + 16]", // p_vaddr
    "mov rax, [rdi + 40]", // p_memsz
    "lea rax, [rsi + rax + 4095]",
    "and rsi, -4096",
    "and rax, -4096",
    "mov rdi, rsi",
    "sub rax, rsi",
    "mov rsi, rax",
    "mov edx, {MADV_POPULATE_WRITE}",
    "mov eax, {SYS_madvise}",
    "syscall",
    "4:",
    "pop rdx",
    "jmp _start",
    PT_GNU_RELRO = const 0x6474_e552,
    MADV_POPULATE_WRITE = const 23,
    SYS_madvise = const 28,
);
