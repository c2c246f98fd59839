//! Writes outcomes in Codex's fields (docs/reference/agents/codex.md). Codex reads JSON at exit code 0 only, and rejects JSON with a field
//! that the event does not have: such an answer counts as a broken hook, and the agent goes on.

use hookbox_model::{Event, Outcome, Verdict};

use super::events::{self, CodexControl, CodexEvent};
use crate::{Part, Written, hook_output::HookOutput, object::Object, wording};

pub(super) fn write_outcome(event: &Event, outcome: &Outcome) -> Written {
    match events::find_row(&event.agent_event) {
        Some(row) if row.answer.control == CodexControl::IgnoresAnswers => {
            let mut written = Written { stdout: Object::new().line(), ..Written::default() };
            written.lose_all(
                outcome,
                &[Part::Deny, Part::Ask, Part::Stop, Part::Context, Part::Notice, Part::Rewrite, Part::Extra],
            );
            written
        }
        Some(row) => CodexAnswer::new(row, outcome).write_answer(),
        None => write_unknown(outcome),
    }
}

/// Writes the answer without an outcome. Exit code 2 blocks most events that can be blocked, if there is a reason on stderr. Where nothing
/// can be blocked, the user gets a message.
pub(super) fn write_failure(event: Option<&str>, message: &str) -> Written {
    let text = wording::format_failure(message);
    // Exit code 2 without a text on standard error blocks nothing.
    let text = if text.trim().is_empty() { "hookbox failed".to_owned() } else { text };
    let mut top = Object::new();
    let exit = match event.and_then(events::find_row).map(|row| row.answer.control) {
        Some(CodexControl::Continue) => {
            top.raw("continue", "false").text("stopReason", &text);
            0
        }
        Some(CodexControl::Nothing) => {
            top.text("systemMessage", &text);
            0
        }
        // The answer is ignored; a failing exit code at least shows the failure to the user.
        Some(CodexControl::IgnoresAnswers) => 1,
        _ => 2,
    };
    Written { stdout: top.line(), stderr: format!("{text}\n"), exit, unexpressed: Vec::new() }
}

/// Writes the answer to an event that this table does not know. Most events support a block by exit code; all but one support the field
/// `systemMessage`.
fn write_unknown(outcome: &Outcome) -> Written {
    let (mut top, mut written) = (Object::new(), Written::default());
    written.lose_all(outcome, &[Part::Stop, Part::Context, Part::Rewrite, Part::Extra]);
    if let Some(refusal) = wording::refusal_or_stop(outcome) {
        written.exit = 2;
        written.stderr = format!("{refusal}\n");
        // With exit code 2 Codex does not read the JSON with the notice.
        written.lose_all(outcome, &[Part::Notice]);
    } else {
        top.text_if("systemMessage", wording::format_notices(outcome).as_deref());
    }
    written.stdout = top.line();
    written
}

/// An answer under construction.
struct CodexAnswer<'a> {
    row: &'static CodexEvent,
    outcome: &'a Outcome,
    /// Reason of a refusal, if the outcome is one.
    refusal: Option<String>,
    output: HookOutput,
}

impl<'a> CodexAnswer<'a> {
    fn new(row: &'static CodexEvent, outcome: &'a Outcome) -> Self {
        let mut output = HookOutput::new(row.name);
        output.written.lose_all(outcome, &[Part::Extra]);
        let mut refusal = None;
        if row.answer.control == CodexControl::Nothing {
            output.written.lose_all(outcome, &[Part::Deny, Part::Ask]);
        } else if is_refusal(row.answer.control, &outcome.verdict) {
            refusal = Some(wording::format_reasons(outcome));
        }
        // Where a run cannot be ended, at least its next action can be stopped.
        if let (Some(stop), false) = (wording::format_stop(outcome), row.answer.stop) {
            output.written.lose_part(Part::Stop);
            if row.answer.control != CodexControl::Nothing {
                refusal = refusal.or(Some(stop));
            }
        }
        Self { row, outcome, refusal, output }
    }

    fn write_answer(mut self) -> Written {
        match self.refusal.take() {
            Some(refusal) => self.write_refusal(&refusal),
            None => self.write_acceptance(),
        }
        self.output.add_context(self.outcome, self.row.answer.context);
        self.output.add_nested();
        self.output.top.text_if("systemMessage", wording::format_notices(self.outcome).as_deref());
        self.output.finish()
    }

    fn write_refusal(&mut self, refusal: &str) {
        self.output.written.lose_all(self.outcome, &[Part::Rewrite]);
        match self.row.answer.control {
            CodexControl::Permission => {
                self.output
                    .nested
                    .text("permissionDecision", "deny")
                    .text("permissionDecisionReason", refusal);
            }
            CodexControl::Behavior => {
                let mut decision = Object::new();
                decision.text("behavior", "deny").text("message", refusal);
                self.output.nested.raw("decision", &decision.finish());
            }
            CodexControl::Continue => return self.output.write_stop(refusal),
            _ => {
                self.output.top.text("decision", "block").text("reason", refusal);
            }
        }
        self.output.add_stop(self.outcome, self.row.answer.stop);
    }

    fn write_acceptance(&mut self) {
        self.write_rewrite();
        // An allow of the old arguments is not what the hooks allowed if they changed them.
        let allowed = matches!(self.outcome.verdict, Verdict::Allow(_)) && self.outcome.rewrite.is_none();
        if allowed && self.row.answer.control == CodexControl::Behavior {
            self.output.nested.raw("decision", r#"{"behavior":"allow"}"#);
        }
        self.output.add_stop(self.outcome, self.row.answer.stop);
    }

    fn write_rewrite(&mut self) {
        let Some(part) = &self.outcome.rewrite else {
            return;
        };
        match self.row.answer.rewrite {
            // For Codex this allow only means that the arguments are new: it asks the user as before.
            Some((field, kind)) if kind.admits(part.as_str().trim_ascii_start()) => {
                self.output.nested.text("permissionDecision", "allow").json(field, part);
            }
            _ => self.output.written.lose_part(Part::Rewrite),
        }
    }
}

fn is_refusal(control: CodexControl, verdict: &Verdict) -> bool {
    // Without an answer, the user is asked about a permission.
    let asked = control == CodexControl::Behavior && matches!(verdict, Verdict::Ask(_));
    wording::is_refusal(verdict) && !asked
}
