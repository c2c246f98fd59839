//! A plugin from a registry, an image layout, or a file with signatures beside it: `hookbox-bundle` fetches it and checks who signed it.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use hookbox::Sha256Digest;
use hookbox_files::{places::Places, plugin_lock::Signer, trust_files};
use hookbox_platform::file::make_private_folders;
use hookbox_trust::policies::CheckedKey;
use serde::Deserialize;

use super::beside;
use crate::report::plain;

/// How sources begin that are no files.
const REGISTRY: &str = "oci://";
const LAYOUT: &str = "oci-layout:";
/// What a publisher leaves beside a file that is signed.
const STATEMENT: &str = ".statement.json";

/// Is it something that has to be fetched?
pub(super) fn is_fetched(source: &Path) -> bool {
    let text = source.to_string_lossy();
    is_remote(&text) || is_signed(source)
}

/// Does it name no file that a person put there?
pub(super) fn is_remote(source: &str) -> bool {
    source.starts_with(REGISTRY) || source.starts_with(LAYOUT)
}

fn is_signed(file: &Path) -> bool {
    let mut beside = file.as_os_str().to_owned();
    beside.push(STATEMENT);
    Path::new(&beside).exists()
}

/// The source without version and digest: whatever is newest there.
pub(super) fn newest(source: &str) -> String {
    let (begin, name) = match source.strip_prefix(REGISTRY) {
        Some(name) => (REGISTRY, name),
        None => (LAYOUT, source.strip_prefix(LAYOUT).unwrap_or(source)),
    };
    let name = name.split_once('@').map_or(name, |(name, _)| name);
    let last = name.rfind('/').map_or(0, |slash| slash + 1);
    let end = name.get(last..).and_then(|part| part.find(':')).map_or(name.len(), |colon| last + colon);
    format!("{begin}{}", name.get(..end).unwrap_or(name))
}

/// What was fetched. Its folder is removed with it.
pub(super) struct Fetched {
    folder: PathBuf,
    /// Where it is from: what a lock file calls it.
    pub(super) source: String,
    /// `registry.example/acme/guard`; none of a file or layout.
    pub(super) registry: Option<String>,
    pub(super) manifest: Option<String>,
    pub(super) statement: Option<String>,
    pub(super) component: Sha256Digest,
    /// The keys whose signatures are good, each once.
    pub(super) keys: Vec<CheckedKey>,
    /// What is wrong with the others, a sentence each.
    pub(super) bad: Vec<String>,
    pub(super) release: Option<FetchedRelease>,
    pub(super) tag_moved: bool,
}

#[derive(Deserialize)]
struct Report {
    manifest: Option<String>,
    component: String,
    statement: Option<String>,
    signatures: Vec<Signature>,
    release: Option<FetchedRelease>,
    tag_moved: bool,
}

#[derive(Deserialize)]
struct Signature {
    key: Option<String>,
    principals: Vec<String>,
    verified: bool,
    why: Option<String>,
}

/// What its publisher signed of it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct FetchedRelease {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) seq: u64,
    pub(super) channel: Option<String>,
}

impl Drop for Fetched {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Fetched {
    /// Has it fetched. Nothing of it counts until it was judged.
    pub(super) fn new(source: &str, places: &Places) -> Result<Self, String> {
        let state = places.state().ok_or("no home folder is known; set HOME")?;
        let folder = state.join(format!("fetched-{}", std::process::id()));
        make_private_folders(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let made = Self::into(source, &folder, places);
        if made.is_err() {
            let _ = fs::remove_dir_all(&folder);
        }
        made
    }

    fn into(source: &str, folder: &Path, places: &Places) -> Result<Self, String> {
        let mut words: Vec<OsString> = vec![source.into(), "--into".into(), folder.into()];
        for (word, file) in trust_files::for_checking(places) {
            words.extend([word.into(), file.into()]);
        }
        let report = beside::fetched(&words)?;
        let strange = |why: &str| format!("hookbox-bundle is of another version than hookbox: {why}");
        let Report { manifest, component, statement, signatures, release, tag_moved } =
            serde_json::from_str(&report).map_err(|error| strange(&error.to_string()))?;
        let component = component
            .strip_prefix("sha256:")
            .and_then(Sha256Digest::parse)
            .ok_or_else(|| strange("it names no digest"))?;
        let (mut keys, mut bad): (Vec<CheckedKey>, _) = (Vec::new(), Vec::new());
        for Signature { key, principals, verified, why } in signatures {
            match key {
                Some(key) if verified => {
                    if keys.iter().all(|known| known.key != key) {
                        keys.push(CheckedKey { key, principals });
                    }
                }
                key => bad.push(format!(
                    "the signature by {} does not count: {}",
                    key.as_deref().unwrap_or("a key that cannot be read"),
                    why.as_deref().unwrap_or("nobody says why")
                )),
            }
        }
        let registry = source.strip_prefix(REGISTRY).map(|_| newest(source));
        Ok(Self {
            folder: folder.to_owned(),
            source: if is_remote(source) { newest(source) } else { file_source(source) },
            registry: registry.and_then(|registry| Some(registry.strip_prefix(REGISTRY)?.to_owned())),
            manifest,
            statement,
            component,
            keys,
            bad,
            release,
            tag_moved,
        })
    }

    /// The plugin's file.
    pub(super) fn file(&self) -> PathBuf {
        self.folder.join("component.wasm")
    }

    /// Who signed it, for a lock file: first the one that somebody vouches for.
    pub(super) fn signer(&self) -> Option<Signer> {
        let first = self.keys.iter().find(|key| !key.principals.is_empty()).or(self.keys.first())?;
        let others = self.keys.iter().filter(|key| key.key != first.key);
        Some(Signer {
            principal: first.principals.first().cloned(),
            key: first.key.clone(),
            also: others.map(|key| key.key.clone()).collect(),
        })
    }
}

fn file_source(file: &str) -> String {
    let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
    format!("file:{}", plain(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_of_a_source_has_neither_version_nor_digest() {
        for (source, expected) in [
            ("oci://localhost:5000/acme/guard", "oci://localhost:5000/acme/guard"),
            ("oci://localhost:5000/acme/guard:1.2.0", "oci://localhost:5000/acme/guard"),
            ("oci://r.example/acme/guard@sha256:00", "oci://r.example/acme/guard"),
            ("oci://r.example/acme/guard:1.2.0@sha256:00", "oci://r.example/acme/guard"),
            ("oci-layout:/a/b:1.2.0", "oci-layout:/a/b"),
            ("oci-layout:layout", "oci-layout:layout"),
        ] {
            assert_eq!(newest(source), expected);
        }
    }
}
