//! Pulled content with verified digests.

use hookbox_model::PluginName;
use semver::Version;

use crate::{
    digest::Digest,
    error::Error,
    manifest::{Descriptor, TITLE},
    signed_release::Signed,
};

/// A plugin with a verified digest. Trust in its publisher is not checked here.
#[derive(Clone, Debug)]
pub struct Pulled {
    /// The manifest's digest.
    pub manifest: Digest,
    /// The component's digest.
    pub digest: Digest,
    /// The component.
    pub component: Vec<u8>,
    /// Its statement and signatures.
    pub signed: Signed,
    /// The version of its tag; `None` if it was requested by digest.
    pub version: Option<Version>,
    /// True if the tag now refers to other content.
    pub moved: bool,
}

/// Content of a place.
#[derive(Clone, Debug)]
pub enum Found {
    /// One plugin.
    Plugin(Box<Pulled>),
    /// Several plugins: each is requested by its digest.
    Pack(Vec<Listed>),
}

/// A plugin of a pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The name of its file, without `.wasm`, if it is a valid name of a plugin.
    pub name: Option<String>,
    /// Its manifest.
    pub manifest: Digest,
}

impl Listed {
    pub(crate) fn from_descriptor(descriptor: &Descriptor) -> Self {
        let title = descriptor.annotations.get(TITLE).and_then(|title| title.strip_suffix(".wasm"));
        // The title is untrusted and becomes part of a file's name.
        let name = title.filter(|name| !name.contains('/') && PluginName::parse(name).is_some());
        Self { name: name.map(str::to_owned), manifest: descriptor.digest.clone() }
    }
}

/// Returns the highest version that is not a pre-release.
pub(crate) fn find_newest(versions: impl IntoIterator<Item = Version>) -> Option<Version> {
    // A pre-release is chosen by naming it, never by being the highest.
    versions.into_iter().filter(|version| version.pre.is_empty()).max()
}

pub(crate) fn check_size(layer: &Descriptor, most: u64) -> Result<(), Error> {
    if layer.size <= most {
        return Ok(());
    }
    let text = format!("the component has {} bytes, and the maximum is {most}", layer.size);
    Err(Error::new(crate::ErrorKind::TooLarge, text))
}
