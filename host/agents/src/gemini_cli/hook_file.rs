//! Gemini CLI's settings.json, its hooks run as Gemini CLI runs them (docs/reference/agents/gemini-cli.md).

use std::collections::BTreeSet;

use hookbox_core::{
    ChainPolicy, Kept, Order, PlainTexts, Target, Texts, VerdictMerge,
    hook::ShellSpec,
    hookfile::{Loaded, Source},
    interfaces::Contract,
};
use hookbox_model::{Answer, Event, EventName, Json};
use serde_json::{Map, Value, json};

use super::{
    GeminiCli, contract::GeminiContract, events, matcher, switches::GeminiSwitches, variant::GEMINI_CLI,
};
use crate::{
    agent_hook_file::{self, AgentHookFile, Entry, Group, Reader},
    javascript_regex::{JavaScriptRegex, RegexError},
};

/// Keys next to the events.
const NOT_EVENTS: [&str; 3] = ["enabled", "disabled", "notifications"];
const KEYS: [&str; 6] = ["type", "command", "name", "description", "timeout", "env"];
/// Placeholder for an extension's folder in its hooks. The agent replaces it in the text of the command.
pub(super) const EXTENSION: &str = "extensionPath";
/// Files that identify an extension's folder.
const MANIFESTS: [&str; 2] = ["gemini-extension.json", "llxprt-extension.json"];
/// Milliseconds.
const DEFAULT_TIMEOUT: u64 = 60_000;
const CONTRACT: GeminiContract = GeminiContract(&GEMINI_CLI);

/// Returns true if only the last hook's answer counts.
fn last_wins(event: &EventName) -> bool {
    matches!(
        event,
        EventName::ModelRequest
            | EventName::ModelResponse
            | EventName::SessionEnd
            | EventName::CompactBefore
            | EventName::Notification
    )
}

impl AgentHookFile for GeminiCli {
    fn policy(&self) -> ChainPolicy {
        ChainPolicy {
            order: Order::TogetherUnlessSequential,
            verdicts: |event| if last_wins(event) { VerdictMerge::Last } else { VerdictMerge::Strictest },
            rewrites: |event| match event {
                EventName::ModelSelectTools => Some(merge_choices),
                _ => None,
            },
            // In a sequential chain the agent puts an earlier hook's context below the prompt that the next
            // hook receives.
            carry: add_context,
            rewrite_with_deny: |_| true,
            texts: |event| {
                let kept = if last_wins(event) { Kept::Last } else { Kept::Lines };
                // The agent joins the reasons of all hooks, those that allow included.
                Texts::Plain(PlainTexts { of_every_hook: true, ..PlainTexts::keep_all(kept) })
            },
            ..ChainPolicy::TOGETHER
        }
    }

    fn load(&self, source: &Source) -> Loaded {
        load_files(std::slice::from_ref(source), &CONTRACT)
    }

    fn load_all(&self, sources: &[Source]) -> Loaded {
        load_files(sources, &CONTRACT)
    }

    fn contract(&self) -> Option<&'static dyn Contract> {
        Some(&CONTRACT)
    }

    fn differences(&self) -> &'static [&'static str] {
        DIFFERENCES
    }
}

/// Differences of both forks.
pub(crate) const DIFFERENCES: &[&str] = &[
    "hooks that ran side by side run one after another, each on the event as the one before left it, and the first \
     deny ends the chain",
    "with a deny, nothing is rewritten",
    "before and after a request to the model the strictest answer wins, not the last",
    "of several choices of tools the last one counts",
    "in order too, later hooks do not see the context that earlier ones gave",
    "of two entries with one command and two matchers, both run where both match",
];

/// Reads files of this shape for an agent with this contract. A hook that one file switches off is off in all.
pub(crate) fn load_files(sources: &[Source], contract: &'static GeminiContract) -> Loaded {
    let files: Vec<_> =
        sources.iter().filter_map(|source| Reader::new(source).json_with_comments()).collect();
    let switches = GeminiSwitches::from_files(contract.0.switches, &files);
    agent_hook_file::one_after_another(sources.iter().map(|source| read_file(source, contract, &switches)))
}

fn read_file(source: &Source, contract: &'static GeminiContract, switches: &GeminiSwitches) -> Loaded {
    let mut reader = Reader::new(source);
    let Some(file) = reader.json_with_comments() else { return reader.finish() };
    // The agent skips an unknown event and reads the rest of the file.
    let unknown = unknown_events(&file);
    for event in &unknown {
        reader.report_warning(&format!("`hooks.{event}`: unknown event; it is left out"));
    }
    let skipped: Vec<_> = NOT_EVENTS.into_iter().chain(unknown).collect();
    let groups = agent_hook_file::read_groups(&file, &mut reader, &skipped);
    if let (Some(switch), false) = (switches.off(), groups.is_empty()) {
        reader.report_warning(&format!(
            "`{switch}` is false, so {} runs no hook of this file, and none runs here",
            contract.0.name
        ));
    }
    for group in &groups {
        read_group(group, contract, switches, &mut reader);
    }
    reader.finish()
}

/// Returns the members of `hooks` that are neither an event nor a known other key.
fn unknown_events(file: &Value) -> Vec<&str> {
    let members = file.get("hooks").and_then(Value::as_object).into_iter().flatten();
    let names = members.map(|(event, _)| event.as_str());
    names.filter(|event| !NOT_EVENTS.contains(event) && events::find_row(event).is_none()).collect()
}

fn read_group(
    group: &Group<'_>,
    contract: &'static GeminiContract,
    switches: &GeminiSwitches,
    reader: &mut Reader<'_>,
) {
    let Some(row) = events::find_row(group.event) else { return };
    reader.report_unknown_keys(&group.place, group.members.keys(), &["matcher", "sequential", "hooks"]);
    // A variant of the agent ignores the matcher of these events.
    let matcher = group.matcher.filter(|_| !contract.0.unmatched.contains(&row.name));
    let when = matcher::parse_condition(row.name, matcher);
    let tools = matches!(group.event, "BeforeTool" | "AfterTool");
    let regex = matcher.filter(|_| tools).map(|matcher| JavaScriptRegex::new(matcher.trim()));
    if let Some(Err(RegexError::Unsupported(why))) = regex {
        reader.report_warning(&format!(
            "`{}.matcher` cannot be run here ({why}): its hooks run for every tool",
            group.place
        ));
    }
    for (place, hook) in &group.hooks {
        let (Some("command"), Some(command)) = (read_text(hook, "type"), read_text(hook, "command")) else {
            reader.report_warning(&format!(
                "`{place}` is not a hook of type `command` with a `command`; it is left out"
            ));
            continue;
        };
        reader.report_unknown_keys(place, hook.keys(), &KEYS);
        // Before the extension's folder is put in: the switch names the command as the file has it.
        let off = switches.turns_off(read_text(hook, "name").filter(|name| !name.is_empty()), command);
        let command = &in_extension((place, command), contract, reader);
        let shell =
            ShellSpec { variables: read_variables(place, hook, reader), ..ShellSpec::from_line(command) };
        let name = read_text(hook, "name").filter(|name| !name.is_empty());
        // Two entries of the same name and command run once where both match.
        let key = format!("{} {name:?}:{command}", row.name);
        let timeout = read_timeout(place, hook, reader);
        for event in find_canonical(row.name) {
            let target = Target::Shell(shell.clone());
            let entry = Entry::new((row.name, event), target, contract, timeout);
            let (name, key, condition) = (name.map(str::to_owned), Some(key.clone()), when.clone());
            reader.add_entry(place, Entry { name, key, condition, sequential: group.sequential, ..entry });
            if let Some(description) = read_text(hook, "description") {
                reader.set_description(description);
            }
            if off {
                reader.mark_disabled();
            }
        }
    }
}

/// Returns the command with the folder of the extension that the file belongs to.
fn in_extension(
    (place, command): (&str, &str),
    contract: &GeminiContract,
    reader: &mut Reader<'_>,
) -> String {
    if let Some(root) = reader.plugin_root(&MANIFESTS) {
        return command.replace(&format!("${{{EXTENSION}}}"), &root);
    }
    reader.unset_variables((place, command), (contract.0.name, &[EXTENSION]), &MANIFESTS);
    command.to_owned()
}

fn read_text<'v>(hook: &'v Map<String, Value>, key: &str) -> Option<&'v str> {
    hook.get(key).and_then(Value::as_str)
}

/// Returns the canonical events; `AfterTool` has two.
fn find_canonical(name: &str) -> Vec<EventName> {
    events::EVENTS.iter().filter(|row| row.name == name).map(|row| row.canonical.clone()).collect()
}

/// Reads the timeout, milliseconds.
fn read_timeout(place: &str, hook: &Map<String, Value>, reader: &mut Reader<'_>) -> u64 {
    match hook.get("timeout") {
        None | Some(Value::Null) => DEFAULT_TIMEOUT,
        Some(configured) => configured.as_u64().unwrap_or_else(|| {
            reader.report_warning(&format!(
                "`{place}.timeout` is not a number of milliseconds; {DEFAULT_TIMEOUT} counts"
            ));
            DEFAULT_TIMEOUT
        }),
    }
}

/// Reads the variables. Numbers, too, are texts in an environment.
fn read_variables(place: &str, hook: &Map<String, Value>, reader: &mut Reader<'_>) -> Vec<(String, String)> {
    let mut variables = Vec::new();
    for (name, value) in hook.get("env").and_then(Value::as_object).into_iter().flatten() {
        match value {
            Value::String(text) => variables.push((name.clone(), text.clone())),
            Value::Number(_) | Value::Bool(_) => variables.push((name.clone(), value.to_string())),
            _ => reader.report_warning(&format!("`{place}.env.{name}` is not a text; it is left out")),
        }
    }
    variables
}

/// Adds the context below the prompt, for the next hook of a sequential chain.
fn add_context(event: &mut Event, answer: &Answer) {
    let (EventName::PromptSubmit, Some(context)) = (&event.name, &answer.context) else { return };
    let prompt = event.payload.members().and_then(|members| members.get_string("prompt"));
    if let Some(prompt) = prompt {
        let prompt = Json::from_value(&Value::from(format!("{prompt}\n\n{context}")));
        event.payload = event.payload.with_member("prompt", &prompt);
    }
}

/// Merges choices: all names, sorted; `NONE` anywhere results in no tools; else `ANY` if any choice has it; else `AUTO`.
fn merge_choices(choices: &[Json]) -> Json {
    let choices: Vec<Value> = choices.iter().map(Json::to_value).collect();
    let has_mode = |mode: &str| choices.iter().any(|choice| choice.get("mode") == Some(&Value::from(mode)));
    let names: BTreeSet<&str> = choices
        .iter()
        .filter_map(|choice| choice.get("allowedFunctionNames")?.as_array())
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let choice = match (has_mode("NONE"), has_mode("ANY")) {
        // A hook that allows nothing must not be overruled by the list of another one.
        (true, _) => json!({"mode": "NONE", "allowedFunctionNames": []}),
        (_, true) => json!({"mode": "ANY", "allowedFunctionNames": names}),
        _ => json!({"mode": "AUTO", "allowedFunctionNames": names}),
    };
    Json::from_value(&choice)
}
