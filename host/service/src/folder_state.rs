//! The state for the events of one folder: its hooks and their host, from a snapshot of its files.

use std::{
    collections::{HashMap, hash_map::Entry},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use futures_util::{FutureExt as _, future::Shared};
use hookbox::{
    Host,
    model::{Event, EventName, OneLine},
};
use hookbox_app::FolderHooks;
use tokio::sync::oneshot;
use tracing::{debug, warn};

use crate::{
    blocking_thread::{spawn_detached, waited_for},
    file_stamps::Stamps,
    machines::Machines,
    program_hooks::ProgramHooks,
    service::Source,
};

const FILES: &str = "hookbox::files";
/// Time for which files count as unchanged without a check.
// A burst of events checks the files once; a user does not change a file and try it within this time.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// Lifetime of a state in which some hooks are switched off for a time.
const SWITCHED: Duration = Duration::from_secs(10);
/// Most folders whose state is kept. One more replaces the least recently used.
const MOST_FOLDERS: usize = 64;

pub(crate) struct FolderState {
    pub(crate) folder_hooks: FolderHooks,
    pub(crate) host: Host,
    /// True if there was no file with the user's allowances. A read for each event is more exact.
    nothing_allowed: bool,
    stamps: Stamps,
    /// Time when reading began.
    read: Instant,
    /// Number of changes of the program's hooks that are included.
    own_changes: u64,
}

/// Requirements of a request for the state of a folder: the current hooks of the program, and files checked within `CHECK_INTERVAL`.
#[derive(Clone, Copy)]
struct StateRequest {
    at: Instant,
    own_changes: u64,
}

impl StateRequest {
    /// Returns true if a state suffices that has so many changes, and whose files were checked at `looked`.
    fn is_served(self, own_changes: u64, looked: Instant) -> bool {
        own_changes >= self.own_changes && self.at.saturating_duration_since(looked) < CHECK_INTERVAL
    }
}

impl FolderState {
    /// Returns true if the hooks still match the files and the program.
    fn is_current(&self, asked: StateRequest) -> bool {
        // A switch for a time ends without a change of a file.
        let expired = self.folder_hooks.has_switches() && self.read.elapsed() > SWITCHED;
        self.own_changes >= asked.own_changes && !expired && self.stamps.hold()
    }

    /// Returns true if this state suffices for the event without reading anything.
    pub(crate) fn have_all_for(&self, event: &Event) -> bool {
        self.folder_hooks.has_all() && (self.nothing_allowed || event.tool.is_none())
    }

    /// Returns the host for an event. A broken file of the user denies any event, so its hooks are chosen by the event.
    pub(crate) fn host_for(&self, own: &ProgramHooks, event: &EventName) -> Host {
        if !self.folder_hooks.is_broken() {
            return self.host.clone();
        }
        self.host.machine().create_host(own.added_to(self.folder_hooks.hooks_for(event)))
    }
}

/// The states of all folders, and their sources. Clones share them.
#[derive(Clone)]
pub(crate) struct Folders(Arc<Parts>);

struct Parts {
    source: Source,
    own: ProgramHooks,
    machines: Machines,
    known: Mutex<HashMap<PathBuf, KnownState>>,
    /// Folders whose files are being read for events.
    readings: Mutex<HashMap<PathBuf, Reading>>,
}

struct KnownState {
    folder_state: Arc<FolderState>,
    looked: Instant,
    asked: Instant,
}

/// The result of a reading, for all that wait for it; an error if it panics.
type Reading = Shared<oneshot::Receiver<Arc<FolderState>>>;

impl Folders {
    pub(crate) fn new(source: Source, machines: Machines) -> Self {
        let (own, known, readings) = (ProgramHooks::default(), Mutex::default(), Mutex::default());
        Self(Arc::new(Parts { source, own, machines, known, readings }))
    }

    pub(crate) fn own(&self) -> &ProgramHooks {
        &self.0.own
    }

    /// Returns the state for events in `folder`. Files are read by a thread of their own, once for all concurrent requests.
    pub(crate) async fn load_state(&self, folder: &Path) -> Arc<FolderState> {
        let asked = self.0.asked();
        loop {
            if let Some(folder_state) = self.0.find_fresh(folder, asked) {
                return folder_state;
            }
            match self.join_reading(folder).await {
                Ok(folder_state) if asked.is_served(folder_state.own_changes, folder_state.read) => {
                    return folder_state;
                }
                // The reading had begun before this request, and may have missed a change.
                Ok(_) => {}
                // The reading thread panicked or could not be started; an event must not go without hooks.
                Err(_) => return self.0.read_state(folder),
            }
        }
    }

    /// Returns the state if it is known without disk access.
    pub(crate) fn at_hand(&self, folder: &Path) -> Option<Arc<FolderState>> {
        self.0.at_hand(folder, self.0.asked())
    }

    /// Returns the state; blocks while files are read.
    pub(crate) fn load_state_here(&self, folder: &Path) -> Arc<FolderState> {
        self.0.find_fresh(folder, self.0.asked()).unwrap_or_else(|| self.0.read_state(folder))
    }

    /// Reads the current hooks, without those that the user has overridden for this event.
    pub(crate) async fn read_allowing(&self, event: &Event) -> FolderHooks {
        let (parts, event) = (Arc::clone(&self.0), event.clone());
        let read = move || parts.source.read_hooks(Path::new(&event.cwd)).with_allowances(&event);
        waited_for(read).await
    }

    /// Returns the running read of this folder, or starts one.
    fn join_reading(&self, folder: &Path) -> Reading {
        let (done, reading) = oneshot::channel();
        let reading = match lock_mutex(&self.0.readings).entry(folder.to_owned()) {
            Entry::Occupied(known) => return known.get().clone(),
            Entry::Vacant(place) => place.insert(reading.shared()).clone(),
        };
        let under_way = UnderWay { parts: Arc::clone(&self.0), folder: folder.to_owned() };
        spawn_detached(move || {
            let folder_state = under_way.parts.read_state(&under_way.folder);
            // First: a request that comes after the result starts another one.
            drop(under_way);
            let _receiver_is_gone = done.send(folder_state);
        });
        reading
    }
}

/// A running read, which is removed when this is dropped, on every path.
struct UnderWay {
    parts: Arc<Parts>,
    folder: PathBuf,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        lock_mutex(&self.parts.readings).remove(&self.folder);
    }
}

impl Parts {
    fn asked(&self) -> StateRequest {
        StateRequest { at: Instant::now(), own_changes: self.own.changes() }
    }

    fn at_hand(&self, folder: &Path, asked: StateRequest) -> Option<Arc<FolderState>> {
        let mut folders = lock_mutex(&self.known);
        let known = folders.get_mut(folder)?;
        known.asked = asked.at;
        asked.is_served(known.folder_state.own_changes, known.looked).then(|| Arc::clone(&known.folder_state))
    }

    /// Returns the known state, if it suffices.
    fn find_fresh(&self, folder: &Path, asked: StateRequest) -> Option<Arc<FolderState>> {
        if let Some(folder_state) = self.at_hand(folder, asked) {
            return Some(folder_state);
        }
        let folder_state =
            lock_mutex(&self.known).get(folder).map(|known| Arc::clone(&known.folder_state))?;
        let now = Instant::now();
        // Without the lock: a disk that does not answer only blocks this folder's events.
        if !folder_state.is_current(asked) {
            return None;
        }
        // Another thread may have checked later in the meantime.
        if let Some(known) = lock_mutex(&self.known).get_mut(folder).filter(|known| known.looked < now) {
            known.looked = now;
        }
        Some(folder_state)
    }

    /// Reads the files, which blocks, and keeps the state.
    fn read_state(&self, folder: &Path) -> Arc<FolderState> {
        let folder_state = Arc::new(self.build_state(folder));
        let known = KnownState {
            folder_state: Arc::clone(&folder_state),
            looked: folder_state.read,
            asked: Instant::now(),
        };
        let mut folders = lock_mutex(&self.known);
        // Two readings may overlap; the one that began later has seen more changes.
        if folders.get(folder).is_some_and(|later| later.folder_state.read > folder_state.read) {
            return folder_state;
        }
        if folders.len() >= MOST_FOLDERS && !folders.contains_key(folder) {
            let oldest =
                folders.iter().min_by_key(|(_, known)| known.asked).map(|(folder, _)| folder.clone());
            oldest.and_then(|oldest| folders.remove(&oldest));
        }
        folders.insert(folder.to_owned(), known);
        folder_state
    }

    fn build_state(&self, folder: &Path) -> FolderState {
        let StateRequest { at: read, own_changes } = self.asked();
        // Before anything is read: later changes are seen as changes. A host checks its plugins' files later.
        let stamps = Stamps::of(self.source.list_watched_files(folder));
        let folder_hooks = self.source.read_hooks(folder);
        trace_reading(folder, &folder_hooks);
        let stamps = stamps.with_files(folder_hooks.plugin_files().chain(folder_hooks.allowances_file()));
        let nothing_allowed = !folder_hooks.allowances_file().is_some_and(|file| file.exists());
        let machine = self.machines.find_machine(&folder_hooks);
        let host = machine.create_host(self.own.added_to(folder_hooks.hooks()));
        FolderState { folder_hooks, host, nothing_allowed, stamps, read, own_changes }
    }
}

/// Traces the result of reading the files of a folder: a service has no other place for their problems.
fn trace_reading(folder: &Path, folder_hooks: &FolderHooks) {
    let (hooks, problems) = (folder_hooks.loaded.hooks.len(), folder_hooks.loaded.problems.len());
    debug!(target: FILES, folder = %OneLine(&folder.to_string_lossy()), hooks, problems, "read");
    for problem in &folder_hooks.loaded.problems {
        warn!(target: FILES, place = %OneLine(&problem.place()), error = %OneLine(&problem.message), "problem");
    }
}

fn lock_mutex<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_after_a_change_is_not_served_by_a_reading_that_began_before_it() {
        let at = Instant::now() + CHECK_INTERVAL;
        let asked = StateRequest { at, own_changes: 2 };
        let began = |milliseconds| at.checked_sub(Duration::from_millis(milliseconds)).unwrap();
        // A reading that began a moment before may have missed a change of that moment, as a check of the files may.
        for (own_changes, looked, is_served) in [
            (2, began(0), true),
            (2, began(99), true),
            (2, began(100), false),
            (2, at + CHECK_INTERVAL, true),
            (3, began(0), true),
            (1, began(0), false),
            (1, at + CHECK_INTERVAL, false),
        ] {
            assert_eq!(asked.is_served(own_changes, looked), is_served, "{own_changes} {looked:?}");
        }
    }
}
