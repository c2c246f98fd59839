//! Locations of the project's files.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process::Process;

/// The features that the demo is built with: no script engine, and no tools for authors and publishers.
pub(crate) const DEMO_FEATURES: &str = "wasm-compiler";

/// The features that the whole host is built with, programs and tests.
pub(crate) const FEATURES: &str = "compiler,author,bundle,sigstore-verify";

/// Builds programs of the host workspace for the demo and for xtask.
pub(crate) const DEMO_BUILD: [&str; 5] = ["build", "--locked", "--workspace", "--features", DEMO_FEATURES];

/// The folders of one checkout.
pub struct Project {
    /// The repository.
    pub root: PathBuf,
    /// The host workspace's target folder, wherever cargo puts it.
    pub target: PathBuf,
}

impl Project {
    /// Opens the checkout that this program belongs to.
    pub fn open() -> Result<Self> {
        // cargo sets it to the folder `host/xtask` when it runs this program.
        let own = std::env::var_os("CARGO_MANIFEST_DIR").context("start me as `cargo xtask`")?;
        let root = Path::new(&own).ancestors().nth(2).context("I have left my folder")?.to_owned();
        let metadata = read_metadata(&root, "Cargo.toml")?;
        let target = metadata
            .get("target_directory")
            .and_then(Value::as_str)
            .context("cargo names no target folder")?;
        Ok(Self { target: target.into(), root })
    }

    /// Returns a cargo command in the host workspace.
    pub fn cargo<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Process {
        create_cargo_process(&self.root).args(arguments)
    }

    /// Returns the compiler that cargo uses here.
    pub(crate) fn rustc(&self) -> Process {
        let program = std::env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
        Process::new(program).directory(&self.root)
    }

    /// Builds a program that only xtask runs, and returns the command that runs it.
    ///
    /// It is built as a part of the workspace, like everything else: alone it would have its dependencies with other features, and they
    /// would be compiled once more.
    pub(crate) fn build_program(&self, name: &str) -> Result<Process> {
        self.cargo(DEMO_BUILD).args(["--quiet", "--bin", name]).run()?;
        Ok(Process::new(self.target.join("debug").join(name)))
    }

    /// Returns a cargo command on all of the host workspace with all features, whose compilations are also linted: a warning is an error.
    ///
    /// clippy runs in place of the compiler, as in `cargo clippy`, so that one build serves the lints and the tests.
    pub(crate) fn cargo_with_lints<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> Process {
        let process = self.cargo(words).args(["--locked", "--workspace", "--features", FEATURES]);
        with_lints(process)
    }

    /// Runs cargo with lints in the guests' workspace, for this machine.
    pub(crate) fn guest_cargo_with_lints<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> Process {
        with_lints(self.guest_cargo(words).args(["--locked", "--workspace"]))
    }

    /// Returns a cargo command, `words`, in the guests' workspace, which has a target folder of its own.
    pub(crate) fn guest_cargo<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> Process {
        self.cargo(words)
            .args(["--manifest-path", "plugins/Cargo.toml", "--target-dir"])
            .args([self.guests()])
    }

    /// Returns the number of packages that a build of the whole host compiles.
    pub(crate) fn count_packages(&self) -> Result<usize> {
        let words = [
            "tree",
            "--locked",
            "--workspace",
            "--features",
            FEATURES,
            "--prefix",
            "none",
            "--format",
            "{p}",
        ];
        let tree = self.cargo(words).args(["--edges", "normal,build,dev"]).output()?;
        Ok(count_lines(&tree))
    }

    /// Returns the number of packages that a build of these programs of the host compiles.
    pub(crate) fn count_packages_of(&self, packages: &[&str]) -> Result<usize> {
        let words = ["tree", "--locked", "--features", DEMO_FEATURES, "--prefix", "none", "--format", "{p}"];
        let packages = packages.iter().flat_map(|package| ["--package", package]);
        let tree = self.cargo(words).args(["--edges", "normal,build"]).args(packages).output()?;
        Ok(count_lines(&tree))
    }

    /// Returns the guests' target folder.
    pub(crate) fn guests(&self) -> PathBuf {
        self.target.join("guests")
    }

    /// Returns the names of the shipped plugins: the guest packages that become a module.
    pub(crate) fn plugins(&self) -> Result<Vec<String>> {
        let metadata = read_metadata(&self.root, "plugins/Cargo.toml")?;
        let mut names: Vec<String> = list_at(&metadata, "packages")
            .filter(|package| is_module(package))
            .filter_map(package_name)
            .collect();
        names.sort();
        Ok(names)
    }
}

fn with_lints(cargo: Process) -> Process {
    cargo
        .quiet_env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
        // The form in which `cargo clippy` passes the arguments after `--`.
        .quiet_env("CLIPPY_ARGS", "-Dwarnings__CLIPPY_HACKERY__")
}

fn read_metadata(root: &Path, manifest: &str) -> Result<Value> {
    let arguments = ["metadata", "--no-deps", "--format-version", "1", "--manifest-path", manifest];
    let text = create_cargo_process(root).args(arguments).output()?;
    serde_json::from_str(&text).context("cannot read what `cargo metadata` wrote")
}

/// Returns cargo, in this folder, as if the user had started it: the variables that the cargo which runs xtask sets for xtask are removed,
/// since build scripts that read these variables (ring's) would run again, with everything that depends on them.
fn create_cargo_process(root: &Path) -> Process {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
    let of_xtask = names.filter(|name| is_set_for_a_package(name)).collect::<Vec<_>>();
    of_xtask.iter().fold(Process::new(program).directory(root), |cargo, name| cargo.without_env(name))
}

/// Returns true if `cargo run` sets a variable of this name for the program that it runs.
fn is_set_for_a_package(name: &str) -> bool {
    ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|prefix| name.starts_with(prefix))
        || ["CARGO", "CARGO_BIN_NAME", "CARGO_CRATE_NAME", "CARGO_PRIMARY_PACKAGE", "OUT_DIR"].contains(&name)
}

/// Returns the number of different lines; cargo marks a package that it has printed before.
fn count_lines(tree: &str) -> usize {
    let packages = tree.lines().map(|line| line.trim_end_matches(" (*)"));
    packages.filter(|line| !line.is_empty()).collect::<HashSet<_>>().len()
}

fn is_module(package: &Value) -> bool {
    list_at(package, "targets").flat_map(|target| list_at(target, "crate_types")).any(|kind| kind == "cdylib")
}

fn package_name(package: &Value) -> Option<String> {
    Some(package.get("name")?.as_str()?.to_owned())
}

fn list_at<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}
