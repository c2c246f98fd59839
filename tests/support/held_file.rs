//! A file that nobody else can open for now, as on a file system that does not answer.

use std::{fs::File, os::fd::AsRawFd as _, path::Path};

/// Which signal the kernel sends; the same number on every Linux.
const F_SETSIG: libc::c_int = 10;

/// While it is there, whoever opens the file or starts it as a program waits: for 45 s at most, unless an administrator has
/// set it otherwise (`/proc/sys/fs/lease-break-time`).
pub(crate) struct HeldFile {
    _lease: File,
}

impl HeldFile {
    /// Takes a lease of the file. Nobody may have it open.
    #[expect(unsafe_code, reason = "no safe function takes a lease")]
    pub(crate) fn hold(path: &Path) -> Self {
        let lease = File::open(path).unwrap();
        let file = lease.as_raw_fd();
        // SAFETY: takes numbers and touches no memory of ours. Whoever opens the file makes the kernel signal us, by default with
        // one that would end this process.
        let done = unsafe {
            libc::fcntl(file, F_SETSIG, libc::SIGURG) | libc::fcntl(file, libc::F_SETLEASE, libc::F_WRLCK)
        };
        assert_eq!(done, 0, "{}: {}", path.display(), std::io::Error::last_os_error());
        Self { _lease: lease }
    }
}
