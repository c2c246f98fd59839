//! Changes of hookbox's own files that no command of the user made: the report for the user, and the denial of further tool calls.

use hookbox::model::{
    Answer, Event, EventMoment, HookReport, Labelled, Outcome, Reason, TrustLevel, Verdict, bounded_text,
};

use super::{FolderHooks, notices::add_notice};
use crate::integrity::{Comparison, IntegrityCheck, WatchedFiles};

/// Name of the report about changed files, and code of the denial.
pub const OWN_CHANGES: &str = "hookbox-changes";
/// Maximum number of files that one message names.
const MOST_NAMED: usize = 3;

impl FolderHooks {
    /// Compares hookbox's own files with their state at the session's last event, and notes the new state. A difference that no
    /// command of the user made is reported once, and denies the session's tool calls until the user has undone or accepted it.
    pub fn check_own_files(&self, event: &Event, outcome: &mut Outcome) {
        let Some(check) = self.integrity_check(event) else { return };
        let compared = check.compare_files(event);
        check.save_note(event, &compared);
        add_changes(event, &compared, outcome);
    }

    /// Adds the result of [`Self::check_own_files`] to the outcome of a dry run, and notes nothing.
    pub fn show_own_files(&self, event: &Event, outcome: &mut Outcome) {
        if let Some(check) = self.integrity_check(event) {
            add_changes(event, &check.compare_files(event), outcome);
        }
    }

    /// Returns true if [`Self::check_own_files`] would write the session's note.
    pub fn has_own_files_to_note(&self, event: &Event) -> bool {
        self.integrity_check(event).is_some_and(|check| check.compare_files(event).has_new_note())
    }

    fn integrity_check(&self, event: &Event) -> Option<IntegrityCheck> {
        let own = self.loaded.hooks.iter().filter(|hook| hook.origin.trust_level == TrustLevel::Own);
        let plugins = own.filter_map(|hook| Some(hook.wasm()?.path.as_path()));
        IntegrityCheck::for_event(WatchedFiles::of_user(&self.places)?.with_plugins(plugins), event)
    }
}

fn add_changes(event: &Event, compared: &Comparison, outcome: &mut Outcome) {
    if !compared.found.is_empty() {
        let notice = format!(
            "{} changed during this session, and no `hookbox` command of yours did that: `hookbox restore` at a terminal shows the \
             change and undoes it, `hookbox restore --accept` keeps it; until then no tool runs in this session",
            name_files(&compared.found)
        );
        add_notice(OWN_CHANGES, bounded_text(&notice), outcome);
    }
    let is_pending_call = event.name.traits().moment == EventMoment::PendingCall;
    if is_pending_call && !compared.pending.is_empty() && !matches!(outcome.verdict, Verdict::Deny(_)) {
        deny_call(&compared.pending, outcome);
    }
}

fn deny_call(pending: &[String], outcome: &mut Outcome) {
    let message = format!(
        "{} changed during this session, and no `hookbox` command of the user did that. No tool runs in this session until the \
         user has run `hookbox restore` at a terminal, which shows the change and undoes it, or `hookbox restore --accept`",
        name_files(pending)
    );
    let reason = Reason::new(OWN_CHANGES, &message);
    outcome.verdict = Verdict::Deny(reason.clone());
    // The reasons of hooks for an allow or an ask do not explain the denial.
    outcome.reasons = vec![Labelled { hook: OWN_CHANGES.to_owned(), value: reason.clone() }];
    outcome.rewrite = None;
    outcome.confine.clear();
    let answer = Answer { verdict: Verdict::Deny(reason), ..Answer::default() };
    outcome.reports.push(HookReport::of_host(OWN_CHANGES, answer));
}

fn name_files(paths: &[String]) -> String {
    let named: Vec<_> = paths.iter().take(MOST_NAMED).map(|path| format!("`{path}`")).collect();
    let named = named.join(", ");
    match paths.len().saturating_sub(MOST_NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}
