//! Folders of agents whose plugins are suspended, since they used up their time.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use hookbox::Clock;
use hookbox_platform::file::is_there;

use super::FolderHooks;
use crate::places::PROJECT_FOLDER;

impl FolderHooks {
    /// Returns each of these folders that still exists, and the rest of its suspension.
    pub fn suspended_bundles(&self) -> Vec<(PathBuf, Duration)> {
        let now = Clock::machine().now_ms();
        let kept = self.kept();
        let late = kept.counts.overruns.iter();
        let late =
            late.filter_map(|(file, overruns)| Some((bundle_of(Path::new(file))?, overruns.out_for(now)?)));
        let mut late: Vec<_> = late.collect();
        late.sort();
        late
    }
}

/// Returns the folder of this file, unless it is a project's.
fn bundle_of(file: &Path) -> Option<PathBuf> {
    let folder = file.parent().filter(|folder| !folder.ends_with(PROJECT_FOLDER) && is_there(file))?;
    Some(folder.to_owned())
}
