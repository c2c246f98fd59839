//! The npm package.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{Built, copy, emptied};
use crate::debian;
use crate::process::{self, Process};
use crate::project::Project;

/// What a package is made of that is no library.
const FILES: [&str; 4] = ["index.js", "index.d.ts", "package.json", "README.md"];
/// What reads the types as a program's author would.
const TYPES: [&str; 2] = ["typescript@7.0.2", "@types/node@24.19.2"];

/// Builds the package, installs it into a folder that has nothing else, and runs its tests there.
pub(super) fn test(project: &Project, built: &Built) -> Result<()> {
    if !process::is_installed("npm")? {
        debian::install(&["npm"]).context("the package for Node.js needs npm")?;
    }
    let package = package(project, built)?;
    let place = emptied(project, "node-environment")?;
    let sources = project.root.join("sdk/node");
    copy(&sources.join("test"), &place.join("test"))?;
    copy(&sources.join("README.md"), &place.join("README.md"))?;
    fs::write(place.join("package.json"), "{\"private\": true}\n")?;
    let npm = |words: &[&str]| Process::new("npm").args(words).directory(&place);
    npm(&["install", "--offline", "--no-audit", "--no-fund", "--silent"]).args([&package]).run()?;
    let tests = Process::new("node").args(["--test", "--test-reporter=dot"]).args(test_files(&place)?);
    tests.env("HOOKBOX_CASES", project.root.join("tests/conformance/cases")).directory(&place).run()?;
    npm(&["install", "--no-save", "--no-audit", "--no-fund", "--silent"]).args(TYPES).run()?;
    let words = ["tsc", "--noEmit", "--strict", "--module", "nodenext", "--types", "node", "test/types.ts"];
    npm(&["exec", "--offline", "--"]).args(words).run()
}

/// By name, since not every version of Node.js looks into folders.
fn test_files(place: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(place.join("test"))? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(".test.js") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// `target/packages/node/hookbox-….tgz`.
fn package(project: &Project, built: &Built) -> Result<PathBuf> {
    let stage = emptied(project, "npm")?;
    for file in FILES {
        copy(&project.root.join("sdk/node").join(file), &stage.join(file))?;
    }
    copy(&built.library("hookbox_node"), &stage.join("hookbox.node"))?;
    built.fill(&stage.join("host"))?;
    let packages = emptied(project, "node")?;
    let words = ["pack", "--silent", "--pack-destination"];
    Process::new("npm").args(words).args([&packages]).directory(&stage).run()?;
    let mut files = fs::read_dir(&packages)?;
    Ok(files.next().context("npm made no package")??.path())
}
