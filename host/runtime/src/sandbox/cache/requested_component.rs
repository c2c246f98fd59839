//! A requested component, and the check that its file is the one that was configured.

use std::path::Path;

use hookbox_model::{Failure, FailureCode, Proposals};

use super::CachePart;
use crate::{Sha256Digest, hook::RefusedPlugins, sandbox::untrusted::Share};

#[derive(Clone, Copy)]
pub(crate) struct RequestedComponent<'a> {
    pub(crate) path: &'a Path,
    pub(crate) part: CachePart,
    /// Required digest, if one is configured.
    pub(crate) pinned: Option<&'a Sha256Digest>,
    /// True if it is shipped with hookbox. Then no configuration entry has its digest.
    pub(crate) is_shipped: bool,
    pub(crate) proposals: Proposals,
    /// Plugins that are never called.
    pub(crate) refused: &'a RefusedPlugins,
    /// The share of its project's byte budget, for an untrusted component.
    pub(crate) share: Option<&'a Share>,
}

impl RequestedComponent<'_> {
    /// Checks that this digest is the required one and not refused. A replaced file is detected before it is used.
    pub(super) fn check_digest(&self, digest: &str) -> Result<(), Failure> {
        if let Some(why) = self.refused.find_reason(digest) {
            let message = format!("the plugin {} is refused: {why}", self.path.display());
            return Err(Failure::new(FailureCode::Refused, &message));
        }
        let Some(pinned) = self.pinned.filter(|pinned| pinned.as_str() != digest) else { return Ok(()) };
        let (path, pinned) = (self.path.display(), pinned.as_str());
        let message = if self.is_shipped {
            format!(
                "the plugin {path} was replaced: it is not the file that comes with this hookbox; install hookbox again"
            )
        // A file of the plugin store is named by its digest. Advice to write the digest of the changed file
        // into the entry would accept a file that no publisher has signed.
        } else if self.path.file_stem().is_some_and(|name| name == pinned) {
            format!(
                "the plugin {path} was replaced: it is kept under its SHA-256 and has another; `hookbox plugin update`, or `hookbox plugin add` of \
                 its file, gets it again"
            )
        } else {
            format!(
                "the plugin {path} was replaced: its SHA-256 is not {pinned}, the digest in its hook's entry; if that was you, \
                 write `sha256 = \"{digest}\"`"
            )
        };
        Err(Failure::new(FailureCode::Replaced, &message))
    }
}
