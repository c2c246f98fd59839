//! hookbox's own notices in the outcome: calls that the user has allowed, hooks of a project that wait for review, and plugins
//! of an agent's folder that failed.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use hookbox::{
    OnceCall, PROJECT_HOOKS, Sha256Digest,
    agents::settings::quoted_word,
    hookfile::ChangedHook,
    model::{
        Answer, Event, EventName, FailureCode, HookReport, Labelled, Layer, Outcome, Status, TrustLevel,
        bounded_text,
    },
};

use super::FolderHooks;
use crate::{
    allowances::{self, Allowance},
    event_log, once_record,
};

/// Name of the notice that hooks were skipped.
const ALLOWED: &str = "allowed";
/// Name of the notice that plugins of an agent's folder failed.
pub const PLUGIN_HOOKS: &str = "plugin-hooks";

impl FolderHooks {
    /// Returns true if the user may have allowed this call despite the hooks. [`Self::with_allowances`] determines it.
    pub fn may_be_allowed(&self, event: &Event) -> bool {
        self.allowances_for(event).is_some()
    }

    fn allowances_for(&self, event: &Event) -> Option<PathBuf> {
        let file = self.allowances_file().filter(|_| event.tool.is_some());
        file.filter(|file| allowances::are_there(file))
    }

    /// Removes the hooks that are skipped because the user has allowed this call. An allowance for one call is used up. The
    /// administrator's hooks stay, and so does the gate for a broken file.
    #[must_use]
    pub fn with_allowances(mut self, event: &Event) -> Self {
        let Some(file) = self.allowances_for(event) else { return self };
        let call = event_log::call_digest(event, &self.root_of(event));
        self.allowed = call.and_then(|call| allowances::take_allowance(&file, &call));
        let Some(Allowance { hooks, .. }) = &self.allowed else { return self };
        self.loaded.hooks.retain(|spec| {
            let layer = spec.origin.layer;
            layer == Layer::Managed || !hooks.iter().any(|hook| hook.matches_hook(layer, &spec.name))
        });
        self
    }

    /// Adds a notice to the outcome about the hooks that were skipped, and why.
    pub fn tell_allowances(&self, outcome: &mut Outcome) {
        let Some(Allowance { hooks, once, .. }) = &self.allowed else { return };
        let names: Vec<_> = hooks.iter().map(|hook| format!("`{}`", hook.name)).collect();
        let how = if *once { "once" } else { "for a time" };
        let notice = format!("allowed {how} by the user: {} not asked about this call", names.join(", "));
        add_notice(ALLOWED, notice, outcome);
    }

    /// Adds a notice, once per session, that hooks of its project wait for the user, and for each that was trusted that it has
    /// changed. The notice contains none of their text.
    pub fn tell_waiting(&self, event: &Event, outcome: &mut Outcome) {
        let (changed, root) = (&self.loaded.changed, self.root_of(event));
        // Without sessions, too often is better than never: the user relies on a hook that no longer protects.
        if !changed.is_empty()
            && (event.session.is_empty() || self.is_first_time(event, &make_notice_key(&root, changed)))
        {
            let what = waiting_hooks(
                changed.len(),
                "was changed since you trusted it",
                "were changed since you trusted them",
            );
            add_notice(
                PROJECT_HOOKS,
                format!("{what}; `hookbox trust` at a terminal shows what is new"),
                outcome,
            );
        }
        let new = self.loaded.waiting.saturating_sub(changed.len());
        if new > 0 && self.is_first_time(event, &format!("{PROJECT_HOOKS}:{root}")) {
            let (what, them) =
                (waiting_hooks(new, "waits for you", "wait for you"), if new == 1 { "it" } else { "them" });
            let notice = format!(
                "{what}: `hookbox trust` at a terminal shows {them}, and nothing of {them} runs before"
            );
            add_notice(PROJECT_HOOKS, notice, outcome);
        }
    }

    /// Adds a notice, once per session, that a plugin in the agent's own folder failed on an event that it could have denied.
    /// An untrusted hook's failure has no effect, so the user would not notice that the guard does not work.
    pub fn report_failed_bundle(&self, event: &Event, outcome: &mut Outcome) {
        let bundle = self.bundle.as_deref().filter(|_| event.name.traits().block);
        let Some((bundle, code)) = bundle.zip(first_untrusted_failure(outcome)) else { return };
        // That notice is about projects, and the new one covers this folder.
        outcome.notices.retain(|notice| notice.hook != PROJECT_HOOKS);
        // Without sessions, too often is better than never.
        let notice_key = format!("{PLUGIN_HOOKS}:{}", bundle.display());
        if event.session.is_empty() || self.is_first_time(event, &notice_key) {
            add_notice(PLUGIN_HOOKS, describe_failed_bundle(bundle, code), outcome);
        }
    }

    /// Returns true if this session has not received the notice `what` yet. If that cannot be recorded, the notice is repeated.
    fn is_first_time(&self, event: &Event, what: &str) -> bool {
        if event.session.is_empty() {
            // Without sessions the notice would come with each event, so it comes at the start alone.
            return event.name == EventName::SessionStart;
        }
        let Some(file) = self.places.once() else { return false };
        let turn = HashSet::from([OnceCall { session: event.session.clone(), hook: what.to_owned() }]);
        // A long-running program would otherwise read the file at each event.
        if self.kept().notices_given.is_superset(&turn) {
            return false;
        }
        let before = once_record::load_taken_hooks(&file, &event.session);
        let is_first = before.is_disjoint(&turn);
        if is_first {
            let _ = once_record::save_taken(&file, &event.session, &before, &turn);
        }
        let mut kept = self.kept();
        // A host of many sessions reads the others' records again.
        kept.notices_given.retain(|notice| notice.session == event.session);
        kept.notices_given.extend(turn);
        is_first
    }
}

/// Returns the key of the notice that these hooks have changed. A hook that was trusted again may change again.
fn make_notice_key(root: &str, changed: &[ChangedHook]) -> String {
    let mut changed = changed.to_vec();
    changed.sort_unstable();
    let all = format!("{root} {changed:?}");
    format!("{PROJECT_HOOKS}-changed:{}", Sha256Digest::of_content(all.as_bytes()).as_str())
}

fn waiting_hooks(number: usize, one: &str, several: &str) -> String {
    if number == 1 {
        format!("1 hook of this project {one}")
    } else {
        format!("{number} hooks of this project {several}")
    }
}

pub(super) fn add_notice(name: &str, notice: String, outcome: &mut Outcome) {
    let answer = Answer { notice: Some(notice.clone()), ..Answer::default() };
    outcome.notices.push(Labelled { hook: name.to_owned(), value: notice });
    outcome.reports.push(HookReport::of_host(name, answer));
}

/// Returns the code of the first failure of an untrusted hook.
fn first_untrusted_failure(outcome: &Outcome) -> Option<FailureCode> {
    outcome.reports.iter().filter(|report| report.trust_level == TrustLevel::Untrusted).find_map(|report| {
        let Status::Failed(failure) = &report.status else { return None };
        Some(failure.code)
    })
}

fn describe_failed_bundle(bundle: &Path, code: FailureCode) -> String {
    let shown = bundle.display().to_string();
    let word = quoted_word(&shown);
    bounded_text(&format!(
        "a plugin of {shown} was not called ({code}), so its denials are missing; `hookbox check --bundle {word}` prepares it, or reports the problem"
    ))
}
