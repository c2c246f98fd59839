//! By what it is seen that files have changed.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use hookbox_platform::file::FileStatus;

/// What files were like when somebody looked; one that was not there is told apart from one that was.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamps(BTreeMap<PathBuf, Option<FileStatus>>);

impl Stamps {
    /// Looks at them. Links are followed: what they lead to is what is read.
    pub(crate) fn of(files: impl IntoIterator<Item = PathBuf>) -> Self {
        Self(files.into_iter().map(|file| (file.clone(), status(&file))).collect())
    }

    /// And at these.
    pub(crate) fn and(mut self, files: impl IntoIterator<Item = PathBuf>) -> Self {
        self.0.extend(Self::of(files).0);
        self
    }

    /// Is every file as it was?
    pub(crate) fn hold(&self) -> bool {
        self.0.iter().all(|(file, seen)| status(file) == *seen)
    }
}

fn status(file: &Path) -> Option<FileStatus> {
    FileStatus::at(file).ok()
}
