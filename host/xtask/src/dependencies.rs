//! `dependencies`: what we depend on, held against `.deny.toml`: licences, versions, sources, known faults.

use std::path::PathBuf;

use anyhow::Result;

use crate::process::{self, Process};
use crate::project::Project;

/// The checker, built by the gate if the machine has none; it reads nothing but manifests.
const CHECKER: &str = "cargo-deny";
const CHECKER_VERSION: &str = "0.20.2";
/// Both workspaces: what users run, and what runs in it.
const MANIFESTS: [&str; 2] = ["Cargo.toml", "plugins/Cargo.toml"];

/// Checks both workspaces. Advisories are looked up where their database can be had; where not, that is said.
pub(crate) fn run(project: &Project) -> Result<()> {
    let checker = checker(project)?;
    for manifest in MANIFESTS {
        check(project, &checker, manifest).args(["check", "--hide-inclusion-graph"]).args(KINDS).run()?;
    }
    let fetch = check(project, &checker, MANIFESTS[0]).args(["fetch", "db"]);
    if !fetch.succeeds()? {
        println!(
            "NOT CHECKED: known faults (advisories) of dependencies: their database cannot be had from here."
        );
        println!(
            "Run `cargo xtask dependencies` where https://github.com/RustSec/advisory-db can be reached."
        );
        return Ok(());
    }
    for manifest in MANIFESTS {
        check(project, &checker, manifest).args(["check", "advisories"]).run()?;
    }
    Ok(())
}

/// What needs no database. A licence or version that is allowed and not met here is met in the other workspace.
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

fn check(project: &Project, checker: &PathBuf, manifest: &str) -> Process {
    let words = ["--manifest-path", manifest, "--config", ".deny.toml"];
    Process::new(checker).args(words).directory(&project.root)
}

/// The machine's, else one of our own in the target folder.
fn checker(project: &Project) -> Result<PathBuf> {
    if process::is_installed(CHECKER)? {
        return Ok(CHECKER.into());
    }
    let tools = project.target.join("tools");
    let own = tools.join("bin").join(CHECKER);
    if !own.is_file() {
        // A debug build: it is made faster than it would be run by any other.
        let words =
            ["install", CHECKER, "--version", CHECKER_VERSION, "--locked", "--debug", "--quiet", "--root"];
        project.cargo(words).args([&tools]).args(["--target-dir"]).args([&tools.join("build")]).run()?;
    }
    Ok(own)
}
