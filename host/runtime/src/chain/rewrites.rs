//! Rewrites of hooks: changes of the event for the hooks that follow.

use hookbox_model::{Failure, FailureCode, HookReport, Json, Status, Verdict};

use super::order::ChainProgress;
use crate::{hook_index::Hook, interfaces::RewriteMerge};

impl ChainProgress<'_> {
    /// Applies the rewrite of a hook that the hooks after it did not see.
    pub(super) fn apply_rewrite_at(&mut self, at: usize) {
        let mut reports = std::mem::take(&mut self.reports);
        if let Some(report) = reports.get_mut(at) {
            self.apply_rewrite(report);
        }
        self.reports = reports;
    }

    /// Applies the rewrites of hooks that all saw one event.
    pub(super) fn apply_rewrites(&mut self) {
        let mut reports = std::mem::take(&mut self.reports);
        match (self.frame.policy.rewrites)(&self.event.name) {
            None => reports.iter_mut().for_each(|report| self.apply_rewrite(report)),
            Some(merge) => self.apply_merged(merge, &mut reports),
        }
        self.reports = reports;
    }

    fn apply_merged(&mut self, merge: RewriteMerge, reports: &mut [HookReport]) {
        let wanted = reports.iter_mut().filter_map(|report| {
            let Status::Answered(answer) = &report.status else { return None };
            let rewrite = answer.rewrite.as_ref()?;
            match self.event.rewritten_part(rewrite) {
                Ok(part) => Some(part),
                Err(error) => {
                    report.status = Status::Failed(unfit_rewrite_failure(&error));
                    None
                }
            }
        });
        let wanted: Vec<Json> = wanted.collect();
        if !wanted.is_empty() {
            self.rewrite_event(merge(&wanted));
        }
    }

    /// Changes the event for the hooks that follow. A rewrite that does not fit fails its hook.
    pub(super) fn apply_rewrite(&mut self, report: &mut HookReport) {
        let Status::Answered(answer) = &report.status else { return };
        let denied = matches!(answer.verdict, Verdict::Deny(_));
        let counts = !denied || (self.frame.policy.rewrite_with_deny)(&self.event.name);
        let (Some(rewrite), true) = (&answer.rewrite, counts) else { return };
        match self.event.rewritten_part(rewrite) {
            Ok(part) => self.rewrite_event(part),
            Err(error) => report.status = Status::Failed(unfit_rewrite_failure(&error)),
        }
    }

    pub(super) fn carry_answer(&mut self, hook: &Hook, report: &HookReport) {
        if let Status::Answered(answer) = &report.status
            && !answer.unseen
        {
            let event = self.event.to_mut();
            (self.frame.policy.carry)(event, answer);
            if let Some(contract) = hook.spec.contract {
                contract.carry(event, answer);
            }
        }
    }

    fn rewrite_event(&mut self, part: Json) {
        let before = self.event.rewritable();
        self.changed = true;
        // Of several rewrites only the first replaces the agent's own values.
        self.original = self.original.take().or(before);
        let event = self.event.to_mut();
        event.set_rewritable(part);
        // Command and paths are derived from the arguments: with the former ones, gates would judge another
        // call than the one that is made.
        self.frame.counters.agents.redescribe(event);
    }
}

/// States whether the hooks after this one see its rewrite.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RewriteVisible {
    Yes,
    No,
}

/// Returns `None` if the report has no rewrite.
pub(super) fn rewrite_of(report: &HookReport) -> Option<RewriteVisible> {
    let Status::Answered(answer) = &report.status else { return None };
    answer.rewrite.as_ref()?;
    Some(if answer.unseen { RewriteVisible::No } else { RewriteVisible::Yes })
}

fn unfit_rewrite_failure(error: &impl std::fmt::Display) -> Failure {
    Failure::new(FailureCode::BadOutput, &format!("its rewrite does not fit: {error}"))
}
