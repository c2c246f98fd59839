//! Namespaces of entries: every plugin has one for each session, each project and the user.

use std::{borrow::Cow, path::Path};

use hookbox_model::{Event, Scope};

use super::super::owner::{Owner, escape_path};

/// Longest name of a session or path of a project (as escaped text), bytes.
const MAX_PLACE_BYTES: usize = 16 << 10;

/// The facts of an event that determine the namespace.
#[derive(Clone, Debug)]
pub(super) struct CallScope {
    agent: Cow<'static, str>,
    session: String,
    folder: String,
}

impl CallScope {
    pub(super) fn from_event(event: &Event) -> Self {
        Self { agent: event.agent.clone(), session: event.session.clone(), folder: event.cwd.clone() }
    }

    /// Returns the name of the session, project or user; `None` if the event has none.
    fn find_place(&self, scope: Scope) -> Option<String> {
        let place = match scope {
            Scope::Session if self.session.is_empty() => None,
            // The ids of sessions are unique within one agent only.
            Scope::Session => Some(format!("{} {}", self.agent, self.session)),
            Scope::Project => resolve_project(Path::new(&self.folder)),
            Scope::User => Some(String::new()),
        };
        place.filter(|place| place.len() <= MAX_PLACE_BYTES)
    }
}

/// Returns the folder with its links resolved.
fn resolve_project(folder: &Path) -> Option<String> {
    let folder = Some(folder).filter(|folder| folder.is_absolute())?.canonicalize().ok()?;
    Some(escape_path(&folder))
}

/// Identity of a group of entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Namespace {
    pub(super) owner: Owner,
    pub(super) scope: Scope,
    pub(super) place: String,
}

impl Namespace {
    /// Returns the namespace of `owner` for an event; `None` if the event does not identify it. Looks at the disk.
    pub(super) fn from_scope(owner: &Owner, scope: Scope, call_scope: &CallScope) -> Option<Self> {
        Some(Self { owner: owner.clone(), scope, place: call_scope.find_place(scope)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call_scope(agent: &'static str, session: &str, folder: &str) -> CallScope {
        CallScope { agent: agent.into(), session: session.to_owned(), folder: folder.to_owned() }
    }

    #[test]
    fn a_session_is_that_of_one_agent_and_has_a_name() {
        let place = |agent, session| call_scope(agent, session, "").find_place(Scope::Session);
        assert_eq!(place("codex", "s"), Some("codex s".to_owned()));
        assert_ne!(place("codex", "s"), place("cursor", "s"));
        assert_eq!(place("codex", ""), None);
        assert_eq!(place("codex", &"s".repeat(20_000)), None);
    }

    #[test]
    fn a_project_is_a_folder_that_is_there_whatever_leads_to_it() {
        let bed = tempfile::tempdir().unwrap();
        let (real, link) = (bed.path().join("real"), bed.path().join("link"));
        std::fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let place = |folder: &Path| call_scope("a", "s", folder.to_str().unwrap()).find_place(Scope::Project);
        assert_eq!(place(&real), place(&link));
        assert!(place(&real).is_some());
        assert_eq!(["", "real", "/no/such/folder"].map(Path::new).map(place), [None, None, None]);
    }
}
