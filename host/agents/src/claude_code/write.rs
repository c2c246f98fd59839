//! Writes outcomes in Claude Code's fields. The JSON decides where possible; the exit code only where nothing else does.

use hookbox_model::{Event, EventName, Json, Outcome, RawObject, ToolClass, Verdict, bounded_text};

use super::{
    events::{self, ClaudeControl, ClaudeEvent},
    exceptions, terminal,
};
use crate::{
    Part, Written,
    hook_output::HookOutput,
    object::{Object, quote_json},
    schema::Kind,
    wording,
};

/// The verdict, reduced to the event's possibilities.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WritableVerdict {
    Nothing,
    Allow,
    Ask,
    Defer,
    Block,
}

pub(super) fn write_outcome(event: &Event, outcome: &Outcome) -> Written {
    match events::find_row(&event.agent_event) {
        Some(row) if row.answer.control == ClaudeControl::Path => exceptions::write_worktree(outcome),
        Some(row) if row.answer.control == ClaudeControl::IgnoresAnswers => {
            exceptions::write_ignored(row.name, outcome)
        }
        Some(row) => {
            let mcp = event.tool.as_ref().is_some_and(|tool| tool.class == ToolClass::Mcp);
            ClaudeAnswer::new(row, mcp, outcome).write_answer()
        }
        None => exceptions::write_unknown(&event.agent_event, outcome),
    }
}

/// An answer under construction.
struct ClaudeAnswer<'a> {
    row: &'static ClaudeEvent,
    /// True if the event is about an MCP tool.
    mcp: bool,
    outcome: &'a Outcome,
    verdict: WritableVerdict,
    reason: String,
    output: HookOutput,
}

impl<'a> ClaudeAnswer<'a> {
    fn new(row: &'static ClaudeEvent, mcp: bool, outcome: &'a Outcome) -> Self {
        let mut output = HookOutput::new(row.name);
        let mut verdict = map_verdict(row.answer.control, &outcome.verdict);
        let mut reason = if verdict == WritableVerdict::Nothing {
            String::new()
        } else {
            wording::format_reasons(outcome)
        };
        if row.answer.control == ClaudeControl::Nothing {
            output.written.lose_all(outcome, &[Part::Deny, Part::Ask]);
        }
        // Where a run cannot be ended, at least its next action can be stopped.
        if let (Some(stop), false) = (wording::format_stop(outcome), row.answer.stop) {
            output.written.lose_part(Part::Stop);
            if verdict != WritableVerdict::Block {
                (verdict, reason) = (WritableVerdict::Block, stop);
            }
        }
        Self { row, mcp, outcome, verdict, reason, output }
    }

    fn write_answer(mut self) -> Written {
        let mut extras = self.collect_extras();
        self.write_verdict(&mut extras);
        self.write_rewrite();
        self.output.add_context(self.outcome, self.row.answer.context);
        for (field, value) in extras {
            self.output.nested.raw(field, &value);
        }
        self.finish()
    }

    fn write_verdict(&mut self, extras: &mut Vec<(&'static str, String)>) {
        let word = match self.verdict {
            WritableVerdict::Nothing => "",
            WritableVerdict::Allow => "allow",
            WritableVerdict::Ask => "ask",
            WritableVerdict::Defer => "defer",
            WritableVerdict::Block => "deny",
        };
        match (self.row.answer.control, self.verdict) {
            (ClaudeControl::Behavior, _) => self.write_behavior(word, extras),
            (_, WritableVerdict::Nothing) => {}
            (ClaudeControl::Permission | ClaudeControl::Switch, _) => {
                self.output.nested.text("permissionDecision", word);
                self.output.nested.text("permissionDecisionReason", &self.reason);
            }
            (ClaudeControl::Block, _) => {
                self.output.top.text("decision", "block").text("reason", &self.reason);
            }
            (ClaudeControl::Action, _) => {
                self.output.nested.text("action", "decline");
            }
            _ => {}
        }
        // These events read no field for a block; the model switches are known at second hand, so both ways
        // are used.
        if self.verdict == WritableVerdict::Block
            && matches!(self.row.answer.control, ClaudeControl::Exit | ClaudeControl::Switch)
        {
            self.output.set_exit(2, &self.reason);
        }
    }

    /// Writes the decision of a permission request, which has a form of its own and includes the rewrite and the extras.
    fn write_behavior(&mut self, word: &str, extras: &mut Vec<(&'static str, String)>) {
        let fits = |input: &Json| Kind::Object.admits(input.as_str().trim_ascii_start());
        // An allow of the old arguments is not what the hooks allowed: the user is asked.
        let is_unsupported = self.verdict == WritableVerdict::Allow
            && self.outcome.rewrite.as_ref().is_some_and(|input| !fits(input));
        if is_unsupported {
            self.output.written.lose_part(Part::Allow);
            self.verdict = WritableVerdict::Nothing;
        }
        let allowed = self.verdict == WritableVerdict::Allow;
        if !allowed && self.outcome.rewrite.is_some() {
            self.output.written.lose_part(Part::Rewrite);
        }
        let fits = if allowed { "updatedPermissions" } else { "interrupt" };
        let has_verdict = self.verdict != WritableVerdict::Nothing;
        let (kept, lost): (Vec<_>, Vec<_>) =
            extras.drain(..).partition(|(field, _)| has_verdict && *field == fits);
        if !lost.is_empty() {
            self.output.written.lose_part(Part::Extra);
        }
        if !has_verdict {
            return;
        }
        let mut decision = Object::new();
        decision.text("behavior", word);
        match &self.outcome.rewrite {
            Some(input) if allowed => decision.json("updatedInput", input),
            _ if allowed => &mut decision,
            _ => decision.text("message", &self.reason),
        };
        for (field, value) in kept {
            decision.raw(field, &value);
        }
        self.output.nested.raw("decision", &decision.finish());
    }

    fn write_rewrite(&mut self) {
        let Some(part) = &self.outcome.rewrite else {
            return;
        };
        match (self.row.answer.control, self.row.answer.rewrite) {
            (ClaudeControl::Behavior, _) => {}
            (ClaudeControl::Action, _) if self.verdict != WritableVerdict::Block => {
                self.write_user_answer(part);
            }
            (_, Some((field, kind)))
                if kind.admits(part.as_str().trim_ascii_start())
                    && self.verdict != WritableVerdict::Defer =>
            {
                self.output.nested.json(field, part);
                // The name that versions know which replaced no other tools' results.
                if self.mcp && self.row.canonical == EventName::ToolAfter {
                    self.output.nested.json("updatedMCPToolOutput", part);
                }
            }
            _ => self.output.written.lose_part(Part::Rewrite),
        }
    }

    /// Writes an answer in the user's place: `action`, and `content` with it.
    fn write_user_answer(&mut self, part: &Json) {
        let members = part.members().unwrap_or_default();
        let action = members.get_string("action").unwrap_or_default();
        if !["accept", "decline", "cancel"].contains(&action.as_str()) {
            self.output.written.lose_part(Part::Rewrite);
            return;
        }
        self.output.nested.text("action", &action);
        if let Some(content) = members.get("content") {
            self.output.nested.raw("content", content.get());
        }
    }

    /// Returns the event-specific fields that Claude Code reads for this event; of two hooks the first in the chain counts.
    fn collect_extras(&mut self) -> Vec<(&'static str, String)> {
        let mut found: Vec<(&'static str, String)> = Vec::new();
        for extra in &self.outcome.extras {
            let members = extra.value.members().unwrap_or_default();
            for (key, value) in members.iter() {
                if key == TERMINAL {
                    terminal_sequence(&members, &mut self.output);
                    continue;
                }
                let known = self.row.answer.extras.iter().find(|(field, kind)| {
                    *field == key && kind.admits(value.get()) && !found.iter().any(|(f, _)| f == field)
                });
                match known {
                    Some((field, Kind::Text)) => found.push((field, quote_bounded(&members, field))),
                    Some((field, _)) => found.push((field, value.get().to_owned())),
                    None => self.output.written.lose_part(Part::Extra),
                }
            }
        }
        found
    }

    fn finish(mut self) -> Written {
        self.output.add_nested();
        self.output.add_stop(self.outcome, self.row.answer.stop);
        // An elicitation's answer has no place for a reason.
        let declined =
            self.row.answer.control == ClaudeControl::Action && self.verdict == WritableVerdict::Block;
        let declined = declined.then_some(self.reason.as_str());
        let notices = wording::format_notices(self.outcome);
        let texts: Vec<_> = declined.into_iter().chain(notices.as_deref()).collect();
        if !texts.is_empty() {
            self.output.top.text("systemMessage", &wording::cap_text(texts.join("\n")));
        }
        self.output.finish()
    }
}

fn map_verdict(control: ClaudeControl, verdict: &Verdict) -> WritableVerdict {
    use ClaudeControl::{Behavior, IgnoresAnswers, Nothing, Permission, Switch};
    match (verdict, control) {
        (Verdict::Allow(_), Permission | Switch | Behavior) => WritableVerdict::Allow,
        (Verdict::Ask(_), Permission | Switch) => WritableVerdict::Ask,
        (Verdict::Defer(_), Permission) => WritableVerdict::Defer,
        // Without an answer, the user is asked about a permission.
        (Verdict::None | Verdict::Allow(_), _)
        | (_, Nothing | IgnoresAnswers)
        | (Verdict::Ask(_), Behavior) => WritableVerdict::Nothing,
        (Verdict::Ask(_) | Verdict::Defer(_) | Verdict::Deny(_), _) => WritableVerdict::Block,
    }
}

/// A field of every answer, next to the nested part.
const TERMINAL: &str = "terminalSequence";

/// Has Claude Code write to the terminal, unless another hook did.
pub(super) fn terminal_sequence(members: &RawObject<'_>, output: &mut HookOutput) {
    let Some(text) = members.get_string(TERMINAL) else { return output.written.lose_part(Part::Extra) };
    if terminal::is_allowed(&text) && output.top.len() == 0 {
        output.top.text(TERMINAL, &text);
    } else {
        output.written.lose_part(Part::Extra);
    }
}

fn quote_bounded(members: &RawObject<'_>, field: &str) -> String {
    quote_json(&wording::cap_text(bounded_text(&members.get_string(field).unwrap_or_default())))
}
