//! Plugins that an installation of hookbox contains, called by name.

use std::path::{Path, PathBuf};

use crate::Sha256Digest;

/// Folder of the shipped plugins, and their digests. Empty by default: then no shipped plugin can be named.
#[derive(Clone, Debug, Default)]
pub struct ShippedPlugins {
    folder: PathBuf,
    pins: &'static [Pin],
}

/// The shipped plugin that computes facts about command lines.
pub(crate) const SHELL_FACTS: &str = "shell-facts";

/// The name of a shipped plugin, and the SHA-256 of its file in hexadecimal.
pub type Pin = (&'static str, &'static str);

/// A shipped plugin: its file and digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShippedPlugin {
    /// Its name, as in `wasm = { plugin = "NAME" }`.
    pub name: &'static str,
    /// Its file: an absolute path. Not checked for existence.
    pub path: PathBuf,
    /// Digest of its file.
    pub sha256: Sha256Digest,
}

impl ShippedPlugins {
    /// Creates the plugins `<folder>/<name>.wasm`. The pins must be in the program: a user who can replace the files could replace a list
    /// next to them, too.
    pub fn new(folder: &Path, pins: &'static [Pin]) -> Self {
        Self { folder: folder.to_owned(), pins }
    }

    /// Returns their folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns all of them, in the order of the pins.
    pub fn iter(&self) -> impl Iterator<Item = ShippedPlugin> {
        self.pins.iter().filter_map(|pin| self.find_pinned(*pin))
    }

    /// Returns the plugin of this name.
    pub fn find(&self, name: &str) -> Option<ShippedPlugin> {
        // The name in a configuration is only compared: the path is made from the name in the program.
        self.pins.iter().find(|(known, _)| *known == name).and_then(|pin| self.find_pinned(*pin))
    }

    /// Returns all names.
    pub fn names(&self) -> Vec<&'static str> {
        self.pins.iter().map(|(name, _)| *name).collect()
    }

    fn find_pinned(&self, (name, sha256): Pin) -> Option<ShippedPlugin> {
        let path = self.folder.join(format!("{name}.wasm"));
        Some(ShippedPlugin { name, path, sha256: Sha256Digest::parse(sha256)? })
    }
}
