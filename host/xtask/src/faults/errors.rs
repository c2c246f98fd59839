//! Plausible errors of each system call.

/// Returns the errors of this call, most relevant first; empty for a call that cannot fail in a way that a program could handle. `close`
/// has none: Linux closes the descriptor with any result, and a tracer that answers in its place would leave it open.
pub(super) fn list_errors(call: &str) -> &'static [&'static str] {
    match call {
        "openat" | "open" => &["EACCES", "EMFILE", "EIO", "ENOSPC", "ENOENT", "EINTR"],
        "read" | "pread64" | "readv" => &["EIO", "EINTR"],
        "write" | "pwrite64" | "writev" => &["ENOSPC", "EIO", "EPIPE", "EAGAIN", "EINTR", "EBADF", "EFBIG"],
        "fsync" | "fdatasync" | "ftruncate" | "fallocate" => &["EIO", "ENOSPC"],
        "rename" | "renameat" | "renameat2" | "linkat" | "link" => &["EIO", "ENOSPC", "EACCES", "EINVAL"],
        "unlink" | "unlinkat" => &["EIO", "EACCES"],
        "mkdir" | "mkdirat" => &["EACCES", "ENOSPC", "EROFS"],
        "fstat" | "stat" | "lstat" | "statx" | "newfstatat" | "access" | "faccessat2" => {
            &["EIO", "EACCES", "ENOMEM"]
        }
        "readlink" | "readlinkat" => &["EACCES", "ENOENT", "EIO"],
        "lseek" | "getdents64" => &["EIO"],
        "getcwd" => &["ENOENT", "EACCES"],
        // Not `brk`: it reports no error, but the old end.
        // Nor `munmap`: it fails only where it increases the number of mappings, which does not happen here.
        "mmap" | "mprotect" | "mremap" | "madvise" | "epoll_ctl" => &["ENOMEM"],
        "clone" | "clone3" | "fork" | "vfork" => &["EAGAIN", "ENOMEM"],
        "execve" => &["EACCES", "ENOMEM"],
        "pipe2" | "eventfd2" | "epoll_create1" | "socketpair" | "socket" => &["EMFILE", "ENFILE", "ENOMEM"],
        "poll" | "ppoll" | "epoll_wait" | "epoll_pwait" | "select" | "pselect6" => &["EINTR", "ENOMEM"],
        "fcntl" => &["ENOLCK", "EAGAIN", "EIO"],
        "flock" => &["ENOLCK", "EINTR"],
        "fchmod" | "fchmodat" | "chmod" => &["EPERM", "EIO"],
        "getrandom" => &["EINTR", "ENOSYS"],
        "sched_getaffinity" | "prlimit64" | "prctl" | "setsid" | "ioctl" | "kill" | "pidfd_open"
        | "pidfd_send_signal" => &["EPERM"],
        "wait4" | "waitid" => &["EINTR", "ECHILD"],
        _ => &[],
    }
}
