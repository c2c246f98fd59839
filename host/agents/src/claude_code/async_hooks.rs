//! Hooks that Claude Code does not wait for (`async`, `asyncRewake`): their answer cannot prevent the action. Messages to the model are
//! passed on; hookbox waits for these hooks, since nothing outlives a call.

use hookbox_core::interfaces::{Call, Contract, Placeholder, ProcessEnd};
use hookbox_model::{Answer, Exit, Failure, bounded_text};

use super::{contract::ClaudeContract, events};

#[derive(Debug)]
pub(super) struct AsyncContract {
    /// True if exit code 2 is a message to the model.
    pub(super) wakes: bool,
}

impl Contract for AsyncContract {
    fn id(&self) -> String {
        format!("claude-code aside {}", self.wakes)
    }

    fn event(&self, call: &Call<'_>) -> String {
        ClaudeContract.event(call)
    }

    fn variables(&self, call: &Call<'_>) -> Result<Vec<(String, String)>, Failure> {
        ClaudeContract.variables(call)
    }

    fn placeholders(&self) -> &'static [Placeholder] {
        ClaudeContract.placeholders()
    }

    fn end(&self, call: &Call<'_>, end: &ProcessEnd<'_>) -> Result<Answer, Failure> {
        let takes_context = events::find_row(&call.event.agent_event).is_some_and(|row| row.answer.context);
        // The action has begun when the answer arrives, so the code cannot block: with `asyncRewake` it wakes
        // the model.
        if end.exit == Exit::Code(2) {
            let stdout = String::from_utf8_lossy(end.stdout);
            let output = if end.stderr.trim().is_empty() { stdout.trim() } else { end.stderr.trim() };
            let context = (self.wakes && takes_context && !output.is_empty()).then(|| bounded_text(output));
            return Ok(Answer { context, ..Answer::default() });
        }
        let answer = ClaudeContract.end(call, end)?;
        // Here both are for the model, and neither for the user.
        let texts: Vec<_> = answer.context.into_iter().chain(answer.notice).collect();
        let context = (takes_context && !texts.is_empty()).then(|| bounded_text(&texts.join("\n")));
        Ok(Answer { context, ..Answer::default() })
    }
}
