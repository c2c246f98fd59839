//! The highest release seen of each added plugin, so that an earlier one does not replace it, even if it is correctly signed.
//!
//! A record counts as long as one of its keys is not revoked: a thief who signs the highest number with a stolen key no longer
//! blocks releases signed with other keys once that key is revoked. A key that has expired, or was removed from the list, is
//! not revoked.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Read},
    path::{Path, PathBuf},
};

use hookbox_platform::file;
use hookbox_trust::policies::CheckedKey;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    plugin_lock::{LockedPlugin, PluginLock},
    state_file::{self, WriteError},
};

/// Largest file that is read, bytes.
const MAX_BYTES: u64 = 1 << 20;
/// Maximum number of stored releases; the oldest is dropped first.
const MOST: usize = 2000;

/// One release that was added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeenRelease {
    /// The publisher: the name of the signing key, or the key if none is listed.
    pub publisher: String,
    /// The plugin's name.
    pub name: String,
    /// The keys of that publisher that signed it, sorted.
    pub keys: Vec<String>,
    /// The release number.
    pub seq: u64,
    /// The SHA-256 of its file.
    pub component: String,
}

impl SeenRelease {
    /// Returns the release with this number and file, for each signer. Unlisted keys are left out if a listed one signed as
    /// well: a distributor can add any of them, and every record would then have a key that is not revoked.
    pub fn list_by_signer(keys: &[CheckedKey], name: &str, seq: u64, component: &str) -> Vec<Self> {
        let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for CheckedKey { key, principals } in keys {
            for principal in principals {
                all.entry(principal.clone()).or_default().insert(key.clone());
            }
        }
        // A signature of an unlisted key still identifies its signer, by the key.
        if all.is_empty() {
            all.extend(keys.iter().map(|key| (key.key.clone(), BTreeSet::from([key.key.clone()]))));
        }
        let one = |(publisher, keys): (String, BTreeSet<String>)| Self {
            publisher,
            name: name.to_owned(),
            keys: keys.into_iter().collect(),
            seq,
            component: component.to_owned(),
        };
        all.into_iter().map(one).collect()
    }

    /// Returns the release of a row, if it is signed and has a release number.
    fn of_row(row: &LockedPlugin) -> Option<Self> {
        let signer = row.signer.as_ref()?;
        let keys: BTreeSet<_> = signer.keys().map(str::to_owned).collect();
        Some(Self {
            publisher: signer.principal.clone().unwrap_or_else(|| signer.key.clone()),
            name: row.plugin.clone()?,
            keys: keys.into_iter().collect(),
            seq: row.seq?,
            component: row.sha256.clone(),
        })
    }

    /// Returns true if both are of one publisher's plugin. A shared key means one publisher, whatever its names.
    fn is_of(&self, other: &Self) -> bool {
        let is_same =
            self.publisher == other.publisher || self.keys.iter().any(|key| other.keys.contains(key));
        is_same && self.name == other.name
    }
}

/// The file of the releases cannot be read. No plugin may be added then.
#[derive(Debug, Error)]
#[error(
    "{} lists the added releases, and {cause}; fix or remove it: without it, an older release of a plugin that is not in hookbox.lock can be added",
    .path.display()
)]
pub struct ReleasesError {
    /// The file.
    pub path: PathBuf,
    /// The cause.
    #[source]
    pub cause: ReleasesFault,
}

/// Cause of a [`ReleasesError`].
#[derive(Debug, Error)]
pub enum ReleasesFault {
    /// The file cannot be opened.
    #[error("it cannot be read: {0}")]
    Open(#[source] io::Error),
    /// The file cannot be read to its end.
    #[error("{0}")]
    Read(#[source] io::Error),
    /// The content is not a list of releases.
    #[error("it is damaged: {0}")]
    Damaged(#[source] serde_json::Error),
}

/// Reason why a release may not be added.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OutdatedRelease {
    /// A later release was added before.
    #[error(
        "it is release {seq} of `{name}`, and release {later} of {publisher} was here before; --allow-downgrade takes the earlier one"
    )]
    Earlier {
        /// The plugin's name.
        name: String,
        /// The release number.
        seq: u64,
        /// The highest release number that was added.
        later: u64,
        /// The publisher of the later release.
        publisher: String,
    },
    /// Another file with the same release number was added before.
    #[error(
        "it is release {seq} of `{name}`, and another file was that before (sha256 {component}): its publisher did not count `seq` up \
         in plugin.toml, or the tag was moved; --allow-downgrade takes it"
    )]
    OtherFile {
        /// The plugin's name.
        name: String,
        /// The release number.
        seq: u64,
        /// The SHA-256 of the file that was added before.
        component: String,
    },
}

/// The releases that were added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Releases(Vec<SeenRelease>);

impl Releases {
    /// Reads the file; empty if it does not exist.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is damaged.
    pub fn load(path: &Path) -> Result<Self, ReleasesError> {
        Self::read_file(path).map_err(|cause| ReleasesError { path: path.to_owned(), cause })
    }

    fn read_file(path: &Path) -> Result<Self, ReleasesFault> {
        let file = match file::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            opened => opened.map_err(ReleasesFault::Open)?,
        };
        let mut text = Vec::new();
        // A truncated file is invalid JSON.
        file.take(MAX_BYTES).read_to_end(&mut text).map_err(ReleasesFault::Read)?;
        serde_json::from_slice(&text).map(Self).map_err(ReleasesFault::Damaged)
    }

    /// Adds the releases of a lock file: their numbers count where the records are gone. The result is for checks, and is not
    /// stored.
    #[must_use]
    pub fn and_locked(mut self, lock: &PluginLock) -> Self {
        self.0.extend(lock.iter().filter_map(SeenRelease::of_row));
        self
    }

    /// Checks whether this release may be added. A record counts as long as one of its keys is not revoked.
    ///
    /// # Errors
    ///
    /// A later release was added before, or another file with the same number.
    pub fn check_release(
        &self,
        release: &SeenRelease,
        is_revoked: &dyn Fn(&str) -> bool,
    ) -> Result<(), OutdatedRelease> {
        // The holder of one of its keys is its publisher, whatever name the key is listed under now.
        let of_its_keys = self.0.iter().filter(|seen| seen.is_of(release)).map(|seen| &seen.publisher);
        let publishers: BTreeSet<_> = of_its_keys.chain([&release.publisher]).collect();
        let is_its = |seen: &SeenRelease| {
            seen.is_of(release) || seen.name == release.name && publishers.contains(&seen.publisher)
        };
        let counts = |seen: &&SeenRelease| is_its(seen) && !seen.keys.iter().all(|key| is_revoked(key));
        let SeenRelease { name, seq, .. } = release;
        let counting = || self.0.iter().filter(counts);
        // The highest, so that a user who asks for the reported release is not refused again.
        if let Some(seen) = counting().filter(|seen| seen.seq > *seq).max_by_key(|seen| seen.seq) {
            return Err(OutdatedRelease::Earlier {
                name: name.clone(),
                seq: *seq,
                later: seen.seq,
                publisher: seen.publisher.clone(),
            });
        }
        let is_other = |seen: &&SeenRelease| seen.seq == *seq && seen.component != release.component;
        if let Some(seen) = counting().find(is_other) {
            return Err(OutdatedRelease::OtherFile {
                name: name.clone(),
                seq: *seq,
                component: seen.component.clone(),
            });
        }
        Ok(())
    }

    /// Adds this release, replacing the one of the same keys.
    #[must_use]
    pub fn with_release(mut self, release: SeenRelease) -> Self {
        self.0.retain(|seen| {
            (&seen.publisher, &seen.name, &seen.keys) != (&release.publisher, &release.name, &release.keys)
        });
        self.0.push(release);
        let surplus = self.0.len().saturating_sub(MOST);
        self.0.drain(..surplus);
        self
    }

    /// Writes the releases.
    ///
    /// # Errors
    ///
    /// The file cannot be written; it is unchanged.
    pub fn save(&self, path: &Path) -> Result<(), WriteError> {
        let text = serde_json::to_vec(&self.0).map_err(io::Error::from);
        text.and_then(|text| state_file::replace_file(path, &text))
            .map_err(|error| WriteError { file: path.to_owned(), error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make_release(keys: &[&str], seq: u64, component: &str) -> SeenRelease {
        SeenRelease {
            publisher: "release@acme.example".to_owned(),
            name: "acme/guard".to_owned(),
            keys: keys.iter().map(ToString::to_string).collect(),
            seq,
            component: component.to_owned(),
        }
    }

    fn is_refused(releases: &Releases, release: &SeenRelease, revoked: &[&str]) -> bool {
        releases.check_release(release, &|key| revoked.contains(&key)).is_err()
    }

    #[test]
    fn no_earlier_release_and_no_other_file_of_the_same_number_is_admitted() {
        let releases = Releases::default().with_release(make_release(&["a"], 5, "five"));
        assert!(!is_refused(&releases, &make_release(&["a"], 5, "five"), &[]));
        assert!(!is_refused(&releases, &make_release(&["a"], 6, "six"), &[]));
        assert!(is_refused(&releases, &make_release(&["a"], 4, "four"), &[]));
        assert!(is_refused(&releases, &make_release(&["a"], 5, "other"), &[]));
        // Signed with another key of the publisher's, the number continues.
        assert!(is_refused(&releases, &make_release(&["b"], 4, "four"), &[]));
        let unknown =
            |keys| SeenRelease { publisher: "SHA256:a".to_owned(), ..make_release(keys, 4, "four") };
        let rotated = releases.clone().with_release(make_release(&["c"], 7, "seven"));
        assert!(
            is_refused(&rotated, &SeenRelease { seq: 6, ..unknown(&["a"]) }, &[]),
            "nobody vouches for it now"
        );
        let other = SeenRelease { publisher: "evil".to_owned(), ..make_release(&["e"], 1, "one") };
        assert!(!is_refused(&releases, &other, &[]), "of another publisher it is another plugin");
        let by_key = SeenRelease { publisher: "a".to_owned(), ..make_release(&["a"], 9, "nine") };
        let releases = releases.with_release(by_key);
        assert!(
            is_refused(&releases, &make_release(&["a"], 8, "eight"), &[]),
            "the key is vouched for since"
        );
        assert!(!is_refused(&releases, &make_release(&["b"], 8, "eight"), &[]));
    }

    #[test]
    fn a_refusal_names_the_highest_release_that_was_here() {
        let releases = Releases::default()
            .with_release(make_release(&["a"], 5, "five"))
            .with_release(make_release(&["b"], 9, "nine"));
        let why =
            releases.check_release(&make_release(&["a"], 4, "four"), &|_| false).unwrap_err().to_string();
        assert!(why.contains("and release 9 of release@acme.example was here before"), "{why}");
    }

    #[test]
    fn what_a_lock_file_has_counts_where_the_kept_numbers_are_gone() {
        let row = |signer: &str| {
            format!(
                "version = 2\n[[plugin]]\nname = \"guard\"\nplugin = \"acme/guard\"\nseq = 5\nsource = \"oci://r.example/acme\"\n\
                 {signer}file = \"plugins/guard.wasm\"\nsize = 0\nsha256 = \"{}\"\ngranted = []\n",
                hookbox::Sha256Digest::of_content(b"five").as_str()
            )
        };
        let signed = row("signer = { principal = \"release@acme.example\", key = \"SHA256:a\" }\n");
        let locked = |text: &str| Releases::default().and_locked(&PluginLock::parse(text).unwrap());
        let of = |keys: &[&str], seq| make_release(keys, seq, "other");
        assert!(is_refused(&locked(&signed), &of(&["SHA256:a"], 4), &[]));
        assert!(is_refused(&locked(&signed), &of(&["SHA256:a"], 5), &[]), "another file of the same number");
        assert!(is_refused(&locked(&signed), &of(&["SHA256:b"], 4), &[]), "another key of the publisher's");
        assert!(!is_refused(&locked(&signed), &of(&["SHA256:a"], 6), &[]));
        assert!(!is_refused(&locked(&signed), &of(&["SHA256:b"], 4), &["SHA256:a"]));
        assert!(!is_refused(&locked(&row("")), &of(&["SHA256:a"], 4), &[]), "nobody signed that one");
    }

    #[test]
    fn what_a_thief_signed_counts_until_the_key_is_revoked() {
        let releases = Releases::default().with_release(make_release(&["old"], 12, "twelve"));
        let releases = releases.with_release(make_release(&["old"], u64::MAX, "evil"));
        assert!(is_refused(&releases, &make_release(&["new"], 13, "thirteen"), &[]));
        assert!(!is_refused(&releases, &make_release(&["new"], 13, "thirteen"), &["old"]));
    }

    #[test]
    fn a_number_counts_as_long_as_one_of_its_keys_does() {
        let releases = Releases::default().with_release(make_release(&["new", "old"], 12, "twelve"));
        assert!(is_refused(&releases, &make_release(&["new"], 11, "eleven"), &["old"]), "signed with both");
        assert!(!is_refused(&releases, &make_release(&["newest"], 11, "eleven"), &["old", "new"]));
        let renamed = SeenRelease { publisher: "acme".to_owned(), ..make_release(&["new"], 11, "eleven") };
        assert!(is_refused(&releases, &renamed, &[]), "one key is one publisher");
        let other = SeenRelease { name: "acme/other".to_owned(), ..make_release(&["new"], 1, "one") };
        assert!(!is_refused(&releases, &other, &[]));
    }

    #[test]
    fn a_release_is_kept_for_each_name_that_signed_it_and_for_no_key_that_is_anybodys() {
        let key = |key: &str, principals: &[&str]| CheckedKey {
            key: key.to_owned(),
            principals: principals.iter().map(ToString::to_string).collect(),
        };
        let each = |keys: &[CheckedKey]| {
            let each = SeenRelease::list_by_signer(keys, "acme/guard", 5, "five");
            each.into_iter()
                .map(|one| format!("{} {}", one.publisher, one.keys.join(",")))
                .collect::<Vec<_>>()
        };
        let (old, new) = (key("old", &["acme"]), key("new", &["acme"]));
        assert_eq!(each(&[key("x", &[]), old, key("b", &["bob"]), new]), ["acme new,old", "bob b"]);
        assert_eq!(each(&[key("x", &[]), key("y", &[])]), ["x x", "y y"]);
    }

    #[test]
    fn what_was_written_is_read_again_and_what_is_damaged_is_an_error() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("state/releases.json");
        assert_eq!(Releases::load(&file).unwrap(), Releases::default());
        let releases = Releases::default().with_release(make_release(&["a"], 5, "five"));
        releases.save(&file).unwrap();
        assert_eq!(Releases::load(&file).unwrap(), releases);
        std::fs::write(&file, "[").unwrap();
        let error = Releases::load(&file).unwrap_err();
        assert!(matches!(error.cause, ReleasesFault::Damaged(_)), "{error}");
        assert!(error.to_string().contains(", and it is damaged: "), "{error}");
    }
}
