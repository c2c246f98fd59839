//! The ways to install an artifact, each by the tool of its users and without a registry.

use std::fs;
use std::path::PathBuf;

use anyhow::{Result, ensure};

use super::super::TARGET;
use super::{Place, VERSION};
use crate::environment::Environment;
use crate::process::Process;

/// Installs an artifact into the prefix of a place, and returns the command that a user would run.
type Way = fn(&Place) -> Result<PathBuf>;

pub(super) const WAYS: [(&str, Way); 4] =
    [("archive", unpack_archive), ("npm", install_packages), ("wheel", install_wheel), ("deb", unpack_deb)];

fn unpack_archive(place: &Place) -> Result<PathBuf> {
    let name = format!("hookbox-{VERSION}-{}", TARGET.unwrap_or_default());
    let archive = place.find_artifact(&format!("{name}.tar.gz"))?;
    Process::new("tar").args(["-xzf"]).args([&archive]).args(["-C"]).args([&place.prefix]).run()?;
    Ok(place.prefix.join(name).join("bin/hookbox"))
}

/// Installs the launcher and the package with the programs, which npm would take from the registry.
fn install_packages(place: &Place) -> Result<PathBuf> {
    // Otherwise npm would look for a project in the folders above.
    fs::write(place.prefix.join("package.json"), "{}")?;
    let words = ["install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--cache"];
    let npm = Process::new("npm").args(words).args([place.folder.join("npm-cache")]);
    let packages = [
        place.find_artifact(&format!("hookbox-cli-{VERSION}.tgz"))?,
        place.find_artifact(&format!("hookbox-cli-linux-x64-{VERSION}.tgz"))?,
    ];
    npm.args(&packages).directory(&place.prefix).run()?;
    Ok(place.prefix.join("node_modules/.bin/hookbox"))
}

fn install_wheel(place: &Place) -> Result<PathBuf> {
    let name = format!("hookbox_cli-{VERSION}-py3-none-manylinux_2_17_x86_64.whl");
    let environment = Environment::new(&place.prefix)?;
    let pip = environment.create_pip_process(&["install", "--no-index", "--no-deps"]);
    pip.args([place.find_artifact(&name)?]).run()?;
    Ok(place.prefix.join("bin/hookbox"))
}

/// Unpacks the package for Debian, and checks that dpkg reads its description.
fn unpack_deb(place: &Place) -> Result<PathBuf> {
    let package = place.find_artifact(&format!("hookbox_{VERSION}_amd64.deb"))?;
    let version = Process::new("dpkg-deb").args(["--field"]).args([&package]).args(["Version"]).output()?;
    ensure!(version.trim() == VERSION, "dpkg reads the version `{}`", version.trim());
    Process::new("dpkg-deb").args(["--extract"]).args([&package, &place.prefix]).run()?;
    Ok(place.prefix.join("usr/bin/hookbox"))
}
