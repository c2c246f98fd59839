//! The highest release of each plugin that was added, so that no earlier one takes its place: not even one that is as well signed.
//!
//! It counts for the keys that signed it: who steals a key and signs the highest number there is keeps nobody from the releases that are
//! signed with other keys once the stolen one is revoked.

use std::{
    io::{self, Read},
    path::Path,
};

use hookbox_platform::file;
use serde::{Deserialize, Serialize};

use crate::state_file::{self, Unwritten};

/// Largest file that is read, bytes.
const MAX_BYTES: u64 = 1 << 20;
/// Most that are kept; the oldest goes first.
const MOST: usize = 2000;

/// One release that was added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeenRelease {
    /// Who handed it out: the name that signed it, or the key if nobody vouches for that.
    pub publisher: String,
    /// The plugin's name.
    pub name: String,
    /// The keys that signed it, sorted.
    pub keys: Vec<String>,
    /// Which release.
    pub seq: u64,
    /// The SHA-256 of its file.
    pub component: String,
}

/// Those that were added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Releases(Vec<SeenRelease>);

impl Releases {
    /// Reads the file; none if it is not there.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is damaged. A sentence, since nothing may be added then.
    pub fn load(path: &Path) -> Result<Self, String> {
        let wrong = |why: String| {
            let path = path.display();
            format!(
                "{path} says which releases were added, and {why}; mend it, or remove it to begin anew: an earlier release can be \
                 added then"
            )
        };
        let file = match file::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            opened => opened.map_err(|error| wrong(format!("it cannot be read: {error}")))?,
        };
        let mut text = Vec::new();
        // What is cut off is no JSON.
        file.take(MAX_BYTES).read_to_end(&mut text).map_err(|error| wrong(error.to_string()))?;
        serde_json::from_slice(&text).map(Self).map_err(|error| wrong(format!("it is damaged: {error}")))
    }

    /// May this one be added? A record counts as long as none of its keys is revoked.
    ///
    /// # Errors
    ///
    /// A later release was added before, or another file with the same number. A sentence.
    pub fn admits(&self, release: &SeenRelease, is_revoked: &dyn Fn(&str) -> bool) -> Result<(), String> {
        let counts = |seen: &&SeenRelease| {
            // Before somebody vouched for a key, the key was the publisher.
            (seen.publisher == release.publisher || release.keys.contains(&seen.publisher))
                && seen.name == release.name
                && !seen.keys.iter().any(|key| is_revoked(key))
        };
        let SeenRelease { name, seq, publisher, .. } = release;
        for seen in self.0.iter().filter(counts) {
            if seen.seq > *seq {
                return Err(format!(
                    "it is release {seq} of `{name}`, and release {} of {publisher} was here before; --allow-downgrade takes \
                     the earlier one",
                    seen.seq
                ));
            }
            if seen.seq == *seq && seen.component != release.component {
                return Err(format!(
                    "it is release {seq} of `{name}`, and another file was that before (sha256 {}): the tag was moved, or the \
                     publisher changed a release; --allow-downgrade takes it",
                    seen.component
                ));
            }
        }
        Ok(())
    }

    /// The same with this one, in the place of that of the same keys.
    #[must_use]
    pub fn with(mut self, release: SeenRelease) -> Self {
        self.0.retain(|seen| {
            (&seen.publisher, &seen.name, &seen.keys) != (&release.publisher, &release.name, &release.keys)
        });
        self.0.push(release);
        let surplus = self.0.len().saturating_sub(MOST);
        self.0.drain(..surplus);
        self
    }

    /// Writes them.
    ///
    /// # Errors
    ///
    /// It cannot be written, and is as it was.
    pub fn save(&self, path: &Path) -> Result<(), Unwritten> {
        let text = serde_json::to_vec(&self.0).map_err(io::Error::from);
        text.and_then(|text| state_file::replace(path, &text))
            .map_err(|error| Unwritten { file: path.to_owned(), error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release(keys: &[&str], seq: u64, component: &str) -> SeenRelease {
        SeenRelease {
            publisher: "release@acme.example".to_owned(),
            name: "acme/guard".to_owned(),
            keys: keys.iter().map(ToString::to_string).collect(),
            seq,
            component: component.to_owned(),
        }
    }

    fn is_refused(releases: &Releases, release: &SeenRelease, revoked: &[&str]) -> bool {
        releases.admits(release, &|key| revoked.contains(&key)).is_err()
    }

    #[test]
    fn no_earlier_release_and_no_other_file_of_the_same_number_is_admitted() {
        let releases = Releases::default().with(release(&["a"], 5, "five"));
        assert!(!is_refused(&releases, &release(&["a"], 5, "five"), &[]));
        assert!(!is_refused(&releases, &release(&["a"], 6, "six"), &[]));
        assert!(is_refused(&releases, &release(&["a"], 4, "four"), &[]));
        assert!(is_refused(&releases, &release(&["a"], 5, "other"), &[]));
        // Signed with another key of the publisher's, the number goes on.
        assert!(is_refused(&releases, &release(&["b"], 4, "four"), &[]));
        let other = SeenRelease { publisher: "evil".to_owned(), ..release(&["a"], 1, "one") };
        assert!(!is_refused(&releases, &other, &[]), "of another publisher it is another plugin");
        let by_key = SeenRelease { publisher: "a".to_owned(), ..release(&["a"], 9, "nine") };
        let releases = releases.with(by_key);
        assert!(is_refused(&releases, &release(&["a"], 8, "eight"), &[]), "the key is vouched for since");
        assert!(!is_refused(&releases, &release(&["b"], 8, "eight"), &[]));
    }

    #[test]
    fn what_a_thief_signed_counts_until_the_key_is_revoked() {
        let releases = Releases::default().with(release(&["old"], 12, "twelve"));
        let releases = releases.with(release(&["old"], u64::MAX, "evil"));
        assert!(is_refused(&releases, &release(&["new"], 13, "thirteen"), &[]));
        assert!(!is_refused(&releases, &release(&["new"], 13, "thirteen"), &["old"]));
    }

    #[test]
    fn what_was_written_is_read_again_and_what_is_damaged_is_an_error() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("state/releases.json");
        assert_eq!(Releases::load(&file), Ok(Releases::default()));
        let releases = Releases::default().with(release(&["a"], 5, "five"));
        releases.save(&file).unwrap();
        assert_eq!(Releases::load(&file), Ok(releases));
        std::fs::write(&file, "[").unwrap();
        assert!(Releases::load(&file).unwrap_err().contains("it is damaged"));
    }
}
