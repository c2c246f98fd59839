//! Detects if a file is unchanged, without reading it.

use std::time::Duration;

use hookbox_platform::file::FileStatus;
use serde::{Deserialize, Serialize};

use crate::Clock;

/// A file that changes within this time of being looked at could keep its time stamps (coarse clocks of file systems),
/// so a younger file is looked at again.
const SETTLED: Duration = Duration::from_secs(2);

/// Device, inode, size and both time stamps. The change time cannot be set by a user, so a changed content shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Identity {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Identity {
    pub(super) fn from_status(status: &FileStatus) -> Self {
        let FileStatus { device, inode, size, modified, changed, .. } = *status;
        Self { device, inode, size, modified, changed }
    }
}

/// An identity with the time at which it was taken.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Sighting {
    identity: Identity,
    seen: i64,
}

impl Sighting {
    pub(super) fn now(identity: Identity) -> Self {
        Self { identity, seen: current_seconds() }
    }

    /// Returns true if the file and its content are certainly unchanged.
    pub(super) fn is_unchanged(&self, identity: &Identity) -> bool {
        let age = self.seen.saturating_sub(self.identity.changed.0);
        self.identity == *identity && age > SETTLED.as_secs().cast_signed()
    }
}

fn current_seconds() -> i64 {
    Clock::machine().now_seconds().cast_signed()
}
