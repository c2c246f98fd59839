//! `languages`: for each language, builds the project that `plugin new` makes and a common check, with the language's own tools, and runs
//! the check over its fixtures. Where an SDK reads payloads with functions of its own, a hook that uses them is tested, too.
//! [`rebuild_elsewhere`] compares a second build with the first.

mod programs;
mod second_build;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use self::programs::Program;
use self::second_build::SecondBuildPlace;
use crate::guest_target::GuestTarget;
use crate::packages::{build_host, copy_tree, empty_folder};
use crate::process::Process;
use crate::project::Project;
use crate::toolchains;

/// A folder for each language, and one with the fixtures of all.
const CHECKS: &str = "examples/check";
const FIXTURES: &str = "tests";
/// A folder for each SDK that reads payloads, with the fixtures of all.
const PAYLOADS: &str = "examples/payloads";
/// Folder in the target folder.
const PLACE: &str = "check";
/// The builder for Python takes 40 s alone, and longer than the default of 120 s on a loaded machine.
const PYTHON_BUILD: [&str; 3] = ["build", "--timeout", "900"];

/// Builds and tests every language, or the named ones.
pub(crate) fn run(project: &Project, words: &[String]) -> Result<()> {
    let wanted = select_languages(list_languages(&project.root.join(CHECKS))?, words)?;
    let tools = Tools::new(project)?;
    wanted.iter().try_for_each(|language| {
        tools
            .check_language(project, language)
            .with_context(|| format!("{language} does not do what it must"))
    })?;
    tools.elsewhere.remove()
}

/// Builds the check in every language that has a project, and once more elsewhere: the bytes must be equal in all languages except those
/// that [`again`] lists.
pub(crate) fn rebuild_elsewhere(project: &Project) -> Result<()> {
    let tools = Tools::new(project)?;
    for language in
        list_languages(&project.root.join(CHECKS))?.iter().filter(|name| !programs::is_program(name))
    {
        tools
            .compare_builds(project, language)
            .with_context(|| format!("{language} cannot be built twice"))?;
    }
    tools.elsewhere.remove()
}

/// Returns the named languages, or all if no name is given.
fn select_languages(there: Vec<String>, named: &[String]) -> Result<Vec<String>> {
    if let Some(unknown) = named.iter().find(|name| !there.contains(name)) {
        bail!("{CHECKS} has no {unknown}; there: {}", there.join(", "));
    }
    Ok(if named.is_empty() { there } else { named.to_vec() })
}

/// Lists the languages: a folder each, next to documents and the fixtures.
fn list_languages(folder: &Path) -> Result<Vec<String>> {
    let unread = || format!("cannot read {}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(unread)? {
        let entry = entry.with_context(unread)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().with_context(unread)?.is_dir() && name != FIXTURES {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// Returns the command line that builds a project: only a build with a time limit takes `--timeout`.
fn build_words(language: &str) -> &'static [&'static str] {
    if language == "python" { &PYTHON_BUILD } else { &PYTHON_BUILD[..1] }
}

/// Tools that build and test plugins.
struct Tools {
    hookbox: PathBuf,
    author: PathBuf,
    target: GuestTarget,
    path: OsString,
    elsewhere: SecondBuildPlace,
}

impl Tools {
    fn new(project: &Project) -> Result<Self> {
        build_host(project, &["hookbox", "hookbox-compile", "hookbox-author"])?;
        let before = std::env::var_os("PATH").unwrap_or_default();
        // The pinned compilers come before those of the machine.
        let folders =
            toolchains::prepare_compilers(project)?.into_iter().chain(std::env::split_paths(&before));
        Ok(Self {
            hookbox: project.target.join("debug/hookbox"),
            author: project.target.join("debug/hookbox-author"),
            target: GuestTarget::find_for_components(project)?,
            path: std::env::join_paths(folders)?,
            elsewhere: SecondBuildPlace::new(project)?,
        })
    }

    fn check_language(&self, project: &Project, language: &str) -> Result<()> {
        if programs::is_program(language) {
            return self.check_program(project, language);
        }
        self.check_project(project, language)
    }

    /// Tests the template unchanged, then the check.
    fn check_program(&self, project: &Project, language: &str) -> Result<()> {
        let above = project.target.join(PLACE);
        let template = empty_folder(&above.join(format!("template-{language}")))?;
        programs::copy_template(project, language, &template)?;
        let module = template.join("guard.wasm");
        self.built_program(project, language, &Program { folder: &template, name: "hook", module: &module })?;
        let folder = empty_folder(&above.join(format!("check-{language}")))?;
        copy_tree(&project.root.join(CHECKS).join(FIXTURES), &folder.join(FIXTURES))?;
        let (check, module) =
            (programs::check_folder(project, language), folder.join(format!("{language}.wasm")));
        self.built_program(project, language, &Program { folder: &check, name: "check", module: &module })?;
        copy_tree(&module, &above.join(format!("{language}.wasm")))
    }

    /// Builds a program with its compiler alone, and adds the manifest; its fixtures are in the module's folder.
    fn built_program(&self, project: &Project, language: &str, program: &Program<'_>) -> Result<()> {
        programs::build_program(project, language, &self.path, program)?;
        let (module, manifest) = (program.module, program.folder.join("plugin.toml"));
        Process::new(&self.hookbox).args(["plugin", "manifest"]).args([module, &manifest]).run()?;
        self.create_author_process(program.folder, &["test"]).args([module]).run()
    }

    /// Tests a project as created, then with its code replaced by the check.
    fn check_project(&self, project: &Project, language: &str) -> Result<()> {
        let above = project.target.join(PLACE);
        let folder = self.create_project(&above, language)?;
        self.build_project(&folder, language)?;
        self.check_first_page(&folder, language)?;
        copy_example(project, CHECKS, &folder, language)?;
        self.build_project(&folder, language)?;
        let file = format!("build/check-{language}.wasm");
        if language == "go" {
            self.go_native(&folder, &above.join("go-native"))?;
        }
        copy_tree(&folder.join(&file), &above.join(format!("{language}.wasm")))?;
        if project.root.join(PAYLOADS).join(language).is_dir() {
            copy_example(project, PAYLOADS, &folder, language)?;
            self.build_project(&folder, language)?;
        }
        Ok(())
    }

    /// Builds the check here and elsewhere, and compares both files.
    fn compare_builds(&self, project: &Project, language: &str) -> Result<()> {
        let folders = [
            self.create_project(&project.target.join(PLACE), language)?,
            self.create_project(&self.elsewhere.above()?, language)?,
        ];
        for folder in &folders {
            copy_example(project, CHECKS, folder, language)?;
        }
        let [first, second] = &folders;
        self.create_author_process(first, build_words(language)).run()?;
        self.elsewhere.apply_to(self.create_author_process(second, build_words(language))).run()?;
        let [first, second] = folders.map(|folder| folder.join(format!("build/check-{language}.wasm")));
        second_build::compare_files(language, &first, &second)
    }

    /// Builds the check as a native program, which benchmarks start as a shell hook.
    fn go_native(&self, folder: &Path, program: &Path) -> Result<()> {
        // Neither paths of this machine nor the commit get into the program.
        let words = ["build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o"];
        let process = Process::new("go").args(words).args([program]).quiet_env("PATH", &self.path);
        process.directory(folder).run()
    }

    /// Creates the project of a new plugin.
    fn create_project(&self, above: &Path, language: &str) -> Result<PathBuf> {
        let name = format!("check-{language}");
        let folder = empty_folder(&above.join(&name))?;
        // `plugin new` makes the folder itself; only the content of an earlier run had to be removed.
        fs::remove_dir(&folder)?;
        self.create_author_process(above, &["new", &name, "--lang", language]).run()?;
        Ok(folder)
    }

    fn build_project(&self, folder: &Path, language: &str) -> Result<()> {
        self.create_author_process(folder, build_words(language)).run()?;
        self.create_author_process(folder, &["test"]).run()
    }

    /// Runs the remaining steps of the first page: adds the plugin, and checks that it denies the worst command.
    fn check_first_page(&self, folder: &Path, language: &str) -> Result<()> {
        // A separate home: neither this user's configuration, nor variables that mark a run by an agent.
        let home = empty_folder(&self.elsewhere.above()?.join(format!("home-{language}")))?;
        let hookbox = |words: &[&str]| {
            let process = Process::new(&self.hookbox).without_environment().args(words).directory(folder);
            let process = process.quiet_env("HOME", &home).quiet_env("PATH", &self.path);
            process.quiet_env("XDG_CACHE_HOME", self.elsewhere.cache())
        };
        hookbox(&["plugin", "add", &format!("build/check-{language}.wasm"), "--yes"]).run()?;
        let output =
            hookbox(&["try", "tool.before", "--tool", "Bash", "--command", "rm -rf /"]).answer_input("")?;
        let denies = output.lines().any(|line| line.starts_with("folded ") && line.contains(" deny by "));
        ensure!(denies, "the hook that was added does not deny `rm -rf /`:\n{output}");
        Ok(())
    }

    fn create_author_process(&self, folder: &Path, words: &[&str]) -> Process {
        let process = Process::new(&self.author).args(words).directory(folder);
        self.target.apply_to(process).quiet_env("PATH", &self.path)
    }
}

/// Copies an example into a project, replacing its fixtures.
fn copy_example(project: &Project, example: &str, folder: &Path, language: &str) -> Result<()> {
    let example = project.root.join(example);
    // The template's fixtures are for the template's own code.
    fs::remove_dir_all(folder.join(FIXTURES))?;
    copy_tree(&example.join(FIXTURES), &folder.join(FIXTURES))?;
    copy_tree(&example.join(language), folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to_words(words: &[&str]) -> Vec<String> {
        words.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_language_is_tried_unless_some_are_named() {
        let there = || to_words(&["c", "zig"]);
        assert_eq!(select_languages(there(), &[]).unwrap(), there());
        assert_eq!(select_languages(there(), &to_words(&["zig"])).unwrap(), ["zig"]);
        let error = select_languages(there(), &to_words(&["zig", "rust"])).unwrap_err().to_string();
        assert_eq!(error, "examples/check has no rust; there: c, zig");
    }
}
