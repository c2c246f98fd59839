//! run-claude's hooks.yaml, its hooks run as run-claude runs them (docs/reference/agents/run-claude.md).

mod function;

use hookbox_core::{
    ChainEnd, ChainPolicy, HookSpec, Order,
    hook::PythonSpec,
    hookfile::{Loaded, Source},
    interfaces::Contract,
};
use hookbox_model::{Event, EventName};
use serde_json::{Map, Value};

use self::function::{File, Function};
use super::{RunClaude, contract::RunClaudeContract, events, proxied};
use crate::agent_hook_file::{AgentHookFile, Reader};

/// Differences of run-claude's functions in hookbox's own chain.
const DIFFERENCES: [&str; 2] = [
    "`stop_chain` ends the caller's chain, and no hook of hookbox's",
    "`list_hooks` lists no hook of the file",
];

impl AgentHookFile for RunClaude {
    fn policy(&self) -> ChainPolicy {
        // In run-claude only `stop_chain` ends the chain; an error of one function does not.
        ChainPolicy { order: Order::InOrderChanged, end: ChainEnd::OnRequest, ..ChainPolicy::TOGETHER }
    }

    fn function_contract(&self) -> Option<&'static dyn Contract> {
        Some(&RunClaudeContract)
    }

    fn replaced_function(&self, hook: &HookSpec) -> Option<PythonSpec> {
        function::find_replaced(hook)
    }

    fn name_event<'e>(&self, _: &str, event: &'e Event) -> Option<&'e str> {
        match event.agent.as_ref() {
            events::AGENT => function::goes_on(event).then_some(event.agent_event.as_str()),
            _ => proxied::name_event(event),
        }
    }

    fn proxied_events(&self, event: &EventName) -> &'static [EventName] {
        proxied::find_more_events(event)
    }

    fn differences(&self) -> &'static [&'static str] {
        &DIFFERENCES
    }

    /// Reports every problem as a warning: run-claude logs it and goes on without those hooks.
    fn load(&self, source: &Source) -> Loaded {
        let mut reader = Reader::new(source);
        match reader.parse_yaml() {
            Some(Value::Object(file)) => read_file(&file, &mut reader),
            Some(_) => reader.report_warning("the file is not a mapping, so no hook of it runs"),
            None => {}
        }
        reader.finish()
    }
}

fn read_file(file: &Map<String, Value>, reader: &mut Reader<'_>) {
    let others = file.keys().filter(|key| !matches!(key.as_str(), "hooks" | "python_path"));
    for key in others {
        reader.report_warning(&format!("run-claude has no key `{key}`; it is ignored"));
    }
    let paths = python_path(file.get("python_path"), reader);
    let of_all = File { paths, listed: list_hooks(file) };
    match file.get("hooks") {
        None | Some(Value::Null) => {}
        Some(Value::Object(events)) => {
            events.iter().for_each(|(event, list)| read_event(event, list, &of_all, reader));
        }
        Some(_) => reader.report_warning("`hooks` is not a mapping of events, so no hook of the file runs"),
    }
}

/// The hooks that are on, by run-claude's events in their order.
fn list_hooks(file: &Map<String, Value>) -> Vec<String> {
    let hooks = file.get("hooks").and_then(Value::as_object);
    let rows = events::EVENTS.iter().flat_map(|row| {
        let list = hooks.and_then(|hooks| hooks.get(row.name)).and_then(Value::as_array);
        let functions =
            list.into_iter().flatten().filter_map(|entry| Function::from_entry(entry).ok().flatten());
        functions.filter_map(|function| function.active_name(row)).collect::<Vec<_>>()
    });
    rows.collect()
}

/// Returns the paths as written: variables are replaced where the function is called, from the function's environment.
fn python_path(list: Option<&Value>, reader: &mut Reader<'_>) -> Vec<String> {
    let list = match list {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::Array(list)) => list,
        Some(_) => {
            reader.report_warning("`python_path` is not a list; it is left out");
            return Vec::new();
        }
    };
    let mut paths = Vec::new();
    for (at, path) in list.iter().enumerate() {
        match path.as_str() {
            Some(path) => paths.push(path.to_owned()),
            None => reader.report_warning(&format!("`python_path[{at}]` is not a text; it is left out")),
        }
    }
    paths
}

fn read_event(event: &str, list: &Value, file: &File, reader: &mut Reader<'_>) {
    let list = match (events::find_row(event), list) {
        // An event without hooks under it is `null` in YAML.
        (_, Value::Null) => return,
        (Some(row), Value::Array(list)) => list.iter().map(move |entry| (row, entry)),
        (Some(_), _) => {
            return reader.report_warning(&format!("`hooks.{event}` is not a list; it is left out"));
        }
        (None, _) => {
            let names: Vec<_> = events::EVENTS.iter().map(|row| row.name).collect();
            return reader.report_warning(&format!(
                "`hooks.{event}` is not an event of run-claude (the events are: {}); its hooks are left out",
                names.join(", ")
            ));
        }
    };
    for (at, (row, entry)) in list.enumerate() {
        let place = format!("hooks.{event}[{at}]");
        if let Some(members) = entry.as_object() {
            reader.report_unknown_keys(&place, members.keys(), &function::KEYS);
        }
        match Function::from_entry(entry) {
            Ok(Some(function)) => function.add_hook(&place, row, file, reader),
            Ok(None) => {}
            Err(problem) => {
                reader.report_warning(&format!("`{place}`{}; it is left out", name_problem(entry, &problem)));
            }
        }
    }
}

/// Returns the problem of an entry, after its name if it has one.
fn name_problem(entry: &Value, problem: &str) -> String {
    match entry.get("name").and_then(Value::as_str) {
        Some(name) => format!(" ({name}) {problem}"),
        None => format!(" {problem}"),
    }
}

#[cfg(test)]
mod tests {
    use hookbox_model::{Layer, TrustLevel};

    use super::*;

    fn load_text(text: &str) -> (Vec<String>, Vec<String>) {
        let source = Source {
            layer: Layer::Session,
            trust_level: TrustLevel::Own,
            file: None,
            root: None,
            plugins: hookbox_core::ShippedPlugins::default(),
            text: text.to_owned(),
        };
        let Loaded { hooks, problems, .. } = RunClaude.load(&source);
        let problems =
            problems.into_iter().map(|problem| format!("{:?}: {}", problem.severity, problem.message));
        (hooks.into_iter().map(|hook| hook.name).collect(), problems.collect())
    }

    #[test]
    fn each_malformed_piece_is_named_and_left_out_and_the_rest_is_there() {
        let (hooks, problems) = load_text(
            "python_path: [1, '${HOME}']\n\
             hooks:\n\
             \x20 pre_request:\n\
             \x20   - just text\n\
             \x20   - {name: half, module: m}\n\
             \x20   - {name: odd, module: m, function: f, enabled: 7}\n\
             \x20   - {name: off, module: m, function: f, enabled: no}\n\
             \x20   - {name: never, module: m, function: f, timeout: 0}\n\
             \x20   - {name: good, module: m, function: f}\n\
             \x20 post_response: text\n\
             \x20 pre_tool_call:\n\
             \x20 before: [{name: x, module: m, function: f}]\n",
        );
        assert_eq!(hooks, ["good"]);
        assert_eq!(
            problems,
            [
                "Warning: `python_path[0]` is not a text; it is left out",
                "Warning: `hooks.pre_request[0]` is not a mapping; it is left out",
                "Warning: `hooks.pre_request[1]` (half) has no `function`; it is left out",
                "Warning: `hooks.pre_request[2]` (odd) has an `enabled` that is neither true nor false; it is left \
                 out",
                "Warning: `hooks.pre_request[4]` (never) has a `timeout` that is not a number of seconds, more than 0; it is left \
                 out",
                "Warning: `hooks.post_response` is not a list; it is left out",
                "Warning: `hooks.before` is not an event of run-claude (the events are: pre_request, post_response, \
                 pre_tool_call, post_tool_call); its hooks are left out",
            ]
        );
    }

    #[test]
    fn an_empty_or_invalid_hooks_file_gives_no_hooks_and_a_warning() {
        for (text, expected) in [
            ("", "Warning: the file is not a mapping, so no hook of it runs"),
            ("hooks: 7", "Warning: `hooks` is not a mapping of events, so no hook of the file runs"),
            (
                "a: *b",
                "Warning: the file is not acceptable YAML, so no hook of it runs: line 1: while parsing node, found unknown anchor",
            ),
        ] {
            assert_eq!(load_text(text), (Vec::new(), vec![expected.to_owned()]), "{text}");
        }
    }

    #[test]
    fn a_built_in_of_run_claude_without_its_plugin_is_reported_with_advice() {
        let (hooks, problems) = load_text(
            "hooks: {pre_request: [{name: strip, module: run_claude.hooks.builtin, function: strip_provider_fields}]}",
        );
        assert_eq!(hooks, ["strip"]);
        assert_eq!(
            problems,
            [
                "Warning: `hooks.pre_request[0]` (strip) calls run-claude's own Python function, which needs that \
              package: this hookbox was built without the plugin that does the same"
            ]
        );
    }
}
