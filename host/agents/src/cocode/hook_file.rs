//! cocode's hooks.toml, its hooks run as cocode runs them (docs/reference/agents/cocode.md).

use std::collections::BTreeMap;

use hookbox_core::{
    ChainEnd, ChainPolicy, Condition, OnTimeout, Order, Target, Tools,
    hook::{ShellSpec, WebhookMethod, WebhookSpec},
    hookfile::{Loaded, Source},
    interfaces::Contract,
};
use hookbox_model::{Event, OnFailure};
use serde::Deserialize;

use super::{
    Cocode,
    contract::CocodeContract,
    events::{self, CocodeEvent},
};
use crate::agent_hook_file::{AgentHookFile, Entry, Reader};

/// The member that names the tool, of events that have one.
const TOOL_NAME: &str = "tool_name";
/// Seconds.
const TIMEOUT: u32 = 600;

/// Keys that cocode does not know: they are reported and have no effect.
type Other = BTreeMap<String, toml::Value>;

#[derive(Deserialize)]
struct CocodeFile {
    #[serde(default)]
    hooks: Vec<CocodeHook>,
}

#[derive(Deserialize)]
struct CocodeHook {
    event: String,
    tool_matcher: Option<String>,
    timeout_sec: Option<u32>,
    #[serde(default)]
    once: bool,
    name: Option<String>,
    shell: Option<CocodeShell>,
    webhook: Option<CocodeWebhook>,
    /// A component instead: a member of hookbox's own.
    wasm: Option<String>,
    #[serde(flatten)]
    other: Other,
}

#[derive(Deserialize)]
struct CocodeShell {
    command: String,
    #[serde(default)]
    pass_context: bool,
    #[serde(default)]
    parse_result: bool,
    #[serde(flatten)]
    other: Other,
}

#[derive(Deserialize)]
struct CocodeWebhook {
    url: String,
    #[serde(default)]
    method: Method,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(flatten)]
    other: Other,
}

#[derive(Clone, Copy, Default, Deserialize)]
enum Method {
    #[default]
    Post,
    Put,
}

impl AgentHookFile for Cocode {
    /// Returns the policy: a hook that times out is ignored; every other failure rejects.
    fn policy(&self) -> ChainPolicy {
        ChainPolicy {
            order: Order::InOrderChanged,
            end: ChainEnd::Deny,
            on_timeout: OnTimeout::NoOpinion,
            ..ChainPolicy::TOGETHER
        }
    }

    /// Loads a file. A file that cannot be read, or names an unknown event, is an error.
    fn load(&self, source: &Source) -> Loaded {
        let mut reader = Reader::new(source);
        reader.written_in_toml();
        match parse_hooks(&source.text) {
            Ok(hooks) => {
                for (at, (hook, row)) in hooks.into_iter().enumerate() {
                    add_hook(&format!("hooks[{at}]"), hook, row, &mut reader);
                }
            }
            // serde fails for the file as a whole, and cocode then has no hooks at all.
            Err(problem) => reader.report_error(&problem),
        }
        reader.finish()
    }

    /// Returns the contract of a hook that receives the event and whose answer is read.
    fn contract(&self) -> Option<&'static dyn Contract> {
        Some(select_contract(true, true))
    }

    fn webhooks(&self) -> bool {
        true
    }

    fn differences(&self) -> &'static [&'static str] {
        &["a hook that takes too long rejects, where cocode passes it over"]
    }
}

fn parse_hooks(text: &str) -> Result<Vec<(CocodeHook, &'static CocodeEvent)>, String> {
    let file: CocodeFile = toml::from_str(text).map_err(|error| bad_toml(text, &error))?;
    let known = |(at, hook): (usize, CocodeHook)| match events::find_row(&hook.event) {
        Some(row) => Ok((hook, row)),
        None => Err(format!("`hooks[{at}].event`: cocode has no event {:?}", hook.event)),
    };
    file.hooks.into_iter().enumerate().map(known).collect()
}

fn bad_toml(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    format!("line {line}: the file is not what cocode reads: {}", error.message())
}

fn add_hook(place: &str, hook: CocodeHook, row: &CocodeEvent, reader: &mut Reader<'_>) {
    reader.report_unknown_keys(place, hook.other.keys(), &[]);
    let shell = hook.shell.iter().flat_map(|shell| shell.other.keys());
    reader.report_unknown_keys(&format!("{place}.shell"), shell, &[]);
    let webhook = hook.webhook.iter().flat_map(|webhook| webhook.other.keys());
    reader.report_unknown_keys(&format!("{place}.webhook"), webhook, &[]);
    let Some((target, contract)) = read_target(place, (hook.shell, hook.webhook, hook.wasm), reader) else {
        return;
    };
    let timeout = u64::from(hook.timeout_sec.unwrap_or(TIMEOUT)) * 1000;
    let entry = Entry {
        name: hook.name,
        on_failure: OnFailure::Deny,
        condition: hook.tool_matcher.as_deref().map(|matcher| parse_condition(matcher, has_tool(row))),
        ..Entry::new((row.name, row.canonical.clone()), target, contract, timeout)
    };
    reader.add_entry(place, entry);
    if hook.once {
        reader.mark_once();
    }
}

fn read_target(
    place: &str,
    handlers: (Option<CocodeShell>, Option<CocodeWebhook>, Option<String>),
    reader: &mut Reader<'_>,
) -> Option<(Target, &'static dyn Contract)> {
    match handlers {
        (Some(shell), None, None) => {
            let contract = select_contract(shell.pass_context, shell.parse_result);
            Some((Target::Shell(ShellSpec::from_line(&shell.command)), contract))
        }
        (None, Some(webhook), None) => {
            Some((Target::Webhook(build_request(webhook)), select_contract(true, true)))
        }
        (None, None, Some(name)) => match reader.find_component(&name) {
            Ok(component) => Some((Target::Wasm(component), select_contract(true, true))),
            Err(problem) => {
                // An error and not a warning: the missing component may be a guard.
                reader.report_error(&format!("`{place}.wasm`: {problem}"));
                None
            }
        },
        _ => {
            reader.report_warning(&format!(
                "`{place}` needs one of `shell`, `webhook` and `wasm`; it is left out"
            ));
            None
        }
    }
}

fn select_contract(pass_context: bool, parse_result: bool) -> &'static CocodeContract {
    match (pass_context, parse_result) {
        (false, false) => &CocodeContract { pass_context: false, parse_result: false },
        (false, true) => &CocodeContract { pass_context: false, parse_result: true },
        (true, false) => &CocodeContract { pass_context: true, parse_result: false },
        (true, true) => &CocodeContract { pass_context: true, parse_result: true },
    }
}

/// Returns the request of a webhook. A header may use any variable: the file is the user's own.
fn build_request(webhook: CocodeWebhook) -> WebhookSpec {
    let CocodeWebhook { url, method, headers, other: _ } = webhook;
    let env = headers.values().flat_map(|value| list_variables(value)).map(str::to_owned).collect();
    let method = match method {
        Method::Post => WebhookMethod::Post,
        Method::Put => WebhookMethod::Put,
    };
    WebhookSpec { url, method, headers: headers.into_iter().collect(), env, sign: None }
}

/// Returns the names in `${NAME}`.
fn list_variables(value: &str) -> impl Iterator<Item = &str> {
    value.split("${").skip(1).filter_map(|rest| Some(rest.split_once('}')?.0))
}

pub(super) fn has_tool(row: &CocodeEvent) -> bool {
    row.reading.required.iter().any(|(name, _)| *name == TOOL_NAME)
}

/// Parses a matcher: the exact name of a tool, or a prefix; an event without a tool always matches.
pub(super) fn parse_condition(matcher: &str, has_tool: bool) -> Condition {
    let wanted = matcher.to_owned();
    let tools = match matcher.strip_suffix('*') {
        _ if !has_tool => Tools::Any,
        // Only the last `*` is a wildcard for cocode; hookbox's glob would give the others a meaning.
        Some(start) if start.contains(['*', '?']) => Tools::Regex(format!("{}(?s:.*)", regex::escape(start))),
        Some(_) => Tools::Glob(wanted.clone()),
        None => Tools::Names(vec![wanted.clone()]),
    };
    let condition = Condition::new(matcher, move |event: &Event| {
        // cocode does not look at the matcher of an event without a tool.
        event.tool.as_ref().is_none_or(|tool| match wanted.strip_suffix('*') {
            Some(start) => tool.name.starts_with(start),
            None => tool.name == wanted,
        })
    });
    condition.with_tools(tools)
}

#[cfg(test)]
mod tests {
    use hookbox_model::{Layer, TrustLevel};

    use super::*;

    fn list_problems(text: &str) -> Vec<String> {
        let source = Source {
            layer: Layer::Session,
            trust_level: TrustLevel::Own,
            file: None,
            root: None,
            plugins: hookbox_core::ShippedPlugins::default(),
            text: text.to_owned(),
        };
        let loaded = Cocode.load(&source);
        loaded
            .problems
            .into_iter()
            .map(|problem| format!("{:?}: {}", problem.severity, problem.message))
            .collect()
    }

    #[test]
    fn what_cocode_would_not_load_is_an_error_and_what_it_passes_over_a_warning() {
        for (text, expected) in [
            (
                "[[hooks]\n",
                "Error: line 1: the file is not what cocode reads: unclosed array table, expected `]`",
            ),
            ("[[hooks]]\nevent = \"PreTool\"\n", "Error: `hooks[0].event`: cocode has no event \"PreTool\""),
            (
                "[[hooks]]\nevent = \"PreCompact\"\n",
                "Warning: `hooks[0]` needs one of `shell`, `webhook` and `wasm`; it is left out",
            ),
        ] {
            assert_eq!(list_problems(text), [expected]);
        }
    }
}
