//! Changes of the files that a hook runs, after which a tripped hook is called again.

use std::path::Path;

use hookbox_model::TrustLevel;
use hookbox_platform::file::{FileKind, FileStatus};

use crate::{handler::program_files, hook::HookSpec};

/// Returns true if a file that the hook runs has changed since this time, in milliseconds since the Unix epoch. An untrusted hook could
/// change its own file whenever it failed, so for those it is always false.
pub(super) fn has_changed(spec: &HookSpec, cwd: &str, since: u64) -> bool {
    if spec.origin.trust_level == TrustLevel::Untrusted {
        return false;
    }
    program_files(spec, cwd).iter().filter_map(|file| changed_at(file)).any(|changed| changed >= since)
}

/// Returns when the content or the metadata of a plain file changed, in milliseconds since the Unix epoch.
fn changed_at(file: &Path) -> Option<u64> {
    let (seconds, nanos) =
        FileStatus::of_path(file).ok().filter(|file| file.kind == FileKind::Plain)?.changed;
    u64::try_from(seconds.saturating_mul(1000).saturating_add(nanos / 1_000_000)).ok()
}
