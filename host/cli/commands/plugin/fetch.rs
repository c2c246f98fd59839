//! A plugin from a registry, an image layout, or a file with signatures: `hookbox-bundle` fetches it and verifies them.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use hookbox::{Sha256Digest, model::Version};
use hookbox_app::{
    places::Places,
    plugin_lock::{LockedPlugin, Signer},
    trust_files,
};
use hookbox_platform::{file::make_private_folders, folder::Folder, process::is_alive};
use hookbox_trust::{
    policies::CheckedKey,
    statement::{find_early_warning, find_overdue_warning},
};
use serde::Deserialize;

use super::companions;
use crate::report::sanitize_line;

/// Prefixes of sources that are not files.
const REGISTRY: &str = "oci://";
const LAYOUT: &str = "oci-layout:";
/// Suffix of the statement next to a signed file.
const STATEMENT: &str = ".statement.json";

/// Prefix of a folder for fetched files, in the state folder; the number of the fetching process follows.
const FOLDER: &str = "fetched-";
/// Maximum number of entries of the state folder that are read.
const MAX_ENTRIES: usize = 10_000;

/// Returns the folders of processes that were killed while they fetched something.
///
/// # Errors
///
/// The state folder cannot be read.
pub(super) fn left_behind(places: &Places) -> Result<Vec<PathBuf>, String> {
    let Some(folder) = places.state() else { return Ok(Vec::new()) };
    let failed = |error: io::Error| format!("{}: {error}", sanitize_line(&folder.to_string_lossy()));
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

pub(super) fn is_fetched(source: &Path) -> bool {
    let text = source.to_string_lossy();
    is_remote(&text) || is_signed(source)
}

/// Returns true if the source is not a local file.
pub(super) fn is_remote(source: &str) -> bool {
    source.starts_with(REGISTRY) || source.starts_with(LAYOUT)
}

/// Returns true if a statement is next to the file.
pub(super) fn is_signed(file: &Path) -> bool {
    let mut beside = file.as_os_str().to_owned();
    beside.push(STATEMENT);
    Path::new(&beside).exists()
}

/// A source, with the selected version or digest.
pub(super) struct Picked {
    /// The source of the newest release.
    pub(super) place: String,
    pub(super) version: Option<String>,
    /// Digest of the manifest, `sha256:…`.
    pub(super) digest: Option<String>,
}

/// Returns the source without version and digest. A folder is made absolute: a folder of that name in another project is not
/// meant.
pub(super) fn strip_version(source: &str) -> String {
    parse_source(source).place
}

/// Parses a source as `hookbox-bundle` does: in a layout, text that is neither a version nor a digest belongs to the folder's
/// name.
pub(super) fn parse_source(source: &str) -> Picked {
    let (begin, rest) = match source.strip_prefix(REGISTRY) {
        Some(rest) => (REGISTRY, rest),
        None => (LAYOUT, source.strip_prefix(LAYOUT).unwrap_or(source)),
    };
    let is_layout = begin == LAYOUT;
    let is_digest = |text: &str| text.strip_prefix("sha256:").is_some_and(|digits| digits.len() == 64);
    // A tag of a registry cannot contain `+`, so a version with build metadata is not one.
    let is_tag = |text: &str| Version::parse(text).is_ok_and(|version| version.build.is_empty());
    let (rest, digest) = match rest.rsplit_once('@') {
        Some((rest, digest)) if !is_layout || is_digest(digest) => (rest, Some(digest.to_owned())),
        _ => (rest, None),
    };
    let (name, version) = match rest.rsplit_once(':') {
        // Otherwise it is a port, or part of a folder's name.
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

/// A fetched plugin. Its folder is removed with it.
pub(super) struct Fetched {
    folder: PathBuf,
    /// Its source in the form of the lock file.
    pub(super) source: String,
    /// `registry.example/acme/guard`; `None` for a file or layout.
    pub(super) registry: Option<String>,
    pub(super) manifest: Option<String>,
    pub(super) statement: Option<String>,
    pub(super) component: Sha256Digest,
    /// The keys whose signatures are valid, each once.
    pub(super) keys: Vec<CheckedKey>,
    /// Problems of the other signatures, a sentence each.
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
    /// Identity of a key, independent of how it is written down.
    point: Option<String>,
    principals: Vec<String>,
    verified: bool,
    why: Option<String>,
}

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
    /// Fetches a plugin. It is not trusted until it was judged.
    pub(super) fn new(source: &str, places: &Places) -> Result<Self, String> {
        Self::fetch_source(source, None, places)
    }

    /// Fetches the newest release of an added plugin. From a pack, the plugin with its name is taken.
    pub(super) fn fetch_newest(row: &LockedPlugin, places: &Places) -> Result<Self, String> {
        Self::fetch_source(&row.source, row.plugin.as_deref(), places)
    }

    /// Fetches that very release again; an error if its manifest is not recorded.
    pub(super) fn once_more(row: &LockedPlugin, places: &Places) -> Result<Self, String> {
        let manifest = row.manifest.as_ref().ok_or("hookbox.lock does not name its manifest")?;
        Self::fetch_source(&format!("{}@{manifest}", row.source), row.plugin.as_deref(), places)
    }

    fn fetch_source(source: &str, plugin: Option<&str>, places: &Places) -> Result<Self, String> {
        let state = places.state().ok_or("the home folder is unknown; set HOME")?;
        // The number of the process lets `gc` see whether the folder is still in use.
        let folder = state.join(format!("{FOLDER}{}", std::process::id()));
        // Left by a former process with this number that was killed.
        let _ = fs::remove_dir_all(&folder);
        make_private_folders(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let made = Self::fetch_into((source, plugin), &folder, places);
        if made.is_err() {
            let _ = fs::remove_dir_all(&folder);
        }
        made
    }

    fn fetch_into(
        (source, plugin): (&str, Option<&str>),
        folder: &Path,
        places: &Places,
    ) -> Result<Self, String> {
        let mut words: Vec<OsString> = vec![source.into(), "--into".into(), folder.into()];
        for (word, file) in trust_files::for_checking(places) {
            words.extend([word.into(), file.into()]);
        }
        if let Some(plugin) = plugin {
            words.extend(["--plugin".into(), plugin.into()]);
        }
        let report = companions::fetch_plugin(&words)?;
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
                    "{} is not accepted: {}",
                    key.map_or_else(|| "a signature".to_owned(), |key| format!("the signature by {key}")),
                    why.as_deref().unwrap_or("no reason is given")
                )),
            }
        }
        let registry = source.strip_prefix(REGISTRY).map(|_| strip_version(source));
        Ok(Self {
            folder: folder.to_owned(),
            source: if is_remote(source) { strip_version(source) } else { file_source(source) },
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

    pub(super) fn file(&self) -> PathBuf {
        self.folder.join("component.wasm")
    }

    /// Returns the time until which the release is current, as its signer stated it.
    pub(super) fn expires(&self) -> Option<&str> {
        // Without a valid signature the date may be forged.
        self.release.as_ref().filter(|_| !self.keys.is_empty())?.expires.as_deref()
    }

    /// Returns a warning if that time is over.
    pub(super) fn overdue(&self) -> Option<String> {
        find_overdue_warning(self.expires()?, SystemTime::now())
    }

    /// Returns a warning if the signed time of its creation is in the future.
    pub(super) fn early(&self) -> Option<String> {
        find_early_warning(
            self.release.as_ref().filter(|_| !self.keys.is_empty())?.issued.as_deref()?,
            SystemTime::now(),
        )
    }

    /// Returns its sidecar files, with their suffixes.
    pub(super) fn read_sidecars(&self) -> Vec<(String, Vec<u8>)> {
        let sig = |number: usize| if number == 0 { ".sig".to_owned() } else { format!(".sig.{number}") };
        let ends = std::iter::once(String::new()).chain((0..).map(sig));
        let named = ends.map(|end| {
            let bytes = fs::read(self.folder.join(format!("statement.json{end}"))).ok()?;
            Some((format!("{STATEMENT}{end}"), bytes))
        });
        named.map_while(|sidecar| sidecar).collect()
    }

    /// Returns the signer, for a lock file with this former entry.
    pub(super) fn find_signer(&self, before: Option<&LockedPlugin>) -> Option<Signer> {
        Signer::from_keys(&self.keys, before.and_then(|before| before.signer.as_ref()))
    }
}

fn file_source(file: &str) -> String {
    let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
    format!("file:{}", sanitize_line(&name))
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
            assert_eq!(strip_version(source), expected);
        }
        let here = std::env::current_dir().unwrap();
        assert_eq!(strip_version("oci-layout:layout:1.2.0"), format!("oci-layout:{}/layout", here.display()));
    }
}
