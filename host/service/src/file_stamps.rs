//! Detects changed files.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use hookbox_platform::file::FileStatus;

/// Status of files at some time; a missing file differs from an existing one.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamps(BTreeMap<PathBuf, Option<FileStatus>>);

impl Stamps {
    /// Records the status of these files. Links are followed: their targets are what is read.
    pub(crate) fn of(files: impl IntoIterator<Item = PathBuf>) -> Self {
        Self(files.into_iter().map(|file| (file.clone(), read_status(&file))).collect())
    }

    pub(crate) fn with_files(mut self, files: impl IntoIterator<Item = PathBuf>) -> Self {
        self.0.extend(Self::of(files).0);
        self
    }

    /// Returns true if every file is unchanged.
    pub(crate) fn hold(&self) -> bool {
        self.0.iter().all(|(file, seen)| read_status(file) == *seen)
    }
}

fn read_status(file: &Path) -> Option<FileStatus> {
    // A file that cannot be examined counts as missing; once it can be, its status has changed.
    FileStatus::of_path(file).ok()
}
