//! The tool call of an event, in the agent's members.

use hookbox_model::{EventName, ToolClass};
use serde_json::{Map, Value};

use super::{EventForm, EventRequest, MissingPart};
use crate::{
    native,
    self_test::find_self_test,
    table::{Tool, ToolMembers},
    tools,
};

/// A call that was made.
pub(super) struct Call {
    pub(super) name: String,
    pub(super) input: Map<String, Value>,
    pub(super) output: Option<Value>,
}

/// Name of a tool that runs a command in hookbox's native dialect.
const SHELL: &str = "shell";

/// Returns the call, if the event is about one or the request names one, and the missing parts.
pub(super) fn build_call(
    agent: &str,
    event: &EventName,
    wanted: &EventRequest,
) -> (Option<Call>, Vec<MissingPart>) {
    let is_needed = native::needs_tool(event);
    let is_named = wanted.tool.is_some() || wanted.command.is_some() || wanted.path.is_some();
    if !is_needed && !is_named {
        return (None, Vec::new());
    }
    let (shell, arguments) = build_shell_call(agent, wanted);
    let Some(name) = wanted.tool.clone().or(shell.clone().filter(|_| wanted.command.is_some())) else {
        return (None, vec![MissingPart::Tool]);
    };
    let mut input = wanted.input.clone();
    if let Some(command) = &wanted.command {
        let own = if shell.as_ref() == Some(&name) { arguments } else { Map::new() };
        let own = if own.is_empty() {
            [("command".to_owned(), command.as_str().into())].into_iter().collect()
        } else {
            own
        };
        input.extend(own);
    }
    if let Some(path) = &wanted.path {
        input.insert(tools::key_of_files(agent, &name).to_owned(), path.as_str().into());
    }
    let mut needs = find_missing(agent, &name, &input);
    let needs_output = native::needs_output(event);
    if needs_output && wanted.output.is_none() {
        needs.push(MissingPart::Output);
    }
    let output = wanted.output.clone().filter(|_| needs_output);
    (Some(Call { name, input, output }), needs)
}

/// Returns the tool that runs the command, and its arguments.
fn build_shell_call(agent: &str, wanted: &EventRequest) -> (Option<String>, Map<String, Value>) {
    let Some(self_test) = find_self_test(agent) else { return (Some(SHELL.to_owned()), Map::new()) };
    let command = wanted.command.as_deref().unwrap_or_default();
    let input = self_test.build_event(agent, command, &wanted.cwd).ok();
    let tool = input.and_then(|input| input.event().tool.clone());
    let Some(tool) = tool else { return (None, Map::new()) };
    (Some(tool.name), serde_json::from_str(tool.input.as_str()).unwrap_or_default())
}

/// Returns the missing parts: a shell without a command and a file without a name mean nothing to a guard.
fn find_missing(agent: &str, name: &str, input: &Map<String, Value>) -> Vec<MissingPart> {
    if !input.is_empty() {
        return Vec::new();
    }
    match tools::class_of(agent, name) {
        Some(ToolClass::Shell) => vec![MissingPart::Command],
        Some(ToolClass::FileRead | ToolClass::FileWrite) => vec![MissingPart::Path],
        _ => Vec::new(),
    }
}

/// Returns the members of the call in an event of this agent, and the missing parts.
pub(super) fn build_members(
    agent: &str,
    event: &EventName,
    form: &EventForm,
    wanted: &EventRequest,
) -> (Map<String, Value>, Vec<MissingPart>) {
    match form.reading.tool {
        Tool::View(_, keys) => build_view(keys, wanted),
        Tool::None => (Map::new(), Vec::new()),
        Tool::Named(naming) | Tool::Offered(naming) => {
            let (call, needs) = build_call(agent, event, wanted);
            let mut members = Map::new();
            if let Some(call) = call {
                let output = call.output.map(|output| fit_output(output, form));
                add_name(&call.name, naming, form, &mut members);
                members.insert(form.choose_spelling(naming.input).to_owned(), call.input.into());
                let outputs = form.words.outputs;
                let key = outputs.get(usize::from(form.is_first_of_two)).or(outputs.first());
                if let (Some(key), Some(output)) = (key, output) {
                    members.insert((*key).to_owned(), output);
                }
            }
            (members, needs)
        }
    }
}

/// Converts a result: some agents represent it as an object only.
fn fit_output(output: Value, form: &EventForm) -> Value {
    let wants_object =
        form.reading.required.iter().any(|(member, kind)| {
            form.words.outputs.contains(member) && *kind == crate::schema::Kind::Object
        });
    if wants_object && !output.is_object() {
        return [("output".to_owned(), output)].into_iter().collect::<Map<_, _>>().into();
    }
    output
}

fn add_name(name: &str, naming: &ToolMembers, form: &EventForm, members: &mut Map<String, Value>) {
    let mut called = name.strip_prefix(naming.prefix).unwrap_or(name);
    if let Some(server) = naming.server {
        let parts = called.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"));
        let (of, tool) = parts.unwrap_or(("server", called));
        members.insert(server.to_owned(), of.into());
        called = tool;
    }
    members.insert(form.choose_spelling(naming.name).to_owned(), called.into());
}

/// Returns the arguments of the one tool that the event is about.
fn build_view(keys: &[&'static str], wanted: &EventRequest) -> (Map<String, Value>, Vec<MissingPart>) {
    let (mut members, mut needs) = (wanted.input.clone(), Vec::new());
    for key in keys {
        let (value, need) = match *key {
            "command" | "command_line" => (wanted.command.as_deref(), Some(MissingPart::Command)),
            "path" | "file_path" => (wanted.path.as_deref(), Some(MissingPart::Path)),
            "cwd" => (Some(wanted.cwd.as_str()), None),
            _ => (None, None),
        };
        match value {
            Some(value) => drop(members.insert((*key).to_owned(), value.into())),
            None if members.contains_key(*key) => {}
            None => needs.extend(need),
        }
    }
    (members, needs)
}

/// Returns true if this member of a recorded event is not part of its tool call.
pub(super) fn is_sibling(key: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    !(lower.starts_with("tool")
        || lower.starts_with("call")
        || ["args", "command", "env", "hook_name"].contains(&key))
}
