//! WASI programs in languages for which `plugin new` has another kind of template: the template that is copied by hand, and the check. Each
//! is built as its page describes.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::guest_target::{GuestTarget, PROGRAMS};
use crate::packages::copy_tree;
use crate::process::Process;
use crate::project::Project;

/// The files that a program has of its own, and the templates of programs.
const SDK: &str = "sdk/command";
/// The versions that a program in Rust is built with.
const LOCK: &str = "Cargo.lock";

/// Returns true if the language's check is a program.
pub(super) fn is_program(language: &str) -> bool {
    language.ends_with("-command")
}

/// One program: a source of this name in this folder, and the module to build.
pub(super) struct Program<'a> {
    pub(super) folder: &'a Path,
    pub(super) name: &'a str,
    pub(super) module: &'a Path,
}

/// Creates a project of the template in this folder, as its page describes. Its source is called `hook`.
pub(super) fn copy_template(project: &Project, language: &str, folder: &Path) -> Result<()> {
    let sdk = project.root.join(SDK);
    let name = language.trim_end_matches("-command");
    copy_tree(&sdk.join("template").join(name), folder)?;
    let (files, place): (&[&str], _) = match language {
        "c-command" => (&["hookbox_command.h"], folder.to_owned()),
        "cpp-command" => (&["hookbox_command.h", "hookbox_command.hpp"], folder.to_owned()),
        "rust-command" => (&["hookbox_command.rs"], folder.join("src")),
        _ => bail!("the needs are missing of the template for {language} needs"),
    };
    files.iter().try_for_each(|file| copy_tree(&sdk.join(file), &place.join(file)))?;
    if language == "rust-command" {
        return copy_lock_file(&check_folder(project, language).join(LOCK), &folder.join(LOCK));
    }
    Ok(())
}

/// Copies the check's lock file for the template's package, so that no newer versions are resolved.
fn copy_lock_file(from: &Path, to: &Path) -> Result<()> {
    let text = fs::read_to_string(from).with_context(|| format!("cannot read {}", from.display()))?;
    let text = text.replace("name = \"check\"", "name = \"hook\"");
    fs::write(to, text).with_context(|| format!("cannot write {}", to.display()))
}

/// Returns the folder of the check.
pub(super) fn check_folder(project: &Project, language: &str) -> PathBuf {
    project.root.join("examples/check").join(language)
}

/// Builds the program, with tools on this `PATH`.
pub(super) fn build_program(
    project: &Project,
    language: &str,
    path: &OsString,
    program: &Program<'_>,
) -> Result<()> {
    let Program { folder, name, module } = *program;
    let zig = |compiler: &str| {
        // The headers must compile without warnings, since a user's project may turn all of them on.
        let words = [compiler, "-target", "wasm32-wasi", "-Os", "-s", "-Wall", "-Wextra", "-Werror", "-I"];
        let process = Process::new("zig").args(words).args([&project.root.join(SDK)]);
        process.quiet_env("PATH", path).directory(folder)
    };
    match language {
        "c-command" => zig("cc").args([Path::new("-o"), module, Path::new(&format!("{name}.c"))]).run(),
        "cpp-command" => {
            let process = zig("c++").args(["-std=c++20", "-fno-exceptions", "-o"]);
            process.args([module, Path::new(&format!("{name}.cpp"))]).run()
        }
        "rust-command" => build_rust(project, program),
        _ => bail!("the build is missing of {language}"),
    }
}

fn build_rust(project: &Project, program: &Program<'_>) -> Result<()> {
    let Program { folder, name, module } = *program;
    let target = project.target.join("check/rust-command");
    let words = ["build", "--quiet", "--release", "--locked", "--target", PROGRAMS, "--target-dir"];
    let process = Process::new("cargo").args(words).args([&target]).directory(folder);
    GuestTarget::for_programs(project)?.apply_to(process).run()?;
    let built = target.join(PROGRAMS).join(format!("release/{name}.wasm"));
    fs::copy(&built, module).with_context(|| format!("cannot copy {}", built.display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_has_a_template_with_all_that_a_project_has() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let languages = super::super::list_languages(&root.join("examples/check")).unwrap();
        let programs: Vec<_> = languages.iter().filter(|language| is_program(language)).collect();
        assert_eq!(programs, ["c-command", "cpp-command", "rust-command"]);
        for program in programs {
            let folder = root.join(SDK).join("template").join(program.trim_end_matches("-command"));
            for file in ["README.md", ".gitignore", "plugin.toml", "tests/denies.json"] {
                assert!(folder.join(file).is_file(), "{program}: {file}");
            }
        }
    }
}
