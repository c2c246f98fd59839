//! `faults`: whatever fails, a deny reaches the agent, and no file is lost.
//!
//! Each system call of a command is made to fail once, with every error that it can plausibly give, and the command is
//! killed at it; then disks are full or cannot be written, limits are low, and many start at once. `strace` does the first:
//! it counts the calls of each thread, answers in the kernel's place, and kills where it should, which a preloaded library
//! could not do for a program that is linked statically.

mod added;
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
    project::{FEATURES, Project},
};

const USAGE: &str = "usage: cargo xtask faults [--full | --turn NUMBER]";

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Of all calls, errors and values every so manieth, some 900 in three to four minutes on two cores with nothing else to
    /// do. The turn says which is the first; so many turns later everything has been tried.
    Short { turn: usize },
    /// Everything.
    Full,
}

impl Extent {
    /// The turn of this day: whoever tries it twice a day tries the same.
    pub(crate) fn of_today() -> Self {
        Self::Short { turn: 0 }
    }

    /// Of these so many, spread over all.
    fn sampled<T>(self, all: Vec<T>, most: usize) -> Vec<T> {
        let (first, step) = match self {
            Self::Full => (0, 1),
            Self::Short { turn } => {
                let step = all.len().div_ceil(most.max(1)).max(1);
                (turn % step, step)
            }
        };
        all.into_iter().skip(first).step_by(step).collect()
    }
}

/// Builds what is needed, and tries as much as the words say.
pub(crate) fn run(project: &Project, words: &[String]) -> Result<()> {
    let extent = match words {
        [] => Extent::of_today(),
        [word] if word == "--full" => Extent::Full,
        [word, turn] if word == "--turn" => Extent::Short { turn: turn.parse().context(USAGE)? },
        _ => anyhow::bail!("{USAGE}"),
    };
    plugins::run(project)?;
    try_all(project, extent)
}

/// Tries as much, with the plugins that are there.
pub(crate) fn try_all(project: &Project, extent: Extent) -> Result<()> {
    // As the tests have built it.
    project.cargo(["build", "--quiet", "--workspace", "--features", FEATURES, "--tests"]).run()?;
    if let Extent::Short { turn } = extent {
        println!(
            "a part of all faults; the same again: cargo xtask faults --turn {turn}; all of them: --full"
        );
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_spread_over_all() {
        assert_eq!(Extent::Short { turn: 0 }.sampled((0..10).collect(), 4), [0, 3, 6, 9]);
        assert_eq!(Extent::Full.sampled((0..10).collect::<Vec<_>>(), 4).len(), 10);
        assert_eq!(Extent::Short { turn: 5 }.sampled((0..3).collect(), 4), [0, 1, 2]);
    }

    #[test]
    fn turn_by_turn_everything_is_tried() {
        let mut tried: Vec<_> =
            (7..10).flat_map(|turn| Extent::Short { turn }.sampled((0..10).collect(), 4)).collect();
        tried.sort_unstable();
        assert_eq!(tried, (0..10).collect::<Vec<_>>());
    }
}
