//! Warns of valid entries that cannot be meant: a hook that can never have its stated effect.

use hookbox_model::{EventName, Role, TrustLevel};
use toml::Spanned;

use super::{entry::Entry, report::Report};
use crate::hookfile::PlacedProblem;

/// Returns the role of a hook that names none: a gate, or an observer if its events allow no more. A hook that speaks
/// an agent's contract may have all effects of that contract, so it is a transform.
pub(super) fn natural_role(events: &[EventName], speaks: bool) -> Role {
    match (speaks, can_decide(events)) {
        (true, _) => Role::Transform,
        (false, true) => Role::Gate,
        (false, false) => Role::Observe,
    }
}

/// Warns of a role that its events do not allow, and of a failure policy without effect (for the trust level `untrusted`,
/// [`trust`](super::trust) does that).
pub(super) fn review_entry(entry: &Entry<'_>, role: Role, events: &[EventName], report: &mut Report) {
    if events.is_empty() {
        return;
    }
    let span = |key: &str| entry.table.get(key).map(Spanned::span).unwrap_or_default();
    match entry.role() {
        Some(Role::Gate) if !can_decide(events) => {
            let why = "this gate has no say: none of its events can be blocked or takes text for the model";
            let warning = PlacedProblem::warning(span("role"), why);
            report.add_problem(warning.help("role = \"observe\" says what it does"));
        }
        Some(Role::Transform) if events.iter().all(|event| event.traits().rewrite.is_none()) => {
            let warning = PlacedProblem::warning(
                span("role"),
                "this hook can never rewrite: its events have no part for it",
            );
            report.add_problem(warning.help("role = \"gate\" lets it run concurrently with other gates"));
        }
        _ => {}
    }
    let why = match role {
        _ if !entry.table.contains_key("on-failure") || entry.source.trust_level == TrustLevel::Untrusted => {
            return;
        }
        Role::Observe => "observers have no effect on the outcome",
        _ if !can_block(events) => "none of its events can be blocked",
        _ => return,
    };
    report
        .add_problem(PlacedProblem::warning(span("on-failure"), format!("on-failure has no effect: {why}")));
}

/// Returns true if a gate's answer has an effect on any of these events.
fn can_decide(events: &[EventName]) -> bool {
    can_block(events) || events.iter().any(|event| event.traits().context)
}

fn can_block(events: &[EventName]) -> bool {
    events.iter().any(|event| event.traits().block)
}
