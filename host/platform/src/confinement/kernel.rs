//! The few system calls that no safe function makes, and nothing else.

use std::io;
#[cfg(on_unix)]
use std::{os::unix::process::CommandExt as _, process::Command};

/// Has the child of `command` call `steps` before its program starts. They run between fork and exec, maybe of a program with threads:
/// they may neither allocate nor lock nor panic.
#[cfg(on_unix)]
#[expect(unsafe_code, reason = "what a child does before its program can be said in no other way")]
pub(super) fn run_before_exec(
    command: &mut Command,
    steps: impl Fn() -> io::Result<()> + Send + Sync + 'static,
) {
    // SAFETY: the only caller is `Steps::apply_to`, whose steps make system calls with values made before the fork. They are the child's
    // own copies, nothing is allocated, and an error is a number.
    unsafe {
        command.pre_exec(steps);
    }
}

/// Keeps this process and all that it starts from gaining privileges by running a program.
#[cfg(on_linux)]
pub(super) fn no_new_privileges() -> io::Result<()> {
    rustix::thread::set_no_new_privs(true).map_err(io::Error::from)
}

#[cfg(not(on_linux))]
pub(super) fn no_new_privileges() -> io::Result<()> {
    let what = "keep a process from gaining privileges";
    Err(crate::Unsupported { what, needs: "Linux" }.into())
}

/// Returns Landlock's version (its ABI); `None` without Landlock.
#[cfg(on_linux)]
#[expect(unsafe_code, reason = "the crate `landlock` keeps the version to itself")]
pub(super) fn landlock_version() -> Option<u32> {
    // `LANDLOCK_CREATE_RULESET_VERSION` of linux/landlock.h.
    const VERSION: libc::c_uint = 1;
    // SAFETY: with this flag the kernel reads no attributes, and none are passed.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<libc::c_void>(), 0_usize, VERSION)
    };
    // The result is -1 if the kernel was built without Landlock, or started with it switched off.
    u32::try_from(version).ok().filter(|version| *version > 0)
}

/// Applies the rules of a Landlock ruleset to this thread, and all that it starts.
#[cfg(on_linux)]
#[expect(
    unsafe_code,
    reason = "the crate's own call consumes its ruleset, and what that frees is its own matter"
)]
pub(super) fn restrict_files(ruleset: std::os::fd::BorrowedFd<'_>) -> io::Result<()> {
    use std::os::fd::AsRawFd as _;
    // SAFETY: takes a descriptor that is open for the whole call, and accesses no memory of this process.
    let done = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0_u32) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Closes every descriptor of this process but its three standard streams. The process must not have opened any itself.
#[cfg(on_linux)]
#[expect(
    unsafe_code,
    reason = "a descriptor that nobody in this process has a name for can be closed in no other way"
)]
pub(super) fn close_inherited() {
    const FIRST: libc::c_uint = 3;
    // Some container runtimes set a limit of a billion descriptors; closing so many numbers one by one would take
    // minutes.
    const MOST: u64 = 1 << 16;
    // SAFETY: takes numbers and accesses no memory of this process. The only caller is a program's beginning, which owns none of the
    // descriptors.
    let closed = unsafe { libc::syscall(libc::SYS_close_range, FIRST, libc::c_uint::MAX, 0) };
    if closed == 0 {
        return;
    }
    // Before Linux 5.9. Open descriptors have numbers below the limit that was in force when they were opened.
    let most =
        rustix::process::getrlimit(rustix::process::Resource::Nofile).current.unwrap_or(MOST).min(MOST);
    for number in 3..i32::try_from(most).unwrap_or(i32::MAX) {
        // SAFETY: as above.
        let _ = unsafe { libc::close(number) };
    }
}
