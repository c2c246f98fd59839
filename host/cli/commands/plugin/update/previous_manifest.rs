//! The manifest of an existing plugin, so that only changes in its next release are asked about.

use std::path::Path;

use hookbox::{
    model::{Effects, Manifest},
    sandbox::inspect::identify_file,
};
use hookbox_app::{places::Places, plugin_lock::LockedPlugin};

use crate::{
    commands::plugin::{
        added_plugins::{Added, format_path},
        fetch::Fetched,
    },
    printer::Printer,
};

pub(super) enum ExistingManifest {
    /// The file is the one that was added, and has this manifest.
    Known(Box<Manifest>),
    /// The file is the one that was added, without a manifest, so its answers can have all effects.
    NoManifest,
    /// The file is missing or another one: the user has not agreed to its manifest.
    Unknown,
}

impl ExistingManifest {
    /// Reads the plugin's file; if that is missing or another, the release is fetched again. A damaged disk does not revoke the
    /// user's consent.
    pub(super) fn read_or_fetch(
        row: &LockedPlugin,
        added: &Added,
        places: &Places,
        printer: &Printer,
    ) -> Self {
        let before = Self::in_file(&added.locate_file(row), row);
        if !matches!(before, Self::Unknown) || added.compute_digest(row).as_ref() == Some(&row.sha256) {
            return before;
        }
        let again = Fetched::once_more(row, places).map(|fetched| Self::in_file(&fetched.file(), row));
        let again = again.unwrap_or(Self::Unknown);
        let how = match again {
            Self::Unknown => {
                "and its release cannot be fetched again, so all of its requests are treated as new"
            }
            Self::Known(_) | Self::NoManifest => "so its release was fetched again to find new requests",
        };
        let (name, file) = (&row.name, format_path(&added.locate_file(row)));
        printer.print_line(&format!("`{name}`: {file} is missing or damaged, {how}"));
        again
    }

    fn in_file(file: &Path, row: &LockedPlugin) -> Self {
        match identify_file(file) {
            Ok(there) if there.sha256 == row.sha256 => match there.manifest {
                Ok(Some(manifest)) => Self::Known(Box::new(manifest)),
                Ok(None) => Self::NoManifest,
                Err(_) => Self::Unknown,
            },
            _ => Self::Unknown,
        }
    }

    /// Returns its requested capabilities, in readable form.
    pub(super) fn asks(&self) -> Vec<String> {
        match self {
            Self::Known(manifest) => manifest.asks.names(),
            Self::NoManifest | Self::Unknown => Vec::new(),
        }
    }

    /// Returns the possible effects of its answers.
    pub(super) fn may(&self) -> Effects {
        match self {
            Self::Known(manifest) => manifest.may(),
            Self::NoManifest => Effects::ALL,
            // So every effect of the next release counts as new, and is asked about.
            Self::Unknown => Effects::from_slice(&[]),
        }
    }
}
