//! A plugin from a registry, an image layout, or a file with signatures beside it: `hookbox-bundle` fetches it and checks who signed it.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use hookbox::{Sha256Digest, model::Version};
use hookbox_files::{
    places::Places,
    plugin_lock::{LockedPlugin, Signer},
    trust_files,
};
use hookbox_platform::{file::make_private_folders, folder::Folder, process::is_alive};
use hookbox_trust::{
    policies::CheckedKey,
    statement::{early, overdue},
};
use serde::Deserialize;

use super::beside;
use crate::report::plain;

/// How sources begin that are no files.
const REGISTRY: &str = "oci://";
const LAYOUT: &str = "oci-layout:";
/// What a publisher leaves beside a file that is signed.
const STATEMENT: &str = ".statement.json";

/// How the folder begins that something is fetched into, in that of what is kept; the number of who fetches it follows.
const FOLDER: &str = "fetched-";
/// Most entries of the folder of what is kept that are looked at.
const MAX_ENTRIES: usize = 10_000;

/// The folders of those who were killed while they fetched something.
///
/// # Errors
///
/// Where they would be cannot be read.
pub(super) fn left_behind(places: &Places) -> Result<Vec<PathBuf>, String> {
    let Some(folder) = places.state() else { return Ok(Vec::new()) };
    let failed = |error: io::Error| format!("{}: {error}", plain(&folder.to_string_lossy()));
    let state = match Folder::open(&folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        opened => opened.map_err(failed)?,
    };
    let mut left = Vec::new();
    let seen = state.for_each_name(MAX_ENTRIES, |name| {
        let process = name.strip_prefix(FOLDER).and_then(|number| number.parse().ok());
        if process.is_some_and(|process| !is_alive(process)) {
            left.push(folder.join(name));
        }
    });
    seen.map_err(failed)?;
    left.sort();
    Ok(left)
}

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

/// A source, and what of it is meant.
pub(super) struct Picked {
    /// Where whatever is newest is.
    pub(super) place: String,
    pub(super) version: Option<String>,
    /// Of the manifest, `sha256:…`.
    pub(super) digest: Option<String>,
}

/// The source without version and digest. A folder is the same one wherever it is asked from: that of another project, which has the
/// name, is not meant.
pub(super) fn newest(source: &str) -> String {
    picked(source).place
}

/// What a source says, as `hookbox-bundle` reads it: what is no version and no digest is of a folder's name.
pub(super) fn picked(source: &str) -> Picked {
    let (begin, rest) = match source.strip_prefix(REGISTRY) {
        Some(rest) => (REGISTRY, rest),
        None => (LAYOUT, source.strip_prefix(LAYOUT).unwrap_or(source)),
    };
    let is_layout = begin == LAYOUT;
    let is_digest = |text: &str| text.strip_prefix("sha256:").is_some_and(|digits| digits.len() == 64);
    let is_tag = |text: &str| Version::parse(text).is_ok_and(|version| version.build.is_empty());
    let (rest, digest) = match rest.rsplit_once('@') {
        Some((rest, digest)) if !is_layout || is_digest(digest) => (rest, Some(digest.to_owned())),
        _ => (rest, None),
    };
    let (name, version) = match rest.rsplit_once(':') {
        // Else it is a port, or of a folder's name.
        Some((name, tag)) if !tag.contains('/') && (!is_layout || digest.is_none() && is_tag(tag)) => {
            (name, Some(tag.to_owned()))
        }
        _ => (rest, None),
    };
    let place = match std::path::absolute(name) {
        Ok(folder) if is_layout => format!("{begin}{}", folder.display()),
        _ => format!("{begin}{name}"),
    };
    Picked { place, version, digest }
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
    /// What a key is by itself, in however many ways it is written down.
    point: Option<String>,
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
    issued: Option<String>,
    expires: Option<String>,
}

impl Drop for Fetched {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Fetched {
    /// Has it fetched. Nothing of it counts until it was judged.
    pub(super) fn new(source: &str, places: &Places) -> Result<Self, String> {
        Self::of(source, None, places)
    }

    /// Has the newest fetched of what was added. Of a pack that is the plugin with its name.
    pub(super) fn again(row: &LockedPlugin, places: &Places) -> Result<Self, String> {
        Self::of(&row.source, row.plugin.as_deref(), places)
    }

    /// Has that very release fetched once more; an error if nothing says which it was.
    pub(super) fn once_more(row: &LockedPlugin, places: &Places) -> Result<Self, String> {
        let manifest = row.manifest.as_ref().ok_or("hookbox.lock does not say which manifest it had")?;
        Self::of(&format!("{}@{manifest}", row.source), row.plugin.as_deref(), places)
    }

    fn of(source: &str, plugin: Option<&str>, places: &Places) -> Result<Self, String> {
        let state = places.state().ok_or("no home folder is known; set HOME")?;
        let folder = state.join(format!("{FOLDER}{}", std::process::id()));
        // Of one that had this number before and was killed.
        let _ = fs::remove_dir_all(&folder);
        make_private_folders(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let made = Self::into((source, plugin), &folder, places);
        if made.is_err() {
            let _ = fs::remove_dir_all(&folder);
        }
        made
    }

    fn into((source, plugin): (&str, Option<&str>), folder: &Path, places: &Places) -> Result<Self, String> {
        let mut words: Vec<OsString> = vec![source.into(), "--into".into(), folder.into()];
        for (word, file) in trust_files::for_checking(places) {
            words.extend([word.into(), file.into()]);
        }
        if let Some(plugin) = plugin {
            words.extend(["--plugin".into(), plugin.into()]);
        }
        let report = beside::fetched(&words)?;
        let strange = |why: &str| format!("hookbox-bundle is of another version than hookbox: {why}");
        let Report { manifest, component, statement, signatures, release, tag_moved } =
            serde_json::from_str(&report).map_err(|error| strange(&error.to_string()))?;
        let component = component
            .strip_prefix("sha256:")
            .and_then(Sha256Digest::parse)
            .ok_or_else(|| strange("it names no digest"))?;
        let (mut keys, mut points, mut bad): (Vec<CheckedKey>, Vec<_>, _) =
            (Vec::new(), Vec::new(), Vec::new());
        for Signature { key, point, principals, verified, why } in signatures {
            let had = points.iter().position(|known| *known == point);
            match (key, had.and_then(|had| keys.get_mut(had))) {
                // One key that is written down in two ways signs once, under all its names.
                (Some(_), Some(known)) if verified => known.principals.extend(principals),
                (Some(key), None) if verified => {
                    keys.push(CheckedKey { key, principals });
                    points.push(point);
                }
                (key, _) => bad.push(format!(
                    "{} does not count: {}",
                    key.map_or_else(|| "a signature".to_owned(), |key| format!("the signature by {key}")),
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

    /// Until when it is the newest, as whoever signed it says.
    pub(super) fn expires(&self) -> Option<&str> {
        self.release.as_ref().filter(|_| !self.keys.is_empty())?.expires.as_deref()
    }

    /// What is to be told if that is over.
    pub(super) fn overdue(&self) -> Option<String> {
        overdue(self.expires()?, SystemTime::now())
    }

    /// What is to be told if it was not made yet, as whoever signed it says.
    pub(super) fn early(&self) -> Option<String> {
        early(self.release.as_ref().filter(|_| !self.keys.is_empty())?.issued.as_deref()?, SystemTime::now())
    }

    /// What its publisher says of it, as it stands beside a file with the ends of these names.
    pub(super) fn said(&self) -> Vec<(String, Vec<u8>)> {
        let sig = |number: usize| if number == 0 { ".sig".to_owned() } else { format!(".sig.{number}") };
        let ends = std::iter::once(String::new()).chain((0..).map(sig));
        let named = ends.map(|end| {
            let bytes = fs::read(self.folder.join(format!("statement.json{end}"))).ok()?;
            Some((format!("{STATEMENT}{end}"), bytes))
        });
        named.map_while(|said| said).collect()
    }

    /// Who signed it, for a lock file that has this one before.
    pub(super) fn signer(&self, before: Option<&LockedPlugin>) -> Option<Signer> {
        Signer::of(&self.keys, before.and_then(|before| before.signer.as_ref()))
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
            ("oci-layout:/a/@acme", "oci-layout:/a/@acme"),
            ("oci-layout:/a/b:old", "oci-layout:/a/b:old"),
            (&format!("oci-layout:/a/b@sha256:{}", "0".repeat(64)), "oci-layout:/a/b"),
        ] {
            assert_eq!(newest(source), expected);
        }
        let here = std::env::current_dir().unwrap();
        assert_eq!(newest("oci-layout:layout:1.2.0"), format!("oci-layout:{}/layout", here.display()));
    }
}
