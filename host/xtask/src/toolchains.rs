//! `toolchains`: compilers of the languages for hooks, fetched from their registries into the target folder.
//!
//! Each is pinned by version and checksum, in a file that the registry's own client checks; apt checks the signatures of Debian's packages.
//! None is skipped: an unavailable compiler is an error.

mod assemblyscript;
mod go;
pub(crate) mod npm;
mod oras;
mod python;
mod registry;
mod security_key;
mod sigstore;
mod zig;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::packages::empty_folder;
use crate::project::Project;

/// One compiler, and its installation.
struct Toolchain {
    /// Folder in `target/tools`.
    name: &'static str,
    /// The program that `plugin build` starts.
    program: &'static str,
    /// Text that pins version and checksum.
    pins: &'static str,
    /// Fetches the compiler into a folder, so that `program` is in the folder `bin` there.
    install: fn(&Path) -> Result<()>,
}

const ALL: [Toolchain; 4] = [zig::TOOLCHAIN, python::TOOLCHAIN, assemblyscript::TOOLCHAIN, go::TOOLCHAIN];

/// Tools for distributing plugins that are independent of hookbox.
const REGISTRIES: [Toolchain; 4] =
    [registry::TOOLCHAIN, oras::TOOLCHAIN, sigstore::TOOLCHAIN, security_key::TOOLCHAIN];

/// Prints the folders for `PATH`.
pub(crate) fn run(project: &Project) -> Result<()> {
    let folders = prepare_compilers(project)?;
    println!("{}", std::env::join_paths(folders)?.display());
    Ok(())
}

/// Returns the folders for `PATH`, with every compiler in them; fetches missing compilers.
pub(crate) fn prepare_compilers(project: &Project) -> Result<Vec<PathBuf>> {
    let tools = project.target.join("tools");
    ALL.iter().map(|toolchain| toolchain.make_ready(&tools)).collect()
}

/// Fetches missing tools of this group: a registry, and the independent clients and signing tools.
pub(crate) fn fetch_registries(project: &Project) -> Result<()> {
    let tools = project.target.join("tools");
    REGISTRIES.iter().try_for_each(|toolchain| toolchain.make_ready(&tools).map(|_| ()))
}

impl Toolchain {
    fn make_ready(&self, tools: &Path) -> Result<PathBuf> {
        let programs = tools.join(self.name).join("bin");
        install_once(&tools.join(self.name), self.pins, &programs.join(self.program), self.install)
            .with_context(|| format!("`{}` cannot be had", self.program))?;
        Ok(programs)
    }
}

/// Installs into a folder once, with these pins, and keeps the folder for later runs. An interrupted installation is repeated, since the
/// pins are written last; so is one whose program has gone, like that of an environment when the system's interpreter was replaced.
pub(crate) fn install_once(
    folder: &Path,
    pins: &str,
    program: &Path,
    install: impl FnOnce(&Path) -> Result<()>,
) -> Result<()> {
    let done = folder.join("installed");
    if fs::read_to_string(&done).ok().as_deref() != Some(pins) || !program.exists() {
        // Removed first, so that the remains of an interrupted removal do not count either.
        if done.exists() {
            fs::remove_file(&done).with_context(|| format!("cannot remove {}", done.display()))?;
        }
        empty_folder(folder)?;
        install(folder)?;
        ensure!(program.exists(), "{} is not there", program.display());
        fs::write(&done, pins).with_context(|| format!("cannot write {}", done.display()))?;
    }
    Ok(())
}

/// Writes a program that starts another.
fn write_script(file: &Path, text: &str) -> Result<()> {
    let folder = file.parent().context("a script is in a folder")?;
    fs::create_dir_all(folder)?;
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(fs::set_permissions(file, fs::Permissions::from_mode(0o755))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: Toolchain = Toolchain {
        name: "never",
        program: "nothing",
        pins: "nothing==1",
        install: |_| anyhow::bail!("no such package"),
    };

    fn temporary_folder(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("xtask-toolchains-{name}-{}", std::process::id()))
    }

    #[test]
    fn a_compiler_that_cannot_be_fetched_is_an_error_that_names_it() {
        let tools = temporary_folder("none");
        let error = format!("{:#}", NEVER.make_ready(&tools).unwrap_err());
        fs::remove_dir_all(&tools).unwrap();
        assert_eq!(error, "`nothing` cannot be had: no such package");
    }

    #[test]
    fn a_package_without_the_program_is_an_error() {
        let tools = temporary_folder("empty");
        let error = Toolchain { install: |_| Ok(()), ..NEVER }.make_ready(&tools).unwrap_err();
        fs::remove_dir_all(&tools).unwrap();
        let program = tools.join("never/bin/nothing");
        let expected = format!("`nothing` cannot be had: {} is not there", program.display());
        assert_eq!(format!("{error:#}"), expected);
    }

    #[test]
    fn another_version_is_fetched_anew_and_the_same_is_not() {
        let tools = temporary_folder("again");
        let install = |folder: &Path| write_script(&folder.join("bin/nothing"), "#!/bin/sh\n");
        let first = Toolchain { install, ..NEVER };
        first.make_ready(&tools).unwrap();
        let kept = NEVER.make_ready(&tools).map(|_| ());
        let other = Toolchain { pins: "nothing==2", ..NEVER }.make_ready(&tools);
        fs::remove_dir_all(&tools).unwrap();
        kept.unwrap();
        assert_eq!(format!("{:#}", other.unwrap_err()), "`nothing` cannot be had: no such package");
    }

    #[test]
    fn what_was_interrupted_or_has_lost_its_program_is_installed_again() {
        let folder = temporary_folder("kept");
        let program = folder.join("bin/nothing");
        let keep = |ends: bool| {
            let mut is_installed = false;
            let kept = install_once(&folder, "nothing==1", &program, |_| {
                is_installed = true;
                write_script(&program, "#!/bin/sh\n")?;
                ensure!(ends, "interrupted");
                Ok(())
            });
            (is_installed, kept.is_ok())
        };
        let mut all = vec![keep(false), keep(true), keep(true)];
        fs::remove_file(&program).unwrap();
        all.push(keep(true));
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(all, [(true, false), (true, true), (false, true), (true, true)]);
    }

    #[test]
    fn every_package_is_pinned_by_a_checksum() {
        for Toolchain { name, pins, .. } in ALL.into_iter().chain([oras::TOOLCHAIN, sigstore::TOOLCHAIN]) {
            assert!(pins.contains("--hash=sha256:") || pins.contains("\"integrity\": \"sha512-"), "{name}");
        }
    }
}
