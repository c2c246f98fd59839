//! Makes each system call fail once, and kills the command at each.

use std::{collections::BTreeMap, fs};

use anyhow::{Context, Result, ensure};

use super::{
    bed::{Bed, Ended},
    errors, oracle,
    scenario::{EVENT, Scenario},
    table::{Group, Table},
};

/// hookbox's first system call: it checks whether standard output is a terminal. The calls before it belong to the system's loader and
/// Rust's start-up code, which hookbox does not control.
const BEGIN: &str = "ioctl(1, TIOCGWINSZ";
/// Calls that end their thread, process or signal handler.
const ENDS: [&str; 3] = ["exit", "exit_group", "rt_sigreturn"];

/// The write with which one thread wakes another.
const WAKE: &str = r#""\1\0\0\0\0\0\0\0", 8)"#;

/// A system call of a command: the how manieth of its name, in each of its threads.
pub(super) struct Call {
    name: String,
    number: usize,
    /// True if the call wakes another thread. Such a call does not wait, so nothing interrupts it.
    wakes: bool,
}

impl Call {
    fn errors(&self) -> impl Iterator<Item = &'static str> {
        errors::list_errors(&self.name).iter().copied().filter(|error| !(self.wakes && *error == "EINTR"))
    }
}

/// Returns the system calls of the scenario's command, from hookbox's first one on.
pub(super) fn list_calls(bed: &Bed, scenario: &Scenario) -> Result<Vec<Call>> {
    scenario.reset_home(bed)?;
    let log = bed.folder.join("calls");
    let before: Vec<String> = ["strace", "-f", "-qq", "-o"].iter().map(ToString::to_string).collect();
    bed.run(&[before, vec![log.display().to_string()]].concat(), scenario.words, EVENT)?;
    let text = fs::read(&log).with_context(|| format!("cannot read {}", log.display()))?;
    let calls = parse(&String::from_utf8_lossy(&text));
    ensure!(calls.len() > 20, "{}: only {} system calls were seen", scenario.name, calls.len());
    Ok(calls)
}

/// Reads a log: a line for each call, `1234  name(arguments) = result`. Calls of a name up to the loader's count are skipped in every
/// thread, since each thread counts from one.
fn parse(log: &str) -> Vec<Call> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut loader: BTreeMap<&str, usize> = BTreeMap::new();
    let mut calls: BTreeMap<&str, BTreeMap<usize, bool>> = BTreeMap::new();
    let mut begun = false;
    for (thread, call) in log.lines().filter_map(|line| line.split_once(' ')) {
        let call = call.trim_start();
        let Some((name, _)) = call.split_once('(').filter(|(name, _)| is_name(name)) else { continue };
        let number = counts.entry((thread, name)).or_default();
        *number += 1;
        begun |= call.starts_with(BEGIN);
        if !begun {
            loader.insert(name, *number);
        } else if !ENDS.contains(&name) && *number > loader.get(name).copied().unwrap_or_default() {
            *calls.entry(name).or_default().entry(*number).or_default() |= call.contains(WAKE);
        }
    }
    let of_name = |(name, numbers): (&str, BTreeMap<usize, bool>)| {
        let name = name.to_owned();
        numbers.into_iter().map(move |(number, wakes)| Call { name: name.clone(), number, wakes })
    };
    calls.into_iter().flat_map(of_name).collect()
}

/// Returns true for a new call: a resumed one (`<... read resumed>`) is not counted again.
fn is_name(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

pub(super) fn fail_each(bed: &Bed, scenario: &Scenario, calls: &[Call], table: &mut Table) -> Result<()> {
    let mut group = Group::new(format!("{}: a system call fails", scenario.name));
    let faults = calls.iter().flat_map(|call| call.errors().map(move |error| (call, error)));
    for (call, error) in faults {
        scenario.reset_home(bed)?;
        let ended = run_with_fault(bed, scenario, call, &format!("error={error}"))?;
        let result = oracle::check_exit(&ended)
            .and_then(|()| (scenario.holds)(bed, &ended))
            // The temporary file itself could not be removed.
            .and_then(|()| if call.name.starts_with("unlink") { Ok(()) } else { oracle::is_clean(bed) });
        oracle::remove_temporary(bed)?;
        group.record_fault(|| format!("{} number {} says {error}", call.name, call.number), result);
    }
    group.record_fault(|| "the next run".to_owned(), next(bed, scenario)?);
    table.report_group(group);
    Ok(())
}

pub(super) fn kill_at_each(bed: &Bed, scenario: &Scenario, calls: &[Call], table: &mut Table) -> Result<()> {
    let mut group = Group::new(format!("{}: killed at a system call", scenario.name));
    for call in calls {
        scenario.reset_home(bed)?;
        run_with_fault(bed, scenario, call, "signal=KILL")?;
        let killed = (scenario.killed)(bed);
        let next = next(bed, scenario)?;
        let result = killed.and(next);
        oracle::remove_temporary(bed)?;
        group.record_fault(|| format!("killed at {} number {}", call.name, call.number), result);
    }
    table.report_group(group);
    Ok(())
}

/// Checks that the command works after any fault.
fn next(bed: &Bed, scenario: &Scenario) -> Result<Result<(), String>> {
    let ended = bed.run(&[], scenario.words, EVENT)?;
    // An existing file is not imported again, and a removed one not removed again.
    let words = ["exists; name a new file", "no plugin was added"];
    let again = ended.status.code() == Some(1) && words.iter().any(|words| ended.stderr.contains(words));
    let done = ended.status.code() == Some(0) || again;
    Ok((scenario.holds)(bed, &ended).and_then(|()| if done { Ok(()) } else { Err(ended.shown()) }))
}

fn run_with_fault(bed: &Bed, scenario: &Scenario, call: &Call, what: &str) -> Result<Ended> {
    let Call { name, number, .. } = call;
    // With `--seccomp-bpf` the command stops at the traced call only, which makes a run many times faster.
    let mut before: Vec<String> =
        ["strace", "-f", "-qq", "-o", "/dev/null", "--seccomp-bpf"].iter().map(ToString::to_string).collect();
    before.extend(["-e".to_owned(), format!("trace={name}")]);
    before.extend(["-e".to_owned(), format!("inject={name}:{what}:when={number}")]);
    bed.run(&before, scenario.words, EVENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_numbered_by_name_from_the_beginning_of_the_program_on() {
        let log = "7 execve(\"x\") = 0\n7 read(3, \"\") = 0\n7 ioctl(1, TIOCGWINSZ) = -1\n7 read(0) = 1\n\
                   8 read(0 <unfinished ...>\n7 write(1) = 2\n8 <... read resumed>) = 1\n7 exit_group(0) = ?\n";
        let calls: Vec<_> =
            parse(log).into_iter().map(|call| format!("{} {}", call.name, call.number)).collect();
        assert_eq!(calls, ["ioctl 1", "read 2", "write 1"]);
    }

    #[test]
    fn nothing_interrupts_a_call_that_wakes_a_thread() {
        let log = "7 ioctl(1, TIOCGWINSZ) = -1\n7 write(2, \"a\", 1) = 1\n8 write(5, \"\\1\\0\\0\\0\\0\\0\\0\\0\", 8) = 8\n\
                   7 write(2, \"b\", 1) = 1\n";
        let interrupted = |call: &Call| call.name == "write" && call.errors().any(|error| error == "EINTR");
        let calls: Vec<_> =
            parse(log).iter().filter(|call| interrupted(call)).map(|call| call.number).collect();
        assert_eq!(calls, [2]);
    }
}
