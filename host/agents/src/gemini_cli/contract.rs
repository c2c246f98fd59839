//! Input of hooks of Gemini CLI and its fork, and the meaning of their exit (docs/reference/agents/gemini-cli.md).

use std::borrow::Cow;

use hookbox_core::interfaces::{Call, Contract, Placeholder, ProcessEnd};
use hookbox_model::{
    Answer, EventName, Exit, Failure, Json, RawObject, Reason, Verdict, bounded_text, trim_as_javascript,
};

use super::{
    answer, command_line,
    events::{self, GeminiEvent},
    hook_file::EXTENSION,
    variant::Variant,
};
use crate::object::Object;

#[derive(Debug)]
pub(crate) struct GeminiContract(pub(crate) &'static Variant);

/// llxprt-code's reason for a block by exit code 2 without any text.
const NO_MESSAGE: &str = "Hook exited with code 2 without an error message";

impl Contract for GeminiContract {
    fn id(&self) -> String {
        self.0.name.to_owned()
    }

    /// Returns the event as received, with the changes of earlier hooks of a sequential chain.
    fn event(&self, call: &Call<'_>) -> String {
        let source = call.event.source.as_str();
        let members = RawObject::parse(source).unwrap_or_default();
        let Some((key, part)) = find_changed_part(call) else { return source.to_owned() };
        let mut event = Object::new();
        for (name, value) in members.iter() {
            event.raw(name, if name == key { part.as_str() } else { value.get() });
        }
        event.finish()
    }

    fn shell(&self) -> &'static str {
        command_line::find_shell()
    }

    fn command_line<'l>(&self, call: &Call<'_>, line: &'l str) -> Cow<'l, str> {
        let line = command_line::expand_variables(line, self.0.cwd_variables, &call.event.cwd);
        let both = match command_line::expand_variables(&line, self.0.session_variables, &call.event.session)
        {
            Cow::Borrowed(_) => None,
            Cow::Owned(both) => Some(both),
        };
        both.map_or(line, Cow::Owned)
    }

    fn variables(&self, call: &Call<'_>) -> Result<Vec<(String, String)>, Failure> {
        let cwd = self.0.cwd_variables.iter().map(|name| (name, &call.event.cwd));
        let session = self.0.session_variables.iter().map(|name| (name, &call.event.session));
        let sayable = cwd.chain(session).filter(|(_, value)| !value.contains('\0'));
        Ok(sayable.map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
    }

    fn placeholders(&self) -> &'static [Placeholder] {
        &[Placeholder { name: EXTENSION, always: false }]
    }

    fn end(&self, call: &Call<'_>, end: &ProcessEnd<'_>) -> Result<Answer, Failure> {
        let Some(row) = events::find_row(&call.event.agent_event) else { return Ok(Answer::default()) };
        if end.exit != Exit::Code(0) && !self.0.json_at_any_exit {
            return Ok(interpret_failure(row, end.exit, end.stderr.trim()));
        }
        let stdout = String::from_utf8_lossy(end.stdout);
        // JavaScript trims other characters than Rust, such as a byte order mark.
        let text = Some(trim_as_javascript(&stdout)).filter(|text| !text.is_empty());
        let text = text.unwrap_or(trim_as_javascript(end.stderr));
        Ok(match parse_output(text) {
            ParsedOutput::Nothing => Answer::default(),
            ParsedOutput::Object(json) => {
                // A partial request is merged into what the agent sent, not into what an earlier hook left.
                let asked = call.original.cloned().or_else(|| call.event.rewritable());
                let answer =
                    answer::read_answer(self.0, row, &json.members().unwrap_or_default(), asked.as_ref());
                // In a sequential chain only hooks that succeeded pass their changes on.
                Answer { unseen: end.exit != Exit::Code(0), ..answer }
            }
            ParsedOutput::Text => interpret_text(row, end.exit, text),
        })
    }
}

/// Kind of an output. JSON counts with any exit code, and JSON in a JSON string is parsed again; a scalar is neither a JSON answer nor
/// text.
enum ParsedOutput {
    Nothing,
    Object(Json),
    Text,
}

fn parse_output(text: &str) -> ParsedOutput {
    if text.is_empty() {
        return ParsedOutput::Nothing;
    }
    let Ok(json) = Json::parse_relaxed(text) else { return ParsedOutput::Text };
    match (json.as_str().as_bytes().first(), serde_json::from_str::<String>(json.as_str())) {
        (Some(b'{'), _) => ParsedOutput::Object(json),
        (_, Ok(inner)) => match Json::parse_relaxed_object(&inner) {
            Ok(inner) => ParsedOutput::Object(inner),
            // A JSON string that is not JSON again is text.
            Err(_) => ParsedOutput::Text,
        },
        _ => ParsedOutput::Nothing,
    }
}

/// Interprets text by exit code; a process that a signal ended counts as code 0.
fn interpret_text(row: &GeminiEvent, exit: Exit, text: &str) -> Answer {
    let text = bounded_text(text);
    let notice = |notice: String| Answer { notice: Some(notice), ..Answer::default() };
    match exit {
        // Node reports a null exit code for a signal, and the agent treats null as 0.
        Exit::Code(0) | Exit::Signal(_) => notice(text),
        Exit::Code(1) => notice(format!("Warning: {text}")),
        Exit::Code(_) if row.canonical.traits().block => {
            Answer { verdict: Verdict::Deny(Reason::new("", &text)), ..Answer::default() }
        }
        // The code would deny, but this event cannot be denied.
        Exit::Code(_) => notice(text),
    }
}

/// Interprets a failure where only code 0 has JSON: standard error alone counts, and only code 2 blocks.
fn interpret_failure(row: &GeminiEvent, exit: Exit, stderr: &str) -> Answer {
    match exit {
        Exit::Code(2) => interpret_text(row, exit, if stderr.is_empty() { NO_MESSAGE } else { stderr }),
        _ if stderr.is_empty() => Answer::default(),
        Exit::Code(_) | Exit::Signal(_) => interpret_text(row, Exit::Code(1), stderr),
    }
}

/// Returns the current value of the input's member that earlier hooks may have changed.
fn find_changed_part(call: &Call<'_>) -> Option<(&'static str, Json)> {
    let row = events::find_row(&call.event.agent_event)?;
    if row.canonical == EventName::PromptSubmit {
        let payload = call.event.payload.members()?;
        return Some(("prompt", Json::from_raw(payload.get("prompt")?)));
    }
    let original = call.original?;
    let part = call.event.rewritable()?;
    match row.answer.rewrite?.0 {
        "toolConfig" => None, // it is inside the request, and no later hook sees it changed
        // The agent merges new arguments into the old ones, so a later hook sees those that an earlier one
        // omitted.
        "tool_input" => Some(("tool_input", merge_members(original, &part))),
        key => Some((key, part)),
    }
}

/// Returns the members of `part`, and those of `base` that `part` lacks.
pub(super) fn merge_members(base: &Json, part: &Json) -> Json {
    let (base, part) = (base.members().unwrap_or_default(), part.members().unwrap_or_default());
    let kept = base.iter().map(|(key, value)| (key, part.get(key).unwrap_or(value).get()));
    let new = part.iter().filter(|(key, _)| base.get(key).is_none()).map(|(key, value)| (key, value.get()));
    Json::from_members(kept.chain(new))
}
