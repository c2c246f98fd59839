//! Confines the command as hooks requested, after the merge of the answers: the command is then as the hooks left it. A command that
//! cannot be confined results in an ask, so that it does not run unconfined unnoticed.

use hookbox_model::{
    Answer, Event, EventName, HookReport, Json, Labelled, Outcome, ProfileName, Reason, Verdict,
};

use super::Frame;
use crate::interfaces::ConfineError;

/// Name in reports and notices of a command that could not be confined.
pub const CONFINE: &str = "confine";
/// Code of the reason.
const NOT_CONFINED: &str = "not-confined";

/// Puts the confined command into the outcome, or an ask.
pub(super) fn carry_out(frame: Frame<'_>, event: &Event, outcome: &mut Outcome) {
    if outcome.confine.is_empty() {
        return;
    }
    // The command does not run, or is deferred: then the hooks are called once more.
    if matches!(outcome.verdict, Verdict::Deny(_) | Verdict::Defer(_)) {
        outcome.confine.clear();
        return;
    }
    match confine_command(frame, event, outcome) {
        Ok(part) => outcome.rewrite = Some(part),
        Err(unconfined) => ask_user(&unconfined, outcome),
    }
}

fn confine_command(frame: Frame<'_>, event: &Event, outcome: &Outcome) -> Result<Json, ConfineError> {
    // Choosing one of two profiles would give the command more than one of the hooks wants.
    let profile = the_one(&outcome.confine)?;
    if event.name != EventName::ToolBefore {
        return Err(ConfineError::from_reason("only a command that is about to run can be"));
    }
    let Some(confiner) = frame.confiner else {
        return Err(ConfineError::from_reason("this program has no `hookbox` that could do it"));
    };
    // A limitation of the agent is reported before an error of the configuration.
    frame.counters.agents.started_by(&[], event)?;
    frame.counters.agents.started_by(&confiner.words(profile, event)?, event)
}

/// Returns the profile, if all hooks name one profile.
fn the_one(labels: &[Labelled<ProfileName>]) -> Result<&ProfileName, ConfineError> {
    let mut profiles: Vec<_> = labels.iter().map(|label| &label.value).collect();
    profiles.sort_unstable();
    profiles.dedup();
    match profiles.as_slice() {
        [one] => Ok(*one),
        several => {
            let names: Vec<_> = several.iter().map(|name| format!("`{name}`")).collect();
            let why = format!("hooks name different profiles ({})", names.join(", "));
            Err(ConfineError::new_repairable(why))
        }
    }
}

fn ask_user(unconfined: &ConfineError, outcome: &mut Outcome) {
    let hooks: Vec<_> = outcome.confine.iter().map(|label| label.hook.as_str()).collect();
    let text = format!(
        "{} would have this run confined, and that cannot be: {}. If it runs, it runs unconfined",
        hooks.join(", "),
        unconfined.why
    );
    let reason = Reason::new(NOT_CONFINED, &text);
    let notice = unconfined.is_repairable.then(|| text.clone());
    outcome.confine.clear();
    // The allow was not for an unconfined command.
    if !matches!(outcome.verdict, Verdict::Ask(_)) {
        outcome.reasons.clear();
        outcome.verdict = Verdict::Ask(reason.clone());
    }
    outcome.reasons.push(Labelled { hook: CONFINE.to_owned(), value: reason.clone() });
    let labelled = notice.clone().map(|value| Labelled { hook: CONFINE.to_owned(), value });
    outcome.notices.extend(labelled);
    let answer = Answer { notice, ..Verdict::Ask(reason).into() };
    outcome.reports.push(HookReport::of_host(CONFINE, answer));
}
