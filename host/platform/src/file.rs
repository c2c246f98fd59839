//! Files by their paths and handles: what they are, opened without being held up, and for whom.

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
pub use self::status::{FileKind, FileStatus};
#[cfg(on_unix)]
pub(crate) use self::unix::READ;
#[cfg(on_unix)]
pub use self::unix::{
    append_private, check_runnable, is_link, is_run_by_owner, make_private_folders, make_runnable, open,
    open_lock, open_unlinked, set_mode,
};
use crate::Unsupported;

/// Does anything have this name, if only a link that leads nowhere?
pub fn is_there(path: &Path) -> bool {
    #[cfg(on_unix)]
    let found = rustix::fs::lstat(path).is_ok();
    #[cfg(not(on_unix))]
    let found = fs::symlink_metadata(path).is_ok();
    found
}

/// Is it a link, wherever it leads?
pub fn is_symbolic_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink())
}

/// Gives a file another name in its folder. What had that name is gone.
pub fn set_aside(path: &Path, aside: &Path) -> io::Result<()> {
    fs::rename(path, aside)
}

/// Was it what the system says when no memory, or no address space, is left to map?
pub fn is_out_of_memory(error: &(dyn std::error::Error + 'static)) -> bool {
    #[cfg(on_unix)]
    return error.downcast_ref() == Some(&rustix::io::Errno::NOMEM);
    #[cfg(not(on_unix))]
    return error.downcast_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::OutOfMemory);
}

/// On which file system something is, and by which mount of it where the system tells that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mount {
    device: u64,
    mount: u64,
}

impl Mount {
    /// That of `path`, which is not followed if it is a link; `None` if it is not there, or if nobody can tell.
    #[cfg(on_linux)]
    pub fn of(path: &Path) -> Option<Self> {
        use rustix::fs::{AtFlags, CWD, StatxFlags, makedev, statx};
        let found = statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::MNT_ID).ok()?;
        // Linux 5.8 and newer.
        let told = StatxFlags::from_bits_retain(found.stx_mask).contains(StatxFlags::MNT_ID);
        let device = makedev(found.stx_dev_major, found.stx_dev_minor);
        Some(Self { device, mount: if told { found.stx_mnt_id } else { 0 } })
    }

    /// The file system alone.
    #[cfg(all(on_unix, not(on_linux)))]
    pub fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        fs::symlink_metadata(path).map(|found| Self { device: found.dev(), mount: 0 }).ok()
    }

    /// Nobody can tell.
    #[cfg(not(on_unix))]
    pub fn of(_: &Path) -> Option<Self> {
        None
    }
}

/// Is it on procfs, sysfs or another file system that is a view of the kernel?
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

/// Nobody has written yet which file systems these are.
#[cfg(not(on_linux))]
pub fn is_of_the_kernel(_: &Path) -> Result<bool, Unsupported> {
    let what = "tell which files are a view of the kernel";
    Err(Unsupported { what, needs: "the types of its file systems" })
}

/// A path by which the open file itself is opened once more, whatever its name leads to by now; `None` where there is none.
#[cfg(on_linux)]
pub fn path_of_open(file: &fs::File) -> Option<PathBuf> {
    use std::os::fd::AsRawFd as _;
    Some(PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd())))
}

/// There is none.
#[cfg(not(on_linux))]
pub fn path_of_open(_: &fs::File) -> Option<PathBuf> {
    None
}

/// Has another process of this user that file open? `None` where the system does not tell.
#[cfg(on_linux)]
pub fn is_open_elsewhere(status: &FileStatus) -> Option<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let ours = std::process::id().to_string();
    let processes = fs::read_dir("/proc").ok()?.filter_map(Result::ok).filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.bytes().all(|byte| byte.is_ascii_digit()) && name != ours
    });
    // A process that ended meanwhile, or is somebody else's, shows nothing.
    let mut files = processes.filter_map(|process| fs::read_dir(process.path().join("fd")).ok()).flatten();
    Some(files.any(|file| {
        let there = file.ok().and_then(|file| fs::metadata(file.path()).ok());
        there.is_some_and(|there| (there.dev(), there.ino()) == (status.device, status.inode))
    }))
}

/// The system does not tell.
#[cfg(not(on_linux))]
pub fn is_open_elsewhere(_: &FileStatus) -> Option<bool> {
    None
}
