//! A component, as a hook calls it.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use hookbox_model::{Failure, FailureCode, Grants, Proposals};

use crate::{
    digest::Sha256Digest,
    shipped::{SHELL_FACTS, ShippedPlugin, ShippedPlugins},
};

/// A component as configured.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WasmSpec {
    /// The file: an absolute path.
    pub path: PathBuf,
    /// The folder that must contain the file once links are followed: the project's, for a hook of a project's file. None for a hook of
    /// the user or of the administrator.
    pub confined_to: Option<PathBuf>,
    /// Digest of the file, if pinned: any other content fails the hook.
    pub sha256: Option<Sha256Digest>,
    /// True if it is shipped with hookbox. Then the help is to install hookbox again if the file has another digest.
    pub is_shipped: bool,
    /// Its grants beyond answering.
    pub grants: Grants,
    /// WebAssembly proposals that it needs beyond the default. Never for an untrusted component.
    pub proposals: Proposals,
    /// True if it runs in an isolated process without access to anything, for any provider. An untrusted hook always does.
    pub isolate: bool,
}

impl WasmSpec {
    /// Creates the component at this absolute path, wherever its links lead, without grants.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            confined_to: None,
            sha256: None,
            is_shipped: false,
            grants: Grants::default(),
            proposals: Proposals::NONE,
            isolate: false,
        }
    }

    /// Creates the shipped plugin, pinned, without grants.
    pub fn from_shipped(plugin: ShippedPlugin) -> Self {
        Self { sha256: Some(plugin.sha256), is_shipped: true, ..Self::new(plugin.path) }
    }

    /// Returns the shipped plugin that computes facts about command lines, if the program has it.
    pub fn find_facts_plugin(shipped: &ShippedPlugins) -> Option<Self> {
        shipped.find(SHELL_FACTS).map(Self::from_shipped)
    }

    /// Returns the file itself, links followed. The loader reports a missing file.
    pub fn file(&self) -> Result<Cow<'_, Path>, Failure> {
        let Some(folder) = &self.confined_to else { return Ok(Cow::Borrowed(&self.path)) };
        // The reader of the configuration refuses this, too, but any program can create such a value.
        if !self.proposals.is_none() {
            let message = "`features` are for a hook of the user's own, and this hook is untrusted";
            return Err(Failure::new(FailureCode::Refused, message));
        }
        let Ok(file) = self.path.canonicalize() else { return Ok(Cow::Borrowed(&self.path)) };
        // Both paths have their links resolved: the project itself can be reached by a link.
        if folder.canonicalize().is_ok_and(|folder| file.starts_with(folder)) {
            return Ok(Cow::Owned(file));
        }
        let (path, folder) = (self.path.display(), folder.display());
        Err(Failure::new(
            FailureCode::BadComponent,
            &format!("the plugin {path} is a link that leads out of {folder}; put the file itself there"),
        ))
    }
}
