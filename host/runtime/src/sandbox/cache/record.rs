//! Records in the directory: small files of JSON. The memo of a component is one.

use std::{
    io::{self, Read},
    path::Path,
};

use hookbox_model::{MAX_MANIFEST_BYTES, Manifest};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::CacheDir;
use crate::{
    digest::hash_parts,
    sandbox::{
        engine_settings::SETTINGS,
        identity::{Identity, Sighting},
        manifest,
    },
};

/// Longest memo or seal, bytes: a manifest may be in it, with every quotation mark and line break escaped.
const MAX_RECORD_BYTES: usize = 2 * MAX_MANIFEST_BYTES + USUAL_RECORD_BYTES;

/// Length that most records stay within.
const USUAL_RECORD_BYTES: usize = 1024;

/// Version of the memo's format. Change it with the format.
const MEMO: &str = "memo-2";

/// Record of the digest and manifest of the component at a path.
#[derive(Serialize, Deserialize)]
pub(super) struct Memo {
    pub(super) component: Sighting,
    pub(super) digest: String,
    pub(super) manifest: manifest::Text,
}

impl CacheDir {
    /// Returns digest and manifest of the component at this path, if its file is unchanged since they were read. `None`
    /// for an unreadable manifest, which is then read again.
    pub(super) fn recall_component(
        &self,
        path: &Path,
        file: &Identity,
    ) -> Option<(String, Option<Box<Manifest>>)> {
        let memo =
            self.read_record::<Memo>(&memo_name(path)).filter(|memo| memo.component.is_unchanged(file))?;
        let known = |text| manifest::parse_known(text).map(|known| Some(Box::new(known)));
        let manifest = memo.manifest.as_deref().map_or(Some(None), known)?;
        Some((memo.digest, manifest))
    }

    pub(super) fn read_record<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        // A longer record is cut off here, and so is not valid JSON and counts as missing.
        let mut text = Vec::with_capacity(USUAL_RECORD_BYTES);
        let file = self.open_own(name)?;
        file.take(MAX_RECORD_BYTES as u64).read_to_end(&mut text).ok()?;
        serde_json::from_slice(&text).ok()
    }

    pub(super) fn write_record<T: Serialize>(&self, name: &str, value: &T) -> io::Result<()> {
        self.write_bytes(name, &serde_json::to_vec(value)?)
    }
}

pub(super) fn memo_name(path: &Path) -> String {
    hash_parts(&[MEMO.as_bytes(), SETTINGS.as_bytes(), path.as_os_str().as_encoded_bytes()]) + ".memo"
}
