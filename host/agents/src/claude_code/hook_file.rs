//! Claude Code's settings.json, its hooks run as Claude Code runs them (docs/reference/agents/claude-code.md).

use std::{collections::HashSet, time::Duration};

use hookbox_core::{
    ChainPolicy, Condition, Target,
    hookfile::{Loaded, Source},
    interfaces::Contract,
};
use hookbox_model::{EventName, OnFailure};
use serde_json::{Map, Value};

use super::{
    ClaudeCode,
    async_hooks::AsyncContract,
    command,
    contract::ClaudeContract,
    events::{self, ClaudeEvent},
    facts::FILE_RULES,
    http, matcher,
    permission_rule::{self, Rule},
    policy::Policy,
};
use crate::{
    Dialect,
    agent_hook_file::{self, AgentHookFile, Entry, Group, Keys, Reader},
    file_rules::CheckedForm,
    javascript_regex::RegexError,
    settings::{Shape, Unit},
};

impl AgentHookFile for ClaudeCode {
    /// Runs all hooks concurrently on the event as received. In Claude Code the rewrite that was ready last wins, which is a race; here the
    /// last in order wins, so that equal answers give equal outcomes.
    fn policy(&self) -> ChainPolicy {
        // After a tool a block is feedback, and the tool has run: Claude Code replaces the result in
        // addition.
        ChainPolicy { rewrite_with_deny: |event| *event == EventName::ToolAfter, ..ChainPolicy::TOGETHER }
    }

    fn load(&self, source: &Source) -> Loaded {
        self.load_all(std::slice::from_ref(source))
    }

    fn load_all(&self, sources: &[Source]) -> Loaded {
        let (policy, problems) = Policy::from_sources(sources);
        let mut loaded =
            agent_hook_file::one_after_another(sources.iter().map(|source| read_file(source, &policy)));
        // A problem of the policy explains why hooks of a file are missing, so it comes before the problems
        // of the files.
        loaded.problems.splice(0..0, problems);
        loaded
    }

    fn contract(&self) -> Option<&'static dyn Contract> {
        Some(&ClaudeContract)
    }

    fn webhooks(&self) -> bool {
        true
    }

    fn differences(&self) -> &'static [&'static str] {
        &[
            "hooks that ran side by side run one after another, and the first deny ends the chain",
            "with a deny of PostToolUse, nothing is rewritten",
        ]
    }
}

fn read_file(source: &Source, policy: &Policy) -> Loaded {
    let mut reader = Reader::new(source);
    let Some(file) = reader.parse_json() else { return reader.finish() };
    let knows_event = |name: &str| events::find_row(name).is_some();
    let of = CheckedForm { shape: Shape::Groups(Unit::Seconds), knows_event: &knows_event, skipped: &[] };
    if reader.report_discarded(&file, ("Claude Code", &FILE_RULES), of) {
        return reader.finish();
    }
    if let Some(why) = policy.find_refusal(source) {
        reader.report_warning(why);
        return reader.finish();
    }
    let mut groups =
        Groups { policy, plugin: agent_hook_file::plugin_root(source, &PLUGIN), seen: HashSet::new() };
    for group in agent_hook_file::read_groups(&file, &mut reader, &[]) {
        groups.read_group(&group, &mut reader);
    }
    reader.finish()
}

/// Files of a plugin's folder.
const PLUGIN: [&str; 1] = [".claude-plugin"];

/// Keys of a hook, in addition to those of its type.
const KEYS: Keys = Keys {
    read: &[
        "type",
        "if",
        "timeout",
        "onFailure",
        "command",
        "args",
        "async",
        "asyncRewake",
        "shell",
        "url",
        "headers",
        "allowedEnvVars",
    ],
    // `once` counts in a skill only.
    idle: &["statusMessage", "once", "rewakeMessage", "rewakeSummary"],
};

/// The groups of a file while they are read.
struct Groups<'p> {
    policy: &'p Policy,
    plugin: Option<String>,
    /// Handlers already seen: an identical handler for one event and matcher runs once.
    seen: HashSet<String>,
}

impl Groups<'_> {
    fn read_group(&mut self, group: &Group<'_>, reader: &mut Reader<'_>) {
        let Some(row) = events::find_row(group.event) else {
            reader.report_warning(&format!(
                "`{}`: Claude Code has no event of this name; it is left out",
                group.place
            ));
            return;
        };
        let when = match matcher::parse_condition(row.name, group.matcher) {
            Ok(when) => when,
            Err(RegexError::Invalid(why)) => {
                reader.report_warning(&format!(
                    "`{}.matcher` is not a regular expression ({why}); it matches nothing",
                    group.place
                ));
                return;
            }
            Err(RegexError::Unsupported(why)) => {
                reader.report_warning(&format!(
                    "`{}.matcher` cannot be run here ({why}): its hooks run whatever the event is about",
                    group.place
                ));
                // A guard that runs too often is safe; one that is skipped is a bypass.
                group.matcher.map(|written| Condition::new(written, |_| true))
            }
        };
        for (place, hook) in &group.hooks {
            let entry = PlacedHook { place, event: group.event, hook };
            let Some(target) = self.read_target(&entry, reader) else { continue };
            // Two plugins may have equal commands, which name files of either.
            let handler = (group.event, group.matcher, &self.plugin, identify_hook(&target, hook));
            let key = format!("{handler:?}");
            if self.seen.insert(key.clone()) {
                Self::add_hook(&entry, row, ClaudeHook { target, when: when.clone(), key }, reader);
            }
        }
    }

    fn add_hook(entry: &PlacedHook<'_>, row: &ClaudeEvent, hook: ClaudeHook, reader: &mut Reader<'_>) {
        let PlacedHook { place, hook: members, .. } = entry;
        let ClaudeHook { target, when, key } = hook;
        let Ok(when) = narrow_condition(entry, when, reader) else { return };
        let aside = match (members.get("async"), members.get("asyncRewake")) {
            // `asyncRewake` implies `async`, so it counts first.
            (_, Some(Value::Bool(true))) => Some(&AsyncContract { wakes: true }),
            (Some(Value::Bool(true)), _) => Some(&AsyncContract { wakes: false }),
            _ => None,
        };
        let contract = aside.map_or(&ClaudeContract as &'static dyn Contract, |aside| aside);
        let on_failure = match members.get("onFailure").and_then(Value::as_str) {
            Some("block") => OnFailure::Deny,
            _ => OnFailure::Allow,
        };
        let timeout = read_timeout(members, ClaudeCode.agent_timeout(&row.canonical));
        let event = (row.name, row.canonical.clone());
        let entry = Entry::new(event, target, contract, timeout);
        reader.add_entry(place, Entry { on_failure, condition: when, key: Some(key), ..entry });
        if aside.is_some() {
            reader.mark_observer();
        }
        reader.report_member_keys(place, members, &KEYS);
    }

    fn read_target(&self, entry: &PlacedHook<'_>, reader: &mut Reader<'_>) -> Option<Target> {
        let PlacedHook { place, hook, .. } = entry;
        let text = |key: &str| hook.get(key).and_then(Value::as_str).map(str::to_owned);
        match hook.get("type").and_then(Value::as_str) {
            Some("command") => match text("command") {
                Some(line) => {
                    if self.plugin.is_none() {
                        let variables = ("Claude Code", command::OF_PLUGINS.as_slice());
                        reader.unset_variables((place, &line), variables, &PLUGIN);
                    }
                    command::read_command(place, line, hook, self.plugin.as_deref(), reader)
                }
                None => report_missing(place, "command", reader),
            },
            Some("http") => self.read_request(entry, reader),
            Some(kind @ ("mcp_tool" | "prompt" | "agent")) => {
                reader.report_warning(&format!(
                    "`{place}` is a hook of type `{kind}`, which only Claude Code can run; it is left out"
                ));
                None
            }
            _ => {
                reader.report_warning(&format!("`{place}.type` is not `command` or `http`; it is left out"));
                None
            }
        }
    }

    fn read_request(&self, entry: &PlacedHook<'_>, reader: &mut Reader<'_>) -> Option<Target> {
        let PlacedHook { place, event, hook } = entry;
        if !http::allows_request(event) {
            reader.report_warning(&format!(
                "`{place}`: Claude Code sends no request at {event}; it is left out"
            ));
            return None;
        }
        let Some(url) = hook.get("url").and_then(Value::as_str) else {
            return report_missing(place, "url", reader);
        };
        if !self.policy.allows_url(url) {
            reader.report_warning(&format!(
                "`{place}`: `allowedHttpHookUrls` has no pattern for its url; it is left out"
            ));
            return None;
        }
        let may_use = |name: &str| self.policy.allows_variable(name);
        Some(Target::Webhook(http::build_request(url.to_owned(), hook, may_use)))
    }
}

struct PlacedHook<'f> {
    place: &'f str,
    event: &'f str,
    hook: &'f Map<String, Value>,
}

struct ClaudeHook {
    target: Target,
    when: Option<Condition>,
    key: String,
}

/// A hook whose `if` excludes every event.
struct NeverRuns;

/// Returns the events of the matcher to which `if` applies.
fn narrow_condition(
    entry: &PlacedHook<'_>,
    when: Option<Condition>,
    reader: &mut Reader<'_>,
) -> Result<Option<Condition>, NeverRuns> {
    let PlacedHook { place, event, hook } = entry;
    let Some(configured) = hook.get("if") else { return Ok(when) };
    // Claude Code does not evaluate `if` here, and treats the hook as one whose condition is false.
    if !permission_rule::TOOL_EVENTS.contains(event) {
        reader.report_warning(&format!(
            "`{place}.if`: Claude Code never runs a hook with `if` at {event}, which is about no tool; it is left out"
        ));
        return Err(NeverRuns);
    }
    let rule = configured.as_str().ok_or("it is not text").and_then(Rule::parse);
    let rule = rule.map_err(|why| {
        reader.report_warning(&format!(
            "`{place}.if` cannot be read as a permission rule ({why}): the hook runs whatever the call is"
        ));
    });
    let rule = rule.ok();
    if rule.as_ref().is_some_and(|rule| !rule.is_judged()) {
        reader.report_warning(&format!(
            "`{place}.if`: what it says of the arguments is not judged here; the hook runs for every call of that tool"
        ));
    }
    let written =
        when.as_ref().map_or_else(|| format!("if {configured}"), |when| format!("{when}, if {configured}"));
    Ok(Some(Condition::new(&written, move |event| {
        when.as_ref().is_none_or(|when| when.matches(event))
            && rule.as_ref().is_none_or(|rule| rule.matches_event(event))
    })))
}

/// Returns the identity of a handler: a server's address and its condition, otherwise all members of the hook.
fn identify_hook(target: &Target, hook: &Map<String, Value>) -> String {
    match target {
        // Claude Code identifies a request by its address: the same address with other headers is called
        // once.
        Target::Webhook(request) => format!("{} {:?}", request.url, hook.get("if")),
        _ => Value::Object(hook.clone()).to_string(),
    }
}

/// Seconds in the file, milliseconds here.
fn read_timeout(hook: &Map<String, Value>, otherwise: Duration) -> u64 {
    // A hook with a timeout of 0 could never answer.
    let configured = hook.get("timeout").and_then(Value::as_f64).filter(|seconds| *seconds > 0.0);
    let timeout =
        configured.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or(otherwise);
    u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX)
}

fn report_missing(place: &str, key: &str, reader: &mut Reader<'_>) -> Option<Target> {
    reader.report_warning(&format!("`{place}` has no `{key}`; it is left out"));
    None
}
