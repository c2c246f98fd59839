//! The first instructions of a statically linked program: removes variables that the C library would read, and maps the pages
//! to be relocated by one system call.
//!
//! A project may set variables for programs that agents start. By `MALLOC_TOP_PAD_` or `GLIBC_TUNABLES` it would have the first
//! allocation fail, before there is any Rust: the process dies of a signal, which agents take for a missing answer, and the
//! tool runs. So such a variable is replaced by a meaningless one, here, where it has not been read yet; and so is every `LD_*`,
//! which could make the C library load other code.
//!
//! A program at a random address writes that address into some eighty of its pages before it does anything else, and each of
//! them costs a page fault: together 4 % of a cold run's processor time. Here the kernel maps all of them with one call. One
//! older than 5.14 does not support that and returns an error; then each costs its fault.

#![cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64", target_feature = "crt-static"))]
#![expect(unsafe_code, reason = "this comes before there is any Rust")]

use std::arch::global_asm;

// The linker begins the program with `hookbox_start`. Nothing in it is relocated, and for `_start` the stack and `rdx` stay as
// the kernel left them. Numbers of fields are those of ELF64; `PT_GNU_RELRO` names the pages.
global_asm!(
    ".globl hookbox_start",
    "hookbox_start:",
    "push rdx",
    "mov rcx, [rsp + 8]",            // the number of arguments
    "lea rsi, [rsp + 8 * rcx + 24]", // behind them and their end: the variables
    "mov r8, {MALLOC_}",
    "mov r9, {SEVEN_BYTES}",
    "mov r10, {GLIBC_TU}",
    "5:",
    "mov rax, [rsi]",
    "test rax, rax",
    "jz 8f",
    "mov rcx, [rax]", // behind the last variable there are more than eight bytes
    "cmp rcx, r10",
    "je 6f",
    "and rcx, r9",
    "cmp rcx, r8",
    "je 6f",
    "and ecx, {THREE_BYTES}",
    "cmp ecx, {LD_}",
    "jne 7f",
    "6:",
    "lea rax, [rip + 9f]",
    "mov [rsi], rax",
    "7:",
    "add rsi, 8",
    "jmp 5b",
    "8:",
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
    "9:",
    ".asciz \"_=\"",
    MALLOC_ = const u64::from_le_bytes(*b"MALLOC_\0"),
    SEVEN_BYTES = const u64::MAX >> 8,
    GLIBC_TU = const u64::from_le_bytes(*b"GLIBC_TU"),
    THREE_BYTES = const u32::MAX >> 8,
    LD_ = const u32::from_le_bytes(*b"LD_\0"),
    PT_GNU_RELRO = const 0x6474_e552,
    MADV_POPULATE_WRITE = const 23,
    SYS_madvise = const 28,
);
