//! Finds a compiler that can build guests, and sets one up if necessary.
//!
//! Uses the active toolchain if the target is installed: no network is needed then. Otherwise, with `rustup`, the target is added; without
//! `rustup`, a side sysroot is built from the source of Debian's library, once. Prints the choice.

mod debian;
mod sysroot;

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::process::{self, Process};
use crate::project::Project;
use sysroot::Sysroot;

/// Target of guests without an operating system: they can only reach their imports.
pub(crate) const TRIPLE: &str = "wasm32-unknown-unknown";

/// Limit of the download of a target.
const RUSTUP_LIMIT: Duration = Duration::from_mins(5);

/// Programs know the system that WASI is.
pub(crate) const PROGRAMS: &str = "wasm32-wasip1";

/// Settings of a guest build in addition to `--target`.
pub(crate) struct GuestTarget {
    environment: Vec<(String, OsString)>,
}

impl GuestTarget {
    /// Finds the compiler for components: the first of the ways above that works.
    pub(crate) fn find_for_components(project: &Project) -> Result<Self> {
        Self::find_for(project, TRIPLE)
    }

    /// Finds the compiler for programs.
    pub(crate) fn for_programs(project: &Project) -> Result<Self> {
        Self::find_for(project, PROGRAMS)
    }

    fn find_for(project: &Project, triple: &'static str) -> Result<Self> {
        if let Some(target) = find_installed(triple)? {
            return Ok(target);
        }
        if process::is_installed("rustup")? {
            let add = Process::new("rustup").args(["target", "add", triple]);
            add.run_within(RUSTUP_LIMIT).with_context(|| {
                format!("rustup cannot add the target {triple}; check the connection and run `rustup target add {triple}`")
            })?;
            return find_installed(triple)?.with_context(|| {
                format!("rustup has added {triple} to another toolchain than the `rustc` on `PATH`; put rustup's first")
            });
        }
        let folder = project.target.join("wasm-sysroot");
        if debian::is_ready(triple)
            && let Some(sysroot) = Sysroot::find_existing(&folder, triple)?
        {
            return Ok(Self::from_sysroot(&sysroot, triple, "built before"));
        }
        debian::make_ready(triple).with_context(|| format_advice(triple))?;
        let sysroot =
            Sysroot::build_sysroot(project, &folder, triple).with_context(|| format_advice(triple))?;
        Ok(Self::from_sysroot(&sysroot, triple, "built now"))
    }

    /// Makes a cargo command use it.
    pub(crate) fn apply_to(&self, cargo: Process) -> Process {
        if self.environment.is_empty() {
            return cargo;
        }
        // The active toolchain's own libraries are not for another compiler.
        cargo.without_env("LD_LIBRARY_PATH").envs(&self.environment)
    }

    fn from_sysroot(sysroot: &Sysroot, triple: &str, when: &str) -> Self {
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

fn format_advice(triple: &str) -> String {
    format!(
        "no compiler for {triple} can be had from Debian's packages; with rustup, run `rustup target add {triple}`"
    )
}

/// Returns the active toolchain, if it has the target's library.
fn find_installed(triple: &str) -> Result<Option<GuestTarget>> {
    let program = std::env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let question = ["--print", "target-libdir", "--target", triple];
    let folder = Process::new(program).args(question).output()?.trim().to_owned();
    // rustc prints the folder also for a target without a library.
    let found = sysroot::has_core(Path::new(&folder));
    if found {
        println!("guest target: the active toolchain's, {folder}");
    }
    Ok(found.then_some(GuestTarget { environment: Vec::new() }))
}
