//! Packages to be pushed: a component with its metadata, or a pack of several.

use bytes::Bytes;

use crate::{
    component::{self, MAX_COMPONENT},
    digest::Digest,
    error::{Error, ErrorKind},
    manifest::{
        Annotations, CONFIG, Descriptor, INDEX, LAYER, MANIFEST, MAX_PACK, TITLE, VERSION, encode_index,
        encode_manifest,
    },
    session::MAX_MANIFEST,
    signed_release::Signed,
};

/// A release of a plugin.
#[derive(Clone, Debug)]
pub struct Release {
    /// The component's file.
    pub component: Bytes,
    /// Its name: `acme/guard`.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Annotations of the image itself, such as its source and licence.
    pub annotations: Annotations,
    /// Its statement and signatures.
    pub signed: Signed,
}

/// Content with descriptors, and the manifest at its top.
#[derive(Clone, Debug)]
pub struct Package {
    /// Configurations and components.
    pub(crate) blobs: Vec<(Descriptor, Bytes)>,
    pub(crate) manifests: Vec<(Descriptor, Bytes)>,
    /// The manifest or index for the tag.
    pub(crate) top: (Descriptor, Bytes),
}

impl Package {
    /// Builds the package of one plugin, or a pack of several. Equal releases make equal bytes.
    pub fn new(releases: &[Release]) -> Result<Self, Error> {
        if releases.is_empty() || releases.len() > MAX_PACK {
            return Err(Error::new(ErrorKind::Usage, format!("a pack has 1 to {MAX_PACK} plugins")));
        }
        let (mut blobs, mut manifests) = (Vec::new(), Vec::new());
        for release in releases {
            let (content, manifest) = release.contents()?;
            blobs.extend(content);
            manifests.push(manifest);
        }
        let top = match manifests.as_slice() {
            [one] => one.clone(),
            several => {
                let listed: Vec<_> = several.iter().map(|(descriptor, _)| descriptor.clone()).collect();
                let index = encode_index(&listed);
                (Descriptor::of_content(INDEX, &index), Bytes::from(index))
            }
        };
        Ok(Self { blobs, manifests, top })
    }

    /// Returns the digest of the top document.
    pub fn digest(&self) -> &Digest {
        &self.top.0.digest
    }

    pub(crate) fn is_pack(&self) -> bool {
        self.top.0.media_type == INDEX
    }
}

type Contents = (Vec<(Descriptor, Bytes)>, (Descriptor, Bytes));

impl Release {
    fn contents(&self) -> Result<Contents, Error> {
        if self.component.len() as u64 > MAX_COMPONENT {
            let text = format!("`{}` is larger than {MAX_COMPONENT} bytes", self.name);
            return Err(Error::new(ErrorKind::TooLarge, text));
        }
        let configuration = component::build_configuration(&self.component)?;
        let config = Descriptor::of_content(CONFIG, &configuration);
        let layer = Descriptor::of_content(LAYER, &self.component).with_annotation(TITLE, &self.title());
        let mut annotations = self.annotations.clone();
        // After the caller's annotations, so that none of these can name another version.
        annotations.insert(VERSION.to_owned(), self.version.clone());
        self.signed.write_annotations(&mut annotations);
        let manifest = encode_manifest(&config, &layer, &annotations);
        // hookbox would not pull it back.
        if manifest.len() as u64 > MAX_MANIFEST {
            let text = format!("the statement and signatures of `{}` are too long", self.name);
            return Err(Error::new(ErrorKind::TooLarge, text));
        }
        let descriptor = Descriptor::of_content(MANIFEST, &manifest)
            .with_annotation(TITLE, &self.title())
            .with_annotation(VERSION, &self.version);
        let blobs = vec![(config, Bytes::from(configuration)), (layer, self.component.clone())];
        // A manifest's descriptor in an index names its plugin; no other annotation of it is read.
        Ok((blobs, (descriptor, Bytes::from(manifest))))
    }

    /// Returns the file name for downloads.
    fn title(&self) -> String {
        let last = self.name.rsplit('/').next().unwrap_or(&self.name);
        format!("{last}.wasm")
    }
}
