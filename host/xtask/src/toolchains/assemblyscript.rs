//! The compiler of `AssemblyScript`, from npm.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::{Toolchain, write_script};
use crate::debian;
use crate::process::{self, Process};

pub(super) const TOOLCHAIN: Toolchain = Toolchain {
    name: "assemblyscript",
    program: "asc",
    // npm's own file of versions and checksums.
    pins: include_str!("assemblyscript/package-lock.json"),
    install,
};

const PACKAGE: &str = include_str!("assemblyscript/package.json");
/// The oldest Node.js that the compiler runs in.
const NODE: u32 = 20;

fn install(folder: &Path) -> Result<()> {
    if !process::is_installed("npm")? {
        debian::install(&["npm"]).context("npm is needed")?;
    }
    let version = Process::new("node").args(["--version"]).output()?;
    ensure!(
        major(&version).is_some_and(|major| major >= NODE),
        "it runs in Node.js {NODE} or newer, and `node` is {}; install a newer one, in front on `PATH`",
        version.trim()
    );
    fs::write(folder.join("package.json"), PACKAGE)?;
    fs::write(folder.join("package-lock.json"), TOOLCHAIN.pins)?;
    let words = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
    Process::new("npm").args(words).directory(folder).run()?;
    let program = folder.join("node_modules/assemblyscript/bin/asc.js");
    let script = format!("#!/bin/sh\nexec node '{}' \"$@\"\n", program.display());
    write_script(&folder.join("bin").join(TOOLCHAIN.program), &script)
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
