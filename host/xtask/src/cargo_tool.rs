//! Tools of others from the registry of crates, each in one fixed version.

use std::{fs, path::PathBuf};

use anyhow::{Context as _, Result};

use crate::{process::Process, project::Project, toolchains};

/// A program that `cargo install` builds.
pub(crate) struct CargoTool {
    /// Name of the package and of its program.
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    /// Further arguments of `cargo install`.
    pub(crate) arguments: &'static [&'static str],
}

impl CargoTool {
    /// Returns the machine's program if it has this version, else one in the target folder, built once.
    ///
    /// # Errors
    ///
    /// The program cannot be built, as without a connection to the registry.
    pub(crate) fn find_or_build(&self, project: &Project) -> Result<PathBuf> {
        let Self { name, version, .. } = self;
        let output = Process::new(name).args(["--version"]).output().unwrap_or_default();
        // Some programs print their version as `v0.5.4`.
        if output.split_whitespace().any(|word| word.trim_start_matches('v') == *version) {
            return Ok(name.into());
        }
        let tools = project.target.join("tools").join(name);
        let own = tools.join("bin").join(name);
        toolchains::install_once(&tools, version, &own, |folder| {
            println!("{name} {version} is built once, for some minutes");
            // A debug build: it is made faster than it would be run by any other.
            let words = ["install", name, "--version", version, "--locked", "--debug", "--quiet"];
            let build = folder.join("build");
            let install = project.cargo(words).args(self.arguments.iter().copied());
            install.args(["--root"]).args([folder]).args(["--target-dir"]).args([&build]).run()?;
            // The build folder is many times as large as the program.
            Ok(fs::remove_dir_all(build)?)
        })
        .with_context(|| {
            format!("{name} {version} cannot be built; check the connection to the registry and run the command again")
        })?;
        Ok(own)
    }
}
