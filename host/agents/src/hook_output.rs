//! Answers in Claude Code's form, which other agents have copied: members at the top of every answer, and the event's own members in
//! `hookSpecificOutput`.

use hookbox_model::Outcome;

use super::{Part, Written, object::Object, wording};

/// An answer under construction.
pub(super) struct HookOutput {
    pub(super) top: Object,
    /// Object whose first member is the event's name.
    pub(super) nested: Object,
    pub(super) written: Written,
}

impl HookOutput {
    pub(super) fn new(event: &str) -> Self {
        let mut nested = Object::new();
        nested.text("hookEventName", event);
        Self { top: Object::new(), nested, written: Written::default() }
    }

    /// Adds text for the model, if the agent reads it.
    pub(super) fn add_context(&mut self, outcome: &Outcome, is_read: bool) {
        match wording::format_contexts(outcome) {
            Some(context) if is_read => drop(self.nested.text("additionalContext", &context)),
            Some(_) => self.written.lose_part(Part::Context),
            None => {}
        }
    }

    /// Adds the nested part, unless it is empty.
    pub(super) fn add_nested(&mut self) {
        let nested = std::mem::replace(&mut self.nested, Object::new());
        if nested.len() > 1 {
            self.top.raw("hookSpecificOutput", &nested.finish());
        }
    }

    /// Ends the run, if a hook requests it and the event supports it.
    pub(super) fn add_stop(&mut self, outcome: &Outcome, is_read: bool) {
        match wording::format_stop(outcome) {
            Some(reason) if is_read => self.write_stop(&reason),
            Some(_) => self.written.lose_part(Part::Stop),
            None => {}
        }
    }

    pub(super) fn write_stop(&mut self, reason: &str) {
        self.top.raw("continue", "false").text("stopReason", reason);
    }

    /// Sets an exit code, and writes the reason to standard error.
    pub(super) fn set_exit(&mut self, code: u8, reason: &str) {
        self.written.exit = code;
        self.written.stderr = format!("{reason}\n");
    }

    pub(super) fn finish(self) -> Written {
        Written { stdout: self.top.line(), ..self.written }
    }
}
