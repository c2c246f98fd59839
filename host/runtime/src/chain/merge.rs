//! Merges the reports of a chain into one outcome, by their order and never by their timing.

use super::plain_texts;
use crate::interfaces::{ChainPolicy, PlainTexts, Texts, VerdictMerge};
use hookbox_model::{
    Answer, Event, HookReport, Json, Labelled, OnFailure, Outcome, Reason, Role, Status, Verdict,
};

pub(super) fn is_denial(report: &HookReport) -> bool {
    matches!(verdict_of(report), Verdict::Deny(_))
}

/// Returns the outcome of the hooks that decide. `rewrite` is the rewritable part as they left it.
pub(super) fn merge_reports(
    policy: &ChainPolicy,
    event: &Event,
    reports: Vec<HookReport>,
    rewrite: Option<Json>,
) -> Outcome {
    let mut outcome = Outcome::default();
    let merge = (policy.verdicts)(&event.name);
    let texts = (policy.texts)(&event.name);
    let of_every_hook = matches!(texts, Texts::Plain(PlainTexts { of_every_hook: true, .. }));
    for report in &reports {
        merge_verdict(&mut outcome, report, merge, of_every_hook);
        match &report.status {
            Status::Answered(answer) => {
                join_texts(&mut outcome, &report.hook, answer);
                join_profile(&mut outcome, report, answer);
            }
            Status::Failed(failure) => {
                let value = failure.notice.clone();
                outcome.notices.extend(value.map(|value| Labelled { hook: report.hook.clone(), value }));
            }
            Status::Skipped => {}
        }
    }
    let denied = matches!(outcome.verdict, Verdict::Deny(_));
    let counts = !denied || (policy.rewrite_with_deny)(&event.name);
    outcome.rewrite = rewrite.filter(|_| counts && event.name.traits().rewrite.is_some());
    outcome.reports = reports;
    if let Texts::Plain(kept) = texts {
        plain_texts::reduce_texts(&mut outcome, kept);
    }
    outcome
}

/// Returns the verdict of a report: that of its answer, or the effect of its failure.
pub(super) fn verdict_of(report: &HookReport) -> Verdict {
    match (&report.status, report.on_failure) {
        // Before the status: the failure of an observer has no effect either, whatever its policy.
        _ if report.role == Role::Observe => Verdict::None,
        (Status::Answered(answer), _) => answer.verdict.clone(),
        (Status::Skipped, _) | (Status::Failed(_), OnFailure::Allow) => Verdict::None,
        (Status::Failed(failure), OnFailure::Ask) => Verdict::Ask(failure_reason(failure)),
        (Status::Failed(failure), OnFailure::Deny) => Verdict::Deny(failure_reason(failure)),
    }
}

fn failure_reason(failure: &hookbox_model::Failure) -> Reason {
    Reason::new("hook-failed", &format!("the hook failed, and its failure policy decides ({failure})"))
}

/// Joins the report's verdict into the outcome, with the reasons of the winning rank, or all of them.
fn merge_verdict(outcome: &mut Outcome, report: &HookReport, merge: VerdictMerge, of_every_hook: bool) {
    let verdict = verdict_of(report);
    let Some(reason) = verdict.reason().cloned() else { return };
    let (rank, best) = (verdict.rank(), outcome.verdict.rank());
    let wins = rank > best || merge == VerdictMerge::Last;
    let adds_reasons = merge == VerdictMerge::Strictest && (rank == best || of_every_hook);
    if wins {
        if !adds_reasons {
            outcome.reasons.clear();
        }
        outcome.verdict = verdict;
    }
    if wins || adds_reasons {
        outcome.reasons.push(Labelled { hook: report.hook.clone(), value: reason });
    }
}

fn join_profile(outcome: &mut Outcome, report: &HookReport, answer: &Answer) {
    let profile = answer.confine.clone().filter(|_| report.role != Role::Observe);
    outcome.confine.extend(profile.map(|value| Labelled { hook: report.hook.clone(), value }));
}

fn join_texts(outcome: &mut Outcome, hook: &str, answer: &Answer) {
    let labelled = |text: &String| Labelled { hook: hook.to_owned(), value: text.clone() };
    outcome.contexts.extend(answer.context.as_ref().map(labelled));
    outcome.notices.extend(answer.notice.as_ref().map(labelled));
    if outcome.stop.is_none() {
        outcome.stop = answer.stop.as_ref().map(labelled);
    }
    let extra = answer.extra.clone();
    outcome.extras.extend(extra.map(|value| Labelled { hook: hook.to_owned(), value }));
}
