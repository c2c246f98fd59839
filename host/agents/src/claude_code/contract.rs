//! Input of Claude Code's hooks, and the meaning of their exit (docs/reference/agents/claude-code.md).

use hookbox_core::interfaces::{Call, Contract, Placeholder, ProcessEnd};
use hookbox_model::{
    Answer, EventName, Exit, Failure, FailureCode, Json, Reason, Rewrite, ToolClass, Verdict, bounded_text,
    trim_as_javascript,
};

use super::{
    answer,
    events::{self, ClaudeControl, ClaudeEvent, EVENTS},
    output::{self, Output, is_object},
};

#[derive(Debug)]
pub(super) struct ClaudeContract;

/// Events at which plain text on standard output is context.
const TEXT_IS_CONTEXT: [&str; 4] =
    ["UserPromptSubmit", "UserPromptExpansion", "SessionStart", "PostModelSwitch"];

impl Contract for ClaudeContract {
    fn id(&self) -> String {
        "claude-code".to_owned()
    }

    /// Returns the input as received, and a newline, as Claude Code writes it.
    fn event(&self, call: &Call<'_>) -> String {
        format!("{}\n", call.event.source.as_str())
    }

    fn variables(&self, call: &Call<'_>) -> Result<Vec<(String, String)>, Failure> {
        // No variable can hold a NUL, and a path that is cut there would be another folder.
        let project = Some(call.event.cwd.clone()).filter(|project| !project.contains('\0'));
        Ok(project.into_iter().map(|project| ("CLAUDE_PROJECT_DIR".to_owned(), project)).collect())
    }

    fn placeholders(&self) -> &'static [Placeholder] {
        &[
            Placeholder { name: "CLAUDE_PROJECT_DIR", always: true },
            Placeholder { name: "CLAUDE_PLUGIN_ROOT", always: false },
            Placeholder { name: "CLAUDE_PLUGIN_DATA", always: false },
        ]
    }

    fn drops_invalid_headers(&self) -> bool {
        true
    }

    fn end(&self, call: &Call<'_>, end: &ProcessEnd<'_>) -> Result<Answer, Failure> {
        let Some(row) = events::find_row(&call.event.agent_event) else { return Ok(Answer::default()) };
        let stdout = String::from_utf8_lossy(end.stdout);
        match (row.answer.control, end.exit) {
            (ClaudeControl::Path, exit) => Ok(read_worktree(exit, &stdout, end)),
            // The code blocks before the JSON is looked at: Claude Code blocks even with JSON that allows or
            // is invalid.
            (control, Exit::Code(2)) if can_block(control) => {
                Ok(interpret_block(call, row, &stdout, end.stderr))
            }
            (_, exit) => interpret_output(call, row, exit, &stdout, end),
        }
    }

    /// Reads a 2xx body: empty, or an output object as on standard output; a status never blocks.
    fn response(&self, call: &Call<'_>, body: &[u8], who: &str) -> Result<Answer, Failure> {
        let Some(row) = events::find_row(&call.event.agent_event) else { return Ok(Answer::default()) };
        let text = String::from_utf8_lossy(body);
        match trim_as_javascript(&text) {
            "" => Ok(Answer::default()),
            text if is_object(text) => {
                parse_answer(call, row, text).map_err(|problem| make_failure(who, &problem))
            }
            _ => Err(make_failure(who, "it is not a JSON object")),
        }
    }
}

/// Members that only the output of this system's hooks has.
pub(crate) const OUTPUT_ONLY: [&str; 7] = [
    "hookSpecificOutput",
    "decision",
    "continue",
    "stopReason",
    "suppressOutput",
    "systemMessage",
    "terminalSequence",
];

/// Reads such an output for an event of any system, if Claude Code has that event.
pub(crate) fn read_output(event: &EventName, stdout: &[u8]) -> Result<Answer, Failure> {
    let text = String::from_utf8_lossy(stdout);
    let Some(row) = EVENTS.iter().find(|row| row.canonical == *event) else {
        return Err(make_failure("the hook", &format!("it has no event {event}")));
    };
    answer::parse_answer(row, text.trim(), false).map_err(|problem| make_failure("the hook", &problem))
}

fn parse_answer(call: &Call<'_>, row: &ClaudeEvent, text: &str) -> Result<Answer, String> {
    answer::parse_answer(row, text, call.event.tool.as_ref().is_some_and(|tool| tool.class == ToolClass::Mcp))
}

/// Returns true if exit code 2 can block this event. A permission request is decided by JSON alone.
fn can_block(control: ClaudeControl) -> bool {
    !matches!(control, ClaudeControl::Nothing | ClaudeControl::IgnoresAnswers | ClaudeControl::Behavior)
}

/// Handles exit code 2: a block, regardless of the JSON; the reason is the JSON's blocking reason, else standard error.
fn interpret_block(call: &Call<'_>, row: &ClaudeEvent, stdout: &str, stderr: &str) -> Answer {
    let answer = match output::classify_output(stdout) {
        Output::Object(text) => parse_answer(call, row, text).unwrap_or_default(),
        Output::Text(_) | Output::Broken => Answer::default(),
    };
    let own = match &answer.verdict {
        Verdict::Deny(reason) if !reason.text().is_empty() => Some(reason.clone()),
        _ => None,
    };
    let reason = own.unwrap_or_else(|| Reason::new("", stderr.trim()));
    // Nothing is to run, so a rewrite in the same answer has no effect.
    Answer { verdict: Verdict::Deny(reason), rewrite: None, ..answer }
}

/// Interprets any other exit.
fn interpret_output(
    call: &Call<'_>,
    row: &ClaudeEvent,
    exit: Exit,
    stdout: &str,
    end: &ProcessEnd<'_>,
) -> Result<Answer, Failure> {
    let text = match output::classify_output(stdout) {
        // The exit code is ignored with valid JSON: 1 and 127 are not failures then.
        Output::Object(text) => {
            return parse_answer(call, row, text).map_err(|problem| make_failure("the hook", &problem));
        }
        Output::Broken => return Err(make_failure("the hook", "it is not JSON")),
        Output::Text(text) => text,
    };
    match exit {
        Exit::Code(0) if TEXT_IS_CONTEXT.contains(&row.name) && !text.is_empty() => {
            Ok(Answer { context: Some(bounded_text(text)), ..Answer::default() })
        }
        Exit::Code(0) => Ok(Answer::default()),
        // Where nothing can be blocked, exit code 2 is a message to the user.
        Exit::Code(2) if row.answer.control == ClaudeControl::Nothing && !end.stderr.trim().is_empty() => {
            Ok(Answer { notice: Some(bounded_text(end.stderr.trim())), ..Answer::default() })
        }
        _ => Err(end.failure()),
    }
}

/// Reads a worktree's path, the last line that is not blank; any exit other than code 0 is a refusal.
fn read_worktree(exit: Exit, stdout: &str, end: &ProcessEnd<'_>) -> Answer {
    if exit != Exit::Code(0) {
        return Answer { verdict: Verdict::Deny(Reason::new("", end.stderr.trim())), ..Answer::default() };
    }
    // Programs such as git colour their output, and the codes would become part of the path.
    let plain = output::without_colours(stdout);
    let path = plain.lines().map(str::trim).rfind(|line| !line.is_empty());
    let path = path.map(|path| Rewrite::Replace(Json::from_value(&serde_json::Value::from(path))));
    Answer { rewrite: path, ..Answer::default() }
}

fn make_failure(who: &str, problem: &str) -> Failure {
    Failure::new(
        FailureCode::BadOutput,
        &format!("{who} answered with JSON that Claude Code does not accept: {problem}"),
    )
}
