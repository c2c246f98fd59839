//! The plugins that an installation of hookbox brings, called by name.

use std::path::{Path, PathBuf};

use crate::Sha256Digest;

/// Where the shipped plugins are, and what each of them must be. Empty by default: then none can be named.
#[derive(Clone, Debug, Default)]
pub struct ShippedPlugins {
    folder: PathBuf,
    pins: &'static [Pin],
}

/// The name of a shipped plugin, and the SHA-256 of its file in hexadecimal.
pub type Pin = (&'static str, &'static str);

/// One shipped plugin: which file it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShippedPlugin {
    /// Its name, as in `wasm = { plugin = "NAME" }`.
    pub name: &'static str,
    /// Its file: an absolute path. Nobody has looked whether it is there.
    pub path: PathBuf,
    /// What its file is.
    pub sha256: Sha256Digest,
}

impl ShippedPlugins {
    /// The plugins `<folder>/<name>.wasm`. The pins belong into the program: a list beside the files could be replaced
    /// by whoever can replace them.
    pub fn new(folder: &Path, pins: &'static [Pin]) -> Self {
        Self { folder: folder.to_owned(), pins }
    }

    /// The folder that they are in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// All of them, in the order of the pins.
    pub fn iter(&self) -> impl Iterator<Item = ShippedPlugin> {
        self.pins.iter().filter_map(|pin| self.plugin(*pin))
    }

    /// The one of this name.
    pub fn find(&self, name: &str) -> Option<ShippedPlugin> {
        self.pins.iter().find(|(known, _)| *known == name).and_then(|pin| self.plugin(*pin))
    }

    /// All names.
    pub fn names(&self) -> Vec<&'static str> {
        self.pins.iter().map(|(name, _)| *name).collect()
    }

    fn plugin(&self, (name, sha256): Pin) -> Option<ShippedPlugin> {
        let path = self.folder.join(format!("{name}.wasm"));
        Some(ShippedPlugin { name, path, sha256: Sha256Digest::parse(sha256)? })
    }
}
