//! Where things are.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process::Process;

/// The features that the whole host is built with, programs and tests.
pub(crate) const FEATURES: &str = "compiler,author,bundle,sigstore-verify";

/// The folders of one checkout.
pub(crate) struct Project {
    /// The repository.
    pub(crate) root: PathBuf,
    /// The host workspace's target folder, wherever cargo puts it.
    pub(crate) target: PathBuf,
}

impl Project {
    /// The checkout that this program belongs to.
    pub(crate) fn open() -> Result<Self> {
        let own = std::env::var_os("CARGO_MANIFEST_DIR").context("start me as `cargo xtask`")?;
        let root = Path::new(&own).ancestors().nth(2).context("I have left my folder")?.to_owned();
        let metadata = metadata(&root, "Cargo.toml")?;
        let target = metadata
            .get("target_directory")
            .and_then(Value::as_str)
            .context("cargo names no target folder")?;
        Ok(Self { target: target.into(), root })
    }

    /// A cargo command in the host workspace.
    pub(crate) fn cargo<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Process {
        cargo(&self.root).args(arguments)
    }

    /// A cargo command, `words`, in the guests' workspace, which has a target folder of its own.
    pub(crate) fn guest_cargo<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> Process {
        self.cargo(words)
            .args(["--manifest-path", "plugins/Cargo.toml", "--target-dir"])
            .args([self.guests()])
    }

    /// The guests' target folder.
    pub(crate) fn guests(&self) -> PathBuf {
        self.target.join("guests")
    }

    /// The names of the shipped plugins: the guest packages that become a module.
    pub(crate) fn plugins(&self) -> Result<Vec<String>> {
        let metadata = metadata(&self.root, "plugins/Cargo.toml")?;
        let mut names: Vec<String> =
            list(&metadata, "packages").filter(|package| is_module(package)).filter_map(name).collect();
        names.sort();
        Ok(names)
    }
}

fn metadata(root: &Path, manifest: &str) -> Result<Value> {
    let arguments = ["metadata", "--no-deps", "--format-version", "1", "--manifest-path", manifest];
    let text = cargo(root).args(arguments).output()?;
    serde_json::from_str(&text).context("cannot read what `cargo metadata` wrote")
}

fn cargo(root: &Path) -> Process {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    Process::new(program).directory(root)
}

fn is_module(package: &Value) -> bool {
    list(package, "targets").flat_map(|target| list(target, "crate_types")).any(|kind| kind == "cdylib")
}

fn name(package: &Value) -> Option<String> {
    Some(package.get("name")?.as_str()?.to_owned())
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}
