//! Debian's packages, where they may be installed.

use std::fs;

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

fn apt_get() -> Process {
    Process::new("apt-get").env("DEBIAN_FRONTEND", "noninteractive").args(["-qq"])
}
