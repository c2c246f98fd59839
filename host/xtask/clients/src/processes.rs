//! A system without a free process, for the running clients alone: a control group limits their number, which also binds root.

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use anyhow::{Context as _, Result};
use rustix::process::{Pid, getpid};

use super::leftovers;

/// Folders of the groups that limit processes, in version 1 and 2.
const PARENTS: [&str; 2] = ["/sys/fs/cgroup/pids", "/sys/fs/cgroup"];
/// Polling interval for a refused process, shorter than the time that a client takes from a hook to its command.
const POLL: Duration = Duration::from_micros(200);

/// The group of a session's clients.
#[derive(Clone)]
pub(super) struct ProcessLimit {
    group: PathBuf,
}

impl ProcessLimit {
    /// Creates the group, without a limit.
    pub(super) fn create_group() -> Result<Self> {
        let parent = PARENTS.into_iter().map(Path::new).find(|parent| parent.is_dir());
        let parent = parent.context("this system has no control groups")?;
        let group = parent.join(format!("hookbox-clients-{}", getpid().as_raw_nonzero()));
        // A session that failed leaves its group.
        if group.exists() {
            fs::remove_dir(&group)?;
        }
        let failed = || format!("cannot create {}, which root can", group.display());
        fs::create_dir(&group).with_context(failed)?;
        Ok(Self { group })
    }

    /// Grants the running clients some more processes and threads, and then refuses them some.
    pub(super) fn refuse_processes(&self, granted: u64, refused: u64) -> Result<()> {
        move_descendants(getpid(), &self.group.join("cgroup.procs"))?;
        let used: u64 = fs::read_to_string(self.group.join("pids.current"))?.trim().parse()?;
        let limit = self.group.join("pids.max");
        fs::write(&limit, (used + granted).to_string())?;
        let own = self.clone();
        thread::spawn(move || {
            // The count cannot be read once the group is removed.
            while own.count_refused().is_ok_and(|count| count < refused) {
                thread::sleep(POLL);
            }
            let _ = fs::write(limit, "max");
        });
        Ok(())
    }

    /// Removes the group, once its processes have ended. Returns the number of refused processes and threads.
    pub(super) fn remove_group(&self) -> Result<u64> {
        let count = self.count_refused()?;
        fs::remove_dir(&self.group).with_context(|| format!("cannot remove {}", self.group.display()))?;
        Ok(count)
    }

    fn count_refused(&self) -> Result<u64> {
        let text = fs::read_to_string(self.group.join("pids.events"))?;
        let count = text.lines().find_map(|line| line.strip_prefix("max "));
        count.context("no count of refused processes")?.trim().parse().context("the count is not a number")
    }
}

fn move_descendants(parent: Pid, members: &Path) -> Result<()> {
    for child in leftovers::list_children(parent)? {
        fs::write(members, child.as_raw_nonzero().to_string())?;
        move_descendants(child, members)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use xtask::process::Process;

    use super::*;

    #[test]
    fn a_process_is_refused_once_and_then_granted() {
        // Only root can create the group.
        let Ok(limit) = ProcessLimit::create_group() else { return };
        let log = std::env::temp_dir().join(format!("hookbox-processes-{}", std::process::id()));
        let waiting = limit.clone();
        let refuses = thread::spawn(move || {
            thread::sleep(Duration::from_millis(300));
            waiting.refuse_processes(0, 1)
        });
        // bash tries again after a second.
        let run = Process::new("bash")
            .args(["-c", "until ((SECONDS > 1)); do :; done; /bin/echo one; /bin/echo two; true"]);
        run.run_recorded(&log, Duration::from_mins(1)).unwrap();
        refuses.join().unwrap().unwrap();
        let text = fs::read_to_string(&log).unwrap();
        fs::remove_file(&log).unwrap();
        assert!(text.contains("retry") && text.ends_with("one\ntwo\n"), "{text}");
        assert_eq!(limit.remove_group().unwrap(), 1);
    }
}
