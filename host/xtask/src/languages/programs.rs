//! The check as programs for WASI in languages that `plugin new` has another template for: built as their page says.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::guest_target::{GuestTarget, PROGRAMS};
use crate::process::Process;
use crate::project::Project;

/// Is it one of them?
pub(super) fn is_program(language: &str) -> bool {
    language.ends_with("-command")
}

/// Builds it to this file, with tools on this `PATH`.
pub(super) fn build(project: &Project, language: &str, path: &OsString, module: &Path) -> Result<()> {
    let folder = project.root.join("examples/check").join(language);
    let sdk = project.root.join("sdk/command");
    let zig = |compiler: &str| {
        let words = [compiler, "-target", "wasm32-wasi", "-Os", "-s", "-Wall", "-Wextra", "-Werror", "-I"];
        Process::new("zig").args(words).args([&sdk]).quiet_env("PATH", path).directory(&folder)
    };
    match language {
        "c-command" => zig("cc").args([Path::new("-o"), module, Path::new("check.c")]).run(),
        "cpp-command" => {
            let process = zig("c++").args(["-std=c++20", "-fno-exceptions", "-o"]);
            process.args([module, Path::new("check.cpp")]).run()
        }
        "rust-command" => rust(project, &folder, module),
        _ => bail!("nobody said how {language} is built"),
    }
}

fn rust(project: &Project, folder: &Path, module: &Path) -> Result<()> {
    let target = project.target.join("check/rust-command");
    let words = ["build", "--quiet", "--release", "--locked", "--target", PROGRAMS, "--target-dir"];
    let process = Process::new("cargo").args(words).args([&target]).directory(folder);
    GuestTarget::for_programs(project)?.apply(process).run()?;
    let built = target.join(PROGRAMS).join("release/check.wasm");
    std::fs::copy(&built, module).with_context(|| format!("cannot copy {}", built.display()))?;
    Ok(())
}
