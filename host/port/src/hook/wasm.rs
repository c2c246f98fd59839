//! A component, as a hook calls it.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use hookbox_model::{Failure, FailureCode, Grants, Proposals};

use crate::{digest::Sha256Digest, shipped::ShippedPlugin};

/// Who brings a component.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Provenance {
    /// The user, or whoever the user trusts: the installation, a file that was reviewed.
    User,
    /// A project that nobody has reviewed.
    Stranger {
        /// The project's folder: the component must be in it, once links are followed.
        within: PathBuf,
    },
}

/// Which component.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WasmSpec {
    /// The file: an absolute path.
    pub path: PathBuf,
    /// Who brings it.
    pub provenance: Provenance,
    /// What is in the file, if that is said: any other content fails the hook.
    pub sha256: Option<Sha256Digest>,
    /// Does it come with hookbox? Then hookbox is to be installed again if the file is another.
    pub is_shipped: bool,
    /// What it may do beyond answering.
    pub grants: Grants,
    /// Parts of WebAssembly that it needs beyond what every hook has. Never for a stranger's.
    pub proposals: Proposals,
    /// Does it run in a process that has nothing, whoever brings it? A hook of the tier `unknown` does so in any case.
    pub isolate: bool,
}

impl WasmSpec {
    /// The component at this absolute path, wherever its links lead, with no grant.
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

    /// The shipped plugin, pinned, with no grant.
    pub fn shipped(plugin: ShippedPlugin) -> Self {
        Self { sha256: Some(plugin.sha256), is_shipped: true, ..Self::new(plugin.path) }
    }

    /// The file itself, links followed. One that is not there is for the loader to tell.
    pub fn file(&self) -> Result<Cow<'_, Path>, Failure> {
        let Provenance::Stranger { within } = &self.provenance else { return Ok(Cow::Borrowed(&self.path)) };
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
