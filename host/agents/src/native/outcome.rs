//! The outcome as JSON.

use hookbox_model::{
    Effect, EventName, HookReport, Labelled, Outcome, Reason, Status, Verdict, bounded_text,
};

use crate::{
    Part, Written,
    object::{Object, format_array},
    wording,
};

/// Writes the parts of the outcome that the event has a place for; a deny exits with 2. Members without a value are left out, except for
/// `verdict` and `hooks`.
pub(super) fn write_outcome(event: &EventName, outcome: &Outcome) -> Written {
    let moment = event.traits();
    let mut written = Written::default();
    let mut object = Object::new();
    if moment.block {
        object.text("verdict", outcome.verdict.as_str());
        write_list(&mut object, "reasons", &outcome.reasons, format_reason);
    } else {
        object.text("verdict", "none");
        written.lose_all(outcome, &[Part::Deny, Part::Ask, Part::Allow]);
    }
    if let Some(part) = &outcome.rewrite {
        object.json("rewrite", part);
    }
    write_list(&mut object, "confine", &outcome.confine, |label| {
        let mut confine = Object::new();
        confine.text("hook", &label.hook).text("profile", label.value.as_str());
        confine.finish()
    });
    if moment.context {
        write_list(&mut object, "contexts", &outcome.contexts, format_labelled);
    } else {
        written.lose_all(outcome, &[Part::Context]);
    }
    write_list(&mut object, "notices", &outcome.notices, format_labelled);
    if let Some(stop) = &outcome.stop {
        object.raw("stop", &format_labelled(stop));
    }
    write_list(&mut object, "extras", &outcome.extras, |label| {
        let mut extra = Object::new();
        extra.text("hook", &label.hook).json("value", &label.value);
        extra.finish()
    });
    if !written.unexpressed.is_empty() {
        object.texts("lost", written.unexpressed.iter().map(|part| part.as_str()));
    }
    // Even if no hook ran: an empty list shows the caller that the chain was empty.
    object.raw("hooks", &format_array(outcome.reports.iter().map(format_report)));
    let denied = moment.block && matches!(outcome.verdict, Verdict::Deny(_));
    let stderr = if denied { wording::format_reasons(outcome) + "\n" } else { String::new() };
    Written { stdout: object.line(), stderr, exit: if denied { 2 } else { 0 }, ..written }
}

fn format_reason(label: &Labelled<Reason>) -> String {
    let mut reason = Object::new();
    reason.text("hook", &label.hook).text("code", label.value.code()).text("text", label.value.text());
    reason.finish()
}

/// Writes a deny by hookbox itself; where nothing can be blocked, only the failure.
pub(super) fn write_failure(event: Option<&str>, message: &str) -> Written {
    let text = bounded_text(message);
    let powerless = event.and_then(EventName::known).is_some_and(|event| !event.traits().block);
    let mut object = Object::new();
    object.text("verdict", if powerless { "none" } else { "deny" });
    object.text("failure", &text).raw("hooks", "[]");
    // Nothing can be blocked, so 2 would be read as a deny that has no effect.
    let exit = if powerless { 1 } else { 2 };
    Written { stdout: object.line(), stderr: text + "\n", exit, unexpressed: Vec::new() }
}

fn write_list<T>(
    object: &mut Object,
    key: &str,
    labels: &[Labelled<T>],
    item: impl Fn(&Labelled<T>) -> String,
) {
    if !labels.is_empty() {
        object.raw(key, &format_array(labels.iter().map(item)));
    }
}

fn format_labelled(label: &Labelled<String>) -> String {
    let mut object = Object::new();
    object.text("hook", &label.hook).text("text", &label.value);
    object.finish()
}

fn format_report(report: &HookReport) -> String {
    let mut object = Object::new();
    object.text("hook", &report.hook);
    match &report.status {
        Status::Answered(_) => object.text("status", "answered"),
        Status::Skipped => object.text("status", "skipped"),
        Status::Failed(failure) => object
            .text("status", "failed")
            .text("code", failure.code.as_str())
            .text("message", &failure.message),
    };
    if !report.clamped.is_empty() {
        object.texts("clamped", report.clamped.iter().map(|effect: &Effect| effect.as_str()));
    }
    object.finish()
}
