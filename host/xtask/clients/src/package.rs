//! Installs a client in its pinned version, only into the target folder.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};

use super::client::{Client, Package};
use xtask::process::Process;

/// Node.js version for clients from npm, independent of the machine: some need a newer one than Debian has.
const NODE: &str = "node@22.23.3";

impl Package {
    /// Returns the version as shown to people.
    pub(super) fn version(self) -> &'static str {
        match self {
            Self::Npm { version, .. } | Self::Python { version, .. } => version,
        }
    }

    /// Returns the folders for `PATH`.
    fn program_folders(self, folder: &Path) -> Vec<PathBuf> {
        match self {
            // A package for one kind of machine alone names no programs.
            Self::Npm { name, .. } => {
                vec![folder.join("node_modules/.bin"), folder.join("node_modules").join(name).join("bin")]
            }
            Self::Python { .. } => vec![folder.join("bin")],
        }
    }
}

/// Returns the folders with the client's program, after installing this version if it is missing.
pub(super) fn make_ready(client: &Client, folder: &Path) -> Result<Vec<PathBuf>> {
    let folder = folder.join(client.package.version());
    let programs = client.package.program_folders(&folder);
    // Written last: whatever was interrupted is done again.
    let done = folder.join("done");
    if !done.exists() {
        install_package(client.package, &folder)
            .with_context(|| format!("{} cannot be had", client.agent))?;
        fs::write(&done, "")?;
    }
    ensure!(
        programs.iter().any(|programs| programs.join(client.program).exists()),
        "{} cannot be had: its package has no program {}",
        client.agent,
        client.program
    );
    Ok(programs)
}

fn install_package(package: Package, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    match package {
        Package::Npm { name, version } => {
            // Without this file npm would install into a parent folder.
            fs::write(folder.join("package.json"), "{ \"private\": true }\n")?;
            Process::new("npm")
                .args(["install", "--no-audit", "--no-fund", "--silent", NODE, &format!("{name}@{version}")])
                .directory(folder)
                .run()
        }
        Package::Python { name, version, interpreter } => {
            Process::new(interpreter).args(["-m", "venv"]).args([folder]).run()?;
            Process::new(folder.join("bin/pip"))
                .args(["install", "--quiet", "--disable-pip-version-check", &format!("{name}=={version}")])
                .run()
        }
    }
}
