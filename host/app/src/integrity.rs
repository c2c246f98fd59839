//! Integrity of hookbox's own files: their state before and after each tool call is compared, whatever the text of the call shows.
//!
//! Self-protection reads the text of a call, and no reader of text finds everything that a program does. This check reads none: each
//! event of a tool call compares the files' status with the status noted at the session's last event. Contents are read only
//! where the status differs. A difference counts unless the content is the one after the user's last command of hookbox
//! (`known_good`); it is pending until the content is again the noted one or that one.

mod allowances;
mod content;
mod known_good;
mod own_entries;
mod own_files;
mod session_notes;
mod watched;

use std::path::Path;

use hookbox::model::{Event, EventName};

pub use self::own_files::{FileStatuses, GoodContent, OwnFileChange, OwnFiles};
pub(crate) use self::watched::WatchedFiles;
use self::{
    content::{describe_content, describe_status},
    known_good::{GoodFiles, KnownGood},
    session_notes::{Note, NotedFile, SessionNotes},
    watched::MOST_FILES,
};

/// The check for the files of one user.
pub(crate) struct IntegrityCheck {
    watched: WatchedFiles,
    notes: SessionNotes,
    good: KnownGood,
}

/// Result of comparing the files with the session's note.
#[derive(Default)]
pub(crate) struct Comparison {
    /// Files with a difference that no earlier event of the session has reported.
    pub(crate) found: Vec<String>,
    /// Files with a difference that is neither undone nor accepted.
    pub(crate) pending: Vec<String>,
    /// The note to write, if it differs from the stored one.
    note: Option<Note>,
}

impl Comparison {
    /// Returns true if the session's note has to be written.
    pub(crate) fn has_new_note(&self) -> bool {
        self.note.is_some()
    }
}

impl IntegrityCheck {
    /// Returns the check for an event; `None` for an event that is not about a tool call or the start of a session, and for one
    /// without a session, whose earlier events are unknown.
    pub(crate) fn for_event(watched: WatchedFiles, event: &Event) -> Option<Self> {
        let is_meant = event.name.traits().moment.has_call() || event.name == EventName::SessionStart;
        // No agent works in there: `setup` and `doctor` test whether a call would be denied.
        let is_test = Path::new(&event.cwd).starts_with(watched.state());
        let (notes, good) = (SessionNotes::new(watched.state()), KnownGood::new(watched.state()));
        (is_meant && !is_test && !event.session.is_empty()).then_some(Self { watched, notes, good })
    }

    /// Compares the files with the session's note. The start of a session takes them as they are, without the pending ones.
    pub(crate) fn compare_files(&self, event: &Event) -> Comparison {
        let before = self.notes.load_note(event);
        let starts = before.is_none() || event.name == EventName::SessionStart;
        let before = before.unwrap_or_default();
        if !starts && is_unchanged(&before) {
            return Comparison::default();
        }
        self.compare_contents(&before, starts)
    }

    /// Writes the session's note, if it has changed. Without a note the next event takes the files as they are.
    pub(crate) fn save_note(&self, event: &Event, comparison: &Comparison) {
        if let Some(note) = &comparison.note {
            drop(self.notes.save_note(event, note));
        }
    }

    fn compare_contents(&self, before: &Note, starts: bool) -> Comparison {
        let good = self.good.load_files();
        let mut paths = self.watched.list_paths();
        // A file that is not in the list any more is still compared: the list itself may have been changed.
        for path in before.keys() {
            if paths.len() < MOST_FILES {
                paths.insert(path.clone());
            }
        }
        let (mut after, mut comparison) = (Note::new(), Comparison::default());
        for path in paths {
            let noted = before.get(&path);
            let file = self.compare_file(&path, noted, &good, starts);
            let former = noted.and_then(|noted| noted.changed.as_ref());
            if file.changed.is_some() {
                if file.changed.as_ref() != former {
                    comparison.found.push(path.clone());
                }
                comparison.pending.push(path.clone());
            }
            after.insert(path, file);
        }
        comparison.note = (after != *before).then_some(after);
        comparison
    }

    fn compare_file(
        &self,
        path: &str,
        noted: Option<&NotedFile>,
        good: &GoodFiles,
        starts: bool,
    ) -> NotedFile {
        let status = describe_status(Path::new(path));
        let form = match noted {
            Some(noted) if noted.status == status && noted.changed.is_none() => noted.form.clone(),
            _ => self.describe_file(path, &status, good),
        };
        // A start takes the file as it is, unless an earlier event of the session has reported it.
        let noted = noted.filter(|noted| !starts || noted.changed.is_some());
        let is_good = good.get(path).is_some_and(|good| good.form == form);
        match noted {
            Some(noted) if noted.form != form && !is_good => {
                NotedFile { status, form: noted.form.clone(), changed: Some(form) }
            }
            _ => NotedFile { status, form, changed: None },
        }
    }

    /// Describes the content. A file with the status that it had after the user's last command is not read.
    fn describe_file(&self, path: &str, status: &str, good: &GoodFiles) -> String {
        let known = good.get(path);
        if let Some(known) = known.filter(|known| known.status == status) {
            return known.form.clone();
        }
        let content = self.watched.content_of(Path::new(path));
        let copy = || known.and_then(|known| self.good.read_copy(known));
        describe_content(Path::new(path), content, &copy)
    }
}

/// Returns true if each file still has its noted status and none is pending.
fn is_unchanged(note: &Note) -> bool {
    note.iter()
        .all(|(path, noted)| noted.changed.is_none() && noted.status == describe_status(Path::new(path)))
}
