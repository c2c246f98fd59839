//! `faults`: whatever fails, a deny reaches the agent, and no file is lost.
//!
//! Each system call of a command is made to fail once, with every error that it can plausibly give, and the command is
//! killed at it; then disks are full or cannot be written, limits are low, and many start at once. `strace` does the first:
//! it counts the calls of each thread, answers in the kernel's place, and kills where it should, which a preloaded library
//! could not do for a program that is linked statically.

mod bed;
mod calls;
mod crowds;
mod disks;
mod errors;
mod limits;
mod oracle;
mod scenario;
mod table;

use std::path::Path;

use anyhow::{Context, Result, ensure};

use self::{bed::Bed, scenario::Scenario, table::Table};
use crate::{
    debian, plugins,
    process::{Process, is_installed},
    project::Project,
};

const USAGE: &str = "usage: cargo xtask faults [--full]";

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// A part that is the same at each run: two minutes.
    Short,
    /// Everything.
    Full,
}

/// Builds what is needed, and tries as much as the words say.
pub(crate) fn run(project: &Project, words: &[String]) -> Result<()> {
    let extent = match words {
        [] => Extent::Short,
        [word] if word == "--full" => Extent::Full,
        _ => anyhow::bail!("{USAGE}"),
    };
    plugins::run(project)?;
    try_all(project, extent)
}

/// Tries as much, with the plugins that are there.
fn try_all(project: &Project, extent: Extent) -> Result<()> {
    // As the tests have built it.
    project.cargo(["build", "--quiet", "--workspace", "--features", "compiler", "--tests"]).run()?;
    let folder = project.target.join("faults");
    let mut table = Table::default();
    let bed = Bed::new(project, &folder)?;
    if is_traced(&bed.folder)? {
        for scenario in scenario::all() {
            trace(&bed, &scenario, extent, &mut table)?;
        }
    }
    disks::run(&bed, &mut table)?;
    limits::run(&bed, extent, &mut table)?;
    crowds::run(&bed, extent, &mut table)?;
    table.end()
}

fn trace(bed: &Bed, scenario: &Scenario, extent: Extent, table: &mut Table) -> Result<()> {
    scenario.prepare(bed)?;
    let calls = calls::of(bed, scenario)?;
    calls::fail_each(bed, scenario, &calls, extent, table)?;
    calls::kill_at_each(bed, scenario, &calls, extent, table)
}

/// Is `strace` there, and may it trace? It is installed if need be.
fn is_traced(folder: &Path) -> Result<bool> {
    if !is_installed("strace")? {
        debian::install(&["strace"]).context("faults need a tracer: install strace")?;
        ensure!(is_installed("strace")?, "strace has been installed, and is not found");
    }
    let log = folder.join("try");
    let may = Process::new("strace").args(["-f", "-qq", "-o"]).args([&log]).args(["true"]).output().is_ok();
    if !may {
        println!(
            "system calls are left out: strace may not trace here (containers need the capability SYS_PTRACE)"
        );
    }
    Ok(may)
}
