//! Files by their paths and handles: their status, opening without blocking, and private files.

#[cfg(not(on_unix))]
mod portable;
mod status;
#[cfg(on_unix)]
mod unix;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

#[cfg(not(on_unix))]
pub use self::portable::{
    append_private, check_runnable, is_link, is_run_by_owner, make_private_folders, make_runnable, open,
    open_lock, open_unlinked, set_mode,
};
pub use self::status::{FileKind, FileStatus, NotPrivate};
#[cfg(on_unix)]
pub(crate) use self::unix::READ;
#[cfg(on_unix)]
pub use self::unix::{
    append_private, check_runnable, is_link, is_run_by_owner, make_private_folders, make_runnable, open,
    open_lock, open_unlinked, set_mode,
};
use crate::Unsupported;

/// Returns true if the name exists, also as a dangling link.
pub fn is_there(path: &Path) -> bool {
    #[cfg(on_unix)]
    let found = rustix::fs::lstat(path).is_ok();
    #[cfg(not(on_unix))]
    let found = fs::symlink_metadata(path).is_ok();
    found
}

/// Returns true if the path is a link, wherever it leads.
pub fn is_symbolic_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink())
}

/// Renames a file in its folder. Replaces a file of the new name.
pub fn set_aside(path: &Path, aside: &Path) -> io::Result<()> {
    fs::rename(path, aside)
}

/// Returns true for the system's error when no memory, or no address space, is left to map.
pub fn is_out_of_memory(error: &(dyn std::error::Error + 'static)) -> bool {
    #[cfg(on_unix)]
    return error.downcast_ref() == Some(&rustix::io::Errno::NOMEM);
    #[cfg(not(on_unix))]
    return error.downcast_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::OutOfMemory);
}

/// The file system of a file, and its mount where the system reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mount {
    device: u64,
    mount: u64,
}

impl Mount {
    /// Returns the mount of `path`, without following a link; `None` if the path does not exist or the mount is unknown.
    #[cfg(on_linux)]
    pub fn of_path(path: &Path) -> Option<Self> {
        use rustix::fs::{AtFlags, CWD, StatxFlags, makedev, statx};
        let found = statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::MNT_ID).ok()?;
        // Linux 5.8 and newer.
        let is_supported = StatxFlags::from_bits_retain(found.stx_mask).contains(StatxFlags::MNT_ID);
        // A bind mount has the device number of its source, so on older kernels the two count as one.
        let device = makedev(found.stx_dev_major, found.stx_dev_minor);
        Some(Self { device, mount: if is_supported { found.stx_mnt_id } else { 0 } })
    }

    /// Returns the file system only.
    #[cfg(all(on_unix, not(on_linux)))]
    pub fn of_path(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        fs::symlink_metadata(path).map(|found| Self { device: found.dev(), mount: 0 }).ok()
    }

    /// Returns `None`: the mount is unknown.
    #[cfg(not(on_unix))]
    pub fn of_path(_: &Path) -> Option<Self> {
        None
    }
}

/// Returns true if the path is on procfs, sysfs or another file system that is a view of the kernel.
#[cfg(on_linux)]
pub fn is_of_the_kernel(path: &Path) -> Result<bool, Unsupported> {
    const MAGIC: [i64; 8] = [
        0x9fa0,      // procfs
        0x6265_6572, // sysfs
        0x1cd1,      // devpts
        0x6462_6720, // debugfs
        0x7472_6163, // tracefs
        0x7363_6673, // securityfs
        0x6367_7270, // cgroup2
        0x0027_e0eb, // cgroup
    ];
    Ok(rustix::fs::statfs(path).is_ok_and(|system| MAGIC.contains(&system.f_type)))
}

/// Reports that detection of these file systems is not implemented.
#[cfg(not(on_linux))]
pub fn is_of_the_kernel(_: &Path) -> Result<bool, Unsupported> {
    let what = "tell which files are a view of the kernel";
    Err(Unsupported { what, needs: "the types of its file systems" })
}

/// Returns a path that opens the open file once more, even if its name now leads elsewhere; `None` where there is no such path.
#[cfg(on_linux)]
pub fn path_of_open(file: &fs::File) -> Option<PathBuf> {
    use std::os::fd::AsRawFd as _;
    Some(PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd())))
}

/// Returns `None`: there is no such path.
#[cfg(not(on_linux))]
pub fn path_of_open(_: &fs::File) -> Option<PathBuf> {
    None
}

/// Returns true if another process of this user has the file open; `None` where the system does not report that.
#[cfg(on_linux)]
pub fn is_open_elsewhere(status: &FileStatus) -> Option<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let ours = std::process::id().to_string();
    let processes = fs::read_dir("/proc").ok()?.filter_map(Result::ok).filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.bytes().all(|byte| byte.is_ascii_digit()) && name != ours
    });
    // A process that ended meanwhile, or belongs to another user, shows nothing.
    let mut files = processes.filter_map(|process| fs::read_dir(process.path().join("fd")).ok()).flatten();
    Some(files.any(|file| {
        let there = file.ok().and_then(|file| fs::metadata(file.path()).ok());
        there.is_some_and(|there| (there.dev(), there.ino()) == (status.device, status.inode))
    }))
}

/// Returns `None`: the system does not report it.
#[cfg(not(on_linux))]
pub fn is_open_elsewhere(_: &FileStatus) -> Option<bool> {
    None
}
