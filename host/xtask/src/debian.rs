//! Debian's packages, where they may be installed.
//!
//! Their versions are not pinned: the archive of a release keeps only the newest version of each package, so a pinned one could not be
//! downloaded once a security update has replaced it. apt checks that each package is Debian's.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::process::Process;

/// Seconds without an answer, repetitions, and seconds that another apt may hold the lock.
const NETWORK: [&str; 4] = [
    "Acquire::http::Timeout=60",
    "Acquire::https::Timeout=60",
    "Acquire::Retries=2",
    "DPkg::Lock::Timeout=120",
];

/// Installs these packages as root on Debian, and prints that first; elsewhere an error that names them.
pub(crate) fn install_packages(packages: &[&str]) -> Result<()> {
    let line = format!("apt-get install --yes --no-install-recommends {}", packages.join(" "));
    if !is_debian() || !is_root()? {
        bail!("{} cannot be used here; on Debian run `{line}` as root", packages.join(", "));
    }
    println!("Debian packages that are missing are installed now: {}", packages.join(", "));
    apt_get().args(["update"]).run()?;
    let install = apt_get().args(["install", "--yes", "--no-install-recommends"]).args(packages);
    install.run().with_context(|| format!("Debian packages cannot be installed; run `{line}` by hand"))
}

/// Downloads these packages and unpacks them into a folder; for the rest of the system they are not installed.
pub(crate) fn unpack_packages(packages: &[&str], folder: &Path) -> Result<()> {
    ensure!(
        is_debian(),
        "it is unpacked from packages of Debian ({}), and this is another system",
        packages.join(", ")
    );
    let fetched = folder.join("packages");
    fs::create_dir_all(&fetched)?;
    // Unlike `install`, `download` works without root.
    let download = || apt_get().args(["download"]).args(packages).directory(&fetched);
    if !download().run_for_success()? {
        // The lists may be old, or not there.
        ensure!(is_root()?, "apt's lists have no {}; run `apt-get update` as root", packages.join(", "));
        apt_get().args(["update"]).run()?;
        download().run()?;
    }
    for package in fs::read_dir(&fetched)? {
        Process::new("dpkg-deb").args(["--extract"]).args([package?.path(), folder.to_owned()]).run()?;
    }
    Ok(fs::remove_dir_all(&fetched)?)
}

fn is_debian() -> bool {
    let system = fs::read_to_string("/etc/os-release").unwrap_or_default();
    system.lines().any(|line| line == "ID=debian")
}

fn is_root() -> Result<bool> {
    Ok(Process::new("id").args(["-u"]).output()?.trim() == "0")
}

fn apt_get() -> Process {
    let options = NETWORK.iter().flat_map(|option| ["-o", option]);
    // Otherwise a package may ask a question and wait for the answer.
    Process::new("apt-get").quiet_env("DEBIAN_FRONTEND", "noninteractive").args(["-qq"]).args(options)
}
