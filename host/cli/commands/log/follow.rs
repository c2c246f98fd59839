//! `hookbox log --follow`: prints new events as they are logged, until the output is closed or a signal ends the process.

use std::{fs, path::Path, thread, time::Duration};

use hookbox_app::event_log::{Log, StoredEntry};

/// Time between two looks at the file.
const PAUSE: Duration = Duration::from_millis(200);

/// Passes each entry that is logged after `last` to `print`, until that returns false.
pub(super) fn follow_log(
    file: &Path,
    mut last: Option<StoredEntry>,
    mut print: impl FnMut(&StoredEntry) -> bool,
) {
    let mut length = None;
    loop {
        // A full file is replaced by a shorter one.
        let now = fs::symlink_metadata(file).map(|file| file.len()).ok();
        if now != length {
            length = now;
            let mut entries = Log::read_file(file).entries;
            for entry in entries.iter().skip(count_seen(&entries, last.as_ref())) {
                if !print(entry) {
                    return;
                }
            }
            last = entries.pop().or(last);
        }
        thread::sleep(PAUSE);
    }
}

/// Returns the number of entries up to `last`; 0 if the log has dropped it.
fn count_seen(entries: &[StoredEntry], last: Option<&StoredEntry>) -> usize {
    let is_last =
        |kept: &StoredEntry| last.is_some_and(|last| (&kept.id, &kept.entry) == (&last.id, &last.entry));
    entries.iter().rposition(is_last).map_or(0, |at| at + 1)
}
