//! The environment variables in which Code-Forge hands an event to a shell hook (docs/reference/agents/code-forge.md).

use std::{fmt, time::Duration};

use hookbox_model::{Event, EventName, Json};

use super::{
    events::{self, AGENT},
    python_json,
    read::{TOOL_ARGS, TOOL_RESULT},
};

/// Longest value in characters; a longer one is cut and ends with `...[truncated]`.
pub const MAX_VALUE_CHARS: usize = 8192;

/// Maximum number of variables of one event. All together stay far below the limit of a process's environment.
pub const MAX_VARIABLES: usize = 128;

/// Longest name of a variable in bytes.
pub const MAX_NAME_BYTES: usize = 256;

const CUT: &str = "...[truncated]";

/// Reason why an event cannot be passed in variables. A guard cannot judge what it does not see, so nothing is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariablesError {
    /// More than [`MAX_VARIABLES`].
    TooMany,
    /// A name of this many bytes, more than [`MAX_NAME_BYTES`].
    LongName(usize),
}

impl fmt::Display for VariablesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany => {
                write!(f, "the event's data has too many members for variables; at most {MAX_VARIABLES}")
            }
            Self::LongName(bytes) => write!(
                f,
                "the event's data has a member whose variable would have a name of {bytes} bytes; at most {MAX_NAME_BYTES}"
            ),
        }
    }
}

impl std::error::Error for VariablesError {}

/// Returns the variables for `event` of any agent: `FORGE_EVENT`, `FORGE_TIMESTAMP` (seconds), `FORGE_SESSION_ID`, `FORGE_TOOL_NAME`,
/// `FORGE_WORKING_DIR`, then `FORGE_<KEY>` for each member of Code-Forge's `data`. Names are unique: no member of `data` can replace a
/// header's variable, and of two with one name the last counts.
pub fn build_variables(event: &Event) -> Result<Vec<(String, String)>, VariablesError> {
    let mut variables = build_header(event);
    let own = variables.len();
    for (key, value) in build_data(event) {
        let name = variable_name(&key)?;
        let value = variable_value(&format_value(&value));
        match variables.iter().position(|(taken, _)| *taken == name) {
            // A member of `data` called `event` must not replace the name of the event that a guard checks.
            Some(at) if at < own => {}
            Some(at) => variables.splice(at..=at, [(name, value)]).for_each(drop),
            None if variables.len() == MAX_VARIABLES => return Err(VariablesError::TooMany),
            None => variables.push((name, value)),
        }
    }
    Ok(variables)
}

fn build_header(event: &Event) -> Vec<(String, String)> {
    // `{:?}` keeps the `.0` of whole seconds, as Python's `str` of a float does.
    let seconds = format!("{:?}", Duration::from_millis(event.time).as_secs_f64());
    let variables = [
        ("FORGE_EVENT", event_name(event)),
        ("FORGE_TIMESTAMP", seconds.as_str()),
        ("FORGE_SESSION_ID", event.session.as_str()),
        ("FORGE_TOOL_NAME", event.tool.as_ref().map_or("", |tool| &tool.name)),
        ("FORGE_WORKING_DIR", event.cwd.as_str()),
    ];
    let there = variables.into_iter().filter(|(_, value)| !value.is_empty());
    there.map(|(name, value)| (name.to_owned(), variable_value(value))).collect()
}

/// Returns Code-Forge's name for the event; for an event that Code-Forge lacks, the canonical name.
fn event_name(event: &Event) -> &str {
    if event.agent == AGENT {
        return &event.agent_event;
    }
    events::name_of(&event.name).unwrap_or(event.name.as_str())
}

/// Returns Code-Forge's `data`: as received from Code-Forge, else built from the event's parts with Code-Forge's names.
fn build_data(event: &Event) -> Vec<(String, Json)> {
    if event.agent == AGENT {
        let members = event.source.members().unwrap_or_default();
        return members.get("data").map(|data| collect_members(&Json::from_raw(data))).unwrap_or_default();
    }
    let mut data = Vec::new();
    if let Some(tool) = &event.tool {
        data.push((TOOL_ARGS.to_owned(), tool.input.clone()));
        data.extend(tool.output.clone().map(|output| (TOOL_RESULT.to_owned(), output)));
    }
    let prompt = |key: String| if key == "prompt" { "user_input".to_owned() } else { key };
    let is_prompt = event.name == EventName::PromptSubmit;
    data.extend(
        collect_members(&event.payload)
            .into_iter()
            .map(|(key, v)| if is_prompt { (prompt(key), v) } else { (key, v) }),
    );
    data.extend(find_model(&event.payload).map(|model| ("llm_model".to_owned(), model)));
    data
}

fn collect_members(object: &Json) -> Vec<(String, Json)> {
    let members = object.members().unwrap_or_default();
    members.iter().map(|(key, value)| (key.to_owned(), Json::from_raw(value))).collect()
}

fn find_model(payload: &Json) -> Option<Json> {
    let members = payload.members()?;
    let request = Json::from_raw(members.get("request")?);
    request.members()?.get("model").map(Json::from_raw)
}

fn variable_name(key: &str) -> Result<String, VariablesError> {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    let length = "FORGE_".len() + key.chars().count();
    // Every character becomes one byte, so the number of characters is the length of the name.
    if length > MAX_NAME_BYTES {
        return Err(VariablesError::LongName(length));
    }
    Ok("FORGE_".chars().chain(key.chars().map(plain)).collect())
}

/// Formats a string without its quotes, objects and arrays as JSON, and other values in Python's spelling, as Code-Forge does.
fn format_value(value: &Json) -> String {
    match value.as_str() {
        "true" => "True".to_owned(),
        "false" => "False".to_owned(),
        "null" => "None".to_owned(),
        text => serde_json::from_str(text).unwrap_or_else(|_| python_json::dump_json(text)),
    }
}

fn variable_value(text: &str) -> String {
    // A variable cannot hold a NUL. Code-Forge makes a blank of a line end, and `\r\n` is one line end.
    let kept = text.chars().filter(|c| !matches!(c, '\0' | '\r'));
    let mut line = kept.map(|c| if c == '\n' { ' ' } else { c });
    let mut value: String = line.by_ref().take(MAX_VALUE_CHARS).collect();
    if line.next().is_some() {
        value.push_str(CUT);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, ReadContext, code_forge::CodeForge, native::Native};

    fn read_variables(dialect: &dyn Dialect, text: &str) -> Result<Vec<(String, String)>, VariablesError> {
        let arrival = ReadContext { id: "e".into(), time: 1_700_000_000_250, cwd: "/home/u/project".into() };
        build_variables(&dialect.read(Json::parse(text).unwrap(), &arrival).unwrap())
    }

    fn format_variables(dialect: &dyn Dialect, text: &str) -> Vec<String> {
        read_variables(dialect, text)
            .unwrap()
            .into_iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect()
    }

    /// Returns the value of `FORGE_X` for this `data`.
    fn format_data(data: &str) -> String {
        let text = format!(r#"{{"type":"session:start","timestamp":1,"data":{{"x":{data}}}}}"#);
        read_variables(&CodeForge, &text).unwrap().pop().unwrap().1
    }

    #[test]
    fn a_tool_event_of_code_forge_becomes_the_variables_that_code_forge_sets() {
        let text = r#"{"type":"tool:post_execute","timestamp":1700000000.5,"session_id":"sess_abc123","tool_name":"bash",
            "data":{"tool_args":{"command": "ls"},"tool_result":{"success": true}}}"#;
        assert_eq!(
            format_variables(&CodeForge, text),
            [
                "FORGE_EVENT=tool:post_execute",
                "FORGE_TIMESTAMP=1700000000.5",
                "FORGE_SESSION_ID=sess_abc123",
                "FORGE_TOOL_NAME=bash",
                "FORGE_WORKING_DIR=/home/u/project",
                r#"FORGE_TOOL_ARGS={"command": "ls"}"#,
                r#"FORGE_TOOL_RESULT={"success": true}"#,
            ]
        );
    }

    #[test]
    fn every_data_key_is_a_variable_as_it_was_sent() {
        let text = r#"{"type":"llm:post_response","timestamp":1,"data":{"llm_model":"anthropic/claude-3",
            "llm_tokens":1500,"Odd-kéy":1}}"#;
        assert_eq!(
            format_variables(&CodeForge, text)[3..],
            ["FORGE_LLM_MODEL=anthropic/claude-3", "FORGE_LLM_TOKENS=1500", "FORGE_ODD_K_Y=1"]
        );
    }

    #[test]
    fn a_permission_event_sets_variables_for_its_level_and_the_matched_rule() {
        let text = r#"{"type":"permission:check","timestamp":1,"tool_name":"bash",
            "data":{"perm_level":"ask","perm_rule":"tool:bash"}}"#;
        assert_eq!(
            format_variables(&CodeForge, text)[2..],
            [
                "FORGE_TOOL_NAME=bash",
                "FORGE_WORKING_DIR=/home/u/project",
                "FORGE_PERM_LEVEL=ask",
                "FORGE_PERM_RULE=tool:bash",
            ]
        );
    }

    #[test]
    fn an_event_of_another_agent_is_passed_in_code_forge_variables() {
        let tool = r#"{"event":"tool.after","tool":{"name":"Bash","input":{"command":"ls"},"output":"a"}}"#;
        assert_eq!(
            format_variables(&Native, tool),
            [
                "FORGE_EVENT=tool:post_execute",
                "FORGE_TIMESTAMP=1700000000.25",
                "FORGE_TOOL_NAME=Bash",
                "FORGE_WORKING_DIR=/home/u/project",
                r#"FORGE_TOOL_ARGS={"command": "ls"}"#,
                "FORGE_TOOL_RESULT=a",
            ]
        );
        let prompt = r#"{"event":"prompt.submit","payload":{"prompt":"go"}}"#;
        assert_eq!(format_variables(&Native, prompt)[3..], ["FORGE_USER_INPUT=go"]);
        let request = r#"{"event":"model.request","payload":{"request":{"model":"m"}}}"#;
        assert_eq!(
            format_variables(&Native, request)[3..],
            [r#"FORGE_REQUEST={"model": "m"}"#, "FORGE_LLM_MODEL=m"]
        );
        assert_eq!(format_variables(&Native, r#"{"event":"agent.stop"}"#)[0], "FORGE_EVENT=agent.stop");
    }

    #[test]
    fn values_are_one_line_without_nul_and_in_pythons_words() {
        for (data, expected) in [
            (r#""a\nb\r\nc""#, "a b c"),
            (r#""a\u0000b""#, "ab"),
            (r#""$(reboot) `x` 'y'""#, "$(reboot) `x` 'y'"),
            ("true", "True"),
            ("false", "False"),
            ("null", "None"),
            ("1.50", "1.50"),
            ("{\"a\":\n1}", r#"{"a": 1}"#),
            ("[1,\"b\"]", r#"[1, "b"]"#),
            ("{\"a\":\"ä\"}", r#"{"a": "\u00e4"}"#),
            (r#""""#, ""),
        ] {
            assert_eq!(format_data(data), expected, "{data}");
        }
    }

    #[test]
    fn a_long_value_is_cut_visibly_between_characters() {
        let whole = "ü".repeat(MAX_VALUE_CHARS);
        assert_eq!(format_data(&format!("\"{whole}\"")), whole);
        assert_eq!(format_data(&format!("\"{whole}x\"")), format!("{whole}...[truncated]"));
    }

    #[test]
    fn data_cannot_forge_the_header_and_of_two_keys_with_one_name_the_last_counts() {
        let text =
            r#"{"type":"session:start","timestamp":1,"data":{"event":"tool:error","a-b":1,"c":2,"a.b":3}}"#;
        assert_eq!(
            format_variables(&CodeForge, text),
            [
                "FORGE_EVENT=session:start",
                "FORGE_TIMESTAMP=1.0",
                "FORGE_WORKING_DIR=/home/u/project",
                "FORGE_A_B=3",
                "FORGE_C=2",
            ]
        );
    }

    #[test]
    fn more_than_a_hook_could_be_started_with_is_an_error() {
        let data =
            |members: String| format!(r#"{{"type":"session:start","timestamp":1,"data":{{{members}}}}}"#);
        let members = |n| (0..n).map(|n| format!("\"k{n}\":1")).collect::<Vec<_>>().join(",");
        assert_eq!(read_variables(&CodeForge, &data(members(125))).unwrap().len(), MAX_VARIABLES);
        assert_eq!(
            read_variables(&CodeForge, &data(members(126))).unwrap_err().to_string(),
            "the event's data has too many members for variables; at most 128"
        );
        assert_eq!(
            read_variables(&CodeForge, &data(format!("\"{}\":1", "k".repeat(251)))).unwrap_err().to_string(),
            "the event's data has a member whose variable would have a name of 257 bytes; at most 256"
        );
    }
}
