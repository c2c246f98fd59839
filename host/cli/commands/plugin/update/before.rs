//! What a plugin that is there says of itself, so that only what is new about its next release is asked about.

use std::path::Path;

use hookbox::{
    model::{Effects, Manifest},
    sandbox::inspect::identify,
};
use hookbox_files::{places::Places, plugin_lock::LockedPlugin};

use crate::{
    commands::plugin::{
        added::{Added, shown},
        fetch::Fetched,
    },
    printer::Printer,
};

/// What the one that is there says of itself.
pub(super) enum Before {
    /// It is the file that was added, and says this.
    Said(Box<Manifest>),
    /// It is, and says nothing, so its answers can do everything.
    Nothing,
    /// It is gone, or another file: whatever it says, nobody has agreed to it.
    Unknown,
}

impl Before {
    /// By its file; where that is gone or another, by the same release, which is fetched once more. A damaged disk takes nobody's word back.
    pub(super) fn found(row: &LockedPlugin, added: &Added, places: &Places, printer: &Printer) -> Self {
        let before = Self::in_file(&added.file(row), row);
        if !matches!(before, Self::Unknown) || added.digest(row).as_ref() == Some(&row.sha256) {
            return before;
        }
        let again = Fetched::once_more(row, places).map(|fetched| Self::in_file(&fetched.file(), row));
        let again = again.unwrap_or(Self::Unknown);
        let how = match again {
            Self::Unknown => {
                "and its release cannot be had again, so what it asks for is asked about as though all were new"
            }
            Self::Said(_) | Self::Nothing => "so its release was fetched again to know what is new",
        };
        let (name, file) = (&row.name, shown(&added.file(row)));
        printer.line(&format!("`{name}`: {file} is gone, or damaged, {how}"));
        again
    }

    fn in_file(file: &Path, row: &LockedPlugin) -> Self {
        match identify(file) {
            Ok(there) if there.sha256 == row.sha256 => match there.manifest {
                Ok(Some(manifest)) => Self::Said(Box::new(manifest)),
                Ok(None) => Self::Nothing,
                Err(_) => Self::Unknown,
            },
            _ => Self::Unknown,
        }
    }

    /// What it asks for, as people read it.
    pub(super) fn asks(&self) -> Vec<String> {
        match self {
            Self::Said(manifest) => manifest.asks.names(),
            Self::Nothing | Self::Unknown => Vec::new(),
        }
    }

    /// What its answers can do.
    pub(super) fn may(&self) -> Effects {
        match self {
            Self::Said(manifest) => manifest.may(),
            Self::Nothing => Effects::ALL,
            Self::Unknown => Effects::of(&[]),
        }
    }
}
