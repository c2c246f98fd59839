//! The check that the demo and the tests compile each dependency with the same features, and so only once.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};

use crate::project::{DEMO_FEATURES, FEATURES, Project};

/// Fails if the demo's build has a dependency with other features than the tests' build; `host/xtask/unify/Cargo.toml` makes them the same.
pub(crate) fn check(project: &Project) -> Result<()> {
    let demo = dependencies(project, DEMO_FEATURES, "normal,build")?;
    let tests = dependencies(project, FEATURES, "normal,build,dev")?;
    let different: Vec<_> = demo.difference(&tests).map(String::as_str).collect();
    ensure!(
        different.is_empty(),
        "the demo's build has dependencies with other features than the tests' build, so they would be compiled twice; add the features \
         that the tests turn on to host/xtask/unify/Cargo.toml:\n{}",
        different.join("\n")
    );
    Ok(())
}

/// A line for each package of a registry, with its version and features.
fn dependencies(project: &Project, features: &str, edges: &str) -> Result<BTreeSet<String>> {
    let words = ["tree", "--locked", "--workspace", "--features", features, "--edges", edges];
    let tree = project.cargo(words).args(["--prefix", "none", "--format", "{p} {f}"]).output()?;
    // Packages of the workspace have their folder in the line.
    let lines = tree.lines().map(|line| line.trim_end_matches(" (*)").to_owned());
    Ok(lines.filter(|line| !line.is_empty() && !line.contains('/')).collect())
}
