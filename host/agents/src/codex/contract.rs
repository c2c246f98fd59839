//! Input of Codex's hooks, and the meaning of their exit (docs/reference/agents/codex.md).

use hookbox_core::interfaces::{Call, Contract, Placeholder, ProcessEnd};
use hookbox_model::{Answer, Exit, Failure, FailureCode, Reason, Verdict, bounded_text};

use super::{
    answer,
    events::{self, CodexControl, CodexEvent},
};

#[derive(Debug)]
pub(super) struct CodexContract;

/// Plain text of these hooks is context, as with Claude Code.
const TEXT_IS_CONTEXT: [&str; 3] = ["SessionStart", "SubagentStart", "UserPromptSubmit"];
/// Events whose output must be JSON, if not empty.
const TEXT_IS_WRONG: [&str; 2] = ["Stop", "SubagentStop"];

impl Contract for CodexContract {
    fn id(&self) -> String {
        "codex".to_owned()
    }

    /// Returns the input as received, without a newline.
    fn event(&self, call: &Call<'_>) -> String {
        call.event.source.as_str().trim_end().to_owned()
    }

    /// Returns no variables: `PLUGIN_ROOT` and similar ones are in the environment, if Codex set them.
    fn variables(&self, _: &Call<'_>) -> Result<Vec<(String, String)>, Failure> {
        Ok(Vec::new())
    }

    fn placeholders(&self) -> &'static [Placeholder] {
        &[
            Placeholder { name: "PLUGIN_ROOT", always: false },
            Placeholder { name: "PLUGIN_DATA", always: false },
            Placeholder { name: "CLAUDE_PLUGIN_ROOT", always: false },
            Placeholder { name: "CLAUDE_PLUGIN_DATA", always: false },
        ]
    }

    fn end(&self, call: &Call<'_>, end: &ProcessEnd<'_>) -> Result<Answer, Failure> {
        let Some(row) = events::find_row(&call.event.agent_event) else { return Ok(Answer::default()) };
        let stdout = String::from_utf8_lossy(end.stdout);
        match end.exit {
            Exit::Code(0) if row.answer.control == CodexControl::IgnoresAnswers => Ok(Answer::default()),
            Exit::Code(0) => interpret_output(row, stdout.trim()),
            // For Codex a 2 without a text on standard error is a broken hook, which blocks nothing.
            Exit::Code(2) if can_block(row.answer.control) && !end.stderr.trim().is_empty() => {
                let reason = Reason::new("", &bounded_text(end.stderr.trim()));
                Ok(Answer { verdict: Verdict::Deny(reason), ..Answer::default() })
            }
            _ => Err(end.failure()),
        }
    }
}

/// Returns true if exit code 2 can block the event.
fn can_block(control: CodexControl) -> bool {
    matches!(control, CodexControl::Permission | CodexControl::Behavior | CodexControl::Block)
}

/// Interprets standard output at exit code 0; it is meant as JSON if it begins like an object or an array.
fn interpret_output(row: &CodexEvent, text: &str) -> Result<Answer, Failure> {
    // An array is meant as an answer, too, and is then one that Codex rejects.
    if text.starts_with(['{', '[']) {
        return answer::parse_answer(row, text)
            .map_err(|rejected| make_failure(&rejected.problem).with_notice(rejected.notice.as_deref()));
    }
    match text {
        "" => Ok(Answer::default()),
        _ if TEXT_IS_CONTEXT.contains(&row.name) => {
            Ok(Answer { context: Some(bounded_text(text)), ..Answer::default() })
        }
        _ if TEXT_IS_WRONG.contains(&row.name) => Err(make_failure("it is not JSON")),
        _ => Ok(Answer::default()),
    }
}

fn make_failure(problem: &str) -> Failure {
    let message = format!("the hook's answer is one that Codex does not accept: {problem}");
    Failure::new(FailureCode::BadOutput, &message)
}
