//! A file that no other process can open for now, as on a file system that does not answer.

use std::{fs::File, os::fd::AsRawFd as _, path::Path};

/// Command that selects the kernel's signal; one number on every Linux.
const F_SETSIG: libc::c_int = 10;

/// Lease of a file. While it exists, a process that opens or executes the file waits: for 45 s at most, unless an administrator has changed
/// the time (`/proc/sys/fs/lease-break-time`).
pub(crate) struct HeldFile {
    _lease: File,
}

impl HeldFile {
    /// Takes a lease of the file. The file must not be open in any process.
    #[expect(unsafe_code, reason = "no safe function takes a lease")]
    pub(crate) fn hold(path: &Path) -> Self {
        let lease = File::open(path).unwrap();
        let file = lease.as_raw_fd();
        // SAFETY: takes numbers and accesses no memory of this process. Opening the file makes the kernel signal this process, by default
        // with a signal that would end it.
        let done = unsafe {
            libc::fcntl(file, F_SETSIG, libc::SIGURG) | libc::fcntl(file, libc::F_SETLEASE, libc::F_WRLCK)
        };
        assert_eq!(done, 0, "{}: {}", path.display(), std::io::Error::last_os_error());
        Self { _lease: lease }
    }
}
