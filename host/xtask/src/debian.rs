//! Debian's packages, where they may be installed.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};

use crate::process::Process;

/// Installs these packages; an error where that is not for us to do.
pub(crate) fn install(packages: &[&str]) -> Result<()> {
    let system = fs::read_to_string("/etc/os-release").unwrap_or_default();
    ensure!(system.lines().any(|line| line == "ID=debian"), "this is not Debian");
    let user = Process::new("id").args(["-u"]).output()?;
    ensure!(user.trim() == "0", "only root can install packages");
    apt_get().args(["update"]).run()?;
    apt_get().args(["install", "--yes", "--no-install-recommends"]).args(packages).run()
}

/// Fetches these packages and unpacks them into a folder, where nothing else of the system knows of them.
pub(crate) fn unpack(packages: &[&str], folder: &Path) -> Result<()> {
    let fetched = folder.join("packages");
    fs::create_dir_all(&fetched)?;
    let download = || apt_get().args(["download"]).args(packages).directory(&fetched);
    if !download().succeeds()? {
        // The lists may be old, or not there.
        apt_get().args(["update"]).run()?;
        download().run()?;
    }
    for package in fs::read_dir(&fetched)? {
        Process::new("dpkg-deb").args(["--extract"]).args([package?.path(), folder.to_owned()]).run()?;
    }
    Ok(fs::remove_dir_all(&fetched)?)
}

fn apt_get() -> Process {
    Process::new("apt-get").env("DEBIAN_FRONTEND", "noninteractive").args(["-qq"])
}
