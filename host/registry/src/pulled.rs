//! What was had from somewhere, with its digests checked.

use hookbox_model::PluginName;
use semver::Version;

use crate::{
    digest::Digest,
    error::Error,
    manifest::{Descriptor, TITLE},
    signed::Signed,
};

/// A plugin that is what its digest says. Whether anybody is trusted with it is not looked at here.
#[derive(Clone, Debug)]
pub struct Pulled {
    /// The manifest's digest.
    pub manifest: Digest,
    /// The component's digest.
    pub digest: Digest,
    /// The component.
    pub component: Vec<u8>,
    /// What was said of it.
    pub signed: Signed,
    /// The version of the tag that it was found by; `None` if it was asked for by digest.
    pub version: Option<Version>,
    /// Does the tag stand for something else by now?
    pub moved: bool,
}

/// What there is in a place.
#[derive(Clone, Debug)]
pub enum Found {
    /// One plugin.
    Plugin(Box<Pulled>),
    /// Several: each is asked for by its digest.
    Pack(Vec<Listed>),
}

/// A plugin of a pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The name of its file, without `.wasm`, if it is one that a plugin can have.
    pub name: Option<String>,
    /// Its manifest.
    pub manifest: Digest,
}

impl Listed {
    pub(crate) fn of(descriptor: &Descriptor) -> Self {
        let title = descriptor.annotations.get(TITLE).and_then(|title| title.strip_suffix(".wasm"));
        let name = title.filter(|name| !name.contains('/') && PluginName::parse(name).is_some());
        Self { name: name.map(str::to_owned), manifest: descriptor.digest.clone() }
    }
}

/// The highest version other than pre-releases.
pub(crate) fn newest(versions: impl IntoIterator<Item = Version>) -> Option<Version> {
    versions.into_iter().filter(|version| version.pre.is_empty()).max()
}

/// Is the component as large as it may be?
pub(crate) fn check_size(layer: &Descriptor, most: u64) -> Result<(), Error> {
    if layer.size <= most {
        return Ok(());
    }
    let text = format!("the component has {} bytes, and {most} is the most that is taken", layer.size);
    Err(Error::new(crate::ErrorKind::TooLarge, text))
}
