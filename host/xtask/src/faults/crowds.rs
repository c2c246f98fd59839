//! Concurrent commands.

use std::{
    fs,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use anyhow::Result;

use super::{
    bed::{Bed, Ended, wait_for_end},
    oracle,
    scenario::{EVENT, GATE, HOOKS, RUN, SETTINGS, with_settings, without_cache},
    table::{Group, Table},
};

/// Number of commands that start concurrently.
const CROWD: usize = 30;
/// Number of rounds.
const ROUNDS: usize = 20;

pub(super) fn run(bed: &Bed, table: &mut Table) -> Result<()> {
    let mut group = Group::new(format!("{CROWD} at once: first events, a file that is written, settings"));
    bed.clear()?;
    bed.write_file(HOOKS, GATE)?;
    for _ in 0..ROUNDS {
        without_cache(bed)?;
        for ended in at_once(bed, RUN)? {
            group.record_fault(|| "a first event of many".to_owned(), oracle::check_deny(&ended));
        }
        while_written(bed, &mut group)?;
        check_installs(bed, &mut group)?;
    }
    table.report_group(group);
    Ok(())
}

fn at_once(bed: &Bed, words: &[&str]) -> Result<Vec<Ended>> {
    let children: Vec<_> = (0..CROWD).map(|_| bed.create_command(&[], words).spawn()).collect();
    let input = bed.fill_placeholders(EVENT);
    let ends = |child: std::io::Result<_>| -> Result<Ended> { wait_for_end(child?, &input) };
    thread::scope(|scope| {
        let waiting: Vec<_> = children.into_iter().map(|child| scope.spawn(|| ends(child))).collect();
        waiting
            .into_iter()
            .map(|waiting| waiting.join().unwrap_or_else(|_| anyhow::bail!("a thread failed")))
            .collect()
    })
}

/// Runs while the user's hooks are emptied and written again without end.
fn while_written(bed: &Bed, group: &mut Group) -> Result<()> {
    let (path, text, done) = (bed.join_path(HOOKS), bed.fill_placeholders(GATE), AtomicBool::new(false));
    let ran = thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                // A failure is one more state of the file.
                let _ = fs::write(&path, &text);
            }
        });
        let ran = at_once(bed, RUN);
        done.store(true, Ordering::Relaxed);
        ran
    });
    for ended in ran? {
        group.record_fault(|| "while the hooks are written in place".to_owned(), oracle::check_deny(&ended));
    }
    bed.write_file(HOOKS, GATE)
}

/// Checks that one process writes, the others find nothing to do, and each reports it.
fn check_installs(bed: &Bed, group: &mut Group) -> Result<()> {
    with_settings(bed)?;
    let ran = at_once(bed, &["install", "claude-code", "--yes"])?;
    let count_output = |words: &str| ran.iter().filter(|ended| ended.stdout.contains(words)).count();
    let counts = (
        count_output("\ninstalled for "),
        count_output("nothing to do: ") + count_output("nothing is left to do: "),
    );
    let result = if counts == (1, CROWD - 1) { Ok(()) } else { Err(format!("{counts:?}")) };
    group.record_fault(|| "installs at once".to_owned(), result);
    let now = fs::read_to_string(bed.join_path(SETTINGS))?;
    let kept = now.contains("Read(.env)") && now.contains("\"claude-code\"");
    group.record_fault(|| "settings after that".to_owned(), if kept { Ok(()) } else { Err(now) });
    Ok(())
}
