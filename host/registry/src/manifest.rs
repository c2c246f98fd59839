//! Manifests of registries and layouts: image manifests of one component, and indexes of those.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{digest::Digest, error::Error, json};

pub(crate) const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
/// Media type of an index of manifests: a pack of plugins.
pub(crate) const INDEX: &str = "application/vnd.oci.image.index.v1+json";
/// Media type of the configuration of a component's image.
pub(crate) const CONFIG: &str = "application/vnd.wasm.config.v0+json";
/// Media type of the component.
pub(crate) const LAYER: &str = "application/wasm";
/// Annotation with the name of a file.
pub(crate) const TITLE: &str = "org.opencontainers.image.title";
pub(crate) const VERSION: &str = "org.opencontainers.image.version";
pub(crate) const TAG: &str = "org.opencontainers.image.ref.name";
/// Most plugins of a pack.
pub(crate) const MAX_PACK: usize = 256;

/// Annotations of content.
pub type Annotations = BTreeMap<String, String>;

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Descriptor {
    /// Media type.
    #[serde(rename = "mediaType")]
    pub media_type: String,
    /// Digest of the content.
    pub digest: Digest,
    /// Size in bytes.
    pub size: u64,
    /// Annotations of the content.
    #[serde(default, skip_serializing_if = "Annotations::is_empty")]
    pub annotations: Annotations,
}

impl Descriptor {
    pub(crate) fn of_content(media_type: &str, content: &[u8]) -> Self {
        Self {
            media_type: media_type.to_owned(),
            digest: Digest::of_content(content),
            size: content.len() as u64,
            annotations: Annotations::new(),
        }
    }

    #[must_use]
    pub(crate) fn with_annotation(mut self, key: &str, value: &str) -> Self {
        self.annotations.insert(key.to_owned(), value.to_owned());
        self
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Manifest {
    /// The component.
    pub layer: Descriptor,
    /// Annotations of the manifest, with the statement and signatures.
    pub annotations: Annotations,
}

/// Content of a tag or a digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Document {
    Plugin(Manifest),
    /// Several, each by its digest.
    Pack(Vec<Descriptor>),
}

/// Both kinds in serialised form. Unknown members are allowed.
#[derive(Deserialize)]
struct Raw {
    #[serde(rename = "schemaVersion")]
    schema_version: u64,
    #[serde(rename = "mediaType")]
    media_type: Option<String>,
    config: Option<Descriptor>,
    layers: Option<Vec<Descriptor>>,
    manifests: Option<Vec<Descriptor>>,
    #[serde(default)]
    annotations: Annotations,
}

impl Document {
    /// Parses a document. `declared` is the media type in the server's response, which must equal the document's own.
    pub(crate) fn from_bytes(bytes: &[u8], declared: Option<&str>) -> Result<Self, Error> {
        let raw: Raw = json::parse_document(bytes, "the manifest")?;
        if raw.schema_version != 2 {
            return Err(Error::for_damage("the manifest has another `schemaVersion` than 2"));
        }
        let own = raw.media_type.as_deref();
        let kind = match (own, declared) {
            // A document with two types could be read as a plugin by one program and as an index by another.
            (Some(own), Some(declared)) if own != declared => {
                return Err(Error::for_damage("the manifest and its server state different media types"));
            }
            (Some(kind), _) | (None, Some(kind)) => kind,
            (None, None) if raw.manifests.is_some() => INDEX,
            (None, None) => MANIFEST,
        };
        match (kind, raw.config, raw.layers, raw.manifests) {
            // With members of both kinds it would depend on the reader which one the digest stands for.
            (MANIFEST, Some(config), Some(layers), None) => {
                read_plugin_document(&config, layers, raw.annotations)
            }
            (INDEX, None, None, Some(manifests)) => read_pack_document(manifests),
            (MANIFEST | INDEX, ..) => {
                Err(Error::for_damage("the manifest is neither one of a plugin nor an index of plugins"))
            }
            _ => Err(Error::for_damage("this is not a plugin: the manifest is of another kind")),
        }
    }
}

fn read_plugin_document(
    config: &Descriptor,
    mut layers: Vec<Descriptor>,
    annotations: Annotations,
) -> Result<Document, Error> {
    if config.media_type != CONFIG {
        return Err(Error::for_damage(format!("this is not a plugin: its configuration is not `{CONFIG}`")));
    }
    let count = layers.len();
    match (layers.pop(), count) {
        // With several layers the signed digest would cover one of them only.
        (Some(layer), 1) if layer.media_type == LAYER => {
            Ok(Document::Plugin(Manifest { layer, annotations }))
        }
        (Some(_), 1) => Err(Error::for_damage(format!("this is not a plugin: its layer is not `{LAYER}`"))),
        _ => Err(Error::for_damage(format!("a plugin has one layer; this has {count}"))),
    }
}

fn read_pack_document(manifests: Vec<Descriptor>) -> Result<Document, Error> {
    if manifests.is_empty() || manifests.len() > MAX_PACK {
        let count = manifests.len();
        return Err(Error::for_damage(format!("a pack has 1 to {MAX_PACK} plugins; this has {count}")));
    }
    // An index within an index could be nested without an end.
    if manifests.iter().any(|manifest| manifest.media_type != MANIFEST) {
        return Err(Error::for_damage(
            "a pack has plugins in it, and nothing else: no index within an index",
        ));
    }
    Ok(Document::Pack(manifests))
}

#[derive(Serialize)]
struct ManifestText<'a> {
    #[serde(rename = "schemaVersion")]
    schema_version: u64,
    #[serde(rename = "mediaType")]
    media_type: &'a str,
    config: &'a Descriptor,
    layers: [&'a Descriptor; 1],
    annotations: &'a Annotations,
}

#[derive(Serialize)]
struct IndexText<'a> {
    #[serde(rename = "schemaVersion")]
    schema_version: u64,
    #[serde(rename = "mediaType")]
    media_type: &'a str,
    manifests: &'a [Descriptor],
}

pub(crate) fn encode_manifest(config: &Descriptor, layer: &Descriptor, annotations: &Annotations) -> Vec<u8> {
    let text = ManifestText { schema_version: 2, media_type: MANIFEST, config, layers: [layer], annotations };
    serde_json::to_vec(&text).unwrap_or_default()
}

pub(crate) fn encode_index(manifests: &[Descriptor]) -> Vec<u8> {
    serde_json::to_vec(&IndexText { schema_version: 2, media_type: INDEX, manifests }).unwrap_or_default()
}
