//! Detects files and processes that tests leave behind.
//!
//! Tests get an empty folder for temporary files and an empty home folder, both in one new folder below the system's temporary folder:
//! short, since the address of a Unix socket holds 108 bytes, and below a folder with the sticky bit, since hookbox trusts no file below a
//! folder that others may write to. Everything in it at the end is a leftover. Outside it, other programs write at the same time, so only
//! places where hookbox and its tests could create files are compared: hookbox's folders and the agents' settings in the user's real home,
//! hookbox's names in the shared temporary folders, and the administrator's configuration.

use std::{
    collections::BTreeMap,
    env,
    fs::{self, DirBuilder},
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};

use crate::{process::Process, project::Project};

/// The prefix of the folder that tests get. It does not begin with hookbox's name, which self-protection looks for in texts.
const OWN: &str = "hb-tests-";
/// Time for processes to exit after the last test.
const GRACE: Duration = Duration::from_secs(30);
/// The pause between two listings while processes are exiting.
const PAUSE: Duration = Duration::from_millis(200);
/// Permissions of a folder that only its user may list and write. Others may pass: some tests run a program as another user.
const PRIVATE: u32 = 0o711;
/// The prefix of hookbox's names in folders that all programs share.
const HOOKBOX: &str = "hookbox";
/// Folders for temporary files that all programs share.
const SHARED: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];
/// The administrator's configuration.
const MANAGED: &str = "/etc/hookbox";
/// Places in a home folder: hookbox's own, and those that `install` and `setup` write.
const IN_HOME: [&str; 23] = [
    ".config/hookbox",
    ".cache/hookbox",
    ".local/state/hookbox",
    ".local/share/hookbox",
    ".aws/amazonq/cli-agents",
    ".claude/settings.json",
    ".codeium/windsurf/hooks.json",
    ".codex/config.toml",
    ".codex/hooks.json",
    ".config/cocode/hooks.toml",
    ".config/forge/hooks.json",
    ".config/opencode/plugins",
    ".config/run-claude/hooks.yaml",
    ".copilot/hooks",
    ".cursor/hooks.json",
    ".factory/hooks.json",
    ".gemini/settings.json",
    ".kimi-code/config.toml",
    ".kiro/agents",
    ".llxprt/settings.json",
    ".openhands/hooks.json",
    ".qwen/settings.json",
    "Documents/Cline/Hooks",
];
/// Homes of tools that tests start: where they are unless a variable names another folder, from the real home.
const TOOLS: [(&str, &str); 2] = [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")];

/// Runs tests in folders of their own. Fails if the tests fail, or if they leave anything behind.
pub(crate) fn run_watched(project: &Project, tests: Process) -> Result<()> {
    let own = OwnFolder::make()?;
    let before = list_outside(project)?;
    own.give_to(tests).run()?;
    let left = wait_until_none(|| {
        let mut left = before.list_differences(&list_outside(project)?);
        left.extend(own.leftovers());
        Ok(left)
    })?;
    ensure!(left.is_empty(), "the tests left something behind:\n  {}", left.join("\n  "));
    Ok(())
}

/// Lists leftovers until there are none, for [`GRACE`] at most: a process that was about to exit when the last test ended does not count.
/// Returns the last list.
fn wait_until_none(list: impl Fn() -> Result<Vec<String>>) -> Result<Vec<String>> {
    let end = Instant::now() + GRACE;
    loop {
        let left = list()?;
        if left.is_empty() || Instant::now() >= end {
            return Ok(left);
        }
        thread::sleep(PAUSE);
    }
}

/// The state of one file; of a folder only that it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Folder,
    Other { inode: u64, bytes: u64, modified: (i64, i64) },
}

/// The places outside the tests' own folder that tests could write to.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    files: BTreeMap<PathBuf, State>,
    /// Lines of `git status`.
    clone: Vec<String>,
}

/// Lists the places outside the tests' own folder that tests could write to: the clone but its target folder, hookbox's places in
/// the user's home, the shared temporary folders, and the administrator's configuration.
pub(crate) fn list_outside(project: &Project) -> Result<Listing> {
    let mut listing = Listing::default();
    for home in list_homes() {
        for place in IN_HOME {
            listing.add_tree(&home.join(place));
        }
    }
    for folder in SHARED.map(PathBuf::from).into_iter().chain([env::temp_dir()]) {
        let entries = fs::read_dir(&folder).into_iter().flatten().filter_map(Result::ok);
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let hookboxs = names.filter(|name| name.starts_with(HOOKBOX) && !name.starts_with(OWN));
        for name in hookboxs {
            listing.add_tree(&folder.join(name));
        }
    }
    listing.add_tree(Path::new(MANAGED));
    listing.clone = clone_status(project)?;
    Ok(listing)
}

/// Returns the files that git reports as changed, new or ignored. Empty in a clone without git.
fn clone_status(project: &Project) -> Result<Vec<String>> {
    if !project.root.join(".git").exists() {
        return Ok(Vec::new());
    }
    let words =
        // git would quote names that are not ASCII. Ignored files count: a test may write one.
        ["-c", "core.quotePath=off", "status", "--porcelain", "--ignored=matching", "--untracked-files=all"];
    let status = Process::new("git").args(words).directory(&project.root).output()?;
    let target = project.target.strip_prefix(&project.root).unwrap_or(&project.target);
    // Each line has two letters and a blank before the name.
    let is_target = |line: &str| line.get(3..).is_some_and(|file| Path::new(file).starts_with(target));
    Ok(status.lines().filter(|line| !is_target(line)).map(str::to_owned).collect())
}

/// Returns the user's home folders: that of the environment and that of the user database.
fn list_homes() -> Vec<PathBuf> {
    let user = rustix::process::getuid().as_raw().to_string();
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let fields = |line: &str| line.split(':').map(str::to_owned).collect::<Vec<_>>();
    // A program that gets no `HOME` takes the home from the user database.
    let account = users.lines().map(fields).find(|fields| fields.get(2) == Some(&user));
    let homes =
        [env::var_os("HOME").map(PathBuf::from), account.and_then(|fields| fields.get(5).map(PathBuf::from))];
    let mut homes: Vec<_> = homes.into_iter().flatten().filter(|home| home.is_absolute()).collect();
    homes.dedup();
    homes
}

impl Listing {
    /// Adds a file, or a folder and everything below it. Follows no link.
    fn add_tree(&mut self, place: &Path) {
        let Ok(stat) = place.symlink_metadata() else { return };
        if !stat.is_dir() {
            // A file that was replaced by an equal one has another inode.
            let modified = (stat.mtime(), stat.mtime_nsec());
            let state = State::Other { inode: stat.ino(), bytes: stat.size(), modified };
            self.files.insert(place.to_owned(), state);
            return;
        }
        self.files.insert(place.to_owned(), State::Folder);
        for entry in fs::read_dir(place).into_iter().flatten().filter_map(Result::ok) {
            self.add_tree(&entry.path());
        }
    }

    /// Returns a line for each file that is new, changed or gone in the later listing.
    pub(crate) fn list_differences(&self, later: &Self) -> Vec<String> {
        let mut differences = Vec::new();
        for (place, state) in &later.files {
            match self.files.get(place) {
                None => differences.push(format!("new: {}", place.display())),
                Some(before) if before != state => differences.push(format!("changed: {}", place.display())),
                Some(_) => {}
            }
        }
        let gone = self.files.keys().filter(|place| !later.files.contains_key(*place));
        differences.extend(gone.map(|place| format!("gone: {}", place.display())));
        let in_clone = later.clone.iter().filter(|line| !self.clone.contains(line));
        differences.extend(in_clone.map(|line| format!("in the clone: {line}")));
        let no_longer = self.clone.iter().filter(|line| !later.clone.contains(line));
        differences.extend(no_longer.map(|line| format!("no longer in the clone: {line}")));
        differences
    }
}

/// A new folder with a home and a place for temporary files. Removed with everything in it in the end.
struct OwnFolder(PathBuf);

impl OwnFolder {
    fn make() -> Result<Self> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        remove_interrupted();
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let own = Self(env::temp_dir().join(format!("{OWN}{}-{number}", process::id())));
        for folder in [own.0.clone(), own.home(), own.temporary()] {
            let made = DirBuilder::new().mode(PRIVATE).create(&folder);
            made.with_context(|| format!("cannot make {}", folder.display()))?;
        }
        Ok(own)
    }

    fn home(&self) -> PathBuf {
        self.0.join("home")
    }

    fn temporary(&self) -> PathBuf {
        self.0.join("tmp")
    }

    /// Has a program use this folder. It finds Rust where it was.
    fn give_to(&self, process: Process) -> Process {
        let home = list_homes().into_iter().next();
        let tools = TOOLS.into_iter().filter_map(|(variable, name)| {
            let folder =
                env::var_os(variable).map(PathBuf::from).or_else(|| Some(home.as_ref()?.join(name)))?;
            Some((variable, folder))
        });
        let process = tools.fold(process, |process, (variable, folder)| process.quiet_env(variable, folder));
        process.quiet_env("HOME", self.home()).quiet_env("TMPDIR", self.temporary())
    }

    /// Returns a line for each file in the folder, and for each process that still works there.
    fn leftovers(&self) -> Vec<String> {
        let mut listing = Listing::default();
        for folder in [self.home(), self.temporary()] {
            listing.add_tree(&folder);
            listing.files.remove(&folder);
        }
        let mut left = Listing::default().list_differences(&listing);
        left.extend(self.processes());
        left
    }

    /// Returns the processes that work in the folder, or that have it in their arguments or in their environment.
    fn processes(&self) -> Vec<String> {
        let name = self.0.to_string_lossy().into_owned();
        let is_here = |process: &Path| {
            // A process may have left the folder, so its arguments and its environment count as well.
            let has_it = |file: &str| {
                fs::read(process.join(file)).is_ok_and(|text| String::from_utf8_lossy(&text).contains(&name))
            };
            fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd.starts_with(&self.0))
                || ["cmdline", "environ"].into_iter().any(has_it)
        };
        let entries = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
        let folders = entries.map(|entry| entry.path()).filter(|process| is_here(process));
        folders
            .map(|process| {
                let command = fs::read(process.join("cmdline")).unwrap_or_default();
                let command = String::from_utf8_lossy(&command).replace('\0', " ");
                format!("process {}: {command}", process.file_name().unwrap_or_default().to_string_lossy())
            })
            .collect()
    }
}

/// Removes the folders of runs that were interrupted: their process is gone.
fn remove_interrupted() {
    for entry in fs::read_dir(env::temp_dir()).into_iter().flatten().filter_map(Result::ok) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let made_by = name.strip_prefix(OWN).and_then(|rest| rest.split('-').next());
        if made_by.is_some_and(|process| !Path::new("/proc").join(process).exists()) {
            // Another user's entry cannot be removed.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io::{Read as _, Write as _},
        process::Stdio,
    };

    use super::*;

    #[test]
    fn new_changed_and_removed_files_are_reported() {
        let own = OwnFolder::make().unwrap();
        let list = || {
            let mut listing = Listing::default();
            listing.add_tree(&own.temporary());
            listing
        };
        for name in ["changed", "gone", "same"] {
            fs::write(own.temporary().join(name), name).unwrap();
        }
        let before = list();
        assert_eq!(before.list_differences(&list()), Vec::<String>::new());
        fs::write(own.temporary().join("changed"), "more").unwrap();
        fs::remove_file(own.temporary().join("gone")).unwrap();
        fs::create_dir(own.temporary().join("new")).unwrap();
        std::os::unix::fs::symlink("/", own.temporary().join("new/link")).unwrap();
        let shown = before
            .list_differences(&list())
            .join("\n")
            .replace(&own.temporary().display().to_string(), "[TMP]");
        assert_eq!(shown, "changed: [TMP]/changed\nnew: [TMP]/new\nnew: [TMP]/new/link\ngone: [TMP]/gone");
    }

    #[test]
    fn a_leftover_that_goes_away_by_itself_is_not_reported() {
        let lists = std::cell::Cell::new(0);
        let left = wait_until_none(|| {
            lists.set(lists.get() + 1);
            Ok(if lists.get() < 3 { vec!["process 1: sleep 5".to_owned()] } else { Vec::new() })
        });
        assert_eq!((left.unwrap(), lists.get()), (Vec::new(), 3));
    }

    #[test]
    fn what_git_knows_of_the_clone_is_compared() {
        let clone = |lines: &[&str]| Listing {
            clone: lines.iter().map(|line| (*line).to_owned()).collect(),
            ..Listing::default()
        };
        let differences = clone(&["?? a", "?? b"]).list_differences(&clone(&["?? b", "!! c"]));
        assert_eq!(differences, ["in the clone: !! c", "no longer in the clone: ?? a"]);
    }

    #[test]
    fn files_and_processes_in_the_own_folder_are_left_over_and_the_folder_is_removed() {
        let own = OwnFolder::make().unwrap();
        assert_eq!(own.leftovers(), Vec::<String>::new());
        let test = own.give_to(Process::new("/bin/sh"));
        test.args(["-c", "echo x > \"$HOME/.left\"; mkdir \"$TMPDIR/t\"; test -d \"$CARGO_HOME\""])
            .run()
            .unwrap();
        let mut here = process::Command::new("/bin/cat");
        here.current_dir(own.temporary()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut here = here.spawn().unwrap();
        // Once it answers, it has become the intended program.
        here.stdin.as_mut().unwrap().write_all(b"x").unwrap();
        here.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        let shown = own.leftovers().join("\n").replace(&own.0.display().to_string(), "[OWN]");
        here.kill().unwrap();
        here.wait().unwrap();
        let shown = shown.replace(&here.id().to_string(), "[PID]");
        assert_eq!(shown, "new: [OWN]/home/.left\nnew: [OWN]/tmp/t\nprocess [PID]: /bin/cat ");
        let folder = own.0.clone();
        drop(own);
        assert!(!folder.exists());
    }
}
