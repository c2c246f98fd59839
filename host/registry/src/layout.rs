//! An OCI image layout: a registry's content as a folder.
//!
//! This module only reads; it returns the files to be written, and its caller writes them.

use std::{
    io::{ErrorKind as IoErrorKind, Read as _},
    path::{Path, PathBuf},
};

use bytes::Bytes;
use hookbox_platform::file;
use semver::Version;
use serde::{Deserialize, Serialize};

use crate::{
    component::MAX_COMPONENT,
    digest::Digest,
    error::{Error, ErrorKind},
    json,
    manifest::{Descriptor, Document, INDEX, MANIFEST, MAX_PACK, TAG},
    package::Package,
    pulled_content::{Found, Listed, Pulled, check_size, find_newest},
    reference::{Pick, parse_tag},
    session::MAX_MANIFEST,
    signed_release::Signed,
};

/// Prefix of a layout in the name of a source.
pub const SCHEME: &str = "oci-layout:";
const MARK: &str = "oci-layout";
const INDEX_FILE: &str = "index.json";
const MARK_TEXT: &[u8] = br#"{"imageLayoutVersion":"1.0.0"}"#;
/// Largest `oci-layout` file, bytes.
const MAX_MARK: u64 = 4 << 10;

#[derive(Deserialize)]
struct LayoutFile {
    #[serde(rename = "imageLayoutVersion")]
    version: String,
}

/// The index. Unknown members are kept when an entry is added.
#[derive(Default, Deserialize, Serialize)]
struct Index {
    #[serde(rename = "schemaVersion")]
    schema_version: u64,
    manifests: Vec<Descriptor>,
    #[serde(flatten)]
    rest: serde_json::Map<String, serde_json::Value>,
}

/// An open layout.
#[derive(Debug)]
pub struct Layout {
    folder: PathBuf,
    manifests: Vec<Descriptor>,
}

/// Parses a folder and a version: `oci-layout:FOLDER[:VERSION]`.
pub fn parse_source(text: &str) -> Option<(PathBuf, Pick)> {
    let rest = text.strip_prefix(SCHEME).filter(|rest| !rest.is_empty())?;
    // From the end, since a folder's name may contain `@` and `:`.
    if let Some((folder, digest)) = rest.rsplit_once('@')
        && let Some(digest) = Digest::parse(digest)
    {
        return Some((folder.into(), Pick::Digest(digest)));
    }
    match rest.rsplit_once(':').and_then(|(folder, tag)| Some((folder, parse_tag(tag)?))) {
        Some((folder, version)) => Some((folder.into(), Pick::Version(version))),
        None => Some((rest.into(), Pick::Newest)),
    }
}

impl Layout {
    /// Reads the index.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let mark = read_plain_file(&folder.join(MARK), MAX_MARK)?;
        let mark: LayoutFile = json::parse_document(&mark, "`oci-layout`")?;
        if mark.version != "1.0.0" {
            return Err(Error::for_damage("the image layout is of another version than 1.0.0"));
        }
        let index = read_index(&read_plain_file(&folder.join(INDEX_FILE), MAX_MANIFEST)?)?;
        Ok(Self { folder: folder.to_owned(), manifests: index.manifests })
    }

    /// Returns the content: a plugin, or the list of a pack.
    pub fn pull(&self, pick: &Pick) -> Result<Found, Error> {
        let (descriptor, version) = self.pick_manifest(pick)?;
        self.read_content(&descriptor, version)
    }

    fn pick_manifest(&self, pick: &Pick) -> Result<(Descriptor, Option<Version>), Error> {
        let wanted = match pick {
            Pick::Digest(digest) => return Ok((self.by_digest(digest)?, None)),
            Pick::Version(version) => Some(version.clone()),
            Pick::Newest => find_newest(self.tagged().map(|(version, _)| version)),
        };
        match (wanted, self.manifests.as_slice()) {
            (Some(version), _) => {
                let mut found = self.tagged().filter(|(tag, _)| *tag == version).map(|(_, found)| found);
                match (found.next(), found.next()) {
                    (Some(one), None) => Ok((one.clone(), Some(version))),
                    (None, _) => Err(self.has_no(&version.to_string())),
                    // Which of the two is meant would depend on their order in the file.
                    _ => Err(Error::for_damage(format!("{} has `{version}` twice", self.folder.display()))),
                }
            }
            (None, [one]) => Ok((one.clone(), None)),
            (None, _) => Err(self.has_no("version other than pre-releases")),
        }
    }

    /// Returns a listed manifest, or one within a pack, whose size is taken from its file.
    fn by_digest(&self, digest: &Digest) -> Result<Descriptor, Error> {
        if let Some(listed) = self.manifests.iter().find(|listed| listed.digest == *digest) {
            return Ok(listed.clone());
        }
        let bytes = read_plain_file(&self.blob_file(digest), MAX_MANIFEST)?;
        Ok(Descriptor { digest: digest.clone(), ..Descriptor::of_content(MANIFEST, &bytes) })
    }

    fn tagged(&self) -> impl Iterator<Item = (Version, &Descriptor)> {
        self.manifests.iter().filter_map(|listed| Some((parse_tag(listed.annotations.get(TAG)?)?, listed)))
    }

    fn read_content(&self, descriptor: &Descriptor, version: Option<Version>) -> Result<Found, Error> {
        let manifest = self.read_blob(descriptor, MAX_MANIFEST)?;
        let plugin = match Document::from_bytes(&manifest, Some(&descriptor.media_type))? {
            Document::Plugin(plugin) => plugin,
            Document::Pack(listed) => match listed.as_slice() {
                // A pack does not contain a pack, so this ends.
                [one] => return self.read_content(one, version),
                several => return Ok(Found::Pack(several.iter().map(Listed::from_descriptor).collect())),
            },
        };
        check_size(&plugin.layer, MAX_COMPONENT)?;
        let signed = Signed::from_annotations(&plugin.annotations)?;
        let component = self.read_blob(&plugin.layer, MAX_COMPONENT)?;
        Ok(Found::Plugin(Box::new(Pulled {
            manifest: descriptor.digest.clone(),
            digest: plugin.layer.digest,
            component,
            signed,
            version,
            moved: false,
        })))
    }

    fn read_blob(&self, wanted: &Descriptor, most: u64) -> Result<Vec<u8>, Error> {
        let digest = &wanted.digest;
        // Not more than the descriptor promises: the rest would be read only to be refused.
        let bytes = read_plain_file(&self.blob_file(digest), most.min(wanted.size))?;
        if bytes.len() as u64 != wanted.size || Digest::of_content(&bytes) != *digest {
            let folder = self.folder.display();
            return Err(Error::for_damage(format!("{folder} has other content for `{digest}`")));
        }
        Ok(bytes)
    }

    fn blob_file(&self, digest: &Digest) -> PathBuf {
        self.folder.join("blobs/sha256").join(digest.digits())
    }

    fn has_no(&self, what: &str) -> Error {
        Error::new(ErrorKind::NotFound, format!("{} has no `{what}`", self.folder.display()))
    }
}

/// Returns the files of a layout with this package, by their paths in its folder, the index last, since it refers to the others. `index`
/// is the existing index. A version that exists with other content is an error, unless `replace` is set.
pub fn build_files(
    index: Option<&[u8]>,
    package: &Package,
    version: &Version,
    replace: bool,
) -> Result<Vec<(PathBuf, Bytes)>, Error> {
    let mut index = index.map_or_else(|| Ok(Index::new_empty()), read_index)?;
    let tag = version.to_string();
    let is_ours = |listed: &Descriptor| listed.annotations.get(TAG) == Some(&tag);
    let taken = index.manifests.iter().any(|listed| is_ours(listed) && listed.digest != *package.digest());
    if taken && !replace {
        let text = format!("`{tag}` exists with other content; write another version, or pass --replace");
        return Err(Error::new(ErrorKind::Taken, text));
    }
    // Other versions of the layout stay, and this one must not be in it twice.
    index.manifests.retain(|listed| !is_ours(listed));
    index.manifests.push(package.top.0.clone().with_annotation(TAG, &tag));
    let contents = package.blobs.iter().chain(&package.manifests).chain([&package.top]);
    let path = |digest: &Digest| Path::new("blobs/sha256").join(digest.digits());
    let mut files: Vec<_> =
        contents.map(|(descriptor, content)| (path(&descriptor.digest), content.clone())).collect();
    files.push((MARK.into(), Bytes::from_static(MARK_TEXT)));
    // Last: an interrupted export must not leave an index that refers to missing files.
    files.push((INDEX_FILE.into(), Bytes::from(serde_json::to_vec(&index).unwrap_or_default())));
    Ok(files)
}

/// Returns the index of a layout's folder, if there is one.
pub fn index_of(folder: &Path) -> Result<Option<Vec<u8>>, Error> {
    match read_plain_file(&folder.join(INDEX_FILE), MAX_MANIFEST) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

impl Index {
    fn new_empty() -> Self {
        let kind = ("mediaType".to_owned(), serde_json::Value::from(INDEX));
        Self { schema_version: 2, manifests: Vec::new(), rest: [kind].into_iter().collect() }
    }
}

fn read_index(bytes: &[u8]) -> Result<Index, Error> {
    let index: Index = json::parse_document(bytes, "`index.json`")?;
    if index.schema_version != 2 {
        return Err(Error::for_damage("`index.json` has another `schemaVersion` than 2"));
    }
    if index.manifests.len() > MAX_PACK {
        return Err(Error::for_damage(format!("`index.json` lists more than {MAX_PACK} manifests")));
    }
    Ok(index)
}

/// Reads a plain file of at most `most` bytes; neither it nor its folder may be a link.
fn read_plain_file(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let shown = path.display();
    let fails = |error: &std::io::Error| {
        let kind = match error.kind() {
            IoErrorKind::NotFound | IoErrorKind::NotADirectory => ErrorKind::NotFound,
            _ => ErrorKind::Damaged,
        };
        Error::new(kind, format!("{shown} cannot be read: {error}"))
    };
    // A link in a foreign folder could lead to any file of the user.
    let opened = file::open_unlinked(path).map_err(|error| fails(&error))?;
    // Of the open file: a check of the path could see another file than the one that is read.
    let is_file = opened.metadata().map_err(|error| fails(&error))?.is_file();
    if !is_file {
        return Err(Error::for_damage(format!("{shown} is not a plain file")));
    }
    let mut bytes = Vec::new();
    opened.take(most + 1).read_to_end(&mut bytes).map_err(|error| fails(&error))?;
    if bytes.len() as u64 > most {
        return Err(Error::new(ErrorKind::TooLarge, format!("{shown} has more than {most} bytes")));
    }
    Ok(bytes)
}
