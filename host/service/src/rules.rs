//! The hooks for the events of one folder, as its files were when they were read.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use hookbox::{Host, model::EventName};
use hookbox_files::Setup;

use crate::{machines::Machines, own_hooks::OwnHooks, service::Source, stamps::Stamps};

/// How long files are taken to be as they were without being looked at.
const LOOK_AGAIN: Duration = Duration::from_millis(100);
/// How long rules live of which some are switched off for a time.
const SWITCHED: Duration = Duration::from_secs(10);
/// Folders whose rules are kept. One more takes the place of the one that was asked about longest ago.
const MOST_FOLDERS: usize = 64;

/// What is known of one folder.
pub(crate) struct Rules {
    pub(crate) setup: Setup,
    pub(crate) host: Host,
    stamps: Stamps,
    read: Instant,
    /// The number of changes of the program's own hooks that this has.
    own_changes: u64,
}

impl Rules {
    /// Are they still what the files and the program say?
    fn hold(&self, own: &OwnHooks) -> bool {
        let expired = self.setup.has_switches() && self.read.elapsed() > SWITCHED;
        self.own_changes == own.changes() && !expired && self.stamps.hold()
    }

    /// A broken file of the user's own denies whatever event it is, so its hooks are chosen by the event.
    pub(crate) fn host_for(&self, own: &OwnHooks, event: &EventName) -> Host {
        if !self.setup.is_broken() {
            return self.host.clone();
        }
        self.host.machine().host(own.added_to(self.setup.hooks_for(event)))
    }
}

/// The rules of all folders.
#[derive(Default)]
pub(crate) struct Folders {
    known: Mutex<HashMap<PathBuf, Known>>,
    machines: Machines,
}

struct Known {
    rules: Arc<Rules>,
    looked: Instant,
    asked: Instant,
}

impl Known {
    fn is_recent(&self, own: &OwnHooks) -> bool {
        self.looked.elapsed() < LOOK_AGAIN && self.rules.own_changes == own.changes()
    }
}

impl Folders {
    pub(crate) fn on(machines: Machines) -> Self {
        Self { machines, ..Self::default() }
    }

    /// The rules for what happens in `folder`. It blocks its thread while files are read.
    pub(crate) fn rules(&self, folder: &Path, source: &Source, own: &OwnHooks) -> Arc<Rules> {
        if let Some(rules) = self.fresh(folder, own) {
            return rules;
        }
        let rules = Arc::new(self.read(folder, source, own));
        let now = Instant::now();
        let known = Known { rules: Arc::clone(&rules), looked: now, asked: now };
        let mut folders = self.known();
        if folders.len() >= MOST_FOLDERS && !folders.contains_key(folder) {
            let oldest =
                folders.iter().min_by_key(|(_, known)| known.asked).map(|(folder, _)| folder.clone());
            oldest.and_then(|oldest| folders.remove(&oldest));
        }
        folders.insert(folder.to_owned(), known);
        rules
    }

    /// The same if that is known without looking at a disk.
    pub(crate) fn at_hand(&self, folder: &Path, own: &OwnHooks) -> Option<Arc<Rules>> {
        let mut folders = self.known();
        let known = folders.get_mut(folder).filter(|known| known.is_recent(own))?;
        known.asked = Instant::now();
        Some(Arc::clone(&known.rules))
    }

    /// Forgets what was read: the next event reads it anew.
    pub(crate) fn forget(&self) {
        self.known().clear();
    }

    fn fresh(&self, folder: &Path, own: &OwnHooks) -> Option<Arc<Rules>> {
        let (rules, is_recent) = {
            let mut folders = self.known();
            let known = folders.get_mut(folder)?;
            known.asked = Instant::now();
            (Arc::clone(&known.rules), known.is_recent(own))
        };
        if is_recent {
            return Some(rules);
        }
        // Without the lock: a disk that does not answer holds up this folder's events alone.
        if !rules.hold(own) {
            return None;
        }
        if let Some(known) = self.known().get_mut(folder) {
            known.looked = Instant::now();
        }
        Some(rules)
    }

    fn read(&self, folder: &Path, source: &Source, own: &OwnHooks) -> Rules {
        let (own_changes, read) = (own.changes(), Instant::now());
        // Before anything is read: what changes meanwhile is seen as a change. A host looks at its plugins' files later.
        let stamps = Stamps::of(source.watched(folder));
        let setup = source.read(folder);
        let stamps = stamps.and(setup.plugin_files());
        let machine = self.machines.for_setup(&setup);
        let host = machine.host(own.added_to(setup.hooks()));
        Rules { setup, host, stamps, read, own_changes }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<PathBuf, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
