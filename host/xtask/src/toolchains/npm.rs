//! Packages from npm, by its own file of versions and checksums.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::debian;
use crate::process::{self, Process};

/// The oldest Node.js that what is fetched runs in.
const NODE: u32 = 20;

/// Fetches what `package.json` names into the folder `node_modules` there. Nothing of it is run.
pub(super) fn install(folder: &Path, package: &str, lock: &str) -> Result<()> {
    if !process::is_installed("npm")? {
        debian::install(&["npm"]).context("npm is needed")?;
    }
    let version = Process::new("node").args(["--version"]).output()?;
    ensure!(
        major(&version).is_some_and(|major| major >= NODE),
        "it runs in Node.js {NODE} or newer, and `node` is {}; install a newer one, in front on `PATH`",
        version.trim()
    );
    fs::write(folder.join("package.json"), package)?;
    fs::write(folder.join("package-lock.json"), lock)?;
    let words = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
    Process::new("npm").args(words).directory(folder).run()
}

/// 22 of `v22.23.3`.
fn major(version: &str) -> Option<u32> {
    version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_of_a_version_counts() {
        assert_eq!(major("v22.23.3\n"), Some(22));
        assert_eq!(major("22.23.3"), None);
    }
}
