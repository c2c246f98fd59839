//! `dependencies`: checks the dependencies against `.deny.toml`: licences, versions, sources, known vulnerabilities.
//!
//! An acceptance suite, since the result depends on the day: an advisory or a retired package fails a commit that has passed before.

use std::path::PathBuf;

use anyhow::{Result, ensure};

use crate::cargo_tool::CargoTool;
use crate::process::Process;
use crate::project::Project;

/// The checker; it only reads manifests.
const CHECKER: CargoTool = CargoTool { name: "cargo-deny", version: "0.20.2", arguments: &[] };
/// Both workspaces: the programs that users run, and the plugins that run in them.
const MANIFESTS: [&str; 2] = ["Cargo.toml", "plugins/Cargo.toml"];

/// Checks both workspaces, beginning with the checks that need no network.
pub(crate) fn run(project: &Project) -> Result<()> {
    let checker = CHECKER.find_or_build(project)?;
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
