//! Packages from npm, by its own file of versions and checksums.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::process::{self, Process};
use crate::{debian, interpreters};

/// Limit of one installation: a registry that sends a byte now and then would never run into npm's own timeout.
const LIMIT: Duration = Duration::from_mins(15);
/// Milliseconds without an answer, and repetitions.
pub(crate) const NETWORK: [&str; 3] =
    ["--fetch-timeout=60000", "--fetch-retries=2", "--fetch-retry-maxtimeout=10000"];

/// Downloads the packages of `package.json` into the folder `node_modules` there, in the versions of the lock file. None of their code is
/// run.
pub(crate) fn install_packages(folder: &Path, package: &str, lock: &str, words: &[&str]) -> Result<()> {
    make_ready()?;
    for (name, text) in [("package.json", package), ("package-lock.json", lock)] {
        let file = folder.join(name);
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let npm = Process::new("npm").args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]);
    npm.args(NETWORK).args(words).directory(folder).run_within(LIMIT).context(
        "npm packages cannot be installed; check the connection to the registry and run the command again",
    )
}

/// Writes the lock file of a folder with `package.json`, without the address of the registry.
pub(crate) fn write_lock_file(folder: &Path) -> Result<()> {
    make_ready()?;
    let words = ["install", "--package-lock-only", "--ignore-scripts", "--omit-lockfile-registry-resolved"];
    Process::new("npm").args(words).args(["--no-audit", "--no-fund", "--silent"]).directory(folder).run()
}

/// Installs npm if it is missing; a Node.js that is too old is an error.
pub(crate) fn make_ready() -> Result<()> {
    if !process::is_installed("npm")? {
        debian::install_packages(&["npm"])?;
    }
    interpreters::find_node().map(drop)
}
