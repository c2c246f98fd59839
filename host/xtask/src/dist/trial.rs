//! The suite `dist`: each artifact is installed alone, protects an agent, denies a command and is removed; and a second run packs the same
//! bytes.

mod ways;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::artifacts_folder;
use crate::interpreters;
use crate::packages::empty_folder;
use crate::process::Process;
use crate::project::Project;

/// The version of all packages of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// An agent that is recognised by its settings folder.
const AGENT: &str = "claude-code";
const SETTINGS: &str = ".claude/settings.json";
/// A recorded event that the guards deny.
const EVENT: &str = "tests/data/events/claude-code/14-PreToolUse-Bash-blocked.json";
/// The home folder in the recorded event.
const RECORDED_HOME: &str = "/home/dev";

/// Packs twice, then installs and tries each artifact.
pub(crate) fn try_artifacts(project: &Project) -> Result<()> {
    let folder = artifacts_folder(project);
    super::run(project, &[])?;
    let first = read_files(&folder)?;
    super::run(project, &[])?;
    compare_files(&first, &read_files(&folder)?)?;
    Process::new("sha256sum").args(["--check", "--quiet", "SHA256SUMS"]).directory(&folder).run()?;
    let event =
        fs::read_to_string(project.root.join(EVENT)).with_context(|| format!("cannot read {EVENT}"))?;
    for (name, install) in ways::WAYS {
        let place = Place::create_folders(project, name)?;
        let program = install(&place).with_context(|| format!("cannot install by {name}"))?;
        place.try_program(&program, &event).with_context(|| format!("installed by {name}"))?;
        println!("{name}: installed, set up, denied and removed");
    }
    Ok(())
}

/// Returns the content of each file in a folder.
fn read_files(folder: &Path) -> Result<BTreeMap<OsString, Vec<u8>>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    entries
        .map(|entry| {
            let entry = entry?;
            Ok((entry.file_name(), fs::read(entry.path())?))
        })
        .collect()
}

/// Fails with the name of the first file that differs.
fn compare_files(first: &BTreeMap<OsString, Vec<u8>>, second: &BTreeMap<OsString, Vec<u8>>) -> Result<()> {
    let mut names = first.keys().chain(second.keys());
    if let Some(name) = names.find(|name| first.get(*name) != second.get(*name)) {
        bail!("the second run of `dist` made another {}", name.to_string_lossy());
    }
    Ok(())
}

/// Empty folders for one installation.
struct Place {
    artifacts: PathBuf,
    /// The folder of the other two.
    folder: PathBuf,
    home: PathBuf,
    /// The folder that the artifact is installed into.
    prefix: PathBuf,
    /// The variable `PATH`: the system's programs, and Node.js.
    path: OsString,
}

impl Place {
    /// Creates the folders, or empties them.
    fn create_folders(project: &Project, name: &str) -> Result<Self> {
        let folder = empty_folder(&project.target.join("dist-trial").join(name))?;
        let (home, prefix) = (empty_folder(&folder.join("home"))?, empty_folder(&folder.join("prefix"))?);
        // The agent is recognised by this folder.
        fs::create_dir(home.join(".claude"))?;
        let node = interpreters::find_node()?;
        let node = node.parent().context("an interpreter is in a folder")?;
        let path = std::env::join_paths([node, Path::new("/usr/bin"), Path::new("/bin")])?;
        Ok(Self { artifacts: artifacts_folder(project), folder, home, prefix, path })
    }

    /// Returns the path of an artifact.
    fn find_artifact(&self, name: &str) -> Result<PathBuf> {
        let file = self.artifacts.join(name);
        ensure!(file.is_file(), "`dist` made no {name}");
        Ok(file)
    }

    /// Returns the command that runs a program with only this home.
    fn create_process(&self, program: &Path) -> Process {
        let process = Process::new(program).without_environment();
        process.quiet_env("HOME", &self.home).quiet_env("PATH", &self.path).directory(&self.home)
    }

    /// Sets hookbox up, asks it about a dangerous command as the agent would, and removes it.
    fn try_program(&self, program: &Path, event: &str) -> Result<()> {
        let version = self.create_process(program).args(["--version"]).output()?;
        ensure!(
            version.trim() == format!("hookbox {VERSION}"),
            "the installed program is `{}`",
            version.trim()
        );
        let setup = ["setup", "--yes", "--agents", AGENT, "--assume-private"];
        self.create_process(program).args(setup).args([&self.folder]).run()?;
        let entry = self.read_entry()?;
        let native = fs::read(entry.first().context("the entry has no program")?)?;
        ensure!(
            native.starts_with(b"\x7fELF"),
            "the entry starts {entry:?}, which is not the native program"
        );
        let decision = self.ask_entry(&entry, event)?;
        ensure!(decision == "deny", "the guards answered `{decision}` to {EVENT}");
        self.create_process(program).args(["uninstall", AGENT, "--yes"]).run()?;
        ensure!(self.read_entry().is_err(), "`hookbox uninstall` left an entry in {SETTINGS}");
        Ok(())
    }

    /// Returns program and arguments of the entry for an action.
    fn read_entry(&self) -> Result<Vec<String>> {
        let text = fs::read_to_string(self.home.join(SETTINGS)).context("no settings were written")?;
        let settings: Value = serde_json::from_str(&text)?;
        let entry = settings.pointer("/hooks/PreToolUse/0/hooks/0").context("no entry was written")?;
        let arguments = entry.get("args").and_then(Value::as_array).into_iter().flatten();
        let words = entry.get("command").into_iter().chain(arguments);
        words.map(|word| Ok(word.as_str().context("a word of the entry is not a text")?.to_owned())).collect()
    }

    /// Runs the entry as the agent does, and returns its decision.
    fn ask_entry(&self, entry: &[String], event: &str) -> Result<String> {
        let (program, arguments) = entry.split_first().context("the entry is empty")?;
        let event = event.replace(RECORDED_HOME, &self.home.to_string_lossy());
        let answer = self.create_process(Path::new(program)).args(arguments).answer_input(&event)?;
        let value: Value = serde_json::from_str(answer.trim())
            .with_context(|| format!("the answer to {EVENT} is not JSON: {answer}"))?;
        let decision = value.pointer("/hookSpecificOutput/permissionDecision").and_then(Value::as_str);
        Ok(decision.unwrap_or("nothing").to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_file_that_differs_is_named() {
        let files = |rows: &[(&str, &str)]| -> BTreeMap<OsString, Vec<u8>> {
            rows.iter().map(|(name, text)| (OsString::from(name), text.as_bytes().to_vec())).collect()
        };
        let first = files(&[("a", "1"), ("b", "2")]);
        compare_files(&first, &first.clone()).unwrap();
        for second in [files(&[("a", "1"), ("b", "3")]), files(&[("a", "1")])] {
            let error = compare_files(&first, &second).unwrap_err().to_string();
            assert_eq!(error, "the second run of `dist` made another b");
        }
        let error = compare_files(&files(&[]), &files(&[("c", "")])).unwrap_err().to_string();
        assert_eq!(error, "the second run of `dist` made another c");
    }
}
