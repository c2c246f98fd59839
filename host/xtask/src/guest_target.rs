//! Finds a compiler that can build guests, and makes one ready if there is none.
//!
//! In this order: the active toolchain with the target installed; a side sysroot that an earlier run built; `rustup`
//! adding the target; a side sysroot built from a compiler's library source, which is installed if need be. Says which.

mod debian;
mod sysroot;

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::process::{self, Process};
use crate::project::Project;
use sysroot::Sysroot;

/// Guests know no operating system: what they can reach is what they import.
pub(crate) const TRIPLE: &str = "wasm32-unknown-unknown";

/// Longer than a download of the target takes, shorter than patience.
const RUSTUP_LIMIT: Duration = Duration::from_mins(2);

/// Programs know the system that WASI is.
pub(crate) const PROGRAMS: &str = "wasm32-wasip1";

/// What a guest build needs beside `--target`.
pub(crate) struct GuestTarget {
    environment: Vec<(String, OsString)>,
}

impl GuestTarget {
    /// For components: the first of the ways above that works.
    pub(crate) fn find(project: &Project) -> Result<Self> {
        Self::of(project, TRIPLE)
    }

    /// The same for programs.
    pub(crate) fn for_programs(project: &Project) -> Result<Self> {
        Self::of(project, PROGRAMS)
    }

    fn of(project: &Project, triple: &'static str) -> Result<Self> {
        if let Some(target) = installed(triple)? {
            return Ok(target);
        }
        let folder = project.target.join("wasm-sysroot");
        if debian::is_ready(triple)
            && let Some(sysroot) = Sysroot::existing(&folder, triple)?
        {
            return Ok(Self::beside(&sysroot, triple, "built before"));
        }
        if added_by_rustup(triple)?
            && let Some(target) = installed(triple)?
        {
            return Ok(target);
        }
        debian::make_ready(triple).with_context(|| advice(triple))?;
        let sysroot = Sysroot::build(project, &folder, triple).with_context(|| advice(triple))?;
        Ok(Self::beside(&sysroot, triple, "built now"))
    }

    /// Makes a cargo command use it.
    pub(crate) fn apply(&self, cargo: Process) -> Process {
        if self.environment.is_empty() {
            return cargo;
        }
        // The active toolchain's own libraries are not for another compiler.
        cargo.without_env("LD_LIBRARY_PATH").envs(&self.environment)
    }

    fn beside(sysroot: &Sysroot, triple: &str, when: &str) -> Self {
        println!("guest target: the side sysroot {} ({when})", sysroot.path().display());
        let linker = format!("CARGO_TARGET_{}_LINKER", triple.to_uppercase().replace('-', "_"));
        Self {
            environment: vec![
                ("RUSTC".to_owned(), sysroot.compiler().into()),
                (linker, debian::LINKER.into()),
            ],
        }
    }
}

fn advice(triple: &str) -> String {
    let packages = debian::packages(triple).join(" ");
    format!(
        "no compiler for {triple}. Do one of these and start again:
  rustup target add {triple}
  apt-get install {packages}     (Debian, as root)"
    )
}

/// The active toolchain, if it has the target's library.
fn installed(triple: &str) -> Result<Option<GuestTarget>> {
    let program = std::env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let question = ["--print", "target-libdir", "--target", triple];
    let folder = Process::new(program).args(question).output()?.trim().to_owned();
    let found = sysroot::has_core(Path::new(&folder));
    if found {
        println!("guest target: the active toolchain's, {folder}");
    }
    Ok(found.then_some(GuestTarget { environment: Vec::new() }))
}

/// Whether `rustup` could add the target. That it could not is said, and is no failure.
fn added_by_rustup(triple: &str) -> Result<bool> {
    if !process::is_installed("rustup")? {
        println!("guest target: no rustup here");
        return Ok(false);
    }
    let added = Process::new("rustup").args(["target", "add", triple]).run_within(RUSTUP_LIMIT);
    if let Err(error) = &added {
        println!("guest target: {error}; going on without rustup");
    }
    Ok(added.is_ok())
}
