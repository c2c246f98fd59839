//! The npm packages.

mod scripts;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{Built, cases_folder, copy_tree, create_stage_folder};
use crate::process::Process;
use crate::project::Project;
use crate::toolchains::{self, npm};

/// Files of the package other than the native library.
const FILES: [&str; 5] = ["bus.js", "index.js", "index.d.ts", "package.json", "README.md"];
/// Type checker for a program that uses the package, and the types that every program has.
const TYPESCRIPT: [&str; 2] =
    [include_str!("npm/typescript/package.json"), include_str!("npm/typescript/package-lock.json")];
/// The SDK for which `hookbox-agent-sdk` is, and these types.
const AGENT_SDK: [&str; 2] =
    [include_str!("npm/agent-sdk/package.json"), include_str!("npm/agent-sdk/package-lock.json")];
/// The folders of these files and of the toolchains' files.
const LOCKED: [&str; 4] =
    ["packages/npm/typescript", "packages/npm/agent-sdk", "toolchains/assemblyscript", "toolchains/sigstore"];

/// Writes the lock file for each `package.json`.
pub(super) fn write_lock_files(project: &Project) -> Result<()> {
    LOCKED
        .iter()
        .try_for_each(|folder| npm::write_lock_file(&project.root.join("host/xtask/src").join(folder)))
}

/// Builds the packages, installs them into otherwise empty folders, and runs their tests there.
pub(super) fn test_packages(project: &Project, built: &Built, claude_code: &Path) -> Result<()> {
    npm::make_ready()?;
    let host = Package { folder: "packages/node", tarball: build_library(project, built)? };
    let agent_sdk = Package {
        folder: "integrations/agent-sdk-node",
        tarball: build_plain(project, "integrations/agent-sdk-node")?,
    };
    let own = Place::new(project, &host)?;
    // The package has no dependencies, and must not get any unnoticed.
    own.install_packages(&[&host.tarball], "--offline")?;
    own.run_tests(&[("HOOKBOX_CASES", &cases_folder(project))])?;
    let tools = project.target.join("tools/typescript");
    let checker = tools.join("node_modules/.bin/tsc");
    let [package, lock] = TYPESCRIPT;
    toolchains::install_once(&tools, lock, &checker, |folder| {
        npm::install_packages(folder, package, lock, &[])
    })?;
    symlink(tools.join("node_modules/@types"), own.0.join("node_modules/@types"))?;
    own.check_types(&checker)?;
    let place = Place::new(project, &agent_sdk)?;
    let [package, lock] = AGENT_SDK;
    // Claude Code is an optional package of the SDK, and left out: it is there.
    npm::install_packages(&place.0, package, lock, &["--omit=optional"])?;
    // npm queries the registry for versions of the peer dependency, even if one is installed; it installs none of them.
    place.install_packages(&[&host.tarball, &agent_sdk.tarball], "--prefer-offline")?;
    place.run_tests(&[("HOOKBOX_CLAUDE_CODE", claude_code)])?;
    place.check_types(&checker)?;
    scripts::test_package(project, &checker)
}

const TESTS: [&str; 2] = ["--test", "--test-reporter=dot"];
const FETCH: [&str; 4] = ["install", "--no-audit", "--no-fund", "--silent"];

/// A package as npm made it, and its sources.
struct Package {
    folder: &'static str,
    tarball: PathBuf,
}

/// A folder where one is installed and tried.
struct Place(PathBuf);

impl Place {
    /// Creates a folder with only the package's tests and its page.
    fn new(project: &Project, package: &Package) -> Result<Self> {
        let place =
            create_stage_folder(project, &format!("{}-environment", package.folder.replace('/', "-")))?;
        let sources = project.root.join(package.folder);
        for name in ["test", "README.md"] {
            copy_tree(&sources.join(name), &place.join(name))?;
        }
        // Without this file npm would install into a parent folder.
        fs::write(place.join("package.json"), "{\"private\": true}\n")?;
        Ok(Self(place))
    }

    fn create_npm_process(&self, words: &[&str]) -> Process {
        Process::new("npm").args(words).directory(&self.0)
    }

    /// Installs packages that were built here and whose dependencies are installed.
    fn install_packages(&self, packages: &[&Path], network: &str) -> Result<()> {
        self.create_npm_process(&FETCH)
            .args([network, "--omit=optional"])
            .args(npm::NETWORK)
            .args(packages)
            .run()
    }

    fn run_tests(&self, variables: &[(&str, &Path)]) -> Result<()> {
        let tests = Process::new("node").args(TESTS).args(test_files(&self.0)?);
        let tests = variables.iter().fold(tests, |tests, (name, value)| tests.env(name, value));
        tests.directory(&self.0).run()
    }

    fn check_types(&self, checker: &Path) -> Result<()> {
        let words = ["--noEmit", "--strict", "--module", "nodenext", "--types", "node", "test/types.ts"];
        Process::new(checker).args(words).directory(&self.0).run()
    }
}

/// Lists the files by name, since not every version of Node.js searches folders.
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

/// Builds `target/packages/node/hookbox-….tgz`.
fn build_library(project: &Project, built: &Built) -> Result<PathBuf> {
    let stage = create_stage_folder(project, "npm")?;
    for file in FILES {
        copy_tree(&project.root.join("packages/node").join(file), &stage.join(file))?;
    }
    copy_tree(&built.find_library_path("hookbox_node"), &stage.join("hookbox.node"))?;
    built.fill_package(&stage.join("host"))?;
    pack_sources(project, &stage, "node")
}

/// Returns the package of a pure JavaScript folder: `target/packages/<folder, with hyphens>/….tgz`.
fn build_plain(project: &Project, folder: &str) -> Result<PathBuf> {
    pack_sources(project, &project.root.join(folder), &folder.replace('/', "-"))
}

fn pack_sources(project: &Project, sources: &Path, name: &str) -> Result<PathBuf> {
    let packages = create_stage_folder(project, name)?;
    let words = ["pack", "--silent", "--pack-destination"];
    Process::new("npm").args(words).args([&packages]).directory(sources).run()?;
    let mut files = fs::read_dir(&packages)?;
    Ok(files.next().context("npm made no package")??.path())
}
