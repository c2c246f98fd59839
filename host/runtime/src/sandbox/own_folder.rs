//! Folders that are this user's alone.

use std::{os::fd::OwnedFd, path::Path};

use rustix::fs::{Mode, OFlags};

/// Opens the folder, making it (mode 0700) if it is not there. Refuses one that others could write to or read, and says
/// why.
pub(super) fn open(path: &Path) -> Result<OwnedFd, String> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = match rustix::fs::open(path, flags, Mode::empty()) {
        Err(rustix::io::Errno::NOENT) => {
            make(path).map_err(|error| format!("it cannot be made: {error}"))?;
            rustix::fs::open(path, flags, Mode::empty())
        }
        opened => opened,
    };
    let folder = opened.map_err(|error| error.to_string())?;
    let stat = rustix::fs::fstat(&folder).map_err(|error| error.to_string())?;
    if stat.st_uid != rustix::process::geteuid().as_raw() {
        return Err("it belongs to another user".to_owned());
    }
    if stat.st_mode & 0o077 != 0 {
        let mode = stat.st_mode & 0o777;
        return Err(format!("its mode is {mode:o}; make it yours alone with `chmod 700`"));
    }
    Ok(folder)
}

fn make(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}
