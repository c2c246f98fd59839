//! `faults`: checks that a deny reaches the agent and no file is lost, whatever fails.
//!
//! Each system call of a command fails once, with every error that it can plausibly give, and the command is killed at it; then disks are
//! full or cannot be written, limits are low, and many commands start concurrently. `strace` does the first: it counts the calls of each
//! thread, answers in the kernel's place, and kills the command, which a preloaded library could not do for a statically linked program.

mod bed;
mod calls;
mod crowds;
mod disks;
mod errors;
mod limits;
mod oracle;
mod plugin_changes;
mod scenario;
mod table;

use anyhow::{Result, bail, ensure};

use self::{bed::Bed, scenario::Scenario, table::Table};
use crate::{
    debian, packages, plugins,
    process::{Process, is_installed},
    project::Project,
};

/// A group of faults other than those of system calls: its name and its function.
type Other = (&'static str, fn(&Bed, &mut Table) -> Result<()>);

const OTHERS: [Other; 3] = [("disks", disks::run), ("limits", limits::run), ("crowds", crowds::run)];

/// Builds the required programs, and tries every fault; or those of the named scenarios and groups.
pub(crate) fn run(project: &Project, words: &[String]) -> Result<()> {
    let mut scenarios = scenario::list_scenarios();
    let known = scenarios.iter().map(|scenario| scenario.name).chain(OTHERS.map(|(name, _)| name)).collect();
    let wanted = select_scenarios(known, words)?;
    scenarios.retain(|scenario| wanted.contains(&scenario.name));
    plugins::run(project)?;
    packages::build_host(project, &["hookbox", "hookbox-compile"])?;
    let bed = Bed::new(project, &project.target.join("faults"))?;
    if !scenarios.is_empty() {
        check_tracer()?;
    }
    let mut table = Table::default();
    for scenario in &scenarios {
        trace_scenario(&bed, scenario, &mut table)?;
    }
    for (_, run) in OTHERS.iter().filter(|(name, _)| wanted.contains(name)) {
        run(&bed, &mut table)?;
    }
    table.end()
}

/// Returns the selected names among `known`: all without arguments.
fn select_scenarios(known: Vec<&'static str>, words: &[String]) -> Result<Vec<&'static str>> {
    if let Some(unknown) = words.iter().find(|word| !known.contains(&word.as_str())) {
        bail!("unknown scenario `{unknown}`; there are: {}", known.join(", "));
    }
    let is_wanted = |name: &&str| words.is_empty() || words.iter().any(|word| word == name);
    Ok(known.into_iter().filter(is_wanted).collect())
}

fn trace_scenario(bed: &Bed, scenario: &Scenario, table: &mut Table) -> Result<()> {
    scenario.prepare_home(bed)?;
    let calls = calls::list_calls(bed, scenario)?;
    calls::fail_each(bed, scenario, &calls, table)?;
    calls::kill_at_each(bed, scenario, &calls, table)
}

/// Fails unless `strace` is there, installed if need be, and may trace.
pub(crate) fn check_tracer() -> Result<()> {
    if !is_installed("strace")? {
        debian::install_packages(&["strace"])?;
    }
    // In a container tracing may be forbidden; otherwise each scenario would fail without saying so.
    let may = Process::new("strace").args(["-f", "-qq", "-o", "/dev/null", "true"]).output().is_ok();
    ensure!(
        may,
        "strace may not trace here, so no system call can be made to fail; in a container add the capability SYS_PTRACE, \
         or name what needs no strace: cargo xtask faults disks limits crowds"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_scenarios_run_unless_some_are_named() {
        let select = |words: &[&str]| {
            let words: Vec<_> = words.iter().map(ToString::to_string).collect();
            select_scenarios(vec!["install", "disks", "limits"], &words)
        };
        assert_eq!(select(&[]).unwrap(), ["install", "disks", "limits"]);
        assert_eq!(select(&["limits", "install"]).unwrap(), ["install", "limits"]);
        let error = select(&["--full"]).unwrap_err().to_string();
        assert_eq!(error, "unknown scenario `--full`; there are: install, disks, limits");
    }
}
