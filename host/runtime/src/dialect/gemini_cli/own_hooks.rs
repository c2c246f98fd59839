//! Gemini CLI's settings.json, its hooks run as Gemini CLI runs them (hook-contracts B.3, B.4).

use std::collections::{BTreeSet, HashSet};

use hookbox_model::{Answer, Event, EventName, Json, OnFailure};
use serde_json::{Map, Value, json};

use super::{GeminiCli, contract::GeminiContract, events, variant::GEMINI_CLI};
use crate::{
    ChainEnd, ChainPolicy, Condition, ForeignCall, ForeignSpec, Late, Order, Roles, Stops, Texts, Tools,
    VerdictMerge,
    config::{Loaded, Source},
    dialect::{
        javascript_regex::{JavaScriptRegex, Unusable},
        own_hooks::{self, Entry, Group, OwnHooks, Reader},
    },
    handler::{
        contract::Contract,
        shell::{ShellCommand, ShellSpec},
    },
};

/// Keys beside the events.
const NOT_EVENTS: [&str; 3] = ["enabled", "disabled", "notifications"];
/// Milliseconds.
const DEFAULT_TIMEOUT: u64 = 60_000;

impl OwnHooks for GeminiCli {
    fn policy(&self) -> ChainPolicy {
        ChainPolicy {
            order: Order::TogetherUnlessSequential,
            end: ChainEnd::Never,
            verdicts: |event| match event {
                EventName::ModelRequest
                | EventName::ModelResponse
                | EventName::SessionEnd
                | EventName::CompactBefore
                | EventName::Notification => VerdictMerge::Last,
                _ => VerdictMerge::Strictest,
            },
            rewrites: |event| match event {
                EventName::ModelSelectTools => Some(union),
                _ => None,
            },
            carry: add_context,
            rewrite_beside_deny: |_| true,
            texts: Texts::PlainAll,
            late: Late::Fails,
            roles: Roles::Ignored,
            stops: Stops::AsSaid,
        }
    }

    fn load(&self, source: &Source) -> Loaded {
        load(std::slice::from_ref(source), &GeminiContract(&GEMINI_CLI))
    }

    fn load_all(&self, sources: &[Source]) -> Loaded {
        load(sources, &GeminiContract(&GEMINI_CLI))
    }

    fn contract(&self) -> Option<&'static dyn Contract> {
        Some(&GeminiContract(&GEMINI_CLI))
    }

    fn differences(&self) -> &'static [&'static str] {
        DIFFERENCES
    }
}

/// Of both forks.
pub(in crate::dialect) const DIFFERENCES: &[&str] = &[
    "hooks that ran side by side run one after another, each on the event as the one before left it, and the first \
     deny ends the chain",
    "beside a deny nothing is rewritten",
    "before and after a request to the model the strictest answer wins, not the last",
    "of several choices of tools the last one counts",
    "in order too, later hooks do not see the context that earlier ones gave",
];

/// Reads files of this shape for an agent with this contract. What one of them switches off is off in all.
pub(in crate::dialect) fn load(sources: &[Source], contract: &'static dyn Contract) -> Loaded {
    let files = sources.iter().filter_map(|source| Reader::new(source).json());
    let disabled: Vec<_> = files.flat_map(|file| disabled(&file)).collect();
    own_hooks::each_once(sources.iter().map(|source| read_file(source, contract, &disabled)))
}

fn read_file(source: &Source, contract: &'static dyn Contract, disabled: &[String]) -> Loaded {
    let mut reader = Reader::new(source);
    if let Some(file) = reader.json() {
        let mut seen = HashSet::new();
        for group in own_hooks::groups(&file, &mut reader, &NOT_EVENTS) {
            read_group(&group, contract, disabled, &mut reader, &mut seen);
        }
    }
    reader.finish()
}

/// Names or commands of hooks that are switched off.
fn disabled(file: &Value) -> Vec<String> {
    let list = file.get("hooks").and_then(|hooks| hooks.get("disabled")).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Two entries of the same name and command run once; `seen` holds them.
fn read_group(
    group: &Group<'_>,
    contract: &'static dyn Contract,
    disabled: &[String],
    reader: &mut Reader<'_>,
    seen: &mut HashSet<String>,
) {
    let Some(row) = events::row(group.event) else {
        reader.warning(&format!("`{}`: there is no event of this name; it is left out", group.place));
        return;
    };
    let when = condition(group.event, group.matcher);
    let tools = matches!(group.event, "BeforeTool" | "AfterTool");
    if let Some(Err(Unusable::Beyond(why))) = group.matcher.filter(|_| tools).map(JavaScriptRegex::new) {
        reader.warning(&format!(
            "`{}.matcher` cannot be run here ({why}): its hooks run for every tool",
            group.place
        ));
    }
    for (place, hook) in &group.hooks {
        let text = |key: &str| hook.get(key).and_then(Value::as_str).map(str::to_owned);
        let (Some("command"), Some(command)) = (text("type").as_deref(), text("command")) else {
            reader.warning(&format!(
                "`{place}` is not a hook of type `command` with a `command`; it is left out"
            ));
            continue;
        };
        let name = text("name");
        let key = name.clone().unwrap_or_else(|| command.clone());
        let known = format!("{} {name:?}:{command}", group.event);
        if disabled.contains(&key) || disabled.contains(&command) || !seen.insert(known.clone()) {
            continue;
        }
        let spec = ForeignSpec {
            call: ForeignCall::Shell(ShellSpec {
                command: ShellCommand::Line(command),
                cwd: None,
                env: Vec::new(),
                confinement: None,
            }),
            contract,
            variables: variables(hook),
            when: when.clone(),
            sequential: group.sequential,
            in_role: false,
            written: None,
        };
        let timeout = hook.get("timeout").and_then(Value::as_u64).unwrap_or(DEFAULT_TIMEOUT);
        for event in canonical(row.name) {
            let (name, spec, key) = (name.clone(), spec.clone(), Some(known.clone()));
            let event = (row.name, event);
            reader.add(place, Entry { name, event, timeout, on_failure: OnFailure::Allow, spec, key });
        }
    }
}

/// `AfterTool` is two moments.
fn canonical(name: &str) -> Vec<EventName> {
    events::EVENTS.iter().filter(|row| row.name == name).map(|row| row.canonical.clone()).collect()
}

fn variables(hook: &Map<String, Value>) -> Vec<(String, String)> {
    let env = hook.get("env").and_then(Value::as_object).into_iter().flatten();
    env.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect()
}

/// Tool events compare an unanchored regular expression, or the exact name if it is none; the others compare exactly.
fn condition(event: &str, matcher: Option<&str>) -> Option<Condition> {
    let written = matcher.filter(|matcher| !matches!(*matcher, "" | "*"))?;
    let wanted = written.to_owned();
    let payload = |key: &'static str| {
        Condition::new(written, {
            let wanted = wanted.clone();
            move |event: &Event| {
                event.payload.members().and_then(|m| m.string(key)).is_some_and(|value| value == wanted)
            }
        })
    };
    match event {
        "BeforeTool" | "AfterTool" => Some(tool(written)),
        "SessionStart" => Some(payload("source")),
        "SessionEnd" => Some(payload("reason")),
        "PreCompress" => Some(payload("trigger")),
        "Notification" => Some(payload("notification_type")),
        _ => None,
    }
}

/// The tools in whose name an expression is found; one that JavaScript does not take either is a name. One that is beyond
/// what is run here means every tool: a guard must not be passed over.
fn tool(written: &str) -> Condition {
    let named = |is: Box<dyn Fn(&str) -> bool + Send + Sync>| {
        Condition::new(written, move |event| event.tool.as_ref().is_some_and(|tool| is(&tool.name)))
    };
    match JavaScriptRegex::new(written) {
        Ok(regex) => {
            let tools = regex.portable().map(Tools::found);
            let condition = named(Box::new(move |name| regex.is_match(name)));
            match tools {
                Some(tools) => condition.says(tools),
                None => condition,
            }
        }
        Err(Unusable::Invalid(_)) => {
            let wanted = written.to_owned();
            let tools = Tools::Names(vec![wanted.clone()]);
            named(Box::new(move |name| name == wanted)).says(tools)
        }
        Err(Unusable::Beyond(_)) => named(Box::new(|_| true)),
    }
}

/// The next hook of a chain in order finds the context of this one below the prompt (B.4).
fn add_context(event: &mut Event, answer: &Answer) {
    let (EventName::PromptSubmit, Some(context)) = (&event.name, &answer.context) else { return };
    let mut payload = event.payload.to_value();
    if let Some(Value::String(prompt)) = payload.get_mut("prompt") {
        prompt.push_str("\n\n");
        prompt.push_str(context);
        event.payload = Json::from_value(&payload);
    }
}

/// All names, sorted; `NONE` anywhere wins with none; else `ANY` if any says so; else `AUTO` (B.3).
fn union(choices: &[Json]) -> Json {
    let choices: Vec<Value> = choices.iter().map(Json::to_value).collect();
    let says = |mode: &str| choices.iter().any(|choice| choice.get("mode") == Some(&Value::from(mode)));
    let names: BTreeSet<&str> = choices
        .iter()
        .filter_map(|choice| choice.get("allowedFunctionNames")?.as_array())
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let choice = match (says("NONE"), says("ANY")) {
        (true, _) => json!({"mode": "NONE", "allowedFunctionNames": []}),
        (_, true) => json!({"mode": "ANY", "allowedFunctionNames": names}),
        _ => json!({"mode": "AUTO", "allowedFunctionNames": names}),
    };
    Json::from_value(&choice)
}
