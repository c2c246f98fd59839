//! Processes left behind by clients: some start servers that outlive them, and would still run in the next session.

use std::fs;

use anyhow::{Context as _, Result};
use rustix::{
    io::Errno,
    process::{Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid},
};

/// Makes this program the parent of every orphaned descendant from now on.
pub(super) fn adopt_orphans() -> Result<()> {
    set_child_subreaper(Some(getpid())).context("cannot adopt what clients leave behind")
}

/// Ends all children, and their children once these are adopted.
pub(super) fn end_all() -> Result<()> {
    loop {
        let children = list_children(getpid())?;
        if children.is_empty() {
            return Ok(());
        }
        for child in children {
            match kill_process(child, Signal::KILL) {
                // It may have ended by itself.
                Ok(()) | Err(Errno::SRCH) => {}
                Err(error) => return Err(error).context("cannot end what a client has left behind"),
            }
            waitpid(Some(child), WaitOptions::empty())?;
        }
    }
}

/// Returns the children of a process.
pub(super) fn list_children(parent: Pid) -> Result<Vec<Pid>> {
    let mut children = Vec::new();
    for thread in fs::read_dir(format!("/proc/{}/task", parent.as_raw_nonzero()))? {
        // Linux lists a child with the thread that started or adopted it.
        // A thread may have ended since.
        let numbers = fs::read_to_string(thread?.path().join("children")).unwrap_or_default();
        children.extend(numbers.split_whitespace().filter_map(|number| Pid::from_raw(number.parse().ok()?)));
    }
    Ok(children)
}

#[cfg(test)]
mod tests {
    use super::*;
    use xtask::process::Process;

    #[test]
    fn who_outlives_its_parent_is_ended() {
        adopt_orphans().unwrap();
        let script = "setsid sh -c 'sleep 60 & sleep 60' >/dev/null 2>&1 & echo $!";
        Process::new("sh").args(["-c", script]).output().unwrap();
        assert!(!list_children(getpid()).unwrap().is_empty());
        end_all().unwrap();
        assert_eq!(list_children(getpid()).unwrap(), []);
    }
}
