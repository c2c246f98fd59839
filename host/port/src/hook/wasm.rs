//! A component, as a hook calls it.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use hookbox_model::{Failure, FailureCode, Grants, Proposals};

use crate::{digest::Sha256Digest, shipped::ShippedPlugin};

/// Provider of a component.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Provenance {
    /// The user, or a party that the user trusts: the installation, a trusted file.
    User,
    /// An untrusted project.
    Untrusted {
        /// The project's folder: the component must be in it, once links are followed.
        within: PathBuf,
    },
}

/// A component as configured.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WasmSpec {
    /// The file: an absolute path.
    pub path: PathBuf,
    /// Its provider.
    pub provenance: Provenance,
    /// Digest of the file, if pinned: any other content fails the hook.
    pub sha256: Option<Sha256Digest>,
    /// True if it is shipped with hookbox. Then the help is to install hookbox again if the file has another digest.
    pub is_shipped: bool,
    /// Its grants beyond answering.
    pub grants: Grants,
    /// WebAssembly proposals that it needs beyond the default. Never for an untrusted component.
    pub proposals: Proposals,
    /// True if it runs in an isolated process without access to anything, for any provider. A hook of the tier `unknown` always does.
    pub isolate: bool,
}

impl WasmSpec {
    /// Creates the component at this absolute path, wherever its links lead, without grants.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            provenance: Provenance::User,
            sha256: None,
            is_shipped: false,
            grants: Grants::default(),
            proposals: Proposals::NONE,
            isolate: false,
        }
    }

    /// Creates the shipped plugin, pinned, without grants.
    pub fn shipped(plugin: ShippedPlugin) -> Self {
        Self { sha256: Some(plugin.sha256), is_shipped: true, ..Self::new(plugin.path) }
    }

    /// Returns the file itself, links followed. The loader reports a missing file.
    pub fn file(&self) -> Result<Cow<'_, Path>, Failure> {
        let Provenance::Untrusted { within } = &self.provenance else { return Ok(Cow::Borrowed(&self.path)) };
        if !self.proposals.is_none() {
            let message = "`features` are for a hook of the user's own, and this hook is untrusted";
            return Err(Failure::new(FailureCode::Refused, message));
        }
        let Ok(file) = self.path.canonicalize() else { return Ok(Cow::Borrowed(&self.path)) };
        if within.canonicalize().is_ok_and(|within| file.starts_with(within)) {
            return Ok(Cow::Owned(file));
        }
        let (path, within) = (self.path.display(), within.display());
        Err(Failure::new(
            FailureCode::BadComponent,
            &format!("the plugin {path} is a link that leads out of {within}; put the file itself there"),
        ))
    }
}
