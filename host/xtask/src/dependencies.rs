//! `dependencies`: checks the dependencies against `.deny.toml`: licences, versions, sources, known vulnerabilities.
//!
//! An acceptance suite, since the result depends on the day: an advisory or a retired package fails a commit that has passed before.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::process::Process;
use crate::project::Project;
use crate::toolchains;

/// The checker; it only reads manifests.
const CHECKER: &str = "cargo-deny";
const CHECKER_VERSION: &str = "0.20.2";
/// Both workspaces: the programs that users run, and the plugins that run in them.
const MANIFESTS: [&str; 2] = ["Cargo.toml", "plugins/Cargo.toml"];

/// Checks both workspaces, beginning with the checks that need no network.
pub(crate) fn run(project: &Project) -> Result<()> {
    let checker = find_checker(project)?;
    check_dependencies(project, &checker)?;
    check_advisories(project, &checker)
}

/// Checks versions, licences and sources.
fn check_dependencies(project: &Project, checker: &PathBuf) -> Result<()> {
    for manifest in MANIFESTS {
        create_check_process(project, checker, manifest)
            .args(["check", "--hide-inclusion-graph"])
            .args(KINDS)
            .run()?;
    }
    Ok(())
}

/// Checks for known vulnerabilities; an error if the database is unavailable.
fn check_advisories(project: &Project, checker: &PathBuf) -> Result<()> {
    ensure!(
        create_check_process(project, checker, MANIFESTS[0]).args(["fetch", "db"]).run_for_success()?,
        "known vulnerabilities (advisories) were not checked: their database cannot be downloaded; \
         run `cargo xtask dependencies` where https://github.com/RustSec/advisory-db can be reached"
    );
    for manifest in MANIFESTS {
        create_check_process(project, checker, manifest).args(["check", "advisories"]).run()?;
    }
    Ok(())
}

/// Checks that need no database. A licence or version that is allowed but not used here is used in the other workspace.
const KINDS: [&str; 9] = [
    "--allow",
    "license-not-encountered",
    "--allow",
    "unmatched-skip",
    "--allow",
    "unnecessary-skip",
    "bans",
    "licenses",
    "sources",
];

fn create_check_process(project: &Project, checker: &PathBuf, manifest: &str) -> Process {
    let words = ["--manifest-path", manifest, "--config", ".deny.toml"];
    Process::new(checker).args(words).directory(&project.root)
}

/// Returns the machine's checker if it has this version, else one in the target folder, built once.
fn find_checker(project: &Project) -> Result<PathBuf> {
    let wanted = format!("{CHECKER} {CHECKER_VERSION}");
    if Process::new(CHECKER).args(["--version"]).output().is_ok_and(|version| version.trim() == wanted) {
        return Ok(CHECKER.into());
    }
    let tools = project.target.join("tools").join(CHECKER);
    let own = tools.join("bin").join(CHECKER);
    toolchains::install_once(&tools, &wanted, &own, |folder| {
        println!("{wanted} is built once, for some minutes");
        // A debug build: it is made faster than it would be run by any other.
        let words =
            ["install", CHECKER, "--version", CHECKER_VERSION, "--locked", "--debug", "--quiet", "--root"];
        let build = folder.join("build");
        project.cargo(words).args([folder]).args(["--target-dir"]).args([&build]).run()?;
        Ok(std::fs::remove_dir_all(build)?)
    })
    .with_context(|| {
        format!("{wanted} cannot be built; check the connection to the registry and run the command again")
    })?;
    Ok(own)
}
