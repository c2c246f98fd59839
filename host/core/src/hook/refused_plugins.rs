//! Plugins that are never called, in any configuration.

use std::{collections::BTreeMap, sync::Arc};

use crate::digest::Sha256Digest;

/// Digests of refused plugins, with reasons. Cheap to clone; the default refuses none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefusedPlugins(Option<Arc<BTreeMap<String, String>>>);

impl RefusedPlugins {
    /// Creates a list of these plugins, each with a sentence why.
    pub fn new(refused: impl IntoIterator<Item = (Sha256Digest, String)>) -> Self {
        let refused: BTreeMap<_, _> =
            refused.into_iter().map(|(digest, why)| (digest.as_str().to_owned(), why)).collect();
        // Most hosts refuse no plugin. Shared, since every plugin of a host keeps the list.
        Self((!refused.is_empty()).then(|| Arc::new(refused)))
    }

    /// Returns the reason why the file with this digest, in hexadecimal, is not called; `None` if it may be.
    pub fn find_reason(&self, digest: &str) -> Option<&str> {
        self.0.as_ref()?.get(digest).map(String::as_str)
    }
}
