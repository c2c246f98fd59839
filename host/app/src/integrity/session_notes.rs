//! Noted state of the watched files: one small file for each session, written when the state differs.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use hookbox::{Sha256Digest, model::Event};
use hookbox_platform::{file::FileKind, folder::Folder};
use serde::{Deserialize, Serialize};

use crate::state_file;

/// Name of the folder, in the state folder.
const FOLDER: &str = "sessions";
/// Largest note that is read, bytes.
const MAX_NOTE_BYTES: u64 = 256 << 10;
/// Maximum number of notes. The older half is removed then: a session that has no note any more takes the files as they are.
const MOST_SESSIONS: usize = 256;
/// Maximum number of entries of the folder that are searched.
const MOST_LISTED: usize = 4096;

/// A file as it was noted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct NotedFile {
    /// Its status at the last event, as `describe_status` returns it.
    pub(super) status: String,
    /// Its content before any pending change.
    pub(super) form: String,
    /// Its content after a change that is pending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) changed: Option<String>,
}

/// The note of a session, by path.
pub(super) type Note = BTreeMap<String, NotedFile>;

/// The notes of one user.
pub(super) struct SessionNotes {
    folder: PathBuf,
}

impl SessionNotes {
    pub(super) fn new(state: &Path) -> Self {
        Self { folder: state.join(FOLDER) }
    }

    /// Loads the note of the event's session. A damaged note, or one that others could have written, counts as missing.
    pub(super) fn load_note(&self, event: &Event) -> Option<Note> {
        let text = state_file::read_private(&self.path_of(event), MAX_NOTE_BYTES).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Writes the note of the event's session.
    pub(super) fn save_note(&self, event: &Event, note: &Note) -> io::Result<()> {
        let path = self.path_of(event);
        if !path.exists() {
            self.remove_older_half();
        }
        state_file::replace_file(&path, &serde_json::to_vec(note)?)
    }

    /// Returns the file for the event's session and agent: two agents may use one id.
    fn path_of(&self, event: &Event) -> PathBuf {
        let key = format!("{}\n{}", event.agent, event.session);
        self.folder.join(format!("{}.json", Sha256Digest::of_content(key.as_bytes()).as_str()))
    }

    /// Removes the older half of the notes if there are too many. One that cannot be removed does no harm.
    fn remove_older_half(&self) {
        let Ok(folder) = Folder::open(&self.folder) else { return };
        let mut notes = Vec::new();
        let listed = folder.for_each_name(MOST_LISTED, |name| {
            if let Ok(status) = folder.status_of(name)
                && status.kind == FileKind::Plain
            {
                notes.push((status.modified, name.to_owned()));
            }
        });
        if listed.is_err() || notes.len() < MOST_SESSIONS {
            return;
        }
        notes.sort();
        for (_, name) in notes.iter().take(notes.len() / 2) {
            let _ = folder.remove_file(name);
        }
    }
}
