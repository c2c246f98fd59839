//! `languages`: for each language the project that `plugin new` makes, and the check that is the same in all of them, built by the
//! language's own tools and run over its fixtures.

mod programs;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::guest_target::GuestTarget;
use crate::packages::{WITH_TESTS, copy, empty};
use crate::process::Process;
use crate::project::{FEATURES, Project};
use crate::toolchains;

/// A folder for each language, and one with the fixtures of all.
const CHECKS: &str = "examples/check";
const FIXTURES: &str = "tests";
/// In the target folder.
const PLACE: &str = "check";

/// Builds and tries every language, or those that are named.
pub(crate) fn run(project: &Project, words: &[String]) -> Result<()> {
    let wanted = wanted(names(&project.root.join(CHECKS))?, words)?;
    let tools = Tools::new(project)?;
    wanted.iter().try_for_each(|language| {
        tools.check(project, language).with_context(|| format!("{language} does not do what it must"))
    })
}

/// Those that are named, all if none is.
fn wanted(there: Vec<String>, named: &[String]) -> Result<Vec<String>> {
    if let Some(unknown) = named.iter().find(|name| !there.contains(name)) {
        bail!("{CHECKS} has no {unknown}; there: {}", there.join(", "));
    }
    Ok(if named.is_empty() { there } else { named.to_vec() })
}

fn names(folder: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let names: Result<Vec<_>, _> =
        entries.map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned())).collect();
    let mut names = names?;
    names.retain(|name| name != FIXTURES);
    names.sort();
    Ok(names)
}

/// What builds and tries plugins.
struct Tools {
    hookbox: PathBuf,
    author: PathBuf,
    target: GuestTarget,
    path: OsString,
}

impl Tools {
    fn new(project: &Project) -> Result<Self> {
        let programs = ["hookbox", "hookbox-compile", "hookbox-author"];
        let words = ["build", "--quiet", "--workspace", "--features", FEATURES, "--lib"];
        let programs = programs.iter().flat_map(|program| ["--bin", program]);
        project.cargo(words).args(programs).args(WITH_TESTS).run()?;
        let before = std::env::var_os("PATH").unwrap_or_default();
        let folders = toolchains::path(project)?.into_iter().chain(std::env::split_paths(&before));
        Ok(Self {
            hookbox: project.target.join("debug/hookbox"),
            author: project.target.join("debug/hookbox-author"),
            target: GuestTarget::find(project)?,
            path: std::env::join_paths(folders)?,
        })
    }

    fn check(&self, project: &Project, language: &str) -> Result<()> {
        if programs::is_program(language) {
            return self.check_program(project, language);
        }
        self.check_project(project, language)
    }

    /// Built by its compiler alone, with the manifest put in.
    fn check_program(&self, project: &Project, language: &str) -> Result<()> {
        let above = project.target.join(PLACE);
        let folder = empty(&above.join(format!("check-{language}")))?;
        let (checks, module) = (project.root.join(CHECKS), folder.join(format!("{language}.wasm")));
        programs::build(project, language, &self.path, &module)?;
        let manifest = checks.join(language).join("plugin.toml");
        Process::new(&self.hookbox).args(["plugin", "manifest"]).args([&module, &manifest]).run()?;
        copy(&checks.join(FIXTURES), &folder.join(FIXTURES))?;
        self.plugin(&folder, &["test"]).args([&module]).run()?;
        copy(&module, &above.join(format!("{language}.wasm")))
    }

    /// First as it is made, then with the check in the place of what it does.
    fn check_project(&self, project: &Project, language: &str) -> Result<()> {
        let name = format!("check-{language}");
        let above = project.target.join(PLACE);
        let folder = empty(&above.join(&name))?;
        fs::remove_dir(&folder)?;
        self.plugin(&above, &["new", &name, "--lang", language]).run()?;
        self.built(&folder)?;
        fs::remove_dir_all(folder.join(FIXTURES))?;
        let checks = project.root.join(CHECKS);
        copy(&checks.join(FIXTURES), &folder.join(FIXTURES))?;
        copy(&checks.join(language), &folder)?;
        self.built(&folder)?;
        copy(&folder.join(format!("build/{name}.wasm")), &above.join(format!("{language}.wasm")))
    }

    fn built(&self, folder: &Path) -> Result<()> {
        self.plugin(folder, &["build"]).run()?;
        self.plugin(folder, &["test"]).run()
    }

    fn plugin(&self, folder: &Path, words: &[&str]) -> Process {
        let process = Process::new(&self.author).args(words).directory(folder);
        self.target.apply(process).quiet_env("PATH", &self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_language_is_tried_unless_some_are_named() {
        let there = || words(&["c", "zig"]);
        assert_eq!(wanted(there(), &[]).unwrap(), there());
        assert_eq!(wanted(there(), &words(&["zig"])).unwrap(), ["zig"]);
        let error = wanted(there(), &words(&["zig", "rust"])).unwrap_err().to_string();
        assert_eq!(error, "examples/check has no rust; there: c, zig");
    }
}
